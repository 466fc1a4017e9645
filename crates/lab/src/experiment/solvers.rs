//! The solvers of an experiment: each entry, or each point of its grid, with its engine.

use super::{
    Engine, Limits, Solver, Suite, file,
    reader::{Known, Reader},
};
use crate::{error::LabError, reader::Name};
use std::path::Path;
use toml::Spanned;
use unriddle_catalog::{Role, Spec, SpecError, bind, registry};

impl Reader<'_> {
    pub(super) fn solvers(
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
            if !texts.iter().any(|t| t.as_ref().is_some_and(|t| t.get_ref().contains(&mark))) {
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
            // The grid first: its parameters may be parts of the values' names.
            let text = values.iter().fold(text.to_owned(), |text, (name, value)| {
                text.replace(&format!("{{{name}}}"), value)
            });
            self.values.fill(&text)
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
                    let presets = known[suite].family.declared().presets;
                    let presets = presets.iter().map(|p| p.name);
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
