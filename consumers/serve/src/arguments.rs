//! What can stand on the command line behind `serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;

/// Let clients on other machines use the devices of this one, through a tunnel
#[derive(Debug, Clone, Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
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
