//! Which faults are injected into the exchanges of an operation.

use std::{collections::HashSet, time::Duration};

use cut::{Ending, Exchange, Fault, Side};

use super::operations::{Life, Operation};
use crate::cuts::{Draw, Share};

/// Places of each side of an exchange that only looks, in a shape that another operation has been cut in everywhere; and
/// of one that costs a browser.
pub const FEW: usize = 24;
/// The request's limit where a side stalls for ever, ms.
pub const STALL_MS: u64 = 1_000;
/// A share of fewer places than this is a small one.
const SMALL: usize = 8;
/// Of a small share, one in so many of what is not new is injected.
const SPARED: usize = 3;
/// A reply that is late and comes.
const LATE: Duration = Duration::from_millis(40);

/// One fault.
#[derive(Debug, Clone)]
pub struct Injected {
    /// For people: which exchange and what.
    pub words: String,
    /// What happens to which exchange of the operation, from 1.
    pub strikes: Vec<(u32, Fault)>,
    /// The request's limit, ms; `None`: its own.
    pub limit_ms: Option<u64>,
}

/// The faults of one operation, whose exchanges are these where nothing is wrong. `seen` holds the shapes of requests
/// that were cut everywhere already.
pub fn faults(operation: &Operation, exchanges: &[Exchange], share: Share, seen: &mut HashSet<u64>) -> Vec<Injected> {
    let mut all = Vec::new();
    let mut of_all = Draw::new(share.seed(), operation.name);
    let stalled = of_all.below(exchanges.len());
    for (index, exchange) in exchanges.iter().enumerate() {
        let nth = u32::try_from(index + 1).expect("a few exchanges");
        let salt = |side: Side| format!("{} {nth} {side}", operation.name);
        let words = |fault: &Fault| format!("{} ({nth} of {}): {fault}", exchange.label, exchanges.len());
        let one = |fault: Fault| Injected { words: words(&fault), strikes: vec![(nth, fault)], limit_ms: None };
        // Where the input itself fails, it is the looks that say so: they are cut everywhere again.
        let known = !seen.insert(exchange.shape) && looks(exchange) && operation.works;
        let (mut cuts, mut stalls, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (side, length) in [(Side::Request, exchange.request), (Side::Reply, exchange.reply)] {
            let mut draw = Draw::new(share.seed(), &salt(side));
            let odd = draw.below(2);
            for after in thrifty(operation, share, known).places(length, &salt(side)) {
                let ending = if (after + odd).is_multiple_of(2) { Ending::Fin } else { Ending::Reset };
                cuts.push(one(Fault::cut(side, after, ending)));
            }
            let stall = Fault::Stall { side, after: draw.below(length), time: None };
            stalls.push(Injected { limit_ms: Some(STALL_MS), ..one(stall) });
        }
        others.push(one(Fault::Stall { side: Side::Reply, after: exchange.reply / 2, time: Some(LATE) }));
        others.push(one(Fault::Duplicate));
        // A look is sent once more where it is lost: the second is lost too.
        let lost = Fault::cut(Side::Reply, 0, Ending::Fin);
        others.push(Injected {
            words: format!("{}, and that of the next exchange", words(&lost)),
            strikes: vec![(nth, lost.clone()), (nth + 1, lost)],
            limit_ms: None,
        });
        if let Share::Some { places, .. } = share {
            // Of a share: one of the others, one stall of an operation, since it takes as long as its limit, and of what
            // is known one cut. Of a small one less of all that is not a cut of something new.
            let small = places < SMALL;
            let mut spared = || small && of_all.below(SPARED) != 0;
            others.retain(|_| !spared());
            stalls.retain(|_| index == stalled && !spared());
            others.truncate(1);
            stalls.truncate(1);
            if known || (small && operation.life != Life::Stays) {
                let one = cuts.swap_remove(of_all.below(cuts.len()));
                cuts = vec![one];
            }
            if known && small && of_all.below(SPARED) != 0 {
                cuts.clear();
            }
        }
        all.extend(cuts.into_iter().chain(stalls).chain(others));
    }
    all
}

/// Fewer places for what has been cut in the same shape, or costs a browser each time.
fn thrifty(operation: &Operation, share: Share, known: bool) -> Share {
    let few = |places: usize| Share::Some { places, seed: share.seed() };
    match share {
        Share::Every { .. } if operation.life != Life::Stays || known => few(FEW),
        Share::Some { places, .. } if operation.life != Life::Stays => few(places / 4),
        share => share,
    }
}

/// Whether an exchange may only look: scripts do both.
fn looks(exchange: &Exchange) -> bool {
    exchange.label.starts_with("GET ")
        || ["/execute/sync", "/frame", "/frame/parent", "/goog/cdp/execute", "/timeouts"]
            .iter()
            .any(|route| exchange.label.ends_with(route))
        || exchange.label == "POST /session/ID/window"
}
