//! The nine measures of a position that GA-FreeCell combines, as numbers and brought to 0..1.
//!
//! Definitions, with the paper's names and the readings chosen where its wording leaves a choice;
//! "value" is a card's rank, king 13 in a full deck:
//!
//! | feature | value | least..greatest | better |
//! |---|---|---|---|
//! | [`Hsdh`](Feature::Hsdh) | for every suit the cards on top of the next needed card, if that is in a column; twice the sum if no cell and no column is free | 0..2·4·(t + ranks − 2) | small |
//! | [`NumberWellPlaced`](Feature::NumberWellPlaced) | cards of the columns that are ordered from end to end | 0..deck | large |
//! | [`CardsNotHome`](Feature::CardsNotHome) | cards not on the foundations | 0..deck | small |
//! | [`FreeCells`](Feature::FreeCells) | free cells and empty columns | 0..cells + columns | large |
//! | [`DifferenceFromTop`](Feature::DifferenceFromTop) | mean value of the columns' last cards less mean value of the foundations' top cards | −ranks..ranks | small |
//! | [`LowestHomeCard`](Feature::LowestHomeCard) | ranks less the lowest foundation's value | 0..ranks | small |
//! | [`HighestHomeCard`](Feature::HighestHomeCard) | the highest foundation's value | 0..ranks | large |
//! | [`DifferenceHome`](Feature::DifferenceHome) | the highest foundation's value less the lowest's | 0..ranks | small |
//! | [`BottomCardsSum`](Feature::BottomCardsSum) | the greatest sum that deepest cards of the columns can have less their sum | 0..that sum | small |
//!
//! Readings. *Hsdh*: "no free FreeCells or empty foundation piles" is taken as neither a free cell
//! nor an empty column (a foundation cannot help to dig, and the author's program looks at
//! columns). *Empty* columns and foundations count 0 where values are averaged or summed; the mean
//! of columns is over the columns with cards, 0 without any. *Greatest values*: of Hsdh for a start
//! whose tallest column has t cards (at least 1): a column is always the beginning of one of the
//! start's and an ordered sequence on it, so that at most t + ranks − 2 cards can be on top of any
//! card, for each of four suits, times two; 144 in numbered deals. The paper divides by a "maximal
//! possible value", which for the difference from the top, the only negative feature, cannot bring
//! it to 0..1: here its range is, (x + ranks)/(2·ranks), which orders positions as x/ranks with
//! half the weight.

use crate::{
    Cards, FreeCell, Table,
    state::{CELL, code},
};

/// Feature of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Heineman's heuristic as the paper prints it.
    Hsdh,
    /// Cards of ordered columns.
    NumberWellPlaced,
    /// Cards not on the foundations.
    CardsNotHome,
    /// Free cells and empty columns.
    FreeCells,
    /// Mean value of the columns' last cards less the mean value of the foundations.
    DifferenceFromTop,
    /// Ranks less the lowest foundation.
    LowestHomeCard,
    /// The highest foundation.
    HighestHomeCard,
    /// The highest foundation less the lowest.
    DifferenceHome,
    /// Greatest sum of the columns' deepest cards less their sum.
    BottomCardsSum,
}

/// Number of features.
pub const FEATURES: usize = 9;

impl Feature {
    /// All, in the order of the paper's table 1.
    pub const ALL: [Self; FEATURES] = [
        Self::Hsdh,
        Self::NumberWellPlaced,
        Self::CardsNotHome,
        Self::FreeCells,
        Self::DifferenceFromTop,
        Self::LowestHomeCard,
        Self::HighestHomeCard,
        Self::DifferenceHome,
        Self::BottomCardsSum,
    ];

    /// Its name in specs and weights files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hsdh => "hsdh-paper",
            Self::NumberWellPlaced => "number-well-placed",
            Self::CardsNotHome => "cards-not-home",
            Self::FreeCells => "free-cells",
            Self::DifferenceFromTop => "difference-from-top",
            Self::LowestHomeCard => "lowest-home-card",
            Self::HighestHomeCard => "highest-home-card",
            Self::DifferenceHome => "difference-home",
            Self::BottomCardsSum => "bottom-cards-sum",
        }
    }

    /// Whether larger values are nearer to the goal.
    pub(crate) const fn larger_is_better(self) -> bool {
        matches!(self, Self::NumberWellPlaced | Self::FreeCells | Self::HighestHomeCard)
    }

    /// The value as the paper defines it.
    #[must_use]
    #[inline]
    pub fn value(self, puzzle: &FreeCell, table: &Table) -> f32 {
        let home = table.home;
        let lowest = || home.iter().copied().fold(u8::MAX, u8::min);
        let highest = || home.iter().copied().fold(0, u8::max);
        match self {
            Self::Hsdh => hsdh(puzzle, table) as f32,
            Self::NumberWellPlaced => well_placed(puzzle, table) as f32,
            Self::CardsNotHome => not_home(puzzle, table) as f32,
            Self::FreeCells => vacancies(puzzle, table) as f32,
            Self::DifferenceFromTop => {
                let columns = table.tops.count_ones().max(1);
                ranks(table.tops) as f32 / columns as f32 - table.cards_home() as f32 / 4.0
            }
            Self::LowestHomeCard => f32::from(puzzle.rules().ranks - lowest()),
            Self::HighestHomeCard => f32::from(highest()),
            Self::DifferenceHome => f32::from(highest() - lowest()),
            Self::BottomCardsSum => greatest_sum(puzzle) as f32 - ranks(puzzle.bases(table)) as f32,
        }
    }

    /// The least value that is possible in any position of an instance.
    pub(crate) fn least(self, puzzle: &FreeCell) -> f32 {
        match self {
            Self::DifferenceFromTop => -f32::from(puzzle.rules().ranks),
            _ => 0.0,
        }
    }

    /// A value that no position of an instance exceeds.
    #[inline]
    pub(crate) fn greatest(self, puzzle: &FreeCell) -> f32 {
        let rules = puzzle.rules();
        let ranks = f32::from(rules.ranks);
        match self {
            Self::Hsdh => {
                let tallest = u32::from(puzzle.tallest.max(1));
                (2 * 4 * (tallest + u32::from(rules.ranks)).saturating_sub(2)) as f32
            }
            Self::NumberWellPlaced | Self::CardsNotHome => rules.deck() as f32,
            Self::FreeCells => f32::from(rules.cells + rules.columns),
            Self::DifferenceFromTop
            | Self::LowestHomeCard
            | Self::HighestHomeCard
            | Self::DifferenceHome => ranks,
            Self::BottomCardsSum => greatest_sum(puzzle) as f32,
        }
    }

    /// The value brought to 0..1: least to greatest.
    #[inline]
    pub(crate) fn normalised(self, puzzle: &FreeCell, table: &Table) -> f32 {
        let least = self.least(puzzle);
        // The range is 0 only where the value is (one rank: no card can be in another's way).
        let range = (self.greatest(puzzle) - least).max(1.0);
        (self.value(puzzle, table) - least) / range
    }
}

/// Cards not on the foundations.
#[inline(always)]
pub(crate) fn not_home(puzzle: &FreeCell, table: &Table) -> u32 {
    puzzle.rules().deck() as u32 - table.cards_home()
}

/// Free cells and empty columns.
#[inline(always)]
pub(crate) fn vacancies(puzzle: &FreeCell, table: &Table) -> u32 {
    puzzle.free_cells(table) + puzzle.empty_columns(table)
}

/// Cards on the next ones needed, doubled if there is no vacancy.
#[inline]
pub(crate) fn hsdh(puzzle: &FreeCell, table: &Table) -> u32 {
    let in_columns = Cards(puzzle.next_home(table)).filter(|&next| code(&table.key, next) != CELL);
    let buried = in_columns.map(|next| puzzle.upwards(table, next).count() as u32 - 1).sum();
    match vacancies(puzzle, table) {
        0 => 2 * buried,
        _ => buried,
    }
}

/// Cards of the columns that are ordered from end to end.
#[inline]
fn well_placed(puzzle: &FreeCell, table: &Table) -> u32 {
    let mut count = 0;
    for top in Cards(table.tops) {
        let mut card = top;
        let mut length = 1;
        count += loop {
            let Some(below) = puzzle.beneath(&table.key, card) else {
                break length;
            };
            if !puzzle.is_ordered(&table.key, card) {
                break 0;
            }
            card = below;
            length += 1;
        };
    }
    count
}

/// Sum of the values of a set of cards, bit by bit of the value less one.
#[inline(always)]
fn ranks(cards: u64) -> u32 {
    // The sets of cards of which bit b of the value less one is set: four suits side by side.
    const BITS: [u64; 4] = [
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    BITS.iter()
        .zip(0..)
        .fold(cards.count_ones(), |sum, (set, bit)| sum + ((cards & set).count_ones() << bit))
}

/// The greatest sum of as many cards as there are columns.
#[inline]
fn greatest_sum(puzzle: &FreeCell) -> u32 {
    let ranks = u32::from(puzzle.rules().ranks);
    (0..u32::from(puzzle.rules().columns)).map(|i| ranks.saturating_sub(i / 4)).sum()
}
