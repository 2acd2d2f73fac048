//! What a command of the proof has done so far, in a file, so that a run that was ended goes on where it was.

use std::{fs, path::Path};

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
}
