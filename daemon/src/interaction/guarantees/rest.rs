//! What is aimed at nothing on the screen.

use screen::guard;
use wire::Ledger;

use super::{Cell, Guarantees, Path, kept};
use crate::{
    disclosure,
    handlers::{able, dialogs, moving, text},
    run::Run,
};

const NO_TARGET: Cell = Cell::Inapplicable("it is aimed at nothing on the screen");
const TO_THE_FOCUS: Cell = Cell::Inapplicable("it goes to what has the focus, wherever that lies");
const THE_ONE_DIALOG: Cell = Cell::Inapplicable("there is one dialog, and it is on top");

/// See [`Path::Focus`].
pub const FOCUS: Guarantees = Guarantees {
    disambiguation: TO_THE_FOCUS,
    identity: TO_THE_FOCUS,
    occlusion: TO_THE_FOCUS,
    keyboard_occlusion: TO_THE_FOCUS,
    touch_point: TO_THE_FOCUS,
    off_screen: TO_THE_FOCUS,
    viewport: TO_THE_FOCUS,
    usable: kept!(text::type_text, guard::typing_target),
    readiness: Cell::Waived("the wait is for presses: whatever else is scripted fails at once, as live"),
    screen: Cell::Waived("the device is asked for the focus, which needs no capture"),
    once: kept!(Run::perform, Ledger::begin),
    disclosure: kept!(disclosure::disclose),
    resolution: Cell::Waived("the answer says how much was typed, not into what: `find ... type` and `fill` do"),
    evidence: Cell::Waived("keys may mean anything to an app: `fill` reads the field back"),
    settle: Cell::Waived("the command has no `--settle`: `wait stable` follows it"),
};

/// See [`Path::Dialog`].
pub const DIALOG: Guarantees = Guarantees {
    disambiguation: THE_ONE_DIALOG,
    identity: Cell::Waived(
        "an app that replaces its dialog in the moment between look and answer has the new one answered",
    ),
    occlusion: THE_ONE_DIALOG,
    keyboard_occlusion: THE_ONE_DIALOG,
    touch_point: THE_ONE_DIALOG,
    off_screen: THE_ONE_DIALOG,
    viewport: THE_ONE_DIALOG,
    usable: kept!(dialogs::alert),
    readiness: Cell::Waived("`alert wait` waits"),
    screen: Cell::Inapplicable("the device is asked for the dialog, not for the screen"),
    once: Cell::Delegated(Path::Focus),
    disclosure: Cell::Delegated(Path::Focus),
    resolution: kept!(dialogs::alert).note("its kind and text"),
    evidence: Cell::Waived("what an answer brings about is the app's"),
    settle: Cell::Waived("the command has no `--settle`: `wait stable` follows it"),
};

/// See [`Path::System`].
pub const SYSTEM: Guarantees = Guarantees {
    disambiguation: NO_TARGET,
    identity: NO_TARGET,
    occlusion: NO_TARGET,
    keyboard_occlusion: NO_TARGET,
    touch_point: NO_TARGET,
    off_screen: NO_TARGET,
    viewport: NO_TARGET,
    usable: kept!(able).note("what the device cannot do is refused before anything is sent"),
    readiness: NO_TARGET,
    screen: NO_TARGET,
    once: Cell::Delegated(Path::Focus),
    disclosure: Cell::Delegated(Path::Focus),
    resolution: NO_TARGET,
    evidence: Cell::Waived("each command says in its own answer what it knows"),
    settle: kept!(moving::back).note("`back`"),
};
