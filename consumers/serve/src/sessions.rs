//! Which session a request means, and whose it is.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contract::{
    Code, Command, Effect, Failure, Request, Response, Row,
    command::{DaemonAction, Session, SessionAction},
};
use daemon::state_dir::fnv;
use serde_json::Value;

use crate::leases::{Lease, Leases};

/// How long the daemon may take to name its sessions.
const LIST: Duration = Duration::from_secs(10);

/// Sessions by name, and the number of the lease under which each was opened.
#[derive(Debug, Default)]
pub struct Owners(Mutex<HashMap<String, u64>>);

impl Owners {
    fn owners(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a session is that lease's.
    pub fn is(&self, session: &str, number: u64) -> bool {
        self.owners().get(session) == Some(&number)
    }

    /// Forgets a lease's.
    pub fn release_all(&self, number: u64) {
        self.owners().retain(|_, owner| *owner != number);
    }
}

/// The session that a request means: the one it names, or the one of its folder. That is named after the lease too: two
/// machines have folders of the same names.
pub fn named(request: &Request, lease: &Lease) -> String {
    if let Some(name) = &request.session {
        return name.clone();
    }
    let workspace = request.workspace.as_deref().unwrap_or_default();
    let last = workspace.rsplit('/').find(|part| !part.is_empty()).unwrap_or("default");
    format!("{last}-{:08x}", fnv(format!("{}\0{workspace}", lease.id).as_bytes()) as u32)
}

/// Refuses what would end the sessions of others.
///
/// # Errors
/// `UNSUPPORTED_OPERATION`.
pub fn admitted(command: &Command) -> Result<(), Failure> {
    let what = match command {
        Command::Daemon(daemon) if daemon.action == DaemonAction::Stop => "daemon stop",
        Command::Close(close) if close.all => "close --all",
        Command::Batch(batch) => return batch.commands()?.iter().try_for_each(admitted),
        _ => return Ok(()),
    };
    Err(Failure::refused(
        Row::ServeNotOverTheHop,
        Code::UnsupportedOperation,
        format!("{what} would end what others have open on the device host"),
    )
    .reason("not_over_the_hop")
    .hint("close your own sessions by name: agent-device close --session NAME"))
}

/// Whether a command may open a session.
fn opens(command: &Command) -> bool {
    match command {
        Command::Open(_) => true,
        Command::Batch(batch) => batch.commands().is_ok_and(|steps| steps.iter().any(opens)),
        _ => false,
    }
}

impl Leases {
    /// Takes the session of a command for a lease, where it may: says whether it became the lease's just now.
    ///
    /// # Errors
    /// It is another lease's.
    pub fn claim(&self, lease: &Lease, session: &str, command: &Command) -> Result<bool, Failure> {
        let owner = self.owners.owners().get(session).copied();
        match owner {
            Some(owner) if owner == lease.number => return Ok(false),
            // It may have been closed by the daemon meanwhile: then it is nobody's.
            Some(_) if self.is_open(session) => return Err(of_another(session)),
            None if !opens(command) || self.is_open(session) => return Ok(false),
            _ if !opens(command) => return Ok(false),
            _ => {}
        }
        let mut owners = self.owners.owners();
        // Another may have come first.
        if owners.get(session).copied() != owner {
            return Err(of_another(session));
        }
        owners.insert(session.to_owned(), lease.number);
        lease.has_opened(session);
        Ok(true)
    }

    /// Gives a session up that the command has closed, or that it should have opened and has not.
    pub fn settle(&self, lease: &Lease, session: &str, command: &Command, response: &Response, claimed: bool) {
        let closed = match (command, response) {
            (Command::Close(_), Ok(_)) => true,
            (_, Err(failed)) if failed.failure().code == Code::SessionNotFound => true,
            (_, Err(_)) => claimed && !self.is_open(session),
            (_, Ok(_)) => false,
        };
        if closed {
            let mut owners = self.owners.owners();
            if owners.get(session) == Some(&lease.number) {
                owners.remove(session);
                lease.has_closed(session);
            }
        }
    }

    /// Whether the daemon has such a session. Where it cannot be asked, there may be one.
    fn is_open(&self, session: &str) -> bool {
        let list = Command::Session(Session { action: SessionAction::List, path: None, force: false });
        let request = Request::new(self.request_id("list"), &list);
        let mut client = self.client.clone();
        client.start = false;
        match client.run(&request, Effect::Observes, LIST) {
            Ok(answer) => {
                let open = answer.data.get("sessions").and_then(Value::as_array);
                open.is_none_or(|open| open.iter().any(|row| row.get("name").and_then(Value::as_str) == Some(session)))
            }
            // No daemon, no sessions.
            Err(failed) => failed.claim().is_none_or(|claim| claim.row != Row::ClientDaemonNotStarted),
        }
    }
}

fn of_another(session: &str) -> Failure {
    Failure::refused(
        Row::ServeSessionOfAnotherLease,
        Code::Unauthorized,
        format!("session {session:?} was opened by another client of this server"),
    )
    .reason("session_of_another_lease")
    .hint("open one of your own under another name: --session NAME")
}
