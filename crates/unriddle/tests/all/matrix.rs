//! The matrix: every puzzle × search × heuristic on tiny instances.
//!
//! Breadth-first search, which knows no heuristic and shares no loop with the others, is the
//! oracle. The tests compare sealed records: the independent checker has replayed every solution.

use crate::common::{
    Known, cache, known, record, record_of, request,
    samples::{Sample, Tiny, samples},
    timeless,
};
use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};
use unriddle_catalog::{
    Aim, Budget, Cancel, Instance, Limit, Record, Report, Request, Spec, Status, registry, solve,
    tables::Cache,
};

/// Guarantee of a search with an admissible heuristic.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    /// An optimal solution.
    Optimal,
    /// A solution of at most this many times the optimum.
    Within(f64),
    /// A solution.
    Any,
    /// Perhaps a solution.
    Incomplete,
}
use Promise::{Any, Incomplete, Optimal, Within};

/// Every search with the options that change its behaviour; `h` denotes the heuristic.
const SEARCHES: &[(&str, Promise)] = &[
    ("idastar(h)", Optimal),
    ("idastar(h, prune=automaton, depth=5)", Optimal),
    ("idtt(h)", Optimal),
    ("idtt(h, table=600k)", Optimal),
    ("idtt(h, table=0)", Optimal),
    ("deepening(h)", Optimal),
    ("deepening(h, table=0)", Optimal),
    ("astar(h)", Optimal),
    ("astar(h, w=1.5)", Within(1.5)),
    ("astar(h, w=100)", Within(100.0)),
    ("greedy(h)", Any),
    ("bwas(h)", Any),
    ("bwas(h, lambda=1, batch=1)", Optimal),
    ("bwas(h, lambda=0.5, batch=1)", Within(2.0)),
    ("bwas(h, lambda=0.8, batch=7, stop=generated)", Any),
    ("beam(h)", Any),
    ("beam(h, width=3, order=f)", Incomplete),
    ("staged(h)", Incomplete),
    ("staged(h, depth=3, open=list)", Incomplete),
    ("bfs", Optimal),
    ("windows(bwas(h, lambda=0.5, batch=1), states=2k)", Within(2.0)),
    ("prove(greedy(blind), idastar(h))", Optimal),
];

/// The expressions of a search with every heuristic of a puzzle; just one if it takes none.
fn with_heuristics(search: &str, sample: &Sample, heuristics: &[&str]) -> Vec<String> {
    match search.split_once("(h") {
        Some((name, rest)) => heuristics
            .iter()
            .filter(|_| !(sample.vast && ["greedy", "beam", "staged"].contains(&name)))
            .map(|h| format!("{name}({h}{rest}"))
            .collect(),
        None => vec![search.to_owned()],
    }
}

/// The samples of goal puzzles; score puzzles have a matrix of their own (`scores.rs`).
fn goal_samples() -> impl Iterator<Item = &'static Sample> {
    samples().iter().filter(|sample| known(sample.variants[0]).family.aim == Aim::Cost)
}

/// Calls `visit` for every kind of tiny instances of every variant of every puzzle.
fn for_each_kind(visit: impl Fn(&Known, &Sample, &Tiny)) {
    for sample in goal_samples() {
        for &variant in sample.variants {
            for tiny in sample.tiny {
                visit(&known(variant), sample, tiny);
            }
        }
    }
}

/// Everything with `status` in order: the solution is there, checked, and agrees with the rest.
fn assert_sound(record: &Record, what: &str) {
    assert_eq!(record.checked, record.solution.as_ref().map(|_| true), "{what}: {record:?}");
    assert_eq!(record.value.is_some(), record.solution.is_some(), "{what}");
    assert_eq!(record.stopped_by.is_some(), record.status == Status::Stopped, "{what}");
    let bound = record.lower_bound.unwrap_or(0);
    if let Some(value) = record.value {
        assert!(bound <= value, "{what}: bound {bound}, value {value}");
        assert_eq!(record.status == Status::Optimal, Some(value) == record.lower_bound, "{what}");
    }
}

/// Puzzles whose networks are for instances that breadth-first search cannot solve, or not for all
/// that are tested here; `networks.rs` tests these.
const LARGE_NETWORKS: [&str; 3] = ["lightsout", "cube", "sokoban"];

/// Searches that take no heuristic but the policy of a network; the searches' own tests have
/// policies, and `networks.rs` has a network.
const BY_POLICY: [&str; 1] = ["levin"];

/// Solvers of instances that breadth-first search cannot solve; the puzzles' own tests have them.
const LARGE_SOLVERS: [&str; 1] = ["tiles-optimal"];

#[test]
fn nothing_is_left_out() {
    let first = |spec: &str| Spec::parse(spec).unwrap().name().to_owned();
    let tested: BTreeSet<String> = SEARCHES.iter().map(|(spec, _)| first(spec)).collect();
    let by_heuristic = registry::GOAL_SEARCHES.iter().filter(|i| !BY_POLICY.contains(&i.name));
    assert_eq!(tested, by_heuristic.map(|info| info.name.to_owned()).collect());
    for sample in goal_samples() {
        let family = known(sample.variants[0]).family;
        let tested: BTreeSet<String> = sample
            .tiny
            .iter()
            .flat_map(|tiny| tiny.heuristics.iter().chain(tiny.rankings))
            .map(|h| first(h))
            .collect();
        // A network is tested where one comes with the puzzle for instances that are small enough.
        let has_net = !family.models().is_empty() && !LARGE_NETWORKS.contains(&sample.name);
        let general = registry::GENERAL_HEURISTICS.iter();
        let general = general.filter(|info| info.name != "net" || has_net);
        let listed: BTreeSet<String> =
            general.chain(&family.declared().heuristics).map(|info| info.name.to_owned()).collect();
        assert_eq!(tested, listed, "{}", sample.name);
        let tested: BTreeSet<String> = sample.specialists.iter().map(|s| first(s)).collect();
        let solvers = family.declared().solvers;
        let listed = solvers.iter().filter(|info| !LARGE_SOLVERS.contains(&info.name));
        let listed = listed.map(|info| info.name.to_owned());
        assert_eq!(tested, listed.collect(), "{}", sample.name);
    }
}

/// A heuristic that only ranks states finds solutions and proves nothing about their length.
#[test]
fn rankings_guide_and_prove_nothing() {
    let cache = cache();
    for_each_kind(|known, sample, tiny| {
        for index in 0..tiny.count {
            let instance = known.load(&known.generate(tiny.generator, index));
            let oracle = record(known.spec, &*instance, "bfs", &cache).unwrap();
            let searches = ["greedy(h)", "beam(h)", "astar(h)", "bwas(h)", "staged(h, open=list)"];
            for search in searches {
                for solver in with_heuristics(search, sample, tiny.rankings) {
                    let what = format!("{} [{}] {solver}", known.spec, instance.text());
                    let found = record(known.spec, &*instance, &solver, &cache).expect(&what);
                    assert_sound(&found, &what);
                    assert_eq!(found.status, Status::Solved, "{what}");
                    assert!(found.value >= oracle.value, "{what}");
                    assert_eq!(found.lower_bound, None, "{what}");
                }
            }
        }
    });
}

/// Solvers of one puzzle solve all solvable instances and make only true claims.
#[test]
fn specialists_agree_with_breadth_first_search() {
    let cache = cache();
    for_each_kind(|known, sample, tiny| {
        for index in 0..tiny.count {
            let instance = known.load(&known.generate(tiny.generator, index));
            let oracle = record(known.spec, &*instance, "bfs", &cache).unwrap();
            for solver in sample.specialists {
                let what = format!("{} [{}] {solver}", known.spec, instance.text());
                let found = record(known.spec, &*instance, solver, &cache).expect(&what);
                assert_sound(&found, &what);
                assert!(found.is_answered(), "{what}: {found:?}");
                assert!(found.value >= oracle.value, "{what}");
                // In another measure the optimum may be larger than the number of moves.
                let same_measure = found.measure == oracle.measure;
                if found.status == Status::Optimal && same_measure {
                    assert_eq!(found.value, oracle.value, "{what}");
                }
            }
        }
    });
}

/// Other notations are read as the same instance. The mirror image of a solution solves the mirror
/// image of the instance.
#[test]
fn mirror_images_have_mirrored_solutions() {
    let cache = cache();
    let mirrored = std::cell::RefCell::new(BTreeSet::new());
    for_each_kind(|known, _, tiny| {
        for index in 0..tiny.count {
            let instance = known.load(&known.generate(tiny.generator, index));
            let what = format!("{} [{}]", known.spec, instance.text());
            for (form, text) in instance.forms() {
                assert_eq!(known.load(&text).text(), instance.text(), "{what}: {form}");
            }
            let found = record(known.spec, &*instance, "bfs", &cache).unwrap();
            let solution = found.solution.expect(&what);
            let image = instance.mirrored_solution(&solution).expect(&what);
            let Some(other) = instance.mirrored() else {
                assert_eq!(image, None, "{what}");
                continue;
            };
            mirrored.borrow_mut().insert(known.family.info.name);
            let image = image.expect(&what);
            let replayed = unriddle::registry().verify(known.spec, &other.text(), &image);
            assert_eq!(replayed.map(|(value, _)| Some(value)), Ok(found.value), "{what}");
            let back = other.mirrored().expect(&what);
            assert_eq!(back.text(), instance.text(), "{what}");
            assert_eq!(other.mirrored_solution(&image), Ok(Some(solution)), "{what}");
        }
    });
    assert_eq!(mirrored.into_inner(), BTreeSet::from(["cube", "tiles"]));
}

#[test]
fn every_search_keeps_its_promise() {
    let cache = cache();
    for_each_kind(|known, sample, tiny| {
        for index in 0..tiny.count {
            let text = known.generate(tiny.generator, index);
            let instance = known.load(&text);
            let oracle = record(known.spec, &*instance, "bfs", &cache).unwrap();
            assert_eq!(oracle.status, Status::Optimal, "{text}");
            let optimum = oracle.value.unwrap();
            let mut estimates = HashMap::new();
            for &(search, promise) in SEARCHES {
                let solvers = with_heuristics(search, sample, tiny.heuristics);
                for (solver, heuristic) in solvers.iter().zip(tiny.heuristics) {
                    let what = format!("{} [{text}] {solver}", known.spec);
                    let found = record(known.spec, &*instance, solver, &cache).expect(&what);
                    assert_sound(&found, &what);
                    // The estimate of the start depends only on the heuristic.
                    assert_eq!(found.initial_h.is_some(), search != "bfs", "{what}");
                    if let Some(h) = found.initial_h {
                        assert!((0.0..=optimum as f64).contains(&h), "{what}");
                        assert_eq!(h == 0.0, *heuristic == "blind" || optimum == 0, "{what}");
                        assert_eq!(*estimates.entry(*heuristic).or_insert(h), h, "{what}");
                    }
                    assert!(found.lower_bound.is_none_or(|bound| bound <= optimum), "{what}");
                    if promise == Incomplete && found.status == Status::Exhausted {
                        continue;
                    }
                    let value = found.value.unwrap_or_else(|| panic!("{what}: {found:?}"));
                    match promise {
                        Optimal => {
                            assert_eq!((found.status, value), (Status::Optimal, optimum), "{what}");
                        }
                        Within(w) => {
                            assert!(
                                value >= optimum && value as f64 <= w * optimum as f64,
                                "{what}"
                            );
                        }
                        Any | Incomplete => assert!(value >= optimum, "{what}"),
                    }
                }
            }
        }
    });
}

/// The number of threads changes nothing but times and memory: same solution, same counters.
#[test]
fn threads_change_nothing() {
    let cache = cache();
    for_each_kind(|known, sample, tiny| {
        for index in 0..tiny.count {
            let instance = known.load(&known.generate(tiny.generator, index));
            for search in ["idastar(h)", "astar(h)"] {
                for solver in with_heuristics(search, sample, tiny.heuristics) {
                    let run = |threads| {
                        let found = record_of(known.spec, &*instance, &solver, &cache, |request| {
                            Request { threads, ..request }
                        });
                        let found = found.unwrap();
                        assert!(found.expanded.is_some());
                        timeless(&found)
                    };
                    assert_eq!(run(1), run(3), "{} [{}] {solver}", known.spec, instance.text());
                }
            }
        }
    });
}

/// The same seed gives the same record, and another cache (of tables built anew) does not matter.
#[test]
fn runs_repeat() {
    let caches = [cache(), cache()];
    for_each_kind(|known, sample, tiny| {
        let instance = known.load(&known.generate(tiny.generator, 0));
        for (search, _) in SEARCHES {
            for solver in with_heuristics(search, sample, tiny.heuristics) {
                let [first, second] = caches.each_ref().map(|cache| {
                    timeless(&record(known.spec, &*instance, &solver, cache).unwrap())
                });
                assert_eq!(first, second);
                let read: Record = serde_json::from_str(&first).unwrap();
                assert_eq!(timeless(&read), first, "what is written reads back");
            }
        }
    });
}

/// Records written before a field was added read as if it were null.
#[test]
fn older_records_still_read() {
    let cache = cache();
    for_each_kind(|known, _, tiny| {
        let instance = known.load(&known.generate(tiny.generator, 0));
        let now = record(known.spec, &*instance, "idastar(blind)", &cache).unwrap();
        // As text: a map of values would lose the order of the measures.
        let mut text = serde_json::to_string(&now).unwrap();
        let field = text.find("\"initial_h\":").unwrap();
        let end = field + text[field..].find(',').unwrap() + 1;
        text.replace_range(field..end, "");
        let old: Record = serde_json::from_str(&text).unwrap();
        let expected = Record { initial_h: None, ..now };
        assert_eq!(old, expected);
    });
}

/// A record of version 1 had four measures as fields of their own.
#[test]
fn a_record_of_version_1_reads() {
    let old: Record = serde_json::from_str(include_str!("../data/record-1.json")).unwrap();
    let measures = old.measures.as_ref().unwrap();
    assert_eq!(measures.to_string(), "m0=14 m1=15 m2=5 m3=2");
    assert_eq!(measures.get(old.measure.as_ref().unwrap()), Some(14));
    assert_eq!((old.length, old.cpu_s, old.peak_bytes), (Some(14), Some(0.000_113), 25_168));
    let text = serde_json::to_string(&old).unwrap();
    assert!(
        text.contains("\"measures\":{\"m0\":14,\"m1\":15,\"m2\":5,\"m3\":2}")
            && text.contains("\"schema\":2")
    );
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), old);
}

/// An unsolvable instance is proved so when it is read; no search begins, whatever the solver.
#[test]
fn unsolvable_instances_are_proved_without_a_search() {
    let cache = cache();
    for sample in goal_samples() {
        for text in sample.unsolvable {
            let known = known(sample.variants[0]);
            let instance = known.load(text);
            assert!(instance.unsolvable().is_some_and(|reason| !reason.is_empty()), "{text}");
            // Iterative deepening with no heuristic would never end here.
            let found = record(known.spec, &*instance, "idastar(blind)", &cache).unwrap();
            assert_eq!((found.status, found.expanded), (Status::Unsolvable, Some(0)));
            assert_eq!((&found.solution, found.checked), (&None, None));
            assert_eq!(found.initial_h, None);
            assert!(found.is_answered() && found.reason.is_some());
        }
    }
}

/// The proof on reading agrees with the one by trying everything, where that is possible.
#[test]
fn unsolvable_instances_are_unsolvable() {
    let (cache, bfs) = (cache(), Spec::parse("bfs").unwrap());
    for sample in goal_samples().filter(|sample| !sample.vast) {
        let known = known(sample.variants[0]);
        let mut proved = usize::from(sample.unsolvable.is_empty());
        for text in sample.unsolvable {
            let limits = Budget { expansions: Some(200_000), ..Budget::default() };
            let request = Request { budget: limits, ..request(&bfs, &cache) };
            match known.load(text).solve(&request, &mut ()).unwrap().status {
                Status::Unsolvable => proved += 1,
                status => assert_eq!(status, Status::Stopped, "{text}"),
            }
        }
        assert!(proved > 0, "{}", sample.name);
    }
}

/// At the goal the empty solution is found and is worth nothing.
#[test]
fn a_start_at_the_goal_needs_no_action() {
    let cache = cache();
    for_each_kind(|known, sample, tiny| {
        let text = known.generate(tiny.generator, 0);
        if !unriddle_check::is_known(known.spec) {
            return;
        }
        let Some(goal) = unriddle_check::goal(known.spec, &text).unwrap() else {
            return;
        };
        let instance = known.load(&goal);
        for (search, _) in SEARCHES {
            for solver in with_heuristics(search, sample, tiny.heuristics) {
                let found = record(known.spec, &*instance, &solver, &cache).unwrap();
                assert_sound(&found, &solver);
                let answer = (found.value, found.length, found.solution.as_deref());
                assert_eq!(answer, (Some(0), Some(0), Some("")), "{solver}");
                assert_eq!(found.expanded, Some(0), "{solver}");
            }
        }
    });
}

/// Every limit, so tight that no search can end before it.
fn limits() -> Vec<(Limit, Budget)> {
    let cancel = Cancel::default();
    cancel.cancel();
    vec![
        (Limit::Time, Budget { time: Some(Duration::ZERO), ..Budget::default() }),
        (Limit::Memory, Budget { memory: Some(0), ..Budget::default() }),
        (Limit::Memory, Budget { memory: Some(8), ..Budget::default() }),
        (Limit::Expansions, Budget { expansions: Some(0), ..Budget::default() }),
        (Limit::Expansions, Budget { expansions: Some(2), ..Budget::default() }),
        (Limit::Generated, Budget { generated: Some(0), ..Budget::default() }),
        (Limit::Generated, Budget { generated: Some(3), ..Budget::default() }),
        (Limit::Cancelled, Budget { cancel, ..Budget::default() }),
    ]
}

/// An instance of a kind whose shortest solution has at least eight actions.
fn far_instance(known: &Known, tiny: &Tiny, cache: &Cache) -> Option<Box<dyn Instance>> {
    (0..tiny.count).map(|index| known.load(&known.generate(tiny.generator, index))).find(
        |instance| {
            let oracle = record(known.spec, &**instance, "bfs", cache).unwrap();
            oracle.length.unwrap() >= 8
        },
    )
}

/// A run that a limit ends names the limit and claims nothing else.
#[test]
fn limits_are_named_and_prove_nothing() {
    let cache = cache();
    // Breadth-first search, the oracle, does not reach eight actions in the state space of a vast
    // puzzle.
    for sample in goal_samples().filter(|sample| !sample.vast) {
        let mut stopped = 0;
        for &variant in sample.variants {
            let known = known(variant);
            for tiny in sample.tiny {
                let Some(instance) = far_instance(&known, tiny, &cache) else {
                    continue;
                };
                for (search, _) in SEARCHES {
                    for solver in with_heuristics(search, sample, tiny.heuristics) {
                        let spec = Spec::parse(&solver).unwrap();
                        for threads in [1, 3_u64] {
                            for (limit, budget) in limits() {
                                let what = format!("{solver} {budget:?} {threads} threads");
                                let generated =
                                    budget.generated.map(|g| g + threads * sample.branching);
                                let expansions = budget.expansions;
                                let request = Request {
                                    budget,
                                    threads: threads as usize,
                                    ..request(&spec, &cache)
                                };
                                let found = solve(
                                    &unriddle::registry(),
                                    "1",
                                    variant,
                                    &*instance,
                                    &request,
                                    &mut (),
                                )
                                .unwrap();
                                assert_sound(&found, &what);
                                // Expansions are exact; the last ones of every thread may generate
                                // more.
                                assert!(found.expanded <= expansions.or(found.expanded), "{what}");
                                assert!(found.generated <= generated.or(found.generated), "{what}");
                                if threads > 1 && found.status == Status::Optimal {
                                    assert_eq!(limit, Limit::Generated, "{what}");
                                    continue;
                                }
                                assert_eq!(found.status, Status::Stopped, "{what}");
                                assert_eq!(
                                    found.stopped_by.as_deref(),
                                    Some(limit.name()),
                                    "{what}"
                                );
                                assert_eq!(found.is_answered(), found.solution.is_some());
                                stopped += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(stopped > 0, "{}", sample.name);
    }
}

/// Incompatible combinations are refused before any search, with the wrong part.
#[test]
fn incompatible_combinations_are_refused() {
    let cache = cache();
    for sample in goal_samples() {
        for (heuristic, generator, word) in sample.refused {
            let known = known(sample.variants[0]);
            let instance = known.load(&known.generate(generator, 0));
            for search in ["idastar", "astar", "beam"] {
                let solver = format!("{search}({heuristic})");
                let error =
                    record(known.spec, &*instance, &solver, &cache).unwrap_err().to_string();
                assert!(error.contains(word), "{solver}: {error}");
            }
        }
    }
}

/// A report with anything wrong in it is not accepted, and never leaves as optimal.
#[test]
fn a_corrupted_solution_is_caught() {
    let (cache, bfs) = (cache(), Spec::parse("bfs").unwrap());
    for_each_kind(|known, _, tiny| {
        let text = known.generate(tiny.generator, 1);
        let report = known.load(&text).solve(&request(&bfs, &cache), &mut ()).unwrap();
        let solution = report.solution.clone().unwrap();
        let value = report.value.unwrap();
        assert!(value > 0, "{text}: nothing to corrupt");
        let registry = unriddle::registry();
        let seal =
            |report: Report| Record::seal(&registry, "1", known.spec, &text, "bfs", 1, &report);
        let intact = seal(report.clone());
        assert_eq!((intact.status, intact.checked), (Status::Optimal, Some(true)));

        let mut wrong = Vec::new();
        let mut change = |edit: &dyn Fn(&mut Report)| {
            let mut report = report.clone();
            edit(&mut report);
            wrong.push(report);
        };
        // One action left out; one action more; the first and the last character exchanged for
        // others.
        for at in 0..solution.chars().count() {
            let without: String =
                solution.chars().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c).collect();
            // Some notations need no blank between two moves.
            if solution.chars().nth(at).is_some_and(char::is_whitespace) {
                continue;
            }
            change(&|report| report.solution = Some(without.clone()));
            for letter in ['U', 'D', 'L', 'R', 'x'] {
                let other: String = solution
                    .chars()
                    .enumerate()
                    .map(|(i, c)| if i == at { letter } else { c })
                    .collect();
                // In notations where capitals only mark the kind of a move, case is not part of the
                // solution.
                if !other.eq_ignore_ascii_case(&solution) {
                    change(&|report| report.solution = Some(other.clone()));
                }
            }
        }
        change(&|report| report.solution = Some(format!("{solution}{solution}")));
        change(&|report| report.solution = Some(String::new()));
        change(&|report| report.value = Some(value - 1));
        change(&|report| report.value = Some(value + 1));
        change(&|report| report.value = None);
        change(&|report| report.length = report.length.map(|length| length - 1));
        change(&|report| report.length = None);
        for report in wrong {
            let what = format!("{text}: {report:?}");
            let sealed = seal(report);
            assert_eq!((sealed.checked, sealed.status), (Some(false), Status::Solved), "{what}");
            assert!(!sealed.is_answered() && sealed.reason.is_some(), "{what}");
        }

        // A solution of another instance is refused, and so is a claim without a solution.
        let other = known.generate(tiny.generator, 2);
        let foreign = Record::seal(&registry, "1", known.spec, &other, "bfs", 1, &report);
        assert_eq!((foreign.checked, foreign.status), (Some(false), Status::Solved));
        let claim = Report { solution: None, ..report };
        let sealed = seal(claim);
        assert!(!sealed.is_answered() && sealed.status != Status::Optimal, "{sealed:?}");
    });
}

/// A solve in steps and with pauses ends as a single run; its incumbents can be read meanwhile.
#[test]
fn a_solve_in_steps_ends_as_in_one_run() {
    use std::sync::Arc;
    use unriddle_catalog::solving::{Event, Job, Solving, State};
    let cache = cache();
    for (name, text, solver) in [
        ("tiles", "8 6 7 2 5 4 3 0 1", "idastar(manhattan)"),
        ("tiles", "8 6 7 2 5 4 3 0 1", "bwas(manhattan, lambda=0.5)"),
        ("hanoi", "1 1 1 1 1", "beam(misplaced, width=50)"),
    ] {
        let known = known(name);
        let whole = record(name, &*known.load(text), solver, &cache).unwrap();
        let begin = || {
            let instance: Arc<dyn Instance> = known.load(text).into();
            Solving::begin(instance, Job::new(Spec::parse(solver).unwrap()))
        };
        let mut solving = begin();
        assert_eq!(solving.advance(0), State::Waiting);
        assert_eq!(solving.stats().expanded, 0);
        let (mut steps, mut events) = (0, Vec::new());
        while solving.advance(7) == State::Waiting {
            steps += 1;
            assert!(solving.stats().expanded <= 7 * steps, "{solver}");
            events.extend(solving.events());
        }
        assert!(steps > 2, "{solver}");
        events.extend(solving.events());
        let report = solving.finish().unwrap();
        assert_eq!((report.value, report.solution), (whole.value, whole.solution.clone()));
        assert_eq!(report.stats.map(|stats| stats.expanded), whole.expanded);
        let found = events.iter().any(|event| match event {
            Event::Improved { solution, .. } => Some(solution) == whole.solution.as_ref(),
            Event::Bound { .. } => false,
        });
        assert!(found, "{solver}: {events:?}");
        let mut cancelled = begin();
        assert_eq!(cancelled.advance(1), State::Waiting);
        cancelled.cancel();
        let report = cancelled.finish().unwrap();
        assert_eq!(report.stopped_by.map(|limit| limit.name()), Some("cancelled"));
    }
}
