//! What is made to happen when a helper asks something of the framework: the moments at which a phone's process dies, hangs, or is
//! cut off.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU32, Ordering},
};

use tokio::sync::Notify;

/// When.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before anything of it took effect.
    Before,
    /// When it took effect and nothing was answered yet.
    After,
}

/// What.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The helper's process is killed.
    Kill,
    /// The answer waits for [`Trap::release`].
    Hold,
    /// The line between the adb server and the device breaks, and comes back.
    DropLink,
    /// The line breaks and stays so until [`crate::LabDevice::restore`].
    GoOffline,
    /// The framework throws an exception with this text.
    Throw(String),
}

/// One trap. Clones are the same one.
#[derive(Debug, Clone)]
pub struct Trap {
    question: &'static str,
    moment: Moment,
    act: Act,
    left: Arc<AtomicU32>,
    sprung: Arc<AtomicU32>,
    changed: Arc<Notify>,
    released: Arc<Notify>,
}

impl Trap {
    /// Springs at the `nth` question of a kind from now on, from 1. Kinds: `connect`, `scene`, `idle`, `inject` (a touch event),
    /// `key`, `act` (an accessibility action), `global`, `commit` (text from the input method), `shell`, `clip`
    /// (reading the clipboard), `copy` (writing it).
    pub fn new(question: &'static str, nth: u32, moment: Moment, act: Act) -> Self {
        Self {
            question,
            moment,
            act,
            left: Arc::new(AtomicU32::new(nth.max(1))),
            sprung: Arc::default(),
            changed: Arc::default(),
            released: Arc::default(),
        }
    }

    /// Whether it has sprung.
    pub fn sprung(&self) -> bool {
        self.sprung.load(Ordering::SeqCst) > 0
    }

    /// Waits until it springs.
    pub async fn springs(&self) {
        loop {
            let changed = self.changed.notified();
            if self.sprung() {
                return;
            }
            changed.await;
        }
    }

    /// Lets go of what [`Act::Hold`] holds.
    pub fn release(&self) {
        self.released.notify_one();
    }

    /// Waits for [`Trap::release`].
    pub(crate) async fn held(&self) {
        self.released.notified().await;
    }

    /// What it does.
    pub(crate) const fn act(&self) -> &Act {
        &self.act
    }
}

/// The traps that are set.
#[derive(Debug, Default)]
pub struct Traps(Mutex<Vec<Trap>>);

impl Traps {
    /// Sets one.
    pub fn set(&self, trap: Trap) {
        self.lock().push(trap);
    }

    /// Takes all away. What is held goes on.
    pub fn clear(&self) {
        self.lock().drain(..).for_each(|trap| trap.release());
    }

    /// The trap that springs now, if one does; each springs once.
    pub(crate) fn step(&self, question: &str, moment: Moment) -> Option<Trap> {
        self.lock()
            .iter()
            .find(|trap| {
                trap.question == question && trap.moment == moment && {
                    let left = trap.left.load(Ordering::SeqCst);
                    trap.left.store(left.saturating_sub(1), Ordering::SeqCst);
                    left == 1
                }
            })
            .map(|trap| {
                trap.sprung.fetch_add(1, Ordering::SeqCst);
                trap.changed.notify_waiters();
                trap.clone()
            })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Trap>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
