//! Waiting for what does not come.

use std::time::Duration;

use contract::Request;
use stage::{FaultKind, Operation};

use super::Driver;

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonReadinessExpired, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let request = Request { readiness_timeout_ms: Some(500), ..session.request("press 'label=\"Nowhere\"'") };
        let told = session.fails_at(&request).await;
        let readiness = told.detail("readiness");
        assert!(readiness["polls"].as_u64() >= Some(2), "looked more than once: {readiness}");
        assert!(readiness["waitedMs"].as_u64() >= Some(500) && readiness["end"] == "expired", "{readiness}");
        told.and(session.landed() - before, 1)
    }),
    driver!(DaemonReadinessSparse, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fault_at(2, Operation::Capture, FaultKind::EmptyCapture);
        let request = Request { readiness_timeout_ms: Some(2000), ..session.request("press 'label=\"Nowhere\"'") };
        let told = session.fails_at(&request).await;
        assert_eq!(told.detail("readiness")["end"], "sparse", "{:#}", told.error);
        told.and(session.landed() - before, 1)
    }),
    driver!(DaemonWaitExpired, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails("wait 'label=\"Nowhere\"' 300").await;
        told.and(session.landed() - before, 0)
    }),
    driver!(StageLookLost, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fault_at(1, Operation::Capture, FaultKind::DropReplyAfterEffect);
        session.fails("press id=save").await.under(contract::Row::StageLookLost);
        session.slow(Operation::Look, FaultKind::LateReply, Duration::from_secs(5));
        let late = session.within(200, "press id=save");
        session.fails_at(&late).await.and(session.landed() - before, 1)
    }),
];
