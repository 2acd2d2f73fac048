//! What happened in a session, as versioned ndjson on disk with one older file beside it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

pub use contract::answer::host::Event;

/// Version of the lines' format.
pub const VERSION: u32 = 1;
/// A file of this size is set aside and a new one begun, bytes (the field's default).
pub const ROTATE_BYTES: u64 = 5 << 20;

/// A session's timeline.
#[derive(Debug)]
pub struct Timeline {
    path: PathBuf,
    file: File,
    size: u64,
    next: u64,
}

impl Timeline {
    /// Goes on with the timeline in `folder`, or begins one.
    ///
    /// # Errors
    /// What the system says: a full disk, a folder that cannot be written.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join("events.ndjson");
        let next = read(&path, 0, usize::MAX).last().map_or(1, |event| event.number + 1);
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size, next })
    }

    /// Appends one event; gives it its number.
    ///
    /// # Errors
    /// What the system says.
    pub fn append(&mut self, mut event: Event) -> io::Result<()> {
        event.number = self.next;
        let mut line = serde_json::to_vec(&event)?;
        line.push(b'\n');
        if self.size > 0 && self.size + line.len() as u64 > ROTATE_BYTES {
            fs::rename(&self.path, self.path.with_extension("ndjson.1"))?;
            self.file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            self.size = 0;
        }
        self.file.write_all(&line)?;
        self.size += line.len() as u64;
        self.next += 1;
        Ok(())
    }
}

/// The newest events after `cursor` (0 for all), at most `limit`, oldest first. `limit` counts from the cursor on
/// where there is one, so that a reader can page.
pub fn read_after(folder: &Path, cursor: u64, limit: usize) -> Vec<Event> {
    let path = folder.join("events.ndjson");
    let mut events = read(&path.with_extension("ndjson.1"), cursor, usize::MAX);
    events.extend(read(&path, cursor, usize::MAX));
    if cursor > 0 {
        events.truncate(limit);
    } else if events.len() > limit {
        events.drain(..events.len() - limit);
    }
    events
}

/// A line that cannot be read (cut by a crash, written by a later version) is passed over.
fn read(path: &Path, cursor: u64, limit: usize) -> Vec<Event> {
    let Ok(file) = File::open(path) else { return Vec::new() };
    BufReader::new(file)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str::<Event>(&line).ok())
        .filter(|event| event.number > cursor)
        .take(limit)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(message: &str) -> Event {
        Event {
            version: VERSION,
            number: 0,
            at_ms: 1,
            request_id: "r".into(),
            command: "press".into(),
            ok: true,
            duration_ms: 2,
            dispatched: None,
            sends: 1,
            code: None,
            message: message.into(),
            polls: Vec::new(),
        }
    }

    #[test]
    fn numbers_go_on_after_a_restart_and_a_torn_line_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        Timeline::open(folder.path()).unwrap().append(event("one")).unwrap();
        OpenOptions::new()
            .append(true)
            .open(folder.path().join("events.ndjson"))
            .unwrap()
            .write_all(b"{\"torn\n")
            .unwrap();
        Timeline::open(folder.path()).unwrap().append(event("two")).unwrap();
        let seen: Vec<_> =
            read_after(folder.path(), 0, 10).into_iter().map(|event| (event.number, event.message)).collect();
        assert_eq!(seen, [(1, "one".to_owned()), (2, "two".to_owned())]);
    }

    #[test]
    fn a_full_file_is_set_aside_and_paging_goes_over_both() {
        let folder = tempfile::tempdir().unwrap();
        let mut timeline = Timeline::open(folder.path()).unwrap();
        let big = "x".repeat(1 << 20);
        for _ in 0..8 {
            timeline.append(event(&big)).unwrap();
        }
        assert!(folder.path().join("events.ndjson.1").exists());
        let numbers = |cursor, limit| -> Vec<u64> {
            read_after(folder.path(), cursor, limit).iter().map(|event| event.number).collect()
        };
        assert_eq!(numbers(0, 3), [6, 7, 8]);
        assert_eq!(numbers(3, 2), [4, 5]);
    }
}
