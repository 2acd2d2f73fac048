//! Apps on an Android device: opened, installed, pressed out of, typed into.

use std::path::PathBuf;

use android_lab::{Act, Moment, Options, Trap};
use contract::Row;

use super::Driver;
use crate::{
    adb_cut::AdbCut,
    android::{GROUND, Phone},
    patience::soon,
    seen::Seen,
    workspace,
    world::World,
};

/// The package that is installed here: a real one that lies at hand.
const PACKAGE: &str = "com.callstack.agentdevice.snapshothelper";
/// Another app on the device.
const OTHER: &str = "com.example.demo";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(AndroidAppNotInstalled, |world| {
        let phone = Phone::attached(world).await;
        let told = phone.session.fails("open com.example.absent").await;
        told.and(phone.ran(&["am", "start"]), 1)
    }),
    driver!(AndroidActivityNotFound, |world| {
        let phone = Phone::attached(world).await;
        let before = phone.device.front();
        let nobody = phone.session.fails("open nobody-takes-this://x").await;
        assert_eq!(nobody.dispatched, "no", "{:#}", nobody.error);
        let told = phone.session.fails(&format!("open {GROUND}/.Nowhere")).await;
        assert_eq!(phone.ran(&["am", "start"]), 2);
        nobody.under(Row::AndroidActivityNotFound);
        told.and(u32::from(phone.device.front() != before), 1)
    }),
    driver!(AndroidInstallRefused, |world| {
        let phone = Phone::attached(world).await;
        phone.device.fail_install("INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match");
        install(&phone).await
    }),
    driver!(AndroidInstallFailed, |world| {
        let phone = Phone::attached(world).await;
        // The service is accepted, and its output ends before a verdict.
        phone.proxy.cut(1, "exec:cmd package install", AdbCut::Truncate(4));
        let seen = install(&phone).await;
        assert_eq!((phone.proxy.struck(), seen.truth.landed), (1, 1), "it is installed and nobody says so");
        seen
    }),
    driver!(AndroidPackageUnreadable, |world| {
        let phone = Phone::attached(world).await;
        let file = world.folder().join("notes.apk");
        std::fs::write(&file, "not a package").expect("a file");
        let told = phone.session.fails(&format!("install {}", file.display())).await;
        told.and(phone.ran(&["package", "install"]), 1)
    }),
    driver!(AndroidScrollLaterPassRefused, |world| {
        let app = world.folder().join("list.toml");
        let list = crate::world::GROUND.replacen("start = \"main\"", "start = \"list\"", 1);
        std::fs::write(&app, list).expect("the app can be written");
        let phone = Phone::with(world, Options::app(GROUND, &app.display().to_string())).await;
        phone.session.does(&format!("open {GROUND}")).await;
        phone.session.does("snapshot").await;
        // The helper's journal says that the third was never heard of.
        phone.proxy.cut(3, "helper:gesture", AdbCut::CloseBefore);
        let told = phone.session.fails("scroll bottom").await;
        assert_eq!(told.detail("completed"), 2, "{:#}", told.error);
        told.and(phone.effects("rows").scrolls, 40).in_vain()
    }),
    driver!(AndroidPressLeftApp, |world| {
        guarded(world, async |phone| phone.device.open(OTHER).await.expect("the other app opens")).await
    }),
    driver!(AndroidGuardReadFailed, |world| {
        guarded(world, async |phone| {
            phone.device.trap(&Trap::new("scene", 1, Moment::Before, Act::Throw("the windows cannot be read".into())));
        })
        .await
    }),
    driver!(AndroidTextRefusedByField, |world| {
        let phone = Phone::on_ground(world).await;
        let told = phone.session.fails("fill id=digits abc").await;
        told.and(phone.effects("digits").fills, 1).in_vain()
    }),
];

async fn install(phone: &Phone<'_>) -> Seen {
    let told = phone.session.fails(&format!("install {}", package().display())).await;
    told.and(u32::from(phone.device.version_of(PACKAGE).is_some()), 1)
}

fn package() -> PathBuf {
    let folder = workspace().join("on-device/android-helper/dist");
    let files = std::fs::read_dir(&folder).expect("the helper was built");
    let mut packages: Vec<_> = files.flatten().map(|entry| entry.path()).collect();
    packages.retain(|path| path.extension().is_some_and(|extension| extension == "apk"));
    packages.sort();
    packages.pop().expect("a package")
}

/// A press, and something that happens on the device when it is in effect and its answer is not on its way yet.
async fn guarded(world: &World, then: impl AsyncFnOnce(&Phone<'_>)) -> Seen {
    let phone = Phone::on_ground(world).await;
    // A press is three touch events: down, still down, up.
    let trap = Trap::new("inject", 3, Moment::After, Act::Hold);
    phone.device.trap(&trap);
    let pressed = phone.session.fails("press id=save");
    let meanwhile = async {
        soon("the touch", trap.springs()).await;
        assert_eq!(phone.presses("save"), 1, "the press is in effect");
        then(&phone).await;
        trap.release();
    };
    let (told, ()) = tokio::join!(pressed, meanwhile);
    phone.saw_press(told)
}
