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

    /// The cells of a group; cell i is in column i / height, from the bottom.
    fn group(&self, s: &[u8; CELLS], from: usize) -> Vec<usize> {
        let mut group = vec![from];
        let mut next = 0;
        while next < group.len() {
            let (column, row) = (group[next] / self.height, group[next] % self.height);
            next += 1;
            for i in 0..self.width * self.height {
                let apart = (i / self.height).abs_diff(column) + (i % self.height).abs_diff(row);
                if apart == 1 && s[i] == s[from] && !group.contains(&i) {
                    group.push(i);
                }
            }
        }
        group
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
        let legal = |&i: &usize| {
            let group = self.group(s, i);
            s[i] > 0 && group.len() > 1 && group.iter().all(|&j| j >= i)
        };
        Bits((0..CELLS).filter(legal).map(|i| 1 << i).sum())
    }
    fn apply(&self, s: &[u8; CELLS], action: u8) -> [u8; CELLS] {
        let mut s = *s;
        for i in self.group(&s, action as usize) {
            s[i] = 0;
        }
        let columns = s[..self.width * self.height].chunks(self.height);
        let columns = columns.map(|c| c.iter().copied().filter(|&b| b > 0).collect::<Vec<_>>());
        let mut result = [0; CELLS];
        for (i, column) in columns.filter(|c| !c.is_empty()).enumerate() {
            result[i * self.height..][..column.len()].copy_from_slice(&column);
        }
        result
    }
}

impl ScorePuzzle for Blocks {
    fn reward(&self, s: &[u8; CELLS], action: u8) -> Score {
        (self.group(s, action as usize).len() as Score - 2).pow(2)
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
