//! `fuzz`: every parser under a fuzzer, for as much processor time as is asked for, over several runs where need be.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

use cut::{Measure, Measures};
use proof::kept;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
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

impl Target {
    /// What is known of the one of this name: nothing was done where it is not among them.
    fn of(known: &[Target], name: &str) -> Self {
        let had = known.iter().find(|target| target.name == name).cloned();
        had.unwrap_or_else(|| Target { name: name.to_owned(), ..Target::default() })
    }
}

/// What was asked for.
struct Asked {
    /// Processor time for each target, s.
    seconds: u64,
    /// How many fuzzers run at a time.
    jobs: usize,
    /// Which targets, in this order where some have had the same time.
    names: Vec<String>,
    /// Where what was done is kept.
    file: Option<PathBuf>,
}

/// Runs it.
pub fn run(words: &[String]) -> Result<ExitCode, String> {
    let fuzz = proof::workspace().join("proof/fuzz");
    let all = targets(&fuzz)?;
    let (mut asked, mut resume, mut keep) =
        (Asked { seconds: SECONDS, jobs: 1, names: Vec::new(), file: None }, None, 0);
    for (name, value) in super::options(words, &["--seconds", "--jobs", "--target", "--resume", "--keep"])? {
        match name {
            "--seconds" => asked.seconds = super::number(name, value)?,
            "--jobs" => asked.jobs = super::number::<usize>(name, value)?.max(1),
            "--keep" => keep = super::number(name, value)?,
            "--target" if all.iter().any(|known| known == value) => asked.names.push(value.to_owned()),
            "--target" => return Err(format!("there is no target {value:?}; there are: {}", all.join(", "))),
            _ => resume = Some(PathBuf::from(value)),
        }
    }
    if asked.names.is_empty() {
        asked.names.clone_from(&all);
    }
    let programs = built(&fuzz)?;
    let _alone = resume.as_deref().map(kept::alone).transpose()?;
    asked.file = resume.map(|folder| folder.join("fuzz.json"));
    let known = Mutex::new(kept::read::<Vec<Target>>(asked.file.as_deref())?);
    let running = Mutex::new(Vec::new());
    let worker = || while_left(&fuzz, &programs, &asked, &known, &running);
    let ended: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..asked.jobs).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err("a worker ended early".to_owned())))
            .collect()
    });
    ended.into_iter().collect::<Result<(), String>>()?;
    if keep > 0 {
        asked.names.iter().try_for_each(|name| keep_inputs(&fuzz, &programs, name, keep))?;
    }
    let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    if asked.seconds >= PUBLISHED {
        publish(&all, &known, asked.seconds)?;
    }
    let good = known.iter().all(|target| target.findings == 0 || !asked.names.contains(&target.name));
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whatever a thread that ended early has left: a list is whole after each change of it.
fn held<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One fuzzer after another, until none has less time than was asked for.
fn while_left(
    fuzz: &Path,
    programs: &Path,
    asked: &Asked,
    known: &Mutex<Vec<Target>>,
    running: &Mutex<Vec<String>>,
) -> Result<(), String> {
    loop {
        let Some(mut target) = next(asked, &held(known), &mut held(running)) else { return Ok(()) };
        let missing = (asked.seconds * 1000 - target.processor_ms).div_ceil(1000);
        let ran = slice(fuzz, programs, &mut target, missing.min(SLICE));
        held(running).retain(|name| *name != target.name);
        ran?;
        let Target { name, processor_ms, executions, coverage, findings } = &target;
        println!(
            "{name:<18} {executions:>12} executions, {coverage:>6} places, {:>5} s, {findings} found",
            processor_ms / 1000
        );
        let mut known = held(known);
        known.retain(|other| other.name != target.name);
        known.push(target);
        kept::write(asked.file.as_deref(), &*known)?;
    }
}

/// The target that has had the least time of those that nobody runs: a run that is ended has tried a share of each.
fn next(asked: &Asked, known: &[Target], running: &mut Vec<String>) -> Option<Target> {
    let free = asked.names.iter().filter(|name| !running.contains(name)).map(|name| Target::of(known, name));
    let left = free.filter(|target| target.processor_ms < asked.seconds * 1000 && target.findings == 0);
    let target = left.min_by_key(|target| target.processor_ms)?;
    running.push(target.name.clone());
    Some(target)
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
    let mut fuzzer = Command::new(programs.join(name))
        .args([&found, &fuzz.join("corpus").join(name)])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(format!("-max_total_time={seconds}"))
        .args(LIMITS)
        .arg("-print_final_stats=1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| format!("{name}: {why}"))?;
    let mut said = Vec::new();
    if let Some(mut pipe) = fuzzer.stderr.take() {
        pipe.read_to_end(&mut said).map_err(|why| format!("{name}: {why}"))?;
    }
    let said = String::from_utf8_lossy(&said);
    target.processor_ms += processor_ms(&fuzzer)?;
    let status = fuzzer.wait().map_err(|why| format!("{name}: {why}"))?;
    target.executions += after(&said, "stat::number_of_executed_units:").unwrap_or(0);
    target.coverage = said.lines().filter_map(|line| after(line, " cov:")).next_back().unwrap_or(target.coverage);
    let files = fs::read_dir(&artifacts).map_err(|why| format!("{}: {why}", artifacts.display()))?;
    target.findings = files.count();
    if !status.success() && target.findings == 0 {
        let last = said.lines().rev().take(5).collect::<Vec<_>>();
        return Err(format!("{name} did not run: {status}: {}", last.join(" | ")));
    }
    Ok(())
}

/// The number behind a word.
fn after(text: &str, word: &str) -> Option<u64> {
    let (_, rest) = text.split_once(word)?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Processor time of a child, ms, once it has ended and before it is waited for: proc(5), `utime` and `stime`, in ticks of
/// 10 ms.
fn processor_ms(child: &Child) -> Result<u64, String> {
    let ended = Pid::from_raw(child.id().cast_signed()).ok_or("a process without a number")?;
    waitid(WaitId::Pid(ended), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        .map_err(|why| format!("waitid: {why}"))?;
    let file = format!("/proc/{}/stat", child.id());
    let text = fs::read_to_string(&file).map_err(|why| format!("{file}: {why}: this needs Linux"))?;
    let (_, behind_name) = text.rsplit_once(')').ok_or_else(|| format!("{file} cannot be read"))?;
    let ticks = behind_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
    Ok(ticks.sum::<u64>() * 10)
}

/// Takes those of the inputs that were found into the corpus that reach a place which no kept one reaches, up to so many bytes
/// each.
fn keep_inputs(fuzz: &Path, programs: &Path, name: &str, bytes: usize) -> Result<(), String> {
    let [corpus, found] = ["corpus", "found"].map(|folder| fuzz.join(folder).join(name));
    fs::create_dir_all(&corpus).map_err(|why| format!("{}: {why}", corpus.display()))?;
    let output = Command::new(programs.join(name))
        .args(["-set_cover_merge=1", "-use_counters=0", &format!("-max_len={bytes}")])
        .args([&corpus, &found])
        .stdin(Stdio::null())
        .output()
        .map_err(|why| format!("{name}: {why}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{name}: what was found could not be kept: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// What was done of each target so far: a line holds once its time was had.
fn publish(all: &[String], known: &[Target], seconds: u64) -> Result<(), String> {
    let known: Vec<Target> = all.iter().map(|name| Target::of(known, name)).collect();
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
    fn the_time_of_a_child_is_known_once_it_has_ended() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let [busy, idle] = [busy, "true"].map(|script| {
            let mut child = Command::new("sh").args(["-c", script]).spawn().unwrap();
            let took = processor_ms(&child).unwrap();
            assert!(child.wait().unwrap().success());
            took
        });
        assert!(busy > idle, "{busy} ms, {idle} ms");
    }

    #[test]
    fn the_target_with_the_least_time_is_next_and_none_is_run_twice_at_once() {
        let target = |name: &str, processor_ms, findings| Target {
            name: name.into(),
            processor_ms,
            findings,
            ..Target::default()
        };
        let asked = Asked { seconds: 2, jobs: 2, names: ["a", "b", "c", "d"].map(str::to_owned).to_vec(), file: None };
        let known = [target("a", 1500, 0), target("b", 2000, 0), target("c", 10, 1)];
        let mut running = Vec::new();
        assert_eq!(next(&asked, &known, &mut running), Some(target("d", 0, 0)));
        assert_eq!(next(&asked, &known, &mut running), Some(target("a", 1500, 0)));
        assert_eq!(next(&asked, &known, &mut running), None);
        assert_eq!(running, ["d", "a"]);
    }
}
