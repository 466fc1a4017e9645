//! Analysis of solutions of cubes.

use unriddle_catalog::{
    Registry,
    analysis::{Pattern, Solved, analyse, figure, pair},
};
use unriddle_core::Notation as _;
use unriddle_cube::{Cube, FAMILY, Metric};

fn registry() -> Registry {
    Registry::new([&FAMILY]).unwrap()
}

/// A solved cube: of the inverse of its solution.
fn solved(id: &str, solution: &str) -> Solved {
    let cube = Cube::<3>::parse("", Metric::Quarter).unwrap();
    let turns = cube.parse_solution(solution).unwrap();
    let back: Vec<_> = turns.iter().rev().map(|turn| turn.inverse()).collect();
    Solved { id: id.to_owned(), ..Solved::new("cube", &cube.solution_text(&back), solution) }
}

#[test]
fn patterns_are_counted() {
    // R U R', U R' F, R' F F, F F B: one of each but aba; then F B F, B F D.
    let rows = [solved("1", "R U R' F F B F D")];
    let group = &analyse(&registry(), &rows).unwrap()[0];
    assert_eq!((group.solutions, group.actions, group.triples), (1, 8, 6));
    let share = |pattern| group.share(pattern).unwrap() * 6.0;
    for pattern in &Pattern::ALL[1..] {
        assert!((share(*pattern) - 1.0).abs() < 1e-9, "{pattern:?}");
    }
    assert_eq!(Pattern::ALL.map(Pattern::name), Pattern::NAMES);
    // A half turn takes itself back.
    let mut half = solved("1", "R R U R R");
    half.puzzle = "cube(metric=htm)".to_owned();
    half.solution = Some("R2 U R2".to_owned());
    let group = &analyse(&registry(), &[half]).unwrap()[0];
    assert_eq!(group.share(Pattern::Conjugate), Some(1.0));
}

#[test]
fn mirror_images_are_paired() {
    let rows = [
        solved("symmetric", "R U F'"),
        solved("its image", "L' U' F"),
        solved("equally long", "R L' U"),
        // Another order, so that the second solution is not symmetric action by action.
        solved("its image in another order", "R L' U'"),
        solved("alone", "R R U"),
        // It is its own mirror image.
        solved("itself", "U U"),
    ];
    let group = &analyse(&registry(), &rows).unwrap()[0];
    assert_eq!((group.pairs, group.symmetric, group.equally_long), (2, 1, 1));
    let [one, other] = pair(&registry(), &rows, "symmetric").unwrap();
    assert_eq!(other.id, "its image");
    assert_eq!(pair(&registry(), &rows, "alone"), None);
    let puzzle = FAMILY.default_puzzle().unwrap();
    let load = |row: &Solved| puzzle.load(&row.instance).unwrap();
    let (instance, image) = (load(one), load(other));
    let drawn = figure([("one", &*instance, "R U F'"), ("other", &*image, "L' U' F")]).unwrap();
    assert_eq!(drawn.matches("<svg").count(), 1 + 2 * 2 * 4);
    assert!(!drawn.contains("#2a8c3c"));
}

#[test]
fn invalid_solutions_are_rejected() {
    let mut row = solved("wrong", "R U F'");
    row.solution = Some("R U F".to_owned());
    let why = analyse(&registry(), &[row]).unwrap_err();
    assert!(why.starts_with("wrong: "), "{why}");
}
