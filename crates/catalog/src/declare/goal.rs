//! Declaration of a goal puzzle: least cost of a path to a goal.

use super::{
    ends::BothEnds,
    heuristic::{HeuristicOf, Tables},
    learning::Learning,
    listed::{Costs, Presentation, Preset},
    solver::Solver,
    view::View,
};
use crate::{bind::Bound, interface::values::Measures};
use unriddle_core::{GoalPuzzle, Vicinity};

/// Goal puzzle of the catalogue: its heuristics, solvers, presets and optional abilities.
///
/// ```
/// # use unriddle_catalog::Presentation;
/// # use unriddle_core::{GoalPuzzle, Notation, Numbers, ParseError, Puzzle, text};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
/// # }
/// # impl Notation for Stairs {
/// #     fn state_text(&self, stair: &u8) -> String { stair.to_string() }
/// #     fn solution_text(&self, steps: &[u8]) -> String {
/// #         steps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
/// #         text::read(text, |word| word.parse().map_err(|_| "expected a number".to_owned()))
/// #     }
/// # }
/// # impl Presentation for Stairs {}
/// use unriddle_catalog::{ErasedHeuristic, Goal, HeuristicOf, Info, Preset, Role};
/// use unriddle_core::{Cost, Estimate, Guarantee};
///
/// const HALF: Info = Info::new(Role::Heuristic, "half", "half the number of stairs");
///
/// fn half(_: &Stairs, stair: &u8) -> Option<Cost> {
///     Some(Cost::from(stair.div_ceil(2)))
/// }
///
/// impl Goal for Stairs {
///     const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&HALF, |_, _| {
///         Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, half)))
///     })];
///     const PRESETS: &'static [Preset<Self>] =
///         &[Preset::new("default", "the fewest steps", |_| Some("astar(half)"))];
/// }
///
/// assert_eq!((Stairs::PRESETS[0].solver)(&Stairs(9)), Some("astar(half)"));
/// ```
pub trait Goal: GoalPuzzle + Presentation + Sized {
    /// Its heuristics.
    const HEURISTICS: &'static [HeuristicOf<Self>];

    /// Solvers made for this puzzle only.
    const SOLVERS: &'static [Solver<Self, Costs>] = &[];

    /// The tables of one of its [`SOLVERS`](Self::SOLVERS), for building in advance: for an
    /// instance, or, if `puzzle` is `None`, for the puzzle with default parameters. A solver
    /// without tables has an empty list.
    ///
    /// # Errors
    /// Parameters that do not fit the puzzle.
    fn solver_tables(puzzle: Option<&Self>, solver: &Bound<'_>) -> Tables {
        let _ = (puzzle, solver);
        Ok(Vec::new())
    }

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// Networks that learn its distances: `Some(Learning::new(&[]))` for a puzzle that is
    /// [`Learnable`](unriddle_core::Learnable).
    const LEARNING: Option<Learning<Self>> = None;

    /// Inverses of its states, for bidirectional beams: `Some(BothEnds::new())` for a puzzle that
    /// is [`Invertible`](unriddle_core::Invertible).
    const ENDS: Option<BothEnds<Self>> = None;

    /// Whether this instance is one whose states have [inverses](Self::ENDS). Puzzles from files
    /// decide this for each file.
    fn has_inverses(&self) -> bool {
        true
    }

    /// Whether a solution is a set of actions: actions commute, each has cost 1, and an optimal
    /// solution has none twice. Counts of optimal solutions then count sets.
    const ARE_SETS: bool = false;

    /// The states in the vicinity of a state, for shortening solutions; `None` for the states that
    /// few steps lead to.
    fn vicinity(&self) -> Option<Box<dyn Vicinity<Self> + '_>> {
        None
    }

    /// Views of the instance: instances whose solutions give solutions of this one at the same
    /// cost, and whose states this one's heuristics estimate as well. Beams search them beside the
    /// instance, in this order. The default list is empty.
    fn views(&self) -> Vec<View<Self>> {
        Vec::new()
    }

    /// The lengths of a solution found by a solver, where the puzzle has several measures.
    fn measures(&self, solver: &Bound<'_>, actions: &[Self::Action]) -> Measures {
        let _ = (solver, actions);
        Measures::default()
    }
}
