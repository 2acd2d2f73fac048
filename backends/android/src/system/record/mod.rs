//! A film of the screen.
//!
//! | module | answers |
//! | --- | --- |
//! | [`filming`] | the recorder on the device: one part after the other, until it is told to stop |
//! | [`mp4`] | whether a film was finished |

pub mod filming;
pub mod mp4;

use std::time::Duration;

use backend::Film;
use contract::{Code, Effect, Failure, Row, command::FilmQuality};
use tokio::sync::Mutex;
use wire::Context;

use super::settle::{Settled, until};
use crate::adb::{Phone, quote};
use filming::{Filmed, Filming};

/// How long a file may take to come to rest after its recorder ended.
const RESTS_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two looks at it.
const INTERVAL: Duration = Duration::from_millis(150);
/// How long a recorder may run on after its connection has gone.
const ENDS_WITHIN: Duration = Duration::from_secs(3);
/// Printed where one does.
const RUNS_ON: &str = "AGENT_DEVICE_RECORDER_RUNS";
/// How long what is left on the device may take to be removed.
const REMOVES_WITHIN: Duration = Duration::from_secs(5);

/// A film that nobody has fetched yet.
#[derive(Debug)]
enum Footage {
    /// It is being made.
    Running(Filming),
    /// It was made, and lies on the device.
    Ended(Filmed),
}

/// The recorder of one device.
#[derive(Debug, Default)]
pub struct Recorder {
    footage: Mutex<Option<Footage>>,
    notices: std::sync::Mutex<Vec<String>>,
}

impl Recorder {
    /// Begins a film.
    ///
    /// # Errors
    /// One is running already; `android.recording-failed` with the recorder's own words.
    pub async fn start(&self, context: &Context, phone: &Phone, quality: FilmQuality) -> Result<(), Failure> {
        let mut footage = self.footage.lock().await;
        if footage.is_some() {
            return Err(Failure::refused(
                Row::DaemonProtocolBadArguments,
                Code::InvalidArgs,
                "a film is running already",
            )
            .reason("recording_in_progress")
            .hint("end it first: agent-device record stop"));
        }
        *footage = Some(Footage::Running(Filming::start(context, phone, rate(quality)).await?));
        Ok(())
    }

    /// Ends it and fetches it; `None` where none was running. Then nothing stays on the device. Where the way to the
    /// device is lost before that, the film stays there and can be fetched by the same call.
    ///
    /// # Errors
    /// `android.recording-failed` where no part of it can be played; how the way was lost.
    pub async fn stop(&self, context: &Context, phone: &Phone) -> Result<Option<Film>, Failure> {
        let mut footage = self.footage.lock().await;
        let filmed = match footage.take() {
            None => return Ok(None),
            Some(Footage::Running(filming)) => filming.stop().await,
            Some(Footage::Ended(filmed)) => filmed,
        };
        let mut chunks = Vec::new();
        let mut why = filmed.problem.clone();
        for (number, file) in (1..).zip(&filmed.files) {
            match fetch(context, phone, file).await {
                Ok(chunk) => chunks.push(chunk),
                Err(failure) if failure.claim().is_some_and(|claim| claim.row == Row::AndroidRecordingFailed) => {
                    self.note(format!("part {number} of the film is missing: {}", failure.message));
                    why.get_or_insert(failure.message);
                }
                Err(failure) => {
                    *footage = Some(Footage::Ended(filmed));
                    return Err(failure.hint("the film is still on the device: agent-device record stop fetches it"));
                }
            }
        }
        remove(phone, &filmed.files).await;
        if chunks.is_empty() {
            let why = why.unwrap_or_else(|| "the recorder left no film".to_owned());
            return Err(failed(&why));
        }
        if let Some(problem) = filmed.problem {
            self.note(format!("the film ends early: {problem}"));
        }
        let duration_ms = u64::try_from(filmed.duration.as_millis()).unwrap_or(u64::MAX);
        Ok(Some(Film { chunks, format: "mp4".to_owned(), duration_ms }))
    }

    /// Ends it without fetching anything.
    pub async fn abandon(&self, phone: &Phone) {
        let filmed = match self.footage.lock().await.take() {
            None => return,
            Some(Footage::Running(filming)) => filming.stop().await,
            Some(Footage::Ended(filmed)) => filmed,
        };
        remove(phone, &filmed.files).await;
    }

    /// What the caller should know, once.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn note(&self, notice: String) {
        self.notices.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(notice);
    }
}

/// Removes what a daemon that was killed left on a device. Its recorder ends with its connection, which takes a moment;
/// nothing is removed where one runs on: its film may be somebody's.
///
/// # Errors
/// No way to the device.
pub async fn sweep(context: &Context, phone: &Phone) -> Result<(), Failure> {
    let line = format!("pidof screenrecord >/dev/null && echo {RUNS_ON} || rm -f {}*.mp4", filming::BEGINNING);
    after_the_recorder(context, phone, &line).await
}

/// Removes the file of a recorder whose connection was closed. It may make it anew until it has ended.
async fn discard(phone: &Phone, file: &str) {
    let line = format!("pidof screenrecord >/dev/null && echo {RUNS_ON}; rm -f {}", quote::quote(file));
    // With a time of its own: also for a caller that is out of time.
    let context = Context::with_limit(REMOVES_WITHIN);
    // A file that stays harms nothing but the device's room.
    let _removed = after_the_recorder(&context, phone, &line).await;
}

/// Runs a line until it does not say any more that a recorder runs, for a while.
async fn after_the_recorder(context: &Context, phone: &Phone, line: &str) -> Result<(), Failure> {
    let look = || async { Ok(phone.shell(context, Effect::Manages, line).await?.completed().text()) };
    until(context, INTERVAL, ENDS_WITHIN, look, |said| !said.contains(RUNS_ON)).await.map(drop)
}

/// Bits per second (the field's numbers).
const fn rate(quality: FilmQuality) -> u32 {
    match quality {
        FilmQuality::Medium => 8_000_000,
        FilmQuality::High => 20_000_000,
    }
}

/// A finished film from the device: its file has come to rest and has its index.
async fn fetch(context: &Context, phone: &Phone, file: &str) -> Result<Vec<u8>, Failure> {
    let sizes = std::sync::Mutex::new(None);
    let look = || async {
        let size = phone.stat(context, file).await?.map(|stat| stat.size);
        let before = sizes.lock().ok().and_then(|mut sizes| sizes.replace(size));
        Ok((size, before == Some(size)))
    };
    let rested = until(context, INTERVAL, RESTS_WITHIN, look, |(_, rests)| *rests).await?;
    match rested {
        Settled::Held((Some(size), _)) if size > 0 => {}
        Settled::Held(_) => return Err(failed("its file is empty or was never made")),
        Settled::Not(_) => return Err(failed("its file is still growing")),
    }
    let film = phone.pull(context, file).await?;
    if mp4::finished(&film) { Ok(film) } else { Err(failed("it was cut off before its index was written")) }
}

/// Takes files off the device. What cannot be taken off harms nothing but its room.
async fn remove(phone: &Phone, files: &[String]) {
    if files.is_empty() {
        return;
    }
    let line = quote::line(["rm", "-f"].into_iter().chain(files.iter().map(String::as_str)));
    // With a time of its own: also for a caller that is out of time.
    let context = Context::with_limit(REMOVES_WITHIN);
    if let Ok(answered) = phone.shell(&context, Effect::Manages, &line).await {
        answered.completed();
    }
}

fn failed(why: &str) -> Failure {
    // To film only looks: the app is as it was.
    Failure::refused(Row::AndroidRecordingFailed, Code::CommandFailed, format!("no film: {why}"))
        .reason("recording_failed")
        .hint("a screen that shows protected content or is off cannot be filmed; look at it: agent-device screenshot")
}
