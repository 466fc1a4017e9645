//! Feature-space search as a user sees it: solutions are replayed on a plain array of signs.

use std::sync::Arc;
use unriddle_core::{Outcome, Progress, Quota, Rng, Search, SearchError};
use unriddle_sokoban::{
    FAMILY, Level, Move,
    fess::{Fess, FessConfig},
};

/// Rooms of the project's own generator that no word holds.
fn levels() -> Vec<String> {
    let puzzle = FAMILY.default_puzzle().expect("it has defaults");
    let generator = FAMILY.generator(Some("room(7, rows=12, columns=14)")).expect("a generator");
    let room = |seed| puzzle.generate(&generator, &mut Rng::stream(3, seed)).expect("a room");
    (0..3).map(room).collect()
}

fn fess(level: &str, config: FessConfig) -> Fess {
    let level = Arc::new(Level::parse(level).expect("a level"));
    Fess::new(level, config).expect("a search")
}

/// Plays pushes, with walks between them, on the signs of a level; whether all boxes are on goals
/// then.
fn replay(level: &str, actions: &[Move]) -> bool {
    let parsed = Level::parse(level).expect("a level");
    let rows: Vec<Vec<char>> = level.split(['\n', '|']).map(|row| row.chars().collect()).collect();
    let at = |(r, c): (usize, usize)| *rows.get(r).and_then(|row| row.get(c)).unwrap_or(&'#');
    let mut boxes = Vec::new();
    let mut player = (0, 0);
    for (r, row) in rows.iter().enumerate() {
        for (c, sign) in row.iter().enumerate() {
            match sign {
                '$' | '*' => boxes.push((r, c)),
                '@' | '+' => player = (r, c),
                _ => {}
            }
        }
    }
    for action in actions {
        let from = parsed.place(action.onto);
        let (down, right) = action.way.step();
        let to = (from.0.wrapping_add_signed(down), from.1.wrapping_add_signed(right));
        let stands = (from.0.wrapping_add_signed(-down), from.1.wrapping_add_signed(-right));
        let mut seen = vec![player];
        let mut next = 0;
        while let Some(&(r, c)) = seen.get(next) {
            next += 1;
            for place in [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)] {
                if at(place) != '#' && !boxes.contains(&place) && !seen.contains(&place) {
                    seen.push(place);
                }
            }
        }
        if !seen.contains(&stands) || at(to) == '#' || boxes.contains(&to) {
            return false;
        }
        let Some(pushed) = boxes.iter_mut().find(|place| **place == from) else {
            return false;
        };
        *pushed = to;
        player = from;
    }
    boxes.iter().all(|&place| ".*+".contains(at(place)))
}

fn limited(expanded: u64) -> Quota {
    Quota { expanded, ..Quota::UNLIMITED }
}

#[test]
fn solutions_replay_with_any_part_switched_off() {
    let usual = FessConfig::default();
    let configs = [
        usual,
        FessConfig { plan: false, ..usual },
        FessConfig { sink: false, ..usual },
        FessConfig { advisors: false, ..usual },
        FessConfig { freeze: false, ..usual },
        FessConfig { bipartite: false, ..usual },
        FessConfig { retrograde: false, ..usual },
        FessConfig { pi_corral: false, ..usual },
        FessConfig { corral: false, ..usual },
        FessConfig { portfolio: false, ..usual },
    ];
    for level in levels() {
        for config in configs {
            let mut search = fess(&level, config);
            match search.advance(&limited(20_000), &mut ()) {
                Progress::Finished(Outcome::Solved { best, proof, .. }) => {
                    assert!(replay(&level, &best.actions) && !proof);
                    assert_eq!(best.value, best.actions.len() as i64);
                }
                other => panic!("{other:?} with {config:?}"),
            }
        }
    }
}

/// However the work is cut, the same positions are expanded and the same solution is found.
#[test]
fn one_expansion_at_a_time_gives_the_same() {
    let level = &levels()[1];
    let mut whole = fess(level, FessConfig::default());
    let finished = whole.advance(&limited(20_000), &mut ());
    let mut cut = fess(level, FessConfig::default());
    let outcome = loop {
        match cut.step(1, &mut ()) {
            Progress::Running => {}
            other => break other,
        }
    };
    assert_eq!(outcome, finished);
    assert_eq!(cut.stats(), whole.stats());
    assert_eq!(cut.best(), whole.best());
    assert!(cut.best().is_some());
}

#[test]
fn limits_and_levels_without_a_solution() {
    let mut search = fess(&levels()[0], FessConfig::default());
    assert_eq!(search.advance(&limited(3), &mut ()), Progress::Running);
    let none = Quota { bytes: 10, ..Quota::UNLIMITED };
    assert_eq!(search.advance(&none, &mut ()), Progress::OutOfMemory);
    // The memory limit is never exceeded, and a greater limit lets the search continue.
    let mut search = fess(&levels()[1], FessConfig::default());
    let mut bytes = 1 << 14;
    loop {
        let quota = Quota { bytes, ..Quota::UNLIMITED };
        let progress = search.advance(&quota, &mut ());
        assert!(search.stats().peak_bytes <= bytes);
        match progress {
            Progress::OutOfMemory => bytes *= 2,
            other => {
                assert!(matches!(other, Progress::Finished(Outcome::Solved { .. })));
                break;
            }
        }
    }
    let outside = "#########|#@$.#$#.#|#########";
    let mut search = fess(outside, FessConfig::default());
    let end = search.advance(&limited(1_000), &mut ());
    assert_eq!(end, Progress::Finished(Outcome::Unsolvable));
    for dead in ["#####|#@ .#|# $ #|#####", "######|#$@ .#|#    #|######"] {
        let mut search = fess(dead, FessConfig::default());
        let end = search.advance(&limited(50_000), &mut ());
        assert_eq!(end, Progress::Finished(Outcome::Exhausted { best: None }));
    }
    let solved = "#####|#@*##|#####";
    let mut search = fess(solved, FessConfig::default());
    assert!(matches!(
        search.advance(&limited(10), &mut ()),
        Progress::Finished(Outcome::Solved { ref best, .. }) if best.actions.is_empty()
    ));
    let wrong = FessConfig { corral_limit: 0, ..FessConfig::default() };
    let level = Arc::new(Level::parse(solved).expect("a level"));
    assert!(matches!(Fess::new(level, wrong), Err(SearchError::BadOption(_))));
}
