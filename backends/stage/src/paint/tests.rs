//! Pictures: known pixels, and (with `STAGE_PICTURES` naming a folder) all of them to look at.

use std::sync::Arc;
use std::time::Duration;

use contract::Point;
use tokio::time::Instant;

use super::Sheet;
use super::text::{self, Face};
use crate::effects::Probe;
use crate::scene::{Frame, Scene};
use crate::script;

fn demo() -> Scene {
    scene("demo", script::DEMO)
}

fn scene(name: &str, text: &str) -> Scene {
    let app = script::parse(name, text).unwrap();
    Scene::new(Arc::new(app), 1, Probe::default(), Instant::now())
}

fn press(scene: &mut Scene, id: &str) {
    let index = scene.app.find(id).unwrap();
    scene.bring_into_view(index);
    let frame = Frame::of(scene);
    let point = frame.get(frame.item_of(index).unwrap()).unwrap().rect.centre();
    scene.press(point);
}

fn later(scene: &mut Scene, ms: u64) {
    scene.advance(scene.now + Duration::from_millis(ms));
}

fn keep(scene: &Scene, name: &str, whole: bool) {
    let png = Sheet::of(scene, whole).png().unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    if let Some(folder) = std::env::var_os("STAGE_PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }
}

#[test]
fn every_screen_of_the_demo_can_be_drawn() {
    let mut app = demo();
    keep(&app, "home", false);
    press(&mut app, "go-new");
    keep(&app, "form-whole", true);
    press(&mut app, "save");
    press(&mut app, "note-title");
    "Two kingfishers".chars().for_each(|letter| assert!(app.type_character(letter)));
    later(&mut app, 400);
    keep(&app, "form-keyboard", false);
    app.home();
    press(&mut app, "go-counter");
    press(&mut app, "reset");
    keep(&app, "confirm", false);
    app.home();
    press(&mut app, "go-birds");
    press(&mut app, "bird-3");
    keep(&app, "birds", false);
    app.home();
    press(&mut app, "go-timing");
    later(&mut app, 1700);
    keep(&app, "timing", false);
    app.home();
    press(&mut app, "go-dialogs");
    later(&mut app, 1000);
    keep(&app, "offer", false);
    press(&mut app, "rename");
    keep(&app, "prompt", false);
    app.answer(true, Some("Ann"));
    press(&mut app, "ask-delete");
    keep(&app, "dialog", false);
    app.home();
    press(&mut app, "go-settings");
    press(&mut app, "more");
    keep(&app, "settings", false);
}
