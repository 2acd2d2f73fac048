//! What each command answers when it works: the type of `data`.
//!
//! | module | answers of |
//! | --- | --- |
//! | [`acted`] | press, fill, scroll and every other input |
//! | [`looked`] | snapshot, diff, get, is, find, wait, screenshot |
//! | [`system`] | alert, keyboard, clipboard, settings, windows, files |
//! | [`evidence`] | logs, perf, record, trace |
//! | [`fleet`] | apps, install, push, pull, boot, pair |
//! | [`host`] | open, close, devices, doctor, session, daemon, events |
//! | [`schema`] | types as JSON Schema |
//!
//! Debug builds hold every answer against its type where `AGENT_DEVICE_AUDIT` is set ([`misfit`]): a run of the tests in
//! which an answer and its type differ fails.

pub mod acted;
pub mod evidence;
pub mod fleet;
pub mod host;
pub mod looked;
pub mod schema;
pub mod system;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use schema::{schema_of, written_schema_of};

/// What any answer of a session may say beside its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Noted {
    /// What happened on the device meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The variable that stands in the recorded script for what was typed into a field that hides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_as: Option<String>,
}

macro_rules! answers {
    (steps: { $( $variant:ident: $step:literal => $type:ty, )* } alone: { $( $name:literal => $other:ty, )* }) => {
        /// What a step of a batch answered, by its command.
        #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "command", content = "data")]
        pub enum StepAnswer {
            $( #[allow(missing_docs, reason = "the command's own answer")] #[serde(rename = $step)] $variant(Box<$type>), )*
        }

        /// The JSON Schema of what a command answers.
        pub fn schema(command: &str) -> Option<Value> {
            match command {
                $( $step => Some(written_schema_of::<$type>()), )*
                $( $name => Some(written_schema_of::<$other>()), )*
                _ => None,
            }
        }

        /// Where an answer and its command's type differ, unknown fields included; `None` where it fits.
        pub fn misfit(command: &str, data: &Value) -> Option<String> {
            match command {
                $( $step => differs::<$type>(data), )*
                $( $name => differs::<$other>(data), )*
                _ => Some(format!("{command} has no type")),
            }
        }
    };
}

answers! {
    steps: {
        Devices: "devices" => host::Devices,
        Capabilities: "capabilities" => host::CapabilitiesOf,
        Doctor: "doctor" => host::Healthy,
        Open: "open" => host::Opened,
        Close: "close" => host::Close,
        Snapshot: "snapshot" => looked::Snapshot,
        Diff: "diff" => looked::Difference,
        Screenshot: "screenshot" => looked::Pictured,
        Press: "press" => acted::Pressed,
        Longpress: "longpress" => acted::Pressed,
        Hover: "hover" => acted::Pressed,
        Focus: "focus" => acted::Pressed,
        Fill: "fill" => acted::Filled,
        Type: "type" => acted::Typed,
        Scroll: "scroll" => acted::Scrolled,
        Swipe: "swipe" => acted::Swiped,
        Gesture: "gesture" => acted::Gestured,
        Get: "get" => looked::Read,
        Is: "is" => looked::Holds,
        Find: "find" => looked::Found,
        Wait: "wait" => looked::Waited,
        Back: "back" => acted::Acted,
        Home: "home" => acted::Acted,
        AppSwitcher: "app-switcher" => acted::Acted,
        Orientation: "orientation" => system::Turned,
        Viewport: "viewport" => acted::Resized,
        Alert: "alert" => system::Alerted,
        Keyboard: "keyboard" => system::Keyboard,
        Clipboard: "clipboard" => system::Clipboard,
        Settings: "settings" => system::SettingChanged,
        Appstate: "appstate" => system::InFront,
        Logs: "logs" => evidence::Logs,
        Perf: "perf" => evidence::Measured,
        Record: "record" => evidence::Filmed,
        Upload: "upload" => system::Uploaded,
        Downloads: "downloads" => system::Downloaded,
        Windows: "windows" => system::Windows,
        Apps: "apps" => fleet::Apps,
        Install: "install" => fleet::InstalledOn,
        Reinstall: "reinstall" => fleet::InstalledOn,
        Push: "push" => fleet::Pushed,
        Pull: "pull" => fleet::Pulled,
        Boot: "boot" => fleet::Booted,
        Shutdown: "shutdown" => fleet::ShutDown,
        Events: "events" => host::Events,
    }
    alone: {
        "pair" => fleet::Pairing,
        "trace" => evidence::Traced,
        "session" => host::Session,
        "daemon" => host::Daemon,
        "batch" => Batched,
    }
}

/// What `batch` answers: every step worked. Where one does not, that is its failure, with what the steps before answered
/// in `details.results`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Batched {
    /// One per step.
    pub steps: Vec<BatchedStep>,
    /// How many there were.
    pub completed: u64,
    /// Beside it.
    #[serde(flatten)]
    pub noted: Noted,
}

/// One step of a batch.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct BatchedStep {
    /// Which, from 1.
    pub step: u64,
    /// What it answered.
    #[serde(flatten)]
    pub answer: StepAnswer,
}

/// A value that is read as a type and written again is the same value.
fn differs<T: DeserializeOwned + Serialize>(data: &Value) -> Option<String> {
    match T::deserialize(data).map(|read| serde_json::to_value(read)) {
        Err(why) => Some(why.to_string()),
        Ok(Err(why)) => Some(why.to_string()),
        Ok(Ok(again)) => difference(data, &again, &mut String::from("data")),
    }
}

/// The first place where two values differ.
fn difference(said: &Value, typed: &Value, place: &mut String) -> Option<String> {
    let at = |place: &str, key: &str| format!("{place}.{key}");
    match (said, typed) {
        (Value::Object(said), Value::Object(typed)) => {
            for (key, value) in said {
                let found = match typed.get(key) {
                    None => Some(format!("{} is in no type", at(place, key))),
                    Some(typed) => difference(value, typed, &mut at(place, key)),
                };
                if found.is_some() {
                    return found;
                }
            }
            let more = typed.keys().find(|key| !said.contains_key(*key))?;
            Some(format!("{} is not said", at(place, more)))
        }
        (Value::Array(said), Value::Array(typed)) if said.len() == typed.len() => said
            .iter()
            .zip(typed)
            .zip(0..)
            .find_map(|((said, typed), number)| difference(said, typed, &mut format!("{place}[{number}]"))),
        (said, typed) if said == typed => None,
        (said, typed) => Some(format!("{place} is {said}, typed {typed}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::command::SPECS;

    #[test]
    fn every_command_has_an_answer_and_every_step_of_a_batch_is_one() {
        let batch = schema("batch").unwrap().to_string();
        for spec in SPECS {
            let own = schema(spec.name).unwrap_or_else(|| panic!("{} has no type", spec.name));
            assert_eq!(own["$schema"], "https://json-schema.org/draft/2020-12/schema");
            let tagged = batch.contains(&format!("\"const\":\"{}\"", spec.name));
            assert_eq!(tagged, spec.batchable, "{}", spec.name);
        }
        assert!(schema("no-such-command").is_none());
    }

    #[test]
    fn an_answer_that_says_more_less_or_something_else_than_its_type_is_found() {
        let right = json!({"session": "a", "closed": true});
        assert_eq!(misfit("close", &right), None);
        assert_eq!(misfit("close", &json!({"closed": ["a", "b"]})), None);
        let more = json!({"session": "a", "closed": true, "extra": 1});
        assert_eq!(misfit("close", &more).unwrap(), "data.extra is in no type");
        assert!(misfit("close", &json!({"session": "a"})).is_some());
        assert!(misfit("close", &json!({"session": 5, "closed": true})).is_some());
        let null = json!({"session": "a", "closed": true, "script": null});
        assert_eq!(misfit("close", &null).unwrap(), "data.script is in no type");
        let step = json!({"steps": [{"step": 1, "command": "close", "data": more}], "completed": 1});
        assert_eq!(misfit("batch", &step).unwrap(), "data.steps[0].data.extra is in no type");
        assert!(misfit("no-such-command", &right).is_some());
    }

    #[test]
    fn what_may_be_absent_is_never_null_in_a_schema() {
        for spec in SPECS {
            let text = schema(spec.name).unwrap().to_string();
            // The cursor of a timeline without events.
            let nulls = usize::from(["batch", "events"].contains(&spec.name));
            assert_eq!(text.matches("\"null\"").count(), nulls, "{}", spec.name);
        }
    }
}
