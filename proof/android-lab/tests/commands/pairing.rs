//! The adb server here is older than pairing, so a newer one is scripted, by its protocol. What the old one says is
//! the real thing.

use std::sync::{Arc, Mutex};

use android::{
    adb::{Adb, Address},
    system::fleet::AndroidFleet,
};
use backend::{Fleet, Pairing};
use contract::Row;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::rig::{context, demo, refusal, sends, within};

/// An adb server that answers each service by a table; what it was asked.
async fn server(answer: impl Fn(&str, usize) -> String + Send + Sync + 'static) -> (Adb, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::<String>::new()));
    let seen = asked.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 4];
            stream.read_exact(&mut head).await.unwrap();
            let length = usize::from_str_radix(&String::from_utf8_lossy(&head), 16).unwrap();
            let mut service = vec![0; length];
            stream.read_exact(&mut service).await.unwrap();
            let service = String::from_utf8(service).unwrap();
            let times = {
                let mut seen = seen.lock().unwrap();
                seen.push(service.clone());
                seen.iter().filter(|one| **one == service).count()
            };
            let said = answer(&service, times);
            stream.write_all(format!("OKAY{:04x}{said}", said.len()).as_bytes()).await.unwrap();
        }
    });
    (Adb::new(Address::local(port), None), asked)
}

const PAIRING: &str = "agent-device-abc\t_adb-tls-pairing._tcp\t192.168.1.5:40001\n";
const CONNECT: &str = "adb-8A1X0-xyz\t_adb-tls-connect._tcp\t192.168.1.5:37123\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_reads_the_code_is_paired_with_and_connected() {
    let (adb, asked) = server(|service, times| match service {
        // The phone comes after a while; where to connect, once it is paired.
        "host:mdns:services" => match times {
            1 | 2 => String::new(),
            3 => PAIRING.to_owned(),
            _ => CONNECT.to_owned(),
        },
        "host:pair:secret:192.168.1.5:40001" => {
            "Successfully paired to 192.168.1.5:40001 [guid=adb-8A1X0-xyz]".to_owned()
        }
        "host:connect:192.168.1.5:37123" => "connected to 192.168.1.5:37123".to_owned(),
        other => panic!("{other}"),
    })
    .await;
    let asking = context();
    let qr = Pairing::Qr { service: "agent-device-abc".into(), password: "secret".into() };
    let paired = within("pairing", AndroidFleet::new(adb).pair(&asking, &qr)).await.unwrap();
    assert_eq!((paired["connected"].as_bool(), paired["device"].as_str()), (Some(true), Some("192.168.1.5:37123")));
    let pairs = asked.lock().unwrap().iter().filter(|service| service.starts_with("host:pair:")).count();
    assert_eq!((pairs, sends(&asking)), (1, (0, 0)), "once, and nothing that counts as done to an app");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_code_is_refused_in_adbs_own_words() {
    let (adb, _) = server(|_, _| "Failed: Wrong password or connection was dropped.".to_owned()).await;
    let code = Pairing::Code { address: "192.168.1.5:40001".into(), code: "000000".into() };
    let failure = AndroidFleet::new(adb).pair(&context(), &code).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidPairingRefused), Some("pairing_refused")));
    assert!(failure.message.contains("Wrong password"), "{}", failure.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_never_comes_is_told_of_within_the_limit() {
    let (adb, asked) = server(|_, _| String::new()).await;
    // All but a little of it is kept back for pairing itself: one look is made in any case.
    let context = wire::Context::with_limit(std::time::Duration::from_secs(21));
    let qr = Pairing::Qr { service: "agent-device-abc".into(), password: "secret".into() };
    let failure = within("the end", AndroidFleet::new(adb).pair(&context, &qr)).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidPairingRefused), Some("pairing_not_offered")));
    assert!(asked.lock().unwrap().iter().all(|service| service == "host:mdns:services"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_offers_itself_is_listed() {
    let (adb, _) = server(|_, _| format!("{PAIRING}{CONNECT}")).await;
    let listed = AndroidFleet::new(adb).pair(&context(), &Pairing::List).await.unwrap();
    assert_eq!(listed["services"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["services"][1]["offers"], "connection");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_server_here_is_older_than_pairing_and_that_is_said() {
    let Some(rig) = demo().await else { return };
    let fleet = AndroidFleet::new(rig.adb.clone());
    for pairing in [
        Pairing::List,
        Pairing::Code { address: "192.168.1.5:40001".into(), code: "123456".into() },
        Pairing::Qr { service: "agent-device-abc".into(), password: "secret".into() },
    ] {
        let failure = fleet.pair(&context(), &pairing).await.unwrap_err();
        assert_eq!(refusal(&failure), (Some(Row::AdbServerRefused), Some("adb_server_too_old")), "{pairing:?}");
        assert!(failure.message.contains("platform-tools 30"), "{}", failure.message);
    }
}
