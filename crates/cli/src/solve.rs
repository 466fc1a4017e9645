//! `unriddle solve`.

use crate::{
    args::{CacheOptions, Limits, Solve},
    exit::{Failure, code_of},
    inputs::{self, Choice, Named},
    output::Writer,
    progress::{self, Display},
    units::show_seconds,
};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};
use unriddle_catalog::{
    Budget, Cancel, Events, Instance, Record, Request, SolveError, Spec, Status, registry,
    solve as solve_one, tables::Cache,
};

/// A flag that Ctrl-C (or a termination signal) raises; a second one ends the process at once.
pub(crate) fn cancel_on_signal() -> Cancel {
    static RAISED: AtomicBool = AtomicBool::new(false);
    let cancel = Cancel::default();
    let flag = cancel.clone();
    // Without a handler Ctrl-C simply ends the process.
    let _ = ctrlc::set_handler(move || {
        if RAISED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::exit::CANCELLED));
        }
        flag.cancel();
    });
    cancel
}

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
    let cancel = cancel_on_signal();
    let display = Display::new();
    let folder = inputs::cache_folder(cache_options);
    let policy = inputs::policy(cache_options);
    let cache = progress::cache(folder, inputs::cores(), policy, &display, &cancel);
    let spec = choice.spec(instance)?;
    let request = Request {
        solver: &spec,
        budget: budget(limits, &cancel),
        seed: limits.seed,
        threads: usize::from(limits.threads),
        cache: &cache,
    };
    let mut line = display.search();
    let record = solve_one("1", puzzle, instance, &request, &mut line);
    line.finish();
    display.clear();
    Ok(record?)
}

pub(crate) fn run(options: &Solve) -> Result<(), Failure> {
    let (family, puzzle) = registry::puzzle(&options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let named = inputs::all(family, &*puzzle, &options.instances)?;
    let specs: Result<Vec<_>, _> = named.iter().map(|n| choice.spec(&*n.instance)).collect();
    let mut writer = Writer::new(options.format, options.output.as_deref(), named.len() == 1)?;

    let cancel = cancel_on_signal();
    let display = Display::new();
    let cache = progress::cache(
        inputs::cache_folder(&options.cache),
        inputs::cores(),
        inputs::policy(&options.cache),
        &display,
        &cancel,
    );
    let begun = Instant::now();
    let batch = Batch {
        puzzle: puzzle.spec(),
        named: &named,
        specs: specs?,
        limits: &options.limits,
        cache: &cache,
        cancel: &cancel,
        deadline: options.batch_time.map(|time| begun + time),
    };
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from).min(named.len());
    let summary = if named.len() == 1 {
        let mut line = display.search();
        let record = batch.solve(0, &mut line);
        line.finish();
        let record = record?;
        display.clear();
        let mut summary = Summary::default();
        summary.add(&record);
        writer.write(&record)?;
        summary
    } else {
        run_batch(&batch, jobs, &display, &mut writer)?
    };
    writer.finish()?;
    display.clear();
    summary.conclude(begun.elapsed(), cancel.is_cancelled())
}

/// Solves all instances on several threads; records are written in the order of the instances.
fn run_batch(
    batch: &Batch<'_>,
    jobs: usize,
    display: &Display,
    writer: &mut Writer,
) -> Result<Summary, Failure> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = mpsc::channel();
    let mut summary = Summary::default();
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
                            failed.get_or_insert(error);
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
                if let Err(failure) = writer.write(&record) {
                    next.store(batch.named.len(), Ordering::Relaxed);
                    batch.cancel.cancel();
                    return Err(failure);
                }
                written += 1;
            }
        }
        Ok(())
    });
    bar.finish_and_clear();
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        display.clear();
        // What was solved before is kept in a well-formed file.
        writer.finish()?;
        return Err(error.into());
    }
    result?;
    Ok(summary)
}

/// What a run adds up to.
#[derive(Default)]
struct Summary {
    instances: usize,
    optimal: usize,
    solved: usize,
    unsolvable: usize,
    refused: usize,
    value: i64,
    cpu_s: f64,
    setup_cpu_s: f64,
    code: u8,
    single_unsolvable: Option<String>,
}

impl Summary {
    fn add(&mut self, record: &Record) {
        self.instances += 1;
        self.optimal += usize::from(record.status == Status::Optimal);
        self.unsolvable += usize::from(record.status == Status::Unsolvable);
        self.refused += usize::from(record.checked == Some(false));
        if record.checked == Some(true) {
            self.solved += 1;
            self.value += record.value.unwrap_or(0);
        }
        self.cpu_s += record.cpu_s;
        self.setup_cpu_s += record.setup_cpu_s;
        self.code = self.code.max(code_of(record));
        if record.status == Status::Unsolvable {
            self.single_unsolvable = Some(record.reason.clone().unwrap_or_default());
        }
    }

    /// The summary line of a batch, and the exit code.
    fn conclude(&self, wall: Duration, cancelled: bool) -> Result<(), Failure> {
        if self.instances > 1 {
            let mean = match self.solved {
                0 => String::new(),
                n => format!(", mean value {:.3}", self.value as f64 / n as f64),
            };
            eprintln!(
                "{} instances: {} solved ({} proved optimal), {} unsolvable{mean}; CPU time {} (and {} to prepare), {} of wall time",
                self.instances,
                self.solved,
                self.optimal,
                self.unsolvable,
                show_seconds(self.cpu_s),
                show_seconds(self.setup_cpu_s),
                show_seconds(wall.as_secs_f64()),
            );
        }
        let unanswered = self.instances - self.solved - self.unsolvable;
        if self.refused > 0 {
            let message = format!("the checker refuses {} solutions", self.refused);
            return Err(Failure::new(self.code, message));
        }
        if self.code != 0 {
            let why = if cancelled { "cancelled: " } else { "" };
            let message = format!("{why}{unanswered} of {} instances without an answer", self.instances);
            return Err(Failure::new(self.code, message));
        }
        if let (1, Some(_)) = (self.instances, &self.single_unsolvable) {
            return Err(Failure::new(crate::exit::UNSOLVABLE, "the instance is proved unsolvable"));
        }
        Ok(())
    }
}
