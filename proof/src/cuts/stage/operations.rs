//! Every operation that changes the simulated device: how it is asked for, what makes the app ready for it, and what
//! counts it.

/// The app.
pub const APP: &str = include_str!("../../../assets/cuts.toml");

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// Its line in the figures.
    pub name: &'static str,
    /// The command that it is an operation of, by its own name.
    pub command: &'static str,
    /// As a person types it. `{app}` is the app's file.
    pub line: &'static str,
    /// What is run before it.
    pub ready: &'static [&'static str],
    /// What counts it. How often it is asked for is what that counts where nothing is wrong.
    pub count: Count,
    /// How long the request may take, ms. Short: many limits have to pass.
    pub limit_ms: u64,
}

/// What counts an operation on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Everything that the app notes: each press, each character, each scroll.
    Log,
    /// Apps that were started.
    Started,
    /// Apps that were ended.
    Closed,
}

/// How long closing may take, whatever the request's limit, ms: it is not given up when a caller is.
pub const CLOSING: u64 = 10_000;
/// The limit of a request that closes.
const WITH_CLOSING: u64 = CLOSING + 2_000;

const fn operation(name: &'static str, command: &'static str, line: &'static str) -> Operation {
    Operation { name, command, line, ready: &[], count: Count::Log, limit_ms: 400 }
}

const fn after(operation: Operation, ready: &'static [&'static str]) -> Operation {
    Operation { ready, ..operation }
}

/// Every operation.
pub const OPERATIONS: &[Operation] = &[
    operation("press", "press", "press id=press"),
    operation("press point", "press", "press 195 84"),
    operation("press series", "press", "press id=press --count 3"),
    operation("press double", "press", "press id=press --double-tap"),
    operation("press hold", "press", "press id=press --hold-ms 40"),
    operation("press, verify", "press", "press id=press --verify"),
    operation("longpress", "longpress", "longpress id=press 40"),
    operation("hover", "hover", "hover id=press"),
    operation("focus", "focus", "focus id=field"),
    operation("fill", "fill", "fill id=field hello"),
    operation("fill slowly", "fill", "fill id=field abc --delay-ms 10"),
    after(operation("type", "type", "type abc"), &["focus id=field"]),
    after(operation("type slowly", "type", "type abc --delay-ms 10"), &["focus id=field"]),
    operation("scroll", "scroll", "scroll down --pixels 50 --in id=rows"),
    operation("scroll to an end", "scroll", "scroll bottom --in id=rows"),
    operation("swipe", "swipe", "swipe 200 600 200 500 --duration-ms 20"),
    operation("swipe series", "swipe", "swipe 200 600 200 500 --duration-ms 20 --count 2"),
    operation("pan", "gesture", "gesture pan id=press 30 0 --duration-ms 20"),
    operation("fling", "gesture", "gesture fling right 40 195 84"),
    operation("drag", "gesture", "gesture drag id=press id=leave --hold-ms 20 --duration-ms 20"),
    operation("pinch", "gesture", "gesture pinch 1.5 --duration-ms 20"),
    operation("rotate", "gesture", "gesture rotate 30 --duration-ms 20"),
    operation("transform", "gesture", "gesture transform id=press 5 5 1.2 10 --duration-ms 20"),
    after(operation("back", "back", "back"), &["press id=leave"]),
    after(operation("home", "home", "home"), &["press id=leave"]),
    operation("viewport", "viewport", "viewport 400 700"),
    after(operation("alert accept", "alert", "alert accept"), &["press id=ask"]),
    after(operation("alert dismiss", "alert", "alert dismiss"), &["press id=ask"]),
    after(operation("keyboard enter", "keyboard", "keyboard enter"), &["focus id=note"]),
    after(operation("keyboard dismiss", "keyboard", "keyboard dismiss"), &["focus id=note"]),
    operation("find, click", "find", "find id press click"),
    operation("find, fill", "find", "find id field fill hello"),
    operation("find, type", "find", "find id field type hello"),
    operation("batch", "batch", "batch --steps '[\"press id=press\",\"fill id=field hello\"]'"),
    operation("open another", "open", "open {app}"),
    Operation { count: Count::Started, ..operation("open", "open", "open {app}") },
    Operation {
        count: Count::Started,
        limit_ms: WITH_CLOSING,
        ..operation("relaunch", "open", "open {app} --relaunch")
    },
    Operation { count: Count::Closed, limit_ms: WITH_CLOSING, ..operation("close", "close", "close") },
];

/// Commands that change something elsewhere and nothing here, and why.
pub const ELSEWHERE: &[(&str, &str)] = &[
    ("app-switcher", "the simulated device runs one app"),
    ("orientation", "the simulated device has no sensors"),
    ("clipboard", "the simulated device has none"),
    ("settings", "the simulated device has none"),
    ("upload", "a stage app has no file fields"),
    ("windows", "a stage app has one window"),
    ("install", "stage apps are files"),
    ("reinstall", "stage apps are files"),
    ("push", "the simulated device has no files"),
    ("boot", "the simulated device is always on"),
    ("shutdown", "the simulated device is always on"),
    ("pair", "the simulated device is in the program"),
    ("daemon", "speaks to the daemon"),
    ("trace", "only looks"),
    ("session", "writes a file of the caller's at most"),
    ("record", "the simulated device makes pictures, no films"),
];
