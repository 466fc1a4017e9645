//! Score puzzles: which search runs with which play-out or bound.

use crate::{
    bind::Bound,
    instance::{Events, Extensions, Frame, Report, Request, SolveError, Style},
    listed::{Declared, Listed, Preset, Scores, Shown, Solver, Written, infos, preset},
    searches::{RegretSearch, ScoreSearch},
    solver::{Runner, not_wired},
    spec::Spec,
};
use std::sync::Arc;
use unriddle_core::{
    Blind, Coded, Domain, Info, Layered, Parameter, ParseError, Playout, Puzzle, Regret, Role,
    Scalar, Selective, Solution, StateValue, Stats, Uniform, UpperBound, playout::Greedy,
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

/// A score puzzle of the catalogue, with what is its own.
pub trait Scored: Layered + Coded + Shown + Clone + Sized {
    /// Its ways to play out.
    const PLAYOUTS: &'static [PlayoutOf<Self>] = &[];

    /// Its upper bounds.
    const BOUNDS: &'static [BoundOf<Self>] = &[];

    /// Solvers made for it alone.
    const SOLVERS: &'static [Solver<Self, Scores>] = &[];

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// What play-outs that learn keep to.
    type Filter: Selective<Self>;

    /// That filter.
    fn filter(&self) -> Self::Filter;

    /// What layered beams rank states by.
    type Value: StateValue<Self>;

    /// That evaluation.
    fn value(&self) -> Self::Value;

    /// Plays every legal action with the same probability.
    fn random(&self) -> Box<dyn Playout<Self>> {
        Box::new(Uniform)
    }
}

impl<P: Scored> Listed<Scores> for P {
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
        Shown::text(self)
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

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        Shown::frames(self, solution, style)
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        let actions = self.parse_solution(solution);
        let actions = actions.map_err(|error| error.to_string())?;
        let length = actions.len() as u64;
        let last = actions.iter().fold(self.initial_state(), |state, &action| {
            self.apply(&state, action)
        });
        match self.is_terminal(&last) {
            true => Ok((Solution::scored(self, actions).value, length)),
            false => Err(format!("after {length} actions the game is not over")),
        }
    }

    fn extensions(&self) -> Extensions<'_> {
        Extensions::default()
    }
}

/// Play-outs of every score puzzle.
pub const GENERAL_PLAYOUTS: &[&Info] = &[&RANDOM, &GREEDY];

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

const GREEDY: Info = Info {
    name: "greedy",
    role: Role::Playout,
    version: 1,
    summary: "the action of the highest reward",
    guarantee: "",
    requires: "any score puzzle",
    reference: "",
    parameters: &[Parameter::named(
        "epsilon",
        Domain::Real { min: 0.0, max: 1.0 },
        "0",
        "probability of any legal action instead",
    )],
};

struct General<P>(P);

impl<P: Scored> General<P> {
    const ENTRIES: &'static [PlayoutOf<P>] = &[
        PlayoutOf {
            info: &RANDOM,
            make: |puzzle, _| puzzle.random(),
        },
        PlayoutOf {
            info: &GREEDY,
            make: |_, given| {
                Box::new(Greedy {
                    epsilon: given.real("epsilon"),
                })
            },
        },
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
    fn improved(&mut self, value: i64, length: usize, stats: &Stats) {
        self.0.improved(value, length, stats);
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
            let config = spmcts_config(&bound, request.seed);
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
            let config = nmcs_config(&bound, request.seed);
            run.plain(nmcs::Nmcs::new(puzzle, &*playout, config))
        }
        ScoreSearch::Dbs => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = dbs_config(&bound, request.seed);
            run.plain(dbs::Dbs::new(puzzle, &*playout, config))
        }
        ScoreSearch::Nrpa => {
            let config = nrpa_config(&bound, request.seed);
            match bound.choice("tabu") {
                "off" => run.plain(nrpa::Nrpa::new(puzzle, config)),
                _ => {
                    let filter = puzzle.filter();
                    run.plain(nrpa::Nrpa::selective(puzzle, &filter, config))
                }
            }
        }
        ScoreSearch::Layers => {
            let value = puzzle.value();
            let config = layers_config(&bound);
            match bound.choice("tabu") {
                "off" => run.plain(layers::Layers::new(puzzle, &value, config)),
                _ => {
                    let filter = puzzle.filter();
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
            let filter = lns::Lifted(puzzle.filter());
            let tabu = inner.choice("tabu") != "off";
            let make = |suffix, seed| -> Result<Inner<'_, <P as Puzzle>::Action>, _> {
                let config = nrpa_config(&inner, seed);
                Ok(match tabu {
                    true => Box::new(nrpa::Nrpa::selective(suffix, &filter, config)?),
                    false => Box::new(nrpa::Nrpa::new(suffix, config)?),
                })
            };
            run.plain(lns::Lns::new(
                &suffix,
                make,
                lns_config(&bound, request.seed),
            ))
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
            let config = astar::AStarConfig { w: given.real("w") };
            run.converted(astar::AStar::new(&regret, &Scalar(Blind), config), score)
        }
    }
}

/// The options of nested Monte-Carlo search.
#[must_use]
pub fn nmcs_config(bound: &Bound<'_>, seed: u64) -> nmcs::NmcsConfig {
    nmcs::NmcsConfig {
        level: bound.integer("level") as u32,
        games: bound.integer("games"),
        seed,
    }
}

/// The options of the layered beam.
#[must_use]
pub fn layers_config(bound: &Bound<'_>) -> layers::LayersConfig {
    layers::LayersConfig {
        width: bound.integer("width") as usize,
        growth: bound.integer("growth") as usize,
        runs: bound.integer("runs"),
    }
}

/// The options of re-search.
#[must_use]
pub fn lns_config(bound: &Bound<'_>, seed: u64) -> lns::LnsConfig {
    lns::LnsConfig {
        plays: bound.integer("plays"),
        cut: match bound.choice("cut") {
            word if word == lns::Cut::NAMES[1] => lns::Cut::Systematic,
            _ => lns::Cut::Random,
        },
        stride: bound.integer("stride") as u32,
        rounds: bound.integer("rounds"),
        seed,
    }
}

/// The options of depth-budgeted search.
#[must_use]
pub fn dbs_config(bound: &Bound<'_>, seed: u64) -> dbs::DbsConfig {
    dbs::DbsConfig {
        budget: bound.integer("budget"),
        growth: bound.integer("growth"),
        games: bound.integer("games"),
        seed,
    }
}

/// The options of single-player Monte-Carlo tree search.
#[must_use]
pub fn spmcts_config(bound: &Bound<'_>, seed: u64) -> spmcts::SpmctsConfig {
    let is = |parameter: &str, word: &str| bound.choice(parameter) == word;
    spmcts::SpmctsConfig {
        c: bound.real("c"),
        d: bound.real("d"),
        t: bound.integer("t"),
        w: bound.real("w"),
        values: match is("values", spmcts::Values::NAMES[1]) {
            true => spmcts::Values::Scaled,
            false => spmcts::Values::Raw,
        },
        scale: bound.real("scale"),
        final_move: match bound.choice("final") {
            word if word == spmcts::Final::NAMES[1] => spmcts::Final::Visits,
            word if word == spmcts::Final::NAMES[2] => spmcts::Final::Average,
            _ => spmcts::Final::Top,
        },
        per: match is("per", spmcts::Per::NAMES[1]) {
            true => spmcts::Per::Move,
            false => spmcts::Per::Game,
        },
        moves: bound.integer("moves"),
        subtree: match is("subtree", spmcts::Subtree::NAMES[1]) {
            true => spmcts::Subtree::Drop,
            false => spmcts::Subtree::Keep,
        },
        nodes: bound.integer("nodes"),
        restarts: bound.integer("restarts"),
        restart_nodes: bound.integer("restart_nodes"),
        rave: bound.real("rave"),
        widen_c: bound.real("widen_c"),
        widen_a: bound.real("widen_a"),
        share: is("share", "on"),
        roots: bound.integer("roots") as usize,
        seed,
    }
}

/// The options of nested roll-out policy adaptation.
#[must_use]
pub fn nrpa_config(bound: &Bound<'_>, seed: u64) -> nrpa::NrpaConfig {
    nrpa::NrpaConfig {
        level: bound.integer("level") as u32,
        iterations: bound.integer("iterations") as u32,
        alpha: bound.real("alpha"),
        tau: bound.real("tau"),
        bias: bound.real("bias"),
        playouts: bound.integer("playouts") as u32,
        repeat: bound.integer("repeat") as u32,
        runs: bound.integer("runs"),
        seed,
    }
}
