//! Goal puzzles: which search runs with which heuristic.

use crate::{
    analysis::{Pattern, patterns},
    bind::Bound,
    ends::BothEnds,
    family::Models,
    game::{self, Game, Path, Rules},
    heuristic::{self, EachState, HeuristicOf, Tables},
    instance::{
        Events, Extensions, Likeness, Measures, Report, Request, SolveError, Status, Visit,
    },
    learning::Learning,
    listed::{
        self, Costs, Declared, DeclaredPuzzle, Presentation, Preset, Solver, Written, infos, preset,
    },
    searches::{GOAL_SEARCHES, GoalSearch},
    solver::{Runner, not_wired},
    spec::Spec,
    validate::{Inquiry, Structure, of_goal},
};
use std::cell::RefCell;
use unriddle_core::search::MAX_STATE_BYTES;
use unriddle_core::{
    BatchHeuristic, Cost, GoalPuzzle, Info, GoalDistances, Options, ParseError, Puzzle, Role, Row,
    SearchError, Solution, Vicinity,
};
use unriddle_search::{
    Inner,
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig, Choose, Widen},
    bfs::{Bfs, BfsConfig},
    bwas::{Bwas, BwasConfig},
    deepening::{Deepening, DeepeningConfig},
    greedy::{Compare, Greedy, GreedyConfig},
    idtt::{Idtt, IdttConfig},
    pairwise::Pairwise,
    qbeam::{ActionValues, QBeam},
    qbwas::QBwas,
    staged::{Staged, StagedConfig},
    widening::Widening,
    windows::{Windows, WindowsConfig},
};

/// A goal puzzle of the catalogue, with what is its own.
///
/// ```
/// # use unriddle_catalog::Presentation;
/// # use unriddle_core::{GoalPuzzle, Notation, Numbers, ParseError, Puzzle, text};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
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
/// use unriddle_catalog::{ErasedHeuristic, Goal, HeuristicOf, Info, Preset, Role};
/// use unriddle_core::{Cost, Estimate, Guarantee};
///
/// const HALF: Info = Info::new(Role::Heuristic, "half", "half the stairs that are left");
///
/// fn half(_: &Stairs, stair: &u8) -> Option<Cost> {
///     Some(Cost::from(stair.div_ceil(2)))
/// }
///
/// impl Goal for Stairs {
///     const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&HALF, |_, _| {
///         Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, half)))
///     })];
///     const PRESETS: &'static [Preset<Self>] =
///         &[Preset::new("default", "the fewest steps", |_| Some("astar(half)"))];
/// }
///
/// assert_eq!((Stairs::PRESETS[0].solver)(&Stairs(9)), Some("astar(half)"));
/// ```
pub trait Goal: GoalPuzzle + Presentation + Sized {
    /// Its heuristics.
    const HEURISTICS: &'static [HeuristicOf<Self>];

    /// Solvers made for it alone.
    const SOLVERS: &'static [Solver<Self, Costs>] = &[];

    /// The tables of one of its [`SOLVERS`](Self::SOLVERS), for building ahead: those of an instance, or without one those of the
    /// puzzle as it is by default. A solver without tables has none.
    ///
    /// # Errors
    /// Parameters that do not fit the puzzle.
    fn solver_tables(puzzle: Option<&Self>, solver: &Bound<'_>) -> Tables {
        let _ = (puzzle, solver);
        Ok(Vec::new())
    }

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// What it has as a puzzle whose distances networks learn: `Some(Learning::new(&[]))` of one that is
    /// [`Learnable`](unriddle_core::Learnable).
    const LEARNING: Option<Learning<Self>> = None;

    /// Inverses of its states, by which paths are searched from both ends: `Some(BothEnds::new())` of a puzzle that is
    /// [`Invertible`](unriddle_core::Invertible).
    const ENDS: Option<BothEnds<Self>> = None;

    /// Which states are near one, for shortening solutions; `None` for those that few steps lead to.
    fn vicinity(&self) -> Option<Box<dyn Vicinity<Self> + '_>> {
        None
    }

    /// The lengths of a solution found by a solver, where the puzzle has several measures.
    fn measures(&self, solver: &Bound<'_>, actions: &[Self::Action]) -> Measures {
        let _ = (solver, actions);
        Measures::default()
    }
}

impl<P: Goal> DeclaredPuzzle<Costs> for P {
    type Action = <P as Puzzle>::Action;

    fn declared() -> Declared {
        Declared {
            general: [GOAL_SEARCHES, &heuristic::general::<P>()].concat(),
            searches: Vec::new(),
            solvers: P::SOLVERS.iter().map(|solver| solver.info).collect(),
            heuristics: P::HEURISTICS.iter().map(|entry| entry.info).collect(),
            playouts: Vec::new(),
            presets: infos(P::PRESETS),
        }
    }

    fn tables(puzzle: Option<&Self>, heuristic: &Spec) -> Tables {
        let declared = P::declared();
        let is_search = |info: &&Info| info.role == Role::Search && info.name == heuristic.name();
        if !declared.expressions().iter().any(is_search) {
            return heuristic::tables(puzzle, heuristic);
        }
        let given = declared.bind(Role::Search, heuristic)?;
        match GoalSearch::of(heuristic.name()) {
            Some(GoalSearch::Bfs) => Ok(Vec::new()),
            Some(GoalSearch::Windows) => {
                <P as DeclaredPuzzle<Costs>>::tables(puzzle, given.expr("search"))
            }
            Some(GoalSearch::Beam) => {
                let mut tables = heuristic::tables(puzzle, given.expr("h"))?;
                let near = BeamConfig::read(&given).goal_table;
                let ends = puzzle.zip(P::ENDS);
                tables.extend(ends.and_then(|(puzzle, ends)| ends.table(puzzle, near)));
                Ok(tables)
            }
            Some(_) => heuristic::tables(puzzle, given.expr("h")),
            None => P::solver_tables(puzzle, &given),
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

    fn written(&self, solver: &Bound<'_>, best: &Solution<Self::Action>) -> Written {
        let value_of = |actions| Solution::played(self, actions);
        Written::path(self, best, value_of, |actions| self.measures(solver, actions))
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
        // What no search would take would fill the memory here, too.
        let is_small = size_of::<P::State>() <= MAX_STATE_BYTES;
        is_small.then(|| of_goal(self, inquiry))
    }

    fn models() -> Models {
        P::LEARNING.map_or(&[], |learning| learning.models)
    }

    #[cfg(feature = "training-data")]
    fn training_data(&self) -> Option<Box<dyn crate::training_data::TrainingData>> {
        P::LEARNING.map(|learning| (learning.training_data)(self))
    }
}

/// Where a game ends, and its value.
fn rules<P: Goal>() -> Rules<P> {
    Rules {
        is_end: P::is_goal,
        missing: "the goal is not reached",
        value: |puzzle, actions| Solution::played(puzzle, actions.to_vec()).value,
    }
}

/// Solves an instance of a goal puzzle.
fn solve<P: Goal>(
    puzzle: &P,
    request: &Request<'_>,
    events: &mut dyn Events,
) -> Result<Report, SolveError> {
    let given = P::declared().bind(Role::Search, request.solver)?;
    let run = Runner::new(puzzle, request, &given, events);
    let name = given.info().name;
    if let Some(solver) = P::SOLVERS.iter().find(|solver| solver.info.name == name) {
        return (solver.run)(puzzle, &given, run);
    }
    let Some(search) = GoalSearch::of(name) else {
        return Err(not_wired("search", name));
    };
    let networks = RefCell::default();
    let deep = |mut run: Runner<'_, '_, P, Costs>, go: Deep<'_, P>| {
        let h = heuristic::each(puzzle, given.expr("h"), request, &networks)?;
        if let Some(report) = run.begin(h.bytes()) {
            return Ok(report);
        }
        run.estimate(|start| h.estimate(puzzle, start).map(f64::from));
        go(&*h, run)
    };
    let go_wide = |mut run: Runner<'_, '_, P, Costs>,
                   h: Box<dyn BatchHeuristic<P>>,
                   more: u64,
                   go: Wide<'_, P>| {
        run.networks = networks.take();
        if let Some(report) = run.begin(h.bytes() + more) {
            return Ok(report);
        }
        run.estimate(|state| {
            let mut out = [f32::NAN];
            h.evaluate(&[Row { puzzle, state }], &mut out);
            Some(f64::from(out[0]))
        });
        go(&*h, run)
    };
    let wide = |run: Runner<'_, '_, P, Costs>, go: Wide<'_, P>| {
        let h = heuristic::heuristic(puzzle, given.expr("h"), request, &networks)?.into_batch();
        go_wide(run, h, 0, go)
    };
    let acting = |mut run: Runner<'_, '_, P, Costs>, go: Acting<'_, P>| {
        let values = heuristic::actions(puzzle, given.expr("h"), request, &networks)?;
        run.networks = networks.take();
        if let Some(report) = run.begin(values.bytes()) {
            return Ok(report);
        }
        go(&*values, run)
    };
    match search {
        GoalSearch::Bfs => run.plain(Bfs::new(puzzle, BfsConfig::default())),
        GoalSearch::IdaStar => deep(run, &|h, run| h.ida_star(run)),
        GoalSearch::Idtt => {
            deep(run, &|h, run| run.search(&mut Idtt::new(puzzle, h, IdttConfig::read(&given))?))
        }
        GoalSearch::Deepening => deep(run, &|h, run| {
            let config = DeepeningConfig::read(&given);
            run.search(&mut Deepening::new(puzzle, h, config)?)
        }),
        GoalSearch::AStar => {
            wide(run, &|h, run| run.search(&mut AStar::new(puzzle, h, AStarConfig::read(&given))?))
        }
        GoalSearch::Greedy if GreedyConfig::read(&given).compare == Compare::Pairs => {
            let pairs = heuristic::pairs(puzzle, given.expr("h"), request, &networks)?;
            let mut run = run;
            run.networks = networks.take();
            if let Some(report) = run.begin(pairs.bytes()) {
                return Ok(report);
            }
            run.search(&mut Pairwise::new(puzzle, &*pairs)?)
        }
        GoalSearch::Greedy => wide(run, &|h, run| {
            run.search(&mut Greedy::new(puzzle, h, GreedyConfig::read(&given))?)
        }),
        GoalSearch::Bwas if BwasConfig::read(&given).choose == Choose::Actions => {
            acting(run, &|values, run| {
                if values.is_policy() {
                    let message = "a policy estimates no costs: `beam(net(FILE), choose=actions)` searches with it";
                    return Err(SolveError::Unsupported(message.to_owned()));
                }
                run.search(&mut QBwas::new(puzzle, values, BwasConfig::read(&given))?)
            })
        }
        GoalSearch::Bwas => {
            wide(run, &|h, run| run.search(&mut Bwas::new(puzzle, h, BwasConfig::read(&given))?))
        }
        GoalSearch::Beam if BeamConfig::read(&given).choose == Choose::Actions => {
            if BeamConfig::read(&given).needs_inverses() {
                let message = "`choose=actions` goes with none of `direction=bidirectional`, `goal_table` and `rerank`";
                return Err(SolveError::Unsupported(message.to_owned()));
            }
            acting(run, &|values, run| {
                beam(run, BeamConfig::read(&given), &|config, below| {
                    Ok(Box::new(QBeam::new(puzzle, values, config)?.below(below)))
                })
            })
        }
        GoalSearch::Beam if BeamConfig::read(&given).needs_inverses() => {
            let config = BeamConfig::read(&given);
            let Some(ends) = P::ENDS else {
                let message = "`direction=bidirectional`, `goal_table` and `rerank` need a puzzle whose states have an inverse that is as far from the goal; this one has none: leave them out";
                return Err(SolveError::Unsupported(message.to_owned()));
            };
            #[cfg(feature = "cuda")]
            if config.direction == unriddle_search::beam::Direction::Bidirectional
                && request.networks.device == unriddle_neural::Device::Cuda
            {
                let on_gpu = heuristic::on_gpu(
                    puzzle,
                    given.expr("h"),
                    (ends.ends, config.goal_table),
                    (request, &networks),
                )?;
                if let Some(make) = on_gpu {
                    let mut run = run;
                    run.networks = networks.take();
                    return match run.begin(0) {
                        Some(report) => Ok(report),
                        None => beam(run, config, &*make),
                    };
                }
            }
            let near = ends.near(puzzle, config.goal_table, request.cache)?;
            let near = near.as_deref();
            // The search has threads of its own.
            let alone = Request { budget: request.budget.clone(), threads: 1, ..*request };
            let h = heuristic::heuristic(puzzle, given.expr("h"), &alone, &networks)?.into_batch();
            go_wide(run, h, near.map_or(0, GoalDistances::bytes), &|h, run| {
                beam(run, config, &|config, below| {
                    ends.beam((puzzle, h), (near, request.threads), config, below)
                })
            })
        }
        GoalSearch::Beam => wide(run, &|h, run| {
            beam(run, BeamConfig::read(&given), &|config, below| {
                Ok(Box::new(Beam::new(puzzle, h, config)?.below(below)))
            })
        }),
        GoalSearch::Staged => wide(run, &|h, run| {
            run.search(&mut Staged::new(puzzle, h, StagedConfig::read(&given))?)
        }),
        GoalSearch::Windows => shorten(puzzle, &given, run),
    }
}

/// Shortens the solution that is known, or that of the inner solver.
fn shorten<P: Goal>(
    puzzle: &P,
    given: &Bound<'_>,
    mut run: Runner<'_, '_, P, Costs>,
) -> Result<Report, SolveError> {
    let first = match run.request.known {
        Some(_) => None,
        None => {
            let request = Request {
                solver: given.expr("search"),
                budget: run.request.budget.clone(),
                ..*run.request
            };
            Some(solve(puzzle, &request, run.events)?)
        }
    };
    let found = first.as_ref().map(|report| report.solution.as_deref());
    let (known, what) = match found {
        Some(found) => (found, "the inner solver's solution"),
        None => (run.request.known, "the known solution"),
    };
    let is_solved = |report: &Report| report.status == Status::Solved;
    let Some(known) = known.filter(|_| first.as_ref().is_none_or(is_solved)) else {
        // Nothing to shorten, nothing shorter, or no time left.
        return first.ok_or_else(|| not_wired("search", given.info().name));
    };
    let actions = listed::replayed(puzzle, known, |end| puzzle.is_goal(end), rules::<P>().missing);
    let actions = actions.map_err(|why| SolveError::Unsupported(format!("{what}: {why}")))?;
    if let Some(first) = &first {
        run.spend(first);
    }
    let config = WindowsConfig::read(given);
    let report = run.plain(Windows::new(puzzle, puzzle.vicinity(), actions, config))?;
    Ok(match first {
        Some(first) => report.after(first),
        None => report,
    })
}

/// Runs a beam, or beams that widen where the time is limited.
fn beam<'b, P: Goal>(
    run: Runner<'_, '_, P, Costs>,
    config: BeamConfig,
    make: &dyn Fn(BeamConfig, Option<Cost>) -> Result<Inner<'b, P::Action>, SearchError>,
) -> Result<Report, SolveError> {
    match config.widen {
        Widen::Timed if run.request.budget.time.is_some() => {
            run.search(&mut Widening::new(config, make))
        }
        Widen::Timed | Widen::No => run.search(&mut *make(config, None)?),
    }
}

/// Runs a search that follows paths, and estimates a state at a time.
type Deep<'f, P> = &'f dyn for<'h, 'a, 'e> Fn(
    &'h dyn EachState<P>,
    Runner<'a, 'e, P, Costs>,
) -> Result<Report, SolveError>;

/// Runs a search that estimates many states at a time.
type Wide<'f, P> = &'f dyn for<'h, 'a, 'e> Fn(
    &'h dyn BatchHeuristic<P>,
    Runner<'a, 'e, P, Costs>,
) -> Result<Report, SolveError>;

/// Runs a search that estimates the actions of many states at a time.
type Acting<'f, P> = &'f dyn for<'h, 'a, 'e> Fn(
    &'h dyn ActionValues<P>,
    Runner<'a, 'e, P, Costs>,
) -> Result<Report, SolveError>;
