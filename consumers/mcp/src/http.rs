//! The server over streamable HTTP: for clients that do not start it themselves.
//!
//! | limit | value |
//! | --- | --- |
//! | who is let in | a bearer of the token; on a loopback address alone also anybody, if that was said |
//! | `Host` | loopback names, and those that were said: a page that points its own name here is refused |
//! | `Origin` | loopback, and those that were said; requests without one pass (no browser sent them) |
//! | connections | [`CONNECTIONS`] at once; more wait |
//! | a request's head | [`HEAD_LIMIT`] to arrive |
//! | a request's body | [`BODY`] bytes |
//! | a session without a request | [`IDLE`], then it ends |

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService,
    session::local::{LocalSessionManager, SessionConfig},
};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::{call::Shared, server::Server, token::Token};

/// Connections at once.
pub const CONNECTIONS: usize = 64;
/// How long the head of a request may take.
pub const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// Bytes of a request's body at most.
pub const BODY: usize = 1 << 20;
/// How long a session lives without a request.
pub const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long calls under way may take to end when the server ends.
const LAST_CALL: Duration = Duration::from_secs(20);

/// The path that is served.
pub const PATH: &str = "/mcp";

/// How to listen.
#[derive(Debug, Clone)]
pub struct Listening {
    /// Where; port 0 takes a free one.
    pub address: SocketAddr,
    /// What a client has to show; `None` lets everybody on this machine in.
    pub token: Option<Token>,
    /// Names beside the loopback ones by which the server is reached.
    pub hosts: Vec<String>,
    /// Origins of pages beside the loopback ones that may speak to it.
    pub origins: Vec<String>,
}

type Body = BoxBody<Bytes, Infallible>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

/// Serves until the process is told to end. `listens` is told the address.
///
/// # Errors
/// What kept it from it, for people.
pub async fn serve(shared: Arc<Shared>, listening: Listening, listens: impl FnOnce(SocketAddr)) -> Result<(), String> {
    let listener = TcpListener::bind(listening.address)
        .await
        .map_err(|why| format!("{} cannot be listened on: {why}", listening.address))?;
    let address = listener.local_addr().map_err(|why| why.to_string())?;
    let ends = CancellationToken::new();
    let service = service(&shared, &listening, ends.clone());
    let token = Arc::new(listening.token);
    let seats = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    listens(address);
    let mut told = std::pin::pin!(told_to_end());
    loop {
        let seat = tokio::select! {
            () = &mut told => break,
            seat = Arc::clone(&seats).acquire_owned() => seat.map_err(|why| why.to_string())?,
        };
        let accepted = tokio::select! {
            () = &mut told => break,
            accepted = listener.accept() => accepted,
        };
        // One that broke off before it was accepted is nobody's failure.
        let Ok((stream, _)) = accepted else { continue };
        while connections.try_join_next().is_some() {}
        let (service, token) = (service.clone(), Arc::clone(&token));
        connections.spawn(async move {
            let answer = service_fn(|request| answer(&service, token.as_ref().as_ref(), request));
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_LIMIT);
            // A client that goes away in the middle has nobody to be told.
            let _gone = server.serve_connection(TokioIo::new(stream), answer).await;
            drop(seat);
        });
    }
    ends.cancel();
    let _late = tokio::time::timeout(LAST_CALL, shared.idle()).await;
    Ok(())
}

fn service(shared: &Arc<Shared>, listening: &Listening, ends: CancellationToken) -> Service {
    let shared = Arc::clone(shared);
    let hosts = ["localhost", "127.0.0.1", "::1"].into_iter().map(str::to_owned).chain(listening.hosts.clone());
    let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].into_iter().map(str::to_owned);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins.chain(listening.origins.clone()))
        .enforce_origin_validation()
        .with_max_request_body_bytes(BODY)
        .with_cancellation_token(ends);
    let mut sessions = SessionConfig::default();
    sessions.keep_alive = Some(IDLE);
    let mut manager = LocalSessionManager::default();
    manager.session_config = sessions;
    StreamableHttpService::new(move || Ok(Server(Arc::clone(&shared))), Arc::new(manager), config)
}

async fn answer(
    service: &Service,
    token: Option<&Token>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    if request.uri().path() != PATH {
        return Ok(refusal(StatusCode::NOT_FOUND, "there is nothing here: the server is at /mcp"));
    }
    let shown = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    if token.is_some_and(|token| !token.shown_by(shown)) {
        let mut refused =
            refusal(StatusCode::UNAUTHORIZED, "the token is missing or wrong: Authorization: Bearer TOKEN");
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return Ok(refused);
    }
    Ok(service.handle(request).await)
}

fn refusal(status: StatusCode, why: &str) -> Response<Body> {
    let body = serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32001, "message": why}}).to_string();
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A signal that asks the process to end.
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
