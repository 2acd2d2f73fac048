//! The apps on the simulated devices, read once.

use std::sync::{Arc, OnceLock};

use stage::script::{self, App};

/// The app that most sessions open.
pub const BENCH: &str = "bench.toml";
/// Another, with elements of the same names.
pub const OTHER: &str = "other.toml";

/// An app by its name; `None` for one that is not there.
pub fn app(name: &str) -> Option<Arc<App>> {
    static APPS: OnceLock<[(&str, Arc<App>); 2]> = OnceLock::new();
    let read = |name, text| (name, Arc::new(script::parse(name, text).expect("the app is right")));
    let apps = APPS.get_or_init(|| {
        [read(BENCH, include_str!("../assets/bench.toml")), read(OTHER, include_str!("../assets/other.toml"))]
    });
    apps.iter().find(|(known, _)| *known == name).map(|(_, app)| app.clone())
}

/// Elements of both apps that can be pressed, by their ids.
pub const BUTTONS: &[&str] = &[
    "a1", "a2", "a3", "a1", "a2", "a3", "left", "right", "swap", "unswap", "renames", "ask", "sure", "say", "panel",
    "done", "go", "soon", "double", "wanders", "choice", "late", "fleeting", "main", "row-1", "row-2", "row-3",
    "row-9",
];
/// Elements that are refused, and for different reasons.
pub const REFUSED: &[&str] = &["off", "ghost", "outside", "nowhere"];
/// Names, two of them ambiguous.
pub const LABELS: &[&str] = &["Alpha", "Beta", "Gamma", "Twin", "Seat", "Go", "Late", "Nothing of the kind"];
/// Fields.
pub const FIELDS: &[&str] = &["name", "name", "name", "digits", "lossy"];
