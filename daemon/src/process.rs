//! The daemon as a process: one per state folder, ends when idle, leaves nothing behind.

use std::{fs::File, io, process::ExitCode, sync::Arc, time::Duration};

use backend::Provider;
use tokio::signal::unix::{SignalKind, signal};
use wire::Context;

use crate::{build_id, leases::now_ms, log, router::Router, server::Server, state_dir::StateDir};

/// A daemon with nothing open ends after this time, ms (the field's default).
const IDLE_MS: u64 = 5 * 60 * 1000;
/// Overrides it.
pub const IDLE_VARIABLE: &str = "AGENT_DEVICE_DAEMON_IDLE_TIMEOUT_MS";
/// A session that nobody used for this time is closed, ms. Long enough for an agent that thinks, short enough that a
/// forgotten browser does not stay for days.
const SESSION_IDLE_MS: u64 = 60 * 60 * 1000;
/// Overrides it.
pub const SESSION_IDLE_VARIABLE: &str = "AGENT_DEVICE_SESSION_IDLE_TIMEOUT_MS";
/// How long everything may take to close when the daemon ends.
const CLOSE_LIMIT: Duration = Duration::from_secs(20);

/// The platforms of this build.
pub fn providers(state: &StateDir) -> Vec<Arc<dyn Provider>> {
    vec![
        Arc::new(stage::StageProvider::unwatched()),
        Arc::new(webdriver::WebProvider::new(state.path().to_path_buf())),
        Arc::new(android::AndroidProvider::new(state.path())),
    ]
}

/// Runs the daemon until it is told to stop or has been idle. Called in the process that was started for it.
pub fn run(state: StateDir) -> ExitCode {
    // A leader of its own: the terminal that started it can go away. Fails only where it leads already.
    let _leads_already = rustix::process::setsid();
    let locked = match lock(&state) {
        Ok(Some(lock)) => lock,
        Ok(None) => {
            log::line("another daemon has this state folder: this one is not needed");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            log::line(&format!("{}: {why}", state.path().display()));
            return ExitCode::FAILURE;
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(serve(state)),
        Err(why) => Err(why),
    };
    drop(locked);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            log::line(&format!("the daemon could not run: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// The lock of the state folder, held for as long as the file is open; `None` where another process has it.
fn lock(state: &StateDir) -> io::Result<Option<File>> {
    state.create()?;
    let file = File::options().create(true).truncate(false).write(true).open(state.lock())?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Ok(None),
        Err(std::fs::TryLockError::Error(why)) => Err(why),
    }
}

async fn serve(state: StateDir) -> io::Result<()> {
    let build = build_id::of_this_program();
    let socket = state.socket();
    let router = Arc::new(Router::new(state.clone(), providers(&state)));
    let server = Server::new(router.clone(), build);
    let listener = Server::bind(&socket)?;
    log::line(&format!(
        "agent-device {} listens on {} (pid {})",
        contract::VERSION,
        socket.display(),
        std::process::id()
    ));
    // What a daemon that was killed left behind.
    for session in std::fs::read_dir(state.path().join("sessions")).into_iter().flatten().flatten() {
        crate::traces::sweep(&session.path());
    }
    for provider in &router.providers {
        let provider = provider.clone();
        tokio::spawn(async move { provider.sweep().await });
    }
    let watch = tokio::spawn(watch_idle(server.clone()));
    let signals = tokio::spawn(watch_signals(router.clone()));
    server.clone().serve(listener).await;
    watch.abort();
    signals.abort();
    if let Err(failure) = router.close_all(&Context::with_limit(CLOSE_LIMIT)).await {
        log::line(&format!("while closing: {failure}"));
    }
    // Removed last: a client that finds no socket starts a new daemon, which finds the lock free a moment later.
    let _gone = std::fs::remove_file(&socket);
    log::line("ended");
    Ok(())
}

async fn watch_signals(router: Arc<Router>) {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    log::line("told to stop by a signal");
    router.stop.cancel();
}

fn limit(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Closes sessions that nobody uses, and ends a daemon that has none.
async fn watch_idle(server: Arc<Server>) {
    let (idle, session_idle) = (limit(IDLE_VARIABLE, IDLE_MS), limit(SESSION_IDLE_VARIABLE, SESSION_IDLE_MS));
    let mut tick = tokio::time::interval(Duration::from_millis((idle.min(session_idle) / 4).clamp(50, 10_000)));
    loop {
        tick.tick().await;
        let router = &server.router;
        let sessions = router.sessions.list();
        for session in
            sessions.iter().filter(|session| !session.busy && now_ms().saturating_sub(session.used_ms) >= session_idle)
        {
            log::line(&format!("session {} was idle for {session_idle} ms: closed", session.name));
            let context = Context::with_limit(CLOSE_LIMIT);
            if let Err(failure) = router.close_one(&session.name, &context).await {
                log::line(&format!("closing {}: {failure}", session.name));
            }
        }
        if sessions.is_empty() && server.idle_ms() >= idle {
            log::line(&format!("idle for {idle} ms"));
            router.stop.cancel();
        }
    }
}
