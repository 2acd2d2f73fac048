//! What the program says before or after it reached a daemon.

use std::path::Path;

use contract::request::{Welcome, method};
use cut::{At, Ending, Fault, Framing, Proxy, Side, Strike};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::UnixListener,
    task::JoinHandle,
};

use super::Driver;
use crate::{
    program::{self, Program},
    relay,
    seen::{Seen, Told},
    world::World,
};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(ClientUsage, |_world| { alone(&["press", "--frobnicate"], 2).await.without_app() }),
    driver!(ClientOutputUnwritable, |_world| {
        alone(&["screenshot", "--out", "/proc/no/such/folder/x.png"], 1).await.without_app()
    }),
    driver!(ClientDaemonNotStarted, |_world| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("a file");
        let program = Program::at(folder, &file.join("state"));
        let (code, told) = program.fails(&["press", "id=save"]).await;
        assert_eq!(code, 1);
        told.without_app()
    }),
    driver!(ClientVersionMismatch, |_world| {
        let program = Program::new();
        program.state().create().expect("a state folder");
        let other = daemon_of_another_version(&program.state().socket(), 1);
        let (code, told) = program.fails(&["press", "id=save"]).await;
        assert_eq!(code, 1);
        assert!(told.message().contains("0.0.0-other") && told.hint().contains("daemon stop"), "{:#}", told.error);
        other.abort();
        told.without_app()
    }),
    driver!(ClientReplyLost, |_world| {
        let (code, seen) = reply_dropped(&["press", "id=save", "--session", "ground"], 1).await;
        assert_eq!(code, 3, "it may have reached the device");
        assert_eq!(seen.truth.landed, 1, "the press is in effect and nobody says so");
        seen
    }),
    driver!(ClientLookLost, |_world| {
        let (code, seen) = reply_dropped(&["get", "text", "id=save", "--session", "ground"], 0).await;
        assert_eq!(code, 1, "to look again is safe");
        seen
    }),
    driver!(ClientRequestNotTaken, |_world| {
        let world = World::start(Some(&program::path())).await;
        let session = world.on_ground().await;
        let program = Program::new();
        program.state().create().expect("a state folder");
        let proxy = Proxy::unix(&program.state().socket(), &world.state().socket(), Framing::Lines);
        proxy.arm(Strike { at: At::label("run press", 1), fault: Fault::cut(Side::Request, 40, Ending::Fin) });
        let (code, told) = program.fails(&["press", "id=save", "--session", "ground"]).await;
        assert_eq!((code, proxy.struck()), (1, 1), "to press again is safe");
        let seen = told.and(session.landed(), 1);
        assert_eq!(world.end().await, Vec::<String>::new());
        seen
    }),
];

/// A call of the program that works, whose reply is lost on the way, and whom no daemon answers any more.
async fn reply_dropped(args: &[&str], asked: u32) -> (i32, Seen) {
    let world = World::start(Some(&program::path())).await;
    let session = world.on_ground().await;
    let before = session.landed();
    let program = Program::new();
    program.state().create().expect("a state folder");
    let dropped = relay::dropping_the_reply(&program.state().socket(), &world.state().socket());
    let (code, told) = program.fails(args).await;
    let reply = dropped.await.expect("the relay does not panic");
    assert!(reply.contains("\"result\""), "it worked, and its reply was dropped: {reply}");
    let seen = told.and(session.landed() - before, asked);
    assert_eq!(world.end().await, Vec::<String>::new());
    (code, seen)
}

/// A call that fails with this exit code before it asks anybody.
async fn alone(args: &[&str], code: i32) -> Told {
    let program = Program::new();
    let (ended, told) = program.fails(args).await;
    assert_eq!(ended, code, "{:#}", told.error);
    assert!(!program.state().socket().exists(), "a daemon was started for it");
    told
}

/// Listens where a daemon would and says that it is another version, with `sessions` open. Ends, and gives up the
/// socket, when it is told to stop.
pub fn daemon_of_another_version(socket: &Path, sessions: u32) -> JoinHandle<()> {
    let listener = UnixListener::bind(socket).expect("the socket can be bound");
    let socket = socket.to_owned();
    let welcome = Welcome {
        version: "0.0.0-other".into(),
        build: "other".into(),
        instance: "other".into(),
        pid: std::process::id(),
        sessions,
        accepted: false,
    };
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.expect("a client connects");
            let mut stream = BufReader::new(stream);
            let mut text = String::new();
            while stream.read_line(&mut text).await.is_ok_and(|count| count > 0) {
                let request: Value = serde_json::from_str(&text).expect("a client speaks JSON");
                let stops = request["method"] == method::RUN && request["params"]["command"] == "daemon";
                let result = if stops { json!({"data": {"stopped": true}}) } else { json!(welcome) };
                let reply = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
                // A client that has read enough is no concern here.
                let _gone = stream.get_mut().write_all(format!("{reply}\n").as_bytes()).await;
                if stops {
                    std::fs::remove_file(&socket).expect("the socket is there");
                    return;
                }
                text.clear();
            }
        }
    })
}
