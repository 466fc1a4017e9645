//! Cancellable parallel map, with results in order.

use unriddle_core::Cancel;
pub use unriddle_core::parallel::try_for_each_in_order;

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
    try_for_each_in_order(count, jobs, &work, &mut |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
