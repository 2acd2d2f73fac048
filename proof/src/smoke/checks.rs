//! What is tried, in order. Each check leaves the app's first screen in front.

use std::{pin::Pin, time::Instant};

use serde_json::Value;

use super::{Verdict, phone::Phone};

/// A check under way: its verdict, or what a command said that failed on the way.
pub type Tried<'p> = Pin<Box<dyn Future<Output = Result<Verdict, String>> + 'p>>;

/// One check.
pub struct Check {
    /// What is tried.
    pub name: &'static str,
    /// Nothing else can be tried without it.
    pub needed: bool,
    /// Tries it.
    pub run: for<'p> fn(&'p Phone) -> Tried<'p>,
}

macro_rules! check {
    ($name:literal, $needed:literal, |$phone:ident| $body:block) => {
        Check { name: $name, needed: $needed, run: |$phone| Box::pin(async move { $body }) }
    };
}

/// A text that no `input text` can type: umlauts, Chinese, an emoji beyond the first plane.
const TEXT: &str = "Grüße 你好 🙂";
/// Warm looks and presses timed.
const TIMED: usize = 10;

fn pass(what: impl Into<String>) -> Result<Verdict, String> {
    Ok(Verdict::Pass(what.into()))
}

fn left_out(why: &str) -> Result<Verdict, String> {
    Ok(Verdict::LeftOut(why.to_owned()))
}

fn text<'a>(node: &'a Value, key: &str) -> &'a str {
    node[key].as_str().unwrap_or_default()
}

fn reference(node: &Value) -> String {
    format!("@{}", text(node, "ref"))
}

/// All checks.
pub const ALL: &[Check] = &[
    check!("the device is listed and ready", true, |phone| {
        let listed = phone.run(&["devices"]).await?;
        let devices = listed["devices"].as_array().cloned().unwrap_or_default();
        let found = devices.iter().find(|device| text(device, "id") == phone.device());
        match found {
            Some(device) if device["available"] == true => {
                pass(format!("{} ({})", text(device, "name"), text(device, "kind")))
            }
            Some(device) => Err(format!("not available: {}", text(device, "unavailableReason"))),
            None => Err(format!("not among {} devices", devices.len())),
        }
    }),
    check!("the app opens, the helper is installed and answers", true, |phone| {
        let opened = phone.run(&["open", phone.app(), "--relaunch"]).await?;
        pass(format!("{} is open", text(&opened, "app")))
    }),
    check!("the screen is read as a tree", true, |phone| {
        let shown = phone.run(&["snapshot"]).await?;
        let nodes = shown["nodes"].as_array().map_or(0, Vec::len);
        let named = shown["nodes"].as_array().into_iter().flatten().filter(|node| !text(node, "label").is_empty());
        let named = named.count();
        if named < 2 {
            Err(format!("{nodes} nodes, {named} of them with a name"))
        } else {
            pass(format!("{nodes} nodes, {named} named"))
        }
    }),
    check!("a look takes milliseconds", false, |phone| {
        let mut times = Vec::new();
        for _ in 0..TIMED {
            let started = Instant::now();
            phone.run(&["snapshot", "-i"]).await?;
            times.push(started.elapsed().as_millis());
        }
        times.sort_unstable();
        pass(format!("median {} ms, slowest {} ms, the program's start included", times[TIMED / 2], times[TIMED - 1]))
    }),
    check!("a press does something, and back undoes it", false, |phone| {
        let nodes = phone.nodes().await?;
        let takes = ["button", "listitem", "link", "tab", "menuitem"];
        let rows: Vec<_> =
            nodes.iter().filter(|node| takes.contains(&text(node, "role")) || node["clickable"] == true).collect();
        // Not the first: apps like to put search and account there, which lead elsewhere.
        let Some(row) = rows.get(1).or(rows.first()) else { return left_out("nothing to press here") };
        let pressed = phone.run(&["press", &reference(row), "--settle"]).await?;
        let changed = pressed.pointer("/settle/diff").map_or(Value::Null, Clone::clone);
        phone.run(&["back", "--settle"]).await?;
        let again = phone.run(&["open", phone.app(), "--relaunch"]).await;
        again?;
        match changed {
            Value::Null => Err(format!("{:?} was pressed and nothing changed", text(row, "label"))),
            _ => pass(format!("pressed {:?}", text(row, "label"))),
        }
    }),
    check!("refusals send nothing", false, |phone| {
        let cases: [&[&str]; 2] = [&["press", "99999", "5"], &["press", "label=\"no such thing anywhere\""]];
        for words in cases {
            let (code, dispatched) = phone.refused(words).await?;
            if dispatched != "no" {
                return Err(format!("{}: {code}, dispatched: {dispatched}", words.join(" ")));
            }
        }
        pass("outside the screen, and not there: dispatched: no")
    }),
    check!("scrolling moves and comes back", false, |phone| {
        let down = phone.run(&["scroll", "down"]).await?;
        phone.run(&["scroll", "top"]).await?;
        let moved = down.pointer("/moved/y").or(down.pointer("/moved/1")).and_then(Value::as_f64).unwrap_or(0.0);
        if moved == 0.0 { left_out("this screen does not scroll") } else { pass(format!("{moved} px")) }
    }),
    check!("a field takes any text, and holds it", false, |phone| {
        let field = |nodes: &[Value]| nodes.iter().find(|node| node["editable"] == true).map(reference);
        let nodes = phone.nodes().await?;
        let target = match field(&nodes) {
            Some(field) => field,
            None => {
                let search = nodes.iter().find(|node| {
                    text(node, "identifier").to_lowercase().contains("search")
                        || text(node, "label").to_lowercase().contains("search")
                });
                let Some(search) = search else { return left_out("no field here: try --app with one that has") };
                phone.run(&["press", &reference(search), "--settle"]).await?;
                match field(&phone.nodes().await?) {
                    Some(field) => field,
                    None => return left_out("the search of this app shows no field"),
                }
            }
        };
        phone.run(&["fill", &target, TEXT]).await?;
        let nodes = phone.nodes().await?;
        let held = nodes.iter().filter(|node| node["editable"] == true).any(|node| text(node, "value") == TEXT);
        phone.run(&["open", phone.app(), "--relaunch"]).await?;
        if held { pass(format!("it holds {TEXT:?}")) } else { Err(format!("it does not hold {TEXT:?}")) }
    }),
    check!("the keyboard is the person's own afterwards", false, |phone| {
        let state = phone.run(&["keyboard", "status"]).await?;
        let method = text(&state, "inputMethod");
        if method.contains("agentdevice") { Err(format!("it is {method}")) } else { pass(method) }
    }),
    check!("a picture has the screen's size", false, |phone| {
        let picture = phone.run(&["screenshot", "smoke.png"]).await?;
        let shown = phone.run(&["snapshot", "-i"]).await?;
        let side = |from: &Value, key: &str| from[key].as_f64().unwrap_or(0.0);
        let scale = picture["scale"].as_f64().unwrap_or(1.0);
        let (width, height) = (side(&picture, "width") / scale, side(&picture, "height") / scale);
        let viewport = &shown["viewport"];
        if (width, height) == (side(viewport, "width"), side(viewport, "height")) {
            pass(format!("{width} x {height}"))
        } else {
            Err(format!("{width} x {height}, the tree's is {viewport}"))
        }
    }),
    check!("the screen turns and turns back", false, |phone| {
        let turned = phone.run(&["orientation", "landscape-left"]).await?;
        let shown = phone.run(&["snapshot", "-i"]).await?;
        phone.run(&["orientation", "portrait"]).await?;
        let viewport = &shown["viewport"];
        let lies = viewport["width"].as_f64() > viewport["height"].as_f64();
        if turned["confirmed"] != true {
            return left_out("the device does not confirm a turn: it, or this app, may not turn at all");
        }
        if lies { pass(format!("{viewport}")) } else { Err(format!("confirmed, and the tree is still {viewport}")) }
    }),
    check!("two fingers, a long press", false, |phone| {
        phone.run(&["gesture", "pinch", "1.5"]).await?;
        phone.run(&["open", phone.app(), "--relaunch"]).await?;
        let nodes = phone.nodes().await?;
        let Some(node) = nodes.last() else { return left_out("nothing to press here") };
        phone.run(&["longpress", &reference(node)]).await?;
        phone.run(&["open", phone.app(), "--relaunch"]).await?;
        pass("sent")
    }),
    check!("home leaves the app, and it is noticed", false, |phone| {
        phone.run(&["home"]).await?;
        let front = phone.run(&["appstate"]).await?;
        phone.run(&["open", phone.app(), "--relaunch"]).await?;
        let app = text(&front, "app");
        if app == phone.app() { Err(format!("{app} is still in front")) } else { pass(app) }
    }),
    check!("closing frees the device for others", false, |phone| {
        phone.run(&["close"]).await?;
        phone.run(&["open", phone.app()]).await?;
        let nodes = phone.nodes().await?.len();
        phone.run(&["close"]).await?;
        pass(format!("opened once more, {nodes} nodes, closed"))
    }),
];
