//! `POST /rpc`: hello, run, retained, cancel.
//!
//! A command goes on when its client's connection breaks: it runs on a thread of its own, which nobody's going away ends. What
//! it answers is kept by the daemon, where its client asks for it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use contract::{
    Claim, Code, Command, Disclosed, Dispatched, Effect, Failure, Response, Row, Sends,
    command::{DaemonAction, READINESS_CAP_MS},
    hop::{CANCEL, Cancelled, Hop, Question},
    request::{Hello, Request, RetainedQuery, Welcome, method},
};
use daemon::{
    audit,
    client::Retained,
    protocol::{self, Incoming, reply_line},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    exports, files,
    leases::{Lease, Leases, Running, busy},
    names, sessions,
};

/// How long a question waits for a command that still runs. Gateways commonly end a request after a minute.
const QUESTION: Duration = Duration::from_secs(50);
/// No command is waited for longer: the daemon's own cap, ms.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
/// Commands under way at a time, those of clients that are gone included.
const UNDER_WAY: usize = 128;

/// What answers.
#[derive(Debug, Clone)]
pub struct Rpc {
    /// Leases, and the way to the daemon.
    pub leases: Arc<Leases>,
    under_way: Arc<Mutex<usize>>,
}

/// A place among the commands under way.
struct Place(Arc<Mutex<usize>>);

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    }
}

impl Rpc {
    /// Over these leases.
    pub fn new(leases: Arc<Leases>) -> Self {
        Self { leases, under_way: Arc::default() }
    }

    /// Answers one JSON-RPC object. Without a lease it can only be greeted.
    pub async fn answer(&self, body: &[u8], lease: Option<Arc<Lease>>) -> String {
        let incoming = match protocol::parse(body) {
            Ok(incoming) => incoming,
            Err(failure) => return said(&Value::Null, None, &Err::<Value, _>(unasked(failure)), None),
        };
        let Incoming { id, method, params } = incoming;
        let lease = match (method.as_str(), lease) {
            (method::HELLO, _) => return self.hello(&id, params).await,
            (_, Some(lease)) => lease,
            (_, None) => {
                let failure = Failure::refused(Row::ServeBadRequest, Code::InvalidArgs, "a request needs a lease");
                let failure =
                    failure.reason("bad_request").hint("send the header Agent-Device-Lease: an id of your own");
                return said(&id, None, &Err::<Value, _>(unasked(failure)), None);
            }
        };
        match method.as_str() {
            method::RUN => match serde_json::from_value::<Request>(params) {
                Ok(request) => self.run(&id, request, lease).await,
                Err(why) => said(&id, None, &Err::<Value, _>(misfit("a request", &why)), None),
            },
            method::RETAINED => match serde_json::from_value::<Question>(params) {
                Ok(question) => self.retained(&id, question, lease).await,
                Err(why) => said(&id, None, &Err::<Value, _>(misfit("a query", &why)), None),
            },
            CANCEL => match serde_json::from_value::<RetainedQuery>(params) {
                Ok(query) => self.cancel(&id, query.request_id, lease).await,
                Err(why) => said(&id, None, &Err::<Value, _>(misfit("a query", &why)), None),
            },
            other => {
                let message = format!("there is no method {other:?}");
                let failure = Failure::refused(Row::DaemonProtocolUnknownMethod, Code::InvalidArgs, message);
                let failure = failure.reason("unknown_method").hint("methods: hello, run, retained, cancel");
                said(&id, None, &Err::<Value, _>(unasked(failure)), None)
            }
        }
    }

    /// The daemon's greeting. Builds of one version differ between machines, so only versions are compared.
    async fn hello(&self, id: &Value, params: Value) -> String {
        let hello = match serde_json::from_value::<Hello>(params) {
            Ok(hello) => hello,
            Err(why) => return said(id, None, &Err::<Value, _>(misfit("a hello", &why)), None),
        };
        let client = self.leases.client.clone();
        let greeted = blocking(move || client.greet()).await.and_then(|greeted| greeted);
        let welcome = greeted
            .map(|welcome| Welcome { accepted: hello.version == contract::VERSION, ..welcome })
            .map_err(|failure| Disclosed::seal(failure, Some(Effect::Manages), Sends::NONE));
        said(id, None, &welcome, None)
    }

    async fn run(&self, id: &Value, request: Request, lease: Arc<Lease>) -> String {
        let Some(place) = self.place() else {
            return said(id, None, &Err::<Value, _>(unasked(busy("too many commands are under way"))), None);
        };
        // Known as under way before anybody can ask to stop it.
        let running = lease.running(&request.request_id);
        let leases = self.leases.clone();
        let ran = blocking(move || {
            let _place = place;
            let (response, hop) = run(&leases, &running, &lease, request);
            (response, hop)
        });
        match ran.await {
            Ok((response, hop)) => said(id, None, &response, Some(&hop)),
            Err(failure) => {
                said(id, None, &Err::<Value, _>(Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE)), None)
            }
        }
    }

    async fn retained(&self, id: &Value, question: Question, lease: Arc<Lease>) -> String {
        let client = self.leases.client.clone();
        let state = self.leases.client.state().path().to_path_buf();
        let of = question.request_id.clone();
        let asked = blocking(move || {
            let mut response = match client.retained(&question.request_id, question.instance.as_deref(), QUESTION) {
                Retained::Answered(response) => response,
                Retained::Running => Err(untold("it is still running", "still_running")),
                Retained::Gone => Err(untold("the daemon that was asked is there no more", "instance_gone")),
            };
            let hop = spoken(&mut response, &lease, &state);
            (response, hop)
        });
        match asked.await {
            Ok((response, hop)) => said(id, Some(&of), &response, Some(&hop)),
            Err(failure) => said(
                id,
                Some(&of),
                &Err::<Value, _>(Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE)),
                None,
            ),
        }
    }

    /// Stops a command. One that has not come yet is withdrawn at the daemon, which refuses it when it comes.
    async fn cancel(&self, id: &Value, request_id: String, lease: Arc<Lease>) -> String {
        let cancelled = lease.cancel(&request_id);
        if !cancelled {
            let client = self.leases.client.clone();
            let asked = blocking(move || client.retained(&request_id, None, Duration::from_secs(5)));
            drop(asked.await);
        }
        said(id, None, &Ok::<_, Disclosed>(Cancelled { cancelled }), None)
    }

    fn place(&self) -> Option<Place> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if *under_way >= UNDER_WAY {
            return None;
        }
        *under_way += 1;
        Some(Place(self.under_way.clone()))
    }
}

/// Hands a request to the daemon, with the files and the session of its lease.
fn run(leases: &Leases, running: &Running, lease: &Lease, mut request: Request) -> (Response, Hop) {
    let state = leases.client.state().path().to_path_buf();
    let refuse = |failure| (Err(unasked(failure)), hop_of(lease));
    let session = sessions::named(&request, lease);
    request.session = Some(session.clone());
    let mut client = leases.client.clone();
    client.interrupt = Some(running.interrupt.clone());
    let Ok(mut command) = Command::from_call(&request.command, &request.args) else {
        // The daemon says what is wrong with it.
        return (client.run(&request, Effect::Manages, Duration::from_secs(30)), hop_of(lease));
    };
    if let Err(failure) = sessions::admitted(&command).and_then(|()| names::resolve(&mut command, &lease.folder)) {
        return refuse(failure);
    }
    client.start = !matches!(&command, Command::Daemon(daemon) if daemon.action != DaemonAction::Start);
    let claimed = match leases.claim(lease, &session, &command) {
        Ok(claimed) => claimed,
        Err(failure) => return refuse(failure),
    };
    request.args = command.to_args();
    let limit = request.timeout_ms.unwrap_or(command.timeout_ms() + READINESS_CAP_MS).min(LONGEST_MS);
    let mut response = client.run(&request, command.effect(), Duration::from_millis(limit));
    leases.settle(lease, &session, &command, &response, claimed);
    let hop = spoken(&mut response, lease, &state);
    (response, hop)
}

/// The files that an answer speaks of, those of a failure too: a batch that stopped may have made some.
fn spoken(response: &mut Response, lease: &Lease, state: &std::path::Path) -> Hop {
    let mut hop = hop_of(lease);
    let found = match response {
        Ok(answer) => {
            exports::take(answer, &lease.folder, state);
            names::spoken_of(&answer.data, &lease.folder)
        }
        Err(failed) => names::spoken_of(&Value::Object(failed.failure().details.clone()), &lease.folder),
    };
    for path in found {
        let name = path.strip_prefix(&lease.folder).ok().and_then(|name| name.to_str());
        hop.files.extend(name.and_then(|name| files::described(name, &path)));
    }
    hop
}

fn hop_of(lease: &Lease) -> Hop {
    Hop { folder: lease.folder.display().to_string(), files: Vec::new() }
}

/// Runs what waits, apart from what serves. It goes on where nobody waits for it any more.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
    let failed = |why| {
        Failure::new(Code::Internal, format!("the server failed while it worked on this: {why}"))
            .under(Claim { row: Row::DaemonPanicked, dispatched: Dispatched::Unknown })
            .reason("panicked")
    };
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

/// A reply line, with what the hop has to say beside it.
fn said<T: Serialize>(id: &Value, of: Option<&str>, outcome: &Result<T, Disclosed>, hop: Option<&Hop>) -> String {
    let mut line = reply_line(id, of, outcome);
    if outcome.is_err() {
        audit::note(audit::Door::Socket, &line);
    }
    let hop = hop.and_then(|hop| serde_json::to_string(hop).ok());
    // An answer can be megabytes long: it is not read again to put a word beside it.
    if let Some(hop) = hop
        && line.ends_with("}\n")
    {
        line.truncate(line.len() - 2);
        line.push_str(",\"hop\":");
        line.push_str(&hop);
        line.push_str("}\n");
    }
    line
}

fn unasked(failure: Failure) -> Disclosed {
    Disclosed::seal(failure, None, Sends::NONE)
}

fn misfit(what: &str, why: &serde_json::Error) -> Disclosed {
    let message = format!("{what} that does not fit: {why}");
    unasked(Failure::refused(Row::DaemonProtocolBadLine, Code::InvalidArgs, message).reason("bad_line"))
}

/// What is no answer to a question for a lost reply.
fn untold(why: &str, reason: &str) -> Disclosed {
    let failure = Failure::lost(Row::ClientReplyLost, Code::DaemonUnavailable, why).reason(reason);
    Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE)
}

#[cfg(test)]
mod tests {
    use contract::request::Answer;

    use super::*;

    #[test]
    fn what_the_hop_says_stands_beside_the_answer() {
        let hop = Hop { folder: "/f".into(), files: Vec::new() };
        let outcome = Ok::<_, Disclosed>(Answer::new(serde_json::json!({"a": 1}), "x"));
        let line: Value = serde_json::from_str(&said(&1.into(), None, &outcome, Some(&hop))).unwrap();
        assert_eq!(line["hop"]["folder"], "/f");
        assert_eq!(line["result"]["data"]["a"], 1);
        assert_eq!(line["id"], 1);
    }
}
