//! What tells one browser from another: programs, packages, abilities.

use std::path::{Path, PathBuf};

use contract::{Capabilities, Capability, capability::Missing, command::Browser};

/// A browser's programs and where they come from.
#[derive(Debug)]
pub struct Facts {
    /// For people.
    pub name: &'static str,
    /// Names of the driver program.
    pub drivers: &'static [&'static str],
    /// Names or full paths of the browser.
    pub programs: &'static [&'static str],
    /// How both are installed on Debian.
    pub install: &'static str,
    /// Starts only where there is a display.
    pub needs_display: bool,
}

/// All browsers, the default first.
pub const ALL: [Browser; 3] = [Browser::Chrome, Browser::Firefox, Browser::Webkit];

/// The programs of a browser.
pub const fn facts(browser: Browser) -> &'static Facts {
    match browser {
        Browser::Chrome => &Facts {
            name: "Chromium",
            drivers: &["chromedriver"],
            programs: &[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
            ],
            install: "apt-get install chromium chromium-driver",
            needs_display: false,
        },
        Browser::Firefox => &Facts {
            name: "Firefox",
            drivers: &["geckodriver"],
            programs: &["firefox", "firefox-esr", "/Applications/Firefox.app/Contents/MacOS/firefox"],
            install: "apt-get install firefox-esr, and geckodriver with: cargo install geckodriver",
            needs_display: false,
        },
        Browser::Webkit => &Facts {
            name: "WebKitGTK",
            drivers: &["WebKitWebDriver"],
            programs: &[
                "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
                "/usr/lib/x86_64-linux-gnu/webkitgtk-6.0/MiniBrowser",
                "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser",
                "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
            ],
            install: "apt-get install webkit2gtk-driver dbus xvfb",
            needs_display: true,
        },
    }
}

/// The browser of a device's id.
pub fn of_device(device: &str) -> Option<Browser> {
    ALL.into_iter().find(|browser| browser.to_string() == device)
}

/// The first of these programs that is there: names in `PATH`, full paths as they are.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        if name.starts_with('/') {
            return Some(PathBuf::from(name)).filter(|full| is_program(full));
        }
        folders.iter().map(|folder| folder.join(name)).find(|full| is_program(full))
    })
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The programs that start a browser.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The driver.
    pub driver: PathBuf,
    /// The browser.
    pub browser: PathBuf,
    /// `Xvfb`, for a browser that needs a display where there is none.
    pub xvfb: Option<PathBuf>,
    /// `dbus-run-session`, where the browser wants a message bus.
    pub dbus: Option<PathBuf>,
}

/// Finds what starts a browser, or says what is missing and how it is installed.
///
/// # Errors
/// What is missing, for people.
pub fn programs(browser: Browser) -> Result<Programs, String> {
    let facts = facts(browser);
    let missing = |what: &str| format!("{what} is not installed ({})", facts.install);
    let driver = find(facts.drivers).ok_or_else(|| missing(facts.drivers.first().unwrap_or(&"the driver")))?;
    let found = find(facts.programs).ok_or_else(|| missing(facts.name))?;
    let mut programs = Programs { driver, browser: found, xvfb: None, dbus: None };
    if facts.needs_display {
        programs.dbus = find(&["dbus-run-session"]);
        if !has_display() {
            programs.xvfb = Some(find(&["Xvfb"]).ok_or_else(|| {
                format!(
                    "{} needs a display: there is none, and Xvfb is not installed (apt-get install xvfb)",
                    facts.name
                )
            })?);
        }
    }
    Ok(programs)
}

/// Whether this process was given a display.
pub fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// What a session of a browser can do.
///
/// `mobile`: an emulated phone. `local`: the browser runs on this machine, so that files can be handed over.
pub fn capabilities(browser: Browser, mobile: bool, local: bool) -> Capabilities {
    use Capability as C;
    let everything = [
        C::Snapshot,
        C::Screenshot,
        C::Tap,
        C::Touch,
        C::MouseButtons,
        C::Hover,
        C::LongPress,
        C::Swipe,
        C::Type,
        C::Fill,
        C::Scroll,
        C::ScrollIntoView,
        C::Back,
        C::Home,
        C::Viewport,
        C::Alert,
        C::Upload,
        C::Downloads,
        C::Windows,
        C::Gesture,
    ];
    let mut cannot = Vec::new();
    let mut miss = |capability, reason: &str| cannot.push(Missing { capability, reason: reason.to_owned() });
    for (capability, reason) in [
        (C::AppSwitcher, "a browser has tabs instead: agent-device windows"),
        (C::Orientation, "a page has a viewport instead: agent-device viewport"),
        (C::Keyboard, "a browser on a desktop has no on-screen keyboard"),
        (C::Clipboard, "WebDriver has no way to the clipboard"),
        (C::Settings, "a browser has no settings of a phone"),
        (C::Appstate, "a browser has tabs instead: agent-device windows"),
        (C::Logs, "WebDriver has no standard way to the console"),
        (C::Perf, "WebDriver measures nothing"),
        (C::Record, "WebDriver makes pictures, no films"),
    ] {
        miss(capability, reason);
    }
    match browser {
        Browser::Chrome if !mobile => {
            miss(C::Touch, "a desktop page has a mouse; open with --mobile 390x844@3 for touch")
        }
        Browser::Chrome => {
            miss(C::MouseButtons, "an emulated phone has touch, no mouse buttons");
            miss(C::Hover, "an emulated phone has no pointer that hovers");
            miss(C::Viewport, "the size of an emulated phone is fixed when it is opened: --mobile WxH@RATIO");
        }
        Browser::Firefox => miss(C::Touch, "Firefox cannot emulate a phone through its driver (no --mobile)"),
        Browser::Webkit => {
            miss(C::Touch, "WebKitWebDriver accepts touch and sends mouse events instead");
            miss(C::LongPress, "WebKitWebDriver does not keep a button down for a time");
            miss(C::Downloads, "WebKitGTK's MiniBrowser does not save files by itself");
        }
    }
    if !local {
        miss(C::Downloads, "the browser runs elsewhere: what it saves is not on this machine");
    }
    let can = everything.into_iter().filter(|one| !cannot.iter().any(|missing| missing.capability == *one)).collect();
    Capabilities { can, cannot }
}

/// Why a browser cannot emulate a phone; `None` where it can.
pub const fn no_mobile(browser: Browser) -> Option<&'static str> {
    match browser {
        Browser::Chrome => None,
        Browser::Firefox => {
            Some("Firefox cannot emulate a phone through its driver: use --browser chrome for --mobile")
        }
        Browser::Webkit => Some("WebKitGTK cannot emulate a phone: use --browser chrome for --mobile"),
    }
}

/// Whether the driver drops characters beyond U+FFFF (emoji) from keys, silently.
pub const fn drops_emoji(browser: Browser) -> bool {
    matches!(browser, Browser::Webkit)
}
