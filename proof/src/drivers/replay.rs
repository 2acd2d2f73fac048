//! Scripts and flows: what is said before anything of them has run, and of a run as a whole.

use std::time::Duration;

use contract::{Command, Disclosed};
use daemon::client::{Client, Interrupt};
use flow::{Ask, Host, Place};
use replay::host::{DaemonHost, Way};
use stage::{FaultKind, Operation};

use super::Driver;
use crate::{
    program::{self, Program},
    seen::{Seen, Told},
    world::World,
};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(ReplayScriptUnreadable, |_world| {
        let program = Program::new();
        let script = program.folder().join("odd.ad");
        std::fs::write(&script, "open demo\npress lable=Save\n").expect("a script");
        let (code, told) = program.fails(&["replay", &script.display().to_string()]).await;
        assert_eq!(code, 2, "{:#}", told.error);
        assert!(told.message().contains("odd.ad:2:"), "{}", told.message());
        assert!(!program.state().socket().exists(), "a daemon was started for it");
        told.without_app()
    }),
    driver!(ReplayPlanChanged, |_world| {
        let program = Program::new();
        let script = program.folder().join("plan.ad");
        std::fs::write(&script, "open demo\npress label=Counter\n").expect("a script");
        let path = script.display().to_string();
        let digest = "0".repeat(64);
        let (code, told) = program.fails(&["replay", &path, "--from", "2", "--plan-digest", &digest]).await;
        assert_eq!(code, 2, "{:#}", told.error);
        told.without_app()
    }),
    driver!(ReplayStepFailedAfterOthers, |_world| {
        let world = World::start(Some(&program::path())).await;
        let session = world.on_ground().await;
        let script = world.folder().join("steps.ad");
        std::fs::write(&script, "press id=save\npress id=nowhere\n").expect("a script");
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the program");
        let program = Program::of_daemon(folder, world.state(), &world.recorder);
        let before = session.landed();
        let path = script.display().to_string();
        let (code, told) = program.fails(&["replay", &path, "--session", "ground"]).await;
        assert_eq!(code, 3, "{:#}", told.error);
        let step = &told.error["details"]["divergence"]["step"];
        assert_eq!(step["dispatched"], "no", "the step itself can be tried again: {step}");
        let seen = told.and(session.landed() - before, 1);
        assert_eq!(world.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ReplayFlowStepCut, |_world| {
        // The app is opened for the permission; the stage has none to give.
        let program = Program::new();
        let flow = program.folder().join("cut.yaml");
        std::fs::write(&flow, "appId: demo\n---\n- launchApp: {permissions: {camera: allow}}\n").expect("a flow");
        let (code, told) = program.fails(&["replay", &flow.display().to_string()]).await;
        assert_eq!(code, 3, "{:#}", told.error);
        let step = &told.error["details"]["divergence"]["step"];
        assert_eq!(step["dispatched"], "unknown", "the step itself has opened the app: {step}");
        program.end().await;
        told.and(1, 1).in_vain()
    }),
    driver!(ReplayDeferredSettleRefused, |_world| {
        let world = World::start(Some(&program::path())).await;
        let session = world.on_ground().await;
        let flow = world.folder().join("settle.yaml");
        std::fs::write(&flow, "appId: ground\n---\n- tapOn: {id: save}\n- assertNotVisible: Nowhere\n")
            .expect("a flow");
        let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the program");
        let program = Program::of_daemon(folder, world.state(), &world.recorder);
        let before = session.landed();
        // The first look is the press's own. A wait rides out a look that fails; one that panics ends the request.
        session.fault_at(2, Operation::Capture, FaultKind::Panic);
        let path = flow.display().to_string();
        let (code, told) = program.fails(&["replay", &path, "--session", "ground"]).await;
        assert_eq!(code, 3, "{:#}", told.error);
        let step = &told.error["details"]["divergence"]["step"];
        assert_eq!((&step["dispatched"], &step["line"]), (&"no".into(), &4.into()), "it is the look's step: {step}");
        assert!(told.message().contains("to rest after tapOn"), "{}", told.message());
        let seen = told.and(session.landed() - before, 1);
        assert_eq!(world.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ReplayNothingToExport, |_world| {
        let program = Program::new();
        let script = program.folder().join("looks.ad");
        std::fs::write(&script, "snapshot\n").expect("a script");
        let (code, told) = program.fails(&["replay", "export", &script.display().to_string()]).await;
        assert_eq!(code, 2, "{:#}", told.error);
        assert!(told.message().contains("line 1: a flow shows nothing of the screen"), "{}", told.message());
        assert!(!program.folder().join("looks.yaml").exists(), "a flow without steps is none");
        assert!(!program.state().socket().exists(), "a daemon was started for it");
        told.without_app()
    }),
    driver!(ReplayLimitPassed, |_world| { stopped(Duration::ZERO, false).await }),
    driver!(ReplayCancelled, |_world| { stopped(Duration::from_secs(60), true).await }),
];

/// A press of a run that is over, by its limit or by its caller.
async fn stopped(limit: Duration, cancelled: bool) -> Seen {
    let world = World::start(None).await;
    let session = world.on_ground().await;
    let before = session.landed();
    let interrupt = Interrupt::default();
    let mut client = Client::new(world.state().clone());
    client.interrupt = Some(interrupt.clone());
    let way = Way {
        client,
        session: Some("ground".to_owned()),
        workspace: None,
        platform: None,
        device: None,
        inputs: world.folder().to_owned(),
        outputs: world.folder().to_owned(),
        interrupt: interrupt.clone(),
    };
    if cancelled {
        interrupt.set();
    }
    let asked = tokio::task::spawn_blocking(move || press(way, limit)).await.expect("the host does not panic");
    let failed = asked.expect_err("a run that is over sends nothing");
    let error = serde_json::to_value(&failed).expect("a failure can be written");
    let seen = Told::of(&error).and(session.landed() - before, 0);
    assert_eq!(world.end().await, Vec::<String>::new());
    seen
}

fn press(way: Way, limit: Duration) -> Result<(), Disclosed> {
    let mut host = DaemonHost::new(way, limit, None);
    host.begin(&Place { file: "steps.ad".to_owned(), line: 1 }, "press id=save");
    let command = Command::from_line("press id=save").unwrap_or_else(|why| panic!("{why}"));
    host.ask(Ask::once(command)).map(|_| ())
}
