//! Injected faults: what goes wrong, on which operation, how often.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// An operation of the device, as a fault names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Starting the app.
    Open,
    /// Reading the screen.
    Capture,
    /// A live look at one element: `aim`, `field`, `text`, `attributes`, the focus, the dialog.
    Look,
    /// A picture.
    Screenshot,
    /// A press; each half of a double press is one.
    Press,
    /// A pointer that moves.
    Hover,
    /// A drag.
    Swipe,
    /// Replacing the text of a field.
    Fill,
    /// Typing into what has the focus.
    Type,
    /// Scrolling.
    Scroll,
    /// The way back.
    Back,
    /// The way home.
    Home,
    /// Another size.
    Viewport,
    /// Answering a native dialog.
    AnswerDialog,
    /// Hiding the keyboard, and its enter key.
    Keyboard,
    /// Starting another app in the same session.
    Navigate,
    /// Ending the app.
    Close,
    /// The question what became of an input whose reply was lost.
    Status,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 18] = [
        Operation::Open,
        Operation::Capture,
        Operation::Look,
        Operation::Screenshot,
        Operation::Press,
        Operation::Hover,
        Operation::Swipe,
        Operation::Fill,
        Operation::Type,
        Operation::Scroll,
        Operation::Back,
        Operation::Home,
        Operation::Viewport,
        Operation::AnswerDialog,
        Operation::Keyboard,
        Operation::Navigate,
        Operation::Close,
        Operation::Status,
    ];
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The device says no, and did nothing.
    Refuse,
    /// The device is slow: it waits, then does it and answers.
    Delay,
    /// The device does it at once and answers late.
    LateReply,
    /// The message is lost on its way: the answer never comes, and nothing was done.
    DropReplyBeforeEffect,
    /// The answer never comes, and it was done.
    DropReplyAfterEffect,
    /// The part of the device that takes commands starts anew before it does it: the answer never comes, and the journal
    /// is gone.
    RestartBeforeEffect,
    /// The same when it was done.
    RestartAfterEffect,
    /// A capture comes back without a single node.
    EmptyCapture,
    /// The code on the caller's side of the device panics, when the answer is there.
    Panic,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 9] = [
        FaultKind::Refuse,
        FaultKind::Delay,
        FaultKind::LateReply,
        FaultKind::DropReplyBeforeEffect,
        FaultKind::DropReplyAfterEffect,
        FaultKind::RestartBeforeEffect,
        FaultKind::RestartAfterEffect,
        FaultKind::EmptyCapture,
        FaultKind::Panic,
    ];
}

/// One fault.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// On which operation.
    pub on: Operation,
    /// What goes wrong.
    pub kind: FaultKind,
    /// Only where this element is hit.
    #[serde(default)]
    pub element: Option<String>,
    /// Only this occurrence, from 1; every one unless said.
    #[serde(default)]
    pub nth: Option<u32>,
    /// How long, for `delay` and `late-reply`.
    #[serde(default)]
    pub ms: u64,
}

impl Fault {
    /// A fault on every occurrence of an operation.
    pub const fn new(on: Operation, kind: FaultKind) -> Self {
        Fault { on, kind, element: None, nth: None, ms: 0 }
    }

    /// Only where this element is hit.
    #[must_use]
    pub fn element(mut self, id: impl Into<String>) -> Self {
        self.element = Some(id.into());
        self
    }

    /// Only the `nth` occurrence from now on, from 1.
    #[must_use]
    pub const fn nth(mut self, nth: u32) -> Self {
        self.nth = Some(nth);
        self
    }

    /// How long, ms.
    #[must_use]
    pub const fn ms(mut self, ms: u64) -> Self {
        self.ms = ms;
        self
    }
}

/// The faults of one device, switched on and off while it runs. Clones are the same set.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    armed: Arc<Mutex<Vec<Armed>>>,
    occurred: Arc<Mutex<HashMap<Operation, u32>>>,
}

#[derive(Debug)]
struct Armed {
    fault: Fault,
    seen: u32,
    struck: u32,
}

impl Faults {
    /// Arms one more.
    pub fn inject(&self, fault: Fault) {
        self.lock().push(Armed { fault, seen: 0, struck: 0 });
    }

    /// Disarms all.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// How often any of the armed faults struck.
    pub fn struck(&self) -> u32 {
        self.lock().iter().map(|armed| armed.struck).sum()
    }

    /// How often an operation came to the device so far, struck or not.
    pub fn occurred(&self, on: Operation) -> u32 {
        self.occurred.lock().unwrap_or_else(PoisonError::into_inner).get(&on).copied().unwrap_or_default()
    }

    /// Whether a fault strikes this operation; counts the occurrence. The one armed first wins.
    pub(crate) fn strike(&self, on: Operation, element: Option<&str>) -> Option<Fault> {
        *self.occurred.lock().unwrap_or_else(PoisonError::into_inner).entry(on).or_default() += 1;
        let mut strikes = None;
        for armed in self.lock().iter_mut() {
            let meant =
                armed.fault.on == on && armed.fault.element.as_deref().is_none_or(|wanted| element == Some(wanted));
            if !meant {
                continue;
            }
            armed.seen += 1;
            if strikes.is_none() && armed.fault.nth.is_none_or(|nth| nth == armed.seen) {
                armed.struck += 1;
                strikes = Some(armed.fault.clone());
            }
        }
        strikes
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Armed>> {
        self.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
