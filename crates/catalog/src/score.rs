//! Score puzzles: which search runs with which play-out or bound.

use crate::{
    bind::{Bound, bind, find},
    instance::{Events, Report, Request, SolveError},
    registry,
    solver::{Listed, Runner, not_wired},
    spec::Spec,
};
use std::sync::Arc;
use unriddle_core::{
    Blind, Coded, Layered, Playout, Regret, Role, Scalar, Selective, StateValue, Stats, Uniform,
    UpperBound, playout::Greedy,
};
use unriddle_search::{Inner, astar, dbs, idastar, layers, lns, nmcs, nrpa, spmcts};

/// A score puzzle with play-outs, upper bounds and an evaluation of its own.
pub trait Scored: Layered + Coded + Listed + Clone {
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

    /// Makes one of its ways to play out.
    ///
    /// # Errors
    /// A declaration that is not wired.
    fn playout(&self, playout: &Bound<'_>) -> Result<Box<dyn Playout<Self>>, SolveError>;

    /// Makes one of its upper bounds of what can still be earned; they are declared as heuristics.
    ///
    /// # Errors
    /// A declaration that is not wired.
    fn upper(&self, bound: &Bound<'_>) -> Result<Box<dyn UpperBound<Self>>, SolveError>;
}

/// The play-out of a spec: a general one or one of the puzzle's own.
fn playout<P: Scored>(puzzle: &P, spec: &Spec) -> Result<Box<dyn Playout<P>>, SolveError> {
    let infos = registry::expressions(P::family());
    let bound = bind(find(&infos, Role::Playout, spec)?, spec)?;
    match bound.info().name {
        "random" => Ok(puzzle.random()),
        "greedy" => Ok(Box::new(Greedy {
            epsilon: bound.real("epsilon"),
        })),
        _ => puzzle.playout(&bound),
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
pub fn solve_score<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let mut report = search_score(puzzle, request, &mut Upward(events))?;
    report.upper_bound = report.bound.take();
    Ok(report)
}

fn search_score<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let infos = registry::expressions(P::family());
    let bound = bind(find(&infos, Role::Search, request.solver)?, request.solver)?;
    let run = Runner::new(puzzle, request, events);
    let name = bound.info().name;
    if P::family().specialists.iter().any(|info| info.name == name) {
        return puzzle.specialist(&bound, run);
    }
    match name {
        "spmcts" => {
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
        "nmcs" => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = nmcs_config(&bound, request.seed);
            run.plain(nmcs::Nmcs::new(puzzle, &*playout, config))
        }
        "dbs" => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = dbs_config(&bound, request.seed);
            run.plain(dbs::Dbs::new(puzzle, &*playout, config))
        }
        "nrpa" => {
            let config = nrpa_config(&bound, request.seed);
            match bound.choice("tabu") {
                "off" => run.plain(nrpa::Nrpa::new(puzzle, config)),
                _ => {
                    let filter = puzzle.filter();
                    run.plain(nrpa::Nrpa::selective(puzzle, &filter, config))
                }
            }
        }
        "layers" => {
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
        "lns" => {
            let spec = bound.expr("search");
            let inner = bind(find(&infos, Role::Search, spec)?, spec)?;
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
            let make = |suffix, seed| -> Result<Inner<'_, P::Action>, _> {
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
        "astar" | "idastar" => {
            let spec = bound.expr("h");
            let upper = bind(find(&infos, Role::Heuristic, spec)?, spec)?;
            let regret = Regret::new(puzzle.clone(), puzzle.upper(&upper)?);
            let score = |cost| regret.score(cost);
            if name == "idastar" {
                let search = idastar::IdaStar::new(&regret, &Blind);
                return run.converted(search, score);
            }
            let config = astar::AStarConfig { w: bound.real("w") };
            let h = Scalar(Blind);
            run.converted(astar::AStar::new(&regret, &h, config), score)
        }
        other => Err(not_wired("search", other)),
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
