//! The matrix of score puzzles: every search with every play-out or bound on tiny boards.
//!
//! A* with an upper bound, which plays nothing out, is the oracle, and breadth is its own: both
//! bounds must agree. The tests compare sealed records: the independent checker has replayed every
//! solution.

use crate::common::{
    cache, known, limited, record, record_of, request,
    samples::{Sample, samples as all_samples},
    timeless,
};
use std::collections::BTreeSet;
use unriddle_catalog::{Aim, Budget, Request, Spec, Status, registry, solve};

/// Searches with the options that change their behaviour; `p` denotes a play-out, `h` a bound.
const SEARCHES: &[&str] = &[
    "spmcts(p, nodes=300)",
    "spmcts(p, nodes=300, values=scaled, c=1, restarts=3)",
    "spmcts(p, nodes=300, per=move, moves=6, final=visits)",
    "spmcts(p, nodes=300, rave=50, widen_c=1)",
    "spmcts(p, nodes=300, solve=off)",
    "spmcts(p, nodes=0, restart_nodes=100, share=on)",
    "nmcs(p, level=2, games=1)",
    "dbs(p, budget=30, games=2)",
    "nrpa(level=2, iterations=10, runs=2)",
    "nrpa(level=2, iterations=10, runs=2, tabu=off, playouts=3, repeat=2)",
    "layers(width=30)",
    "layers(width=1, growth=3, runs=4, tabu=on)",
    "lns(nrpa(level=1, iterations=10, runs=1), plays=30, rounds=6)",
    "lns(nrpa(level=2, tabu=off), plays=30, cut=systematic, stride=3, rounds=6)",
    "astar(h)",
    "idastar(h)",
];

fn score_samples() -> impl Iterator<Item = &'static Sample> {
    all_samples().iter().filter(|sample| known(sample.variants[0]).family.aim == Aim::Score)
}

/// The expressions of a search with every play-out or bound of a puzzle.
fn expressions(search: &str, sample: &Sample) -> Vec<String> {
    let family = known(sample.variants[0]).family;
    let declared = family.declared();
    let playouts = registry::GENERAL_PLAYOUTS.iter().chain(&declared.playouts);
    let names: Vec<&str> = match search {
        _ if search.contains("(p") => playouts.map(|info| info.name).collect(),
        _ if search.contains("(h") => declared.heuristics.iter().map(|info| info.name).collect(),
        _ => return vec![search.to_owned()],
    };
    let with = |name: &&str| {
        let place = search.find('(').unwrap() + 1;
        format!("{}{name}{}", &search[..place], &search[place + 1..])
    };
    names.iter().map(with).collect()
}

#[test]
fn nothing_is_left_out() {
    let first = |spec: &&str| Spec::parse(spec).unwrap().name().to_owned();
    let tested: BTreeSet<String> = SEARCHES.iter().map(first).collect();
    for info in registry::SCORE_SEARCHES {
        assert!(tested.contains(info.name), "{}", info.name);
    }
    assert!(score_samples().count() > 0);
}

#[test]
fn no_search_claims_more_than_there_is() {
    let cache = cache();
    for sample in score_samples() {
        let mut optimal = 0;
        for &variant in sample.variants {
            let known = known(variant);
            for tiny in sample.tiny {
                for index in 0..tiny.count {
                    let text = known.generate(tiny.generator, index);
                    let instance = known.load(&text);
                    let oracle = format!("astar({})", tiny.heuristics[0]);
                    let oracle = record(variant, &*instance, &oracle, &cache).unwrap();
                    assert_eq!(oracle.status, Status::Optimal, "{text}");
                    let optimum = oracle.value.unwrap();
                    let solvers = SEARCHES.iter().chain(sample.specialists);
                    for solver in solvers.flat_map(|s| expressions(s, sample)) {
                        let what = format!("{variant} [{text}] {solver}");
                        let limits = Budget { expansions: Some(5000), ..Budget::default() };
                        let spec = Spec::parse(&solver).unwrap();
                        let request = Request { budget: limits, ..request(&spec, &cache) };
                        let found = solve(
                            &unriddle::registry(),
                            "1",
                            variant,
                            &*instance,
                            &request,
                            &mut (),
                        )
                        .unwrap();
                        assert_eq!(found.checked, Some(true), "{what}: {found:?}");
                        assert!(found.is_answered(), "{what}");
                        let value = found.value.unwrap();
                        assert!(value <= optimum, "{what}");
                        assert!(found.upper_bound.is_none_or(|bound| bound >= optimum), "{what}");
                        assert_eq!(found.lower_bound, None, "{what}");
                        match found.status {
                            Status::Optimal => {
                                assert_eq!(value, optimum, "{what}");
                                optimal += 1;
                            }
                            Status::Solved | Status::Stopped => {}
                            other => panic!("{what}: {other:?}"),
                        }
                        let exact = solver.starts_with("astar") || solver.starts_with("idastar");
                        assert!(!exact || found.status == Status::Optimal, "{what}");
                    }
                }
            }
        }
        assert!(optimal > 0);
    }
}

/// The seed decides everything, the number of threads nothing.
#[test]
fn seeds_decide_and_threads_change_nothing() {
    let cache = cache();
    for sample in score_samples() {
        let known = known(sample.plain);
        let generator = sample.fingerprint[0].0;
        let instance = known.load(&known.generate(generator, 3));
        // The play-out that is a puzzle's own, if there is one.
        let playouts = known.family.declared().playouts;
        let playout = playouts.last().map_or("random", |info| info.name);
        let general = [
            "spmcts(p, nodes=600, roots=3)",
            "spmcts(p, nodes=300)",
            "nrpa(level=2, iterations=8, runs=1)",
            "lns(nrpa(level=1), plays=20, rounds=5)",
        ];
        let general = general.map(|solver| solver.replace("(p,", &format!("({playout},")));
        let own = sample.specialists.iter().map(|&solver| solver.to_owned());
        for solver in own.chain(general) {
            let run =
                |threads, seed| {
                    let found = record_of(known.spec, &*instance, &solver, &cache, |request| {
                        Request { threads, seed, ..request }
                    })
                    .unwrap();
                    assert_eq!(found.checked, Some(true));
                    timeless(&found)
                };
            assert_eq!(run(1, 7), run(1, 7), "{solver}");
            assert_eq!(run(1, 7), run(3, 7), "{solver}");
            assert_ne!(run(1, 7), run(1, 8), "{solver}");
        }
    }
}

/// A limit is named, even if it is used up at once, and the best solution so far is kept.
#[test]
fn limits_are_named_and_keep_the_best_solution() {
    let cache = cache();
    for sample in score_samples() {
        let known = known(sample.plain);
        let instance = known.load(&known.generate(sample.fingerprint[0].0, 4));
        let general = ["nrpa", "spmcts(nodes=0)", "nmcs", "dbs(budget=1000000)", "lns(nrpa)"];
        let declared = known.family.declared();
        let own = declared.solvers.iter().map(|info| info.name.to_owned());
        // Their path is completed.
        let exact = declared.heuristics.iter();
        let exact = exact.flat_map(|h| ["astar", "idastar"].map(|s| format!("{s}({})", h.name)));
        for solver in own.chain(general.map(str::to_owned)).chain(exact) {
            let (_, one) = limited(known.spec, &*instance, &solver, &cache);
            assert_eq!(one.stopped_by.as_deref(), Some("expansions"), "{solver}");
            assert_eq!((one.expanded, one.checked), (Some(1), Some(true)), "{solver}");
        }
    }
}

/// A finished board is solved by the empty line, with the deductions for its remaining cells.
#[test]
fn finished_boards_have_the_empty_solution() {
    let cache = cache();
    for (variant, text, value) in [
        ("samegame", "0 1\n1 2", -2),
        ("samegame(score=contest)", "0 1\n1 2", 0),
        ("samegame(score=clickomania)", "0 1\n1 2", -4),
        ("morpion", "oo.\n..o", 0),
        ("morpion(rule=5t)", "ooo", 0),
    ] {
        let known = known(variant);
        let instance = known.load(text);
        let declared = known.family.declared();
        let general = ["nrpa", "spmcts", "nmcs", "dbs", "layers", "lns(nrpa)"];
        let own = declared.solvers.iter().map(|info| info.name.to_owned());
        let bounds = declared.heuristics.iter();
        let bounds = bounds.map(|info| format!("astar({})", info.name));
        for solver in general.map(str::to_owned).into_iter().chain(own).chain(bounds) {
            let found = record(variant, &*instance, &solver, &cache).unwrap();
            assert_eq!(found.value, Some(value), "{variant} {solver}");
            assert_eq!(found.solution.as_deref(), Some(""), "{variant} {solver}");
            assert_eq!((found.status, found.checked), (Status::Optimal, Some(true)));
        }
    }
}
