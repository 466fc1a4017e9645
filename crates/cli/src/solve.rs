//! `unriddle solve`.

use crate::{
    args::{self, Format, Solve, shared::Limits},
    batch::{in_turn, unless_panic},
    exit::{Failure, USAGE, note},
    inputs::{self, Choice, Entries, Refused},
    journal::Told,
    output::{LockedFile, Writer},
    progress::{self, Display},
    ranks::{self, is_first},
    resume, signal,
    summary::Summary,
    text::count,
};
use std::time::Instant;
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Events, Networks, Record, Registry, Report, Request, Spec, Stats,
    Status,
    input::Named,
    journal::Journal,
    ranks::{Ranks, broadcast},
    record::certify,
    solve as solve_one,
    tables::Cache,
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
        budget,
        seed: limits.seed,
        threads: usize::from(limits.threads),
        networks: registry.networks(),
        ..Request::new(solver, cache)
    }
}

/// Everything that the instances of a batch share.
struct Batch<'a> {
    registry: &'a Registry,
    puzzle: String,
    entries: &'a Entries<'a>,
    /// Whether the batch has several instances, including instances that an earlier run solved.
    is_batch: bool,
    choice: &'a Choice,
    options: &'a args::Batch,
    networks: Networks,
    cache: &'a Cache,
    cancel: &'a Cancel,
    /// End of the time of the whole batch.
    deadline: Option<Instant>,
    /// The ranks, if all of them search each instance together.
    together: Option<&'static dyn Ranks>,
}

impl Batch<'_> {
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled()
            || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Whether no further instance is begun, on which ranks that search together agree.
    fn all_are_over(&self) -> bool {
        match self.together {
            None => self.is_over(),
            Some(ranks) => broadcast(ranks, vec![u8::from(self.is_over())]) == [1],
        }
    }

    /// Record of an instance that was not solved.
    fn sealed(&self, id: &str, instance: &str, solver: &str, report: &Report) -> Record {
        let seed = self.options.limits.seed;
        Record::seal(self.registry, id, &self.puzzle, instance, solver, seed, report)
    }

    /// Record of an instance. In a batch an instance that was not begun before the end of the whole
    /// run has no record.
    ///
    /// # Errors
    /// The only instance cannot be solved: a spec that does not fit, a table that is unavailable.
    fn record(&self, index: usize, events: &mut dyn Events) -> Result<Option<Record>, Failure> {
        if self.is_batch && self.all_are_over() {
            return Ok(None);
        }
        let entry = self.entries.get(index);
        let named = match &*entry {
            Ok(named) => named,
            Err(Refused { id, text, why }) => {
                let report = Report::failed(Status::Refused, why);
                return Ok(Some(self.sealed(id, text, "", &report)));
            }
        };
        // Rules of a puzzle that panic have no answer for this instance; the others are solved.
        let solved = unless_panic(|| self.solve(named, events)).unwrap_or_else(|why| {
            let report = Report::failed(Status::Crashed, &why);
            Ok(self.sealed(&named.id, &named.instance.text(), "", &report))
        });
        match solved {
            // The record contains the error, and the other instances are solved.
            Err(failure) if self.is_batch => {
                let report = Report::failed(Status::Unsupported, &failure.message());
                Ok(Some(self.sealed(&named.id, &named.instance.text(), "", &report)))
            }
            solved => solved.map(Some),
        }
    }

    fn solve(&self, named: &Named, events: &mut dyn Events) -> Result<Record, Failure> {
        let mut budget = budget(&self.options.limits, self.cancel);
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            budget.time = Some(budget.time.map_or(left, |time| time.min(left)));
        }
        let Named { id, instance, solution } = named;
        let spec = self.choice.spec(&**instance)?;
        let request = Request {
            known: solution.as_deref(),
            networks: self.networks,
            ranks: self.together,
            ..request(self.registry, &spec, budget, &self.options.limits, self.cache)
        };
        let told = Told::open(self.options, (&self.puzzle, &instance.text()), &request)?;
        let journal = told.as_ref().map(|told| told as &dyn Journal);
        let request = Request { journal, ..request };
        let record = solve_one(self.registry, id, &self.puzzle, &**instance, &request, events);
        let mut record = match record {
            // The record contains the error, and the other instances are solved.
            Err(error) if self.is_batch => {
                let report = Report::refused(&error);
                return Ok(self.sealed(id, &instance.text(), &spec.to_string(), &report));
            }
            record => record.map_err(Failure::solve)?,
        };
        if self.options.certify {
            // Only the limits of the batch and Ctrl-C end the certification, since the limits of an
            // instance apply to the search.
            let mut go_on = |regions| {
                events.progress(&Stats { expanded: regions, ..Stats::default() });
                !self.is_over()
            };
            certify(&mut record, &**instance, &mut go_on).map_err(Failure::solve)?;
        }
        Ok(record)
    }
}

pub(crate) fn run(registry: &Registry, options: &Solve) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let choice = Choice::new(&options.batch.solver, family)?;
    let mut entries = inputs::all(family, &*puzzle, &options.instances)?;
    // Known solutions of a file must not help the search.
    entries.forget_solutions();
    solve_all(registry, &*puzzle, entries, &choice, (&options.batch, options.together), &mut |_| {})
}

/// The ranks, if all of them search each instance together. Checks that their instances are the
/// same.
///
/// # Errors
/// The instances of two ranks differ, or several ranks have one instance and do not share its
/// search.
fn shared(together: bool, entries: &Entries<'_>) -> Result<Option<&'static dyn Ranks>, Failure> {
    if !ranks::are_several() {
        return Ok(together.then(ranks::ranks));
    }
    let text = |index: usize| match &*entries.get(index) {
        Ok(named) => named.instance.text(),
        Err(refused) => refused.text.clone(),
    };
    // Numbered deals are the same everywhere, and too many to be made here.
    let texts: Vec<String> = entries.given().map(text).collect();
    ranks::same_instances(&texts)?;
    if together {
        return Ok(Some(ranks::ranks()));
    }
    match entries.len() {
        1 => {
            let message = "one instance for several ranks: `--together` lets all of them search it";
            Err(Failure::new(USAGE, message))
        }
        _ => Ok(None),
    }
}

/// Gives the instances that are left on rank 0 to all ranks.
fn same_entries(entries: &mut Entries<'_>) {
    let left = entries.left().into_iter().map(|index| index as u64);
    let bytes = left.flat_map(u64::to_le_bytes).collect();
    let bytes = broadcast(ranks::ranks(), bytes);
    let (left, _) = bytes.as_chunks::<8>();
    entries.keep(left.iter().map(|number| u64::from_le_bytes(*number) as usize).collect());
}

/// Solves all instances and writes the records. Solvers that improve solutions begin with the known
/// solution of an instance. All ranks search each instance `together`, or each rank searches other
/// instances. `seen` is called with each record.
pub(crate) fn solve_all(
    registry: &Registry,
    puzzle: &dyn AnyPuzzle,
    mut entries: Entries<'_>,
    choice: &Choice,
    (options, together): (&args::Batch, bool),
    seen: &mut dyn FnMut(&Record),
) -> Result<(), Failure> {
    let single = entries.len() == 1;
    Told::check(options, entries.len())?;
    let mut summary = Summary::default();
    let together = shared(together, &entries)?;
    if options.resume && options.format != Format::Jsonl {
        return Err(Failure::new(USAGE, "--resume needs --format jsonl"));
    }
    // A wrong path is found before any search.
    let output = options.output.as_deref().filter(|_| is_first());
    let mut file = output.map(LockedFile::open).transpose()?;
    if let (true, Some(file)) = (options.resume, &mut file) {
        if !file.is_regular() {
            let name = inputs::name_of(file.path());
            let message = format!("--resume needs a regular file; {name} is a device or a pipe");
            return Err(Failure::new(USAGE, message));
        }
        let kept = resume::kept(
            registry,
            file,
            &puzzle.spec(),
            options.limits.seed,
            &mut entries,
            choice,
        )?;
        for record in &kept {
            summary.add(record);
            seen(record);
        }
        if !kept.is_empty() {
            let kept = count(kept.len() as i64, "records");
            note(&format!("{kept} kept, {} to solve", show_count(entries.len() as u64)));
        }
    } else if let Some(file) = &file {
        file.empty()?;
    }
    if options.resume && ranks::are_several() {
        same_entries(&mut entries);
    }
    if options.resume && entries.len() == 0 {
        return summary.end(false);
    }
    let mut writer = Writer::new(options.format, file, single, puzzle.unit());

    let cancel = signal::cancel();
    let display = Display::new();
    let begun = Instant::now();
    let deadline = options.batch_time.map(|time| begun + time);
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, deadline);
    let batch = Batch {
        registry,
        puzzle: puzzle.spec(),
        entries: &entries,
        is_batch: !single,
        choice,
        options,
        networks: Networks {
            device: options.device.into(),
            lockstep: options.lockstep,
            ..registry.networks()
        },
        cache: &cache,
        cancel: &cancel,
        deadline,
        together,
    };
    let threads = usize::from(options.limits.threads);
    let jobs = options.jobs.map_or_else(|| inputs::cores() / threads, usize::from);
    let jobs = jobs.clamp(1, entries.len());
    let mut notify = |record: &Record| {
        summary.add(record);
        seen(record);
    };
    let done = if together.is_some() {
        // All ranks make each record, and rank 0 writes it.
        let mut each = (0..entries.len()).map(|index| match batch.record(index, &mut ())? {
            Some(record) => {
                notify(&record);
                writer.write(&record).map(|()| true)
            }
            None => Ok(false),
        });
        each.find(|done| !matches!(done, Ok(true))).unwrap_or(Ok(true)).map(|_| ())
    } else if single {
        let unit = entries.get(0).as_ref().ok().and_then(|named| named.instance.unit());
        let record = batch.record(0, &mut display.search(unit));
        display.clear();
        record.and_then(|record| match record {
            Some(record) => {
                notify(&record);
                writer.write(&record)
            }
            None => Ok(()),
        })
    } else {
        // Records are written in the order of the instances.
        let bar = display.batch("instances", entries.len(), 0);
        let work = |index: usize| batch.record(index, &mut ());
        let done = in_turn(entries.len(), jobs, &cancel, &bar, &work, &mut |record| {
            notify(&record);
            display.aside(|| writer.write(&record))
        });
        display.clear();
        done.map(|taken| summary.skip(entries.len() - taken, cancel.is_cancelled()))
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
