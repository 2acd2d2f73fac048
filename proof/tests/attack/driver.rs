//! A WebDriver server that is slow, endless, or lies. Whatever it does: the request's limit holds, memory stays bounded,
//! nothing more is sent than was asked for, and `dispatched` says the truth.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use contract::{Request, view::Platform};
use proof::{seen::Told, world::World};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::memory::{MIB, peak};

/// The limit of the requests under attack, ms.
const LIMIT_MS: u64 = 1500;
/// What the machine may add, and the ending of what was begun: a debug build on a busy computer.
const SLACK: Duration = Duration::from_secs(12);

/// What the server says instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Attack {
    Silence,
    DrippingHead,
    EndlessHeaders,
    OneEndlessHeader,
    InformationForever,
    SwitchesProtocols,
    AnnouncesAGigabyte,
    AnnouncesTheLargestNumber,
    NegativeLength,
    EndlessBody,
    EndlessChunk,
    DrippingBody,
    Redirects,
    /// With what would be a refusal under a status of 400.
    RedirectsWithAnError,
    ClaimsGzip,
    DeepJson,
    WrongTypes,
    HalfASurrogate,
    NotHttp,
    TwoReplies,
}

const ATTACKS: [Attack; 20] = [
    Attack::Silence,
    Attack::DrippingHead,
    Attack::EndlessHeaders,
    Attack::OneEndlessHeader,
    Attack::InformationForever,
    Attack::SwitchesProtocols,
    Attack::AnnouncesAGigabyte,
    Attack::AnnouncesTheLargestNumber,
    Attack::NegativeLength,
    Attack::EndlessBody,
    Attack::EndlessChunk,
    Attack::DrippingBody,
    Attack::Redirects,
    Attack::RedirectsWithAnError,
    Attack::ClaimsGzip,
    Attack::DeepJson,
    Attack::WrongTypes,
    Attack::HalfASurrogate,
    Attack::NotHttp,
    Attack::TwoReplies,
];

/// A server; its connections end with it.
struct Hostile {
    url: String,
    seen: Arc<Mutex<Vec<String>>>,
    attack: Arc<Mutex<Option<(&'static str, Attack)>>>,
    task: JoinHandle<()>,
}

impl Hostile {
    async fn start(session: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, attack) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<Mutex<Option<_>>>::default());
        let shared = (seen.clone(), attack.clone());
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, attack) = shared.clone();
                connections.spawn(async move { serve(stream, session, &seen, &attack).await });
            }
        });
        Self { url, seen, attack, task }
    }

    /// From now on requests whose path ends so are answered by the attack.
    fn attacks(&self, ending: &'static str, attack: Attack) {
        *self.attack.lock().unwrap() = Some((ending, attack));
    }

    fn peace(&self) {
        *self.attack.lock().unwrap() = None;
    }

    fn asked(&self, ending: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|line| line.ends_with(ending)).count()
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn reply(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into()
}

async fn serve(
    stream: TcpStream,
    session: &str,
    seen: &Mutex<Vec<String>>,
    attack: &Mutex<Option<(&'static str, Attack)>>,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if stream.read_line(&mut first).await.ok()? == 0 {
            return None;
        }
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await.ok()?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line.trim().is_empty() {
                break;
            }
        }
        stream.read_exact(&mut vec![0; length]).await.ok()?;
        let line = first.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
        seen.lock().unwrap().push(line.clone());
        let struck = attack.lock().unwrap().filter(|(ending, _)| line.ends_with(ending)).map(|(_, attack)| attack);
        let to = stream.get_mut();
        match struck {
            Some(attack) => strike(to, attack).await?,
            None if line == "POST /session" => {
                to.write_all(&reply(&json!({"value": {"sessionId": session, "capabilities": {}}}).to_string()))
                    .await
                    .ok()?;
            }
            None if line.ends_with("/window") => to.write_all(&reply(r#"{"value":"w1"}"#)).await.ok()?,
            None if line.ends_with("/window/handles") => to.write_all(&reply(r#"{"value":["w1"]}"#)).await.ok()?,
            None if line.ends_with("/alert/text") => {
                let body = r#"{"value":{"error":"no such alert","message":"","stacktrace":""}}"#;
                let head = format!("HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\n\r\n", body.len());
                to.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
            }
            None => to.write_all(&reply(r#"{"value":null}"#)).await.ok()?,
        }
    }
}

/// The same bytes again and again, for as long as the other side listens.
async fn for_ever(to: &mut TcpStream, part: &[u8], pause: Option<Duration>) -> Option<()> {
    loop {
        to.write_all(part).await.ok()?;
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
    }
}

/// Goes on for as long as the other side listens.
async fn strike(to: &mut TcpStream, attack: Attack) -> Option<()> {
    const OK: &[u8] = b"HTTP/1.1 200 OK\r\n";
    let drip = Some(Duration::from_millis(20));
    match attack {
        Attack::Silence => std::future::pending().await,
        Attack::DrippingHead => for_ever(to, b"H", drip).await,
        Attack::EndlessHeaders => {
            to.write_all(OK).await.ok()?;
            to.write_all(&b"x-a: b\r\n".repeat(1 << 20)).await.ok()
        }
        Attack::OneEndlessHeader => {
            to.write_all(OK).await.ok()?;
            to.write_all(b"x-a: ").await.ok()?;
            to.write_all(&vec![b'a'; 64 << 20]).await.ok()
        }
        Attack::InformationForever => for_ever(to, b"HTTP/1.1 100 Continue\r\n\r\n", None).await,
        Attack::SwitchesProtocols => {
            to.write_all(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n").await.ok()
        }
        Attack::AnnouncesAGigabyte => {
            to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n{").await.ok()?;
            std::future::pending().await
        }
        Attack::AnnouncesTheLargestNumber => {
            to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\n{").await.ok()?;
            std::future::pending().await
        }
        Attack::NegativeLength => to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n{}").await.ok(),
        Attack::EndlessBody => {
            to.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"value\":\"").await.ok()?;
            let part = vec![b'a'; 1 << 20];
            loop {
                to.write_all(&part).await.ok()?;
            }
        }
        Attack::EndlessChunk => {
            to.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.ok()?;
            to.write_all(b"ffffffffffffffff\r\n").await.ok()?;
            let part = vec![b'a'; 1 << 20];
            loop {
                to.write_all(&part).await.ok()?;
            }
        }
        Attack::DrippingBody => {
            to.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").await.ok()?;
            for_ever(to, b" ", drip).await
        }
        Attack::Redirects => {
            to.write_all(b"HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n").await.ok()
        }
        Attack::RedirectsWithAnError => {
            let body = r#"{"value":{"error":"invalid argument","message":""}}"#;
            let head = format!("HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: {}\r\n\r\n", body.len());
            to.write_all((head + body).as_bytes()).await.ok()
        }
        Attack::ClaimsGzip => {
            let head =
                b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 10\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\0";
            to.write_all(head).await.ok()
        }
        Attack::DeepJson => to.write_all(&reply(&format!("{{\"value\":{}", "[".repeat(1_000_000)))).await.ok(),
        Attack::WrongTypes => to.write_all(&reply(r#"{"value":{"error":7,"message":[],"element":{}}}"#)).await.ok(),
        Attack::HalfASurrogate => to.write_all(&reply(r#"{"value":"\ud800"}"#)).await.ok(),
        Attack::NotHttp => to.write_all(b"SSH-2.0-OpenSSH_9.2\r\n").await.ok(),
        Attack::TwoReplies => {
            let stale = reply(r#"{"value":"stale"}"#);
            to.write_all(&[reply(r#"{"value":{"error":7}}"#), stale.clone(), stale].concat()).await.ok()
        }
    }
}

/// A session with a browser that is not there.
async fn opened(world: &World, hostile: &Hostile) {
    let open = world.session("web").request(&format!("open --browser firefox --driver-url {}", hostile.url));
    world.run(&Request { platform: Some(Platform::Web), ..open }).await.expect("the server behaves so far");
}

/// Runs a line under attack; what was told, and that it was told in time.
async fn attacked(world: &World, line: &str, attack: Attack) -> Result<serde_json::Value, Told> {
    let began = Instant::now();
    let session = world.session("web");
    let outcome = world.run(&session.within(LIMIT_MS, line)).await;
    let took = began.elapsed();
    assert!(took < Duration::from_millis(LIMIT_MS) + SLACK, "{attack:?}: {line} took {took:?}");
    outcome
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_under_attack_ends_in_time_as_unknown_and_is_sent_once() {
    let world = World::start(None).await;
    let hostile = Hostile::start("s1").await;
    opened(&world, &hostile).await;
    for attack in ATTACKS {
        hostile.attacks("/url", attack);
        let before = hostile.asked("/url");
        let told = attacked(&world, "open http://127.0.0.1:1/page", attack).await.expect_err("no page is there");
        assert_eq!(told.dispatched, "unknown", "{attack:?}: {:#}", told.error);
        assert_eq!(hostile.asked("/url") - before, 1, "{attack:?}: sent more than once");
        assert_eq!(hostile.asked("/elsewhere"), 0, "a redirection was followed");
        // The session goes on once the server behaves.
        hostile.peace();
        attacked(&world, "windows", attack)
            .await
            .unwrap_or_else(|told| panic!("{attack:?}: afterwards {:#}", told.error));
    }
    assert!(peak() < 900 * MIB, "{} MiB were in use", peak() / MIB);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_under_attack_ends_in_time_and_says_no() {
    let world = World::start(None).await;
    let hostile = Hostile::start("s1").await;
    opened(&world, &hostile).await;
    for attack in ATTACKS {
        hostile.attacks("/window/handles", attack);
        if let Err(told) = attacked(&world, "windows", attack).await {
            assert_eq!(told.dispatched, "no", "{attack:?}: {:#}", told.error);
        } else {
            panic!("{attack:?}: it was taken for a list of windows");
        }
        // Others do not wait for it.
        hostile.peace();
    }
    let other = world.on_ground().await;
    other.does("press id=save").await;
    assert!(peak() < 900 * MIB, "{} MiB were in use", peak() / MIB);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_never_comes_is_waited_for_no_longer_than_asked() {
    let world = World::start(None).await;
    for attack in ATTACKS {
        let hostile = Hostile::start("s1").await;
        hostile.attacks("/session", attack);
        let line = format!("open http://127.0.0.1:1/ --driver-url {}", hostile.url);
        let told = attacked(&world, &line, attack).await.expect_err("there is no browser");
        assert!(["no", "unknown"].contains(&told.dispatched.as_str()), "{attack:?}");
        assert_eq!(hostile.asked("POST /session"), 1, "{attack:?}: a second browser may have been started");
    }
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_of_a_driver_lead_nowhere_but_into_its_session() {
    for id in [
        "../../admin",
        "..",
        "a?b#c",
        "a b\r\nx-evil: 1\r\n\r\nDELETE /session/other HTTP/1.1\r\n\r\n",
        "ä\0",
        "%2e%2e",
    ] {
        let world = World::start(None).await;
        let hostile = Hostile::start(id).await;
        opened(&world, &hostile).await;
        world.session("web").does("windows").await;
        world.session("web").does("close").await;
        for line in
            hostile.seen.lock().unwrap().iter().filter(|line| *line != "POST /session" && !line.ends_with("/status"))
        {
            let path = line.split(' ').nth(1).unwrap_or_default();
            let segment = path.strip_prefix("/session/").unwrap_or_else(|| panic!("{id:?}: {line:?}"));
            let segment = segment.split('/').next().unwrap_or_default();
            assert!(!segment.is_empty() && !segment.contains(['?', '#', ' ']) && segment != "..", "{id:?}: {line:?}");
        }
        assert!(
            !hostile
                .seen
                .lock()
                .unwrap()
                .iter()
                .any(|line| line.contains("other") && line.starts_with("DELETE /session/other"))
        );
        assert_eq!(world.end().await, Vec::<String>::new());
    }
}
