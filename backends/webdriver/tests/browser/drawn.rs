//! What is drawn in another way than it is built.

use contract::Rect;
use screen::States;

use crate::support::{Opened, by_id, context, named};

#[tokio::test(flavor = "multi_thread")]
async fn a_control_that_its_label_is_drawn_for_is_in_view_where_the_label_is() {
    let page = Opened::at("drawn.html").await;
    let tree = page.tree().await;
    for id in ["gift", "photo"] {
        let control = by_id(&tree, id).unwrap();
        assert!(control.is(States::VISIBLE | States::HITTABLE), "{id}: {control:?}");
        assert!(control.rect.width > 50.0 && control.rect.height > 20.0, "{id}: {:?}", control.rect);
    }
    assert!(!by_id(&tree, "secret").unwrap().is(States::VISIBLE), "nothing is drawn for it");
    page.press("checkbox", "It is a gift").await.unwrap();
    assert!(by_id(&page.tree().await, "gift").unwrap().is(States::CHECKED));
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_of_several_pieces_is_read_whole_and_a_field_by_what_it_holds() {
    let page = Opened::at("drawn.html").await;
    let tree = page.tree().await;
    let run = named(&tree, "text", "2 items left").key.unwrap();
    assert_eq!(page.device.text(&context(), run).await.unwrap().as_deref(), Some("2 items left"));
    for (id, text) in [("name", "Ada"), ("word", "••••••"), ("notes", "second"), ("size", "Large")] {
        let field = by_id(&tree, id).unwrap().key.unwrap();
        assert_eq!(page.device.text(&context(), field).await.unwrap().as_deref(), Some(text), "{id}");
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_press_reaches_beside_the_middle_is_not_covered() {
    let page = Opened::at("drawn.html").await;
    let tree = page.tree().await;
    let ribbon = named(&tree, "link", "Ribbon");
    let Rect { width, height, .. } = ribbon.rect;
    assert!(width > 200.0 && height > 200.0, "it lies askew: {:?}", ribbon.rect);
    assert!(ribbon.is(States::HITTABLE) && ribbon.cover.is_none(), "{ribbon:?}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_no_click_comes_of_says_so() {
    let page = Opened::at("drawn.html").await;
    let receipt = page.press("button", "Flees").await.unwrap();
    assert!(receipt.warnings.iter().any(|warning| warning.contains("no click")), "{receipt:?}");
    let receipt = page.press("button", "Clear").await.unwrap();
    assert_eq!((receipt.warnings, receipt.events.contains(&"click".to_owned())), (Vec::<String>::new(), true));
    page.end().await;
}
