//! Positions as levels in one line, solutions as letters: `u`, `d`, `l` and `r` are steps of the
//! player, capitals are pushes.
//!
//! Where pushes are counted, the letters of a push consist of the walk to the box and the push
//! itself. Among the shortest walks, the first one in alphabetical order is written.

use crate::{
    board::{Bits, Each},
    level::{Id, Level, Move, NONE, Way},
    picture::{Picture, named},
    rules::{Measure, Sokoban, State},
};
use std::collections::VecDeque;
use unriddle_core::{Notation, ParseError, Puzzle};

/// Maximum number of letters of a solution that is written with counts.
const MOST: usize = 10_000_000;

impl Level {
    /// Appends the letters of the shortest walk between two cells on cells without a box; nothing
    /// if there is no walk.
    fn walk(&self, from: Id, to: Id, boxes: &[bool], letters: &mut String) {
        // The steps from each cell to the end.
        let mut steps = vec![usize::MAX; self.cells()];
        steps[usize::from(to)] = 0;
        let mut queue = VecDeque::from([to]);
        while let Some(at) = queue.pop_front() {
            for &next in self.neighbours(at) {
                let index = usize::from(next);
                if next != NONE && !boxes[index] && steps[index] == usize::MAX {
                    steps[index] = steps[usize::from(at)] + 1;
                    queue.push_back(next);
                }
            }
        }
        let mut at = from;
        // A reachable cell has a neighbour that is nearer to the end.
        while let Some(way) = Way::ALL.into_iter().find(|&way| {
            let next = steps.get(usize::from(self.beside(at, way)));
            next.is_some_and(|&next| next < steps[usize::from(at)])
        }) {
            at = self.beside(at, way);
            letters.push(way.letter(false));
        }
    }

    /// The letters of actions from a position, with every step of the player.
    fn letters(&self, mut boxes: Vec<bool>, mut player: Id, actions: &[Move]) -> String {
        let mut letters = String::new();
        for &Move { onto, way } in actions {
            let behind = self.beside(onto, way.back());
            if behind != NONE {
                self.walk(player, behind, &boxes, &mut letters);
            }
            let pushes = std::mem::take(&mut boxes[usize::from(onto)]);
            letters.push(way.letter(pushes));
            if pushes {
                boxes[usize::from(self.beside(onto, way))] = true;
            }
            player = onto;
        }
        letters
    }

    /// Plays the letters of a solution from a position. Returns the steps and pushes or, where
    /// pushes are counted, only the pushes.
    fn played(
        &self,
        text: &str,
        mut boxes: Vec<bool>,
        mut player: Id,
        measure: Measure,
    ) -> Result<Vec<Move>, ParseError> {
        let mut actions = Vec::new();
        for (way, (line, column)) in letters(text)? {
            let refused = |why: &str| {
                let place = named(self.place(player));
                let letter = way.letter(false);
                let message = format!("`{letter}` is illegal with the player in {place}: {why}");
                Err(ParseError::at(line, column, message))
            };
            let onto = self.beside(player, way);
            if onto == NONE {
                return refused("a wall is in the way");
            }
            let pushes = boxes[usize::from(onto)];
            if pushes {
                let to = self.beside(onto, way);
                if to == NONE {
                    return refused("there is a wall behind the box");
                }
                if boxes[usize::from(to)] {
                    return refused("there is another box behind the box");
                }
                boxes.swap(onto.into(), to.into());
            }
            if pushes || measure == Measure::Moves {
                actions.push(Move { onto, way });
            }
            player = onto;
        }
        Ok(actions)
    }
}

impl<const W: usize> Sokoban<W> {
    /// Whether there is a box on each cell at the start.
    pub(crate) fn has_box(&self) -> Vec<bool> {
        let mut boxes = vec![false; self.board().level.cells()];
        for bit in Each(self.initial_state().boxes) {
            boxes[usize::from(self.board().id(bit))] = true;
        }
        boxes
    }

    /// The letters of actions from the start, with every step of the player.
    #[must_use]
    pub fn letters(&self, actions: &[Move]) -> String {
        self.board().level.letters(self.has_box(), self.begin(), actions)
    }

    /// The level with another position.
    pub(crate) fn pictured(&self, boxes: &Bits<W>, player: Id) -> Picture {
        let board = self.board();
        let boxes = Each(*boxes).map(|bit| board.id(bit));
        board.level.pictured(boxes, player)
    }

    /// The level with the start of this puzzle.
    pub(crate) fn written(&self) -> Picture {
        self.pictured(&self.initial_state().boxes, self.begin())
    }
}

impl<const W: usize> Notation for Sokoban<W> {
    fn state_text(&self, state: &State<W>) -> String {
        self.pictured(&state.boxes, self.board().id(state.player)).text()
    }

    fn solution_text(&self, actions: &[Move]) -> String {
        self.letters(actions)
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Move>, ParseError> {
        self.board().level.played(text, self.has_box(), self.begin(), self.measure)
    }
}

/// A direction with the line and the column of its letter.
type Letter = (Way, (usize, usize));

/// The directions of a solution. A number repeats the letter or the parenthesised group after it.
///
/// # Errors
/// The position of an invalid sign, of an unmatched parenthesis, or of a count without a letter.
pub(crate) fn letters(text: &str) -> Result<Vec<Letter>, ParseError> {
    let mut out: Vec<Letter> = Vec::new();
    // For each open parenthesis, its count, the index of its first letter, and its position.
    let mut open: Vec<(usize, usize, (usize, usize))> = Vec::new();
    let mut count: Option<(usize, (usize, usize))> = None;
    for (line, content) in (1..).zip(text.lines()) {
        for (column, sign) in (1..).zip(content.chars()) {
            let place = (line, column);
            let refused = |message: &str| Err(ParseError::at(line, column, message));
            let times = |count: &mut Option<(usize, _)>| count.take().map_or(1, |(count, _)| count);
            match sign {
                _ if sign.is_whitespace() => {}
                '0'..='9' => {
                    let digit = sign as usize - '0' as usize;
                    let (before, at) = count.unwrap_or((0, place));
                    let value = before * 10 + digit;
                    if value == 0 || value > MOST {
                        return refused("a count is from 1 to 10000000");
                    }
                    count = Some((value, at));
                }
                '(' => open.push((times(&mut count), out.len(), place)),
                ')' if count.is_some() => return refused("expected a letter behind the count"),
                ')' => {
                    let Some((times, from, _)) = open.pop() else {
                        return refused("there is no `(` before this `)`");
                    };
                    let part = out[from..].to_vec();
                    if out.len() + part.len() * (times - 1) > MOST {
                        return refused("expected at most 10000000 letters");
                    }
                    (1..times).for_each(|_| out.extend_from_slice(&part));
                }
                _ => {
                    let Some(way) = Way::of(sign) else {
                        let sign = sign.escape_debug();
                        return refused(&format!("expected u, d, l or r, found `{sign}`"));
                    };
                    let times = times(&mut count);
                    if out.len() + times > MOST {
                        return refused("expected at most 10000000 letters");
                    }
                    out.extend((0..times).map(|_| (way, place)));
                }
            }
        }
    }
    let ((line, column), why) = match (count, open.pop()) {
        (Some((_, place)), _) => (place, "expected a letter behind the count"),
        (None, Some((_, _, place))) => (place, "there is no `)` for this `(`"),
        (None, None) => return Ok(out),
    };
    Err(ParseError::at(line, column, why))
}
