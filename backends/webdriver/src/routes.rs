//! Every request that is ever sent: its path, its effect, and what its errors prove.

use contract::{Code, Effect, Row};
use hyper::Method;

/// One kind of request. The argument of a path, where it has one, is the element's or window's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// Starts a browser.
    NewSession,
    /// Ends it.
    DeleteSession,
    /// Goes to an address.
    Navigate,
    /// One step back in the history.
    Back,
    /// A script that only looks.
    Look,
    /// A script that changes the page.
    Alter,
    /// Pointer actions.
    Actions,
    /// Lets go of everything that is held down.
    ReleaseActions,
    /// Keys or files for an element.
    Keys,
    /// Makes the top document the one that scripts run in.
    Top,
    /// The same for a frame of the document that they run in now.
    Frame,
    /// The same for the frame around.
    ParentFrame,
    /// Text of the open dialog.
    AlertText,
    /// Enters text into a prompt.
    AlertType,
    /// Confirms a dialog.
    AlertAccept,
    /// Cancels a dialog.
    AlertDismiss,
    /// Ids of all windows.
    Windows,
    /// Id of the current window.
    Window,
    /// Makes a window the current one.
    SwitchWindow,
    /// Closes the current window.
    CloseWindow,
    /// How long a page may take to load, for the driver.
    Timeouts,
    /// Sets the outer size of the window.
    WindowRect,
    /// The same before there is a page.
    FirstWindowRect,
    /// Address of the top document.
    Address,
    /// Title of the top document.
    Title,
    /// A picture of the viewport.
    Screenshot,
    /// Firefox: a picture of the whole page.
    MozScreenshot,
    /// Chromium: a DevTools command that only looks.
    CdpLook,
    /// Chromium: a DevTools command that sets the browser up, not the page.
    CdpSetUp,
}

/// How a request is spelt and what it does.
#[derive(Debug)]
pub struct Spec {
    /// GET, POST, DELETE.
    pub method: Method,
    /// After `/session/{id}`; `{}` stands for the argument.
    pub path: &'static str,
    /// What it does to the app.
    pub effect: Effect,
    /// For messages: "could not {doing}".
    pub doing: &'static str,
}

impl Route {
    /// Every route.
    pub const ALL: &'static [Route] = &[
        Route::NewSession,
        Route::DeleteSession,
        Route::Navigate,
        Route::Back,
        Route::Look,
        Route::Alter,
        Route::Actions,
        Route::ReleaseActions,
        Route::Keys,
        Route::Top,
        Route::Frame,
        Route::ParentFrame,
        Route::AlertText,
        Route::AlertType,
        Route::AlertAccept,
        Route::AlertDismiss,
        Route::Windows,
        Route::Window,
        Route::SwitchWindow,
        Route::CloseWindow,
        Route::Timeouts,
        Route::WindowRect,
        Route::FirstWindowRect,
        Route::Address,
        Route::Title,
        Route::Screenshot,
        Route::MozScreenshot,
        Route::CdpLook,
        Route::CdpSetUp,
    ];

    /// Whether doing it twice comes to the same as doing it once: a look whose answer is lost is then sent once more.
    /// Steps into and out of frames start from where the last one led.
    pub fn repeatable(self) -> bool {
        matches!(self.spec().effect, Effect::Observes) && !matches!(self, Route::Frame | Route::ParentFrame)
    }

    /// How it is spelt and what it does. Starting and ending a browser is no effect on an app: it is not counted.
    pub const fn spec(self) -> Spec {
        use Effect::{Manages, Mutates, Observes};
        const fn spec(method: Method, path: &'static str, effect: Effect, doing: &'static str) -> Spec {
            Spec { method, path, effect, doing }
        }
        match self {
            Route::NewSession => spec(Method::POST, "", Manages, "start the browser"),
            Route::DeleteSession => spec(Method::DELETE, "", Manages, "end the browser"),
            Route::Navigate => spec(Method::POST, "/url", Mutates, "go to the address"),
            Route::Back => spec(Method::POST, "/back", Mutates, "go back"),
            Route::Look => spec(Method::POST, "/execute/sync", Observes, "look at the page"),
            Route::Alter => spec(Method::POST, "/execute/sync", Mutates, "change the page"),
            Route::Actions => spec(Method::POST, "/actions", Mutates, "perform the pointer actions"),
            Route::ReleaseActions => spec(Method::DELETE, "/actions", Mutates, "let go of the pointer"),
            Route::Keys => spec(Method::POST, "/element/{}/value", Mutates, "type"),
            Route::Top => spec(Method::POST, "/frame", Observes, "leave the frames"),
            Route::Frame => spec(Method::POST, "/frame", Observes, "enter the frame"),
            Route::ParentFrame => spec(Method::POST, "/frame/parent", Observes, "leave the frame"),
            Route::AlertText => spec(Method::GET, "/alert/text", Observes, "read the dialog"),
            Route::AlertType => spec(Method::POST, "/alert/text", Mutates, "type into the dialog"),
            Route::AlertAccept => spec(Method::POST, "/alert/accept", Mutates, "accept the dialog"),
            Route::AlertDismiss => spec(Method::POST, "/alert/dismiss", Mutates, "dismiss the dialog"),
            Route::Windows => spec(Method::GET, "/window/handles", Observes, "list the windows"),
            Route::Window => spec(Method::GET, "/window", Observes, "name the window"),
            Route::SwitchWindow => spec(Method::POST, "/window", Observes, "switch to the window"),
            Route::CloseWindow => spec(Method::DELETE, "/window", Mutates, "close the window"),
            Route::Timeouts => spec(Method::POST, "/timeouts", Manages, "set the time limits"),
            Route::WindowRect => spec(Method::POST, "/window/rect", Mutates, "change the window's size"),
            Route::FirstWindowRect => spec(Method::POST, "/window/rect", Manages, "set the window's size"),
            Route::Address => spec(Method::GET, "/url", Observes, "read the address"),
            Route::Title => spec(Method::GET, "/title", Observes, "read the title"),
            Route::Screenshot => spec(Method::GET, "/screenshot", Observes, "take a screenshot"),
            Route::MozScreenshot => {
                spec(Method::GET, "/moz/screenshot/full", Observes, "take a screenshot of the page")
            }
            Route::CdpLook => spec(Method::POST, "/goog/cdp/execute", Observes, "ask the browser"),
            Route::CdpSetUp => spec(Method::POST, "/goog/cdp/execute", Manages, "set the browser up"),
        }
    }
}

/// What an error of the driver means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The row that lists it.
    pub row: Row,
    /// Proven by the driver's tests: nothing of the request ran.
    pub nothing_ran: bool,
    /// What callers see.
    pub code: Code,
}

/// What an error code of the driver means on a route. Total: an unlisted code proves nothing.
///
/// Each `nothing_ran` of a route that mutates is held by a test against the real driver (`tests/browser/errors.rs`).
/// An input can fail half-way, and what is found then looks like what was there before: a browser that dies while a
/// button is held is `invalid session id` too. So whether the session, the window or a dialog was there *before* an
/// input is found out by a look that comes first; of the input's own errors only those count that are raised while
/// the request is read.
pub fn meaning(route: Route, error: &str) -> Meaning {
    const fn proof(row: Row, code: Code) -> Meaning {
        Meaning { row, nothing_ran: true, code }
    }
    const fn open(row: Row, code: Code) -> Meaning {
        Meaning { row, nothing_ran: false, code }
    }
    let mutates = matches!(route.spec().effect, Effect::Mutates);
    match (route, error) {
        (_, "tab crashed") => open(Row::WebdriverTabCrashed, Code::SessionLost),
        (Route::NewSession, _) => proof(Row::WebdriverBrowserNotStarted, Code::ToolMissing),
        (_, "invalid session id") if mutates => open(Row::WebdriverSessionLostInInput, Code::SessionLost),
        (_, "invalid session id") => proof(Row::WebdriverSessionGone, Code::SessionLost),
        (_, "no such window") if !mutates => proof(Row::WebdriverWindowGone, Code::CommandFailed),
        (_, "unexpected alert open") if !mutates => proof(Row::WebdriverAlertOpen, Code::AlertOpen),
        (_, "unexpected alert open") => open(Row::WebdriverErrorUnlisted, Code::AlertOpen),
        (_, "no such alert") => proof(Row::DaemonRefusalAlertAbsent, Code::AlertNotFound),
        (Route::AlertType, "element not interactable" | "unsupported operation") => {
            proof(Row::WebdriverKeysNotInteractable, Code::UnsupportedOperation)
        }
        (Route::Navigate, "invalid argument") => proof(Row::WebdriverNavigateBadUrl, Code::InvalidArgs),
        (Route::Navigate | Route::Back, "timeout") => open(Row::WebdriverNavigateTimeout, Code::Timeout),
        (Route::Navigate, "unknown error" | "insecure certificate") => {
            open(Row::WebdriverNavigateFailed, Code::OpenFailed)
        }
        (Route::Actions, "invalid argument") => proof(Row::WebdriverActionsInvalid, Code::InvalidArgs),
        (Route::Actions, "move target out of bounds") => open(Row::WebdriverActionsOutOfBounds, Code::OutsideViewport),
        (Route::Keys, "element not interactable") => proof(Row::WebdriverKeysNotInteractable, Code::ElementNotEditable),
        (Route::Keys, "stale element reference" | "no such element") => {
            proof(Row::WebdriverKeysStaleElement, Code::ElementNotFound)
        }
        (Route::Keys, "invalid argument") => proof(Row::WebdriverKeysInvalid, Code::InvalidArgs),
        (_, "timeout" | "script timeout") => open(Row::WebdriverErrorUnlisted, Code::Timeout),
        (_, "chrome not reachable" | "disconnected") => open(Row::WebdriverErrorUnlisted, Code::SessionLost),
        _ => open(Row::WebdriverErrorUnlisted, Code::CommandFailed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_nobody_listed_proves_nothing_on_any_route() {
        for route in Route::ALL.iter().filter(|route| **route != Route::NewSession) {
            let found = meaning(*route, "made up");
            assert_eq!((found.row, found.nothing_ran), (Row::WebdriverErrorUnlisted, false), "{route:?}");
        }
    }

    /// Every listed error on the routes where it means something, and beside them one where it means nothing or something else.
    #[test]
    fn each_listed_error_has_its_row_and_its_code() {
        const ONE: [&str; 1] = ["unknown error"];
        let unlisted = Row::WebdriverErrorUnlisted;
        for (routes, errors, row, nothing_ran, code) in [
            (vec![Route::NewSession], &ONE[..], Row::WebdriverBrowserNotStarted, true, Code::ToolMissing),
            (
                vec![Route::Title, Route::Keys, Route::NewSession],
                &["tab crashed"],
                Row::WebdriverTabCrashed,
                false,
                Code::SessionLost,
            ),
            (vec![Route::Keys], &["invalid session id"], Row::WebdriverSessionLostInInput, false, Code::SessionLost),
            (vec![Route::Title], &["invalid session id"], Row::WebdriverSessionGone, true, Code::SessionLost),
            (vec![Route::Title], &["no such window"], Row::WebdriverWindowGone, true, Code::CommandFailed),
            (vec![Route::Keys], &["no such window"], unlisted, false, Code::CommandFailed),
            (vec![Route::Title], &["unexpected alert open"], Row::WebdriverAlertOpen, true, Code::AlertOpen),
            (vec![Route::Keys], &["unexpected alert open"], unlisted, false, Code::AlertOpen),
            (
                vec![Route::AlertAccept, Route::AlertText],
                &["no such alert"],
                Row::DaemonRefusalAlertAbsent,
                true,
                Code::AlertNotFound,
            ),
            (
                vec![Route::AlertType],
                &["element not interactable", "unsupported operation"],
                Row::WebdriverKeysNotInteractable,
                true,
                Code::UnsupportedOperation,
            ),
            (vec![Route::Navigate], &["invalid argument"], Row::WebdriverNavigateBadUrl, true, Code::InvalidArgs),
            (vec![Route::Navigate, Route::Back], &["timeout"], Row::WebdriverNavigateTimeout, false, Code::Timeout),
            (
                vec![Route::Navigate],
                &["unknown error", "insecure certificate"],
                Row::WebdriverNavigateFailed,
                false,
                Code::OpenFailed,
            ),
            (vec![Route::Actions], &["invalid argument"], Row::WebdriverActionsInvalid, true, Code::InvalidArgs),
            (
                vec![Route::Actions],
                &["move target out of bounds"],
                Row::WebdriverActionsOutOfBounds,
                false,
                Code::OutsideViewport,
            ),
            (
                vec![Route::Keys],
                &["element not interactable"],
                Row::WebdriverKeysNotInteractable,
                true,
                Code::ElementNotEditable,
            ),
            (
                vec![Route::Keys],
                &["stale element reference", "no such element"],
                Row::WebdriverKeysStaleElement,
                true,
                Code::ElementNotFound,
            ),
            (vec![Route::Keys], &["invalid argument"], Row::WebdriverKeysInvalid, true, Code::InvalidArgs),
            (vec![Route::Title, Route::Keys], &["timeout", "script timeout"], unlisted, false, Code::Timeout),
            (
                vec![Route::Title, Route::Keys],
                &["chrome not reachable", "disconnected"],
                unlisted,
                false,
                Code::SessionLost,
            ),
            (
                vec![Route::Back, Route::Title],
                &["invalid argument", "unknown error", "element not interactable", "no such element"],
                unlisted,
                false,
                Code::CommandFailed,
            ),
        ] {
            for (route, error) in routes.iter().flat_map(|route| errors.iter().map(move |error| (*route, *error))) {
                assert_eq!(meaning(route, error), Meaning { row, nothing_ran, code }, "{route:?}: {error}");
            }
        }
    }

    #[test]
    fn an_action_list_that_fails_half_way_proves_nothing() {
        for error in
            ["move target out of bounds", "unexpected alert open", "no such window", "timeout", "unknown error"]
        {
            assert!(!meaning(Route::Actions, error).nothing_ran, "{error}");
        }
        assert!(meaning(Route::Actions, "invalid argument").nothing_ran);
    }

    #[test]
    fn what_was_there_before_an_input_is_never_read_off_the_inputs_own_error() {
        for route in Route::ALL.iter().filter(|route| route.spec().effect == Effect::Mutates) {
            for error in ["invalid session id", "no such window", "unexpected alert open", "tab crashed"] {
                assert!(!meaning(*route, error).nothing_ran, "{route:?} {error}");
            }
        }
    }

    #[test]
    fn what_starts_from_where_the_last_request_led_and_what_changes_the_page_is_not_repeated() {
        let once = |route: &&Route| !route.repeatable() && route.spec().effect == Effect::Observes;
        let steps: Vec<_> = Route::ALL.iter().filter(once).collect();
        assert_eq!(steps, [&Route::Frame, &Route::ParentFrame]);
        assert!(
            Route::ALL.iter().filter(|route| route.spec().effect != Effect::Observes).all(|route| !route.repeatable())
        );
    }

    #[test]
    fn only_routes_without_an_effect_on_the_app_are_reads_or_set_up() {
        let mutating: Vec<_> = Route::ALL
            .iter()
            .filter(|route| route.spec().effect == Effect::Mutates)
            .map(|route| route.spec().path)
            .collect();
        assert_eq!(
            mutating,
            [
                "/url",
                "/back",
                "/execute/sync",
                "/actions",
                "/actions",
                "/element/{}/value",
                "/alert/text",
                "/alert/accept",
                "/alert/dismiss",
                "/window",
                "/window/rect"
            ]
        );
    }
}
