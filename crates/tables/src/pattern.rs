//! Pattern databases for every puzzle: distances of all states of an abstraction, by breadth-first
//! search on all threads.
//!
//! A [`Pattern`] ignores a part of a state; the rest has a rank. A table contains, for each rank,
//! the number of actions to the goal's rank. Multiplied by the [least cost](Pattern::least_cost) of
//! an action, it is a lower bound for every state with this rank (Culberson and Schaeffer 1998,
//! Pattern databases; Korf 1997, Finding optimal solutions to Rubik's cube using pattern
//! databases).
//!
//! ```
//! # use unriddle_core::{Numbers, Puzzle};
//! # use unriddle_core::{Backward, GoalPuzzle};
//! # #[derive(Clone)]
//! # struct Dials;
//! # impl Puzzle for Dials {
//! #     type State = [u8; 2];
//! #     type Action = u8;
//! #     type Actions = Numbers;
//! #     fn initial_state(&self) -> [u8; 2] { [3, 5] }
//! #     fn actions(&self, _: &[u8; 2]) -> Numbers { Numbers::new(0, 1) }
//! #     fn apply(&self, state: &[u8; 2], dial: u8) -> [u8; 2] {
//! #         let mut after = *state;
//! #         after[usize::from(dial)] = (after[usize::from(dial)] + 1) % 7;
//! #         after
//! #     }
//! # }
//! # impl GoalPuzzle for Dials {
//! #     fn is_goal(&self, state: &[u8; 2]) -> bool { *state == [0, 0] }
//! # }
//! # impl Backward for Dials {
//! #     fn predecessors(&self, state: &[u8; 2], visit: &mut dyn FnMut([u8; 2], u8)) {
//! #         for dial in 0..2 {
//! #             let mut before = *state;
//! #             before[dial] = (before[dial] + 6) % 7;
//! #             visit(before, dial as u8);
//! #         }
//! #     }
//! #     fn goal_states(&self) -> Vec<[u8; 2]> { vec![[0, 0]] }
//! # }
//! use unriddle_core::Heuristic;
//! use unriddle_tables::{Cache, Database, Pattern, Policy};
//!
//! /// The first of two dials with seven marks. An action turns one dial by one mark.
//! #[derive(Clone)]
//! struct First;
//!
//! impl Pattern<Dials> for First {
//!     fn name(&self) -> String {
//!         "dials-first".to_owned()
//!     }
//!     fn ranks(&self) -> u64 {
//!         7
//!     }
//!     fn rank(&self, state: &[u8; 2]) -> u64 {
//!         state[0].into()
//!     }
//!     fn unrank(&self, rank: u64) -> [u8; 2] {
//!         [rank as u8, 0]
//!     }
//! }
//!
//! let cache = Cache::new(None, 1, Policy::Reuse);
//! let database = Database::new(&Dials, [First], &cache)?;
//! // Mark 3 is four marks before 0.
//! assert_eq!(database.root(&Dials, &[3, 5]), Some((4, ())));
//! # Ok::<(), unriddle_tables::TableError>(())
//! ```

use crate::{
    build::Build,
    cache::Cache,
    error::TableError,
    rank::Placements,
    table::{Table, Width},
    work::Work,
};
use std::{
    collections::hash_map::RandomState,
    hash::BuildHasher as _,
    marker::PhantomData,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};
use unriddle_core::{Backward, Cost, Guarantee, Heuristic, Puzzle, Rng, parallel::try_map};

/// Abstraction of states: ignores a part of a state, and numbers the rest.
///
/// An action must lead from two states with the same rank to the same rank, so that distances of
/// ranks are lower bounds. Distances count actions, so that every action must cost at least
/// [`least_cost`](Self::least_cost): a puzzle with an action that costs nothing has no pattern
/// databases. The build refuses a cheaper action where it encounters one.
pub trait Pattern<P: Backward>: Send + Sync + 'static {
    /// Name, different for each pattern of all puzzles: letters, digits, `-`, `_`. It is also the
    /// name of the table's file.
    fn name(&self) -> String;

    /// Version of the rules that distances follow: of the puzzle's actions and goals, and of the
    /// ranks. A stored table of another version is built again.
    ///
    /// Without a new version, changed rules are noticed where the table is opened: some ranks drawn
    /// at random show distances that the present rules contradict. A rare difference may stay
    /// unnoticed, so that whoever changes rules raises the version.
    fn version(&self) -> u32 {
        0
    }

    /// Least cost of an action of the puzzle, by which distances are multiplied.
    fn least_cost(&self) -> Cost {
        1
    }

    /// Number of ranks.
    fn ranks(&self) -> u64;

    /// The rank of a state, below [`ranks`](Self::ranks).
    fn rank(&self, state: &P::State) -> u64;

    /// A state of a rank.
    fn unrank(&self, rank: u64) -> P::State;

    /// Calls `visit` with the ranks from which an action leads to a rank.
    fn before(&self, puzzle: &P, rank: u64, visit: &mut impl FnMut(u64))
    where
        Self: Sized,
    {
        let state = self.unrank(rank);
        puzzle.predecessors(&state, &mut |before, _| visit(self.rank(&before)));
    }

    /// [`before`](Self::before) for some ranks, with which an opened table is compared. A pattern
    /// that prepares `before` for a whole build answers without the preparation.
    fn some_before(&self, puzzle: &P, rank: u64, visit: &mut impl FnMut(u64))
    where
        Self: Sized,
    {
        self.before(puzzle, rank, visit);
    }

    /// Width of the entries, which must suffice for all distances: nibbles contain distances up to
    /// 14, bytes up to 254.
    fn width(&self) -> Width {
        Width::Nibble
    }
}

/// Pattern of the cells of some pieces, for a puzzle whose states are arrangements of different
/// pieces on cells. Every action must cost at least 1. A puzzle whose actions cost more, or whose
/// rules change, has a pattern of its own ([`Pattern::least_cost`], [`Pattern::version`]).
pub struct Places<P: Puzzle> {
    /// Name, different for each pattern.
    pub name: String,
    /// The pieces of the solved puzzle, cell by cell.
    pub pieces: Vec<u8>,
    /// Pieces of the pattern.
    pub kept: Vec<u8>,
    /// The piece on a cell of a state.
    pub piece: fn(&P::State, usize) -> u8,
    /// The state with given pieces on its cells.
    pub state: fn(&[u8]) -> P::State,
}

// Not derived: the puzzle may lack `Clone`.
impl<P: Puzzle> Clone for Places<P> {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            pieces: self.pieces.clone(),
            kept: self.kept.clone(),
            ..*self
        }
    }
}

impl<P: Puzzle> Places<P> {
    fn placements(&self) -> Placements {
        Placements::new(self.pieces.len(), self.kept.len())
    }
}

impl<P: Backward> Pattern<P> for Places<P> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn ranks(&self) -> u64 {
        self.placements().count()
    }

    fn rank(&self, state: &P::State) -> u64 {
        let cells = 0..self.pieces.len();
        let cell = |&kept: &u8| cells.clone().find(|&cell| (self.piece)(state, cell) == kept);
        // A piece that is on no cell counts as on the first cell.
        let cells: Vec<usize> = self.kept.iter().map(|kept| cell(kept).unwrap_or(0)).collect();
        self.placements().rank(&cells)
    }

    /// The other pieces are in the order of the solved puzzle.
    fn unrank(&self, rank: u64) -> P::State {
        let cells = self.placements().unrank(rank);
        let mut others = self.pieces.iter().filter(|piece| !self.kept.contains(piece));
        let piece = |cell| match cells.iter().position(|&other| other == cell) {
            Some(kept) => self.kept[kept],
            None => others.next().copied().unwrap_or_default(),
        };
        (self.state)(&(0..self.pieces.len()).map(piece).collect::<Vec<u8>>())
    }
}

/// Builder of the distances of all ranks of a pattern.
pub struct Distances<P, T> {
    /// Any instance of the puzzle.
    pub puzzle: P,
    /// Abstraction of its states.
    pub pattern: T,
}

/// Number of ranks that are compared with the rules when a table is opened.
const SPOTS: u64 = 128;

/// Value of an entry of a rank from which no path leads to the goal's rank.
const fn unseen(width: Width) -> u8 {
    match width {
        Width::Byte => u8::MAX,
        Width::Nibble => 15,
    }
}

/// The entry of a rank.
#[inline]
fn entry(table: &Table, rank: u64) -> u8 {
    match table.width() {
        Width::Byte => table.packed()[rank as usize],
        Width::Nibble => table.nibble(rank),
    }
}

/// Ranks that a thread scans at a time.
const CHUNK: u64 = 1 << 15;

impl<P: Backward, T: Pattern<P>> Build for Distances<P, T> {
    fn key(&self) -> String {
        format!("distances of the pattern {}", self.pattern.name())
    }

    fn file_stem(&self) -> String {
        self.pattern.name()
    }

    fn entries(&self) -> u64 {
        self.pattern.ranks()
    }

    fn width(&self) -> Width {
        self.pattern.width()
    }

    fn version(&self) -> u32 {
        self.pattern.version()
    }

    /// The condition of a consistent estimate: goals have the distance 0, and no action leads to a
    /// rank that is nearer by more than one.
    fn check(&self, table: &Table) -> Result<(), String> {
        let (total, unseen) = (self.pattern.ranks(), unseen(table.width()));
        let goals = self.puzzle.goal_states();
        for goal in goals.iter().take(SPOTS as usize) {
            let rank = self.pattern.rank(goal);
            let found = entry(table, rank);
            if found != 0 {
                return Err(format!("the goal's rank {rank} has distance {found}"));
            }
        }
        let mut rng = Rng::new(RandomState::new().hash_one(total));
        for _ in 0..SPOTS {
            let rank = rng.below(total);
            let distance = entry(table, rank);
            if distance == unseen {
                continue;
            }
            self.costs_enough(rank)?;
            let mut found = Ok(());
            self.pattern.some_before(&self.puzzle, rank, &mut |before| {
                let farther = entry(table, before);
                if farther > distance + 1 {
                    found = Err(format!(
                        "rank {before} has distance {farther}, but an action leads from it to rank {rank} of distance {distance}"
                    ));
                }
            });
            found?;
        }
        Ok(())
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let total = self.pattern.ranks();
        self.refuse_cheap_actions()?;
        let mut cells = Cells::new(self.pattern.width(), total);
        let kept = work.resume(&mut |from| {
            let mut numbers = [[0; 8]; 2];
            for number in &mut numbers {
                from.read_exact(number)?;
            }
            let mut bytes = vec![0; cells.bytes.len()];
            from.read_exact(&mut bytes)?;
            Ok((numbers.map(u64::from_le_bytes), bytes))
        });
        let (first, mut done) = match kept {
            Some(([depth, ranks], bytes)) => {
                cells.bytes = bytes.into_iter().map(AtomicU8::new).collect();
                (depth as u8, ranks)
            }
            None => {
                let goals = self.puzzle.goal_states();
                let new = |goal| u64::from(cells.set(self.pattern.rank(goal), 0));
                (0, goals.iter().map(new).sum())
            }
        };
        for depth in first.. {
            let found = self.level(&cells, depth, done, work)?;
            if found == 0 {
                break;
            }
            done += found;
            work.keep(&mut |to| {
                for number in [u64::from(depth) + 1, done] {
                    to.write_all(&number.to_le_bytes())?;
                }
                // In parts, because a copy of a whole table would need as much memory again.
                for part in cells.bytes.chunks(1 << 16) {
                    let part: Vec<u8> =
                        part.iter().map(|byte| byte.load(Ordering::Relaxed)).collect();
                    to.write_all(&part)?;
                }
                Ok(())
            });
            if depth + 1 == cells.unseen {
                return Err(TableError::BadPattern(format!(
                    "distances of the pattern {} do not fit into {} bits",
                    self.pattern.name(),
                    self.pattern.width().bits()
                )));
            }
            if done == total {
                break;
            }
        }
        Ok(cells.bytes.into_iter().map(AtomicU8::into_inner).collect())
    }
}

impl<P: Backward, T: Pattern<P>> Distances<P, T> {
    /// Checks the costs of the actions from the initial state, from states of random ranks, and to
    /// the goals.
    fn refuse_cheap_actions(&self) -> Result<(), TableError> {
        let total = self.pattern.ranks();
        let refused = |why| TableError::BadPattern(format!("{}: {why}", self.key()));
        let initial = self.puzzle.initial_state();
        self.costs_enough_from(&initial).map_err(refused)?;
        for goal in self.puzzle.goal_states().iter().take(SPOTS as usize) {
            self.costs_enough_to(goal).map_err(refused)?;
        }
        let mut rng = Rng::new(total);
        (0..SPOTS).try_for_each(|_| self.costs_enough(rng.below(total))).map_err(refused)
    }

    /// Checks the costs of the actions to a state of a rank.
    fn costs_enough(&self, rank: u64) -> Result<(), String> {
        self.costs_enough_to(&self.pattern.unrank(rank))
    }

    fn costs_enough_to(&self, state: &P::State) -> Result<(), String> {
        let mut found = Ok(());
        self.puzzle.predecessors(state, &mut |before, action| {
            found = found.clone().and(self.is_enough(self.puzzle.action_cost(&before, action)));
        });
        found
    }

    fn costs_enough_from(&self, state: &P::State) -> Result<(), String> {
        let mut costs =
            self.puzzle.actions(state).map(|action| self.puzzle.action_cost(state, action));
        costs.try_for_each(|cost| self.is_enough(cost))
    }

    fn is_enough(&self, cost: Cost) -> Result<(), String> {
        match self.pattern.least_cost() {
            0 => {
                Err("the least cost of an action is 0, but distances count actions: a puzzle with \
                      actions that cost nothing has no pattern databases"
                    .to_owned())
            }
            least if cost < least => Err(format!(
                "an action costs {cost}, which is less than the least cost {least} of an action \
                 (Pattern::least_cost) by which distances are multiplied"
            )),
            _ => Ok(()),
        }
    }

    /// Finds all ranks one action farther than `depth`. Returns their number.
    fn level(
        &self,
        cells: &Cells,
        depth: u8,
        done: u64,
        work: &Work<'_>,
    ) -> Result<u64, TableError> {
        let total = self.pattern.ranks();
        let found = AtomicU64::new(0);
        let part = |chunk: u64| {
            let first = chunk * CHUNK;
            let mut new = 0;
            for rank in first..total.min(first + CHUNK) {
                if cells.get(rank) == depth {
                    self.pattern.before(&self.puzzle, rank, &mut |before| {
                        new += u64::from(cells.set(before, depth + 1));
                    });
                }
            }
            let done = done + found.fetch_add(new, Ordering::Relaxed) + new;
            if work.goes_on(done, total) { Ok(()) } else { Err(TableError::Cancelled) }
        };
        try_map(0..total.div_ceil(CHUNK), work.threads, part)?;
        Ok(found.into_inner())
    }
}

/// Entries that several threads write, each once.
struct Cells {
    bytes: Vec<AtomicU8>,
    width: Width,
    /// Value of an entry that was not written.
    unseen: u8,
}

impl Cells {
    fn new(width: Width, entries: u64) -> Self {
        let bytes = (0..width.bytes(entries)).map(|_| AtomicU8::new(u8::MAX));
        Self { bytes: bytes.collect(), width, unseen: unseen(width) }
    }

    #[inline]
    fn place(&self, entry: u64) -> (&AtomicU8, u32) {
        match self.width {
            Width::Byte => (&self.bytes[entry as usize], 0),
            Width::Nibble => (&self.bytes[entry as usize / 2], 4 * (entry as u32 & 1)),
        }
    }

    #[inline]
    fn get(&self, entry: u64) -> u8 {
        let (byte, shift) = self.place(entry);
        byte.load(Ordering::Relaxed) >> shift & self.unseen
    }

    /// Writes an entry if it is unseen, and returns whether it was. No two threads write different
    /// values at the same time.
    #[inline]
    fn set(&self, entry: u64, value: u8) -> bool {
        if self.get(entry) != self.unseen {
            return false;
        }
        let (byte, shift) = self.place(entry);
        // All bits of an unseen entry are set.
        let kept = !(self.unseen << shift) | value << shift;
        byte.fetch_and(kept, Ordering::Relaxed) >> shift & self.unseen == self.unseen
    }
}

/// Largest of the distances of several patterns, each multiplied by the least cost of an action: a
/// consistent estimate. It is exact in costs only where all actions cost the same.
pub struct Database<P, T> {
    parts: Vec<(T, Arc<Table>)>,
    puzzle: PhantomData<fn() -> P>,
}

impl<P: Backward + Clone, T: Pattern<P>> Database<P, T> {
    /// Opens (or builds) the tables of patterns; `puzzle` is any instance.
    ///
    /// # Errors
    /// A table cannot be opened or built.
    pub fn new(
        puzzle: &P,
        patterns: impl IntoIterator<Item = T>,
        cache: &Cache,
    ) -> Result<Self, TableError> {
        let builder = |pattern: T| Distances { puzzle: puzzle.clone(), pattern };
        let builders: Vec<_> = patterns.into_iter().map(builder).collect();
        cache.admit(builders.iter().map(|builder| builder as &dyn Build))?;
        let part = |builder: Distances<P, T>| {
            let table = cache.get(&builder)?;
            Ok((builder.pattern, table))
        };
        let parts: Result<Vec<_>, TableError> = builders.into_iter().map(part).collect();
        Ok(Self { parts: parts?, puzzle: PhantomData })
    }
}

impl<P: Backward, T: Pattern<P>> Heuristic<P> for Database<P, T> {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    /// `None` if no path leads from the rank of a pattern to the goal's rank.
    fn root(&self, _: &P, state: &P::State) -> Option<(Cost, ())> {
        let mut largest = 0;
        for (pattern, table) in &self.parts {
            let entry = entry(table, pattern.rank(state));
            if entry == unseen(table.width()) {
                return None;
            }
            largest = largest.max(Cost::from(entry).saturating_mul(pattern.least_cost()));
        }
        Some((largest, ()))
    }

    fn bytes(&self) -> u64 {
        self.parts.iter().map(|(_, table)| table.bytes()).sum()
    }
}
