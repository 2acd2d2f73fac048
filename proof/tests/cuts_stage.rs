//! A share of the faults between the daemon and the simulated device. All of them:
//! `cargo run --release -p proof -- cut stage`.
#![allow(missing_docs, reason = "a test")]

use std::{collections::BTreeSet, sync::Arc};

use contract::{
    Effect,
    command::{SPECS, Spec},
};
use proof::{
    cuts::{
        Plan, Share,
        stage::{
            self,
            operations::{ELSEWHERE, OPERATIONS},
        },
    },
    resolve::{GOAL, certain},
};

fn plan(places: usize) -> Plan {
    Plan { share: Share::Some { places, seed: 11 }, operation: None, kept: Arc::default(), progress: |_| {} }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_of_the_simulated_device_breaks_no_promise() {
    let found = stage::run(&plan(8)).await;
    assert_eq!(found.broken, Vec::<String>::new());
    let lines = &found.figures.lines;
    assert_eq!(lines.len(), OPERATIONS.len());
    for (what, count) in [
        ("done", lines.iter().map(|line| line.done).sum::<u64>()),
        ("resolved", lines.iter().map(|line| line.resolved).sum()),
        ("no", lines.iter().map(|line| line.no).sum()),
        ("unknown", lines.iter().map(|line| line.unknown).sum()),
    ] {
        assert!(count > 20, "hardly any fault ended so: {count} {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_replies_of_a_simulated_device_that_is_well_end_in_a_certain_answer() {
    let found = proof::resolve::stage::run(&Plan { share: Share::Every { seed: 1 }, ..plan(0) }).await;
    assert_eq!(found.broken, Vec::<String>::new());
    assert!(certain(&found.figures) >= GOAL, "{:#?}", found.figures.lines);
}

/// Whatever may change a device is struck, or it is said why it is not.
#[test]
fn every_command_that_may_change_a_device_is_struck() {
    let may = |spec: &&Spec| spec.effect != Effect::Observes;
    let commands: BTreeSet<_> = SPECS.iter().filter(may).map(|spec| spec.name).collect();
    let struck: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.command).collect();
    let excepted: BTreeSet<_> = ELSEWHERE.iter().map(|(name, _)| *name).collect();
    let missing: Vec<_> = commands.iter().filter(|name| !struck.contains(*name) && !excepted.contains(*name)).collect();
    assert!(missing.is_empty(), "neither struck nor excepted: {missing:?}");
    let both: Vec<_> = struck.intersection(&excepted).collect();
    assert!(both.is_empty(), "struck and excepted: {both:?}");
    let unknown: Vec<_> =
        struck.union(&excepted).filter(|name| !SPECS.iter().any(|spec| spec.name == **name)).collect();
    assert!(unknown.is_empty(), "no commands: {unknown:?}");
}
