//! Requirements of a team.

use super::{document::decimal, items::Items, synergy::Synergy};

/// A measure of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// The sum of a number over the team, in the number's units.
    Sum(usize),
    /// The card game's rating of the team, in the number's units: the mean plus the excess of the
    /// items above it, rounded down.
    Rating(usize),
    /// Number of items with one of some values of a trait; a flag for each code shows whether it is
    /// counted.
    Count(usize, Vec<bool>),
    /// Number of different values of a trait.
    Distinct(usize),
    /// Number of items with the most frequent value of a trait.
    Same(usize),
    /// Synergy, in parts of the table's whole.
    Synergy,
}

impl Amount {
    /// The part of an item in an amount that is a sum over items; `None` for other amounts.
    #[inline(always)]
    pub(super) fn part(&self, items: &Items, item: u32) -> Option<i64> {
        match self {
            Self::Sum(n) => Some(items.number(*n, item)),
            Self::Count(t, wanted) => Some(wanted[usize::from(items.code(*t, item))].into()),
            _ => None,
        }
    }
}

/// An amount within bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The requirement as it was asked for, in words.
    pub text: String,
    /// The measured amount.
    pub amount: Amount,
    /// The amount that represents 1 in the puzzle's file: for averages, the number of nodes in the
    /// number's units.
    pub unit: i64,
    /// The least that is allowed.
    pub at_least: Option<i64>,
    /// The most that is allowed.
    pub at_most: Option<i64>,
}

impl Requirement {
    /// By how much an amount is out of bounds; 0 if it is within.
    #[inline(always)]
    #[must_use]
    pub fn lack(&self, amount: i64) -> i64 {
        let below = self.at_least.map_or(0, |least| least - amount);
        let above = self.at_most.map_or(0, |most| amount - most);
        below.max(above).max(0)
    }

    /// The step by which a designer would move a bound: 1 in the puzzle's file, or one point of a
    /// hundred for the synergy of a link table.
    #[must_use]
    pub fn step(&self, synergy: &Synergy) -> i64 {
        match (&self.amount, synergy) {
            (Amount::Synergy, Synergy::Links(_)) => (self.unit / 100).max(1),
            _ => self.unit,
        }
    }

    /// An amount in the units of the puzzle's file, with up to three decimals.
    #[must_use]
    pub fn shown(&self, amount: i64) -> String {
        let thousandths = i128::from(amount) * 1000 / i128::from(self.unit.max(1));
        let text = decimal(i64::try_from(thousandths).unwrap_or(i64::MAX), 3);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// The card game's rating of numbers: their mean plus the mean excess of the numbers above it. The
/// sum is rounded to a whole number, and the quotient is rounded down. 0 for an empty list.
#[must_use]
pub fn rating(numbers: &[i64]) -> i64 {
    let n = numbers.len() as i64;
    if n == 0 {
        return 0;
    }
    let sum: i64 = numbers.iter().sum();
    // The total times n.
    let above: i64 = numbers.iter().map(|&number| (n * number - sum).max(0)).sum();
    let total = n * sum + above;
    let rounded = (2 * total + n).div_euclid(2 * n);
    rounded.div_euclid(n)
}

/// An amount of a team, computed from scratch. `None` for synergy, which is not known here.
#[must_use]
pub fn measure(amount: &Amount, items: &Items, team: &[u32]) -> Option<i64> {
    let multiplicities = |t: usize| {
        let mut sorted: Vec<u16> = team.iter().map(|&item| items.code(t, item)).collect();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|a, b| a == b).map(|run| run.len() as i64);
        runs.collect::<Vec<i64>>()
    };
    match *amount {
        Amount::Sum(_) | Amount::Count(..) => team.iter().map(|&i| amount.part(items, i)).sum(),
        Amount::Rating(n) => {
            Some(rating(&team.iter().map(|&item| items.number(n, item)).collect::<Vec<_>>()))
        }
        Amount::Distinct(t) => Some(multiplicities(t).len() as i64),
        Amount::Same(t) => Some(multiplicities(t).into_iter().max().unwrap_or(0)),
        Amount::Synergy => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formation, LinkTable, Matrices};

    /// Ratings of squads as the card game shows them.
    #[test]
    fn ratings_agree_with_the_game() {
        assert_eq!(rating(&[80; 11]), 80);
        // Mean 81.1, and 0.9 · 10 / 11 more: 82.
        let mut one_star = [80; 11];
        one_star[0] = 91;
        assert_eq!(rating(&one_star), 81);
        one_star[0] = 92;
        assert_eq!(rating(&one_star), 82);
        assert_eq!(rating(&[]), 0);
    }

    #[test]
    fn bounds_are_distinguished() {
        let needs = |at_least, at_most| Requirement {
            text: String::new(),
            amount: Amount::Synergy,
            unit: 100,
            at_least,
            at_most,
        };
        let nowhere = Formation::new(vec!["a".to_owned()], &[]).unwrap();
        let table = Synergy::Links(LinkTable::new(&nowhere, Vec::new(), &[], None));
        assert_eq!(needs(Some(3), None).step(&table), 1);
        let matrices = Matrices::new(Vec::new(), Vec::new(), Vec::new(), 50);
        assert_eq!(needs(Some(3), None).step(&Synergy::Matrices(matrices)), 100);
        let shown = [80, 125, 7].map(|amount| needs(None, None).shown(amount));
        assert_eq!(shown, ["0.8", "1.25", "0.07"]);
        assert_eq!(needs(Some(3), None).lack(1), 2);
        assert_eq!(needs(Some(3), None).lack(5), 0);
        assert_eq!(needs(Some(3), Some(3)).lack(5), 2);
        assert_eq!(needs(None, Some(3)).lack(3), 0);
    }
}
