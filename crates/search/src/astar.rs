//! A* and weighted A*: always expands a state of smallest f = g + w·h.
//!
//! With w = 1 and an admissible estimate the first selected solution is optimal (Hart, Nilsson and
//! Raphael 1968); closed states that are reached more cheaply are reopened, so that the estimate
//! need not be consistent. With w > 1 the cost is at most w times the optimum (Pohl 1970), usually
//! after far fewer expansions. The reported lower bound is the larger of f/w and the smallest g + h
//! over the open states, so that the true guarantee is often much better than w.
//!
//! Ties are broken toward larger g, then toward the newest entry. Goals are recognised when
//! generated (the incumbent) and the search ends when one is selected, or as soon as the lower
//! bound reaches the incumbent's cost.
//!
//! Memory: all generated states; time per expansion constant apart from the estimates. The engine
//! is module `best_first`.
//!
//! References: P. E. Hart, N. J. Nilsson, B. Raphael, "A Formal Basis for the Heuristic
//! Determination of Minimum Cost Paths", IEEE Transactions on Systems Science and Cybernetics 4
//! (1968). I. Pohl, "Heuristic Search Viewed as Path Finding in a Graph", Artificial Intelligence 1
//! (1970).

use crate::{
    best_first::{BestFirst, Settings},
    report::delegate_search,
    weights::fraction,
};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, Info, Options, Role, SearchError, Solution, options,
};

/// Largest weight of the estimate.
pub const MAX_W: f64 = 100.0;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "optimal with w = 1 and an admissible heuristic; at most w times the optimum with w > 1; \
                complete where costs are above 0 or the space is finite",
    requires: "a goal puzzle; memory for all generated states",
    known: true,
    reference: "Hart, Nilsson and Raphael 1968; Pohl 1970 (weighted)",
    parameters: AStarConfig::PARAMETERS,
    ..Info::new(Role::Search, "astar", "A*, or weighted A*: expands states in the order of g + w·h")
};

options! {
    /// Options of [`AStar`].
    #[derive(Copy)]
    pub struct AStarConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        w: f64 = "1" in 1.0..=MAX_W, "weight of the estimate",
            "A fraction with a denominator of up to 1000 approximates the weight.";
    }
}

/// A* and weighted A*.
pub struct AStar<'a, P: GoalPuzzle>(BestFirst<'a, P>);

impl<'a, P: GoalPuzzle> AStar<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        heuristic: &'a dyn BatchHeuristic<P>,
        config: AStarConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        let (weight_h, weight_g) = fraction(config.w);
        let settings =
            Settings { weight_g, weight_h, batch: 1, reopen: true, ..Settings::default() };
        BestFirst::new(puzzle, heuristic, settings).map(Self)
    }

    /// The same search with a solution that is known already. It is proved to be within `w` times
    /// the optimum, or a better one is found. States by which no solution is better are not opened.
    #[must_use]
    pub fn knowing(self, known: Option<Solution<P::Action>>) -> Self {
        Self(self.0.knowing(known))
    }
}

delegate_search!(AStar);
