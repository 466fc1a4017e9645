//! The list of the results of a solve.

use std::time::Duration;

/// Hands the list of the results of a solve to a macro, behind the macro's own arguments.
/// [`Record`](crate::Record), the laboratory's rows, their files and their database are made from
/// this list: a new field needs an entry here and nothing else.
///
/// An entry has a name, a type, a text, and how it follows from a [`Report`](crate::Report). The
/// type is an `Option`, because records that are older than the entry lack it.
#[macro_export]
macro_rules! outcome_fields {
    ($then:ident! { $($own:tt)* }) => {
        $then! { { $($own)* } {
            /// The limit that was reached: `time`, `memory`, `expansions`, `generated`,
            /// `cancelled`, `cpu`.
            stopped_by: Option<String> = |report| report.stopped_by.map(|limit| limit.name().to_owned());
            /// The objective of the best solution.
            value: Option<i64> = |report| report.value;
            /// Number of its actions.
            length: Option<u64> = |report| report.length.map(|length| length as u64);
            /// The solution in the puzzle's notation.
            solution: Option<String> = |report| report.solution.clone();
            /// Best proved bound of the optimum, where the value is a cost.
            lower_bound: Option<i64> = |report| report.bound;
            /// Best proved bound of the optimum, where the value is a score.
            upper_bound: Option<i64> = |report| report.upper_bound;
            /// Difference of the value and the proved bound, and so the maximum difference from the
            /// optimum: 0 where the optimum is proved.
            gap: Option<u64> = |report| Some(report.value?.abs_diff(report.bound.or(report.upper_bound)?));
            /// The heuristic's estimate of the start, as a cost; `null` without a heuristic, of a
            /// proved dead end, and where no search began. It counts in no counter.
            initial_h: Option<f64> = |report| report.initial_h;
            /// Whether the checker agrees; `null` without a solution.
            checked: Option<bool> = |_| None;
            /// The checker.
            checked_by: Option<String> = |_| None;
            /// States expanded; this and the next three are `null` where they would depend on
            /// timing.
            expanded: Option<u64> = |report| report.stats.map(|stats| stats.expanded);
            /// States generated.
            generated: Option<u64> = |report| report.stats.map(|stats| stats.generated);
            /// States evaluated.
            evaluated: Option<u64> = |report| report.stats.map(|stats| stats.evaluated);
            /// States reopened.
            reopened: Option<u64> = |report| report.stats.map(|stats| stats.reopened);
            /// Number of nodes that a Monte-Carlo search has added to its trees; this and the next
            /// two are left out of other searches' records, and where they would depend on timing.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tree_nodes: Option<u64> = |report| report.tree.map(|tree| tree.nodes);
            /// Average depth of these nodes, in actions from the start.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tree_depth: Option<f64> = |report| report.tree.and_then(|tree| tree.average_depth());
            /// Depth of the deepest of them.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tree_deepest: Option<u64> = |report| report.tree.map(|tree| tree.deepest);
            /// Diversity of the population of an evolutionary search, from 0 to 1; left out of the
            /// records of other searches.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            diversity: Option<f64> = |report| report.diversity;
            /// CPU seconds of the search.
            cpu_s: Option<f64> = |report| $crate::record::seconds(report.cpu);
            /// CPU seconds of loading or building tables and other preparations.
            setup_cpu_s: Option<f64> = |report| $crate::record::seconds(report.setup_cpu);
            /// Wall seconds of the search.
            wall_s: Option<f64> = |report| $crate::record::seconds(report.wall);
            /// Name of the measure that is the value, for puzzles with several measures; left out
            /// otherwise.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            measure: Option<String> = |report| report.measures.of_value.map(str::to_owned);
            /// The solution in every measure of its field, in the field's order; left out where
            /// there is but one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            measures: Option<$crate::record::Measured> = |report| $crate::record::Measured::of(&report.measures.all);
            /// Why it is unsolvable, stopped or not accepted, where the status does not explain
            /// itself.
            reason: Option<String> = |report| report.reason.clone();
            /// The networks that the solver estimates with, each as its file and the hash of the
            /// file's bytes, as `content_hash` has it, and where they were computed, if not on the
            /// CPU; left out without any.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            networks: Option<String> = |report| report.networks.clone();
            /// Unit of value, bounds and gap, where it is a part of the puzzle's unit or another
            /// unit: with `0.01 coins` a value of 1250 is 12.50 coins, and with `points` it is
            /// 1,250 points. Left out where they count the puzzle's whole units.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            unit: Option<$crate::record::Unit> = |report| report.unit.clone();
            /// The solution for people, with names instead of numbers; left out where the notation
            /// is readable itself.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            named: Option<String> = |report| report.named.clone();
        } }
    };
}

/// A time as records have it: to the microsecond.
#[doc(hidden)]
#[must_use]
pub fn seconds(time: Duration) -> Option<f64> {
    Some(time.as_micros() as f64 / 1e6)
}
