//! Forward checking: filters the next item, so that the nodes after it can still make up for the
//! deficits.
//!
//! An item stays only if the remaining nodes can still contribute the deficit of each requirement
//! (the paper's section IV-B1; the rule for counts is the paper's, and the rules for sums,
//! different and same values are analogous). Each requirement is checked by itself. Synergy, which
//! depends on the nodes of the items, is not checked.
//!
//! The paper leaves open how sums are filtered. There are two interpretations. [`Sums::Possible`]
//! demands that the best items could still make up for the sum (the rule for counts taken
//! literally). [`Sums::Steady`] demands that every item has at least the mean that is still
//! missing, as a person would choose. With the first, early picks are arbitrary, and late ones must
//! be the best.

use crate::{Amount, Party};
use unriddle_core::words;

words! {
    /// Rule that filters items by sums.
    pub enum Sums {
        /// Each item has at least the mean that is still missing.
        Steady = "steady",
        /// Each item leaves no greater deficit than the best items of the pool could make up for.
        Possible = "possible",
    }
}

/// The conditions on the item of the next node.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    /// Numbers with the least and the most that is allowed.
    numbers: Vec<(usize, i64, i64)>,
    /// Traits with a flag for each value: whether it is allowed.
    values: Vec<(usize, Vec<bool>)>,
}

impl Filter {
    /// Allows only the values of the trait `t` that keep `rule`.
    fn keep(&mut self, party: &Party, t: usize, rule: impl Fn(usize) -> bool) {
        let known = self.values.iter().position(|(of, _)| *of == t);
        let at = known.unwrap_or_else(|| {
            let all = party.items.traits[t].values.len();
            self.values.push((t, vec![true; all]));
            self.values.len() - 1
        });
        for (value, allowed) in self.values[at].1.iter_mut().enumerate() {
            *allowed &= rule(value);
        }
    }

    /// Whether an item satisfies the conditions.
    #[inline(always)]
    pub(super) fn allows(&self, party: &Party, item: usize) -> bool {
        let number = |&(n, least, most): &(usize, i64, i64)| {
            let value = party.items.numbers[n].values[item];
            least <= value && value <= most
        };
        let value = |(t, allowed): &(usize, Vec<bool>)| {
            allowed[usize::from(party.items.traits[*t].codes[item])]
        };
        self.values.iter().all(value) && self.numbers.iter().all(number)
    }
}

/// Forward checking for one puzzle.
#[derive(Clone, Debug)]
pub(super) struct Forward {
    sums: Sums,
    /// Bounds of each number in the pool.
    ranges: Vec<(i64, i64)>,
}

impl Forward {
    /// Prepares for a pool of items.
    pub(super) fn new(party: &Party, pool: &[u32], sums: Sums) -> Self {
        let ranges = party.items.numbers.iter().map(|number| {
            let values = pool.iter().map(|&item| number.values[item as usize]);
            let least = values.clone().min().unwrap_or(0);
            (least, values.max().unwrap_or(0))
        });
        Self { sums, ranges: ranges.collect() }
    }

    /// The conditions on the next item, after the items `taken` and with `open` nodes to fill, its
    /// own included.
    pub(super) fn filter(&self, party: &Party, taken: &[u32], open: usize) -> Filter {
        let open = open as i64;
        let mut filter = Filter::default();
        let sum = |n: usize| taken.iter().map(|&item| party.items.number(n, item)).sum();
        for requirement in &party.requirements {
            let (least, most) = (requirement.at_least, requirement.at_most);
            match &requirement.amount {
                &Amount::Sum(n) => filter.numbers.push(self.sum(n, sum(n), open, (least, most))),
                // The rating is never below the mean.
                &Amount::Rating(n) => {
                    let all = party.formation.nodes() as i64;
                    let bounds = (least.map(|least| least * all), None);
                    filter.numbers.push(self.sum(n, sum(n), open, bounds));
                }
                Amount::Count(t, wanted) => {
                    let is_wanted = |&&i: &&u32| wanted[usize::from(party.items.code(*t, i))];
                    let have = taken.iter().filter(is_wanted).count() as i64;
                    if least.is_some_and(|least| least - have >= open) {
                        filter.keep(party, *t, |value| wanted[value]);
                    }
                    if most.is_some_and(|most| have >= most) {
                        filter.keep(party, *t, |value| !wanted[value]);
                    }
                }
                &Amount::Distinct(t) => {
                    let often = often(party, t, taken);
                    let have = often.iter().filter(|&&count| count > 0).count() as i64;
                    if least.is_some_and(|least| least - have >= open) {
                        filter.keep(party, t, |value| often[value] == 0);
                    }
                    if most.is_some_and(|most| have >= most) {
                        filter.keep(party, t, |value| often[value] > 0);
                    }
                }
                &Amount::Same(t) => {
                    let often = often(party, t, taken);
                    if let Some(most) = most {
                        filter.keep(party, t, |value| often[value] < most);
                    }
                    if let Some(least) = least
                        && often.iter().all(|&count| count + open <= least)
                    {
                        filter.keep(party, t, |value| often[value] + open >= least);
                    }
                }
                Amount::Synergy => {}
            }
        }
        filter
    }

    /// Bounds of the number `n` for the next item.
    fn sum(
        &self,
        n: usize,
        sum: i64,
        open: i64,
        (least, most): (Option<i64>, Option<i64>),
    ) -> (usize, i64, i64) {
        let (low, high) = self.ranges[n];
        // The missing mean, rounded to the strict side, also for negative sums.
        let up = |missing: i64| missing.div_euclid(open) + i64::from(missing.rem_euclid(open) > 0);
        let bound = |end: Option<i64>, other: i64, none: i64, mean: &dyn Fn(i64) -> i64| {
            end.map_or(none, |end| match self.sums {
                Sums::Possible => end - sum - (open - 1) * other,
                Sums::Steady => mean(end - sum),
            })
        };
        (
            n,
            bound(least, high, i64::MIN, &up),
            bound(most, low, i64::MAX, &|missing| missing.div_euclid(open)),
        )
    }
}

/// Numbers of items with each value of the trait `t` among the items `taken`.
fn often(party: &Party, t: usize, taken: &[u32]) -> Vec<i64> {
    let mut often = vec![0; party.items.traits[t].values.len()];
    for &item in taken {
        often[usize::from(party.items.code(t, item))] += 1;
    }
    often
}
