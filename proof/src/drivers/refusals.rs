//! What must not be pressed or typed into. Each is refused before anything reaches the app.

use contract::{Expected, Request};
use stage::{FaultKind, Operation};

use super::Driver;
use crate::{seen::Seen, world::World};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonRefusalSelectorInvalid, |world| { refused(world, "press 'lable=Save'").await }),
    driver!(DaemonRefusalAbsent, |world| { refused(world, "press 'label=\"Nowhere\"'").await }),
    driver!(DaemonRefusalAmbiguous, |world| {
        let seen = refused(world, "press 'label=Twin'").await;
        let candidates = seen.told.detail("candidates").as_array().map(Vec::len);
        assert_eq!(candidates, Some(2), "names both: {:#}", seen.told.error);
        seen
    }),
    driver!(DaemonRefusalRefNotIssued, |world| { refused(world, "press @e4711").await }),
    driver!(DaemonRefusalRefExpired, |world| {
        let session = world.on_ground().await;
        let save = reference(&session.does("snapshot -i").await, "Save");
        session.does("press id=leave").await;
        let before = session.landed();
        session.fails(&format!("press {save}")).await.and(session.landed() - before, 1)
    }),
    driver!(DaemonRefusalRefChanged, |world| {
        let session = world.on_ground().await;
        let shown = session.does("snapshot -i").await;
        let pinned = format!("{}~s{}", reference(&shown, "First name"), shown["refsGeneration"]);
        session.does("press id=renames").await;
        let before = session.landed();
        session.fails(&format!("press {pinned}")).await.and(session.landed() - before, 1)
    }),
    driver!(DaemonRefusalIdentityMismatch, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let was = Expected { role: Some("checkbox".into()), label: Some("Leave".into()), ..Expected::default() };
        let request = session.request("press id=save");
        // What is there and is something else is not waited for.
        let request = Request { expect: vec![was], readiness_timeout_ms: Some(2_000), ..request };
        let told = session.fails_at(&request).await;
        assert!(told.message().contains(r#"[checkbox] "Leave""#), "tells what it was: {:#}", told.error);
        assert_eq!(told.detail("found")["label"], "Save", "and what it is: {:#}", told.error);
        assert!(told.detail("readiness").is_null(), "{:#}", told.error);
        told.and(session.landed() - before, 1)
    }),
    driver!(DaemonRefusalOffscreen, |world| { refused(world, "press id=outside").await }),
    driver!(DaemonRefusalCovered, |world| {
        let seen = refused(world, "press id=under").await;
        assert!(
            seen.told.message().contains("Banner") || seen.told.message().contains("This lies over"),
            "{:#}",
            seen.told.error
        );
        seen
    }),
    driver!(DaemonRefusalDisabled, |world| { refused(world, "fill id=off text").await }),
    driver!(DaemonRefusalNotEditable, |world| { refused(world, "fill id=save text").await }),
    driver!(DaemonRefusalOutsideViewport, |world| { refused(world, "press 4000 20").await }),
    driver!(DaemonRefusalNoSize, |world| { refused(world, "press id=ghost").await }),
    driver!(DaemonRefusalNoFocus, |world| { refused(world, "type hello").await }),
    driver!(DaemonRefusalSparseCapture, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.fault(Operation::Capture, FaultKind::EmptyCapture);
        session.fails("press id=save").await.and(session.landed() - before, 1)
    }),
    driver!(DaemonRefusalUploadFileMissing, |world| {
        // Before the browser is asked anything: a session on any device that takes files will do.
        let site = crate::site::Site::with("<input type=file id=f aria-label=File onchange=\"hit('chosen')\">").await;
        let session = world.session("web");
        session.does(&format!("open {}", site.url)).await;
        let told = session.fails("upload id=f /no/such/file").await;
        told.and(site.hits("chosen"), 1)
    }),
    driver!(DaemonReadOnlyCommand, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        // Found out only after the picture was taken, by code that classifies nothing; the program would look before.
        let folder = world.folder().join("gone");
        let shot = session.request(&format!("screenshot --out {}", folder.join("x.png").display()));
        let told = session.fails_at(&shot).await;
        told.and(session.landed() - before, 0)
    }),
    driver!(DaemonIsPredicateFailed, |world| {
        let session = world.on_ground().await;
        session.does("is enabled id=save").await;
        session.fails("is disabled id=save").await.and(0, 0)
    }),
];

/// One press, fill or text that must be refused on the ground app.
async fn refused(world: &World, line: &str) -> Seen {
    let session = world.on_ground().await;
    let before = session.landed();
    session.fails(line).await.and(session.landed() - before, 1)
}

/// The ref under which a snapshot shows a name.
fn reference(snapshot: &serde_json::Value, name: &str) -> String {
    let nodes = snapshot["nodes"].as_array().unwrap_or_else(|| panic!("a snapshot has nodes: {snapshot}"));
    let node = nodes.iter().find(|node| node["label"] == name || node["name"] == name);
    let node = node.unwrap_or_else(|| panic!("{name:?} is not shown: {snapshot}"));
    let reference = node["ref"].as_str().unwrap_or_else(|| panic!("a ref: {node}"));
    format!("@{}", reference.trim_start_matches('@'))
}
