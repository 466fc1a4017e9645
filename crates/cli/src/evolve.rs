//! `unriddle evolve`: weights of heuristics by (co)evolution.

use crate::{
    args::Evolve,
    exit::{CANCELLED, Failure, UNSUPPORTED, USAGE},
    inputs,
    progress::Display,
    signal,
};
use indicatif::ProgressBar;
use std::{
    io::Write as _,
    sync::{Mutex, PoisonError},
};
use unriddle_lab::evolve::{Event, FreeCellArena, Recipe, evolve};

/// Shows the stages: a bar on a terminal, a line for each generation everywhere.
struct Watch<'a> {
    display: &'a Display,
    bar: Mutex<Option<ProgressBar>>,
}

impl Watch<'_> {
    fn tell(&self, event: Event<'_>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Stage(name, trials) => {
                if let Some(bar) = bar.take() {
                    bar.finish_and_clear();
                }
                *bar = Some(self.display.trials(name, trials));
            }
            Event::Trial => {
                if let Some(bar) = &*bar {
                    bar.inc(1);
                }
            }
            Event::Generation(generation, round) => self.display.note(&format!(
                "generation {}: best {:.3}, mean {:.3}, {} of {} trials solved",
                generation.number + 1,
                generation.best,
                generation.mean,
                round.solved,
                round.trials
            )),
        }
    }
}

pub(crate) fn run(options: &Evolve) -> Result<(), Failure> {
    let (family, _) = inputs::puzzle(&options.puzzle)?;
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
    let watch = Watch {
        display: &display,
        bar: Mutex::new(None),
    };
    let revision = match env!("UNRIDDLE_DIRTY") {
        "yes" => concat!(env!("UNRIDDLE_REVISION"), " and changes"),
        _ => env!("UNRIDDLE_REVISION"),
    };
    let done = evolve(
        &recipe,
        &arena,
        &options.run,
        revision,
        jobs,
        &cancel,
        &|event| watch.tell(event),
    );
    display.clear();
    let Some(finished) = done? else {
        let folder = options.run.display();
        let message =
            format!("cancelled; the same command goes on from the last generation in {folder}");
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
