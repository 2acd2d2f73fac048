//! What each way to a device guarantees, cell by cell: a table in which an empty cell does not compile.
//!
//! | module | answers |
//! | --- | --- |
//! | [`mod@self`] | the guarantees, the ways, and what a cell can hold |
//! | [`element`] | the cells of inputs that are aimed at an element: selector, ref, find, fill, upload |
//! | [`touch`] | the cells of points and movements: a bare point, a drag, other gestures, scrolling |
//! | [`rest`] | the cells of what is aimed at nothing on the screen: typing, dialogs, the system |
//!
//! [`Guarantees`] has a field for each guarantee and no default, [`Path::guarantees`] and [`paths_of`] match every case: a
//! new guarantee, a new path or a new [`Input`] compiles only once each of its cells is decided. A cell that names code
//! names it as an item, so code that is gone does not compile either. `docs/reference/guarantees.md` is written from it,
//! and the proof drives every cell that is kept on every backend.

pub mod element;
pub mod rest;
pub mod touch;

use backend::Input;
use contract::view::Platform;

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Kept by this code.
    Kept {
        /// Names of items.
        by: &'static [&'static str],
        /// Where it holds less far than the rest of the row; empty where nothing is to be said.
        note: &'static str,
        /// Platforms on which it does not hold, each with its reason.
        except: &'static [(Platform, &'static str)],
    },
    /// Kept by going through another path.
    Delegated(Path),
    /// Not kept, and why.
    Waived(&'static str),
    /// Nothing there that could be kept, and why.
    Inapplicable(&'static str),
}

impl Cell {
    /// The same where it holds less far.
    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        match self {
            Cell::Kept { by, except, .. } => Cell::Kept { by, note, except },
            other => other,
        }
    }

    /// The same but for some platforms.
    #[must_use]
    pub const fn except(self, except: &'static [(Platform, &'static str)]) -> Self {
        match self {
            Cell::Kept { by, note, .. } => Cell::Kept { by, note, except },
            other => other,
        }
    }

    /// Whether something is promised, by whatever code.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Cell::Kept { .. } | Cell::Delegated(_))
    }
}

/// A cell that is kept by the items named: `kept!(guard::aim)`.
macro_rules! kept {
    ($($code:path),+ $(,)?) => {{
        // An item that does not exist does not compile.
        $(let _ = $code;)+
        $crate::interaction::guarantees::Cell::Kept { by: &[$(stringify!($code)),+], note: "", except: &[] }
    }};
}
use kept;

/// The guarantees as an enum and as the fields of a row, from one list.
macro_rules! guarantees {
    ($( $field:ident $variant:ident $name:literal $means:literal; )*) => {
        /// What can be guaranteed of an input.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Guarantee { $( #[doc = $means] $variant, )* }

        impl Guarantee {
            /// All of them, in the order of the page.
            pub const ALL: &'static [Guarantee] = &[$(Guarantee::$variant),*];

            /// For people.
            pub const fn name(self) -> &'static str {
                match self { $(Guarantee::$variant => $name,)* }
            }

            /// What is promised.
            pub const fn meaning(self) -> &'static str {
                match self { $(Guarantee::$variant => $means,)* }
            }
        }

        /// One row: a cell for every guarantee.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Guarantees { $( #[doc = $means] pub $field: Cell, )* }

        impl Guarantees {
            /// The cell of one guarantee.
            pub const fn of(&self, guarantee: Guarantee) -> &Cell {
                match guarantee { $(Guarantee::$variant => &self.$field,)* }
            }
        }
    };
}

guarantees! {
    disambiguation Disambiguation "disambiguation" "Where several elements match, nothing is sent, and the failure names them.";
    identity Identity "identity" "What takes the input is what was shown or found: an element that has left, or has turned into something else, is not acted on.";
    occlusion Occlusion "occlusion" "A target under something else is refused, and the failure names the cover.";
    keyboard_occlusion KeyboardOcclusion "keyboard occlusion" "A target behind the on-screen keyboard is refused.";
    touch_point TouchPoint "touch point" "The point belongs to the target and to no control inside it; a target that controls fill is refused, unless it wraps one that says the same.";
    off_screen OffScreen "off-screen" "A target that cannot be brought into view is refused.";
    viewport Viewport "viewport" "A point or movement outside the viewport is refused.";
    usable Usable "usable" "A target that cannot take the input (not drawn, disabled, no field, no dialog) is refused.";
    readiness Readiness "targetReadiness" "A scripted request waits up to 2 s for a target that is absent, then acts once.";
    screen Screen "screen" "An empty capture is never taken for a screen.";
    once Once "sent once" "An input is sent once; nothing is sent again without the proof that it was not sent.";
    disclosure Disclosure "error taxonomy" "A failure has a code, a row of the golden table, and says whether it reached the device.";
    resolution Resolution "resolution disclosure" "The answer says what was acted on, and where.";
    evidence Evidence "outcomeObservation" "The answer says what was seen of the outcome, or can be asked to (`--verify`).";
    settle Settle "settle" "`--settle` waits for a screen at rest and answers with what changed.";
}

/// A way by which an input reaches a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Path {
    /// press, longpress, hover, focus with a selector.
    Selector,
    /// The same with a ref.
    Ref,
    /// The same with a bare point.
    Point,
    /// `find ... click | focus | fill | type`.
    Find,
    /// `fill`: the text is handed to the field itself.
    Fill,
    /// `upload`: files are handed to the field itself.
    Upload,
    /// `type`: text to whatever has the focus.
    Focus,
    /// `gesture drag`: a movement with two ends.
    Drag,
    /// Other gestures, and `swipe`.
    Movement,
    /// `scroll`.
    Scroll,
    /// `alert accept | dismiss`.
    Dialog,
    /// What goes to the system or the browser: back, home, addresses, settings, windows.
    System,
}

impl Path {
    /// All of them, in the order of the page.
    pub const ALL: &'static [Path] = &[
        Path::Selector,
        Path::Ref,
        Path::Point,
        Path::Find,
        Path::Fill,
        Path::Upload,
        Path::Focus,
        Path::Drag,
        Path::Movement,
        Path::Scroll,
        Path::Dialog,
        Path::System,
    ];

    /// For people, with the commands that go this way.
    pub const fn name(self) -> (&'static str, &'static str) {
        match self {
            Path::Selector => ("selector", "`press`, `longpress`, `hover`, `focus` with a selector"),
            Path::Ref => ("ref", "the same with a ref"),
            Path::Point => ("point", "the same, and `fill`, with a bare point"),
            Path::Find => ("find", "`find ... click`, `focus`, `fill`, `type`"),
            Path::Fill => ("fill", "`fill`: the text is handed to the field itself"),
            Path::Upload => ("upload", "`upload`: files are handed to the field itself"),
            Path::Focus => ("focus", "`type`: text to whatever has the focus"),
            Path::Drag => ("drag", "`gesture drag`: a movement with two ends"),
            Path::Movement => ("movement", "`gesture pan`, `fling`, `pinch`, `rotate`, `transform`; `swipe`"),
            Path::Scroll => ("scroll", "`scroll`"),
            Path::Dialog => ("dialog", "`alert accept`, `alert dismiss`"),
            Path::System => (
                "system",
                "`back`, `home`, `open` in a session, `app-switcher`, `orientation`, `keyboard`, `clipboard`, `settings`, \
                 `viewport`, `windows`",
            ),
        }
    }

    /// The row.
    pub const fn guarantees(self) -> Guarantees {
        match self {
            Path::Selector => element::SELECTOR,
            Path::Ref => element::REF,
            Path::Find => element::FIND,
            Path::Fill => element::FILL,
            Path::Upload => element::UPLOAD,
            Path::Point => touch::POINT,
            Path::Drag => touch::DRAG,
            Path::Movement => touch::MOVEMENT,
            Path::Scroll => touch::SCROLL,
            Path::Focus => rest::FOCUS,
            Path::Dialog => rest::DIALOG,
            Path::System => rest::SYSTEM,
        }
    }

    /// Where it exists at all.
    pub const fn platforms(self) -> &'static [Platform] {
        match self {
            Path::Upload => &[Platform::Web],
            _ => &[Platform::Stage, Platform::Web, Platform::Android],
        }
    }
}

/// Ways that other tools have and that do not exist here, with the reason.
pub const ABSENT: &[(&str, &str)] = &[
    (
        "a tap by the device's own query (Maestro direct)",
        "a script's `tapOn` is a press by a selector like any other: one way, one set of guards",
    ),
    (
        "an action on the element without a touch (click(), ACTION_CLICK)",
        "covered and disabled elements would react to it, and a person's touch does something else",
    ),
];

/// The paths by which an input can come about. Every input belongs to one: what none leads to does not compile.
pub const fn paths_of(input: &Input) -> &'static [Path] {
    match input {
        Input::Press { .. } => &[Path::Selector, Path::Ref, Path::Point, Path::Find],
        Input::DoublePress { .. } | Input::Hover { .. } => &[Path::Selector, Path::Ref, Path::Point],
        Input::Fill { .. } => &[Path::Fill, Path::Point, Path::Find],
        Input::Upload { .. } => &[Path::Upload],
        Input::Type { .. } => &[Path::Focus, Path::Find],
        Input::Touch { .. } => &[Path::Drag, Path::Movement],
        Input::Swipe { .. } => &[Path::Movement],
        Input::Scroll { .. } => &[Path::Scroll],
        Input::AnswerDialog { .. } => &[Path::Dialog],
        Input::Navigate { .. }
        | Input::Back
        | Input::Home
        | Input::Viewport { .. }
        | Input::CloseWindow { .. }
        | Input::AppSwitcher
        | Input::Orientation { .. }
        | Input::HideKeyboard
        | Input::Enter
        | Input::Clipboard { .. }
        | Input::Setting(_) => &[Path::System],
    }
}
