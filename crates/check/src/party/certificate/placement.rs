//! Exhaustive search for a placement of given items on the nodes that makes them a valid team.

use crate::party::{
    amount::{Amount, Requirement},
    graph::Graph,
    matrices::Affinities,
    rules::Rules,
};
use std::cmp::Reverse;

/// A placement of the items that makes them a valid team, if one exists.
pub(super) fn place(rules: &Rules, team: &[usize]) -> Option<Vec<usize>> {
    // Only synergy depends on the placement.
    for requirement in &rules.requirements {
        let is_synergy = matches!(requirement.amount, Amount::Synergy(_));
        if !is_synergy && rules.violation(requirement, team).is_some() {
            return None;
        }
    }
    let matrices = rules.matrices.as_ref();
    let mut search = Placement {
        rules,
        needed: rules.least_synergy().map(i128::from),
        affinities: matrices.map(|matrices| Affinities::of(matrices, &rules.pool, team)),
        traits: rules.synergy_traits(),
        at: rules.fixed_on.clone(),
        left: team.to_vec(),
    };
    search.left.retain(|&item| !rules.fixed_on.contains(&Some(item)));
    search.run()
}

struct Placement<'a> {
    rules: &'a Rules,
    /// The least synergy that is required, in parts.
    needed: Option<i128>,
    /// Affinities between the items, if synergy is defined by matrices.
    affinities: Option<Affinities<'a>>,
    /// The traits that synergy depends on.
    traits: Vec<usize>,
    /// The item on each node.
    at: Vec<Option<usize>>,
    /// The remaining items.
    left: Vec<usize>,
}

impl Placement<'_> {
    fn run(&mut self) -> Option<Vec<usize>> {
        let most = match &self.affinities {
            Some(affinities) => self.most_by_matrices(affinities),
            None => self.most_points().into(),
        };
        if self.needed.is_some_and(|needed| most < needed) {
            return None;
        }
        let Some(node) = self.next() else {
            let team: Option<Vec<usize>> = self.at.iter().copied().collect();
            let requirements = &self.rules.requirements;
            return team.filter(|team| {
                let broken = |r: &Requirement| self.rules.violation(r, team);
                requirements.iter().all(|r| broken(r).is_none())
            });
        };
        for i in 0..self.left.len() {
            let item = self.left[i];
            // An item that is equivalent to an earlier one, for all items and on every node, was
            // placed here before.
            let is_alike = |&other: &usize| {
                let mut traits = self.traits.iter().map(|&t| &self.rules.pool.traits[t].of);
                traits.all(|of| of[item] == of[other])
            };
            if self.left[..i].iter().any(is_alike) {
                continue;
            }
            self.left.remove(i);
            self.at[node] = Some(item);
            let found = self.run();
            if found.is_some() {
                return found;
            }
            self.at[node] = None;
            self.left.insert(i, item);
        }
        None
    }

    /// The empty node with most filled neighbours; the first of several.
    fn next(&self) -> Option<usize> {
        let filled = |node| {
            let neighbours = self.rules.graph.neighbours(node);
            neighbours.iter().filter(|&&other| self.at[other].is_some()).count()
        };
        let empty = (0..self.at.len()).filter(|&node| self.at[node].is_none());
        empty.max_by_key(|&node| (filled(node), Reverse(node)))
    }

    /// The points of all nodes if each had the neighbours that suit it best.
    fn most_points(&self) -> i64 {
        let mut sum = 0;
        for node in 0..self.at.len() {
            let neighbours = self.rules.graph.neighbours(node);
            let filled = neighbours.iter().filter_map(|&n| self.at[n]);
            let filled: Vec<usize> = filled.collect();
            let open = neighbours.len() - filled.len();
            let with = |item: usize| {
                let sure: usize = filled.iter().map(|&other| self.rules.shared(item, other)).sum();
                let others = self.left.iter().filter(|&&other| other != item);
                let mut rest: Vec<usize> =
                    others.map(|&other| self.rules.shared(item, other)).collect();
                rest.sort_unstable();
                let best: usize = rest.iter().rev().take(open).sum();
                (sure + best) as i64
            };
            let positions = &self.rules.positions;
            let (most, factor) = match self.at[node] {
                Some(item) => (with(item), positions.factor(&self.rules.pool, node, item)),
                None => {
                    let most = self.left.iter().map(|&item| with(item)).max();
                    (most.unwrap_or(0), positions.most(node))
                }
            };
            let links = neighbours.len();
            sum += factor * Graph::points(&self.rules.steps, links, most);
        }
        sum.min(self.rules.positions.full())
    }

    /// As [`most_points`](Self::most_points) for matrices: each link may have the item at its other
    /// end that suits it best, and the items of two nodes may be the same.
    fn most_by_matrices(&self, affinities: &Affinities<'_>) -> i128 {
        let mut sum = 0;
        for node in 0..self.at.len() {
            let neighbours = self.rules.graph.neighbours(node);
            let with = |item: usize| {
                let links = neighbours.iter().map(|&other| match self.at[other] {
                    Some(its) => affinities.link((node, item), (other, its)),
                    None => {
                        let others = self.left.iter().filter(|&&its| its != item);
                        let worths = others.map(|&its| affinities.link((node, item), (other, its)));
                        worths.max().unwrap_or(0)
                    }
                });
                let place = affinities.matrices.place(&self.rules.pool, node, item);
                2 * place + links.sum::<i128>()
            };
            sum += match self.at[node] {
                Some(item) => with(item),
                None => self.left.iter().map(|&item| with(item)).max().unwrap_or(0),
            };
        }
        sum
    }
}
