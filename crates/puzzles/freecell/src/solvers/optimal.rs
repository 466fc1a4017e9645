//! Proved shortest solutions of FreeCell, in single-card moves (M1) or in moves of sequences (M0).
//!
//! A* after Paul and Helmert with the estimate [`cycles`](crate::cycles): the cards not home plus
//! the fewest cards (or runs, where a sequence is one move) that break all cycles of waiting cards.
//! Its speed has seven reasons:
//!
//! - Moves home that some shortest solution plays at once are played at once (module `moves`).
//! - A card goes into a cell only right before that is useful (module `pending`).
//! - Of two independent moves of single cards the one of a fixed card comes first (module `order`).
//! - A single-card move changes the arcs of one card: the minimum without that card is computed
//!   once, and the minimum after the move is the same or larger by one. A move of a sequence
//!   changes the minimum by at most one. Recent relations are cached (modules `estimate`, `memo`).
//! - A solution is known from the start (module `opening`), and positions that cannot lead to a
//!   shorter one are not stored. In moves of sequences it is nearly the shortest, and few positions
//!   are stored in vain. Played card by card it is long: only a result for a search that is
//!   stopped.
//! - Positions of equal f are expanded in batches, in which the waits for memory overlap (module
//!   `expand`).
//! - Ties in f are broken toward more moves made, then toward the newest: when the smallest open f
//!   reaches the optimum, a solution is found within a few hundred expansions.
//!
//! On full deals the number of positions doubles or triples with each unit of f, from an estimate
//! that is up to 13 too low at the start.
//!
//! The estimate is consistent; still a position may be expanded a second time where a path of the
//! same or smaller length allows moves that were put off at first.
//!
//! In M1 moves are single cards under any rules: a sequence is played card by card. In M0 they are
//! the puzzle's actions.
//!
//! Memory: 32 bytes a position, 11 to 21 in the index and 4 in the open list. With too little, the
//! search stops with the best solution so far and the smallest open f as the proved bound.
//!
//! The lengths that the paper lists for deals 1 to 10 (82 73 70 79 85 75 76 74 81 80) are not
//! optima in M1 (87 75 73 85 90 79 76 75 92 85). They are the optima in moves of sequences (81 73
//! 70 79 85 75 76 74 81 80), if no more cards than free cells plus one may go into an empty column
//! at once, however many other columns are empty: with that rule deal 1 needs 82, and the others
//! need the same number as without it.
//!
//! Reference: G. Paul and M. Helmert, "Optimal Solitaire Game Solutions using A* Search and
//! Deadlock Analysis", SoCS 2016.

mod config;
mod estimate;
mod expand;
mod memo;
mod moves;
mod opening;
mod order;
mod pending;
mod singles;
mod store;

pub use config::{INFO, Measure, OptimalConfig};

use super::short::Short;
use crate::{FreeCell, Move, Moves, Table, cycles::extra_moves};
use expand::Batch;
use memo::Memo;
use moves::{settle, steps};
use opening::{Relay, opening};
use order::Last;
use pending::Pending;
use store::{Node, Store};
use unriddle_core::{
    Observer, Outcome, Progress, Puzzle, Quota, Search, SearchError, Solution, Stats,
    heuristic::PRIORITY_UNIT,
};
use unriddle_search::{
    memory::{Accounted, Full},
    nodes::NONE,
    open::Open,
};

/// Priority of a position on the open list: by f, then with more moves made first.
fn priority(f: u16, g: u16) -> (u64, u32) {
    (u64::from(f) * u64::from(PRIORITY_UNIT), u32::from(f - g))
}

/// The search.
pub struct Optimal<'a> {
    puzzle: &'a FreeCell,
    measure: Measure,
    /// Whether sequences move at once.
    sequences: bool,
    deck: u32,
    /// The search for a first solution, as long as it lasts.
    opening: Option<Box<Short<'a>>>,
    /// Positions without the moves that led to them: a path is found again by replay.
    store: Store,
    open: Open,
    memo: Memo,
    /// The positions that are expanded.
    batch: Batch,
    stats: Stats,
    best: Option<Solution<Move>>,
    bound: u32,
    outcome: Option<Outcome<Move>>,
    fault: Option<SearchError>,
}

impl<'a> Optimal<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// None at present: every table of FreeCell is accepted.
    pub fn new(puzzle: &'a FreeCell, config: OptimalConfig) -> Result<Self, SearchError> {
        let OptimalConfig { measure } = config;
        let sequences = measure == Measure::M0 && puzzle.rules().moves == Moves::Sequence;
        Ok(Self {
            puzzle,
            measure,
            sequences,
            opening: Some(Box::new(opening(puzzle, measure)?)),
            deck: puzzle.rules().deck() as u32,
            store: Store::new(),
            open: Open::default(),
            memo: Memo::default(),
            batch: Batch::new(),
            stats: Stats::default(),
            best: None,
            bound: 0,
            outcome: None,
            fault: None,
        })
    }

    /// The length of the best solution so far.
    fn limit(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |best| best.value as u32)
    }

    /// The start after its safe moves home, how many they are, and its estimate beyond the cards
    /// not home.
    fn root(&self) -> (Table, u32, u32) {
        let mut table = self.puzzle.initial_state();
        let g = settle(self.puzzle, &mut table, |_| {});
        let extra = extra_moves(self.puzzle, !self.sequences, &table);
        (table, g, extra)
    }

    /// Puts the start into the store.
    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        let (table, g, extra) = self.root();
        let f = g + self.deck - table.cards_home() + extra;
        let (f, g) = (f as u16, g as u16);
        let (hash, (key, tie)) = (table.hash, priority(f, g));
        self.grow(quota.bytes, |s, room| s.store.reserve(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| s.open.reserve(key, tie, 1, room))?;
        let node = Node {
            packed: table.pack(),
            parent: NONE,
            g,
            extra: extra as u8,
            closed: false,
            pending: Pending::NONE,
            last: Last::NONE,
        };
        let id = self.store.insert(hash, node);
        self.open.push(key, tie, id);
        if f == g {
            self.improve(id, observer);
        }
        Ok(())
    }

    /// The path to a node, as moves.
    fn path(&self, mut id: u32) -> Vec<Move> {
        let mut nodes = Vec::new();
        while id != NONE {
            nodes.push(id);
            id = self.store.node(id).parent;
        }
        let mut moves = Vec::new();
        let mut table = self.puzzle.initial_state();
        settle(self.puzzle, &mut table, |played| moves.push(played));
        nodes.reverse();
        for &id in nodes.iter().skip(1) {
            let target = self.store.node(id).packed;
            for action in steps(self.puzzle, self.sequences, &table) {
                let mut child = self.puzzle.apply(&table, action);
                let mut safe = Vec::new();
                settle(self.puzzle, &mut child, |played| safe.push(played));
                if child.pack() == target {
                    moves.push(action);
                    moves.append(&mut safe);
                    table = child;
                    break;
                }
            }
        }
        moves
    }

    /// Takes the path to a goal as the best solution if it is shorter.
    #[cold]
    fn improve(&mut self, id: u32, observer: &mut dyn Observer<Move>) {
        let actions = self.path(id);
        let best = Solution { value: actions.len() as i64, actions };
        if best.value < i64::from(self.limit()) {
            observer.improved(&best, &self.stats);
            self.best = Some(best);
        }
    }

    /// Looks for a first solution; whether that is done.
    fn open(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> bool {
        let Some(opening) = &mut self.opening else {
            return true;
        };
        let (puzzle, measure, best) = (self.puzzle, self.measure, &mut self.best);
        let progress = opening.advance(quota, &mut Relay { puzzle, measure, best, observer });
        self.stats = opening.stats();
        match progress {
            Progress::Running => return false,
            Progress::Finished(Outcome::Unsolvable) => self.outcome = Some(Outcome::Unsolvable),
            // A proof is the search's own business.
            Progress::Finished(_) | Progress::OutOfMemory => {}
            Progress::Failed(fault) => self.fault = Some(fault),
        }
        self.opening = None;
        true
    }

    fn raise(&mut self, bound: u32, observer: &mut dyn Observer<Move>) {
        if bound > self.bound {
            self.bound = bound;
            observer.bound(i64::from(bound), &self.stats);
        }
    }
}

impl Accounted for Optimal<'_> {
    fn bytes(&self) -> u64 {
        self.store.bytes() + self.open.bytes() + self.memo.bytes() + self.batch.bytes()
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl Search for Optimal<'_> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        if self.bound == 0 {
            // Known before anything is searched, and so also to who stops the search for a first
            // solution.
            let (table, g, extra) = self.root();
            self.raise(g + self.deck - table.cards_home() + extra, observer);
        }
        if !self.open(quota, observer) {
            return Progress::Running;
        }
        if self.store.len() == 0 && self.outcome.is_none() && self.start(quota, observer).is_err() {
            return Progress::OutOfMemory;
        }
        loop {
            if let Some(fault) = &self.fault {
                return Progress::Failed(fault.clone());
            }
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let next = self.batch.f().map(u32::from).or_else(|| {
                self.open.peek().map(|(key, _)| (key / u64::from(PRIORITY_UNIT)) as u32)
            });
            let f = next.unwrap_or(u32::MAX).min(self.limit());
            if f < u32::MAX {
                self.raise(f, observer);
            }
            match (&self.best, next) {
                (Some(best), _) if best.value <= i64::from(f) => {
                    self.outcome = Some(Outcome::Solved {
                        best: best.clone(),
                        proof: true,
                        bound: Some(best.value),
                    });
                    continue;
                }
                (_, Some(_)) => {}
                (_, None) => {
                    self.outcome = Some(Outcome::Unsolvable);
                    continue;
                }
            }
            if self.batch.f().is_none() {
                self.begin(f as u16);
                continue;
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if self.expand(quota, observer).is_err() {
                return Progress::OutOfMemory;
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        Some(i64::from(self.bound))
    }
}
