//! The framework double's questions: one JSON object a line each way, over a connection for each of its threads.
//!
//! | module | answers |
//! | --- | --- |
//! | [`answer`] | each question |
//! | [`act`] | accessibility actions, keys and text |
//! | [`clipboard`] | the clipboard, to whom it is shown |
//! | [`lines`] | how a scene is told in lines |
//! | [`idle`] | when the screen has been quiet |

pub mod act;
pub mod answer;
pub mod clipboard;
pub mod idle;
pub mod lines;

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
};

use crate::{
    core::Core,
    process::kill,
    trap::{Act, Moment, Trap},
};

/// What a helper's process is told without having asked.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum Event {
    /// An input method service of its package is the current one now.
    ImeBound {
        /// Its class.
        class: String,
    },
    /// It no longer is.
    ImeUnbound,
    /// Something on the screen changed.
    Changed,
    /// A broadcast for its package.
    Broadcast {
        /// Number of the broadcast; the answer names it.
        number: u64,
        /// Action.
        action: String,
        /// String extras.
        extras: Value,
    },
}

/// Serves one connection of a double until it closes.
pub async fn serve(core: Arc<Core>, connection: TcpStream) {
    let (from, mut to) = connection.into_split();
    let mut lines = BufReader::new(from).lines();
    let mut pid = 0;
    while let Ok(Some(line)) = lines.next_line().await {
        let question: Value = serde_json::from_str(&line).unwrap_or_default();
        let kind = question["q"].as_str().unwrap_or_default().to_owned();
        if kind == "hello" {
            pid = question["pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        }
        if kind == "events" {
            return events(&core, pid, lines, to).await;
        }
        let answer = match one(&core, pid, &kind, &question).await {
            Ok(answer) => answer,
            Err(thrown) => json!({ "throws": thrown }),
        };
        let said = if lines::is_scene(&answer) {
            lines::news(answer, question["known"].as_str().unwrap_or_default())
        } else {
            format!("{answer}\n")
        };
        if to.write_all(said.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn one(core: &Arc<Core>, pid: i32, kind: &str, question: &Value) -> Result<Value, String> {
    if let Some(trap) = core.traps.step(kind, Moment::Before) {
        spring(core, pid, &trap).await?;
    }
    let answer = answer::answer(core, pid, kind, question).await?;
    if let Some(trap) = core.traps.step(kind, Moment::After) {
        spring(core, pid, &trap).await?;
    }
    Ok(answer)
}

/// What a trap does. What a killed process asked for does not happen any more.
async fn spring(core: &Arc<Core>, pid: i32, trap: &Trap) -> Result<(), String> {
    match trap.act() {
        Act::Kill => {
            kill(pid);
            return Err("the process was killed".to_owned());
        }
        Act::Hold => trap.held().await,
        Act::DropLink => core.link.drop_now(),
        Act::GoOffline => core.link.go_offline(),
        Act::Throw(text) => return Err(text.clone()),
    }
    Ok(())
}

/// Tells a process what happens, until it is gone.
async fn events(
    core: &Arc<Core>,
    pid: i32,
    mut lines: tokio::io::Lines<BufReader<OwnedReadHalf>>,
    mut to: OwnedWriteHalf,
) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    if let Some(process) = core.state().processes.iter_mut().find(|process| process.pid == pid) {
        process.events = Some(sender);
    }
    act::bind_current_keyboard(core);
    core.changed.notify_waiters();
    loop {
        tokio::select! {
            event = receiver.recv() => {
                let Some(event) = event else { return };
                let line = serde_json::to_string(&event).unwrap_or_default();
                if to.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                    return;
                }
            }
            line = lines.next_line() => match line {
                Ok(Some(line)) => answer::broadcast_done(core, &serde_json::from_str(&line).unwrap_or_default()),
                _ => return,
            }
        }
    }
}
