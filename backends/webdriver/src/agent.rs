//! Calling the page agent: plain JavaScript, installed once in each document.

use std::{fmt::Write as _, sync::LazyLock};

use serde::Deserialize;
use serde_json::Value;

/// The agent's files in the order in which they are loaded.
const FILES: &[&str] = &[
    include_str!("../page/primordials.js"),
    include_str!("../page/registry.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/style.js"),
    include_str!("../page/roles.js"),
    include_str!("../page/names.js"),
    include_str!("../page/content.js"),
    include_str!("../page/states.js"),
    include_str!("../page/geometry.js"),
    include_str!("../page/hit.js"),
    include_str!("../page/facts.js"),
    include_str!("../page/capture.js"),
    include_str!("../page/runs.js"),
    include_str!("../page/aim.js"),
    include_str!("../page/guard.js"),
    include_str!("../page/fields.js"),
    include_str!("../page/scrolling.js"),
    include_str!("../page/watch.js"),
    include_str!("../page/network.js"),
    include_str!("../page/install.js"),
];

/// The agent as one script, and the version that it carries.
#[derive(Debug)]
pub struct Agent {
    /// Changes with every byte of the files.
    pub version: String,
    /// Puts the agent on the page.
    pub install: String,
}

/// The agent of this build.
pub static AGENT: LazyLock<Agent> = LazyLock::new(|| {
    let version = format!("{:016x}", hash(FILES.iter().flat_map(|file| file.bytes())));
    let mut install = String::with_capacity(FILES.iter().map(|file| file.len() + 1).sum::<usize>() + 128);
    // Writing to a string cannot fail.
    let _written = writeln!(install, "(function () {{ 'use strict'; const VERSION = \"{version}\";");
    for file in FILES {
        install.push_str(file);
        install.push('\n');
    }
    install.push_str("})();\n");
    Agent { version, install }
});

/// FNV-1a. Names documents and versions; nothing depends on it being hard to forge.
pub fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Finds the agent in `a`, `null` where the document has none; `other`: it is another document than the one meant.
/// The agent of the document meant may live in a window around this one: it serves all frames of its origin.
const FIND: &str = "let w = window, a = w[Symbol.for('agent-device')];\
 if (!a || a.version !== arguments[0]) a = null;\
 try {\
  while (arguments[1] && w !== w.parent && !(a && a.doc === arguments[1])) {\
   w = w.parent; const up = w[Symbol.for('agent-device')]; if (up && up.doc === arguments[1]) a = up;\
  }\
 } catch (otherOrigin) { w = window; }\
 const other = !!a && !!arguments[1] && a.doc !== arguments[1];\
 const around = (e) => { const ids = [];\
  for (let v = e.ownerDocument.defaultView; v && v !== window && v !== v.parent; v = v.parent) ids.unshift(a.idOf(v.frameElement));\
  return ids; };";

/// A look at a document without the agent answers `null`, at another document than the one meant `""`.
const ELSE_NOTHING: &str = "if (!a) return null; if (other) return '';";

/// What a script that changes the page answers where it did nothing, since the document meant is not there. A driver
/// answers `null` where a dialog interrupts a script half-way: that proves nothing.
pub const ABSENT: &str = "absent";

/// The same for a document that may have been replaced since.
const FIND_OR_CLOCK: &str = "const a = window[Symbol.for('agent-device')];\
 if (!a || a.version !== arguments[0] || a.doc !== arguments[1]) return [performance.timeOrigin];";

/// What is asked of the agent in one round trip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The calls in the third argument, `[name, args]` each; answers are joined in one JSON array.
    Calls,
    /// `aim` and, where it found a point, `arm` at it; third the page's clock, ms since 1970.
    AimAndArm,
    /// As [`Ask::Calls`]; where the agent or the document is another, when that document's navigation began, in a list.
    VerdictOrClock,
    /// The element of an id, as a reference of the driver's; where it lies in frames of the same origin, `null` and
    /// the numbers of those frames, since a driver hands out elements of the current document only.
    Element,
    /// The call in the third argument, and the element whose number is in its answer, as in [`Ask::Element`]; whether
    /// that lies in a shadow tree.
    CallAndElement,
}

impl Ask {
    /// What stands behind [`FIND`].
    const fn body(self) -> &'static str {
        match self {
            Ask::Calls | Ask::VerdictOrClock => {
                "return '[' + arguments[2].map((c) => a.call(c[0], c[1])).join(',') + ']';"
            }
            Ask::AimAndArm => {
                "const r = a.call('aim', arguments[2]);\
                 if (!r.startsWith('{\"ok\":{\"status\":\"ok\"')) { a.call('standDown', {}); return '[' + r + ']'; }\
                 const found = JSON.parse(r).ok, g = arguments[3];\
                 g.x = found.x; g.y = found.y;\
                 return '[' + r + ',' + a.call('arm', g) + ',' + (performance.timeOrigin + performance.now()) + ']';"
            }
            Ask::Element => {
                "const e = a.element(arguments[2]); if (!e) return [null];\
                 return e.ownerDocument === document ? [e] : [null, around(e)];"
            }
            Ask::CallAndElement => {
                "const r = a.call(arguments[2][0][0], arguments[2][0][1]); let id = 0;\
                 try { id = JSON.parse(r).ok.id; } catch (none) { id = 0; }\
                 const e = id ? a.element(id) : null, here = !!e && e.ownerDocument === document;\
                 return ['[' + r + ']', here ? e : null, !!e && e.getRootNode() !== e.ownerDocument, id];"
            }
        }
    }

    /// The script for a document that has the agent.
    pub fn script(self) -> String {
        match self {
            Ask::VerdictOrClock => format!("{FIND_OR_CLOCK}{}", self.body()),
            _ => format!("{FIND}{ELSE_NOTHING}{}", self.body()),
        }
    }

    /// The script of a call that changes the page: [`ABSENT`] where nothing ran.
    pub fn altering_script(self) -> String {
        format!("{FIND}if (!a || other) return '{ABSENT}';{}", self.body())
    }

    /// The script for a document that does not have it yet.
    pub fn script_with_install(self) -> String {
        format!("{}{FIND}{ELSE_NOTHING}{}", AGENT.install, self.body())
    }
}

/// What the agent says to one call.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said<T> {
    /// Its answer.
    Ok(T),
    /// Why there is none.
    Error(Refusal),
}

/// Why the agent did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Refusal {
    /// `gone`, `bad_argument`, `unknown_call`, `script`.
    pub kind: String,
    /// For people.
    pub message: String,
}

impl Refusal {
    /// The element has left the document.
    pub fn is_gone(&self) -> bool {
        self.kind == "gone"
    }
}

/// One call, as the scripts take it.
pub fn call(name: &str, args: Value) -> Value {
    Value::Array(vec![name.into(), args])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_is_one_script_that_names_its_version() {
        assert!(AGENT.install.starts_with("(function () { 'use strict'; const VERSION = \""));
        assert!(AGENT.install.contains(&AGENT.version) && AGENT.install.ends_with("})();\n"));
        assert!(FILES.iter().all(|file| AGENT.install.contains(file)));
    }

    #[test]
    fn a_script_that_changes_the_page_says_in_words_that_it_did_nothing() {
        for ask in [Ask::Calls, Ask::CallAndElement] {
            let script = ask.altering_script();
            assert!(script.contains("return 'absent'"), "{script}");
            assert!(!script.contains("return null") && !script.contains("return ''"), "{script}");
            assert!(ask.script().contains("return null"), "a look tells a document without the agent");
        }
    }

    #[test]
    fn a_hash_of_nothing_and_of_a_letter_are_those_of_the_algorithm() {
        assert_eq!(hash([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(*b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
