//! Requests by their ids: one that is asked for twice runs once.

use std::{
    collections::{HashMap, HashSet, VecDeque, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::{Mutex, PoisonError},
};

use contract::{Code, Effect, Failure, Request, Response, Row};
use tokio::sync::watch;

/// Results kept after their request ended. A client asks again within moments; this is for a busy daemon.
const RETAINED: usize = 512;
/// Total size of the answers kept, bytes: pictures travel as files, so answers are small.
const RETAINED_BYTES: usize = 4 << 20;

/// Ids remembered after their result was forgotten: asked for again, they are refused instead of run again.
const FORGOTTEN: usize = 1 << 16;

/// What is known of a request id.
#[derive(Debug)]
pub enum Seen {
    /// Never seen: the caller runs it and must call [`Requests::finish`].
    New,
    /// Running, or done: the result comes here.
    Again(watch::Receiver<Option<Response>>),
}

/// All requests of this daemon's recent past.
#[derive(Debug, Default)]
pub struct Requests {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    by_id: HashMap<String, Entry>,
    finished: VecDeque<(String, usize)>,
    finished_bytes: usize,
    forgotten: HashSet<u64>,
    forgotten_order: VecDeque<u64>,
}

#[derive(Debug)]
struct Entry {
    command: String,
    asked: u64,
    result: watch::Sender<Option<Response>>,
}

fn hashed(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What a request asks for, and of whom. Its text can be megabytes long, so it is not kept.
fn fingerprint(request: &Request) -> u64 {
    let device = (request.platform.map(|platform| platform.to_string()), &request.device);
    hashed(&(&request.session, &request.workspace, device, &request.command, request.args.to_string()))
}

/// The failure for an id whose result is not kept any more.
pub fn forgotten(id: &str) -> Failure {
    Failure::lost(
        Row::DaemonProtocolResultForgotten,
        Code::CommandFailed,
        format!("request {id:?} was run before, and its result is not kept any more"),
    )
    .reason("result_forgotten")
    .hint("look first (agent-device snapshot), then ask again with a new id if it is needed")
}

impl Requests {
    /// Registers a request.
    ///
    /// # Errors
    /// `INVALID_ARGS` for an id that was used for another request; `unknown` for one whose result is forgotten.
    pub fn begin(&self, request: &Request) -> Result<Seen, Failure> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = inner.by_id.get(&request.request_id) {
            if entry.asked != fingerprint(request) {
                return Err(Failure::refused(
                    Row::DaemonProtocolRequestIdReused,
                    Code::InvalidArgs,
                    format!("the request id {:?} was used for another {} before", request.request_id, entry.command),
                )
                .reason("request_id_reused")
                .hint("choose a new id for each request"));
            }
            return Ok(Seen::Again(entry.result.subscribe()));
        }
        if inner.forgotten.contains(&hashed(&request.request_id.as_str())) {
            return Err(forgotten(&request.request_id));
        }
        let entry =
            Entry { command: request.command.clone(), asked: fingerprint(request), result: watch::Sender::new(None) };
        inner.by_id.insert(request.request_id.clone(), entry);
        Ok(Seen::New)
    }

    /// The result of a request seen before, running ones included.
    pub fn again(&self, id: &str) -> Option<watch::Receiver<Option<Response>>> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.by_id.get(id).map(|entry| entry.result.subscribe())
    }

    /// Keeps a result and hands it to whoever asked again. Reads are handed on and forgotten: to read again is safe.
    pub fn finish(&self, id: &str, effect: Option<Effect>, response: &Response) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(entry) = inner.by_id.get(id) else { return };
        entry.result.send_replace(Some(response.clone()));
        if effect != Some(Effect::Mutates) {
            inner.by_id.remove(id);
            return;
        }
        let size = serde_json::to_vec(&response.as_ref().ok()).map_or(0, |bytes| bytes.len()) + id.len() + 256;
        inner.finished_bytes += size;
        inner.finished.push_back((id.to_owned(), size));
        while inner.finished.len() > RETAINED || inner.finished_bytes > RETAINED_BYTES {
            let Some((oldest, size)) = inner.finished.pop_front() else { break };
            inner.finished_bytes -= size;
            inner.by_id.remove(&oldest);
            inner.forget(hashed(&oldest.as_str()));
        }
    }

    /// Whether a request ran whose result is not kept any more.
    pub fn is_forgotten(&self, id: &str) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).forgotten.contains(&hashed(&id))
    }
}

impl Inner {
    fn forget(&mut self, id: u64) {
        if self.forgotten.insert(id) {
            self.forgotten_order.push_back(id);
        }
        while self.forgotten_order.len() > FORGOTTEN {
            if let Some(oldest) = self.forgotten_order.pop_front() {
                self.forgotten.remove(&oldest);
            }
        }
    }
}

/// Waits for the result of a request that runs already.
pub async fn result_of(mut receiver: watch::Receiver<Option<Response>>) -> Option<Response> {
    receiver.wait_for(Option::is_some).await.ok().and_then(|response| response.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::{Command, command::Home, request::Answer};

    fn request(id: &str) -> Request {
        Request::new(id, &Command::Home(Home::default()))
    }

    #[tokio::test]
    async fn the_same_id_is_begun_once_and_its_result_is_handed_to_all() {
        let requests = Requests::default();
        assert!(matches!(requests.begin(&request("a")).unwrap(), Seen::New));
        let Seen::Again(waiting) = requests.begin(&request("a")).unwrap() else { panic!("ran twice") };
        requests.finish("a", Some(Effect::Mutates), &Ok(Answer::new("x".into(), "x")));
        assert_eq!(result_of(waiting).await.unwrap().unwrap().text.as_deref(), Some("x"));
        assert!(matches!(requests.begin(&request("a")).unwrap(), Seen::Again(_)));
    }

    #[test]
    fn an_id_used_for_another_command_is_refused() {
        let requests = Requests::default();
        requests.begin(&request("a")).unwrap();
        for other in [
            Request { command: "back".into(), ..request("a") },
            Request { session: Some("another".into()), ..request("a") },
            Request { args: serde_json::json!({"x": 1}), ..request("a") },
        ] {
            assert_eq!(requests.begin(&other).unwrap_err().reason_str(), Some("request_id_reused"));
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let requests = Requests::default();
        for number in 0..RETAINED + 10 {
            let id = number.to_string();
            requests.begin(&request(&id)).unwrap();
            requests.finish(&id, Some(Effect::Mutates), &Ok(Answer::default()));
        }
        assert!(requests.again("0").is_none());
        assert!(requests.is_forgotten("0"));
        assert_eq!(requests.begin(&request("0")).unwrap_err().reason_str(), Some("result_forgotten"));
        assert!(requests.again(&(RETAINED + 9).to_string()).is_some());
        requests.begin(&request("read")).unwrap();
        requests.finish("read", Some(Effect::Observes), &Ok(Answer::default()));
        assert!(requests.again("read").is_none());
    }
}
