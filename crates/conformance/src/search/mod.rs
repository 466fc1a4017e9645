//! Searches: right answers, cut anywhere, within their limits.

mod answer;
mod cut;
mod room;

pub use answer::answers;
pub use cut::cuts;
pub use room::memory;

use crate::{
    Subject, Violation,
    graph::{Estimates, Graph},
};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, Guarantee, Observer, Quota, Rng, Scalar, Search, Solution, Stats,
};

/// A search of any kind.
pub type Boxed<'a, A> = Box<dyn Search<Action = A> + 'a>;

/// Promises of a search beyond the promises of all searches. The default is an optimal and complete
/// search.
#[derive(Clone, Copy, Debug)]
pub struct Promises {
    /// With admissible estimates its answer is the optimum, and proved.
    pub optimal: bool,
    /// It is optimal whatever the estimates are.
    pub proves_alone: bool,
    /// It finds a solution wherever there is one.
    pub complete: bool,
    /// The search ends with [`Unsolvable`](unriddle_core::Outcome::Unsolvable) if there is no
    /// solution, also in spaces with cycles.
    pub proves_unsolvable: bool,
    /// The number of expanded states depends on the memory limit.
    pub adapts_to_memory: bool,
    /// Expansions after which a test gives it up.
    pub expansions: u64,
    /// Bytes that it may hold before the first growth.
    pub empty_bytes: u64,
}

impl Default for Promises {
    fn default() -> Self {
        Self {
            optimal: true,
            proves_alone: false,
            complete: true,
            proves_unsolvable: true,
            adapts_to_memory: false,
            expansions: 200_000,
            empty_bytes: 300,
        }
    }
}

/// Checks a general search on random [graphs](Graph) with good and bad [estimates](Estimates):
/// answers, proofs, bounds and events are right ([`search_on`]), its work can be interrupted
/// anywhere ([`cuts`]), and it keeps to its memory limit ([`memory`]).
///
/// ```
/// use unriddle_conformance::{Promises, search};
/// use unriddle_search::astar::{AStar, AStarConfig};
///
/// search(Promises::default(), |graph, estimates| {
///     Box::new(AStar::new(graph, estimates, AStarConfig::default()).unwrap())
/// })?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The first promise that is broken, with the graph.
pub fn search(
    promises: Promises,
    make: impl for<'a> Fn(&'a Graph, &'a Scalar<Estimates>) -> Boxed<'a, u8>,
) -> Result<(), Violation> {
    let mut rng = Rng::new(1);
    for (name, graph) in graphs(&mut rng) {
        let estimates = [
            ("estimates of 0", Estimates::zero(&graph)),
            ("exact estimates", Estimates::exact(&graph)),
            ("admissible estimates", Estimates::admissible(&graph, &mut rng)),
            ("estimates without a guarantee", Estimates::free(&graph, &mut rng)),
        ];
        for (what, estimates) in estimates {
            let scalar = Scalar(estimates);
            let subject = Subject::new(&graph).named(format!("{name}, {what}"));
            let guarantee = BatchHeuristic::<Graph>::guarantee(&scalar);
            let optimum = graph.exact(0).map(i64::from);
            search_on(&subject, promises, guarantee, optimum, || make(&graph, &scalar))
                .map_err(|found| found.with("edges", edges(&graph)))?;
        }
    }
    Ok(())
}

/// The edges of a graph as text, if they are few.
fn edges(graph: &Graph) -> String {
    if graph.nodes() > 12 {
        return format!("edges of {} nodes", graph.nodes());
    }
    let node = |from| {
        let edge = |(to, cost): &(u16, u32)| format!("{from}→{to} costs {cost}");
        let list: Vec<_> = graph.edges(from).iter().map(edge).collect();
        list.join(", ")
    };
    let nodes = (0..graph.nodes() as u16).map(node);
    let nodes: Vec<String> = nodes.filter(|list| !list.is_empty()).collect();
    nodes.join("; ")
}

/// Small graphs come first, since a failure on a small graph is easy to follow.
fn graphs(rng: &mut Rng) -> Vec<(String, Graph)> {
    let fixed = [
        ("a start that is the goal", vec![vec![]]),
        ("a start without edges", vec![vec![], vec![]]),
        ("a circle without a goal", vec![vec![(1, 1)], vec![(0, 1)], vec![]]),
        ("a path that costs nothing", vec![vec![(1, 0)], vec![(2, 0)], vec![]]),
        ("a detour that is cheaper", vec![vec![(2, 9), (1, 1)], vec![(2, 1)], vec![]]),
    ];
    let mut graphs = Vec::from(fixed.map(|(name, edges)| (name.to_owned(), Graph::new(edges))));
    for round in 0..60usize {
        let (nodes, costs) = (4 + round, [1, 2, 10, 1 << 20][round % 4]);
        let name = format!("random graph {round} of {nodes} nodes");
        graphs.push((name, Graph::random(nodes, 4, costs, rng)));
    }
    for round in 0..20usize {
        let side = 3 + round / 3;
        let name = format!("random grid {round} of side {side}");
        graphs.push((name, Graph::grid(side, 1 + round as u64 % 5, rng)));
    }
    graphs
}

/// Checks a search on an instance with a known optimum (`None` = no solution) and estimates of the
/// given guarantee: all of [`answers`], [`cuts`] and [`memory`].
///
/// ```
/// use unriddle_conformance::{Promises, Subject, graph::{Estimates, Graph}, search_on};
/// use unriddle_core::Guarantee;
/// use unriddle_search::idastar::IdaStar;
///
/// let graph = Graph::new(vec![vec![(1, 4), (2, 9)], vec![(2, 3)], vec![]]);
/// let estimates = Estimates::exact(&graph);
/// let subject = Subject::new(&graph).named("three nodes");
/// search_on(&subject, Promises::default(), Guarantee::Consistent, Some(7), || {
///     Box::new(IdaStar::new(&graph, &estimates).unwrap())
/// })?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
///
/// # Errors
/// The first broken promise.
pub fn search_on<'s, P: GoalPuzzle>(
    subject: &Subject<'_, P>,
    promises: Promises,
    guarantee: Guarantee,
    optimum: Option<i64>,
    make: impl Fn() -> Boxed<'s, P::Action>,
) -> Result<(), Violation> {
    if optimum.is_none() && !promises.proves_unsolvable {
        // The search may run forever.
        return Ok(());
    }
    answers(subject, promises, guarantee, optimum, &make)?;
    let instance = |found: Violation| match found.fact("instance") {
        Some(_) => found,
        None => found.with("instance", subject.name()),
    };
    cuts(promises, &make).map_err(instance)?;
    memory(promises, &make).map_err(instance)?;
    Ok(())
}

/// A quota of expanded states.
fn most(expanded: u64) -> Quota {
    Quota { expanded, ..Quota::UNLIMITED }
}

/// All events that an observer receives.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Events<A> {
    /// Solutions that were better than all before, with the counters at that time.
    pub improved: Vec<(Solution<A>, Stats)>,
    /// Bounds that were better than all before, with the counters at that time.
    pub bounds: Vec<(i64, Stats)>,
}

impl<A> Events<A> {
    /// No events.
    #[must_use]
    pub fn new() -> Self {
        Self { improved: Vec::new(), bounds: Vec::new() }
    }
}

impl<A: Clone> Observer<A> for Events<A> {
    fn improved(&mut self, best: &Solution<A>, stats: &Stats) {
        self.improved.push((best.clone(), *stats));
    }
    fn bound(&mut self, bound: i64, stats: &Stats) {
        self.bounds.push((bound, *stats));
    }
}
