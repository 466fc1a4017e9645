//! Work of the command line on several threads, with a bar.

use crate::exit::Failure;
use indicatif::ProgressBar;
use unriddle_catalog::{Cancel, parallel};

/// Runs `work` in parallel and `take` in order ([`parallel::try_for_each_in_order`]), and advances
/// `bar`.
///
/// # Errors
/// The first failure of `work` or `take`, which also cancels the running work.
pub(crate) fn in_turn<T: Send>(
    count: usize,
    jobs: usize,
    cancel: &Cancel,
    bar: &ProgressBar,
    work: &(dyn Fn(usize) -> Result<T, Failure> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stop = |_: &Failure| cancel.cancel();
    let work = |index| {
        let result = work(index).inspect_err(stop);
        bar.inc(1);
        result
    };
    parallel::try_for_each_in_order(count, jobs, &work, &mut |result| {
        take(result).inspect_err(stop)
    })
}
