//! Windows: bars, dialogs, menus, the keyboard, split screens, and what is no screen.

use backend::Aimed;
use screen::States;

use super::{sketch::*, *};

fn permission_dialog() -> String {
    let id = |name: &str| {
        format!(
            "resource-id='com.android.permissioncontroller:id/{name}' package='com.google.android.permissioncontroller'"
        )
    };
    let option = |name: &str, label: &str, top: i32| {
        view("Button", [100, top, 980, top + 130], &format!("{} text='{label}' clickable", id(name)), &[])
    };
    window(
        1,
        3,
        [40, 1400, 1040, 2200],
        &format!("{IN_FRONT} package='com.google.android.permissioncontroller'"),
        &[
            view(
                "TextView",
                [100, 1450, 980, 1600],
                &format!("{} text='Allow Maps to access this device&apos;s location?'", id("permission_message")),
                &[],
            ),
            option("permission_allow_foreground_only_button", "While using the app", 1650),
            option("permission_allow_one_time_button", "Only this time", 1800),
            option("permission_deny_button", "Don&apos;t allow", 1950),
        ],
    )
}

#[test]
fn bars_are_left_out_and_the_app_stands_first() {
    let capture = capture(&[
        status_bar(),
        navigation_bar(),
        app(&[button("Back", [40, 300, 1040, 420]), button("Under the bar", [0, 2300, 1080, 2380])]),
    ]);
    assert_eq!(flat(&capture), "[button] \"Back\"\n[button] \"Under the bar\" [covered by a bar of the system]\n");
    assert_eq!(find(&capture, "label=Back"), 1);
    assert_eq!(
        capture.windows.iter().filter(|window| window.kind == WindowKind::Bar && window.root.is_none()).count(),
        2
    );
    assert_eq!(capture.tree.app.as_deref(), Some("com.example.app"));
}

#[test]
fn everything_is_there_when_the_whole_screen_is_asked_for() {
    let options = Options { whole: true, ..OPTIONS };
    let xml = document(&[
        status_bar(),
        keyboard(1500),
        app(&[button("Save", [40, 300, 1040, 420]), text("Saved", [0, 500, 99, 600])]),
    ]);
    let capture = read(xml.as_bytes(), &Headers::new(), &options).unwrap();
    assert_eq!(
        full(&capture),
        "[button] \"Save\"\n[text] \"Saved\"\n[keyboard] \"Keyboard\"\n".to_owned()
            + &"qwertz".chars().map(|key| format!("  [group] \"{key}\"\n")).collect::<String>()
            + "[window] \"com.android.systemui\"\n  [image] \"9:41\"\n  [image] \"Wifi signal full\"\n  \
               [image] \"Battery 80 percent\"\n  [image] \"Android Auto\"\n"
    );
}

#[test]
fn a_permission_dialog_stands_first_and_says_which_button_is_which() {
    let below = window(1, 0, DISPLAY, "", &[button("Find me", [40, 300, 1040, 420]), text("Map", [0, 500, 1080, 700])]);
    let capture = capture(&[permission_dialog(), status_bar(), below]);
    let dialog = "[dialog] \"Allow Maps to access this device's location?\"";
    assert_eq!(
        full(&capture),
        format!(
            "{dialog}\n  [button] \"While using the app\"\n  [button] \"Only this time\"\n  [button] \"Don't allow\"\n\
             [window] \"com.example.app\" [covered by {dialog}]\n  [button] \"Find me\" [covered by {dialog}]\n  \
             [text] \"Map\" [covered by {dialog}]\n"
        )
    );
    let alert = capture.alert.clone().unwrap();
    assert_eq!(alert.dialog.kind, "permission");
    assert_eq!(alert.dialog.text, "Allow Maps to access this device's location?");
    assert_eq!(alert.dialog.buttons, ["While using the app", "Only this time", "Don't allow"]);
    assert_eq!(alert.accept, Some(find(&capture, "label=\"While using the app\"")));
    assert_eq!(alert.dismiss, Some(find(&capture, "id=permission_deny_button")));
    assert_eq!(capture.tree.app.as_deref(), Some("com.google.android.permissioncontroller"));
    assert!(matches!(capture.aim(find(&capture, "label=\"Find me\"")), Aimed::Covered { .. }));
}

#[test]
fn native_dialogs_are_known_by_their_buttons() {
    let dialog = |kind: i32, package: &str, parts: &[(&str, &str)]| {
        let inside: Vec<String> = parts
            .iter()
            .zip(0..)
            .map(|((id, label), nth)| {
                let class = if id.contains("button") || id.contains("aerr") { "Button" } else { "TextView" };
                let clickable = if class == "Button" { " clickable" } else { "" };
                view(
                    class,
                    [100, 1000 + nth * 100, 900, 1090 + nth * 100],
                    &format!("resource-id='{id}' text='{label}'{clickable}"),
                    &[],
                )
            })
            .collect();
        let capture = capture(&[
            window(kind, 4, [90, 900, 990, 1700], &format!("{IN_FRONT} package='{package}'"), &inside),
            window(1, 0, DISPLAY, "", &[button("Under", [0, 300, 500, 400])]),
        ]);
        let alert = capture.alert.clone().unwrap();
        let label = |place: Option<u32>| place.map(|place| capture.tree.get(place).unwrap().name.to_string());
        assert!(capture.tree.get(alert.place).unwrap().is(States::MODAL), "{parts:?}");
        (alert.dialog.kind, alert.dialog.text, label(alert.accept), label(alert.dismiss))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        dialog(
            1,
            "com.example.app",
            &[
                ("com.example.app:id/alertTitle", "Delete?"),
                ("android:id/message", "It is gone then."),
                ("android:id/button3", "Later"),
                ("android:id/button2", "Cancel"),
                ("android:id/button1", "Delete"),
            ]
        ),
        ("alert".into(), "Delete?\nIt is gone then.".into(), some("Delete"), some("Cancel"))
    );
    assert_eq!(
        dialog(
            1,
            "com.example.app",
            &[("android:id/alertTitle", "Sure?"), ("android:id/button1", "Yes"), ("android:id/button3", "Hm")]
        ),
        ("alert".into(), "Sure?".into(), some("Yes"), some("Hm"))
    );
    assert_eq!(
        dialog(
            3,
            "android",
            &[
                ("android:id/alertTitle", "Shop does not respond"),
                ("android:id/aerr_close", "Close app"),
                ("android:id/aerr_wait", "Wait")
            ]
        ),
        ("anr".into(), "Shop does not respond".into(), some("Wait"), some("Close app"))
    );
    assert_eq!(
        dialog(
            3,
            "android",
            &[
                ("android:id/alertTitle", "Shop keeps stopping"),
                ("android:id/aerr_app_info", "App info"),
                ("android:id/aerr_close", "Close app")
            ]
        ),
        ("crash".into(), "Shop keeps stopping".into(), some("Close app"), some("Close app"))
    );
}

#[test]
fn what_a_drop_down_offers_is_a_menu_and_what_an_earlier_dialog_left_is_none() {
    let options: Vec<String> = ["Red", "Green"]
        .iter()
        .zip(0..)
        .map(|(name, nth)| {
            view(
                "CheckedTextView",
                [100, 600 + nth * 100, 500, 700 + nth * 100],
                &format!("text='{name}' checked='{}' clickable", nth == 1),
                &[],
            )
        })
        .collect();
    let popup = window(1, 3, [100, 600, 500, 800], IN_FRONT, &[view("ListView", [100, 600, 500, 800], "", &options)]);
    let spinner =
        view("Spinner", [100, 480, 500, 580], "clickable focusable='true'", &[text("Green", [100, 480, 400, 580])]);
    let hidden = view(
        "Button",
        [0, 0, 90, 90],
        "resource-id='android:id/button1' text='Stale' clickable visible-to-user='false'",
        &[],
    );
    let capture =
        capture(&[popup, window(1, 0, DISPLAY, "", &[text("Colour", [100, 380, 400, 470]), spinner, hidden])]);
    assert_eq!(
        full(&capture),
        "[menu] \"Red, Green\"\n  [option] \"Red\" [unchecked]\n  [option] \"Green\" [checked]\n\
         [window] \"com.example.app\" [covered by [menu]]\n  [text] \"Colour\" [covered by [menu]]\n  \
         [combobox] \"Colour\" = \"Green\" [popup] [covered by [menu]]\n"
    );
    assert_eq!(capture.alert, None);
}

#[test]
fn split_screens_and_floating_windows() {
    let other = window(
        1,
        0,
        [0, 1210, 1080, 2400],
        "package='com.example.notes'",
        &[button("New note", [40, 1300, 500, 1400])],
    );
    let upper = window(
        1,
        1,
        [0, 0, 1080, 1190],
        IN_FRONT,
        &[button("Save", [40, 300, 500, 400]), button("Behind", [40, 1195, 500, 1290])],
    );
    let divider = window(5, 2, [0, 1190, 1080, 1210], "package='com.android.systemui'", &[]);
    let head = window(
        3,
        7,
        [900, 350, 1080, 530],
        "package='com.example.chat'",
        &[view("ImageView", [900, 350, 1080, 530], "content-desc='Chat' clickable", &[])],
    );
    let toast = window(
        3,
        6,
        [200, 1250, 800, 1450],
        "package='com.android.systemui'",
        &[text("Saved", [200, 1250, 800, 1450])],
    );
    let capture = capture(&[head, toast, divider, upper, other]);
    assert_eq!(
        full(&capture),
        "[button] \"Save\"\n[window] \"com.example.notes\"\n  [button] \"New note\"\n[window] \"com.example.chat\"\n  \
         [button] \"Chat\"\n[window] \"com.android.systemui\"\n  [text] \"Saved\"\n[window] \"com.android.systemui\"\n\
         below: 1 more (1 interactive): \"Behind\"\n"
    );
    assert_eq!(covered_by(&capture, "label=\"New note\""), None, "a toast lets touches through");
}

#[test]
fn the_lock_screen_is_a_screen_and_bars_alone_are_none() {
    let shade = |texts: &[&str]| {
        let inside: Vec<String> = texts.iter().map(|words| text(words, [100, 400, 900, 600])).collect();
        window(3, 5, DISPLAY, &format!("{IN_FRONT} package='com.android.systemui'"), &inside)
    };
    let locked = capture(&[shade(&["9:41", "Tuesday", "Swipe up to open"]), status_bar()]);
    assert_eq!(full(&locked).lines().count(), 4);
    assert_eq!(locked.tree.app.as_deref(), Some("com.android.systemui"));
    for windows in [vec![shade(&["9:41"]), status_bar()], vec![status_bar(), navigation_bar()]] {
        let failure = read(document(&windows).as_bytes(), &Headers::new(), &OPTIONS).unwrap_err();
        assert_eq!(failure.reason_str(), Some("system_windows_only"));
        assert_eq!(failure.claim().map(|claim| claim.row), Some(contract::Row::HelperCaptureWithoutApp));
    }
}

#[test]
fn a_window_in_front_that_gave_nothing_is_no_screen() {
    let missing = headers(&[("missingRootWindowTypes", "2,1")]);
    let background = window(1, 0, DISPLAY, "", &[button("Launcher", [0, 300, 500, 400])]);
    let failure = read(document(&[background, status_bar()]).as_bytes(), &missing, &OPTIONS).unwrap_err();
    assert_eq!(failure.claim().map(|claim| claim.row), Some(contract::Row::HelperCaptureIncomplete));
    let complete = read(
        document(&[app(&[button("A", [0, 300, 500, 400]), button("B", [0, 500, 500, 600])])]).as_bytes(),
        &missing,
        &OPTIONS,
    )
    .unwrap();
    assert_eq!(complete.tree.warnings.len(), 2, "another app's window and the keyboard: {:?}", complete.tree.warnings);
}

#[test]
fn the_display_is_as_large_as_the_helper_says() {
    let xml = document(&[app(&[button("A", [0, 300, 500, 400]), button("Cut off", [0, 2450, 500, 2550])])]);
    let sizes = headers(&[("displayWidth", "1080"), ("displayHeight", "2640"), ("truncated", "true")]);
    let told = read(xml.as_bytes(), &sizes, &OPTIONS).unwrap();
    assert_eq!((told.tree.viewport.width, told.tree.viewport.height, told.tree.truncated), (1080.0, 2640.0, true));
    let inferred = read(xml.as_bytes(), &Headers::new(), &OPTIONS).unwrap();
    assert_eq!(inferred.tree.viewport.height, 2400.0);
}

#[test]
fn a_picture_in_picture_is_a_window_and_covers_only_where_it_is() {
    let picture = window(
        1,
        4,
        [700, 1900, 1040, 2100],
        "package='com.example.video'",
        &[view("ImageView", [700, 1900, 1040, 2100], "content-desc='Playing' clickable", &[])],
    );
    let capture =
        capture(&[picture, app(&[button("Under", [750, 1950, 1000, 2050]), button("Beside", [0, 1950, 500, 2050])])]);
    assert_eq!(
        full(&capture),
        "[button] \"Under\" [covered by [window] \"com.example.video\"]\n[button] \"Beside\"\n\
         [window] \"com.example.video\"\n  [button] \"Playing\"\n"
    );
}

#[test]
fn an_apps_own_screen_with_the_ids_of_the_platform_asks_nothing() {
    let own = view("Button", [0, 300, 500, 400], "resource-id='android:id/button1' text='Save' clickable", &[]);
    let capture = capture(&[app(&[own, text("Note", [0, 100, 500, 200])])]);
    assert_eq!((capture.alert.as_ref(), full(&capture).as_str()), (None, "[button] \"Save\"\n[text] \"Note\"\n"));
}
