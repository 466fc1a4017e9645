//! `unriddle validate`: what a designer is told of puzzles.

use crate::{
    args::{Instances, Validate, ValidateFormat},
    batch::in_turn,
    exit::{EXHAUSTED, Failure, INPUT, INTERNAL, UNSOLVABLE, UNSUPPORTED, USAGE, note},
    inputs,
    progress::Display,
    signal,
};
use indicatif::ProgressBar;
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    time::Instant,
};
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Family, Registry, Rng,
    input::Named,
    units::show_number,
    validate::{ArchiveRequest, Front, Request, Validation, Verdict, html, text},
};
use unriddle_plot::{FrontPoint, front as figure};

/// What is validated: what was given, or else the first instance that the puzzle's generator makes.
fn instances(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    options: &Validate,
) -> Result<Vec<Named>, Failure> {
    if !options.instances.is_empty() || !options.file.is_empty() {
        let given = Instances {
            instances: options.instances.clone(),
            file: options.file.clone(),
            deals: None,
        };
        return inputs::all(family, puzzle, &given);
    }
    let refused = |error| Failure::spec("generator", &error);
    let bound = family.generator(None).map_err(refused)?;
    let text = puzzle
        .generate(&bound, &mut Rng::stream(options.seed, 0))
        .map_err(refused)?;
    let id = format!("{} of seed {}", bound.info().name, options.seed);
    let instance = puzzle
        .load(&text)
        .map_err(|error| Failure::new(INTERNAL, format!("{id}: {error}")))?;
    Ok(vec![Named { id, instance }])
}

pub(crate) fn run(registry: &Registry, options: &Validate) -> Result<(), Failure> {
    let (family, puzzle) =
        inputs::puzzle_with(registry, &options.puzzle, options.wanted.as_deref())?;
    let named = instances(family, &*puzzle, options)?;
    if options.archive.is_some() && named.len() > 1 {
        let message = format!("--archive is for one instance, not for {}", named.len());
        return Err(Failure::new(USAGE, message));
    }
    if options.archive.is_some() {
        // Features that there are not are found before anything is done.
        let nothing = ArchiveRequest {
            evaluations: 0,
            ..archive_request(options, &Cancel::default())
        };
        if let Some(archives) = named[0].instance.extensions().archives {
            let told = archives.archive(&nothing, &mut |_| {});
            told.map_err(|error| Failure::solve(error).within("--features"))?;
        }
    }
    let mut writer = Writer::new(options)?;
    let (cancel, display, begun) = (signal::cancel(), Display::new(), Instant::now());
    let request = Request {
        budget: Budget {
            time: Some(options.time),
            cancel: cancel.clone(),
            ..Budget::default()
        },
        regions: options.regions,
        near: options.near / 100.0,
        front: options.front,
        seed: options.seed,
    };
    let bar = display.batch(named.len());
    let work = |index: usize| {
        let Named { id, instance } = &named[index];
        let tell = &mut |part: &str| bar.set_message(part.to_owned());
        match instance.extensions().validates {
            Some(validates) => {
                let refused = |error| Failure::solve(error).within(id);
                let found = validates.validate(id, &request, tell);
                let mut validation = found.map_err(refused)?;
                if let Some(front) = &mut validation.front
                    && options.format == ValidateFormat::Html
                {
                    drawn(front)?;
                }
                Ok(validation)
            }
            None => {
                let message = format!("puzzles of {} are not validated", family.info.name);
                Err(Failure::new(UNSUPPORTED, message))
            }
        }
    };
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from);
    let jobs = jobs.clamp(1, named.len());
    let mut counts = Counts::default();
    let done = in_turn(named.len(), jobs, &cancel, &bar, &work, &mut |validation| {
        counts.add(&validation);
        display.aside(|| writer.write(validation))
    });
    let finished = writer.finish();
    let archived = match &options.archive {
        Some(path) if done.is_ok() => archive(&named[0], options, path, &cancel, &bar),
        _ => Ok(()),
    };
    display.clear();
    done.and(finished).and(archived)?;
    if named.len() > 1 {
        note(&format!(
            "{} puzzles: {} solvable ({} with the cheapest proved), {} unsolvable, {} unknown; {:.1} s",
            named.len(),
            counts.solvable,
            counts.proved,
            counts.unsolvable,
            counts.unknown,
            begun.elapsed().as_secs_f64()
        ));
    }
    counts.end()
}

fn archive_request(options: &Validate, cancel: &Cancel) -> ArchiveRequest {
    ArchiveRequest {
        features: options.features.clone(),
        evaluations: options.evaluations,
        cancel: cancel.clone(),
        seed: options.seed,
    }
}

/// Draws a front, for a page.
fn drawn(found: &mut Front) -> Result<(), Failure> {
    let points = found.points.iter().map(|point| FrontPoint {
        x: point.synergy,
        y: point.price as f64,
        bound: point.lower_bound as f64,
    });
    let points: Vec<FrontPoint> = points.collect();
    if !points.is_empty() {
        let drawing = figure(
            "What synergy costs",
            "synergy",
            "price",
            &points,
            show_number,
        );
        let drawing = drawing.map_err(|error| Failure::new(INTERNAL, error.to_string()))?;
        found.drawing = Some(drawing);
    }
    Ok(())
}

/// Writes the archive of an instance.
fn archive(
    named: &Named,
    options: &Validate,
    path: &Path,
    cancel: &Cancel,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let request = archive_request(options, cancel);
    let tell = &mut |part: &str| bar.set_message(part.to_owned());
    let Some(archives) = named.instance.extensions().archives else {
        return Ok(());
    };
    let found = archives.archive(&request, tell);
    let found = found.map_err(Failure::solve)?;
    let refused = found.cells.iter().filter(|cell| !cell.checked).count();
    let failed = |error: csv::Error| Failure::new(INPUT, format!("{}: {error}", path.display()));
    let mut out = csv::Writer::from_path(path).map_err(failed)?;
    let head = found.features.iter().map(String::as_str);
    let columns = head.chain(["cheapest", "solution", "checked"]);
    out.write_record(columns).map_err(failed)?;
    for cell in &found.cells {
        let features = cell.features.iter().map(ToString::to_string);
        let rest = [
            cell.price.to_string(),
            cell.solution.clone(),
            cell.checked.to_string(),
        ];
        out.write_record(features.chain(rest)).map_err(failed)?;
    }
    out.flush().map_err(|error| failed(error.into()))?;
    note(&format!(
        "archive: {} of {} kinds, {} solutions built or mended: {}",
        found.cells.len(),
        found.capacity,
        found.evaluations,
        path.display()
    ));
    match refused {
        0 => Ok(()),
        _ => Err(Failure::new(
            INTERNAL,
            format!("{refused} solutions of the archive refused by the checker"),
        )),
    }
}

/// What a run adds up to.
#[derive(Default)]
struct Counts {
    solvable: usize,
    proved: usize,
    unsolvable: usize,
    unknown: usize,
    refused: usize,
}

impl Counts {
    fn add(&mut self, validation: &Validation) {
        match validation.verdict {
            Verdict::Solvable => self.solvable += 1,
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Unknown => self.unknown += 1,
        }
        self.proved += usize::from(validation.optimal);
        self.refused += usize::from(validation.checked == Some(false));
        let points = validation.front.iter().flat_map(|front| &front.points);
        self.refused += points.filter(|point| !point.checked).count();
    }

    /// The exit code, for automatic checks of puzzles.
    fn end(&self) -> Result<(), Failure> {
        let failure = |code, count, what: &str| Err(Failure::new(code, format!("{count} {what}")));
        match self {
            Self { refused, .. } if *refused > 0 => {
                failure(INTERNAL, refused, "refused by the checker")
            }
            Self { unknown, .. } if *unknown > 0 => failure(EXHAUSTED, unknown, "unknown"),
            Self { unsolvable, .. } if *unsolvable > 0 => {
                failure(UNSOLVABLE, unsolvable, "proved unsolvable")
            }
            _ => Ok(()),
        }
    }
}

/// Writes validations as they come; a page of HTML at the end.
struct Writer {
    sink: Box<dyn Write>,
    format: ValidateFormat,
    written: usize,
    page: Vec<Validation>,
}

impl Writer {
    fn new(options: &Validate) -> Result<Self, Failure> {
        let sink: Box<dyn Write> = match &options.output {
            None => Box::new(io::stdout().lock()),
            Some(path) => {
                let file = File::create(path).map_err(|error| {
                    let message = format!("{}: cannot be written: {error}", path.display());
                    Failure::new(INPUT, message)
                })?;
                Box::new(BufWriter::new(file))
            }
        };
        Ok(Self {
            sink,
            format: options.format,
            written: 0,
            page: Vec::new(),
        })
    }

    fn write(&mut self, validation: Validation) -> Result<(), Failure> {
        let put = |sink: &mut dyn Write, before: &str, after: &str| {
            sink.write_all(before.as_bytes())?;
            serde_json::to_writer(&mut *sink, &validation)?;
            sink.write_all(after.as_bytes())
        };
        let done = match (self.format, self.written) {
            (ValidateFormat::Text, 0) => write!(self.sink, "{}", text(&validation)),
            (ValidateFormat::Text, _) => write!(self.sink, "\n{}", text(&validation)),
            (ValidateFormat::Jsonl, _) => put(&mut self.sink, "", "\n"),
            (ValidateFormat::Json, 0) => put(&mut self.sink, "[\n", ""),
            (ValidateFormat::Json, _) => put(&mut self.sink, ",\n", ""),
            (ValidateFormat::Html, _) => {
                self.page.push(validation);
                Ok(())
            }
        };
        self.written += 1;
        done.and_then(|()| self.sink.flush())
            .map_err(|error| Failure::output(&error))
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let end = match (self.format, self.written) {
            (ValidateFormat::Json, 0) => "[]\n".to_owned(),
            (ValidateFormat::Json, _) => "\n]\n".to_owned(),
            (ValidateFormat::Html, _) => html(&self.page),
            _ => String::new(),
        };
        self.sink
            .write_all(end.as_bytes())
            .and_then(|()| self.sink.flush())
            .map_err(|error| Failure::output(&error))
    }
}
