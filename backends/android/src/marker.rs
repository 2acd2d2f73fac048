//! A file that says that a helper runs on a device, for the next daemon should this one be killed.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The file of one device. Its content is the serial number.
#[derive(Debug, Clone)]
pub struct Marker(PathBuf);

impl Marker {
    /// The file of a device in a folder, whether it is there or not.
    pub fn of(folder: &Path, serial: &str) -> Self {
        let name: String = serial.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
        Self(folder.join(format!("{name}.running")))
    }

    /// Writes the file for a device into a folder.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn write(folder: &Path, serial: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let marker = Self::of(folder, serial);
        fs::write(&marker.0, serial)?;
        Ok(marker)
    }

    /// Whether the file is there: what ran on the device was not seen to end.
    pub fn is_there(&self) -> bool {
        self.0.exists()
    }

    /// Takes it away.
    pub fn remove(&self) {
        // One that is gone already says what it should.
        let _gone = fs::remove_file(&self.0);
    }

    /// Those that an earlier daemon left, with their serial numbers.
    pub fn left_in(folder: &Path) -> Vec<(Self, String)> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                path.extension().is_some_and(|ending| ending == "running").then_some(path)
            })
            .filter_map(|path| {
                let serial = fs::read_to_string(&path).ok()?;
                Some((Self(path), serial))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_daemon_left_is_found_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let marker = Marker::write(folder.path(), "192.168.1.2:5555").unwrap();
        Marker::write(folder.path(), "emulator-5554").unwrap();
        assert!(marker.is_there() && Marker::of(folder.path(), "emulator-5554").is_there());
        marker.remove();
        assert!(!marker.is_there());
        let left: Vec<String> = Marker::left_in(folder.path()).into_iter().map(|(_, serial)| serial).collect();
        assert_eq!(left, ["emulator-5554"]);
        assert!(Marker::left_in(&folder.path().join("absent")).is_empty());
    }
}
