//! Staged deepening with Heineman's heuristic on numbered deals.

use unriddle_core::{Budget, GoalPuzzle, Outcome, Progress, Puzzle, Quota, Scalar, Search, run};
use unriddle_freecell::{
    FreeCell, Rules,
    heuristics::{Hsdh, weights},
    parse::parse,
};
use unriddle_search::{
    deepening::{Deepening, DeepeningConfig},
    staged::{Keep, Staged, StagedConfig},
};

fn numbered(number: u64) -> FreeCell {
    let rules = Rules::default();
    FreeCell::new(rules, parse(&number.to_string(), &rules).unwrap())
}

/// Every solution is played through; a second run, and one in small pieces, does the same.
#[test]
fn hsd_solves_the_first_deals() {
    let h = Scalar(Hsdh);
    let quota = Quota { generated: 5_000_000, ..Quota::UNLIMITED };
    let mut solved = 0;
    for number in 1..=20 {
        let puzzle = numbered(number);
        let mut search = Staged::new(&puzzle, &h, StagedConfig::default()).unwrap();
        let Progress::Finished(Outcome::Solved { best, proof, .. }) =
            search.advance(&quota, &mut ())
        else {
            continue;
        };
        solved += 1;
        assert!(!proof);
        let mut table = puzzle.initial_state();
        for &action in &best.actions {
            assert!(puzzle.actions(&table).any(|legal| legal == action));
            table = puzzle.apply(&table, action);
        }
        assert!(puzzle.is_goal(&table));
        assert_eq!(best.value, best.actions.len() as i64);
        if number <= 3 {
            let mut again = Staged::new(&puzzle, &h, StagedConfig::default()).unwrap();
            let mut pieces = 0;
            let outcome = loop {
                pieces += 1;
                if let Progress::Finished(outcome) = again.step(777, &mut ()) {
                    break outcome;
                }
            };
            assert!(pieces > 10);
            assert_eq!(outcome.best(), Some(&best));
            assert_eq!(again.stats(), search.stats());
        }
    }
    assert!(solved >= 18, "{solved} of 20");
}

/// The printed weights guide a search of the whole list; the open list and the table stay small.
#[test]
fn weights_of_a_file_guide_the_search() {
    let text = include_str!("../../weights/ga-freecell-printed.toml");
    let mixture = weights::read(text).unwrap().mixture;
    let mut solved = 0;
    for open in [Keep::OnePerScore, Keep::All] {
        let config = StagedConfig { open, ..StagedConfig::default() };
        for number in 1..=5 {
            let puzzle = numbered(number);
            let mut search = Staged::new(&puzzle, &mixture, config).unwrap();
            let budget = Budget { generated: Some(2_000_000), ..Budget::default() };
            let outcome = run(&mut search, &budget, &mut ()).unwrap();
            solved += u32::from(outcome.best().is_some());
            assert!(search.stats().peak_bytes < 300 << 20);
        }
    }
    assert!(solved > 0);
}

/// Ordered iterative deepening and breadth-first search prove the same optima of small decks.
#[test]
fn ordered_deepening_solves_small_decks() {
    let rules = Rules { cells: 1, columns: 4, ranks: 3, ..Rules::default() };
    let layout = parse("AC 3D 2C AH\n3S 2D AD\nAS 2H\n3C 2S 3H", &rules).unwrap();
    let puzzle = FreeCell::new(rules, layout);
    let config = DeepeningConfig::default();
    let mut values = Vec::new();
    let mut ordered = Deepening::new(&puzzle, &Hsdh, config).unwrap();
    let mut blind = Deepening::new(&puzzle, &unriddle_core::Blind, config).unwrap();
    for search in [&mut ordered as &mut dyn Search<Action = _>, &mut blind] {
        let outcome = run(search, &Budget::default(), &mut ()).unwrap();
        assert!(outcome.is_optimal());
        values.push(outcome.best().unwrap().value);
    }
    assert_eq!(values[0], values[1]);
}
