//! Estimates of the cost-to-go: one state at a time with an incremental memo ([`Heuristic`]), or
//! thousands at a time ([`BatchHeuristic`]).

use crate::puzzle::{Cost, GoalPuzzle, Puzzle};
use std::marker::PhantomData;

/// Guarantee of an estimate. A result is called *optimal* only where the guarantee allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guarantee {
    /// No guarantee: the estimate may exceed the true cost.
    None,
    /// Never above the true cost; a closed state may have to be reopened.
    Admissible,
    /// Admissible, and along every action the estimate falls by at most the action's cost.
    Consistent,
}

impl Guarantee {
    /// Whether the estimate is a lower bound.
    #[must_use]
    pub fn is_admissible(self) -> bool {
        self >= Self::Admissible
    }
}

/// An estimate of one state at a time, carried along a path with a memo.
///
/// `None` means a *proved* dead end: no goal is reachable. An admissible estimate is 0 at every
/// goal.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{Cost, Guarantee, Heuristic};
///
/// /// Half the stairs, since a step takes two at most.
/// struct Half;
///
/// impl Heuristic<Stairs> for Half {
///     type Memo = ();
///
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Consistent
///     }
///     fn root(&self, _: &Stairs, stair: &u8) -> Option<(Cost, ())> {
///         Some((Cost::from(stair.div_ceil(2)), ()))
///     }
/// }
///
/// assert_eq!(Half.root(&Stairs(5), &5), Some((3, ())));
/// // Without a memo a child is estimated as any state.
/// assert_eq!(Half.child(&Stairs(5), &5, &(), 2, &3), Some((2, ())));
/// ```
pub trait Heuristic<P: Puzzle>: Send + Sync + 'static {
    /// Data of the parent that [`child`](Self::child) needs: table indices, partial sums.
    type Memo: Copy + Send + Sync;

    /// Guarantee of the estimate.
    fn guarantee(&self) -> Guarantee;

    /// Estimates a state from scratch.
    fn root(&self, puzzle: &P, state: &P::State) -> Option<(Cost, Self::Memo)>;

    /// Estimates `child = apply(parent, action)` from the parent's memo. The result equals
    /// [`root`](Self::root) of the child.
    fn child(
        &self,
        puzzle: &P,
        parent: &P::State,
        memo: &Self::Memo,
        action: P::Action,
        child: &P::State,
    ) -> Option<(Cost, Self::Memo)> {
        let _ = (parent, memo, action);
        self.root(puzzle, child)
    }

    /// Whether lookups are likely to miss the caches, so that a search should call
    /// [`prefetch`](Self::prefetch) well before [`child`](Self::child). The answer is the same for
    /// all states.
    #[inline(always)]
    fn wants_prefetch(&self) -> bool {
        false
    }

    /// Hint that the search will soon call [`child`](Self::child) with these arguments: loads the
    /// memory that `child` reads.
    fn prefetch(&self, puzzle: &P, parent: &P::State, memo: &Self::Memo, action: P::Action) {
        let _ = (puzzle, parent, memo, action);
    }

    /// Memory of the estimate (tables, weights) in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Heuristic without knowledge: 0 everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<P: Puzzle> Heuristic<P> for Blind {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn root(&self, _: &P, _: &P::State) -> Option<(Cost, ())> {
        Some((0, ()))
    }
}

/// Heuristic that is a function of the state, or a closure with data of its own.
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{Estimate, Guarantee, Heuristic};
///
/// let half = |_: &Stairs, stair: &u8| Some(u32::from(stair.div_ceil(2)));
/// assert_eq!(Estimate::new(Guarantee::Consistent, half).root(&Stairs(5), &5), Some((3, ())));
///
/// let table = vec![0, 1, 1, 2, 2, 3];
/// let exact = Estimate::of(Guarantee::Consistent, move |_: &Stairs, stair: &u8| {
///     Some(table[usize::from(*stair)])
/// });
/// assert_eq!(exact.root(&Stairs(5), &4), Some((2, ())));
/// ```
pub struct Estimate<P: Puzzle, F = Feature<P>> {
    guarantee: Guarantee,
    of: F,
    puzzle: PhantomData<fn(&P)>,
}

impl<P: Puzzle> Estimate<P> {
    /// Creates the heuristic of a function, which returns `None` for a proved dead end, with its
    /// guarantee. All functions have one type, so that IDA* is compiled once for them.
    pub const fn new(guarantee: Guarantee, of: Feature<P>) -> Self {
        Self { guarantee, of, puzzle: PhantomData }
    }
}

impl<P: Puzzle, F> Estimate<P, F> {
    /// Creates the heuristic of a closure that may capture data, with its guarantee. The closure
    /// returns `None` for a proved dead end.
    pub const fn of(guarantee: Guarantee, of: F) -> Self
    where
        F: Fn(&P, &P::State) -> Option<Cost> + Send + Sync + 'static,
    {
        Self { guarantee, of, puzzle: PhantomData }
    }
}

impl<P: Puzzle, F> Heuristic<P> for Estimate<P, F>
where
    F: Fn(&P, &P::State) -> Option<Cost> + Send + Sync + 'static,
{
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
    fn root(&self, puzzle: &P, state: &P::State) -> Option<(Cost, ())> {
        (self.of)(puzzle, state).map(|h| (h, ()))
    }
}

/// Feature of a state: a count, or `None` for a proved dead end.
pub type Feature<P> = fn(&P, &<P as Puzzle>::State) -> Option<Cost>;

/// Weighted sum of features, for weights that are evolved or tuned. It has no guarantee.
///
/// ```
/// use unriddle_core::{Heuristic, Numbers, Puzzle, Weighted};
///
/// /// A number goes down by one or two.
/// struct Countdown;
/// impl Puzzle for Countdown {
///     type State = u8;
///     type Action = u8;
///     type Actions = Numbers;
///     fn initial_state(&self) -> u8 {
///         7
///     }
///     fn actions(&self, left: &u8) -> Numbers {
///         Numbers::new(1, (*left).min(2))
///     }
///     fn apply(&self, left: &u8, by: u8) -> u8 {
///         left - by
///     }
/// }
///
/// let halves = |_: &Countdown, left: &u8| Some(u32::from(left / 2));
/// let odd = |_: &Countdown, left: &u8| Some(u32::from(left % 2));
/// let estimate = Weighted::new([halves, odd], [1.0, 0.25], 100.0);
/// assert_eq!(estimate.root(&Countdown, &7), Some((325, ())));
/// ```
pub struct Weighted<P: Puzzle, const N: usize> {
    features: [Feature<P>; N],
    weights: [f64; N],
    scale: f64,
}

impl<P: Puzzle, const N: usize> Weighted<P, N> {
    /// Creates the estimate `scale * (w₁ f₁ + … + wₙ fₙ)`, rounded, and 0 if negative. Estimates
    /// are whole numbers: a `scale` above 1 keeps fractions of weights apart, for searches that
    /// only compare estimates with each other.
    #[must_use]
    pub const fn new(features: [Feature<P>; N], weights: [f64; N], scale: f64) -> Self {
        Self { features, weights, scale }
    }
}

impl<P: Puzzle, const N: usize> Heuristic<P> for Weighted<P, N> {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, puzzle: &P, state: &P::State) -> Option<(Cost, ())> {
        let mut sum = 0.0;
        for (feature, weight) in self.features.iter().zip(self.weights) {
            sum += weight * f64::from(feature(puzzle, state)?);
        }
        // The conversion saturates: negative sums become 0.
        Some(((self.scale * sum).round() as Cost, ()))
    }
}

/// Row of a batch: a state and the instance to which it belongs.
#[derive(Debug)]
pub struct Row<'a, P: Puzzle> {
    /// The instance (its walls or goals may be part of the estimate).
    pub puzzle: &'a P,
    /// The state.
    pub state: &'a P::State,
}

impl<P: Puzzle> Clone for Row<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Puzzle> Copy for Row<'_, P> {}

/// Successor in a batch: the index of its parent and the action.
#[derive(Clone, Copy, Debug)]
pub struct Successor<A> {
    /// Index of the parent in the batch of parents.
    pub parent: u32,
    /// The action from the parent to the successor.
    pub action: A,
    /// Index of the action among the parent's actions. Successors with equal numbers often change
    /// in the same way.
    pub number: u32,
}

/// Estimates of many states at a time, also of different instances of one puzzle: neural networks,
/// large tables with prefetching, or any [`Heuristic`] through [`Scalar`].
///
/// ```
/// # use unriddle_core::{GoalPuzzle, Puzzle};
/// # unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{BatchHeuristic, Guarantee, Row};
///
/// struct Half;
///
/// impl BatchHeuristic<Stairs> for Half {
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Consistent
///     }
///     fn evaluate(&self, rows: &[Row<'_, Stairs>], out: &mut [f32]) {
///         for (row, out) in rows.iter().zip(out) {
///             *out = f32::from(row.state.div_ceil(2));
///         }
///     }
/// }
///
/// let puzzle = &Stairs(5);
/// let rows = [5, 2].each_ref().map(|state| Row { puzzle, state });
/// let mut estimates = [0.0; 2];
/// Half.evaluate(&rows, &mut estimates);
/// assert_eq!(estimates, [3.0, 1.0]);
/// ```
pub trait BatchHeuristic<P: Puzzle>: Send + Sync {
    /// Guarantee of the estimate.
    fn guarantee(&self) -> Guarantee;

    /// Writes the estimate of each row to `out` (of the same length): a cost, or infinity for a
    /// proved dead end. Searches convert estimates to priorities in units of 1/[`PRIORITY_UNIT`].
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]);

    /// Writes the estimates of successors of `parents` to `out` (of the length of `successors`).
    /// They equal the estimates that [`evaluate`](Self::evaluate) writes for the states themselves.
    ///
    /// Heuristics override this if updating an estimate from the parent is cheaper than making it
    /// from scratch. `parent` indices ascend.
    ///
    /// # Panics
    /// If the parent of a successor is not in `parents`.
    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        with_states(parents, successors, &mut |rows| self.evaluate(rows, out));
    }

    /// Smallest batch size from which larger batches cost no less per state.
    fn preferred_batch(&self) -> usize {
        1
    }

    /// Memory of the estimate in bytes.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Calls `visit` with a row of the state of each successor. The function is the same for all
/// heuristics of a puzzle.
fn with_states<P: Puzzle>(
    parents: &[Row<'_, P>],
    successors: &[Successor<P::Action>],
    visit: &mut dyn FnMut(&[Row<'_, P>]),
) {
    let parent = |one: &Successor<P::Action>| parents[one.parent as usize];
    let made = successors.iter().map(|one| {
        let Row { puzzle, state } = parent(one);
        puzzle.apply(state, one.action)
    });
    let states: Vec<P::State> = made.collect();
    let rows = successors.iter().zip(&states);
    let rows = rows.map(|(one, state)| Row { puzzle: parent(one).puzzle, state });
    visit(&rows.collect::<Vec<_>>());
}

impl<P: Puzzle, H: BatchHeuristic<P> + ?Sized> BatchHeuristic<P> for &H {
    fn guarantee(&self) -> Guarantee {
        (**self).guarantee()
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        (**self).evaluate(rows, out);
    }
    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        (**self).evaluate_successors(parents, successors, out);
    }
    fn preferred_batch(&self) -> usize {
        (**self).preferred_batch()
    }
    fn bytes(&self) -> u64 {
        (**self).bytes()
    }
}

/// Number of units per cost in priorities of best-first searches, which are integers.
pub const PRIORITY_UNIT: u32 = 1024;

/// [`BatchHeuristic`] that evaluates a [`Heuristic`] state by state from scratch.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<H>(pub H);

/// The largest single-precision number that does not exceed `cost`. From 2²⁴ on some costs have no
/// exact representation, and rounding up would break the guarantee.
fn at_most(cost: Cost) -> f32 {
    let nearest = cost as f32;
    if f64::from(nearest) > f64::from(cost) { nearest.next_down() } else { nearest }
}

impl<P: GoalPuzzle, H: Heuristic<P>> BatchHeuristic<P> for Scalar<H> {
    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            let h = self.0.root(row.puzzle, row.state);
            *out = h.map_or(f32::INFINITY, |(h, _)| at_most(h));
        }
    }
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::at_most;

    #[test]
    fn estimates_are_never_rounded_up() {
        for cost in [0, 1, 1 << 24, (1 << 24) + 1, (1 << 24) + 3, u32::MAX - 1, u32::MAX] {
            assert!(f64::from(at_most(cost)) <= f64::from(cost), "{cost}");
        }
        assert_eq!(at_most(12_345) as u32, 12_345);
    }
}
