//! Runs a search on an instance and makes its report: limits, times, events, the solution in words.

use crate::{
    bind::Bound,
    instance::{Device, Events, Incumbent, Report, Request, SolveError, Status},
    listed::{DeclaredPuzzle, Kind},
};
use cpu_time::ThreadTime;
use std::{
    marker::PhantomData,
    time::{Duration, Instant},
};
use unriddle_core::{
    Budget, Limit, Observer, Outcome, Puzzle, Search, SearchError, Solution, Stats, run,
};

/// A declaration without code behind it.
#[must_use]
pub fn not_wired(what: &str, name: &str) -> SolveError {
    SolveError::Unsupported(format!("the {what} `{name}` is declared but not wired"))
}

/// Networks for a record; `None` without any.
fn networks_text(networks: &[String], device: Device) -> Option<String> {
    (!networks.is_empty()).then(|| on_device(networks.join(", "), device))
}

/// Networks for a record, with the device that computes them where it is not the CPU.
#[must_use]
pub fn on_device(networks: String, device: Device) -> String {
    match device {
        _ if networks.is_empty() => networks,
        Device::Cpu => networks,
        Device::Cuda => networks + ", on CUDA",
    }
}

/// Runs a search and makes its report.
pub struct Runner<'a, 'e, P, A> {
    pub(crate) puzzle: &'a P,
    /// What is asked for.
    pub request: &'a Request<'a>,
    /// The solver with its parameters.
    solver: &'a Bound<'a>,
    pub(crate) events: &'e mut dyn Events,
    setup: ThreadTime,
    /// CPU time of all builders before this solve.
    built: Duration,
    setup_cpu: Duration,
    budget: Budget,
    /// Whether several threads share one search, whose counters then depend on timing when a limit stops it.
    pub(crate) parallel: bool,
    /// The estimate of the start.
    initial_h: Option<f64>,
    /// The networks that the heuristic asks, each as its file and the hash of the bytes that were read.
    pub(crate) networks: Vec<String>,
    aim: PhantomData<A>,
}

impl<P: Puzzle, A> Runner<'_, '_, P, A> {
    /// Notes the estimate of the start for the report, as a preparation: no search counts it. A dead end
    /// (infinity) and NaN are left out.
    pub(crate) fn estimate(&mut self, of: impl FnOnce(&P::State) -> Option<f64>) {
        let cpu = ThreadTime::now();
        self.initial_h = of(&self.puzzle.initial_state()).filter(|h| h.is_finite());
        self.setup_cpu += cpu.elapsed();
    }
}

impl<'a, 'e, P: DeclaredPuzzle<A>, A: Kind> Runner<'a, 'e, P, A> {
    pub(crate) fn new(
        puzzle: &'a P,
        request: &'a Request<'a>,
        solver: &'a Bound<'a>,
        events: &'e mut dyn Events,
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
            networks: Vec::new(),
            aim: PhantomData,
        }
    }

    /// Ends the preparations. A report if the heuristic leaves no memory for a search.
    pub(crate) fn begin(&mut self, table_bytes: u64) -> Option<Report> {
        // Builders use several threads, so theirs is counted by the cache.
        let built = self.request.cache.build_cpu().saturating_sub(self.built);
        self.setup_cpu = self.setup.elapsed().max(built);
        let limit = self.budget.memory?;
        if table_bytes < limit {
            self.budget.memory = Some(limit - table_bytes);
            return None;
        }
        let mut report = Report::unsolvable("");
        report.status = Status::Stopped;
        report.stopped_by = Some(Limit::Memory);
        report.setup_cpu = self.setup_cpu;
        report.reason = Some(format!(
            "the heuristic's tables take {table_bytes} bytes and leave nothing of the {limit} bytes allowed; \
             give more memory or a smaller heuristic"
        ));
        Some(report)
    }

    /// Takes from the budget what a solve before this search has used.
    pub(crate) fn spend(&mut self, before: &Report) {
        let budget = &mut self.budget;
        budget.time = budget.time.map(|time| time.saturating_sub(before.wall));
        let stats = before.stats.unwrap_or_default();
        budget.expansions = budget.expansions.map(|limit| limit.saturating_sub(stats.expanded));
        budget.generated = budget.generated.map(|limit| limit.saturating_sub(stats.generated));
    }

    /// Runs a search that takes no heuristic.
    ///
    /// # Errors
    /// The search refused or failed.
    pub fn plain<S: Search<Action = P::Action>>(
        mut self,
        search: Result<S, SearchError>,
    ) -> Result<Report, SolveError> {
        // Nothing but an instance is prepared: there is always memory left.
        let _ = self.begin(0);
        self.search(&mut search?)
    }

    /// Runs a search that takes no heuristic and has tables of its own, `bytes` in all.
    ///
    /// # Errors
    /// The search refused or failed.
    pub fn with_tables<S: Search<Action = P::Action>>(
        mut self,
        bytes: u64,
        search: Result<S, SearchError>,
    ) -> Result<Report, SolveError> {
        if let Some(report) = self.begin(bytes) {
            return Ok(report);
        }
        self.search(&mut search?)
    }

    /// Runs a search whose values are to be read as others: costs of a [`Regret`](unriddle_core::Regret)
    /// as scores.
    ///
    /// # Errors
    /// The search refused or failed.
    pub fn converted<S: Search<Action = P::Action>>(
        mut self,
        search: Result<S, SearchError>,
        value: impl Fn(i64) -> i64,
    ) -> Result<Report, SolveError> {
        let _ = self.begin(0);
        self.search_as(&mut search?, &value)
    }

    // Behind a pointer, so that it is compiled once and not for each search: a slice takes milliseconds.
    pub(crate) fn search(
        self,
        search: &mut dyn Search<Action = P::Action>,
    ) -> Result<Report, SolveError> {
        self.search_as(search, &|value| value)
    }

    fn search_as(
        self,
        search: &mut dyn Search<Action = P::Action>,
        value: &dyn Fn(i64) -> i64,
    ) -> Result<Report, SolveError> {
        let is_on_gpu = self.request.networks.device != Device::Cpu;
        if is_on_gpu && self.networks.is_empty() {
            let solver = self.request.solver;
            let message = format!("{solver} asks no network: there is nothing to compute on a GPU");
            return Err(SolveError::Unsupported(message));
        }
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        let text = |best: &_| self.puzzle.written(self.solver, best).solution;
        let mut observer = Forward { events: self.events, value, text: &text };
        let outcome = run(search, &self.budget, &mut observer)?;
        let stats = search.stats();
        let mut report = Report::unsolvable("");
        report.reason = None;
        report.setup_cpu = self.setup_cpu;
        report.cpu = cpu.elapsed() + stats.helper_cpu;
        report.wall = wall.elapsed();
        report.peak_bytes = stats.peak_bytes;
        report.bound = outcome.bound().map(value);
        report.initial_h = self.initial_h;
        report.networks = networks_text(&self.networks, self.request.networks.device);
        report.status = match &outcome {
            Outcome::Solved { proof: true, .. } => Status::Optimal,
            // A search of bounded effort that has found something has solved it.
            Outcome::Solved { .. } | Outcome::Exhausted { best: Some(_) } => Status::Solved,
            Outcome::Unsolvable => Status::Unsolvable,
            Outcome::Exhausted { best: None } => Status::Exhausted,
            Outcome::Stopped { why, .. } => {
                report.stopped_by = Some(*why);
                Status::Stopped
            }
        };
        // How far several threads have come when a limit stops them depends on their timing.
        let timed = self.parallel && report.status == Status::Stopped;
        report.stats = (!timed).then_some(stats);
        if let Some(best) = outcome.best() {
            let text = self.puzzle.written(self.solver, best);
            report.value = Some(text.value.unwrap_or_else(|| value(best.value)));
            report.length = Some(text.length);
            report.solution = Some(text.solution);
            report.named = text.named;
            report.measures = text.measures;
        }
        let others = search.others();
        let others = others.iter().map(|other| self.puzzle.written(self.solver, other));
        report.others = others.map(|other| other.solution).collect();
        Ok(report)
    }
}

/// Passes a search's events on.
struct Forward<'e, A> {
    events: &'e mut dyn Events,
    /// What the search's values mean.
    value: &'e dyn Fn(i64) -> i64,
    /// Writes a solution in the puzzle's notation.
    text: &'e dyn Fn(&Solution<A>) -> String,
}

impl<A> Observer<A> for Forward<'_, A> {
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
