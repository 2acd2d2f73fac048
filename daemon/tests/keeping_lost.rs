//! A device that is lost: the steps that were recorded until then are written at once, and the timeline says where.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use backend::{Aimed, Check, Device, Input, Picture, Provider, Receipt};
use contract::{
    Capabilities, Code, Command, Failure, Request,
    command::Open,
    view::{DeviceView, Platform},
};
use daemon::{router::Router, state_dir::StateDir, timeline};
use screen::{NodeKey, Tree};
use stage::{StageDevice, StageProvider};
use tokio_util::sync::CancellationToken;
use wire::Context;

/// The simulated device behind a cable that can be pulled.
#[derive(Debug)]
struct Pulled {
    device: StageDevice,
    gone: Arc<AtomicBool>,
}

#[async_trait]
impl Device for Pulled {
    fn capabilities(&self) -> &Capabilities {
        self.device.capabilities()
    }

    async fn capture(&self, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
        self.device.capture(context, max_nodes).await
    }

    async fn aim(&self, context: &Context, node: NodeKey) -> Result<Option<Aimed>, Failure> {
        self.device.aim(context, node).await
    }

    async fn perform(&self, context: &Context, input: Input) -> Result<Receipt, Failure> {
        if self.gone.load(Ordering::Relaxed) {
            return Err(Failure::new(Code::SessionLost, "the device is gone"));
        }
        self.device.perform(context, input).await
    }

    async fn screenshot(&self, context: &Context, whole: bool) -> Result<Picture, Failure> {
        self.device.screenshot(context, whole).await
    }

    async fn close(&self, context: &Context) -> Result<(), Failure> {
        self.device.close(context).await
    }
}

struct Cable {
    stage: StageProvider,
    gone: Arc<AtomicBool>,
}

#[async_trait]
impl Provider for Cable {
    fn platform(&self) -> Platform {
        self.stage.platform()
    }

    fn opens(&self, app: &str) -> bool {
        self.stage.opens(app)
    }

    async fn devices(&self) -> Vec<DeviceView> {
        self.stage.devices().await
    }

    async fn default_device(&self, context: &Context, open: &Open) -> Result<String, Failure> {
        self.stage.default_device(context, open).await
    }

    fn exclusive(&self, device: &str) -> bool {
        self.stage.exclusive(device)
    }

    fn capabilities(&self, device: &str) -> Option<Capabilities> {
        self.stage.capabilities(device)
    }

    async fn open(&self, context: &Context, device: &str, open: &Open) -> Result<Arc<dyn Device>, Failure> {
        let device = self.stage.open_stage(context, device, open).await?;
        Ok(Arc::new(Pulled { device, gone: self.gone.clone() }))
    }

    async fn doctor(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[tokio::test]
async fn what_was_recorded_is_written_when_the_device_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
    state.create().unwrap();
    let gone = Arc::new(AtomicBool::new(false));
    let cable = Cable { stage: StageProvider::new(), gone: gone.clone() };
    let router = Arc::new(Router::new(state, vec![Arc::new(cable)]));
    let run = |id: u32, line: String| {
        let request = Request {
            session: Some("s".to_owned()),
            ..Request::new(format!("r{id}"), &Command::from_line(&line).unwrap())
        };
        let router = router.clone();
        async move { router.answer(request, CancellationToken::new()).await }
    };
    let script = folder.path().join("flow.ad");
    run(1, format!("open demo --save-script={}", script.display())).await.unwrap();
    run(3, "press 100 100".to_owned()).await.unwrap();
    gone.store(true, Ordering::Relaxed);
    let lost = run(4, "press 100 100".to_owned()).await.unwrap_err();
    assert_eq!(lost.failure().code, Code::SessionLost);
    assert_eq!(lost.failure().details.get("script"), None, "what is told of the app stays as it is");
    let text = std::fs::read_to_string(&script).unwrap();
    assert!(text.contains("open demo --relaunch") && text.contains("press "), "{text}");
    let told = |router: &Router| -> Vec<String> {
        timeline::read_after(&router.state.session("s"), 0, 100).into_iter().map(|event| event.message).collect()
    };
    assert!(told(&router).iter().any(|message| message.contains("flow.ad")), "{:?}", told(&router));
    let closed = run(5, "close".to_owned()).await.unwrap();
    assert_eq!(closed.data.get("script"), None, "written once");
}
