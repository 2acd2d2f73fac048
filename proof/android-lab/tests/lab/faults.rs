//! What can be broken, and that it comes back.

use android_lab::{Act, Mode, Moment, Trap};
use serde_json::json;

use crate::rig::{DEMO, HELPER, RUNNER, Session, adb, apk, demo, install, middle, press_plan, shell, soon, within};

#[tokio::test]
async fn a_device_goes_offline_asks_for_trust_is_unlisted_and_comes_back() {
    let Some((lab, device)) = demo().await else { return };
    let listed = || {
        let output = lab.adb().arg("devices").output().expect("adb starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    device.unauthorize().await.expect("it is unauthorized");
    assert!(listed().contains("unauthorized"));
    let (code, said) = adb(&device, &["shell", "echo hi"]);
    assert!(code != 0 && said.contains("unauthorized"), "{said}");
    device.restore().await.expect("it comes back");
    device.go_offline().await.expect("it is offline");
    assert!(listed().contains("offline"));
    device.restore().await.expect("it comes back");
    assert_eq!(shell(&device, "echo hi"), "hi\n");
    device.unlist().await.expect("it goes");
    assert!(!listed().contains(device.serial()));
    assert!(adb(&device, &["shell", "echo hi"]).1.contains("not found"));
    device.restore().await.expect("it comes back");
}

#[tokio::test]
async fn a_reply_is_cut_where_it_is_asked_to_be() {
    let Some((_lab, device)) = demo().await else { return };
    device.link().cut_reply(b"shell", 2_000);
    let output = device.adb().args(["shell", "yes | head -c 1000000"]).output().expect("adb starts");
    assert!(output.stdout.len() < 2_000, "{} bytes came", output.stdout.len());
    device.restore().await.expect("it comes back");
    assert_eq!(shell(&device, "echo hi"), "hi\n");
}

#[tokio::test]
async fn a_silent_line_holds_everything_until_it_speaks_again() {
    let Some((_lab, device)) = demo().await else { return };
    device.link().set(Mode::Silent);
    let mut asks = device.adb().args(["shell", "exit 3"]).spawn().expect("adb starts");
    let stuck = device.link().to_host();
    assert!(asks.try_wait().expect("a process").is_none());
    device.link().set(Mode::Open);
    // Opening it again breaks what was stuck on it, as a cable that is put back does.
    assert_ne!(asks.wait().expect("it ends").code(), Some(0));
    device.restore().await.expect("it comes back");
    assert!(device.link().to_host() >= stuck);
}

#[tokio::test]
async fn a_helper_dies_before_and_after_its_touch_took_effect() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let probe = device.probe(DEMO).expect("a probe");
    for (moment, nth, presses) in [(Moment::Before, 1, 0), (Moment::After, 3, 1)] {
        let session = Session::start(&device);
        let xml = session.ask("snapshot s1").body;
        let (x, y) = middle(&xml, "com.example.demo:id/go-counter");
        // A press is down, move, up.
        let trap = Trap::new("inject", nth, moment, Act::Kill);
        device.trap(&trap);
        let reply = session.ask(&format!("gesture g1 {}", press_plan(x, y, 50)));
        assert!(trap.sprung() && !reply.headers.contains("ok="), "{reply:?}");
        assert_eq!(probe.effects("go-counter").presses, presses);
        soon("its end", || device.helpers().is_empty() && device.automation().is_none());
        device.clear_traps();
    }
}

#[tokio::test]
async fn a_helper_dies_between_accepting_a_touch_and_starting_it() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let session = Session::start(&device);
    let (x, y) = middle(&session.ask("snapshot s1").body, "com.example.demo:id/go-counter");
    // A snapshot that takes its time holds UiAutomation, so the touch waits for its turn.
    let trap = Trap::new("scene", 1, Moment::Before, Act::Hold);
    device.trap(&trap);
    let _held = session.send("snapshot s2");
    within("the trap", trap.springs()).await;
    let _waits = session.send(&format!("gesture g1 {}", press_plan(x, y, 50)));
    let seen = std::cell::Cell::new(0);
    soon("the touch at the helper", || {
        // Asking for a command that has not arrived would refuse it for ever: the count says when it has.
        let total = session.ask(&format!("ready r{}", seen.get())).headers;
        seen.set(seen.get() + 1);
        total.contains("acceptedTotal=1")
    });
    assert!(session.ask("status q1 g1").headers.contains("state=accepted"));
    device.kill_helper(HELPER);
    soon("its end", || device.helpers().is_empty());
    assert_eq!(device.probe(DEMO).expect("a probe").effects("go-counter").presses, 0);
    device.clear_traps();
}

#[tokio::test]
async fn a_helper_is_held_and_goes_on_when_it_is_let_go() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let session = Session::start(&device);
    let trap = Trap::new("scene", 1, Moment::Before, Act::Hold);
    device.trap(&trap);
    let held = session.send("snapshot s1");
    within("the trap", trap.springs()).await;
    trap.release();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut { held }, &mut said).expect("an answer");
    assert!(said.contains("ok=true"), "{said}");
    session.quit();
}

#[tokio::test]
async fn installs_are_refused_in_every_known_way() {
    let Some((_lab, device)) = demo().await else { return };
    let apk = apk().display().to_string();
    let (code, said) = adb(&device, &["install", &apk]);
    assert!(code == 1 && said.contains("INSTALL_FAILED_TEST_ONLY"), "{said}");
    device.refuse_test_only(true);
    assert!(adb(&device, &["install", "-r", "-t", &apk]).1.contains("Failure [-99]"));
    device.refuse_test_only(false);
    device.fail_install("INSTALL_FAILED_INSUFFICIENT_STORAGE: not enough space");
    assert!(adb(&device, &["install", "-r", "-t", &apk]).1.contains("INSTALL_FAILED_INSUFFICIENT_STORAGE"));
    install(&device);
    let (code, said) = adb(&device, &["install", "-t", &apk]);
    // adb of today always replaces.
    assert!(code == 0 || said.contains("INSTALL_FAILED_ALREADY_EXISTS"), "{said}");
    let nonsense = device.folder().join("nonsense.apk");
    std::fs::write(&nonsense, "no APK").expect("a file");
    assert!(adb(&device, &["install", &nonsense.display().to_string()]).1.contains("INSTALL_PARSE_FAILED_NOT_APK"));
    assert!(shell(&device, &format!("pm path {HELPER}")).starts_with("package:/data/app/"));
    assert!(adb(&device, &["uninstall", HELPER]).1.contains("Success"));
    assert_eq!(adb(&device, &["shell", &format!("pm path {HELPER}")]).0, 1);
}

#[tokio::test]
async fn roots_go_missing_and_a_screen_is_never_quiet() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    device.edit_scene(|scene| {
        for window in scene["windows"].as_array_mut().into_iter().flatten() {
            if window["type"] == "application" {
                window["root"] = json!(null);
            }
        }
    });
    let said = shell(&device, &format!("am instrument -w {RUNNER}"));
    assert!(said.contains("ok=false") && said.contains("IncompleteCaptureException"), "{said}");
    device.keep_scene();
    device.set_faults(json!({ "eventEveryMs": 20 }));
    let said = shell(&device, &format!("am instrument -w -e waitForIdleTimeoutMs 300 {RUNNER}"));
    assert!(said.contains("ok=true"), "{said}");
    let took = said.lines().find_map(|line| line.strip_prefix("INSTRUMENTATION_RESULT: elapsedMs="));
    assert!(took.and_then(|took| took.parse::<u32>().ok()).is_some_and(|took| took >= 300), "{said}");
}
