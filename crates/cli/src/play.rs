//! `unriddle play`: a game by hand with hints, or the playback of a solution, in the terminal.
//!
//! The terminal is restored in every case, also after a panic.

mod guide;
mod hand;
mod playback;
mod screen;

use crate::{
    args::Play,
    exit::{Failure, INPUT, UNSOLVABLE, USAGE, code_of, refused},
    inputs::{self, Choice},
    progress::{self, Display},
    show, signal,
    solve::{budget, request},
    text,
};
use guide::Guide;
use hand::Hand;
use screen::Screen;
use std::io::{self, IsTerminal as _};
use unriddle_catalog::{AnyPuzzle, Instance, Registry, solve};

/// Solves an instance.
///
/// # Errors
/// No solution was found. The failure contains the reason.
fn solution(
    registry: &Registry,
    puzzle: &dyn AnyPuzzle,
    instance: &dyn Instance,
    choice: &Choice,
    options: &Play,
) -> Result<String, Failure> {
    let (cancel, display, limits) = (signal::cancel(), Display::new(), &options.limits);
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, None);
    let spec = choice.spec(instance)?;
    let request = request(registry, &spec, budget(limits, &cancel), limits, &cache);
    let (name, unit) = (puzzle.spec(), instance.unit());
    let record = solve(registry, "1", &name, instance, &request, &mut display.search(unit));
    display.clear();
    let record = record.map_err(Failure::solve)?;
    match (code_of(&record), record.solution.clone()) {
        (0, Some(solution)) => Ok(solution),
        (0, None) => {
            let why = record.reason.map_or(String::new(), |reason| format!(": {reason}"));
            Err(Failure::new(UNSOLVABLE, format!("proved unsolvable{why}")))
        }
        (code, _) => Err(Failure::new(code, text::lack(&record))),
    }
}

pub(crate) fn run(registry: &Registry, options: &Play) -> Result<(), Failure> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let message =
            "play needs a terminal; `unriddle show --solution … --at …` draws without one";
        return Err(Failure::new(USAGE, message));
    }
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let named = inputs::strict(family, &*puzzle, &options.instances)?;
    let instance = inputs::pick(named, options.id.as_deref())?;
    let cancel = signal::cancel();
    let broken = |error: io::Error| Failure::new(INPUT, format!("the terminal fails: {error}"));
    let by_hand = !options.watch && options.solution.is_none();
    if let Some(game) = instance.game().filter(|_| by_hand) {
        let guide = Guide {
            registry,
            puzzle: &*puzzle,
            choice: &choice,
            limits: &options.limits,
            cache: &options.cache,
        };
        let _screen = Screen::enter().map_err(broken)?;
        return Hand::new(game, family.aim, puzzle.unit()).play(&guide, &cancel).map_err(broken);
    }
    let solution = match &options.solution {
        Some(solution) => solution.clone(),
        None => solution(registry, &*puzzle, &*instance, &choice, options)?,
    };
    let frames = instance
        .frames(&solution, show::text_style())
        .map_err(|error| refused("solution", &error))?;
    let _screen = Screen::enter().map_err(broken)?;
    playback::watch(&frames, &cancel).map_err(broken)
}
