//! Sessions opened and closed over and over: what does a closed one leave behind?

use contract::{Command, Request, request::method};

use super::{flat::Point, gauge::Reading};
use crate::program::Program;

/// What came of it.
#[derive(Debug, Default)]
pub struct Churned {
    /// Readings of the daemon with no session open, over the sessions that were opened so far.
    pub points: Vec<Point>,
    /// A reading with all sessions of the first round open.
    pub open: Reading,
    /// What was not as it must be, one sentence each.
    pub wrong: Vec<String>,
}

/// `rounds` times: opens `sessions` sessions, looks and acts in each, closes them all.
pub async fn run(program: &Program, sessions: usize, rounds: usize, progress: fn(&str)) -> Churned {
    let pid = program.daemon_started().await.as_raw_nonzero().get();
    let app = program.folder().join("soak.toml").display().to_string();
    let mut churned = Churned::default();
    let mut line = program.line().await;
    for round in 0..rounds {
        for lines in [&[format!("open {app}"), "snapshot -i".into(), "press id=save".into()][..], &["close".into()]] {
            for number in 0..sessions {
                for (step, words) in lines.iter().enumerate() {
                    let command = Command::from_line(words).unwrap_or_else(|why| panic!("{words}: {why}"));
                    let id = format!("churn-{round}-{number}-{step}-{}", command.spec().name);
                    let session = Some(format!("churn-{number}"));
                    let request = Request { session, ..Request::new(id, &command) };
                    if let Err(told) = line.call(method::RUN, &request).await {
                        churned.wrong.push(format!("round {round}, session {number}: {words}: {}", told.error));
                    }
                }
            }
            if lines.len() > 1 && round == 0 {
                churned.open = Reading::of(pid, program.state().path());
            }
        }
        let reading = Reading::of(pid, program.state().path());
        churned.points.push((((round + 1) * sessions) as u64, reading));
        progress(&format!("round {}: {} KiB, {} descriptors", round + 1, reading.memory_kib, reading.descriptors));
    }
    churned
}
