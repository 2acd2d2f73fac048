//! What the simulation found, each as the few steps that were left of it. All of them broke a promise once.

use contract::{
    Command, Target,
    command::{
        AfterArgs, Back, Batch, Close, Open, Press, SettleArgs, Snapshot, Step as BatchStep, StepCall, Steps, Wait,
        WaitFor,
    },
    words::Words,
};
use simulate::{
    Options, Plan,
    apps::{BENCH, OTHER},
    campaign::{Place, quiet_panics},
    plan::{Act, Manner, Numbered, RefUse, Step},
};
use stage::{Fault, FaultKind, Operation};

/// One client in one session that takes these steps; what is wrong then.
fn wrong(steps: Vec<Step>) -> Vec<String> {
    quiet_panics();
    let numbered = steps.into_iter().zip(0..).map(|(step, number)| Step { number, ..step }).collect();
    let plan = Plan { seed: 1, clients: vec![numbered] };
    let outcome = Place::new().run(&plan, Options { trace: true, lie: None });
    let findings: Vec<_> = outcome.findings.iter().map(ToString::to_string).collect();
    if findings.is_empty() { findings } else { [findings, outcome.trace].concat() }
}

fn act(act: Act) -> Step {
    Step {
        number: 0,
        session: 0,
        device: None,
        pause_ms: 10,
        act,
        manner: Manner::Wait,
        timeout_ms: None,
        readiness_ms: None,
        faults: Vec::new(),
        pieces: None,
        salt: 1,
    }
}

fn ask(command: Command) -> Step {
    act(Act::Ask(Box::new(command)))
}

fn open(app: &str, relaunch: bool) -> Step {
    ask(Command::Open(Open { app: Some(app.to_owned()), relaunch, ..Open::default() }))
}

fn within(timeout_ms: u64, step: Step) -> Step {
    Step { timeout_ms: Some(timeout_ms), ..step }
}

fn under(fault: Fault, step: Step) -> Step {
    Step { faults: vec![Numbered { number: 1_000, fault }], ..step }
}

fn batch(commands: Vec<Command>) -> Step {
    let call = |command: Command| {
        BatchStep::Call(StepCall { command: command.spec().name.to_owned(), args: command.to_args() })
    };
    ask(Command::Batch(Batch { steps: Some(Steps(commands.into_iter().map(call).collect())), steps_file: None }))
}

fn close(all: bool) -> Command {
    Command::Close(Close { all })
}

fn back() -> Command {
    Command::Back(Back { settle: SettleArgs::default() })
}

fn opening() -> Command {
    Command::Open(Open { app: Some(BENCH.to_owned()), ..Open::default() })
}

#[test]
fn a_close_stands_in_the_timeline_of_the_session_that_it_ends() {
    assert_eq!(wrong(vec![open(BENCH, false), ask(close(false))]), [""; 0]);
    assert_eq!(wrong(vec![open(BENCH, false), ask(close(true))]), [""; 0]);
    assert_eq!(wrong(vec![open(BENCH, false), batch(vec![back(), close(false)])]), [""; 0]);
    let fails_afterwards = vec![opening(), close(false), back()];
    assert_eq!(wrong(vec![batch(fails_afterwards)]), [""; 0]);
}

#[test]
fn a_close_of_all_that_panics_or_blocks_is_told_in_time_and_in_the_timeline() {
    let panics = Fault::new(Operation::Close, FaultKind::Panic).nth(1);
    assert_eq!(wrong(vec![open(BENCH, false), under(panics, ask(close(true)))]), [""; 0]);
    let blocks = Fault::new(Operation::Close, FaultKind::Delay).nth(1).ms(9_000);
    assert_eq!(wrong(vec![open(BENCH, false), within(100, under(blocks, ask(close(true))))]), [""; 0]);
}

#[test]
fn a_ref_of_the_app_before_names_nothing_in_the_one_after() {
    let snapshot = || ask(Command::Snapshot(Snapshot::default()));
    for pinned in [false, true] {
        for pick in 0..12 {
            let press = || act(Act::AtRef { pick, with: RefUse::Press(1), pinned });
            assert_eq!(wrong(vec![open(BENCH, false), snapshot(), open(OTHER, true), press()]), [""; 0]);
            let anew = vec![open(BENCH, false), snapshot(), ask(close(false)), open(OTHER, false), press()];
            assert_eq!(wrong(anew), [""; 0]);
        }
    }
}

#[test]
fn looks_that_are_made_in_any_case_are_made_within_the_limit() {
    let settle = SettleArgs { settle: true, settle_quiet_ms: Some(60), settle_timeout_ms: Some(700) };
    let settled = ask(Command::Back(Back { settle }));
    assert_eq!(wrong(vec![open(BENCH, false), within(1, settled)]), [""; 0]);
    let stable = WaitFor::Stable { quiet_ms: Some(100), timeout_ms: Some(0) };
    let wait = ask(Command::Wait(Wait { words: Words(stable) }));
    assert_eq!(wrong(vec![open(BENCH, false), within(1, wait)]), [""; 0]);
}

#[test]
fn the_closing_of_a_relaunch_is_one_step() {
    let refused = Fault::new(Operation::Open, FaultKind::Refuse);
    assert_eq!(wrong(vec![open(BENCH, false), under(refused, open(BENCH, true))]), [""; 0]);
}

#[test]
fn what_is_asked_here_is_really_asked() {
    // The other tests here would pass in a harness that does nothing: this one says that it does something.
    let target = Target::Selector { selector: "id=off".to_owned() };
    let press = Press {
        target: Words(target),
        count: None,
        interval_ms: None,
        hold_ms: None,
        double_tap: false,
        button: None,
        after: AfterArgs::default(),
    };
    let plan =
        Plan { seed: 1, clients: vec![vec![open(BENCH, false), Step { number: 1, ..ask(Command::Press(press)) }]] };
    let outcome = Place::new().run(&plan, Options { trace: true, lie: None });
    let told = |of: &str| outcome.trace.iter().any(|line| line.contains(of));
    assert!(told("hears Done") && told("daemon.refusal.disabled"), "{:#?}", outcome.trace);
}
