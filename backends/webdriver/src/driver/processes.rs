//! Which processes are ours, and ending them.
//!
//! A process is ours if its command line or its environment names the folder of the browser that it belongs to; the
//! folder's name is random and is given to nothing else. A driver and all that it starts form one process group; a
//! browser that outlives its driver stays in it.

use std::{
    fs,
    os::unix::ffi::OsStrExt,
    path::Path,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// A process at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// Its group.
    pub group: i32,
    /// When it started, in the kernel's ticks since boot: with the number, its identity.
    pub started: u64,
}

/// How long processes that were killed may take to go, ms.
const GOING: Duration = Duration::from_secs(5);
/// Pause between two looks at them.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// Reads one process; `None` where it is gone, or dead and not yet collected.
pub fn read(pid: i32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse_stat(&stat)
}

/// `pid (comm) state ppid pgrp ... starttime`: the name may hold spaces and brackets.
fn parse_stat(stat: &str) -> Option<Process> {
    let pid = stat.split(' ').next()?.parse().ok()?;
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
    if matches!(*fields.first()?, "Z" | "X" | "x") {
        return None;
    }
    Some(Process { pid, group: fields.get(2)?.parse().ok()?, started: fields.get(19)?.parse().ok()? })
}

/// All processes that name a folder.
pub fn naming(folder: &Path) -> Vec<Process> {
    let Ok(all) = fs::read_dir("/proc") else { return Vec::new() };
    all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| names(*pid, folder))
        .filter_map(read)
        .collect()
}

fn names(pid: i32, folder: &Path) -> bool {
    let needle = folder.as_os_str().as_bytes();
    !needle.is_empty()
        && ["cmdline", "environ"].iter().any(|file| {
            fs::read(format!("/proc/{pid}/{file}"))
                .is_ok_and(|bytes| bytes.windows(needle.len()).any(|window| window == needle))
        })
}

/// Ends all processes that name a folder: the group where one of its members is ours, then what left the group.
pub fn kill(folder: &Path, group: Option<i32>) {
    let ours = naming(folder);
    if let Some(group) = group.filter(|group| ours.iter().any(|process| process.group == *group)) {
        kill_group(group);
    }
    for process in ours {
        // Looked at again at the last moment: a number may have been given to another process meanwhile.
        if read(process.pid) == Some(process)
            && let Some(pid) = Pid::from_raw(process.pid)
        {
            // Gone by itself is as good.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

/// Ends a whole group.
pub fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group).filter(|_| group > 1) {
        // Gone by itself is as good.
        let _gone = kill_process_group(group, Signal::KILL);
    }
}

/// Waits until no process names a folder any more. `false`: some are left after the limit.
pub async fn gone(folder: &Path) -> bool {
    let end = Instant::now() + GOING;
    loop {
        if naming(folder).is_empty() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
        kill(folder, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let rest = "40 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4711 1 1";
        let stat = |state: &str| format!("42 (a) (b c) {state} 1 {rest}");
        let line = stat("S");
        assert_eq!(
            parse_stat(&line).map(|process| (process.pid, process.group, process.started)),
            Some((42, 40, 4711))
        );
        assert_eq!(parse_stat(&stat("Z")), None);
        assert_eq!(parse_stat(""), None);
    }

    #[test]
    fn this_process_is_found_by_its_own_number() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert_eq!(read(own).map(|process| process.pid), Some(own));
    }

    #[tokio::test]
    async fn only_what_names_the_folder_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let other = tempfile::tempdir().unwrap();
        let spawn = |path: &Path| {
            tokio::process::Command::new("sleep")
                .arg("60")
                .env("HOME", path)
                .process_group(0)
                .kill_on_drop(true)
                .spawn()
                .unwrap()
        };
        let (mut ours, mut stranger) = (spawn(folder.path()), spawn(other.path()));
        let group = i32::try_from(stranger.id().unwrap()).unwrap();
        // The record names a group that is now a stranger's.
        kill(folder.path(), Some(group));
        assert!(!ours.wait().await.unwrap().success());
        assert!(gone(folder.path()).await);
        assert!(stranger.try_wait().unwrap().is_none());
        stranger.kill().await.unwrap();
    }
}
