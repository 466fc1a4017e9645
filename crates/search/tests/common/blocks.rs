//! SameGame in small, written as naively as possible.

use super::Bits;
use std::collections::HashMap;
use unriddle_core::{Coded, Puzzle, Rng, Score, ScorePuzzle};

/// Cells of the largest board.
pub const CELLS: usize = 25;

/// Coloured blocks in columns. A group of two or more neighbours of one colour can be taken for (n − 2)²;
/// what is above falls, and empty columns close up. A cleared board earns 100, a rest costs (n − 2)² for
/// each colour with n blocks left.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub width: usize,
    pub height: usize,
    pub start: [u8; CELLS],
}

impl Blocks {
    pub fn random(width: usize, height: usize, colours: u64, rng: &mut Rng) -> Self {
        let mut start = [0; CELLS];
        for cell in &mut start[..width * height] {
            *cell = 1 + rng.below(colours) as u8;
        }
        Self {
            width,
            height,
            start,
        }
    }

    /// The cells of a group as a set; cell i is in column i / height, from the bottom.
    fn group(&self, s: &[u8; CELLS], from: usize) -> u32 {
        let cells = self.width * self.height;
        let set = |wanted: &dyn Fn(usize) -> bool| -> u32 {
            (0..cells).map(|i| u32::from(wanted(i)) << i).sum()
        };
        let colour = set(&|i| s[i] == s[from]);
        let bottom = set(&|i| i % self.height == 0);
        let top = set(&|i| i % self.height == self.height - 1);
        let mut group = 1 << from;
        loop {
            let vertical = (group & !top) << 1 | (group & !bottom) >> 1;
            let more = group | (vertical | group << self.height | group >> self.height) & colour;
            if more == group {
                return group;
            }
            group = more;
        }
    }

    /// The best score from a state, by enumeration.
    pub fn best(&self, s: &[u8; CELLS], known: &mut HashMap<[u8; CELLS], Score>) -> Score {
        if let Some(&best) = known.get(s) {
            return best;
        }
        let score = |a| self.reward(s, a) + self.best(&self.apply(s, a), known);
        let best = self.actions(s).map(score).max();
        let best = best.unwrap_or_else(|| self.terminal_bonus(s));
        known.insert(*s, best);
        best
    }

    /// The best score from the start.
    pub fn optimum(&self) -> Score {
        self.best(&self.start, &mut HashMap::new())
    }
}

impl Puzzle for Blocks {
    type State = [u8; CELLS];
    type Action = u8;
    type Actions = Bits;

    fn initial_state(&self) -> [u8; CELLS] {
        self.start
    }
    /// A group goes by the first of its cells.
    fn actions(&self, s: &[u8; CELLS]) -> Bits {
        let mut left: u32 = (0..CELLS).map(|i| u32::from(s[i] > 0) << i).sum();
        let mut actions = 0;
        while left > 0 {
            let group = self.group(s, left.trailing_zeros() as usize);
            if group.count_ones() > 1 {
                actions |= 1 << left.trailing_zeros();
            }
            left &= !group;
        }
        Bits(actions)
    }
    fn apply(&self, s: &[u8; CELLS], action: u8) -> [u8; CELLS] {
        let mut s = *s;
        for i in Bits(self.group(&s, action as usize)) {
            s[i as usize] = 0;
        }
        let mut result = [0; CELLS];
        let mut to = 0;
        for column in s[..self.width * self.height].chunks(self.height) {
            let left = column.iter().filter(|&&block| block > 0);
            for (i, &block) in left.enumerate() {
                result[to * self.height + i] = block;
            }
            to += usize::from(column.iter().any(|&block| block > 0));
        }
        result
    }
}

impl ScorePuzzle for Blocks {
    fn reward(&self, s: &[u8; CELLS], action: u8) -> Score {
        (Score::from(self.group(s, action as usize).count_ones()) - 2).pow(2)
    }
    fn terminal_bonus(&self, s: &[u8; CELLS]) -> Score {
        if s[0] == 0 {
            return 100;
        }
        let left = |colour| s.iter().filter(|&&c| c == colour).count() as Score;
        let rest = |colour| match left(colour) {
            0 => 0,
            n => (n - 2).pow(2),
        };
        -(1..=9).map(rest).sum::<Score>()
    }
}

impl Coded for Blocks {
    type Shape = ();

    fn code(&self, s: &[u8; CELLS], action: u8) -> u64 {
        u64::from(action) << 8 | u64::from(s[action as usize])
    }
}

/// The score of a sequence of legal actions to the end of a game.
pub fn replay<P: ScorePuzzle>(puzzle: &P, actions: &[P::Action]) -> Score {
    let mut s = puzzle.initial_state();
    let mut score = 0;
    for &a in actions {
        assert!(puzzle.actions(&s).any(|b| a == b), "illegal action");
        score += puzzle.reward(&s, a);
        s = puzzle.apply(&s, a);
    }
    assert!(puzzle.is_terminal(&s), "the game goes on");
    score + puzzle.terminal_bonus(&s)
}
