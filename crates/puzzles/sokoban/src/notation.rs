//! Positions as levels in one line, solutions as letters: `u`, `d`, `l` and `r` are steps of the
//! player, capitals are pushes.
//!
//! Where pushes are counted, the letters of a push consist of the walk to the box and the push
//! itself. Among the shortest walks, the first one in alphabetical order is written.

use crate::{
    board::{Bits, Each, and, has, is_empty, moved, one, or, without},
    level::{Id, Move, NONE, Way},
    picture::{Picture, named},
    rules::{Measure, Sokoban, State},
};
use unriddle_core::{Notation, ParseError, Puzzle};

/// Maximum number of letters of a solution that is written with counts.
const MOST: usize = 10_000_000;

impl<const W: usize> Sokoban<W> {
    /// The letters of the shortest walk between two cells on free cells; `None` if there is no
    /// walk.
    fn walk(&self, from: Id, to: Id, free: &Bits<W>) -> Option<String> {
        let board = &**self.board();
        let (start, end) = (board.bit(from), board.bit(to));
        // Cells by their distance from the end.
        let mut layers = vec![one::<W>(end)];
        let mut seen = layers[0];
        while !has(&seen, start) {
            let last = layers[layers.len() - 1];
            let next = and(&board.around(&last), free);
            let next = without(&next, &seen);
            if is_empty(&next) {
                return None;
            }
            seen = or(&seen, &next);
            layers.push(next);
        }
        let mut at = start;
        let mut letters = String::new();
        layers.pop();
        while let Some(layer) = layers.pop() {
            // A reachable cell has a neighbour that is nearer to the end.
            let way = Way::ALL.into_iter().find(|&way| {
                let step = board.step(&one(at), way);
                !is_empty(&and(&step, &layer))
            })?;
            at = board.beside(at, way);
            letters.push(way.letter(false));
        }
        Some(letters)
    }

    /// The letters of actions from the start, with every step of the player.
    #[must_use]
    pub fn letters(&self, actions: &[Move]) -> String {
        let board = self.board();
        let mut letters = String::new();
        let mut boxes = self.initial_state().boxes;
        let mut player = self.begin();
        for action in actions {
            let onto = board.bit(action.onto);
            let behind = board.level().beside(action.onto, action.way.back());
            let pushes = has(&boxes, onto);
            let free = without(&board.floor, &boxes);
            if behind != NONE
                && let Some(walk) = self.walk(player, behind, &free)
            {
                letters += &walk;
            }
            letters.push(action.way.letter(pushes));
            if pushes {
                boxes = moved(&boxes, onto, board.beside(onto, action.way));
            }
            player = action.onto;
        }
        letters
    }

    /// The level with another position.
    pub(crate) fn pictured(&self, boxes: &Bits<W>, player: Id) -> Picture {
        let board = self.board();
        let boxes = Each(*boxes).map(|bit| board.id(bit));
        board.level().pictured(boxes, player)
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
        let board = self.board();
        let level = board.level();
        let mut boxes = self.initial_state().boxes;
        let mut player = self.begin();
        let mut actions = Vec::new();
        for (way, (line, column)) in letters(text)? {
            let refused = |why: &str| {
                let place = named(level.place(player));
                let letter = way.letter(false);
                let message = format!("`{letter}` is illegal with the player in {place}: {why}");
                Err(ParseError::at(line, column, message))
            };
            let onto = level.beside(player, way);
            if onto == NONE {
                return refused("a wall is in the way");
            }
            let pushes = has(&boxes, board.bit(onto));
            if pushes {
                let to = level.beside(onto, way);
                if to == NONE {
                    return refused("there is a wall behind the box");
                }
                if has(&boxes, board.bit(to)) {
                    return refused("there is another box behind the box");
                }
                boxes = moved(&boxes, board.bit(onto), board.bit(to));
            }
            if pushes || self.measure() == Measure::Moves {
                actions.push(Move { onto, way });
            }
            player = onto;
        }
        Ok(actions)
    }
}

/// A direction with the line and the column of its letter.
type Letter = (Way, (usize, usize));

/// The directions of a solution. A number repeats the letter or the parenthesised group after it.
///
/// # Errors
/// The position of an invalid sign, of an unmatched parenthesis, or of a count without a letter.
pub fn letters(text: &str) -> Result<Vec<Letter>, ParseError> {
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
    match (count, open.pop()) {
        (Some((_, (line, column))), _) => {
            Err(ParseError::at(line, column, "expected a letter behind the count"))
        }
        (None, Some((_, _, (line, column)))) => {
            Err(ParseError::at(line, column, "there is no `)` for this `(`"))
        }
        (None, None) => Ok(out),
    }
}
