//! Sliding tiles in the catalogue.

use crate::{
    AnyBoard, Board, Board3, Board4, Board5, Board6, Goal, LinearConflict, Manhattan, Partition,
    Pdb, Shape, Slide, Tiles, TilesConfig, WalkingDistance, draw, forms, generate, linear_conflict,
    manhattan, mirror_image,
    notation::{self, text},
    optimal::{self, OptimalConfig, OptimalTree},
    parse,
    pdb::{self, PdbConfig},
    shape::MAX_LINES,
    split, touch, walking_distance,
};
use unriddle_catalog::{
    SpecError,
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    embedded,
    family::{Form, Generator, Size, Variant},
    goal::Goal as Solvable,
    heuristic::{ErasedHeuristic, HeuristicOf, Setup, Tables},
    input::Piece,
    instance::{Instance, SolveError, Style},
    learning::Learning,
    listed::{Costs, ErasedInstance, Mirror, Presentation, Preset},
    solver::Solver,
    view::View,
};
use unriddle_core::{Info, Options, ParseError, Role, options};
use unriddle_tables::cache::Build;

/// Sliding tiles.
// Every compilation unit that refers to this static compiles all searches. Unit tests avoid that,
// since it would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<TilesConfig>();

impl Variant for TilesConfig {
    type Aim = Costs;
    type Instance = Tiles<Board4>;

    const INFO: &'static Info = &crate::INFO;
    const TITLE: &'static str = "Sliding tiles";
    const HAS_INDEPENDENT_RULES: bool = true;
    const SIZES: &'static [Size] = &[
        Size { name: "3-puzzle (side 2)", generator: "uniform(2)" },
        Size { name: "8-puzzle (side 3)", generator: "uniform(3)" },
        Size { name: "15-puzzle (side 4)", generator: "uniform(4)" },
        Size { name: "24-puzzle (side 5)", generator: "uniform(5)" },
        Size { name: "35-puzzle (side 6)", generator: "uniform(6)" },
        Size { name: "48-puzzle (side 7)", generator: "uniform(7)" },
        Size { name: "63-puzzle (side 8)", generator: "uniform(8)" },
        Size { name: "small rectangles, such as 3×4", generator: "uniform(3, 4)" },
        Size { name: "larger rectangles, such as 4×5", generator: "uniform(4, 5)" },
    ];
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&UNIFORM, |variant, given, rng| {
            let UniformConfig { rows, columns } = UniformConfig::read(given);
            let shape = shape(given, rows, columns)?;
            Ok(text(shape, &generate::uniform(shape, variant.goal, rng)))
        }),
        Generator::new(&WALK, |variant, given, rng| {
            let WalkConfig { rows, columns, min, max } = WalkConfig::read(given);
            let shape = shape(given, rows, columns)?;
            if min > max {
                let message = format!("`min` is {min}, which is more than `max`, {max}");
                return Err(given.error("min", message));
            }
            Ok(text(shape, &generate::walk(shape, min, max, variant.goal, rng)))
        }),
    ];
    const FORMS: &'static [Form] = forms::FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let parse::Parsed { shape, cells, solvable } = parse::parse(text, self.goal)?;
        let (goal, why) = (self.goal, solvable.err());
        let side = (shape.is_square() && goal.canonical() == Goal::BlankLast).then_some(shape.rows);
        Ok(match side {
            Some(3) => erased::<Board3>(shape, &cells, goal, why),
            Some(4) => erased::<Board4>(shape, &cells, goal, why),
            Some(5) => erased::<Board5>(shape, &cells, goal, why),
            Some(6) => erased::<Board6>(shape, &cells, goal, why),
            _ => erased::<AnyBoard>(shape, &cells, goal, why),
        })
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        let Some(text) = instance else {
            return Some(touch::solved(self.goal));
        };
        let parse::Parsed { shape, cells, .. } = parse::parse(text, self.goal).ok()?;
        Some(touch::sketch(shape, &cells))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        split::split(file)
    }
}

/// An instance of a type of boards, with the reason if it is unsolvable.
fn erased<B: Board>(
    shape: Shape,
    cells: &[u8],
    goal: Goal,
    unsolvable: Option<String>,
) -> Box<dyn Instance> {
    let puzzle = Tiles::<B>::of(shape, cells, goal);
    ErasedInstance::<_, Costs>::new(puzzle).unsolvable(unsolvable).boxed()
}

/// The shape of a generator's rows and columns.
fn shape(given: &Bound<'_>, rows: usize, columns: usize) -> Result<Shape, SpecError> {
    let columns = if columns == 0 { rows } else { columns };
    Shape::new(rows, columns).ok_or_else(|| {
        let message = format!(
            "expected at least 2 rows and columns and at most 64 cells, found {rows}×{columns}"
        );
        given.error("columns", message)
    })
}

/// Built-in networks by name. A static, so that the program contains the bytes only once (a
/// constant is copied into each crate that names it).
static NETWORKS: [(&str, &[u8]); 7] = [
    ("tiles8", embedded!("../models/tiles8.safetensors")),
    ("tiles15", embedded!("../models/tiles15.safetensors.gz")),
    ("tiles15-narrow", embedded!("../models/tiles15-narrow.safetensors.gz")),
    ("tiles24", embedded!("../models/tiles24.safetensors.gz")),
    ("tiles24-blocks", embedded!("../models/tiles24-blocks.safetensors.gz")),
    ("tiles35-blocks", embedded!("../models/tiles35-blocks.safetensors.gz")),
    ("tiles48-long", embedded!("../models/tiles48-long.safetensors.gz")),
];

const UNIFORM: Info = Info {
    version: 2,
    guarantee: "solvable",
    requires: "tiles",
    parameters: UniformConfig::PARAMETERS,
    ..Info::new(Role::Generator, "uniform", "every solvable board with the same probability")
};
options! {
    struct UniformConfig of UNIFORM {
        rows was "side": usize = "4" in 2..=MAX_LINES, positional, "number of rows";
        columns: usize = "0" in 0..=MAX_LINES, positional, "number of columns (0 = as many as rows)";
    }
}

const WALK: Info = Info {
    version: 2,
    guarantee: "solvable",
    requires: "tiles",
    reference: "Agostinelli et al. 2019 (1,000 to 10,000 steps)",
    parameters: WalkConfig::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "walk",
        "a random walk back from the goal, its number of steps uniform between two bounds",
    )
};
options! {
    struct WalkConfig of WALK {
        rows was "side": usize = "4" in 2..=MAX_LINES, positional, "number of rows";
        columns: usize = "0" in 0..=MAX_LINES, "number of columns (0 = as many as rows)";
        min: u64 = "1000" in 0..=1_000_000_000, "fewest steps";
        max: u64 = "10000" in 0..=1_000_000_000, "most steps";
    }
}

impl<B: Board> Presentation for Tiles<B> {
    fn text(&self) -> String {
        self.written(&self.start)
    }

    /// The lesser of the board and its mirror image at the main diagonal, which have the same
    /// distance to the goal with the blank last. Only squares are compared with a spiral as goal.
    fn canonical(&self) -> String {
        let (shape, cells) = (self.shape(), self.cells(&self.start));
        if self.convention == Goal::Snail {
            return text(shape, &cells);
        }
        let image = (shape.transposed(), mirror_image(shape, &cells));
        let (shape, cells) = image.min((shape, cells));
        text(shape, &cells)
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        forms::written(
            self.shape(),
            &self.convention.turn(&self.cells(&self.start)),
            self.convention,
        )
    }

    fn solution_forms(&self, actions: &[Slide]) -> Vec<(&'static str, String)> {
        notation::in_other_forms(self, actions)
    }

    fn mirror(&self) -> Option<Mirror<Self>> {
        let (shape, goal) = (self.shape(), self.convention);
        (goal != Goal::Snail).then(|| Mirror {
            image: Self::of(
                shape.transposed(),
                &goal.turn(&mirror_image(shape, &self.cells(&self.start))),
                goal,
            ),
            action: Slide::mirrored,
        })
    }

    fn spots(&self, _: &[Slide], board: &B) -> Vec<Spot> {
        touch::spots(self.shape(), &self.convention.turn(&self.cells(board)))
    }

    fn touch(&self, _: &[Slide], board: &B, slide: Slide) -> Touch {
        let (shape, goal) = (self.shape(), self.convention);
        touch::touch(shape, &goal.turn(&self.cells(board)), goal.turn_slide(slide))
    }

    fn draw(&self, board: &B, style: Style) -> String {
        let goal = self.convention;
        let (shape, cells) = (self.shape(), goal.turn(&self.cells(board)));
        match style {
            Style::Plain => draw::text(shape, &cells, goal, false),
            Style::Colour => draw::text(shape, &cells, goal, true),
            Style::Svg => draw::svg(shape, &cells, goal),
        }
    }
}

impl<B: Board> Solvable for Tiles<B> {
    const LEARNING: Option<Learning<Self>> =
        Some(Learning::new(&NETWORKS).with_rows().with_tables(Tiles::open_tables));

    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf { info: &pdb::INFO, make: database, tables: |_, given| tables(given) },
        HeuristicOf::new(&walking_distance::INFO, |puzzle, setup| {
            // No search is compiled for sides without a table.
            if const { side_of::<B>() > walking_distance::MAX_TABLE_SIDE } {
                return Err(walking_distance::too_large(puzzle.shape().rows).into());
            }
            Ok(ErasedHeuristic::each(WalkingDistance::new(puzzle, setup.cache())?))
        }),
        HeuristicOf::new(&linear_conflict::INFO, |puzzle, _| {
            Ok(ErasedHeuristic::each(LinearConflict::new(puzzle)))
        }),
        HeuristicOf::new(&manhattan::INFO, |puzzle, _| {
            Ok(ErasedHeuristic::each(Manhattan::new(puzzle)))
        }),
    ];

    const SOLVERS: &'static [Solver<Self, Costs>] = &[Solver {
        info: &optimal::INFO,
        run: |puzzle, given, run| {
            Box::pin(async move {
                // No search is compiled for boards of other sides.
                if const { side_of::<B>() == optimal::SIDE } && puzzle.is_square_with_blank_last() {
                    let config = OptimalConfig::read(given);
                    let tree = OptimalTree::new(puzzle, config, run.request.cache)?;
                    let bytes = tree.table_bytes();
                    return run.on_tree(tree, bytes).await;
                }
                Err(SolveError::Unsupported(format!(
                    "{} solves square boards of side {} with the goal blank-last or blank-first; `idastar(linear-conflict)` solves all",
                    optimal::INFO.name,
                    optimal::SIDE
                )))
            })
        },
    }];
    fn solver_tables(_: Option<&Self>, solver: &Bound<'_>) -> Tables {
        Ok(optimal::tables(OptimalConfig::read(solver))?)
    }

    fn views(&self) -> Vec<View<Self>> {
        let views = self.equivalents().into_iter();
        views.map(|(puzzle, back)| View { puzzle, back }).collect()
    }

    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new(
            "default",
            "optimal up to the 15-puzzle after a second of table building; larger boards: `fast`",
            |puzzle| solver(puzzle, "default"),
        ),
        Preset::new(
            "optimal",
            "IDA* with the strongest tables; 24-puzzles by a search of their own, minutes to hours",
            |puzzle| solver(puzzle, "optimal"),
        ),
        Preset::new("fast", "a good solution soon, without tables", |puzzle| {
            solver(puzzle, "fast")
        }),
        Preset::new("best", "as short as can be had in about a minute per instance", |puzzle| {
            solver(puzzle, "best")
        }),
        Preset::new(
            "learned",
            "a beam by a network that was trained on the puzzle, which widens under a time limit; up to the 48-puzzle. The network of the 35-puzzle reads small tables, which are built in seconds",
            |puzzle| solver(puzzle, "learned"),
        ),
    ];
}

/// Side of the type's boards; 0 for boards of any shape.
const fn side_of<B: Board>() -> usize {
    match B::SIDE {
        Some(side) => side,
        None => 0,
    }
}

/// The databases of a partition.
fn database<B: Board>(
    puzzle: &Tiles<B>,
    setup: &Setup<'_>,
) -> Result<ErasedHeuristic<Tiles<B>>, SolveError> {
    let (given, cache) = (setup.given, setup.cache());
    let PdbConfig { partition, mirror } = PdbConfig::read(given);
    if !puzzle.is_square_with_blank_last() {
        return Err(pdb::unsuited(puzzle).into());
    }
    let partition = Partition::parse(puzzle.shape().rows, &partition)
        .map_err(|why| given.error("partition", why.to_string()))?;
    let patterns = partition.patterns.len();
    // Each number of patterns is compiled into every depth-first search. So there are few, and only
    // those whose tables can be built on this side.
    Ok(if const { side_of::<B>() == 3 } {
        ErasedHeuristic::each(Pdb::<B, 8>::new(puzzle, &partition, mirror, cache)?)
    } else if const { side_of::<B>() == 4 } && patterns <= 2 {
        ErasedHeuristic::each(Pdb::<B, 2>::new(puzzle, &partition, mirror, cache)?)
    } else if const { matches!(side_of::<B>(), 4 | 5) } && patterns <= 4 {
        ErasedHeuristic::each(Pdb::<B, 4>::new(puzzle, &partition, mirror, cache)?)
    } else if const { matches!(side_of::<B>(), 5 | 6) } && patterns <= 7 {
        ErasedHeuristic::each(Pdb::<B, 7>::new(puzzle, &partition, mirror, cache)?)
    } else {
        ErasedHeuristic::each(Pdb::<B, 16>::new(puzzle, &partition, mirror, cache)?)
    })
}

/// The tables of a partition. The side follows from the partition: a name belongs to a single side,
/// and a list to the side whose tiles it contains.
fn tables(given: &Bound<'_>) -> Tables {
    let name = &PdbConfig::read(given).partition;
    let Some(partition) = (2..=8).find_map(|side| Partition::parse(side, name).ok()) else {
        let names: Vec<_> = (2..=8).flat_map(Partition::names).collect();
        let message = format!(
            "no partition \"{name}\"; known: {}; or tiles such as 1.2.3.4/5.6.7.8",
            names.join(", ")
        );
        return Err(given.error("partition", message).into());
    };
    let tables = partition.tables()?.into_iter();
    Ok(tables.map(|table| Box::new(table) as Box<dyn Build>).collect())
}

/// Solver of a preset.
fn solver<B: Board>(puzzle: &Tiles<B>, name: &str) -> Option<&'static str> {
    let shape = puzzle.shape();
    if puzzle.is_square_with_blank_last() {
        square_solver(shape.rows, name)
    } else {
        any_solver(shape, name)
    }
}

/// Solver of a preset for boards without tables and networks, by shape. In narrow boards tiles
/// seldom pass each other, and solutions are longer than in squares of as many cells.
fn any_solver(shape: Shape, name: &str) -> Option<&'static str> {
    let is_narrow = shape.rows.min(shape.columns) == 2;
    let is_small = shape.cells() <= if is_narrow { 12 } else { 16 };
    Some(match name {
        "optimal" => "idastar(linear-conflict)",
        "default" | "best" if is_small => "idastar(linear-conflict)",
        "default" | "fast" if shape.cells() <= 16 => "astar(linear-conflict, w=2)",
        "default" | "fast" => "beam(linear-conflict, width=2000)",
        "best" => "beam(linear-conflict, width=100k, widen=timed)",
        _ => return None,
    })
}

/// Solver of a preset for squares with the goal blank-last or blank-first, by side.
fn square_solver(side: usize, name: &str) -> Option<&'static str> {
    Some(match (name, side) {
        ("default" | "optimal" | "best", 2 | 3) => "idastar(manhattan)",
        ("default", 4) => "idastar(pdb(6-6-3))",
        ("optimal" | "best", 4) => "idastar(pdb(7-8))",
        // The beam's solution is mostly optimal, and then saves the last iteration.
        ("optimal", 5) => {
            "prove(beam(net(tiles24-blocks, precision=short), width=1000), tiles-optimal)"
        }
        ("optimal", 6) => "idastar(pdb(7x5), prune=automaton)",
        ("optimal", 7) => "idastar(pdb(12x4), prune=automaton)",
        ("optimal", _) => "idastar(linear-conflict)",
        ("fast", 2..=4) => "astar(linear-conflict, w=2)",
        ("fast" | "default", _) => "beam(linear-conflict, width=2000)",
        ("learned", 3) => "beam(net(tiles8, precision=bytes), width=100, widen=timed)",
        ("learned", 4) => "beam(net(tiles15, precision=bytes), width=1000, widen=timed)",
        // A network finds shorter solutions than a database, or than both together
        // (docs/results/best.md).
        ("learned" | "best", 5) => {
            "beam(net(tiles24-blocks, precision=short), width=14k, views=2, widen=timed)"
        }
        ("learned" | "best", 6) => {
            "beam(net(tiles35-blocks, precision=short), width=64k, views=2, widen=timed)"
        }
        ("learned" | "best", 7) => {
            "beam(net(tiles48-long, precision=short), width=16k, views=2, widen=timed)"
        }
        ("best", _) => "beam(linear-conflict, width=100k, widen=timed)",
        _ => return None,
    })
}
