//! Independent pieces of work on several threads, with results in the order of the pieces.

use crate::error::LabError;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};
use unriddle_catalog::Cancel;

/// Does `work` for each number below `count` on at most `jobs` threads. `None` if it was cancelled, or if a
/// piece of work says so by `None`.
///
/// # Errors
/// The first error that a piece of work gives; no further piece is begun.
pub(crate) fn in_order<T: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    work: &(dyn Fn(usize) -> Result<Option<T>, LabError> + Sync),
) -> Result<Option<Vec<T>>, LabError> {
    let next = AtomicUsize::new(0);
    let mut empty = Vec::new();
    empty.resize_with(count, || None);
    let results: Mutex<(Vec<Option<T>>, Option<LabError>)> = Mutex::new((empty, None));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || cancel.is_cancelled() {
                        return;
                    }
                    let result = work(index);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    match result {
                        Ok(result) => results.0[index] = result,
                        Err(error) => {
                            results.1.get_or_insert(error);
                            next.store(count, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let (results, error) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    match error {
        Some(error) => Err(error),
        None => Ok(results.into_iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_errors_end_the_work() {
        let cancel = Cancel::default();
        let squares = in_order(100, 3, &cancel, &|i| Ok(Some(i * i)));
        let expected: Vec<usize> = (0..100).map(|i| i * i).collect();
        assert_eq!(squares.unwrap(), Some(expected));
        assert_eq!(
            in_order::<u8>(0, 3, &cancel, &|_| Ok(None)).unwrap(),
            Some(vec![])
        );
        let failing = in_order(100, 3, &cancel, &|i| match i {
            7 => Err(LabError::Usage("seven".to_owned())),
            i => Ok(Some(i)),
        });
        assert_eq!(failing.unwrap_err().to_string(), "seven");
        cancel.cancel();
        assert_eq!(in_order(9, 2, &cancel, &|i| Ok(Some(i))).unwrap(), None);
    }
}
