//! Requests by their ids: one that is asked for twice runs once.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use contract::{Code, Effect, Failure, Request, Response, Row};
use tokio::sync::watch;

/// Results kept after their request ended. A client asks again within moments; this is for a busy daemon.
const RETAINED: usize = 512;
/// Total size of the answers kept, bytes: pictures travel as files, so answers are small.
const RETAINED_BYTES: usize = 4 << 20;

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
}

#[derive(Debug)]
struct Entry {
    command: String,
    args: serde_json::Value,
    result: watch::Sender<Option<Response>>,
}

impl Requests {
    /// Registers a request.
    ///
    /// # Errors
    /// `INVALID_ARGS` for an id that was used for another command.
    pub fn begin(&self, request: &Request) -> Result<Seen, Failure> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = inner.by_id.get(&request.request_id) {
            if entry.command != request.command || entry.args != request.args {
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
        let entry =
            Entry { command: request.command.clone(), args: request.args.clone(), result: watch::Sender::new(None) };
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
        let other = Request { command: "back".into(), ..request("a") };
        assert_eq!(requests.begin(&other).unwrap_err().reason_str(), Some("request_id_reused"));
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
        assert!(requests.again(&(RETAINED + 9).to_string()).is_some());
        requests.begin(&request("read")).unwrap();
        requests.finish("read", Some(Effect::Observes), &Ok(Answer::default()));
        assert!(requests.again("read").is_none());
    }
}
