//! What lies in the folder of a trace.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use contract::trace::{Entry, FILE, Header, VERSION};

/// A trace that was read.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Where its pictures and trees are.
    pub folder: PathBuf,
    /// Its first line; `None` where that is missing or cannot be read.
    pub header: Option<Header>,
    /// Its commands, in the order in which they are written.
    pub entries: Vec<Entry>,
    /// What could not be read, one sentence each: the page shows them.
    pub problems: Vec<String>,
}

impl Trace {
    /// Reads `trace.ndjson` of a folder. A last line that was torn, because the writer was killed, is left out without a
    /// word; any other line that cannot be read is left out and named in [`Trace::problems`].
    ///
    /// # Errors
    /// The file cannot be opened or read, or is of a later version of the format.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let text = fs::read(folder.join(FILE))?;
        let text = String::from_utf8_lossy(&text);
        let mut trace = Self { folder: folder.to_owned(), ..Self::default() };
        let whole = text.ends_with('\n');
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let torn = !whole && index + 1 == lines.len();
            match trace.take(index == 0, line) {
                Ok(()) => {}
                Err(why) if why.kind() == io::ErrorKind::Unsupported => return Err(why),
                Err(_) if torn => {}
                Err(why) => trace.problems.push(format!("Line {} of {FILE} cannot be read: {why}.", index + 1)),
            }
        }
        Ok(trace)
    }

    fn take(&mut self, first: bool, line: &str) -> io::Result<()> {
        if first && let Ok(header) = serde_json::from_str::<Header>(line) {
            if header.version > VERSION {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    format!(
                        "the trace is of format {}, written by agent-device {}; this build reads up to {VERSION}",
                        header.version, header.agent_device
                    ),
                ));
            }
            self.header = Some(header);
            return Ok(());
        }
        self.entries.push(serde_json::from_str(line).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?);
        Ok(())
    }

    /// The file that an entry names. `None` for whatever is not the plain name of a file: a trace never makes the page read
    /// what lies outside its folder.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let mut components = Path::new(name).components();
        let plain = matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
        let path = self.folder.join(name);
        let followed = path.symlink_metadata().is_ok_and(|found| found.is_file());
        (plain && followed).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use contract::trace::{Entry, FILE, Header, VERSION};

    use super::Trace;

    fn header(version: u32) -> String {
        let header = Header {
            version,
            agent_device: "9.9.9".into(),
            session: "s".into(),
            platform: "stage".into(),
            device: "stage".into(),
            app: "demo".into(),
            started_at_ms: 1,
        };
        serde_json::to_string(&header).unwrap()
    }

    fn entry(number: u32) -> String {
        let json = serde_json::json!({
            "number": number, "requestId": format!("r{number}"), "command": "press", "line": "press @e1",
            "atMs": 5, "durationMs": 1, "ok": true, "message": "Pressed",
        });
        serde_json::from_value::<Entry>(json.clone()).unwrap();
        json.to_string()
    }

    fn read(text: &str) -> std::io::Result<Trace> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), text).unwrap();
        Trace::read(folder.path())
    }

    #[test]
    fn a_torn_last_line_is_left_out_without_a_word() {
        let (header, one, two) = (header(VERSION), entry(1), entry(2));
        for cut in 1..two.len() {
            let trace = read(&format!("{header}\n{one}\n{}", &two[..cut])).unwrap();
            assert_eq!((trace.entries.len(), trace.problems.len()), (1, 0), "cut at {cut}");
        }
        assert_eq!(read(&format!("{header}\n{one}\n{two}")).unwrap().entries.len(), 2);
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let trace = read(&format!("{}\n{{\"number\"\n{}\n", header(VERSION), entry(2))).unwrap();
        assert_eq!(trace.entries.len(), 1);
        assert!(trace.problems[0].starts_with("Line 2 of trace.ndjson cannot be read"), "{:?}", trace.problems);
    }

    #[test]
    fn a_later_format_is_refused_by_name() {
        let why = read(&format!("{}\n", header(VERSION + 1))).unwrap_err().to_string();
        assert!(why.contains("format 2, written by agent-device 9.9.9"), "{why}");
    }

    #[test]
    fn only_plain_files_of_the_folder_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("trace");
        fs::create_dir(&inside).unwrap();
        fs::write(folder.path().join("secret.png"), "x").unwrap();
        fs::write(inside.join("1.png"), "x").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret.png"), inside.join("link.png")).unwrap();
        let trace = Trace { folder: inside.clone(), ..Trace::default() };
        assert_eq!(trace.file("1.png"), Some(inside.join("1.png")));
        let absolute = folder.path().join("secret.png");
        for name in ["../secret.png", "link.png", "", ".", "..", "none.png", absolute.to_str().unwrap()] {
            assert_eq!(trace.file(name), None, "{name}");
        }
    }
}
