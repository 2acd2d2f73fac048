//! Where the adb server listens.

use std::{fmt, io, path::PathBuf};

use contract::{Code, Failure, Row};
use tokio::net::{TcpStream, UnixStream};

use super::socket::Socket;

/// adb's own default port.
pub const DEFAULT_PORT: u16 = 5037;

/// An address of an adb server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// `tcp:PORT` or `tcp:HOST:PORT`.
    Tcp {
        /// Name or number, without brackets.
        host: String,
        /// Port.
        port: u16,
    },
    /// `localfilesystem:PATH`.
    Path(PathBuf),
    /// `localabstract:NAME` (Linux).
    Abstract(String),
}

impl Address {
    /// A server on this machine.
    pub fn local(port: u16) -> Self {
        // The number, not "localhost": adb listens on it, and a lookup per service costs time.
        Self::Tcp { host: "127.0.0.1".to_owned(), port }
    }

    /// What `ADB_SERVER_SOCKET`, or else `ANDROID_ADB_SERVER_ADDRESS` and `ANDROID_ADB_SERVER_PORT` say, as adb itself
    /// reads them.
    ///
    /// # Errors
    /// `INVALID_ARGS` where a variable does not name an address.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Self, Failure> {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(spec) = set("ADB_SERVER_SOCKET") {
            return Self::parse(&spec).ok_or_else(|| wrong("ADB_SERVER_SOCKET", &spec));
        }
        let port = match set("ANDROID_ADB_SERVER_PORT") {
            None => DEFAULT_PORT,
            Some(text) => match text.parse() {
                Ok(port) if port > 0 => port,
                _ => return Err(wrong("ANDROID_ADB_SERVER_PORT", &text)),
            },
        };
        Ok(match set("ANDROID_ADB_SERVER_ADDRESS") {
            None => Self::local(port),
            Some(host) => Self::Tcp { host, port },
        })
    }

    /// Reads adb's syntax of socket addresses.
    pub fn parse(spec: &str) -> Option<Self> {
        let (kind, rest) = spec.split_once(':')?;
        if rest.is_empty() {
            return None;
        }
        match kind {
            "tcp" => {
                let (host, port) = rest.rsplit_once(':').unwrap_or(("127.0.0.1", rest));
                let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
                let port = port.parse().ok().filter(|port| *port > 0)?;
                (!host.is_empty()).then(|| Self::Tcp { host: host.to_owned(), port })
            }
            // On a host, adb takes `local:` for a path too.
            "localfilesystem" | "local" => Some(Self::Path(rest.into())),
            "localabstract" => Some(Self::Abstract(rest.to_owned())),
            _ => None,
        }
    }

    /// Whether a server at this address can be started from here.
    pub fn is_here(&self) -> bool {
        match self {
            Self::Tcp { host, .. } => matches!(host.as_str(), "127.0.0.1" | "localhost" | "::1"),
            Self::Path(_) | Self::Abstract(_) => true,
        }
    }

    /// The arguments that make the adb program use this address.
    pub(super) fn arguments(&self) -> [String; 2] {
        match self {
            Self::Tcp { port, .. } if self.is_here() => ["-P".to_owned(), port.to_string()],
            other => ["-L".to_owned(), other.to_string()],
        }
    }

    /// Opens a connection.
    pub(super) async fn connect(&self) -> io::Result<Socket> {
        Ok(match self {
            Self::Tcp { host, port } => {
                let stream = TcpStream::connect((host.as_str(), *port)).await?;
                // Short words back and forth: waiting to fill a packet only costs time.
                stream.set_nodelay(true)?;
                Socket::Tcp(stream)
            }
            Self::Path(path) => Socket::Unix(UnixStream::connect(path).await?),
            Self::Abstract(name) => Socket::Unix(abstract_socket(name)?),
        })
    }
}

#[cfg(target_os = "linux")]
fn abstract_socket(name: &str) -> io::Result<UnixStream> {
    use std::os::{linux::net::SocketAddrExt, unix::net};
    let stream = net::UnixStream::connect_addr(&net::SocketAddr::from_abstract_name(name)?)?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

#[cfg(not(target_os = "linux"))]
fn abstract_socket(name: &str) -> io::Result<UnixStream> {
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("localabstract:{name}: only Linux has such sockets")))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "tcp:{host}:{port}"),
            Self::Path(path) => write!(f, "localfilesystem:{}", path.display()),
            Self::Abstract(name) => write!(f, "localabstract:{name}"),
        }
    }
}

fn wrong(variable: &str, value: &str) -> Failure {
    Failure::refused(
        Row::AdbServerUnreachable,
        Code::InvalidArgs,
        format!("the environment variable {variable} is '{value}', which names no adb server"),
    )
    .reason("adb_address_invalid")
    .hint("examples: ADB_SERVER_SOCKET=tcp:localhost:5037, ANDROID_ADB_SERVER_PORT=5037")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<String, Code> {
        Address::from_environment(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
        .map(|address| address.to_string())
        .map_err(|failure| failure.code)
    }

    #[test]
    fn the_environment_is_read_as_adb_reads_it() {
        assert_eq!(from(&[]), Ok("tcp:127.0.0.1:5037".into()));
        assert_eq!(from(&[("ANDROID_ADB_SERVER_PORT", "5038")]), Ok("tcp:127.0.0.1:5038".into()));
        assert_eq!(
            from(&[("ANDROID_ADB_SERVER_PORT", "5038"), ("ANDROID_ADB_SERVER_ADDRESS", "rack")]),
            Ok("tcp:rack:5038".into())
        );
        let both = [("ADB_SERVER_SOCKET", "tcp:[::1]:7"), ("ANDROID_ADB_SERVER_PORT", "5038")];
        assert_eq!(from(&both), Ok("tcp:[::1]:7".into()));
        assert_eq!(from(&[("ADB_SERVER_SOCKET", "localfilesystem:/run/adb")]), Ok("localfilesystem:/run/adb".into()));
        for wrong in ["tcp:", "tcp:x", "tcp::7", "tcp:0", "vsock:3:4", "5037", "localabstract:"] {
            assert_eq!(from(&[("ADB_SERVER_SOCKET", wrong)]), Err(Code::InvalidArgs), "{wrong}");
        }
        assert_eq!(from(&[("ANDROID_ADB_SERVER_PORT", "70000")]), Err(Code::InvalidArgs));
    }

    #[test]
    fn only_a_server_on_this_machine_is_started() {
        for (spec, here) in [("tcp:5037", true), ("tcp:localhost:1", true), ("tcp:rack:1", false), ("local:/x", true)] {
            assert_eq!(Address::parse(spec).unwrap().is_here(), here, "{spec}");
        }
    }
}
