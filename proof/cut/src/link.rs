//! One connection through a proxy: requests one way, replies the other.

use std::collections::VecDeque;

use serde_json::Value;
use tokio::time::sleep;

use crate::{
    end::End,
    proxy::Shared,
    strike::{Ending, Fault, Side},
};

/// A request whose reply has not come yet.
struct Open {
    place: usize,
    id: Option<Value>,
    fault: Option<Fault>,
}

/// Whether the connection goes on.
enum Then {
    On,
    /// Both ends are ended so.
    Ends(Ending),
}

struct Link<'s> {
    client: End,
    server: End,
    connection: usize,
    shared: &'s Shared,
    open: VecDeque<Open>,
    /// The reply that was handed on last.
    last: Option<Vec<u8>>,
    /// The reply that waits for the next one.
    swapped: Option<Vec<u8>>,
    /// One byte of the request lies unread until its reply has come: see [`End`].
    unread: bool,
}

/// Serves one connection until both sides have ended, or a strike ends it.
pub(crate) async fn serve(client: End, server: End, connection: usize, shared: &Shared) {
    let (open, last, swapped) = (VecDeque::new(), None, None);
    let mut link = Link { client, server, connection, shared, open, last, swapped, unread: false };
    let ending = link.run().await;
    link.client.end(ending).await;
    link.server.end(ending).await;
}

impl Link<'_> {
    async fn run(&mut self) -> Ending {
        let framing = self.shared.framing;
        loop {
            while let Some(reply) = self.server.message(framing) {
                match self.reply(reply).await {
                    Ok(Then::On) => {}
                    Ok(Then::Ends(ending)) => return ending,
                    Err(_gone) => return Ending::Fin,
                }
            }
            if self.server.over() {
                let rest = self.server.rest();
                let _gone = self.client.write(&rest).await;
                return Ending::Fin;
            }
            while let Some(request) = self.client.message(framing) {
                match self.request(request).await {
                    Ok(Then::On) => {}
                    Ok(Then::Ends(ending)) => return ending,
                    Err(_gone) => return Ending::Fin,
                }
            }
            let spoke = self.client.over();
            tokio::select! {
                biased;
                () = self.server.fill() => {}
                () = self.client.fill(), if !spoke && !self.unread => {
                    if self.client.over() {
                        // Every whole message was taken before: this is the beginning of one.
                        let rest = self.client.rest();
                        let _gone = self.server.write(&rest).await;
                        self.server.shutdown().await;
                    }
                }
            }
        }
    }

    async fn request(&mut self, mut request: Vec<u8>) -> std::io::Result<Then> {
        let name = self.shared.framing.name(&request);
        let (place, fault) = self.shared.request(self.connection, &name, &request);
        self.unread = matches!(fault, Some(Fault::Cut { ending: Ending::Reset, .. }));
        if !self.unread {
            self.client.consume().await?;
        }
        let mut after_reply = None;
        match fault {
            Some(Fault::Cut { side: Side::Request, after, ending }) => {
                let part = &request[..after.min(request.len())];
                self.server.write(part).await?;
                self.shared.note(place, |exchange| exchange.handed_on = part.len());
                self.shared.strikes();
                return Ok(Then::Ends(ending));
            }
            Some(Fault::Stall { side: Side::Request, after, time }) => {
                let (first, rest) = request.split_at(after.min(request.len()));
                self.server.write(first).await?;
                self.shared.note(place, |exchange| exchange.handed_on = first.len());
                self.stall(time).await;
                if self.client.over() {
                    return Ok(Then::Ends(Ending::Fin));
                }
                self.server.write(rest).await?;
            }
            Some(Fault::Garble { side: Side::Request, at, mask }) => {
                garble(&mut request, at, mask);
                self.server.write(&request).await?;
                self.shared.strikes();
            }
            other => {
                after_reply = other;
                self.server.write(&request).await?;
            }
        }
        self.shared.note(place, |exchange| exchange.handed_on = exchange.request);
        self.open.push_back(Open { place, id: name.id, fault: after_reply });
        Ok(Then::On)
    }

    async fn reply(&mut self, mut reply: Vec<u8>) -> std::io::Result<Then> {
        let id = self.shared.framing.reply_id(&reply);
        let index = self.open.iter().position(|open| open.id == id);
        let open = index.and_then(|index| self.open.remove(index));
        if let Some(open) = &open {
            self.shared.note(open.place, |exchange| exchange.reply = reply.len());
        }
        let fault = open.and_then(|open| open.fault);
        // A stall says so itself, once its first bytes are through.
        if !matches!(fault, None | Some(Fault::Stall { .. })) {
            self.shared.strikes();
        }
        match fault {
            Some(Fault::Cut { after, ending, .. }) => {
                self.client.write(&reply[..after.min(reply.len())]).await?;
                return Ok(Then::Ends(ending));
            }
            Some(Fault::Stall { after, time, .. }) => {
                self.server.consume().await?;
                let (first, rest) = reply.split_at(after.min(reply.len()));
                self.client.write(first).await?;
                self.stall(time).await;
                if self.client.over() {
                    return Ok(Then::Ends(Ending::Fin));
                }
                self.client.write(rest).await?;
            }
            Some(Fault::Garble { at, mask, .. }) => {
                garble(&mut reply, at, mask);
                self.client.write(&reply).await?;
            }
            Some(Fault::Duplicate) => {
                self.client.write(&reply).await?;
                self.client.write(&reply).await?;
            }
            Some(Fault::Stale) => {
                let stale = self.last.as_ref().unwrap_or(&reply).clone();
                self.client.write(&stale).await?;
            }
            Some(Fault::Swap) => {
                self.swapped = Some(reply);
                return Ok(Then::On);
            }
            None => self.client.write(&reply).await?,
        }
        if let Some(earlier) = self.swapped.take() {
            self.client.write(&earlier).await?;
        }
        self.last = Some(reply);
        Ok(Then::On)
    }

    /// Nothing happens, for a time or until released; ends at once where the client goes away.
    async fn stall(&mut self, time: Option<std::time::Duration>) {
        let mut released = self.shared.released.subscribe();
        released.mark_unchanged();
        self.shared.strikes();
        tokio::select! {
            biased;
            () = self.client.gone() => {}
            () = async {
                match time {
                    Some(time) => sleep(time).await,
                    // The sender lives as long as the proxy.
                    None => drop(released.changed().await),
                }
            } => {}
        }
    }
}

fn garble(bytes: &mut [u8], at: usize, mask: u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= mask;
    }
}
