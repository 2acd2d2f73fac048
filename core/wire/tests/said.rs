//! What a person is told of a send: which end it came to, and why.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{io, time::Duration};

use bytes::Bytes;
use contract::{Code, Effect, Row};
use hyper::Method;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    net::TcpListener,
};
use wire::{
    Channel, Context, Lost, Sent, channel,
    http::{self, Connection, Request},
};

const ROWS: channel::Rows = channel::Rows {
    not_written: Row::AdbNotWritten,
    lost: Row::AdbReplyLost,
    timeout: Row::AdbTimeoutAfterSend,
    look_lost: Row::AdbLookLost,
    unreadable: Row::AdbReplyUnreadable,
};
const HTTP: http::Rows = http::Rows {
    connect_refused: Row::WebdriverConnectRefused,
    not_written: Row::WebdriverNotWritten,
    lost: Row::WebdriverReplyLost,
    timeout: Row::WebdriverTimeoutAfterSend,
    look_lost: Row::WebdriverLookLost,
};

async fn read(mut stream: DuplexStream) -> io::Result<u8> {
    stream.read_u8().await
}

/// An operation over a stream whose other end is left to `peer`.
async fn operation(
    limit: Duration,
    effect: Effect,
    reading: impl AsyncFnOnce(DuplexStream) -> io::Result<u8>,
    peer: impl AsyncFnOnce(DuplexStream),
) -> Sent<u8> {
    let (ours, theirs) = duplex(64);
    let context = Context::with_limit(limit);
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(ours) }).await.unwrap();
    let (sent, ()) =
        tokio::join!(channel.operate(&context, effect, ROWS, b"tap", |stream| reading(stream)), peer(theirs));
    sent
}

fn lost(sent: Sent<u8>) -> Lost {
    match sent {
        Sent::Lost(lost) => lost,
        other => panic!("not lost: {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_broken_stream_says_who_closed_it() {
    let whole = async |mut peer: DuplexStream| drop(peer.read_exact(&mut [0; 3]).await);
    let lost = lost(operation(Duration::from_secs(5), Effect::Mutates, read, whole).await);
    assert_eq!(lost.cause(), "the connection broke after the request was written (the other side closed it)");
    let failure = lost.failure("could not tap");
    assert_eq!((failure.code, failure.reason_str()), (Code::CommandFailed, Some("reply_lost")));
    assert!(failure.message.starts_with("could not tap: the connection broke"), "{}", failure.message);
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_cannot_be_read_says_so_and_nothing_of_a_broken_connection() {
    let garbled = async |_stream| Err(io::Error::new(io::ErrorKind::InvalidData, "HTTP is no status"));
    let whole = async |mut peer: DuplexStream| drop(peer.read_exact(&mut [0; 3]).await);
    let lost = lost(operation(Duration::from_secs(5), Effect::Mutates, garbled, whole).await);
    assert_eq!(lost.cause(), "the reply cannot be read (HTTP is no status)");
    assert_eq!(lost.row(), Row::AdbReplyUnreadable);
    assert_eq!(lost.failure("x").reason_str(), Some("reply_unreadable"));
}

#[tokio::test(start_paused = true)]
async fn a_late_reply_says_that_the_time_was_over() {
    let waits = async |mut peer: DuplexStream| {
        peer.read_exact(&mut [0; 3]).await.unwrap();
        // Until the other end gives up.
        let _end = peer.read_u8().await;
    };
    let lost = lost(operation(Duration::from_secs(5), Effect::Mutates, read, waits).await);
    assert_eq!(lost.cause(), "no end of the reply within the time limit");
    assert!(lost.timed_out());
    let failure = lost.failure("x");
    assert_eq!((failure.code, failure.reason_str()), (Code::Timeout, Some("reply_timeout")));
}

#[tokio::test(start_paused = true)]
async fn what_was_not_written_says_what_stood_in_the_way() {
    let gone = async |peer: DuplexStream| drop(peer);
    let (ours, theirs) = duplex(64);
    gone(theirs).await;
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(ours) }).await.unwrap();
    let Sent::NotSent(proof) = channel.operate(&context, Effect::Mutates, ROWS, b"tap", read).await else {
        panic!("nobody was there")
    };
    assert!(proof.cause().starts_with("the connection was closed before anything was written ("), "{}", proof.cause());
    let failure = proof.failure(Code::SessionLost, "could not tap");
    assert!(failure.message.starts_with("could not tap: the connection was closed"), "{}", failure.message);

    let (ours, _theirs) = duplex(64);
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(ours) }).await.unwrap();
    let late = context.until(Duration::ZERO);
    let Sent::NotSent(proof) = channel.operate(&late, Effect::Mutates, ROWS, b"tap", read).await else {
        panic!("the time was over")
    };
    assert_eq!(proof.cause(), "the time limit passed before anything was written");
}

#[tokio::test(start_paused = true)]
async fn a_lost_reply_can_be_put_under_a_row_that_says_more() {
    let whole = async |mut peer: DuplexStream| drop(peer.read_exact(&mut [0; 3]).await);
    let lost = lost(operation(Duration::from_secs(5), Effect::Mutates, read, whole).await);
    let under = lost.under(Row::HelperJournalForgotten, "the journal does not reach back");
    assert_eq!((under.row(), under.cause()), (Row::HelperJournalForgotten, "the journal does not reach back"));
    assert_eq!(under.failure("x").claim().unwrap().row, Row::HelperJournalForgotten);
}

#[tokio::test(start_paused = true)]
async fn a_context_refuses_to_begin_for_a_caller_that_is_gone_or_out_of_time() {
    let context = Context::with_limit(Duration::from_secs(5));
    context.check().unwrap();
    assert_eq!(context.until(Duration::from_secs(2)).left(), Duration::from_secs(2));
    assert_eq!(context.until(Duration::from_secs(9)).left(), Duration::from_secs(5), "never more than there is");
    let late = context.until(Duration::ZERO).check().unwrap_err();
    assert_eq!((late.code, late.reason_str()), (Code::Timeout, Some("deadline_exceeded")));
    context.cancel.cancel();
    let gone = context.check().unwrap_err();
    assert_eq!((gone.code, gone.reason_str()), (Code::Cancelled, Some("request_canceled")));
}

fn request(body: Vec<u8>) -> Request {
    Request { method: Method::POST, path: "/x".into(), body: Bytes::from(body), effect: Effect::Mutates }
}

#[tokio::test]
async fn a_broken_http_connection_says_what_broke_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let connection = Connection::to(address.clone(), HTTP);
    assert_eq!(connection.authority(), address);
    let peer = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = [0; 1024];
        assert!(stream.read(&mut read).await.unwrap() > 0);
        stream.write_all(b"HTTP/9.9 nonsense\r\n\r\n").await.unwrap();
    };
    let context = Context::with_limit(Duration::from_secs(5));
    let body = request(b"{}".to_vec());
    let (sent, ()) = tokio::join!(connection.exchange(&context, &body), peer);
    let Sent::Lost(lost) = sent else { panic!("not lost") };
    // hyper's own words, with the cause that it keeps in the source.
    assert!(lost.cause().contains("invalid HTTP version"), "{}", lost.cause());
}

/// A request that is given up half-way must not be finished by a task that nobody waits for any more.
#[tokio::test]
async fn a_request_that_is_given_up_half_way_is_not_finished_behind_its_back() {
    const LENGTH: usize = 64 << 20;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let connection = Connection::to(listener.local_addr().unwrap().to_string(), HTTP);
    let context = Context::with_limit(Duration::from_secs(30));
    let body = request(vec![b' '; LENGTH]);
    let mut exchange = Box::pin(connection.exchange(&context, &body));
    let mut stream = tokio::select! {
        accepted = listener.accept() => accepted.unwrap().0,
        sent = &mut exchange => panic!("nobody has answered: {sent:?}"),
    };
    // Some of it is read, so it is under way; then the caller goes.
    let mut chunk = vec![0; 1 << 16];
    let first = tokio::select! {
        count = stream.read(&mut chunk) => count.unwrap(),
        sent = &mut exchange => panic!("nobody has answered: {sent:?}"),
    };
    drop(exchange);
    drop(connection);
    let mut read = first;
    while let Ok(count @ 1..) = stream.read(&mut chunk).await {
        read += count;
    }
    assert!(read < LENGTH, "all {read} bytes came");
}
