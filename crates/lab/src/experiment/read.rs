//! From the text of an experiment to the experiment: everything that can be wrong is found here.

use super::{
    Experiment, Limits, Quick, Source, Suite, file,
    reader::{Known, Reader},
};
use crate::{error::LabError, reader::Amount};
use std::{collections::BTreeSet, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Registry, SpecError, units,
    work::{Fields, Reading, Table},
};

/// Default number of instances that represent a suite until all are done.
const SUBSET: usize = 50;
/// Default number of instances of a quick run.
const QUICK: usize = 5;

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

    /// Validates the text of the experiment in the file `path`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(path: &Path, text: &str, registry: &Registry) -> Result<Self, LabError> {
        let reader = Reader::new(path, text, registry);
        let reading = Reading::new(reader.reader, registry);
        if Table::parse(&reading)?.has("base") {
            return variant(&reader);
        }
        let file = reader.form()?;
        reader.experiment(&file)
    }
}

/// The experiment of a variant: its base with other values.
fn variant(own: &Reader<'_>) -> Result<Experiment, LabError> {
    let variant: file::Variant = own.form()?;
    let folder = own.path.parent().unwrap_or(Path::new(""));
    let path = folder.join(variant.base.get_ref());
    let shown = path.display();
    let text = std::fs::read_to_string(&path)
        .map_err(|error| own.error(&variant.base.span(), format!("{shown}: {error}")))?;
    let base_reader = Reader::new(&path, &text, own.registry);
    let mut base: file::File = base_reader.form()?;
    let names: Vec<String> = base.values.keys().cloned().collect();
    for (name, value) in variant.values {
        let Some(old) = base.values.get_mut(&name) else {
            let known = names.join(", ");
            let message = format!("{shown} has no value `{name}` (known: {known})");
            return Err(own.error(&value.span(), message));
        };
        *old = value;
    }
    base.title = variant.title.unwrap_or(base.title);
    base.scale = variant.scale.or(base.scale);
    base.notes.splice(0..0, variant.notes);
    let experiment = base_reader.experiment(&base)?;
    Ok(Experiment { name: own.name()?, path: own.path.to_owned(), ..experiment })
}

impl Reader<'_> {
    /// The fields of the file.
    fn form<T: Fields>(&self) -> Result<T, LabError> {
        let reading = Reading::new(self.reader, self.registry);
        let mut table = Table::parse(&reading)?;
        let form = if table.has("hypothesis") {
            table.maybe::<toml::Value>("hypothesis");
            let message = "`hypothesis` has become `[[claim]]`: a `text`, and a `[[claim.test]]` that decides it \
                           (experiments/README.md)";
            table.wrong_at("hypothesis", message)
        } else {
            T::read_all(&mut table)
        };
        drop(table);
        reading.end(form)
    }

    fn experiment(mut self, file: &file::File) -> Result<Experiment, LabError> {
        let values = file.values.iter();
        self.values = values.map(|(name, value)| (name.clone(), value.get_ref().text())).collect();
        let name = self.name()?;
        let common = self.limits(&file.limits)?;
        for suite in &file.suite {
            self.unique("suite", &suite.name, self.suites.iter().map(|s| s.name.as_str()))?;
            let (suite, known) = self.read_suite(suite)?;
            self.suites.push(suite);
            self.known.push(known);
        }
        if self.suites.is_empty() {
            return Err(self.error(&(0..0), "there is no [[suite]]"));
        }
        self.solvers = self.solvers(&file.solver, &common)?;
        self.attributes = self.attributes(&file.attribute)?;
        self.classes = file.classes.as_ref().map(|c| self.classes(c)).transpose()?;
        let tables = file.table.iter().map(|t| self.table(t)).collect::<Result<Vec<_>, _>>()?;
        let plots = file.plot.iter().map(|p| self.plot(p)).collect::<Result<Vec<_>, _>>()?;
        let compare =
            file.compare.iter().map(|c| self.compare(c)).collect::<Result<Vec<_>, _>>()?;
        let claims = self.claims(&file.claim)?;
        self.one_measure(file, &tables, &plots, &compare)?;
        let seeds = match (&file.seeds, &file.repetitions) {
            (Some(_), Some(repetitions)) => {
                let message = "`seeds` and `repetitions` have the same meaning: delete one of them";
                return self.refuse(repetitions, message);
            }
            (Some(seeds), None) => {
                let unique: BTreeSet<_> = seeds.get_ref().iter().collect();
                if unique.len() != seeds.get_ref().len() || unique.is_empty() {
                    return self.refuse(seeds, "expected seeds, each once");
                }
                seeds.get_ref().clone()
            }
            (None, repetitions) => (0..repetitions.as_ref().map_or(1, |n| *n.get_ref())).collect(),
        };
        Ok(Experiment {
            name,
            path: self.path.to_owned(),
            title: self.fill(&file.title),
            claims,
            scale: file.scale.as_ref().map(|scale| self.fill(scale)),
            notes: file.notes.iter().map(|n| self.fill(n)).collect(),
            seeds,
            threads: file.threads,
            device: file.device,
            tables,
            plots,
            compare,
            quick: Quick {
                instances: file.quick.instances.unwrap_or(QUICK),
                seeds: file.quick.seeds,
                limits: self.limits(&file.quick.limits)?,
            },
            is_quick: false,
            registry: self.registry.clone(),
            suites: self.suites,
            solvers: self.solvers,
            attributes: self.attributes,
            classes: self.classes,
        })
    }

    /// The experiment's name: the name of its file without extension.
    pub(super) fn name(&self) -> Result<String, LabError> {
        let stem = self.path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if stem.is_empty() || !stem.chars().all(fits) {
            let message = "the name of an experiment's file is made of letters, digits, - and _";
            return Err(LabError::file(self.path, &message));
        }
        Ok(stem.to_owned())
    }

    pub(super) fn limits(&self, limits: &file::Limits) -> Result<Limits, LabError> {
        Ok(Limits {
            time: self.limit(&limits.time, units::duration)?,
            cpu: self.limit(&limits.cpu, units::duration)?,
            memory: self.limit(&limits.memory, units::bytes)?,
            expansions: self.limit(&limits.expansions, units::count)?,
            generated: self.limit(&limits.generated, units::count)?,
            resident: self.limit(&limits.resident, units::bytes)?,
            hang: self.limit(&limits.hang, units::duration)?,
        })
    }

    fn limit<T>(
        &self,
        given: &Option<Spanned<Amount>>,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, LabError> {
        let Some(amount) = given else {
            return Ok(None);
        };
        let limit = parse(&self.fill(&amount.get_ref().text()));
        limit.map(Some).map_err(|why| self.error(&amount.span(), why))
    }

    fn read_suite(&self, suite: &file::Suite) -> Result<(Suite, Known), LabError> {
        let spec = suite.puzzle.get_ref();
        let refused = |error: SpecError| self.spec_error(&suite.puzzle, spec, &error);
        let (family, puzzle) = self.registry.puzzle(spec).map_err(refused)?;
        let source = match (&suite.generator, &suite.file, &suite.deals) {
            (Some(generator), None, None) => {
                let text = generator.get_ref();
                let refused = |error: SpecError| self.spec_error(generator, text, &error);
                family.generator(Some(text)).map_err(refused)?;
                let Some(count) = suite.count else {
                    return self.refuse(generator, "a generator needs a `count` of instances");
                };
                Source::Generator { spec: text.clone(), seed: suite.seed.unwrap_or(0), count }
            }
            (None, Some(file), None) => Source::File {
                path: file.get_ref().clone(),
                ids: suite.ids.as_ref().map(|ids| ids.get_ref().clone()),
                skip: suite.skip.as_ref().map_or(0, |n| *n.get_ref() as usize),
                count: suite.count,
            },
            (None, None, Some(deals)) => {
                let range = units::range(deals.get_ref());
                let (first, last) = range.map_err(|why| self.error(&deals.span(), why))?;
                // If the first and the last deal exist, all deals between them exist.
                for number in [first, last] {
                    let deal = puzzle.deal(number).unwrap_or_else(|| {
                        let name = family.info.name;
                        Err(format!("{name} has no numbered deals ({first}..{last})"))
                    });
                    deal.map_err(|why| self.error(&deals.span(), why))?;
                }
                Source::Deals(first, last)
            }
            _ => {
                let message = format!(
                    "the suite `{}` needs its instances from one of: `generator`, `file`, `deals`",
                    suite.name.get_ref()
                );
                return self.refuse(&suite.name, message);
            }
        };
        if let (Some(skip), None) = (&suite.skip, &suite.file) {
            let message = "`skip` leaves out the first instances of a `file`, which is not given";
            return self.refuse(skip, message);
        }
        if let (Some(ids), None) = (&suite.ids, &suite.file) {
            let message = "`ids` names instances of a `file`, which is not given";
            return self.refuse(ids, message);
        }
        if let (Some(optimum), None) = (&suite.optimum, &suite.reference) {
            let message = "`optimum` names a column of `reference`, which is not given";
            return self.refuse(optimum, message);
        }
        let read = Suite {
            name: suite.name.get_ref().clone(),
            puzzle: self.registry.normal_spec(spec).map_err(refused)?,
            source,
            mirrored: suite.mirrored.unwrap_or(false),
            subset: suite.subset.unwrap_or(SUBSET),
            quick: suite.quick,
            origin: suite.origin.clone(),
            reference: suite.reference.clone(),
            optimum: suite.optimum.as_ref().map(|name| name.get_ref().clone()),
        };
        Ok((read, Known { family, unit: puzzle.unit() }))
    }
}
