//! The connection to the helper's session, and what the helper says of a command.

use std::sync::Arc;

use android_lab::{Act, Moment, Trap};
use contract::Row;
use tokio::sync::Notify;

use super::{Driver, helper_journal::LIFT};
use crate::{
    adb_cut::AdbCut,
    android::{GROUND, Phone},
    patience::until,
    seen::{Seen, Told},
    world::World,
};

/// Connections to the helper that one command can come to at most.
const ALL: std::ops::RangeInclusive<u32> = 1..=12;

/// How often a reset may come too late.
const TRIES: u32 = 20;

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(HelperSessionGone, |world| {
        let phone = Phone::on_ground(world).await;
        let press = format!("press {}", phone.point_of("save").await);
        // Nothing listens, nor where the helper that is started instead said that it would: adb's own word for it.
        ALL.for_each(|nth| phone.proxy.cut(nth, "tcp:", AdbCut::Fail("closed".to_owned())));
        let told = phone.session.fails(&press).await;
        assert_eq!(phone.proxy.handed_on("helper:gesture"), 0);
        phone.saw_press(told)
    }),
    driver!(HelperNotWritten, |world| {
        let phone = Phone::on_ground(world).await;
        let press = format!("press {}", phone.point_of("save").await);
        // The reset may come a moment too late, when the press was written to a connection that leads nowhere: then the
        // journal comes to the same, and it is tried again.
        for _ in 0..TRIES {
            (1..=2).for_each(|nth| phone.proxy.cut(nth, "tcp:", AdbCut::OpenAndReset));
            let told = phone.session.fails(&press).await;
            assert_eq!(phone.proxy.handed_on("helper:gesture"), 0);
            if told.row.as_deref() == Some(Row::HelperNotWritten.id()) {
                return phone.saw_press(told);
            }
            told.under(Row::HelperJournalNeverAccepted);
        }
        panic!("the reset came too late {TRIES} times")
    }),
    driver!(HelperReplyLost, |world| {
        let phone = with_an_old_helper(world).await;
        phone.proxy.cut(1, "helper:gesture", AdbCut::CutReply(0));
        let told = phone.session.fails("press id=save").await;
        landed(&phone, told).await
    }),
    driver!(HelperTimeoutAfterSend, |world| {
        let phone = with_an_old_helper(world).await;
        phone.proxy.cut(1, "helper:gesture", AdbCut::Stall);
        let told = phone.session.fails_at(&phone.session.within(3_000, "press id=save")).await;
        landed(&phone, told).await
    }),
    driver!(HelperReplyUnreadable, |world| {
        let phone = with_an_old_helper(world).await;
        let other = AdbCut::Alter(b"requestId=gesture-", b"requestId=another-");
        phone.proxy.cut(1, "helper:gesture", other);
        let told = phone.session.fails("press id=save").await;
        landed(&phone, told).await
    }),
    driver!(HelperLookLost, |world| {
        let phone = Phone::on_ground(world).await;
        // Also the look that the helper is asked for again, after it was started anew.
        phone.proxy.cut(1, "helper:snapshot", AdbCut::CutReply(100));
        phone.proxy.cut(2, "helper:snapshot", AdbCut::CutReply(100));
        let told = phone.session.fails("snapshot").await;
        assert_eq!(phone.proxy.struck(), 2);
        phone.saw_press(told)
    }),
    driver!(HelperCommandRefused, |world| {
        let phone = Phone::on_ground(world).await;
        // The button flees from the finger, and again from the second look.
        let (first, second) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        phone.proxy.cut(1, "helper:gesture", AdbCut::Hold(first.clone()));
        phone.proxy.cut(2, "helper:gesture", AdbCut::Hold(second.clone()));
        let flight = async {
            until("the press is on its way", || sent(&phone, "helper:gesture") == 1).await;
            phone.narrow("save", 2);
            first.notify_one();
            until("it is tried once more", || sent(&phone, "helper:gesture") == 2).await;
            phone.narrow("save", 0);
            second.notify_one();
        };
        let told = tokio::join!(phone.session.fails("press id=save"), flight).0;
        assert_eq!(told.code, "ELEMENT_OFFSCREEN", "{:#}", told.error);
        phone.saw_press(told)
    }),
    driver!(HelperCommandFailed, |world| {
        let phone = Phone::on_ground(world).await;
        let refusal = Act::Throw("Injecting to another application requires INJECT_EVENTS permission".to_owned());
        phone.device.trap(&Trap::new("inject", LIFT, Moment::After, refusal));
        let told = phone.session.fails("press id=save").await;
        assert!(told.message().contains("INJECT_EVENTS"), "names what the system said: {:#}", told.error);
        landed(&phone, told).await
    }),
    driver!(HelperDeadlinePassed, |world| {
        let phone = Phone::on_ground(world).await;
        let at = phone.point_of("save").await;
        // The helper is still at an earlier command: that one has its turn.
        let held = Trap::new("inject", 2, Moment::Before, Act::Hold);
        phone.device.trap(&held);
        phone
            .session
            .fails_at(&phone.session.within(3_000, &format!("press {at}")))
            .await
            .under(Row::HelperJournalInFlight);
        let told = phone.session.fails_at(&phone.session.within(3_000, &format!("longpress {at} 1000"))).await;
        assert_eq!(told.code, "TIMEOUT");
        held.release();
        until("the first press ends", || phone.presses("save") > 0).await;
        // Whatever else the helper was to do has its turn before this.
        phone.session.does("snapshot").await;
        told.and(phone.presses("save") - 1, 1)
    }),
    driver!(HelperNodeGone, |world| {
        let phone = Phone::on_ground(world).await;
        let arrives = Arc::new(Notify::new());
        phone.proxy.cut(1, "helper:gesture", AdbCut::Hold(arrives.clone()));
        let leaving = async {
            until("the press is on its way", || sent(&phone, "helper:gesture") == 1).await;
            phone.remove("save");
            arrives.notify_one();
        };
        let told = tokio::join!(phone.session.fails("press id=save"), leaving).0;
        assert_eq!(told.code, "ELEMENT_NOT_FOUND");
        phone.saw_press(told)
    }),
];

/// A device whose helper names none of its extensions, as the published one does: it has no journal to be asked.
async fn with_an_old_helper(world: &World) -> Phone<'_> {
    let phone = Phone::attached(world).await;
    phone.proxy.cut(
        1,
        "shell,v2,raw:*am instrument",
        AdbCut::Alter(b"agentDeviceExtensions=", b"agentDeviceExtension_="),
    );
    phone.session.does(&format!("open {GROUND}")).await;
    phone.session.does("snapshot -i").await;
    assert_eq!(phone.proxy.struck(), 1);
    phone
}

/// What the caller was told of a press that took effect, although its answer never came.
async fn landed(phone: &Phone<'_>, told: Told) -> Seen {
    until("the press is in effect", || phone.presses("save") > 0).await;
    assert_eq!(phone.proxy.handed_on("helper:gesture"), 1, "sent once");
    phone.saw_press(told)
}

fn sent(phone: &Phone<'_>, word: &str) -> usize {
    phone.proxy.seen().iter().filter(|seen| seen.starts_with(word)).count()
}
