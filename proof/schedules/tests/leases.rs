//! Leases: two sessions never have one device.

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

use contract::view::Holder;
use schedules::{explore, leases::Leases};
use shuttle::thread;

fn holder(session: usize) -> Holder {
    Holder { session: session.to_string(), workspace: None, since_ms: 0 }
}

/// Takes the device, holds it for a moment, gives it back; whether it was free.
fn held(leases: &Leases, holders: &AtomicU32, session: usize) -> bool {
    let Ok(lease) = leases.take("stage-1", holder(session)) else { return false };
    assert_eq!(holders.fetch_add(1, SeqCst), 0, "two sessions have one device");
    assert_eq!(leases.holder("stage-1").unwrap().session, session.to_string());
    holders.fetch_sub(1, SeqCst);
    drop(lease);
    true
}

#[test]
fn in_no_schedule_do_two_sessions_have_one_device() {
    let schedules = explore::all(300_000, || {
        let (leases, holders) = (Leases::default(), Arc::new(AtomicU32::new(0)));
        let other = {
            let (leases, holders) = (leases.clone(), holders.clone());
            thread::spawn(move || held(&leases, &holders, 1))
        };
        let one = held(&leases, &holders, 0);
        let other = other.join().unwrap();
        assert!(one || other, "a free device is refused to nobody");
        assert!(leases.holder("stage-1").is_none(), "what was given back is free");
    });
    assert!((4..300_000).contains(&schedules), "every one of {schedules} schedules");
}

#[test]
fn four_sessions_take_and_give_back_one_device() {
    explore::many(2_000, || {
        let (leases, holders) = (Leases::default(), Arc::new(AtomicU32::new(0)));
        let taking: Vec<_> = (0..4)
            .map(|session| {
                let (leases, holders) = (leases.clone(), holders.clone());
                thread::spawn(move || (0..2).filter(|_| held(&leases, &holders, session)).count())
            })
            .collect();
        let taken: usize = taking.into_iter().map(|one| one.join().unwrap()).sum();
        assert!(taken >= 1);
        assert!(leases.take("stage-1", holder(9)).is_ok());
    });
}
