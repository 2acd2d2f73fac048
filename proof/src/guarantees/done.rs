//! What must be done once, and what the answer says of it.

use contract::Row;
use daemon::interaction::guarantees::{Guarantee, Path};

use super::{Expect, Scenario};

/// A file that can be read on every machine that builds this.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

/// See the module.
pub fn scenarios(path: Path, guarantee: Guarantee) -> Vec<Scenario> {
    match guarantee {
        Guarantee::Readiness => {
            let waits = |line: &str| Scenario {
                before: vec!["press id=brings".to_owned()],
                ..plain("late", line, Expect::Waits("late", 1))
            };
            vec![waits("press id=late"), waits("longpress id=late 600")]
        }
        Guarantee::Once => once(path),
        Guarantee::Resolution => resolution(path),
        Guarantee::Evidence => evidence(path),
        Guarantee::Settle => settle(path),
        Guarantee::Disambiguation
        | Guarantee::Identity
        | Guarantee::Occlusion
        | Guarantee::KeyboardOcclusion
        | Guarantee::TouchPoint
        | Guarantee::OffScreen
        | Guarantee::Viewport
        | Guarantee::Usable
        | Guarantee::Screen
        | Guarantee::Disclosure => Vec::new(),
    }
}

fn plain(screen: &'static str, line: &str, expect: Expect) -> Scenario {
    Scenario { screen, before: Vec::new(), line: line.to_owned(), expect, not_on: Vec::new() }
}

fn once(path: Path) -> Vec<Scenario> {
    let safe = |line: &str| plain("plain", line, Expect::Touches("safe", 1));
    match path {
        Path::Selector => vec![
            safe("press id=safe"),
            safe("longpress id=safe 600"),
            safe("focus id=safe"),
            plain("plain", "press id=safe --count 3", Expect::Touches("safe", 3)),
            plain("plain", "press id=safe --double-tap", Expect::Touches("safe", 2)),
        ],
        Path::Ref => vec![safe("press {ref Safe}")],
        Path::Point => vec![safe("press {point safe}")],
        Path::Find => vec![safe("find Safe click"), safe("find 'role=button id=safe' click")],
        // To fill twice changes nothing: that it was sent once is for the bytes to show, which are cut one by one elsewhere.
        Path::Fill => vec![plain("plain", "fill id=name hello", Expect::Then("is text id=name hello"))],
        Path::Upload => {
            vec![plain(
                "plain",
                &format!("upload id=file {FILE}"),
                Expect::Then("is text id=chosen 'chosen Cargo.toml'"),
            )]
        }
        Path::Focus => vec![Scenario {
            before: vec!["focus id=name".to_owned()],
            ..plain("plain", "type hello", Expect::Then("is text id=name hello"))
        }],
        Path::Drag => vec![safe("gesture drag id=safe id=other")],
        Path::Movement => vec![safe("gesture pan id=safe 0 40"), safe("gesture fling down 40 id=safe")],
        Path::Scroll => vec![plain("list", "scroll down", Expect::Answers(&["/movedY"]))],
        Path::Dialog => vec![Scenario {
            before: vec!["press id=asks".to_owned()],
            ..plain("plain", "alert accept", Expect::Then("is visible id=safe"))
        }],
        Path::System => vec![Scenario {
            before: vec!["press id=leave".to_owned(), "wait absent id=safe 3000".to_owned()],
            ..plain("plain", "back", Expect::Then("wait id=safe 3000"))
        }],
    }
}

fn resolution(path: Path) -> Vec<Scenario> {
    match path {
        Path::Selector | Path::Find => {
            let lines: &[&str] = match path {
                Path::Selector => &["press id=safe"],
                _ => &["find Safe click", "find id=safe click"],
            };
            let told = |line: &&str| plain("plain", line, Expect::Answers(&["/element", "/selectorChain", "/x", "/y"]));
            lines.iter().map(told).collect()
        }
        Path::Ref => vec![plain("plain", "press {ref Safe}", Expect::Answers(&["/element", "/x", "/y"]))],
        Path::Fill => vec![plain("plain", "fill id=name hello", Expect::Answers(&["/element", "/x", "/y"]))],
        Path::Upload => {
            vec![plain("plain", &format!("upload id=file {FILE}"), Expect::Answers(&["/element", "/files"]))]
        }
        Path::Drag => {
            vec![plain("plain", "gesture drag id=safe id=other", Expect::Answers(&["/from", "/to", "/message"]))]
        }
        Path::Movement => vec![plain("plain", "gesture pan id=safe 0 40", Expect::Answers(&["/from", "/to"]))],
        Path::Dialog => vec![Scenario {
            before: vec!["press id=asks".to_owned()],
            ..plain("plain", "alert accept", Expect::Answers(&["/kind", "/text"]))
        }],
        Path::Point | Path::Focus | Path::Scroll | Path::System => Vec::new(),
    }
}

fn evidence(path: Path) -> Vec<Scenario> {
    const VERIFIED: Expect = Expect::Answers(&["/evidence/changedFromBefore", "/evidence/digest"]);
    match path {
        Path::Selector => vec![plain("plain", "press id=safe --verify", VERIFIED)],
        Path::Ref => vec![plain("plain", "press {ref Safe} --verify", VERIFIED)],
        Path::Point => vec![plain("plain", "press {point safe} --verify", VERIFIED)],
        Path::Find => vec![
            plain("plain", "find Name fill hello", Expect::Answers(&["/verified"])),
            plain("plain", "find id=name fill hello", Expect::Answers(&["/verified"])),
            plain("plain", "find id=digits fill 1a2", Expect::Failed(Row::DaemonFillMismatch)),
        ],
        Path::Fill => vec![
            plain("plain", "fill id=name hello", Expect::Answers(&["/verified"])),
            plain("plain", "fill id=digits 1a2", Expect::Failed(Row::DaemonFillMismatch)),
        ],
        Path::Upload => {
            vec![plain(
                "plain",
                &format!("upload id=file {FILE}"),
                Expect::Then("is text id=chosen 'chosen Cargo.toml'"),
            )]
        }
        Path::Scroll => vec![plain("list", "scroll down", Expect::Answers(&["/movedY"]))],
        Path::Focus | Path::Drag | Path::Movement | Path::Dialog | Path::System => Vec::new(),
    }
}

fn settle(path: Path) -> Vec<Scenario> {
    let settled = |line: &str| plain("plain", line, Expect::Answers(&["/settle/settled", "/settle/diff"]));
    match path {
        Path::Selector => vec![settled("press id=safe --settle"), settled("longpress id=safe 600 --settle")],
        Path::Ref => vec![settled("press {ref Safe} --settle")],
        Path::Point => vec![settled("press {point safe} --settle")],
        Path::Fill => vec![settled("fill id=name hello --settle")],
        Path::Drag => vec![settled("gesture drag id=safe id=other --settle")],
        Path::Movement => vec![settled("gesture pan id=safe 0 40 --settle")],
        Path::Scroll => vec![plain("list", "scroll down --settle", Expect::Answers(&["/settle/settled"]))],
        Path::System => vec![Scenario {
            before: vec!["press id=leave".to_owned(), "wait absent id=safe 3000".to_owned()],
            ..plain("plain", "back --settle", Expect::Answers(&["/settle/settled"]))
        }],
        Path::Find | Path::Upload | Path::Focus | Path::Dialog => Vec::new(),
    }
}
