//! The screen as text.
//!
//! ```text
//! Page: Settings
//! App: https://example.test/settings
//! Snapshot: 7 visible nodes (30 total)
//! @e1 [webview] "Settings"
//!   @e2 [heading] "Account" [level 1]
//!   @e3 [text-field] "Email" = "a@b.c" [editable] [focused]
//!   @e4 [list] "Row one, Row two, Row three, …" [scrollable]
//!     ... 1240 px hidden below
//!     @e5 [button] "Row one" [covered by [dialog] "Cookie settings"]
//! below: 23 more (12 interactive): "Row nine", "Row ten", "Save"
//! ```
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | how a snapshot is put together |
//! | [`mod@listing`] | what a snapshot is afterwards: lines, text, JSON |
//! | [`mod@scope`] | which part of the screen is asked for |
//! | [`mod@pick`] | which nodes get a line |
//! | [`mod@line`] | how a node is written |
//! | [`mod@twins`] | how equal controls of a flat list are told apart |
//! | [`mod@offscreen`] | what lies outside the view |

pub mod line;
pub mod listing;
pub mod offscreen;
pub mod pick;
pub mod scope;
pub mod twins;

pub use listing::{Line, Listing};
pub use scope::scope_ref;

use std::{fmt::Write as _, ops::Range};

use contract::{Failure, command::ViewArgs};

use crate::{Frame, Tree, describe::node_view, text::quoted};

/// Lines of one snapshot at most. What is beyond is counted and said, not printed.
pub const LINE_LIMIT: usize = 5_000;

/// Renders what `args` ask for. `scope` is the place that a `-s @ref` means, resolved by the caller before the frame
/// was opened; a `-s TEXT` is looked up here and fails with `scope_not_found` where nothing shows it.
pub fn render(frame: &mut Frame<'_>, args: &ViewArgs, scope: Option<u32>) -> Result<Listing, Failure> {
    let tree = frame.tree();
    let range = scope::range(tree, args, scope)?;
    Ok(if args.raw { raw(frame, args, range) } else { readable(frame, args, range) })
}

fn readable(frame: &mut Frame<'_>, args: &ViewArgs, range: Range<u32>) -> Listing {
    let tree = frame.tree();
    let picked = pick::pick(tree, args, range.clone());
    let contexts = twins::contexts(tree, &picked.lines);
    let mut listing = Listing::new(args.clone(), frame.generation(), range.end.saturating_sub(range.start));
    for (at, picked) in picked.lines.iter().enumerate() {
        let context = contexts.get(at).and_then(Option::as_deref);
        let number = frame.number_of(picked.place);
        frame.within(number, context);
        listing.push(picked.place, number, picked.depth, pick::takes_input(tree, picked.place), |out| {
            line::write(out, tree, picked.place, args.interactive_only);
            if let Some(context) = context.filter(|_| args.interactive_only) {
                out.push_str(" in ");
                out.push_str(&quoted(context));
            }
        });
        if let Some(note) = line::hidden_part(tree, picked.place) {
            listing.note(picked.place, number, picked.depth + 1, &note);
        }
    }

    let shown = picked.lines.len();
    let whole = tree.total.max(u32::try_from(tree.len()).unwrap_or(u32::MAX)) as usize;
    listing.truncated = tree.truncated || picked.beyond > 0;
    let mut tail = Vec::new();
    tail.extend(offscreen::summary(tree, args, range));
    if picked.deeper > 0 {
        tail.push(format!("deeper: {} more nodes below the depth asked for", picked.deeper));
    }
    if picked.beyond > 0 {
        listing.warnings.push(format!(
            "{} of {} lines are shown; narrow the snapshot with -i, -d N or -s TEXT",
            shown,
            shown + picked.beyond
        ));
    }
    if tree.truncated {
        listing.warnings.push(format!(
            "the capture holds {} of {whole} nodes, the end of the screen is missing; scroll, or leave out what is not needed with -s TEXT",
            tree.len()
        ));
    }
    listing.warnings.extend(tree.warnings.iter().map(|warning| contract::plain::line(warning).into_owned()));
    listing.finish(&head(tree, shown, whole, listing.truncated), &tail);
    listing
}

fn head(tree: &Tree, shown: usize, total: usize, truncated: bool) -> String {
    let mut head = String::new();
    for (word, fact) in [("Page", &tree.title), ("App", &tree.app)] {
        if let Some(fact) = fact.as_deref().filter(|fact| !fact.is_empty()) {
            let _ = writeln!(head, "{word}: {}", contract::plain::line(&crate::text::squeeze(fact)));
        }
    }
    let suffix = if truncated { " (truncated)" } else { "" };
    let _ = if shown == total {
        writeln!(head, "Snapshot: {total} nodes{suffix}")
    } else {
        writeln!(head, "Snapshot: {shown} visible nodes ({total} total){suffix}")
    };
    head
}

/// One JSON object a line and nothing else, so that it can be piped: nodes, then at most one for what is missing and
/// one per warning.
fn raw(frame: &mut Frame<'_>, args: &ViewArgs, range: Range<u32>) -> Listing {
    let tree = frame.tree();
    let top = tree.get(range.start).map_or(0, |node| node.depth);
    let mut listing = Listing::new(args.clone(), frame.generation(), range.end.saturating_sub(range.start));
    let mut beyond = 0usize;
    for place in range.clone() {
        let depth = tree.get(place).map_or(0, |node| node.depth.saturating_sub(top));
        if args.depth.is_some_and(|limit| depth >= limit) || (args.interactive_only && !pick::takes_input(tree, place))
        {
            continue;
        }
        if listing.len() >= LINE_LIMIT {
            beyond += 1;
            continue;
        }
        let number = frame.number_of(place);
        let mut view = node_view(tree, place, Some(number));
        view.index = u32::try_from(listing.len()).unwrap_or(u32::MAX);
        view.depth = depth;
        view.parent_index = listing.parent_index(tree, place);
        let json = serde_json::to_string(&view).unwrap_or_default();
        listing.push(place, number, depth, pick::takes_input(tree, place), |out| out.push_str(&json));
    }
    listing.truncated = tree.truncated || beyond > 0;
    let mut tail = Vec::new();
    if listing.truncated {
        let missing =
            serde_json::json!({"truncated": true, "shown": listing.len(), "nodes": tree.len(), "total": tree.total});
        tail.push(missing.to_string());
    }
    tail.extend(tree.warnings.iter().map(|warning| serde_json::json!({"warning": warning}).to_string()));
    listing.warnings.extend(tree.warnings.iter().cloned());
    listing.finish("", &tail);
    listing
}

#[cfg(test)]
mod tests;
