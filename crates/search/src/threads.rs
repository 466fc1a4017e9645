//! Parallel work of searches, with the CPU time of the helper threads.

use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};
use unriddle_core::clock::ThreadTime;
use unriddle_core::parallel;

/// [`parallel::map`] and the CPU time of all threads but the caller.
pub(crate) fn timed_map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> (Vec<R>, Duration) {
    let caller = thread::current().id();
    let helped = Mutex::new(Duration::ZERO);
    let results = parallel::map(items, threads, |item| {
        let clock = (thread::current().id() != caller).then(ThreadTime::now);
        let result = work(item);
        if let Some(clock) = clock {
            *helped.lock().unwrap_or_else(PoisonError::into_inner) += clock.elapsed();
        }
        result
    });
    (results, helped.into_inner().unwrap_or_else(PoisonError::into_inner))
}
