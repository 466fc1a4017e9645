//! The lower bound of Paul and Helmert: cards that wait for each other in a circle cost extra
//! moves.
//!
//! Every card that is not home needs its move home; all other moves are *extra*. Let a card c in a
//! column be *direct* if its next move is its move home. If c is direct and (anywhere) above b,
//! then c is home before b moves, and so before every higher card of b's suit is home. Draw an arc
//! c → d whenever a lower card of d's suit is beneath c: c direct implies that c is home before d.
//! On a cycle not all cards can be direct (a card with a lower card of its own suit beneath is a
//! cycle of length one), so that at least one card of every cycle makes an extra move, and
//! different cards make different moves. The estimate is the number of cards not home plus the
//! smallest number of cards that hit all cycles (a minimum feedback vertex set). With unlimited
//! cells it is exact: lay those cards into cells as they turn up, and all others go straight home.
//!
//! It is consistent. An extra move of c changes only the arcs from c, so that a set that breaks all
//! cycles after the move breaks all cycles before it once c is added: the minimum falls by at most
//! one (nor does it rise by more). When c goes home no lower card of its suit is in play, so that
//! no arc leads to c, it was on no cycle, and the minimum stays.
//!
//! Paul and Helmert solve the problem for cycles of at most two suits. Here all cycles count: a
//! shortest cycle has at most one card of each suit (of two cards of a suit the higher one is
//! reached from every card that reaches the lower one, which cuts the cycle short), and the minimum
//! is found for all of them at once (`Relations`).
//!
//! Where an ordered sequence moves as one action, runs replace cards (`Runs`): maximal ordered
//! sequences within a column. The first extra move of a card takes with it a sequence whose deepest
//! card has not moved either, because the cards beneath a card that never moved never moved; so
//! that card and the deepest one are of the same run now, and first extra moves of cards of
//! different runs are different moves. The estimate is the number of cards not home plus the fewest
//! runs whose cards hit all cycles.
//!
//! This estimate is consistent as well. An extra move takes cards from the end of run A, perhaps
//! onto run B. Runs that break all cycles after the move break all cycles before it once A is
//! added, if A and B are identified with their successors: the arcs from all other cards are the
//! same. So the minimum falls by at most one; by the converse argument it rises by at most one. A
//! card that goes home was on no cycle.
//!
//! Reference: G. Paul and M. Helmert, "Optimal Solitaire Game Solutions using A* Search and
//! Deadlock Analysis", SoCS 2016.

mod relations;
mod runs;

pub(crate) use relations::Relations;
pub(crate) use runs::Runs;

use super::{FreeCell, Move, Moves, Rules, Table, To};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Role};

/// Declaration for the catalogue.
pub(crate) const INFO: Info = Info {
    guarantee: "consistent",
    requires: "FreeCell",
    reference: "Paul and Helmert 2016, Optimal solitaire game solutions using A* search and deadlock \
                analysis, SoCS",
    ..Info::new(
        Role::Heuristic,
        "cycles",
        "FreeCell: cards not home plus the fewest extra moves, of cards (or of runs, where a \
         sequence moves as one action), that break all cycles of waiting cards",
    )
};

/// The fewest extra moves of a position: of single cards, or of sequences.
pub(crate) fn extra_moves(puzzle: &FreeCell, single: bool, table: &Table) -> u32 {
    match single {
        true => Relations::of(puzzle, table).minimum(),
        false => Runs::of(puzzle, table).minimum(0),
    }
}

/// The estimate.
#[derive(Clone, Copy, Debug)]
pub struct Cycles {
    single: bool,
    deck: u32,
}

impl Cycles {
    /// The estimate for a table of these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { single: rules.moves == Moves::Single, deck: rules.deck() as u32 }
    }
}

impl Heuristic<FreeCell> for Cycles {
    /// The extra moves.
    type Memo = u32;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, puzzle: &FreeCell, table: &Table) -> Option<(Cost, u32)> {
        let extra = extra_moves(puzzle, self.single, table);
        Some((self.deck - table.cards_home() + extra, extra))
    }

    #[inline]
    fn child(
        &self,
        puzzle: &FreeCell,
        _: &Table,
        &extra: &u32,
        action: Move,
        child: &Table,
    ) -> Option<(Cost, u32)> {
        let least = extra.saturating_sub(1);
        let extra = match (action.to, self.single) {
            (To::Home, _) => extra,
            (_, true) => {
                let relations = Relations::of(puzzle, child);
                (least..=extra).find(|&most| relations.within(most)).unwrap_or(extra + 1)
            }
            (_, false) => Runs::of(puzzle, child).minimum(least),
        };
        Some((self.deck - child.cards_home() + extra, extra))
    }
}
