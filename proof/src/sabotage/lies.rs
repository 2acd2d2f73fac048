//! Which lies are told, each in another place, and which suites have to see them.

/// A suite that a lie has to turn red.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// The rows of the golden table whose ids begin so, each through its driver.
    Gate(&'static str),
    /// A share of the cuts between two programs: the part's name.
    Cuts(&'static str),
    /// A share of the simulation.
    Simulation,
}

impl Suite {
    /// For a report.
    pub fn name(self) -> String {
        match self {
            Suite::Gate(rows) => format!("gate ({rows})"),
            Suite::Cuts(part) => format!("cuts ({part})"),
            Suite::Simulation => "simulation".to_owned(),
        }
    }

    /// What nextest is to run.
    pub(super) fn words(self) -> Vec<String> {
        let words = |package: &str, filter: String| vec!["-p".into(), package.to_owned(), "-E".into(), filter];
        match self {
            Suite::Gate(rows) => words("proof", format!("binary(rows) & test(/^{}/)", rows.replace('.', "[.]"))),
            Suite::Cuts(part) => words("proof", format!("binary(cuts_{part})")),
            Suite::Simulation => words("simulate", "all()".to_owned()),
        }
    }
}

/// A change of the product that breaks the promise.
#[derive(Debug)]
pub struct Lie {
    /// For the command line and the report.
    pub name: &'static str,
    /// What it makes the product do.
    pub says: &'static str,
    /// From the workspace's folder on.
    pub file: &'static str,
    /// Stands there, once.
    pub truth: &'static str,
    /// Stands there instead.
    pub lie: &'static str,
    /// Who has to see it.
    pub seen_by: &'static [Suite],
}

/// The lies.
pub const LIES: &[Lie] = &[
    Lie {
        name: "bytes-not-counted",
        says: "a request that was written to a driver is called not sent when its reply is lost",
        file: "core/wire/src/http.rs",
        truth: "let written = stream.ended().await > 0;",
        lie: "let written = stream.ended().await == u64::MAX;",
        seen_by: &[Suite::Gate("webdriver."), Suite::Cuts("web")],
    },
    Lie {
        name: "inputs-sent-again",
        says: "an input to a browser whose reply is lost is sent once more, as a look may be",
        file: "backends/webdriver/src/line.rs",
        truth: "Sent::Lost(lost) if route.repeatable() && !lost.timed_out() =>",
        lie: "Sent::Lost(lost) if !lost.timed_out() =>",
        seen_by: &[Suite::Gate("webdriver."), Suite::Cuts("web")],
    },
    Lie {
        name: "ledger-ignored",
        says: "a refusal after earlier sends of the same request is told as `no`",
        file: "daemon/src/disclosure.rs",
        truth: "    let sends = ledger.sends();\n    Disclosed::seal(with_row(failure, effect, sends.any()), effect, sends)",
        lie: "    let _sends = ledger.sends();\n    Disclosed::seal(with_row(failure, effect, false), effect, contract::Sends::NONE)",
        seen_by: &[Suite::Gate("daemon."), Suite::Simulation],
    },
    Lie {
        name: "unclassified-is-no",
        says: "a failure that nobody classified is told as `no`",
        file: "daemon/src/disclosure.rs",
        truth: "Claim { row: Row::DaemonUnclassified, dispatched: Dispatched::Unknown }",
        lie: "Claim { row: Row::DaemonUnclassified, dispatched: Dispatched::No }",
        seen_by: &[Suite::Gate("daemon.")],
    },
    Lie {
        name: "request-run-twice",
        says: "a request id that is asked for again runs again",
        file: "daemon/src/requests.rs",
        truth: "            return entry.result().map(Seen::Again).ok_or_else(|| forgotten(&request.request_id));",
        lie: "            return Ok(Seen::New);",
        seen_by: &[Suite::Simulation],
    },
    Lie {
        name: "lost-daemon-is-no",
        says: "a client whose daemon went away before it answered tells `no`",
        file: "daemon/src/client/told.rs",
        truth: "    let failure = if effect == Effect::Observes {",
        lie: "    let failure = if effect != Effect::Manages {",
        seen_by: &[Suite::Gate("client."), Suite::Cuts("client")],
    },
    Lie {
        name: "running-is-absent",
        says: "a command that the helper's journal calls running is told as never accepted",
        file: "backends/android/src/helper/journal.rs",
        truth: "        Some(\"accepted\" | \"started\") => Verdict::Running,",
        lie: "        Some(\"accepted\" | \"started\") => Verdict::NeverAccepted,",
        seen_by: &[Suite::Gate("helper."), Suite::Cuts("android")],
    },
    Lie {
        name: "numbers-given-again",
        says: "a ref's number is given to the next element when its own has gone",
        file: "core/screen/src/refs/frame.rs",
        truth: "            book.issued += 1;\n            book.issued",
        lie: "            book.issued = u32::try_from(book.entries.len()).unwrap_or(0) + 1;\n            book.issued",
        seen_by: &[Suite::Simulation],
    },
    Lie {
        name: "readiness-skipped",
        says: "a scripted press does not wait for its target",
        file: "daemon/src/interaction/resolve.rs",
        truth: "    if budget == 0 {",
        lie: "    if budget < u64::MAX {",
        seen_by: &[Suite::Gate("daemon.")],
    },
    Lie {
        name: "devices-shared",
        says: "a device that one session holds is given to another",
        file: "daemon/src/leases.rs",
        truth: "        if let Some(other) = held.get(device) {",
        lie: "        if let Some(other) = held.get(device).filter(|_| device.is_empty()) {",
        seen_by: &[Suite::Gate("daemon."), Suite::Simulation],
    },
    Lie {
        name: "events-left-out",
        says: "a command that sent nothing does not stand in the session's timeline",
        file: "daemon/src/recording.rs",
        truth: "            Some(session) => session.timeline.append(told.event(duration_ms)),",
        lie: "            Some(_) if !told.sends.any() => return,\n            Some(session) => session.timeline.append(told.event(duration_ms)),",
        seen_by: &[Suite::Simulation],
    },
    Lie {
        name: "fill-not-read-back",
        says: "a text that the field did not take is told as filled in",
        file: "daemon/src/handlers/text.rs",
        truth: "            if holds { Verdict::Done(true) } else { Verdict::Continue }",
        lie: "            if holds || last.is_some() { Verdict::Done(true) } else { Verdict::Continue }",
        seen_by: &[Suite::Gate("daemon.")],
    },
];
