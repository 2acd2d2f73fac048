//! What the app asked of the network, command by command. What a look finds stands with the command during which it was found.

use std::time::Duration;

use backend::Fetched;
use contract::trace::{Exchange, Network};
use tokio::time::Instant;
use wire::Context;

use super::{Tracer, address};
use crate::{secrets::Secrets, session::Session};

/// Requests of one command that are listed at most.
const MOST: usize = 200;
/// How long the device may take to say. Never the command's time.
pub const LIMIT: Duration = Duration::from_secs(2);

/// What was seen and is not told yet.
#[derive(Debug)]
pub struct Traffic {
    /// What ended before is nobody's.
    began: Instant,
    /// The device was asked, and can say.
    looked: bool,
    /// When each began, ms since `began`.
    seen: Vec<(i64, Fetched)>,
    left_out: u32,
    notes: Vec<String>,
}

impl Default for Traffic {
    fn default() -> Self {
        Self { began: Instant::now(), looked: false, seen: Vec::new(), left_out: 0, notes: Vec::new() }
    }
}

impl Traffic {
    /// Asks the device what was answered since it was asked last.
    pub async fn look(&mut self, session: &Session) {
        let found = session.device.network(&Context::with_limit(LIMIT), self.began.elapsed()).await;
        let now = millis(self.began.elapsed());
        match found {
            Ok(None) => {}
            Ok(Some(traffic)) => {
                self.looked = true;
                self.left_out = self.left_out.saturating_add(traffic.left_out);
                self.notes.extend(traffic.notes);
                let seen = traffic.requests.into_iter().map(|one| (now.saturating_sub(millis(one.ago)), one));
                self.seen.extend(seen);
            }
            Err(failure) => {
                self.looked = true;
                self.notes.push(format!("what was asked of the network could not be read: {}", failure.message));
            }
        }
    }

    /// What is to be told of a command that began then; `None` where nobody looked.
    fn told(&mut self, command: Instant, secrets: &Secrets) -> Option<Network> {
        if !std::mem::take(&mut self.looked) {
            return None;
        }
        let zero = millis(command.saturating_duration_since(self.began));
        let mut seen = std::mem::take(&mut self.seen);
        seen.sort_by_key(|(at, _)| *at);
        let all = seen.len();
        // Of too many, those that failed say most.
        if all > MOST {
            seen.sort_by_key(|(_, one)| one.failed != Some(true));
            seen.truncate(MOST);
            seen.sort_by_key(|(at, _)| *at);
        }
        let cut = u32::try_from(all - seen.len()).unwrap_or(u32::MAX);
        let mut notes: Vec<String> = std::mem::take(&mut self.notes);
        notes.dedup();
        notes.iter_mut().for_each(|note| secrets.hide(note));
        Some(Network {
            requests: seen.into_iter().map(|(at, one)| exchange(one, at.saturating_sub(zero), secrets)).collect(),
            left_out: std::mem::take(&mut self.left_out).saturating_add(cut),
            notes,
        })
    }
}

fn exchange(one: Fetched, start_ms: i64, secrets: &Secrets) -> Exchange {
    Exchange {
        url: address::shown(&one.url, secrets),
        kind: one.kind,
        status: one.status,
        failed: one.failed,
        start_ms,
        duration_ms: u64::try_from(one.took.as_millis()).unwrap_or(u64::MAX),
        bytes: one.bytes,
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl Tracer {
    /// What the app asked of the network until now and was not told yet.
    pub(super) fn network(&mut self, command: Instant, secrets: &Secrets) -> Option<Network> {
        self.traffic.told(command, secrets)
    }

    /// Nobody asks any more.
    pub async fn end_network(&self, session: &Session) {
        let _late = session.device.network_end(&Context::with_limit(LIMIT)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetched(url: &str, failed: Option<bool>) -> Fetched {
        Fetched { url: url.to_owned(), failed, ..Fetched::default() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_stands_where_it_began_before_and_after_the_command() {
        let mut traffic = Traffic { looked: true, ..Traffic::default() };
        tokio::time::advance(Duration::from_millis(1_000)).await;
        let command = Instant::now();
        traffic.seen = vec![(1_040, fetched("http://h/late", None)), (900, fetched("http://u:p@h/early", None))];
        let told = traffic.told(command, &Secrets::default()).unwrap();
        let told: Vec<_> = told.requests.iter().map(|one| (one.url.as_str(), one.start_ms)).collect();
        assert_eq!(told, [("http://h/early", -100), ("http://h/late", 40)]);
        assert_eq!(traffic.told(command, &Secrets::default()), None, "told once, and nobody looked since");
    }

    #[test]
    fn of_too_many_the_failed_ones_stay_and_the_rest_is_counted() {
        let mut traffic = Traffic { looked: true, left_out: 7, ..Traffic::default() };
        let all = i64::try_from(MOST).unwrap() + 50;
        traffic.seen = (0..all).map(|at| (at, fetched("http://h/", (at >= all - 3).then_some(true)))).collect();
        let told = traffic.told(traffic.began, &Secrets::default()).unwrap();
        assert_eq!((told.requests.len(), told.left_out), (MOST, 57));
        assert_eq!(told.requests.iter().filter(|one| one.failed == Some(true)).count(), 3);
        assert!(told.requests.is_sorted_by_key(|one| one.start_ms));
    }
}
