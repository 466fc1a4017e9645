//! Conformance of permutation puzzles: built-in ones, and puzzles with wildcards, forbidden states
//! and moves without inverses.

use std::sync::Arc;
use unriddle_catalog::{AnyPuzzle, Files, Registry};
use unriddle_conformance::{
    self as conformance, Subject, Violation, forms,
    second::{Both, Checker},
};
use unriddle_core::{GoalPuzzle as _, ParseError, Puzzle as _, Rng};
use unriddle_permutation::{
    FAMILY,
    adjacent::{by_neighbours, by_positions},
    builtin::builtin,
    document,
    puzzle::Permutation,
    rules::Rules,
    tables::{PdbConfig, Tables},
};
use unriddle_tables::{Cache, Policy};

/// A puzzle of 3 positions with a move without an inverse.
const ONE_WAY: &str = "positions 3; moves r=(0,1,2); goal ABC; start CAB";

/// Two kinds of beads, of which two may be wrong.
const WILD: &str = "positions 6; moves r=(0,1,2,3) r'=~r s=(2,3,4,5) s'=~s; goal AABBBA; \
                    start BAABBA; wildcards 2";

/// Forbidden labels, so that moves are illegal in some states.
const BOUND: &str = "positions 5; moves a=(0,1) b=(1,2) c=(2,3,4) c'=~c; goal VWXYZ; \
                     start WVXZY; illegal 2=V 4=W";

fn read<const N: usize>(text: &str) -> Result<Permutation<N>, ParseError> {
    let definition = document::parse(text)?;
    let start = definition.starts[0].state.clone();
    Ok(Permutation::new(Arc::new(Rules::new(definition)), &start))
}

/// Texts of some states of small puzzles.
fn texts() -> Vec<String> {
    let mut texts = [ONE_WAY, WILD, BOUND].map(str::to_owned).to_vec();
    for (name, moves) in [
        ("pancake-5", 4),
        ("burnt-pancake-4", 5),
        ("top-spin-7-4", 5),
        ("wreath-4-5", 6),
        ("wreath-4-4-distinct", 3),
        ("globe-1-2", 3),
        ("symmetric-6", 5),
        ("transpositions-5", 6),
        ("all-transpositions-5", 2),
        ("cube-2", 3),
        ("cube-2-quarter", 3),
        ("pyraminx", 2),
        ("skewb", 2),
        ("cube-3-slices", 2),
        ("square-1", 1),
    ] {
        let puzzle = variant(&format!("permutation({name})"));
        texts.push(generated(&*puzzle, &format!("walk({moves})"), moves));
    }
    texts
}

fn variant(spec: &str) -> Box<dyn AnyPuzzle> {
    Registry::new([&FAMILY]).unwrap().with_files(Files::DISK).puzzle(spec).unwrap().1
}

fn generated(puzzle: &dyn AnyPuzzle, generator: &str, seed: u64) -> String {
    let generator = FAMILY.generator(Some(generator)).unwrap();
    puzzle.generate(&generator, &mut Rng::new(seed)).unwrap()
}

#[test]
fn rules_and_abilities_conform() -> Result<(), Violation> {
    let cache = Cache::new(None, 1, Policy::Reuse);
    for text in texts() {
        let puzzle = read::<64>(&text).unwrap();
        let subject = || Subject::written(&puzzle).named(text.clone()).steps(8).near(400);
        conformance::goal(&subject())?;
        conformance::notation(&subject())?;
        conformance::reading(&text, read::<64>)?;
        conformance::features(&subject())?;
        conformance::rows(&subject().near(20))?;
        if puzzle.definition().wildcards == 0 {
            conformance::backward(&subject())?;
        }
        if puzzle.rules().inverses.iter().all(Option::is_some) {
            conformance::reversible(&subject())?;
        }
        if puzzle.rules().has_inverses() {
            conformance::invertible(&subject())?;
        }
        let subject = subject().backward();
        conformance::heuristic(&subject, &by_neighbours())?;
        conformance::heuristic(&subject, &by_positions())?;
        for bytes in [10, 300, 20_000] {
            match Tables::new(&puzzle, PdbConfig { bytes }, &cache) {
                Ok(tables) => {
                    conformance::heuristic(&subject, &tables)?;
                }
                Err(error) => assert!(puzzle.definition().wildcards > 0, "{text}: {error}"),
            }
        }
    }
    Ok(())
}

#[test]
fn the_checker_agrees() -> Result<(), Violation> {
    for text in texts() {
        let both = Both { read: read::<64>, rules: &Checker("permutation") };
        match read::<64>(&text).unwrap().definition().wildcards {
            0 => both.agree_on_goals(&text)?,
            _ => both.agree(&text)?,
        }
        both.agree_on_solutions(&text)?;
    }
    Ok(())
}

/// States of every compiled size follow the arrays of the moves.
#[test]
fn large_states_follow_the_moves() {
    for name in ["cube-4", "megaminx", "cube-6"] {
        let rules = Arc::new(Rules::new(builtin(name).unwrap().unwrap()));
        let goal = rules.definition.goal.clone();
        let puzzle = Permutation::<512>::new(Arc::clone(&rules), &goal);
        let mut state = puzzle.initial_state();
        let mut labels = goal.clone();
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let step = rng.below(rules.definition.moves.len() as u64) as u8;
            state = puzzle.apply(&state, step);
            let array = &rules.definition.moves[usize::from(step)].array;
            labels = array.iter().map(|&from| labels[usize::from(from)]).collect();
            assert_eq!(puzzle.labels(&state), labels);
        }
        assert!(!puzzle.is_goal(&state));
    }
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

#[test]
fn forms_are_read_back() -> Result<(), Violation> {
    forms::examples(&FAMILY)?;
    for name in
        ["cube-2", "wreath-6-6", "pancake-12", "megaminx", "cube-5", "square-1", "globe-3-4"]
    {
        let puzzle = variant(&format!("permutation({name})"));
        forms::read_back(&FAMILY, &*puzzle, "walk(9)", 20)?;
    }
    Ok(())
}

/// States that no moves make of the goal are proved unsolvable, and all others are not.
#[test]
fn unreachable_states_are_proved_unsolvable() {
    let why = |spec: &str, text: &str| {
        let instance = variant(spec).load(text).unwrap();
        instance.unsolvable().map(str::to_owned)
    };
    for name in ["cube-2", "cube-3", "cube-5", "pyraminx", "skewb", "wreath-6-6", "globe-2-3"] {
        let puzzle = variant(&format!("permutation({name})"));
        for seed in 0..10 {
            let text = generated(&*puzzle, "random", seed);
            assert_eq!(puzzle.load(&text).unwrap().unsolvable(), None, "{text}");
        }
    }
    let cube = "permutation(cube-3)";
    let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert_eq!(why(cube, solved), None);
    let flipped = "UUUUUUUFURRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert!(why(cube, flipped).unwrap().contains("43252003274489856000"));
    let centre = "UUUURUUUURRRRURRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    assert!(why(cube, centre).unwrap().starts_with("no move changes position 4"));
    let foreign = "UUUUUUUBURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBUBBBBBBB";
    assert!(why(cube, foreign).unwrap().contains("does not occur in the goal"));
    // This wreath has 90 arrangements, and 60 are reachable.
    let goal = generated(&*variant("permutation(wreath-4-4)"), "walk(0)", 1);
    let head = goal.split("; start").next().unwrap();
    let mut reachable = 0;
    for number in 0..729_usize {
        let label = |at| ['A', 'B', 'C'][number / 3_usize.pow(at) % 3];
        let start: String = (0..6).map(label).collect();
        if "ABC".chars().all(|label| start.matches(label).count() == 2) {
            let why = why("permutation", &format!("{head}; start {start}"));
            reachable += u32::from(why.is_none());
        }
    }
    assert_eq!(reachable, 60);
}

#[test]
fn files_are_refused_with_their_position() {
    let registry = Registry::new([&FAMILY]).unwrap().with_files(Files::DISK);
    let refused = |spec: &str| registry.puzzle(spec).err().unwrap().to_string();
    assert!(refused("permutation(cube-9)").contains("expected a size of 2 to 7"));
    assert!(refused("permutation(nothing)").contains("built-in puzzles are cube-N"));
    let name = format!("unriddle-permutation-{}.toml", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, "solved = \"ABC\"\n[moves]\nr = [1, 2, 2]\n").unwrap();
    let message = refused(&format!("permutation(\"{}\")", file.display()));
    std::fs::remove_file(&file).unwrap();
    assert!(message.contains("line 3"), "{message}");
    // Uniformly random states need a group.
    let (_, square) = registry.puzzle("permutation(square-1)").unwrap();
    let random = FAMILY.generator(Some("random")).unwrap();
    let message = square.generate(&random, &mut Rng::new(1)).unwrap_err().to_string();
    assert!(message.contains("use `walk`"), "{message}");
    // A program without access to files opens none.
    let closed = Registry::new([&FAMILY]).unwrap();
    let message = closed.puzzle("permutation(\"Cargo.toml\")").err().unwrap().to_string();
    assert!(message.contains("no files are read here"), "{message}");
}
