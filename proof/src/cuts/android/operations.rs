//! Every operation of the Android backend that changes something, and how the device counts it.

use Step::{Front, Run, Shell};

use crate::android::{HELPER, Phone};

/// The package that the app is installed as.
pub const APP: &str = "com.example.cuts";
/// What is copied onto the device.
pub const PUSHED: &str = "Übertragen 日本\n";
/// Where to.
pub const TO: &str = "data/local/tmp/cuts-pushed";

/// Commands that Android devices are not able to do: refused before anything is sent.
pub const NOT_HERE: &[&str] = &["hover", "viewport", "upload", "windows"];

/// Commands that reach no device through the adb server, and why.
pub const ELSEWHERE: &[(&str, &str)] = &[
    ("boot", "starts the emulator's program, which no lab has"),
    ("shutdown", "speaks to the emulator's console, not to the adb server"),
    ("pair", "is between the adb server and a phone on the network: nothing is sent to a device"),
    ("daemon", "speaks to the daemon"),
    ("trace", "only looks"),
    ("session", "writes a file of the caller's at most"),
];

/// Something that is done beside the proxy, or through it while nothing is cut.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// The app comes in front.
    Front,
    /// A command of the session.
    Run(&'static str),
    /// A line in the device's own shell, through the real adb.
    Shell(&'static str),
}

/// Places of a side of more than [`crate::cuts::WHOLE`] bytes: a capture.
pub const BEYOND: usize = 400;
/// The same where a package is carried: each of them is carried anew.
pub const PACKAGE: usize = 60;

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// As its line of figures is called.
    pub name: &'static str,
    /// The command that it is one of.
    pub command: &'static str,
    /// What is typed. `{file}`, `{apk}`: files that exist.
    pub line: &'static str,
    /// How often the device counts it.
    pub asked: u32,
    /// Before all of it.
    pub set_up: &'static [Step],
    /// Before each run.
    pub ready: &'static [Step],
    /// What the device counted so far. A state is a count of 0 or 1: it is made ready to be 0.
    pub count: fn(&Phone<'_>) -> u32,
    /// The count is of this alone: what is done to make it ready does not count.
    pub alone: bool,
    /// Beginnings of what an exchange that changes something is about.
    pub changes: &'static [&'static str],
    /// It takes long: each byte is cut by FIN or by RST in turn, not by both.
    pub slow: bool,
    /// What only looks is cut at every byte too: its like in other operations is not, then.
    pub looks: bool,
    /// Places of a side of more than [`crate::cuts::WHOLE`] bytes.
    pub beyond: usize,
}

impl Operation {
    /// How the lines of the programs begin that change something.
    pub fn programs(&self) -> impl Iterator<Item = &'static str> {
        let begin =
            |changes: &&'static str| Some(changes.rsplit_once(':')?.1).filter(|_| !changes.starts_with("helper:"));
        self.changes.iter().filter_map(begin).filter(|line| !line.is_empty())
    }
}

/// What the others are like.
const BASE: Operation = Operation {
    name: "",
    command: "",
    line: "",
    asked: 1,
    set_up: &[],
    ready: &[],
    count: gestures,
    alone: true,
    changes: TO_HELPER,
    slow: false,
    looks: false,
    beyond: BEYOND,
};

/// Commands of the helper that change something.
const TO_HELPER: &[&str] =
    &["helper:gesture", "helper:text", "helper:action", "helper:key", "helper:global", "helper:clipboard"];
/// Programs of a shell.
const SHELL: &[&str] = &["shell,v2,raw:"];

fn presses_of(phone: &Phone<'_>, id: &str) -> u32 {
    phone.device.probe(APP).map_or(0, |probe| probe.effects(id).presses)
}

fn presses(phone: &Phone<'_>) -> u32 {
    presses_of(phone, "save")
}

fn gestures(phone: &Phone<'_>) -> u32 {
    u32::try_from(phone.device.gestures().len()).unwrap_or(u32::MAX)
}

fn keys(phone: &Phone<'_>) -> u32 {
    phone.device.keys()
}

fn answers(phone: &Phone<'_>) -> u32 {
    let answered = |entry: &String| entry.starts_with("dialog");
    let log = phone.device.probe(APP).map(|probe| probe.log()).unwrap_or_default();
    u32::try_from(log.iter().filter(|entry| answered(entry)).count()).unwrap_or(u32::MAX)
}

fn entered(phone: &Phone<'_>) -> u32 {
    phone.device.entries()
}

/// A movement of fingers.
const MOVE: Operation = Operation { command: "gesture", ..BASE };

/// To film only looks: nothing is counted, and what is asked for is that the session stays usable.
const FILM: Operation = Operation { command: "record", asked: 0, count: |_| 0, changes: SHELL, slow: true, ..BASE };

/// All of them; those that take longest first.
pub const OPERATIONS: &[Operation] = &[
    Operation {
        name: "install",
        command: "install",
        line: "install {apk}",
        set_up: &[Run("close")],
        ready: &[Shell("pm uninstall com.callstack.agentdevice.snapshothelper")],
        count: |phone| u32::from(phone.device.version_of(HELPER).is_some()),
        alone: false,
        changes: &["exec:cmd package install"],
        slow: true,
        beyond: PACKAGE,
        ..BASE
    },
    Operation {
        name: "reinstall",
        command: "reinstall",
        line: "reinstall com.callstack.agentdevice.snapshothelper {apk}",
        asked: 2,
        set_up: &[Run("close")],
        count: |phone| phone.ran(&["pm", "uninstall"]) + phone.ran(&["package", "install"]),
        changes: &["exec:cmd package install", "shell,v2,raw:{ pm uninstall"],
        slow: true,
        beyond: PACKAGE,
        ..BASE
    },
    Operation { name: "press", command: "press", line: "press id=save", count: presses, looks: true, ..BASE },
    Operation {
        name: "double press",
        command: "press",
        line: "press id=save --double-tap",
        asked: 2,
        count: presses,
        slow: true,
        ..BASE
    },
    Operation {
        name: "hold",
        command: "press",
        line: "press id=save --hold-ms 200",
        count: presses,
        slow: true,
        ..BASE
    },
    Operation {
        name: "series",
        command: "press",
        line: "press id=save --count 3",
        asked: 3,
        count: presses,
        slow: true,
        ..BASE
    },
    Operation {
        name: "longpress",
        command: "longpress",
        line: "longpress id=save 520",
        count: presses,
        slow: true,
        ..BASE
    },
    Operation { name: "fill", command: "fill", line: "fill id=name Grüße", count: entered, ..BASE },
    Operation {
        name: "type",
        command: "type",
        line: "type a",
        set_up: &[Run("press id=name")],
        count: entered,
        ..BASE
    },
    Operation { name: "focus", command: "focus", line: "focus id=name", slow: true, ..BASE },
    Operation {
        name: "scroll",
        command: "scroll",
        line: "scroll down --in id=rows",
        ready: &[Run("scroll top --in id=rows")],
        alone: false,
        slow: true,
        ..BASE
    },
    Operation { name: "swipe", command: "swipe", line: "swipe 200 2200 600 2200 --duration-ms 40", ..BASE },
    Operation { name: "pan", line: "gesture pan 200 2200 200 0 --duration-ms 40", slow: true, ..MOVE },
    Operation { name: "fling", line: "gesture fling right 180 200 2200 --duration-ms 40", slow: true, ..MOVE },
    Operation { name: "pinch", line: "gesture pinch 1.5 500 2000 --duration-ms 40", slow: true, ..MOVE },
    Operation { name: "rotate", line: "gesture rotate 30 500 2000 --duration-ms 40", slow: true, ..MOVE },
    Operation {
        name: "transform",
        line: "gesture transform 500 2000 20 20 1.2 10 --duration-ms 40",
        slow: true,
        ..MOVE
    },
    Operation {
        name: "drag",
        line: "gesture drag 200 2200 600 2200 --hold-ms 0 --drop-hold-ms 0 --duration-ms 40",
        slow: true,
        ..MOVE
    },
    Operation { name: "back", command: "back", line: "back", ready: &[Front], count: keys, ..BASE },
    Operation { name: "home", command: "home", line: "home", ready: &[Front], count: keys, slow: true, ..BASE },
    Operation {
        name: "app switcher",
        command: "app-switcher",
        line: "app-switcher",
        ready: &[Front],
        count: keys,
        slow: true,
        ..BASE
    },
    Operation {
        name: "alert accept",
        command: "alert",
        line: "alert accept",
        ready: &[Run("press id=ask")],
        count: answers,
        slow: true,
        ..BASE
    },
    Operation {
        name: "find and press",
        command: "find",
        line: "find Sichern click",
        count: presses,
        slow: true,
        ..BASE
    },
    Operation {
        name: "batch",
        command: "batch",
        line: r#"batch --steps '["press id=save", "press id=save"]'"#,
        asked: 2,
        count: presses,
        slow: true,
        ..BASE
    },
    Operation {
        name: "keyboard enter",
        command: "keyboard",
        line: "keyboard enter",
        set_up: &[Run("press id=name")],
        count: keys,
        ..BASE
    },
    Operation {
        name: "keyboard dismiss",
        command: "keyboard",
        line: "keyboard dismiss",
        ready: &[Run("press id=note")],
        count: keys,
        changes: &["shell,v2,raw:input"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "clipboard write",
        command: "clipboard",
        line: "clipboard write 'Grüße 日本'",
        count: |phone| phone.device.copies(),
        ..BASE
    },
    Operation {
        name: "orientation",
        command: "orientation",
        line: "orientation landscape-left",
        count: |phone| phone.ran(&["settings", "put", "system", "user_rotation"]),
        changes: &["shell,v2,raw:{ settings put"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings wifi",
        command: "settings",
        line: "settings wifi off",
        count: |phone| phone.ran(&["svc", "wifi"]),
        changes: &["shell,v2,raw:{ svc"],
        ..BASE
    },
    Operation {
        name: "settings airplane",
        command: "settings",
        line: "settings airplane on",
        count: |phone| phone.ran(&["connectivity", "airplane-mode"]),
        changes: &["shell,v2,raw:{ cmd connectivity"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings location",
        command: "settings",
        line: "settings location off",
        count: |phone| phone.ran(&["location", "set-location-enabled"]),
        changes: &["shell,v2,raw:{ cmd location"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings animations",
        command: "settings",
        line: "settings animations off",
        asked: 3,
        count: |phone| phone.ran(&["settings", "put", "global"]),
        changes: &["shell,v2,raw:{ settings put"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings appearance",
        command: "settings",
        line: "settings appearance dark",
        count: |phone| phone.ran(&["uimode", "night", "yes"]),
        changes: &["shell,v2,raw:{ cmd uimode"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings permission",
        command: "settings",
        line: "settings permission grant camera",
        count: |phone| phone.ran(&["pm", "grant"]),
        changes: &["shell,v2,raw:{ pm grant"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "settings clear-app-state",
        command: "settings",
        line: "settings clear-app-state",
        ready: &[Front],
        count: |phone| phone.ran(&["pm", "clear"]),
        changes: &["shell,v2,raw:{ am force-stop"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "open",
        command: "open",
        line: "open com.example.cuts",
        count: |phone| phone.ran(&["am", "start"]),
        changes: &["shell,v2,raw:am start"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "open --relaunch",
        command: "open",
        line: "open com.example.cuts --relaunch",
        count: |phone| phone.ran(&["am", "start"]),
        changes: &["shell,v2,raw:am start"],
        slow: true,
        ..BASE
    },
    Operation {
        name: "open a session",
        command: "open",
        line: "open com.example.cuts",
        ready: &[Run("close")],
        count: |phone| phone.ran(&["am", "start"]),
        changes: &["shell,v2,raw:am start"],
        slow: true,
        looks: true,
        ..BASE
    },
    Operation {
        name: "close",
        command: "close",
        line: "close",
        ready: &[Run("open com.example.cuts")],
        count: |phone| phone.ran(&["am", "force-stop", APP]),
        changes: SHELL,
        slow: true,
        ..BASE
    },
    Operation {
        name: "push",
        command: "push",
        line: "push {file} /data/local/tmp/cuts-pushed",
        ready: &[Shell("rm -f /data/local/tmp/cuts-pushed")],
        count: |phone| u32::from(phone.device.root().join(TO).exists()),
        alone: false,
        changes: &["sync:"],
        ..BASE
    },
    Operation { name: "record start", line: "record start {film}", ready: &[Run("record stop")], ..FILM },
    Operation { name: "record stop", line: "record stop", ready: &[Run("record start {film}")], ..FILM },
];
