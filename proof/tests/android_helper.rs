//! The helper on Android devices: two at once, one that dies or is removed under a session, one that cannot be kept
//! running, one that a killed daemon left behind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::time::{Duration, Instant};

use android_lab::{Act, Lab, LabDevice, Moment, Options, Trap};
use proof::{
    adb_cut::AdbCut,
    android::{GROUND, HELPER, Phone, presses},
    patience::{until, within},
    program::Program,
    world::World,
};
use serde_json::Value;

/// Long enough for a second press to be seen, were there one.
const SECOND: Duration = Duration::from_millis(300);

/// Less than a helper that was told to end may take.
const CLOSE: Duration = Duration::from_secs(8);

async fn ended(world: World) {
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// What the caller is told besides.
fn notices(answer: &Value) -> String {
    answer["notices"].to_string()
}

async fn helper_is_gone(device: &LabDevice) {
    until("the helper is gone", || device.helpers().is_empty()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_serve_two_sessions_at_once() {
    let world = World::start(None).await;
    let lab = Lab::start().await.unwrap();
    world.adb.lead_to(lab.port());
    let options = || Options::app(GROUND, &world.ground().display().to_string());
    let (one, other) = tokio::join!(lab.device(options()), lab.device(options()));
    let (one, other) = (one.unwrap(), other.unwrap());
    let first = world.session("first").on_phone(one.serial());
    let second = world.session("second").on_phone(other.serial());
    let open = format!("open {GROUND}");
    tokio::join!(first.does(&open), second.does(&open));
    // One is held up in the middle of a press: the other does not wait for it.
    let held = Trap::new("inject", 2, Moment::Before, Act::Hold);
    one.trap(&held);
    let pressed = first.does("press id=save");
    let meanwhile = async {
        held.springs().await;
        for _ in 0..3 {
            second.does("press id=save").await;
        }
        second.does("press id=twin-1").await;
        assert_eq!((presses(&other, "save"), presses(&one, "save")), (3, 0));
        held.release();
    };
    tokio::join!(pressed, meanwhile);
    assert_eq!((presses(&one, "save"), presses(&one, "twin-1")), (1, 0));
    assert_eq!((presses(&other, "save"), presses(&other, "twin-1")), (3, 1));
    first.does("close").await;
    helper_is_gone(&one).await;
    second.does("press id=save").await;
    assert_eq!((presses(&other, "save"), other.helpers().len()), (4, 1), "the end of one is not the other's");
    second.does("close").await;
    helper_is_gone(&other).await;
    assert_eq!((one.automation(), other.automation()), (None, None));
    drop((one, other, lab));
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_dies_between_two_commands_is_started_again_and_the_caller_is_told() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    phone.session.does("press id=save").await;
    phone.device.kill_helper(HELPER);
    helper_is_gone(&phone.device).await;
    let answer = phone.session.does("press id=save").await;
    assert_eq!(phone.presses("save"), 2);
    assert!(notices(&answer).contains("started anew"), "{answer}");
    let next = phone.session.does("press id=save").await;
    assert_eq!((phone.presses("save"), next.get("notices")), (3, None), "it is told once");
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_is_not_told_to_end_is_ended_all_the_same_and_soon() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    phone.proxy.cut(1, "helper:quit", AdbCut::CloseBefore);
    let began = Instant::now();
    phone.session.does("close").await;
    assert!(began.elapsed() < CLOSE, "{:?}", began.elapsed());
    assert_eq!(phone.proxy.struck(), 1);
    assert_eq!((phone.device.helpers().len(), phone.device.automation()), (0, None));
    drop(phone);
    ended(world).await;
}

/// Wherever it dies in a press: what the caller is told is true of the app, and the session goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_dies_in_the_middle_of_a_press_is_never_sent_the_press_again() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let mut landed = 0;
    for (event, moment) in [(1, Moment::Before), (1, Moment::After), (3, Moment::Before), (3, Moment::After)] {
        phone.device.trap(&Trap::new("inject", event, moment, Act::Kill));
        let told = phone.session.fails("press id=save").await;
        assert_eq!(told.dispatched, "unknown", "{:#}", told.error);
        landed += u32::from((event, moment) == (3, Moment::After));
        assert_eq!(phone.presses("save"), landed, "killed at event {event}, {moment:?}");
        let shown = phone.session.does("snapshot -i").await;
        assert!(notices(&shown).contains("started anew"), "{shown}");
        phone.device.clear_traps();
        assert!(!within(SECOND, || phone.presses("save") > landed).await, "it was sent again");
        phone.session.does("press id=save").await;
        landed += 1;
        assert_eq!(phone.presses("save"), landed);
    }
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_was_removed_is_installed_again() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let removed = phone.device.adb().args(["shell", "pm", "uninstall", HELPER]).output().unwrap();
    assert!(removed.status.success(), "{removed:?}");
    helper_is_gone(&phone.device).await;
    phone.session.does("press id=save").await;
    assert_eq!((phone.presses("save"), phone.device.helpers().len()), (1, 1));
    assert!(phone.device.version_of(HELPER).is_some());
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_cannot_be_kept_running_is_run_for_each_command_and_the_caller_is_told() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    // It dies while it starts; a single run does not.
    phone.device.trap(&Trap::new("connect", 1, Moment::Before, Act::Kill));
    let opened = phone.session.does(&format!("open {GROUND}")).await;
    let said = notices(&opened);
    assert!(said.contains("cannot be kept running") && said.contains("Process crashed"), "{opened}");
    let pressed = phone.session.does("press id=save").await;
    assert_eq!(pressed.get("notices"), None, "it is told once: {pressed}");
    assert_eq!(phone.presses("save"), 1);
    assert_eq!(phone.proxy.handed_on("helper:"), 0, "no session was asked");
    let filled = phone.session.does("fill id=name Ada").await;
    assert!(filled["verified"] == true && phone.effects("name").total() > 0, "{filled}");
    phone.session.does("close").await;
    helper_is_gone(&phone.device).await;
    assert_eq!(phone.device.automation(), None);
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_a_killed_daemon_left_behind_is_ended_by_the_next() {
    let mut program = Program::new();
    let ground = program.folder().join("ground.toml");
    std::fs::write(&ground, proof::world::GROUND).unwrap();
    let lab = Lab::start().await.unwrap();
    let device = lab.device(Options::app(GROUND, &ground.display().to_string())).await.unwrap();
    program.environment.push(("ANDROID_ADB_SERVER_PORT".to_owned(), lab.port().to_string()));
    program.does(&["open", GROUND, "--platform", "android", "--device", device.serial()]).await;
    program.does(&["press", "id=save"]).await;
    assert_eq!(presses(&device, "save"), 1);
    let helper = device.automation();
    assert!(helper.is_some(), "the helper holds UiAutomation");
    program.kill_daemon(program.daemon().await).await;
    assert_eq!(device.automation(), helper, "nobody ended it yet");
    program.daemon_started().await;
    until("UiAutomation is free", || device.automation().is_none() && device.helpers().is_empty()).await;
    // And the device can be opened again.
    program.does(&["open", GROUND, "--platform", "android", "--device", device.serial()]).await;
    program.does(&["press", "id=save"]).await;
    program.does(&["close"]).await;
    helper_is_gone(&device).await;
    program.end().await;
}
