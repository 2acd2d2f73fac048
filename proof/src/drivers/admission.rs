//! Sessions, devices, leases, the daemon's own end.

use std::time::Duration;

use contract::{Row, request::method};
use stage::{FaultKind, Operation};

use super::Driver;
use crate::patience::until;

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonAdmissionSessionNotFound, |world| {
        world.session("none").fails("press id=save").await.without_app()
    }),
    driver!(DaemonAdmissionDeviceNotFound, |world| {
        world.session("a").fails("open ./no/such/thing").await.under(Row::DaemonAdmissionDeviceNotFound);
        world.session("a").on("stage-99").fails("open demo").await.without_app()
    }),
    driver!(DaemonAdmissionDeviceInUse, |world| {
        let (first, second) = (world.session("first").on("stage-1"), world.session("second").on("stage-1"));
        first.does("open demo").await;
        let told = second.fails("open demo").await;
        assert!(told.hint().contains("close --session first"), "says how to release it: {:#}", told.error);
        assert_eq!(told.detail("holder")["session"], "first");
        first.does("close").await;
        second.does("open demo").await;
        told.without_app()
    }),
    driver!(DaemonAdmissionUnsupportedOperation, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fails("press id=save --button secondary").await.under(Row::DaemonAdmissionUnsupportedOperation);
        session.fails("windows").await.and(session.landed() - before, 1)
    }),
    driver!(DaemonAdmissionOpenConflict, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fails("open http://localhost:1/").await.and(session.landed() - before, 1)
    }),
    driver!(DaemonAdmissionShuttingDown, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.slow(Operation::Press, FaultKind::Delay, Duration::from_millis(400));
        let mut line = world.line().await;
        // A connection with a request under way is still read when the daemon is told to stop.
        let first = line.send(method::RUN, &session.request("press id=save")).await;
        until("the press is under way", || session.struck() == 1).await;
        world.router.stop.cancel();
        let other = world.session("other").request("press id=save");
        let second = line.send(method::RUN, &other).await;
        let refused = line.reply().await.expect("the daemon still answers");
        let pressed = line.reply().await.expect("what was under way is ended and answered");
        assert_eq!((refused.id, pressed.id), (second, first));
        pressed.outcome.expect("the press under way was not torn");
        let told = refused.outcome.expect_err("a daemon that ends takes nothing new");
        told.and(session.landed() - before - 1, 1)
    }),
    driver!(DaemonAdmissionStorage, |world| {
        std::fs::write(world.state().path().join("sessions"), "a file where a folder should be").expect("a file");
        world.session("a").fails(&format!("open {}", world.ground().display())).await.without_app()
    }),
];
