//! Layout of the nodes of a formation.

use crate::Formation;

/// Links must get shorter by at least this for a step to count, so that rounding never causes a
/// cycle.
const LEAST: f64 = 1e-9;

/// Most passes over all rows.
const PASSES: usize = 100;

/// A position for every node, to the right and down, in units of a node with the space around it.
/// Positions are the middles of such units, from (0.5, 0.5) on. The row of a node is its distance
/// from the first node of its component; the components are placed one below the other. The nodes
/// of a row are spread evenly over the width of the widest row, in an order that keeps links short.
/// The same formation always gets the same positions.
///
/// So a link never goes farther than from one row to the next.
#[must_use]
pub fn graph(formation: &Formation) -> Vec<(f64, f64)> {
    let mut layout = Layout::new(formation, rows(formation));
    for _ in 0..PASSES {
        if !(0..layout.rows.len()).fold(false, |better, row| layout.improve(row) | better) {
            break;
        }
    }
    let mut found = vec![(0.5, 0.5); formation.nodes()];
    for (row, nodes) in layout.rows.iter().enumerate() {
        for &node in nodes {
            found[node] = (layout.x[node], row as f64 + 0.5);
        }
    }
    found
}

/// The rows of nodes, by breadth-first search.
fn rows(formation: &Formation) -> Vec<Vec<usize>> {
    let mut seen = vec![false; formation.nodes()];
    let mut rows = Vec::new();
    for first in 0..formation.nodes() {
        let mut row = vec![first];
        row.retain(|&node| !seen[node]);
        while !row.is_empty() {
            row.iter().for_each(|&node| seen[node] = true);
            let neighbours = row.iter().flat_map(|&node| formation.at(node));
            let mut next: Vec<usize> = neighbours.map(|&(to, _)| usize::from(to)).collect();
            next.retain(|&to| !std::mem::replace(&mut seen[to], true));
            rows.push(std::mem::replace(&mut row, next));
        }
    }
    rows
}

/// An order of the rows, and the position of each node in it.
struct Layout<'a> {
    formation: &'a Formation,
    rows: Vec<Vec<usize>>,
    x: Vec<f64>,
}

impl<'a> Layout<'a> {
    fn new(formation: &'a Formation, rows: Vec<Vec<usize>>) -> Self {
        let width = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let mut x = vec![0.5; formation.nodes()];
        for row in &rows {
            let space = width / row.len() as f64;
            for (i, &node) in row.iter().enumerate() {
                x[node] = (i as f64 + 0.5) * space;
            }
        }
        Self { formation, rows, x }
    }

    /// Sum of the squared horizontal lengths of the links of two nodes of a row. Because of the
    /// squares, one long link counts for more than some short ones.
    fn length(&self, a: usize, b: usize) -> f64 {
        let of = |node: usize| -> f64 {
            let at = self.formation.at(node).iter();
            at.map(|&(to, _)| (self.x[node] - self.x[usize::from(to)]).powi(2)).sum()
        };
        of(a) + of(b)
    }

    /// Exchanges nodes of a row wherever that makes links shorter. Returns whether it did.
    fn improve(&mut self, row: usize) -> bool {
        let mut better = false;
        for i in 0..self.rows[row].len() {
            for j in 0..i {
                let (a, b) = (self.rows[row][i], self.rows[row][j]);
                let before = self.length(a, b);
                self.x.swap(a, b);
                if self.length(a, b) < before - LEAST {
                    self.rows[row].swap(i, j);
                    better = true;
                } else {
                    self.x.swap(a, b);
                }
            }
        }
        better
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formation::MOST,
        generate::{World, world},
    };
    use unriddle_core::Rng;

    fn formation(nodes: usize, links: &[(usize, usize)]) -> Formation {
        let names = (0..nodes).map(|n| n.to_string()).collect();
        Formation::new(names, links).unwrap()
    }

    /// Names of the nodes, row by row from left to right.
    fn names(formation: &Formation) -> Vec<Vec<&str>> {
        let at = graph(formation);
        let mut nodes: Vec<usize> = (0..at.len()).collect();
        nodes.sort_by(|&a, &b| (at[a].1, at[a].0).partial_cmp(&(at[b].1, at[b].0)).unwrap());
        let rows = nodes.chunk_by(|&a, &b| at[a].1 == at[b].1);
        let name = |&node: &usize| formation.names()[node].as_str();
        rows.map(|row| row.iter().map(name).collect()).collect()
    }

    #[test]
    fn wings_are_outside_and_nodes_spread_evenly() {
        let pool = world(&World::default(), &mut Rng::new(1));
        let formation = pool.formation.unwrap();
        let rows: [&[&str]; 4] =
            [&["GK"], &["RCB", "LCB"], &["RB", "RCM", "LCM", "LB"], &["RM", "RS", "LS", "LM"]];
        assert_eq!(names(&formation), rows);
        let at = graph(&formation);
        assert_eq!([at[0], at[2], at[3]], [(2.0, 0.5), (1.0, 1.5), (3.0, 1.5)]);
    }

    #[test]
    fn components_are_below_each_other() {
        assert_eq!(names(&formation(5, &[(1, 3), (0, 2)])), [["0"], ["2"], ["1"], ["3"], ["4"]]);
        assert_eq!(graph(&formation(1, &[])), [(0.5, 0.5)]);
    }

    #[test]
    fn nodes_do_not_overlap_and_links_span_at_most_a_row() {
        let mut rng = Rng::new(7);
        for _ in 0..200 {
            let nodes = 1 + rng.below(24) as usize;
            let mut links: Vec<(usize, usize)> = (0..nodes)
                .flat_map(|a| (0..a).map(move |b| (a, b)))
                .filter(|_| rng.below(5) == 0)
                .collect();
            links.truncate(MOST);
            let formation = formation(nodes, &links);
            let at = graph(&formation);
            assert_eq!(at, graph(&formation));
            for a in 0..nodes {
                for b in 0..a {
                    let (dx, dy) = ((at[a].0 - at[b].0).abs(), (at[a].1 - at[b].1).abs());
                    assert!(dx > 0.999 || dy > 0.999, "{a} and {b}: {at:?}");
                }
            }
            for (a, b) in links {
                assert!((at[a].1 - at[b].1).abs() < 1.001, "{a} to {b}: {at:?}");
            }
        }
        let star: Vec<(usize, usize)> = (1..MOST).map(|leaf| (0, leaf)).collect();
        assert_eq!(graph(&formation(MOST, &star))[0], ((MOST - 1) as f64 / 2.0, 0.5));
    }
}
