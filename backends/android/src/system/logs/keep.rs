//! A file that keeps the newest lines: when it is full it becomes the older one, and a new one begins.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A file is full at this size, bytes (the field's number).
pub const FULL: u64 = 5 << 20;

/// The file that is written, and the older one beside it.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: File,
    full: u64,
}

impl Kept {
    /// Opens the file to append to it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path, full: u64) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: appending(path)?, full })
    }

    /// Writes a line. Others may write to the same file or empty it meanwhile.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let size = self.file.metadata()?.len();
        if size > 0 && size + line.len() as u64 >= self.full {
            fs::rename(&self.path, older(&self.path))?;
            self.file = appending(&self.path)?;
        }
        // In one write, so that a line of somebody else's never lands in the middle.
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

/// `app.log.1` beside `app.log`.
pub fn older(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    name.into()
}

fn appending(path: &Path) -> io::Result<File> {
    File::options().create(true).append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_in_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("app.log");
        let mut kept = Kept::open(&path, 64).unwrap();
        for number in 0..40 {
            kept.line(&format!("line {number:02}")).unwrap();
        }
        let both = [older(&path), path.clone()].map(|file| fs::read_to_string(file).unwrap());
        assert!(both.iter().all(|text| text.len() <= 64 && !text.is_empty()));
        let lines: Vec<_> = both.iter().flat_map(|text| text.lines()).collect();
        assert!(lines.ends_with(&["line 37", "line 38", "line 39"]));
        assert!(lines.is_sorted());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // Emptied by somebody else: the next line stands at its beginning.
        File::options().write(true).truncate(true).open(&path).unwrap();
        kept.line("again").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "again\n");
    }
}
