//! What is listed, and what calls answer.

use std::path::Path;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use crate::client::{Pipes, Place, text_of};

#[test]
fn the_list_is_small_and_no_daemon_is_started_for_it() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    let answer = server.ask("tools/list", json!({}));
    let bytes = answer["result"].to_string().len();
    assert!(bytes <= 20_000, "{bytes} bytes");
    let tools = answer["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 17);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(!tool["description"].as_str().unwrap().contains('\n'), "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
    }
    assert!(!place.state().exists(), "nothing was asked of a device yet");
    let mut full = Pipes::start(&place, &["--profile", "full"]);
    let tools = full.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().len();
    assert_eq!(tools, contract::command::SPECS.iter().filter(|spec| spec.mcp).count() + 1);
}

#[test]
fn an_app_is_opened_looked_at_and_used_with_targets_as_text_and_as_objects() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    assert!(server.text("open", json!({"app": "demo"})).starts_with("Opened demo on stage in session "));
    let screen = server.text("snapshot", json!({}));
    let counter = screen.lines().find(|line| line.contains("\"Counter\"")).unwrap();
    let reference = counter.split(' ').next().unwrap();
    assert!(screen.contains("visible nodes") && !screen.contains("[heading]"), "only what takes input: {screen}");
    assert!(server.text("snapshot", json!({"interactiveOnly": false})).contains("[heading]"));
    assert!(server.text("press", json!({"target": reference})).starts_with("Pressed"));
    let settled =
        server.text("click", json!({"target": {"kind": "selector", "selector": "label=\"Press me\""}, "settle": true}));
    assert!(settled.contains("+ ") && settled.contains("\"Pressed 1 times\""), "{settled}");
    assert!(!settled.contains("Press me twice"), "only what changed: {settled}");

    let held = server.call("is", json!({"predicate": "exists", "target": "label=\"Pressed 1 times\""}));
    assert_eq!(held["structuredContent"]["pass"], true, "{held}");
    assert_eq!(server.text("get", json!({"format": "text", "target": "label=\"Press me\""})), "Press me");
    // The same session as the command line has in this folder.
    assert!(place.says(&["get", "text", "label=\"Press me\""]).contains("Press me"));
    assert!(server.text("close", json!({})).starts_with("Closed session"));
}

/// Without how long it took and the refs: a session numbers them as it meets them.
fn steady(text: &str) -> Vec<String> {
    let without = |line: &str| {
        let line =
            line.strip_prefix("settled after ").and_then(|rest| rest.split_once(": ")).map_or(line, |(_, rest)| rest);
        line.split(' ').filter(|word| !word.starts_with('@')).collect::<Vec<_>>().join(" ")
    };
    text.trim().lines().map(without).collect()
}

#[test]
fn the_call_that_the_readme_and_the_guide_show_is_answered_as_they_say() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/mcp.md")).unwrap();
    let (_, block) = page.split_once("```text\n").unwrap();
    let (call, shown) = block.split_once("\n```").unwrap().0.split_once("\n\n").unwrap();
    let (tool, arguments) = call.split_once(' ').unwrap();
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({"app": "demo"}));
    server.text("press", json!({"target": "label=Counter"}));
    server.text("snapshot", json!({}));
    let answer = server.text(tool, serde_json::from_str(arguments).unwrap());
    assert_eq!(steady(&answer), steady(shown));
}

#[test]
fn a_failure_says_what_whether_and_what_next_in_its_first_lines() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    let lines = |result: &serde_json::Value| text_of(result).lines().map(str::to_owned).collect::<Vec<_>>();

    let none = server.call("press", json!({"target": "@e1"}));
    assert_eq!(none["isError"], true);
    assert!(lines(&none)[0].starts_with("Error (SESSION_NOT_FOUND): "), "{none}");
    assert_eq!(lines(&none)[1], "Dispatched: no");
    assert!(lines(&none)[2].starts_with("Next: "), "{none}");
    assert!(!text_of(&none).contains("agent-device "), "advice is a call, not a command line: {none}");

    server.text("open", json!({}));
    let absent = server.call("press", json!({"target": "id=none"}));
    assert_eq!(absent["structuredContent"]["error"]["code"], "ELEMENT_NOT_FOUND");
    assert_eq!(absent["structuredContent"]["error"]["details"]["dispatched"], "no");
    assert_eq!(lines(&absent)[2], "Next: look at the screen: snapshot {}");

    // Two sends, then a refusal: the whole may have happened.
    let steps = json!({"command": "batch", "args": {"steps": ["press label=Counter", "press id=none"]}});
    let broken = server.call("more", steps);
    assert!(lines(&broken)[1].starts_with("Dispatched: unknown"), "{broken}");

    for (tool, args, said) in [
        ("press", json!({}), "missing field"),
        ("press", json!({"target": "@e1", "cuont": 2}), "no argument \"cuont\""),
        ("more", json!({"command": "daemon stop"}), "not for a model"),
        ("more", json!({"command": "prss @e1"}), "there is no command"),
        ("more", json!({"help": "nothing"}), "no topic or command"),
        ("more", json!({"name": "home"}), "more has no argument \"name\""),
        ("more", json!({"command": "keyboard dismiss", "args": {"action": "dismiss"}}), "is too much"),
        ("daemon", json!({"action": "stop"}), "not for a model"),
    ] {
        let refused = server.call(tool, args);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(lines(&refused)[0].contains("INVALID_ARGS") && lines(&refused)[0].contains(said), "{refused}");
        assert_eq!(lines(&refused)[1], "Dispatched: no");
    }
    let unknown = server.ask("tools/call", json!({"name": "prss", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("did you mean press?"));
}

#[test]
fn one_call_is_one_look_a_target_that_comes_late_is_not_waited_for() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    server.text("press", json!({"target": "label=Timing"}));
    let early = server.call("press", json!({"target": "id=late"}));
    assert_eq!(early["structuredContent"]["error"]["code"], "ELEMENT_NOT_FOUND", "{early}");
    assert!(early["structuredContent"]["error"]["details"].get("readiness").is_none());
    assert!(server.text("wait", json!({"selector": "id=late"})).starts_with("Waited"));
    server.text("press", json!({"target": "id=late"}));
}

#[test]
fn what_is_not_listed_is_reached_by_more() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    assert!(server.text("more", json!({})).contains("  gesture "));
    assert!(server.text("more", json!({"help": "gesture"})).contains("pinch("));
    assert!(server.text("more", json!({"help": "workflow"})).contains("Look, act, check"));
    server.text("more", json!({"command": "open", "args": {"app": "demo", "session": "second"}}));
    assert!(server.text("more", json!({"command": "session list"})).contains("second"));
    // With its arguments beside the name, as models write it.
    assert!(server.text("more", json!({"command": "session", "action": "list"})).contains("second"));
    // By its own name as well, listed or not.
    let listed = server.text("session", json!({"action": "list"}));
    assert!(listed.contains("second"), "{listed}");
    assert!(server.text("close", json!({"session": "second"})).contains("second"));
}

#[test]
fn a_screenshot_is_a_picture_and_a_file_only_where_one_was_named() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &["--session", "pictures"]);
    assert!(server.text("open", json!({})).ends_with("in session pictures"));
    let shot = server.call("screenshot", json!({}));
    assert_eq!(shot["content"].as_array().unwrap().len(), 1, "{shot}");
    assert_eq!(shot["content"][0]["mimeType"], "image/png");
    let bytes = STANDARD.decode(shot["content"][0]["data"].as_str().unwrap()).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    let files = || {
        std::fs::read_dir(place.path())
            .unwrap()
            .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "png"))
            .count()
    };
    assert_eq!(files(), 0);
    let named = server.call("screenshot", json!({"path": "shot.png"}));
    assert_eq!(files(), 1);
    assert!(text_of(&named).contains("shot.png"), "{named}");
    assert_eq!(named["content"].as_array().unwrap().last().unwrap()["type"], "image");
}

#[test]
fn a_program_that_asks_for_data_gets_all_of_it() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    let params = json!({"name": "snapshot", "arguments": {}, "_meta": {"agent-device/data": true}});
    let answer = server.ask("tools/call", params);
    let nodes = answer["result"]["structuredContent"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["role"] == "heading"), "what takes input and the rest: {nodes:?}");
    assert!(server.call("snapshot", json!({})).get("structuredContent").is_none(), "text alone for a model");
}

#[test]
fn the_screen_the_timeline_and_the_last_trace_can_be_read() {
    let place = Place::new();
    let mut server = Pipes::start(&place, &[]);
    server.text("open", json!({}));
    let uris = |server: &mut Pipes| {
        let answer = server.ask("resources/list", json!({}));
        let listed = answer["result"]["resources"].as_array().unwrap().clone();
        listed.iter().map(|one| one["uri"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(uris(&mut server), ["agent-device://snapshot", "agent-device://timeline"]);
    let read = |server: &mut Pipes, uri: &str| server.ask("resources/read", json!({"uri": uri}));
    let screen = read(&mut server, "agent-device://snapshot");
    assert!(screen["result"]["contents"][0]["text"].as_str().unwrap().contains("[heading]"), "{screen}");
    let timeline = read(&mut server, "agent-device://timeline");
    assert!(timeline["result"]["contents"][0]["text"].as_str().unwrap().contains("Opened demo"), "{timeline}");
    assert!(read(&mut server, "agent-device://trace")["error"]["message"].as_str().unwrap().contains("trace start"));
    assert!(read(&mut server, "agent-device://nothing")["error"]["code"].is_number());

    server.text("more", json!({"command": "trace start"}));
    server.text("press", json!({"target": "label=Counter"}));
    server.text("more", json!({"command": "trace stop --out run.html"}));
    assert_eq!(uris(&mut server).last().unwrap(), "agent-device://trace");
    let page = read(&mut server, "agent-device://trace");
    assert_eq!(page["result"]["contents"][0]["mimeType"], "text/html");
    assert!(page["result"]["contents"][0]["text"].as_str().unwrap().contains("<html"), "a page");
}
