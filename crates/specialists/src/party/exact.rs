//! The cheapest team, with a proof: best-first branch and bound over regions.
//!
//! A region's relaxation ([`relax`](super::relax)) bounds its price. Where the lines of the relaxation promise more links
//! than counts can have, the region is cut by how often a value occurs: first by whether any value of a trait
//! makes up more than half of what it may, and by which (few values can), later by the value whose line is furthest off.
//! Where the counts are right it is cut by items. What is left out of a region's items costs too much by its reduced
//! cost. Bounds are whole-number bounds of the linear programs, so that a proof rests on no rounding.

use super::{
    placement::place,
    relax::{Region, Relaxation, Relaxed, Value, WHOLE},
};
use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};
use unriddle_core::Rng;
use unriddle_puzzles::party::{Party, Team};

/// A region that may hold a better team.
struct Open {
    bound: i64,
    /// Regions are opened in this order among equal bounds: the newest first.
    number: u64,
    region: Region,
    relaxed: Relaxed,
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Open {}
impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        (Reverse(self.bound), self.number).cmp(&(Reverse(other.bound), other.number))
    }
}

/// The search.
pub struct Exact<'a> {
    relaxation: Option<Relaxation<'a>>,
    party: &'a Party,
    open: BinaryHeap<Open>,
    /// The best team and its cost.
    best: Option<(i64, Vec<u32>)>,
    /// Regions looked into.
    pub regions: u64,
    rng: Rng,
}

impl<'a> Exact<'a> {
    /// Begins with a team that is known already, if any.
    #[must_use]
    pub fn new(party: &'a Party, known: Option<&[u32]>, seed: u64) -> Self {
        let known = known.map(|items| Team::new(party, items));
        let mut exact = Self {
            relaxation: Relaxation::new(party),
            party,
            open: BinaryHeap::new(),
            best: known
                .filter(Team::is_feasible)
                .map(|team| (team.cost(), team.items().to_vec())),
            regions: 0,
            rng: Rng::new(seed),
        };
        if let Some(relaxation) = &exact.relaxation {
            let (region, items) = relaxation.all();
            exact.look(region, &items, 0);
        }
        exact
    }

    /// The cost of the best team, and the team.
    #[must_use]
    pub fn best(&self) -> Option<(i64, &[u32])> {
        let (cost, items) = self.best.as_ref()?;
        Some((*cost, items))
    }

    /// No team costs less. `None` if there is no team at all.
    #[must_use]
    pub fn bound(&self) -> Option<i64> {
        let open = self.open.peek().map(|open| open.bound);
        let best = self.best.as_ref().map(|(cost, _)| *cost);
        match (open, best) {
            (Some(open), Some(best)) => Some(open.min(best)),
            (open, best) => open.or(best),
        }
    }

    /// Whether the search has ended: the best team is the cheapest, or there is none.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.open.is_empty()
    }

    fn below(&self) -> i64 {
        self.best.as_ref().map_or(i64::MAX / 4, |(cost, _)| *cost)
    }

    /// Cuts the most promising region.
    pub fn step(&mut self) {
        let below = self.below();
        let Some(open) = self.open.pop() else {
            return;
        };
        if open.bound >= below {
            self.open.clear();
            return;
        }
        let items: Vec<u32> = open.relaxed.items.iter().map(|&(item, _)| item).collect();
        for region in self.cut(&open) {
            self.look(region, &items, open.bound);
        }
    }

    /// Bounds a region of one with a bound, and keeps it if it may hold a better team.
    fn look(&mut self, region: Region, items: &[u32], bound: i64) {
        let below = self.below();
        let Some(relaxation) = &self.relaxation else {
            return;
        };
        self.regions += 1;
        let Some(relaxed) = relaxation.solve(&region, items, below) else {
            return;
        };
        let taken: Vec<u32> = relaxed
            .items
            .iter()
            .filter(|(_, x)| *x > 1.0 - WHOLE)
            .map(|&(item, _)| item)
            .collect();
        if taken.len() as i64 == relaxation.nodes
            && let Some(placed) = place(self.party, &taken, &mut self.rng)
        {
            let cost = Team::new(self.party, &placed).cost();
            if cost < self.below() {
                self.best = Some((cost, placed));
            }
        }
        let bound = bound.max(relaxed.bound);
        if bound < self.below() {
            self.open.push(Open {
                bound,
                number: self.regions,
                region,
                relaxed,
            });
        }
    }

    /// Regions that make up another one, without teams known to be none or not better.
    fn cut(&self, open: &Open) -> Vec<Region> {
        let Some(relaxation) = &self.relaxation else {
            return Vec::new();
        };
        let (region, relaxed) = (&open.region, &open.relaxed);
        let widest = relaxed
            .gaps
            .iter()
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if !relaxed.shares
            && let Some(&(value, _)) = widest
        {
            let cap = region
                .caps
                .get(&value.0)
                .copied()
                .unwrap_or(relaxation.nodes);
            let above = |(&v, &(least, _)): (&Value, &(i64, i64))| v.0 == value.0 && least > 0;
            if cap > 3 && !region.counts.iter().any(above) {
                return self.by_largest(open, value.0, cap / 2 + 1);
            }
            let (least, most) = relaxation.range(region, value, &relaxed.items);
            let count = relaxed.counts.get(&value).copied().unwrap_or(0.0);
            let split = ((count + WHOLE).floor() as i64).clamp(least, most - 1);
            return by_count(region, value, (least, split, most));
        }
        // The value whose count is furthest from whole.
        let broken = |count: f64| (count - count.round()).abs();
        let counts = relaxed
            .counts
            .iter()
            .filter(|(_, count)| broken(**count) > 1e-4);
        let uneven = counts.max_by(|a, b| broken(*a.1).total_cmp(&broken(*b.1)).then(b.0.cmp(a.0)));
        if let Some((&value, &count)) = uneven {
            let (least, most) = relaxation.range(region, value, &relaxed.items);
            let split = (count.floor() as i64).clamp(least, most - 1);
            return by_count(region, value, (least, split, most));
        }
        by_item(region, relaxed)
    }

    /// By which value of a trait occurs at least so often, if any.
    fn by_largest(&self, open: &Open, t: usize, often: i64) -> Vec<Region> {
        let codes = &self.party.items.traits[t].codes;
        let mut there: Vec<u16> = open
            .relaxed
            .items
            .iter()
            .map(|&(i, _)| codes[i as usize])
            .collect();
        there.sort_unstable();
        let many = there
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() as i64 >= often);
        let mut rest = open.region.clone();
        let cap = rest.caps.entry(t).or_insert(often - 1);
        *cap = (*cap).min(often - 1);
        let most = open
            .region
            .caps
            .get(&t)
            .copied()
            .unwrap_or(self.party.formation.nodes() as i64);
        let mut regions = vec![rest];
        let mut before: Vec<u16> = Vec::new();
        for run in many {
            let mut region = open.region.clone();
            region.counts.insert((t, run[0]), (often, most));
            for &value in &before {
                region.counts.insert((t, value), (0, often - 1));
            }
            regions.push(region);
            before.push(run[0]);
        }
        regions
    }
}

/// By a value's count: at most `split`, and more.
fn by_count(region: &Region, value: Value, (least, split, most): (i64, i64, i64)) -> Vec<Region> {
    let with = |range| {
        let mut region = region.clone();
        region.counts.insert(value, range);
        region
    };
    vec![with((least, split)), with((split + 1, most))]
}

/// By an item: the one that is furthest from whole; if all are whole, then each in turn is left out of the team that they
/// are, which is no team.
fn by_item(region: &Region, relaxed: &Relaxed) -> Vec<Region> {
    let broken = |x: f64| (x - x.round()).abs();
    let uneven = relaxed
        .items
        .iter()
        .filter(|(_, x)| broken(*x) > WHOLE)
        .max_by(|a, b| broken(a.1).total_cmp(&broken(b.1)).then(b.0.cmp(&a.0)));
    if let Some(&(item, _)) = uneven {
        let (mut with, mut without) = (region.clone(), region.clone());
        with.within.push(item);
        without.without.push(item);
        return vec![with, without];
    }
    let mut with = region.clone();
    let mut regions = Vec::new();
    for &(item, _) in relaxed.items.iter().filter(|(_, x)| *x > 0.5) {
        if with.within.contains(&item) {
            continue;
        }
        let mut without = with.clone();
        without.without.push(item);
        regions.push(without);
        with.within.push(item);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::party::samples::random;

    /// The cheapest team by trying all of them.
    fn cheapest(party: &Party) -> Option<i64> {
        let mut best = None;
        let n = party.items.len() as u32;
        for a in 0..n {
            for b in 0..n {
                for c in 0..n {
                    for d in 0..n {
                        let items = [a, b, c, d];
                        let twice = (0..4).any(|i| items[..i].contains(&items[i]));
                        let fixed = party.fixed.iter().all(|&(item, node)| match node {
                            Some(node) => items[node] == item,
                            None => items.contains(&item),
                        });
                        if twice || !fixed || items.iter().any(|&i| !party.allowed[i as usize]) {
                            continue;
                        }
                        let team = Team::new(party, &items);
                        if best.is_none_or(|best| team.cost() < best) && team.is_feasible() {
                            best = Some(team.cost());
                        }
                    }
                }
            }
        }
        best
    }

    /// On small puzzles of all kinds of requirements the search ends with what trying all teams gives.
    #[test]
    fn the_cheapest_team_is_found_and_proved() {
        let (mut solved, mut none) = (0, 0);
        for seed in 0..150 {
            let party = random(seed);
            let mut exact = Exact::new(&party, None, seed);
            let mut bound = exact.bound();
            let best = cheapest(&party);
            while !exact.is_finished() {
                if let (Some(bound), Some(best)) = (exact.bound(), best) {
                    assert!(bound <= best, "seed {seed}");
                }
                exact.step();
                assert!(exact.bound() >= bound || best.is_none(), "seed {seed}");
                bound = exact.bound();
                assert!(exact.regions < 100_000, "seed {seed}");
            }
            assert_eq!(exact.best().map(|(cost, _)| cost), best, "seed {seed}");
            match best {
                Some(_) => solved += 1,
                None => none += 1,
            }
        }
        assert!(solved > 40 && none > 20, "{solved} {none}");
    }
}
