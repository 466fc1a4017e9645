//! Conformance of Towers of Hanoi.

use unriddle_conformance::{Subject, Violation, family, goal, heuristic, notation, reading};
use unriddle_core::{Estimate, Guarantee};
use unriddle_hanoi::{FAMILY, Hanoi, misplaced};

#[test]
fn towers_conform() -> Result<(), Violation> {
    for (text, pegs) in [("1 1 1", 3), ("1 2 1 3", 3), ("1 4 2 2 1", 4)] {
        let read = |text: &str| Hanoi::parse(text, pegs);
        let puzzle = read(text).unwrap();
        let subject = Subject::written(&puzzle);
        goal(&subject)?;
        notation(&subject)?;
        reading(text, read)?;
        // These towers are small: every state is compared with its true distance.
        let estimate = Estimate::new(Guarantee::Consistent, misplaced);
        let tested = heuristic(&subject, &estimate)?;
        assert!(tested.informed > 0 && tested.distances >= 27, "{tested:?}");
    }
    Ok(())
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    family(&FAMILY)
}
