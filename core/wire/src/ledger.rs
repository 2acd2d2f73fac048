//! The ledger of one request: every mutating send, counted once.

use std::sync::{Arc, PoisonError};

use contract::{Effect, Sends};

use crate::{NotSent, sync::Mutex};

/// Counts the mutating sends of one request. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    sends: Arc<Mutex<Sends>>,
}

impl Ledger {
    /// Notes that an operation is about to be handed over. From here on it counts as possibly done, until its
    /// ticket says otherwise; a ticket that is dropped (a cancelled future) leaves it so.
    pub fn begin(&self, effect: Effect) -> Ticket {
        let counted = effect == Effect::Mutates;
        if counted {
            self.change(|sends| sends.open += 1);
        }
        Ticket { ledger: self.clone(), counted }
    }

    /// What has been sent so far.
    pub fn sends(&self) -> Sends {
        *self.sends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, how: impl FnOnce(&mut Sends)) {
        how(&mut self.sends.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// One operation between its start and its outcome.
#[derive(Debug)]
#[must_use = "an operation whose ticket is dropped counts as possibly done"]
pub struct Ticket {
    ledger: Ledger,
    counted: bool,
}

impl Ticket {
    /// The send returned: it reached the device.
    pub fn completed(self) {
        if self.counted {
            self.ledger.change(|sends| {
                sends.open -= 1;
                sends.completed += 1;
            });
        }
    }

    /// It is proven that nothing of it reached the device.
    pub fn not_sent(self, _proof: &NotSent) {
        if self.counted {
            self.ledger.change(|sends| sends.open -= 1);
        }
    }

    /// Nobody knows. Also what happens to a ticket that is dropped.
    pub fn lost(self) {}
}
