//! The way to an Android device: each reason why there is none. Nothing of the request is sent, so the app is untouched.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use android_lab::{Lab, Options};

use super::Driver;
use crate::{
    adb_cut::{AdbCut, AdbProxy},
    android::{GROUND, Phone, presses},
    patience::until,
    program::Program,
    seen::{Seen, Told},
    world::World,
};

/// The word that names a device to the adb server.
const WAY: &str = "host:transport";
/// The word that waits for a device.
const WAIT: &str = "host-serial:*:wait-for-";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(AdbToolMissing, |world| { without_server(world, |_| {}).await }),
    driver!(AdbServerUnreachable, |world| {
        // The real program, with too few file handles to start a server.
        without_server(world, |folder| {
            let real = on_path("adb");
            let adb = folder.join("adb");
            fs::write(&adb, format!("#!/bin/sh\nulimit -n 6\nexec {real} \"$@\"\n")).expect("a program");
            fs::set_permissions(&adb, fs::Permissions::from_mode(0o755)).expect("it can be run");
        })
        .await
    }),
    driver!(AdbServerRefused, |world| {
        let phone = Phone::on_ground(world).await;
        // No server can be made to lose its rights to a device at will.
        let why = "insufficient permissions for device: user in plugdev group; are your udev rules wrong?";
        phone.proxy.cut(1, WAY, AdbCut::Fail(why.into()));
        let told = phone.session.fails("press id=save").await;
        assert!(told.message().contains("plugdev"), "{:#}", told.error);
        phone.saw_press(told)
    }),
    driver!(AdbDeviceOffline, |world| {
        let phone = Phone::on_ground(world).await;
        phone.device.go_offline().await.expect("it goes offline");
        let told = phone.session.fails_at(&phone.session.within(2_000, "press id=save")).await;
        assert_eq!(phone.proxy.handed_on(WAIT), 1, "one bounded wait: {:?}", phone.proxy.seen());
        phone.saw_press(told)
    }),
    driver!(AdbDeviceUnauthorized, |world| {
        let phone = Phone::on_ground(world).await;
        phone.device.unauthorize().await.expect("it asks its user");
        let told = phone.session.fails("press id=save").await;
        assert_eq!(phone.proxy.handed_on(WAIT), 0, "nobody waits for a person's answer");
        phone.saw_press(told)
    }),
    driver!(AdbDeviceNotFound, |world| {
        let phone = Phone::on_ground(world).await;
        phone.device.unlist().await.expect("the server lets it go");
        let told = phone.session.fails("press id=save").await;
        phone.saw_press(told)
    }),
    driver!(AdbSeveralDevices, |world| {
        let phone = Phone::attached(world).await;
        let other = phone.lab.device(Options::demo()).await.expect("a second device");
        let told = unnamed(world).await;
        let named = told.detail("devices").to_string();
        assert!(named.contains(phone.device.serial()) && named.contains(other.serial()), "names both: {named}");
        assert_eq!((phone.device.commands().len(), other.commands().len()), (0, 0), "neither was asked for anything");
        told.without_app()
    }),
    driver!(AdbNoDevices, |world| {
        let phone = Phone::attached(world).await;
        phone.device.unlist().await.expect("the server lets it go");
        unnamed(world).await.without_app()
    }),
    driver!(AdbNotWritten, |world| {
        let phone = Phone::on_ground(world).await;
        phone.proxy.cut(1, WAY, AdbCut::CloseBefore);
        let told = phone.session.fails("press id=save").await;
        assert_eq!(phone.proxy.struck(), 1);
        phone.saw_press(told)
    }),
];

/// Opens an app on whichever device there is.
async fn unnamed(world: &World) -> Told {
    world.session("phone").on_any_phone().fails("open com.example.demo").await
}

/// A press by the real program after its adb server has gone, with nothing on the PATH but what `prepare` puts there.
async fn without_server(world: &World, prepare: impl FnOnce(&Path)) -> Seen {
    let lab = Lab::start().await.expect("the lab starts");
    let ground = world.ground().display().to_string();
    let device = lab.device(Options::app(GROUND, &ground)).await.expect("a device");
    let proxy = AdbProxy::start(lab.port()).await;
    let mut program = Program::new();
    let folder = program.folder().join("bin");
    fs::create_dir(&folder).expect("a folder");
    prepare(&folder);
    for (name, value) in [
        ("PATH", folder.display().to_string()),
        ("ANDROID_ADB_SERVER_PORT", proxy.port().to_string()),
        ("ANDROID_HOME", String::new()),
        ("ANDROID_SDK_ROOT", String::new()),
    ] {
        program.environment.push((name.to_owned(), value));
    }
    program.does(&["open", GROUND, "--platform", "android", "--device", device.serial()]).await;
    program.does(&["snapshot", "-i"]).await;
    proxy.close();
    until("nothing listens", || std::net::TcpStream::connect(("127.0.0.1", proxy.port())).is_err()).await;
    let (code, told) = program.fails(&["press", "id=save"]).await;
    assert_eq!(code, 1, "to try again is safe");
    let landed = presses(&device, "save");
    program.end().await;
    told.and(landed, 1)
}

/// Where a program is.
fn on_path(name: &str) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("{name} is on the PATH")).display().to_string()
}
