//! The line to an Android device: what is lost, late or unreadable on it. A press goes over adb's shell where the helper
//! cannot be kept running; it is sent once, whatever becomes of its answer.

use super::Driver;
use crate::{
    adb_cut::AdbCut,
    android::{GROUND, Phone},
    patience::until,
    seen::{Seen, Told},
    world::World,
};

/// The word of a press that runs the helper once.
const PRESS: &str = "shell,v2,raw:am instrument*-e mode gesture";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(AdbServiceRefused, |_world| {
        press(|phone| {
            // The line breaks when the request went to the device and not a byte came back: the server calls it closed.
            phone.device.link().cut_reply(b"mode gesture", 0);
            None
        })
        .await
    }),
    driver!(AdbReplyLost, |_world| { landed(press(|_| Some(AdbCut::CutReply(0))).await) }),
    driver!(AdbTimeoutAfterSend, |_world| { landed(press(|_| Some(AdbCut::Stall)).await) }),
    driver!(AdbReplyUnreadable, |_world| { landed(press(|_| Some(AdbCut::Garble)).await) }),
    driver!(AdbLookLost, |world| {
        let phone = Phone::on_ground(world).await;
        // The look that comes before the change.
        phone.proxy.cut(1, "shell,v2,raw:*get-current-user", AdbCut::CutReply(0));
        let told = phone.session.fails("settings permission grant camera").await;
        assert_eq!(phone.proxy.struck(), 1);
        let granted = phone.device.granted(GROUND).len();
        told.and(u32::try_from(granted).expect("a few"), 1)
    }),
    driver!(AdbLookFailed, |world| {
        let phone = Phone::attached(world).await;
        let file = world.folder().join("fetched");
        let told = phone.session.fails(&format!("pull /data/local/tmp/none {}", file.display())).await;
        assert!(!file.exists(), "nothing is written here either");
        told.without_app()
    }),
    driver!(AdbCommandFailed, |world| {
        let phone = Phone::attached(world).await;
        // The app is installed, and what it is made of is gone: `am start` fails after it began.
        std::fs::remove_file(world.ground()).expect("the app's file");
        let told = phone.session.fails(&format!("open {GROUND}")).await;
        assert_eq!(phone.ran(&["am", "start"]), 1, "started once: {:?}", phone.device.commands());
        told.and(u32::from(phone.device.front() == GROUND), 1)
    }),
];

/// One press over adb's shell that fails: sent once.
async fn press(arm: impl FnOnce(&Phone<'_>) -> Option<AdbCut>) -> Seen {
    let world = World::without_helper_sessions().await;
    let phone = Phone::on_ground(&world).await;
    if let Some(cut) = arm(&phone) {
        phone.proxy.cut(1, PRESS, cut);
    }
    let told: Told = phone.session.fails_at(&phone.session.within(6_000, "press id=save")).await;
    assert_eq!(phone.proxy.handed_on(PRESS), 1, "sent once: {:?}", phone.proxy.seen());
    if phone.proxy.struck() == 1 {
        until("the press is in effect", || phone.presses("save") > 0).await;
    }
    let seen = phone.saw_press(told);
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
    seen
}

/// The press is in effect although its answer never came back whole.
fn landed(seen: Seen) -> Seen {
    assert_eq!(seen.truth.landed, 1, "{seen:#?}");
    seen
}
