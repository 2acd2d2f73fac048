//! Which faults an exchange gets.

use std::time::Duration;

use super::{Thrift, operations::Operation};
use crate::{
    adb_cut::bytes::{ByteCut, Ending, Exchange, Side},
    cuts::Share,
};

/// What the adb server says to two words before the helper's own answer begins: `OKAY` twice.
const WAY: usize = 8;
/// How late something is that is late.
const LATE: Duration = Duration::from_millis(150);

/// A cut, and what it is called.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The cut.
    pub cut: ByteCut,
    /// Exactly enough to do it again.
    pub text: String,
}

/// Every fault of an operation, by what passed when nothing was cut.
pub fn of(clean: &[Exchange], operation: &Operation, thrift: Thrift) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (number, exchange) in clean.iter().enumerate() {
        let what = exchange.what();
        let changes = operation.changes.iter().any(|begins| what.starts_with(begins));
        let named = |cut: ByteCut| Fault { text: text(&cut, exchange, &what), cut };
        let cut = |side, at, ending| named(ByteCut { connection: number, side, at, ending });
        for side in [Side::Request, Side::Reply] {
            let length = if side == Side::Request { exchange.request.length } else { exchange.reply.length };
            // A reply that came whole is no fault.
            let last = if side == Side::Request { length } else { length.saturating_sub(1) };
            let salt = format!("{} {number} {side:?}", operation.name);
            let mut places = thrift.places(changes, last, &salt);
            places.extend(inside_characters(exchange, side));
            places.sort_unstable();
            places.dedup();
            for (turn, at) in places.into_iter().enumerate() {
                let (fin, rst) = (cut(side, at, Ending::Fin), cut(side, at, Ending::Rst));
                match (thrift.both && changes, turn % 2) {
                    (true, _) => faults.extend([fin, rst]),
                    (false, 0) => faults.push(fin),
                    (false, _) => faults.push(rst),
                }
            }
        }
        if !changes {
            continue;
        }
        let begins = WAY.min(exchange.reply.length / 2);
        faults.push(cut(Side::Reply, begins, Ending::Stall));
        faults.push(cut(Side::Reply, begins, Ending::Delay(LATE)));
        if matches!(thrift.changing, Share::Every { .. }) {
            faults.push(cut(Side::Request, exchange.request.length / 2, Ending::Stall));
            faults.push(cut(Side::Request, exchange.request.length / 2, Ending::Delay(LATE)));
            faults.push(cut(Side::Reply, exchange.reply.length / 2, Ending::Stall));
        }
        if what.starts_with("helper:") {
            faults.push(cut(Side::Reply, WAY, Ending::Twice));
            let earlier = exchange.reply.bytes.get(WAY..).unwrap_or_default().to_vec();
            faults.push(cut(Side::Reply, WAY, Ending::Instead(earlier.clone())));
            // The same for a command of which a byte arrives.
            faults.push(cut(Side::Request, exchange.way() + 1, Ending::Instead(earlier)));
        }
    }
    faults
}

/// Some places in the middle of characters of more than one byte.
fn inside_characters(exchange: &Exchange, side: Side) -> Vec<usize> {
    const MOST: usize = 4;
    let bytes = if side == Side::Request { &exchange.request.bytes } else { &exchange.reply.bytes };
    let text = std::str::from_utf8(bytes).is_ok();
    let inside = bytes.iter().enumerate().filter(|(_, byte)| (0x80..0xc0).contains(*byte)).map(|(place, _)| place);
    if text { inside.take(MOST).collect() } else { Vec::new() }
}

fn text(cut: &ByteCut, exchange: &Exchange, what: &str) -> String {
    let (side, length) = match cut.side {
        Side::Request => ("request", exchange.request.length),
        Side::Reply => ("reply", exchange.reply.length),
    };
    let ending = match &cut.ending {
        Ending::Fin => "FIN".to_owned(),
        Ending::Rst => "RST".to_owned(),
        Ending::Stall => "nothing more".to_owned(),
        Ending::Delay(time) => format!("{} ms later", time.as_millis()),
        Ending::Twice => "the rest twice".to_owned(),
        Ending::Instead(_) => "an earlier answer".to_owned(),
    };
    let what: String = what.chars().take(60).collect();
    format!("exchange {} ({what}), {side} byte {} of {length}, {ending}", cut.connection + 1, cut.at)
}
