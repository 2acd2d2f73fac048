//! Documents and frames of the window that commands go to.

use std::collections::HashMap;

use contract::{Code, Failure, Point, command::Browser};
use screen::NodeKey;
use serde_json::{Value, json};
use tokio::time::Instant;
use wire::Context;

use crate::{
    agent::{Ask, call, hash},
    line::Line,
    provider::LOAD_TIMEOUT_MS,
    reply::Heard,
    routes::Route,
};

/// One frame element on the way from the top document to a frame of another origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    /// Token of the document that holds the frame element.
    pub parent: String,
    /// The frame element's number there.
    pub id: u64,
    /// From the element's top left corner to its content, px of the parent.
    pub inset: (f64, f64),
    /// Px of the parent to a px of the content.
    pub scale: (f64, f64),
    /// Frames to leave to be in the parent's window again: 1, and one more for each frame of the parent's origin
    /// that the element lies in.
    pub levels: u32,
}

/// A document that was captured.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The agent's token of it.
    pub token: String,
    /// The frames around it, outermost first; none for the top document and those of its origin.
    pub hops: Vec<Hop>,
}

/// An element that the guard stands ready for.
#[derive(Debug, Clone)]
pub struct Armed {
    /// Which.
    pub key: NodeKey,
    /// What the guard is asked for its verdict by.
    pub token: String,
    /// When it was armed, by our clock.
    pub at: Instant,
    /// When it was armed, by the page's clock: ms since 1970.
    pub page_clock: f64,
    /// Where it is in the viewport of the frame of another origin that it lies in.
    pub in_frame: Option<Point>,
    /// The element is being moved by an animation.
    pub moving: bool,
    /// A press opens a native list or picker that no page event tells of.
    pub popup: bool,
    /// A frame: what happens in it is not seen from outside.
    pub is_frame: bool,
}

/// The window that commands go to, and what is known of its documents. One operation at a time holds it.
#[derive(Debug)]
pub struct Page {
    /// The conversation.
    pub line: Line,
    /// Which browser it is with.
    pub browser: Browser,
    /// Documents of the last capture, by the scope of their keys.
    pub documents: HashMap<u64, Document>,
    /// What the guard stands ready for.
    pub armed: Option<Armed>,
    /// The field that was filled last, until its document is left by us or another is filled.
    pub filled: Option<NodeKey>,
    /// Id of the window.
    pub window: String,
    /// All windows, as far as known.
    pub windows: Vec<String>,
    /// How long a page may take to load, as the driver was told last, ms.
    pub load_limit_ms: u64,
    /// The address that `home` goes to.
    pub home: Option<String>,
    /// Commands run in a frame, or may do so after an operation that broke off.
    away: bool,
    tokens: u64,
}

/// The scope of a document's keys.
pub fn scope_of(token: &str) -> u64 {
    hash(token.bytes())
}

impl Page {
    /// The page of a new session.
    pub fn new(line: Line, browser: Browser, window: String) -> Self {
        Self {
            line,
            browser,
            documents: HashMap::new(),
            armed: None,
            filled: None,
            windows: vec![window.clone()],
            window,
            load_limit_ms: LOAD_TIMEOUT_MS,
            home: None,
            away: false,
            tokens: 0,
        }
    }

    /// The document of a key, if it was captured and is still the one shown.
    pub fn document(&self, key: NodeKey) -> Option<Document> {
        self.documents.get(&key.scope).cloned()
    }

    /// A name for one guard.
    pub fn new_token(&mut self) -> String {
        self.tokens += 1;
        format!("guard-{}", self.tokens)
    }

    /// Forgets everything that belongs to the documents so far.
    pub fn left_documents(&mut self) {
        self.documents.clear();
        self.armed = None;
        self.filled = None;
        self.away = false;
    }

    /// Makes sure that commands run in the top document.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn top(&mut self, context: &Context) -> Result<(), Failure> {
        if self.away {
            let _ok: Value = self.line.look(context, Route::Top, "", Some(json!({"id": null}))).await?;
            self.away = false;
        }
        Ok(())
    }

    /// Enters the frame of a document, from the top. `false`: a frame on the way is gone. Whatever comes of it,
    /// [`Page::top`] leads back.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn enter(&mut self, context: &Context, hops: &[Hop]) -> Result<bool, Failure> {
        match self.enter_from_top(context, hops).await {
            // A step whose answer is lost may have been made: all of them are made again, from the top.
            Err(failure) if is_lost(&failure) => self.enter_from_top(context, hops).await,
            entered => entered,
        }
    }

    async fn enter_from_top(&mut self, context: &Context, hops: &[Hop]) -> Result<bool, Failure> {
        self.top(context).await?;
        for hop in hops {
            if self.enter_one(context, &hop.parent, hop.id).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The element of a number of the agent's of that document, as a reference of the driver's. Where it lies in frames
    /// of the same origin, commands run in the innermost one afterwards. `None`: it is gone. The second answer: how many
    /// frames were entered.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn element(
        &mut self,
        context: &Context,
        document: &str,
        id: u64,
    ) -> Result<Option<(String, u32)>, Failure> {
        let arguments = [document.into(), id.into()];
        let Some(heard) = self.line.ask_present(context, Ask::Element, &arguments).await? else { return Ok(None) };
        if let Some(element) = heard.element() {
            return Ok(Some((element, 0)));
        }
        let mut entered = 0;
        for frame in heard.frames() {
            let heard = self.line.ask_present(context, Ask::Element, &[document.into(), frame.into()]).await?;
            let Some(frame) = heard.and_then(|heard| heard.element()) else { return Ok(None) };
            if !self.switch_to(context, &frame).await? {
                return Ok(None);
            }
            entered += 1;
        }
        let heard = self.line.ask_present(context, Ask::Element, &arguments).await?;
        Ok(heard.and_then(|heard| heard.element()).map(|element| (element, entered)))
    }

    /// Enters one frame of another origin. `None`: it is gone. Else how many frames were entered.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn enter_one(&mut self, context: &Context, document: &str, id: u64) -> Result<Option<u32>, Failure> {
        let Some((element, entered)) = self.element(context, document, id).await? else { return Ok(None) };
        Ok(self.switch_to(context, &element).await?.then_some(entered + 1))
    }

    async fn switch_to(&mut self, context: &Context, frame: &str) -> Result<bool, Failure> {
        self.away = true;
        let body = json!({"id": {crate::reply::ELEMENT: frame}});
        match self.line.look::<Value>(context, Route::Frame, "", Some(body)).await {
            Ok(_) => Ok(true),
            Err(failure) if is_lost_frame(&failure) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// As [`Page::enter_one`], from the document that these hops lead to: where a step's answer is lost, they are gone
    /// again.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn enter_one_from(
        &mut self,
        context: &Context,
        hops: &[Hop],
        document: &str,
        id: u64,
    ) -> Result<Option<u32>, Failure> {
        match self.enter_one(context, document, id).await {
            Err(failure) if is_lost(&failure) => {
                if !self.enter(context, hops).await? {
                    return Ok(None);
                }
                self.enter_one(context, document, id).await
            }
            entered => entered,
        }
    }

    /// Leaves frames, for the document that these hops lead to.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn leave(&mut self, context: &Context, levels: u32, hops: &[Hop]) -> Result<(), Failure> {
        for _ in 0..levels {
            match self.line.look::<Value>(context, Route::ParentFrame, "", Some(json!({}))).await {
                Ok(_) => {}
                Err(failure) if is_lost(&failure) => {
                    return if self.enter(context, hops).await? { Ok(()) } else { Err(failure) };
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Commands run in a frame.
    pub const fn is_away(&self) -> bool {
        self.away
    }

    /// One call of the agent's about a captured element, in the element's document, that only looks. `None`: the
    /// document is gone. The answer is read by the caller: `(Said<T>,)`.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn call_on(
        &mut self,
        context: &Context,
        key: NodeKey,
        name: &str,
        mut args: Value,
    ) -> Result<Option<Heard>, Failure> {
        let Some(document) = self.document(key) else { return Ok(None) };
        if let Some(args) = args.as_object_mut() {
            args.insert("id".into(), key.id.into());
        }
        if !self.enter(context, &document.hops).await? {
            self.top(context).await?;
            return Ok(None);
        }
        let calls = Value::Array(vec![call(name, args)]);
        let heard = self.line.ask_present(context, Ask::Calls, &[document.token.into(), calls]).await;
        let back = self.top(context).await;
        let heard = heard?;
        back?;
        Ok(heard)
    }

    /// One call of the agent's in whatever document is current, that only looks.
    ///
    /// # Errors
    /// What the driver says.
    pub async fn call_here(&mut self, context: &Context, name: &str, args: Value) -> Result<Heard, Failure> {
        let calls = Value::Array(vec![call(name, args)]);
        self.line
            .ask(context, Ask::Calls, &["".into(), calls])
            .await?
            .ok_or_else(|| Failure::new(Code::CaptureFailed, "the page was replaced while it was looked at"))
    }
}

/// The answer is lost, and there may be time to ask again.
fn is_lost(failure: &Failure) -> bool {
    failure.reason_str() == Some("reply_lost")
}

/// A frame that was there a moment ago and is not any more.
pub fn is_lost_frame(failure: &Failure) -> bool {
    failure.details.get("webdriverError").and_then(Value::as_str).is_some_and(|error| {
        matches!(
            error,
            "no such element" | "stale element reference" | "no such frame" | "no such window" | "detached shadow root"
        )
    })
}
