//! Proved shortest solutions of FreeCell in single-card moves, after Paul and Helmert.
//!
//! A* with the estimate [`cycles`](unriddle_puzzles::freecell::cycles): the cards not home plus the
//! fewest cards that break all circles of waiting cards. What makes it fast:
//!
//! - Moves home that some shortest solution plays at once are played at once (module `moves`).
//! - A card goes into a cell only right before that is of use (module `pending`).
//! - A move changes the arcs of one card: the minimum without that card is asked for once, and after the
//!   move it is that or one more. Relations met lately are remembered (module `memo`).
//! - Ties in f are broken toward more moves made, then toward the newest: when the smallest open f
//!   reaches the optimum, a solution is found within a few hundred expansions, so that no upper bound is
//!   needed before.
//!
//! On full deals the number of positions doubles with each unit of f, from an estimate that is 3 to 13
//! too low at the start; half the time goes into looking positions up.
//!
//! The estimate is consistent; still a position may be expanded a second time where a path of the same
//! or smaller length allows moves that were put off at first.
//!
//! Moves are single cards whatever the rules say: a sequence is played card by card.
//!
//! Memory: 32 bytes a position, 11 to 21 in the index and 4 in the open list. With too little, the search
//! stops with the smallest open f as the proved bound, and usually without a solution.
//!
//! The lengths that the paper lists for deals 1 to 10 (82 73 70 79 85 75 76 74 81 80) are below the optima
//! found here (87 75 73 85 90 79 76 75 92 85), which agree with breadth-first search on small decks. They
//! are, deal 1 apart, the best lengths known where a sequence counts as one move: another measure.
//!
//! Reference: G. Paul and M. Helmert, "Optimal Solitaire Game Solutions using A* Search and Deadlock
//! Analysis", SoCS 2016.

mod memo;
mod moves;
mod pending;
mod store;

use memo::Memo;
use moves::{Singles, settle};
use pending::Pending;
use store::{Full, NONE, Node, Store};
use unriddle_core::{
    Info, Observer, Outcome, Progress, Puzzle, Quota, Role, Search, SearchError, Solution, Stats,
};
use unriddle_puzzles::freecell::{
    FreeCell, Move, Table, To, card::DECK, cycles::Relations, pack::Packed,
};

/// What `describe fc-optimal` shows.
pub const INFO: Info = Info {
    name: "fc-optimal",
    role: Role::Search,
    summary: "FreeCell: proved shortest solutions in single-card moves, by A* with the estimate `cycles`",
    guarantee: "optimal in single-card moves; complete",
    requires: "FreeCell; memory for all positions whose estimate is below the optimum",
    reference: "Paul and Helmert 2016, Optimal solitaire game solutions using A* search and deadlock \
                analysis, SoCS",
    parameters: &[],
};

/// Moves of a position, at most: 18 cards may move, each to one of five places.
const MOST_MOVES: usize = 90;

/// Options of [`Optimal`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptimalConfig {}

/// A successor on its way into the store.
#[derive(Clone, Copy, Debug)]
struct Child {
    packed: Packed,
    hash: u64,
    g: u16,
    extra: u8,
    f: u16,
    pending: Pending,
    /// The node of the position, or [`NONE`].
    id: u32,
}

/// The search.
#[derive(Debug)]
pub struct Optimal<'a> {
    puzzle: &'a FreeCell,
    deck: u32,
    store: Store,
    memo: Memo,
    children: Vec<Child>,
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
        let OptimalConfig {} = config;
        Ok(Self {
            puzzle,
            deck: puzzle.rules().deck() as u32,
            store: Store::new(),
            memo: Memo::new(),
            children: Vec::with_capacity(MOST_MOVES),
            stats: Stats::default(),
            best: None,
            bound: 0,
            outcome: None,
            fault: None,
        })
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.other_bytes()
    }

    fn other_bytes(&self) -> u64 {
        self.memo.bytes() + (self.children.capacity() * size_of::<Child>()) as u64
    }

    /// What the store may take.
    fn room(&self, quota: &Quota) -> u64 {
        quota.bytes.saturating_sub(self.other_bytes())
    }

    /// The length of the best solution so far.
    fn limit(&self) -> u32 {
        self.best
            .as_ref()
            .map_or(u32::MAX, |best| best.value as u32)
    }

    /// Puts the start into the store.
    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        let mut table = self.puzzle.initial_state();
        let g = settle(self.puzzle, &mut table, |_| {});
        let extra = Relations::of(self.puzzle, &table).minimum();
        let f = g + self.deck - table.cards_home() + extra;
        let room = self.room(quota);
        self.store
            .reserve(table.hash_word(), (f as usize, g as usize), 1, room)?;
        let id = self.store.insert(
            table.hash_word(),
            Node {
                packed: table.pack(),
                parent: NONE,
                g: g as u16,
                extra: extra as u8,
                closed: false,
                pending: Pending::NONE,
            },
        );
        self.store.push(f as usize, g as usize, id);
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
            for action in Singles::of(self.puzzle, &table).iter() {
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

    /// The successors of a position that are new or reached by fewer moves, with their estimates.
    fn successors(&mut self, table: &Table, g: u16, extra: u8, pending: Pending) {
        let limit = self.limit();
        let relations = Relations::of(self.puzzle, table);
        // What is needed without a card, where it is known.
        let mut without = [u8::MAX; DECK];
        self.children.clear();
        for action in Singles::of(self.puzzle, table).iter() {
            let mut child = self.puzzle.apply(table, action);
            let safe = settle(self.puzzle, &mut child, |_| {});
            let Some(pending) = pending.after(self.puzzle, table, action, safe > 0) else {
                continue;
            };
            self.stats.generated += 1;
            let g = u32::from(g) + 1 + safe;
            let left = self.deck - child.cards_home();
            let (hash, packed) = (child.hash_word(), child.pack());
            let found = self.store.find(hash, &packed);
            let extra = match found {
                Some(id) => {
                    let node = self.store.node(id);
                    let there = u32::from(node.g);
                    if there < g || there == g && node.pending.joined(pending) == node.pending {
                        continue;
                    }
                    node.extra
                }
                None => {
                    if g + left >= limit {
                        continue;
                    }
                    self.stats.evaluated += 1;
                    let key = child.relations_key();
                    match self.memo.get(&key) {
                        Some(extra) => extra,
                        None => {
                            let extra = estimate(&relations, action, extra, &mut without);
                            self.memo.set(key, extra);
                            extra
                        }
                    }
                }
            };
            let f = g + left + u32::from(extra);
            if f >= limit {
                continue;
            }
            if f > u32::from(u16::MAX) {
                self.fault = Some(SearchError::TooLarge(format!(
                    "a path of more than {} moves, which fc-optimal cannot hold",
                    u16::MAX
                )));
                continue;
            }
            self.children.push(Child {
                packed,
                hash,
                g: g as u16,
                extra,
                f: f as u16,
                pending,
                id: found.unwrap_or(NONE),
            });
        }
    }

    /// Expands the node that is next, or (for lack of memory) leaves all as it was.
    fn expand(
        &mut self,
        id: u32,
        quota: &Quota,
        observer: &mut dyn Observer<Move>,
    ) -> Result<(), Full> {
        let before = self.stats;
        let Node {
            packed,
            g,
            extra,
            pending,
            ..
        } = *self.store.node(id);
        let table = self.puzzle.unpack(&packed);
        let room = quota.bytes.saturating_sub(self.bytes());
        self.memo.reserve(self.store.len(), room)?;
        self.successors(&table, g, extra, pending);
        let count = self.children.len();
        for i in 0..count {
            let Child { hash, f, g, .. } = self.children[i];
            let place = (usize::from(f), usize::from(g));
            let limit = self.room(quota);
            if self.store.reserve(hash, place, count, limit).is_err() {
                self.stats = before;
                return Err(Full);
            }
        }
        self.store.pop();
        self.store.node_mut(id).closed = true;
        self.stats.expanded += 1;
        let mut goal = None;
        for i in 0..count {
            let child = self.children[i];
            let node = Node {
                packed: child.packed,
                parent: id,
                g: child.g,
                extra: child.extra,
                closed: false,
                pending: child.pending,
            };
            let found = match child.id {
                // Two moves may lead to the same position.
                NONE => self.store.find(child.hash, &child.packed),
                id => Some(id),
            };
            let id = match found {
                None => self.store.insert(child.hash, node),
                Some(old) => {
                    let there = self.store.node_mut(old);
                    let joined = there.pending.joined(child.pending);
                    if there.g < child.g || there.g == child.g && joined == there.pending {
                        continue;
                    }
                    let closed = there.closed;
                    if child.g < there.g {
                        *there = node;
                    } else {
                        there.pending = joined;
                        there.closed = false;
                        if !closed {
                            // It is on the open list already.
                            continue;
                        }
                    }
                    self.stats.reopened += u64::from(closed);
                    old
                }
            };
            if child.f == child.g {
                goal = Some(id);
            }
            self.store
                .push(usize::from(child.f), usize::from(child.g), id);
        }
        if let Some(id) = goal {
            self.improve(id, observer);
        }
        Ok(())
    }

    /// Takes the path to a goal as the best solution if it is shorter.
    #[cold]
    fn improve(&mut self, id: u32, observer: &mut dyn Observer<Move>) {
        let actions = self.path(id);
        let best = Solution {
            value: actions.len() as i64,
            actions,
        };
        if best.value < i64::from(self.limit()) {
            observer.improved(&best, &self.stats);
            self.best = Some(best);
        }
    }

    fn raise(&mut self, bound: u32, observer: &mut dyn Observer<Move>) {
        if bound > self.bound {
            self.bound = bound;
            observer.bound(i64::from(bound), &self.stats);
        }
    }
}

/// The extra moves that are needed after a move, from those before it: `without` holds what is needed
/// without the card, once it is known.
#[inline]
fn estimate(
    relations: &Relations,
    Move { card, to }: Move,
    extra: u8,
    without: &mut [u8; DECK],
) -> u8 {
    if to == To::Home {
        return extra;
    }
    let lies = relations.cards() & card.bit() != 0;
    let rest = &mut without[card.index()];
    if *rest == u8::MAX {
        *rest = if !lies {
            extra
        } else if relations.waits_for_itself(card) {
            extra.saturating_sub(1)
        } else {
            let alone = relations.moved(card, None);
            extra - u8::from(extra > 0 && alone.within(u32::from(extra) - 1))
        };
    }
    let Some(onto) = to.onto(card) else {
        return *rest;
    };
    let moved = relations.moved(card, Some(onto));
    if moved.waits_for_itself(card) || !moved.within(u32::from(*rest)) {
        *rest + 1
    } else {
        *rest
    }
}

impl Search for Optimal<'_> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        if self.store.len() == 0 && self.start(quota, observer).is_err() {
            return Progress::OutOfMemory;
        }
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let next = self.store.peek();
            let f = next.map_or(u32::MAX, |(f, _)| f as u32).min(self.limit());
            if f < u32::MAX {
                self.raise(f, observer);
            }
            let id = match (&self.best, next) {
                (Some(best), _) if best.value <= i64::from(f) => {
                    self.outcome = Some(Outcome::Solved {
                        best: best.clone(),
                        proof: true,
                        bound: Some(best.value),
                    });
                    continue;
                }
                (_, Some((_, id))) => id,
                (_, None) => {
                    self.outcome = Some(Outcome::Unsolvable);
                    continue;
                }
            };
            if self.store.node(id).closed {
                self.store.pop();
                continue;
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let grown = self.expand(id, quota, observer);
            self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
            if grown.is_err() {
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

    fn fault(&self) -> Option<SearchError> {
        self.fault.clone()
    }
}
