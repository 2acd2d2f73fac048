//! After the reply to a command was lost: the device's journal is asked what became of it.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use contract::{Code, Effect, Failure, Row};
use observe::{BudgetFrom, End, Schedule, Verdict, observe_until};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use wire::{Answered, Context, Lost, NotSent, Sent, local};

use crate::actor::Answer;
use crate::journal::{CAPACITY, Known, Question, State, Status};

/// Pause between two questions about a command that has not ended.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(1);
/// Questions in a row without an answer, after which the journal counts as out of reach.
const UNANSWERED: u32 = 3;

/// What is known now.
#[derive(Debug)]
pub enum Settled {
    /// It ended: the reply that was lost, not judged yet.
    Ended(Answered<Answer>),
    /// It never arrived, and never will.
    Never(NotSent),
    /// The journal is that of another life of the device: nobody can say.
    Restarted(Lost),
    /// Nobody can say. What is known of the journal, for the message.
    Open(Lost, &'static str),
}

/// What one question came to.
#[derive(Debug)]
enum Found {
    Ended(Answer),
    Never,
    Restarted,
    Open(&'static str),
}

/// Asks until the command has ended, or nobody can say, or the request's time is up. `asked` is the journal as it was
/// last heard of before the command was handed over.
///
/// The second value is whether a fault wants the code that gets the answer to panic.
pub async fn settle(
    context: &Context,
    questions: &mpsc::UnboundedSender<Question>,
    id: u64,
    asked: State,
    lost: Lost,
) -> (Settled, bool) {
    let schedule = Schedule {
        interval: INTERVAL,
        budget: context.left(),
        min_polls: 1,
        budget_from: BudgetFrom::Start,
        deadline: context.deadline,
    };
    let (mut running, mut panics) = (false, false);
    let unanswered = AtomicU32::new(0);
    let observed = observe_until(
        schedule,
        // A caller that went away changes nothing about what has to be known: the timeline keeps it.
        &CancellationToken::new(),
        || async {
            let answer = question(context, questions, id).await;
            let in_a_row = if answer.is_ok() { 0 } else { unanswered.load(Relaxed) + 1 };
            unanswered.store(in_a_row, Relaxed);
            if in_a_row == UNANSWERED { Ok(None) } else { answer.map(Some) }
        },
        |status| {
            panics |= status.as_ref().is_some_and(|status| status.panics);
            match status.map_or(Some(Found::Open("its journal does not answer")), |status| judge(asked, status)) {
                Some(found) => Verdict::Done(found),
                None => {
                    running = true;
                    Verdict::Continue
                }
            }
        },
    )
    .await;
    context.looks.note(&observed.polls);
    let settled = match observed.end {
        End::Done(Found::Ended(answer)) => Settled::Ended(lost.recovered(answer)),
        End::Done(Found::Never) => {
            let cause = format!("{}; the device's journal proves that the command never arrived", lost.cause());
            Settled::Never(lost.disproved(Row::StageJournalNeverAccepted, cause))
        }
        End::Done(Found::Restarted) => {
            let cause = format!("{}; the device has started anew since, and its journal with it", lost.cause());
            Settled::Restarted(lost.under(Row::StageJournalRestarted, cause))
        }
        End::Done(Found::Open(why)) => Settled::Open(lost, why),
        _ if running => Settled::Open(lost, "it had begun and not ended when the time was up"),
        _ => Settled::Open(lost, "its journal did not answer in time"),
    };
    (settled, panics)
}

/// What an answer proves; `None` while the command runs.
fn judge(asked: State, status: Status) -> Option<Found> {
    if status.state.boot != asked.boot {
        return Some(Found::Restarted);
    }
    match status.known {
        None => Some(Found::Open("its journal does not answer for the command")),
        Some(Known::Running) => None,
        Some(Known::Ended(answer)) => Some(Found::Ended(answer)),
        // Absent is a proof only where the command could not have been forgotten.
        Some(Known::Absent) if status.state.accepted.saturating_sub(asked.accepted) < CAPACITY => Some(Found::Never),
        Some(Known::Absent) => Some(Found::Open("its journal no longer reaches back to the command")),
    }
}

/// One question. It changes nothing about the app, so it may be asked as often as need be.
async fn question(context: &Context, questions: &mpsc::UnboundedSender<Question>, id: u64) -> Result<Status, Failure> {
    let rows = local::Rows { lost: Row::StageLookLost, timeout: Row::StageLookLost, look_lost: Row::StageLookLost };
    let doing = "asking the device's journal";
    let sent = local::exchange(&context.until(QUESTION), Effect::Observes, rows, || {
        let (reply, replied) = oneshot::channel();
        // One that cannot be handed over is dropped with its reply channel, and so counts as lost.
        drop(questions.send(Question { id, reply }));
        replied
    })
    .await;
    match sent {
        Sent::Answered(answered) => Ok(answered.completed()),
        Sent::Lost(lost) => Err(lost.failure(doing)),
        Sent::NotSent(proof) => Err(proof.failure(Code::CommandFailed, doing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: State = State { boot: 3, accepted: 100 };

    fn said(boot: u64, accepted: u64, known: Option<Known>) -> Option<Found> {
        judge(ASKED, Status { state: State { boot, accepted }, known, panics: false })
    }

    #[test]
    fn absent_proves_something_only_while_the_journal_reaches_back() {
        assert!(matches!(said(3, 100, Some(Known::Absent)), Some(Found::Never)));
        assert!(matches!(said(3, 163, Some(Known::Absent)), Some(Found::Never)));
        assert!(matches!(said(3, 164, Some(Known::Absent)), Some(Found::Open(_))));
    }

    #[test]
    fn another_life_of_the_device_cannot_answer() {
        for known in [Known::Absent, Known::Running, Known::Ended(Answer::Done)] {
            assert!(matches!(said(4, 0, Some(known)), Some(Found::Restarted)));
        }
    }

    #[test]
    fn what_runs_is_asked_for_again_and_what_ended_is_known() {
        assert!(said(3, 101, Some(Known::Running)).is_none());
        assert!(matches!(said(3, 101, Some(Known::Ended(Answer::Done))), Some(Found::Ended(Answer::Done))));
        assert!(matches!(said(3, 101, None), Some(Found::Open(_))));
    }

    /// A lost reply, and what the journal's answers make of it: `None` is no answer.
    async fn settled(answers: impl FnMut(u32) -> Option<Status> + Send + 'static) -> (Settled, bool) {
        settled_within(Duration::from_secs(10), answers).await
    }

    async fn settled_within(
        limit: Duration,
        mut answers: impl FnMut(u32) -> Option<Status> + Send + 'static,
    ) -> (Settled, bool) {
        let context = Context::with_limit(limit);
        let rows = local::Rows {
            lost: Row::StageReplyLostBeforeEffect,
            timeout: Row::StageReplyLostBeforeEffect,
            look_lost: Row::StageLookLost,
        };
        let sent: Sent<Answer> = local::exchange(&context, Effect::Mutates, rows, || oneshot::channel().1).await;
        let Sent::Lost(lost) = sent else { panic!("its reply channel is gone: {sent:?}") };
        let (questions, mut asked) = mpsc::unbounded_channel::<Question>();
        let device = tokio::spawn(async move {
            let mut number = 0;
            while let Some(question) = asked.recv().await {
                number += 1;
                if let Some(status) = answers(number) {
                    drop(question.reply.send(status));
                }
            }
        });
        let settled = settle(&context, &questions, 7, ASKED, lost).await;
        drop(questions);
        device.await.unwrap();
        settled
    }

    fn status(known: Option<Known>) -> Option<Status> {
        Some(Status { state: ASKED, known, panics: false })
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_is_told_why_nobody_can_say() {
        let of = async |answers: fn(u32) -> Option<Status>| match settled(answers).await {
            (Settled::Open(_, why), false) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(of(|_| None).await, "its journal does not answer");
        assert_eq!(of(|_| status(None)).await, "its journal does not answer for the command");
        assert_eq!(of(|_| status(Some(Known::Running))).await, "it had begun and not ended when the time was up");
        // Unanswered questions between answers are not out of reach.
        let now_and_then = |number: u32| if number.is_multiple_of(2) { status(Some(Known::Running)) } else { None };
        assert_eq!(of(now_and_then).await, "it had begun and not ended when the time was up");
        // Less time than it takes to find out that the journal is out of reach.
        match settled_within(INTERVAL, |_| None).await {
            (Settled::Open(_, why), false) => assert_eq!(why, "its journal did not answer in time"),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_fault_that_wants_a_panic_is_handed_on_whichever_answer_told_of_it() {
        for at in 1..=3 {
            let answers = move |number: u32| {
                let known = if number < 3 { Known::Running } else { Known::Ended(Answer::Done) };
                Some(Status { state: ASKED, known: Some(known), panics: number == at })
            };
            let (settled, panics) = settled(answers).await;
            assert!(matches!(settled, Settled::Ended(_)), "{settled:?}");
            assert!(panics, "told by answer {at}");
        }
    }
}
