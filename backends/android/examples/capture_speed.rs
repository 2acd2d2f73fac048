//! How long a capture of 5,000 nodes takes from the helper's bytes to the text that is printed.
//!
//! ```text
//! cargo run --release -p android --example capture_speed
//! ```

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement for people")]

use std::{fmt::Write as _, time::Instant};

use android::tree::{Headers, Options, facts, read};
use contract::command::ViewArgs;
use screen::{RefBook, snapshot};

/// Nodes of the capture.
const NODES: usize = 5_000;
/// Runs per step; the median counts.
const RUNS: usize = 61;

fn main() {
    let xml = screen_of(NODES, true);
    let options = Options { scope: 1, max_nodes: 10_000, whole: false };
    let headers = Headers::new();
    let capture = read(xml.as_bytes(), &headers, &options).unwrap();
    println!("{} nodes, {} bytes", capture.tree.len(), xml.len());
    let whole = ViewArgs::default();
    let flat = ViewArgs { interactive_only: true, ..ViewArgs::default() };
    let text = |args: &ViewArgs| {
        let capture = read(xml.as_bytes(), &headers, &options).unwrap();
        snapshot::render(&mut RefBook::new().show(&capture.tree), args, None).unwrap().text().len()
    };
    measure("facts", || facts::parse(&xml).unwrap().nodes.len());
    measure("tree", || read(xml.as_bytes(), &headers, &options).unwrap().tree.len());
    measure("tree and text", || text(&whole));
    measure("tree and text, -i", || text(&flat));
    let old = screen_of(NODES, false);
    measure("tree, old helper", || read(old.as_bytes(), &headers, &options).unwrap().tree.len());
    let piled = pile_of(NODES);
    measure("all over each other", || read(piled.as_bytes(), &headers, &options).unwrap().tree.len());
    measure("aim", || usize::from(matches!(capture.aim(2_500), backend::Aimed::Ready(_))));
}

fn measure(what: &str, run: impl Fn() -> usize) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            std::hint::black_box(run());
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{what:<20} median {:6.2} ms, p95 {:6.2} ms", times[RUNS / 2], times[RUNS * 95 / 100]);
}

/// The worst for finding out what covers what: everything lies over everything.
fn pile_of(nodes: usize) -> String {
    let node = "<node class=\"android.view.View\" text=\"a\" clickable=\"true\" bounds=\"[0,0][1080,2400]\"";
    format!("<hierarchy>{node}>{}</node></hierarchy>", format!("{node}/>").repeat(nodes - 1))
}

/// A long form, all of it in view: rows with a title, a line below it, a switch and a button. `numbered` as a helper
/// sends it that numbers its nodes.
fn screen_of(nodes: usize, numbered: bool) -> String {
    let mut xml = String::from("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    let mut key = 0u32;
    let mut node = |xml: &mut String, class: &str, bounds: [i32; 4], more: &str, ends: &str| {
        key += 1;
        let [left, top, right, bottom] = bounds;
        let number =
            if numbered { format!(" node-key=\"12:{:x}\"", key.wrapping_mul(0x9e37_79b9)) } else { String::new() };
        let _ = write!(
            xml,
            "<node index=\"0\" {more} hint-showing=\"false\" editable=\"false\" class=\"android.widget.{class}\" \
             package=\"com.example.app\" visible-to-user=\"true\" drawing-order=\"{}\" enabled=\"true\" selected=\"false\" \
             password=\"false\" bounds=\"[{left},{top}][{right},{bottom}]\"{number}{ends}",
            key % 7
        );
    };
    let window = "window-index=\"0\" window-type=\"1\" window-layer=\"0\" window-active=\"true\" window-focused=\"true\" \
                  window-bounds=\"[0,0][1080,2400]\" window-id=\"12\"";
    node(&mut xml, "FrameLayout", [0, 0, 1080, 2400], window, ">");
    node(
        &mut xml,
        "ScrollView",
        [0, 100, 1080, 2400],
        "scrollable=\"true\" can-scroll-forward=\"true\" can-scroll-backward=\"false\"",
        ">",
    );
    let rows = (nodes - 2) / 6;
    for row in 0..i32::try_from(rows).unwrap() {
        let (column, line) = (row % 9, row / 9);
        let (left, top) = (column * 120, 100 + line * 24);
        let at = |x: i32, y: i32, width: i32, height: i32| [left + x, top + y, left + x + width, top + y + height];
        node(
            &mut xml,
            "LinearLayout",
            at(0, 0, 120, 24),
            "clickable=\"true\" focusable=\"true\" resource-id=\"com.example.app:id/row\"",
            ">",
        );
        node(&mut xml, "LinearLayout", at(0, 0, 80, 24), "", ">");
        node(
            &mut xml,
            "TextView",
            at(0, 0, 80, 12),
            &format!("text=\"Row {row} &amp; more\" resource-id=\"com.example.app:id/title\""),
            " />",
        );
        node(
            &mut xml,
            "TextView",
            at(0, 12, 80, 12),
            "text=\"what it is about\" resource-id=\"com.example.app:id/summary\"",
            " /></node>",
        );
        node(
            &mut xml,
            "Switch",
            at(80, 0, 20, 24),
            "checked=\"true\" resource-id=\"com.example.app:id/switch\"",
            " />",
        );
        node(
            &mut xml,
            "ImageButton",
            at(100, 0, 20, 24),
            "content-desc=\"More\" clickable=\"true\" focusable=\"true\"",
            " /></node>",
        );
    }
    xml.push_str("</node></node></hierarchy>");
    xml
}
