//! The sessions' timelines, held against the books: every request that reached a session stands in it once, in the order in
//! which they had their turn, with the outcome that was told.

use std::{collections::BTreeSet, path::Path};

use contract::Effect;
use cut::Told;
use daemon::{
    state_dir::StateDir,
    timeline::{Event, read_after},
};

use crate::{
    books::{Page, Pages},
    model::{Finding, Kind},
};

/// What is wrong with the timelines in the state folder of the daemon that runs last.
pub fn wrong(pages: &Pages, state: &Path, life: u32) -> Vec<Finding> {
    let state = StateDir::find(Some(state)).expect("a folder that was named");
    let sessions: BTreeSet<_> = pages.requests.values().map(|page| page.session.clone()).collect();
    let mut findings = Vec::new();
    for session in sessions {
        let events = read_after(&state.session(&session), 0, usize::MAX);
        let about = |id: &str, what: String| {
            let operation = pages.requests.get(id).map_or("", |page| page.operation);
            Finding {
                kind: Kind::Timeline,
                request: Some(id.to_owned()),
                operation: operation.to_owned(),
                what: format!("{session}: {what}"),
            }
        };
        let (mut last_number, mut last_call) = (0, 0);
        let mut seen = BTreeSet::new();
        for event in &events {
            let id = event.request_id.as_str();
            if event.number != last_number + 1 {
                findings.push(about(id, format!("event {} follows {last_number}", event.number)));
            }
            last_number = event.number;
            let first = seen.insert(id);
            let Some(page) = pages.requests.get(id) else {
                findings.push(about(id, "nobody asked for it".to_owned()));
                continue;
            };
            // A look that is asked for again looks again.
            if !first && page.effect == Effect::Mutates {
                findings.push(about(id, "it stands there twice".to_owned()));
            }
            findings.extend(differs(event, page).map(|what| about(id, what)));
            // A look that ran twice may have been refused the first time, before it reached the device.
            let once = events.iter().filter(|event| event.request_id == id).count() == 1;
            if let Some(call) = page.calls.get(&session).filter(|_| first && once) {
                if *call < last_call {
                    findings.push(about(id, "it had its turn before the one that stands before it".to_owned()));
                }
                last_call = *call;
            }
        }
        for (id, page) in &pages.requests {
            let reached = page.calls.contains_key(&session) || (page.session == session && answered_in_turn(page));
            // What a killed daemon did last may have been written or not.
            let must = reached && (page.life == life || page.told.is_some()) && !opened_nothing(page);
            if must && !seen.contains(id.as_str()) {
                findings.push(about(id, format!("it is missing; told {:?}", page.told.as_ref().map(|told| &told.0))));
            }
        }
    }
    findings
}

/// An event against what was told.
fn differs(event: &Event, page: &Page) -> Option<String> {
    if event.command != page.operation {
        return Some(format!("it was {}, not {}", page.operation, event.command));
    }
    let (told, body) = page.told.as_ref()?;
    let dispatched = match told {
        Told::Done | Told::Resolved(_) => None,
        Told::No(_) => Some("no"),
        Told::Unknown(..) => Some("unknown"),
        Told::Malformed(_) | Told::Nothing => return None,
    };
    let code = body.get("code").and_then(|code| code.as_str());
    let same = event.ok == dispatched.is_none()
        && event.dispatched.as_deref() == dispatched
        && (event.ok || event.code.as_deref() == code);
    // A look that was asked for twice may have run twice; a closing of several sessions is one outcome of several.
    let one = page.effect == Effect::Mutates && !page.several && !page.went_on();
    (!same && one).then(|| format!("told {told:?}, and there stands {event:?}"))
}

/// Whether a request that touched no device is known to have had its turn in an open session.
fn answered_in_turn(page: &Page) -> bool {
    matches!(page.told, Some((Told::Done | Told::Resolved(_), _))) && !matches!(page.operation, "session" | "close")
}

/// An `open` that failed where nothing was open: there was no session to tell it of.
fn opened_nothing(page: &Page) -> bool {
    page.operation == "open" && !matches!(page.told, Some((Told::Done | Told::Resolved(_), _)))
}
