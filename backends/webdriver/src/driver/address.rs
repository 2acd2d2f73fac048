//! A driver that runs already, at `--driver-url`.

use std::time::Duration;

use bytes::Bytes;
use contract::{Code, Effect, Failure, Row};
use hyper::Method;
use serde_json::Value;
use wire::{
    Context, Sent,
    http::{Connection, Request},
};

use crate::line::ROWS;

/// How long a server may take to say what it is.
const STATUS_LIMIT: Duration = Duration::from_secs(3);

/// Where a driver listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// `host:port`.
    pub authority: String,
    /// What all paths start with: "", or `/wd/hub`.
    pub base: String,
}

/// Reads `http://host:port/base`.
///
/// # Errors
/// `INVALID_ARGS` for anything else; `https://` is not spoken.
pub fn parse(url: &str) -> Result<Address, Failure> {
    let refuse = |why: &str| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, format!("--driver-url {url:?}: {why}"))
            .reason("bad_driver_url")
            .hint("write the driver's address as http://host:port, with its base path if it has one")
    };
    if url.starts_with("https://") {
        return Err(refuse("https is not supported: reach the server through a tunnel or proxy that speaks http here"));
    }
    let rest = url.strip_prefix("http://").ok_or_else(|| refuse("it is no http:// address"))?;
    let (authority, base) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if authority.is_empty() || authority.contains('@') || base.contains(['?', '#']) {
        return Err(refuse("it must be a host, a port and a path, nothing else"));
    }
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let bare_v6 = authority.ends_with(']');
    if !has_port && !bare_v6 && authority.contains(':') {
        return Err(refuse("its port is no port"));
    }
    Ok(Address {
        authority: if has_port { authority.to_owned() } else { format!("{authority}:80") },
        base: base.trim_end_matches('/').to_owned(),
    })
}

impl Address {
    /// What answers there: its message and version (`GET /status`; WebDriver, 8.3). `None` where it is no such server.
    pub async fn server(&self, context: &Context) -> Option<String> {
        let path = format!("{}/status", self.base);
        let request = Request { method: Method::GET, path, body: Bytes::new(), effect: Effect::Observes };
        let connection = Connection::to(self.authority.clone(), ROWS);
        let Sent::Answered(answered) = connection.exchange(&context.until(STATUS_LIMIT), &request).await else {
            return None;
        };
        let status: Value = serde_json::from_slice(&answered.completed().body).ok()?;
        let value = status.get("value")?;
        let message = value.get("message").and_then(Value::as_str).unwrap_or_default();
        let version = value.pointer("/build/version").and_then(Value::as_str).unwrap_or("without a version");
        value.get("ready")?.as_bool().map(|ready| {
            let ready = if ready { "ready" } else { "not ready" };
            format!("{version}, {ready}: {message}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_ports_and_bases_are_read_and_the_rest_is_refused() {
        let read = |url: &str| parse(url).ok().map(|address| (address.authority, address.base));
        let some = |authority: &str, base: &str| Some((authority.to_owned(), base.to_owned()));
        assert_eq!(read("http://127.0.0.1:4444"), some("127.0.0.1:4444", ""));
        assert_eq!(read("http://grid:4444/wd/hub/"), some("grid:4444", "/wd/hub"));
        assert_eq!(read("http://grid"), some("grid:80", ""));
        assert_eq!(read("http://[::1]:4444/"), some("[::1]:4444", ""));
        for bad in ["https://grid:4444", "grid:4444", "http://", "http://u:p@grid", "http://grid:x", "http://grid/?a"] {
            assert_eq!(parse(bad).unwrap_err().code, Code::InvalidArgs, "{bad}");
        }
    }
}
