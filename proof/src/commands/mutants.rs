//! `mutants`: our own code changed in every way that cargo-mutants knows, where the promise is kept.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use cut::{Measure, Measures};
use proof::kept;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is changed: a crate, its files, and which of its tests have to see it (none named: all of them).
const PARTS: &[(&str, &[&str], &[&str])] = &[
    ("wire", &["core/wire/src/**"], &[]),
    ("contract", &["core/contract/src/disclosure.rs", "core/contract/src/failure.rs"], &[]),
    (
        "screen",
        &[
            "core/screen/src/refs/**",
            "core/screen/src/guard/**",
            "core/screen/src/occlusion*",
            "core/screen/src/visibility.rs",
        ],
        &[],
    ),
    (
        "daemon",
        &[
            "daemon/src/disclosure.rs",
            "daemon/src/requests.rs",
            "daemon/src/leases.rs",
            "daemon/src/sessions.rs",
            "daemon/src/order.rs",
        ],
        // Its other tests are of recordings, traces and what is found in them.
        &["--lib", "--test", "sessions"],
    ),
    ("stage", &["backends/stage/src/journal.rs", "backends/stage/src/settle.rs"], &[]),
    // Their other tests need a browser or a device.
    ("webdriver", &["backends/webdriver/src/routes.rs", "backends/webdriver/src/reply.rs"], &["--lib"]),
    (
        "android",
        &[
            "backends/android/src/adb/refusals.rs",
            "backends/android/src/helper/journal.rs",
            "backends/android/src/helper/refusals.rs",
            "backends/android/src/helper/verdict.rs",
        ],
        &["--lib"],
    ),
];

/// Changes that are tried between two notes of what was done.
const SHARD: usize = 50;
/// A test that has not ended by then has seen the change, s: a loop without end.
const TIMEOUT: &str = "300";

/// What came of one share of a crate's changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Share {
    name: String,
    /// What was changed and what had to see it, as git names it.
    sources: String,
    /// Which share, from 0, of how many.
    shard: usize,
    of: usize,
    total: u64,
    caught: u64,
    timeouts: u64,
    unviable: u64,
    missed: u64,
    /// What no test has seen, as cargo-mutants names it.
    survivors: Vec<String>,
    seconds: u64,
}

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let (mut only, mut resume) = (None, None);
    for (name, value) in super::options(words, &["--crate", "--resume"])? {
        match name {
            "--crate" => only = Some(value),
            _ => resume = Some(PathBuf::from(value)),
        }
    }
    let root = proof::workspace();
    let chosen: Vec<_> = PARTS.iter().filter(|(name, ..)| only.is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|(name, ..)| *name).collect();
        return Err(format!("there is no such crate here; there are: {}", names.join(", ")));
    }
    let folder = resume.clone().unwrap_or_else(|| root.join("target/mutants"));
    fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let folder = folder.canonicalize().map_err(|why| format!("{}: {why}", folder.display()))?;
    let _alone = kept::alone(&folder)?;
    let file = resume.map(|folder| folder.join("mutants.json"));
    let mut known = kept::read::<Vec<Share>>(file.as_deref())?;
    let tree = copied(&root, &folder)?;
    for (name, files, tests) in chosen {
        let changes = listed(&tree, name, files)?;
        let of = changes.lines().count().div_ceil(SHARD).max(1);
        // Its tests included, and what is tried of it: all but what `.cargo/mutants.toml` leaves out.
        let room = files.first().and_then(|file| file.split_once("/src/")).map_or("core", |(room, _)| room);
        let sources = format!("{} {}", kept::sources(&tree, &[room])?, kept::content(&tree, &changes)?);
        // Of other sources: all of it anew.
        known.retain(|share| share.name != *name || (share.of == of && share.sources == sources));
        for shard in 0..of {
            if known.iter().any(|share| share.name == *name && share.shard == shard) {
                continue;
            }
            let share = Share { sources: sources.clone(), ..tried(&tree, &folder, name, files, tests, (shard, of))? };
            println!("{name:<12} {} of {of}: {} changes, {} survive", shard + 1, share.total, share.missed);
            share.survivors.iter().for_each(|change| println!("    {change}"));
            known.push(share);
            kept::write(file.as_deref(), &known)?;
        }
    }
    let lines: Vec<Measure> = PARTS.iter().filter_map(|(name, files, _)| line(name, files, &known)).collect();
    lines.iter().for_each(|line| println!("{}: {} (asked for: {})", line.name, line.value, line.bar));
    let good = lines.iter().all(|line| line.holds);
    if lines.len() == PARTS.len() {
        let measures = Measures {
            part: "Our own code, changed".to_owned(),
            how: "Each function that decides what is told is changed in every way that cargo-mutants knows (a comparison turned \
                  round, a value replaced, a branch left out); a test of the same crate has to fail. Changes that no test can see \
                  stand in `.cargo/mutants.toml`, each with the reason."
                .to_owned(),
            real: "the unit tests as they are".to_owned(),
            command: "cargo run -p proof -- mutants".to_owned(),
            seconds: known.iter().map(|share| share.seconds).sum(),
            lines,
        };
        let file = root.join("proof/figures/mutants.json");
        measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is committed, in a place of its own where it is changed. It stays there with all that was built, for the next run;
/// a change that an interrupted one has left is taken back.
fn copied(root: &Path, folder: &Path) -> Result<PathBuf, String> {
    let tree = folder.join("tree");
    let git = |words: &[&str]| -> Result<(), String> {
        let status = Command::new("git").args(words).status().map_err(|why| format!("git: {why}"))?;
        if status.success() { Ok(()) } else { Err(format!("git {}: {status}", words.join(" "))) }
    };
    let place = tree.display().to_string();
    if tree.join(".git").exists() {
        git(&["-C", &place, "fetch", "--quiet", "origin", "HEAD"])?;
        git(&["-C", &place, "reset", "--quiet", "--hard", "FETCH_HEAD"])?;
    } else {
        git(&["clone", "--quiet", &root.display().to_string(), &place])?;
    }
    Ok(tree)
}

/// `cargo mutants` for a crate and its files.
fn command(tree: &Path, name: &str, files: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--colors", "never", "-p", name]).current_dir(tree);
    for file in files {
        command.args(["-f", file]);
    }
    command
}

/// The changes, one a line.
fn listed(tree: &Path, name: &str, files: &[&str]) -> Result<String, String> {
    let output = command(tree, name, files).arg("--list").output();
    let output = output.map_err(|why| format!("cargo mutants: {why} (cargo install cargo-mutants)"))?;
    if !output.status.success() {
        return Err(format!("cargo mutants --list: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tried(
    tree: &Path,
    folder: &Path,
    name: &str,
    files: &[&str],
    tests: &[&str],
    (shard, of): (usize, usize),
) -> Result<Share, String> {
    let began = Instant::now();
    let folder = folder.join(name);
    fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut command = command(tree, name, files);
    // In place: each share goes on with what the one before has built.
    command.args(["--in-place", "--test-tool", "nextest", "--timeout", TIMEOUT, "--sharding", "round-robin"]);
    command.arg("--shard").arg(format!("{shard}/{of}"));
    command
        .env("NEXTEST_PROFILE", "mutants")
        .arg("-o")
        .arg(&folder)
        .args((!tests.is_empty()).then_some("--"))
        .args(tests);
    let status = command.status().map_err(|why| format!("cargo mutants: {why} (cargo install cargo-mutants)"))?;
    let path = folder.join("mutants.out/outcomes.json");
    let text = fs::read_to_string(&path).map_err(|why| format!("{} ({status}): {why}", path.display()))?;
    let outcomes: Value = serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display()))?;
    let count = |key: &str| outcomes.get(key).and_then(Value::as_u64).unwrap_or(0);
    let share = Share {
        name: name.to_owned(),
        shard,
        of,
        total: count("total_mutants"),
        caught: count("caught"),
        sources: String::new(),
        timeouts: count("timeout"),
        unviable: count("unviable"),
        missed: count("missed"),
        survivors: survivors(&outcomes),
        seconds: began.elapsed().as_secs(),
    };
    if share.total == 0 || share.total != share.caught + share.timeouts + share.missed + share.unviable {
        return Err(format!("{name}: the run did not come to its end ({status})"));
    }
    Ok(share)
}

/// The changes that no test has seen.
fn survivors(outcomes: &Value) -> Vec<String> {
    let of = |outcome: &Value| {
        let name = outcome.pointer("/scenario/Mutant/name")?.as_str()?.to_owned();
        (outcome.get("summary")? == "MissedMutant").then_some(name)
    };
    outcomes.get("outcomes").and_then(Value::as_array).into_iter().flatten().filter_map(of).collect()
}

/// The line of a crate all of whose shares were tried.
fn line(name: &str, files: &[&str], known: &[Share]) -> Option<Measure> {
    let shares: Vec<&Share> = known.iter().filter(|share| share.name == name).collect();
    if shares.len() != shares.first()?.of {
        return None;
    }
    let sum = |of: fn(&Share) -> u64| shares.iter().map(|share| of(share)).sum::<u64>();
    let (total, timeouts, missed) = (sum(|share| share.total), sum(|share| share.timeouts), sum(|share| share.missed));
    let (caught, unviable) = (sum(|share| share.caught), sum(|share| share.unviable));
    let loops = if timeouts > 0 { format!(", {timeouts} make a test run without end") } else { String::new() };
    Some(Measure {
        name: format!("`{name}`: {}", files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ")),
        value: format!("{total} changes, {caught} caught{loops}, {unviable} do not compile, {missed} survive"),
        bar: "0 survive".to_owned(),
        holds: missed == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_has_a_line_once_all_its_shares_were_tried() {
        let share = |shard| Share {
            name: "wire".into(),
            shard,
            of: 2,
            total: 3,
            caught: 1,
            timeouts: 1,
            missed: 1,
            ..Share::default()
        };
        assert_eq!(line("wire", &["a"], &[share(0)]), None);
        let line = line("wire", &["a"], &[share(0), share(1)]).unwrap();
        assert_eq!(line.value, "6 changes, 2 caught, 2 make a test run without end, 0 do not compile, 2 survive");
        assert!(!line.holds);
    }
}
