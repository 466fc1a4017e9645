//! Upper bound of the synergy that a placement by matrices can still reach.
//!
//! Every empty node is rated with every remaining item: by the item's worth on the node, by its
//! links to placed items (for both ends), and over each other link by the best remaining item. The
//! best assignment of items to nodes by these ratings is a bound (P. C. Gilmore 1962, "Optimal and
//! suboptimal algorithms for the quadratic assignment problem"; E. L. Lawler 1963, Management
//! Science 9).

use crate::solvers::assignment::greatest;
use crate::{Matrices, Party};

/// Upper bound of the points of a placement with the items of `at`, and with the items of `left` on
/// the empty nodes, one on each.
pub(super) fn most_points(
    party: &Party,
    matrices: &Matrices,
    at: &[Option<u32>],
    left: &[u32],
) -> i64 {
    let mut sum = 0;
    for (link, &(a, b)) in party.formation.links().iter().enumerate() {
        let (a, b) = (usize::from(a), usize::from(b));
        if let (Some(first), Some(second)) = (at[a], at[b]) {
            sum += 2 * party.worth(link, a, first, second);
        }
    }
    for (node, item) in at.iter().enumerate() {
        sum += item.map_or(0, |item| matrices.place(&party.items, node, item));
    }
    let empty: Vec<usize> = (0..at.len()).filter(|&node| at[node].is_none()).collect();
    let mut worth = vec![0; empty.len() * left.len()];
    for (row, &node) in empty.iter().enumerate() {
        for (column, &item) in left.iter().enumerate() {
            let links = party.formation.at(node).iter().map(|&(to, link)| {
                let of = |other| party.worth(usize::from(link), node, item, other);
                match at[usize::from(to)] {
                    Some(other) => 2 * of(other),
                    None => {
                        let others = left.iter().filter(|&&other| other != item);
                        others.map(|&other| of(other)).max().unwrap_or(0)
                    }
                }
            });
            worth[row * left.len() + column] =
                matrices.place(&party.items, node, item) + links.sum::<i64>();
        }
    }
    let best = greatest(empty.len(), |row, column| worth[row * left.len() + column]);
    sum + best.sum
}
