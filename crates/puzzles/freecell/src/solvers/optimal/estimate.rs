//! Lower bound of the extra moves of a position, of single cards or of sequences.

use crate::{
    FreeCell, Move, Table, To,
    card::DECK,
    cycles::{Relations, Runs},
};

/// Known bounds of the position whose moves are examined.
pub(crate) struct Estimate {
    extra: u8,
    /// The bound without a card, or without its run, where it is known.
    without: [u8; DECK],
    relation: Relation,
}

#[allow(clippy::large_enum_variant, reason = "one at a time, on the stack")]
enum Relation {
    Singles(Relations),
    Sequences(Runs),
    /// Bound of sequences that is not computed.
    Unknown,
}

impl Estimate {
    /// Bounds of a position whose extra moves are known.
    #[inline]
    pub(crate) fn new(puzzle: &FreeCell, sequences: bool, table: &Table, extra: u8) -> Self {
        Self {
            extra,
            without: [u8::MAX; DECK],
            relation: match sequences {
                true => Relation::Unknown,
                false => Relation::Singles(Relations::of(puzzle, table)),
            },
        }
    }

    /// The extra moves after a move from the position.
    #[inline]
    pub(crate) fn after(&mut self, puzzle: &FreeCell, table: &Table, action: Move) -> u8 {
        if action.to == To::Home {
            return self.extra;
        }
        if matches!(self.relation, Relation::Unknown) {
            self.relation = Relation::Sequences(Runs::of(puzzle, table));
        }
        match &self.relation {
            Relation::Singles(relations) => {
                after_single(relations, action, self.extra, &mut self.without)
            }
            Relation::Sequences(runs) => {
                let all = u32::from(self.extra);
                let rest = &mut self.without[runs.end(action.card).index()];
                if *rest == u8::MAX {
                    *rest = runs.without(action.card, all) as u8;
                }
                runs.after(action, all, u32::from(*rest)) as u8
            }
            Relation::Unknown => self.extra,
        }
    }
}

/// The extra moves that are needed after a move not home, from those before it: `without` holds the
/// bound without the card, once it is known.
#[inline]
fn after_single(
    relations: &Relations,
    Move { card, to }: Move,
    extra: u8,
    without: &mut [u8; DECK],
) -> u8 {
    let lies = relations.cards & card.bit() != 0;
    let rest = &mut without[card.index()];
    if *rest == u8::MAX {
        *rest = if !lies {
            extra
        } else if relations.waits_for_itself(card) {
            extra.saturating_sub(1)
        } else {
            let alone = relations.moved(card, None);
            extra - u8::from(extra > 0 && alone.within(u32::from(extra) - 1))
        };
    }
    let Some(onto) = to.onto(card) else {
        return *rest;
    };
    let moved = relations.moved(card, Some(onto));
    if moved.waits_for_itself(card) || !moved.within(u32::from(*rest)) { *rest + 1 } else { *rest }
}
