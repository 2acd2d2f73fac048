//! What every consumer makes of an answer of the daemon: the program with `--json`, the program in words, the client
//! library. One mechanism for all rows, also for those that no command line can bring about.
//!
//! The answer is the one that a real producer gave. A daemon of one answer hands it out again, so each consumer reads the
//! very same bytes.

use std::{path::Path, time::Duration};

use contract::{
    Command, Effect, Request, Row,
    request::{Welcome, method},
};
use daemon::{client::Client, state_dir::StateDir};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    task::JoinHandle,
};

use crate::{
    patience::{LIMIT, soon},
    program::Program,
    seen::{RESOLVED, Told},
};

/// A line that the daemon of one answer is asked: a command that acts, so nothing about the answer is taken for granted.
const LINE: &[&str] = &["press", "id=save"];

/// What is wrong with what the consumers make of the answer.
pub async fn objections(row: Row, told: &Told) -> Vec<String> {
    let program = Program::new();
    program.state().create().expect("the state folder can be made");
    let resolved = told.dispatched == RESOLVED;
    let answer = if resolved { json!({"result": {"data": told.error}}) } else { error(&told.error) };
    let daemon = daemon_of_one_answer(&program.state().socket(), answer);
    let mut wrong = Vec::new();
    let mut differs = |consumer: &str, what: &str, wanted: String, got: String| {
        if wanted != got {
            wrong.push(format!("{row}: {consumer}: {what} is {got}, the daemon said {wanted}"));
        }
    };
    let code = if resolved { 0 } else { told.exit_code() };

    let (ended, envelope) = program.json(LINE).await;
    differs("--json", "the exit code", code.to_string(), ended.to_string());
    let printed = envelope.unwrap_or_else(|told| told.error);
    differs("--json", "the answer", told.error.to_string(), printed.to_string());

    let ended = program.run(LINE).await;
    differs("text", "the exit code", code.to_string(), ended.code.to_string());
    if !resolved {
        let mut lines = ended.err.lines();
        let head = lines.next().unwrap_or_default().split(':').next().unwrap_or_default().to_owned();
        differs("text", "the first line", format!("Error ({})", told.code), head);
        let disclosed = ended.err.lines().find(|line| line.starts_with("Dispatched: ")).unwrap_or_default();
        let wanted = match told.steps {
            0 => format!("Dispatched: {}", told.dispatched),
            steps => format!("Dispatched: {} ({steps} sent before)", told.dispatched),
        };
        differs("text", "the line that discloses", wanted, disclosed.to_owned());
    }

    let library = library(program.state().clone()).await;
    differs("the client library", "the answer", told.error.to_string(), library.to_string());
    daemon.abort();
    wrong
}

fn error(error: &Value) -> Value {
    json!({"error": {"code": -32000, "message": error["message"], "data": error}})
}

/// What the client library hands to a program that uses it: the data of an answer, or the failure.
async fn library(state: StateDir) -> Value {
    let asked = tokio::task::spawn_blocking(move || {
        let command = Command::from_line(&LINE.join(" ")).expect("a command line");
        let mut client = Client::new(state);
        client.start = false;
        client.run(&Request::new("consumer", &command), Effect::Mutates, Duration::from_secs(5))
    });
    let response = soon("the client library", asked).await.expect("the client library does not panic");
    match response {
        Ok(answer) => answer.data,
        Err(failed) => {
            let steps = failed.failure().details.get("dispatchedSteps").and_then(Value::as_u64).unwrap_or(0);
            assert_eq!(failed.steps(), steps, "the library's own reading");
            assert_eq!(failed.failure().details["dispatched"], failed.dispatched().to_string(), "the same");
            serde_json::to_value(&failed).expect("a failure is JSON")
        }
    }
}

/// Listens where a daemon would, accepts everybody, and answers every request with the members of `answer`.
fn daemon_of_one_answer(socket: &Path, answer: Value) -> JoinHandle<()> {
    let listener = UnixListener::bind(socket).unwrap_or_else(|why| panic!("{}: {why}", socket.display()));
    tokio::spawn(async move {
        let mut clients = tokio::task::JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let answer = answer.clone();
            clients.spawn(async move { tokio::time::timeout(LIMIT, serve(stream, &answer)).await });
        }
    })
}

async fn serve(stream: UnixStream, answer: &Value) {
    let mut stream = BufReader::new(stream);
    let mut text = String::new();
    while stream.read_line(&mut text).await.is_ok_and(|count| count > 0) {
        let request: Value = serde_json::from_str(&text).expect("a client speaks JSON");
        let mut reply = match request["method"] == method::HELLO {
            true => json!({"result": welcome()}),
            false => answer.clone(),
        };
        reply["jsonrpc"] = "2.0".into();
        reply["id"] = request["id"].clone();
        // A client that has read enough is no concern here.
        let _gone = stream.get_mut().write_all(format!("{reply}\n").as_bytes()).await;
        text.clear();
    }
}

fn welcome() -> Welcome {
    Welcome {
        version: contract::VERSION.to_owned(),
        build: String::new(),
        instance: "one-answer".to_owned(),
        pid: std::process::id(),
        sessions: 1,
        accepted: true,
    }
}
