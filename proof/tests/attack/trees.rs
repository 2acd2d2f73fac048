//! A page or a helper that sends a tree nobody can draw: endless, deep, in circles, without places. What becomes of it
//! is bounded in time and in memory, and never ends the daemon.

use std::{
    collections::HashMap,
    fmt::Write as _,
    time::{Duration, Instant},
};

use android::tree as android_tree;
use contract::{Rect, Size, command::ViewArgs};
use fuzz_targets::shown::is_a_sound_screen;
use screen::{Node, RefBook, Role, Selector, States, Tree, TreeBuilder, digest, selector, snapshot};
use webdriver::capture;

use crate::memory::{MIB, peak};

/// For a debug build on a busy computer; a release build takes a tenth.
const LIMIT: Duration = Duration::from_secs(60);

fn in_time<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let value = run();
    assert!(began.elapsed() < LIMIT, "{what} took {:?}", began.elapsed());
    value
}

/// A tree whose node `n` lies below `parent(n)`.
fn tree(count: u32, parent: impl Fn(u32) -> Option<u32>, rect: impl Fn(u32) -> Rect) -> Tree {
    let mut builder = TreeBuilder::new(Size { width: 390.0, height: 780.0 });
    for place in 0..count {
        let mut node = Node::new(Role::of("button"), format!("Button {}", place % 7), rect(place));
        node.states = States::RENDERED | States::VISIBLE | States::INTERACTIVE;
        builder.push(parent(place), node);
    }
    builder.finish()
}

/// Everything that is done with a capture.
fn used(what: &str, tree: &Tree) {
    let mut book = RefBook::default();
    let mut frame = in_time(&format!("{what}: refs"), || book.show(tree));
    for (view, args) in [
        ("all", ViewArgs::default()),
        ("controls", ViewArgs { interactive_only: true, ..ViewArgs::default() }),
        ("raw", ViewArgs { raw: true, ..ViewArgs::default() }),
    ] {
        let listing =
            in_time(&format!("{what}: {view}"), || snapshot::render(&mut frame, &args, None)).expect("it is a screen");
        assert!(listing.text().len() < 32 << 20, "{what}: {view}: {} bytes of text", listing.text().len());
    }
    in_time(&format!("{what}: digest"), || digest::digest(tree));
    let last = u32::try_from(tree.len()).unwrap_or(u32::MAX).saturating_sub(1);
    in_time(&format!("{what}: a selector for the last"), || selector::selector_chain(tree, last));
    let miss = Selector::parse("label=\"Buttom 9\" || id=nowhere").expect("a selector");
    in_time(&format!("{what}: what is near"), || selector::near(&miss, tree));
    in_time(&format!("{what}: a miss"), || selector::resolve(&miss, tree));
    in_time(&format!("{what}: another look"), || {
        let mut again = RefBook::default();
        drop(again.show(tree));
        drop(again.show(tree));
    });
}

#[test]
fn a_hundred_thousand_nodes_deep_and_half_a_million_wide() {
    let place = |place: u32| Rect::new(f64::from(place % 300), f64::from(place % 700), 10.0, 10.0);
    used("a chain", &tree(100_000, |place| place.checked_sub(1), place));
    used("a row", &tree(500_000, |place| (place > 0).then_some(0), place));
    used("roots", &tree(100_000, |_| None, place));
    used("a comb", &tree(100_000, |place| place.checked_sub(1).map(|up| up - up % 2), place));
    assert!(peak() < 1500 * MIB, "{} MiB", peak() / MIB);
}

#[test]
fn boxes_without_a_place_get_one() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 5e-324, -0.0, 1e15];
    let tree = tree(
        4096,
        |place| place.checked_sub(1),
        |place| {
            let at = |shift: u32| odd[(place >> shift & 7) as usize];
            Rect::new(at(0), at(3), at(6), at(9))
        },
    );
    is_a_sound_screen(&tree, 4096);
    used("odd boxes", &tree);
    for (_, node) in tree.iter() {
        let (right, centre) = (node.rect.right(), node.rect.centre());
        assert!(right.is_finite() && centre.x.is_finite() && centre.y.is_finite(), "{:?}", node.rect);
    }
}

#[test]
fn texts_of_megabytes_are_cut_aloud() {
    let mut builder = TreeBuilder::new(Size { width: 390.0, height: 780.0 });
    for place in 0..200_u32 {
        let text = "\u{202e}x\n".repeat(1 << 18);
        let mut node = Node::new(Role::new(&text), text.clone(), Rect::new(0.0, f64::from(place), 10.0, 10.0));
        node.value = Some(text.clone().into());
        node.identifier = Some(text.into());
        node.states = States::RENDERED | States::VISIBLE | States::INTERACTIVE | States::EDITABLE;
        builder.push(place.checked_sub(1), node);
    }
    let tree = builder.finish();
    let mut book = RefBook::default();
    let listing =
        in_time("texts", || snapshot::render(&mut book.show(&tree), &ViewArgs::default(), None)).expect("a screen");
    assert!(listing.text().len() < 4 << 20, "{} bytes", listing.text().len());
}

/// What a page answers in its agent's place.
fn page(nodes: &str, frames: &str) -> String {
    format!(
        r#"[{{"ok":{{"doc":"d","url":"u","title":"t","viewport":[390,780],"scroll":[0,0,0,0],"truncated":false,"nodes":[{nodes}],"frames":[{frames}]}}}}]"#
    )
}

#[test]
fn a_page_that_lies_in_its_agents_place_is_bounded() {
    let nodes = |count: u64, node: &dyn Fn(u64) -> String| (0..count).map(node).collect::<Vec<_>>().join(",");
    let plain = |id: u64, parent: i64| format!(r#"[{id},{parent},"button","B","","","",0,0,10,10,4294967295,0]"#);
    let circles = nodes(1000, &|id| plain(id, i64::try_from(id).unwrap_or(0) + 1));
    let twins = nodes(1000, &|_| plain(7, 0));
    let covers =
        nodes(1000, &|id| format!(r#"[{id},-1,"button","B","","","",0,0,10,10,16777217,{}]"#, (id + 1) % 1000));
    let deep = nodes(100_000, &|id| plain(id, i64::try_from(id).unwrap_or(0) - 1));
    let wide = nodes(500_000, &|id| plain(id, -1));
    let odd = nodes(100, &|id| {
        format!(
            r#"[{id},-1,"x","\ud83d","","","",1e308,-1e308,1e308,1e308,1,0,{{"level":1e308,"hidden":[1e308,0,0,0]}}]"#
        )
    });
    for (what, said, most) in [
        ("circles", page(&circles, ""), 5000),
        ("equal ids", page(&twins, ""), 5000),
        ("covers in a circle", page(&covers, ""), 5000),
        ("a chain", page(&deep, ""), 5000),
        ("a row", page(&wide, ""), 5000),
        ("odd numbers", page(&odd, "[1,1e308,1e308,1e308,1e308,1e308,1e308]"), 5000),
    ] {
        match in_time(what, || capture::tree_of(said, most)) {
            Ok(tree) => {
                is_a_sound_screen(&tree, most);
                used(what, &tree);
            }
            // Half a surrogate is no JSON.
            Err(failure) => assert!(what == "odd numbers", "{what}: {failure}"),
        }
    }
}

#[test]
fn a_helper_that_sends_what_no_device_has_is_bounded() {
    let node = r#"<node class="android.widget.Button" text="B" clickable="true" enabled="true" visible-to-user="true" bounds="[0,0][100,100]" window-type="1""#;
    let nested = |count: usize, open: &str, close: &str| {
        let mut xml = String::from("<hierarchy>");
        for _ in 0..count {
            let _infallible = write!(xml, "{open}");
        }
        for _ in 0..count {
            xml.push_str(close);
        }
        xml + "</hierarchy>"
    };
    let documents = [
        ("a chain", nested(100_000, &format!("{node}>"), "</node>")),
        ("a row", format!("<hierarchy>{node}>{}</node></hierarchy>", format!("{node}/>").repeat(100_000))),
        ("windows", format!("<hierarchy>{}</hierarchy>", format!("{node}/>").repeat(20_000))),
        (
            "what is no node around nodes",
            format!("<hierarchy>{}{}{}</hierarchy>", "<x>".repeat(200_000), format!("{node}/>").repeat(100_000), "</x>".repeat(200_000)),
        ),
        ("entities", format!("<hierarchy>{node} content-desc=\"{}\"/></hierarchy>", "&#55357;&amp;&lt;".repeat(500_000))),
        ("attributes", format!("<hierarchy>{node} {}/></hierarchy>", "text=\"x\" ".repeat(500_000))),
        ("boxes", format!("<hierarchy>{}</hierarchy>", r#"<node class="a" text="x" clickable="true" bounds="[-2147483648,-2147483648][2147483647,2147483647]" drawing-order="-2147483648" window-layer="2147483647" window-bounds="[2147483647,0][-2147483648,1]" window-type="2"/>"#.repeat(100))),
    ];
    for (what, xml) in documents {
        let options = android_tree::Options { scope: 1, max_nodes: 5000, whole: true };
        for headers in [HashMap::new(), HashMap::from([("displayWidth".to_owned(), "1e308".to_owned())])] {
            let read = in_time(what, || android_tree::read(xml.as_bytes(), &headers, &options));
            if let Ok(capture) = read {
                is_a_sound_screen(&capture.tree, 5000);
                used(what, &capture.tree);
                in_time(what, || (0..4).for_each(|place| drop(capture.aim(place))));
            }
        }
    }
    assert!(peak() < 1500 * MIB, "{} MiB", peak() / MIB);
}
