//! Requests by their ids: one that is asked for twice runs once.

use std::{
    collections::{HashMap, HashSet, VecDeque, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
    sync::PoisonError,
};

use contract::{Code, Effect, Failure, Request, Response, Row};
use tokio::sync::watch;

use crate::sync::Mutex;

/// Results kept after their request ended. A client asks again within moments; this is for a busy daemon.
const RETAINED: usize = 512;
/// Total size of the answers kept, bytes: pictures travel as files, so answers are small.
const RETAINED_BYTES: usize = 4 << 20;

/// Ids remembered after their result was forgotten, and ids that were asked for before they came: both are refused
/// instead of run.
const REMEMBERED: usize = 1 << 16;

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
    forgotten: Ids,
    withdrawn: Ids,
}

/// The latest [`REMEMBERED`] of a kind of ids, hashed.
#[derive(Debug, Default)]
struct Ids {
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

/// What is known of an id whose result is asked for.
#[derive(Debug)]
pub enum Asked {
    /// Running, or done: the result comes here.
    Seen(watch::Receiver<Option<Response>>),
    /// It ran, and its result is not kept any more.
    Forgotten,
    /// Never seen, and from now on never run.
    Withdrawn,
}

#[derive(Debug)]
struct Entry {
    command: String,
    asked: u64,
    result: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Running(watch::Sender<Option<Response>>),
    Kept(Kept),
}

/// A result as it stands on the socket: a tree of values takes several times the room, and hardly any is asked for.
#[derive(Debug)]
struct Kept {
    worked: bool,
    json: Box<[u8]>,
}

impl Kept {
    fn of(response: &Response) -> Option<Self> {
        let json = match response {
            Ok(answer) => serde_json::to_vec(answer),
            Err(failed) => serde_json::to_vec(failed),
        };
        Some(Self { worked: response.is_ok(), json: json.ok()?.into_boxed_slice() })
    }

    fn response(&self) -> Option<Response> {
        if self.worked {
            serde_json::from_slice(&self.json).ok().map(Ok)
        } else {
            serde_json::from_slice(&self.json).ok().map(Err)
        }
    }
}

impl Entry {
    /// Where the result comes; `None` for one that cannot be read any more.
    fn result(&self) -> Option<watch::Receiver<Option<Response>>> {
        match &self.result {
            Outcome::Running(sender) => Some(sender.subscribe()),
            Outcome::Kept(kept) => kept.response().map(|response| watch::channel(Some(response)).1),
        }
    }
}

fn hashed(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What a request asks for, and of whom. Its text can be megabytes long, so it is not kept.
fn fingerprint(request: &Request) -> u64 {
    let device = (request.platform.map(|platform| platform.to_string()), &request.device);
    let what = (&request.command, request.args.to_string(), &request.expect);
    hashed(&(&request.session, &request.workspace, device, what))
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

/// The refusal of a request that comes after it was asked for.
fn withdrawn(id: &str) -> Failure {
    Failure::refused(
        Row::DaemonProtocolRequestWithdrawn,
        Code::CommandFailed,
        format!("request {id:?} came after its result was asked for: it was withdrawn then, and did not run"),
    )
    .reason("request_withdrawn")
    .hint("ask again with a new id")
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
            return entry.result().map(Seen::Again).ok_or_else(|| forgotten(&request.request_id));
        }
        let id = hashed(&request.request_id.as_str());
        if inner.forgotten.known.contains(&id) {
            return Err(forgotten(&request.request_id));
        }
        if inner.withdrawn.known.contains(&id) {
            return Err(withdrawn(&request.request_id));
        }
        let result = Outcome::Running(watch::Sender::new(None));
        let entry = Entry { command: request.command.clone(), asked: fingerprint(request), result };
        inner.by_id.insert(request.request_id.clone(), entry);
        Ok(Seen::New)
    }

    /// The result of a request seen before, running ones included.
    pub fn again(&self, id: &str) -> Option<watch::Receiver<Option<Response>>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).result(id)
    }

    /// Whether a request ran whose result is not kept any more.
    pub fn is_forgotten(&self, id: &str) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).forgotten.known.contains(&hashed(&id))
    }

    /// The result of a request, for a caller who lost its reply. One that was never seen is withdrawn: should it still
    /// come (its connection broke, and the daemon may not have read to the connection's end), it is refused. So
    /// "never seen" is a proof that it does not run.
    pub fn ask(&self, id: &str) -> Asked {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = inner.by_id.get(id) {
            return entry.result().map_or(Asked::Forgotten, Asked::Seen);
        }
        let id = hashed(&id);
        if inner.forgotten.known.contains(&id) {
            return Asked::Forgotten;
        }
        inner.withdrawn.add(id);
        Asked::Withdrawn
    }

    /// Keeps a result and hands it to whoever asked again. Reads, and what was no command, are handed on and forgotten: to
    /// ask again is safe.
    pub fn finish(&self, id: &str, effect: Option<Effect>, response: &Response) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(entry) = inner.by_id.get_mut(id) else { return };
        if let Outcome::Running(result) = &entry.result {
            result.send_replace(Some(response.clone()));
        }
        let kept = if matches!(effect, None | Some(Effect::Observes)) { None } else { Kept::of(response) };
        let Some(kept) = kept else {
            inner.by_id.remove(id);
            return;
        };
        let size = kept.json.len() + id.len() + 256;
        entry.result = Outcome::Kept(kept);
        inner.finished_bytes += size;
        inner.finished.push_back((id.to_owned(), size));
        while inner.finished.len() > RETAINED || inner.finished_bytes > RETAINED_BYTES {
            let Some((oldest, size)) = inner.finished.pop_front() else { break };
            inner.finished_bytes -= size;
            inner.by_id.remove(&oldest);
            inner.forgotten.add(hashed(&oldest.as_str()));
        }
    }
}

impl Inner {
    fn result(&self, id: &str) -> Option<watch::Receiver<Option<Response>>> {
        self.by_id.get(id).and_then(Entry::result)
    }
}

impl Ids {
    fn add(&mut self, id: u64) {
        if self.known.insert(id) {
            self.order.push_back(id);
        }
        while self.order.len() > REMEMBERED {
            if let Some(oldest) = self.order.pop_front() {
                self.known.remove(&oldest);
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
        assert!(matches!(requests.ask("0"), Asked::Forgotten));
        assert_eq!(requests.begin(&request("0")).unwrap_err().reason_str(), Some("result_forgotten"));
        assert!(requests.again(&(RETAINED + 9).to_string()).is_some());
        requests.begin(&request("read")).unwrap();
        requests.finish("read", Some(Effect::Observes), &Ok(Answer::default()));
        assert!(requests.again("read").is_none());
        for number in 0..REMEMBERED + 10 {
            requests.ask(&format!("never {number}"));
        }
        assert_eq!(requests.inner.lock().unwrap().withdrawn.known.len(), REMEMBERED);
    }

    #[test]
    fn what_changes_no_app_and_changes_something_is_kept_as_well() {
        let requests = Requests::default();
        requests.begin(&request("boot")).unwrap();
        requests.finish("boot", Some(Effect::Manages), &Ok(Answer::default()));
        assert!(matches!(requests.ask("boot"), Asked::Seen(_)));
        assert!(matches!(requests.begin(&request("boot")).unwrap(), Seen::Again(_)), "it would run twice");
    }

    #[tokio::test]
    async fn what_is_kept_is_what_was_answered() {
        let requests = Requests::default();
        let failure = Failure::lost(Row::ClientReplyLost, Code::CommandFailed, "x").reason("y").hint("z").retriable();
        let responses = [
            Ok(Answer::new(serde_json::json!({"a": [1, 0.1, null, "é"]}), "said")),
            Ok(Answer { data: serde_json::Value::Null, text: None }),
            Err(contract::Disclosed::seal(failure, Some(Effect::Mutates), contract::Sends { completed: 2, open: 1 })),
        ];
        for (number, response) in responses.iter().enumerate() {
            let id = number.to_string();
            requests.begin(&request(&id)).unwrap();
            requests.finish(&id, Some(Effect::Mutates), response);
            let Asked::Seen(again) = requests.ask(&id) else { panic!("not kept") };
            let again = result_of(again).await.unwrap();
            let text = |response: &Response| match response {
                Ok(answer) => serde_json::to_string(answer).unwrap(),
                Err(failed) => serde_json::to_string(failed).unwrap(),
            };
            assert_eq!((again.is_ok(), text(&again)), (response.is_ok(), text(response)));
        }
    }

    #[test]
    fn one_that_is_asked_for_before_it_comes_never_runs() {
        let requests = Requests::default();
        assert!(matches!(requests.ask("late"), Asked::Withdrawn));
        let refused = requests.begin(&request("late")).unwrap_err();
        assert_eq!(refused.reason_str(), Some("request_withdrawn"));
        assert!(matches!(requests.ask("late"), Asked::Withdrawn), "and says so again");
    }

    fn ran(requests: &Requests, id: &str, text: String) {
        assert!(matches!(requests.begin(&request(id)).unwrap(), Seen::New), "{id}");
        requests.finish(id, Some(Effect::Mutates), &Ok(Answer::new(serde_json::Value::Null, text)));
    }

    #[test]
    fn exactly_the_latest_results_are_kept() {
        let requests = Requests::default();
        (0..=RETAINED).for_each(|number| ran(&requests, &number.to_string(), String::new()));
        assert!(requests.is_forgotten("0") && !requests.is_forgotten("1") && !requests.is_forgotten("never seen"));
        assert!(requests.again("1").is_some());
    }

    #[test]
    fn large_results_are_kept_up_to_a_size_and_their_room_comes_free_again() {
        let requests = Requests::default();
        // Three such results fit, a fourth does not.
        let large = || "x".repeat(RETAINED_BYTES / 4 + 1);
        for number in 0..20 {
            ran(&requests, &number.to_string(), large());
            let kept = (0..=number).filter(|number| requests.again(&number.to_string()).is_some()).count();
            assert_eq!(kept, 3.min(number + 1), "after {number}");
        }
        // A result of the very size that is left over is still kept: what is counted is the text, the id, and some room.
        let requests = Requests::default();
        let overhead = serde_json::to_vec(&Some(Answer::new(serde_json::Value::Null, ""))).unwrap().len() + 1 + 256;
        ran(&requests, "a", "x".repeat(RETAINED_BYTES - overhead));
        assert!(requests.again("a").is_some());
        ran(&requests, "b", String::new());
        assert!(requests.again("a").is_none() && requests.again("b").is_some());
        let requests = Requests::default();
        ran(&requests, "a", "x".repeat(RETAINED_BYTES - overhead + 1));
        assert!(requests.again("a").is_none() && requests.is_forgotten("a"), "one byte more");
    }

    #[test]
    fn ids_are_remembered_long_after_their_results() {
        let requests = Requests::default();
        let last = RETAINED + REMEMBERED;
        (0..last).for_each(|number| ran(&requests, &number.to_string(), String::new()));
        assert!(requests.is_forgotten("0") && requests.begin(&request("0")).is_err());
        ran(&requests, &last.to_string(), String::new());
        assert!(!requests.is_forgotten("0") && requests.is_forgotten("1"));
    }
}
