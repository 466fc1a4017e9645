//! A solve that its caller advances in steps, for pages, debuggers and games.
//!
//! The solve has no thread of its own: it does nothing between two calls. However it is cut into
//! steps, it expands the same states in the same order and ends with the same report; the time
//! between steps does not count against its limits. Tables are built, and networks are read, in
//! the first step.
//!
//! ```no_run
//! use std::sync::Arc;
//! use unriddle_catalog::{Instance, Spec, solving::{Event, Job, Solving, State}};
//! # fn example(instance: Arc<dyn Instance>) -> Result<(), Box<dyn std::error::Error>> {
//! let mut solving = Solving::begin(instance, Job::new(Spec::parse("beam(manhattan)")?));
//! while solving.advance(1_000) == State::Waiting {
//!     for event in solving.events() {
//!         if let Event::Improved { value, solution, .. } = event {
//!             println!("{value}: {solution}");
//!         }
//!     }
//! }
//! let report = solving.finish()?;
//! # Ok(())
//! # }
//! ```

use crate::{
    interface::{
        instance::Instance,
        pending,
        values::{Events, Incumbent, Report, Request, SolveError},
    },
    spec::Spec,
};
use std::{cell::RefCell, mem::take, pin::Pin, rc::Rc, sync::Arc, task::Poll};
use unriddle_core::{Budget, Stats};
use unriddle_tables::{Cache, cache::Policy};

/// Solver, limits and cache of a solve.
pub struct Job {
    /// The search expression.
    pub solver: Spec,
    /// Limits; its cancel flag ends the solve from outside.
    pub budget: Budget,
    /// Seed of everything random.
    pub seed: u64,
    /// Source of tables.
    pub cache: Cache,
}

impl Job {
    /// A solver without limits, with seed 0 and tables in memory.
    #[must_use]
    pub fn new(solver: Spec) -> Self {
        Self {
            solver,
            budget: Budget::default(),
            seed: 0,
            cache: Cache::new(None, 1, Policy::Reuse),
        }
    }
}

/// Something that happened during the solve.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A better solution was found.
    Improved {
        /// Its value.
        value: i64,
        /// Number of its actions, as the search counts them.
        length: usize,
        /// The solution in the puzzle's notation.
        solution: String,
        /// Counters at that time.
        stats: Stats,
    },
    /// A better bound was proved.
    Bound {
        /// Lower bound of a cost, or upper bound of a score.
        bound: i64,
        /// Whether it is a bound from above, of a score.
        is_upper: bool,
        /// Counters at that time.
        stats: Stats,
    },
}

/// State of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for a call of [`Solving::advance`].
    Waiting,
    /// It has ended: [`Solving::finish`] gives the report.
    Ended,
}

/// State that the solve and its caller share.
#[derive(Default)]
struct Shared {
    /// Total number of states that may be expanded before the solve waits.
    until: u64,
    stats: Stats,
    events: Vec<Event>,
}

/// The side of the solve.
struct SolvingEvents(Rc<RefCell<Shared>>);

impl SolvingEvents {
    fn push(&self, event: Event) {
        self.0.borrow_mut().events.push(event);
    }
}

impl Events for SolvingEvents {
    fn progress(&mut self, stats: &Stats) {
        self.0.borrow_mut().stats = *stats;
    }
    fn room(&self) -> u64 {
        let shared = self.0.borrow();
        shared.until.saturating_sub(shared.stats.expanded)
    }
    fn improved(&mut self, best: &Incumbent<'_>, stats: &Stats) {
        self.push(Event::Improved {
            value: best.value,
            length: best.length,
            solution: (best.text)(),
            stats: *stats,
        });
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.push(Event::Bound { bound, is_upper: false, stats: *stats });
    }
    fn upper_bound(&mut self, bound: i64, stats: &Stats) {
        self.push(Event::Bound { bound, is_upper: true, stats: *stats });
    }
}

/// A solve that owns all that it needs.
type OwnedSolve = Pin<Box<dyn Future<Output = Result<Report, SolveError>>>>;

/// A solve that is under way.
pub struct Solving {
    shared: Rc<RefCell<Shared>>,
    budget: Budget,
    solve: OwnedSolve,
    result: Option<Result<Report, SolveError>>,
}

impl Solving {
    /// Begins a solve. Nothing is done before the first call of [`advance`](Self::advance).
    #[must_use]
    pub fn begin(instance: Arc<dyn Instance>, job: Job) -> Self {
        let shared = Rc::<RefCell<Shared>>::default();
        let budget = job.budget.clone();
        let mut inside = SolvingEvents(Rc::clone(&shared));
        let solve = Box::pin(async move {
            let (budget, seed) = (job.budget, job.seed);
            let request = Request { budget, seed, ..Request::new(&job.solver, &job.cache) };
            instance.begin(&request, &mut inside).await
        });
        Self { shared, budget, solve, result: None }
    }

    /// Lets it expand at most `expansions` more states. Returns when it has, has ended, or about
    /// five milliseconds of searching have passed; the first call also prepares it.
    pub fn step(&mut self, expansions: u64) -> State {
        self.shared.borrow_mut().until = self.stats().expanded.saturating_add(expansions);
        if self.result.is_none() {
            if expansions == 0 {
                return State::Waiting;
            }
            match pending::poll(self.solve.as_mut()) {
                Poll::Ready(result) => self.result = Some(result),
                Poll::Pending => return State::Waiting,
            }
        }
        State::Ended
    }

    /// Lets it expand `expansions` more states. Returns when it has, or has ended.
    pub fn advance(&mut self, expansions: u64) -> State {
        let until = self.stats().expanded.saturating_add(expansions);
        loop {
            let left = until - self.stats().expanded.min(until);
            if self.step(left) == State::Ended {
                return State::Ended;
            }
            if self.stats().expanded >= until {
                return State::Waiting;
            }
        }
    }

    /// Cancels the solve; the report then has the best solution so far.
    pub fn cancel(&mut self) {
        self.budget.cancel.cancel();
    }

    /// Counters after the last step.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.borrow().stats
    }

    /// The events since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        take(&mut self.shared.borrow_mut().events)
    }

    /// Continues the solve to its end and returns its report.
    ///
    /// # Errors
    /// Errors of [`Instance::solve`].
    pub fn finish(mut self) -> Result<Report, SolveError> {
        self.shared.borrow_mut().until = u64::MAX;
        match self.result.take() {
            Some(result) => result,
            None => pending::finish(self.solve),
        }
    }
}
