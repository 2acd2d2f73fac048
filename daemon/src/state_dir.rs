//! Where state is kept: the socket, the lock, logs, sessions.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

/// The environment variable that overrides the folder.
pub const STATE_DIR_VARIABLE: &str = "AGENT_DEVICE_STATE_DIR";

/// The longest path a Unix socket can have on every platform, bytes (macOS: 104 with the end mark).
const SOCKET_PATH_LIMIT: usize = 103;

/// The folder, and what lies where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir(PathBuf);

impl StateDir {
    /// The given folder, else that of the environment, else the platform's.
    ///
    /// # Errors
    /// Where neither is set and there is no home folder.
    pub fn find(given: Option<&Path>) -> Result<Self, String> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let chosen = given.map(Path::to_path_buf).or_else(|| variable(STATE_DIR_VARIABLE));
        let path = match chosen {
            Some(path) => path,
            None => match variable("XDG_STATE_HOME").filter(|path| path.is_absolute()) {
                Some(xdg) => xdg.join("agent-device"),
                None => {
                    let home =
                        variable("HOME").ok_or_else(|| format!("neither {STATE_DIR_VARIABLE} nor HOME is set"))?;
                    let under = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };
                    home.join(under).join("agent-device")
                }
            },
        };
        std::path::absolute(&path).map(StateDir).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// Makes the folder, readable by its owner only.
    ///
    /// # Errors
    /// What the system says of it; `PermissionDenied` where it is somebody else's.
    pub fn create(&self) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        own(&self.0)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the daemon listens. A folder whose path is too long for a socket gets one in the system's folder for
    /// temporary files, in a folder of the user's own.
    pub fn socket(&self) -> PathBuf {
        let here = self.0.join("daemon.sock");
        if here.as_os_str().len() <= SOCKET_PATH_LIMIT {
            return here;
        }
        let user = rustix::process::geteuid().as_raw();
        PathBuf::from(format!("/tmp/agent-device-{user}"))
            .join(format!("{:016x}.sock", fnv(self.0.as_os_str().as_encoded_bytes())))
    }

    /// Held by the daemon for as long as it runs.
    pub fn lock(&self) -> PathBuf {
        self.0.join("daemon.lock")
    }

    /// What the daemon prints.
    pub fn log(&self) -> PathBuf {
        self.0.join("daemon.log")
    }

    /// A session's files.
    pub fn session(&self, name: &str) -> PathBuf {
        self.0.join("sessions").join(file_name(name))
    }
}

/// Makes sure that a folder is this user's own and that nobody else can reach what is in it.
///
/// A socket in a folder of somebody else's, or in one that somebody else can write in, may be anybody's: what is typed
/// would go to them. The same for a folder that is a link which somebody else made. Rights that are too wide are
/// narrowed to 0700.
///
/// # Errors
/// `NotFound` where there is none; `PermissionDenied` where it is somebody else's.
pub fn own(folder: &Path) -> io::Result<()> {
    let me = rustix::process::geteuid().as_raw();
    let (itself, behind) = (fs::symlink_metadata(folder)?, fs::metadata(folder)?);
    let refuse =
        |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{} {why}", folder.display())));
    if itself.uid() != me {
        return refuse("belongs to another user");
    }
    if behind.uid() != me {
        return refuse("leads to a folder of another user");
    }
    if !behind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is no folder", folder.display())));
    }
    if behind.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// A session's name as a file name: letters, digits, `-`, `_` and `.` stay; a name with anything else gets a hash, so
/// that two names never share a folder.
pub fn file_name(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).take(80).collect();
    if plain == name && !plain.starts_with('.') {
        plain
    } else {
        format!("{}-{:016x}", plain.trim_start_matches('.'), fnv(name.as_bytes()))
    }
}

/// FNV-1a: short, stable names from long ones. Not for secrets.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_session_names_never_share_a_folder_and_never_leave_it() {
        let names = ["a", "a b", "a/b", "a_b", "../a", "..", ".", "é", "e"];
        let files: std::collections::HashSet<_> = names.iter().map(|name| file_name(name)).collect();
        assert_eq!(files.len(), names.len());
        assert!(files.iter().all(|file| !file.contains('/') && !file.starts_with('.')), "{files:?}");
    }

    #[test]
    fn a_path_too_long_for_a_socket_gets_one_elsewhere() {
        let long = StateDir(PathBuf::from(format!("/{}", "x".repeat(150))));
        assert!(long.socket().as_os_str().len() <= SOCKET_PATH_LIMIT);
        assert_eq!(StateDir("/s".into()).socket(), PathBuf::from("/s/daemon.sock"));
    }

    #[test]
    fn the_folder_is_the_owners_alone() {
        let parent = tempfile::tempdir().unwrap();
        let dir = StateDir::find(Some(&parent.path().join("a/b"))).unwrap();
        dir.create().unwrap();
        let mode = || fs::metadata(dir.path()).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o700);
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
        dir.create().unwrap();
        assert_eq!(mode(), 0o700, "a folder that was there and open to all");
    }
}
