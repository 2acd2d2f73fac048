//! The app and the device.

use std::time::Duration;

use contract::{
    Code, Command, Failure,
    command::{
        Appearance, Back, Close, Grant, Home, Install, Keyboard, KeyboardAction, Open, Orientation, Record,
        RecordWords, Screenshot, Setting, Settings, Turn, Viewport,
    },
    request::Answer,
    view::Platform,
    words::Words,
};
use flow::Place;

use super::{Done, Run, Trouble};
use crate::model::{Key, Launch, Number, Text};

/// Permissions that only iOS has, as Maestro names them.
const IOS_ONLY: &[&str] = &["homekit", "reminders", "siri", "speech", "usertracking"];
/// What `all` stands for.
const ALL: &[&str] = &[
    "bluetooth",
    "calendar",
    "camera",
    "contacts",
    "location",
    "media-library",
    "microphone",
    "motion",
    "notifications",
    "phone",
    "photos",
    "sms",
];
/// Names that are spelt otherwise here.
const RENAMED: &[(&str, &str)] = &[("medialibrary", "media-library"), ("storage", "media-library")];
/// Places of a journey at most.
const MOST_PLACES: u32 = 10_000;
/// Mean radius of the earth, m.
const EARTH_M: f64 = 6_371_000.0;

impl Run<'_> {
    pub fn launch(&mut self, launch: &Launch, at: &Place) -> Done {
        let app = launch.app.as_ref().map(|app| self.value(app, at)).transpose()?;
        if launch.clear_keychain {
            self.host.note("clearKeychain: there is no keychain on this device");
        }
        let clears = launch.clear_state && self.platform.is_none_or(|platform| platform == Platform::Android);
        let fresh = !self.opened && (clears || !launch.permissions.is_empty());
        if fresh {
            // Settings of an app are changed in a session with it; what it runs on is known then as well.
            self.open(app.clone(), true)?;
        }
        let android = self.platform == Some(Platform::Android);
        if launch.clear_state && android {
            self.set_device(Setting::ClearAppState { app: app.clone() })?;
        }
        self.grant(&launch.permissions, at)?;
        if fresh && !android && launch.permissions.is_empty() {
            return Ok(());
        }
        // Elsewhere nothing is kept that an app or a browser has not been opened with.
        self.open(app, launch.stop_app || launch.clear_state && !android)
    }

    pub fn install(&mut self, path: &str) -> Done {
        let install = Install { path: path.to_owned(), grant_all: false, downgrade: false };
        self.ask(Command::Install(install)).map(drop)
    }

    /// Opens an app or an address.
    fn open(&mut self, app: Option<String>, relaunch: bool) -> Done {
        let answer = self.ask(Command::Open(Open { app, relaunch, ..Open::default() }))?;
        let platform = answer.data.get("platform").cloned().and_then(|name| serde_json::from_value(name).ok());
        if self.platform.is_none() && platform.is_some() {
            self.platform = platform;
            self.tell_scripts()?;
        }
        self.opened = true;
        self.closed = false;
        self.viewport = None;
        Ok(())
    }

    fn close(&mut self) -> Done {
        match self.ask(Command::Close(Close::default())) {
            Ok(_) => {}
            Err(trouble) if trouble.failure.code == Code::SessionNotFound => self.host.note("nothing is open"),
            Err(trouble) => return Err(trouble),
        }
        self.opened = false;
        self.closed = true;
        self.restless = None;
        self.viewport = None;
        Ok(())
    }

    pub fn stop(&mut self, app: Option<&Text>, at: &Place) -> Done {
        if let Some(app) = app {
            self.value(app, at)?;
        }
        self.close()
    }

    pub fn clear_state(&mut self, app: Option<&Text>, at: &Place) -> Done {
        let app = app.map(|app| self.value(app, at)).transpose()?;
        if self.platform != Some(Platform::Android) {
            // What opens next is fresh.
            return self.close();
        }
        if !self.opened {
            self.open(app.clone(), false)?;
        }
        self.set_device(Setting::ClearAppState { app })
    }

    pub fn permissions(&mut self, permissions: &[(Text, Grant)], at: &Place) -> Done {
        self.grant(permissions, at)
    }

    fn grant(&mut self, permissions: &[(Text, Grant)], at: &Place) -> Done {
        for (name, grant) in permissions {
            let name = self.value(name, at)?;
            let small = name.to_ascii_lowercase();
            if IOS_ONLY.contains(&small.as_str()) {
                self.host.note(&format!("{name}: only iOS has this permission; skipped"));
                continue;
            }
            if small == "all" {
                self.grant_all(*grant)?;
                continue;
            }
            let known = RENAMED.iter().find(|(theirs, _)| *theirs == small).map(|(_, ours)| (*ours).to_owned());
            // A platform's own name keeps its letters; a short one is written small.
            let permission = known.unwrap_or(if name.contains('.') { name } else { small });
            self.set_device(Setting::Permission { grant: *grant, permission })?;
        }
        Ok(())
    }

    /// Every permission that the app asks for.
    fn grant_all(&mut self, grant: Grant) -> Done {
        let mut changed = 0_u32;
        for permission in ALL {
            match self.set_device(Setting::Permission { grant, permission: (*permission).to_owned() }) {
                Ok(()) => changed += 1,
                Err(trouble) if trouble.failure.reason_str() == Some("permission_not_requested") => {}
                Err(trouble) => return Err(trouble),
            }
        }
        self.host.note(&format!("all: {changed} permissions of the app"));
        Ok(())
    }

    fn set_device(&mut self, setting: Setting) -> Done {
        self.set_up(Command::Settings(Settings { words: Words(setting) }))
    }

    /// Changes the device. A flow may do so before it launches its app; here that needs something that is open, so the
    /// app is opened then. What was refused for want of it was not sent.
    fn set_up(&mut self, command: Command) -> Done {
        let trouble = match self.ask(command.clone()) {
            Ok(_) => return Ok(()),
            Err(trouble) => trouble,
        };
        let unsent = trouble.failure.details.get("dispatched").is_some_and(|dispatched| dispatched == "no");
        let app = match (&self.app, trouble.failure.code) {
            (Some(app), Code::SessionNotFound) if unsent => app.clone(),
            _ => return Err(trouble),
        };
        let app = self.value(&app, &Place { file: String::new(), line: 1 })?;
        self.host.note(&format!("{app} was opened: a device is set up in a session"));
        self.open(Some(app), false)?;
        self.ask(command).map(drop)
    }

    pub fn open_link(&mut self, link: &Text, at: &Place) -> Done {
        let link = self.value(link, at)?;
        self.open(Some(link), false)
    }

    pub fn press_key(&mut self, key: Key) -> Done {
        match key {
            Key::Home => self.ask(Command::Home(Home::default())).map(drop),
            Key::Back => self.back(),
            // On a page a key is a character like others.
            Key::Enter if self.platform == Some(Platform::Web) => self.type_text("\n".to_owned()),
            Key::Tab if self.platform == Some(Platform::Web) => self.type_text("\t".to_owned()),
            Key::Tab => Err(Trouble::of(Code::UnsupportedOperation, "only on a page can Tab be pressed")),
            Key::Enter => self.ask(Command::Keyboard(Keyboard { action: KeyboardAction::Enter })).map(drop),
            Key::Backspace => self.erase_last(1),
        }
    }

    pub fn back(&mut self) -> Done {
        self.rest()?;
        self.ask(Command::Back(Back::default())).map(drop)
    }

    pub fn hide_keyboard(&mut self) -> Done {
        if self.platform == Some(Platform::Web) {
            self.host.note("a page has no on-screen keyboard: nothing to hide");
            return Ok(());
        }
        self.ask(Command::Keyboard(Keyboard { action: KeyboardAction::Dismiss })).map(drop)
    }

    pub fn screenshot(&mut self, path: &Text, at: &Place) -> Done {
        let path = self.file(path, ".png", at)?;
        self.rest()?;
        let answer = self.ask(Command::Screenshot(Screenshot { path: Some(path), ..Screenshot::default() }))?;
        self.name_file(&answer, "picture");
        Ok(())
    }

    pub fn start_recording(&mut self, path: &Text, at: &Place) -> Done {
        let path = self.file(path, ".mp4", at)?;
        let words = Words(RecordWords::Start { path: Some(path) });
        self.ask(Command::Record(Record { words, quality: None })).map(drop)
    }

    pub fn stop_recording(&mut self) -> Done {
        let answer = self.ask(Command::Record(Record { words: Words(RecordWords::Stop), quality: None }))?;
        self.name_file(&answer, "film");
        Ok(())
    }

    /// A file's name with its ending.
    fn file(&mut self, path: &Text, ending: &str, at: &Place) -> Done<String> {
        let path = self.value(path, at)?;
        if path.trim().is_empty() {
            return Err(Trouble::of(Code::InvalidArgs, "the file has no name"));
        }
        Ok(if path.to_ascii_lowercase().ends_with(ending) { path } else { format!("{path}{ending}") })
    }

    fn name_file(&mut self, answer: &Answer, what: &str) {
        if let Some(path) = answer.data.get("path").and_then(serde_json::Value::as_str) {
            self.host.note(&format!("{what}: {path}"));
        }
    }

    pub fn location(&mut self, latitude: &Number, longitude: &Number, at: &Place) -> Done {
        let latitude = self.number(latitude, at)?;
        let longitude = self.number(longitude, at)?;
        self.set_device(Setting::LocationSet { latitude, longitude })
    }

    /// One place a second along straight lines between the points.
    pub fn travel(&mut self, points: &[(f64, f64)], speed: &Number, at: &Place) -> Done {
        let speed = self.number(speed, at)?;
        for (leg, pair) in points.windows(2).enumerate() {
            let [from, to] = pair else { continue };
            let places = (distance(*from, *to) / speed).ceil().clamp(1.0, f64::from(MOST_PLACES)) as u32;
            let first = u32::from(leg > 0);
            for place in first..=places {
                let share = f64::from(place) / f64::from(places);
                let between = |from: f64, to: f64| from + (to - from) * share;
                let (latitude, longitude) = (between(from.0, to.0), between(from.1, to.1));
                self.set_device(Setting::LocationSet { latitude, longitude })?;
                self.host.pause(Duration::from_secs(1))?;
            }
        }
        Ok(())
    }

    pub fn orientation(&mut self, text: &Text, at: &Place) -> Done {
        let text = self.value(text, at)?;
        let orientation = match text.trim().to_ascii_uppercase().as_str() {
            "PORTRAIT" => Turn::Portrait,
            "LANDSCAPE_LEFT" => Turn::LandscapeLeft,
            "LANDSCAPE_RIGHT" => Turn::LandscapeRight,
            "UPSIDE_DOWN" => Turn::PortraitUpsideDown,
            _ => {
                let all = "PORTRAIT, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, UPSIDE_DOWN";
                return Err(Trouble::of(Code::InvalidArgs, format!("an orientation is one of {all}, not {text:?}")));
            }
        };
        self.set_up(Command::Orientation(Orientation { orientation }))?;
        self.viewport = None;
        Ok(())
    }

    pub fn airplane(&mut self, text: &Text, at: &Place) -> Done {
        let text = self.value(text, at)?;
        let on = match text.trim().to_ascii_lowercase().as_str() {
            "enabled" => true,
            "disabled" => false,
            _ => {
                let message = format!("airplane mode is enabled or disabled, not {text:?}");
                return Err(Trouble::of(Code::InvalidArgs, message));
            }
        };
        self.set_device(Setting::Airplane { on })
    }

    pub fn dark(&mut self, appearance: Appearance) -> Done {
        self.set_device(Setting::Appearance { appearance })
    }

    pub fn resize(&mut self, width: &Number, height: &Number, at: &Place) -> Done {
        let side = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let width = side(self.whole_number(width, at)?);
        let height = side(self.whole_number(height, at)?);
        self.ask(Command::Viewport(Viewport { width, height }))?;
        self.viewport = None;
        Ok(())
    }

    pub fn wait_for_still(&mut self, timeout: Option<&Number>, at: &Place) -> Done {
        /// Maestro's own limit, ms.
        const STILL_MS: u64 = 15_000;
        let limit = match timeout {
            Some(timeout) => self.whole_number(timeout, at)?,
            None => STILL_MS,
        };
        self.settle(contract::command::SETTLE_QUIET_MS, limit)
    }

    pub fn pause(&mut self, pause: &Number, at: &Place) -> Done {
        let unit = if pause.what == "seconds" { 1_000 } else { 1 };
        let pause = self.whole_number(pause, at)?.saturating_mul(unit);
        self.host.pause(Duration::from_millis(pause)).map_err(Trouble::from)
    }
}

/// Metres between two points on the earth (latitude, longitude), along a great circle.
fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (latitude, other) = (from.0.to_radians(), to.0.to_radians());
    let (north, east) = ((to.0 - from.0).to_radians(), (to.1 - from.1).to_radians());
    let square = (north / 2.0).sin().powi(2) + latitude.cos() * other.cos() * (east / 2.0).sin().powi(2);
    2.0 * EARTH_M * square.sqrt().min(1.0).asin()
}

/// What is said where a text cannot be told.
pub(super) fn unreadable(what: &str) -> Trouble {
    Trouble::own(Failure::new(Code::CaptureFailed, format!("{what} cannot be read")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_of_latitude_is_about_111_km() {
        let metres = distance((52.0, 13.0), (53.0, 13.0));
        assert!((111_000.0..111_400.0).contains(&metres), "{metres}");
        assert!(distance((0.0, 179.5), (0.0, -179.5)) < 112_000.0);
    }
}
