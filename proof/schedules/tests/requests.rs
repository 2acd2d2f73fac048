//! Request ids: the same one from several connections at once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

use contract::{Command, Effect, Request, Response, command::Home, request::Answer};
use schedules::{
    explore,
    requests::{Asked, Requests, Seen, result_of},
};
use shuttle::{future::block_on, thread};

fn request(id: &str) -> Request {
    Request::new(id, &Command::Home(Home::default()))
}

/// Asks as a connection does: runs it if nobody has, else waits for the result.
#[allow(clippy::expect_used, reason = "a part of the tests below")]
fn answered(requests: &Requests, id: &str, runs: &AtomicU32, effect: Effect) -> Option<Response> {
    match requests.begin(&request(id)) {
        Ok(Seen::New) => {
            let run = runs.fetch_add(1, SeqCst);
            let response = Ok(Answer::new(run.into(), "ran"));
            thread::yield_now();
            requests.finish(id, Some(effect), &response);
            Some(response)
        }
        Ok(Seen::Again(receiver)) => {
            Some(block_on(result_of(receiver)).expect("a request that was begun has a result"))
        }
        Err(_) => None,
    }
}

#[test]
fn the_same_id_from_three_connections_runs_once_and_all_hear_the_same() {
    explore::many(3_000, || {
        let (requests, runs) = (Arc::new(Requests::default()), Arc::new(AtomicU32::new(0)));
        let asking: Vec<_> = (0..3)
            .map(|_| {
                let (requests, runs) = (requests.clone(), runs.clone());
                thread::spawn(move || answered(&requests, "a", &runs, Effect::Mutates).unwrap().unwrap().data)
            })
            .collect();
        for one in asking {
            assert_eq!(one.join().unwrap(), 0);
        }
        assert_eq!(runs.load(SeqCst), 1);
    });
}

#[test]
fn every_schedule_of_two_connections_runs_it_once() {
    let schedules = explore::all(200_000, || {
        let (requests, runs) = (Arc::new(Requests::default()), Arc::new(AtomicU32::new(0)));
        let other = {
            let (requests, runs) = (requests.clone(), runs.clone());
            thread::spawn(move || answered(&requests, "a", &runs, Effect::Mutates).unwrap().unwrap().data)
        };
        assert_eq!(answered(&requests, "a", &runs, Effect::Mutates).unwrap().unwrap().data, 0);
        assert_eq!(other.join().unwrap(), 0);
        assert_eq!(runs.load(SeqCst), 1);
    });
    assert!((4..200_000).contains(&schedules), "every one of {schedules} schedules");
}

#[test]
fn a_look_asked_for_twice_may_run_twice_and_nobody_is_left_waiting() {
    explore::many(3_000, || {
        let (requests, runs) = (Arc::new(Requests::default()), Arc::new(AtomicU32::new(0)));
        let asking: Vec<_> = (0..3)
            .map(|_| {
                let (requests, runs) = (requests.clone(), runs.clone());
                thread::spawn(move || answered(&requests, "a", &runs, Effect::Observes))
            })
            .collect();
        assert!(asking.into_iter().all(|one| one.join().unwrap().is_some()));
        assert!((1..=3).contains(&runs.load(SeqCst)));
    });
}

#[test]
fn one_id_for_two_commands_goes_to_the_first_and_the_other_is_refused() {
    explore::many(3_000, || {
        let requests = Arc::new(Requests::default());
        let begun: Vec<_> = ["home", "back"]
            .map(|command| {
                let requests = requests.clone();
                thread::spawn(move || requests.begin(&Request { command: command.into(), ..request("a") }).is_ok())
            })
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect();
        assert_eq!(begun.iter().filter(|ok| **ok).count(), 1, "{begun:?}");
    });
}

#[test]
fn a_request_that_was_said_never_to_have_been_seen_never_runs() {
    let schedules = explore::all(200_000, || {
        let (requests, runs) = (Arc::new(Requests::default()), Arc::new(AtomicU32::new(0)));
        let late = {
            let (requests, runs) = (requests.clone(), runs.clone());
            thread::spawn(move || answered(&requests, "a", &runs, Effect::Mutates))
        };
        let asked = requests.ask("a");
        let withdrawn = matches!(asked, Asked::Withdrawn);
        if let Asked::Seen(receiver) = asked {
            assert_eq!(block_on(result_of(receiver)).unwrap().unwrap().data, 0);
        }
        assert_eq!(late.join().unwrap().is_none(), withdrawn);
        assert_eq!(runs.load(SeqCst), u32::from(!withdrawn));
    });
    assert!((4..200_000).contains(&schedules), "every one of {schedules} schedules");
}
