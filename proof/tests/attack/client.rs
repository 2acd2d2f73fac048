//! A client that floods the socket: memory stays bounded, and whoever else uses the daemon notices nothing.

use std::time::{Duration, Instant};

use contract::request::{LINE_LIMIT, method};
use proof::{
    patience::soon,
    world::{Session, World},
};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::UnixStream,
};

use crate::memory::{MIB, peak};

/// A command of another session, during an attack, ends within this time.
const UNDISTURBED: Duration = Duration::from_secs(10);

async fn works(session: &Session<'_>) {
    let began = Instant::now();
    session.does("press id=save").await;
    assert!(began.elapsed() < UNDISTURBED, "another session waited {:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_connections_leave_room_for_whoever_works() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let mut own = world.line().await;
    let before = peak();
    let mut open = Vec::new();
    let mut turned_away = 0;
    for number in 0..10_000 {
        let mut stream = soon("connecting", UnixStream::connect(world.state().socket())).await.unwrap();
        let _half = stream.write_all(b"{\"jsonrpc\":").await;
        if number >= 1000 {
            // The daemon says why it does not take it, and closes it.
            let mut said = String::new();
            soon("being turned away", stream.read_to_string(&mut said)).await.unwrap_or_default();
            turned_away += 1;
            continue;
        }
        open.push(stream);
    }
    assert_eq!(turned_away, 9000, "more connections are kept than the daemon takes");
    let request = session.request("press id=save");
    own.call(method::RUN, &request).await.unwrap_or_else(|told| panic!("who was there first: {:#}", told.error));
    assert!(peak() - before < 200 * MIB, "{} MiB for connections", (peak() - before) / MIB);
    drop(open);
    soon("room for others", async {
        while session.run("press id=save").await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_without_an_end_cost_what_they_hold_and_no_more() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let before = peak();
    // One that is longer than a line may be: it is refused, not collected.
    let mut stream = BufReader::new(UnixStream::connect(world.state().socket()).await.unwrap());
    let (mut sent, part) = (0, vec![b'x'; 1 << 20]);
    while sent < 64 && stream.get_mut().write_all(&part).await.is_ok() {
        sent += 1;
    }
    let mut said = String::new();
    let _closed = soon("the refusal", stream.read_line(&mut said)).await;
    assert!(sent < 64 || said.contains("line_too_long"), "64 MiB were taken: {said}");
    works(&session).await;
    // Many halves.
    let mut halves = Vec::new();
    for _ in 0..200 {
        let mut stream = UnixStream::connect(world.state().socket()).await.unwrap();
        soon("half a line", stream.write_all(&vec![b' '; 64 << 10])).await.unwrap();
        halves.push(stream);
    }
    works(&session).await;
    assert!(peak() - before < 200 * MIB, "{} MiB", (peak() - before) / MIB);
    drop(halves);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn nesting_and_words_of_megabytes_are_refused_at_once() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let big = LINE_LIMIT - (64 << 10);
    let before = peak();
    let deep = |open: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{}\n", open.repeat(big / open.len()));
    let run = |command: &str, args: serde_json::Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "run", "params": {"requestId": "r", "command": command, "args": args}})
            .to_string()
            + "\n"
    };
    let word = "x".repeat(big / 2);
    for (what, line) in [
        ("lists in lists", deep("[")),
        ("objects in objects", deep("{\"a\":")),
        ("a command of 8 MiB", run(&word, json!({}))),
        ("an argument's name of 8 MiB", run("press", json!({ &*word: 1 }))),
        ("a selector of 8 MiB", run("press", json!({"target": format!("{word}=1")}))),
        ("a selector's value of 8 MiB", run("press", json!({"target": format!("label={word}")}))),
        ("a line of a batch of 8 MiB", run("batch", json!({"steps": [word]}))),
        ("a million numbers", run("press", json!({"target": vec![1; 1_000_000]}))),
    ] {
        let began = Instant::now();
        let mut own = world.line().await;
        own.write(line.as_bytes()).await;
        let reply = own.reply().await.unwrap_or_else(|| panic!("{what}: no answer"));
        let told = reply.outcome.expect_err(what);
        assert_eq!(told.dispatched, "no", "{what}");
        assert!(began.elapsed() < Duration::from_secs(20), "{what} took {:?}", began.elapsed());
        works(&session).await;
    }
    assert!(peak() - before < 900 * MIB, "{} MiB", (peak() - before) / MIB);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_piled_up_wait_in_the_socket_and_all_get_their_answer() {
    const REQUESTS: usize = 30_000;
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let before = peak();
    let stream = UnixStream::connect(world.state().socket()).await.unwrap();
    let (reader, mut writer) = stream.into_split();
    let hello = json!({"jsonrpc": "2.0", "id": "h", "method": "hello", "params": {"version": contract::VERSION}});
    writer.write_all(format!("{hello}\n").as_bytes()).await.unwrap();
    let writing = tokio::spawn(async move {
        for number in 0..REQUESTS {
            let session = format!("flood-{number}");
            let request = json!({"jsonrpc": "2.0", "id": number, "method": "run", "params":
                {"requestId": format!("flood-{number}"), "session": session, "command": "snapshot", "args": {}}});
            writer.write_all(format!("{request}\n").as_bytes()).await.unwrap();
        }
        writer
    });
    // Nobody reads: what is written piles up until the socket takes no more.
    for _ in 0..20 {
        works(&session).await;
    }
    assert!(!writing.is_finished(), "everything was taken although nobody reads the answers");
    assert!(peak() - before < 100 * MIB, "{} MiB for requests", (peak() - before) / MIB);
    // Read, it all goes through, and every request has its answer.
    let mut lines = BufReader::new(reader).lines();
    for number in 0..=REQUESTS {
        let line = soon("an answer", lines.next_line()).await.unwrap();
        assert!(line.is_some_and(|line| line.starts_with('{')), "answer {number}");
    }
    drop(writing.await.unwrap());
    assert!(peak() - before < 200 * MIB, "{} MiB", (peak() - before) / MIB);
    assert_eq!(world.end().await, Vec::<String>::new());
}
