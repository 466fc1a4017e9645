//! Ordered parallel maps: independent pieces of work on several threads, with results in the order
//! of the pieces.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};
use unriddle_core::Cancel;

/// Calls `work` with each number below `count` on at most `jobs` threads. `take` receives the
/// results in the order of the numbers, each as soon as all results before it exist.
///
/// # Errors
/// The first error of `work`, else the first error of `take`. No further piece begins after an
/// error. After an error of `work`, `take` receives all other results, including the results of
/// running pieces.
pub fn in_turn<T: Send, E: Send>(
    count: usize,
    jobs: usize,
    work: &(dyn Fn(usize) -> Result<T, E> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = &AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
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
        let mut failed = None;
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        let mut give = |result| take(result).inspect_err(|_| next.store(count, Ordering::Relaxed));
        for (index, result) in receiver {
            match result {
                Ok(result) => drop(waiting.insert(index, result)),
                Err(error) => drop(failed.get_or_insert(error)),
            }
            while let Some(result) = waiting.remove(&taken) {
                give(result)?;
                taken += 1;
            }
        }
        let rest = waiting.into_values().try_for_each(give);
        failed.map_or(rest, Err)
    })
}

/// Calls `work` with each number below `count` on at most `jobs` threads. Returns the results in
/// order; `None` after `cancel`, or if a call of `work` returns `None`.
///
/// # Errors
/// The first error of a call of `work`; no further call begins.
pub fn in_order<T: Send, E: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    work: &(dyn Fn(usize) -> Result<Option<T>, E> + Sync),
) -> Result<Option<Vec<T>>, E> {
    let mut results = Vec::with_capacity(count);
    let work = |index| if cancel.is_cancelled() { Ok(None) } else { work(index) };
    in_turn(count, jobs, &work, &mut |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_order() {
        for jobs in [1, 3, 200] {
            let mut taken = Vec::new();
            let done = in_turn::<_, ()>(100, jobs, &|i| Ok(i * i), &mut |square| {
                taken.push(square);
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(taken, (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
        assert_eq!(in_turn(0, 3, &|i| Err(i), &mut |()| Err(9)), Ok(()));
    }

    #[test]
    fn an_error_ends_the_work_and_loses_nothing_that_is_done() {
        // The piece that fails waits until a later one is done.
        let later = std::sync::Barrier::new(2);
        let mut taken = Vec::new();
        let work = |i| {
            if i == 1 || i == 2 {
                later.wait();
            }
            if i == 1 { Err("one") } else { Ok(i) }
        };
        let done = in_turn(1000, 2, &work, &mut |i| {
            taken.push(i);
            Ok(())
        });
        assert_eq!(done, Err("one"));
        assert!(taken.starts_with(&[0, 2]), "{taken:?}");
        let mut seen = 0;
        let done = in_turn(1000, 2, &Ok, &mut |i| {
            seen += 1;
            if i == 7 { Err("seven") } else { Ok(()) }
        });
        assert_eq!((done, seen), (Err("seven"), 8));
    }

    #[test]
    fn all_results_are_in_order_and_errors_end_the_work() {
        let cancel = Cancel::default();
        let squares = in_order::<_, &str>(100, 3, &cancel, &|i| Ok(Some(i * i)));
        let expected: Vec<usize> = (0..100).map(|i| i * i).collect();
        assert_eq!(squares.unwrap(), Some(expected));
        assert_eq!(in_order::<u8, &str>(0, 3, &cancel, &|_| Ok(None)).unwrap(), Some(vec![]));
        let failing = in_order(100, 3, &cancel, &|i| match i {
            7 => Err("seven"),
            i => Ok(Some(i)),
        });
        assert_eq!(failing.unwrap_err(), "seven");
        cancel.cancel();
        assert_eq!(in_order::<_, &str>(9, 2, &cancel, &|i| Ok(Some(i))).unwrap(), None);
    }
}
