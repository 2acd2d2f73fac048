//! The ledger of a request whose operations run at the same time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::sync::Arc;

use contract::{Effect, Row, Sends};
use schedules::{explore, ledger::Ledger};
use shuttle::{sync::Mutex, thread};
use wire::NotSent;

/// Real proof that nothing was sent, as only the crate that sends can make it.
#[allow(clippy::expect_used, reason = "a part of the tests below")]
fn proof() -> NotSent {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let context = wire::Context::with_limit(std::time::Duration::from_secs(1));
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let opening = async { Err::<tokio::io::DuplexStream, _>(refused) };
        wire::Channel::connect(&context, Row::ALL[0], opening).await.expect_err("a connection that was refused")
    })
}

/// One send that returned and one that was lost.
fn sends(ledger: &Ledger) {
    ledger.begin(Effect::Mutates).completed();
    ledger.begin(Effect::Mutates).lost();
}

#[test]
fn in_no_schedule_is_a_send_that_was_seen_taken_back() {
    let schedules = explore::all(200_000, || {
        let ledger = Ledger::default();
        let sending = {
            let ledger = ledger.clone();
            thread::spawn(move || sends(&ledger))
        };
        let before = ledger.sends();
        let now = ledger.sends();
        assert!(now.completed >= before.completed && now.completed + now.open <= 2, "{now:?} after {before:?}");
        assert!(now.any() || !before.any(), "what may have landed did not: {now:?} after {before:?}");
        sending.join().unwrap();
        assert_eq!(ledger.sends(), Sends { completed: 1, open: 1 });
    });
    assert!((10..200_000).contains(&schedules), "every one of {schedules} schedules");
}

#[test]
fn operations_at_the_same_time_are_counted_once_each() {
    let proof = Arc::new(proof());
    explore::many(3_000, move || {
        let ledger = Ledger::default();
        let sending: Vec<_> = (0..2)
            .map(|_| {
                let ledger = ledger.clone();
                thread::spawn(move || sends(&ledger))
            })
            .collect();
        let refused = {
            let (ledger, proof) = (ledger.clone(), proof.clone());
            thread::spawn(move || {
                let ticket = ledger.begin(Effect::Mutates);
                drop(ledger.begin(Effect::Observes));
                ticket.not_sent(&proof);
            })
        };
        let seen = ledger.sends();
        assert!(seen.completed + seen.open <= 5, "{seen:?}");
        sending.into_iter().for_each(|one| one.join().unwrap());
        refused.join().unwrap();
        assert_eq!(ledger.sends(), Sends { completed: 2, open: 2 });
    });
}

/// The explorer is trusted after it was seen to find something: a count that is read under one lock and written under
/// another.
#[test]
#[should_panic(expected = "a count was lost")]
fn a_lock_that_is_let_go_between_reading_and_writing_is_found() {
    explore::many(500, || {
        let count = Arc::new(Mutex::new(0));
        let counting: Vec<_> = (0..2)
            .map(|_| {
                let count = count.clone();
                thread::spawn(move || {
                    let read = *count.lock().unwrap();
                    *count.lock().unwrap() = read + 1;
                })
            })
            .collect();
        counting.into_iter().for_each(|one| one.join().unwrap());
        assert_eq!(*count.lock().unwrap(), 2, "a count was lost");
    });
}
