//! One command as steps of a flow.

use contract::{
    Command, Target,
    command::{
        Alert, Appearance, Button, ClipboardWords, Fill, Find, FindAction, Gesture, GestureDirection, GestureWords,
        Grant, Is, Keyboard, KeyboardAction, Locator, Longpress, Predicate, Press, RecordWords, Screenshot, Scroll,
        ScrollDirection, Setting, Swipe, SwipePattern, Turn, WaitFor,
    },
};

use super::{
    element::{Element, element},
    text::Marks,
    yaml::{Yaml, one, word},
};

/// Characters that a flow takes out of a field before it fills it.
const ERASED: u32 = 200;

/// Steps, and what of the command is not in them.
#[derive(Debug)]
pub(super) struct Written {
    pub steps: Vec<Yaml>,
    pub lost: Vec<String>,
}

impl Written {
    fn one(step: Yaml) -> Self {
        Self { steps: vec![step], lost: Vec::new() }
    }
}

/// Collects what is lost.
#[derive(Default)]
struct Lost(Vec<String>);

impl Lost {
    fn flag(&mut self, said: bool, flag: &str) {
        if said {
            self.0.push(format!("{flag} has no equivalent"));
        }
    }

    fn step(self, step: Yaml) -> Result<Written, String> {
        self.steps(vec![step])
    }

    #[allow(clippy::unnecessary_wraps, reason = "ends the arms of a match whose others fail")]
    fn steps(self, steps: Vec<Yaml>) -> Result<Written, String> {
        Ok(Written { steps, lost: self.0 })
    }
}

/// The steps of a command; `open` is the caller's.
///
/// # Errors
/// Why it has no equivalent.
pub(super) fn written(command: &Command, marks: &Marks) -> Result<Written, String> {
    let none = |why: &str| Err(why.to_owned());
    match command {
        Command::Press(press) => pressed(press, marks),
        Command::Longpress(press) => longpressed(press, marks),
        Command::Focus(focus) => Ok(place(&focus.target, marks)?.step("tapOn")),
        Command::Fill(fill) => filled(fill, marks),
        Command::Type(typed) => {
            let mut lost = Lost::default();
            lost.flag(typed.delay_ms.is_some(), "--delay-ms");
            lost.step(one("inputText", Yaml::Text(marks.text(&typed.text))))
        }
        Command::Find(find) => found(find, marks),
        Command::Is(is) => asserted(is, marks),
        Command::Wait(wait) => waited(&wait.words, marks),
        Command::Scroll(scroll) => scrolled(scroll, marks),
        Command::Swipe(swipe) => swiped(swipe),
        Command::Gesture(gesture) => moved(gesture),
        Command::Back(_) => Ok(Written::one(word("back"))),
        Command::Home(_) => Ok(Written::one(one("pressKey", word("Home")))),
        Command::Keyboard(Keyboard { action }) => match action {
            KeyboardAction::Dismiss => Ok(Written::one(word("hideKeyboard"))),
            KeyboardAction::Enter => Ok(Written::one(one("pressKey", word("Enter")))),
            KeyboardAction::Status => none("a flow does not ask for the keyboard"),
        },
        Command::Orientation(orientation) => {
            let turn = match orientation.orientation {
                Turn::Portrait => "PORTRAIT",
                Turn::PortraitUpsideDown => "UPSIDE_DOWN",
                Turn::LandscapeLeft => "LANDSCAPE_LEFT",
                Turn::LandscapeRight => "LANDSCAPE_RIGHT",
            };
            Ok(Written::one(one("setOrientation", word(turn))))
        }
        Command::Clipboard(clipboard) => match &*clipboard.words {
            ClipboardWords::Write { text } => Ok(Written::one(one("setClipboard", Yaml::Text(marks.text(text))))),
            ClipboardWords::Read => none("a flow does not show the clipboard"),
        },
        Command::Settings(settings) => set(&settings.words, marks),
        Command::Screenshot(shot) => pictured(shot, marks),
        Command::Record(record) => match &*record.words {
            RecordWords::Start { path } => {
                let mut lost = Lost::default();
                lost.flag(record.quality.is_some(), "--quality");
                let name = stem(path.as_deref().unwrap_or("film"), ".mp4");
                lost.step(one("startRecording", Yaml::Text(marks.text(name))))
            }
            RecordWords::Stop => Ok(Written::one(word("stopRecording"))),
        },
        Command::Alert(Alert { .. }) => {
            none("a flow presses a dialog's buttons like any other: write tapOn with its text")
        }
        Command::Close(_) => none("a flow ends by itself; stopApp stops the app"),
        Command::Get(_) | Command::Snapshot(_) | Command::Diff(_) => none("a flow shows nothing of the screen"),
        Command::Hover(_) => none("a flow has no pointer that hovers"),
        Command::AppSwitcher(_) => none("a flow does not open the app switcher"),
        Command::Viewport(_) => none("a flow does not change the size of the page"),
        Command::Upload(_) | Command::Downloads(_) => none("a flow has no part in a page's files"),
        Command::Windows(_) => none("a flow has one window"),
        other => Err(format!("{} has no equivalent", other.spec().name)),
    }
}

/// Where a touch goes.
fn place(target: &Target, marks: &Marks) -> Result<Element, String> {
    match target {
        Target::Ref { .. } => Err("a ref has no equivalent".to_owned()),
        Target::Selector { selector } => element(selector, marks),
        Target::Point { x, y } => {
            Ok(Element { fields: vec![("point".to_owned(), Yaml::Text(point(*x, *y)?))], lost: Vec::new() })
        }
    }
}

/// A point in whole px.
fn point(x: f64, y: f64) -> Result<String, String> {
    if x < 0.0 || y < 0.0 {
        return Err("a point outside the screen has no equivalent".to_owned());
    }
    Ok(format!("{},{}", x.round(), y.round()))
}

impl Element {
    fn step(self, name: &str) -> Written {
        Written { steps: vec![one(name, Yaml::Map(self.fields))], lost: self.lost }
    }
}

fn pressed(press: &Press, marks: &Marks) -> Result<Written, String> {
    let mut at = place(&press.target, marks)?;
    if press.button.is_some_and(|button| button != Button::Primary) {
        return Err("a flow has one button".to_owned());
    }
    if press.hold_ms.is_some_and(|hold| hold > 0) {
        return Err("--hold-ms has no equivalent: longPressOn holds as long as it pleases".to_owned());
    }
    let mut lost = Lost(std::mem::take(&mut at.lost));
    lost.flag(press.after.verify, "--verify");
    if let Some(limit) = press.after.settle.settle_timeout_ms {
        at = at.with("waitToSettleTimeoutMs", word(limit));
    }
    lost.flag(press.after.settle.settle_quiet_ms.is_some(), "--settle-quiet-ms");
    if press.double_tap {
        lost.flag(press.count.is_some(), "--count with --double-tap");
        return lost.step(one("doubleTapOn", Yaml::Map(at.fields)));
    }
    if let Some(count) = press.count.filter(|count| *count > 1) {
        at = at.with("repeat", word(count));
        if let Some(pause) = press.interval_ms {
            at = at.with("delay", word(pause));
        }
    }
    lost.step(one("tapOn", Yaml::Map(at.fields)))
}

fn longpressed(press: &Longpress, marks: &Marks) -> Result<Written, String> {
    let mut at = place(&press.words.target, marks)?;
    let mut lost = Lost(std::mem::take(&mut at.lost));
    lost.flag(press.words.duration_ms.is_some(), "a duration of longPressOn");
    lost.step(one("longPressOn", Yaml::Map(at.fields)))
}

fn filled(fill: &Fill, marks: &Marks) -> Result<Written, String> {
    let mut at = place(&fill.words.target, marks)?;
    let mut lost = Lost(std::mem::take(&mut at.lost));
    lost.flag(fill.delay_ms.is_some(), "--delay-ms");
    lost.flag(fill.after.verify, "--verify");
    lost.0.push(format!("up to {ERASED} characters are erased first, and the field is not read back"));
    let mut steps = vec![one("tapOn", Yaml::Map(at.fields)), one("eraseText", word(ERASED))];
    if !fill.words.text.is_empty() {
        steps.push(one("inputText", Yaml::Text(marks.text(&fill.words.text))));
    }
    lost.steps(steps)
}

fn found(find: &Find, marks: &Marks) -> Result<Written, String> {
    let words = &find.words;
    let how = words.how();
    let key = match how {
        Locator::Selector => {
            let mut at = element(&words.query, marks)?;
            let lost = Lost(std::mem::take(&mut at.lost));
            return found_at(find, at.fields, lost, marks);
        }
        Locator::Any | Locator::Text | Locator::Label => "text",
        Locator::Id => "id",
        Locator::Value => return Err("a flow finds nothing by its value".to_owned()),
        Locator::Role => return Err("a flow finds nothing by its role".to_owned()),
    };
    let fields = vec![(key.to_owned(), Yaml::Text(marks.part(&words.query)))];
    let mut lost = Lost::default();
    if how == Locator::Any {
        lost.0.push("only texts are looked through, not ids, roles and values".to_owned());
    }
    found_at(find, fields, lost, marks)
}

/// What is done with an element that is named by these fields.
fn found_at(find: &Find, mut fields: Vec<(String, Yaml)>, mut lost: Lost, marks: &Marks) -> Result<Written, String> {
    let words = &find.words;
    let index = if find.last { Some(-1) } else { find.first.then_some(0) };
    if let Some(index) = index {
        fields.retain(|(known, _)| known != "index");
        fields.push(("index".to_owned(), word(index)));
    }
    let element = Yaml::Map(fields);
    let text = || one("inputText", Yaml::Text(marks.text(words.value.as_deref().unwrap_or_default())));
    match words.action {
        FindAction::Click | FindAction::Focus => lost.step(one("tapOn", element)),
        FindAction::Exists => lost.step(one("assertVisible", element)),
        FindAction::Wait => lost.step(until("visible", element, find.wait_ms)),
        FindAction::Type => lost.steps(vec![one("tapOn", element), text()]),
        FindAction::Fill => {
            lost.0.push(format!("up to {ERASED} characters are erased first, and the field is not read back"));
            lost.steps(vec![one("tapOn", element), one("eraseText", word(ERASED)), text()])
        }
        FindAction::List | FindAction::GetText | FindAction::GetAttrs => {
            Err("a flow shows nothing of the screen".to_owned())
        }
    }
}

fn asserted(is: &Is, marks: &Marks) -> Result<Written, String> {
    let mut at = place(&is.words.target, marks)?;
    let mut lost = Lost(std::mem::take(&mut at.lost));
    let mut state = |key: &str, holds: bool| {
        at.fields.retain(|(known, _)| known != key);
        at.fields.push((key.to_owned(), word(holds)));
    };
    match is.words.predicate {
        Predicate::Visible => {}
        Predicate::Hidden => return lost.step(one("assertNotVisible", Yaml::Map(at.fields))),
        Predicate::Absent => {
            lost.0.push("assertNotVisible is also content with what is there and cannot be seen".to_owned());
            return lost.step(one("assertNotVisible", Yaml::Map(at.fields)));
        }
        Predicate::Exists => lost.0.push("assertVisible wants it to be seen".to_owned()),
        Predicate::Enabled => state("enabled", true),
        Predicate::Disabled => state("enabled", false),
        Predicate::Selected => state("selected", true),
        Predicate::Focused => state("focused", true),
        Predicate::Checked => state("checked", true),
        Predicate::Editable => return Err("a flow does not ask whether a field takes text".to_owned()),
        Predicate::Text => {
            let expected = marks.exactly(is.words.value.as_deref().unwrap_or_default());
            match at.fields.iter().find(|(key, _)| key == "text") {
                // Both are texts of one element, and a flow can say one.
                Some((_, Yaml::Text(text))) if *text != expected => {
                    return Err("an element has one text in a flow: name it by its id".to_owned());
                }
                Some(_) => {}
                None => at.fields.push(("text".to_owned(), Yaml::Text(expected))),
            }
        }
    }
    lost.step(one("assertVisible", Yaml::Map(at.fields)))
}

fn until(key: &str, element: Yaml, limit: Option<u64>) -> Yaml {
    let limit = limit.unwrap_or(contract::command::WAIT_TIMEOUT_MS);
    one("extendedWaitUntil", Yaml::Map(vec![(key.to_owned(), element), ("timeout".to_owned(), word(limit))]))
}

fn waited(wait: &WaitFor, marks: &Marks) -> Result<Written, String> {
    match wait {
        WaitFor::Duration { .. } => Err("a flow waits for something, not for a time".to_owned()),
        WaitFor::Text { text, timeout_ms } => {
            let element = one("text", Yaml::Text(marks.part(text)));
            Ok(Written::one(until("visible", element, *timeout_ms)))
        }
        WaitFor::Ref { .. } => Err("a ref has no equivalent".to_owned()),
        WaitFor::Selector { selector, timeout_ms } => {
            let at = element(selector, marks)?;
            let step = until("visible", at.yaml(), *timeout_ms);
            Ok(Written { steps: vec![step], lost: at.lost })
        }
        WaitFor::Absent { selector, timeout_ms } => {
            let at = element(selector, marks)?;
            let step = until("notVisible", at.yaml(), *timeout_ms);
            let mut lost = Lost(at.lost);
            lost.0.push("notVisible is also content with what is there and cannot be seen".to_owned());
            lost.step(step)
        }
        WaitFor::Stable { quiet_ms, timeout_ms } => {
            let mut lost = Lost::default();
            lost.flag(quiet_ms.is_some(), "a quiet time");
            lost.0.push("waitForAnimationToEnd goes on when its time is over; this would have failed".to_owned());
            let limit = timeout_ms.unwrap_or(contract::command::WAIT_TIMEOUT_MS);
            lost.step(one("waitForAnimationToEnd", one("timeout", word(limit))))
        }
    }
}

fn scrolled(scroll: &Scroll, marks: &Marks) -> Result<Written, String> {
    // A finger that swipes up shows what is further down.
    let (towards, finger) = match scroll.direction {
        ScrollDirection::Up => ("UP", "DOWN"),
        ScrollDirection::Down => ("DOWN", "UP"),
        ScrollDirection::Left => ("LEFT", "RIGHT"),
        ScrollDirection::Right => ("RIGHT", "LEFT"),
        ScrollDirection::Top | ScrollDirection::Bottom => return Err("a flow does not scroll to an end".to_owned()),
    };
    let mut lost = Lost::default();
    lost.flag(scroll.amount.is_some() || scroll.pixels.is_some(), "the size of a step");
    lost.flag(scroll.within.is_some(), "--in");
    if let Some(until) = &scroll.until {
        let mut at = element(until, marks)?;
        lost.0.append(&mut at.lost);
        let arguments = vec![("element".to_owned(), at.yaml()), ("direction".to_owned(), word(towards))];
        return lost.step(one("scrollUntilVisible", Yaml::Map(arguments)));
    }
    lost.step(match scroll.direction {
        ScrollDirection::Down => word("scroll"),
        _ => one("swipe", one("direction", word(finger))),
    })
}

fn swiped(swipe: &Swipe) -> Result<Written, String> {
    let mut lost = Lost::default();
    lost.flag(swipe.pause_ms.is_some(), "--pause-ms");
    if swipe.pattern.is_some_and(|pattern| pattern == SwipePattern::PingPong) {
        return Err("--pattern ping-pong has no equivalent".to_owned());
    }
    let mut arguments = vec![
        ("start".to_owned(), Yaml::Text(point(swipe.x1, swipe.y1)?)),
        ("end".to_owned(), Yaml::Text(point(swipe.x2, swipe.y2)?)),
    ];
    arguments.extend(swipe.duration_ms.map(|duration| ("duration".to_owned(), word(duration))));
    let step = one("swipe", Yaml::Map(arguments));
    lost.step(match swipe.count.filter(|count| *count > 1) {
        None => step,
        Some(count) => one(
            "repeat",
            Yaml::Map(vec![("times".to_owned(), word(count)), ("commands".to_owned(), Yaml::List(vec![step]))]),
        ),
    })
}

fn moved(gesture: &Gesture) -> Result<Written, String> {
    match &*gesture.words {
        GestureWords::Pan { origin: Target::Point { x, y }, dx, dy } if gesture.pointer_count.unwrap_or(1) == 1 => {
            let mut arguments = vec![
                ("start".to_owned(), Yaml::Text(point(*x, *y)?)),
                ("end".to_owned(), Yaml::Text(point(x + dx, y + dy)?)),
            ];
            arguments.extend(gesture.duration_ms.map(|duration| ("duration".to_owned(), word(duration))));
            let lost = vec!["a swipe lifts while it moves, a pan stops before".to_owned()];
            Ok(Written { steps: vec![one("swipe", Yaml::Map(arguments))], lost })
        }
        GestureWords::Fling { direction, distance, origin } => {
            let mut lost = Lost::default();
            lost.flag(distance.is_some(), "the distance of a fling");
            lost.flag(origin.is_some(), "the origin of a fling");
            let direction = match direction {
                GestureDirection::Up => "UP",
                GestureDirection::Down => "DOWN",
                GestureDirection::Left => "LEFT",
                GestureDirection::Right => "RIGHT",
            };
            lost.step(one("swipe", one("direction", word(direction))))
        }
        _ => Err("of gestures a flow has swipes only".to_owned()),
    }
}

fn set(setting: &Setting, marks: &Marks) -> Result<Written, String> {
    let switch = |on: bool| word(if on { "enabled" } else { "disabled" });
    Ok(Written::one(match setting {
        Setting::Airplane { on } => one("setAirplaneMode", switch(*on)),
        Setting::Appearance { appearance: Appearance::Light } => one("setDarkMode", switch(false)),
        Setting::Appearance { appearance: Appearance::Dark } => one("setDarkMode", switch(true)),
        Setting::Appearance { appearance: Appearance::Toggle } => word("toggleDarkMode"),
        Setting::LocationSet { latitude, longitude } => one(
            "setLocation",
            Yaml::Map(vec![("latitude".to_owned(), word(latitude)), ("longitude".to_owned(), word(longitude))]),
        ),
        Setting::Permission { grant, permission } => {
            let state = match grant {
                Grant::Grant => "allow",
                Grant::Deny => "deny",
                Grant::Reset => "unset",
            };
            if marks.in_text(permission)
                || !permission.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
            {
                return Err("the name of a permission has to be said".to_owned());
            }
            one("setPermissions", one("permissions", one(permission, word(state))))
        }
        Setting::ClearAppState { app: None } => word("clearState"),
        Setting::ClearAppState { app: Some(app) } => one("clearState", Yaml::Text(marks.text(app))),
        Setting::Wifi { .. } | Setting::Location { .. } | Setting::Animations { .. } => {
            return Err("a flow does not change this setting".to_owned());
        }
    }))
}

fn pictured(shot: &Screenshot, marks: &Marks) -> Result<Written, String> {
    let mut lost = Lost::default();
    lost.flag(shot.overlay_refs, "--overlay-refs");
    lost.flag(shot.fullscreen, "--fullscreen");
    let path = shot.out.as_deref().or(shot.path.as_deref()).unwrap_or("screenshot");
    lost.step(one("takeScreenshot", Yaml::Text(marks.text(stem(path, ".png")))))
}

/// A file's name without the ending that a flow adds by itself.
fn stem<'a>(path: &'a str, ending: &str) -> &'a str {
    path.strip_suffix(ending).unwrap_or(path)
}
