//! One opened app for a test.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use backend::{Aim, Aimed, Device, Input, Provider, Receipt};
use contract::command::{Button, Open};
use contract::{Failure, Point, Sends};
use screen::{Node, NodeKey, Tree};
use stage::{Probe, StageProvider};
use wire::Context;

/// An opened app, seen from outside (`device`) and from inside (`probe`).
pub struct Rig {
    /// The seam that the daemon uses.
    pub device: Arc<dyn Device>,
    /// The truth.
    pub probe: Probe,
}

/// The start of every small app here: one screen without a title bar.
pub const HEAD: &str = "app = \"test\"\ntitle = \"Test\"\nstart = \"one\"\n";

/// A request that may take five seconds.
pub fn context() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

/// Opens an app from its text.
pub async fn open(text: &str) -> Rig {
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    open_named(file.path().to_str().unwrap()).await
}

/// Opens an app by its name.
pub async fn open_named(app: &str) -> Rig {
    let provider = StageProvider::new();
    let open = Open { app: Some(app.to_owned()), ..Open::default() };
    let device = provider.open(&context(), "stage", &open).await.unwrap();
    Rig { device, probe: provider.probe("stage").unwrap() }
}

/// Opens an app of one screen with these elements, and what else the file holds.
pub async fn elements(elements: &str, rest: &str) -> Rig {
    open(&format!("{HEAD}[[screen]]\nid = \"one\"\nbar = false\nelement = [{elements}]\n{rest}")).await
}

impl Rig {
    /// The screen.
    pub async fn tree(&self) -> Tree {
        self.device.capture(&context(), 100_000).await.unwrap()
    }

    /// The node of an element.
    pub async fn node(&self, id: &str) -> Node {
        self.find(id).await.unwrap_or_else(|| panic!("{id} is on the screen"))
    }

    /// The node of an element, if it is on the screen.
    pub async fn find(&self, id: &str) -> Option<Node> {
        self.tree().await.nodes().iter().find(|node| node.identifier.as_deref() == Some(id)).cloned()
    }

    /// What an element says.
    pub async fn label(&self, id: &str) -> String {
        self.node(id).await.name.into()
    }

    /// What a field holds.
    pub async fn value(&self, id: &str) -> String {
        self.node(id).await.value.expect("a field").into()
    }

    /// The identity of an element.
    pub async fn key(&self, id: &str) -> NodeKey {
        self.node(id).await.key.unwrap()
    }

    /// A live look.
    pub async fn aim(&self, id: &str) -> Aimed {
        let key = self.key(id).await;
        self.device.aim(&context(), key).await.unwrap().unwrap()
    }

    /// Where a press reaches an element.
    pub async fn target(&self, id: &str) -> Aim {
        let key = self.key(id).await;
        match self.aim(id).await {
            Aimed::Ready(landing) => Aim { point: landing.point, node: Some(key) },
            other => panic!("{id} cannot be reached: {other:?}"),
        }
    }

    /// One input, with a request of its own.
    pub async fn perform(&self, input: Input) -> Receipt {
        self.device.perform(&context(), input).await.unwrap()
    }

    /// A press on an element.
    pub async fn press(&self, id: &str) -> Receipt {
        let aim = self.target(id).await;
        self.perform(press_at(aim)).await
    }

    /// Replaces the content of a field.
    pub async fn fill(&self, id: &str, text: &str) -> Receipt {
        let aim = self.target(id).await;
        self.perform(Input::Fill { aim, text: text.to_owned(), delay_ms: 0 }).await
    }

    /// One input that fails: the failure, and what the ledger counted.
    pub async fn fails(&self, context: &Context, input: Input) -> (Failure, Sends) {
        let failure = self.device.perform(context, input).await.expect_err("this input fails");
        (failure, context.ledger.sends())
    }
}

/// An ordinary press.
pub fn press_at(aim: Aim) -> Input {
    Input::Press { aim, button: Button::Primary, hold_ms: 0 }
}

/// A point.
pub const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}
