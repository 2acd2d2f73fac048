//! How many lost replies end in a certain answer: the device is well, has done the command or never got it, and only the
//! reply is lost. Who keeps a journal, or honours keys, can make sure of what became of it.
//!
//! | module | whose lost replies |
//! | --- | --- |
//! | [`android`] | the helper's on an Android device |
//! | [`appium`] | an Appium server's |
//! | [`client`] | the daemon's to a client |
//! | [`stage`] | the simulated device's |

pub mod android;
pub mod appium;
pub mod client;
pub mod stage;

use std::pin::Pin;

use contract::Row;
use cut::{Figures, Tally, Told, Trial};

use crate::cuts::{Found, Plan};

/// One whose lost replies are made sure of.
pub struct Subject {
    /// Its name on the command line, and that of its file of figures: `resolve-stage.json`.
    pub name: &'static str,
    /// Loses them. A wrong resolution is a broken promise.
    pub run: for<'p> fn(&'p Plan) -> Pin<Box<dyn Future<Output = Found> + 'p>>,
}

/// Every subject.
pub const SUBJECTS: &[Subject] = &[
    Subject { name: "stage", run: |plan| Box::pin(stage::run(plan)) },
    Subject { name: "android", run: |plan| Box::pin(android::run(plan)) },
    Subject { name: "client", run: |plan| Box::pin(client::run(plan)) },
    Subject { name: "appium", run: |plan| Box::pin(appium::run(plan)) },
];

/// Of 1000 lost replies so many must end in the real result or a proven `no` (the goal: 99 %).
pub const GOAL: u64 = 990;

/// Of 1000 lost replies so many ended in the real result or a proven `no`; 1000 where none was lost.
pub fn certain(figures: &Figures) -> u64 {
    let sum = |count: fn(&cut::Line) -> u64| figures.lines.iter().map(count).sum::<u64>();
    let certain = sum(|line| line.done + line.resolved + line.no);
    (certain * 1000).checked_div(sum(|line| line.injected)).unwrap_or(1000)
}

/// Rows that say of the step that failed that it never was sent, and how many steps before it were: all of it is certain,
/// although the request as a whole did reach the device.
const PROVEN_AFTER_STEPS: [Row; 8] = [
    Row::DaemonSeriesLaterPressRefused,
    Row::DaemonSeriesLaterSwipeRefused,
    Row::DaemonDoubleTapSecondRefused,
    Row::DaemonTypeLaterChunkRefused,
    Row::DaemonFindRefusedAfterFocus,
    Row::DaemonBatchMutationThenRefusedStep,
    Row::DaemonRefusedAfterSend,
    Row::DaemonDeadlineAfterSend,
];

/// A trial as it counts here: a lost step that is proven not to have been sent is a proven `no`, also after others.
///
/// What became of the steps before it is no longer a matter of this reply: they are taken off what was asked for.
pub fn of_this_reply(trial: Trial) -> Trial {
    let proven = matches!(&trial.told, Told::Unknown(row, steps)
        if *steps > 0 && PROVEN_AFTER_STEPS.iter().any(|proven| proven.id() == row));
    match trial.told {
        Told::Unknown(row, _) if proven && trial.landed < trial.asked => {
            Trial { told: Told::No(row), landed: 0, asked: trial.asked - trial.landed, ..trial }
        }
        _ => trial,
    }
}

/// Counts a trial, and tells a person of one whose outcome stayed unknown.
fn count(trial: Trial, tally: &mut Tally, plan: &Plan) {
    let trial = of_this_reply(trial);
    if let Told::Unknown(row, steps) = &trial.told {
        (plan.progress)(&format!("unknown: {}, {}: {row} after {steps} steps", trial.operation, trial.fault));
    }
    tally.add(&trial);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use cut::{After, Line};

    use super::*;

    fn trial(told: Told, landed: u32, asked: u32) -> Trial {
        Trial {
            operation: "press".into(),
            fault: "a lost reply".into(),
            told,
            landed,
            asked,
            after: After::Usable,
            took: Duration::ZERO,
            limit: Duration::ZERO,
        }
    }

    #[test]
    fn a_series_whose_later_step_was_never_sent_is_certain() {
        let later = Told::Unknown(Row::DaemonSeriesLaterPressRefused.id().into(), 2);
        let counted = of_this_reply(trial(later.clone(), 2, 3));
        assert!(matches!(counted.told, Told::No(_)), "{counted:?}");
        // All three landed: then the third was sent, whatever was told.
        assert_eq!(of_this_reply(trial(later.clone(), 3, 3)).told, later);
        let lost = Told::Unknown(Row::StageJournalRestarted.id().into(), 2);
        assert_eq!(of_this_reply(trial(lost.clone(), 2, 3)).told, lost);
    }

    #[test]
    fn what_is_certain_is_counted_by_the_thousand() {
        let line = |done, resolved, no, unknown| Line {
            injected: done + resolved + no + unknown,
            done,
            resolved,
            no,
            unknown,
            ..Line::default()
        };
        let figures = |lines| Figures {
            part: String::new(),
            faults: String::new(),
            real: String::new(),
            command: String::new(),
            sampled: None,
            seconds: 0,
            lines,
        };
        assert_eq!(certain(&figures(vec![line(1, 900, 98, 1), line(0, 0, 0, 9)])), 990);
        assert_eq!(certain(&figures(vec![line(0, 0, 0, 9)])), 0);
        assert_eq!(certain(&figures(Vec::new())), 1000);
    }
}
