//! `unriddle evolve` (weights of heuristics), `tune` (parameters of solvers), `train` (networks).

use crate::{
    args::{Train, Tune, shared::Learn},
    exit::{CANCELLED, Failure, TIME, USAGE},
    inputs,
    output::print,
    progress::{Display, Stages},
    ranks::{ranks, same},
    signal,
};
use std::{sync::mpsc, time::Duration};
use unriddle_catalog::{Cancel, Registry};
use unriddle_learn::{
    Event, Finished, RunContext, WorkError,
    evolve::{self, evolve},
    tune::{self, tune},
};

pub(crate) fn evolve_weights(registry: &Registry, options: &Learn) -> Result<(), Failure> {
    let puzzle = spec(registry, &options.puzzle)?;
    let recipe = evolve::Recipe::load(&options.recipe, registry)?;
    is_for(&spec(registry, &recipe.puzzle)?, &puzzle)?;
    same_recipe(&recipe.text)?;
    run(options, |means, _| evolve(&recipe, &options.run, means))
}

pub(crate) fn tune_parameters(registry: &Registry, options: &Tune) -> Result<(), Failure> {
    let Tune { learn, scale } = options;
    let puzzle = spec(registry, &learn.puzzle)?;
    let recipe = tune::Recipe::load(&learn.recipe, scale.as_deref(), registry)?;
    is_for(&spec(registry, &recipe.puzzle)?, &puzzle)?;
    same_recipe(&recipe.text)?;
    run(learn, |means, _| tune(&recipe, &learn.run, means))
}

/// Built without the training framework.
#[cfg(not(feature = "train"))]
pub(crate) fn train_network(_: &Registry, _: &Train) -> Result<(), Failure> {
    Err(Failure::new(
        crate::exit::UNSUPPORTED,
        "this program was built without training; build it with `cargo build --release --features train`",
    ))
}

#[cfg(feature = "train")]
pub(crate) fn train_network(registry: &Registry, options: &Train) -> Result<(), Failure> {
    use crate::progress::cache;
    use std::sync::Arc;
    use unriddle_lab::runner::machine;
    use unriddle_learn::train::{self, train};

    let Train { learn, device, solve_device, cache: tables } = options;
    let puzzle = spec(registry, &learn.puzzle)?;
    let display = Display::new();
    let jobs = learn.jobs.map_or_else(inputs::cores, usize::from);
    let tables_of_recipe = cache(tables, jobs, &display, &signal::cancel(), None);
    let recipe = train::Recipe::load(&learn.recipe, registry, &tables_of_recipe)?;
    display.clear();
    is_for(&spec(registry, &recipe.puzzle)?, &puzzle)?;
    same_recipe(&recipe.text)?;
    let machine = machine();
    run(learn, |means, display| {
        let tables = cache(tables, means.jobs, display, means.cancel, None);
        let means = train::TrainContext {
            run: means,
            machine: &machine,
            cache: &Arc::new(tables),
            device: (*device).into(),
            solve_device: solve_device.unwrap_or(*device).into(),
        };
        train(&recipe, &learn.run, means)
    })
}

/// Checks that all ranks read the same recipe.
///
/// # Errors
/// The recipes of two ranks differ.
fn same_recipe(text: &str) -> Result<(), Failure> {
    same("the recipe", text.as_bytes())
}

/// The spec of a puzzle with its parameters.
fn spec(registry: &Registry, puzzle: &str) -> Result<String, Failure> {
    inputs::puzzle(registry, puzzle)?;
    registry.normal_spec(puzzle).map_err(|error| Failure::spec("puzzle", &error))
}

/// Checks that a recipe is for the puzzle of the command line.
///
/// # Errors
/// The recipe is for another puzzle.
fn is_for(wanted: &str, name: &str) -> Result<(), Failure> {
    if name == wanted {
        return Ok(());
    }
    Err(Failure::new(USAGE, format!("the recipe is for {wanted}, not for {name}")))
}

/// Does work that can be cancelled, and cancels it after `time`. Returns also whether it did so.
fn in_time<R>(time: Option<Duration>, cancel: &Cancel, work: impl FnOnce() -> R) -> (R, bool) {
    let Some(time) = time else {
        return (work(), false);
    };
    let (done, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let clock = scope.spawn(move || {
            // The other end is dropped when the work is done.
            let is_up = ended.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
            if is_up {
                cancel.cancel();
            }
            is_up
        });
        let result = work();
        drop(done);
        (result, clock.join().unwrap_or(false))
    })
}

/// Runs with progress, until the end, a signal, or the end of its time.
fn run(
    options: &Learn,
    work: impl FnOnce(&RunContext<'_>, &Display) -> Result<Option<Finished>, WorkError>,
) -> Result<(), Failure> {
    let cancel = signal::cancel();
    let display = Display::new();
    let stages = Stages::new(&display);
    let means = RunContext {
        revision: &crate::identity().revision(),
        ranks: ranks(),
        jobs: options.jobs.map_or_else(inputs::cores, usize::from),
        cancel: &cancel,
        tell: &|event| match event {
            Event::Stage { name, pieces, done } => stages.resume(name, pieces, done),
            Event::Piece => stages.step(),
            Event::At { done, .. } => stages.at(done),
            Event::Note(line) => display.note(line),
        },
    };
    let (done, is_up) = in_time(options.time, &cancel, || work(&means, &display));
    display.clear();
    let Some(finished) = done? else {
        let folder = options.run.display();
        let (code, why) = if is_up { (TIME, "its time is up") } else { (CANCELLED, "cancelled") };
        let message = format!("{why}; the same command resumes from the checkpoint in {folder}");
        return Err(Failure::new(code, message));
    };
    print(&format!("{}: {}\n", finished.file.display(), finished.summary))
}
