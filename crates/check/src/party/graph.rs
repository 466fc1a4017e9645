//! The nodes that a team fills, the links between them, and synergy along the links.

use super::{decimal, pool::read_texts, text::shown};
use crate::json::Value;

/// Greatest number of nodes, and of links.
pub(super) const MOST: usize = 128;

/// Greatest mean of a step, and greatest points, in thousandths.
const MOST_THOUSANDTHS: i64 = 1_000_000;

/// A hundred points in thousandths: a synergy of 1.
pub(super) const FULL: i64 = 100_000;

pub(super) struct Graph {
    /// Names of the nodes.
    pub(super) nodes: Vec<String>,
    links: Vec<(usize, usize)>,
}

/// A node is worth `points` from this `mean` number of shared traits on. Both are in thousandths.
pub(super) struct Step {
    mean: i64,
    points: i64,
}

impl Graph {
    /// The node of a name or a number counted from 0.
    pub(super) fn find(&self, value: &Value) -> Option<usize> {
        match value {
            Value::Text(name) => self.nodes.iter().position(|known| known == name),
            _ => value.as_index().filter(|&node| node < self.nodes.len()),
        }
    }

    pub(super) fn links(&self) -> &[(usize, usize)] {
        &self.links
    }

    /// Replaces the links.
    pub(super) fn set_links(&mut self, links: Vec<(usize, usize)>) {
        self.links = links;
    }

    /// The nodes at the other ends of a node's links.
    pub(super) fn neighbours(&self, node: usize) -> Vec<usize> {
        let mut neighbours = Vec::new();
        for &(a, b) in &self.links {
            if a == node {
                neighbours.push(b);
            }
            if b == node {
                neighbours.push(a);
            }
        }
        neighbours
    }

    /// The points of a node with `links` links over which `shared` traits are shared in total. The
    /// mean is `shared / links`, and 0 without links. Steps ascend; the last step that the mean
    /// reaches counts.
    pub(super) fn points(steps: &[Step], links: usize, shared: i64) -> i64 {
        let links = links.max(1) as i64;
        let mut reached = 0;
        for step in steps {
            if 1000 * shared >= step.mean * links {
                reached = step.points;
            }
        }
        reached
    }
}

/// The formation of an object, if it has one.
pub(super) fn read(object: &Value) -> Result<Option<Graph>, String> {
    if object.get("nodes").is_none() && object.get("edges").is_none() {
        return Ok(None);
    }
    let mut graph = Graph { nodes: read_texts(object, "nodes")?, links: Vec::new() };
    if graph.nodes.is_empty() || graph.nodes.len() > MOST {
        return Err(format!(
            "nodes: a formation has 1 to {MOST} nodes, this one {}",
            graph.nodes.len()
        ));
    }
    let edges = match object.get("edges") {
        None => return Ok(Some(graph)),
        Some(Value::List(edges)) => edges,
        Some(_) => return Err("edges: expected a list of pairs of nodes".to_owned()),
    };
    if edges.len() > MOST {
        return Err(format!("edges: more than {MOST} links"));
    }
    for (i, edge) in edges.iter().enumerate() {
        let ends = match edge {
            Value::List(ends) if ends.len() == 2 => (graph.find(&ends[0]), graph.find(&ends[1])),
            _ => (None, None),
        };
        let (Some(a), Some(b)) = ends else {
            return Err(format!("edges[{i}]: {} is no pair of nodes", shown(edge)));
        };
        if a == b {
            return Err(format!("edges[{i}]: node {a} is linked to itself"));
        }
        if graph.neighbours(a).contains(&b) {
            return Err(format!("edges[{i}]: nodes {a} and {b} are linked twice"));
        }
        graph.links.push((a, b));
    }
    Ok(Some(graph))
}

/// The steps of an object's `synergy`, if it has any. `thr` lists the means at which all steps but
/// the first begin (the first begins at 0), and `score` lists the points of all steps.
pub(super) fn read_steps(object: &Value) -> Result<Option<Vec<Step>>, String> {
    let Some(synergy) = object.get("synergy") else {
        return Ok(None);
    };
    let (means, points) = (synergy.get("thr"), synergy.get("score"));
    if means.is_none() && points.is_none() {
        return Ok(None);
    }
    match read_ascending(means).zip(read_ascending(points)) {
        Some((mut means, points)) if points.len() == means.len() + 1 => {
            means.insert(0, 0);
            let steps = means.into_iter().zip(points);
            Ok(Some(
                steps.map(|(mean, points)| Step { mean, points }).collect(),
            ))
        }
        _ => Err(
            "synergy: expected `thr`, ascending means, and `score`, ascending points, one more of them, each \
             from 0 to 1000 with at most three decimals"
                .to_owned(),
        ),
    }
}

/// Reads a list of thousandths that do not descend.
fn read_ascending(list: Option<&Value>) -> Option<Vec<i64>> {
    let Some(Value::List(list)) = list else {
        return None;
    };
    let mut thousandths = Vec::new();
    for value in list {
        let number = decimal::read(value)?.thousandths;
        let least = thousandths.last().copied().unwrap_or(0);
        if number < least || number > MOST_THOUSANDTHS {
            return None;
        }
        thousandths.push(number);
    }
    Some(thousandths)
}

/// The default steps: 3 points, 6 from a mean of 0.3 on, 9 from 1 on, 10 from 1.6 on.
pub(super) fn usual_steps() -> Vec<Step> {
    let steps = [(0, 3000), (300, 6000), (1000, 9000), (1600, 10_000)];
    let steps = steps.into_iter();
    steps.map(|(mean, points)| Step { mean, points }).collect()
}
