//! Commands, files, input, pictures.

use android_lab::Options;

use crate::rig::{DEMO, adb, demo, lab, living_in, shell, soon, within};

#[tokio::test]
async fn a_shell_reaches_the_device_with_codes_and_both_outputs() {
    let Some((_lab, device)) = demo().await else { return };
    assert_eq!(shell(&device, "getprop ro.build.version.sdk"), "34\n");
    assert_eq!(adb(&device, &["shell", "exit 7"]).0, 7);
    assert_eq!(adb(&device, &["shell", "no-such-command"]).0, 127);
    let output = device.adb().args(["shell", "cmd nonsense; echo out"]).output().expect("adb starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "out\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "cmd: Can't find service: nonsense\n");
    assert!(
        shell(&device, "cmd package list packages --show-versioncode demo")
            .contains("package:com.example.demo versionCode:1")
    );
    assert!(
        shell(&device, "dumpsys window windows | grep mCurrentFocus")
            .contains("com.example.demo/com.example.demo.MainActivity")
    );
    assert_eq!(shell(&device, "wm size; wm density"), "Physical size: 1170x2412\nPhysical density: 480\n");
    assert!(device.commands().contains(&vec!["wm".to_owned(), "size".to_owned()]));
}

#[tokio::test]
async fn files_go_both_ways_and_stay_on_the_device() {
    let Some((lab, device)) = demo().await else { return };
    let (here, back) = (lab.folder().join("here"), lab.folder().join("back"));
    std::fs::write(&here, [7; 200_000]).expect("a file");
    let path = |path: &std::path::Path| path.display().to_string();
    assert_eq!(adb(&device, &["push", &path(&here), "/data/local/tmp/there"]).0, 0);
    assert_eq!(std::fs::read(device.root().join("data/local/tmp/there")).expect("it is there"), [7; 200_000]);
    assert_eq!(
        shell(&device, "wc -c < /data/local/tmp/there; rm /data/local/tmp/there; ls /data/local/tmp").trim(),
        "200000"
    );
    std::fs::write(device.root().join("sdcard/Download/x"), "from the device").expect("a file");
    assert_eq!(adb(&device, &["pull", "/sdcard/Download/x", &path(&back)]).0, 0);
    assert_eq!(std::fs::read_to_string(&back).expect("it is here"), "from the device");
    assert_eq!(shell(&device, "cat /storage/emulated/0/Download/x"), "from the device");
}

#[tokio::test]
async fn taps_swipes_text_and_keys_change_the_stage_and_are_counted() {
    let Some((_lab, device)) = demo().await else { return };
    let probe = device.probe(DEMO).expect("a probe");
    // "New note" lies at px (195, 138) of the stage: three times that, and the status bar above.
    shell(&device, "input tap 585 486");
    assert_eq!((probe.effects("go-new").presses, probe.screen().as_str()), (1, "new"));
    let scene = device.scene().await.expect("a scene").to_string();
    assert!(scene.contains("com.example.demo:id/note-title"));
    shell(&device, "input tap 585 350; input text a%sb; input keyevent 67 KEYCODE_C");
    assert_eq!(probe.effects("note-title").typed_chars, 5);
    assert!(shell(&device, "dumpsys input_method").contains("mInputShown=true"));
    let scene = device.scene().await.expect("a scene");
    assert!(scene.to_string().contains("\"a c\""), "{scene}");
    assert!(scene.to_string().contains("input-method"));
    // Back: the keyboard goes, then the screen, then the app.
    shell(&device, "input keyevent 4");
    assert_eq!(probe.screen(), "new");
    shell(&device, "input keyevent KEYCODE_BACK; input keyevent 4");
    assert_eq!(probe.screen(), "home");
    assert_eq!(device.front(), "com.android.launcher3");
    // Its icon brings it back.
    shell(&device, "input tap 585 250");
    assert_eq!(device.front(), DEMO);
    shell(&device, "input swipe 585 600 585 600 600");
    assert_eq!(probe.effects("go-counter").long_presses, 1);
}

#[tokio::test]
async fn two_quick_taps_are_a_double_press() {
    let Some((_lab, device)) = demo().await else { return };
    let probe = device.probe(DEMO).expect("a probe");
    shell(&device, "input tap 585 650");
    assert_eq!(probe.screen(), "counter");
    let scene = device.scene().await.expect("a scene");
    let [_, top, _, bottom] = bounds(&scene, "com.example.demo:id/double").expect("the button");
    let y = (top + bottom) / 2;
    shell(&device, &format!("input tap 585 {y}; input tap 585 {y}"));
    assert_eq!((probe.effects("double").presses, probe.effects("double").double_presses), (2, 1));
}

/// The box of a node of a scene.
fn bounds(scene: &serde_json::Value, id: &str) -> Option<[i64; 4]> {
    if scene["id"] == id {
        let all: Vec<i64> = scene["bounds"].as_array()?.iter().filter_map(serde_json::Value::as_i64).collect();
        return all.try_into().ok();
    }
    ["windows", "root", "children"].iter().find_map(|key| match &scene[*key] {
        serde_json::Value::Array(list) => list.iter().find_map(|inner| bounds(inner, id)),
        serde_json::Value::Null => None,
        inner => bounds(inner, id),
    })
}

#[tokio::test]
async fn the_display_is_seen_recorded_and_turned() {
    let Some((_lab, device)) = demo().await else { return };
    let picture = device.adb().args(["exec-out", "screencap", "-p"]).output().expect("adb starts").stdout;
    let info = png::Decoder::new(std::io::Cursor::new(picture)).read_info().expect("a PNG").info().clone();
    assert_eq!((info.width, info.height), (1170, 2412));
    let mut recorder = device.adb().args(["shell", "screenrecord /sdcard/film.mp4"]).spawn().expect("adb starts");
    soon("the recorder", || adb(&device, &["shell", "pidof screenrecord"]).0 == 0);
    shell(&device, "input tap 585 486; pkill -INT screenrecord");
    assert!(recorder.wait().expect("it ends").success());
    let film = std::fs::read(device.root().join("sdcard/film.mp4")).expect("a film");
    assert!(
        film.starts_with(b"\0\0\0\x18ftypisom") && film.windows(4).any(|four| four == b"moov"),
        "{} bytes",
        film.len()
    );
    shell(&device, "settings put system accelerometer_rotation 0; settings put system user_rotation 1");
    assert!(shell(&device, "dumpsys display").contains("mCurrentOrientation=1"));
    assert_eq!(device.scene().await.expect("a scene")["display"]["width"], 2340);
}

#[tokio::test]
async fn apps_start_stop_and_are_killed_as_processes() {
    let Some((_lab, device)) = demo().await else { return };
    let said = shell(
        &device,
        "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -p com.example.demo",
    );
    assert!(said.contains("Status: ok") && said.contains("LaunchState: HOT"), "{said}");
    let (code, said) = adb(&device, &["shell", "am start -W -n com.nobody/.Main"]);
    assert!(code == 1 && said.contains("Error type 3") && said.contains("does not exist"), "{said}");
    let pid = shell(&device, "pidof com.example.demo");
    shell(&device, &format!("kill -9 {pid}"));
    soon("the end of the app", || adb(&device, &["shell", "pidof com.example.demo"]).0 == 1);
    assert_eq!(device.front(), "com.android.launcher3");
    assert!(shell(&device, "am start -W -n com.example.demo/.MainActivity").contains("LaunchState: COLD"));
    shell(&device, "am force-stop com.example.demo");
    assert_eq!(adb(&device, &["shell", "pidof com.example.demo"]).0, 1);
    assert!(shell(&device, "logcat -d -v brief ActivityManager:I *:S").contains("com.example.demo"));
}

#[tokio::test]
async fn two_devices_have_apps_of_their_own_and_nothing_is_left_of_either() {
    let Some(lab) = lab().await else { return };
    let one = lab.device(Options::demo()).await.expect("a device");
    let other = lab.device(Options::app("com.example.other", "demo").api(29)).await.expect("another device");
    let listed = lab.adb().arg("devices").output().expect("adb starts");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    for device in [&one, &other] {
        assert!(listed.contains(&format!("{}\tdevice", device.serial())), "{listed}");
    }
    assert_eq!(shell(&other, "getprop ro.build.version.sdk"), "29\n");
    one.open(DEMO).await.expect("it starts");
    other.open("com.example.other").await.expect("it starts");
    shell(&one, "input tap 585 486");
    assert_eq!(one.probe(DEMO).expect("a probe").screen(), "new");
    assert_eq!(other.probe("com.example.other").expect("a probe").screen(), "home");
    let mut waits = one.adb().args(["shell", "sleep 1000"]).spawn().expect("adb starts");
    soon("the shell", || living_in(one.folder()).len() > 1);
    let folder = one.folder().to_owned();
    drop(one);
    waits.wait().expect("its shell ends with it");
    soon("the end of the first device", || living_in(&folder).is_empty());
    assert_eq!(shell(&other, "echo alive"), "alive\n");
    let folder = lab.folder();
    drop((other, lab));
    within("the end of the lab", async { soon("the end of the lab", || living_in(&folder).is_empty()) }).await;
}

const QUESTION: &str = r#"
app = "question"
title = "Permission"
start = "ask"

[[screen]]
id = "ask"
on_show = [{ open = "ask-panel" }]

[[screen]]
id = "closed"

[[overlay]]
id = "ask-panel"
label = "Allow Field Notes to take pictures?"
element = [{ role = "button", id = "allow", label = "Allow", on_press = [{ goto = "closed" }] }]
"#;

#[tokio::test]
async fn a_question_of_the_system_lies_over_the_app_until_it_is_answered() {
    let Some(lab) = lab().await else { return };
    let file = lab.folder().join("question.toml");
    std::fs::write(&file, QUESTION).expect("a file");
    let asker = "com.android.permissioncontroller";
    let device = lab.device(Options::demo().and(asker, &file.display().to_string())).await.expect("a device");
    device.open(DEMO).await.expect("it starts");
    device.show_over(asker).await.expect("it shows");
    let scene = device.scene().await.expect("a scene");
    let active: Vec<&str> = scene["windows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|window| window["active"] == true)
        .filter_map(|window| window["root"]["package"].as_str())
        .collect();
    assert_eq!(active, [asker], "{scene}");
    assert!(shell(&device, "dumpsys window windows").contains("GrantPermissionsActivity"));
    let [left, top, right, bottom] = bounds(&scene, &format!("{asker}:id/allow")).expect("the button");
    shell(&device, &format!("input tap {} {}", (left + right) / 2, (top + bottom) / 2));
    assert!(!device.scene().await.expect("a scene").to_string().contains(asker));
    assert!(shell(&device, "dumpsys window windows | grep mCurrentFocus").contains(DEMO));
}
