//! The archives, fetched once by their own clients, checked by hash and unpacked.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::{process::Command, time::timeout};

use super::listing::{Archive, Source};

/// How long a client may take for one archive.
const FETCH_LIMIT: Duration = Duration::from_secs(60);
/// Folders that an unpacked archive of a registry wraps its content in.
const WRAPPED_IN: &str = "--strip-components=1";

/// Why an archive is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// It should be: something is broken.
    Broken(String),
    /// It may be: the network is off, or Debian has a newer version now.
    LeftOut(String),
}

/// The folder for what is kept in between runs, outside the workspace: `$AGENT_DEVICE_CACHE`, else `agent-device` in
/// `$XDG_CACHE_HOME` or `~/.cache`.
pub fn caches() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("AGENT_DEVICE_CACHE").unwrap_or_else(|| {
        let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        caches.unwrap_or_else(env::temp_dir).join("agent-device")
    })
}

/// Whether nothing may be fetched: `AGENT_DEVICE_TEST_OFFLINE=1`.
pub fn is_offline() -> bool {
    env::var("AGENT_DEVICE_TEST_OFFLINE").is_ok_and(|value| value == "1")
}

/// The folder that archives are kept in between runs, outside the workspace.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    offline: bool,
}

impl Cache {
    /// `pages` in [`caches`]. Nothing is fetched where that [is not to be](is_offline).
    ///
    /// # Panics
    /// Where the folder cannot be made.
    pub fn from_environment() -> Self {
        Self::at(caches().join("pages"), is_offline())
    }

    /// A cache in a folder of one's own.
    ///
    /// # Panics
    /// Where the folder cannot be made.
    pub fn at(folder: PathBuf, offline: bool) -> Self {
        fs::create_dir_all(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
        Self { folder, offline }
    }

    /// The file of an archive, fetched where it is not there yet.
    ///
    /// # Errors
    /// [`Missing`].
    pub async fn file(&self, archive: &Archive) -> Result<PathBuf, Missing> {
        let path = self.folder.join(&archive.file);
        if is(&path, &archive.sha256) {
            return Ok(path);
        }
        if self.offline {
            return Err(Missing::LeftOut(format!("{}: not in the cache, and there is no network", archive.file)));
        }
        self.fetch(archive, &path).await.map_err(|why| {
            let why = format!("{} {}: {why}", archive.package, archive.version);
            match archive.source {
                Source::Deb => Missing::LeftOut(why),
                Source::Npm | Source::Pypi => Missing::Broken(why),
            }
        })?;
        Ok(path)
    }

    async fn fetch(&self, archive: &Archive, to: &Path) -> Result<(), String> {
        let scratch = self.scratch();
        run(client(archive).current_dir(scratch.path())).await?;
        // Clients spell file names in their own ways: it is the only file.
        let files: Vec<_> = fs::read_dir(scratch.path()).map_err(text)?.filter_map(Result::ok).collect();
        let [file] = files.as_slice() else { return Err(format!("{} files came", files.len())) };
        let got = hash(&file.path()).map_err(text)?;
        if got != archive.sha256 {
            return Err(format!("what came has another sha256: {got}"));
        }
        fs::rename(file.path(), to).map_err(text)
    }

    /// A folder that holds what the archives hold, all in one place.
    ///
    /// # Errors
    /// [`Missing`], of the first that is.
    pub async fn unpacked(&self, archives: &[Archive]) -> Result<PathBuf, Missing> {
        let mut files = Vec::new();
        for archive in archives {
            files.push((archive.source, self.file(archive).await?));
        }
        let together = archives.iter().fold(Sha256::new(), |all, archive| all.chain_update(&archive.sha256));
        let folder = self.folder.join("unpacked").join(hex(&together.finalize()));
        if folder.is_dir() {
            return Ok(folder);
        }
        let scratch = self.scratch();
        for (source, file) in files {
            let mut unpack = match source {
                Source::Deb => Command::new("dpkg-deb"),
                Source::Npm | Source::Pypi => Command::new("tar"),
            };
            match source {
                Source::Deb => unpack.arg("-x").arg(&file).arg(scratch.path()),
                Source::Npm | Source::Pypi => {
                    unpack.args(["-x", "-z", WRAPPED_IN, "-f"]).arg(&file).arg("-C").arg(scratch.path())
                }
            };
            run(&mut unpack).await.map_err(|why| Missing::Broken(format!("{}: {why}", file.display())))?;
        }
        let done = fs::create_dir_all(self.folder.join("unpacked")).and_then(|()| fs::rename(scratch.path(), &folder));
        match done {
            // Another run was faster: what it unpacked is the same.
            Err(_) if folder.is_dir() => Ok(folder),
            Err(why) => Err(Missing::Broken(format!("{}: {why}", folder.display()))),
            Ok(()) => Ok(folder),
        }
    }

    /// In the cache itself: a file can be renamed only within one file system.
    fn scratch(&self) -> TempDir {
        tempfile::Builder::new().prefix("new-").tempdir_in(&self.folder).expect("the cache can be written to")
    }
}

/// The client of an archive's registry.
fn client(archive: &Archive) -> Command {
    let Archive { package, version, .. } = archive;
    let (program, args, what) = match archive.source {
        Source::Npm => ("npm", ["pack", "--silent", "--ignore-scripts"].as_slice(), format!("{package}@{version}")),
        Source::Pypi => (
            "pip",
            ["download", "--quiet", "--no-deps", "--no-binary=:all:"].as_slice(),
            format!("{package}=={version}"),
        ),
        Source::Deb => ("apt-get", ["download", "--quiet"].as_slice(), format!("{package}={version}")),
    };
    let mut command = Command::new(program);
    command.args(args).arg(what);
    command
}

async fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output();
    let program = command.as_std().get_program().display().to_string();
    let output = match timeout(FETCH_LIMIT, output).await {
        Ok(output) => output.map_err(|why| format!("{program}: {why}"))?,
        Err(_) => return Err(format!("{program}: nothing after {FETCH_LIMIT:?}")),
    };
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last: Vec<_> = complaint.lines().filter(|line| !line.trim().is_empty()).collect();
    Err(format!(
        "{program} {}: {}",
        output.status,
        last.get(last.len().saturating_sub(3)..).unwrap_or_default().join("; ")
    ))
}

fn is(path: &Path, sha256: &str) -> bool {
    hash(path).is_ok_and(|got| got == sha256)
}

/// The sha256 of a file, hexadecimal.
///
/// # Errors
/// What the system says.
pub fn hash(path: &Path) -> io::Result<String> {
    Ok(hex(&Sha256::digest(fs::read(path)?)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(why: io::Error) -> String {
    why.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(source: Source) -> Archive {
        let text = str::to_owned;
        Archive {
            id: text("a"),
            source,
            package: text("a-package-of-this-test"),
            version: text("1.0.0"),
            file: text("a.tgz"),
            // Of "abc": FIPS 180-2, appendix B.1.
            sha256: text("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        }
    }

    #[tokio::test]
    async fn a_file_counts_only_with_the_right_hash() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("pages"), true);
        let archive = archive(Source::Npm);
        let file = folder.path().join("pages/a.tgz");
        assert!(matches!(cache.file(&archive).await, Err(Missing::LeftOut(_))));
        fs::write(&file, "abcd").unwrap();
        assert!(matches!(cache.file(&archive).await, Err(Missing::LeftOut(_))));
        fs::write(&file, "abc").unwrap();
        assert_eq!(cache.file(&archive).await, Ok(file));
    }

    #[tokio::test]
    async fn archives_that_are_no_archives_are_broken_and_leave_nothing_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("pages"), true);
        fs::write(folder.path().join("pages/a.tgz"), "abc").unwrap();
        assert!(matches!(cache.unpacked(&[archive(Source::Npm)]).await, Err(Missing::Broken(_))));
        assert!(!folder.path().join("pages/unpacked").exists());
    }
}
