//! Estimates that searches use instead of a heuristic: of actions, and comparisons of two states.

use unriddle_core::{Puzzle, Row};

/// Estimates of all actions of a batch of states.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle, Row};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{Budget, run};
/// use unriddle_search::{beam::BeamConfig, qbeam::{ActionValues, QBeam}};
///
/// /// Steps cost 1, and the stairs left are estimated at half a step each.
/// struct Half;
///
/// impl ActionValues<Stairs> for Half {
///     fn actions(&self) -> usize {
///         2
///     }
///     fn number(&self, _: &Stairs, _: &u8, steps: u8) -> usize {
///         usize::from(steps) - 1
///     }
///     fn evaluate(&self, rows: &[Row<'_, Stairs>], out: &mut [f32]) {
///         for (row, out) in rows.iter().zip(out.chunks_exact_mut(2)) {
///             for (steps, out) in (1..).zip(out) {
///                 *out = 1.0 + f32::from(row.state.saturating_sub(steps)) / 2.0;
///             }
///         }
///     }
/// }
///
/// let config = BeamConfig { width: 1, ..BeamConfig::default() };
/// let mut search = QBeam::new(&Stairs(9), &Half, config).unwrap();
/// let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
/// assert_eq!(outcome.best().unwrap().actions, [2, 2, 2, 2, 1]);
/// ```
pub trait ActionValues<P: Puzzle>: Send + Sync {
    /// Number of action numbers.
    fn actions(&self) -> usize;

    /// The number of a legal action of a state, below [`actions`](Self::actions).
    fn number(&self, puzzle: &P, state: &P::State, action: P::Action) -> usize;

    /// Whether the estimates are −ln p of an action's probability p instead of costs.
    fn is_policy(&self) -> bool {
        false
    }

    /// Writes [`actions`](Self::actions) estimates of every row to `out`, row after row. An
    /// estimate is the cost of the action with this number and of the path from its result to the
    /// goal, or infinity for a proved dead end. Estimates of illegal actions are ignored.
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]);

    /// Smallest batch size, in states, from which larger batches cost no less per state.
    fn preferred_batch(&self) -> usize {
        1
    }

    /// Memory of the estimate in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Comparison of two states by their distances to the goal.
pub trait Comparison<P: Puzzle>: Send + Sync {
    /// Whether `state` is nearer to the goal than `other`.
    fn is_nearer(&self, puzzle: &P, state: &P::State, other: &P::State) -> bool;

    /// Memory of the comparison in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}
