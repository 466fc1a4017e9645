//! The Pareto front of price against synergy: the price of more synergy.
//!
//! The method of epsilon-constraints: price is minimised under rising lower bounds of synergy,
//! which replace the puzzle's own lower bound of synergy. The bounds rise in even steps over the
//! remaining range. Each is above the synergy of the last team, so that no team is found twice.
//! When a team is proved to be the cheapest, a further search looks for another team of its price
//! with more synergy.
//!
//! The bounds rise rather than fall for three reasons. A lower bound of the price also holds for
//! all higher synergies. The last team, annealed under the next bound, is mostly a better first
//! team than a constructed one. The most expensive proofs, for synergies that no team has and where
//! nothing prunes, would be first on the way down. In turn, a team is feasible under all lower
//! bounds of synergy that it reaches. Afterwards, where a price is not proved, the team of the next
//! higher point is therefore annealed again among the items that the bounds leave.
//!
//! Reference: Y. Y. Haimes, L. S. Lasdon and D. A. Wismer, "On a bicriterion formulation of the
//! problems of integrated system identification and system optimization", IEEE Transactions on
//! Systems, Man, and Cybernetics 1, 1971.

use super::{
    anneal::{AnnealConfig, anneal},
    exact::{Exact, ExactConfig},
    figures::{Figures, NO_TEAM, Visitor},
    rounds::cheaper,
};
use crate::{Amount, Party, Requirement, Team};
use std::{cmp::Reverse, time::Duration};
use unriddle_core::clock::{Instant, ThreadTime};
use unriddle_core::{Budget, Outcome, SearchError, run};

/// Limits and options of a front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontConfig {
    /// Most searches; each finds at most one point.
    pub searches: u64,
    /// Most regions that one search expands.
    pub regions: u64,
    /// Moves of each annealing that starts from the last team.
    pub moves: u64,
    /// Options of the searches; their seed also seeds all other random choices.
    pub exact: ExactConfig,
}

/// A team of the front. Synergies are in parts of the [whole](crate::Synergy::whole).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The lower bound of synergy under which the team was found.
    pub at_least: i64,
    /// The items in node order.
    pub team: Vec<u32>,
    /// Their synergy.
    pub synergy: i64,
    /// Their price.
    pub price: i64,
    /// Lower bound of the price of the teams with at least `at_least` synergy.
    pub bound: i64,
    /// Whether the team is proved to be Pareto-optimal: no team has at least its synergy for a
    /// lower price, or more synergy for its price.
    pub efficient: bool,
}

impl Point {
    /// Replaces the team by `items`, in node order.
    fn take(&mut self, party: &Party, items: Vec<u32>) {
        let team = Team::new(party, &items);
        (self.price, self.synergy) = (team.cost(), team.synergy());
        self.team = items;
    }
}

/// A Pareto front: none of its teams is as good as another one in both price and synergy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// The teams, by rising synergy and price.
    pub points: Vec<Point>,
    /// The least lower bound of synergy under which it is proved that there is no team.
    pub none_from: Option<i64>,
    /// The least lower bound of synergy under which neither a team nor a proof of its absence was
    /// found.
    pub open_from: Option<i64>,
    /// CPU time of the computation.
    pub cpu: Duration,
}

/// Computes the front of a puzzle. The puzzle's own lower bound of synergy is ignored; all its
/// other requirements are kept. The limits of `budget` apply to each search by itself; when it is
/// cancelled, the points found so far are returned. `tell` is called with a description of each
/// step. `visit` is called with every team that is found, in node order, whether it is on the front
/// or not.
///
/// # Errors
/// Only errors of a broken search.
pub fn front(
    party: &Party,
    config: &FrontConfig,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
    visit: &mut dyn FnMut(&[u32]),
) -> Result<Front, SearchError> {
    let cpu = ThreadTime::now();
    let (asked, steps, front) = (party.clone(), Steps::new(party), Front::default());
    let mut searches = Searches { asked, steps, front, config, budget, visit };
    for left in (1..=config.searches).rev() {
        let Searches { steps, front, .. } = &searches;
        // If a search found no team, teams with more synergy do not exist or are no easier to find.
        let ends = front.none_from.into_iter().chain(front.open_from);
        let most = ends.map(|end| steps.down(end - 1)).fold(steps.most, i64::min);
        let (reached, at_least) = match front.points.last() {
            // Below the synergy of any team.
            None => (steps.least - 1, steps.least),
            Some(last) => (last.synergy, steps.next(last.synergy, most, left)),
        };
        if reached >= most || budget.cancel.is_cancelled() {
            break;
        }
        tell(&format!("front of price and synergy, {left} searches left"));
        let begun = Instant::now();
        if let Some(mut point) = searches.cheapest(at_least)? {
            searches.climb(&mut point, begun, most, left)?;
            let front = &mut searches.front;
            front.open_from = front.open_from.filter(|&open| open > point.synergy);
            front.points.push(point);
        }
    }
    searches.descend();
    let Searches { mut front, steps, .. } = searches;
    settle(&mut front, &steps);
    front.cpu = cpu.elapsed();
    Ok(front)
}

impl Front {
    /// Adds the points and proofs of the front to `figures`: one puzzle for each synergy that was
    /// asked for. Returns each synergy with the number of its puzzle.
    pub(super) fn enter(&self, party: &Party, figures: &mut Figures<'_>) -> Vec<(i64, usize)> {
        let points = self.points.iter().map(|point| (point.at_least, point.bound));
        let none = self.none_from.map(|none| (none, NO_TEAM));
        let open = self.open_from.map(|open| (open, i64::MIN));
        let mut all: Vec<(i64, i64)> = points.chain(open).chain(none).collect();
        all.sort_unstable();
        let mut asked = party.clone();
        let entered = all.into_iter().map(|(at_least, bound)| {
            ask(&mut asked, at_least);
            let number = figures.add(&asked.requirements, true);
            figures.prove(number, bound);
            (at_least, number)
        });
        let entered = entered.collect();
        for point in &self.points {
            figures.offer(&point.team);
        }
        entered
    }

    /// Updates the front with the results that `figures` gained since [`enter`](Self::enter).
    pub(super) fn update(
        &mut self,
        party: &Party,
        figures: &Figures<'_>,
        entered: &[(i64, usize)],
    ) {
        let before = std::mem::take(self);
        self.cpu = before.cpu;
        for &(at_least, number) in entered {
            match (figures.best(number), figures.bound(number)) {
                (_, NO_TEAM) => self.none_from = self.none_from.or(Some(at_least)),
                (None, _) => self.open_from = self.open_from.or(Some(at_least)),
                (Some(best), bound) => {
                    let mut points = before.points.iter();
                    self.points.push(Point {
                        at_least,
                        efficient: points.any(|point| point.efficient && point.team == best.items),
                        team: best.items.clone(),
                        synergy: best.synergy,
                        price: best.price,
                        bound,
                    });
                }
            }
        }
        settle(self, &Steps::new(party));
    }
}

/// The synergies that teams can have.
struct Steps {
    step: i64,
    cap: i64,
    /// The least synergy of a team.
    least: i64,
    /// The most synergy of a team, or the upper bound of the requirements if that is lower.
    most: i64,
}

impl Steps {
    fn new(party: &Party) -> Self {
        let (least, most) = party.synergy.range();
        let mut steps = Self { step: party.synergy.step(), cap: party.synergy.cap(), least, most };
        for requirement in &party.requirements {
            if requirement.amount == Amount::Synergy {
                steps.most = steps.most.min(requirement.at_most.unwrap_or(i64::MAX));
            }
        }
        steps.most = steps.down(steps.most);
        steps
    }

    /// The least synergy that a team with at least `synergy` can have.
    fn up(&self, synergy: i64) -> i64 {
        let steps = synergy.div_euclid(self.step) + i64::from(synergy.rem_euclid(self.step) > 0);
        (steps * self.step).min(self.cap)
    }

    /// The most synergy that a team with at most `synergy` can have.
    fn down(&self, synergy: i64) -> i64 {
        if synergy < self.cap { synergy.div_euclid(self.step) * self.step } else { self.cap }
    }

    /// The lower bound of the search that follows a team with `synergy`: the first of `searches`
    /// even steps up to `most`.
    fn next(&self, synergy: i64, most: i64, searches: u64) -> i64 {
        let room = (most - synergy).max(0);
        let parts = i64::try_from(searches).unwrap_or(i64::MAX).max(1);
        self.up(synergy + (room / parts).max(1)).min(most)
    }
}

/// Replaces the puzzle's lower bound of synergy by `at_least`, or adds it.
fn ask(party: &mut Party, at_least: i64) {
    let mut bounded = false;
    for requirement in &mut party.requirements {
        if requirement.amount == Amount::Synergy {
            requirement.at_least = Some(at_least);
            bounded = true;
        }
    }
    if !bounded {
        party.requirements.push(Requirement {
            text: "synergy".to_owned(),
            amount: Amount::Synergy,
            unit: party.synergy.whole(),
            at_least: Some(at_least),
            at_most: None,
        });
    }
}

/// The searches for the points of a front.
struct Searches<'a> {
    /// The puzzle with the lower bound of synergy that is asked for.
    asked: Party,
    steps: Steps,
    front: Front,
    config: &'a FrontConfig,
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(&[u32]),
}

impl Searches<'_> {
    /// Anneals `team` with the items of `pool`, by `moves` moves.
    fn annealed(&mut self, pool: &[u32], team: &[u32], moves: u64) -> Option<Vec<u32>> {
        let config =
            AnnealConfig { moves, seed: self.config.exact.seed, ..AnnealConfig::default() };
        let (_, items) = anneal(&self.asked, pool, team, &config)?;
        (self.visit)(&items);
        Some(items)
    }

    /// The limits of an exact search that may take `time`.
    fn limits(&self, time: Option<Duration>) -> Budget {
        Budget { expansions: Some(self.config.regions), time, ..self.budget.clone() }
    }

    /// Searches the cheapest team with at least `at_least` synergy. Without a team, the front ends
    /// there.
    fn cheapest(&mut self, at_least: i64) -> Result<Option<Point>, SearchError> {
        ask(&mut self.asked, at_least);
        let pool: Vec<u32> = (0..self.asked.items.len() as u32).collect();
        let last = self.front.points.last().cloned();
        let known = last.as_ref().and_then(|l| self.annealed(&pool, &l.team, self.config.moves));
        let limits = self.limits(self.budget.time);
        let mut exact = Exact::new(&self.asked, known.as_deref(), self.config.exact);
        let outcome = run(&mut exact, &limits, &mut Visitor(self.visit))?;
        let Some(best) = outcome.best() else {
            let front = &mut self.front;
            match outcome {
                Outcome::Unsolvable => front.none_from = Some(at_least),
                _ => front.open_from = Some(at_least),
            }
            return Ok(None);
        };
        // More synergy is never cheaper.
        let bound = outcome.bound().max(last.map(|last| last.bound)).unwrap_or(i64::MIN);
        Ok(Some(Point {
            at_least,
            synergy: Team::new(&self.asked, &best.actions).synergy(),
            team: best.actions.clone(),
            price: best.value,
            bound: bound.min(best.value),
            efficient: false,
        }))
    }

    /// Searches teams with more synergy at the price of `point`, whose search began at `begun` and
    /// had `left` searches left for synergies up to `most`. Ends when it is proved that there are
    /// no such teams (if the price itself is proved), when no team is found, when limits are
    /// reached, or when another search asks for the next synergy anyway.
    fn climb(
        &mut self,
        point: &mut Point,
        begun: Instant,
        most: i64,
        left: u64,
    ) -> Result<(), SearchError> {
        while point.synergy < self.steps.most && !self.budget.cancel.is_cancelled() {
            let next = self.steps.up(point.synergy + 1);
            let is_asked = self.front.none_from.is_some_and(|none| none <= next)
                || (left > 1 && self.steps.next(point.synergy, most, left - 1) == next);
            let rest = self.budget.time.map(|time| time.saturating_sub(begun.elapsed()));
            if is_asked || rest.is_some_and(|rest| rest.is_zero()) {
                break;
            }
            ask(&mut self.asked, next);
            let proved = point.bound == point.price;
            let Some(pool) = cheaper(&self.asked, point.price + 1) else {
                point.efficient = proved;
                break;
            };
            let mut found = self.annealed(&pool, &point.team, self.config.moves);
            found = found.filter(|items| self.asked.cost_of(items) <= point.price);
            if found.is_none() && proved {
                let limits = self.limits(rest);
                let options = ExactConfig { seed: self.config.exact.seed, ..ExactConfig::BARE };
                let exact = Exact::new(&self.asked, None, options);
                let mut exact = exact.cheaper_than(point.price + 1);
                let outcome = run(&mut exact, &limits, &mut Visitor(self.visit))?;
                point.efficient = outcome == Outcome::Unsolvable;
                found = outcome.best().map(|best| best.actions.clone());
            }
            let Some(items) = found else {
                break;
            };
            point.take(&self.asked, items);
        }
        Ok(())
    }

    /// Wherever a price is not proved to be the lowest, anneals the team of the next higher point.
    /// That team has more synergy than required, and annealing may yield a cheaper one.
    fn descend(&mut self) {
        let mut points = std::mem::take(&mut self.front.points);
        let mut above: Option<Vec<u32>> = None;
        for point in points.iter_mut().rev() {
            if point.bound < point.price && !self.budget.cancel.is_cancelled() {
                ask(&mut self.asked, point.at_least);
                match (cheaper(&self.asked, point.price), &above) {
                    (None, _) => point.bound = point.price,
                    (Some(pool), Some(team)) => {
                        let found = self.annealed(&pool, team, self.config.exact.moves);
                        let is_cheaper = |i: &Vec<u32>| self.asked.cost_of(i) < point.price;
                        if let Some(items) = found.filter(is_cheaper) {
                            point.take(&self.asked, items);
                        }
                    }
                    (Some(_), None) => {}
                }
            }
            above = Some(point.team.clone());
        }
        self.front.points = points;
    }
}

/// Marks the points that the searches above them prove to be Pareto-optimal, and drops the points
/// that are no better than another.
fn settle(front: &mut Front, steps: &Steps) {
    // The next search above: the synergy that it asked for, and its lower bound of the price.
    let mut above: Option<(i64, i64)> = front.none_from.map(|none| (none, i64::MAX));
    for point in front.points.iter_mut().rev() {
        let next = steps.up(point.synergy + 1);
        let is_costlier = above.is_some_and(|(from, bound)| from <= next && bound > point.price);
        point.efficient |=
            point.bound == point.price && (is_costlier || point.synergy >= steps.most);
        above = Some((point.at_least, point.bound));
    }
    // The most synergy comes first; among equal synergies, the lowest price.
    let mut least = i64::MAX;
    front.points.sort_by_key(|point| (Reverse(point.synergy), point.price));
    front.points.retain(|point| {
        let is_better = point.price < least;
        least = least.min(point.price);
        is_better
    });
    front.points.reverse();
}

#[cfg(test)]
mod tests;
