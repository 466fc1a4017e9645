//! Monte-Carlo searches of score puzzles.

use crate::common::{Blocks, Events, Piles, TabuColour};
use std::sync::Arc;
use unriddle_core::{
    Budget, Filtered, Greedy, Limit, Outcome, Playout, Progress, Puzzle, Quota, Rng, Score,
    ScorePuzzle, Search, SearchError, Solution, Uniform, run,
};
use unriddle_search::{
    Inner,
    dbs::{self, Dbs, DbsConfig},
    lns::{self, Cut, Lifted, Lns, LnsConfig, Suffix},
    nmcs::{self, Nmcs, NmcsConfig},
    nrpa::{self, Nrpa, NrpaConfig},
    relay::{Relay, Turn},
};

type Boxed<'a> = Box<dyn Search<Action = u8> + 'a>;
type Make = for<'a> fn(&'a Blocks) -> Boxed<'a>;

fn nmcs<'a>(
    p: &'a Blocks,
    playout: &'static dyn Playout<Blocks>,
    level: u32,
    games: u64,
) -> Nmcs<'a, Blocks> {
    let config = NmcsConfig { level, games, seed: 7 };
    Nmcs::new(p, playout, config).unwrap()
}

fn dbs(p: &Blocks, budget: u64, games: u64) -> Dbs<'_, Blocks> {
    let config = DbsConfig { budget, games, ..Default::default() };
    Dbs::new(p, &Greedy { epsilon: 0.1 }, config).unwrap()
}

const NRPA: NrpaConfig = NrpaConfig {
    level: 2,
    iterations: 10,
    alpha: 1.0,
    tau: 1.0,
    bias: 0.0,
    playouts: 1,
    repeat: 0,
    tabu: false,
    runs: 3,
    seed: 5,
};

/// Searches that end of themselves.
const SEARCHES: &[(&str, Make)] = &[
    ("nmcs(0)", |p| Box::new(nmcs(p, &Uniform, 0, 50))),
    ("nmcs(1)", |p| Box::new(nmcs(p, &Uniform, 1, 3))),
    ("nmcs(2)", |p| Box::new(nmcs(p, &Uniform, 2, 1))),
    ("nmcs(1), filtered", |p| Box::new(nmcs(p, &Filtered(TabuColour), 1, 3))),
    ("dbs(1)", |p| Box::new(dbs(p, 1, 4))),
    ("dbs(100)", |p| Box::new(dbs(p, 100, 2))),
    ("nrpa", |p| Box::new(Nrpa::new(p, NRPA).unwrap())),
    ("nrpa, all variants", |p| {
        let config = NrpaConfig {
            level: 3,
            iterations: 7,
            alpha: 0.5,
            tau: 0.7,
            bias: 1.0,
            playouts: 3,
            repeat: 2,
            tabu: true,
            runs: 2,
            seed: 1,
        };
        Box::new(Nrpa::selective(p, &TabuColour, config).unwrap())
    }),
    ("relay", |p| {
        Box::new(Relay::new(move |turn, best: Option<&Solution<u8>>| {
            assert_eq!(best.is_none(), turn == 0);
            Ok(match turn {
                0 => Some(Turn::whole(nmcs(p, &Uniform, 0, 20))),
                1..=3 => Some(Turn { search: Box::new(Nrpa::new(p, NRPA).unwrap()), expanded: 17 }),
                4 => Some(Turn::whole(nmcs(p, &Uniform, 1, 1))),
                _ => None,
            })
        }))
    }),
];

/// The score of a line that is checked action by action.
fn check<P: ScorePuzzle>(puzzle: &P, solution: &Solution<P::Action>) -> Score {
    let mut state = puzzle.initial_state();
    let mut score = 0;
    for &action in &solution.actions {
        assert!(puzzle.actions(&state).any(|a| a == action), "illegal");
        score += puzzle.reward(&state, action);
        state = puzzle.apply(&state, action);
    }
    assert!(puzzle.is_terminal(&state), "the game is not over");
    score += puzzle.terminal_bonus(&state);
    assert_eq!(score, solution.value, "wrong value");
    score
}

fn boards(count: u64, width: usize, height: usize) -> impl Iterator<Item = Blocks> {
    (0..count).map(move |i| Blocks::random(width, height, 3, &mut Rng::stream(11, i)))
}

fn finish(search: &mut dyn Search<Action = u8>, events: &mut Events<u8>) -> Outcome<u8> {
    match search.advance(&Quota::UNLIMITED, events) {
        Progress::Finished(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_better_solution_is_reported_and_plays_to_its_value() {
    for puzzle in boards(6, 5, 5) {
        for (name, make) in SEARCHES {
            let mut search = make(&puzzle);
            let mut events = Events::new();
            let outcome = finish(&mut *search, &mut events);
            let best = outcome.best().unwrap();
            let values: Vec<_> = events.improved.iter().map(|e| check(&puzzle, &e.0)).collect();
            assert!(values.is_sorted_by(|a, b| a < b), "{name}: {values:?}");
            assert_eq!(&events.improved.last().unwrap().0, best, "{name}");
            assert_eq!(search.best(), Some(best), "{name}");
            let stats = search.stats();
            assert_eq!(stats.expanded, stats.evaluated, "{name}");
            assert!(stats.generated >= stats.expanded, "{name}");
            assert!(stats.peak_bytes > 0, "{name}");
            // The outcome stays the same.
            assert_eq!(finish(&mut *search, &mut events), outcome, "{name}");
        }
    }
}

/// However the work is cut, a search makes the same play-outs.
#[test]
fn steps_add_up_to_a_run() {
    for puzzle in boards(4, 5, 4) {
        for (name, make) in SEARCHES {
            let (mut whole, mut events) = (make(&puzzle), Events::new());
            let outcome = finish(&mut *whole, &mut events);
            let (mut cut, mut cut_events) = (make(&puzzle), Events::new());
            let mut steps = 0;
            let cut_outcome = loop {
                match cut.step(1, &mut cut_events) {
                    Progress::Running => steps += 1,
                    Progress::Finished(outcome) => break outcome,
                    Progress::OutOfMemory | Progress::Failed(_) => panic!("{name}"),
                }
                assert_eq!(cut.stats().expanded, steps, "{name}");
            };
            assert_eq!(outcome, cut_outcome, "{name}");
            // Every reported solution has the same counters: the same random numbers were used. The
            // peaks are equal as well.
            assert_eq!(events, cut_events, "{name}");
            assert_eq!(whole.stats(), cut.stats(), "{name}");
        }
    }
}

#[test]
fn memory_is_never_exceeded_and_the_search_resumes_with_more() {
    let puzzle = boards(1, 5, 5).next().unwrap();
    for (name, make) in SEARCHES {
        let (mut whole, mut events) = (make(&puzzle), Events::new());
        let outcome = finish(&mut *whole, &mut events);
        let (mut tight, mut tight_events) = (make(&puzzle), Events::new());
        let mut quota = Quota { bytes: 0, ..Quota::UNLIMITED };
        let mut refused = 0;
        let tight_outcome = loop {
            match tight.advance(&quota, &mut tight_events) {
                Progress::Finished(outcome) => break outcome,
                Progress::OutOfMemory => refused += 1,
                Progress::Running | Progress::Failed(_) => panic!("{name}"),
            }
            assert!(tight.stats().peak_bytes <= quota.bytes, "{name}");
            quota.bytes += 40;
        };
        assert!(refused > 1, "{name}");
        assert_eq!(outcome, tight_outcome, "{name}");
        assert_eq!(events.improved.len(), tight_events.improved.len(), "{name}");
        let (a, b) = (whole.stats(), tight.stats());
        assert_eq!((a.expanded, a.generated), (b.expanded, b.generated), "{name}");
    }
}

#[test]
fn small_boards_are_solved() {
    for puzzle in boards(12, 4, 4).chain(boards(3, 5, 5)) {
        let optimum = puzzle.optimum();
        let endless: [(&str, Boxed<'_>); 4] = [
            ("nmcs", Box::new(nmcs(&puzzle, &Uniform, 2, 0))),
            ("nmcs, greedy", Box::new(nmcs(&puzzle, &Greedy { epsilon: 0.5 }, 1, 0))),
            ("dbs", Box::new(dbs(&puzzle, 50, 0))),
            ("nrpa", Box::new(Nrpa::new(&puzzle, NrpaConfig { runs: 0, ..NRPA }).unwrap())),
        ];
        for (name, mut search) in endless {
            while search.best().is_none_or(|best| best.value < optimum) {
                assert!(search.stats().expanded < 300_000, "{name}: {puzzle:?}");
                search.step(100, &mut ());
            }
            assert_eq!(check(&puzzle, search.best().unwrap()), optimum, "{name}");
        }
    }
}

#[test]
fn a_budget_that_covers_the_tree_proves_the_optimum() {
    for puzzle in boards(10, 4, 3) {
        let optimum = puzzle.optimum();
        let mut search = dbs(&puzzle, 1, 0);
        let outcome = finish(&mut search, &mut Events::new());
        assert!(outcome.is_optimal());
        assert_eq!(outcome.bound(), Some(optimum));
        assert_eq!(check(&puzzle, outcome.best().unwrap()), optimum);
        assert_eq!(search.bound(), Some(optimum));
    }
}

#[test]
fn limits_keep_the_best() {
    let puzzle = boards(1, 5, 5).next().unwrap();
    let make: [fn(&Blocks) -> Boxed<'_>; 3] = [
        |p| Box::new(nmcs(p, &Uniform, 3, 0)),
        |p| Box::new(dbs(p, 1_000_000, 0)),
        |p| Box::new(Nrpa::new(p, NrpaConfig::default()).unwrap()),
    ];
    for make in make {
        let expansions = Budget { expansions: Some(100), ..Default::default() };
        let generated = Budget { generated: Some(500), ..Default::default() };
        for (budget, limit) in [(expansions, Limit::Expansions), (generated, Limit::Generated)] {
            let mut search = make(&puzzle);
            let mut events = Events::new();
            let outcome = run(&mut *search, &budget, &mut events).unwrap();
            let Outcome::Stopped { why, best, .. } = outcome else { panic!("{outcome:?}") };
            assert_eq!(why, limit);
            let best = best.unwrap();
            check(&puzzle, &best);
            assert_eq!(events.improved.last().unwrap().0, best);
            match limit {
                Limit::Expansions => assert_eq!(search.stats().expanded, 100),
                // At most one play-out more.
                _ => assert!((500..530).contains(&search.stats().generated)),
            }
        }
    }
}

/// A start without actions is a game of no actions; a start with terminal successors only is no
/// trap.
#[test]
fn games_that_end_at_once() {
    let over = Blocks::random(1, 1, 3, &mut Rng::new(0));
    let one = Blocks::random(1, 2, 1, &mut Rng::new(0));
    for (name, make) in SEARCHES {
        let outcome = finish(&mut *make(&over), &mut Events::new());
        assert!(outcome.is_optimal(), "{name}");
        assert_eq!(check(&over, outcome.best().unwrap()), -1, "{name}");
        let outcome = finish(&mut *make(&one), &mut Events::new());
        assert_eq!(check(&one, outcome.best().unwrap()), 30, "{name}");
    }
    let mut search = nmcs(&one, &Uniform, 4, 0);
    assert_eq!(search.step(1000, &mut ()), Progress::Running);
    assert_eq!(search.stats().expanded, 1000);
}

/// Any score puzzle will do.
#[test]
fn other_puzzles() {
    for i in 0..10 {
        let puzzle = Piles::random(8, &mut Rng::stream(2, i));
        let optimum = puzzle.best(puzzle.initial_state());
        for level in 0..4 {
            let config = NmcsConfig { level, ..Default::default() };
            let mut search = Nmcs::new(&puzzle, &Uniform, config).unwrap();
            while search.best().is_none_or(|best| best.value < optimum) {
                search.step(1000, &mut ());
                assert!(search.stats().expanded < 2_000_000, "{level}: {puzzle:?}");
            }
            assert_eq!(check(&puzzle, search.best().unwrap()), optimum);
        }
        let mut search = Dbs::new(&puzzle, &Uniform, DbsConfig::default()).unwrap();
        let Progress::Finished(outcome) = search.advance(&Quota::UNLIMITED, &mut ()) else {
            panic!("endless")
        };
        assert!(outcome.is_optimal());
        assert_eq!(check(&puzzle, outcome.best().unwrap()), optimum);
    }
}

/// The boards are large enough that a few hundred play-outs do not find the optimum by chance, as
/// they do on boards of 5×5; the step has the value of the paper.
#[test]
fn learning_beats_chance() {
    let (mut learned, mut chance, mut nested) = (0, 0, 0);
    for (i, puzzle) in boards(20, 8, 8).enumerate() {
        let config = NrpaConfig { iterations: 14, runs: 0, seed: i as u64, ..NRPA };
        let mut search = Nrpa::new(&puzzle, config).unwrap();
        search.step(200, &mut ());
        learned += check(&puzzle, search.best().unwrap());
        for (level, sum) in [(0, &mut chance), (1, &mut nested)] {
            let mut search = nmcs(&puzzle, &Uniform, level, 0);
            search.step(200, &mut ());
            *sum += check(&puzzle, search.best().unwrap());
        }
    }
    assert!(learned > chance, "{learned} {chance}");
    assert!(nested > chance, "{nested} {chance}");
}

/// A play-out breaks a tabu only where nothing else is left, the lesser one first.
#[test]
fn tiers_are_kept() {
    for puzzle in boards(20, 5, 5) {
        let config = NrpaConfig { runs: 1, ..NRPA };
        let mut search = Nrpa::selective(&puzzle, &TabuColour, config).unwrap();
        finish(&mut search, &mut Events::new());
        let mut played = Vec::new();
        Filtered(TabuColour).play(&puzzle, &puzzle.start, &mut Rng::new(1), &mut played);
        for line in [&search.best().unwrap().actions, &played] {
            use unriddle_core::Selective;
            let mut state = puzzle.start;
            let mut tabu = TabuColour.begin(&puzzle, &state, 0);
            for (depth, &action) in line.iter().enumerate() {
                let mut tier = |a| TabuColour.tier(&puzzle, &state, a, depth, &mut tabu);
                let lowest = puzzle.actions(&state).map(&mut tier).min().unwrap();
                assert_eq!(tier(action), lowest);
                state = puzzle.apply(&state, action);
            }
        }
    }
}

#[test]
fn options_out_of_bounds_are_refused() {
    let puzzle = boards(1, 3, 3).next().unwrap();
    let refused = |error: Option<SearchError>| matches!(error, Some(SearchError::BadOption(_)));
    let level = nmcs::MAX_LEVEL + 1;
    let config = NmcsConfig { level, ..Default::default() };
    assert!(refused(Nmcs::new(&puzzle, &Uniform, config).err()));
    let good = DbsConfig::default();
    for config in [
        DbsConfig { budget: 0, ..good },
        DbsConfig { budget: dbs::MAX_BUDGET + 1, ..good },
        DbsConfig { growth: 0, ..good },
        DbsConfig { growth: dbs::MAX_GROWTH + 1, ..good },
    ] {
        assert!(refused(Dbs::new(&puzzle, &Uniform, config).err()), "{config:?}");
    }
    let good = NrpaConfig::default();
    for config in [
        NrpaConfig { level: 0, ..good },
        NrpaConfig { level: nrpa::MAX_LEVEL + 1, ..good },
        NrpaConfig { iterations: 0, ..good },
        NrpaConfig { iterations: nrpa::MAX_ITERATIONS + 1, ..good },
        NrpaConfig { playouts: 0, ..good },
        NrpaConfig { alpha: -0.1, ..good },
        NrpaConfig { alpha: f64::NAN, ..good },
        NrpaConfig { tau: 0.0, ..good },
        NrpaConfig { tau: 101.0, ..good },
        NrpaConfig { bias: f64::INFINITY, ..good },
    ] {
        assert!(refused(Nrpa::new(&puzzle, config).err()), "{config:?}");
    }
}

fn inner(suffix: &Suffix<Blocks>, seed: u64) -> Result<Inner<'_, u8>, SearchError> {
    let config = NrpaConfig { runs: 0, seed, ..NRPA };
    Ok(Box::new(Nrpa::selective(suffix, &Lifted(TabuColour), config)?))
}

/// A line is searched again from its cuts, in whatever pieces, to the same end; it gets no worse.
#[test]
fn the_rest_of_a_line_is_searched_again() {
    let (mut before, mut after) = (0, 0);
    for (cut, puzzle) in boards(6, 8, 8).enumerate() {
        let config = LnsConfig {
            plays: 40,
            cut: [Cut::Random, Cut::Systematic][cut % 2],
            stride: 2,
            rounds: 12,
            seed: 3,
        };
        let shared = Arc::new(puzzle.clone());
        let suffix = Suffix::new(Arc::clone(&shared));
        let mut whole = Lns::new(&suffix, inner, config).unwrap();
        let mut events = Events::new();
        let outcome = finish(&mut whole, &mut events);
        for event in &events.improved {
            check(&puzzle, &event.0);
        }
        let best = outcome.best().unwrap().clone();
        assert_eq!(events.improved.last().unwrap().0, best);
        let first = &events.improved.iter().rfind(|e| e.1.expanded <= 40);
        before += first.unwrap().0.value;
        after += best.value;
        assert_eq!(whole.stats().expanded, 480);

        let suffix = Suffix::new(Arc::clone(&shared));
        let mut cut = Lns::new(&suffix, inner, config).unwrap();
        let mut cut_events = Events::new();
        let cut_outcome = loop {
            match cut.step(1, &mut cut_events) {
                Progress::Finished(outcome) => break outcome,
                Progress::Running => {}
                Progress::OutOfMemory | Progress::Failed(_) => panic!("no limit"),
            }
        };
        assert_eq!((outcome, &events), (cut_outcome, &cut_events));
        assert_eq!(whole.stats(), cut.stats());

        // With a line to begin with, it is kept if nothing better is found.
        let suffix = Suffix::new(Arc::clone(&shared));
        let mut search = Lns::new(&suffix, inner, config).unwrap().with_line(best.actions.clone());
        assert_eq!(search.best(), Some(&best));
        search.step(1, &mut ());
        assert!(check(&puzzle, search.best().unwrap()) >= best.value);

        // Memory is kept to.
        let suffix = Suffix::new(shared);
        let mut search = Lns::new(&suffix, inner, config).unwrap();
        let mut quota = Quota::UNLIMITED;
        quota.bytes = 1000;
        loop {
            match search.advance(&quota, &mut ()) {
                Progress::Finished(outcome) => break assert_eq!(outcome.best(), Some(&best)),
                _ => assert!(search.stats().peak_bytes <= quota.bytes),
            }
            quota.bytes += 1000;
        }
    }
    assert!(after > before, "nothing was gained");
}

#[test]
fn proofs_from_the_start_and_faults_are_passed_on() {
    let puzzle = boards(1, 4, 3).next().unwrap();
    let suffix = Suffix::new(Arc::new(puzzle.clone()));
    let make = |suffix, seed| -> Result<Inner<'_, u8>, SearchError> {
        let config = DbsConfig { seed, ..Default::default() };
        Ok(Box::new(Dbs::new(suffix, &Greedy { epsilon: 0.0 }, config)?))
    };
    let mut search = Lns::new(&suffix, make, LnsConfig::default()).unwrap();
    let outcome = finish(&mut search, &mut Events::new());
    assert!(outcome.is_optimal());
    assert_eq!(outcome.bound(), Some(puzzle.optimum()));
    let bad =
        |_, _| -> Result<Inner<'_, u8>, SearchError> { Err(SearchError::BadOption("no".into())) };
    let mut search = Lns::new(&suffix, bad, LnsConfig::default()).unwrap();
    let relay = |_, _: Option<&Solution<u8>>| -> Result<Option<Turn<'_, u8>>, _> {
        Err(SearchError::BadOption("no".into()))
    };
    let mut relay = Relay::new(relay);
    for _ in 0..2 {
        let failed = Progress::Failed(SearchError::BadOption("no".into()));
        assert_eq!(search.step(1, &mut ()), failed);
        assert_eq!(relay.step(1, &mut ()), failed);
    }
    assert!(run(&mut search, &Budget::default(), &mut ()).is_err());
    assert_eq!(lns::INFO.name, "lns");
    for config in [
        LnsConfig { plays: 0, ..Default::default() },
        LnsConfig { stride: 0, ..Default::default() },
    ] {
        assert!(Lns::new(&suffix, bad, config).is_err());
    }
}
