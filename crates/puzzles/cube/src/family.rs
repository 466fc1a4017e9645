//! Rubik's cube in the catalogue.

use crate::{
    Cube, HalfTurns, Metric, Order, Pieces, Turn, draw,
    generate::{scrambled, uniform},
    geometry::{SYMMETRY, Symmetry},
    korf::{Kept, Projection},
    measures::length,
    pieces::{SOLVED, turn_image},
    solid,
    solvers::{
        fast::{self, Fast, FastConfig},
        optimal::{self, Optimal, OptimalConfig},
    },
    split::split,
    touch,
};
use unriddle_catalog::{
    Costs, ErasedHeuristic, ErasedInstance, Form, Generator, Goal, HeuristicOf, Instance, Learning,
    Measures, Presentation, Preset, Size, SolveError, Solver, Style, Variant,
    bind::Bound,
    board::{self, Sketch, Solid, Spot, Touch},
    embedded,
    ends::BothEnds,
    heuristic::Tables,
    input::Piece,
    listed::{DeclaredPuzzle, Mirror},
    spec::Spec,
};
use unriddle_core::{
    Info, Notation as _, Options as _, ParseError, Role, Symmetric, options, words,
};
use unriddle_tables::{Database, Distances, cache::Build};

/// Rubik's cube.
// Every compilation unit that refers to this static compiles all searches. Unit tests avoid that,
// since it would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

options! {
    /// A cube of a size, in a metric.
    pub struct Variety of INFO {
        metric: Metric = "qtm", "unit of moves: qtm quarter turns, htm any turn of a face";
        size: usize = "3" in 2..=3, "pieces along an edge";
        order: Order = "URFDLB", "order of the faces in texts of stickers", "Applies to stickers that are read, unless they are drawn as an unfolded net or each face has its name: `URFDLB` is the order of Kociemba's notation, `ULFRBD` of the rows of the unfolded net, and `UDLRBF` has opposite faces in pairs. Each face is written row by row as in the unfolded net. Records have the order `URFDLB`, in which letters of faces are read as well.";
        half_turns: HalfTurns = "quarters", "notation of half turns in solutions in quarter turns", "`quarters` writes `R R`, `halves` writes `R2`, which counts as two moves as well. Both notations are read.";
    }
}

/// Rubik's cube.
pub(crate) const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Agostinelli et al. 2019; Rokicki et al. 2014, The diameter of the Rubik's cube group is twenty",
    ..Info::new(Role::Puzzle, "cube", "Rubik's cube: turn faces until each has one colour")
};

const RANDOM: Info = Info {
    guarantee: "solvable",
    ..Info::new(
        Role::Generator,
        "random",
        "every cube that can be solved with the same probability",
    )
};

const SCRAMBLE: Info = Info {
    guarantee: "solvable",
    reference: "Agostinelli et al. 2019 (1,000 to 10,000 quarter turns)",
    parameters: Scramble::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "scramble",
        "random moves from the solved cube, their number uniform between two bounds",
    )
};
options! {
    struct Scramble of SCRAMBLE {
        min: u64 = "1000" in 0..=1_000_000_000, "fewest moves";
        max: u64 = "10000" in 0..=1_000_000_000, "most moves";
    }
}

/// The forms in which people write a cube.
const FORMS: &[Form] = &[
    Form::new(
        "stickers",
        "As many letters of faces as the cube has stickers, the same number of each letter, in any number of lines: 54, or 24 for the \
         2×2×2. A letter is the colour of the centre of that face when the cube is held in the usual way. Faces follow each other in the order U, R, F, D, L, B \
         (Kociemba's notation; another one by the parameter `order`), each row by row as in the unfolded net. Small letters, blanks, \
         punctuation and up to two blank lines between lines are accepted. The cube may be seen from any side. A name with a colon may be in \
         front or on the line above.",
        "BBBUUFUUD LRDLRDUUF RRFUFFBBR\nDDBDDBLRD UFFDLLFRR LLLLBFRBU",
    ),
    Form::new(
        "colours",
        "Any six other signs instead of the letters of faces, such as initials of colours. A sign is the colour of the face in whose \
         middle it is seen; on the 2×2×2, two opposite colours have no corner in common.",
        "BBBWWGWWYORYORYWWGRRGWGGBBRYYBYYBORYWGGYOOGRROOOOBGRBW",
    ),
    Form::new(
        "net",
        "The unfolded net on nine lines (six for the 2×2×2), as `show` draws it: rows of U, then of L, F, R and B, then of D, in letters of \
         faces or in other signs. U and D are above and below F. Blanks in front may be missing if no other net is a cube.",
        "    BBB\n    UUF\n    UUD\nUFF RRF LRD LLL\nDLL UFF LRD LBF\nFRR BBR UUF RBU\n    DDB\n    DDB\n    LRD",
    ),
    Form::new(
        "faces",
        "Each face with its name and a colon in front of its stickers, in any order and in letters of faces or other signs: `U` or `up`, \
         `R` or `right`, `F` or `front`, `D` or `down`, `L` or `left`, `B` or `back`.",
        "F: RRFUFFBBR\nU: BBBUUFUUD\nR: LRDLRDUUF\nD: DDBDDBLRD\nL: UFFDLLFRR\nB: LLLLBFRBU",
    ),
    Form::new(
        "moves",
        "Moves from the solved cube on one line, as in scrambles: `R U2 F'`, also `R1` and `R3` for quarter turns, wide moves (`Rw` or \
         `r`), slices (`M E S`) and rotations (`x y z`); the 2×2×2 has no wide moves and slices. Solutions are of the cube as the moves \
         leave it. Comments begin with `//`.",
        "R U2 F' Rw M x",
    ),
    Form::new(
        "brackets",
        "Moves with a commutator `[A, B]`, which is A B A' B', a conjugate `[A: B]`, which is A B A', repetitions `(A B)3`, and \
         simultaneous moves `A + B` of one axis, which may be nested. A name in front of a colon cannot begin with a bracket.",
        "[R U: [F + B', D2]] (L D')3",
    ),
    Form::new(
        "singmaster",
        "The pieces of the 3×3×3 in the order UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR (Singmaster, Reid).",
        "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR",
    ),
    Form::new(
        "deepcubea",
        "Numbers of stickers as in DeepCubeA: for each of 54 positions the number of its sticker, with nine numbers per face in the order U, D, L, R, B, \
         F, column by column from the left and upwards.",
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53",
    ),
];

impl Variety {
    /// The text of a cube.
    fn text<const N: usize>(&self, pieces: Pieces) -> String {
        Cube::<N>::new(pieces, self.metric).state_text(&pieces)
    }

    /// The sketch of a cube in standard form, or of the solved cube.
    fn sketched_as<const N: usize>(&self, instance: Option<&str>) -> Option<Sketch> {
        let cube = match instance {
            Some(text) => Cube::<N>::parse(text, self.metric).ok()?,
            None => Cube::new(SOLVED, self.metric),
        };
        Some(touch::sketch::<N>(&cube.colours(cube.start())))
    }

    fn loaded<const N: usize>(&self, text: &str) -> Result<Box<dyn Instance>, ParseError>
    where
        Cube<N>: Goal,
    {
        let cube = Cube::<N>::parse_ordered(text, self.metric, self.order)?;
        let cube = cube.writing(self.half_turns);
        let why = cube.defect();
        Ok(ErasedInstance::<_, Costs>::new(cube).unsolvable(why).boxed())
    }
}

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Cube<3>;

    const INFO: &'static Info = &INFO;
    const TITLE: &'static str = "Rubik's cube";
    const HAS_INDEPENDENT_RULES: bool = true;
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&RANDOM, |variety, _, rng| {
            Ok(match variety.size {
                2 => variety.text::<2>(uniform::<2>(rng)),
                _ => variety.text::<3>(uniform::<3>(rng)),
            })
        }),
        Generator::new(&SCRAMBLE, |variety, given, rng| {
            let Scramble { min, max } = Scramble::read(given);
            if min > max {
                let message = format!("`min` is {min}, which is more than `max`, {max}");
                return Err(given.error("min", message));
            }
            let count = min + rng.below(max - min + 1);
            Ok(match variety.size {
                2 => variety.text::<2>(scrambled::<2>(variety.metric, count, rng)),
                _ => variety.text::<3>(scrambled::<3>(variety.metric, count, rng)),
            })
        }),
    ];
    const SIZES: &'static [Size] = &[Size { name: "3×3×3", generator: "random" }];
    const FORMS: &'static [Form] = FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    /// The text of an instance does not depend on the order in which its faces were read, and both
    /// ways to write half turns are read.
    fn spec(given: &Bound<'_>) -> String {
        let Self { metric, size, .. } = Self::read(given);
        match (metric, size) {
            (Metric::Quarter, 2) => "cube(size=2)",
            (Metric::Quarter, _) => "cube",
            (Metric::Half, 2) => "cube(metric=htm, size=2)",
            (Metric::Half, _) => "cube(metric=htm)",
        }
        .to_owned()
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        match self.size {
            2 => split::<2>(file),
            _ => split::<3>(file),
        }
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        match self.size {
            2 => self.loaded::<2>(text),
            _ => self.loaded::<3>(text),
        }
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        match self.size {
            2 => self.sketched_as::<2>(instance),
            _ => self.sketched_as::<3>(instance),
        }
    }

    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        match self.size {
            2 => Cube::<2>::tables(Some(&Cube::new(SOLVED, self.metric)), heuristic),
            _ => Cube::<3>::tables(Some(&Cube::new(SOLVED, self.metric)), heuristic),
        }
    }
}

words! {
    /// Sets of pattern databases.
    pub enum Patterns {
        /// The corners and two sets of six edges.
        Korf = "corners-6-6",
        /// The corners.
        Corners = "corners",
        /// Three sets of four edges.
        Edges = "4-4-4",
    }
}

const PDB: Info = Info {
    guarantee: "consistent",
    requires: "cube",
    reference: "Korf 1997, Finding optimal solutions to Rubik's cube using pattern databases, AAAI-97",
    parameters: PdbConfig::PARAMETERS,
    ..Info::new(
        Role::Heuristic,
        "pdb",
        "the largest distance of several sets of pieces, which is exact on the 2×2×2; tables are built once and kept in the cache",
    )
};
options! {
    struct PdbConfig of PDB {
        sets: Patterns = "corners-6-6", positional, "sets of pieces: corners, corners-6-6 or 4-4-4", "`corners` has a table of 44 MB. `corners-6-6` adds two tables of 21 MB for six edges each. `4-4-4` has three tables of 0.1 MB for four edges each.";
    }
}

impl PdbConfig {
    /// The patterns of a cube of side `N`. The corners of a 2×2×2 are everything: distances of all
    /// 3,674,160 states.
    fn patterns<const N: usize>(&self, metric: Metric) -> Vec<Projection<N>> {
        let edges = |first, end| Kept::Edges { first, end };
        let kept: &[Kept] = match self.sets {
            _ if N == 2 => &[Kept::Corners],
            Patterns::Corners => &[Kept::Corners],
            Patterns::Edges => &[edges(0, 4), edges(4, 8), edges(8, 12)],
            Patterns::Korf => &[Kept::Corners, edges(0, 6), edges(6, 12)],
        };
        kept.iter().map(|&kept| Projection::new(kept, metric)).collect()
    }
}

/// Any cube of the metric, for tables that depend only on the metric.
fn any<const N: usize>(puzzle: Option<&Cube<N>>) -> Cube<N> {
    puzzle.cloned().unwrap_or_else(|| Cube::new(SOLVED, Metric::default()))
}

/// The entry of the pattern databases.
const fn pdb<const N: usize>() -> HeuristicOf<Cube<N>>
where
    Cube<N>: Goal,
{
    HeuristicOf {
        info: &PDB,
        make: |puzzle, setup| {
            let patterns = PdbConfig::read(setup.given).patterns(puzzle.metric());
            Ok(ErasedHeuristic::each(Database::new(puzzle, patterns, setup.cache())?))
        },
        tables: |puzzle, given| {
            let puzzle = any(puzzle);
            let table = |pattern| {
                let puzzle = puzzle.clone();
                Box::new(Distances { puzzle, pattern }) as Box<dyn Build>
            };
            let patterns = PdbConfig::read(given).patterns(puzzle.metric());
            Ok(patterns.into_iter().map(table).collect())
        },
    }
}

/// Built-in networks by name, for both sizes. A static, so that the program contains the bytes only
/// once.
static NETWORKS: [(&str, &[u8]); 5] = [
    ("cube-shared", embedded!("../models/cube-shared.safetensors")),
    ("cube-half", embedded!("../models/cube-half.safetensors")),
    ("cube-wide", embedded!("../models/cube-wide.safetensors.gz")),
    ("cube2", embedded!("../models/cube2.safetensors.gz")),
    ("cube2-half", embedded!("../models/cube2-half.safetensors")),
];

impl Goal for Cube<3> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[pdb()];
    const SOLVERS: &'static [Solver<Self, Costs>] = &[
        Solver {
            info: &fast::INFO,
            run: |puzzle, given, run| {
                Box::pin(async move {
                    let config = match run.request.budget.time {
                        Some(_) => FastConfig { tries: u64::MAX },
                        None => FastConfig::read(given),
                    };
                    let search = Fast::new(puzzle, config, run.request.cache)?;
                    let bytes = search.bytes();
                    run.with_tables(bytes, Ok(search)).await
                })
            },
        },
        Solver {
            info: &optimal::INFO,
            run: |puzzle, given, run| {
                Box::pin(async move {
                    let config = OptimalConfig {
                        threads: run.request.threads,
                        memory: run.request.budget.memory,
                        ..OptimalConfig::read(given)
                    };
                    let search = Optimal::new(puzzle, config, run.request.cache)?;
                    let bytes = search.bytes();
                    run.with_tables(bytes, Ok(search)).await
                })
            },
        },
    ];
    fn solver_tables(puzzle: Option<&Self>, solver: &Bound<'_>) -> Tables {
        Ok(match solver.info().name == optimal::INFO.name {
            true => vec![optimal::table(any(puzzle).metric(), OptimalConfig::read(solver))],
            false => fast::tables(),
        })
    }

    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new(
            "default",
            "the fewest moves, after half a minute of table building; under a memory limit with the largest table that fits",
            |_| Some("cube-optimal(table=fit)"),
        ),
        Preset::new("optimal", "the same", |_| Some("cube-optimal(table=fit)")),
        Preset::new(
            "best",
            "the same: tables prove the fewest moves in the time in which a network finds more",
            |_| Some("cube-optimal(table=fit)"),
        ),
        Preset::new(
            "fast",
            "a short solution in milliseconds; under a time limit, shorter ones until it ends",
            |_| Some("cube-fast"),
        ),
        Preset::new("korf", "the fewest moves as Korf 1997", |_| Some("idastar(pdb)")),
        Preset::new(
            "learned",
            "a short solution by a network that learned from random walks, in seconds",
            |cube| {
                Some(match cube.metric() {
                    Metric::Quarter => {
                        "beam(net(cube-shared, precision=short), width=65536, direction=bidirectional, goal_table=64M, widen=timed)"
                    }
                    Metric::Half => {
                        "beam(net(cube-half, precision=short), width=65536, direction=bidirectional, goal_table=64M, widen=timed)"
                    }
                })
            },
        ),
    ];
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&NETWORKS).with_rows());
    const ENDS: Option<BothEnds<Self>> = Some(BothEnds::new());

    fn measures(&self, _: &Bound<'_>, turns: &[Turn]) -> Measures {
        measures(self.metric(), turns)
    }
}

/// The lengths of a solution in both metrics.
fn measures(metric: Metric, turns: &[Turn]) -> Measures {
    let all = [Metric::Quarter, Metric::Half].map(|of| (of.name(), length(turns, of)));
    Measures { of_value: Some(metric.name()), all: all.to_vec() }
}

impl Goal for Cube<2> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[pdb()];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new("default", "the fewest moves", |_| Some("astar(pdb(corners))")),
        Preset::new("optimal", "the same", |_| Some("astar(pdb(corners))")),
        Preset::new("best", "the same", |_| Some("astar(pdb(corners))")),
        Preset::new("fast", "the same: the fewest moves take milliseconds", |_| {
            Some("astar(pdb(corners))")
        }),
        Preset::new("korf", "the fewest moves as Korf 1997", |_| Some("idastar(pdb(corners))")),
        Preset::new(
            "learned",
            "a short solution by a network that learned from random walks",
            |cube| {
                Some(match cube.metric() {
                    Metric::Quarter => {
                        "beam(net(cube2, precision=bytes), width=1k, direction=bidirectional, widen=timed)"
                    }
                    Metric::Half => {
                        "beam(net(cube2-half, precision=bytes), width=1k, direction=bidirectional, widen=timed)"
                    }
                })
            },
        ),
    ];
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&NETWORKS).with_rows());
    const ENDS: Option<BothEnds<Self>> = Some(BothEnds::new());

    fn measures(&self, _: &Bound<'_>, turns: &[Turn]) -> Measures {
        measures(self.metric(), turns)
    }
}

/// The symmetry that [mirrors](Presentation::mirror) a cube.
fn mirror<const N: usize>() -> Option<&'static Symmetry> {
    let faces = match N {
        2 => [0, 2, 1, 3, 5, 4],
        _ => [0, 4, 2, 3, 1, 5],
    };
    SYMMETRY.iter().find(|one| one.faces == faces)
}

impl<const N: usize> Presentation for Cube<N> {
    /// The least symmetric state under the symmetries of the cube.
    fn canonical(&self) -> String {
        let usual = Self::new(Symmetric::canonical(self, self.start()), self.metric());
        usual.state_text(usual.start())
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        let start = self.start();
        // Names of pieces do not contain the colour scheme.
        let pieces = Self::singmaster(start).filter(|_| self.scheme.is_usual());
        let net = draw::drawn::<N>(&self.colours(start), None, Style::Plain);
        let forms = [
            ("singmaster", pieces),
            ("deepcubea", self.deepcubea(start)),
            ("net", Some(net.trim_end().to_owned())),
        ];
        forms.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }

    /// Reflection that exchanges left and right. For the 2×2×2, whose corner at D, B and L is
    /// fixed, it exchanges right and front.
    fn mirror(&self) -> Option<Mirror<Self>> {
        let mirrored = mirror::<N>()?;
        let image = Self {
            start: self.start().image(mirrored),
            scheme: self.scheme.mirrored(&mirrored.faces),
            ..self.clone()
        };
        Some(Mirror {
            image,
            action: |turn| mirror::<N>().map_or(turn, |one| Turn(turn_image(turn.0, one))),
        })
    }

    fn draw(&self, state: &Pieces, style: Style) -> String {
        draw::drawn::<N>(&self.colours(state), None, style)
    }

    fn draw_after(&self, played: &[Turn], state: &Pieces, style: Style) -> String {
        draw::drawn::<N>(&self.colours(state), played.last().copied(), style)
    }

    fn spots(&self, _: &[Turn], state: &Pieces) -> Vec<Spot> {
        touch::spots::<N>(&self.colours(state))
    }

    fn touch(&self, _: &[Turn], _: &Pieces, turn: Turn) -> Touch {
        touch::touch::<N>(self.metric(), turn)
    }

    fn solid(&self, played: &[Turn], state: &Pieces) -> Option<Solid> {
        Some(solid::solid::<N>(&self.colours(state), played.last().copied()))
    }

    fn turn(&self, _: &Pieces, turn: Turn) -> Option<board::Turn> {
        Some(solid::turn::<N>(turn))
    }
}
