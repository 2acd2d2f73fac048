//! What a cut does to an exchange.

use std::io;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use super::AdbCut;

/// Does it. `bytes` are those of the word, which were not handed on yet.
pub(super) async fn strike(cut: AdbCut, mut client: TcpStream, mut server: TcpStream, bytes: &[u8]) -> io::Result<()> {
    match cut {
        AdbCut::CloseBefore => Ok(()),
        AdbCut::Hold(released) => {
            released.notified().await;
            server.write_all(bytes).await?;
            copy_bidirectional(&mut client, &mut server).await.map(|_| ())
        }
        AdbCut::Sever(released) => {
            let onward = handed_on(client, server, bytes, 0);
            tokio::select! {
                _reply = onward => released.notified().await,
                () = released.notified() => {}
            }
            Ok(())
        }
        AdbCut::Alter(from, to) => {
            server.write_all(bytes).await?;
            let (mut from_client, mut to_client) = client.into_split();
            let (from_server, mut to_server) = server.into_split();
            tokio::select! {
                ended = tokio::io::copy(&mut from_client, &mut to_server) => ended.map(|_| ()),
                ended = altered(from_server, &mut to_client, from, to) => ended,
            }
        }
        AdbCut::OpenAndReset => {
            client.set_zero_linger()?;
            // Nothing lies between the two: whoever is told finds the connection reset.
            let mut client = client.into_std()?;
            io::Write::write_all(&mut client, b"OKAY")
        }
        AdbCut::Fail(text) => client.write_all(format!("FAIL{:04x}{text}", text.len()).as_bytes()).await,
        AdbCut::Answer(bytes) => client.write_all(&bytes).await,
        AdbCut::CutReply(most) => {
            let (reply, mut client) = handed_on(client, server, bytes, most).await?;
            client.write_all(reply.get(..most).unwrap_or(&reply)).await?;
            client.shutdown().await
        }
        AdbCut::Truncate(most) => {
            server.write_all(bytes).await?;
            let (mut from_client, mut to_client) = client.into_split();
            let (from_server, mut to_server) = server.into_split();
            let onward = tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_server).await });
            let mut shown = from_server.take(most);
            tokio::io::copy(&mut shown, &mut to_client).await?;
            tokio::io::copy(&mut shown.into_inner(), &mut tokio::io::sink()).await?;
            onward.abort();
            to_client.shutdown().await
        }
        AdbCut::Garble => {
            let (reply, mut client) = handed_on(client, server, bytes, 0).await?;
            client.write_all(&vec![b'?'; reply.len().max(64)]).await?;
            client.shutdown().await
        }
        AdbCut::Stall => {
            server.write_all(bytes).await?;
            let mut gone = [0; 4096];
            while client.read(&mut gone).await? > 0 {}
            Ok(())
        }
        AdbCut::Delay(time) => {
            server.write_all(bytes).await?;
            tokio::time::sleep(time).await;
            copy_bidirectional(&mut client, &mut server).await.map(|_| ())
        }
    }
}

/// Hands a reply on in which one thing is replaced by another of the same length.
async fn altered(mut reply: OwnedReadHalf, client: &mut OwnedWriteHalf, from: &[u8], to: &[u8]) -> io::Result<()> {
    assert_eq!(from.len(), to.len(), "lengths around it must stay true");
    let (mut held, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let count = reply.read(&mut part).await?;
        held.extend_from_slice(&part[..count]);
        while let Some(place) = held.windows(from.len()).position(|window| window == from) {
            held[place..place + to.len()].copy_from_slice(to);
        }
        // What may be the beginning of one more is kept until the rest has come.
        let kept = (1..from.len()).rev().find(|kept| held.ends_with(&from[..*kept])).filter(|_| count > 0);
        let ready = held.len() - kept.unwrap_or(0);
        client.write_all(&held[..ready]).await?;
        held.drain(..ready);
        if count == 0 {
            return client.shutdown().await;
        }
    }
}

/// Hands a word on, and everything that the client still has to say: the device does all of it. Reads the reply to its
/// end, or until it has so many bytes (0: to its end).
async fn handed_on(
    client: TcpStream,
    mut server: TcpStream,
    bytes: &[u8],
    most: usize,
) -> io::Result<(Vec<u8>, OwnedWriteHalf)> {
    server.write_all(bytes).await?;
    let (mut from_client, to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let onward = tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_server).await });
    let mut reply = Vec::new();
    let mut part = [0; 4096];
    while most == 0 || reply.len() < most {
        match from_server.read(&mut part).await? {
            0 => break,
            count => reply.extend_from_slice(&part[..count]),
        }
    }
    onward.abort();
    Ok((reply, to_client))
}
