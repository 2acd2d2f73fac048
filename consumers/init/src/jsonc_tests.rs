//! Texts as people keep them.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn ours() -> Vec<(&'static str, Value)> {
    vec![("command", json!("agent-device")), ("args", json!(["mcp"]))]
}

/// Puts the entry, and checks that nothing but it changed in what the text says.
fn changed(old: &str) -> String {
    let Changed::Text(new) = put(old, "mcpServers", "agent-device", &ours()).unwrap() else { panic!("{old}") };
    let mut expected = if blank(old) { json!({}) } else { value(old).unwrap() };
    expected["mcpServers"]["agent-device"] = json!({"command": "agent-device", "args": ["mcp"]});
    assert_eq!(value(&new).unwrap(), expected, "{new}");
    new
}

#[test]
fn an_empty_file_becomes_a_whole_one() {
    let whole = "{\n  \"mcpServers\": {\n    \"agent-device\": {\n      \"command\": \"agent-device\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n";
    assert_eq!(changed(""), whole);
    assert_eq!(changed("{}\n"), whole);
    assert_eq!(changed("{\n}\n"), whole);
}

#[test]
fn a_member_is_added_in_the_files_own_layout() {
    let old =
        "{\r\n\t\"theme\": \"dark\",\r\n\t\"mcpServers\": {\r\n\t\t\"other\": { \"command\": \"o\" }\r\n\t}\r\n}\r\n";
    let new = changed(old);
    assert!(
        new.contains("\"other\": { \"command\": \"o\" },\r\n\t\t\"agent-device\": {\r\n\t\t\t\"command\""),
        "{new}"
    );
    assert!(!new.replace("\r\n", "").contains('\n'), "every line ends as before");
}

#[test]
fn comments_stay_where_they_are() {
    let old = "// mine\n{\n  \"mcpServers\": {\n    \"other\": {} // the other, {\"a\": 1}\n    /* nothing more */\n  }, // end\n}\n";
    let new = changed(old);
    assert!(new.starts_with("// mine\n"), "{new}");
    assert!(
        new.contains("\"other\": {}, // the other, {\"a\": 1}\n    \"agent-device\": {"),
        "the comma goes before the comment: {new}"
    );
    assert!(new.contains("/* nothing more */\n  }, // end\n}\n"), "{new}");
}

#[test]
fn a_list_that_ends_with_a_comma_still_does() {
    let new = changed("{\n    \"a\": 1,\n    \"mcpServers\": {\n        \"b\": {},\n    },\n}");
    assert!(new.contains("\"b\": {},\n        \"agent-device\": {"), "{new}");
    assert!(new.contains("\n        },\n    },\n}"), "{new}");
}

#[test]
fn one_line_and_an_inner_comment_are_understood() {
    changed("{\"a\": 1}");
    changed("{\"mcpServers\": {\"x\": {\"command\": \"y\"}}}");
    changed("\u{feff}{\"a\": [1, 2,], \"mcpServers\": {}}");
    let new = changed("{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n");
    assert!(new.contains("// none yet\n    \"agent-device\""), "{new}");
}

#[test]
fn an_entry_of_that_name_is_replaced_and_its_neighbours_are_not() {
    let old = "{ \"mcpServers\": { \"agent-device\": { \"command\": \"npx\" }, \"z\": 1.50 } }";
    let new = changed(old);
    assert!(new.ends_with("}, \"z\": 1.50 } }"), "{new}");
}

#[test]
fn what_is_no_object_is_not_touched() {
    for text in ["[]", "{\"mcpServers\": []}", "{\"mcpServers\": null}"] {
        assert_eq!(put(text, "mcpServers", "agent-device", &ours()).unwrap(), Changed::NoObject, "{text}");
    }
}

#[test]
fn a_problem_names_its_place() {
    for (text, told) in [
        ("{\n  \"a\" 1\n}", "line 2, column 7: a : is expected"),
        ("{\"a\": tru}", "line 1, column 7: a value is expected"),
        ("{\"a\": 1", "line 1, column 8: a , or } is expected"),
        ("{a: 1}", "line 1, column 2: a name in quotes or } is expected"),
        ("{} x", "line 1, column 4: nothing may follow the value"),
        ("/* open", "line 1, column 1: this comment does not end"),
        ("{\"a", "line 1, column 2: this string does not end, or has a bad escape"),
    ] {
        assert_eq!(value(text).unwrap_err().tell(text), told);
    }
    assert!(value(&"[".repeat(100_000)).is_err());
}

/// Whether `old` is `new` with something left out; the spaces at the end of an empty object may go.
fn is_kept_in(old: &str, new: &str) -> bool {
    let mut new = new.chars();
    old.chars().filter(|letter| !letter.is_whitespace()).all(|letter| new.any(|other| other == letter))
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z/*{}\\[\\],:\"\\\\é ]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"/ ]{1,6}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// What people put between two tokens.
fn gap(marks: &mut impl Iterator<Item = u8>) -> &'static str {
    match marks.next().unwrap_or(0) % 8 {
        0 | 1 => "",
        2 | 3 => " ",
        4 => "\n  ",
        5 => "\r\n\t",
        6 => " // \"a\": {, }\n",
        _ => "/* ] } , */",
    }
}

/// Writes a value as people do: with their own spaces, line ends, comments and commas.
fn written(value: &Value, marks: &mut impl Iterator<Item = u8>, out: &mut String) {
    let mut list = |open: char, close: char, items: Vec<(Option<&String>, &Value)>, out: &mut String| {
        out.push(open);
        out.push_str(gap(marks));
        let count = items.len();
        for (nth, (key, value)) in items.into_iter().enumerate() {
            if let Some(key) = key {
                out.push_str(&quoted(key));
                out.push_str(gap(marks));
                out.push(':');
                out.push_str(gap(marks));
            }
            written(value, marks, out);
            out.push_str(gap(marks));
            if nth + 1 < count || marks.next().unwrap_or(0) > 170 {
                out.push(',');
                out.push_str(gap(marks));
            }
        }
        out.push(close);
    };
    match value {
        Value::Object(members) => {
            list('{', '}', members.iter().map(|(key, value)| (Some(key), value)).collect(), out);
        }
        Value::Array(items) => list('[', ']', items.iter().map(|value| (None, value)).collect(), out),
        other => out.push_str(&other.to_string()),
    }
}

proptest! {
    #[test]
    fn whatever_stands_in_a_file_stays(
        value in any_value(),
        servers in prop::option::of(any_value()),
        marks in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut root = match value {
            Value::Object(root) => root,
            other => Map::from_iter([("a".to_owned(), other)]),
        };
        if let Some(Value::Object(servers)) = servers {
            root.insert("mcpServers".to_owned(), Value::Object(servers));
        }
        let mut text = String::new();
        written(&Value::Object(root), &mut marks.into_iter(), &mut text);
        let new = changed(&text);
        prop_assert!(is_kept_in(&text, &new), "{text}\n---\n{new}");
        prop_assert_eq!(changed(&new), new, "again changes nothing");
    }
}
