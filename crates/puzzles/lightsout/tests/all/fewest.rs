//! The fewest presses against breadth-first search, published numbers and DeepCubeA's boards.

use std::{collections::VecDeque, fs, io::Write as _, path::PathBuf};
use unriddle_core::{Budget, Outcome, Progress, Puzzle as _, Rng, Search as _, run};
use unriddle_lightsout::{
    Lights, Reach, Shape, WORDS,
    algebra::Algebra,
    solvers::{Exact, ExactConfig, Fewest},
};

/// Distances to the goal of all boards of a shape, by breadth-first search.
fn distances(shape: &Shape) -> Vec<Option<u32>> {
    let puzzle = Lights::<1>::new(shape.clone(), |_| false).unwrap();
    let mut found = vec![None; 1 << shape.cells()];
    found[0] = Some(0);
    let mut queue = VecDeque::from([(0u64, 0)]);
    while let Some((state, distance)) = queue.pop_front() {
        for press in puzzle.actions(&[state]) {
            let [next] = puzzle.apply(&[state], press);
            if found[next as usize].is_none() {
                found[next as usize] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    found
}

/// Small shapes with other presses, and with buttons whose lights are drawn at random.
fn other_shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for reach in Reach::ALL {
        for torus in [false, true] {
            for (rows, columns) in [(1, 1), (1, 4), (2, 2), (3, 2), (3, 3), (2, 5)] {
                shapes.push(Shape::reaching(rows, columns, torus, reach).unwrap());
            }
        }
    }
    let rng = &mut Rng::new(3);
    for (rows, columns, buttons) in [(1, 1, 3), (2, 3, 4), (2, 3, 9), (3, 3, 9), (1, 8, 5)] {
        let lights = rows * columns;
        let mut button = || (0..lights as u16).filter(|_| rng.below(3) == 0).collect();
        let buttons: Vec<Vec<u16>> = (0..buttons).map(|_| button()).collect();
        shapes.push(Shape::listing(rows, columns, &buttons).unwrap());
    }
    shapes
}

#[test]
fn boards_with_other_presses_are_solved_as_breadth_first_search_solves_them() {
    for shape in other_shapes() {
        let algebra = Algebra::of(&shape);
        let mut fewest = Fewest::new(&algebra).unwrap();
        let mut solvable = 0;
        for (board, distance) in distances(&shape).into_iter().enumerate() {
            let board = [board as u64];
            assert_eq!(fewest.presses(&board), distance, "{shape:?} {board:?}");
            assert_eq!(algebra.unsolvable(&board).is_none(), distance.is_some());
            let Some(distance) = distance else { continue };
            solvable += 1;
            let cells: Vec<usize> = fewest.cells().collect();
            assert_eq!(cells.len(), distance as usize);
            let toggled = cells.iter().flat_map(|&cell| shape.toggled(cell));
            assert_eq!(toggled.fold(board[0], |state, &light| state ^ 1 << light), 0);
            let puzzle =
                Lights::<WORDS>::new(shape.clone(), |cell| board[0] >> cell & 1 == 1).unwrap();
            let (outcome, _) = solved(&puzzle, ExactConfig::default());
            assert_eq!(outcome.best().unwrap().value, i64::from(distance));
            assert!(outcome.is_optimal());
        }
        assert_eq!(solvable, 1u64 << algebra.rank());
    }
}

/// A board of two presses in signs of several kinds.
#[test]
fn boards_in_other_signs_are_solved() {
    // Presses of 1,2 and 4,0.
    for text in [
        "--x--|-xxx-|--x--|x----|xx---|",
        "[[0,0,1,0,0],[0,1,1,1,0],[0,0,1,0,0],[1,0,0,0,0],[1,1,0,0,0]]",
    ] {
        let board = Lights::<WORDS>::parse(text, false).unwrap();
        let algebra = Algebra::of(board.shape());
        let mut fewest = Fewest::new(&algebra).unwrap();
        assert_eq!(fewest.presses(board.start()), Some(2));
        let mut cells: Vec<usize> = fewest.cells().collect();
        cells.sort_unstable();
        assert_eq!(cells, [7, 20]);
    }
}

/// The usual presses, chased and by elimination on the whole matrix.
#[test]
fn both_eliminations_agree() {
    let rng = &mut Rng::new(4);
    for (rows, columns, torus) in
        [(5, 5, false), (4, 4, false), (11, 5, false), (9, 9, false), (6, 5, true), (19, 19, false)]
    {
        let shape = Shape::new(rows, columns, torus).unwrap();
        let buttons: Vec<Vec<u16>> =
            (0..shape.cells()).map(|cell| shape.toggled(cell).to_vec()).collect();
        let listed = Shape::listing(rows, columns, &buttons).unwrap();
        let (chased, dense) = (Algebra::of(&shape), Algebra::of(&listed));
        assert_eq!(chased.nullity(), dense.nullity());
        for _ in 0..20 {
            let mut lit = vec![false; shape.cells()];
            lit.fill_with(|| rng.below(2) == 1);
            let board =
                |shape: &Shape| Lights::<WORDS>::new(shape.clone(), |cell| lit[cell]).unwrap();
            let ends = [&shape, &listed].map(|shape| {
                let (outcome, count) =
                    solved(&board(shape), ExactConfig { counts: true, ..ExactConfig::default() });
                (outcome.best().map(|best| best.value), outcome.is_optimal(), count)
            });
            assert_eq!(ends[0], ends[1]);
        }
    }
}

/// Every board of every small shape: the fewest presses, whether there are any, and that they lead
/// to the goal.
#[test]
fn all_small_boards_are_solved_as_breadth_first_search_solves_them() {
    for torus in [false, true] {
        for (rows, columns) in [
            (1, 1),
            (1, 2),
            (1, 3),
            (1, 5),
            (6, 1),
            (2, 2),
            (2, 3),
            (3, 2),
            (2, 6),
            (3, 3),
            (3, 4),
            (4, 3),
            (3, 5),
            (4, 4),
        ] {
            let shape = Shape::new(rows, columns, torus).unwrap();
            let algebra = Algebra::of(&shape);
            let mut fewest = Fewest::new(&algebra).unwrap();
            let mut solvable = 0;
            for (board, distance) in distances(&shape).into_iter().enumerate() {
                let board = [board as u64];
                assert_eq!(fewest.presses(&board), distance, "{shape:?} {board:?}");
                assert_eq!(algebra.unsolvable(&board).is_none(), distance.is_some());
                let Some(distance) = distance else { continue };
                solvable += 1;
                let mut state = board[0];
                let mut presses = 0;
                for cell in fewest.cells() {
                    presses += 1;
                    shape.toggled(cell).iter().for_each(|at| state ^= 1 << at);
                }
                assert_eq!((state, presses), (0, distance));
            }
            assert_eq!(solvable, 1u64 << algebra.rank(), "{rows}×{columns}");
        }
    }
}

/// OEIS A075464 as far as it is printed there.
const ONES: [i64; 54] = [
    1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72, 105, 56, 117, 104, 147, 188, 141, 224, 245, 276,
    231, 270, 353, 356, 405, 416, 345, 376, 553, 428, 469, 520, 563, 600, 761, 772, 561, 696, 891,
    940, 953, 772, 1069, 1188, 971, 1096, 1165, 1220, 1317, 1256, 1487, 1400,
];

fn ones(rows: usize, columns: usize, torus: bool) -> Lights<WORDS> {
    let shape = Shape::new(rows, columns, torus).unwrap();
    Lights::new(shape, |_| true).unwrap()
}

fn solved(
    board: &Lights<WORDS>,
    config: ExactConfig,
) -> (Outcome<unriddle_lightsout::Press>, Option<u64>) {
    let mut search = Exact::new(Algebra::of(board.shape()), board.start(), config).unwrap();
    let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
    let Some(best) = outcome.best() else {
        return (outcome, None);
    };
    let last = best.actions.iter().fold(*board.start(), |state, &press| board.apply(&state, press));
    assert_eq!(last, [0; WORDS]);
    assert_eq!(best.value, best.actions.len() as i64);
    (outcome, search.count())
}

#[test]
fn all_lights_take_the_published_numbers_of_presses() {
    for (side, presses) in (1..).zip(ONES) {
        let (outcome, _) = solved(&ones(side, side, false), ExactConfig::default());
        assert!(outcome.is_optimal());
        assert_eq!(outcome.best().map(|best| best.value), Some(presses), "{side}");
    }
}

/// Words of rows end with the row: 64, 128 and 192 columns fill them.
#[test]
fn rows_of_whole_words_are_solved() {
    for (rows, columns) in [(64, 64), (3, 128), (128, 5), (192, 192), (2, 64), (200, 199)] {
        for torus in [false, true] {
            let config = ExactConfig { attempts: 3, ..ExactConfig::default() };
            let (outcome, _) = solved(&ones(rows, columns, torus), config);
            assert!(outcome.best().is_some(), "{rows}×{columns} {torus}");
        }
    }
}

/// However the work is cut, it ends with the same solution after the same expansions; bounds hold
/// on the way.
#[test]
fn a_search_can_be_left_anywhere() {
    let few = ExactConfig { table: 8, attempts: 20, ..ExactConfig::default() };
    let cases = [
        (ones(19, 19, false), ExactConfig::default()),
        (ones(30, 30, false), ExactConfig::default()),
        (ones(5, 5, false), ExactConfig::default()),
        (ones(15, 15, true), ExactConfig::default()),
        (ones(30, 30, false), few),
        (ones(31, 31, true), few),
    ];
    for (board, config) in cases {
        let (outcome, _) = solved(&board, config);
        let mut search = Exact::new(Algebra::of(board.shape()), board.start(), config).unwrap();
        let best = outcome.best().unwrap().value;
        loop {
            match search.step(1, &mut ()) {
                Progress::Finished(again) => {
                    assert_eq!(again, outcome);
                    break;
                }
                progress => assert_eq!(progress, Progress::Running),
            }
            assert!(search.bound().unwrap() <= best);
            assert!(search.stats().expanded < 100_000);
        }
        assert_eq!(search.step(1, &mut ()), Progress::Finished(outcome));
    }
}

/// Without enough memory there is no answer, and the partial results are kept; a larger quota
/// resumes the search.
#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let board = ones(61, 61, false);
    let mut search =
        Exact::new(Algebra::of(board.shape()), board.start(), ExactConfig::default()).unwrap();
    let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
    let outcome = run(&mut search, &budget, &mut ()).unwrap();
    assert!(matches!(outcome, Outcome::Stopped { .. }));
    assert!(search.stats().peak_bytes <= 1 << 20);
    assert!(search.best().is_some() && search.bound() >= Some(61 * 61 / 5));
    let budget = Budget::default();
    let outcome = run(&mut search, &budget, &mut ()).unwrap();
    assert_eq!(outcome.best().map(|best| best.value), Some(1629));
    assert!(outcome.is_optimal());
}

/// A file of the shared data. Prints a message if it does not exist.
fn data(name: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("UNRIDDLE_DATA") else {
        // Not `eprintln!`: the test harness would swallow it.
        let _ = writeln!(std::io::stderr(), "SKIPPED: lightsout/{name} (UNRIDDLE_DATA is not set)");
        return None;
    };
    let path = PathBuf::from(folder).join("lightsout").join(name);
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn nullities_agree_with_the_published_table() {
    let Some(table) = data("nullity.csv") else {
        return;
    };
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let (side, nullity) = row.split_once(',').unwrap();
        let side = side.parse().unwrap();
        let algebra = Algebra::new(&Shape::new(side, side, false).unwrap());
        let nullity: usize = nullity.trim().parse().unwrap();
        assert_eq!(algebra.nullity(), nullity, "{side}");
        assert_eq!(algebra.rank() + algebra.nullity(), side * side);
        compared += 1;
    }
    assert_eq!(compared, 200);
}

/// The paper's mean is 24.26 presses, and its solutions are optimal.
#[test]
fn deepcubeas_boards_are_solved() {
    let Some(file) = data("deepcubea7.txt") else {
        return;
    };
    let puzzle = unriddle_lightsout::FAMILY.default_puzzle().unwrap();
    let boards = puzzle.split(&file);
    assert_eq!((boards.len(), &*boards[0].id), (500, "0"));
    let mut sum = 0;
    for board in boards {
        let board = Lights::<1>::parse(&board.text, false).unwrap();
        let algebra = Algebra::of(board.shape());
        sum += Fewest::new(&algebra).unwrap().presses(board.start()).unwrap();
    }
    // Nullity 0: the solution is the only one without a cell that is pressed twice.
    assert_eq!(f64::from(sum) / 500.0, 24.26);
}

/// Boards of random presses on shapes of all kinds: the solution has no more presses than were
/// made, and optimality is claimed only with a proof.
#[test]
fn random_boards_are_solved() {
    let mut rng = Rng::new(3);
    for (rows, columns, torus) in [
        (19, 19, false),
        (30, 30, false),
        (33, 33, false),
        (50, 50, false),
        (47, 23, false),
        (23, 47, false),
        (24, 24, true),
        (15, 15, true),
        (17, 17, true),
        (7, 200, true),
    ] {
        let shape = Shape::new(rows, columns, torus).unwrap();
        let presses = 1 + rng.below(shape.cells() as u64);
        let mut lit = vec![false; shape.cells()];
        for _ in 0..presses {
            let toggled = shape.toggled(rng.below(shape.cells() as u64) as usize);
            toggled.iter().for_each(|&at| lit[usize::from(at)] ^= true);
        }
        let board = Lights::new(shape, |cell| lit[cell]).unwrap();
        let (outcome, _) = solved(&board, ExactConfig::default());
        assert!(outcome.is_optimal());
        assert!(outcome.best().unwrap().value <= presses as i64);
    }
}
