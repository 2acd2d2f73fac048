//! What is done to the exchanges between client and daemon.

use std::{fmt, time::Duration};

use contract::{Request, request::method};
use cut::{At, Ending, Fault, Side, Strike};
use daemon::protocol::request_line;

use crate::cuts::{Draw, Share};

/// Which exchange of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The greeting.
    Hello,
    /// The command itself.
    Run,
    /// The greeting of the second connection, after the command's reply was lost.
    SecondHello,
    /// The question for the lost reply.
    Retained,
}

/// What happens there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The connection is struck.
    Wire(Fault),
    /// So many bytes of a side pass, then the daemon is killed.
    Dies(Side, usize),
    /// The same, and another daemon is there at once.
    DiesAndComesBack(Side, usize),
    /// So many bytes of a side pass, then the daemon is told to stop; then the rest passes.
    Stops(Side, usize),
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blow {
    /// At which exchange.
    pub place: Place,
    /// What.
    pub act: Act,
}

/// Operations of which every exchange is tried at every byte.
pub const EVERYWHERE: [&str; 3] = ["press", "open", "close"];
/// Places of each side of what is alike for all operations (greetings, the question for a lost reply), for the others.
pub const ALIKE: usize = 16;

/// How long a delay is: nothing may depend on it.
const DELAY: Duration = Duration::from_millis(20);
/// Places of a side at which nothing comes any more, so that a client has to wait to its limit.
const STALLS: usize = 4;
/// Flips the lowest bit: a letter stays a letter, a digit a digit, and JSON becomes something else.
const FLIP: u8 = 0x01;

/// The lengths of both sides of each exchange, bytes.
#[derive(Debug, Clone, Copy)]
pub struct Lengths {
    /// Of the greeting.
    pub hello: [usize; 2],
    /// Of the command.
    pub run: [usize; 2],
    /// Of the question for a lost reply.
    pub retained: [usize; 2],
}

/// Every fault of a share. `salt` is the operation's name.
pub fn all(lengths: &Lengths, share: Share, salt: &str) -> Vec<Blow> {
    let mut draw = Draw::new(share.seed(), salt);
    let mut blows = Vec::new();
    for (place, [request, reply]) in [
        (Place::Hello, lengths.hello),
        (Place::Run, lengths.run),
        (Place::SecondHello, lengths.hello),
        (Place::Retained, lengths.retained),
    ] {
        let mut add = |act| blows.push(Blow { place, act });
        let share = match share {
            Share::Every { seed } if place != Place::Run && !EVERYWHERE.contains(&salt) => {
                Share::Some { places: ALIKE, seed }
            }
            share => share,
        };
        for (side, length) in [(Side::Request, request), (Side::Reply, reply)] {
            for at in share.places(length, &format!("{salt} {place:?} {side:?}")) {
                add(Act::Wire(Fault::cut(side, at, Ending::Fin)));
                add(Act::Wire(Fault::cut(side, at, Ending::Reset)));
                if at < length {
                    add(Act::Wire(Fault::Garble { side, at, mask: FLIP }));
                }
                if matches!(place, Place::Hello | Place::Run) {
                    add(Act::Dies(side, at));
                    add(Act::DiesAndComesBack(side, at));
                    add(Act::Stops(side, at));
                }
            }
            // A greeting is given up after seconds, whatever the command's limit.
            let stalls = if matches!(place, Place::Hello | Place::SecondHello) { 1 } else { STALLS };
            for _ in 0..stalls {
                let after = draw.below(length);
                add(Act::Wire(Fault::Stall { side, after, time: Some(DELAY) }));
                add(Act::Wire(Fault::Stall { side, after, time: None }));
            }
        }
        add(Act::Wire(Fault::Duplicate));
        add(Act::Wire(Fault::Stale));
    }
    // Each operation gets another part of them, none a part that is all of one kind.
    if let Share::Some { places, .. } = share {
        while blows.len() > places * 6 {
            blows.swap_remove(draw.below(blows.len()));
        }
    }
    blows
}

impl Blow {
    /// Whether the program has an answer soon. It waits longer than the library can be told to for what never comes and
    /// what comes as something else, and for a daemon that it would start itself.
    pub fn is_for_program(&self) -> bool {
        let waits =
            matches!(self.act, Act::Wire(Fault::Stall { time: None, .. } | Fault::Garble { .. } | Fault::Stale));
        let alone = self.place == Place::Hello && matches!(self.act, Act::Dies(..) | Act::Stops(..));
        !(waits || alone)
    }

    /// Whether the daemon is well and has the whole command, and only its answer does not arrive; or that of the question
    /// for it, once.
    pub fn loses_a_reply(&self) -> bool {
        let cut = matches!(self.act, Act::Wire(Fault::Cut { side: Side::Reply, .. }));
        let late = matches!(self.act, Act::Wire(Fault::Stall { side: Side::Reply, time: None, .. }));
        matches!(self.place, Place::Run | Place::Retained) && (cut || late)
    }

    /// Whether it can strike a request on a connection that was greeted long ago.
    pub const fn is_without_greeting(&self) -> bool {
        matches!(self.place, Place::Run | Place::Retained)
    }

    /// The line of a request as it arrives, the one of that number on its connection, where a byte of it is flipped.
    pub fn flipped(&self, request: &Request, number: u64) -> Option<Vec<u8>> {
        let Act::Wire(Fault::Garble { side: Side::Request, at, mask }) = &self.act else { return None };
        if self.place != Place::Run {
            return None;
        }
        let mut line = request_line(number, method::RUN, request).ok()?.into_bytes();
        *line.get_mut(*at)? ^= mask;
        Some(line)
    }

    /// Whether what the caller reads is not what the daemon wrote.
    pub fn garbles_reply(&self) -> bool {
        matches!(self.act, Act::Wire(Fault::Garble { side: Side::Reply, .. }))
    }

    /// Arms the proxy for a command.
    pub fn arm(&self, proxy: &cut::Proxy, command: &str) {
        let run = format!("run {command}");
        let at = match self.place {
            Place::Hello => At::label("hello", 1),
            Place::Run => At::label(&run, 1),
            Place::SecondHello => At::label("hello", 2),
            Place::Retained => At::label("retained", 1),
        };
        if matches!(self.place, Place::SecondHello | Place::Retained) {
            proxy.arm(Strike { at: At::label(&run, 1), fault: Fault::cut(Side::Reply, 0, Ending::Fin) });
        }
        let fault = match &self.act {
            Act::Wire(fault) => fault.clone(),
            Act::Dies(side, after) | Act::DiesAndComesBack(side, after) | Act::Stops(side, after) => {
                Fault::Stall { side: *side, after: *after, time: None }
            }
        };
        proxy.arm(Strike { at, fault });
    }

    /// How many strikes it takes.
    pub const fn strikes(&self) -> u32 {
        if matches!(self.place, Place::SecondHello | Place::Retained) { 2 } else { 1 }
    }
}

impl fmt::Display for Blow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::Hello => "greeting",
            Place::Run => "command",
            Place::SecondHello => "greeting after a lost reply",
            Place::Retained => "question for a lost reply",
        };
        match &self.act {
            Act::Wire(fault) => write!(f, "{place}: {fault}"),
            Act::Dies(side, after) => write!(f, "{place}: daemon killed after byte {after} of the {side}"),
            Act::DiesAndComesBack(side, after) => {
                write!(f, "{place}: daemon killed after byte {after} of the {side}, and another one there")
            }
            Act::Stops(side, after) => write!(f, "{place}: daemon told to stop after byte {after} of the {side}"),
        }
    }
}
