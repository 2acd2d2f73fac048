//! Files named in a command, and in its answer: what a client calls `lease:/NAME` is a file in the lease's folder here, and
//! nothing else of this machine can be named.

use std::{
    fs,
    path::{Path, PathBuf},
};

use contract::{
    Code, Command, Failure, Row,
    command::Named,
    hop::{LEASE_FILE, encoded, is_file_name},
};
use serde_json::Value;

use crate::{files, leases};

/// Extensions of what a browser opens as it is; an app of the stage has its own.
const APP: &str = "toml";

/// Puts the paths of this machine in the place of names. Folders for what is to be written are made.
///
/// # Errors
/// A path of this machine, a name that is none, a file that is not there.
pub fn resolve(command: &mut Command, folder: &Path) -> Result<(), Failure> {
    command.named_files(&mut |what, text| {
        let Some(name) = text.strip_prefix(LEASE_FILE) else {
            return match what {
                Named::Opened if !is_path(text) => Ok(()),
                _ => Err(host_path(text)),
            };
        };
        if !is_file_name(name) {
            return Err(host_path(text));
        }
        let path = folder.join(name);
        *text = match what {
            Named::Read => uploaded(&path, text)?,
            Named::Opened => opened(uploaded(&path, text)?),
            Named::Written | Named::WrittenIn => place(&path, name, what).map_err(|why| files::unstored(&why))?,
        };
        Ok(())
    })
}

fn uploaded(path: &Path, name: &str) -> Result<String, Failure> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(path.display().to_string());
    }
    Err(Failure::refused(Row::ServeFileMissing, Code::InvalidArgs, format!("{name} was not uploaded"))
        .reason("file_missing")
        .hint("upload it first, under the lease of this request; a lease that runs out loses its files"))
}

fn opened(path: String) -> String {
    match Path::new(&path).extension() {
        Some(ending) if ending.eq_ignore_ascii_case(APP) => path,
        _ => format!("file://{}", encoded(&path)),
    }
}

fn place(path: &Path, name: &str, what: Named) -> std::io::Result<String> {
    let is_folder = name.ends_with('/') && what == Named::WrittenIn;
    let parent = if is_folder { Some(path) } else { path.parent() };
    parent.map_or(Ok(()), leases::private_folder)?;
    Ok(path.display().to_string().trim_end_matches('/').to_owned())
}

/// Whether what is to be opened would be a file of this machine.
fn is_path(app: &str) -> bool {
    let lower = app.trim_start().to_ascii_lowercase();
    let is_address = lower.starts_with("http://") || lower.starts_with("https://");
    lower.starts_with(['/', '.', '~'])
        || (lower.ends_with(".toml") && !is_address)
        || lower.starts_with("file:")
        || lower.starts_with("view-source:")
}

fn host_path(path: &str) -> Failure {
    Failure::refused(
        Row::ServeHostPath,
        Code::InvalidArgs,
        format!("{path:?} would be a file of the device host; over the hop files are named {LEASE_FILE}in/... and {LEASE_FILE}out/..."),
    )
    .reason("host_path")
    .hint("a client uploads what a command reads and fetches what it writes: docs/reference/remote-protocol.md")
}

/// The files of the lease that an answer speaks of: whole strings in it that are paths of files there.
pub fn spoken_of(data: &Value, folder: &Path) -> Vec<PathBuf> {
    fn walk(value: &Value, folder: &str, into: &mut Vec<PathBuf>) {
        match value {
            Value::String(text) if text.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')) => {
                gather(Path::new(text), into);
            }
            Value::Array(values) => values.iter().for_each(|value| walk(value, folder, into)),
            Value::Object(values) => values.values().for_each(|value| walk(value, folder, into)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(data, &folder.display().to_string(), &mut found);
    found.retain(|path| !path.starts_with(folder.join("in")));
    found.sort();
    found.dedup();
    found
}

/// A file, or the files of a folder.
fn gather(path: &Path, into: &mut Vec<PathBuf>) {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => into.push(path.to_owned()),
        Ok(found) if found.is_dir() => {
            for entry in fs::read_dir(path).into_iter().flatten().flatten() {
                gather(&entry.path(), into);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str, folder: &Path) -> Result<Command, Failure> {
        let mut command = Command::from_line(line).unwrap();
        resolve(&mut command, folder).map(|()| command)
    }

    #[test]
    fn nothing_of_the_host_can_be_named() {
        let folder = tempfile::tempdir().unwrap();
        for line in [
            "open /etc/app.toml",
            "open ./app.toml",
            "open app.toml",
            "open file:///etc/passwd",
            "open ' FILE:///etc/passwd'",
            "open view-source:file:///etc/passwd",
            "open demo --save-script=/home/x/a.ad",
            "screenshot /home/x/a.png",
            "screenshot lease:/out/../../../a.png",
            "screenshot lease:/elsewhere/a.png",
            "push /etc/passwd /sdcard/x",
            "pull /sdcard/x /home/x/a",
            "upload id=f /etc/passwd",
            "record start /home/x/a.mp4",
            "session save-script /home/x/a.ad",
        ] {
            assert_eq!(asked(line, folder.path()).unwrap_err().reason_str(), Some("host_path"), "{line}");
        }
        let steps = contract::command::parse_steps(r#"["screenshot /home/x/a.png"]"#).unwrap();
        let mut batch = Command::Batch(contract::command::Batch { steps: Some(steps), steps_file: None });
        assert_eq!(resolve(&mut batch, folder.path()).unwrap_err().reason_str(), Some("host_path"));
        for line in [
            "open demo",
            "open http://a.test/b.html",
            "open https://a.test/b.toml",
            "open com.android.settings",
            "open example.org",
            "press id=x",
        ] {
            assert!(asked(line, folder.path()).is_ok(), "{line}");
        }
    }

    #[test]
    fn what_was_uploaded_is_a_path_and_a_page_an_address() {
        let folder = tempfile::tempdir().unwrap();
        let hash = "0".repeat(64);
        let name = |file: &str| format!("lease:/in/{hash}/{file}");
        let missing = asked(&format!("open {}", name("app.toml")), folder.path()).unwrap_err();
        assert_eq!(missing.reason_str(), Some("file_missing"));
        fs::create_dir_all(folder.path().join("in").join(&hash)).unwrap();
        for file in ["app.toml", "a page.html"] {
            fs::write(folder.path().join("in").join(&hash).join(file), "x").unwrap();
        }
        let app = |file: &str| match asked(&format!("open '{}'", name(file)), folder.path()).unwrap() {
            Command::Open(open) => open.app.unwrap(),
            _ => unreachable!(),
        };
        assert_eq!(app("app.toml"), folder.path().join("in").join(&hash).join("app.toml").display().to_string());
        let page = app("a page.html");
        assert!(page.starts_with("file:///") && page.ends_with("/a%20page.html"), "{page}");
    }

    #[test]
    fn what_is_written_has_its_folder_and_is_found_in_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let Command::Screenshot(shot) = asked("screenshot lease:/out/home/x/a.png", folder.path()).unwrap() else {
            unreachable!()
        };
        let path = PathBuf::from(shot.path.unwrap());
        assert!(path.parent().unwrap().is_dir());
        let data = serde_json::json!({"path": path, "other": [{"x": "/etc/passwd"}, folder.path().join("out/none")]});
        assert!(spoken_of(&data, folder.path()).is_empty(), "it is not there yet");
        fs::write(&path, "x").unwrap();
        assert_eq!(spoken_of(&data, folder.path()), std::slice::from_ref(&path));
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("out/none")).unwrap();
        assert_eq!(spoken_of(&data, folder.path()), [path], "a link is no file of the lease");
        let Command::Session(session) = asked("session save-script lease:/out/home/y/", folder.path()).unwrap() else {
            unreachable!()
        };
        assert!(Path::new(&session.path.unwrap()).is_dir());
    }
}
