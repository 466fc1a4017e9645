//! A solve that is under way: a future that its caller polls, slice by slice.
//!
//! A search is resumable, but the solve around it also prepares heuristics, runs one search after
//! another, and makes the report. The compiler turns this code into a state machine, so that no
//! solve needs a thread of its own. The futures wait for nothing but the next poll: any caller can
//! poll them, with any waker.

use super::values::{Report, SolveError};
use std::{
    future::poll_fn,
    mem::replace,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

/// A solve under way. Each poll searches a slice: about five milliseconds, and at most the
/// [expansions](super::values::Events::room) that the caller's events allow.
pub type PendingSolve<'a> = Pin<Box<dyn Future<Output = Result<Report, SolveError>> + 'a>>;

/// Polls a future of this module to its end.
pub fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = poll(future.as_mut()) {
            return output;
        }
    }
}

/// Polls a future of this module once.
pub fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Returns to the caller of the future, once.
pub async fn pause() {
    let mut has_paused = false;
    poll_fn(|_| match replace(&mut has_paused, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_takes_one_poll() {
        let mut twice = Box::pin(async {
            pause().await;
            pause().await;
            7
        });
        assert_eq!(poll(twice.as_mut()), Poll::Pending);
        assert_eq!(poll(twice.as_mut()), Poll::Pending);
        assert_eq!(poll(twice.as_mut()), Poll::Ready(7));
        assert_eq!(finish(async { pause().await }), ());
    }
}
