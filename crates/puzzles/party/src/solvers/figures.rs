//! Shared figures of puzzles that differ only in the bounds of their requirements.
//!
//! Such puzzles are partly ordered: one is *tighter* than another if every amount has to stay
//! within narrower bounds. A team counts for every puzzle whose bounds it satisfies, whichever
//! puzzle it was found for. A lower bound of the price, or a proof that there is no team, counts
//! for every tighter puzzle. Both are passed on at once, so that no two figures ever contradict
//! each other: a tighter puzzle never has a lower price or a lower bound.

use crate::{Amount, Party, Requirement, Team};
use unriddle_core::{Observer, Solution, Stats};

/// The bound of a puzzle that is proved to have no team.
pub(super) const NO_TEAM: i64 = i64::MAX;

/// A team with its price and synergy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub(super) price: i64,
    pub(super) synergy: i64,
    /// The items in node order.
    pub(super) items: Vec<u32>,
}

/// Figures of one puzzle.
struct Figure {
    /// By amount: the least and the most that is allowed.
    ranges: Vec<(i64, i64)>,
    best: Option<Best>,
    /// Lower bound of the price; [`NO_TEAM`] if there is no team.
    bound: i64,
    /// Whether more synergy for the same price is better.
    prefers_synergy: bool,
}

impl Figure {
    fn is_tighter_than(&self, other: &Self) -> bool {
        let mut pairs = self.ranges.iter().zip(&other.ranges);
        pairs.all(|(own, other)| own.0 >= other.0 && own.1 <= other.1)
    }

    fn allows(&self, amounts: &[i64]) -> bool {
        let mut pairs = self.ranges.iter().zip(amounts);
        pairs.all(|(range, amount)| (range.0..=range.1).contains(amount))
    }

    /// Whether a team of this price and synergy would be the best so far.
    fn would_take(&self, price: i64, synergy: i64) -> bool {
        self.best.as_ref().is_none_or(|best| {
            price < best.price
                || (self.prefers_synergy && price == best.price && synergy > best.synergy)
        })
    }
}

/// Figures of puzzles with the same items, formation, synergy and costs.
pub(super) struct Figures<'a> {
    /// Any of the puzzles.
    party: &'a Party,
    /// The amounts that the puzzles bound: each once, synergy last.
    amounts: Vec<Amount>,
    figures: Vec<Figure>,
}

impl<'a> Figures<'a> {
    /// No figures yet. All puzzles bound the amounts of this one, and perhaps synergy.
    pub(super) fn new(party: &'a Party) -> Self {
        let mut amounts: Vec<Amount> = Vec::new();
        for amount in party.requirements.iter().map(|requirement| &requirement.amount) {
            if *amount != Amount::Synergy && !amounts.contains(amount) {
                amounts.push(amount.clone());
            }
        }
        amounts.push(Amount::Synergy);
        Self { party, amounts, figures: Vec::new() }
    }

    /// Adds the puzzle with these requirements and returns its number. Teams and bounds of the
    /// other puzzles are applied to it.
    pub(super) fn add(&mut self, requirements: &[Requirement], prefers_synergy: bool) -> usize {
        let range = |amount: &Amount| {
            let of_it = || requirements.iter().filter(|r| r.amount == *amount);
            let least = of_it().filter_map(|r| r.at_least).max();
            let most = of_it().filter_map(|r| r.at_most).min();
            (least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX))
        };
        let figure = Figure {
            ranges: self.amounts.iter().map(range).collect(),
            best: None,
            bound: i64::MIN,
            prefers_synergy,
        };
        let looser = self.figures.iter().filter(|other| figure.is_tighter_than(other));
        let bound = looser.map(|other| other.bound).max();
        let teams = self.figures.iter().filter_map(|other| other.best.as_ref());
        let teams: Vec<Vec<u32>> = teams.map(|best| best.items.clone()).collect();
        self.figures.push(figure);
        let number = self.figures.len() - 1;
        self.prove(number, bound.unwrap_or(i64::MIN));
        for items in teams {
            self.offer(&items);
        }
        number
    }

    /// Takes a team that was found, in node order.
    pub(super) fn offer(&mut self, items: &[u32]) {
        let price = self.party.cost_of(items);
        // Most teams are too expensive for all puzzles, and need not be measured.
        if !self.figures.iter().any(|figure| figure.would_take(price, i64::MAX)) {
            return;
        }
        let team = Team::new(self.party, items);
        let synergy = team.synergy();
        let requirements = &self.party.requirements;
        let amount = |amount: &Amount| {
            let at = requirements.iter().position(|r| r.amount == *amount);
            at.map_or(synergy, |at| team.amount(at))
        };
        let amounts: Vec<i64> = self.amounts.iter().map(amount).collect();
        for figure in &mut self.figures {
            if figure.would_take(price, synergy) && figure.allows(&amounts) {
                figure.best = Some(Best { price, synergy, items: items.to_vec() });
            }
        }
    }

    /// Takes a proof that no team of a puzzle costs less than `bound`, or, with [`NO_TEAM`], that
    /// it has no team.
    pub(super) fn prove(&mut self, number: usize, bound: i64) {
        for other in 0..self.figures.len() {
            if self.figures[other].is_tighter_than(&self.figures[number]) {
                let known = &mut self.figures[other].bound;
                *known = bound.max(*known);
            }
        }
    }

    /// The cheapest team found of a puzzle.
    pub(super) fn best(&self, number: usize) -> Option<&Best> {
        self.figures[number].best.as_ref()
    }

    /// Lower bound of the price of a puzzle.
    pub(super) fn bound(&self, number: usize) -> i64 {
        self.figures[number].bound
    }

    /// Whether nothing is left to find out: there is no team, or none is cheaper than the best.
    pub(super) fn is_settled(&self, number: usize) -> bool {
        let price = self.best(number).map(|best| best.price);
        [Some(NO_TEAM), price].contains(&Some(self.bound(number)))
    }
}

/// Shows each team that a search reports to a visitor.
pub(super) struct Visitor<'a>(pub(super) &'a mut dyn FnMut(&[u32]));

impl Observer<u32> for Visitor<'_> {
    fn improved(&mut self, best: &Solution<u32>, _: &Stats) {
        (self.0)(&best.actions);
    }
}
