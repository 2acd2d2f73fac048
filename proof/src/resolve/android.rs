//! The helper on an Android device: the connection to it cut at every byte of the command and of the reply, or stalled.

use std::time::Instant;

use cut::{Figures, Tally};

use super::count;
use crate::{
    adb_cut::bytes::{ByteCut, Ending, Exchange, Side},
    cuts::{
        Found, Plan, Share,
        android::{
            faults::Fault,
            fresh,
            operations::{OPERATIONS, Operation},
            trials,
        },
    },
    world::World,
};

/// What the adb server says to two words before the helper's own answer begins: `OKAY` twice.
const WAY: usize = 8;

/// Places of each side of a command, where no other number is asked for: a trial takes half a second.
const PLACES: usize = 16;
/// The same of a press, which stands for all of them: the way is one and the same.
const THOROUGH: usize = 120;

/// Loses them.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let mut tally = Tally::default();
    let world = World::start(None).await;
    let mut phone = fresh(&world).await;
    for operation in to_the_helper(plan) {
        trials::set_up(&phone, &world, operation).await;
        // The first run is another than the following ones: something is remembered.
        drop(trials::clean(&phone, &world, operation).await);
        let clean = trials::clean(&phone, &world, operation).await.unwrap_or_else(|why| panic!("{why}"));
        let faults = faults(&clean, operation, thrift(plan.share, operation));
        let lost = faults.len();
        for fault in faults {
            let Some(trial) = trials::trial(&phone, &world, operation, &fault).await else { continue };
            let good = !matches!(trial.after, cut::After::Stuck(_));
            count(trial, &mut tally, plan);
            if !good {
                phone = fresh(&world).await;
                trials::set_up(&phone, &world, operation).await;
            }
        }
        (plan.progress)(&format!("{}: {lost} lost replies", operation.name));
        if !trials::tidy(&phone, &world).await {
            phone = fresh(&world).await;
        }
    }
    drop(phone);
    let broken = [tally.broken(), &world.end().await].concat();
    let sampled = match plan.share {
        Share::Every { seed } => Some(format!(
            "seed {seed}; {THOROUGH} places of each side of the command of a press, {PLACES} of every other"
        )),
        Share::Some { places, seed } => Some(format!("seed {seed}; {places} places of each side of each command")),
    };
    let figures = Figures {
        part: "Android: lost replies of the helper".to_owned(),
        faults: "every command that changes something: the connection to the helper closed after some bytes of the command or of \
                 its reply, or silent from the reply's beginning; the device is well. A later step of a series that is proven not \
                 to have been sent counts as `no`"
            .to_owned(),
        real: "real: adb server, adbd, the Android Runtime with the helper's APK and its journal; a double: the framework's \
               classes, which count what was done"
            .to_owned(),
        command: "cargo run --release -p proof -- resolve android".to_owned(),
        sampled,
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}

fn thrift(share: Share, operation: &Operation) -> Share {
    match share {
        Share::Every { seed } => {
            Share::Some { places: if operation.name == "press" { THOROUGH } else { PLACES }, seed }
        }
        some => some,
    }
}

/// The operations that the helper does.
fn to_the_helper(plan: &Plan) -> impl Iterator<Item = &'static Operation> {
    OPERATIONS
        .iter()
        .filter(|operation| operation.changes.iter().any(|begins| begins.starts_with("helper:")))
        .filter(|operation| plan.operation.as_deref().is_none_or(|name| name == operation.name))
}

/// Every place at which the helper has the command, or a part of it, and its reply does not come whole.
fn faults(clean: &[Exchange], operation: &Operation, share: Share) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (connection, exchange) in clean.iter().enumerate() {
        let what = exchange.what();
        if !operation.changes.iter().any(|begins| what.starts_with(begins)) {
            continue;
        }
        let mut add = |side, at, ending: Ending| {
            let text = format!("exchange {} ({what:.40}), {side:?} byte {at}, {ending:?}", connection + 1);
            faults.push(Fault { cut: ByteCut { connection, side, at, ending }, text });
        };
        let salt = format!("{} {connection}", operation.name);
        let line = command_at(&exchange.request.bytes);
        for place in share.places(exchange.request.length - line - 1, &salt) {
            add(Side::Request, line + 1 + place, Ending::Fin);
        }
        for place in share.places(exchange.reply.length - WAY - 1, &salt) {
            add(Side::Reply, WAY + place, Ending::Fin);
        }
        add(Side::Reply, WAY, Ending::Stall);
    }
    faults
}

/// Where the command begins: behind the words that open the way, each four hex digits and so many bytes.
fn command_at(request: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let length = request.get(at..at + 4).and_then(|digits| std::str::from_utf8(digits).ok());
        let word = length.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        // The command's own word is no number.
        let Some(length) = word else { return at };
        let last = request.get(at + 4..at + 8) == Some(b"tcp:");
        at += 4 + length;
        if last {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_begins_behind_the_words_that_open_the_way() {
        let request = b"0012host:transport:abc0008tcp:4711gesture x-1 e30=\n";
        let at = command_at(request);
        assert!(request[at..].starts_with(b"gesture"), "{at}");
    }
}
