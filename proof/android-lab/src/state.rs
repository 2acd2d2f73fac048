//! What is true of the device between two commands.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::PathBuf,
    sync::Arc,
};

use serde_json::{Value, json};
use stage::{Probe, StageDevice};
use tokio::{sync::Notify, time::Instant};

use crate::{display::Display, process::Process};

/// The package of the home screen.
pub const LAUNCHER: &str = "com.android.launcher3";
/// The keyboard that the device comes with.
pub const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

/// The device.
#[derive(Debug)]
pub struct State {
    /// Its display.
    pub display: Display,
    /// Properties.
    pub properties: BTreeMap<String, String>,
    /// Settings by `namespace/key`.
    pub settings: BTreeMap<String, String>,
    /// What is installed.
    pub packages: BTreeMap<String, Package>,
    /// Permissions that are refused without a question: package and permission.
    pub fixed: BTreeSet<(String, String)>,
    /// Stage apps that run.
    pub running: BTreeMap<String, Running>,
    /// The package in front.
    pub front: String,
    /// Packages that were in front before, the last one at the end.
    pub behind: Vec<String>,
    /// A system dialog over everything, by its package.
    pub over: Option<String>,
    /// Processes of instrumentations.
    pub processes: Vec<Process>,
    /// Processes of `screenrecord`.
    pub recorders: Vec<i32>,
    /// The inside of the app of each package that was started last, also after its end.
    pub probes: BTreeMap<String, Probe>,
    /// The process that holds UiAutomation, if one does.
    pub automation: Option<i32>,
    /// Text of the clipboard; `None` where nothing is on it.
    pub clipboard: Option<String>,
    /// How often a text was put on it.
    pub copies: u32,
    /// How often text was put into a field, or a field's text replaced.
    pub entries: u32,
    /// Keys and global actions that took effect.
    pub keys: u32,
    /// Inputs and connections that count as accessibility events: when the last one was.
    pub last_event: Option<Instant>,
    /// The log, newest last, and how many lines were ever written.
    pub log: VecDeque<LogLine>,
    /// Lines ever written.
    pub logged: u64,
    /// Input method services that may be chosen.
    pub keyboards: Vec<String>,
    /// Radios and the like: `wifi`, `data`.
    pub switches: BTreeMap<String, bool>,
    /// Screen on.
    pub awake: bool,
    /// Every broadcast of a shell: its words.
    pub broadcasts: Vec<Vec<String>>,
    /// What receivers made of broadcasts, by their number: result code and data.
    pub broadcast_results: BTreeMap<u64, (i64, Option<String>)>,
    /// Every command that was run: its words.
    pub commands: Vec<Vec<String>>,
    /// Accessibility ids handed out, by what they stand for.
    pub ids: BTreeMap<String, i32>,
    /// Rewrites each answer to "what is on the screen".
    pub edit: Option<SceneEdit>,
    /// Faults of the double, as in a scene's file.
    pub faults: Value,
    /// What the next installs say instead.
    pub install_faults: VecDeque<String>,
    /// The clipboard can be asked for through `cmd clipboard`, as some vendors' systems allow.
    pub clipboard_by_cmd: bool,
    /// The display stays as it is, whatever the settings say.
    pub keeps_rotation: bool,
    /// What `screenrecord` says instead of recording.
    pub recorder_fault: Option<String>,
    /// Refuses packages that are test-only even with `-t`, as some vendors do.
    pub refuses_test_only: bool,
}

/// Changes a scene before the double sees it.
#[derive(Clone)]
pub struct SceneEdit(pub Arc<dyn Fn(&mut Value) + Send + Sync>);

impl std::fmt::Debug for SceneEdit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SceneEdit")
    }
}

/// One line of the log.
#[derive(Debug, Clone)]
pub struct LogLine {
    /// Since the epoch, ms.
    pub at_ms: u64,
    /// Whose.
    pub pid: i32,
    /// `I`, `W`, `E`, ...
    pub level: char,
    /// Tag.
    pub tag: String,
    /// Text.
    pub text: String,
}

/// What is installed under one name.
#[derive(Debug, Clone)]
pub struct Package {
    /// What it is.
    pub kind: Kind,
    /// Version code.
    pub version_code: i64,
    /// Version name.
    pub version_name: String,
    /// Granted permissions.
    pub granted: Vec<String>,
    /// Part of the system image.
    pub system: bool,
}

/// What runs when a package does.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A stage app: `demo` or a file.
    Stage {
        /// What the stage loads.
        app: String,
        /// The name on the home screen.
        title: String,
    },
    /// An APK that was installed.
    Apk {
        /// Where it lies on this machine.
        file: PathBuf,
        /// Where it lies on the device.
        path: String,
        /// Its instrumentations: class and target package.
        instrumentations: Vec<(String, String)>,
        /// Its input method services, as components.
        keyboards: Vec<String>,
        /// Who signed it, as far as can be told.
        signer: Option<String>,
    },
    /// A part of the system that does nothing.
    System,
}

/// A stage app that runs.
#[derive(Debug, Clone)]
pub struct Running {
    /// The app.
    pub device: Arc<StageDevice>,
    /// Its inside.
    pub probe: Probe,
    /// The process that a shell sees for it.
    pub pid: i32,
    /// Ends that process.
    pub end: Arc<Notify>,
}

impl State {
    /// A device that has just started.
    pub fn new(display: Display, api: u32, serial: &str) -> Self {
        let release = match api {
            23 => "6.0",
            24 => "7.0",
            25 => "7.1",
            26 | 27 => "8.1.0",
            28 => "9",
            29 => "10",
            30 => "11",
            31 | 32 => "12",
            33 => "13",
            34 => "14",
            35 => "15",
            _ => "16",
        };
        let properties = [
            ("ro.build.version.sdk", api.to_string()),
            ("ro.build.version.release", release.to_owned()),
            ("ro.product.model", "Lab phone".to_owned()),
            ("ro.product.manufacturer", "agent-device".to_owned()),
            ("ro.product.brand", "lab".to_owned()),
            ("ro.product.name", "lab".to_owned()),
            ("ro.product.device", "lab".to_owned()),
            ("ro.product.cpu.abi", "x86_64".to_owned()),
            ("ro.build.characteristics", "default".to_owned()),
            ("ro.build.type", "user".to_owned()),
            ("ro.build.fingerprint", format!("lab/lab/lab:{release}/LAB/1:user/release-keys")),
            ("ro.serialno", serial.to_owned()),
            ("ro.sf.lcd_density", crate::display::DENSITY.to_string()),
            ("sys.boot_completed", "1".to_owned()),
            ("dev.bootcomplete", "1".to_owned()),
            ("init.svc.bootanim", "stopped".to_owned()),
            ("persist.sys.timezone", "UTC".to_owned()),
        ];
        let settings = [
            ("secure/default_input_method", KEYBOARD),
            ("secure/enabled_input_methods", KEYBOARD),
            ("secure/show_ime_with_hard_keyboard", "0"),
            ("secure/accessibility_enabled", "0"),
            ("system/accelerometer_rotation", "1"),
            ("system/user_rotation", "0"),
            ("system/screen_brightness", "102"),
            ("global/airplane_mode_on", "0"),
            ("global/wifi_on", "1"),
            ("global/window_animation_scale", "1.0"),
            ("global/transition_animation_scale", "1.0"),
            ("global/animator_duration_scale", "1.0"),
            ("global/adb_enabled", "1"),
            ("secure/location_mode", "3"),
        ];
        let system = |name: &str| {
            let package = Package {
                kind: Kind::System,
                version_code: i64::from(api),
                version_name: release.to_owned(),
                granted: Vec::new(),
                system: true,
            };
            (name.to_owned(), package)
        };
        let own = |(key, value): (&str, String)| (key.to_owned(), value);
        Self {
            display,
            properties: properties.into_iter().map(own).collect(),
            settings: settings.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            packages: ["android", "com.android.systemui", "com.android.settings", "com.android.inputmethod.latin"]
                .into_iter()
                .map(system)
                .collect(),
            fixed: BTreeSet::new(),
            running: BTreeMap::new(),
            front: LAUNCHER.to_owned(),
            behind: Vec::new(),
            over: None,
            processes: Vec::new(),
            recorders: Vec::new(),
            probes: BTreeMap::new(),
            automation: None,
            clipboard: None,
            copies: 0,
            entries: 0,
            keys: 0,
            last_event: None,
            log: VecDeque::new(),
            logged: 0,
            keyboards: vec![KEYBOARD.to_owned()],
            switches: [("wifi".to_owned(), true), ("data".to_owned(), true)].into(),
            awake: true,
            broadcasts: Vec::new(),
            broadcast_results: BTreeMap::new(),
            commands: Vec::new(),
            ids: BTreeMap::new(),
            edit: None,
            faults: json!({}),
            install_faults: VecDeque::new(),
            clipboard_by_cmd: false,
            keeps_rotation: false,
            recorder_fault: None,
            refuses_test_only: false,
        }
    }

    /// The number that stands for something in answers about the screen; the same one as long as the device runs.
    pub fn id_of(&mut self, what: String) -> i32 {
        let next = i32::try_from(self.ids.len()).unwrap_or(i32::MAX).saturating_add(1);
        *self.ids.entry(what).or_insert(next)
    }

    /// Puts a text on the clipboard.
    pub fn copy(&mut self, text: &str) {
        self.clipboard = Some(text.to_owned());
        self.copies += 1;
    }

    /// The keyboard that is chosen.
    pub fn keyboard(&self) -> String {
        self.settings.get("secure/default_input_method").cloned().unwrap_or_default()
    }
}
