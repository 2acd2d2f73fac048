//! Processes of instrumentations: an APK's dex on the Android Runtime.

use std::{process::Stdio, sync::Arc};

use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, Command},
    sync::mpsc,
};

use crate::{core::Core, state::Kind};

/// One that runs.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its id.
    pub pid: i32,
    /// The package it belongs to.
    pub package: String,
    /// It holds an input method service and nothing else.
    pub keyboard: bool,
    /// Told things by [`crate::double::Event`]s, where it listens.
    pub events: Option<mpsc::UnboundedSender<crate::double::Event>>,
}

/// Kills a process.
pub fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // One that is gone already is as good.
        let _gone = kill_process(pid, Signal::KILL);
    }
}

/// What `am` prints when a process ends without having finished.
const CRASHED: &str = "INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n";

/// Starts an instrumentation. What it prints comes out of the channel, until it ends; a receiver that is gone does not end it.
///
/// # Errors
/// There is no such instrumentation, in the words of `am`; or the runtime cannot be started.
pub async fn instrument(
    core: &Arc<Core>,
    component: &str,
    arguments: &[(String, String)],
) -> Result<mpsc::UnboundedReceiver<Vec<u8>>, String> {
    let (package, class) = full(component);
    let unknown = || {
        format!(
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{package}/{class}}}\n\
             INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\n"
        )
    };
    let installed = core.state().packages.get(&package).cloned().ok_or_else(unknown)?;
    let Kind::Apk { file, instrumentations, .. } = installed.kind else { return Err(unknown()) };
    let target = instrumentations.iter().find(|(known, _)| *known == class).ok_or_else(unknown)?.1.clone();
    // The system stops whatever runs of the target before it starts it under instrumentation.
    core.stop_package(&target, "start instr").await;
    let mut words = vec!["fake.Am".to_owned(), class];
    words.extend(arguments.iter().flat_map(|(key, value)| [key.clone(), value.clone()]));
    start(core, &package, &file, &words, false).map_err(|cause| format!("android.util.AndroidException: {cause}"))
}

/// Starts the process of the keyboard that is chosen, where its app does not run; ends those of keyboards that no longer are.
pub async fn keyboard_changed(core: &Arc<Core>) {
    let (package, _) = full(&core.state().keyboard());
    let ends: Vec<i32> = {
        let state = core.state();
        let idle = state.processes.iter().filter(|process| process.keyboard && process.package != package);
        idle.map(|process| process.pid).collect()
    };
    ends.into_iter().for_each(kill);
    let file = {
        let state = core.state();
        let runs = state.processes.iter().any(|process| process.package == package);
        match state.packages.get(&package).map(|package| &package.kind) {
            Some(Kind::Apk { file, .. }) if !runs => Some(file.clone()),
            _ => None,
        }
    };
    let Some(file) = file else {
        crate::double::act::bind_current_keyboard(core);
        return;
    };
    match start(core, &package, &file, &["fake.Service".to_owned()], true) {
        Ok(_) => bound(core, &package).await,
        Err(cause) => core.log(0, 'E', "InputMethodManagerService", &cause.to_string()),
    }
}

/// How long a keyboard's process may take to be there.
const KEYBOARD_LIMIT: std::time::Duration = std::time::Duration::from_secs(5);

/// Waits until a package's process listens, so that what is typed next finds its keyboard.
async fn bound(core: &Arc<Core>, package: &str) {
    let end = tokio::time::Instant::now() + KEYBOARD_LIMIT;
    loop {
        let changed = core.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let listens = |process: &Process| process.package == package && process.events.is_some();
        if core.state().processes.iter().any(listens) || tokio::time::timeout_at(end, changed).await.is_err() {
            return;
        }
    }
}

/// Starts a process of a package on the runtime.
fn start(
    core: &Arc<Core>,
    package: &str,
    file: &std::path::Path,
    words: &[String],
    keyboard: bool,
) -> std::io::Result<mpsc::UnboundedReceiver<Vec<u8>>> {
    let files = core.root.join("data/data").join(package).join("files");
    std::fs::create_dir_all(&files)?;
    let jar = if core.public_inject { core.parts.framework_public_inject() } else { core.parts.framework() };
    let mut child = Command::new(core.parts.dalvikvm())
        .arg("-cp")
        .arg(format!("{}:{}", jar.display(), file.display()))
        .args(words)
        .env_clear()
        .envs(core.environment())
        .env("LAB_PACKAGE", package)
        .env("LAB_FILES", &files)
        .env("LAB_PATHS", core.parts.paths_library())
        .current_dir(&core.root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
    core.state().processes.push(Process { pid, package: package.to_owned(), keyboard, events: None });
    core.log(
        pid,
        'I',
        "ActivityManager",
        &format!("Start proc {pid}:{package}/u0a101 for added application {package}"),
    );
    let (printed, prints) = mpsc::unbounded_channel();
    if let Some(errors) = child.stderr.take() {
        tokio::spawn(log_of(core.clone(), pid, errors));
    }
    tokio::spawn(follow(core.clone(), child, pid, package.to_owned(), printed));
    Ok(prints)
}

async fn follow(core: Arc<Core>, mut child: Child, pid: i32, package: String, printed: mpsc::UnboundedSender<Vec<u8>>) {
    let mut end: Vec<u8> = Vec::new();
    if let Some(mut output) = child.stdout.take() {
        let mut piece = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = output.read(&mut piece).await {
            let bytes = piece.get(..read).unwrap_or_default().to_vec();
            end.extend_from_slice(&bytes);
            let keep = end.len().saturating_sub(64);
            end.drain(..keep);
            // Whoever started it may have gone.
            let _gone = printed.send(bytes);
        }
    }
    let _status = child.wait().await;
    let finished = String::from_utf8_lossy(&end).lines().any(|line| line.starts_with("INSTRUMENTATION_CODE: "));
    if !finished {
        let _gone = printed.send(CRASHED.as_bytes().to_vec());
    }
    core.log(0, 'I', "ActivityManager", &format!("Process {package} (pid {pid}) has died"));
    {
        let mut state = core.state();
        state.processes.retain(|process| process.pid != pid);
        if state.automation == Some(pid) {
            state.automation = None;
        }
    }
    core.changed.notify_waiters();
}

/// What it writes to its log: `I/tag: text`.
async fn log_of(core: Arc<Core>, pid: i32, errors: tokio::process::ChildStderr) {
    let mut lines = BufReader::new(errors).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        // The runtime's own words: it compiles nothing ahead here, and says so each time.
        if line.starts_with("dalvikvm ") {
            continue;
        }
        let tagged = line.split_once('/').and_then(|(level, rest)| {
            let mut level = level.chars();
            match (level.next().filter(|level| "VDIWEF".contains(*level)), level.next(), rest.split_once(": ")) {
                (Some(level), None, Some((tag, text))) => Some((level, tag, text)),
                _ => None,
            }
        });
        match tagged {
            Some((level, tag, text)) => core.log(pid, level, tag, text),
            None => core.log(pid, 'W', "System.err", &line),
        }
    }
}

/// `pkg/.Class` in full.
pub fn full(component: &str) -> (String, String) {
    let (package, class) = component.split_once('/').unwrap_or((component, ""));
    let class = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
    (package.to_owned(), class)
}
