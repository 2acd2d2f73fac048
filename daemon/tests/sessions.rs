//! Which sessions there are, and whose turn it is, over the simulated device.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{sync::Arc, time::Duration};

use contract::{Code, Command, Request, Response};
use daemon::{router::Router, state_dir::StateDir};
use stage::StageProvider;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use wire::Context;

struct World {
    router: Arc<Router>,
    _folder: TempDir,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let state = StateDir::find(Some(folder.path())).unwrap();
    state.create().unwrap();
    World { router: Arc::new(Router::new(state, vec![Arc::new(StageProvider::new())])), _folder: folder }
}

impl World {
    async fn run(&self, session: &str, id: &str, line: &str) -> Response {
        let command = Command::from_line(line).unwrap();
        let request = Request { session: Some(session.to_owned()), ..Request::new(id, &command) };
        self.router.answer(request, CancellationToken::new()).await
    }
}

#[tokio::test]
async fn what_is_open_is_listed_until_it_is_closed() {
    let world = world();
    assert_eq!((world.router.sessions.list().len(), world.router.sessions.in_use()), (0, 0));
    world.run("b", "1", "open demo").await.unwrap();
    world.run("a", "2", "open demo").await.unwrap();
    let listed = world.router.sessions.list();
    let names: Vec<_> = listed.iter().map(|row| (row.name.as_str(), row.app.as_str(), row.busy)).collect();
    assert_eq!(names, [("a", "demo", false), ("b", "demo", false)]);
    assert!(listed.iter().all(|row| row.used_ms >= row.opened_ms && row.opened_ms > 0));
    assert_eq!(world.router.sessions.in_use(), 2);
    let mut held = world.router.sessions.slot("b").take(&Context::with_limit(Duration::from_secs(5))).await.unwrap();
    assert_eq!(held.get().map(|session| session.app.as_str()), Some("demo"));
    let busy: Vec<_> = world.router.sessions.list().iter().map(|row| row.busy).collect();
    assert_eq!(busy, [false, true]);
    drop(held);
    world.run("a", "3", "close").await.unwrap();
    let names: Vec<_> = world.router.sessions.list().into_iter().map(|row| row.name).collect();
    assert_eq!((names, world.router.sessions.in_use()), (vec!["b".to_owned()], 1));
    let failed = world.run("a", "4", "snapshot").await.unwrap_err();
    assert_eq!(failed.failure().code, Code::SessionNotFound);
    assert!(failed.failure().hint.as_deref().unwrap().contains("open sessions: b"));
}

#[tokio::test]
async fn a_ref_of_a_closed_session_names_nothing_in_the_next_one_of_its_name() {
    let world = world();
    for (id, line) in [("1", "open demo"), ("2", "snapshot -i"), ("3", "close"), ("4", "open demo")] {
        world.run("a", id, line).await.unwrap();
    }
    for id in ["5", "7"] {
        let refused = world.run("a", id, "press @e1").await.unwrap_err();
        assert_eq!(refused.failure().reason_str(), Some("ref_expired"), "{}", refused.failure().message);
        world.run("a", &format!("{id} look"), "snapshot -i").await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn one_command_at_a_time_in_a_session_and_the_next_one_waits_no_longer_than_its_limit() {
    let world = world();
    let slot = world.router.sessions.slot("a");
    assert!(Arc::ptr_eq(&slot, &world.router.sessions.slot("a")), "one place for a name");
    let held = slot.take(&Context::with_limit(Duration::from_secs(1))).await.unwrap();
    assert_eq!(world.router.sessions.in_use(), 1, "a place that is held is in use before anything is open");

    let late = slot.take(&Context::with_limit(Duration::from_secs(1))).await.unwrap_err();
    assert_eq!(late.code, Code::Timeout);
    let gone = Context::with_limit(Duration::from_secs(1));
    gone.cancel.cancel();
    assert_eq!(slot.take(&gone).await.unwrap_err().code, Code::Cancelled);
    assert_eq!(world.router.sessions.in_use(), 1, "who gave up does not wait any more");

    let waiting = slot.clone();
    let next = tokio::spawn(async move { waiting.take(&Context::with_limit(Duration::from_secs(60))).await.is_ok() });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!next.is_finished());
    drop(held);
    assert!(next.await.unwrap());
    world.router.sessions.prune();
    assert_eq!(world.router.sessions.in_use(), 0);
}

#[tokio::test]
async fn a_place_that_nobody_needs_is_forgotten_and_one_in_use_is_not() {
    let world = world();
    world.run("open", "1", "open demo").await.unwrap();
    let open = world.router.sessions.slot("open");
    let (kept, empty) = (Arc::downgrade(&open), Arc::downgrade(&world.router.sessions.slot("empty")));
    let held = world.router.sessions.slot("held");
    drop(open);
    world.router.sessions.prune();
    assert!(empty.upgrade().is_none(), "nothing is open there");
    assert!(kept.upgrade().is_some());
    assert!(Arc::ptr_eq(&held, &world.router.sessions.slot("held")));
}
