//! A scene as lines: the runtime interprets, and reading JSON character by character would take it seconds for a large screen.
//!
//! After the answer's own line (`{"lines": N, ...}`) come N lines. `W` and a window's JSON without its root; then its nodes in document
//! order: depth and the values of [`KEYS`], separated by tabs. A value that is there begins with `=`; backslash, tab and line
//! breaks are escaped in it. A child that has gone is `X` and its depth.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

/// The values of a node, in this order.
pub const KEYS: [&str; 20] = [
    "hash",
    "class",
    "package",
    "text",
    "desc",
    "id",
    "hint",
    "uniqueId",
    "state",
    "error",
    "roleDescription",
    "paneTitle",
    "throws",
    "drawingOrder",
    "inputType",
    "is",
    "not",
    "actions",
    "refuses",
    "ignores",
];

/// The lines, the answer's own first.
pub fn of(mut scene: Value) -> String {
    let windows = scene.as_object_mut().and_then(|scene| scene.remove("windows")).unwrap_or_default();
    let mut lines = Vec::new();
    for window in windows.as_array().into_iter().flatten() {
        let mut head = window.clone();
        let root = head.as_object_mut().and_then(|head| head.remove("root")).unwrap_or_default();
        lines.push(format!("W{head}"));
        if !root.is_null() {
            node(&mut lines, &root, 0, &window["bounds"], &Value::Null);
        }
    }
    scene["lines"] = lines.len().into();
    lines.insert(0, scene.to_string());
    lines.join("\n") + "\n"
}

fn node(lines: &mut Vec<String>, node_: &Value, depth: usize, bounds: &Value, package: &Value) {
    if node_.is_null() {
        lines.push(format!("X{depth}"));
        return;
    }
    // Both are those of the parent unless said.
    let bounds = node_.get("bounds").unwrap_or(bounds);
    let package = node_.get("package").unwrap_or(package);
    let mut line = depth.to_string();
    for key in KEYS {
        line.push('\t');
        match if key == "package" { package } else { &node_[key] } {
            Value::Null => {}
            Value::String(text) => {
                line.push('=');
                text.chars().for_each(|letter| escaped(&mut line, letter));
            }
            other => {
                line.push('=');
                line.push_str(&other.to_string());
            }
        }
    }
    for list in [bounds, &node_["selection"]] {
        line.push('\t');
        let numbers: Vec<String> = list.as_array().into_iter().flatten().map(whole).collect();
        line.push_str(&numbers.join(" "));
    }
    lines.push(line);
    for child in node_["children"].as_array().into_iter().flatten() {
        node(lines, child, depth + 1, bounds, package);
    }
}

/// A number without a fraction: a display has none.
fn whole(number: &Value) -> String {
    number.as_i64().map_or_else(|| format!("{:.0}", number.as_f64().unwrap_or_default()), |whole| whole.to_string())
}

fn escaped(line: &mut String, letter: char) {
    match letter {
        '\\' => line.push_str("\\\\"),
        '\t' => line.push_str("\\t"),
        '\n' => line.push_str("\\n"),
        '\r' => line.push_str("\\r"),
        other => line.push(other),
    }
}

/// The same for a process that knows the screen as of `known` already: only that where nothing changed. The answer's own line
/// has the `version` that the process may name next time.
pub fn news(scene: Value, known: &str) -> String {
    let text = of(scene);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let version = format!("{:016x}", hasher.finish());
    if version == known {
        return "{\"same\":true}\n".to_owned();
    }
    text.replacen('{', &format!("{{\"version\":\"{version}\","), 1)
}

/// Whether an answer is one about the screen.
pub fn is_scene(answer: &Value) -> bool {
    answer.get("windows").is_some_and(Value::is_array)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_is_not_told_again() {
        let scene = |text: &str| json!({ "api": 34, "windows": [{ "id": 1, "root": { "text": text } }] });
        let told = news(scene("a"), "");
        let head: Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
        let version = head["version"].as_str().unwrap();
        assert_eq!((head["api"].as_i64(), head["lines"].as_i64(), told.lines().count()), (Some(34), Some(2), 3));
        assert_eq!(news(scene("a"), version), "{\"same\":true}\n");
        assert!(news(scene("b"), version).contains("=b"));
    }

    #[test]
    fn a_scene_is_told_in_lines() {
        let scene = json!({ "api": 34, "windows": [{ "id": 1, "bounds": [0, 0, 9, 9], "root": {
            "class": "V", "package": "p", "hash": 7, "children": [
                null, { "text": "a\tb\\", "bounds": [1, 2, 3, 4], "selection": [0, 1], "is": "focused" },
            ] } }] });
        let lines = of(scene);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], r#"{"api":34,"lines":4}"#);
        assert_eq!(lines[1], r#"W{"bounds":[0,0,9,9],"id":1}"#);
        assert_eq!(lines[2], format!("0\t=7\t=V\t=p{}\t0 0 9 9\t", "\t".repeat(17)));
        assert_eq!(lines[3], "X1");
        assert_eq!(
            lines[4],
            format!("1\t\t\t=p\t=a\\tb\\\\{}\t=focused{}\t1 2 3 4\t0 1", "\t".repeat(11), "\t".repeat(4))
        );
    }
}
