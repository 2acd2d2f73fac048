//! The real program, with a state folder of its own. Its daemon ends with it.

use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use daemon::state_dir::StateDir;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::{
    line::Line,
    patience::{soon, within},
    recorder::Recorder,
    seen::Told,
};

/// A daemon nobody uses any more ends by itself after this time, should everything else fail, ms.
const IDLE_MS: &str = "60000";

/// The program, beside this test in the folder that cargo builds into.
///
/// # Panics
/// Where it was not built.
pub fn path() -> PathBuf {
    let test = std::env::current_exe().expect("this program has a path");
    // Tests lie in target/<profile>/deps, the program that people run in target/<profile>.
    let beside = |up: usize| test.ancestors().nth(up).map(|folder| folder.join("agent-device"));
    let built = [beside(1), beside(2)].into_iter().flatten().find(|path| path.is_file());
    built.unwrap_or_else(|| panic!("agent-device is not built: build it first (cargo build -p cli, or ./test)"))
}

/// The program and a state folder.
#[derive(Debug)]
pub struct Program {
    /// Checks every failure that comes by.
    pub recorder: Recorder,
    /// More environment for it and for the daemon that it starts.
    pub environment: Vec<(String, String)>,
    state: StateDir,
    folder: TempDir,
}

/// How one call ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Exit code; -1 where a signal ended it.
    pub code: i32,
    /// What it printed.
    pub out: String,
    /// What it complained of.
    pub err: String,
}

impl Ended {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl Program {
    /// The program with an empty state folder.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the state");
        let state = folder.path().join("state");
        Self::at(folder, &state)
    }

    /// The program with a state folder at a place of the test's choice.
    pub fn at(folder: TempDir, state: &Path) -> Self {
        let state = StateDir::find(Some(state)).expect("a state folder");
        Self { recorder: Recorder::default(), environment: Vec::new(), state, folder }
    }

    /// The program as a client of a daemon that runs elsewhere, and ends there.
    pub fn of_daemon(folder: TempDir, state: &StateDir, recorder: &Recorder) -> Self {
        Self { recorder: recorder.clone(), environment: Vec::new(), state: state.clone(), folder }
    }

    /// The state folder.
    pub const fn state(&self) -> &StateDir {
        &self.state
    }

    /// A folder for a test's own files; the program runs in it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A call, not started yet.
    pub fn call(&self, args: &[&str]) -> Command {
        let mut command = Command::new(path());
        let ours = |name: &str| name.starts_with("AGENT_DEVICE_") && name != daemon::audit::VARIABLE;
        for (name, _) in std::env::vars().filter(|(name, _)| ours(name)) {
            command.env_remove(name);
        }
        command
            .args(args)
            .env("AGENT_DEVICE_STATE_DIR", self.state.path())
            .env("AGENT_DEVICE_DAEMON_IDLE_TIMEOUT_MS", IDLE_MS)
            .env("HOME", self.folder.path())
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Starts a call.
    pub fn start(&self, args: &[&str]) -> Child {
        self.call(args).spawn().expect("the program starts")
    }

    /// Runs a call to its end.
    pub async fn run(&self, args: &[&str]) -> Ended {
        let output = soon("the program", self.call(args).output()).await.expect("the program starts");
        self.noted(Ended::of(&output))
    }

    /// Runs a call that must work, with `--json`.
    pub async fn does(&self, args: &[&str]) -> Value {
        match self.json(args).await {
            (0, Ok(data)) => data,
            (code, other) => panic!("{args:?} ended with {code}: {other:?}"),
        }
    }

    /// Runs a call with `--json`: exit code and envelope.
    pub async fn json(&self, args: &[&str]) -> (i32, Result<Value, Told>) {
        let ended = self.run(&[args, &["--json"]].concat()).await;
        (ended.code, self.envelope(&ended))
    }

    /// Runs a call that must fail, with `--json`.
    pub async fn fails(&self, args: &[&str]) -> (i32, Told) {
        match self.json(args).await {
            (code, Err(told)) => (code, told),
            (code, Ok(data)) => panic!("{args:?} ended with {code}: {data}"),
        }
    }

    /// The one envelope that a call with `--json` printed.
    pub fn envelope(&self, ended: &Ended) -> Result<Value, Told> {
        let envelope: Value =
            serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("not one envelope: {why}: {ended:?}"));
        match envelope["success"].as_bool() {
            Some(true) => Ok(envelope["data"].clone()),
            Some(false) => Err(self.recorder.failure(&envelope["error"])),
            None => panic!("no envelope: {envelope}"),
        }
    }

    /// A started call's end.
    pub async fn ended(&self, child: Child) -> Ended {
        let output = soon("the program", child.wait_with_output()).await.expect("the program can be waited for");
        self.noted(Ended::of(&output))
    }

    fn noted(&self, ended: Ended) -> Ended {
        self.recorder.ended(&ended);
        ended
    }

    /// A greeted connection to its daemon.
    pub async fn line(&self) -> Line {
        Line::greeted_by_program(&self.state.socket(), &self.recorder).await
    }

    /// The process of the daemon.
    pub async fn daemon(&self) -> Pid {
        let status = self.does(&["daemon", "status"]).await;
        let pid = status["pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
        pid.unwrap_or_else(|| panic!("no daemon runs: {status}"))
    }

    /// The process of the daemon, started where there is none.
    pub async fn daemon_started(&self) -> Pid {
        self.does(&["session", "list"]).await;
        self.daemon().await
    }

    /// Ends the daemon without a chance to say goodbye.
    pub async fn kill_daemon(&self, pid: Pid) {
        kill_process(pid, Signal::KILL).expect("the daemon lives");
        assert!(gone(pid).await, "the daemon does not die");
    }

    /// Ends the daemon, checks that it went, and that every failure seen said what it must.
    pub async fn end(self) {
        let status = self.does(&["daemon", "status"]).await;
        if let Some(pid) = status["pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) {
            self.does(&["daemon", "stop"]).await;
            assert!(gone(pid).await, "the daemon (pid {pid:?}) was told to stop and lives");
        }
        assert_eq!(self.recorder.objections(), Vec::<String>::new());
    }
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether a process goes away in time. One that is dead and not yet collected is gone.
pub async fn gone(pid: Pid) -> bool {
    within(crate::patience::LIMIT, || !lives(pid)).await
}

/// Whether a process runs.
pub fn lives(pid: Pid) -> bool {
    test_kill_process(pid).is_ok() && webdriver::driver::processes::read(pid.as_raw_nonzero().get()).is_some()
}

/// A test that failed leaves no daemon behind either.
impl Drop for Program {
    fn drop(&mut self) {
        let pids = webdriver::driver::processes::naming(self.folder.path());
        for process in pids {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // Gone by itself meanwhile is as good.
                let _gone = kill_process(pid, Signal::KILL);
            }
        }
    }
}
