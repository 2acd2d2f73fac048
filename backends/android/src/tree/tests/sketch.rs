//! Small captures, written as the helper does.

use screen::Cover;

use super::{OPTIONS, find};
use crate::tree::{Capture, Headers, read};

/// A view: class, box, further attributes, what is in it. Words of `attributes` without a value are true.
pub fn view(class: &str, [left, top, right, bottom]: [i32; 4], attributes: &str, inside: &[String]) -> String {
    let seen = if attributes.contains("visible-to-user") { "" } else { " visible-to-user='true'" };
    let class = if class.contains('.') { class.to_owned() } else { format!("android.widget.{class}") };
    let attributes = format!(" {attributes}").replace(" clickable", " clickable='true'");
    format!(
        "<node class='{class}' bounds='[{left},{top}][{right},{bottom}]'{seen} {attributes}>{}</node>",
        inside.concat()
    )
}

pub const DISPLAY: [i32; 4] = [0, 0, 1080, 2400];
pub const IN_FRONT: &str = "window-active='true' window-focused='true'";

pub fn window(kind: i32, layer: i32, bounds: [i32; 4], attributes: &str, inside: &[String]) -> String {
    let [left, top, right, bottom] = bounds;
    let package = if attributes.contains("package=") { "" } else { "package='com.example.app'" };
    view(
        "FrameLayout",
        bounds,
        &format!(
            "window-type='{kind}' window-layer='{layer}' window-bounds='[{left},{top}][{right},{bottom}]' {package} \
             {attributes}"
        ),
        inside,
    )
}

pub fn app(inside: &[String]) -> String {
    window(1, 0, DISPLAY, IN_FRONT, inside)
}

pub fn document(windows: &[String]) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{}</hierarchy>",
        windows.concat()
    )
}

#[track_caller]
pub fn capture(windows: &[String]) -> Capture {
    read(document(windows).as_bytes(), &Headers::new(), &OPTIONS).unwrap()
}

pub fn status_bar() -> String {
    let bar = [0, 0, 1080, 84];
    let icons: Vec<String> = ["9:41", "Wifi signal full", "Battery 80 percent", "Android Auto"]
        .iter()
        .map(|icon| {
            view("ImageView", [20, 10, 120, 70], &format!("package='com.android.systemui' content-desc='{icon}'"), &[])
        })
        .collect();
    window(3, 9, bar, "package='com.android.systemui'", &icons)
}

pub fn navigation_bar() -> String {
    let buttons: Vec<String> = ["Back", "Home", "Overview"]
        .iter()
        .map(|name| view("ImageView", [0, 2274, 360, 2400], &format!("content-desc='{name}' clickable"), &[]))
        .collect();
    window(3, 8, [0, 2274, 1080, 2400], "package='com.android.systemui'", &buttons)
}

pub fn keyboard(top: i32) -> String {
    let keys: Vec<String> = "qwertz"
        .chars()
        .zip(0..)
        .map(|(key, nth)| {
            view(
                "android.view.View",
                [nth * 108, top, nth * 108 + 108, top + 150],
                &format!("content-desc='{key}' clickable"),
                &[],
            )
        })
        .collect();
    window(2, 5, [0, top, 1080, 2400], "package='com.example.keyboard'", &keys)
}

pub fn button(name: &str, bounds: [i32; 4]) -> String {
    view("Button", bounds, &format!("text='{name}' clickable focusable='true'"), &[])
}

pub fn text(text: &str, bounds: [i32; 4]) -> String {
    view("TextView", bounds, &format!("text='{text}'"), &[])
}

pub fn covered_by(capture: &Capture, selector: &str) -> Option<u32> {
    match capture.tree.get(find(capture, selector)).unwrap().cover {
        Some(Cover::Node(over)) => Some(over),
        _ => None,
    }
}
