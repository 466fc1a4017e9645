//! Lower bound of the extra moves of a position, of single cards or of sequences.

use crate::{
    FreeCell, Move, Table, To,
    card::DECK,
    cycles::{Relations, Runs},
};

/// Known bounds of the position whose moves are examined.
pub(crate) struct Estimate {
    sequences: bool,
    /// The extra moves of the position.
    extra: u8,
    /// The bound without a card, or without its run, where it is known.
    without: [u8; DECK],
    relation: Relation,
}

#[allow(clippy::large_enum_variant, reason = "one at a time, on the stack")]
enum Relation {
    /// A relation, and its [`core`](Relations::core).
    Singles(Relations, u64),
    Sequences(Runs),
    /// No move has needed it.
    Unknown,
}

impl Estimate {
    /// Bounds of a position whose extra moves are known.
    #[inline]
    pub(crate) fn new(sequences: bool, extra: u8) -> Self {
        Self { sequences, extra, without: [u8::MAX; DECK], relation: Relation::Unknown }
    }

    /// The extra moves after a move from the position.
    #[inline]
    pub(crate) fn after(&mut self, puzzle: &FreeCell, table: &Table, action: Move) -> u8 {
        if action.to == To::Home {
            return self.extra;
        }
        if matches!(self.relation, Relation::Unknown) {
            self.relation = match self.sequences {
                true => Relation::Sequences(Runs::of(puzzle, table)),
                false => {
                    let relations = Relations::of(puzzle, table);
                    Relation::Singles(relations, relations.core())
                }
            };
        }
        match &self.relation {
            Relation::Singles(relations, core) => {
                after_single(relations, *core, action, self.extra, &mut self.without)
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
    core: u64,
    Move { card, to }: Move,
    extra: u8,
    without: &mut [u8; DECK],
) -> u8 {
    let rest = &mut without[card.index()];
    if *rest == u8::MAX {
        *rest = if core & card.bit() == 0 {
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
    let adds = moved.waits_for_itself(card) || !moved.within_with(u32::from(*rest), card);
    *rest + u8::from(adds)
}
