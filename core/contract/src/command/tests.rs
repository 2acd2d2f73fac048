use clap::Parser;
use serde_json::json;

use super::*;
use crate::Target;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn parse(line: &str) -> Command {
    let words = std::iter::once("agent-device").chain(line.split(' '));
    Cli::try_parse_from(words).unwrap_or_else(|why| panic!("{line}: {why}")).command
}

#[test]
fn every_command_line_survives_the_socket() {
    for line in [
        "devices",
        "capabilities",
        "doctor",
        "open http://localhost:3000 --browser firefox --mobile 390x844@3",
        "close --all",
        "snapshot -i -d 3 -s @e4 --raw",
        "diff snapshot -i",
        "screenshot out.png --overlay-refs",
        "press @e5~s3 --count 3 --interval-ms 20 --settle --settle-quiet-ms 100 --verify --button secondary",
        "press 10 20",
        "longpress label=Save 900",
        "hover @e1",
        "focus @e1",
        "fill @e1 text --delay-ms 5",
        "fill 1 2 text",
        "fill @e1 --settle text",
        "type text",
        "scroll down 0.5 --until label=X --settle",
        "swipe 1 2 3 4 --count 2 --pattern ping-pong",
        "gesture pan 10 20 100 -30 --pointer-count 2 --duration-ms 400",
        "gesture pan @e1 0 200",
        "gesture fling up",
        "gesture fling left 300",
        "gesture fling left 300 10 20",
        "gesture fling down label=List",
        "gesture fling down 40 label=List",
        "gesture fling down 10 20",
        "gesture pinch 2",
        "gesture pinch 0.5 @e3",
        "gesture rotate -90 100 200",
        "gesture transform 100 200 10 20 1.5 30",
        "gesture drag @e1 @e2 --hold-ms 500 --drop-hold-ms 100 --settle",
        "gesture drag 1 2 label=Trash",
        "app-switcher",
        "orientation landscape-left",
        "keyboard status",
        "keyboard dismiss",
        "clipboard read",
        "clipboard write hello",
        "settings wifi off",
        "settings location set 52.5 -13.4",
        "settings appearance dark",
        "settings permission grant camera",
        "settings clear-app-state com.example.app",
        "appstate",
        "logs",
        "logs mark here --lines 5",
        "perf frames --reset",
        "record start film.mp4 --quality high",
        "record stop",
        "apps --all",
        "install app.apk --grant-all",
        "reinstall com.example.app app.apk",
        "push a.txt /sdcard/",
        "pull /sdcard/a.txt",
        "boot --headless",
        "shutdown",
        "pair 192.168.0.5:37000 123456",
        "pair --list",
        "get text @e1",
        "is visible label=X",
        "is text @e1 hello",
        "find Save",
        "find label Save getText",
        "find label Save fill text --first",
        "wait 100",
        "wait text Hello 300",
        "wait @e5",
        "wait absent role=dialog",
        "wait stable 200 3000",
        "back --settle",
        "home",
        "viewport 800 600",
        "alert accept --text x",
        "upload @e1 a.txt b.txt",
        "downloads --wait-ms 100",
        "windows --switch 2",
        "events 10 5",
        "session list",
        "session save-script",
        "session save-script flow.ad --force",
        "open demo --save-script",
        "open demo --save-script=flow.ad --force",
        "fill @e1 text --record-as PASSWORD",
        "type text --record-as USER_1",
        "trace start --keep",
        "trace stop --out run.html",
        "daemon stop",
    ] {
        let command = parse(line);
        let sent = command.to_args();
        let read = Command::from_call(command.spec().name, &sent).unwrap_or_else(|why| panic!("{line}: {sent} {why}"));
        assert_eq!(read, command, "{line}: {sent}");
    }
}

#[test]
fn an_unknown_command_field_or_value_is_refused_by_name() {
    let unknown = Command::from_call("pres", &json!({})).unwrap_err();
    assert_eq!((unknown.code, unknown.hint.as_deref()), (Code::InvalidArgs, Some("did you mean press?")));
    let field = Command::from_call("press", &json!({"target": {"kind": "ref", "ref": "@e1"}, "cuont": 2})).unwrap_err();
    assert!(field.message.contains("\"cuont\"") && field.hint.as_deref() == Some("did you mean count?"), "{field:?}");
    let value =
        Command::from_call("press", &json!({"target": {"kind": "ref", "ref": "@e1"}, "count": "x"})).unwrap_err();
    assert!(value.message.contains("do not fit"), "{value}");
    assert!(Command::from_call("press", &json!({"target": {"kind": "point", "x": 1}})).is_err());
    assert!(Command::from_call("press", &json!([])).is_err());
}

#[test]
fn aliases_answer_and_the_target_is_a_plain_object() {
    let target = json!({"target": {"kind": "selector", "selector": "label=Save"}});
    let Command::Press(press) = Command::from_call("click", &target).unwrap() else { panic!("not a press") };
    assert_eq!(press.target.0, Target::Selector { selector: "label=Save".into() });
}

#[test]
fn numbers_that_make_no_sense_are_refused_on_every_way_in() {
    for (name, args) in [
        ("swipe", json!({"x1": 1, "y1": 1, "x2": 2, "y2": 2, "durationMs": u64::MAX})),
        ("swipe", json!({"x1": 1e308, "y1": 1, "x2": 2, "y2": 2})),
        ("press", json!({"target": {"kind": "point", "x": 1e308, "y": 1}})),
        ("press", json!({"target": {"kind": "ref", "ref": "@e1"}, "holdMs": u64::MAX, "count": 200})),
        ("press", json!({"target": {"kind": "ref", "ref": "@e1"}, "count": 0})),
        ("fill", json!({"target": {"kind": "ref", "ref": "@e1"}, "text": "x", "delayMs": u64::MAX})),
        ("scroll", json!({"direction": "down", "pixels": 1e308})),
        ("scroll", json!({"direction": "down", "pixels": -1})),
        ("scroll", json!({"direction": "down", "amount": 7})),
        ("scroll", json!({"direction": "top", "amount": 0.5})),
        ("wait", json!({"kind": "text", "text": " "})),
        ("wait", json!({"kind": "duration", "durationMs": u64::MAX})),
        ("open", json!({"loadTimeoutMs": 1})),
        ("viewport", json!({"width": 1, "height": 100})),
    ] {
        let refused = Command::from_call(name, &args).unwrap_err();
        assert_eq!(refused.code, Code::InvalidArgs, "{name} {args}: {refused}");
    }
    let nan = Cli::try_parse_from(["agent-device", "scroll", "down", "--pixels", "nan"]).unwrap();
    assert!(nan.command.check().is_err());
    assert_eq!(Command::from_line("scroll down --pixels nan").unwrap_err().code, Code::InvalidArgs);
    assert!(parse("press @e1 --count 200 --interval-ms 10000").timeout_ms() > 2_000_000);
}

#[test]
fn names_and_aliases_are_unique() {
    let mut names: Vec<_> = SPECS.iter().flat_map(|spec| std::iter::once(&spec.name).chain(spec.aliases)).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn the_effect_follows_the_arguments() {
    assert_eq!(parse("find Save").effect(), Effect::Mutates);
    assert_eq!(parse("find Save exists").effect(), Effect::Observes);
    assert_eq!(parse("alert get").effect(), Effect::Observes);
    assert_eq!(parse("alert accept").effect(), Effect::Mutates);
    assert_eq!(parse("windows --close 1").effect(), Effect::Mutates);
}

#[test]
fn a_fling_takes_one_number_for_a_distance_two_for_a_point_and_three_for_both() {
    let read = |line: &str| match parse(line) {
        Command::Gesture(gesture) => match &*gesture.words {
            GestureWords::Fling { distance, origin, .. } => (*distance, origin.as_ref().map(ToString::to_string)),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(read("gesture fling up 300"), (Some(300.0), None));
    assert_eq!(read("gesture fling up 300 label=List"), (Some(300.0), Some("label=List".to_owned())));
    assert_eq!(read("gesture fling up label=List"), (None, Some("label=List".to_owned())));
    let point = read("gesture fling up 10 20").1;
    assert!(point.is_some());
    assert_eq!(read("gesture fling up 10 20"), (None, point.clone()));
    assert_eq!(read("gesture fling up 300 10 20"), (Some(300.0), point));
}
