//! The requested solver.

use super::text;
use crate::{
    args::shared::Solver,
    exit::{Failure, UNSUPPORTED, USAGE},
};
use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};
use unriddle_catalog::{Aim, Family, Info, Instance, Role, Spec, bind, registry};

/// The requested solver: a spec for all instances, or a preset that each instance expands.
pub(crate) struct Choice {
    wanted: Wanted,
    /// Declarations of everything that a spec may name, for filling in defaults.
    infos: Vec<&'static Info>,
    /// The last spec of a preset with its expansion. The next instance mostly has the same spec.
    last: Mutex<Option<(Spec, Spec)>>,
}

enum Wanted {
    Spec(Spec),
    Preset(String),
    /// A search that improves solutions, built around the solver of the named preset.
    Improving(Aim, &'static str),
}

/// Search that improves solutions of an aim by means of `solver`, if there is such a search.
fn improving(aim: Aim, solver: &Spec) -> Option<Spec> {
    let spec = match aim {
        Aim::Cost => format!("windows({solver})"),
        Aim::Score => "lns(nrpa)".to_owned(),
        Aim::Assignment => return None,
    };
    Spec::parse(&spec).ok()
}

impl Choice {
    pub(crate) fn new(options: &Solver, family: &Family) -> Result<Self, Failure> {
        let infos = registry::expressions(family);
        if let Some(text) = &options.solver {
            let path = Path::new(text);
            let is_file = path.extension().is_some_and(|e| e == "toml");
            let (what, spec) = if is_file {
                (text.as_str(), Spec::from_toml(&text::read(path)?))
            } else {
                ("solver", Spec::parse(text))
            };
            // All errors in the spec are found before any search.
            let spec = spec.and_then(|spec| bind::expand(&infos, Role::Search, &spec));
            let spec = spec.map_err(|error| {
                Failure::spec(what, &if is_file { error.of_file() } else { error })
            })?;
            return Ok(Self { wanted: Wanted::Spec(spec), infos, last: Mutex::default() });
        }
        let presets = family.declared().presets;
        let known: Vec<&'static str> = presets.iter().map(|preset| preset.name).collect();
        let name = options.preset.as_deref().or(known.first().copied()).unwrap_or("default");
        if !known.contains(&name) {
            let nearest = bind::nearest(name, &known);
            let nearest = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let message = format!(
                "`{}` has no preset `{name}`{nearest} (known: {})",
                family.info.name,
                known.join(", ")
            );
            return Err(Failure::new(USAGE, message));
        }
        Ok(Self { wanted: Wanted::Preset(name.to_owned()), infos, last: Mutex::default() })
    }

    /// The solver that improves solutions: the requested one, or a search around the puzzle's
    /// default solver.
    ///
    /// # Errors
    /// The requested solver or preset is invalid.
    pub(crate) fn improving(options: &Solver, family: &Family) -> Result<Self, Failure> {
        let mut choice = Self::new(options, family)?;
        if options.solver.is_some() || options.preset.is_some() {
            return Ok(choice);
        }
        let presets = family.declared().presets;
        let first = presets.first().map_or("default", |preset| preset.name);
        choice.wanted = Wanted::Improving(family.aim, first);
        Ok(choice)
    }

    /// The spec for an instance, with all defaults filled in.
    pub(crate) fn spec(&self, instance: &dyn Instance) -> Result<Spec, Failure> {
        match &self.wanted {
            Wanted::Spec(spec) => Ok(spec.clone()),
            Wanted::Preset(name) => self.of_preset(name, instance, Some),
            Wanted::Improving(aim, name) => {
                self.of_preset(name, instance, |spec| improving(*aim, &spec))
            }
        }
    }

    /// Applies `made` to the spec of a preset, and fills in all defaults.
    fn of_preset(
        &self,
        name: &str,
        instance: &dyn Instance,
        made: impl Fn(Spec) -> Option<Spec>,
    ) -> Result<Spec, Failure> {
        let spec = instance.preset(name).and_then(made).ok_or_else(|| {
            let message = format!("the preset `{name}` has no solver for this instance");
            Failure::new(UNSUPPORTED, message)
        })?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, expansion)) = last.as_ref().filter(|(known, _)| *known == spec) {
            return Ok(expansion.clone());
        }
        let expansion = bind::expand(&self.infos, Role::Search, &spec)
            .map_err(|error| Failure::spec(&format!("preset {name}"), &error))?;
        *last = Some((spec, expansion.clone()));
        Ok(expansion)
    }
}
