//! The server as a process: what it needs to begin, how it ends.

use std::{
    fs::{self, File},
    io::{self, Write},
    net::SocketAddr,
    path::Path,
    sync::Arc,
};

use contract::{Code, Failure, Row};
use daemon::{
    client::Client,
    log,
    remote::secret::{Secret, Whose},
    state_dir::StateDir,
};
use tokio::{
    net::TcpListener,
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

use crate::{
    arguments::Serve,
    connections,
    door::Door,
    leases::{LOOK, Leases},
    rpc::Rpc,
    token::Token,
};

/// Threads that serve; what waits for the daemon has its own.
const THREADS: usize = 2;

/// Serves until a signal ends it. `told` is given the address once it is open.
///
/// # Errors
/// What keeps it from beginning.
pub fn serve(args: &Serve, state: StateDir, told: impl FnOnce(&str)) -> Result<(), Failure> {
    if !args.listen.ip().is_loopback() && !args.allow_remote_listen {
        return Err(refused(format!("{} can be reached from other machines, and the line is not encrypted", args.listen))
            .reason("listens_beyond_this_machine")
            .hint("listen on 127.0.0.1 and let a tunnel (ssh -L, a gateway with TLS) bring clients there; or say --allow-remote-listen"));
    }
    let token = Token::new(&Secret::read(&args.token_file, Whose::Own)?);
    let stored = |why: io::Error| {
        Failure::refused(Row::ClientDaemonNotStarted, Code::StorageFailed, format!("{}: {why}", state.path().display()))
            .reason("state_unwritable")
            .hint("make room or give access, or set another folder: --state-dir DIR")
    };
    state.create().map_err(stored)?;
    let _alone = alone(&state).map_err(stored)?.ok_or_else(|| {
        refused(format!("another server has the state folder {}", state.path().display()))
            .reason("served_already")
            .hint("use that one, or give this one a folder of its own: --state-dir DIR")
    })?;
    let leases = Arc::new(Leases::new(Client::new(state.clone()), state.path().join("leases")).map_err(stored)?);
    let door = Arc::new(Door { token, rpc: Rpc::new(leases.clone()) });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
    let runtime = runtime.map_err(stored)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(args.listen).await.map_err(|why| unlistened(args.listen, &why))?;
        let address = listener.local_addr().map_err(|why| unlistened(args.listen, &why))?;
        let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
        let url = format!("http://{address}");
        if let Some(file) = &args.print_address_file {
            whole(file, &format!("{url}\n")).map_err(|why| {
                Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, format!("{}: {why}", file.display()))
                    .reason("file_unwritable")
            })?;
        }
        if !address.ip().is_loopback() {
            log::line("WARNING: this server can be reached from other machines, and what it says and hears, the token too, is not encrypted");
        }
        told(&url);
        run(listener, door, leases, signals).await;
        Ok(())
    })
}

async fn run(listener: TcpListener, door: Arc<Door>, leases: Arc<Leases>, signals: [io::Result<Signal>; 2]) {
    let (stop, stopping) = watch::channel(false);
    let serving = tokio::spawn(connections::serve(listener, door, stopping));
    let [terminate, interrupt] = signals;
    // A signal that cannot be heard ends the process as ever.
    let heard = |signal: io::Result<Signal>| async move {
        match signal {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    let mut ends = std::pin::pin!(async {
        tokio::select! {
            _ = heard(terminate) => {}
            _ = heard(interrupt) => {}
        }
    });
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            () = &mut ends => break,
            _ = look.tick() => leases.expire(),
        }
    }
    log::line("told to stop: closing what clients have open");
    stop.send_replace(true);
    leases.stop().await;
    let _joined = serving.await;
}

/// The lock of one server per state folder, held for as long as the file is open; `None` where another process has it.
fn alone(state: &StateDir) -> io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(state.path().join("serve.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(why)) => Err(why),
    }
}

/// Writes a file that a reader never sees half of.
fn whole(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension(format!("part-{}", std::process::id()));
    let written =
        File::create(&part).and_then(|mut file| file.write_all(text.as_bytes())).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The part file is of no use to anybody.
        let _gone = fs::remove_file(&part);
    }
    written
}

fn unlistened(address: SocketAddr, why: &io::Error) -> Failure {
    refused(format!("{address}: {why}"))
        .reason("cannot_listen")
        .hint("name a free port, or 0 for any: --listen 127.0.0.1:0")
}

fn refused(message: String) -> Failure {
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, message)
}
