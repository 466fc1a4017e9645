//! Conformance of Towers of Hanoi.

use unriddle_catalog::{AnyPuzzle, Registry};
use unriddle_conformance::{
    Promises, Subject, Violation, backward, family, forms, goal, heuristic, notation, reading,
    search_on,
};
use unriddle_core::{Estimate, Guarantee, Puzzle as _, Rng};
use unriddle_hanoi::{
    FAMILY, Hanoi,
    exact::{Exact, ExactConfig},
    misplaced,
    towers::{Towers, TowersConfig},
};
use unriddle_tables::{Cache, Policy};

#[test]
fn towers_conform() -> Result<(), Violation> {
    let cache = Cache::new(None, 1, Policy::Reuse);
    for (text, pegs) in [("1 1 1", 3), ("1 2 1 3", 3), ("1 4 2 2 1", 4), ("5 1 2 1", 5)] {
        let read = |text: &str| Hanoi::parse(text, pegs);
        let puzzle = read(text).unwrap();
        let subject = Subject::written(&puzzle);
        goal(&subject)?;
        notation(&subject)?;
        reading(text, read)?;
        backward(&subject)?;
        // These towers are small: every state is compared with its true distance.
        let estimate = Estimate::new(Guarantee::Consistent, misplaced);
        let tested = heuristic(&subject, &estimate)?;
        assert!(tested.informed > 0 && tested.distances >= 27, "{tested:?}");
        for disks in 0..4 {
            let towers = Towers::new(&puzzle, TowersConfig { disks }, &cache).unwrap();
            let tested = heuristic(&subject, &towers)?;
            assert!(tested.informed > 0 && tested.distances >= 27, "{tested:?}");
        }
    }
    Ok(())
}

/// Answers and proofs are right, and the search may be interrupted anywhere.
#[test]
fn the_exact_search_conforms() -> Result<(), Violation> {
    let cache = Cache::new(None, 1, Policy::Reuse);
    for (text, pegs) in [("1 1 1 1 1 1", 4), ("1 2 1 3 2 1 1", 4), ("1 1 2 2 1", 5)] {
        let puzzle = Hanoi::parse(text, pegs).unwrap();
        let complete = Towers::new(&puzzle, TowersConfig::default(), &cache).unwrap();
        let moves = i64::from(complete.estimate(&puzzle.initial_state()));
        let subject = Subject::written(&puzzle);
        for (disks, width) in [(1, 1), (2, 20), (0, 1)] {
            let config = ExactConfig { disks, width };
            let promises = Promises { proves_alone: true, ..Promises::default() };
            search_on(&subject, promises, Guarantee::Consistent, Some(moves), || {
                let towers = TowersConfig { disks };
                let towers = Towers::new(&puzzle, towers, &cache).unwrap();
                Box::new(Exact::new(&puzzle, towers, config).unwrap())
            })?;
        }
    }
    Ok(())
}

/// Any text is read or refused, in both forms.
#[test]
fn readers_never_panic() {
    let bits = ["[", "]", ",", " ", "1", "2", "3", "20", "99999999999999999999", "\n", "é", "-"];
    let mut rng = Rng::new(1);
    for _ in 0..20_000 {
        let count = rng.below(16);
        let text: String =
            (0..count).map(|_| bits[rng.below(bits.len() as u64) as usize]).collect();
        for pegs in [3, 9] {
            if let Ok(puzzle) = Hanoi::parse(&text, pegs) {
                let variant = variant(&format!("hanoi(pegs={pegs})"));
                for (_, text) in variant.load(&text).unwrap().forms() {
                    assert_eq!(Hanoi::parse(&text, pegs).as_ref(), Ok(&puzzle), "{text:?}");
                }
            }
        }
    }
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    family(&FAMILY)
}

fn variant(spec: &str) -> Box<dyn AnyPuzzle> {
    let registry = Registry::new([&FAMILY]).unwrap();
    registry.puzzle(spec).unwrap().1
}

#[test]
fn forms_are_read_back() -> Result<(), Violation> {
    forms::examples(&FAMILY)?;
    for spec in ["hanoi", "hanoi(pegs=4)", "hanoi(pegs=9)"] {
        for disks in [1, 8, 20] {
            forms::read_back(&FAMILY, &*variant(spec), &format!("random({disks})"), 120)?;
        }
    }
    Ok(())
}

/// Tables of the variant with its pegs, for building in advance.
#[test]
fn tables_depend_on_the_pegs() {
    let built = |spec: &str, heuristic: &str| -> Vec<String> {
        let tables = variant(spec).tables(&unriddle_catalog::Spec::parse(heuristic).unwrap());
        tables.unwrap().iter().map(|table| table.file_stem()).collect()
    };
    assert_eq!(built("hanoi", "towers"), Vec::<String>::new());
    assert_eq!(built("hanoi(pegs=4)", "towers"), ["hanoi-4-pegs-12-disks"]);
    assert_eq!(built("hanoi(pegs=5)", "towers(7)"), ["hanoi-5-pegs-7-disks"]);
    assert_eq!(built("hanoi(pegs=5)", "misplaced"), Vec::<String>::new());
}

/// Boards of any number of pegs can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    for spec in ["hanoi", "hanoi(pegs=4)", "hanoi(pegs=9)"] {
        for disks in [1, 8, 20] {
            let generator = format!("random({disks})");
            unriddle_conformance::boards::generated(&FAMILY, &*variant(spec), &generator, 10)?;
        }
    }
    Ok(())
}
