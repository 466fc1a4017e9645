//! Pools of states with what is left to the goal along a solution, and the files that they are kept in.
//!
//! A solution of *d* actions gives *d* + 1 examples for the price of one search; where it is optimal they are exact.
//! Starts follow from their numbers, so that a file holds solutions alone: for each wave its length in bytes, then for
//! each solution the number of its start within the wave, the steps of the walk that the start is the end of, its cost,
//! and its actions by number.

use std::{
    fs::{File, OpenOptions},
    io::{BufReader, Read as _, Write as _},
    path::PathBuf,
};
use unriddle_catalog::{
    lessons::{Lessons, States},
    work::WorkError,
};

/// A start that was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Solution {
    /// Its number within the wave.
    pub start: u32,
    /// The steps of the walk that leads to it.
    pub steps: u32,
    /// What the solution costs.
    pub cost: u32,
    /// Its actions by number; empty where the start alone is an example.
    pub actions: Vec<u16>,
}

/// States with what is left to the goal.
pub(super) struct Pool {
    states: Box<dyn States>,
    left: Vec<u32>,
    /// Most examples. When there are as many, a new one replaces the oldest.
    most: usize,
    oldest: usize,
    /// Solutions of each wave.
    waves: Vec<usize>,
    path: PathBuf,
}

/// Makes the start of a number of a wave: wave, number within it, steps of the walk.
pub(super) type Start<'a> = dyn Fn(u64, u32, u32) -> Result<Box<dyn States>, WorkError> + Sync + 'a;

impl Pool {
    /// An empty pool of at most `most` examples, kept in a file.
    pub(super) fn new(lessons: &dyn Lessons, most: usize, path: PathBuf) -> Self {
        Self {
            states: lessons.list(),
            left: Vec::new(),
            most,
            oldest: 0,
            waves: Vec::new(),
            path,
        }
    }

    /// Reads at most `most` waves of the file, and cuts off what follows. Returns how many there are.
    ///
    /// # Errors
    /// The file, or solutions in it that are none.
    pub(super) fn read(&mut self, most: u64, start: &Start<'_>) -> Result<u64, WorkError> {
        let path = self.path.clone();
        let told = |e: std::io::Error| WorkError::file(&path, &e);
        if !path.exists() {
            return Ok(0);
        }
        let mut file = BufReader::new(File::open(&path).map_err(told)?);
        let (mut good, mut waves) = (0, 0);
        while waves < most {
            let mut length = [0; 8];
            // A wave without its end was cut by a kill.
            if file.read_exact(&mut length).is_err() {
                break;
            }
            let length = u64::from_le_bytes(length);
            let mut bytes = Vec::new();
            let read = file.by_ref().take(length).read_to_end(&mut bytes);
            if read.map_err(told)? as u64 != length {
                break;
            }
            let solutions = unpack(&bytes)
                .ok_or_else(|| WorkError::file(&path, &"holds solutions that are none"))?;
            for solution in &solutions {
                let first = start(waves, solution.start, solution.steps)?;
                self.push(&*first, solution)?;
            }
            self.waves.push(solutions.len());
            good += 8 + length;
            waves += 1;
        }
        let file = OpenOptions::new().write(true).open(&path).map_err(told)?;
        file.set_len(good).map_err(told)?;
        Ok(waves)
    }

    /// Adds a wave, here and to the file.
    ///
    /// # Errors
    /// The file, or a solution that is none.
    pub(super) fn add(&mut self, solved: &[(Box<dyn States>, Solution)]) -> Result<(), WorkError> {
        let mut bytes = vec![0; 8];
        for (start, solution) in solved {
            for number in [solution.start, solution.steps, solution.cost] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.extend((solution.actions.len() as u32).to_le_bytes());
            bytes.extend(
                solution
                    .actions
                    .iter()
                    .flat_map(|action| action.to_le_bytes()),
            );
            self.push(&**start, solution)?;
        }
        self.waves.push(solved.len());
        let length = bytes.len() as u64 - 8;
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path);
        file.and_then(|mut file| file.write_all(&bytes))
            .map_err(|e| WorkError::file(&self.path, &e))
    }

    fn push(&mut self, start: &dyn States, solution: &Solution) -> Result<(), WorkError> {
        let mut states = start.fresh();
        let mut left = Vec::new();
        match solution.actions.is_empty() {
            true => {
                states.push(start, 0);
                left.push(solution.cost);
            }
            false => {
                if !start.along(0, &solution.actions, &mut *states, &mut left) {
                    let what = "holds an action that is illegal where it stands";
                    return Err(WorkError::file(&self.path, &what));
                }
            }
        }
        for (row, &left) in left.iter().enumerate() {
            if self.left.len() < self.most {
                self.states.push(&*states, row);
                self.left.push(left);
                continue;
            }
            self.states.replace(self.oldest, &*states, row);
            self.left[self.oldest] = left;
            self.oldest = (self.oldest + 1) % self.most;
        }
        Ok(())
    }

    /// How many solutions each wave has.
    pub(super) fn waves(&self) -> &[usize] {
        &self.waves
    }

    /// Most examples that are kept.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// The states.
    pub(super) fn states(&self) -> &dyn States {
        &*self.states
    }

    /// What is left to the goal from a row.
    pub(super) fn left(&self, row: usize) -> u32 {
        self.left[row]
    }

    /// The row `actions` actions after another one on its solution path, if the path is that long and all of it is
    /// kept.
    pub(super) fn after(&self, row: usize, actions: usize) -> Option<usize> {
        // The states of a path are stored one behind the other, and what is left falls along them. A path that has
        // lost states to newer ones is followed by another path, at whose start what is left rises.
        let mut at = row;
        for _ in 0..actions {
            let next = (at + 1) % self.left.len();
            if self.left[at] == 0
                || self.left[next] >= self.left[at]
                || next == self.oldest && self.is_full()
            {
                return None;
            }
            at = next;
        }
        Some(at)
    }

    /// The file does not go with a checkpoint.
    pub(super) fn waves_differ(&self, known: u64, expected: u64) -> WorkError {
        let what = format!(
            "holds {known} waves of examples, of {expected} that the checkpoint was made with"
        );
        WorkError::file(&self.path, &what)
    }

    fn is_full(&self) -> bool {
        self.left.len() >= self.most
    }
}

/// The solutions of a wave.
fn unpack(mut bytes: &[u8]) -> Option<Vec<Solution>> {
    let mut solutions = Vec::new();
    while !bytes.is_empty() {
        let mut number = || {
            let (first, rest) = bytes.split_first_chunk::<4>()?;
            bytes = rest;
            Some(u32::from_le_bytes(*first))
        };
        let (start, steps, cost, count) = (number()?, number()?, number()?, number()?);
        let (actions, rest) = bytes.split_at_checked(2 * count as usize)?;
        let (actions, _) = actions.as_chunks::<2>();
        solutions.push(Solution {
            start,
            steps,
            cost,
            actions: actions
                .iter()
                .map(|&action| u16::from_le_bytes(action))
                .collect(),
        });
        bytes = rest;
    }
    Some(solutions)
}

/// The path of a source's file in a run's folder.
pub(super) fn file(folder: &crate::folder::Folder, number: u64) -> PathBuf {
    folder.path(&format!("source-{}.bin", number + 1))
}
