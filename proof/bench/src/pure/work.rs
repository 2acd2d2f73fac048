//! The kinds of work that are measured, each on a tree of its own.

use android::tree::{Capture, Headers, Options, facts, read};
use contract::{
    command::{Locator, ViewArgs},
    target::RefToken,
};
use screen::{
    Listing, Purpose, RefBook, Resolution, Selector, Tree, diff, digest, guard, occlusion, query, selector, snapshot,
    visibility,
};

use super::{
    phone,
    tree::{Sample, changed, text_of},
};

/// From a backend's nodes to text: tree, marks, refs, rendering.
pub const WHOLE: &str = "nodes to text: build, mark, show, render";
pub const WHOLE_INTERACTIVE: &str = "nodes to text with -i: build, mark, show, render";
/// From the bytes that an Android helper sends to text.
pub const PHONE: &str = "a phone's capture to text: read, build, mark, show, render";
pub const PHONE_INTERACTIVE: &str = "a phone's capture to text with -i";
/// Works that begin so resolve a selector.
pub const RESOLVE: &str = "resolve";
/// Works that begin so resolve one that takes several passes over the screen.
pub const PASSES: &str = "in passes";

/// What is returned only keeps the compiler from leaving the work out.
type Run = Box<dyn FnMut() -> usize>;

/// One kind of work.
pub struct Work {
    pub name: &'static str,
    /// Everything that is not measured, and the work itself.
    pub prepare: fn(Sample) -> Run,
}

/// All kinds of work; those that no ref takes part in are the same for keyed trees and others and are measured once.
pub fn works(keyed: bool) -> Vec<Work> {
    let mut all = Vec::new();
    let mut add = |name: &'static str, prepare: fn(Sample) -> Run| all.push(Work { name, prepare });
    if keyed {
        add("build a tree", |sample| Box::new(move || sample.tree().len()));
        add("mark what is in view", |sample| on(sample, |tree| marked(tree, visibility::mark)));
        add("mark what is covered", |sample| on(sample, |tree| marked(tree, occlusion::mark)));
        add("copy a tree (part of the two marks)", |sample| on(sample, |tree| tree.clone().len()));
        add("resolve, one match", |sample| resolving(sample, format!("label={:?}", text_of(sample.rows() / 2))));
        add("resolve, a match in every row", |sample| resolving(sample, "role=button label=Delete".to_owned()));
        add("resolve, three alternatives without a match", |sample| {
            resolving(sample, "id=nothing || label=\"No such row\" || text=\"Nothing there\"".to_owned())
        });
        add("in passes: a pattern over any text, below a label", |sample| {
            resolving(sample, format!("anytext~=\".*number 77 .*\" below=(label={:?})", text_of(3)))
        });
        add("in passes: a button in the row that has a text", |sample| {
            let text = text_of(sample.rows() / 2);
            resolving(
                sample,
                format!("label=Delete child-of=(role=listitem contains-descendant=(label={text:?})) first"),
            )
        });
        add("in passes: the nearest of many below many", |sample| {
            resolving(sample, "role=button below=(role=text) first".to_owned())
        });
        add("in passes: the last of a pattern's matches", |sample| {
            resolving(sample, r#"text~="row \w+ \d+.*" index=-1"#.to_owned())
        });
        add("a miss with \"did you mean\"", |sample| {
            let Some(wanted) = parsed("label=\"Row numbr 77 with sme text\"") else { return nothing() };
            on(sample, move |tree| selector::absent(&wanted, tree).message.len())
        });
        add("find a text in every row", |sample| {
            on(sample, |tree| query::find(tree, Locator::Any, "row number").len())
        });
        add("guards of a press", |sample| on(sample, |tree| usize::from(guard::aim(tree, 4, Purpose::Press).is_ok())));
        add("a selector that finds the last row again", |sample| {
            on(sample, |tree| selector::selector_chain(tree, last(tree)).len())
        });
        add("digest", |sample| on(sample, |tree| digest::digest(tree).nodes as usize));
        add("same screen", |sample| {
            let other = sample.tree();
            on(sample, move |tree| usize::from(digest::same_screen(tree, &other)))
        });
        add("share that survived", |sample| {
            let other = changed(&sample.tree());
            on(sample, move |tree| (digest::survival(tree, &other) * 100.0) as usize)
        });
    }
    add("refs of a first capture", |sample| on(sample, |tree| numbered(&mut RefBook::new(), tree)));
    add("refs of the same screen again", |sample| {
        let mut book = RefBook::new();
        on(sample, move |tree| numbered(&mut book, tree))
    });
    add("a ref back to its node", |sample| {
        let mut book = RefBook::new();
        let tree = sample.tree();
        numbered(&mut book, &tree);
        let wanted = RefToken { number: last(&tree).min(snapshot::LINE_LIMIT as u32 - 3), generation: None };
        Box::new(move || usize::from(book.resolve(wanted, &tree).is_ok()))
    });
    add("render", |sample| rendering(sample, full()));
    add("render -i", |sample| rendering(sample, interactive()));
    add("render --raw", |sample| rendering(sample, ViewArgs { raw: true, ..ViewArgs::default() }));
    add(WHOLE, |sample| whole(sample, full()));
    add(WHOLE_INTERACTIVE, |sample| whole(sample, interactive()));
    if keyed {
        add("nodes of a snapshot as JSON text", |sample| {
            let tree = sample.tree();
            let Some(listing) = listing(&mut RefBook::new(), &tree, &full()) else { return nothing() };
            Box::new(move || serde_json::to_string(&listing.nodes(&tree)).map_or(0, |text| text.len()))
        });
    }
    add("a phone's capture: XML to facts", |sample| {
        let xml = phone::form(sample);
        Box::new(move || facts::parse(&xml).map_or(0, |facts| facts.nodes.len()))
    });
    add("a phone's capture: XML to a marked tree", |sample| {
        capturing(phone::form(sample), |capture| capture.tree.len())
    });
    add("a phone's capture: everything over everything", |sample| {
        capturing(phone::pile(sample), |capture| capture.tree.len())
    });
    add(PHONE, |sample| capturing(phone::form(sample), text_with(full())));
    add(PHONE_INTERACTIVE, |sample| capturing(phone::form(sample), text_with(interactive())));
    if keyed {
        add("a phone's capture: where to press", |sample| {
            let Some(capture) = capture(&phone::form(sample)) else { return nothing() };
            let place = last(&capture.tree) / 2;
            Box::new(move || usize::from(matches!(capture.aim(place), backend::Aimed::Ready(_))))
        });
    }
    add("diff, nothing changed", |sample| diffing(sample, |tree| tree.clone()));
    add("diff, every hundredth row changed", |sample| diffing(sample, changed));
    all
}

fn nothing() -> Run {
    Box::new(|| 0)
}

fn on(sample: Sample, mut work: impl FnMut(&Tree) -> usize + 'static) -> Run {
    let tree = sample.tree();
    Box::new(move || work(&tree))
}

fn marked(tree: &Tree, mark: fn(&mut Tree)) -> usize {
    let mut tree = tree.clone();
    mark(&mut tree);
    tree.len()
}

fn last(tree: &Tree) -> u32 {
    u32::try_from(tree.len()).unwrap_or(u32::MAX).saturating_sub(3)
}

fn parsed(text: &str) -> Option<Selector> {
    Selector::parse(text).ok()
}

fn resolving(sample: Sample, text: String) -> Run {
    let Some(wanted) = parsed(&text) else { return nothing() };
    on(sample, move |tree| match selector::resolve(&wanted, tree) {
        Resolution::One(place) => place as usize,
        Resolution::None => 0,
        Resolution::Many(places) => places.len(),
    })
}

/// Numbers for as many nodes as one snapshot prints at most.
fn numbered(book: &mut RefBook, tree: &Tree) -> usize {
    let mut frame = book.show(tree);
    let shown = u32::try_from(tree.len().min(snapshot::LINE_LIMIT)).unwrap_or(u32::MAX);
    (0..shown).map(|place| frame.number_of(place) as usize).max().unwrap_or_default()
}

fn full() -> ViewArgs {
    ViewArgs::default()
}

fn interactive() -> ViewArgs {
    ViewArgs { interactive_only: true, ..ViewArgs::default() }
}

fn listing(book: &mut RefBook, tree: &Tree, args: &ViewArgs) -> Option<Listing> {
    snapshot::render(&mut book.show(tree), args, None).ok()
}

/// A snapshot in a session that has seen this screen before.
fn rendering(sample: Sample, args: ViewArgs) -> Run {
    let mut book = RefBook::new();
    on(sample, move |tree| listing(&mut book, tree, &args).map_or(0, |listing| listing.text().len()))
}

/// All that lies between a backend that knows boxes only and the text that is printed.
fn whole(sample: Sample, args: ViewArgs) -> Run {
    let mut book = RefBook::new();
    Box::new(move || {
        let mut tree = sample.tree();
        visibility::mark(&mut tree);
        occlusion::mark(&mut tree);
        listing(&mut book, &tree, &args).map_or(0, |listing| listing.text().len())
    })
}

/// More nodes than any sample has.
const PHONE_OPTIONS: Options = Options { scope: 1, max_nodes: 100_000, whole: false };

fn capture(xml: &str) -> Option<Capture> {
    read(xml.as_bytes(), &Headers::new(), &PHONE_OPTIONS).ok()
}

/// What the host does with what a helper sent.
fn capturing(xml: String, mut then: impl FnMut(&Capture) -> usize + 'static) -> Run {
    Box::new(move || capture(&xml).map_or(0, |capture| then(&capture)))
}

/// The same in a session that has seen this screen before.
fn text_with(args: ViewArgs) -> impl FnMut(&Capture) -> usize {
    let mut book = RefBook::new();
    move |capture| listing(&mut book, &capture.tree, &args).map_or(0, |listing| listing.text().len())
}

fn diffing(sample: Sample, after: fn(&Tree) -> Tree) -> Run {
    let mut book = RefBook::new();
    let before = sample.tree();
    let now = after(&before);
    let (Some(before), Some(now)) = (listing(&mut book, &before, &full()), listing(&mut book, &now, &full())) else {
        return nothing();
    };
    Box::new(move || diff::diff(&before, &now).lines.len())
}
