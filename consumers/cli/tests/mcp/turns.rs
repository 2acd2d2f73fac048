//! Order, progress, cancellation, the end.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Pipes, Place, text_of};

#[test]
fn calls_that_were_sent_at_once_run_in_the_order_they_were_sent() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Counter"}));
    let call = |name: &str, args| json!({"name": name, "arguments": args});
    let mut asked = Vec::new();
    for count in 1..=8 {
        server.send("tools/call", call("press", json!({"target": "id=tap"})));
        let held = json!({"predicate": "exists", "target": format!("label=\"Pressed {count} times\"")});
        asked.push(server.send("tools/call", call("is", held)));
    }
    for id in asked {
        let answer = server.answer(id);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
}

/// A series of presses that takes most of a minute, asked for with word of its progress. Returns once it is under way.
fn series(server: &mut Pipes) -> u64 {
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Counter"}));
    let id = server.send(
        "tools/call",
        json!({
            "name": "press", "arguments": {"target": "id=tap", "count": 200, "intervalMs": 250},
            "_meta": {"progressToken": "p1"},
        }),
    );
    let word = server.hear();
    assert_eq!(word["method"], "notifications/progress", "{word}");
    assert_eq!(word["params"]["progressToken"], "p1");
    assert!(word["params"]["progress"].as_f64().unwrap() >= 2.9, "{word}");
    id
}

#[test]
fn a_cancelled_call_is_joined_and_the_next_answer_says_how_it_ended() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    let id = series(&mut server);
    server.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "enough"}}));
    let began = Instant::now();
    let next = server.send("tools/call", json!({"name": "snapshot", "arguments": {}}));
    let answer = loop {
        let heard = server.hear();
        assert_ne!(heard["id"], id, "the protocol has no answer for what was cancelled: {heard}");
        if heard["id"] == next {
            break heard;
        }
    };
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let blocks = answer["result"]["content"].as_array().unwrap();
    let note = blocks[0]["text"].as_str().unwrap();
    assert!(note.starts_with("Note: the cancelled call "), "{note}");
    assert!(note.contains("press") && note.contains("Error (CANCELLED)"), "{note}");
    assert!(note.contains("Dispatched: unknown (") && note.contains(" sent before)"), "some were sent: {note}");
    assert!(blocks[1]["text"].as_str().unwrap().contains("visible nodes"));
    // It is told once.
    assert!(!text_of(&server.call("snapshot", json!({}))).contains("Note:"));
}

#[test]
fn a_call_that_waits_for_its_turn_is_cancelled_without_having_begun() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    let long = series(&mut server);
    let queued = server.send("tools/call", json!({"name": "back", "arguments": {}}));
    for id in [queued, long] {
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    }
    let answer = server.call("is", json!({"predicate": "exists", "target": "id=tap"}));
    let notes = text_of(&answer);
    assert!(
        notes.contains("cancelled call back {} ended so: Error (CANCELLED): cancelled before it began\nDispatched: no"),
        "{notes}"
    );
    assert_eq!(answer["structuredContent"]["pass"], true, "what waited was never sent: {answer}");
}

#[test]
fn a_client_that_goes_away_ends_what_it_asked_for() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    let _id = series(&mut server);
    let took = server.end();
    assert!(took < Duration::from_secs(30), "{took:?}");
    // The session's turn is free again, and the timeline says what became of the press.
    let events = place.says(&["events"]);
    assert!(events.lines().any(|line| line.contains("press") && line.contains("CANCELLED")), "{events}");
}
