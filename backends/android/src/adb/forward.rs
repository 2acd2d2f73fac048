//! Ports between host and device.

use std::io;

use contract::{Code, Effect, Failure, Row};
use tokio::io::AsyncReadExt;
use wire::Context;

use super::{
    phone::Phone,
    protocol::{self, Status, garbled},
    refusals,
    service::Adb,
    socket::Socket,
};

/// A forwarded port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forwarded {
    /// The device; for a reversed port its own name for the host.
    pub serial: String,
    /// Where is listened: `tcp:PORT`, on the host; for a reversed port, on the device.
    pub from: String,
    /// Where it leads: `tcp:PORT` or `localabstract:NAME`, on the other side.
    pub to: String,
}

pub(crate) fn listed(list: &str) -> Vec<Forwarded> {
    list.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some(Forwarded {
                serial: words.next()?.to_owned(),
                from: words.next()?.to_owned(),
                to: words.next()?.to_owned(),
            })
        })
        .collect()
}

impl Adb {
    /// The ports of this host that lead to devices.
    ///
    /// # Errors
    /// No server.
    pub async fn forwards(&self, context: &Context) -> Result<Vec<Forwarded>, Failure> {
        Ok(listed(&self.ask(context, "host:list-forward", "could not list the forwarded ports").await?))
    }
}

impl Phone {
    /// Opens a port of this host, picked by the system, that leads to `to` on the device (`tcp:PORT`,
    /// `localabstract:NAME`), and returns its number.
    ///
    /// # Errors
    /// No way to the device.
    pub async fn forward(&self, context: &Context, to: &str) -> Result<u16, Failure> {
        let doing = format!("could not forward a port to {to} on {}", self.serial());
        let service = format!("host-serial:{}:forward:tcp:0;{to}", self.serial());
        let answered = self.adb().host(context, Effect::Manages, &service, &doing, port_in_second_reply).await?;
        self.judged(answered, &doing)
    }

    /// Closes a forwarded port of this host.
    ///
    /// # Errors
    /// It is not forwarded to this device.
    pub async fn unforward(&self, context: &Context, port: u16) -> Result<(), Failure> {
        let doing = format!("could not close the forwarded port {port}");
        let service = format!("host-serial:{}:killforward:tcp:{port}", self.serial());
        let answered = self.adb().host(context, Effect::Manages, &service, &doing, second_reply).await?;
        self.judged(answered, &doing)
    }

    /// Opens a port of the device, picked by it, that leads to `to` on this host, and returns its number.
    ///
    /// # Errors
    /// No way to the device, or it refuses.
    pub async fn reverse(&self, context: &Context, to: &str) -> Result<u16, Failure> {
        let doing = format!("could not open a port of {} to {to} on this computer", self.serial());
        let service = format!("reverse:forward:tcp:0;{to}");
        let answered = self.serve(context, Effect::Manages, &service, &doing, port_in_second_reply).await?;
        self.judged(answered, &doing)
    }

    /// Lets a port of the device, the same number on both sides, lead to this host: what an app expects that is built
    /// to find its development server on the device itself.
    ///
    /// # Errors
    /// No way to the device, or it refuses.
    pub async fn reverse_same(&self, context: &Context, port: u16) -> Result<(), Failure> {
        let doing = format!("could not open port {port} of {} to this computer", self.serial());
        let service = format!("reverse:forward:tcp:{port};tcp:{port}");
        let answered = self.serve(context, Effect::Manages, &service, &doing, second_reply).await?;
        self.judged(answered, &doing)
    }

    /// Closes a port of the device that leads to this host.
    ///
    /// # Errors
    /// There is none, or no way to the device.
    pub async fn unreverse(&self, context: &Context, port: u16) -> Result<(), Failure> {
        let doing = format!("could not close port {port} of {}", self.serial());
        let service = format!("reverse:killforward:tcp:{port}");
        let answered = self.serve(context, Effect::Manages, &service, &doing, second_reply).await?;
        self.judged(answered, &doing)
    }

    /// The ports of the device that lead to this host.
    ///
    /// # Errors
    /// No way to the device.
    pub async fn reverses(&self, context: &Context) -> Result<Vec<Forwarded>, Failure> {
        let doing = format!("could not list the ports of {} that lead here", self.serial());
        let answered = self
            .serve(context, Effect::Observes, "reverse:list-forward", &doing, |mut stream| async move {
                // This service answers without a second OKAY or with one, by the age of the device.
                let mut first = [0; 4];
                stream.read_exact(&mut first).await?;
                if &first == b"OKAY" {
                    return protocol::block(&mut stream).await;
                }
                protocol::block_of(&mut stream, first).await
            })
            .await?;
        Ok(listed(&answered.completed()))
    }

    /// A second reply that refuses: nothing was opened or closed.
    fn judged<T>(&self, answered: wire::Answered<Result<T, String>>, doing: &str) -> Result<T, Failure> {
        match answered.sort(|reply| reply) {
            Ok(answered) => Ok(answered.completed()),
            Err(refused) => {
                let text = refused.reply().clone();
                let meaning = refusals::meaning(&text);
                let proof = refused.refused(meaning.row, text);
                Err(match meaning.row {
                    Row::AdbServerRefused => proof.failure(Code::CommandFailed, doing).reason("adb_port_refused"),
                    _ => refusals::failure(proof, doing),
                })
            }
        }
    }
}

/// The first OKAY says that the service began, the second how it ended.
async fn second_reply(mut stream: Socket) -> io::Result<Result<(), String>> {
    Ok(match protocol::status(&mut stream).await? {
        Status::Okay => Ok(()),
        Status::Fail(text) => Err(text),
    })
}

async fn port_in_second_reply(mut stream: Socket) -> io::Result<Result<u16, String>> {
    if let Status::Fail(text) = protocol::status(&mut stream).await? {
        return Ok(Err(text));
    }
    let digits = protocol::block(&mut stream).await?;
    digits.trim().parse().map(Ok).map_err(|_| garbled(format!("'{digits}' is no port")))
}
