//! Cuts by the byte: every connection is kept on a tape, and one of them is cut after so many bytes of either direction.
//!
//! One connection is one exchange: the words that open the way, then the operation, then its answer. Which exchange is
//! cut is told by its number, because a cut in the first word comes before anything is said of what follows.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy, copy_bidirectional, sink},
    net::TcpStream,
    time::sleep,
};

/// Bytes of each direction that a tape keeps; all of them are counted.
const KEPT: usize = 256 << 10;

/// How long a service is still served after the backend has hung up.
const GRACE: Duration = Duration::from_secs(2);

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// From the backend to the adb server.
    Request,
    /// From the adb server to the backend.
    Reply,
}

/// What becomes of a connection when its bytes have passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The backend is told the end. The adb server is told so too where the request was cut; where the reply was, it is
    /// served to its end, so that the device does all it was asked to do.
    Fin,
    /// Both are reset at once.
    Rst,
    /// Nothing passes any more, and nothing is closed.
    Stall,
    /// Everything goes on after this time.
    Delay(Duration),
    /// The rest of the reply comes twice.
    Twice,
    /// Instead of the rest of the reply these bytes come, and then the end. The device does what it was asked to do,
    /// unless the request was cut.
    Instead(Vec<u8>),
}

/// One cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByteCut {
    /// Which connection from now on, from 0.
    pub connection: usize,
    /// In which direction bytes are counted.
    pub side: Side,
    /// How many pass. A reply is cut when the next byte arrives, so that the device has done what led to it; a request
    /// as soon as they have passed.
    pub at: usize,
    /// What happens then.
    pub ending: Ending,
}

/// What passed over one connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exchange {
    /// From the backend.
    pub request: Heard,
    /// To it.
    pub reply: Heard,
}

/// One direction of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heard {
    /// How many bytes.
    pub length: usize,
    /// The first of them.
    pub bytes: Vec<u8>,
}

impl Heard {
    fn take(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        let room = KEPT.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl Exchange {
    /// What it was about: the last word to the server, or `helper:` and the line to the helper.
    pub fn what(&self) -> String {
        let (last, rest) = self.words();
        if last.starts_with("tcp:") {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            return format!("helper:{}", String::from_utf8_lossy(line));
        }
        last
    }

    /// Bytes of the words to the server.
    pub fn way(&self) -> usize {
        self.request.bytes.len() - self.words().1.len()
    }

    /// The last word to the server, and what comes after it.
    fn words(&self) -> (String, &[u8]) {
        let mut rest = self.request.bytes.as_slice();
        let mut last = String::new();
        while let Some((word, after)) = word(rest) {
            rest = after;
            last = word;
            if !last.starts_with("host:t") {
                break;
            }
        }
        (last, rest)
    }
}

/// A whole word of the smart socket at the beginning, and what comes after it.
fn word(bytes: &[u8]) -> Option<(String, &[u8])> {
    let length = usize::from_str_radix(std::str::from_utf8(bytes.get(..4)?).ok()?, 16).ok()?;
    let text = bytes.get(4..4 + length)?;
    Some((String::from_utf8_lossy(text).into_owned(), &bytes[4 + length..]))
}

/// Every connection since it was put on.
#[derive(Debug, Default)]
pub(super) struct Tape {
    pub(super) cut: Option<ByteCut>,
    pub(super) struck: bool,
    pub(super) exchanges: Vec<Arc<Mutex<Exchange>>>,
}

/// One connection of a tape.
pub(super) struct Taped {
    pub(super) exchange: Arc<Mutex<Exchange>>,
    pub(super) cut: Option<ByteCut>,
    pub(super) tape: Arc<Mutex<Tape>>,
}

/// Hands everything on in both directions, up to the cut.
pub(super) async fn serve(mut client: TcpStream, mut server: TcpStream, taped: Taped) -> io::Result<()> {
    let Taped { exchange, cut, tape } = taped;
    let at = |side| cut.as_ref().filter(|cut| cut.side == side).map(|cut| cut.at);
    let struck = {
        let (mut from_client, mut to_client) = client.split();
        let (mut from_server, mut to_server) = server.split();
        let request = pump(&mut from_client, &mut to_server, at(Side::Request), Side::Request, &exchange);
        let reply = pump(&mut from_server, &mut to_client, at(Side::Reply), Side::Reply, &exchange);
        tokio::pin!(request, reply);
        let (mut asked, mut answered) = (false, false);
        loop {
            let passed = tokio::select! {
                passed = &mut request, if !asked => { asked = true; passed }
                passed = &mut reply, if !answered => { answered = true; passed }
            };
            match passed? {
                Passed::All if asked && answered => return Ok(()),
                Passed::All => {}
                Passed::Upto(rest) => break rest,
            }
        }
    };
    let Some(cut) = cut else { return Ok(()) };
    tape.lock().unwrap().struck = true;
    end(cut, client, server, &struck).await
}

/// How far a direction came.
enum Passed {
    /// To its end, which was handed on.
    All,
    /// To the cut; these bytes were read and not handed on.
    Upto(Vec<u8>),
}

async fn pump(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    at: Option<usize>,
    side: Side,
    exchange: &Mutex<Exchange>,
) -> io::Result<Passed> {
    let mut passed = 0;
    let mut piece = vec![0; 64 << 10];
    loop {
        if side == Side::Request && at == Some(passed) {
            return Ok(Passed::Upto(Vec::new()));
        }
        let count = from.read(&mut piece).await?;
        if count == 0 {
            // Whoever closed both directions at once is not told an end.
            let _closed = to.shutdown().await;
            return Ok(Passed::All);
        }
        let pass = at.map_or(count, |at| count.min(at - passed));
        {
            let mut exchange = exchange.lock().unwrap();
            let heard = if side == Side::Request { &mut exchange.request } else { &mut exchange.reply };
            heard.take(&piece[..pass]);
        }
        to.write_all(&piece[..pass]).await?;
        passed += pass;
        if pass < count {
            return Ok(Passed::Upto(piece[pass..count].to_vec()));
        }
    }
}

async fn end(cut: ByteCut, mut client: TcpStream, mut server: TcpStream, rest: &[u8]) -> io::Result<()> {
    match cut.ending {
        Ending::Rst => {
            client.set_zero_linger()?;
            server.set_zero_linger()
        }
        Ending::Fin => {
            client.shutdown().await?;
            match cut.side {
                Side::Request => {
                    drop(server);
                    // Bytes that lay unread would turn the end into a reset.
                    copy(&mut client, &mut sink()).await.map(|_| ())
                }
                Side::Reply => served(&mut client, &mut server).await,
            }
        }
        Ending::Stall => {
            if cut.side == Side::Reply {
                served(&mut client, &mut server).await?;
            }
            copy(&mut client, &mut sink()).await.map(|_| ())
        }
        Ending::Delay(time) => {
            sleep(time).await;
            let onward = if cut.side == Side::Request { &mut server } else { &mut client };
            onward.write_all(rest).await?;
            copy_bidirectional(&mut client, &mut server).await.map(|_| ())
        }
        Ending::Twice => {
            let mut all = rest.to_vec();
            let (mut from_client, mut to_client) = client.split();
            let (mut from_server, mut to_server) = server.split();
            tokio::select! {
                ended = from_server.read_to_end(&mut all) => ended.map(|_| ())?,
                Err(ended) = copy(&mut from_client, &mut to_server) => return Err(ended),
            }
            to_client.write_all(&[all.as_slice(), all.as_slice()].concat()).await?;
            to_client.shutdown().await
        }
        Ending::Instead(bytes) => {
            client.write_all(&bytes).await?;
            client.shutdown().await?;
            match cut.side {
                Side::Request => {
                    drop(server);
                    copy(&mut client, &mut sink()).await.map(|_| ())
                }
                Side::Reply => served(&mut client, &mut server).await,
            }
        }
    }
}

/// Serves the request to its end; nobody hears of it. A service that has no end goes on for [`GRACE`] after the backend
/// has hung up.
async fn served(client: &mut TcpStream, server: &mut TcpStream) -> io::Result<()> {
    let (mut from_client, _to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let onward = async {
        // The backend may hang up or be reset: what it said before still goes on.
        let _closed = copy(&mut from_client, &mut to_server).await;
        sleep(GRACE).await;
    };
    let mut nobody = sink();
    tokio::select! {
        ended = copy(&mut from_server, &mut nobody) => ended.map(|_| ()),
        () = onward => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(request: &str) -> Exchange {
        let mut exchange = Exchange::default();
        exchange.request.take(request.as_bytes());
        exchange
    }

    #[test]
    fn an_exchange_is_called_by_what_it_was_about() {
        let way = "0010host:transport:x";
        let helper = exchange(&format!("{way}0008tcp:4711press press-1 e30=\n"));
        assert_eq!((helper.what().as_str(), helper.way()), ("helper:press press-1 e30=", 32));
        let shell = exchange(&format!("{way}0007shell:xpayload"));
        assert_eq!((shell.what().as_str(), shell.way()), ("shell:x", 31));
        let host = exchange("000chost:version");
        assert_eq!((host.what().as_str(), host.way()), ("host:version", 16));
        assert_eq!(exchange("00").what(), "", "a word that broke off");
    }
}
