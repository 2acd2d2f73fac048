//! `logcat` and `log`.

use std::sync::Arc;

use super::after;
use crate::{call::Call, core::Core, state::LogLine};

/// Levels, the least important first.
const LEVELS: &str = "VDIWEF";

/// Runs `logcat`.
pub async fn logcat(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    if words.contains(&"-c") {
        core.state().log.clear();
        return 0;
    }
    let form = after(&words, "-v").unwrap_or("threadtime").to_owned();
    let pid = words.iter().find_map(|word| word.strip_prefix("--pid=")).or(after(&words, "--pid"));
    let pid: Option<i32> = pid.and_then(|pid| pid.parse().ok());
    let last: Option<usize> = after(&words, "-t").or(after(&words, "-T")).and_then(|count| count.parse().ok());
    let filters: Vec<(String, char)> = words.iter().filter_map(|word| filter(word)).collect();
    let wanted = |line: &LogLine| pid.is_none_or(|pid| line.pid == pid) && passes(&filters, line);
    let (lines, mut seen): (Vec<LogLine>, u64) = {
        let state = core.state();
        (state.log.iter().filter(|line| wanted(line)).cloned().collect(), state.logged)
    };
    let skip = last.map_or(0, |last| lines.len().saturating_sub(last));
    call.line("--------- beginning of main").await;
    for line in lines.iter().skip(skip) {
        call.line(written(line, &form)).await;
    }
    if words.contains(&"-d") || words.contains(&"-t") {
        return 0;
    }
    let core = core.clone();
    loop {
        let changed = core.logged.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let fresh: Vec<LogLine> = {
            let state = core.state();
            let count = usize::try_from(state.logged - seen).unwrap_or(usize::MAX).min(state.log.len());
            seen = state.logged;
            state.log.iter().skip(state.log.len() - count).filter(|line| wanted(line)).cloned().collect()
        };
        for line in &fresh {
            call.line(written(line, &form)).await;
        }
        tokio::select! {
            () = changed => {}
            _ = call.told_to_stop() => return 130,
        }
    }
}

/// `TAG:LEVEL`.
fn filter(word: &str) -> Option<(String, char)> {
    let (tag, level) = word.rsplit_once(':')?;
    let level = level.chars().next()?.to_ascii_uppercase();
    (LEVELS.contains(level) || level == 'S').then(|| (tag.to_owned(), level))
}

fn passes(filters: &[(String, char)], line: &LogLine) -> bool {
    let own = filters.iter().find(|(tag, _)| *tag == line.tag).or(filters.iter().find(|(tag, _)| tag == "*"));
    own.is_none_or(|(_, least)| *least != 'S' && LEVELS.find(line.level) >= LEVELS.find(*least))
}

fn written(line: &LogLine, form: &str) -> String {
    let LogLine { at_ms, pid, level, tag, text } = line;
    match form {
        "brief" => format!("{level}/{tag:<8}({pid:>5}): {text}"),
        "tag" => format!("{level}/{tag:<8}: {text}"),
        "raw" => text.clone(),
        _ => format!("{} {pid:>5} {pid:>5} {level} {tag:<8}: {text}", when(*at_ms)),
    }
}

/// `MM-DD HH:MM:SS.mmm`, UTC.
fn when(at_ms: u64) -> String {
    let days = at_ms / 86_400_000;
    let (month, day) = civil(days);
    let ms = at_ms % 86_400_000;
    format!("{month:02}-{day:02} {:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// Month and day of a day since the epoch (days_from_civil, inverted).
const fn civil(days: u64) -> (u64, u64) {
    let shifted = days + 719_468;
    let of_era = shifted % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let part = (5 * of_year + 2) / 153;
    let day = of_year - (153 * part + 2) / 5 + 1;
    (if part < 10 { part + 3 } else { part - 9 }, day)
}

/// Runs `log [-p LEVEL] [-t TAG] TEXT`.
pub async fn log(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    let level = after(&words, "-p").and_then(|level| level.chars().next()).unwrap_or('i').to_ascii_uppercase();
    let tag = after(&words, "-t").unwrap_or("log").to_owned();
    let mut text = words.as_slice();
    while let [flag @ ("-p" | "-t"), _, rest @ ..] = text {
        let _ = flag;
        text = rest;
    }
    core.log(call.pid, level, &tag, &text.join(" "));
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(when(0), "01-01 00:00:00.000");
        // 2024-02-29 12:34:56.789
        assert_eq!(when(1_709_210_096_789), "02-29 12:34:56.789");
    }
}
