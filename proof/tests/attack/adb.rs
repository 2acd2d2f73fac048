//! An adb server, or a device behind one, that does not keep to the protocol: the request's limit holds, memory stays
//! bounded, and what failed says the truth.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use proof::world::World;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};

use crate::memory::{MIB, peak};

const LIMIT_MS: u64 = 1500;
const SLACK: Duration = Duration::from_secs(12);

/// Bytes once, then bytes again and again; `None` ends the connection after the first.
#[derive(Debug, Clone)]
struct Speech {
    name: &'static str,
    first: Vec<u8>,
    again: Option<Vec<u8>>,
}

fn speech(name: &'static str, first: &[u8], again: Option<&[u8]>) -> Speech {
    Speech { name, first: first.to_vec(), again: again.map(<[u8]>::to_vec) }
}

/// To every word.
fn to_words() -> Vec<Speech> {
    vec![
        speech("silence", b"", Some(b"")),
        speech("the end", b"", None),
        speech("OKAY without end", b"OKAY", Some(&b"OKAY".repeat(1 << 14))),
        speech("the longest text, never whole", b"OKAYffffabc", Some(b"")),
        speech("a refusal of the longest text", b"FAILffff\x1b[2Jno\n", Some(b"")),
        speech("a refusal in escapes", b"FAIL0020\x1b]52;c;x\x07\ndevice '../..' not found", None),
        speech("no length", b"OKAYzzzz", None),
        speech("neither", b"WHAT", None),
        speech("HTTP", b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", None),
        speech("one line without end", b"OKAYffff", Some(&[b'a'; 1 << 16])),
    ]
}

/// To a service, after the way to the device was opened as it should be.
fn to_services() -> Vec<Speech> {
    let packet = |kind: u8, length: u32| [&[kind][..], &length.to_le_bytes()].concat();
    let part = [packet(1, 1 << 16), vec![b'x'; 1 << 16]].concat();
    vec![
        speech("a packet of 4 GiB", &[b"OKAY".to_vec(), packet(1, u32::MAX)].concat(), Some(&[0; 1 << 16])),
        speech("packets without end", b"OKAY", Some(&part)),
        speech("a packet of no kind", &[b"OKAY".to_vec(), packet(77, 4)].concat(), Some(b"")),
        speech("empty packets without end", b"OKAY", Some(&packet(1, 0).repeat(1 << 12))),
        speech("errors without end", b"OKAY", Some(&[packet(2, 1 << 16), vec![b'x'; 1 << 16]].concat())),
        speech("an exit code of megabytes", &[b"OKAY".to_vec(), packet(3, 1 << 24)].concat(), Some(&[0; 1 << 16])),
        speech("lines without end", &[b"OKAY".to_vec(), packet(1, 1 << 24)].concat(), Some(&[b'\n'; 1 << 16])),
        speech("a file part of 4 GiB", b"OKAYDATA\xff\xff\xff\xff", Some(&[0; 1 << 16])),
        speech("a file without end", b"OKAY", Some(&[&b"DATA\0\0\x01\0"[..], &[0; 1 << 16]].concat())),
        speech("a refusal of 4 GiB", b"OKAYFAIL\xff\xff\xff\xff", Some(&[b'x'; 1 << 16])),
        speech("a service refused in escapes", b"FAIL0008\x1b[2J\nabc", None),
    ]
}

struct Server {
    port: u16,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A server that says this, to all words or only to what comes after the way to a device is open.
async fn server(speech: Speech, way_is_open: bool) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let speech = Arc::new(speech);
    let task = tokio::spawn(async move {
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let speech = speech.clone();
            connections.spawn(async move { serve(stream, &speech, way_is_open).await });
        }
    });
    Server { port, task }
}

async fn serve(mut stream: TcpStream, speech: &Speech, way_is_open: bool) -> Option<()> {
    loop {
        let mut digits = [0; 4];
        stream.read_exact(&mut digits).await.ok()?;
        let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
        let mut word = vec![0; length];
        stream.read_exact(&mut word).await.ok()?;
        let word = String::from_utf8_lossy(&word).into_owned();
        if way_is_open && word.starts_with("host") {
            let said: &[u8] = match word.as_str() {
                word if word.starts_with("host:transport") => b"OKAY",
                word if word.ends_with(":features") => b"OKAY001ashell_v2,cmd,stat_v2,ls_v2",
                word if word.contains("devices") => b"OKAY0014hostile\tdevice x:y\n\n",
                _ => b"OKAY0000",
            };
            stream.write_all(said).await.ok()?;
            if !word.starts_with("host:transport") {
                return Some(());
            }
            continue;
        }
        stream.write_all(&speech.first).await.ok()?;
        match &speech.again {
            None => return Some(()),
            Some(again) if again.is_empty() => std::future::pending().await,
            Some(again) => loop {
                stream.write_all(again).await.ok()?;
            },
        }
    }
}

/// Runs commands against every speech.
async fn attacked(speeches: Vec<Speech>, way_is_open: bool) {
    let world = World::start(None).await;
    let other = world.on_ground().await;
    for speech in speeches {
        let name = speech.name;
        let server = server(speech, way_is_open).await;
        world.adb.lead_to(server.port);
        let session = world.session("phone").on_phone("hostile");
        let file = world.folder().join("file.txt");
        std::fs::write(&file, "x").unwrap();
        for line in [
            "apps".to_owned(),
            "open com.example.app".to_owned(),
            "pull /sdcard/x /tmp/never-written".to_owned(),
            format!("push {} /sdcard/x", file.display()),
        ] {
            let began = Instant::now();
            let outcome = world.run(&session.within(LIMIT_MS, &line)).await;
            let took = began.elapsed();
            assert!(took < Duration::from_millis(LIMIT_MS) + SLACK, "{name}: {line} took {took:?}");
            if let Err(told) = outcome {
                assert!(["no", "unknown"].contains(&told.dispatched.as_str()), "{name}: {line}: {:#}", told.error);
            }
        }
        let began = Instant::now();
        other.does("press id=save").await;
        assert!(began.elapsed() < SLACK, "{name}: another session waited");
    }
    assert!(!std::path::Path::new("/tmp/never-written").exists(), "half a file was left");
    assert!(peak() < 900 * MIB, "{} MiB were in use", peak() / MIB);
    assert_eq!(world.end().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_speaks_no_adb_is_left_in_time() {
    attacked(to_words(), false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_never_ends_what_it_says_is_left_in_time() {
    attacked(to_services(), true).await;
}
