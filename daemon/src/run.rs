//! What a handler is given: one command of one request, in its session.

use std::{sync::Arc, time::Duration};

use backend::{Input, Receipt};
use contract::{Expected, Failure, request::Render};
use observe::{Observation, Poll, PollOutcome};
use screen::Tree;
use tokio::time::Instant;
use wire::Context;

use crate::{
    notes::{Notes, timed},
    session::Session,
};

/// Nodes of a capture at most, unless the caller asks for more (the field's limit).
pub const MAX_NODES: u32 = 5_000;

/// One command of one request.
#[derive(Debug)]
pub struct Run<'a> {
    /// Ledger, deadline, cancellation.
    pub context: Context,
    /// The session whose turn it is.
    pub session: &'a mut Session,
    /// How long a press may wait for its target, ms.
    pub readiness_ms: Option<u64>,
    /// What its targets were when it was recorded, in their order.
    pub expect: Vec<Expected>,
    /// Whether a text for people is wanted.
    pub render: Render,
    /// Every look of every wait, for the timeline.
    pub polls: Vec<Poll>,
    /// What the session's script and its trace want to know; `None` where nobody wants anything.
    pub notes: Option<Box<Notes>>,
}

impl Run<'_> {
    /// Reads the screen. An empty screen is a failure.
    ///
    /// # Errors
    /// What the device says, or `CAPTURE_FAILED` for a capture without content.
    pub async fn capture(&mut self) -> Result<Arc<Tree>, Failure> {
        self.context.check()?;
        let tree = self.session.device.capture(&self.context, MAX_NODES).await?;
        screen::guard::content(&tree)?;
        Ok(self.session.keep(tree))
    }

    /// Does one thing to the app.
    ///
    /// # Errors
    /// What the device says, or that the caller is gone.
    pub async fn perform(&mut self, input: Input) -> Result<Receipt, Failure> {
        self.context.check()?;
        self.note_input(&input);
        self.session.tree = None;
        let (done, began) = timed(self.session.device.perform(&self.context, input)).await;
        self.note_sent(began);
        done
    }

    /// A capture among several of one command that is no wait: it stands in the timeline like the looks of waits.
    ///
    /// # Errors
    /// As [`Run::capture`].
    pub async fn capture_noted(&mut self, command_began: Instant) -> Result<Arc<Tree>, Failure> {
        let started = Instant::now();
        let seen = self.capture().await;
        self.polls.push(Poll {
            started_ms: millis(started.duration_since(command_began)),
            duration_ms: millis(started.elapsed()),
            outcome: if seen.is_ok() { PollOutcome::Observed } else { PollOutcome::RodeOut },
        });
        seen
    }

    /// Keeps the looks of a wait for the timeline.
    pub fn note_polls<T>(&mut self, observation: &Observation<T>) {
        self.polls.extend(observation.polls_shown());
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
