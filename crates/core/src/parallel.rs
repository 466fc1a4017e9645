//! Parallel maps over independent items, with results in the order of the items.
//!
//! [`map`] and [`try_map`] return all results together; the calling thread works as well.
//! [`try_for_each_in_order`] hands each result over as soon as all earlier results exist; the
//! calling thread only receives them.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    panic::resume_unwind,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Calls `work` with each item on up to `threads` threads, including the caller. Returns the
/// results in the order of the items.
///
/// Threads take the next item whenever they are free. Where the system refuses a thread, the
/// existing ones do its work. Per-thread buffers are items themselves: `map(buffers.iter_mut(),
/// threads, …)`.
///
/// ```
/// let squares = unriddle_core::parallel::map(0..100, 3, |number| number * number);
/// assert!(squares.into_iter().eq((0..100).map(|number| number * number)));
/// ```
///
/// # Panics
/// If a call of `work` panics, with the same payload.
pub fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let Ok(results) = try_map::<_, _, Infallible>(items, threads, |item| Ok(work(item)));
    results
}

/// Like [`map`], but begins no further item after a call of `work` has failed. An error also
/// cancels a search or a build.
///
/// ```
/// use unriddle_core::parallel::try_map;
///
/// let parsed = try_map(["1", "two", "3", "four"], 2, |text| text.parse::<u8>().map_err(|_| text));
/// assert_eq!(parsed, Err("two"));
/// ```
///
/// # Errors
/// The error of the first item (in the order of the items) whose call fails. It does not depend on
/// the number of threads, because items are begun in order.
///
/// # Panics
/// If a call of `work` panics, with the same payload.
pub fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    threads: usize,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let items = items.into_iter();
    let threads = threads.min(items.size_hint().1.unwrap_or(usize::MAX));
    if threads <= 1 {
        return items.map(work).collect();
    }
    let queue = Mutex::new(Some(items.enumerate()));
    let results = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let next = lock(&queue).as_mut().and_then(Iterator::next);
            let Some((index, item)) = next else { return };
            let result = work(item);
            if result.is_err() {
                *lock(&queue) = None;
            }
            lock(&results).push((index, result));
        }
    };
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let helpers: Vec<_> = (1..threads).map_while(spawn).collect();
        worker();
        for helper in helpers {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Locks a mutex, also after a thread has panicked while it held the lock: nothing is half-done
/// here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Largest number of results of [`try_for_each_in_order`] that wait for an earlier one: a single
/// slow call must not make all later results pile up in memory.
const WAITING: usize = 1024;

/// Number of results that were handed over, for threads that are too far ahead.
struct Window {
    taken: Mutex<usize>,
    advanced: Condvar,
}

impl Window {
    /// Waits until fewer than [`WAITING`] results before `index` are missing. Returns false after
    /// an error: the work is not to begin.
    fn enter(&self, index: usize) -> bool {
        let is_ahead = |taken: &mut usize| index >= taken.saturating_add(WAITING);
        let taken = self.advanced.wait_while(lock(&self.taken), is_ahead);
        *taken.unwrap_or_else(PoisonError::into_inner) != usize::MAX
    }

    fn advance(&self, taken: usize) {
        *lock(&self.taken) = taken;
        self.advanced.notify_all();
    }
}

/// Lets all threads pass in the end, also after an error or a panic.
struct Opened<'w>(&'w Window);

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        self.0.advance(usize::MAX);
    }
}

/// Calls `work` with each number below `count` on up to `threads` helper threads. Hands the results
/// to `take` on the calling thread in the order of the numbers, each as soon as all earlier ones
/// exist. A thread that is 1,024 numbers ahead of the first missing result waits. With one thread,
/// `work` runs on the calling thread as well: no thread waits for another after each number.
///
/// # Errors
/// The first error of `work`, else the first error of `take`. No further number is begun after an
/// error. After an error of `work`, `take` still receives the results that exist or are being
/// computed.
///
/// # Panics
/// If a call of `work` or of `take` panics.
pub fn try_for_each_in_order<T: Send, E: Send>(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) -> Result<T, E> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if threads.min(count) <= 1 {
        return (0..count).try_for_each(|index| take(work(index)?));
    }
    let next = &AtomicUsize::new(0);
    let window = &Window { taken: Mutex::new(0), advanced: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            let sender = sender.clone();
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    if !window.enter(index) {
                        return;
                    }
                    let result = work(index);
                    if result.is_err() {
                        next.store(count, Ordering::Relaxed);
                    }
                    if sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let _opened = Opened(window);
        let mut failed = None;
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        let mut give = |result| take(result).inspect_err(|_| next.store(count, Ordering::Relaxed));
        for (index, result) in receiver {
            match result {
                Ok(result) => drop(waiting.insert(index, result)),
                Err(error) => {
                    failed.get_or_insert(error);
                    window.advance(usize::MAX);
                }
            }
            while let Some(result) = waiting.remove(&taken) {
                give(result)?;
                taken += 1;
                if failed.is_none() {
                    window.advance(taken);
                }
            }
        }
        let rest = waiting.into_values().try_for_each(give);
        failed.map_or(rest, Err)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{panic::catch_unwind, sync::Barrier};

    #[test]
    fn map_keeps_the_order_of_the_items() {
        for threads in [0, 1, 3, 200] {
            let doubled = map(vec![3, 1, 2], threads, |item| 2 * item);
            assert_eq!(doubled, [6, 2, 4]);
        }
        let mut buffers = [vec![1], vec![2], vec![3]];
        map(buffers.iter_mut(), 2, |buffer| buffer.push(0));
        assert_eq!(buffers, [[1, 0], [2, 0], [3, 0]]);
    }

    /// While the first call waits, other threads do not run more than `WAITING` numbers ahead.
    #[test]
    fn threads_do_not_run_far_ahead() {
        let (begun, highest) = (Barrier::new(2), AtomicUsize::new(0));
        let work = |index: usize| {
            highest.fetch_max(index, Ordering::SeqCst);
            match index {
                // The first result is missing until the other thread is at the window's edge.
                0 => drop(begun.wait()),
                index if index + 1 == WAITING => drop(begun.wait()),
                _ => {}
            }
            Ok::<_, Infallible>(index)
        };
        let mut taken = Vec::new();
        let done = try_for_each_in_order(3 * WAITING, 2, &work, &mut |index| {
            if taken.is_empty() {
                assert!(highest.load(Ordering::SeqCst) < 2 * WAITING);
            }
            taken.push(index);
            Ok(())
        });
        assert_eq!(done, Ok(()));
        assert!(taken.into_iter().eq(0..3 * WAITING));
    }

    #[test]
    fn map_uses_the_caller_and_helpers() {
        let all = Barrier::new(3);
        let caller = thread::current().id();
        let threads = map(0..3, 3, |_| {
            all.wait();
            thread::current().id()
        });
        assert_eq!(threads.iter().filter(|&&id| id == caller).count(), 1);
    }

    #[test]
    fn try_map_returns_the_error_of_the_first_failing_item() {
        for threads in [1, 4] {
            let begun = AtomicUsize::new(0);
            let result = try_map(0..10_000, threads, |item| {
                begun.fetch_add(1, Ordering::Relaxed);
                if item < 7 { Ok(item) } else { Err(item) }
            });
            assert_eq!(result, Err(7));
            assert!(begun.into_inner() < 10_000);
        }
    }

    #[test]
    fn map_propagates_panics() {
        for threads in [1, 2] {
            let result = catch_unwind(|| map(0..4, threads, |item| assert_ne!(item, 3, "three")));
            let payload = result.unwrap_err();
            assert!(payload.downcast_ref::<String>().unwrap().contains("three"));
        }
    }

    #[test]
    fn results_are_taken_in_order() {
        for threads in [1, 3, 200] {
            let mut taken = Vec::new();
            let done =
                try_for_each_in_order::<_, ()>(100, threads, &|i| Ok(i * i), &mut |square| {
                    taken.push(square);
                    Ok(())
                });
            assert_eq!(done, Ok(()));
            assert_eq!(taken, (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
        assert_eq!(try_for_each_in_order(0, 3, &|i| Err(i), &mut |()| Err(9)), Ok(()));
    }

    #[test]
    fn an_error_ends_the_work_and_keeps_finished_results() {
        // The failing item waits until a later one is done.
        let later = Barrier::new(2);
        let mut taken = Vec::new();
        let work = |i| {
            if i == 1 || i == 2 {
                later.wait();
            }
            if i == 1 { Err("one") } else { Ok(i) }
        };
        let done = try_for_each_in_order(1000, 2, &work, &mut |i| {
            taken.push(i);
            Ok(())
        });
        assert_eq!(done, Err("one"));
        assert!(taken.starts_with(&[0, 2]), "{taken:?}");
        let mut seen = 0;
        let done = try_for_each_in_order(1000, 2, &Ok, &mut |i| {
            seen += 1;
            if i == 7 { Err("seven") } else { Ok(()) }
        });
        assert_eq!((done, seen), (Err("seven"), 8));
    }
}
