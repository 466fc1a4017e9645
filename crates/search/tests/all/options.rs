//! Options, declarations, rejections, faults, and special properties of single searches.

use crate::common::*;
use std::{
    fmt::Debug,
    sync::atomic::{AtomicU64, Ordering},
};
use unriddle_conformance::{check_options, graph::Graph};
use unriddle_core::{
    BatchHeuristic, Blind, Budget, Cost, GoalPuzzle, Guarantee, Heuristic, Outcome, Progress,
    Puzzle, Regret, Rng, Role, Row, Scalar, Score, Search, SearchError, UpperBound, run,
    search::MAX_STATE_BYTES,
};
use unriddle_search::{
    astar::{self, AStar, AStarConfig},
    beam::{self, Beam, BeamConfig},
    bfs::{self, Bfs, BfsConfig},
    bwas::{self, Bwas, BwasConfig, Stop},
    dbs::{self, DbsConfig},
    deepening::{self, Deepening, DeepeningConfig},
    greedy::{Greedy, GreedyConfig},
    idastar::{IdaStar, parallel::ParallelIdaStar},
    idtt::{self, Idtt, IdttConfig},
    layers::{self, LayersConfig},
    levin::{self, LevinConfig},
    lns::{self, LnsConfig},
    nmcs::{self, NmcsConfig},
    nrpa::{self, NrpaConfig},
    spmcts::{self, SpmctsConfig},
    staged::{self, Keep, Staged, StagedConfig},
};

#[test]
fn declared_options_keep_their_bounds() {
    let all = [
        (astar::INFO, check_options::<AStarConfig>()),
        (beam::INFO, check_options::<BeamConfig>()),
        (bwas::INFO, check_options::<BwasConfig>()),
        (dbs::INFO, check_options::<DbsConfig>()),
        (deepening::INFO, check_options::<DeepeningConfig>()),
        (idtt::INFO, check_options::<IdttConfig>()),
        (layers::INFO, check_options::<LayersConfig>()),
        (levin::INFO, check_options::<LevinConfig>()),
        (lns::INFO, check_options::<LnsConfig>()),
        (nmcs::INFO, check_options::<NmcsConfig>()),
        (nrpa::INFO, check_options::<NrpaConfig>()),
        (spmcts::INFO, check_options::<SpmctsConfig>()),
        (staged::INFO, check_options::<StagedConfig>()),
    ];
    for (info, checked) in all {
        assert_eq!((checked, info.role), (Ok(()), Role::Search), "{}", info.name);
    }
    // A default with a suffix and a default word are read as values.
    assert_eq!(IdttConfig::default().table, 1_000_000_000);
    assert_eq!(StagedConfig::default().table, 200_000);
    assert_eq!(SpmctsConfig::default().per, spmcts::Per::Game);
    assert!(NrpaConfig::default().tabu && !LayersConfig::default().tabu);
}

#[test]
fn options_out_of_bounds_are_refused() {
    let puzzle = Sliding::scrambled(3, 3, 20, &mut Rng::new(0));
    let h = &Scalar(Manhattan);
    let refused = |result: Option<SearchError>| matches!(result, Some(SearchError::BadOption(_)));
    for w in [0.99, -1.0, 100.1, f64::NAN, f64::INFINITY] {
        assert!(refused(AStar::new(&puzzle, h, AStarConfig { w }).err()), "{w}");
    }
    for lambda in [-0.1, 1.1, f64::NAN] {
        let config = BwasConfig { lambda, ..Default::default() };
        assert!(refused(Bwas::new(&puzzle, h, config).err()), "{lambda}");
    }
    for batch in [0, bwas::MAX_BATCH + 1] {
        let config = BwasConfig { batch, ..Default::default() };
        assert!(refused(Bwas::new(&puzzle, h, config).err()), "{batch}");
    }
    for width in [0, beam::MAX_WIDTH + 1] {
        let config = BeamConfig { width, ..Default::default() };
        assert!(refused(Beam::new(&puzzle, h, config).err()), "{width}");
    }
    let config = BeamConfig { max_depth: 0, ..Default::default() };
    assert!(refused(Beam::new(&puzzle, h, config).err()));
    let config = IdttConfig { table: u64::MAX };
    assert!(refused(Idtt::new(&puzzle, &Manhattan, config).err()));
    let config = DeepeningConfig { table: u64::MAX };
    assert!(refused(Deepening::new(&puzzle, &Manhattan, config).err()));
    let config = StagedConfig::default();
    for depth in [0, staged::MAX_DEPTH + 1] {
        let config = StagedConfig { depth, ..config };
        assert!(refused(Staged::new(&puzzle, h, config).err()), "{depth}");
    }
    for table in [0, staged::MAX_TABLE + 1] {
        let config = StagedConfig { table, ..config };
        assert!(refused(Staged::new(&puzzle, h, config).err()), "{table}");
    }
    for quantum in [-0.1, 1e10, f64::NAN] {
        let config = StagedConfig { quantum, ..config };
        assert!(refused(Staged::new(&puzzle, h, config).err()), "{quantum}");
    }
}

/// States of `N` bytes.
struct Large<const N: usize>;

impl<const N: usize> Puzzle for Large<N> {
    type State = [u8; N];
    type Action = u8;
    type Actions = Bits;
    fn initial_state(&self) -> [u8; N] {
        [0; N]
    }
    fn actions(&self, _: &[u8; N]) -> Bits {
        Bits(3)
    }
    fn apply(&self, s: &[u8; N], action: u8) -> [u8; N] {
        let mut s = *s;
        s[action as usize] = (s[action as usize] + 1).min(9);
        s
    }
}

impl<const N: usize> GoalPuzzle for Large<N> {
    fn is_goal(&self, s: &[u8; N]) -> bool {
        s[..2] == [9, 9]
    }
}

#[test]
fn states_that_are_too_large_are_refused() {
    let scalar = Scalar(Blind);
    for tested in searches::<Large<MAX_STATE_BYTES>, Blind>() {
        let mut search = (tested.make)(&Large, &scalar);
        assert_eq!(finish(&mut *search, &mut ()).best().unwrap().value, 18, "{}", tested.name);
    }
    let p = &Large::<{ MAX_STATE_BYTES + 1 }>;
    let bytes = MAX_STATE_BYTES + 1;
    let refusal = Some(SearchError::StateTooLarge { bytes });
    assert_eq!(Bfs::new(p, BfsConfig {}).err(), refusal);
    assert_eq!(AStar::new(p, &scalar, AStarConfig::default()).err(), refusal);
    assert_eq!(Greedy::new(p, &scalar, GreedyConfig::default()).err(), refusal);
    assert_eq!(Bwas::new(p, &scalar, BwasConfig::default()).err(), refusal);
    assert_eq!(Beam::new(p, &scalar, BeamConfig::default()).err(), refusal);
    assert_eq!(Idtt::new(p, &Blind, IdttConfig::default()).err(), refusal);
    let config = DeepeningConfig::default();
    assert_eq!(Deepening::new(p, &Blind, config).err(), refusal);
    let config = StagedConfig::default();
    assert_eq!(Staged::new(p, &scalar, config).err(), refusal);
}

/// A batch heuristic made of a function of Manhattan distance, which counts its calls.
struct Made {
    guarantee: Guarantee,
    of: fn(f32) -> f32,
    calls: AtomicU64,
    largest: AtomicU64,
}

impl Made {
    fn new(guarantee: Guarantee, of: fn(f32) -> f32) -> Self {
        let (calls, largest) = Default::default();
        Self { guarantee, of, calls, largest }
    }
}

impl BatchHeuristic<Sliding> for Made {
    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
    fn evaluate(&self, rows: &[Row<'_, Sliding>], out: &mut [f32]) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.largest.fetch_max(rows.len() as u64, Ordering::Relaxed);
        for (row, out) in rows.iter().zip(out) {
            let (h, ()) = Manhattan.root(row.puzzle, row.state).unwrap();
            *out = (self.of)(h as f32);
        }
    }
}

#[test]
fn fractional_estimates() {
    let mut rng = Rng::new(30);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 100, &mut rng);
        let optimum = optimum(&puzzle).unwrap();
        // A lower bound may have fractions; the search remains optimal.
        let low = Made::new(Guarantee::Consistent, |h| h * 0.97);
        let mut search = AStar::new(&puzzle, &low, AStarConfig::default()).unwrap();
        let outcome = finish(&mut search, &mut ());
        assert!(outcome.is_optimal() && outcome.best().unwrap().value == optimum);
        // A learned estimate misses on both sides; one below 0 counts as 0.
        let learned = Made::new(Guarantee::None, |h| h * 1.13 - 1.3);
        for lambda in [0.0, 0.3, 1.0] {
            let config =
                BwasConfig { lambda, batch: 50, stop: Stop::Selected, ..Default::default() };
            let mut search = Bwas::new(&puzzle, &learned, config).unwrap();
            let outcome = finish(&mut search, &mut ());
            assert!(check(&puzzle, outcome.best().unwrap()) >= optimum);
            assert_eq!(outcome.is_optimal(), optimum == 0);
        }
        let mut search = Beam::new(&puzzle, &learned, BeamConfig::default()).unwrap();
        check(&puzzle, finish(&mut search, &mut ()).best().unwrap());
    }
}

/// The error that a search fails with: step by step, again and again, and in the driver.
fn failure<A: Clone + Debug + PartialEq>(search: &mut dyn Search<Action = A>) -> SearchError {
    for _ in 0..10_000 {
        match search.step(1, &mut ()) {
            Progress::Running => {}
            Progress::Failed(error) => {
                let again = search.step(1, &mut ());
                assert_eq!(again, Progress::Failed(error.clone()));
                assert_eq!(run(search, &Budget::default(), &mut ()), Err(error.clone()));
                return error;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("it runs for ever");
}

#[test]
fn an_estimate_that_is_no_number_is_an_error() {
    let puzzle = Sliding::scrambled(3, 3, 100, &mut Rng::new(31));
    let broken = Made::new(Guarantee::None, |h| if h < 9.0 { f32::NAN } else { h });
    let shallow = StagedConfig { depth: 1, ..Default::default() };
    let mut searches: Vec<Boxed<'_, Sliding>> = vec![
        Box::new(AStar::new(&puzzle, &broken, AStarConfig::default()).unwrap()),
        Box::new(Greedy::new(&puzzle, &broken, GreedyConfig::default()).unwrap()),
        Box::new(Bwas::new(&puzzle, &broken, BwasConfig::default()).unwrap()),
        Box::new(Beam::new(&puzzle, &broken, BeamConfig::default()).unwrap()),
        Box::new(Staged::new(&puzzle, &broken, shallow).unwrap()),
    ];
    for search in &mut searches {
        let error = failure(&mut **search);
        assert!(matches!(error, SearchError::BadEstimate(_)), "{error:?}");
    }
}

#[test]
fn a_path_that_costs_too_much_is_an_error() {
    let puzzle = Graph::new(vec![vec![(1, 1 << 31)], vec![(2, 1 << 31)], vec![]]);
    let scalar = Scalar(Blind);
    for tested in all_searches() {
        let error = failure(&mut *(tested.make)(&puzzle, &scalar));
        let too_large = matches!(error, SearchError::TooLarge(_));
        assert!(too_large, "{}: {error:?}", tested.name);
    }
    let error = failure(&mut ParallelIdaStar::new(&puzzle, &Blind, 2).unwrap());
    assert!(matches!(error, SearchError::TooLarge(_)), "{error:?}");
}

#[test]
fn a_batch_is_evaluated_in_one_call() {
    let puzzle = Sliding::scrambled(3, 3, 300, &mut Rng::new(32));
    let h = Made::new(Guarantee::Consistent, |h| h);
    let config = BwasConfig { lambda: 1.0, batch: 100, stop: Stop::Selected, ..Default::default() };
    let mut search = Bwas::new(&puzzle, &h, config).unwrap();
    let outcome = finish(&mut search, &mut ());
    assert!(outcome.is_optimal());
    let stats = search.stats();
    let (calls, largest) = (h.calls.into_inner(), h.largest.into_inner());
    assert!(calls <= stats.expanded / 100 + 20, "{calls} calls, {stats:?}");
    assert!((100..300).contains(&largest), "{largest}");
    // A state is evaluated once.
    assert!(stats.evaluated < stats.generated && stats.evaluated <= 181_440);
}

#[test]
fn a_batch_of_one_with_full_weight_is_a_star() {
    let mut rng = Rng::new(33);
    let h = Scalar(Manhattan);
    for _ in 0..10 {
        let puzzle = Sliding::scrambled(3, 3, 200, &mut rng);
        let config =
            BwasConfig { lambda: 1.0, batch: 1, stop: Stop::Selected, ..Default::default() };
        let mut a = AStar::new(&puzzle, &h, AStarConfig::default()).unwrap();
        let mut b = Bwas::new(&puzzle, &h, config).unwrap();
        assert_eq!(finish(&mut a, &mut ()), finish(&mut b, &mut ()));
        assert_eq!(a.stats(), b.stats());
    }
}

#[test]
fn a_narrow_beam_gives_up_without_a_proof() {
    let h = Scalar(Manhattan);
    let puzzle = Sliding::unsolvable(3, 3);
    let config = BeamConfig { width: 100, max_depth: 50, ..Default::default() };
    let mut search = Beam::new(&puzzle, &h, config).unwrap();
    assert_eq!(finish(&mut search, &mut ()), Outcome::Exhausted { best: None });
    // Nothing was cut off, but the depth or the cost is limited.
    let puzzle = Sliding::scrambled(3, 3, 9, &mut Rng::new(34));
    let optimum = optimum(&puzzle).unwrap();
    for limit in 1..12 {
        let deep = BeamConfig { max_depth: limit, ..Default::default() };
        let dear = BeamConfig { max_cost: limit, ..Default::default() };
        for config in [deep, dear] {
            let mut search = Beam::new(&puzzle, &h, config).unwrap();
            let outcome = finish(&mut search, &mut ());
            assert_eq!(outcome.best().is_some(), i64::from(limit) >= optimum);
            assert_ne!(outcome, Outcome::Unsolvable);
        }
    }
}

/// With all states in the beam the first goal is at the smallest depth; narrower beams do less
/// work.
#[test]
fn the_width_of_a_beam() {
    let mut rng = Rng::new(35);
    let h = Scalar(Manhattan);
    for _ in 0..10 {
        let puzzle = Sliding::scrambled(3, 3, 300, &mut rng);
        let optimum = optimum(&puzzle).unwrap();
        let mut before = 0;
        for width in [1, 10, 600, 5000, 200_000] {
            let config = BeamConfig { width, max_depth: 300, ..Default::default() };
            let mut search = Beam::new(&puzzle, &h, config).unwrap();
            let outcome = finish(&mut search, &mut ());
            let value = outcome.best().map(|b| check(&puzzle, b));
            assert!(value.is_none_or(|v| v >= optimum));
            assert!(width < 200_000 || value == Some(optimum));
            if value.is_some() {
                assert!(search.stats().expanded >= before / 2);
                before = search.stats().expanded;
            }
        }
    }
}

#[test]
fn regret_finds_the_best_score() {
    let mut rng = Rng::new(36);
    for len in [1, 2, 5, 8, 8, 9, 9] {
        let puzzle = Piles::random(len, &mut rng);
        let best = puzzle.best(puzzle.initial_state());
        let regret = Regret::new(puzzle, HighestPrices);
        let scalar = Scalar(Blind);
        for tested in all_searches() {
            let mut search = (tested.make)(&regret, &scalar);
            let budget = Budget { expansions: Some(1_000_000), ..Default::default() };
            let outcome = run(&mut *search, &budget, &mut ()).unwrap();
            if outcome.best().is_none() && !tested.optimal {
                continue;
            }
            let found = outcome.best().unwrap();
            let score = regret.score(found.value);
            assert_eq!(score, regret.inner().play(&found.actions), "{}", tested.name);
            assert!(score <= best, "{}", tested.name);
            if tested.optimal {
                assert!(outcome.is_optimal() && score == best, "{}", tested.name);
            }
        }
    }
}

#[test]
fn the_path_at_hand_is_completed() {
    let mut rng = Rng::new(38);
    let puzzle = Piles::random(9, &mut rng);
    let regret = Regret::new(puzzle, HighestPrices);
    let mut search = IdaStar::new(&regret, &Blind).unwrap();
    assert!(search.at_hand().is_empty());
    let mut longest = 0;
    while search.step(1, &mut ()) == Progress::Running {
        let path = search.at_hand();
        longest = longest.max(path.len());
        let line = regret.complete(path.clone());
        assert_eq!(line.actions[..path.len()], path[..]);
        assert_eq!(regret.score(line.value), regret.inner().play(&line.actions));
        assert_eq!(regret.complete(line.actions.clone()), line);
    }
    assert!(longest > 3);
}

#[test]
fn an_inconsistent_upper_bound_is_an_error() {
    fn fails<U: UpperBound<Piles>>(upper: U) {
        let regret = Regret::new(Piles { values: vec![5, 6, 7, 8] }, upper);
        let scalar = Scalar(Blind);
        for tested in searches() {
            let mut search = (tested.make)(&regret, &scalar);
            let error = failure(&mut *search);
            let inconsistent = matches!(error, SearchError::InconsistentBound { .. });
            assert!(inconsistent, "{}: {error:?}", tested.name);
        }
        assert!(bfs::distances(&regret).is_err());
    }
    /// Too high in the middle.
    struct Hump;
    impl UpperBound<Piles> for Hump {
        fn upper(&self, p: &Piles, s: &u32) -> Score {
            let hump = if s.count_ones() == 3 { 1000 } else { 0 };
            HighestPrices.upper(p, s) + hump
        }
    }
    fails(Constant(1));
    fails(Hump);
}

#[test]
fn reported_costs_equal_the_path_costs() {
    // The estimate of a memo heuristic equals its root estimate.
    struct Memo;
    impl Heuristic<Grid> for Memo {
        type Memo = Cost;
        fn guarantee(&self) -> Guarantee {
            Guarantee::Consistent
        }
        fn root(&self, p: &Grid, s: &u16) -> Option<(Cost, Cost)> {
            Steps.root(p, s).map(|(h, ())| (h, h))
        }
        fn child(&self, p: &Grid, s: &u16, memo: &Cost, _: u8, t: &u16) -> Option<(Cost, Cost)> {
            assert_eq!(Steps.root(p, s).unwrap().0, *memo);
            self.root(p, t)
        }
    }
    let mut rng = Rng::new(37);
    for _ in 0..50 {
        let puzzle = Grid::random(10, 9, &mut rng);
        let mut search = Idtt::new(&puzzle, &Memo, IdttConfig::default()).unwrap();
        let value = finish(&mut search, &mut ()).best().map(|b| check(&puzzle, b));
        assert_eq!(value, optimum(&puzzle));
    }
}

/// With all states in the open list the whole space is searched, once; with one per score, parts of
/// it.
#[test]
fn the_open_list_keeps_the_configured_states() {
    let puzzle = Sliding::unsolvable(3, 3);
    let h = Scalar(Manhattan);
    let keep = |open, quantum| {
        let config = StagedConfig { open, quantum, ..Default::default() };
        let mut search = Staged::new(&puzzle, &h, config).unwrap();
        let outcome = finish(&mut search, &mut ());
        (outcome, search.stats())
    };
    // Every state is visited once; no other state is evaluated or expanded.
    let (outcome, stats) = keep(Keep::All, 0.0);
    assert_eq!(outcome, Outcome::Unsolvable);
    assert_eq!(stats.expanded, 181_440);
    // Scores are even or odd with the blank's row: about a dozen states remain each time.
    let (outcome, stats) = keep(Keep::OnePerScore, 0.0);
    assert_eq!(outcome, Outcome::Exhausted { best: None });
    assert!(stats.expanded < 181_440);
    // One class of scores: one state remains, and less is found.
    let (outcome, coarse) = keep(Keep::OnePerScore, 1000.0);
    assert_eq!(outcome, Outcome::Exhausted { best: None });
    assert!(coarse.expanded < stats.expanded);
}

/// Whatever the heuristic orders, the first goal is the cheapest; a perfect order finds it at once.
#[test]
fn ordered_deepening_is_optimal() {
    struct Wrong;
    impl Heuristic<Sliding> for Wrong {
        type Memo = ();
        fn guarantee(&self) -> Guarantee {
            Guarantee::None
        }
        fn root(&self, p: &Sliding, s: &<Sliding as Puzzle>::State) -> Option<(Cost, ())> {
            Some((1000 - Manhattan.root(p, s)?.0, ()))
        }
    }
    let mut rng = Rng::new(38);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20 {
        let puzzle = Sliding::scrambled(3, 3, 60, &mut rng);
        let optimum = optimum(&puzzle);
        let config = DeepeningConfig::default();
        let mut a = Deepening::new(&puzzle, &Manhattan, config).unwrap();
        let mut b = Deepening::new(&puzzle, &Wrong, config).unwrap();
        for outcome in [finish(&mut a, &mut ()), finish(&mut b, &mut ())] {
            assert!(outcome.is_optimal());
            assert_eq!(outcome.best().map(|best| check(&puzzle, best)), optimum);
        }
        good += a.stats().expanded;
        bad += b.stats().expanded;
    }
    assert!(good < bad, "{good} {bad}");
}
