//! Movements of one and two contacts.

use backend::{Input, TouchPlan, touch::two::Transform};
use contract::{Code, Point};

use crate::support::{Opened, is_chrome};

const MIDDLE: Point = Point { x: 195.0, y: 450.0 };

#[tokio::test(flavor = "multi_thread")]
async fn two_contacts_spread_and_turn_on_a_phone() {
    if !is_chrome() {
        return;
    }
    let page = Opened::with("contacts.html", |open| open.mobile = Some("390x844@3".parse().unwrap())).await;
    let viewport = page.tree().await.viewport;
    for (scale, degrees, told) in [
        (2.0, 0.0, "contacts 2 scale 2.0 turned 0 moved true"),
        (0.5, 0.0, "contacts 2 scale 0.5 turned 0 moved true"),
        (1.0, 90.0, "contacts 2 scale 1.0 turned 90 moved true"),
    ] {
        let what = Transform { middle: MIDDLE, by: (0.0, 0.0), scale, degrees };
        let plan = TouchPlan::transform(viewport, what, 200).unwrap();
        page.perform(Input::Touch { plan, node: None }).await.0.unwrap();
        assert_eq!(page.log().await, told);
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mouse_drags_by_a_plan_and_has_no_second_contact() {
    let page = Opened::at("pointer.html").await;
    let key = page.key("slider", "Handle").await;
    let from = page.landing(key).await.point;
    let to = Point { x: from.x + 160.0, y: from.y };
    let plan = TouchPlan::drag(from, to, 32, 160, 32);
    page.perform(Input::Touch { plan, node: Some(key) }).await.0.unwrap();
    assert_eq!(page.log().await, "dragged 160");
    let two = TouchPlan::pan_by_two(MIDDLE, to, 60.0, 100);
    let (refused, sends) = page.perform(Input::Touch { plan: two, node: None }).await;
    assert_eq!((refused.unwrap_err().code, sends.any()), (Code::UnsupportedOperation, false));
    page.end().await;
}
