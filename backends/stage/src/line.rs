//! The way to the device: hands commands over, once each, and makes sure of what became of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use contract::{Claim, Code, Dispatched, Effect, Failure, Row};
use tokio::sync::oneshot;
use wire::{Answered, Context, Lost, Sent, local};

use crate::actor::{self, Answer, Command, Mark, Message, Reply, Ways};
use crate::fault::Operation;
use crate::journal::State;
use crate::scene::Scene;
use crate::settle::{Settled, settle};

const ROWS: local::Rows = local::Rows {
    lost: Row::StageReplyLostBeforeEffect,
    timeout: Row::StageDelayedPastDeadline,
    look_lost: Row::StageLookLost,
};

/// The way to one device.
#[derive(Debug)]
pub struct Line {
    ways: Ways,
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    next: u64,
    heard: State,
}

/// What a command came to.
#[derive(Debug)]
pub struct Told {
    /// The answer.
    pub answer: Answer,
    /// The reply was lost and the journal had kept it: under which row.
    pub resolved: Option<Row>,
}

impl Line {
    /// Starts a device with this app.
    pub fn start(scene: Scene) -> Self {
        let ways = actor::start(scene);
        let heard = ways.journal.state();
        Self { ways, memory: Mutex::new(Memory { next: 1, heard }) }
    }

    /// Whether the app has ended.
    pub fn ended(&self) -> bool {
        self.ways.messages.is_closed()
    }

    /// Hands one command over and judges the reply. Where the reply to an input is lost, the device's journal is asked.
    ///
    /// # Errors
    /// What the device refuses, or how the command was lost.
    pub async fn send(
        &self,
        context: &Context,
        effect: Effect,
        operation: Operation,
        command: Command,
        doing: &str,
    ) -> Result<Told, Failure> {
        if self.ended() {
            return Err(Failure::refused(Row::StageRefused, Code::SessionLost, format!("{doing}: the app has ended"))
                .reason("app_ended"));
        }
        let mutates = effect == Effect::Mutates;
        // A part of the time is kept for the journal.
        let limited = if mutates { context.until(context.left() - context.reserve()) } else { context.clone() };
        let (mark, mut id, mut asked) = (Mark::default(), 0, self.lock().heard);
        let sent = local::exchange(&limited, effect, ROWS, || {
            let (reply, replied) = oneshot::channel();
            let mut memory = self.lock();
            id = memory.next;
            memory.next += 1;
            // A way leads to one life of the device. Of a new one nothing was heard yet.
            let boot = self.ways.journal.state().boot;
            asked = if memory.heard.boot == boot { memory.heard } else { State { boot, accepted: 0 } };
            let (request, mark) = (context.request.clone(), mark.clone());
            let message = Message { id, boot, mutates, request, operation, command, reply, mark };
            // One that cannot be handed over is dropped with its reply channel, and so counts as lost.
            drop(self.ways.messages.send(message));
            replied
        })
        .await;
        match sent {
            Sent::NotSent(proof) => Err(proof.failure(Code::CommandFailed, doing)),
            Sent::Lost(lost) if !mutates => Err(lost.failure(doing)),
            Sent::Lost(lost) => self.settled(context, id, asked, lost, &mark, doing).await,
            Sent::Answered(answered) => {
                let Reply { panics, state, .. } = *answered.reply();
                if panics {
                    panic_for_a_fault(doing);
                }
                self.lock().heard = state;
                let answer = judged(answered.map(|reply| reply.answer), doing)?;
                Ok(Told { answer, resolved: None })
            }
        }
    }

    async fn settled(
        &self,
        context: &Context,
        id: u64,
        asked: State,
        lost: Lost,
        mark: &Mark,
        doing: &str,
    ) -> Result<Told, Failure> {
        let (settled, panics) = settle(context, &self.ways.questions, id, asked, lost).await;
        if panics {
            panic_for_a_fault(doing);
        }
        match settled {
            Settled::Ended(answered) => {
                let answer = judged(answered, doing)?;
                Ok(Told { answer, resolved: Some(Row::StageJournalCompleted) })
            }
            Settled::Never(proof) => Err(proof.failure(Code::CommandFailed, doing).reason("reply_lost")),
            Settled::Restarted(lost) => Err(lost.failure(doing)),
            Settled::Open(lost, why) => {
                let cause = format!("{}; {why}", lost.cause());
                let row = lost.row();
                let failure = lost.under(row, cause).failure(doing);
                Err(match mark.after_effect() {
                    true => {
                        failure.under(Claim { row: Row::StageReplyLostAfterEffect, dispatched: Dispatched::Unknown })
                    }
                    false => failure,
                })
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer in a reply, however it came.
fn judged(answered: Answered<Answer>, doing: &str) -> Result<Answer, Failure> {
    if let Answer::Refused(code, cause) = answered.reply() {
        let (code, cause) = (*code, cause.clone());
        return Err(answered.refused(Row::StageRefused, cause).failure(code, doing).reason("refused_by_device"));
    }
    Ok(answered.completed())
}

#[allow(clippy::panic, reason = "the fault that an app's script asks for, to prove that a daemon outlives a panic")]
fn panic_for_a_fault(doing: &str) -> ! {
    panic!("{doing}: panicked as a fault of the stage app asks for")
}
