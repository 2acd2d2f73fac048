//! A backend that implements nothing clever and classifies nothing: what the daemon makes of such failures by itself.
//! No backend of the product leaves a failure of an input unclassified, so none can show this.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use async_trait::async_trait;
use backend::{Check, Device, Input, Picture, Provider, Receipt};
use contract::{
    Capabilities, Capability, Code, Failure, Point, Size,
    command::Open,
    view::{DeviceView, Platform},
};
use screen::{Node, Role, States, Tree, TreeBuilder};
use wire::Context;

/// Opens `plain:app`. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct PlainProvider {
    pressed: Arc<AtomicU32>,
}

impl PlainProvider {
    /// Inputs that took effect before they failed.
    pub fn pressed(&self) -> u32 {
        self.pressed.load(Ordering::SeqCst)
    }
}

#[derive(Debug)]
struct PlainDevice {
    pressed: Arc<AtomicU32>,
    capabilities: Capabilities,
}

fn capabilities() -> Capabilities {
    Capabilities { can: vec![Capability::Snapshot, Capability::Tap], cannot: Vec::new() }
}

#[async_trait]
impl Provider for PlainProvider {
    fn platform(&self) -> Platform {
        Platform::Stage
    }

    fn opens(&self, app: &str) -> bool {
        app == "plain:app"
    }

    async fn devices(&self) -> Vec<DeviceView> {
        Vec::new()
    }

    async fn default_device(&self, _context: &Context, _open: &Open) -> Result<String, Failure> {
        Ok("plain".to_owned())
    }

    fn exclusive(&self, _device: &str) -> bool {
        false
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        (device == "plain").then(capabilities)
    }

    async fn open(&self, _context: &Context, _device: &str, _open: &Open) -> Result<Arc<dyn Device>, Failure> {
        Ok(Arc::new(PlainDevice { pressed: self.pressed.clone(), capabilities: capabilities() }))
    }

    async fn doctor(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[async_trait]
impl Device for PlainDevice {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    async fn capture(&self, _context: &Context, _max_nodes: u32) -> Result<Tree, Failure> {
        let viewport = Size { width: 100.0, height: 100.0 };
        let mut builder = TreeBuilder::new(viewport);
        let mut window = Node::new(Role::new("window"), "Plain", viewport.bounds());
        window.states = States::RENDERED | States::VISIBLE;
        builder.push(None, window);
        Ok(builder.finish())
    }

    async fn perform(&self, _context: &Context, _input: Input) -> Result<Receipt, Failure> {
        self.pressed.fetch_add(1, Ordering::SeqCst);
        Err(Failure::new(Code::CommandFailed, "something went wrong"))
    }

    async fn screenshot(&self, _context: &Context, _whole: bool) -> Result<Picture, Failure> {
        Ok(Picture { png: Vec::new(), scale: 1.0, origin: Point { x: 0.0, y: 0.0 } })
    }

    async fn close(&self, _context: &Context) -> Result<(), Failure> {
        Ok(())
    }
}
