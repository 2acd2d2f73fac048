//! Files that a later command of the session will write: a script, a film. The command that brings them is another call of
//! the program, which has to know that the path was asked for here: a server names no files of this machine.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::state_dir::{StateDir, fnv};

/// A path that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Where.
    pub path: PathBuf,
    /// It may take the place of a file that is there.
    pub replace: bool,
    /// It is a folder, in which the daemon chooses a name.
    pub folder: bool,
}

impl Wanted {
    /// Notes it.
    ///
    /// # Errors
    /// The state folder cannot be written.
    pub fn note(&self, state: &StateDir) -> io::Result<()> {
        let file = place(state, &self.path);
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(file, serde_json::to_vec(self)?)
    }

    /// What was noted for a path: for itself, for the file that it is a further part of (`film-2.mp4`), for its folder.
    pub fn of(state: &StateDir, path: &Path) -> Option<Self> {
        let read = |path: &Path| {
            let noted: Self = serde_json::from_slice(&fs::read(place(state, path)).ok()?).ok()?;
            (noted.path == path).then_some(noted)
        };
        let in_folder =
            || path.parent().and_then(read).filter(|noted| noted.folder && path.extension() == Some("ad".as_ref()));
        read(path).or_else(|| first_of(path).as_deref().and_then(read)).or_else(in_folder)
    }

    /// It has come.
    pub fn forget(&self, state: &StateDir) {
        // Gone already is as good.
        let _gone = fs::remove_file(place(state, &self.path));
    }
}

fn place(state: &StateDir, path: &Path) -> PathBuf {
    state.path().join("remote").join("wanted").join(format!("{:016x}", fnv(path.as_os_str().as_encoded_bytes())))
}

/// `film.mp4` of `film-2.mp4`.
fn first_of(path: &Path) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    let (first, number) = stem.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    is_number.then(|| path.with_file_name(format!("{first}{end}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::find(Some(folder.path())).unwrap();
        let film = Wanted { path: "/home/ada/film.mp4".into(), replace: true, folder: false };
        film.note(&state).unwrap();
        let scripts = Wanted { path: "/home/ada/flows".into(), replace: false, folder: true };
        scripts.note(&state).unwrap();
        let of = |path: &str| Wanted::of(&state, Path::new(path));
        assert_eq!(of("/home/ada/film.mp4").as_ref(), Some(&film));
        assert_eq!(of("/home/ada/film-2.mp4").as_ref(), Some(&film));
        assert_eq!(of("/home/ada/flows/tour-1.ad").as_ref(), Some(&scripts));
        for other in [
            "/home/ada/.bashrc",
            "/home/ada/film-x.mp4",
            "/home/ada/flows/x.sh",
            "/home/ada/flows/a/b.ad",
            "/home/film.mp4",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
        film.forget(&state);
        assert_eq!(of("/home/ada/film.mp4"), None);
    }
}
