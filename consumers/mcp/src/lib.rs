//! agent-device as tools of a model: an MCP server over standard input and output, or streamable HTTP.
//!
//! The tools are the commands of the contract; nothing is listed by hand but which of them are the everyday ones. One
//! call is one look and one action: nothing is waited for, nothing is sent again.
//!
//! | module | answers |
//! | --- | --- |
//! | [`tools`] | which tools there are, and what a client may think of each |
//! | [`more`] | the tool that reaches what is not listed |
//! | [`schema`] | a command's arguments in few bytes |
//! | [`arguments`] | from what a model sends to a command |
//! | [`call`] | one call: its turn, its progress, its cancellation |
//! | [`answer`] | what a model is given of an answer or a failure |
//! | [`hints`] | advice written as tool calls |
//! | [`picture`] | a screenshot of bounded size |
//! | [`replays`] | a recorded flow, run as one call |
//! | [`resources`] | what can be read without a tool |
//! | [`runs`] | a snapshot's list in fewer bytes |
//! | [`server`] | the methods of the protocol |
//! | [`stdio`], [`http`], [`token`] | how a client reaches it |

pub mod answer;
pub mod arguments;
pub mod call;
pub mod hints;
pub mod http;
pub mod more;
pub mod picture;
pub mod replays;
pub mod resources;
pub mod runs;
pub mod schema;
pub mod server;
pub mod stdio;
pub mod token;
pub mod tools;

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use contract::{Command, Failure, Response, request::Answer, view::Platform};
use daemon::client::Client;

pub use http::Listening;
pub use token::Token;
pub use tools::Profile;

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The way to the daemon, which is started with the first call, not before. One that keeps connections
    /// ([`Client::keeping`]) saves each call a greeting.
    pub client: Client,
    /// The session's name; where absent, the one implied by `workspace`.
    pub session: Option<String>,
    /// The folder that implies the session's name.
    pub workspace: Option<String>,
    /// Which platform, when opening.
    pub platform: Option<Platform>,
    /// Which device, when opening.
    pub device: Option<String>,
    /// Where relative paths lie.
    pub folder: PathBuf,
    /// Which commands are tools of their own.
    pub profile: Profile,
    /// The text of a topic, or the list of them.
    pub help: fn(Option<&str>) -> Result<Answer, Failure>,
    /// What the caller's side makes of an answer: the page of a trace.
    pub finish: fn(Response, &Command) -> Response,
}

/// Serves on standard input and output until the input ends.
///
/// # Errors
/// What kept it from it, for people.
pub fn serve_stdio(options: Options) -> Result<(), String> {
    runtime()?.block_on(stdio::serve(Arc::new(call::Shared::new(options))))
}

/// Serves over HTTP until the process is told to end. `listens` is told the address.
///
/// # Errors
/// What kept it from it, for people.
pub fn serve_http(options: Options, listening: Listening, listens: impl FnOnce(SocketAddr)) -> Result<(), String> {
    runtime()?.block_on(http::serve(Arc::new(call::Shared::new(options)), listening, listens))
}

/// One thread for the protocol: calls begin in the order in which they were read. What blocks has threads of its own.
fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|why| format!("no runtime: {why}"))
}
