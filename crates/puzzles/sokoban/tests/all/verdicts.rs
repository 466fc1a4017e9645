//! Verdicts of presets against the exact solvers and breadth-first search: levels without a
//! solution, and levels with other numbers of boxes and goals.

use std::{collections::BTreeMap, sync::Arc};
use unriddle_catalog::{
    AnyPuzzle, Instance, Registry, Report, Request, Spec, Status,
    tables::{Cache, Policy},
};
use unriddle_check as check;
use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker},
};
use unriddle_core::{Budget, Outcome, ParseError, Progress, Quota, Rng, Search as _};
use unriddle_sokoban::{
    FAMILY, Level, Measure, Sokoban,
    family::Extra,
    fess::{Fess, FessConfig},
};

fn puzzle(spec: &str) -> Box<dyn AnyPuzzle> {
    Registry::new([&FAMILY]).unwrap().puzzle(spec).unwrap().1
}

fn solve(level: &dyn Instance, solver: &Spec, budget: Budget) -> Report {
    let cache = Cache::new(None, 1, Policy::default());
    let request = Request { budget, ..Request::new(solver, &cache) };
    level.solve(&request, &mut ()).unwrap()
}

/// The report of a spec, without limits.
fn by(level: &dyn Instance, solver: &str) -> Report {
    solve(level, &Spec::parse(solver).unwrap(), Budget::default())
}

/// The report of a preset, without limits.
fn by_preset(level: &dyn Instance, preset: &str) -> Report {
    solve(level, &level.preset(preset).unwrap(), Budget::default())
}

/// A random room with another cell of floor instead of one of its goals.
fn moved_goal(spec: &str, seed: u64) -> String {
    let one = puzzle("sokoban");
    let generator = FAMILY.generator(Some(spec)).unwrap();
    let mut rng = Rng::stream(54, seed);
    let mut signs: Vec<char> = one.generate(&generator, &mut rng).unwrap().chars().collect();
    let mut change = |of: &str, to: &[(char, char)]| {
        let places: Vec<usize> = (0..signs.len()).filter(|&at| of.contains(signs[at])).collect();
        let at = places[rng.below(places.len() as u64) as usize];
        let &(_, after) = to.iter().find(|(before, _)| *before == signs[at]).unwrap();
        signs[at] = after;
    };
    change(".*+", &[('.', '-'), ('*', '$'), ('+', '@')]);
    change("-$@", &[('-', '.'), ('$', '*'), ('@', '+')]);
    signs.into_iter().collect()
}

#[test]
fn presets_refute_rooms_with_one_goal_moved() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..64 {
        let spec = ["room(7, rows=8, columns=8)", "room(8, rows=9, columns=9)"][seed as usize % 2];
        let text = moved_goal(spec, seed);
        let level = puzzle("sokoban").load(&text).unwrap();
        let exact = by_preset(&*level, "optimal").status;
        let found = by_preset(&*level, "default");
        let expected = if exact == Status::Optimal { Status::Solved } else { exact };
        assert_eq!(found.status, expected, "{text}");
        let word = if exact == Status::Unsolvable { "refuted" } else { "solved" };
        *counts.entry(word).or_default() += 1;
    }
    assert!(counts["refuted"] > 10 && counts["solved"] > 10, "{counts:?}");
}

/// Closed spaces without a goal, in which the fast search has nothing left to try.
const CLOSED: [&str; 3] = [
    "########|#--..--#|#-$*$$.#|#$-.$-##|#+$.-###|########",
    "########|#.*@$.-#|##$$.$-#|##..$$##|##----.#|########",
    "#########|#-.$@.$-#|#-$$$$--#|##$-#.###|##..#.-##|##$-#####|##..#####|#########",
];

#[test]
fn a_closed_space_without_a_goal_is_a_proof() {
    for text in CLOSED {
        for spec in ["sokoban", "sokoban(measure=moves)"] {
            let level = puzzle(spec).load(text).unwrap();
            for preset in ["default", "short", "best"] {
                assert_eq!(
                    by_preset(&*level, preset).status,
                    Status::Unsolvable,
                    "{preset}: {text}"
                );
            }
            assert_eq!(by(&*level, "fess").status, Status::Exhausted, "{text}");
        }
    }
}

/// Limits apply to both searches together, and the search resumes where it was interrupted.
#[test]
fn limits_apply_to_both_searches() {
    let level = puzzle("sokoban").load(CLOSED[0]).unwrap();
    let all = by(&*level, "fess(exact=on)").stats.unwrap();
    let first = by(&*level, "fess").stats.unwrap();
    let second = by(&*level, "push-optimal").stats.unwrap();
    assert_eq!(all.expanded, first.expanded + second.expanded);
    for limit in [1, first.expanded, first.expanded + 1, all.expanded - 1] {
        let budget = Budget { expansions: Some(limit), ..Budget::default() };
        let found = solve(&*level, &Spec::parse("fess(exact=on)").unwrap(), budget);
        assert_eq!((found.status, found.stats.unwrap().expanded), (Status::Stopped, limit));
    }
    // The search itself proves nothing.
    let level = Arc::new(Level::parse(CLOSED[0]).unwrap());
    let mut search = Fess::new(level, FessConfig::default()).unwrap();
    let end = search.advance(&Quota::UNLIMITED, &mut ());
    assert_eq!(end, Progress::Finished(Outcome::Exhausted { best: None }));
}

/// Levels wider or higher than a word, among them a ring whose rectangle is larger than a board.
#[test]
fn wide_levels_are_solved() {
    let wide = format!("{}|#@{}$-.#|{}", "#".repeat(200), "-".repeat(194), "#".repeat(200));
    let high = format!("#####|#---#|#-@-#|{}#-$-#|#---#|#-.-#|#####", "#---#|".repeat(200));
    let side = format!("#-{}-#|", "#".repeat(70));
    let edge = "#".repeat(74);
    let row = |signs: &str| format!("#{}{signs}#|", "-".repeat(72 - signs.len()));
    let ring = format!("{edge}|{}{}{}{edge}", row("-$--@"), side.repeat(70), row("-.--"));
    for (text, pushes, moves) in
        [(&wide, Some(2), Some(196)), (&high, Some(2), Some(202)), (&ring, None, None)]
    {
        let one = puzzle("sokoban").load(text).unwrap();
        for found in [by_preset(&*one, "default"), by_preset(&*one, "optimal"), by(&*one, "bfs")] {
            assert_eq!(found.value, pushes, "{text}");
        }
        let one = puzzle("sokoban(measure=moves)").load(text).unwrap();
        assert_eq!(by_preset(&*one, "optimal").value, moves, "{text}");
        assert_eq!(by_preset(&*one, "short").value.is_some(), moves.is_some(), "{text}");
    }
    // Along a side of the ring.
    let ring = format!("{edge}|{}{}{}{edge}", row("-.--$--@-"), side.repeat(70), row(""));
    for (spec, value) in [("sokoban", 3), ("sokoban(measure=moves)", 5)] {
        let one = puzzle(spec).load(&ring).unwrap();
        for found in [by_preset(&*one, "optimal"), by(&*one, "astar(assignment)")] {
            assert_eq!((found.status, found.value), (Status::Optimal, Some(value)));
        }
        let found = by_preset(&*one, "default").solution.unwrap();
        assert_eq!(check::verify(spec, &ring, &found).unwrap().value, value);
    }
}

/// A room in which some boxes or goals are left out.
fn uneven(spec: &str, seed: u64, left_out: &str, count: usize) -> String {
    let one = puzzle("sokoban");
    let generator = FAMILY.generator(Some(spec)).unwrap();
    let mut rng = Rng::stream(55, seed);
    let mut signs: Vec<char> = one.generate(&generator, &mut rng).unwrap().chars().collect();
    for _ in 0..count {
        let is_chosen = |&at: &usize| left_out.contains(signs[at]);
        let places: Vec<usize> = (0..signs.len()).filter(is_chosen).collect();
        let at = places[rng.below(places.len() as u64) as usize];
        signs[at] = match (signs[at], left_out) {
            ('*', "$*") => '.',
            ('*', _) => '$',
            ('+', _) => '@',
            _ => '-',
        };
    }
    signs.into_iter().collect()
}

/// Solvers of pushes and of moves.
const SOLVERS: [(&str, [&str; 5]); 2] = [
    (
        "pushes",
        [
            "push-optimal",
            "push-optimal(ties=moves)",
            "push-optimal(symmetry=off, corral=off, freeze=off)",
            "astar(assignment)",
            "astar(nearest)",
        ],
    ),
    (
        "moves",
        [
            "move-optimal",
            "move-optimal(ties=pushes)",
            "astar(misplaced)",
            "astar(assignment)",
            "astar(nearest)",
        ],
    ),
];

#[test]
fn levels_with_pieces_left_over_are_solved() {
    let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..24 {
        for (extra, left_out) in [("goals", "$*"), ("boxes", ".*+")] {
            let room = ["room(3, rows=7, columns=7)", "room(4, rows=7, columns=8)"];
            let text = uneven(room[seed as usize % 2], seed, left_out, 1 + seed as usize % 3 / 2);
            assert!(puzzle("sokoban").load(&text).is_err(), "{text}");
            for (measure, solvers) in SOLVERS {
                let spec = format!("sokoban(measure={measure}, extra={extra})");
                let level = puzzle(&spec).load(&text).unwrap();
                let naive = by(&*level, "bfs");
                for solver in solvers {
                    let found = by(&*level, solver);
                    let same = (found.status, found.value) == (naive.status, naive.value);
                    assert!(same, "{spec} {solver}: {text}: {found:?}, {naive:?}");
                }
                for solver in ["default", "fast", "short", "best", "optimal"] {
                    let found = by_preset(&*level, solver);
                    match &found.solution {
                        Some(solution) => {
                            let verdict = check::verify(&spec, &text, solution).unwrap();
                            assert_eq!(Some(verdict.value), found.value, "{spec} {solver}: {text}");
                        }
                        None => {
                            let statuses = [found.status, naive.status];
                            assert_eq!(
                                statuses,
                                [Status::Unsolvable; 2],
                                "{spec} {solver}: {text}"
                            );
                        }
                    }
                }
                *statuses.entry(format!("{extra} {:?}", naive.status)).or_default() += 1;
            }
        }
    }
    assert!(statuses.values().sum::<usize>() == 96 && statuses.len() >= 2, "{statuses:?}");
}

#[test]
fn uneven_levels_conform() -> Result<(), Violation> {
    for (extra, text) in [
        (Extra::Boxes, "#######|#@$-.-#|#-$---#|#--$.-#|#-----#|#######"),
        (Extra::Goals, "#######|#@$-.-#|#-.---#|#--$.-#|#-----#|#######"),
        // Pieces that the player cannot reach.
        (Extra::Boxes, "#######-###|#@$$.-#-#$#|#-----#-###|#######"),
        (Extra::Goals, "#######-###|#@$-..#-#.#|#-----#-###|#######"),
    ] {
        for (word, measure) in [("pushes", Measure::Pushes), ("moves", Measure::Moves)] {
            let spec = format!("sokoban(extra=any, measure={word})");
            let read = |text: &str| -> Result<_, ParseError> {
                let level = Arc::new(Level::parse_uneven(text, extra)?);
                Ok(Sokoban::<1>::new(level, measure).unwrap())
            };
            let puzzle = read(text).unwrap();
            let subject = || Subject::written(&puzzle).named(format!("{spec}: {text}"));
            conformance::goal(&subject().steps(8).walks(2))?;
            let subject = subject().steps(10).near(200);
            conformance::notation(&subject)?;
            conformance::reading(text, read)?;
            let both = Both { read, rules: &Checker(&spec) };
            both.agree_on_goals(text)?;
            both.agree_on_solutions(text)?;
        }
    }
    Ok(())
}

/// Pieces beyond the walls count at the end.
#[test]
fn pieces_out_of_reach_count() {
    for (extra, text, why) in [
        (
            "boxes",
            "#######-###|#@$$.-#-#.#|#-$---#-###|#######",
            "the goal in row 2, column 10 can never be reached",
        ),
        (
            "goals",
            "#######-###|#@$-..#-#$#|#--.--#-###|#######",
            "the box in row 2, column 10 can never be reached",
        ),
        (
            "boxes",
            "#######-####|#@$-..#-#$$#|#-----#-####|#######",
            "the player can reach 1 boxes and 2 goals",
        ),
        (
            "goals",
            "#######-####|#@$$.-#-#..#|#-----#-####|#######",
            "the player can reach 2 boxes and 1 goals",
        ),
    ] {
        let level = puzzle(&format!("sokoban(extra={extra})")).load(text).unwrap();
        assert_eq!(level.unsolvable(), Some(why));
    }
    let level = Level::parse_uneven("#####|#@$.#|#--.#|#####", Extra::Goals).unwrap();
    assert!(Fess::new(Arc::new(level), FessConfig::default()).is_err());
}
