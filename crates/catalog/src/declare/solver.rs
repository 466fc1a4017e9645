//! Solvers of puzzles, and the [`Runner`] that runs a search on an instance and makes its report:
//! limits, times, events, the solution in words.

use super::listed::{DeclaredPuzzle, Kind};
use crate::{
    bind::Bound,
    interface::{
        pending::{PendingSolve, pause},
        values::{Device, Events, Incumbent, Report, Request, SolveError, Status},
    },
};
use std::{
    any::Any,
    marker::PhantomData,
    sync::{PoisonError, RwLock},
    time::Duration,
};
use unriddle_core::clock::{Instant, ThreadTime};
use unriddle_core::{
    Budget, Guarantee, Info, Limit, Observer, Outcome, Puzzle, Regret, Role, Run, ScorePuzzle,
    Search, SearchError, Solution, Stats, UpperBound, heuristic::PRIORITY_UNIT,
};

/// Function that runs a solver on an instance.
///
/// The result is a future, so that the caller of the solve can advance it slice by slice:
/// `|puzzle, given, run| Box::pin(run.plain(Search::new(puzzle)))`, or with preparations
/// `Box::pin(async move { … run.plain(search).await })`.
pub type RunOf<P, A> = for<'a> fn(&'a P, &'a Bound<'a>, Runner<'a, P, A>) -> PendingSolve<'a>;

/// Function that adds actions to a path until it is a solution.
type Completion<'a, A> = &'a dyn Fn(Vec<A>) -> Solution<A>;

/// A solver made for one puzzle: its declaration and its code.
pub struct Solver<P: DeclaredPuzzle<A> + 'static, A: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Runs it on an instance.
    pub run: RunOf<P, A>,
}

/// Solvers that a program has added, each of its type.
static ADDED: RwLock<Vec<&'static (dyn Any + Send + Sync)>> = RwLock::new(Vec::new());

impl<P: DeclaredPuzzle<A>, A: 'static> Solver<P, A> {
    /// Adds the solver to a puzzle of another crate: a search of a user's own beside the general
    /// searches. A program adds it before it solves; all commands and specs then know its name. A
    /// puzzle whose sizes are types needs it for each type. A puzzle of one's own lists its solvers
    /// in its declaration instead.
    ///
    /// ```
    /// use unriddle_catalog::{
    ///     Costs, Info, Request, Role, Solver, Spec, Status,
    ///     tables::{Cache, Policy},
    /// };
    /// use unriddle_core::{
    ///     Budget, GoalPuzzle, Observer, Outcome, Progress, Puzzle, Quota, Rng, Search, Solution,
    ///     Stats,
    /// };
    /// use unriddle_hanoi::{FAMILY, Hanoi};
    ///
    /// /// Random walks from the start until one ends at the goal. An expansion is a step.
    /// struct Wander<'a> {
    ///     puzzle: &'a Hanoi,
    ///     at: <Hanoi as Puzzle>::State,
    ///     path: Vec<<Hanoi as Puzzle>::Action>,
    ///     rng: Rng,
    ///     stats: Stats,
    /// }
    ///
    /// impl Search for Wander<'_> {
    ///     type Action = <Hanoi as Puzzle>::Action;
    ///
    ///     fn advance(
    ///         &mut self,
    ///         quota: &Quota,
    ///         _: &mut dyn Observer<Self::Action>,
    ///     ) -> Progress<Self::Action> {
    ///         while !self.puzzle.is_goal(&self.at) {
    ///             if quota.is_used_up(&self.stats) {
    ///                 return Progress::Running;
    ///             }
    ///             let actions: Vec<_> = self.puzzle.actions(&self.at).collect();
    ///             let action = actions[self.rng.below(actions.len() as u64) as usize];
    ///             self.at = self.puzzle.apply(&self.at, action);
    ///             self.path.push(action);
    ///             self.stats.expanded += 1;
    ///         }
    ///         let best = Solution::played(self.puzzle, self.path.clone());
    ///         Progress::Finished(Outcome::Solved { best, proof: false, bound: None })
    ///     }
    ///     fn stats(&self) -> Stats {
    ///         self.stats
    ///     }
    /// }
    ///
    /// const WANDER: Info = Info::new(Role::Search, "wander", "a random walk to the goal");
    /// static SOLVER: Solver<Hanoi, Costs> = Solver {
    ///     info: &WANDER,
    ///     run: |puzzle, _, run| {
    ///         let (at, path) = (puzzle.initial_state(), Vec::new());
    ///         let rng = Rng::new(run.request.seed);
    ///         Box::pin(run.plain(Ok(Wander { puzzle, at, path, rng, stats: Stats::default() })))
    ///     },
    /// };
    ///
    /// SOLVER.add()?;
    /// let puzzle = FAMILY.default_puzzle().expect("defaults for all parameters");
    /// let (solver, cache) = (Spec::parse("wander")?, Cache::new(None, 1, Policy::default()));
    /// let report = puzzle.load("1 1")?.solve(&Request::new(&solver, &cache), &mut ())?;
    /// assert_eq!(report.status, Status::Solved);
    /// assert!(report.value >= Some(3));
    /// // A name is given once.
    /// assert!(SOLVER.add().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The puzzle has a search of this name.
    pub fn add(&'static self) -> Result<(), SolveError> {
        let name = self.info.name;
        let is_search = |info: &&Info| info.role == Role::Search && info.name == name;
        if P::declared().expressions().iter().any(|info| is_search(&&**info)) {
            let message = format!("the puzzle has a search `{name}`: choose another name");
            return Err(SolveError::Unsupported(message));
        }
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(self);
        Ok(())
    }

    /// The puzzle's declared solvers, and the solvers that the program has added.
    pub(crate) fn all(declared: &'static [Self]) -> impl Iterator<Item = &'static Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        let added: Vec<_> = added.iter().filter_map(|added| added.downcast_ref()).collect();
        declared.iter().chain(added)
    }
}

/// Error of a declaration without code.
#[must_use]
pub fn not_wired(what: &str, name: &str) -> SolveError {
    SolveError::Unsupported(format!("the {what} `{name}` is declared but has no code"))
}

/// The text by which records name `networks`, with their device if it is not the CPU.
#[must_use]
pub fn on_device(networks: String, device: Device) -> String {
    if networks.is_empty() || device == Device::Cpu { networks } else { networks + ", on CUDA" }
}

/// Early end of a solve.
pub(crate) enum Halt {
    /// There is a report although nothing was searched.
    Report(Box<Report>),
    /// There is an error.
    Error(SolveError),
}

impl<E: Into<SolveError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl Halt {
    /// The result of a solve that may have ended early.
    pub(crate) fn caught(result: Result<Report, Self>) -> Result<Report, SolveError> {
        result.or_else(|halt| match halt {
            Self::Report(report) => Ok(*report),
            Self::Error(error) => Err(error),
        })
    }
}

/// Runs a search and makes its report.
pub struct Runner<'a, P, A> {
    pub(crate) puzzle: &'a P,
    /// The request.
    pub request: &'a Request<'a>,
    /// The solver with its parameters.
    solver: &'a Bound<'a>,
    pub(crate) events: &'a mut dyn Events,
    setup: ThreadTime,
    /// CPU time of all builders before this solve.
    built: Duration,
    setup_cpu: Duration,
    budget: Budget,
    /// Whether several threads share one search. Its counters then depend on timing when a limit
    /// stops the search.
    pub(crate) parallel: bool,
    /// The estimate of the initial state.
    initial_h: Option<f64>,
    /// Lower bound of every solution: the estimate of the initial state, if it claims to be one.
    least: Option<i64>,
    /// The networks that the heuristic evaluates, each as its file and the hash of the bytes that
    /// were read.
    pub(crate) networks: Vec<String>,
    aim: PhantomData<A>,
}

impl<P: Puzzle, A> Runner<'_, P, A> {
    /// Stores the estimate of the initial state for the report. The estimate is a preparation: no
    /// search counts it. A dead end (infinity) and NaN are left out. No solution may cost less than
    /// an estimate that claims to be admissible.
    pub(crate) fn estimate(
        &mut self,
        guarantee: Guarantee,
        of: impl FnOnce(&P::State) -> Option<f64>,
    ) {
        let cpu = ThreadTime::now();
        self.initial_h = of(&self.puzzle.initial_state()).filter(|h| h.is_finite());
        let claimed = self.initial_h.filter(|_| guarantee.is_admissible());
        // A fraction of a priority unit may be a rounding error.
        self.least = claimed.map(|h| (h - 1.0 / f64::from(PRIORITY_UNIT)).ceil() as i64);
        self.setup_cpu += cpu.elapsed();
    }
}

impl<'a, P: DeclaredPuzzle<A>, A: Kind> Runner<'a, P, A> {
    pub(crate) fn new(
        puzzle: &'a P,
        request: &'a Request<'a>,
        solver: &'a Bound<'a>,
        events: &'a mut dyn Events,
    ) -> Self {
        Self {
            puzzle,
            request,
            solver,
            events,
            setup: ThreadTime::now(),
            built: request.cache.build_cpu(),
            setup_cpu: Duration::ZERO,
            budget: request.budget.clone(),
            parallel: false,
            initial_h: None,
            least: None,
            networks: Vec::new(),
            aim: PhantomData,
        }
    }

    /// Ends the preparations.
    ///
    /// # Errors
    /// A report if the heuristic's tables leave no memory for a search.
    pub(crate) fn begin(&mut self, table_bytes: u64) -> Result<(), Halt> {
        // Builders use several threads, so the cache counts their CPU time.
        let built = self.request.cache.build_cpu().saturating_sub(self.built);
        self.setup_cpu = self.setup.elapsed().max(built);
        let Some(limit) = self.budget.memory else {
            return Ok(());
        };
        if table_bytes < limit {
            self.budget.memory = Some(limit - table_bytes);
            return Ok(());
        }
        let mut report = Report::unsolvable("");
        report.status = Status::Stopped;
        report.stopped_by = Some(Limit::Memory);
        report.setup_cpu = self.setup_cpu;
        report.reason = Some(format!(
            "the heuristic's tables take {table_bytes} bytes and leave nothing of the {limit} bytes allowed; \
             give more memory or a smaller heuristic"
        ));
        Err(Halt::Report(Box::new(report)))
    }

    /// Time limit of the search.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.budget.time
    }

    /// The limits, less the effort of earlier solves.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Subtracts the effort of an earlier solve from the budget.
    pub(crate) fn spend(&mut self, before: &Report) {
        let budget = &mut self.budget;
        budget.time = budget.time.map(|time| time.saturating_sub(before.wall));
        let stats = before.stats.unwrap_or_default();
        budget.expansions = budget.expansions.map(|limit| limit.saturating_sub(stats.expanded));
        budget.generated = budget.generated.map(|limit| limit.saturating_sub(stats.generated));
    }

    /// Runs a search without a heuristic.
    ///
    /// # Errors
    /// The search refused or failed.
    pub async fn plain<S: Search<Action = P::Action>>(
        mut self,
        search: Result<S, SearchError>,
    ) -> Result<Report, SolveError> {
        // Only the instance is prepared: there is always memory left.
        let _ = self.begin(0);
        self.search(&mut search?).await
    }

    /// Runs a search without a heuristic that has tables of its own, `bytes` in total.
    ///
    /// # Errors
    /// The search refused or failed.
    pub async fn with_tables<S: Search<Action = P::Action>>(
        mut self,
        bytes: u64,
        search: Result<S, SearchError>,
    ) -> Result<Report, SolveError> {
        match self.begin(bytes) {
            Ok(()) => self.search(&mut search?).await,
            Err(halt) => Halt::caught(Err(halt)),
        }
    }

    /// Runs a search of the regret of a score puzzle. If a limit stops the search without
    /// a solution, its path is [completed](Regret::complete).
    ///
    /// # Errors
    /// The search refused or failed.
    pub async fn on_regret<S, Q, U>(
        mut self,
        regret: &Regret<Q, U>,
        search: Result<S, SearchError>,
    ) -> Result<Report, SolveError>
    where
        S: Search<Action = P::Action>,
        Q: ScorePuzzle<Action = P::Action>,
        U: UpperBound<Q>,
    {
        let _ = self.begin(0);
        let (value, complete) = (|cost| regret.score(cost), |path| regret.complete(path));
        self.search_as(&mut search?, &value, Some(&complete)).await
    }

    // The trait object makes the compiler emit this once and not for each search: a slice takes
    // milliseconds.
    pub(crate) async fn search(
        self,
        search: &mut dyn Search<Action = P::Action>,
    ) -> Result<Report, SolveError> {
        self.search_as(search, &|value| value, None).await
    }

    async fn search_as(
        self,
        search: &mut dyn Search<Action = P::Action>,
        value: &dyn Fn(i64) -> i64,
        complete: Option<Completion<'_, P::Action>>,
    ) -> Result<Report, SolveError> {
        let is_on_gpu = self.request.networks.device != Device::Cpu;
        if is_on_gpu && self.networks.is_empty() {
            let solver = self.request.solver;
            let message =
                format!("{solver} evaluates no network, so there is nothing to compute on a GPU");
            return Err(SolveError::Unsupported(message));
        }
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        let text = |best: &_| self.puzzle.reported(self.solver, best).solution;
        let mut observer = EventForwarder { events: self.events, value, text: &text };
        let mut run = Run::new(search, self.budget).on_ranks(self.request.ranks);
        let mut outcome = loop {
            let advanced = run.advance(&mut observer);
            match advanced.map_err(|fault| explained(self.puzzle, fault))? {
                Some(outcome) => break outcome,
                None => pause().await,
            }
        };
        if let (Outcome::Stopped { best: best @ None, .. }, Some(complete)) =
            (&mut outcome, complete)
        {
            *best = Some(complete(search.at_hand()));
        }
        if let (Some(best), Some(bound)) = (outcome.best(), self.least)
            && best.value < bound
        {
            let value = best.value;
            return Err(SearchError::InadmissibleEstimate { bound, value }.into());
        }
        let stats = search.stats();
        let mut report = Report::unsolvable("");
        report.reason = match &outcome {
            Outcome::Exhausted { best: None } => search.reason(),
            _ => None,
        };
        report.setup_cpu = self.setup_cpu;
        report.cpu = cpu.elapsed() + stats.helper_cpu;
        report.wall = wall.elapsed();
        report.peak_bytes = stats.peak_bytes;
        report.bound = outcome.bound().map(value);
        report.initial_h = self.initial_h;
        let device = self.request.networks.device;
        report.networks =
            (!self.networks.is_empty()).then(|| on_device(self.networks.join(", "), device));
        report.status = match &outcome {
            Outcome::Solved { proof: true, .. } => Status::Optimal,
            // A search of bounded effort that has found a solution has solved the instance.
            Outcome::Solved { .. } | Outcome::Exhausted { best: Some(_) } => Status::Solved,
            Outcome::Unsolvable => Status::Unsolvable,
            Outcome::Exhausted { best: None } => Status::Exhausted,
            Outcome::Stopped { why, .. } => {
                report.stopped_by = Some(*why);
                Status::Stopped
            }
        };
        // The counters of several threads that a limit stops depend on their timing.
        let timed = self.parallel && report.status == Status::Stopped;
        report.stats = (!timed).then_some(stats);
        report.tree = search.tree().filter(|_| !timed);
        report.diversity = search.diversity().filter(|_| !timed);
        if let Some(best) = outcome.best() {
            let text = self.puzzle.reported(self.solver, best);
            report.value = Some(text.value.unwrap_or_else(|| value(best.value)));
            report.length = Some(text.length);
            report.solution = Some(text.solution);
            report.named = text.named;
            report.measures = text.measures;
        }
        let solution_of = |best: &_| self.puzzle.reported(self.solver, best).solution;
        report.others = search.others().iter().map(solution_of).collect();
        Ok(report)
    }
}

/// The error of a search, with an edge in the puzzle's notation.
fn explained<P: DeclaredPuzzle<A>, A>(puzzle: &P, fault: SearchError) -> SearchError {
    match fault {
        SearchError::InconsistentEstimate(mut found) => {
            if let Some(edge) = puzzle.edge_text(&found.path) {
                found.edge = edge;
            }
            SearchError::InconsistentEstimate(found)
        }
        fault => fault,
    }
}

/// Passes a search's events on to an observer of the solve.
struct EventForwarder<'e, A> {
    events: &'e mut dyn Events,
    /// Converts the search's values.
    value: &'e dyn Fn(i64) -> i64,
    /// Writes a solution in the puzzle's notation.
    text: &'e dyn Fn(&Solution<A>) -> String,
}

impl<A> Observer<A> for EventForwarder<'_, A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        let best = Incumbent {
            value: (self.value)(best.value),
            length: best.actions.len(),
            text: &|| (self.text)(best),
        };
        self.events.improved(&best, stats);
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.events.bound((self.value)(bound), stats);
    }
    fn progress(&mut self, stats: &Stats) {
        self.events.progress(stats);
    }
    fn room(&self) -> u64 {
        self.events.room()
    }
}
