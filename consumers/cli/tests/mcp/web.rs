//! HTTP: who is let in, and what they get.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Http, Place};

fn hello() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    })
}

/// The message in an event stream, or the body itself.
fn message(body: &str) -> Value {
    let data =
        body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).find(|data| data.starts_with('{'));
    serde_json::from_str(data.unwrap_or(body)).unwrap_or(Value::Null)
}

#[test]
fn only_who_shows_the_token_is_let_in() {
    let place = Place::new();
    let file = place.path().join("token");
    let server = Http::start(&place, &["--token-file", file.to_str().unwrap()]);
    let token = std::fs::read_to_string(&file).unwrap();
    let bearer = format!("Bearer {}", token.trim());
    for wrong in [&[][..], &[("Authorization", "Bearer wrong")], &[("Authorization", token.trim())]] {
        let (status, head, body) = server.post(&hello(), wrong);
        assert_eq!(status, 401, "{head}\n{body}");
        assert!(head.to_lowercase().contains("www-authenticate: bearer"), "{head}");
    }
    let (status, head, body) = server.post(&hello(), &[("Authorization", &bearer)]);
    assert_eq!(status, 200, "{head}\n{body}");
    assert!(body.contains("\"serverInfo\""), "{body}");
    let session =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned)).unwrap();

    let with =
        [("Authorization", bearer.as_str()), ("Mcp-Session-Id", &session), ("MCP-Protocol-Version", "2025-11-25")];
    let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(server.post(&told, &with).0, 202);
    let call = |name: &str, args: Value| {
        let call =
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": args}});
        let (status, _, body) = server.post(&call, &with);
        assert_eq!(status, 200, "{body}");
        message(&body)["result"].clone()
    };
    assert_eq!(call("open", json!({}))["isError"], false);
    let absent = call("press", json!({"target": "id=none"}));
    assert_eq!(absent["structuredContent"]["error"]["details"]["dispatched"], "no", "{absent}");
}

#[test]
fn a_page_of_somebody_else_and_a_name_that_was_pointed_here_are_refused() {
    let place = Place::new();
    let server = Http::start(&place, &["--no-token", "--allow-origin", "https://studio.example:443"]);
    for (header, value, status) in [
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Host", "evil.example", 403),
        ("Origin", "http://localhost:5173", 200),
        ("Origin", "https://studio.example", 200),
        ("Host", "localhost:1", 200),
    ] {
        let (got, head, body) = server.post(&hello(), &[(header, value)]);
        assert_eq!(got, status, "{header}: {value}\n{head}\n{body}");
    }
    let heavy = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y".repeat(2 << 20)}});
    assert_eq!(server.post(&heavy, &[]).0, 413);
}

#[test]
fn nothing_listens_before_it_is_said_who_is_let_in() {
    let place = Place::new();
    let open = place.path().join("open-token");
    std::fs::write(&open, "x".repeat(64)).unwrap();
    let open = open.to_str().unwrap();
    for (words, said) in [
        (&["--http", "127.0.0.1:0"][..], "--token-file"),
        (&["--http", "0.0.0.0:0", "--no-token"], "loopback"),
        (&["--http", "0.0.0.0:0", "--token-file", "t"], "--allow-host"),
        (&["--http", "127.0.0.1:0", "--token-file", open], "chmod 600"),
        (&["--no-token"], "--http"),
        (&["--http", "nowhere", "--no-token"], "nowhere"),
    ] {
        let output = place.program(&[&["mcp"], words].concat()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains(said), "{words:?}: {error}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_server_that_is_told_to_end_ends() {
    let place = Place::new();
    let server = Http::start(&place, &["--no-token"]);
    assert_eq!(server.post(&hello(), &[]).0, 200);
    let pid = server.pid().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let ended = std::time::Instant::now();
    // Its port is free once it is gone.
    while std::net::TcpStream::connect(server.url.strip_prefix("http://").unwrap().split('/').next().unwrap()).is_ok() {
        assert!(ended.elapsed() < Duration::from_secs(30), "it goes on");
        std::thread::yield_now();
    }
}
