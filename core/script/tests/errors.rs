//! What people see when a script is wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use contract::Command;
use script::{Script, ScriptError, Variables, parse};

fn errors(text: &str) -> Vec<ScriptError> {
    parse(text, "login.ad").err().unwrap_or_default()
}

/// Line and column of each error.
fn places(text: &str) -> Vec<(u32, usize)> {
    errors(text).iter().map(|error| (error.source.line, error.problem.column)).collect()
}

fn read(text: &str) -> Script {
    parse(text, "login.ad").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn given(name: &str, value: &str) -> Variables {
    Variables::new().given([(name.to_owned(), value.to_owned())])
}

#[test]
fn all_errors_of_a_script_come_at_once_and_say_what_to_do() {
    let text = "context platform=ios\nopen demo\npres label=Save\n\npress @e5\npress label=\"Save all\"\nenv X=1\n";
    let shown: Vec<_> = errors(text).iter().map(ToString::to_string).collect();
    assert_eq!(
        shown.join("\n"),
        r#"error: there is no platform "ios"
 --> login.ad:1:18
  |
1 | context platform=ios
  |                  ^^^
  = stage, web or android
error: there is no command "pres"
 --> login.ad:3:1
  |
3 | pres label=Save
  | ^^^^
  = did you mean press?
error: a ref means something only in the session that showed it
 --> login.ad:5:7
  |
5 | press @e5
  |       ^^^
  = scripts name targets by selectors: see the selectorChain of agent-device press @e5 --json, or agent-device help selectors
error: a quote opens inside a word and is not closed before the word ends
 --> login.ad:6:13
  |
6 | press label="Save all"
  |             ^^^^^
  = put the whole word into quotes: 'label="Save ..."'
error: env stands before the first step, which is in line 2
 --> login.ad:7:1
  |
7 | env X=1
  | ^^^
  = move it to the top"#
    );
}

#[test]
fn every_kind_of_error_is_found_at_its_place() {
    for (line, column) in [
        ("press", 7),
        ("press id=a --conut 2", 12),
        ("press id=a --count many", 20),
        ("press id=a --count 500", 20),
        ("press \"labl=x\"", 8),
        ("press 'label=Save all'", 19),
        ("press id=a id=b", 12),
        ("wait text", 11),
        ("wait @e5 100", 6),
        ("scroll down --in @e5", 18),
        ("scroll down --until 'nope=1'", 22),
        ("gesture drag id=a @e5", 19),
        ("snapshot -s @e5", 13),
        ("daemon stop", 1),
        ("batch --steps '[]'", 1),
        ("close --all", 1),
        ("boot", 1),
        ("open demo --save-script", 1),
        ("type \"abc", 6),
        ("type ${lower}", 8),
        ("env", 4),
        ("  context", 10),
        ("env lower=1", 5),
        ("env AD_X=1", 5),
        ("env A=1 A=2", 9),
        ("env A=${B}", 7),
        ("env NAME=Ada Lovelace", 14),
        ("context retries=9", 17),
        ("context timeout=0", 17),
        ("context timeout=5 timeout=5", 19),
        ("context x=1 x=1", 13),
        ("# agent-device:target-v1 {\"role\":5}", 34),
    ] {
        let found = places(&format!("{line}\nopen demo\n"));
        // Evidence or a line that is wrong: the rest is right.
        assert_eq!(found, [(1, column)], "{line}: {:?}", errors(&format!("{line}\nopen demo\n")));
        let error = errors(&format!("{line}\nopen demo\n")).remove(0);
        assert!(error.problem.hint.is_some(), "{error}");
    }
}

#[test]
fn evidence_stands_directly_above_its_step() {
    let evidence = "# agent-device:target-v1 {\"role\":\"button\"}";
    let good = read(&format!("open demo\n{evidence}\npress id=a\n"));
    assert_eq!(good.steps[1].evidence.as_ref().map(|(line, _)| *line), Some(2));
    for after in ["", "# a comment", evidence, "env A=1", "context x=1"] {
        let text = format!("{evidence}\n{after}\n{evidence}\npress id=a\n");
        assert!(places(&text).contains(&(1, 1)), "{after:?}: {:?}", errors(&text));
    }
    assert_eq!(places(&format!("open demo\n{evidence}\n")), [(2, 1)]);
    let ends = "# agent-device:targets-v1 {\"source\":{},\"destination\":{}}";
    assert_eq!(places(&format!("{ends}\npress id=a\n")), [(2, 1)]);
    read(&format!("{ends}\ngesture drag id=a id=b\n"));
}

#[test]
fn a_variable_without_a_value_is_an_error_where_it_stands() {
    let script = read("open demo\nfill id=name \"Dear ${NAME}\"\npress id=${BUTTON}\n");
    let errors = script.commands(&Variables::new()).unwrap_err();
    let places: Vec<_> = errors.iter().map(ScriptError::place).collect();
    assert_eq!(places, ["login.ad:2:20", "login.ad:3:10"]);
    assert!(errors[0].to_string().contains("-e NAME=..."), "{}", errors[0]);
}

#[test]
fn an_error_never_repeats_the_value_of_a_variable() {
    for line in [
        "press id=a --count ${V}",
        "fill id=a x ${V} ${V} y",
        "is ${V} id=a",
        "press \"label=\\\"${V}\"",
        "press \"nope=${V}\"",
        "gesture ${V} id=a",
        "${V}",
    ] {
        let script = read(&format!("open demo\n{line}\n"));
        let errors = script.commands(&given("V", "hunter2-secret")).unwrap_err();
        let shown = errors[0].to_string();
        assert!(!shown.contains("hunter2"), "{line}: {shown}");
        assert_eq!(errors[0].source.line, 2);
    }
}

#[test]
fn a_value_that_begins_with_a_hyphen_is_a_value() {
    let script = read("fill id=a ${V}\ntype ${V} --delay-ms 5\nalert accept --text ${V}\n");
    let commands = script.commands(&given("V", "--settle")).unwrap();
    assert!(commands.iter().all(|command| command.texts() == ["--settle"]), "{commands:?}");
    let script = read("swipe 1 2 3 ${V}\n");
    assert!(matches!(&script.commands(&given("V", "-5")).unwrap()[0], Command::Swipe(swipe) if swipe.y2 == -5.0));
}

#[test]
fn what_is_odd_is_a_warning() {
    let script = read("context colour=red device=\"Pixel 9\"\n# agent-device:target-v9 {}\ntype '${X}'\n");
    let warned: Vec<_> =
        script.warnings.iter().map(|warning| (warning.0.source.line, warning.0.problem.column)).collect();
    assert_eq!(warned, [(1, 9), (2, 1), (3, 6)]);
    assert_eq!(script.context.others, [("colour".into(), "red".into()), ("device".into(), "Pixel 9".into())]);
}

#[test]
fn a_script_without_steps_is_none() {
    for text in ["", "# nothing\n\n", "env A=1\n", "\u{feff}"] {
        assert_eq!(places(text), [(1, 1)], "{text:?}");
    }
}

#[test]
fn line_ends_and_marks_of_other_systems_do_no_harm() {
    let script = read("\u{feff}context platform=web\r\nopen demo\r\n\r\npress 'id=a'\r\n");
    assert_eq!(script.steps.iter().map(script::Step::line).collect::<Vec<_>>(), [2, 4]);
    assert_eq!(script.steps[1].text(), "press 'id=a'");
}

#[test]
fn a_comment_behind_a_step_is_explained() {
    let error = errors("open demo\nback # and home\n").remove(0);
    assert!(error.problem.hint.as_deref().unwrap_or_default().contains("line of its own"), "{error}");
}

#[test]
fn errors_are_bounded_and_say_how_many_more_there_are() {
    let errors = errors(&"nonsense\n".repeat(1_000));
    assert_eq!(errors.len(), 50);
    assert!(errors[49].to_string().contains("and 950 more"), "{}", errors[49]);
    let huge = "x".repeat(5 << 20);
    assert_eq!(places(&huge), [(1, 1)]);
    assert_eq!(places(&format!("type {}\nopen demo\n", "x".repeat(300 << 10))), [(1, 1)]);
}

#[test]
fn the_failure_of_a_script_says_that_nothing_was_run() {
    let failure = script::failure(&errors("pres x\n"));
    assert_eq!(failure.reason_str(), Some("script_invalid"));
    assert!(failure.message.contains("nothing was run") && failure.message.contains("login.ad:1:1"), "{failure}");
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(contract::Dispatched::No));
}
