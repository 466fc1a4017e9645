//! Jobs: solves, reviews and validations that their caller advances step by step.
//!
//! A job is a future without a thread of its own. [`Prepared`] can be sent to another thread;
//! [`JobRun`] stays on the thread that began it.

use super::{
    event::Event, load, normal, puzzle, refusal::Field, refusal::Refusal, request::JobRequest,
};
use std::{cell::RefCell, mem::take, pin::Pin, rc::Rc, task::Poll, time::Duration};
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Events, Family, Incumbent, Instance, Record, Registry, Request,
    SolveError, Spec, Stats,
    input::{self, Named},
    instance::{pause, poll},
    record,
    review::{Line, Review},
    tables::Cache,
    validate::{Batch, Keys, Points, html, validate},
};
use unriddle_core::clock::Instant;

/// Interval of the events with counters.
const INTERVAL: Duration = Duration::from_millis(100);

/// Time of searching per position of a review, if none is given.
const REVIEW_TIME: Duration = Duration::from_secs(2);

/// Time of the reference solver per instance, if none is given.
const VALIDATE_TIME: Duration = Duration::from_secs(3);

/// Greatest limits of a job; a job that asks for more gets these. A solve without a limit of time
/// has none: some solvers use all time that they are given.
#[derive(Clone, Debug)]
pub struct Most {
    /// Time of searching.
    pub time: Option<Duration>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Threads of a search.
    pub threads: usize,
    /// Draws points as SVG for the reports of designers.
    pub draw: fn(&Points) -> Option<String>,
}

impl Default for Most {
    fn default() -> Self {
        Self { time: None, memory: None, threads: 1, draw: |_| None }
    }
}

/// Solver of a request.
pub(super) enum Choice {
    Spec(Spec),
    Preset(String),
}

impl Choice {
    pub(super) fn new(
        family: &Family,
        solver: Option<&str>,
        preset: Option<String>,
    ) -> Result<Self, Refusal> {
        if let Some(solver) = solver {
            return Ok(Self::Spec(normal(family, solver)?));
        }
        let presets = family.declared().presets;
        let first = || presets.first().map_or("default", |preset| preset.name).to_owned();
        Ok(Self::Preset(preset.unwrap_or_else(first)))
    }

    pub(super) fn of(&self, instance: &dyn Instance) -> Result<Spec, Refusal> {
        match self {
            Self::Spec(spec) => Ok(spec.clone()),
            Self::Preset(name) => instance.preset(name).ok_or_else(|| {
                let message = format!("the preset `{name}` has no solver for this instance");
                Refusal::new(message).in_field(Field::Solver)
            }),
        }
    }
}

/// Work of a job.
enum Task {
    Solve(Box<dyn Instance>, u64, Option<String>),
    Review(Box<dyn Instance>, String),
    Validate(Vec<Named>, Box<Keys>),
}

/// A job that was read and not begun. It has all instances and its solver.
pub struct Prepared {
    registry: Registry,
    family: &'static Family,
    puzzle: Box<dyn AnyPuzzle>,
    choice: Choice,
    budget: Budget,
    most: Most,
    task: Task,
    #[cfg(feature = "arrays")]
    evaluator: Option<std::sync::Arc<dyn unriddle_catalog::arrays::Evaluator>>,
}

impl Prepared {
    pub(super) fn new(
        registry: &Registry,
        request: JobRequest,
        most: &Most,
    ) -> Result<Self, Refusal> {
        let (name, solver, preset, limits) = match &request {
            JobRequest::Solve { puzzle, solver, preset, seconds, expansions, memory, .. } => {
                (puzzle, solver, preset, (*seconds, None, *expansions, *memory))
            }
            JobRequest::Review { puzzle, solver, preset, seconds, .. } => {
                (puzzle, solver, preset, (*seconds, Some(REVIEW_TIME), None, None))
            }
            JobRequest::Validate { puzzle, solver, preset, seconds, .. } => {
                (puzzle, solver, preset, (*seconds, Some(VALIDATE_TIME), None, None))
            }
        };
        let (family, mut puzzle) = puzzle(registry, name)?;
        let choice = Choice::new(family, solver.as_deref(), preset.clone())?;
        let (seconds, usual, expansions, memory) = limits;
        let given = seconds.map(Duration::try_from_secs_f64).transpose();
        let given = given
            .map_err(|error| Refusal::new(format!("`seconds`: {error}")).in_field(Field::Limit))?;
        let budget = Budget {
            time: given.or(usual).map(|time| most.time.map_or(time, |most| time.min(most))),
            expansions,
            memory: memory.into_iter().chain(most.memory).min(),
            ..Budget::default()
        };
        let task = match request {
            JobRequest::Solve { instance, seed, known, .. } => {
                Task::Solve(load(&*puzzle, &instance)?, seed, known)
            }
            JobRequest::Review { instance, line, .. } => {
                let instance = load(&*puzzle, &instance)?;
                // An illegal line is refused before the job begins.
                Line::read(family, &*puzzle, &*instance, &line)
                    .map_err(Refusal::of(Field::Line))?;
                Task::Review(instance, line)
            }
            JobRequest::Validate { puzzle: name, text, .. } => {
                let refused = Refusal::of_spec(Field::Puzzle);
                let spec = Spec::parse(&name).map_err(&refused)?;
                let keys = Keys::of(family, &spec, &[]).map_err(&refused)?;
                puzzle = keys.puzzle(registry.files()).map_err(&refused)?;
                let named = input::load(&*puzzle, &text).map_err(Refusal::of(Field::Text))?;
                Task::Validate(named, Box::new(keys))
            }
        };
        // So is a preset without a solver.
        if let Task::Solve(instance, ..) | Task::Review(instance, _) = &task {
            choice.of(&**instance)?;
        }
        let (registry, most) = (registry.clone(), most.clone());
        Ok(Self {
            registry,
            family,
            puzzle,
            choice,
            budget,
            most,
            task,
            #[cfg(feature = "arrays")]
            evaluator: None,
        })
    }

    /// The same with estimates for the heuristic `callable`.
    #[cfg(feature = "arrays")]
    #[must_use]
    pub fn with_evaluator(
        self,
        evaluator: std::sync::Arc<dyn unriddle_catalog::arrays::Evaluator>,
    ) -> Self {
        Self { evaluator: Some(evaluator), ..self }
    }

    /// Flag that ends the job; the end has the best solution so far.
    #[must_use]
    pub fn cancel(&self) -> Cancel {
        self.budget.cancel.clone()
    }

    /// Begins the job with a source of tables. Nothing is searched before the first
    /// [step](JobRun::step).
    #[must_use]
    pub fn begin(self, cache: Cache) -> JobRun {
        let shared = Rc::new(RefCell::new(Shared::new()));
        let cancel = self.cancel();
        let inside = Reporter(Rc::clone(&shared));
        let run = Box::pin(async move {
            let cancel = self.cancel();
            let result = self.run(&cache, &inside).await;
            let (record, error) = match result {
                Ok(record) => (record.map(Box::new), None),
                Err(refusal) => (None, Some(refusal)),
            };
            inside.push(Event::Ended { record, error, cancelled: cancel.is_cancelled() });
        });
        JobRun { shared, run: Some(run), cancel }
    }

    async fn run(self, cache: &Cache, reporter: &Reporter) -> Result<Option<Record>, Refusal> {
        match &self.task {
            Task::Solve(instance, seed, known) => {
                self.solve(&**instance, *seed, known.as_deref(), cache, reporter).await.map(Some)
            }
            Task::Review(instance, line) => {
                self.review(&**instance, line, cache, reporter).await.map(|()| None)
            }
            Task::Validate(named, keys) => {
                self.validate(named, keys, cache, reporter).await.map(|()| None)
            }
        }
    }

    fn request<'r>(&'r self, solver: &'r Spec, cache: &'r Cache) -> Request<'r> {
        Request {
            budget: self.budget.clone(),
            threads: self.most.threads,
            networks: self.registry.networks(),
            #[cfg(feature = "arrays")]
            evaluator: self.evaluator.as_ref(),
            ..Request::new(solver, cache)
        }
    }

    async fn solve(
        &self,
        instance: &dyn Instance,
        seed: u64,
        known: Option<&str>,
        cache: &Cache,
        reporter: &Reporter,
    ) -> Result<Record, Refusal> {
        let solver = self.choice.of(instance)?;
        reporter.push(Event::Begun { solver: solver.to_string() });
        let request = Request { seed, known, ..self.request(&solver, cache) };
        let (registry, puzzle) = (&self.registry, self.puzzle.spec());
        let events = &mut Reporter(Rc::clone(&reporter.0));
        record::begin(registry, "1", &puzzle, instance, &request, events).await.map_err(failed)
    }

    async fn review(
        &self,
        instance: &dyn Instance,
        line: &str,
        cache: &Cache,
        reporter: &Reporter,
    ) -> Result<(), Refusal> {
        let line = Line::read(self.family, &*self.puzzle, instance, line);
        let line = line.map_err(Refusal::of(Field::Line))?;
        let puzzle = self.puzzle.spec();
        let mut records: Vec<Option<Record>> = Vec::new();
        let (mut reported, mut shown) = (0, None::<Instant>);
        let report = |records: &[Option<Record>]| {
            let review = Box::new(Review::new("1", &line, records));
            reporter.push(Event::Review { review, done: records.len(), of: line.len() });
        };
        for at in 0..line.len() {
            let record = match line.instance(at) {
                None => None,
                Some(_) if self.budget.cancel.is_cancelled() => break,
                Some(position) => {
                    let solver = self.choice.of(position)?;
                    if at == 0 {
                        reporter.push(Event::Begun { solver: solver.to_string() });
                    }
                    let request = self.request(&solver, cache);
                    let events = &mut Quiet(Reporter(Rc::clone(&reporter.0)));
                    let begun =
                        record::begin(&self.registry, "1", &puzzle, position, &request, events);
                    Some(begun.await.map_err(failed)?)
                }
            };
            records.push(record);
            // A review combines all records: it is made once per interval, not once per position.
            if shown.is_none_or(|last| last.elapsed() >= INTERVAL) {
                report(&records);
                (reported, shown) = (records.len(), Some(Instant::now()));
            }
            pause().await;
        }
        if reported < records.len() {
            report(&records);
        }
        Ok(())
    }

    async fn validate(
        &self,
        named: &[Named],
        keys: &Keys,
        cache: &Cache,
        reporter: &Reporter,
    ) -> Result<(), Refusal> {
        let batch = Batch::new(&*self.puzzle, keys, named);
        for index in 0..named.len() {
            if self.budget.cancel.is_cancelled() {
                break;
            }
            let solver = self.choice.of(&*named[index].instance)?;
            if index == 0 {
                reporter.push(Event::Begun { solver: solver.to_string() });
                pause().await;
            }
            let request = self.request(&solver, cache);
            let validation = validate(&self.registry, &batch, index, &request, &mut |step| {
                reporter.note(step);
            });
            let validation = validation.map_err(failed)?;
            let html = html(std::slice::from_ref(&validation), &self.most.draw);
            let validation = Box::new(validation);
            let (done, of) = (index + 1, named.len());
            reporter.push(Event::Validated { validation, html, done, of });
            pause().await;
        }
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn failed(error: SolveError) -> Refusal {
    Refusal::new(error.to_string())
}

/// State that a job and its caller share.
struct Shared {
    events: Vec<Event>,
    stats: Stats,
    /// Total number of states that may be expanded before the job returns to its caller.
    until: u64,
    begun: Instant,
    /// Time of the last event with counters.
    counted: Option<Duration>,
}

impl Shared {
    fn new() -> Self {
        Self {
            events: Vec::new(),
            stats: Stats::default(),
            until: 0,
            begun: Instant::now(),
            counted: None,
        }
    }
}

/// The job's side of the shared state.
struct Reporter(Rc<RefCell<Shared>>);

impl Reporter {
    fn push(&self, event: Event) {
        self.0.borrow_mut().events.push(event);
    }

    fn seconds(&self) -> f64 {
        self.0.borrow().begun.elapsed().as_secs_f64()
    }

    fn note(&self, note: &str) {
        let shared = &mut *self.0.borrow_mut();
        let (expanded, generated) = (shared.stats.expanded, shared.stats.generated);
        let seconds = shared.begun.elapsed().as_secs_f64();
        let note = Some(note.to_owned());
        shared.events.push(Event::Stats { expanded, generated, seconds, note });
    }

    fn bounded(&self, bound: i64, upper: bool, stats: &Stats) {
        let seconds = self.seconds();
        self.push(Event::Bound { bound, upper, expanded: stats.expanded, seconds });
    }
}

impl Events for Reporter {
    fn progress(&mut self, stats: &Stats) {
        let shared = &mut *self.0.borrow_mut();
        shared.stats = *stats;
        let now = shared.begun.elapsed();
        if shared.counted.is_none_or(|last| now >= last + INTERVAL) {
            shared.counted = Some(now);
            let (expanded, generated) = (stats.expanded, stats.generated);
            let seconds = now.as_secs_f64();
            shared.events.push(Event::Stats { expanded, generated, seconds, note: None });
        }
    }

    fn room(&self) -> u64 {
        let shared = self.0.borrow();
        shared.until.saturating_sub(shared.stats.expanded)
    }

    fn improved(&mut self, best: &Incumbent<'_>, stats: &Stats) {
        let (value, length, solution) = (best.value, best.length, (best.text)());
        let (expanded, seconds) = (stats.expanded, self.seconds());
        self.push(Event::Improved { value, length, solution, expanded, seconds });
    }

    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.bounded(bound, false, stats);
    }

    fn upper_bound(&mut self, bound: i64, stats: &Stats) {
        self.bounded(bound, true, stats);
    }
}

/// Events of one of many solves of a job: only its counters are reported.
struct Quiet(Reporter);

impl Events for Quiet {
    fn progress(&mut self, stats: &Stats) {
        self.0.progress(stats);
    }

    fn room(&self) -> u64 {
        self.0.room()
    }
}

/// A job that is under way.
pub struct JobRun {
    shared: Rc<RefCell<Shared>>,
    /// `None` when it has ended.
    run: Option<Pin<Box<dyn Future<Output = ()>>>>,
    cancel: Cancel,
}

impl JobRun {
    /// Lets the job expand at most `expansions` more states, for about five milliseconds, and
    /// returns its events. The first step also builds tables.
    pub fn step(&mut self, expansions: u64) -> Vec<Event> {
        {
            let shared = &mut *self.shared.borrow_mut();
            shared.until = shared.stats.expanded.saturating_add(expansions);
        }
        let is_over = match &mut self.run {
            Some(run) if expansions > 0 => poll(run.as_mut()) == Poll::Ready(()),
            _ => false,
        };
        self.run.take_if(|_| is_over);
        take(&mut self.shared.borrow_mut().events)
    }

    /// Whether the job has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.run.is_none()
    }

    /// Counters after the last step.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.shared.borrow().stats
    }

    /// Ends the job at its next step, with the best solution so far.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }
}
