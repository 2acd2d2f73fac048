//! What becomes of a flow when something fails: nothing is sent twice, every step is told, the rest is told as not tried.

mod common;

use std::{cell::Cell, rc::Rc, time::Duration};

use common::{Double, absent, fails, flow, flow_with, read, run};
use contract::{Code, Command, Disclosed, Failure, Row, Sends};
use maestro::RunOptions;

fn is_press(command: &Command) -> bool {
    matches!(command, Command::Press(_))
}

#[test]
fn a_press_is_sent_again_only_after_a_refusal_that_proves_that_nothing_was_sent() {
    let presses = Rc::new(Cell::new(0));
    let seen = Rc::clone(&presses);
    let mut host = Double::new(move |ask| {
        if !is_press(&ask.command) {
            return None;
        }
        seen.set(seen.get() + 1);
        (seen.get() == 1).then(|| absent(&ask.command))
    });
    run(&flow("- tapOn: Late"), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(
        host.asked(),
        ["press anytext~=\"Late\" first", "wait anytext~=\"Late\" first 15000", "press anytext~=\"Late\" first",]
    );
}

#[test]
fn a_press_that_may_have_landed_is_never_sent_again() {
    for code in [Code::CommandFailed, Code::Timeout, Code::ElementNotFound, Code::SessionLost] {
        let mut host = Double::new(move |ask| is_press(&ask.command).then(|| fails(&ask.command, code)));
        let failed = run(&flow("- tapOn: {text: Pay, retryTapIfNoChange: true}"), &mut host, &RunOptions::default())
            .unwrap_err();
        assert_eq!(host.asked().len(), 1, "{code}: {:?}", host.asked());
        assert_eq!(failed.failure.details["dispatched"], "unknown");
        assert!(host.noted("retryTapIfNoChange: pressed once"));
    }
}

#[test]
fn a_target_that_never_comes_is_told_with_what_the_press_saw() {
    let mut host = Double::new(|ask| match &ask.command {
        command @ Command::Press(_) => Some(absent(command)),
        command @ Command::Wait(_) => Some(fails(command, Code::WaitTimeout)),
        _ => None,
    });
    let failed =
        run(&flow("- launchApp\n- tapOn: Ghost\n- tapOn: Next"), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!((failed.failure.code, failed.place.line), (Code::ElementNotFound, 4));
    assert_eq!(failed.failure.details["dispatched"], "no");
    assert!(failed.failure.message.contains("waited 17 s"), "{}", failed.failure.message);
    assert_eq!(failed.step, "tapOn: Ghost");
    assert_eq!(host.log.last().map(String::as_str), Some("end Skipped"));
    assert_eq!(host.asked().iter().filter(|said| said.starts_with("press")).count(), 1);
}

#[test]
fn an_optional_step_warns_after_a_shorter_wait_and_the_flow_goes_on() {
    let mut host = Double::new(|ask| match &ask.command {
        command @ Command::Press(press) if format!("{press:?}").contains("Rate us") => Some(absent(command)),
        command @ Command::Wait(_) => Some(fails(command, Code::WaitTimeout)),
        _ => None,
    });
    let commands = "- tapOn: {text: Rate us, optional: true}\n- tapOn: Home";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(
        host.asked(),
        ["press anytext~=\"Rate us\" first", "wait anytext~=\"Rate us\" first 5000", "press anytext~=\"Home\" first"]
    );
    assert!(host.noted("end Warned ELEMENT_NOT_FOUND"));
}

#[test]
fn an_option_and_a_retry_do_not_outlive_the_device() {
    for commands in ["- tapOn: {text: A, optional: true}", "- retry: {maxRetries: 3, commands: [{tapOn: A}]}"] {
        let mut host = Double::new(|ask| is_press(&ask.command).then(|| fails(&ask.command, Code::SessionLost)));
        let failed = run(&flow(commands), &mut host, &RunOptions::default()).unwrap_err();
        assert_eq!((failed.failure.code, host.asked().len()), (Code::SessionLost, 1), "{commands}");
    }
}

#[test]
fn a_retry_runs_its_commands_again_and_tells_each_attempt() {
    let presses = Rc::new(Cell::new(0));
    let seen = Rc::clone(&presses);
    let mut host = Double::new(move |ask| {
        seen.set(seen.get() + u32::from(is_press(&ask.command)));
        (is_press(&ask.command) && seen.get() < 3).then(|| fails(&ask.command, Code::ElementCovered))
    });
    run(&flow("- retry: {maxRetries: 2, commands: [{tapOn: A}]}"), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(presses.get(), 3);
    for line in ["begin 3 attempt 1 of 3", "begin 3 attempt 3 of 3", "end Warned ELEMENT_COVERED", "sent again"] {
        assert!(host.noted(line), "{line}\n{}", host.log.join("\n"));
    }
    let mut host = Double::new(|ask| is_press(&ask.command).then(|| fails(&ask.command, Code::ElementCovered)));
    assert!(run(&flow("- retry: {commands: [{tapOn: A}]}"), &mut host, &RunOptions::default()).is_err());
    assert_eq!(host.asked().len(), 2, "one retry where nothing is said");
}

#[test]
fn a_device_is_set_up_before_the_app_is_launched() {
    let open = Rc::new(Cell::new(false));
    let host = || {
        open.set(false);
        let opened = Rc::clone(&open);
        Double::new(move |ask| {
            let opens = matches!(ask.command, Command::Open(_));
            opened.set(opened.get() || opens);
            (!opened.get()).then(|| {
                let row = Row::DaemonAdmissionSessionNotFound;
                let refused = Failure::refused(row, Code::SessionNotFound, "nothing is open");
                Err(Disclosed::seal(refused, Some(ask.command.effect()), Sends::NONE))
            })
        })
    };
    let steps = "- setAirplaneMode: enabled\n- setOrientation: PORTRAIT\n- launchApp";
    let mut told = host();
    run(&flow_with("appId: shop\n", steps), &mut told, &RunOptions::default()).unwrap();
    let asked = told.asked();
    assert_eq!((asked[0].as_str(), asked[1].as_str(), asked.len()), (asked[2].as_str(), "open shop", 5), "{asked:?}");
    assert_eq!(asked[3..], ["orientation Portrait", "open shop --relaunch"]);
    assert!(told.noted("shop was opened"), "{:?}", told.log);
    // Whatever else goes wrong, or may have landed, is no reason to open anything.
    for code in [Code::UnsupportedOperation, Code::SessionNotFound] {
        let mut refused = Double::new(move |ask| Some(fails(&ask.command, code)));
        assert!(run(&flow_with("appId: shop\n", steps), &mut refused, &RunOptions::default()).is_err());
        assert_eq!(refused.asked().len(), 1, "{code}");
    }
}

#[test]
fn what_must_be_done_in_the_end_is_done_after_a_failure_too() {
    let header = "appId: a\nonFlowComplete: [{tapOn: Log out}]\n";
    let mut host = Double::new(|ask| {
        format!("{:?}", ask.command).contains("Pay").then(|| fails(&ask.command, Code::ElementCovered))
    });
    let failed = run(&flow_with(header, "- tapOn: Pay\n- tapOn: Next"), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!((failed.failure.code, failed.in_cleanup), (Code::ElementCovered, false));
    assert_eq!(host.asked(), ["press anytext~=\"Pay\" first", "press anytext~=\"Log out\" first"]);

    let mut host = Double::new(|ask| Some(fails(&ask.command, Code::ElementCovered)));
    let failed = run(&flow_with(header, "- sleep: 1"), &mut host, &RunOptions::default()).unwrap_err();
    assert!(failed.in_cleanup);
}

#[test]
fn a_condition_that_does_not_come_true_skips_and_a_broken_look_fails() {
    let commands = "- runFlow: {when: {visible: Cookies}, commands: [{tapOn: Accept}]}\n- tapOn: Home";
    let mut host =
        Double::new(|ask| matches!(ask.command, Command::Wait(_)).then(|| fails(&ask.command, Code::WaitTimeout)));
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.asked(), ["wait anytext~=\"Cookies\" visible 7000", "press anytext~=\"Home\" first"]);
    assert!(host.noted("end Skipped"));

    let mut host =
        Double::new(|ask| matches!(ask.command, Command::Wait(_)).then(|| fails(&ask.command, Code::CaptureFailed)));
    let failed = run(&flow(commands), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!(failed.failure.code, Code::CaptureFailed);
}

#[test]
fn a_loop_ends_with_its_condition_with_its_rounds_and_with_the_flows_time() {
    let looks = Rc::new(Cell::new(0));
    let seen = Rc::clone(&looks);
    let mut host = Double::new(move |ask| match &ask.command {
        command @ Command::Wait(_) if common::say(command).starts_with("wait absent") => {
            seen.set(seen.get() + 1);
            (seen.get() > 3).then(|| fails(command, Code::WaitTimeout))
        }
        _ => None,
    });
    let commands = "- repeat: {while: {notVisible: Ready}, commands: [{tapOn: Refresh}]}";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.asked().iter().filter(|said| said.starts_with("press")).count(), 3);
    assert!(host.noted("ended after 3 rounds: the element is visible"));

    let mut host = Double::willing();
    run(
        &flow("- repeat: {times: 2, while: {visible: Ready}, commands: [{tapOn: Refresh}]}"),
        &mut host,
        &RunOptions::default(),
    )
    .unwrap();
    assert_eq!(host.asked().iter().filter(|said| said.starts_with("press")).count(), 2);

    let mut host = Double::willing();
    let failed =
        run(&flow("- repeat: {while: {visible: Ready}, commands: []}"), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!(failed.failure.reason_str(), Some("repeat_without_end"));

    let mut host = Double::willing();
    host.remaining = Duration::ZERO;
    let failed = run(&flow("- tapOn: A"), &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!(failed.failure.reason_str(), Some("flow_limit_passed"));
    assert!(host.asks.is_empty());
}

#[test]
fn assertions_fail_with_what_was_seen() {
    let mut host =
        Double::new(|ask| matches!(ask.command, Command::Wait(_)).then(|| fails(&ask.command, Code::WaitTimeout)));
    for commands in ["- assertVisible: A", "- assertNotVisible: A", "- extendedWaitUntil: {visible: A, timeout: 10}"] {
        let failed = run(&flow(commands), &mut host, &RunOptions::default()).unwrap_err();
        assert_eq!(failed.failure.code, Code::WaitTimeout, "{commands}");
        assert_eq!(failed.failure.details["dispatched"], "no");
    }
}

#[test]
fn a_screen_that_never_rests_is_said_and_no_failure() {
    let mut host =
        Double::new(|ask| matches!(ask.command, Command::Wait(_)).then(|| fails(&ask.command, Code::WaitTimeout)));
    run(&flow("- waitForAnimationToEnd: {timeout: 900}"), &mut host, &RunOptions::default()).unwrap();
    assert!(host.noted("not at rest after 900 ms"));
}

#[test]
fn all_permissions_are_those_that_the_app_asks_for() {
    let mut host = Double::new(|ask| {
        let said = common::say(&ask.command);
        (said.starts_with("permission") && !said.ends_with("camera")).then(|| {
            let failure = Failure::new(Code::CommandFailed, "not asked for").reason("permission_not_requested");
            Err(Disclosed::seal(failure, Some(ask.command.effect()), Sends::NONE))
        })
    });
    run(&flow("- setPermissions: {permissions: {all: deny}}"), &mut host, &RunOptions::default()).unwrap();
    assert!(host.noted("all: 1 permissions of the app"));
}

#[test]
fn a_text_that_is_not_there_yet_is_waited_for_and_read_then() {
    let looks = Rc::new(Cell::new(0));
    let seen = Rc::clone(&looks);
    let mut host = Double::new(move |ask| {
        seen.set(seen.get() + u32::from(matches!(ask.command, Command::Get(_))));
        (matches!(ask.command, Command::Get(_)) && seen.get() == 1).then(|| absent(&ask.command))
    });
    run(&flow("- copyTextFrom: {id: order, optional: true}"), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(
        host.asked(),
        ["get text id~=\"order\" first", "wait id~=\"order\" first 7000", "get text id~=\"order\" first"]
    );
}

#[test]
fn an_app_that_is_not_open_is_stopped_already() {
    let mut host =
        Double::new(|ask| matches!(ask.command, Command::Close(_)).then(|| fails(&ask.command, Code::SessionNotFound)));
    run(&flow("- stopApp\n- clearState"), &mut host, &RunOptions::default()).unwrap();
    assert!(host.noted("nothing is open"));
}

#[test]
fn nothing_can_be_seen_of_an_app_that_the_flow_has_closed() {
    let mut host = Double::willing();
    run(&flow("- launchApp\n- killApp\n- assertNotVisible: Form"), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.asked(), ["open com.example.shop --relaunch", "close"]);
}

#[test]
fn an_element_may_say_that_the_step_is_optional() {
    let mut host = Double::new(|ask| Some(fails(&ask.command, Code::WaitTimeout)));
    let commands = "- scrollUntilVisible: {element: {id: x, optional: true}}\n\
                    - extendedWaitUntil: {visible: {text: A, optional: true}, timeout: 5}";
    run(&flow(commands), &mut host, &RunOptions::default()).unwrap();
    assert_eq!(host.log.iter().filter(|line| line.contains("end Warned")).count(), 2);
}

#[test]
fn nothing_to_paste_is_said() {
    let failed = run(&flow("- pasteText"), &mut Double::willing(), &RunOptions::default()).unwrap_err();
    assert!(failed.failure.message.contains("nothing to paste"));
}

#[test]
fn steps_nest_in_the_report_and_name_their_own_files() {
    let flow = read(&[
        ("main.yaml", "appId: a\n---\n- runFlow:\n    file: inner.yaml\n    label: The inner one\n"),
        ("inner.yaml", "appId: a\n---\n# a line\n- tapOn: Pay\n"),
    ])
    .unwrap();
    let mut host = Double::new(|ask| Some(fails(&ask.command, Code::ElementCovered)));
    let failed = run(&flow, &mut host, &RunOptions::default()).unwrap_err();
    assert_eq!((failed.place.file.as_str(), failed.place.line), ("inner.yaml", 4));
    assert_eq!(
        host.log,
        [
            "begin 3 The inner one",
            "  begin 4 tapOn: Pay",
            "  end Failed ELEMENT_COVERED: it went wrong",
            "end Failed ELEMENT_COVERED: it went wrong",
        ]
    );
}
