//! Teams for a hybrid genetic algorithm: built, crossed and repaired by construction.
//!
//! A chromosome is a team; its items never move to another node (section V-A). A child takes the
//! item of every node from one of two parents at random, or from the other parent if the item is in
//! the child already. Mutation removes items and bars them, and construction repairs the remaining
//! team (V-A2, V-A3). A team that cannot be repaired is left to the algorithm, which builds a new
//! team instead.

use super::construct::{Construct, Guidance};
use crate::{Party, Team};
use unriddle_core::{Breed, Rng, space::entropy};

/// Attempts at a new team before it is given up.
const ATTEMPTS: u64 = 200;

/// Attempts at healing.
const HEALS: u64 = 3;

/// Teams of a puzzle.
#[derive(Clone, Debug)]
pub struct Teams<'a> {
    party: &'a Party,
    construct: Construct<'a>,
}

impl<'a> Teams<'a> {
    /// Teams of a puzzle, built with this guidance.
    #[must_use]
    pub fn new(party: &'a Party, guidance: Guidance) -> Self {
        Self { party, construct: Construct::new(party, guidance) }
    }
}

impl Breed for Teams<'_> {
    type Genome = Vec<u32>;

    fn fresh(&self, rng: &mut Rng, evaluations: &mut u64) -> Option<Vec<u32>> {
        let found = self.construct.witness(ATTEMPTS, rng);
        *evaluations += found.as_ref().map_or(ATTEMPTS, |&(_, attempts)| attempts);
        found.map(|(items, _)| items)
    }

    fn child(
        &self,
        [a, b]: [&Vec<u32>; 2],
        mutation: f64,
        rng: &mut Rng,
        evaluations: &mut u64,
    ) -> Option<Vec<u32>> {
        let mut child: Vec<Option<u32>> = vec![None; a.len()];
        let mut barred = Vec::new();
        for node in 0..a.len() {
            let pair = match rng.below(2) {
                0 => [a[node], b[node]],
                _ => [b[node], a[node]],
            };
            child[node] = pair.into_iter().find(|&item| !child.contains(&Some(item)));
        }
        for gene in &mut child {
            if rng.unit() < mutation {
                barred.extend(gene.take());
            }
        }
        // Required items are never barred.
        barred.retain(|&item| !self.party.is_fixed(item));
        (0..HEALS).find_map(|_| {
            *evaluations += 1;
            let healed = self.construct.complete(&child, &barred, rng)?;
            Team::new(self.party, &healed).is_feasible().then_some(healed)
        })
    }

    fn cost(&self, items: &Vec<u32>) -> i64 {
        self.party.cost_of(items)
    }

    /// The share of compared traits in which the items of the same nodes differ.
    fn distance(&self, a: &Vec<u32>, b: &Vec<u32>) -> f64 {
        let all = a.len() * self.party.synergy.traits().len().max(1);
        let same: u32 = a.iter().zip(b).map(|(&a, &b)| self.party.shared(a, b)).sum();
        1.0 - f64::from(same) / all as f64
    }

    /// The mean over the compared traits of the entropy of their values among the items.
    fn entropy(&self, items: &Vec<u32>) -> f64 {
        let traits = self.party.synergy.traits();
        let of_trait = |&t: &usize| {
            let code = |&item: &u32| self.party.items.code(t, item);
            let mut codes: Vec<u16> = items.iter().map(code).collect();
            codes.sort_unstable();
            let counts: Vec<u32> =
                codes.chunk_by(|a, b| a == b).map(|same| same.len() as u32).collect();
            entropy(counts)
        };
        traits.iter().map(of_trait).sum::<f64>() / traits.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::samples;

    /// Children are teams, made of their parents' items and of new ones, on the parents' nodes.
    #[test]
    fn children_are_teams_of_their_parents() {
        for party in samples::paper(5) {
            let mut rng = Rng::new(1);
            let teams = Teams::new(&party, Guidance::default());
            let mut evaluations = 0;
            let mut parent = || teams.fresh(&mut rng, &mut evaluations).unwrap();
            let (a, b) = (parent(), parent());
            assert_eq!(teams.distance(&a, &a), 0.0);
            assert!(teams.distance(&a, &b) > 0.0);
            // Eleven items have at most log2 11 bits.
            assert!((0.0..=3.46).contains(&teams.entropy(&a)));
            assert_eq!(teams.entropy(&vec![a[0]; 11]), 0.0);
            let (mut inherited, mut children) = (0, 0);
            for _ in 0..20 {
                let before = evaluations;
                let child = teams.child([&a, &b], 0.2, &mut rng, &mut evaluations);
                assert!((1..=HEALS).contains(&(evaluations - before)));
                let Some(child) = child else { continue };
                assert!(Team::new(&party, &child).is_feasible());
                assert!((1..11).all(|i| !child[..i].contains(&child[i])));
                let from = |node: &usize| child[*node] == a[*node] || child[*node] == b[*node];
                inherited += (0..11).filter(from).count();
                children += 1;
            }
            assert!(children > 0 && inherited >= 5 * children);
            // Equal parents without mutation have a child equal to themselves.
            let same = teams.child([&a, &a], 0.0, &mut rng, &mut evaluations);
            assert_eq!(same.as_ref(), Some(&a));
        }
    }
}
