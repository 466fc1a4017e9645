//! Estimates of incomplete teams: their excess over the bound, and the synergy that can be hoped
//! for.

use super::{Building, Built};
use crate::Party;
use unriddle_core::{Selective, StateValue};

/// Number of parts of a link's worth in which hope is measured.
const PARTS: i64 = 12;

/// A node without an item.
const EMPTY: u32 = u32::MAX;

/// Estimates incomplete teams.
///
/// A price does not contain the requirements that the items satisfy. The remaining price shrinks by
/// the contributions of the items: a team is estimated at the relaxation's bound plus the reduced
/// costs of its items.
///
/// Synergy grows in steps and between neighbours, which the relaxation does not see. A link of an
/// empty node is expected to have the worth that every link would need if all were alike and
/// synergy was just reached. The expected synergy of an empty team is mostly above the required
/// synergy, and items below the expectation use up that surplus. A team that has used more of the
/// surplus than its share of the links lacks the difference; each point of it counts as much as a
/// spread of the price. Without that pace, beams spend the surplus on their first nodes, and none
/// of their teams reaches the synergy in the end.
///
/// As a filter, it restricts play-outs to the items after which the least synergy is missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// Expected worth of a link, in [`PARTS`].
    hope: i64,
    /// The expected points of an empty team, and their surplus over the required points; `None` if
    /// no synergy is required.
    all: i64,
    surplus: Option<i64>,
    /// The number of ends of links.
    ends: i64,
    /// Amount of one point of synergy, in the units of `all`.
    point: i64,
}

impl Outlook {
    /// The outlook of a puzzle's teams.
    #[must_use]
    pub fn new(party: &Party) -> Self {
        let least = party.least_synergy();
        let points = |hope: i64| -> i64 {
            let links = |node: usize| party.formation.at(node).len() as i64;
            let points = |node| party.synergy.most_with(node, hoped(hope, links(node)));
            (0..party.formation.nodes()).map(points).sum()
        };
        // Bisection for the least hope that reaches the synergy: more hope is never worth less.
        let (mut hope, most) = (0, PARTS * party.synergy.best_link());
        let mut beyond = least.map_or(0, |_| most);
        while hope < beyond {
            let middle = hope + (beyond - hope) / 2;
            if least.is_some_and(|least| points(middle) >= least) {
                beyond = middle;
            } else {
                hope = middle + 1;
            }
        }
        let all = points(hope);
        Self {
            hope,
            all,
            surplus: least.map(|least| all - least),
            ends: 2 * party.formation.links().len() as i64,
            point: party.synergy.hundredth(),
        }
    }

    /// Points of synergy that are missing if `hoped` of them can be hoped for and `open` ends of
    /// links are open.
    #[inline]
    fn missing(&self, hoped: i64, open: u32) -> f32 {
        let Some(surplus) = self.surplus else {
            return 0.0;
        };
        let settled = self.ends - i64::from(open);
        let spent = self.all - hoped;
        let missing = spent - surplus * settled / self.ends.max(1);
        missing.max(0) as f32 / self.point as f32
    }

    /// Looks at a state: the worth, the open links and the hoped points of its nodes.
    fn look<const N: usize>(&self, building: &Building<N>, built: &Built<N>) -> Look<N> {
        let mut look = Look {
            of: *built,
            at: [EMPTY; N],
            worth: [0; N],
            open: [0; N],
            points: [0; N],
            all: 0,
            ends: 0,
        };
        let formation = &building.party.formation;
        for node in 0..formation.nodes() {
            look.open[node] = formation.at(node).len() as u8;
        }
        for (&node, &pick) in building.order.iter().zip(built.picks()) {
            let item = building.candidates[usize::from(pick)];
            look.at[node] = item;
            for &(to, link) in formation.at(node) {
                let (to, link) = (usize::from(to), usize::from(link));
                if look.at[to] != EMPTY {
                    let worth = building.party.worth(link, node, item, look.at[to]);
                    look.worth[node] += worth;
                    look.worth[to] += worth;
                    look.open[node] -= 1;
                    look.open[to] -= 1;
                }
            }
        }
        for node in 0..formation.nodes() {
            let (item, worth, open) = (look.at[node], look.worth[node], look.open[node]);
            look.points[node] = self.points(building, node, item, worth, u32::from(open));
            look.all += look.points[node];
            look.ends += u32::from(open);
        }
        look
    }

    /// The points that can be hoped for of a node with `item`, whose links are worth `sure` already
    /// while `open` of them are open.
    #[inline]
    fn points<const N: usize>(
        &self,
        building: &Building<N>,
        node: usize,
        item: u32,
        sure: i64,
        open: u32,
    ) -> i64 {
        let party = &building.party;
        let worth = sure + hoped(self.hope, i64::from(open));
        match item {
            EMPTY => party.synergy.most_with(node, worth),
            _ => party.synergy.points(&party.items, node, item, worth),
        }
    }

    /// Number of points that are missing if `item` is put on the next node.
    #[inline]
    fn missing_with<const N: usize>(
        &self,
        building: &Building<N>,
        look: &Look<N>,
        item: u32,
    ) -> f32 {
        let Some(node) = building.next(&look.of) else {
            return self.missing(look.all, look.ends);
        };
        let (mut all, mut sure) = (look.all - look.points[node], 0);
        let links = u32::from(look.open[node]);
        let mut open = links;
        for &(to, link) in building.party.formation.at(node) {
            let (to, link) = (usize::from(to), usize::from(link));
            let other = look.at[to];
            if other == EMPTY {
                continue;
            }
            let worth = building.party.worth(link, node, item, other);
            sure += worth;
            open -= 1;
            let hoped = u32::from(look.open[to]) - 1;
            let points = self.points(building, to, other, look.worth[to] + worth, hoped);
            all += points - look.points[to];
        }
        all += self.points(building, node, item, sure, open);
        self.missing(all, look.ends - 2 * (links - open))
    }
}

/// Worth of `links` links, if each is expected to be worth `hope` [`PARTS`].
fn hoped(hope: i64, links: i64) -> i64 {
    (hope * links).div_euclid(PARTS)
}

/// Cached amounts of a state.
#[derive(Clone, Debug)]
pub struct Look<const N: usize> {
    of: Built<N>,
    /// The item of each node.
    at: [u32; N],
    /// For each node, the worth of its links between two items.
    worth: [i64; N],
    /// By node: the number of its links with an empty end.
    open: [u8; N],
    /// By node: the points that can be hoped for, and their sum.
    points: [i64; N],
    all: i64,
    /// The number of all open ends of links.
    ends: u32,
}

impl<const N: usize> StateValue<Building<N>> for Outlook {
    fn value(&self, building: &Building<N>, built: &Built<N>) -> f32 {
        let worth = built.picks().iter().map(|&pick| {
            let pick = usize::from(pick);
            let item = building.candidates[pick] as usize;
            building.party.costs[item] as f32 - building.reduced[pick]
        });
        let look = self.look(building, built);
        let missing = self.missing(look.all, look.ends);
        worth.sum::<f32>() - building.price * missing
    }
}

impl<const N: usize> Selective<Building<N>> for Outlook {
    type Memo = Look<N>;

    fn begin(&self, building: &Building<N>, built: &Built<N>, _: u64) -> Look<N> {
        self.look(building, built)
    }

    fn tier(
        &self,
        building: &Building<N>,
        built: &Built<N>,
        action: u16,
        _: usize,
        memo: &mut Look<N>,
    ) -> u8 {
        if memo.of != *built {
            *memo = self.look(building, built);
        }
        let item = building.candidates[usize::from(action)];
        // The cast saturates: a number that is out of bounds becomes the highest.
        self.missing_with(building, memo, item).ceil() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Team;
    use crate::solvers::samples;
    use unriddle_core::{Puzzle as _, Rng};

    /// The missing amount after an action is the same when computed before the action and after it.
    /// For a complete team it is the deficit of its synergy.
    #[test]
    fn looks_ahead_agree_with_looks() {
        let puzzles = (0..8).map(samples::random).chain((0..3).flat_map(samples::paper));
        let mut teams = 0;
        for (seed, party) in puzzles.enumerate() {
            let building = Building::<16>::new(&party, 1).unwrap();
            let outlook = Outlook::new(&party);
            let mut rng = Rng::new(seed as u64);
            for _ in 0..20 {
                let mut built = building.initial_state();
                loop {
                    let actions: Vec<u16> = building.actions(&built).collect();
                    let look = outlook.look(&building, &built);
                    if actions.is_empty() {
                        break;
                    }
                    let action = actions[rng.below(actions.len() as u64) as usize];
                    let item = building.candidates[usize::from(action)];
                    let ahead = outlook.missing_with(&building, &look, item);
                    built = building.apply(&built, action);
                    let after = outlook.look(&building, &built);
                    assert_eq!(ahead, outlook.missing(after.all, after.ends));
                }
                let Some(items) = building.items(&built) else {
                    continue;
                };
                let look = outlook.look(&building, &built);
                let team = Team::new(&party, &items);
                assert_eq!((look.all, look.ends), (team.points(), 0));
                let lack = outlook.missing(look.all, 0);
                let synergy = &party.requirements[0];
                let exact = synergy.lack(team.points()) as f32 / outlook.point as f32;
                assert_eq!(lack, exact);
                teams += 1;
            }
        }
        assert!(teams > 50, "{teams}");
    }
}
