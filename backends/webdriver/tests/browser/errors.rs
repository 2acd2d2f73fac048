//! What each error of the driver proves: the table in `routes` held against the real driver.

use std::time::Duration;

use backend::{Aim, Input};
use contract::{Code, Failure, Point, Sends, command::Button};
use serde_json::{Value, json};
use webdriver::{
    driver::{self, Folder},
    launch::{self, Wish},
    line::Line,
    routes::Route,
};
use wire::Context;

use crate::support::{Opened, Site, browser, context, is_chrome, named, row};

/// A line of its own to a driver of its own, to send what the backend never would.
struct Raw {
    line: Line,
    running: driver::Running,
    state: tempfile::TempDir,
    site: Site,
}

impl Raw {
    async fn at(path: &str) -> Self {
        let site = Site::start().await;
        let state = tempfile::tempdir().unwrap();
        let programs = webdriver::browser::programs(browser()).unwrap();
        let folder = Folder::create(state.path()).unwrap();
        let running = driver::start(&context(), browser(), &programs, folder).await.unwrap();
        let wish = Wish {
            browser: browser(),
            local: Some((&programs.browser, running.folder().path())),
            headed: false,
            mobile: None,
            is_root: rustix::process::geteuid().is_root(),
            more: None,
        };
        let mut line = Line::to(running.authority.clone(), String::new());
        let new: Value = line.act(&context(), Route::NewSession, "", Some(launch::capabilities(&wish))).await.unwrap();
        line.in_session(new["sessionId"].as_str().unwrap().to_owned());
        let mut raw = Self { line, running, state, site };
        let address = raw.site.at(path);
        raw.act(Route::Navigate, "", json!({"url": address})).await.0.unwrap();
        raw
    }

    async fn act(&mut self, route: Route, argument: &str, body: Value) -> (Result<Value, Failure>, Sends) {
        let context = context();
        let result = self.line.act(&context, route, argument, Some(body)).await;
        (result, context.ledger.sends())
    }

    async fn js(&mut self, script: &str) -> Value {
        let body = json!({"script": script, "args": []});
        self.line.look(&context(), Route::Look, "", Some(body)).await.unwrap()
    }

    async fn element(&mut self, id: &str) -> String {
        let found = self.js(&format!("return document.getElementById('{id}')")).await;
        found[webdriver::reply::ELEMENT].as_str().unwrap().to_owned()
    }

    async fn end(self) {
        self.running.stop().await;
        assert_eq!(driver::processes::naming(&self.state.path().canonicalize().unwrap()), []);
    }
}

fn actions(actions: Value) -> Value {
    json!({"actions": [{"type": "pointer", "id": "p-mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]})
}

fn to(x: i64, y: i64) -> Value {
    json!({"type": "pointerMove", "x": x, "y": y, "duration": 0, "origin": "viewport"})
}

/// Asserts that nothing ran: the failure says so, and the ledger.
fn proves_nothing_ran(outcome: &(Result<Value, Failure>, Sends), wanted: &str) {
    let failure = outcome.0.as_ref().unwrap_err();
    assert_eq!(row(failure), wanted, "{failure}");
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(contract::Dispatched::No));
    assert_eq!(outcome.1, Sends::NONE);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_action_list_runs_not_even_its_valid_beginning() {
    let mut raw = Raw::at("pointer.html").await;
    let point =
        raw.js("const r = document.getElementById('target').getBoundingClientRect(); return [r.x + 5, r.y + 5]").await;
    let (x, y) = (point[0].as_f64().unwrap() as i64, point[1].as_f64().unwrap() as i64);
    let press = |last: Value| {
        actions(json!([to(x, y), {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}, last]))
    };
    let outcome = raw.act(Route::Actions, "", press(json!({"type": "pointerMove", "x": "q", "y": 1}))).await;
    proves_nothing_ran(&outcome, "webdriver.actions.invalid");
    assert_eq!(raw.js("return document.getElementById('log').textContent").await, "-");

    // One that leaves the viewport at the end has done its beginning: no proof.
    let outcome = raw.act(Route::Actions, "", press(to(99_999, 5))).await;
    let failure = outcome.0.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.actions.out-of-bounds", Code::OutsideViewport), "{failure}");
    assert_eq!((outcome.1.completed, outcome.1.open), (0, 1));
    if is_chrome() {
        assert_eq!(raw.js("return document.getElementById('log').textContent").await, "click", "its beginning ran");
    }
    raw.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_an_element_does_not_take_reach_nothing() {
    let mut raw = Raw::at("fields.html").await;
    let before = "return window.keys || 0";
    let off = raw.element("off").await;
    proves_nothing_ran(&raw.act(Route::Keys, &off, json!({"text": "x"})).await, "webdriver.keys.not-interactable");
    let name = raw.element("name").await;
    raw.js("document.getElementById('name').remove()").await;
    proves_nothing_ran(&raw.act(Route::Keys, &name, json!({"text": "x"})).await, "webdriver.keys.stale-element");
    let outcome = raw.act(Route::Keys, "f.made.d.up.e.1", json!({"text": "x"})).await;
    proves_nothing_ran(&outcome, "webdriver.keys.stale-element");
    assert_eq!(raw.js(before).await, 0);
    raw.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_ended_is_found_out_by_the_look_before_an_input() {
    if !is_chrome() {
        return;
    }
    let page = Opened::at("pointer.html").await;
    let folder = page.state.path().canonicalize().unwrap();
    let point = Point { x: 30.0, y: 60.0 };
    for process in driver::processes::naming(&folder).iter().filter(|process| process.pid != process.group) {
        let pid = rustix::process::Pid::from_raw(process.pid).unwrap();
        // Children go with their parents.
        let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    for input in [
        Input::Press { aim: Aim { point, node: None }, button: Button::Primary, hold_ms: 0 },
        Input::Swipe { from: point, to: point, duration_ms: 50 },
        Input::Navigate { address: page.site.at("blank.html"), load_timeout_ms: 5000 },
        Input::Back,
        Input::Type { text: "x".into() },
        Input::Viewport { width: 500, height: 500 },
    ] {
        let name = format!("{input:?}");
        let (result, sends) = page.perform(input).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.code), ("webdriver.session-gone", Code::SessionLost), "{name}: {failure}");
        assert!(!sends.any(), "{name}");
    }
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_dies_in_the_middle_of_an_input_proves_nothing() {
    if !is_chrome() {
        return;
    }
    let mut raw = Raw::at("pointer.html").await;
    let folder = raw.state.path().canonicalize().unwrap();
    let driver = raw.running.group();
    let slow = actions(json!([to(30, 60), {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": 4000},
        {"type": "pointerUp", "button": 0}]));
    let (outcome, ()) = tokio::join!(raw.act(Route::Actions, "", slow), async {
        // The press is down by now, and held.
        tokio::time::sleep(Duration::from_millis(500)).await;
        for process in driver::processes::naming(&folder).iter().filter(|process| process.pid != driver) {
            let pid = rustix::process::Pid::from_raw(process.pid).unwrap();
            // Children go with their parents.
            let _gone = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    });
    let failure = outcome.0.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.session-lost-in-input", Code::SessionLost), "{failure:?}");
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(contract::Dispatched::Unknown));
    assert_eq!((outcome.1.completed, outcome.1.open), (0, 1), "{failure:?}");
    raw.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_tab_is_a_lost_session() {
    if !is_chrome() {
        return;
    }
    let page = Opened::at("pointer.html").await;
    let crash = Input::Navigate { address: "chrome://crash".to_owned(), load_timeout_ms: 10_000 };
    let failure = page.perform(crash).await.0.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.tab-crashed", Code::SessionLost), "{failure}");
    let failure = page.device.capture(&context(), 100).await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.tab-crashed", Code::SessionLost), "{failure}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_passes_after_the_request_was_written_proves_nothing() {
    if browser() == contract::command::Browser::Webkit {
        // It cannot hold a button down, so no press takes long enough.
        return;
    }
    let page = Opened::at("pointer.html").await;
    let key = page.key("button", "Target").await;
    let aim = Aim { point: page.landing(key).await.point, node: Some(key) };
    let short = Context::with_limit(Duration::from_millis(1500));
    let held = Input::Press { aim, button: Button::Primary, hold_ms: 2500 };
    let failure = page.device.perform(&short, held).await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.timeout-after-send", Code::Timeout), "{failure}");
    assert_eq!((short.ledger.sends().completed, short.ledger.sends().open), (0, 1));
    // The session goes on: the driver finished what it had been told, and a new connection is used.
    page.wait_log("held click").await;
    named(&page.tree().await, "button", "Target");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn presses_are_counted_once_each_and_one_outside_the_viewport_proves_nothing() {
    let page = Opened::at("pointer.html").await;
    let key = page.key("button", "Target").await;
    for _ in 0..3 {
        page.press_key(key).await.unwrap();
    }
    // Presses that follow closely may count as a double press: that is the page's to hear.
    assert_eq!(page.log().await.matches(" click").count() + 1, 3);
    let out = Aim { point: Point { x: 9999.0, y: 5.0 }, node: None };
    let (result, sends) = page.perform(Input::Press { aim: out, button: Button::Primary, hold_ms: 0 }).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.actions.out-of-bounds", Code::OutsideViewport), "{failure}");
    assert_eq!((sends.completed, sends.open), (0, 1));
    page.end().await;
}
