//! Work of the command line on several threads, with a bar.

use crate::{
    exit::{Failure, INTERNAL},
    ranks::ranks,
};
use indicatif::ProgressBar;
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};
use unriddle_catalog::{
    Cancel,
    ranks::{
        Message,
        hand_out::{Pieces, hand_out},
    },
};

/// Runs `work` on the threads of all ranks and `take` in order on rank 0 ([`hand_out`]), and
/// advances `bar`. The first `None` of `work` ends the batch: nothing further is begun. Returns the
/// number of results that `take` received.
///
/// # Errors
/// The first failure of `work` or `take`, which also cancels the running work.
pub(crate) fn in_turn<T: Message + Send>(
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
        Ok(None) => Err(End(None)),
        Err(failure) => Err(End(Some(failure))),
    };
    let mut taken = 0;
    let failed = |rank, why: String| {
        // An end without a failure has no text.
        let failure = || Failure::new(INTERNAL, format!("rank {rank}: {why}"));
        End((!why.is_empty()).then(failure))
    };
    let end = || cancel.cancel();
    let pieces = Pieces { count, threads: jobs, work: &work, end: &end, failed: &failed };
    let done = hand_out(ranks(), &pieces, &mut |result| {
        taken += 1;
        take(result).inspect_err(stop).map_err(|failure| End(Some(failure)))
    });
    match done {
        Err(End(Some(failure))) => Err(failure),
        Ok(()) | Err(End(None)) => Ok(taken),
    }
}

/// End of a batch: a failure, or a cancellation.
struct End(Option<Failure>);

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |failure| f.write_str(&failure.message()))
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
