//! What has changed on an Android device between a look and an input: the input is refused, or hits what was meant.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::time::Duration;

use proof::{
    adb_cut::AdbCut,
    android::{GROUND, Phone, each},
    patience::within,
    world::World,
};
use serde_json::Value;

/// Long enough for no look to be taken for the screen as it is.
const STALE: Duration = Duration::from_millis(400);

async fn ended(world: World) {
    assert_eq!(world.end().await, Vec::<String>::new());
}

/// The ref of an element in the last snapshot.
fn shown(snapshot: &Value, id: &str) -> String {
    let nodes = snapshot["nodes"].as_array().unwrap();
    let of = |node: &&Value| node["identifier"] == format!("{GROUND}:id/{id}");
    format!("@{}", nodes.iter().find(of).unwrap_or_else(|| panic!("no {id}: {snapshot}"))["ref"].as_str().unwrap())
}

/// From now on an element is rewritten.
fn rewrite(phone: &Phone<'_>, change: impl Fn(&str, &mut Value) + Send + Sync + 'static) {
    phone.device.edit_scene(move |scene| {
        each(scene, &mut |node| {
            let id = node["id"].as_str().and_then(|id| id.rsplit('/').next()).map(str::to_owned);
            if let Some(id) = id {
                change(&id, node);
            }
        });
    });
}

async fn later() {
    assert!(!within(STALE, || false).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_disabled_since_the_look_is_not_pressed() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let save = shown(&phone.session.does("snapshot -i").await, "save");
    rewrite(&phone, |id, node| {
        if id == "save" {
            node["not"] = "enabled".into();
        }
    });
    later().await;
    let told = phone.session.fails(&format!("press {save}")).await;
    assert_eq!(
        (told.dispatched.as_str(), &told.error["code"]),
        ("no", &Value::from("ELEMENT_DISABLED")),
        "{:#}",
        told.error
    );
    assert_eq!(phone.presses("save"), 0);
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_that_the_helper_does_not_number_is_looked_at_before_it_is_pressed() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    // Two views of one number: neither can be named to the helper.
    let alike = |id: &str, node: &mut Value| {
        if id == "save" || id == "twin-1" {
            node["hash"] = 0x7777.into();
        }
    };
    rewrite(&phone, alike);
    let save = shown(&phone.session.does("snapshot -i").await, "save");
    rewrite(&phone, move |id, node| {
        alike(id, node);
        if id == "save" {
            node["not"] = "visible".into();
        }
    });
    later().await;
    let told = phone.session.fails(&format!("press {save}")).await;
    assert_eq!(told.dispatched, "no", "{:#}", told.error);
    assert_eq!(phone.presses("save"), 0);
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_a_session_holds_is_not_to_be_had_under_another_name() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let told = world.session("thief").on_phone("").fails(&format!("open {GROUND}")).await;
    assert_eq!((told.dispatched.as_str(), &told.error["code"]), ("no", &Value::from("DEVICE_NOT_FOUND")));
    phone.session.does("press id=save").await;
    assert_eq!(phone.presses("save"), 1);
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_removed_because_the_device_was_gone_is_removed_by_the_next_session() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let files = || phone.device.root().join("data/local/tmp").read_dir().unwrap().count();
    phone.session.does(&format!("record start {}", world.folder().join("film.mp4").display())).await;
    phone.device.unlist().await.unwrap();
    phone.session.fails("close").await;
    assert_eq!(files(), 1, "nobody could remove it");
    phone.device.restore().await.unwrap();
    phone.session.does(&format!("open {GROUND}")).await;
    assert_eq!(files(), 0);
    phone.session.does("close").await;
    drop(phone);
    ended(world).await;
}

/// Presses by a ref of an older look: a success is a press of what was meant, and `no` is none at all.
async fn honest(phone: &Phone<'_>, save: &str, what: &str) -> bool {
    let before = phone.presses("save");
    let outcome = phone.session.run(&format!("press {save}")).await;
    let landed = phone.presses("save") - before;
    match outcome {
        Ok(answer) => assert_eq!(landed, 1, "{what}: told a press that was none: {answer}"),
        Err(told) => assert_eq!((told.dispatched.as_str(), landed), ("no", 0), "{what}: {:#}", told.error),
    }
    landed == 1
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_comes_between_a_look_and_a_press_what_is_told_of_it_is_true() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let shell = |line: &str| assert!(phone.device.adb().args(["shell", line]).output().unwrap().status.success());
    for turn in [1, 2, 3, 0] {
        let save = shown(&phone.session.does("snapshot -i").await, "save");
        shell(&format!("settings put system accelerometer_rotation 0; settings put system user_rotation {turn}"));
        honest(&phone, &save, &format!("turned to {turn}")).await;
        // At once again, without a look of the caller's.
        honest(&phone, &save, &format!("turned to {turn}, again")).await;
    }
    let save = shown(&phone.session.does("snapshot -i").await, "save");
    assert!(honest(&phone, &save, "nothing happened").await);
    phone.device.show_over("com.example.demo").await.unwrap();
    assert!(!honest(&phone, &save, "a dialog of another app").await);
    shell("am force-stop com.example.demo");
    shell("input keyevent HOME");
    assert!(!honest(&phone, &save, "the home screen").await);
    phone.session.does(&format!("open {GROUND}")).await;
    shell(&format!("am force-stop {GROUND}"));
    assert!(!honest(&phone, &save, "the app was ended").await);
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edge_that_is_not_reached_is_not_told_to_be() {
    let world = World::start(None).await;
    let phone = Phone::attached(&world).await;
    phone.session.does("open com.example.demo").await;
    phone.session.does("press label=Birds").await;
    let told = phone.session.fails("scroll bottom").await;
    assert_eq!(
        (told.dispatched.as_str(), told.error["details"]["reason"].as_str()),
        ("unknown", Some("scroll_end_not_reached"))
    );
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_breaks_off_is_none() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let file = world.folder().join("screen.png");
    // An OKAY, and the beginning of the picture; then what looks like the end of the program.
    for bytes in [4, 12, 5_000] {
        phone.proxy.cut(1, "exec:screencap", AdbCut::Truncate(bytes));
        let told = phone.session.fails(&format!("screenshot {}", file.display())).await;
        assert_eq!((told.dispatched.as_str(), file.exists()), ("no", false), "{bytes}: {:#}", told.error);
    }
    phone.session.does(&format!("screenshot {}", file.display())).await;
    assert!(file.exists());
    drop(phone);
    ended(world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_point_is_held_against_the_screen_as_it_stands() {
    let world = World::start(None).await;
    let phone = Phone::on_ground(&world).await;
    let turn = "settings put system accelerometer_rotation 0; settings put system user_rotation 1";
    assert!(phone.device.adb().args(["shell", turn]).output().unwrap().status.success());
    // Beside the upright screen, on the turned one.
    phone.session.does("press 2000 600").await;
    let told = phone.session.fails("press 2000 1500").await;
    assert_eq!((told.dispatched.as_str(), &told.error["code"]), ("no", &Value::from("OUTSIDE_VIEWPORT")));
    drop(phone);
    ended(world).await;
}
