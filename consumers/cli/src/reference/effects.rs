//! What a command does where that depends on an argument, as rules that a client in any language can follow.
//!
//! The first rule that fits decides; where none does, the command's `effect`. An argument that is left out counts as `null`.
//!
//! | rule | fits where |
//! | --- | --- |
//! | `{"argument": A, "is": [..], "effect": E}` | the argument is one of these values |
//! | `{"argument": A, "everyStep": true, "effect": E}` | it is a list with at least one step, and each step has that effect; one that is a line of text has not |

use clap::ValueEnum;
use contract::{
    Command, Effect,
    command::{AlertAction, FindAction, KeyboardAction, SessionAction},
};
use serde::Serialize;
use serde_json::{Value, json};

/// The word for it in the documents and the catalogue.
pub const fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Observes => "observes",
        Effect::Mutates => "mutates",
        Effect::Manages => "manages",
    }
}

/// The rules of a command; none for most.
pub fn of(name: &str) -> Vec<Value> {
    match name {
        "find" => by(|action: FindAction| action.effect()),
        "alert" => by(|action: AlertAction| action.effect()),
        "keyboard" => by(|action: KeyboardAction| action.effect()),
        "session" => by(|action: SessionAction| action.effect()),
        "clipboard" => {
            grouped("action", ["read", "write x"].map(|words| said(&format!("clipboard {words}"), "action")))
        }
        "windows" => grouped("close", [said("windows", "close")]),
        "batch" => vec![json!({"argument": "steps", "everyStep": true, "effect": word(Effect::Observes)})],
        _ => Vec::new(),
    }
}

/// The rules of an argument `action` of so many words.
fn by<T: ValueEnum + Serialize>(effect: impl Fn(T) -> Effect) -> Vec<Value> {
    let values = T::value_variants().iter().filter_map(|action| {
        let value = serde_json::to_value(action).ok()?;
        Some((value, effect(action.clone())))
    });
    grouped("action", values)
}

/// The value of an argument of this command line, and what the command does with it.
fn said(line: &str, argument: &str) -> (Value, Effect) {
    let command = Command::from_line(line);
    command.map_or((Value::Null, Effect::Mutates), |command| {
        (command.to_args().get(argument).cloned().unwrap_or_default(), command.effect())
    })
}

/// One rule for each effect, with all values that have it.
fn grouped(argument: &str, values: impl IntoIterator<Item = (Value, Effect)>) -> Vec<Value> {
    let mut rules: Vec<(Effect, Vec<Value>)> = Vec::new();
    for (value, effect) in values {
        match rules.iter_mut().find(|(known, _)| *known == effect) {
            Some((_, values)) => values.push(value),
            None => rules.push((effect, vec![value])),
        }
    }
    let rule = |(effect, values)| json!({"argument": argument, "is": values, "effect": word(effect)});
    rules.into_iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use contract::command::SPECS;

    use super::*;

    /// What a client makes of the rules.
    fn followed(name: &str, args: &Value) -> String {
        let spec = SPECS.iter().find(|spec| spec.name == name).unwrap();
        let fits = |rule: &Value| {
            let argument = args.get(rule["argument"].as_str().unwrap()).cloned().unwrap_or_default();
            if rule["everyStep"] == true {
                let steps = argument.as_array().cloned().unwrap_or_default();
                let does = |step: &Value| {
                    let named = step["command"].as_str()?;
                    Some(followed(named, &step["args"]))
                };
                return !steps.is_empty() && steps.iter().all(|step| does(step).as_deref() == rule["effect"].as_str());
            }
            rule["is"].as_array().unwrap().contains(&argument)
        };
        let rule = of(name).into_iter().find(fits);
        rule.map_or(word(spec.effect).to_owned(), |rule| rule["effect"].as_str().unwrap().to_owned())
    }

    #[test]
    fn the_rules_say_what_the_program_does() {
        for line in [
            "find text x exists",
            "find text x click",
            "find text x fill y",
            "find text x get-text",
            "alert get",
            "alert accept",
            "keyboard status",
            "keyboard enter",
            "clipboard read",
            "clipboard write x",
            "windows",
            "windows --switch 1",
            "windows --close 1",
            "session list",
            "session save-script",
            "press id=a",
            "snapshot",
            "boot",
        ] {
            let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
            assert_eq!(followed(command.spec().name, &command.to_args()), word(command.effect()), "{line}");
        }
        for (steps, effect) in [
            (json!([{"command": "get", "args": {"what": "text", "target": {"ref": "@e1"}}}]), "observes"),
            (json!([{"command": "find", "args": {"action": "click"}}, {"command": "snapshot", "args": {}}]), "mutates"),
            (json!(["snapshot"]), "mutates"),
            (json!([]), "mutates"),
        ] {
            assert_eq!(followed("batch", &json!({"steps": steps})), effect, "{steps}");
        }
    }

    #[test]
    fn a_command_whose_effect_varies_has_rules() {
        // The most that each does is its own effect, so that a client that knows no rules is on the safe side.
        for spec in SPECS {
            for rule in of(spec.name) {
                let weaker = rule["effect"] != word(Effect::Mutates) || spec.effect == Effect::Mutates;
                assert!(weaker, "{}: {rule}", spec.name);
            }
        }
    }
}
