//! Score puzzles: which search runs with which play-out or bound.

use super::{
    claims::{Aimed, Estimates},
    erased::PathAim,
    known::KNOWN,
    path::{Rules, replayed},
    searches::{RegretSearch, ScoreSearch},
    structure,
};
use crate::{
    bind::{Bound, bind},
    declare::{
        listed::{Declared, DeclaredPuzzle, Preset, ReportedSolution, Scores},
        score::{BoundOf, PlayoutOf, Scored},
        solver::{Runner, Solver, not_wired},
    },
    interface::{
        pending::PendingSolve,
        structure::{Inquiry, Structure},
        values::{Events, Incumbent, Report, Request, SolveError, Status},
    },
    spec::Spec,
};
use std::sync::Arc;
use unriddle_core::{
    Blind, Info, Options, Playout, Puzzle, Regret, Role, Scalar, Score, SearchError, Solution,
    Stats, UpperBound,
    playout::{self, Greedy},
};
use unriddle_search::{Inner, astar, dbs, idastar, layers, lns, nmcs, nrpa, spmcts};

impl<P: Scored> DeclaredPuzzle<Scores> for P {
    type Action = <P as Puzzle>::Action;

    fn declared() -> Declared {
        Declared {
            general: [ScoreSearch::INFOS, RegretSearch::INFOS, GENERAL_PLAYOUTS].concat(),
            searches: Vec::new(),
            solvers: Solver::all(P::SOLVERS).map(|solver| solver.info).collect(),
            heuristics: P::BOUNDS.iter().map(|entry| entry.info).collect(),
            playouts: P::PLAYOUTS.iter().map(|entry| entry.info).collect(),
            presets: Preset::infos(P::PRESETS),
        }
    }

    fn presets() -> &'static [Preset<Self>] {
        P::PRESETS
    }

    fn reported(&self, _: &Bound<'_>, best: &Solution<Self::Action>) -> ReportedSolution {
        let value_of = |actions| Solution::scored(self, actions);
        ReportedSolution::path(self, best, value_of, |_| Default::default())
    }
}

impl<P: Scored> Aimed<P> for Scores {
    fn worth(puzzle: &P, state: &P::State, action: P::Action) -> i64 {
        puzzle.reward(state, action)
    }
    fn is_end(puzzle: &P, state: &P::State) -> bool {
        puzzle.is_terminal(state)
    }
    fn bonus(puzzle: &P, state: &P::State) -> i64 {
        puzzle.terminal_bonus(state)
    }
    fn estimates(_: &P, request: &Request<'_>) -> Result<Estimates<P>, SolveError> {
        Ok(Estimates::of_bound(upper(request.solver)?))
    }
}

impl<P: Scored> PathAim<P> for Scores {
    fn rules() -> Rules<P> {
        Rules {
            is_end: P::is_terminal,
            missing: "the game is not over",
            value: |puzzle, actions| Solution::scored(puzzle, actions.to_vec()).value,
        }
    }

    fn solve<'a>(
        puzzle: &'a P,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a> {
        Box::pin(async move {
            let ceiling = ceiling(puzzle);
            let mut events = UpperBoundEvents(events);
            let mut report = search(puzzle, request, ceiling, &mut events).await?;
            // A proved bound of the optimum is an upper one.
            report.upper_bound = report.bound.take().into_iter().chain(ceiling).min();
            if let (Some(value), Some(bound)) = (report.value, ceiling) {
                if value > bound {
                    return Err(SearchError::ExceededBound { bound, value }.into());
                }
                if value == bound && report.solution.is_some() {
                    report.status = Status::Optimal;
                    report.stopped_by = None;
                }
            }
            let actions = report.solution.as_deref().map(|text| puzzle.parse_solution(text));
            if let Some(Ok(actions)) = actions
                && !Solution::is_countable(puzzle, &actions)
            {
                return Err(SearchError::uncountable_score().into());
            }
            Ok(report)
        })
    }

    fn structure(puzzle: &P, inquiry: &Inquiry<'_>) -> Option<Structure> {
        Some(structure::of_score(puzzle, inquiry))
    }
}

/// Play-outs of every score puzzle.
pub const GENERAL_PLAYOUTS: &[&Info] = &[&RANDOM, &playout::GREEDY];

const RANDOM: Info = Info {
    requires: "any score puzzle",
    ..Info::new(Role::Playout, "random", "every legal action with the same probability")
};

struct General<P>(P);

impl<P: Scored> General<P> {
    const ENTRIES: &'static [PlayoutOf<P>] = &[
        PlayoutOf { info: &RANDOM, make: |puzzle, _| puzzle.random() },
        PlayoutOf { info: &playout::GREEDY, make: |_, given| Box::new(Greedy::read(given)) },
    ];
}

/// The play-out of a spec: a general play-out or a play-out of the puzzle.
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
pub(super) fn upper<P: Scored>(spec: &Spec) -> Result<Box<dyn UpperBound<P>>, SolveError> {
    let given = P::declared().bind(Role::Heuristic, spec)?;
    let name = given.info().name;
    match P::BOUNDS.iter().find(|entry| entry.info.name == name) {
        Some(entry) => Ok((entry.make)(&given)),
        None => Err(not_wired("bound", name)),
    }
}

/// The least of the declared upper bounds of the score from the start, as far as they have no
/// parameters to be given; `None` without one.
fn ceiling<P: Scored>(puzzle: &P) -> Option<Score> {
    let start = puzzle.initial_state();
    if puzzle.is_terminal(&start) {
        return Some(puzzle.terminal_bonus(&start));
    }
    let of = |entry: &BoundOf<P>| {
        let given = bind(entry.info, &Spec::parse(entry.info.name).ok()?).ok()?;
        Some((entry.make)(&given).upper(puzzle, &start))
    };
    P::BOUNDS.iter().filter_map(of).min()
}

/// Passes events on. A search reports the bound of a cost; it is an upper bound of the score.
struct UpperBoundEvents<'e>(&'e mut dyn Events);

impl Events for UpperBoundEvents<'_> {
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

async fn search<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
    ceiling: Option<Score>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let bound = P::declared().bind(Role::Search, request.solver)?;
    let run = Runner::new(puzzle, request, &bound, events);
    let name = bound.info().name;
    if let Some(solver) = Solver::all(P::SOLVERS).find(|solver| solver.info.name == name) {
        return (solver.run)(puzzle, &bound, run).await;
    }
    if let Some(search) = RegretSearch::of(name) {
        return regret(puzzle, search, &bound, run).await;
    }
    let seed = request.seed;
    match ScoreSearch::of(name).ok_or_else(|| not_wired("search", name))? {
        ScoreSearch::Spmcts => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = spmcts::SpmctsConfig { seed, ..spmcts::SpmctsConfig::read(&bound) };
            let threads = request.threads;
            match (config.roots, config.rave > 0.0) {
                (1, rave) => {
                    let make = if rave { spmcts::Spmcts::coded } else { spmcts::Spmcts::new };
                    let search = make(puzzle, &*playout, config);
                    run.plain(search.map(|search| search.with_ceiling(ceiling))).await
                }
                (_, rave) => {
                    let make = if rave { spmcts::Roots::coded } else { spmcts::Roots::new };
                    let search = make(puzzle, &*playout, config, threads);
                    run.plain(search.map(|search| search.with_ceiling(ceiling))).await
                }
            }
        }
        ScoreSearch::Nmcs => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = nmcs::NmcsConfig { seed, ..nmcs::NmcsConfig::read(&bound) };
            let search = nmcs::Nmcs::new(puzzle, &*playout, config);
            run.plain(search.map(|search| search.with_ceiling(ceiling))).await
        }
        ScoreSearch::Dbs => {
            let playout = playout(puzzle, bound.expr("playout"))?;
            let config = dbs::DbsConfig { seed, ..dbs::DbsConfig::read(&bound) };
            let search = dbs::Dbs::new(puzzle, &*playout, config);
            run.plain(search.map(|search| search.with_ceiling(ceiling))).await
        }
        ScoreSearch::Nrpa => {
            let config = nrpa::NrpaConfig { seed, ..nrpa::NrpaConfig::read(&bound) };
            if config.tabu {
                let filter = P::Filter::default();
                let search = nrpa::Nrpa::selective(puzzle, &filter, config);
                run.plain(search.map(|search| search.with_ceiling(ceiling))).await
            } else {
                let search = nrpa::Nrpa::new(puzzle, config);
                run.plain(search.map(|search| search.with_ceiling(ceiling))).await
            }
        }
        ScoreSearch::Layers => {
            let value = P::Value::default();
            let config = layers::LayersConfig::read(&bound);
            if config.tabu {
                let filter = P::Filter::default();
                let search = layers::Layers::selective(puzzle, &filter, &value, config);
                run.plain(search.map(|search| search.with_ceiling(ceiling))).await
            } else {
                let search = layers::Layers::new(puzzle, &value, config);
                run.plain(search.map(|search| search.with_ceiling(ceiling))).await
            }
        }
        ScoreSearch::Lns => {
            let spec = bound.expr("search");
            let inner = P::declared().bind(Role::Search, spec)?;
            if inner.info().name != nrpa::INFO.name {
                // Any other search would have to be compiled again for suffixes.
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
                if config.tabu {
                    Ok(Box::new(nrpa::Nrpa::selective(suffix, &filter, config)?))
                } else {
                    Ok(Box::new(nrpa::Nrpa::new(suffix, config)?))
                }
            };
            let config = lns::LnsConfig { seed, ..lns::LnsConfig::read(&bound) };
            let search = lns::Lns::new(&suffix, make, config);
            let search = search.map(|search| search.with_ceiling(ceiling));
            let Some(line) = known_line(puzzle, request)? else {
                return run.plain(search).await;
            };
            run.plain(search.map(|search| search.with_line(line))).await
        }
    }
}

/// The actions of the known solution.
fn known_line<P: Scored>(
    puzzle: &P,
    request: &Request<'_>,
) -> Result<Option<Vec<<P as Puzzle>::Action>>, SolveError> {
    let is_end = |state: &P::State| puzzle.is_terminal(state);
    let missing = <Scores as PathAim<P>>::rules().missing;
    let read = |known| replayed(puzzle, known, &is_end, missing);
    let line = request.known.map(read).transpose();
    line.map_err(|why| SolveError::Unsupported(format!("{KNOWN}: {why}")))
}

/// Runs a search of goal puzzles on the loss against an upper bound.
async fn regret<P: Scored>(
    puzzle: &P,
    search: RegretSearch,
    given: &Bound<'_>,
    run: Runner<'_, P, Scores>,
) -> Result<Report, SolveError> {
    let regret = Regret::new(puzzle.clone(), upper(given.expr("h"))?);
    match search {
        RegretSearch::IdaStar => {
            let known = known_line(puzzle, run.request)?;
            let known = known.map(|line| Solution::played(&regret, line));
            let search = idastar::IdaStar::new(&regret, &Blind)?;
            let search = search.with(idastar::IdaStarConfig::read(given));
            run.on_regret(&regret, search.map(|search| search.knowing(known))).await
        }
        RegretSearch::AStar => {
            let config = astar::AStarConfig::read(given);
            run.on_regret(&regret, astar::AStar::new(&regret, &Scalar(Blind), config)).await
        }
    }
}
