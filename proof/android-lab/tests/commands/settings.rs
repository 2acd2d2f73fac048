use android_lab::Options;
use contract::{
    Row,
    command::{Appearance, Grant, Setting},
};

use crate::rig::{DEMO, Rig, context, demo, refusal, sends, with};

async fn set(rig: &Rig, setting: Setting) -> Vec<String> {
    let changing = context();
    let receipt =
        rig.system.set(&changing, &setting).await.unwrap_or_else(|failure| panic!("{setting:?}: {failure:?}"));
    assert_eq!(sends(&changing), (1, 0), "{setting:?}");
    receipt.warnings
}

#[tokio::test(flavor = "multi_thread")]
async fn every_switch_is_written_and_held() {
    let Some(rig) = demo().await else { return };
    let held = |space: &str, key: &str| rig.device.setting(space, key);
    for on in [false, true] {
        let digit = Some(u8::from(on).to_string());
        set(&rig, Setting::Wifi { on }).await;
        assert_eq!(held("global", "wifi_on"), digit);
        set(&rig, Setting::Airplane { on }).await;
        assert_eq!(held("global", "airplane_mode_on"), digit);
        set(&rig, Setting::Location { on }).await;
        assert_eq!(held("secure", "location_mode").as_deref(), Some(if on { "3" } else { "0" }));
        set(&rig, Setting::Animations { on }).await;
        for scale in ["window_animation_scale", "transition_animation_scale", "animator_duration_scale"] {
            assert_eq!(held("global", scale), digit, "{scale}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_android_is_told_what_its_radios_do() {
    let Some(rig) = with(Options::demo().api(28)).await else { return };
    let warnings = set(&rig, Setting::Airplane { on: true }).await;
    assert_eq!(rig.device.setting("global", "airplane_mode_on").as_deref(), Some("1"));
    assert!(warnings.iter().any(|warning| warning.contains("the radios do not follow")), "{warnings:?}");
    set(&rig, Setting::Location { on: false }).await;
    assert_eq!(rig.device.setting("secure", "location_mode").as_deref(), Some("0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn light_and_dark_and_the_other_one() {
    let Some(rig) = demo().await else { return };
    let night = || async { rig.phone.look(&context(), "cmd uimode night").await.unwrap() };
    for (appearance, expected) in [
        (Appearance::Dark, "Night mode: yes\n"),
        (Appearance::Toggle, "Night mode: no\n"),
        (Appearance::Toggle, "Night mode: yes\n"),
        (Appearance::Light, "Night mode: no\n"),
    ] {
        set(&rig, Setting::Appearance { appearance }).await;
        assert_eq!(night().await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_granted_refused_and_asked_for_again() {
    let Some(rig) = demo().await else { return };
    let camera = |grant| Setting::Permission { grant, permission: "camera".to_owned() };
    let granted = || rig.device.granted(DEMO).contains(&"android.permission.CAMERA".to_owned());
    assert_eq!(set_several(&rig, camera(Grant::Grant)).await, Vec::<String>::new());
    assert!(granted());
    let warnings = set_several(&rig, camera(Grant::Deny)).await;
    assert!(!granted());
    assert!(warnings.iter().any(|warning| warning.contains("Android ended the app")), "{warnings:?}");
    let warnings = set_several(&rig, camera(Grant::Reset)).await;
    assert_eq!(warnings, Vec::<String>::new(), "it held nothing any more");
}

async fn set_several(rig: &Rig, setting: Setting) -> Vec<String> {
    let changing = context();
    let receipt =
        rig.system.set(&changing, &setting).await.unwrap_or_else(|failure| panic!("{setting:?}: {failure:?}"));
    assert_eq!(sends(&changing), (1, 0), "one round trip: {setting:?}");
    receipt.warnings
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_granted_is_refused_before_anything_is_sent() {
    let Some(rig) = demo().await else { return };
    for (permission, row, reason) in [
        ("siri", Row::DaemonProtocolBadArguments, "permission_unknown"),
        ("android.permission.NOT_ASKED_FOR", Row::AndroidSettingRefused, "permission_not_requested"),
    ] {
        let asked = context();
        let setting = Setting::Permission { grant: Grant::Grant, permission: permission.to_owned() };
        let failure = rig.system.set(&asked, &setting).await.unwrap_err();
        assert_eq!(refusal(&failure), (Some(row), Some(reason)), "{permission}");
        assert_eq!(sends(&asked), (0, 0));
    }
    let asked = context();
    let setting = Setting::ClearAppState { app: Some("com.example.none".to_owned()) };
    let failure = rig.system.set(&asked, &setting).await.unwrap_err();
    assert_eq!((refusal(&failure).0, sends(&asked)), (Some(Row::AndroidAppNotInstalled), (0, 0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_app_has_stored_is_removed_and_the_app_ended() {
    let Some(rig) = demo().await else { return };
    set(&rig, Setting::Permission { grant: Grant::Grant, permission: "camera".to_owned() }).await;
    let warnings = set(&rig, Setting::ClearAppState { app: None }).await;
    assert!(warnings.iter().any(|warning| warning.contains("was ended")), "{warnings:?}");
    assert!(rig.device.granted(DEMO).is_empty());
    assert_ne!(rig.device.front(), DEMO);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_emulator_is_told_where_it_is() {
    let Some(rig) = demo().await else { return };
    let asked = context();
    let failure = rig.system.set(&asked, &Setting::LocationSet { latitude: 52.5, longitude: 13.4 }).await.unwrap_err();
    assert_eq!((refusal(&failure).0, sends(&asked)), (Some(Row::AndroidSettingRefused), (0, 0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_whose_reply_is_lost_may_have_been_written() {
    let Some(rig) = demo().await else { return };
    rig.device.link().cut_reply(b"svc wifi disable", 24);
    let changing = wire::Context::with_limit(std::time::Duration::from_secs(10));
    let failure = rig.system.set(&changing, &Setting::Wifi { on: false }).await.unwrap_err();
    assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(contract::Dispatched::Unknown), "{failure:?}");
    assert_eq!(sends(&changing), (0, 1));
}
