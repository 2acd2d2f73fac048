//! Judging what a driver answers.

use contract::{Code, Failure, Row};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use wire::{Answered, http::Reply};

use crate::routes::{Route, meaning};

/// The key under which the W3C protocol hands elements over.
pub const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

#[derive(Deserialize)]
struct Success<T> {
    value: T,
}

#[derive(Deserialize)]
struct Refused {
    value: W3cError,
}

#[derive(Deserialize)]
struct W3cError {
    error: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Value,
}

/// What a script of [`Ask`] returned.
pub enum Returned {
    /// No agent in this document.
    Null,
    /// Text; empty for "another document".
    Text(String),
    /// Anything with elements in it.
    List(Vec<Value>),
}

impl<'de> Deserialize<'de> for Returned {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Returned;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("null, a text or a list")
            }

            fn visit_unit<E>(self) -> Result<Returned, E> {
                Ok(Returned::Null)
            }

            fn visit_str<E>(self, text: &str) -> Result<Returned, E> {
                Ok(Returned::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Returned, E> {
                Ok(Returned::Text(text))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Returned, A::Error> {
                let mut list = Vec::new();
                while let Some(one) = seq.next_element()? {
                    list.push(one);
                }
                Ok(Returned::List(list))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What a script returned, not empty.
#[derive(Debug)]
pub enum Heard {
    /// JSON of the agent's.
    Text(String),
    /// A list with elements in it.
    List(Vec<Value>),
}

impl Heard {
    /// The answers of the agent's calls.
    ///
    /// # Errors
    /// `CAPTURE_FAILED` where they are not what the agent promises.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Failure> {
        let text = match self {
            Heard::Text(text) => text.as_str(),
            Heard::List(list) => list.first().and_then(Value::as_str).unwrap_or_default(),
        };
        serde_json::from_str(text)
            .map_err(|why| Failure::new(Code::CaptureFailed, format!("the page agent's answer cannot be read: {why}")))
    }

    /// The element, where the answer to [`Ask::Element`] is one.
    pub fn element(&self) -> Option<String> {
        match self {
            Heard::Text(_) => None,
            Heard::List(list) => list.first().and_then(element_id),
        }
    }

    /// The frames around it, where it lies in some.
    pub fn frames(&self) -> Vec<u64> {
        match self {
            Heard::Text(_) => Vec::new(),
            Heard::List(list) => list
                .get(1)
                .and_then(Value::as_array)
                .map(|ids| ids.iter().filter_map(Value::as_u64).collect())
                .unwrap_or_default(),
        }
    }
}

/// The id of an element in a reply.
pub fn element_id(value: &Value) -> Option<String> {
    value.get(ELEMENT)?.as_str().map(str::to_owned)
}

/// The value of a reply that says success, with the reply still to be counted; else what the driver says.
pub fn value<T: DeserializeOwned>(route: Route, answered: Answered<Reply>) -> Result<(T, Answered<Reply>), Failure> {
    let reply = answered.reply();
    if reply.status == 200 {
        return match serde_json::from_slice::<Success<T>>(&reply.body) {
            Ok(success) => Ok((success.value, answered)),
            Err(why) => {
                answered.undecided();
                Err(unreadable(route, &why.to_string()))
            }
        };
    }
    let status = reply.status;
    let Some(error) = refusal(reply) else {
        answered.undecided();
        return Err(if status >= 500 {
            Failure::lost(
                Row::WebdriverHttp5xxAfterSend,
                Code::CommandFailed,
                format!(
                    "could not {}: the driver's address answered {status} without a WebDriver error",
                    route.spec().doing
                ),
            )
        } else {
            unreadable(route, &format!("status {status} without a WebDriver error"))
        });
    };
    let meaning = meaning(route, &error.error);
    let said = said(&error);
    let failure = if meaning.nothing_ran {
        answered.refused(meaning.row, said).failure(meaning.code, &format!("could not {}", route.spec().doing))
    } else {
        answered.undecided();
        Failure::lost(meaning.row, meaning.code, format!("could not {}: {said}", route.spec().doing))
    };
    Err(explained(failure, &error))
}

/// The driver's words without its version and stack, or the dialog's text.
fn said(error: &W3cError) -> String {
    if let Some(text) = dialog_text(error) {
        return format!("a dialog is open: {text:?}");
    }
    let first = error.message.lines().next().unwrap_or_default().trim();
    match first.strip_prefix(error.error.as_str()).map(|rest| rest.trim_start_matches([':', ' '])) {
        Some("") => error.error.clone(),
        Some(rest) => format!("{} ({})", rest, error.error),
        None if first.is_empty() => error.error.clone(),
        None => format!("{first} ({})", error.error),
    }
}

fn dialog_text(error: &W3cError) -> Option<&str> {
    (error.error == "unexpected alert open").then(|| error.data.get("text").and_then(Value::as_str).unwrap_or_default())
}

fn explained(failure: Failure, error: &W3cError) -> Failure {
    let failure = failure.detail("webdriverError", error.error.clone());
    match error.error.as_str() {
        "unexpected alert open" => {
            failure.reason("alert_open").detail("alertText", dialog_text(error).unwrap_or_default().to_owned())
        }
        "no such alert" => failure.reason("alert_not_found"),
        "tab crashed" => {
            failure.reason("tab_crashed").hint("the page's process died: agent-device close, then open again")
        }
        "invalid session id" => failure.reason("session_gone"),
        "no such window" => {
            failure.reason("window_gone").hint("the window was closed: agent-device windows lists what is left")
        }
        _ => failure,
    }
}

/// The error in a reply, which the protocol has under a status of 400 and above: under any other (a redirect of whatever stands
/// between) it is nobody's word.
fn refusal(reply: &Reply) -> Option<W3cError> {
    let error = || serde_json::from_slice::<Refused>(&reply.body).ok();
    (reply.status >= 400).then(error).flatten().map(|refused| refused.value)
}

/// Whether the driver says that it has no such route, or not this method of it. Nothing ran then.
pub fn is_unrouted(reply: &Reply) -> bool {
    refusal(reply).is_some_and(|error| matches!(error.error.as_str(), "unknown command" | "unknown method"))
}

/// The failure for a reply that is no reply: nobody knows whether the request ran.
pub fn unreadable(route: Route, why: &str) -> Failure {
    Failure::lost(
        Row::WebdriverReplyUnreadable,
        Code::CommandFailed,
        format!("could not {}: the driver's reply cannot be read ({why})", route.spec().doing),
    )
    .reason("reply_unreadable")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &str) -> W3cError {
        serde_json::from_str::<Refused>(body).unwrap().value
    }

    #[test]
    fn drivers_words_are_told_without_versions_and_stacks() {
        for (body, words) in [
            (
                r##"{"value":{"error":"move target out of bounds","message":"move target out of bounds\n  (Session info: chrome=156.0.8078.114)","stacktrace":"#0"}}"##,
                "move target out of bounds",
            ),
            (
                r#"{"value":{"error":"invalid argument","message":"invalid argument: File not found : /nope\n  (Session info: chrome=156.0.8078.114)","stacktrace":""}}"#,
                "File not found : /nope (invalid argument)",
            ),
            (
                r#"{"value":{"data":{"text":"hi"},"error":"unexpected alert open","message":"unexpected alert open: {Alert text : hi}","stacktrace":""}}"#,
                "a dialog is open: \"hi\"",
            ),
            (r#"{"value":{"error":"no such alert","message":"","stacktrace":""}}"#, "no such alert"),
            (r#"{"value":{"error":"no such alert","message":"nothing is open"}}"#, "nothing is open (no such alert)"),
        ] {
            assert_eq!(said(&error(body)), words);
        }
    }

    async fn judged(status: u16, body: &str) -> Result<u32, (Row, contract::Dispatched)> {
        let context = wire::Context::with_limit(std::time::Duration::from_secs(5));
        let rows = wire::local::Rows {
            lost: Row::WebdriverReplyLost,
            timeout: Row::WebdriverReplyLost,
            look_lost: Row::WebdriverReplyLost,
        };
        let sent = wire::local::exchange(&context, contract::Effect::Mutates, rows, || {
            let (reply, comes) = tokio::sync::oneshot::channel();
            drop(reply.send(Reply { status, body: body.to_owned().into(), kept: false }));
            comes
        });
        let wire::Sent::Answered(answered) = sent.await else { panic!("a reply came") };
        value::<u32>(Route::AlertAccept, answered).map(|(value, _)| value).map_err(|failure| {
            let claim = failure.claim().unwrap();
            (claim.row, claim.dispatched)
        })
    }

    #[tokio::test]
    async fn a_reply_is_a_success_a_listed_error_or_proves_nothing() {
        use contract::Dispatched::{No, Unknown};
        assert_eq!(judged(200, r#"{"value":7}"#).await, Ok(7));
        for (status, body, row, dispatched) in [
            (200, r#"{"value":"seven"}"#, Row::WebdriverReplyUnreadable, Unknown),
            (200, r#"{"value":{"error":"no such alert"}}"#, Row::WebdriverReplyUnreadable, Unknown),
            (404, r#"{"value":{"error":"no such alert"}}"#, Row::DaemonRefusalAlertAbsent, No),
            (302, r#"{"value":{"error":"no such alert"}}"#, Row::WebdriverReplyUnreadable, Unknown),
            (400, r#"{"value":{"error":"no such alert"}}"#, Row::DaemonRefusalAlertAbsent, No),
            (404, r#"{"value":7}"#, Row::WebdriverReplyUnreadable, Unknown),
            (499, "<html>", Row::WebdriverReplyUnreadable, Unknown),
            (500, r#"{"value":{"error":"unknown error"}}"#, Row::WebdriverErrorUnlisted, Unknown),
            (500, "<html>", Row::WebdriverHttp5xxAfterSend, Unknown),
            (502, "", Row::WebdriverHttp5xxAfterSend, Unknown),
        ] {
            assert_eq!(judged(status, body).await, Err((row, dispatched)), "{status} {body}");
        }
    }

    #[test]
    fn what_an_error_is_called_has_its_reason_and_what_to_do_next() {
        for (name, reason, hint) in [
            ("unexpected alert open", Some("alert_open"), None),
            ("no such alert", Some("alert_not_found"), None),
            ("tab crashed", Some("tab_crashed"), Some("close, then open again")),
            ("invalid session id", Some("session_gone"), None),
            ("no such window", Some("window_gone"), Some("agent-device windows")),
            ("made up", None, None),
        ] {
            let told = W3cError { error: name.into(), message: String::new(), data: serde_json::json!({"text": "hi"}) };
            let failure = explained(Failure::new(Code::CommandFailed, "x"), &told);
            assert_eq!((failure.reason_str(), &failure.details["webdriverError"]), (reason, &name.into()));
            assert_eq!(
                failure.details.get("alertText").and_then(Value::as_str),
                (reason == Some("alert_open")).then_some("hi")
            );
            let said = failure.hint.as_deref().unwrap_or_default();
            assert!(hint.map_or(said.is_empty(), |hint| said.contains(hint)), "{name}: {said}");
        }
    }

    #[test]
    fn only_a_route_that_the_driver_does_not_have_is_unrouted() {
        let reply = |status: u16, body: &str| Reply { status, body: body.to_owned().into(), kept: false };
        for name in ["unknown command", "unknown method"] {
            let body = format!(r#"{{"value":{{"error":"{name}"}}}}"#);
            assert!(is_unrouted(&reply(404, &body)) && is_unrouted(&reply(400, &body)), "{name}");
            assert!(!is_unrouted(&reply(200, &body)) && !is_unrouted(&reply(302, &body)), "{name}");
        }
        for other in [r#"{"value":{"error":"unknown error"}}"#, r#"{"value":null}"#, "", "<html>"] {
            assert!(!is_unrouted(&reply(404, other)), "{other}");
        }
    }

    #[test]
    fn a_scripts_answer_is_nothing_a_text_or_a_list() {
        let read = |body: &str| serde_json::from_str::<Success<Returned>>(body).unwrap().value;
        assert!(matches!(read(r#"{"value":null}"#), Returned::Null));
        let other = serde_json::from_str::<Success<Returned>>(r#"{"value":7}"#).err().unwrap();
        assert!(other.to_string().contains("expected null, a text or a list"), "{other}");
        assert!(matches!(read(r#"{"value":"[1]"}"#), Returned::Text(text) if text == "[1]"));
        let Returned::List(list) = read(r#"{"value":[{"element-6066-11e4-a52e-4f735466cecf":"f.1.d.2.e.3"}]}"#) else {
            panic!("a list")
        };
        assert_eq!(Heard::List(list).element().as_deref(), Some("f.1.d.2.e.3"));
        assert_eq!(Heard::List(vec![Value::Null, serde_json::json!([4, 5])]).frames(), [4, 5]);
    }
}
