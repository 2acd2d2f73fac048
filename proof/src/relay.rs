//! A socket between client and daemon. It hands every line on, until a request that was run is answered: that reply it
//! drops, and from then on nobody listens.

use std::path::{Path, PathBuf};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{UnixListener, UnixStream},
    task::JoinHandle,
};

/// Serves `at` from `daemon` until the first reply to a `run`. The task ends with the text of the reply that it
/// dropped.
pub fn dropping_the_reply(at: &Path, daemon: &Path) -> JoinHandle<String> {
    let listener = UnixListener::bind(at).unwrap_or_else(|why| panic!("{}: {why}", at.display()));
    let daemon = daemon.to_owned();
    tokio::spawn(async move {
        loop {
            let (client, _) = listener.accept().await.expect("a client connects");
            if let Some(dropped) = hand_on(client, &daemon).await {
                return dropped;
            }
        }
    })
}

/// Hands lines on in pairs. `None`: the client went away first.
async fn hand_on(client: UnixStream, daemon: &PathBuf) -> Option<String> {
    let server = UnixStream::connect(daemon).await.expect("the daemon listens");
    let (mut client, mut server) = (BufReader::new(client), BufReader::new(server));
    loop {
        let (mut request, mut reply) = (String::new(), String::new());
        if client.read_line(&mut request).await.ok()? == 0 {
            return None;
        }
        server.get_mut().write_all(request.as_bytes()).await.expect("the daemon reads");
        server.read_line(&mut reply).await.expect("the daemon answers");
        if request.contains("\"method\":\"run\"") {
            return Some(reply);
        }
        client.get_mut().write_all(reply.as_bytes()).await.ok()?;
    }
}
