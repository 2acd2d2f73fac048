//! What a failure means, in words for somebody who has never seen one.

use std::sync::LazyLock;

use contract::Code;
use serde::Serialize;
use serde_json::Value;

/// The golden table: what each row stands for, as a person would say it.
const TABLE: &str = include_str!("../../../../contracts/fixtures/dispatch-disclosure.json");
static ROWS: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(TABLE).unwrap_or_default());

/// Details that have a place of their own on the page.
const TOLD: [&str; 7] = ["dispatched", "dispatchRow", "dispatchedSteps", "readiness", "polls", "reason", "divergence"];
/// More items of one list are counted, not shown.
const ITEMS: usize = 20;
/// Details that are deeper are shown as JSON.
const DEEPEST: usize = 3;

/// What a run's advice says of a step of which nothing was sent.
pub const UNSENT: &str = "nothing of this step reached the device";
/// What it says of one that may have been sent.
pub const PERHAPS_SENT: &str = "this step may have reached the device";

/// A failure, explained.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explained {
    /// `ELEMENT_NOT_FOUND`.
    pub code: String,
    /// What the code stands for.
    pub meaning: String,
    /// What happened, as the command said it.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// `no`, `unknown`, or empty where the failure does not say.
    pub dispatched: String,
    /// What that means.
    pub reached: String,
    /// What that means for another try.
    pub again: String,
    /// The row of the golden table that it rests on.
    pub row: String,
    /// What the row stands for.
    pub row_meaning: String,
    /// How it was waited for; empty where it was not.
    pub waited: String,
    /// Whether it is a script's word on a step that failed: what else was on the screen, and how to go on.
    pub diverged: bool,
    /// Other details: name and value.
    pub facts: Vec<(String, String)>,
    /// Other details that are lists: name and items.
    pub lists: Vec<(String, Vec<String>)>,
}

impl Explained {
    /// Of a failure as `--json` shows failures.
    pub fn of(failure: &Value) -> Self {
        // Some records hold the whole envelope.
        let failure = failure.get("error").unwrap_or(failure);
        let text = |name: &str| failure.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let details = failure.get("details").unwrap_or(&Value::Null);
        let detail = |name: &str| details.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let code = text("code");
        let (dispatched, row) = (detail("dispatched"), detail("dispatchRow"));
        let sent = details.get("dispatchedSteps").and_then(Value::as_u64);
        let (reached, again) = reach(&dispatched, sent);
        let mut explained = Self {
            meaning: meaning(&code),
            code,
            message: sentence(&text("message")),
            hint: advised(&text("hint")),
            reached,
            again,
            row_meaning: row_meaning(&row),
            row,
            dispatched,
            waited: details.get("readiness").map(waited).unwrap_or_default(),
            ..Self::default()
        };
        if let Value::Object(details) = details {
            for (name, value) in details.iter().filter(|(name, _)| !TOLD.contains(&name.as_str())) {
                explained.take(&spaced(name), value, 0);
            }
            if let Some(divergence) = details.get("divergence") {
                explained.diverge(divergence);
            }
        }
        explained
    }

    /// A step of a script failed: its own failure is what a reader looks for, and what the script adds to it.
    fn diverge(&mut self, divergence: &Value) {
        let of = |part: &str, name: &str| divergence.get(part).and_then(|part| part.get(name));
        let text = |part: &str, name: &str| of(part, name).and_then(Value::as_str).map(ToOwned::to_owned);
        self.diverged = true;
        if let Some(message) = text("cause", "message") {
            self.message = sentence(&message);
        }
        if let Some(code) = text("cause", "code") {
            self.meaning = meaning(&code);
            self.facts.push(("reported as".to_owned(), std::mem::replace(&mut self.code, code)));
        }
        // Of the whole run it may be another: earlier steps did reach the device.
        if let Some(dispatched) = text("step", "dispatched") {
            let whole = std::mem::replace(&mut self.dispatched, dispatched);
            if whole != self.dispatched && !whole.is_empty() {
                self.facts.push(("dispatched, of the whole run".to_owned(), whole));
            }
            (self.reached, self.again) = reach(&self.dispatched, None);
        }
        let lists = [("perhaps meant", divergence.get("suggestions")), ("on the screen", of("screen", "refs"))];
        for (name, list) in lists {
            self.take(name, list.unwrap_or(&Value::Null), DEEPEST);
        }
        self.take("kind", divergence.get("kind").unwrap_or(&Value::Null), DEEPEST);
        if let Some(Value::Object(resume)) = divergence.get("resume") {
            for (name, value) in resume {
                self.take(&format!("going on: {}", spaced(name)), value, DEEPEST);
            }
        }
    }

    /// Where only a sentence is known.
    pub fn said(message: &str) -> Self {
        let (reached, again) = reach("", None);
        Self { message: sentence(message), reached, again, ..Self::default() }
    }

    fn take(&mut self, name: &str, value: &Value, depth: usize) {
        match value {
            Value::Null => {}
            Value::Array(items) if items.is_empty() => {}
            Value::Array(items) => {
                let mut shown: Vec<String> = items.iter().take(ITEMS).map(item).collect();
                if items.len() > ITEMS {
                    shown.push(format!("and {} more", items.len() - ITEMS));
                }
                self.lists.push((name.to_owned(), shown));
            }
            Value::Object(inner) if depth < DEEPEST && !is_element(value) => {
                for (key, value) in inner {
                    self.take(&format!("{name}: {}", spaced(key)), value, depth + 1);
                }
            }
            value => self.facts.push((name.to_owned(), item(value))),
        }
    }
}

/// Advice without what has a place of its own on the page: whether the step was sent, and the screen.
fn advised(hint: &str) -> String {
    let told =
        |line: &str| [UNSENT, PERHAPS_SENT].iter().any(|said| line.starts_with(said)) && !line.contains("--from");
    let lines: Vec<&str> = hint.lines().filter(|line| !told(line)).collect();
    lines.join("\n")
}

fn reach(dispatched: &str, sent: Option<u64>) -> (String, String) {
    let sent = match sent {
        Some(1) => " One input of this step had been sent completely before it failed.".to_owned(),
        Some(count) if count > 1 => format!(" {count} inputs of this step had been sent completely before it failed."),
        _ => String::new(),
    };
    let (reached, again) = match dispatched {
        "no" => {
            ("Nothing of this step reached the device.", "It is safe to try this step again: nothing can happen twice.")
        }
        "unknown" => (
            "This step may have reached the device.",
            "Look at the screen before you try again: a second try could do the same thing twice.",
        ),
        _ => (
            "The failure does not say whether anything reached the device.",
            "Look at the screen before you try again: a second try could do the same thing twice.",
        ),
    };
    (format!("{reached}{sent}"), again.to_owned())
}

fn meaning(code: &str) -> String {
    let known = Code::ALL.iter().find(|known| known.as_str() == code);
    known.map(|known| known.meaning().to_owned()).unwrap_or_default()
}

fn row_meaning(id: &str) -> String {
    let rows = ROWS.as_array().map(Vec::as_slice).unwrap_or_default();
    let row = rows.iter().find(|row| row.get("id").and_then(Value::as_str) == Some(id));
    row.and_then(|row| row.get("trigger")).and_then(Value::as_str).map(sentence).unwrap_or_default()
}

/// Of `details.readiness`.
fn waited(readiness: &Value) -> String {
    let number = |name: &str| readiness.get(name).and_then(Value::as_u64);
    let looks = match number("polls") {
        Some(1) => "The screen was looked at once".to_owned(),
        Some(count) => format!("The screen was looked at {count} times"),
        None => "The target was waited for".to_owned(),
    };
    let time = number("waitedMs").map(|ms| format!(" in {}", seconds(ms))).unwrap_or_default();
    let end = match readiness.get("end").and_then(Value::as_str) {
        Some("expired") => "; the target never appeared.",
        Some("stalled") => "; the last look did not come back in time.",
        Some("sparse") => "; then the screen came back without content.",
        _ => ".",
    };
    format!("{looks}{time}{end}")
}

fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

/// Whether something is an element of a screen, or what is suggested instead of one: it is shown on one line.
fn is_element(value: &Value) -> bool {
    ["role", "selector", "ref"].iter().any(|name| value.get(name).is_some())
}

/// One line.
fn item(value: &Value) -> String {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    match value {
        Value::String(text) => text.clone(),
        Value::Object(all) if is_element(value) => {
            let mut words = Vec::new();
            words.extend(text("selector").map(ToOwned::to_owned));
            words.extend(text("ref").map(|reference| format!("@{}", reference.trim_start_matches('@'))));
            words.extend(text("role").map(|role| format!("[{role}]")));
            words.extend(text("label").map(|label| format!("\u{201c}{label}\u{201d}")));
            for (name, value) in all {
                if !["selector", "ref", "role", "label"].contains(&name.as_str()) && !value.is_null() {
                    words.push(match name.as_str() {
                        "basis" => format!("({})", spaced(&item(value))),
                        name => format!("{} {}", spaced(name), item(value)),
                    });
                }
            }
            words.join(" ")
        }
        value => value.to_string(),
    }
}

/// `coveredBy` as `covered by`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words.trim().replace(['_', '-'], " ")
}

/// With a capital letter and a full stop, unless it begins or ends with something that is no word of ours.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let word = text.split(' ').next().unwrap_or_default();
    let plain = word.chars().all(|letter| letter.is_lowercase() || ",;:".contains(letter));
    let begun = if plain { first.to_uppercase().chain(letters).collect() } else { text.to_owned() };
    if begun.ends_with(['.', '!', '?', ':', '\u{2026}']) { begun } else { format!("{begun}.") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn absent() -> Value {
        json!({
            "code": "ELEMENT_NOT_FOUND",
            "message": "nothing on the screen matches label=Save",
            "hint": "look at the screen: agent-device snapshot -i",
            "retriable": false,
            "details": {
                "dispatched": "no", "dispatchRow": "daemon.readiness.expired", "reason": "selector_not_found",
                "readiness": {"polls": 11, "waitedMs": 2004, "end": "expired"},
                "selector": "label=Save", "near": ["[button] \"Store\""], "nodes": 13,
            },
        })
    }

    #[test]
    fn a_failure_is_told_in_words() {
        let told = Explained::of(&absent());
        assert_eq!(told.message, "Nothing on the screen matches label=Save.");
        assert_eq!(told.meaning, "Nothing on the screen matches.");
        assert_eq!(told.reached, "Nothing of this step reached the device.");
        assert!(told.again.starts_with("It is safe to try this step again"));
        assert_eq!(told.row_meaning, "The target stays absent for the whole readiness budget.");
        assert_eq!(told.waited, "The screen was looked at 11 times in 2.0 s; the target never appeared.");
        assert_eq!(told.lists, [("near".to_owned(), vec!["[button] \"Store\"".to_owned()])]);
        let facts = [("nodes", "13"), ("selector", "label=Save")];
        assert_eq!(told.facts, facts.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn advice_does_not_repeat_what_the_page_says_elsewhere() {
        for (hint, shown) in [
            (
                "close the banner first\nnothing of this step reached the device; see the trace",
                "close the banner first",
            ),
            ("this step may have reached the device", ""),
            (
                "nothing of this step reached the device; go on: --from 3",
                "nothing of this step reached the device; go on: --from 3",
            ),
        ] {
            assert_eq!(Explained::of(&json!({"hint": hint})).hint, shown);
        }
    }

    #[test]
    fn what_may_have_happened_asks_for_a_look_first() {
        let lost = json!({"code": "SESSION_LOST", "message": "gone", "details": {"dispatched": "unknown", "dispatchedSteps": 2}});
        let told = Explained::of(&lost);
        assert_eq!(
            told.reached,
            "This step may have reached the device. 2 inputs of this step had been sent completely before it failed."
        );
        assert!(told.again.starts_with("Look at the screen before you try again"));
        assert_eq!(Explained::of(&json!({"error": lost})), told);
    }

    #[test]
    fn what_is_unknown_of_a_failure_is_not_made_up() {
        for odd in [json!(null), json!("text"), json!({"code": 7, "details": []}), json!([])] {
            let told = Explained::of(&odd);
            assert_eq!((told.dispatched.as_str(), told.meaning.as_str(), told.row.as_str()), ("", "", ""), "{odd}");
            assert!(told.reached.starts_with("The failure does not say"));
        }
        assert_eq!(Explained::said("it broke").message, "It broke.");
    }

    #[test]
    fn a_divergence_is_told_as_the_failure_of_its_step() {
        let told = Explained::of(&json!({
            "code": "REPLAY_DIVERGENCE", "message": "step 2 of 3 (a.ad:4): nothing on the screen matches id=save",
            "hint": "perhaps [button] \"Store\" is meant: id=store",
            "details": {"dispatched": "unknown", "dispatchedSteps": 1, "divergence": {
                "kind": "selector-miss",
                "step": {"index": 2, "dispatched": "no"},
                "cause": {"code": "ELEMENT_NOT_FOUND", "message": "nothing on the screen matches id=save"},
                "screen": {"state": "read", "refs": [{"ref": "e4", "role": "button", "label": "Store"}]},
                "suggestions": [{"selector": "id=store", "role": "button", "label": "Store", "basis": "id"}],
                "resume": {"allowed": true, "from": 2, "alternateFrom": null},
            }},
        }));
        assert!(told.diverged);
        assert_eq!((told.code.as_str(), told.dispatched.as_str()), ("ELEMENT_NOT_FOUND", "no"));
        assert_eq!(told.message, "Nothing on the screen matches id=save.");
        assert_eq!(told.reached, "Nothing of this step reached the device.");
        let lists = [("perhaps meant", "id=store [button] “Store” (id)"), ("on the screen", "@e4 [button] “Store”")];
        assert_eq!(told.lists, lists.map(|(name, item)| (name.to_owned(), vec![item.to_owned()])));
        for (name, value) in
            [("reported as", "REPLAY_DIVERGENCE"), ("dispatched, of the whole run", "unknown"), ("going on: from", "2")]
        {
            assert!(told.facts.contains(&(name.to_owned(), value.to_owned())), "{name}: {:?}", told.facts);
        }
    }

    #[test]
    fn nested_details_become_lines() {
        let told = Explained::of(
            &json!({"details": {"hit": {"role": "region", "label": "Offer"}, "page": {"scroll": {"y": 4}}}}),
        );
        let facts = [("hit", "[region] “Offer”"), ("page: scroll: y", "4")];
        assert_eq!(told.facts, facts.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn every_code_and_every_row_has_words() {
        assert!(Code::ALL.iter().all(|code| !meaning(code.as_str()).is_empty()));
        let rows = ROWS.as_array().unwrap();
        assert!(rows.len() > 100);
        assert!(rows.iter().all(|row| !row_meaning(row["id"].as_str().unwrap()).is_empty()));
    }
}
