//! Cancellation, deadlines, panics, and what nobody classified.

use std::time::Duration;

use contract::request::method;
use stage::{FaultKind, Operation};

use super::Driver;
use crate::patience::until;

/// Long enough for another connection to be served meanwhile.
const SLOW: Duration = Duration::from_millis(300);

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonCancelledBeforeSend, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.slow(Operation::Press, FaultKind::Delay, SLOW);
        let mut busy = world.line().await;
        busy.send(method::RUN, &session.request("press id=save")).await;
        until("the first press is under way", || session.struck() == 1).await;
        let waiting = session.request("press id=save");
        let mut gone = world.line().await;
        gone.send(method::RUN, &waiting).await;
        until("the second press waits for its turn", || world.router.requests.again(&waiting.request_id).is_some())
            .await;
        drop(gone);
        let told = world.result_of(&waiting.request_id).await.expect_err("nobody waits for it");
        busy.reply().await.expect("the first is answered").outcome.expect("the first press works");
        told.and(session.landed() - before - 1, 1)
    }),
    driver!(DaemonCancelledAfterSend, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.slow(Operation::Press, FaultKind::Delay, SLOW);
        let series = session.request("press id=save --count 2 --interval-ms 1");
        let mut gone = world.line().await;
        gone.send(method::RUN, &series).await;
        until("the first press is under way", || session.struck() == 1).await;
        drop(gone);
        let told = world.result_of(&series.request_id).await.expect_err("the rest is not sent for nobody");
        let landed = session.landed() - before;
        assert_eq!(landed, 1, "the press in flight is joined, the next is not begun");
        told.and(landed, 2)
    }),
    driver!(DaemonDeadlineBeforeSend, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.slow(Operation::Press, FaultKind::Delay, SLOW * 2);
        let mut busy = world.line().await;
        busy.send(method::RUN, &session.request("press id=save")).await;
        until("the first press is under way", || session.struck() == 1).await;
        let told = session.fails_at(&session.within(50, "press id=save")).await;
        assert_eq!(told.code, "TIMEOUT");
        busy.reply().await.expect("the first is answered").outcome.expect("the first press works");
        told.and(session.landed() - before - 1, 1)
    }),
    driver!(DaemonDeadlineAfterSend, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails_at(&session.within(400, "press id=save --count 2 --interval-ms 5000")).await;
        assert_eq!(told.code, "TIMEOUT");
        told.and(session.landed() - before, 2)
    }),
    driver!(DaemonUnclassified, |world| {
        let session = world.session("plain");
        session.does("open plain:app").await;
        session.fails("press 10 10").await.and(world.plain.pressed(), 1)
    }),
    driver!(DaemonPanicked, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fault_at(1, Operation::Press, FaultKind::Panic);
        let told = session.fails("press id=save").await;
        let landed = session.landed() - before;
        session.does("press id=save").await;
        assert_eq!(session.effects("save").presses, 2, "the daemon and the session go on");
        told.and(landed, 1)
    }),
];
