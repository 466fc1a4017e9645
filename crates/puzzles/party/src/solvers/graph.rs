//! Bounds of synergy that depend only on the formation, and on the numbers of items with a value.
//!
//! Two items share a trait over a link only if both have the same value of it. So *c* items of one
//! value share it over at most as many links as *c* nodes of the graph can have among them, and a
//! required synergy needs a least number of shared traits over all links. Both numbers depend only
//! on the formation and its table.

use crate::{Formation, LinkTable};

/// Most nodes of a graph whose densest parts are searched; larger graphs are bounded.
const SEARCHED: usize = 20;

/// The most links that *c* nodes can have among them, for every *c* from 0 to all nodes.
#[must_use]
pub fn densest(formation: &Formation) -> Vec<i64> {
    let nodes = formation.nodes();
    let all = formation.links().len() as i64;
    if nodes > SEARCHED {
        // A part has at most as many links as the highest degrees allow, and as a complete graph
        // has.
        let mut degrees: Vec<i64> =
            (0..nodes).map(|node| formation.at(node).len() as i64).collect();
        degrees.sort_unstable_by_key(|&degree| -degree);
        let mut sum = 0;
        let mut most = vec![0];
        for (i, degree) in degrees.into_iter().enumerate() {
            sum += degree;
            let complete = (i as i64 + 1) * i as i64 / 2;
            most.push((sum / 2).min(complete).min(all));
        }
        return most;
    }
    let neighbours: Vec<u32> =
        (0..nodes).map(|node| formation.at(node).iter().map(|&(to, _)| 1 << to).sum()).collect();
    let mut most = vec![0; nodes + 1];
    // The number of links within every set of nodes: the links of the set without its lowest node,
    // plus the links of that node into the set.
    let mut within = vec![0u8; 1 << nodes];
    for set in 1..1u32 << nodes {
        let lowest = set.trailing_zeros() as usize;
        let rest = set & (set - 1);
        let links = within[rest as usize] + (neighbours[lowest] & rest).count_ones() as u8;
        within[set as usize] = links;
        let size = set.count_ones() as usize;
        most[size] = most[size].max(i64::from(links));
    }
    most
}

/// The least number of shared traits, over all links together, with which a team can have at least
/// `synergy`, in parts of the table's whole. `None` if no team can.
#[must_use]
pub fn least_shared(formation: &Formation, table: &LinkTable, synergy: i64) -> Option<i64> {
    let nodes = formation.nodes();
    // Every shared trait counts at both ends of its link.
    let ends = 2 * formation.links().len() * table.traits.len();
    let none = i64::MIN / 2;
    let mut most = vec![none; ends + 1];
    most[0] = 0;
    for node in 0..nodes {
        let own = formation.at(node).len() * table.traits.len();
        let mut next = vec![none; ends + 1];
        for (before, &points) in most.iter().enumerate().filter(|(_, points)| **points >= 0) {
            for shared in 0..=own {
                let to = &mut next[before + shared];
                *to = (*to).max(points + table.most_with(node, shared as u32));
            }
        }
        most = next;
    }
    let reached = most.iter().position(|&points| table.synergy(points) >= synergy)?;
    Some(reached.div_ceil(2) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate, synergy::STEPS};
    use unriddle_core::Rng;

    fn world() -> (Formation, LinkTable) {
        let pool = generate::world(&generate::World::default(), &mut Rng::new(1));
        let formation = pool.formation.unwrap();
        let table = LinkTable::new(&formation, vec![0, 1, 2], &STEPS, None);
        (formation, table)
    }

    #[test]
    fn the_densest_parts_of_4_4_2() {
        let (formation, table) = world();
        assert_eq!(densest(&formation), [0, 0, 1, 3, 4, 6, 8, 9, 11, 13, 15, 17]);
        let least = |hundredths| least_shared(&formation, &table, table.whole() / 100 * hundredths);
        assert_eq!(least(33), Some(0));
        assert_eq!(least(80), Some(11));
        assert_eq!(least(90), Some(14));
        // A team has at most a hundred points.
        assert_eq!(least(101), None);
    }

    #[test]
    fn large_graphs_are_bounded() {
        let names = (0..24).map(|i| i.to_string()).collect();
        let links: Vec<(usize, usize)> = (0..23).map(|i| (i, i + 1)).collect();
        let path = Formation::new(names, &links).unwrap();
        let most = densest(&path);
        assert_eq!(most[..4], [0, 0, 1, 3]);
        assert_eq!(most[24], 23);
        assert!((1..=24).all(|c| most[c] >= c as i64 - 1));
    }
}
