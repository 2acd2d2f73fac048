//! Asking for a reply that was lost, of a peer that keeps what it answers under the key of a request, and of peers that
//! only look so.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use contract::{Effect, Row, Sends};
use hyper::Method;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
};
use wire::{
    Context, Sent,
    http::{Connection, Kept, Reply, Request, Rows, Sample},
};

const ROWS: Rows = Rows {
    connect_refused: Row::WebdriverConnectRefused,
    not_written: Row::WebdriverNotWritten,
    lost: Row::WebdriverReplyLost,
    timeout: Row::WebdriverTimeoutAfterSend,
    look_lost: Row::WebdriverLookLost,
};

/// What a peer does with keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Peer {
    /// As Appium: keeps replies, and refuses a method that it does not know after it has looked for the key.
    Keeps,
    /// Keeps replies and does not know about other methods: it would run what asks for one.
    KeepsAndRuns,
    /// Knows no keys.
    Runs,
    /// Keeps replies until a change has run, then forgets.
    Forgets,
    /// As Appium with a page that has just begun: the first request fails, whatever it is.
    Stumbles,
}

/// How the reply to a change gets lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    /// The connection closes instead.
    Closed,
    /// It never comes; the connection stays.
    Silent,
}

#[derive(Debug, Default)]
struct Seen {
    kept: HashMap<String, Vec<u8>>,
    /// What ran: bodies of what was posted, else methods.
    ran: Vec<String>,
    requests: u32,
    questions: u32,
}

struct Server {
    address: String,
    seen: Arc<Mutex<Seen>>,
}

impl Server {
    async fn start(peer: Peer, loss: Loss) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = seen.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, peer, loss, shared.clone()));
            }
        });
        Self { address, seen }
    }

    /// A way to it that was tried.
    async fn tried(&self) -> Connection {
        let mut connection = Connection::to(self.address.clone(), ROWS);
        if let Some(kept) = Kept::shown(&connection, &context(), &sample()).await {
            connection.ask_for_lost_replies(kept);
        }
        self.seen.lock().unwrap().ran.clear();
        connection
    }
}

/// Serves one request: its path says whether it is a change, whose reply then gets lost.
async fn serve(stream: TcpStream, peer: Peer, loss: Loss, seen: Arc<Mutex<Seen>>) {
    let mut stream = BufReader::new(stream);
    let (mut head, mut length, mut key, mut method) = (String::new(), 0, None, None);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) <= 2 {
            break;
        }
        let lower = line.trim().to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        key = lower.strip_prefix("x-idempotency-key: ").map(str::to_owned).or(key);
        method = lower.strip_prefix("x-http-method-override: ").map(str::to_owned).or(method);
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    let is_change = head.contains("/change");
    let overridden = method.as_deref() == Some("lock");
    let verb = head.split(' ').next().unwrap().to_owned();
    let what = match method.filter(|_| !overridden) {
        Some(method) => format!("{verb} as {method}"),
        None if verb == "POST" => String::from_utf8(body.clone()).unwrap(),
        None => verb,
    };
    let reply = {
        let mut seen = seen.lock().unwrap();
        seen.questions += u32::from(overridden && is_change);
        seen.requests += 1;
        let stumbles = peer == Peer::Stumbles && seen.requests == 1;
        let kept = key.as_ref().filter(|_| peer != Peer::Runs).and_then(|key| seen.kept.get(key).cloned());
        match kept {
            Some(kept) => kept,
            None if stumbles => b"HTTP/1.1 500 no\r\ncontent-length: 4\r\n\r\nsoon".to_vec(),
            None => {
                let reply = if overridden && !matches!(peer, Peer::KeepsAndRuns | Peer::Runs) {
                    b"HTTP/1.1 404 no\r\ncontent-length: 8\r\n\r\nno route".to_vec()
                } else {
                    seen.ran.push(what);
                    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
                    [head.as_bytes(), &body].concat()
                };
                if let Some(key) = key.filter(|_| !(is_change && peer == Peer::Forgets)) {
                    seen.kept.insert(key, reply.clone());
                }
                if is_change && !overridden { Vec::new() } else { reply }
            }
        }
    };
    if reply.is_empty() && loss == Loss::Silent {
        Notify::new().notified().await;
    }
    let _gone = stream.get_mut().write_all(&reply).await;
}

fn context() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

fn sample() -> Sample {
    Sample {
        path: "/look".into(),
        bodies: [Bytes::from_static(b"one"), Bytes::from_static(b"two")],
        refused: |reply: &Reply| reply.status == 404,
    }
}

fn change() -> Request {
    Request {
        method: Method::POST,
        path: "/change".into(),
        body: Bytes::from_static(b"press"),
        effect: Effect::Mutates,
    }
}

#[tokio::test]
async fn only_a_peer_that_does_nothing_for_a_question_is_asked() {
    let peers = [
        (Peer::Keeps, true),
        (Peer::Forgets, true),
        (Peer::Stumbles, true),
        (Peer::KeepsAndRuns, false),
        (Peer::Runs, false),
    ];
    for (peer, shown) in peers {
        let server = Server::start(peer, Loss::Closed).await;
        let connection = Connection::to(server.address.clone(), ROWS);
        assert_eq!(Kept::shown(&connection, &context(), &sample()).await.is_some(), shown, "{peer:?}");
    }
}

#[tokio::test]
async fn a_lost_reply_that_was_kept_is_the_result_and_nothing_runs_twice() {
    for loss in [Loss::Closed, Loss::Silent] {
        let server = Server::start(Peer::Keeps, loss).await;
        let connection = server.tried().await;
        let context = Context::with_limit(Duration::from_secs(2));
        let Sent::Answered(answered) = connection.exchange(&context, &change()).await else { panic!("{loss:?}: lost") };
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
        let reply = answered.completed();
        assert_eq!((reply.status, &reply.body[..], reply.kept), (200, &b"press"[..], true), "{loss:?}");
        assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
        let seen = server.seen.lock().unwrap();
        assert_eq!((&seen.ran[..], seen.questions), (&["press".to_owned()][..], 1), "{loss:?}");
    }
}

#[tokio::test]
async fn a_lost_reply_that_was_not_kept_stays_lost_and_nothing_runs_twice() {
    for (peer, questions) in [(Peer::Forgets, 1), (Peer::KeepsAndRuns, 0), (Peer::Runs, 0)] {
        for loss in [Loss::Closed, Loss::Silent] {
            let server = Server::start(peer, loss).await;
            let connection = server.tried().await;
            let context = Context::with_limit(Duration::from_secs(1));
            let Sent::Lost(lost) = connection.exchange(&context, &change()).await else { panic!("{peer:?}: not lost") };
            assert_eq!(lost.timed_out(), loss == Loss::Silent);
            assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
            let seen = server.seen.lock().unwrap();
            assert_eq!((&seen.ran[..], seen.questions), (&["press".to_owned()][..], questions), "{peer:?} {loss:?}");
        }
    }
}

#[tokio::test]
async fn what_only_looks_is_not_asked_for() {
    let server = Server::start(Peer::Keeps, Loss::Closed).await;
    let connection = server.tried().await;
    let look = Request { effect: Effect::Observes, ..change() };
    for request in [look, Request { method: Method::GET, ..change() }] {
        assert!(matches!(connection.exchange(&context(), &request).await, Sent::Lost(_)));
    }
    assert_eq!(server.seen.lock().unwrap().questions, 0);
}

/// These peers keep nothing of a DELETE.
#[tokio::test]
async fn a_delete_goes_as_a_post_that_asks_to_be_taken_for_one() {
    let server = Server::start(Peer::Keeps, Loss::Closed).await;
    let connection = server.tried().await;
    let request = Request { method: Method::DELETE, ..change() };
    let Sent::Answered(answered) = connection.exchange(&context(), &request).await else { panic!("lost") };
    assert!(answered.completed().kept);
    {
        let seen = server.seen.lock().unwrap();
        assert_eq!((&seen.ran[..], seen.questions), (&["POST as delete".to_owned()][..], 1));
    }
    let plain = Connection::to(server.address.clone(), ROWS);
    assert!(matches!(plain.exchange(&context(), &request).await, Sent::Lost(_)));
    assert_eq!(server.seen.lock().unwrap().ran[1], "DELETE");
}
