//! Pictures: known pixels, and (with `STAGE_PICTURES` naming a folder) all of them to look at.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Sheet;
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

const PLAIN: &str = r##"
app = "plain"
title = "Plain"
start = "one"
scale = 2
accent = "#00aa33"
viewport = { width = 200, height = 300 }
[[screen]]
id = "one"
bar = false
padding = 0
element = [
    { role = "button", id = "go", label = "", rect = { x = 20, y = 20, width = 100, height = 40 } },
    { role = "button", id = "off", label = "", states = ["disabled"], rect = { x = 20, y = 80, width = 100, height = 40 } },
    { role = "scroll", rect = { x = 20, y = 140, width = 100, height = 40 }, element = [
        { role = "button", label = "", height = 200 },
    ] },
]
[[overlay]]
id = "panel"
rect = { x = 60, y = 200, width = 80, height = 60 }
[[overlay]]
id = "toast"
role = "region"
modal = false
rect = { x = 0, y = 0, width = 200, height = 30 }
"##;

#[test]
fn known_pixels_have_the_colours_of_what_lies_there() {
    let mut app = scene("plain", PLAIN);
    let canvas = Sheet::of(&app, false).draw().unwrap();
    assert_eq!(canvas.size(), (400, 600), "two picture pixels to one px");
    assert_eq!(canvas.pixel(140, 80), Some([0x00, 0xaa, 0x33, 255]), "the middle of the button");
    assert_eq!(canvas.pixel(41, 41), Some([0xf4, 0xf5, 0xf7, 255]), "outside the button's rounded corner");
    assert_eq!(canvas.pixel(140, 200), Some([0xdd, 0xe0, 0xe5, 255]), "a disabled button is grey");
    assert_eq!(canvas.pixel(140, 350), Some([0x00, 0xaa, 0x33, 255]), "what the container shows of a tall button");
    assert_eq!(canvas.pixel(140, 362), Some([0xf4, 0xf5, 0xf7, 255]), "what the container clips of it");

    app.run(&[script::action::Action::Open(toml::Spanned::new(0..0, "panel".to_owned()))], None);
    let canvas = Sheet::of(&app, false).draw().unwrap();
    assert_eq!(canvas.pixel(200, 460), Some([255, 255, 255, 255]), "the dialog is white");
    let dimmed = canvas.pixel(390, 8).unwrap();
    assert!(dimmed[0] < 0xa0, "the ground beside a modal dialog is dimmed: {dimmed:?}");
}

#[test]
fn letters_are_drawn_in_their_colour_and_stay_in_their_box() {
    let app = scene("text", &PLAIN.replace(r#"id = "go", label = """#, r#"id = "go", label = "MMMMMMMMMMMMMMMMMMMM""#));
    let canvas = Sheet::of(&app, false).draw().unwrap();
    let whites = |from: u32, to: u32| {
        (from..to)
            .flat_map(|x| (40..120).map(move |y| (x, y)))
            .filter(|(x, y)| canvas.pixel(*x, *y) == Some([255; 4]))
            .count()
    };
    assert!(whites(60, 220) > 200, "the label is white on the button");
    assert_eq!(whites(240, 400), 0, "and does not leave it");
}

#[test]
fn a_picture_of_the_whole_screen_is_as_tall_as_its_content() {
    let mut app = demo();
    press(&mut app, "go-new");
    app.viewport.height = 400.0;
    let save = app.app.find("save").unwrap();
    app.bring_into_view(save);
    let (view, whole) = (Sheet::of(&app, false), Sheet::of(&app, true));
    assert!(whole.size.height > view.size.height + 50.0);
    assert!(whole.origin.y < 0.0, "the viewport lies further down in it");
    assert_eq!(view.origin.y, 0.0);
}

#[test]
fn the_embedded_font_has_every_letter_that_the_widgets_and_people_use() {
    use ab_glyph::Font;
    for face in [super::text::Face::Regular, super::text::Face::Bold] {
        let font = super::text::font(face).expect("the embedded font can be read");
        for letter in "AZaz09 ÄÖÜßéñŁ ΑΩαω АЯая …–—„“”«»€ •✓↵⇧⌫→←".chars()
        {
            assert_ne!(font.glyph_id(letter).0, 0, "{letter:?} in {face:?}");
        }
    }
}

#[test]
fn a_text_is_broken_at_spaces_and_cut_with_an_ellipsis() {
    use super::text::{Face, fit, width, wrap};
    let lines = wrap(Face::Regular, 16.0, "one two three four five six seven", 120.0);
    assert!(lines.len() > 1);
    assert!(lines.iter().all(|line| width(Face::Regular, 16.0, line) <= 120.0));
    assert_eq!(lines.join(" "), "one two three four five six seven");
    let cut = fit(Face::Regular, 16.0, "a very long label that fits nowhere", 100.0);
    assert!(cut.ends_with('…') && width(Face::Regular, 16.0, &cut) <= 100.0);
}

#[test]
fn a_container_clips_the_letters_in_it() {
    let text = r#"
app = "clip"
title = "Clip"
start = "one"
viewport = { width = 200, height = 300 }
[[screen]]
id = "one"
bar = false
padding = 0
element = [{ role = "scroll", height = 11, element = [{ role = "text", label = "MMMMMM" }] }]
"#;
    let canvas = Sheet::of(&scene("clip", text), false).draw().unwrap();
    let dark = |from: u32, to: u32| {
        (from..to)
            .flat_map(|y| (0..150).map(move |x| (x, y)))
            .filter(|(x, y)| canvas.pixel(*x, *y).is_some_and(|[red, ..]| red < 0x80))
            .count()
    };
    assert!(dark(0, 22) > 50, "the upper half of the letters is there");
    assert_eq!(dark(22, 60), 0, "the lower half is not");
}
