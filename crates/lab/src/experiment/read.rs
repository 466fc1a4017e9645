//! From the text of an experiment to the experiment: everything that can be wrong is found here.

use super::{
    Experiment, Limits, Quick, Source, Suite, file,
    reader::{Everything, Known, Measured, Reader},
    values::Values,
};
use crate::{error::LabError, reader::Amount};
use std::{collections::BTreeSet, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Aim, Registry, SpecError, units,
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
                let message = "`seeds` and `repetitions` have the same meaning: delete one of them";
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
            (None, repetitions) => (0..repetitions.as_ref().map_or(1, |n| *n.get_ref())).collect(),
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
            threads: file.threads,
            device: file.device,
            attributes,
            classes,
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
        let source = if let Some(generator) = &suite.generator {
            let text = generator.get_ref();
            let refused = |error: SpecError| self.spec_error(generator, text, &error);
            family.generator(Some(text)).map_err(refused)?;
            let Some(count) = suite.count else {
                let message = "a generator needs a `count` of instances";
                return Err(self.error(&generator.span(), message));
            };
            Source::Generator { spec: text.clone(), seed: suite.seed.unwrap_or(0), count }
        } else if let Some(file) = &suite.file {
            Source::File {
                path: file.get_ref().clone(),
                ids: suite.ids.as_ref().map(|ids| ids.get_ref().clone()),
                skip: suite.skip.as_ref().map_or(0, |n| *n.get_ref() as usize),
                count: suite.count,
            }
        } else {
            let place = suite.deals.as_ref().map_or(0..0, Spanned::span);
            let text = suite.deals.as_ref().map_or("", |d| d.get_ref());
            let (first, last) = units::range(text).map_err(|why| self.error(&place, why))?;
            // If the first and the last deal exist, all deals between them exist.
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
        let known = Known { family, unit: puzzle.unit() };
        let suite = Suite {
            name: suite.name.get_ref().clone(),
            puzzle: puzzle.spec(),
            source,
            mirrored: suite.mirrored.unwrap_or(false),
            subset: suite.subset.unwrap_or(SUBSET),
            quick: suite.quick,
            origin: suite.origin.clone(),
            reference: suite.reference.clone(),
            optimum: suite.optimum.as_ref().map(|name| name.get_ref().clone()),
        };
        Ok((suite, known))
    }
}
