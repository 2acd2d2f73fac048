//! From an HTTP request to whoever answers it.

use std::sync::Arc;

use contract::{
    Code, Failure, Row,
    hop::{LEASE_HEADER, LEASE_MS_HEADER, decoded, is_lease_id},
    request::LINE_LIMIT,
};
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    body::{Body, Incoming},
    header::{AUTHORIZATION, ORIGIN},
};
use serde_json::json;

use crate::{
    files,
    leases::{Held, Leases},
    reply::{self, Refusal, Reply},
    rpc::Rpc,
    token::Token,
};

/// The door.
#[derive(Debug)]
pub struct Door {
    /// Who may pass.
    pub token: Token,
    /// What is behind it.
    pub rpc: Rpc,
}

impl Door {
    /// Answers a request.
    pub async fn answer(&self, request: Request<Incoming>) -> Reply {
        self.passed(request).await.unwrap_or_else(reply::refused)
    }

    async fn passed(&self, request: Request<Incoming>) -> Result<Reply, Refusal> {
        let path = request.uri().path().to_owned();
        if request.headers().contains_key(ORIGIN) {
            let failure = unauthorized("requests of web pages are not answered", "origin_refused");
            return Err(Refusal::new(StatusCode::FORBIDDEN, failure.hint("ask from a program, not from a page")));
        }
        if path == "/health" {
            return Ok(reply::json(StatusCode::OK, json!({"agentDevice": contract::VERSION}).to_string()));
        }
        if !self.token.is_brought_by(text(request.headers(), AUTHORIZATION.as_str())) {
            let failure = unauthorized("the token is missing or is not this server's", "token_refused");
            return Err(failure
                .hint("AGENT_DEVICE_TOKEN or AGENT_DEVICE_TOKEN_FILE has to hold the token that serve was started with")
                .into());
        }
        let held = self.lease(request.headers()).await?;
        match (request.method().clone(), path.as_str()) {
            (Method::POST, "/rpc") => self.rpc(request, held).await,
            (Method::POST, "/lease") => {
                let held = held.ok_or_else(leaseless)?;
                let standing = serde_json::to_string(&held.lease().standing()).unwrap_or_default();
                Ok(reply::json(StatusCode::OK, standing))
            }
            (Method::DELETE, "/lease") => {
                let held = held.ok_or_else(leaseless)?;
                let lease = held.lease().clone();
                drop(held);
                let closed = self.leases().end(&lease, |_| true).await;
                Ok(reply::json(StatusCode::OK, json!({"closed": closed}).to_string()))
            }
            (_, "/rpc" | "/lease") => {
                Err(Refusal::bad(StatusCode::METHOD_NOT_ALLOWED, format!("{path} does not take {}", request.method())))
            }
            (_, path) => match path.strip_prefix("/files/").and_then(decoded) {
                Some(name) => {
                    let held = held.ok_or_else(leaseless)?;
                    files::answer(request, &name, held.lease()).await
                }
                None => Err(Refusal::bad(StatusCode::NOT_FOUND, format!("there is nothing at {path}"))),
            },
        }
    }

    fn leases(&self) -> &Arc<Leases> {
        &self.rpc.leases
    }

    async fn lease(&self, headers: &HeaderMap) -> Result<Option<Held>, Refusal> {
        let Some(id) = text(headers, LEASE_HEADER) else { return Ok(None) };
        if !is_lease_id(id) {
            let why = "the id of a lease has 8 to 64 letters, digits, '-', '_' or '.'";
            return Err(Refusal::bad(StatusCode::BAD_REQUEST, why));
        }
        let ms = match text(headers, LEASE_MS_HEADER).map(str::parse) {
            Some(Err(_)) => return Err(Refusal::bad(StatusCode::BAD_REQUEST, "Agent-Device-Lease-Ms is a number")),
            Some(Ok(ms)) => Some(ms),
            None => None,
        };
        Ok(Some(self.leases().hold(id, ms).await?))
    }

    async fn rpc(&self, request: Request<Incoming>, held: Option<Held>) -> Result<Reply, Refusal> {
        let Some(bytes) = request.body().size_hint().exact() else {
            return Err(Refusal::bad(StatusCode::LENGTH_REQUIRED, "a request says its Content-Length"));
        };
        if bytes > LINE_LIMIT as u64 {
            let why = format!("a request of more than {} MiB", LINE_LIMIT >> 20);
            return Err(Refusal::bad(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let mut body = request.into_body();
        let mut whole = Vec::new();
        while let Some(chunk) = files::next(&mut body).await? {
            whole.extend_from_slice(&chunk);
        }
        let answer = self.rpc.answer(&whole, held.as_ref().map(|held| held.lease().clone())).await;
        Ok(reply::json(StatusCode::OK, answer))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn leaseless() -> Refusal {
    Refusal::bad(StatusCode::BAD_REQUEST, "this needs a lease: the header Agent-Device-Lease, an id of your own")
}

fn unauthorized(why: &str, reason: &str) -> Failure {
    Failure::refused(Row::ServeUnauthorized, Code::Unauthorized, why).reason(reason)
}
