//! `unriddle evolve`: weights of heuristics by (co)evolution.

use crate::{
    args::Evolve,
    exit::{CANCELLED, Failure, UNSUPPORTED, USAGE},
    inputs,
    progress::{Display, Stages},
    signal,
};
use std::io::Write as _;
use unriddle_catalog::Registry;
use unriddle_lab::evolve::{Event, FreeCellArena, Recipe, evolve};

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
    let (family, _) = inputs::puzzle(registry, &options.puzzle)?;
    let name = family.info.name;
    let recipe = Recipe::load(&options.recipe)?;
    if recipe.puzzle != name {
        let message = format!("the recipe is for {}, not for {name}", recipe.puzzle);
        return Err(Failure::new(USAGE, message));
    }
    if name != "freecell" {
        let message = format!("nothing of {name} evolves");
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let arena = FreeCellArena::new(&recipe)?;
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
