//! What foreign bytes become in front of a person: trees, lines, pictures.

use contract::{Rect, command::ViewArgs, plain as words};
use daemon::overlay::{self, Mark};
use screen::{RefBook, Tree, diff, digest, selector, snapshot};

/// A tree is in order, and so is all that is said of it: every line on its own, nothing that acts on a terminal.
pub fn is_a_sound_screen(tree: &Tree, max_nodes: u32) {
    assert!(tree.len() <= max_nodes as usize + 1, "{} nodes of {max_nodes}", tree.len());
    for (place, node) in tree.iter() {
        assert!(node.end > place && node.end as usize <= tree.len(), "node {place} ends at {}", node.end);
        assert!(node.parent.is_none_or(|parent| parent < place), "node {place} below {:?}", node.parent);
        let Rect { x, y, width, height } = node.rect;
        assert!(
            [x, y, width, height].iter().all(|length| length.is_finite()),
            "a box without a place: {:?}",
            node.rect
        );
        assert!(node.role.as_str().chars().all(|letter| letter.is_ascii() && !"[]\"\n".contains(letter)));
    }
    let mut book = RefBook::default();
    let mut before = None;
    for interactive_only in [false, true] {
        let mut frame = book.show(tree);
        let args = ViewArgs { interactive_only, ..ViewArgs::default() };
        let listing = snapshot::render(&mut frame, &args, None).expect("the whole screen can be shown");
        let text = listing.text();
        assert!(text.chars().all(|letter| letter == '\n' || words::is_shown(letter)), "{text:?}");
        for line in listing.lines() {
            assert!(!line.text.contains('\n'), "one node, two lines: {:?}", line.text);
            assert!(line.note || line.text.starts_with('['), "{:?}", line.text);
        }
        if let Some(before) = &before {
            let _changed = diff::diff(before, &listing);
        }
        before = Some(listing);
    }
    let _digest = digest::digest(tree);
    for (place, _) in tree.iter().take(64) {
        let chain = selector::selector_chain(tree, place);
        assert!(chain.is_empty() || selector::Selector::parse(&chain).is_ok(), "no selector: {chain}");
    }
}

/// A picture of a device, drawn on.
pub fn picture(data: &[u8]) {
    let marks = [
        Mark { label: "e12".into(), rect: Rect::new(1.0, 2.0, 30.0, 40.0) },
        Mark { label: "e3".into(), rect: Rect::new(f64::NAN, -1e308, f64::INFINITY, 1e308) },
    ];
    if let Ok((png, (width, height))) = overlay::draw(data, &marks) {
        assert!(width > 0 && height > 0 && png.starts_with(b"\x89PNG"));
    }
}

/// Any text, as it is printed.
pub fn plain(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    assert!(words::line(&text).chars().all(words::is_shown));
    assert!(words::text(&text).chars().all(|letter| letter == '\n' || letter == '\t' || words::is_shown(letter)));
    let document = serde_json::json!({ "text": text, &*text: [text] });
    let written = document.to_string();
    let shown = words::json(&written);
    assert!(shown.chars().all(words::is_shown), "{shown:?}");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), Some(document));
}
