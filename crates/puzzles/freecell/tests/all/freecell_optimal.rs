//! Proved shortest solutions of FreeCell against breadth-first search on small decks.

use unriddle_core::{
    Budget, Cost, GoalPuzzle, Heuristic, Limit, Observer, Outcome, Progress, Puzzle, Quota, Rng,
    Search, Solution, Stats, run,
};
use unriddle_freecell::solvers::optimal::{INFO, Measure, Optimal, OptimalConfig};
use unriddle_freecell::{Card, FreeCell, Move, Moves, Rules, Table, cycles::Cycles, parse};
use unriddle_search::bfs::{Bfs, BfsConfig};

/// Small tables: cells, columns, ranks.
type Size = (u8, u8, u8);

/// Tables, with the numbers of compared decks in every test run and in the long one.
const TABLES: [(Size, u64, u64); 8] = [
    ((0, 4, 4), 20, 150),
    ((0, 5, 5), 20, 250),
    ((1, 4, 4), 20, 250),
    ((2, 4, 4), 6, 120),
    ((3, 4, 3), 3, 80),
    ((2, 4, 5), 1, 80),
    ((1, 5, 4), 1, 60),
    ((2, 5, 4), 0, 10),
];

fn shuffled(seed: u64, (cells, columns, ranks): Size, moves: Moves) -> FreeCell {
    let rules = Rules { cells, columns, ranks, moves, ..Rules::default() };
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    let mut rng = Rng::new(seed);
    for left in (1..deck.len()).rev() {
        deck.swap(left, rng.below(left as u64 + 1) as usize);
    }
    FreeCell::new(rules, parse::dealt(&deck, &rules))
}

fn numbered(number: u64, moves: Moves) -> FreeCell {
    let rules = Rules { moves, ..Rules::default() };
    FreeCell::new(rules, parse::numbered(number, &rules).unwrap())
}

/// The positions of a solution whose every move is listed by the rules.
fn replay(puzzle: &FreeCell, best: &Solution<Move>) -> Vec<Table> {
    let mut tables = vec![puzzle.initial_state()];
    for &action in &best.actions {
        let table = &tables[tables.len() - 1];
        assert!(puzzle.actions(table).any(|listed| listed == action));
        tables.push(puzzle.apply(table, action));
    }
    assert!(puzzle.is_goal(&tables[tables.len() - 1]));
    assert_eq!(best.value, best.actions.len() as i64);
    tables
}

fn optimal(puzzle: &FreeCell, measure: Measure) -> Outcome<Move> {
    let mut search = Optimal::new(puzzle, OptimalConfig { measure }).unwrap();
    run(&mut search, &Budget::default(), &mut ()).unwrap()
}

/// Compares the two searches on decks of one table, and the estimate with the true distances along
/// the shortest solutions; returns the numbers of solved and of unsolvable decks.
fn agree(table: Size, seeds: std::ops::Range<u64>, measure: Measure) -> (u32, u32) {
    let (mut solved, mut unsolvable) = (0, 0);
    let moves = match measure {
        Measure::M1 => Moves::Single,
        Measure::M0 => Moves::Sequence,
    };
    for seed in seeds {
        let puzzle = shuffled(seed, table, moves);
        let mut oracle = Bfs::new(&puzzle, BfsConfig::default()).unwrap();
        let expected = run(&mut oracle, &Budget::default(), &mut ()).unwrap();
        match (&expected, optimal(&puzzle, measure)) {
            (Outcome::Solved { best: known, .. }, Outcome::Solved { best, proof, bound }) => {
                assert_eq!(best.value, known.value, "seed {seed} of {table:?}");
                assert!(proof && bound == Some(best.value));
                let estimate = Cycles::new(puzzle.rules());
                for actions in [&best, known] {
                    for (i, table) in replay(&puzzle, actions).iter().enumerate() {
                        let (h, _) = estimate.root(&puzzle, table).unwrap();
                        assert!(i64::from(h) <= best.value - i as i64);
                    }
                }
                solved += 1;
            }
            (Outcome::Unsolvable, Outcome::Unsolvable) => unsolvable += 1,
            other => panic!("seed {seed} of {table:?}: {other:?}"),
        }
    }
    (solved, unsolvable)
}

#[test]
fn agrees_with_breadth_first_search() {
    for measure in [Measure::M1, Measure::M0] {
        // The largest tables take seconds: one measure each.
        let skipped = match measure {
            Measure::M1 => (1, 5, 4),
            Measure::M0 => (2, 4, 5),
        };
        let counts = TABLES.map(|(table, few, _)| {
            let few = if table == skipped { 0 } else { few };
            agree(table, 0..few, measure)
        });
        let solved: u32 = counts.iter().map(|c| c.0).sum();
        let unsolvable: u32 = counts.iter().map(|c| c.1).sum();
        assert!(solved >= 50 && unsolvable >= 5, "{counts:?}");
    }
}

#[test]
#[ignore = "minutes"]
fn agrees_with_breadth_first_search_on_a_thousand_decks() {
    for measure in [Measure::M0, Measure::M1] {
        for (table, _, many) in TABLES {
            let (solved, unsolvable) = agree(table, 1000..1000 + many, measure);
            println!("{measure:?}, {table:?}: {solved} solved, {unsolvable} unsolvable, all agree");
        }
    }
}

/// Along random walks the estimate falls by at most one, equals the estimate from scratch, and is
/// at least the number of cards not home.
#[test]
fn the_estimate_is_consistent() {
    let mut falls = 0;
    for seed in 0..60 {
        let moves = if seed % 4 < 2 { Moves::Sequence } else { Moves::Single };
        let puzzle = match seed % 3 {
            0 => numbered(seed + 1, moves),
            _ => shuffled(seed, TABLES[seed as usize % TABLES.len()].0, moves),
        };
        let estimate = Cycles::new(puzzle.rules());
        let mut rng = Rng::new(seed);
        let mut table = puzzle.initial_state();
        let (mut h, mut memo): (Cost, u32) = estimate.root(&puzzle, &table).unwrap();
        for _ in 0..150 {
            let actions: Vec<Move> = puzzle.actions(&table).collect();
            if actions.is_empty() {
                break;
            }
            let mut next = None;
            for &action in &actions {
                let child = puzzle.apply(&table, action);
                let found = estimate.child(&puzzle, &table, &memo, action, &child).unwrap();
                assert_eq!(Some(found), estimate.root(&puzzle, &child));
                assert!(found.0 + 1 >= h && found.0 <= h + 1);
                falls += u32::from(found.0 < h);
                let left = puzzle.rules().deck() as u32 - child.cards_home();
                assert!(found.0 >= left);
                if next.is_none() || rng.below(actions.len() as u64) == 0 {
                    next = Some((child, found));
                }
            }
            if let Some((child, found)) = next {
                (table, (h, memo)) = (child, found);
            }
        }
    }
    assert!(falls > 1000);
}

#[test]
fn easy_deals_are_proved_under_both_rules() {
    for moves in [Moves::Single, Moves::Sequence] {
        for (number, length) in [(33, 69), (17, 75), (3, 73)] {
            let puzzle = numbered(number, moves);
            let outcome = optimal(&puzzle, Measure::M1);
            assert!(outcome.is_optimal());
            let best = outcome.best().unwrap();
            replay(&puzzle, best);
            assert_eq!(best.value, length, "deal {number}");
        }
    }
}

/// Notifications of an observer.
#[derive(Default, PartialEq, Eq, Debug)]
struct Heard {
    bounds: Vec<i64>,
    lengths: Vec<i64>,
}

impl Observer<Move> for Heard {
    fn bound(&mut self, bound: i64, _: &Stats) {
        self.bounds.push(bound);
    }
    fn improved(&mut self, best: &Solution<Move>, _: &Stats) {
        self.lengths.push(best.value);
    }
}

#[test]
fn easy_deals_are_proved_with_sequences() {
    for (number, length) in [(2, 73), (3, 70), (33, 69)] {
        let puzzle = numbered(number, Moves::Sequence);
        let outcome = optimal(&puzzle, Measure::M0);
        assert!(outcome.is_optimal());
        let best = outcome.best().unwrap();
        replay(&puzzle, best);
        assert_eq!(best.value, length, "deal {number}");
    }
    // Without sequences that move at once the measures are the same.
    let puzzle = numbered(17, Moves::Single);
    assert_eq!(optimal(&puzzle, Measure::M0).best().map(|b| b.value), Some(75));
}

#[test]
fn an_unsolvable_deal_is_reported() {
    let puzzle = numbered(11_982, Moves::Sequence);
    for measure in [Measure::M1, Measure::M0] {
        assert_eq!(optimal(&puzzle, measure), Outcome::Unsolvable);
    }
}

#[test]
fn a_first_solution_is_there_soon_and_moves_single_cards() {
    let mut longest = 0;
    for number in 1..=20 {
        let puzzle = numbered(number, Moves::Sequence);
        let mut search = Optimal::new(&puzzle, OptimalConfig::default()).unwrap();
        search.step(9_000, &mut ());
        let best = search.best().unwrap();
        // Every move is legal by the rules of single cards.
        replay(&numbered(number, Moves::Single), best);
        assert!(best.value < 300, "deal {number}: {}", best.value);
        longest = longest.max(best.value);
    }
    assert!(longest > 90);
}

#[test]
fn options_are_declared_as_they_are() {
    let default = INFO.parameters[0].default.unwrap();
    assert_eq!(Measure::of(default), Some(OptimalConfig::default().measure));
    assert_eq!(Measure::NAMES.map(Measure::of), [Measure::M1, Measure::M0].map(Some));
    assert_eq!(Measure::of("m2"), None);
}

#[test]
fn a_search_in_pieces_is_the_same_search() {
    for (number, moves, measure, length) in
        [(17, Moves::Single, Measure::M1, 75), (2, Moves::Sequence, Measure::M0, 73)]
    {
        let puzzle = numbered(number, moves);
        let config = OptimalConfig { measure };
        let mut whole = Optimal::new(&puzzle, config).unwrap();
        let mut pieces = Optimal::new(&puzzle, config).unwrap();
        let (mut first, mut second) = (Heard::default(), Heard::default());
        let expected = whole.advance(&Quota::UNLIMITED, &mut first);
        let mut expanded = 0;
        let found = loop {
            match pieces.step(1, &mut second) {
                Progress::Running => {
                    expanded += 1;
                    assert_eq!(pieces.stats().expanded, expanded);
                }
                found => break found,
            }
        };
        assert_eq!(found, expected);
        assert_eq!(whole.stats(), pieces.stats());
        assert_eq!(first, second);
        assert!(first.bounds.is_sorted() && first.lengths.is_sorted_by(|a, b| a > b));
        assert_eq!(first.bounds.last(), Some(&length));
        assert_eq!(first.lengths.last(), Some(&length));
        assert_eq!(pieces.advance(&Quota::UNLIMITED, &mut ()), expected);
    }
}

#[test]
fn with_little_memory_there_is_a_bound_and_a_solution() {
    for (number, measure, optimum, least) in [(1, Measure::M1, 87, 75), (5, Measure::M0, 85, 76)] {
        let puzzle = numbered(number, Moves::Sequence);
        for memory in [0, 1 << 16, 1 << 20, 5 << 20, 10 << 20] {
            let budget = Budget { memory: Some(memory), ..Budget::default() };
            let mut search = Optimal::new(&puzzle, OptimalConfig { measure }).unwrap();
            match run(&mut search, &budget, &mut ()).unwrap() {
                Outcome::Stopped { why, best, bound } => {
                    assert_eq!(why, Limit::Memory);
                    let enough = memory > 4 << 20;
                    assert!(best.is_some() || !enough, "{memory}");
                    if let Some(best) = best {
                        replay(&puzzle, &best);
                        assert!((optimum..optimum + 30).contains(&best.value), "{}", best.value);
                    }
                    assert!(bound >= Some(if enough { least } else { 0 }), "{bound:?}");
                    assert!(bound < Some(optimum), "{bound:?}");
                }
                other => panic!("{other:?}"),
            }
            assert!(search.stats().peak_bytes <= memory);
            // With more memory the search resumes to its end.
            if memory == 5 << 20 {
                let quota = Quota { expanded: search.stats().expanded + 1000, ..Quota::UNLIMITED };
                assert_eq!(search.advance(&quota, &mut ()), Progress::Running);
            }
        }
    }
}
