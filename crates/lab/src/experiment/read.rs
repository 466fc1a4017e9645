//! From the text of an experiment to the experiment: everything that can be wrong is found here.

use super::{
    Experiment, Limits, Quick, Source, Suite, file,
    shown::{Everything, Measured},
    values::{self, Values},
};
use crate::{
    error::LabError,
    reader::{self, Amount, Name},
    references::References,
};
use std::{cell::OnceCell, collections::BTreeSet, ops::Deref, path::Path};
use toml::Spanned;
use unriddle_catalog::{Aim, Device, Family, Registry, SpecError, units};

/// Instances that stand for all of a suite until all are done, unless the experiment says
/// otherwise.
const SUBSET: u64 = 50;
/// Instances of a quick run, unless the experiment says otherwise.
const QUICK: u64 = 5;

impl Experiment {
    /// Reads and validates an experiment on puzzles of a registry. Published figures are looked for
    /// in `data/references.toml` of the folders above the file.
    ///
    /// # Errors
    /// The file, line and column of whatever is wrong with it.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, &error))?;
        Self::parse(path, &text, registry)
    }

    /// Validates the text of an experiment, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, LabError> {
        let kind: file::Kind = values::form(path, text)?;
        Reader::new(path, text, registry).refuse_old(&kind)?;
        if kind.base.is_some() {
            return values::variant(path, text, registry);
        }
        Reader::new(path, text, registry).experiment(&values::form(path, text)?)
    }
}

/// The text that is read.
pub(super) struct Reader<'a> {
    reader: reader::Reader<'a>,
    registry: &'a Registry,
    pub(super) values: Values,
    /// The published figures, once something names one.
    pub(super) references: OnceCell<References>,
}

impl<'a> Deref for Reader<'a> {
    type Target = reader::Reader<'a>;

    fn deref(&self) -> &reader::Reader<'a> {
        &self.reader
    }
}

/// The puzzle of a suite, as far as validation needs it.
pub(super) struct Known {
    pub(super) family: &'static Family,
    pub(super) unit: &'static str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str, registry: &'a Registry) -> Self {
        Self {
            reader: reader::Reader { path, text },
            registry,
            values: Values::default(),
            references: OnceCell::new(),
        }
    }
}

impl Reader<'_> {
    /// Refuses a text of the time before claims.
    pub(super) fn refuse_old(&self, kind: &file::Kind) -> Result<(), LabError> {
        let Some(old) = &kind.hypothesis else {
            return Ok(());
        };
        let message = "`hypothesis` has become `[[claim]]`: a `text`, and a `[[claim.test]]` that decides \
                       it (experiments/README.md)";
        Err(self.error(&old.span(), message))
    }

    pub(super) fn experiment(mut self, file: &file::File) -> Result<Experiment, LabError> {
        self.values = Values::of(&file.values);
        let name = self.name()?;
        let common = self.limits(&file.limits)?;
        let mut known = Vec::new();
        let mut suites: Vec<Suite> = Vec::new();
        for suite in &file.suite {
            self.unique("suite", &suite.name, suites.iter().map(|s| s.name.as_str()))?;
            let (suite, puzzle) = self.suite(suite)?;
            suites.push(suite);
            known.push(puzzle);
        }
        if suites.is_empty() {
            return Err(self.error(&(0..0), "there is no [[suite]]"));
        }
        let solvers = self.solvers(&file.solver, &suites, &known, &common)?;
        let scores = known.iter().any(|k| k.family.aim == Aim::Score);
        let attributes = self.attributes(&file.attribute, scores)?;
        let measured = Measured { attributes: &attributes, scores };
        let classes = file.classes.as_ref();
        let classes = classes.map(|c| self.classes(c, &solvers, &measured)).transpose()?;
        let everything = Everything {
            suites: &suites,
            solvers: &solvers,
            classes: classes.as_ref(),
            measured: &measured,
        };
        let tables: Result<Vec<_>, _> =
            file.table.iter().map(|t| self.table(t, &everything)).collect();
        let tables = tables?;
        let plots: Result<Vec<_>, _> =
            file.plot.iter().map(|p| self.plot(p, &everything)).collect();
        let plots = plots?;
        let compare = self.compare(&file.compare, &everything)?;
        let claims = self.claims(&file.claim, &everything)?;
        self.one_measure(file, &known, &attributes, &tables, &plots, &compare)?;
        let seeds = match (&file.seeds, &file.repetitions) {
            (Some(_), Some(repetitions)) => {
                let message = "`seeds` and `repetitions` say the same: one of them is enough";
                return Err(self.error(&repetitions.span(), message));
            }
            (Some(seeds), None) => {
                let unique: BTreeSet<_> = seeds.get_ref().iter().collect();
                if unique.len() != seeds.get_ref().len() || unique.is_empty() {
                    let message = "expected seeds, each once";
                    return Err(self.error(&seeds.span(), message));
                }
                seeds.get_ref().clone()
            }
            (None, repetitions) => (0..self.positive(repetitions.as_ref(), 1)?).collect(),
        };
        Ok(Experiment {
            name,
            path: self.path.to_owned(),
            title: self.values.fill(&file.title),
            claims,
            scale: file.scale.as_ref().map(|scale| self.values.fill(scale)),
            notes: file.notes.iter().map(|n| self.values.fill(n)).collect(),
            suites,
            solvers,
            seeds,
            threads: self.positive(file.threads.as_ref(), 1)?,
            device: match file.device.as_ref().map(|name| (name.get_ref().as_str(), name)) {
                None | Some(("cpu", _)) => Device::Cpu,
                Some(("cuda", _)) => Device::Cuda,
                Some((_, name)) => {
                    return Err(self.error(&name.span(), "expected `cpu` or `cuda`"));
                }
            },
            attributes,
            classes,
            tables,
            plots,
            compare,
            quick: Quick {
                instances: self.positive(file.quick.instances.as_ref(), QUICK)? as usize,
                seeds: match &file.quick.seeds {
                    Some(n) => Some(self.positive(Some(n), 1)? as usize),
                    None => None,
                },
                limits: self.limits(&file.quick.limits)?,
            },
            is_quick: false,
            registry: self.registry.clone(),
        })
    }

    /// The experiment's name is that of its file.
    pub(super) fn name(&self) -> Result<String, LabError> {
        let stem = self.path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if stem.is_empty() || !stem.chars().all(fits) {
            let message = "the name of an experiment's file is made of letters, digits, - and _";
            return Err(LabError::file(self.path, &message));
        }
        Ok(stem.to_owned())
    }

    fn positive(&self, number: Option<&Spanned<u64>>, default: u64) -> Result<u64, LabError> {
        match number {
            None => Ok(default),
            Some(n) if *n.get_ref() == 0 => Err(self.error(&n.span(), "expected a number above 0")),
            Some(n) => Ok(*n.get_ref()),
        }
    }

    pub(super) fn limits(&self, limits: &file::Limits) -> Result<Limits, LabError> {
        fn read<T>(
            reader: &Reader<'_>,
            amount: Option<&Spanned<Amount>>,
            parse: fn(&str) -> Result<T, String>,
        ) -> Result<Option<T>, LabError> {
            let Some(amount) = amount else {
                return Ok(None);
            };
            parse(&reader.values.fill(&amount.get_ref().text()))
                .map(Some)
                .map_err(|why| reader.error(&amount.span(), why))
        }
        Ok(Limits {
            time: read(self, limits.time.as_ref(), units::duration)?,
            cpu: read(self, limits.cpu.as_ref(), units::duration)?,
            memory: read(self, limits.memory.as_ref(), units::bytes)?,
            expansions: read(self, limits.expansions.as_ref(), units::count)?,
            generated: read(self, limits.generated.as_ref(), units::count)?,
            resident: read(self, limits.resident.as_ref(), units::bytes)?,
            hang: read(self, limits.hang.as_ref(), units::duration)?,
        })
    }

    fn suite(&self, suite: &file::Suite) -> Result<(Suite, Known), LabError> {
        let spec = suite.puzzle.get_ref();
        let refused = |error: SpecError| self.spec_error(&suite.puzzle, spec, &error);
        let (family, puzzle) = self.registry.puzzle(spec).map_err(refused)?;
        let sources = [&suite.generator, &suite.file, &suite.deals];
        if sources.iter().filter(|s| s.is_some()).count() != 1 {
            let message = format!(
                "the suite `{}` needs its instances from one of: `generator`, `file`, `deals`",
                suite.name.get_ref()
            );
            return Err(self.error(&suite.name.span(), message));
        }
        if let (Some(skip), None) = (&suite.skip, &suite.file) {
            let message = "`skip` leaves out the first instances of a `file`, which is not given";
            return Err(self.error(&skip.span(), message));
        }
        if let (Some(ids), None) = (&suite.ids, &suite.file) {
            let message = "`ids` names instances of a `file`, which is not given";
            return Err(self.error(&ids.span(), message));
        }
        let count = suite.count.as_ref();
        let source = if let Some(generator) = &suite.generator {
            let text = generator.get_ref();
            let refused = |error: SpecError| self.spec_error(generator, text, &error);
            family.generator(Some(text)).map_err(refused)?;
            if count.is_none() {
                let message = "a generator needs a `count` of instances";
                return Err(self.error(&generator.span(), message));
            }
            Source::Generator {
                spec: text.clone(),
                seed: suite.seed.unwrap_or(0),
                count: self.positive(count, 1)? as usize,
            }
        } else if let Some(file) = &suite.file {
            let count = match count {
                Some(_) => Some(self.positive(count, 1)? as usize),
                None => None,
            };
            Source::File {
                path: file.get_ref().clone(),
                ids: suite.ids.as_ref().map(|ids| ids.get_ref().clone()),
                skip: suite.skip.as_ref().map_or(0, |n| *n.get_ref() as usize),
                count,
            }
        } else {
            let place = suite.deals.as_ref().map_or(0..0, Spanned::span);
            let text = suite.deals.as_ref().map_or("", |d| d.get_ref());
            let (first, last) = units::range(text).map_err(|why| self.error(&place, why))?;
            // The first and the last tell of all between them.
            for number in [first, last] {
                match puzzle.deal(number) {
                    Some(Ok(_)) => {}
                    Some(Err(why)) => return Err(self.error(&place, why)),
                    None => {
                        let name = family.info.name;
                        let message = format!("{name} has no numbered deals ({first}..{last})");
                        return Err(self.error(&place, message));
                    }
                }
            }
            Source::Deals(first, last)
        };
        if let (Some(optimum), None) = (&suite.optimum, &suite.reference) {
            let message = "`optimum` names a column of `reference`, which is not given";
            return Err(self.error(&optimum.span(), message));
        }
        let owned = |name: &Option<Name>| name.as_ref().map(|n| n.get_ref().clone());
        let quick = match &suite.quick {
            Some(n) => Some(self.positive(Some(n), QUICK)? as usize),
            None => None,
        };
        let known = Known { family, unit: puzzle.unit() };
        let suite = Suite {
            name: suite.name.get_ref().clone(),
            puzzle: puzzle.spec(),
            source,
            mirrored: suite.mirrored.unwrap_or(false),
            subset: self.positive(suite.subset.as_ref(), SUBSET)? as usize,
            quick,
            origin: suite.origin.clone(),
            reference: owned(&suite.reference),
            optimum: owned(&suite.optimum),
        };
        Ok((suite, known))
    }
}
