//! Breadth-first search by cost (uniform-cost search): the oracle against which the other searches
//! are tested.
//!
//! States are expanded in the order of g (Dijkstra 1959), which for unit costs is breadth-first.
//! The search needs no estimate, shares no loop with A*, and is always optimal. The lower bound is
//! the g of the next state.
//!
//! Memory: all generated states: for a state of 8 bytes about 17 per node, 6 to 11 in the index and
//! 4 in the open list.
//!
//! Reference: E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", Numerische
//! Mathematik 1 (1959).

use crate::{
    memory::{Accounted, Full, accounted, reserve},
    nodes::{Child, NONE, Nodes},
    open::Open,
    report::{Halt, ObserverOf, Report, goal_search, onward, too_costly},
};
use unriddle_core::{
    GoalPuzzle, Info, Options, Progress, Puzzle, Quota, Role, Search, SearchError, Solution, Stats,
    heuristic::PRIORITY_UNIT, options, search::check_state_size,
};

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "optimal; complete where costs are above 0 or the space is finite",
    requires: "a goal puzzle; memory for all generated states",
    reference: "Dijkstra 1959",
    parameters: BfsConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "bfs",
        "uniform-cost (breadth-first) search: expands states in the order of their cost",
    )
};

options! {
    /// Options of [`Bfs`]: none.
    #[derive(Copy, Eq)]
    pub struct BfsConfig of INFO {}
}

/// Record of a node: its parent, and g with the flag [`OPEN`].
#[derive(Clone, Copy, Debug)]
struct Record {
    parent: u32,
    g: u32,
}

const OPEN: u32 = 1 << 31;

/// Test whether an action leads to a state of a part of the space, given the state and its key.
type Admits<'s, P> = dyn Fn(&<P as Puzzle>::State, u64, <P as Puzzle>::Action) -> bool + 's;

/// Part of the space to which a search is restricted.
pub(crate) struct Scope<'s, P: GoalPuzzle> {
    /// Paths of this cost or more are left out.
    pub(crate) below: u32,
    /// Key of a state, computed once for all its actions.
    pub(crate) key: &'s dyn Fn(&P::State) -> u64,
    /// Whether an action in a state with this key leads to a state of the part.
    pub(crate) admits: &'s Admits<'s, P>,
    /// Whether a path may end at a state.
    pub(crate) is_end: &'s dyn Fn(&P::State) -> bool,
}

/// Uniform-cost search.
pub struct Bfs<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    from: P::State,
    /// Whether goals end the search; otherwise they are expanded like other states.
    seeks_goal: bool,
    nodes: Nodes<P::State, P::Action, Record>,
    open: Open,
    children: Vec<Child<P::State, P::Action>>,
    stats: Stats,
    pub(crate) report: Report<P::Action>,
}

impl<'a, P: GoalPuzzle> Bfs<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// States that are too large.
    pub fn new(puzzle: &'a P, config: BfsConfig) -> Result<Self, SearchError> {
        let BfsConfig {} = config;
        check_state_size::<P>()?;
        Ok(Self::begun_at(puzzle, puzzle.initial_state()))
    }

    /// Creates a search with another start.
    pub(crate) fn begun_at(puzzle: &'a P, from: P::State) -> Self {
        Self {
            puzzle,
            from,
            seeks_goal: true,
            nodes: Nodes::default(),
            open: Open::default(),
            children: Vec::new(),
            stats: Stats::default(),
            report: Report { bound: Some(0), ..Report::new() },
        }
    }

    /// Reserves memory for all successors on the scratch list.
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

    /// Expands the first node of the open list, completely or (for lack of memory) not at all.
    fn expand(&mut self, id: u32, scope: Option<&Scope<'_, P>>, quota: &Quota) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let state = *self.nodes.state(id);
        let g = self.nodes.record(id).g & !OPEN;
        let key = scope.map_or(0, |scope| (scope.key)(&state));
        self.children.clear();
        for action in onward(puzzle, &state, self.nodes.action(id)) {
            if let Some(scope) = scope
                && !((scope.admits)(&state, key, action)
                    && g.saturating_add(puzzle.action_cost(&state, action)) < scope.below)
            {
                continue;
            }
            let state_of_child = puzzle.apply(&state, action);
            let g = match g.checked_add(puzzle.action_cost(&state, action)) {
                Some(g) if g < OPEN => g,
                _ => return Err(too_costly(&OPEN, "bfs").into()),
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
    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        self.step_within(None, quota, observer)
    }

    /// Takes a step. With `scope`, only states of that part are reached.
    pub(crate) fn step_within(
        &mut self,
        scope: Option<&Scope<'_, P>>,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        if self.nodes.is_empty() {
            return Ok(self.start(quota)?);
        }
        let Some((_, id)) = self.open.peek() else {
            self.report.finish();
            return Ok(());
        };
        let g = self.nodes.record(id).g;
        if g & OPEN == 0 {
            self.open.pop();
            return Ok(());
        }
        let g = g & !OPEN;
        self.report.prove(g, &self.stats, observer);
        let state = self.nodes.state(id);
        let is_end = match scope {
            Some(scope) => (scope.is_end)(state),
            None => self.seeks_goal && self.puzzle.is_goal(state),
        };
        if is_end {
            let best = Solution::with_cost(self.nodes.path(id, |r| r.parent), g);
            self.report.solve(best, &self.stats, observer);
            return Ok(());
        }
        if quota.is_used_up(&self.stats) {
            return Err(Halt::Quota);
        }
        self.expand(id, scope, quota)
    }
}

accounted!(Bfs<P: GoalPuzzle>: nodes, open, children);
goal_search!(Bfs<P>);

/// Numbers of states of the reachable space by their cost from the start: the `c`-th number counts
/// the states whose cheapest path costs `c`.
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
    let bound = search.report.bound.unwrap_or_default();
    if bound > 1 << 24 || progress == Progress::OutOfMemory {
        return Err(SearchError::TooLarge(
            "the space is too large for a table of distances".into(),
        ));
    }
    let mut counts = vec![0; bound as usize + 1];
    for id in 0..search.nodes.len() as u32 {
        counts[search.nodes.record(id).g as usize] += 1;
    }
    Ok(counts)
}
