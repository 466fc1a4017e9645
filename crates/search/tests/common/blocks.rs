//! A small SameGame: columns of coloured cells, bottom first.

use std::collections::HashMap;
use unriddle_core::{
    Layered, Puzzle, Rng, Score, ScorePuzzle, Selective, StateValue, playout::Coded,
};

pub const SIDE: usize = 8;
/// Columns of cells; 0 is empty.
pub type Board = [[u8; SIDE]; SIDE];

/// A cursor over the actions whose bit is set, smallest first.
#[derive(Clone, Copy, Debug)]
pub struct Cells(u64);

impl Iterator for Cells {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        let i = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(i as u8)
    }
}

/// Removing n ≥ 2 connected cells of a colour earns (n − 2)², the empty board 30 more, and each
/// cell that is left costs 1.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub start: Board,
}

impl Blocks {
    pub fn random(width: usize, height: usize, colours: u64, rng: &mut Rng) -> Self {
        let mut start = Board::default();
        for column in start.iter_mut().take(width) {
            for cell in column.iter_mut().take(height) {
                *cell = 1 + rng.below(colours) as u8;
            }
        }
        Self { start }
    }

    /// The cells of the group of a cell, a bit for each.
    fn group(board: &Board, cell: usize) -> u64 {
        let colour = board[cell / SIDE][cell % SIDE];
        let alike = (0..SIDE * SIDE)
            .filter(|i| board[i / SIDE][i % SIDE] == colour)
            .fold(0u64, |cells, i| cells | 1 << i);
        // All but the highest and all but the lowest cell of the columns.
        let (not_top, not_bottom) = (0x7f7f_7f7f_7f7f_7f7f, 0xfefe_fefe_fefe_fefe);
        let mut group = 1u64 << cell;
        loop {
            let sides = group << SIDE | group >> SIDE;
            let next = (group | sides | (group & not_top) << 1 | (group & not_bottom) >> 1) & alike;
            if next == group {
                return group;
            }
            group = next;
        }
    }

    /// The optimum, by looking at everything.
    pub fn optimum(&self) -> Score {
        fn best(puzzle: &Blocks, board: &Board, known: &mut HashMap<Board, Score>) -> Score {
            if let Some(&value) = known.get(board) {
                return value;
            }
            let value = puzzle
                .actions(board)
                .map(|a| puzzle.reward(board, a) + best(puzzle, &puzzle.apply(board, a), known))
                .max()
                .unwrap_or_else(|| puzzle.terminal_bonus(board));
            known.insert(*board, value);
            value
        }
        best(self, &self.start, &mut HashMap::new())
    }
}

impl Puzzle for Blocks {
    type State = Board;
    /// The lowest cell of a group.
    type Action = u8;
    type Actions = Cells;

    fn initial_state(&self) -> Board {
        self.start
    }
    fn actions(&self, board: &Board) -> Cells {
        let (mut seen, mut legal) = (0u64, 0u64);
        for i in 0..SIDE * SIDE {
            if board[i / SIDE][i % SIDE] != 0 && seen >> i & 1 == 0 {
                let group = Self::group(board, i);
                seen |= group;
                legal |= u64::from(group.count_ones() > 1) << i;
            }
        }
        Cells(legal)
    }
    fn apply(&self, board: &Board, action: u8) -> Board {
        let group = Self::group(board, action as usize);
        let mut next = Board::default();
        let mut x = 0;
        for (i, column) in board.iter().enumerate() {
            let mut y = 0;
            for (j, &cell) in column.iter().enumerate() {
                if cell != 0 && group >> (i * SIDE + j) & 1 == 0 {
                    next[x][y] = cell;
                    y += 1;
                }
            }
            x += usize::from(y > 0);
        }
        next
    }
}

impl ScorePuzzle for Blocks {
    fn reward(&self, board: &Board, action: u8) -> Score {
        let n = Score::from(Self::group(board, action as usize).count_ones());
        (n - 2) * (n - 2)
    }
    fn terminal_bonus(&self, board: &Board) -> Score {
        match board.iter().flatten().filter(|&&cell| cell != 0).count() {
            0 => 30,
            n => -(n as Score),
        }
    }
}

impl Coded for Blocks {
    type Shape = ();

    fn code(&self, board: &Board, action: u8) -> u64 {
        let colour = board[action as usize / SIDE][action as usize % SIDE];
        Self::group(board, action as usize) ^ u64::from(colour).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn bias(&self, board: &Board, action: u8) -> f32 {
        Self::group(board, action as usize).count_ones() as f32 / 10.0
    }
}

/// The most frequent colour is tabu, and less so groups of two of the others at first.
#[derive(Clone, Copy, Debug)]
pub struct TabuColour;

impl Selective<Blocks> for TabuColour {
    type Memo = u8;

    fn begin(&self, _: &Blocks, board: &Board, run: u64) -> u8 {
        if run % 2 == 1 {
            return 0;
        }
        let count = |c: u8| board.iter().flatten().filter(|&&cell| cell == c).count();
        (1..10).max_by_key(|&c| count(c)).unwrap()
    }
    fn tier(&self, _: &Blocks, board: &Board, action: u8, depth: usize, tabu: &mut u8) -> u8 {
        if board[action as usize / SIDE][action as usize % SIDE] == *tabu {
            2
        } else {
            let pair = Blocks::group(board, action as usize).count_ones() == 2;
            u8::from(depth < 3 && pair)
        }
    }
}

impl Layered for Blocks {
    fn layer(&self, board: &Board) -> usize {
        board.iter().flatten().filter(|&&cell| cell != 0).count()
    }
}

/// Few colours left are good.
pub struct FewColours;

impl StateValue<Blocks> for FewColours {
    fn value(&self, _: &Blocks, board: &Board) -> f32 {
        let there = |colour| board.iter().flatten().any(|&cell| cell == colour);
        -((1..=9).filter(|&colour| there(colour)).count() as f32)
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
