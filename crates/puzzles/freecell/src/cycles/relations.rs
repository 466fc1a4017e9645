//! The relation "must leave before" between cards, as bit sets, and the fewest cards that break all
//! cycles.
//!
//! The minimum is found by reduction and branching on sets in registers: a card on its own list
//! must be struck; cards without successors or predecessors are on no cycle; a card with one
//! successor or one predecessor is never better struck than that neighbour and is bypassed; the
//! remaining cards are branched on (strike the card, or bypass it). Disjoint cycles of two cards
//! bound the number from below. Full decks leave ten to twenty cards, and most questions are
//! answered without a branch.

use crate::{
    FreeCell, Table,
    card::{Card, Cards, DECK},
};

/// Sets of cards, one for each card: more than a deck, so that no index needs a check.
const PLACES: usize = 64;

/// The index of a card's set.
#[inline(always)]
fn place(card: Card) -> usize {
    card.index() % PLACES
}

/// The cards of each card's suit that are higher.
const HIGHER: [u64; DECK] = {
    let mut higher = [0; DECK];
    let mut card = 0;
    while card < DECK {
        let mut other = card + 4;
        while other < DECK {
            higher[card] |= 1 << other;
            other += 4;
        }
        card += 1;
    }
    higher
};

/// The relation of a position: for every card in a column the cards that go home only after a card
/// beneath it has gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relations {
    /// The cards that go home only after a card beneath each card has gone.
    pub(super) after: [u64; PLACES],
    /// The cards that are on top of another card.
    pub(crate) cards: u64,
}

impl Relations {
    /// The relation of a position.
    #[inline]
    pub(crate) fn of(puzzle: &FreeCell, table: &Table) -> Self {
        let mut after = [0; PLACES];
        let mut cards = 0;
        for top in Cards(table.tops) {
            let mut column = [top; DECK];
            let (mut card, mut length) = (top, 1);
            while let Some(below) = puzzle.beneath(&table.key, card) {
                let Some(place) = column.get_mut(length) else {
                    break;
                };
                *place = below;
                card = below;
                length += 1;
                cards |= 1 << column[length - 2].index();
            }
            let mut waiting = 0;
            for &card in column[..length].iter().rev() {
                after[place(card)] = waiting;
                waiting |= HIGHER[card.index()];
            }
        }
        Self { after, cards }
    }

    /// The cards that have to wait for a card.
    #[inline(always)]
    pub(super) fn set(&mut self, card: Card, after: u64) {
        self.after[place(card)] = after;
        match after {
            0 => self.cards &= !card.bit(),
            _ => self.cards |= card.bit(),
        }
    }

    /// The cards that would go home only after a card beneath, for a card laid onto `onto`.
    #[inline(always)]
    pub(crate) fn onto(&self, onto: Card) -> u64 {
        self.after[place(onto)] | HIGHER[onto.index()]
    }

    /// The relation after a move of a top card: onto a card, or (`None`) into a cell, an empty
    /// column or home.
    #[inline]
    pub(crate) fn moved(&self, card: Card, onto: Option<Card>) -> Self {
        let mut moved = *self;
        moved.set(card, onto.map_or(0, |onto| self.onto(onto)));
        moved
    }

    /// Whether a card waits for itself: a lower card of its suit is beneath it.
    #[inline(always)]
    pub(crate) fn waits_for_itself(&self, card: Card) -> bool {
        self.after[place(card)] & card.bit() != 0
    }

    /// The fewest cards that break all cycles.
    pub(crate) fn minimum(&self) -> u32 {
        (0..).find(|&most| self.within(most)).unwrap_or(0)
    }

    /// The cards that are on cycles, perhaps with some that are on none: a card that is not in the
    /// set is in no smallest set that breaks all cycles.
    #[inline]
    pub(crate) fn core(&self) -> u64 {
        let Reduced { struck, cards } = self.reduced();
        struck | cards
    }

    /// Strikes cards on their own list, and leaves out cards without successors or predecessors,
    /// which are on no cycle.
    #[inline]
    fn reduced(&self) -> Reduced {
        let (mut struck, mut cards) = (0, self.cards);
        loop {
            let (mut kept, mut reached) = (cards, 0);
            for card in Cards(cards) {
                let successors = self.after[place(card)] & cards;
                if successors & card.bit() != 0 {
                    struck |= card.bit();
                    kept ^= card.bit();
                } else if successors == 0 {
                    kept ^= card.bit();
                } else {
                    reached |= successors;
                }
            }
            kept &= reached;
            if kept == cards {
                return Reduced { struck, cards };
            }
            cards = kept;
        }
    }

    /// Whether `most` cards break all cycles.
    #[inline]
    pub(crate) fn within(&self, most: u32) -> bool {
        self.is_broken(self.reduced(), most, None)
    }

    /// Whether `most` cards break all cycles, where `most` is the minimum without a card that does
    /// not wait for itself. This card is not struck: `most` others would remain to be struck.
    #[inline]
    pub(crate) fn within_with(&self, most: u32, card: Card) -> bool {
        let reduced = self.reduced();
        reduced.cards & card.bit() == 0 || self.is_broken(reduced, most, Some(card))
    }

    /// Whether `most` cards break all cycles: the struck cards, and others except `kept`.
    #[inline]
    fn is_broken(
        &self,
        Reduced { struck, mut cards }: Reduced,
        most: u32,
        kept: Option<Card>,
    ) -> bool {
        let most = most as i32 - struck.count_ones() as i32;
        if most <= 0 || cards == 0 {
            return most >= 0 && cards == 0;
        }
        let mut net = Net { after: [0; PLACES], before: [0; PLACES] };
        for card in Cards(cards) {
            let successors = self.after[place(card)] & cards;
            net.after[place(card)] = successors;
            for successor in Cards(successors) {
                net.before[place(successor)] |= card.bit();
            }
        }
        if let Some(kept) = kept {
            cards ^= kept.bit();
            net.bypass(net.after[place(kept)], net.before[place(kept)]);
        }
        net.within(cards, most)
    }
}

/// A relation after the first reduction.
struct Reduced {
    /// Cards that every set that breaks all cycles contains.
    struck: u64,
    /// Cards of cycles among the others, perhaps with some that are on none.
    cards: u64,
}

/// Arcs in both directions; arcs of cards out of play may remain.
#[derive(Clone, Copy)]
struct Net {
    after: [u64; PLACES],
    before: [u64; PLACES],
}

impl Net {
    /// Whether `most` cards out of a set break all cycles among its cards.
    fn within(&mut self, mut cards: u64, mut most: i32) -> bool {
        loop {
            let mut changed = true;
            while changed {
                changed = false;
                for card in Cards(cards) {
                    let after = self.after[place(card)] & cards;
                    let before = self.before[place(card)] & cards;
                    if after & card.bit() != 0 {
                        most -= 1;
                        if most < 0 {
                            return false;
                        }
                    } else if after == 0 || before == 0 {
                        // On no cycle.
                    } else if after & (after - 1) == 0 || before & (before - 1) == 0 {
                        self.bypass(after, before);
                    } else {
                        continue;
                    }
                    cards ^= card.bit();
                    changed = true;
                }
            }
            if cards == 0 {
                return true;
            }
            if most == 0 {
                return false;
            }
            // Disjoint cycles of two cards bound the number; branch where they intersect.
            let (mut free, mut pairs) = (cards, 0);
            let (mut chosen, mut most_links) = (0, (0, 0));
            for card in Cards(cards) {
                let i = place(card);
                let after = self.after[i] & cards;
                let before = self.before[i] & cards;
                let mutual = after & before;
                let other = mutual & free;
                if free & card.bit() != 0 && other != 0 {
                    free ^= card.bit() | other & other.wrapping_neg();
                    pairs += 1;
                }
                let links = (mutual.count_ones(), after.count_ones() * before.count_ones());
                if links > most_links {
                    (chosen, most_links) = (i, links);
                }
            }
            if pairs > most {
                return false;
            }
            let card = Card::from_index(chosen);
            cards &= !card.bit();
            let mut struck = *self;
            if struck.within(cards, most - 1) {
                return true;
            }
            self.bypass(self.after[chosen] & cards, self.before[chosen] & cards);
        }
    }

    /// Links the predecessors of a card with its successors.
    #[inline]
    fn bypass(&mut self, after: u64, before: u64) {
        for card in Cards(before) {
            self.after[place(card)] |= after;
        }
        for card in Cards(after) {
            self.before[place(card)] |= before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Moves, Rules, parse};
    use unriddle_core::{Puzzle, Rng};

    /// Whether the cards of a set are on no cycle, card by card.
    fn is_free(relations: &Relations, mut cards: u64) -> bool {
        loop {
            let before = cards;
            for card in Cards(before) {
                if relations.after[card.index()] & cards == 0 {
                    cards &= !card.bit();
                }
            }
            match cards {
                0 => return true,
                _ if cards == before => return false,
                _ => {}
            }
        }
    }

    /// The minimum by trial of all sets of cards on top of another card.
    fn by_trial(relations: &Relations) -> u32 {
        let cards: Vec<Card> = Cards(relations.cards).collect();
        (0..1u64 << cards.len())
            .filter(|set| {
                let struck = |i: usize| set >> i & 1 != 0;
                let kept = (0..cards.len()).filter(|&i| !struck(i));
                is_free(relations, kept.map(|i| cards[i].bit()).sum())
            })
            .map(u64::count_ones)
            .min()
            .unwrap_or(0)
    }

    #[test]
    fn the_minimum_agrees_with_trial_of_all_sets() {
        let (mut seen, mut answers) = ([0; 16], [0; 2]);
        for seed in 0..100 {
            let rules = Rules {
                cells: 3,
                columns: 4,
                ranks: 4 + (seed % 2) as u8,
                moves: Moves::Single,
                ..Rules::default()
            };
            let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
            let mut rng = Rng::new(seed);
            for left in (1..deck.len()).rev() {
                deck.swap(left, rng.below(left as u64 + 1) as usize);
            }
            let puzzle = FreeCell::new(rules, parse::dealt(&deck, &rules));
            let mut table = puzzle.initial_state();
            for _ in 0..8 {
                let relations = Relations::of(&puzzle, &table);
                let expected = by_trial(&relations);
                assert_eq!(relations.minimum(), expected, "seed {seed}");
                seen[expected as usize] += 1;
                for card in Cards(table.tops) {
                    agrees_after_moves(&relations, card, expected, &mut answers);
                }
                let actions: Vec<Move> = puzzle.actions(&table).collect();
                if actions.is_empty() {
                    break;
                }
                let action = actions[rng.below(actions.len() as u64) as usize];
                table = puzzle.apply(&table, action);
            }
        }
        assert!(seen.iter().filter(|&&n| n > 8).count() >= 5, "{seen:?}");
        assert!(answers.iter().all(|&n| n > 100), "{answers:?}");
    }

    /// Compares the answers about a card, on no card and on every other card, with the minimum from
    /// scratch, and counts the answers.
    fn agrees_after_moves(relations: &Relations, card: Card, all: u32, answers: &mut [u32; 2]) {
        let alone = relations.moved(card, None).minimum();
        if relations.core() & card.bit() == 0 {
            assert_eq!(alone, all, "{card} is on no cycle");
        }
        for onto in Cards(relations.cards & !card.bit()) {
            let moved = relations.moved(card, Some(onto));
            if !moved.waits_for_itself(card) {
                let answer = moved.within_with(alone, card);
                assert_eq!(answer, moved.minimum() == alone, "{card} on {onto}");
                answers[usize::from(answer)] += 1;
            }
        }
    }
}
