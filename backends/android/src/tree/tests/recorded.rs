//! What the captures of a published helper become.

use contract::Row;
use proptest::prelude::*;

use super::*;

#[test]
fn a_form_with_the_keyboard_up() {
    let capture = recorded("login").unwrap();
    let fields = "[text-field] \"E-mail\" = \"\" [editable]\n\
         [text-field] \"com.example.app:id/name\" = \"Ada\" [focused] [editable]\n\
         [text-field] \"com.example.app:id/pass\" = \"••••••\" [editable] [password]\n\
         [checkbox] \"Keep me signed in\"\n\
         [button] \"Sign in\" [disabled]\n";
    assert_eq!(flat(&capture), fields);
    assert_eq!(
        full(&capture),
        format!("{fields}[text] \"Help\" [selected]\n[image] \"Logo\"\n[keyboard] \"Keyboard\"\n")
    );
    assert_eq!(capture.keyboard, Some(Rect::new(0.0, 1500.0, 1080.0, 900.0)));
    assert_eq!(find(&capture, "id=user"), find(&capture, "id=com.example.app:id/user"));
    let kinds: Vec<WindowKind> = capture.windows.iter().map(|window| window.kind).collect();
    assert_eq!(kinds, [WindowKind::Keyboard, WindowKind::Bar, WindowKind::App], "topmost first");
}

#[test]
fn a_form_from_a_device_that_does_not_tell_hints() {
    let capture = recorded("login-api23").unwrap();
    assert_eq!(
        flat(&capture),
        "[text-field] \"com.example.app:id/user\" = \"E-mail\" [editable]\n\
         [text-field] \"com.example.app:id/name\" = \"Ada\" [focused] [editable]\n\
         [text-field] \"com.example.app:id/pass\" = \"••••••\" [editable] [password]\n\
         [checkbox] \"Keep me signed in\"\n\
         [button] \"Sign in\" [disabled]\n"
    );
}

#[test]
fn a_native_dialog_over_its_app() {
    let capture = recorded("dialog").unwrap();
    assert_eq!(
        full(&capture),
        "[dialog] \"Delete the item?\"\n  [button] \"OK\"\n\
         [window] \"com.example.app\" [covered by [dialog] \"Delete the item?\"]\n  \
         [button] \"Delete\" [covered by [dialog] \"Delete the item?\"]\n  \
         [text] \"Item\" [covered by [dialog] \"Delete the item?\"]\n"
    );
    let alert = capture.alert.clone().unwrap();
    assert_eq!((alert.dialog.kind.as_str(), alert.dialog.text.as_str()), ("alert", "Delete the item?"));
    assert_eq!((alert.accept, alert.dismiss), (Some(find(&capture, "id=button1")), Some(find(&capture, "label=OK"))));
}

#[test]
fn a_dialog_whose_app_was_lost() {
    let capture = recorded("window-throws").unwrap();
    assert_eq!(full(&capture), "[dialog] \"Delete the item?\"\n  [button] \"OK\"\n");
    assert!(capture.alert.is_some());
}

#[test]
fn a_list_that_goes_on() {
    let capture = recorded("list").unwrap();
    assert_eq!(
        full(&capture),
        "[list] \"com.example.app:id/list\" [scrollable]\n  ... more hidden below\n  [text] \"Row 1\"\n  \
         [text] \"Row 2\" [selected]\n[group] [scrollable]\n  ... more hidden left, more hidden right\n\
         [group] [scrollable]\n[text] \"scroll actions, not scrollable\"\n\
         below: 1 more (1 interactive): \"Row 3 (below the edge)\"\nleft: 1 more: \"Row 5 (negative, inverted)\"\n"
            .replace("[group] [scrollable]\n[text]", "[text]")
    );
    let below = find(&capture, "label=\"Row 3 (below the edge)\"");
    assert!(matches!(capture.aim(below), Aimed::Offscreen { .. }));
}

#[test]
fn texts_of_every_kind() {
    let capture = recorded("texts").unwrap();
    let names: Vec<&str> = capture.tree.nodes().iter().skip(1).map(|node| &*node.name).collect();
    assert_eq!(names[0], "quotes \" and ' amp & lt < gt > &amp;");
    assert_eq!(names[1], "line 1\nline 2\r\nline 3\ttab");
    assert!(
        names[3].starts_with("control [\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{7f}"),
        "{}",
        names[3]
    );
    assert!(names[4].contains("\u{feff}\u{fffd}\u{fffd}\u{a0}"), "{}", names[4].escape_unicode());
    assert_eq!(names[5..8], ["lone surrogates [?] [?] end", "  leading and trailing  ", "empty text"]);
    assert_eq!(names[8], "", "a blank says nothing");
    let odd = &capture.tree.nodes()[10];
    assert_eq!(odd.identifier.as_deref(), Some("x:id/<\"&'\n>"));
    assert_eq!(odd.native_type.as_deref(), Some("a<b>&\"c\""));
    assert!(full(&capture).lines().all(|line| line.starts_with("[text] \"")));
}

#[test]
fn what_a_helper_sends_without_windows_or_with_few_nodes() {
    for name in ["no-window-list", "fallback-only", "fallback-outside"] {
        let capture = recorded(name).unwrap();
        assert_eq!(full(&capture), "[button] \"OK\"\n", "{name}");
        assert!(capture.is_poor() && capture.tree.warnings.len() == 1, "{name}");
    }
    let under_the_bar = recorded("active-root-from-fallback-first").unwrap();
    assert_eq!(full(&under_the_bar), "[button] \"OK\" [covered by a bar of the system]\n");
    assert_eq!(full(&recorded("many-max5").unwrap()), "[group] \"row 0\"\n");
    assert_eq!(full(&recorded("deep-3").unwrap()), "[group] \"0\"\n  [group] \"1\"\n    [text] \"2\"\n");
    let split = recorded("chunk-split").unwrap();
    assert_eq!(split.tree.get(1).unwrap().name.chars().filter(|letter| *letter == '😀').count(), 400);
}

#[test]
fn boxes_without_sense_are_out_of_view() {
    let capture = recorded("odd").unwrap();
    assert_eq!(full(&capture), "");
    assert!(capture.tree.nodes().iter().all(|node| !node.is(screen::States::VISIBLE)));
    for place in 0..4 {
        assert!(matches!(capture.aim(place), Aimed::Offscreen { .. }));
    }
    let hint = capture.tree.get(1).unwrap();
    assert_eq!((hint.value.as_deref(), &*hint.name), (Some(""), "t"));
}

#[test]
fn what_is_no_screen_is_refused_under_its_row() {
    let refusal = |result: Result<Capture, Failure>| {
        let failure = result.unwrap_err();
        (failure.claim().unwrap().row, failure.reason_str().unwrap().to_owned())
    };
    assert_eq!(refusal(recorded("many-max0")), (Row::HelperCaptureWithoutApp, "capture_empty".into()));
    assert_eq!(refusal(recorded("empty-childless-root")), (Row::HelperCaptureWithoutApp, "app_window_empty".into()));
    let whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/capture/login.xml")).unwrap();
    for length in [0, 10, 60, 500, whole.len() - 3] {
        let cut = read(&whole[..length], &Headers::new(), &OPTIONS);
        assert_eq!(refusal(cut), (Row::HelperCaptureUnreadable, "capture_unreadable".into()), "{length}");
    }
}

proptest! {
    /// Whatever is sent, reading it ends, and a point that is given out is one where the node is.
    #[test]
    fn no_capture_makes_it_panic_and_no_point_lies_outside(
        nodes in prop::collection::vec((
            0usize..6,
            prop::array::uniform4(-300i32..1500),
            prop::sample::select(vec!["Button", "EditText", "TextView", "RecyclerView", "android.view.View", "Spinner", "Switch", ""]),
            prop::sample::subsequence(vec![
                "clickable='true'", "text='a'", "content-desc='b'", "scrollable='true' can-scroll-forward='true'",
                "visible-to-user='false'", "drawing-order='3'", "editable='true'", "resource-id='android:id/button1'",
                "checked='true'", "enabled='false'", "window-type='3'", "window-type='2'", "window-layer='4'",
                "window-focused='true'", "node-key='1:a'", "class='x'",
            ], 0..8),
        ), 0..40),
        whole: bool,
        max_nodes in 1u32..60,
    ) {
        let mut xml = String::from("<hierarchy>");
        let mut open = 0;
        for (depth, [left, top, right, bottom], class, attributes) in nodes {
            while open > depth {
                xml.push_str("</node>");
                open -= 1;
            }
            let attributes = attributes.join(" ");
            let _ = write!(xml, "<node class='android.widget.{class}' bounds='[{left},{top}][{right},{bottom}]' {attributes}>");
            open += 1;
        }
        xml.push_str(&"</node>".repeat(open));
        xml.push_str("</hierarchy>");
        if let Ok(capture) = read(xml.as_bytes(), &Headers::new(), &Options { whole, max_nodes, ..OPTIONS }) {
            prop_assert!(capture.tree.len() <= max_nodes as usize);
            let _ = flat(&capture);
            for (place, node) in capture.tree.iter() {
                if let Touch::At(point) = capture.touch(place) {
                    prop_assert!(node.rect.contains(point) && capture.tree.viewport.bounds().contains(point));
                    prop_assert!(node.is(screen::States::VISIBLE) && node.cover.is_none());
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..4200, at in 0usize..4100) {
        let mut whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/capture/login.xml")).unwrap();
        whole.truncate(cut);
        let at = at.min(whole.len());
        whole.splice(at..at, bytes);
        let _ = read(&whole, &Headers::new(), &OPTIONS);
    }
}
