//! Which cards have to leave before which, as bit sets, and the fewest cards that break all cycles.
//!
//! The minimum is found by reduction and branching on sets in registers: a card on its own list must be
//! struck; cards without successors or predecessors are on no cycle; a card with one successor or one
//! predecessor is never better struck than that neighbour and is bypassed; what is left is branched upon
//! (strike the card, or bypass it). Disjoint cycles of two cards bound the number from below. Full decks
//! leave ten to twenty cards, and most questions are answered without a branch.

use crate::freecell::{
    FreeCell, Table,
    card::{Card, Cards, DECK},
};

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
pub struct Relations {
    after: [u64; DECK],
    /// The cards that lie on others.
    cards: u64,
}

impl Relations {
    /// The relation of a position.
    #[must_use]
    #[inline]
    pub fn of(puzzle: &FreeCell, table: &Table) -> Self {
        let mut after = [0; DECK];
        let mut cards = 0;
        for top in Cards(table.tops()) {
            let mut column = [top; DECK];
            let (mut card, mut length) = (top, 1);
            while let Some(below) = puzzle.beneath(table.key(), card) {
                let Some(place) = column.get_mut(length) else {
                    break;
                };
                *place = below;
                card = below;
                length += 1;
                cards |= 1 << column[length - 2].index();
            }
            let mut waiting = 0;
            for card in column[..length].iter().rev() {
                after[card.index()] = waiting;
                waiting |= HIGHER[card.index()];
            }
        }
        Self { after, cards }
    }

    /// The cards that lie on others.
    #[must_use]
    #[inline(always)]
    pub fn cards(&self) -> u64 {
        self.cards
    }

    /// The cards that would go home only after a card beneath, for a card laid onto `onto`.
    #[must_use]
    #[inline(always)]
    pub fn onto(&self, onto: Card) -> u64 {
        self.after[onto.index()] | HIGHER[onto.index()]
    }

    /// The relation after a top card was laid somewhere: onto a card, or (`None`) where it lies on none.
    #[must_use]
    #[inline]
    pub fn moved(&self, card: Card, onto: Option<Card>) -> Self {
        let mut moved = *self;
        match onto {
            Some(onto) => {
                moved.after[card.index()] = self.onto(onto);
                moved.cards |= card.bit();
            }
            None => {
                moved.after[card.index()] = 0;
                moved.cards &= !card.bit();
            }
        }
        moved
    }

    /// Whether a card waits for itself: a lower card of its suit lies beneath it.
    #[must_use]
    #[inline(always)]
    pub fn waits_for_itself(&self, card: Card) -> bool {
        self.after[card.index()] & card.bit() != 0
    }

    /// The fewest cards that break all cycles.
    #[must_use]
    pub fn minimum(&self) -> u32 {
        let mut most = 0;
        while !self.within(most) {
            most += 1;
        }
        most
    }

    /// Whether so few cards break all cycles.
    #[must_use]
    #[inline]
    pub fn within(&self, most: u32) -> bool {
        let mut after = self.after;
        within(&mut after, self.cards, most as i32)
    }
}

/// Whether `most` cards out of a set break all cycles among its cards.
fn within(after: &mut [u64; DECK], mut cards: u64, mut most: i32) -> bool {
    loop {
        // Cards on their own list are struck; cards without successors or predecessors are on no cycle.
        let twice = loop {
            let (mut once, mut twice) = (0, 0);
            let mut kept = cards;
            for card in Cards(cards) {
                let successors = after[card.index()] & cards;
                if successors & card.bit() != 0 {
                    most -= 1;
                    if most < 0 {
                        return false;
                    }
                    kept ^= card.bit();
                } else if successors == 0 {
                    kept ^= card.bit();
                } else {
                    twice |= once & successors;
                    once |= successors;
                }
            }
            kept &= once;
            if kept == cards {
                break twice;
            }
            cards = kept;
        };
        if cards == 0 {
            return true;
        }
        if most == 0 {
            return false;
        }
        // A card with one successor or one predecessor.
        let mut bypassed = false;
        let mut before = [0u64; DECK];
        for card in Cards(cards) {
            let successors = after[card.index()] & cards;
            if successors & (successors - 1) == 0 || card.bit() & !twice != 0 {
                bypass(after, cards, card);
                cards ^= card.bit();
                bypassed = true;
                break;
            }
            for successor in Cards(successors) {
                before[successor.index()] |= card.bit();
            }
        }
        if bypassed {
            continue;
        }
        // Disjoint cycles of two cards.
        let (mut free, mut pairs) = (cards, 0);
        let (mut chosen, mut most_pairs, mut most_links) = (0, 0, 0);
        for card in Cards(cards) {
            let i = card.index();
            let mutual = after[i] & before[i];
            if free & card.bit() != 0 && mutual & free != 0 {
                let other = mutual & free;
                free &= !(card.bit() | other & other.wrapping_neg());
                pairs += 1;
            }
            let links = (after[i] & cards).count_ones() * before[i].count_ones();
            let count = mutual.count_ones();
            if (count, links) > (most_pairs, most_links) {
                (chosen, most_pairs, most_links) = (i, count, links);
            }
        }
        if pairs > most {
            return false;
        }
        let card = Card::from_index(chosen);
        cards &= !card.bit();
        let mut copy = *after;
        if within(&mut copy, cards, most - 1) {
            return true;
        }
        bypass(after, cards, card);
    }
}

/// Links the predecessors of a card with its successors.
#[inline]
fn bypass(after: &mut [u64; DECK], cards: u64, card: Card) {
    let successors = after[card.index()];
    for other in Cards(cards) {
        let list = &mut after[other.index()];
        if *list & card.bit() != 0 {
            *list |= successors;
        }
    }
}
