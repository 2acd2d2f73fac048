//! Which exchange is struck, and how.

use std::{fmt, sync::Arc, time::Duration};

use crate::framing::Name;

/// One fault, armed for one exchange. Everything after it passes untouched.
#[derive(Debug, Clone)]
pub struct Strike {
    /// Which.
    pub at: At,
    /// What happens to it.
    pub fault: Fault,
}

/// Which exchange.
#[derive(Clone)]
pub struct At {
    which: Which,
    nth: u32,
}

/// Whether a request, by its name and bytes, is meant.
type Choice = dyn Fn(&Name, &[u8]) -> bool + Send + Sync;

#[derive(Clone)]
enum Which {
    Any,
    Label(String),
    When(Arc<Choice>),
}

/// What happens to an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Exactly so many bytes of one side are handed on, then both connections end. A cut request is never answered; of
    /// a cut reply the peer has said all.
    Cut {
        /// Of which side.
        side: Side,
        /// So many bytes pass.
        after: usize,
        /// How the connections end.
        ending: Ending,
    },
    /// So many bytes of one side are handed on, then nothing happens: for a time, or until the proxy is released, or
    /// the client goes away. Then the rest follows.
    Stall {
        /// Of which side.
        side: Side,
        /// So many bytes pass at once.
        after: usize,
        /// How long; `None`: until it is released.
        time: Option<Duration>,
    },
    /// One byte is another one: it is XORed with this.
    Garble {
        /// Of which side.
        side: Side,
        /// Which byte, from 0. One beyond the message leaves it as it is.
        at: usize,
        /// With what; not 0.
        mask: u8,
    },
    /// The reply comes twice.
    Duplicate,
    /// Instead of the reply, the one before it on this connection comes (with its own id), and the true one is lost.
    /// Where it is the first, the true one comes.
    Stale,
    /// The reply comes after the next one of the connection.
    Swap,
}

/// A side of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// What the client says.
    Request,
    /// What it is told.
    Reply,
}

/// How connections end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// In order.
    Fin,
    /// TCP: RST. Unix: closed while something that was said is unread, which the one who said it sees as a reset.
    Reset,
}

impl At {
    /// The `nth` exchange from now on, from 1.
    pub const fn any(nth: u32) -> Self {
        Self { which: Which::Any, nth }
    }

    /// The `nth` from now on, from 1, with this label.
    pub fn label(label: &str, nth: u32) -> Self {
        Self { which: Which::Label(label.to_owned()), nth }
    }

    /// The `nth` from now on, from 1, whose name and request are so.
    pub fn when(nth: u32, is: impl Fn(&Name, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self { which: Which::When(Arc::new(is)), nth }
    }

    /// Whether a request is of this kind.
    pub(crate) fn meets(&self, name: &Name, request: &[u8]) -> bool {
        match &self.which {
            Which::Any => true,
            Which::Label(label) => *label == name.label,
            Which::When(is) => is(name, request),
        }
    }

    pub(crate) const fn nth(&self) -> u32 {
        self.nth
    }
}

impl Fault {
    /// Bytes of one side, then the end.
    pub const fn cut(side: Side, after: usize, ending: Ending) -> Self {
        Fault::Cut { side, after, ending }
    }
}

impl fmt::Debug for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.which {
            Which::Any => write!(f, "exchange {}", self.nth),
            Which::Label(label) => write!(f, "{label} #{}", self.nth),
            Which::When(_) => write!(f, "chosen exchange #{}", self.nth),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Request => "request",
            Side::Reply => "reply",
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Fin => "FIN",
            Ending::Reset => "RST",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Cut { side, after, ending } => write!(f, "{side} cut after byte {after}, {ending}"),
            Fault::Stall { side, after, time: None } => write!(f, "{side} stalled after byte {after}"),
            Fault::Stall { side, after, time: Some(time) } => {
                write!(f, "{side} stalled after byte {after} for {} ms", time.as_millis())
            }
            Fault::Garble { side, at, mask } => write!(f, "{side} with byte {at} XOR {mask:#04x}"),
            Fault::Duplicate => f.write_str("reply twice"),
            Fault::Stale => f.write_str("the reply of the exchange before"),
            Fault::Swap => f.write_str("reply after the next one"),
        }
    }
}
