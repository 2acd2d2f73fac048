//! `open`: start an app or go to an address.

use std::str::FromStr;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Spec, spec::SessionNeed};

/// Open an app or a web address, in this session
#[derive(Debug, Clone, PartialEq, Default, Args, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Open {
    /// A web address (http://...), a stage app (demo, ./app.toml), or nothing for the demo app
    #[arg(value_name = "APP_OR_URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// Start it anew even if it is open
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub relaunch: bool,
    /// Which browser [default: chrome]
    #[arg(long, value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<Browser>,
    /// Show the browser's window
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub headed: bool,
    /// Emulate a phone: width x height in CSS px, @ pixel ratio
    #[arg(long, value_name = "WxH@RATIO")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile: Option<MobileSize>,
    /// Use this WebDriver server instead of starting one
    #[arg(long, value_name = "URL", env = "AGENT_DEVICE_WEBDRIVER_URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_url: Option<String>,
    /// Capabilities for the WebDriver server, added to our own: a JSON object, or @FILE with one in it
    #[arg(long, value_name = "JSON|@FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Wanted>,
    /// How long a page may take to load, ms [default: 30000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(100..=600_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_timeout_ms: Option<u64>,
    /// Record the steps of this session as a script; `close` writes it [default: NAME-TIME.ad in the current folder]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub save_script: Option<String>,
    /// Let the script replace a file that is there
    #[arg(long, requires = "save_script")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub force: bool,
}

/// A browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Browser {
    /// Chromium or Chrome, through chromedriver.
    Chrome,
    /// Firefox, through geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser, through WebKitWebDriver.
    Webkit,
}

impl std::fmt::Display for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Browser::Chrome => "chrome",
            Browser::Firefox => "firefox",
            Browser::Webkit => "webkit",
        })
    }
}

/// The screen of an emulated phone, written `390x844@3`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct MobileSize {
    /// Width, CSS px.
    pub width: u32,
    /// Height, CSS px.
    pub height: u32,
    /// Device pixels to a CSS px.
    pub ratio: f64,
}

impl FromStr for MobileSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || format!("{text:?} is no screen size: write WIDTHxHEIGHT@RATIO, such as 390x844@3");
        let (size, ratio) = text.split_once('@').unwrap_or((text, "1"));
        let (width, height) = size.split_once('x').ok_or_else(malformed)?;
        let size = MobileSize {
            width: width.parse().map_err(|_| malformed())?,
            height: height.parse().map_err(|_| malformed())?,
            ratio: ratio.parse().map_err(|_| malformed())?,
        };
        let sane = (50..=10_000).contains(&size.width)
            && (50..=10_000).contains(&size.height)
            && (0.5..=10.0).contains(&size.ratio);
        sane.then_some(size).ok_or_else(|| format!("{text:?}: each side 50 to 10000 px, the ratio 0.5 to 10"))
    }
}

impl TryFrom<String> for MobileSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<MobileSize> for String {
    fn from(size: MobileSize) -> String {
        format!("{}x{}@{}", size.width, size.height, size.ratio)
    }
}

/// Capabilities that a caller wants of a new session, beside those that are always asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Value", into = "Value")]
#[schemars(with = "Map<String, Value>")]
pub enum Wanted {
    /// Capabilities by their names.
    These(Map<String, Value>),
    /// A file that holds them. Only whoever knows the caller's folder can read it.
    In(String),
}

/// What W3C requests wrap capabilities in (WebDriver, 7.2), and what JSON Wire requests did.
const WRAPPERS: &[&str] = &["capabilities", "alwaysMatch", "firstMatch", "desiredCapabilities", "requiredCapabilities"];

impl Wanted {
    /// The object in a text.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|why| format!("this is no JSON: {why}"))?;
        match value {
            Value::Object(map) => Self::checked(map),
            other => Err(format!("this is no JSON object: {}", kind(&other))),
        }
    }

    fn checked(map: Map<String, Value>) -> Result<Self, String> {
        if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| map.contains_key(**wrapper)) {
            return Err(format!(
                r#"leave {wrapper:?} out and write what is in it: {{"appium:automationName": "..."}}"#
            ));
        }
        if map.contains_key("unhandledPromptBehavior") {
            return Err("unhandledPromptBehavior stays \"ignore\": dialogs are the caller's to answer".to_owned());
        }
        Ok(Self::These(map))
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().strip_prefix('@') {
            Some("") => Err("@ needs the name of a file after it".to_owned()),
            Some(file) => Ok(Self::In(file.to_owned())),
            None => Self::read(text),
        }
    }
}

impl TryFrom<Value> for Wanted {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value {
            Value::Object(map) => Self::checked(map),
            Value::String(text) => text.parse(),
            other => Err(format!("capabilities are a JSON object, not {}", kind(&other))),
        }
    }
}

impl From<Wanted> for Value {
    fn from(wanted: Wanted) -> Value {
        match wanted {
            Wanted::These(map) => Value::Object(map),
            Wanted::In(file) => Value::String(format!("@{file}")),
        }
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Open {
    pub(super) const SPEC: Spec = Spec {
        aliases: &["launch", "goto"],
        session: SessionNeed::Opens,
        timeout_ms: 90_000,
        ..Spec::mutates("open", &[])
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_are_an_object_or_a_file_and_the_rest_is_refused_with_a_reason() {
        let these = |text: &str| match text.parse() {
            Ok(Wanted::These(map)) => map,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(these(r#" {"appium:automationName": "Chromium"} "#)["appium:automationName"], "Chromium");
        assert_eq!("@caps.json".parse(), Ok(Wanted::In("caps.json".into())));
        for (bad, why) in [
            ("{", "no JSON"),
            ("[1]", "a list"),
            ("", "no JSON"),
            ("@", "name of a file"),
            (r#"{"alwaysMatch": {}}"#, "leave \"alwaysMatch\" out"),
            (r#"{"unhandledPromptBehavior": "accept"}"#, "dialogs"),
        ] {
            let said = bad.parse::<Wanted>().unwrap_err();
            assert!(said.contains(why), "{bad}: {said}");
        }
    }

    #[test]
    fn capabilities_go_over_the_wire_as_they_are_written() {
        for open in [r#"{"capabilities":{"a":[1,{"b":null}]}}"#, r#"{"capabilities":"@caps.json"}"#] {
            let read: Open = serde_json::from_str(open).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), open);
        }
        let text: Open = serde_json::from_str(r#"{"capabilities":"{\"a\":1}"}"#).unwrap();
        assert_eq!(serde_json::to_string(&text).unwrap(), r#"{"capabilities":{"a":1}}"#);
        assert!(serde_json::from_str::<Open>(r#"{"capabilities":3}"#).is_err());
    }
}
