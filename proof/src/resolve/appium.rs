//! Appium's fake driver: every reply to a click lost after each of its bytes, or never handed on; the server has answered and
//! is well.

use std::time::Instant;

use cut::Figures;

use crate::cuts::{
    Found, Plan, Share, appium,
    appium::click::{Keys, Which},
};

/// Loses them.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let tally = appium::clicks(plan, &[Keys::On], Which::LostReplies).await;
    let broken = tally.broken().to_vec();
    let figures = Figures {
        part: "Appium: lost replies".to_owned(),
        faults:
            "the reply to a click cut after each of its bytes, by FIN and by RST, or never handed on; the server has \
                 answered and is well"
                .to_owned(),
        real: "real: Appium's server and its fake driver, which counts the clicks; a double: the proxy between"
            .to_owned(),
        command: "cargo run --release -p proof -- resolve appium".to_owned(),
        sampled: match plan.share {
            Share::Every { .. } => None,
            Share::Some { places, seed } => Some(format!("seed {seed}; {places} places of the reply")),
        },
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}
