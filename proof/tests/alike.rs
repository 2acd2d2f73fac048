//! One app, two devices: what the simulated phone answers, the Android backend answers too.
//!
//! The same file is opened on the stage and, as a package, on the lab's device: real adb, the real adbd, the helper's
//! package on the Android Runtime. Each line must end the same way on both: done or refused under the same code, with the
//! same `dispatched`, and with the same effect on the app, as the app itself counts it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use proof::{android::Phone, seen::Told, world::World};
use serde_json::Value;
use stage::Effects;

/// What one line came to.
#[derive(Debug, PartialEq)]
struct Outcome {
    line: String,
    /// `done`, or the code and `dispatched`.
    told: String,
    /// The element that it was about, as the app counts it.
    effects: Effects,
}

/// A line, and the element whose counters it is about.
const LINES: &[(&str, &str)] = &[
    ("press id=save", "save"),
    ("press id=save --count 3", "save"),
    ("press label=Save --double-tap", "save"),
    ("longpress id=save 700", "save"),
    ("press 'label=Twin'", "twin-1"),
    ("press id=twin-2", "twin-2"),
    ("press 'label=\"Nowhere\"'", "save"),
    ("press 'lable=Save'", "save"),
    ("press @e4711", "save"),
    ("press 40000 20", "save"),
    ("press id=outside", "outside"),
    ("press id=under", "under"),
    ("press id=ghost", "ghost"),
    ("press id=off", "off"),
    ("fill id=off text", "off"),
    ("fill id=save text", "save"),
    ("type hello", "name"),
    ("fill id=name 'Grüße 你好 🙂'", "name"),
    ("is text id=name 'Grüße 你好 🙂'", "name"),
    ("fill id=name ''", "name"),
    ("is text id=name ''", "name"),
    ("fill id=digits 12ab", "digits"),
    ("is visible id=save", "save"),
    ("is enabled id=off", "off"),
    ("is absent id=nothing", "save"),
    ("wait id=save 500", "save"),
    ("wait absent id=save 300", "save"),
    ("get text id=save", "save"),
    ("find Save getText", "save"),
    ("scroll down", "save"),
    ("alert get", "save"),
    ("press id=renames", "renames"),
    ("press 'label=\"Second name\"'", "renames"),
    ("press id=leave", "leave"),
    ("wait text 'You are on the second screen' 3000", "leave"),
    ("press id=save", "save"),
    ("back", "leave"),
    ("press id=save", "save"),
];

fn told(outcome: Result<Value, Told>) -> String {
    match outcome {
        Ok(_) => "done".to_owned(),
        Err(told) => format!("{} {}", told.code, told.dispatched),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_answers_alike_on_the_simulated_phone_and_on_android() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return;
    }
    let world = World::start(None).await;
    let stage = world.on_ground().await;
    let phone = Phone::on_ground(&world).await;
    let mut differences = Vec::new();
    for (line, element) in LINES {
        let on_stage = Outcome {
            line: (*line).to_owned(),
            told: told(stage.run(line).await),
            effects: counted(stage.effects(element)),
        };
        let on_android = Outcome {
            line: (*line).to_owned(),
            told: told(phone.session.run(line).await),
            effects: counted(phone.effects(element)),
        };
        if on_stage != on_android {
            differences.push(format!("on the stage   {on_stage:?}\non android     {on_android:?}"));
        }
    }
    drop(phone);
    assert_eq!(world.end().await, Vec::<String>::new());
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

/// Presses. How a text got into its field differs: typed on the stage, set on Android. Two presses that follow each other
/// fast are a double press on Android, whoever made them.
fn counted(effects: Effects) -> Effects {
    Effects {
        presses: effects.presses,
        long_presses: effects.long_presses,
        ignored: effects.ignored,
        ..Effects::default()
    }
}
