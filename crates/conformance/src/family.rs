//! A whole puzzle as the catalogue knows it: generators, texts, presets, solutions, drawings, play.

use crate::{Violation, boards, claims::claim_holds, forms, subject::hold};
use std::{sync::Arc, time::Duration};
use unriddle_catalog::{
    Aim, AnyPuzzle, Budget, Family, Game, Instance, Record, Registry, Request, Rng, Spec, Status,
    Style, solve,
    tables::{Cache, Policy, cache::Event},
};
use unriddle_core::Steps;

/// Instances of each generator.
const INSTANCES: u64 = 3;
/// States near the goal on which declarations for networks are checked.
const NEAR: usize = 2000;
/// Greatest size of the tables of an input that is checked, in bytes.
const MOST_TABLES: u64 = 4 << 20;
/// States that a preset may expand: it need not come to an end.
const EXPANSIONS: u64 = 2_000;

/// Wall time of each preset on each of them.
const TIME: Duration = Duration::from_millis(500);
/// Entries of the largest table that is built: a preset that needs a larger one is stopped.
const ENTRIES: u64 = 1 << 20;
/// Actions of a random game.
const ACTIONS: usize = 50;
/// Texts that are hardly an instance of anything. They may be refused, and nothing worse.
const ODD: [&str; 8] = [
    "",
    " ",
    "\n\n",
    "\u{0}",
    "no instance at all",
    "-1 -2 -3",
    "99999999999999999999999999",
    "{\"\u{1f9e9}\": [1, ",
];

/// Checks a puzzle of the catalogue of any aim, with its default parameters, for the promises that
/// the command line relies on.
///
/// - A registry accepts the puzzle. Every generator makes the same text from the same seed, and the
///   puzzle parses the text.
/// - The example of each form in which people write instances is one instance.
/// - The text of an instance is parsed as the same instance. Arbitrary texts are rejected with line
///   and column.
/// - Every declared heuristic and upper bound keeps its claims: on the states around the first
///   instance of each generator and around a solution. A heuristic is left out if one of its
///   parameters has no default, if it does not fit the instance, or if its tables are large.
/// - Every preset has a valid solver. Its solutions are replayed, if possible by the independent
///   checker, and have the reported value. Bounds and values do not contradict each other.
/// - A solution is drawn state by state in every style. An invalid solution is rejected.
/// - Actions of a game can be played and undone, its position is a valid instance, and replaying a
///   solution ends the game with the solution's value.
/// - The board can be touched and edited, as [`boards::generated`] describes.
///
/// ```
/// # use unriddle_conformance::Violation;
/// # static FAMILIES: [&unriddle_catalog::Family; 0] = [];
/// // In the tests of a puzzle's crate: `family(&FAMILY)?`.
/// for puzzle in FAMILIES {
///     unriddle_conformance::family(puzzle)?;
/// }
/// # Ok::<(), Violation>(())
/// ```
///
/// # Errors
/// The first broken promise, with the generator or preset and the instance.
pub fn family(family: &'static Family) -> Result<(), Violation> {
    let name = family.info.name;
    let broken = |what: &str| Violation::new(what).with("puzzle", name);
    let registry = Registry::new([family])
        .map_err(|error| broken("a registry refuses the puzzle").with("error", error))?;
    let Some(puzzle) = family.default_puzzle() else {
        return Err(broken("a parameter of the puzzle has no default"));
    };
    hold(!puzzle.unit().is_empty(), || broken("the unit of the puzzle's values is empty"))?;
    odd_texts(&*puzzle).map_err(|found| found.with("puzzle", name))?;
    forms::examples(family).map_err(|found| found.with("puzzle", name))?;
    let small = |event: &Event<'_>| match event {
        Event::Building { entries } => *entries <= ENTRIES,
        _ => true,
    };
    let cache = Cache::new(None, 1, Policy::default());
    let cache = cache.with_observer(Box::new(move |_, event| small(event)));
    let mut instances = 0;
    for generator in family.generators() {
        for index in 0..INSTANCES {
            let Some(text) = generated(family, &*puzzle, generator.name, index)? else {
                continue;
            };
            let suite = Suite {
                registry: &registry,
                family,
                puzzle: &*puzzle,
                cache: &cache,
                generator: generator.name,
                text: &text,
            };
            let solution = suite.run()?;
            boards::instance(&*puzzle, &text).map_err(|found| {
                let found = found.with("puzzle", name).with("generator", generator.name);
                found.with("instance", &text)
            })?;
            if index == 0 {
                suite.claims(solution.as_deref())?;
            }
            instances += 1;
        }
    }
    hold(instances > 0 || family.generators().is_empty(), || {
        broken("no generator makes an instance by itself")
    })
}

/// The text that a generator makes; `None` if it has a parameter without a default.
fn generated(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    generator: &str,
    index: u64,
) -> Result<Option<String>, Violation> {
    let broken = |what: &str, error: &dyn std::fmt::Display| {
        let found = Violation::new(what).with("puzzle", family.info.name);
        found.with("generator", generator).with("error", error)
    };
    let Ok(bound) = family.generator(Some(generator)) else {
        return Ok(None);
    };
    let make = || puzzle.generate(&bound, &mut Rng::stream(1, index));
    let text = make().map_err(|error| broken("a generator makes nothing", &error))?;
    let again = make().map_err(|error| broken("a generator makes nothing at times", &error))?;
    hold(text == again, || {
        broken("a generator makes two texts of one seed", &again).with("text", &text)
    })?;
    Ok(Some(text))
}

fn odd_texts(puzzle: &dyn AnyPuzzle) -> Result<(), Violation> {
    for odd in ODD {
        if let Err(error) = puzzle.load(odd) {
            hold(error.line > 0 && error.column > 0, || {
                let found = Violation::new("lines and columns of an error count from 1");
                found.with_debug("text", odd).with("error", &error)
            })?;
            hold(!error.message.is_empty(), || {
                Violation::new("a text is refused without a word").with_debug("text", odd)
            })?;
        }
    }
    Ok(())
}

/// Checks of an instance.
struct Suite<'s> {
    registry: &'s Registry,
    family: &'static Family,
    puzzle: &'s dyn AnyPuzzle,
    cache: &'s Cache,
    generator: &'s str,
    text: &'s str,
}

impl Suite<'_> {
    fn broken(&self, what: &str) -> Violation {
        Violation::new(what)
            .with("puzzle", self.family.info.name)
            .with("generator", self.generator)
            .with("instance", self.text)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, Violation> {
        self.puzzle.load(text).map_err(|error| {
            let found = self.broken("a text that was written is refused");
            found.with("text", text).with("error", error)
        })
    }

    /// Checks the declarations for networks near the goal, and that every state of a walk can be an
    /// initial state.
    fn learn(&self, instance: &dyn Instance) -> Result<(), Violation> {
        let Some(training_data) = instance.training_data() else {
            return Ok(());
        };
        let wrong =
            |why: String| self.broken("a declaration for networks does not hold").with("why", why);
        let cache = Cache::new(None, 1, Policy::Reuse).within(Some(MOST_TABLES));
        for input in 0..training_data.input_names().len() {
            // An instance may lack an input, or its tables are too large for a test.
            let Ok(seen) = training_data.seen_by(input, &cache) else { continue };
            hold(seen.input() == input, || {
                let found =
                    self.broken("an instance is not seen by the input that it was asked for");
                found.with("input", training_data.input_names()[input])
            })?;
            seen.check(NEAR).map_err(wrong)?;
        }
        let mut states = training_data.list();
        let steps = [5];
        training_data.walk(&steps, Steps::Canonical, &mut Rng::new(1), &mut *states);
        training_data.walk(&steps, Steps::NoReturn, &mut Rng::new(1), &mut *states);
        for row in 0..states.len() {
            let text = states.instance(row).text();
            let again =
                self.load(&text)?.training_data().map(|training_data| training_data.starts());
            let (mut active, mut found) = (Vec::new(), Vec::new());
            states.active(row, &mut active);
            if let Some(again) = again {
                again.active(0, &mut found);
            }
            hold(active == found, || {
                let found =
                    self.broken("an instance that begins at a state reads as another state");
                found.with("text", &text)
            })?;
        }
        Ok(())
    }

    /// Checks the claims of the declared heuristics and upper bounds.
    fn claims(&self, solution: Option<&str>) -> Result<(), Violation> {
        let Some(states) = self.load(self.text)?.into_claims() else {
            return Ok(());
        };
        for info in self.family.declared().heuristics {
            // A heuristic with a parameter that must be given has no spec of its own.
            let Ok(spec) = Spec::parse(info.name) else { continue };
            let request = Request { seed: 1, ..Request::new(&spec, self.cache) };
            let Ok(claim) = Arc::clone(&states).claim(&request) else { continue };
            claim_holds(self.family.aim, &states, &*claim, solution).map_err(|found| {
                let found = found.with("puzzle", self.family.info.name);
                let found = found.with("generator", self.generator).with("instance", self.text);
                found.with("heuristic", info.name)
            })?;
        }
        Ok(())
    }

    /// Runs all checks except for claims. Returns a solution, if one is found.
    fn run(&self) -> Result<Option<String>, Violation> {
        let instance = self.load(self.text)?;
        let written = instance.text();
        let again = self.load(&written)?.text();
        hold(again == written, || {
            let found = self.broken("the text of an instance reads as another instance");
            found.with("written", &written).with("read as", &again)
        })?;
        hold(instance.preset("no preset of this name").is_none(), || {
            self.broken("an unknown preset has a solver")
        })?;
        self.learn(&*instance)?;
        hold(
            instance.replay("\u{1f9e9} no solution").is_err()
                && instance.frames("\u{1f9e9} no solution", Style::Plain).is_err(),
            || self.broken("nonsense is replayed as a solution"),
        )?;
        let mut solution = None;
        for preset in self.family.declared().presets {
            let Some(solver) = instance.preset(preset.name) else {
                continue;
            };
            let record = self.solve(&*instance, &solver)?;
            let context =
                |found: Violation| found.with("preset", format!("{} ({solver})", preset.name));
            self.makes_sense(&record).map_err(context)?;
            if let (Some(actions), Some(value)) = (&record.solution, record.value) {
                self.replayed(&*instance, actions, value).map_err(context)?;
                solution = Some((actions.clone(), value));
            }
        }
        if let Some(mut game) = instance.game() {
            self.play(&mut *game, solution.clone())?;
        }
        Ok(solution.map(|(actions, _)| actions))
    }

    fn solve(&self, instance: &dyn Instance, solver: &Spec) -> Result<Record, Violation> {
        let request = Request {
            budget: Budget {
                expansions: Some(EXPANSIONS),
                // The time limit makes the number of expansions vary, but every promise holds under
                // any limit.
                time: Some(TIME),
                ..Budget::default()
            },
            seed: 1,
            ..Request::new(solver, self.cache)
        };
        let puzzle = self.puzzle.spec();
        solve(self.registry, "1", &puzzle, instance, &request, &mut ()).map_err(|error| {
            let found = self.broken("a preset does not fit the instance");
            found.with("solver", solver).with("error", error)
        })
    }

    fn makes_sense(&self, record: &Record) -> Result<(), Violation> {
        let found = |what: &str| self.broken(what).with_debug("record", record);
        hold(record.checked != Some(false), || found("the checker refuses a solution"))?;
        hold(record.value.is_some() == record.solution.is_some(), || {
            found("a solution without a value, or a value without a solution")
        })?;
        let solved = matches!(record.status, Status::Optimal | Status::Solved);
        hold(!solved || record.solution.is_some(), || {
            found("an instance counts as solved and has no solution")
        })?;
        let fits = record.value.is_none_or(|value| {
            record.lower_bound.is_none_or(|bound| bound <= value)
                && record.upper_bound.is_none_or(|bound| bound >= value)
        });
        hold(fits, || found("a bound contradicts the solution"))?;
        let side = match self.family.aim {
            Aim::Score => record.lower_bound.is_none(),
            Aim::Cost | Aim::Assignment => record.upper_bound.is_none(),
        };
        hold(side, || found("a bound is on the side that proves nothing"))
    }

    /// By the puzzle's own rules, and drawn.
    fn replayed(
        &self,
        instance: &dyn Instance,
        solution: &str,
        value: i64,
    ) -> Result<(), Violation> {
        let found = |what: &str| self.broken(what).with("solution", solution);
        let (replayed, length) = instance.replay(solution).map_err(|error| {
            found("the puzzle's own rules refuse a solution").with("error", error)
        })?;
        hold(replayed == value, || {
            let found = found("a solution is worth something else to the puzzle's own rules");
            found.with("value", value).with("replayed", replayed)
        })?;
        forms::of_solution(self.family, self.puzzle, instance, solution)
            .map_err(|broken| broken.with("instance", self.text))?;
        for style in [Style::Plain, Style::Colour, Style::Svg] {
            let frames = instance.frames(solution, style).map_err(|error| {
                found("a solution that is right cannot be drawn").with("error", error)
            })?;
            let first = frames.first().is_some_and(|frame| frame.action.is_none());
            hold(first, || found("the drawings do not begin with the initial state"))?;
            let drawn = frames.iter().all(|frame| !frame.drawing.trim().is_empty());
            hold(drawn, || found("a state has an empty drawing"))?;
            hold(instance.game().is_none() || frames.len() as u64 == length + 1, || {
                let found =
                    found("the drawings are not the initial state and a state after each action");
                found.with("states", frames.len()).with("actions", length)
            })?;
            let is_svg = frames[0].drawing.trim_start().starts_with("<svg");
            hold(is_svg == (style == Style::Svg), || found("graphics are no SVG, or text is"))?;
        }
        Ok(())
    }

    fn play(&self, game: &mut dyn Game, solution: Option<(String, i64)>) -> Result<(), Violation> {
        let mut rng = Rng::new(1);
        let mut texts = vec![game.text()];
        let mut values = vec![game.value()];
        hold(!game.undo(), || self.broken("an action is taken back at the start"))?;
        while texts.len() <= ACTIONS && !game.is_over() {
            let actions = game.actions();
            hold(!game.apply(actions.len()), || {
                self.broken("an action is played that is not there")
            })?;
            if actions.is_empty() {
                break;
            }
            let choice = rng.below(actions.len() as u64) as usize;
            let found = |what: &str| self.broken(what).with("action", &actions[choice]);
            hold(game.apply(choice), || found("a legal action is refused"))?;
            hold(game.played().len() == texts.len(), || {
                found("the actions so far are more or fewer than were played")
            })?;
            let text = game.text();
            let again = self.load(&text)?.text();
            hold(again == text, || {
                let found = found("the text of a position reads as another instance");
                found.with("position", &text).with("read as", again)
            })?;
            texts.push(text);
            values.push(game.value());
        }
        // The way back is the way there.
        let last = game.solution();
        for (text, value) in texts.iter().zip(&values).rev().skip(1) {
            hold(game.undo() && game.text() == *text, || {
                self.broken("an action that is taken back leads elsewhere")
                    .with("expected", text)
                    .with("position", game.text())
            })?;
            hold(game.value() == *value, || {
                self.broken("an action that is taken back changes the value")
            })?;
        }
        game.replay(&last).map_err(|error| {
            let found = self.broken("the actions of a game are refused");
            found.with("solution", &last).with("error", error)
        })?;
        hold(texts.last() == Some(&game.text()), || {
            self.broken("a game that is replayed ends elsewhere").with("solution", &last)
        })?;
        if let Some((solution, value)) = solution {
            game.replay(&solution).map_err(|error| {
                let found = self.broken("a solution cannot be played");
                found.with("solution", &solution).with("error", error)
            })?;
            hold(game.is_over() && game.value() == value, || {
                let found = self.broken(
                    "a solution that is played does not end the game, or for another value",
                );
                found.with("solution", &solution).with("value", game.value())
            })?;
        }
        let kept = game.text();
        hold(game.replay("\u{1f9e9} no solution").is_err() && game.text() == kept, || {
            self.broken("nonsense is played, or changes the position")
        })
    }
}
