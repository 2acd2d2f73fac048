//! An [`Http`] over the network: plain and TLS, blocking, one connection per request and never a second try.
//!
//! The roots of trust are the system's (`SSL_CERT_FILE` and `SSL_CERT_DIR` are heeded), a proxy is taken from `HTTPS_PROXY`, `HTTP_PROXY`,
//! `ALL_PROXY` and `NO_PROXY`.

use std::{
    io::Read,
    sync::{Arc, OnceLock},
    time::Duration,
};

use ureq::{
    Agent,
    config::RedirectAuthHeaders,
    http::Request,
    tls::{Certificate, RootCerts, TlsConfig, TlsProvider},
};

use crate::http::{Http, HttpReply, HttpRequest};

/// What a request may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebLimits {
    /// Time from the look-up of the name to the last byte, redirects included. What is left of the script's is shorter, if so.
    pub time: Duration,
    /// Bytes of a reply's body, uncompressed.
    pub body_bytes: u64,
    /// Redirects that are followed.
    pub redirects: u32,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), body_bytes: 8 << 20, redirects: 5 }
    }
}

/// The network.
#[derive(Debug)]
pub struct Web {
    limits: WebLimits,
    agent: Agent,
}

impl Web {
    /// Opens nothing yet.
    pub fn new(limits: WebLimits) -> Self {
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(RootCerts::Specific(roots()))
            .build();
        let config = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // A connection that is used again may have been closed meanwhile, and then nobody knows what arrived.
            .max_idle_connections(0)
            .max_redirects(limits.redirects)
            .redirect_auth_headers(RedirectAuthHeaders::SameHost)
            .allow_non_standard_methods(true)
            .user_agent(concat!("agent-device/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { limits, agent: config.new_agent() }
    }
}

impl Default for Web {
    fn default() -> Self {
        Self::new(WebLimits::default())
    }
}

impl Http for Web {
    fn send(&mut self, request: &HttpRequest, limit: Duration) -> Result<HttpReply, String> {
        let what = format!("{} {}", request.method, request.url);
        let scheme = request.url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !matches!(scheme.as_deref(), Some("http" | "https")) {
            return Err(format!("{what}: an address begins with http:// or https://"));
        }
        let limit = limit.min(self.limits.time);
        let mut asked = Request::builder().method(request.method.as_str()).uri(request.url.as_str());
        for (name, value) in &request.headers {
            asked = asked.header(name.as_str(), value.as_str());
        }
        let failed = |why: ureq::Error| match why {
            ureq::Error::Timeout(_) => format!("{what}: no reply within {} ms", limit.as_millis()),
            ureq::Error::RedirectFailed => {
                format!("{what}: the server redirects and wants the body again; send it to that address yourself")
            }
            ureq::Error::TooManyRedirects => format!("{what}: more than {} redirects", self.limits.redirects),
            why => format!("{what}: {why}"),
        };
        let invalid = |why: ureq::http::Error| format!("{what}: {why}");
        let reply = match &request.body {
            None => {
                let asked = asked.body(()).map_err(invalid)?;
                self.agent.run(self.agent.configure_request(asked).timeout_global(Some(limit)).build())
            }
            Some(body) => {
                let asked = asked.body(body.as_str()).map_err(invalid)?;
                self.agent.run(self.agent.configure_request(asked).timeout_global(Some(limit)).build())
            }
        };
        let mut reply = reply.map_err(failed)?;
        let headers = reply
            .headers()
            .iter()
            .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let status = reply.status().as_u16();
        let mut body = Vec::new();
        let most = self.limits.body_bytes;
        reply.body_mut().as_reader().take(most + 1).read_to_end(&mut body).map_err(|why| failed(why.into()))?;
        if u64::try_from(body.len()).unwrap_or(u64::MAX) > most {
            return Err(format!("{what}: the reply is longer than {most} bytes"));
        }
        Ok(HttpReply { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }
}

/// The system's roots; read once.
fn roots() -> Arc<Vec<Certificate<'static>>> {
    static ROOTS: OnceLock<Arc<Vec<Certificate<'static>>>> = OnceLock::new();
    let read = || {
        let found = rustls_native_certs::load_native_certs();
        // One that cannot be read is one that is not trusted; where none can, TLS says so.
        Arc::new(found.certs.iter().map(|root| Certificate::from_der(root).to_owned()).collect())
    };
    Arc::clone(ROOTS.get_or_init(read))
}
