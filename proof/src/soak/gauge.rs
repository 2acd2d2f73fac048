//! What a process holds at one moment: memory, descriptors, threads, children, files.

use std::{fs, path::Path};

use webdriver::driver::processes;

/// What a daemon holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// Memory of its own (`RssAnon`: without the program's pages, which the kernel brings in as it likes), KiB.
    pub memory_kib: u64,
    /// Open descriptors.
    pub descriptors: u64,
    /// Threads.
    pub threads: u64,
    /// Other processes that name its state folder: browsers, drivers, tools.
    pub processes: u64,
    /// Files in its state folder.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
}

impl Reading {
    /// Reads a daemon's process and its state folder. A process that is gone holds nothing.
    pub fn of(pid: i32, state: &Path) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let number = |name: &str| {
            let rest = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            rest.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, |open| open.count() as u64);
        let (mut files, mut bytes) = (0, 0);
        each_file(state, &mut |size| {
            files += 1;
            bytes += size;
        });
        let others = processes::naming(state).iter().filter(|process| process.pid != pid).count();
        Self {
            memory_kib: number("RssAnon"),
            descriptors,
            threads: number("Threads"),
            processes: others as u64,
            files,
            bytes,
        }
    }
}

/// Visits the size of every file below a folder. What goes away meanwhile is passed over.
fn each_file(folder: &Path, visit: &mut impl FnMut(u64)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(about) if about.is_dir() => each_file(&entry.path(), visit),
            Ok(about) => visit(about.len()),
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("below/one"), "four").unwrap();
        let own = i32::try_from(std::process::id()).unwrap();
        let before = Reading::of(own, folder.path());
        let held = fs::File::open(folder.path().join("below/one")).unwrap();
        let after = Reading::of(own, folder.path());
        assert!(before.memory_kib > 0 && before.threads > 0 && before.descriptors >= 3, "{before:?}");
        assert_eq!((before.files, before.bytes, before.processes), (1, 4, 0));
        assert!(after.descriptors > before.descriptors, "{before:?} {after:?}");
        drop(held);
        assert_eq!(Reading::of(0, folder.path()).memory_kib, 0, "nobody");
    }
}
