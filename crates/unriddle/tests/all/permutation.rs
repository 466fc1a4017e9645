//! Permutation puzzles against the puzzles' own crates.

use crate::common::{Known, cache, known, record};
use unriddle_catalog::Status;

/// The stickers of a cube in standard form, in the order in which the cube's crate reads them.
fn stickers(document: &str) -> &str {
    let start = document.split("; start ").nth(1).unwrap();
    start.split(';').next().unwrap().trim()
}

fn agree(permutation: &Known, walks: &[u64], cube: &Known, solvers: [&str; 2]) {
    let cache = cache();
    for (&moves, seed) in walks.iter().cycle().take(30).zip(0..) {
        let text = permutation.generate(&format!("walk({moves})"), seed);
        let ours = record("permutation", &*permutation.load(&text), solvers[0], &cache).unwrap();
        let theirs = record(cube.spec, &*cube.load(stickers(&text)), solvers[1], &cache).unwrap();
        assert_eq!((ours.status, theirs.status), (Status::Optimal, Status::Optimal), "{text}");
        assert_eq!(ours.value, theirs.value, "{text}");
    }
}

#[test]
fn cubes_of_side_2_have_the_lengths_of_their_crate() {
    agree(
        &known("permutation(cube-2)"),
        &[3, 5, 7, 200],
        &known("cube(size=2, metric=htm)"),
        ["idastar(pdb, prune=automaton)", "idastar(pdb)"],
    );
}

#[test]
fn cubes_of_side_3_have_the_lengths_of_their_crate() {
    let solvers = ["idastar(pdb(bytes=200k), prune=automaton)", "idastar(pdb(4-4-4))"];
    agree(&known("permutation(cube-3)"), &[2, 4, 6], &known("cube(metric=htm)"), solvers);
    agree(&known("permutation(cube-3-quarter)"), &[3, 5, 7], &known("cube"), solvers);
}

/// Experiments and recipes make their instances from the normal form, which names the file.
#[test]
fn normal_specs_keep_the_file() {
    let registry = unriddle::registry();
    let normal = |spec: &str| registry.normal_spec(spec).unwrap();
    assert_eq!(normal("permutation(wreath-6-6)"), "permutation(file=wreath-6-6)");
    assert_eq!(normal("permutation(cube-2)"), "permutation");
    assert_eq!(normal("tiles(goal=blank-last)"), "tiles");
    let (family, puzzle) = registry.puzzle(&normal("permutation(wreath-6-6)")).unwrap();
    assert_eq!(puzzle.spec(), "permutation");
    let walk = family.generator(Some("walk(2)")).unwrap();
    let text = puzzle.generate(&walk, &mut unriddle_core::Rng::new(1)).unwrap();
    assert!(text.starts_with("positions 10; name Wreath 6/6;"), "{text}");
}
