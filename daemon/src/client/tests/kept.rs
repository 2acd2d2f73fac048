//! What is asked on a connection that was kept, against a daemon that is a script.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread::JoinHandle,
    time::Duration,
};

use contract::{Code, Command, Disclosed, Dispatched, Effect, Failure, Request, Response, Row, Sends};
use serde_json::{Value, json};

use super::super::{Client, Interrupt};
use crate::state_dir::StateDir;

const LIMIT: Duration = Duration::from_secs(60);

/// What becomes of a line of a connection.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// It is answered.
    Answers,
    /// It is answered twice.
    AnswersTwice,
    /// The connection is closed instead.
    Closes,
    /// It is said that what it asks for was never seen.
    NeverSaw,
    /// It is answered once the caller has closed its writing side.
    AnswersWhenGivenUp,
}

use Act::{Answers, AnswersTwice, AnswersWhenGivenUp, Closes, NeverSaw};

/// A daemon that does for each connection what stands in its script, and closes it then.
struct Scripted {
    state: StateDir,
    heard: Arc<Mutex<Vec<String>>>,
    /// Told of each connection that was closed.
    closed: Receiver<()>,
    serving: Option<JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

impl Scripted {
    fn new(script: &'static [&'static [Act]]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::find(Some(folder.path())).unwrap();
        state.create().unwrap();
        let listener = UnixListener::bind(state.socket()).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (over, closed) = channel();
        let hears = heard.clone();
        let serving = std::thread::spawn(move || {
            for (number, acts) in script.iter().enumerate() {
                let (stream, _) = listener.accept().unwrap();
                serve(stream, number, acts, &hears);
                let _nobody = over.send(());
            }
        });
        Self { state, heard, closed, serving: Some(serving), _folder: folder }
    }

    fn client(&self) -> Client {
        let mut client = Client::new(self.state.clone()).keeping();
        client.start = false;
        client
    }

    /// What was heard, as connection and words, once the script is over.
    fn heard(mut self, client: Client) -> Vec<String> {
        drop(client);
        self.serving.take().unwrap().join().unwrap();
        std::mem::take(&mut *self.heard.lock().unwrap())
    }
}

fn serve(stream: UnixStream, number: usize, acts: &[Act], heard: &Mutex<Vec<String>>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    let mut next = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).ok()
    };
    for act in [Answers].iter().chain(acts) {
        let Some(asked) = next() else { return };
        let params = &asked["params"];
        let words = [&asked["method"], &params["requestId"]].map(|word| word.as_str().unwrap_or_default().to_owned());
        heard.lock().unwrap().push(format!("{number} {}", words.join(" ").trim_end()));
        let mut reply =
            json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"data": {"on": number}, "text": "done"}});
        match asked["method"].as_str().unwrap() {
            "hello" => {
                reply["result"] = json!({
                    "version": contract::VERSION, "build": "b", "instance": "one", "pid": 1, "sessions": 0, "accepted": true,
                });
            }
            "retained" => reply["of"] = params["requestId"].clone(),
            _ => {}
        }
        if let NeverSaw = act {
            let failure = Failure::refused(Row::DaemonProtocolRequestNotSeen, Code::CommandFailed, "never seen");
            let failed = Disclosed::seal(failure.reason("not_seen"), None, Sends::NONE);
            reply["error"] = json!({"code": -32000, "message": "never seen", "data": failed});
            reply.as_object_mut().unwrap().remove("result");
        }
        let lines = match act {
            Closes => return,
            AnswersWhenGivenUp => {
                assert_eq!(next(), None);
                1
            }
            Answers | NeverSaw => 1,
            AnswersTwice => 2,
        };
        // In one piece: what comes twice is there when the first is read.
        if writer.write_all(format!("{reply}\n").repeat(lines).as_bytes()).is_err() {
            return;
        }
    }
}

/// How a request is made: by a caller that blocks, or by one with a runtime.
#[derive(Debug, Clone, Copy)]
enum Way {
    Run,
    Ask,
}

const WAYS: [Way; 2] = [Way::Run, Way::Ask];

fn asks(client: &Client, way: Way, id: &str) -> Response {
    let command = Command::from_line("back").unwrap();
    let request = Request::new(id, &command);
    match way {
        Way::Run => client.run(&request, Effect::Mutates, LIMIT),
        Way::Ask => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(client.clone().ask(request, Effect::Mutates, LIMIT)),
    }
}

/// The connection on which a request was answered.
fn answered_on(client: &Client, way: Way, id: &str) -> u64 {
    asks(client, way, id).unwrap().data["on"].as_u64().unwrap()
}

#[test]
fn one_greeting_serves_many_requests() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers, Answers, Answers, Answers], &[Answers]]);
        let client = daemon.client();
        for id in ["a", "b", "c"] {
            assert_eq!(answered_on(&client, way, id), 0, "{way:?}");
        }
        let plain = Client { kept: None, ..client.clone() };
        assert_eq!(answered_on(&client.clone(), way, "d"), 0, "clones share it");
        assert_eq!(answered_on(&plain, way, "e"), 1, "one that keeps nothing asks anew");
        let heard = ["0 hello", "0 run a", "0 run b", "0 run c", "0 run d", "1 hello", "1 run e"];
        assert_eq!(daemon.heard(client), heard, "{way:?}");
    }
}

#[test]
fn a_connection_that_ended_in_between_is_not_written_to() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers], &[Answers]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        daemon.closed.recv_timeout(LIMIT).unwrap();
        assert_eq!(answered_on(&client, way, "b"), 1, "{way:?}");
        assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "1 hello", "1 run b"], "{way:?}");
    }
}

#[test]
fn a_request_that_was_written_whole_is_asked_for_and_never_sent_again() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers, Closes], &[Answers]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        assert_eq!(answered_on(&client, way, "b"), 1, "{way:?}");
        let heard = ["0 hello", "0 run a", "0 run b", "1 hello", "1 retained b"];
        assert_eq!(daemon.heard(client), heard, "{way:?}");
    }
}

#[test]
fn a_request_that_the_daemon_never_saw_was_not_sent() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers, Closes], &[NeverSaw], &[Answers]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        let failed = asks(&client, way, "b").unwrap_err();
        assert_eq!(failed.failure().reason_str(), Some("request_not_taken"), "{way:?}");
        assert_eq!(failed.dispatched(), Dispatched::No, "{way:?}");
        assert_eq!(answered_on(&client, way, "c"), 2, "the next goes on");
        let heard = ["0 hello", "0 run a", "0 run b", "1 hello", "1 retained b", "2 hello", "2 run c"];
        assert_eq!(daemon.heard(client), heard, "{way:?}");
    }
}

#[test]
fn nobody_answers_for_a_request_whose_daemon_is_gone() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers, Closes]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        let failed = asks(&client, way, "b").unwrap_err();
        assert_eq!(failed.dispatched(), Dispatched::Unknown, "{way:?}");
        assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "0 run b"], "{way:?}");
    }
}

#[test]
fn a_reply_that_came_twice_ends_its_connection() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[AnswersTwice, Answers], &[Answers]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        assert_eq!(answered_on(&client, way, "b"), 1, "{way:?}");
        assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "1 hello", "1 run b"], "{way:?}");
    }
}

#[test]
fn a_connection_whose_request_was_given_up_is_not_used_again() {
    for way in WAYS {
        let daemon = Scripted::new(&[&[Answers, AnswersWhenGivenUp], &[Answers]]);
        let client = daemon.client();
        assert_eq!(answered_on(&client, way, "a"), 0);
        let mut given_up = client.clone();
        let interrupt = Interrupt::default();
        interrupt.set();
        given_up.interrupt = Some(interrupt);
        assert_eq!(answered_on(&given_up, way, "b"), 0, "its end is still told");
        assert_eq!(answered_on(&client, way, "c"), 1, "{way:?}");
        drop(given_up);
        assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "0 run b", "1 hello", "1 run c"], "{way:?}");
    }
}

#[test]
fn what_ends_daemons_goes_on_a_connection_of_its_own() {
    let daemon = Scripted::new(&[&[Answers, Answers]]);
    let client = daemon.client();
    assert_eq!(answered_on(&client, Way::Run, "a"), 0);
    let stop = Request::new("s", &Command::from_line("daemon stop").unwrap());
    assert!(client.written_on_kept(&stop, usize::MAX).is_none());
    assert_eq!(answered_on(&client, Way::Run, "b"), 0, "it was there");
    assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "0 run b"]);
}

#[test]
fn requests_at_once_have_a_connection_each() {
    let daemon = Scripted::new(&[&[Answers, Answers]]);
    let client = daemon.client();
    assert_eq!(answered_on(&client, Way::Run, "a"), 0);
    let request = Request::new("b", &Command::from_line("back").unwrap());
    let taken = client.written_on_kept(&request, usize::MAX).unwrap();
    assert!(client.written_on_kept(&request, usize::MAX).is_none(), "it carries a request");
    drop(taken);
    assert_eq!(daemon.heard(client), ["0 hello", "0 run a", "0 run b"]);
}
