//! The fewest presses, by linear algebra: all solutions of a board are one solution plus the quiet
//! patterns, 2^k for nullity k.
//!
//! Without quiet patterns the solution is unique. With few quiet patterns, or on a torus with an
//! odd side, all weights are [tabulated](super::table). Otherwise the null space splits into
//! [halves](super::levels), which reaches nullity 52 and thus every square board up to 78×78.
//! Beyond that, the search returns the best solution found [nearby](super::near) with a lower bound
//! and does not claim optimality.
//!
//! An expansion is a step of at most some milliseconds on usual boards: a level of a table's
//! transform, a round of pairs, or an attempt nearby.

use super::{
    levels::{Levels, Work},
    near::{self, Near},
    table::Table,
};
use crate::{
    Press,
    algebra::{Algebra, Row, Scratch, join},
};
use std::sync::Arc;
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Role, Search, SearchError, Solution, Stats,
    options,
};

/// Declaration of `lo-exact`.
pub const EXACT: Info = Info {
    guarantee: "optimal where the null space can be searched, as the result states; otherwise a lower bound",
    requires: "lightsout",
    reference: "Anderson and Feil 1998, Turning lights out with linear algebra, Mathematics Magazine 71",
    parameters: ExactConfig::PARAMETERS,
    ..Info::new(Role::Search, "lo-exact", "the fewest presses by linear algebra over GF(2)")
};

options! {
    /// Options of `lo-exact`.
    #[derive(Copy)]
    pub struct ExactConfig of EXACT {
        table: usize = "26" in 1..=30, "maximum quiet patterns of a table (2^table entries)";
        attempts: u64 = "2000" in 0..=1 << 40,
            "unsuccessful attempts before the search ends",
            "Where no table is large enough, the search returns the best solution found after \
             this number of attempts without an improvement.";
    }
    also {
        /// Seed of the attempts.
        seed: u64 = 0;
        /// Whether all solutions of the fewest presses are counted.
        counts: bool = false;
    }
}

/// Maximum number of quiet patterns for which all solutions are weighed directly.
const DIRECT: usize = 10;

/// Maximum number of quiet patterns for which all solutions are weighed in one table.
const WHOLE: usize = 24;

/// Solver of many boards of one shape that has few solutions per board.
///
/// ```
/// use unriddle_lightsout::{Lights, algebra::Algebra, solvers::Fewest};
///
/// let board = Lights::<1>::parse("11111/11111/11111/11111/11111", false)?;
/// let algebra = Algebra::of(board.shape());
/// let mut fewest = Fewest::new(&algebra).expect("nullity 2");
/// assert_eq!(fewest.presses(board.start()), Some(15));
/// # Ok::<(), unriddle_core::ParseError>(())
/// ```
pub struct Fewest<'a> {
    algebra: &'a Algebra,
    scratch: Scratch,
    /// Number of solutions with the fewest presses of the last board.
    count: u64,
}

impl<'a> Fewest<'a> {
    /// `None` if there are too many solutions.
    #[must_use]
    pub fn new(algebra: &'a Algebra) -> Option<Self> {
        (algebra.nullity() <= DIRECT).then(|| Self {
            algebra,
            scratch: Scratch::default(),
            count: 0,
        })
    }

    /// The fewest presses that turn all lights of a board off; `None` if the board has no solution.
    /// The board has a bit for each cell, as a state has, and no other bits.
    pub fn presses(&mut self, board: &[u64]) -> Option<u32> {
        if !self.algebra.solve(board, &mut self.scratch) {
            return None;
        }
        self.count = 1;
        if self.algebra.nullity() > 0 {
            let table = Table::<i32>::new(self.algebra.whole(), &self.scratch.presses).finished();
            let (_, at, count) = table.least();
            self.count = count;
            add(&self.algebra.quiet, at as u64, &mut self.scratch.presses);
        }
        Some(weight(&self.scratch.presses))
    }

    /// The pressed cells of the solution of the last solvable board, in no particular order.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        self.algebra.cells(&self.scratch.presses)
    }
}

/// Number of pressed cells.
fn weight(presses: &[Row]) -> u32 {
    presses.iter().flatten().map(|word| word.count_ones()).sum()
}

/// Adds the patterns whose bits are set.
fn add(patterns: &[Vec<Row>], bits: u64, presses: &mut [Row]) {
    for (i, pattern) in patterns.iter().enumerate() {
        if bits >> i & 1 == 1 {
            join(presses, pattern);
        }
    }
}

/// Stage of the enumeration of solutions.
enum Stage {
    Begin,
    /// All weights in one table, which is not finished.
    Whole(Table<i32>),
    /// Halves of the null space.
    Levels(Box<Levels>),
    /// The bound of a board whose solutions are too many.
    Bound,
    Near(Near),
    Done(Outcome<Press>),
}

/// The search.
pub struct Exact {
    algebra: Arc<Algebra>,
    config: ExactConfig,
    board: Vec<u64>,
    stage: Stage,
    /// The first solution.
    presses: Vec<Row>,
    best: Option<Solution<Press>>,
    /// The proved bound.
    bound: i64,
    count: Option<u64>,
    stats: Stats,
}

impl Exact {
    /// A search for the fewest presses on a board, a bit for each cell as a state has.
    ///
    /// # Errors
    /// An option that is out of its bounds.
    pub fn new(
        algebra: Arc<Algebra>,
        board: &[u64],
        config: ExactConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        let lit: u32 = board.iter().map(|word| word.count_ones()).sum();
        let bound = i64::from(lit.div_ceil(algebra.shape.most()));
        Ok(Self {
            algebra,
            config,
            board: board.to_vec(),
            stage: Stage::Begin,
            presses: Vec::new(),
            best: None,
            bound,
            count: None,
            stats: Stats::default(),
        })
    }

    /// Number of solutions with the fewest presses; `None` until all are counted, and if they
    /// cannot be counted.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        self.count
    }

    /// Stores a solution that is better than all before.
    fn improve(&mut self, presses: &[Row], observer: &mut dyn Observer<Press>) {
        // At most 40,000 cells.
        let cells = self.algebra.cells(presses).map(|cell| Press(cell as u16));
        let mut actions: Vec<Press> = cells.collect();
        actions.sort_unstable();
        let value = actions.len() as i64;
        if self.best.as_ref().is_some_and(|best| best.value <= value) {
            return;
        }
        let best = Solution { actions, value };
        observer.improved(&best, &self.stats);
        self.best = Some(best);
    }

    fn prove(&mut self, bound: i64, observer: &mut dyn Observer<Press>) {
        if bound > self.bound {
            self.bound = bound;
            observer.bound(bound, &self.stats);
        }
    }

    /// Ends with the best solution.
    fn end(&mut self, proof: bool, observer: &mut dyn Observer<Press>) -> Stage {
        let Some(best) = self.best.clone() else {
            return Stage::Done(Outcome::Unsolvable);
        };
        if proof {
            self.prove(best.value, observer);
        }
        Stage::Done(Outcome::Solved {
            // A solution with as many presses as the bound is optimal.
            proof: proof || self.bound == best.value,
            bound: Some(self.bound),
            best,
        })
    }

    /// Finds the first solution and returns the stage that continues from it.
    fn begin(&mut self, observer: &mut dyn Observer<Press>) -> Stage {
        let algebra = self.algebra.clone();
        if let Some(mut fewest) = Fewest::new(&algebra) {
            if fewest.presses(&self.board).is_some() {
                self.improve(&fewest.scratch.presses, observer);
                self.count = Some(fewest.count);
                self.stats.generated += 1 << algebra.nullity();
            }
            return self.end(true, observer);
        }
        let mut scratch = Scratch::default();
        if !algebra.solve(&self.board, &mut scratch) {
            return self.end(true, observer);
        }
        self.improve(&scratch.presses, observer);
        self.stats.generated += 1;
        self.presses = scratch.presses;
        let fits = |rank: usize| rank <= self.config.table;
        let halves = algebra.halves().filter(|halves| {
            let mut parts = halves.sides.iter().flatten();
            parts.all(|part| fits(part.rank()))
        });
        match halves {
            Some(_) => {
                let best = weight(&self.presses) as i32;
                Stage::Levels(Box::new(Levels::new(best, self.config.counts)))
            }
            None if algebra.nullity() <= WHOLE && fits(algebra.nullity()) => {
                Stage::Whole(Table::new(algebra.whole(), &self.presses))
            }
            None => Stage::Bound,
        }
    }

    /// Bytes that the next stage allocates at once.
    fn needed(&self) -> u64 {
        let cells = (self.presses.len() * size_of::<Row>()) as u64;
        match &self.stage {
            Stage::Begin if self.algebra.nullity() <= DIRECT => 0,
            Stage::Begin if self.algebra.nullity() <= WHOLE && self.algebra.halves().is_none() => {
                Table::<i32>::bytes(self.algebra.nullity())
            }
            Stage::Bound => near::bound_bytes(&self.algebra),
            Stage::Near(_) => near::Near::bytes(&self.algebra),
            Stage::Begin | Stage::Whole(_) | Stage::Levels(_) | Stage::Done(_) => cells,
        }
    }

    /// Performs an expansion; `false` if it needs more bytes than the quota has.
    fn expand(&mut self, quota: &Quota, observer: &mut dyn Observer<Press>) -> bool {
        let needed = self.needed();
        if needed > quota.bytes {
            return false;
        }
        self.stats.peak_bytes = self.stats.peak_bytes.max(needed);
        let algebra = self.algebra.clone();
        let stage = std::mem::replace(&mut self.stage, Stage::Begin);
        let (stage, is_done) = match stage {
            Stage::Begin => (self.begin(observer), true),
            Stage::Whole(mut table) => {
                if table.work() {
                    let (_, at, count) = table.least();
                    let mut presses = self.presses.clone();
                    add(&algebra.quiet, at as u64, &mut presses);
                    self.count = Some(count);
                    self.stats.generated += table.weights.len() as u64;
                    self.improve(&presses, observer);
                    (self.end(true, observer), true)
                } else {
                    (Stage::Whole(table), true)
                }
            }
            Stage::Levels(levels) => self.levels(levels, quota, observer),
            Stage::Bound => {
                self.prove(near::bound(&algebra, &self.presses), observer);
                (Stage::Near(Near::new(self.config.seed)), true)
            }
            Stage::Near(near)
                if near.failed >= self.config.attempts
                    || self.best.as_ref().is_some_and(|best| best.value == self.bound) =>
            {
                (self.end(false, observer), true)
            }
            Stage::Near(mut near) => {
                let mut presses = std::mem::take(&mut self.presses);
                self.stats.generated += 1;
                if near.attempt(&algebra, &mut presses) {
                    self.improve(&presses, observer);
                }
                self.presses = presses;
                (Stage::Near(near), true)
            }
            done @ Stage::Done(_) => (done, true),
        };
        self.stage = stage;
        is_done
    }

    fn levels(
        &mut self,
        mut levels: Box<Levels>,
        quota: &Quota,
        observer: &mut dyn Observer<Press>,
    ) -> (Stage, bool) {
        let algebra = self.algebra.clone();
        let Some(halves) = algebra.halves() else {
            // They were there when the search began.
            return (Stage::Bound, true);
        };
        let (before, looked_at) = (levels.best, levels.looked_at);
        let room = quota.bytes.saturating_sub(levels.bytes);
        let work = levels.work(halves, &self.presses, room);
        self.stats.peak_bytes = self.stats.peak_bytes.max(levels.bytes);
        self.stats.generated += levels.looked_at - looked_at;
        if let Some((side, word)) = levels.found.filter(|_| levels.best < before) {
            let mut presses = self.presses.clone();
            let [first, second] = &halves.sides[side];
            add(&first.patterns, word & u64::from(u32::MAX), &mut presses);
            add(&second.patterns, word >> 32, &mut presses);
            self.improve(&presses, observer);
        }
        self.prove(levels.bound().into(), observer);
        match work {
            Work::More => (Stage::Levels(levels), true),
            Work::NoRoom => (Stage::Levels(levels), false),
            Work::Done => {
                self.count = self.config.counts.then_some(levels.count);
                (self.end(true, observer), true)
            }
        }
    }
}

impl Search for Exact {
    type Action = Press;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Press>) -> Progress<Press> {
        loop {
            if let Stage::Done(outcome) = &self.stage {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if !self.expand(quota, observer) {
                return Progress::OutOfMemory;
            }
            self.stats.expanded += 1;
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Press>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        match &self.stage {
            Stage::Done(outcome) => outcome.bound(),
            _ => Some(self.bound),
        }
    }
}
