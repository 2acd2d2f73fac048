//! Looking at the screen, and at one node of it.

use std::{sync::Arc, time::Duration};

use contract::{Code, Failure, Row};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use screen::NodeKey;
use serde_json::json;
use tokio::time::Instant;
use wire::Context;

use crate::{
    device::AndroidDevice,
    helper::{
        features::Features,
        fields::Fields,
        request::{Action, Ask},
    },
    seen::Seen,
    tree,
};

/// A screen that came back poor or incomplete is looked at again at this pace, in all so many times (the field's).
const LOOK_INTERVAL: Duration = Duration::from_millis(250);
const LOOK_BUDGET: Duration = Duration::from_millis(500);
/// A screen may be poor for so long after something was done because it is still being drawn; later it is what it is.
const DRAWING: Duration = Duration::from_secs(2);

impl AndroidDevice {
    /// The screen as it is: the last look where nothing has been done since and it is young, a new one otherwise.
    ///
    /// # Errors
    /// The capture's.
    pub async fn current(&self, context: &Context) -> Result<Arc<Seen>, Failure> {
        let (seen, changed) = {
            let inner = self.inner();
            (inner.seen.clone(), inner.changed)
        };
        let young =
            |seen: &Arc<Seen>| seen.at.elapsed() < LOOK_INTERVAL && changed.is_none_or(|changed| changed < seen.at);
        match seen.filter(young) {
            Some(seen) => Ok(seen),
            None => self.look(context, self.max_nodes()).await,
        }
    }

    /// Looks at the screen. A capture that came back incomplete, or poor while the app may still be drawing, is taken
    /// again a few times.
    ///
    /// # Errors
    /// The capture's.
    pub async fn look(&self, context: &Context, max_nodes: u32) -> Result<Arc<Seen>, Failure> {
        if max_nodes > self.max_nodes() {
            self.inner().max_nodes = max_nodes;
            self.helper().allow_nodes(max_nodes).await;
        }
        let schedule = Schedule {
            interval: LOOK_INTERVAL,
            budget: LOOK_BUDGET,
            min_polls: 1,
            budget_from: BudgetFrom::FirstLook,
            deadline: context.deadline,
        };
        let drawing = self.inner().changed.is_some_and(|changed| changed.elapsed() < DRAWING);
        let mut last = None;
        let observed = observe_until(
            schedule,
            &context.cancel,
            || async { Ok(self.look_once(context, max_nodes).await) },
            |look| match look {
                Ok(seen) if seen.capture.is_poor() && drawing => {
                    last = Some(Ok(seen));
                    Verdict::Continue
                }
                Err(failure) if is_passing(&failure) => {
                    last = Some(Err(failure));
                    Verdict::Continue
                }
                look => Verdict::Done(look),
            },
        )
        .await;
        context.looks.note(&observed.polls);
        let seen = match (observed.end, last) {
            (End::Done(look), _) | (_, Some(look)) => Arc::new(look?),
            (End::Unseen(failure) | End::Stopped(failure), None) => return Err(failure),
            (End::Expired | End::Stalled | End::Cancelled, None) => {
                context.check()?;
                return Err(Failure::refused(
                    Row::HelperLookLost,
                    Code::Timeout,
                    "the screen could not be read in time",
                ));
            }
        };
        self.inner().seen = Some(seen.clone());
        Ok(seen)
    }

    async fn look_once(&self, context: &Context, max_nodes: u32) -> Result<Seen, Failure> {
        let features = self.helper().ready(context).await?;
        let ask = Ask::of(Action::Snapshot);
        let ask = if features.contains(Features::NODE_KEYS) { ask.option("nodeKeys", 1) } else { ask };
        let reply = self.helper().done(context, &ask, "reading the screen").await?;
        let stamp = reply.fields.number("eventStamp").filter(|_| features.contains(Features::GUARD));
        let scope = self.helper().scope().await;
        let options = tree::Options { scope, max_nodes, whole: false };
        let capture = tree::read(&reply.body, &reply.fields.into_map(), &options)?;
        Ok(Seen { capture, stamp, at: Instant::now() })
    }

    /// A live look at one node; `None` where the helper cannot, or does not number its nodes.
    pub(crate) async fn look_at(&self, context: &Context, node: NodeKey) -> Result<Option<Fields>, Failure> {
        let Some(spelled) = self.spelled(node) else { return Ok(None) };
        if !self.helper().ready(context).await?.contains(Features::LOOK) {
            return Ok(None);
        }
        let ask = Ask::of(Action::Look).with(json!({"node": spelled}));
        let said = self.helper().done(context, &ask, "looking at the element").await?.fields;
        if said.flag("found") == Some(false) {
            return Err(Failure::refused(
                Row::HelperNodeGone,
                Code::ElementNotFound,
                "the element has left the screen",
            )
            .reason("target_gone")
            .hint("look at what is there now: agent-device snapshot -i")
            .retriable());
        }
        Ok(Some(said))
    }
}

/// A failed look that may be followed by a good one at once.
fn is_passing(failure: &Failure) -> bool {
    let row = failure.claim().map(|claim| claim.row);
    matches!(row, Some(Row::HelperCaptureIncomplete | Row::HelperCaptureWithoutApp))
}
