//! The key=value facts of one answer of the helper, in any order.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr,
};

use base64::{Engine, engine::general_purpose::STANDARD};

/// Name of the protocol; an answer that names another one is not ours to read.
pub const PROTOCOL: &str = "android-snapshot-helper-v1";

/// Facts by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    /// Notes one fact; a later one of the same key takes its place.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.insert(key.into(), value.into());
    }

    /// Goes on with the value of a key that was noted before: a value that spans lines.
    pub fn extend_line(&mut self, key: &str, line: &str) {
        if let Some(value) = self.0.get_mut(key) {
            value.push('\n');
            value.push_str(line);
        }
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// A whole number, or whatever else is written as text; `None` where it is absent or malformed.
    pub fn number<T: FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.trim().parse().ok()
    }

    /// `true` or `false`; `None` where it is absent or anything else.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.number(key)
    }

    /// A text that travels as base64 of UTF-8, since it may hold line breaks. A character that is not UTF-8 becomes
    /// U+FFFD: half of a surrogate pair in an app's text is no reason to fail.
    pub fn text(&self, key: &str) -> Option<String> {
        let bytes = STANDARD.decode(self.get(key)?.trim()).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The helper says that the command succeeded. An exit code proves nothing: a crash ends with code 0 as well.
    pub fn ok(&self) -> bool {
        self.flag("ok") == Some(true)
    }

    /// The name of another protocol, where the answer names one.
    pub fn foreign_protocol(&self) -> Option<&str> {
        self.get("agentDeviceProtocol").filter(|name| *name != PROTOCOL)
    }

    /// All of them.
    pub fn into_map(self) -> HashMap<String, String> {
        self.0.into_iter().collect()
    }

    /// No facts at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The helper's own account of a failure.
    pub fn error(&self) -> HelperError {
        HelperError {
            class: self.get("errorType").unwrap_or_default().to_owned(),
            message: self.get("message").unwrap_or("no reason given").to_owned(),
            began: self.flag("began"),
        }
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Fields {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

/// A failure in the helper's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperError {
    /// Java class name of the exception.
    pub class: String,
    /// Its message.
    pub message: String,
    /// Whether the app had been touched; `None` from a helper that does not say.
    pub began: Option<bool>,
}

impl HelperError {
    /// The class without its package and outer classes.
    pub fn simple(&self) -> &str {
        self.class.rsplit(['.', '$']).next().unwrap_or(&self.class)
    }
}

impl std::fmt::Display for HelperError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.simple() {
            "" => f.write_str(&self.message),
            simple => write!(f, "{} ({simple})", self.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_what_they_should_be() {
        let fields: Fields =
            [("ok", "true"), ("nodeCount", " 13 "), ("textBase64", "aMOpbGxv"), ("message", "a=b"), ("odd", "x")]
                .into_iter()
                .collect();
        assert!(fields.ok());
        assert_eq!(fields.number::<u32>("nodeCount"), Some(13));
        assert_eq!(fields.text("textBase64").as_deref(), Some("héllo"));
        assert_eq!(fields.get("message"), Some("a=b"));
        assert_eq!((fields.number::<u32>("odd"), fields.flag("odd"), fields.flag("absent")), (None, None, None));
    }

    #[test]
    fn a_failure_is_known_by_its_simple_class_name() {
        let class =
            "com.callstack.agentdevice.snapshothelper.AccessibilityCaptureStabilizer$IncompleteCaptureException";
        let error = HelperError { class: class.into(), message: "incomplete".into(), began: None };
        assert_eq!(error.simple(), "IncompleteCaptureException");
        assert_eq!(error.to_string(), "incomplete (IncompleteCaptureException)");
    }

    #[test]
    fn another_protocol_is_named_and_none_is_not() {
        assert_eq!(Fields::default().foreign_protocol(), None);
        let other: Fields = [("agentDeviceProtocol", "android-snapshot-helper-v9")].into_iter().collect();
        assert_eq!(other.foreign_protocol(), Some("android-snapshot-helper-v9"));
    }
}
