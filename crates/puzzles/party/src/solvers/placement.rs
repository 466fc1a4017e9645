//! Placement of a team's items, so that neighbours have the most in common.
//!
//! A local search by exchanges finds most placements that are good enough. Where it fails, a
//! depth-first search fills node after node and leaves a branch as soon as no placement of the
//! remaining items can reach the synergy. It is complete: if it finds no placement, none exists.

mod bound;

use crate::{Amount, Formation, LinkTable, Party, Synergy, Team};
use unriddle_core::Rng;

/// Restarts of the local search.
const RESTARTS: u64 = 6;

/// A placement of items, one for each node, that satisfies all requirements; `None` if no placement
/// does.
///
/// Items that are fixed on nodes stay there. Requirements of sums and counts do not depend on the
/// placement, but are checked as well.
#[must_use]
pub fn place(party: &Party, items: &[u32], rng: &mut Rng) -> Option<Vec<u32>> {
    match climbed(party, items, rng)? {
        Climbed::Team(items) => Some(items),
        Climbed::Unknown { loose, pinned } => Exhaust::new(party, &loose, &pinned).run(),
    }
}

/// The result of the local search.
pub(super) enum Climbed {
    /// A placement.
    Team(Vec<u32>),
    /// No placement was found, though one may exist. The loose items are not pinned to a node.
    Unknown { loose: Vec<u32>, pinned: Vec<Option<u32>> },
}

/// Only the local search. `None` if there is no placement.
pub(super) fn climbed(party: &Party, items: &[u32], rng: &mut Rng) -> Option<Climbed> {
    let nodes = party.formation.nodes();
    if items.len() != nodes {
        return None;
    }
    let mut pinned = vec![None; nodes];
    for &(item, node) in &party.fixed {
        if !items.contains(&item) {
            return None;
        }
        if let Some(node) = node {
            pinned[node] = Some(item);
        }
    }
    let free: Vec<usize> = (0..nodes).filter(|&node| pinned[node].is_none()).collect();
    let mut loose: Vec<u32> =
        items.iter().copied().filter(|item| !pinned.contains(&Some(*item))).collect();
    let assigned = |loose: &[u32]| -> Vec<u32> {
        let mut rest = loose.iter();
        let at = |pin: &Option<u32>| pin.or_else(|| rest.next().copied());
        pinned.iter().filter_map(at).collect()
    };
    let start = assigned(&loose);
    if start.len() != nodes {
        return None;
    }
    let mut team = Team::new(party, &start);
    let elsewhere = party.requirements.iter().enumerate().any(|(i, requirement)| {
        requirement.amount != Amount::Synergy && requirement.lack(team.amount(i)) > 0
    });
    if elsewhere {
        return None;
    }
    for _ in 0..RESTARTS {
        climb(&mut team, &free);
        if team.is_feasible() {
            return Some(Climbed::Team(team.items().to_vec()));
        }
        rng.shuffle(&mut loose);
        team = Team::new(party, &assigned(&loose));
    }
    Some(Climbed::Unknown { loose, pinned })
}

/// Exchanges items as long as that helps.
fn climb(team: &mut Team<'_>, free: &[usize]) {
    loop {
        let before = team.points();
        for (i, &a) in free.iter().enumerate() {
            for &b in &free[..i] {
                let points = team.points();
                team.swap(a, b);
                if team.points() < points {
                    team.swap(a, b);
                }
            }
        }
        if team.points() <= before {
            return;
        }
    }
}

/// The order in which empty nodes are filled: next the one with most filled neighbours, and of
/// those the one with most links.
pub(super) fn order(formation: &Formation, mut filled: Vec<bool>) -> Vec<usize> {
    let mut order = Vec::new();
    let next = |filled: &[bool]| {
        let open = (0..filled.len()).filter(|&node| !filled[node]);
        open.max_by_key(|&node| {
            let at = formation.at(node);
            let near = at.iter().filter(|(to, _)| filled[usize::from(*to)]).count();
            (near, at.len(), std::cmp::Reverse(node))
        })
    };
    while let Some(node) = next(&filled) {
        filled[node] = true;
        order.push(node);
    }
    order
}

/// The depth-first search.
struct Exhaust<'a> {
    party: &'a Party,
    /// Free nodes in the order in which they are filled: next the one with most filled neighbours.
    order: Vec<usize>,
    /// Number of filled nodes.
    depth: usize,
    /// The item on each node.
    at: Vec<Option<u32>>,
    /// Items that are left.
    left: Vec<u32>,
    /// The required synergy.
    least: Option<i64>,
}

impl<'a> Exhaust<'a> {
    fn new(party: &'a Party, loose: &[u32], pinned: &[Option<u32>]) -> Self {
        let filled = pinned.iter().map(Option::is_some).collect();
        Self {
            party,
            order: order(&party.formation, filled),
            depth: 0,
            at: pinned.to_vec(),
            left: loose.to_vec(),
            least: party.least_synergy(),
        }
    }

    fn run(&mut self) -> Option<Vec<u32>> {
        if !self.can_reach() {
            return None;
        }
        let Some(&node) = self.order.get(self.depth) else {
            let items: Vec<u32> = self.at.iter().flatten().copied().collect();
            return Team::new(self.party, &items).is_feasible().then_some(items);
        };
        let mut tried: Vec<u32> = Vec::new();
        for i in 0..self.left.len() {
            let item = self.left[i];
            // Items that are alike in all that synergy compares are interchangeable: one of them is
            // tried.
            if tried.iter().any(|&other| self.party.is_alike(item, other)) {
                continue;
            }
            tried.push(item);
            self.left.remove(i);
            self.at[node] = Some(item);
            self.depth += 1;
            let found = self.run();
            if found.is_some() {
                return found;
            }
            self.depth -= 1;
            self.at[node] = None;
            self.left.insert(i, item);
        }
        None
    }

    /// Whether the synergy can still be reached with the items that are left.
    fn can_reach(&self) -> bool {
        let Some(least) = self.least else {
            return true;
        };
        let party = self.party;
        let points = match &party.synergy {
            Synergy::Links(table) => self.most_points(table),
            Synergy::Matrices(matrices) => {
                bound::most_points(party, matrices, &self.at, &self.left)
            }
        };
        party.synergy.of(points) >= least
    }

    /// Upper bound of the points of a placement: every node has the neighbours that suit it best.
    fn most_points(&self, table: &LinkTable) -> i64 {
        let party = self.party;
        let points = (0..self.at.len()).map(|node| {
            let links = party.formation.at(node);
            let filled: Vec<u32> =
                links.iter().filter_map(|(to, _)| self.at[usize::from(*to)]).collect();
            let open = links.len() - filled.len();
            // More is never worth less.
            let shared = |item: u32| {
                let sure: u32 = filled.iter().map(|&other| party.shared(item, other)).sum();
                sure + self.best_of_left(item, open)
            };
            match self.at[node] {
                Some(item) => table.points(&party.items, node, item, shared(item)),
                None => {
                    let most = self.left.iter().map(|&item| shared(item)).max();
                    table.most_with(node, most.unwrap_or(0))
                }
            }
        });
        points.sum()
    }

    /// The most traits that `item` can share with `many` of the items that are left, itself
    /// excluded.
    fn best_of_left(&self, item: u32, many: usize) -> u32 {
        if many == 0 {
            return 0;
        }
        // By number of shared traits: how many items share that many. All traits are the most.
        let mut often = [0usize; 256];
        let mut most = 0;
        for &other in self.left.iter().filter(|&&other| other != item) {
            let shared = self.party.shared(item, other) as usize;
            often[shared] += 1;
            most = most.max(shared);
        }
        let (mut sum, mut room) = (0, many);
        for shared in (1..=most).rev() {
            let taken = often[shared].min(room);
            sum += taken * shared;
            room -= taken;
        }
        sum as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate, rules};

    /// On small graphs: a placement is found exactly where trying all of them finds one.
    #[test]
    fn placements_are_found_where_there_are_any() {
        let size = generate::World {
            heroes: 40,
            races: 4,
            religions: 4,
            nations: 4,
            ..generate::World::default()
        };
        let (mut found, mut none) = (0, 0);
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let pool = generate::world(&size, &mut rng);
            let least = 0.42 + 0.015 * (seed % 12) as f64;
            let text = format!(
                r#"{{"nodes": ["a", "b", "c", "d", "e", "f"], "edges": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 3]],
                "synergy": {{"at_least": {least:.3}}}, "fixed": [{{"item": 3, "node": "c"}}]}}"#
            );
            let party = rules::party(pool, &text).unwrap();
            let items: Vec<u32> = (0..6).map(|i| 3 + i * 5).collect();
            let mut order: Vec<u32> = items.clone();
            let mut any = false;
            permutations(&mut order, 0, &mut |order| {
                any |= order[2] == 3 && Team::new(&party, order).is_feasible();
            });
            let placed = place(&party, &items, &mut rng);
            assert_eq!(placed.is_some(), any);
            if let Some(placed) = placed {
                assert!(Team::new(&party, &placed).is_feasible());
                assert_eq!(placed[2], 3);
                found += 1;
            } else {
                none += 1;
            }
        }
        assert!(found > 5 && none > 5, "{found} {none}");
    }

    fn permutations(items: &mut Vec<u32>, from: usize, tell: &mut impl FnMut(&[u32])) {
        if from == items.len() {
            return tell(items);
        }
        for i in from..items.len() {
            items.swap(from, i);
            permutations(items, from + 1, tell);
            items.swap(from, i);
        }
    }
}
