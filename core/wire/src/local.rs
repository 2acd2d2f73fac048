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
    match tokio::time::timeout_at(context.deadline, hand_over()).await {
        Ok(Ok(reply)) => Sent::Answered(Answered::new(reply, ticket)),
        Ok(Err(_)) => Sent::Lost(Lost::new(rows.lost, "the reply was lost", false)),
        Err(_) => Sent::Lost(Lost::new(rows.timeout, "no reply within the time limit", true)),
    }
}
