//! Independent pieces of work on several threads, whose results are taken in the order of the pieces.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// Does `work` for each number below `count` on at most `jobs` threads, and gives the results to
/// `take` in the order of the numbers, each as soon as those before it are there.
///
/// # Errors
/// The first error of `work`, else that of `take`. No further piece is begun then; after an error
/// of `work`, all results that are there or still come are taken.
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

#[cfg(test)]
mod tests {
    use super::in_turn;

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
}
