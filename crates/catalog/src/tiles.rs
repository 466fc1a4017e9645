//! Sliding tiles in the catalogue.

use crate::{
    bind::{Bound, bind, find},
    input,
    instance::{
        Aim, Events, Family, Frame, Instance, Preset, Puzzle, Report, Request, Rng, Size,
        SolveError, Style,
    },
    net, registry,
    solver::{Listed, Visitor, WithHeuristics, solve_goal},
    spec::{Spec, SpecError},
};
use unriddle_core::{
    BatchHeuristic, Domain, Features as _, Info, Notation, Options, Parameter, ParseError,
    Puzzle as _, Role, Solution,
};
use unriddle_puzzles::{
    tiles::{
        self, Board, Goal, LinearConflict, Manhattan, Partition, Pdb, Tiles, TilesConfig,
        WalkingDistance, draw, generate, linear_conflict, manhattan, parse,
        pdb::{self, PdbConfig},
        walking_distance,
    },
    with_board,
};
use unriddle_tables::{Cache, cache::Build};

/// Sliding tiles.
pub const FAMILY: Family = Family {
    info: &tiles::INFO,
    aim: Aim::Cost,
    playouts: &[],
    searches: &[],
    specialists: &[],
    heuristics: HEURISTICS,
    generators: &[&UNIFORM, &WALK],
    presets: &[
        Preset {
            name: "default",
            summary: "optimal up to the 15-puzzle after a second of table building; larger boards: `fast`",
        },
        Preset {
            name: "optimal",
            summary: "IDA* with the strongest tables; hours on hard 24-puzzles",
        },
        Preset {
            name: "fast",
            summary: "a good solution soon, without tables",
        },
        Preset {
            name: "best",
            summary: "as short as can be had in about a minute per instance",
        },
        Preset {
            name: "learned",
            summary: "a beam by a network that was trained on the puzzle, without tables; up to the 48-puzzle",
        },
    ],
    sizes: SIZES,
    configure: |bound| {
        let goal = TilesConfig::read(bound).goal;
        Box::new(TilesPuzzle { goal })
    },
    inline: true,
    split: input::lines,
};

const SIZES: &[Size] = &[
    size("3-puzzle (side 2)", "uniform(2)"),
    size("8-puzzle (side 3)", "uniform(3)"),
    size("15-puzzle (side 4)", "uniform(4)"),
    size("24-puzzle (side 5)", "uniform(5)"),
    size("35-puzzle (side 6)", "uniform(6)"),
    size("48-puzzle (side 7)", "uniform(7)"),
    size("63-puzzle (side 8)", "uniform(8)"),
];

const fn size(name: &'static str, generator: &'static str) -> Size {
    Size { name, generator }
}

const HEURISTICS: &[&Info] = &[
    &pdb::INFO,
    &walking_distance::INFO,
    &linear_conflict::INFO,
    &manhattan::INFO,
    &net::INFO,
];

const SIDE: Parameter = Parameter::positional(
    "side",
    Domain::Integer { min: 2, max: 8 },
    "4",
    "side of the board",
);

const UNIFORM: Info = Info {
    name: "uniform",
    role: Role::Generator,
    version: 1,
    summary: "every solvable board with the same probability",
    guarantee: "solvable",
    requires: "tiles",
    reference: "",
    parameters: &[SIDE],
};

const STEPS: Domain = Domain::Integer {
    min: 0,
    max: 1_000_000_000,
};
const WALK: Info = Info {
    name: "walk",
    role: Role::Generator,
    version: 1,
    summary: "a random walk back from the goal, its number of steps uniform between two bounds",
    guarantee: "solvable",
    requires: "tiles",
    reference: "Agostinelli et al. 2019 (1,000 to 10,000 steps)",
    parameters: &[
        SIDE,
        Parameter::named("min", STEPS, "1000", "fewest steps"),
        Parameter::named("max", STEPS, "10000", "most steps"),
    ],
};

struct TilesPuzzle {
    goal: Goal,
}

impl Puzzle for TilesPuzzle {
    fn spec(&self) -> String {
        match self.goal {
            Goal::BlankLast => tiles::INFO.name.to_owned(),
            Goal::BlankFirst => format!("{}(goal={})", tiles::INFO.name, Goal::NAMES[1]),
        }
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let parsed = parse::parse(text, self.goal)?;
        let unsolvable = parsed.solvable.err();
        Ok(with_board!(parsed.side, B => Box::new(TilesInstance::<B> {
            puzzle: Tiles::new(&parsed.cells, self.goal),
            unsolvable,
        })))
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        let side = generator.integer("side") as usize;
        let cells = if generator.info().name == WALK.name {
            let (min, max) = (generator.integer("min"), generator.integer("max"));
            if min > max {
                let message = format!("`min` is {min}, which is more than `max`, {max}");
                return Err(generator.error("min", message));
            }
            generate::walk(side, min, max, self.goal, rng)
        } else {
            generate::uniform(side, self.goal, rng)
        };
        let numbers: Vec<String> = cells.iter().map(u8::to_string).collect();
        Ok(numbers.join(" "))
    }

    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        let infos = registry::expressions(&FAMILY);
        let bound = bind(find(&infos, Role::Heuristic, heuristic)?, heuristic)?;
        let mut tables: Vec<Box<dyn Build>> = Vec::new();
        match bound.info().name {
            "max" => {
                for part in bound.exprs("h") {
                    tables.extend(self.tables(part)?);
                }
            }
            "pdb" => {
                // The side follows from the partition: a name stands for one side only, and a list for
                // the one whose tiles it holds.
                let name = &PdbConfig::read(&bound).partition;
                let partition = (2..=8).find_map(|side| Partition::parse(side, name).ok());
                let partition = match partition {
                    Some(partition) => partition,
                    None => {
                        let names: Vec<_> = (2..=8).flat_map(Partition::names).collect();
                        let message = format!(
                            "no partition \"{name}\"; known: {}; or tiles such as 1.2.3.4/5.6.7.8",
                            names.join(", ")
                        );
                        return Err(bound.error("partition", message).into());
                    }
                };
                for pattern in partition.tables()? {
                    tables.push(Box::new(pattern));
                }
            }
            _ => {}
        }
        Ok(tables)
    }
}

struct TilesInstance<B> {
    puzzle: Tiles<B>,
    unsolvable: Option<String>,
}

impl<B: Board> Listed for Tiles<B> {
    fn family() -> &'static Family {
        &FAMILY
    }

    fn value_of(&self, actions: Vec<Self::Action>) -> Solution<Self::Action> {
        Solution::played(self, actions)
    }
}

impl<B: Board> WithHeuristics for Tiles<B> {
    fn visit<V: Visitor<Self>>(
        &self,
        heuristic: &Bound<'_>,
        cache: &Cache,
        visitor: V,
    ) -> Result<V::Output, SolveError> {
        Ok(match heuristic.info().name {
            "manhattan" => visitor.visit(Manhattan::<B>::new()),
            "linear-conflict" => visitor.visit(LinearConflict::<B>::new()),
            "walking-distance" => visitor.visit(WalkingDistance::<B>::new(cache)?),
            "pdb" => {
                let PdbConfig { partition, mirror } = PdbConfig::read(heuristic);
                let partition = Partition::parse(B::N, &partition)
                    .map_err(|why| heuristic.error("partition", why.to_string()))?;
                match partition.patterns().len() {
                    1..=2 => visitor.visit(Pdb::<B, 2>::new(&partition, mirror, cache)?),
                    3..=4 => visitor.visit(Pdb::<B, 4>::new(&partition, mirror, cache)?),
                    5..=7 => visitor.visit(Pdb::<B, 7>::new(&partition, mirror, cache)?),
                    _ => visitor.visit(Pdb::<B, 16>::new(&partition, mirror, cache)?),
                }
            }
            "net" => {
                let message = "a network estimates many states at a time: search with astar, greedy, bwas or beam";
                return Err(SolveError::Unsupported(message.to_owned()));
            }
            other => {
                let message = format!("`{other}` is declared but not wired");
                return Err(SolveError::Unsupported(message));
            }
        })
    }

    fn batch(
        &self,
        heuristic: &Bound<'_>,
        request: &Request<'_>,
    ) -> Option<Result<Box<dyn BatchHeuristic<Self>>, SolveError>> {
        let samples = |count: usize| {
            let mut active = Vec::new();
            for i in 0..count as u64 {
                let cells = generate::uniform(B::N, Goal::BlankLast, &mut Rng::new(i));
                let puzzle = Self::new(&cells, Goal::BlankLast);
                puzzle.active(&puzzle.initial_state(), &mut |index| active.push(index));
            }
            active
        };
        let inputs = net::Inputs {
            of: (tiles::INFO.name, B::N.to_string(), Goal::NAMES[0]),
            is_odd: Self::is_odd,
            samples,
            mirror: || tiles::mirrored_features(B::N),
        };
        (heuristic.info().name == net::INFO.name).then(|| net::load(heuristic, request, &inputs))
    }
}

/// What a preset stands for, by side.
fn preset(side: usize, name: &str) -> Option<&'static str> {
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
        ("best", 5) => "beam(pdb(6-6-6-6), width=200k)",
        ("best", 6) => "beam(pdb(7x5), width=200k)",
        ("best", 7) => "beam(pdb(12x4), width=100k)",
        ("best", _) => "beam(linear-conflict, width=100k)",
        ("learned", 3) => "beam(net(tiles8, numbers=bytes), width=100)",
        ("learned", 4) => "beam(net(tiles15, numbers=bytes), width=1000)",
        ("learned", 5) => "beam(net(tiles24, numbers=bytes, mirror=on), width=64k)",
        ("learned", 6) => "beam(net(tiles35, numbers=bytes, mirror=on), width=20k)",
        ("learned", 7) => "beam(net(tiles48, numbers=bytes, mirror=on), width=10k)",
        _ => return None,
    })
}

impl<B: Board> Instance for TilesInstance<B> {
    fn text(&self) -> String {
        self.puzzle.state_text(&self.puzzle.initial_state())
    }

    fn unsolvable(&self) -> Option<&str> {
        self.unsolvable.as_deref()
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        Spec::parse(preset(B::N, name)?).ok()
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        solve_goal(&self.puzzle, request, events)
    }

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let goal = self.puzzle.convention();
        let draw = |board: &B| {
            let cells = goal.turn(&board.cells());
            match style {
                Style::Plain => draw::text(&cells, goal, false),
                Style::Colour => draw::text(&cells, goal, true),
                Style::Svg => draw::svg(&cells, goal),
            }
        };
        let mut board = self.puzzle.initial_state();
        let mut frames = vec![Frame {
            drawing: draw(&board),
            action: None,
        }];
        for slide in self.puzzle.parse_solution(solution)? {
            board = self.puzzle.apply(&board, slide);
            let letter = self.puzzle.solution_text(&[slide]);
            frames.push(Frame {
                drawing: draw(&board),
                action: Some(letter),
            });
        }
        Ok(frames)
    }
}
