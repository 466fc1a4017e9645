//! A team whose amounts are updated incrementally from move to move.

use super::{
    Party,
    requirement::{Amount, rating},
};

/// Numbers of a team's items with each value of a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values {
    of: usize,
    counts: Vec<u16>,
    /// By count: how many values occur that often in the team. Values that do not occur are not
    /// counted.
    often: Vec<u16>,
    distinct: u16,
}

impl Values {
    fn new(of: usize, values: usize, nodes: usize) -> Self {
        Self { of, counts: vec![0; values], often: vec![0; nodes + 2], distinct: 0 }
    }

    #[inline(always)]
    fn add(&mut self, code: u16) {
        let count = &mut self.counts[usize::from(code)];
        if *count == 0 {
            self.distinct += 1;
        } else {
            self.often[usize::from(*count)] -= 1;
        }
        *count += 1;
        self.often[usize::from(*count)] += 1;
    }

    #[inline(always)]
    fn remove(&mut self, code: u16) {
        let count = &mut self.counts[usize::from(code)];
        self.often[usize::from(*count)] -= 1;
        *count -= 1;
        if *count == 0 {
            self.distinct -= 1;
        } else {
            self.often[usize::from(*count)] += 1;
        }
    }

    fn most(&self) -> i64 {
        self.often.iter().rposition(|&n| n > 0).unwrap_or(0) as i64
    }
}

/// The incremental state of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tally {
    /// An amount that items add to.
    Total(i64),
    /// The index of its [`Values`].
    Values(usize),
    /// Computed when it is asked for.
    Nothing,
}

/// An item on every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team<'a> {
    party: &'a Party,
    items: Vec<u32>,
    cost: i64,
    /// The worth of each link, and of all links of each node.
    links: Vec<i64>,
    worth: Vec<i64>,
    /// The points of each node, and of all nodes.
    points: Vec<i64>,
    total: i64,
    kept: Vec<Tally>,
    values: Vec<Values>,
}

impl<'a> Team<'a> {
    /// A team of items, one for each node in their order. Whether an item occurs twice is not
    /// checked.
    ///
    /// # Panics
    /// If the number of items differs from the number of nodes, or an item does not exist.
    #[must_use]
    pub fn new(party: &'a Party, items: &[u32]) -> Self {
        let nodes = party.formation.nodes();
        assert_eq!(items.len(), nodes, "as many items as nodes");
        let mut values: Vec<Values> = Vec::new();
        let kept = party
            .requirements
            .iter()
            .map(|r| match r.amount {
                Amount::Sum(_) | Amount::Count(..) => Tally::Total(0),
                Amount::Distinct(t) | Amount::Same(t) => {
                    let known = values.iter().position(|v| v.of == t);
                    Tally::Values(known.unwrap_or_else(|| {
                        values.push(Values::new(t, party.items.traits[t].values.len(), nodes));
                        values.len() - 1
                    }))
                }
                Amount::Rating(_) | Amount::Synergy => Tally::Nothing,
            })
            .collect();
        let mut team = Self {
            party,
            items: items.to_vec(),
            cost: 0,
            links: vec![0; party.formation.links().len()],
            worth: vec![0; nodes],
            points: vec![0; nodes],
            total: 0,
            kept,
            values,
        };
        for &item in items {
            team.add(item);
        }
        for (i, &(a, b)) in party.formation.links().iter().enumerate() {
            let (a, b) = (usize::from(a), usize::from(b));
            let worth = party.worth(i, a, items[a], items[b]);
            team.links[i] = worth;
            team.worth[a] += worth;
            team.worth[b] += worth;
        }
        for node in 0..nodes {
            team.score(node);
        }
        team
    }

    /// The items in the order of the nodes.
    #[must_use]
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Total cost of the items.
    #[inline(always)]
    #[must_use]
    pub fn cost(&self) -> i64 {
        self.cost
    }

    /// Synergy, in parts of the puzzle's whole.
    #[inline(always)]
    #[must_use]
    pub fn synergy(&self) -> i64 {
        self.party.synergy.of(self.total)
    }

    /// Points of all nodes, which synergy is computed from.
    #[inline(always)]
    #[must_use]
    pub fn points(&self) -> i64 {
        self.total
    }

    /// The amount of a requirement.
    #[inline(always)]
    #[must_use]
    pub fn amount(&self, requirement: usize) -> i64 {
        match (self.kept[requirement], &self.party.requirements[requirement].amount) {
            (Tally::Total(total), _) => total,
            (Tally::Values(v), Amount::Same(_)) => self.values[v].most(),
            (Tally::Values(v), _) => i64::from(self.values[v].distinct),
            (Tally::Nothing, Amount::Rating(n)) => {
                let of = &self.party.items.numbers[*n].values;
                let numbers: Vec<i64> = self.items.iter().map(|&i| of[i as usize]).collect();
                rating(&numbers)
            }
            (Tally::Nothing, _) => self.synergy(),
        }
    }

    /// Whether all requirements hold. Whether an item occurs twice is not checked.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        let requirements = self.party.requirements.iter().enumerate();
        requirements.map(|(i, r)| r.lack(self.amount(i))).all(|lack| lack == 0)
    }

    /// Puts another item on a node.
    #[inline(always)]
    pub fn replace(&mut self, node: usize, item: u32) {
        self.remove(self.items[node]);
        self.add(item);
        self.place(node, item);
    }

    /// Exchanges the items of two nodes.
    #[inline(always)]
    pub fn swap(&mut self, a: usize, b: usize) {
        let (first, second) = (self.items[a], self.items[b]);
        self.place(a, second);
        self.place(b, first);
    }

    /// Sets the item of a node; the team's totals include it already.
    #[inline(always)]
    fn place(&mut self, node: usize, item: u32) {
        self.items[node] = item;
        let mut all = 0;
        for &(other, link) in self.party.formation.at(node) {
            let (other, link) = (usize::from(other), usize::from(link));
            let worth = self.party.worth(link, node, item, self.items[other]);
            all += worth;
            self.worth[other] += worth - self.links[link];
            self.links[link] = worth;
            self.score(other);
        }
        self.worth[node] = all;
        self.score(node);
    }

    /// Computes the points of a node.
    #[inline(always)]
    fn score(&mut self, node: usize) {
        let party = self.party;
        let points = party.synergy.points(&party.items, node, self.items[node], self.worth[node]);
        self.total += points - self.points[node];
        self.points[node] = points;
    }

    fn add(&mut self, item: u32) {
        self.cost += self.party.costs[item as usize];
        self.total_up(item, 1);
        for values in &mut self.values {
            values.add(self.party.items.code(values.of, item));
        }
    }

    fn remove(&mut self, item: u32) {
        self.cost -= self.party.costs[item as usize];
        self.total_up(item, -1);
        for values in &mut self.values {
            values.remove(self.party.items.code(values.of, item));
        }
    }

    #[inline(always)]
    fn total_up(&mut self, item: u32, times: i64) {
        let items = &self.party.items;
        for (kept, requirement) in self.kept.iter_mut().zip(&self.party.requirements) {
            if let Tally::Total(total) = kept {
                *total += times * requirement.amount.part(items, item).unwrap_or(0);
            }
        }
    }
}
