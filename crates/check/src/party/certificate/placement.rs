//! Whether the items of a team can stand so that it keeps everything: by trying all placements that may still do.

use crate::party::{
    Rules,
    amount::{Amount, Requirement},
    graph::Graph,
};

/// A placement of the items by which they are a team, if there is one.
pub(super) fn place(rules: &Rules, team: &[usize]) -> Option<Vec<usize>> {
    // All but synergy is the same wherever the items stand.
    for requirement in &rules.requirements {
        let is_synergy = matches!(requirement.amount, Amount::Synergy(_));
        if !is_synergy && requirement.violation(rules, team).is_some() {
            return None;
        }
    }
    let needed = rules.requirements.iter();
    let needed = needed.filter(|r| matches!(r.amount, Amount::Synergy(_)));
    let mut search = Placement {
        rules,
        needed: needed.filter_map(|r| r.least(rules)).max().unwrap_or(0),
        at: rules.fixed_on.clone(),
        left: team.to_vec(),
    };
    search
        .left
        .retain(|&item| !rules.fixed_on.contains(&Some(item)));
    search.run()
}

struct Placement<'a> {
    rules: &'a Rules,
    /// The required synergy.
    needed: i64,
    /// The item on each node.
    at: Vec<Option<usize>>,
    /// The others.
    left: Vec<usize>,
}

impl Placement<'_> {
    fn run(&mut self) -> Option<Vec<usize>> {
        if self.most_points() < self.needed {
            return None;
        }
        let Some(node) = self.next() else {
            let team: Option<Vec<usize>> = self.at.iter().copied().collect();
            let requirements = &self.rules.requirements;
            return team.filter(|team| {
                let broken = |r: &Requirement| r.violation(self.rules, team);
                requirements.iter().all(|r| broken(r).is_none())
            });
        };
        for i in 0..self.left.len() {
            let item = self.left[i];
            // An item that shares as much with every other one was tried here before.
            let position = self
                .rules
                .positions
                .of()
                .map(|t| &self.rules.pool.traits[t].of);
            let is_alike = |&other: &usize| {
                self.rules.shared(item, other) == self.rules.compared.len()
                    && position.is_none_or(|of| of[item] == of[other])
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

    /// The empty node with most neighbours that are not.
    fn next(&self) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for node in (0..self.at.len()).filter(|&node| self.at[node].is_none()) {
            let neighbours = self.rules.graph.neighbours(node);
            let filled = neighbours.iter().filter(|&&n| self.at[n].is_some()).count();
            if best.is_none_or(|(most, _)| filled > most) {
                best = Some((filled, node));
            }
        }
        best.map(|(_, node)| node)
    }

    /// The points of all nodes, had each the neighbours that suit it best.
    fn most_points(&self) -> i64 {
        let mut sum = 0;
        for node in 0..self.at.len() {
            let neighbours = self.rules.graph.neighbours(node);
            let filled = neighbours.iter().filter_map(|&n| self.at[n]);
            let filled: Vec<usize> = filled.collect();
            let open = neighbours.len() - filled.len();
            let with = |item: usize| {
                let sure: usize = filled
                    .iter()
                    .map(|&other| self.rules.shared(item, other))
                    .sum();
                let others = self.left.iter().filter(|&&other| other != item);
                let mut rest: Vec<usize> = others
                    .map(|&other| self.rules.shared(item, other))
                    .collect();
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
}
