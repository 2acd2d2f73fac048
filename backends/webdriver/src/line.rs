//! Sending one request at a time and judging the reply.

use std::fmt::Write as _;

use bytes::Bytes;
use contract::{Claim, Code, Dispatched, Failure, Row};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wire::{
    Answered, Context, Sent,
    http::{Connection, Kept, Reply, Request, Rows, Sample},
    resend,
};

use crate::{
    agent::{ABSENT, AGENT, Ask, Said},
    reply::{Heard, Returned, element_id, is_unrouted, unreadable, value},
    routes::Route,
};

/// The rows of a driver behind HTTP.
pub const ROWS: Rows = Rows {
    connect_refused: Row::WebdriverConnectRefused,
    not_written: Row::WebdriverNotWritten,
    lost: Row::WebdriverReplyLost,
    timeout: Row::WebdriverTimeoutAfterSend,
    look_lost: Row::WebdriverLookLost,
};

/// Reason of the failure where a changing script gave no answer: a dialog opened in it, or the page went elsewhere.
pub const INTERRUPTED: &str = "script_interrupted";

/// The conversation with one driver: one request at a time, each on a connection of its own.
#[derive(Debug)]
pub struct Line {
    connection: Connection,
    base: String,
    session: Option<String>,
    resolved: Option<Row>,
}

/// What a mutating call of the agent returned.
#[derive(Debug)]
pub struct Altered<T> {
    /// Its answer.
    pub said: T,
    /// The element that it speaks of, where it was asked for and lies in the current document.
    pub element: Option<String>,
    /// That element's number.
    pub id: u64,
    /// Whether that lies in a shadow tree.
    pub in_shadow: bool,
}

/// A look that failed in a way that proves nothing by itself changed nothing all the same. That a page's process died
/// keeps its own row: it may have been an input before that killed it.
fn looked(failure: Failure) -> Failure {
    match failure.claim() {
        Some(claim) if claim.dispatched == Dispatched::Unknown && claim.row != Row::WebdriverTabCrashed => {
            failure.under(Claim { row: Row::WebdriverLookFailed, dispatched: Dispatched::No })
        }
        _ => failure,
    }
}

/// Whether a look failed of something that is over in a moment: chromedriver says so of a page that is closing or being
/// replaced while it is asked.
fn passes(failure: &Failure) -> bool {
    failure.message.contains("cannot determine loading status")
}

/// Drivers answer a script that a dialog interrupts with nothing at all, and success.
fn interrupted() -> Failure {
    Failure::lost(
        Row::WebdriverInputInterrupted,
        Code::CommandFailed,
        "the page interrupted the input half-way and did not say how far it got",
    )
    .reason(INTERRUPTED)
    .hint("look at what became of it: agent-device snapshot")
}

impl Line {
    /// A line to a driver at `authority` (`host:port`), whose paths start with `base` ("" or `/wd/hub`).
    pub const fn to(authority: String, base: String) -> Self {
        Self { connection: Connection::to(authority, ROWS), base, session: None, resolved: None }
    }

    /// Notes the session that all further requests speak of.
    pub fn in_session(&mut self, id: String) {
        self.session = Some(id);
    }

    /// Finds out whether the server keeps its replies, and lets those that are lost be asked for if it does.
    pub async fn try_kept_replies(&mut self, context: &Context) {
        let body = |answer: &str| Bytes::from(script_body(&format!("return '{answer}'"), &[]).to_string());
        let sample =
            Sample { path: self.path(Route::Look, ""), bodies: [body("first"), body("second")], refused: is_unrouted };
        if let Some(kept) = Kept::shown(&self.connection, context, &sample).await {
            self.connection.ask_for_lost_replies(kept);
        }
    }

    /// The row of a lost reply that the server had kept, since this was asked last.
    pub fn take_resolved(&mut self) -> Option<Row> {
        self.resolved.take()
    }

    /// A request that only looks. Sent once more where the connection was lost and the request can be repeated
    /// ([`Route::repeatable`]), or the page was on its way out.
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
        let answered = self.send(context, route, argument, body.clone()).await?;
        let first = value(route, answered).map(|(value, _reply)| value);
        let Err(failure) = first else { return first };
        if !passes(&failure) {
            return Err(looked(failure));
        }
        let answered = self.send(context, route, argument, body).await?;
        value(route, answered).map(|(value, _reply)| value).map_err(looked)
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
        Err(Failure::new(
            Code::CaptureFailed,
            "the page does not let itself be looked at: no script can be installed in it",
        ))
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
    /// element is gone, and the script said so. `refused` picks the answers that say that nothing was done.
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
        let body = script_body(&ask.altering_script(), arguments);
        let answered = self.send(context, Route::Alter, "", Some(body)).await?;
        let (returned, answered) = value::<Returned>(Route::Alter, answered)?;
        let (text, element, in_shadow, id) = match returned {
            Returned::Text(text) if text == ABSENT => {
                let _nothing_ran = answered.refused(Row::DaemonRefusalTargetGone, "the document was replaced");
                return Ok(None);
            }
            Returned::Text(text) => (text, None, false, 0),
            Returned::List(list) => {
                let element = list.get(1).and_then(element_id);
                let in_shadow = list.get(2).and_then(Value::as_bool).unwrap_or(false);
                let id = list.get(3).and_then(Value::as_u64).unwrap_or(0);
                (list.first().and_then(Value::as_str).unwrap_or_default().to_owned(), element, in_shadow, id)
            }
            Returned::Null => {
                answered.undecided();
                return Err(interrupted());
            }
        };
        match serde_json::from_str::<(Said<T>,)>(&text) {
            Ok((Said::Ok(said),)) => match refused(&said) {
                None => {
                    answered.completed();
                    Ok(Some(Altered { said, element, id, in_shadow }))
                }
                Some(failure) => {
                    if let Some(claim) = failure.claim() {
                        let _nothing_ran = answered.refused(claim.row, failure.message.clone());
                    }
                    Err(failure)
                }
            },
            Ok((Said::Error(refusal),)) if refusal.is_gone() => {
                let _nothing_ran = answered.refused(Row::DaemonRefusalTargetGone, refusal.message);
                Ok(None)
            }
            Ok((Said::Error(refusal),)) => {
                answered.undecided();
                Err(Failure::lost(
                    Row::WebdriverErrorUnlisted,
                    Code::Internal,
                    format!("the page agent failed: {}", refusal.message),
                ))
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
        let connection = &self.connection;
        let sent = match connection.exchange(context, &request).await {
            // The driver closed the connection before a byte was written: a new one is opened for the same request.
            Sent::NotSent(proof) if proof.row() == Row::WebdriverNotWritten && !context.left().is_zero() => {
                resend(proof, || connection.exchange(context, &request)).await
            }
            Sent::Lost(lost) if route.repeatable() && !lost.timed_out() => connection.exchange(context, &request).await,
            other => other,
        };
        let doing = format!("could not {}", spec.doing);
        match sent {
            Sent::Answered(answered) => {
                if answered.reply().kept {
                    self.resolved = Some(Row::WebdriverIdempotencyRecovered);
                }
                Ok(answered)
            }
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
            path.push_str(&segment(session));
        }
        path.push_str(&route.spec().path.replace("{}", &segment(argument)));
        path
    }
}

/// An id as one segment of a path (RFC 3986, 3.3). Ids come from the driver: one with a slash, a question mark or two
/// dots in it must not make another route of the request.
fn segment(id: &str) -> String {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~' | b':');
    let dots = id.bytes().all(|byte| byte == b'.');
    let mut out = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'.' if !dots => out.push('.'),
            byte if stays(byte) => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

fn script_body(script: &str, arguments: &[Value]) -> Value {
    let mut all = Vec::with_capacity(arguments.len() + 1);
    all.push(Value::String(AGENT.version.clone()));
    all.extend_from_slice(arguments);
    json!({"script": script, "args": all})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_the_drivers_never_leads_to_another_route() {
        let mut line = Line::to("127.0.0.1:1".into(), "/wd/hub".into());
        for (session, element, path) in [
            ("abc", "f.1.d.2.e.3", "/wd/hub/session/abc/element/f.1.d.2.e.3/value"),
            ("../../x", "a/b?c#d", "/wd/hub/session/..%2F..%2Fx/element/a%2Fb%3Fc%23d/value"),
            ("..", ".", "/wd/hub/session/%2E%2E/element/%2E/value"),
            ("a\r\nx: y", "ä \0", "/wd/hub/session/a%0D%0Ax:%20y/element/%C3%A4%20%00/value"),
        ] {
            line.in_session(session.to_owned());
            assert_eq!(line.path(Route::Keys, element), path);
        }
    }
}
