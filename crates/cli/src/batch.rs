//! Work of the command line on several threads, with a bar.

use crate::exit::Failure;
use indicatif::ProgressBar;
use std::panic::{AssertUnwindSafe, catch_unwind};
use unriddle_catalog::{Cancel, parallel};

/// Runs `work` in parallel and `take` in order ([`parallel::try_for_each_in_order`]), and advances
/// `bar`. The first `None` of `work` ends the batch: nothing further is begun. Returns the number
/// of results that `take` received.
///
/// # Errors
/// The first failure of `work` or `take`, which also cancels the running work.
pub(crate) fn in_turn<T: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    bar: &ProgressBar,
    work: &(dyn Fn(usize) -> Result<Option<T>, Failure> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let stop = |_: &Failure| cancel.cancel();
    // `None` as an error is the end of the batch.
    let work = |index| match work(index).inspect_err(stop) {
        Ok(Some(result)) => {
            bar.inc(1);
            Ok(result)
        }
        Ok(None) => Err(None),
        Err(failure) => Err(Some(failure)),
    };
    let mut taken = 0;
    let done = parallel::try_for_each_in_order(count, jobs, &work, &mut |result| {
        taken += 1;
        take(result).inspect_err(stop).map_err(Some)
    });
    match done {
        Err(Some(failure)) => Err(failure),
        Ok(()) | Err(None) => Ok(taken),
    }
}

/// Result of `work`, which may run the rules of a user-defined puzzle.
///
/// # Errors
/// The rules panicked: the message of the panic in a sentence.
pub(crate) fn unless_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        format!("the rules or the search panicked: {}", text.unwrap_or("no message"))
    })
}
