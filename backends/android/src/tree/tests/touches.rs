//! Where a touch lands: what is off-screen, what covers what, which point is free.

use backend::Aimed;
use contract::{Point, Rect};

use super::{sketch::*, *};

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
fn what_is_under_the_keyboard_is_covered_also_where_the_platform_cuts_the_apps_window_there() {
    let under = button("Under", [0, 1800, 500, 1900]);
    let app = view(
        "FrameLayout",
        DISPLAY,
        &format!("window-type='1' window-layer='0' window-bounds='[0,0][1080,1500]' {IN_FRONT}"),
        &[under, button("Above", [0, 300, 500, 400])],
    );
    let capture = capture(&[keyboard(1500), app]);
    assert_eq!(
        full(&capture),
        "[button] \"Under\" [covered by [keyboard] \"Keyboard\"]\n[button] \"Above\"\n[keyboard] \"Keyboard\"\n"
    );
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
fn on_a_web_page_the_order_of_reading_covers_nothing_and_views_over_it_do() {
    let link = |name: &str, top: i32| {
        view(
            "android.view.View",
            [0, top, 1080, top + 100],
            &format!("text='{name}' roleDescription='link' clickable"),
            &[],
        )
    };
    let page = view(
        "android.webkit.WebView",
        [0, 0, 1080, 2400],
        "",
        &[link("Stays on top", 0), link("Scrolled under it", 20), link("Low", 2200)],
    );
    let capture = capture(&[app(&[page, button("Over the page", [0, 2150, 1080, 2350])])]);
    for free in ["label=\"Stays on top\"", "label=\"Scrolled under it\""] {
        assert_eq!(covered_by(&capture, free), None, "{free}");
    }
    assert_eq!(covered_by(&capture, "label=Low"), Some(find(&capture, "label=\"Over the page\"")));
}

#[test]
fn a_keyboard_that_shows_the_field_itself_covers_the_display() {
    let extracting = window(
        2,
        5,
        DISPLAY,
        "package='com.example.keyboard'",
        &[
            view("EditText", [0, 0, 900, 300], "text='' editable='true'", &[]),
            view("android.view.View", [0, 1500, 100, 1600], "content-desc='q' clickable", &[]),
        ],
    );
    let capture = capture(&[extracting, app(&[button("Under", [0, 100, 500, 200]), text("A", [0, 300, 500, 400])])]);
    assert_eq!(capture.keyboard, Some(Rect::new(0.0, 0.0, 1080.0, 2400.0)));
    assert!(covered_by(&capture, "label=Under").is_some());
}
