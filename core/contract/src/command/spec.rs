//! What is true of a command apart from its arguments.

use crate::{Capability, Effect};

/// Declared once beside each command's arguments; the CLI, the router, MCP and the reference read it.
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    /// The command's name.
    pub name: &'static str,
    /// Other names it answers to.
    pub aliases: &'static [&'static str],
    /// What it does to the app, at most; [`super::Command::effect`] knows it for given arguments.
    pub effect: Effect,
    /// What it needs of a session.
    pub session: SessionNeed,
    /// What the device must be able to do.
    pub requires: &'static [Capability],
    /// Whether it may wait for its target when the request carries a readiness budget.
    pub readiness: Readiness,
    /// How long it may take when the caller says nothing, ms.
    pub timeout_ms: u64,
    /// May stand in a batch.
    pub batchable: bool,
    /// Is offered to agents over MCP.
    pub mcp: bool,
}

/// What a command needs of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionNeed {
    /// None: it speaks of the daemon or the host.
    None,
    /// Opens one, or goes on in the one that is there.
    Opens,
    /// One with something opened in it.
    Open,
}

/// Whether a command's target may be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// One look, one attempt.
    OneShot,
    /// Polls while the target is absent, at most [`READINESS_CAP_MS`].
    Budgeted,
}

/// No readiness budget is longer, ms (the reliability contract, section 4).
pub const READINESS_CAP_MS: u64 = 2_000;

/// Time between two looks while waiting for a target, ms (the reliability contract, section 4).
pub const READINESS_INTERVAL_MS: u64 = 200;

impl Spec {
    const BASE: Spec = Spec {
        name: "",
        aliases: &[],
        effect: Effect::Manages,
        session: SessionNeed::None,
        requires: &[],
        readiness: Readiness::OneShot,
        timeout_ms: 30_000,
        batchable: true,
        mcp: true,
    };

    /// A command that looks at an open session.
    pub const fn observes(name: &'static str, requires: &'static [Capability]) -> Self {
        Spec { name, effect: Effect::Observes, session: SessionNeed::Open, requires, ..Self::BASE }
    }

    /// A command that acts in an open session.
    pub const fn mutates(name: &'static str, requires: &'static [Capability]) -> Self {
        Spec { name, effect: Effect::Mutates, session: SessionNeed::Open, requires, ..Self::BASE }
    }

    /// A command that speaks of the daemon or the host.
    pub const fn manages(name: &'static str) -> Self {
        Spec { name, ..Self::BASE }
    }
}
