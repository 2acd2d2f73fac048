//! A daemon in this process, spoken to in lines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::time::Duration;

use contract::{
    Request,
    request::{LINE_LIMIT, method},
};
use proof::{patience::until, world::World};
use serde_json::json;
use stage::{FaultKind, Operation};

const SLOW: Duration = Duration::from_millis(300);

async fn fine(world: World) {
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_on_two_connections_runs_once_and_answers_both() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, SLOW);
    let request = session.request("press id=save");
    let (mut first, mut second) = (world.line().await, world.line().await);
    first.send(method::RUN, &request).await;
    until("the press is under way", || session.struck() == 1).await;
    second.send(method::RUN, &request).await;
    let (one, two) = (first.reply().await.unwrap().outcome.unwrap(), second.reply().await.unwrap().outcome.unwrap());
    assert_eq!(one, two);
    // And once more when it is long done.
    assert_eq!(world.run(&request).await.unwrap(), one["data"]);
    assert_eq!(session.effects("save").presses, 1);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_result_of_a_request_whose_client_went_away_is_kept() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, SLOW);
    let request = session.request("press id=save");
    let mut gone = world.line().await;
    gone.send(method::RUN, &request).await;
    until("the press is under way", || session.struck() == 1).await;
    drop(gone);
    // The press in flight is joined: it is in effect, and its caller can still learn so.
    world.result_of(&request.request_id).await.unwrap();
    assert_eq!(session.effects("save").presses, 1);
    session.does("press id=save").await;
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_does_one_thing_at_a_time() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, SLOW);
    let (mut first, mut second) = (world.line().await, world.line().await);
    first.send(method::RUN, &session.request("press id=leave")).await;
    until("the first is under way", || session.struck() == 1).await;
    second.send(method::RUN, &session.request("press id=save")).await;
    first.reply().await.unwrap().outcome.unwrap();
    // The second found what the first left: another screen.
    let told = second.reply().await.unwrap().outcome.unwrap_err();
    assert_eq!(told.row.as_deref(), Some("daemon.refusal.absent"), "{:#}", told.error);
    assert_eq!(session.probe().log(), ["press leave"]);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_written_without_waiting_run_in_their_order() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let mut line = world.line().await;
    let mut sent = Vec::new();
    for number in 0..40 {
        line.send(method::RUN, &session.request(&format!("fill id=name number-{number}"))).await;
        sent.push((line.send(method::RUN, &session.request("get text id=name")).await, format!("number-{number}")));
    }
    let mut replies = Vec::new();
    for _ in 0..2 * sent.len() {
        replies.push(line.reply().await.unwrap());
    }
    for (id, text) in sent {
        let reply = replies.iter().find(|reply| reply.id == id).unwrap();
        assert_eq!(reply.outcome.as_ref().unwrap()["data"]["text"], json!(text));
    }
    drop(line);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_session_does_not_wait() {
    let world = World::start(None).await;
    let busy = world.on_ground().await;
    busy.slow(Operation::Press, FaultKind::Delay, Duration::from_secs(5));
    let mut line = world.line().await;
    line.send(method::RUN, &busy.request("press id=save")).await;
    until("one session is busy", || busy.struck() == 1).await;
    let other = world.session("other").on("stage-1");
    other.does("open demo").await;
    other.does("press id=go-counter").await;
    assert!(busy.landed() == 0, "the first is still under way");
    let listed = other.does("session list").await;
    let rows = listed["sessions"].as_array().unwrap();
    let busy_of = |name: &str| rows.iter().find(|row| row["name"] == name).map(|row| row["busy"].clone());
    assert_eq!((busy_of("ground"), busy_of("other")), (Some(json!(true)), Some(json!(false))));
    drop(line);
    busy.probe().faults().clear();
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_with_a_budget_waits_for_its_target_and_presses_once() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let request = Request { readiness_timeout_ms: Some(2000), ..session.request("press id=late") };
    let answer = world.run(&request).await.unwrap();
    assert!(answer["readiness"]["polls"].as_u64() >= Some(2), "{answer}");
    assert_eq!(session.effects("late").presses, 1);
    // What is there needs one look, and says nothing of waiting.
    let request = Request { readiness_timeout_ms: Some(2000), ..session.request("press id=save") };
    assert_eq!(world.run(&request).await.unwrap()["readiness"], json!(null));
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_without_a_budget_looks_once() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let told = session.fails("press id=late").await;
    assert_eq!((told.code.as_str(), told.detail("readiness")), ("ELEMENT_NOT_FOUND", &json!(null)));
    assert_eq!(session.effects("late").presses, 0);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ends_a_wait_for_readiness_ends_it_at_once() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    for (line, row) in [
        ("press label=Twin", "daemon.refusal.ambiguous"),
        ("press id=under", "daemon.refusal.covered"),
        ("press id=outside", "daemon.refusal.offscreen"),
        ("press @e999", "daemon.refusal.ref-not-issued"),
    ] {
        let told = session.fails_at(&Request { readiness_timeout_ms: Some(2000), ..session.request(line) }).await;
        assert_eq!((told.row.as_deref(), told.detail("readiness")), (Some(row), &json!(null)), "{line}");
    }
    assert_eq!(session.landed(), 0);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_comes_over_the_socket_the_daemon_goes_on() {
    let world = World::start(None).await;
    let mut line = world.line().await;
    for garbage in [
        &b"\n"[..],
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\xff\xfe\n",
        b"{\"method\":7}\n",
        b"{\"method\":\"run\",\"params\":[]}\n",
    ] {
        line.write(garbage).await;
        if garbage != b"\n" {
            line.reply().await.unwrap().outcome.unwrap_err();
        }
    }
    // The same connection is still of use.
    line.call(method::RUN, &world.session("a").request("session list")).await.unwrap();
    // A line that is too long is the end of its connection, after the daemon said so.
    let mut long = world.line().await;
    long.write(&vec![b' '; LINE_LIMIT + 1]).await;
    assert_eq!(long.reply().await.unwrap().outcome.unwrap_err().reason.as_deref(), Some("line_too_long"));
    assert_eq!(long.reply().await, None);
    // Half a line and away.
    world.line().await.write(b"{\"jsonrpc\":").await;
    world.session("a").does("session list").await;
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_without_a_hello_is_refused_and_stopping_is_not() {
    let world = World::start(None).await;
    let session = world.session("a");
    let mut line = world.raw_line().await;
    let told = line.call(method::RUN, &session.request("session list")).await.unwrap_err();
    assert_eq!(told.code, "VERSION_MISMATCH");
    let stopped = line.call(method::RUN, &session.request("daemon stop")).await.unwrap();
    assert_eq!(stopped["data"]["stopped"], true);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_without_the_end_of_its_line_is_never_run() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let request = session.request("press id=save");
    let whole = json!({"jsonrpc": "2.0", "id": 1, "method": "run", "params": request}).to_string();
    // A client that could not write the line's end tells its caller that nothing was sent.
    let mut line = world.line().await;
    line.write(whole.as_bytes()).await;
    line.close().await;
    assert_eq!(line.reply().await, None, "the daemon is done with the connection");
    assert!(world.router.requests.again(&request.request_id).is_none());
    assert_eq!(session.landed(), 0);
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_comes_in_pieces_while_another_request_ends_is_read_whole() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, SLOW);
    let mut line = world.line().await;
    line.send(method::RUN, &session.request("press id=save")).await;
    let later =
        json!({"jsonrpc": "2.0", "id": "later", "method": "run", "params": session.request("get text id=save")});
    let (head, tail) = (later.to_string(), "\n");
    line.write(head.as_bytes()).await;
    line.reply().await.unwrap().outcome.unwrap();
    line.write(tail.as_bytes()).await;
    let reply = line.reply().await.unwrap();
    assert_eq!((reply.id, reply.outcome.unwrap()["data"]["text"].clone()), (json!("later"), json!("Save")));
    fine(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_client_does_not_hold_a_daemon_that_is_to_stop() {
    let world = World::start(None).await;
    let mut idle = world.line().await;
    idle.call(method::RUN, &world.session("a").request("session list")).await.unwrap();
    world.router.stop.cancel();
    assert_eq!(idle.reply().await, None, "its connection is closed");
    let started = std::time::Instant::now();
    fine(world).await;
    assert!(started.elapsed() < Duration::from_secs(5), "it waited for a client that asks for nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn gestures_are_planned_on_the_screen_and_counted_once() {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.does("gesture fling up 200 200 600").await;
    let dragged = session.does("gesture drag id=save id=leave --hold-ms 40 --duration-ms 80").await;
    assert_eq!((dragged["contacts"].as_u64(), dragged["durationMs"].as_u64()), (Some(1), Some(120)));
    let spread = session.does("gesture pinch 2 --duration-ms 60").await;
    assert_eq!(spread["contacts"], 2);
    assert_eq!(session.landed(), 3, "{:?}", session.probe().log());
    for (line, code) in [
        ("gesture pan 10 10 5000 0", "OUTSIDE_VIEWPORT"),
        ("gesture pinch 20", "OUTSIDE_VIEWPORT"),
        ("gesture drag id=save id=nowhere", "ELEMENT_NOT_FOUND"),
        ("app-switcher", "UNSUPPORTED_OPERATION"),
        ("settings wifi off", "UNSUPPORTED_OPERATION"),
        ("apps --all", "UNSUPPORTED_OPERATION"),
    ] {
        let told = session.fails(line).await;
        assert_eq!((told.code.as_str(), told.dispatched.as_str()), (code, "no"), "{line}: {:#}", told.error);
    }
    assert_eq!(session.landed(), 3);
    fine(world).await;
}

/// Closing has a time of its own, so that it is never left half done: its caller is answered in time all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_close_that_outlasts_its_limit_is_answered_in_time_and_keeps_the_turn_until_it_has_ended() {
    const LONG: Duration = Duration::from_secs(4);
    let world = World::start(None).await;
    let session = world.on_ground().await;
    session.slow(Operation::Close, FaultKind::Delay, LONG);
    let probe = session.probe();
    let began = std::time::Instant::now();
    let told = session.fails_at(&session.within(200, "close")).await;
    assert!(began.elapsed() < LONG, "{:?}", began.elapsed());
    assert_eq!(
        (told.code.as_str(), told.dispatched.as_str(), told.row.as_deref()),
        ("TIMEOUT", "unknown", Some("daemon.deadline-after-send")),
        "{:#}",
        told.error
    );
    assert!(!probe.closed(), "it is still being closed");
    // The next command has its turn when that has ended.
    session.does(&format!("open {}", world.ground().display())).await;
    assert!(began.elapsed() >= LONG && probe.closed());
    session.does("press id=save").await;
    fine(world).await;
}
