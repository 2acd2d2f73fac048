//! Connections that were greeted and are kept for the next request.
//!
//! | what was seen of one | what is done |
//! | --- | --- |
//! | its reply was read whole | it is kept for a while |
//! | its request was interrupted | it is closed: to close the writing side is how a request is given up |
//! | its reply was lost, cut or followed by more | it is closed |
//! | its end, before the next request was written whole | a new connection: nothing was taken |
//! | its end, after that | the reply is lost, and is asked for as on any connection |

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use contract::{Code, Disclosed, Effect, Failure, Request, Response, Sends, request::method};
use rustix::{io::Errno, net::RecvFlags};

use super::{Client, Interrupt, connected::Connected};

/// For how long one is kept: to hold a place of the daemon's for somebody who asks nothing is of no use.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// How many: more requests at once connect anew.
const MOST: usize = 4;
/// A line of so many bytes goes into the socket of a connection that carries nothing else, without waiting.
const FITS: usize = 32 << 10;

/// Connections that nobody uses now. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Kept(Arc<Mutex<Vec<(Instant, Connected)>>>);

impl Kept {
    /// The one that was used last, if the daemon still holds its end and has said nothing that was not asked for.
    fn take(&self) -> Option<Connected> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, _)| since.elapsed() < KEPT_FOR);
        while let Some((_, connected)) = idle.pop() {
            if is_open(&connected) {
                return Some(connected);
            }
        }
        None
    }

    fn give(&self, connected: Connected) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST && !connected.spoiled && connected.reader.buffer().is_empty() {
            idle.push((Instant::now(), connected));
        }
    }
}

impl Client {
    /// The same as [`Client::run`] for a caller with a runtime. On a connection that was kept no thread waits for the
    /// answer; where there is none, or the reply is lost, one does.
    pub async fn ask(self, request: Request, effect: Effect, limit: Duration) -> Response {
        let Some(mut connected) = self.written_on_kept(&request, FITS) else {
            return waited_for(effect, move || self.run(&request, effect, limit)).await;
        };
        let asking = self.asking(&connected);
        let answered = connected.answer_awaited(limit + self.margin).await;
        drop(asking);
        if answered.is_ok() {
            return self.outcome(connected, answered, &request, effect, limit);
        }
        waited_for(effect, move || self.outcome(connected, answered, &request, effect, limit)).await
    }

    /// A connection of an earlier request to which this one was written whole, where it is of so many bytes at most. What
    /// ends daemons, or asks which runs, goes a way of its own.
    pub(super) fn written_on_kept(&self, request: &Request, most: usize) -> Option<Connected> {
        let kept = self.kept.as_ref().filter(|_| request.command != "daemon")?;
        while let Some(mut connected) = kept.take() {
            let line = connected.line(method::RUN, request).ok()?;
            if line.len() > most {
                kept.give(connected);
                return None;
            }
            // Closed since it was looked at: a line without its end is no request, and another daemon may be there.
            if connected.write(&line).is_ok() {
                return Some(connected);
            }
        }
        None
    }

    /// Keeps a connection whose request was answered.
    pub(super) fn keep(&self, connected: Connected) {
        // The writing side of one that was interrupted is closed.
        let interrupted = self.interrupt.as_ref().is_some_and(Interrupt::is_set);
        if let Some(kept) = self.kept.as_ref().filter(|_| !interrupted && connected.welcome.accepted) {
            kept.give(connected);
        }
    }
}

/// Does on a thread of its own what may block.
async fn waited_for(effect: Effect, work: impl FnOnce() -> Response + Send + 'static) -> Response {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|why| {
        let failure = Failure::new(Code::Internal, format!("the call broke off: {why}"));
        Err(Disclosed::seal(failure, Some(effect), Sends::NONE))
    })
}

/// Whether there is nothing to read: neither an end nor words.
fn is_open(connected: &Connected) -> bool {
    let mut byte = [0_u8; 1];
    let read =
        rustix::net::recv(connected.reader.get_ref(), byte.as_mut_slice(), RecvFlags::PEEK | RecvFlags::DONTWAIT);
    read.is_err_and(|why| why == Errno::AGAIN)
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_tuple("Kept").field(&idle.len()).finish()
    }
}
