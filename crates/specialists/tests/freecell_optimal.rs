//! Proved shortest solutions of FreeCell against breadth-first search on small decks.

use unriddle_core::{
    Budget, GoalPuzzle, Heuristic, Limit, Outcome, Progress, Puzzle, Quota, Rng, Search, run,
};
use unriddle_puzzles::freecell::{Card, FreeCell, Moves, Rules, cycles::Cycles, parse};
use unriddle_search::bfs::{Bfs, BfsConfig};
use unriddle_specialists::freecell::optimal::{Optimal, OptimalConfig};

/// Small tables: cells, columns, ranks.
const TABLES: [(u8, u8, u8); 6] = [
    (2, 4, 5),
    (2, 5, 5),
    (1, 4, 4),
    (0, 4, 4),
    (3, 4, 4),
    (1, 5, 5),
];

fn dealt(seed: u64, moves: Moves) -> FreeCell {
    let (cells, columns, ranks) = TABLES[seed as usize % TABLES.len()];
    let rules = Rules {
        cells,
        columns,
        ranks,
        moves,
    };
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    let mut rng = Rng::new(seed);
    for left in (1..deck.len()).rev() {
        deck.swap(left, rng.below(left as u64 + 1) as usize);
    }
    FreeCell::new(rules, parse::dealt(&deck, &rules))
}

fn replay(puzzle: &FreeCell, outcome: &Outcome<unriddle_puzzles::freecell::Move>) {
    if let Some(best) = outcome.best() {
        let mut table = puzzle.initial_state();
        for &action in &best.actions {
            assert!(puzzle.actions(&table).any(|listed| listed == action));
            table = puzzle.apply(&table, action);
        }
        assert!(puzzle.is_goal(&table));
        assert_eq!(best.value, best.actions.len() as i64);
    }
}

fn agree(seeds: std::ops::Range<u64>) -> (u32, u32) {
    let (mut solved, mut unsolvable) = (0, 0);
    for seed in seeds {
        let puzzle = dealt(seed, Moves::Single);
        let mut oracle = Bfs::new(&puzzle, BfsConfig::default()).unwrap();
        let mut search = Optimal::new(&puzzle, OptimalConfig::default()).unwrap();
        let expected = run(&mut oracle, &Budget::default(), &mut ()).unwrap();
        let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
        replay(&puzzle, &outcome);
        match (&expected, &outcome) {
            (
                Outcome::Solved { best, .. },
                Outcome::Solved {
                    best: found,
                    proof,
                    bound,
                },
            ) => {
                assert_eq!(
                    (best.value, *proof, *bound),
                    (found.value, true, Some(best.value)),
                    "seed {seed}"
                );
                solved += 1;
            }
            (Outcome::Unsolvable, Outcome::Unsolvable) => unsolvable += 1,
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    (solved, unsolvable)
}

#[test]
fn agrees_with_breadth_first_search() {
    let (solved, unsolvable) = agree(0..120);
    assert!(solved >= 60 && unsolvable >= 5, "{solved} {unsolvable}");
}

#[test]
#[ignore = "minutes"]
fn agrees_with_breadth_first_search_on_a_thousand_decks() {
    let (solved, unsolvable) = agree(1000..2000);
    println!("{solved} solved, {unsolvable} unsolvable, all agree");
}
