//! What the device remembers of the commands that it was told, so that it can be asked after a reply was lost.
//!
//! `status` *fences*: a command that has not arrived by then is refused if it still does. So "never accepted" stays
//! true after it was said.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use crate::actor::Answer;
use crate::fault::{FaultKind, Faults, Operation};

/// Commands that are remembered (the contract's number).
pub const CAPACITY: u64 = 64;

/// The journal of one device.
#[derive(Debug, Default)]
pub struct Journal {
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    boot: u64,
    accepted: u64,
    /// The highest number that has arrived. Messages arrive in the order of their numbers.
    arrived: u64,
    /// Numbers that have not arrived and must not be executed if they do.
    fenced: BTreeSet<u64>,
    entries: VecDeque<Entry>,
}

#[derive(Debug)]
struct Entry {
    id: u64,
    /// What it came to; `None` while it runs.
    answer: Option<Answer>,
}

/// Which life of the device, and how much it has accepted in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Changes with every start.
    pub boot: u64,
    /// Commands accepted since then.
    pub accepted: u64,
}

/// What a message is to the journal when it arrives.
#[derive(Debug)]
pub enum Arrival {
    /// To be served.
    New,
    /// It was executed before: the answer that was kept.
    Kept(Answer),
    /// It must not be executed: it was fenced, was meant for an earlier life, or came before and is known no more.
    Dead,
}

/// What became of one command.
#[derive(Debug)]
pub enum Known {
    /// It is not in the journal, and is refused if it still arrives.
    Absent,
    /// It was accepted and has not ended.
    Running,
    /// It ended so.
    Ended(Answer),
}

/// The answer to a question.
#[derive(Debug)]
pub struct Status {
    /// The journal itself.
    pub state: State,
    /// What became of the command; `None` where the device refuses to say.
    pub known: Option<Known>,
    /// See [`FaultKind::Panic`].
    pub panics: bool,
}

/// One question with the way back.
#[derive(Debug)]
pub struct Question {
    /// The command's number.
    pub id: u64,
    /// Where the answer goes.
    pub reply: oneshot::Sender<Status>,
}

impl Journal {
    /// Which life this is, and how much was accepted in it.
    pub fn state(&self) -> State {
        let memory = self.lock();
        State { boot: memory.boot, accepted: memory.accepted }
    }

    /// What a message is that arrives now.
    pub fn arrives(&self, id: u64, boot: u64) -> Arrival {
        let mut memory = self.lock();
        if boot != memory.boot || memory.fenced.remove(&id) {
            memory.arrived = memory.arrived.max(id);
            return Arrival::Dead;
        }
        if id > memory.arrived {
            memory.arrived = id;
            // What had a lower number and has not arrived never will.
            memory.fenced = memory.fenced.split_off(&id);
            return Arrival::New;
        }
        let kept = memory.entries.iter().find(|entry| entry.id == id).and_then(|entry| entry.answer.as_ref());
        kept.and_then(Answer::kept).map_or(Arrival::Dead, Arrival::Kept)
    }

    /// A command is about to be executed.
    pub fn accept(&self, id: u64) {
        let mut memory = self.lock();
        memory.accepted += 1;
        if memory.entries.len() as u64 >= CAPACITY {
            memory.entries.pop_front();
        }
        memory.entries.push_back(Entry { id, answer: None });
    }

    /// It ended. One that was accepted before a restart is no longer known.
    pub fn end(&self, id: u64, answer: Answer) {
        if let Some(entry) = self.lock().entries.iter_mut().find(|entry| entry.id == id) {
            entry.answer = Some(answer);
        }
    }

    /// What became of a command. One that has not arrived yet never will be executed from here on.
    pub fn status(&self, id: u64) -> Known {
        let mut memory = self.lock();
        match memory.entries.iter().find(|entry| entry.id == id) {
            Some(entry) => entry.answer.as_ref().and_then(Answer::kept).map_or(Known::Running, Known::Ended),
            None => {
                if id > memory.arrived {
                    memory.fenced.insert(id);
                }
                Known::Absent
            }
        }
    }

    /// The part of the device that takes commands starts anew: it remembers nothing, and what was on its way to it is
    /// gone with the earlier one.
    pub fn restart(&self) {
        let mut memory = self.lock();
        *memory = Memory { boot: memory.boot + 1, ..Memory::default() };
    }

    fn lock(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers questions at any time, also while a command runs. Ends when nobody can ask any more.
pub fn serve(journal: Arc<Journal>, faults: Faults) -> mpsc::UnboundedSender<Question> {
    let (sender, mut questions) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(question) = questions.recv().await {
            let fault = faults.strike(Operation::Status, None);
            let kind = fault.as_ref().map(|fault| fault.kind);
            let late = Duration::from_millis(fault.map_or(0, |fault| fault.ms));
            tokio::spawn(answer(journal.clone(), question, kind, late));
        }
    });
    sender
}

async fn answer(journal: Arc<Journal>, question: Question, fault: Option<FaultKind>, late: Duration) {
    match fault {
        Some(FaultKind::DropReplyBeforeEffect) => return,
        Some(FaultKind::RestartBeforeEffect) => return journal.restart(),
        Some(FaultKind::Delay) => sleep(late).await,
        _ => {}
    }
    let known = (fault != Some(FaultKind::Refuse)).then(|| journal.status(question.id));
    let status = Status { state: journal.state(), known, panics: fault == Some(FaultKind::Panic) };
    match fault {
        Some(FaultKind::DropReplyAfterEffect) => return,
        Some(FaultKind::RestartAfterEffect) => return journal.restart(),
        Some(FaultKind::LateReply) => sleep(late).await,
        _ => {}
    }
    // Whoever asked may have stopped waiting.
    drop(question.reply.send(status));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_new(arrival: &Arrival) -> bool {
        matches!(arrival, Arrival::New)
    }

    fn ran(journal: &Journal, id: u64) {
        assert!(is_new(&journal.arrives(id, 0)));
        journal.accept(id);
        journal.end(id, Answer::Done);
    }

    #[test]
    fn a_command_is_executed_once_and_its_answer_kept() {
        let journal = Journal::default();
        assert!(is_new(&journal.arrives(1, 0)));
        journal.accept(1);
        assert!(matches!(journal.status(1), Known::Running));
        assert!(matches!(journal.arrives(1, 0), Arrival::Dead), "not a second time while it runs");
        journal.end(1, Answer::Done);
        assert!(matches!(journal.status(1), Known::Ended(Answer::Done)));
        assert!(matches!(journal.arrives(1, 0), Arrival::Kept(Answer::Done)), "nor afterwards");
        assert_eq!(journal.state(), State { boot: 0, accepted: 1 });
    }

    #[test]
    fn what_was_said_to_be_absent_is_never_executed() {
        let journal = Journal::default();
        assert!(matches!(journal.status(2), Known::Absent));
        assert!(is_new(&journal.arrives(1, 0)), "only the one that was asked for is fenced");
        assert!(matches!(journal.arrives(2, 0), Arrival::Dead));
        assert!(matches!(journal.status(2), Known::Absent), "and stays absent");
        assert!(is_new(&journal.arrives(3, 0)));
    }

    #[test]
    fn a_command_that_was_lost_on_its_way_cannot_come_late() {
        let journal = Journal::default();
        // It arrived where a fault took it; the journal never accepted it.
        assert!(is_new(&journal.arrives(1, 0)));
        assert!(matches!(journal.status(1), Known::Absent));
        assert!(matches!(journal.arrives(1, 0), Arrival::Dead));
    }

    #[test]
    fn the_oldest_of_more_than_64_is_forgotten_and_not_executed_again() {
        let journal = Journal::default();
        (1..=CAPACITY + 1).for_each(|id| ran(&journal, id));
        assert!(matches!(journal.status(1), Known::Absent));
        assert!(matches!(journal.arrives(1, 0), Arrival::Dead));
        assert!(matches!(journal.status(2), Known::Ended(_)));
        assert_eq!(journal.state().accepted, CAPACITY + 1);
    }

    #[test]
    fn a_restart_forgets_and_takes_what_was_on_its_way_with_it() {
        let journal = Journal::default();
        ran(&journal, 1);
        assert!(matches!(journal.status(3), Known::Absent));
        journal.restart();
        assert_eq!(journal.state(), State { boot: 1, accepted: 0 });
        // Both were written to the earlier life: the one that was fenced there is still not executed.
        assert!(matches!(journal.arrives(2, 0), Arrival::Dead));
        assert!(matches!(journal.arrives(3, 0), Arrival::Dead));
        assert!(matches!(journal.arrives(1, 1), Arrival::Dead));
        assert!(is_new(&journal.arrives(4, 1)));
    }

    /// What comes of a question under a fault, and whether it had come after a second.
    async fn asked(journal: &Arc<Journal>, fault: FaultKind) -> (Option<Status>, bool) {
        let (reply, answer_of) = oneshot::channel();
        let mut answered = tokio::spawn(answer_of);
        let late = Duration::from_secs(2);
        let answering = tokio::spawn(answer(journal.clone(), Question { id: 7, reply }, Some(fault), late));
        let soon = tokio::time::timeout(Duration::from_secs(1), &mut answered).await;
        let in_time = soon.is_ok();
        let status = match soon {
            Ok(ended) => ended.unwrap(),
            Err(_) => answered.await.unwrap(),
        };
        answering.await.unwrap();
        (status.ok(), in_time)
    }

    #[tokio::test(start_paused = true)]
    async fn a_question_to_the_journal_has_the_faults_of_any_other_message() {
        use FaultKind::{
            Delay, DropReplyAfterEffect, DropReplyBeforeEffect, LateReply, Panic, Refuse, RestartAfterEffect,
            RestartBeforeEffect,
        };
        // Whether an answer comes, whether at once, whether the command that was asked for is refused from then on (a restart
        // forgets what it has said), and which life the device is in afterwards.
        for (fault, comes, at_once, fenced, boot) in [
            (DropReplyBeforeEffect, false, true, false, 0),
            (DropReplyAfterEffect, false, true, true, 0),
            (RestartBeforeEffect, false, true, false, 1),
            (RestartAfterEffect, false, true, false, 1),
            (Delay, true, false, true, 0),
            (LateReply, true, false, true, 0),
            (Refuse, true, true, false, 0),
            (Panic, true, true, true, 0),
        ] {
            let journal = Arc::new(Journal::default());
            let (status, in_time) = asked(&journal, fault).await;
            assert_eq!((status.is_some(), in_time, journal.state().boot), (comes, at_once, boot), "{fault:?}");
            assert_eq!(is_new(&journal.arrives(7, boot)), !fenced, "{fault:?}");
            if let Some(status) = status {
                assert_eq!((status.known.is_none(), status.panics), (fault == Refuse, fault == Panic), "{fault:?}");
            }
        }
    }
}
