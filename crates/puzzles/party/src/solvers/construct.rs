//! Teams built node by node: constructive randomised search with forward checking (the paper's
//! Algorithm 1).
//!
//! Nodes are filled in a random order. Before each node, the pool is filtered by every requirement
//! (`forward`). *Guided* construction takes an item that shares the most traits with the filled
//! neighbours (section IV-B2) or, with synergy by matrices, an item of greatest worth; *unguided*
//! construction takes any item. Ties are broken at random. If no item is left, or synergy is missed
//! at the end, another order is tried.
//!
//! A step scans every item once: *O*(nodes · items) for a team.

use super::forward::Forward;
pub use super::forward::Sums;
use crate::{Party, Team};
use unriddle_core::Rng;

/// Options of construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Whether items that share traits with their neighbours are preferred.
    pub guided: bool,
    /// Rule that filters items by sums.
    pub sums: Sums,
}

impl Default for Guidance {
    fn default() -> Self {
        Self { guided: true, sums: Sums::Steady }
    }
}

/// Builds teams for one puzzle.
#[derive(Clone, Debug)]
pub struct Construct<'a> {
    party: &'a Party,
    guidance: Guidance,
    /// Items that may be chosen.
    pool: Vec<u32>,
    forward: Forward,
}

impl<'a> Construct<'a> {
    /// Prepares a puzzle.
    #[must_use]
    pub fn new(party: &'a Party, guidance: Guidance) -> Self {
        let pool = party.pool();
        Self { party, guidance, forward: Forward::new(party, &pool, guidance.sums), pool }
    }

    /// Tries once to complete the team `start`: empty nodes are filled with items that are not
    /// `barred`. `None` if no item is left for some node. A team satisfies all requirements except
    /// synergy and ratings.
    pub fn complete(
        &self,
        start: &[Option<u32>],
        barred: &[u32],
        rng: &mut Rng,
    ) -> Option<Vec<u32>> {
        let party = self.party;
        let mut nodes = start.to_vec();
        let loose = self.pin(&mut nodes)?;
        let mut order: Vec<usize> =
            (0..nodes.len()).filter(|&node| nodes[node].is_none()).collect();
        rng.shuffle(&mut order);
        // Items that must be somewhere come first.
        for item in loose {
            nodes[order.pop()?] = Some(item);
        }
        for (i, &node) in order.iter().enumerate() {
            let taken: Vec<u32> = nodes.iter().flatten().copied().collect();
            let filter = self.forward.filter(party, &taken, order.len() - i);
            let filled =
                |&(to, link): &(u8, u8)| Some((usize::from(link), nodes[usize::from(to)]?));
            let near: Vec<_> = party.formation.at(node).iter().filter_map(filled).collect();
            let worth = |item: u32| -> i64 {
                let links = near.iter().map(|&(link, other)| party.worth(link, node, item, other));
                links.sum::<i64>() + party.synergy.place(&party.items, node, item)
            };
            let (mut most, mut ties, mut chosen) = (i64::MIN, 0, None);
            for &item in &self.pool {
                if !filter.allows(party, item as usize) {
                    continue;
                }
                let worth = if self.guidance.guided { worth(item) } else { 0 };
                // Few items are as good as the best so far: only these are looked for among the
                // items taken.
                let fits = worth >= most && !barred.contains(&item);
                if !fits || nodes.contains(&Some(item)) {
                    continue;
                }
                if worth > most || chosen.is_none() {
                    (most, ties, chosen) = (worth, 1, Some(item));
                } else if worth == most {
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

    /// Builds teams until one keeps all requirements, in at most `attempts` attempts. Returns it
    /// with the number of attempts made.
    pub fn witness(&self, attempts: u64, rng: &mut Rng) -> Option<(Vec<u32>, u64)> {
        let empty = vec![None; self.party.formation.nodes()];
        (1..=attempts).find_map(|attempt| {
            let items = self.complete(&empty, &[], rng)?;
            let team = Team::new(self.party, &items);
            team.is_feasible().then_some((items, attempt))
        })
    }

    /// Puts the items that are fixed on a node there. Returns the fixed items that have no node and
    /// are not placed yet. `None` if another item is on such a node.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Amount;
    use crate::solvers::samples;

    /// Teams satisfy the requirements that construction promises, with all options, and contain the
    /// given items.
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
                    // Items that are given at the start may break a rule that no choice can mend.
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

    /// The paper's puzzles of a generated world have witnesses, and guidance finds them (figure 4).
    #[test]
    fn guidance_finds_witnesses() {
        for (seed, party) in samples::paper(3).iter().enumerate() {
            let mut rng = Rng::new(seed as u64);
            let construct = Construct::new(party, Guidance::default());
            let (items, _) = construct.witness(1000, &mut rng).unwrap();
            assert!(Team::new(party, &items).is_feasible());
            let unguided = Guidance { guided: false, ..Guidance::default() };
            let construct = Construct::new(party, unguided);
            assert_eq!(construct.witness(20, &mut rng), None);
        }
    }
}
