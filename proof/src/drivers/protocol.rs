//! Lines on the socket, request ids.

use std::{os::unix::fs::PermissionsExt, process::Stdio};

use contract::{
    Request,
    request::{LINE_LIMIT, method},
};
use daemon::{
    client::DAEMON_WORD,
    state_dir::{STATE_DIR_VARIABLE, StateDir},
};
use serde_json::json;

use super::Driver;
use crate::{line::Line, patience::until, program, seen::Told, world::World};

/// The user that owns nothing, on Linux and macOS alike in being somebody else.
const NOBODY: u32 = 65_534;

/// How long a connection that is taken stays silent before the next is tried.
const QUIET: std::time::Duration = std::time::Duration::from_millis(5);

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonProtocolOtherUser, |world| { other_users_daemon(world).await.without_app() }),
    driver!(DaemonProtocolTooManyConnections, |world| {
        let session = world.on_ground().await;
        let mut open = Vec::new();
        let told = loop {
            let mut line = world.raw_line().await;
            // Only who is turned away is spoken to first.
            match tokio::time::timeout(QUIET, line.reply()).await {
                Err(_) => open.push(line),
                Ok(reply) => break reply.expect("it says why").outcome.expect_err("it is a refusal"),
            }
            assert!(open.len() < 2000, "connections are taken without end");
        };
        drop(open);
        // Their places come free as the daemon notices that they are gone.
        let mut tries = 0;
        while tokio::time::timeout(QUIET, world.raw_line().await.reply()).await.is_ok() {
            tries += 1;
            assert!(tries < 2000, "places never come free");
        }
        session.does("press id=save").await;
        told.and(session.landed() - 1, 0)
    }),
    driver!(DaemonProtocolBadLine, |world| {
        let garbage = answer_to(world, b"\x00\xff{{{ not a request\n").await;
        let unfitting =
            answer_to(world, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"run\",\"params\":{\"requestId\":7}}\n").await;
        unfitting.under(contract::Row::DaemonProtocolBadLine);
        garbage.without_app()
    }),
    driver!(DaemonProtocolLineTooLong, |world| { answer_to(world, &vec![b'x'; LINE_LIMIT + 2]).await.without_app() }),
    driver!(DaemonProtocolUnknownMethod, |world| {
        world.line().await.call("frobnicate", &json!({})).await.expect_err("there is no such method").without_app()
    }),
    driver!(DaemonProtocolUnknownCommand, |world| {
        let session = world.on_ground().await;
        let told = session.fails_at(&Request { command: "presss".into(), ..session.request("press id=save") }).await;
        assert!(told.hint().contains("press"), "{:#}", told.error);
        told.and(session.landed(), 0)
    }),
    driver!(DaemonProtocolBadArguments, |world| {
        let session = world.on_ground().await;
        let mut request = session.request("press id=save");
        request.args["tareget"] = request.args["target"].take();
        session.fails_at(&request).await.and(session.landed(), 0)
    }),
    driver!(DaemonProtocolVersionMismatch, |world| {
        let session = world.on_ground().await;
        let mut line = world.raw_line().await;
        let welcome = line.call(method::HELLO, &json!({"version": "0.0.0-other"})).await.expect("a hello is answered");
        assert_eq!(welcome["accepted"], false);
        let told =
            line.call(method::RUN, &session.request("press id=save")).await.expect_err("another version is refused");
        told.and(session.landed(), 1)
    }),
    driver!(DaemonProtocolRequestIdReused, |world| {
        let session = world.on_ground().await;
        let first = session.request("press id=save");
        world.run(&first).await.expect("the first of that id works");
        let before = session.landed();
        let second = Request { request_id: first.request_id.clone(), ..session.request("press id=leave") };
        session.fails_at(&second).await.and(session.landed() - before, 1)
    }),
    driver!(DaemonProtocolResultForgotten, |world| {
        let session = world.on_ground().await;
        let first = session.request("press id=save");
        world.run(&first).await.expect("the first of that id works");
        for _ in 0..600 {
            session.does("press id=save").await;
        }
        let before = session.landed();
        session.fails_at(&first).await.and(session.landed() - before, 1)
    }),
    driver!(DaemonProtocolRequestNotSeen, |world| {
        world.result_of("never-sent").await.expect_err("nobody sent it").without_app()
    }),
    driver!(DaemonProtocolRequestWithdrawn, |world| {
        let session = world.on_ground().await;
        let late = session.request("press id=save");
        let unseen = world.result_of(&late.request_id).await.expect_err("it was not sent yet");
        unseen.under(contract::Row::DaemonProtocolRequestNotSeen);
        session.fails_at(&late).await.and(session.landed(), 1)
    }),
];

/// What the daemon of somebody else says to this user, whom the file system lets through.
async fn other_users_daemon(world: &World) -> Told {
    let folder = world.folder().join("theirs");
    let state = StateDir::find(Some(&folder.join("state"))).expect("a state folder");
    std::fs::create_dir(&folder).expect("a folder");
    for path in [world.folder(), folder.as_path()] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("others may pass");
    }
    let program = folder.join("agent-device");
    std::fs::copy(program::path(), &program).expect("the program can be copied to where they may read it");
    std::os::unix::fs::chown(&folder, Some(NOBODY), None).expect("this needs the rights of root");
    let mut daemon = tokio::process::Command::new(&program)
        .arg(DAEMON_WORD)
        .env(STATE_DIR_VARIABLE, state.path())
        .current_dir("/")
        .uid(NOBODY)
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    until("their daemon to listen", || state.socket().exists()).await;
    let mut line = Line::raw(&state.socket(), &world.recorder).await;
    let told = line.reply().await.expect("the daemon says why").outcome.expect_err("nobody else is served");
    assert_eq!(line.reply().await, None, "and then it closes the connection");
    daemon.kill().await.expect("it can be ended");
    told
}

async fn answer_to(world: &World, bytes: &[u8]) -> Told {
    let mut line = world.line().await;
    line.write(bytes).await;
    line.reply().await.expect("the daemon says what is wrong").outcome.expect_err("this is no request")
}
