//! Score puzzles: which search runs with which play-out or bound.

use crate::{
    analysis::{Pattern, patterns},
    bind::Bound,
    game::{self, Game, Path, Rules},
    instance::{Events, Extensions, Incumbent, Likeness, Report, Request, SolveError, Visit},
    listed::{
        self, Declared, DeclaredPuzzle, Presentation, Preset, Scores, Solver, Written, infos,
        preset,
    },
    searches::{RegretSearch, ScoreSearch},
    solver::{Runner, not_wired},
    spec::Spec,
    validate::{Inquiry, Structure, of_score},
};
use std::sync::Arc;
use unriddle_core::{
    Blind, Coded, Info, Layered, Options, ParseError, Playout, Puzzle, Regret, Role, Scalar,
    Selective, Solution, StateValue, Stats, UpperBound,
    playout::{self, Greedy, UniformByMenu},
};
use unriddle_search::{Inner, astar, dbs, idastar, layers, lns, nmcs, nrpa, spmcts};

/// A play-out of a puzzle: its declaration, and what makes it for an instance.
pub struct PlayoutOf<P: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it.
    pub make: fn(&P, &Bound<'_>) -> Box<dyn Playout<P>>,
}

/// An upper bound of what can still be earned: its declaration (as a heuristic), and what makes it.
pub struct BoundOf<P: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it.
    pub make: fn(&Bound<'_>) -> Box<dyn UpperBound<P>>,
}

impl<P> BoundOf<P> {
    /// An entry.
    pub const fn new(info: &'static Info, make: fn(&Bound<'_>) -> Box<dyn UpperBound<P>>) -> Self {
        Self { info, make }
    }
}

/// A score puzzle of the catalogue, with what is its own.
///
/// ```
/// # use unriddle_catalog::Presentation;
/// # use unriddle_core::{
/// #     Coded, Layered, Notation, Numbers, ParseError, Puzzle, Score, ScorePuzzle, text,
/// # };
/// # #[derive(Clone)]
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, _: u8) -> Score { Score::from(stair % 3) }
/// # }
/// # impl Layered for Stairs {
/// #     fn layer(&self, stair: &u8) -> usize { usize::from(*stair) }
/// # }
/// # impl Coded for Stairs {
/// #     type Shape = ();
/// #     fn code(&self, stair: &u8, steps: u8) -> u64 { u64::from(*stair) << 8 | u64::from(steps) }
/// # }
/// # impl Notation for Stairs {
/// #     fn state_text(&self, stair: &u8) -> String { stair.to_string() }
/// #     fn solution_text(&self, steps: &[u8]) -> String {
/// #         steps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
/// #         text::read(text, |word| word.parse().map_err(|_| "expected a number".to_owned()))
/// #     }
/// # }
/// # impl Presentation for Stairs {}
/// use unriddle_catalog::{Preset, Scored};
/// use unriddle_core::{StateValue, Unfiltered};
///
/// /// The more stairs are left, the more is to be found on them.
/// #[derive(Default)]
/// struct Left;
///
/// impl StateValue<Stairs> for Left {
///     fn value(&self, _: &Stairs, stair: &u8) -> f32 {
///         f32::from(*stair)
///     }
/// }
///
/// impl Scored for Stairs {
///     const PRESETS: &'static [Preset<Self>] =
///         &[Preset::new("default", "a beam", |_| Some("layers(width=10)"))];
///
///     type Filter = Unfiltered;
///     type Value = Left;
/// }
///
/// assert_eq!(Left.value(&Stairs(9), &4), 4.0);
/// ```
pub trait Scored: Layered + Coded + Presentation + Clone + Sized {
    /// Its ways to play out.
    const PLAYOUTS: &'static [PlayoutOf<Self>] = &[];

    /// Its upper bounds.
    const BOUNDS: &'static [BoundOf<Self>] = &[];

    /// Solvers made for it alone.
    const SOLVERS: &'static [Solver<Self, Scores>] = &[];

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// What play-outs that learn keep to; [`Unfiltered`](unriddle_core::Unfiltered) for nothing.
    type Filter: Selective<Self> + Default;

    /// What layered beams rank states by; [`Mobility`](unriddle_core::Mobility), if nothing better is known.
    type Value: StateValue<Self> + Default;

    /// Plays every legal action with the same probability.
    fn random(&self) -> Box<dyn Playout<Self>> {
        Box::new(UniformByMenu)
    }
}

impl<P: Scored> DeclaredPuzzle<Scores> for P {
    type Action = <P as Puzzle>::Action;

    fn declared() -> Declared {
        Declared {
            general: [ScoreSearch::INFOS, RegretSearch::INFOS, GENERAL_PLAYOUTS].concat(),
            searches: Vec::new(),
            solvers: P::SOLVERS.iter().map(|solver| solver.info).collect(),
            heuristics: P::BOUNDS.iter().map(|entry| entry.info).collect(),
            playouts: P::PLAYOUTS.iter().map(|entry| entry.info).collect(),
            presets: infos(P::PRESETS),
        }
    }

    fn text(&self) -> String {
        Presentation::text(self)
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        preset(P::PRESETS, self, name)
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        solve(self, request, events)
    }

    fn written(&self, _: &Bound<'_>, best: &Solution<Self::Action>) -> Written {
        let value_of = |actions| Solution::scored(self, actions);
        Written::path(self, best, value_of, |_| Default::default())
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        game::along(self, solution, visit)
    }

    fn game(&self) -> Option<Box<dyn Game + '_>> {
        Some(Box::new(Path::new(self, rules())))
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        rules().replay(self, solution)
    }

    fn extensions(&self) -> Extensions<'_> {
        Presentation::extensions(self)
    }

    fn canonical(&self) -> String {
        Presentation::canonical(self)
    }

    fn likenesses(&self) -> Vec<Likeness> {
        Presentation::likenesses(self)
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        Presentation::forms(self)
    }

    fn mirrored(&self) -> Option<Self> {
        Some(self.mirror()?.image)
    }

    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        listed::mirrored_solution(self, solution)
    }

    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        Ok(patterns(self, &self.parse_solution(solution)?))
    }

    fn structure(&self, inquiry: &Inquiry<'_>) -> Option<Structure> {
        Some(of_score(self, inquiry))
    }
}

/// Where a game ends, and its value.
fn rules<P: Scored>() -> Rules<P> {
    Rules {
        is_end: P::is_terminal,
        missing: "the game is not over",
        value: |puzzle, actions| Solution::scored(puzzle, actions.to_vec()).value,
    }
}

/// Play-outs of every score puzzle.
pub const GENERAL_PLAYOUTS: &[&Info] = &[&RANDOM, &playout::GREEDY];

const RANDOM: Info = Info {
    name: "random",
    role: Role::Playout,
    version: 1,
    summary: "every legal action with the same probability",
    guarantee: "",
    requires: "any score puzzle",
    reference: "",
    parameters: &[],
};

struct General<P>(P);

impl<P: Scored> General<P> {
    const ENTRIES: &'static [PlayoutOf<P>] = &[
        PlayoutOf { info: &RANDOM, make: |puzzle, _| puzzle.random() },
        PlayoutOf { info: &playout::GREEDY, make: |_, given| Box::new(Greedy::read(given)) },
    ];
}

/// The play-out of a spec: a general one or one of the puzzle's own.
fn playout<P: Scored>(puzzle: &P, spec: &Spec) -> Result<Box<dyn Playout<P>>, SolveError> {
    let given = P::declared().bind(Role::Playout, spec)?;
    let name = given.info().name;
    let mut all = General::<P>::ENTRIES.iter().chain(P::PLAYOUTS);
    match all.find(|entry| entry.info.name == name) {
        Some(entry) => Ok((entry.make)(puzzle, &given)),
        None => Err(not_wired("play-out", name)),
    }
}

/// The upper bound of a spec.
fn upper<P: Scored>(spec: &Spec) -> Result<Box<dyn UpperBound<P>>, SolveError> {
    let given = P::declared().bind(Role::Heuristic, spec)?;
    let name = given.info().name;
    match P::BOUNDS.iter().find(|entry| entry.info.name == name) {
        Some(entry) => Ok((entry.make)(&given)),
        None => Err(not_wired("bound", name)),
    }
}

/// Passes events on. A search knows its bound as one of its costs; of a score it is an upper one.
struct Upward<'e>(&'e mut dyn Events);

impl Events for Upward<'_> {
    fn progress(&mut self, stats: &Stats) {
        self.0.progress(stats);
    }
    fn room(&self) -> u64 {
        self.0.room()
    }
    fn improved(&mut self, best: &Incumbent<'_>, stats: &Stats) {
        self.0.improved(best, stats);
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.0.upper_bound(bound, stats);
    }
}

/// Solves an instance of a score puzzle. What is proved of the optimum is an upper bound.
///
/// # Errors
/// A spec that does not fit.
fn solve<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let mut report = search(puzzle, request, &mut Upward(events))?;
    report.upper_bound = report.bound.take();
    Ok(report)
}

fn search<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let bound = P::declared().bind(Role::Search, request.solver)?;
    let run = Runner::new(puzzle, request, &bound, events);
    let name = bound.info().name;
    if let Some(solver) = P::SOLVERS.iter().find(|solver| solver.info.name == name) {
        return (solver.run)(puzzle, &bound, run);
    }
    if let Some(search) = RegretSearch::of(name) {
        return regret(puzzle, search, &bound, run);
    }
    let Some(search) = ScoreSearch::of(name) else {
        return Err(not_wired("search", name));
    };
    match search {
        ScoreSearch::Spmcts => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config =
                spmcts::SpmctsConfig { seed: request.seed, ..spmcts::SpmctsConfig::read(&bound) };
            match (config.roots, config.rave > 0.0) {
                (1, false) => run.plain(spmcts::Spmcts::new(puzzle, &*playout, config)),
                (1, true) => run.plain(spmcts::Spmcts::coded(puzzle, &*playout, config)),
                (_, false) => {
                    let threads = request.threads;
                    run.plain(spmcts::Roots::new(puzzle, &*playout, config, threads))
                }
                (_, true) => {
                    let threads = request.threads;
                    run.plain(spmcts::Roots::coded(puzzle, &*playout, config, threads))
                }
            }
        }
        ScoreSearch::Nmcs => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = nmcs::NmcsConfig { seed: request.seed, ..nmcs::NmcsConfig::read(&bound) };
            run.plain(nmcs::Nmcs::new(puzzle, &*playout, config))
        }
        ScoreSearch::Dbs => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = dbs::DbsConfig { seed: request.seed, ..dbs::DbsConfig::read(&bound) };
            run.plain(dbs::Dbs::new(puzzle, &*playout, config))
        }
        ScoreSearch::Nrpa => {
            let config = nrpa::NrpaConfig { seed: request.seed, ..nrpa::NrpaConfig::read(&bound) };
            match config.tabu {
                false => run.plain(nrpa::Nrpa::new(puzzle, config)),
                true => {
                    let filter = P::Filter::default();
                    run.plain(nrpa::Nrpa::selective(puzzle, &filter, config))
                }
            }
        }
        ScoreSearch::Layers => {
            let value = P::Value::default();
            let config = layers::LayersConfig::read(&bound);
            match config.tabu {
                false => run.plain(layers::Layers::new(puzzle, &value, config)),
                true => {
                    let filter = P::Filter::default();
                    run.plain(layers::Layers::selective(puzzle, &filter, &value, config))
                }
            }
        }
        ScoreSearch::Lns => {
            let spec = bound.expr("search");
            let inner = P::declared().bind(Role::Search, spec)?;
            if inner.info().name != nrpa::INFO.name {
                // Every other search would be compiled once more for suffixes.
                return Err(SolveError::Unsupported(format!(
                    "lns searches again with `nrpa` only, not with `{}`",
                    inner.info().name
                )));
            }
            let suffix = lns::Suffix::new(Arc::new(puzzle.clone()));
            let filter = lns::Lifted(P::Filter::default());
            let options = nrpa::NrpaConfig::read(&inner);
            let make = |suffix, seed| -> Result<Inner<'_, <P as Puzzle>::Action>, _> {
                let config = nrpa::NrpaConfig { seed, ..options };
                Ok(match config.tabu {
                    true => Box::new(nrpa::Nrpa::selective(suffix, &filter, config)?),
                    false => Box::new(nrpa::Nrpa::new(suffix, config)?),
                })
            };
            let config = lns::LnsConfig { seed: request.seed, ..lns::LnsConfig::read(&bound) };
            let search = lns::Lns::new(&suffix, make, config);
            let Some(known) = request.known else {
                return run.plain(search);
            };
            let rules = rules::<P>();
            let is_end = |state: &P::State| puzzle.is_terminal(state);
            let line = listed::replayed(puzzle, known, is_end, rules.missing);
            let line =
                line.map_err(|why| SolveError::Unsupported(format!("the known solution: {why}")))?;
            run.plain(search.map(|search| search.with_line(line)))
        }
    }
}

/// Runs a search of goal puzzles on the loss against an upper bound.
fn regret<P: Scored>(
    puzzle: &P,
    search: RegretSearch,
    given: &Bound<'_>,
    run: Runner<'_, '_, P, Scores>,
) -> Result<Report, SolveError> {
    let regret = Regret::new(puzzle.clone(), upper(given.expr("h"))?);
    let score = |cost| regret.score(cost);
    match search {
        RegretSearch::IdaStar => run.converted(idastar::IdaStar::new(&regret, &Blind), score),
        RegretSearch::AStar => {
            let config = astar::AStarConfig::read(given);
            run.converted(astar::AStar::new(&regret, &Scalar(Blind), config), score)
        }
    }
}
