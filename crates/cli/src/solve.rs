//! `unriddle solve`.

use crate::{
    args::{self, Format, Solve, shared::Limits},
    batch::in_turn,
    exit::{Failure, USAGE, note},
    inputs::{self, Choice},
    output::Writer,
    progress::{self, Display},
    resume, signal,
    summary::Summary,
    text::count,
};
use std::time::Instant;
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Events, Networks, Record, Registry, Report, Request, SolveError,
    Spec, Stats, input::Named, record::certify, solve as solve_one, tables::Cache,
    units::show_count,
};

/// The budget of one instance.
pub(crate) fn budget(limits: &Limits, cancel: &Cancel) -> Budget {
    Budget {
        time: limits.time,
        expansions: limits.max_expansions,
        generated: limits.max_generated,
        memory: limits.memory,
        cancel: cancel.clone(),
    }
}

/// The request to solve an instance within `budget`, without a known solution.
pub(crate) fn request<'a>(
    registry: &'a Registry,
    solver: &'a Spec,
    budget: Budget,
    limits: &Limits,
    cache: &'a Cache,
) -> Request<'a> {
    Request {
        solver,
        budget,
        known: None,
        seed: limits.seed,
        threads: usize::from(limits.threads),
        networks: registry.networks(),
        cache,
    }
}

/// Everything that the instances of a batch share.
struct Batch<'a> {
    registry: &'a Registry,
    puzzle: String,
    named: &'a [Named],
    /// Whether the batch has several instances, including instances that an earlier run solved.
    is_batch: bool,
    specs: Vec<Spec>,
    options: &'a args::Batch,
    networks: Networks,
    cache: &'a Cache,
    cancel: &'a Cancel,
    /// End of the time of the whole batch.
    deadline: Option<Instant>,
}

impl Batch<'_> {
    fn solve(&self, index: usize, events: &mut dyn Events) -> Result<Record, SolveError> {
        let mut budget = budget(&self.options.limits, self.cancel);
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            budget.time = Some(budget.time.map_or(left, |time| time.min(left)));
        }
        let Named { id, instance, solution } = &self.named[index];
        let request = Request {
            known: solution.as_deref(),
            networks: self.networks,
            ..request(self.registry, &self.specs[index], budget, &self.options.limits, self.cache)
        };

        let registry = self.registry;
        let record = solve_one(registry, id, &self.puzzle, &**instance, &request, events);
        let mut record = match record {
            // The record contains the error, and the other instances are solved.
            Err(error) if self.is_batch => {
                let (text, solver) = (instance.text(), request.solver.to_string());
                let report = Report::refused(&error);
                let (puzzle, seed) = (&self.puzzle, request.seed);
                return Ok(Record::seal(registry, id, puzzle, &text, &solver, seed, &report));
            }
            record => record?,
        };
        if self.options.certify {
            // Only the limits of the batch and Ctrl-C end the certification, since the limits of an
            // instance apply to the search.
            let mut go_on = |regions| {
                events.progress(&Stats { expanded: regions, ..Stats::default() });
                let over = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
                !over && !self.cancel.is_cancelled()
            };
            certify(&mut record, &**instance, &mut go_on)?;
        }
        Ok(record)
    }
}

pub(crate) fn run(registry: &Registry, options: &Solve) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let choice = Choice::new(&options.batch.solver, family)?;
    let mut named = inputs::all(family, &*puzzle, &options.instances)?;
    // Known solutions of a file must not help the search.
    named.iter_mut().for_each(|named| named.solution = None);
    solve_all(registry, &*puzzle, named, &choice, &options.batch, &mut |_| {})
}

/// Solves all instances and writes the records. Solvers that improve solutions begin with the known
/// solution of an instance. `seen` is called with each record.
pub(crate) fn solve_all(
    registry: &Registry,
    puzzle: &dyn AnyPuzzle,
    mut named: Vec<Named>,
    choice: &Choice,
    options: &args::Batch,
    seen: &mut dyn FnMut(&Record),
) -> Result<(), Failure> {
    let specs: Result<Vec<_>, _> = named.iter().map(|n| choice.spec(&*n.instance)).collect();
    let mut specs = specs?;
    let single = named.len() == 1;
    let mut summary = Summary::default();
    if let (true, Some(path)) = (options.resume, &options.output) {
        if options.format != Format::Jsonl {
            return Err(Failure::new(USAGE, "--resume needs --format jsonl"));
        }
        let kept = resume::kept(path, &puzzle.spec(), options.limits.seed, &mut named, &mut specs)?;
        for record in &kept {
            summary.add(record);
            seen(record);
        }
        if !kept.is_empty() {
            let kept = count(kept.len() as i64, "records");
            note(&format!("{kept} kept, {} to solve", show_count(named.len() as u64)));
        }
        if named.is_empty() {
            return summary.end(false);
        }
    }
    let mut writer = Writer::new(
        options.format,
        options.output.as_deref(),
        single,
        puzzle.unit(),
        options.resume,
    )?;

    let cancel = signal::cancel();
    let display = Display::new();
    let begun = Instant::now();
    let deadline = options.batch_time.map(|time| begun + time);
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, deadline);
    let batch = Batch {
        registry,
        puzzle: puzzle.spec(),
        named: &named,
        is_batch: !single,
        specs,
        options,
        networks: Networks {
            device: options.device.into(),
            lockstep: options.lockstep,
            ..registry.networks()
        },
        cache: &cache,
        cancel: &cancel,
        deadline,
    };
    let threads = usize::from(options.limits.threads);
    let jobs = options.jobs.map_or_else(|| inputs::cores() / threads, usize::from);
    let jobs = jobs.clamp(1, named.len());
    let mut notify = |record: &Record| {
        summary.add(record);
        seen(record);
    };
    let done = if single {
        let record = batch.solve(0, &mut display.search(named[0].instance.unit()));
        display.clear();
        record.map_err(Failure::solve).and_then(|record| {
            notify(&record);
            writer.write(&record)
        })
    } else {
        // Records are written in the order of the instances.
        let bar = display.batch("instances", named.len(), 0);
        let work = |index: usize| {
            let name = || format!("instance {}", named[index].id);
            batch.solve(index, &mut ()).map_err(|error| Failure::solve(error).within(&name()))
        };
        let done = in_turn(named.len(), jobs, &cancel, &bar, &work, &mut |record| {
            notify(&record);
            display.aside(|| writer.write(&record))
        });
        display.clear();
        done
    };
    if let Err(failure) = done {
        // The file becomes well-formed and keeps the records so far. The first failure is returned.
        let _ = writer.finish();
        return Err(failure);
    }
    writer.finish()?;
    if !single {
        note(&summary.line(puzzle.unit(), begun.elapsed()));
    }
    summary.end(writer.is_text_on_stdout())
}
