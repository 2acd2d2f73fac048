//! Files that the device host made without being given a place: downloads of a page, the folder of a trace, a kept log. They
//! become files of the lease, and the answer names them there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use contract::request::Answer;
use daemon::{log, state_dir::fnv};
use serde_json::Value;

use crate::leases::private_folder;

/// The folder for them in a lease's.
const HOST: &str = "host";

/// Takes the files of an answer into the lease. Only what lies in the daemon's state folder is taken.
pub fn take(answer: &mut Answer, lease: &Path, state: &Path) {
    let mut places = Vec::new();
    gather(&answer.data, &mut places);
    for (place, kind) in places {
        let from = PathBuf::from(&place);
        if !["browsers", "sessions"].iter().any(|folder| from.starts_with(state.join(folder))) {
            continue;
        }
        let Some(name) = from.file_name() else { continue };
        let to = lease.join(HOST).join(format!("{:016x}", fnv(place.as_bytes()))).join(name);
        let copied = match kind {
            Kind::Whole => copy(&from, &to),
            Kind::Growing => as_it_stands(&from, &to),
        };
        if let Err(why) = copied {
            log::line(&format!("{place} cannot be handed out: {why}"));
            continue;
        }
        let shown = to.display().to_string();
        rename(&mut answer.data, &place, &shown);
        if let Some(text) = &mut answer.text {
            *text = text.replace(&place, &shown);
        }
    }
}

/// Whether a file is written to any more.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Whole,
    Growing,
}

/// Complete downloads, the folder of a trace that has ended, the log that was kept; those in the steps of a batch too.
fn gather(data: &Value, into: &mut Vec<(String, Kind)>) {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut take = |place: Option<String>, kind: Kind| into.extend(place.map(|place| (place, kind)));
    for file in data.get("downloads").and_then(Value::as_array).into_iter().flatten() {
        if file.get("complete") == Some(&Value::Bool(true)) {
            take(text(file, "path"), Kind::Whole);
        }
    }
    if data.get("tracing") == Some(&Value::Bool(false)) {
        take(text(data, "folder"), Kind::Whole);
    }
    // `logs stop` and `logs path`, once there is something.
    if ["wasActive", "exists"].iter().any(|said| data.get(said) == Some(&Value::Bool(true))) {
        take(text(data, "path"), Kind::Growing);
    }
    for step in data.get("steps").and_then(Value::as_array).into_iter().flatten() {
        step.get("data").into_iter().for_each(|data| gather(data, into));
    }
}

fn rename(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text == from => *text = to.to_owned(),
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, from, to)),
        Value::Object(values) => values.values_mut().for_each(|value| rename(value, from, to)),
        _ => {}
    }
}

/// A file, or a folder with its files. Links are left out.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(from)?;
    if found.is_dir() {
        private_folder(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if !found.is_file() {
        return Ok(());
    }
    cleared(to)?;
    // The same file twice, where the file system can: a download may be large.
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

/// A file that may go on growing, as it is now: what was announced of it has to be true when it is fetched.
fn as_it_stands(from: &Path, to: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(from)?.is_file() {
        return Ok(());
    }
    cleared(to)?;
    fs::copy(from, to).map(drop)
}

/// Room for a file.
fn cleared(to: &Path) -> io::Result<()> {
    to.parent().map_or(Ok(()), private_folder)?;
    match fs::remove_file(to) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn downloads_and_traces_become_files_of_the_lease_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let (state, lease) = (folder.path().join("state"), folder.path().join("lease"));
        let downloads = state.join("browsers/1/downloads");
        fs::create_dir_all(&downloads).unwrap();
        fs::write(downloads.join("a.pdf"), "pdf").unwrap();
        fs::write(folder.path().join("secret"), "x").unwrap();
        let (inside, outside) = (downloads.join("a.pdf"), folder.path().join("secret"));
        let data = json!({"downloads": [
            {"path": inside, "complete": true}, {"path": outside, "complete": true}, {"path": inside.with_extension("part"), "complete": false},
        ]});
        let mut answer = Answer::new(data, format!("{} (3 bytes)", inside.display()));
        take(&mut answer, &lease, &state);
        let taken = PathBuf::from(answer.data["downloads"][0]["path"].as_str().unwrap());
        assert!(taken.starts_with(lease.join("host")) && taken.ends_with("a.pdf"), "{taken:?}");
        assert_eq!(fs::read_to_string(&taken).unwrap(), "pdf");
        assert_eq!(answer.data["downloads"][1]["path"], outside.display().to_string());
        assert!(answer.text.as_ref().unwrap().contains(&taken.display().to_string()));
        let trace = state.join("sessions/x/trace-1");
        fs::create_dir_all(&trace).unwrap();
        fs::write(trace.join("trace.ndjson"), "{}").unwrap();
        let mut answer = Answer::new(json!({"folder": trace, "tracing": false}), "x");
        take(&mut answer, &lease, &state);
        let taken = PathBuf::from(answer.data["folder"].as_str().unwrap());
        assert_eq!(fs::read_to_string(taken.join("trace.ndjson")).unwrap(), "{}");
        assert_eq!(crate::names::spoken_of(&answer.data, &lease), [taken.join("trace.ndjson")]);
    }

    #[test]
    fn a_log_becomes_a_file_of_the_lease_as_it_stands() {
        let folder = tempfile::tempdir().unwrap();
        let (state, lease) = (folder.path().join("state"), folder.path().join("lease"));
        let log = state.join("sessions/x/app.log");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        fs::write(&log, "one\n").unwrap();
        for said in [json!({"path": log, "exists": true}), json!({"path": log, "active": false, "wasActive": true})] {
            let mut answer = Answer::new(said, log.display().to_string());
            take(&mut answer, &lease, &state);
            let taken = PathBuf::from(answer.data["path"].as_str().unwrap());
            assert!(taken.starts_with(lease.join("host")), "{taken:?}");
            assert_eq!(answer.text, Some(taken.display().to_string()));
            let announced = crate::files::described("x", &taken).unwrap();
            // It goes on while it is fetched.
            io::Write::write_all(&mut fs::File::options().append(true).open(&log).unwrap(), b"more\n").unwrap();
            assert_eq!(crate::files::described("x", &taken), Some(announced));
        }
        let mut none = Answer::new(json!({"path": log, "exists": false}), "x");
        take(&mut none, &lease, &state);
        assert_eq!(none.data["path"], log.display().to_string(), "nothing is there to be fetched");
    }
}
