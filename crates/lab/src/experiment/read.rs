//! From the text of an experiment to the experiment: everything that can be wrong is found here.

use super::{
    Engine, Experiment, Limits, Quick, Solver, Source, Suite, file,
    shown::{Everything, Measured},
};
use crate::{
    error::LabError,
    reader::{Name, Reader},
};
use std::{collections::BTreeSet, path::Path};
use toml::Spanned;
use unriddle_catalog::{
    Role, Spec, SpecError,
    bind::{self, bind, find},
    instance::Family,
    registry, units,
};

/// Instances that stand for all of a suite until all are done, unless the experiment says otherwise.
const SUBSET: u64 = 50;
/// Instances of a quick run, unless the experiment says otherwise.
const QUICK: u64 = 5;

impl Experiment {
    /// Reads and validates an experiment. Published figures are looked for in `data/references.toml` of
    /// the folders above the file.
    ///
    /// # Errors
    /// The file, line and column of whatever is wrong with it.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, &error))?;
        Self::parse(path, &text)
    }

    /// Validates the text of an experiment, which stands in the file of that path.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(path: &Path, text: &str) -> Result<Self, LabError> {
        let reader = Reader { path, text };
        reader.experiment(reader.toml()?)
    }
}

/// The puzzle of a suite, as far as validation needs it.
pub(super) struct Known {
    family: &'static Family,
    pub(super) unit: &'static str,
}

impl Reader<'_> {
    fn experiment(&self, file: file::File) -> Result<Experiment, LabError> {
        let name = self.name()?;
        if file.hypothesis.trim().is_empty() {
            return Err(self.error(&(0..0), "the hypothesis is empty: a sentence is expected"));
        }
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
        let attributes = self.attributes(&file.attribute)?;
        let measured = Measured {
            attributes: &attributes,
        };
        let classes = file.classes.as_ref();
        let classes = classes
            .map(|c| self.classes(c, &solvers, &measured))
            .transpose()?;
        let everything = Everything {
            suites: &suites,
            solvers: &solvers,
            classes: classes.as_ref(),
            measured: &measured,
        };
        let tables: Result<Vec<_>, _> = file
            .table
            .iter()
            .map(|t| self.table(t, &everything))
            .collect();
        let tables = tables?;
        let plots: Result<Vec<_>, _> = file
            .plot
            .iter()
            .map(|p| self.plot(p, &everything))
            .collect();
        let plots = plots?;
        let compare = self.compare(&file.compare, &everything)?;
        self.one_measure(&file, &known, &attributes, &tables, &plots, &compare)?;
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
            title: file.title,
            hypothesis: file.hypothesis,
            notes: file.notes,
            suites,
            solvers,
            seeds,
            threads: self.positive(file.threads.as_ref(), 1)?,
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
        })
    }

    /// The experiment's name is that of its file.
    fn name(&self) -> Result<String, LabError> {
        let stem = self
            .path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
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

    fn limits(&self, limits: &file::Limits) -> Result<Limits, LabError> {
        Ok(Limits {
            time: self.amount(limits.time.as_ref(), units::duration)?,
            cpu: self.amount(limits.cpu.as_ref(), units::duration)?,
            memory: self.amount(limits.memory.as_ref(), units::bytes)?,
            expansions: self.amount(limits.expansions.as_ref(), units::count)?,
            generated: self.amount(limits.generated.as_ref(), units::count)?,
            resident: self.amount(limits.resident.as_ref(), units::bytes)?,
            hang: self.amount(limits.hang.as_ref(), units::duration)?,
        })
    }

    fn suite(&self, suite: &file::Suite) -> Result<(Suite, Known), LabError> {
        let spec = suite.puzzle.get_ref();
        let (family, puzzle) =
            registry::puzzle(spec).map_err(|error| self.spec_error(&suite.puzzle, spec, &error))?;
        let sources = [&suite.generator, &suite.file, &suite.deals];
        if sources.iter().filter(|s| s.is_some()).count() != 1 {
            let message = format!(
                "the suite `{}` needs its instances from one of: `generator`, `file`, `deals`",
                suite.name.get_ref()
            );
            return Err(self.error(&suite.name.span(), message));
        }
        let count = suite.count.as_ref();
        let source = if let Some(generator) = &suite.generator {
            let text = generator.get_ref();
            let refused = |error: SpecError| self.spec_error(generator, text, &error);
            let spec = Spec::parse(text).map_err(refused)?;
            let info = find(family.generators, Role::Generator, &spec).map_err(refused)?;
            bind(info, &spec).map_err(refused)?;
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
        let known = Known {
            family,
            unit: puzzle.unit(),
        };
        let suite = Suite {
            name: suite.name.get_ref().clone(),
            puzzle: puzzle.spec(),
            source,
            subset: self.positive(suite.subset.as_ref(), SUBSET)? as usize,
            quick,
            origin: suite.origin.clone(),
            reference: owned(&suite.reference),
            optimum: owned(&suite.optimum),
        };
        Ok((suite, known))
    }

    fn solvers(
        &self,
        entries: &[file::Solver],
        suites: &[Suite],
        known: &[Known],
        common: &Limits,
    ) -> Result<Vec<Solver>, LabError> {
        let mut solvers: Vec<Solver> = Vec::new();
        for entry in entries {
            let on = self.suites(entry.suites.as_deref(), suites)?;
            let limits = self.limits(&entry.limits)?.or(common);
            for (name, values) in self.grid(entry)? {
                let spanned = Spanned::new(entry.name.span(), name.clone());
                self.unique("solver", &spanned, solvers.iter().map(|s| s.name.as_str()))?;
                let engine = self.engine(entry, &values, &on, known)?;
                solvers.push(Solver {
                    name,
                    engine,
                    suites: on.clone(),
                    limits: limits.clone(),
                    is_optimum: entry.optimum,
                    grid: (!values.is_empty()).then(|| (entry.name.get_ref().clone(), values)),
                });
            }
        }
        if solvers.is_empty() {
            return Err(self.error(&(0..0), "there is no [[solver]]"));
        }
        // The same runs under two names would be recorded once and shown twice.
        for (i, a) in solvers.iter().enumerate() {
            let twin = solvers[..i].iter().find(|b| {
                a.engine == b.engine
                    && a.limits.to_string() == b.limits.to_string()
                    && a.suites.iter().any(|s| b.suites.contains(s))
            });
            if let Some(b) = twin {
                let message = format!("the solvers `{}` and `{}` are the same", b.name, a.name);
                return Err(self.error(&(0..0), message));
            }
        }
        Ok(solvers)
    }

    /// Names and parameters' values of a solver, or of all solvers of a grid.
    #[allow(clippy::type_complexity)]
    fn grid(&self, entry: &file::Solver) -> Result<Vec<(String, Vec<(String, String)>)>, LabError> {
        let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for axis in &entry.grid {
            if axis.values.get_ref().is_empty() {
                return Err(self.error(&axis.values.span(), "expected at least one value"));
            }
            let name = axis.name.get_ref();
            let texts = [&entry.spec, &entry.preset];
            let mark = format!("{{{name}}}");
            if !texts
                .iter()
                .any(|t| t.as_ref().is_some_and(|t| t.get_ref().contains(&mark)))
            {
                let message = format!("the solver's spec does not use {mark}");
                return Err(self.error(&axis.name.span(), message));
            }
            all = all
                .into_iter()
                .flat_map(|before| {
                    axis.values.get_ref().iter().map(move |value| {
                        let mut values = before.clone();
                        values.push((name.clone(), value.text()));
                        values
                    })
                })
                .collect();
        }
        let base = entry.name.get_ref();
        Ok(all
            .into_iter()
            .map(|values| {
                let parts: Vec<_> = values.iter().map(|(n, v)| format!("{n}={v}")).collect();
                let name = match parts.is_empty() {
                    true => base.clone(),
                    false => format!("{base}, {}", parts.join(", ")),
                };
                (name, values)
            })
            .collect())
    }

    fn engine(
        &self,
        entry: &file::Solver,
        values: &[(String, String)],
        on: &[usize],
        known: &[Known],
    ) -> Result<Engine, LabError> {
        let fill = |text: &str| {
            values.iter().fold(text.to_owned(), |text, (name, value)| {
                text.replace(&format!("{{{name}}}"), value)
            })
        };
        match (&entry.spec, &entry.preset, &entry.peer) {
            (Some(spec), None, None) => {
                let text = fill(spec.get_ref());
                let refused = |error: SpecError| self.spec_error(spec, &text, &error);
                let parsed = Spec::parse(&text).map_err(refused)?;
                let mut expanded = parsed.clone();
                for &suite in on {
                    let infos = registry::expressions(known[suite].family);
                    expanded = bind::expand(&infos, Role::Search, &parsed).map_err(refused)?;
                }
                Ok(Engine::Spec(expanded.to_string()))
            }
            (None, Some(preset), None) => {
                let name = Spanned::new(preset.span(), fill(preset.get_ref()));
                for &suite in on {
                    let presets = known[suite].family.presets.iter().map(|p| p.name);
                    self.index("preset", &name, presets)?;
                }
                Ok(Engine::Preset(name.into_inner()))
            }
            (None, None, Some(peer)) => {
                let folder = self.path.parent().unwrap_or(Path::new(""));
                let path = folder.join(peer.get_ref());
                match path.is_file() {
                    true => Ok(Engine::Peer(path)),
                    false => {
                        let message = format!("there is no file {}", path.display());
                        Err(self.error(&peer.span(), message))
                    }
                }
            }
            _ => {
                let message = "a solver is one of: `spec`, `preset`, `peer`";
                Err(self.error(&entry.name.span(), message))
            }
        }
    }

    pub(super) fn suites(
        &self,
        names: Option<&[Name]>,
        suites: &[Suite],
    ) -> Result<Vec<usize>, LabError> {
        match names {
            None => Ok((0..suites.len()).collect()),
            Some(names) => names
                .iter()
                .map(|name| self.index("suite", name, suites.iter().map(|s| s.name.as_str())))
                .collect(),
        }
    }

    /// Indices of solvers by their names, or by the names of their grids.
    pub(super) fn several(
        &self,
        names: Option<&[Name]>,
        solvers: &[Solver],
    ) -> Result<Vec<usize>, LabError> {
        let Some(names) = names else {
            return Ok((0..solvers.len()).collect());
        };
        let mut found = Vec::new();
        for name in names {
            let of_grid = |s: &Solver| s.grid.as_ref().is_some_and(|(g, _)| g == name.get_ref());
            let before = found.len();
            found.extend((0..solvers.len()).filter(|&i| of_grid(&solvers[i])));
            if found.len() == before {
                found.push(self.one(name, solvers)?);
            }
        }
        Ok(found)
    }

    pub(super) fn one(&self, name: &Name, solvers: &[Solver]) -> Result<usize, LabError> {
        self.index("solver", name, solvers.iter().map(|s| s.name.as_str()))
    }
}
