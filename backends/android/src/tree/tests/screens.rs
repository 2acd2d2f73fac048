//! What screens of apps become.

use backend::Aimed;
use contract::Point;
use screen::{Cover, States};

use super::*;

/// A view: class, box, further attributes, what is in it. Words of `attributes` without a value are true.
fn view(class: &str, [left, top, right, bottom]: [i32; 4], attributes: &str, inside: &[String]) -> String {
    let seen = if attributes.contains("visible-to-user") { "" } else { " visible-to-user='true'" };
    let class = if class.contains('.') { class.to_owned() } else { format!("android.widget.{class}") };
    let attributes = format!(" {attributes}").replace(" clickable", " clickable='true'");
    format!(
        "<node class='{class}' bounds='[{left},{top}][{right},{bottom}]'{seen} {attributes}>{}</node>",
        inside.concat()
    )
}

const DISPLAY: [i32; 4] = [0, 0, 1080, 2400];
const IN_FRONT: &str = "window-active='true' window-focused='true'";

fn window(kind: i32, layer: i32, bounds: [i32; 4], attributes: &str, inside: &[String]) -> String {
    let [left, top, right, bottom] = bounds;
    let package = if attributes.contains("package=") { "" } else { "package='com.example.app'" };
    view(
        "FrameLayout",
        bounds,
        &format!(
            "window-type='{kind}' window-layer='{layer}' window-bounds='[{left},{top}][{right},{bottom}]' {package} \
             {attributes}"
        ),
        inside,
    )
}

fn app(inside: &[String]) -> String {
    window(1, 0, DISPLAY, IN_FRONT, inside)
}

fn document(windows: &[String]) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{}</hierarchy>",
        windows.concat()
    )
}

#[track_caller]
fn capture(windows: &[String]) -> Capture {
    read(document(windows).as_bytes(), &Headers::new(), &OPTIONS).unwrap()
}

fn status_bar() -> String {
    let bar = [0, 0, 1080, 84];
    let icons: Vec<String> = ["9:41", "Wifi signal full", "Battery 80 percent", "Android Auto"]
        .iter()
        .map(|icon| {
            view("ImageView", [20, 10, 120, 70], &format!("package='com.android.systemui' content-desc='{icon}'"), &[])
        })
        .collect();
    window(3, 9, bar, "package='com.android.systemui'", &icons)
}

fn navigation_bar() -> String {
    let buttons: Vec<String> = ["Back", "Home", "Overview"]
        .iter()
        .map(|name| view("ImageView", [0, 2274, 360, 2400], &format!("content-desc='{name}' clickable"), &[]))
        .collect();
    window(3, 8, [0, 2274, 1080, 2400], "package='com.android.systemui'", &buttons)
}

fn keyboard(top: i32) -> String {
    let keys: Vec<String> = "qwertz"
        .chars()
        .zip(0..)
        .map(|(key, nth)| {
            view(
                "android.view.View",
                [nth * 108, top, nth * 108 + 108, top + 150],
                &format!("content-desc='{key}' clickable"),
                &[],
            )
        })
        .collect();
    window(2, 5, [0, top, 1080, 2400], "package='com.example.keyboard'", &keys)
}

fn button(name: &str, bounds: [i32; 4]) -> String {
    view("Button", bounds, &format!("text='{name}' clickable focusable='true'"), &[])
}

fn text(text: &str, bounds: [i32; 4]) -> String {
    view("TextView", bounds, &format!("text='{text}'"), &[])
}

fn covered_by(capture: &Capture, selector: &str) -> Option<u32> {
    match capture.tree.get(find(capture, selector)).unwrap().cover {
        Some(Cover::Node(over)) => Some(over),
        _ => None,
    }
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
fn a_closed_drawer_lies_off_screen_whatever_the_app_says_of_it() {
    let capture = capture(&[app(&[
        button("Menu", [0, 100, 120, 220]),
        text("Home", [200, 100, 500, 220]),
        view(
            "android.view.ViewGroup",
            [-756, 0, 0, 2400],
            "",
            &[
                button("Settings", [-756, 200, -20, 330]),
                view("Button", [0, 400, -100, 530], "text='Log out' clickable visible-to-user='false'", &[]),
            ],
        ),
    ])]);
    assert_eq!(flat(&capture), "[button] \"Menu\"\nleft: 2 more (2 interactive): \"Settings\", \"Log out\"\n");
    for name in ["Settings", "Log out"] {
        let place = find(&capture, &format!("label=\"{name}\""));
        assert!(matches!(capture.aim(place), Aimed::Offscreen { .. }), "{name}");
    }
}

#[test]
fn what_a_button_floats_over_is_touched_beside_it_and_covered_only_where_nothing_is_free() {
    let row = |name: &str, top: i32, more: &[String]| {
        let mut inside = vec![text(name, [40, top + 20, 400, top + 100])];
        inside.extend_from_slice(more);
        view("LinearLayout", [0, top, 1080, top + 200], "clickable focusable='true'", &inside)
    };
    let star = |top: i32| view("ImageButton", [900, top + 40, 1020, top + 160], "content-desc='Star' clickable", &[]);
    let capture = capture(&[app(&[
        view(
            "androidx.recyclerview.widget.RecyclerView",
            [0, 200, 1080, 2400],
            "scrollable='true' can-scroll-forward='true' can-scroll-backward='false' drawing-order='1'",
            &[row("Ada", 200, &[star(200)]), row("Grace", 2100, &[star(2100)])],
        ),
        view("ImageButton", [520, 2080, 1060, 2320], "content-desc='Add' clickable drawing-order='2'", &[]),
    ])]);
    assert_eq!(
        flat(&capture),
        "[list] \"Ada, Grace\" [scrollable]\n  ... more hidden below\n[listitem] \"Ada\"\n[button] \"Star\" in \"Ada\"\n\
         [listitem] \"Grace\"\n[button] \"Star\" [covered by [button] \"Add\"] in \"Grace\"\n[button] \"Add\"\n"
    );
    let row = find(&capture, "role=listitem label=Grace");
    let Touch::At(point) = capture.touch(row) else { panic!("{:?}", capture.touch(row)) };
    assert!(point.x < 520.0 && point.y > 2100.0, "beside the floating button: {point}");
    let first = find(&capture, "role=listitem label=Ada");
    assert_eq!(capture.touch(first), Touch::At(Point { x: 540.0, y: 300.0 }), "the middle, where it is free");
}

#[test]
fn the_order_of_drawing_decides_and_not_that_of_the_document() {
    let pair = |first: i32, second: i32| {
        capture(&[app(&[
            view("Button", [0, 100, 500, 200], &format!("text='One' clickable drawing-order='{first}'"), &[]),
            view("Button", [0, 100, 500, 200], &format!("text='Two' clickable drawing-order='{second}'"), &[]),
        ])])
    };
    let above = pair(2, 1);
    assert_eq!((covered_by(&above, "label=One"), covered_by(&above, "label=Two")), (None, Some(1)));
    let below = pair(1, 2);
    assert_eq!((covered_by(&below, "label=One"), covered_by(&below, "label=Two")), (Some(2), None));
    let equal = pair(0, 0);
    assert_eq!((covered_by(&equal, "label=One"), covered_by(&equal, "label=Two")), (Some(2), None));
}

#[test]
fn what_takes_no_touch_covers_nothing() {
    for over in ["", "focusable='true'", "text='Caption'"] {
        let capture =
            capture(&[app(&[button("Under", [0, 100, 500, 200]), view("android.view.View", DISPLAY, over, &[])])]);
        assert_eq!(covered_by(&capture, "label=Under"), None, "{over}");
    }
}

#[test]
fn a_bottom_sheet_covers_what_its_scrim_lies_on() {
    let capture = capture(&[app(&[
        view(
            "android.view.View",
            [0, 0, 1080, 2400],
            "",
            &[button("Pay", [40, 2000, 1040, 2120]), text("Cart", [40, 100, 400, 180])],
        ),
        view("android.view.View", DISPLAY, "content-desc='Close sheet' clickable", &[]),
        view(
            "android.view.View",
            [0, 1400, 1080, 2400],
            "pane-title='Choose a card' clickable",
            &[text("Choose a card", [40, 1440, 800, 1520]), button("Visa", [40, 1600, 1040, 1720])],
        ),
    ])]);
    assert_eq!(
        full(&capture),
        "[button] \"Pay\" [covered by [region] \"Choose a card\"]\n[text] \"Cart\" [covered by [group] \"Close sheet\"]\n\
         [group] \"Close sheet\"\n[region] \"Choose a card\"\n  [button] \"Visa\"\n"
    );
    assert_eq!(capture.alert, None, "a sheet of the app's own is no native dialog");
}

#[test]
fn a_field_behind_the_keyboard_is_covered_and_one_that_sticks_out_is_touched_above_it() {
    let field = |name: &str, top: i32| {
        view(
            "EditText",
            [40, top, 1040, top + 120],
            &format!("content-desc='{name}' text='' editable='true' clickable"),
            &[],
        )
    };
    let capture = capture(&[keyboard(1500), app(&[field("Name", 300), field("City", 1460), field("Note", 1800)])]);
    assert_eq!(
        flat(&capture),
        "[text-field] \"Name\" = \"\" [editable]\n[text-field] \"City\" = \"\" [editable]\n\
         [text-field] \"Note\" = \"\" [editable] [covered by [keyboard] \"Keyboard\"]\n"
    );
    assert_eq!(capture.keyboard, Some(Rect::new(0.0, 1500.0, 1080.0, 900.0)));
    let Touch::At(point) = capture.touch(find(&capture, "label=City")) else { panic!("nothing free") };
    assert!(point.y < 1500.0);
    let Aimed::Covered { by, key } = capture.aim(find(&capture, "label=Note")) else { panic!("not covered") };
    assert_eq!((by.as_str(), key.is_some()), ("[keyboard] \"Keyboard\"", true));
}

#[test]
fn a_keyboard_that_floats_covers_only_what_is_under_its_keys() {
    let floating = window(
        2,
        5,
        DISPLAY,
        "package='com.example.keyboard'",
        &[view("android.view.View", [600, 1200, 1000, 1600], "content-desc='q' clickable", &[])],
    );
    let capture =
        capture(&[floating, app(&[button("Under", [650, 1300, 900, 1400]), button("Beside", [0, 1300, 500, 1400])])]);
    assert_eq!(capture.keyboard, Some(Rect::new(600.0, 1200.0, 400.0, 400.0)));
    assert!(covered_by(&capture, "label=Under").is_some() && covered_by(&capture, "label=Beside").is_none());
}

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
fn a_web_page_in_a_view() {
    let web = |attributes: &str, bounds: [i32; 4]| view("android.view.View", bounds, attributes, &[]);
    let capture = capture(&[app(&[view(
        "android.webkit.WebView",
        [0, 200, 1080, 2400],
        "focusable='true'",
        &[view(
            "android.webkit.WebView",
            [0, 200, 1080, 5200],
            "text='Shop' focusable='true' scrollable='true' can-scroll-forward='true' can-scroll-backward='false'",
            &[
                web("text='Welcome' heading='true' roleDescription='heading 1'", [20, 220, 1060, 320]),
                web("text='Terms' roleDescription='link' clickable focusable='true'", [20, 340, 300, 400]),
                web("text='Just text'", [20, 420, 400, 480]),
                view(
                    "EditText",
                    [20, 500, 1060, 600],
                    "text='' hint-showing='true' placeholder='Search shop' editable='true' clickable roleDescription='search text field'",
                    &[],
                ),
                view("Button", [20, 620, 400, 720], "text='Buy' clickable", &[]),
                view("Button", [20, 4800, 400, 4900], "text='Far below' clickable visible-to-user='false'", &[]),
            ],
        )],
    )])]);
    assert_eq!(
        full(&capture),
        "[webview]\n  [webview] \"Shop\" [scrollable]\n    ... more hidden below\n    [heading] \"Welcome\" [level 1]\n    \
         [link] \"Terms\"\n    [text] \"Just text\"\n    [search-field] \"Search shop\" = \"\" [editable]\n    [button] \"Buy\"\n\
         below: 1 more (1 interactive): \"Far below\"\n"
    );
}

#[test]
fn an_app_in_which_everything_is_a_view() {
    let group = |attributes: &str, bounds: [i32; 4], inside: &[String]| {
        view("android.view.ViewGroup", bounds, attributes, inside)
    };
    let capture = capture(&[app(&[group(
        "",
        DISPLAY,
        &[
            group(
                "content-desc='Sign in' resource-id='sign-in' clickable focusable='true'",
                [40, 300, 1040, 420],
                &[text("Sign in", [400, 320, 700, 400])],
            ),
            group(
                "clickable focusable='true'",
                [40, 500, 1040, 620],
                &[
                    text("Forgot", [100, 520, 400, 560]),
                    group("", [100, 560, 900, 600], &[text("your password?", [100, 560, 500, 600])]),
                ],
            ),
            group(
                "roleDescription='Tab' selected='true' clickable",
                [0, 2200, 540, 2400],
                &[text("Home", [200, 2300, 340, 2380])],
            ),
            group(
                "focusable='true' content-desc='Total, 5 items'",
                [40, 700, 1040, 800],
                &[text("5", [40, 700, 80, 800])],
            ),
            view("Switch", [40, 900, 200, 980], "checked='true' clickable content-desc='Dark mode'", &[]),
        ],
    )])]);
    assert_eq!(
        full(&capture),
        "[group] \"Sign in\"\n[group] \"Forgot, your password?\"\n[tab] \"Home\" [selected]\n[group] \"Total, 5 items\"\n\
         [switch] \"Dark mode\" [checked]\n"
    );
    assert_eq!(flat(&capture), full(&capture).replace("[group] \"Total, 5 items\"\n", ""));
    assert_eq!(find(&capture, "id=sign-in"), find(&capture, "label=\"Sign in\" hittable"));
}

#[test]
fn rows_are_named_by_their_texts_in_document_order_and_a_switch_by_its_row() {
    let row = |top: i32, selected: bool, inside: &[String]| {
        view(
            "LinearLayout",
            [0, top, 1080, top + 200],
            &format!("selected='{selected}' clickable focusable='true'"),
            inside,
        )
    };
    let at = |top: i32| [40, top, 800, top + 60];
    let switch = view("Switch", [900, 240, 1040, 320], "text='' checked='false'", &[]);
    let capture = capture(&[app(&[view(
        "androidx.recyclerview.widget.RecyclerView",
        [0, 200, 1080, 2200],
        "scrollable='true' can-scroll-forward='false' can-scroll-backward='true'",
        &[
            row(200, false, &[text("Wi-Fi", at(220)), text("Connected", at(290)), switch]),
            row(
                400,
                true,
                &[
                    text("Bluetooth", at(420)),
                    view("ImageButton", [900, 440, 1040, 520], "content-desc='Help' clickable", &[]),
                    text("Off", at(490)),
                ],
            ),
            row(
                600,
                false,
                &[view("TextView", at(620), "text='Unseen' visible-to-user='false'", &[]), text("Sound", at(690))],
            ),
        ],
    )])]);
    assert_eq!(
        full(&capture),
        "[list] \"Wi-Fi, Connected, Bluetooth, Off, Sound\" [scrollable]\n  ... more hidden above\n  \
         [listitem] \"Wi-Fi, Connected\"\n    [switch] \"Wi-Fi, Connected\" [unchecked]\n  \
         [listitem] \"Bluetooth, Off\" [selected]\n    [button] \"Help\"\n  [listitem] \"Sound\"\n"
    );
    // A press on what the switch shows is a press on its row.
    assert_eq!(find(&capture, "label=\"Wi-Fi, Connected\""), find(&capture, "role=switch"));
    assert!(matches!(capture.touch(find(&capture, "role=switch")), Touch::At(_)));
}

#[test]
fn fields_hold_what_they_hold_and_are_called_what_stands_at_them() {
    let field = |top: i32, attributes: &str| view("EditText", [300, top, 1040, top + 100], attributes, &[]);
    let capture = capture(&[app(&[view(
        "LinearLayout",
        DISPLAY,
        "",
        &[
            field(200, "text='E-mail' hint-showing='true' editable='true'"),
            field(
                320,
                "text='ada@b.c' hint-showing='false' placeholder='E-mail address' editable='true' focused='true'",
            ),
            field(440, "text='Search' placeholder='Search' editable='true'"),
            field(560, "text='••••' password='true' hint-showing='false' content-desc='Password' editable='true'"),
            text("Street", [40, 700, 280, 780]),
            field(690, "text='' hint-showing='false' editable='true'"),
            text("Postcode", [300, 810, 700, 860]),
            view(
                "FrameLayout",
                [300, 870, 1040, 970],
                "",
                &[field(870, "text='10115' hint-showing='false' editable='true'")],
            ),
            text("Far away", [300, 1000, 700, 1050]),
            field(1600, "text='x' editable='true'"),
            field(1720, "text='Off' editable='false' enabled='false' content-desc='Disabled'"),
            field(1840, "text='Fixed' editable='false' content-desc='Fixed' focusable='true'"),
        ],
    )])]);
    assert_eq!(
        flat(&capture),
        "[text-field] \"E-mail\" = \"\" [editable]\n\
         [text-field] \"E-mail address\" = \"ada@b.c\" [focused] [editable]\n\
         [text-field] \"Search\" = \"\" [editable]\n\
         [text-field] \"Password\" = \"••••••\" [editable] [password]\n\
         [text-field] \"Street\" = \"\" [editable]\n\
         [text-field] \"Postcode\" = \"10115\" [editable]\n\
         [text-field] = \"x\" [editable]\n\
         [text-field] \"Disabled\" = \"Off\" [disabled] [editable]\n\
         [text-field] \"Fixed\" [readonly]\n"
    );
    let email = capture.tree.get(find(&capture, "label=E-mail")).unwrap();
    assert_eq!((email.value.as_deref(), email.extra().placeholder.as_deref()), (Some(""), Some("E-mail")));
}

#[test]
fn a_part_that_is_filled_by_its_own_controls_has_no_point_of_its_own() {
    let tiled = |gap: i32| {
        capture(&[app(&[view(
            "LinearLayout",
            [0, 200, 1080, 400],
            "content-desc='Row' clickable",
            &[button("One", [0, 200, 540, 400 - gap]), button("Two", [540, 200, 1080, 400 - gap])],
        )])])
    };
    let full = tiled(0);
    assert!(matches!(full.touch(find(&full, "label=Row")), Touch::OwnControls(2 | 3)));
    assert!(matches!(full.aim(find(&full, "label=Row")), Aimed::Covered { .. }));
    let gap = tiled(40);
    let Touch::At(point) = gap.touch(find(&gap, "label=Row")) else { panic!("there is a gap") };
    assert!(point.y >= 360.0);
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
fn keys_name_the_views_of_a_helper_that_numbers_them_and_hold_for_one_that_does_not() {
    let keyed = |scope: u64| {
        let xml = document(&[window(
            1,
            0,
            DISPLAY,
            &format!("{IN_FRONT} window-id='12' node-key='12:1f'"),
            &[
                view("Button", [0, 300, 500, 400], "text='A' clickable node-key='12:ab0'", &[]),
                view("Button", [0, 500, 500, 600], "text='B' clickable", &[]),
            ],
        )]);
        read(xml.as_bytes(), &Headers::new(), &Options { scope, ..OPTIONS }).unwrap()
    };
    let (first, restarted) = (keyed(1), keyed(2));
    let key = |capture: &Capture, label: &str| {
        capture.tree.get(find(capture, &format!("label={label}"))).unwrap().key.unwrap()
    };
    assert_eq!(first.keys.spell(key(&first, "A")).as_deref(), Some("12:ab0"));
    assert_eq!(first.keys.spell(key(&first, "B")), None, "derived: two nodes shared its number");
    assert_ne!(key(&first, "A"), key(&restarted, "A"), "another life of the helper");

    let old = |names: &[&str]| {
        let rows: Vec<String> =
            names.iter().zip(1..).map(|(name, nth)| button(name, [0, nth * 100, 500, nth * 100 + 90])).collect();
        capture(&[app(&rows)])
    };
    let (before, same, grown) = (old(&["A", "B"]), old(&["A", "B"]), old(&["New", "A", "B"]));
    for name in ["A", "B"] {
        assert_eq!(key(&before, name), key(&same, name));
        assert_ne!(key(&before, name), key(&grown, name), "expires instead of meaning something else");
    }
    let all: std::collections::HashSet<_> = grown.tree.nodes().iter().map(|node| node.key).collect();
    assert_eq!(all.len(), grown.tree.len());
}

#[test]
fn no_more_nodes_than_asked_for() {
    let rows: Vec<String> =
        (0..50).map(|nth| button(&format!("Row {nth}"), [0, nth * 40, 500, nth * 40 + 40])).collect();
    let xml = document(&[app(&rows)]);
    let capture = read(xml.as_bytes(), &Headers::new(), &Options { max_nodes: 10, ..OPTIONS }).unwrap();
    assert_eq!((capture.tree.len(), capture.tree.truncated, capture.tree.total), (10, true, 51));
    assert_eq!(capture.tree.get(0).unwrap().end, 10);
}
