//! `fuzz`: every parser under a fuzzer, for as much processor time as is asked for, over several runs where need be.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

use cut::{Measure, Measures};
use proof::kept;
use serde::{Deserialize, Serialize};

/// Processor time for each target where none is given, s.
const SECONDS: u64 = 60;
/// An hour each is a figure, s.
const PUBLISHED: u64 = 3600;
/// A fuzzer runs so long at a time, s: what it found out is written down after that.
const SLICE: u64 = 120;
/// What one input may take: bytes, MB of memory, MB of one allocation, s. More is a finding.
const LIMITS: [&str; 4] = ["-max_len=65536", "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-timeout=30"];

/// What is known of a target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Target {
    name: String,
    /// Processor time of all runs, ms.
    processor_ms: u64,
    executions: u64,
    /// Places of the code that an input has reached.
    coverage: u64,
    findings: usize,
}

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let (mut seconds, mut only, mut resume) = (SECONDS, None, None);
    for (name, value) in super::options(words, &["--seconds", "--target", "--resume"])? {
        match name {
            "--seconds" => seconds = super::number(name, value)?,
            "--target" => only = Some(value),
            _ => resume = Some(PathBuf::from(value)),
        }
    }
    let fuzz = proof::workspace().join("proof/fuzz");
    let names = targets(&fuzz)?;
    if let Some(only) = only
        && !names.iter().any(|name| name == only)
    {
        return Err(format!("there is no target {only:?}; there are: {}", names.join(", ")));
    }
    let programs = built(&fuzz)?;
    let file = resume.map(|folder| fs::create_dir_all(&folder).map(|()| folder.join("fuzz.json"))).transpose();
    let file = file.map_err(|why| format!("the folder to go on in: {why}"))?;
    let mut known = kept::read::<Vec<Target>>(file.as_deref())?;
    // In turn, so that a run that is ended has tried a share of each.
    let mut good = true;
    loop {
        let mut left = false;
        for name in names.iter().filter(|name| only.is_none_or(|only| only == *name)) {
            let mut target = known.iter().find(|target| target.name == *name).cloned().unwrap_or_default();
            target.name.clone_from(name);
            if target.processor_ms >= seconds * 1000 || target.findings > 0 {
                continue;
            }
            let missing = (seconds * 1000 - target.processor_ms).div_ceil(1000);
            slice(&fuzz, &programs, &mut target, missing.min(SLICE))?;
            let Target { processor_ms, executions, coverage, findings, .. } = target;
            println!(
                "{name:<18} {executions:>12} executions, {coverage:>6} places, {:>5} s, {findings} found",
                processor_ms / 1000
            );
            good &= findings == 0;
            left |= processor_ms < seconds * 1000 && findings == 0;
            known.retain(|other| other.name != *name);
            known.push(target);
            kept::write(file.as_deref(), &known)?;
        }
        if !left {
            break;
        }
    }
    if only.is_none() && seconds >= PUBLISHED {
        publish(&known, seconds)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The names of all targets.
fn targets(fuzz: &Path) -> Result<Vec<String>, String> {
    let folder = fuzz.join("fuzz_targets");
    let files = fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut names: Vec<String> =
        files.flatten().filter_map(|file| Some(file.path().file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}

/// Builds the targets, and says where they are. Without a sanitizer, which needs another toolchain: what is hunted are panics,
/// broken promises, time and memory, in code without `unsafe`.
fn built(fuzz: &Path) -> Result<PathBuf, String> {
    let mut command = Command::new("cargo");
    command.args(["fuzz", "build", "--fuzz-dir", ".", "--sanitizer", "none"]).current_dir(fuzz);
    let status = command.env("RUSTC_BOOTSTRAP", "1").env_remove("CARGO_TARGET_DIR").status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("cargo fuzz build: {status} (cargo install cargo-fuzz; a C++ compiler)")),
        Err(why) => return Err(format!("cargo: {why}")),
    }
    let said = Command::new("rustc").arg("-vV").output().map_err(|why| format!("rustc: {why}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let host =
        said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc does not say what it builds for")?;
    Ok(fuzz.join("target").join(host).join("release"))
}

/// Lets a target run for so many seconds of the clock, and adds what came of it.
fn slice(fuzz: &Path, programs: &Path, target: &mut Target, seconds: u64) -> Result<(), String> {
    let name = &target.name;
    // New inputs gather in `found`, which is not kept in the repository; a finding lies in `artifacts`.
    let folders = ["found", "artifacts"].map(|folder| fuzz.join(folder).join(name));
    for folder in &folders {
        fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    }
    let [found, artifacts] = folders;
    let before = children_ms()?;
    let output = Command::new(programs.join(name))
        .args([&found, &fuzz.join("corpus").join(name)])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={seconds}"))
        .args(LIMITS)
        .arg("-print_final_stats=1")
        .stdin(Stdio::null())
        .output()
        .map_err(|why| format!("{name}: {why}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    target.processor_ms += children_ms()?.saturating_sub(before);
    target.executions += after(&said, "stat::number_of_executed_units:").unwrap_or(0);
    target.coverage = said.lines().filter_map(|line| after(line, " cov:")).next_back().unwrap_or(target.coverage);
    let files = fs::read_dir(&artifacts).map_err(|why| format!("{}: {why}", artifacts.display()))?;
    target.findings = files.count();
    if !output.status.success() && target.findings == 0 {
        let last = said.lines().rev().take(5).collect::<Vec<_>>();
        return Err(format!("{name} did not run: {}: {}", output.status, last.join(" | ")));
    }
    Ok(())
}

/// The number behind a word.
fn after(text: &str, word: &str) -> Option<u64> {
    let (_, rest) = text.split_once(word)?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Processor time of the children of this process that have ended, ms: proc(5), `cutime` and `cstime`, in ticks of 10 ms.
fn children_ms() -> Result<u64, String> {
    let text =
        fs::read_to_string("/proc/self/stat").map_err(|why| format!("/proc/self/stat: {why}: this needs Linux"))?;
    let (_, behind_name) = text.rsplit_once(')').ok_or("/proc/self/stat cannot be read")?;
    let ticks = behind_name.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<u64>().ok());
    Ok(ticks.sum::<u64>() * 10)
}

fn publish(known: &[Target], seconds: u64) -> Result<(), String> {
    let mut known = known.to_vec();
    known.sort_by(|a, b| a.name.cmp(&b.name));
    let measures = Measures {
        part: "Parsers under a fuzzer".to_owned(),
        how: "Whatever reads bytes of somebody else is given inputs that a coverage-guided fuzzer (libFuzzer) makes up: a panic, a \
              broken promise of the target, more than 2 GiB of memory or 30 s for one input is a finding. Findings become inputs \
              that an ordinary test runs."
            .to_owned(),
        real: "the parsers as they are shipped".to_owned(),
        command: format!("cargo run --release -p proof -- fuzz --seconds {seconds} --resume FOLDER"),
        seconds: known.iter().map(|target| target.processor_ms / 1000).sum(),
        lines: known
            .iter()
            .map(|Target { name, processor_ms, executions, findings, .. }| Measure {
                name: format!("`{name}`"),
                value: format!("{executions} inputs in {} s of a processor, {findings} findings", processor_ms / 1000),
                bar: format!("{seconds} s, no finding"),
                holds: *findings == 0 && *processor_ms >= seconds * 1000,
            })
            .collect(),
    };
    let file = proof::workspace().join("proof/figures/fuzz.json");
    measures.write(&file).map_err(|why| format!("{}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_fuzzer_says_is_read() {
        let said =
            "#8\tpulse  cov: 12 ft: 13\n#16\tDONE   cov: 1534 ft: 9 corp: 1\nstat::number_of_executed_units: 7060\n";
        assert_eq!(after(said, "stat::number_of_executed_units:"), Some(7060));
        assert_eq!(said.lines().filter_map(|line| after(line, " cov:")).next_back(), Some(1534));
        assert_eq!(after(said, "nothing"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_time_of_children_is_counted_once_they_end() {
        let before = children_ms().unwrap();
        let status = Command::new("sh").args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]).status();
        assert!(status.unwrap().success());
        assert!(children_ms().unwrap() > before);
    }
}
