//! The suite of a heuristic finds every claim that is not kept, and names the edge.

use std::sync::atomic::{AtomicU32, Ordering};
use unriddle_conformance::{
    Subject, Violation, batch_heuristic,
    graph::{Estimates, Graph},
    heuristic,
};
use unriddle_core::{BatchHeuristic, Cost, Estimate, Guarantee, Heuristic, Rng, Row, Scalar};

/// A path 0 → 1 → 2 → 3 of unit costs, and a node 4 that leads only to itself. The goal is node 5.
fn path() -> Graph {
    Graph::new(vec![
        vec![(1, 1)],
        vec![(2, 1), (4, 1)],
        vec![(3, 1)],
        vec![(5, 1)],
        vec![(4, 1)],
        vec![],
    ])
}

const EXACT: [Option<Cost>; 6] = [Some(4), Some(3), Some(2), Some(1), None, Some(0)];

fn claim(
    guarantee: Guarantee,
    of: fn(&Graph, &u16) -> Option<Cost>,
) -> Result<unriddle_conformance::Tested, Violation> {
    let graph = path();
    heuristic(&Subject::new(&graph).named("path"), &Estimate::new(guarantee, of))
}

#[test]
fn kept_claims_pass() {
    let exact = claim(Guarantee::Consistent, |_, node| EXACT[usize::from(*node)]).unwrap();
    assert!(exact.edges > 0 && exact.distances > 0 && exact.informed > 0 && exact.dead_ends > 0);
    let blind = claim(Guarantee::Consistent, |_, _| Some(0)).unwrap();
    assert_eq!((blind.informed, blind.dead_ends), (0, 0));
    // Without a claim anything goes.
    claim(Guarantee::None, |_, node| Some(100 + Cost::from(*node))).unwrap();
}

#[test]
fn an_inconsistent_estimate_is_named_with_its_edge() {
    // From 1 to 2 it falls by 3 at a cost of 1, and is never above the true cost.
    let of = |_: &Graph, node: &u16| {
        [Some(3), Some(3), Some(0), Some(0), None, Some(0)][usize::from(*node)]
    };
    let found = claim(Guarantee::Consistent, of).unwrap_err();
    assert_eq!(
        found.to_string(),
        "the estimate is not consistent on an edge\n  instance: path\n  state: 1\n  action: 0\n  \
         child: 2\n  estimate before: 3\n  cost: 1\n  estimate after: 0"
    );
    // Who claims no more than it keeps passes.
    claim(Guarantee::Admissible, of).unwrap();
}

#[test]
fn an_estimate_that_is_too_high_is_named_with_the_cost() {
    let of = |_: &Graph, node: &u16| Some(5 - Cost::from(*node));
    let found = claim(Guarantee::Admissible, of).unwrap_err();
    assert_eq!(found.what(), "the estimate is not admissible");
    let cost = found.fact("cost of a path to a goal");
    assert_eq!((found.fact("estimate"), cost), (Some("5"), Some("4")));
}

#[test]
fn a_false_dead_end_is_found_whatever_is_claimed() {
    for guarantee in [Guarantee::None, Guarantee::Admissible, Guarantee::Consistent] {
        let of = |_: &Graph, node: &u16| (*node != 2).then_some(0);
        let found = claim(guarantee, of).unwrap_err();
        let what = "a goal can be reached from a dead end";
        assert_eq!((found.what(), found.fact("state")), (what, Some("2")));
    }
}

#[test]
fn a_claim_that_cannot_be_tested_is_no_pass() {
    let graph = path();
    let subject = Subject::new(&graph).near(2);
    let found = heuristic(&subject, &Estimates::exact(&graph)).unwrap_err();
    assert!(found.what().contains("no goal is within reach"), "{found}");
}

/// A heuristic whose estimates from the memo differ from the estimates from scratch.
struct Drifting;

impl Heuristic<Graph> for Drifting {
    type Memo = Cost;
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, _: &Graph, _: &u16) -> Option<(Cost, Cost)> {
        Some((7, 7))
    }
    fn child(&self, _: &Graph, _: &u16, memo: &Cost, _: u8, _: &u16) -> Option<(Cost, Cost)> {
        Some((memo + 1, memo + 1))
    }
}

/// Another answer each time.
struct Moody(AtomicU32);

impl Heuristic<Graph> for Moody {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, _: &Graph, _: &u16) -> Option<(Cost, ())> {
        Some((self.0.fetch_add(1, Ordering::Relaxed), ()))
    }
    fn child(&self, puzzle: &Graph, _: &u16, (): &(), _: u8, child: &u16) -> Option<(Cost, ())> {
        // The same number as the call that follows.
        let next = self.root(puzzle, child)?;
        self.0.fetch_sub(1, Ordering::Relaxed);
        Some(next)
    }
}

/// A heuristic whose estimates depend on the number of rows.
struct Crowded;

impl BatchHeuristic<Graph> for Crowded {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Graph>], out: &mut [f32]) {
        out.fill(rows.len() as f32);
    }
}

/// The same number for every state.
struct Constant(f32);

impl BatchHeuristic<Graph> for Constant {
    fn guarantee(&self) -> Guarantee {
        Guarantee::Admissible
    }
    fn evaluate(&self, _: &[Row<'_, Graph>], out: &mut [f32]) {
        out.fill(self.0);
    }
}

#[test]
fn an_estimate_is_a_function_of_the_state() {
    let graph = path();
    let subject = Subject::new(&graph);
    let what = |found: Violation| found.what().to_owned();
    let found = what(heuristic(&subject, &Drifting).unwrap_err());
    assert!(found.contains("the estimate from the parent's memo differs"), "{found}");
    let found = what(heuristic(&subject, &Moody(AtomicU32::new(0))).unwrap_err());
    assert!(found.contains("when it is asked again"), "{found}");
    let found = what(batch_heuristic(&subject, &Crowded).unwrap_err());
    assert!(found.contains("other states of the batch"), "{found}");
    for odd in [-1.0, f32::NAN] {
        let found = what(batch_heuristic(&subject, &Constant(odd)).unwrap_err());
        assert!(found.contains("negative or `NaN`"), "{found}");
    }
    let found = what(batch_heuristic(&subject, &Constant(0.5)).unwrap_err());
    assert!(found.contains("not admissible"), "{found}");
    batch_heuristic(&subject, &Scalar(Estimates::exact(&graph))).unwrap();
}

/// A random estimate with a false claim is rejected on nearly every graph. The test uses many
/// graphs, of which one suffices.
#[test]
fn estimates_of_random_graphs() {
    let mut rng = Rng::new(5);
    let mut inconsistent = 0;
    for _ in 0..50 {
        let graph = Graph::random(30, 4, 9, &mut rng);
        let subject = Subject::new(&graph);
        heuristic(&subject, &Estimates::zero(&graph)).unwrap();
        heuristic(&subject, &Estimates::exact(&graph)).unwrap();
        let admissible = Estimates::admissible(&graph, &mut rng);
        heuristic(&subject, &admissible).unwrap();
        /// Claims more than it has.
        struct Proud(Estimates);
        impl Heuristic<Graph> for Proud {
            type Memo = ();
            fn guarantee(&self) -> Guarantee {
                Guarantee::Consistent
            }
            fn root(&self, graph: &Graph, node: &u16) -> Option<(Cost, ())> {
                self.0.root(graph, node)
            }
        }
        inconsistent += u32::from(heuristic(&subject, &Proud(admissible)).is_err());
    }
    assert!(inconsistent > 20, "{inconsistent}");
}
