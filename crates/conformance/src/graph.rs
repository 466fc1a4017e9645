//! Toy puzzle for testing a [`search`](fn@crate::search): a directed graph of given edges with any
//! costs, and estimates of any quality.

use unriddle_core::{Cost, GoalPuzzle, Guarantee, Heuristic, Puzzle, Rng};

/// A directed graph whose edges have costs, which may be 0. The first node is the initial state,
/// the last node is the goal. A graph with a single node is solved at the start.
///
/// ```
/// use unriddle_conformance::graph::Graph;
///
/// let graph = Graph::new(vec![vec![(1, 4), (2, 9)], vec![(2, 3)], vec![]]);
/// assert_eq!(graph.exact(0), Some(7));
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    edges: Vec<Vec<(u16, Cost)>>,
    exact: Vec<Option<Cost>>,
}

impl Graph {
    /// Most edges that leave a node.
    pub const MOST: usize = 31;

    /// The graph with these edges: for each node, the successors with the costs of the edges.
    ///
    /// # Panics
    /// If there is no node, if a node has more edges than [`MOST`](Self::MOST), or if an edge leads
    /// to a node that does not exist.
    #[must_use]
    pub fn new(edges: Vec<Vec<(u16, Cost)>>) -> Self {
        let nodes = edges.len();
        assert!((1..=1 << 16).contains(&nodes), "1 to 65536 nodes");
        for list in &edges {
            let leads = list.iter().all(|&(to, _)| usize::from(to) < nodes);
            assert!(leads && list.len() <= Self::MOST, "an edge leads nowhere");
        }
        let exact = exact(&edges);
        Self { edges, exact }
    }

    /// A random graph: up to `degree` edges leave a node, each at a cost below `costs`.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn random(nodes: usize, degree: u64, costs: u64, rng: &mut Rng) -> Self {
        let edge = |rng: &mut Rng| {
            let to = rng.below(nodes as u64) as u16;
            (to, rng.below(costs) as Cost)
        };
        let list = |rng: &mut Rng| (0..rng.below(degree + 1)).map(|_| edge(rng)).collect();
        Self::new((0..nodes).map(|_| list(rng)).collect())
    }

    /// A random grid with edges from each cell to its neighbours and back, whose cost depends on
    /// the cell. A third of the cells are walls.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn grid(side: usize, costs: u64, rng: &mut Rng) -> Self {
        let last = side * side - 1;
        let cell = |cell: usize| match rng.below(3) {
            0 if cell != 0 && cell != last => None,
            _ => Some(1 + rng.below(costs) as Cost),
        };
        let cells: Vec<Option<Cost>> = (0..=last).map(cell).collect();
        let around = |at: usize| {
            let (row, column) = (at / side, at % side);
            let near = [
                (row > 0).then(|| at - side),
                (row + 1 < side).then(|| at + side),
                (column > 0).then(|| at - 1),
                (column + 1 < side).then(|| at + 1),
            ];
            let to = |to: usize| cells[to].map(|cost| (to as u16, cost));
            near.into_iter().flatten().filter_map(to).collect()
        };
        Self::new((0..=last).map(around).collect())
    }

    /// The least cost from a node to the goal; `None` if there is no path whose cost is a [`Cost`].
    #[must_use]
    pub fn exact(&self, node: u16) -> Option<Cost> {
        self.exact.get(usize::from(node)).copied().flatten()
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.edges.len()
    }

    /// Replaces the edges of a node.
    ///
    /// # Panics
    /// As [`new`](Self::new), and where there is no such node.
    #[must_use]
    pub fn with_edges(self, node: u16, list: Vec<(u16, Cost)>) -> Self {
        let mut edges = self.edges;
        edges[usize::from(node)] = list;
        Self::new(edges)
    }

    /// The edges of a node.
    #[must_use]
    pub fn edges(&self, node: u16) -> &[(u16, Cost)] {
        &self.edges[usize::from(node)]
    }
}

/// The costs to the last node, by Bellman's and Ford's algorithm.
fn exact(edges: &[Vec<(u16, Cost)>]) -> Vec<Option<Cost>> {
    let mut exact = vec![None; edges.len()];
    exact[edges.len() - 1] = Some(0);
    loop {
        let mut changed = false;
        for (from, list) in edges.iter().enumerate() {
            let through = |&(to, cost): &(u16, Cost)| {
                exact[usize::from(to)].and_then(|c: Cost| c.checked_add(cost))
            };
            let best = list.iter().filter_map(through).min();
            if best.is_some() && (exact[from].is_none() || best < exact[from]) {
                exact[from] = best;
                changed = true;
            }
        }
        if !changed {
            return exact;
        }
    }
}

/// The numbers of a node's edges.
#[derive(Clone, Copy, Debug)]
pub struct Edges(u32);

impl Iterator for Edges {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let number = self.0.trailing_zeros();
        self.0 &= self.0.checked_sub(1)?;
        Some(number as u8)
    }
}

impl Puzzle for Graph {
    type State = u16;
    /// The number of an edge of the node.
    type Action = u8;
    type Actions = Edges;

    fn initial_state(&self) -> u16 {
        0
    }
    fn actions(&self, node: &u16) -> Edges {
        Edges((1 << self.edges(*node).len()) - 1)
    }
    fn apply(&self, node: &u16, action: u8) -> u16 {
        self.edges(*node)[usize::from(action)].0
    }
}

impl GoalPuzzle for Graph {
    fn is_goal(&self, node: &u16) -> bool {
        usize::from(*node) + 1 == self.edges.len()
    }
    fn action_cost(&self, node: &u16, action: u8) -> Cost {
        self.edges(*node)[usize::from(action)].1
    }
}

/// An estimate for each node of a graph.
///
/// ```
/// use unriddle_conformance::{Subject, graph::{Estimates, Graph}, heuristic};
/// use unriddle_core::{Guarantee, Rng};
///
/// let rng = &mut Rng::new(3);
/// let graph = Graph::random(40, 4, 9, rng);
/// heuristic(&Subject::new(&graph), &Estimates::exact(&graph))?;
/// heuristic(&Subject::new(&graph), &Estimates::admissible(&graph, rng))?;
/// # Ok::<(), unriddle_conformance::Violation>(())
/// ```
#[derive(Clone, Debug)]
pub struct Estimates {
    guarantee: Guarantee,
    of: Vec<Option<Cost>>,
}

impl Estimates {
    /// 0 everywhere: consistent.
    #[must_use]
    pub fn zero(graph: &Graph) -> Self {
        Self { guarantee: Guarantee::Consistent, of: vec![Some(0); graph.nodes()] }
    }

    /// The true costs: consistent, and knows all dead ends.
    #[must_use]
    pub fn exact(graph: &Graph) -> Self {
        Self { guarantee: Guarantee::Consistent, of: graph.exact.clone() }
    }

    /// Random estimates up to the true cost: admissible, and rarely consistent. Half of the dead
    /// ends are recognised.
    pub fn admissible(graph: &Graph, rng: &mut Rng) -> Self {
        let mut of = |exact: &Option<Cost>| match exact {
            Some(cost) if rng.below(2) == 0 => Some(*cost),
            Some(cost) => Some(rng.below(u64::from(*cost) + 1) as Cost),
            None if rng.below(2) == 0 => None,
            None => Some(rng.below(20) as Cost),
        };
        Self { guarantee: Guarantee::Admissible, of: graph.exact.iter().map(&mut of).collect() }
    }

    /// Anything at all, without a guarantee.
    pub fn free(graph: &Graph, rng: &mut Rng) -> Self {
        let most = graph.exact.iter().flatten().max().copied().unwrap_or(0);
        let mut of = |_| Some(rng.below(2 * u64::from(most) + 2) as Cost);
        Self { guarantee: Guarantee::None, of: (0..graph.nodes()).map(&mut of).collect() }
    }
}

impl Heuristic<Graph> for Estimates {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }
    fn root(&self, _: &Graph, node: &u16) -> Option<(Cost, ())> {
        self.of[usize::from(*node)].map(|h| (h, ()))
    }
}
