//! Which faults the messages of an operation get.

use stage::{Fault, FaultKind, Operation as Message};

use super::operations::{CLOSING, Operation};

/// The faults of one trial.
#[derive(Debug, Clone)]
pub struct Injected {
    /// Strikes a message of the operation.
    pub first: Fault,
    /// It takes longer than the message may.
    pub too_late: bool,
    /// Strikes the questions to the journal, where these are struck too.
    pub status: Option<Fault>,
}

impl Injected {
    /// Exactly enough to do it again.
    pub fn words(&self) -> String {
        let one = |fault: &Fault| {
            let nth = fault.nth.map_or_else(|| "every".to_owned(), |nth| format!("number {nth}"));
            let ms = if fault.ms > 0 { format!(", {} ms", fault.ms) } else { String::new() };
            format!("{:?} {nth}: {:?}{ms}", fault.on, fault.kind)
        };
        match &self.status {
            None => one(&self.first),
            Some(status) => format!("{}; {}", one(&self.first), one(status)),
        }
    }

    /// Whether a reply to an input is lost or late although the device is well and has ended the input in time.
    pub fn loses_a_reply(&self) -> bool {
        let lost = match self.first.kind {
            FaultKind::DropReplyBeforeEffect | FaultKind::DropReplyAfterEffect => true,
            FaultKind::LateReply => self.too_late,
            _ => false,
        };
        lost && changes(self.first.on) && self.status.as_ref().is_none_or(|status| self.answers(status))
    }

    /// Whether a journal under this fault gives its answer all the same when it is asked again.
    fn answers(&self, status: &Fault) -> bool {
        status.nth.is_some()
            && matches!(status.kind, FaultKind::DropReplyBeforeEffect | FaultKind::DropReplyAfterEffect)
    }
}

/// Whether a message may change the app.
pub const fn changes(message: Message) -> bool {
    !matches!(message, Message::Capture | Message::Look | Message::Screenshot | Message::Status)
}

/// Every fault for an operation that sends these messages, each so often.
pub fn faults(operation: &Operation, messages: &[(Message, u32)]) -> Vec<Injected> {
    let mut all = Vec::new();
    for (message, count) in messages {
        for nth in 1..=*count {
            for kind in FaultKind::ALL {
                let limit = limit(operation, *message);
                all.extend(times(kind, limit).into_iter().map(|ms| Injected {
                    first: Fault::new(*message, kind).nth(nth).ms(ms),
                    too_late: ms > limit,
                    status: None,
                }));
            }
            if changes(*message) {
                all.extend(with_the_journal(*message, nth));
            }
        }
    }
    all
}

/// How long a message may take, ms.
fn limit(operation: &Operation, message: Message) -> u64 {
    match message {
        Message::Close => CLOSING,
        _ => operation.limit_ms,
    }
}

/// How long a kind takes, ms, around the limit; one 0 for a kind that takes no time.
fn times(kind: FaultKind, limit: u64) -> Vec<u64> {
    if !matches!(kind, FaultKind::Delay | FaultKind::LateReply) {
        return vec![0];
    }
    // Below and above the moment at which the journal is asked, and that at which the time is up.
    let asked = limit - (limit / 5).clamp(200, 3_000).min(limit / 2);
    vec![asked / 2, asked - 10, asked + 10, limit - 10, limit + 10, limit + 200]
}

/// A lost reply whose journal is struck as well: once, so that it can be asked again, and every time.
fn with_the_journal(message: Message, nth: u32) -> Vec<Injected> {
    let mut all = Vec::new();
    for lost in [FaultKind::DropReplyBeforeEffect, FaultKind::DropReplyAfterEffect] {
        for kind in FaultKind::ALL {
            for only in [Some(1), None] {
                let status = Fault { nth: only, ..Fault::new(Message::Status, kind).ms(300) };
                all.push(Injected { first: Fault::new(message, lost).nth(nth), too_late: false, status: Some(status) });
            }
        }
    }
    all
}
