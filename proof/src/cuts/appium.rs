//! The web backend and an Appium server: what is between the web backend and chromedriver in [`super::web`], through Appium's
//! driver for browsers; and single clicks on Appium's fake driver, which counts them itself, with and without asking for
//! replies that were lost.
//!
//! | module | answers |
//! | --- | --- |
//! | here | the campaign |
//! | [`click`] | the fake driver's app, and a click on it under one fault |

pub mod click;

use cut::{Figures, Tally};

use super::{Found, Plan, Share, web};
use crate::appium::Appium;
use click::{Clicks, Keys};

/// A line of progress after so many clicks.
const PROGRESS: usize = 500;
/// Places of each side of an exchange of a page's operation: what passes is what passes between the backend and chromedriver
/// itself, where [`super::web`] cuts it at every byte, and each trial takes a browser behind two servers.
const PLACES: usize = 24;

/// Runs the campaign.
pub async fn run(plan: &Plan) -> Found {
    let mut lines = Vec::new();
    let mut broken = Vec::new();
    if plan.operation.as_deref().is_none_or(|name| !name.starts_with(click::NAME)) {
        let subject = async || {
            let server: Box<dyn web::ground::Subject> = Box::new(Appium::start().await);
            server
        };
        let share = match plan.share {
            Share::Every { seed } => Share::Some { places: PLACES, seed },
            some @ Share::Some { .. } => some,
        };
        let (tally, notes) = web::campaign(&Plan { share, ..plan.clone() }, subject).await;
        broken.extend(tally.broken().iter().cloned().chain(notes.objections));
        lines.extend(tally.lines());
    }
    if plan.operation.as_deref().is_none_or(|name| name.starts_with(click::NAME)) {
        let tally = clicks(plan, &[Keys::Off, Keys::On], click::Which::All).await;
        broken.extend(tally.broken().iter().cloned());
        lines.extend(tally.lines());
    }
    let figures = Figures {
        part: "Web: Chromium through Appium, and Appium's fake driver".to_owned(),
        faults: "every connection between the backend and Appium cut after bytes of what was asked and of what was answered, by \
                 FIN or RST; stalled, late, answered twice; the answer to the question for a lost reply lost too"
            .to_owned(),
        real: "real: Appium's server, its drivers, chromedriver, Chromium, the page, which counts; doubles: the app of the \
               fake driver, which counts its clicks, and the proxy between"
            .to_owned(),
        command: plan.share.command("appium"),
        sampled: Some(sampled(plan.share)),
        seconds: plan.kept.took().as_secs(),
        lines,
    };
    Found { figures, broken }
}

fn sampled(share: Share) -> String {
    match share {
        Share::Every { seed } => {
            format!(
                "seed {seed}; clicks at every byte, by FIN and by RST; the page's operations at {PLACES} places of each side of \
                 each exchange, which is cut at every byte in the part without Appium"
            )
        }
        Share::Some { places, seed } => format!("seed {seed}; {places} places of each side of each exchange"),
    }
}

/// Clicks on the fake driver's app, under the faults of the plan.
pub async fn clicks(plan: &Plan, keys: &[Keys], which: click::Which) -> Tally {
    let mut tally = Tally::default();
    let mut server = Appium::start().await;
    for keys in keys {
        let mut clicks = Clicks::on(&server, *keys).await;
        let faults = clicks.faults(plan.share, which).await;
        (plan.progress)(&format!("{}: {} faults", keys.name(), faults.len()));
        for (index, fault) in faults.iter().enumerate() {
            tally.add(&clicks.under(fault).await);
            if (index + 1) % PROGRESS == 0 {
                (plan.progress)(&format!(
                    "{} of {}, {} broken promises",
                    index + 1,
                    faults.len(),
                    tally.broken().len()
                ));
            }
        }
        clicks.end().await;
    }
    server.kill().await;
    tally
}
