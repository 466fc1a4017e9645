//! Synergy, which measures how well a team works together: either the [link table](LinkTable) of
//! the card game, or [matrices](Matrices) as in quadratic assignment.
//!
//! Both give every node points for its item together with the items at the other ends of its links.
//! Synergy is the sum of the points, in parts of a [whole](Synergy::whole).

mod links;
mod matrices;

pub use links::{LinkTable, Positions, STEPS, Step};
pub use matrices::{Affinity, Flow, MOST_VALUES, MOST_WEIGHT, MOST_WHOLE, Matrices, Places};

use super::items::Items;

/// Definition of a team's synergy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Synergy {
    /// Points by the mean number of shared traits.
    Links(LinkTable),
    /// Sums of flows between nodes, weighted by how well their items go together.
    Matrices(Matrices),
}

impl Synergy {
    /// The traits that make two items go together.
    #[must_use]
    pub fn traits(&self) -> &[usize] {
        match self {
            Self::Links(table) => &table.traits,
            Self::Matrices(matrices) => &matrices.traits,
        }
    }

    /// The link table, if this is one.
    #[must_use]
    pub fn links(&self) -> Option<&LinkTable> {
        match self {
            Self::Links(table) => Some(table),
            Self::Matrices(_) => None,
        }
    }

    /// The parts that make a synergy of 1.
    #[must_use]
    pub fn whole(&self) -> i64 {
        match self {
            Self::Links(table) => table.whole(),
            Self::Matrices(matrices) => matrices.whole,
        }
    }

    /// The synergies of all teams are multiples of this step, which is at least 1, in parts. The
    /// exception is the greatest synergy, where there [is one](Self::cap).
    #[must_use]
    pub fn step(&self) -> i64 {
        match self {
            Self::Links(table) => table.step(),
            Self::Matrices(matrices) => matrices.step(),
        }
    }

    /// Upper bound of synergy, however many points a team has.
    #[must_use]
    pub fn cap(&self) -> i64 {
        match self {
            Self::Links(table) => table.whole(),
            Self::Matrices(_) => i64::MAX,
        }
    }

    /// The least and the most synergy that any team could have, in parts.
    #[must_use]
    pub fn range(&self) -> (i64, i64) {
        match self {
            Self::Links(table) => (0, table.most_of_all()),
            Self::Matrices(matrices) => matrices.range(),
        }
    }

    /// A small amount of synergy, in parts and at least 1: a hundredth of 1 for a link table, a
    /// hundredth of the [range](Self::range) for matrices.
    #[must_use]
    pub fn hundredth(&self) -> i64 {
        let all = match self {
            Self::Links(table) => table.whole(),
            Self::Matrices(matrices) => {
                let (least, most) = matrices.range();
                most - least
            }
        };
        (all / 100).max(1)
    }

    /// The most that any link can be worth.
    #[must_use]
    pub fn best_link(&self) -> i64 {
        match self {
            Self::Links(table) => table.traits.len() as i64,
            Self::Matrices(matrices) => {
                let links = 0..matrices.flows.len();
                links.map(|link| matrices.ends(link).1).max().unwrap_or(0)
            }
        }
    }

    /// Points of `node` if the links of its item `item` are worth `worth` together.
    #[inline(always)]
    #[must_use]
    pub fn points(&self, items: &Items, node: usize, item: u32, worth: i64) -> i64 {
        match self {
            Self::Links(table) => table.points(items, node, item, worth as u32),
            Self::Matrices(matrices) => worth + matrices.place(items, node, item),
        }
    }

    /// The worth of an item on a node, whatever its neighbours are, counted twice.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, items: &Items, node: usize, item: u32) -> i64 {
        match self {
            Self::Links(_) => 0,
            Self::Matrices(matrices) => matrices.place(items, node, item),
        }
    }

    /// The most points of `node` if the links of its item are worth `worth` together, whatever the
    /// item is.
    #[must_use]
    pub fn most_with(&self, node: usize, worth: i64) -> i64 {
        match self {
            Self::Links(table) => table.most_with(node, worth as u32),
            Self::Matrices(matrices) => worth + matrices.best_place(node),
        }
    }

    /// Synergy of a team with `points` points over all nodes, in parts.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, points: i64) -> i64 {
        match self {
            Self::Links(table) => table.synergy(points),
            Self::Matrices(_) => points,
        }
    }
}
