//! One device: started, looked into, broken, ended.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use serde_json::Value;
use stage::Probe;
use tempfile::TempDir;
use tokio::{
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    runtime::Handle,
    task::AbortHandle,
    time::{Instant, sleep},
};

use crate::{
    adb::{self, Server},
    core::{Core, Making},
    display::Display,
    lab::{Trouble, on},
    link::{Link, Mode},
    parts::Parts,
    process::kill,
    server,
    shell::COMMANDS,
    state::{Kind, Package, SceneEdit, State},
    touch::Gesture,
    trap::Trap,
};

/// How long adbd may take to start.
const LIMIT: Duration = Duration::from_secs(10);

/// What a device is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// Stage apps that are installed: package, and `demo` or a file. The first one's size is the display's.
    pub apps: Vec<(String, String)>,
    /// Android version, 23 or newer.
    pub api: u32,
    /// Without the hidden three-argument `injectInputEvent`.
    pub public_inject: bool,
    /// A port for the adb server to connect to; a free one unless given.
    pub port: Option<u16>,
    /// The multi-call program of the device's commands; beside the running program unless given.
    pub commands: Option<PathBuf>,
}

impl Options {
    /// A device with the built-in demo app as `com.example.demo`.
    pub fn demo() -> Self {
        Self::app("com.example.demo", "demo")
    }

    /// A device with one app: its package, and `demo` or a file.
    pub fn app(package: &str, app: &str) -> Self {
        Self {
            apps: vec![(package.to_owned(), app.to_owned())],
            api: 34,
            public_inject: false,
            port: None,
            commands: None,
        }
    }

    /// One more app.
    #[must_use]
    pub fn and(mut self, package: &str, app: &str) -> Self {
        self.apps.push((package.to_owned(), app.to_owned()));
        self
    }

    /// Another Android version.
    #[must_use]
    pub const fn api(mut self, api: u32) -> Self {
        self.api = api;
        self
    }
}

/// A device that runs. It ends with this, or with its lab.
#[derive(Debug)]
pub struct LabDevice {
    core: Arc<Core>,
    server: Arc<Server>,
    handle: Handle,
    serial: String,
    adbd: Option<Child>,
    tasks: Vec<AbortHandle>,
    folder: TempDir,
}

/// The program of the device's commands: beside the running program, or beside the folder of tests that it is in.
fn commands() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    own.ancestors().skip(1).take(2).map(|folder| folder.join("lab-device-bin")).find(|file| file.is_file())
}

impl LabDevice {
    pub(crate) async fn start(
        server: Arc<Server>,
        parts: Parts,
        handle: Handle,
        folder: TempDir,
        options: Options,
    ) -> Result<Self, Trouble> {
        let failed = |text: &str| Trouble::Failed(text.to_owned());
        let program = options
            .commands
            .or_else(commands)
            .ok_or_else(|| failed("lab-device-bin is not built: cargo build -p android-lab --bins"))?;
        let (root, bin) = (folder.path().join("root"), folder.path().join("bin"));
        lay_out(&root, &bin, &program)?;
        let outside = TcpListener::bind(("127.0.0.1", options.port.unwrap_or(0))).await?;
        let serial = format!("127.0.0.1:{}", outside.local_addr()?.port());
        let mut display = None;
        let mut packages = Vec::new();
        for (package, app) in &options.apps {
            let loaded = stage::script::load(app).map_err(|wrong| Trouble::Failed(wrong.to_string()))?;
            display.get_or_insert(loaded.viewport);
            let kind = Kind::Stage { app: app.clone(), title: loaded.title.clone() };
            let installed =
                Package { kind, version_code: 1, version_name: "1.0".to_owned(), granted: Vec::new(), system: false };
            packages.push((package.clone(), installed));
        }
        let display = Display { upright: display.ok_or_else(|| failed("a device needs an app"))?, rotation: 0 };
        let mut state = State::new(display, options.api, &serial);
        state.packages.extend(packages);
        let link = Link::default();
        let making = Making {
            parts,
            root,
            bin,
            api: options.api,
            public_inject: options.public_inject,
            link: link.clone(),
            state,
        };
        let core = Core::new(making);
        let inside = TcpListener::bind("127.0.0.1:0").await?;
        // Set once: nobody else has the core yet.
        let _fresh = core.address.set(inside.local_addr()?.to_string());
        let port = adb::free_port().await?;
        let mut device = Self { core: core.clone(), server, handle, serial, adbd: None, tasks: Vec::new(), folder };
        device.tasks.push(tokio::spawn(server::serve(core.clone(), inside)).abort_handle());
        device.tasks.push(tokio::spawn(link.serve(outside, port)).abort_handle());
        device.adbd = Some(start_adbd(&core, port)?);
        answers(port).await?;
        device.server.connect(&device.serial).await?;
        Ok(device)
    }

    /// Its serial: `adb -s SERIAL`.
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// Port of the adb server that it is connected to.
    pub fn adb_port(&self) -> u16 {
        self.server.port()
    }

    /// `adb -s SERIAL` against the lab's server, arguments to be added.
    pub fn adb(&self) -> std::process::Command {
        let mut command = std::process::Command::new("adb");
        command
            .args(["-P", &self.server.port().to_string(), "-s", &self.serial])
            .env("HOME", self.server.home())
            .env("ANDROID_ADB_SERVER_PORT", self.server.port().to_string())
            .env_remove("ANDROID_SERIAL");
        command
    }

    /// The folder that holds its `/data` and `/sdcard`.
    pub fn root(&self) -> &Path {
        &self.core.root
    }

    /// The folder that everything of it is in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    // --- looking into it ---

    /// The inside of the app of a package that was started last, also after its end: what tests count with.
    pub fn probe(&self, package: &str) -> Option<Probe> {
        self.core.state().probes.get(package).cloned()
    }

    /// The package in front.
    pub fn front(&self) -> String {
        self.core.state().front.clone()
    }

    /// What the framework double would be shown now.
    ///
    /// # Errors
    /// The lab has ended.
    pub async fn scene(&self) -> Result<Value, Trouble> {
        let core = self.core.clone();
        on(&self.handle, async move { core.scene().await }).await
    }

    /// Every command that a shell ran on it, name first.
    pub fn commands(&self) -> Vec<Vec<String>> {
        self.core.state().commands.clone()
    }

    /// Every gesture that its touch screen saw to its end.
    pub fn gestures(&self) -> Vec<Gesture> {
        self.core.screen().past.clone()
    }

    /// Processes of instrumentations that run: id and package.
    pub fn helpers(&self) -> Vec<(i32, String)> {
        self.core.state().processes.iter().map(|process| (process.pid, process.package.clone())).collect()
    }

    /// The process that holds UiAutomation, if one does.
    pub fn automation(&self) -> Option<i32> {
        self.core.state().automation
    }

    /// A setting, as `settings get` has it.
    pub fn setting(&self, space: &str, key: &str) -> Option<String> {
        self.core.state().settings.get(&format!("{space}/{key}")).cloned()
    }

    /// What is installed under a name: version code.
    pub fn version_of(&self, package: &str) -> Option<i64> {
        self.core.state().packages.get(package).map(|package| package.version_code)
    }

    /// Permissions that a package was granted.
    pub fn granted(&self, package: &str) -> Vec<String> {
        self.core.state().packages.get(package).map(|package| package.granted.clone()).unwrap_or_default()
    }

    // --- changing it from the inside ---

    /// Starts an app and brings it in front.
    ///
    /// # Errors
    /// It is not installed, or its file is wrong.
    pub async fn open(&self, package: &str) -> Result<(), Trouble> {
        let (core, package) = (self.core.clone(), package.to_owned());
        on(&self.handle, async move { core.bring(&package).await }).await?.map(drop).map_err(Trouble::Failed)
    }

    /// Shows an app's only screen as a system dialog over everything, until it shows a screen named `closed`. The package must be
    /// installed, as a permission controller is.
    ///
    /// # Errors
    /// It is not installed, or its file is wrong.
    pub async fn show_over(&self, package: &str) -> Result<(), Trouble> {
        let (core, package) = (self.core.clone(), package.to_owned());
        on(&self.handle, async move {
            core.run_app(&package).await?;
            core.state().over = Some(package);
            core.event();
            Ok::<(), String>(())
        })
        .await?
        .map_err(Trouble::Failed)
    }

    /// Sets the clipboard.
    pub fn copy(&self, text: &str) {
        text.clone_into(&mut self.core.state().clipboard);
    }

    /// Writes to its log, as the app of a package or the system.
    pub fn log(&self, package: &str, level: char, tag: &str, text: &str) {
        let pid = self.core.state().running.get(package).map_or(0, |running| running.pid);
        self.core.log(pid, level, tag, text);
    }

    /// Changes a property that `getprop` reads.
    pub fn set_property(&self, key: &str, value: &str) {
        self.core.state().properties.insert(key.to_owned(), value.to_owned());
    }

    // --- breaking it ---

    /// Sets a trap.
    pub fn trap(&self, trap: &Trap) {
        self.core.traps.set(trap.clone());
    }

    /// Takes all traps away.
    pub fn clear_traps(&self) {
        self.core.traps.clear();
    }

    /// Faults of the framework, by the keys of a scene's `faults`: `connectBlocksMs`, `eventEveryMs`, `windowsEmptyUntilMs`, ...
    /// Those about connecting hold for helpers that start later.
    pub fn set_faults(&self, faults: Value) {
        self.core.state().faults = faults;
    }

    /// Rewrites every answer about the screen from now on: windows without a root, windows that are not there.
    pub fn edit_scene(&self, edit: impl Fn(&mut Value) + Send + Sync + 'static) {
        self.core.state().edit = Some(SceneEdit(Arc::new(edit)));
    }

    /// Stops rewriting.
    pub fn keep_scene(&self) {
        self.core.state().edit = None;
    }

    /// The next install says this instead: `INSTALL_FAILED_INSUFFICIENT_STORAGE: ...`.
    pub fn fail_install(&self, refusal: &str) {
        self.core.state().install_faults.push_back(refusal.to_owned());
    }

    /// Whether `cmd clipboard` works, as on the systems of some vendors (it does at first), or says what Android's own says.
    pub fn clipboard_by_cmd(&self, works: bool) {
        self.core.state().clipboard_by_cmd = works;
    }

    /// Keeps the display from turning, whatever the settings say.
    pub fn keep_rotation(&self, keeps: bool) {
        self.core.state().keeps_rotation = keeps;
    }

    /// `screenrecord` says this and fails at once, until it is called with `None`.
    pub fn fail_recorder(&self, why: Option<&str>) {
        self.core.state().recorder_fault = why.map(str::to_owned);
    }

    /// Refuses packages that are test-only even with `-t`, as the installers of some vendors do.
    pub fn refuse_test_only(&self, refuses: bool) {
        self.core.state().refuses_test_only = refuses;
    }

    /// The line to the adb server, to be broken.
    pub fn link(&self) -> &Link {
        &self.core.link
    }

    /// The device asks its user whether this computer is trusted, and nobody answers.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn unauthorize(&self) -> Result<(), Trouble> {
        self.core.link.set(Mode::Unauthorized);
        self.reconnect_until("unauthorized").await
    }

    /// The adb server still lists the device, and it does not answer.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub async fn go_offline(&self) -> Result<(), Trouble> {
        self.core.link.go_offline();
        self.reconnect_until("offline").await
    }

    /// Everything as it was: the line works, the server sees the device.
    ///
    /// # Errors
    /// It does not come back.
    pub async fn restore(&self) -> Result<(), Trouble> {
        if self.core.link.mode() != Mode::Open {
            self.core.link.set(Mode::Open);
        }
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move {
            server.disconnect(&serial).await;
            server.connect(&serial).await
        })
        .await?
        .map_err(Trouble::from)
    }

    /// The server lets the device go: it is no longer listed.
    ///
    /// # Errors
    /// The lab has ended.
    pub async fn unlist(&self) -> Result<(), Trouble> {
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move { server.disconnect(&serial).await }).await
    }

    async fn reconnect_until(&self, wanted: &'static str) -> Result<(), Trouble> {
        let (server, serial) = (self.server.clone(), self.serial.clone());
        on(&self.handle, async move {
            let end = Instant::now() + LIMIT;
            loop {
                let listed = server.ask("host:devices").await?.unwrap_or_default();
                let state =
                    listed.lines().find_map(|line| line.strip_prefix(&serial)).map(str::trim).map(str::to_owned);
                if state.as_deref() == Some(wanted) {
                    return Ok(());
                }
                if state.is_none() {
                    // What it says of a device that does not answer is no news.
                    let _said = server.ask(&format!("host:connect:{serial}")).await?;
                }
                if Instant::now() >= end {
                    return Err(std::io::Error::other(format!("the device is {state:?}, not {wanted}")));
                }
                sleep(Duration::from_millis(20)).await;
            }
        })
        .await?
        .map_err(Trouble::from)
    }

    /// Kills a helper's process, as a system short of memory does.
    pub fn kill_helper(&self, package: &str) {
        let pids: Vec<i32> =
            self.helpers().into_iter().filter(|(_, known)| known == package).map(|(pid, _)| pid).collect();
        pids.into_iter().for_each(kill);
    }

    /// Kills adbd itself.
    pub fn kill_adbd(&mut self) {
        if let Some(adbd) = &mut self.adbd {
            // One that is gone already is as good.
            let _gone = adbd.start_kill();
        }
    }
}

fn lay_out(root: &Path, bin: &Path, program: &Path) -> std::io::Result<()> {
    for folder in ["data/local/tmp", "data/app", "data/data", "sdcard/Download", "sdcard/DCIM", "storage/emulated"] {
        fs::create_dir_all(root.join(folder))?;
    }
    std::os::unix::fs::symlink(root.join("sdcard"), root.join("storage/emulated/0"))?;
    fs::create_dir_all(bin)?;
    for command in COMMANDS {
        std::os::unix::fs::symlink(program, bin.join(command))?;
    }
    Ok(())
}

fn start_adbd(core: &Core, port: u16) -> std::io::Result<Child> {
    Command::new(core.parts.adbd())
        .env_clear()
        .envs(core.environment())
        .env("LD_PRELOAD", core.parts.paths_library())
        .env("ADBD_PORT", port.to_string())
        .current_dir(&core.root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

async fn answers(port: u16) -> Result<(), Trouble> {
    let end = Instant::now() + LIMIT;
    while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        if Instant::now() >= end {
            return Err(Trouble::Failed("adbd does not answer".to_owned()));
        }
        sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

impl Drop for LabDevice {
    fn drop(&mut self) {
        self.kill_adbd();
        for task in &self.tasks {
            task.abort();
        }
        let (server, serial) = (self.server.clone(), self.serial.clone());
        self.handle.spawn(async move { server.disconnect(&serial).await });
        let mut pids: Vec<i32> = {
            let state = self.core.state();
            state
                .running
                .values()
                .map(|running| running.pid)
                .chain(state.processes.iter().map(|process| process.pid))
                .collect()
        };
        pids.extend(processes_of(&self.core.root));
        pids.into_iter().for_each(kill);
    }
}

/// Processes that live on a device's file system: its shells and what they started.
fn processes_of(root: &Path) -> Vec<i32> {
    let mark = format!("LAB_ROOT={}\0", root.display());
    let own = i32::try_from(std::process::id()).unwrap_or_default();
    let Ok(list) = fs::read_dir("/proc") else { return Vec::new() };
    list.flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok())
        .filter(|pid| *pid != own)
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|environment| environment.windows(mark.len()).any(|window| window == mark.as_bytes()))
        })
        .collect()
}
