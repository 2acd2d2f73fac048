//! The smoke suite: two minutes on a phone, for what no lab can show.
//!
//! | module | answers |
//! | --- | --- |
//! | [`checks`] | what is tried, in order |
//! | [`phone`] | the program, spoken to about one device |

pub mod checks;
pub mod phone;

use std::time::Instant;

use phone::Phone;

/// How one check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be; what was seen.
    Pass(String),
    /// Not tried, and why.
    LeftOut(String),
    /// Not as it should be.
    Fail(String),
}

/// One line of the result.
#[derive(Debug, Clone)]
pub struct Line {
    /// What was tried.
    pub name: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// How long it took, ms.
    pub took_ms: u128,
}

/// Runs every check on a device and tells of each as it ends.
pub async fn run(phone: &Phone, tell: impl Fn(&Line)) -> Vec<Line> {
    let mut lines = Vec::new();
    for check in checks::ALL {
        let started = Instant::now();
        let verdict = match (check.run)(phone).await {
            Ok(verdict) => verdict,
            Err(why) => Verdict::Fail(why),
        };
        let line = Line { name: check.name, verdict, took_ms: started.elapsed().as_millis() };
        tell(&line);
        // Without an open app nothing else can be tried.
        let ends = check.needed && matches!(line.verdict, Verdict::Fail(_));
        lines.push(line);
        if ends {
            break;
        }
    }
    lines
}
