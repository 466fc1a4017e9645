//! SameGame in the catalogue.

use crate::{
    bind::Bound,
    input,
    instance::{
        Aim, Events, Family, Frame, Instance, Preset, Puzzle, Report, Request, Rng, Size,
        SolveError, Style,
    },
    score::{Scored, solve_score},
    solver::{Listed, Runner, not_wired},
    spec::{Spec, SpecError},
};
use unriddle_core::{
    Domain, Info, Notation, Options, Parameter, ParseError, Playout, Puzzle as _, Role,
    ScorePuzzle, Solution, UpperBound,
};
use unriddle_puzzles::samegame::{
    self, Group, Layout, SameGame, SameGameConfig, Scoring,
    bounds::{OneGroupEach, OneGroupEachLessSingles},
    draw,
    generate::uniform,
    layout::MOST,
    playout::{Games, Policy},
    tabu::Tabu,
    value::Linear,
};
use unriddle_specialists::samegame::best;
use unriddle_tables::cache::Build;

/// SameGame.
pub const FAMILY: Family = Family {
    info: &samegame::INFO,
    aim: Aim::Score,
    searches: &[],
    specialists: &[&best::INFO],
    heuristics: &[&ONE_GROUP, &LESS_SINGLES],
    playouts: &[&TABU_RANDOM, &TABU_COLOR, &ROULETTE],
    generators: &[&UNIFORM],
    presets: &[
        Preset {
            name: "default",
            summary: "a beam, then parallel tempering of two million lines: a quarter of a minute",
        },
        Preset {
            name: "fast",
            summary: "a narrow beam, then parallel tempering of a hundred thousand lines: a second",
        },
        Preset {
            name: "best",
            summary: "a portfolio of a beam, parallel tempering and re-search, without end: give it a limit",
        },
        Preset {
            name: "spmcts",
            summary: "Monte-Carlo tree search, tuned by cross-entropy, restarted without end: give it a limit",
        },
        Preset {
            name: "optimal",
            summary: "A* with an upper bound: proved, for boards of some 40 cells",
        },
    ],
    sizes: &[Size {
        name: "any",
        generator: "uniform",
    }],
    configure: |bound| {
        let scoring = SameGameConfig::read(bound).score;
        Box::new(SameGamePuzzle { scoring })
    },
    inline: true,
    split: input::titled,
};

/// What a preset stands for.
const PRESETS: &[(&str, &str)] = &[
    ("default", "sg-best(tempers=1, again=0, cycles=1)"),
    (
        "fast",
        "sg-best(width=20, tempers=1, evaluations=100k, chains=4, again=0, cycles=1)",
    ),
    ("best", "sg-best"),
    // docs/results/samegame-cem-scaled-tenth/preset.toml
    (
        "spmcts",
        "spmcts(tabu_color(epsilon=0.00485907), c=6.50296, d=122.355, t=15, w=0.22762, values=scaled, scale=30, per=move, moves=64, nodes=0, restart_nodes=30k)",
    ),
    ("optimal", "astar(one-group-each-less-singles)"),
];

const fn bound(name: &'static str, summary: &'static str) -> Info {
    Info {
        name,
        role: Role::Heuristic,
        version: 1,
        summary,
        guarantee: "a consistent upper bound",
        requires: "samegame",
        reference: "Schadd et al. 2012, section 3",
        parameters: &[],
    }
}

const ONE_GROUP: Info = bound(
    "one-group-each",
    "upper bound: all cells of a colour in one group, and an empty board",
);
const LESS_SINGLES: Info = bound(
    "one-group-each-less-singles",
    "the same, without the points for an empty board where a colour has a single cell",
);

const EPSILON: Parameter = Parameter::named(
    "epsilon",
    Domain::Real { min: 0.0, max: 1.0 },
    "0.003",
    "probability of a move drawn from all groups",
);

const fn policy(
    name: &'static str,
    summary: &'static str,
    reference: &'static str,
    parameters: &'static [Parameter],
) -> Info {
    Info {
        name,
        role: Role::Playout,
        version: 1,
        summary,
        guarantee: "",
        requires: "samegame",
        reference,
        parameters,
    }
}

const TABU_RANDOM: Info = policy(
    Policy::NAMES[1],
    "a random colour is not played unless nothing else is left",
    "Schadd et al. 2012, section 4.1",
    &[EPSILON],
);
const TABU_COLOR: Info = policy(
    Policy::NAMES[2],
    "the most frequent colour is not played unless nothing else is left",
    "Schadd et al. 2012, section 4.1",
    &[EPSILON],
);
const ROULETTE: Info = policy(
    Policy::NAMES[3],
    "the colour of each move is drawn, rare ones more often (MC-RWS)",
    "Takes and Kosters 2009 (BNAIC)",
    &[
        EPSILON,
        Parameter::named(
            "power",
            Domain::Real {
                min: 0.0,
                max: 100.0,
            },
            "2",
            "exponent p of a colour's weight (1 − share)^p",
        ),
    ],
);

const fn size(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    let max = MOST as u64;
    Parameter::named(name, Domain::Integer { min: 1, max }, default, summary)
}

const UNIFORM: Info = Info {
    name: "uniform",
    role: Role::Generator,
    version: 1,
    summary: "a full board, every cell of any colour with the same probability",
    guarantee: "",
    requires: "samegame",
    reference: "",
    parameters: &[
        size("width", "15", "columns"),
        size("height", "15", "rows"),
        Parameter::named(
            "colours",
            Domain::Integer { min: 1, max: 8 },
            "5",
            "number of colours",
        ),
    ],
};

struct SameGamePuzzle {
    scoring: Scoring,
}

impl Puzzle for SameGamePuzzle {
    fn spec(&self) -> String {
        self.scoring.spec()
    }

    fn unit(&self) -> &'static str {
        "points"
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let layout = Layout::parse(text)?;
        // Two shapes, because each is compiled into every search.
        if let Some(puzzle) = samegame::Small::new(&layout, self.scoring) {
            return Ok(Box::new(SameGameInstance(puzzle)));
        }
        match samegame::Large::new(&layout, self.scoring) {
            Some(puzzle) => Ok(Box::new(SameGameInstance(puzzle))),
            None => Err(ParseError::at(1, 1, "this board is too large")),
        }
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        let size = |name| generator.integer(name) as usize;
        let colours = generator.integer("colours") as u8;
        Ok(uniform(size("width"), size("height"), colours, rng).text())
    }

    fn tables(&self, _: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        Ok(Vec::new())
    }
}

struct SameGameInstance<const N: usize, const L: u32>(SameGame<N, L>);

impl<const N: usize, const L: u32> Listed for SameGame<N, L> {
    fn family() -> &'static Family {
        &FAMILY
    }

    fn specialist(
        &self,
        solver: &Bound<'_>,
        run: Runner<'_, '_, Self>,
    ) -> Result<Report, SolveError> {
        let config = best::BestConfig {
            seed: run.request.seed,
            ..best::BestConfig::read(solver)
        };
        let kit = best::Kit::new(self);
        run.plain(kit.best(config))
    }

    fn value_of(&self, actions: Vec<Group>) -> Solution<Group> {
        Solution::scored(self, actions)
    }
}

impl<const N: usize, const L: u32> Scored for SameGame<N, L> {
    type Filter = Tabu;

    fn filter(&self) -> Tabu {
        Tabu::default()
    }

    type Value = Linear;

    fn value(&self) -> Linear {
        Linear::default()
    }

    fn random(&self) -> Box<dyn Playout<Self>> {
        Box::new(Games {
            policy: Policy::Random,
            ..Games::default()
        })
    }

    fn playout(&self, playout: &Bound<'_>) -> Result<Box<dyn Playout<Self>>, SolveError> {
        let name = playout.info().name;
        let policy = Policy::of(name).ok_or_else(|| not_wired("play-out", name))?;
        let mut games = Games {
            policy,
            epsilon: playout.real("epsilon"),
            ..Games::default()
        };
        if policy == Policy::Roulette {
            games.power = playout.real("power");
        }
        Ok(Box::new(games))
    }

    fn upper(&self, bound: &Bound<'_>) -> Result<Box<dyn UpperBound<Self>>, SolveError> {
        match bound.info().name {
            "one-group-each" => Ok(Box::new(OneGroupEach)),
            "one-group-each-less-singles" => Ok(Box::new(OneGroupEachLessSingles)),
            other => Err(not_wired("bound", other)),
        }
    }
}

impl<const N: usize, const L: u32> Instance for SameGameInstance<N, L> {
    fn text(&self) -> String {
        self.0.state_text(&self.0.initial_state())
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        let (_, spec) = PRESETS.iter().find(|(known, _)| *known == name)?;
        Spec::parse(spec).ok()
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        solve_score(&self.0, request, events)
    }

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let puzzle = &self.0;
        let draw = |board: &_| {
            let layout = puzzle.layout(board);
            match style {
                Style::Plain => draw::text(&layout, false),
                Style::Colour => draw::text(&layout, true),
                Style::Svg => draw::svg(&layout),
            }
        };
        let mut board = puzzle.initial_state();
        let mut frames = vec![Frame {
            drawing: draw(&board),
            action: None,
        }];
        let mut score = 0;
        for action in puzzle.parse_solution(solution)? {
            score += puzzle.reward(&board, action);
            board = puzzle.apply(&board, action);
            let place = puzzle.solution_text(&[action]);
            frames.push(Frame {
                drawing: draw(&board),
                action: Some(format!("{place}: {} cells, {score} points", action.size)),
            });
        }
        Ok(frames)
    }
}
