//! The real program, end to end: what it prints, how it ends, and what becomes of its daemon.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, io::Write, os::unix::fs::symlink, time::Duration};

use contract::request::{LINE_LIMIT, method};
use proof::{
    drivers::client::daemon_of_another_version,
    line::Line,
    patience::{LIMIT, soon, until, within},
    program::{Program, gone, lives},
    recorder::Recorder,
    seen::Told,
    site::Site,
    world::GROUND,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use webdriver::driver::processes;

/// Puts an app with faults into the program's folder.
fn app(program: &Program, faults: &str) {
    fs::write(program.folder().join("ground.toml"), format!("{GROUND}\n{faults}")).unwrap();
}

/// The program with the ground app open.
async fn on_ground(faults: &str) -> Program {
    let program = Program::new();
    app(&program, faults);
    program.does(&["open", "ground.toml"]).await;
    program
}

/// The daemon listens and the only session works on something.
async fn busy(program: &Program) {
    soon("the session to be busy", async {
        while program.does(&["session", "list"]).await["sessions"][0]["busy"] != true {}
    })
    .await;
}

const SLOW_PRESS: &str = "[[fault]]\non = \"press\"\nkind = \"delay\"\nms = 20000\n";

#[tokio::test(flavor = "multi_thread")]
async fn what_works_ends_with_0_and_speaks_on_standard_output_only() {
    let program = on_ground("").await;
    let text = program.run(&["press", "id=save"]).await;
    assert_eq!((text.code, text.err.as_str()), (0, ""), "{text:?}");
    assert!(text.out.starts_with("Pressed [button] \"Save\""), "{text:?}");
    let json = program.run(&["press", "id=save", "--json"]).await;
    assert_eq!((json.code, json.err.as_str(), json.out.lines().count()), (0, "", 1), "{json:?}");
    let envelope: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&envelope["success"], &envelope["data"]["targetKind"]), (&json!(true), &json!("selector")));
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_reached_nothing_ends_with_1_and_says_so_in_both_forms() {
    let program = on_ground("").await;
    let text = program.run(&["press", "label=\"Nowhere\""]).await;
    assert_eq!((text.code, text.out.as_str()), (1, ""), "{text:?}");
    let lines: Vec<_> = text.err.lines().collect();
    assert!(lines[0].starts_with("Error (ELEMENT_NOT_FOUND): ") && lines[1] == "Dispatched: no", "{text:?}");
    assert!(text.err.contains("\nHint: "), "{text:?}");
    let (code, told) = program.fails(&["press", "label=\"Nowhere\""]).await;
    assert_eq!((code, told.dispatched.as_str(), told.code.as_str()), (1, "no", "ELEMENT_NOT_FOUND"));
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_usage_ends_with_2_before_and_after_the_daemon_was_asked() {
    let program = on_ground("").await;
    for args in [
        &["pres", "id=save"][..],
        &["press", "--frobnicate"],
        &["press"],
        &["press", "lable=Save"],
        &["open", "nothing"],
    ] {
        let (code, told) = program.fails(args).await;
        assert_eq!(
            (code, told.dispatched.as_str(), told.code.as_str()),
            (2, "no", "INVALID_ARGS"),
            "{args:?} {:#}",
            told.error
        );
    }
    let (_, told) = program.fails(&["dblclick", "id=save"]).await;
    assert!(told.hint().contains("press --double-tap"), "{:#}", told.error);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_have_reached_the_device_ends_with_3() {
    let program = on_ground("[[fault]]\non = \"press\"\nkind = \"restart-after-effect\"\n").await;
    let text = program.run(&["press", "id=save"]).await;
    assert_eq!((text.code, text.out.as_str()), (3, ""), "{text:?}");
    assert!(text.err.contains("\nDispatched: unknown\n"), "{text:?}");
    let (code, told) = program.fails(&["press", "id=save"]).await;
    assert_eq!((code, told.row.as_deref()), (3, Some("stage.journal.restarted")));
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_race_start_one_daemon() {
    let program = Program::new();
    let calls: Vec<_> = (0..6).map(|_| program.start(&["session", "list", "--json"])).collect();
    for call in calls {
        let ended = program.ended(call).await;
        assert_eq!(program.envelope(&ended).unwrap()["sessions"], json!([]), "{ended:?}");
    }
    let pid = program.daemon().await;
    let mine = || processes::naming(program.folder());
    until("the daemons that were not needed to end", || mine().len() == 1).await;
    assert_eq!(mine()[0].pid, pid.as_raw_nonzero().get());
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_daemon_of_another_version_is_replaced_and_a_busy_one_is_not() {
    let program = Program::new();
    program.state().create().unwrap();
    let other = daemon_of_another_version(&program.state().socket(), 1);
    let (code, told) = program.fails(&["session", "list"]).await;
    assert_eq!((code, told.code.as_str(), told.dispatched.as_str()), (1, "VERSION_MISMATCH", "no"));
    assert!(!other.is_finished(), "it was told to stop under its session");
    other.abort();
    fs::remove_file(program.state().socket()).unwrap();
    let other = daemon_of_another_version(&program.state().socket(), 0);
    assert_eq!(program.does(&["session", "list"]).await["sessions"], json!([]));
    assert!(other.await.is_ok(), "it was told to stop");
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn something_else_on_the_socket_is_a_clear_error() {
    let program = Program::new();
    program.state().create().unwrap();
    let listener = tokio::net::UnixListener::bind(program.state().socket()).unwrap();
    let nonsense = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            stream.read_line(&mut String::new()).await.unwrap();
            let _gone = stream.get_mut().write_all(b"220 mail.example.org ESMTP\r\n").await;
        }
    });
    let (code, told) = program.fails(&["press", "id=save"]).await;
    assert_eq!(
        (code, told.dispatched.as_str(), told.code.as_str()),
        (1, "no", "DAEMON_UNAVAILABLE"),
        "{:#}",
        told.error
    );
    nonsense.abort();
    fs::remove_file(program.state().socket()).unwrap();
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_and_endless_lines_leave_the_daemon_alone() {
    let program = on_ground("").await;
    let pid = program.daemon().await;
    let mut line = program.line().await;
    line.write(b"GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(line.reply().await.unwrap().outcome.unwrap_err().dispatched, "no");
    let mut long = program.line().await;
    long.write(&vec![b'['; LINE_LIMIT + 1]).await;
    assert_eq!(long.reply().await.unwrap().outcome.unwrap_err().reason.as_deref(), Some("line_too_long"));
    program.does(&["press", "id=save"]).await;
    assert_eq!(program.daemon().await, pid);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_killed_leaves_its_press_in_effect_and_the_daemon_at_work() {
    let program = on_ground("[[fault]]\non = \"press\"\nkind = \"delay\"\nms = 400\nnth = 1\n").await;
    let mut press = program.start(&["press", "id=renames"]);
    busy(&program).await;
    press.kill().await.unwrap();
    let name = program.does(&["get", "text", "id=renames"]).await;
    assert_eq!(name["text"], "Second name", "the press in flight was joined");
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_is_killed_under_a_press_leaves_it_unknown_and_a_look_no() {
    let program = on_ground(SLOW_PRESS).await;
    let pid = program.daemon().await;
    let press = program.start(&["press", "id=save", "--json"]);
    busy(&program).await;
    program.kill_daemon(pid).await;
    let ended = program.ended(press).await;
    let told = program.envelope(&ended).unwrap_err();
    assert_eq!((ended.code, told.dispatched.as_str(), told.row.as_deref()), (3, "unknown", Some("client.reply-lost")));

    // The next command finds a dead socket and starts a new daemon.
    program.does(&["open", "ground.toml"]).await;
    let pid = program.daemon().await;
    let wait = program.start(&["wait", "20000", "--json"]);
    busy(&program).await;
    program.kill_daemon(pid).await;
    let ended = program.ended(wait).await;
    let told = program.envelope(&ended).unwrap_err();
    assert_eq!((ended.code, told.dispatched.as_str()), (1, "no"), "{:#}", told.error);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_folder_that_cannot_be_is_a_clear_error() {
    let under_a_file = |folder: &std::path::Path| {
        fs::write(folder.join("file"), "").unwrap();
        folder.join("file/state")
    };
    for place in [under_a_file, |_: &std::path::Path| "/proc/agent-device".into()] {
        let folder = tempfile::tempdir().unwrap();
        let state = place(folder.path());
        let program = Program::at(folder, &state);
        let (code, told) = program.fails(&["open", "demo"]).await;
        assert_eq!((code, told.code.as_str(), told.dispatched.as_str()), (1, "STORAGE_FAILED", "no"));
        assert!(told.hint().contains("AGENT_DEVICE_STATE_DIR"), "{:#}", told.error);
        assert_eq!(program.recorder.objections(), Vec::<String>::new());
    }
}

/// A small disk of its own, filled to the last byte; taken away at the end.
struct FullDisk(std::path::PathBuf);

impl FullDisk {
    /// `None` where this user may not mount one.
    fn at(place: &std::path::Path) -> Option<Self> {
        let mount = ["-t", "tmpfs", "-o", "size=64k,mode=0700", "tmpfs"];
        let mounted = std::process::Command::new("mount").args(mount).arg(place).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(place.to_owned()))
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("filler")).unwrap();
        while file.write_all(&[0; 512]).is_ok() {}
    }
}

impl Drop for FullDisk {
    fn drop(&mut self) {
        let _gone = std::process::Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_stops_neither_the_daemon_nor_a_press() {
    let program = Program::new();
    app(&program, "");
    program.state().create().unwrap();
    let Some(disk) = FullDisk::at(program.state().path()) else {
        // The device that is always full stands for the log at least.
        symlink("/dev/full", program.state().log()).unwrap();
        program.does(&["open", "ground.toml"]).await;
        program.does(&["press", "id=save"]).await;
        return program.end().await;
    };
    program.does(&["open", "ground.toml"]).await;
    let pid = program.daemon().await;
    disk.fill();
    for _ in 0..3 {
        // Neither its line in the log nor the one in the timeline can be written.
        program.does(&["press", "id=save"]).await;
    }
    let picture = program.state().path().join("x.png").display().to_string();
    let (code, told) = program.fails(&["screenshot", "--out", &picture]).await;
    assert_eq!((code, told.code.as_str(), told.dispatched.as_str()), (1, "STORAGE_FAILED", "no"), "{:#}", told.error);
    let (code, told) = program.fails(&["doctor", "--platform", "stage"]).await;
    assert_eq!(code, 1, "doctor says that the state folder is full: {:#}", told.error);
    assert_eq!(program.daemon().await, pid, "the daemon is the same");
    program.does(&["daemon", "stop"]).await;
    assert!(gone(pid).await);
    drop(disk);
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_never_takes_the_place_of_what_is_no_ordinary_file() {
    let program = on_ground("").await;
    let pipe = program.folder().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = tokio::task::spawn_blocking({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    program.does(&["screenshot", "--out", "pipe"]).await;
    assert!(reader.await.unwrap().starts_with(b"\x89PNG"), "what reads from the pipe gets the picture");
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&fs::metadata(&pipe).unwrap().file_type()));
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_daemon_ends_and_takes_its_socket_along() {
    let mut program = Program::new();
    program.environment.push(("AGENT_DEVICE_DAEMON_IDLE_TIMEOUT_MS".into(), "300".into()));
    program.does(&["open"]).await;
    let pid = program.daemon().await;
    assert!(!within(Duration::from_millis(900), || !lives(pid)).await, "it ends under an open session");
    program.does(&["close"]).await;
    assert!(gone(pid).await);
    assert!(!program.state().socket().exists());
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_two_callers_share_no_device() {
    let program = Program::new();
    program.does(&["open", "demo", "--device", "stage-1", "--session", "mine"]).await;
    let (code, told) = program.fails(&["open", "demo", "--device", "stage-1", "--session", "yours"]).await;
    assert_eq!((code, told.code.as_str(), told.dispatched.as_str()), (1, "DEVICE_IN_USE", "no"));
    assert!(told.message().contains("\"mine\"") && told.hint().contains("close --session mine"), "{:#}", told.error);
    program.does(&["close", "--session", "mine"]).await;
    program.does(&["open", "demo", "--device", "stage-1", "--session", "yours"]).await;
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_an_answer_and_the_daemon_goes_on() {
    let program = on_ground("[[fault]]\non = \"press\"\nkind = \"panic\"\nnth = 1\n").await;
    let pid = program.daemon().await;
    let (code, told) = program.fails(&["press", "id=save"]).await;
    assert_eq!((code, told.code.as_str(), told.row.as_deref()), (3, "INTERNAL", Some("daemon.panicked")));
    program.does(&["press", "id=save"]).await;
    assert_eq!(program.daemon().await, pid);
    assert!(fs::read_to_string(program.state().log()).unwrap().contains("panicked"), "the log has the place");
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_stops_leaves_no_browser_behind() {
    let site = Site::with("<p>here").await;
    let program = Program::new();
    program.does(&["open", &site.url]).await;
    assert!(processes::naming(program.state().path()).len() > 2, "driver and browser run");
    let pid = program.daemon().await;
    kill_process(pid, Signal::TERM).unwrap();
    assert!(gone(pid).await);
    assert_eq!(left(&program), Vec::<i32>::new());
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_daemon_left_behind_is_ended_by_the_next() {
    let site = Site::with("<p>here").await;
    let program = Program::new();
    program.does(&["open", &site.url]).await;
    program.kill_daemon(program.daemon().await).await;
    assert!(left(&program).len() > 1, "its browser lives on");
    let next = program.daemon_started().await;
    until("the next daemon to end the browser", || {
        left(&program).iter().all(|pid| *pid == next.as_raw_nonzero().get())
    })
    .await;
    program.end().await;
}

/// Processes that name the state folder.
fn left(program: &Program) -> Vec<i32> {
    processes::naming(program.state().path()).iter().map(|process| process.pid).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_that_send_the_same_id_press_once() {
    let program = on_ground("").await;
    let press = json!({
        "requestId": "the-same", "session": "shared", "command": "press",
        "args": {"target": {"kind": "selector", "selector": "id=renames"}},
    });
    program.does(&["open", "ground.toml", "--session", "shared"]).await;
    let (mut one, mut two) = (program.line().await, program.line().await);
    let (first, second): (Result<Value, Told>, Result<Value, Told>) =
        tokio::join!(one.call(method::RUN, &press), two.call(method::RUN, &press));
    assert_eq!(first.unwrap(), second.unwrap());
    let events = program.does(&["events", "--session", "shared"]).await;
    let presses = events["events"].as_array().unwrap().iter().filter(|event| event["command"] == "press").count();
    assert_eq!(presses, 1, "{events}");
    program.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_of_another_build_is_told_so_and_can_still_stop_the_daemon() {
    let program = on_ground("").await;
    let recorder = Recorder::default();
    let mut line = Line::raw(&program.state().socket(), &recorder).await;
    let welcome = line.call(method::HELLO, &json!({"version": contract::VERSION, "build": "another"})).await.unwrap();
    assert_eq!((&welcome["accepted"], &welcome["sessions"]), (&json!(false), &json!(1)));
    let session = json!({"requestId": "x", "command": "session", "args": {"action": "list"}});
    assert_eq!(line.call(method::RUN, &session).await.unwrap_err().code, "VERSION_MISMATCH");
    let pid: Pid = program.daemon().await;
    let stop = json!({"requestId": "y", "command": "daemon", "args": {"action": "stop"}});
    line.call(method::RUN, &stop).await.unwrap();
    assert!(soon("the daemon's end", gone(pid)).await, "not after {LIMIT:?}");
    program.end().await;
}
