//! Failures after an earlier send of the same request.

use stage::{FaultKind, Operation};

use super::Driver;
use crate::{seen::Seen, world::World};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonSeriesLaterPressRefused, |world| {
        second_refused(world, "press id=save --count 3", Operation::Press, 3).await
    }),
    driver!(DaemonSeriesLaterSwipeRefused, |world| {
        second_refused(world, "swipe 200 600 200 300 --count 2", Operation::Swipe, 2).await
    }),
    driver!(DaemonDoubleTapSecondRefused, |world| {
        second_refused(world, "press id=save --double-tap", Operation::Press, 2).await
    }),
    driver!(DaemonTypeLaterChunkRefused, |world| {
        let session = world.on_ground().await;
        session.does("focus id=name").await;
        let before = session.effects("name").typed_chars;
        session.fault_at(2, Operation::Type, FaultKind::Refuse);
        let told = session.fails("type abc --delay-ms 1").await;
        told.and(session.effects("name").typed_chars - before, 3)
    }),
    driver!(DaemonFillMismatch, |world| {
        let session = world.on_ground().await;
        let told = session.fails("fill id=digits a1b2").await;
        assert_eq!((told.detail("expected"), told.detail("actual")), (&"a1b2".into(), &"12".into()), "both texts");
        told.and(session.effects("digits").fills, 1).in_vain()
    }),
    driver!(DaemonScrollUntilBeforeFirstPass, |world| {
        let session = world.session("ground");
        session.does(&format!("open {}", list_app(world).display())).await;
        let before = session.landed();
        session.fault_at(1, Operation::Capture, FaultKind::EmptyCapture);
        let told = session.fails("scroll down --until 'label=\"Row 40\"'").await;
        told.and(session.landed() - before, 12)
    }),
    driver!(DaemonScrollUntilLaterPassRefused, |world| {
        let session = world.session("ground");
        session.does(&format!("open {}", list_app(world).display())).await;
        let before = session.landed();
        session.fault_at(3, Operation::Scroll, FaultKind::Refuse);
        let told = session.fails("scroll down 0.1 --until 'label=\"Row 99\"'").await;
        told.and(session.landed() - before, 12).in_vain()
    }),
    driver!(DaemonScrollUntilNoProgress, |world| {
        let session = world.session("ground");
        session.does(&format!("open {}", list_app(world).display())).await;
        session.does("scroll bottom").await;
        let before = session.landed();
        let told = session.fails("scroll down --until 'label=\"Row 99\"'").await;
        told.and(session.landed() - before, 12).in_vain()
    }),
    driver!(DaemonBatchMutationThenRefusedStep, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails(r#"batch --steps '["press id=save", "press id=ghost"]'"#).await;
        assert_eq!((told.detail("step"), told.detail("stepRow")), (&2.into(), &"daemon.refusal.no-size".into()));
        told.and(session.landed() - before, 2)
    }),
    driver!(DaemonBatchReadThenRefusedStep, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails(r#"batch --steps '["snapshot", "press id=ghost"]'"#).await;
        told.and(session.landed() - before, 1)
    }),
    driver!(DaemonFindRefusedAfterFocus, |world| {
        let app = world.folder().join("shy.toml");
        // The focusing press leads to another screen: nothing takes the text any more.
        std::fs::write(&app, SHY).expect("the app can be written");
        let session = world.session("ground");
        session.does(&format!("open {}", app.display())).await;
        let before = session.landed();
        let told = session.fails("find label Shy type hello").await;
        told.and(session.landed() - before, 6).in_vain()
    }),
    driver!(DaemonRefusedAfterSend, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        // The text is filled in; every look that reads it back is refused.
        for nth in 2..10 {
            session.fault_at(nth, Operation::Look, FaultKind::Refuse);
        }
        let told = session.fails("fill id=name Robin").await;
        assert_eq!(session.effects("name").fills, 1);
        assert_eq!(told.detail("refusalRow"), "stage.refused", "{:#}", told.error);
        told.and(session.landed() - before, session.landed() - before)
    }),
];

/// A series on the ground app whose second send the device refuses.
async fn second_refused(world: &World, line: &str, operation: Operation, asked: u32) -> Seen {
    let session = world.on_ground().await;
    let before = session.landed();
    session.fault_at(2, operation, FaultKind::Refuse);
    let told = session.fails(line).await;
    let landed = session.landed() - before;
    assert_eq!(landed, 1, "the first reached the app, the second did not: {:?}", session.probe().log());
    told.and(landed, asked)
}

/// The ground app, starting with its list.
fn list_app(world: &World) -> std::path::PathBuf {
    let path = world.folder().join("list.toml");
    std::fs::write(&path, crate::world::GROUND.replacen("start = \"main\"", "start = \"list\"", 1))
        .expect("the app can be written");
    path
}

const SHY: &str = r#"
app = "shy"
title = "Shy"
start = "first"

[[screen]]
id = "first"
title = "First"

[[screen.element]]
role = "text-field"
id = "shy"
label = "Shy"
on_press = [{ goto = "second" }]

[[screen]]
id = "second"
title = "Second"

[[screen.element]]
role = "text"
label = "Nothing to type into"
"#;
