//! Automatic moves home in texts of solutions: `autoplay=safe`.
//!
//! Searches play every card that goes home as an action. With `autoplay=safe` the text of a
//! solution omits the moves home that are safe by Horne's rule ([`is_safe`]): at the start and
//! after every written move all safe cards that can go home do so. A solution that keeps such a
//! card back is written as if the card had moved home, and later moves of that card are omitted.
//!
//! Why the remaining moves stay legal: only cards that are safe themselves, and can go home at
//! once, can be laid on a safe card. So the cards that are home early are at the ends of their
//! columns, or in cells, in the position that the solution reaches without autoplay. Without them
//! there are at least as many free cells and columns, and every other move still finds its card at
//! the end of a column and the card that it goes onto.

use super::{
    Layout, Move, To,
    card::{Card, SUITS},
    layout::Place,
    measures::is_safe,
};
use unriddle_core::words;

words! {
    /// Whether texts of solutions leave out cards that go home safely.
    pub enum Autoplay {
        /// Every move is written.
        Written = "written",
        /// Cards that can go home safely do so without being written.
        Safe = "safe",
    }
}

impl Layout {
    /// Moves cards home as long as one can move there safely.
    pub(crate) fn settle(&mut self, mut sent: impl FnMut(Move)) {
        while let Some(card) = (0..SUITS as u8).find_map(|suit| self.next_safe(suit)) {
            let action = Move { card, to: To::Home };
            if self.play(action, &mut String::new()).is_none() {
                return;
            }
            sent(action);
        }
    }

    /// The next card of a suit, if it is safe and can go home.
    fn next_safe(&self, suit: u8) -> Option<Card> {
        let home = self.foundations[usize::from(suit)];
        if home >= 13 {
            return None;
        }
        let card = Card::new(home + 1, suit);
        let is_free = match self.find(card) {
            Place::Column(column, height) => height + 1 == self.columns[column].len(),
            Place::Cell(_) => true,
            // No card of this deck.
            Place::Home => false,
        };
        (is_free && is_safe(self.foundations, card)).then_some(card)
    }

    /// Whether a card is on its foundation.
    pub(crate) fn is_home(&self, card: Card) -> bool {
        self.foundations[usize::from(card.suit())] >= card.rank()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FreeCell, Rules, parse::parse};
    use unriddle_core::Notation;

    #[test]
    fn a_safe_card_that_was_kept_back_goes_home_early() {
        let rules = |autoplay| Rules { columns: 4, ranks: 3, autoplay, ..Rules::default() };
        let puzzle = |autoplay| {
            let rules = rules(autoplay);
            let board = "3C 2D\n3H 2S AD\n3S 2H AS 2C\nAC 3D AH";
            FreeCell::new(rules, parse(board, &rules).unwrap())
        };
        // 2D waits in a cell, and 2S on 3D; that one is not safe and has to go into a cell.
        let text = "2h 4h 1a 3b 3h 24 4h ah 4c 4h bh 1h 3h 3h 2h ch";
        let actions = puzzle(Autoplay::Written).parse_solution(text).unwrap();
        let safe = puzzle(Autoplay::Safe);
        let written = safe.as_written(&actions).unwrap();
        assert_eq!(safe.solution_text(&actions), "3a 4b");
        assert_eq!(safe.parse_solution("3a 4b").as_ref(), Ok(&written));
        assert_eq!((actions.len(), written.len()), (16, 14));
    }
}
