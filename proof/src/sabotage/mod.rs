//! Lies, told to the program on purpose: each has to turn the gate, the cuts or the simulation red.
//!
//! | module | answers |
//! | --- | --- |
//! | [`lies`] | which lies, and who has to see them |
//! | [`copy`] | a copy of the workspace in which a lie can be told |

pub mod copy;
pub mod lies;

use std::{
    path::Path,
    process::{Command, Stdio},
};

use copy::Copy;
use lies::{LIES, Lie, Suite};

/// What became of a lie in front of one suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It failed, in so many tests.
    Red(u32),
    /// It passed: it would let the lie through.
    Green,
    /// The lie does not compile, so it says nothing.
    NoBuild(String),
}

/// Tells every lie (or the named one) in a copy of `workspace` under `folder`, and calls `told` with what each suite
/// made of it; with no lie where a suite passes without any, which is tried first. What is `known` is left out. The copy
/// stays, so that the next run builds less.
///
/// # Errors
/// What stands in the way of copying or of running cargo; that a suite is red without any lie; what `told` says.
pub fn run(
    workspace: &Path,
    folder: &Path,
    only: Option<&str>,
    known: &[(String, String)],
    mut told: impl FnMut(Option<&Lie>, Suite, &Verdict) -> Result<(), String>,
) -> Result<(), String> {
    let copy = Copy::of(workspace, &folder.join("work"))?;
    let target = folder.join("target");
    let chosen: Vec<&Lie> = LIES.iter().filter(|lie| only.is_none_or(|only| lie.name == only)).collect();
    if chosen.is_empty() {
        return Err(format!("there is no lie of that name; there are: {}", names()));
    }
    let mut known = known.to_vec();
    let is_known = |known: &[(String, String)], lie: &str, suite: Suite| {
        known.iter().any(|(name, seen_by)| name == lie && *seen_by == suite.name())
    };
    for lie in chosen {
        let left = |suite: &Suite| !is_known(&known, lie.name, *suite);
        let suites: Vec<Suite> = lie.seen_by.iter().copied().filter(left).collect();
        for suite in &suites {
            // A suite that is red anyway sees nothing.
            if is_known(&known, "", *suite) {
                continue;
            }
            let verdict = verdict(copy.folder(), &target, *suite);
            match &verdict {
                Verdict::Green => told(None, *suite, &verdict)?,
                Verdict::Red(count) => return Err(format!("{}: {count} tests fail without any lie", suite.name())),
                Verdict::NoBuild(why) => return Err(format!("{}: {why}", suite.name())),
            }
            known.push((String::new(), suite.name()));
        }
        if suites.is_empty() {
            continue;
        }
        copy.tell(lie)?;
        for suite in suites {
            told(Some(lie), suite, &verdict(copy.folder(), &target, suite))?;
        }
        copy.take_back(lie)?;
    }
    Ok(())
}

/// The names of all lies.
pub fn names() -> String {
    LIES.iter().map(|lie| lie.name).collect::<Vec<_>>().join(", ")
}

/// Builds first, so that what does not compile is not taken for red.
fn verdict(work: &Path, target: &Path, suite: Suite) -> Verdict {
    let nextest = |more: &[&str]| {
        Command::new("cargo")
            .arg("nextest")
            .arg("run")
            .args(["--locked", "--color", "never"])
            .args(suite.words())
            .args(more)
            .current_dir(work)
            .env("CARGO_TARGET_DIR", target)
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null())
            .output()
    };
    // The suites run the program and the lab's device as well.
    let programs = Command::new("cargo")
        .args(["build", "--locked", "--quiet", "-p", "cli", "-p", "android-lab"])
        .current_dir(work)
        .env("CARGO_TARGET_DIR", target)
        .stdin(Stdio::null())
        .output();
    for built in [programs, nextest(&["--no-run"])] {
        match built {
            Err(why) => return Verdict::NoBuild(why.to_string()),
            Ok(built) if !built.status.success() => return Verdict::NoBuild(last_lines(&built.stderr)),
            Ok(_) => {}
        }
    }
    match nextest(&["--no-fail-fast", "--status-level", "fail", "--final-status-level", "fail"]) {
        Err(why) => Verdict::NoBuild(why.to_string()),
        Ok(ran) if ran.status.success() => Verdict::Green,
        Ok(ran) => match failed(&String::from_utf8_lossy(&ran.stderr)) {
            0 => Verdict::NoBuild(last_lines(&ran.stderr)),
            count => Verdict::Red(count),
        },
    }
}

/// How many tests failed or ran out of time, from nextest's summary.
fn failed(said: &str) -> u32 {
    let Some(summary) = said.lines().find(|line| line.trim_start().starts_with("Summary")) else { return 0 };
    summary
        .split([',', ':', '(', ')'])
        .filter(|part| part.contains("failed") || part.contains("timed out"))
        .filter_map(|part| part.split_whitespace().next()?.parse::<u32>().ok())
        .sum()
}

fn last_lines(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let lines: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(8).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_read_from_the_summary() {
        assert_eq!(failed("     Summary [   2.3s] 9 tests run: 7 passed (1 slow), 2 failed, 3 skipped"), 2);
        assert_eq!(failed("     Summary [   2.3s] 9 tests run: 7 passed, 1 failed, 1 timed out, 3 skipped"), 2);
        assert_eq!(failed("     Summary [   2.3s] 9 tests run: 9 passed, 3 skipped"), 0);
        assert_eq!(failed("error: could not compile"), 0);
    }
}
