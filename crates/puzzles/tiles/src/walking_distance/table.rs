//! The table of walking distances: numbering of its states, and breadth-first search over them.
//!
//! A state contains for every row how many of its tiles have their goal in row 1, 2, …: N
//! *contents*, each a composition of N into N parts, except the blank's row, which is a composition
//! of N − 1. States are numbered row by row. After some rows, only the numbers of remaining tiles
//! of each kind matter. These *remainders* are the nodes of a small acyclic graph whose edges, one
//! per content of the next row, are weighted so that the weights along a path add up to the state's
//! rank. Ranks are consecutive: 4, 105, 24,964 and 65,650,495 for N = 2, 3, 4, 5.
//!
//! As in pattern databases, the table stores *(value − vertical Manhattan distance) / 2*: a step
//! changes both by one.

mod check;

use std::{
    array,
    collections::BTreeMap,
    sync::atomic::{AtomicU8, Ordering},
};
use unriddle_core::parallel;
use unriddle_tables::{Build, TableError, Work};

/// Largest side with a table.
pub(crate) const MAX_TABLE_SIDE: usize = 5;
const N: usize = MAX_TABLE_SIDE;
/// No content or node; a rank that was not reached.
const NONE: u8 = u8::MAX;
/// Largest stored entry.
const CAP: u8 = 15;

/// Contents of the rows, by their numbers. Unused rows are 0.
pub(super) type Rows = [u8; 8];

/// An edge of the graph of remainders.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// The amount that it adds to the rank.
    offset: u32,
    next: u32,
}

/// A step with its content.
#[derive(Clone, Copy, Debug)]
struct Choice {
    step: Step,
    content: u8,
}

/// The numbering of the states of a side.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    n: usize,
    /// Kinds of tiles in a row, by content.
    contents: Vec<[u8; N]>,
    /// Content by its digits to the base N + 1.
    numbers: Vec<u8>,
    /// Content with one tile of a kind more, and with one less, by content and kind.
    more: Vec<[u8; 8]>,
    less: Vec<[u8; 8]>,
    /// By node and content, [`STRIDE`] apart.
    steps: Vec<Step>,
    /// The possible steps of every node, by offset.
    choices: Vec<Vec<Choice>>,
    /// Number of paths from every node to the end.
    paths: Vec<u32>,
    /// Manhattan distance of a row's tiles, by row and content.
    distances: Vec<Vec<u8>>,
}

/// Contents are numbered by a byte.
const STRIDE: usize = 256;

/// All ways to write `total` as a sum of `n` numbers.
fn compositions(n: usize, total: usize) -> Vec<[u8; N]> {
    let mut all = vec![([0; N], total)];
    for kind in 0..n {
        let last = kind + 1 == n;
        all = all
            .into_iter()
            .flat_map(|(parts, left)| {
                let least = if last { left } else { 0 };
                (least..=left).map(move |part| {
                    let mut parts = parts;
                    parts[kind] = part as u8;
                    (parts, left - part)
                })
            })
            .collect();
    }
    all.into_iter().map(|(parts, _)| parts).collect()
}

/// The number of a content to the base `n` + 1.
fn digits(n: usize, parts: &[u8]) -> usize {
    parts[..n].iter().rev().fold(0, |sum, &part| sum * (n + 1) + usize::from(part))
}

impl Ranks {
    /// The numbering for `n ≤ 5`.
    pub(super) fn new(n: usize) -> Self {
        let full = compositions(n, n);
        let mut contents = full.clone();
        contents.extend(compositions(n, n - 1));
        let mut numbers = vec![NONE; (n + 1).pow(n as u32)];
        for (number, content) in contents.iter().enumerate() {
            numbers[digits(n, content)] = number as u8;
        }
        let changed = |content: &[u8; N], kind: usize, by: i8| {
            let mut content = *content;
            match content[kind].checked_add_signed(by) {
                Some(part) if usize::from(part) <= n => {
                    content[kind] = part;
                    numbers[digits(n, &content)]
                }
                _ => NONE,
            }
        };
        let table = |by| {
            let row =
                |content| array::from_fn(|k| if k < n { changed(content, k, by) } else { NONE });
            contents.iter().map(row).collect()
        };
        let distance = |row: usize, content: &[u8; N]| {
            let part = |(kind, &part): (usize, &u8)| part * kind.abs_diff(row) as u8;
            content.iter().enumerate().map(part).sum()
        };
        let mut this = Self {
            n,
            more: table(1),
            less: table(-1),
            steps: Vec::new(),
            choices: Vec::new(),
            paths: Vec::new(),
            distances: (0..n)
                .map(|row| contents.iter().map(|c| distance(row, c)).collect())
                .collect(),
            numbers,
            contents,
        };
        this.number_remainders(full.len());
        this
    }

    /// Builds the graph. The first `full` contents are contents of rows without the blank.
    fn number_remainders(&mut self, full: usize) {
        let n = self.n;
        let mut start = [0; N];
        start[..n].fill(n as u8);
        start[n - 1] -= 1;
        // Nodes in the order of rows; edges lead from a node to later ones.
        let mut nodes = vec![start];
        let mut edges: Vec<Vec<(u8, usize)>> = Vec::new();
        let mut layer = 0..1;
        for row in 0..n {
            let mut next: BTreeMap<[u8; N], usize> = BTreeMap::new();
            for node in layer.clone() {
                let rest = nodes[node];
                let left: usize = rest.iter().map(|&r| usize::from(r)).sum();
                // The blank's row is among the rest as long as one tile is missing there.
                let allowed =
                    if left == n * (n - row) { &self.contents[..full] } else { &self.contents[..] };
                let mut own = Vec::new();
                for (number, content) in allowed.iter().enumerate() {
                    if content.iter().zip(&rest).all(|(part, left)| part <= left) {
                        let after = array::from_fn(|kind| rest[kind] - content[kind]);
                        let target = *next.entry(after).or_insert_with(|| {
                            nodes.push(after);
                            nodes.len() - 1
                        });
                        own.push((number as u8, target));
                    }
                }
                edges.push(own);
            }
            layer = layer.end..nodes.len();
        }
        self.paths = vec![1; nodes.len()];
        self.steps = vec![Step::default(); nodes.len() * STRIDE];
        self.choices = vec![Vec::new(); nodes.len()];
        for (node, own) in edges.iter().enumerate().rev() {
            let mut offset = 0;
            for &(content, target) in own {
                let step = Step { offset, next: target as u32 };
                self.steps[node * STRIDE + usize::from(content)] = step;
                self.choices[node].push(Choice { step, content });
                offset += self.paths[target];
            }
            self.paths[node] = offset;
        }
    }

    /// Number of states.
    pub(super) fn count(&self) -> u32 {
        self.paths[0]
    }

    /// The content of a row that holds `parts[k]` tiles of every kind `k`.
    pub(super) fn content(&self, parts: &[u8]) -> u8 {
        self.numbers[digits(self.n, parts)]
    }

    /// The rank of a state.
    #[inline(always)]
    pub(super) fn rank(&self, rows: &Rows) -> u32 {
        let (mut node, mut rank) = (0, 0);
        for &content in &rows[..self.n] {
            let step = self.steps[node * STRIDE + usize::from(content)];
            rank += step.offset;
            node = step.next as usize;
        }
        rank
    }

    /// The state after a tile of a kind has stepped from row `from` to row `to`, the blank's.
    #[inline(always)]
    pub(super) fn step(&self, rows: &Rows, from: usize, to: usize, kind: usize) -> Rows {
        let mut rows = *rows;
        rows[to & 7] = self.more[usize::from(rows[to & 7])][kind & 7];
        rows[from & 7] = self.less[usize::from(rows[from & 7])][kind & 7];
        rows
    }

    /// The state of the goal.
    pub(super) fn goal(&self) -> Rows {
        let mut rows = [0; 8];
        for (row, content) in rows[..self.n].iter_mut().enumerate() {
            let mut parts = [0; N];
            parts[row] = (self.n - usize::from(row + 1 == self.n)) as u8;
            *content = self.content(&parts);
        }
        rows
    }

    /// The blank's row.
    fn blank(&self, rows: &Rows) -> usize {
        let is_short = |&content: &u8| self.more[usize::from(content)][0] != NONE;
        rows[..self.n].iter().position(is_short).unwrap_or(0)
    }

    /// Calls `visit` with the blank's direction (0 down, 1 up), the kind and the next state.
    pub(super) fn successors(&self, rows: &Rows, mut visit: impl FnMut(usize, usize, Rows)) {
        let blank = self.blank(rows);
        for (direction, from) in [(0, blank + 1), (1, blank.wrapping_sub(1))] {
            if from < self.n {
                for kind in 0..self.n {
                    if self.less[usize::from(rows[from])][kind] != NONE {
                        visit(direction, kind, self.step(rows, from, blank, kind));
                    }
                }
            }
        }
    }

    /// Walking distances by rank.
    pub(super) fn levels(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let count = self.count();
        let total = u64::from(count) + u64::from(count) / 16;
        let levels: Vec<AtomicU8> = (0..count).map(|_| AtomicU8::new(NONE)).collect();
        levels[self.rank(&self.goal()) as usize].store(0, Ordering::Relaxed);
        let mut done = 0;
        for level in 0..NONE - 1 {
            if !work.goes_on(done, total) {
                return Err(TableError::Cancelled);
            }
            match self.expand(&levels, level, work.threads) {
                0 => return Ok(levels.into_iter().map(AtomicU8::into_inner).collect()),
                expanded => done += expanded,
            }
        }
        Err(TableError::BadPattern("a walking distance of 254 or more".into()))
    }

    /// Gives the next level to all successors of the states of `level` that have none yet. Returns
    /// the number of states of `level`. Threads may write one entry at once, but all write the same
    /// value.
    fn expand(&self, levels: &[AtomicU8], level: u8, threads: usize) -> u64 {
        const CHUNK: usize = 1 << 16;
        let expanded = parallel::map(levels.chunks(CHUNK).enumerate(), threads, |(i, chunk)| {
            let mut cursor = Cursor::new(self);
            let mut own = 0;
            for (rank, here) in (i * CHUNK..).zip(chunk) {
                if here.load(Ordering::Relaxed) != level {
                    continue;
                }
                own += 1;
                let rows = cursor.seek(rank as u32);
                self.successors(&rows, |_, _, after| {
                    let there = &levels[self.rank(&after) as usize];
                    if there.load(Ordering::Relaxed) == NONE {
                        there.store(level + 1, Ordering::Relaxed);
                    }
                });
            }
            own
        });
        expanded.into_iter().sum()
    }

    /// Walking distances as entries: less the Manhattan distance, halved.
    pub(super) fn entries(&self, mut levels: Vec<u8>) -> Result<Vec<u8>, TableError> {
        let mut cursor = Cursor::new(self);
        for (rank, level) in levels.iter_mut().enumerate() {
            let entry = (*level - self.distance(&cursor.seek(rank as u32))) / 2;
            if entry > CAP {
                // Capping it would break consistency.
                return Err(TableError::BadPattern(format!("an entry above {CAP}")));
            }
            *level = entry;
        }
        Ok(levels)
    }

    /// Vertical Manhattan distance of a state.
    pub(super) fn distance(&self, rows: &Rows) -> u8 {
        let of_row = |(row, &content): (usize, &u8)| self.distances[row][usize::from(content)];
        rows[..self.n].iter().enumerate().map(of_row).sum()
    }

    /// By rank, blank's direction and kind (8 apart): the next rank, or the same rank if there is
    /// no such step.
    pub(super) fn transitions(&self) -> Vec<u16> {
        let mut table: Vec<u16> = (0..self.count()).flat_map(|rank| [rank as u16; 16]).collect();
        let mut cursor = Cursor::new(self);
        for (rank, row) in table.chunks_mut(16).enumerate() {
            let rows = cursor.seek(rank as u32);
            self.successors(&rows, |direction, kind, after| {
                row[direction * 8 + kind] = self.rank(&after) as u16;
            });
        }
        table
    }
}

/// Enumerates states by rank. Neighbouring ranks share their first rows.
pub(super) struct Cursor<'a> {
    ranks: &'a Ranks,
    rows: Rows,
    /// Node before every row, and the rank that its first path has.
    path: [(usize, u32); N + 1],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(ranks: &'a Ranks) -> Self {
        Self { ranks, rows: [0; 8], path: [(0, 0); N + 1] }
    }

    /// The state of a rank.
    pub(super) fn seek(&mut self, rank: u32) -> Rows {
        let n = self.ranks.n;
        // Node 0 is the start. At a later position of the path it means that no node has been
        // found.
        let holds = |&(node, first): &(usize, u32)| {
            rank.checked_sub(first).is_some_and(|r| r < self.ranks.paths[node])
        };
        let shared = self.path[1..=n].iter().take_while(|place| place.0 != 0 && holds(place));
        let mut row = shared.count();
        while row < n {
            let (node, first) = self.path[row];
            let choices = &self.ranks.choices[node];
            let i = choices.partition_point(|c| c.step.offset <= rank - first) - 1;
            let Choice { step, content } = choices[i];
            self.rows[row] = content;
            row += 1;
            self.path[row] = (step.next as usize, first + step.offset);
        }
        self.rows
    }
}

/// The table of a side as something that the cache can build and keep.
#[derive(Clone, Debug)]
pub(super) struct Table {
    ranks: Ranks,
}

impl Table {
    /// The table of a side of 2 to 5.
    ///
    /// # Errors
    /// A side whose table would be too large.
    pub(super) fn new(side: usize) -> Result<Self, TableError> {
        if (2..=MAX_TABLE_SIDE).contains(&side) {
            Ok(Self { ranks: Ranks::new(side) })
        } else {
            Err(too_large(side))
        }
    }

    /// The numbering of its states.
    pub(super) fn into_ranks(self) -> Ranks {
        self.ranks
    }
}

/// The error of a side whose table would be too large.
pub(crate) fn too_large(side: usize) -> TableError {
    TableError::BadPattern(format!(
        "walking distance has tables for sides 2 to {MAX_TABLE_SIDE}, not {side}: side 6 would need \
         2,096,380,208,796 entries"
    ))
}

impl Build for Table {
    fn key(&self) -> String {
        format!("walking side={}", self.ranks.n)
    }

    fn file_stem(&self) -> String {
        format!("walking{}", self.ranks.n)
    }

    fn entries(&self) -> u64 {
        u64::from(self.ranks.count())
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let entries = self.ranks.entries(self.ranks.levels(work)?)?;
        let pack = |pair: &[u8]| pair[0] | pair.get(1).map_or(0, |high| high << 4);
        Ok(entries.chunks(2).map(pack).collect())
    }

    fn check(&self, table: &unriddle_tables::Table) -> Result<(), String> {
        check::check(&self.ranks, table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_consecutive() {
        for (n, count) in [(2, 4), (3, 105), (4, 24_964)] {
            let ranks = Ranks::new(n);
            assert_eq!(ranks.count(), count);
            let mut cursor = Cursor::new(&ranks);
            for rank in (0..count).chain([count / 2, 0, count - 1]) {
                assert_eq!(ranks.rank(&cursor.seek(rank)), rank);
            }
        }
        let ranks = Ranks::new(5);
        assert_eq!(ranks.count(), 65_650_495);
        let mut cursor = Cursor::new(&ranks);
        for rank in (0..ranks.count()).step_by(65_537).chain([0, ranks.count() - 1]) {
            assert_eq!(ranks.rank(&cursor.seek(rank)), rank);
        }
    }

    /// Every state is reached; the largest distances are known (35 for the 15-puzzle).
    #[test]
    fn all_states_are_reached() {
        for (n, max) in [(2, 3), (3, 14), (4, 35)] {
            let ranks = Ranks::new(n);
            let one = ranks.levels(&Work::new(1, &|_| true)).unwrap();
            assert_eq!(one.iter().max(), Some(&max));
            assert_eq!(one, ranks.levels(&Work::new(3, &|_| true)).unwrap());
        }
    }

    #[test]
    fn building_can_be_cancelled() {
        let table = Table::new(4).unwrap();
        assert!(matches!(table.build(&Work::new(1, &|_| false)), Err(TableError::Cancelled)));
        assert!(Table::new(6).is_err());
    }
}
