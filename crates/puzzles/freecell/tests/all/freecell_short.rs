//! Short solutions of FreeCell: replayed, compared with breadth-first search, cut into steps,
//! limited.

use unriddle_core::{
    Budget, GoalPuzzle, Observer, Outcome, Progress, Puzzle, Quota, Rng, Search, SearchError,
    Solution, Stats, run,
};
use unriddle_freecell::solvers::short::{INFO, MAX_CUTS, MAX_WIDTH, Short, ShortConfig};
use unriddle_freecell::{Card, FreeCell, Move, Moves, Rules, To, parse};
use unriddle_search::bfs::{Bfs, BfsConfig};

fn numbered(number: u64) -> FreeCell {
    let rules = Rules::default();
    FreeCell::new(rules, parse::numbered(number, &rules).unwrap())
}

fn widths(first: usize, last: usize) -> ShortConfig {
    ShortConfig { first, last, ..ShortConfig::default() }
}

/// A shuffled deck of few ranks.
fn small(seed: u64, ranks: u8, cells: u8, moves: Moves) -> FreeCell {
    let rules = Rules { cells, columns: 4, ranks, moves, ..Rules::default() };
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    Rng::new(seed).shuffle(&mut deck);
    FreeCell::new(rules, parse::dealt(&deck, &rules))
}

fn replay(puzzle: &FreeCell, solution: &Solution<Move>) {
    let mut table = puzzle.initial_state();
    for &action in &solution.actions {
        assert!(puzzle.actions(&table).any(|listed| listed == action));
        table = puzzle.apply(&table, action);
    }
    assert!(puzzle.is_goal(&table));
    assert_eq!(solution.value, solution.actions.len() as i64);
}

/// Lengths as they improve, and bounds as they rise.
#[derive(Default)]
struct Seen {
    values: Vec<i64>,
    bounds: Vec<i64>,
}

impl Observer<Move> for Seen {
    fn improved(&mut self, best: &Solution<Move>, _: &Stats) {
        self.values.push(best.value);
    }
    fn bound(&mut self, bound: i64, _: &Stats) {
        self.bounds.push(bound);
    }
}

#[test]
fn deals_are_solved_and_replayed() {
    let mut sum = 0;
    for deal in (1..=20).chain([1941, 98_714]) {
        let puzzle = numbered(deal);
        let mut search = Short::new(&puzzle, widths(64, 256)).unwrap();
        let mut seen = Seen::default();
        let outcome = run(&mut search, &Budget::default(), &mut seen).unwrap();
        let Outcome::Solved { best, bound, .. } = &outcome else {
            panic!("deal {deal}: {outcome:?}");
        };
        replay(&puzzle, best);
        assert!(bound.is_some_and(|bound| bound <= best.value));
        assert!(seen.values.is_sorted_by(|a, b| a > b), "deal {deal}");
        assert!(seen.bounds.is_sorted_by(|a, b| a < b), "deal {deal}");
        assert_eq!(seen.values.last(), Some(&best.value));
        assert_eq!(search.best(), Some(best));
        assert_eq!(search.bound(), *bound);
        let homes = best.actions.iter().filter(|action| action.to == To::Home);
        assert_eq!(homes.count(), 52);
        sum += if deal <= 20 { best.value } else { 0 };
    }
    assert!(sum <= 20 * 81, "mean length {}", sum as f64 / 20.0);
}

#[test]
fn steps_of_any_length_give_the_same() {
    for puzzle in [numbered(7), numbered(1941), small(1, 4, 1, Moves::Single)] {
        let config = widths(16, 64);
        let mut whole = Short::new(&puzzle, config).unwrap();
        let progress = whole.advance(&Quota::UNLIMITED, &mut ());
        let outcome = match progress {
            Progress::Finished(outcome) => outcome,
            other => panic!("{other:?}"),
        };
        for step in [1, 7, 1000] {
            let mut search = Short::new(&puzzle, config).unwrap();
            let mut calls = 0;
            let again = loop {
                calls += 1;
                match search.step(step, &mut ()) {
                    Progress::Running => {}
                    Progress::Finished(outcome) => break outcome,
                    Progress::OutOfMemory | Progress::Failed(_) => panic!("no limit was set"),
                }
            };
            assert_eq!(again, outcome);
            assert_eq!(search.stats(), whole.stats());
            assert!(calls >= search.stats().expanded / step);
            let after = search.advance(&Quota::UNLIMITED, &mut ());
            assert_eq!(after, Progress::Finished(outcome.clone()));
        }
    }
}

#[test]
fn small_decks_agree_with_breadth_first_search() {
    let (mut proved, mut better, mut unsolvable) = (0, 0, 0);
    for seed in 0..120 {
        let moves = if seed % 3 == 0 { Moves::Single } else { Moves::Sequence };
        let puzzle = small(seed, 3 + (seed % 2) as u8, (seed / 2 % 3) as u8, moves);
        let mut bfs = Bfs::new(&puzzle, BfsConfig {}).unwrap();
        let truth = run(&mut bfs, &Budget::default(), &mut ()).unwrap();
        for (first, last) in [(4, 16), (5000, 5000)] {
            let mut search = Short::new(&puzzle, widths(first, last)).unwrap();
            let mut seen = Seen::default();
            let outcome = run(&mut search, &Budget::default(), &mut seen).unwrap();
            match (&outcome, truth.best()) {
                (Outcome::Solved { best, proof, bound }, Some(optimal)) => {
                    replay(&puzzle, best);
                    assert!(best.value >= optimal.value, "seed {seed}");
                    assert!(bound.is_some_and(|bound| bound <= optimal.value), "seed {seed}");
                    assert!(seen.bounds.iter().all(|&bound| bound <= optimal.value));
                    assert_eq!(*proof, *bound == Some(best.value));
                    better += u32::from(best.value > optimal.value);
                    if *proof {
                        assert_eq!(best.value, optimal.value, "seed {seed}");
                        proved += 1;
                    }
                    // A beam that cuts nothing off proves its solution optimal.
                    assert!(*proof || first < 100, "seed {seed}");
                }
                (Outcome::Unsolvable, None) => unsolvable += 1,
                (Outcome::Exhausted { best: None }, _) => assert!(first < 100, "seed {seed}"),
                (outcome, truth) => panic!("seed {seed}: {outcome:?}, but {truth:?}"),
            }
        }
    }
    assert!(proved > 100, "{proved} proved, {better} longer");
    assert!(unsolvable > 10, "{unsolvable} unsolvable");
}

#[test]
fn a_narrow_beam_claims_no_proof_of_an_impossible_deal() {
    let puzzle = numbered(11_982);
    let mut search = Short::new(&puzzle, widths(64, 64)).unwrap();
    let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
    assert_eq!(outcome, Outcome::Exhausted { best: None });
}

#[test]
fn memory_and_counters_are_limits() {
    let puzzle = numbered(1);
    for bytes in [0, 100_000, 1_000_000, 8_000_000] {
        let mut search = Short::new(&puzzle, widths(256, 1 << 16)).unwrap();
        let quota = Quota { bytes, expanded: 40_000, ..Quota::UNLIMITED };
        let progress = search.advance(&quota, &mut ());
        let stats = search.stats();
        assert!(stats.peak_bytes <= bytes, "{stats:?}");
        match bytes {
            8_000_000.. => assert_ne!(progress, Progress::OutOfMemory),
            0..=100_000 => assert_eq!(progress, Progress::OutOfMemory),
            _ => {}
        }
        // With more memory the search resumes, and ends like an uninterrupted one.
        let quota = Quota { bytes: u64::MAX, ..quota };
        assert_eq!(search.advance(&quota, &mut ()), Progress::Running);
        assert_eq!(search.stats().expanded, 40_000);
        assert!(search.best().is_some());
    }
}

#[test]
fn odd_rules_and_starts_are_no_trouble() {
    for ranks in [1, 2, 13] {
        for (cells, columns) in [(0, 10), (8, 4), (2, 8)] {
            let rules = Rules { cells, columns, ranks, moves: Moves::Sequence, ..Rules::default() };
            let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
            Rng::new(u64::from(ranks)).shuffle(&mut deck);
            let puzzle = FreeCell::new(rules, parse::dealt(&deck, &rules));
            let mut search = Short::new(&puzzle, widths(32, 64)).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            if let Some(best) = outcome.best() {
                replay(&puzzle, best);
            }
            assert!(ranks > 1 || outcome.is_optimal());
        }
    }
}

/// Searching again from positions of the best solution gives solutions that are no longer, and
/// sometimes shorter ones; it claims no proof of its own.
#[test]
fn prefixes_are_searched_again() {
    let (mut sum, mut again) = (0, 0);
    for number in 1..=25 {
        let puzzle = numbered(number);
        let solve = |cuts| {
            let config = ShortConfig { cuts, ..widths(64, 64) };
            let mut search = Short::new(&puzzle, config).unwrap();
            match search.advance(&Quota::UNLIMITED, &mut ()) {
                Progress::Finished(outcome) => outcome,
                other => panic!("{other:?}"),
            }
        };
        let (plain, cut) = (solve(0), solve(4));
        let (Some(before), Some(after)) = (plain.best(), cut.best()) else {
            assert_eq!(plain.best(), cut.best());
            continue;
        };
        assert_eq!(Solution::played(&puzzle, after.actions.clone()), *after);
        assert!(after.value <= before.value);
        let mut table = puzzle.initial_state();
        for &action in &after.actions {
            assert!(puzzle.actions(&table).any(|listed| listed == action));
            table = puzzle.apply(&table, action);
        }
        assert!(puzzle.is_goal(&table));
        assert!(!cut.is_optimal() || cut.bound() == Some(after.value));
        sum += before.value;
        again += after.value;
    }
    assert!(again < sum, "{again} {sum}");
}

#[test]
fn options_are_checked_and_declared() {
    let puzzle = numbered(1);
    let good = ShortConfig::default();
    for bad in [
        ShortConfig { first: 0, ..good },
        ShortConfig { last: MAX_WIDTH + 1, ..good },
        ShortConfig { first: 10, last: 9, ..good },
        ShortConfig { growth: 1, ..good },
        ShortConfig { max_depth: 0, ..good },
        ShortConfig { cuts: MAX_CUTS + 1, ..good },
    ] {
        let error = Short::new(&puzzle, bad).err();
        assert!(matches!(error, Some(SearchError::BadOption(_))), "{bad:?}");
    }
    let default = |name: &str| {
        let parameter = INFO.parameters.iter().find(|p| p.name == name).unwrap();
        parameter.default.unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(default("first"), good.first);
    assert_eq!(default("last"), good.last);
    assert_eq!(default("growth"), good.growth);
    assert_eq!(default("max_depth"), good.max_depth as usize);
}
