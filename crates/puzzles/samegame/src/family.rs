//! SameGame in the catalogue.

use crate::layout::game_id;
use crate::solvers::best::{self, BestConfig, Kit};
use crate::{
    self as samegame, Layout, SameGame, SameGameConfig, Scoring,
    bounds::OneGroupEach,
    draw::{self, Trace},
    generate::uniform,
    layout::MOST,
    pieces,
    playout::{Games, Policy},
    tabu::Tabu,
    touch,
    value::Linear,
};
use unriddle_catalog::{
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    family::{Form, Generator, Variant},
    input::Piece,
    instance::{Frame, Instance, Style, Visit},
    listed::{ErasedInstance, Presentation, Preset, Scores, Solver},
    score::{BoundOf, PlayoutOf, Scored},
};
use unriddle_core::{
    Info, Notation, Options, Parameter, ParseError, Playout, Puzzle as _, Role, ScorePuzzle,
    options,
};

/// SameGame.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<SameGameVariant>();

/// SameGame with its rule of points.
pub struct SameGameVariant {
    scoring: Scoring,
}

impl Variant for SameGameVariant {
    type Aim = Scores;
    type Instance = samegame::Small;

    const INFO: &'static Info = &samegame::INFO;
    const TITLE: &'static str = "SameGame";
    const HAS_INDEPENDENT_RULES: bool = true;
    const UNIT: &'static str = "points";
    const GENERATORS: &'static [Generator<Self>] = &[Generator {
        info: &UNIFORM,
        make: |_, given, rng| {
            let UniformConfig { width, height, colours } = UniformConfig::read(given);
            Ok(uniform(width, height, colours, rng).text())
        },
    }];

    const FORMS: &'static [Form] = FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self { scoring: SameGameConfig::read(given).score }
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let layout = Layout::read(text, self.scoring)?;
        // Two shapes, because each is compiled into every search.
        if let Some(small) = samegame::Small::new(&layout, self.scoring) {
            return Ok(ErasedInstance::<_, Scores>::new(small).boxed());
        }
        let large = samegame::Large::new(&layout, self.scoring);
        let large = large.ok_or_else(|| ParseError::at(1, 1, "this board is too large"))?;
        Ok(ErasedInstance::<_, Scores>::new(large).boxed())
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        Some(touch::sketch(&Layout::parse(instance.unwrap_or(touch::STRIPES)).ok()?))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        pieces::split(file)
    }
}

const FORMS: &[Form] = &[
    Form::new(
        "rows",
        "Rows from the top, each on a line of its own: colours 0 to 7, with or without blanks or commas between them; \
         `.`, `-` or `-1` is no cell. A first line that begins with a letter is a title, and lines that begin with `#` are comments.",
        "position 1\n. . 1\n1 2 1\n1 2 2\n",
    ),
    Form::new(
        "letters",
        "Rows of letters, each letter a colour: the first letter of the board is colour 0, the next new letter colour 1, \
         at most 8, and upper and lower case are the same. The first two rows have equally many letters.",
        "..g\nrbg\nrbb\n",
    ),
    Form::new(
        GAME_ID,
        "The game id of Simon Tatham's Portable Puzzle Collection, in one line: columns `x` rows, `c` and the number of colours, \
         `s1` or `s2` for the rule of points, a colon, and the cells row by row with commas between them, a colour from 1 \
         or 0 for no cell. Colour 8 is colour 0 here. `s2` scores a group of n cells (n − 2)²; \
         `s1` scores (n − 1)² and is read by `samegame(score=square-1)`.",
        "3x3c3s2:0,0,1,1,2,1,1,2,2\n",
    ),
    Form::new(
        "file",
        "In a file, boards are apart by blank lines, each with a title or none; each game id is a line, perhaps with \
         `name:` before it, and so is a board of a single row with `name:` before it. Rows of one width with blank lines between them are refused, because they may be \
         one board or several boards of one row: write a title above each board, or remove the blank lines.",
        "position 1\n0 1\n1 1\n",
    ),
];

/// Name of the form of game ids.
const GAME_ID: &str = "game-id";

const fn bound(name: &'static str, summary: &'static str) -> Info {
    Info {
        guarantee: "a consistent upper bound",
        requires: "samegame",
        reference: "Schadd et al. 2012, section 3",
        ..Info::new(Role::Heuristic, name, summary)
    }
}

const ONE_GROUP: Info =
    bound("one-group-each", "upper bound: all cells of a colour in one group, and an empty board");
const LESS_SINGLES: Info = bound(
    "one-group-each-less-singles",
    "the same, without the points for an empty board where a colour has a single cell",
);

const fn policy(
    name: &'static str,
    summary: &'static str,
    reference: &'static str,
    parameters: &'static [Parameter],
) -> Info {
    let info = Info::new(Role::Playout, name, summary);
    Info { requires: "samegame", reference, parameters, ..info }
}

const TABU_RANDOM: Info = policy(
    Policy::NAMES[1],
    "a random colour is not played unless nothing else is left",
    "Schadd et al. 2012, section 4.1",
    TabuConfig::PARAMETERS,
);
const TABU_COLOR: Info = policy(
    Policy::NAMES[2],
    "the most frequent colour is not played unless nothing else is left",
    "Schadd et al. 2012, section 4.1",
    TabuConfig::PARAMETERS,
);
const ROULETTE: Info = policy(
    Policy::NAMES[3],
    "the colour of each move is drawn, rare ones more often (MC-RWS)",
    "Takes and Kosters 2009 (BNAIC)",
    RouletteConfig::PARAMETERS,
);

options! {
    /// Play-outs that keep a colour from being played.
    struct TabuConfig of TABU_COLOR {
        epsilon: f64 = "0.003" in 0.0..=1.0, "probability of a move drawn from all groups";
    }
}

options! {
    /// Play-outs that draw the colour of every move.
    struct RouletteConfig of ROULETTE {
        epsilon: f64 = "0.003" in 0.0..=1.0, "probability of a move drawn from all groups";
        power: f64 = "2" in 0.0..=100.0, "exponent p of a colour's weight (1 − share)^p";
    }
}

const UNIFORM: Info = Info {
    requires: "samegame",
    parameters: UniformConfig::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "uniform",
        "a full board, every cell of any colour with the same probability",
    )
};

options! {
    struct UniformConfig of UNIFORM {
        width: usize = "15" in 1..=MOST, "columns";
        height: usize = "15" in 1..=MOST, "rows";
        colours: u8 = "5" in 1..=8, "number of colours";
    }
}

impl<const N: usize, const L: u32> Scored for SameGame<N, L> {
    const PLAYOUTS: &'static [PlayoutOf<Self>] = &[
        PlayoutOf { info: &TABU_RANDOM, make: |_, given| tabu(Policy::TabuRandom, given) },
        PlayoutOf { info: &TABU_COLOR, make: |_, given| tabu(Policy::TabuColorRandom, given) },
        PlayoutOf {
            info: &ROULETTE,
            make: |_, given| {
                let RouletteConfig { epsilon, power } = RouletteConfig::read(given);
                Box::new(Games { policy: Policy::Roulette, epsilon, power })
            },
        },
    ];

    const BOUNDS: &'static [BoundOf<Self>] = &[
        BoundOf { info: &ONE_GROUP, make: |_| Box::new(OneGroupEach::<false>) },
        BoundOf { info: &LESS_SINGLES, make: |_| Box::new(OneGroupEach::<true>) },
    ];

    const SOLVERS: &'static [Solver<Self, Scores>] = &[Solver {
        info: &best::INFO,
        run: |puzzle, given, run| {
            let config = BestConfig { seed: run.request.seed, ..BestConfig::read(given) };
            Box::pin(async move { run.plain(Kit::new(puzzle).best(config)).await })
        },
    }];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "default",
            summary: "a beam, then parallel tempering of two million lines: a quarter of a minute",
            solver: |puzzle| {
                Some(match puzzle.scoring() {
                    Scoring::Clicks => {
                        "sg-best(tempers=1, again=0, cycles=1, hot=4, cold=0.5, left=4)"
                    }
                    scoring if has_groups_only(scoring) => {
                        "sg-best(tempers=1, again=0, cycles=1, left=0)"
                    }
                    _ => "sg-best(tempers=1, again=0, cycles=1)",
                })
            },
        },
        Preset {
            name: "fast",
            summary: "a narrow beam, then parallel tempering of a hundred thousand lines: a second",
            solver: |puzzle| {
                Some(match puzzle.scoring() {
                    Scoring::Clicks => {
                        "sg-best(width=20, tempers=1, evaluations=100k, chains=4, again=0, cycles=1, hot=4, cold=0.5, left=4)"
                    }
                    scoring if has_groups_only(scoring) => {
                        "sg-best(width=20, tempers=1, evaluations=100k, chains=4, again=0, cycles=1, left=0)"
                    }
                    _ => {
                        "sg-best(width=20, tempers=1, evaluations=100k, chains=4, again=0, cycles=1)"
                    }
                })
            },
        },
        Preset {
            name: "best",
            summary: "a portfolio of a beam, parallel tempering and re-search, without end: give it a limit",
            solver: |puzzle| {
                Some(match puzzle.scoring() {
                    Scoring::Clicks => "sg-best(hot=4, cold=0.5, left=4)",
                    scoring if has_groups_only(scoring) => "sg-best(left=0)",
                    _ => "sg-best",
                })
            },
        },
        // docs/results/samegame-cem-scaled-tenth/preset.toml
        Preset {
            name: "spmcts",
            summary: "Monte-Carlo tree search, tuned by cross-entropy, restarted without end: give it a limit",
            solver: |_| {
                Some(
                    "spmcts(tabu_color(epsilon=0.00485907), c=6.50296, d=122.355, t=15, w=0.22762, values=scaled, scale=30, per=move, moves=64, nodes=0, restart_nodes=30k)",
                )
            },
        },
        Preset {
            name: "optimal",
            summary: "A* with an upper bound: proved, for boards of some 40 cells",
            solver: |_| Some("astar(one-group-each-less-singles)"),
        },
    ];

    type Filter = Tabu;

    type Value = Linear;

    fn random(&self) -> Box<dyn Playout<Self>> {
        Box::new(Games { policy: Policy::Random, ..Games::default() })
    }
}

/// Whether only groups have points: an empty board has none, and remaining cells cost none.
const fn has_groups_only(scoring: Scoring) -> bool {
    matches!(scoring, Scoring::Product | Scoring::Square | Scoring::LessOne | Scoring::LessTwo)
}

/// The play-outs of a policy that keeps a colour from being played.
fn tabu<const N: usize, const L: u32>(
    policy: Policy,
    given: &Bound<'_>,
) -> Box<dyn Playout<SameGame<N, L>>> {
    let TabuConfig { epsilon } = TabuConfig::read(given);
    Box::new(Games { policy, epsilon, ..Games::default() })
}

impl<const N: usize, const L: u32> Presentation for SameGame<N, L> {
    /// The names of the colours and which side is left change nothing but the notation of
    /// solutions.
    fn canonical(&self) -> String {
        let columns = self.layout(&self.initial_state()).columns;
        let renamed = |columns: &mut dyn Iterator<Item = &Vec<u8>>| -> Vec<Vec<usize>> {
            let mut known = Vec::new();
            let mut name = |&colour: &u8| {
                let at = known.iter().position(|&other| other == colour);
                at.unwrap_or_else(|| {
                    known.push(colour);
                    known.len() - 1
                })
            };
            columns.map(|column| column.iter().map(&mut name).collect()).collect()
        };
        let least = renamed(&mut columns.iter()).min(renamed(&mut columns.iter().rev()));
        format!("{least:?}")
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        vec![(GAME_ID, game_id::written(&self.layout(&self.initial_state()), self.scoring()))]
    }

    fn draw(&self, board: &Self::State, style: Style) -> String {
        drawing(&self.layout(board), &Trace::default(), style)
    }

    fn spots(&self, _: &[Self::Action], board: &Self::State) -> Vec<Spot> {
        touch::spots(self, board)
    }

    fn touch(&self, _: &[Self::Action], board: &Self::State, action: Self::Action) -> Touch {
        touch::touch(self, board, action)
    }

    /// With the points so far.
    fn along(&self, actions: &[Self::Action], visit: Visit<'_>) {
        let mut board = self.initial_state();
        let mut trace = Trace::of(&board.columns());
        visit(&|style| Frame {
            drawing: drawing(&self.layout(&board), &trace, style),
            action: None,
        });
        let mut score = 0;
        for &action in actions {
            score += self.reward(&board, action);
            trace.take_out(touch::places(&board, action));
            board = self.apply(&board, action);
            let place = self.solution_text(&[action]);
            visit(&|style| Frame {
                drawing: drawing(&self.layout(&board), &trace, style),
                action: Some(format!("{place}: {} cells, {score} points", action.size)),
            });
        }
    }
}

fn drawing(layout: &Layout, trace: &Trace, style: Style) -> String {
    match style {
        Style::Plain => draw::text(layout, false),
        Style::Colour => draw::text(layout, true),
        Style::Svg => draw::svg(layout, trace),
    }
}
