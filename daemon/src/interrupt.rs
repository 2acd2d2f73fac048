//! How a consumer stops what it has asked for: the daemon is told that nobody asks any more, joins the send in flight, and
//! answers what became of it.

use std::{
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Stops everything that was asked with it, and whatever waits on it. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    set: Condvar,
}

#[derive(Debug, Default)]
struct State {
    set: bool,
    next: u64,
    asking: Vec<(u64, Stop)>,
}

/// How a request is stopped.
enum Stop {
    /// By the end of what is asked on its connection: for the daemon, that the caller has gone.
    End(UnixStream),
    /// By a word to a server elsewhere, which takes its time.
    Word(Arc<dyn Fn() + Send + Sync>),
}

impl Stop {
    fn ask(&self) {
        match self {
            Stop::End(stream) => {
                // It is gone already where this fails.
                let _gone = stream.shutdown(Shutdown::Write);
            }
            Stop::Word(word) => {
                let word = word.clone();
                // Where no thread can be had, the request ends by its limit.
                let _speaking = std::thread::Builder::new().name("interrupt".into()).spawn(move || word());
            }
        }
    }
}

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::End(_) => "End",
            Stop::Word(_) => "Word",
        })
    }
}

/// A connection that asks; forgotten when dropped.
#[derive(Debug)]
pub struct Asking {
    interrupt: Interrupt,
    number: u64,
}

impl Interrupt {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops it. The answers of requests under way still come.
    pub fn set(&self) {
        let mut state = self.state();
        state.set = true;
        state.asking.iter().for_each(|(_, stop)| stop.ask());
        self.0.set.notify_all();
    }

    /// Whether it was stopped.
    pub fn is_set(&self) -> bool {
        self.state().set
    }

    /// Waits so long, or until it is stopped; says whether it was.
    pub fn wait(&self, pause: Duration) -> bool {
        let end = Instant::now() + pause;
        let mut state = self.state();
        while !state.set {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.0.set.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.set
    }

    /// Notes a connection on which a request has been written.
    pub(crate) fn asking(&self, stream: &UnixStream) -> Option<Asking> {
        Some(self.stopped_by(Stop::End(stream.try_clone().ok()?)))
    }

    /// Notes a request that a word stops, spoken on a thread of its own.
    pub(crate) fn calling(&self, word: impl Fn() + Send + Sync + 'static) -> Asking {
        self.stopped_by(Stop::Word(Arc::new(word)))
    }

    fn stopped_by(&self, stop: Stop) -> Asking {
        let mut state = self.state();
        if state.set {
            stop.ask();
        }
        let number = state.next;
        state.next += 1;
        state.asking.push((number, stop));
        Asking { interrupt: self.clone(), number }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.interrupt.state().asking.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_asked_is_ended_and_what_waits_goes_on() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.wait(Duration::from_millis(1)));
        let (asker, mut daemon) = UnixStream::pair().unwrap();
        let (forgotten, mut other) = UnixStream::pair().unwrap();
        let asking = interrupt.asking(&asker).unwrap();
        drop(interrupt.asking(&forgotten).unwrap());
        let waiting = interrupt.clone();
        let waits = std::thread::spawn(move || waiting.wait(Duration::from_secs(600)));
        interrupt.set();
        assert!(waits.join().unwrap());
        assert_eq!(daemon.read(&mut [0; 8]).unwrap(), 0, "the end of what is asked");
        other.set_nonblocking(true).unwrap();
        assert_eq!(other.read(&mut [0; 8]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "not this one");
        drop(asking);
        // Who asks afterwards is ended at once.
        let (late, mut daemon) = UnixStream::pair().unwrap();
        let _asking = interrupt.asking(&late).unwrap();
        assert_eq!(daemon.read(&mut [0; 8]).unwrap(), 0);
    }
}
