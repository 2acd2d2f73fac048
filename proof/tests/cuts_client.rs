//! A share of the faults between clients and the daemon: `cargo run -p proof -- cut client` tries all of them.

use std::sync::Arc;

use proof::{
    cuts::{Plan, Share, client},
    recorder::Recorder,
};

#[tokio::test(flavor = "multi_thread")]
async fn whatever_becomes_of_the_line_to_the_daemon_the_five_promises_hold() {
    let plan =
        Plan { share: Share::Some { places: 4, seed: 4 }, operation: None, kept: Arc::default(), progress: |_| {} };
    let recorder = Recorder::default();
    let tally = client::campaign(&plan, &recorder, |_| true).await;
    assert_eq!(tally.broken(), [] as [String; 0]);
    assert_eq!(recorder.objections(), Vec::<String>::new());
    let lines = tally.lines();
    let sum = |of: fn(&cut::Line) -> u64| lines.iter().map(of).sum::<u64>();
    // Each way to end was there, or the share shows nothing.
    assert!(
        sum(|line| line.injected) >= 500 && sum(|line| line.done) > 0 && sum(|line| line.resolved) > 0,
        "{lines:?}"
    );
    assert!(sum(|line| line.no) > 0 && sum(|line| line.unknown) > 0, "{lines:?}");
}
