//! `unriddle tune`: parameters of solvers by the Cross-Entropy Method.

use crate::{
    args::Tune,
    exit::{CANCELLED, Failure, USAGE},
    inputs,
    progress::{Display, Stages},
    signal,
};
use std::io::Write as _;
use unriddle_catalog::{Registry, units::show_count};
use unriddle_learn::tune::{Event, Recipe, tune};

fn show(stages: &Stages<'_>, event: Event<'_>) {
    match event {
        Event::Stage(name, games) => stages.begin(name, games),
        Event::Game => stages.step(),
        Event::Iteration(round) => {
            let fitness = &round.iteration.fitness;
            let pace = round.nodes as f64 / round.cpu.as_secs_f64().max(1e-6);
            stages.note(&format!(
                "iteration {}: mean {:.1}, elite from {:.1}, best {:.1}; {}; {} nodes a CPU second",
                fitness.number + 1,
                fitness.mean,
                round.iteration.threshold,
                fitness.best,
                round.state,
                show_count(pace as u64)
            ));
        }
    }
}

pub(crate) fn run(registry: &Registry, options: &Tune) -> Result<(), Failure> {
    let (_, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let recipe = Recipe::load(&options.recipe, options.scale.as_deref(), registry)?;
    let (_, wanted) = inputs::puzzle(registry, &recipe.puzzle)?;
    let (name, wanted) = (puzzle.spec(), wanted.spec());
    if name != wanted {
        let message = format!("the recipe is for {wanted}, not for {name}");
        return Err(Failure::new(USAGE, message));
    }
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from);
    let cancel = signal::cancel();
    let display = Display::new();
    let stages = Stages::new(&display);
    let done = tune(
        &recipe,
        &options.run,
        crate::REVISION,
        jobs,
        &cancel,
        &|event| show(&stages, event),
    );
    display.clear();
    let Some(finished) = done? else {
        let folder = options.run.display();
        let message = format!("cancelled; the same command goes on from the last game in {folder}");
        return Err(Failure::new(CANCELLED, message));
    };
    writeln!(
        std::io::stdout(),
        "{}: mean {} {:.1} in the last iteration\n{}",
        finished.preset.display(),
        recipe.measure(),
        finished.mean,
        finished.solver
    )
    .map_err(|error| Failure::output(&error))
}
