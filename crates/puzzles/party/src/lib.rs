//! Party building: choose an item for every node of a graph, as cheaply as the requirements allow.
//!
//! A designer's puzzle is a pool of [`Items`] (heroes with traits, numbers and a price), a
//! [`Formation`] to fill, and [`Requirement`]s of the team: sums, counts, different and same
//! values, and *synergy*, which measures how much neighbours have in common or how well they go
//! together ([`synergy`]). A team has an item on every node, and no item twice.
//!
//! All amounts are whole numbers, so that bounds can be proved and teams checked without rounding.
//!
//! Reference: "Automated graph genetic algorithm based puzzle validation for faster game design",
//! 2022, section IV.
//!
//! # Speed
//!
//! - The linear relaxation of a puzzle of ten thousand items takes milliseconds: rows are few, and
//!   every pivot flips as many columns as possible.
//! - Items whose reduced cost exceeds the gap are removed for good. The remaining search space is
//!   cut by how often values occur (ADR 14). Synergy is given by a link table or by matrices (ADR
//!   17).
//! - Beams and policy adaptation build teams node by node from the items of least reduced cost
//!   (ADR 15).

pub mod csv;
mod decimal;
pub mod document;
pub mod draw;
mod errors;
pub mod family;
pub mod formation;
pub mod generate;
pub mod items;
mod json;
pub mod lp;
mod matrices;
pub mod notation;
mod objective;
mod positions;
pub mod prices;
pub mod puzzles;
pub mod qap;
pub mod read;
pub mod requirement;
pub mod rules;
pub mod sheet;
pub mod solvers;
pub mod synergy;
pub mod team;

#[cfg(not(test))]
pub use family::FAMILY;
pub use formation::Formation;
pub use items::Items;
pub use prices::Unpriced;
pub use requirement::{Amount, Requirement};
pub use synergy::{LinkTable, Matrices, Synergy};
pub use team::Team;

use items::Packed;
use unriddle_core::{Info, Options, Role, options, text::decimal};

/// Declaration of the puzzle.
pub const INFO: Info = Info {
    reference: "Automated graph genetic algorithm based puzzle validation for faster game design, 2022, section IV",
    parameters: PartyConfig::PARAMETERS,
    ..Info::new(
        Role::Puzzle,
        "party",
        "party building: choose an item for every node of a graph, as cheaply as the requirements allow",
    )
};

options! {
    /// Choice of the puzzle, and handling of missing prices.
    #[derive(Eq)]
    pub struct PartyConfig of INFO {
        puzzle: String = "own",
            "puzzle for the items",
            "`own` uses the document's own puzzle. `type1`, `type2` and `type3(elf=CODE)` are \
             types of the paper. Any other value is the name of a JSON file with the puzzle.";
        unpriced: Unpriced = "refuse",
            "handling of items without a price",
            "`refuse` rejects the file and lists the items. `exclude` excludes them from every \
             team, except for owned items. `zero` sets their price to zero.";
        price_column: String = "price",
            "column or key of the prices",
            "The name of a table's column, or of a key of JSON items. With the default, the key \
             `price_column` of the puzzle may give another name.";
    }
}

/// Unit of prices.
pub(crate) const COINS: &str = "coins";

/// Unit of objectives without a price.
pub(crate) const POINTS: &str = "points";

/// A puzzle: the items, the formation, and the conditions on a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// The pool.
    pub items: Items,
    /// The graph.
    pub formation: Formation,
    /// Synergy.
    pub synergy: Synergy,
    /// Requirements on a team.
    pub requirements: Vec<Requirement>,
    /// Contribution of each item to the objective.
    pub costs: Vec<i64>,
    /// Whether each item may be chosen.
    pub allowed: Vec<bool>,
    /// Items that must be chosen, some of them for a node.
    pub fixed: Vec<(u32, Option<usize>)>,
    /// Unit of the objective for people: coins, or points if the price has no part in it.
    pub(crate) unit: &'static str,
    /// The number that requirements of the price refer to.
    pub(crate) spent: Option<usize>,
    /// The compared traits of the items.
    packed: Packed,
}

impl Party {
    /// A puzzle whose objective is the price.
    #[must_use]
    pub fn new(
        items: Items,
        formation: Formation,
        synergy: Synergy,
        requirements: Vec<Requirement>,
    ) -> Self {
        Self {
            packed: items.pack(synergy.traits()),
            costs: items.prices.clone(),
            allowed: vec![true; items.len()],
            fixed: Vec::new(),
            unit: COINS,
            spent: None,
            items,
            formation,
            synergy,
            requirements,
        }
    }

    /// A price, or a sum of prices or objectives, as people read it: with its decimal point.
    #[must_use]
    pub fn price_text(&self, price: i64) -> String {
        decimal(price, self.items.price_places)
    }

    /// The sum of the costs of some items.
    pub(crate) fn cost_of(&self, items: &[u32]) -> i64 {
        items.iter().map(|&item| self.costs[item as usize]).sum()
    }

    /// The items that may be chosen.
    pub(crate) fn pool(&self) -> Vec<u32> {
        (0..self.items.len() as u32).filter(|&item| self.allowed[item as usize]).collect()
    }

    /// Whether an item must be chosen.
    pub(crate) fn is_fixed(&self, item: u32) -> bool {
        self.fixed.iter().any(|&(fixed, _)| fixed == item)
    }

    /// The required synergy, if one is required.
    pub(crate) fn least_synergy(&self) -> Option<i64> {
        let synergies = self.requirements.iter().filter(|r| r.amount == Amount::Synergy);
        synergies.filter_map(|r| r.at_least).max()
    }

    /// The number of compared traits that two items share.
    #[inline(always)]
    #[must_use]
    pub fn shared(&self, a: u32, b: u32) -> u32 {
        self.packed.shared(a, b)
    }

    /// Whether two items can be exchanged without any change of synergy.
    #[must_use]
    pub fn is_alike(&self, a: u32, b: u32) -> bool {
        let position = self.synergy.links().and_then(LinkTable::position_of);
        let same = |t: usize| self.items.code(t, a) == self.items.code(t, b);
        self.shared(a, b) == self.synergy.traits().len() as u32 && position.is_none_or(same)
    }

    /// The worth of a link to both of its ends, with `item` on `node` and `other` on the other end:
    /// the number of shared traits, or the worth by matrices.
    #[inline(always)]
    #[must_use]
    pub fn worth(&self, link: usize, node: usize, item: u32, other: u32) -> i64 {
        match &self.synergy {
            Synergy::Links(_) => i64::from(self.packed.shared(item, other)),
            Synergy::Matrices(matrices) => {
                let (first, _) = self.formation.links()[link];
                let (first, second) =
                    if usize::from(first) == node { (item, other) } else { (other, item) };
                matrices.worth(&self.items, link, first, second)
            }
        }
    }
}

/// The greatest common divisor; 0 if both numbers are 0.
#[must_use]
pub fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use items::{Number, Trait};
    use requirement::measure;
    use synergy::{Positions, STEPS};
    use unriddle_core::Rng;

    /// A pool of random items with three traits and two numbers, on a random graph.
    fn random(seed: u64) -> Party {
        let mut rng = Rng::new(seed);
        let count = 30;
        let sizes = [3, 5, 4];
        let traits = sizes.iter().enumerate().map(|(i, &size)| Trait {
            name: format!("t{i}"),
            values: (0..size).map(|v| v.to_string()).collect(),
            codes: (0..count).map(|_| rng.below(size) as u16).collect(),
        });
        let traits = traits.collect();
        let numbers = (0..2).map(|i| Number {
            name: format!("n{i}"),
            places: 0,
            values: (0..count).map(|_| rng.below(100) as i64).collect(),
        });
        let items = Items {
            names: Vec::new(),
            traits,
            numbers: numbers.collect(),
            prices: (0..count as i64).collect(),
            price_places: 0,
        };
        let nodes = 7;
        let links: Vec<(usize, usize)> = (0..nodes)
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .filter(|_| rng.below(2) == 0)
            .collect();
        let names = (0..nodes).map(|n| n.to_string()).collect();
        let formation = Formation::new(names, &links).unwrap();
        let positions = Positions {
            of: 0,
            factors: (0..nodes)
                .map(|_| (0..3).map(|_| [5, 15, 25, 30][rng.below(4) as usize]).collect())
                .collect(),
            whole: 30,
        };
        let positions = seed.is_multiple_of(2).then_some(positions);
        let table = Synergy::Links(LinkTable::new(&formation, vec![0, 1, 2], &STEPS, positions));
        let amounts = [
            Amount::Sum(0),
            Amount::Rating(1),
            Amount::Count(0, vec![true, false, true]),
            Amount::Distinct(1),
            Amount::Same(1),
            Amount::Same(2),
            Amount::Synergy,
        ];
        let requirements = amounts.map(|amount| Requirement {
            text: String::new(),
            amount,
            unit: 1,
            at_least: Some(3),
            at_most: None,
        });
        Party::new(items, formation, table, requirements.to_vec())
    }

    /// After any replacements and exchanges, a team equals a newly built one, and its amounts agree
    /// with a naive computation.
    #[test]
    fn teams_are_kept_up_to_date() {
        for seed in 0..20 {
            let party = random(seed);
            let mut rng = Rng::stream(1, seed);
            let mut team = Team::new(&party, &[0, 1, 2, 3, 4, 5, 6]);
            for _ in 0..200 {
                if rng.below(2) == 0 {
                    team.replace(rng.below(7) as usize, rng.below(30) as u32);
                } else {
                    team.swap(rng.below(7) as usize, rng.below(7) as usize);
                }
                assert_eq!(team, Team::new(&party, team.items()));
                for (i, requirement) in party.requirements.iter().enumerate() {
                    let naive = measure(&requirement.amount, &party.items, team.items());
                    assert_eq!(team.amount(i), naive.unwrap_or(team.synergy()));
                }
                let cost: i64 = team.items().iter().map(|&i| i64::from(i)).sum();
                assert_eq!(team.cost(), cost);
            }
        }
    }

    /// Items may have more traits in common than fit into a byte.
    #[test]
    fn hundreds_of_traits_are_counted() {
        let traits = (0..300).map(|i| Trait {
            name: format!("t{i}"),
            values: vec!["x".into(), "y".into()],
            codes: vec![0, 0, u16::from(i < 20)],
        });
        let items = Items {
            names: Vec::new(),
            traits: traits.collect(),
            numbers: Vec::new(),
            prices: vec![0; 3],
            price_places: 0,
        };
        let formation = Formation::new(vec!["a".into(), "b".into()], &[(0, 1)]).unwrap();
        // From 280 traits on a node has a point, from 300 on two.
        let steps = [(0, 0), (280_000, 1000), (300_000, 2000)];
        let steps = steps.map(|(from, points)| synergy::Step { from, points });
        let table = Synergy::Links(LinkTable::new(&formation, (0..300).collect(), &steps, None));
        let party = Party::new(items, formation, table, Vec::new());
        let mut team = Team::new(&party, &[0, 1]);
        assert_eq!(team.synergy(), 4000);
        team.replace(1, 2);
        assert_eq!(team.synergy(), 2000);
        assert_eq!(team, Team::new(&party, &[0, 2]));
    }

    /// Synergy as the card game defines it, with means that are divided.
    #[test]
    fn synergy_agrees_with_the_link_table() {
        for seed in 0..20 {
            let party = random(2 * seed + 1);
            let mut rng = Rng::stream(2, seed);
            let items: Vec<u32> = (0..7).map(|_| rng.below(30) as u32).collect();
            let team = Team::new(&party, &items);
            let same = |a: usize, b: usize| {
                let equal = |t: &&Trait| t.codes[items[a] as usize] == t.codes[items[b] as usize];
                party.items.traits.iter().filter(equal).count() as f64
            };
            let node = |node: usize| {
                let at = party.formation.at(node);
                let all: f64 = at.iter().map(|&(to, _)| same(node, usize::from(to))).sum();
                match all / (at.len() as f64).max(1.0) {
                    mean if mean >= 1.6 => 10.0,
                    mean if mean >= 1.0 => 9.0,
                    mean if mean >= 0.3 => 6.0,
                    _ => 3.0,
                }
            };
            let points: f64 = (0..7).map(node).sum();
            assert!(team.points() % party.synergy.step() == 0);
            assert!(team.synergy() <= party.synergy.range().1);
            let synergy = team.synergy() as f64 / party.synergy.whole() as f64;
            assert!((synergy - points.min(100.0) / 100.0).abs() < 1e-12);
        }
    }
}
