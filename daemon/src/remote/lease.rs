//! Under which lease this program asks. It lives for milliseconds, so that its lease cannot be its own: it is that of the
//! state folder, and lives as long as a local session would that nobody uses.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
};

use contract::{
    Code, Failure, Row,
    hop::{LEASE_MS_RANGE, is_lease_id},
};

use crate::state_dir::StateDir;

/// Names the lease, for several programs that share their sessions.
pub const LEASE_VARIABLE: &str = "AGENT_DEVICE_LEASE";
/// How long it lives without a request, ms.
pub const LEASE_MS_VARIABLE: &str = "AGENT_DEVICE_LEASE_MS";
/// Where nothing else is said, ms: as long as a local session is left open.
const DEFAULT_MS: u64 = 60 * 60 * 1000;

/// The lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseOf {
    /// Its id.
    pub id: String,
    /// How long it lives without a request, ms.
    pub ms: u64,
}

impl LeaseOf {
    /// That of the environment, else of the state folder.
    ///
    /// # Errors
    /// One that can be none; the state folder cannot be written.
    pub fn of_environment(state: &StateDir) -> Result<Self, Failure> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let wrong = |why: String| Failure::refused(Row::ClientUsage, Code::InvalidArgs, why).reason("usage");
        let ms = match variable(LEASE_MS_VARIABLE).map(|text| text.parse::<u64>()) {
            None => DEFAULT_MS,
            Some(Ok(ms)) if LEASE_MS_RANGE.contains(&ms) => ms,
            Some(_) => {
                let (least, most) = LEASE_MS_RANGE.into_inner();
                return Err(wrong(format!("{LEASE_MS_VARIABLE} is a number from {least} to {most}")));
            }
        };
        let id = match variable(LEASE_VARIABLE) {
            Some(id) if is_lease_id(&id) => id,
            Some(_) => {
                return Err(wrong(format!("{LEASE_VARIABLE} has 8 to 64 letters, digits, '-', '_' or '.'"))
                    .hint("whoever knows the id shares its sessions: choose one that is hard to guess"));
            }
            None => of_folder(state).map_err(|why| {
                Failure::refused(
                    Row::ClientDaemonNotStarted,
                    Code::StorageFailed,
                    format!("{}: {why}", state.path().display()),
                )
                .reason("state_unwritable")
                .hint("make room or give access, or set another folder: AGENT_DEVICE_STATE_DIR")
            })?,
        };
        Ok(Self { id, ms })
    }
}

/// The id that the folder keeps, made where there is none.
fn of_folder(state: &StateDir) -> io::Result<String> {
    state.create()?;
    let file = state.path().join("remote-lease");
    let read = || fs::read_to_string(&file).ok().map(|text| text.trim().to_owned()).filter(|id| is_lease_id(id));
    if let Some(id) = read() {
        return Ok(id);
    }
    let mut random = [0; 12];
    File::open("/dev/urandom")?.read_exact(&mut random)?;
    let id = format!("cli-{}", random.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    // Whole before it has its name, and never in the place of one that came first.
    let part = state.path().join(format!(".remote-lease-{id}"));
    let mut made = File::options().write(true).create_new(true).mode(0o600).open(&part)?;
    made.write_all(id.as_bytes())?;
    let linked = fs::hard_link(&part, &file);
    fs::remove_file(&part)?;
    match linked {
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => Err(why),
        _ => read().ok_or_else(|| io::Error::other("remote-lease holds no id of a lease: remove it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_one_state_folder_have_one_lease() {
        let folder = tempfile::tempdir().unwrap();
        let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
        let ids: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(|| of_folder(&state).unwrap())).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(is_lease_id(&ids[0]) && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        let other = StateDir::find(Some(&folder.path().join("other"))).unwrap();
        assert_ne!(of_folder(&other).unwrap(), ids[0]);
    }
}
