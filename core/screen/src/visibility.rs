//! What is in view, for backends that report boxes and what clips, and leave the rest to us.

use contract::Rect;

use crate::{States, Tree};

/// Sets `VISIBLE` on every `RENDERED` node of which part lies in the viewport and in every ancestor that is
/// `SCROLLABLE` or `CLIPS`, and clears it on all others. One pass. A backend that knows better (fixed boxes, transforms)
/// sets `VISIBLE` itself and does not call this.
pub fn mark(tree: &mut Tree) {
    let viewport = tree.viewport.bounds();
    // What the children of each node may be seen through.
    let mut openings: Vec<Rect> = Vec::with_capacity(tree.len());
    for node in tree.nodes_mut() {
        let clip = node.parent.and_then(|parent| openings.get(parent as usize)).copied().unwrap_or(viewport);
        let part = node.rect.intersect(clip);
        node.states.set(States::VISIBLE, node.is(States::RENDERED) && !part.is_empty());
        // A root's box is the viewport as the backend sees it; it may be as long as the page and cuts nothing off.
        let cuts = node.parent.is_some() && node.states.intersects(States::SCROLLABLE | States::CLIPS);
        openings.push(if cuts { part } else { clip });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Sketch, button, node};
    use proptest::prelude::*;

    fn visible(tree: &Tree) -> Vec<bool> {
        tree.nodes().iter().map(|node| node.is(States::VISIBLE)).collect()
    }

    #[test]
    fn a_row_below_the_edge_of_its_scroll_container_is_not_in_view() {
        let mut tree = Sketch::new()
            .node(0, node("webview", "").at(0.0, 0.0, 400.0, 2000.0).with(States::SCROLLABLE))
            .node(1, node("list", "").at(0.0, 100.0, 400.0, 200.0).with(States::SCROLLABLE))
            .node(2, button("in").at(0.0, 250.0, 400.0, 100.0))
            .node(2, button("out").at(0.0, 350.0, 400.0, 100.0))
            .node(1, button("beside").at(0.0, 350.0, 400.0, 100.0))
            .node(1, button("far below").at(0.0, 900.0, 400.0, 100.0))
            .tree();
        mark(&mut tree);
        assert_eq!(visible(&tree), [true, true, true, false, true, false]);
    }

    #[test]
    fn what_is_not_drawn_is_not_in_view_and_children_without_clipping_parents_are() {
        let mut tree = Sketch::new()
            .node(0, node("group", "").at(0.0, 0.0, 0.0, 0.0))
            .node(1, button("sticks out"))
            .node(1, button("hidden").without(States::RENDERED))
            .tree();
        mark(&mut tree);
        assert_eq!(visible(&tree), [false, true, false]);
        let mut tree = Sketch::new()
            .node(0, node("webview", "").at(0.0, 0.0, 400.0, 100.0).with(States::SCROLLABLE))
            .node(1, node("group", "").at(0.0, 0.0, 50.0, 50.0))
            .node(2, button("sticks out of the group, and lies below the root").at(0.0, 200.0, 100.0, 40.0))
            .tree();
        mark(&mut tree);
        assert_eq!(visible(&tree), [true, true, true]);
    }

    proptest! {
        #[test]
        fn whatever_is_in_view_overlaps_the_viewport_and_every_clip_above(
            nodes in prop::collection::vec((0usize..5, -500.0..900.0f64, -500.0..1200.0f64, 0.0..600.0f64, any::<bool>()), 1..40),
        ) {
            let mut sketch = Sketch::new();
            for (depth, x, y, size, clips) in nodes {
                let states = if clips { States::CLIPS } else { States::empty() };
                sketch = sketch.node(depth, node("group", "").at(x, y, size, size).with(states));
            }
            let mut tree = sketch.tree();
            mark(&mut tree);
            for (place, shown) in tree.iter().filter(|(_, shown)| shown.is(States::VISIBLE)) {
                prop_assert!(!shown.rect.intersect(tree.viewport.bounds()).is_empty());
                for up in tree.ancestors(place).filter_map(|up| tree.get(up)).filter(|up| up.is(States::CLIPS) && up.parent.is_some()) {
                    prop_assert!(!shown.rect.intersect(up.rect).is_empty());
                }
            }
        }
    }
}
