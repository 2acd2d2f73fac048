//! Scripts and traces of sessions, over the simulated device: what they hold, what they never hold, and that nobody's answer
//! changes because of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use contract::{
    Command, Disclosed, Request, Row,
    request::Answer,
    trace::{Entry, FILE, Header},
};
use daemon::{router::Router, state_dir::StateDir, timeline};
use serde_json::Value;
use stage::{Fault, FaultKind, Operation, StageProvider};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use wire::Context;

/// No text of the app.
const PASSWORD: &str = "Zq7-hunter2-Zq7";
const USER: &str = "annabel-of-nowhere";

const APP: &str = r#"
app = "login"
title = "Login"
start = "login"
[[screen]]
id = "login"
title = "Login"
[[screen.element]]
role = "text-field"
id = "name"
label = "Name"
keyboard = false
[[screen.element]]
role = "text-field"
id = "password"
label = "Password"
mask = true
keyboard = false
[[screen.element]]
role = "button"
id = "go"
label = "Go"
[[screen.element]]
role = "button"
label = "Same"
[[screen.element]]
role = "button"
label = "Same"
"#;

struct World {
    router: Arc<Router>,
    stage: StageProvider,
    folder: TempDir,
    next: AtomicU32,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("login.toml"), APP).unwrap();
        let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
        state.create().unwrap();
        let stage = StageProvider::new();
        let router = Arc::new(Router::new(state, vec![Arc::new(stage.clone())]));
        Self { router, stage, folder, next: AtomicU32::new(1) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self) -> String {
        format!("open {}", self.path("login.toml").display())
    }

    async fn asked(&self, line: &str, timeout_ms: Option<u64>) -> Result<Answer, Disclosed> {
        let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let id = format!("r{}", self.next.fetch_add(1, Ordering::Relaxed));
        let request = Request { session: Some("s".into()), timeout_ms, ..Request::new(id, &command) };
        self.router.answer(request, CancellationToken::new()).await
    }

    async fn run(&self, line: &str) -> Result<Answer, Disclosed> {
        self.asked(line, None).await
    }

    async fn does(&self, line: &str) -> Answer {
        self.run(line).await.unwrap_or_else(|why| panic!("{line}: {:?}", why.failure()))
    }

    async fn fails(&self, line: &str) -> Value {
        match self.run(line).await {
            Err(why) => serde_json::to_value(&why).unwrap(),
            Ok(answer) => panic!("{line}: {}", answer.data),
        }
    }

    fn count(&self, on: Operation) -> u32 {
        self.stage.probe("stage").unwrap().faults().occurred(on)
    }

    fn inject(&self, fault: Fault) {
        self.stage.probe("stage").unwrap().faults().inject(fault);
    }

    /// Every text in every file below the world's folder but the app's own.
    fn around(&self) -> Vec<(PathBuf, String)> {
        fn gather(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    gather(&path, into);
                } else {
                    into.push((path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
                }
            }
        }
        let mut all = Vec::new();
        gather(self.folder.path(), &mut all);
        all
    }
}

fn reference(answer: &Answer, label: &str) -> String {
    let nodes = answer.data["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|node| node["label"] == label).unwrap_or_else(|| panic!("{label}: {}", answer.data));
    format!("@{}", node["ref"].as_str().unwrap())
}

fn centre(answer: &Answer, label: &str) -> String {
    let nodes = answer.data["nodes"].as_array().unwrap();
    let rect = &nodes.iter().find(|node| node["label"] == label).unwrap()["rect"];
    let number = |key: &str| rect[key].as_f64().unwrap();
    format!("{} {}", number("x") + number("width") / 2.0, number("y") + number("height") / 2.0)
}

/// The commands of a script, with the variables given.
fn commands(path: &Path) -> Vec<Command> {
    let text = fs::read_to_string(path).unwrap();
    let script = script::parse(&text, "flow.ad").unwrap_or_else(|why| panic!("{text}\n{why:?}"));
    let given = [("SECRET_1", PASSWORD), ("USER", USER)].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let variables = script::Variables::new().given(given);
    script.steps.iter().map(|step| step.command(&variables).unwrap_or_else(|why| panic!("{text}\n{why}"))).collect()
}

fn line(text: &str) -> Command {
    Command::from_line(text).unwrap()
}

#[tokio::test]
async fn steps_become_a_script_that_names_what_they_hit_and_holds_no_secret() {
    let world = World::new();
    let script = world.path("flow.ad");
    let opened = world.does(&format!("{} --save-script={}", world.open(), script.display())).await;
    assert_eq!(opened.data["script"], script.display().to_string());
    assert!(!script.exists(), "nothing before the end");
    let shown = world.does("snapshot -i").await;
    world.does(&format!("press {} --settle --settle-quiet-ms 25", reference(&shown, "Go"))).await;
    let filled = world.does(&format!("fill id=password {PASSWORD} --verify")).await;
    assert_eq!(filled.data["recordedAs"], "SECRET_1");
    assert!(filled.text.unwrap().contains("${SECRET_1}"));
    world.does(&format!("fill {} {USER} --record-as USER", reference(&shown, "Name"))).await;
    world.does(&format!("press {}", centre(&shown, "Go"))).await;
    world.fails("press id=nowhere").await;
    world.does("batch --steps '[\"press id=go\",\"get text id=go\",\"is visible id=go\"]'").await;
    world.does(&format!("wait {}", reference(&shown, "Go"))).await;
    let closed = world.does("close").await;
    assert_eq!(closed.data["script"], script.display().to_string());
    assert_eq!(closed.data["scriptVariables"], serde_json::json!(["SECRET_1", "USER"]));

    let text = fs::read_to_string(&script).unwrap();
    let go = "'id=go || role=button label=Go || label=Go'";
    let name = "'id=name || role=text-field label=Name || label=Name'";
    let expected = [
        "open ./login.toml --relaunch".to_owned(),
        format!("press {go}"),
        format!("fill id=password {PASSWORD}"),
        format!("fill {name} {USER}"),
        format!("press {go}"),
        "press id=go".to_owned(),
        "is visible id=go".to_owned(),
        format!("wait {go}"),
        "close".to_owned(),
    ];
    assert_eq!(commands(&script), expected.map(|text| line(&text)), "{text}");
    assert!(text.contains("context platform=stage"), "{text}");
    assert!(text.contains("${SECRET_1}") && text.contains("${USER}"), "{text}");
    let evidence = text.lines().filter(|line| line.starts_with("# agent-device:target-v1 ")).count();
    assert_eq!(evidence, 7, "one for each step with a target: {text}");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o600);
    for (path, text) in world.around() {
        for secret in [PASSWORD, USER] {
            assert!(!text.contains(secret), "{} in {}", secret, path.display());
        }
    }
}

#[tokio::test]
async fn what_no_selector_finds_alone_is_recorded_by_its_place_with_a_remark() {
    let world = World::new();
    let script = world.path("flow.ad");
    world.does(&format!("{} --save-script={}", world.open(), script.display())).await;
    let shown = world.does("snapshot -i").await;
    let pressed = world.does(&format!("press {}", reference(&shown, "Same"))).await;
    world.does("close").await;
    let text = fs::read_to_string(&script).unwrap();
    let place = format!("press {} {}", pressed.data["x"], pressed.data["y"]);
    assert_eq!(commands(&script)[1], line(&place), "{text}");
    assert!(text.contains("# [button] \"Same\" no selector finds it alone"), "{text}");
}

#[tokio::test]
async fn a_script_is_saved_once_and_nothing_is_recorded_afterwards() {
    let world = World::new();
    let here = world.folder.path().display().to_string();
    let opened = world.does(&format!("{} --save-script={here}", world.open())).await;
    let named = opened.data["script"].as_str().unwrap();
    assert!(
        named.starts_with(&format!("{here}/s-")) && named.ends_with(".ad"),
        "named after session and time: {named}"
    );
    world.does("press id=go").await;
    let saved = world.path("saved.ad");
    world.does(&format!("session save-script {}", saved.display())).await;
    assert_eq!(commands(&saved).last(), Some(&line("press id=go")), "no close: the session goes on");
    let again = world.fails("session save-script").await;
    assert_eq!(again["details"]["dispatchRow"], Row::DaemonScriptNothing.id());
    assert!(again["message"].as_str().unwrap().contains("saved.ad"), "{again}");
    world.does("press id=go").await;
    let closed = world.does("close").await;
    assert_eq!(closed.data.get("script"), None, "not published again: {}", closed.data);
    assert!(!Path::new(named).exists());
}

#[tokio::test]
async fn nothing_is_lost_when_others_close_the_session_and_the_timeline_says_where_it_is() {
    let world = World::new();
    let script = world.path("flow.ad");
    world.does(&format!("{} --save-script={}", world.open(), script.display())).await;
    world.does("press id=go").await;
    fs::write(&script, "somebody else's, meanwhile").unwrap();
    world.router.close_all(&Context::with_limit(Duration::from_secs(10))).await.unwrap();
    assert_eq!(fs::read_to_string(&script).unwrap(), "somebody else's, meanwhile");
    let beside = world.path("flow-2.ad");
    assert_eq!(commands(&beside).last(), Some(&line("press id=go")));
    let events = timeline::read_after(&world.router.state.session("s"), 0, 100);
    let last = &events.last().unwrap().message;
    assert!(last.contains("the script of 2 steps is") && last.contains("flow-2.ad"), "{last}");
    assert!(world.router.records.is_empty());
}

#[tokio::test]
async fn an_answer_is_the_same_whether_a_session_is_recorded_and_traced_or_not() {
    let mut told = Vec::new();
    for watched in [false, true] {
        let world = World::new();
        let script = world.path("flow.ad");
        let flag = if watched { format!(" --save-script={}", script.display()) } else { String::new() };
        world.does(&format!("{}{flag}", world.open())).await;
        if watched {
            world.does("trace start").await;
        }
        let shown = world.does("snapshot -i").await;
        let mut answers = vec![shown.data.clone()];
        for line in [
            format!("press {}", reference(&shown, "Go")),
            format!("fill {} hello", reference(&shown, "Name")),
            "type more".to_owned(),
            "is text id=name hellomore".to_owned(),
            "press id=go --double-tap".to_owned(),
            "swipe 200 600 200 300".to_owned(),
            "find Go click".to_owned(),
            "scroll down".to_owned(),
        ] {
            answers.push(world.does(&line).await.data);
        }
        for line in ["press id=nowhere", "press label=Same", "press @e99", "fill id=go x", "is visible id=nowhere"] {
            answers.push(world.fails(line).await);
        }
        told.push(answers);
    }
    assert_eq!(told[0], told[1]);
}

fn traced(folder: &str) -> (Header, Vec<Entry>) {
    let text = fs::read_to_string(Path::new(folder).join(FILE)).unwrap();
    let mut lines = text.lines();
    let header = serde_json::from_str(lines.next().unwrap()).unwrap();
    (header, lines.map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect())
}

#[tokio::test]
async fn every_command_of_a_traced_session_leaves_an_entry_with_what_there_was_to_see() {
    let world = World::new();
    world.does(&world.open()).await;
    let folder = world.does("trace start").await.data["folder"].as_str().unwrap().to_owned();
    let shown = world.does("snapshot -i").await;
    world.does("press id=go").await;
    world.does(&format!("press {}", reference(&shown, "Name"))).await;
    world.does(&format!("fill id=password {PASSWORD}")).await;
    world.does(&format!("fill id=name {USER} --record-as USER")).await;
    world.does("swipe 200 600 200 300").await;
    world.fails("press id=nowhere").await;
    world.does("wait id=go 1000").await;
    let stopped = world.does("trace stop").await;
    assert_eq!((&stopped.data["folder"], &stopped.data["entries"]), (&folder.as_str().into(), &8.into()));

    let (header, entries) = traced(&folder);
    assert_eq!((header.session.as_str(), header.platform.as_str()), ("s", "stage"));
    assert_eq!(entries.iter().map(|entry| entry.number).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    let file = |name: &Option<String>| fs::read(Path::new(&folder).join(name.as_ref().unwrap())).unwrap();
    for entry in entries.iter().filter(|entry| entry.ok && ["press", "fill", "swipe"].contains(&entry.command.as_str()))
    {
        for screen in [&entry.before, &entry.after] {
            let screen = screen.as_ref().unwrap_or_else(|| panic!("{entry:?}"));
            assert!(file(&screen.picture).starts_with(b"\x89PNG"), "{entry:?}");
            assert!(screen.viewport.is_some(), "{entry:?}");
            serde_json::from_slice::<Vec<contract::view::NodeView>>(&file(&screen.tree)).unwrap();
        }
    }
    let by_selector = &entries[1];
    assert_eq!(by_selector.line, "press id=go");
    for (entry, id) in [(by_selector, "go"), (&entries[2], "name"), (&entries[3], "password")] {
        let target = entry.target.as_ref().unwrap();
        let nodes: Vec<contract::view::NodeView> =
            serde_json::from_slice(&file(&entry.before.as_ref().unwrap().tree)).unwrap();
        let node = &nodes[target.node.unwrap() as usize];
        assert_eq!(node.identifier.as_deref(), Some(id));
        assert_eq!(target.rect, Some(node.rect));
        assert!(node.rect.contains(target.point.unwrap()), "{target:?}");
    }
    assert_eq!(entries[5].target.as_ref().unwrap().path.len(), 2, "the way of the swipe: {:?}", entries[5]);
    let failed = &entries[6];
    let failure = failed.failure.as_ref().unwrap();
    assert!(!failed.ok && failed.before.is_some());
    assert_eq!(failure["details"]["dispatched"], "no");
    assert_eq!(failure["details"]["dispatchRow"], Row::DaemonRefusalAbsent.id());
    assert!(entries[7].ok && entries[7].before.is_some() && entries[7].after.is_none());
    for (path, text) in world.around() {
        for secret in [PASSWORD, USER] {
            assert!(!text.contains(secret), "{} in {}", secret, path.display());
        }
    }
    world.does("trace start").await;
    assert!(!Path::new(&folder).exists(), "a new trace takes the place of the one before");
    let kept = world.does("trace stop --keep").await;
    world.does("close").await;
    assert!(Path::new(kept.data["folder"].as_str().unwrap()).exists(), "kept over the session's end");
}

#[tokio::test]
async fn a_session_that_is_not_traced_is_looked_at_no_more_often_than_without_this() {
    let world = World::new();
    world.does(&world.open()).await;
    let counts = || (world.count(Operation::Capture), world.count(Operation::Screenshot));
    let before = counts();
    world.does("press id=go").await;
    assert_eq!(counts(), (before.0 + 1, before.1), "one look, and no picture");
    world.does("trace start").await;
    world.does("press id=go").await;
    assert!(counts().1 > before.1, "traced: pictures");
    world.does("trace stop").await;
    let after = counts();
    world.does("press id=go").await;
    assert_eq!(counts(), (after.0 + 1, after.1), "no trace of it is left");
}

#[tokio::test(start_paused = true)]
async fn a_picture_that_is_slow_or_cannot_be_taken_costs_the_command_nothing() {
    let world = World::new();
    world.does(&world.open()).await;
    let folder = world.does("trace start").await.data["folder"].as_str().unwrap().to_owned();
    world.inject(Fault::new(Operation::Screenshot, FaultKind::Delay).nth(1).ms(2_500));
    world.inject(Fault::new(Operation::Screenshot, FaultKind::Refuse).nth(2));
    let pressed = world.asked("press id=go", Some(500)).await;
    assert!(pressed.is_ok(), "the picture took longer than the command may: {:?}", pressed.err());
    let (_, entries) = traced(&folder);
    assert!(entries[0].duration_ms < 500, "{entries:?}");
    assert!(entries[0].after.as_ref().unwrap().picture.is_none());
    assert!(entries[0].notes.iter().any(|note| note.starts_with("no picture: ")), "{:?}", entries[0].notes);
}

#[tokio::test]
async fn a_script_and_a_trace_go_on_over_a_relaunch() {
    let world = World::new();
    let script = world.path("flow.ad");
    world.does(&format!("{} --save-script={}", world.open(), script.display())).await;
    world.does("trace start").await;
    world.does("press id=go").await;
    world.does(&format!("{} --relaunch", world.open())).await;
    world.does("press id=go").await;
    assert_eq!(world.does("trace stop").await.data["entries"], 3);
    world.does("close").await;
    let names: Vec<_> = commands(&script).iter().map(|command| command.spec().name).collect();
    assert_eq!(names, ["open", "press", "open", "press", "close"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_script_or_a_trace_is_found_out_before_the_app_is_touched() {
    let world = World::new();
    let (there, one) = (world.path("there.ad"), world.path("one.ad"));
    fs::write(&there, "mine").unwrap();
    let missing = world.path("no/such/folder/a.ad");
    let told = |failure: &Value| {
        let detail = |key: &str| failure["details"][key].as_str().unwrap_or_default().to_owned();
        (detail("dispatchRow"), detail("dispatched"))
    };
    let no = |row: Row| (row.id().to_owned(), "no".to_owned());
    for (place, row) in [(&there, Row::DaemonScriptTargetExists), (&missing, Row::DaemonScriptUnwritable)] {
        let failed = world.fails(&format!("{} --save-script={}", world.open(), place.display())).await;
        assert_eq!(told(&failed), no(row));
    }
    assert!(world.router.sessions.list().is_empty() && world.router.records.is_empty(), "nothing was opened");
    world.does(&format!("{} --save-script={}", world.open(), one.display())).await;
    let opened = world.stage.probes("stage").len();
    let other = format!("{} --relaunch --save-script={}", world.open(), world.path("two.ad").display());
    assert_eq!(told(&world.fails(&other).await), no(Row::DaemonScriptOpenConflict));
    assert_eq!(world.stage.probes("stage").len(), opened, "nothing was opened anew");
    assert_eq!(told(&world.fails("trace stop").await), no(Row::DaemonTraceNone));
    world.does("trace start").await;
    assert_eq!(told(&world.fails("trace start").await), no(Row::DaemonTraceRunning));
    world.does("trace stop").await;
    let taken = world.fails(&format!("session save-script {}", there.display())).await;
    assert_eq!(told(&taken), no(Row::DaemonScriptTargetExists));
    assert_eq!(fs::read_to_string(&there).unwrap(), "mine");
    world.does(&format!("session save-script {} --force", there.display())).await;
    assert_eq!(commands(&there).len(), 1, "the open: what looked, failed or spoke to the daemon is no step");
    assert_eq!(told(&world.fails("session save-script").await), no(Row::DaemonScriptNothing));
    let folder = world.router.state.session("s");
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file where a folder should be").unwrap();
    assert_eq!(told(&world.fails("trace start").await), no(Row::DaemonTraceUnwritable));
}

#[tokio::test]
async fn what_is_to_be_recorded_under_a_name_stands_in_no_error_either() {
    let world = World::new();
    fs::write(world.path("login.toml"), APP.replace("id = \"name\"", "id = \"name\"\nfilter = \"digits-only\""))
        .unwrap();
    world.does(&world.open()).await;
    let failed = world.fails(&format!("fill id=name {USER}1 --record-as USER")).await;
    assert_eq!(failed["code"], "TEXT_MISMATCH");
    let quoting = world.fails(&format!("press 'label=\"{USER}1\"'")).await;
    assert!(quoting["message"].as_str().unwrap().contains("${USER}"), "{quoting}");
    for failure in [failed, quoting] {
        assert!(!failure.to_string().contains(USER), "{failure}");
    }
    for (path, text) in world.around() {
        assert!(!text.contains(USER), "{}", path.display());
    }
}

#[tokio::test]
async fn a_drag_is_recorded_with_both_of_its_ends_and_a_step_of_a_batch_as_a_step() {
    let world = World::new();
    let script = world.path("flow.ad");
    world.does(&format!("{} --save-script={}", world.open(), script.display())).await;
    let shown = world.does("snapshot -i").await;
    let (name, go) = (reference(&shown, "Name"), reference(&shown, "Go"));
    world.does(&format!("gesture drag {name} {go} --hold-ms 1 --duration-ms 20")).await;
    world.does(&format!("batch --steps '[\"press {go}\",\"scroll down\"]'")).await;
    world.does("session save-script").await;
    let text = fs::read_to_string(&script).unwrap();
    let names: Vec<_> = commands(&script).iter().map(|command| command.spec().name).collect();
    assert_eq!(names, ["open", "gesture", "press", "scroll"], "{text}");
    let ends = text.lines().find(|line| line.contains("targets-v1")).unwrap_or_else(|| panic!("{text}"));
    let (source, destination) = ends.split_once("destination").unwrap();
    assert!(source.contains("\"id\":\"name\"") && destination.contains("\"id\":\"go\""), "{ends}");
    assert!(!text.contains('@'), "no refs: {text}");
}
