//! Options of single-player Monte-Carlo tree search: each has an effect, and is refused out of
//! bounds.

use crate::common::{Blocks, finish};
use unriddle_core::{Rng, Search, SearchError, Uniform};
use unriddle_search::spmcts::{Count, Final, Per, Roots, Spmcts, SpmctsConfig, Subtree, Values};

fn large() -> Blocks {
    Blocks::random(5, 5, 3, &mut Rng::new(77))
}

#[test]
fn every_option_changes_the_search() {
    let puzzle = large();
    let plain = SpmctsConfig { nodes: 1000, restarts: 2, ..SpmctsConfig::default() };
    let generated = |config: SpmctsConfig| {
        let mut search = Spmcts::coded(&puzzle, &Uniform, config).unwrap();
        finish(&mut search, &mut ());
        search.stats().generated
    };
    let one = |config: SpmctsConfig| SpmctsConfig { restarts: 1, ..config };
    let moves = SpmctsConfig { per: Per::Move, moves: 10, ..plain };
    let open = SpmctsConfig { solve: false, t: 0, nodes: 10_000, ..plain };
    let changed = [
        (plain, one(plain)),
        (plain, SpmctsConfig { c: 50.0, ..plain }),
        (plain, SpmctsConfig { d: 1e6, ..plain }),
        (plain, SpmctsConfig { w: 5.0, ..plain }),
        (plain, SpmctsConfig { t: 40, ..plain }),
        (plain, SpmctsConfig { seed: 1, ..plain }),
        (plain, moves),
        (plain, SpmctsConfig { values: Values::Scaled, ..plain }),
        (open, SpmctsConfig { count: Count::Nodes, ..open }),
        (plain, SpmctsConfig { rave: 100.0, ..plain }),
        (plain, SpmctsConfig { widen_c: 1.0, ..plain }),
        // Within one search, where transpositions share, and across searches.
        (one(plain), SpmctsConfig { share: true, ..one(plain) }),
        (plain, SpmctsConfig { share: true, ..plain }),
        (moves, SpmctsConfig { subtree: Subtree::Drop, ..moves }),
        (moves, SpmctsConfig { final_move: Final::Visits, ..moves }),
        (moves, SpmctsConfig { final_move: Final::Average, ..moves }),
    ];
    for (before, after) in changed {
        assert_ne!(generated(before), generated(after), "{after:?}");
    }
}

#[test]
fn options_are_validated() {
    let d = SpmctsConfig::default();
    let refused = [
        SpmctsConfig { c: -1.0, ..d },
        SpmctsConfig { d: f64::NAN, ..d },
        SpmctsConfig { w: f64::INFINITY, ..d },
        SpmctsConfig { scale: 0.0, ..d },
        SpmctsConfig { rave: -1.0, ..d },
        SpmctsConfig { widen_c: -1.0, ..d },
        SpmctsConfig { widen_a: 1.5, ..d },
        SpmctsConfig { t: u64::MAX, ..d },
        SpmctsConfig { moves: 0, ..d },
        SpmctsConfig { nodes: u64::MAX, ..d },
        SpmctsConfig { roots: 0, ..d },
        SpmctsConfig { roots: 1025, ..d },
        SpmctsConfig { restarts: 0, ..d },
        SpmctsConfig { restarts: 2, restart_nodes: 5, ..d },
        SpmctsConfig { restarts: 2, nodes: 0, ..d },
        SpmctsConfig { restarts: 200_000, ..d },
        SpmctsConfig { per: Per::Move, nodes: 0, ..d },
        SpmctsConfig { final_move: Final::Visits, nodes: 0, ..d },
        SpmctsConfig { roots: 8, nodes: 7, restart_nodes: 1, ..d },
    ];
    let puzzle = large();
    for config in refused {
        assert!(matches!(config.validate(), Err(SearchError::BadOption(_))), "{config:?}");
        assert!(Spmcts::coded(&puzzle, &Uniform, config).is_err());
        assert!(Roots::coded(&puzzle, &Uniform, config, 1).is_err());
    }
    // Not without codes, not several roots in one.
    let rave = SpmctsConfig { rave: 1.0, ..d };
    let roots = SpmctsConfig { roots: 2, ..d };
    assert!(Spmcts::new(&puzzle, &Uniform, rave).is_err());
    assert!(Roots::new(&puzzle, &Uniform, rave, 1).is_err());
    assert!(Spmcts::coded(&puzzle, &Uniform, rave).is_ok());
    assert!(Spmcts::new(&puzzle, &Uniform, roots).is_err());
}
