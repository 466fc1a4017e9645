//! `unriddle train`: networks that estimate what is left to the goal.

use crate::{args::Train, exit::Failure};
use unriddle_catalog::Registry;

/// Built without the training framework.
#[cfg(not(feature = "train"))]
pub(crate) fn run(_: &Registry, _: &Train) -> Result<(), Failure> {
    Err(Failure::new(
        crate::exit::UNSUPPORTED,
        "this program was built without training; build it with `cargo build --release --features train`",
    ))
}

#[cfg(feature = "train")]
pub(crate) fn run(registry: &Registry, options: &Train) -> Result<(), Failure> {
    use crate::{
        exit::{CANCELLED, UNSUPPORTED},
        inputs,
        progress::{self, Display, Stages},
        signal,
    };
    use std::io::Write as _;
    use unriddle_lab::runner::machine;
    use unriddle_learn::train::{Event, Means, PUZZLE, Recipe, train};

    let (family, _) = inputs::puzzle(registry, &options.puzzle)?;
    if family.info.name != PUZZLE {
        let message = format!("nothing of {} is trained yet", family.info.name);
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let recipe = Recipe::load(&options.recipe)?;
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from);
    let cancel = signal::cancel();
    let display = Display::new();
    let folder = inputs::cache_folder(&options.cache.folder);
    let policy = inputs::policy(&options.cache);
    let cache = progress::cache(folder, jobs, policy, &display, &cancel, None);
    let run = &options.run;
    let stages = Stages::new(&display);
    let known = std::cell::Cell::new("");
    let tell = |event: Event<'_>| show(&stages, &known, event);
    let machine = machine();
    let means = Means {
        revision: crate::REVISION,
        machine: &machine,
        cache: &cache,
        jobs,
        device: options.device.into(),
        cancel: &cancel,
    };
    let done = train(&recipe, run, means, &tell);
    display.clear();
    let Some(finished) = done? else {
        let message = format!(
            "cancelled; the same command goes on from the last checkpoint in {}",
            run.display()
        );
        return Err(Failure::new(CANCELLED, message));
    };
    writeln!(std::io::stdout(), "{}", finished.model.display())
        .map_err(|error| Failure::output(&error))
}

/// Shows what a run tells: bars on a terminal, lines of the log everywhere.
#[cfg(feature = "train")]
fn show(
    stages: &crate::progress::Stages<'_>,
    known: &std::cell::Cell<&'static str>,
    event: unriddle_learn::train::Event<'_>,
) {
    use unriddle_catalog::units::show_count;
    use unriddle_learn::train::Event;

    let at = |stage: &'static str, done: u64, all: u64| {
        if known.replace(stage) != stage {
            stages.resume(stage, all as usize, done);
        }
        stages.at(done);
    };
    match event {
        Event::Examples(done, all) => at("examples solved", done, all),
        Event::Progress(done, all, pace) => {
            at("examples learned", done, all);
            stages.say(&format!(
                "examples learned, {} a second",
                show_count(pace as u64)
            ));
        }
        Event::Line(line) => {
            let error = line.error.map(|error| format!(", error {error:.3}"));
            let steps = line.steps.map(|steps| format!(", walks of {steps} steps"));
            let solved: Vec<String> = line
                .solved
                .iter()
                .map(|s| format!("{:.0}", 100.0 * s))
                .collect();
            stages.note(&format!(
                "{} examples: loss {:.4}{}, {} renewals{}; greedy solves {} % of walks",
                show_count(line.examples),
                line.loss,
                error.unwrap_or_default(),
                line.renewals,
                steps.unwrap_or_default(),
                solved.join("/")
            ));
        }
        Event::Unwritten(why) => {
            stages.note(&format!("no checkpoint: {why}; the one before is kept"));
        }
    }
}
