//! Pools of states with their cost-to-go along a solution, and the files of the pools.
//!
//! A solution of *d* actions gives *d* + 1 examples for the price of one search; they are exact if
//! it is optimal. A start follows from its number, so the file contains only solutions. Each wave
//! is its length in bytes (64 bits, little-endian) followed by a zlib stream of numbers in LEB128.
//! The numbers of a solution are: the number of skipped starts of the wave before its own start,
//! the steps of the walk to the start, the cost, the number of actions, and the actions by number.
//! A start without actions takes about 7 bits: six million distances of 15-puzzles are a file of 5
//! MB.

use super::SourceContext;
use crate::folder::Folder;
use flate2::{Compression, bufread::ZlibDecoder, write::ZlibEncoder};
use std::{
    fs::OpenOptions,
    io::{Read as _, Write as _},
};
use unriddle_catalog::{ranks::Message, training_data::States, work::WorkError};

/// A start that was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Solution {
    /// Its number within the wave.
    pub start: u32,
    /// The steps of the walk that leads to it.
    pub steps: u32,
    /// Cost of the solution.
    pub cost: u32,
    /// Its actions by number; empty if only the start is an example.
    pub actions: Vec<u16>,
}

impl Message for Solution {
    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.start, self.steps, self.cost] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        self.actions.iter().for_each(|action| bytes.extend_from_slice(&action.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (numbers, actions) = bytes.split_at_checked(12)?;
        let mut numbers = numbers.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        Some(Self {
            start: numbers.next()?,
            steps: numbers.next()?,
            cost: numbers.next()?,
            actions: actions.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect(),
        })
    }
}

/// States with their cost-to-go.
pub(super) struct Pool<'a> {
    states: Box<dyn States>,
    left: Vec<u32>,
    /// Most examples. When there are as many, a new one replaces the oldest.
    most: usize,
    oldest: usize,
    /// Solutions of each wave.
    waves: Vec<usize>,
    folder: &'a Folder<'a>,
    /// Name of the file.
    name: String,
}

/// Makes the start of a number of a wave: wave, number within it, steps of the walk.
pub(super) type Start<'a> = dyn Fn(u64, u32, u32) -> Result<Box<dyn States>, WorkError> + Sync + 'a;

impl<'a> Pool<'a> {
    /// An empty pool of at most `most` examples, kept in the file of the source `number`.
    pub(super) fn new(context: &SourceContext<'a>, number: u64, most: usize) -> Self {
        let (folder, name) = (context.folder, format!("source-{}.bin", number + 1));
        let (states, left, waves) = (context.training_data.list(), Vec::new(), Vec::new());
        Self { states, left, most, oldest: 0, waves, folder, name }
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> WorkError {
        self.folder.failed(&self.name, why)
    }

    /// Reads the waves of `rounds` rounds.
    ///
    /// # Errors
    /// As [`read`](Self::read), and if the file does not go with the checkpoint.
    pub(super) fn resume(&mut self, rounds: u64, start: &Start<'_>) -> Result<(), WorkError> {
        let known = self.read(rounds, start)?;
        if known == rounds {
            return Ok(());
        }
        let what = format!(
            "holds {known} waves of examples, of {rounds} that the checkpoint was made with"
        );
        Err(self.failed(&what))
    }

    /// Reads at most `most` waves of the file, and truncates the file behind them. Returns the
    /// number of waves.
    ///
    /// # Errors
    /// `WorkError` if the file cannot be read or contains an invalid solution.
    pub(super) fn read(&mut self, most: u64, start: &Start<'_>) -> Result<u64, WorkError> {
        let Some(file) = self.folder.read_bytes(&self.name)? else {
            return Ok(0);
        };
        let mut file = &file[..];
        let (mut good, mut waves) = (0, 0);
        while waves < most {
            // A wave without its end was cut by a kill.
            let wave = file.split_first_chunk().and_then(|(length, rest)| {
                let length = u64::from_le_bytes(*length);
                Some((length, rest.split_at_checked(usize::try_from(length).ok()?)?))
            });
            let Some((length, (bytes, rest))) = wave else { break };
            file = rest;
            let solutions = unpack(bytes).ok_or_else(|| {
                let what =
                    "the file contains damaged solutions; delete it to solve the instances again";
                self.failed(&what)
            })?;
            for solution in &solutions {
                self.push(&*start(waves, solution.start, solution.steps)?, solution)?;
            }
            self.waves.push(solutions.len());
            good += 8 + length;
            waves += 1;
        }
        if self.folder.is_mine() {
            let file = OpenOptions::new().write(true).open(self.folder.path(&self.name));
            file.and_then(|file| file.set_len(good)).map_err(|e| self.failed(&e))?;
        }
        Ok(waves)
    }

    /// Adds a wave to the pool and to the file.
    ///
    /// # Errors
    /// `WorkError` if the file cannot be written, or if a solution is invalid.
    pub(super) fn add(&mut self, solved: &[(Box<dyn States>, Solution)]) -> Result<(), WorkError> {
        for (start, solution) in solved {
            self.push(&**start, solution)?;
        }
        let mut bytes = vec![0; 8];
        pack(solved.iter().map(|(_, solution)| solution), &mut bytes)
            .map_err(|e| self.failed(&e))?;
        self.waves.push(solved.len());
        let length = bytes.len() as u64 - 8;
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        if !self.folder.is_mine() {
            return Ok(());
        }
        let file = OpenOptions::new().create(true).append(true).open(self.folder.path(&self.name));
        file.and_then(|mut file| file.write_all(&bytes)).map_err(|e| self.failed(&e))
    }

    fn push(&mut self, start: &dyn States, solution: &Solution) -> Result<(), WorkError> {
        let mut states = start.fresh();
        let mut left = Vec::new();
        if solution.actions.is_empty() {
            states.push(start, 0);
            left.push(solution.cost);
        } else if !start.along(0, &solution.actions, &mut *states, &mut left) {
            let what =
                "the file contains an illegal action; delete it to solve the instances again";
            return Err(self.failed(&what));
        }
        for (row, &left) in left.iter().enumerate() {
            if self.is_full() {
                self.states.replace(self.oldest, &*states, row);
                self.left[self.oldest] = left;
                self.oldest = (self.oldest + 1) % self.most;
            } else {
                self.states.push(&*states, row);
                self.left.push(left);
            }
        }
        Ok(())
    }

    /// Number of solutions of each wave.
    pub(super) fn waves(&self) -> &[usize] {
        &self.waves
    }

    /// Most examples that are kept.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Number of examples.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// The states.
    pub(super) fn states(&self) -> &dyn States {
        &*self.states
    }

    /// Cost-to-go of a row.
    pub(super) fn left(&self, row: usize) -> u32 {
        self.left[row]
    }

    /// The row `actions` actions after another one on its solution path, if the path is that long
    /// and all of it is kept.
    pub(super) fn after(&self, row: usize, actions: usize) -> Option<usize> {
        // The states of a path are stored consecutively, and their cost-to-go falls along the path.
        // If newer states have replaced the end of a path, another path follows, at whose start the
        // cost-to-go rises.
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

    fn is_full(&self) -> bool {
        self.left.len() >= self.most
    }
}

/// Appends a wave in the format of the file, without its length.
fn pack<'a>(
    solutions: impl Iterator<Item = &'a Solution>,
    bytes: &mut Vec<u8>,
) -> std::io::Result<()> {
    let mut numbers = Vec::new();
    let mut put = |mut number: u32| {
        while number >= 0x80 {
            numbers.push(number as u8 | 0x80);
            number >>= 7;
        }
        numbers.push(number as u8);
    };
    let mut next = 0;
    for solution in solutions {
        put(solution.start - next);
        next = solution.start + 1;
        put(solution.steps);
        put(solution.cost);
        put(solution.actions.len() as u32);
        solution.actions.iter().for_each(|&action| put(action.into()));
    }
    let mut encoder = ZlibEncoder::new(bytes, Compression::best());
    encoder.write_all(&numbers)?;
    encoder.finish().map(|_| ())
}

/// The solutions of a wave. `None` where it is broken.
fn unpack(bytes: &[u8]) -> Option<Vec<Solution>> {
    let mut numbers = Vec::new();
    ZlibDecoder::new(bytes).read_to_end(&mut numbers).ok()?;
    let mut numbers = numbers.as_slice();
    let (mut solutions, mut next) = (Vec::new(), 0_u32);
    while !numbers.is_empty() {
        let mut number = || {
            let mut number = 0_u32;
            for shift in (0..32).step_by(7) {
                let (&byte, rest) = numbers.split_first()?;
                numbers = rest;
                let bits = u32::from(byte & 0x7f);
                number |= bits.checked_shl(shift).filter(|n| n >> shift == bits)?;
                if byte < 0x80 {
                    return Some(number);
                }
            }
            None
        };
        let start = next.checked_add(number()?)?;
        next = start.checked_add(1)?;
        let (steps, cost, count) = (number()?, number()?, number()?);
        let actions = (0..count).map(|_| number()?.try_into().ok());
        solutions.push(Solution { start, steps, cost, actions: actions.collect::<Option<_>>()? });
    }
    Some(solutions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_comes_back_from_its_bytes() {
        let solution = |start, steps, cost, actions: &[u16]| Solution {
            start,
            steps,
            cost,
            actions: actions.to_vec(),
        };
        let wave = [
            solution(0, 0, 52, &[]),
            solution(1, 300, 2, &[3, 65_535]),
            solution(999, u32::MAX, u32::MAX, &[0, 127, 128]),
        ];
        let mut bytes = Vec::new();
        pack(wave.iter(), &mut bytes).expect("a vector");
        assert_eq!(unpack(&bytes).as_deref(), Some(&wave[..]));
        for cut in 0..bytes.len() {
            assert_eq!(unpack(&bytes[..cut]), None, "{cut} bytes of {}", bytes.len());
        }
        let mut long = Vec::new();
        let mut encoder = ZlibEncoder::new(&mut long, Compression::fast());
        // A number of more than 32 bits.
        let written = encoder.write_all(&[0, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 0]);
        written.and_then(|()| encoder.finish().map(|_| ())).expect("a vector");
        assert_eq!(unpack(&long), None);
    }
}
