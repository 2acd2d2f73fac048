//! `mcp`: this program as tools of a model.

use std::{net::SocketAddr, path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};
use contract::{Code, Failure, Row};
use mcp::{Listening, Options, Profile, Token};

use crate::{arguments::Global, before_sending, output, topics, traced};

/// Serve as an MCP server, for agents that call tools
///
/// On standard input and output; agents start it themselves. `--session`, `--platform` and `--device` stand for what a
/// call does not say.
#[derive(Debug, Args)]
pub struct Mcp {
    /// Which commands are tools of their own; the rest is behind the tool `more`
    #[arg(long, value_enum, default_value = "core")]
    pub profile: Tools,
    /// Serve streamable HTTP on this address instead, at /mcp: 127.0.0.1:0 takes a free port
    #[arg(long, value_name = "ADDR", value_parser = serve::arguments::listen_address)]
    pub http: Option<SocketAddr>,
    /// The file with the token that clients show; made if it is not there
    #[arg(long, value_name = "FILE", requires = "http", conflicts_with = "no_token")]
    pub token_file: Option<PathBuf>,
    /// Let everybody on this machine in, without a token
    #[arg(long, requires = "http")]
    pub no_token: bool,
    /// A name beside localhost by which the server is reached; needed for an address that others can reach
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,
    /// The origin of a page beside those on localhost that may speak to the server
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,
}

/// Which commands are tools of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tools {
    /// The 16 of every day.
    Core,
    /// All of them.
    Full,
    /// All of them, for programs: answers are data, and their schemas are listed.
    Typed,
}

/// Serves until the client goes away, or the process is told to end.
pub fn serve(args: Mcp, global: Global) -> ExitCode {
    let json = global.json;
    let served = options(&args, global).and_then(|options| match args.http {
        None => mcp::serve_stdio(options).map_err(broken),
        Some(address) => {
            let listening = listening(address, args)?;
            // Standard output is for programs: the address alone, so that port 0 can be used.
            mcp::serve_http(options, listening, |address| {
                let _told = output::raw(format!("http://{address}{}\n", mcp::http::PATH).as_bytes());
            })
            .map_err(broken)
        }
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failed(&before_sending(failure), json),
    }
}

fn options(args: &Mcp, global: Global) -> Result<Options, Failure> {
    Ok(Options {
        client: crate::client(&global)?.keeping(),
        session: global.session.filter(|name| !name.is_empty()),
        workspace: caller::workspace(),
        platform: caller::platform(global.platform)?,
        device: global.device,
        folder: std::env::current_dir().unwrap_or_default(),
        profile: match args.profile {
            Tools::Core => Profile::Core,
            Tools::Full => Profile::Full,
            Tools::Typed => Profile::Typed,
        },
        help: topics::answer,
        finish: traced::paged,
    })
}

/// Who is let in, decided before anything listens.
fn listening(address: SocketAddr, args: Mcp) -> Result<Listening, Failure> {
    let token = match (&args.token_file, args.no_token) {
        (Some(file), _) => Some(Token::read(file).map_err(usage)?),
        (None, true) if address.ip().is_loopback() => None,
        (None, true) => {
            return Err(usage(format!("others can reach {address}: --no-token is for loopback addresses"))
                .hint("give a token: --token-file FILE"));
        }
        (None, false) => {
            return Err(usage("over HTTP anybody on this machine could call".to_owned())
                .hint("give a token: --token-file FILE (made if it is not there); or say --no-token"));
        }
    };
    if !address.ip().is_loopback() && args.allow_host.is_empty() {
        return Err(usage(format!("others can reach {address}, and it is not said by which name"))
            .hint("--allow-host NAME lets requests in that were sent to that name; the token travels unencrypted: put TLS before it"));
    }
    Ok(Listening { address, token, hosts: args.allow_host, origins: args.allow_origin })
}

fn usage(message: String) -> Failure {
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, message).reason("usage")
}

fn broken(why: String) -> Failure {
    Failure::refused(Row::ClientUsage, Code::CommandFailed, why)
}
