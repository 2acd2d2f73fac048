//! What can stand on the command line behind `serve`.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
};

use clap::Args;

/// Let clients on other machines use the devices of this one, through a tunnel
#[derive(Debug, Clone, Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0", value_parser = listen_address)]
    pub listen: SocketAddr,
    /// A file with the token that clients must bring: at least 32 characters, readable by its owner only
    #[arg(long, value_name = "FILE")]
    pub token_file: PathBuf,
    /// Write the address into a file, once it is open
    #[arg(long, value_name = "FILE")]
    pub print_address_file: Option<PathBuf>,
    /// Listen on another address than this machine's own: the line is not encrypted
    #[arg(long)]
    pub allow_remote_listen: bool,
}

/// Reads an address to listen on. `localhost` is this machine's own, whatever its names say.
///
/// # Errors
/// What a person would write instead.
pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    if let Some(port) = port {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    text.parse().map_err(|_| {
        let shown = match text.trim_start_matches(':').parse::<u16>() {
            Ok(port) => format!("127.0.0.1:{port}"),
            Err(_) => "127.0.0.1:40123".to_owned(),
        };
        format!("an address and a port are needed, such as {shown}; port 0 takes a free one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_what_is_none_gets_one_to_copy() {
        for (text, read) in [
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("localhost:40123", "127.0.0.1:40123"),
            ("[::1]:7", "[::1]:7"),
            ("0.0.0.0:7", "0.0.0.0:7"),
        ] {
            assert_eq!(listen_address(text), Ok(read.parse().unwrap()), "{text}");
        }
        for (text, shown) in [
            ("40999", "127.0.0.1:40999"),
            (":40999", "127.0.0.1:40999"),
            ("127.0.0.1", "127.0.0.1:40123"),
            ("127.0.0.1:80000", "127.0.0.1:40123"),
            ("localhost:x", "127.0.0.1:40123"),
            ("", "127.0.0.1:40123"),
        ] {
            assert!(listen_address(text).unwrap_err().contains(&format!("such as {shown};")), "{text}");
        }
    }
}
