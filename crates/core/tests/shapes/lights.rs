//! Lights Out: a state is a word, all presses commute, states have numbers.

use super::*;
use unriddle_conformance as conformance;
use unriddle_core::{Ranked, Reversible};

struct Lights {
    start: u32,
}

#[derive(Clone, Copy)]
struct Presses(Bits<1>);
impl Iterator for Presses {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0.next().map(|cell| cell as u8)
    }
}

impl Puzzle for Lights {
    type State = u32;
    type Action = u8;
    type Actions = Presses;

    fn initial_state(&self) -> u32 {
        self.start
    }
    fn actions(&self, _: &u32) -> Presses {
        Presses(Bits([(1 << 25) - 1]))
    }
    fn apply(&self, state: &u32, cell: u8) -> u32 {
        let (row, column) = (cell / 5, cell % 5);
        let near = |other: &u8| (other / 5).abs_diff(row) + (other % 5).abs_diff(column) <= 1;
        state ^ (0..25u8).filter(near).fold(0, |mask, other| mask | 1 << other)
    }
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        last == next
    }
    fn commutes_after(&self, last: u8, next: u8) -> bool {
        next < last
    }
}

impl GoalPuzzle for Lights {
    fn is_goal(&self, state: &u32) -> bool {
        *state == 0
    }
}

impl Reversible for Lights {
    fn inverse(&self, cell: u8) -> u8 {
        cell
    }
}

impl Ranked for Lights {
    fn ranks(&self) -> u64 {
        1 << 25
    }
    fn rank(&self, state: &u32) -> u64 {
        u64::from(*state)
    }
    fn unrank(&self, rank: u64) -> Option<u32> {
        u32::try_from(rank).ok().filter(|&state| state < 1 << 25)
    }
}

#[test]
fn the_shape_fits() {
    let puzzle = Lights { start: 0 };
    let subject = Subject::new(&puzzle);
    conformance::goal(&subject).unwrap();
    conformance::reversible(&subject).unwrap();
    conformance::ranked(&subject).unwrap();
    let start = puzzle.apply(&puzzle.apply(&0, 7), 12);
    assert_eq!(distance(&Lights { start }, 2), Some(2));
}
