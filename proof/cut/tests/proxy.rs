//! The proxy between two programs of this file, over real sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "a test")]

use std::{io::ErrorKind, time::Duration};

use cut::{At, Ending, Fault, Framing, Proxy, Side, Strike};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream, UnixListener, UnixStream},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::timeout,
};

const LIMIT: Duration = Duration::from_secs(20);

/// What a peer got on one connection, and how that ended.
type Got = (Vec<u8>, Option<ErrorKind>);

/// Reads lines and answers each with a line of its own; hands over what it got once the connection has ended.
async fn peer<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S) -> Got {
    let (mut got, mut part, mut answered) = (Vec::new(), [0; 1024], 0);
    loop {
        match stream.read(&mut part).await {
            Ok(0) => return (got, None),
            Err(why) => return (got, Some(why.kind())),
            Ok(count) => got.extend_from_slice(&part[..count]),
        }
        while let Some(end) = got[answered..].iter().position(|byte| *byte == b'\n') {
            let request: serde_json::Value = serde_json::from_slice(&got[answered..answered + end]).unwrap_or_default();
            answered += end + 1;
            let reply = serde_json::json!({"id": request["id"], "result": "done"});
            let _gone = stream.write_all(format!("{reply}\n").as_bytes()).await;
        }
    }
}

fn over_unix() -> (Proxy, UnboundedReceiver<Got>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (at, there) = (folder.path().join("proxy"), folder.path().join("peer"));
    let listener = UnixListener::bind(&there).unwrap();
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move { tell.send(peer(stream).await) });
        }
    });
    (Proxy::unix(&at, &there, Framing::Lines), told, folder)
}

async fn over_tcp(framing: Framing) -> (Proxy, UnboundedReceiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let there = listener.local_addr().unwrap().to_string();
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move { tell.send(peer(stream).await) });
        }
    });
    (Proxy::tcp(&there, framing).await, told)
}

fn run(id: u32, command: &str) -> String {
    serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "run", "params": {"command": command}}).to_string() + "\n"
}

fn answer(id: u32) -> String {
    serde_json::json!({"id": id, "result": "done"}).to_string() + "\n"
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(LIMIT, future).await.expect("it ends")
}

/// Everything until the connection ends, and how it ends.
async fn all<S: AsyncRead + Unpin>(stream: &mut S) -> Got {
    let (mut got, mut part) = (Vec::new(), [0; 1024]);
    loop {
        match soon(stream.read(&mut part)).await {
            Ok(0) => return (got, None),
            Err(why) => return (got, Some(why.kind())),
            Ok(count) => got.extend_from_slice(&part[..count]),
        }
    }
}

#[tokio::test]
async fn a_cut_request_reaches_the_peer_up_to_its_byte_and_both_connections_end() {
    let request = run(1, "press");
    for ending in [Ending::Fin, Ending::Reset] {
        let reset = (ending == Ending::Reset).then_some(ErrorKind::ConnectionReset);
        for after in 0..=request.len() {
            let strike = Strike { at: At::label("run press", 1), fault: Fault::cut(Side::Request, after, ending) };

            let (proxy, mut told) = over_tcp(Framing::Lines).await;
            proxy.arm(strike.clone());
            let mut client = TcpStream::connect(proxy.address()).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            assert_eq!(all(&mut client).await, (Vec::new(), reset), "{after} {ending}");
            let (got, ended) = soon(told.recv()).await.unwrap();
            assert_eq!(got, &request.as_bytes()[..after], "{after} {ending}");
            // A peer that answers before it reads on finds the end of its own way first, and then a reset.
            assert!(ended == reset || after == request.len(), "{after} {ending} {ended:?}");
            assert_eq!(proxy.struck(), 1);
            let seen = proxy.exchanges();
            assert_eq!(
                (seen[0].request, seen[0].handed_on, seen[0].whole()),
                (request.len(), after, after == request.len())
            );

            let (proxy, mut told, _folder) = over_unix();
            proxy.arm(strike);
            let mut client = UnixStream::connect(proxy.address()).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            assert_eq!(all(&mut client).await, (Vec::new(), reset), "{after} {ending}");
            assert_eq!(soon(told.recv()).await.unwrap().0, &request.as_bytes()[..after], "{after} {ending}");
        }
    }
}

#[tokio::test]
async fn a_cut_reply_comes_up_to_its_byte_after_the_peer_said_all() {
    let (request, reply) = (run(1, "press"), answer(1));
    for ending in [Ending::Fin, Ending::Reset] {
        let reset = (ending == Ending::Reset).then_some(ErrorKind::ConnectionReset);
        for after in 0..=reply.len() {
            let strike = Strike { at: At::any(1), fault: Fault::cut(Side::Reply, after, ending) };
            let cut = reply.as_bytes()[..after].to_vec();

            let (proxy, mut told) = over_tcp(Framing::Lines).await;
            proxy.arm(strike.clone());
            let mut client = TcpStream::connect(proxy.address()).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            assert_eq!(all(&mut client).await, (cut.clone(), reset), "{after} {ending}");
            assert_eq!(soon(told.recv()).await.unwrap(), (request.clone().into_bytes(), reset));
            assert_eq!(proxy.exchanges()[0].reply, reply.len());

            let (proxy, mut told, _folder) = over_unix();
            proxy.arm(strike);
            let mut client = UnixStream::connect(proxy.address()).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            assert_eq!(all(&mut client).await, (cut, reset), "{after} {ending}");
            assert_eq!(soon(told.recv()).await.unwrap(), (request.clone().into_bytes(), reset));
        }
    }
}

#[tokio::test]
async fn only_the_chosen_exchange_is_struck() {
    let (proxy, _told, _folder) = over_unix();
    proxy.arm(Strike { at: At::label("run press", 2), fault: Fault::Garble { side: Side::Reply, at: 7, mask: 1 } });
    let mut client = BufReader::new(UnixStream::connect(proxy.address()).await.unwrap());
    let mut replies = Vec::new();
    for (id, command) in [(1, "press"), (2, "fill"), (3, "press"), (4, "press")] {
        client.get_mut().write_all(run(id, command).as_bytes()).await.unwrap();
        let mut line = String::new();
        soon(client.read_line(&mut line)).await.unwrap();
        replies.push(line);
    }
    assert_eq!((&replies[0], &replies[1], &replies[3]), (&answer(1), &answer(2), &answer(4)));
    let whole = answer(3).into_bytes();
    let different: Vec<usize> = (0..whole.len()).filter(|at| replies[2].as_bytes()[*at] != whole[*at]).collect();
    assert_eq!((replies[2].len(), different), (whole.len(), vec![7]));
    let seen = proxy.exchanges();
    assert_eq!(
        seen.iter().map(|seen| (seen.label.as_str(), seen.struck)).collect::<Vec<_>>(),
        [("run press", false), ("run fill", false), ("run press", true), ("run press", false)]
    );
    proxy.forget();
    assert_eq!(proxy.exchanges(), []);
}

#[tokio::test]
async fn replies_come_twice_late_or_in_place_of_others() {
    let (proxy, _told, _folder) = over_unix();
    let mut client = BufReader::new(UnixStream::connect(proxy.address()).await.unwrap());
    let mut expect = async |fault: Fault, requests: &[u32], replies: &[u32]| {
        proxy.arm(Strike { at: At::any(1), fault: fault.clone() });
        for id in requests {
            client.get_mut().write_all(run(*id, "press").as_bytes()).await.unwrap();
        }
        for id in replies {
            let mut line = String::new();
            soon(client.read_line(&mut line)).await.unwrap();
            assert_eq!(line, answer(*id), "{fault}");
        }
    };
    expect(Fault::Duplicate, &[1], &[1, 1]).await;
    expect(Fault::Stale, &[2], &[1]).await;
    expect(Fault::Swap, &[3, 4], &[4, 3]).await;
    let delay = Fault::Stall { side: Side::Reply, after: 3, time: Some(Duration::from_millis(20)) };
    expect(delay, &[5], &[5]).await;
    assert_eq!(proxy.struck(), 4);
}

#[tokio::test]
async fn a_stall_ends_when_it_is_released_or_the_client_goes_away() {
    let request = run(1, "press");
    let stall = Strike { at: At::any(1), fault: Fault::Stall { side: Side::Request, after: 5, time: None } };

    let (proxy, mut told) = over_tcp(Framing::Lines).await;
    proxy.arm(stall.clone());
    let mut client = BufReader::new(TcpStream::connect(proxy.address()).await.unwrap());
    client.get_mut().write_all(request.as_bytes()).await.unwrap();
    soon(proxy.until_struck(1)).await;
    assert_eq!(proxy.exchanges()[0].handed_on, 5);
    proxy.release();
    let mut line = String::new();
    soon(client.read_line(&mut line)).await.unwrap();
    assert_eq!(line, answer(1));
    drop(client);
    assert_eq!(soon(told.recv()).await.unwrap(), (request.clone().into_bytes(), None));

    proxy.arm(stall);
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(request.as_bytes()).await.unwrap();
    soon(proxy.until_struck(2)).await;
    drop(client);
    assert_eq!(soon(told.recv()).await.unwrap(), (request.as_bytes()[..5].to_vec(), None));
}

#[tokio::test]
async fn http_is_cut_at_every_byte_too_and_what_follows_passes() {
    let request = b"POST /session/3f/actions HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}";
    let reply = b"HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{\"value\":null}";
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = Proxy::tcp(&listener.local_addr().unwrap().to_string(), Framing::Http).await;
    let peer = tokio::spawn(async move {
        let mut got = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut whole = vec![0; request.len()];
            stream.read_exact(&mut whole).await.unwrap();
            got.push(whole);
            let _gone = stream.write_all(reply).await;
            if got.len() == reply.len() + 2 {
                break;
            }
        }
        got
    });
    for after in 0..=reply.len() {
        proxy.arm(Strike {
            at: At::label("POST /session/ID/actions", 1),
            fault: Fault::cut(Side::Reply, after, Ending::Fin),
        });
        let mut client = TcpStream::connect(proxy.address()).await.unwrap();
        client.write_all(request).await.unwrap();
        assert_eq!(all(&mut client).await, (reply[..after].to_vec(), None));
    }
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    client.write_all(request).await.unwrap();
    let mut whole = vec![0; reply.len()];
    soon(client.read_exact(&mut whole)).await.unwrap();
    assert_eq!(whole, reply);
    assert!(soon(peer).await.unwrap().iter().all(|got| got == request));
}
