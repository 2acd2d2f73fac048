//! What is published agrees with the figures, and every promise in it holds.
#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use proof::{
    publish::{PAGE, Published},
    sabotage::lies::LIES,
    workspace,
};

fn published() -> Published {
    Published::read(&workspace().join("proof/figures")).unwrap()
}

#[test]
fn the_page_is_what_the_figures_say() {
    let page = std::fs::read_to_string(workspace().join(PAGE)).unwrap();
    assert_eq!(page, published().page(), "write it anew: cargo run -p proof -- publish");
}

#[test]
fn no_published_figure_breaks_a_promise() {
    let published = published();
    for figures in published.faults.iter().chain(&published.resolved) {
        for line in &figures.lines {
            assert_eq!(line.broken(), 0, "{}: {line:?}", figures.part);
            let told = line.done + line.resolved + line.no + line.unknown;
            assert_eq!(told, line.injected, "{}: an outcome is missing: {line:?}", figures.part);
        }
    }
    for measures in &published.measures {
        for line in &measures.lines {
            assert!(line.holds, "{}: {line:?}", measures.part);
        }
    }
}

#[test]
fn every_lie_still_has_its_place() {
    for lie in LIES {
        let text = std::fs::read_to_string(workspace().join(lie.file)).unwrap();
        assert_eq!(text.matches(lie.truth).count(), 1, "{}: {}", lie.name, lie.file);
        assert!(!text.contains(lie.lie), "{}", lie.name);
        assert!(!lie.seen_by.is_empty(), "{}", lie.name);
    }
}
