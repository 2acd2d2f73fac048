use super::*;

fn recorded(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/helper/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

fn run(output: &[u8]) -> Result<Run, RunError> {
    let mut reader = RunReader::default();
    reader.feed(output);
    reader.finish()
}

#[test]
fn recorded_captures_come_out_byte_for_byte() {
    for name in ["login", "chunk-split", "many-max0"] {
        let done = run(&recorded(&format!("{name}.stdout.txt"))).unwrap();
        assert_eq!(done.body, recorded(&format!("{name}.xml")), "{name}");
        assert!(done.fields.ok());
    }
}

#[test]
fn the_output_may_come_in_any_pieces_and_with_a_terminals_line_ends() {
    let output = recorded("chunk-split.stdout.txt");
    let whole = run(&output).unwrap();
    for size in [1, 7, 4096] {
        let mut reader = RunReader::default();
        output.chunks(size).for_each(|piece| reader.feed(piece));
        assert_eq!(reader.finish().unwrap(), whole);
    }
    let terminal = String::from_utf8(output).unwrap().replace('\n', "\r\n");
    assert_eq!(run(terminal.as_bytes()).unwrap(), whole);
}

#[test]
fn chunks_are_put_in_their_order_whatever_order_they_come_in() {
    let output = String::from_utf8(recorded("login.stdout.txt")).unwrap();
    let mut blocks: Vec<&str> = output.split_inclusive("INSTRUMENTATION_STATUS_CODE: 1\n").collect();
    let result = blocks.pop().unwrap();
    blocks.reverse();
    let turned = blocks.concat() + result;
    assert_eq!(run(turned.as_bytes()).unwrap().body, recorded("login.xml"));
}

#[test]
fn a_missing_or_a_broken_chunk_is_no_capture() {
    let output = String::from_utf8(recorded("login.stdout.txt")).unwrap();
    let second = output.find("INSTRUMENTATION_STATUS_CODE: 1\n").unwrap() + "INSTRUMENTATION_STATUS_CODE: 1\n".len();
    assert!(matches!(run(&output.as_bytes()[second..]), Err(RunError::Unreadable(_))));
    let broken = output.replacen("payloadBase64=", "payloadBase64=*", 1);
    assert!(matches!(run(broken.as_bytes()), Err(RunError::Unreadable(_))));
    let other = output.replacen("helper-v1", "helper-v9", 1);
    assert!(matches!(run(other.as_bytes()), Err(RunError::Unreadable(_))));
    let changed = output.replacen("chunkCount=3", "chunkCount=2", 1);
    assert!(matches!(run(changed.as_bytes()), Err(RunError::Unreadable(_))));
}

#[test]
fn headers_only_results_are_read() {
    let viewport = run(&recorded("viewport.stdout.txt")).unwrap();
    assert_eq!((viewport.fields.number::<i32>("height"), viewport.body.len()), (Some(2400), 0));
    assert_eq!(run(&recorded("gesture.stdout.txt")).unwrap().fields.number::<u32>("injectedEvents"), Some(8));
}

#[test]
fn a_failure_keeps_a_message_of_several_lines() {
    let Err(RunError::Failed(error)) = run(&recorded("throws-lines.stdout.txt")) else { panic!("no failure") };
    assert_eq!(error.message, "line one\nkey=value\nline three");
    assert_eq!(error.simple(), "RuntimeException");
}

#[test]
fn a_crash_with_code_0_is_no_success() {
    let crashed = RunError::Crashed("java.lang.IllegalStateException: UiAutomation not connected!".into());
    assert_eq!(run(&recorded("disconnected-midway.stdout.txt")), Err(crashed));
}

#[test]
fn ok_must_be_said() {
    let silent = "INSTRUMENTATION_RESULT: agentDeviceProtocol=android-snapshot-helper-v1\nINSTRUMENTATION_CODE: 0\n";
    assert!(matches!(run(silent.as_bytes()), Err(RunError::Unreadable(_))));
    assert!(matches!(run(b"INSTRUMENTATION_CODE: -1"), Err(RunError::Unreadable(_))));
}

#[test]
fn an_instrumentation_that_is_not_there_is_named() {
    let absent = "INSTRUMENTATION_STATUS: id=ActivityManagerService\n\
        INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{a.b/a.b.C}\n\
        INSTRUMENTATION_STATUS_CODE: -1\nandroid.util.AndroidException: INSTRUMENTATION_FAILED: a.b/.C\n\tat x.y(Z)\n";
    let Err(RunError::NotStarted(why)) = run(absent.as_bytes()) else { panic!("started") };
    assert!(why.starts_with("Unable to find instrumentation"), "{why}");
    let aborted = run(b"INSTRUMENTATION_ABORTED: System has crashed.\n");
    assert_eq!(aborted, Err(RunError::NotStarted("System has crashed.".into())));
}

#[test]
fn an_output_that_just_ends_says_what_was_printed() {
    assert_eq!(run(b"Error: no such user\n"), Err(RunError::NoResult("Error: no such user".into())));
    assert_eq!(run(b""), Err(RunError::NoResult(String::new())));
}

#[test]
fn the_ready_record_of_a_session_is_a_status_block() {
    let ready = "INSTRUMENTATION_STATUS: agentDeviceProtocol=android-snapshot-helper-v1\n\
        INSTRUMENTATION_STATUS: sessionPort=19301\nINSTRUMENTATION_STATUS: sessionReady=true\n\
        INSTRUMENTATION_STATUS_CODE: 2\n";
    let blocks = Records::default().feed(ready.as_bytes());
    let [Block::Status(2, fields)] = blocks.as_slice() else { panic!("{blocks:?}") };
    assert_eq!((fields.flag("sessionReady"), fields.number::<u16>("sessionPort")), (Some(true), Some(19301)));
}
