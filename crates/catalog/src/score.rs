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
    Blind, Coded, Layered, Options, Playout, Regret, Role, Scalar, Selective, StateValue, Uniform,
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

/// Solves an instance of a score puzzle.
///
/// # Errors
/// A spec that does not fit.
pub fn solve_score<P: Scored>(
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
            let config = spmcts::SpmctsConfig {
                seed: request.seed,
                ..spmcts::SpmctsConfig::read(&bound)
            };
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
            let config = nmcs::NmcsConfig {
                seed: request.seed,
                ..nmcs::NmcsConfig::read(&bound)
            };
            run.plain(nmcs::Nmcs::new(puzzle, &*playout, config))
        }
        "dbs" => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = dbs::DbsConfig {
                seed: request.seed,
                ..dbs::DbsConfig::read(&bound)
            };
            run.plain(dbs::Dbs::new(puzzle, &*playout, config))
        }
        "nrpa" => {
            let config = nrpa::NrpaConfig {
                seed: request.seed,
                ..nrpa::NrpaConfig::read(&bound)
            };
            match config.tabu {
                false => run.plain(nrpa::Nrpa::new(puzzle, config)),
                true => {
                    let filter = puzzle.filter();
                    run.plain(nrpa::Nrpa::selective(puzzle, &filter, config))
                }
            }
        }
        "layers" => {
            let value = puzzle.value();
            let config = layers::LayersConfig::read(&bound);
            match config.tabu {
                false => run.plain(layers::Layers::new(puzzle, &value, config)),
                true => {
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
            let options = nrpa::NrpaConfig::read(&inner);
            let make = |suffix, seed| -> Result<Inner<'_, P::Action>, _> {
                let config = nrpa::NrpaConfig { seed, ..options };
                Ok(match config.tabu {
                    true => Box::new(nrpa::Nrpa::selective(suffix, &filter, config)?),
                    false => Box::new(nrpa::Nrpa::new(suffix, config)?),
                })
            };
            run.plain(lns::Lns::new(
                &suffix,
                make,
                lns::LnsConfig {
                    seed: request.seed,
                    ..lns::LnsConfig::read(&bound)
                },
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
            let config = astar::AStarConfig::read(&bound);
            let h = Scalar(Blind);
            run.converted(astar::AStar::new(&regret, &h, config), score)
        }
        other => Err(not_wired("search", other)),
    }
}
