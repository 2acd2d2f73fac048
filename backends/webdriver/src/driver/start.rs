//! Starting a driver: program, port, environment, readiness.

use std::{
    fs::{self, File},
    io,
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use bytes::Bytes;
use contract::{Code, Effect, Failure, Row, command::Browser};
use hyper::Method;
use serde_json::Value;
use tokio::{
    net::TcpListener,
    process::{Child, Command},
    time::Instant,
};
use wire::{
    Context, Sent,
    http::{Connection, Request},
};

use super::{Folder, processes};
use crate::{
    browser::{Programs, facts},
    line::ROWS,
};

/// How long a driver may take until it listens.
const READY: Duration = Duration::from_secs(20);
/// Pause between two looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(4);
/// How long it may take to say its status.
const STATUS: Duration = Duration::from_secs(2);
/// The longest path that a Unix socket can have on every platform, bytes (macOS: 104 with the end mark).
const SOCKET_PATH_LIMIT: usize = 103;
/// How a driver is described that ended before it listened.
const ENDED: &str = "it ended at once";
/// Starts that are tried where the driver ends at once.
const PORT_TRIES: u32 = 5;
/// How long a driver that was killed may take to be collected.
const COLLECT: Duration = Duration::from_secs(5);

/// A driver that runs, and the folder of its browser. Dropping it ends both.
#[derive(Debug)]
pub struct Running {
    child: Child,
    display: Option<Child>,
    group: i32,
    folder: Folder,
    /// `host:port`.
    pub authority: String,
}

/// Starts the driver of a browser.
///
/// # Errors
/// `webdriver.driver-not-ready`, with the end of the driver's log; a state directory that cannot be written.
pub async fn start(
    context: &Context,
    browser: Browser,
    programs: &Programs,
    folder: Folder,
) -> Result<Running, Failure> {
    let mut display = match &programs.xvfb {
        Some(xvfb) => Some(start_display(xvfb, &folder).await.map_err(|why| not_ready(browser, &why.to_string()))?),
        None => None,
    };
    let mut last = String::new();
    for _ in 0..PORT_TRIES {
        let port = match browser {
            // These choose a free port and say which.
            Browser::Chrome | Browser::Firefox => 0,
            Browser::Webkit => free_port().await.map_err(|why| not_ready(browser, &why.to_string()))?,
        };
        let number = display.as_ref().map(|(_, number)| number.as_str());
        let mut child = spawn(browser, programs, &folder, port, number).map_err(|why| cannot_start(programs, &why))?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).unwrap_or_default();
        let noted = folder.write(Some(group));
        let ready = match noted {
            Ok(()) => wait(context, browser, &mut child, &folder, port).await,
            Err(why) => Err(why.to_string()),
        };
        match ready {
            Ok(authority) => {
                let display = display.map(|(child, _)| child);
                return Ok(Running { child, display, group, folder, authority });
            }
            Err(why) => {
                processes::kill_group(group);
                let _collected = tokio::time::timeout(COLLECT, child.wait()).await;
                last = why;
            }
        }
        // A port may be taken by someone else before the driver has it, also one that it chose itself (chromedriver
        // chooses one for IPv4 and needs it for IPv6 too): it ends at once then. Nothing else is worth another try.
        if !last.starts_with(ENDED) || context.left().is_zero() {
            break;
        }
    }
    if let Some((child, _)) = &mut display {
        stop_display(child).await;
    }
    processes::kill(folder.path(), None);
    processes::gone(folder.path()).await;
    let log = tail(&folder);
    folder.remove();
    Err(not_ready(browser, &last).detail("driverLog", log))
}

fn cannot_start(programs: &Programs, why: &io::Error) -> Failure {
    Failure::refused(
        Row::WebdriverDriverNotReady,
        Code::ToolMissing,
        format!("{} could not be started: {why}", programs.driver.display()),
    )
    .reason("driver_not_started")
}

fn not_ready(browser: Browser, why: &str) -> Failure {
    let facts = facts(browser);
    Failure::refused(
        Row::WebdriverDriverNotReady,
        Code::ToolMissing,
        format!("the driver of {} did not get ready: {why}", facts.name),
    )
    .reason("driver_not_ready")
    .hint(format!("check it: agent-device doctor; install it anew: {}", facts.install))
}

async fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0").await?.local_addr()?.port())
}

fn spawn(
    browser: Browser,
    programs: &Programs,
    folder: &Folder,
    port: u16,
    display: Option<&str>,
) -> io::Result<Child> {
    let log = File::create(folder.part("driver.log"))?;
    let mut command = match (&programs.dbus, browser) {
        (Some(dbus), Browser::Webkit) => {
            let mut command = Command::new(dbus);
            command.arg("--").arg(&programs.driver);
            command
        }
        _ => Command::new(&programs.driver),
    };
    match browser {
        Browser::Chrome => {
            command.arg(format!("--port={port}"));
        }
        Browser::Firefox => {
            command
                .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--profile-root"])
                .arg(folder.part("profile"));
        }
        Browser::Webkit => {
            command.args(["--host=127.0.0.1", &format!("--port={port}")]);
            // Without these it does not start in containers and without a graphics card.
            command.envs([
                ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"),
                ("WEBKIT_DISABLE_COMPOSITING_MODE", "1"),
                ("LIBGL_ALWAYS_SOFTWARE", "1"),
                ("NO_AT_BRIDGE", "1"),
                ("GDK_BACKEND", "x11"),
            ]);
        }
    }
    if let Some(number) = display {
        command.env("DISPLAY", number);
    }
    command
        // Names the folder: everything that the driver starts is known by it.
        .env("HOME", folder.part("home"))
        .env("TMPDIR", temporary(folder))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .process_group(0)
        .spawn()
}

/// Where the browser keeps what is temporary: its folder, so that it goes with it. Chromium binds a socket there,
/// `org.chromium.Chromium.XXXXXX/SingletonSocket`, and ends at once where the path is too long for one, which it is
/// under most home folders; then it is the system's.
fn temporary(folder: &Folder) -> PathBuf {
    let own = folder.part("home");
    let below = "/org.chromium.Chromium.XXXXXX/SingletonSocket".len();
    if own.as_os_str().len() + below <= SOCKET_PATH_LIMIT { own } else { std::env::temp_dir() }
}

/// A display of its own, numbered by the server itself.
async fn start_display(xvfb: &std::path::Path, folder: &Folder) -> io::Result<(Child, String)> {
    let number = folder.part("display");
    let child = Command::new(xvfb)
        .args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"])
        .env("HOME", folder.part("home"))
        .stdin(Stdio::null())
        .stdout(File::create(&number)?)
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let end = Instant::now() + READY;
    while Instant::now() < end {
        let said = fs::read_to_string(&number)?;
        if said.ends_with('\n') {
            return Ok((child, format!(":{}", said.trim())));
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
    Err(io::Error::other("Xvfb did not get ready"))
}

async fn stop_display(child: &mut Child) {
    // Gone by itself is as good.
    let _gone = child.start_kill();
    let _collected = tokio::time::timeout(COLLECT, child.wait()).await;
}

/// Waits until the driver listens and says that it is ready. The error is for people.
async fn wait(
    context: &Context,
    browser: Browser,
    child: &mut Child,
    folder: &Folder,
    port: u16,
) -> Result<String, String> {
    let end = (Instant::now() + READY).min(context.deadline);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Err(format!("{ENDED} ({status})"));
        }
        let chosen = if port == 0 { said_port(browser, folder) } else { Some(port) };
        if let Some(port) = chosen {
            let authority = format!("127.0.0.1:{port}");
            if is_ready(&authority).await {
                return Ok(authority);
            }
        }
        if Instant::now() >= end {
            return Err(format!("it does not listen after {} s", READY.as_secs()));
        }
        if context.cancel.is_cancelled() {
            return Err("the caller went away".to_owned());
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
}

/// The port that a driver says it chose. Only whole lines count: a line may be read while it is written.
fn said_port(browser: Browser, folder: &Folder) -> Option<u16> {
    let log = fs::read_to_string(folder.part("driver.log")).ok()?;
    port_in(browser, &log)
}

fn port_in(browser: Browser, log: &str) -> Option<u16> {
    let marker = match browser {
        Browser::Chrome => "was started successfully on port ",
        Browser::Firefox | Browser::Webkit => "Listening on 127.0.0.1:",
    };
    let whole = log.get(..log.rfind('\n')?)?;
    let line = whole.lines().find_map(|line| line.split_once(marker))?.1;
    line.trim_end_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()
}

/// Asks the driver for its status. A driver that does not answer is asked again by the caller.
async fn is_ready(authority: &str) -> bool {
    let request =
        Request { method: Method::GET, path: "/status".to_owned(), body: Bytes::new(), effect: Effect::Observes };
    let connection = Connection::to(authority.to_owned(), ROWS);
    match connection.exchange(&Context::with_limit(STATUS), &request).await {
        Sent::Answered(answered) => serde_json::from_slice::<Value>(&answered.completed().body)
            .is_ok_and(|status| status["value"]["ready"] == true),
        Sent::NotSent(_) | Sent::Lost(_) => false,
    }
}

/// The last lines of the driver's log.
fn tail(folder: &Folder) -> String {
    let log = fs::read_to_string(folder.part("driver.log")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().rev().take(12).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

async fn end(group: i32, folder: &Folder, child: &mut Child, display: Option<&mut Child>) {
    processes::kill_group(group);
    if let Some(display) = display {
        stop_display(display).await;
    }
    let _collected = tokio::time::timeout(COLLECT, child.wait()).await;
    processes::kill(folder.path(), Some(group));
    processes::gone(folder.path()).await;
}

impl Running {
    /// The folder of its browser.
    pub const fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The last lines of the driver's log.
    pub fn log(&self) -> String {
        tail(&self.folder)
    }

    /// The group that the driver and its browser are in.
    pub const fn group(&self) -> i32 {
        self.group
    }

    /// Ends driver and browser, waits until they are gone, and removes the folder.
    pub async fn stop(mut self) {
        end(self.group, &self.folder, &mut self.child, self.display.as_mut()).await;
        self.folder.remove();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // After `stop` there is nothing left and this does nothing: a number that was given anew is not ours.
        processes::kill(self.folder.path(), Some(self.group));
        self.folder.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_folder_too_long_for_chromiums_socket_does_not_hold_what_is_temporary() {
        let parent = tempfile::tempdir().unwrap();
        let folder = Folder::create(&parent.path().join("x".repeat(80))).unwrap();
        assert_eq!(temporary(&folder), std::env::temp_dir());
        folder.remove();
    }

    #[test]
    fn the_port_is_read_from_whole_lines_only() {
        let chrome = "Starting ChromeDriver 156.0.8078.114 (ea19-refs/branch-heads/8078_108@{#5}) on port 0\n\
                      Only local connections are allowed.\nChromeDriver was started successfully on port 40117";
        assert_eq!(port_in(Browser::Chrome, chrome), None);
        assert_eq!(port_in(Browser::Chrome, &format!("{chrome}.\n")), Some(40117));
        let gecko = "1796033043969\tgeckodriver\tINFO\tListening on 127.0.0.1:37045\n";
        assert_eq!(port_in(Browser::Firefox, gecko), Some(37045));
        assert_eq!(port_in(Browser::Firefox, ""), None);
    }
}
