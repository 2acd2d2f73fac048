//! Pairing with a phone over Wi-Fi, through the adb server.

use std::time::Duration;

use backend::Pairing;
use contract::{Code, Failure, Row};
use serde_json::{Value, json};
use wire::Context;

use super::settle::{Settled, until};
use crate::adb::{Adb, network::Announced};

/// What a phone announces while it shows a code, or after it has read one.
const PAIRING: &str = "_adb-tls-pairing._tcp";
/// What it announces for as long as wireless debugging is on.
const CONNECT: &str = "_adb-tls-connect._tcp";
/// Pause between two looks at what is announced.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long a phone that was paired with may take to say where to connect.
const CONNECTS_WITHIN: Duration = Duration::from_secs(15);
/// Kept back of the request's time when a code is waited for, to pair and connect.
const RESERVE: Duration = Duration::from_secs(20);

/// Pairs, or lists what is announced.
///
/// # Errors
/// `android.pairing-refused` where the phone does not accept it or does not come; an adb server that is too old.
pub async fn pair(context: &Context, adb: &Adb, pairing: &Pairing) -> Result<Value, Failure> {
    match pairing {
        Pairing::List => {
            let announced = adb.announced(context).await.map_err(too_old)?;
            Ok(listed(&announced))
        }
        Pairing::Code { address, code } => {
            adb.pair(context, address, code).await.map_err(too_old)?;
            Ok(connected(context, adb, address).await)
        }
        Pairing::Qr { service, password } => {
            let limit = context.left().saturating_sub(RESERVE);
            // A server that knows no mDNS says so at once instead of at the end.
            adb.announced(context).await.map_err(too_old)?;
            let look = || async { Ok(offered(&adb.announced(context).await?, service)) };
            let seen = until(context, INTERVAL, limit, look, Option::is_some).await?;
            let Settled::Held(Some(address)) = seen else { return Err(nobody(limit)) };
            adb.pair(context, &address, password).await?;
            Ok(connected(context, adb, &address).await)
        }
    }
}

/// The address of the phone that has read this code.
fn offered(announced: &[Announced], service: &str) -> Option<String> {
    announced.iter().find(|one| one.kind == PAIRING && one.name == service).map(|one| one.address.clone())
}

/// Where to connect to the phone that was paired with at `address`: another port of the same host.
fn connects(announced: &[Announced], address: &str) -> Option<String> {
    let host = host(address)?;
    announced
        .iter()
        .find(|one| one.kind == CONNECT && self::host(&one.address) == Some(host))
        .map(|one| one.address.clone())
}

fn host(address: &str) -> Option<&str> {
    address.rsplit_once(':').map(|(host, _)| host)
}

/// Connects to what was paired with. Pairing holds whatever becomes of this, so it never fails.
async fn connected(context: &Context, adb: &Adb, address: &str) -> Value {
    let by_hand = "its address and port are on the phone under Wireless debugging: adb connect HOST:PORT";
    let look = || async { Ok(connects(&adb.announced(context).await?, address)) };
    let Ok(Settled::Held(Some(found))) = until(context, INTERVAL, CONNECTS_WITHIN, look, Option::is_some).await else {
        let message = format!("Paired with {address}; it does not announce where to connect. {by_hand}");
        return json!({"paired": true, "connected": false, "address": address, "message": message});
    };
    match adb.connect(context, &found).await {
        Ok(serial) => {
            let message = format!("Paired and connected: {serial}");
            json!({"paired": true, "connected": true, "address": address, "device": serial, "message": message})
        }
        Err(failure) => {
            let message = format!("Paired with {address}, but not connected: {}. {by_hand}", failure.message);
            json!({"paired": true, "connected": false, "address": address, "message": message})
        }
    }
}

fn listed(announced: &[Announced]) -> Value {
    let services: Vec<_> = announced
        .iter()
        .map(|one| {
            let offers = match one.kind.as_str() {
                PAIRING => "pairing",
                CONNECT => "connection",
                _ => "connection without encryption",
            };
            json!({"name": one.name, "type": one.kind, "address": one.address, "offers": offers})
        })
        .collect();
    let message = if services.is_empty() {
        "No phone offers itself: switch on Wireless debugging in its Developer options, on the same network".to_owned()
    } else {
        let line = |one: &Value| {
            let text = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            format!("{} {} ({})", text("address"), text("offers"), text("name"))
        };
        services.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    json!({"services": services, "message": message})
}

/// An adb server that does not know the service is older than pairing.
fn too_old(mut failure: Failure) -> Failure {
    if failure.reason_str() == Some("adb_server_too_old") {
        failure.message.push_str(" (pairing came with platform-tools 30, mDNS with 31)");
    }
    failure
}

fn nobody(waited: Duration) -> Failure {
    Failure::refused(
        Row::AndroidPairingRefused,
        Code::Timeout,
        format!("no phone has read the QR code within {} s", waited.as_secs()),
    )
    .reason("pairing_not_offered")
    .hint(
        "on the phone: Developer options > Wireless debugging > Pair device with QR code; phone and computer must be on the \
         same network, one that lets mDNS through",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, kind: &str, address: &str) -> Announced {
        Announced { name: name.into(), kind: kind.into(), address: address.into() }
    }

    #[test]
    fn the_phone_that_read_the_code_is_found_and_then_where_it_connects() {
        let announced = [
            one("agent-device-1", PAIRING, "192.168.1.9:40001"),
            one("agent-device-2", PAIRING, "192.168.1.5:40002"),
            one("adb-8A1X0-abc", CONNECT, "192.168.1.9:37000"),
            one("adb-R58N-abc", CONNECT, "192.168.1.5:37123"),
        ];
        assert_eq!(offered(&announced, "agent-device-2").as_deref(), Some("192.168.1.5:40002"));
        assert_eq!(offered(&announced, "agent-device-3"), None);
        assert_eq!(offered(&announced, "adb-R58N-abc"), None);
        assert_eq!(connects(&announced, "192.168.1.5:40002").as_deref(), Some("192.168.1.5:37123"));
        assert_eq!(connects(&announced, "192.168.1.7:1"), None);
    }

    #[test]
    fn an_old_server_is_named_as_such() {
        let failure =
            |reason| too_old(Failure::new(Code::UnsupportedOperation, "could not pair").reason(reason)).message;
        assert!(failure("adb_server_too_old").contains("platform-tools 30"));
        assert_eq!(failure("other"), "could not pair");
    }

    #[test]
    fn the_list_says_who_offers_what() {
        let value = listed(&[one("adb-x", CONNECT, "10.0.0.2:1"), one("p", PAIRING, "10.0.0.2:2")]);
        assert_eq!(value["message"], "10.0.0.2:1 connection (adb-x)\n10.0.0.2:2 pairing (p)");
        assert!(listed(&[])["message"].as_str().unwrap().starts_with("No phone offers itself"));
    }
}
