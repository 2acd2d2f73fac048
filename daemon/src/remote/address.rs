//! Where the server is, and whether the line to it may be trusted.

use std::{fmt, net::IpAddr};

use contract::{Code, Failure, Row};

/// Names the address.
pub const URL_VARIABLE: &str = "AGENT_DEVICE_URL";
/// Allows a line to another machine without encryption of its own.
pub const ALLOW_HTTP_VARIABLE: &str = "AGENT_DEVICE_ALLOW_HTTP";

/// An address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// With TLS.
    pub tls: bool,
    /// Name or number, without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
    /// As it stands in the request: host and port.
    pub authority: String,
    /// What stands in front of every path, without a slash at its end.
    pub prefix: String,
    /// Only an address of this machine is connected to: the line is not encrypted.
    pub only_here: bool,
}

impl Address {
    /// Reads one. Without TLS it has to be this machine's own, unless `allow_http`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(url: &str, allow_http: bool) -> Result<Self, Failure> {
        let wrong = |why: &str| {
            Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{URL_VARIABLE}: {url:?} {why}"))
                .reason("usage")
                .hint("such as http://127.0.0.1:40123 for the end of a tunnel on this machine, or https://devices.example.org")
        };
        let (scheme, rest) = url.split_once("://").ok_or_else(|| wrong("has no http:// or https:// in front"))?;
        let tls = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return Err(wrong("is neither http:// nor https://")),
        };
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        if authority.contains('@') {
            return Err(wrong("has a name or password in it; the token is told apart: AGENT_DEVICE_TOKEN"));
        }
        if path.contains(['?', '#']) || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(wrong("has a character that cannot stand there"));
        }
        let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host, port.strip_prefix(':')),
            None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
        };
        let default = if tls { 443 } else { 80 };
        let port = port.map_or(Ok(default), str::parse).map_err(|_| wrong("has no port that can be read"))?;
        if host.is_empty() {
            return Err(wrong("names no host"));
        }
        let here = host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        if !tls && !here && !allow_http {
            return Err(wrong("is another machine, and the line to it would not be encrypted").hint(format!(
                "use https://, or a tunnel that ends on this machine; where something else keeps the line private: {ALLOW_HTTP_VARIABLE}=1"
            )));
        }
        Ok(Self {
            tls,
            host: host.to_owned(),
            port,
            authority: authority.to_owned(),
            prefix: path.trim_end_matches('/').to_owned(),
            only_here: !tls && !allow_http,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", if self.tls { "https" } else { "http" }, self.authority, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read() {
        let read = |url: &str| Address::read(url, false).unwrap();
        let local = read("http://127.0.0.1:40123/");
        assert_eq!(
            (local.tls, local.host.as_str(), local.port, local.prefix.as_str()),
            (false, "127.0.0.1", 40123, "")
        );
        assert!(local.only_here);
        assert_eq!(read("http://localhost").port, 80);
        let six = read("http://[::1]:8080");
        assert_eq!((six.host.as_str(), six.authority.as_str()), ("::1", "[::1]:8080"));
        let far = read("HTTPS://devices.example.org/pool/a/");
        assert_eq!((far.tls, far.port, far.prefix.as_str()), (true, 443, "/pool/a"));
        assert_eq!(far.to_string(), "https://devices.example.org/pool/a");
    }

    #[test]
    fn a_line_that_others_could_read_is_refused_unless_it_is_asked_for() {
        for url in
            ["http://devices.example.org", "http://10.0.0.7:80", "http://0.0.0.0:1", "http://127.0.0.1.example.org"]
        {
            let refused = Address::read(url, false).unwrap_err();
            assert!(refused.hint.unwrap().contains("https://"), "{url}");
            assert!(!Address::read(url, true).unwrap().only_here);
        }
    }

    #[test]
    fn what_is_no_address_says_why() {
        for (url, why) in [
            ("127.0.0.1:80", "in front"),
            ("ftp://a", "neither"),
            ("https://", "no host"),
            ("https://me:secret@a", "password"),
            ("https://a:x", "port"),
            ("https://a:99999", "port"),
            ("https://a/b?c", "character"),
            ("https://a/b c", "character"),
            ("https://a/\r\nx", "character"),
        ] {
            let said = Address::read(url, false).unwrap_err();
            assert!(said.message.contains(why), "{url}: {said}");
        }
    }
}
