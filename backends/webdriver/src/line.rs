//! Sending one request at a time and judging the reply.

use bytes::Bytes;
use contract::{Code, Effect, Failure, Row};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use wire::{
    Answered, Context, Sent,
    http::{Connection, Reply, Request, Rows},
    resend,
};

use crate::{
    agent::{AGENT, Ask, Said},
    routes::{Route, meaning},
};

/// The rows of a driver behind HTTP.
const ROWS: Rows = Rows {
    connect_refused: Row::WebdriverConnectRefused,
    not_written: Row::WebdriverNotWritten,
    lost: Row::WebdriverReplyLost,
    timeout: Row::WebdriverTimeoutAfterSend,
};

/// The key under which the W3C protocol hands elements over.
pub const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The conversation with one driver: one connection, one request at a time.
#[derive(Debug)]
pub struct Line {
    connection: Connection,
    base: String,
    session: Option<String>,
}

#[derive(Deserialize)]
struct Success<T> {
    value: T,
}

#[derive(Deserialize)]
struct Refused {
    value: W3cError,
}

#[derive(Deserialize)]
struct W3cError {
    error: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Value,
}

/// What a script of [`Ask`] returned.
enum Returned {
    /// No agent in this document.
    Null,
    /// Text; empty for "another document".
    Text(String),
    /// Anything with elements in it.
    List(Vec<Value>),
}

impl<'de> Deserialize<'de> for Returned {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Returned;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("null, a text or a list")
            }

            fn visit_unit<E>(self) -> Result<Returned, E> {
                Ok(Returned::Null)
            }

            fn visit_str<E>(self, text: &str) -> Result<Returned, E> {
                Ok(Returned::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Returned, E> {
                Ok(Returned::Text(text))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Returned, A::Error> {
                let mut list = Vec::new();
                while let Some(one) = seq.next_element()? {
                    list.push(one);
                }
                Ok(Returned::List(list))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What a mutating call of the agent returned.
#[derive(Debug)]
pub struct Altered<T> {
    /// Its answer.
    pub said: T,
    /// The element that it speaks of, where it was asked for.
    pub element: Option<String>,
    /// Whether that lies in a shadow tree.
    pub in_shadow: bool,
}

impl Line {
    /// A line to a driver at `authority` (`host:port`), whose paths start with `base` ("" or `/wd/hub`).
    pub const fn to(authority: String, base: String) -> Self {
        Self { connection: Connection::to(authority, ROWS), base, session: None }
    }

    /// Notes the session that all further requests speak of.
    pub fn in_session(&mut self, id: String) {
        self.session = Some(id);
    }

    /// A request that only looks. Sent once more where the connection was lost: a look can be repeated.
    ///
    /// # Errors
    /// What the driver says, or how the request was lost.
    pub async fn look<T: DeserializeOwned>(
        &mut self,
        context: &Context,
        route: Route,
        argument: &str,
        body: Option<Value>,
    ) -> Result<T, Failure> {
        let answered = self.send(context, route, argument, body).await?;
        value(route, answered).map(|(value, _reply)| value)
    }

    /// A request that changes the app, or manages the browser. Sent once.
    ///
    /// # Errors
    /// What the driver says, or how the request was lost; the ledger knows whether it may have run.
    pub async fn act<T: DeserializeOwned>(
        &mut self,
        context: &Context,
        route: Route,
        argument: &str,
        body: Option<Value>,
    ) -> Result<T, Failure> {
        let answered = self.send(context, route, argument, body).await?;
        value(route, answered).map(|(value, answered)| {
            answered.completed();
            value
        })
    }

    /// Asks the agent, installing it where the document has none. `None`: the document is not the one meant.
    ///
    /// # Errors
    /// What the driver says, or how the request was lost.
    pub async fn ask(&mut self, context: &Context, ask: Ask, arguments: &[Value]) -> Result<Option<Heard>, Failure> {
        for script in [ask.script(), ask.script_with_install()] {
            match self.look(context, Route::Look, "", Some(script_body(&script, arguments))).await? {
                Returned::Null => {}
                Returned::Text(text) if text.is_empty() => return Ok(None),
                Returned::Text(text) => return Ok(Some(Heard::Text(text))),
                Returned::List(list) => return Ok(Some(Heard::List(list))),
            }
        }
        Err(Failure::new(Code::CaptureFailed, "the page does not let itself be looked at: no script can be installed in it"))
    }

    /// Asks only a document that has the agent already.
    ///
    /// # Errors
    /// What the driver says, or how the request was lost.
    pub async fn ask_present(
        &mut self,
        context: &Context,
        ask: Ask,
        arguments: &[Value],
    ) -> Result<Option<Heard>, Failure> {
        let body = script_body(&ask.script(), arguments);
        Ok(match self.look(context, Route::Look, "", Some(body)).await? {
            Returned::Null => None,
            Returned::Text(text) if text.is_empty() => None,
            Returned::Text(text) => Some(Heard::Text(text)),
            Returned::List(list) => Some(Heard::List(list)),
        })
    }

    /// One call of the agent's that changes the page. `None`: proven not to have run, since the document or the
    /// element is gone. `refused` picks the answers that say that nothing was done.
    ///
    /// # Errors
    /// What the driver or the agent says, or how the request was lost.
    pub async fn alter<T: DeserializeOwned>(
        &mut self,
        context: &Context,
        ask: Ask,
        arguments: &[Value],
        refused: impl FnOnce(&T) -> Option<Failure>,
    ) -> Result<Option<Altered<T>>, Failure> {
        let body = script_body(&ask.script(), arguments);
        let answered = self.send(context, Route::Alter, "", Some(body)).await?;
        let (returned, answered) = value::<Returned>(Route::Alter, answered)?;
        let (text, element, in_shadow) = match returned {
            Returned::Text(text) if !text.is_empty() => (text, None, false),
            Returned::List(list) => {
                let element = list.get(1).and_then(element_id);
                let in_shadow = list.get(2).and_then(Value::as_bool).unwrap_or(false);
                (list.first().and_then(Value::as_str).unwrap_or_default().to_owned(), element, in_shadow)
            }
            Returned::Null | Returned::Text(_) => {
                let _nothing_ran = answered.refused(Row::WebdriverTargetGone, "the document was replaced");
                return Ok(None);
            }
        };
        match serde_json::from_str::<(Said<T>,)>(&text) {
            Ok((Said::Ok(said),)) => match refused(&said) {
                None => {
                    answered.completed();
                    Ok(Some(Altered { said, element, in_shadow }))
                }
                Some(failure) => {
                    if let Some(claim) = failure.claim() {
                        let _nothing_ran = answered.refused(claim.row, failure.message.clone());
                    }
                    Err(failure)
                }
            },
            Ok((Said::Error(refusal),)) if refusal.is_gone() => {
                let _nothing_ran = answered.refused(Row::WebdriverTargetGone, refusal.message);
                Ok(None)
            }
            Ok((Said::Error(refusal),)) => {
                answered.undecided();
                Err(Failure::lost(Row::WebdriverErrorUnlisted, Code::Internal, format!("the page agent failed: {}", refusal.message)))
            }
            Err(why) => {
                answered.undecided();
                Err(unreadable(Route::Alter, &why.to_string()))
            }
        }
    }

    /// Sends one request; once, unless it is proven that nothing of it was written, or it only looks and the
    /// connection broke.
    async fn send(
        &mut self,
        context: &Context,
        route: Route,
        argument: &str,
        body: Option<Value>,
    ) -> Result<Answered<Reply>, Failure> {
        context.check()?;
        let spec = route.spec();
        let path = self.path(route, argument);
        let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        let request = Request { method: spec.method, path, body, effect: spec.effect };
        let connection = &mut self.connection;
        let sent = match connection.exchange(context, &request).await {
            // The driver closed a connection that was idle for long: a new one is opened for the same request.
            Sent::NotSent(proof) if proof.row() == Row::WebdriverNotWritten && !context.left().is_zero() => {
                resend(proof, || connection.exchange(context, &request)).await
            }
            Sent::Lost(lost) if spec.effect == Effect::Observes && !lost.timed_out() => {
                connection.exchange(context, &request).await
            }
            other => other,
        };
        let doing = format!("could not {}", spec.doing);
        match sent {
            Sent::Answered(answered) => Ok(answered),
            Sent::Lost(lost) => Err(lost.failure(&doing)),
            Sent::NotSent(proof) => {
                let (code, hint) = if self.session.is_some() {
                    (Code::SessionLost, "the driver is gone: agent-device close, then open again")
                } else {
                    (Code::OpenFailed, "is a WebDriver server running at that address?")
                };
                Err(proof.failure(code, &doing).hint(hint).reason("driver_unreachable"))
            }
        }
    }

    fn path(&self, route: Route, argument: &str) -> String {
        let mut path = format!("{}/session", self.base);
        if let Some(session) = self.session.as_ref().filter(|_| route != Route::NewSession) {
            path.push('/');
            path.push_str(session);
        }
        path.push_str(&route.spec().path.replace("{}", argument));
        path
    }
}

/// What a script returned, not empty.
#[derive(Debug)]
pub enum Heard {
    /// JSON of the agent's.
    Text(String),
    /// A list with elements in it.
    List(Vec<Value>),
}

impl Heard {
    /// The answers of the agent's calls.
    ///
    /// # Errors
    /// `CAPTURE_FAILED` where they are not what the agent promises.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Failure> {
        let text = match self {
            Heard::Text(text) => text.as_str(),
            Heard::List(list) => list.first().and_then(Value::as_str).unwrap_or_default(),
        };
        serde_json::from_str(text)
            .map_err(|why| Failure::new(Code::CaptureFailed, format!("the page agent's answer cannot be read: {why}")))
    }

    /// The element at a place of the list.
    pub fn element(&self, place: usize) -> Option<String> {
        match self {
            Heard::Text(_) => None,
            Heard::List(list) => list.get(place).and_then(element_id),
        }
    }
}

fn element_id(value: &Value) -> Option<String> {
    value.get(ELEMENT)?.as_str().map(str::to_owned)
}

fn script_body(script: &str, arguments: &[Value]) -> Value {
    let mut all = Vec::with_capacity(arguments.len() + 1);
    all.push(Value::String(AGENT.version.clone()));
    all.extend_from_slice(arguments);
    json!({"script": script, "args": all})
}

/// The value of a reply that says success, with the reply still to be counted; else what the driver says.
fn value<T: DeserializeOwned>(route: Route, answered: Answered<Reply>) -> Result<(T, Answered<Reply>), Failure> {
    let reply = answered.reply();
    if reply.status == 200 {
        return match serde_json::from_slice::<Success<T>>(&reply.body) {
            Ok(success) => Ok((success.value, answered)),
            Err(why) => {
                answered.undecided();
                Err(unreadable(route, &why.to_string()))
            }
        };
    }
    let status = reply.status;
    let Ok(Refused { value: error }) = serde_json::from_slice::<Refused>(&reply.body) else {
        answered.undecided();
        return Err(if status >= 500 {
            Failure::lost(
                Row::WebdriverHttp5xxAfterSend,
                Code::CommandFailed,
                format!("could not {}: the driver's address answered {status} without a WebDriver error", route.spec().doing),
            )
        } else {
            unreadable(route, &format!("status {status} without a WebDriver error"))
        });
    };
    let meaning = meaning(route, &error.error);
    let said = said(&error);
    let failure = if meaning.nothing_ran {
        answered.refused(meaning.row, said).failure(meaning.code, &format!("could not {}", route.spec().doing))
    } else {
        answered.undecided();
        Failure::lost(meaning.row, meaning.code, format!("could not {}: {said}", route.spec().doing))
    };
    Err(explained(failure, &error))
}

/// The driver's words without its version and stack, or the dialog's text.
fn said(error: &W3cError) -> String {
    if let Some(text) = dialog_text(error) {
        return format!("a dialog is open: {text:?}");
    }
    let first = error.message.lines().next().unwrap_or_default().trim();
    match first.strip_prefix(error.error.as_str()).map(|rest| rest.trim_start_matches([':', ' '])) {
        Some("") => error.error.clone(),
        Some(rest) => format!("{} ({})", rest, error.error),
        None if first.is_empty() => error.error.clone(),
        None => format!("{first} ({})", error.error),
    }
}

fn dialog_text(error: &W3cError) -> Option<&str> {
    (error.error == "unexpected alert open").then(|| error.data.get("text").and_then(Value::as_str).unwrap_or_default())
}

fn explained(failure: Failure, error: &W3cError) -> Failure {
    let failure = failure.detail("webdriverError", error.error.clone());
    match error.error.as_str() {
        "unexpected alert open" => {
            failure.reason("alert_open").detail("alertText", dialog_text(error).unwrap_or_default().to_owned())
        }
        "no such alert" => failure.reason("alert_not_found"),
        "tab crashed" => failure
            .reason("tab_crashed")
            .hint("the page's process died: agent-device close, then open again"),
        "invalid session id" => failure.reason("session_gone"),
        "no such window" => failure.reason("window_gone").hint("the window was closed: agent-device windows lists what is left"),
        _ => failure,
    }
}

fn unreadable(route: Route, why: &str) -> Failure {
    Failure::lost(
        Row::WebdriverReplyUnreadable,
        Code::CommandFailed,
        format!("could not {}: the driver's reply cannot be read ({why})", route.spec().doing),
    )
    .reason("reply_unreadable")
}
