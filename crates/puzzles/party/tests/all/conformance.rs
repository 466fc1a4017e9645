//! Conformance of the families.

use unriddle_conformance::{Violation, boards, family};

#[test]
fn the_families_conform() -> Result<(), Violation> {
    family(&unriddle_party::FAMILY)?;
    family(&unriddle_party::qap::FAMILY)
}

/// Small worlds, so that many cells of their sheets are changed.
#[test]
fn sheets_are_read_back() -> Result<(), Violation> {
    let sheets = |family: &'static unriddle_catalog::Family, generators: &[&str]| {
        let Some(puzzle) = family.default_puzzle() else { return Ok(()) };
        generators.iter().try_for_each(|of| boards::generated(family, &*puzzle, of, 3))
    };
    let puzzles = ["type1", "type2", "type3", "varied", "matched", "impossible"];
    let worlds = puzzles.map(|puzzle| format!("world(puzzle={puzzle}, heroes=40)"));
    sheets(&unriddle_party::FAMILY, &worlds.each_ref().map(String::as_str))?;
    sheets(
        &unriddle_party::qap::FAMILY,
        &["uniform(1)", "uniform(7)", "uniform(40)", "uniform(41)"],
    )
}
