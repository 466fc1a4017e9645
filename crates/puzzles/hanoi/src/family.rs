//! Towers of Hanoi in the catalogue.

use crate::{
    Hanoi, MOST, PEGS, State, Step, draw,
    exact::{self, Exact, ExactConfig},
    lists, misplaced,
    stewart::{self, FrameStewart},
    touch,
    towers::{self, Towers, TowersConfig},
};
use unriddle_catalog::{
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    family::{Form, Generator, Size, Variant},
    goal::Goal,
    heuristic::{ErasedHeuristic, HeuristicOf, Tables},
    instance::{Instance, SolveError, Style},
    listed::{Costs, DeclaredPuzzle, ErasedInstance, Presentation, Preset, Solver},
    spec::Spec,
};
use unriddle_core::{
    Estimate, Guarantee, Info, Notation as _, Options as _, ParseError, Puzzle as _, Rng, Role,
    options,
};
use unriddle_tables::Build;

/// Towers of Hanoi.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

options! {
    /// Towers of Hanoi with a number of pegs.
    pub struct Variety of INFO {
        pegs: u8 = "3" in 3..=PEGS as u8, "pegs";
    }
}

/// Towers of Hanoi.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    ..Info::new(Role::Puzzle, "hanoi", "bring all disks to the last peg")
};

const TOWER: Info = Info {
    parameters: Tower::PARAMETERS,
    ..Info::new(Role::Generator, "tower", "all disks on the first peg")
};
options! { struct Tower of TOWER { disks: u8 = "4" in 1..=MOST as u8, positional, "disks"; } }

const RANDOM: Info = Info {
    parameters: Random::PARAMETERS,
    ..Info::new(Role::Generator, "random", "each disk on a random peg")
};
options! { struct Random of RANDOM { disks: u8 = "4" in 1..=MOST as u8, positional, "disks"; } }

/// Text of an instance: `peg` is called for each of the `disks` smallest disks.
fn text(variety: &Variety, disks: u8, mut peg: impl FnMut() -> u8) -> String {
    let mut start: State = [variety.pegs - 1; MOST];
    let disks = usize::from(disks);
    start[..disks].fill_with(&mut peg);
    let puzzle = Hanoi { disks, pegs: variety.pegs, start };
    puzzle.state_text(&start)
}

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Hanoi;

    const INFO: &'static Info = &INFO;
    const TITLE: &'static str = "Tower of Hanoi";
    const SIZES: &'static [Size] = &[Size { name: "8 disks", generator: "random(8)" }];
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&RANDOM, |variety, given, rng: &mut Rng| {
            let peg = || rng.below(variety.pegs.into()) as u8;
            Ok(text(variety, Random::read(given).disks, peg))
        }),
        Generator::new(&TOWER, |variety, given, _| {
            Ok(text(variety, Tower::read(given).disks, || 0))
        }),
    ];

    const FORMS: &'static [Form] = &[
        Form::new(
            "pegs",
            "A line with the peg of each disk, from the smallest disk on, separated by blanks. Pegs count from 1, and the last \
             one is the goal. A name before a colon is the instance's id.",
            "1 1 3 1\n",
        ),
        Form::new(
            "lists",
            "A line with a list of the disks of each peg, in brackets, whatever their order: the first list is peg 1. Disks \
             count from 1, the smallest one. There are as many lists as pegs, and a peg without disks is `[]`.",
            "[[4, 2, 1], [], [3]]\n",
        ),
    ];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    /// The tables of towers that are high enough for any table.
    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        let start = [self.pegs - 1; MOST];
        let highest = Hanoi { disks: MOST, pegs: self.pegs, start };
        <Hanoi as DeclaredPuzzle<Costs>>::tables(Some(&highest), heuristic)
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        Some(touch::sketch(&Hanoi::parse(instance.unwrap_or("1 1 1 1"), self.pegs).ok()?))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<_, Costs>::new(Hanoi::parse(text, self.pegs)?).boxed())
    }
}

const MISPLACED: Info = Info {
    guarantee: "consistent",
    requires: "towers of Hanoi",
    ..Info::new(Role::Heuristic, "misplaced", "disks that are not on the last peg")
};

impl Goal for Hanoi {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&MISPLACED, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, misplaced)))
        }),
        HeuristicOf {
            info: &towers::INFO,
            make: |puzzle, setup| {
                let config = TowersConfig::read(setup.given);
                Ok(ErasedHeuristic::each(Towers::new(puzzle, config, setup.cache())?))
            },
            tables: |puzzle, given| Ok(tables(puzzle, TowersConfig::read(given))),
        },
    ];
    const SOLVERS: &'static [Solver<Self, Costs>] = &[
        Solver {
            info: &exact::INFO,
            run: |puzzle, given, run| {
                Box::pin(async move {
                    let config = ExactConfig::read(given);
                    let towers = Towers::new(puzzle, config.towers(), run.request.cache)?;
                    let bytes = towers.bytes();
                    run.with_tables(bytes, Exact::new(puzzle, towers, config)).await
                })
            },
        },
        Solver {
            info: &stewart::INFO,
            run: |puzzle, _, run| Box::pin(run.plain(Ok(FrameStewart::new(puzzle)))),
        },
    ];

    fn solver_tables(puzzle: Option<&Self>, solver: &Bound<'_>) -> Tables {
        Ok(match solver.info().name == exact::INFO.name {
            true => tables(puzzle, ExactConfig::read(solver).towers()),
            false => Vec::new(),
        })
    }

    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new("default", "the fewest moves", |_| Some("astar(misplaced)")),
        Preset::new(
            "optimal",
            "the fewest moves of high towers: 15 disks on four pegs in seconds",
            |_| Some("hanoi-exact"),
        ),
        Preset::new(
            "fast",
            "a solution at once by Frame and Stewart's method, with a bound",
            |_| Some("frame-stewart"),
        ),
    ];
}

/// The tables of an estimate; three pegs, the default, need none.
fn tables(puzzle: Option<&Hanoi>, config: TowersConfig) -> Vec<Box<dyn Build>> {
    puzzle.map_or_else(Vec::new, |puzzle| towers::tables(puzzle, config))
}

impl Presentation for Hanoi {
    /// All pegs but the last are alike.
    fn canonical(&self) -> String {
        let mut known = vec![self.pegs - 1];
        let start = self.initial_state();
        let disks = self.disks(&start).iter().map(|&peg| {
            let at = known.iter().position(|&other| other == peg);
            at.unwrap_or_else(|| {
                known.push(peg);
                known.len() - 1
            })
        });
        format!("{} pegs: {:?}", self.pegs, disks.collect::<Vec<_>>())
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        let start = self.initial_state();
        vec![("pegs", self.state_text(&start)), ("lists", lists::text(self, &start))]
    }

    fn draw(&self, state: &State, style: Style) -> String {
        draw::drawn(self, state, None, style)
    }

    fn draw_after(&self, played: &[Step], state: &State, style: Style) -> String {
        draw::drawn(self, state, played.last().copied(), style)
    }

    fn spots(&self, _: &[Step], state: &State) -> Vec<Spot> {
        touch::spots(self, state)
    }

    fn touch(&self, _: &[Step], state: &State, step: Step) -> Touch {
        touch::touch(self, state, step)
    }
}
