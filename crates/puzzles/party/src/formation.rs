//! The graph whose nodes a party fills.

use std::collections::HashSet;

/// Nodes with their names, and links between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation {
    names: Vec<String>,
    links: Vec<(u8, u8)>,
    /// Each node's links, as the neighbour and the link's number.
    at: Vec<Vec<(u8, u8)>>,
}

/// Most nodes, and most links.
pub const MOST: usize = 128;

impl Formation {
    /// A graph of at most [`MOST`] nodes and links.
    ///
    /// # Errors
    /// All mistakes of the graph: no node, more than [`MOST`] nodes or links, a name that occurs
    /// twice, a link to a missing node or from a node to itself, a link that occurs twice.
    pub fn new(names: Vec<String>, links: &[(usize, usize)]) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let mut tell = |text: String| problems.push(text);
        let (nodes, many) = (names.len(), links.len());
        if nodes == 0 || nodes > MOST || many > MOST {
            tell(format!(
                "a formation has 1 to {MOST} nodes and at most {MOST} links, this one {nodes} and {many}"
            ));
        }
        let mut seen = HashSet::new();
        for name in names.iter().filter(|name| !seen.insert(*name)) {
            tell(format!("node `{name}` occurs twice"));
        }
        let mut seen = HashSet::new();
        for (i, &(a, b)) in links.iter().enumerate() {
            if let Some(node) = [a, b].into_iter().find(|&node| node >= nodes) {
                let last = nodes.saturating_sub(1);
                tell(format!("link {i}: there is no node {node}, only 0 to {last}"));
            } else if a == b {
                tell(format!("link {i}: node {a} is linked to itself"));
            } else if !seen.insert((a.min(b), a.max(b))) {
                tell(format!("link {i}: {a} and {b} are linked twice"));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let links: Vec<(u8, u8)> = links.iter().map(|&(a, b)| (a as u8, b as u8)).collect();
        let mut at = vec![Vec::new(); nodes];
        for (i, &(a, b)) in links.iter().enumerate() {
            at[usize::from(a)].push((b, i as u8));
            at[usize::from(b)].push((a, i as u8));
        }
        Ok(Self { names, links, at })
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.names.len()
    }

    /// Names of the nodes.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The links.
    #[must_use]
    pub fn links(&self) -> &[(u8, u8)] {
        &self.links
    }

    /// A node's neighbours, each with the number of the link.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, node: usize) -> &[(u8, u8)] {
        &self.at[node]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_symmetric_and_all_errors_are_reported() {
        let names = |n: usize| (0..n).map(|i| format!("n{i}")).collect::<Vec<_>>();
        let graph = Formation::new(names(3), &[(0, 1), (2, 1)]).unwrap();
        assert_eq!(graph.at(1), [(0, 0), (2, 1)]);
        assert_eq!(graph.at(2), [(1, 1)]);
        let told = Formation::new(names(2), &[(0, 2), (1, 1), (0, 1), (1, 0)]).unwrap_err();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "link 0: there is no node 2, only 0 to 1",
                "link 1: node 1 is linked to itself",
                "link 3: 1 and 0 are linked twice",
            ]
        );
        assert!(Formation::new(Vec::new(), &[]).is_err());
    }
}
