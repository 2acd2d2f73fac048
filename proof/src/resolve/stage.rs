//! The simulated device: every reply to an input lost, on its way there and on its way back, or later than the limit; the
//! answer of its journal lost once as well.

use std::time::Instant;

use cut::{Figures, Tally};

use super::count;
use crate::cuts::{Found, Plan, Share, stage};

/// Loses them.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let (trials, objections) = stage::campaign(plan, stage::faults::Injected::loses_a_reply);
    let mut tally = Tally::default();
    trials.into_iter().for_each(|trial| count(trial, &mut tally, plan));
    let broken = [tally.broken(), &objections].concat();
    let figures = Figures {
        part: "Stage: lost replies".to_owned(),
        faults: "every input of every operation lost before it arrived, its reply lost or later than the limit; the first answer of \
                 the journal lost too; the device is well. A later step of a series that is proven not to have been sent counts as \
                 `no`"
            .to_owned(),
        real: "real: the daemon behind its socket, the stage backend and the device's journal; a double: the device, which is \
               simulated"
            .to_owned(),
        command: "cargo run --release -p proof -- resolve stage".to_owned(),
        sampled: match plan.share {
            Share::Every { .. } => None,
            Share::Some { places, seed } => Some(format!("seed {seed}; {places} faults of each operation")),
        },
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}
