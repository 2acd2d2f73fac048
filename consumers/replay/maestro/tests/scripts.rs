//! Variables, expressions and scripts in flows, in the real engine.
#![allow(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{Double, flow, flow_with, read, run};
use contract::Code;
use maestro::RunOptions;

fn options(env: &[(&str, &str)]) -> RunOptions {
    let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    RunOptions { env, ..RunOptions::default() }
}

fn asked_with(flow: &maestro::Flow, env: &[(&str, &str)]) -> Vec<String> {
    let mut host = Double::willing();
    run(flow, &mut host, &options(env)).unwrap_or_else(|failed| panic!("{failed}\n{}", host.log.join("\n")));
    host.asked()
}

#[test]
fn variables_come_from_the_header_the_caller_and_whoever_runs_the_flow() {
    let flow = read(&[
        (
            "main.yaml",
            "appId: ${APP}\nenv:\n  APP: com.example.main\n  USER: header\n  GREETING: Hi ${USER}\n---\n- launchApp\n\
             - inputText: ${GREETING}\n- runFlow:\n    file: sub.yaml\n    env:\n      USER: ${USER}-sub\n- inputText: ${USER}\n",
        ),
        ("sub.yaml", "appId: a\nenv:\n  USER: own\n  COLOUR: ${COLOUR || 'red'}\n---\n- inputText: ${USER} ${COLOUR}\n"),
    ])
    .unwrap();
    assert_eq!(
        asked_with(&flow, &[]),
        ["open com.example.main --relaunch", "type Hi header", "type header-sub red", "type header"]
    );
    assert_eq!(
        asked_with(&flow, &[("USER", "cli"), ("COLOUR", "blue")]),
        ["open com.example.main --relaunch", "type Hi cli", "type cli-sub blue", "type cli"]
    );
}

#[test]
fn variables_of_an_inner_flow_end_with_it() {
    let commands = "- evalScript: ${output.x = 1}\n- runFlow: {env: {INNER: yes}, commands: [{inputText: '${INNER}'}]}\n\
                    - assertTrue: \"${typeof INNER === 'undefined'}\"";
    assert_eq!(asked_with(&flow(commands), &[]), ["type yes"]);
}

#[test]
fn secrets_are_told_to_the_host_before_anything_runs() {
    let mut host = Double::willing();
    let header = "appId: a\nenv:\n  PASSWORD: hunter22\n  API_TOKEN: abcdef\n  TOKEN: x\n  NAME: Ada\n";
    run(&flow_with(header, "- inputText: ${PASSWORD}"), &mut host, &options(&[("shopSecret", "s3cr3t")])).unwrap();
    assert_eq!(host.secrets, ["s3cr3t", "hunter22", "abcdef"]);
    assert!(host.log.iter().all(|line| !line.contains("hunter22")), "{:?}", host.log);
    assert_eq!(host.asked(), ["type hunter22"]);
}

#[test]
fn scripts_compute_and_keep_what_they_put_out() {
    let flow = read(&[
        (
            "main.yaml",
            "appId: a\n---\n- runScript: {file: scripts/sum.js, env: {A: 2, B: 3}}\n- inputText: ${output.sum}\n\
             - evalScript: ${output.list = ['x', 'y']}\n- inputText: ${output.list[1] + '!'}\n\
             - assertTrue: ${output.sum == 5}\n- repeat:\n    times: ${output.sum - 3}\n    commands: [{tapOn: 'Row ${output.sum}'}]\n",
        ),
        ("scripts/sum.js", "const sum = Number(A) + Number(B);\nconsole.log('sum', sum);\noutput.sum = sum;\n"),
    ])
    .unwrap();
    let mut host = Double::willing();
    run(&flow, &mut host, &options(&[])).unwrap();
    assert_eq!(host.asked(), ["type 5", "type y!", "press anytext~=\"Row 5\" first", "press anytext~=\"Row 5\" first"]);
    assert!(host.noted("console: sum 5"), "{}", host.log.join("\n"));
}

#[test]
fn a_counter_ends_a_loop() {
    let commands = "- evalScript: ${output.n = 0}\n- repeat:\n    while: {true: '${output.n < 3}'}\n    commands:\n\
                    \x20     - tapOn: Next\n      - evalScript: ${output.n = output.n + 1}";
    assert_eq!(asked_with(&flow(commands), &[]).len(), 3);
}

#[test]
fn one_flow_runs_only_what_a_variable_names() {
    let commands = "- runFlow: {when: {true: '${ONLY == \"\" || ONLY == \"a\"}'}, commands: [{tapOn: A}], label: a}\n\
                    - runFlow: {when: {true: '${ONLY == \"\" || ONLY == \"b\"}'}, commands: [{tapOn: B}], label: b}";
    let flow = flow_with("appId: x\nenv: {ONLY: ''}\n", commands);
    assert_eq!(asked_with(&flow, &[]).len(), 2);
    assert_eq!(asked_with(&flow, &[("ONLY", "b")]), ["press anytext~=\"B\" first"]);
}

#[test]
fn what_was_copied_is_there_for_scripts() {
    let commands = "- copyTextFrom: Order\n- evalScript: ${output.number = maestro.copiedText.split('-')[1]}\n\
                    - inputText: ${output.number}\n- setClipboard: '${output.number}0'\n- inputText: ${maestro.copiedText}";
    let said = asked_with(&flow(commands), &[]);
    assert_eq!(said[1..], ["type 17", "type 170"]);
}

#[test]
fn what_was_typed_at_random_is_there_for_scripts_and_what_they_keep_stays() {
    let commands = "- evalScript: ${maestro.mine = new Date(0)}\n- inputRandomNumber: {length: 6}\n\
                    - inputText: ${maestro.randomText}\n- assertTrue: ${maestro.mine.getTime() === 0}";
    let said = asked_with(&flow(commands), &[]);
    assert_eq!((said.len(), &said[0]), (2, &said[1]));
}

#[test]
fn an_address_may_be_put_together() {
    let flow = flow_with("url: \"http://127.0.0.1:${typeof PORT === 'undefined' ? 80 : PORT}/x\"\n", "- launchApp");
    assert_eq!(asked_with(&flow, &[]), ["open http://127.0.0.1:80/x --relaunch"]);
    assert_eq!(asked_with(&flow, &[("PORT", "7357")]), ["open http://127.0.0.1:7357/x --relaunch"]);
}

#[test]
fn labels_points_and_words_are_evaluated() {
    let header = "appId: a\nenv: {WAY: LANDSCAPE_RIGHT, MODE: enabled, FROM: '100, 200', TO: '300, 200'}\n";
    let commands = "- tapOn: {text: A, label: 'Press ${1 + 1} times'}\n- setOrientation: ${WAY}\n- setAirplaneMode: ${MODE}\n\
                    - swipe: {start: '${FROM}', end: '${TO}'}";
    let mut host = Double::willing();
    run(&flow_with(header, commands), &mut host, &options(&[])).unwrap();
    assert!(host.noted("begin 4 Press 2 times"), "{}", host.log.join("\n"));
    assert_eq!(
        host.asked()[1..],
        ["orientation LandscapeRight", "settings {\"setting\":\"airplane\",\"on\":true}", "swipe 100 200 300 200 400"]
    );
}

#[test]
fn an_expression_without_a_value_is_an_error_in_a_text_and_false_in_a_condition() {
    for (commands, part) in [
        ("- inputText: ${USER_NAME}", "-e USER_NAME="),
        ("- inputText: ${output.missing}", "|| ''"),
        ("- tapOn: 'x ${null}'", "|| ''"),
    ] {
        let failed = run(&flow(commands), &mut Double::willing(), &options(&[])).unwrap_err();
        assert_eq!(failed.failure.reason_str(), Some("expression_without_value"), "{commands}");
        assert!(failed.failure.hint.as_deref().is_some_and(|hint| hint.contains(part)), "{:?}", failed.failure.hint);
        assert_eq!(failed.failure.details["dispatched"], "no");
    }
    let commands = "- runFlow: {when: {true: '${FLAG}'}, commands: [{tapOn: A}]}\n- inputText: ${FLAG || 'none'}";
    assert_eq!(asked_with(&flow(commands), &[]), ["type none"]);
    assert_eq!(asked_with(&flow(commands), &[("FLAG", "false")]), ["type false"]);
}

#[test]
fn assertions_of_values() {
    for (condition, holds) in
        [("true", true), ("${1 < 2}", true), ("${0}", false), ("false", false), ("${undefined}", false), ("''", false)]
    {
        let result = run(&flow(&format!("- assertTrue: {condition}")), &mut Double::willing(), &options(&[]));
        assert_eq!(result.is_ok(), holds, "{condition}");
    }
    let equal = "- assertEqual: {value1: '${1 + 1}', value2: 2}\n- assertNotEqual: {value1: a, value2: b}";
    run(&flow(equal), &mut Double::willing(), &options(&[])).unwrap();
    let failed =
        run(&flow("- assertEqual: {value1: a, value2: b}"), &mut Double::willing(), &options(&[])).unwrap_err();
    assert_eq!((failed.failure.code, &failed.failure.details["value2"]), (Code::PredicateFailed, &"b".into()));
}

#[test]
fn a_script_that_fails_names_its_file_and_line() {
    let flow = read(&[
        ("main.yaml", "appId: a\n---\n- runScript: bad.js\n"),
        ("bad.js", "const a = 1;\nthrow new Error('no stock');\n"),
    ])
    .unwrap();
    let failed = run(&flow, &mut Double::willing(), &options(&[])).unwrap_err();
    assert!(failed.failure.message.contains("no stock"), "{}", failed.failure.message);
    assert_eq!((&failed.failure.details["file"], &failed.failure.details["line"]), (&"bad.js".into(), &2.into()));
    let failed =
        run(&common::flow("- tapOn: A\n- evalScript: ${nowhere.x = 1}"), &mut Double::willing(), &options(&[]));
    let failed = failed.unwrap_err().failure;
    assert_eq!((&failed.details["file"], &failed.details["line"]), (&"flow.yaml".into(), &4.into()));
}

#[test]
fn a_script_without_end_ends_with_its_limit() {
    let limits = javascript::Limits { time: std::time::Duration::from_millis(200), ..javascript::Limits::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let failed = run(&flow("- evalScript: ${while (true) {}}"), &mut Double::willing(), &options).unwrap_err();
    assert_eq!(failed.failure.reason_str(), Some("script_failed"));
}
