//! Cancellable parallel map, with results in order, on the threads of one process or of all ranks.

pub use unriddle_core::parallel::try_for_each_in_order;
use unriddle_core::{
    Cancel,
    ranks::{
        Message, Ranks, broadcast,
        hand_out::{Pieces, hand_out},
        join, parts,
    },
};

/// Work that ranks share.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Number of calls.
    pub count: usize,
    /// Threads of each rank at most.
    pub jobs: usize,
    /// Whether all ranks receive the results, or rank 0.
    pub is_shared: bool,
}

/// Calls `work` with each number below `count` on the threads of all ranks.
///
/// Returns the results in order, on ranks that do not receive them an empty list. Returns `None`
/// after `cancel` of rank 0, and after a call of `work` that returns `None`. On rank 0 `seen` is
/// called with each result as soon as all earlier ones exist. All ranks call it together.
///
/// # Errors
/// The first error of a call of `work` or of `seen`; no further call begins. An error of another
/// rank is passed to `failed`. Where rank 0 fails, the others return `None`.
pub fn in_order_on<T: Message + Send, E: ToString + Send>(
    ranks: &dyn Ranks,
    Share { count, jobs, is_shared }: Share,
    cancel: &Cancel,
    work: &(dyn Fn(usize) -> Result<Option<T>, E> + Sync),
    seen: &mut dyn FnMut(usize, &T) -> Result<(), E>,
    failed: &dyn Fn(String) -> E,
) -> Result<Option<Vec<T>>, E> {
    let pieces = Pieces {
        count,
        threads: jobs,
        work: &|index| match cancel.is_cancelled() {
            true => Ok(None),
            false => work(index),
        },
        end: &|| cancel.cancel(),
        failed: &|rank, why| failed(format!("rank {rank}: {why}")),
    };
    let mut results = Vec::new();
    hand_out(ranks, &pieces, &mut |result: Option<T>| {
        if let Some(result) = &result {
            seen(results.len(), result)?;
        }
        results.push(result);
        Ok(())
    })?;
    let results: Option<Vec<T>> = results.into_iter().collect();
    if ranks.size() == 1 {
        return Ok(results);
    }
    // A single byte where there are no results.
    let mut sent = vec![u8::from(results.is_some())];
    if ranks.rank() == 0 && is_shared {
        let written = results.iter().flatten().map(|result| {
            let mut bytes = Vec::new();
            result.write(&mut bytes);
            bytes
        });
        let written: Vec<Vec<u8>> = written.collect();
        join(written.iter().map(Vec::as_slice), &mut sent);
    }
    let all = broadcast(ranks, sent);
    Ok(match all.split_first() {
        // Without parts where the results are not shared.
        Some((1, rest)) if ranks.rank() > 0 => parts(rest).map(T::read).collect(),
        Some((1, _)) => results,
        _ => None,
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
