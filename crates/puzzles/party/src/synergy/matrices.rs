//! Synergy in the general form of quadratic assignment (T. C. Koopmans and M. Beckmann 1957,
//! Econometrica 25): a matrix of flows between nodes, a matrix of affinities between items, and a
//! linear term of the worth of items on nodes (the key `places`).
//!
//! The synergy of a team with the items *i(a)* on the nodes *a* is the sum of *flow(a, b) ·
//! affinity(i(a), i(b))* over all ordered pairs of nodes plus the sum of *worth(a, i(a))* over all
//! nodes, divided by a whole number. Affinities and worths are given by values of traits and added
//! up over the traits. If every item has a different value of a trait, they are arbitrary matrices
//! of items.
//!
//! The points of a node are the worth of all of its links plus twice its item's worth on the node.
//! So points count everything twice, and whole numbers stay whole.

use crate::{divisor, items::Items};

/// Greatest absolute value of a flow, an affinity or a worth.
pub const MOST_WEIGHT: i64 = 10_000;

/// Greatest number that sums are divided by.
pub const MOST_WHOLE: i64 = 1_000_000_000;

/// Most values of a trait with affinities.
pub const MOST_VALUES: usize = 1000;

/// Flow over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// From its first to its second node.
    pub there: i64,
    /// From its second to its first.
    pub back: i64,
}

impl Flow {
    /// The worth of this flow between an item of value `first` on the first node and one of value
    /// `second` on the second.
    #[inline(always)]
    #[must_use]
    pub fn worth(self, affinity: &Affinity, first: u16, second: u16) -> i64 {
        self.there * affinity.at(first, second) + self.back * affinity.at(second, first)
    }

    /// The flow as seen from its second node.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { there: self.back, back: self.there }
    }
}

/// Affinities between the values of a trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affinity {
    /// The trait.
    pub of: usize,
    /// Number of values of the trait.
    pub values: usize,
    /// values × values numbers, row by row: the worth of one unit of flow from an item of the row's
    /// value to an item of the column's value.
    pub matrix: Vec<i32>,
}

impl Affinity {
    /// The worth of one unit of flow from an item of value `from` to one of value `to`.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, from: u16, to: u16) -> i64 {
        i64::from(self.matrix[usize::from(from) * self.values + usize::from(to)])
    }
}

/// Worths of the values of a trait on the nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The trait.
    pub of: usize,
    /// By node and value: the worth of an item of that value there.
    pub worth: Vec<Vec<i64>>,
}

/// Flows, affinities and worths of a formation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrices {
    /// The traits to which affinities or worths refer.
    pub(crate) traits: Vec<usize>,
    /// The flows of the links.
    pub(crate) flows: Vec<Flow>,
    pub(crate) affinities: Vec<Affinity>,
    places: Vec<Places>,
    /// The parts that make a synergy of 1.
    pub(crate) whole: i64,
}

impl Matrices {
    /// Matrices with a flow for every link of the formation; sums are divided by `whole`, above 0.
    #[must_use]
    pub fn new(
        flows: Vec<Flow>,
        affinities: Vec<Affinity>,
        places: Vec<Places>,
        whole: i64,
    ) -> Self {
        let of = affinities.iter().map(|affinity| affinity.of);
        let mut traits: Vec<usize> = of.chain(places.iter().map(|places| places.of)).collect();
        traits.sort_unstable();
        traits.dedup();
        Self { traits, flows, affinities, places, whole: 2 * whole }
    }

    /// All synergies are multiples of this step, in parts.
    #[must_use]
    pub fn step(&self) -> i64 {
        let flows = self.flows.iter().flat_map(|flow| [flow.there, flow.back]);
        let numbers = self.affinities.iter().flat_map(|a| &a.matrix);
        let links = flows.fold(0, divisor) * numbers.map(|&n| i64::from(n)).fold(0, divisor);
        let places = self.places.iter().flat_map(|places| &places.worth);
        let step = places.flatten().copied().fold(links, divisor);
        (2 * step.abs()).max(1)
    }

    /// The least and the most synergy that any team could have, in parts.
    #[must_use]
    pub fn range(&self) -> (i64, i64) {
        let links = (0..self.flows.len()).map(|link| self.ends(link));
        let nodes = self.places.iter().flat_map(|places| &places.worth);
        let (least, most) = total(links.chain(nodes.map(|node| ends(node.iter().copied()))));
        (2 * least, 2 * most)
    }

    /// The least and the most that a link can be worth.
    #[must_use]
    pub fn ends(&self, link: usize) -> (i64, i64) {
        total(self.affinities.iter().map(|affinity| {
            let values = 0..affinity.values as u16;
            let pairs = values.clone().flat_map(|v| values.clone().map(move |w| (v, w)));
            ends(pairs.map(|(v, w)| self.flows[link].worth(affinity, v, w)))
        }))
    }

    /// The worth of a link with the item `first` on its first node and `second` on its second.
    #[inline(always)]
    #[must_use]
    pub fn worth(&self, items: &Items, link: usize, first: u32, second: u32) -> i64 {
        let flow = self.flows[link];
        let mut worth = 0;
        for affinity in &self.affinities {
            let (a, b) = (items.code(affinity.of, first), items.code(affinity.of, second));
            worth += flow.worth(affinity, a, b);
        }
        worth
    }

    /// The worth of an item on a node without its links, counted twice.
    #[inline(always)]
    #[must_use]
    pub fn place(&self, items: &Items, node: usize, item: u32) -> i64 {
        let of = |places: &Places| places.worth[node][usize::from(items.code(places.of, item))];
        2 * self.places.iter().map(of).sum::<i64>()
    }

    /// The greatest worth of any item on a node without its links, counted twice.
    #[must_use]
    pub fn best_place(&self, node: usize) -> i64 {
        let best = |places: &Places| ends(places.worth[node].iter().copied()).1;
        2 * self.places.iter().map(best).sum::<i64>()
    }
}

/// The sums of ranges.
fn total(ranges: impl Iterator<Item = (i64, i64)>) -> (i64, i64) {
    ranges.fold((0, 0), |(least, most), (low, high)| (least + low, most + high))
}

/// The least and the greatest of some numbers; 0 and 0 for none.
fn ends(numbers: impl Iterator<Item = i64>) -> (i64, i64) {
    let both = numbers.fold(None, |ends: Option<(i64, i64)>, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    });
    both.unwrap_or((0, 0))
}
