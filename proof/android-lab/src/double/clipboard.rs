//! The clipboard as an application in the background sees it.

use serde_json::{Value, json};

use crate::{core::Core, process::full};

/// The first Android that hides it from all but the application with the focus and the one whose input method is chosen.
const HIDDEN_FROM: u32 = 29;

/// Its text for a process; nothing where it is empty, and nothing where Android hides it: a reader cannot tell which.
pub fn read(core: &Core, pid: i32) -> Value {
    let state = core.state();
    let (chosen, _) = full(&state.keyboard());
    let allowed =
        core.api < HIDDEN_FROM || state.processes.iter().any(|process| process.pid == pid && process.package == chosen);
    match state.clipboard.as_ref().filter(|_| allowed) {
        Some(text) => json!({ "text": text }),
        None => json!({}),
    }
}
