//! What presses send over adb, and which processes they start, once everything runs.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use android_lab::Lab;
use proof::adb_cut::AdbProxy;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{
    SERVER_VARIABLE, npm,
    phone::{App, Phone},
    subject::{Kind, Subject},
};
use crate::{
    program::Program,
    report::{Report, progress},
};

/// Presses of ours that are looked at, and of the host's.
const PRESSES: usize = 50;
const THEIR_PRESSES: usize = 5;

/// An `adb` that comes first in the path and notes each start before it becomes the real one.
struct Watch {
    folder: TempDir,
    path: OsString,
}

impl Watch {
    fn new() -> Result<Self, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let real = std::env::split_paths(&path).map(|folder| folder.join("adb")).find(|file| file.is_file());
        let real = real.ok_or("adb is not in the path")?;
        let folder = TempDir::new().map_err(|why| why.to_string())?;
        let path = std::env::join_paths([folder.path().to_owned()].into_iter().chain(std::env::split_paths(&path)));
        let watch = Self { path: path.map_err(|why| why.to_string())?, folder };
        watch.write(&real).map_err(|why| format!("{}: {why}", watch.folder.path().display()))?;
        Ok(watch)
    }

    fn write(&self, real: &Path) -> std::io::Result<()> {
        let program = self.folder.path().join("adb");
        let text = format!("#!/bin/sh\necho \"$*\" >> '{}'\nexec '{}' \"$@\"\n", self.log().display(), real.display());
        fs::write(&program, text)?;
        fs::set_permissions(program, fs::Permissions::from_mode(0o755))
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// How often adb was started so far.
    fn starts(&self) -> usize {
        fs::read_to_string(self.log()).map_or(0, |text| text.lines().count())
    }
}

/// Measures and prints the table.
///
/// # Errors
/// Where our own program does not do what was asked for.
pub fn run(runtime: &Runtime, lab: &Lab, report: &mut Report) -> Result<(), String> {
    progress("  what a press sends");
    let watch = Watch::new()?;
    let proxy = runtime.block_on(AdbProxy::start(lab.port()));
    let phone = Phone::start(runtime, lab, App::Demo)?;
    let program =
        Program::with(vec![(SERVER_VARIABLE, proxy.port().to_string().into()), ("PATH", watch.path.clone())])?;
    program.start()?;
    let mut ours = Subject::open(Kind::Ours, program.tool(), &phone)?;
    let target = ours.target()?;
    ours.press_at(&target)?;
    let (said, programs, starts) = (proxy.seen().len(), phone.programs(), watch.starts());
    for _ in 0..PRESSES {
        ours.press_at(&target)?;
    }
    let seen = proxy.seen();
    let kinds = kinds(seen.get(said..).unwrap_or_default());
    let helper: usize = kinds.iter().filter(|(kind, _)| kind.starts_with("helper:")).map(|(_, count)| count).sum();
    let touches = kinds.get("helper: gesture").copied().unwrap_or_default();
    let programs = phone.programs() - programs;
    let starts = watch.starts() - starts;
    program.must(&["close"])?;
    drop(program);

    let table =
        report.table(&[&format!("{PRESSES} presses of one ref, each of which changes the screen"), "ours", "bar", ""]);
    let mut row = |what: &str, figure: String, bar: &str, holds: Option<bool>| {
        let verdict = holds.map(|holds| report.bar(what, holds)).unwrap_or_default();
        table.row(&[what.to_owned(), figure, bar.to_owned(), verdict]);
    };
    row("commands to the helper that touch", touches.to_string(), "1 a press", Some(touches == PRESSES));
    row(
        "other commands to the helper",
        (helper - touches).to_string(),
        "<= 1 a press",
        Some(helper - touches <= PRESSES),
    );
    row("programs run by a shell of the device", programs.to_string(), "none", Some(programs == 0));
    row("adb processes", starts.to_string(), "none", Some(starts == 0));
    let words: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} `{kind}`")).collect();
    row("words to the adb server and the helper", words.join(", "), "", None);
    if let Some(figure) = theirs(runtime, lab, &watch)? {
        row("adb processes a press of agent-device 0.21.5 (npm)", figure, "", None);
    }
    Ok(())
}

/// What was said, by kind: the first word, numbers and names left out.
fn kinds(words: &[String]) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for word in words {
        let kind = match word.strip_prefix("helper:") {
            Some(line) => format!("helper: {}", line.split([' ', ';']).next().unwrap_or_default()),
            None => {
                let parts: Vec<&str> = word.split([':', ',']).collect();
                let of_host = parts.first() == Some(&"host");
                parts.iter().take(if of_host { 2 } else { 1 }).copied().collect::<Vec<_>>().join(":")
            }
        };
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

/// The same processes for the host from npm, on its own device.
fn theirs(runtime: &Runtime, lab: &Lab, watch: &Watch) -> Result<Option<String>, String> {
    let phone = Phone::start(runtime, lab, App::Demo)?;
    let home = TempDir::new().map_err(|why| why.to_string())?;
    let Some(mut npm) = npm(home.path(), home.path(), &lab.port().to_string(), &phone) else { return Ok(None) };
    npm.tool.set.push(("PATH", watch.path.clone()));
    let mut presses = 0;
    let mut starts = 0;
    let mut subject = Subject::open(Kind::Npm, &npm.tool, &phone)?;
    for _ in 0..THEIR_PRESSES {
        let target = subject.target()?;
        let before = watch.starts();
        subject.press_at(&target)?;
        starts += watch.starts() - before;
        presses += 1;
    }
    Ok(Some(format!("{:.1}", starts as f64 / f64::from(presses))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_kind() {
        let words = [
            "host:transport:127.0.0.1:5",
            "tcp:24063",
            "helper:gesture gesture-1;foreground=1 e30=",
            "shell,v2,raw:input tap 1 2",
        ];
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let kinds: Vec<(String, usize)> = kinds(&words).into_iter().collect();
        let text = |kind: &str| (kind.to_owned(), 1);
        assert_eq!(kinds, [text("helper: gesture"), text("host:transport"), text("shell"), text("tcp")]);
    }
}
