//! Captures that are no screen.

use serde_json::Value;

use super::Driver;
use crate::{adb_cut::AdbCut, android::Phone};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(HelperCaptureIncomplete, |world| {
        let phone = Phone::on_ground(world).await;
        phone.device.edit_scene(|scene| {
            scene["activeRootGone"] = true.into();
            for window in windows(scene).iter_mut().filter(|window| window["type"] == "application") {
                window.as_object_mut().expect("a window").remove("root");
            }
        });
        let told = phone.session.fails("press id=save").await;
        phone.saw_press(told)
    }),
    driver!(HelperCaptureWithoutApp, |world| {
        let phone = Phone::on_ground(world).await;
        phone.device.edit_scene(|scene| windows(scene).retain(|window| window["type"] == "system"));
        let told = phone.session.fails("press id=save").await;
        phone.saw_press(told)
    }),
    driver!(HelperCaptureUnreadable, |world| {
        let phone = Phone::on_ground(world).await;
        // The document never ends. The real helper ends what it writes.
        (1..=40)
            .for_each(|nth| phone.proxy.cut(nth, "helper:snapshot", AdbCut::Alter(b"</hierarchy>", b"<hierarchy/>")));
        let told = phone.session.fails("press id=save").await;
        phone.saw_press(told)
    }),
];

fn windows(scene: &mut Value) -> &mut Vec<Value> {
    scene["windows"].as_array_mut().expect("windows")
}
