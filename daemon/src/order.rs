//! Requests of one connection for one session run in the order in which they were written, also when a client does not
//! wait for the answers. What speaks to the daemon or the host only waits for nobody.

use std::collections::HashMap;

use contract::command::{SPECS, SessionNeed};
use serde_json::Value;
use tokio::sync::oneshot;

/// What was written on one connection, by session.
#[derive(Debug, Default)]
pub struct Order {
    last: HashMap<String, oneshot::Receiver<()>>,
    /// Sessions from which on those without a waiting request are forgotten.
    next_sweep: usize,
}

/// A request's place in its session's order; the next one's turn comes when it is dropped.
#[derive(Debug)]
pub struct Place {
    before: Option<oneshot::Receiver<()>>,
    _done: Option<oneshot::Sender<()>>,
}

impl Order {
    /// The place behind what was written before for the same session.
    pub fn place(&mut self, params: &Value) -> Place {
        let text = |key: &str| params.get(key).and_then(Value::as_str);
        let command = text("command").unwrap_or_default();
        let spec = SPECS.iter().find(|spec| spec.name == command || spec.aliases.contains(&command));
        let for_a_session = spec.is_some_and(|spec| spec.session != SessionNeed::None)
            || matches!(command, "batch" | "close")
            || saves_script(params);
        if !for_a_session {
            return Place { before: None, _done: None };
        }
        if self.last.len() >= self.next_sweep {
            // Whoever is done has sent, or dropped its end: nobody has to wait for it any more.
            self.last.retain(|_, before| matches!(before.try_recv(), Err(oneshot::error::TryRecvError::Empty)));
            self.next_sweep = (self.last.len() * 2).max(64);
        }
        let (done, next) = oneshot::channel();
        let session = text("session").or_else(|| text("workspace")).unwrap_or_default();
        Place { before: self.last.insert(session.to_owned(), next), _done: Some(done) }
    }
}

/// `session save-script` is of a session; whatever else `session` does is not.
fn saves_script(params: &Value) -> bool {
    let is = |pointer: &str, text: &str| params.pointer(pointer).and_then(Value::as_str) == Some(text);
    is("/command", "session") && is("/args/action", "save-script")
}

impl Place {
    /// Waits until everything before has its answer.
    pub async fn turn(&mut self) {
        if let Some(before) = self.before.take() {
            // Sent or dropped: over either way.
            let _over = before.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sessions_that_nobody_waits_in_are_forgotten() {
        let mut order = Order::default();
        let held = order.place(&json!({"command": "press", "session": "held"}));
        for number in 0..10_000 {
            drop(order.place(&json!({"command": "press", "session": number.to_string()})));
        }
        assert!(order.last.len() <= 128, "{} sessions are remembered", order.last.len());
        assert!(order.last.contains_key("held"));
        drop(held);
    }

    #[tokio::test]
    async fn a_place_waits_for_the_one_before_of_the_same_session_only() {
        let mut order = Order::default();
        let first = order.place(&json!({"command": "press", "session": "a"}));
        let mut second = order.place(&json!({"command": "get", "session": "a"}));
        let mut other = order.place(&json!({"command": "press", "session": "b"}));
        let mut host = order.place(&json!({"command": "session", "session": "a"}));
        let save = json!({"command": "session", "session": "a", "args": {"action": "save-script"}});
        assert!(order.place(&save).before.is_some(), "what is saved is what was written before");
        other.turn().await;
        host.turn().await;
        let waiting = tokio::spawn(async move { second.turn().await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(first);
        waiting.await.unwrap();
    }
}
