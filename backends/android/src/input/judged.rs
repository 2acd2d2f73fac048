//! Whether an element that was meant is still there, still the same, and free.

use backend::Aimed;
use contract::{Code, Failure, Point, Row};
use screen::{NodeKey, Role, States, describe};

use crate::seen::Seen;

/// The point of an element on a new look, after something had changed since it was chosen. `before` is what it was then.
///
/// # Errors
/// Gone, turned into something else, disabled, covered, out of view; nothing has been sent.
pub fn still_free(now: &Seen, before: Option<(Role, String)>, node: NodeKey) -> Result<Point, Failure> {
    let tree = &now.capture.tree;
    let Some((place, is)) = tree.place_of(node).and_then(|place| Some((place, tree.get(place)?))) else {
        return Err(refused(
            Row::HelperNodeGone,
            Code::ElementNotFound,
            "the element left the screen between the look and the input".to_owned(),
            "target_gone",
        ));
    };
    let what = describe::describe(is);
    if before.is_some_and(|(role, name)| is.role != role || *is.name != *name) {
        return Err(refused(
            Row::DaemonRefusalTargetChanged,
            Code::ElementNotFound,
            format!("the element turned into {what} between the look and the input"),
            "target_changed",
        ));
    }
    if is.is(States::DISABLED) {
        let message = format!("{what} is disabled");
        return Err(refused(Row::DaemonRefusalDisabled, Code::ElementDisabled, message, "disabled"));
    }
    match now.capture.aim(place) {
        Aimed::Ready(landing) => Ok(landing.point),
        Aimed::Covered { by, .. } => {
            let message = format!("{what} is covered by {by} now");
            Err(refused(Row::DaemonRefusalCovered, Code::ElementCovered, message, "covered").detail("coveredBy", by))
        }
        Aimed::Offscreen { .. } => {
            let message = format!("{what} is out of view now");
            Err(refused(Row::DaemonRefusalOffscreen, Code::ElementOffscreen, message, "offscreen"))
        }
        _ => {
            let message = format!("{what} is not drawn any more");
            Err(refused(Row::DaemonRefusalNoSize, Code::ElementNotFound, message, "not_rendered"))
        }
    }
}

/// What has just changed may change back.
fn refused(row: Row, code: Code, message: String, reason: &str) -> Failure {
    Failure::refused(row, code, message).reason(reason).retriable()
}
