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
    pub(super) links: Vec<(usize, usize)>,
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

    /// The nodes at the other ends of a node's links.
    pub(super) fn neighbours(&self, node: usize) -> Vec<usize> {
        let ends = self.links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        ends.filter(|&(end, _)| end == node).map(|(_, other)| other).collect()
    }

    /// The points of a node with `links` links over which `shared` traits are shared in total. The
    /// mean is `shared / links`, and 0 without links. Steps ascend; the last step that the mean
    /// reaches counts.
    pub(super) fn points(steps: &[Step], links: usize, shared: i64) -> i64 {
        let links = links.max(1) as i64;
        let reached = steps.iter().rfind(|step| 1000 * shared >= step.mean * links);
        reached.map_or(0, |step| step.points)
    }
}

/// The formation of an object, if it has one.
pub(super) fn read(object: &Value) -> Result<Option<Graph>, String> {
    if object.get("nodes").is_none() && object.get("edges").is_none() {
        return Ok(None);
    }
    let mut graph = Graph { nodes: read_texts(object, "nodes")?, links: Vec::new() };
    let nodes = graph.nodes.len();
    if !(1..=MOST).contains(&nodes) {
        return Err(format!("nodes: a formation has 1 to {MOST} nodes, this one {nodes}"));
    }
    let Some(edges) = object.get("edges") else {
        return Ok(Some(graph));
    };
    let edges = edges.as_list().ok_or("edges: expected a list of pairs of nodes")?;
    if edges.len() > MOST {
        return Err(format!("edges: more than {MOST} links"));
    }
    for (i, edge) in edges.iter().enumerate() {
        let ends = match edge.as_list() {
            Some([a, b]) => graph.find(a).zip(graph.find(b)),
            _ => None,
        };
        let wrong = || format!("edges[{i}]: {} is no pair of nodes", shown(edge));
        let (a, b) = ends.ok_or_else(wrong)?;
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
    let read = read_ascending(means).zip(read_ascending(points));
    let read = read.filter(|(means, points)| points.len() == means.len() + 1);
    let (mut means, points) = read.ok_or(
        "synergy: expected `thr`, ascending means, and `score`, ascending points, one more of them, each \
         from 0 to 1000 with at most three decimals",
    )?;
    means.insert(0, 0);
    Ok(Some(steps(means.into_iter().zip(points))))
}

/// Reads a list of thousandths that do not descend.
fn read_ascending(list: Option<&Value>) -> Option<Vec<i64>> {
    let number = |value| decimal::read(value).map(|decimal| decimal.thousandths);
    let thousandths: Vec<i64> = list?.as_list()?.iter().map(number).collect::<Option<_>>()?;
    let in_range = thousandths.iter().all(|number| (0..=MOST_THOUSANDTHS).contains(number));
    (in_range && thousandths.is_sorted()).then_some(thousandths)
}

fn steps(steps: impl IntoIterator<Item = (i64, i64)>) -> Vec<Step> {
    steps.into_iter().map(|(mean, points)| Step { mean, points }).collect()
}

/// The default steps: 3 points, 6 from a mean of 0.3 on, 9 from 1 on, 10 from 1.6 on.
pub(super) fn usual_steps() -> Vec<Step> {
    steps([(0, 3000), (300, 6000), (1000, 9000), (1600, 10_000)])
}
