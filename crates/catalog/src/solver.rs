//! The matrix: which search runs with which heuristic on which puzzle.
//!
//! A heuristic's concrete type is known only inside a visit: depth-first searches run there,
//! monomorphised; best-first searches and beams take it boxed, because they call it once per batch.

use crate::{
    bind::{Bound, bind, find},
    instance::{Events, Family, Measures, Report, Request, SolveError, Status},
    registry,
    spec::Spec,
};
use cpu_time::ThreadTime;
use std::{
    marker::PhantomData,
    time::{Duration, Instant},
};
use unriddle_core::{
    BatchHeuristic, Blind, Budget, Cost, GoalPuzzle, Guarantee, Heuristic, Limit, Notation,
    Observer, Options, Outcome, Puzzle, Role, Row, Scalar, Search, SearchError, Solution, Stats,
    run,
};
use unriddle_search::{astar, beam, bfs, bwas, deepening, greedy, idastar, idtt, staged};
use unriddle_tables::Cache;

/// A puzzle of the catalogue.
pub trait Listed: Puzzle + Notation + Sized {
    /// Its declaration, with those of its heuristics and its own solvers.
    fn family() -> &'static Family;

    /// Runs a solver made for this puzzle alone.
    ///
    /// # Errors
    /// The solver does not fit the instance.
    fn specialist(
        &self,
        solver: &Bound<'_>,
        run: Runner<'_, '_, Self>,
    ) -> Result<Report, SolveError> {
        let _ = run;
        Err(not_wired("solver", solver.info().name))
    }

    /// What actions from the start are worth: a cost or a score.
    fn value_of(&self, actions: Vec<Self::Action>) -> Solution<Self::Action>;

    /// The lengths of a solution found by a search, where the puzzle has several measures.
    fn measures(&self, solver: &Spec, actions: &[Self::Action]) -> Measures {
        let _ = (solver, actions);
        Measures::default()
    }
}

/// Whose solutions can be written down: all that a [`Runner`] asks of a puzzle.
pub trait Written {
    /// A part of a solution.
    type Action: Clone;

    /// A solution as it goes into a report.
    fn written(&self, solver: &Spec, best: &Solution<Self::Action>) -> Text;
}

/// A solution in the puzzle's notation.
pub struct Text {
    /// The notation.
    pub solution: String,
    /// Number of its actions.
    pub length: usize,
    /// What it is worth if the notation stands for other actions than the search's; `None` for what the search
    /// says.
    pub value: Option<i64>,
    /// Its lengths.
    pub measures: Measures,
}

impl Text {
    /// A solution that is written as the search has it, without measures.
    pub(crate) fn plain(solution: String, length: usize) -> Self {
        Self {
            solution,
            length,
            value: None,
            measures: Measures::default(),
        }
    }
}

impl<P: Listed> Written for P {
    type Action = P::Action;

    fn written(&self, solver: &Spec, best: &Solution<P::Action>) -> Text {
        let written = self.as_written(&best.actions);
        let written = written.map(|actions| self.value_of(actions));
        let value = written.as_ref().map(|written| written.value);
        let actions = &written.as_ref().unwrap_or(best).actions;
        Text {
            solution: self.solution_text(actions),
            length: actions.len(),
            value,
            measures: self.measures(solver, actions),
        }
    }
}

/// A goal puzzle with heuristics of its own.
pub trait WithHeuristics: GoalPuzzle + Listed {
    /// Makes a heuristic of this puzzle and hands it to the visitor.
    ///
    /// # Errors
    /// The heuristic does not fit the instance, or a table cannot be had.
    fn visit<V: Visitor<Self>>(
        &self,
        heuristic: &Bound<'_>,
        cache: &Cache,
        visitor: V,
    ) -> Result<V::Output, SolveError>;

    /// A heuristic of this puzzle that estimates many states at a time and none alone, such as a network; `None` of
    /// any other.
    ///
    /// # Errors
    /// Its file cannot be read, or is of another puzzle.
    fn batch(
        &self,
        heuristic: &Bound<'_>,
        request: &Request<'_>,
    ) -> Option<Result<Box<dyn BatchHeuristic<Self>>, SolveError>> {
        let _ = (heuristic, request);
        None
    }
}

/// A declaration without code behind it.
pub(crate) fn not_wired(what: &str, name: &str) -> SolveError {
    SolveError::Unsupported(format!("the {what} `{name}` is declared but not wired"))
}

/// Does something with a heuristic of any type.
pub trait Visitor<P: GoalPuzzle> {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Self::Output;
}

/// A heuristic behind a pointer, state by state.
trait Estimate<P: GoalPuzzle>: Send + Sync {
    fn guarantee(&self) -> Guarantee;
    fn estimate(&self, puzzle: &P, state: &P::State) -> Option<Cost>;
    fn bytes(&self) -> u64;
}

struct Erased<H>(H);

impl<P: GoalPuzzle, H: Heuristic<P>> Estimate<P> for Erased<H> {
    fn guarantee(&self) -> Guarantee {
        self.0.guarantee()
    }
    fn estimate(&self, puzzle: &P, state: &P::State) -> Option<Cost> {
        self.0.root(puzzle, state).map(|(h, _)| h)
    }
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// The largest of several heuristics, each computed from scratch.
struct Largest<P: GoalPuzzle>(Vec<Box<dyn Estimate<P>>>);

impl<P: GoalPuzzle> Heuristic<P> for Largest<P> {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        self.0
            .iter()
            .map(|h| h.guarantee())
            .min()
            .unwrap_or(Guarantee::None)
    }
    fn root(&self, puzzle: &P, state: &P::State) -> Option<(Cost, ())> {
        let mut largest = 0;
        for h in &self.0 {
            largest = largest.max(h.estimate(puzzle, state)?);
        }
        Some((largest, ()))
    }
    fn bytes(&self) -> u64 {
        self.0.iter().map(|h| h.bytes()).sum()
    }
}

/// Hands the heuristic of a spec to a visitor: a general one or one of the puzzle's own.
fn with_heuristic<P: WithHeuristics, V: Visitor<P>>(
    puzzle: &P,
    spec: &Spec,
    cache: &Cache,
    visitor: V,
) -> Result<V::Output, SolveError> {
    let infos = registry::expressions(P::family());
    let bound = bind(find(&infos, Role::Heuristic, spec)?, spec)?;
    match bound.info().name {
        "blind" => Ok(visitor.visit(Blind)),
        "max" => {
            let parts: Result<Vec<_>, _> = bound
                .exprs("h")
                .map(|h| with_heuristic(puzzle, h, cache, Erase))
                .collect();
            Ok(visitor.visit(Largest(parts?)))
        }
        _ => puzzle.visit(&bound, cache, visitor),
    }
}

struct Erase;
impl<P: GoalPuzzle> Visitor<P> for Erase {
    type Output = Box<dyn Estimate<P>>;
    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Self::Output {
        Box::new(Erased(heuristic))
    }
}

struct Batch;
impl<P: GoalPuzzle> Visitor<P> for Batch {
    type Output = Box<dyn BatchHeuristic<P>>;
    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Self::Output {
        Box::new(Scalar(heuristic))
    }
}

/// Runs a depth-first search inside the visit.
struct DepthFirst<'a, 'e, P: Listed> {
    run: Runner<'a, 'e, P>,
    search: &'a Bound<'a>,
}

impl<P: WithHeuristics> Visitor<P> for DepthFirst<'_, '_, P> {
    type Output = Result<Report, SolveError>;
    fn visit<H: Heuristic<P>>(self, heuristic: H) -> Self::Output {
        let Self { mut run, search } = self;
        let puzzle = run.puzzle;
        if let Some(report) = run.begin(heuristic.bytes()) {
            return Ok(report);
        }
        run.estimate(|start| heuristic.root(puzzle, start).map(|(h, _)| f64::from(h)));
        match search.info().name {
            "idtt" => {
                let config = idtt::IdttConfig::read(search);
                run.search(&mut idtt::Idtt::new(puzzle, &heuristic, config)?)
            }
            "deepening" => {
                let config = deepening::DeepeningConfig::read(search);
                run.search(&mut deepening::Deepening::new(puzzle, &heuristic, config)?)
            }
            _ if run.request.threads > 1 => {
                let threads = run.request.threads;
                run.parallel = true;
                run.search(&mut idastar::parallel::ParallelIdaStar::new(
                    puzzle, &heuristic, threads,
                )?)
            }
            _ => run.search(&mut idastar::IdaStar::new(puzzle, &heuristic)?),
        }
    }
}

/// Runs a search and makes its report.
pub struct Runner<'a, 'e, P: Written> {
    pub(crate) puzzle: &'a P,
    pub(crate) request: &'a Request<'a>,
    events: &'e mut dyn Events,
    setup: ThreadTime,
    /// CPU time of all builders before this solve.
    built: Duration,
    setup_cpu: Duration,
    budget: Budget,
    parallel: bool,
    /// The estimate of the start.
    initial_h: Option<f64>,
}

impl<P: Listed> Runner<'_, '_, P> {
    /// Notes the estimate of the start for the report, as a preparation: no search counts it. A dead end
    /// (infinity) and what is no number are left out.
    fn estimate(&mut self, of: impl FnOnce(&P::State) -> Option<f64>) {
        let cpu = ThreadTime::now();
        self.initial_h = of(&self.puzzle.initial_state()).filter(|h| h.is_finite());
        self.setup_cpu += cpu.elapsed();
    }
}

impl<'a, 'e, P: Written> Runner<'a, 'e, P> {
    pub(crate) fn new(puzzle: &'a P, request: &'a Request<'a>, events: &'e mut dyn Events) -> Self {
        Self {
            puzzle,
            request,
            events,
            setup: ThreadTime::now(),
            built: request.cache.build_cpu(),
            setup_cpu: Duration::ZERO,
            budget: request.budget.clone(),
            parallel: false,
            initial_h: None,
        }
    }

    /// Ends the preparations. A report if the heuristic leaves no memory for a search.
    fn begin(&mut self, table_bytes: u64) -> Option<Report> {
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

    fn search<S: Search<Action = P::Action>>(self, search: &mut S) -> Result<Report, SolveError> {
        self.search_as(search, &|value| value)
    }

    fn search_as<S: Search<Action = P::Action>>(
        self,
        search: &mut S,
        value: &dyn Fn(i64) -> i64,
    ) -> Result<Report, SolveError> {
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        let mut observer = Forward {
            events: self.events,
            value,
            action: PhantomData,
        };
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
            let text = self.puzzle.written(self.request.solver, best);
            report.value = Some(text.value.unwrap_or_else(|| value(best.value)));
            report.length = Some(text.length);
            report.solution = Some(text.solution);
            report.measures = text.measures;
        }
        Ok(report)
    }
}

/// Passes a search's events on.
struct Forward<'e, A> {
    events: &'e mut dyn Events,
    /// What the search's values mean.
    value: &'e dyn Fn(i64) -> i64,
    action: PhantomData<A>,
}

impl<A> Observer<A> for Forward<'_, A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        let value = (self.value)(best.value);
        self.events.improved(value, best.actions.len(), stats);
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.events.bound((self.value)(bound), stats);
    }
    fn progress(&mut self, stats: &Stats) {
        self.events.progress(stats);
    }
}

/// Solves an instance of a goal puzzle.
///
/// # Errors
/// A spec that does not fit, a table that cannot be had, a broken heuristic.
pub fn solve_goal<P: WithHeuristics>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let infos = registry::expressions(P::family());
    let bound = bind(find(&infos, Role::Search, request.solver)?, request.solver)?;
    let mut run = Runner::new(puzzle, request, events);
    let name = bound.info().name;
    if P::family().specialists.iter().any(|info| info.name == name) {
        return puzzle.specialist(&bound, run);
    }
    match name {
        "bfs" => {
            run.begin(0);
            return run.search(&mut bfs::Bfs::new(puzzle, bfs::BfsConfig::default())?);
        }
        "idastar" | "idtt" | "deepening" => {
            let visitor = DepthFirst {
                run,
                search: &bound,
            };
            return with_heuristic(puzzle, bound.expr("h"), request.cache, visitor)?;
        }
        _ => {}
    }
    let spec = bound.expr("h");
    let own = bind(find(&infos, Role::Heuristic, spec)?, spec)?;
    let h = match puzzle.batch(&own, request) {
        Some(h) => h?,
        None => with_heuristic(puzzle, spec, request.cache, Batch)?,
    };
    if let Some(report) = run.begin(h.bytes()) {
        return Ok(report);
    }
    let h = &*h;
    run.estimate(|state| {
        let mut out = [f32::NAN];
        h.evaluate(&[Row { puzzle, state }], &mut out);
        Some(f64::from(out[0]))
    });
    match name {
        "astar" => {
            let config = astar::AStarConfig::read(&bound);
            run.search(&mut astar::AStar::new(puzzle, h, config)?)
        }
        "greedy" => run.search(&mut greedy::Greedy::new(
            puzzle,
            h,
            greedy::GreedyConfig::default(),
        )?),
        "bwas" => {
            let config = bwas::BwasConfig::read(&bound);
            run.search(&mut bwas::Bwas::new(puzzle, h, config)?)
        }
        "beam" => {
            let config = beam::BeamConfig::read(&bound);
            run.search(&mut beam::Beam::new(puzzle, h, config)?)
        }
        "staged" => {
            let config = staged::StagedConfig::read(&bound);
            run.search(&mut staged::Staged::new(puzzle, h, config)?)
        }
        other => Err(not_wired("search", other)),
    }
}
