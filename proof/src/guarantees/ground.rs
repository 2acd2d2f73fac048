//! The three grounds that the scenarios are played on: the stage, a page in a real browser, an app on the lab's device.

use android_lab::Options;
use contract::view::Platform;
use serde_json::Value;
use stage::{FaultKind, Operation};

use super::pages;
use crate::{
    android::Phone,
    seen::Told,
    site::Site,
    workspace,
    world::{Session, World},
};

/// Every screen of `assets/guarantees.toml`.
const SCREENS: &[&str] =
    &["plain", "list", "twins", "renames", "covered", "keyboard", "tiled", "away", "off", "ghost", "late"];

/// One platform, with one screen shown.
pub struct Ground<'w> {
    world: &'w World,
    platform: Platform,
    screen: &'static str,
    on: On<'w>,
}

enum On<'w> {
    Stage(Session<'w>),
    Web(Session<'w>, Option<Site>),
    Android(Box<Phone<'w>>),
}

impl<'w> Ground<'w> {
    /// A platform; nothing is shown yet.
    pub async fn of(world: &'w World, platform: Platform) -> Self {
        for screen in SCREENS {
            std::fs::write(file(world, screen), app(screen)).expect("the app can be written");
        }
        let on = match platform {
            Platform::Stage => On::Stage(world.session("ground")),
            Platform::Web => On::Web(world.session("ground"), None),
            Platform::Android => {
                let apps = SCREENS.iter().map(|screen| (package(screen), file(world, screen).display().to_string()));
                let mut options: Option<Options> = None;
                for (package, app) in apps {
                    options = Some(match options {
                        None => Options::app(&package, &app),
                        Some(options) => options.and(&package, &app),
                    });
                }
                On::Android(Box::new(Phone::with(world, options.expect("there are screens")).await))
            }
        };
        Self { world, platform, screen: "", on }
    }

    /// Which.
    pub const fn platform(&self) -> Platform {
        self.platform
    }

    /// Shows a screen as if for the first time.
    pub async fn show(&mut self, screen: &'static str) {
        self.screen = screen;
        match &mut self.on {
            On::Stage(session) => {
                session.does(&format!("open --relaunch {}", file(self.world, screen).display())).await;
            }
            On::Web(session, site) => {
                let new = Site::with(&pages::page(screen)).await;
                session.does(&format!("open {}", new.url)).await;
                *site = Some(new);
            }
            On::Android(phone) => {
                phone.session.does(&format!("open --relaunch {}", package(screen))).await;
            }
        }
    }

    /// The caller.
    pub fn session(&self) -> &Session<'w> {
        match &self.on {
            On::Stage(session) | On::Web(session, _) => session,
            On::Android(phone) => &phone.session,
        }
    }

    /// Everything that reached the app since it was shown.
    pub fn landed(&self) -> u32 {
        match &self.on {
            On::Stage(session) => session.landed(),
            On::Web(_, site) => site.as_ref().map_or(0, |site| site.hits("landed")),
            On::Android(phone) => phone
                .device
                .probe(&package(self.screen))
                .map_or(0, |probe| u32::try_from(probe.log().len()).unwrap_or(u32::MAX)),
        }
    }

    /// Presses and movements that began on an element.
    pub fn touches(&self, id: &str) -> u32 {
        let counted = |effects: stage::Effects| effects.presses + effects.swipes;
        match &self.on {
            On::Stage(session) => counted(session.effects(id)),
            On::Web(_, site) => site.as_ref().map_or(0, |site| site.hits(&format!("down-{id}"))),
            On::Android(phone) => {
                phone.device.probe(&package(self.screen)).map_or(0, |probe| counted(probe.effects(id)))
            }
        }
    }

    /// The ref of the element of that name, pinned to the look that found it, in view or not.
    pub async fn pinned(&self, name: &str) -> String {
        let found = self.session().does(&format!("find {name} list")).await;
        let lines = found["matches"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let line = lines.clone().find(|line| line.contains(&format!("{name:?}")));
        let line = line.unwrap_or_else(|| panic!("{name:?} is not shown: {found:#}"));
        line.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The middle of an element, as a command takes it.
    pub async fn point(&self, id: &str) -> String {
        let shown = self.session().does(&format!("get attrs id={id}")).await;
        let rect = &shown["rect"];
        let side = |key: &str| rect[key].as_f64().unwrap_or_else(|| panic!("a rect: {shown}"));
        format!("{} {}", side("x") + side("width") / 2.0, side("y") + side("height") / 2.0)
    }

    /// Has the next captures show nothing; `false` where only the device itself could bring that about.
    pub fn empties(&self) -> bool {
        match &self.on {
            On::Stage(session) => session.fault(Operation::Capture, FaultKind::EmptyCapture),
            On::Web(..) | On::Android(_) => return false,
        }
        true
    }

    /// Runs a line with a readiness budget, as a script would.
    pub async fn scripted(&self, line: &str) -> Result<Value, Told> {
        let mut request = self.session().request(line);
        request.readiness_timeout_ms = Some(2000);
        self.world.run(&request).await
    }

    /// Ends it.
    pub async fn end(self) {
        // A dialog that was left open, or an app that is gone, has nothing to close.
        let _closed = self.session().run("close").await;
    }
}

/// The app of one screen: the head of the file, and what stands under the screen's name.
fn app(screen: &str) -> String {
    let text = std::fs::read_to_string(workspace().join("proof/assets/guarantees.toml")).expect("the screens");
    let mut parts = text.split("#-- ");
    let head = parts.next().unwrap_or_default().replace("start = \"plain\"", &format!("start = {screen:?}"));
    let part = parts.find_map(|part| part.strip_prefix(screen)?.strip_prefix('\n'));
    head + part.unwrap_or_else(|| panic!("the file has no screen {screen:?}"))
}

fn file(world: &World, screen: &str) -> std::path::PathBuf {
    world.folder().join(format!("{screen}.toml"))
}

fn package(screen: &str) -> String {
    format!("com.example.{screen}")
}
