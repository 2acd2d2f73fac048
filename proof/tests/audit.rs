//! No failure leaves the program unseen, and one that does not say what it must fails the run.
#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::Path, process::Command};

use contract::{Claim, Code, Disclosed, Dispatched, Effect, Failure, Row, Sends};
use daemon::{
    audit::{Door, VARIABLE},
    protocol::reply_line,
};
use proof::{
    program::{Ended, Program},
    recorder::{Recorder, audited},
};
use serde_json::{Value, json};

/// The lines of an audit, by door.
fn doors(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let door = |line: &str| serde_json::from_str::<Value>(line).unwrap()["door"].as_str().unwrap().to_owned();
    text.lines().map(door).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_is_noted_where_it_leaves_the_daemon_and_where_it_leaves_the_program() {
    let mut program = Program::new();
    let file = program.folder().join("audit.jsonl");
    program.environment.push((VARIABLE.to_owned(), file.display().to_string()));
    let (_, told) = program.fails(&["press", "id=save"]).await;
    assert_eq!(told.row.as_deref(), Some("daemon.admission.session-not-found"));
    assert_eq!(doors(&file), [Door::Socket.word(), Door::Output.word()]);
    program.run(&["press", "--frobnicate"]).await;
    program.run(&["press", "id=save"]).await;
    program.does(&["session", "list"]).await;
    let output = Door::Output.word();
    assert_eq!(doors(&file), [Door::Socket.word(), output, output, Door::Socket.word(), output], "successes are not");
    assert_eq!(audited(&file).unwrap(), (5, Vec::new()));
    program.end().await;
}

#[test]
fn a_run_in_which_one_failure_did_not_say_whether_it_was_sent_is_red() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("audit.jsonl");
    let failure = Failure::refused(Row::StageRefused, Code::CommandFailed, "x");
    let sealed = Disclosed::seal(failure, Some(Effect::Mutates), Sends::NONE);
    let honest = reply_line(&json!(1), None, &Err::<Value, _>(sealed));
    let note = |door: &str, text: &str| format!("{}\n", json!({"door": door, "text": text}));
    let red = |text: String| {
        fs::write(&file, text).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_proof")).arg("audit").arg(&file).output().unwrap();
        !run.status.success()
    };
    assert!(!red(note("socket", &honest)));
    let mute = honest.replace("\"dispatched\":\"no\"", "\"x\":1");
    let elsewhere = honest.replace("stage.refused", "stage.made-up");
    let words = "Error (COMMAND_FAILED): x\nDispatched: no\n";
    assert!(!red(note("output", words)));
    for (what, line) in [
        ("no value on the socket", note("socket", &mute)),
        ("a row that does not exist", note("socket", &elsewhere)),
        ("no JSON", note("socket", "{")),
        ("no value in words", note("output", "Error (COMMAND_FAILED): x\n")),
        ("another value in words", note("output", &words.replace("no", "yes"))),
        ("no value in an envelope", note("output", &json!({"success": false, "error": {"code": "X"}}).to_string())),
        ("an answer of another shape", note("misfit", "close: data.extra is in no type")),
        ("a door nobody knows", note("window", &honest)),
        ("half a line", "{\"door\":".to_owned()),
    ] {
        assert!(red(note("socket", &honest) + &line), "{what}");
    }
    assert!(red(String::new()), "nothing was noted at all");
}

#[test]
fn a_recorder_whose_objections_nobody_asks_for_fails_its_test() {
    let forgotten = std::panic::catch_unwind(|| {
        let recorder = Recorder::default();
        recorder.failure(&json!({"code": "COMMAND_FAILED", "message": "x", "details": {}}));
    });
    assert!(forgotten.is_err());
    let recorder = Recorder::default();
    recorder.failure(&json!({"code": "COMMAND_FAILED", "message": "x", "details": {}}));
    assert_eq!(recorder.objections().len(), 1);
}

#[test]
fn an_exit_code_that_does_not_fit_what_was_disclosed_is_objected_to() {
    let lost = Failure::new(Code::CommandFailed, "x")
        .under(Claim { row: Row::StageReplyLostAfterEffect, dispatched: Dispatched::Unknown });
    let lost = Disclosed::seal(lost, Some(Effect::Mutates), Sends::NONE);
    let envelope = json!({"success": false, "error": lost}).to_string();
    let words = "Error (COMMAND_FAILED): x\nDispatched: unknown (1 sent before)\n".to_owned();
    let mute = "Error (COMMAND_FAILED): x\n".to_owned();
    for (code, out, err, wrong) in [
        (3, envelope.clone(), String::new(), 0),
        (1, envelope, String::new(), 1),
        (3, String::new(), words.clone(), 0),
        (1, String::new(), words, 1),
        (3, String::new(), mute, 1),
        (0, "Pressed [button] \"Save\"".to_owned(), String::new(), 0),
    ] {
        let recorder = Recorder::default();
        let ended = Ended { code, out, err };
        recorder.ended(&ended);
        assert_eq!(recorder.objections().len(), wrong, "{ended:?}");
    }
}
