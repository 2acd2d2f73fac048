//! Everything that a run does, as data. Parts have numbers; a plan with fewer of them is a plan too, and what is left does
//! what it did before.

use std::collections::BTreeSet;

use contract::Command;
use stage::Fault;

/// A run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where it came from.
    pub seed: u64,
    /// The steps of each client.
    pub clients: Vec<Vec<Step>>,
}

/// What a client does next.
#[derive(Debug, Clone)]
pub struct Step {
    /// Unique in the plan.
    pub number: u32,
    /// In which session.
    pub session: u8,
    /// On which device, where it opens something.
    pub device: Option<&'static str>,
    /// How long the client thinks before, ms.
    pub pause_ms: u64,
    /// What is asked.
    pub act: Act,
    /// What becomes of the connection meanwhile.
    pub manner: Manner,
    /// The request's limit, ms.
    pub timeout_ms: Option<u64>,
    /// The request's readiness budget, ms.
    pub readiness_ms: Option<u64>,
    /// What goes wrong on the device while the request has it.
    pub faults: Vec<Numbered>,
    /// How the bytes of the line travel.
    pub pieces: Option<Pieces>,
    /// Decides whatever is drawn while it runs.
    pub salt: u64,
}

/// A fault with a number of its own.
#[derive(Debug, Clone)]
pub struct Numbered {
    /// Unique in the plan.
    pub number: u32,
    /// The fault.
    pub fault: Fault,
}

/// A line that does not travel in one piece.
#[derive(Debug, Clone, Copy)]
pub struct Pieces {
    /// Unique in the plan.
    pub number: u32,
    /// How many.
    pub count: u64,
    /// The longest pause between two, ms.
    pub pause_ms: u64,
}

/// What is asked.
#[derive(Debug, Clone)]
pub enum Act {
    /// A command.
    Ask(Box<Command>),
    /// A command at one of the refs that the client was shown last in this session.
    AtRef {
        /// Which of them, modulo their number.
        pick: u64,
        /// What is done there.
        with: RefUse,
        /// Whether it is pinned to what was shown.
        pinned: bool,
    },
    /// The daemon is killed, and another started over the same state.
    Kill,
}

/// What is done at a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefUse {
    /// `press`, so often.
    Press(u32),
    /// `press --double-tap`.
    Double,
    /// `longpress`.
    Long,
    /// `hover`.
    Hover,
    /// `fill`.
    Fill,
    /// `get text`.
    Get,
}

/// What becomes of the connection while a request is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// It stays, and the reply is waited for.
    Wait,
    /// The next step goes over it before the reply is there.
    Pipeline,
    /// It is closed after so long, and nobody asks again.
    Leave(u64),
    /// It is closed after so long; another one asks for the retained result.
    AskRetained(u64),
    /// It is closed after so long; another one runs the same request again.
    RunAgain(u64),
    /// After so long another connection runs the same request while the first one waits.
    Twice(u64),
    /// When the reply is there, its id is used for another command.
    Reuse,
    /// It is closed when so many hundredths of the line are written.
    HalfLine(u64),
    /// It is kept, and nothing is read from it for so long.
    Stall(u64),
}

impl Plan {
    /// The numbers of all parts.
    pub fn numbers(&self) -> BTreeSet<u32> {
        let of_step = |step: &Step| {
            let inner = step.faults.iter().map(|fault| fault.number).chain(step.pieces.map(|pieces| pieces.number));
            inner.chain([step.number]).collect::<Vec<_>>()
        };
        self.clients.iter().flatten().flat_map(of_step).collect()
    }

    /// What is left when only these parts are kept.
    #[must_use]
    pub fn only(&self, kept: &BTreeSet<u32>) -> Self {
        let step = |step: &Step| Step {
            faults: step.faults.iter().filter(|fault| kept.contains(&fault.number)).cloned().collect(),
            pieces: step.pieces.filter(|pieces| kept.contains(&pieces.number)),
            ..step.clone()
        };
        let client =
            |steps: &Vec<Step>| steps.iter().filter(|one| kept.contains(&one.number)).map(step).collect::<Vec<_>>();
        Self { seed: self.seed, clients: self.clients.iter().map(client).collect() }
    }

    /// Steps of all clients.
    pub fn steps(&self) -> usize {
        self.clients.iter().map(Vec::len).sum()
    }
}
