//! Declared options of the puzzles and their heuristics.

use unriddle_core::options::check_options;
use unriddle_puzzles::{
    freecell::{Rules, heuristics::Mixture},
    tiles::pdb::PdbConfig,
};

#[test]
fn declared_options_keep_their_bounds() {
    assert_eq!(check_options::<Rules>(), Ok(()));
    assert_eq!(check_options::<Mixture>(), Ok(()));
    // What must be given is empty where nothing is.
    assert_eq!(PdbConfig::default().partition, "");
    assert!(PdbConfig::default().mirror);
}
