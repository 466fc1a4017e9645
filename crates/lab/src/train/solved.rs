//! Examples with exact distances: all states on optimal solutions of random boards.
//!
//! A solution of *d* moves gives *d* + 1 exact distances for the price of one search. The examples of a run are made once,
//! in waves of boards that any number of threads solves, and stay in the run's folder.

use super::source::{Batch, Source};
use crate::{error::LabError, parallel::in_order};
use std::{
    fs::{File, OpenOptions},
    io::{BufReader, Read as _, Write as _},
    path::Path,
};
use unriddle_catalog::Cancel;
use unriddle_core::{Features as _, Puzzle as _, Rng};
use unriddle_puzzles::tiles::{Board, Slide, Tiles};

/// Boards of a wave.
const WAVE: usize = 1000;

/// Boards with their distances from the goal.
pub(super) struct Examples<B> {
    boards: Vec<B>,
    distances: Vec<u8>,
}

/// Solves a board by as few moves as can be.
pub(super) type Solver<'a, B> = dyn Fn(&Tiles<B>) -> Result<Vec<Slide>, LabError> + Sync + 'a;

/// Where a wave's boards come from: the start of the n-th.
pub(super) type Starts<'a, B> = dyn Fn(u64) -> Tiles<B> + Sync + 'a;

impl<B: Board> Examples<B> {
    /// Reads the examples of a file and makes those that are missing, wave by wave; `tell` hears how many there are. `None` if it was
    /// cancelled.
    ///
    /// # Errors
    /// The file, or a board that cannot be solved.
    pub(super) fn make(
        path: &Path,
        states: u64,
        (starts, solver): (&Starts<'_, B>, &Solver<'_, B>),
        (jobs, cancel): (usize, &Cancel),
        tell: &dyn Fn(u64),
    ) -> Result<Option<Self>, LabError> {
        let mut examples = Self {
            boards: Vec::new(),
            distances: Vec::new(),
        };
        let mut wave = examples.read(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.map_err(|e| LabError::file(path, &e))?;
        while (examples.boards.len() as u64) < states {
            tell(examples.boards.len() as u64);
            let solved = in_order(WAVE, jobs, cancel, &|i| {
                let puzzle = starts(wave * WAVE as u64 + i as u64);
                let mut state = puzzle.initial_state();
                let slides = solver(&puzzle)?;
                let mut path = vec![state];
                for slide in slides {
                    state = puzzle.apply(&state, slide);
                    path.push(state);
                }
                Ok(Some(path))
            })?;
            let Some(solved) = solved else {
                return Ok(None);
            };
            let mut bytes = Vec::new();
            for path in &solved {
                let last = path.len() - 1;
                bytes.push(last as u8);
                bytes.extend(path[0].cells());
                for (before, after) in path.iter().zip(&path[1..]) {
                    let slide = Slide::ALL.iter().position(|&s| is_slide(before, after, s));
                    bytes.push(slide.unwrap_or_default() as u8);
                }
                examples.push(path);
            }
            let mut record = (bytes.len() as u64).to_le_bytes().to_vec();
            record.extend(bytes);
            file.write_all(&record)
                .map_err(|e| LabError::file(path, &e))?;
            wave += 1;
        }
        Ok(Some(examples))
    }

    /// The states of a solution, from the start to the goal.
    fn push(&mut self, path: &[B]) {
        for (i, &board) in path.iter().enumerate() {
            self.boards.push(board);
            self.distances.push((path.len() - 1 - i) as u8);
        }
    }

    /// Reads whole waves, and cuts off what a kill left of another. Gives their number.
    fn read(&mut self, path: &Path) -> Result<u64, LabError> {
        let told = |e: std::io::Error| LabError::file(path, &e);
        let file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            file => file.map_err(told)?,
        };
        let all = file.metadata().map_err(told)?.len();
        let (mut reader, mut waves, mut good) = (BufReader::new(file), 0, 0u64);
        let mut bytes = Vec::new();
        loop {
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
            if self.unpack(&bytes).is_none() {
                let message = "holds no examples of this program; give another folder";
                return Err(LabError::Usage(format!("{} {message}", path.display())));
            }
            good += 8 + length;
            waves += 1;
        }
        let file = OpenOptions::new().write(true).open(path).map_err(told)?;
        file.set_len(good).map_err(told)?;
        Ok(waves)
    }

    fn unpack(&mut self, mut bytes: &[u8]) -> Option<()> {
        let cells = B::N * B::N;
        while let Some((&moves, rest)) = bytes.split_first() {
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
            let puzzle = Tiles::<B>::new(start, unriddle_puzzles::tiles::Goal::BlankLast);
            let mut path = vec![puzzle.initial_state()];
            let mut state = puzzle.initial_state();
            for &slide in slides {
                let slide = *Slide::ALL.get(usize::from(slide))?;
                if !puzzle.actions(&state).any(|possible| possible == slide) {
                    return None;
                }
                state = puzzle.apply(&state, slide);
                path.push(state);
            }
            self.push(&path);
            bytes = rest;
        }
        Some(())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.boards.len()
    }
}

fn is_slide<B: Board>(before: &B, after: &B, slide: Slide) -> bool {
    let possible = unriddle_puzzles::tiles::board::possible(B::N, before.blank());
    possible & (1 << slide as u8) != 0 && before.slide(slide) == *after
}

/// Random rows of some of the examples.
pub(super) struct Drawn<'a, B> {
    pub examples: &'a Examples<B>,
    /// Which of them.
    pub from: std::ops::Range<usize>,
    pub puzzle: &'a Tiles<B>,
    pub seed: u64,
}

impl<B: Board> Source for Drawn<'_, B> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let mut rng = Rng::stream(self.seed, number);
        let mut batch = Batch::default();
        batch
            .active
            .reserve(rows * self.puzzle.feature_len().isqrt());
        for _ in 0..rows {
            let row = self.from.start + rng.below(self.from.len() as u64) as usize;
            let distance = f32::from(self.examples.distances[row]);
            batch.push(self.puzzle, &self.examples.boards[row], distance);
        }
        batch
    }
}
