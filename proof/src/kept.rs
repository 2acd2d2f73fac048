//! What a command of the proof has done so far, in a file, so that a run that was ended goes on where it was.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use serde::{Serialize, de::DeserializeOwned};

/// What earlier runs did; nothing where there is no such file.
///
/// # Errors
/// What is wrong with the file, and which it is.
pub fn read<T: DeserializeOwned + Default>(file: Option<&Path>) -> Result<T, String> {
    let Some(file) = file.filter(|file| file.exists()) else { return Ok(T::default()) };
    let bytes = fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
    serde_json::from_slice(&bytes).map_err(|why| format!("{}: {why}: remove it to begin anew", file.display()))
}

/// Writes it: whole or not at all, since a run may be ended at any moment.
///
/// # Errors
/// What is wrong with the file, and which it is.
pub fn write<T: Serialize + ?Sized>(file: Option<&Path>, done: &T) -> Result<(), String> {
    let Some(file) = file else { return Ok(()) };
    let begun = file.with_extension("new");
    let text = serde_json::to_string_pretty(done).map_err(|why| why.to_string())? + "\n";
    let written = fs::write(&begun, text).and_then(|()| fs::rename(&begun, file));
    written.map_err(|why| format!("{}: {why}", file.display()))
}

/// The right to work in a folder, until the file is dropped or the program ends: two runs that keep what they did in one file
/// would lose half of it, and two that change one copy of the sources would test each other's changes.
///
/// # Errors
/// That another run works there; what the system says of the folder.
pub fn alone(folder: &Path) -> Result<File, String> {
    let path = folder.join("lock");
    let file = fs::create_dir_all(folder).and_then(|()| File::create(&path));
    let file = file.map_err(|why| format!("{}: {why}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            Err(format!("{}: another run works in this folder: wait for it, or name another", folder.display()))
        }
        Err(fs::TryLockError::Error(why)) => Err(format!("{}: {why}", path.display())),
    }
}

/// A text, in git's name for its content.
///
/// # Errors
/// What git says.
pub fn content(repository: &Path, text: &str) -> Result<String, String> {
    let mut git = Command::new("git");
    git.args(["hash-object", "--stdin"]).current_dir(repository).stdin(Stdio::piped()).stdout(Stdio::piped());
    let hashed = git.spawn().and_then(|mut git| {
        git.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(text.as_bytes()))?;
        git.wait_with_output()
    });
    let output = hashed.map_err(|why| format!("git: {why}"))?;
    if !output.status.success() {
        return Err(format!("git hash-object: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Some folders and files of a repository as they are committed, in git's names for their contents: what was found out holds
/// for these.
///
/// # Errors
/// What git says.
pub fn sources(repository: &Path, places: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .arg("rev-parse")
        .args(places.iter().map(|place| format!("HEAD:{place}")))
        .current_dir(repository)
        .output()
        .map_err(|why| format!("git: {why}"))?;
    if !output.status.success() {
        return Err(format!("git rev-parse: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Holds that nothing in some folders and files differs from what is committed: for a run that is told apart by [`sources`] and
/// tries what lies in the folders.
///
/// # Errors
/// What differs; what git says.
pub fn committed(repository: &Path, places: &[&str]) -> Result<(), String> {
    let mut git = Command::new("git");
    let output = git.args(["status", "--porcelain", "--"]).args(places).current_dir(repository).output();
    let output = output.map_err(|why| format!("git: {why}"))?;
    let said =
        String::from_utf8_lossy(if output.status.success() { &output.stdout } else { &output.stderr }).into_owned();
    match (output.status.success(), said.trim_end()) {
        (true, "") => Ok(()),
        (true, differs) => Err(format!("what is kept is kept for a commit, and this is not committed:\n{differs}")),
        (false, why) => Err(format!("git status: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("done.json");
        assert_eq!(read::<Vec<u32>>(Some(&file)), Ok(Vec::new()));
        write(Some(&file), &vec![1, 2]).unwrap();
        assert_eq!(read::<Vec<u32>>(Some(&file)), Ok(vec![1, 2]));
        fs::write(&file, "{").unwrap();
        assert!(read::<Vec<u32>>(Some(&file)).unwrap_err().contains("done.json"));
    }

    #[test]
    fn one_run_at_a_time_works_in_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new");
        let first = alone(&place).unwrap();
        assert!(alone(&place).unwrap_err().contains("another run works in this folder"));
        drop(first);
        alone(&place).unwrap();
    }

    #[test]
    fn a_text_has_the_name_that_git_gives_its_content() {
        let folder = tempfile::tempdir().unwrap();
        // As `git hash-object` of an empty file everywhere.
        assert_eq!(content(folder.path(), "").as_deref(), Ok("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"));
    }

    #[test]
    fn sources_are_known_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| {
            let named = ["-c", "user.name=a", "-c", "user.email=a@b"];
            let ran = Command::new("git").arg("-C").arg(folder.path()).args(named).args(words).output().unwrap();
            assert!(ran.status.success(), "{ran:?}");
        };
        git(&["init", "--quiet"]);
        let mut seen = Vec::new();
        for text in ["one", "two", "one"] {
            fs::write(folder.path().join("a"), text).unwrap();
            git(&["add", "a"]);
            git(&["commit", "--quiet", "--message", text]);
            seen.push(sources(folder.path(), &["a"]).unwrap());
        }
        assert!(seen[0] == seen[2] && seen[0] != seen[1], "{seen:?}");
        committed(folder.path(), &["a"]).unwrap();
        fs::write(folder.path().join("b"), "beside").unwrap();
        committed(folder.path(), &["a"]).unwrap();
        let why = committed(folder.path(), &["a", "b"]).unwrap_err();
        assert!(why.contains("?? b"), "{why}");
        fs::remove_file(folder.path().join("b")).unwrap();
        assert!(sources(folder.path(), &["b"]).unwrap_err().contains("git rev-parse"));
    }
}
