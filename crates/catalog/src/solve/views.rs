//! Beams that search the views of an instance beside it.

use crate::{
    declare::{goal::Goal, view::View},
    interface::values::SolveError,
};
use unriddle_core::{
    BatchHeuristic, Cost, Guarantee, Puzzle, Row, SearchError, Solution, Successor,
};
use unriddle_search::{
    Inner,
    beam::BeamConfig,
    views::{self, SeekBelow, Views},
};

/// Search of one view.
pub(super) type OfView<'a, A> = Box<dyn SeekBelow<Action = A> + Send + 'a>;

/// The instance and the views that a beam searches beside it.
pub(super) struct Viewed<'a, P: Puzzle> {
    puzzle: &'a P,
    views: Vec<View<P>>,
    threads: usize,
}

impl<'a, P: Goal> Viewed<'a, P> {
    /// The views that a configuration asks for, searched on `threads` threads.
    ///
    /// # Errors
    /// The instance has fewer views.
    pub(super) fn new(
        puzzle: &'a P,
        config: BeamConfig,
        threads: usize,
    ) -> Result<Self, SolveError> {
        let wanted = config.views - 1;
        let mut views = if wanted > 0 { puzzle.views() } else { Vec::new() };
        if views.len() < wanted {
            let (asked, most) = (config.views, views.len() + 1);
            let message = format!("`views={asked}`: the instance has {most} of them, with itself");
            return Err(SolveError::Unsupported(message));
        }
        views.truncate(wanted);
        Ok(Self { puzzle, views, threads })
    }

    /// Threads for the estimates of each view, while all views are searched at the same time.
    pub(super) fn threads_of_each(&self) -> usize {
        (self.threads / (1 + self.views.len())).max(1)
    }

    /// A beam, or a beam for each view side by side. `of` makes the beam of the instance (`false`)
    /// or of a view (`true`).
    pub(super) fn beam<'s>(
        &'s self,
        config: BeamConfig,
        below: Option<Cost>,
        of: &dyn Fn(&'s P, bool) -> Result<OfView<'s, P::Action>, SearchError>,
    ) -> Result<Inner<'s, P::Action>, SearchError> {
        let mut first = of(self.puzzle, false)?;
        if self.views.is_empty() {
            if let Some(below) = below {
                first.seek_below(below);
            }
            return Ok(first);
        }
        let played = |actions: Vec<P::Action>| Solution::played(self.puzzle, actions);
        let mut all = vec![views::View {
            search: first,
            back: Box::new(move |actions| played(actions.to_vec())),
            proves: true,
        }];
        for View { puzzle, back } in &self.views {
            let back = Box::new(move |actions: &[P::Action]| played(back(actions)));
            all.push(views::View { search: of(puzzle, true)?, back, proves: false });
        }
        Ok(Box::new(Views::new(all, config.width as u64, self.threads).below(below)))
    }
}

/// A heuristic on a view: its estimates are no bounds there, and no dead ends.
pub(super) struct Unclaimed<'a, P>(pub(super) &'a dyn BatchHeuristic<P>);

/// Makes dead ends the largest estimates.
fn finite(out: &mut [f32]) {
    for estimate in out {
        *estimate = estimate.min(f32::MAX);
    }
}

impl<P: Puzzle> BatchHeuristic<P> for Unclaimed<'_, P> {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.0.evaluate(rows, out);
        finite(out);
    }
    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        self.0.evaluate_successors(parents, successors, out);
        finite(out);
    }
    fn preferred_batch(&self) -> usize {
        self.0.preferred_batch()
    }
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
