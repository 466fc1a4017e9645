//! The fewest presses by halves of the null space, each of which has its own tables.
//!
//! A solution is determined by only its white or only its black cells
//! ([`algebra`](crate::algebra)), and each side has two classes of cells that patterns change
//! independently. A table of a class has 2^(k/2) entries for 2^k solutions. A solution with fewer
//! presses than the best known number B has at most B / 2 presses on one of the sides. Pairs of
//! entries of a side's two tables are scanned in order of their sum, the *level*. The presses on
//! the other side are looked up in its tables by the coordinates of the pair there. Once all pairs
//! of white up to w presses and of black up to b presses have been scanned, every other solution
//! has at least w + 1 presses on white and b + 1 on black, so that w + b + 2 is a lower bound for
//! the other solutions. The side whose next level has fewer pairs advances.
//!
//! Weights of a class are distributed as the weights of random words, and half of the optimum is
//! far out on the tail of their sums: of the 2^42 solutions of the 65×65 board, some millions are
//! scanned.
//!
//! The idea is A. Brouwer's and K.-H. Zimmermann's algorithm for minimum distances: a word of low
//! weight has low weight in one of several parts each of which determines it (A. Betten et al.,
//! "Error-Correcting Linear Codes", 2006, section 1.8).

use super::table::Table;
use crate::algebra::{Halves, Row};

/// Approximate number of pairs that one expansion scans.
const PAIRS: u64 = 1 << 14;

/// The low half of a word: coordinates in the first class.
const LOW: u64 = u32::MAX as u64;

/// Patterns of a class by weight, each as its coordinates on the other side.
#[derive(Default)]
struct Buckets {
    /// Index of the first entry of each weight from the least one on, and the number of entries.
    starts: Vec<u32>,
    entries: Vec<u64>,
    least: i32,
}

impl Buckets {
    fn of(&self, weight: i32) -> &[u64] {
        let at = usize::try_from(weight - self.least).ok();
        let bounds = at.and_then(|at| self.starts.get(at).zip(self.starts.get(at + 1)));
        bounds.map_or(&[], |(&from, &to)| &self.entries[from as usize..to as usize])
    }

    /// Number of patterns of a table with each weight from `least` to `largest`.
    fn counts(weights: &[i16], least: i32, largest: i32) -> Vec<u32> {
        let mut counts = vec![0; usize::try_from(largest - least + 1).unwrap_or(0)];
        for &weight in weights {
            if let Some(count) = counts.get_mut((i32::from(weight) - least) as usize) {
                *count += 1;
            }
        }
        counts
    }

    fn new(weights: &[i16], across: &[u64], least: i32, counts: &[u32]) -> Self {
        let mut starts = vec![0; counts.len() + 1];
        for (i, count) in counts.iter().enumerate() {
            starts[i + 1] = starts[i] + count;
        }
        let mut entries = vec![0; starts[counts.len()] as usize];
        // The step from a number to the next one changes all bits up to the first zero.
        let mut changes = across.to_vec();
        for i in 1..changes.len() {
            changes[i] ^= changes[i - 1];
        }
        let (mut next, mut word) = (starts.clone(), 0);
        for (i, &weight) in weights.iter().enumerate() {
            if i > 0 {
                word ^= changes[i.trailing_zeros() as usize];
            }
            let at = (i32::from(weight) - least) as usize;
            if at < counts.len() {
                entries[next[at] as usize] = word;
                next[at] += 1;
            }
        }
        Self { starts, entries, least }
    }
}

/// A side of the board.
#[derive(Default)]
struct Side {
    /// The fewest presses of each class.
    least: [i32; 2],
    buckets: Vec<Buckets>,
    /// The last level of which all pairs have been scanned.
    done: i32,
}

impl Side {
    /// Number of pairs of the next level.
    fn pairs(&self) -> u64 {
        let level = self.done + 1;
        let weights = self.least[0]..=level - self.least[1];
        let pairs = |weight| {
            let (first, second) = (self.buckets[0].of(weight), self.buckets[1].of(level - weight));
            first.len() as u64 * second.len() as u64
        };
        weights.map(pairs).sum()
    }
}

/// Position within a level.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    side: usize,
    level: i32,
    /// The weight of the first class.
    weight: i32,
    /// The next entry of that weight.
    entry: usize,
}

/// The last solution found: the side of the coordinates, and the coordinates.
pub(crate) type Coordinates = (usize, u64);

/// Result of one expansion.
pub(crate) enum Work {
    /// There is more to do.
    More,
    /// More bytes are needed than the memory budget allows.
    NoRoom,
    /// The optimum is proved.
    Done,
}

/// Stage of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Tables,
    /// A table that is not finished.
    Table,
    Buckets,
    Pairs,
}

/// The search.
pub(crate) struct Levels {
    stage: Stage,
    /// Tables of the two white and the two black classes.
    tables: Vec<Table<i16>>,
    sides: [Side; 2],
    cursor: Option<Cursor>,
    /// Whether all solutions of the fewest presses are to be counted.
    counts: bool,
    /// The fewest presses known.
    pub(crate) best: i32,
    /// The solution with `best` presses; `None` if this search has not found it.
    pub(crate) found: Option<Coordinates>,
    /// The number of solutions seen so far with as few presses as the best.
    pub(crate) count: u64,
    /// Number of scanned solutions.
    pub(crate) looked_at: u64,
    /// Bytes of tables and buckets.
    pub(crate) bytes: u64,
}

impl Levels {
    /// A search for solutions with fewer presses than `best`. With `counts` it also counts the
    /// solutions with `best` presses.
    pub(crate) fn new(best: i32, counts: bool) -> Self {
        Self {
            stage: Stage::Tables,
            tables: Vec::new(),
            sides: Default::default(),
            cursor: None,
            counts,
            best,
            found: None,
            count: 0,
            looked_at: 0,
            bytes: 0,
        }
    }

    /// The lower bound of all solutions.
    pub(crate) fn bound(&self) -> i32 {
        match self.stage {
            Stage::Tables | Stage::Table => 0,
            Stage::Buckets | Stage::Pairs => self.left().min(self.best),
        }
    }

    /// The lower bound of all unscanned solutions.
    fn left(&self) -> i32 {
        self.sides[0].done + self.sides[1].done + 2
    }

    /// Performs an expansion, which may allocate `room` more bytes.
    pub(crate) fn work(&mut self, halves: &Halves, presses: &[Row], room: u64) -> Work {
        match self.stage {
            Stage::Tables => {
                let Some(part) = halves.sides.iter().flatten().nth(self.tables.len()) else {
                    self.begin(halves);
                    return Work::More;
                };
                let bytes = Table::<i16>::bytes(part.rank());
                if bytes > room {
                    return Work::NoRoom;
                }
                self.bytes += bytes;
                self.tables.push(Table::new(part, presses));
                self.stage = Stage::Table;
                Work::More
            }
            Stage::Table => {
                if self.tables.last_mut().is_none_or(Table::work) {
                    self.stage = Stage::Tables;
                }
                Work::More
            }
            Stage::Buckets => {
                let next = (0..2).find(|&side| self.sides[side].buckets.len() < 2);
                let Some(side) = next else {
                    self.stage = Stage::Pairs;
                    return Work::More;
                };
                if self.bucket(halves, side, room) { Work::More } else { Work::NoRoom }
            }
            Stage::Pairs => {
                let Some(cursor) = self.cursor.or_else(|| self.next_level()) else {
                    return Work::Done;
                };
                self.cursor = self.look_at(cursor);
                if self.cursor.is_none() {
                    self.sides[cursor.side].done = cursor.level;
                }
                Work::More
            }
        }
    }

    /// Reads bounds of both sides and two solutions from the tables.
    fn begin(&mut self, halves: &Halves) {
        for side in 0..2 {
            let least = [0, 1].map(|class| self.tables[2 * side + class].least());
            let [(first, at, _), (second, other, _)] = least;
            self.sides[side].least = [first, second];
            self.sides[side].done = first + second - 1;
            let across = &halves.across[side];
            let word = |across: &[u64], at: usize| {
                let bits = across.iter().enumerate();
                bits.fold(0, |word, (i, bit)| word ^ if at >> i & 1 == 1 { *bit } else { 0 })
            };
            let word = word(&across[0], at) ^ word(&across[1], other);
            let value = first + second + self.looked_up(1 - side, word);
            if value < self.best {
                self.best = value;
                self.found = Some((1 - side, word));
            }
        }
        self.stage = Stage::Buckets;
    }

    /// The presses of a side, given its coordinates.
    fn looked_up(&self, side: usize, word: u64) -> i32 {
        let [first, second] = [0, 1].map(|class| &self.tables[2 * side + class].weights);
        i32::from(first[(word & LOW) as usize]) + i32::from(second[(word >> 32) as usize])
    }

    /// Sorts those patterns of a side's next class that can be part of a better solution. Returns
    /// whether they fit into `room` bytes.
    fn bucket(&mut self, halves: &Halves, side: usize, room: u64) -> bool {
        let class = self.sides[side].buckets.len();
        let least = self.sides[side].least;
        // The maximum number of presses on this side, if the other side has its least number and
        // both together have at most the best known number.
        let most = self.best - self.sides[1 - side].least.iter().sum::<i32>();
        let most = most - least[1 - class];
        let weights = &self.tables[2 * side + class].weights;
        let counts = Buckets::counts(weights, least[class], most);
        let entries: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let bytes = 8 * entries + 4 * counts.len() as u64;
        if bytes > room {
            return false;
        }
        self.bytes += bytes;
        let across = &halves.across[side][class];
        let buckets = Buckets::new(weights, across, least[class], &counts);
        self.sides[side].buckets.push(buckets);
        true
    }

    /// The next level: of the side with fewer pairs on its next level. `None` if the optimum is
    /// proved.
    fn next_level(&self) -> Option<Cursor> {
        if self.left() >= self.best + i32::from(self.counts) {
            return None;
        }
        let side = usize::from(self.sides[1].pairs() < self.sides[0].pairs());
        let Side { least, done, .. } = self.sides[side];
        Some(Cursor { side, level: done + 1, weight: least[0], entry: 0 })
    }

    /// Scans some pairs. Returns the position to continue at, or `None` if the level is done.
    fn look_at(&mut self, mut cursor: Cursor) -> Option<Cursor> {
        let Cursor { side, level, .. } = cursor;
        let other = 1 - side;
        let Side { least, buckets, .. } = &self.sides[side];
        let [first, second] = [0, 1].map(|class| &self.tables[2 * other + class].weights[..]);
        let mut looked_at = 0;
        while looked_at < PAIRS {
            if cursor.weight > level - least[1] {
                self.looked_at += looked_at;
                return None;
            }
            let entries = buckets[0].of(cursor.weight);
            let partners = buckets[1].of(level - cursor.weight);
            let Some(entry) = entries.get(cursor.entry).filter(|_| !partners.is_empty()) else {
                cursor.weight += 1;
                cursor.entry = 0;
                continue;
            };
            for partner in partners {
                let word = entry ^ partner;
                let presses = i32::from(first[(word & LOW) as usize])
                    + i32::from(second[(word >> 32) as usize]);
                let value = level + presses;
                if value < self.best {
                    self.best = value;
                    self.found = Some((other, word));
                    self.count = 1;
                } else if value == self.best && presses > self.sides[other].done {
                    // Otherwise the other side has already counted it.
                    self.count += 1;
                }
            }
            looked_at += partners.len() as u64;
            cursor.entry += 1;
        }
        self.looked_at += looked_at;
        Some(cursor)
    }
}
