//! The solvers of an experiment: each entry, or each point of its grid, with its engine.

use super::{
    Engine, Limits, Solver, file,
    reader::{Choice, Reader, filled},
};
use crate::error::LabError;
use std::path::Path;
use toml::Spanned;
use unriddle_catalog::{Role, Spec, SpecError, bind, registry};

impl Reader<'_> {
    pub(super) fn solvers(
        &self,
        entries: &[file::Solver],
        common: &Limits,
    ) -> Result<Vec<Solver>, LabError> {
        let mut solvers: Vec<Solver> = Vec::new();
        for entry in entries {
            let suites = self.several_suites(entry.suites.as_deref())?;
            let limits = self.limits(&entry.limits)?.or(common);
            let base = entry.name.get_ref();
            for values in self.grid(entry)? {
                let parts: Vec<_> = values.iter().map(|(n, v)| format!("{n}={v}")).collect();
                let name = match &parts[..] {
                    [] => base.clone(),
                    _ => format!("{base}, {}", parts.join(", ")),
                };
                let spanned = Spanned::new(entry.name.span(), name.clone());
                self.unique("solver", &spanned, solvers.iter().map(|s| s.name.as_str()))?;
                solvers.push(Solver {
                    name,
                    engine: self.engine(entry, &values, &suites)?,
                    suites: suites.clone(),
                    limits: limits.clone(),
                    is_optimum: entry.optimum,
                    grid: (!values.is_empty()).then(|| (base.clone(), values)),
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

    /// Parameters' values of a solver, or of all solvers of a grid.
    fn grid(&self, entry: &file::Solver) -> Result<Vec<Choice>, LabError> {
        let mut all = vec![Choice::new()];
        for axis in &entry.grid {
            let name = axis.name.get_ref();
            all = self.choices(&all, name, &axis.values)?;
            let mark = format!("{{{name}}}");
            let mut texts = [&entry.spec, &entry.preset].into_iter().flatten();
            if !texts.any(|text| text.get_ref().contains(&mark)) {
                let message = format!("the solver's spec does not use {mark}");
                return self.refuse(&axis.name, message);
            }
        }
        Ok(all)
    }

    fn engine(
        &self,
        entry: &file::Solver,
        values: &Choice,
        on: &[usize],
    ) -> Result<Engine, LabError> {
        // The grid first: its parameters may be parts of the values' names.
        let fill =
            |text| self.fill(&filled(text, values.iter().map(|(name, value)| (name, value))));
        match (&entry.spec, &entry.preset, &entry.peer) {
            (Some(spec), None, None) => {
                let text = fill(spec.get_ref());
                let refused = |error: SpecError| self.spec_error(spec, &text, &error);
                let parsed = Spec::parse(&text).map_err(refused)?;
                let mut expanded = parsed.clone();
                for &suite in on {
                    let infos = registry::expressions(self.known[suite].family);
                    expanded = bind::expand(&infos, Role::Search, &parsed).map_err(refused)?;
                }
                Ok(Engine::Spec(expanded.to_string()))
            }
            (None, Some(preset), None) => {
                let name = Spanned::new(preset.span(), fill(preset.get_ref()));
                for &suite in on {
                    let presets = self.known[suite].family.declared().presets;
                    self.index("preset", &name, presets.iter().map(|p| p.name))?;
                }
                Ok(Engine::Preset(name.into_inner()))
            }
            (None, None, Some(peer)) => {
                let path = self.path.parent().unwrap_or(Path::new("")).join(peer.get_ref());
                match path.is_file() {
                    true => Ok(Engine::Peer(path)),
                    false => self.refuse(peer, format!("there is no file {}", path.display())),
                }
            }
            _ => self.refuse(&entry.name, "a solver is one of: `spec`, `preset`, `peer`"),
        }
    }
}
