//! What apps show: pages, React Native, rows, fields; and how nodes are known again.

use super::{sketch::*, *};

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

#[test]
fn a_switch_that_says_its_state_is_called_what_its_row_is() {
    let row = view(
        "LinearLayout",
        [0, 200, 1080, 400],
        "clickable",
        &[
            text("Airplane mode", [40, 220, 800, 300]),
            view("Switch", [900, 240, 1040, 320], "text='OFF' checked='false'", &[]),
        ],
    );
    let capture =
        capture(&[app(&[row, view("Switch", [900, 440, 1040, 520], "text='Sound' checked='true' clickable", &[])])]);
    assert_eq!(
        full(&capture),
        "[group] \"Airplane mode\"\n  [switch] \"Airplane mode\" [unchecked]\n[switch] \"Sound\" [checked]\n"
    );
}

#[test]
fn a_screen_as_deep_as_it_has_nodes_is_read_too() {
    let depth = 2_000;
    let node = "<node class='android.view.View' text='a' clickable='true' bounds='[0,0][1080,2400]'>";
    let xml = format!("<hierarchy>{}{}</hierarchy>", node.repeat(depth), "</node>".repeat(depth));
    let capture = read(xml.as_bytes(), &Headers::new(), &OPTIONS).unwrap();
    assert_eq!((capture.tree.len(), flat(&capture).lines().count()), (depth, depth));
}
