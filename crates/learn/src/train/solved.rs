//! Examples from solutions: all states of a path, with the number of moves to its end.
//!
//! A solution of *d* moves gives *d* + 1 examples for the price of one search; where it is optimal
//! their distances are exact. Boards are solved in waves by any number of threads, and stay in the
//! run's folder.

use super::{
    bootstrap::Solve,
    source::{Batch, Look, Source},
};
use crate::parallel::in_order;
use std::{
    fs::{File, OpenOptions},
    io::{BufReader, Read as _, Write as _},
    path::Path,
};
use unriddle_catalog::Cancel;
use unriddle_catalog::work::WorkError;
use unriddle_core::{BatchHeuristic as _, Features as _, Puzzle as _, Rng, Row};
use unriddle_tiles::{Board, Slide, Tiles};

/// Boards of a wave.
const WAVE: usize = 1000;

/// Boards with their distances to the goal along a solution.
pub(super) struct Examples<B> {
    boards: Vec<B>,
    distances: Vec<u16>,
    /// Most examples. When there are as many, a new one replaces the oldest.
    most: usize,
    oldest: usize,
    /// Solutions of each wave.
    waves: Vec<usize>,
}

/// Makes the n-th board to be solved.
pub(super) type Starts<'a, B> = dyn Fn(u64) -> Tiles<B> + Sync + 'a;

impl<B: Board> Examples<B> {
    /// Reads the examples of a file and makes the missing ones, wave by wave. `tell` hears the number of
    /// examples so far. `None` if it was cancelled.
    ///
    /// # Errors
    /// The file, or a board that cannot be solved.
    pub(super) fn make(
        path: &Path,
        states: u64,
        (starts, solve): (&Starts<'_, B>, &Solve<'_, B>),
        (jobs, cancel): (usize, &Cancel),
        tell: &dyn Fn(u64),
    ) -> Result<Option<Self>, WorkError> {
        let mut examples = Self::new(usize::MAX);
        let mut wave = examples.read(path, u64::MAX)?;
        while (examples.boards.len() as u64) < states {
            tell(examples.boards.len() as u64);
            let solved = in_order(WAVE, jobs, cancel, &|i| {
                let puzzle = starts(wave * WAVE as u64 + i as u64);
                let slides = solve(&puzzle)?;
                Ok(Some(slides.map(|slides| played(&puzzle, &slides))))
            })?;
            let Some(solved) = solved else {
                return Ok(None);
            };
            let solved: Vec<Vec<B>> = solved.into_iter().flatten().collect();
            examples.add(path, &solved)?;
            wave += 1;
        }
        Ok(Some(examples))
    }

    /// An empty list that will hold at most `most` examples.
    pub(super) fn new(most: usize) -> Self {
        Self {
            boards: Vec::new(),
            distances: Vec::new(),
            most,
            oldest: 0,
            waves: Vec::new(),
        }
    }

    /// Adds a wave of solutions, all their states from the start to the goal, here and to the file.
    ///
    /// # Errors
    /// The file.
    pub(super) fn add(&mut self, path: &Path, solved: &[Vec<B>]) -> Result<(), WorkError> {
        let mut bytes = vec![0; 8];
        for path in solved {
            bytes.extend(((path.len() - 1) as u16).to_le_bytes());
            bytes.extend(path[0].cells());
            for (before, after) in path.iter().zip(&path[1..]) {
                let slide = Slide::ALL.iter().position(|&s| is_slide(before, after, s));
                bytes.push(slide.unwrap_or_default() as u8);
            }
            self.push(path);
        }
        self.waves.push(solved.len());
        let length = bytes.len() as u64 - 8;
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(&bytes))
            .map_err(|e| WorkError::file(path, &e))
    }

    /// The states of a solution, from the start to the goal.
    fn push(&mut self, path: &[B]) {
        for (i, &board) in path.iter().enumerate() {
            let distance = (path.len() - 1 - i) as u16;
            if self.boards.len() < self.most {
                self.boards.push(board);
                self.distances.push(distance);
                continue;
            }
            self.boards[self.oldest] = board;
            self.distances[self.oldest] = distance;
            self.oldest = (self.oldest + 1) % self.most;
        }
    }

    /// Reads at most `most` whole waves and cuts the file behind them. Returns their number.
    ///
    /// # Errors
    /// The file, or one that holds something else.
    pub(super) fn read(&mut self, path: &Path, most: u64) -> Result<u64, WorkError> {
        let told = |e: std::io::Error| WorkError::file(path, &e);
        let file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            file => file.map_err(told)?,
        };
        let all = file.metadata().map_err(told)?.len();
        let (mut reader, mut waves, mut good) = (BufReader::new(file), 0, 0u64);
        let mut bytes = Vec::new();
        while waves < most {
            let mut length = [0; 8];
            if good + 8 > all {
                break;
            }
            reader.read_exact(&mut length).map_err(told)?;
            let length = u64::from_le_bytes(length);
            if length > all - good - 8 {
                break;
            }
            bytes.resize(length as usize, 0);
            reader.read_exact(&mut bytes).map_err(told)?;
            let Some(solved) = self.unpack(&bytes) else {
                let message = "holds no examples of this program; give another folder";
                return Err(WorkError::file(path, &message));
            };
            self.waves.push(solved);
            good += 8 + length;
            waves += 1;
        }
        let file = OpenOptions::new().write(true).open(path).map_err(told)?;
        file.set_len(good).map_err(told)?;
        Ok(waves)
    }

    /// Adds the solutions of a wave and returns their number.
    fn unpack(&mut self, mut bytes: &[u8]) -> Option<usize> {
        let cells = B::N * B::N;
        let mut solved = 0;
        while !bytes.is_empty() {
            let (moves, rest) = bytes.split_first_chunk::<2>()?;
            let moves = u16::from_le_bytes(*moves);
            let (start, rest) = rest.split_at_checked(cells)?;
            let (slides, rest) = rest.split_at_checked(usize::from(moves))?;
            let mut sorted = start.to_vec();
            sorted.sort_unstable();
            if !sorted
                .iter()
                .enumerate()
                .all(|(i, &tile)| i == usize::from(tile))
            {
                return None;
            }
            let puzzle = Tiles::<B>::new(start, unriddle_tiles::Goal::BlankLast);
            let slides = slides
                .iter()
                .map(|&s| Slide::ALL.get(usize::from(s)).copied());
            let slides = slides.collect::<Option<Vec<_>>>()?;
            let mut state = puzzle.initial_state();
            for &slide in &slides {
                if !puzzle.actions(&state).any(|possible| possible == slide) {
                    return None;
                }
                state = puzzle.apply(&state, slide);
            }
            self.push(&played(&puzzle, &slides));
            solved += 1;
            bytes = rest;
        }
        Some(solved)
    }

    /// How many solutions each wave has.
    pub(super) fn waves(&self) -> &[usize] {
        &self.waves
    }

    /// Most examples that are kept.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// A state and its distance.
    pub(super) fn get(&self, row: usize) -> (B, u16) {
        (self.boards[row], self.distances[row])
    }

    /// The state `moves` moves after another one on its solution path, if the path is that long and all
    /// of it is kept.
    pub(super) fn after(&self, row: usize, moves: usize) -> Option<B> {
        let left = usize::from(self.distances[row]);
        let at = (row + moves) % self.boards.len();
        // The states of a path stand one behind the other. A path with more than `most` states has
        // overwritten some of its own.
        let is_there = usize::from(self.distances[at]) + moves == left;
        (left >= moves && is_there).then(|| self.boards[at])
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.boards.len()
    }
}

/// The states of a solution, from the start to the goal.
pub(super) fn played<B: Board>(puzzle: &Tiles<B>, slides: &[Slide]) -> Vec<B> {
    let mut state = puzzle.initial_state();
    let mut path = vec![state];
    for &slide in slides {
        state = puzzle.apply(&state, slide);
        path.push(state);
    }
    path
}

fn is_slide<B: Board>(before: &B, after: &B, slide: Slide) -> bool {
    let possible = unriddle_tiles::board::possible(B::N, before.blank());
    possible & (1 << slide as u8) != 0 && before.slide(slide) == *after
}

/// Random rows of some of the examples.
pub(super) struct Drawn<'a, B> {
    pub examples: &'a Examples<B>,
    /// With it, a target is a number of moves along the solution plus a network's estimate of the state
    /// that they lead to: *n*-step returns (R. S. Sutton and A. G. Barto, "Reinforcement Learning", 2nd
    /// edition, 2018, section 7.1). Without it, a target is the number of moves to the goal.
    pub ahead: Option<Look<'a>>,
    /// The rows that are drawn from.
    pub from: std::ops::Range<usize>,
    /// The share of rows that are one move off the solution path.
    pub aside: f64,
    pub puzzle: &'a Tiles<B>,
    pub seed: u64,
}

impl<B: Board> Drawn<'_, B> {
    /// A random successor of a state, and the difference of its distance: -1 for the next state of the
    /// path, and otherwise +1. The latter is an upper bound, as the move can be undone.
    ///
    /// Without such rows a network would learn nothing about states beside solution paths.
    fn beside(&self, row: usize, rng: &mut Rng) -> (B, f32) {
        let (board, _) = self.examples.get(row);
        let mut possible = self.puzzle.actions(&board);
        let chosen = rng.below(possible.count() as u64) as usize;
        // Every state has at least two moves.
        let other = possible
            .nth(chosen)
            .map_or(board, |slide| board.slide(slide));
        let is_next = self.examples.after(row, 1) == Some(other);
        (other, if is_next { -1.0 } else { 1.0 })
    }
}

impl<B: Board> Source for Drawn<'_, B> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let mut batch = Batch::default();
        self.add(number, rows, &mut batch);
        batch
    }
}

impl<B: Board> Drawn<'_, B> {
    /// Adds rows to the batch of a number.
    pub(super) fn add(&self, number: u64, rows: usize, batch: &mut Batch) {
        let mut rng = Rng::stream(self.seed, number);
        batch
            .active
            .reserve(rows * self.puzzle.feature_len().isqrt());
        // The states that the network estimates, and the rows whose targets need the estimates.
        let (mut states, mut waiting) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let row = self.from.start + rng.below(self.from.len() as u64) as usize;
            let (board, distance) = self.examples.get(row);
            let (board, farther) = match self.aside > 0.0 && rng.unit() < self.aside {
                true => self.beside(row, &mut rng),
                false => (board, 0.0),
            };
            // A shorter path is counted to the goal.
            let look = self.ahead.filter(|look| u32::from(distance) > look.actions);
            let ahead = look.and_then(|Look { actions, .. }| {
                let state = self.examples.after(row, actions as usize)?;
                Some((actions, state))
            });
            let distance = match ahead {
                None => f32::from(distance),
                Some((actions, state)) => {
                    states.push(state);
                    waiting.push(batch.targets.len());
                    actions as f32
                }
            };
            batch.push(self.puzzle, &board, distance + farther);
        }
        if let Some(Look { net, .. }) = self.ahead {
            let puzzle = self.puzzle;
            let rows: Vec<_> = states.iter().map(|state| Row { puzzle, state }).collect();
            let mut left = vec![0.0; rows.len()];
            net.evaluate(&rows, &mut left);
            for (row, left) in waiting.into_iter().zip(left) {
                batch.targets[row] += left;
            }
        }
    }
}
