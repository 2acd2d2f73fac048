//! Inputs that are aimed at an element.

use contract::view::Platform;
use screen::{guard, refs::RefBook, selector};
use wire::Ledger;

use super::{Cell, Guarantees, Path, kept};
use crate::{
    disclosure,
    handlers::{acting, files, finding, text},
    interaction::{after, aim, identity, resolve},
    run::Run,
};

/// Why a browser is left out where keyboards are spoken of.
const NO_KEYBOARD: &[(Platform, &str)] = &[(Platform::Web, "a browser on a desktop has no keyboard on its screen")];
/// Why a browser is left out where empty captures are spoken of.
pub(super) const A_PAGE_MAY_BE_EMPTY: &[(Platform, &str)] =
    &[(Platform::Web, "an empty page is a page; where there is no page, the look itself fails")];
const POINT_IS_CHOSEN: Cell = Cell::Inapplicable("the point is chosen on the target, inside the viewport");
const NO_WAIT: Cell = Cell::Waived("the wait is for presses: whatever else is scripted fails at once, as live");
const NO_SETTLE: Cell = Cell::Waived("the command has no `--settle`: `wait stable` follows it");

/// See [`Path::Selector`].
pub const SELECTOR: Guarantees = Guarantees {
    disambiguation: kept!(selector::decided),
    identity: kept!(aim::on, identity::as_recorded),
    occlusion: kept!(guard::aim, aim::on),
    keyboard_occlusion: kept!(guard::aim, aim::on).except(NO_KEYBOARD),
    touch_point: kept!(guard::touch_point, aim::on),
    off_screen: kept!(guard::offscreen, aim::on),
    viewport: POINT_IS_CHOSEN,
    usable: kept!(guard::aim, aim::on).note("`hover` and `longpress` go to disabled controls too: they show why"),
    readiness: kept!(resolve::when_ready).note("`press`, `longpress` and `focus`"),
    screen: kept!(guard::content, Run::capture).except(A_PAGE_MAY_BE_EMPTY),
    once: kept!(Run::perform, Ledger::begin),
    disclosure: kept!(disclosure::disclose),
    resolution: kept!(acting::finish),
    evidence: kept!(after::after).note("`press`, on request: `--verify`"),
    settle: kept!(after::after).note("not `focus`"),
};

/// See [`Path::Ref`].
pub const REF: Guarantees = Guarantees {
    disambiguation: Cell::Inapplicable("a ref is one element; equal ones are told apart by what they stand beside"),
    identity: kept!(RefBook::lookup, RefBook::resolve, aim::at),
    occlusion: Cell::Delegated(Path::Selector),
    keyboard_occlusion: Cell::Delegated(Path::Selector),
    touch_point: Cell::Delegated(Path::Selector),
    off_screen: Cell::Delegated(Path::Selector),
    viewport: POINT_IS_CHOSEN,
    usable: Cell::Delegated(Path::Selector),
    readiness: Cell::Waived("what a ref means was on the screen when it was shown: one that is stale fails at once"),
    screen: Cell::Inapplicable(
        "a ref whose element a live look finds needs no capture; one that needs it fails as a selector does",
    ),
    once: Cell::Delegated(Path::Selector),
    disclosure: Cell::Delegated(Path::Selector),
    resolution: Cell::Delegated(Path::Selector),
    evidence: Cell::Delegated(Path::Selector),
    settle: Cell::Delegated(Path::Selector),
};

/// See [`Path::Find`].
pub const FIND: Guarantees = Guarantees {
    disambiguation: kept!(finding::find).note("by part of a text or by a selector; `--first` and `--last` choose"),
    identity: Cell::Delegated(Path::Selector),
    occlusion: Cell::Delegated(Path::Selector),
    keyboard_occlusion: Cell::Delegated(Path::Selector),
    touch_point: Cell::Delegated(Path::Selector),
    off_screen: Cell::Delegated(Path::Selector),
    viewport: POINT_IS_CHOSEN,
    usable: Cell::Delegated(Path::Selector),
    readiness: NO_WAIT,
    screen: Cell::Delegated(Path::Selector),
    once: Cell::Delegated(Path::Selector),
    disclosure: Cell::Delegated(Path::Selector),
    resolution: Cell::Delegated(Path::Selector),
    evidence: kept!(text::fill_at).note("`fill` alone: it reads the field back; the other actions have no `--verify`"),
    settle: NO_SETTLE,
};

/// See [`Path::Fill`].
pub const FILL: Guarantees = Guarantees {
    disambiguation: Cell::Delegated(Path::Selector),
    identity: Cell::Delegated(Path::Selector),
    occlusion: Cell::Delegated(Path::Selector),
    keyboard_occlusion: Cell::Delegated(Path::Selector),
    touch_point: Cell::Inapplicable("a field is aimed at as a whole: a press inside it only gives it the focus"),
    off_screen: Cell::Delegated(Path::Selector),
    viewport: POINT_IS_CHOSEN,
    usable: Cell::Delegated(Path::Selector),
    readiness: NO_WAIT,
    screen: Cell::Delegated(Path::Selector),
    once: Cell::Delegated(Path::Selector),
    disclosure: Cell::Delegated(Path::Selector),
    resolution: Cell::Delegated(Path::Selector),
    evidence: kept!(text::fill).note("always: the field is read back, another text in it is a failure"),
    settle: Cell::Delegated(Path::Selector),
};

/// Pages lay their own buttons over file fields and hide them: what the eye sees says nothing about them.
const HIDDEN_FILE_FIELDS: Cell =
    Cell::Waived("files are handed to the field itself: pages hide file fields behind buttons of their own");

/// See [`Path::Upload`].
pub const UPLOAD: Guarantees = Guarantees {
    disambiguation: Cell::Delegated(Path::Selector),
    identity: kept!(files::upload),
    occlusion: HIDDEN_FILE_FIELDS,
    keyboard_occlusion: HIDDEN_FILE_FIELDS,
    touch_point: HIDDEN_FILE_FIELDS,
    off_screen: HIDDEN_FILE_FIELDS,
    viewport: Cell::Inapplicable("no point is involved"),
    usable: kept!(files::upload),
    readiness: NO_WAIT,
    screen: Cell::Delegated(Path::Selector),
    once: Cell::Delegated(Path::Selector),
    disclosure: Cell::Delegated(Path::Selector),
    resolution: kept!(files::upload),
    evidence: kept!(files::upload).note("always: the field is asked for the names of its files"),
    settle: NO_SETTLE,
};
