//! Morpion Solitaire in the catalogue.

use crate::{Cell, LENGTH, Line, Morpion, Rule, SIDE, State};
use unriddle_catalog::diagram::{Diagram, Mark};
use unriddle_catalog::{
    ErasedInstance, Generator, Instance, Presentation, Preset, Scored, Scores, Style, Variant,
};
use unriddle_catalog::{bind::Bound, input, score::BoundOf};
use unriddle_core::{Info, Layered as _, Mobility, Options as _, ParseError, Role, options};
use unriddle_core::{Score, Unfiltered, UpperBound};

/// Morpion Solitaire.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

options! {
    /// Morpion Solitaire by one of its rules.
    pub struct Variety of INFO {
        rule: Rule = "5d",
            "rule: 5d or 5t", "By `5d` two lines of the same direction share no point, by `5t` at most an end point.";
    }
}

/// Morpion Solitaire.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Demaine, Demaine, Langerman and Langerman 2006, Morpion Solitaire, Theory of Computing Systems 39",
    ..Info::new(Role::Puzzle, "morpion", "Morpion Solitaire: lines of five points")
};

const CROSS: Info = Info::new(Role::Generator, "cross", "the Greek cross of 36 points");

/// The Greek cross.
pub const GREEK_CROSS: &str = "...oooo...\n...o..o...\n...o..o...\noooo..oooo\no........o\n\
                               o........o\noooo..oooo\n...o..o...\n...o..o...\n...oooo...";

const UNIFORM: Info = Info {
    parameters: Uniform::PARAMETERS,
    ..Info::new(Role::Generator, "uniform", "points at random in a square")
};
options! {
    struct Uniform of UNIFORM {
        side: usize = "10" in 1..=SIDE, "columns and rows of the square";
        points: usize = "40" in 0..=SIDE * SIDE, "number of points, limited by the board";
    }
}

impl Variant for Variety {
    type Aim = Scores;
    type Instance = Morpion;

    const INFO: &'static Info = &INFO;
    const HAS_INDEPENDENT_RULES: bool = true;
    const UNIT: &'static str = "moves";
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&CROSS, |_, _, _| Ok(GREEK_CROSS.to_owned())),
        Generator::new(&UNIFORM, |_, given, rng| {
            let Uniform { side, points } = Uniform::read(given);
            let mut cells = vec!['.'; side * side];
            cells[..points.min(side * side)].fill('o');
            rng.shuffle(&mut cells);
            let rows: Vec<String> = cells.chunks(side).map(String::from_iter).collect();
            Ok(rows.join("\n"))
        }),
    ];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<_, Scores>::new(Morpion::parse(text, self.rule)?).boxed())
    }

    fn split(&self, file: &str) -> Vec<input::Piece> {
        input::boards(file)
    }
}

const ROOM: Info = Info {
    guarantee: "a consistent upper bound",
    requires: "morpion",
    reference: "Demaine et al. 2006 (potential, for rule 5d)",
    ..Info::new(Role::Heuristic, "room", "upper bound: remaining free cells")
};

/// Upper bound of the remaining moves. A move fills an empty cell. By rule 5D it also adds four
/// directions of a point and uses five.
pub struct Room;

impl UpperBound<Morpion> for Room {
    fn upper(&self, puzzle: &Morpion, state: &State) -> Score {
        let empty = puzzle.layer(state);
        let lines = state.lines(puzzle.rule).len();
        // By rule 5D there are four directions for each point, and five are taken by a line.
        match puzzle.rule {
            Rule::Disjoint => empty.min(4 * (SIDE * SIDE - empty) - 5 * lines) as Score,
            Rule::Touching => empty as Score,
        }
    }
}

impl Scored for Morpion {
    const BOUNDS: &'static [BoundOf<Self>] = &[BoundOf::new(&ROOM, |_| Box::new(Room))];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new("default", "a million play-outs: half a minute", |_| {
            Some("nrpa(level=3, runs=1)")
        }),
        Preset::new("fast", "ten thousand play-outs: half a second", |_| {
            Some("nrpa(level=2, runs=1)")
        }),
        Preset::new("best", "a hundred million play-outs: give it a limit", |_| {
            Some("nrpa(level=4)")
        }),
    ];

    type Filter = Unfiltered;
    type Value = Mobility;
}

impl Presentation for Morpion {
    fn draw(&self, state: &State, style: Style) -> String {
        self.draw_after(&[], state, style)
    }

    fn draw_after(&self, played: &[Line], state: &State, style: Style) -> String {
        let mark = |at: Cell| match played.iter().position(|line| line.point() == at) {
            Some(i) => Mark::added(at, i + 1, played.len()),
            None => Mark::given(at),
        };
        let lines = state.lines(self.rule).into_iter();
        let ends = lines.map(|line| [line.at(0), line.at(LENGTH - 1)]);
        Diagram::around(state.all_points().map(mark).collect(), ends.collect(), SIDE as i32)
            .drawn(style)
    }
}
