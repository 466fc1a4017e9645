//! `unriddle solve`.

use crate::{
    args::{CacheOptions, Limits, Solve},
    exit::{Failure, note},
    inputs::{self, Choice},
    output::Writer,
    progress::{self, Display},
    signal,
    summary::Summary,
};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Instant,
};
use unriddle_catalog::{
    Budget, Cancel, Events, Instance, Record, Request, SolveError, Spec, input::Named,
    solve as solve_one, tables::Cache,
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

/// Everything that the instances of a batch share.
struct Batch<'a> {
    puzzle: String,
    named: &'a [Named],
    specs: Vec<Spec>,
    limits: &'a Limits,
    cache: &'a Cache,
    cancel: &'a Cancel,
    /// When the time of the whole batch is over.
    deadline: Option<Instant>,
}

impl Batch<'_> {
    fn solve(&self, index: usize, events: &mut dyn Events) -> Result<Record, SolveError> {
        let mut budget = budget(self.limits, self.cancel);
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            budget.time = Some(budget.time.map_or(left, |time| time.min(left)));
        }
        let request = Request {
            solver: &self.specs[index],
            budget,
            seed: self.limits.seed,
            threads: usize::from(self.limits.threads),
            cache: self.cache,
        };
        let Named { id, instance } = &self.named[index];
        solve_one(id, &self.puzzle, &**instance, &request, events)
    }
}

/// Solves one instance with its progress on the terminal.
pub(crate) fn single(
    puzzle: &str,
    instance: &dyn Instance,
    choice: &Choice,
    limits: &Limits,
    cache_options: &CacheOptions,
) -> Result<Record, Failure> {
    let cancel = signal::cancel();
    let display = Display::new();
    let folder = inputs::cache_folder(&cache_options.folder);
    let policy = inputs::policy(cache_options);
    let cache = progress::cache(folder, inputs::cores(), policy, &display, &cancel, None);
    let spec = choice.spec(instance)?;
    let request = Request {
        solver: &spec,
        budget: budget(limits, &cancel),
        seed: limits.seed,
        threads: usize::from(limits.threads),
        cache: &cache,
    };
    let record = solve_one("1", puzzle, instance, &request, &mut display.search());
    display.clear();
    record.map_err(Failure::solve)
}

pub(crate) fn run(options: &Solve) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(&options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let named = inputs::all(family, &*puzzle, &options.instances)?;
    let specs: Result<Vec<_>, _> = named.iter().map(|n| choice.spec(&*n.instance)).collect();
    let specs = specs?;
    let single = named.len() == 1;
    let mut writer = Writer::new(
        options.format,
        options.output.as_deref(),
        single,
        puzzle.unit(),
    )?;

    let cancel = signal::cancel();
    let display = Display::new();
    let begun = Instant::now();
    let deadline = options.batch_time.map(|time| begun + time);
    let cache = progress::cache(
        inputs::cache_folder(&options.cache.folder),
        inputs::cores(),
        inputs::policy(&options.cache),
        &display,
        &cancel,
        deadline,
    );
    let batch = Batch {
        puzzle: puzzle.spec(),
        named: &named,
        specs,
        limits: &options.limits,
        cache: &cache,
        cancel: &cancel,
        deadline,
    };
    let threads = usize::from(options.limits.threads);
    let jobs = options
        .jobs
        .map_or_else(|| inputs::cores() / threads, usize::from);
    let jobs = jobs.clamp(1, named.len());
    let mut summary = Summary::default();
    let done = if single {
        let record = batch.solve(0, &mut display.search());
        display.clear();
        record.map_err(Failure::solve).and_then(|record| {
            summary.add(&record);
            writer.write(&record)
        })
    } else {
        let done = run_batch(&batch, jobs, &display, &mut writer, &mut summary);
        display.clear();
        done
    };
    if let Err(failure) = done {
        // What was solved before is kept in a well-formed file; the first failure is the one to tell.
        let _ = writer.finish();
        return Err(failure);
    }
    writer.finish()?;
    if !single {
        note(&summary.line(puzzle.unit(), begun.elapsed()));
    }
    summary.end(writer.is_text_on_stdout())
}

/// Solves all instances on several threads; records are written in the order of the instances.
fn run_batch(
    batch: &Batch<'_>,
    jobs: usize,
    display: &Display,
    writer: &mut Writer,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = mpsc::channel();
    let bar = display.batch(batch.named.len());
    let result = std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= batch.named.len() {
                        return;
                    }
                    match batch.solve(index, &mut ()) {
                        Ok(record) => {
                            if sender.send((index, record)).is_err() {
                                return;
                            }
                        }
                        Err(error) => {
                            // The batch ends; what is running is stopped.
                            next.store(batch.named.len(), Ordering::Relaxed);
                            batch.cancel.cancel();
                            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                            let what = format!("instance {}", batch.named[index].id);
                            failed.get_or_insert_with(|| Failure::solve(error).within(&what));
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut written = 0;
        for (index, record) in receiver {
            bar.inc(1);
            waiting.insert(index, record);
            while let Some(record) = waiting.remove(&written) {
                summary.add(&record);
                if let Err(failure) = display.aside(|| writer.write(&record)) {
                    next.store(batch.named.len(), Ordering::Relaxed);
                    batch.cancel.cancel();
                    return Err(failure);
                }
                written += 1;
            }
        }
        Ok(())
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failure) => Err(failure),
        None => result,
    }
}
