//! Whose turn it is: several requests for one session, some of which give up, while places without a session are forgotten.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use schedules::{explore, sessions::Sessions};
use shuttle::{
    future::{block_on, spawn, yield_now},
    thread,
};
use tokio_util::sync::CancellationToken;
use wire::Context;

/// Takes a turn and holds it for a moment; false where it was given up first.
async fn turn(sessions: Arc<Sessions>, inside: Arc<AtomicU32>, cancel: CancellationToken) -> bool {
    let context = Context { cancel, ..Context::with_limit(Duration::from_secs(5)) };
    let Ok(held) = sessions.slot("a").take(&context).await else { return false };
    assert_eq!(inside.fetch_add(1, SeqCst), 0, "two have one session's turn");
    yield_now().await;
    held.publish();
    yield_now().await;
    inside.fetch_sub(1, SeqCst);
    drop(held);
    true
}

#[test]
fn one_at_a_time_has_a_sessions_turn_also_while_empty_places_are_forgotten() {
    explore::many(2_000, || {
        let (sessions, inside) = (Arc::new(Sessions::default()), Arc::new(AtomicU32::new(0)));
        let pruning = {
            let sessions = sessions.clone();
            thread::spawn(move || {
                for _ in 0..4 {
                    sessions.prune();
                    assert!(sessions.list().is_empty());
                }
            })
        };
        block_on(async {
            let turns: Vec<_> =
                (0..3).map(|_| spawn(turn(sessions.clone(), inside.clone(), CancellationToken::new()))).collect();
            for one in turns {
                assert!(one.await.unwrap(), "nobody gave up");
            }
        });
        pruning.join().unwrap();
        assert_eq!(sessions.in_use(), 0);
        sessions.prune();
        assert_eq!(sessions.in_use(), 0);
    });
}

#[test]
fn a_turn_that_was_given_up_goes_to_the_next_and_nobody_is_counted_as_waiting() {
    explore::many(2_000, || {
        let (sessions, inside) = (Arc::new(Sessions::default()), Arc::new(AtomicU32::new(0)));
        block_on(async {
            let cancels = [CancellationToken::new(), CancellationToken::new()];
            let (first, second) = (cancels[0].clone(), cancels[1].clone());
            let turns = [
                spawn(turn(sessions.clone(), inside.clone(), first)),
                spawn(turn(sessions.clone(), inside.clone(), second)),
                spawn(turn(sessions.clone(), inside.clone(), CancellationToken::new())),
            ];
            let gives_up = spawn(async move {
                for cancel in cancels {
                    cancel.cancel();
                    yield_now().await;
                }
            });
            gives_up.await.unwrap();
            let [first, second, third] = turns;
            first.await.unwrap();
            second.await.unwrap();
            assert!(third.await.unwrap(), "it never gave up");
        });
        assert_eq!((inside.load(SeqCst), sessions.in_use()), (0, 0));
    });
}
