//! Bounds that hold for a formation whichever items are placed on it.

use crate::party::{graph::Graph, rules::Rules};
use std::cmp::Reverse;

/// Graphs with more nodes are bounded by the degrees of their nodes. For smaller ones all sets of
/// nodes are tried.
const MOST_TRIED: usize = 20;

/// For every number of nodes, the most links that this many nodes can have among themselves.
pub(super) fn densest(rules: &Rules) -> Vec<i64> {
    let nodes = rules.nodes();
    let links = &rules.graph.links;
    let mut most = vec![0i64; nodes + 1];
    if nodes > MOST_TRIED {
        let mut degrees: Vec<i64> =
            (0..nodes).map(|node| rules.graph.neighbours(node).len() as i64).collect();
        degrees.sort_unstable_by_key(|&degree| Reverse(degree));
        for c in 1..=nodes {
            // Upper bounds: half of the ends of their links, the links of a complete graph, and all
            // links.
            let ends: i64 = degrees[..c].iter().sum();
            let complete = (c * (c - 1) / 2) as i64;
            most[c] = (ends / 2).min(complete).min(links.len() as i64);
        }
        return most;
    }
    for set in 0..1usize << nodes {
        let has = |node: usize| set >> node & 1 == 1;
        let among = links.iter().filter(|&&(a, b)| has(a) && has(b)).count() as i64;
        let size = set.count_ones() as usize;
        most[size] = most[size].max(among);
    }
    most
}

/// The least number of traits shared over all links that allows the required synergy; `None` if no
/// team can reach it.
pub(super) fn least_shared(rules: &Rules) -> Option<i64> {
    // Synergy by matrices does not depend on shared traits.
    if rules.matrices.is_some() {
        return Some(0);
    }
    let needed = rules.least_synergy().unwrap_or(0);
    // The most points of the nodes so far, by the number of traits shared over their links. Each
    // link counts at both of its ends.
    let mut most: Vec<Option<i64>> = vec![Some(0)];
    for node in 0..rules.nodes() {
        let links = rules.graph.neighbours(node).len();
        let own = links * rules.compared.len();
        let mut next = vec![None; most.len() + own];
        for (before, points) in most.iter().enumerate() {
            let Some(points) = points else { continue };
            for shared in 0..=own {
                let own = Graph::points(&rules.steps, links, shared as i64);
                let with = points + own * rules.positions.most(node);
                next[before + shared] = next[before + shared].max(Some(with));
            }
        }
        most = next;
    }
    let full = rules.positions.full();
    let reaches = |points: &Option<i64>| points.is_some_and(|points| points.min(full) >= needed);
    let ends = most.iter().position(reaches)?;
    Some(ends.div_ceil(2) as i64)
}

/// The most links over which a trait can be shared. `ranges` bounds how often each of its values
/// occurs, and at least `different` values occur. `None` if no team fits these bounds.
pub(super) fn most_shared(densest: &[i64], ranges: &[(i64, i64)], different: i64) -> Option<i64> {
    let nodes = densest.len() - 1;
    // Values that must occur, and the most frequent ones of the other values, one for each node.
    let (mut needed, mut others): (Vec<_>, Vec<_>) =
        ranges.iter().copied().partition(|range| range.0 > 0);
    others.sort_unstable_by_key(|range| -range.1);
    others.truncate(nodes);
    needed.extend(others);
    // The most links, by the number of nodes taken and of values that occur.
    let mut most = vec![vec![None; nodes + 1]; nodes + 1];
    most[0][0] = Some(0);
    for (least, greatest) in needed {
        let mut next = match least {
            0 => most.clone(),
            _ => vec![vec![None; nodes + 1]; nodes + 1],
        };
        for taken in 0..=nodes {
            for there in 0..nodes {
                let Some(shared) = most[taken][there] else {
                    continue;
                };
                for more in least.max(1)..=greatest.min((nodes - taken) as i64) {
                    let with = shared + densest[more as usize];
                    let known: &mut Option<i64> = &mut next[taken + more as usize][there + 1];
                    *known = (*known).max(Some(with));
                }
            }
        }
        most = next;
    }
    most[nodes].iter().skip(different.max(0) as usize).copied().flatten().max()
}

/// A line above `densest[count]`, the most links over which `count` items of a value can share
/// their trait, for every count from `least` to `most`. Returns its slope and its height at 0, in
/// parts of 1024.
pub(super) fn line(densest: &[i64], (least, most): (i64, i64)) -> (i64, i64) {
    let shared = |count: i64| 1024 * densest[count as usize];
    // Slope of the line from `least` to a count, rounded up.
    let slope_to = |count: i64| {
        let rise = shared(count) - shared(least);
        -(-rise).div_euclid(count - least)
    };
    let slope = match least {
        _ if most <= least => 0,
        // Most values need not occur, and a height above 0 would count for every one of them.
        0 => (1..=most).map(slope_to).max().unwrap_or(0),
        _ => slope_to(most),
    };
    // For any slope, the line at this height is above all counts.
    let heights = (least..=most.max(least)).map(|count| shared(count) - slope * count);
    (slope, heights.max().unwrap_or(0))
}
