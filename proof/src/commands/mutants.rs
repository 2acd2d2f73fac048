//! `mutants`: our own code changed in every way that cargo-mutants knows, where the promise is kept.

use std::{path::Path, process::Command, process::ExitCode, time::Instant};

use cut::{Measure, Measures};
use serde_json::Value;

/// What is changed: a crate, its files, and which of its tests have to see it (`None`: all of them).
const PARTS: &[(&str, &[&str], Option<&str>)] = &[
    ("wire", &["core/wire/src/**"], None),
    ("contract", &["core/contract/src/disclosure.rs", "core/contract/src/failure.rs"], None),
    (
        "screen",
        &[
            "core/screen/src/refs/**",
            "core/screen/src/guard/**",
            "core/screen/src/occlusion*",
            "core/screen/src/visibility.rs",
        ],
        None,
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
        None,
    ),
    ("stage", &["backends/stage/src/journal.rs", "backends/stage/src/settle.rs"], None),
    // Their other tests need a browser or a device.
    ("webdriver", &["backends/webdriver/src/routes.rs", "backends/webdriver/src/reply.rs"], Some("--lib")),
    (
        "android",
        &[
            "backends/android/src/adb/refusals.rs",
            "backends/android/src/helper/journal.rs",
            "backends/android/src/helper/refusals.rs",
            "backends/android/src/helper/verdict.rs",
        ],
        Some("--lib"),
    ),
];

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let mut only = None;
    for (_, value) in super::options(words, &["--crate"])? {
        only = Some(value);
    }
    let root = proof::workspace();
    let began = Instant::now();
    let chosen: Vec<_> = PARTS.iter().filter(|(name, ..)| only.is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = PARTS.iter().map(|(name, ..)| *name).collect();
        return Err(format!("there is no such crate here; there are: {}", names.join(", ")));
    }
    let mut lines = Vec::new();
    for (name, files, tests) in chosen {
        let line = tried(&root, name, files, *tests)?;
        println!("{:<12} {} (asked for: {})", name, line.value, line.bar);
        lines.push(line);
    }
    let good = lines.iter().all(|line| line.holds);
    if only.is_none() {
        let measures = Measures {
            part: "Our own code, changed".to_owned(),
            how: "Each function that decides what is told is changed in every way that cargo-mutants knows (a comparison turned \
                  round, a value replaced, a branch left out); a test of the same crate has to fail. Changes that no test can see \
                  stand in `.cargo/mutants.toml`, each with the reason."
                .to_owned(),
            real: "the unit tests as they are".to_owned(),
            command: "cargo run -p proof -- mutants".to_owned(),
            seconds: began.elapsed().as_secs(),
            lines,
        };
        let file = root.join("proof/figures/mutants.json");
        measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tried(root: &Path, name: &str, files: &[&str], tests: Option<&str>) -> Result<Measure, String> {
    let folder = root.join("target/mutants").join(name);
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut command = Command::new("cargo");
    command.args(["mutants", "--test-tool", "nextest", "--timeout", "120", "--colors", "never", "-p", name]);
    for file in files {
        command.args(["-f", file]);
    }
    command.arg("-o").arg(&folder).args(tests.map(|tests| ["--", tests]).into_iter().flatten()).current_dir(root);
    let status = command.status().map_err(|why| format!("cargo mutants: {why} (cargo install cargo-mutants)"))?;
    let path = folder.join("mutants.out/outcomes.json");
    let text = std::fs::read_to_string(&path).map_err(|why| format!("{} ({status}): {why}", path.display()))?;
    let outcomes: Value = serde_json::from_str(&text).map_err(|why| format!("{}: {why}", path.display()))?;
    let count = |key: &str| outcomes.get(key).and_then(Value::as_u64).unwrap_or(0);
    let (total, caught) = (count("total_mutants"), count("caught") + count("timeout"));
    let (missed, unviable) = (count("missed"), count("unviable"));
    if total == 0 || total != caught + missed + unviable {
        return Err(format!("{name}: the run did not come to its end ({status})"));
    }
    Ok(Measure {
        name: format!("`{name}`: {}", files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ")),
        value: format!("{total} changes, {caught} caught, {unviable} do not compile, {missed} survive"),
        bar: "0 survive".to_owned(),
        holds: missed == 0,
    })
}
