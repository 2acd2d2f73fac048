//! A lab for a test, and talk with its devices.

use std::{
    future::Future,
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Output, Stdio},
    time::{Duration, Instant},
};

use android_lab::{Lab, LabDevice, Missing, Options, Trouble};

/// How long anything may take.
pub const LIMIT: Duration = Duration::from_secs(20);
/// The helper's package and component.
pub const HELPER: &str = "com.callstack.agentdevice.snapshothelper";
pub const RUNNER: &str = "com.callstack.agentdevice.snapshothelper/.SnapshotInstrumentation";
pub const DEMO: &str = "com.example.demo";

/// A lab; none where packages are missing, which is said.
pub async fn lab() -> Option<Lab> {
    match Lab::start().await {
        Ok(lab) => Some(lab),
        Err(Trouble::Missing(Missing::Packages(why))) => {
            eprintln!("left out: {why}");
            None
        }
        Err(other) => panic!("{other}"),
    }
}

/// A lab with the demo app on one device.
pub async fn demo() -> Option<(Lab, LabDevice)> {
    let lab = lab().await?;
    let device = lab.device(Options::demo()).await.expect("a device starts");
    device.open(DEMO).await.expect("the demo app starts");
    Some((lab, device))
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// `adb ...`: code and both outputs.
pub fn adb(device: &LabDevice, words: &[&str]) -> (i32, String) {
    let output = device.adb().args(words).stdin(Stdio::null()).output().expect("adb starts");
    (output.status.code().unwrap_or(-1), text(&output))
}

/// `adb shell LINE`, which must work.
pub fn shell(device: &LabDevice, line: &str) -> String {
    let (code, said) = adb(device, &["shell", line]);
    assert_eq!(code, 0, "{line}: {said}");
    said
}

/// Waits for something.
pub fn soon(what: &str, is: impl Fn() -> bool) {
    let end = Instant::now() + LIMIT;
    while !is() {
        assert!(Instant::now() < end, "{what} does not come");
        std::thread::yield_now();
    }
}

/// The same for something asynchronous.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

/// The APK that ships.
pub fn apk() -> PathBuf {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../on-device/android-helper/dist");
    let built = std::fs::read_dir(&dist).unwrap_or_else(|why| panic!("{}: {why}", dist.display()));
    let mut apks: Vec<PathBuf> = built.flatten().map(|entry| entry.path()).collect();
    apks.retain(|path| path.to_string_lossy().ends_with(".apk") && !path.to_string_lossy().ends_with("-plain.apk"));
    apks.pop().expect("an APK is built")
}

pub fn install(device: &LabDevice) {
    let (code, said) = adb(device, &["install", "-r", "-t", &apk().display().to_string()]);
    assert!(code == 0 && said.contains("Success"), "{said}");
}

/// A session of the helper behind a forwarded port.
pub struct Session {
    shell: Child,
    port: u16,
}

/// One answer of a session.
#[derive(Debug)]
pub struct Reply {
    pub headers: String,
    pub body: String,
}

impl Session {
    /// Starts it and waits until it is ready.
    pub fn start(device: &LabDevice) -> Self {
        let inside =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut shell = device
            .adb()
            .args([
                "shell",
                "am",
                "instrument",
                "-w",
                "-e",
                "emitChunks",
                "false",
                "-e",
                "sessionPort",
                &inside.to_string(),
                RUNNER,
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("adb starts");
        let mut said = String::new();
        let mut output = shell.stdout.take().expect("an output");
        while !said.contains("INSTRUMENTATION_STATUS_CODE: 2") {
            let mut piece = [0; 4096];
            let read = output.read(&mut piece).expect("an output");
            assert!(read > 0, "the session does not start: {said}");
            said += &String::from_utf8_lossy(&piece[..read]);
        }
        let (code, port) = adb(device, &["forward", "tcp:0", &format!("tcp:{inside}")]);
        assert_eq!(code, 0, "{port}");
        // What it prints on is not read; keeping the end open keeps it from breaking.
        shell.stdout = Some(output);
        Self { shell, port: port.trim().parse().expect("a port") }
    }

    /// Sends one line. An answer that is cut short is what came of it.
    pub fn ask(&self, line: &str) -> Reply {
        let mut connection = self.send(line);
        let mut bytes = Vec::new();
        // A connection that breaks has said what it said.
        let _broken = connection.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (headers, body) = text.split_once("\n\n").unwrap_or((&text, ""));
        Reply { headers: headers.to_owned(), body: body.to_owned() }
    }

    /// Sends one line and reads nothing.
    pub fn send(&self, line: &str) -> TcpStream {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port)).expect("the forwarded port");
        connection.set_read_timeout(Some(LIMIT)).expect("a limit");
        connection.write_all(format!("{line}\n").as_bytes()).expect("a line");
        connection
    }

    /// Ends it and waits until its shell has ended.
    pub fn quit(mut self) {
        let reply = self.ask("quit q1");
        assert!(reply.headers.contains("ok=true"), "{reply:?}");
        let code = self.shell.wait().expect("a shell that ends");
        assert!(code.success());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // One that has ended is as good.
        let _gone = self.shell.kill();
        let _status = self.shell.wait();
    }
}

/// A press as a session takes it: a touch plan of one finger.
pub fn press_plan(x: f64, y: f64, ms: u32) -> String {
    let plan = format!(
        "{{\"protocol\":\"android-touch-plan-v1\",\"kind\":\"swipe\",\"durationMs\":{ms},\"pointers\":[{{\"pointerId\":0,\"samples\":\
         [{{\"offsetMs\":0,\"x\":{x},\"y\":{y}}},{{\"offsetMs\":{ms},\"x\":{x},\"y\":{y}}}]}}]}}"
    );
    base64(plan.as_bytes())
}

pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let value =
                chunk.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
            (0..4).map(move |place| {
                let letter = LETTERS[(value >> (18 - 6 * place) & 63) as usize];
                if place <= chunk.len() { char::from(letter) } else { '=' }
            })
        })
        .collect()
}

/// The middle of the first node with this attribute in a helper's XML.
pub fn middle(xml: &str, attribute: &str) -> (f64, f64) {
    let node =
        xml.split("<node ").find(|node| node.contains(attribute)).unwrap_or_else(|| panic!("{attribute}: {xml}"));
    let bounds = node.split(" bounds=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("bounds");
    let numbers: Vec<f64> = bounds
        .split(['[', ']', ','])
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().expect("a number"))
        .collect();
    ((numbers[0] + numbers[2]) / 2.0, (numbers[1] + numbers[3]) / 2.0)
}

/// Processes whose environment names a folder.
pub fn living_in(folder: &Path) -> Vec<i32> {
    let mark = folder.display().to_string();
    let list = std::fs::read_dir("/proc").expect("processes");
    list.flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter(|pid: &i32| *pid != std::process::id() as i32)
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|env| String::from_utf8_lossy(&env).contains(&mark))
        })
        .collect()
}
