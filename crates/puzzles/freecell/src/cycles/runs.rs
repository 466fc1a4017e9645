//! The same for whole runs: the fewest runs that break all circles, where a sequence moves at once.
//!
//! Found by reduction and branching on sets of cards: a run with a card that waits for itself is
//! struck; cards without successors or predecessors are on no cycle. Then the run that shares
//! cycles of two cards with the most others is struck, or all those others are; without such
//! cycles, a run of a shortest one. Disjoint cycles bound the number from below.

use super::Relations;
use crate::{
    FreeCell, Move, Table, To,
    card::{Card, Cards, DECK},
};

/// The relation of a position, and which cards are struck together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs {
    relations: Relations,
    /// The cards of each card's run.
    run: [u64; DECK],
}

impl Runs {
    /// The relation and the runs of a position.
    #[inline]
    pub(crate) fn of(puzzle: &FreeCell, table: &Table) -> Self {
        let relations = Relations::of(puzzle, table);
        let mut run = [0; DECK];
        for top in Cards(table.tops) {
            let (mut card, mut cards) = (top, 0);
            loop {
                cards |= card.bit();
                let below = puzzle.beneath(&table.key, card);
                if below.is_none() || !puzzle.is_ordered(&table.key, card) {
                    for member in Cards(cards) {
                        run[member.index()] = cards;
                    }
                    cards = 0;
                }
                match below {
                    Some(below) => card = below,
                    None => break,
                }
            }
        }
        Self { relations, run }
    }

    /// The fewest runs that break all cycles, if there are at least `least`.
    #[inline]
    pub(crate) fn minimum(&self, least: u32) -> u32 {
        let (cards, forced) = self.reduced(self.relations.cards);
        let mut most = least.max(forced);
        while !self.within(cards, (most - forced) as i32) {
            most += 1;
        }
        most
    }

    /// The last card of a card's run.
    #[inline]
    pub(crate) fn end(&self, card: Card) -> Card {
        let run = self.run[card.index()] | card.bit();
        Card::from_index(run.trailing_zeros() as usize)
    }

    /// The fewest runs beside a card's own that break all cycles, from the fewest of all.
    #[inline]
    pub(crate) fn without(&self, card: Card, all: u32) -> u32 {
        let run = self.run[card.index()];
        if run == 0 {
            return all;
        }
        if all == 0 || Cards(run).any(|card| self.relations.waits_for_itself(card)) {
            return all.saturating_sub(1);
        }
        let (cards, forced) = self.reduced(self.relations.cards & !run);
        all - u32::from(self.within(cards, all as i32 - 1 - forced as i32))
    }

    /// The fewest runs after a move not home, from those before it (`all`) and those without the
    /// run from which cards move (`rest`).
    #[inline]
    pub(crate) fn after(&self, Move { card, to }: Move, all: u32, rest: u32) -> u32 {
        let lies = self.run[card.index()] != 0;
        let own = self.run[card.index()] | card.bit();
        // Ranks fall within a run.
        let moved = own & (card.bit() | (card.bit() - 1));
        let onto = to.onto(card);
        if onto.is_none() && (!lies || moved == own && moved == card.bit() || rest == all) {
            // Cards on top of fewer cards than before, or of none.
            return rest;
        }
        let mut after = *self;
        let (mut waiting, mut joined) = match onto {
            Some(onto) => (self.relations.onto(onto), self.run[onto.index()] | moved),
            None => (0, moved),
        };
        let mut left = moved;
        while left != 0 {
            let next = Card::from_index(63 - left.leading_zeros() as usize);
            left ^= next.bit();
            after.relations.set(next, waiting);
            waiting |= after.relations.onto(next);
        }
        if to == To::Cell {
            joined = 0;
        }
        for member in Cards(joined) {
            after.run[member.index()] = joined;
        }
        for member in Cards(own & !moved) {
            after.run[member.index()] = own & !moved;
        }
        after.minimum(rest)
    }

    /// Strikes runs with a card that waits for itself, and removes cards that are on no cycle.
    /// Returns the remaining cards and the number of struck runs.
    #[inline]
    fn reduced(&self, mut cards: u64) -> (u64, u32) {
        let mut struck = 0;
        loop {
            let (mut kept, mut reached) = (cards, 0);
            for card in Cards(cards) {
                let successors = self.relations.after[card.index()] & cards;
                if successors & card.bit() != 0 {
                    struck += u32::from(kept & card.bit() != 0);
                    kept &= !self.run[card.index()];
                } else if successors == 0 {
                    kept &= !card.bit();
                } else {
                    reached |= successors;
                }
            }
            kept &= reached;
            if kept == cards {
                return (cards, struck);
            }
            cards = kept;
        }
    }

    /// Whether `most` runs break all cycles among cards that are reduced.
    #[inline]
    fn within(&self, cards: u64, most: i32) -> bool {
        if cards == 0 || most <= 0 {
            return cards == 0 && most >= 0;
        }
        let mut partners = [0; DECK];
        for card in Cards(cards) {
            let after = self.relations.after[card.index()] & cards;
            for other in Cards(after & (card.bit() - 1)) {
                if self.relations.after[other.index()] & card.bit() != 0 {
                    partners[card.index()] |= self.run[other.index()];
                    partners[other.index()] |= self.run[card.index()];
                }
            }
        }
        self.branch(&partners, cards, most)
    }

    /// The same, with the runs that share cycles of two cards with each card.
    fn branch(&self, partners: &[u64; DECK], cards: u64, most: i32) -> bool {
        // Cycles of two cards: disjoint ones, and the run that is on most.
        let (mut free, mut disjoint) = (cards, 0);
        let (mut chosen, mut struck, mut most_struck) = (0, 0, 0);
        let mut rest = cards;
        while rest != 0 {
            let run = self.run[rest.trailing_zeros() as usize] & cards;
            rest &= !run;
            let mutual = Cards(run).fold(0, |all, card| all | partners[card.index()]) & cards;
            if mutual == 0 {
                continue;
            }
            if run & free != 0 && mutual & free != 0 {
                let other = (mutual & free).trailing_zeros() as usize;
                free &= !(run | self.run[other]);
                disjoint += 1;
                if disjoint > most {
                    return false;
                }
            }
            let count = self.count(mutual);
            if count > most_struck {
                (chosen, struck, most_struck) = (run, mutual, count);
            }
        }
        // One more cycle among the remaining cards exceeds the limit.
        if disjoint == most && free != 0 && self.reduced(free).0 != 0 {
            return false;
        }
        if most_struck > 0 {
            return self.struck(partners, cards, chosen, most - 1)
                || self.struck(partners, cards, struck, most - most_struck);
        }
        let mut cycle = self.cycle(cards);
        while cycle != 0 {
            let run = self.run[cycle.trailing_zeros() as usize];
            if self.struck(partners, cards, run, most - 1) {
                return true;
            }
            cycle &= !run;
        }
        false
    }

    /// The same without some cards.
    fn struck(&self, partners: &[u64; DECK], cards: u64, struck: u64, most: i32) -> bool {
        if most < 0 {
            return false;
        }
        let (cards, forced) = self.reduced(cards & !struck);
        let most = most - forced as i32;
        if cards == 0 || most <= 0 {
            return cards == 0 && most >= 0;
        }
        self.branch(partners, cards, most)
    }

    /// Number of runs that contain the given cards.
    #[inline]
    fn count(&self, mut cards: u64) -> i32 {
        let mut count = 0;
        while cards != 0 {
            cards &= !self.run[cards.trailing_zeros() as usize];
            count += 1;
        }
        count
    }

    /// The cards of a short cycle; every card has a successor.
    fn cycle(&self, cards: u64) -> u64 {
        let mut best = cards;
        for start in Cards(cards) {
            // Breadth first from the start; `from` is the card by which a card was reached.
            let mut from = [start; DECK];
            let (mut seen, mut wave) = (0, start.bit());
            while wave != 0 && seen & start.bit() == 0 {
                let mut next = 0;
                for card in Cards(wave) {
                    let reached = self.relations.after[card.index()] & cards & !seen;
                    for other in Cards(reached) {
                        from[other.index()] = card;
                    }
                    seen |= reached;
                    next |= reached;
                }
                wave = next;
            }
            if seen & start.bit() == 0 {
                continue;
            }
            let mut cycle = start.bit();
            let mut card: Card = from[start.index()];
            while cycle & card.bit() == 0 {
                cycle |= card.bit();
                card = from[card.index()];
            }
            if cycle.count_ones() < best.count_ones() {
                best = cycle;
            }
            if best.count_ones() <= 3 {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, parse};
    use unriddle_core::{Puzzle, Rng};

    /// The minimum by trying all sets of runs.
    fn by_trial(runs: &Runs) -> u32 {
        let mut groups: Vec<u64> = Vec::new();
        for card in Cards(runs.relations.cards) {
            let run = runs.run[card.index()];
            if !groups.contains(&run) {
                groups.push(run);
            }
        }
        (0..1u64 << groups.len())
            .filter(|set| {
                let kept = (0..groups.len()).filter(|i| set >> i & 1 == 0);
                let mut cards = kept.fold(0, |all, i| all | groups[i]);
                // Cards that wait for no remaining card go home.
                loop {
                    let before = cards;
                    for card in Cards(before) {
                        if runs.relations.after[card.index()] & cards == 0 {
                            cards &= !card.bit();
                        }
                    }
                    match cards {
                        0 => return true,
                        _ if cards == before => return false,
                        _ => {}
                    }
                }
            })
            .map(u64::count_ones)
            .min()
            .unwrap_or(0)
    }

    /// From scratch, and incrementally after every move.
    #[test]
    fn the_minimum_agrees_with_trial_of_all_sets() {
        let (mut seen, mut longer) = ([0; 16], 0);
        for seed in 0..150 {
            let rules =
                Rules { cells: 3, columns: 5, ranks: 4 + (seed % 2) as u8, ..Rules::default() };
            let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
            let mut rng = Rng::new(seed);
            rng.shuffle(&mut deck);
            let puzzle = FreeCell::new(rules, parse::dealt(&deck, &rules));
            let mut table = puzzle.initial_state();
            for _ in 0..12 {
                let runs = Runs::of(&puzzle, &table);
                let all = by_trial(&runs);
                assert_eq!(runs.minimum(0), all, "seed {seed}");
                seen[all as usize] += 1;
                let actions: Vec<Move> = puzzle.actions(&table).collect();
                for &action in actions.iter().filter(|action| action.to != To::Home) {
                    let child = Runs::of(&puzzle, &puzzle.apply(&table, action));
                    let rest = runs.without(action.card, all);
                    let expected = child.minimum(0);
                    assert_eq!(runs.after(action, all, rest), expected, "seed {seed}");
                    longer += u32::from(puzzle.above(&table, action.card).is_some());
                }
                if actions.is_empty() {
                    break;
                }
                table = puzzle.apply(&table, actions[rng.below(actions.len() as u64) as usize]);
            }
        }
        assert!(seen.iter().filter(|&&n| n > 8).count() >= 4, "{seen:?}");
        assert!(longer > 100, "{longer} sequences");
    }
}
