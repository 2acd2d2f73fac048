//! The captures of a phone that its backend is measured on: what the helper on the device sends, as text.

use std::fmt::Write as _;

use super::tree::Sample;

/// Nodes of a row of [`form`].
const ROW: usize = 6;
/// Rows side by side, px of a column and of a row.
const COLUMNS: usize = 9;
const CELL: (usize, usize) = (120, 24);

/// What is true of every node.
const COMMON: &str =
    "package=\"com.example.app\" visible-to-user=\"true\" enabled=\"true\" selected=\"false\" password=\"false\"";
const FIELDS: &str = "hint-showing=\"false\" editable=\"false\"";

/// Writes nodes, numbered as a helper does that knows how to.
struct Writer {
    xml: String,
    keyed: bool,
    nodes: u32,
}

impl Writer {
    /// `bounds` are left, top, width and height, px; a node that is not `closed` holds what follows.
    fn node(&mut self, class: &str, bounds: [usize; 4], more: &str, closed: bool) {
        self.nodes += 1;
        let [left, top, width, height] = bounds;
        let (right, bottom, order) = (left + width, top + height, self.nodes % 7);
        let _ = write!(
            self.xml,
            "<node index=\"0\" {more} {FIELDS} class=\"android.{class}\" {COMMON} drawing-order=\"{order}\" \
             bounds=\"[{left},{top}][{right},{bottom}]\""
        );
        if self.keyed {
            // As scattered as the numbers of real views.
            let _ = write!(self.xml, " node-key=\"12:{:x}\"", self.nodes.wrapping_mul(0x9e37_79b9));
        }
        self.xml.push_str(if closed { " />" } else { ">" });
    }

    fn end(&mut self, nodes: usize) {
        for _ in 0..nodes {
            self.xml.push_str("</node>");
        }
    }
}

/// A long form, all of it in view: rows with a title, a line below it, a switch and a button.
pub fn form(sample: Sample) -> String {
    let mut writer = Writer { xml: head(), keyed: sample.keyed, nodes: 0 };
    let rows = sample.nodes.saturating_sub(2) / ROW;
    let screen = [0, 0, COLUMNS * CELL.0, (rows / COLUMNS + 1) * CELL.1 + 100];
    writer.node("widget.FrameLayout", screen, &window(screen), false);
    let list = "scrollable=\"true\" can-scroll-forward=\"true\" can-scroll-backward=\"false\"";
    writer.node("widget.ScrollView", [0, 100, screen[2], screen[3] - 100], list, false);
    let id = |name: &str| format!("resource-id=\"com.example.app:id/{name}\"");
    for row in 0..rows {
        let (left, top) = (row % COLUMNS * CELL.0, 100 + row / COLUMNS * CELL.1);
        let takes = format!("clickable=\"true\" focusable=\"true\" {}", id("row"));
        writer.node("widget.LinearLayout", [left, top, CELL.0, CELL.1], &takes, false);
        writer.node("widget.LinearLayout", [left, top, 80, CELL.1], "", false);
        let title = format!("text=\"Row {row} &amp; more\" {}", id("title"));
        writer.node("widget.TextView", [left, top, 80, 12], &title, true);
        let line = format!("text=\"what it is about\" {}", id("summary"));
        writer.node("widget.TextView", [left, top + 12, 80, 12], &line, true);
        writer.end(1);
        writer.node("widget.Switch", [left + 80, top, 20, CELL.1], &format!("checked=\"true\" {}", id("switch")), true);
        let more = "content-desc=\"More\" clickable=\"true\" focusable=\"true\"";
        writer.node("widget.ImageButton", [left + 100, top, 20, CELL.1], more, true);
        writer.end(1);
    }
    writer.end(2);
    writer.xml.push_str("</hierarchy>");
    writer.xml
}

/// The worst for finding out what covers what: everything takes touches and lies over everything.
pub fn pile(sample: Sample) -> String {
    let mut writer = Writer { xml: head(), keyed: sample.keyed, nodes: 0 };
    let screen = [0, 0, 1080, 2400];
    writer.node("view.View", screen, &window(screen), false);
    for _ in 1..sample.nodes {
        writer.node("view.View", screen, "text=\"a\" clickable=\"true\"", true);
    }
    writer.end(1);
    writer.xml.push_str("</hierarchy>");
    writer.xml
}

fn head() -> String {
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">".to_owned()
}

fn window([left, top, width, height]: [usize; 4]) -> String {
    format!(
        "window-index=\"0\" window-type=\"1\" window-layer=\"0\" window-active=\"true\" window-focused=\"true\" \
         window-bounds=\"[{left},{top}][{},{}]\" window-id=\"12\"",
        left + width,
        top + height
    )
}
