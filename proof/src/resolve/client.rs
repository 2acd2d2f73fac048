//! The daemon's to a client: each cut off after every byte, or never ending; that of the question for it lost once as well.

use std::time::Instant;

use cut::Figures;

use crate::{
    cuts::{Found, Plan, Share, client, client::blows::Blow},
    recorder::Recorder,
};

/// Loses them.
pub async fn run(plan: &Plan) -> Found {
    let began = Instant::now();
    let recorder = Recorder::default();
    let tally = client::campaign(plan, &recorder, Blow::loses_a_reply).await;
    let broken = tally.broken().iter().cloned().chain(recorder.objections()).collect();
    let figures = Figures {
        part: "Client and daemon: lost replies".to_owned(),
        faults: "the daemon's answer to every operation cut off after each byte, by FIN and by RST, or never ending; the answer to the \
                 question for it lost in the same ways; the daemon is well, and so is the device"
            .to_owned(),
        real: "real: client library, program, socket, daemon, stage backend; a double: the device, which is simulated and counts".to_owned(),
        command: "cargo run --release -p proof -- resolve client".to_owned(),
        sampled: match plan.share {
            Share::Every { .. } => None,
            Share::Some { places, seed } => Some(format!("seed {seed}; {places} places of each reply")),
        },
        seconds: began.elapsed().as_secs(),
        lines: tally.lines(),
    };
    Found { figures, broken }
}
