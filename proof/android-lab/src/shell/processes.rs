//! `pidof`, `pkill`, `ps`.

use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process};

use crate::{call::Call, core::Core};

/// Every process that a person would know: id and name.
fn all(core: &Core) -> Vec<(i32, String)> {
    let state = core.state();
    let apps = state.running.iter().map(|(package, running)| (running.pid, package.clone()));
    let instrumented = state.processes.iter().map(|process| (process.pid, process.package.clone()));
    let recorders = state.recorders.iter().map(|pid| (*pid, "screenrecord".to_owned()));
    apps.chain(instrumented).chain(recorders).collect()
}

/// Runs `pidof`.
pub async fn pidof(core: &Arc<Core>, call: &mut Call) -> u8 {
    let name = call.argv.last().cloned().unwrap_or_default();
    let pids: Vec<String> =
        all(core).into_iter().filter(|(_, known)| *known == name).map(|(pid, _)| pid.to_string()).collect();
    if pids.is_empty() {
        return 1;
    }
    call.line(pids.join(" ")).await;
    0
}

/// Runs `pkill [-SIGNAL] NAME`.
pub async fn pkill(core: &Arc<Core>, call: &mut Call) -> u8 {
    let words = call.words();
    let name = words.last().copied().unwrap_or_default();
    let given: Vec<&str> = words.iter().filter(|word| word.starts_with('-')).copied().collect();
    let signal = match given.first().copied().unwrap_or("-TERM") {
        "-2" | "-INT" | "-SIGINT" | "-l2" => Signal::INT,
        "-9" | "-KILL" | "-SIGKILL" => Signal::KILL,
        _ => Signal::TERM,
    };
    let mut found = false;
    for (pid, known) in all(core) {
        if known.contains(name)
            && let Some(pid) = Pid::from_raw(pid)
        {
            found = true;
            // One that is gone already is as good.
            let _gone = kill_process(pid, signal);
        }
    }
    u8::from(!found)
}

/// Runs `ps`.
pub async fn ps(core: &Arc<Core>, call: &mut Call) -> u8 {
    call.line("USER            PID   PPID     VSZ    RSS WCHAN            ADDR S NAME").await;
    for (pid, name) in all(core) {
        call.line(format!("u0_a100      {pid:>6}      1 1000000 100000 0                   0 S {name}")).await;
    }
    0
}
