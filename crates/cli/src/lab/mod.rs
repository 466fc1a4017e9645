//! `unriddle lab`: experiments, their results and reports.

pub(crate) mod args;
mod results;
mod run;

use crate::{
    exit::{Failure, INPUT, INTERNAL, UNSUPPORTED, USAGE},
    inputs,
};
use args::{Experiments, Lab, LabVerb};
use std::{
    io::{BufReader, Write as _},
    path::{Path, PathBuf},
};
use unriddle_catalog::Registry;
use unriddle_lab::{Experiment, LabError, Plan, Store, runner::worker};

pub(crate) fn run(registry: &Registry, options: &Lab) -> Result<(), Failure> {
    match &options.verb {
        LabVerb::Run(options) => run::run(registry, options),
        LabVerb::Report(options) => report(registry, options),
        LabVerb::List(options) => results::list(options),
        LabVerb::Show(options) => results::show(options),
        LabVerb::Export(options) => results::export(options),
        LabVerb::Merge(options) => results::merge(options),
        LabVerb::Worker(options) => {
            worker::serve(
                registry.clone(),
                BufReader::new(std::io::stdin()),
                std::io::stdout(),
                inputs::cache_folder(&options.cache),
                inputs::cores(),
                || std::process::exit(i32::from(INTERNAL)),
            );
            Ok(())
        }
    }
}

/// Reads experiments with their instances; all of them before anything is done.
fn plans(
    registry: &Registry,
    what: &Experiments,
    load: impl Fn(Experiment, Option<&Path>) -> Result<Plan, LabError>,
) -> Result<Vec<Plan>, Failure> {
    let data = std::env::var_os("UNRIDDLE_DATA")
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let mut plans: Vec<Plan> = Vec::new();
    for path in &what.experiments {
        let mut experiment = Experiment::read(path, registry)?;
        if let Some(twin) = plans.iter().find(|p| p.experiment.name == experiment.name) {
            let message = format!(
                "{} and {} have the same name",
                twin.experiment.path.display(),
                path.display()
            );
            return Err(Failure::new(USAGE, message));
        }
        if what.quick {
            experiment = experiment.quick();
        }
        plans.push(load(experiment, data.as_deref())?);
    }
    Ok(plans)
}

/// The recorded runs of a plan, and how many of its experiment's runs are no part of it.
fn recorded(plan: &Plan, store: &Store) -> Result<(Vec<unriddle_lab::Row>, usize), Failure> {
    let mut rows = store.rows(&plan.experiment.name)?;
    let all = rows.len();
    let keys: std::collections::HashSet<_> = plan.tasks.iter().map(|task| task.key).collect();
    rows.retain(|row| keys.contains(&row.key));
    let apart = all - rows.len();
    Ok((rows, apart))
}

fn report(registry: &Registry, options: &args::Report) -> Result<(), Failure> {
    let store = Store::open_existing(&options.what.database.database)?;
    let plans = plans(registry, &options.what, |experiment, data| {
        let rows = store.rows(&experiment.name)?;
        Plan::of_results(experiment, data, &rows)
    })?;
    for plan in &plans {
        let (rows, apart) = recorded(plan, &store)?;
        match &options.output {
            None => print(&unriddle_lab::report::tables(plan, &rows, apart)?)?,
            Some(folder) => {
                let report = unriddle_lab::report::report(plan, &rows, apart)?;
                for path in report.write(folder)? {
                    print(&format!("{}\n", path.display()))?;
                }
            }
        }
    }
    Ok(())
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output(&error))
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        let code = match error {
            LabError::Usage(_) => USAGE,
            LabError::Worker(_) => INTERNAL,
            LabError::Unsupported(_) => UNSUPPORTED,
            LabError::Text { .. }
            | LabError::File { .. }
            | LabError::Data(_)
            | LabError::Store(_) => INPUT,
        };
        Self::new(code, error.to_string())
    }
}
