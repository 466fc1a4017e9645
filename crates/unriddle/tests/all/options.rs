//! Declared options of the puzzles, their heuristics and their own solvers.

use unriddle_conformance::check_options;
use unriddle_core::Role;
use unriddle_freecell::{
    Rules,
    heuristics::Mixture,
    solvers::{fast, optimal, short},
};
use unriddle_party::{
    qap::solver as qap,
    solvers::{exact, rounds},
};
use unriddle_samegame::solvers::best;
use unriddle_tiles::pdb::PdbConfig;

#[test]
fn declared_options_keep_their_bounds() {
    let all = [
        (fast::INFO, check_options::<fast::FastConfig>()),
        (short::INFO, check_options::<short::ShortConfig>()),
        (optimal::INFO, check_options::<optimal::OptimalConfig>()),
        (best::INFO, check_options::<best::BestConfig>()),
        (qap::INFO, check_options::<qap::TabuConfig>()),
        (exact::INFO, check_options::<exact::ExactConfig>()),
        (rounds::CONSTRUCT, check_options::<rounds::ConstructConfig>()),
        (rounds::ANNEAL, check_options::<rounds::AnnealingConfig>()),
    ];
    for (info, checked) in all {
        assert_eq!((checked, info.role), (Ok(()), Role::Search), "{}", info.name);
    }
}

#[test]
fn options_of_puzzles_and_heuristics_keep_their_bounds() {
    assert_eq!(check_options::<Rules>(), Ok(()));
    assert_eq!(check_options::<Mixture>(), Ok(()));
    // A required text is empty by default.
    assert_eq!(PdbConfig::default().partition, "");
    assert!(PdbConfig::default().mirror);
}

/// Options that a portfolio passes to its parts.
#[test]
fn defaults_agree() {
    assert_eq!(fast::FastConfig::default().slices, fast::portfolio::PORTFOLIO.len());
}
