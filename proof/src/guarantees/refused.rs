//! What must be turned down, by each way.

use contract::{Row, view::Platform};
use daemon::interaction::guarantees::{Guarantee, Path};

use super::{Expect, Scenario};

/// How a target stands in a line: the element, the field, and what a ref or a search calls it.
struct Target {
    /// The element, in words that a command takes.
    element: &'static str,
    /// The field of the same kind.
    field: &'static str,
    /// The file field of the same kind.
    file: &'static str,
    /// Its name.
    name: &'static str,
}

const BAD: Target = Target { element: "id=bad", field: "id=bad-field", file: "id=bad-file", name: "Bad" };
const TWIN: Target =
    Target { element: "label=Twin", field: "'label=\"Twin field\"'", file: "'label=\"Twin file\"'", name: "Twin" };
const NOWHERE: Target = Target { element: "id=nowhere", field: "id=nowhere", file: "id=nowhere", name: "Nowhere" };
const SAFE: Target = Target { element: "id=safe", field: "id=name", file: "id=file", name: "Safe" };

/// A file that can be read on every machine that builds this.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

/// Changes at the last moment that no line can time.
const LAST_MOMENT: &[Row] = &[
    Row::DaemonRefusalTargetChanged,
    Row::DaemonRefusalTargetGone,
    Row::WebdriverPressIntercepted,
    Row::WebdriverPressTargetChanged,
    Row::HelperNodeGone,
];

/// A ref whose element has turned into something else.
const CHANGED: &[Row] = &[Row::DaemonRefusalRefChanged, Row::DaemonRefusalTargetChanged];

/// See the module.
pub fn scenarios(path: Path, guarantee: Guarantee) -> Vec<Scenario> {
    match guarantee {
        Guarantee::Disambiguation => each(path, &TWIN, "twins", &[], Row::DaemonRefusalAmbiguous),
        Guarantee::Identity => identity(path),
        Guarantee::Occlusion => each(path, &BAD, "covered", &[], Row::DaemonRefusalCovered),
        Guarantee::KeyboardOcclusion => {
            let shown = &["press id=opens", "wait 'role=keyboard || label=Keyboard' 3000"];
            each(path, &BAD, "keyboard", shown, Row::DaemonRefusalCovered)
        }
        Guarantee::TouchPoint => each(path, &BAD, "tiled", &[], Row::DaemonRefusalCovered),
        Guarantee::OffScreen => each(path, &BAD, "away", &[], Row::DaemonRefusalOffscreen),
        Guarantee::Viewport => viewport(path),
        Guarantee::Usable => usable(path),
        Guarantee::Screen => empty(path),
        Guarantee::Disclosure => disclosed(path),
        Guarantee::Readiness | Guarantee::Once | Guarantee::Resolution | Guarantee::Evidence | Guarantee::Settle => {
            Vec::new()
        }
    }
}

/// The lines by which a way aims at a target.
fn lines(path: Path, target: &Target) -> Vec<String> {
    let Target { element, field, file, name } = target;
    match path {
        Path::Selector => {
            vec![format!("press {element}"), format!("longpress {element}"), format!("press {element} --double-tap")]
        }
        Path::Ref => vec![format!("press {{ref {name}}}"), format!("longpress {{ref {name}}}")],
        Path::Find => vec![format!("find {name} click"), format!("find {element} click")],
        Path::Fill => vec![format!("fill {field} text")],
        Path::Upload => vec![format!("upload {file} {FILE}")],
        Path::Drag => vec![format!("gesture drag {element} id=safe"), format!("gesture drag id=safe {element}")],
        Path::Movement => vec![format!("gesture pan {element} 0 40"), format!("gesture fling down 40 {element}")],
        Path::Scroll => vec![format!("scroll down --in {element}")],
        Path::Point | Path::Focus | Path::Dialog | Path::System => Vec::new(),
    }
}

fn one(screen: &'static str, before: &[&str], line: String, expect: Expect) -> Scenario {
    let before = before.iter().map(|line| (*line).to_owned()).collect();
    Scenario { screen, before, line, expect, not_on: Vec::new() }
}

fn each(path: Path, target: &Target, screen: &'static str, before: &[&str], row: Row) -> Vec<Scenario> {
    lines(path, target).into_iter().map(|line| one(screen, before, line, Expect::Refused(row))).collect()
}

fn identity(path: Path) -> Vec<Scenario> {
    let line = String::new();
    match path {
        Path::Ref => {
            let line = "press {ref Archive}".to_owned();
            vec![one("renames", &["press id=change"], line, Expect::RefusedAs(CHANGED))]
        }
        Path::Upload => vec![one("plain", &[], line, Expect::Rows(&[Row::DaemonRefusalTargetGone]))],
        _ => vec![one("plain", &[], line, Expect::Rows(LAST_MOMENT))],
    }
}

fn viewport(path: Path) -> Vec<Scenario> {
    let lines: &[&str] = match path {
        Path::Point => &["press 40000 20", "longpress 40000 20", "press 20 -5", "fill 40000 20 text"],
        Path::Drag => &["gesture drag id=safe 40000 20", "gesture drag 40000 20 id=safe"],
        _ => &["swipe 10 10 40000 10", "swipe 40000 10 10 10", "gesture pan id=safe 40000 0"],
    };
    let refused = |line: &&str| {
        one("plain", &["snapshot"], (*line).to_owned(), Expect::Refused(Row::DaemonRefusalOutsideViewport))
    };
    lines.iter().map(refused).collect()
}

fn usable(path: Path) -> Vec<Scenario> {
    let refused = |screen, line: &str, row| one(screen, &[], line.to_owned(), Expect::Refused(row));
    match path {
        Path::Selector => vec![
            refused("off", "press id=bad", Row::DaemonRefusalDisabled),
            refused("ghost", "press id=bad", Row::DaemonRefusalNoSize),
            refused("ghost", "longpress id=bad", Row::DaemonRefusalNoSize),
        ],
        Path::Ref => vec![refused("off", "press {ref Bad}", Row::DaemonRefusalDisabled)],
        Path::Find => vec![
            refused("off", "find Bad click", Row::DaemonRefusalDisabled),
            refused("off", "find id=bad click", Row::DaemonRefusalDisabled),
            refused("plain", "find id=safe fill text", Row::DaemonRefusalNotEditable),
        ],
        Path::Point => vec![refused("plain", "fill {point safe} text", Row::DaemonRefusalNotEditable)],
        Path::Fill => vec![
            refused("off", "fill id=bad-field text", Row::DaemonRefusalDisabled),
            refused("plain", "fill id=safe text", Row::DaemonRefusalNotEditable),
        ],
        Path::Upload => vec![refused("plain", &format!("upload id=safe {FILE}"), Row::DaemonRefusalNotEditable)],
        Path::Focus => vec![refused("plain", "type text", Row::DaemonRefusalNoFocus)],
        Path::Drag | Path::Movement => {
            lines(path, &BAD).iter().map(|line| refused("ghost", line, Row::DaemonRefusalNoSize)).collect()
        }
        Path::Dialog => ["alert accept", "alert dismiss"]
            .iter()
            .map(|line| refused("plain", line, Row::DaemonRefusalAlertAbsent))
            .collect(),
        Path::System => unsupported(),
        Path::Scroll => Vec::new(),
    }
}

/// What one platform or the other has nothing for.
fn unsupported() -> Vec<Scenario> {
    let refused = |line: &str, not_on: &[Platform]| {
        let expect = Expect::Refused(Row::DaemonAdmissionUnsupportedOperation);
        Scenario { not_on: not_on.to_vec(), ..one("plain", &[], line.to_owned(), expect) }
    };
    vec![
        refused("orientation landscape-left", &[Platform::Android]),
        refused("viewport 500 500", &[Platform::Stage, Platform::Web]),
        refused("app-switcher", &[Platform::Android]),
    ]
}

fn empty(path: Path) -> Vec<Scenario> {
    // Where only the device's own capture could come back empty, the row of that device is driven.
    let mut all = vec![one("plain", &[], String::new(), Expect::Rows(&[Row::HelperCaptureWithoutApp]))];
    for line in lines(path, &SAFE) {
        all.push(one("plain", &[], line, Expect::Empty(Row::DaemonRefusalSparseCapture)));
    }
    all
}

fn disclosed(path: Path) -> Vec<Scenario> {
    match path {
        Path::Point => viewport(Path::Point),
        Path::Focus | Path::Dialog | Path::System => usable(path),
        Path::Ref => {
            vec![one("plain", &[], "press @e4711".to_owned(), Expect::Refused(Row::DaemonRefusalRefNotIssued))]
        }
        _ => each(path, &NOWHERE, "plain", &[], Row::DaemonRefusalAbsent),
    }
}
