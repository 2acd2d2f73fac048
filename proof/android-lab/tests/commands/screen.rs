use std::{path::Path, time::Duration};

use contract::{Row, command::Turn};

use crate::rig::{DEMO, Rig, context, demo, refusal, sends, with, within};
use android_lab::Options;

/// What the system shows over an app: a dialog by this name.
fn dialog(folder: &Path, name: &str) -> String {
    let file = folder.join("dialog.toml");
    let toml = format!(
        "app = \"dialog\"\ntitle = \"{name}\"\nstart = \"asking\"\nviewport = {{ width = 390, height = 780 }}\n\n[[screen]]\nid = \
         \"asking\"\ntitle = \"{name}\"\n\n[[screen.element]]\nrole = \"group\"\nid = \"dialog\"\nlabel = \"{name}\"\nelement = [{{ role = \
         \"button\", label = \"Wait\" }}]\n"
    );
    std::fs::write(&file, toml).unwrap();
    file.display().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_app_in_front_is_told_on_old_and_new_android() {
    const ANR: &str = "Application Not Responding: com.example.demo";
    const QUESTION: &str = "com.android.permissioncontroller";
    let folder = tempfile::tempdir().unwrap();
    let file = dialog(folder.path(), ANR);
    for api in [34, 26] {
        let options = Options::demo().and("com.example.other", &file).and(QUESTION, &file).api(api);
        let Some(rig) = with(options).await else { return };
        let asked = context();
        let front = rig.system.foreground(&asked).await.unwrap();
        assert_eq!(
            (front.app.as_str(), front.activity.as_deref()),
            (DEMO, Some("com.example.demo.MainActivity")),
            "API {api}"
        );
        assert!(front.above.is_empty(), "{front:?}");
        assert_eq!((sends(&asked), rig.runs(&["dumpsys"])), ((0, 0), 1), "one cheap program");
        within("the dialog", rig.device.show_over("com.example.other")).await.unwrap();
        rig.device.edit_scene(|scene| {
            for window in
                scene["windows"].as_array_mut().into_iter().flatten().filter(|window| window["focused"] == true)
            {
                window["title"] = ANR.into();
            }
        });
        let front = rig.system.foreground(&context()).await.unwrap();
        assert_eq!((front.app.as_str(), front.above), (DEMO, vec![ANR.to_owned()]), "API {api}");
        // A question for a permission is an activity of the system's: the app is the one under it.
        within("the question", rig.device.show_over(QUESTION)).await.unwrap();
        let front = rig.system.foreground(&context()).await.unwrap();
        assert_eq!((front.app.as_str(), front.above.len()), (DEMO, 1), "API {api}: {front:?}");
        assert!(front.above[0].starts_with(QUESTION), "{front:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_turns_and_is_seen_to() {
    let Some(rig) = demo().await else { return };
    for turn in [Turn::LandscapeLeft, Turn::PortraitUpsideDown, Turn::Portrait] {
        let turning = context();
        let receipt = rig.system.turn(&turning, turn).await.unwrap();
        assert_eq!((receipt.warnings, sends(&turning)), (Vec::<String>::new(), (1, 0)), "{turn:?}");
        assert_eq!(rig.device.setting("system", "user_rotation"), Some(turn.quarters().to_string()));
        assert_eq!(rig.device.setting("system", "accelerometer_rotation").as_deref(), Some("0"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_is_seen_and_hidden_without_going_back() {
    let Some(rig) = demo().await else { return };
    let state = rig.system.keyboard(&context()).await.unwrap();
    assert!(!state.visible, "{state:?}");
    assert_eq!(state.input_method.as_deref(), Some(android_lab::state::KEYBOARD));
    focus_a_field(&rig).await;
    let state = rig.system.keyboard(&context()).await.unwrap();
    assert_eq!((state.visible, state.input_type.as_deref()), (true, Some("text")), "{state:?}");
    let hiding = context();
    rig.system.hide_keyboard(&hiding).await.unwrap();
    assert_eq!(sends(&hiding), (1, 0), "one key was enough");
    assert!(!rig.system.keyboard(&context()).await.unwrap().visible);
    assert_eq!(rig.device.front(), DEMO, "never by going back");
    let nothing = context();
    rig.system.hide_keyboard(&nothing).await.unwrap();
    assert_eq!(sends(&nothing), (0, 0), "what is hidden is not hidden again");
}

/// Opens the demo's form and presses its first field.
async fn focus_a_field(rig: &Rig) {
    press(rig, |node| {
        ["text", "desc"].iter().any(|key| node[*key].as_str().is_some_and(|text| text.starts_with("New note")))
    })
    .await;
    press(rig, |node| node["is"].as_str().is_some_and(|flags| flags.split(' ').any(|flag| flag == "editable"))).await;
}

/// Waits until something is on the screen and presses it.
async fn press(rig: &Rig, is: impl Fn(&serde_json::Value) -> bool) {
    let node = within("the element", async {
        loop {
            if let Some(node) = find(&rig.device.scene().await.unwrap(), &is) {
                return node;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let bounds: Vec<i64> =
        node["bounds"].as_array().expect("bounds").iter().filter_map(serde_json::Value::as_i64).collect();
    let tap = format!("input tap {} {}", (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2);
    rig.phone.look(&context(), &tap).await.unwrap();
}

fn find(value: &serde_json::Value, is: &dyn Fn(&serde_json::Value) -> bool) -> Option<serde_json::Value> {
    if is(value) {
        return Some(value.clone());
    }
    match value {
        serde_json::Value::Object(map) => map.values().find_map(|inner| find(inner, is)),
        serde_json::Value::Array(list) => list.iter().find_map(|inner| find(inner, is)),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_pressed_once() {
    let Some(rig) = demo().await else { return };
    let pressing = context();
    rig.system.press(&pressing, android::system::key::APP_SWITCH).await.unwrap();
    assert_eq!((sends(&pressing), rig.runs(&["input", "keyevent", "187"])), ((1, 0), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_is_gone_was_not_turned() {
    let Some(rig) = demo().await else { return };
    rig.device.unlist().await.unwrap();
    let turning = wire::Context::with_limit(Duration::from_secs(5));
    let failure = rig.system.turn(&turning, Turn::LandscapeLeft).await.unwrap_err();
    assert_eq!((refusal(&failure).0, sends(&turning)), (Some(Row::AdbDeviceNotFound), (0, 0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_does_not_turn_is_not_said_to_have_turned() {
    let Some(rig) = demo().await else { return };
    rig.device.keep_rotation(true);
    // The wait for the turn ends with the request's time.
    let turning = wire::Context::with_limit(Duration::from_secs(3));
    let receipt = rig.system.turn(&turning, Turn::LandscapeRight).await.unwrap();
    assert!(receipt.warnings.iter().any(|warning| warning.starts_with("unconfirmed")), "{receipt:?}");
    assert_eq!(sends(&turning), (1, 0));
}
