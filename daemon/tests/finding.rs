//! `find` with selectors, reads of scripts that are held to what was recorded, and the looks that the timeline shows: over
//! the simulated device.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use contract::{Command, Disclosed, Dispatched, Expected, Request, request::Answer};
use daemon::{router::Router, state_dir::StateDir};
use serde_json::{Value, json};
use stage::{Operation, StageProvider};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

const APP: &str = r#"
app = "shop"
title = "Shop"
start = "shop"
[[screen]]
id = "shop"
title = "Shop"
[[screen.element]]
role = "heading"
id = "title"
label = "Save the date"
[[screen.element]]
role = "button"
id = "save"
label = "Save"
[[screen.element]]
role = "button"
id = "later"
label = "Save later"
[[screen.element]]
role = "text-field"
id = "name"
label = "Name"
keyboard = false
[[screen.element]]
role = "text"
id = "formula"
label = "id=5 is the key"
[[screen.element]]
role = "button"
id = "off"
label = "Off"
states = ["disabled"]
[[screen.element]]
role = "link"
id = "brings"
label = "Brings"
on_press = [{ after = { ms = 500, run = [{ show = "late" }] } }]
[[screen.element]]
role = "switch"
id = "late"
label = "Late"
states = ["hidden"]
[[screen.element]]
role = "text"
label = "A long way down"
height = 3000
[[screen.element]]
role = "switch"
id = "far"
label = "Far"
"#;

struct World {
    router: Arc<Router>,
    stage: StageProvider,
    folder: TempDir,
    next: AtomicU32,
}

impl World {
    async fn open() -> Self {
        let world = Self::new();
        world.does(&format!("open {}", world.path("shop.toml").display())).await;
        world
    }

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shop.toml"), APP).unwrap();
        let state = StateDir::find(Some(&folder.path().join("state"))).unwrap();
        state.create().unwrap();
        let stage = StageProvider::new();
        let router = Arc::new(Router::new(state, vec![Arc::new(stage.clone())]));
        Self { router, stage, folder, next: AtomicU32::new(1) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn held_to(&self, line: &str, expect: &[Expected]) -> Result<Answer, Disclosed> {
        self.asked(line, expect, None).await
    }

    async fn asked(&self, line: &str, expect: &[Expected], readiness: Option<u64>) -> Result<Answer, Disclosed> {
        let command = Command::from_line(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let id = format!("r{}", self.next.fetch_add(1, Ordering::Relaxed));
        let request = Request {
            session: Some("s".into()),
            expect: expect.to_vec(),
            readiness_timeout_ms: readiness,
            ..Request::new(id, &command)
        };
        self.router.answer(request, CancellationToken::new()).await
    }

    async fn does(&self, line: &str) -> Answer {
        self.held_to(line, &[]).await.unwrap_or_else(|why| panic!("{line}: {:?}", why.failure()))
    }

    async fn fails(&self, line: &str) -> Value {
        match self.held_to(line, &[]).await {
            Err(why) => serde_json::to_value(&why).unwrap(),
            Ok(answer) => panic!("{line}: {}", answer.data),
        }
    }

    /// The looks that the timeline shows of the last command.
    async fn looks(&self) -> usize {
        self.does("events").await.data["events"].as_array().unwrap().last().unwrap()["polls"]
            .as_array()
            .map_or(0, Vec::len)
    }

    fn count(&self, on: Operation) -> u32 {
        self.stage.probe("stage").unwrap().faults().occurred(on)
    }
}

#[tokio::test]
async fn find_takes_a_selector_and_does_with_it_what_it_does_with_a_text() {
    let world = World::open().await;
    let pressed = world.does(r#"find 'role=button label~="Sa.*" id=save' click"#).await;
    assert_eq!(pressed.data["element"], "[button] \"Save\"", "{}", pressed.data);
    assert_eq!(world.count(Operation::Press), 1);
    world.does("find id=name fill Ada").await;
    assert_eq!(world.does("find id=name getText").await.data["text"], "Ada");
    world.does("find 'editable label=Name' type ' Lovelace'").await;
    assert_eq!(world.does("find 'role=text-field' getAttrs").await.data["value"], "Ada Lovelace");
    assert_eq!(world.does("find id=nowhere exists").await.data["found"], false);
    assert_eq!(world.does("find 'role=button' exists").await.data, json!({"found": true, "matches": 3}));
    assert_eq!(world.does("find 'role=button enabled' list").await.data["matches"].as_array().unwrap().len(), 2);
    assert_eq!(world.does("find selector 'editable' list").await.data["matches"].as_array().unwrap().len(), 1);
    assert_eq!(world.does("find id=later wait").await.data["captures"], 1);
    assert_eq!(world.does("find 'role=button' getText --first").await.data["text"], "Save");
    assert_eq!(world.does("find 'role=button enabled' getText --last").await.data["text"], "Save later");
    // What reads like a selector can be looked for as a text.
    assert_eq!(world.does("find any id=5 getText").await.data["text"], "id=5 is the key");
    assert_eq!(world.does("find 'key' getText").await.data["text"], "id=5 is the key");
}

#[tokio::test]
async fn a_find_by_selector_is_refused_like_a_press_and_sends_nothing() {
    let world = World::open().await;
    let presses = world.count(Operation::Press);
    for (line, code, hint) in [
        ("find role=button click", "AMBIGUOUS_MATCH", "candidates"),
        ("find id=off click", "ELEMENT_DISABLED", ""),
        ("find id=title fill text", "ELEMENT_NOT_EDITABLE", ""),
        ("find id=nowhere click", "ELEMENT_NOT_FOUND", "find any"),
        ("find 'role=button label=\"Save latr\"' click", "ELEMENT_NOT_FOUND", "did you mean"),
        ("find 'role=button && label=Save' click", "INVALID_ARGS", "did you mean role=button label=Save?"),
        ("find 'lable=\"Save\"' click", "ELEMENT_NOT_FOUND", "did you mean label=?"),
    ] {
        let told = world.fails(line).await;
        assert_eq!((&told["code"], &told["details"]["dispatched"]), (&json!(code), &json!("no")), "{line}: {told:#}");
        assert!(told.to_string().contains(&hint.replace('"', "\\\"")), "{line}: {told:#}");
    }
    assert_eq!(world.count(Operation::Press), presses);
}

#[tokio::test]
async fn a_look_for_what_is_not_there_says_what_comes_nearest() {
    let world = World::open().await;
    for line in [
        "is exists 'label=\"Save latr\"'",
        "is visible 'label=\"Save latr\"'",
        "find 'Save latr' getText",
        "wait text 'Save latr' 1",
    ] {
        let told = world.fails(line).await;
        let near = told["details"]["near"].as_array().unwrap_or_else(|| panic!("{line}: {told:#}"));
        assert!(near[0].as_str().unwrap().contains("Save later"), "{line}: {told:#}");
        assert!(told["hint"].as_str().unwrap().contains("Save later"), "{line}: {told:#}");
    }
    // Nothing is near to this, and what is there is not near to itself.
    for line in ["is exists id=zzzz", "is text id=save Store", "is absent id=save"] {
        assert_eq!(world.fails(line).await["details"]["near"], Value::Null, "{line}");
    }
}

#[tokio::test]
async fn what_find_found_is_recorded_and_held_to_when_it_is_found_again() {
    let world = World::new();
    let script = world.path("flow.ad");
    world.does(&format!("open {} --save-script={}", world.path("shop.toml").display(), script.display())).await;
    world.does("find 'id=save role=button' click").await;
    world.does("find 'later' click").await;
    world.does("find id=name fill Ada").await;
    world.does("find role=button click --first").await;
    world.does("find role=button list").await;
    world.does("close").await;
    let text = fs::read_to_string(&script).unwrap();
    let parsed = script::parse(&text, "flow.ad").unwrap();
    let steps: Vec<_> = parsed.steps.iter().filter(|step| step.text().starts_with("find")).collect();
    let lines: Vec<_> = steps.iter().map(|step| step.text()).collect();
    assert_eq!(lines.len(), 4, "{text}");
    let told: Vec<_> = steps
        .iter()
        .map(|step| {
            let expected = step.evidence.as_ref().unwrap_or_else(|| panic!("{text}")).1.expected();
            (expected[0].id.clone().unwrap(), expected[0].ambiguous)
        })
        .collect();
    let meant = [("save", false), ("later", false), ("name", false), ("save", true)];
    assert_eq!(told, meant.map(|(id, ambiguous)| (id.to_owned(), ambiguous)), "{text}");

    // Played again, each does the same.
    let again = World::open().await;
    for step in &steps {
        let command = step.command(&script::Variables::new()).unwrap();
        let expect = step.evidence.as_ref().unwrap().1.expected();
        let line = command.to_words().unwrap();
        assert_eq!(Command::from_words(&line).unwrap(), command);
        let quoted = line.iter().map(|word| contract::quote::value(word)).collect::<Vec<_>>().join(" ");
        again.held_to(&quoted, &expect).await.unwrap_or_else(|why| panic!("{quoted}: {:?}", why.failure()));
    }
    assert_eq!(again.does("is text id=name Ada").await.data["pass"], true);
    assert_eq!(again.count(Operation::Press), 3);
}

#[tokio::test]
async fn a_read_that_finds_something_else_than_was_recorded_is_no_answer() {
    let world = World::open().await;
    let was = |role: &str, label: &str, id: &str| Expected {
        role: Some(role.into()),
        label: Some(label.into()),
        id: Some(id.into()),
        ..Expected::default()
    };
    let (same, other) = (was("button", "Save", "save"), was("checkbox", "Keep me posted", "posted"));
    for line in [
        "get text id=save",
        "get attrs id=save",
        "is visible id=save",
        "is enabled id=save",
        "is exists id=save",
        "is text id=save Save",
        "find id=save getText",
        "find id=save click",
    ] {
        world
            .held_to(line, std::slice::from_ref(&same))
            .await
            .unwrap_or_else(|why| panic!("{line}: {:?}", why.failure()));
        let presses = world.count(Operation::Press);
        let told = world.held_to(line, std::slice::from_ref(&other)).await.unwrap_err();
        assert_eq!(told.failure().reason_str(), Some("identity_mismatch"), "{line}: {:?}", told.failure());
        assert_eq!(told.dispatched(), Dispatched::No, "{line}");
        assert!(told.failure().message.contains("Keep me posted"), "{line}: {}", told.failure().message);
        assert_eq!(world.count(Operation::Press), presses, "{line}");
    }
    // Any of several is the one that exists.
    world.held_to("is exists role=button", &[was("button", "Save later", "later")]).await.unwrap();
    assert!(world.held_to("is exists role=button", std::slice::from_ref(&other)).await.is_err());
    // What is absent, or hidden because it is not there, was nothing.
    world.held_to("is hidden id=nowhere", std::slice::from_ref(&same)).await.unwrap();
    // A look at the first capture only: it costs no second one.
    let looks = world.count(Operation::Capture);
    world.held_to("get text id=save", std::slice::from_ref(&same)).await.unwrap();
    assert_eq!(world.count(Operation::Capture), looks + 1);
    for line in ["wait id=save", "is absent id=nowhere", "find Save list"] {
        let told = world.held_to(line, std::slice::from_ref(&same)).await.unwrap_err();
        assert_eq!(told.failure().reason_str(), Some("invalid_arguments"), "{line}");
    }
}

#[tokio::test]
async fn each_look_of_a_wait_is_a_capture_that_the_timeline_shows() {
    let world = World::open().await;
    for (first, line) in [
        ("press id=brings", "press id=late"),
        ("press id=title", "wait id=save"),
        ("press id=title", "find 'role=switch id=late' wait"),
        ("press id=title", "wait absent id=nowhere"),
        ("press id=title", "wait stable 50"),
        ("press id=title", "press id=save --settle"),
        ("press id=title", "scroll down --until id=far"),
    ] {
        world.does(first).await;
        let before = world.count(Operation::Capture);
        world.asked(line, &[], Some(2_000)).await.unwrap_or_else(|why| panic!("{line}: {:?}", why.failure()));
        let captures = world.count(Operation::Capture) - before;
        let looks = u32::try_from(world.looks().await).unwrap();
        assert_eq!(looks, captures, "{line}");
        match line {
            "press id=late" => assert!(looks >= 2, "it waited: {looks}"),
            "wait id=save" | "wait absent id=nowhere" => assert_eq!(looks, 1, "{line}: there at once"),
            "scroll down --until id=far" => assert!(looks >= 2, "it looks after each step: {looks}"),
            _ => {}
        }
    }
}
