//! Iterative deepening by cost, with a transposition table and ordered successors.
//!
//! A depth-first search for a path of cost g ≤ θ is repeated, each time with θ raised to the
//! smallest cost that exceeded it; if every action costs 1 that is one action more each time. The
//! heuristic does not affect θ: it only orders the successors of a state (smallest h first, equal
//! ones in the puzzle's order). GA-FreeCell calls this search iterative deepening if successors are
//! not ordered (`deepening(blind)`) and IDA* if the heuristic orders them; IDA* proper is `idastar`
//! or, with a table, [`idtt`](crate::idtt).
//!
//! The table is the table of `idtt`, with the same rule: a path that reaches a state at g is given
//! up if a visit at a smaller g is known, or at the same g in this iteration. So the answer is
//! optimal whatever the guarantee of the heuristic, θ is a lower bound, and if no undominated path
//! exceeded θ there is no solution. Dead ends of the heuristic, which must be proved, are not
//! followed.
//!
//! All successors of a state are generated at once to be ordered, goals first; only successors
//! within θ are estimated. They are stored on a stack that all states of the path share.
//!
//! Complexity: states at the largest distances dominate. Ordering only helps in the last iteration,
//! and without knowledge by half of it on average. Memory: the table, and for each state of the
//! path its successors.
//!
//! References: R. E. Korf, "Depth-First Iterative-Deepening", Artificial Intelligence 27 (1985);
//! Elyasaf, Hauptman and Sipper 2011, sections 3.1.1 and 3.1.2.

use crate::{
    index::hash,
    memory::{Full, reserve, vec_bytes},
    memos::PathHeuristic,
    report::{Halt, ObserverOf, delegate_search, onward, too_costly},
    tabled::{Descent, Tabled},
};
use std::cmp::Reverse;
use unriddle_core::{Cost, GoalPuzzle, Info, Options, Quota, Role, SearchError, Solution, options};

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "optimal with any heuristic, whatever the size of the table",
    requires: "a goal puzzle; memory for the table",
    known: true,
    reference: "Korf 1985; Elyasaf, Hauptman and Sipper 2011, sections 3.1.1 and 3.1.2",
    parameters: DeepeningConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "deepening",
        "iterative deepening by cost with a transposition table; h only orders successors",
    )
};

options! {
    /// Options of [`Deepening`].
    #[derive(Copy, Eq)]
    pub struct DeepeningConfig of INFO (h: Heuristic, "order of the successors of a state") {
        table: u64 = "1G" in 0..=1 << 46, "largest size of the table, in bytes",
            "The table grows as it fills.";
    }
}

/// State that is still to be visited.
struct Child<P: GoalPuzzle> {
    state: P::State,
    /// Index of its memo.
    memo: usize,
    g: Cost,
    /// Estimate by which it is ordered; `None` for a goal, which comes first.
    h: Option<Cost>,
    /// The action that led here; `None` for the start.
    last: Option<P::Action>,
}

/// State of the path.
#[derive(Clone, Copy)]
struct Frame<A> {
    last: Option<A>,
    /// Index of its first successor on their stack; the successors end where the next state's
    /// begin.
    children: usize,
    /// Index of the first memo of its successors.
    memos: usize,
}

/// States of the path and their successors.
struct Path<P: GoalPuzzle> {
    frames: Vec<Frame<P::Action>>,
    /// Untried successors of the path's states. The next one to be tried is the last.
    children: Vec<Child<P>>,
    /// Number of memos that the states of the path and their successors need.
    memos: usize,
}

/// Iterative deepening with ordered successors.
pub struct Deepening<'a, P: GoalPuzzle>(Tabled<'a, P, Path<P>>);

impl<'a, P: GoalPuzzle> Deepening<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn PathHeuristic<P>,
        config: DeepeningConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        let path = Path { frames: Vec::new(), children: Vec::new(), memos: 0 };
        Tabled::new(puzzle, heuristic, path, config.table).map(Self)
    }

    /// The same search with a solution that is known already. It is proved to be optimal, or a
    /// better one is found.
    #[must_use]
    pub fn knowing(self, known: Option<Solution<P::Action>>) -> Self {
        Self(self.0.knowing(known))
    }
}

delegate_search!(Deepening);

impl<P: GoalPuzzle> Descent<P> for Path<P> {
    type Pending = Child<P>;

    const BY_COST: bool = true;

    fn root(&mut self, _: &P, state: P::State, h: Cost) -> Child<P> {
        self.memos = 1;
        Child { state, memo: 0, g: 0, h: Some(h), last: None }
    }

    fn reserve(
        search: &mut Tabled<'_, P, Self>,
        child: &Child<P>,
        quota: &Quota,
    ) -> Result<(), Full> {
        let count = search.puzzle.actions(&child.state).count();
        search.grow_path(quota, |s, room| reserve(&mut s.descent.frames, 1, room))?;
        search.grow_path(quota, |s, room| reserve(&mut s.descent.children, count, room))?;
        search.grow_path(quota, |s, room| s.memos.reserve(s.descent.memos + count, room))
    }

    /// Generates and orders the successors of a state.
    fn expand(search: &mut Tabled<'_, P, Self>, parent: Child<P>) -> Result<(), Halt> {
        let puzzle = search.puzzle;
        let threshold = search.threshold.unwrap_or_default();
        let (first, first_memo) = (search.descent.children.len(), search.descent.memos);
        for action in onward(puzzle, &parent.state, parent.last) {
            let state = puzzle.apply(&parent.state, action);
            search.stats.generated += 1;
            let cost = puzzle.action_cost(&parent.state, action);
            let g = parent.g.checked_add(cost).ok_or_else(|| too_costly(&"2^32", "deepening"))?;
            if g > threshold {
                search.exceed(g, &state, g);
                continue;
            }
            search.stats.evaluated += 1;
            let (from, memo) = (parent.memo, search.descent.memos);
            // A goal that the heuristic takes for a dead end is skipped like any dead end.
            if let Some(h) = search.memos.child(puzzle, &parent.state, action, &state, from, memo) {
                let least = parent.h.map_or(0, |before| before.saturating_sub(cost));
                if search.consistent && h < least && !puzzle.is_goal(&state) {
                    let path = search.descent.frames.iter().filter_map(|frame| frame.last);
                    let path = path.chain(parent.last).chain([action]);
                    return Err(search.inconsistent(path, least + cost, h));
                }
                let h = Some(h).filter(|_| !puzzle.is_goal(&state));
                search.descent.memos += 1;
                search.descent.children.push(Child { state, memo, g, h, last: Some(action) });
            }
        }
        // The first to be tried is the last: successors that are equal are in reverse order.
        let children = &mut search.descent.children[first..];
        children.reverse();
        children.sort_by_key(|child| Reverse(child.h));
        let frame = Frame { last: parent.last, children: first, memos: first_memo };
        search.descent.frames.push(frame);
        Ok(())
    }

    fn descend(
        search: &mut Tabled<'_, P, Self>,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        while let Some(&frame) = search.descent.frames.last() {
            if search.descent.children.len() == frame.children {
                search.descent.frames.pop();
                search.descent.memos = frame.memos;
                continue;
            }
            let Some(child) = search.descent.children.pop() else { return Ok(()) };
            let hash = hash(&child.state);
            if search.is_dominated(hash, &child.state, child.g) {
                continue;
            }
            if child.h.is_none() {
                let actions = search.descent.frames.iter().filter_map(|frame| frame.last);
                let actions = actions.chain(child.last).collect();
                // No cheaper path ends at a goal.
                search.report.bound = Some(child.g.into());
                search.solve(actions, observer);
                return Ok(());
            }
            search.visit(hash, &child.state, child.g, quota);
            search.pending = Some(child);
            return Ok(());
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.frames) + vec_bytes(&self.children)
    }
}
