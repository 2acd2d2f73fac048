//! The documents' terminal sessions, typed as they stand, answer as they say.
//!
//! A block ```` ```console ```` holds commands behind `$ ` and what they print; a block ```` ```sh ```` that begins with
//! `cat >` makes the files that they use. A heading begins anew: a new daemon, and nothing is open.
//!
//! `WRITE_DOCS=1 cargo test -p cli --test tour` writes what is printed now into the documents: read the difference
//! before you keep it.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A folder with a daemon of its own, which ends with it.
struct Place {
    _all: tempfile::TempDir,
    folder: PathBuf,
    state: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Place {
    fn new(environment: &[(&'static str, String)]) -> Self {
        let all = tempfile::tempdir().unwrap();
        let (folder, state) = (all.path().join("tour"), all.path().join("state"));
        fs::create_dir(&folder).unwrap();
        Place { _all: all, folder, state, environment: environment.to_vec() }
    }

    /// What a shell line prints, on both channels.
    fn typed(&self, line: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_agent-device")).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", program.display()))
            .env("AGENT_DEVICE_STATE_DIR", &self.state)
            .env_remove("AGENT_DEVICE_SESSION")
            .env_remove("AGENT_DEVICE_PLATFORM")
            .env_remove("AGENT_DEVICE_WEBDRIVER_URL")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .output()
            .unwrap();
        let printed = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&printed)
            .replace(&self.folder.display().to_string(), "/home/ada/tour")
            .replace(&self.state.display().to_string(), "/home/ada/state")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.typed("agent-device daemon stop");
    }
}

/// What may differ between two runs is made equal: times, process ids, ports of devices, hashes of folders, ids of
/// windows, padding.
fn normalised(text: &str) -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_number = |word: &str| {
            word.trim_start_matches('(').bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !word.is_empty()
        };
        let same: Vec<String> = (0..words.len())
            .map(|at| {
                let (word, next) = (words[at], words.get(at + 1).copied().unwrap_or_default());
                let unit = next.trim_end_matches([':', ',', ';']);
                let is_time = is_number(word) && (unit == "ms" || unit == "s");
                let is_id = at > 0 && words[at - 1] == "(pid"
                    || word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
                match word.split_once("tour-") {
                    _ if is_time || is_id => "#".to_owned(),
                    _ if word.starts_with("127.0.0.1:") => "127.0.0.1:#".to_owned(),
                    Some((before, after)) => format!("{before}tour-#{}", after.get(8..).unwrap_or_default()),
                    None => word.to_owned(),
                }
            })
            .collect();
        same.join(" ")
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Types everything that a document types, and compares.
fn follow(document: &str) {
    follow_with(document, &[]);
}

fn follow_with(document: &str, environment: &[(&'static str, String)]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let text = fs::read_to_string(&file).unwrap();
    let place = Place::new(environment);
    let blocks: Vec<&str> = text.split("\n```").collect();
    for files in
        blocks.iter().filter_map(|block| block.strip_prefix("sh\n")).filter(|block| block.starts_with("cat > "))
    {
        assert_eq!(place.typed(files), "");
    }
    let (mut typed, mut differences, mut rewritten) = (0, Vec::new(), Vec::new());
    for block in blocks {
        let Some(session) = block.strip_prefix("console\n") else {
            if block.contains("\n## ") {
                // And refs begin at 1 again: a session's numbers go on for as long as its daemon lives.
                place.typed("agent-device daemon stop; agent-device session list");
            }
            rewritten.push(block.to_owned());
            continue;
        };
        let mut fresh = String::from("console");
        for exchange in format!("\n{session}").split("\n$ ").skip(1) {
            let (line, expected) = exchange.split_once('\n').unwrap_or((exchange, ""));
            let printed = place.typed(line);
            let same = normalised(&printed) == normalised(expected);
            if !same {
                differences.push(format!("$ {line}\n--- printed\n{printed}--- told\n{expected}\n"));
            }
            let kept = if same { expected } else { printed.as_str() };
            for part in [format!("$ {line}").as_str(), kept.trim_end()].into_iter().filter(|part| !part.is_empty()) {
                fresh.push('\n');
                fresh.push_str(part);
            }
            typed += 1;
        }
        rewritten.push(fresh);
    }
    assert!(typed > 3, "{document}: only {typed} commands were found");
    if std::env::var_os("WRITE_DOCS").is_some() {
        fs::write(file, rewritten.join("\n```")).unwrap();
    } else {
        assert!(differences.is_empty(), "{document} (see the head of this file):\n{}", differences.join("\n"));
    }
}

fn without_browser() -> bool {
    std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some()
}

#[test]
fn getting_started_is_as_told() {
    follow("docs/guide/getting-started.md");
}

#[test]
fn selectors_are_as_told() {
    follow("docs/guide/selectors.md");
}

#[test]
fn failures_are_as_told() {
    follow("docs/guide/failures.md");
}

#[test]
fn observing_is_as_told() {
    follow("docs/guide/observing.md");
}

#[test]
fn scripting_is_as_told() {
    follow("docs/guide/scripting.md");
}

#[test]
fn the_tour_of_the_readme_is_as_told() {
    if !without_browser() {
        follow("README.md");
    }
}

#[test]
fn the_page_for_agents_is_as_told() {
    follow("docs/guide/agents.md");
}

#[test]
fn the_guide_to_replay_is_as_told() {
    follow("docs/guide/replay.md");
}

#[test]
fn the_guide_to_devices_of_another_machine_is_as_told() {
    let host = tempfile::tempdir().unwrap();
    let [token, address, state] = ["token", "address", "state"].map(|name| host.path().join(name));
    fs::write(&token, "a-token-of-this-test-0123456789abcdef").unwrap();
    fs::set_permissions(&token, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let on_host = |words: &[&std::ffi::OsStr]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_agent-device"));
        program.args(words).env("AGENT_DEVICE_STATE_DIR", &state).stdout(std::process::Stdio::null());
        program
    };
    let words = [
        "serve".as_ref(),
        "--token-file".as_ref(),
        token.as_os_str(),
        "--print-address-file".as_ref(),
        address.as_os_str(),
    ];
    let mut serve = on_host(&words).spawn().unwrap();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !address.exists() {
        assert!(std::time::Instant::now() < end, "the server does not listen");
        std::thread::yield_now();
    }
    let url = fs::read_to_string(&address).unwrap().trim().to_owned();
    let followed = std::panic::catch_unwind(|| {
        let variables = [("AGENT_DEVICE_URL", url), ("AGENT_DEVICE_TOKEN_FILE", token.display().to_string())];
        follow_with("docs/guide/remote.md", &variables);
    });
    let told = Command::new("kill").arg(serve.id().to_string()).status().unwrap();
    assert!(told.success() && serve.wait().unwrap().success(), "the server does not end");
    assert!(on_host(&["daemon".as_ref(), "stop".as_ref()]).status().unwrap().success());
    followed.unwrap();
}

#[test]
fn the_web_guide_is_as_told() {
    if !without_browser() {
        follow("docs/guide/web.md");
    }
}

/// On the lab's device, with the demo app of the simulated phone as its only app.
#[test]
fn the_android_guide_is_as_told() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (lab, device) = runtime.block_on(async {
        let lab = android_lab::Lab::start().await.unwrap();
        let device = lab.device(android_lab::Options::demo()).await.unwrap();
        (lab, device)
    });
    follow_with("docs/guide/android.md", &[("ANDROID_ADB_SERVER_PORT", lab.port().to_string())]);
    drop(device);
}

#[test]
fn what_differs_between_runs_is_made_equal_and_nothing_else() {
    let one = "Opened demo in session tour-1a2b3c4d\nsettled after 612 ms: 1 additions\n    1 open          3 ms  ok";
    let two = "Opened demo in session tour-99999999\nsettled after 9 ms: 1 additions\n    1 open         31 ms  ok";
    assert_eq!(normalised(one), normalised(two));
    assert_ne!(normalised("Pressed 3 times"), normalised("Pressed 4 times"));
    assert_ne!(normalised("settled after 9 ms: 1 additions"), normalised("settled after 9 ms: 2 additions"));
}
