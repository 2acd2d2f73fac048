//! Every command of a lab device (`am`, `pm`, `input`, ...) under its own name: passes itself on to the device and prints what
//! comes back.

use std::{path::Path, process::ExitCode};

use android_lab::frame;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, stderr, stdin, stdout},
    net::TcpStream,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
};

/// What a shell says of a command that could not run.
const CANNOT_RUN: u8 = 126;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let code = match run().await {
        Ok(code) => code,
        Err(cause) => {
            // Whether anybody reads it is of no concern.
            let _said = stderr().write_all(format!("the lab device does not answer: {cause}\n").as_bytes()).await;
            CANNOT_RUN
        }
    };
    // Reading standard input goes on in a thread that cannot be stopped; the process must not wait for it.
    std::process::exit(i32::from(code))
}

async fn run() -> std::io::Result<u8> {
    let mut argv: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(name) = argv.first_mut() {
        *name =
            Path::new(name.as_str()).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    }
    let address = std::env::var("LAB_DEVICE").map_err(std::io::Error::other)?;
    let (mut from, mut to) = TcpStream::connect(address).await?.into_split();
    let begin = serde_json::json!({ "argv": argv, "pid": std::process::id() });
    frame::write(&mut to, frame::BEGIN, begin.to_string().as_bytes()).await?;
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let (input, mut inputs) = mpsc::channel::<Vec<u8>>(4);
    let mut input = Some(input);
    let (frames, mut replies) = mpsc::channel(64);
    tokio::spawn(async move {
        while let Ok(Some(frame)) = frame::read(&mut from).await {
            if frames.send(frame).await.is_err() {
                break;
            }
        }
    });
    let (mut out, mut err) = (stdout(), stderr());
    loop {
        tokio::select! {
            frame = replies.recv() => match frame {
                Some((frame::STDOUT, bytes)) => { out.write_all(&bytes).await?; out.flush().await?; }
                Some((frame::STDERR, bytes)) => { err.write_all(&bytes).await?; err.flush().await?; }
                Some((frame::WANT_STDIN, _)) => if let Some(input) = input.take() { tokio::spawn(pump(input)); },
                Some((frame::EXIT, code)) => return Ok(code.first().copied().unwrap_or_default()),
                Some(_) => {}
                None => return Ok(CANNOT_RUN),
            },
            bytes = inputs.recv(), if input.is_none() && !inputs.is_closed() => match bytes {
                Some(bytes) if bytes.is_empty() => frame::write(&mut to, frame::STDIN_END, &[]).await?,
                Some(bytes) => frame::write(&mut to, frame::STDIN, &bytes).await?,
                None => {}
            },
            _ = interrupt.recv() => frame::write(&mut to, frame::SIGNAL, &[2]).await?,
            _ = terminate.recv() => frame::write(&mut to, frame::SIGNAL, &[15]).await?,
        }
    }
}

/// Standard input in pieces; an empty one at its end.
async fn pump(to: mpsc::Sender<Vec<u8>>) {
    let mut input = stdin();
    loop {
        let mut piece = vec![0; 64 * 1024];
        let read = input.read(&mut piece).await.unwrap_or(0);
        piece.truncate(read);
        if to.send(piece).await.is_err() || read == 0 {
            return;
        }
    }
}
