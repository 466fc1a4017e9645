//! Views of an instance: equivalent instances that a beam searches beside it.

use unriddle_core::Puzzle;

/// Function that turns a solution of a view into a solution of the instance.
pub type Back<A> = Box<dyn Fn(&[A]) -> Vec<A> + Send + Sync>;

/// An instance whose solutions give solutions of another instance at the same cost.
///
/// A heuristic of the other instance is used for the states of the view, without its guarantee:
/// the view's goal may be a few actions away from the heuristic's.
pub struct View<P: Puzzle> {
    /// The view.
    pub puzzle: P,
    /// Actions that solve the other instance, from actions that solve the view.
    pub back: Back<P::Action>,
}
