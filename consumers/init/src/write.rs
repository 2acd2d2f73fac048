//! How a file is replaced: written beside the old one, then renamed, so that no reader meets half of it.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use contract::{Code, Failure};

use crate::{
    Place,
    plan::{File, Plan},
};

/// Writes what changes.
pub fn all(plan: &Plan, place: &Place) -> Result<(), Failure> {
    let mut written: Vec<String> = Vec::new();
    for file in plan.files.iter().filter(|file| file.changes()) {
        one(file).map_err(|why| {
            let done = if written.is_empty() {
                "nothing was written".to_owned()
            } else {
                format!("written so far: {}", written.join(", "))
            };
            Failure::new(Code::StorageFailed, format!("{} could not be written: {why}", file.path.display()))
                .detail("written", written.clone())
                .hint(format!("{done}; to run init again does no harm"))
        })?;
        written.push(place.shown(&file.path));
    }
    Ok(())
}

fn one(file: &File) -> io::Result<()> {
    let path = real(&file.path);
    let now = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(why) if why.kind() == io::ErrorKind::NotFound => None,
        Err(why) => return Err(why),
    };
    if now.as_deref() != file.before.as_deref().map(str::as_bytes) {
        return Err(io::Error::other("somebody changed it in the meantime"));
    }
    let folder = path.parent().ok_or_else(|| io::Error::other("it lies in no folder"))?;
    fs::create_dir_all(folder)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = folder.join(format!(".{name}.{}.new", std::process::id()));
    let done = replace(&beside, &path, &file.after);
    if done.is_err() {
        let _gone = fs::remove_file(&beside);
    }
    done
}

fn replace(beside: &Path, path: &Path, text: &str) -> io::Result<()> {
    let mut new = OpenOptions::new().write(true).create_new(true).open(beside)?;
    new.write_all(text.as_bytes())?;
    // What only its owner may read stays so.
    if let Ok(old) = fs::metadata(path) {
        new.set_permissions(old.permissions())?;
    }
    new.sync_all()?;
    drop(new);
    fs::rename(beside, path)
}

/// A link stays a link: what it leads to is replaced.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
