//! A device of the lab with an app of so many nodes, and whether a press really arrived there.

use std::{
    fmt::Write as _,
    fs,
    time::{Duration, Instant},
};

use android_lab::{Lab, LabDevice, Options};
use tokio::runtime::Runtime;

/// Buttons in a row of a grid.
const COLUMNS: u32 = 10;
/// How long a press may take to arrive after its command has ended.
const ARRIVAL: Duration = Duration::from_secs(2);

/// What is open on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum App {
    /// The demo's counter: a screen as small as a dialog.
    Demo,
    /// A full screen of an app.
    Grid500,
    /// As much as a helper reports at all.
    Grid5000,
}

/// The device.
#[derive(Debug)]
pub struct Phone {
    pub app: App,
    device: LabDevice,
    /// The app's file.
    _folder: tempfile::TempDir,
}

impl App {
    /// As tables name it.
    pub const fn title(self) -> &'static str {
        match self {
            App::Demo => "a small screen",
            App::Grid500 => "500 nodes",
            App::Grid5000 => "5,000 nodes",
        }
    }

    pub const fn package(self) -> &'static str {
        match self {
            App::Demo => "com.example.demo",
            App::Grid500 | App::Grid5000 => "com.example.grid",
        }
    }

    /// Rows of buttons; each row is a node of its own.
    const fn rows(self) -> u32 {
        match self {
            App::Demo => 0,
            App::Grid500 => 45,
            App::Grid5000 => 450,
        }
    }

    /// Buttons that a snapshot must list.
    pub const fn buttons(self) -> usize {
        match self {
            App::Demo => 5,
            App::Grid500 | App::Grid5000 => (self.rows() * COLUMNS) as usize,
        }
    }

    /// What the button says that is pressed, and its id inside the app.
    pub const fn target(self) -> (&'static str, &'static str) {
        match self {
            App::Demo => ("Press me", "tap"),
            App::Grid500 | App::Grid5000 => ("Item 234", "cell-234"),
        }
    }

    /// The element that leads there from the first screen, if something must.
    pub const fn way(self) -> Option<&'static str> {
        match self {
            App::Demo => Some("Counter"),
            App::Grid500 | App::Grid5000 => None,
        }
    }

    /// A screen full of buttons, all of it in view: 11 nodes a row, px of the stage.
    fn grid(self) -> String {
        let (width, height) = (80, if self == App::Grid500 { 16 } else { 8 });
        let mut text = format!(
            "app = \"grid\"\ntitle = \"Grid\"\nstart = \"grid\"\nscale = 1\nviewport = {{ width = {}, height = {} }}\n\n\
             [[screen]]\nid = \"grid\"\ntitle = \"Grid\"\nbar = false\npadding = 0\ngap = 0\n\n\
             [[screen.element]]\nrole = \"status\"\nid = \"taps\"\nlabel = \"Pressed {{taps}} times\"\nheight = 16\n",
            width * COLUMNS,
            height * self.rows() + 16,
        );
        for row in 0..self.rows() {
            let _ = writeln!(
                text,
                "\n[[screen.element]]\nrole = \"group\"\nrow = true\npadding = 0\ngap = 0\nheight = {height}\nelement = ["
            );
            for number in row * COLUMNS + 1..=(row + 1) * COLUMNS {
                let _ = writeln!(
                    text,
                    "  {{ role = \"button\", id = \"cell-{number}\", label = \"Item {number}\", width = {width}, \
                     height = {height}, on_press = [{{ count = \"taps\" }}] }},"
                );
            }
            text.push_str("]\n");
        }
        text
    }
}

impl Phone {
    /// A device with the app installed; nothing is open.
    ///
    /// # Errors
    /// Where it does not start.
    pub fn start(runtime: &Runtime, lab: &Lab, app: App) -> Result<Self, String> {
        let folder = tempfile::Builder::new().prefix("grid").tempdir().map_err(|why| why.to_string())?;
        let options = if app == App::Demo {
            Options::demo()
        } else {
            let file = folder.path().join("grid.toml");
            fs::write(&file, app.grid()).map_err(|why| format!("{}: {why}", file.display()))?;
            Options::app(app.package(), &file.display().to_string())
        };
        let device = runtime.block_on(lab.device(options)).map_err(|trouble| trouble.to_string())?;
        Ok(Self { app, device, _folder: folder })
    }

    pub fn serial(&self) -> &str {
        self.device.serial()
    }

    /// Presses of the target so far.
    pub fn presses(&self) -> u32 {
        let (_, id) = self.app.target();
        self.device.probe(self.app.package()).map(|probe| probe.effects(id).presses).unwrap_or_default()
    }

    /// Waits for the press to arrive.
    ///
    /// # Errors
    /// Where it does not, or arrives more often than it was made.
    pub fn arrived(&self, wanted: u32) -> Result<(), String> {
        let end = Instant::now() + ARRIVAL;
        while self.presses() < wanted && Instant::now() < end {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        let found = self.presses();
        if found == wanted { Ok(()) } else { Err(format!("the app counts {found} presses, {wanted} were made")) }
    }

    /// How many programs a shell ran on the device so far.
    pub fn programs(&self) -> usize {
        self.device.commands().len()
    }
}
