//! Guards of proofs: heuristics and bounds that do not keep their claims, and games without an end.

use std::time::Duration;
use unriddle_core::{
    BatchHeuristic, Budget, Cancel, Cost, Estimate, Greedy, Guarantee, InconsistentEdge, Limit,
    Mobility, Outcome, Puzzle, Scalar, Score, Search, SearchError, Solution,
    playout::UniformByMenu, run,
};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig},
    bwas::{Bwas, BwasConfig},
    dbs::{Dbs, DbsConfig},
    deepening::{Deepening, DeepeningConfig},
    greedy::{Greedy as GreedySearch, GreedyConfig},
    idastar::{IdaStar, parallel::ParallelIdaStar},
    idtt::{Idtt, IdttConfig},
    layers::{Layers, LayersConfig},
    lns::{Lifted, Lns, LnsConfig, Suffix},
    nmcs::{Nmcs, NmcsConfig},
    nrpa::{Nrpa, NrpaConfig},
    spmcts::{Roots, Spmcts, SpmctsConfig},
    staged::{Staged, StagedConfig},
};

unriddle_core::toy!(Line: GoalPuzzle);
unriddle_core::toy!(Points: ScorePuzzle, Coded, Layered);

static LINE: Line = Line { from: 3, goal: 40 };

type Guess = Estimate<Line>;

/// Right at the start, and 37 after the first action of the best path.
fn late(_: &Line, number: &u64) -> Option<Cost> {
    Some(match number {
        6 | 4 => 37,
        40 => 0,
        _ => 1,
    })
}

/// Answers of all searches that use a heuristic, each with its name.
fn all(guess: fn() -> Guess) -> Vec<(&'static str, Result<Outcome<u8>, SearchError>)> {
    let each: &'static Guess = Box::leak(Box::new(guess()));
    let batch: &'static dyn BatchHeuristic<Line> = Box::leak(Box::new(Scalar(guess())));
    let beam = BeamConfig { width: 1000, max_depth: 1000, ..BeamConfig::default() };
    let few = BwasConfig { batch: 10, ..BwasConfig::default() };
    let solve = |mut search: Box<dyn Search<Action = u8>>| {
        let budget = Budget { expansions: Some(100_000), ..Budget::default() };
        run(&mut *search, &budget, &mut ())
    };
    vec![
        ("astar", solve(Box::new(AStar::new(&LINE, batch, AStarConfig::default()).unwrap()))),
        (
            "greedy",
            solve(Box::new(GreedySearch::new(&LINE, batch, GreedyConfig::default()).unwrap())),
        ),
        ("bwas", solve(Box::new(Bwas::new(&LINE, batch, few).unwrap()))),
        ("beam", solve(Box::new(Beam::new(&LINE, batch, beam).unwrap()))),
        ("staged", solve(Box::new(Staged::new(&LINE, batch, StagedConfig::default()).unwrap()))),
        ("idastar", solve(Box::new(IdaStar::new(&LINE, each).unwrap()))),
        ("idastar on threads", solve(Box::new(ParallelIdaStar::new(&LINE, each, 2).unwrap()))),
        ("idtt", solve(Box::new(Idtt::new(&LINE, each, IdttConfig::default()).unwrap()))),
        (
            "deepening",
            solve(Box::new(Deepening::new(&LINE, each, DeepeningConfig::default()).unwrap())),
        ),
    ]
}

#[test]
fn inconsistent_edges_of_consistent_claims_are_errors_in_every_search() {
    for (name, answer) in all(|| Estimate::new(Guarantee::Consistent, Line::difference)) {
        let error = answer.expect_err(name);
        let SearchError::InconsistentEstimate(found) = &error else {
            panic!("{name}: {error}");
        };
        let InconsistentEdge { before, cost, after, path, edge } = &**found;
        assert!(*before > cost + after, "{name}: {error}");
        // The path ends with the edge.
        let mut number = 3;
        for &at in path {
            let action = LINE.actions(&number).nth(at as usize).unwrap();
            assert!(path.len() > 1 || edge.contains(&format!("from {number:?} to 6")), "{name}");
            number = LINE.apply(&number, action);
        }
        assert_eq!(number.abs_diff(40), u64::from(*after), "{name}: {error}");
        assert!(error.to_string().contains("not consistent, as it claims to be: it estimates 37"));
    }
}

#[test]
fn solutions_below_admissible_estimates_are_errors() {
    let claims = || Estimate::new(Guarantee::Admissible, Line::difference);
    for (name, answer) in all(claims) {
        let error = answer.expect_err(name);
        let is_named = matches!(error, SearchError::InadmissibleEstimate { bound: 37, .. });
        assert!(is_named, "{name}: {error}");
    }
}

/// A search that ends with a solution compares it with the estimates of all of its states.
#[test]
fn solutions_below_the_estimate_of_a_later_state_are_errors() {
    fn steep(_: &Line, number: &u64) -> Option<Cost> {
        Some(if *number == 20 { 3 } else { 0 })
    }
    for (name, answer) in all(|| Estimate::new(Guarantee::Admissible, steep)) {
        // The paths of these, if they find any, lead around the state.
        if ["greedy", "bwas", "staged"].contains(&name) {
            let found = answer.expect(name);
            let path = found.best().map_or(&[][..], |best| &best.actions);
            let mut states = path.iter().scan(3, |number, &action| {
                *number = LINE.apply(number, action);
                Some(*number)
            });
            assert!(!found.is_optimal() && states.all(|number| number != 20), "{name}: {found:?}");
            continue;
        }
        let error = answer.expect_err(name);
        assert!(matches!(error, SearchError::InadmissibleEstimate { .. }), "{name}: {error}");
        assert!(error.to_string().contains("not admissible, as it claims to be"), "{error}");
    }
    for (name, answer) in all(|| Estimate::new(Guarantee::None, steep)) {
        assert!(answer.is_ok(), "{name}: {answer:?}");
    }
}

/// An estimate that is admissible and not consistent is used without complaint.
#[test]
fn inconsistent_estimates_that_claim_only_to_be_admissible_are_accepted() {
    fn uneven(_: &Line, number: &u64) -> Option<Cost> {
        Some(if *number == 3 || *number == 10 { 2 } else { 0 })
    }
    for (name, answer) in all(|| Estimate::new(Guarantee::Admissible, uneven)) {
        let found = answer.expect(name);
        let is_optimal = found.best().is_some_and(|best| best.value == 5);
        assert!(is_optimal || ["greedy", "staged"].contains(&name), "{name}: {found:?}");
    }
}

/// A search checks the states that it generates; here the claim is wrong behind a pruned state.
#[test]
fn false_claims_behind_pruned_states_prove_no_wrong_optimum() {
    for (name, answer) in all(|| Estimate::new(Guarantee::Consistent, late)) {
        let is_false = |found: &Outcome<u8>| {
            found.is_optimal() && found.best().is_some_and(|best| best.value != 5)
        };
        assert!(!answer.as_ref().is_ok_and(is_false), "{name}: {answer:?}");
    }
}

static ENDS: Points = Points { left: 20, kind: Points::ENDS };
static ENDLESS: Points = Points { left: 20, kind: Points::ENDLESS };
static HUGE: Points = Points { left: 20, kind: Points::HUGE };

/// All searches of score puzzles but `layers` and `lns`, each with its name.
fn players(
    game: &'static Points,
    ceiling: Option<Score>,
) -> Vec<(&'static str, Box<dyn Search<Action = u8>>)> {
    static GREEDY: Greedy = Greedy { epsilon: 0.0 };
    let spmcts = SpmctsConfig { nodes: 1_000, ..SpmctsConfig::default() };
    let nmcs = NmcsConfig { level: 2, ..NmcsConfig::default() };
    let roots = SpmctsConfig { roots: 3, ..spmcts };
    let nrpa = NrpaConfig { level: 2, iterations: 20, ..NrpaConfig::default() };
    let dbs = DbsConfig { growth: 1, budget: 3, ..DbsConfig::default() };
    vec![
        (
            "spmcts",
            Box::new(Spmcts::new(game, &UniformByMenu, spmcts).unwrap().with_ceiling(ceiling)),
        ),
        (
            "roots",
            Box::new(Roots::new(game, &UniformByMenu, roots, 2).unwrap().with_ceiling(ceiling)),
        ),
        ("nmcs", Box::new(Nmcs::new(game, &UniformByMenu, nmcs).unwrap().with_ceiling(ceiling))),
        ("dbs", Box::new(Dbs::new(game, &GREEDY, dbs).unwrap().with_ceiling(ceiling))),
        ("nrpa", Box::new(Nrpa::new(game, nrpa).unwrap().with_ceiling(ceiling))),
    ]
}

/// Their answers, each with its name.
fn scores(
    game: &'static Points,
    ceiling: Option<Score>,
    budget: &Budget,
) -> Vec<(&'static str, Result<Outcome<u8>, SearchError>)> {
    let solve = |mut search: Box<dyn Search<Action = u8>>| run(&mut *search, budget, &mut ());
    players(game, ceiling).into_iter().map(|(name, search)| (name, solve(search))).collect()
}

#[test]
fn endless_games_end_by_memory() {
    let budget = Budget { memory: Some(2 << 20), ..Budget::default() };
    for (name, answer) in scores(&ENDLESS, None, &budget) {
        let stopped = Outcome::Stopped { why: Limit::Memory, best: None, bound: None };
        assert_eq!(answer, Ok(stopped), "{name}");
    }
}

#[test]
fn endless_games_end_by_time() {
    let time = Some(Duration::from_millis(50));
    for (name, answer) in scores(&ENDLESS, None, &Budget { time, ..Budget::default() }) {
        let stopped = Outcome::Stopped { why: Limit::Time, best: None, bound: None };
        assert_eq!(answer, Ok(stopped), "{name}");
    }
    let suffix = Suffix::new(std::sync::Arc::new(ENDLESS.clone()));
    let make = |suffix, seed| -> Result<unriddle_search::Inner<'_, u8>, _> {
        Ok(Box::new(Nrpa::new(suffix, NrpaConfig { seed, ..NrpaConfig::default() })?))
    };
    let mut search = Lns::new(&suffix, make, LnsConfig::default()).unwrap();
    let answer = run(&mut search, &Budget { time, ..Budget::default() }, &mut ());
    assert!(matches!(answer, Ok(Outcome::Stopped { why: Limit::Time, .. })), "{answer:?}");
}

/// A run without any limit ends when its flag is raised. A flag of another run changes nothing.
#[test]
fn endless_games_end_by_a_raised_flag() {
    let nested = |suffix, _| -> Result<unriddle_search::Inner<'_, u8>, _> {
        static LIFTED: Lifted<UniformByMenu> = Lifted(UniformByMenu);
        Ok(Box::new(Nmcs::new(suffix, &LIFTED, NmcsConfig::default())?))
    };
    let suffix = Suffix::new(std::sync::Arc::new(ENDLESS.clone()));
    let mut searches: Vec<(_, Box<dyn Search<Action = u8> + '_>)> = Vec::new();
    searches.extend(players(&ENDLESS, None));
    searches.push(("lns", Box::new(Lns::new(&suffix, nested, LnsConfig::default()).unwrap())));
    for (name, mut search) in searches {
        let (other, cancel) = (Cancel::default(), Cancel::default());
        let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(10));
                other.cancel();
                std::thread::sleep(Duration::from_millis(10));
                cancel.cancel();
            });
            run(&mut *search, &budget, &mut ())
        });
        let stopped = Outcome::Stopped { why: Limit::Cancelled, best: None, bound: None };
        assert_eq!(answer, Ok(stopped), "{name}");
    }
}

#[test]
fn layers_that_rise_are_errors() {
    for kind in [Points::ENDLESS, Points::RISING] {
        let game = Points { left: 20, kind };
        let mut search = Layers::new(&game, &Mobility, LayersConfig::default()).unwrap();
        let error = run(&mut search, &Budget::default(), &mut ()).unwrap_err();
        // Without a rise the last layer leads to itself.
        let (from, to) = if kind == Points::RISING { (20, 21) } else { (0, 0) };
        assert_eq!(error, SearchError::RisingLayer { from, to });
        assert_eq!(run(&mut search, &Budget::default(), &mut ()), Err(error));
    }
}

#[test]
fn searches_stop_at_the_upper_bound() {
    for (name, answer) in scores(&ENDS, Some(20), &Budget::default()) {
        let outcome = answer.expect(name);
        assert!(outcome.is_optimal(), "{name}: {outcome:?}");
        assert_eq!(outcome.bound(), Some(20), "{name}");
    }
    let mut layers = Layers::new(&ENDS, &Mobility, LayersConfig::default()).unwrap();
    assert!(run(&mut layers, &Budget::default(), &mut ()).unwrap().is_optimal());
}

#[test]
fn lines_beyond_the_upper_bound_are_errors() {
    for (name, answer) in scores(&ENDS, Some(0), &Budget::default()) {
        let error = answer.expect_err(name);
        assert!(matches!(error, SearchError::ExceededBound { bound: 0, .. }), "{name}: {error}");
    }
}

#[test]
fn scores_beyond_64_bits_are_errors() {
    for (name, answer) in scores(&HUGE, None, &Budget::default()) {
        assert_eq!(answer, Err(SearchError::uncountable_score()), "{name}");
    }
    let mut layers = Layers::new(&HUGE, &Mobility, LayersConfig::default()).unwrap();
    let answer = run(&mut layers, &Budget::default(), &mut ());
    assert_eq!(answer, Err(SearchError::uncountable_score()));
    assert!(!Solution::is_countable(&HUGE, &[2; 20]));
    assert!(Solution::is_countable(&HUGE, &[2, 1, 1]));
}

#[test]
fn a_stopped_beam_over_layers_plays_its_best_state_to_the_end() {
    let mut search = Layers::new(&ENDS, &Mobility, LayersConfig::default()).unwrap();
    let budget = Budget { expansions: Some(4), ..Budget::default() };
    let outcome = run(&mut search, &budget, &mut ()).unwrap();
    assert_eq!(outcome.best().unwrap().value, 20);
    assert_eq!(search.stats().expanded, 4);
}

#[test]
fn beams_name_the_depth_that_ended_them() {
    let guess = Scalar(Estimate::new(Guarantee::None, Line::difference));
    let config = BeamConfig { width: 1, max_depth: 2, ..BeamConfig::default() };
    let mut beam = Beam::new(&LINE, &guess, config).unwrap();
    let outcome = run(&mut beam, &Budget::default(), &mut ()).unwrap();
    assert_eq!(outcome, Outcome::Exhausted { best: None });
    assert_eq!(beam.reason().unwrap(), "the beam ended after 2 actions, the limit `max_depth`");
}
