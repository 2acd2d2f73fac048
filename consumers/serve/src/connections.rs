//! How many connections at once, and how slow they may be.

use std::{sync::Arc, time::Duration};

use contract::hop::SERVER_HEADER;
use daemon::log;
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
};

use crate::{door::Door, files::STANDS_STILL, patient::Patient, reply};

/// Connections at a time.
const CONNECTIONS: usize = 64;
/// How long the headers of a request may take, and how long a connection may stand unused.
const HEADERS: Duration = Duration::from_secs(10);
/// Headers at most, bytes.
const HEADER_BYTES: usize = 16 << 10;
/// So much of a request is taken that is not looked at, bytes.
const UNREAD: u64 = 64 << 10;
/// How long requests under way may go on once the server is to end.
const ENDING: Duration = Duration::from_secs(3);

/// Serves until `stop` changes; then requests under way have a moment to end.
pub async fn serve(listener: TcpListener, door: Arc<Door>, mut stop: watch::Receiver<bool>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = stop.changed() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if connections.len() >= CONNECTIONS => {
                    connections.spawn(turn_away(stream));
                }
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, door.clone(), stop.clone()));
                }
                Err(why) => {
                    log::line(&format!("a connection could not be accepted: {why}"));
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    let _in_time = tokio::time::timeout(ENDING, ended).await;
}

async fn connection(stream: TcpStream, door: Arc<Door>, mut stop: watch::Receiver<bool>) {
    // Small replies go out at once.
    let _as_it_was = stream.set_nodelay(true);
    let answer = service_fn(move |request| {
        let door = door.clone();
        async move { Ok::<_, std::convert::Infallible>(door.answer(request).await) }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Patient::new(stream, STANDS_STILL)), answer);
    let mut serving = std::pin::pin!(serving);
    // A client that is too slow, gone, or speaks something else: nothing is left to tell it.
    tokio::select! {
        _gone = serving.as_mut() => return,
        _ = stop.changed() => serving.as_mut().graceful_shutdown(),
    }
    let _gone = serving.await;
}

/// Says why a connection is not taken, and closes it.
async fn turn_away(mut stream: TcpStream) {
    let failure = crate::leases::busy(&format!("this server has {CONNECTIONS} connections already"));
    let body = reply::text_of(failure);
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\n{SERVER_HEADER}: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        contract::VERSION,
        body.len()
    );
    let told = async {
        stream.write_all((head + &body).as_bytes()).await?;
        stream.shutdown().await?;
        // What was asked is read and not looked at: closed over it, the connection would be reset, and the reason lost.
        tokio::io::copy(&mut stream.take(UNREAD), &mut tokio::io::sink()).await
    };
    let _in_time = tokio::time::timeout(ENDING, told).await;
}
