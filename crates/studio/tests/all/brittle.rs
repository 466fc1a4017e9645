//! A puzzle whose rules panic: in the reading of an instance, or in the middle of a search.

use unriddle_catalog::{
    Bare, Family, Generator, Goal, HeuristicOf, Plain, Presentation, Preset, Style,
    listed::plain_drawing,
};
use unriddle_core::{GoalPuzzle, Info, Notation, Numbers, ParseError, Puzzle, Role};

/// Count down to 0. Nobody may pass 13.
#[derive(Clone)]
pub(crate) struct Countdown(u8);

impl Puzzle for Countdown {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> u8 {
        self.0
    }
    fn actions(&self, _: &u8) -> Numbers {
        Numbers::new(1, 1)
    }
    fn apply(&self, state: &u8, step: u8) -> u8 {
        assert!(*state != 13, "thirteen is not played");
        state.saturating_sub(step)
    }
}

impl GoalPuzzle for Countdown {
    fn is_goal(&self, state: &u8) -> bool {
        *state == 0
    }
}

impl Notation for Countdown {
    fn state_text(&self, state: &u8) -> String {
        state.to_string()
    }
    fn solution_text(&self, steps: &[u8]) -> String {
        "1 ".repeat(steps.len()).trim().to_owned()
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        Ok(text.split_whitespace().map(|_| 1).collect())
    }
}

impl Presentation for Countdown {
    fn draw(&self, state: &u8, style: Style) -> String {
        plain_drawing(&format!("{state}\n"), style)
    }
}

impl Goal for Countdown {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest steps", |_| Some("astar(blind)"))];
}

impl Plain for Countdown {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "countdown", "count down to zero");
    const UNIT: &'static str = "steps";
    const GENERATORS: &'static [Generator<Bare<Self>>] = &[];
    fn parse(text: &str) -> Result<Self, ParseError> {
        assert!(text != "crash", "this text crashes");
        let number = text.trim().parse();
        number.map(Self).map_err(|_| ParseError::at(1, 1, "expected a number of 0 to 255"))
    }
}

pub(crate) static FAMILY: Family = Family::plain::<Countdown>();
