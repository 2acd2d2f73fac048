//! A recorded script, run as a call.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Pipes, Place, text_of};

fn replays(args: Value) -> Value {
    json!({"command": "replay", "args": args})
}

#[test]
fn a_recorded_script_is_run_with_word_of_every_step() {
    let place = Place::new();
    fs::write(place.path().join("tap.ad"), "open demo\npress ${WHERE}\npress id=tap\n").unwrap();
    let mut server = Pipes::start(&place, &[]);
    let overview = server.text("more", json!({}));
    assert!(overview.contains("\n  replay "), "{overview}");
    let help = server.text("more", json!({"help": "replay"}));
    assert!(help.starts_with("Called as more ") && help.contains("planDigest"), "{help}");

    let asked = server.send(
        "tools/call",
        json!({
            "name": "more", "_meta": {"progressToken": "p"},
            "arguments": replays(json!({"path": "tap.ad", "env": {"WHERE": "label=Counter"}})),
        }),
    );
    let mut steps = Vec::new();
    let answer = loop {
        let heard = server.hear();
        if heard["id"] == asked {
            break heard;
        }
        assert_eq!(heard["params"]["progress"], (steps.len() + 1) as f64, "{heard}");
        steps.push(heard["params"]["message"].as_str().unwrap().to_owned());
    };
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert!(text_of(&answer["result"]).starts_with("Replayed 3 steps of tap.ad"), "{answer}");
    assert_eq!(steps.len(), 3, "{steps:?}");
    assert!(steps[2].starts_with("step 3 passed: press id=tap"), "{steps:?}");
    // In the session of the server's other calls.
    let held = server.call("is", json!({"predicate": "exists", "target": "label=\"Pressed 1 times\""}));
    assert_eq!(held["structuredContent"]["pass"], true, "{held}");
}

#[test]
fn a_script_that_diverges_says_where_to_go_on_and_is_gone_on_with() {
    let place = Place::new();
    let script = "open demo\npress label=Counter\nis exists 'label=\"Pressed 1 times\"'\npress id=tap\n";
    fs::write(place.path().join("tap.ad"), script).unwrap();
    let mut server = Pipes::start(&place, &[]);
    let failed = server.call("more", replays(json!({"path": "tap.ad"})));
    let text = text_of(&failed);
    assert_eq!(failed["isError"], true, "{failed}");
    assert!(text.starts_with("Error (REPLAY_DIVERGENCE): "), "{text}");
    assert!(text.contains("\nDispatched: "), "{text}");
    let details = &failed["structuredContent"]["error"]["details"];
    let resume = if details["resume"].is_object() { &details["resume"] } else { &details["divergence"]["resume"] };
    let (from, digest) = (resume["from"].clone(), &resume["planDigest"].as_str().unwrap()[..12]);
    assert_eq!(from, 3, "{failed}");
    let said = format!(r#"{{"from":3,"planDigest":"{digest}"}}"#);
    assert!(text.contains(&said), "{text}");
    // What is missing is done, then the rest is run.
    server.text("press", json!({"target": "id=tap"}));
    let rest = server.text("more", replays(json!({"path": "tap.ad", "from": from, "planDigest": digest})));
    assert!(rest.starts_with("Replayed 2 steps"), "{rest}");
    let held = server.call("is", json!({"predicate": "exists", "target": "label=\"Pressed 2 times\""}));
    assert_eq!(held["structuredContent"]["pass"], true, "{held}");
}

#[test]
fn what_cannot_be_replayed_is_refused_before_anything_is_sent() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    for (args, what) in [
        (json!({"path": "none.ad"}), "none.ad"),
        (json!({"path": "none.ad", "from": 2}), "planDigest"),
        (json!({"file": "none.ad"}), "needs the path"),
    ] {
        let failed = server.call("more", replays(args));
        let text = text_of(&failed);
        assert!(failed["isError"] == true && text.contains(what) && text.contains("\nDispatched: no\n"), "{text}");
    }
    let line = text_of(&server.call("more", json!({"command": "replay none.ad"})));
    assert!(line.contains("args, not a line") && line.contains("\nDispatched: no\n"), "{line}");
}

#[test]
fn a_replay_that_is_cancelled_ends_and_the_next_answer_says_how() {
    let place = Place::new();
    let script = "open demo\npress label=Counter\npress id=tap --count 200 --interval-ms 250\npress label=Nothing\n";
    fs::write(place.path().join("long.ad"), script).unwrap();
    let mut server = Pipes::start(&place, &[]);
    let asked = server.send(
        "tools/call",
        json!({"name": "more", "_meta": {"progressToken": "p"}, "arguments": replays(json!({"path": "long.ad"}))}),
    );
    // Two steps are over: the third is under way.
    while server.hear()["params"]["progress"] != 2.0 {}
    server.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": asked}}));
    let text = text_of(&server.call("snapshot", json!({})));
    let note = text.lines().next().unwrap();
    assert!(note.starts_with("Note: the cancelled call replay {\"path\":\"long.ad\"} ended so: Error ("), "{text}");
    assert!(text.contains("Dispatched: "), "{text}");
}
