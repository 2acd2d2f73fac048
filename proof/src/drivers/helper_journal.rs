//! A lost reply of the helper: what its journal can still tell.

use super::Driver;
use crate::{adb_cut::AdbCut, android::Phone, seen::Told};

/// See the module.
pub const DRIVERS: &[Driver] = &[driver!(HelperJournalCompleted, |world| {
    let phone = Phone::on_ground(world).await;
    phone.proxy.cut(1, "helper:gesture", AdbCut::CutReply(0));
    let answer = phone.session.does("press id=save").await;
    assert_eq!(phone.proxy.struck(), 1, "{:?}", phone.proxy.seen());
    phone.saw_press(Told::resolved(&answer))
})];
