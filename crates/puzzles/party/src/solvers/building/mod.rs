//! Teams built item by item as a score puzzle, for the searches that play such puzzles.
//!
//! A state is the items placed so far. The order of the nodes is the same for all teams: first the
//! nodes whose item is fixed, then always the node with the most filled neighbours, so that a
//! choice is soon judged by its neighbours. An action puts a *candidate* on the next node. The
//! forward checking of construction decides which candidates are allowed there, with its careful
//! rule for sums ([`Sums::Possible`]). With a fixed order, the other rule would demand from the
//! first nodes an amount that any node may contribute.
//!
//! **Candidates.** Ten thousand items are too many actions. A constructed team bounds the price.
//! Among the items that a cheaper team may have by their reduced costs in the linear relaxation
//! ([`reduced`]), the [`CANDIDATES`] of least reduced cost are kept: with more of them, beams and
//! play-outs are slower and find no cheaper teams. So no search of these states proves anything
//! about the puzzle.
//!
//! **Score.** The negative price. At the end, the deficit of each requirement is counted in the
//! units of annealing (the effect of changing one item), and so is each empty node. Each such unit
//! costs more than any team, so that no saving makes up for a violated requirement, whatever the
//! prices are, and among invalid sequences the one with the smaller deficit is better. Nothing
//! finer is needed: the searches compare scores and never add them.

mod outlook;
mod priced;

pub use outlook::Outlook;
pub use priced::Priced;

use super::{
    anneal::{spread, units},
    construct::{Construct, Guidance},
    forward::{Forward, Sums},
    placement::order,
    rounds::reduced,
};
use crate::{Party, Team};
use unriddle_core::{
    Layered, Puzzle, Rng, Score, ScorePuzzle, SearchError, Solution, playout::Coded,
};

/// Most candidates.
pub const CANDIDATES: usize = 64 * WORDS;

const WORDS: usize = 2;

/// Attempts at constructing the team that bounds the price.
const ATTEMPTS: u64 = 200;

/// The construction of teams on up to `N` nodes.
#[derive(Clone, Debug)]
pub struct Building<const N: usize> {
    party: Party,
    forward: Forward,
    /// The nodes in the order in which they are filled.
    order: Vec<usize>,
    /// Items that may be chosen: the fixed ones, then the others by reduced cost.
    candidates: Vec<u32>,
    /// The reduced cost of each candidate.
    reduced: Vec<f32>,
    /// The spread of their prices, and the spread of their reduced costs.
    price: f32,
    excess: f32,
    /// Candidates that must be chosen, on any node.
    loose: Vec<u16>,
    /// The unit of each requirement.
    units: Vec<f64>,
    /// Exclusive upper bound of the price of a team of candidates.
    penalty: Score,
    start: Built<N>,
    /// The team that was constructed to bound the price.
    constructed: Option<Solution<u32>>,
}

/// Candidates on the first nodes of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Built<const N: usize> {
    /// Candidates by their index in the list; 0 from `filled` on.
    picks: [u16; N],
    filled: u8,
}

impl<const N: usize> Built<N> {
    /// The candidates in the order in which they were placed.
    fn picks(&self) -> &[u16] {
        &self.picks[..usize::from(self.filled)]
    }

    fn push(&mut self, pick: u16) {
        if let Some(next) = self.picks.get_mut(usize::from(self.filled)) {
            *next = pick;
            self.filled += 1;
        }
    }
}

/// Candidates for the next node, ascending.
#[derive(Clone, Copy, Debug)]
pub struct Picks([u64; WORDS]);

impl Iterator for Picks {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        let at = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[at].trailing_zeros();
        self.0[at] &= self.0[at] - 1;
        Some((64 * at) as u16 + bit as u16)
    }
}

impl<const N: usize> Building<N> {
    /// Prepares a puzzle: constructs a team with the seed `seed`, and chooses the candidates.
    ///
    /// # Errors
    /// More nodes than `N`.
    pub fn new(party: &Party, seed: u64) -> Result<Self, SearchError> {
        let nodes = party.formation.nodes();
        if nodes > N || N > usize::from(u8::MAX) {
            return Err(SearchError::TooLarge(format!(
                "a formation of {nodes} nodes is too large to be filled node by node: at most {N}"
            )));
        }
        let construct = Construct::new(party, Guidance::default());
        let witness = construct.witness(ATTEMPTS, &mut Rng::new(seed));
        let constructed =
            witness.map(|(actions, _)| Solution { value: party.cost_of(&actions), actions });
        // Without a constructed team, the candidates are whatever the relaxation leaves.
        let most = constructed.as_ref().map_or(i64::MAX / 4, |team| team.value);
        let mut chosen = reduced(party, most).unwrap_or_default();
        chosen.sort_by(|a, b| a.1.total_cmp(&b.1));
        chosen.sort_by_key(|&(item, _)| !party.is_fixed(item));
        chosen.truncate(CANDIDATES);
        let candidates: Vec<u32> = chosen.iter().map(|&(item, _)| item).collect();
        let costs = || candidates.iter().map(|&item| party.costs[item as usize]);
        // At most the difference in price between the cheapest and the costliest team.
        let widest = costs().max().unwrap_or(0) - costs().min().unwrap_or(0).min(0);
        let dearest = widest.saturating_mul(nodes as i64);
        let place = |item: u32| candidates.iter().position(|&other| other == item);
        let mut start = Built { picks: [0; N], filled: 0 };
        let (mut first, mut loose) = (Vec::new(), Vec::new());
        let mut filled = vec![false; nodes];
        for &(item, node) in &party.fixed {
            // If a fixed item is not among the candidates, there are no candidates at all.
            match (place(item), node) {
                (Some(pick), Some(node)) => {
                    start.push(pick as u16);
                    first.push(node);
                    filled[node] = true;
                }
                (Some(pick), None) => loose.push(pick as u16),
                (None, _) => {}
            }
        }
        first.extend(order(&party.formation, filled));
        Ok(Self {
            forward: Forward::new(party, &candidates, Sums::Possible),
            order: first,
            reduced: chosen.iter().map(|&(_, reduced)| reduced as f32).collect(),
            price: spread(costs()) as f32,
            excess: spread(chosen.iter().map(|&(_, reduced)| reduced as i64)) as f32,
            loose,
            units: units(party, &candidates),
            penalty: dearest.saturating_add(1),
            start,
            constructed,
            candidates,
            party: party.clone(),
        })
    }

    /// The team that `actions` build from the start: its price, and its items in node order. `None`
    /// if it is not a team or breaks a requirement.
    fn team(&self, actions: &[u16]) -> Option<Solution<u32>> {
        let built = actions.iter().fold(self.start, |built, &pick| self.apply(&built, pick));
        let items = self.items(&built)?;
        let team = Team::new(&self.party, &items);
        team.is_feasible().then(|| Solution { value: team.cost(), actions: items })
    }

    /// The items in node order; `None` if some node is empty.
    fn items(&self, built: &Built<N>) -> Option<Vec<u32>> {
        if built.picks().len() < self.order.len() {
            return None;
        }
        let mut items = vec![0; self.order.len()];
        for (&node, &pick) in self.order.iter().zip(built.picks()) {
            items[node] = *self.candidates.get(usize::from(pick))?;
        }
        Some(items)
    }

    /// The node that is filled next.
    fn next(&self, built: &Built<N>) -> Option<usize> {
        self.order.get(usize::from(built.filled)).copied()
    }
}

impl<const N: usize> Puzzle for Building<N> {
    type State = Built<N>;
    type Action = u16;
    type Actions = Picks;

    fn initial_state(&self) -> Built<N> {
        self.start
    }

    fn actions(&self, state: &Built<N>) -> Picks {
        let mut picks = [0; WORDS];
        let open = self.order.len() - state.picks().len().min(self.order.len());
        if open == 0 {
            return Picks(picks);
        }
        let item = |&pick: &u16| self.candidates.get(usize::from(pick)).copied();
        let taken: Vec<u32> = state.picks().iter().filter_map(item).collect();
        let filter = self.forward.filter(&self.party, &taken, open);
        let missing = |pick: &&u16| !state.picks().contains(pick);
        let must = self.loose.iter().filter(missing).count() >= open;
        for (i, &item) in self.candidates.iter().enumerate() {
            let wanted = !must || self.loose.contains(&(i as u16));
            if wanted && filter.allows(&self.party, item as usize) {
                picks[i / 64] |= 1 << (i % 64);
            }
        }
        for &pick in state.picks() {
            picks[usize::from(pick) / 64] &= !(1 << (pick % 64));
        }
        Picks(picks)
    }

    fn apply(&self, state: &Built<N>, action: u16) -> Built<N> {
        let mut next = *state;
        next.push(action);
        next
    }
}

impl<const N: usize> ScorePuzzle for Building<N> {
    fn reward(&self, _: &Built<N>, action: u16) -> Score {
        -self.party.costs[self.candidates[usize::from(action)] as usize]
    }

    fn terminal_bonus(&self, state: &Built<N>) -> Score {
        let lacks = match self.items(state) {
            Some(items) => {
                let team = Team::new(&self.party, &items);
                let lacks = self.party.requirements.iter().enumerate().zip(&self.units);
                let lacks = lacks.map(|((i, r), unit)| r.lack(team.amount(i)) as f64 / unit);
                lacks.map(f64::ceil).sum::<f64>()
            }
            // An empty node counts more than any lack of synergy.
            None => 100.0 * (self.order.len() - state.picks().len()) as f64,
        };
        // The limit allows adding prices without overflow.
        (lacks as Score).saturating_mul(-self.penalty).max(Score::MIN / 4)
    }
}

impl<const N: usize> Layered for Building<N> {
    /// The number of empty nodes.
    fn layer(&self, state: &Built<N>) -> usize {
        self.order.len() - state.picks().len()
    }
}

impl<const N: usize> Coded for Building<N> {
    type Shape = ();

    /// The item and its node. Learned weights of an item apply to one node of the formation,
    /// because the item has other neighbours elsewhere.
    fn code(&self, state: &Built<N>, action: u16) -> u64 {
        let node = self.next(state).unwrap_or(0) as u64;
        node << 32 | u64::from(self.candidates[usize::from(action)])
    }

    /// The negative reduced cost of the item, in spreads of the reduced costs.
    fn bias(&self, _: &Built<N>, action: u16) -> f32 {
        -self.reduced[usize::from(action)] / self.excess
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers::samples;

    /// No team scores below a sequence that is not a team, and of two teams the cheaper one scores
    /// higher.
    #[test]
    fn scores_put_teams_first() {
        for seed in 0..40 {
            let party = samples::random(seed);
            let building = Building::<16>::new(&party, seed).unwrap();
            let mut rng = Rng::new(seed);
            let mut dearest = None;
            let mut best_of_others = None;
            for _ in 0..200 {
                let (mut built, mut score, mut actions) = (building.start, 0, Vec::new());
                loop {
                    let legal: Vec<u16> = building.actions(&built).collect();
                    if legal.is_empty() {
                        break;
                    }
                    let action = legal[rng.below(legal.len() as u64) as usize];
                    score += building.reward(&built, action);
                    built = building.apply(&built, action);
                    actions.push(action);
                }
                score += building.terminal_bonus(&built);
                let fixed =
                    |&pick: &u16| party.costs[building.candidates[usize::from(pick)] as usize];
                let fixed: i64 = building.start.picks().iter().map(fixed).sum();
                match building.team(&actions) {
                    Some(Solution { value: price, .. }) => {
                        assert_eq!(price, fixed - score);
                        dearest = dearest.max(Some(price));
                        assert!(best_of_others.is_none_or(|other| score > other));
                    }
                    None => {
                        best_of_others = best_of_others.max(Some(score));
                        assert!(dearest.is_none_or(|price| score < fixed - price));
                    }
                }
            }
        }
    }

    #[test]
    fn large_formations_are_refused() {
        let [party, ..] = samples::paper(1);
        let refused = Building::<10>::new(&party, 1).unwrap_err();
        assert!(refused.to_string().contains("11 nodes"), "{refused}");
        assert!(Building::<11>::new(&party, 1).is_ok());
    }
}
