//! Work on several threads, whose results are taken in the order of the work.

use crate::exit::Failure;
use indicatif::ProgressBar;
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};
use unriddle_catalog::Cancel;

/// Does `work` for each number below `count` on so many threads, and gives the results to `take` in order, as soon as they are
/// there.
///
/// # Errors
/// The first failure of either; no further work is begun then, and what is running is cancelled.
pub(crate) fn in_turn<T: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    bar: &ProgressBar,
    work: &(dyn Fn(usize) -> Result<T, Failure> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    match work(index) {
                        Ok(result) => {
                            if sender.send((index, result)).is_err() {
                                return;
                            }
                        }
                        Err(failure) => {
                            next.store(count, Ordering::Relaxed);
                            cancel.cancel();
                            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                            failed.get_or_insert(failure);
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        for (index, result) in receiver {
            bar.inc(1);
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&taken) {
                if let Err(failure) = take(result) {
                    next.store(count, Ordering::Relaxed);
                    cancel.cancel();
                    return Err(failure);
                }
                taken += 1;
            }
        }
        Ok(())
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => result,
    }
}
