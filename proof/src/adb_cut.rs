//! A proxy between the Android backend and the real adb server that loses, delays and garbles replies.
//!
//! It reads along: every word to the server (`host:transport:...`, `shell,v2,raw:input ...`, `tcp:4711`) and, on a
//! connection to the helper's session, the command line. A rule names the beginning of such a word, and after a `*` what
//! else is in it; a command to the helper is named `helper:` and its action.
//!
//! | module | answers |
//! | --- | --- |
//! | here | rules for words |
//! | `strike` | what a rule does to an exchange |
//! | [`bytes`] | cuts after a number of bytes, and a tape of what passed |

pub mod bytes;
mod strike;

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::{JoinHandle, JoinSet},
};

use bytes::{ByteCut, Exchange, Tape, Taped};

/// What happens to an exchange.
#[derive(Debug, Clone)]
pub enum AdbCut {
    /// The connection is closed, and the word is never handed on.
    CloseBefore,
    /// The word is handed on, so many bytes of the reply come back, then the connection is closed.
    CutReply(usize),
    /// The word is handed on and served to its end; of the reply only the first so many bytes come back.
    Truncate(u64),
    /// The word is handed on, and nothing ever comes back.
    Stall,
    /// The word is handed on, and the reply comes back late.
    Delay(Duration),
    /// The word is handed on, and other bytes come back instead of the reply.
    Garble,
    /// The word is handed on once this is notified, and then goes its way.
    Hold(Arc<Notify>),
    /// The word is handed on, nothing comes back, and once this is notified the connection is closed.
    Sever(Arc<Notify>),
    /// The word is handed on, and wherever the first of these stands in the reply, the second of the same length comes
    /// back.
    Alter(&'static [u8], &'static [u8]),
    /// The word is not handed on: the way is said to be open, and reset before anything can go over it.
    OpenAndReset,
    /// The word is not handed on: the server refuses with this text.
    Fail(String),
    /// The word is not handed on: these bytes come back.
    Answer(Vec<u8>),
}

#[derive(Debug)]
struct Rule {
    word: String,
    /// Which occurrence from now on, from 1.
    nth: u32,
    cut: AdbCut,
}

#[derive(Debug, Default)]
struct Shared {
    rules: Vec<Rule>,
    struck: u32,
    seen: Vec<String>,
    handed_on: Vec<String>,
    /// While there is one, connections go by the byte and no rule is looked at.
    tape: Option<Arc<Mutex<Tape>>>,
}

/// What a tape holds.
#[derive(Debug, Default)]
pub struct Watched {
    /// Every connection since it was put on.
    pub exchanges: Vec<Exchange>,
    /// Whether the cut struck.
    pub struck: bool,
}

/// The proxy. Its connections end with it.
#[derive(Debug)]
pub struct AdbProxy {
    port: u16,
    server: Arc<AtomicU16>,
    shared: Arc<Mutex<Shared>>,
    task: JoinHandle<()>,
}

impl AdbProxy {
    /// In front of the adb server at a port of this machine; 0 where none is there yet: connections are closed at once.
    pub async fn start(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port to listen on");
        let port = listener.local_addr().expect("it is bound").port();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let server = Arc::new(AtomicU16::new(server));
        let (inner, behind) = (shared.clone(), server.clone());
        let task = tokio::spawn(async move {
            // They end with this task.
            let mut connections = JoinSet::new();
            while let Ok((client, _)) = listener.accept().await {
                let (shared, server) = (inner.clone(), behind.load(Ordering::SeqCst));
                // Either side may hang up at any time.
                connections.spawn(async move { drop(serve(client, server, shared).await) });
                while connections.try_join_next().is_some() {}
            }
        });
        Self { port, server, shared, task }
    }

    /// From now on another adb server is behind it.
    pub fn lead_to(&self, server: u16) {
        self.server.store(server, Ordering::SeqCst);
    }

    /// Nothing listens there any more, and the connections there were are closed.
    pub fn close(&self) {
        self.task.abort();
    }

    /// Where it listens.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The `nth` word from now on that begins with `word` (and holds what is behind a `*`) is cut.
    pub fn cut(&self, nth: u32, word: &str, cut: AdbCut) {
        self.shared.lock().unwrap().rules.push(Rule { word: word.to_owned(), nth, cut });
    }

    /// From now on every connection is kept on a tape, and cut where that is said. Those that are open already are not.
    pub fn watch(&self, cut: Option<ByteCut>) {
        self.shared.lock().unwrap().tape = Some(Arc::new(Mutex::new(Tape { cut, ..Tape::default() })));
    }

    /// No longer; what was kept.
    pub fn watched(&self) -> Watched {
        let Some(tape) = self.shared.lock().unwrap().tape.take() else { return Watched::default() };
        let tape = tape.lock().unwrap();
        let exchanges = tape.exchanges.iter().map(|exchange| exchange.lock().unwrap().clone()).collect();
        Watched { exchanges, struck: tape.struck }
    }

    /// How many rules struck.
    pub fn struck(&self) -> u32 {
        self.shared.lock().unwrap().struck
    }

    /// How many such words were handed on to the server.
    pub fn handed_on(&self, word: &str) -> usize {
        self.shared.lock().unwrap().handed_on.iter().filter(|seen| fits(word, seen)).count()
    }

    /// Every word that came by.
    pub fn seen(&self) -> Vec<String> {
        self.shared.lock().unwrap().seen.clone()
    }
}

impl Drop for AdbProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Whether a rule is of this word.
fn fits(rule: &str, word: &str) -> bool {
    let (begins, holds) = rule.split_once('*').unwrap_or((rule, ""));
    word.starts_with(begins) && word.contains(holds)
}

/// What is to happen to a word.
fn judge(shared: &Mutex<Shared>, word: &str) -> Option<AdbCut> {
    let mut shared = shared.lock().unwrap();
    shared.seen.push(word.to_owned());
    let mut due = None;
    for (place, rule) in shared.rules.iter_mut().enumerate().filter(|(_, rule)| fits(&rule.word, word)) {
        rule.nth -= 1;
        if rule.nth == 0 {
            due = due.or(Some(place));
        }
    }
    let cut = due.map(|place| shared.rules.remove(place).cut);
    shared.rules.retain(|rule| rule.nth > 0);
    shared.struck += u32::from(cut.is_some());
    if !matches!(cut, Some(AdbCut::CloseBefore | AdbCut::Fail(_) | AdbCut::Answer(_) | AdbCut::OpenAndReset)) {
        shared.handed_on.push(word.to_owned());
    }
    cut
}

/// The next connection of the tape, where there is one.
fn taped(shared: &Mutex<Shared>) -> Option<Taped> {
    let shared = shared.lock().unwrap();
    let tape = shared.tape.clone()?;
    let mut inner = tape.lock().unwrap();
    let exchange = Arc::new(Mutex::new(Exchange::default()));
    let number = inner.exchanges.len();
    inner.exchanges.push(exchange.clone());
    let cut = inner.cut.clone().filter(|cut| cut.connection == number);
    drop(inner);
    Some(Taped { exchange, cut, tape })
}

async fn serve(mut client: TcpStream, server: u16, shared: Arc<Mutex<Shared>>) -> io::Result<()> {
    let mut server = TcpStream::connect(("127.0.0.1", server)).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    if let Some(taped) = taped(&shared) {
        return bytes::serve(client, server, taped).await;
    }
    loop {
        let (word, bytes) = word(&mut client).await?;
        if let Some(cut) = judge(&shared, &word) {
            return strike::strike(cut, client, server, &bytes).await;
        }
        server.write_all(&bytes).await?;
        let way = word.starts_with("host:transport") || word.starts_with("host:tport");
        let helper = word.starts_with("tcp:");
        if !way && !helper {
            break;
        }
        // A refusal and whatever else comes is passed on as it is.
        let extra = if word.starts_with("host:tport") { 8 } else { 0 };
        let mut reply = vec![0; 4];
        server.read_exact(&mut reply).await?;
        if reply == b"OKAY" && extra > 0 {
            let mut id = vec![0; extra];
            server.read_exact(&mut id).await?;
            reply.extend(id);
        }
        let okay = reply.starts_with(b"OKAY");
        client.write_all(&reply).await?;
        if !okay {
            break;
        }
        if helper {
            let line = line(&mut client).await?;
            let word = format!("helper:{}", String::from_utf8_lossy(&line).trim_end());
            if let Some(cut) = judge(&shared, &word) {
                return strike::strike(cut, client, server, &line).await;
            }
            server.write_all(&line).await?;
            break;
        }
    }
    copy_bidirectional(&mut client, &mut server).await.map(|_| ())
}

/// A word of the smart socket, and its bytes: four hex digits, then so many bytes.
async fn word(client: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    let mut bytes = vec![0; 4];
    client.read_exact(&mut bytes).await?;
    let length = std::str::from_utf8(&bytes).ok().and_then(|digits| usize::from_str_radix(digits, 16).ok());
    let length = length.ok_or(io::ErrorKind::InvalidData)?;
    let mut text = vec![0; length];
    client.read_exact(&mut text).await?;
    bytes.extend(&text);
    Ok((String::from_utf8_lossy(&text).into_owned(), bytes))
}

async fn line(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let mut part = [0; 4096];
        match client.read(&mut part).await? {
            0 => break,
            count => line.extend_from_slice(&part[..count]),
        }
    }
    Ok(line)
}
