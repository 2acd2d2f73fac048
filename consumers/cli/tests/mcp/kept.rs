//! The daemon ends between two calls of one server: what was kept of it is not mistaken for a daemon.

use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Pipes, Place, text_of};

/// The daemon that answers in this place.
fn daemon(place: &Place) -> Value {
    serde_json::from_str::<Value>(&place.says(&["daemon", "status", "--json"])).unwrap()["data"].clone()
}

/// Whether a process has ended, its files closed; nobody may have asked how it ended yet. A zombie whose other threads
/// (`l`) are still ending has its files.
fn has_ended(pid: u64) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout);
    let state = state.trim();
    state.is_empty() || (state.starts_with('Z') && !state.contains('l'))
}

fn kill(pid: u64) {
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    let began = std::time::Instant::now();
    while !has_ended(pid) {
        assert!(began.elapsed().as_secs() < 60, "{pid} does not end");
        std::thread::yield_now();
    }
}

#[test]
fn a_daemon_that_was_stopped_is_started_again_by_the_next_call() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Counter"}));
    let first = daemon(&place);
    assert!(place.says(&["daemon", "stop"]).starts_with("Stopped"));
    assert!(server.text("open", json!({})).starts_with("Opened"), "a call that acts, and nothing is unknown");
    let second = daemon(&place);
    assert_ne!(first["instance"], second["instance"]);
    server.text("press", json!({"target": "label=Counter"}));
}

#[test]
fn what_is_asked_after_a_daemon_was_killed_reaches_another_and_is_not_called_unknown() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    server.text("snapshot", json!({}));
    kill(daemon(&place)["pid"].as_u64().unwrap());
    // Its sessions went with it.
    let refused = server.call("press", json!({"target": "label=Counter"}));
    let text = text_of(&refused);
    assert!(refused["isError"] == true && text.contains("\nDispatched: no\n"), "{text}");
    assert_eq!(refused["structuredContent"]["error"]["code"], "SESSION_NOT_FOUND", "{refused}");
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Counter"}));
}

#[test]
fn a_call_after_a_cancelled_one_has_a_connection_that_can_be_used() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Counter"}));
    let waits = server.send(
        "tools/call",
        json!({"name": "wait", "arguments": {"selector": "label=Nothing", "timeoutMs": 60_000}, "_meta": {"progressToken": "p"}}),
    );
    // It is under way once its progress is told.
    assert_eq!(server.hear()["method"], "notifications/progress");
    server.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waits}}));
    for count in 1..=3 {
        server.text("press", json!({"target": "id=tap"}));
        let held = json!({"predicate": "exists", "target": format!("label=\"Pressed {count} times\"")});
        assert_eq!(server.call("is", held)["structuredContent"]["pass"], true);
    }
}
