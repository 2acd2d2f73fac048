//! Points and movements.

use backend::TouchPlan;
use screen::guard;
use wire::Ledger;

use super::{Cell, Guarantees, Path, element::A_PAGE_MAY_BE_EMPTY, kept};
use crate::{
    disclosure,
    handlers::{gestures, moving},
    interaction::aim,
    run::Run,
};

const WHATEVER_IS_THERE: Cell = Cell::Inapplicable("a bare point means whatever lies there");
const NO_WAIT: Cell = Cell::Waived("the wait is for presses: whatever else is scripted fails at once, as live");
const NO_VERIFY: Cell = Cell::Waived("what a movement brings about is the app's: `--settle` answers with what changed");

/// See [`Path::Point`].
pub const POINT: Guarantees = Guarantees {
    disambiguation: WHATEVER_IS_THERE,
    identity: WHATEVER_IS_THERE,
    occlusion: WHATEVER_IS_THERE,
    keyboard_occlusion: Cell::Waived("a point on the keyboard may mean its key"),
    touch_point: WHATEVER_IS_THERE,
    off_screen: Cell::Inapplicable("a point that was given is not brought anywhere: see viewport"),
    viewport: kept!(guard::point_inside),
    usable: kept!(aim::on_editable_at).note("`fill`: a field must lie there; a press goes to whatever does"),
    readiness: Cell::Inapplicable("a point is never absent"),
    screen: Cell::Waived("the screen is looked at only where the size of the viewport is not known yet"),
    once: kept!(Run::perform, Ledger::begin),
    disclosure: kept!(disclosure::disclose),
    resolution: Cell::Inapplicable("nothing was looked for; the answer repeats the point"),
    evidence: Cell::Delegated(Path::Selector),
    settle: Cell::Delegated(Path::Selector),
};

/// See [`Path::Drag`].
pub const DRAG: Guarantees = Guarantees {
    disambiguation: Cell::Delegated(Path::Selector),
    identity: kept!(gestures::gesture)
        .note("both ends are looked at again before the contact goes down; what is picked up is watched until then"),
    occlusion: Cell::Delegated(Path::Selector),
    keyboard_occlusion: Cell::Delegated(Path::Selector),
    touch_point: Cell::Delegated(Path::Selector),
    off_screen: Cell::Delegated(Path::Selector),
    viewport: kept!(TouchPlan::inside),
    usable: Cell::Delegated(Path::Selector),
    readiness: NO_WAIT,
    screen: Cell::Delegated(Path::Selector),
    once: Cell::Delegated(Path::Point),
    disclosure: Cell::Delegated(Path::Point),
    resolution: kept!(gestures::gesture).note("both ends, in words, and their points"),
    evidence: NO_VERIFY,
    settle: Cell::Delegated(Path::Selector),
};

/// See [`Path::Movement`].
pub const MOVEMENT: Guarantees = Guarantees {
    disambiguation: Cell::Delegated(Path::Selector),
    identity: Cell::Delegated(Path::Selector),
    occlusion: Cell::Delegated(Path::Selector),
    keyboard_occlusion: Cell::Delegated(Path::Selector),
    touch_point: Cell::Delegated(Path::Selector),
    off_screen: Cell::Delegated(Path::Selector),
    viewport: kept!(TouchPlan::inside, guard::point_inside),
    usable: Cell::Delegated(Path::Selector),
    readiness: NO_WAIT,
    screen: Cell::Delegated(Path::Selector),
    once: Cell::Delegated(Path::Point),
    disclosure: Cell::Delegated(Path::Point),
    resolution: kept!(gestures::gesture).note("where it began and ended"),
    evidence: NO_VERIFY,
    settle: Cell::Delegated(Path::Selector),
};

/// See [`Path::Scroll`].
pub const SCROLL: Guarantees = Guarantees {
    disambiguation: Cell::Delegated(Path::Selector),
    identity: Cell::Waived("what a container is called does not matter to what its content does"),
    occlusion: Cell::Waived("a container that is covered in part scrolls all the same"),
    keyboard_occlusion: Cell::Waived("as for occlusion"),
    touch_point: Cell::Inapplicable("a container is moved as a whole"),
    off_screen: Cell::Waived("a container out of view scrolls all the same"),
    viewport: Cell::Inapplicable("no point is given"),
    usable: Cell::Inapplicable("what does not scroll answers that it did not"),
    readiness: NO_WAIT,
    screen: kept!(guard::content, Run::capture).except(A_PAGE_MAY_BE_EMPTY).note("with `--in` and `--until`"),
    once: Cell::Delegated(Path::Point),
    disclosure: Cell::Delegated(Path::Point),
    resolution: Cell::Waived("the answer says which way and how far, not which container"),
    evidence: kept!(moving::scroll).note("always: how far it moved; `--until`: that the target is in view"),
    settle: Cell::Delegated(Path::Selector),
};
