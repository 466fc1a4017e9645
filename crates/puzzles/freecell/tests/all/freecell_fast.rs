//! `fc-fast` and `fc-exhaust`: solutions are replayed, proofs compared with breadth-first search.

use unriddle_core::{
    Budget, GoalPuzzle, Limit, Notation, Outcome, Progress, Puzzle, Quota, Rng, Search, Solution,
    Stats, run,
};
use unriddle_freecell::solvers::{
    exhaust,
    fast::{Fast, FastConfig, portfolio::PORTFOLIO, weights::Slice},
};
use unriddle_freecell::{Autoplay, Card, FreeCell, Move, Moves, Rules, measures::lengths, parse};
use unriddle_search::bfs::{Bfs, BfsConfig};

fn numbered(number: u64, rules: Rules) -> FreeCell {
    FreeCell::new(rules, parse::numbered(number, &rules).unwrap())
}

fn fast(puzzle: &FreeCell) -> Fast<'_> {
    Fast::new(puzzle, FastConfig::default()).unwrap()
}

fn finish(search: &mut dyn Search<Action = Move>) -> (Outcome<Move>, Stats) {
    match search.advance(&Quota::UNLIMITED, &mut ()) {
        Progress::Finished(outcome) => (outcome, search.stats()),
        other => panic!("{other:?}"),
    }
}

/// Plays a solution with the puzzle's own actions.
fn replay(puzzle: &FreeCell, solution: &Solution<Move>) {
    let mut table = puzzle.initial_state();
    for &action in &solution.actions {
        let listed = puzzle.actions(&table).any(|other| other == action);
        assert!(listed, "{action:?} is not listed");
        table = puzzle.apply(&table, action);
    }
    assert!(puzzle.is_goal(&table));
    assert_eq!(solution.value, solution.actions.len() as i64);
}

fn solve(puzzle: &FreeCell) -> Solution<Move> {
    let (outcome, _) = finish(&mut fast(puzzle));
    let best = outcome.best().expect("it has a solution").clone();
    replay(puzzle, &best);
    best
}

#[test]
fn the_first_deals_are_solved() {
    let rules = Rules::default();
    let moves: usize = (1..=200).map(|number| solve(&numbered(number, rules)).actions.len()).sum();
    assert!(moves < 200 * 117, "{moves}");
}

/// Without the safe moves home a text has as many words as M2 counts, and reads back to a solution
/// that is no longer.
#[test]
fn safe_moves_home_need_not_be_written() {
    let folding = Rules { autoplay: Autoplay::Safe, ..Rules::default() };
    for number in 1..=300 {
        let best = solve(&numbered(number, Rules::default()));
        let puzzle = numbered(number, folding);
        let text = puzzle.solution_text(&best.actions);
        let actions = puzzle.as_written(&best.actions).expect("it reads back");
        assert_eq!(puzzle.parse_solution(&text).as_ref(), Ok(&actions));
        assert_eq!(puzzle.solution_text(&actions), text);
        let written = Solution::played(&puzzle, actions);
        replay(&puzzle, &written);
        assert!(written.value <= best.value);
        let words = text.split(' ').count() as u64;
        assert_eq!(words, lengths(&puzzle, &written.actions).m2);
    }
}

#[test]
fn where_all_moves_home_at_once_would_lose() {
    for number in [1941, 98_714] {
        let puzzle = numbered(number, Rules::default());
        solve(&puzzle);
        let (outcome, _) = finish(&mut exhaust::search(&puzzle));
        replay(&puzzle, outcome.best().expect("it has a solution"));
    }
}

#[test]
fn impossible_deals_are_proved() {
    let puzzle = numbered(11_982, Rules::default());
    assert_eq!(finish(&mut fast(&puzzle)).0, Outcome::Unsolvable);
    assert_eq!(finish(&mut exhaust::search(&puzzle)).0, Outcome::Unsolvable);
}

#[test]
fn cut_into_steps_it_is_the_same() {
    let rules = Rules { cells: 2, ..Rules::default() };
    let puzzles = [numbered(5, Rules::default()), numbered(17, rules)];
    let deals = puzzles.iter().flat_map(|puzzle| {
        let whole = finish(&mut fast(puzzle));
        [1, 7, 1000].map(|step| (puzzle, whole.clone(), step))
    });
    for (puzzle, whole, step) in deals {
        let mut search = fast(puzzle);
        let outcome = loop {
            let before = search.stats().expanded;
            match search.step(step, &mut ()) {
                Progress::Running => assert_eq!(search.stats().expanded, before + step),
                Progress::Finished(outcome) => break outcome,
                Progress::OutOfMemory | Progress::Failed(_) => panic!("no limit was set"),
            }
        };
        assert_eq!((outcome, search.stats()), whole);
        assert_eq!(search.best(), whole.0.best());
    }
}

#[test]
fn memory_is_kept_to() {
    let puzzle = numbered(11_982, Rules::default());
    let (whole, stats) = finish(&mut fast(&puzzle));
    for kilobytes in [0, 100, 1000] {
        let budget = Budget { memory: Some(kilobytes << 10), ..Budget::default() };
        let mut search = fast(&puzzle);
        let outcome = run(&mut search, &budget, &mut ()).unwrap();
        assert!(matches!(outcome, Outcome::Stopped { why: Limit::Memory, .. }), "{outcome:?}");
        assert!(search.stats().peak_bytes <= kilobytes << 10);
        // With more memory the search resumes as if uninterrupted.
        assert_eq!(
            (finish(&mut search).0, search.stats().expanded),
            (whole.clone(), stats.expanded),
        );
    }
}

/// A random deal of a small deck.
fn random(seed: u64) -> FreeCell {
    let mut rng = Rng::new(seed);
    let rules = Rules {
        cells: rng.below(3) as u8,
        columns: 4 + rng.below(2) as u8,
        ranks: 3 + rng.below(3) as u8,
        moves: if rng.below(2) == 0 { Moves::Sequence } else { Moves::Single },
        ..Rules::default()
    };
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    rng.shuffle(&mut deck);
    FreeCell::new(rules, parse::dealt(&deck, &rules))
}

#[test]
fn small_decks_agree_with_breadth_first_search() {
    let (mut solved, mut unsolvable) = (0, 0);
    for seed in 0..120 {
        let puzzle = random(seed);
        let mut bfs = Bfs::new(&puzzle, BfsConfig {}).unwrap();
        let shortest = match bfs.step(20_000, &mut ()) {
            Progress::Finished(Outcome::Solved { best, .. }) => Some(best.value),
            Progress::Finished(Outcome::Unsolvable) => None,
            _ => continue,
        };
        let outcomes = [finish(&mut fast(&puzzle)).0, finish(&mut exhaust::search(&puzzle)).0];
        for outcome in outcomes {
            match (&outcome, shortest) {
                (Outcome::Solved { best, .. }, Some(shortest)) => {
                    replay(&puzzle, best);
                    assert!(best.value >= shortest);
                    solved += 1;
                }
                (Outcome::Unsolvable, None) => unsolvable += 1,
                _ => panic!("seed {seed}, {:?}: {outcome:?}, {shortest:?}", puzzle.rules()),
            }
        }
    }
    assert!(solved > 25 && unsolvable > 25, "{solved} {unsolvable}");
}

#[test]
fn other_rules() {
    for (cells, columns, moves) in [
        (8, 4, Moves::Sequence),
        (4, 10, Moves::Sequence),
        (6, 8, Moves::Single),
        (4, 8, Moves::Single),
        (0, 10, Moves::Single),
    ] {
        let rules = Rules { cells, columns, moves, ..Rules::default() };
        for number in 1..=5 {
            let puzzle = numbered(number, rules);
            let mut search = fast(&puzzle);
            if let Progress::Finished(Outcome::Solved { best, .. }) = search.step(20_000, &mut ()) {
                replay(&puzzle, &best);
            } else {
                assert!(cells == 0 || columns < 8, "{rules:?} #{number}");
            }
        }
    }
}

/// A column of 26 cards is too tall for the positions of the short searches.
#[test]
fn tall_columns_are_searched_exactly() {
    let suit = |suit: char| "KQJT98765432A".chars().map(move |rank| format!("{rank}{suit} "));
    let column = |suits: &str| suits.chars().flat_map(suit).collect::<String>();
    let rules = Rules::default();
    for board in [
        format!("{}\n{}", column("CD"), column("SH")),
        format!("{}\n{}\n{}", column("C"), column("DS"), column("H")),
    ] {
        let puzzle = FreeCell::new(rules, parse::parse(&board, &rules).unwrap());
        assert_eq!(solve(&puzzle).actions.len(), 52);
    }
}

/// A short search that ends has no proof, so the exhaustive search makes the proof.
#[test]
fn short_searches_prove_nothing() {
    let rules = Rules { cells: 0, columns: 4, ranks: 3, ..Rules::default() };
    let mut unsolvable = 0;
    for seed in 0..40 {
        let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
        Rng::new(seed).shuffle(&mut deck);
        let puzzle = FreeCell::new(rules, parse::dealt(&deck, &rules));
        let mut search = fast(&puzzle);
        let (outcome, _) = finish(&mut search);
        let (exact, _) = finish(&mut exhaust::search(&puzzle));
        assert_eq!(outcome == Outcome::Unsolvable, exact == Outcome::Unsolvable, "seed {seed}");
        if outcome == Outcome::Unsolvable {
            assert_eq!(search.slice(), PORTFOLIO.len());
            unsolvable += 1;
        }
    }
    assert!(unsolvable > 5, "{unsolvable}");
}

#[test]
fn slices_read_back_from_their_lines() {
    for slice in &PORTFOLIO {
        assert_eq!(slice.to_string().parse().as_ref(), Ok(slice));
    }
    for wrong in ["", "12", "x: 1 2", "12: 1 2 3", "12: 1 2 x"] {
        assert!(wrong.parse::<Slice>().is_err(), "{wrong}");
    }
}

#[test]
fn options_are_checked() {
    let puzzle = numbered(1, Rules::default());
    let slices = PORTFOLIO.len();
    assert!(Fast::new(&puzzle, FastConfig { slices }).is_ok());
    let slices = slices + 1;
    assert!(Fast::new(&puzzle, FastConfig { slices }).is_err());
}
