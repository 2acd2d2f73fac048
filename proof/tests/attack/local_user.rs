//! Another user of this computer. Needs two users, and so the rights of root to become the other one.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink},
    path::Path,
    process::Stdio,
};

use daemon::state_dir::{STATE_DIR_VARIABLE, StateDir};
use proof::program::{Program, path};
use tokio::net::UnixListener;

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The program where anybody may read it.
fn readable_program(folder: &Path) -> std::path::PathBuf {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let copy = folder.join("agent-device");
    fs::copy(path(), &copy).unwrap();
    copy
}

#[tokio::test(flavor = "multi_thread")]
async fn state_folder_socket_and_files_are_the_owners_alone() {
    let program = Program::new();
    // A folder that was there and is open to all.
    fs::create_dir(program.state().path()).unwrap();
    fs::set_permissions(program.state().path(), fs::Permissions::from_mode(0o777)).unwrap();
    program.does(&["open", "demo"]).await;
    program.does(&["snapshot"]).await;
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(program.state().path()), 0o700);
    assert_eq!(mode(&program.state().socket()), 0o600);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_user_reaches_neither_the_socket_nor_what_is_stored() {
    if !is_root() {
        return;
    }
    let program = Program::new();
    program.does(&["open", "demo"]).await;
    let theirs = tempfile::Builder::new().prefix("theirs").tempdir().unwrap();
    let copy = readable_program(theirs.path());
    let as_nobody = |args: &[&str]| {
        let mut command = std::process::Command::new(&copy);
        std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
        std::os::unix::process::CommandExt::gid(&mut command, NOBODY);
        command
            .args(args)
            .env(STATE_DIR_VARIABLE, program.state().path())
            .env("HOME", theirs.path())
            .current_dir("/")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    for args in [&["snapshot", "--json"][..], &["press", "id=go-new"], &["daemon", "stop"], &["session", "list"]] {
        let output = as_nobody(args);
        assert!(!output.status.success(), "{args:?}: {output:?}");
    }
    // The folder lets nobody through, and the socket itself would not either.
    fs::set_permissions(program.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(program.state().path(), fs::Permissions::from_mode(0o711)).unwrap();
    let output = as_nobody(&["session", "list", "--json"]);
    assert!(!output.status.success(), "{output:?}");
    // The owner's next command closes the folder again and works on.
    assert_eq!(program.does(&["session", "list"]).await["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(fs::metadata(program.state().path()).unwrap().mode() & 0o777, 0o700);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_said_to_a_socket_in_a_folder_of_somebody_elses() {
    if !is_root() {
        return;
    }
    for link in [false, true] {
        let program = Program::new();
        let folder = program.folder().join("theirs");
        fs::create_dir(&folder).unwrap();
        let listener = UnixListener::bind(folder.join("daemon.sock")).unwrap();
        chown(&folder, Some(NOBODY), Some(NOBODY)).unwrap();
        if link {
            symlink(&folder, program.state().path()).unwrap();
        } else {
            fs::rename(&folder, program.state().path()).unwrap();
        }
        let ended = program.run(&["fill", "id=password", "hunter2"]).await;
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(ended.err.contains("another user") && ended.err.contains("Dispatched: no"), "{ended:?}");
        let asked = tokio::time::timeout(std::time::Duration::from_millis(200), listener.accept()).await;
        assert!(asked.is_err(), "it was connected to");
        // Nor is a daemon started in it.
        let listed: Vec<_> = fs::read_dir(program.state().path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(listed, ["daemon.sock"]);
        fs::remove_file(program.state().path().join("daemon.sock")).unwrap();
        let ended = program.run(&["session", "list"]).await;
        assert!(ended.code == 1 && ended.err.contains("another user"), "{ended:?}");
        assert_eq!(fs::read_dir(program.state().path()).unwrap().count(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_somebody_else_made_is_not_followed() {
    if !is_root() {
        return;
    }
    let program = Program::new();
    // Ours, and not meant for this: whoever made the link chose it.
    let ours = program.folder().join("ours");
    fs::create_dir(&ours).unwrap();
    symlink(&ours, program.state().path()).unwrap();
    std::os::unix::fs::lchown(program.state().path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let ended = program.run(&["session", "list"]).await;
    assert!(ended.code == 1 && ended.err.contains("another user"), "{ended:?}");
    assert_eq!(fs::read_dir(&ours).unwrap().count(), 0, "something was written where the link leads");
    // A link of one's own is fine.
    fs::remove_file(program.state().path()).unwrap();
    symlink(&ours, program.state().path()).unwrap();
    program.does(&["session", "list"]).await;
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_for_long_paths_that_somebody_else_made_first_is_refused() {
    if !is_root() {
        return;
    }
    let folder = tempfile::Builder::new().prefix("ad").tempdir().unwrap();
    let long = folder.path().join("x".repeat(120));
    let program = Program::at(folder, &long);
    let socket = program.state().socket();
    let shared = socket.parent().unwrap().to_owned();
    assert!(!socket.starts_with(&long), "{}", socket.display());
    // Only where nobody uses it: it belongs to the whole computer.
    if shared.exists() {
        return;
    }
    fs::create_dir(&shared).unwrap();
    chown(&shared, Some(NOBODY), Some(NOBODY)).unwrap();
    let ended = program.run(&["session", "list"]).await;
    let removed = fs::remove_dir_all(&shared);
    assert!(ended.code == 1 && ended.err.contains("another user"), "{ended:?}");
    removed.unwrap();
}

#[test]
fn the_state_folder_is_never_made_inside_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "x").unwrap();
    assert!(StateDir::find(Some(&folder.path().join("file"))).unwrap().create().is_err());
}
