//! [`ErasedInstance`]: wraps a concrete puzzle as `dyn Instance`.
//!
//! Path puzzles of both aims share one implementation of [`Instance`]; an aim adds its [`PathAim`].

use super::{
    claims::{Aimed, claims},
    path::{PathGame, Rules},
};
use crate::{
    declare::{
        assignment::Assignment,
        listed::{DeclaredPuzzle, Placings, Presentation, Preset},
    },
    interface::{
        accuracy::{self, Accuracy, Comparison},
        claims::Claims,
        game::Game,
        instance::{Extensions, Instance},
        pattern::Pattern,
        pending::PendingSolve,
        structure::{Inquiry, Structure},
        unit::Unit,
        values::{Events, Likeness, Report, Request, SolveError, Visit},
    },
    spec::Spec,
};
use std::{marker::PhantomData, sync::Arc};
use unriddle_core::ParseError;
use unriddle_tables::TableError;

/// Wraps a concrete puzzle as `dyn Instance`. `A` is the marker of the puzzle's aim.
pub struct ErasedInstance<P, A> {
    puzzle: P,
    name: Option<String>,
    unsolvable: Option<String>,
    aim: PhantomData<A>,
}

impl<P, A> ErasedInstance<P, A> {
    /// An instance without a name of its own.
    pub fn new(puzzle: P) -> Self {
        Self { puzzle, name: None, unsolvable: None, aim: PhantomData }
    }

    /// Sets the default name.
    #[must_use]
    pub fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Sets the reason why it is proved unsolvable, where that is known without a search.
    #[must_use]
    pub fn unsolvable(self, unsolvable: Option<String>) -> Self {
        Self { unsolvable, ..self }
    }

    /// The instance as a trait object.
    #[must_use]
    pub fn boxed(self) -> Box<dyn Instance>
    where
        Self: Instance + 'static,
    {
        Box::new(self)
    }
}

/// The part of a path puzzle that depends on its aim.
pub(crate) trait PathAim<P: Presentation>: Aimed<P> {
    /// End and value of a path.
    fn rules() -> Rules<P>;

    /// Solves an instance.
    ///
    /// # Errors
    /// Errors of [`Instance::solve`].
    fn solve<'a>(
        puzzle: &'a P,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a>;

    /// Figures of the states around an instance and a solution.
    fn structure(puzzle: &P, inquiry: &Inquiry<'_>) -> Option<Structure>;

    /// Estimates of heuristics beside the exact distances of all states.
    ///
    /// # Errors
    /// Errors of [`Instance::accuracy`].
    fn accuracy(_: &P, _: &Comparison<'_>) -> Result<Vec<Accuracy>, SolveError> {
        Err(accuracy::unsupported())
    }

    /// The states of an instance as arrays.
    #[cfg(feature = "arrays")]
    fn arrays(_: &P) -> Option<Box<dyn crate::interface::arrays::Arrays>> {
        None
    }

    /// An instance as training data.
    #[cfg(feature = "training-data")]
    fn training_data(
        _: &P,
    ) -> Option<Box<dyn crate::interface::instance::training_data::TrainingData>> {
        None
    }
}

/// Solves with a cache of tables that keeps the memory limit of the request. A table beyond the
/// limit is not built: the report names it.
async fn limited<'a, P>(
    puzzle: &'a P,
    request: &'a Request<'a>,
    events: &'a mut dyn Events,
    solve: for<'s> fn(&'s P, &'s Request<'s>, &'s mut dyn Events) -> PendingSolve<'s>,
) -> Result<Report, SolveError> {
    let cache = request.cache.within(request.budget.memory);
    let request = Request { cache: &cache, budget: request.budget.clone(), ..*request };
    match solve(puzzle, &request, events).await {
        Err(error @ SolveError::Table(TableError::OverLimit { .. })) => Ok(Report::refused(&error)),
        result => result,
    }
}

/// Methods of an instance that are methods of its puzzle with the same name.
macro_rules! forward {
    ($trait:ident: $(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self, $($argument: $type),*) -> $result {
            $trait::$name(&self.puzzle, $($argument),*)
        }
    )*};
}

/// Methods of an instance that every aim has.
macro_rules! common {
    () => {
        fn name(&self) -> Option<String> {
            self.name.clone()
        }

        fn unsolvable(&self) -> Option<&str> {
            self.unsolvable.as_deref()
        }

        fn preset(&self, name: &str) -> Option<Spec> {
            Preset::spec(P::presets(), &self.puzzle, name)
        }
    };
}

impl<P: Presentation + DeclaredPuzzle<A>, A: PathAim<P>> Instance for ErasedInstance<P, A> {
    common!();

    forward! { Presentation:
        fn text() -> String;
        fn canonical() -> String;
        fn likenesses() -> Vec<Likeness>;
        fn forms() -> Vec<(&'static str, String)>;
        fn extensions() -> Extensions<'_>;
    }

    fn begin<'a>(
        &'a self,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a> {
        Box::pin(limited(&self.puzzle, request, events, A::solve))
    }

    fn into_claims(self: Box<Self>) -> Option<Arc<dyn Claims>> {
        Some(claims::<P, A>(self.puzzle))
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        A::rules().replay(&self.puzzle, solution)
    }

    fn standard_solution(&self, solution: &str) -> Result<String, ParseError> {
        Ok(self.puzzle.solution_text(&self.puzzle.parse_solution(solution)?))
    }

    fn solution_forms(&self, solution: &str) -> Result<Vec<(&'static str, String)>, ParseError> {
        Ok(self.puzzle.solution_forms(&self.puzzle.parse_solution(solution)?))
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        Presentation::along(&self.puzzle, &self.puzzle.parse_solution(solution)?, visit);
        Ok(())
    }

    fn game(&self) -> Option<Box<dyn Game + '_>> {
        Some(Box::new(PathGame::new(&self.puzzle, A::rules())))
    }

    fn mirrored(&self) -> Option<Box<dyn Instance>> {
        let image = self.puzzle.mirror()?.image;
        Some(Self::new(image).unsolvable(self.unsolvable.clone()).boxed())
    }

    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        let Some(mirror) = self.puzzle.mirror() else {
            return Ok(None);
        };
        let actions = self.puzzle.parse_solution(solution)?;
        let actions: Vec<_> = actions.into_iter().map(mirror.action).collect();
        Ok(Some(mirror.image.solution_text(&actions)))
    }

    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        Ok(Pattern::all_of(&self.puzzle, &self.puzzle.parse_solution(solution)?))
    }

    #[cfg(feature = "training-data")]
    fn training_data(
        &self,
    ) -> Option<Box<dyn crate::interface::instance::training_data::TrainingData>> {
        A::training_data(&self.puzzle)
    }

    #[cfg(feature = "arrays")]
    fn arrays(&self) -> Option<Box<dyn crate::interface::arrays::Arrays>> {
        A::arrays(&self.puzzle)
    }

    fn structure(&self, inquiry: &Inquiry<'_>) -> Option<Structure> {
        A::structure(&self.puzzle, inquiry)
    }

    fn accuracy(&self, comparison: &Comparison<'_>) -> Result<Vec<Accuracy>, SolveError> {
        A::accuracy(&self.puzzle, comparison)
    }
}

impl<P: Assignment> Instance for ErasedInstance<P, Placings> {
    common!();

    forward! { Assignment:
        fn text() -> String;
        fn unit() -> Option<Unit>;
        fn extensions() -> Extensions<'_>;
        fn replay(solution: &str) -> Result<(i64, u64), String>;
        fn standard_solution(solution: &str) -> Result<String, ParseError>;
        fn solution_forms(solution: &str) -> Result<Vec<(&'static str, String)>, ParseError>;
        fn along(solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;
    }

    fn begin<'a>(
        &'a self,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a> {
        Box::pin(limited(&self.puzzle, request, events, super::assignment::solve))
    }
}
