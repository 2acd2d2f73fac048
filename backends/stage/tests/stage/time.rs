//! Timers, movement and slides under a paused clock.

use std::time::Duration;

use backend::Input;
use screen::States;
use tokio::time::advance;

use crate::rig::elements;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[tokio::test(start_paused = true)]
async fn elements_appear_disappear_and_are_enabled_at_their_time() {
    let rig = elements(
        "{ role = \"button\", id = \"late\", label = \"Late\", appear_after_ms = 1500 }, { role = \"text\", id = \"brief\", label = \"Brief\", disappear_after_ms = 1000 }, \
         { role = \"button\", id = \"slow\", label = \"Slow\", enabled_after_ms = 2000 }",
        "",
    )
    .await;
    let state = async || {
        (
            rig.find("late").await.is_some(),
            rig.find("brief").await.is_some(),
            !rig.node("slow").await.is(States::DISABLED),
        )
    };
    assert_eq!(state().await, (false, true, false));
    advance(ms(1499)).await;
    assert_eq!(state().await, (false, false, false));
    advance(ms(1)).await;
    assert_eq!(state().await, (true, false, false));
    advance(ms(500)).await;
    assert_eq!(state().await, (true, false, true));
}

#[tokio::test(start_paused = true)]
async fn times_count_from_when_the_screen_was_shown() {
    let rig = crate::rig::open_named("demo").await;
    advance(ms(10_000)).await;
    rig.press("go-timing").await;
    assert!(rig.find("late").await.is_none());
    advance(ms(1500)).await;
    rig.press("late").await;
    assert_eq!(rig.label("late").await, "Late (1)");
    rig.perform(Input::Back).await;
    rig.press("go-timing").await;
    assert!(rig.find("late").await.is_none(), "and again each time");
}

#[tokio::test(start_paused = true)]
async fn what_runs_later_runs_at_its_time_and_in_its_order() {
    let rig = elements(
        "{ role = \"button\", id = \"go\", label = \"Go\", on_press = [{ after = { ms = 200, run = [{ set_text = { id = \"out\", text = \"second\" } }] } }, { after = { ms = 100, run = [{ set_text = { id = \"out\", text = \"first\" } }, { after = { ms = 150, run = [{ set_text = { id = \"out\", text = \"third\" } }] } }] } }] }, \
         { role = \"text\", id = \"out\", label = \"none\" }",
        "",
    )
    .await;
    rig.press("go").await;
    for (wait, text) in [(99, "none"), (1, "first"), (100, "second"), (49, "second"), (1, "third")] {
        advance(ms(wait)).await;
        assert_eq!(rig.label("out").await, text, "after {wait} ms more");
    }
    rig.press("go").await;
    advance(ms(10_000)).await;
    assert_eq!(rig.label("out").await, "third", "the same when nobody looked in between");
}

#[tokio::test(start_paused = true)]
async fn a_moving_element_is_where_its_time_says_and_can_be_pressed_there() {
    let rig = elements(
        "{ role = \"button\", id = \"once\", label = \"O\", rect = { x = 0, y = 0, width = 50, height = 50 }, moves = { dx = 100, dy = 50, over_ms = 1000 } }, \
         { role = \"button\", id = \"again\", label = \"A\", rect = { x = 0, y = 200, width = 50, height = 50 }, moves = { dx = 100, over_ms = 1000, back_and_forth = true } }",
        "",
    )
    .await;
    for (wait, once, again) in
        [(0, (16.0, 16.0), 16.0), (500, (66.0, 41.0), 66.0), (1000, (116.0, 66.0), 66.0), (500, (116.0, 66.0), 16.0)]
    {
        advance(ms(wait)).await;
        let rect = rig.node("once").await.rect;
        assert_eq!((rect.x.round(), rect.y.round(), rig.node("again").await.rect.x.round()), (once.0, once.1, again));
    }
    advance(ms(300)).await;
    rig.press("again").await;
    assert_eq!(rig.probe.effects("again").presses, 1);
}

#[tokio::test(start_paused = true)]
async fn a_held_contact_belongs_to_what_it_came_down_on() {
    let rig = elements(
        "{ role = \"button\", id = \"runs\", label = \"R\", rect = { x = 0, y = 0, width = 50, height = 50 }, moves = { dx = 300, over_ms = 1000 } }",
        "",
    )
    .await;
    let aim = rig.target("runs").await;
    rig.perform(Input::Press { aim, button: Default::default(), hold_ms: 900 }).await;
    assert_eq!(rig.probe.effects("runs").long_presses, 1);
}

#[tokio::test(start_paused = true)]
async fn a_progress_bar_fills_and_an_overlay_slides_in() {
    let rig = elements(
        "{ role = \"progressbar\", id = \"p\", label = \"P\", fills_over_ms = 2000 }, { role = \"button\", id = \"go\", label = \"Go\", on_press = [{ open = \"low\" }] }",
        "[[overlay]]\nid = \"low\"\nlabel = \"Low\"\nplace = \"bottom\"\nslide_ms = 400\nmodal = false\nheight = 100\n",
    )
    .await;
    advance(ms(500)).await;
    assert_eq!(rig.node("p").await.value.as_deref(), Some("25%"));
    rig.press("go").await;
    let below = rig.node("low").await.rect.y;
    advance(ms(200)).await;
    let half = rig.node("low").await.rect.y;
    advance(ms(200)).await;
    let there = rig.node("low").await.rect.y;
    assert!(below > half && half > there, "{below} {half} {there}");
    assert_eq!(there, 780.0 - 100.0 - 12.0);
}
