//! How a step is asked for: with words on the command line, with lines on the socket.

use std::time::Duration;

use async_trait::async_trait;
use contract::{Command, request::method};
use serde_json::{Value, json};

use super::Step;
use crate::{line::Line, program::Program};

/// A way to ask for a step.
#[async_trait]
pub trait Surface: Send {
    /// Whether it offers what a case needs.
    fn offers(&self, need: &str) -> bool;

    /// What a step answers, or the error object that it fails with.
    async fn call(&mut self, session: &str, step: &Step) -> Result<Value, Value>;
}

/// The command line.
#[derive(Debug)]
pub struct CommandLine<'p>(pub &'p Program);

#[async_trait]
impl Surface for CommandLine<'_> {
    fn offers(&self, need: &str) -> bool {
        ["timeout", "anyCommand"].contains(&need)
    }

    async fn call(&mut self, session: &str, step: &Step) -> Result<Value, Value> {
        let mut words = words(step);
        words.extend(["--session".to_owned(), session.to_owned()]);
        if let Some(device) = &step.device {
            words.extend(["--device".to_owned(), device.clone()]);
        }
        if let Some(limit) = step.timeout_ms {
            words.extend(["--timeout".to_owned(), limit.to_string()]);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, outcome) = self.0.json(&words).await;
        outcome.map_err(|told| told.error)
    }
}

/// What a person would type. What no command is, as somebody would type it who is mistaken.
fn words(step: &Step) -> Vec<String> {
    let typed = Command::from_call(&step.command, &step.args).ok().and_then(|command| command.to_words());
    typed.unwrap_or_else(|| {
        let (mut plain, mut flags) = (vec![step.command.clone()], Vec::new());
        for (name, value) in step.args.as_object().into_iter().flatten() {
            match (name.as_str(), value.pointer("/selector").and_then(Value::as_str)) {
                ("target", Some(selector)) => plain.push(selector.to_owned()),
                _ => {
                    flags.push(format!("--{name}"));
                    flags.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
                }
            }
        }
        plain.into_iter().chain(flags).collect()
    })
}

/// The socket, a connection per request, as it is the custom.
#[derive(Debug)]
pub struct Socket<'p> {
    program: &'p Program,
    asked: u32,
}

impl<'p> Socket<'p> {
    /// The socket of the program's daemon.
    pub const fn new(program: &'p Program) -> Self {
        Self { program, asked: 0 }
    }
}

#[async_trait]
impl Surface for Socket<'_> {
    fn offers(&self, need: &str) -> bool {
        ["readiness", "timeout", "cancel", "requestId", "anyCommand"].contains(&need)
    }

    async fn call(&mut self, session: &str, step: &Step) -> Result<Value, Value> {
        self.asked += 1;
        let own = || format!("conformance-{}", self.asked);
        let mut request = json!({
            "requestId": step.request_id.clone().unwrap_or_else(own),
            "session": session,
            "command": step.command,
            "args": step.args,
        });
        let more = [
            ("device", step.device.clone().map(Value::from)),
            ("timeoutMs", step.timeout_ms.map(Value::from)),
            ("readinessTimeoutMs", step.readiness_timeout_ms.map(Value::from)),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                request[name] = value;
            }
        }
        let mut line = Line::greeted(&self.program.state().socket(), &self.program.recorder).await;
        line.send(method::RUN, &request).await;
        if let Some(after) = step.cancel_after_ms {
            // The case asks for this time: it is when its caller goes away.
            tokio::time::sleep(Duration::from_millis(after)).await;
            line.close().await;
        }
        let reply = line.reply().await.expect("an answer, also to a caller that has stopped writing");
        reply.outcome.map(|answer| answer["data"].clone()).map_err(|told| told.error)
    }
}
