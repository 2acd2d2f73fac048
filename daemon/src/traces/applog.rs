//! The lines that the app's log gained since the last entry, where the device has a log.

use std::time::Duration;

use contract::Capability;
use wire::Context;

use crate::{secrets::Secrets, session::Session};

/// Lines that are compared, and so told of one command at most.
const LINES: u32 = 200;
/// Longest line that is told, characters.
const LINE: usize = 2_000;
/// How long the device may take to say. Never the command's time.
const LIMIT: Duration = Duration::from_secs(3);

/// What was read last.
#[derive(Debug, Default)]
pub struct AppLog {
    last: Vec<String>,
}

impl AppLog {
    /// What the log gained; the whole of a first look is no gain.
    pub async fn gained(&mut self, session: &Session, secrets: &Secrets, first: bool) -> Vec<String> {
        if !session.device.capabilities().has(Capability::Logs) {
            return Vec::new();
        }
        let Ok(now) = session.device.log_lines(&Context::with_limit(LIMIT), LINES).await else { return Vec::new() };
        let gained =
            if first { Vec::new() } else { news(&self.last, &now).iter().map(|line| told(line, secrets)).collect() };
        self.last = now;
        gained
    }
}

/// The lines of `now` that come after those of `before`: `now` begins somewhere in `before`, or all of it is new.
fn news<'a>(before: &[String], now: &'a [String]) -> &'a [String] {
    let overlap = (0..before.len()).filter_map(|from| before.get(from..)).find(|end| now.starts_with(end));
    now.get(overlap.map_or(0, <[String]>::len)..).unwrap_or_default()
}

fn told(line: &str, secrets: &Secrets) -> String {
    let mut line: String = line.chars().take(LINE).collect();
    secrets.hide(&mut line);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_log_gained_is_what_follows_the_lines_seen_before() {
        let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for (before, now, gained) in [
            ("", "a b", "a b"),
            ("a b", "a b", ""),
            ("a b", "a b c", "c"),
            ("a b c", "b c d e", "d e"),
            ("a a", "a a a", "a"),
            ("a b", "x y", "x y"),
            ("a b", "", ""),
        ] {
            assert_eq!(news(&lines(before), &lines(now)), lines(gained), "{before} -> {now}");
        }
    }
}
