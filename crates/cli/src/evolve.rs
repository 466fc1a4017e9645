//! `unriddle evolve`: weights of heuristics by (co)evolution.

use crate::{
    args::Evolve,
    exit::{CANCELLED, Failure, USAGE},
    inputs,
    progress::{Display, Stages},
    signal,
};
use std::io::Write as _;
use unriddle_catalog::Registry;
use unriddle_learn::evolve::{Event, Recipe, Trials, evolve};

fn show(stages: &Stages<'_>, event: Event<'_>) {
    match event {
        Event::Stage(name, trials) => stages.begin(name, trials),
        Event::Trial => stages.step(),
        Event::Generation(generation, round) => stages.note(&format!(
            "generation {}: best {:.3}, mean {:.3}, {} of {} trials solved",
            generation.number + 1,
            generation.best,
            generation.mean,
            round.solved,
            round.trials
        )),
    }
}

pub(crate) fn run(registry: &Registry, options: &Evolve) -> Result<(), Failure> {
    let (_, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let recipe = Recipe::load(&options.recipe)?;
    let (_, wanted) = inputs::puzzle(registry, &recipe.puzzle)?;
    let (name, wanted) = (puzzle.spec(), wanted.spec());
    if name != wanted {
        let message = format!("the recipe is for {wanted}, not for {name}");
        return Err(Failure::new(USAGE, message));
    }
    let arena = Trials::new(&recipe, registry)?;
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from);
    let cancel = signal::cancel();
    let display = Display::new();
    let stages = Stages::new(&display);
    let done = evolve(
        &recipe,
        &arena,
        &options.run,
        crate::REVISION,
        jobs,
        &cancel,
        &|event| show(&stages, event),
    );
    display.clear();
    let Some(finished) = done? else {
        let folder = options.run.display();
        let message = format!("cancelled; the same command goes on from what was kept in {folder}");
        return Err(Failure::new(CANCELLED, message));
    };
    let (ours, baseline) = finished.solved;
    writeln!(
        std::io::stdout(),
        "{}: fitness {:.4} on the {} training instances, {ours} solved (baseline {baseline})",
        finished.weights.display(),
        finished.fitness,
        finished.instances
    )
    .map_err(|error| Failure::output(&error))
}
