//! Sending to a device inside this process, with the same promise as over a socket.

use contract::{Effect, Row};
use tokio::sync::oneshot;

use crate::{Answered, Context, Lost, Sent};

/// The rows of a peer that can lose a reply or be late.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// The reply never comes.
    pub lost: Row,
    /// The limit passes first.
    pub timeout: Row,
    /// The answer to a look is lost or late.
    pub look_lost: Row,
}

/// Hands one operation to a peer and waits for the reply at the other end of a channel.
///
/// `hand_over` gives the operation away and returns where its reply will come; from then on the operation may run. A
/// channel closed without a reply is a lost reply. The reply comes back to be judged: see [`Answered`].
pub async fn exchange<T>(
    context: &Context,
    effect: Effect,
    rows: Rows,
    hand_over: impl FnOnce() -> oneshot::Receiver<T>,
) -> Sent<T> {
    let ticket = context.ledger.begin(effect);
    let (cause, timed_out) = match tokio::time::timeout_at(context.deadline, hand_over()).await {
        Ok(Ok(reply)) => return Sent::Answered(Answered::new(reply, ticket)),
        Ok(Err(_)) => ("the reply was lost", false),
        Err(_) => ("no reply within the time limit", true),
    };
    Sent::Lost(match (effect, timed_out) {
        (Effect::Observes, _) => Lost::look(ticket, rows.look_lost, cause, timed_out),
        (_, false) => Lost::new(ticket, rows.lost, cause, timed_out),
        (_, true) => Lost::new(ticket, rows.timeout, cause, timed_out),
    })
}
