//! Installing and starting the helper, and running it once where it cannot be kept running.

use android_lab::{Act, Moment, Trap};

use super::{Driver, helper_journal::LIFT};
use crate::{
    android::{GROUND, HELPER, Phone},
    patience::until,
    seen::Seen,
    world::World,
};

/// What Android says to a second program that wants to automate the device.
const TAKEN: &str =
    "UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1already registered!";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(HelperInstallRefused, |world| {
        let phone = Phone::attached(world).await;
        phone.device.fail_install("INSTALL_FAILED_INSUFFICIENT_STORAGE: Failed to override installation location");
        let told = phone.session.fails(&format!("open {GROUND}")).await;
        assert_eq!(told.detail("installCode"), "INSTALL_FAILED_INSUFFICIENT_STORAGE");
        assert_ne!(phone.device.front(), GROUND, "nor was the app started");
        told.and(phone.ran(&["am", "start"]), 1)
    }),
    driver!(HelperOccupied, |world| {
        let phone = Phone::attached(world).await;
        phone.device.trap(&Trap::new("connect", 1, Moment::Before, Act::Throw(TAKEN.to_owned())));
        phone.session.does(&format!("open {GROUND}")).await;
        let told = phone.session.fails("snapshot").await;
        assert!(told.hint().contains("automates the device"), "{:#}", told.error);
        phone.saw_press(told)
    }),
    driver!(HelperStartFailed, |world| {
        let phone = with_a_helper_that_does_not_start(world).await;
        let told = phone.session.fails(&format!("press {}", phone.point_of("save").await)).await;
        phone.saw_press(told)
    }),
    driver!(HelperCoolingDown, |world| {
        let phone = with_a_helper_that_does_not_start(world).await;
        let press = format!("press {}", phone.point_of("save").await);
        phone.session.fails(&press).await.under(contract::Row::HelperStartFailed);
        let tried = phone.ran(&["am", "instrument"]);
        let told = phone.session.fails(&press).await;
        assert_eq!(phone.ran(&["am", "instrument"]), tried, "it is not tried again yet");
        phone.saw_press(told)
    }),
    driver!(HelperOneShotNoResult, |_world| {
        one_press_by_a_single_run(async |phone| {
            let held = Trap::new("inject", 2, Moment::Before, Act::Hold);
            phone.device.trap(&held);
            let killing = async {
                held.springs().await;
                phone.device.kill_command("am");
            };
            let told = tokio::join!(phone.session.fails("press id=save"), killing).0;
            // An instrumentation does not end with the program that started it.
            held.release();
            until("the press ends after the caller was told", || phone.presses("save") > 0).await;
            phone.saw_press(told)
        })
        .await
    }),
    driver!(HelperOneShotCrashed, |_world| {
        one_press_by_a_single_run(async |phone| {
            phone.device.trap(&Trap::new("inject", LIFT, Moment::After, Act::Kill));
            let told = phone.session.fails("press id=save").await;
            phone.saw_press(told)
        })
        .await
    }),
];

/// A device on which the helper ran, and cannot be started again: the system knows no instrumentation of it any more.
async fn with_a_helper_that_does_not_start(world: &World) -> Phone<'_> {
    let phone = Phone::on_ground(world).await;
    phone.device.hide_instrumentations(HELPER);
    phone.device.kill_helper(HELPER);
    until("the helper is gone", || phone.device.helpers().is_empty()).await;
    phone
}

/// One press on a device whose helper is run for each command. It takes effect.
async fn one_press_by_a_single_run(press: impl AsyncFnOnce(&Phone<'_>) -> Seen) -> Seen {
    let world = World::without_helper_sessions().await;
    let phone = Phone::on_ground(&world).await;
    let seen = press(&phone).await;
    assert_eq!(seen.truth.landed, 1, "{seen:#?}");
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
    seen
}
