//! The link table of the card game. The mean number of traits that an item shares with its
//! neighbours earns its node points by thresholds, times the factor of the item's position if
//! positions are given. A team has the sum of its nodes' points, at most a hundred, and its synergy
//! is that sum divided by a hundred. The paper leaves its weights open ("a custom-defined,
//! non-linear relation", equation 1); thresholds and points here are from the card game that it
//! describes.
//!
//! Points are whole numbers: means are never divided, and factors have a common denominator.

use crate::{divisor, formation::Formation, items::Items};

/// A step of the link table: a node has `points` from the mean `from` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The mean number of shared traits, in thousandths.
    pub from: u32,
    /// Points of the node, in thousandths.
    pub points: u32,
}

/// The steps of the card game.
pub const STEPS: [Step; 4] = [
    Step { from: 0, points: 3000 },
    Step { from: 300, points: 6000 },
    Step { from: 1000, points: 9000 },
    Step { from: 1600, points: 10_000 },
];

/// Points are in units of 1 / `PARTS`.
const PARTS: i64 = 1000;

/// Points of a team with a synergy of 1.
const FULL: i64 = 100;

/// Factors by which an item's points count on each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions {
    /// The trait that is the item's position.
    pub of: usize,
    /// For each node and each position, the factor's numerator.
    pub factors: Vec<Vec<u32>>,
    /// The denominator, above 0.
    pub whole: u32,
}

/// The link table for a formation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTable {
    /// The traits that are compared.
    pub traits: Vec<usize>,
    /// For each node, its points by the number of traits that it shares over all of its links.
    points: Vec<Vec<i64>>,
    positions: Option<Positions>,
}

impl LinkTable {
    /// A table by steps that ascend in means and in points, so that a higher mean is never worth
    /// less; the first step begins at 0.
    #[must_use]
    pub fn new(
        formation: &Formation,
        traits: Vec<usize>,
        steps: &[Step],
        positions: Option<Positions>,
    ) -> Self {
        let points_of = |node: usize| {
            let links = formation.at(node).len() as u32;
            let points = |shared: u32| {
                let is_reached =
                    |s: &&Step| 1000 * u64::from(shared) >= u64::from(s.from * links.max(1));
                steps.iter().rfind(is_reached).map_or(0, |step| i64::from(step.points))
            };
            (0..=links * traits.len() as u32).map(points).collect()
        };
        let points = (0..formation.nodes()).map(points_of).collect();
        Self { traits, points, positions }
    }

    /// The trait that is an item's position, if there are positions.
    #[must_use]
    pub fn position_of(&self) -> Option<usize> {
        self.positions.as_ref().map(|positions| positions.of)
    }

    /// The points of a synergy of 1: a hundred, in the table's parts.
    #[must_use]
    pub fn whole(&self) -> i64 {
        FULL * PARTS * self.denominator()
    }

    fn denominator(&self) -> i64 {
        self.positions.as_ref().map_or(1, |p| i64::from(p.whole))
    }

    /// The points of all teams are multiples of this step, which is at least 1, in parts of
    /// [`whole`](Self::whole). Synergy comes in these steps, except for the whole itself.
    #[must_use]
    pub fn step(&self) -> i64 {
        let points = self.points.iter().flatten().copied().fold(0, divisor);
        let factors = self.positions.as_ref().map_or(1, |p| {
            p.factors.iter().flatten().map(|&factor| i64::from(factor)).fold(0, divisor)
        });
        (points * factors).max(1)
    }

    /// The most synergy that any team could have, in parts of [`whole`](Self::whole).
    #[must_use]
    pub fn most_of_all(&self) -> i64 {
        let most = |node: usize| {
            let shared = 0..self.points[node].len() as u32;
            shared.map(|shared| self.most_with(node, shared)).max().unwrap_or(0)
        };
        self.synergy((0..self.points.len()).map(most).sum())
    }

    /// Points of `node` if its item `item` shares `shared` traits over all of its links.
    #[inline(always)]
    #[must_use]
    pub fn points(&self, items: &Items, node: usize, item: u32, shared: u32) -> i64 {
        let points = self.points[node][shared as usize];
        match &self.positions {
            None => points,
            Some(p) => {
                let position = items.traits[p.of].codes[item as usize];
                points * i64::from(p.factors[node][usize::from(position)])
            }
        }
    }

    /// The most points of `node` if its item shares `shared` traits over all of its links, whatever
    /// its position.
    #[must_use]
    pub fn most_with(&self, node: usize, shared: u32) -> i64 {
        let factor = |p: &Positions| p.factors[node].iter().max().copied().unwrap_or(0);
        self.points[node][shared as usize]
            * self.positions.as_ref().map_or(1, |p| i64::from(factor(p)))
    }

    /// Synergy of a team with `points` points over all nodes, in parts of [`whole`](Self::whole).
    #[inline(always)]
    #[must_use]
    pub fn synergy(&self, points: i64) -> i64 {
        points.min(self.whole())
    }
}
