//! The folder of one browser, and the record of what runs in it.
//!
//! `<state>/browsers/<id>/` holds profile, downloads, home and log; `<state>/browsers/<id>.json` says who started it
//! and which process group is in it. The record is written before anything starts and goes last.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::processes;

/// The version of the record's format.
const VERSION: u32 = 1;

/// What is written beside the folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    version: u32,
    /// The process that started it.
    owner: i32,
    /// When that process started: with its number, its identity.
    owner_started: u64,
    /// The group of the driver and all that it started.
    group: Option<i32>,
}

/// The folder of one browser.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    record: PathBuf,
}

impl Folder {
    /// A new folder under the state directory, with its record.
    ///
    /// # Errors
    /// A state directory that cannot be written.
    pub fn create(state_dir: &Path) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let id = format!("{:x}-{nanos:x}-{:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        fs::create_dir_all(state_dir.join("browsers"))?;
        let browsers = state_dir.join("browsers").canonicalize()?;
        let folder = Self { path: browsers.join(&id), record: browsers.join(format!("{id}.json")) };
        folder.write(None)?;
        for part in ["profile", "downloads", "home"] {
            fs::create_dir_all(folder.path.join(part))?;
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A part of it: `profile`, `downloads`, `home`, `driver.log`.
    pub fn part(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Notes the group that runs in it.
    ///
    /// # Errors
    /// A state directory that cannot be written.
    pub fn write(&self, group: Option<i32>) -> io::Result<()> {
        let own = i32::try_from(std::process::id()).unwrap_or_default();
        let owner_started = processes::read(own).map_or(0, |process| process.started);
        let record = Record { version: VERSION, owner: own, owner_started, group };
        fs::write(&self.record, serde_json::to_vec(&record)?)
    }

    /// Removes it with its record.
    pub fn remove(&self) {
        // What cannot be removed now is removed by the next sweep.
        if fs::remove_dir_all(&self.path).is_ok() || !self.path.exists() {
            let _swept_later = fs::remove_file(&self.record);
        }
    }
}

/// Ends what an earlier process left behind, and removes its folders. What belongs to a process that lives is left.
pub async fn sweep(state_dir: &Path) {
    let Ok(entries) = fs::read_dir(state_dir.join("browsers")) else { return };
    let records = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    for record in records {
        let Some(found) = fs::read(&record).ok().and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok()) else {
            continue;
        };
        let alive = processes::read(found.owner).is_some_and(|owner| owner.started == found.owner_started);
        if found.version != VERSION || alive {
            continue;
        }
        let Ok(path) = record.with_extension("").canonicalize() else {
            let _swept_later = fs::remove_file(&record);
            continue;
        };
        processes::kill(&path, found.group);
        processes::gone(&path).await;
        Folder { path, record }.remove();
    }
}
