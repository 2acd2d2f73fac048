//! How a device is put together.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use tempfile::TempDir;
use tokio::{
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    runtime::Handle,
    time::{Instant, sleep},
};

use super::{LabDevice, Options};
use crate::{
    adb::Server,
    core::{Core, Making},
    display::Display,
    lab::Trouble,
    link::Link,
    parts::Parts,
    server,
    shell::COMMANDS,
    state::{Kind, Package, State},
};

/// How long adbd may take to start.
const LIMIT: Duration = Duration::from_secs(10);

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
        let adbd = own_address(inside.local_addr()?.port());
        let mut device = Self { core: core.clone(), server, handle, serial, adbd: None, tasks: Vec::new(), folder };
        device.tasks.push(tokio::spawn(server::serve(core.clone(), inside)).abort_handle());
        device.tasks.push(tokio::spawn(link.serve(outside, adbd)).abort_handle());
        device.adbd = Some(start_adbd(&core)?);
        answers(adbd).await?;
        device.server.connect(&device.serial).await?;
        Ok(device)
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

/// Where adbd listens: its usual port, on the address that only this device has (`parts/network.c` says how it comes about).
const ADBD_PORT: u16 = 5555;

fn own_address(device: u16) -> SocketAddr {
    let [high, low] = device.to_be_bytes();
    SocketAddr::from((Ipv4Addr::new(127, 1, high, low), ADBD_PORT))
}

fn start_adbd(core: &Core) -> std::io::Result<Child> {
    Command::new(core.parts.adbd())
        .env_clear()
        .envs(core.environment())
        .env("LD_PRELOAD", core.parts.paths_library())
        .env("ADBD_PORT", ADBD_PORT.to_string())
        .current_dir(&core.root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

async fn answers(adbd: SocketAddr) -> Result<(), Trouble> {
    let end = Instant::now() + LIMIT;
    while TcpStream::connect(adbd).await.is_err() {
        if Instant::now() >= end {
            return Err(Trouble::Failed("adbd does not answer".to_owned()));
        }
        sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}
