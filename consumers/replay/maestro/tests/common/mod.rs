//! A host that writes down what it is told and asked, and answers as a test says.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "a part of tests, of which each file uses some")]

use std::{path::Path, time::Duration};

use contract::{
    Code, Command, Disclosed, Failure, Response, Row, Sends,
    command::{GestureWords, RecordWords, Setting, WaitFor},
    request::Answer,
};
use flow::{Ask, Host, Place, Status};
use maestro::{Failed, Flow, Problems, Reading, RunOptions};
use screen::selector::Selector;
use serde_json::{Value, json};

/// Answers a command, or says nothing: then it succeeds.
pub type Reaction = Box<dyn FnMut(&Ask) -> Option<Response>>;

pub struct Double {
    pub asks: Vec<Ask>,
    pub log: Vec<String>,
    pub secrets: Vec<String>,
    pub reaction: Reaction,
    pub remaining: Duration,
    /// Steps that were begun and not ended.
    pub open: usize,
}

impl Double {
    pub fn new(reaction: impl FnMut(&Ask) -> Option<Response> + 'static) -> Self {
        Self {
            asks: Vec::new(),
            log: Vec::new(),
            secrets: Vec::new(),
            reaction: Box::new(reaction),
            remaining: Duration::from_secs(60),
            open: 0,
        }
    }

    /// One to whom everything succeeds.
    pub fn willing() -> Self {
        Self::new(|_| None)
    }

    /// What was asked, in words; waits for rest left out.
    pub fn asked(&self) -> Vec<String> {
        self.asks.iter().map(|ask| say(&ask.command)).filter(|said| !said.starts_with("wait stable 300")).collect()
    }

    pub fn noted(&self, part: &str) -> bool {
        self.log.iter().any(|line| line.contains(part))
    }
}

impl Host for Double {
    fn begin(&mut self, place: &Place, text: &str) {
        self.log.push(format!("{}begin {} {text}", "  ".repeat(self.open), place.line));
        self.open += 1;
    }

    fn ask(&mut self, ask: Ask) -> Response {
        assert!(self.open > 0, "asked outside any step");
        assert!(ask.readiness_ms.is_none_or(|ms| ms <= 2_000), "more than the contract's cap");
        for selector in selectors(&ask.command.to_args()) {
            assert!(Selector::parse(&selector).is_ok(), "{selector}: {}", Selector::parse(&selector).unwrap_err());
        }
        ask.command.check().map_err(|why| Disclosed::seal(why, None, Sends::NONE))?;
        self.asks.push(ask.clone());
        let response = (self.reaction)(&ask);
        response.unwrap_or_else(|| Ok(usual(&ask.command)))
    }

    fn note(&mut self, note: &str) {
        self.log.push(format!("{}note {note}", "  ".repeat(self.open)));
    }

    fn end(&mut self, status: Status, failure: Option<&Failure>) {
        self.open -= 1;
        let why = failure.map_or_else(String::new, |failure| format!(" {failure}"));
        self.log.push(format!("{}end {status:?}{why}", "  ".repeat(self.open)));
    }

    fn pause(&mut self, pause: Duration) -> Result<(), Failure> {
        self.log.push(format!("{}pause {}", "  ".repeat(self.open), pause.as_millis()));
        Ok(())
    }

    fn remaining(&self) -> Duration {
        self.remaining
    }

    fn secret(&mut self, text: &str) {
        self.secrets.push(text.to_owned());
    }
}

/// Every selector in a command's arguments.
fn selectors(args: &Value) -> Vec<String> {
    match args {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| match value {
                Value::String(text) if key == "selector" || key == "until" => vec![text.clone()],
                value => selectors(value),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn usual(command: &Command) -> Answer {
    let data = match command {
        Command::Snapshot(_) => json!({"viewport": {"width": 400.0, "height": 800.0}}),
        Command::Get(_) => json!({
            "text": "ORD-17", "value": "hello world",
            "rect": {"x": 100.0, "y": 200.0, "width": 50.0, "height": 20.0},
        }),
        Command::Screenshot(_) => json!({"path": "/pictures/x.png"}),
        _ => Value::Null,
    };
    Answer { data, text: None }
}

/// A refusal before anything was sent.
pub fn absent(command: &Command) -> Response {
    let failure = Failure::refused(Row::DaemonRefusalAbsent, Code::ElementNotFound, "nothing on the screen matches")
        .reason("selector_not_found");
    Err(Disclosed::seal(failure, Some(command.effect()), Sends::NONE))
}

/// A failure with this code; whether it landed is not known.
pub fn fails(command: &Command, code: Code) -> Response {
    Err(Disclosed::seal(Failure::new(code, "it went wrong"), Some(command.effect()), Sends::NONE))
}

/// A command in words.
pub fn say(command: &Command) -> String {
    let args = command.to_args();
    let name = command.spec().name;
    let target = |key: &str| {
        args.get(key).or(Some(&args)).map_or_else(String::new, |target| {
            match target.get("selector").and_then(Value::as_str) {
                Some(selector) => selector.to_owned(),
                None => format!("{} {}", target["x"], target["y"]),
            }
        })
    };
    match command {
        Command::Wait(wait) => match &*wait.words {
            WaitFor::Selector { selector, timeout_ms } => format!("wait {selector} {}", timeout_ms.unwrap_or(0)),
            WaitFor::Absent { selector, timeout_ms } => format!("wait absent {selector} {}", timeout_ms.unwrap_or(0)),
            WaitFor::Stable { quiet_ms, timeout_ms } => {
                format!("wait stable {} {}", quiet_ms.unwrap_or(0), timeout_ms.unwrap_or(0))
            }
            _ => format!("wait {args}"),
        },
        Command::Press(press) => {
            let mut said = format!("press {}", target("target"));
            for (set, flag) in [(press.double_tap, " --double-tap"), (press.after.settle.settle, " --settle")] {
                if set {
                    said.push_str(flag);
                }
            }
            if let Some(count) = press.count {
                said.push_str(&format!(" --count {count} --interval-ms {}", press.interval_ms.unwrap_or(0)));
            }
            said
        }
        Command::Longpress(_) => format!("longpress {}", target("target")),
        Command::Get(get) => format!("get {:?} {}", get.format, target("target")).to_lowercase_first(),
        Command::Type(typed) => format!("type {}", typed.text),
        Command::Fill(fill) => format!("fill {} {:?}", target("target"), fill.words.text),
        Command::Open(open) => {
            format!("open {}{}", open.app.as_deref().unwrap_or("-"), if open.relaunch { " --relaunch" } else { "" })
        }
        Command::Swipe(swipe) => format!(
            "swipe {} {} {} {} {}",
            swipe.x1.round(),
            swipe.y1.round(),
            swipe.x2.round(),
            swipe.y2.round(),
            swipe.duration_ms.unwrap_or(0)
        ),
        Command::Scroll(scroll) => {
            format!("scroll {:?} {}", scroll.direction, scroll.until.as_deref().unwrap_or("-")).to_lowercase_first()
        }
        Command::Settings(settings) => match &*settings.words {
            Setting::Permission { grant, permission } => format!("permission {grant:?} {permission}"),
            Setting::ClearAppState { app } => format!("clear-app-state {}", app.as_deref().unwrap_or("-")),
            other => format!("settings {}", serde_json::to_string(other).unwrap()),
        },
        Command::Gesture(gesture) => match &*gesture.words {
            GestureWords::Drag { source, destination } => format!("drag {source} {destination}"),
            _ => format!("gesture {args}"),
        },
        Command::Record(record) => match &*record.words {
            RecordWords::Start { path } => format!("record start {}", path.as_deref().unwrap_or("-")),
            RecordWords::Stop => "record stop".to_owned(),
        },
        Command::Screenshot(shot) => format!("screenshot {}", shot.path.as_deref().unwrap_or("-")),
        Command::Keyboard(keyboard) => format!("keyboard {:?}", keyboard.action).to_lowercase_first(),
        Command::Orientation(turn) => format!("orientation {:?}", turn.orientation),
        Command::Viewport(size) => format!("viewport {} {}", size.width, size.height),
        _ => name.to_owned(),
    }
}

trait LowercaseFirst {
    fn to_lowercase_first(self) -> String;
}

impl LowercaseFirst for String {
    /// Words are as on a command line; what stands behind the second keeps its letters.
    fn to_lowercase_first(self) -> String {
        let mut words = self.splitn(3, ' ');
        let head: Vec<String> = words.by_ref().take(2).map(str::to_lowercase).collect();
        head.into_iter().chain(words.map(str::to_owned)).collect::<Vec<_>>().join(" ")
    }
}

/// Writes files into a folder and reads the first of them as a flow.
pub fn read(files: &[(&str, &str)]) -> Result<Flow, Problems> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    Flow::read(Path::new(files[0].0), &Reading { root: folder.path().to_owned() })
}

/// A flow of these commands, under the usual header.
pub fn flow(commands: &str) -> Flow {
    flow_with("appId: com.example.shop\n", commands)
}

pub fn flow_with(header: &str, commands: &str) -> Flow {
    read(&[("flow.yaml", &format!("{header}---\n{commands}\n"))]).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Runs commands where everything succeeds: what was asked.
pub fn asked(commands: &str) -> Vec<String> {
    let mut host = Double::willing();
    flow(commands)
        .run(&mut host, &RunOptions::default())
        .unwrap_or_else(|failed| panic!("{failed}\n{}", host.log.join("\n")));
    assert_eq!(host.open, 0, "a step was not ended");
    host.asked()
}

/// Runs a flow.
pub fn run(flow: &Flow, host: &mut Double, options: &RunOptions) -> Result<(), Box<Failed>> {
    let result = flow.run(host, options);
    assert_eq!(host.open, 0, "a step was not ended:\n{}", host.log.join("\n"));
    result
}
