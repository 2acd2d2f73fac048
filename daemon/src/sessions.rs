//! All sessions by name, and whose turn it is in each.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, atomic::Ordering},
};

use contract::{Code, Failure, Row, answer::host::SessionView};
use screen::RefBook;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};
use wire::Context;

use crate::{
    leases::now_ms,
    session::Session,
    sync::{AtomicU64, Mutex},
};

/// Sessions of this daemon.
#[derive(Debug, Default)]
pub struct Sessions {
    slots: Mutex<BTreeMap<String, Arc<Slot>>>,
    ended: Arc<Ended>,
}

/// Names of closed sessions whose refs are remembered. The names of a worktree's sessions are few; this is for a daemon that
/// is given a new one each time.
const ENDED: usize = 1024;

/// Where the refs of closed sessions stopped, by name: one that is opened under the same name goes on counting there, so that
/// a ref of the earlier one never names something in it.
#[derive(Debug, Default)]
struct Ended(Mutex<BTreeMap<String, RefBook>>);

impl Ended {
    fn note(&self, session: &str, refs: &RefBook) {
        let mut ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ended.insert(session.to_owned(), refs.successor());
        if ended.len() > ENDED {
            // Any other than the newest.
            let other = ended.keys().find(|name| *name != session).cloned();
            other.map(|name| ended.remove(&name));
        }
    }

    fn refs(&self, name: &str) -> RefBook {
        let ended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ended.get(name).map(RefBook::successor).unwrap_or_default()
    }
}

/// The place of a session, there before it is opened and while it is closed.
#[derive(Debug, Default)]
pub struct Slot {
    turn: Arc<Turn<Option<Session>>>,
    shown: Mutex<Option<SessionView>>,
    used_ms: AtomicU64,
    waiting: AtomicU64,
    ended: Arc<Ended>,
}

impl Sessions {
    /// The place for a name, made where there is none.
    pub fn slot(&self, name: &str) -> Arc<Slot> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = || Arc::new(Slot { ended: self.ended.clone(), ..Slot::default() });
        slots.entry(name.to_owned()).or_insert_with(slot).clone()
    }

    /// Every open session.
    pub fn list(&self) -> Vec<SessionView> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots
            .values()
            .filter_map(|slot| {
                let mut row = slot.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
                row.used_ms = slot.used_ms.load(Ordering::Relaxed);
                row.busy = slot.waiting.load(Ordering::Relaxed) > 0;
                Some(row)
            })
            .collect()
    }

    /// How many sessions are open, or being opened.
    pub fn in_use(&self) -> usize {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let used = |slot: &&Arc<Slot>| {
            slot.waiting.load(Ordering::Relaxed) > 0
                || slot.shown.lock().unwrap_or_else(PoisonError::into_inner).is_some()
        };
        slots.values().filter(used).count()
    }

    /// Forgets places where nothing is open and nobody waits.
    pub fn prune(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|_, slot| {
            Arc::strong_count(slot) > 1 || slot.shown.lock().unwrap_or_else(PoisonError::into_inner).is_some()
        });
    }
}

/// The right to use a session, until it is dropped.
#[derive(Debug)]
pub struct Held {
    guard: OwnedMutexGuard<Option<Session>>,
    slot: Arc<Slot>,
}

impl Slot {
    /// Waits for the session's turn: first come, first served.
    ///
    /// # Errors
    /// `CANCELLED` or `TIMEOUT`, before anything is sent.
    pub async fn take(self: &Arc<Self>, context: &Context) -> Result<Held, Failure> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let taken = tokio::select! {
            biased;
            guard = self.turn.clone().lock_owned() => Some(guard),
            () = context.cancel.cancelled() => None,
            () = tokio::time::sleep_until(context.deadline) => None,
        };
        match taken {
            Some(guard) => {
                self.used_ms.store(now_ms(), Ordering::Relaxed);
                Ok(Held { guard, slot: self.clone() })
            }
            None => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                context.check()?;
                Err(Failure::refused(
                    Row::DaemonDeadlineBeforeSend,
                    Code::Timeout,
                    "another command of this session was still running when the time limit passed",
                )
                .reason("session_busy")
                .retriable())
            }
        }
    }
}

impl Held {
    /// The session, if one is open.
    ///
    /// # Errors
    /// `SESSION_NOT_FOUND`.
    pub fn session(&mut self, name: &str) -> Result<&mut Session, Failure> {
        self.guard.as_mut().ok_or_else(|| {
            Failure::refused(
                Row::DaemonAdmissionSessionNotFound,
                Code::SessionNotFound,
                format!("nothing is open in session {name:?}"),
            )
            .reason("session_not_found")
        })
    }

    /// The session, or nothing.
    pub fn get(&mut self) -> Option<&mut Session> {
        self.guard.as_mut()
    }

    /// Puts an opened session in its place.
    pub fn put(&mut self, session: Session) {
        *self.guard = Some(session);
        self.publish();
    }

    /// Takes the session out; its lease is free when it is dropped.
    pub fn take(&mut self) -> Option<Session> {
        let session = self.guard.take();
        session.iter().for_each(|session| self.slot.ended.note(&session.name, &session.refs));
        self.publish();
        session
    }

    /// The refs of a session that is to be opened under this name: none that was shown under it before is given out again.
    pub fn refs(&self, name: &str) -> RefBook {
        self.slot.ended.refs(name)
    }

    /// Makes what `session list` shows equal to what is there.
    pub fn publish(&self) {
        let row = self.guard.as_ref().map(|session| SessionView {
            name: session.name.clone(),
            platform: session.platform,
            device: session.device_id.clone(),
            app: session.app.clone(),
            workspace: session.workspace.clone(),
            opened_ms: session.opened_ms,
            used_ms: 0,
            busy: false,
        });
        *self.slot.shown.lock().unwrap_or_else(PoisonError::into_inner) = row;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.slot.used_ms.store(now_ms(), Ordering::Relaxed);
        self.slot.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refs_of_so_many_closed_sessions_are_remembered_the_newest_in_any_case() {
        let ended = Ended::default();
        let mut refs = RefBook::new();
        refs.show(&screen::Tree::default());
        let known = |name: &str| ended.refs(name).generation() == refs.generation();
        let names: Vec<String> = (0..ENDED).map(|number| number.to_string()).collect();
        names.iter().for_each(|name| ended.note(name, &refs));
        assert!(names.iter().all(|name| known(name)) && !known("never opened"));
        // Names in front of all others and behind them.
        for name in ["", "~"] {
            ended.note(name, &refs);
            assert!(known(name), "{name:?}");
        }
        let all = names.iter().map(String::as_str).chain(["", "~"]);
        assert_eq!(all.filter(|name| known(name)).count(), ENDED);
    }
}
