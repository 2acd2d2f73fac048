//! Starting, ending, what is left behind.

use std::time::{Duration, Instant};

use backend::{CheckStatus, Device, Input, Provider};
use contract::{Code, Sends, command::Open};
use webdriver::{
    WebProvider,
    driver::{self, Folder, processes},
};

use crate::support::{Opened, browser, context, is_chrome, is_webkit, open_at, row};

/// The driver's own process: the leader of its group.
fn driver_of(page: &Opened) -> i32 {
    let all = processes::naming(&page.state.path().canonicalize().unwrap());
    all.iter().find(|process| process.pid == process.group).expect("a group with its leader").pid
}

fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_whose_driver_was_killed_is_ended_all_the_same() {
    if is_webkit() {
        // The leader of its group is the message bus, not the driver.
        return;
    }
    let page = Opened::at("pointer.html").await;
    kill(driver_of(&page));
    let folder = page.state.path().canonicalize().unwrap();
    page.wait_for("the driver's end", async || {
        !processes::naming(&folder).iter().any(|process| process.pid == process.group)
    })
    .await;
    assert!(!processes::naming(&folder).is_empty(), "the browser outlives its driver");
    let (result, sends) = page.perform(Input::Back).await;
    let failure = result.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.connect-refused", Code::SessionLost), "{failure}");
    assert_eq!(sends, Sends::NONE);
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_daemon_left_behind_is_swept_and_what_lives_is_left() {
    let page = Opened::at("pointer.html").await;
    let folder = page.state.path().canonicalize().unwrap();
    let count = processes::naming(&folder).len();
    // Its owner, this process, lives: nothing happens.
    WebProvider::new(page.state.path().to_owned()).sweep().await;
    assert_eq!(processes::naming(&folder).len(), count);
    // As if the owner had been killed: its record names a process that is not there any more.
    let record = std::fs::read_dir(folder.join("browsers"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|ending| ending == "json"))
        .unwrap();
    let mut written: serde_json::Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    written["owner_started"] = 1.into();
    std::fs::write(&record, written.to_string()).unwrap();
    kill(driver_of(&page));
    driver::folder::sweep(page.state.path()).await;
    page.assert_nothing_left();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_is_dropped_without_being_closed_leaves_nothing() {
    let page = Opened::at("blank.html").await;
    let Opened { device, state, site } = page;
    drop(device);
    let folder = state.path().canonicalize().unwrap();
    assert!(processes::gone(&folder).await);
    drop(site);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_do_not_get_into_each_others_way() {
    let (one, two) = tokio::join!(Opened::at("pointer.html"), Opened::at("pointer.html"));
    let (first, second) = tokio::join!(one.press("button", "Target"), two.press("button", "Other"));
    first.unwrap();
    second.unwrap();
    assert_eq!((one.log().await.as_str(), two.log().await.as_str()), ("click", "other"));
    one.end().await;
    two.press("button", "Target").await.unwrap();
    two.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_at_an_address_is_used_and_left_running() {
    if !is_chrome() {
        return;
    }
    let state = tempfile::tempdir().unwrap();
    let folder = Folder::create(state.path()).unwrap();
    let programs = webdriver::browser::programs(browser()).unwrap();
    let running = driver::start(&context(), browser(), &programs, folder).await.unwrap();
    let address = format!("http://{}/", running.authority);
    let page = Opened::with("pointer.html", |open| open.driver_url = Some(address.clone())).await;
    page.press("button", "Target").await.unwrap();
    assert_eq!(page.device.downloads(&context()).await.unwrap_err().code, Code::UnsupportedOperation);
    page.device.close(&context()).await.unwrap();
    let again = Opened::with("pointer.html", |open| open.driver_url = Some(address)).await;
    again.device.close(&context()).await.unwrap();
    running.stop().await;
    assert_eq!(processes::naming(&state.path().canonicalize().unwrap()), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_or_not_spoken_is_said_at_once() {
    let state = tempfile::tempdir().unwrap();
    let provider = WebProvider::new(state.path().to_owned());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (url, row_id, code) in [
        (format!("http://{closed}"), "webdriver.connect-refused", Code::OpenFailed),
        ("https://grid.test:4444".to_owned(), "daemon.protocol.bad-arguments", Code::InvalidArgs),
    ] {
        let open = Open { driver_url: Some(url), ..open_at(None) };
        let began = Instant::now();
        let context = context();
        let failure = provider.open(&context, &browser().to_string(), &open).await.unwrap_err();
        assert_eq!((row(&failure), failure.code), (row_id, code), "{failure}");
        assert!(!context.ledger.sends().any() && began.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_ends_at_once_is_said_with_its_log_and_leaves_nothing() {
    let state = tempfile::tempdir().unwrap();
    let programs = webdriver::browser::Programs {
        driver: "/bin/false".into(),
        browser: "/bin/true".into(),
        xvfb: None,
        dbus: None,
    };
    let folder = Folder::create(state.path()).unwrap();
    let failure = driver::start(&context(), browser(), &programs, folder).await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.driver-not-ready", Code::ToolMissing), "{failure}");
    assert_eq!(std::fs::read_dir(state.path().join("browsers")).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tries_the_browser() {
    let state = tempfile::tempdir().unwrap();
    let checks = WebProvider::new(state.path().to_owned()).doctor().await;
    let found = |name: &str| checks.iter().find(|check| check.name.contains(name)).unwrap();
    assert_eq!(found("Chromium and its driver").status, CheckStatus::Pass, "{checks:?}");
    assert_eq!(found("Chromium starts").status, CheckStatus::Pass, "{checks:?}");
    assert!(
        checks
            .iter()
            .all(|check| check.status == CheckStatus::Pass || check.remedy.is_some() || check.name.contains("display"))
    );
    assert_eq!(processes::naming(&state.path().canonicalize().unwrap()), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_state_folder_that_cannot_be_written_is_said() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("file");
    std::fs::write(&file, "").unwrap();
    let failure = WebProvider::new(file).open(&context(), &browser().to_string(), &open_at(None)).await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("daemon.admission.storage", Code::StorageFailed), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_twice_is_no_harm() {
    let page = Opened::at("blank.html").await;
    page.device.close(&context()).await.unwrap();
    page.assert_nothing_left();
    let again = Device::close(&*page.device, &context()).await;
    assert!(again.is_ok() || again.is_err_and(|failure| failure.code == Code::SessionLost));
}

/// A server that starts sessions and says nothing more but that they ended. Tells the methods and paths it was sent.
async fn mute_server() -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut stream = BufReader::new(stream);
                loop {
                    let (mut first, mut length) = (String::new(), 0);
                    let mut line = String::new();
                    while stream.read_line(&mut line).await.unwrap_or(0) > 0 && !line.trim().is_empty() {
                        if first.is_empty() {
                            first = line.trim().trim_end_matches(" HTTP/1.1").to_owned();
                        }
                        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                            length = value.trim().parse().unwrap();
                        }
                        line.clear();
                    }
                    if first.is_empty() {
                        return;
                    }
                    stream.read_exact(&mut vec![0; length]).await.unwrap();
                    let body = match first.as_str() {
                        "POST /session" => r#"{"value":{"sessionId":"s1","capabilities":{}}}"#,
                        "DELETE /session/s1" => r#"{"value":null}"#,
                        _ => "",
                    };
                    // The test may have ended.
                    let _ended = tell.send(first);
                    if body.is_empty() {
                        std::future::pending::<()>().await;
                    }
                    let head = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                        body.len()
                    );
                    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
                }
            });
        }
    });
    (address, told)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_began_on_a_server_is_ended_when_opening_fails_afterwards() {
    let state = tempfile::tempdir().unwrap();
    let (address, mut told) = mute_server().await;
    let open = Open { driver_url: Some(address), ..open_at(None) };
    let context = wire::Context::with_limit(Duration::from_secs(2));
    let provider = WebProvider::new(state.path().to_owned());
    let failure = provider.open(&context, &browser().to_string(), &open).await.unwrap_err();
    let mut sent = Vec::new();
    while sent.last().is_none_or(|last| last != "DELETE /session/s1") {
        let next = tokio::time::timeout(Duration::from_secs(10), told.recv()).await;
        sent.push(next.unwrap_or_else(|_| panic!("not ended after {sent:?} ({failure:?})")).unwrap());
    }
    assert_eq!(sent.first().map(String::as_str), Some("POST /session"), "{sent:?}");
}
