//! Placeholders, and whether an answer is as expected.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What placeholders stand for.
pub type Names = BTreeMap<String, Value>;

/// A value with its placeholders replaced.
///
/// # Errors
/// A placeholder that stands for nothing.
pub fn filled(value: &Value, names: &Names) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => filled_text(text, names)?,
        Value::Array(items) => items.iter().map(|item| filled(item, names)).collect::<Result<_, _>>()?,
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, field)| Ok((key.clone(), filled(field, names)?)))
                .collect::<Result<_, String>>()?,
        ),
        other => other.clone(),
    })
}

fn filled_text(text: &str, names: &Names) -> Result<Value, String> {
    let named = |name: &str| names.get(name).ok_or_else(|| format!("${{{name}}} stands for nothing"));
    let mut pieces = text.split("${");
    let mut whole = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once('}').ok_or_else(|| format!("a placeholder without an end in {text:?}"))?;
        let value = named(name)?;
        if whole.is_empty() && rest.is_empty() && text == format!("${{{name}}}") {
            return Ok(value.clone());
        }
        match value {
            Value::String(value) => whole.push_str(value),
            other => whole.push_str(&other.to_string()),
        }
        whole.push_str(rest);
    }
    Ok(Value::String(whole))
}

/// What of a failure is compared.
pub fn comparable(error: &Value) -> Value {
    let mut shown = json!({
        "code": error["code"],
        "message": error["message"],
        "details": error["details"],
    });
    let from = [
        ("hint", "/hint"),
        ("dispatched", "/details/dispatched"),
        ("row", "/details/dispatchRow"),
        ("dispatchedSteps", "/details/dispatchedSteps"),
    ];
    for (name, pointer) in from {
        if let Some(value) = error.pointer(pointer) {
            shown[name] = value.clone();
        }
    }
    shown
}

/// Where a value is not as expected; `None` where it fits. `got` is `None` for what is not there.
pub fn unfit(wanted: &Value, got: Option<&Value>, place: &str) -> Option<String> {
    if let Value::Object(fields) = wanted
        && let Some((rule, value)) = fields.iter().find(|(key, _)| key.starts_with('$'))
    {
        assert_eq!(fields.len(), 1, "{place}: {rule} stands alone");
        return unfit_rule(rule, value, got, place);
    }
    let Some(got) = got else { return Some(format!("{place} is not there")) };
    match (wanted, got) {
        (Value::Object(wanted), Value::Object(got)) => {
            wanted.iter().find_map(|(key, value)| unfit(value, got.get(key), &format!("{place}.{key}")))
        }
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            let both = wanted.iter().zip(got).zip(0..);
            both.into_iter().find_map(|((wanted, got), at)| unfit(wanted, Some(got), &format!("{place}[{at}]")))
        }
        (wanted, got) if same(wanted, got) => None,
        (wanted, got) => Some(format!("{place} is {got}, expected {wanted}")),
    }
}

fn same(wanted: &Value, got: &Value) -> bool {
    match (wanted.as_f64(), got.as_f64()) {
        (Some(wanted), Some(got)) => wanted == got,
        _ => wanted == got,
    }
}

fn unfit_rule(rule: &str, value: &Value, got: Option<&Value>, place: &str) -> Option<String> {
    let fits = match (rule, got) {
        ("$absent", got) => got.is_none(),
        ("$without", got) => {
            let text = value.as_str().unwrap_or_else(|| panic!("{place}: $without takes a text"));
            got.is_none_or(|got| !holds(got, text))
        }
        ("$some", Some(Value::Array(items))) => items.iter().any(|item| unfit(value, Some(item), place).is_none()),
        ("$length", Some(Value::Array(items))) => value.as_u64() == Some(items.len() as u64),
        ("$text", Some(Value::String(text))) => value.as_str().is_some_and(|part| text.contains(part)),
        ("$atLeast", Some(Value::Number(number))) => number.as_f64() >= value.as_f64(),
        ("$some" | "$length" | "$text" | "$atLeast", _) => false,
        (other, _) => panic!("{place}: there is no rule {other}"),
    };
    let shown = got.map_or_else(|| "not there".to_owned(), ToString::to_string);
    (!fits).then(|| format!("{place} is {shown}, expected {rule} {value}"))
}

fn holds(value: &Value, part: &str) -> bool {
    match value {
        Value::String(text) => text.contains(part),
        Value::Array(items) => items.iter().any(|item| holds(item, part)),
        Value::Object(fields) => fields.iter().any(|(key, field)| key.contains(part) || holds(field, part)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(wanted: Value, got: Value) -> bool {
        unfit(&wanted, Some(&got), "it").is_none()
    }

    #[test]
    fn a_pattern_fits_what_the_readme_says_and_nothing_else() {
        let right = [
            (json!({}), json!({"a": 1})),
            (json!({"a": {"b": 1.0}}), json!({"a": {"b": 1, "c": 2}})),
            (json!([1, {"$text": "b"}]), json!([1, "abc"])),
            (json!({"$some": {"a": 1}}), json!([{"a": 2}, {"a": 1, "b": 3}])),
            (json!({"$length": 0}), json!([])),
            (json!({"$atLeast": 2}), json!(2.0)),
            (json!({"a": {"$absent": true}, "b": {"$without": "x"}}), json!({})),
            (json!({"$without": "x"}), json!(["a", {"b": "c"}])),
            (json!(null), json!(null)),
        ];
        for (wanted, got) in right {
            assert!(fits(wanted.clone(), got.clone()), "{wanted} {got}");
        }
        let wrong = [
            (json!({}), json!([])),
            (json!({"a": 1}), json!({})),
            (json!({"a": null}), json!({})),
            (json!({"a": 1}), json!({"a": "1"})),
            (json!({"a": true}), json!({"a": 1})),
            (json!([1]), json!([1, 2])),
            (json!({"$some": 1}), json!([])),
            (json!({"$some": 1}), json!(1)),
            (json!({"$length": 1}), json!([])),
            (json!({"$text": "b"}), json!("a")),
            (json!({"$atLeast": 2}), json!(1)),
            (json!({"$atLeast": 2}), json!("3")),
            (json!({"a": {"$absent": true}}), json!({"a": null})),
            (json!({"$without": "x"}), json!({"a": ["an x"]})),
        ];
        for (wanted, got) in wrong {
            assert!(!fits(wanted.clone(), got.clone()), "{wanted} {got}");
        }
    }

    #[test]
    fn a_placeholder_that_is_all_of_a_string_keeps_its_type() {
        let names = Names::from([("x".to_owned(), json!(1.5)), ("name".to_owned(), json!("Ada"))]);
        let got = filled(&json!({"a": "${x}", "b": ["@${name}: ${x}"], "c": 3}), &names).unwrap();
        assert_eq!(got, json!({"a": 1.5, "b": ["@Ada: 1.5"], "c": 3}));
        assert!(filled(&json!("${nobody}"), &names).unwrap_err().contains("nobody"));
        assert!(filled(&json!("${x"), &names).is_err());
    }
}
