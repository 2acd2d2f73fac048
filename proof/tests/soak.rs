//! A share of load, leak and death: `cargo run -p proof -- soak` and `soak --kill` do all of it.

use proof::soak::{self, Plan, deaths};

/// Long enough a series for a growth to be seen in it, and for everything that the daemon keeps of late results to be full
/// by the second half: 800 commands in each of 25 sessions, after 8 rounds of opening and closing them.
#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_holds_no_more_in_the_second_half_than_in_the_first() {
    // 300 bytes a command, or it is the allocator's own.
    let plan = Plan { sessions: 25, commands: 20_000, rounds: 8, seed: 2, growth_kib: 3 << 10, progress: |_| {} };
    let found = soak::run(&plan).await;
    assert!(found.holds(), "{:?}\n{:#?}", found.wrong, found.measures.lines);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_dies_around_a_session_nothing_is_done_twice_and_nothing_is_left() {
    let there = |without: &str| std::env::var_os(without).is_none();
    let browsers = if there("AGENT_DEVICE_TEST_WITHOUT_BROWSER") { 2 } else { 0 };
    let android = there("AGENT_DEVICE_TEST_WITHOUT_ANDROID");
    if browsers == 0 && !android {
        return;
    }
    let plan = deaths::Plan { browsers, android, deaths: 4, seed: 3, progress: |_| {} };
    let found = deaths::run(&plan).await;
    assert_eq!(found.broken, Vec::<String>::new());
    let killed: u64 = found.figures.lines.iter().map(|line| line.injected).sum();
    assert!(killed >= 3, "{:?}", found.figures.lines);
}
