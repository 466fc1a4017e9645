//! Teams built node by node: constructive randomised search with forward checking (the paper's Algorithm 1).
//!
//! Nodes are filled in a random order. Before each, the pool is filtered by every requirement: an item stays only if
//! the nodes that remain can still make up for what is missing (section IV-B1; the rule for counts is the paper's, and
//! those for sums, different and same values are alike). Of what stays, *guided* construction takes an item that shares
//! most traits with the neighbours that are filled already (section IV-B2), *unguided* any; ties are drawn. Where
//! nothing stays, or synergy is missed at the end, another order is tried.
//!
//! The paper leaves open how sums are filtered. Two readings: [`Sums::Possible`] asks that the best items could still
//! make up for one (the rule for counts taken literally), [`Sums::Steady`] that every item has at least the mean that
//! is still missing, as a person would choose. With the first, early picks are any, and late ones must be the best.
//!
//! A step looks at every item once: *O*(nodes · items) for a team.

use unriddle_core::Rng;
use unriddle_puzzles::party::{Amount, Party, Team};

/// How sums are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// What the best of the pool could still make up for.
    Possible,
    /// Each item has the mean that is still missing.
    #[default]
    Steady,
}

/// Options of construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Whether items are chosen for what they share with their neighbours.
    pub guided: bool,
    /// How sums are filtered.
    pub sums: Sums,
}

impl Default for Guidance {
    fn default() -> Self {
        Self {
            guided: true,
            sums: Sums::Steady,
        }
    }
}

/// Builds teams for one puzzle.
#[derive(Clone, Debug)]
pub struct Construct<'a> {
    party: &'a Party,
    guidance: Guidance,
    /// Items that may be chosen.
    pool: Vec<u32>,
    /// Bounds of each number in the pool.
    ranges: Vec<(i64, i64)>,
}

/// What an item must be like for the next node.
#[derive(Clone, Debug)]
struct Filter {
    /// Numbers within bounds.
    numbers: Vec<(usize, i64, i64)>,
    /// Values of traits, allowed or not.
    values: Vec<(usize, Vec<bool>)>,
}

impl Filter {
    fn new() -> Self {
        Self {
            numbers: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Allows only values of a trait that keep a rule.
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

    #[inline(always)]
    fn allows(&self, party: &Party, item: usize) -> bool {
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

impl<'a> Construct<'a> {
    /// Prepares a puzzle.
    #[must_use]
    pub fn new(party: &'a Party, guidance: Guidance) -> Self {
        let pool: Vec<u32> = (0..party.items.len() as u32)
            .filter(|&item| party.allowed[item as usize])
            .collect();
        let ranges = party.items.numbers.iter().map(|number| {
            let values = pool.iter().map(|&item| number.values[item as usize]);
            let least = values.clone().min().unwrap_or(0);
            (least, values.max().unwrap_or(0))
        });
        Self {
            party,
            guidance,
            ranges: ranges.collect(),
            pool,
        }
    }

    /// One attempt at completing a team: nodes that are empty are filled with items that are not barred. `None` if at
    /// some node nothing is left; a team keeps all requirements but those of synergy and ratings.
    pub fn complete(
        &self,
        start: &[Option<u32>],
        barred: &[u32],
        rng: &mut Rng,
    ) -> Option<Vec<u32>> {
        let party = self.party;
        let mut nodes = start.to_vec();
        let loose = self.pin(&mut nodes)?;
        let mut order: Vec<usize> = (0..nodes.len())
            .filter(|&node| nodes[node].is_none())
            .collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u64 + 1) as usize);
        }
        // Items that must be somewhere come first.
        for item in loose {
            nodes[order.pop()?] = Some(item);
        }
        for (i, &node) in order.iter().enumerate() {
            let filter = self.filter(&nodes, order.len() - i);
            let near: Vec<u32> = party
                .formation
                .at(node)
                .iter()
                .filter_map(|&(to, _)| nodes[usize::from(to)])
                .collect();
            let (mut most, mut ties, mut chosen) = (0, 0, None);
            for &item in &self.pool {
                if !filter.allows(party, item as usize) {
                    continue;
                }
                let shared = match self.guidance.guided {
                    true => near.iter().map(|&other| party.shared(item, other)).sum(),
                    false => 0,
                };
                // Few items are as good as the best so far: only of those is it asked where they are.
                let fits = shared >= most && !barred.contains(&item);
                if !fits || nodes.contains(&Some(item)) {
                    continue;
                }
                if shared > most || chosen.is_none() {
                    (most, ties, chosen) = (shared, 1, Some(item));
                } else if shared == most {
                    ties += 1;
                    if rng.below(ties) == 0 {
                        chosen = Some(item);
                    }
                }
            }
            nodes[node] = Some(chosen?);
        }
        nodes.into_iter().collect()
    }

    /// Builds teams until one keeps all requirements, in at most so many attempts. Gives it with the number of
    /// attempts.
    pub fn witness(&self, attempts: u64, rng: &mut Rng) -> Option<(Vec<u32>, u64)> {
        let empty = vec![None; self.party.formation.nodes()];
        (1..=attempts).find_map(|attempt| {
            let items = self.complete(&empty, &[], rng)?;
            let team = Team::new(self.party, &items);
            team.is_feasible().then_some((items, attempt))
        })
    }

    /// Puts items that belong on a node there; gives those that belong anywhere and are nowhere yet. `None` if another
    /// item stands on such a node.
    fn pin(&self, nodes: &mut [Option<u32>]) -> Option<Vec<u32>> {
        let mut loose = Vec::new();
        for &(item, node) in &self.party.fixed {
            match node {
                Some(node) if nodes[node].is_none_or(|other| other == item) => {
                    nodes[node] = Some(item);
                }
                Some(_) => return None,
                None if !nodes.contains(&Some(item)) => loose.push(item),
                None => {}
            }
        }
        Some(loose)
    }

    /// What the next item must be like, with so many nodes to fill, it included.
    fn filter(&self, nodes: &[Option<u32>], open: usize) -> Filter {
        let party = self.party;
        let taken: Vec<usize> = nodes.iter().flatten().map(|&item| item as usize).collect();
        let open = open as i64;
        let mut filter = Filter::new();
        for requirement in &party.requirements {
            let (least, most) = (requirement.at_least, requirement.at_most);
            match &requirement.amount {
                Amount::Sum(n) => {
                    let sum: i64 = taken
                        .iter()
                        .map(|&i| party.items.numbers[*n].values[i])
                        .sum();
                    filter.numbers.push(self.sum(*n, sum, open, (least, most)));
                }
                // The rating is never below the mean.
                Amount::Rating(n) => {
                    let sum: i64 = taken
                        .iter()
                        .map(|&i| party.items.numbers[*n].values[i])
                        .sum();
                    let all = nodes.len() as i64;
                    let bounds = (least.map(|least| least * all), None);
                    filter.numbers.push(self.sum(*n, sum, open, bounds));
                }
                Amount::Count(t, wanted) => {
                    let codes = &party.items.traits[*t].codes;
                    let have = taken
                        .iter()
                        .filter(|&&i| wanted[usize::from(codes[i])])
                        .count();
                    let have = have as i64;
                    if least.is_some_and(|least| least - have >= open) {
                        filter.keep(party, *t, |value| wanted[value]);
                    }
                    if most.is_some_and(|most| have >= most) {
                        filter.keep(party, *t, |value| !wanted[value]);
                    }
                }
                &Amount::Distinct(t) => {
                    let often = self.often(t, &taken);
                    let have = often.iter().filter(|&&count| count > 0).count() as i64;
                    if least.is_some_and(|least| least - have >= open) {
                        filter.keep(party, t, |value| often[value] == 0);
                    }
                    if most.is_some_and(|most| have >= most) {
                        filter.keep(party, t, |value| often[value] > 0);
                    }
                }
                &Amount::Same(t) => {
                    let often = self.often(t, &taken);
                    if let Some(most) = most {
                        filter.keep(party, t, |value| often[value] < most);
                    }
                    if let Some(least) = least {
                        let reached = often.iter().any(|&count| count + open > least);
                        if !reached {
                            filter.keep(party, t, |value| often[value] + open >= least);
                        }
                    }
                }
                Amount::Synergy => {}
            }
        }
        filter
    }

    fn often(&self, t: usize, taken: &[usize]) -> Vec<i64> {
        let of = &self.party.items.traits[t];
        let mut often = vec![0; of.values.len()];
        for &item in taken {
            often[usize::from(of.codes[item])] += 1;
        }
        often
    }

    /// Bounds of a number for the next item.
    fn sum(
        &self,
        n: usize,
        sum: i64,
        open: i64,
        (least, most): (Option<i64>, Option<i64>),
    ) -> (usize, i64, i64) {
        let (low, high) = self.ranges[n];
        // The mean that is missing, rounded to the strict side; a negative sum, too.
        let up = |missing: i64| missing.div_euclid(open) + i64::from(missing.rem_euclid(open) > 0);
        let bound = |end: Option<i64>, other: i64, none: i64, mean: &dyn Fn(i64) -> i64| {
            end.map_or(none, |end| match self.guidance.sums {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::party::samples;

    /// Teams keep what construction promises, whatever it is asked for, and begin as they should.
    #[test]
    fn teams_keep_all_but_synergy() {
        let mut built = 0;
        for seed in 0..400 {
            let party = samples::random(seed);
            let mut rng = Rng::new(seed);
            for sums in [Sums::Possible, Sums::Steady] {
                let guided = seed % 2 == 0;
                let construct = Construct::new(&party, Guidance { guided, sums });
                let barred = [7];
                let mut start = [None; 4];
                let given = seed % 3 == 0;
                if given {
                    start[3] = Some(2);
                }
                let Some(items) = construct.complete(&start, &barred, &mut rng) else {
                    continue;
                };
                built += 1;
                assert!(!given || items[3] == 2);
                assert!(items.iter().all(|&i| party.allowed[i as usize] && i != 7));
                assert!((0..4).all(|i| !items[..i].contains(&items[i])));
                for &(item, node) in &party.fixed {
                    assert!(node.is_none_or(|node| items[node] == item));
                    assert!(items.contains(&item));
                }
                let team = Team::new(&party, &items);
                for (i, requirement) in party.requirements.iter().enumerate() {
                    let open = matches!(requirement.amount, Amount::Synergy | Amount::Rating(_));
                    // What stands there from the start may break a rule that no choice can mend.
                    let free = !given && party.fixed.is_empty();
                    if !open && free {
                        assert_eq!(
                            requirement.lack(team.amount(i)),
                            0,
                            "{seed}: {}",
                            requirement.text
                        );
                    }
                }
            }
        }
        assert!(built > 200, "{built}");
    }

    /// The paper's puzzles of a generated world have witnesses, and guidance is what finds them (figure 4).
    #[test]
    fn guidance_finds_witnesses() {
        for (seed, party) in samples::paper(3).iter().enumerate() {
            let mut rng = Rng::new(seed as u64);
            let construct = Construct::new(party, Guidance::default());
            let (items, _) = construct.witness(1000, &mut rng).unwrap();
            assert!(Team::new(party, &items).is_feasible());
            let unguided = Guidance {
                guided: false,
                ..Guidance::default()
            };
            let construct = Construct::new(party, unguided);
            assert_eq!(construct.witness(20, &mut rng), None);
        }
    }
}
