//! Morpion Solitaire in the catalogue.

pub use crate::records::GREEK_CROSS;
use crate::{Line, Morpion, Rule, SIDE, State, records, touch};
use unriddle_catalog::board::{Cells, Sketch, Spot, Touch};
use unriddle_catalog::{
    ErasedInstance, Form, Generator, Instance, Presentation, Preset, Scored, Scores, Style, Variant,
};
use unriddle_catalog::{bind::Bound, input::Piece, score::BoundOf};
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

/// Name of the form of MSR records.
const MSR: &str = "msr";

const FORMS: &[Form] = &[
    Form::new(
        "position",
        "A line for each row, the top one first: `o` (or `O`, `x`, `X`) for a point and `.` for an empty cell, at most 32 by 32, \
         in the middle of the board. Below the rows follow the lines that are drawn already, as moves.",
        "...oooo...\n...o..o...\n...o..o...\noooo..oooo\no........o\no........o\noooo..oooo\n...o..o...\n...o..o...\n...oooo...\n",
    ),
    Form::new(
        MSR,
        "A Morpion Solitaire Record (version 0), as JSON or in its compact form `MS1:…` on one line. The instance is the Greek cross, \
         and the game of the record is its known solution. The variant, 5D or 5T, is the parameter `rule`. `convert` writes JSON.",
        "MS1:q1YqSy0qzszPU7JSMtAzVNJRKkssykzMKwHyTV2A3OLk_KJUJStDHaXc_LLUYiWr6GqlCiUrIx2lSiUrAx2llMwioFIPoMqCfKCsQW1sLQA\n",
    ),
    Form::new(
        "pentasol",
        "A game as Pentasol reads it: a reference point such as `(28,28)`, the inner corner of the cross at the upper left, and a move \
         in each line, such as `(27,25) - +2`, with the steps from the new point to the middle of its line. Without a \
         reference point the cross has columns and rows 1 to 10, and the steps may count from the middle. The instance is the Greek \
         cross, and the game is its known solution.",
        "# a game of one move\n(28,28)\n(27,25) - +2\n",
    ),
    Form::new(
        "file",
        "In a file, positions and games are apart by blank lines, and a comment right above is the name. JSON records follow each \
         other, and each compact record is a line.",
        "# five points\n.ooo.\n..o..\n",
    ),
];

impl Variant for Variety {
    type Aim = Scores;
    type Instance = Morpion;

    const INFO: &'static Info = &INFO;
    const TITLE: &'static str = "Morpion Solitaire";
    const HAS_INDEPENDENT_RULES: bool = true;
    const EXTENSIONS: &'static [&'static str] = &["txt", "msr"];
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

    const FORMS: &'static [Form] = FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let puzzle = match records::read(text, self.rule) {
            Some(game) => {
                game?;
                records::cross(self.rule)?
            }
            None => Morpion::parse(text, self.rule)?,
        };
        Ok(ErasedInstance::<_, Scores>::new(puzzle).boxed())
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        touch::sketch(instance.unwrap_or(GREEK_CROSS))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        records::split(file, self.rule)
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
    /// Positions other than the cross are no records.
    fn forms(&self) -> Vec<(&'static str, String)> {
        self.msr(&[]).map(|record| (MSR, record)).into_iter().collect()
    }

    fn solution_forms(&self, actions: &[Line]) -> Vec<(&'static str, String)> {
        self.msr(actions).map(|record| (MSR, record)).into_iter().collect()
    }

    fn draw(&self, state: &State, style: Style) -> String {
        self.draw_after(&[], state, style)
    }

    fn draw_after(&self, played: &[Line], state: &State, style: Style) -> String {
        touch::diagram(self, played, state).drawn(style)
    }

    fn spots(&self, played: &[Line], state: &State) -> Vec<Spot> {
        touch::spots(self, played, state)
    }

    fn touch(&self, _: &[Line], state: &State, line: Line) -> Touch {
        touch::touch(self, state, line)
    }
}
