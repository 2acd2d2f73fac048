//! An Android device behind a line that fails: what is waited for, what is sent again, what is counted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use android::adb::{Adb, Address};
use contract::{Dispatched, Effect, Row, Sends};
use proof::{
    adb_cut::AdbCut,
    android::{GROUND, Phone},
    patience::{soon, until},
    world::World,
};
use wire::Context;

/// The word that waits for a device.
const WAIT: &str = "host-serial:*:wait-for-";
/// The word of a press.
const PRESS: &str = "helper:gesture";
/// The word that starts the helper, and with it what the helper says that it can do.
const START: &str = "shell,v2,raw:*am instrument";

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

/// adb's own refusals come in a frame of their own. The same words from a program on the device are what it said.
#[tokio::test(flavor = "multi_thread")]
async fn words_of_a_program_are_no_refusal_of_adb() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    let device = Adb::new(Address::local(phone.lab.port()), None).device(phone.device.serial());
    for line in ["echo 'error: device offline' >&2; exit 1", "echo \"error: device 'x' not found\"; exit 1"] {
        let context = Context::with_limit(proof::patience::LIMIT);
        let failure = device.run(&context, Effect::Mutates, line).await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AdbCommandFailed, Dispatched::Unknown), "{failure:?}");
        assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });
    }
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// A helper that plays a plan only once gets the second press of two as a command of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_press_that_is_refused_tells_of_the_first() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    phone.proxy.cut(1, START, AdbCut::Alter(b"repeat", b"_epeat"));
    phone.session.does(&format!("open {GROUND}")).await;
    phone.session.does("snapshot -i").await;
    let refusal = b"ok=false\nerrorType=com.example.FencedException\nmessage=given up\nbegan=false\n\n";
    phone.proxy.cut(2, PRESS, AdbCut::Answer(refusal.to_vec()));
    let told = phone.session.fails("press id=save --double-tap").await;
    assert_eq!((told.dispatched.as_str(), told.steps), ("unknown", 1), "{:#}", told.error);
    assert_eq!(told.row.as_deref(), Some("daemon.double-tap.second-refused"), "{:#}", told.error);
    assert_eq!(told.detail("refusalRow"), "helper.command-refused", "{:#}", told.error);
    assert_eq!(phone.presses("save"), 1);
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// A helper that enters no text leaves it to the device's own keys, some at a time.
#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_lost_half_way_tells_of_the_half_that_went() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    phone.proxy.cut(1, START, AdbCut::Alter(b",text,", b",nope,"));
    phone.session.does(&format!("open {GROUND}")).await;
    phone.session.does("press id=name").await;
    phone.proxy.cut(2, "shell,v2,raw:input text", AdbCut::CloseBefore);
    let told = phone.session.fails("type 100%sure").await;
    assert_eq!((told.dispatched.as_str(), told.steps), ("unknown", 1), "{:#}", told.error);
    assert_eq!(told.row.as_deref(), Some("adb.reply-lost"));
    assert_eq!(phone.session.does("get text id=name").await["text"], "100%");
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// `am` ends an app that is to start anew before it looks for what it is to start.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_anew_that_finds_nothing_tells_that_the_app_was_ended() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let told = phone.session.fails(&format!("open {GROUND}/.Nowhere --relaunch")).await;
    assert_eq!((told.row.as_deref(), told.dispatched.as_str()), (Some("adb.command-failed"), "unknown"));
    assert_eq!(told.reason.as_deref(), Some("activity_not_found"), "{:#}", told.error);
    assert_ne!(phone.device.front(), GROUND, "it was ended");
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// A program that was killed has an exit code as well, and may have done what it was told before.
#[tokio::test(flavor = "multi_thread")]
async fn a_setting_whose_program_was_killed_is_not_told_to_be_refused() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let said = "Killed\n\n--agent-device-part 0 137\n";
    let length = u32::try_from(said.len()).unwrap().to_le_bytes();
    // Packets of the shell: output, then the exit code of the last program, which is `echo`.
    let packets = [b"OKAY\x01", &length[..], said.as_bytes(), b"\x03\x01\0\0\0\0"].concat();
    phone.proxy.cut(1, "shell,v2,raw:*svc wifi", AdbCut::Answer(packets));
    let told = phone.session.fails("settings wifi off").await;
    assert_eq!((told.row.as_deref(), told.dispatched.as_str()), (Some("adb.command-failed"), "unknown"));
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
}
