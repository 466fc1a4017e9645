//! Goal puzzles: which search runs with which heuristic.

use super::{
    accuracy,
    claims::{Aimed, Estimates},
    erased::PathAim,
    heuristic::{self, BLIND, Maker},
    known,
    path::{Rules, edge_text},
    searches::{GOAL_SEARCHES, GoalSearch},
    structure,
    views::{OfView, Unclaimed, Viewed},
};
use crate::{
    bind::Bound,
    declare::{
        ends::BeamSetup,
        goal::Goal,
        heuristic::{EachState, Tables},
        listed::{Costs, Declared, DeclaredPuzzle, Preset, ReportedSolution},
        solver::{Halt, Runner, Solver, not_wired},
    },
    interface::{
        accuracy::{Accuracy, Comparison},
        pending::PendingSolve,
        structure::{Inquiry, Structure},
        values::{Events, Report, Request, SolveError},
    },
    spec::Spec,
};
use std::cell::RefCell;
use unriddle_core::clock::Instant;
use unriddle_core::search::MAX_STATE_BYTES;
use unriddle_core::{
    BatchHeuristic, Cost, GoalDistances, Info, Options, Puzzle, Role, Row, SearchError, Solution,
};
use unriddle_search::{
    Inner,
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig, Choose, Ties, Widen},
    bfs::{Bfs, BfsConfig},
    bwas::{Bwas, BwasConfig},
    deepening::{Deepening, DeepeningConfig},
    greedy::{Compare, Greedy, GreedyConfig},
    idastar::IdaStarConfig,
    idtt::{Idtt, IdttConfig},
    levin::{Clue, Levin, LevinConfig},
    pairwise::Pairwise,
    qbeam::{ActionValues, QBeam},
    qbwas::QBwas,
    staged::{Staged, StagedConfig},
    widening::Widening,
};

impl<P: Goal> DeclaredPuzzle<Costs> for P {
    type Action = <P as Puzzle>::Action;

    fn declared() -> Declared {
        Declared {
            general: [GOAL_SEARCHES, &heuristic::general::<P>()].concat(),
            searches: Vec::new(),
            solvers: Solver::all(P::SOLVERS).map(|solver| solver.info).collect(),
            heuristics: P::HEURISTICS.iter().map(|entry| entry.info).collect(),
            playouts: Vec::new(),
            presets: Preset::infos(P::PRESETS),
        }
    }

    fn presets() -> &'static [Preset<Self>] {
        P::PRESETS
    }

    fn tables(puzzle: Option<&Self>, spec: &Spec) -> Tables {
        let declared = P::declared();
        let is_search = |info: &&Info| info.role == Role::Search && info.name == spec.name();
        if !declared.expressions().iter().any(is_search) {
            return heuristic::tables(puzzle, spec);
        }
        let given = declared.bind(Role::Search, spec)?;
        match GoalSearch::of(spec.name()) {
            Some(GoalSearch::Bfs) => Ok(Vec::new()),
            Some(GoalSearch::Windows) => {
                <P as DeclaredPuzzle<Costs>>::tables(puzzle, given.expr("search"))
            }
            Some(GoalSearch::Prove) => {
                let of = |name| <P as DeclaredPuzzle<Costs>>::tables(puzzle, given.expr(name));
                let mut tables = of("first")?;
                tables.extend(of("search")?);
                Ok(tables)
            }
            Some(GoalSearch::Beam) => {
                let mut tables = heuristic::tables(puzzle, given.expr("h"))?;
                let bytes = BeamConfig::read(&given).goal_table;
                let ends = puzzle.filter(|puzzle| puzzle.has_inverses()).zip(P::ENDS);
                tables.extend(ends.and_then(|(puzzle, ends)| ends.table(puzzle, bytes)));
                Ok(tables)
            }
            Some(GoalSearch::Levin) => {
                let mut tables = heuristic::tables(puzzle, given.expr("h"))?;
                tables.extend(heuristic::tables(puzzle, given.expr("reroot"))?);
                Ok(tables)
            }
            Some(_) => heuristic::tables(puzzle, given.expr("h")),
            None => P::solver_tables(puzzle, &given),
        }
    }

    fn reported(&self, solver: &Bound<'_>, best: &Solution<Self::Action>) -> ReportedSolution {
        let value_of = |actions| Solution::played(self, actions);
        ReportedSolution::path(self, best, value_of, |actions| self.measures(solver, actions))
    }

    fn edge_text(&self, path: &[u32]) -> Option<String> {
        edge_text(self, path)
    }

    fn models() -> crate::interface::values::Models {
        P::LEARNING.map_or(&[], |learning| learning.models)
    }
}

impl<P: Goal> Aimed<P> for Costs {
    fn worth(puzzle: &P, state: &P::State, action: P::Action) -> i64 {
        puzzle.action_cost(state, action).into()
    }
    fn is_end(puzzle: &P, state: &P::State) -> bool {
        puzzle.is_goal(state)
    }
    fn bonus(_: &P, _: &P::State) -> i64 {
        0
    }
    fn estimates(puzzle: &P, request: &Request<'_>) -> Result<Estimates<P>, SolveError> {
        Estimates::of_heuristic(puzzle, request)
    }
}

impl<P: Goal> PathAim<P> for Costs {
    fn rules() -> Rules<P> {
        Rules {
            is_end: P::is_goal,
            missing: "the goal is not reached",
            value: |puzzle, actions| Solution::played(puzzle, actions.to_vec()).value,
        }
    }

    fn solve<'a>(
        puzzle: &'a P,
        request: &'a Request<'a>,
        events: &'a mut dyn Events,
    ) -> PendingSolve<'a> {
        Box::pin(async move {
            let given = P::declared().bind(Role::Search, request.solver)?;
            let run = Runner::new(puzzle, request, &given, events);
            let name = given.info().name;
            if let Some(solver) = Solver::all(P::SOLVERS).find(|solver| solver.info.name == name) {
                return (solver.run)(puzzle, &given, run).await;
            }
            let search = GoalSearch::of(name).ok_or_else(|| not_wired("search", name))?;
            // Nothing is compiled for states that no search accepts.
            if const { size_of::<P::State>() > MAX_STATE_BYTES } {
                let bytes = size_of::<P::State>();
                return Err(SearchError::StateTooLarge { bytes }.into());
            }
            let networks = RefCell::default();
            let make = Maker { puzzle, request, networks: &networks };
            Halt::caught(GoalSolve { puzzle, given: &given, make }.run(search, run).await)
        })
    }

    fn structure(puzzle: &P, inquiry: &Inquiry<'_>) -> Option<Structure> {
        // A state that no search accepts would fill the memory here as well.
        if const { size_of::<P::State>() > MAX_STATE_BYTES } {
            return None;
        }
        Some(structure::of_goal(puzzle, inquiry))
    }

    fn accuracy(puzzle: &P, comparison: &Comparison<'_>) -> Result<Vec<Accuracy>, SolveError> {
        if const { size_of::<P::State>() > MAX_STATE_BYTES } {
            let bytes = size_of::<P::State>();
            return Err(SearchError::StateTooLarge { bytes }.into());
        }
        accuracy::of_goal(puzzle, comparison)
    }

    #[cfg(feature = "arrays")]
    fn arrays(puzzle: &P) -> Option<Box<dyn crate::interface::arrays::Arrays>> {
        P::LEARNING?.arrays.map(|functions| (functions.arrays)(puzzle))
    }

    #[cfg(feature = "training-data")]
    fn training_data(
        puzzle: &P,
    ) -> Option<Box<dyn crate::interface::instance::training_data::TrainingData>> {
        P::LEARNING.map(|learning| (learning.training_data)(puzzle))
    }
}

/// Runner of a goal puzzle's instance.
type Run<'a, P> = Runner<'a, P, Costs>;

/// A solve by one of the general searches.
struct GoalSolve<'a, P> {
    puzzle: &'a P,
    /// The search's parameters.
    given: &'a Bound<'a>,
    /// Maker of the heuristic.
    make: Maker<'a, P>,
}

impl<P: Goal> GoalSolve<'_, P> {
    async fn run(&self, search: GoalSearch, mut run: Run<'_, P>) -> Result<Report, Halt> {
        let (puzzle, given) = (self.puzzle, self.given);
        Ok(match search {
            GoalSearch::Bfs => run.plain(Bfs::new(puzzle, BfsConfig::default())).await?,
            GoalSearch::IdaStar => {
                let h = self.each(&mut run)?;
                let known = run.known()?;
                h.ida_star(run, IdaStarConfig::read(given), known).await?
            }
            GoalSearch::Idtt => {
                let h = self.each(&mut run)?;
                let search = Idtt::new(puzzle, &*h, IdttConfig::read(given))?;
                let known = run.known()?;
                run.search(&mut search.knowing(known)).await?
            }
            GoalSearch::Deepening => {
                let h = self.each(&mut run)?;
                let search = Deepening::new(puzzle, &*h, DeepeningConfig::read(given))?;
                let known = run.known()?;
                run.search(&mut search.knowing(known)).await?
            }
            GoalSearch::AStar => {
                let h = self.batch(&mut run)?;
                let search = AStar::new(puzzle, &*h, AStarConfig::read(given))?;
                let known = run.known()?;
                run.search(&mut search.knowing(known)).await?
            }
            GoalSearch::Greedy if GreedyConfig::read(given).compare == Compare::Pairs => {
                let pairs = self.make.pairs(self.heuristic())?;
                self.begin(&mut run, pairs.bytes())?;
                run.search(&mut Pairwise::new(puzzle, &*pairs)?).await?
            }
            GoalSearch::Greedy => {
                let h = self.batch(&mut run)?;
                run.search(&mut Greedy::new(puzzle, &*h, GreedyConfig::read(given))?).await?
            }
            GoalSearch::Bwas if BwasConfig::read(given).choose == Choose::Actions => {
                let values = self.actions(&mut run)?;
                if values.is_policy() {
                    let message = "a policy estimates no costs: `levin(net(FILE))` and `beam(net(FILE), choose=actions)` search with it";
                    return Err(SolveError::Unsupported(message.to_owned()).into());
                }
                run.search(&mut QBwas::new(puzzle, &*values, BwasConfig::read(given))?).await?
            }
            GoalSearch::Bwas => {
                let h = self.batch(&mut run)?;
                run.search(&mut Bwas::new(puzzle, &*h, BwasConfig::read(given))?).await?
            }
            GoalSearch::Levin => {
                let reroot = given.expr("reroot");
                // Estimates that are all alike have no new minima.
                let tells = reroot.name() != BLIND.name;
                let other = tells.then(|| self.make.each(reroot)).transpose()?;
                let values = self.make.actions(self.heuristic())?;
                let bytes = other.as_ref().map_or(0, |h| EachState::bytes(&**h));
                self.begin(&mut run, values.bytes() + bytes)?;
                let estimate = other.map(|h| move |state: &P::State| h.estimate(puzzle, state));
                let clue: Option<Clue<'_, P>> = estimate.as_ref().map(|estimate| estimate as _);
                let search = Levin::new(puzzle, &*values, clue, LevinConfig::read(given));
                run.search(&mut search?).await?
            }
            GoalSearch::Beam => self.beam(run).await?,
            GoalSearch::Staged => {
                let h = self.batch(&mut run)?;
                run.search(&mut Staged::new(puzzle, &*h, StagedConfig::read(given))?).await?
            }
            GoalSearch::Windows => known::shorten(puzzle, given, run).await?,
            GoalSearch::Prove => known::prove(puzzle, given, run).await?,
        })
    }

    /// The spec of the heuristic.
    fn heuristic(&self) -> &Spec {
        self.given.expr("h")
    }

    /// Ends the preparations, which include networks and `bytes` of tables.
    fn begin(&self, run: &mut Run<'_, P>, bytes: u64) -> Result<(), Halt> {
        run.networks = self.make.networks.take();
        run.begin(bytes)
    }

    /// The heuristic of a search that estimates one state at a time.
    fn each(&self, run: &mut Run<'_, P>) -> Result<Box<dyn EachState<P>>, Halt> {
        let h = self.make.each(self.heuristic())?;
        run.begin(h.bytes())?;
        run.estimate(EachState::guarantee(&*h), |start| {
            h.estimate(self.puzzle, start).map(f64::from)
        });
        Ok(h)
    }

    /// The heuristic of a search that estimates many states at a time.
    fn batch(&self, run: &mut Run<'_, P>) -> Result<Box<dyn BatchHeuristic<P>>, Halt> {
        self.prepared(run, self.make.heuristic(self.heuristic())?.into_batch(), 0)
    }

    /// A heuristic, when the preparations have ended; the search has `more` bytes of tables.
    fn prepared(
        &self,
        run: &mut Run<'_, P>,
        h: Box<dyn BatchHeuristic<P>>,
        more: u64,
    ) -> Result<Box<dyn BatchHeuristic<P>>, Halt> {
        self.begin(run, h.bytes() + more)?;
        run.estimate(h.guarantee(), |state| {
            let mut out = [f32::NAN];
            h.evaluate(&[Row { puzzle: self.puzzle, state }], &mut out);
            Some(f64::from(out[0]))
        });
        Ok(h)
    }

    /// The heuristic of a search that estimates the actions of many states at a time.
    fn actions(&self, run: &mut Run<'_, P>) -> Result<Box<dyn ActionValues<P>>, Halt> {
        let values = self.make.actions(self.heuristic())?;
        self.begin(run, values.bytes())?;
        Ok(values)
    }

    /// Runs a beam: over actions, bidirectional, or a plain one.
    async fn beam(&self, mut run: Run<'_, P>) -> Result<Report, Halt> {
        let (puzzle, config) = (self.puzzle, BeamConfig::read(self.given));
        if config.ties == Ties::State {
            return self.beam_on_ranks(run, config).await;
        }
        if self.make.request.ranks.is_some() {
            let message = "a beam that several ranks search together needs `ties=state`";
            return Err(SolveError::Unsupported(message.to_owned()).into());
        }
        if config.needs_inverses() {
            return self.beam_with_inverses(run, config).await;
        }
        let threads = self.make.request.threads;
        let viewed = Viewed::new(puzzle, config, threads)?;
        let request = self.make.request;
        let alone = Request {
            budget: request.budget.clone(),
            threads: viewed.threads_of_each(),
            ..*request
        };
        let alone = Maker { request: &alone, ..self.make };
        if config.choose == Choose::Actions {
            let values = alone.actions(self.heuristic())?;
            self.begin(&mut run, values.bytes())?;
            let make = |config: BeamConfig, below| {
                viewed.beam(config, below, &|puzzle, _| -> Result<OfView<'_, _>, _> {
                    Ok(Box::new(QBeam::new(puzzle, &*values, config)?))
                })
            };
            return widened(run, config, &make).await;
        }
        let h = alone.heuristic(self.heuristic())?.into_batch();
        let h = self.prepared(&mut run, h, 0)?;
        let unclaimed = Unclaimed(&*h);
        let make = |config: BeamConfig, below| {
            viewed.beam(config, below, &|puzzle, is_view| -> Result<OfView<'_, _>, _> {
                let h: &dyn BatchHeuristic<P> = if is_view { &unclaimed } else { &*h };
                Ok(Box::new(Beam::new(puzzle, h, config)?))
            })
        };
        widened(run, config, &make).await
    }

    #[cfg(not(feature = "ranks"))]
    async fn beam_on_ranks(&self, _: Run<'_, P>, _: BeamConfig) -> Result<Report, Halt> {
        let message = "`ties=state` needs a program that is built with `--features mpi`";
        Err(SolveError::Unsupported(message.to_owned()).into())
    }

    /// Runs a beam whose layers are spread over ranks. One process is one rank.
    #[cfg(feature = "ranks")]
    async fn beam_on_ranks(&self, mut run: Run<'_, P>, config: BeamConfig) -> Result<Report, Halt> {
        let (puzzle, request) = (self.puzzle, self.make.request);
        let refused = |what: &str| {
            let message = format!("`ties=state` does not go with {what}");
            Err(Halt::from(SolveError::Unsupported(message)))
        };
        let Some(functions) = P::LEARNING.and_then(|learning| learning.arrays) else {
            return refused("a puzzle whose states are not rows of bytes");
        };
        if config.choose == Choose::Actions || config.widen == Widen::Timed || config.views > 1 {
            return refused("`choose=actions`, `widen=timed` or `views`");
        }
        let ends = P::ENDS.filter(|_| puzzle.has_inverses());
        let near = match ends {
            Some(ends) => ends.near(puzzle, config.goal_table, request.cache, None)?,
            None if config.goal_table > 0 => {
                return refused("`goal_table` for a puzzle without inverses");
            }
            None => None,
        };
        let near = near.as_deref();
        let threads = request.threads;
        // The search has threads of its own.
        let alone = Request { budget: request.budget.clone(), threads: 1, ..*request };
        let h = Maker { request: &alone, ..self.make }.heuristic(self.heuristic())?.into_batch();
        let h = self.prepared(&mut run, h, near.map_or(0, GoalDistances::bytes))?;
        let setup = BeamSetup { puzzle, h: &*h, near, threads, config, below: None };
        let ranks = request.ranks.unwrap_or(&unriddle_core::ranks::Alone);
        let mut search = (functions.spread)(setup, ends.map(|ends| ends.ends), ranks)?;
        Ok(run.search(&mut *search).await?)
    }

    /// Runs a beam that uses the inverses of states.
    async fn beam_with_inverses(
        &self,
        mut run: Run<'_, P>,
        config: BeamConfig,
    ) -> Result<Report, Halt> {
        let (puzzle, request) = (self.puzzle, self.make.request);
        let goes_with_none =
            "goes with none of `direction=bidirectional`, `goal_table` and `rerank`";
        let refused = match (config.choose, config.views) {
            (Choose::Actions, _) => "`choose=actions`",
            (_, 2..) => "`views`",
            _ => "",
        };
        if !refused.is_empty() {
            return Err(SolveError::Unsupported(format!("{refused} {goes_with_none}")).into());
        }
        let Some(ends) = P::ENDS.filter(|_| puzzle.has_inverses()) else {
            let message = "`direction=bidirectional`, `goal_table` and `rerank` need a puzzle whose states have an inverse that is as far from the goal; this one has none: leave them out";
            return Err(SolveError::Unsupported(message.to_owned()).into());
        };
        #[cfg(feature = "cuda")]
        if config.direction == unriddle_search::beam::Direction::Bidirectional
            && request.networks.device == unriddle_neural::Device::Cuda
        {
            let make = self.make.on_gpu(self.heuristic(), ends.ends, config.goal_table)?;
            if let Some(make) = make {
                self.begin(&mut run, 0)?;
                return widened(run, config, &*make).await;
            }
        }
        // A beam that widens until the time ends does not need the table.
        let limit = run.time().filter(|_| config.widen == Widen::Timed);
        let near = ends.near(puzzle, config.goal_table, request.cache, limit)?;
        let near = near.as_deref();
        // The search has threads of its own.
        let request = Request { budget: request.budget.clone(), threads: 1, ..*request };
        let h = Maker { request: &request, ..self.make }.heuristic(self.heuristic())?.into_batch();
        let h = self.prepared(&mut run, h, near.map_or(0, GoalDistances::bytes))?;
        let threads = self.make.request.threads;
        let make =
            |config, below| ends.beam(BeamSetup { puzzle, h: &*h, near, threads, config, below });
        widened(run, config, &make).await
    }
}

/// Runs a beam, or beams that widen where the time is limited.
async fn widened<'b, P: Goal>(
    run: Run<'_, P>,
    config: BeamConfig,
    make: &dyn Fn(BeamConfig, Option<Cost>) -> Result<Inner<'b, P::Action>, SearchError>,
) -> Result<Report, Halt> {
    Ok(match run.time() {
        Some(limit) if config.widen == Widen::Timed => {
            let begun = Instant::now();
            let mut search = Widening::new(config, make).paced(limit, move || begun.elapsed());
            run.search(&mut search).await?
        }
        _ => run.search(&mut *make(config, None)?).await?,
    })
}
