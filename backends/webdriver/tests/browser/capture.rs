//! The tree: frames, shadow roots, size.

use screen::States;

use crate::support::{Opened, by_id, context, named, names};

#[tokio::test(flavor = "multi_thread")]
async fn text_that_css_hides_is_not_on_the_screen() {
    let page = Opened::at("hidden.html").await;
    let tree = page.tree().await;
    let shown: Vec<(&str, &str)> = tree.nodes().iter().skip(1).map(|node| (node.role.as_str(), &*node.name)).collect();
    assert_eq!(shown, [("text", "Shown"), ("text", "Shown again"), ("button", "Back button"), ("button", "Plain")]);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_any_origin_are_part_of_the_tree_where_they_are_drawn() {
    let page = Opened::at("scrolled.html").await;
    let tree = page.tree().await;
    assert_eq!((tree.title.as_deref(), tree.viewport.height), (Some("Scrolled"), 800.0));
    // A scroll bar takes some of the width.
    assert!((1250.0..=1280.0).contains(&tree.viewport.width), "{}", tree.viewport.width);
    let root = &tree.nodes()[0];
    assert!(root.is(States::SCROLLABLE) && root.extra().hidden.is_some_and(|hidden| hidden[1] > 5000.0), "{root:?}");
    for name in ["Inside same", "Inside nested", "Inside third"] {
        let node = named(&tree, "button", name);
        let inside = tree.iter().find(|(_, other)| std::ptr::eq(*other, node)).unwrap().0;
        assert!(!node.is(States::VISIBLE), "{name} is scrolled away");
        assert!(
            tree.ancestors(inside).any(|up| tree.get(up).is_some_and(|node| node.role.as_str() == "iframe"))
                || name == "Inside same",
            "{name} lies below its frame"
        );
    }
    // The frame stands at 40,3000 with a border of 9; the frame inside at 25,900 with 4 + 6; the button at 30,1100.
    let nested = named(&tree, "button", "Inside nested").rect;
    assert_eq!((nested.x, nested.y), (40.0 + 9.0 + 25.0 + 10.0 + 30.0, 3000.0 + 9.0 + 900.0 + 10.0 + 1100.0));
    let third = named(&tree, "button", "Inside third").rect;
    assert_eq!((third.x, third.y), (nested.x, nested.y + 500.0));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_capture_of_the_same_page_names_the_same_elements_alike() {
    let page = Opened::at("scrolled.html").await;
    let keys = |tree: &screen::Tree| tree.nodes().iter().map(|node| node.key).collect::<Vec<_>>();
    let (first, second) = (page.tree().await, page.tree().await);
    assert_eq!(keys(&first), keys(&second));
    assert!(keys(&first).iter().all(Option::is_some));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_button_is_tried_out_and_says_by_what() {
    let page = Opened::at("pointer.html").await;
    let tree = page.tree().await;
    let covered = named(&tree, "button", "Covered");
    assert!(covered.is(States::HIT_TESTED) && !covered.is(States::HITTABLE), "{covered:?}");
    match covered.cover.as_ref().unwrap() {
        screen::tree::Cover::Node(by) => assert_eq!(&*tree.get(*by).unwrap().name, "Cookie settings"),
        screen::tree::Cover::Other(words) => assert!(words.contains("Cookie settings"), "{words}"),
    }
    assert!(named(&tree, "button", "Target").is(States::HITTABLE));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blank_page_is_a_screen_and_not_a_failure() {
    let page = Opened::at("blank.html").await;
    let tree = page.tree().await;
    assert!(!tree.is_sparse(), "{}", names(&tree));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_page_is_cut_said_aloud_and_in_time() {
    let page = Opened::at("nodes?25000").await;
    page.tree().await;
    // Its own limit is what it is held to.
    let tree = page.device.capture(&context(), 5000).await.unwrap();
    // The time limit of the script may end it before the number of nodes does.
    assert!((100..=5000).contains(&tree.len()), "{}", tree.len());
    assert!(tree.truncated && tree.warnings.iter().any(|warning| warning.contains("larger")), "{:?}", tree.warnings);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_tell_their_states_and_values() {
    let page = Opened::at("fields.html").await;
    let tree = page.tree().await;
    let name = by_id(&tree, "name").unwrap();
    assert!(name.is(States::EDITABLE | States::INTERACTIVE), "{name:?}");
    assert_eq!(name.value.as_deref(), Some("old"));
    assert!(by_id(&tree, "off").unwrap().is(States::DISABLED));
    assert!(by_id(&tree, "secret").unwrap().is(States::PASSWORD));
    let options = &by_id(&tree, "colour").unwrap().extra().options;
    assert_eq!(options.iter().map(|option| &**option).collect::<Vec<_>>(), ["Red", "Green", "Blue"]);
    page.end().await;
}
