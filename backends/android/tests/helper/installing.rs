//! Is the helper installed when, and only when, it has to be?

use std::time::Duration;

use android::helper::install::Policy;
use contract::{Dispatched, Row};
use wire::Context;

use crate::phone::{OURS, phone};

fn soon() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

#[tokio::test]
async fn it_is_looked_at_once_and_installed_only_where_it_is_not_ours() {
    for (installed, installs) in [
        (None, 1),
        (Some((30_000, OURS.to_owned())), 0),
        (Some((30_000, "b".repeat(64))), 0),
        (Some((21_005, "c".repeat(64))), 1),
        (Some((30_000, "c".repeat(64))), 1),
        (Some((30_000, String::new())), 1),
    ] {
        let (phone, helper, _folder) = phone(Policy::Ensure).await;
        phone.with(|behaviour| behaviour.installed = installed.clone());
        for _ in 0..3 {
            helper.ready(&soon()).await.unwrap();
        }
        assert_eq!(phone.ran("cmd package install"), installs, "{installed:?}");
        assert_eq!(phone.ran("--show-versioncode"), 1, "once per daemon and device");
        assert!(helper.notices().is_empty());
    }
}

#[tokio::test]
async fn the_caller_may_insist_or_keep_what_is_there() {
    let (device, helper, _folder) = phone(Policy::Force).await;
    helper.ready(&soon()).await.unwrap();
    assert_eq!(device.ran("cmd package install"), 1);
    let (device, helper, _folder) = phone(Policy::Skip).await;
    device.with(|behaviour| behaviour.installed = Some((1, "c".repeat(64))));
    helper.ready(&soon()).await.unwrap();
    assert_eq!((device.ran("cmd package"), device.ran("am instrument")), (0, 1));
}

#[tokio::test]
async fn an_installer_that_takes_no_test_packages_gets_the_plain_one_and_it_is_said() {
    for refusal in ["Failure [INSTALL_FAILED_TEST_ONLY: installPackageLI]", "Failure [-99]"] {
        let (phone, helper, _folder) = phone(Policy::Ensure).await;
        phone.with(|behaviour| {
            behaviour.installed = None;
            behaviour.installs = [refusal].into();
        });
        helper.ready(&soon()).await.unwrap();
        let notices = helper.notices();
        assert!(notices.len() == 1 && notices[0].contains("without the test flag"), "{notices:?}");
        assert_eq!((phone.ran("install -S"), phone.ran(" -r -t")), (2, 1), "{refusal}");
    }
}

#[tokio::test]
async fn what_does_not_fit_is_removed_first_and_only_once() {
    for refusal in [
        "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match]",
        "Failure [INSTALL_FAILED_VERSION_DOWNGRADE]",
    ] {
        let (device, helper, _folder) = phone(Policy::Force).await;
        device.with(|behaviour| behaviour.installs = [refusal].into());
        helper.ready(&soon()).await.unwrap();
        assert_eq!((device.ran("pm uninstall"), device.ran("install -S")), (1, 2));

        let (device, helper, _folder) = phone(Policy::Force).await;
        device.with(|behaviour| behaviour.installs = [refusal, refusal].into());
        let failure = helper.ready(&soon()).await.unwrap_err();
        assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::HelperInstallRefused));
        assert_eq!((device.ran("pm uninstall"), device.ran("am instrument")), (1, 0));
    }
}

#[tokio::test]
async fn a_refused_helper_is_a_refusal_with_what_to_do() {
    let (phone, helper, _folder) = phone(Policy::Ensure).await;
    phone.with(|behaviour| {
        behaviour.installed = None;
        behaviour.installs = ["Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]"].into();
    });
    let failure = helper.ready(&soon()).await.unwrap_err();
    let claim = failure.claim().unwrap();
    assert_eq!((claim.row, claim.dispatched), (Row::HelperInstallRefused, Dispatched::No));
    assert_eq!(failure.details["installCode"], "INSTALL_FAILED_USER_RESTRICTED");
    assert!(failure.hint.unwrap().contains("accept"), "a person has to agree on the device");
}
