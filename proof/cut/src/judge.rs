//! Which of the five promises a trial breaks.

use std::fmt;

use crate::trial::{After, Told, Trial};

/// A promise that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Breach {
    /// 1. More reached the device than was asked for.
    Twice,
    /// 2. Told `no`, and something reached the device.
    FalseNo,
    /// 3. Told to be done, and the device did not do all of it.
    FalseSuccess,
    /// 4. The session is of no use afterwards, and nothing says how to recover.
    Stuck,
    /// 5. No answer within the limit.
    Hang,
    /// A failure that does not say what every failure must.
    Malformed,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Breach::Twice => "executed more often than asked for",
            Breach::FalseNo => "told `no`, and it was executed",
            Breach::FalseSuccess => "told to be done, and it was not",
            Breach::Stuck => "the session is stuck",
            Breach::Hang => "no answer within the limit",
            Breach::Malformed => "a failure without `dispatched`",
        })
    }
}

/// Every promise that a trial breaks.
pub fn judge(trial: &Trial) -> Vec<Breach> {
    let Trial { told, landed, asked, after, took, limit, .. } = trial;
    let mut breaches = Vec::new();
    if landed > asked {
        breaches.push(Breach::Twice);
    }
    if matches!(told, Told::No(_)) && *landed > 0 {
        breaches.push(Breach::FalseNo);
    }
    if matches!(told, Told::Done | Told::Resolved(_)) && landed < asked {
        breaches.push(Breach::FalseSuccess);
    }
    if matches!(told, Told::Malformed(_)) {
        breaches.push(Breach::Malformed);
    }
    if matches!(after, After::Stuck(_)) {
        breaches.push(Breach::Stuck);
    }
    if matches!(told, Told::Nothing) || took > limit {
        breaches.push(Breach::Hang);
    }
    breaches
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn trial(told: Told, landed: u32) -> Trial {
        Trial {
            operation: "press".into(),
            fault: "none".into(),
            told,
            landed,
            asked: 1,
            after: After::Usable,
            took: Duration::from_millis(1),
            limit: Duration::from_millis(2),
        }
    }

    #[test]
    fn what_is_promised_is_no_breach() {
        for (told, landed) in [
            (Told::Done, 1),
            (Told::Resolved("r".into()), 1),
            (Told::No("r".into()), 0),
            (Told::Unknown("r".into(), 0), 0),
            (Told::Unknown("r".into(), 0), 1),
        ] {
            assert_eq!(judge(&trial(told.clone(), landed)), [], "{told:?} {landed}");
        }
        let recovered = Trial { after: After::Recovered("open again".into()), ..trial(Told::Done, 1) };
        assert_eq!(judge(&recovered), []);
    }

    #[test]
    fn each_broken_promise_is_named() {
        for (broken, breach) in [
            (trial(Told::Unknown("r".into(), 0), 2), Breach::Twice),
            (trial(Told::No("r".into()), 1), Breach::FalseNo),
            (trial(Told::Done, 0), Breach::FalseSuccess),
            (trial(Told::Resolved("r".into()), 0), Breach::FalseSuccess),
            (Trial { after: After::Stuck("x".into()), ..trial(Told::Done, 1) }, Breach::Stuck),
            (trial(Told::Nothing, 1), Breach::Hang),
            (Trial { took: Duration::from_millis(3), ..trial(Told::Done, 1) }, Breach::Hang),
            (trial(Told::Malformed("x".into()), 0), Breach::Malformed),
        ] {
            assert_eq!(judge(&broken), [breach], "{broken:?}");
        }
    }
}
