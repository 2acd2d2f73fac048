use contract::{command::ViewArgs, target::RefToken};
use proptest::prelude::*;

use super::*;
use crate::{
    Cover, Extra, Node, RefBook, States, Tree,
    sketch::{SHOWN, Sketch, button, field, node},
};

fn show(tree: &Tree, args: &ViewArgs) -> Listing {
    render(&mut RefBook::new().show(tree), args, None).unwrap()
}

#[test]
fn what_a_container_hides_without_saying_how_much_is_said_in_words() {
    let mut list = node("list", "Rows").with(States::SCROLLABLE);
    list.extra = hidden([0.0, f64::INFINITY, 0.0, 20.0]);
    let tree = Sketch::new().node(0, list).node(1, button("Row")).tree();
    assert!(show(&tree, &full()).text().contains("\n  ... more hidden below, 20 px hidden right\n"));
    // No number of JSON stands for it.
    let nodes = show(&tree, &full()).nodes(&tree);
    let rows = serde_json::to_value(nodes.iter().find(|node| node.scrollable)).unwrap();
    assert_eq!((&rows["hiddenAbove"], rows.get("hiddenBelow"), &rows["moreBelow"]), (&0.0.into(), None, &true.into()));
}

fn full() -> ViewArgs {
    ViewArgs::default()
}

fn flat() -> ViewArgs {
    ViewArgs { interactive_only: true, ..ViewArgs::default() }
}

fn scoped(text: &str) -> ViewArgs {
    ViewArgs { scope: Some(text.into()), ..ViewArgs::default() }
}

fn hidden(px: [f64; 4]) -> Option<Box<Extra>> {
    Some(Box::new(Extra { hidden: Some(px), ..Extra::default() }))
}

fn page() -> Tree {
    let mut list = node("list", "").at(0.0, 100.0, 400.0, 200.0).with(States::SCROLLABLE);
    list.extra = hidden([0.0, 1240.4, 0.0, 0.0]);
    let mut tree = Sketch::new()
        .node(0, node("webview", "Settings").at(0.0, 0.0, 400.0, 800.0))
        .node(1, node("generic", "").id("root"))
        .node(2, node("heading", "Account"))
        .node(3, node("text", "Account"))
        .node(2, field("Email", "a@b.c", States::FOCUSED | States::REQUIRED))
        .node(2, list)
        .node(3, node("listitem", ""))
        .node(4, node("text", "Row one"))
        .node(4, button("Delete"))
        .node(3, node("listitem", ""))
        .node(4, node("text", "Row two"))
        .node(4, button("Delete"))
        .node(2, button("Save").at(0.0, 900.0, 80.0, 40.0).without(States::VISIBLE))
        .node(2, node("text", "Imprint").at(0.0, 950.0, 80.0, 40.0).without(States::VISIBLE))
        .node(2, button("Gone").without(SHOWN))
        .tree();
    tree.title = Some("Settings".into());
    tree.app = Some("https://example.test/".into());
    tree
}

#[test]
fn a_full_snapshot_shows_what_is_in_view_and_sums_up_the_rest() {
    let tree = page();
    let listing = show(&tree, &full());
    assert_eq!(
        listing.text(),
        "Page: Settings\n\
         App: https://example.test/\n\
         Snapshot: 10 visible nodes (15 total)\n\
         @e1 [webview] \"Settings\"\n\
         \x20 @e2 [heading] \"Account\"\n\
         \x20 @e3 [text-field] \"Email\" = \"a@b.c\" [focused] [editable] [required]\n\
         \x20 @e4 [list] \"Row one, Row two\" [scrollable]\n\
         \x20   ... 1240 px hidden below\n\
         \x20   @e5 [listitem]\n\
         \x20     @e6 [text] \"Row one\"\n\
         \x20     @e7 [button] \"Delete\"\n\
         \x20   @e8 [listitem]\n\
         \x20     @e9 [text] \"Row two\"\n\
         \x20     @e10 [button] \"Delete\"\n\
         below: 2 more (1 interactive): \"Save\""
    );
    assert_eq!((listing.len(), listing.total(), listing.truncated()), (10, 15, false));
}

#[test]
fn a_flat_snapshot_lists_controls_and_tells_equal_ones_apart() {
    let listing = show(&page(), &flat());
    let lines: Vec<String> = listing.lines().map(|line| line.plain()).collect();
    assert_eq!(
        lines,
        [
            "@e1 [text-field] \"Email\" = \"a@b.c\" [focused] [editable] [required]",
            "@e2 [list] \"Row one, Row two\" [scrollable]",
            "... 1240 px hidden below",
            "@e3 [button] \"Delete\" in \"Row one\"",
            "@e4 [button] \"Delete\" in \"Row two\"",
        ]
    );
    assert!(listing.text().ends_with("below: 1 more (1 interactive): \"Save\""), "{}", listing.text());
    assert!(listing.lines().all(|line| line.note || line.depth == 0));
}

#[test]
fn every_state_has_its_flag() {
    let cases: Vec<(Node, &str)> = vec![
        (button("x").with(States::DISABLED), "[button] \"x\" [disabled]"),
        (node("tab", "x").with(States::SELECTED), "[tab] \"x\" [selected]"),
        (
            field("x", "", States::READONLY | States::INVALID),
            "[text-field] \"x\" = \"\" [editable] [invalid] [readonly]",
        ),
        (field("x", "secret", States::PASSWORD), "[text-field] \"x\" = \"••••••\" [editable] [password]"),
        (node("checkbox", "x").with(States::CHECKABLE).value("on"), "[checkbox] \"x\" [unchecked]"),
        (node("checkbox", "x").with(States::CHECKABLE | States::CHECKED), "[checkbox] \"x\" [checked]"),
        (node("checkbox", "x").with(States::CHECKABLE | States::MIXED), "[checkbox] \"x\" [mixed]"),
        (button("x").with(States::PRESSED), "[button] \"x\" [pressed]"),
        (button("x").with(States::EXPANDABLE | States::HAS_POPUP), "[button] \"x\" [collapsed] [popup]"),
        (button("x").with(States::EXPANDABLE | States::EXPANDED), "[button] \"x\" [expanded]"),
        (button("x").with(States::HIT_TESTED), "[button] \"x\" [not hittable]"),
        (button("x").with(States::INERT), "[button] \"x\" [inert]"),
        (button("x").with(States::CUT), "[button] \"x\" [cut]"),
        (button("x").with(States::FILE), "[button] \"x\" [file]"),
        (node("slider", "").with(States::INTERACTIVE).value("50"), "[slider] = \"50\""),
        (node("text", "").value("12 items"), "[text] \"12 items\""),
        (button("").id("close"), "[button] \"close\""),
        (node("image", ""), "[image]"),
        (button("a \"b\"\n c"), "[button] \"a \\\"b\\\" c\""),
        (Node { cover: Some(Cover::Other("a toast".into())), ..button("x") }, "[button] \"x\" [covered by a toast]"),
        (
            Node { extra: Some(Box::new(Extra { level: Some(2), ..Extra::default() })), ..node("heading", "x") },
            "[heading] \"x\" [level 2]",
        ),
        (
            Node {
                extra: Some(Box::new(Extra { placeholder: Some("you@x".into()), ..Extra::default() })),
                ..field("x", "", States::empty())
            },
            "[text-field] \"x\" = \"\" [editable] [placeholder \"you@x\"]",
        ),
    ];
    for (shown, expected) in cases {
        let tree = Sketch::new().node(0, shown).tree();
        let mut out = String::new();
        line::write(&mut out, &tree, 0, false);
        assert_eq!(out, expected);
    }
}

#[test]
fn in_a_flat_view_a_control_without_a_name_is_called_by_what_is_in_it() {
    let tree = Sketch::new()
        .node(0, node("generic", "").with(States::CLICKABLE))
        .node(1, node("text", "Inbox"))
        .node(1, node("text", "3"))
        .tree();
    assert_eq!(show(&tree, &flat()).lines().next().unwrap().text, "[generic] \"Inbox, 3\"");
    assert_eq!(show(&tree, &full()).lines().next().unwrap().text, "[generic]");
}

#[test]
fn a_covered_node_names_what_covers_it() {
    let mut save = button("Save");
    save.cover = Some(Cover::Node(1));
    let tree = Sketch::new().node(0, save).node(0, node("dialog", "Cookie settings")).tree();
    assert!(show(&tree, &full()).text().contains("@e1 [button] \"Save\" [covered by [dialog] \"Cookie settings\"]"));
}

#[test]
fn a_long_text_is_cut_aloud() {
    let tree = Sketch::new().node(0, node("text", &"x".repeat(1000))).tree();
    let text = show(&tree, &full()).text().to_owned();
    assert!(text.ends_with("…\" [cut]") && text.len() < 400, "{text}");
}

#[test]
fn depth_counts_printed_levels_from_the_scope() {
    let listing = show(&page(), &ViewArgs { depth: Some(2), ..full() });
    assert!(listing.lines().all(|line| line.note || line.depth < 2));
    assert!(listing.text().ends_with("deeper: 6 more nodes below the depth asked for"), "{}", listing.text());
    let controls = |depth| show(&page(), &ViewArgs { depth: Some(depth), ..flat() }).len();
    assert_eq!([1, 2, 3, 4].map(controls), [0, 2, 2, 4], "the flat view counts the levels of the full one");
    let listing = show(&page(), &ViewArgs { depth: Some(1), ..scoped("email") });
    assert_eq!(listing.lines().map(|line| line.depth).collect::<Vec<_>>(), [0]);
}

#[test]
fn a_scope_that_was_scrolled_away_is_out_of_view_and_not_absent() {
    let far = node("heading", "Date picker").at(0.0, 2000.0, 100.0, 40.0).without(States::VISIBLE);
    let tree = Sketch::new().node(0, button("Save")).node(0, far).tree();
    let args = ViewArgs { scope: Some("date".into()), ..ViewArgs::default() };
    let failure = render(&mut RefBook::new().show(&tree), &args, None).unwrap_err();
    assert_eq!(failure.message, "[heading] \"Date picker\" is on the page and out of view");
    let hint = failure.hint.unwrap();
    assert!(hint.ends_with("agent-device scroll down --until 'label=\"Date picker\"'"), "{hint}");
}

#[test]
fn a_scope_is_the_first_subtree_that_shows_the_text_and_has_content() {
    let listing = show(&page(), &scoped("ROW"));
    assert_eq!(listing.lines().next().unwrap().text, "[text] \"Row one\"");
    let failure = render(&mut RefBook::new().show(&page()), &scoped("Gone"), None).unwrap_err();
    assert_eq!(failure.reason_str(), Some("scope_not_found"), "it is there but nothing of it is in view");
    let failure = render(&mut RefBook::new().show(&page()), &scoped("Delet it"), None).unwrap_err();
    assert!(failure.hint.unwrap().contains("Delete"));
}

#[test]
fn a_scope_by_ref_is_the_refs_own_subtree() {
    let tree = page();
    let mut book = RefBook::new();
    let all = render(&mut book.show(&tree), &full(), None).unwrap();
    let args = scoped("@e8");
    assert_eq!(scope_ref(&args).unwrap(), Some(RefToken { number: 8, generation: None }));
    let place = book.resolve(scope_ref(&args).unwrap().unwrap(), &tree).unwrap().place;
    let part = render(&mut book.show(&tree), &args, Some(place)).unwrap();
    let texts = |listing: &Listing| listing.lines().map(|line| line.plain()).collect::<Vec<_>>();
    assert_eq!(texts(&part), texts(&all)[8..]);
    assert_eq!(scope_ref(&full()).unwrap(), None);
    assert_eq!(scope_ref(&scoped("@nope")).unwrap_err().reason_str(), Some("ref_malformed"));
}

#[test]
fn raw_is_one_json_object_a_line_with_everything() {
    let mut tree = page();
    tree.truncated = true;
    tree.total = 70;
    tree.warnings.push("a frame could not be read".into());
    let listing = show(&tree, &ViewArgs { raw: true, ..full() });
    let lines: Vec<serde_json::Value> =
        listing.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), tree.len() + 2);
    assert_eq!(lines[14]["label"], "Gone");
    assert_eq!(lines[8]["parentIndex"], 6);
    assert_eq!((lines[15]["truncated"].as_bool(), lines[15]["total"].as_u64()), (Some(true), Some(70)));
    assert_eq!(lines[16]["warning"], "a frame could not be read");
}

#[test]
fn truncation_and_warnings_are_said_aloud() {
    let mut tree = page();
    tree.truncated = true;
    tree.total = 50_000;
    tree.warnings.push("a frame could not be read".into());
    let listing = show(&tree, &full());
    assert!(listing.text().contains("Snapshot: 10 visible nodes (50000 total) (truncated)\n"));
    assert!(listing.text().contains("Warning: the capture holds 15 of 50000 nodes"), "{}", listing.text());
    assert!(listing.text().ends_with("\nWarning: a frame could not be read"));
    assert!(listing.truncated());
}

#[test]
fn a_huge_screen_is_bounded_and_what_is_left_out_is_counted() {
    let mut sketch = Sketch::new().node(0, node("list", ""));
    for at in 0..LINE_LIMIT + 10 {
        sketch = sketch.node(1, button(&format!("Row {at}")));
    }
    let tree = sketch.tree();
    for args in [full(), flat(), ViewArgs { raw: true, ..full() }] {
        let listing = show(&tree, &args);
        assert_eq!(listing.len(), LINE_LIMIT);
        assert!(listing.truncated());
    }
    assert!(show(&tree, &full()).text().contains("Warning: 5000 of 5011 lines are shown; narrow"));
}

#[test]
fn json_has_the_listed_nodes_with_their_parents() {
    let tree = page();
    let nodes = show(&tree, &full()).nodes(&tree);
    assert_eq!(nodes.len(), 10);
    assert_eq!((nodes[6].label.as_deref(), nodes[6].parent_index, nodes[6].depth), (Some("Delete"), Some(4), 3));
    assert_eq!(nodes[6].reference.as_deref(), Some("e7"));
    assert_eq!(nodes[3].hidden_below, Some(1240.4));
    assert!(nodes.iter().enumerate().all(|(at, node)| node.index as usize == at));
    assert!(show(&tree, &flat()).nodes(&tree).iter().all(|node| node.parent_index.is_none()));
}

#[test]
fn a_snapshot_in_which_nothing_changed_is_acknowledged_in_one_line() {
    let mut book = RefBook::new();
    let before = render(&mut book.show(&page()), &full(), None).unwrap();
    let tree = page();
    let after = render(&mut book.show(&tree), &full(), None).unwrap();
    let line = after.unchanged_since(&before).unwrap();
    assert_eq!(line, "Snapshot: unchanged since generation 1 (10 nodes); refs stay valid");
    let other_view = render(&mut book.show(&tree), &flat(), None).unwrap();
    assert_eq!(other_view.unchanged_since(&before), None);
    let changed = Sketch::new().node(0, button("Other")).tree();
    assert_eq!(render(&mut book.show(&changed), &full(), None).unwrap().unchanged_since(&after), None);
}

#[test]
fn what_lies_off_screen_is_summed_up_per_direction() {
    let out = |name: &str, x: f64, y: f64| button(name).at(x, y, 50.0, 50.0).without(States::VISIBLE);
    let tree = Sketch::new()
        .node(0, node("webview", "").at(0.0, 0.0, 400.0, 800.0))
        .node(1, out("up", 0.0, -100.0))
        .node(1, out("A", 0.0, 900.0))
        .node(1, out("B", 0.0, 1000.0))
        .node(1, out("B", 0.0, 1100.0))
        .node(1, out("C", 0.0, 1200.0))
        .node(1, out("D", 0.0, 1300.0))
        .node(1, out("before", -100.0, 10.0))
        .node(1, out("behind", 500.0, 10.0))
        .node(1, node("list", "").at(0.0, 0.0, 400.0, 100.0).with(States::SCROLLABLE))
        .node(2, out("in the list", 0.0, 300.0))
        .tree();
    let text = show(&tree, &flat()).text().to_owned();
    let tail: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(
        tail,
        [
            "above: 1 more (1 interactive): \"up\"",
            "below: 6 more (6 interactive): \"A\", \"B\", \"C\"",
            "left: 1 more (1 interactive): \"before\"",
            "right: 1 more (1 interactive): \"behind\"",
        ]
    );
}

#[test]
fn an_empty_capture_is_an_empty_snapshot() {
    let listing = show(&Tree::default(), &full());
    assert_eq!(listing.text(), "Snapshot: 0 nodes");
    assert!(listing.is_empty());
}

proptest! {
    #[test]
    fn a_printed_label_pasted_into_a_selector_finds_the_node(name in "\\PC{1,20}|[\"\\\\'| =\n\ta]{1,8}") {
        let tree = Sketch::new().node(0, button(&name)).tree();
        let mut out = String::new();
        line::write(&mut out, &tree, 0, false);
        if !name.trim().is_empty() {
            let label = out.strip_prefix("[button] ").unwrap();
            let selector = crate::Selector::parse(&format!("label={label}")).unwrap();
            prop_assert_eq!(crate::selector::resolve(&selector, &tree), crate::Resolution::One(0));
        }
    }

    #[test]
    fn every_line_names_a_node_that_its_ref_resolves_to(
        nodes in prop::collection::vec((0usize..5, 0usize..5, any::<u32>(), "\\PC{0,6}"), 0..40),
        interactive_only in any::<bool>(), raw in any::<bool>(), depth in prop::option::of(0u32..6),
    ) {
        let roles = ["generic", "group", "button", "text", "list"];
        let tree = nodes.into_iter().fold(Sketch::new(), |sketch, (depth, role, states, name)| {
            sketch.node(depth, node(roles[role], &name).with(States::from_bits_truncate(states)))
        }).tree();
        let mut book = RefBook::new();
        let args = ViewArgs { interactive_only, raw, depth, scope: None };
        let listing = render(&mut book.show(&tree), &args, None).unwrap();
        let mut depths = vec![];
        for line in listing.lines().filter(|line| !line.note) {
            let aim = book.resolve(RefToken { number: line.number, generation: Some(1) }, &tree).unwrap();
            prop_assert_eq!(aim.place, line.place);
            prop_assert!(line.depth as usize <= depths.len() || raw);
            depths.truncate(line.depth as usize);
            depths.push(line.place);
        }
        prop_assert_eq!(listing.nodes(&tree).len(), listing.len());
    }
}
