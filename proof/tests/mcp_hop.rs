//! The MCP server whose devices hang on another machine: its client notices nothing of the way, until there is none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use proof::{
    conformance::{self, Mcp, Place, mcp::outcome},
    hop::Hop,
    patience::until,
};
use serde_json::{Value, json};
use stage::{FaultKind, Operation};

const NOTHING: [String; 0] = [];

/// The picture that a result shows.
fn picture(result: &Value) -> Vec<u8> {
    let image = result["content"].as_array().unwrap().iter().find(|block| block["type"] == "image");
    let image = image.unwrap_or_else(|| panic!("no picture: {result}"));
    assert_eq!(image["mimeType"], "image/png");
    BASE64_STANDARD.decode(image["data"].as_str().unwrap()).unwrap()
}

/// The list that every surface runs, as tools, on another machine.
#[tokio::test(flavor = "multi_thread")]
async fn the_conformance_cases_hold_over_mcp_over_the_hop() {
    let hop = Hop::start().await;
    let client = hop.client();
    for place in [Place::Stage, Place::Web] {
        if place == Place::Web && std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
            continue;
        }
        let mut server = Mcp::start(&client, &["--profile", "full", "--platform", place.word()]).await;
        let report = conformance::run(&mut server, place, &client).await;
        assert!(report.failed.is_empty(), "{} cases failed:\n{}", report.failed.len(), report.failed.join("\n"));
        assert!(report.passed.len() > 60, "{:?}", report.passed);
        server.end().await;
    }
    assert!(!client.state().socket().exists(), "no daemon was started here");
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_the_other_machine_is_image_content_and_a_file_of_the_callers() {
    let hop = Hop::start().await;
    let client = hop.client();
    let mut server = Mcp::start(&client, &["--profile", "full"]).await;
    fs::copy(hop.world.ground(), client.folder().join("mine.toml")).unwrap();
    outcome(&server.tool("open", json!({"app": "mine.toml"})).await).unwrap();
    let shown = server.tool("screenshot", json!({})).await;
    assert!(picture(&shown).starts_with(b"\x89PNG"));
    // Once more as a file as well, below the folder that the server was started in: the same bytes.
    let kept = server.tool("screenshot", json!({"out": "kept.png"})).await;
    let path = client.folder().canonicalize().unwrap().join("kept.png");
    assert_eq!(outcome(&kept).unwrap()["path"], json!(path));
    assert!(picture(&kept) == fs::read(&path).unwrap(), "the picture that is shown is another than the file");
    outcome(&server.tool("close", json!({})).await).unwrap();
    server.end().await;
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_is_stopped_there_and_the_next_answer_says_how_it_ended() {
    let hop = Hop::start().await;
    let session = hop.world.on_ground().await;
    let client = hop.client();
    let mut server = Mcp::start(&client, &["--profile", "full", "--session", "ground"]).await;
    let args = json!({"target": "id=save", "count": 200, "intervalMs": 1000});
    let series = server.send("tools/call", json!({"name": "press", "arguments": args})).await;
    until("the first press", || session.landed() > 0).await;
    server.cancel(series).await;
    let next = server.tool("get", json!({"format": "text", "target": "id=save"})).await;
    let joined = &next["_meta"]["agent-device/cancelled"][0];
    assert_eq!(joined["error"]["code"], "CANCELLED", "{next}");
    assert_eq!(joined["error"]["details"]["dispatched"], "unknown", "{next}");
    let told = joined["error"]["details"]["dispatchedSteps"].as_u64().unwrap();
    assert_eq!(u64::from(session.landed()), told, "{joined}");
    server.end().await;
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_away_is_told_of_and_is_used_again_when_it_is_back() {
    let mut hop = Hop::start().await;
    let client = hop.client();
    let mut server = Mcp::start(&client, &["--profile", "full", "--session", "ground"]).await;
    let press = json!({"target": "id=save"});
    let landed = {
        let session = hop.world.on_ground().await;
        outcome(&server.tool("press", press.clone()).await).unwrap();
        session.landed()
    };
    hop.kill().await;
    for _ in 0..2 {
        let refused = server.tool("press", press.clone()).await;
        let error = outcome(&refused).unwrap_err();
        assert_eq!(
            (&error["details"]["dispatchRow"], &error["details"]["dispatched"]),
            (&json!("client.hop-unreachable"), &json!("no")),
            "{refused}"
        );
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("Dispatched: no") && text.contains("agent-device serve"), "{text}");
    }
    hop.serve_again().await;
    outcome(&server.tool("press", press.clone()).await).unwrap();
    assert_eq!(hop.world.session("ground").landed(), landed + 1);

    // In the middle of a press: the daemon has it, so whatever is told of it, it is not that it was not sent.
    let session = hop.world.session("ground");
    session.slow(Operation::Press, FaultKind::Delay, Duration::from_millis(700));
    let id = server.send("tools/call", json!({"name": "press", "arguments": press})).await;
    until("the press to be under way", || session.struck() > 0).await;
    drop(session);
    hop.kill().await;
    hop.serve_again().await;
    let told = server.answer(id).await;
    if told["isError"] == true {
        let text = told["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("Dispatched: unknown"), "{text}");
    }
    assert_eq!(hop.world.session("ground").landed(), landed + 2, "it was sent once: {told}");
    server.end().await;
    assert_eq!(hop.end().await, NOTHING);
}
