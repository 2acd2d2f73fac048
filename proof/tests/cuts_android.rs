//! Every operation of the Android backend under faults of its line to the adb server.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{collections::BTreeSet, sync::Arc};

use android::abilities;
use contract::{
    Effect,
    command::{SPECS, Spec},
};
use proof::cuts::{
    Plan, Share,
    android::{
        self as campaign,
        operations::{ELSEWHERE, NOT_HERE, OPERATIONS},
    },
};

/// A share of the campaign: a minute. All of it: `cargo run --release -p proof -- cut android`.
#[tokio::test(flavor = "multi_thread")]
async fn a_cut_line_to_the_adb_server_breaks_no_promise() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return;
    }
    // One for each kind of exchange: touches, text, the clipboard, the shell, files.
    let some = ["press", "fill", "clipboard write", "settings wifi", "push"];
    let operations = OPERATIONS.iter().filter(|operation| some.contains(&operation.name)).collect();
    let share = Share::Some { places: 4, seed: 20 };
    let plan = Plan { share, operation: None, kept: Arc::default(), progress: |line| println!("{line}") };
    let found = campaign::over(&plan, operations).await;
    assert_eq!(found.broken, Vec::<String>::new());
    for name in some {
        let line = found.figures.lines.iter().find(|line| line.operation == name);
        assert!(line.is_some_and(|line| line.injected >= 8), "{name}: too few faults struck: {line:?}");
    }
}

/// Whatever may change a device is cut, or it is said why it is not.
#[test]
fn every_command_that_may_change_a_device_is_cut() {
    let may = |spec: &&Spec| spec.effect != Effect::Observes;
    let commands: BTreeSet<_> = SPECS.iter().filter(may).map(|spec| spec.name).collect();
    let cut: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.command).collect();
    let excepted: BTreeSet<_> = NOT_HERE.iter().copied().chain(ELSEWHERE.iter().map(|(name, _)| *name)).collect();
    let missing: Vec<_> = commands.iter().filter(|name| !cut.contains(*name) && !excepted.contains(*name)).collect();
    assert!(missing.is_empty(), "neither cut nor excepted: {missing:?}");
    let both: Vec<_> = cut.intersection(&excepted).collect();
    assert!(both.is_empty(), "cut and excepted: {both:?}");
    let unknown: Vec<_> = cut.union(&excepted).filter(|name| !SPECS.iter().any(|spec| spec.name == **name)).collect();
    assert!(unknown.is_empty(), "no commands: {unknown:?}");
}

/// What is said not to be possible here is refused before anything is sent.
#[test]
fn what_is_not_cut_because_android_cannot_do_it_is_something_that_android_cannot_do() {
    let capabilities = abilities::all();
    for name in NOT_HERE {
        let spec = SPECS.iter().find(|spec| spec.name == *name).unwrap();
        let cannot =
            |needs: &contract::Capability| capabilities.cannot.iter().any(|missing| missing.capability == *needs);
        assert!(spec.requires.iter().any(cannot), "{name} is not refused");
    }
}

#[test]
fn operations_have_names_of_their_own() {
    let names: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.name).collect();
    assert_eq!(names.len(), OPERATIONS.len());
}
