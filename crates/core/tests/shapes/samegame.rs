//! SameGame on 15×15 cells: 225 bytes of state, a cursor of 225 bits, a score, an upper bound.

use super::*;
use unriddle_core::{Regret, Score, UpperBound};

const SIDE: usize = 15;
const CELLS: usize = SIDE * SIDE;

/// Colours by column, each from the bottom; 0 is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board([u8; CELLS]);

/// One cell of every group of two or more: its first.
#[derive(Clone, Copy)]
struct Groups(Bits<4>);
impl Iterator for Groups {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.0.next().map(|cell| cell as u8)
    }
}

struct SameGame {
    start: Board,
}

impl Board {
    fn group(&self, cell: usize) -> Bits<4> {
        let mut group = Bits::EMPTY;
        let mut stack = vec![cell];
        while let Some(cell) = stack.pop() {
            if group.has(cell) {
                continue;
            }
            group.insert(cell);
            let (column, row) = (cell / SIDE, cell % SIDE);
            let beside = [
                (row > 0).then(|| cell - 1),
                (row + 1 < SIDE).then_some(cell + 1),
                (column > 0).then(|| cell - SIDE),
                (column + 1 < SIDE).then_some(cell + SIDE),
            ];
            stack.extend(
                beside
                    .into_iter()
                    .flatten()
                    .filter(|&other| self.0[other] == self.0[cell]),
            );
        }
        group
    }

    fn count(&self, colour: u8) -> i64 {
        self.0.iter().filter(|&&c| c == colour).count() as i64
    }
}

impl Puzzle for SameGame {
    type State = Board;
    type Action = u8;
    type Actions = Groups;

    fn initial_state(&self) -> Board {
        self.start
    }
    fn actions(&self, board: &Board) -> Groups {
        let (mut seen, mut groups) = (Bits::<4>::EMPTY, Bits::EMPTY);
        for cell in (0..CELLS).filter(|&cell| board.0[cell] != 0) {
            if !seen.has(cell) {
                let group = board.group(cell);
                group.for_each(|member| seen.insert(member));
                if group.count() > 1 {
                    groups.insert(cell);
                }
            }
        }
        Groups(groups)
    }
    fn apply(&self, board: &Board, action: u8) -> Board {
        let group = board.group(usize::from(action));
        let mut after = Board([0; CELLS]);
        let mut column = 0;
        for from in 0..SIDE {
            let stay = (from * SIDE..(from + 1) * SIDE)
                .filter(|&cell| !group.has(cell) && board.0[cell] != 0);
            let mut height = 0;
            for cell in stay {
                after.0[column * SIDE + height] = board.0[cell];
                height += 1;
            }
            column += usize::from(height > 0);
        }
        after
    }
}

impl ScorePuzzle for SameGame {
    fn reward(&self, board: &Board, action: u8) -> Score {
        (board.group(usize::from(action)).count() as Score - 2).pow(2)
    }
    fn terminal_bonus(&self, board: &Board) -> Score {
        let left = |colour| match board.count(colour) {
            0 => 0,
            n => (n - 2).pow(2),
        };
        if board.count(0) == CELLS as i64 {
            1000
        } else {
            -(1..=5).map(left).sum::<Score>()
        }
    }
}

/// All of a colour in one group, and an empty board if no colour is down to one cell.
struct OneGroupEach;
impl UpperBound<SameGame> for OneGroupEach {
    fn upper(&self, _: &SameGame, board: &Board) -> Score {
        let counts: Vec<i64> = (1..=5).map(|colour| board.count(colour)).collect();
        let bonus = if counts.contains(&1) { 0 } else { 1000 };
        bonus
            + counts
                .iter()
                .filter(|&&n| n > 1)
                .map(|n| (n - 2).pow(2))
                .sum::<Score>()
    }
}

fn random(seed: u64, colours: u64, side: usize) -> SameGame {
    let mut rng = Rng::new(seed);
    let inside = |i: usize| i / SIDE < side && i % SIDE < side;
    let cell = |i| {
        if inside(i) {
            rng.below(colours) as u8 + 1
        } else {
            0
        }
    };
    SameGame {
        start: Board(std::array::from_fn(cell)),
    }
}

#[test]
fn the_shape_fits() {
    assert!(size_of::<Board>() <= 512 && size_of::<Groups>() == 32);
    let puzzle = random(3, 5, SIDE);
    let states = walk(&puzzle, 500);
    assert!(puzzle.is_terminal(&states[states.len() - 1]));
    // Played to the end, what is lost of the bound and what is scored add up to the bound.
    let regret = Regret::new(random(3, 5, SIDE), OneGroupEach);
    let (mut state, mut score, mut lost) = (puzzle.initial_state(), 0, 0);
    while let Some(action) = puzzle.actions(&state).next() {
        score += puzzle.reward(&state, action);
        lost += i64::from(regret.action_cost(&state, action));
        state = puzzle.apply(&state, action);
    }
    assert!(regret.is_goal(&state) && regret.fault().is_none());
    assert_eq!(regret.score(lost), score + puzzle.terminal_bonus(&state));
}

#[test]
fn the_bound_is_consistent_and_regret_finds_the_best_score() {
    for seed in 0..8 {
        let puzzle = random(seed, 3, 4);
        let best = best_score(&puzzle, &puzzle.initial_state());
        let regret = Regret::new(puzzle, OneGroupEach);
        let (cost, _) = regret::cheapest(&regret).expect("every game ends");
        assert_eq!((regret.score(cost), regret.fault()), (best, None));
    }
}
