//! What lies outside the view: `below: 37 more (12 interactive): "A", "B", "C"`.

use std::ops::Range;

use contract::command::ViewArgs;

use super::pick::{is_empty_group, takes_input};
use crate::{
    Node, States, Tree,
    guard::Direction,
    text::{quote_cut, squeeze},
};

/// Labels per direction.
const LABELS: usize = 3;
/// Longest label, characters.
const LONGEST: usize = 60;

#[derive(Default)]
struct Side<'a> {
    more: usize,
    interactive: usize,
    labels: Vec<&'a str>,
    other_labels: Vec<&'a str>,
}

/// One line per direction in which something lies. Labels are those of the first controls there, of other nodes where
/// there are no controls.
pub(super) fn summary(tree: &Tree, args: &ViewArgs, range: Range<u32>) -> Vec<String> {
    let mut sides: [Side<'_>; 4] = Default::default();
    for place in range {
        let Some(node) = tree.get(place) else { break };
        if node.is(States::VISIBLE)
            || !node.is(States::RENDERED)
            || node.rect.is_empty()
            || is_empty_group(tree, place, node)
        {
            continue;
        }
        let interactive = takes_input(tree, place);
        if (args.interactive_only && !interactive) || said_above(tree, node) {
            continue;
        }
        let Some(side) = Direction::of(tree, place).and_then(|direction| sides.get_mut(direction as usize)) else {
            continue;
        };
        side.more += 1;
        side.interactive += usize::from(interactive);
        let labels = if interactive { &mut side.labels } else { &mut side.other_labels };
        let label = crate::describe::shown_label(node);
        if labels.len() < LABELS && !label.trim().is_empty() && !labels.contains(&label) {
            labels.push(label);
        }
    }
    Direction::ALL
        .iter()
        .zip(sides)
        .filter(|(_, side)| side.more > 0)
        .map(|(direction, side)| {
            let mut line = format!("{direction}: {} more", side.more);
            if side.interactive > 0 {
                line.push_str(&format!(" ({} interactive)", side.interactive));
            }
            let labels = if side.labels.is_empty() { side.other_labels } else { side.labels };
            for (at, label) in labels.into_iter().enumerate() {
                line.push_str(if at == 0 { ": " } else { ", " });
                quote_cut(&mut line, &squeeze(label), LONGEST);
            }
            line
        })
        .collect()
}

/// A text that its parent's label repeats is no item of its own.
fn said_above(tree: &Tree, node: &Node) -> bool {
    node.role.as_str() == "text"
        && node.parent.and_then(|parent| tree.get(parent)).is_some_and(|parent| parent.name.contains(&*node.name))
}
