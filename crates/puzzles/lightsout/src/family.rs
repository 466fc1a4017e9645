//! Lights Out in the catalogue.

mod files;
mod validate;

use crate::picture::game_id;
pub use crate::variety::{INFO, Variety};
use crate::{
    Lights, Press, Reach, SIDE, WORDS,
    algebra::Algebra,
    draw, fifth, is_on,
    notation::written,
    picture::Picture,
    solvers::{EXACT, Exact, ExactConfig, Fewest},
    symmetry, touch,
};
use std::sync::Arc;
use unriddle_catalog::{
    Costs, ErasedHeuristic, ErasedInstance, Extensions, Form, Generator, Goal, HeuristicOf,
    Instance, Learning, Presentation, Preset, Setup, Size, SolveError, Solver, SpecError, Style,
    Variant,
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    embedded,
    input::Piece,
};
use unriddle_core::{
    Cost, Estimate, Guarantee, Heuristic, Info, Options as _, ParseError, Rng, Role, options,
};

/// The family of Lights Out puzzles.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

const RANDOM: Info = Info {
    guarantee: "solvable",
    parameters: Random::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "random",
        "every solvable board with the same probability: each cell is pressed or not",
    )
};
options! {
    struct Random of RANDOM {
        rows: usize = "7" in 1..=SIDE, positional, "rows";
        columns: usize = "0" in 0..=SIDE, positional, "columns (0 = as many as rows)";
    }
}

const PRESSED: Info = Info {
    guarantee: "solvable by `count` presses, perhaps by fewer",
    parameters: Pressed::PARAMETERS,
    ..Info::new(Role::Generator, "presses", "a number of random cells is pressed, no cell twice")
};
options! {
    struct Pressed of PRESSED {
        count: usize = "5" in 0..=SIDE * SIDE, positional, "presses, at most as many as cells";
        rows: usize = "7" in 1..=SIDE, positional, "rows";
        columns: usize = "0" in 0..=SIDE, positional, "columns (0 = as many as rows)";
    }
}

const ONES: Info = Info {
    guarantee: "solvable with press=plus (Sutner 1989)",
    parameters: Random::PARAMETERS,
    ..Info::new(Role::Generator, "ones", "all lights are on")
};

/// The text of a board, all of whose lights were off before some cells were pressed.
fn pressed(
    variety: &Variety,
    given: &Bound<'_>,
    (rows, columns): (usize, usize),
    choose: impl FnOnce(&mut [bool]) -> Result<(), SpecError>,
) -> Result<String, SpecError> {
    let columns = if columns == 0 { rows } else { columns };
    let shape = variety.shape(rows, columns).map_err(|why| given.error("rows", why))?;
    let mut is_pressed = vec![false; shape.buttons()];
    choose(&mut is_pressed)?;
    let mut lit = vec![false; shape.cells()];
    for cell in (0..shape.buttons()).filter(|&cell| is_pressed[cell]) {
        for &toggled in shape.toggled(cell) {
            lit[usize::from(toggled)] ^= true;
        }
    }
    Ok(written(columns, &lit))
}

/// Name of the form of game ids.
const GAME_ID: &str = "game-id";

const FORMS: &[Form] = &[
    Form::new(
        "rows",
        "Rows of `1` or `#` for a light that is on and `0` or `.` for a light that is off, each on a line of its own or \
         with `/`, `;` or a bar `|` behind it: `110/010/111`. Blanks and commas between the signs are ignored. A single row is \
         written with a `/`: `101/`.",
        "110/010/111",
    ),
    Form::new(
        "x",
        "The same with `x` for a light that is on and `-` or `.` for a light that is off. A board has one kind of signs: \
         `x` is refused beside `1` or `0`, and `-` beside `1`, `0` or `.`. On several lines, bars may be between all lights: `|x|-|`.",
        "xx-|-x-|xxx|",
    ),
    Form::new(
        "list",
        "A list of rows in brackets, parentheses or braces, on one line or several: `[[1,1,0],[0,1,0],[1,1,1]]`. \
         Lights may be the words `true` and `false`, or `on` and `off`.",
        "[[true, true, false],\n [false, true, false],\n [true, true, true]]\n",
    ),
    Form::new(
        "square",
        "All signs of a square board in one line, row by row, without ends of rows: `110010111`.",
        "110010111",
    ),
    Form::new(
        "buttons",
        "A board, the word `buttons`, and a row for each button with a sign for each light of the board, row by row: `1` \
         for the lights that the button toggles. Solutions name buttons by row and column if they are as many as lights; \
         otherwise by `0` and their number in the list, from 0.",
        "101/ buttons 110/011",
    ),
    Form::new(
        GAME_ID,
        "The game id of Flip in Simon Tatham's Portable Puzzle Collection, in one line: columns `x` rows, `c` or `r`, a colon, and in \
         hexadecimal digits the lights of the buttons and, behind a comma, the lights that are on; at most 1,024 lights.",
        "3x3c:d074191345d1644c17058,cb8",
    ),
    Form::new(
        "file",
        "In a file, a line with `/` or `;`, with several rows apart by bars, with a list of rows, or with `name:` is a board of its own, \
         and so is a game id; boards of several lines are apart by blank lines.",
        "first: 110/010/111",
    ),
];

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Lights<1>;

    const INFO: &'static Info = &INFO;
    const TITLE: &'static str = "Lights Out";
    const HAS_INDEPENDENT_RULES: bool = true;
    const UNIT: &'static str = "presses";
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&RANDOM, |variety, given, rng: &mut Rng| {
            let Random { rows, columns } = Random::read(given);
            pressed(variety, given, (rows, columns), |cells| {
                cells.fill_with(|| rng.below(2) == 1);
                Ok(())
            })
        }),
        Generator::new(&PRESSED, |variety, given, rng| {
            let Pressed { count, rows, columns } = Pressed::read(given);
            pressed(variety, given, (rows, columns), |cells| {
                let all = cells.len();
                let Some(chosen) = cells.get_mut(..count) else {
                    let message = format!("there are {all} cells, fewer than {count}");
                    return Err(given.error("count", message));
                };
                chosen.fill(true);
                rng.shuffle(cells);
                Ok(())
            })
        }),
        Generator::new(&ONES, |_, given, _| {
            let Random { rows, columns } = Random::read(given);
            let columns = if columns == 0 { rows } else { columns };
            Ok(written(columns, &vec![true; rows * columns]))
        }),
    ];
    const SIZES: &'static [Size] = &[
        Size { name: "7×7", generator: "random(7)" },
        Size { name: "others", generator: "random(5)" },
    ];
    const FORMS: &'static [Form] = FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let picture = Picture::parse(text)?;
        match picture.lit.len() {
            0..=64 => self.loaded::<1>(&picture),
            65..=256 => self.loaded::<4>(&picture),
            _ => self.loaded::<WORDS>(&picture),
        }
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        match instance {
            Some(text) => touch::sketch(Some(&Picture::parse(text).ok()?)),
            None => touch::sketch(None),
        }
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        files::boards(file)
    }
}

impl Variety {
    /// An instance whose states have `W` words. The equations determine whether it has a solution.
    fn loaded<const W: usize>(&self, picture: &Picture) -> Result<Box<dyn Instance>, ParseError> {
        let board = Lights::<W>::of(picture, self)?;
        let why = Algebra::of(board.shape()).unsolvable(&board.start);
        Ok(ErasedInstance::<_, Costs>::new(board).unsolvable(why).boxed())
    }
}

/// Built-in networks by name. A static keeps a single copy of the bytes.
static NETWORKS: [(&str, &[u8]); 1] =
    [("lightsout7", embedded!("../models/lightsout7.safetensors.gz"))];

const FIFTH: Info = Info {
    guarantee: "consistent",
    requires: "lightsout, boards of at most 256 lights",
    ..Info::new(
        Role::Heuristic,
        "fifth",
        "a fifth of the lights that are on: a press toggles at most five",
    )
};

const PERFECT: Info = Info {
    guarantee: "consistent: the fewest presses themselves",
    requires: "lightsout, boards of at most 256 lights and nullity 10",
    reference: "Anderson and Feil 1998",
    ..Info::new(Role::Heuristic, "perfect", "the fewest presses, by linear algebra")
};

/// Heuristic with the exact number of presses.
struct Perfect {
    algebra: Arc<Algebra>,
}

impl<const W: usize> Heuristic<Lights<W>> for Perfect {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Lights<W>, state: &[u64; W]) -> Option<(Cost, ())> {
        // The constructor has verified that there are few enough solutions.
        let presses = Fewest::new(&self.algebra)?.presses(state)?;
        Some((presses, ()))
    }
}

impl<const W: usize> Goal for Lights<W> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&FIFTH, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, fifth)))
        }),
        HeuristicOf::new(&PERFECT, |puzzle, _: &Setup<'_>| {
            let algebra = Algebra::of(puzzle.shape());
            match Fewest::new(&algebra) {
                Some(_) => Ok(ErasedHeuristic::each(Perfect { algebra: algebra.clone() })),
                None => Err(SolveError::Unsupported(format!(
                    "`perfect` weighs all solutions of each state, at most 2^10; this board's nullity is {}",
                    algebra.nullity()
                ))),
            }
        }),
    ];
    const SOLVERS: &'static [Solver<Self, Costs>] = &[Solver {
        info: &EXACT,
        run: |puzzle, given, run| {
            let config = ExactConfig { seed: run.request.seed, ..ExactConfig::read(given) };
            Box::pin(run.plain(Exact::new(Algebra::of(puzzle.shape()), &puzzle.start, config)))
        },
    }];
    const ARE_SETS: bool = true;
    /// Boards of any size; states of the largest ones are too large for the searches that ask a
    /// network.
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&NETWORKS).with_rows());
    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new(
            "default",
            "the fewest presses: microseconds on small boards, seconds at nullity 42",
            |_| Some("lo-exact"),
        ),
        Preset::new("optimal", "the same", |_| Some("lo-exact")),
        Preset::new("best", "the same", |_| Some("lo-exact")),
        Preset::new(
            "search",
            "a search by the perfect heuristic, press by press; boards of at most 256 lights",
            |puzzle| {
                let is_small = W < WORDS && Algebra::of(puzzle.shape()).nullity() <= 10;
                is_small.then_some("astar(perfect)")
            },
        ),
        Preset::new(
            "learned",
            "batch weighted A* by a network that was trained on walks, as DeepCubeA searches; 7×7 boards with edges",
            |puzzle| {
                let shape = puzzle.shape();
                let is_known = (shape.rows, shape.columns) == (7, 7)
                    && !shape.torus
                    && shape.reach == Some(Reach::Plus);
                is_known.then_some("bwas(net(lightsout7), lambda=0.2, batch=1000)")
            },
        ),
    ];
}

impl<const W: usize> Presentation for Lights<W> {
    fn canonical(&self) -> String {
        symmetry::least_image(&self.shape, &self.lit(&self.start).collect::<Vec<_>>())
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        let lit: Vec<bool> = (0..self.shape.cells()).map(|cell| is_on(&self.start, cell)).collect();
        game_id::written(&self.shape, &lit).map(|id| (GAME_ID, id)).into_iter().collect()
    }

    fn extensions(&self) -> Extensions<'_> {
        Extensions { validates: Some(self), ..Extensions::default() }
    }

    fn draw(&self, state: &[u64; W], style: Style) -> String {
        draw::drawn(self, &[], state, style)
    }

    fn draw_after(&self, played: &[Press], state: &[u64; W], style: Style) -> String {
        draw::drawn(self, played, state, style)
    }

    fn spots(&self, _: &[Press], state: &[u64; W]) -> Vec<Spot> {
        touch::spots(self, state)
    }

    fn touch(&self, _: &[Press], _: &[u64; W], press: Press) -> Touch {
        touch::touch(&self.shape, press)
    }
}
