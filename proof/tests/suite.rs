//! Suites of scripts and flows through the real program: shards, reports, a flow that passes when it is tried again, a stop
//! in the middle; and flows that go through all that a device can do.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::Path};

use android_lab::{Lab, LabDevice, Options};
use proof::{patience::soon, program::Program, site::Site};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

fn without_browser() -> bool {
    std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some()
}

fn write(program: &Program, name: &str, text: &str) -> String {
    let path = program.folder().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The report of a run, and its exit code.
async fn tested(program: &Program, args: &[&str]) -> (i32, Value) {
    let ended = program.run(&[&["test"], args, &["--json"]].concat()).await;
    let envelope: Value = serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("{why}: {ended:?}"));
    (ended.code, envelope["data"].clone())
}

async fn nothing_is_open(program: &Program) {
    let sessions = program.does(&["session", "list"]).await;
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(0), "{sessions:#}");
}

const GOOD: &str = "open demo --relaunch\npress 'label=Counter'\npress 'label=\"Press me\"'\nis exists 'label=\"Pressed once\" || label~=\"Pressed.*\"'\n";

#[tokio::test(flavor = "multi_thread")]
async fn shards_share_the_flows_and_the_reports_tell_of_each() {
    let program = Program::new();
    for number in 0..6 {
        write(&program, &format!("flows/{number}.ad"), GOOD);
    }
    write(&program, "flows/deep/bad.ad", &format!("{GOOD}press 'label=\"Not there\"'\n"));
    write(&program, "flows/odd.yaml", "appId: demo\n---\n- launchApp\n- tapOnn: Counter\n");
    let (code, report) = tested(
        &program,
        &[
            "flows",
            "--shard-split",
            "3",
            "--junit",
            "junit.xml",
            "--report-json",
            "report.json",
            "--report-html",
            "report.html",
        ],
    )
    .await;
    assert_eq!(code, 1, "{report:#}");
    let flows = report["flows"].as_array().unwrap();
    assert_eq!(flows.len(), 8);
    let of =
        |file: &str| flows.iter().find(|flow| flow["file"] == file).unwrap_or_else(|| panic!("no {file}: {report:#}"));
    assert_eq!(of("flows/3.ad")["outcome"], "passed");
    assert_eq!(of("flows/odd.yaml")["outcome"], "invalid");
    let bad = &of("flows/deep/bad.ad")["attempts"][0];
    assert_eq!(bad["outcome"], "failed");
    assert_eq!(bad["failure"]["details"]["divergence"]["cause"]["code"], "ELEMENT_NOT_FOUND");
    let page = fs::read_to_string(bad["trace"].as_str().unwrap()).unwrap();
    assert!(page.contains("Not there"));
    assert!(of("flows/0.ad")["attempts"][0]["trace"].is_null(), "traces are kept of failures");
    let junit = fs::read_to_string(program.folder().join("junit.xml")).unwrap();
    assert_eq!(junit.matches("<testcase ").count(), 8);
    let written: Value =
        serde_json::from_str(&fs::read_to_string(program.folder().join("report.json")).unwrap()).unwrap();
    assert_eq!(written, report, "the file says what was printed");
    let page = fs::read_to_string(program.folder().join("report.html")).unwrap();
    assert!(page.contains("8 flows: 6 passed, 1 failed, 1 invalid"), "{page}");
    let (before, _) = page.split_once("\" aria-label=\"trace of").unwrap();
    let link = before.rsplit('"').next().unwrap();
    let linked = program.folder().join(link);
    assert_eq!(fs::canonicalize(linked).unwrap(), fs::canonicalize(bad["trace"].as_str().unwrap()).unwrap());
    nothing_is_open(&program).await;

    // All of them on each of two shards; a stop after the first failure.
    let (code, report) = tested(&program, &["flows/0.ad", "flows/1.ad", "--shard-all", "2", "--trace", "never"]).await;
    assert_eq!((code, report["totals"]["passed"].as_u64()), (0, Some(4)), "{report:#}");
    let (code, report) = tested(&program, &["flows/deep", "flows/0.ad", "--fail-fast"]).await;
    assert_eq!(code, 1);
    assert_eq!(report["flows"][1]["outcome"], "notRun", "{report:#}");
    nothing_is_open(&program).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flow_that_passes_when_tried_again_is_told_as_flaky() {
    if without_browser() {
        return;
    }
    let site = Site::with("<p>Not yet</p><script>hit('first')</script>").await;
    let program = Program::new();
    let flow = format!("url: {}\nname: Late\n---\n- launchApp\n- tapOn: {{text: Go, optional: false}}\n", site.url);
    write(&program, "late.yaml", &flow);
    let child =
        program.start(&["test", "late.yaml", "--platform", "web", "--retries", "1", "--json", "--timeout", "20000"]);
    soon("the page to be opened", async {
        while site.hits("first") == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // What the second attempt finds.
    site.add("/", "<button onclick=\"hit('go')\">Go</button>");
    let ended = program.ended(child).await;
    let report: Value = serde_json::from_str::<Value>(&ended.out).unwrap()["data"].clone();
    let flow = &report["flows"][0];
    assert_eq!((ended.code, flow["outcome"].as_str()), (0, Some("flaky")), "{report:#}");
    assert_eq!(flow["attempts"].as_array().unwrap().len(), 2);
    assert_eq!(flow["attempts"][0]["outcome"], "failed");
    assert_eq!(site.hits("go"), 1, "pressed once");
    nothing_is_open(&program).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_suite_leaves_nothing_open() {
    let program = Program::new();
    write(&program, "flows/a.ad", "open demo --relaunch\nwait 60000\n");
    write(&program, "flows/b.ad", GOOD);
    let child = program.start(&["test", "flows", "--json"]);
    let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    soon("the flow to be under way", async {
        while program.run(&["session", "list", "--json"]).await.out.matches("\"busy\":true").count() == 0 {}
    })
    .await;
    kill_process(pid, Signal::INT).unwrap();
    let ended = program.ended(child).await;
    assert_eq!(ended.code, 130, "{ended:?}");
    let report: Value = serde_json::from_str::<Value>(&ended.out).unwrap()["data"].clone();
    assert_eq!(report["flows"][1]["outcome"], "notRun", "{report:#}");
    nothing_is_open(&program).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn flows_go_through_all_that_a_device_can_do() {
    let flows = Path::new(env!("CARGO_MANIFEST_DIR")).join("../consumers/replay/maestro/tests/real");
    let program = Program::new();
    let stage = flows.join("stage.yaml").display().to_string();
    let (code, told) = program.json(&["replay", &stage]).await;
    assert_eq!(code, 0, "{told:#?}");
    if without_browser() {
        return;
    }
    let site =
        Site::serving(&[("/page.html", include_str!("../../consumers/replay/maestro/tests/real/page.html"))]).await;
    let port = format!("PORT={}", site.url.rsplit(':').next().unwrap());
    let web = flows.join("web.yaml").display().to_string();
    let (code, told) = program.json(&["replay", &web, "-e", &port, "--platform", "web", "--session", "web"]).await;
    assert_eq!(code, 0, "{told:#?}");
    program.does(&["close", "--session", "web"]).await;
}

/// A phone of the lab: the program that uses it, the lab, and the device.
async fn phone() -> Option<(Program, Lab, LabDevice)> {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return None;
    }
    let lab = Lab::start().await.unwrap();
    let device = lab.device(Options::demo()).await.unwrap();
    let mut program = Program::new();
    program.environment.push(("ANDROID_ADB_SERVER_PORT".to_owned(), lab.port().to_string()));
    Some((program, lab, device))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flow_goes_through_all_that_a_phone_can_do() {
    const DEMO: &str = "com.example.demo";
    let Some((program, _lab, device)) = phone().await else { return };
    let flow = Path::new(env!("CARGO_MANIFEST_DIR")).join("../consumers/replay/maestro/tests/real/android.yaml");
    let (code, told) =
        program.json(&["replay", flow.to_str().unwrap(), "--platform", "android", "--device", device.serial()]).await;
    assert_eq!(code, 0, "{told:#?}");
    // What the device itself holds afterwards, and what ran on it.
    assert!(!device.granted(DEMO).contains(&"android.permission.CAMERA".to_owned()), "clearState takes it back");
    assert_eq!(device.setting("global", "airplane_mode_on").as_deref(), Some("1"));
    let ran = |words: &[&str]| {
        device.commands().iter().filter(|argv| argv.windows(words.len()).any(|part| part == words)).count()
    };
    assert_eq!(ran(&["pm", "clear"]), 2, "{:?}", device.commands());
    for words in [&["pm", "grant"][..], &["pm", "revoke"], &["cmd", "uimode", "night", "yes"], &["screenrecord"]] {
        assert!(ran(words) > 0, "{words:?}: {:?}", device.commands());
    }
    let files = |name: &str| fs::metadata(program.folder().join(name)).map_or(0, |file| file.len());
    assert!(files("saved.png") > 1_000 && files("pressing.mp4") > 0, "{:?}", fs::read_dir(program.folder()));
    let said = serde_json::to_string(&told.unwrap()).unwrap();
    assert!(!said.contains("4711"), "what is called a PIN is in no report");
    program.end().await;
}

/// One step after the launch of an app: what it came to.
async fn tried(program: &Program, app: &str, step: &str, way: &[&str]) -> Option<Value> {
    let header = if app.contains(':') { "url" } else { "appId" };
    let flow = write(program, "one.yaml", &format!("{header}: {app}\n---\n- launchApp\n- {step}\n"));
    write(program, "app.apk", "no package");
    let (_, told) = program.json(&[&["replay", flow.as_str()][..], way].concat()).await;
    told.err().map(|told| told.error["details"]["divergence"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_device_cannot_do_in_a_flow_is_what_the_page_says() {
    let program = Program::new();
    let site = Site::with("<input aria-label=Query autofocus>").await;
    let phone = phone().await;
    for needs in maestro::table::DEVICES {
        let mut devices: Vec<(bool, &Program, &str, Vec<&str>)> = vec![(needs.on[0], &program, "demo", vec![])];
        if !without_browser() {
            devices.push((needs.on[1], &program, &site.url, vec!["--platform", "web", "--session", "web"]));
        }
        if let Some((program, _, device)) = &phone {
            let way = vec!["--platform", "android", "--device", device.serial()];
            devices.push((needs.on[2], program, "com.example.demo", way));
        }
        for (can, program, app, way) in devices {
            let failed = tried(program, app, needs.step, &way).await;
            let Some(failed) = failed else {
                assert!(can, "{} on {app}: it works", needs.step);
                continue;
            };
            let cause = &failed["cause"];
            // No package, and a phone that is no emulator: it is the device that says so, in its own words.
            let own = matches!(needs.name, "installApp" | "setLocation" | "travel") && way.contains(&"android");
            assert_eq!(
                cause["code"] == "UNSUPPORTED_OPERATION",
                !can || (own && needs.name != "installApp"),
                "{}: {failed:#}",
                needs.step
            );
            assert!(!can || own, "{} on {app}: {failed:#}", needs.step);
            assert_eq!(failed["step"]["dispatched"], "no", "{failed:#}");
        }
    }
    program.does(&["close", "--all"]).await;
    program.end().await;
    if let Some((program, ..)) = phone {
        program.does(&["close", "--all"]).await;
        program.end().await;
    }
}
