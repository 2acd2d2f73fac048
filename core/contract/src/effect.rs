//! What a command, or one operation of a backend, does to the app under test.

use serde::{Deserialize, Serialize};

/// Declared once on each command and once on each backend operation; the router reads it, handlers never decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Looks only. A failure is always `dispatched: no`: there is nothing to repeat.
    Observes,
    /// May change the app: input, navigation, opening and closing.
    Mutates,
    /// Speaks to the daemon or the host, never to the app.
    Manages,
}
