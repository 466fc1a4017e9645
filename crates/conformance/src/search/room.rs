//! Limits of memory.

use super::{Boxed, Events, Promises, most};
use crate::{Violation, subject::hold};
use std::fmt::Debug;
use unriddle_core::{Progress, Quota};

/// Checks a search that runs out of memory repeatedly and then gets a little more. It never holds
/// more than its limit, and ends as if there were no limit.
///
/// A search that [adapts](Promises::adapts_to_memory) ends with the same value. Returns how often
/// the search ran out of memory.
///
/// ```
/// use unriddle_conformance::{Promises, memory, graph::Graph};
/// use unriddle_search::bfs::{Bfs, BfsConfig};
///
/// let graph = Graph::new(vec![vec![(1, 4)], vec![(2, 3)], vec![]]);
/// memory(Promises::default(), || Box::new(Bfs::new(&graph, BfsConfig::default()).unwrap()))?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The limit that is not kept, or the difference in the end.
pub fn memory<'s, A: Clone + Debug + PartialEq>(
    promises: Promises,
    make: impl Fn() -> Boxed<'s, A>,
) -> Result<u64, Violation> {
    let mut free = make();
    let mut events = Events::new();
    let Progress::Finished(outcome) = free.advance(&most(promises.expansions), &mut events) else {
        // It has no end that could be compared.
        return Ok(0);
    };
    let (mut tight, mut told) = (make(), Events::new());
    let (mut bytes, mut stops) = (promises.empty_bytes, 0);
    let ended = loop {
        let expanded = tight.stats().expanded.saturating_add(promises.expansions);
        let quota = Quota { bytes, expanded, ..Quota::UNLIMITED };
        let progress = tight.advance(&quota, &mut told);
        let peak = tight.stats().peak_bytes;
        hold(peak <= bytes, || {
            let found = Violation::new("the search holds more than its limit of memory");
            found.with("limit in bytes", bytes).with("held", peak)
        })?;
        match progress {
            Progress::Finished(outcome) => break outcome,
            Progress::OutOfMemory => stops += 1,
            Progress::Running if promises.adapts_to_memory => {}
            other => {
                let what =
                    "with little memory the search neither ends nor reports a lack of memory";
                return Err(Violation::new(what).with_debug("progress", &other));
            }
        }
        bytes += bytes / 50 + 50;
        hold(bytes < 1 << 40, || Violation::new("no memory is enough: the search never ends"))?;
    };
    let differ = |what: &str, one: &dyn Debug, other: &dyn Debug| {
        let found = Violation::new(format!("after lack of memory {what}"));
        found.with_debug("without a limit", one).with_debug("with limits", other)
    };
    if promises.adapts_to_memory {
        let ends = |outcome: &unriddle_core::Outcome<A>| {
            (outcome.best().map(|best| best.value), outcome.is_optimal())
        };
        hold(ends(&outcome) == ends(&ended), || {
            differ("the search ends otherwise", &outcome, &ended)
        })?;
        return Ok(stops);
    }
    hold(outcome == ended, || differ("the search ends otherwise", &outcome, &ended))?;
    // Structures may grow by other amounts.
    let (mut one, mut other) = (free.stats(), tight.stats());
    (one.peak_bytes, other.peak_bytes) = (0, 0);
    hold(one == other, || differ("the counters are others", &one, &other))?;
    Ok(stops)
}
