//! What `http.*` asks of the outside, and what it gets.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One request of a script.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HttpRequest {
    /// `GET`, `POST`, ... in capitals.
    pub method: String,
    /// The whole address.
    pub url: String,
    /// Names as the script wrote them.
    pub headers: Vec<(String, String)>,
    /// What it sends.
    pub body: Option<String>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HttpReply {
    /// The status, also of refusals.
    pub status: u16,
    /// Names in small letters; what came several times, several times.
    pub headers: Vec<(String, String)>,
    /// The text.
    pub body: String,
}

/// Sends what scripts ask for.
pub trait Http: Send {
    /// Sends one request, once, within `limit`.
    ///
    /// # Errors
    /// Why there is no reply: a sentence, which the script can catch.
    fn send(&mut self, request: &HttpRequest, limit: Duration) -> Result<HttpReply, String>;
}

impl<F> Http for F
where
    F: FnMut(&HttpRequest, Duration) -> Result<HttpReply, String> + Send,
{
    fn send(&mut self, request: &HttpRequest, limit: Duration) -> Result<HttpReply, String> {
        self(request, limit)
    }
}
