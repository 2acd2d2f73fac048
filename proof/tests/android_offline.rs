//! A device that is offline is waited for once, for a bounded time; what was asked for is then sent once, or not at all.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use proof::{
    android::Phone,
    patience::{soon, until},
    world::World,
};

/// The word that waits for a device.
const WAIT: &str = "host-serial:*:wait-for-";
/// The word of a press.
const PRESS: &str = "helper:gesture";

#[tokio::test(flavor = "multi_thread")]
async fn one_that_comes_back_within_the_wait_gets_the_press_once() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    phone.device.go_offline().await.unwrap();
    let pressed = phone.session.does("press id=save");
    let back = async {
        until("the wait", || phone.proxy.handed_on(WAIT) == 1).await;
        assert_eq!(phone.presses("save"), 0, "nothing reaches a device that is offline");
        phone.device.restore().await.unwrap();
    };
    soon("the press", async { tokio::join!(pressed, back) }).await;
    assert_eq!(phone.presses("save"), 1);
    assert_eq!((phone.proxy.handed_on(WAIT), phone.proxy.handed_on(PRESS)), (1, 1), "{:?}", phone.proxy.seen());
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_stays_offline_is_not_waited_for_again_and_again() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    phone.device.go_offline().await.unwrap();
    // Half of what a request has left is the longest wait.
    let press = || phone.session.within(2_000, "press id=save");
    for _ in 0..3 {
        let told = phone.session.fails_at(&press()).await;
        assert_eq!((told.row.as_deref(), told.dispatched.as_str()), (Some("adb.device-offline"), "no"));
        assert_eq!(told.error["retriable"], true, "{:#}", told.error);
        assert_eq!(phone.proxy.handed_on(WAIT), 1, "the first only: {:?}", phone.proxy.seen());
    }
    assert_eq!((phone.presses("save"), phone.proxy.handed_on(PRESS)), (0, 0));
    // Once it is back it is used at once, without a wait.
    phone.device.restore().await.unwrap();
    phone.session.does("press id=save").await;
    assert_eq!((phone.presses("save"), phone.proxy.handed_on(WAIT), phone.proxy.handed_on(PRESS)), (1, 1, 1));
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}
