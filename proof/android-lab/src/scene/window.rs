//! Which windows there are, and what is in each.

use std::collections::HashMap;

use contract::Rect;
use screen::{Node, NodeKey, States, Tree};
use serde_json::{Value, json};

use super::{
    class::{self, NameAs},
    order,
};
use crate::display::Display;

/// An app that is on the screen.
#[derive(Debug)]
pub struct Shown<'a> {
    /// Its package.
    pub package: &'a str,
    /// What it shows.
    pub tree: &'a Tree,
    /// A system dialog: its own window lies over everything, its ground is not shown.
    pub system_dialog: bool,
}

/// What stands behind a number in a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Package of the app.
    pub package: String,
    /// The element of its stage app.
    pub node: NodeKey,
}

/// Numbers nodes and windows, and remembers what each number stands for.
pub struct Numbers<'a> {
    /// The number of a name; the same one for ever.
    pub number: &'a mut dyn FnMut(String) -> i32,
    /// What the numbers of nodes stand for.
    pub targets: &'a mut HashMap<i32, Target>,
}

/// The windows, the topmost first, as Android lists them. `shown` goes from the app in front upwards.
pub fn scene(display: &Display, shown: &[Shown<'_>], numbers: &mut Numbers<'_>) -> Value {
    let mut windows: Vec<Value> = Vec::new();
    for app in shown {
        let mut writer = Writer { display, app, orders: order::of(app.tree), numbers };
        writer.windows(&mut windows);
    }
    let (width, height) = display.size();
    // The window on top that takes keys is the active one: dialogs do, keyboards do not.
    let active = windows.iter().rposition(|window| window["type"] == "application");
    for (layer, window) in windows.iter_mut().enumerate() {
        window["layer"] = layer.into();
        let on = Some(layer) == active;
        window["active"] = on.into();
        window["focused"] = on.into();
    }
    let [_, status_bar, ..] = Display::bounds(Rect::default());
    windows.push(json!({
        "type": "system", "layer": windows.len(), "id": (numbers.number)("window status bar".to_owned()), "title": "StatusBar",
        "bounds": [0, 0, width, status_bar],
        "root": {
            "class": "android.widget.FrameLayout", "package": "com.android.systemui",
            "id": "com.android.systemui:id/status_bar_container", "hash": (numbers.number)("status bar".to_owned()),
            "children": [{
                "class": "android.widget.TextView", "id": "com.android.systemui:id/clock", "text": "12:00", "desc": "12:00",
                "bounds": [24, 12, 144, 60], "drawingOrder": 1, "hash": (numbers.number)("clock".to_owned()),
            }],
        },
    }));
    windows.reverse();
    json!({ "display": { "width": width, "height": height, "density": crate::display::DENSITY }, "windows": windows })
}

struct Writer<'a, 'n> {
    display: &'a Display,
    app: &'a Shown<'a>,
    orders: Vec<i64>,
    numbers: &'a mut Numbers<'n>,
}

impl Writer<'_, '_> {
    /// The app's windows, the lowest first.
    fn windows(&mut self, into: &mut Vec<Value>) {
        let Some(root) = self.app.tree.get(0) else { return };
        let title = self.app.tree.title.clone().unwrap_or_else(|| root.name.to_string());
        let layers = self.children(0);
        let (own, apart): (Vec<u32>, Vec<u32>) =
            layers.into_iter().partition(|place| self.kind(*place) == Layer::Content);
        if !self.app.system_dialog {
            let (width, height) = self.display.size();
            let mut node = self.node(0, root, &own);
            node["bounds"] = json!([0, 0, width, height]);
            into.push(self.window("application", "app", &title, [0, 0, width, height], node));
        }
        let apart: Vec<u32> = if self.app.system_dialog { [own, apart].concat() } else { apart };
        for place in apart {
            let Some(layer) = self.app.tree.get(place) else { continue };
            let kind = if self.kind(place) == Layer::Keyboard { "input-method" } else { "application" };
            let name = format!("{:?}", layer.key);
            let mut node = self.node(place, layer, &self.children(place));
            if kind == "input-method" {
                node["package"] = "com.android.inputmethod.latin".into();
            }
            let title = if kind == "input-method" { "InputMethod".to_owned() } else { layer.name.to_string() };
            into.push(self.window(kind, &name, &title, Display::bounds(layer.rect), node));
        }
    }

    fn window(&mut self, kind: &str, name: &str, title: &str, bounds: [i64; 4], root: Value) -> Value {
        let id = (self.numbers.number)(format!("window {} {name}", self.app.package));
        json!({ "type": kind, "id": id, "title": title, "bounds": bounds, "root": root })
    }

    fn children(&self, place: u32) -> Vec<u32> {
        self.app
            .tree
            .descendants(place)
            .filter(|(_, node)| node.parent == Some(place))
            .map(|(child, _)| child)
            .collect()
    }

    fn kind(&self, place: u32) -> Layer {
        match self.app.tree.get(place) {
            Some(node) if node.native_type.as_deref() == Some("keyboard") => Layer::Keyboard,
            Some(node) if node.is(States::MODAL) => Layer::Dialog,
            _ => Layer::Content,
        }
    }

    fn node(&mut self, place: u32, node: &Node, children: &[u32]) -> Value {
        let class = class::of(node);
        let (is, not) = class::flags(node);
        let field = class.name == "android.widget.EditText";
        let reacts = is.contains(&"clickable");
        let mut out = json!({
            "class": class.name, "package": self.app.package, "bounds": self.bounds(place, node),
            "drawingOrder": self.orders.get(place as usize).copied().unwrap_or_default(),
            "is": is.join(" "), "not": not.join(" "), "actions": class::actions(node, reacts).join(" "),
        });
        let mut set = |key: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                out[key] = value.into();
            }
        };
        let name = node.name.to_string();
        match class.name_as {
            NameAs::Text => set("text", Some(name)),
            NameAs::Description => set("desc", Some(name)),
        }
        set("id", class::resource_id(self.app.package, node));
        set("hint", node.extra().placeholder.as_deref().map(str::to_owned));
        set("roleDescription", class.role.map(str::to_owned));
        set("state", class::state(node));
        let pane = matches!(self.kind(place), Layer::Dialog).then(|| node.name.to_string());
        set("paneTitle", pane);
        if field {
            let value = node.value.as_deref().unwrap_or_default();
            out["text"] = value.into();
            if node.is(States::FOCUSED) {
                let end = value.encode_utf16().count();
                out["selection"] = json!([end, end]);
            }
            let kind =
                u32::from(node.is(States::PASSWORD)) * 0x80 + u32::from(node.is(States::MULTILINE)) * 0x2_0000 + 1;
            out["inputType"] = kind.into();
        }
        out["hash"] = self.number(node, "").into();
        let mut list: Vec<Value> = self.described(node).into_iter().collect();
        for child in children {
            let Some(inner) = self.app.tree.get(*child) else { continue };
            // Rows of a list that are scrolled away do not exist: a list recycles its views.
            if node.role.as_str() == "list" && !inner.is(States::VISIBLE) {
                continue;
            }
            let grandchildren = self.children(*child);
            list.push(self.node(*child, inner, &grandchildren));
        }
        if !list.is_empty() {
            out["children"] = list.into();
        }
        out
    }

    /// The second line of a row is a text of its own.
    fn described(&mut self, node: &Node) -> Option<Value> {
        let line = node.description.as_deref()?;
        let [left, top, right, bottom] = Display::bounds(node.rect);
        let not = if node.is(States::VISIBLE) { "" } else { "visible" };
        Some(json!({
            "class": "android.widget.TextView", "package": self.app.package, "text": line, "drawingOrder": 1, "not": not,
            "bounds": [left, top + (bottom - top) / 2, right, bottom], "hash": self.number(node, " description"),
        }))
    }

    fn number(&mut self, node: &Node, part: &str) -> i32 {
        let number = (self.numbers.number)(format!("node {} {:?}{part}", self.app.package, node.key));
        if let Some(key) = node.key {
            self.numbers.targets.insert(number, Target { package: self.app.package.to_owned(), node: key });
        }
        number
    }

    /// As a view reports its box: cut by every container that scrolls, so that one scrolled away has its edges the wrong way round.
    fn bounds(&self, place: u32, node: &Node) -> [i64; 4] {
        let Rect { x, y, width, height } = node.rect;
        let (mut left, mut top, mut right, mut bottom) = (x, y, x + width, y + height);
        for above in self.app.tree.ancestors(place).filter_map(|above| self.app.tree.get(above)) {
            if above.is(States::SCROLLABLE) || above.parent.is_none() {
                left = left.max(above.rect.x);
                top = top.max(above.rect.y);
                right = right.min(above.rect.x + above.rect.width);
                bottom = bottom.min(above.rect.y + above.rect.height);
            }
        }
        Display::bounds(Rect { x: left, y: top, width: right - left, height: bottom - top })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    Content,
    Dialog,
    Keyboard,
}
