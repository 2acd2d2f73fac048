//! The shipped APK on the running stage.

use crate::rig::{DEMO, HELPER, RUNNER, Session, adb, base64, demo, install, middle, press_plan, shell, soon};

#[tokio::test]
async fn the_shipped_apk_reads_the_stage_through_am_instrument() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    assert!(device.version_of(HELPER).is_some());
    let said = shell(&device, &format!("am instrument -w -e timeoutMs 5000 {RUNNER}"));
    assert!(said.contains("INSTRUMENTATION_RESULT: ok=true") && said.ends_with("INSTRUMENTATION_CODE: 0\n"), "{said}");
    assert!(said.contains("INSTRUMENTATION_RESULT: windowCount=2"), "{said}");
    assert!(device.helpers().is_empty() && device.automation().is_none());
    let (code, said) = adb(&device, &["shell", "am instrument -w com.nobody/.Nothing"]);
    assert!(code == 1 && said.contains("Unable to find instrumentation info"), "{said}");
}

#[tokio::test]
async fn a_session_touches_the_stage_and_the_touch_is_counted_once() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let session = Session::start(&device);
    let reply = session.ask("snapshot s1");
    assert!(reply.headers.contains("ok=true"), "{reply:?}");
    assert!(reply.body.contains("com.example.demo:id/go-counter"), "{reply:?}");
    let (x, y) = middle(&reply.body, "com.example.demo:id/go-counter");
    let reply = session.ask(&format!("gesture g1 {}", press_plan(x, y, 50)));
    assert!(reply.headers.contains("ok=true"), "{reply:?}");
    let probe = device.probe(DEMO).expect("a probe");
    assert_eq!((probe.effects("go-counter").presses, probe.screen().as_str()), (1, "counter"));
    let xml = session.ask("snapshot s2").body;
    let (x, y) = middle(&xml, "com.example.demo:id/hold\"");
    assert!(session.ask(&format!("gesture g2 {}", press_plan(x, y, 700))).headers.contains("ok=true"));
    assert_eq!(probe.effects("hold").long_presses, 1);
    assert_eq!(device.gestures().len(), 2);
    session.quit();
    soon("the end of the helper", || device.helpers().is_empty());
}

#[tokio::test]
async fn text_comes_by_an_accessibility_action_and_by_the_helpers_own_keyboard() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    shell(&device, "input tap 585 486; input tap 585 350");
    let session = Session::start(&device);
    let text = |mode: &str, text: &str, via: &str| {
        base64(format!("{{\"mode\":\"{mode}\",\"text\":\"{text}\",\"via\":\"{via}\"}}").as_bytes())
    };
    let holds = |text: &str| base64(text.as_bytes());
    let reply = session.ask(&format!("text t1 {}", text("set", "Grüße 🐦", "set-text")));
    assert!(reply.headers.contains("ok=true") && reply.headers.contains(&holds("Grüße 🐦")), "{reply:?}");
    let reply = session.ask(&format!("text t2 {}", text("append", " ok", "ime")));
    assert!(reply.headers.contains("ok=true") && reply.headers.contains(&holds("Grüße 🐦 ok")), "{reply:?}");
    assert!(reply.headers.contains("method=ime"), "{reply:?}");
    let probe = device.probe(DEMO).expect("a probe");
    assert_eq!(probe.effects("note-title").fills, 1);
    // The person's own keyboard is back.
    assert_eq!(
        shell(&device, "settings get secure default_input_method").trim(),
        "com.android.inputmethod.latin/.LatinIME"
    );
    session.quit();
}

#[tokio::test]
async fn nodes_and_windows_keep_their_identity_over_captures() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let session = Session::start(&device);
    let one = session.ask("snapshot s1;nodeKeys=1").body;
    let other = session.ask("snapshot s2;nodeKeys=1").body;
    assert!(one.contains("node-key=") && one.contains("window-id="), "{one}");
    assert_eq!(one, other);
    session.quit();
}

#[tokio::test]
async fn a_second_helper_ends_the_first() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let first = Session::start(&device);
    assert!(first.ask("snapshot s1").headers.contains("ok=true"));
    let said = shell(&device, &format!("am instrument -w {RUNNER}"));
    assert!(said.contains("INSTRUMENTATION_RESULT: ok=true"), "{said}");
    assert!(device.helpers().is_empty());
    shell(&device, "am force-stop com.callstack.agentdevice.snapshothelper");
}

#[tokio::test]
async fn a_keyboard_runs_by_itself_takes_broadcasts_and_goes_with_its_app() {
    let Some((_lab, device)) = demo().await else { return };
    install(&device);
    let keyboard = shell(&device, "ime list -a -s").lines().find(|id| id.starts_with(HELPER)).map(str::to_owned);
    let keyboard = keyboard.expect("the APK brings a keyboard");
    shell(&device, "input tap 585 486; input tap 585 350");
    shell(&device, &format!("ime enable {keyboard}; ime set {keyboard}"));
    assert_eq!(device.helpers().len(), 1);
    let text = "naïve 🐦";
    let said = shell(
        &device,
        &format!(
            "am broadcast -p {HELPER} -a com.callstack.agentdevice.imehelper.ACTION_INPUT_TEXT_B64 --es protocol \
             android-ime-helper-v1 --es text {}",
            base64(text.as_bytes())
        ),
    );
    assert!(said.contains("Broadcast completed: result="), "{said}");
    assert_eq!(device.probe(DEMO).expect("a probe").effects("note-title").typed_chars, 7);
    assert!(device.scene().await.expect("a scene").to_string().contains(text), "{said}");
    assert!(adb(&device, &["uninstall", HELPER]).1.contains("Success"));
    soon("the end of the keyboard", || device.helpers().is_empty());
    assert_eq!(
        shell(&device, "settings get secure default_input_method").trim(),
        "com.android.inputmethod.latin/.LatinIME"
    );
}
