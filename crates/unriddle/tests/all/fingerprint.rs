//! The fingerprint: how many states every search expands and generates on a fixed set of instances.
//!
//! All heuristics here are integers, so the counts are exact on every machine. A change for speed
//! must keep them; a change that reduces the search shows its effect here.

use crate::common::{cache, golden, known, record, samples::samples};
use std::fmt::Write as _;

#[test]
fn counters_are_those_committed() {
    let cache = cache();
    let mut text = String::from(
        "# puzzle; generator; number; solver: value, expanded, generated, evaluated, reopened\n",
    );
    for sample in samples() {
        let known = known(sample.plain);
        for (generator, count, solvers) in sample.fingerprint {
            for index in 0..*count {
                let instance = known.load(&known.generate(generator, index));
                for solver in *solvers {
                    let found = record(known.spec, &*instance, solver, &cache).unwrap();
                    assert_eq!(found.checked, Some(true), "{found:?}");
                    let counters = [
                        found.value.and_then(|value| u64::try_from(value).ok()),
                        found.expanded,
                        found.generated,
                        found.evaluated,
                        found.reopened,
                    ];
                    let counters = counters.map(|n| n.map_or("-".to_owned(), |n| n.to_string()));
                    let _ = writeln!(
                        text,
                        "{}; {generator}; {index}; {solver}: {}",
                        known.spec,
                        counters.join(", ")
                    );
                }
            }
        }
    }
    golden("crates/unriddle/tests/golden/fingerprint.txt", &text);
}
