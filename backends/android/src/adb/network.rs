//! Devices over the network: connect, disconnect, pair, mDNS. All through the server.

use contract::{Code, Effect, Failure, Row};
use wire::Context;

use super::{
    protocol,
    refusals::{self, meaning},
    service::Adb,
};

/// A service that a device announces over mDNS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// Its name.
    pub name: String,
    /// `_adb-tls-pairing._tcp`, `_adb-tls-connect._tcp` or `_adb._tcp`.
    pub kind: String,
    /// `host:port`.
    pub address: String,
}

impl Adb {
    /// Connects to a device at `host:port` and returns its serial number, which is that address.
    ///
    /// # Errors
    /// It does not answer, or has not accepted this computer's key.
    pub async fn connect(&self, context: &Context, address: &str) -> Result<String, Failure> {
        let doing = format!("could not connect to {address}");
        self.told(context, &format!("host:connect:{address}"), &doing, |said| {
            let serial = said.strip_prefix("connected to ").or_else(|| said.strip_prefix("already connected to "));
            match serial {
                Some(serial) => Ok(serial.trim().to_owned()),
                None if said.starts_with("failed to authenticate") => Err(Row::AdbDeviceUnauthorized),
                None => Err(Row::AdbServerRefused),
            }
        })
        .await
    }

    /// Lets a device over the network go.
    ///
    /// # Errors
    /// There is none at that address.
    pub async fn disconnect(&self, context: &Context, address: &str) -> Result<(), Failure> {
        let doing = format!("could not disconnect {address}");
        self.told(context, &format!("host:disconnect:{address}"), &doing, |_| Ok(())).await
    }

    /// Pairs with a device that shows a code, at the address that it shows with it.
    ///
    /// # Errors
    /// The code is wrong or old, nothing answers, or the server is older than pairing (platform-tools 30).
    pub async fn pair(&self, context: &Context, address: &str, code: &str) -> Result<(), Failure> {
        let doing = format!("could not pair with {address}");
        self.told(context, &format!("host:pair:{code}:{address}"), &doing, |said| {
            if said.starts_with("Successfully paired") { Ok(()) } else { Err(Row::AndroidPairingRefused) }
        })
        .await
    }

    /// Which mDNS the server uses, in its own words.
    ///
    /// # Errors
    /// No server, or one older than mDNS.
    pub async fn mdns(&self, context: &Context) -> Result<String, Failure> {
        self.ask(context, "host:mdns:check", "could not ask the adb server for its mDNS").await
    }

    /// The devices that announce themselves over mDNS.
    ///
    /// # Errors
    /// No server, or one older than mDNS.
    pub async fn announced(&self, context: &Context) -> Result<Vec<Announced>, Failure> {
        let list = self.ask(context, "host:mdns:services", "could not list what devices announce").await?;
        Ok(list.lines().filter_map(announced).collect())
    }

    /// A service whose success only its text tells.
    async fn told<T>(
        &self,
        context: &Context,
        service: &str,
        doing: &str,
        read: impl FnOnce(&str) -> Result<T, Row>,
    ) -> Result<T, Failure> {
        let answered =
            self.host(context, Effect::Manages, service, doing, |mut stream| async move {
                protocol::block(&mut stream).await
            })
            .await?;
        let said = answered.reply().trim().to_owned();
        match read(&said) {
            Ok(value) => {
                answered.completed();
                Ok(value)
            }
            Err(row) => Err(match row {
                Row::AdbDeviceUnauthorized => {
                    let refusal = meaning("device unauthorized");
                    answered.refused(row, said).failure(refusal.code, doing).reason(refusal.reason).hint(refusal.hint)
                }
                Row::AndroidPairingRefused => {
                    answered.refused(row, said).failure(Code::Unauthorized, doing).reason("pairing_refused").hint(
                        "on the device, open Wireless debugging, 'Pair device with pairing code', and use both at once",
                    )
                }
                _ => refusals::failure(answered.refused(row, said), doing),
            }),
        }
    }
}

pub(crate) fn announced(line: &str) -> Option<Announced> {
    let mut words = line.split_whitespace();
    let (name, kind, address) = (words.next()?, words.next()?, words.next()?);
    let kind = kind.trim_end_matches('.');
    kind.starts_with("_adb").then(|| Announced {
        name: name.to_owned(),
        kind: kind.to_owned(),
        address: address.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_read_and_the_heading_is_none() {
        assert_eq!(announced("List of discovered mdns services"), None);
        let line = "adb-8A1X0-abcdef\t_adb-tls-connect._tcp.\t192.168.1.5:37123";
        let read = announced(line).unwrap();
        assert_eq!((read.kind.as_str(), read.address.as_str()), ("_adb-tls-connect._tcp", "192.168.1.5:37123"));
    }
}
