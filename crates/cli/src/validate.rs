//! `unriddle validate`: reports on instances for the designers of puzzles.

use crate::{
    args::{ReportFormat, Validate},
    batch::{in_turn, unless_panic},
    exit::{CANCELLED, EXHAUSTED, Failure, INPUT, INTERNAL, UNSOLVABLE, USAGE, note},
    inputs::{self, Choice, Entry, Refused},
    output::{self, Reports},
    progress::{self, Display},
    ranks, signal,
    solve::{budget, request},
};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use unriddle_catalog::{
    AnyPuzzle, Budget, Family, Registry, Request, Rng, Spec, SpecError,
    input::Named,
    ranks::Message,
    tables::Cache,
    units::show_number,
    validate::{Attachment, Batch, Keys, Points, Validation, Verdict, html, text, validate},
};
use unriddle_plot::{FrontPoint, front as figure};

/// Wall time of the reference solver per instance if no limit is given.
const TIME: Duration = Duration::from_secs(3);

/// The given instances, or the first instance of the puzzle's generator.
fn instances(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    options: &Validate,
) -> Result<Vec<Entry>, Failure> {
    let given = &options.instances;
    if !given.instances.is_empty() || !given.file.is_empty() || given.deals.is_some() {
        return Ok(inputs::all(family, puzzle, given)?.into_entries());
    }
    let refused = |error| Failure::spec("generator", &error);
    let bound = family.generator(None).map_err(refused)?;
    let seed = options.limits.seed;
    let text = puzzle.generate(&bound, &mut Rng::stream(seed, 0)).map_err(refused)?;
    let id = format!("{} of seed {seed}", bound.info().name);
    let instance =
        puzzle.load(&text).map_err(|error| Failure::new(INTERNAL, format!("{id}: {error}")))?;
    Ok(vec![Ok(Named::new(id, instance))])
}

/// A report that is to be made: on the instance of an index, or on a text that is no instance.
type Task = Result<usize, Refused>;

/// A report of this rank, or the part of a report that another rank sends.
enum Told {
    Whole(ReportFormat, Box<Validation>),
    Sent(Sent),
}

/// A report as it is written.
#[derive(Serialize, Deserialize)]
struct Sent {
    tally: Tally,
    body: String,
    attachments: Vec<Attachment>,
}

/// Counted properties of a report.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Tally {
    verdict: Verdict,
    optimal: bool,
    is_duplicate: bool,
    is_refused: bool,
}

impl Tally {
    fn of(validation: &Validation) -> Self {
        Self {
            verdict: validation.verdict,
            optimal: validation.optimal,
            is_duplicate: validation.duplicate_of.is_some(),
            is_refused: validation.is_refused(),
        }
    }
}

impl Told {
    fn tally(&self) -> Tally {
        match self {
            Self::Whole(_, validation) => Tally::of(validation),
            Self::Sent(sent) => sent.tally,
        }
    }
}

impl Message for Told {
    fn write(&self, bytes: &mut Vec<u8>) {
        let Self::Whole(format, validation) = self else { return };
        // An empty message is a damaged one, which ends the run.
        let body = output::body(*format, &**validation, text).unwrap_or_default();
        let (tally, attachments) = (Tally::of(validation), validation.attachments.clone());
        let sent = serde_json::to_vec(&Sent { tally, body, attachments });
        bytes.extend(sent.unwrap_or_default());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().map(Self::Sent)
    }
}

/// Data that all reports of a batch share.
struct Work<'a> {
    registry: &'a Registry,
    batch: &'a Batch<'a>,
    tasks: &'a [Task],
    choice: &'a Choice,
    budget: Budget,
    options: &'a Validate,
    cache: &'a Cache,
}

impl Work<'_> {
    fn request<'r>(&'r self, spec: &'r Spec) -> Request<'r> {
        let budget = self.budget.clone();
        request(self.registry, spec, budget, &self.options.limits, self.cache)
    }

    /// Refuses keys that do not fit the instances.
    fn check(&self) -> Result<(), Failure> {
        let Some(first) = self.batch.named.first() else {
            return Ok(());
        };
        let spec = self.choice.spec(&*first.instance)?;
        let checked = self.batch.check(&self.request(&spec));
        checked.map_err(|error| Failure::solve(error).within("--set"))
    }

    /// The report of a task; `None` after Ctrl-C, if the report was not begun.
    fn told(&self, index: usize) -> Result<Option<Told>, Failure> {
        let report = self.report(index)?.map(Box::new);
        Ok(report.map(|report| Told::Whole(self.options.format, report)))
    }

    fn report(&self, index: usize) -> Result<Option<Validation>, Failure> {
        if self.budget.cancel.is_cancelled() {
            return Ok(None);
        }
        let without = |id: &str, verdict, why: &str| {
            let seed = self.options.limits.seed;
            Ok(Some(Validation::without_answer(self.batch, id, verdict, why, seed)))
        };
        let index = match &self.tasks[index] {
            Ok(index) => *index,
            Err(Refused { id, why, .. }) => return without(id, Verdict::Refused, why),
        };
        let id = &self.batch.named[index].id;
        let found = unless_panic(|| {
            let spec = self.choice.spec(&*self.batch.named[index].instance)?;
            let request = self.request(&spec);
            let found = validate(self.registry, self.batch, index, &request, &mut |_| {});
            found.map_err(|error| Failure::solve(error).within(id))
        });
        match found {
            Err(why) => without(id, Verdict::Failed, &why),
            // The report contains the error, and the others are made.
            Ok(Err(failure)) if self.tasks.len() > 1 => {
                without(id, Verdict::Failed, &failure.message())
            }
            Ok(found) => found.map(Some),
        }
    }
}

pub(crate) fn run(registry: &Registry, options: &Validate) -> Result<(), Failure> {
    if ranks::are_several() && options.format == ReportFormat::Html {
        let message =
            "--format html needs all reports in one process: several ranks write text or JSON";
        return Err(Failure::new(USAGE, message));
    }
    let (family, _) = inputs::puzzle(registry, &options.puzzle)?;
    let refused = |error: SpecError| Failure::spec("--set", &error);
    let spec = Spec::parse(&options.puzzle).map_err(refused)?;
    let keys = Keys::of(family, &spec, &options.set).map_err(refused)?;
    let puzzle = keys.puzzle(registry.files()).map_err(refused)?;
    let choice = Choice::new(&options.solver, family)?;
    let mut named = Vec::new();
    let tasks: Vec<Task> = instances(family, &*puzzle, options)?
        .into_iter()
        .map(|entry| {
            named.push(entry?);
            Ok(named.len() - 1)
        })
        .collect();
    let texts: Vec<String> = named.iter().map(|named| named.instance.text()).collect();
    ranks::same_instances(&texts)?;
    let batch = Batch::new(&*puzzle, &keys, &named);
    let (cancel, display, begun) = (signal::cancel(), Display::new(), Instant::now());
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, None);
    let mut budget = budget(&options.limits, &cancel);
    if budget.expansions.is_none() && budget.generated.is_none() {
        budget.time = budget.time.or(Some(TIME));
    }
    let work = Work {
        registry,
        batch: &batch,
        tasks: &tasks,
        choice: &choice,
        budget,
        options,
        cache: &cache,
    };
    work.check()?;
    let mut writer = Reports::new(options.output.as_deref(), options.format, text, page)?;
    let bar = display.batch("instances", tasks.len(), 0);
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from).clamp(1, tasks.len().max(1));
    let mut counts = Counts::default();
    let done = in_turn(tasks.len(), jobs, &cancel, &bar, &|index| work.told(index), &mut |told| {
        counts.add(told.tally());
        match told {
            Told::Whole(_, validation) => {
                validation.attachments.iter().try_for_each(attach)?;
                display.aside(|| writer.write(*validation))
            }
            Told::Sent(Sent { body, attachments, .. }) => {
                attachments.iter().try_for_each(attach)?;
                display.aside(|| writer.write_body(&body))
            }
        }
    });
    let finished = writer.finish();
    display.clear();
    done.and(finished)?;
    if cancel.is_cancelled() {
        let begun = counts.solvable + counts.unsolvable + counts.unknown;
        let message = format!("cancelled; {begun} of {} reports were begun", tasks.len());
        return Err(Failure::new(CANCELLED, message));
    }
    if tasks.len() > 1 {
        note(&counts.line(tasks.len(), begun.elapsed()));
    }
    counts.end()
}

/// Writes a file that accompanies a report.
fn attach(attachment: &Attachment) -> Result<(), Failure> {
    let Attachment { path, text, note: title, .. } = attachment;
    output::store(Some(path.as_ref()), text)?;
    note(&format!("{title}: {path}"));
    Ok(())
}

/// Draws the points of a trade-off with their bounds.
pub(crate) fn drawn(points: &Points) -> Option<String> {
    let all = points.points.iter();
    let all: Vec<_> = all.map(|&[x, y, bound]| FrontPoint { x, y, bound }).collect();
    let [x, y] = &points.axes;
    figure(&points.title, x, y, &all, show_number).ok()
}

/// Numbers of verdicts of a run.
#[derive(Default)]
struct Counts {
    solvable: usize,
    proved: usize,
    unsolvable: usize,
    unknown: usize,
    same: usize,
    /// Texts that are no instances.
    no_instance: usize,
    failed: usize,
    /// Reports that the checker refused.
    refused: usize,
}

impl Counts {
    fn add(&mut self, tally: Tally) {
        match tally.verdict {
            Verdict::Solvable => self.solvable += 1,
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Unknown => self.unknown += 1,
            Verdict::Refused => self.no_instance += 1,
            Verdict::Failed => self.failed += 1,
        }
        self.proved += usize::from(tally.optimal);
        self.same += usize::from(tally.is_duplicate);
        self.refused += usize::from(tally.is_refused);
    }

    /// The line about several reports.
    fn line(&self, number: usize, wall: Duration) -> String {
        let mut text = format!(
            "{number} instances: {} solvable ({} with a proved optimum), {} unsolvable, {} unknown, {} duplicates",
            self.solvable, self.proved, self.unsolvable, self.unknown, self.same,
        );
        for (count, what) in [(self.no_instance, "refused"), (self.failed, "failed")] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text + &format!("; {:.1} s", wall.as_secs_f64())
    }

    /// The exit code, for automatic checks of puzzles.
    fn end(&self) -> Result<(), Failure> {
        let causes = [
            (INTERNAL, self.refused, "refused by the checker"),
            (INTERNAL, self.failed, "failed"),
            (INPUT, self.no_instance, "not instances of the puzzle"),
            (EXHAUSTED, self.unknown, "unknown"),
            (UNSOLVABLE, self.unsolvable, "proved unsolvable"),
        ];
        match causes.into_iter().find(|(_, count, _)| *count > 0) {
            Some((code, count, what)) => Err(Failure::new(code, format!("{count} {what}"))),
            None => Ok(()),
        }
    }
}

/// The page of reports.
fn page(validations: &[Validation]) -> String {
    html(validations, &drawn)
}
