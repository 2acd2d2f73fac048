use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context as Task, Poll},
    time::Duration,
};

use contract::{Dispatched, Sends};
use tokio::io::{AsyncReadExt, ReadBuf};

use super::*;

const ROWS: Rows = Rows {
    not_written: Row::AdbNotWritten,
    lost: Row::AdbReplyLost,
    timeout: Row::AdbTimeoutAfterSend,
    look_lost: Row::AdbLookLost,
    unreadable: Row::AdbReplyUnreadable,
};

/// How a direction of the scripted peer ends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    Breaks,
    Ends,
    Stalls,
}

/// A peer that takes `takes` bytes, `step` at a time, gives `gives`, and then ends both as told.
#[derive(Debug)]
struct Peer {
    takes: usize,
    step: usize,
    gives: Vec<u8>,
    then: Then,
    taken: Arc<AtomicUsize>,
    closed: Arc<AtomicBool>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
    }
}

impl AsyncWrite for Peer {
    fn poll_write(self: Pin<&mut Self>, _: &mut Task<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = self.taken.load(Ordering::SeqCst);
        let count = bytes.len().min(self.step).min(self.takes - taken);
        if count == 0 {
            return match self.then {
                Then::Breaks => Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
                Then::Ends => Poll::Ready(Ok(0)),
                Then::Stalls => Poll::Pending,
            };
        }
        self.taken.store(taken + count, Ordering::SeqCst);
        Poll::Ready(Ok(count))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Peer {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Task<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.gives.is_empty() {
            return match self.then {
                Then::Breaks => Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
                Then::Ends => Poll::Ready(Ok(())),
                Then::Stalls => Poll::Pending,
            };
        }
        let count = self.gives.len().min(self.step).min(buffer.remaining());
        buffer.put_slice(&self.gives.drain(..count).collect::<Vec<_>>());
        Poll::Ready(Ok(()))
    }
}

const REQUEST: &[u8] = b"000Ashell:true";
const REPLY: &[u8] = b"OKAY";

async fn reply(mut stream: Peer) -> io::Result<[u8; 4]> {
    let mut word = [0; 4];
    stream.read_exact(&mut word).await?;
    Ok(word)
}

struct Run {
    sent: Sent<[u8; 4]>,
    taken: usize,
    closed: bool,
    sends: Sends,
}

async fn run(effect: Effect, takes: usize, step: usize, gives: usize, then: Then) -> Run {
    let (taken, closed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let gives = REPLY[..gives].to_vec();
    let peer = Peer { takes, step, gives, then, taken: taken.clone(), closed: closed.clone() };
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(peer) }).await.unwrap();
    let sent = channel.operate(&context, effect, ROWS, REQUEST, reply).await;
    let closed = closed.load(Ordering::SeqCst);
    Run { sent, taken: taken.load(Ordering::SeqCst), closed, sends: context.ledger.sends() }
}

#[tokio::test(start_paused = true)]
async fn wherever_the_stream_ends_nothing_counts_as_unsent_once_a_byte_was_accepted() {
    let mut unsent = 0;
    for then in [Then::Breaks, Then::Ends, Then::Stalls] {
        for step in 1..=REQUEST.len() {
            for takes in 0..=REQUEST.len() {
                for gives in 0..REPLY.len() {
                    for effect in [Effect::Mutates, Effect::Observes, Effect::Manages] {
                        let run = run(effect, takes, step, gives, then).await;
                        assert_eq!(run.taken, takes);
                        let open = u32::from(takes > 0 && effect == Effect::Mutates);
                        assert_eq!(run.sends, Sends { completed: 0, open }, "{then:?} {step} {takes} {gives}");
                        assert!(run.closed, "the stream is closed before anything is said");
                        match run.sent {
                            Sent::NotSent(proof) => {
                                assert_eq!((takes, proof.row()), (0, Row::AdbNotWritten));
                                unsent += 1;
                            }
                            Sent::Lost(lost) => {
                                assert!(takes > 0);
                                assert_eq!(lost.timed_out(), then == Then::Stalls);
                                let row = match effect {
                                    Effect::Observes => Row::AdbLookLost,
                                    _ if then == Then::Stalls => Row::AdbTimeoutAfterSend,
                                    _ => Row::AdbReplyLost,
                                };
                                assert_eq!(lost.row(), row);
                                let claim = lost.failure("x").claim().unwrap();
                                assert_eq!(claim.dispatched == Dispatched::No, effect == Effect::Observes);
                            }
                            Sent::Answered(_) => panic!("{takes} {gives}: there was no whole reply"),
                        }
                    }
                }
            }
        }
    }
    assert_eq!(unsent, 3 * REQUEST.len() * REPLY.len() * 3);
}

#[tokio::test(start_paused = true)]
async fn a_whole_reply_is_left_to_be_judged() {
    let run = run(Effect::Mutates, REQUEST.len(), 3, REPLY.len(), Then::Stalls).await;
    assert_eq!(run.sends, Sends { completed: 0, open: 1 });
    let Sent::Answered(answered) = run.sent else { panic!("there was a reply") };
    let answered = answered.sort(|word| if word == *b"FAIL" { Err(word) } else { Ok(word) }).unwrap();
    assert_eq!(answered.map(|word| word.len()).completed(), 4);
}

fn peer(gives: &[u8], then: Then) -> (Peer, Arc<AtomicUsize>) {
    let taken = Arc::new(AtomicUsize::new(0));
    let closed = Arc::new(AtomicBool::new(false));
    (Peer { takes: 1 << 20, step: 7, gives: gives.to_vec(), then, taken: taken.clone(), closed }, taken)
}

#[tokio::test(start_paused = true)]
async fn words_on_the_way_are_no_operation_whatever_becomes_of_them() {
    for then in [Then::Breaks, Then::Ends, Then::Stalls] {
        for gives in 0..REPLY.len() {
            let (peer, taken) = peer(&REPLY[..gives], then);
            let context = Context::with_limit(Duration::from_secs(5));
            let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(peer) }).await.unwrap();
            let prepared = channel
                .prepare(&context, Row::AdbNotWritten, b"000chost:version", |mut stream| async move {
                    let mut word = [0; 4];
                    stream.read_exact(&mut word).await?;
                    Ok((stream, word))
                })
                .await;
            assert_eq!(prepared.unwrap_err().row(), Row::AdbNotWritten);
            assert_eq!((taken.load(Ordering::SeqCst), context.ledger.sends()), (16, Sends::NONE));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_operation_counts_as_possibly_done() {
    let (peer, taken) = peer(b"", Then::Stalls);
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(peer) }).await.unwrap();
    let operation = channel.operate(&context, Effect::Mutates, ROWS, REQUEST, reply);
    assert!(tokio::time::timeout(Duration::from_millis(1), operation).await.is_err());
    assert_eq!((taken.load(Ordering::SeqCst), context.ledger.sends().open), (REQUEST.len(), 1));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_for_a_request_whose_time_is_up() {
    let (peer, taken) = peer(REPLY, Then::Ends);
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(peer) }).await.unwrap();
    let late = context.until(Duration::ZERO);
    let sent = channel.operate(&late, Effect::Mutates, ROWS, REQUEST, reply).await;
    assert!(matches!(sent, Sent::NotSent(_)));
    assert_eq!((taken.load(Ordering::SeqCst), late.ledger.sends()), (0, Sends::NONE));
}

#[tokio::test(start_paused = true)]
async fn a_reply_outside_the_protocol_has_its_own_row() {
    let (peer, _) = peer(b"HTTP", Then::Stalls);
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::connect(&context, Row::AdbServerUnreachable, async { Ok(peer) }).await.unwrap();
    let sent: Sent<()> = channel
        .operate(&context, Effect::Mutates, ROWS, REQUEST, |mut stream| async move {
            let mut word = [0; 4];
            stream.read_exact(&mut word).await?;
            Err(io::Error::new(io::ErrorKind::InvalidData, "HTTP is no status"))
        })
        .await;
    let Sent::Lost(lost) = sent else { panic!("it is no reply") };
    assert_eq!(lost.row(), Row::AdbReplyUnreadable);
    assert_eq!(lost.failure("x").reason_str(), Some("reply_unreadable"));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_does_not_come_is_waited_for_until_the_deadline() {
    let context = Context::with_limit(Duration::from_secs(5));
    let channel = Channel::<Peer>::connect(&context, Row::AdbServerUnreachable, std::future::pending()).await;
    assert_eq!(channel.unwrap_err().row(), Row::AdbServerUnreachable);
}
