//! Opening, closing, the fixed devices, pictures.

use std::sync::Arc;

use backend::{CheckStatus, Input, Provider};
use contract::command::Open;
use contract::{Capability, Code, Row};
use stage::StageProvider;

use crate::rig::{context, elements, open_named};

#[tokio::test(start_paused = true)]
async fn the_demo_opens_when_nothing_is_named() {
    let provider = StageProvider::new();
    let device = provider.open(&context(), "stage", &Open::default()).await.unwrap();
    let tree = device.capture(&context(), 1000).await.unwrap();
    assert_eq!((tree.app.as_deref(), tree.title.as_deref()), (Some("demo"), Some("Field Notes")));
}

#[tokio::test(start_paused = true)]
async fn only_stage_apps_are_opened_here_and_only_the_fixed_devices_are_exclusive() {
    let provider = StageProvider::new();
    assert!(provider.opens("demo") && provider.opens("/some/app.toml"));
    assert!(!provider.opens("http://localhost/") && !provider.opens("com.example.app"));
    assert_eq!(["stage", "stage-1", "stage-2"].map(|device| provider.exclusive(device)), [false, true, true]);
    assert_eq!(provider.devices().await.len(), 3);
    assert!(provider.capabilities("stage-2").is_some() && provider.capabilities("pixel").is_none());
    let failure = provider.open(&context(), "pixel", &Open::default()).await.unwrap_err();
    assert_eq!(failure.code, Code::DeviceNotFound);
}

#[tokio::test(start_paused = true)]
async fn two_sessions_have_two_apps() {
    let provider = StageProvider::new();
    let one = provider.open(&context(), "stage", &Open::default()).await.unwrap();
    let two = provider.open(&context(), "stage", &Open::default()).await.unwrap();
    let keys = |tree: screen::Tree| tree.nodes().first().and_then(|node| node.key).unwrap();
    assert_ne!(keys(one.capture(&context(), 10).await.unwrap()), keys(two.capture(&context(), 10).await.unwrap()));
    one.perform(&context(), Input::Back).await.unwrap();
    let logs: Vec<usize> = provider.probes("stage").iter().map(|probe| probe.log().len()).collect();
    assert_eq!(logs, [1, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_file_is_refused_before_anything_is_sent() {
    let provider = StageProvider::new();
    let open = Open { app: Some("/nowhere/app.toml".into()), ..Open::default() };
    let request = context();
    let failure = provider.open(&request, "stage", &open).await.unwrap_err();
    assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::StageScriptInvalid));
    assert_eq!((failure.code, request.ledger.sends().any()), (Code::OpenFailed, false));
    assert!(failure.message.contains("/nowhere/app.toml"));
}

#[tokio::test(start_paused = true)]
async fn navigating_opens_another_app_in_the_same_session() {
    let rig = elements("{ role = \"text\", id = \"t\", label = \"T\" }", "").await;
    let old = rig.key("t").await;
    rig.perform(Input::Navigate { address: "demo".into(), load_timeout_ms: 1000 }).await;
    assert_eq!(rig.tree().await.app.as_deref(), Some("demo"));
    assert!(matches!(rig.device.aim(&context(), old).await.unwrap(), Some(backend::Aimed::Gone)));
    let request = context();
    let (failure, sends) =
        rig.fails(&request, Input::Navigate { address: "/nowhere.toml".into(), load_timeout_ms: 1000 }).await;
    assert_eq!((failure.claim().map(|claim| claim.row), sends.any()), (Some(Row::StageScriptInvalid), false));
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_app_and_what_comes_later_is_refused() {
    let rig = open_named("demo").await;
    let request = context();
    rig.device.close(&request).await.unwrap();
    tokio::task::yield_now().await;
    assert!(rig.probe.closed() && rig.probe.over());
    let (failure, sends) = rig.fails(&context(), Input::Back).await;
    assert_eq!((failure.code, sends.any()), (Code::SessionLost, false));
    rig.device.close(&context()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_app_that_nobody_holds_any_more_ends() {
    let rig = open_named("demo").await;
    let probe = rig.probe.clone();
    drop(rig);
    tokio::task::yield_now().await;
    assert!(probe.over() && !probe.closed(), "nobody told it to");
}

#[tokio::test(start_paused = true)]
async fn what_it_cannot_do_is_refused_with_the_reason() {
    let rig = open_named("demo").await;
    let key = rig.key("menu").await;
    let (failure, sends) = rig.fails(&context(), Input::Upload { node: key, files: Vec::new() }).await;
    assert_eq!((failure.code, sends.any()), (Code::UnsupportedOperation, false));
    assert!(failure.message.contains("file"), "{}", failure.message);
    for capability in [Capability::Upload, Capability::Downloads, Capability::Windows, Capability::MouseButtons] {
        assert!(rig.device.capabilities().reason(capability).is_some(), "{capability:?}");
    }
}

#[tokio::test]
async fn a_picture_is_a_png_at_the_apps_scale() {
    let rig = open_named("demo").await;
    let picture = rig.device.screenshot(&context(), false).await.unwrap();
    assert_eq!(picture.scale, 2.0);
    assert_eq!(picture.png.get(..8), Some(b"\x89PNG\r\n\x1a\n".as_slice()));
    let side = |from: usize| picture.png.get(from..from + 4).map(|bytes| u32::from_be_bytes(bytes.try_into().unwrap()));
    assert_eq!((side(16), side(20)), (Some(780), Some(1560)));
}

#[tokio::test]
async fn doctor_starts_the_app_that_is_built_in() {
    let checks = StageProvider::new().doctor().await;
    assert!(checks.iter().all(|check| check.status == CheckStatus::Pass), "{checks:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_devices_run_side_by_side() {
    let provider = Arc::new(StageProvider::new());
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let provider = provider.clone();
        running.spawn(async move {
            let device = provider.open(&context(), "stage", &Open::default()).await.unwrap();
            for _ in 0..10 {
                device.capture(&context(), 1000).await.unwrap();
                device.perform(&context(), Input::Back).await.unwrap();
            }
        });
    }
    running.join_all().await;
    assert!(provider.probes("stage").iter().all(|probe| probe.log().len() == 10));
}
