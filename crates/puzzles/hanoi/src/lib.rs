//! Towers of Hanoi: disks on pegs, never a larger one on a smaller one, all to be brought to the
//! last peg.
//!
//! This is the smallest puzzle with a parameter, and the crate to copy for a new puzzle: the rules
//! are here, and [`family`] declares the puzzle to the program. The other modules are needed only
//! for high towers: [`stewart`] solves any position at once, and [`exact`] proves the fewest moves
//! by the estimate of [`towers`].
//!
//! ```
//! use unriddle_core::{Notation, Puzzle};
//! use unriddle_hanoi::Hanoi;
//!
//! let puzzle = Hanoi::parse("1 1 1", 3)?;
//! let moves = puzzle.parse_solution("1-3 1-2 3-2 1-3 2-1 2-3 1-3")?;
//! let last = moves.iter().fold(puzzle.initial_state(), |state, &step| puzzle.apply(&state, step));
//! assert_eq!(puzzle.state_text(&last), "3 3 3");
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```

#![forbid(unsafe_code)]

pub mod classes;
mod draw;
pub mod exact;
pub mod family;
mod layers;
mod lists;
pub mod stewart;
mod touch;
pub mod towers;

#[cfg(not(test))]
pub use family::FAMILY;

use unriddle_core::{Cost, GoalPuzzle, Notation, ParseError, Puzzle, text};

/// Most disks.
pub const MOST: usize = 20;

/// Most pegs.
pub const PEGS: usize = 9;

/// Top of a peg without disks: larger than any disk.
const NO_DISK: u8 = u8::MAX;

/// The peg of each disk from the smallest one, counted from 0. Unused disks are on the goal peg.
pub type State = [u8; MOST];

/// The topmost disk of a peg goes to another peg; pegs count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The peg that it leaves.
    pub from: u8,
    /// The peg that it goes to.
    pub to: u8,
}

/// The legal steps of a state: pairs of pegs, in order.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The smallest disk of each peg.
    tops: [u8; PEGS],
    pegs: u8,
    /// The number of the next pair.
    next: u8,
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        while self.next < self.pegs * self.pegs {
            let (from, to) = (self.next / self.pegs, self.next % self.pegs);
            self.next += 1;
            if self.tops[usize::from(from)] < self.tops[usize::from(to)] {
                return Some(Step { from, to });
            }
        }
        None
    }
}

/// An instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hanoi {
    disks: usize,
    pegs: u8,
    start: State,
}

impl Hanoi {
    /// Reads the peg of each disk from the smallest one; pegs count from 1. A text in brackets is a
    /// list of the disks of each peg.
    ///
    /// # Errors
    /// [`ParseError`] for an invalid peg or an excess of disks.
    pub fn parse(text: &str, pegs: u8) -> Result<Self, ParseError> {
        if text.trim_start().starts_with('[') {
            return lists::parse(text, pegs);
        }
        let mut disks = 0;
        let read = text::read(text, |word| {
            disks += 1;
            match peg(word, pegs) {
                _ if disks > MOST => Err(format!("expected at most {MOST} disks")),
                Some(peg) => Ok(peg),
                None => Err(format!("expected a peg of 1 to {pegs}")),
            }
        })?;
        let mut start = [pegs - 1; MOST];
        start[..read.len()].copy_from_slice(&read);
        Ok(Self { disks: read.len(), pegs, start })
    }

    /// The puzzle's own disks.
    fn disks<'s>(&self, state: &'s State) -> &'s [u8] {
        &state[..self.disks]
    }

    /// The smallest disk of a peg.
    fn top(&self, state: &State, peg: u8) -> Option<usize> {
        self.disks(state).iter().position(|&at| at == peg)
    }
}

/// A peg of a text, counted from 0.
fn peg(word: &str, pegs: u8) -> Option<u8> {
    let number: u8 = word.parse().ok()?;
    (1..=pegs).contains(&number).then(|| number - 1)
}

impl Puzzle for Hanoi {
    type State = State;
    type Action = Step;
    type Actions = Steps;

    fn initial_state(&self) -> State {
        self.start
    }

    fn actions(&self, state: &State) -> Steps {
        let mut tops = [NO_DISK; PEGS];
        for (disk, &peg) in self.disks(state).iter().enumerate().rev() {
            tops[usize::from(peg)] = disk as u8;
        }
        Steps { tops, pegs: self.pegs, next: 0 }
    }

    fn apply(&self, state: &State, step: Step) -> State {
        let mut after = *state;
        if let Some(disk) = self.top(state, step.from) {
            after[disk] = step.to;
        }
        after
    }

    fn is_inverse(&self, last: Step, next: Step) -> bool {
        (last.from, last.to) == (next.to, next.from)
    }
}

impl GoalPuzzle for Hanoi {
    fn is_goal(&self, state: &State) -> bool {
        self.disks(state).iter().all(|&peg| peg == self.pegs - 1)
    }
}

impl Notation for Hanoi {
    fn state_text(&self, state: &State) -> String {
        let pegs: Vec<String> = self.disks(state).iter().map(|peg| (peg + 1).to_string()).collect();
        pegs.join(" ")
    }

    fn solution_text(&self, steps: &[Step]) -> String {
        let step = |step: &Step| format!("{}-{}", step.from + 1, step.to + 1);
        let steps: Vec<String> = steps.iter().map(step).collect();
        steps.join(" ")
    }

    fn parse_solution(&self, text: &str) -> Result<Vec<Step>, ParseError> {
        text::read(text, |word| {
            let pegs = word.split_once('-');
            let step = pegs.and_then(|(from, to)| {
                let (from, to) = (peg(from, self.pegs)?, peg(to, self.pegs)?);
                Some(Step { from, to })
            });
            step.ok_or_else(|| {
                format!("expected a step between pegs 1 to {}, such as 1-2", self.pegs)
            })
        })
    }
}

/// Number of disks that are not on the last peg: each of them moves at least once, and a step moves
/// one disk.
#[must_use]
pub fn misplaced(puzzle: &Hanoi, state: &State) -> Option<Cost> {
    let disks = puzzle.disks(state).iter();
    Some(disks.filter(|&&peg| peg != puzzle.pegs - 1).count() as Cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_put_only_on_larger_ones() {
        let puzzle = Hanoi::parse("1 2 1", 3).unwrap();
        let steps: Vec<Step> = puzzle.actions(&puzzle.initial_state()).collect();
        assert_eq!(puzzle.solution_text(&steps), "1-2 1-3 2-3");
    }

    #[test]
    fn errors_have_a_position() {
        let error = |text, pegs| Hanoi::parse(text, pegs).unwrap_err().to_string();
        assert_eq!(error("1 4", 3), "line 1, column 3: expected a peg of 1 to 3, found `4`");
        assert_eq!(
            error(&"1 ".repeat(MOST + 1), 4),
            "line 1, column 41: expected at most 20 disks, found `1`"
        );
        let puzzle = Hanoi::parse("1 1", 4).unwrap();
        let steps = puzzle.parse_solution("1-2 1-5").unwrap_err().to_string();
        assert_eq!(
            steps,
            "line 1, column 5: expected a step between pegs 1 to 4, such as 1-2, found `1-5`"
        );
    }
}
