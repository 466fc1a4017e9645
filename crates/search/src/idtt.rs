//! Iterative deepening A* with a bounded transposition table.
//!
//! A depth-first search for a path of g + h ≤ θ is repeated, each time with θ raised to the
//! smallest g + h that exceeded it (Korf 1985). The table contains, for as many states as fit, the
//! cheapest g of a visit, so that other paths to them need not be followed.
//!
//! A path that reaches a state at g is given up if the table knows of a visit of that state at a
//! smaller g in any iteration, or at the same g in this one. This never loses an optimal path: its
//! states are reached with their smallest possible g, and the first such visit of each iteration is
//! followed. Therefore the search is optimal with an admissible estimate whatever the table has
//! forgotten, and the raised θ stays a lower bound; and if no undominated path exceeded θ, there is
//! no solution. Children beyond θ are looked up only if they would lower the next θ, which is rare.
//!
//! Inverse actions are pruned; the order of commuting actions is not pruned, which is unsound with
//! a table.
//!
//! Complexity: with enough memory each state is expanded about once per iteration, as in A*; with
//! less the search degrades towards IDA*. On an unsolvable puzzle it ends only if the table holds
//! the whole space (or no cycle exists). For costs with many different sums there are many
//! iterations.
//!
//! Memory: 8 bytes beside the state per entry (see module `table`), and the path. The table grows
//! to `table` bytes, or less if the quota is smaller: then the count of expansions depends on the
//! quota, but the answer does not.
//!
//! References: R. E. Korf, "Depth-First Iterative-Deepening", Artificial Intelligence 27 (1985). A.
//! Reinefeld and T. A. Marsland, "Enhanced Iterative-Deepening Search", IEEE Transactions on
//! Pattern Analysis and Machine Intelligence 16 (1994); of its two uses of the table, this search
//! has the dominance by g and not the backed-up estimates.

use crate::{
    index::hash,
    memory::{Full, reserve, vec_bytes},
    memos::PathHeuristic,
    report::{Halt, ObserverOf, delegate_search, too_costly},
    tabled::{Descent, Tabled},
};
use unriddle_core::{Cost, GoalPuzzle, Info, Options, Quota, Role, SearchError, Solution, options};

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "optimal with an admissible heuristic, whatever the size of the table",
    requires: "a goal puzzle; memory for the table; profits where many paths lead to the same state",
    known: true,
    reference: "Korf 1985; Reinefeld and Marsland 1994",
    parameters: IdttConfig::PARAMETERS,
    ..Info::new(Role::Search, "idtt", "iterative-deepening A* with a bounded transposition table")
};

options! {
    /// Options of [`Idtt`].
    #[derive(Copy, Eq)]
    pub struct IdttConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        table: u64 = "1G" in 0..=1 << 46, "largest size of the table, in bytes",
            "The table grows as it fills.";
    }
}

/// State of the path, and its untried actions.
struct Frame<P: GoalPuzzle> {
    state: P::State,
    actions: P::Actions,
    g: Cost,
    h: Cost,
    /// The action that led here; `None` for the start.
    last: Option<P::Action>,
}

/// States of the path. The n-th state has memo n, and a successor of the last state the next memo.
struct Path<P: GoalPuzzle>(Vec<Frame<P>>);

/// Iterative deepening with a transposition table.
pub struct Idtt<'a, P: GoalPuzzle>(Tabled<'a, P, Path<P>>);

impl<'a, P: GoalPuzzle> Idtt<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn PathHeuristic<P>,
        config: IdttConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        Tabled::new(puzzle, heuristic, Path(Vec::new()), config.table).map(Self)
    }

    /// The same search with a solution that is known already. It is proved to be optimal, or a
    /// better one is found.
    #[must_use]
    pub fn knowing(self, known: Option<Solution<P::Action>>) -> Self {
        Self(self.0.knowing(known))
    }
}

delegate_search!(Idtt);

impl<P: GoalPuzzle> Descent<P> for Path<P> {
    type Pending = Frame<P>;

    const BY_COST: bool = false;

    fn root(&mut self, puzzle: &P, state: P::State, h: Cost) -> Frame<P> {
        Frame { state, actions: puzzle.actions(&state), g: 0, h, last: None }
    }

    #[inline]
    fn reserve(search: &mut Tabled<'_, P, Self>, _: &Frame<P>, quota: &Quota) -> Result<(), Full> {
        search.grow_path(quota, |s, room| reserve(&mut s.descent.0, 1, room))?;
        search.grow_path(quota, |s, room| s.memos.reserve(s.descent.0.len() + 2, room))
    }

    #[inline]
    fn expand(search: &mut Tabled<'_, P, Self>, frame: Frame<P>) -> Result<(), Halt> {
        search.descent.0.push(frame);
        Ok(())
    }

    fn descend(
        search: &mut Tabled<'_, P, Self>,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        let puzzle = search.puzzle;
        let threshold = search.threshold.unwrap_or_default();
        while let depth = search.descent.0.len()
            && let Some(frame) = search.descent.0.last_mut()
        {
            if search.stats.generated >= quota.generated {
                return Err(Halt::Quota);
            }
            let Some(action) = frame.actions.next() else {
                search.descent.0.pop();
                continue;
            };
            if frame.last.is_some_and(|last| puzzle.is_inverse(last, action)) {
                continue;
            }
            let child = puzzle.apply(&frame.state, action);
            search.stats.generated += 1;
            search.stats.evaluated += 1;
            let h = search.memos.child(puzzle, &frame.state, action, &child, depth - 1, depth);
            let Some(h) = h else { continue };
            let cost = puzzle.action_cost(&frame.state, action);
            let g = frame.g.checked_add(cost).ok_or_else(|| too_costly(&"2^32", "idtt"))?;
            let f = g.saturating_add(h);
            if search.consistent && f < frame.g.saturating_add(frame.h) && !puzzle.is_goal(&child) {
                let before = frame.h;
                let path = search.descent.0.iter().filter_map(|frame| frame.last);
                return Err(search.inconsistent(path.chain([action]), before, h));
            }
            if f > threshold {
                search.exceed(f, &child, g);
                continue;
            }
            let hash = hash(&child);
            if search.is_dominated(hash, &child, g) {
                continue;
            }
            if puzzle.is_goal(&child) {
                let actions = search.descent.0.iter().filter_map(|frame| frame.last);
                let actions = actions.chain([action]).collect();
                search.solve(actions, observer);
                return Ok(());
            }
            search.visit(hash, &child, g, quota);
            let actions = puzzle.actions_after(&child, action);
            search.pending = Some(Frame { state: child, actions, g, h, last: Some(action) });
            return Ok(());
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.0)
    }
}
