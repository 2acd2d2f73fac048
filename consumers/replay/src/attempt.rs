//! One try of a flow, from its first step to the end of its trace.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use contract::{Code, Command, Disclosed, Row, command::Close};
use flow::{Attempt, Outcome};

use crate::{
    healing::Healed,
    host::{DaemonHost, Progress, Way},
    source::Source,
    steps,
    traced::Tracing,
};

/// How long a session may take to close after its run.
const CLOSING: Duration = Duration::from_secs(30);

/// How a flow is tried.
pub struct Trying<'p> {
    /// From 1 on.
    pub number: u32,
    /// The session's name, for the record.
    pub session: String,
    /// All of it takes no longer.
    pub limit: Duration,
    /// Keep pictures and trees.
    pub trace: bool,
    /// Close what the flow leaves open.
    pub close: bool,
    /// Values for `${NAME}`, the caller's and the runner's.
    pub variables: steps::Values,
    /// Where to begin, what to leave out, whether to repair.
    pub options: steps::Options,
    /// Told of every step.
    pub progress: Option<Progress<'p>>,
}

/// A try that is over.
#[derive(Debug)]
pub struct Attempted {
    /// Its record.
    pub record: Attempt,
    /// Why it failed.
    pub failed: Option<Disclosed>,
    /// Its trace.
    pub tracing: Tracing,
    /// What was found under another name.
    pub healed: Vec<Healed>,
    /// Whether the session is open still.
    pub open: bool,
}

/// Tries a flow once.
pub fn attempt(source: &Source, way: Way, trying: Trying<'_>) -> Attempted {
    let started_at_ms = now_ms();
    let device = way.device.clone();
    let closing = way.clone();
    let mut host = DaemonHost::new(way, trying.limit, trying.progress);
    if trying.trace {
        host.trace();
    }
    let ran = steps::run(source, &mut host, &trying.variables, &trying.options);
    let tracing = host.end_trace();
    let open = host.is_open();
    let duration_ms = host.elapsed_ms();
    if trying.close && open {
        close(&closing);
    }
    let outcome = match &ran.failed {
        None => Outcome::Passed,
        Some(failed) => outcome(failed),
    };
    let record = Attempt {
        number: trying.number,
        outcome,
        started_at_ms,
        duration_ms,
        session: trying.session,
        device,
        failure: ran.failed.as_ref().map(|failed| host.shown(failed.failure())),
        steps: host.into_steps(),
        artifacts: Vec::new(),
        trace: None,
    };
    Attempted { record, failed: ran.failed, tracing, healed: ran.healed, open: open && !trying.close }
}

/// Closes the session of a run, also one that was stopped. What does not close in time is closed by the daemon.
fn close(way: &Way) {
    let mut way = way.clone();
    way.client.interrupt = None;
    let host = DaemonHost::new(way, CLOSING, None);
    let _late = host.aside(&Command::Close(Close::default()), CLOSING);
}

/// Ways to fail that are about the way to the device, whatever their code is.
const WAY: &[Row] = &[
    Row::AdbServerUnreachable,
    Row::AdbServerRefused,
    Row::AdbDeviceOffline,
    Row::AdbDeviceUnauthorized,
    Row::AdbDeviceNotFound,
    Row::AdbSeveralDevices,
    Row::AdbNoDevices,
    Row::AdbNotWritten,
    Row::AdbReplyLost,
    Row::AdbLookLost,
    Row::HelperInstallRefused,
    Row::HelperOccupied,
    Row::HelperStartFailed,
    Row::HelperCoolingDown,
    Row::HelperNotWritten,
    Row::HelperLookLost,
    Row::WebdriverDriverNotReady,
    Row::WebdriverBrowserNotStarted,
    Row::WebdriverConnectRefused,
    Row::WebdriverNotWritten,
    Row::WebdriverLookLost,
];

/// Whether the app failed, or what it runs on.
fn outcome(failed: &Disclosed) -> Outcome {
    let cause = failed.failure().details.get("divergence").and_then(|divergence| divergence.get("cause"));
    let row = cause.and_then(|cause| cause.pointer("/details/dispatchRow")).and_then(|row| row.as_str());
    if row.is_some_and(|row| WAY.iter().any(|way| way.id() == row)) {
        return Outcome::Infrastructure;
    }
    let code = |failed: &Disclosed| {
        let code = cause.and_then(|cause| cause.get("code")).and_then(|code| serde_json::from_value(code.clone()).ok());
        code.unwrap_or(failed.failure().code)
    };
    match code(failed) {
        Code::InvalidArgs if failed.failure().reason_str() == Some("script_unreadable") => Outcome::Invalid,
        Code::Cancelled => Outcome::NotRun,
        Code::DeviceNotFound
        | Code::DeviceInUse
        | Code::ToolMissing
        | Code::SessionLost
        | Code::DaemonUnavailable
        | Code::VersionMismatch
        | Code::StorageFailed
        | Code::Unauthorized
        | Code::Internal => Outcome::Infrastructure,
        _ => Outcome::Failed,
    }
}

/// A path beside another: `<folder>/<stem><ending>`.
pub fn beside(file: &Path, folder: &Path, ending: &str) -> PathBuf {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    folder.join(format!("{stem}{ending}"))
}

/// ms since 1970-01-01 UTC.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
