//! What the searches of goal puzzles share that go on from phase to phase: the face of a resumable search.

/// Makes a [`Search`](unriddle_core::Search) of a struct with `puzzle`, `stats`, `best`, `bound` and `fault`, whose
/// `go_on` goes on until the quota is used up, the search ends or has a fault.
macro_rules! resumable {
    ($name:ident) => {
        impl<P: ::unriddle_core::GoalPuzzle> $name<'_, P> {
            /// An error of the search or of the puzzle's.
            fn fault(&self) -> Option<::unriddle_core::SearchError> {
                self.fault.clone().or_else(|| self.puzzle.fault())
            }
        }

        impl<P: ::unriddle_core::GoalPuzzle> ::unriddle_core::Search for $name<'_, P> {
            type Action = P::Action;

            fn advance(
                &mut self,
                quota: &::unriddle_core::Quota,
                observer: &mut dyn ::unriddle_core::Observer<P::Action>,
            ) -> ::unriddle_core::Progress<P::Action> {
                ::unriddle_core::Progress::guarded(self, Self::fault, |search| {
                    search.go_on(quota, observer)
                })
            }

            fn stats(&self) -> ::unriddle_core::Stats {
                self.stats
            }

            fn best(&self) -> Option<&::unriddle_core::Solution<P::Action>> {
                self.best.as_ref()
            }

            fn bound(&self) -> Option<i64> {
                self.bound.map(i64::from)
            }
        }
    };
}
pub(crate) use resumable;
