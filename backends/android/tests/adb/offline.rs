//! A device that is offline: waited for once, then refused.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use android::adb::{Features, State};
use contract::{Dispatched, Effect, Row, Sends};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::timeout,
};
use wire::Context;

use crate::{
    rig::{Device, Server, context, until},
    scripted::{End, Script, servers, word},
};

const SERIAL: &str = "emulator-5554";
const OFFLINE: &[u8] = b"FAIL000edevice offline";

fn words(heard: &[Vec<u8>]) -> Vec<String> {
    heard.iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect()
}

#[tokio::test]
async fn a_device_that_comes_back_is_sent_to_once() {
    let ended = [b"OKAY", &[3, 1, 0, 0, 0, 0][..]].concat();
    let (adb, heard) = servers(vec![
        Script::whole(vec![word(OFFLINE)]),
        Script::whole(vec![word(b"OKAYOKAY")]),
        Script::whole(vec![word(b"OKAY"), word(&ended)]),
    ])
    .await;
    let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
    let context = context();
    phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap();
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });
    let heard = words(&heard.await.unwrap());
    assert_eq!(heard[0], "001chost:transport:emulator-5554");
    assert_eq!(heard[1], "002dhost-serial:emulator-5554:wait-for-any-device");
    assert_eq!(heard[2].matches("shell,v2,raw:input tap 1 2").count(), 1);
}

#[tokio::test]
async fn one_that_stays_offline_is_waited_for_once_and_never_beyond_half_of_the_time() {
    let (adb, heard) = servers(vec![
        Script::whole(vec![word(OFFLINE)]),
        Script { end: End::Stalls, ..Script::whole(vec![word(b"OKAY")]) },
        Script::whole(vec![word(OFFLINE)]),
    ])
    .await;
    let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
    let limit = Duration::from_millis(1500);
    for waits in [true, false] {
        let context = Context::with_limit(limit);
        let begin = Instant::now();
        let failure = phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AdbDeviceOffline, Dispatched::No), "{failure}");
        assert!(failure.retriable);
        assert_eq!(context.ledger.sends(), Sends::NONE);
        assert_eq!(begin.elapsed() >= limit / 3, waits);
        assert!(begin.elapsed() < limit, "{:?}", begin.elapsed());
    }
    assert_eq!(heard.await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_request_with_little_time_does_not_take_the_wait_from_the_next() {
    let ended = [b"OKAY", &[3, 1, 0, 0, 0, 0][..]].concat();
    let (adb, heard) = servers(vec![
        Script::whole(vec![word(OFFLINE)]),
        Script { end: End::Stalls, ..Script::whole(vec![word(b"OKAY")]) },
        Script::whole(vec![word(OFFLINE)]),
        Script::whole(vec![word(b"OKAYOKAY")]),
        Script::whole(vec![word(b"OKAY"), word(&ended)]),
    ])
    .await;
    let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
    let short = Context::with_limit(Duration::from_secs(1));
    let failure = phone.run(&short, Effect::Mutates, "input tap 1 2").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbDeviceOffline);
    let context = context();
    phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap();
    assert_eq!((context.ledger.sends(), heard.await.unwrap().len()), (Sends { completed: 1, open: 0 }, 5));
}

#[tokio::test]
async fn one_that_is_offline_again_after_the_wait_is_not_tried_a_third_time() {
    let (adb, heard) = servers(vec![
        Script::whole(vec![word(OFFLINE)]),
        Script::whole(vec![word(b"OKAYOKAY")]),
        Script::whole(vec![word(OFFLINE)]),
    ])
    .await;
    let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
    let context = context();
    let failure = phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbDeviceOffline);
    assert_eq!((heard.await.unwrap().len(), context.ledger.sends()), (3, Sends::NONE));
}

/// A real server, and a real adbd behind a gate: until it opens, the server sees a device that does not answer.
#[tokio::test]
async fn a_real_device_that_is_offline_is_waited_for_and_sent_to_once() {
    let Some(device) = Device::start() else { return };
    let server = Server::start().await;
    let gate = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = gate.local_addr().unwrap().to_string();
    let opened = Arc::new(Notify::new());
    let (port, open) = (device.port, opened.clone());
    let bridge = tokio::spawn(async move {
        let (mut near, _) = gate.accept().await.unwrap();
        open.notified().await;
        let mut far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let _ended = copy_bidirectional(&mut near, &mut far).await;
    });
    let (adb, to) = (server.adb.clone(), address.clone());
    let connecting = tokio::spawn(async move { adb.connect(&context(), &to).await });
    until("the device in the list, offline", async || {
        let listed = server.adb.devices(&context()).await.unwrap();
        listed.iter().any(|one| one.serial == address && one.state == State::Offline)
    })
    .await;

    let phone = server.adb.device(&*address);
    let line = format!("echo x >> {}", device.path("count"));
    let request = context();
    let sending = {
        let request = request.clone();
        let phone = phone.clone();
        tokio::spawn(async move { phone.run(&request, Effect::Mutates, &line).await })
    };
    let mut sending = sending;
    assert!(timeout(Duration::from_millis(200), &mut sending).await.is_err(), "it waits");
    assert_eq!(request.ledger.sends(), Sends::NONE);
    opened.notify_one();
    sending.await.unwrap().unwrap();
    assert_eq!(std::fs::read_to_string(device.path("count")).unwrap(), "x\n");
    assert_eq!(request.ledger.sends(), Sends { completed: 1, open: 0 });
    connecting.await.unwrap().unwrap();

    // And one that went away for good is refused.
    drop(device);
    until("the device in the list, offline again", async || {
        let listed = server.adb.devices(&context()).await.unwrap();
        listed.iter().any(|one| one.serial == address && one.state != State::Device)
    })
    .await;
    let request = Context::with_limit(Duration::from_secs(2));
    let failure = phone.run(&request, Effect::Mutates, "true").await.unwrap_err();
    let claim = failure.claim().unwrap();
    assert_eq!((claim.row, claim.dispatched), (Row::AdbDeviceOffline, Dispatched::No), "{failure}");
    bridge.abort();
}
