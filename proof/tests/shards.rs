//! Suites on several devices at once: phones that share a suite, one that dies in the middle of it, a stop in the middle,
//! and browsers beside the simulated device.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::fs;

use android_lab::{Lab, LabDevice, Options};
use proof::{patience::soon, program::Program, site::Site};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::process::Child;

/// So many looks that it is under way until something ends it.
const LOOKS: usize = 9_000;
/// Presses once, and looks that it did.
const SHORT: &str =
    "context platform=android\nopen com.example.demo --relaunch\npress id=go-new\nis visible id=note-title\n";

fn write(program: &Program, name: &str, text: &str) {
    let path = program.folder().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Two phones, and a program that uses them; `None` where the tests are to go without.
async fn phones() -> Option<(Program, Lab, Vec<LabDevice>)> {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return None;
    }
    let lab = Lab::start().await.unwrap();
    let devices = vec![lab.device(Options::demo()).await.unwrap(), lab.device(Options::demo()).await.unwrap()];
    let mut program = Program::new();
    program.environment.push(("ANDROID_ADB_SERVER_PORT".to_owned(), lab.port().to_string()));
    Some((program, lab, devices))
}

/// A suite that is split over two phones, as far as its first flow looking at one of them: the phone's serial number.
async fn under_way(program: &Program, devices: &[LabDevice]) -> (Child, String) {
    let long = "context platform=android\nopen com.example.demo --relaunch\n".to_owned()
        + &"is exists id=go-new\n".repeat(LOOKS);
    write(program, "flows/0-long.ad", &long);
    for number in 1..=4 {
        write(program, &format!("flows/{number}.ad"), SHORT);
    }
    let named = format!("{},{}", devices[0].serial(), devices[1].serial());
    let child =
        program.start(&["test", "flows", "--shard-split", "2", "--devices", &named, "--json", "--trace", "never"]);
    let on = soon("the first flow to look at a phone", async {
        loop {
            let listed = program.does(&["session", "list"]).await;
            // The first flow of the suite, whichever shard has it.
            let long = listed["sessions"].as_array().unwrap().iter().find(|session| {
                session["name"].as_str().is_some_and(|name| name.ends_with("-1-1")) && session["busy"] == true
            });
            if let Some(session) = long {
                let events = program.does(&["events", "--session", session["name"].as_str().unwrap()]).await;
                if events["events"].as_array().unwrap().iter().any(|event| event["command"] == "is") {
                    return session["device"].as_str().unwrap().to_owned();
                }
            }
        }
    })
    .await;
    (child, on)
}

async fn report(program: &Program, child: Child) -> (i32, Value) {
    let ended = program.ended(child).await;
    let envelope: Value = serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("{why}: {ended:?}"));
    (ended.code, envelope["data"].clone())
}

async fn nothing_is_left(program: Program) {
    let sessions = program.does(&["session", "list"]).await;
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(0), "{sessions:#}");
    let devices = program.does(&["devices"]).await;
    assert!(devices["devices"].as_array().unwrap().iter().all(|device| device["claimedBy"].is_null()), "{devices:#}");
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_dies_fails_its_flow_alone_and_the_other_runs_the_rest() {
    let Some((program, _lab, mut devices)) = phones().await else { return };
    let (child, on) = under_way(&program, &devices).await;
    let place = devices.iter().position(|device| device.serial() == on).unwrap();
    devices[place].kill_adbd();
    let (code, report) = report(&program, child).await;
    assert_eq!(code, 3, "nothing is wrong with the app: {report:#}");
    let flows = report["flows"].as_array().unwrap();
    let outcomes: Vec<&str> = flows.iter().map(|flow| flow["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["infrastructure", "passed", "passed", "passed", "passed"], "{report:#}");
    let reason = flows[0]["reason"].as_str().unwrap();
    assert!(reason.contains(&on) && reason.contains("gone"), "{reason}");
    let survivor = devices[1 - place].serial();
    assert!(flows[1..].iter().all(|flow| flow["attempts"][0]["device"] == survivor), "{report:#}");
    nothing_is_left(program).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suite_on_two_phones_that_is_stopped_leaves_nothing_open() {
    let Some((program, _lab, devices)) = phones().await else { return };
    let (child, _) = under_way(&program, &devices).await;
    let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let (code, report) = report(&program, child).await;
    assert_eq!(code, 130, "{report:#}");
    assert_eq!(report["flows"][0]["outcome"], "notRun", "{report:#}");
    nothing_is_left(program).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_and_the_stage_share_a_suite() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let site = Site::with("<button onclick=\"hit('go')\">Go</button>").await;
    let program = Program::new();
    for number in 0..2 {
        write(
            &program,
            &format!("flows/web{number}.ad"),
            &format!("context platform=web\nopen {}\npress label=Go\n", site.url),
        );
        write(
            &program,
            &format!("flows/stage{number}.ad"),
            "context platform=stage\nopen demo --relaunch\npress label=Counter\n",
        );
    }
    // Devices that were named cannot be meant for both: told before anything is opened.
    let told = program.run(&["test", "flows", "--shard-split", "2", "--devices", "A,B"]).await;
    assert_eq!(told.code, 2, "{told:?}");
    assert!(told.err.contains("stage (flows/stage0.ad) and web (flows/web0.ad)"), "{told:?}");
    let child = program.start(&["test", "flows", "--shard-split", "3", "--json"]);
    let (code, report) = report(&program, child).await;
    assert_eq!((code, report["totals"]["passed"].as_u64()), (0, Some(4)), "{report:#}");
    assert_eq!(site.hits("go"), 2, "each pressed once");
    nothing_is_left(program).await;
}
