//! Commands for the app and the device.

use contract::command::{Appearance, Grant};

use super::{
    Reader, Scope,
    command::{Call, Outer, Parsed},
    fields::Fields,
    touch::WAIT_MS,
};
use crate::{
    model::{Action, Key, Launch, Number, Random, Text},
    yaml::{At, Node, Yaml},
};

/// Permissions by what they become.
const GRANTS: &[(&str, Grant)] = &[("allow", Grant::Grant), ("deny", Grant::Deny), ("unset", Grant::Reset)];
const KEYS: &[(&str, Key)] = &[
    ("home", Key::Home),
    ("back", Key::Back),
    ("enter", Key::Enter),
    ("tab", Key::Tab),
    ("backspace", Key::Backspace),
];
pub(crate) const TURNS: &[&str] = &["PORTRAIT", "LANDSCAPE_LEFT", "LANDSCAPE_RIGHT", "UPSIDE_DOWN"];
const ONOFF: &[&str] = &["enabled", "disabled"];

impl Reader<'_> {
    pub fn device(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        match call.name {
            "launchApp" => self.launch(scope, call),
            "stopApp" | "killApp" => self.of_app(scope, call, Action::Stop),
            "clearState" => self.of_app(scope, call, Action::ClearState),
            "installApp" => self.install(scope, call),
            "clearKeychain" => self.bare(scope, call, Action::ClearKeychain),
            "setPermissions" => {
                let node = self.value(scope, call, "permissions")?;
                let mut fields = self.fields(scope, node, call.name)?;
                // Permissions belong to the app that is open; naming it again is allowed.
                self.same_app(scope, &mut fields);
                let permissions = fields.take("permissions").map(|node| self.permissions(scope, node));
                let outer = self.outer(scope, &mut fields);
                let at = fields.at;
                self.finish(scope, fields);
                if permissions.is_none() {
                    self.wrong(scope, at, "setPermissions needs permissions", None);
                }
                Some((Action::Permissions(permissions?), outer))
            }
            "openLink" => {
                let node = self.value(scope, call, "an address")?;
                if let Yaml::Scalar(_) = node.value {
                    return Some((Action::OpenLink(self.text(scope, node, "link")?), Outer::default()));
                }
                let mut fields = self.fields(scope, node, call.name)?;
                let link = self.needed(scope, &mut fields, "link");
                self.refuse(scope, &mut fields, "browser", "the system chooses what opens an address");
                self.refuse(scope, &mut fields, "autoVerify", "confirm what the system asks with tapOn");
                let outer = self.outer(scope, &mut fields);
                self.finish(scope, fields);
                Some((Action::OpenLink(link?), outer))
            }
            "inputText" => self.only_text(scope, call, "text").map(|(text, outer)| (Action::Input(text), outer)),
            "inputRandomText" => self.random(scope, call, Random::Text),
            "inputRandomNumber" => self.random(scope, call, Random::Number),
            "inputRandomEmail" => self.random(scope, call, Random::Email),
            "inputRandomPersonName" => self.random(scope, call, Random::PersonName),
            "inputRandomCityName" => self.random(scope, call, Random::CityName),
            "inputRandomCountryName" => self.random(scope, call, Random::CountryName),
            "inputRandomColorName" => self.random(scope, call, Random::ColorName),
            "eraseText" => {
                let (node, outer) = self.single(scope, call, "charactersToErase")?;
                let count = match node {
                    Some(node) => Some(self.number(scope, node, "charactersToErase", 1.0..=100_000.0)?),
                    None => None,
                };
                Some((Action::Erase(count), outer))
            }
            "pasteText" => self.bare(scope, call, Action::Paste),
            "setClipboard" => {
                self.only_text(scope, call, "text").map(|(text, outer)| (Action::SetClipboard(text), outer))
            }
            "pressKey" => {
                let (node, outer) = self.single(scope, call, "key")?;
                let Some(node) = node else {
                    self.wrong(scope, call.at, "pressKey needs a key", None);
                    return None;
                };
                Some((Action::Press(self.word(scope, node, "a key that can be pressed here", KEYS)?), outer))
            }
            "back" => self.bare(scope, call, Action::Back),
            "hideKeyboard" => self.bare(scope, call, Action::HideKeyboard),
            "waitForAnimationToEnd" => {
                let (node, outer) = self.single(scope, call, "timeout")?;
                let timeout = match node {
                    Some(node) => Some(self.number(scope, node, "timeout", WAIT_MS)?),
                    None => None,
                };
                Some((Action::WaitForStill(timeout), outer))
            }
            "takeScreenshot" => self.file(scope, call, Action::Screenshot),
            "startRecording" => self.file(scope, call, Action::StartRecording),
            "stopRecording" => self.bare(scope, call, Action::StopRecording),
            "setLocation" => {
                let node = self.value(scope, call, "latitude and longitude")?;
                let mut fields = self.fields(scope, node, call.name)?;
                let latitude = self.side(scope, &mut fields, "latitude", 90.0);
                let longitude = self.side(scope, &mut fields, "longitude", 180.0);
                let outer = self.outer(scope, &mut fields);
                self.finish(scope, fields);
                Some((Action::Location(latitude?, longitude?), outer))
            }
            "travel" => self.travel(scope, call),
            "setOrientation" => {
                let (text, outer) = self.only_text(scope, call, "orientation")?;
                self.one_of(scope, &text, "an orientation", TURNS)?;
                Some((Action::Orientation(text), outer))
            }
            "setAirplaneMode" => {
                let (text, outer) = self.only_text(scope, call, "value")?;
                self.one_of(scope, &text, "airplane mode", ONOFF)?;
                Some((Action::Airplane(text), outer))
            }
            "setDarkMode" => {
                let (node, outer) = self.single(scope, call, "value")?;
                let words = [("enabled", Appearance::Dark), ("disabled", Appearance::Light)];
                let Some(node) = node else {
                    self.wrong(scope, call.at, "setDarkMode needs enabled or disabled", None);
                    return None;
                };
                Some((Action::Dark(self.word(scope, node, "dark mode", &words)?), outer))
            }
            "toggleDarkMode" => self.bare(scope, call, Action::Dark(Appearance::Toggle)),
            "resizeBrowser" => self.resize(scope, call),
            "sleep" => self.sleep(scope, call),
            other => {
                // The table and this list name the same commands; a test holds them together.
                self.wrong(scope, call.at, format!("{other} is not supported"), None);
                None
            }
        }
    }

    fn launch(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let mut launch = Launch {
            app: scope.app.clone(),
            clear_state: false,
            clear_keychain: false,
            stop_app: true,
            permissions: Vec::new(),
        };
        let mut outer = Outer::default();
        match call.value {
            None => {}
            Some(node) if matches!(node.value, Yaml::Scalar(_)) => launch.app = self.text(scope, node, "appId"),
            Some(node) => {
                let mut fields = self.fields(scope, node, call.name)?;
                for key in ["appId", "url"] {
                    if let Some(app) = self.text_at(scope, &mut fields, key) {
                        launch.app = Some(app);
                    }
                }
                launch.clear_state = self.switch(scope, &mut fields, "clearState").unwrap_or(false);
                launch.clear_keychain = self.switch(scope, &mut fields, "clearKeychain").unwrap_or(false);
                launch.stop_app = self.switch(scope, &mut fields, "stopApp").unwrap_or(true);
                if let Some(node) = fields.take("permissions") {
                    launch.permissions = self.permissions(scope, node);
                }
                self.refuse(
                    scope,
                    &mut fields,
                    "arguments",
                    "an app is opened without arguments; open an address that says the same (openLink)",
                );
                self.refuse(scope, &mut fields, "enrollBiometry", "no device here has a simulated sensor");
                outer = self.outer(scope, &mut fields);
                self.finish(scope, fields);
            }
        }
        Some((Action::Launch(launch), outer))
    }

    fn install(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let (node, outer) = self.single(scope, call, "path")?;
        let Some(node) = node else {
            self.wrong(scope, call.at, "installApp needs a path", None);
            return None;
        };
        let name = self.known(scope, node, "path")?;
        let path = self.beside(scope, &name);
        if !path.is_file() {
            self.wrong(scope, node.at, format!("there is no file {name}"), None);
            return None;
        }
        Some((Action::Install(path.to_string_lossy().into_owned()), outer))
    }

    /// A command about an app: the one of the header where it names none.
    fn of_app(&mut self, scope: &Scope, call: &Call<'_>, action: impl FnOnce(Option<Text>) -> Action) -> Parsed {
        let (node, outer) = self.single(scope, call, "appId")?;
        let app = match node {
            Some(node) => Some(self.text(scope, node, "appId")?),
            None => scope.app.clone(),
        };
        Some((action(app), outer))
    }

    fn same_app(&mut self, scope: &Scope, fields: &mut Fields<'_>) {
        let named = self.text_at(scope, fields, "appId");
        if let (Some(named), Some(own)) = (&named, &scope.app)
            && named.raw != own.raw
        {
            let at = fields.place("appId");
            let hint = "launch the other app first, in a flow of its own".to_owned();
            self.wrong(scope, at, "only permissions of the flow's own app can be set", hint);
        }
    }

    fn permissions(&mut self, scope: &Scope, node: &Node) -> Vec<(Text, Grant)> {
        let mut granted = Vec::new();
        for (name, text) in self.pairs(scope, node, "permissions") {
            let at = At { line: text.line, column: text.column };
            let value = Node { at, value: Yaml::Scalar(text.raw) };
            let grant = self.word(scope, &value, "a permission", GRANTS);
            let name = self.text(scope, &Node { at, value: Yaml::Scalar(name) }, "a permission's name");
            if let (Some(name), Some(grant)) = (name, grant) {
                granted.push((name, grant));
            }
        }
        granted
    }

    fn random(&mut self, scope: &Scope, call: &Call<'_>, kind: Random) -> Parsed {
        if !matches!(kind, Random::Text | Random::Number) {
            return self.bare(scope, call, Action::InputRandom(kind, None));
        }
        let (node, outer) = self.single(scope, call, "length")?;
        let length = match node {
            Some(node) => Some(self.number(scope, node, "length", 1.0..=10_000.0)?),
            None => None,
        };
        Some((Action::InputRandom(kind, length), outer))
    }

    fn file(&mut self, scope: &Scope, call: &Call<'_>, action: impl FnOnce(Text) -> Action) -> Parsed {
        let node = self.value(scope, call, "a name for the file")?;
        if let Yaml::Scalar(_) = node.value {
            return Some((action(self.text(scope, node, "path")?), Outer::default()));
        }
        let mut fields = self.fields(scope, node, call.name)?;
        let path = self.needed(scope, &mut fields, "path");
        self.refuse(scope, &mut fields, "cropOn", "the whole screen is saved");
        let outer = self.outer(scope, &mut fields);
        self.finish(scope, fields);
        Some((action(path?), outer))
    }

    fn side(&mut self, scope: &Scope, fields: &mut Fields<'_>, key: &'static str, most: f64) -> Option<Number> {
        if !fields.has(key) {
            self.wrong(scope, fields.at, format!("setLocation needs {key}"), None);
        }
        self.number_at(scope, fields, key, -most..=most)
    }

    fn travel(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "points and speed")?;
        let mut fields = self.fields(scope, node, call.name)?;
        let points = fields.take("points").map_or_else(Vec::new, |node| {
            let names = self.names(scope, node, "points");
            let mut points = Vec::new();
            for name in names {
                let point = name.split_once(',').and_then(|(latitude, longitude)| {
                    let latitude = latitude.trim().parse::<f64>().ok().filter(|degrees| degrees.abs() <= 90.0)?;
                    let longitude = longitude.trim().parse::<f64>().ok().filter(|degrees| degrees.abs() <= 180.0)?;
                    Some((latitude, longitude))
                });
                match point {
                    Some(point) => points.push(point),
                    None => self.wrong(scope, node.at, format!("a point is \"52.52, 13.40\", not {name:?}"), None),
                }
            }
            points
        });
        let speed = self.number_at(scope, &mut fields, "speed", 0.1..=10_000.0);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        if points.len() < 2 || speed.is_none() {
            self.wrong(scope, at, "travel needs at least two points, and a speed in metres per second", None);
            return None;
        }
        Some((Action::Travel { points, speed: speed? }, outer))
    }

    fn resize(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "a size such as 1280x720")?;
        let (width, height, outer) = match &node.value {
            Yaml::Scalar(size) => {
                let Some((width, height)) = size.split_once(['x', 'X']) else {
                    self.wrong(scope, node.at, format!("a size is 1280x720, not {size:?}"), None);
                    return None;
                };
                let part = |text: &str| Node { at: node.at, value: Yaml::Scalar(text.trim().to_owned()) };
                let width = self.number(scope, &part(width), "width", 50.0..=10_000.0);
                let height = self.number(scope, &part(height), "height", 50.0..=10_000.0);
                (width, height, Outer::default())
            }
            _ => {
                let mut fields = self.fields(scope, node, call.name)?;
                let width = self.number_at(scope, &mut fields, "width", 50.0..=10_000.0);
                let height = self.number_at(scope, &mut fields, "height", 50.0..=10_000.0);
                let outer = self.outer(scope, &mut fields);
                let whole = fields.has("width") && fields.has("height");
                let at = fields.at;
                self.finish(scope, fields);
                if !whole {
                    self.wrong(scope, at, "resizeBrowser needs width and height", None);
                }
                (width, height, outer)
            }
        };
        Some((Action::Viewport(width?, height?), outer))
    }

    fn sleep(&mut self, scope: &Scope, call: &Call<'_>) -> Parsed {
        let node = self.value(scope, call, "how long, ms")?;
        if let Yaml::Scalar(_) = node.value {
            return Some((Action::Pause(self.number(scope, node, "sleep", 0.0..=600_000.0)?), Outer::default()));
        }
        let mut fields = self.fields(scope, node, call.name)?;
        let ms = self.number_at(scope, &mut fields, "ms", 0.0..=600_000.0);
        let seconds = self.number_at(scope, &mut fields, "seconds", 0.0..=600.0);
        let outer = self.outer(scope, &mut fields);
        let at = fields.at;
        self.finish(scope, fields);
        match (ms, seconds) {
            (Some(pause), None) | (None, Some(pause)) => Some((Action::Pause(pause), outer)),
            _ => {
                self.wrong(scope, at, "sleep needs ms or seconds", None);
                None
            }
        }
    }

    /// A text that is, as far as it is known, one of some words.
    fn one_of(&mut self, scope: &Scope, text: &Text, what: &str, words: &[&str]) -> Option<()> {
        let Some(plain) = text.plain() else { return Some(()) };
        if words.iter().any(|word| word.eq_ignore_ascii_case(plain.trim())) {
            return Some(());
        }
        let at = At { line: text.line, column: text.column };
        self.wrong(scope, at, format!("{what} is one of {}, not {plain:?}", words.join(", ")), None);
        None
    }
}
