//! A tiny puzzle for runs that take a moment: a walk home in a square, with a heuristic of two
//! weights.

use std::sync::atomic::{AtomicUsize, Ordering};
use unriddle_catalog::{
    Bare, Cancel, ErasedHeuristic, Family, Generator, Goal, HeuristicOf, ParseError, Plain,
    Presentation, Preset, Registry, Style, work::WorkError,
};
use unriddle_core::{
    Cost, Estimate, GoalPuzzle, Guarantee, Heuristic, Info, Notation, Numbers, Options as _,
    Puzzle, Role, options, text,
};
use unriddle_learn::{Event, Finished, RunContext};

/// Cells of a side of the square.
const SIDE: u8 = 30;

/// A walk from a cell to the corner (0, 0).
pub(crate) struct Walk((u8, u8));

impl Puzzle for Walk {
    type State = (u8, u8);
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> (u8, u8) {
        self.0
    }
    fn actions(&self, _: &(u8, u8)) -> Numbers {
        Numbers::new(0, 3)
    }
    fn apply(&self, &(x, y): &(u8, u8), action: u8) -> (u8, u8) {
        match action {
            0 => (x.saturating_sub(1), y),
            1 => (x, y.saturating_sub(1)),
            2 => ((x + 1).min(SIDE), y),
            _ => (x, (y + 1).min(SIDE)),
        }
    }
}

impl GoalPuzzle for Walk {
    fn is_goal(&self, state: &(u8, u8)) -> bool {
        *state == (0, 0)
    }
}

fn number(word: &str) -> Result<u8, String> {
    let number = word.parse().ok().filter(|n| *n <= SIDE);
    number.ok_or_else(|| format!("expected a number up to {SIDE}"))
}

impl Notation for Walk {
    fn state_text(&self, (x, y): &(u8, u8)) -> String {
        format!("{x} {y}")
    }
    fn solution_text(&self, actions: &[u8]) -> String {
        let words: Vec<String> = actions.iter().map(u8::to_string).collect();
        words.join(" ")
    }
    fn parse_solution(&self, given: &str) -> Result<Vec<u8>, ParseError> {
        text::read(given, number)
    }
}

impl Presentation for Walk {
    fn draw(&self, state: &(u8, u8), _: Style) -> String {
        self.state_text(state)
    }
}

const FAR: Info = Info::new(Role::Heuristic, "far", "steps that are left");
const WEIGHTED: Info = Info {
    parameters: Weighted::PARAMETERS,
    ..Info::new(Role::Heuristic, "weighted", "both distances, with weights")
};
options! {
    /// The weights.
    pub(crate) struct Weighted of WEIGHTED {
        across: f64 = "0" in 0.0..=4.0, "weight of the columns";
        down: f64 = "0" in 0.0..=4.0, "weight of the rows";
    }
}

impl Heuristic<Walk> for Weighted {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, _: &Walk, &(x, y): &(u8, u8)) -> Option<(Cost, ())> {
        let sum = self.across * f64::from(x) + self.down * f64::from(y);
        Some((sum as Cost, ()))
    }
}

impl Goal for Walk {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&FAR, |_, _| {
            let far = |_: &Self, &(x, y): &(u8, u8)| Some(Cost::from(x) + Cost::from(y));
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, far)))
        }),
        HeuristicOf::new(&WEIGHTED, |_, setup| {
            Ok(ErasedHeuristic::each(Weighted::read(setup.given)))
        }),
    ];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the shortest", |_| Some("astar(far)"))];
}

const RANDOM: Info = Info::new(Role::Generator, "random", "a random cell");

impl Plain for Walk {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "walk", "walk home");
    const GENERATORS: &'static [Generator<Bare<Self>>] = &[Generator::new(&RANDOM, |_, _, rng| {
        let mut cell = || 10 + rng.next_u64() % 20;
        Ok(format!("{} {}", cell(), cell()))
    })];
    fn parse(given: &str) -> Result<Self, ParseError> {
        match text::read(given, number)?[..] {
            [x, y] => Ok(Self((x, y))),
            _ => Err(ParseError::at(1, 1, "expected two numbers")),
        }
    }
}

static FAMILY: Family = Family::plain::<Walk>();

pub(crate) fn registry() -> Registry {
    Registry::new([&FAMILY]).unwrap()
}

/// Events of a run, and its result.
pub(crate) struct Ran {
    pub(crate) done: Result<Option<Finished>, WorkError>,
    /// Names and sizes of the stages, and how many of their pieces were done before.
    pub(crate) stages: Vec<(String, usize, usize)>,
    /// Pieces of work that were done.
    pub(crate) pieces: usize,
}

/// Does some work on some threads, and cancels it after some pieces.
pub(crate) fn ran(
    jobs: usize,
    cancel_after: Option<usize>,
    work: impl FnOnce(&RunContext<'_>) -> Result<Option<Finished>, WorkError>,
) -> Ran {
    let cancel = Cancel::default();
    let pieces = AtomicUsize::new(0);
    let stages = std::sync::Mutex::new(Vec::new());
    let done = work(&RunContext {
        revision: "test",
        ranks: &unriddle_catalog::ranks::Alone,
        jobs,
        cancel: &cancel,
        tell: &|event| match event {
            Event::Stage { name, pieces, done } => {
                let stage = (name.to_owned(), pieces, done);
                stages.lock().unwrap().push(stage);
            }
            Event::Piece => {
                if Some(pieces.fetch_add(1, Ordering::Relaxed) + 1) == cancel_after {
                    cancel.cancel();
                }
            }
            Event::At { .. } | Event::Note(_) => {}
        },
    });
    Ran { done, stages: stages.into_inner().unwrap(), pieces: pieces.into_inner() }
}

/// Replaces a part of a valid text, for each case, and checks that the error contains the expected
/// text.
pub(crate) fn refusals(
    good: &str,
    cases: &[(&str, &str, &str)],
    read: impl Fn(&str) -> Option<String>,
) {
    let mut wrong = Vec::new();
    for (old, new, expected) in cases {
        assert!(good.contains(old), "{old}");
        let said = read(&good.replace(old, new)).unwrap_or_else(|| "accepted".to_owned());
        if !said.contains(expected) {
            wrong.push(format!("{new}: expected {expected}, found {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
