//! The tasks of docs/guide/agents.md can be done as it says, in as many calls and about as many bytes.
//!
//! `tasks/NAME.txt` has what an agent types. `!` stands before a call that is refused, `=>` before what the last answer
//! must hold, and `{text}` for the ref on the line of the last answer that holds the text.
//!
//! `WRITE_DOCS=1 cargo test -p cli --test tasks` writes the counts into the page.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::{fs, path::Path, path::PathBuf, process::Command};

const TASKS: &[&str] = &["stage-form", "stage-list", "stage-dialog", "web-form", "web-list", "web-dialog"];
/// How far the bytes may be off: paths and times are printed too.
const TOLERANCE: f64 = 0.15;

#[derive(Default)]
struct Count {
    calls: usize,
    refused: usize,
    typed: usize,
    read: usize,
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tasks")
}

struct Place {
    all: tempfile::TempDir,
}

impl Place {
    fn run(&self, line: &str) -> (bool, String) {
        let output = Command::new("sh")
            .args(["-c", &format!("exec \"$0\" {line}"), env!("CARGO_BIN_EXE_agent-device")])
            .current_dir(here())
            .env("AGENT_DEVICE_STATE_DIR", self.all.path())
            .env_remove("AGENT_DEVICE_SESSION")
            .env_remove("AGENT_DEVICE_PLATFORM")
            .env_remove("AGENT_DEVICE_URL")
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run("daemon stop");
    }
}

/// Machines without a browser say so.
fn without_browser() -> bool {
    std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some()
}

/// Does a task as its file says.
fn done(name: &str) -> Count {
    let place = Place { all: tempfile::tempdir().unwrap() };
    let (mut count, mut said) = (Count::default(), String::new());
    for line in fs::read_to_string(here().join(format!("{name}.txt"))).unwrap().lines() {
        if let Some(expected) = line.strip_prefix("=> ") {
            assert!(said.contains(expected), "{name}: {expected:?} is not in\n{said}");
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let (refused, line) = line.strip_prefix("! ").map_or((false, line), |line| (true, line));
        let line = match line.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?))) {
            Some((before, (text, after))) => {
                let mut holds = said.lines().filter(|line| line.contains(text));
                let reference = holds.find_map(|line| line.split_whitespace().find(|word| word.starts_with('@')));
                let reference =
                    reference.unwrap_or_else(|| panic!("{name}: no line with a ref holds {text:?}\n{said}"));
                format!("{before}{reference}{after}")
            }
            None => line.to_owned(),
        };
        let (worked, answer) = place.run(&line);
        assert_eq!(worked, !refused, "{name}: {line}\n{answer}");
        assert!(worked || answer.contains("Dispatched: no\n"), "{name}: {line}\n{answer}");
        count.calls += 1;
        count.refused += usize::from(refused);
        count.typed += "agent-device ".len() + line.len();
        count.read += answer.len();
        said = answer;
    }
    count
}

#[test]
fn the_tasks_of_the_guide_take_what_it_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/agents.md");
    let mut text = fs::read_to_string(&page).unwrap();
    let write = std::env::var_os("WRITE_DOCS").is_some();
    for name in TASKS.iter().filter(|name| !(name.starts_with("web-") && without_browser())) {
        let count = done(name);
        let row = text.lines().find(|line| line.contains(&format!("`{name}`"))).unwrap_or_else(|| panic!("{name}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if write {
            let fresh = format!(
                "| `{name}` | {} | {} | {} | {} | {} |",
                cells[2], count.calls, count.refused, count.typed, count.read
            );
            text = text.replace(row, &fresh);
            continue;
        }
        let told = |cell: usize| cells[cell].replace(',', "").parse::<f64>().unwrap();
        let near = |told: f64, now: usize| (now as f64 - told).abs() <= told * TOLERANCE;
        assert_eq!((told(3) as usize, told(4) as usize), (count.calls, count.refused), "{name}: calls, refused");
        assert!(near(told(5), count.typed) && near(told(6), count.read), "{name}: {} {}", count.typed, count.read);
    }
    if write {
        fs::write(page, text).unwrap();
    }
}

#[test]
fn a_field_that_refuses_says_how_it_is_filled() {
    if without_browser() {
        return;
    }
    let place = Place { all: tempfile::tempdir().unwrap() };
    assert!(place.run("open form.html").0);
    let (_, date) = place.run("fill label=Birthday '10 December 1990'");
    assert!(date.contains("TEXT_MISMATCH") && date.contains("Hint: write a date as 2026-01-31"), "{date}");
    let (_, list) = place.run("fill role=combobox Portugal");
    assert!(list.contains("ELEMENT_NOT_EDITABLE") && list.contains("then its option is pressed"), "{list}");
    let (_, early) = place.run("find 'Nothing of the kind' list");
    assert_eq!(early, "0 matches; if it comes late: agent-device wait text \"Nothing of the kind\"\n");
}
