//! Short solutions of FreeCell, better with time: beams of growing width over moves that are not
//! home.
//!
//! **Measure.** Every action counts one, also a sequence. As every solution has the same number of
//! moves home, the search minimises the number of other moves. One such move, with the automatic
//! moves home that follow, is one step, and a layer of the beam is all states of equal depth in
//! steps.
//!
//! **Free moves home.** First every card goes home that can. That loses few deals (#1941 needs a
//! low card kept back) and shortens the search very much. If nothing is found, or if nothing was
//! cut off, the search continues with only *safe* automatic moves home, and tries every other move
//! home as an optional free move, which is complete.
//!
//! **Layers.** The states of a layer are expanded, best first. A child is scored before it is made;
//! it is dropped if its depth plus lower bound does not improve on the best solution, if the width
//! is filled with better children, or if its state is already in a layer of the pass. The first
//! goal ends a pass; the next is wider, and has a better bound.
//!
//! **Boards.** Passes with all moves home use the positions of the fast engine where it has the
//! rules and the start (module `beam`): a move costs some 100 nanoseconds. All other passes lay out
//! a working board for each state (module `board`).
//!
//! **Prefixes.** After the last pass, `cuts` more begin at evenly spaced positions of the best
//! solution: the prefix is kept, and the whole width is spent on the rest. A better solution
//! restarts these passes. These passes prove nothing.
//!
//! **Proofs.** The solution is reported optimal where it equals the lower bound of the start, or
//! where the complete search was never cut by the width; without a solution such a search proves
//! unsolvability. Searching with all moves home proves nothing.
//!
//! Memory: a state of a pass over positions takes 32 to 48 bytes, and 512 more in the newest layer.
//! A state of a pass over working boards takes 80 to 96 bytes.
//!
//! References: R. Zhou and E. A. Hansen, "Breadth-First Heuristic Search", Artificial Intelligence
//! 170 (2006); G. Paul and M. Helmert, "Optimal Solitaire Game Solutions using A* Search and
//! Deadlock Analysis", SoCS 2016 (the bound). Searching FreeCell by a beam over such steps is
//! macroxue's idea.

mod autoplay;
mod beam;
mod board;
mod config;
mod cycles;
mod limit;
mod runs;
mod weights;

pub use config::{INFO, MAX_CUTS, MAX_WIDTH, ShortConfig};
pub use weights::{BeamWeights, Weights};

use crate::{Card, FreeCell, Move, Table, To};
use autoplay::Autoplay;
use beam::{Beam, Progress as Pass};
use board::{Board, Worth};
use limit::Limit;
use unriddle_core::{
    GoalPuzzle, Observer, Outcome, Progress, Puzzle, Quota, Search, SearchError, Solution, Stats,
};
use unriddle_search::{
    index::hash,
    memory::{Accounted, Full, left, reserve, vec_bytes},
    nodes::NONE,
    visited::Visited,
};

/// Number of distinct scores; larger ones count as the last.
const SCORES: usize = 4096;
/// Added to every score, so that it is hardly ever negative.
const OFFSET: i32 = 512;
/// More than the children of any state.
const CHILDREN: usize = 512;
/// No solution yet.
const UNKNOWN: u32 = u32::MAX;

/// Step that led to a state.
#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    action: Move,
}

/// States, each once, and how they were reached.
#[derive(Debug, Default)]
struct Pool {
    states: Visited<Table>,
    links: Vec<Link>,
}

impl Pool {
    fn len(&self) -> usize {
        self.links.len()
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + vec_bytes(&self.links)
    }

    /// Reserves memory for `extra` more states.
    #[inline(always)]
    fn reserve(&mut self, extra: usize, room: u64) -> Result<(), Full> {
        let before = vec_bytes(&self.links);
        reserve(&mut self.links, extra, room)?;
        let room = left(room, before, vec_bytes(&self.links));
        self.states.reserve(extra, room)
    }

    fn state(&self, id: usize) -> &Table {
        self.states.state(id as u32)
    }

    /// Adds a state with its hash; memory has been reserved. A state may be in the layers twice: as
    /// a candidate, and by a free move home later in the same layer.
    #[inline(always)]
    fn push(&mut self, hash: u64, state: &Table, link: Link) {
        self.states.push(hash, state);
        self.links.push(link);
    }

    fn clear(&mut self) {
        self.states.clear();
        self.links.clear();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Begin,
    /// A pass over positions of the fast engine.
    Beam,
    /// A pass over working boards.
    Expand,
    Close,
}

/// The search for short solutions.
pub struct Short<'a> {
    puzzle: &'a FreeCell,
    config: ShortConfig,
    /// The beam over positions of the fast engine, for rules that it has.
    beam: Option<Box<Beam>>,
    board: Box<Board>,
    autoplay: Autoplay,
    width: usize,
    /// The states of all layers of the pass.
    nodes: Pool,
    /// The next state to expand.
    at: usize,
    depth: u32,
    /// The candidates of the next layer, and their scores.
    next: Pool,
    scores: Vec<u16>,
    limit: Limit,
    /// The selected candidates.
    order: Vec<u32>,
    /// Whether the pass has left out a state for anything but its bound.
    lossy: bool,
    phase: Phase,
    /// The actions before the pass, and how many are not moves home; none but in passes from a
    /// prefix.
    prefix: Vec<Move>,
    prefix_steps: u32,
    /// Position of the best solution at which the pass begins, from 1; 0 is the start.
    cut: u32,
    /// Moves other than moves home of the best solution.
    best_steps: u32,
    best: Option<Solution<Move>>,
    bound: Option<i64>,
    stats: Stats,
    outcome: Option<Outcome<Move>>,
}

impl<'a> Short<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(puzzle: &'a FreeCell, config: ShortConfig) -> Result<Self, SearchError> {
        config.validate()?;
        Ok(Self {
            puzzle,
            config,
            beam: Beam::new(puzzle, &config.beam_weights),
            board: Box::new(Board::new(puzzle, config.weights)),
            autoplay: Autoplay::Max,
            width: config.first,
            nodes: Pool::default(),
            at: 0,
            depth: 0,
            next: Pool::default(),
            scores: Vec::new(),
            limit: Limit::new(SCORES),
            order: Vec::new(),
            lossy: false,
            phase: Phase::Start,
            prefix: Vec::new(),
            prefix_steps: 0,
            cut: 0,
            best_steps: UNKNOWN,
            best: None,
            bound: None,
            stats: Stats::default(),
            outcome: None,
        })
    }

    /// Ends with the best solution and the proof that none is better, or with the proof that none
    /// exists.
    fn proved(&mut self, observer: &mut dyn Observer<Move>) {
        let Some(best) = self.best.clone() else {
            self.bound = None;
            self.outcome = Some(Outcome::Unsolvable);
            return;
        };
        if self.bound != Some(best.value) {
            self.bound = Some(best.value);
            observer.bound(best.value, &self.stats);
        }
        self.outcome = Some(Outcome::Solved { bound: self.bound, proof: true, best });
    }

    fn start(&mut self, observer: &mut dyn Observer<Move>) {
        let start = self.puzzle.initial_state();
        self.board.load(self.puzzle, &start);
        let home = self.puzzle.rules().deck() as u32 - start.cards_home();
        let bound = i64::from(home + self.board.worth().forced);
        self.bound = Some(bound);
        observer.bound(bound, &self.stats);
        self.phase = Phase::Begin;
    }

    /// Begins a pass.
    fn begin(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.nodes.clear();
        self.clear_candidates();
        // Solutions that do not begin with the prefix are excluded.
        self.lossy = !self.prefix.is_empty();
        (self.at, self.depth) = (0, self.prefix_steps);
        if self.autoplay == Autoplay::Max
            && self.prefix.is_empty()
            && let Some(beam) = &mut self.beam
        {
            self.phase = Phase::Beam;
            if beam.begin(self.width) {
                let path = self.with_moves_home(&[]);
                self.solved(0, path, observer);
            }
            return Ok(());
        }
        // No later pass goes back to these positions.
        self.beam = None;
        let table = self.autoplay.close(self.puzzle, self.after_prefix(), |_| ());
        let action = Move { card: Card::from_index(0), to: To::Home };
        self.nodes.push(hash(&table), &table, Link { parent: NONE, action });
        self.phase = Phase::Expand;
        if self.puzzle.is_goal(&table) {
            let path = self.path(0, None);
            self.solved(0, path, observer);
        }
        Ok(())
    }

    /// The state that a pass begins at.
    fn after_prefix(&self) -> Table {
        let start = self.puzzle.initial_state();
        self.prefix.iter().fold(start, |table, &action| self.puzzle.apply(&table, action))
    }

    /// Proceeds to the next position of the best solution; returns whether there is one.
    fn next_cut(&mut self) -> bool {
        let Some(best) = &self.best else {
            return false;
        };
        self.cut += 1;
        if self.cut > self.config.cuts {
            return false;
        }
        let steps = u64::from(self.best_steps) * u64::from(self.cut);
        self.prefix_steps = (steps / u64::from(self.config.cuts + 1)) as u32;
        // All before the move that is not home of that number.
        let mut places = (0..).zip(&best.actions).filter(|(_, action)| action.to != To::Home);
        let end = places.nth(self.prefix_steps as usize).map_or(0, |(place, _)| place);
        self.prefix = best.actions[..end].to_vec();
        self.autoplay = Autoplay::Max;
        end > 0 || self.next_cut()
    }

    fn clear_candidates(&mut self) {
        self.next.clear();
        self.scores.clear();
        self.limit.begin(self.width);
    }

    /// The actions that lead to a node, with all that went home by themselves.
    fn path(&self, mut id: usize, last: Option<Move>) -> Vec<Move> {
        let mut steps: Vec<Move> = last.into_iter().collect();
        while let Link { parent, action } = self.nodes.links[id]
            && parent != NONE
        {
            steps.push(action);
            id = parent as usize;
        }
        steps.reverse();
        self.with_moves_home(&steps)
    }

    /// The prefix and some steps, with all that goes home by itself.
    fn with_moves_home(&self, steps: &[Move]) -> Vec<Move> {
        let mut actions = self.prefix.clone();
        let mut table = self.autoplay.close(self.puzzle, self.after_prefix(), |action| {
            actions.push(action);
        });
        for &step in steps {
            actions.push(step);
            table = self.puzzle.apply(&table, step);
            table = self.autoplay.close(self.puzzle, table, |action| actions.push(action));
        }
        actions
    }

    /// A solution, better than all before, was found; `steps` of its actions are not moves home.
    fn solved(&mut self, steps: u32, actions: Vec<Move>, observer: &mut dyn Observer<Move>) {
        let best = Solution { value: actions.len() as i64, actions };
        observer.improved(&best, &self.stats);
        let meets = self.bound == Some(best.value);
        self.best = Some(best);
        self.best_steps = steps;
        self.cut = 0;
        // Layer by layer: nothing is shorter if no shorter path was left out.
        if meets || (self.autoplay == Autoplay::Safe && !self.lossy) {
            self.proved(observer);
        } else {
            self.finish(observer);
        }
    }

    /// Ends a pass and prepares the next one.
    fn finish(&mut self, observer: &mut dyn Observer<Move>) {
        self.phase = Phase::Begin;
        let autoplay = self.autoplay;
        match autoplay {
            Autoplay::Safe if !self.lossy => self.proved(observer),
            // With all moves home nothing better exists: only others may be better.
            Autoplay::Max if !self.lossy => self.autoplay = Autoplay::Safe,
            _ if self.width < self.config.last => {
                self.width = self.width.saturating_mul(self.config.growth).min(self.config.last);
            }
            Autoplay::Max if self.best.is_none() => {
                self.autoplay = Autoplay::Safe;
                self.width = self.config.first;
            }
            _ if self.next_cut() => {}
            _ => {
                self.outcome = Some(match self.best.clone() {
                    Some(best) => Outcome::Solved { best, proof: false, bound: self.bound },
                    None => Outcome::Exhausted { best: None },
                });
            }
        }
    }

    /// A step of a pass over positions of the fast engine.
    fn step(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| {
            s.beam.as_mut().map_or(Ok(()), |beam| beam.reserve(room))
        })?;
        let Self { beam: Some(beam), best_steps, config, stats, .. } = self else {
            return Ok(());
        };
        let progress = beam.step(*best_steps, config.max_depth, stats);
        self.lossy = beam.is_cut();
        match progress {
            Pass::Running => {}
            Pass::Solved(steps) => {
                let path = self.with_moves_home(&steps);
                self.solved(steps.len() as u32, path, observer);
            }
            Pass::Ended => self.finish(observer),
        }
        Ok(())
    }

    /// Expands the next state of the layer.
    fn expand(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| s.next.reserve(CHILDREN, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.scores, CHILDREN, room))?;
        if self.autoplay == Autoplay::Safe {
            self.grow(quota.bytes, |s, room| s.nodes.reserve(8, room))?;
        }
        let puzzle = self.puzzle;
        let id = self.at;
        self.at += 1;
        self.stats.expanded += 1;
        let table = *self.nodes.state(id);
        self.board.load(puzzle, &table);
        for action in puzzle.actions(&table) {
            self.stats.generated += 1;
            let worth = self.board.child(action, self.autoplay);
            let solved = self.consider(&table, action, worth);
            self.board.undo();
            if solved {
                let steps = self.depth + u32::from(action.to != To::Home);
                let path = self.path(id, Some(action));
                self.solved(steps, path, observer);
                return Ok(());
            }
        }
        if self.at == self.nodes.len() {
            self.phase = Phase::Close;
        }
        Ok(())
    }

    /// Keeps the child on the board if it is new and good enough. Whether it is a goal, and better
    /// than the best solution.
    #[inline(always)]
    fn consider(&mut self, table: &Table, action: Move, mut worth: Worth) -> bool {
        let free = action.to == To::Home;
        let steps = self.depth + u32::from(!free);
        if steps.saturating_add(worth.forced) >= self.best_steps {
            return false;
        }
        if worth.goal {
            return true;
        }
        if self.is_late(free, worth.score) {
            return false;
        }
        self.stats.evaluated += 1;
        let child = self.make(table, action);
        let hash = hash(&child);
        let known = |pool: &Pool| pool.states.find(hash, &child).is_some();
        if known(&self.nodes) || (!free && known(&self.next)) {
            return false;
        }
        worth = self.board.with_cycles(worth);
        if steps.saturating_add(worth.forced) >= self.best_steps || self.is_late(free, worth.score)
        {
            return false;
        }
        let link = Link { parent: self.at as u32 - 1, action };
        if free {
            self.nodes.push(hash, &child, link);
        } else {
            self.next.push(hash, &child, link);
            let score = bucket(worth.score);
            self.scores.push(score as u16);
            self.limit.admit(score);
        }
        false
    }

    /// Whether the width is filled with states that are no worse; a child that comes too late is
    /// lost.
    #[inline(always)]
    fn is_late(&mut self, free: bool, score: i32) -> bool {
        let late = !free && self.limit.is_late(bucket(score));
        self.lossy |= late;
        late
    }

    /// The state of the board's last child.
    #[inline(always)]
    fn make(&self, table: &Table, action: Move) -> Table {
        let mut child = self.puzzle.apply(table, action);
        for &card in self.board.gone() {
            child = self.puzzle.apply(&child, Move { card, to: To::Home });
        }
        child
    }

    /// Makes the best candidates the next layer.
    fn close(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Result<(), Full> {
        let kept = self.next.len().min(self.width);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(kept, room))?;
        self.order.clear();
        self.grow(quota.bytes, |s, room| reserve(&mut s.order, kept, room))?;
        self.lossy |= kept < self.next.len();
        if kept == 0 || self.depth + 1 >= self.config.max_depth {
            self.lossy |= kept > 0;
            self.finish(observer);
            return Ok(());
        }
        self.order.resize(kept, 0);
        self.limit.sort(&self.scores, &mut self.order);
        self.at = self.nodes.len();
        for &id in &self.order {
            let state = self.next.state(id as usize);
            let link = self.next.links[id as usize];
            self.nodes.push(hash(state), state, link);
        }
        self.clear_candidates();
        self.depth += 1;
        self.phase = Phase::Expand;
        Ok(())
    }
}

/// The score as an index.
#[inline(always)]
fn bucket(score: i32) -> usize {
    score.saturating_add(OFFSET).clamp(0, SCORES as i32 - 1) as usize
}

impl Accounted for Short<'_> {
    fn bytes(&self) -> u64 {
        self.beam.as_ref().map_or(0, |beam| beam.bytes())
            + self.nodes.bytes()
            + self.next.bytes()
            + vec_bytes(&self.scores)
            + self.limit.bytes()
            + vec_bytes(&self.order)
            + vec_bytes(&self.prefix)
            + size_of::<Board>() as u64
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl Search for Short<'_> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let result = match self.phase {
                Phase::Start => {
                    self.start(observer);
                    Ok(())
                }
                Phase::Begin => self.begin(quota, observer),
                Phase::Beam | Phase::Expand if quota.is_used_up(&self.stats) => {
                    return Progress::Running;
                }
                Phase::Beam => self.step(quota, observer),
                Phase::Expand => self.expand(quota, observer),
                Phase::Close => self.close(quota, observer),
            };
            if result.is_err() {
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
        self.bound
    }
}
