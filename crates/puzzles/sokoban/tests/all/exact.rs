//! The exact solvers against breadth-first search, on rooms of the project's own generators.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};
use unriddle_core::{
    Backward as _, Budget, GoalPuzzle as _, Notation as _, Outcome, Puzzle as _, Rng, Search,
    Solution, run,
};
use unriddle_search::bfs::{Bfs, BfsConfig};
use unriddle_sokoban::{
    FAMILY, Level, Measure, Move, Sokoban,
    board::Board,
    exact::{Lighter, MoveConfig, MoveOptimal, Prefer, PushConfig, PushOptimal},
};

/// Rooms of a generator.
fn rooms(spec: &str, count: u64) -> Vec<Arc<Level>> {
    let puzzle = FAMILY.default_puzzle().unwrap();
    let generator = FAMILY.generator(Some(spec)).unwrap();
    let room = |seed| {
        let text = puzzle.generate(&generator, &mut Rng::stream(11, seed)).unwrap();
        Arc::new(Level::parse(&text).unwrap())
    };
    (0..count).map(room).collect()
}

fn best(search: &mut dyn Search<Action = Move>) -> Outcome<Move> {
    run(search, &Budget::default(), &mut ()).unwrap()
}

/// Pushes of a level by A*.
fn pushes<const W: usize>(level: &Arc<Level>, rules: bool) -> Outcome<Move> {
    let board = Arc::new(Board::<W>::new(level.clone()).unwrap());
    let start = (board.boxes, board.player());
    let config = PushConfig {
        freeze: rules,
        corral: rules,
        symmetry: rules,
        ties: if rules { Prefer::Moves } else { Prefer::First },
    };
    best(&mut PushOptimal::new(board, start, config).unwrap())
}

/// Moves of a level from both ends.
fn moves<const W: usize>(level: &Arc<Level>, ties: Lighter) -> Outcome<Move> {
    let board = Arc::new(Board::<W>::new(level.clone()).unwrap());
    let start = (board.boxes, board.player());
    best(&mut MoveOptimal::new(board, start, MoveConfig { ties }).unwrap())
}

/// A level by breadth-first search.
fn naive(level: &Arc<Level>, measure: Measure) -> Outcome<Move> {
    let puzzle = Sokoban::<4>::new(level.clone(), measure).unwrap();
    best(&mut Bfs::new(&puzzle, BfsConfig::default()).unwrap())
}

/// Whether actions are legal and bring all boxes to goals.
fn solves(level: &Arc<Level>, measure: Measure, solution: &Solution<Move>) -> bool {
    let puzzle = Sokoban::<4>::new(level.clone(), measure).unwrap();
    let mut state = puzzle.initial_state();
    for &action in &solution.actions {
        if !puzzle.actions(&state).any(|legal| legal == action) {
            return false;
        }
        state = puzzle.apply(&state, action);
    }
    puzzle.is_goal(&state)
}

#[test]
fn fewest_pushes_and_moves_agree_with_breadth_first_search() {
    let mut longest = 0;
    for spec in [
        "room(2, rows=7, columns=7)",
        "room(3, rows=7, columns=8)",
        "hard(2, rows=6, columns=7, rooms=3)",
    ] {
        for level in rooms(spec, 12) {
            for measure in [Measure::Pushes, Measure::Moves] {
                let naive = naive(&level, measure);
                let value = naive.best().unwrap().value;
                let all = match measure {
                    Measure::Pushes => vec![
                        pushes::<1>(&level, true),
                        pushes::<1>(&level, false),
                        pushes::<4>(&level, true),
                    ],
                    Measure::Moves => vec![
                        moves::<1>(&level, Lighter::First),
                        moves::<4>(&level, Lighter::Pushes),
                    ],
                };
                for outcome in all {
                    let text = level.picture().text();
                    assert!(outcome.is_optimal(), "{text}: {outcome:?}");
                    let best = outcome.best().unwrap();
                    assert_eq!(best.value, value, "{text}, {measure:?}");
                    assert!(solves(&level, measure, best), "{text}: {best:?}");
                }
                longest = longest.max(value);
            }
        }
    }
    assert!(longest > 25, "all levels are easy: {longest}");
}

/// On a symmetric level only one of several symmetric positions is expanded, and the solution is
/// valid on the level.
#[test]
fn solutions_of_symmetric_levels_are_valid() {
    for text in [
        "#########|#.-----.#|#--$-$--#|#---@---#|#--$-$--#|#.-----.#|#########",
        "#######|#.---.#|#-$#$-#|#--@--#|#-$#$-#|#.---.#|#######",
        "#######|#-@---#|#-$#$-#|#.-#-.#|#-$#$-#|#--.--#|#--.--#|#######",
        "########|#..--..#|#-$##$-#|#--@---#|#-$##$-#|#------#|########",
    ] {
        let level = Arc::new(Level::parse(text).unwrap());
        let value = naive(&level, Measure::Pushes).best().unwrap().value;
        for symmetry in [true, false] {
            let board = Arc::new(Board::<1>::new(level.clone()).unwrap());
            let start = (board.boxes, board.player());
            let config = PushConfig { symmetry, ..PushConfig::default() };
            let mut search = PushOptimal::new(board, start, config).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().unwrap();
            assert!(outcome.is_optimal() && best.value == value, "{text}");
            assert!(solves(&level, Measure::Pushes, best), "{text}: {best:?}");
        }
    }
}

/// A box that no push brings to the only goal, one in a corner, and two that hold each other.
#[test]
fn levels_without_a_solution_are_proved_to_have_none() {
    for text in [
        "#######|#---@-#|#-$-#-#|#---#.#|#######".replace("#-$-#-#", "#$--#-#"),
        "######|#@--.#|#---$#|######".to_owned(),
        "########|#@---..#|#--$$--#|########".replace("#--$$--#", "#-$$---#"),
    ] {
        let level = Arc::new(Level::parse(&text).unwrap());
        let expected = matches!(naive(&level, Measure::Pushes), Outcome::Unsolvable);
        for outcome in [
            pushes::<1>(&level, true),
            pushes::<4>(&level, false),
            moves::<1>(&level, Lighter::Pushes),
        ] {
            assert_eq!(matches!(outcome, Outcome::Unsolvable), expected, "{text}: {outcome:?}");
        }
        assert!(expected, "{text}");
    }
}

/// However the work is cut, the same positions are expanded and the same solution is found.
#[test]
fn searches_can_be_interrupted_and_resumed() {
    for level in rooms("room(3)", 3) {
        let board = Arc::new(Board::<1>::new(level).unwrap());
        let start = (board.boxes, board.player());
        let make: [&dyn Fn() -> Box<dyn Search<Action = Move>>; 2] = [
            &|| Box::new(PushOptimal::new(board.clone(), start, PushConfig::default()).unwrap()),
            &|| Box::new(MoveOptimal::new(board.clone(), start, MoveConfig::default()).unwrap()),
        ];
        for make in make {
            let (mut whole, mut cut) = (make(), make());
            let expected = best(&mut *whole);
            while cut.step(1, &mut ()) == unriddle_core::Progress::Running {}
            assert_eq!(best(&mut *cut), expected);
            assert_eq!(cut.stats(), whole.stats());
        }
    }
}

/// The fewest pushes and moves, those first that come first: cheapest paths without a heuristic.
fn cheapest(level: &Arc<Level>, first: Measure) -> (u64, u64) {
    let puzzle = Sokoban::<4>::new(level.clone(), Measure::Moves).unwrap();
    let mut open = BTreeSet::from([(0u64, 0u64, puzzle.initial_state())]);
    let mut closed = HashSet::new();
    loop {
        let (a, b, state) = open.pop_first().unwrap();
        if puzzle.is_goal(&state) {
            return (a, b);
        }
        if !closed.insert(state) {
            continue;
        }
        for action in puzzle.actions(&state) {
            let after = puzzle.apply(&state, action);
            let pushed = u64::from(after.boxes != state.boxes);
            open.insert(match first {
                Measure::Pushes => (a + pushed, b + 1, after),
                Measure::Moves => (a + 1, b + pushed, after),
            });
        }
    }
}

/// No solution with the fewest pushes has fewer moves than the returned one, and vice versa.
#[test]
fn ties_go_to_the_other_measure() {
    let mut saved = [0; 2];
    for level in rooms("room(2, rows=9, columns=9)", 40) {
        let text = level.picture().text();
        let counted = |measure: Measure, outcome: &Outcome<Move>| {
            let best = outcome.best().unwrap();
            let puzzle = Sokoban::<4>::new(level.clone(), measure).unwrap();
            let letters = puzzle.letters(&best.actions);
            let pushes = letters.bytes().filter(u8::is_ascii_uppercase).count() as u64;
            (pushes, letters.len() as u64)
        };
        let expected = cheapest(&level, Measure::Pushes);
        assert_eq!(counted(Measure::Pushes, &pushes::<1>(&level, true)), expected, "{text}");
        saved[0] += counted(Measure::Pushes, &pushes::<1>(&level, false)).1 - expected.1;
        let (moved, pushed) = cheapest(&level, Measure::Moves);
        let lighter = counted(Measure::Moves, &moves::<1>(&level, Lighter::Pushes));
        assert_eq!(lighter, (pushed, moved), "{text}");
        saved[1] += counted(Measure::Moves, &moves::<1>(&level, Lighter::First)).0 - pushed;
    }
    assert!(saved.iter().all(|&saved| saved > 0), "no level has a tie: {saved:?}");
}

/// A search begins at the given position, even if the level's own start does not lead to it.
#[test]
fn positions_that_the_start_does_not_lead_to_are_solved_as_levels_of_their_own() {
    let mut rng = Rng::new(3);
    let mut others = 0;
    for level in rooms("room", 60) {
        let puzzle = Sokoban::<1>::new(level.clone(), Measure::Moves).unwrap();
        let mut state = puzzle.goal_states()[0];
        for _ in 0..rng.below(120) {
            if let Some((before, _)) = puzzle.step_back(&state, None, &mut rng) {
                state = before;
            }
        }
        let board = puzzle.board().clone();
        let start = (state.boxes, state.player);
        let from_there = best(&mut MoveOptimal::new(board, start, MoveConfig::default()).unwrap());
        let own = Arc::new(Level::parse(&puzzle.state_text(&state)).unwrap());
        let expected = moves::<1>(&own, Lighter::First);
        let (found, expected) = (from_there.best().unwrap(), expected.best().unwrap());
        assert_eq!(found.value, expected.value, "{}", puzzle.state_text(&state));
        assert!(solves(&own, Measure::Moves, found));
        others += usize::from(own.boxes() != level.boxes());
    }
    assert!(others > 30, "{others}");
}
