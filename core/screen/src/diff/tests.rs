use contract::command::ViewArgs;
use proptest::prelude::*;

use super::*;
use crate::{
    RefBook, Tree,
    sketch::{Sketch, button, node},
    snapshot::render,
};

fn screen(rows: &[(u64, &str)]) -> Tree {
    rows.iter()
        .fold(Sketch::new().node(0, node("list", "All").key(1)), |sketch, (key, name)| {
            sketch.node(1, button(name).key(*key))
        })
        .tree()
}

fn show(book: &mut RefBook, tree: &Tree) -> Listing {
    render(&mut book.show(tree), &ViewArgs::default(), None).unwrap()
}

fn between(old: &[(u64, &str)], new: &[(u64, &str)]) -> Diff {
    let mut book = RefBook::new();
    let (old, new) = (show(&mut book, &screen(old)), show(&mut book, &screen(new)));
    diff(&old, &new)
}

#[test]
fn new_lines_are_added_gone_ones_removed_and_changed_ones_both() {
    let diff = between(&[(2, "A"), (3, "B"), (4, "C"), (5, "D")], &[(2, "A"), (4, "C!"), (5, "D"), (6, "E")]);
    assert_eq!(
        diff.text(),
        "  (2 unchanged)\n-   @e3 [button] \"B\"\n-   @e4 [button] \"C\"\n+   @e4 [button] \"C!\"\n  (1 unchanged)\n\
         +   @e6 [button] \"E\"\n2 additions, 2 removals, 3 unchanged"
    );
}

#[test]
fn a_dialog_over_everything_is_news_and_what_it_covers_is_a_number() {
    use crate::tree::Cover;
    let page = |covered: bool| {
        let mut sketch = Sketch::new();
        for id in 1..=3 {
            let mut row = button(&format!("Row {id}")).key(id);
            if covered {
                row.cover = Some(Cover::Other("a dialog".into()));
            }
            sketch = sketch.node(0, row);
        }
        if covered { sketch.node(0, button("Close").key(9)).tree() } else { sketch.tree() }
    };
    let mut book = RefBook::new();
    let (free, under) = (show(&mut book, &page(false)), show(&mut book, &page(true)));
    let opened = diff(&free, &under);
    let news = opened.news();
    assert_eq!(news.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["[button] \"Close\""]);
    assert_eq!((news.covered, news.freed), (3, 0));
    assert_eq!(news.about_covers().unwrap(), "3 others are covered now");
    let closed = diff(&under, &free);
    assert_eq!(closed.news().about_covers().unwrap(), "3 others are no longer covered");
    assert_eq!(diff(&free, &free).news().about_covers(), None);
}

#[test]
fn one_row_that_moves_is_one_line_that_moves() {
    let diff = between(&[(2, "A"), (3, "B"), (4, "C"), (5, "D")], &[(3, "B"), (4, "C"), (5, "D"), (2, "A")]);
    assert_eq!((diff.additions, diff.removals, diff.unchanged), (1, 1, 4));
}

#[test]
fn a_page_that_was_loaded_anew_is_compared_by_what_it_says() {
    let page = |scope: u64, names: &[&str]| {
        names
            .iter()
            .zip(1..)
            .fold(Sketch::new(), |sketch, (name, id)| sketch.node(0, button(name).key(scope + id)))
            .tree()
    };
    let mut book = RefBook::new();
    let old = show(&mut book, &page(100, &["A", "B", "A", "C"]));
    let new = show(&mut book, &page(200, &["A", "A", "C", "D"]));
    let diff = diff(&old, &new);
    assert!(diff.renewed);
    assert_eq!((diff.additions, diff.removals, diff.unchanged), (1, 1, 3));
    assert!(diff.summary().ends_with("all refs are new"), "{}", diff.summary());
    assert!(
        diff.lines.iter().all(|line| line.kind == LineKind::Removed || line.number > Some(4)),
        "old refs are not shown again"
    );
}

#[test]
fn equal_listings_have_an_empty_diff() {
    let diff = between(&[(2, "A")], &[(2, "A")]);
    assert!(diff.is_empty());
    assert_eq!(diff.text(), "0 additions, 0 removals, 2 unchanged");
}

#[test]
fn the_first_of_a_series_changes_nothing() {
    let listing = show(&mut RefBook::new(), &screen(&[(2, "A")]));
    let diff = first(&listing);
    assert!(diff.is_empty() && diff.unchanged == 2);
    assert_eq!(diff.json(true)["baselineInitialized"], true);
}

#[test]
fn json_has_kinds_texts_and_refs() {
    let json = between(&[(2, "A")], &[(3, "B")]).json(false);
    assert_eq!(json["mode"], "snapshot");
    assert_eq!(json["summary"], json!({"additions": 1, "removals": 1, "unchanged": 1}));
    assert_eq!(json["lines"][1], json!({"kind": "removed", "text": "@e2 [button] \"A\"", "ref": "e2"}));
    assert_eq!(json["lines"][2], json!({"kind": "added", "text": "@e3 [button] \"B\"", "ref": "e3"}));
}

#[test]
fn one_identity_on_two_nodes_loses_no_line() {
    let diff = between(&[(2, "A"), (2, "A")], &[(2, "A"), (2, "A"), (2, "A")]);
    assert_eq!((diff.unchanged + diff.additions, diff.unchanged + diff.removals), (4, 3));
}

fn rows() -> impl Strategy<Value = Vec<(u64, &'static str)>> {
    let names = prop::sample::select(vec!["A", "B", "C"]);
    prop::collection::vec((2u64..20, names), 0..25)
}

proptest! {
    #[test]
    fn applied_to_the_old_it_gives_the_new(old in rows(), new in rows()) {
        let mut book = RefBook::new();
        let (old, new) = (show(&mut book, &screen(&old)), show(&mut book, &screen(&new)));
        let diff = diff(&old, &new);
        let without = |kind| diff.lines.iter().filter(|line| line.kind != kind).map(DiffLine::plain).collect::<Vec<_>>();
        prop_assert_eq!(without(LineKind::Removed), new.lines().map(|line| line.plain()).collect::<Vec<_>>());
        prop_assert_eq!(without(LineKind::Added), old.lines().map(|line| line.plain()).collect::<Vec<_>>());
        prop_assert_eq!(diff.additions + diff.unchanged, new.lines().count());
        prop_assert_eq!(diff.removals + diff.unchanged, old.lines().count());
    }

    #[test]
    fn no_longer_run_could_have_stayed(old in Just((2u64..10).collect::<Vec<_>>()).prop_shuffle(), new in Just((2u64..10).collect::<Vec<_>>()).prop_shuffle()) {
        let named = |keys: &[u64]| keys.iter().map(|key| (*key, "x")).collect::<Vec<_>>();
        let diff = between(&named(&old), &named(&new));
        // The longest common subsequence, by the textbook's table.
        let mut table = vec![vec![0usize; new.len() + 1]; old.len() + 1];
        for (i, one) in old.iter().enumerate() {
            for (j, other) in new.iter().enumerate() {
                table[i + 1][j + 1] = if one == other { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        prop_assert_eq!(diff.unchanged, table[old.len()][new.len()] + 1);
    }
}
