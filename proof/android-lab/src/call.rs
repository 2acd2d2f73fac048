//! One command that runs on the device: its words, its input and output.

use serde::Deserialize;
use tokio::{
    io::BufReader,
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::mpsc,
};

use crate::frame;

/// A command and the shell's ends of it.
#[derive(Debug)]
pub struct Call {
    /// Its name and its words.
    pub argv: Vec<String>,
    /// The process that a shell sees.
    pub pid: i32,
    to: OwnedWriteHalf,
    from: mpsc::Receiver<In>,
}

#[derive(Debug)]
enum In {
    Bytes(Vec<u8>),
    End,
    Signal,
}

/// How a command that runs until it is told to stop was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// By a signal.
    Signal,
    /// Its process is gone.
    Gone,
}

#[derive(Deserialize)]
struct Begin {
    argv: Vec<String>,
    pid: i32,
}

impl Call {
    /// Reads what is called from a connection whose first byte was not read yet.
    ///
    /// # Errors
    /// Those of the connection, and a first frame of another kind.
    pub async fn accept(connection: TcpStream) -> std::io::Result<Self> {
        let (from, to) = connection.into_split();
        let mut from = BufReader::new(from);
        let Some((frame::BEGIN, bytes)) = frame::read(&mut from).await? else {
            return Err(std::io::ErrorKind::InvalidData.into());
        };
        let Begin { argv, pid } = serde_json::from_slice(&bytes)?;
        let (sender, receiver) = mpsc::channel(16);
        tokio::spawn(forward(from, sender));
        Ok(Self { argv, pid, to, from: receiver })
    }

    /// The words after the name.
    pub fn words(&self) -> Vec<&str> {
        self.argv.iter().skip(1).map(String::as_str).collect()
    }

    /// Prints. A reader that is gone is the concern of whoever waits for [`Call::told_to_stop`].
    pub async fn print(&mut self, text: impl AsRef<[u8]>) {
        for piece in text.as_ref().chunks(1024 * 1024) {
            let _gone = frame::write(&mut self.to, frame::STDOUT, piece).await;
        }
    }

    /// Prints a line.
    pub async fn line(&mut self, text: impl AsRef<str>) {
        self.print(format!("{}\n", text.as_ref())).await;
    }

    /// Complains with a line.
    pub async fn complain(&mut self, text: impl AsRef<str>) {
        let _gone = frame::write(&mut self.to, frame::STDERR, format!("{}\n", text.as_ref()).as_bytes()).await;
    }

    /// Ends it.
    pub async fn exit(mut self, code: u8) {
        let _gone = frame::write(&mut self.to, frame::EXIT, &[code]).await;
    }

    /// Standard input: so many bytes, or all of it.
    pub async fn input(&mut self, most: Option<usize>) -> Vec<u8> {
        let most = most.unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        if frame::write(&mut self.to, frame::WANT_STDIN, &[]).await.is_err() {
            return bytes;
        }
        while bytes.len() < most {
            match self.from.recv().await {
                Some(In::Bytes(more)) => bytes.extend_from_slice(&more),
                Some(In::End | In::Signal) | None => break,
            }
        }
        bytes.truncate(most);
        bytes
    }

    /// Waits until it is told to stop.
    pub async fn told_to_stop(&mut self) -> Told {
        loop {
            match self.from.recv().await {
                Some(In::Signal) => return Told::Signal,
                None => return Told::Gone,
                Some(In::Bytes(_) | In::End) => {}
            }
        }
    }
}

async fn forward(mut from: BufReader<OwnedReadHalf>, to: mpsc::Sender<In>) {
    while let Ok(Some((kind, bytes))) = frame::read(&mut from).await {
        let what = match kind {
            frame::STDIN => In::Bytes(bytes),
            frame::STDIN_END => In::End,
            frame::SIGNAL => In::Signal,
            _ => continue,
        };
        if to.send(what).await.is_err() {
            return;
        }
    }
}
