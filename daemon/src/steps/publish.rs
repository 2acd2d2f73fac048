//! A script as a file: there whole or not at all, readable by its owner only, never in the place of another unless that was
//! asked for.

use std::{
    fs::{self, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use contract::{Code, Failure, Row};

use super::{Recording, text};

/// Numbers tried for a name that is free.
const TRIES: usize = 1_000;

/// A script that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Where.
    pub path: PathBuf,
    /// How many steps.
    pub steps: usize,
    /// Variables that must be given when it is replayed.
    pub variables: Vec<String>,
    /// What its reader should know: it lies elsewhere than it was to, steps are missing.
    pub warnings: Vec<String>,
}

/// Refuses a file that could not be written in the end.
///
/// # Errors
/// `script_target_exists`, or that its folder cannot be written.
pub fn free(target: &Path, force: bool) -> Result<(), Failure> {
    if !force && fs::symlink_metadata(target).is_ok() {
        return Err(exists(target));
    }
    if target.is_dir() {
        return Err(unwritable(target, &io::Error::from(ErrorKind::IsADirectory)));
    }
    let part = part_of(target);
    let tried = create(&part).map(drop);
    let _gone = fs::remove_file(&part);
    tried.map_err(|why| unwritable(target, &why))
}

/// Writes a script where it is wanted.
///
/// # Errors
/// `script_target_exists`; what the system says.
pub fn write(recording: &Recording, target: &Path, force: bool) -> Result<Published, Failure> {
    whole(target, &text::of(recording, target), force).map_err(|why| match why.kind() {
        ErrorKind::AlreadyExists => exists(target),
        _ => unwritable(target, &why),
    })?;
    Ok(published(recording, target))
}

/// Writes a script whose session ends, where nobody can be asked any more: under the next free name beside a file that
/// came into its place meanwhile, into the session's own folder where its folder is gone.
///
/// # Errors
/// What the system says of the last attempt.
pub fn at_last(recording: &Recording, own: &Path) -> Result<Published, String> {
    let target = &recording.target;
    let why = match beside(recording, target, recording.force) {
        Ok(path) => {
            let mut published = published(recording, &path);
            if path != *target {
                published.warnings.push(format!(
                    "{} is another file by now: the script is {}",
                    target.display(),
                    path.display()
                ));
            }
            return Ok(published);
        }
        Err(why) => why,
    };
    let name = target.file_name().unwrap_or("script.ad".as_ref());
    match beside(recording, &own.join(name), false) {
        Ok(path) => {
            let mut published = published(recording, &path);
            published.warnings.push(format!("{}: {why}: the script is {}", target.display(), path.display()));
            Ok(published)
        }
        Err(last) => Err(format!("the script is lost: {}: {why}; {}: {last}", target.display(), own.display())),
    }
}

/// Writes what an earlier session of this name left beside it, into the session's own folder, under a name that is free.
///
/// # Errors
/// What the system says.
pub fn set_aside(recording: &Recording, own: &Path) -> io::Result<PathBuf> {
    beside(recording, &own.join(recording.target.file_name().unwrap_or("script.ad".as_ref())), false)
}

fn published(recording: &Recording, path: &Path) -> Published {
    let mut variables: Vec<String> = Vec::new();
    for variable in recording.steps.iter().flat_map(|step| &step.variables) {
        if !variables.contains(variable) {
            variables.push(variable.clone());
        }
    }
    let mut warnings = Vec::new();
    if recording.left_out > 0 {
        warnings.push(format!("{} steps are missing: a script has {} at most", recording.left_out, super::STEPS));
    }
    Published { path: path.to_path_buf(), steps: recording.steps.len(), variables, warnings }
}

/// The path itself, or the first free one of `flow-2.ad`, `flow-3.ad` ...
fn beside(recording: &Recording, target: &Path, force: bool) -> io::Result<PathBuf> {
    let (stem, end) = (target.file_stem().unwrap_or_default().to_string_lossy(), target.extension());
    let end = end.map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let mut last = io::Error::from(ErrorKind::AlreadyExists);
    for number in 1..=TRIES {
        let path =
            if number == 1 { target.to_path_buf() } else { target.with_file_name(format!("{stem}-{number}{end}")) };
        match whole(&path, &text::of(recording, &path), force && number == 1) {
            Ok(()) => return Ok(path),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => last = why,
            Err(why) => return Err(why),
        }
    }
    Err(last)
}

/// Whole or not at all. Without `force` a file that is there stays, also one that came a moment ago.
fn whole(path: &Path, text: &str, force: bool) -> io::Result<()> {
    let part = part_of(path);
    let written = create(&part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        if force {
            return fs::rename(&part, path);
        }
        match fs::hard_link(&part, path) {
            // A file system without links: the moment between the look and the move is all that is open then.
            Err(why) if why.kind() != ErrorKind::AlreadyExists && fs::symlink_metadata(path).is_err() => {
                fs::rename(&part, path)
            }
            linked => linked,
        }
    });
    // Moved, or of no use to anybody.
    let _gone = fs::remove_file(&part);
    written
}

fn create(part: &Path) -> io::Result<fs::File> {
    // What an earlier daemon of this number may have left.
    let _gone = fs::remove_file(part);
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(part)
}

fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.part-{}", std::process::id()))
}

fn exists(target: &Path) -> Failure {
    let shown = target.display().to_string();
    Failure::refused(Row::DaemonScriptTargetExists, Code::StorageFailed, format!("{shown} is there already"))
        .reason("script_target_exists")
        .detail("script", shown)
        .hint("name another file, or replace it: --force")
}

fn unwritable(target: &Path, why: &io::Error) -> Failure {
    let shown = target.display().to_string();
    Failure::refused(Row::DaemonScriptUnwritable, Code::StorageFailed, format!("{shown}: {why}"))
        .reason("file_unwritable")
        .detail("script", shown)
        .hint("name a file in a folder that exists and can be written")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn recording(target: &Path) -> Recording {
        Recording::of(target.to_path_buf())
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_script_is_its_owners_alone_and_replaces_nothing_unless_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.ad");
        free(&target, false).unwrap();
        write(&recording(&target), &target, false).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(free(&target, false).unwrap_err().reason_str(), Some("script_target_exists"));
        fs::write(&target, "mine").unwrap();
        let refused = write(&recording(&target), &target, false).unwrap_err();
        assert_eq!(refused.reason_str(), Some("script_target_exists"));
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        write(&recording(&target), &target, true).unwrap();
        assert_ne!(fs::read_to_string(&target).unwrap(), "mine");
        assert_eq!(names(folder.path()), ["a.ad"], "no parts are left");
    }

    #[test]
    fn what_cannot_be_written_at_the_end_is_written_beside_or_into_the_sessions_folder() {
        let (folder, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let target = folder.path().join("flow.ad");
        fs::write(&target, "another").unwrap();
        let beside = at_last(&recording(&target), own.path()).unwrap();
        assert_eq!(beside.path, folder.path().join("flow-2.ad"));
        assert!(beside.warnings[0].contains("another file by now"), "{beside:?}");
        let gone = folder.path().join("gone/flow.ad");
        let kept = at_last(&recording(&gone), own.path()).unwrap();
        assert_eq!(kept.path, own.path().join("flow.ad"));
        let lost = at_last(&recording(&gone), &folder.path().join("gone too")).unwrap_err();
        assert!(lost.contains("the script is lost"), "{lost}");
    }
}
