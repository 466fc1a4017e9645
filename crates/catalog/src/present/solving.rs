//! A solve that is advanced in steps, paused and cancelled from outside, for debuggers and games.
//!
//! The solve runs on a thread of its own and waits at the requested points. However it is cut into
//! steps, it expands the same states in the same order and ends with the same report; waiting time
//! does not count against its limits.
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
        values::{Events, Incumbent, Report, Request, SolveError},
    },
    spec::Spec,
};
use std::{
    mem::take,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
    time::Duration,
};
use unriddle_core::{Budget, Stats};
use unriddle_tables::{Cache, cache::Policy};

/// Interval at which a waiting solve checks its cancel flag.
const LOOK: Duration = Duration::from_millis(20);

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
    /// It waits for a call of [`Solving::advance`] or [`Solving::resume`].
    Waiting,
    /// It is running.
    Running,
    /// It has ended: [`Solving::finish`] gives the report.
    Ended,
}

/// State that the two threads share.
#[derive(Default)]
struct Shared {
    /// Total number of states that may be expanded before the solve waits.
    until: u64,
    stats: Stats,
    events: Vec<Event>,
    waits: bool,
    has_ended: bool,
}

#[derive(Default)]
struct Gate {
    shared: Mutex<Shared>,
    changed: Condvar,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, with a time limit: no notification follows a raised cancel flag.
    fn wait<'g>(&self, shared: MutexGuard<'g, Shared>) -> MutexGuard<'g, Shared> {
        let waited = self.changed.wait_timeout(shared, LOOK);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The side of the solve.
struct SolvingEvents {
    gate: Arc<Gate>,
    budget: Budget,
}

impl SolvingEvents {
    /// Waits until more states may be expanded, or the solve is cancelled.
    fn pass(&self, stats: &Stats) {
        let mut shared = self.gate.lock();
        shared.stats = *stats;
        while stats.expanded >= shared.until && !self.budget.cancel.is_cancelled() {
            shared.waits = true;
            self.gate.changed.notify_all();
            shared = self.gate.wait(shared);
        }
        shared.waits = false;
    }

    fn push(&self, event: Event) {
        self.gate.lock().events.push(event);
    }
}

impl Events for SolvingEvents {
    fn progress(&mut self, stats: &Stats) {
        self.pass(stats);
    }
    fn room(&self) -> u64 {
        let shared = self.gate.lock();
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

/// A solve that is under way.
pub struct Solving {
    gate: Arc<Gate>,
    budget: Budget,
    thread: Option<JoinHandle<Result<Report, SolveError>>>,
}

/// Notifies the other thread that a solve has ended, also where it panics.
struct EndNotice(Arc<Gate>);

impl Drop for EndNotice {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

impl Solving {
    /// Begins a solve. Nothing is done before the first call of [`advance`](Self::advance) or
    /// [`resume`](Self::resume).
    #[must_use]
    pub fn begin(instance: Arc<dyn Instance>, job: Job) -> Self {
        let gate = Arc::new(Gate::default());
        let budget = job.budget.clone();
        let mut inside = SolvingEvents { gate: Arc::clone(&gate), budget: budget.clone() };
        let ends = EndNotice(Arc::clone(&gate));
        let thread = std::thread::spawn(move || {
            let _ends = ends;
            inside.pass(&Stats::default());
            let (budget, seed) = (job.budget, job.seed);
            let request = Request { budget, seed, ..Request::new(&job.solver, &job.cache) };
            instance.solve(&request, &mut inside)
        });
        Self { gate, budget, thread: Some(thread) }
    }

    /// Lets it expand `states` more states and waits until it has, or has ended.
    pub fn advance(&mut self, states: u64) -> State {
        let mut shared = self.gate.lock();
        shared.until = shared.stats.expanded.saturating_add(states);
        shared.waits = false;
        self.gate.changed.notify_all();
        while !shared.waits && !shared.has_ended {
            shared = self.gate.wait(shared);
        }
        drop(shared);
        self.state()
    }

    /// Resumes the solve until it is [paused](Self::pause) or ends, and returns immediately.
    pub fn resume(&mut self) {
        self.gate.lock().until = u64::MAX;
        self.gate.changed.notify_all();
    }

    /// Pauses the solve; it waits within milliseconds.
    pub fn pause(&mut self) {
        self.gate.lock().until = 0;
    }

    /// Ends the solve; the report then has the best solution so far.
    pub fn cancel(&mut self) {
        self.budget.cancel.cancel();
        self.gate.changed.notify_all();
    }

    /// State of the solve.
    #[must_use]
    pub fn state(&self) -> State {
        let shared = self.gate.lock();
        match (shared.has_ended, shared.waits) {
            (true, _) => State::Ended,
            (false, true) => State::Waiting,
            (false, false) => State::Running,
        }
    }

    /// Counters of the last notification.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.gate.lock().stats
    }

    /// The events since the last call, in order.
    pub fn events(&mut self) -> Vec<Event> {
        take(&mut self.gate.lock().events)
    }

    /// Resumes the solve to its end and returns its report.
    ///
    /// # Errors
    /// Errors of [`Instance::solve`].
    ///
    /// # Panics
    /// The solve panicked.
    pub fn finish(mut self) -> Result<Report, SolveError> {
        self.resume();
        let thread = self.thread.take().expect("a solve is finished once");
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Cancels a solve whose result is no longer wanted.
impl Drop for Solving {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.cancel();
            // The thread has reported its panic.
            let _ = thread.join();
        }
    }
}
