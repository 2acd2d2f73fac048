//! The daemon of another machine, behind `agent-device serve`: docs/reference/remote-protocol.md has the wire.
//!
//! Blocking, and with an HTTP client of its own: what a library resends by itself, or does not say of the bytes it wrote, would end
//! the promise that `dispatched` is.
//!
//! | module | answers |
//! | --- | --- |
//! | here | who is asked, as whom; one request and its answer |
//! | [`address`] | where, and whether the line may be trusted |
//! | [`secret`] | a token in a file |
//! | [`lease`] | under which lease this program asks |
//! | [`line`] | one connection, and how far a request got on it |
//! | [`reply`] | an HTTP reply, read |
//! | [`lost`] | a reply that did not come |
//! | [`trip`] | files of the caller's that a command names: sent before it, fetched after it |
//! | [`wanted`] | files that a later command of the session will write |

pub mod address;
pub mod lease;
mod line;
mod lost;
mod reply;
pub mod secret;
mod trip;
mod wanted;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contract::{
    Code, Command, Disclosed, Effect, Failure, Request, Response, Row, Sends,
    hop::{CANCEL, Hop},
    request::{Answer, Hello, RetainedQuery, Welcome, method},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{interrupt::Interrupt, protocol::RpcError, state_dir::StateDir};
use address::Address;
use lease::LeaseOf;
use line::{Line, Went};

/// How long a greeting may take once the connection stands.
const GREETING: Duration = Duration::from_secs(15);
/// No command is waited for longer: the daemon's own cap.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a request to stop may take.
const CANCELLING: Duration = Duration::from_secs(10);
/// How often that is tried.
const CANCELS: u32 = 3;
/// How long a server that is not heard of is asked for a lost reply.
const SILENCE: Duration = Duration::from_secs(30);
/// A reply of `/rpc` is not longer: an answer is bounded by what the daemon captures.
const REPLY_BYTES: u64 = 64 << 20;

/// The daemon of another machine.
#[derive(Debug, Clone)]
pub struct Remote(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    address: Address,
    token: secret::Secret,
    lease: LeaseOf,
    state: StateDir,
    silence: Duration,
}

/// A reply of `/rpc`.
#[derive(Debug, Deserialize)]
struct Said {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    of: Option<String>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<RpcError>,
    #[serde(default)]
    hop: Option<Hop>,
}

/// What came back for one JSON-RPC object.
enum Came {
    /// The server's word.
    Said(Said),
    /// It refused the HTTP request: nothing was handed to the daemon.
    Refused(Disclosed),
    /// Not a byte too many: the request was not written whole.
    NotSent(String),
    /// Something else answered, in its own words.
    Foreign(String),
    /// Written whole, and no sound reply.
    Lost(String),
}

/// Waits, and tells somebody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    /// Not longer than that.
    pub end: Instant,
    /// Told every few seconds.
    pub progress: Option<fn(Duration)>,
}

impl Remote {
    /// The daemon that the environment names, or `url` where it is given: `None` where neither does.
    ///
    /// # Errors
    /// An address or a token that cannot be used.
    pub fn named(url: Option<&str>, state: &StateDir) -> Result<Option<Self>, Failure> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let Some(url) =
            url.map(str::to_owned).filter(|url| !url.is_empty()).or_else(|| variable(address::URL_VARIABLE))
        else {
            return Ok(None);
        };
        let address = Address::read(&url, variable(address::ALLOW_HTTP_VARIABLE).is_some_and(|word| word != "0"))?;
        let token = secret::Secret::of_environment()?;
        let lease = LeaseOf::of_environment(state)?;
        Ok(Some(Self(Arc::new(Inner { address, token, lease, state: state.clone(), silence: SILENCE }))))
    }

    /// The same, given up sooner where the server is silent: for tests.
    #[must_use]
    pub fn patient_for(self, silence: Duration) -> Self {
        let Inner { address, token, lease, state, .. } = &*self.0;
        Self(Arc::new(Inner {
            address: address.clone(),
            token: token.clone(),
            lease: lease.clone(),
            state: state.clone(),
            silence,
        }))
    }

    /// The greeting of the daemon there.
    ///
    /// # Errors
    /// The server cannot be reached, refuses the token, is something else.
    pub fn greet(&self) -> Result<Welcome, Disclosed> {
        self.reach().map(|(_, welcome)| welcome)
    }

    /// Sends one request and waits for its answer: what [`crate::client::Client::run`] does on the socket.
    pub(crate) fn run(&self, request: &Request, effect: Effect, limit: Duration, asking: Asking<'_>) -> Response {
        let seal = |failure: Failure| Disclosed::seal(failure, Some(effect), Sends::NONE);
        let mut request = request.clone();
        let mut trip = trip::Trip::new(&self.0.state);
        // What is wrong with a command is the daemon's to say.
        if let Ok(mut command) = Command::from_call(&request.command, &request.args) {
            trip.pack(&mut command).map_err(seal)?;
            request.args = command.to_args();
        }
        let (mut line, welcome) = self.reach()?;
        if !welcome.accepted {
            return Err(seal(other_version(&welcome)));
        }
        trip.send(self, &mut line).map_err(seal)?;
        let end = Instant::now() + limit.min(LONGEST) + asking.margin;
        let waiting = Waiting { end, progress: asking.progress };
        let stopping = asking.interrupt.map(|interrupt| {
            let (remote, id) = (self.clone(), request.request_id.clone());
            interrupt.calling(move || remote.cancel(&id))
        });
        let came = self.exchange(&mut line, method::RUN, &json!(request), waiting);
        let (response, hop) = match came {
            Came::Said(said) if said.of.is_none() => match answered(said) {
                Ok(found) => found,
                Err(cause) => self.ask_again(&request, &welcome.instance, effect, waiting, &cause),
            },
            Came::Said(_) => {
                self.ask_again(&request, &welcome.instance, effect, waiting, "a reply about something else")
            }
            Came::Refused(refused) => return Err(refused),
            Came::NotSent(why) => {
                return Err(seal(self.unreachable(&format!("the request could not be written: {why}"))));
            }
            Came::Foreign(cause) | Came::Lost(cause) => {
                self.ask_again(&request, &welcome.instance, effect, waiting, &cause)
            }
        };
        drop(stopping);
        let stopped = asking.interrupt.is_some_and(Interrupt::is_set);
        match response {
            // The word to stop it was there before it was.
            Err(failed) if stopped && failed.failure().reason_str() == Some("request_withdrawn") => {
                let message = "the command was stopped before the device host had it";
                Err(seal(
                    Failure::refused(Row::DaemonProtocolRequestWithdrawn, Code::Cancelled, message).reason("cancelled"),
                ))
            }
            response => trip.unpack(self, response, hop, effect),
        }
    }

    /// A connection, and the greeting of the daemon behind it.
    fn reach(&self) -> Result<(Line, Welcome), Disclosed> {
        let before = |failure: Failure| Disclosed::seal(failure, None, Sends::NONE);
        let mut line = Line::open(&self.0.address).map_err(|why| before(self.unreachable(&why.to_string())))?;
        let hello = Hello { version: contract::VERSION.to_owned(), build: None };
        let waiting = Waiting { end: Instant::now() + GREETING, progress: None };
        match self.exchange(&mut line, method::HELLO, &json!(hello), waiting) {
            Came::Said(Said { error: Some(error), .. }) => Err(error.data),
            Came::Said(said) => serde_json::from_value(said.result.unwrap_or_default())
                .map(|welcome| (line, welcome))
                .map_err(|why| before(self.foreign(&format!("a greeting that does not fit: {why}")))),
            Came::Refused(refused) => Err(refused),
            Came::Foreign(what) => Err(before(self.foreign(&what))),
            Came::NotSent(why) | Came::Lost(why) => Err(before(self.unreachable(&why))),
        }
    }

    /// One JSON-RPC object and what comes back.
    fn exchange(&self, line: &mut Line, method: &str, params: &Value, waiting: Waiting) -> Came {
        // Another for each: a reply that comes late or twice is not taken for this one's.
        let id = line.next_id();
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        let head = self.head("POST", "/rpc", Some(body.len() as u64), "application/json");
        let mut whole = Vec::new();
        let reply = match line.exchange(&[head.as_bytes(), body.as_bytes()], waiting) {
            Went::NotSent(why) => return Came::NotSent(why.to_string()),
            Went::Lost(why) => return Came::Lost(why.to_string()),
            Went::Came(reply) => reply,
        };
        if !reply.is_ours() {
            return Came::Foreign(format!("something else than agent-device answers, with status {}", reply.status));
        }
        if let Err(why) = line.body(&reply, REPLY_BYTES, waiting, &mut |chunk| {
            whole.extend_from_slice(chunk);
            Ok(())
        }) {
            return Came::Lost(why.to_string());
        }
        if reply.status != 200 {
            // Ours has a reason under 400 and above; a redirect of whatever stands between is not ours, whatever is in it.
            return match refusal(&whole).filter(|_| reply.status >= 400) {
                Some(refused) => Came::Refused(refused),
                None => Came::Foreign(format!("the server answers with status {} and no reason", reply.status)),
            };
        }
        match serde_json::from_slice::<Said>(&whole) {
            Ok(said) if said.id == id || said.id.is_null() => Came::Said(said),
            Ok(_) => Came::Lost("a reply to something else".to_owned()),
            Err(why) => Came::Lost(format!("a reply that cannot be read: {why}")),
        }
    }

    /// Asks that a request of ours is stopped. Its answer comes to whoever waits for it.
    fn cancel(&self, request_id: &str) {
        let query = json!(RetainedQuery { request_id: request_id.to_owned() });
        for _ in 0..CANCELS {
            let waiting = Waiting { end: Instant::now() + CANCELLING, progress: None };
            let Ok(mut line) = Line::open(&self.0.address) else { continue };
            if matches!(self.exchange(&mut line, CANCEL, &query, waiting), Came::Said(_) | Came::Refused(_)) {
                return;
            }
        }
    }

    /// The head of a request.
    fn head(&self, method: &str, path: &str, length: Option<u64>, kind: &str) -> String {
        let Inner { address, token, lease, .. } = &*self.0;
        let length =
            length.map(|length| format!("content-length: {length}\r\ncontent-type: {kind}\r\n")).unwrap_or_default();
        format!(
            "{method} {}{path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nagent-device-lease: {}\r\nagent-device-lease-ms: {}\r\nuser-agent: agent-device/{}\r\n{length}\r\n",
            address.prefix,
            address.authority,
            token.expose(),
            lease.id,
            lease.ms,
            contract::VERSION,
        )
    }

    fn unreachable(&self, why: &str) -> Failure {
        Failure::refused(
            Row::ClientHopUnreachable,
            Code::DaemonUnavailable,
            format!("{} cannot be reached: {why}", self.0.address),
        )
        .reason("hop_unreachable")
        .retriable()
        .hint(
            "see that the tunnel stands and that agent-device serve runs behind it; AGENT_DEVICE_URL names the address",
        )
    }

    fn foreign(&self, what: &str) -> Failure {
        Failure::refused(Row::ClientHopForeign, Code::DaemonUnavailable, format!("{}: {what}", self.0.address))
            .reason("hop_foreign")
            .hint("AGENT_DEVICE_URL has to lead to agent-device serve: a gateway's own page came back")
    }
}

/// A pause between two tries of something that is safe to do again: a tunnel takes a moment to stand again.
#[expect(clippy::disallowed_methods, reason = "a client without a runtime, between two tries of a bounded wait")]
fn rest(pause: Duration) {
    std::thread::sleep(pause);
}

/// How a request is waited for.
pub(crate) struct Asking<'c> {
    /// Beyond its own limit.
    pub margin: Duration,
    /// Told every few seconds.
    pub progress: Option<fn(Duration)>,
    /// Stops it.
    pub interrupt: Option<&'c Interrupt>,
}

/// The answer in a reply, or the failure; an error where there is neither.
fn answered(said: Said) -> Result<(Response, Option<Hop>), String> {
    let hop = said.hop;
    match (said.result, said.error) {
        (_, Some(error)) => Ok((Err(error.data), hop)),
        (Some(result), None) => {
            let answer = serde_json::from_value::<Answer>(result).map_err(|why| why.to_string())?;
            Ok((Ok(answer), hop))
        }
        (None, None) => Err("a reply that says nothing".to_owned()),
    }
}

/// The failure in a refusal's body.
fn refusal(body: &[u8]) -> Option<Disclosed> {
    #[derive(Deserialize)]
    struct Refused {
        error: Disclosed,
    }
    serde_json::from_slice::<Refused>(body).ok().map(|refused| refused.error)
}

fn other_version(welcome: &Welcome) -> Failure {
    Failure::refused(
        Row::ClientHopVersionMismatch,
        Code::VersionMismatch,
        format!("the device host runs agent-device {}, this is {}", welcome.version, contract::VERSION),
    )
    .reason("version_mismatch")
    .hint("install the same version on both machines, and start serve again")
}
