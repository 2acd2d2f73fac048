//! A panic of a handler is an answer like any other, and the daemon goes on.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// Runs a future; `None` where it panicked. The panic's own message goes to the log through the panic hook.
pub async fn catch<T>(future: AssertUnwindSafe<impl Future<Output = T>>) -> Option<T> {
    let mut future = pin!(future.0);
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
        Ok(Poll::Ready(value)) => Poll::Ready(Some(value)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(_) => Poll::Ready(None),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_after_a_pause_is_caught_and_a_value_comes_through() {
        let fails = async {
            tokio::task::yield_now().await;
            panic!("on purpose");
        };
        assert_eq!(catch::<()>(AssertUnwindSafe(fails)).await, None);
        assert_eq!(catch(AssertUnwindSafe(async { 5 })).await, Some(5));
    }
}
