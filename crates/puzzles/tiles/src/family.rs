//! Sliding tiles in the catalogue.

use crate::{
    Board, Board4, LinearConflict, Manhattan, Partition, Pdb, Slide, Tiles, TilesConfig,
    WalkingDistance,
    board::{mirrored, mirrored_tile},
    draw, generate, linear_conflict, manhattan,
    notation::text,
    parse,
    pdb::{self, PdbConfig},
    walking_distance, with_board,
};
use unriddle_catalog::{
    bind::Bound,
    family::{Generator, Size, Variant},
    goal::Goal as Solvable,
    heuristic::{ErasedHeuristic, HeuristicOf, Setup, Tables},
    instance::{Instance, SolveError, Style},
    learning::Learning,
    listed::{Costs, ErasedInstance, Mirror, Presentation, Preset},
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
    const HAS_INDEPENDENT_RULES: bool = true;
    const SIZES: &'static [Size] = &[
        Size { name: "3-puzzle (side 2)", generator: "uniform(2)" },
        Size { name: "8-puzzle (side 3)", generator: "uniform(3)" },
        Size { name: "15-puzzle (side 4)", generator: "uniform(4)" },
        Size { name: "24-puzzle (side 5)", generator: "uniform(5)" },
        Size { name: "35-puzzle (side 6)", generator: "uniform(6)" },
        Size { name: "48-puzzle (side 7)", generator: "uniform(7)" },
        Size { name: "63-puzzle (side 8)", generator: "uniform(8)" },
    ];
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&UNIFORM, |variant, given, rng| {
            let side = UniformConfig::read(given).side;
            Ok(text(&generate::uniform(side, variant.goal, rng)))
        }),
        Generator::new(&WALK, |variant, given, rng| {
            let WalkConfig { side, min, max } = WalkConfig::read(given);
            if min > max {
                let message = format!("`min` is {min}, which is more than `max`, {max}");
                return Err(given.error("min", message));
            }
            Ok(text(&generate::walk(side, min, max, variant.goal, rng)))
        }),
    ];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let parsed = parse::parse(text, self.goal)?;
        let unsolvable = parsed.solvable.err();
        Ok(with_board!(parsed.side, B => {
            let puzzle = Tiles::<B>::new(&parsed.cells, self.goal);
            ErasedInstance::<_, Costs>::new(puzzle).unsolvable(unsolvable).boxed()
        }))
    }
}

/// Built-in networks by name. A static, so that the program contains the bytes only once (a
/// constant is copied into each crate that names it).
static NETWORKS: [(&str, &[u8]); 6] = [
    ("tiles8", include_bytes!("../../../../models/tiles8.safetensors")),
    ("tiles15", include_bytes!("../../../../models/tiles15.safetensors.gz")),
    ("tiles15-narrow", include_bytes!("../../../../models/tiles15-narrow.safetensors.gz")),
    ("tiles24", include_bytes!("../../../../models/tiles24.safetensors.gz")),
    ("tiles35", include_bytes!("../../../../models/tiles35.safetensors.gz")),
    ("tiles48", include_bytes!("../../../../models/tiles48.safetensors.gz")),
];

const UNIFORM: Info = Info {
    guarantee: "solvable",
    requires: "tiles",
    parameters: UniformConfig::PARAMETERS,
    ..Info::new(Role::Generator, "uniform", "every solvable board with the same probability")
};
options! {
    struct UniformConfig of UNIFORM {
        side: usize = "4" in 2..=8, positional, "side of the board";
    }
}

const WALK: Info = Info {
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
        side: usize = "4" in 2..=8, positional, "side of the board";
        min: u64 = "1000" in 0..=1_000_000_000, "fewest steps";
        max: u64 = "10000" in 0..=1_000_000_000, "most steps";
    }
}

/// The mirror image of a board at the main diagonal, with the blank's home last.
fn image(n: usize, cells: &[u8]) -> Vec<u8> {
    let at = |cell| mirrored_tile(n, usize::from(cells[mirrored(n, cell)])) as u8;
    (0..cells.len()).map(at).collect()
}

impl<B: Board> Presentation for Tiles<B> {
    /// The lesser of the board and its mirror image at the main diagonal, which have the same
    /// distance to the goal with the blank last.
    fn canonical(&self) -> String {
        let cells = self.start.cells();
        text(&image(B::N, &cells).min(cells))
    }

    fn mirror(&self) -> Option<Mirror<Self>> {
        let goal = self.convention;
        Some(Mirror {
            image: Self::new(&goal.turn(&image(B::N, &self.start.cells())), goal),
            // Rows become columns: up and left are exchanged, and so are down and right.
            action: |slide| Slide::ALL[slide as usize ^ 1],
        })
    }

    fn draw(&self, board: &B, style: Style) -> String {
        let goal = self.convention;
        let cells = goal.turn(&board.cells());
        match style {
            Style::Plain => draw::text(&cells, goal, false),
            Style::Colour => draw::text(&cells, goal, true),
            Style::Svg => draw::svg(&cells, goal),
        }
    }
}

impl<B: Board> Solvable for Tiles<B> {
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&NETWORKS));

    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf { info: &pdb::INFO, make: database, tables: |_, given| tables(given) },
        HeuristicOf::new(&walking_distance::INFO, |_, setup| {
            // No search is compiled for sides without a table.
            if const { B::N > walking_distance::MAX_TABLE_SIDE } {
                return Err(walking_distance::too_large(B::N).into());
            }
            Ok(ErasedHeuristic::each(WalkingDistance::<B>::new(setup.cache())?))
        }),
        HeuristicOf::new(&linear_conflict::INFO, |_, _| {
            Ok(ErasedHeuristic::each(LinearConflict::<B>::default()))
        }),
        HeuristicOf::new(&manhattan::INFO, |_, _| {
            Ok(ErasedHeuristic::each(Manhattan::<B>::default()))
        }),
    ];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new(
            "default",
            "optimal up to the 15-puzzle after a second of table building; larger boards: `fast`",
            |_| solver(B::N, "default"),
        ),
        Preset::new("optimal", "IDA* with the strongest tables; hours on hard 24-puzzles", |_| {
            solver(B::N, "optimal")
        }),
        Preset::new("fast", "a good solution soon, without tables", |_| solver(B::N, "fast")),
        Preset::new("best", "as short as can be had in about a minute per instance", |_| {
            solver(B::N, "best")
        }),
        Preset::new(
            "learned",
            "a beam by a network that was trained on the puzzle, without tables, which widens under a time limit; up to the 48-puzzle",
            |_| solver(B::N, "learned"),
        ),
    ];
}

/// The databases of a partition.
fn database<B: Board>(
    _: &Tiles<B>,
    setup: &Setup<'_>,
) -> Result<ErasedHeuristic<Tiles<B>>, SolveError> {
    let (given, cache) = (setup.given, setup.cache());
    let PdbConfig { partition, mirror } = PdbConfig::read(given);
    let partition = Partition::parse(B::N, &partition)
        .map_err(|why| given.error("partition", why.to_string()))?;
    let patterns = partition.patterns.len();
    // Each number of patterns is compiled into every depth-first search. So there are few, and only
    // those whose tables can be built on this side.
    Ok(if const { B::N <= 3 } {
        ErasedHeuristic::each(Pdb::<B, 8>::new(&partition, mirror, cache)?)
    } else if const { B::N == 4 } && patterns <= 2 {
        ErasedHeuristic::each(Pdb::<B, 2>::new(&partition, mirror, cache)?)
    } else if const { B::N <= 5 } && patterns <= 4 {
        ErasedHeuristic::each(Pdb::<B, 4>::new(&partition, mirror, cache)?)
    } else if const { B::N == 5 || B::N == 6 } && patterns <= 7 {
        ErasedHeuristic::each(Pdb::<B, 7>::new(&partition, mirror, cache)?)
    } else {
        ErasedHeuristic::each(Pdb::<B, 16>::new(&partition, mirror, cache)?)
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

/// Solver of a preset, by side.
fn solver(side: usize, name: &str) -> Option<&'static str> {
    Some(match (name, side) {
        ("default" | "optimal" | "best", 2 | 3) => "idastar(manhattan)",
        ("default", 4) => "idastar(pdb(6-6-3))",
        ("optimal" | "best", 4) => "idastar(pdb(7-8))",
        ("optimal", 5) => "idastar(pdb(6-6-6-6))",
        ("optimal", 6) => "idastar(pdb(7x5))",
        ("optimal", 7) => "idastar(pdb(12x4))",
        ("optimal", _) => "idastar(linear-conflict)",
        ("fast", 2..=4) => "astar(linear-conflict, w=2)",
        ("fast" | "default", _) => "beam(linear-conflict, width=2000)",
        ("learned", 3) => "beam(net(tiles8, precision=bytes), width=100, widen=timed)",
        ("learned", 4) => "beam(net(tiles15, precision=bytes), width=1000, widen=timed)",
        // A network finds shorter solutions than a database, or than both together
        // (docs/results/best.md).
        ("learned" | "best", 5) => {
            "beam(net(tiles24, precision=bytes, mirror=on), width=64k, widen=timed)"
        }
        ("learned" | "best", 6) => {
            "beam(net(tiles35, precision=bytes, mirror=on), width=20k, widen=timed)"
        }
        ("learned" | "best", 7) => {
            "beam(net(tiles48, precision=bytes, mirror=on), width=10k, widen=timed)"
        }
        ("best", _) => "beam(linear-conflict, width=100k, widen=timed)",
        _ => return None,
    })
}
