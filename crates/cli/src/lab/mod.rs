//! `unriddle lab`: experiments, their results and reports.

pub(crate) mod args;
mod compare;
mod results;
mod run;
mod slurm;

use crate::{
    exit::{EXHAUSTED, Failure, INPUT, INTERNAL, UNSUPPORTED, USAGE, note},
    inputs,
    output::print,
};
use args::{Experiments, LabVerb};
use std::{
    io::BufReader,
    path::{Path, PathBuf},
};
use unriddle_catalog::Registry;
use unriddle_lab::{Experiment, LabError, Paper, Plan, Store, runner::worker};

pub(crate) fn run(registry: &Registry, verb: &LabVerb) -> Result<(), Failure> {
    match verb {
        LabVerb::Run(options) => match &options.slurm {
            Some(slurm) => slurm::submit(registry, options, slurm),
            None => run::run(registry, options),
        },
        LabVerb::Status(options) => slurm::status(registry, options),
        LabVerb::Report(options) => report(registry, options),
        LabVerb::Paper(options) => paper(registry, options),
        LabVerb::List(options) => results::list(options),
        LabVerb::Show(options) => results::show(options),
        LabVerb::Export(options) => results::export(options),
        LabVerb::Merge(options) => results::merge(options),
        LabVerb::Compare(options) => compare::run(registry, options),
        LabVerb::Migrate(options) => results::migrate(registry, options),
        LabVerb::Worker(options) => {
            let settings = worker::Settings {
                tables: inputs::cache_folder(options),
                threads: inputs::cores(),
                scratch: std::env::temp_dir(),
            };
            worker::serve(
                registry.clone(),
                settings,
                BufReader::new(std::io::stdin()),
                std::io::stdout(),
                || std::process::exit(i32::from(INTERNAL)),
            );
            Ok(())
        }
    }
}

/// The folder of the public data sets.
fn data_folder() -> Option<PathBuf> {
    std::env::var_os("UNRIDDLE_DATA").filter(|v| !v.is_empty()).map(PathBuf::from)
}

/// Reads all experiments with their instances, before any run.
fn plans(
    registry: &Registry,
    what: &Experiments,
    load: impl Fn(Experiment, Option<&Path>) -> Result<Plan, LabError>,
) -> Result<Vec<Plan>, Failure> {
    let data = data_folder();
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

/// The recorded runs of a plan, and the number of other recorded runs of the same experiment.
fn recorded(plan: &Plan, store: &Store) -> Result<(Vec<unriddle_lab::Row>, usize), Failure> {
    let mut rows = store.rows(&plan.experiment.name)?;
    let all = rows.len();
    let keys: std::collections::HashSet<_> = plan.tasks.iter().map(|task| task.key).collect();
    rows.retain(|row| keys.contains(&row.key));
    let apart = all - rows.len();
    Ok((rows, apart))
}

/// Prints the paths of files that were written.
fn list(paths: &[PathBuf]) -> Result<(), Failure> {
    paths.iter().try_for_each(|path| print(&format!("{}\n", path.display())))
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
            None => print(&unriddle_lab::report::tables(plan, &rows, apart))?,
            Some(folder) => {
                list(&unriddle_lab::report::report(plan, &rows, apart)?.write(folder)?)?;
            }
        }
    }
    Ok(())
}

/// The pages of papers. If one of several pages cannot be made, the others are.
fn paper(registry: &Registry, options: &args::Paper) -> Result<(), Failure> {
    let store = Store::open_existing(&options.database.database)?;
    let data = data_folder();
    let mut keys = Vec::new();
    for key in &options.papers {
        match key.as_str() {
            "all" => keys.extend(unriddle_lab::papers::keys(&options.folder)?),
            key => keys.push(key.to_owned()),
        }
    }
    // All papers are read before the first page is made.
    let papers = keys.iter().map(|key| Paper::read(&options.folder, key));
    let papers: Vec<Paper> = papers.collect::<Result<_, _>>()?;
    let mut codes = Vec::new();
    for paper in &papers {
        let page = match paper.page(registry, &|name| store.rows(name), data.as_deref()) {
            Ok(page) => page,
            Err(error) if papers.len() == 1 => return Err(error.into()),
            Err(error) => {
                let failure = Failure::from(error);
                note(&format!("skipped the page of {}: {}", paper.key, failure.message()));
                codes.push(failure.code);
                continue;
            }
        };
        match &options.output {
            None => print(&page.markdown)?,
            Some(folder) => list(&page.write(folder)?)?,
        }
    }
    match codes.iter().max() {
        None => Ok(()),
        Some(&code) => {
            let message = format!("{} of {} pages not made", codes.len(), papers.len());
            Err(Failure::new(code, message))
        }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        let code = match error {
            LabError::Usage(_) => USAGE,
            LabError::Unsolved(_) => EXHAUSTED,
            LabError::Worker(_) | LabError::Internal(_) => INTERNAL,
            LabError::Unsupported(_) | LabError::Device(_) => UNSUPPORTED,
            LabError::Text { .. }
            | LabError::File { .. }
            | LabError::Data(_)
            | LabError::Store(_) => INPUT,
        };
        Self::new(code, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_code_depends_on_the_cause() {
        let text = String::new;
        for (error, code) in [
            (LabError::Usage(text()), 2),
            (LabError::Unsolved(text()), 11),
            (LabError::Internal(text()), 30),
            (LabError::Worker(text()), 30),
            (LabError::Data(text()), 31),
            (LabError::Store(text()), 31),
            (LabError::Unsupported(text()), 32),
            (LabError::Device(text()), 32),
        ] {
            let name = format!("{error:?}");
            assert_eq!(Failure::from(error).code, code, "{name}");
        }
    }
}
