//! An adb server that says what the test wants, and stops where the test wants.

use std::time::Duration;

use android::adb::{Adb, Address};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    /// The server sends no more and hears the rest.
    Closes,
    /// The connection is reset.
    Resets,
    /// The server says nothing more and hears the rest.
    Stalls,
}

/// One exchange: so many bytes are heard (`None`: a framed word), then something is said.
#[derive(Debug, Clone)]
pub struct Step {
    pub hears: Option<usize>,
    pub says: Vec<u8>,
}

/// After a framed word.
pub fn word(says: &[u8]) -> Step {
    Step { hears: None, says: says.to_vec() }
}

/// After so many bytes.
pub fn bytes(hears: usize, says: &[u8]) -> Step {
    Step { hears: Some(hears), says: says.to_vec() }
}

/// A conversation, and where it stops.
#[derive(Debug, Clone)]
pub struct Script {
    pub steps: Vec<Step>,
    /// Stops after having heard so many bytes.
    pub hears: usize,
    /// Stops after having said so many bytes.
    pub says: usize,
    pub end: End,
}

impl Script {
    /// One that is played to its end.
    pub fn whole(steps: Vec<Step>) -> Self {
        Self { steps, hears: usize::MAX, says: usize::MAX, end: End::Closes }
    }
}

/// A server for one connection, and what it will have heard.
pub async fn server(script: Script) -> (Adb, tokio::task::JoinHandle<Vec<u8>>) {
    let (adb, heard) = servers(vec![script]).await;
    (adb, tokio::spawn(async move { heard.await.unwrap().remove(0) }))
}

/// A server for as many connections as there are scripts, one after the other.
pub async fn servers(scripts: Vec<Script>) -> (Adb, tokio::task::JoinHandle<Vec<Vec<u8>>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let adb = Adb::new(Address::local(listener.local_addr().unwrap().port()), None);
    let playing = tokio::spawn(async move {
        let mut heard = Vec::new();
        for script in scripts {
            let (stream, _) = listener.accept().await.unwrap();
            heard.push(play(stream, script).await);
        }
        heard
    });
    (adb, playing)
}

async fn play(mut stream: TcpStream, script: Script) -> Vec<u8> {
    let mut heard = Vec::new();
    let mut said = 0;
    for step in &script.steps {
        let whole = match step.hears {
            Some(count) => hear(&mut stream, &mut heard, count, script.hears).await,
            None => {
                let begin = heard.len();
                hear(&mut stream, &mut heard, 4, script.hears).await && {
                    let digits = std::str::from_utf8(&heard[begin..]).unwrap();
                    let length = usize::from_str_radix(digits, 16).unwrap();
                    hear(&mut stream, &mut heard, length, script.hears).await
                }
            }
        };
        if !whole {
            break;
        }
        let says = &step.says[..step.says.len().min(script.says - said)];
        said += says.len();
        if stream.write_all(says).await.is_err() || said == script.says {
            break;
        }
    }
    match script.end {
        End::Closes => {
            let _gone_already = stream.shutdown().await;
            let _reset = stream.read_to_end(&mut heard).await;
        }
        End::Resets => {
            // What has arrived by now counts as heard.
            let mut rest = [0; 4096];
            while let Ok(count @ 1..) = stream.try_read(&mut rest) {
                heard.extend_from_slice(&rest[..count]);
            }
            stream.set_zero_linger().unwrap();
        }
        End::Stalls => {
            let _reset = stream.read_to_end(&mut heard).await;
        }
    }
    heard
}

/// Hears so many bytes more; `false` where the limit or the end came first.
async fn hear(stream: &mut TcpStream, heard: &mut Vec<u8>, count: usize, limit: usize) -> bool {
    let wanted = count.min(limit.saturating_sub(heard.len()));
    let begin = heard.len();
    heard.resize(begin + wanted, 0);
    let mut got = 0;
    while got < wanted {
        match stream.read(&mut heard[begin + got..]).await {
            Ok(more @ 1..) => got += more,
            _ => break,
        }
    }
    heard.truncate(begin + got);
    got == count
}

/// Lets a server go on that still waits for its connection.
pub async fn release(adb: &Adb) {
    if let Address::Tcp { host, port } = adb.address() {
        let _nobody_waits = TcpStream::connect((host.as_str(), *port)).await;
    }
}

/// A framed word's length on the wire.
pub fn framed(service: &str) -> usize {
    4 + service.len()
}

/// A limit that a stalling server reaches soon.
pub const SOON: Duration = Duration::from_millis(500);
