//! Heuristics of a single feature each, and Heineman's heuristic of his program.
//!
//! All rank positions, smaller being nearer to the goal; only the number of cards not home is also
//! a cost. Features of which the paper counts larger values as better are subtracted from their
//! greatest value, so that each can guide a search by itself.
//!
//! Heineman's own evaluation is the number of cards on the next ones needed (twice that without a
//! free cell or an empty column) + 22 − cards home, which may fall below zero. Here the constant is
//! the size of the deck: the order, and which scores are equal, are the same. The paper's text
//! leaves out the cards home ([`Feature::Hsdh`]).
//!
//! Reference: Elyasaf, Hauptman and Sipper 2011, section 3.2; G. Heineman's program (2009).

use super::features::{Feature, hsdh, not_home};
use crate::{FreeCell, Table};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};

pub(super) const fn info(
    name: &'static str,
    summary: &'static str,
    guarantee: &'static str,
) -> Info {
    Info {
        guarantee,
        requires: "freecell",
        reference: "Elyasaf, Hauptman and Sipper 2011, section 3.2",
        ..Info::new(Role::Heuristic, name, summary)
    }
}

pub(super) const RANKING: &str = "none: a ranking, not a cost";

/// Declaration for the catalogue.
pub(crate) const INFO: Info = Info {
    reference: "Heineman 2009, the program; Elyasaf, Hauptman and Sipper 2011, section 3.2",
    ..info(
        "hsdh",
        "Heineman's: cards on the next ones needed, doubled without a free cell or column, plus cards not home",
        RANKING,
    )
};

impl Feature {
    /// The declaration of the heuristic of this single feature ([`Single`]).
    pub(crate) const fn info(self) -> Info {
        let summary = match self {
            Self::Hsdh => {
                "Heineman's as printed: cards on the next ones needed, doubled without a free cell or column"
            }
            Self::NumberWellPlaced => "Cards not in columns that are ordered from end to end",
            Self::CardsNotHome => {
                return info(self.name(), "Cards not on the foundations", "consistent");
            }
            Self::FreeCells => "Cells and columns in use",
            Self::DifferenceFromTop => {
                "Mean value of the columns' last cards less the mean of the foundations, in millionths of its range"
            }
            Self::LowestHomeCard => "Ranks that the lowest foundation lacks",
            Self::HighestHomeCard => "Ranks that the highest foundation lacks",
            Self::DifferenceHome => "Value of the highest foundation less the value of the lowest",
            Self::BottomCardsSum => {
                "Greatest sum of the values of the columns' deepest cards less their sum"
            }
        };
        info(self.name(), summary, RANKING)
    }
}

/// Heineman's heuristic as coded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hsdh;

impl Heuristic<FreeCell> for Hsdh {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    #[inline]
    fn root(&self, puzzle: &FreeCell, table: &Table) -> Option<(Cost, ())> {
        Some((hsdh(puzzle, table) + not_home(puzzle, table), ()))
    }
}

/// A single feature as a heuristic.
#[derive(Clone, Copy, Debug)]
pub struct Single(pub Feature);

impl Heuristic<FreeCell> for Single {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        match self.0 {
            // Every action brings at most one card home.
            Feature::CardsNotHome => Guarantee::Consistent,
            _ => Guarantee::None,
        }
    }
    #[inline]
    fn root(&self, puzzle: &FreeCell, table: &Table) -> Option<(Cost, ())> {
        let value = match self.0 {
            Feature::DifferenceFromTop => 1e6 * self.0.normalised(puzzle, table),
            feature if feature.larger_is_better() => {
                feature.greatest(puzzle) - feature.value(puzzle, table)
            }
            feature => feature.value(puzzle, table),
        };
        Some((value as Cost, ()))
    }
}
