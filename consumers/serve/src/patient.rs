//! A connection that waits for its reader only so long: whoever does not read what they asked for is let go.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// A stream whose writes must get on.
#[derive(Debug)]
pub struct Patient<S> {
    stream: S,
    limit: Duration,
    waiting: Pin<Box<Sleep>>,
    stuck: bool,
}

impl<S> Patient<S> {
    /// Gives up a write in which nothing moves for `limit`.
    pub fn new(stream: S, limit: Duration) -> Self {
        Self { stream, limit, waiting: Box::pin(sleep(limit)), stuck: false }
    }

    /// The outcome of a write, or that it has been waited for too long.
    fn judged<T>(&mut self, wrote: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if wrote.is_ready() {
            self.stuck = false;
            return wrote;
        }
        if !self.stuck {
            self.stuck = true;
            self.waiting.as_mut().reset(Instant::now() + self.limit);
        }
        match self.waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judged(wrote, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judged(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judged(closed, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_reader_that_reads_nothing_is_let_go_and_a_slow_one_is_not() {
        let (ours, mut theirs) = duplex(8);
        let mut patient = Patient::new(ours, Duration::from_millis(200));
        let writing = tokio::spawn(async move { (patient.write_all(&[7; 64]).await, patient) });
        let mut read = [0; 8];
        for _ in 0..8 {
            // Slower than the whole would be allowed to be, each part in time.
            sleep(Duration::from_millis(50)).await;
            theirs.read_exact(&mut read).await.unwrap();
        }
        let (wrote, mut patient) = writing.await.unwrap();
        wrote.unwrap();
        let why = patient.write_all(&[7; 64]).await.unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::TimedOut);
    }
}
