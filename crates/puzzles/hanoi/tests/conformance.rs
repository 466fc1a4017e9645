//! Conformance of Towers of Hanoi.

use unriddle_catalog::{AnyPuzzle, Registry};
use unriddle_conformance::{
    Subject, Violation, backward, family, forms, goal, heuristic, notation, reading,
};
use unriddle_core::{Estimate, Guarantee};
use unriddle_hanoi::{
    FAMILY, Hanoi, misplaced,
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
    assert_eq!(built("hanoi", "towers"), [String::new(); 0]);
    assert_eq!(built("hanoi(pegs=4)", "towers"), ["hanoi-4-pegs-12-disks"]);
    assert_eq!(built("hanoi(pegs=5)", "towers(7)"), ["hanoi-5-pegs-7-disks"]);
    assert_eq!(built("hanoi(pegs=5)", "misplaced"), [String::new(); 0]);
}
