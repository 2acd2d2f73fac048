//! A copy of the workspace in which a lie can be told.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::lies::Lie;

/// The copy.
#[derive(Debug)]
pub struct Copy {
    folder: PathBuf,
}

impl Copy {
    /// Makes `folder` equal to the files of `workspace` that are under version control or could be. Files that are
    /// equal already are not touched, so that cargo does not build them anew.
    ///
    /// # Errors
    /// What git or the system says.
    pub fn of(workspace: &Path, folder: &Path) -> Result<Self, String> {
        let listed = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(workspace)
            .output()
            .map_err(|why| format!("git: {why}"))?;
        if !listed.status.success() {
            return Err(format!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr)));
        }
        let names: BTreeSet<PathBuf> = String::from_utf8_lossy(&listed.stdout)
            .split('\0')
            .filter(|name| !name.is_empty() && workspace.join(name).is_file())
            .map(PathBuf::from)
            .collect();
        for name in &names {
            let (from, to) = (workspace.join(name), folder.join(name));
            let bytes = fs::read(&from).map_err(|why| format!("{}: {why}", from.display()))?;
            if fs::read(&to).is_ok_and(|there| there == bytes) {
                continue;
            }
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(|why| format!("{}: {why}", parent.display()))?;
            }
            // With its permissions: some files are programs.
            fs::copy(&from, &to).map_err(|why| format!("{}: {why}", to.display()))?;
        }
        remove_others(folder, folder, &names)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the lie into its file.
    ///
    /// # Errors
    /// The place is not there, or there is more than one.
    pub fn tell(&self, lie: &Lie) -> Result<(), String> {
        self.replace(lie, lie.truth, lie.lie)
    }

    /// Puts the truth back.
    ///
    /// # Errors
    /// As [`Copy::tell`].
    pub fn take_back(&self, lie: &Lie) -> Result<(), String> {
        self.replace(lie, lie.lie, lie.truth)
    }

    fn replace(&self, lie: &Lie, from: &str, to: &str) -> Result<(), String> {
        let path = self.folder.join(lie.file);
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        let count = text.matches(from).count();
        if count != 1 {
            return Err(format!("{}: {} stands {count} times in {}: {from}", lie.name, "its place", lie.file));
        }
        fs::write(&path, text.replace(from, to)).map_err(|why| format!("{}: {why}", path.display()))
    }
}

/// Removes files that the workspace does not have any more.
fn remove_others(root: &Path, folder: &Path, names: &BTreeSet<PathBuf>) -> Result<(), String> {
    let listing = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    for entry in listing.flatten() {
        let path = entry.path();
        let Ok(name) = path.strip_prefix(root) else { continue };
        if path.is_dir() {
            remove_others(root, &path, names)?;
        } else if !names.contains(name) {
            fs::remove_file(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        }
    }
    Ok(())
}
