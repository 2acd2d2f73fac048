//! What a connection says of a request, against a real socket whose other end misbehaves.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use contract::{Effect, Row, Sends};
use hyper::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use wire::{
    Context, Sent,
    http::{Connection, Reply, Request, Rows},
};

const ROWS: Rows = Rows {
    connect_refused: Row::WebdriverConnectRefused,
    not_written: Row::WebdriverNotWritten,
    lost: Row::WebdriverReplyLost,
    timeout: Row::WebdriverTimeoutAfterSend,
    look_lost: Row::WebdriverLookLost,
};
const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

fn press() -> Request {
    Request {
        method: Method::POST,
        path: "/session/1/actions".into(),
        body: Bytes::from_static(b"{\"actions\":[]}"),
        effect: Effect::Mutates,
    }
}

fn context() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// Reads a request to its end.
async fn read_request(stream: &mut TcpStream) {
    let mut seen = Vec::new();
    let mut chunk = [0; 1024];
    while !seen.ends_with(b"{\"actions\":[]}") {
        let count = stream.read(&mut chunk).await.unwrap();
        assert!(count > 0, "closed before the whole request came");
        seen.extend_from_slice(&chunk[..count]);
    }
}

fn row(sent: &Sent<Reply>) -> (&'static str, Option<Row>) {
    match sent {
        Sent::NotSent(proof) => ("not sent", Some(proof.row())),
        Sent::Lost(_) => ("lost", None),
        Sent::Answered(_) => ("answered", None),
    }
}

#[tokio::test]
async fn nobody_listening_is_proof_that_nothing_was_sent() {
    let (listener, address) = listener().await;
    drop(listener);
    let context = context();
    let sent = Connection::to(address, ROWS).exchange(&context, &press()).await;
    assert_eq!(row(&sent), ("not sent", Some(Row::WebdriverConnectRefused)));
    assert_eq!(context.ledger.sends(), Sends::NONE);
}

#[tokio::test]
async fn a_connection_that_does_not_come_in_time_is_proof_that_nothing_was_sent() {
    let (_listener, address) = listener().await;
    // A deadline that lies before: nothing has a millisecond, by which timers count.
    let context = Context { deadline: tokio::time::Instant::now() - Duration::from_millis(20), ..context() };
    let Sent::NotSent(proof) = Connection::to(address.clone(), ROWS).exchange(&context, &press()).await else {
        panic!("there was no time to send anything")
    };
    assert_eq!(proof.row(), Row::WebdriverConnectRefused);
    assert_eq!(proof.cause(), format!("{address}: no connection within the time limit"));
}

/// Whether a port of this side stays taken for a connection to `address` that is over (TIME_WAIT); `None` where the system
/// does not tell.
fn waits(address: &str) -> Option<bool> {
    const TIME_WAIT: &str = "06";
    let port: u16 = address.rsplit(':').next()?.parse().ok()?;
    let peer = format!(":{port:04X}");
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    Some(
        table
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .any(|line| matches!(line[..], [_, _, remote, state, ..] if remote.ends_with(&peer) && state == TIME_WAIT)),
    )
}

#[tokio::test]
async fn a_connection_whose_reply_came_leaves_no_port_behind_and_another_one_is_not_reset() {
    for answers in [true, false] {
        let (listener, address) = listener().await;
        let peer = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_request(&mut stream).await;
            if answers {
                stream.write_all(OK).await.unwrap();
            }
            // Until the other side closes; how it does is what is looked at.
            let _closed = stream.read(&mut [0; 1]).await;
        });
        let context = Context::with_limit(if answers { Duration::from_secs(5) } else { Duration::from_millis(300) });
        let sent = Connection::to(address.clone(), ROWS).exchange(&context, &press()).await;
        assert_eq!(matches!(sent, Sent::Answered(_)), answers);
        drop(sent);
        peer.await.unwrap();
        if let Some(waits) = waits(&address) {
            assert_eq!(waits, !answers);
        }
    }
}

#[tokio::test]
async fn a_reply_counts_once_it_is_judged_and_stays_open_until_then() {
    let (listener, address) = listener().await;
    let peer = tokio::spawn(async move {
        for _ in 0..3 {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_request(&mut stream).await;
            stream.write_all(OK).await.unwrap();
        }
    });
    let context = context();
    let connection = Connection::to(address, ROWS);
    let Sent::Answered(answered) = connection.exchange(&context, &press()).await else { panic!("no answer") };
    assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
    assert_eq!(answered.completed().status, 200);
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
    let Sent::Answered(answered) = connection.exchange(&context, &press()).await else { panic!("no answer") };
    let proof = answered.refused(Row::WebdriverActionsInvalid, "refused");
    assert_eq!((context.ledger.sends(), proof.row()), (Sends { completed: 1, open: 0 }, Row::WebdriverActionsInvalid));
    let Sent::Answered(answered) = connection.exchange(&context, &press()).await else { panic!("no answer") };
    drop(answered);
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 1 });
    peer.await.unwrap();
}

#[tokio::test]
async fn a_connection_closed_after_the_request_is_a_lost_reply() {
    for cut in [0, 5, OK.len() - 1] {
        let (listener, address) = listener().await;
        let peer = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_request(&mut stream).await;
            stream.write_all(&OK[..cut]).await.unwrap();
        });
        let context = context();
        let sent = Connection::to(address, ROWS).exchange(&context, &press()).await;
        assert_eq!(row(&sent).0, "lost", "cut after {cut} bytes");
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
        peer.await.unwrap();
    }
}

#[tokio::test]
async fn no_reply_in_time_is_lost_and_a_late_reply_is_not_taken_for_the_next() {
    let (listener, address) = listener().await;
    let peer = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        read_request(&mut first).await;
        let (mut second, _) = listener.accept().await.unwrap();
        // The first reply comes after its caller has given up; the new connection must not see it.
        let _closed = first.write_all(b"HTTP/1.1 500 LATE\r\ncontent-length: 0\r\n\r\n").await;
        read_request(&mut second).await;
        second.write_all(OK).await.unwrap();
    });
    let connection = Connection::to(address, ROWS);
    let short = Context::with_limit(Duration::from_millis(500));
    let Sent::Lost(lost) = connection.exchange(&short, &press()).await else { panic!("not lost") };
    assert!(lost.timed_out());
    assert_eq!(short.ledger.sends(), Sends { completed: 0, open: 1 });
    let Sent::Answered(answered) = connection.exchange(&context(), &press()).await else { panic!("no answer") };
    assert_eq!(answered.completed().status, 200);
    peer.await.unwrap();
}

/// HTTP/1.1 does not say which request a reply belongs to.
#[tokio::test]
async fn a_reply_that_comes_twice_is_not_taken_for_the_next_requests() {
    for (at_once, then) in [(&b""[..], OK), (OK, b""), (OK, OK)] {
        let (listener, address) = listener().await;
        let peer = tokio::spawn(async move {
            let (mut first, _) = listener.accept().await.unwrap();
            read_request(&mut first).await;
            first.write_all(&[OK, at_once].concat()).await.unwrap();
            let (mut second, _) = listener.accept().await.unwrap();
            // Once more while the next request is under way; a client that is gone is as good.
            let _closed = first.write_all(then).await;
            read_request(&mut second).await;
            second.write_all(b"HTTP/1.1 404 SECOND\r\ncontent-length: 0\r\n\r\n").await.unwrap();
        });
        let connection = Connection::to(address, ROWS);
        let mut seen = Vec::new();
        for _ in 0..2 {
            let Sent::Answered(answered) = connection.exchange(&context(), &press()).await else { panic!("no answer") };
            seen.push(answered.completed().status);
        }
        assert_eq!(seen, [200, 404]);
        peer.await.unwrap();
    }
}

/// The race that makes clients resend: the peer closes the connection while the request is on its way. What is called
/// not sent must never have been read by the peer, in any of many races.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_called_not_sent_was_never_read_by_the_peer() {
    let (listener, address) = listener().await;
    let read = Arc::new(Mutex::new(String::new()));
    let seen = read.clone();
    tokio::spawn(async move {
        for round in 0.. {
            let (stream, _) = listener.accept().await.unwrap();
            let seen = seen.clone();
            tokio::spawn(async move {
                for _ in 0..round % 9 {
                    tokio::task::yield_now().await;
                }
                // Whatever lies in the socket when it is closed was written by the client.
                let mut text = vec![0; 4096];
                let length = stream.try_read(&mut text).unwrap_or(0);
                if round % 2 == 0 {
                    stream.set_zero_linger().unwrap();
                }
                drop(stream);
                seen.lock().unwrap().push_str(&String::from_utf8_lossy(&text[..length]));
            });
        }
    });
    let mut counts = (0, 0);
    let mut not_sent = Vec::new();
    for round in 0..30_000 {
        // As many races as show both ends, and some more.
        if round > 1000 && counts.0 > 0 && counts.1 > 0 {
            break;
        }
        let connection = Connection::to(address.clone(), ROWS);
        let context = Context::with_limit(Duration::from_secs(5));
        let path = format!("/round-{round}-");
        match connection.exchange(&context, &Request { path: path.clone(), ..press() }).await {
            Sent::NotSent(proof) => {
                // Of a connection that stood.
                counts.0 += u32::from(proof.row() == ROWS.not_written);
                assert_eq!(context.ledger.sends(), Sends::NONE);
                not_sent.push(path);
            }
            Sent::Lost(_) => {
                counts.1 += 1;
                assert_eq!(context.ledger.sends().open, 1);
            }
            Sent::Answered(_) => panic!("nobody answers"),
        }
    }
    let read = read.lock().unwrap();
    for path in &not_sent {
        assert!(!read.contains(path), "{path} was called not sent and was read");
    }
    assert!(counts.0 > 0 && counts.1 > 0, "both ends of the race are to be seen: {counts:?}");
}

/// The other race: the time limit passes while the request is just being handed over. What is called not sent must
/// not be written afterwards by a task that nobody waits for any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_limit_that_passes_while_the_request_is_handed_over_never_calls_it_not_sent_and_sends_it() {
    let (listener, address) = listener().await;
    let read = Arc::new(Mutex::new(String::new()));
    let seen = read.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let seen = seen.clone();
            tokio::spawn(async move {
                let mut chunk = [0; 4096];
                while let Ok(count @ 1..) = stream.read(&mut chunk).await {
                    let text = String::from_utf8_lossy(&chunk[..count]).into_owned();
                    if text.contains("/warm") {
                        stream.write_all(OK).await.unwrap();
                    }
                    seen.lock().unwrap().push_str(&text);
                }
            });
        }
    });
    let mut not_sent = Vec::new();
    let mut lost = 0;
    for round in 0..1500u64 {
        let connection = Connection::to(address.clone(), ROWS);
        // Around the time that it takes to connect and to hand the request over.
        let limit = tokio::time::Instant::now() + Duration::from_micros(round % 500);
        let context = Context { deadline: limit, ..context() };
        let path = format!("/round-{round}-");
        match connection.exchange(&context, &Request { path: path.clone(), ..press() }).await {
            Sent::NotSent(_) => {
                assert_eq!(context.ledger.sends(), Sends::NONE);
                not_sent.push(path);
            }
            Sent::Lost(_) => lost += 1,
            Sent::Answered(_) => panic!("nobody answers"),
        }
    }
    // What was still under way has arrived by the time a later request on a new connection is answered.
    let Sent::Answered(answered) =
        Connection::to(address, ROWS).exchange(&context(), &Request { path: "/warm".into(), ..press() }).await
    else {
        panic!("no answer")
    };
    let _reply = answered.completed();
    tokio::time::timeout(Duration::from_millis(200), std::future::pending::<()>()).await.unwrap_err();
    let read = read.lock().unwrap();
    for path in &not_sent {
        assert!(!read.contains(path.as_str()), "{path} was called not sent and was read");
    }
    assert!(!not_sent.is_empty() && lost > 0, "both ends of the race are to be seen: {}, {lost}", not_sent.len());
}
