//! `am broadcast`: to receivers that a helper registered, and to those of the system that only note it.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use crate::{call::Call, core::Core, double::Event};

/// The first Android whose shell may not announce airplane mode (API level).
const PROTECTED_SINCE: u32 = 24;
/// How long a receiver may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Runs it.
pub async fn run(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let (mut action, mut package, mut extras) = (String::new(), None, Map::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-a" => action = rest.next().map(|action| (*action).to_owned()).unwrap_or_default(),
            "-p" => package = rest.next().copied(),
            "-n" => package = rest.next().and_then(|component| component.split('/').next()),
            "--es" | "-e" | "--ei" | "--ez" | "--el" => {
                if let (Some(key), Some(value)) = (rest.next(), rest.next()) {
                    extras.insert((*key).to_owned(), Value::String((*value).to_owned()));
                }
            }
            "--user" | "-c" | "-d" | "-t" | "-f" => drop(rest.next()),
            _ => {}
        }
    }
    if action == "android.intent.action.AIRPLANE_MODE" && core.api >= PROTECTED_SINCE {
        call.complain(format!(
            "java.lang.SecurityException: Permission Denial: not allowed to send broadcast {action} from pid={}, uid=2000",
            call.pid
        ))
        .await;
        return 255;
    }
    let has = if extras.is_empty() { "" } else { " (has extras)" };
    let to = package.map(|package| format!(" pkg={package}")).unwrap_or_default();
    call.line(format!("Broadcasting: Intent {{ act={action} flg=0x400000{to}{has} }}")).await;
    let number = {
        let mut state = core.state();
        state.broadcasts.push(words.iter().map(|word| (*word).to_owned()).collect());
        state.broadcasts.len() as u64
    };
    let receivers: Vec<_> = {
        let state = core.state();
        let meant = state.processes.iter().filter(|process| package.is_none_or(|package| process.package == package));
        meant.filter_map(|process| process.events.clone()).collect()
    };
    let event = Event::Broadcast { number, action, extras: Value::Object(extras) };
    let told = receivers.iter().filter(|receiver| receiver.send(event.clone()).is_ok()).count();
    let (code, data) = if told > 0 { result(core, number).await } else { (0, None) };
    let data = data.map(|data| format!(", data=\"{data}\"")).unwrap_or_default();
    call.line(format!("Broadcast completed: result={code}{data}")).await;
    0
}

/// The result that a receiver set; 0 where none did in time.
async fn result(core: &Arc<Core>, number: u64) -> (i64, Option<String>) {
    let end = Instant::now() + LIMIT;
    loop {
        let changed = core.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        if let Some(result) = core.state().broadcast_results.remove(&number) {
            return result;
        }
        if timeout_at(end, changed).await.is_err() {
            return (0, None);
        }
    }
}
