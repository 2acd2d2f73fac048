//! `screencap` and `screenrecord`.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::after;
use crate::{
    call::{Call, Told},
    core::Core,
    film::Film,
    picture,
};

/// How often a film takes a picture.
const FRAME: Duration = Duration::from_millis(100);
/// The longest film, as on a phone.
const LONGEST: Duration = Duration::from_secs(180);

/// Runs `screencap [-p] [FILE]`.
pub async fn screencap(core: &Arc<Core>, call: &mut Call) -> u8 {
    let file = call.words().into_iter().find(|word| !word.starts_with('-')).map(str::to_owned);
    let png = match picture::of(core).await {
        Ok(png) => png,
        Err(cause) => {
            call.complain(format!("Capturing failed: {cause}")).await;
            return 1;
        }
    };
    match file {
        None => call.print(png).await,
        Some(path) => {
            if tokio::fs::write(core.root.join(path.trim_start_matches('/')), png).await.is_err() {
                call.complain(format!("Error opening file: {path} (No such file or directory)")).await;
                return 1;
            }
        }
    }
    0
}

/// Runs `screenrecord [--time-limit S] FILE`, until its time is over or it is told to stop.
pub async fn screenrecord(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    let Some(path) = words.last().filter(|word| word.starts_with('/')) else {
        call.complain("Must specify output file (see --help).").await;
        return 2;
    };
    let limit = after(&words, "--time-limit").and_then(|limit| limit.parse().ok()).map_or(LONGEST, Duration::from_secs);
    let file = core.root.join(path.trim_start_matches('/'));
    if tokio::fs::write(&file, []).await.is_err() {
        call.complain(format!("Unable to open '{path}': No such file or directory")).await;
        return 1;
    }
    let fault = core.state().recorder_fault.clone();
    if let Some(why) = fault {
        call.complain(why).await;
        return 1;
    }
    let pid = call.pid;
    core.state().recorders.push(pid);
    let end = Instant::now() + limit.min(LONGEST);
    let mut ticks = interval(FRAME);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut film = Film::new(core.state().display.size());
    let began = Instant::now();
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                if Instant::now() >= end {
                    break;
                }
                if let Ok(png) = picture::of(core).await {
                    film.picture(began.elapsed(), png);
                }
            }
            told = call.told_to_stop() => match told {
                Told::Signal => break,
                // Killed: the pictures are there, the index is not.
                Told::Gone => {
                    core.state().recorders.retain(|known| *known != pid);
                    return 137;
                }
            },
        }
    }
    let written = tokio::fs::write(&file, film.finish(began.elapsed())).await;
    core.state().recorders.retain(|known| *known != pid);
    u8::from(written.is_err())
}
