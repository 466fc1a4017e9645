//! Independent pieces of work on several threads, all of whose results are wanted.

use unriddle_catalog::work::WorkError;
use unriddle_catalog::{Cancel, parallel};

/// Calls `work` with each number below `count` on at most `jobs` threads. Returns the results in
/// order. `None` if it was cancelled, or if a call of `work` returns `None`.
///
/// # Errors
/// The first error of a call of `work`; no further call is begun.
pub(crate) fn in_order<T: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    work: &(dyn Fn(usize) -> Result<Option<T>, WorkError> + Sync),
) -> Result<Option<Vec<T>>, WorkError> {
    let mut results = Vec::with_capacity(count);
    let work = |index| match cancel.is_cancelled() {
        true => Ok(None),
        false => work(index),
    };
    parallel::in_turn(count, jobs, &work, &mut |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results.into_iter().collect())
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
        assert_eq!(in_order::<u8>(0, 3, &cancel, &|_| Ok(None)).unwrap(), Some(vec![]));
        let failing = in_order(100, 3, &cancel, &|i| match i {
            7 => Err(WorkError::Usage("seven".to_owned())),
            i => Ok(Some(i)),
        });
        assert_eq!(failing.unwrap_err().to_string(), "seven");
        cancel.cancel();
        assert_eq!(in_order(9, 2, &cancel, &|i| Ok(Some(i))).unwrap(), None);
    }
}
