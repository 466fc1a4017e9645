//! Halves and tables against Gray's code over all solutions.

use super::*;
use crate::{
    Shape,
    algebra::{Algebra, Row, Scratch, join},
};
use unriddle_core::{Budget, Rng, Search as _, run};

/// The fewest presses of all solutions, and how many solutions have them: each differs from the one
/// before by one quiet pattern.
fn by_gray_code(algebra: &Algebra, presses: &mut [Row]) -> (u32, u64) {
    let weight = |presses: &[Row]| {
        let words = presses.iter().flatten();
        words.map(|word| word.count_ones()).sum::<u32>()
    };
    let (mut least, mut count) = (weight(presses), 1);
    for i in 1u64..1 << algebra.nullity() {
        join(presses, &algebra.quiet[i.trailing_zeros() as usize]);
        let weight = weight(presses);
        if weight < least {
            (least, count) = (weight, 0);
        }
        count += u64::from(weight == least);
    }
    (least, count)
}

#[test]
fn every_solution_is_accounted_for() {
    let mut rng = Rng::new(11);
    let mut halved = 0;
    for (rows, columns, torus) in [
        (19, 19, false),
        (23, 23, false),
        (16, 16, false),
        (39, 19, false),
        (11, 23, false),
        (10, 10, true),
        (12, 12, true),
        (30, 6, true),
        (15, 15, true),
        (5, 20, true),
    ] {
        let shape = Shape::new(rows, columns, torus).unwrap();
        let algebra = Algebra::of(&shape);
        assert!(algebra.nullity() <= 16, "{shape:?}");
        for density in [2, 4, 20, 0] {
            let mut board = vec![0u64; shape.cells().div_ceil(64)];
            let mut flip = |cell: usize| board[cell / 64] ^= 1 << (cell % 64);
            for cell in 0..shape.cells() {
                // Random presses, few or many; at last all lights.
                if density == 0 {
                    flip(cell);
                } else if rng.below(density) == 0 {
                    shape.toggled(cell).iter().for_each(|&at| flip(at.into()));
                }
            }
            let mut scratch = Scratch::default();
            assert!(algebra.solve(&board, &mut scratch));
            let expected = by_gray_code(&algebra, &mut scratch.presses);
            let config = ExactConfig { counts: true, ..ExactConfig::default() };
            let mut search = Exact::new(algebra.clone(), &board, config).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            assert!(outcome.is_optimal());
            let found = (outcome.best().unwrap().value as u32, search.count().unwrap());
            assert_eq!(found, expected, "{rows}×{columns} {torus}");
            halved += u64::from(algebra.nullity() > 10 && algebra.halves().is_some());
            // The best solution found nearby has no fewer presses, and its bound is one.
            let config = ExactConfig { table: 1, attempts: 5, ..ExactConfig::default() };
            let mut near = Exact::new(algebra.clone(), &board, config).unwrap();
            let outcome = run(&mut near, &Budget::default(), &mut ()).unwrap();
            assert!(outcome.best().unwrap().value >= i64::from(expected.0));
            assert!(near.bound().unwrap() <= i64::from(expected.0));
        }
    }
    assert!(halved >= 16, "{halved}");
}

#[test]
fn unsolvable_boards_have_a_reason() {
    // The quiet patterns of 4×4 have a basis of four.
    let algebra = Algebra::of(&Shape::new(4, 4, false).unwrap());
    assert_eq!((algebra.nullity(), algebra.rank()), (4, 12));
    let why = algebra.unsolvable(&[1]).unwrap();
    assert!(why.starts_with("every press toggles an even number of the lights at 0,0 "), "{why}");
    assert!(why.ends_with("and an odd number of them, 1, is on"), "{why}");
    assert_eq!(algebra.unsolvable(&[0xffff]), None);
    let mut search = Exact::new(algebra, &[1], ExactConfig::default()).unwrap();
    let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
    assert_eq!(outcome, unriddle_core::Outcome::Unsolvable);
}

/// Halves against one table of all weights, where Gray's code would take long: all lights on, up to
/// nullity 24.
#[test]
fn halves_and_one_table_agree() {
    for side in [30, 32, 59, 62] {
        let shape = Shape::new(side, side, false).unwrap();
        let mut board = vec![0u64; shape.cells().div_ceil(64)];
        (0..shape.cells()).for_each(|cell| board[cell / 64] |= 1 << (cell % 64));
        let algebra = Algebra::of(&shape);
        assert!((20..=24).contains(&algebra.nullity()));
        let mut scratch = Scratch::default();
        assert!(algebra.solve(&board, &mut scratch));
        let table = super::table::Table::<i32>::new(algebra.whole(), &scratch.presses).finished();
        let (presses, _, count) = table.least();
        let config = ExactConfig { counts: true, ..ExactConfig::default() };
        let mut search = Exact::new(algebra, &board, config).unwrap();
        let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
        assert!(outcome.is_optimal());
        let found = (outcome.best().unwrap().value, search.count());
        assert_eq!(found, (presses.into(), Some(count)), "{side}");
    }
}
