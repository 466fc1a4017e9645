//! The toy puzzles.

use unriddle_core::{
    Cost, GoalPuzzle, Guarantee, Heuristic, Puzzle, Rng, Score, ScorePuzzle, UpperBound,
};

/// A cursor over the actions whose bit is set, smallest first.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u32);

impl Iterator for Bits {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        let i = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(i as u8)
    }
}

/// Sliding tiles, a nibble per cell; actions 0..4 move the blank up, down, left, right.
#[derive(Clone, Debug)]
pub struct Sliding {
    pub width: usize,
    pub height: usize,
    pub start: u64,
    pub goal: u64,
}

impl Sliding {
    /// A random walk from the goal (blank in the last cell).
    pub fn scrambled(width: usize, height: usize, moves: usize, rng: &mut Rng) -> Self {
        let cells = width * height;
        let goal = (0..cells).map(|i| ((i + 1) % cells) << (4 * i)).sum::<usize>() as u64;
        let mut puzzle = Self { width, height, start: goal, goal };
        for _ in 0..moves {
            let actions: Vec<u8> = puzzle.actions(&puzzle.start).collect();
            let action = actions[rng.below(actions.len() as u64) as usize];
            puzzle.start = puzzle.apply(&puzzle.start, action);
        }
        puzzle
    }

    /// Two tiles exchanged: no solution exists.
    pub fn unsolvable(width: usize, height: usize) -> Self {
        let mut puzzle = Self::scrambled(width, height, 0, &mut Rng::new(0));
        puzzle.start ^= 3;
        puzzle.start ^= 3 << 4;
        puzzle
    }

    fn tile(&self, s: u64, i: usize) -> usize {
        (s >> (4 * i) & 15) as usize
    }

    fn blank(&self, s: u64) -> usize {
        (0..self.width * self.height).find(|&i| self.tile(s, i) == 0).unwrap()
    }
}

impl Puzzle for Sliding {
    type State = u64;
    type Action = u8;
    type Actions = Bits;

    fn initial_state(&self) -> u64 {
        self.start
    }
    fn actions(&self, s: &u64) -> Bits {
        let (row, column) = (self.blank(*s) / self.width, self.blank(*s) % self.width);
        let legal = [row > 0, row + 1 < self.height, column > 0, column + 1 < self.width];
        Bits((0..4).map(|a| u32::from(legal[a]) << a).sum())
    }
    fn apply(&self, s: &u64, action: u8) -> u64 {
        let from = self.blank(*s);
        let to = match action {
            0 => from - self.width,
            1 => from + self.width,
            2 => from - 1,
            _ => from + 1,
        };
        let tile = self.tile(*s, to) as u64;
        s ^ tile << (4 * to) ^ tile << (4 * from)
    }
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        last ^ 1 == next
    }
    /// The blank led from its goal to every cell.
    fn generic_states(&self) -> Vec<u64> {
        let mut known = vec![None; self.width * self.height];
        let mut open = vec![self.goal];
        while let Some(state) = open.pop() {
            let known = &mut known[self.blank(state)];
            if known.is_none() {
                *known = Some(state);
                open.extend(self.actions(&state).map(|action| self.apply(&state, action)));
            }
        }
        known.into_iter().flatten().collect()
    }
    fn legality_class(&self, state: &u64) -> usize {
        self.blank(*state)
    }
    fn action_code(&self, action: u8) -> u8 {
        action
    }
}

impl GoalPuzzle for Sliding {
    fn is_goal(&self, s: &u64) -> bool {
        *s == self.goal
    }
}

/// Sum of the tiles' distances to their goal cells.
#[derive(Clone, Copy, Debug)]
pub struct Manhattan;

impl Heuristic<Sliding> for Manhattan {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn root(&self, p: &Sliding, s: &u64) -> Option<(Cost, ())> {
        let mut h = 0;
        for i in 0..p.width * p.height {
            let tile = p.tile(*s, i);
            if tile > 0 {
                let home = tile - 1;
                h +=
                    (home / p.width).abs_diff(i / p.width) + (home % p.width).abs_diff(i % p.width);
            }
        }
        Some((h as Cost, ()))
    }
}

/// A square with walls, in which entering a cell costs the number on it.
#[derive(Clone, Debug)]
pub struct Grid {
    pub size: usize,
    /// 0 for a wall.
    pub cost: Vec<Cost>,
    pub start: u16,
    pub goal: u16,
}

impl Grid {
    /// Walls in a third of the cells: sometimes without a solution.
    pub fn random(size: usize, max_cost: u64, rng: &mut Rng) -> Self {
        let mut cost: Vec<Cost> = (0..size * size)
            .map(|_| match rng.below(3) {
                0 => 0,
                _ => 1 + rng.below(max_cost) as Cost,
            })
            .collect();
        let start = rng.below(cost.len() as u64) as u16;
        let goal = rng.below(cost.len() as u64) as u16;
        cost[start as usize] = 1;
        cost[goal as usize] = 1;
        Self { size, cost, start, goal }
    }

    fn neighbour(&self, s: u16, action: u8) -> Option<u16> {
        let n = self.size as u16;
        let (row, column) = (s / n, s % n);
        let to = match action {
            0 if row > 0 => s - n,
            1 if row + 1 < n => s + n,
            2 if column > 0 => s - 1,
            3 if column + 1 < n => s + 1,
            _ => return None,
        };
        (self.cost[to as usize] > 0).then_some(to)
    }
}

impl Puzzle for Grid {
    type State = u16;
    type Action = u8;
    type Actions = Bits;

    fn initial_state(&self) -> u16 {
        self.start
    }
    fn actions(&self, s: &u16) -> Bits {
        let legal = |a| u32::from(self.neighbour(*s, a).is_some()) << a;
        Bits((0..4).map(legal).sum())
    }
    fn actions_after(&self, s: &u16, last: u8) -> Bits {
        Bits(self.actions(s).0 & !(1 << (last ^ 1)))
    }
    fn apply(&self, s: &u16, action: u8) -> u16 {
        self.neighbour(*s, action).unwrap()
    }
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        last ^ 1 == next
    }
}

impl GoalPuzzle for Grid {
    fn is_goal(&self, s: &u16) -> bool {
        *s == self.goal
    }
    fn action_cost(&self, s: &u16, action: u8) -> Cost {
        self.cost[self.apply(s, action) as usize]
    }
}

/// Rows and columns to the goal.
#[derive(Clone, Copy, Debug)]
pub struct Steps;

impl Heuristic<Grid> for Steps {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn root(&self, p: &Grid, s: &u16) -> Option<(Cost, ())> {
        let n = p.size as u16;
        let h = (s / n).abs_diff(p.goal / n) + (s % n).abs_diff(p.goal % n);
        Some((Cost::from(h), ()))
    }
}

/// Piles in a row. A pile can be taken while a neighbour is left; it earns its value once, and once
/// more for each neighbour taken before. Every pile that remains costs 2.
#[derive(Clone, Debug)]
pub struct Piles {
    pub values: Vec<Score>,
}

impl Piles {
    pub fn random(len: usize, rng: &mut Rng) -> Self {
        let values = (0..len).map(|_| rng.below(25) as Score - 8).collect();
        Self { values }
    }

    fn neighbours(&self, s: u32, i: usize) -> u32 {
        let left = if i > 0 { s >> (i - 1) & 1 } else { 0 };
        left + (s >> (i + 1) & 1)
    }

    /// The best score from a state, by enumeration.
    pub fn best(&self, s: u32) -> Score {
        if self.is_terminal(&s) {
            return self.terminal_bonus(&s);
        }
        let score = |a| self.reward(&s, a) + self.best(self.apply(&s, a));
        self.actions(&s).map(score).max().unwrap()
    }

    /// The score of a sequence of actions.
    pub fn play(&self, actions: &[u8]) -> Score {
        let mut s = self.initial_state();
        let mut score = 0;
        for &a in actions {
            score += self.reward(&s, a);
            s = self.apply(&s, a);
        }
        assert!(self.is_terminal(&s));
        score + self.terminal_bonus(&s)
    }
}

impl Puzzle for Piles {
    type State = u32;
    type Action = u8;
    type Actions = Bits;

    fn initial_state(&self) -> u32 {
        (1 << self.values.len()) - 1
    }
    fn actions(&self, s: &u32) -> Bits {
        let legal = |i: &usize| s >> i & 1 == 1 && self.neighbours(*s, *i) > 0;
        Bits((0..self.values.len()).filter(legal).map(|i| 1 << i).sum())
    }
    fn apply(&self, s: &u32, action: u8) -> u32 {
        s & !(1 << action)
    }
}

impl ScorePuzzle for Piles {
    fn reward(&self, s: &u32, action: u8) -> Score {
        let i = action as usize;
        let ends = usize::from(i == 0) + usize::from(i + 1 == self.values.len());
        let taken = 2 - ends as u32 - self.neighbours(*s, i);
        self.values[i] * Score::from(1 + taken)
    }
    fn terminal_bonus(&self, s: &u32) -> Score {
        -2 * Score::from(s.count_ones())
    }
}

/// Every pile left at its highest price: consistent.
#[derive(Clone, Copy, Debug)]
pub struct HighestPrices;

impl UpperBound<Piles> for HighestPrices {
    fn upper(&self, p: &Piles, s: &u32) -> Score {
        let price = |i: usize| p.values[i].max(0) * 3;
        (0..p.values.len()).filter(|i| s >> i & 1 == 1).map(price).sum()
    }
}

/// The same number everywhere: not consistent.
#[derive(Clone, Copy, Debug)]
pub struct Constant(pub Score);

impl UpperBound<Piles> for Constant {
    fn upper(&self, _: &Piles, _: &u32) -> Score {
        self.0
    }
}

/// An endless space of 2^64 states with four actions each and no goal.
#[derive(Clone, Copy, Debug)]
pub struct Endless;

impl Puzzle for Endless {
    type State = u64;
    type Action = u8;
    type Actions = Bits;

    fn initial_state(&self) -> u64 {
        0
    }
    fn actions(&self, _: &u64) -> Bits {
        Bits(15)
    }
    fn apply(&self, s: &u64, action: u8) -> u64 {
        let mut z = (s ^ u64::from(action + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z ^= z >> 31;
        z.wrapping_mul(0xbf58_476d_1ce4_e5b9) | 1
    }
}

impl GoalPuzzle for Endless {
    fn is_goal(&self, _: &u64) -> bool {
        false
    }
}

/// Something between 0 and 15 that is not admissible in name.
#[derive(Clone, Copy, Debug)]
pub struct Noise;

impl Heuristic<Endless> for Noise {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, _: &Endless, s: &u64) -> Option<(Cost, ())> {
        Some(((s >> 60) as Cost, ()))
    }
}
