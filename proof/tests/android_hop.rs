//! An Android device that hangs on another machine: what goes there arrives byte by byte, what comes back lies where its
//! caller wanted it, and a reply that is lost on the way changes nothing of either.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::PathBuf};

use cut::{Ending, Fault, Proxy, Side, Strike};
use proof::{
    android::{GROUND, HELPER, Phone},
    hop::{Hop, begins, method},
    patience::until,
    program::Program,
    seen::Told,
    workspace,
};
use serde_json::{Value, json};

const NOTHING: [String; 0] = [];

/// Where a package lies on the device once it is installed.
const INSTALLED: &str = "/data/app/~~lab==/com.callstack.agentdevice.snapshothelper-1==/base.apk";

/// The program on another machine, in a folder of its own below which the files of a test lie, and the phone.
struct Far<'p> {
    client: Program,
    phone: &'p Phone<'p>,
}

impl Far<'_> {
    /// A command line with the device in it. Nothing in it is absolute: paths are those of the client's folder.
    fn words<'a>(&'a self, line: &'a [&'a str]) -> Vec<&'a str> {
        [line, &["--platform", "android", "--device", self.phone.device.serial()]].concat()
    }

    async fn does(&self, line: &[&str]) -> Value {
        self.client.does(&self.words(line)).await
    }

    async fn tries(&self, line: &[&str]) -> (i32, Result<Value, Told>) {
        self.client.json(&self.words(line)).await
    }

    /// A file of the client's.
    fn here(&self, name: &str) -> PathBuf {
        self.client.folder().join(name)
    }

    /// A file of the device's.
    fn there(&self, name: &str) -> PathBuf {
        self.phone.device.root().join(name.trim_start_matches('/'))
    }

    /// Where the client says that a file of its own lies.
    fn shown(&self, name: &str) -> String {
        self.client.folder().canonicalize().unwrap().join(name).display().to_string()
    }
}

/// Bytes that no text conversion leaves as they are, another row for each seed.
fn noise(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|at| u8::try_from((at * 31 + at / 253) % 256).unwrap() ^ seed).collect()
}

/// The package of the helper, put into a client's folder under another name.
fn package(far: &Far<'_>) -> Vec<u8> {
    let folder = workspace().join("on-device/android-helper/dist");
    let built = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let built = built.filter(|path| path.extension().is_some_and(|end| end == "apk")).min().unwrap();
    fs::copy(&built, far.here("my app.apk")).unwrap();
    fs::read(built).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_go_to_the_device_and_come_back_as_they_were() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let far = Far { client: hop.client(), phone: &phone };
    fs::create_dir(far.here("out")).unwrap();
    // One that is sent unasked, one that is asked for first, one that is empty.
    for (name, length) in [("small one.bin", 900), ("größe.bin", 700_000), ("empty", 0)] {
        let bytes = noise(length, 7);
        fs::write(far.here(name), &bytes).unwrap();
        let pushed = far.does(&["push", name, "/data/local/tmp/pushed"]).await;
        assert_eq!((&pushed["bytes"], &pushed["to"]), (&json!(length), &json!("/data/local/tmp/pushed")));
        assert_eq!(fs::read(far.there("/data/local/tmp/pushed")).unwrap(), bytes, "{name}");
        // A folder takes the name that the file has here.
        far.does(&["push", &format!("./{name}"), "/sdcard/"]).await;
        assert_eq!(fs::read(far.there(&format!("/sdcard/{name}"))).unwrap(), bytes, "{name}");
        // Into a file, into a folder, and into this folder under its own name: the last takes the place of what is there.
        let from = format!("/sdcard/{name}");
        for (to, lies) in [(Some("out/back.bin"), "out/back.bin"), (Some("out"), &format!("out/{name}")), (None, name)]
        {
            let pulled = far.does(&[&["pull", &from][..], &to.into_iter().collect::<Vec<_>>()].concat()).await;
            assert_eq!(pulled["path"], far.shown(lies), "{name}");
            assert_eq!(fs::read(far.here(lies)).unwrap(), bytes, "{name} to {to:?}");
        }
    }
    // What has another content by now is another file.
    fs::write(far.here("small one.bin"), noise(900, 9)).unwrap();
    far.does(&["push", "small one.bin", "/data/local/tmp/pushed"]).await;
    assert_eq!(fs::read(far.there("/data/local/tmp/pushed")).unwrap(), noise(900, 9));
    // What cannot be read or written here is refused here.
    for (line, reason) in [
        (&["push", "none.bin", "/sdcard/x"][..], "file_unreadable"),
        (&["push", "out", "/sdcard/x"], "file_unreadable"),
        (&["install", "none.apk"], "file_unreadable"),
        (&["pull", "/sdcard/empty", "none/x"], "file_unwritable"),
    ] {
        let (_, told) = far.tries(line).await;
        let told = told.unwrap_err();
        assert_eq!((told.dispatched.as_str(), told.reason.as_deref()), ("no", Some(reason)), "{line:?}");
    }
    // What is not on the device leaves nothing here.
    let (_, told) = far.tries(&["pull", "/sdcard/none", "out/none"]).await;
    assert_eq!((told.unwrap_err().dispatched.as_str(), far.here("out/none").exists()), ("no", false));
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_package_of_the_callers_is_installed_and_is_the_same_there() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let far = Far { client: hop.client(), phone: &phone };
    let bytes = package(&far);
    let installed = far.does(&["install", "my app.apk", "--grant-all"]).await;
    assert_eq!(installed["app"], HELPER, "{installed}");
    assert!(phone.device.version_of(HELPER).is_some());
    far.does(&["pull", INSTALLED, "installed.apk"]).await;
    assert_eq!(fs::read(far.here("installed.apk")).unwrap(), bytes);
    far.does(&["reinstall", HELPER, "./my app.apk"]).await;
    assert_eq!((phone.ran(&["pm", "uninstall"]), phone.ran(&["package", "install"])), (1, 2));
    assert_eq!(fs::read(far.there(INSTALLED)).unwrap(), bytes);
    // What the device says of a package names the caller's file, none of the device host's.
    fs::write(far.here("notes.apk"), "not a package").unwrap();
    let (_, told) = far.tries(&["install", "notes.apk"]).await;
    let told = told.unwrap_err();
    assert_eq!(
        (told.dispatched.as_str(), told.reason.as_deref()),
        ("no", Some("package_unreadable")),
        "{:#}",
        told.error
    );
    let whole = told.error.to_string();
    assert!(whole.contains(&far.shown("notes.apk")) && !whole.contains("leases"), "{whole}");
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_a_film_and_a_log_of_the_device_lie_in_the_callers_folder() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let far = Far { client: hop.client(), phone: &phone };
    far.does(&["open", GROUND]).await;
    fs::create_dir(far.here("out")).unwrap();
    let shot = far.does(&["screenshot", "out/screen.png"]).await;
    assert_eq!(shot["path"], far.shown("out/screen.png"));
    let png = fs::read(far.here("out/screen.png")).unwrap();
    assert_eq!(json!(png.len()), shot["bytes"]);
    // Something moves on this screen: another picture of it has other bytes. This one has its beginning and its end.
    assert!(png.starts_with(b"\x89PNG") && png.ends_with(b"IEND\xaeB`\x82"));

    let films = || phone.device.root().join("data/local/tmp").read_dir().unwrap().count();
    let (code, told) = far.tries(&["record", "start", "none/film.mp4"]).await;
    assert_eq!((code, told.unwrap_err().reason.as_deref(), films()), (1, Some("file_unwritable"), 0));
    let begun = far.does(&["record", "start", "out/film.mp4"]).await;
    assert_eq!(begun["path"], far.shown("out/film.mp4"));
    far.does(&["press", "id=save"]).await;
    let filmed = far.does(&["record", "stop"]).await;
    assert_eq!(filmed["paths"], json!([far.shown("out/film.mp4")]));
    assert!(is_whole_film(&fs::read(far.here("out/film.mp4")).unwrap()));
    assert_eq!(films(), 0, "the device keeps none");

    // A batch's files lie in the caller's folder too.
    let steps = r#"["press id=save", "screenshot out/later.png"]"#;
    let done = far.does(&["batch", "--steps", steps]).await;
    assert_eq!(done["steps"][1]["data"]["path"], far.shown("out/later.png"));
    assert!(fs::read(far.here("out/later.png")).unwrap().starts_with(b"\x89PNG"));

    far.does(&["logs", "start"]).await;
    phone.device.log(GROUND, 'I', "Shop", "paid with ümlauts");
    let kept = || log_of_the_host(&hop).is_some_and(|text| text.contains("paid with ümlauts"));
    until("the log to be kept", kept).await;
    far.does(&["logs", "mark", "here"]).await;
    for word in ["path", "stop"] {
        let said = far.does(&["logs", word]).await;
        let path = PathBuf::from(said["path"].as_str().unwrap());
        assert!(path.starts_with(far.client.state().path()), "{word}: {path:?} is no place of this machine");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("paid with ümlauts") && text.contains("---- mark: here ----"), "{word}: {text}");
        assert_eq!(Some(text), log_of_the_host(&hop), "{word}");
    }
    far.does(&["close"]).await;
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}

/// The log that is kept on the device host.
fn log_of_the_host(hop: &Hop) -> Option<String> {
    let sessions = fs::read_dir(hop.world.state().path().join("sessions")).ok()?;
    sessions.flatten().find_map(|session| fs::read_to_string(session.path().join("app.log")).ok())
}

/// An MP4 file that is not cut off: its parts fill it exactly, and the index is among them.
fn is_whole_film(bytes: &[u8]) -> bool {
    let (mut at, mut parts) = (0, Vec::new());
    while let Some(head) = bytes.get(at..at + 8) {
        at += u32::from_be_bytes(head[..4].try_into().unwrap()) as usize;
        parts.push(head[4..].to_vec());
    }
    at == bytes.len() && parts.first().is_some_and(|kind| kind == b"ftyp") && parts.iter().any(|kind| kind == b"moov")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_one_client_holds_is_not_changed_by_another() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let [holder, other] = [hop.client(), hop.client()].map(|client| Far { client, phone: &phone });
    holder.does(&["open", GROUND]).await;
    package(&other);
    let before = phone.ran(&["package", "install"]);
    for line in [&["install", "my app.apk"][..], &["push", "my app.apk", "/sdcard/"], &["open", GROUND]] {
        let (code, told) = other.tries(line).await;
        let told = told.unwrap_err();
        assert_eq!((code, told.dispatched.as_str()), (1, "no"), "{line:?}: {:#}", told.error);
    }
    assert_eq!((phone.ran(&["package", "install"]), other.there("/sdcard/my app.apk").exists()), (before, false));
    holder.does(&["close"]).await;
    other.does(&["push", "my app.apk", "/sdcard/"]).await;
    assert!(other.there("/sdcard/my app.apk").exists());
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}

/// Where a line breaks, in which exchange of a command and how often.
fn breaks(length: usize) -> Vec<(&'static str, Side, usize)> {
    let body = length / 2;
    vec![
        ("PUT", Side::Request, 0),
        ("PUT", Side::Request, 40),
        ("PUT", Side::Request, body),
        ("PUT", Side::Request, length),
        ("PUT", Side::Reply, 0),
        ("PUT", Side::Reply, 30),
        ("run", Side::Request, 0),
        ("run", Side::Request, 150),
        ("run", Side::Reply, 0),
        ("run", Side::Reply, 60),
        ("GET", Side::Reply, 0),
        ("GET", Side::Reply, 100),
        ("GET", Side::Reply, body),
    ]
}

/// Breaks one exchange of the next command.
fn cut(proxy: &Proxy, (word, side, after): (&str, Side, usize), ending: Ending) {
    proxy.forget();
    let at = if word == "run" { method("run", 1) } else { begins(word, 1) };
    proxy.arm(Strike { at, fault: Fault::cut(side, after, ending) });
}

#[tokio::test(flavor = "multi_thread")]
async fn wherever_the_line_breaks_a_file_is_copied_whole_and_what_is_told_of_it_is_true() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let proxy = hop.proxy().await;
    let far = Far { client: hop.client_at(proxy.address()), phone: &phone };
    let length = 60_000;
    let mut done = 0;
    for (seed, place) in (0..).zip(breaks(length)) {
        let what = format!("{place:?}");
        // Another content each time: what was sent before is not asked for again.
        let bytes = noise(length, seed);
        fs::write(far.here("file.bin"), &bytes).unwrap();
        let ending = if seed % 2 == 0 { Ending::Fin } else { Ending::Reset };
        let there = far.there("/data/local/tmp/copied");
        let _none_yet = fs::remove_file(&there);
        cut(&proxy, place, ending);
        let (code, told) = far.tries(&["push", "file.bin", "/data/local/tmp/copied"]).await;
        match told {
            Ok(_) => {
                assert_eq!(fs::read(&there).unwrap(), bytes, "{what}");
                done += 1;
            }
            Err(told) => {
                assert_eq!((told.dispatched.as_str(), code), ("no", 1), "{what}: {:#}", told.error);
                assert!(!there.exists(), "{what}: it is there and was said not to be");
            }
        }
        proxy.forget();
        far.does(&["push", "file.bin", "/data/local/tmp/copied"]).await;
        cut(&proxy, place, ending);
        let (code, told) = far.tries(&["pull", "/data/local/tmp/copied", "back.bin"]).await;
        let back = fs::read(far.here("back.bin")).ok();
        match told {
            Ok(_) => assert_eq!(back, Some(bytes), "{what}"),
            Err(told) => {
                assert_eq!((told.dispatched.as_str(), code), ("no", 1), "{what}: {:#}", told.error);
                assert!(back.is_none_or(|back| back.len() == length), "{what}: half a file");
            }
        }
        let left = fs::read_dir(far.client.folder()).unwrap().flatten();
        let parts: Vec<_> =
            left.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().contains("part")).collect();
        assert!(parts.is_empty(), "{what}: {parts:?}");
    }
    assert!(done >= 10, "{done}");
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn wherever_the_line_breaks_a_package_is_installed_once_or_not_at_all() {
    let hop = Hop::start().await;
    let phone = Phone::attached(&hop.world).await;
    let proxy = hop.proxy().await;
    let far = Far { client: hop.client_at(proxy.address()), phone: &phone };
    let bytes = package(&far);
    let uninstall = format!("pm uninstall {HELPER}");
    let mut done = 0;
    let places = breaks(bytes.len());
    for (trial, place) in (0..).zip(&places).filter(|(_, (word, ..))| *word != "GET") {
        let ending = if trial % 2 == 0 { Ending::Fin } else { Ending::Reset };
        // Gone already is as good.
        let _gone = phone.device.adb().args(["shell", &uninstall]).output().unwrap();
        // A lease of its own: nothing was sent under it before.
        let fresh = Far { client: hop.client_at(proxy.address()), phone: &phone };
        package(&fresh);
        let before = phone.ran(&["package", "install"]);
        let struck = proxy.struck();
        cut(&proxy, *place, ending);
        let (code, told) = fresh.tries(&["install", "my app.apk"]).await;
        let (ran, there) = (phone.ran(&["package", "install"]) - before, phone.device.version_of(HELPER).is_some());
        let what = format!("{place:?}: {told:?}");
        match told {
            Ok(_) => assert!(ran == 1 && there && fs::read(fresh.there(INSTALLED)).unwrap() == bytes, "{what}"),
            Err(told) => assert_eq!((told.dispatched.as_str(), code, ran, there), ("no", 1, 0, false), "{what}"),
        }
        done += ran;
        assert!(proxy.struck() > struck, "{what}: nothing was broken");
    }
    assert!(done >= 7, "{done} of {}", places.len());
    drop(phone);
    assert_eq!(hop.end().await, NOTHING);
}
