//! A share of the lost replies of the helper on an Android device. All of them:
//! `cargo run --release -p proof -- resolve android`.
#![allow(missing_docs, reason = "a test")]

use std::sync::Arc;

use proof::{
    cuts::{Plan, Share},
    resolve::{GOAL, android, certain},
};

#[tokio::test(flavor = "multi_thread")]
async fn lost_replies_of_a_helper_that_is_well_end_in_a_certain_answer() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_ANDROID").is_some() {
        return;
    }
    for operation in ["double press", "fill", "back", "scroll"] {
        let share = Share::Some { places: 4, seed: 12 };
        let plan = Plan { share, operation: Some(operation.to_owned()), kept: Arc::default(), progress: |_| {} };
        let found = android::run(&plan).await;
        assert_eq!(found.broken, Vec::<String>::new());
        assert!(certain(&found.figures) >= GOAL, "{:#?}", found.figures.lines);
        let resolved: u64 = found.figures.lines.iter().map(|line| line.resolved).sum();
        assert!(resolved > 0, "the journal was asked: {:#?}", found.figures.lines);
    }
}
