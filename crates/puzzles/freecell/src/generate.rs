//! Seeded deals.

use super::{
    Layout, Rules,
    card::Card,
    deal,
    parse::{dealt, numbered},
};
use unriddle_core::Rng;

/// A deal of a shuffled deck: every order of the cards with the same probability.
#[must_use]
pub fn uniform(rules: &Rules, rng: &mut Rng) -> Layout {
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    rng.shuffle(&mut deck);
    dealt(&deck, rules)
}

/// A deal of Microsoft's, its number uniform between two bounds: the number and the layout.
///
/// # Errors
/// A deck that is not Microsoft's.
pub(crate) fn microsoft(
    rules: &Rules,
    min: u64,
    max: u64,
    rng: &mut Rng,
) -> Result<(u64, Layout), String> {
    let (min, max) = (min.max(deal::FIRST), max.min(deal::LAST));
    let number = min + rng.below(max.saturating_sub(min) + 1);
    numbered(number, rules).map(|layout| (number, layout))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn deals_of_a_seed_are_fixed_and_complete() {
        for ranks in 1..=13 {
            let rules = Rules { ranks, columns: 4 + ranks % 7, ..Rules::default() };
            let text = uniform(&rules, &mut Rng::new(5)).text();
            assert_eq!(parse(&text, &rules).unwrap().text(), text);
            assert_eq!(uniform(&rules, &mut Rng::new(5)).text(), text);
        }
        let rules = Rules::default();
        let (number, layout) = microsoft(&rules, 7, 9, &mut Rng::new(1)).unwrap();
        assert!((7..=9).contains(&number));
        assert_eq!(numbered(number, &rules), Ok(layout));
    }
}
