//! Breadth-first search by cost (uniform-cost search): the oracle against which the others are tested.
//!
//! States are expanded in the order of g (Dijkstra 1959), which for unit costs is breadth-first. It needs no
//! estimate, shares no loop with A*, and is always optimal. The lower bound is g of the state that is
//! next in line.
//!
//! Memory: all generated states: for a state of 8 bytes about 17 per node, 6 to 11 in the index and 4 in
//! the open list.
//!
//! Reference: E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", Numerische Mathematik 1
//! (1959).

use crate::{
    memory::{Accounted, Full, reserve, vec_bytes},
    nodes::{Child, NONE, Nodes},
    open::Open,
};
use unriddle_core::{
    GoalPuzzle, Info, Observer, Options, Outcome, Progress, Puzzle, Quota, Role, Search,
    SearchError, Solution, Stats, heuristic::PRIORITY_UNIT, options, search::check_state_size,
};

/// What `describe bfs` shows.
pub const INFO: Info = Info {
    name: "bfs",
    role: Role::Search,
    version: 1,
    summary: "uniform-cost (breadth-first) search: expands states in the order of their cost",
    guarantee: "optimal; complete",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Dijkstra 1959",
    parameters: BfsConfig::PARAMETERS,
};

options! {
    /// Options of [`Bfs`]: none.
    #[derive(Copy, Eq)]
    pub struct BfsConfig of INFO {}
}

/// The record of a node: parent, and g with the flag [`OPEN`].
#[derive(Clone, Copy, Debug)]
struct Record {
    parent: u32,
    g: u32,
}

const OPEN: u32 = 1 << 31;

/// Whether an action in a state of a key leads to a state of a part of the space.
type Admits<'s, P> = dyn Fn(&<P as Puzzle>::State, u64, <P as Puzzle>::Action) -> bool + 's;

/// A part of the space to which a search keeps.
pub(crate) struct Scope<'s, P: GoalPuzzle> {
    /// Paths of at least this cost are left out.
    pub(crate) below: u32,
    /// What is to be worked out of a state once for all its actions.
    pub(crate) key: &'s dyn Fn(&P::State) -> u64,
    /// Whether an action in a state of this key leads to a state of the part.
    pub(crate) admits: &'s Admits<'s, P>,
    /// Whether a path may end at a state.
    pub(crate) is_end: &'s dyn Fn(&P::State) -> bool,
}

/// Uniform-cost search.
pub struct Bfs<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    from: P::State,
    /// Whether goals end the search; if not, they are expanded like other states.
    seeks_goal: bool,
    nodes: Nodes<P::State, P::Action, Record>,
    open: Open,
    children: Vec<Child<P::State, P::Action>>,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    bound: u32,
    outcome: Option<Outcome<P::Action>>,
    fault: Option<SearchError>,
}

impl<'a, P: GoalPuzzle> Bfs<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(puzzle: &'a P, config: BfsConfig) -> Result<Self, SearchError> {
        let BfsConfig {} = config;
        check_state_size::<P>()?;
        Ok(Self::begun_at(puzzle, puzzle.initial_state()))
    }

    /// A search that begins elsewhere.
    pub(crate) fn begun_at(puzzle: &'a P, from: P::State) -> Self {
        Self {
            puzzle,
            from,
            seeks_goal: true,
            nodes: Nodes::new(),
            open: Open::new(),
            children: Vec::new(),
            stats: Stats::default(),
            best: None,
            bound: 0,
            outcome: None,
            fault: None,
        }
    }

    /// Makes place for all successors on the scratch list.
    fn reserve(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.children.len();
        self.grow(quota.bytes, |s, room| s.nodes.reserve(count, room))?;
        for i in 0..count {
            let Child { hash, g, .. } = self.children[i];
            self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, count, room))?;
            self.grow(quota.bytes, |s, room| s.open.reserve(priority(g), 0, count, room))?;
        }
        Ok(())
    }

    fn start(&mut self, quota: &Quota) -> Result<(), Full> {
        let state = self.from;
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.nodes.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.nodes.reserve_index(hash, 1, room))?;
        self.grow(quota.bytes, |s, room| s.open.reserve(0, 0, 1, room))?;
        let record = Record { parent: NONE, g: OPEN };
        let id = self.nodes.push(hash, state, None, record);
        self.open.push(0, 0, id);
        Ok(())
    }

    /// Expands the node at the head of the open list, all at once or (for lack of memory) not at all.
    fn expand(&mut self, id: u32, scope: Option<&Scope<'_, P>>, quota: &Quota) -> Result<(), Full> {
        let puzzle = self.puzzle;
        let state = *self.nodes.state(id);
        let g = self.nodes.record(id).g & !OPEN;
        let last = self.nodes.action(id);
        let key = scope.map_or(0, |scope| (scope.key)(&state));
        self.children.clear();
        let actions = match last {
            Some(last) => puzzle.actions_after(&state, last),
            None => puzzle.actions(&state),
        };
        for action in actions {
            if last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            if let Some(scope) = scope
                && !((scope.admits)(&state, key, action)
                    && g.saturating_add(puzzle.action_cost(&state, action)) < scope.below)
            {
                continue;
            }
            let state_of_child = puzzle.apply(&state, action);
            let g = match g.checked_add(puzzle.action_cost(&state, action)) {
                Some(g) if g < OPEN => g,
                _ => {
                    self.fault = Some(SearchError::TooLarge(format!(
                        "a path costs {OPEN} or more, which bfs cannot hold"
                    )));
                    self.outcome = Some(Outcome::Exhausted { best: None });
                    return Ok(());
                }
            };
            self.grow(quota.bytes, |s, room| reserve(&mut s.children, 1, room))?;
            self.children.push(Child {
                state: state_of_child,
                hash: crate::index::hash(&state_of_child),
                action,
                g,
            });
        }
        self.reserve(quota)?;
        self.open.pop();
        self.nodes.record_mut(id).g = g;
        self.stats.expanded += 1;
        self.stats.generated += self.children.len() as u64;
        for i in 0..self.children.len() {
            let child = self.children[i];
            let record = Record { parent: id, g: child.g | OPEN };
            let found = self.nodes.find(child.hash, &child.state);
            let child_id = match found {
                None => self.nodes.push(child.hash, child.state, Some(child.action), record),
                Some(old) if child.g < self.nodes.record(old).g & !OPEN => {
                    *self.nodes.record_mut(old) = record;
                    self.nodes.set_action(old, child.action);
                    old
                }
                Some(_) => continue,
            };
            self.open.push(priority(child.g), 0, child_id);
        }
        Ok(())
    }
}

/// Priority of a cost.
fn priority(g: u32) -> u64 {
    u64::from(g) * u64::from(PRIORITY_UNIT)
}

impl<P: GoalPuzzle> Bfs<'_, P> {
    /// Goes on until the quota is used up, the search ends or has a fault.
    pub(crate) fn go_on(
        &mut self,
        scope: Option<&Scope<'_, P>>,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        if self.nodes.is_empty() && self.start(quota).is_err() {
            return Progress::OutOfMemory;
        }
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let Some((_, id)) = self.open.peek() else {
                self.outcome = Some(Outcome::Unsolvable);
                continue;
            };
            let g = self.nodes.record(id).g;
            if g & OPEN == 0 {
                self.open.pop();
                continue;
            }
            let g = g & !OPEN;
            if g > self.bound {
                self.bound = g;
                observer.bound(i64::from(g), &self.stats);
            }
            let state = self.nodes.state(id);
            let is_end = match scope {
                Some(scope) => (scope.is_end)(state),
                None => self.seeks_goal && self.puzzle.is_goal(state),
            };
            if is_end {
                let best = Solution::with_cost(self.nodes.path(id, |r| r.parent), g);
                observer.improved(&best, &self.stats);
                self.best = Some(best.clone());
                self.outcome = Some(Outcome::Solved { bound: Some(best.value), best, proof: true });
                continue;
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if self.expand(id, scope, quota).is_err() {
                return Progress::OutOfMemory;
            }
        }
    }

    /// An error of the search or of the puzzle's.
    fn fault(&self) -> Option<SearchError> {
        self.fault.clone().or_else(|| self.puzzle.fault())
    }
}

impl<P: GoalPuzzle> Accounted for Bfs<'_, P> {
    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.open.bytes() + vec_bytes(&self.children)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl<P: GoalPuzzle> Search for Bfs<'_, P> {
    type Action = P::Action;

    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        Progress::guarded(self, Self::fault, |search| search.go_on(None, quota, observer))
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<P::Action>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        Some(i64::from(self.bound))
    }
}

/// How many states of the whole reachable space have which cost from the start: the `c`-th number is
/// that of the states whose cheapest path costs `c`.
///
/// # Errors
/// States that are too large, costs of more than 2²⁴, or a fault of the puzzle.
pub fn distances<P: GoalPuzzle>(puzzle: &P) -> Result<Vec<u64>, SearchError> {
    let mut search = Bfs::new(puzzle, BfsConfig {})?;
    search.seeks_goal = false;
    let progress = search.advance(&Quota::UNLIMITED, &mut ());
    if let Progress::Failed(fault) = progress {
        return Err(fault);
    }
    if search.bound > 1 << 24 || progress == Progress::OutOfMemory {
        return Err(SearchError::TooLarge(
            "the space is too large for a table of distances".into(),
        ));
    }
    let mut counts = vec![0; search.bound as usize + 1];
    for id in 0..search.nodes.len() as u32 {
        counts[search.nodes.record(id).g as usize] += 1;
    }
    Ok(counts)
}
