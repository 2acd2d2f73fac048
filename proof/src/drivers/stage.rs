//! The simulated device: refusals, lost and late replies.

use std::time::Duration;

use stage::{FaultKind, Operation};

use super::Driver;
use crate::{
    patience::until,
    seen::{Seen, Told},
    world::World,
};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(StageScriptInvalid, |world| {
        let app = world.folder().join("broken.toml");
        std::fs::write(&app, "app = \"broken\"\ntitle = 7\n").expect("a file");
        let session = world.session("a");
        session
            .fails(&format!("open {}", world.folder().join("missing.toml").display()))
            .await
            .under(contract::Row::StageScriptInvalid);
        session.fails(&format!("open {}", app.display())).await.without_app()
    }),
    driver!(StageRefused, |world| { one_press(world, FaultKind::Refuse, 0).await }),
    driver!(StageJournalCompleted, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fault(Operation::Press, FaultKind::DropReplyAfterEffect);
        let answer = session.does("press id=save").await;
        assert_eq!(session.struck(), 1, "sent once");
        Told::resolved(&answer).and(session.landed() - before, 1)
    }),
    driver!(StageJournalNeverAccepted, |world| { one_press(world, FaultKind::DropReplyBeforeEffect, 0).await }),
    driver!(StageJournalRestarted, |world| {
        // Whichever it was, nobody can say: the answers are the same.
        one_press(world, FaultKind::RestartBeforeEffect, 0).await;
        one_press(world, FaultKind::RestartAfterEffect, 1).await
    }),
    driver!(StageReplyLostBeforeEffect, |world| {
        one_press_unasked(world, FaultKind::DropReplyBeforeEffect, FaultKind::DropReplyBeforeEffect, 0).await
    }),
    driver!(StageReplyLostAfterEffect, |world| {
        one_press_unasked(world, FaultKind::DropReplyAfterEffect, FaultKind::Refuse, 1).await
    }),
    driver!(StageDelayedPastDeadline, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.slow(Operation::Press, FaultKind::Delay, Duration::from_millis(700));
        let told = session.fails_at(&session.within(300, "press id=save")).await;
        until("the late press takes effect after the caller was told", || session.landed() > before).await;
        told.and(session.landed() - before, 1)
    }),
];

/// One press under a fault, which must reach the app so many times and must not be sent again.
async fn one_press(world: &World, kind: FaultKind, landed: u32) -> Seen {
    let session = world.on_ground().await;
    session.probe().faults().clear();
    let (before, struck) = (session.landed(), session.struck());
    session.fault(Operation::Press, kind);
    let told = session.fails("press id=save").await;
    assert_eq!(session.struck() - struck, 1, "sent once");
    assert_eq!(session.landed() - before, landed, "{:?}", session.probe().log());
    told.and(landed, 1)
}

/// The same on a device whose journal cannot be asked either.
async fn one_press_unasked(world: &World, kind: FaultKind, asked: FaultKind, landed: u32) -> Seen {
    let session = world.on_ground().await;
    let before = session.landed();
    session.fault(Operation::Press, kind);
    session.fault(Operation::Status, asked);
    let told = session.fails("press id=save").await;
    assert!(session.struck() > 1, "the journal was asked");
    assert_eq!(session.landed() - before, landed, "{:?}", session.probe().log());
    told.and(landed, 1)
}
