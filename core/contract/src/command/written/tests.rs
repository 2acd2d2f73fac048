use clap::builder::ValueParser;

use super::*;
use crate::command::SPECS;

/// Words that are read by [`crate::words::FromWords`]: whichever of them a command takes.
const WORDS: &[&[&str]] = &[
    &["id=save"],
    &["label=\"Save all\" role=button || id=save"],
    &["10", "20.5"],
    &["@e5~s3"],
    &["id=a", "some text"],
    &["id=a", ""],
    &["id=a", "-x --settle"],
    &["1", "2", "text"],
    &["id=a", "900"],
    &["id=a", "a.txt", "b.txt"],
    &["pan", "10", "20", "100", "-30"],
    &["pan", "id=a", "0", "-200.25"],
    &["fling", "up"],
    &["fling", "left", "300"],
    &["fling", "left", "300", "10", "20"],
    &["fling", "down", "40", "label=List"],
    &["fling", "down", "10", "20"],
    &["pinch", "2"],
    &["pinch", "0.5", "id=map"],
    &["rotate", "-90", "100", "200"],
    &["transform", "100", "200", "10", "20", "1.5", "-30"],
    &["drag", "id=a", "id=b"],
    &["drag", "1", "2", "label=Trash"],
    &["visible", "label=X"],
    &["text", "id=a", "hello there"],
    &["Save"],
    &["text"],
    &["any", "text", "exists"],
    &["label", "Save", "getText"],
    &["label", "Save", "fill", "a text"],
    &["100"],
    &["text", "Hello", "300"],
    &["absent", "role=dialog"],
    &["stable"],
    &["stable", "200", "3000"],
    &["read"],
    &["write", "hello"],
    &["wifi", "off"],
    &["airplane", "on"],
    &["location", "on"],
    &["location", "set", "52.5", "-13.4"],
    &["animations", "off"],
    &["appearance", "dark"],
    &["permission", "grant", "camera"],
    &["clear-app-state"],
    &["clear-app-state", "com.example.app"],
    &[],
    &["mark", "here I am"],
    &["start"],
    &["start", "film.mp4"],
    &["stop"],
];

/// Values that an argument takes.
fn values(arg: &Arg) -> Vec<String> {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let possible: Vec<_> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    match arg.get_id().as_str() {
        _ if !possible.is_empty() => possible,
        "steps" => own(&[r#"["press id=a", {"command": "home"}]"#]),
        "mobile" => own(&["390x844@3"]),
        "capabilities" => own(&[r#"{"goog:chromeOptions": {"args": ["--x y"]}}"#, "@caps.json"]),
        _ if is_text(arg.get_value_parser()) => own(&["VARIABLE", "a word", "-hyphen", "it's \"it\" \\ ${X}"]),
        _ => own(&["1", "100", "0.5", "-20.25"]),
    }
}

fn is_text(parser: &ValueParser) -> bool {
    parser.type_id() == ValueParser::string().type_id()
}

/// Lines of a command: each of its arguments with each of its values, over every way to fill in what has to be there.
fn lines(name: &'static str) -> Vec<Vec<String>> {
    let parser = parser_of(name);
    let mut bases = vec![vec![name.to_owned()]];
    for arg in parser.get_arguments() {
        let choices: Vec<Vec<String>> = if arg.get_id() == words::ID {
            WORDS.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect()
        } else if arg.is_positional() {
            let none = (!arg.is_required_set()).then(Vec::new);
            none.into_iter().chain(values(arg).into_iter().map(|value| vec![value])).collect()
        } else {
            continue;
        };
        bases = bases.iter().flat_map(|base| choices.iter().map(move |choice| [&base[..], choice].concat())).collect();
    }
    let mut all = Vec::new();
    for base in bases {
        all.push(base.clone());
        for arg in parser.get_arguments().filter(|arg| !arg.is_positional() && arg.get_id() != words::ID) {
            let long = format!("--{}", arg.get_long().unwrap());
            let mut with = |flag: Vec<String>| {
                // Flags go first, since what follows may begin with a hyphen. Those that need another get it too.
                for company in [&[][..], &["--settle"], &["--save-script=x.ad"]] {
                    let company = company.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
                    all.push([&[base[0].clone()][..], &flag, &company, &["--".to_owned()], &base[1..]].concat());
                }
            };
            match arg.get_action() {
                ArgAction::SetTrue => with(vec![long]),
                _ => {
                    if arg.is_require_equals_set() {
                        with(vec![long.clone()]);
                    }
                    values(arg).into_iter().for_each(|value| with(vec![format!("{long}={value}")]));
                }
            }
        }
    }
    all
}

#[test]
fn every_command_is_written_as_words_that_read_back_as_the_same() {
    for spec in SPECS {
        let (mut count, mut flags) = (0, std::collections::BTreeSet::new());
        for line in lines(spec.name) {
            let Ok(command) = Command::from_words(&line) else { continue };
            if matches!(&command, Command::Batch(batch) if batch.steps_file.is_some()) {
                assert_eq!(command.to_words(), None, "the file is not the daemon's to read");
                flags.insert("steps-file".to_owned());
                continue;
            }
            let written = command.to_words().unwrap_or_else(|| panic!("{line:?} cannot be written: {command:?}"));
            let read = Command::from_words(&written).unwrap_or_else(|why| panic!("{written:?}: {}", why.failure));
            assert!(read == command || read == command.spellable(), "{line:?} became {written:?}");
            count += 1;
            flags.extend(line.iter().filter_map(|word| Some(word.strip_prefix("--")?.split('=').next()?.to_owned())));
        }
        assert!(count > 0, "no line of {} could be made up: its words are missing above", spec.name);
        for arg in parser_of(spec.name).get_arguments().filter_map(Arg::get_long) {
            assert!(flags.contains(arg), "no line of {} has --{arg}", spec.name);
        }
    }
}

#[test]
fn words_are_as_a_person_would_type_them() {
    for line in [
        "press label=Save --count 2 --settle",
        "press 10 20.5",
        "find Save",
        "find text Save exists",
        "find Save exists",
        "find any id=5 getText",
        "find role=button",
        "find label=Name fill Ada",
        "find selector visible list",
        "wait text Hello 300",
        "swipe 1 2 3 -4 --count 2 --pattern ping-pong",
        "gesture pan 10 20 100 -30 --pointer-count 2",
        "open http://localhost:3000 --browser firefox --mobile 390x844@3",
        "open demo --save-script",
        "open demo --save-script=x.ad --force",
        "scroll down 0.5 --until label=X",
        "type --delay-ms 5 -- -x",
    ] {
        let command = Command::from_line(line).unwrap();
        assert_eq!(command.to_words().unwrap().join(" "), line);
    }
}

#[test]
fn what_words_cannot_say_is_not_written() {
    for (name, args) in [
        // They would be read as a point, and as a ref.
        ("press", serde_json::json!({"target": {"kind": "selector", "selector": "10"}})),
        ("press", serde_json::json!({"target": {"kind": "selector", "selector": "@e1"}})),
        ("events", serde_json::json!({"cursor": 5})),
        ("find", serde_json::json!({"query": "x", "value": "y"})),
    ] {
        let command = Command::from_call(name, &args).unwrap();
        assert_eq!(command.to_words(), None, "{args}");
    }
}
