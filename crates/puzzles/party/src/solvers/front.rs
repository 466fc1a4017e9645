//! What synergy costs: the front of price against synergy, the pairs of which no other team is as good in both.
//!
//! The epsilon-constraint method: one objective, price, is minimised for rising lower bounds of the other, which take the place
//! of what the puzzle requires of synergy. Bounds rise from team to team, in even steps over what is left and always to more than
//! the last team has, so that no team is found twice; of a team that is proved the cheapest it is asked whether another of its
//! price has more.
//!
//! The bounds rise rather than fall because a lower bound of the price holds for all higher synergies, because the last team,
//! annealed under the next bound, is mostly a better first team than a constructed one, and because the dearest proofs, for
//! synergies that no team has and where nothing prunes, would come first on the way down. Teams hold on the way down: afterwards,
//! where a price is not proved, the team above is annealed again among the items that bounds leave.
//!
//! Reference: Y. Y. Haimes, L. S. Lasdon and D. A. Wismer, "On a bicriterion formulation of the problems of integrated system
//! identification and system optimization", IEEE Transactions on Systems, Man, and Cybernetics 1, 1971.

use super::{
    anneal::{AnnealConfig, anneal},
    exact::{Exact, ExactConfig},
    figures::{Figures, NO_TEAM, Visitor},
    rounds::cheaper,
};
use crate::{Amount, Party, Requirement, Team};
use cpu_time::ThreadTime;
use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};
use unriddle_core::{Budget, Outcome, SearchError, run};

/// What a front may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontConfig {
    /// Searches, each for one point at most.
    pub searches: u64,
    /// Regions that the proof of a search may look into.
    pub regions: u64,
    /// Moves of the annealings from the last team.
    pub moves: u64,
    /// Options of the searches, with the seed of everything random.
    pub exact: ExactConfig,
}

impl Default for FrontConfig {
    fn default() -> Self {
        Self {
            searches: 12,
            regions: 2000,
            moves: 100_000,
            exact: ExactConfig::default(),
        }
    }
}

/// A team of the front. Synergies are in parts of the [whole](crate::Synergy::whole).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The synergy that was asked for.
    pub at_least: i64,
    /// The items in node order.
    pub team: Vec<u32>,
    /// The synergy that they have.
    pub synergy: i64,
    /// Their price.
    pub price: i64,
    /// No team with the synergy that was asked for is cheaper.
    pub bound: i64,
    /// Whether it is proved that no team has at least its synergy for less, or more for its price.
    pub efficient: bool,
}

impl Point {
    /// Takes another team, in node order.
    fn take(&mut self, party: &Party, items: Vec<u32>) {
        let team = Team::new(party, &items);
        (self.price, self.synergy) = (team.cost(), team.synergy());
        self.team = items;
    }
}

/// Teams of which none is as good as another in both price and synergy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front {
    /// The teams, by rising synergy and price.
    pub points: Vec<Point>,
    /// It is proved that no team has so much synergy: the least of which that is known.
    pub none_from: Option<i64>,
    /// Neither a team with so much synergy was found nor a proof that there is none: the least that was asked for.
    pub open_from: Option<i64>,
    /// What it took.
    pub cpu: Duration,
}

/// The front of a puzzle. Its own lower bound of synergy does not count, all else that it requires does. The budget's limits are
/// those of each search; where it is cancelled, the points so far are given. `tell` hears what is done next, and `visit` is shown
/// the teams that are found, in node order, whether they are on the front or not.
///
/// # Errors
/// None but those of a broken search.
pub fn front(
    party: &Party,
    config: &FrontConfig,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
    visit: &mut dyn FnMut(&[u32]),
) -> Result<Front, SearchError> {
    let cpu = ThreadTime::now();
    let steps = Steps::new(party);
    let mut front = Front::default();
    let mut asked = party.clone();
    for left in (1..=config.searches).rev() {
        let last = front.points.last();
        // Where a search found nothing, of more there is nothing either, or nothing that is easier to find.
        let ends = front.none_from.into_iter().chain(front.open_from);
        let most = ends.map(|end| steps.down(end - 1)).min();
        let most = most.map_or(steps.most, |most| most.min(steps.most));
        let (reached, at_least) = match last {
            // Less than any synergy.
            None => (steps.least - 1, steps.least),
            Some(last) => (last.synergy, steps.next(last.synergy, most, left)),
        };
        if reached >= most || budget.cancel.is_cancelled() {
            break;
        }
        tell(&format!("front of price and synergy, {left} searches left"));
        ask(&mut asked, at_least);
        let begun = Instant::now();
        let mut point = match cheapest(&asked, at_least, last, config, budget, visit)? {
            Found::Team(point) => point,
            Found::None => {
                front.none_from = Some(at_least);
                continue;
            }
            Found::Open => {
                front.open_from = Some(at_least);
                continue;
            }
        };
        let rest = Budget {
            time: budget.time.map(|time| time.saturating_sub(begun.elapsed())),
            ..budget.clone()
        };
        let none_from = front.none_from;
        let is_asked = |next: i64, synergy: i64| {
            none_from.is_some_and(|none| none <= next)
                || (left > 1 && steps.next(synergy, most, left - 1) == next)
        };
        climb(
            &mut asked, &mut point, &steps, config, &rest, &is_asked, visit,
        )?;
        front.open_from = front.open_from.filter(|&open| open > point.synergy);
        front.points.push(point);
    }
    descend(&mut asked, &mut front, config, budget, visit);
    settle(&mut front, &steps);
    front.cpu = cpu.elapsed();
    Ok(front)
}

impl Front {
    /// Adds what the front says to figures of the same items: a puzzle for each synergy that was asked for and is told of, by
    /// its number.
    pub(super) fn enter(&self, party: &Party, figures: &mut Figures<'_>) -> Vec<(i64, usize)> {
        let points = self
            .points
            .iter()
            .map(|point| (point.at_least, point.bound));
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

    /// Takes from the figures what was found out after [`enter`](Self::enter).
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
    /// The least of a team.
    least: i64,
    /// The most of a team, or the most that is allowed.
    most: i64,
}

impl Steps {
    fn new(party: &Party) -> Self {
        let (least, most) = party.synergy.range();
        let mut steps = Self {
            step: party.synergy.step(),
            cap: party.synergy.cap(),
            least,
            most,
        };
        for requirement in &party.requirements {
            if requirement.amount == Amount::Synergy {
                steps.most = steps.most.min(requirement.at_most.unwrap_or(i64::MAX));
            }
        }
        steps.most = steps.down(steps.most);
        steps
    }

    /// The least that a team with at least so much can have.
    fn up(&self, synergy: i64) -> i64 {
        let steps = synergy.div_euclid(self.step) + i64::from(synergy.rem_euclid(self.step) > 0);
        (steps * self.step).min(self.cap)
    }

    /// The most that a team with at most so much can have.
    fn down(&self, synergy: i64) -> i64 {
        match synergy < self.cap {
            true => synergy.div_euclid(self.step) * self.step,
            false => self.cap,
        }
    }

    /// What is asked for after so much was found: the first of so many even steps to the most.
    fn next(&self, synergy: i64, most: i64, searches: u64) -> i64 {
        let room = (most - synergy).max(0);
        let parts = i64::try_from(searches).unwrap_or(i64::MAX).max(1);
        self.up(synergy + (room / parts).max(1)).min(most)
    }
}

/// Puts a lower bound of synergy in the place of the puzzle's own.
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

/// Improves on a team among some items, by so many moves.
fn annealed(
    party: &Party,
    pool: &[u32],
    team: &[u32],
    moves: u64,
    config: &FrontConfig,
) -> Option<Vec<u32>> {
    let config = AnnealConfig {
        moves,
        seed: config.exact.seed,
        ..AnnealConfig::default()
    };
    anneal(party, pool, team, &config).map(|(_, items)| items)
}

/// What a search comes to.
enum Found {
    /// A team, if all goes well the cheapest.
    Team(Point),
    /// A proof that there is none.
    None,
    /// Neither.
    Open,
}

/// The cheapest team with the synergy that is asked for.
fn cheapest(
    party: &Party,
    at_least: i64,
    last: Option<&Point>,
    config: &FrontConfig,
    budget: &Budget,
    visit: &mut dyn FnMut(&[u32]),
) -> Result<Found, SearchError> {
    let pool: Vec<u32> = (0..party.items.len() as u32).collect();
    let known = last.and_then(|last| annealed(party, &pool, &last.team, config.moves, config));
    if let Some(items) = &known {
        visit(items);
    }
    let mut exact = Exact::new(party, known.as_deref(), config.exact);
    let limits = Budget {
        expansions: Some(config.regions),
        ..budget.clone()
    };
    let outcome = run(&mut exact, &limits, &mut Visitor(visit))?;
    let Some(best) = outcome.best() else {
        return Ok(match outcome {
            Outcome::Unsolvable => Found::None,
            _ => Found::Open,
        });
    };
    let bound = outcome.bound().unwrap_or(i64::MIN);
    // More synergy is never cheaper.
    let bound = bound.max(last.map_or(i64::MIN, |last| last.bound));
    Ok(Found::Team(Point {
        at_least,
        synergy: Team::new(party, &best.actions).synergy(),
        team: best.actions.clone(),
        price: best.value,
        bound: bound.min(best.value),
        efficient: false,
    }))
}

/// Looks for teams with more synergy for the price of one, until it is proved that there is none (where the price itself is), none
/// is found, limits are reached, or another search asks for the next synergy anyway.
fn climb(
    party: &mut Party,
    point: &mut Point,
    steps: &Steps,
    config: &FrontConfig,
    budget: &Budget,
    is_asked: &dyn Fn(i64, i64) -> bool,
    visit: &mut dyn FnMut(&[u32]),
) -> Result<(), SearchError> {
    let begun = Instant::now();
    loop {
        let next = steps.up(point.synergy + 1);
        if point.synergy >= steps.most || is_asked(next, point.synergy) {
            break;
        }
        let rest = budget.time.map(|time| time.saturating_sub(begun.elapsed()));
        if budget.cancel.is_cancelled() || rest.is_some_and(|rest| rest.is_zero()) {
            break;
        }
        ask(party, next);
        let proved = point.bound == point.price;
        let Some(pool) = cheaper(party, point.price + 1) else {
            point.efficient = proved;
            break;
        };
        let mut found = annealed(party, &pool, &point.team, config.moves, config);
        if let Some(items) = &found {
            visit(items);
        }
        found = found.filter(|items| Team::new(party, items).cost() <= point.price);
        if found.is_none() && proved {
            let options = ExactConfig {
                seed: config.exact.seed,
                ..ExactConfig::BARE
            };
            let mut exact = Exact::new(party, None, options).cheaper_than(point.price + 1);
            let limits = Budget {
                expansions: Some(config.regions),
                time: rest,
                ..budget.clone()
            };
            let outcome = run(&mut exact, &limits, &mut Visitor(visit))?;
            point.efficient = outcome == Outcome::Unsolvable;
            found = outcome.best().map(|best| best.actions.clone());
        }
        let Some(items) = found else {
            break;
        };
        point.take(party, items);
    }
    Ok(())
}

/// Where a price is not proved, anneals the team of the point above for a cheaper one; of that it asks more.
fn descend(
    party: &mut Party,
    front: &mut Front,
    config: &FrontConfig,
    budget: &Budget,
    visit: &mut dyn FnMut(&[u32]),
) {
    let mut above: Option<Vec<u32>> = None;
    for point in front.points.iter_mut().rev() {
        if point.bound < point.price && !budget.cancel.is_cancelled() {
            ask(party, point.at_least);
            match (cheaper(party, point.price), &above) {
                (None, _) => point.bound = point.price,
                (Some(pool), Some(team)) => {
                    let found = annealed(party, &pool, team, config.exact.moves, config);
                    if let Some(items) = &found {
                        visit(items);
                    }
                    let cost = |items: &[u32]| Team::new(party, items).cost();
                    if let Some(items) = found.filter(|items| cost(items) < point.price) {
                        point.take(party, items);
                    }
                }
                (Some(_), None) => {}
            }
        }
        above = Some(point.team.clone());
    }
}

/// Tells of each point what the searches after it say of it, and leaves out the points that are no better than another.
fn settle(front: &mut Front, steps: &Steps) {
    // The search after it, for more than the team has, and the bound of what that costs.
    let mut above: Option<(i64, i64)> = front.none_from.map(|none| (none, i64::MAX));
    for point in front.points.iter_mut().rev() {
        let next = steps.up(point.synergy + 1);
        let is_dearer = above.is_some_and(|(from, bound)| from <= next && bound > point.price);
        point.efficient |= point.bound == point.price && (is_dearer || point.synergy >= steps.most);
        above = Some((point.at_least, point.bound));
    }
    // The best first: the most synergy, of that the lowest price.
    let mut least = i64::MAX;
    front
        .points
        .sort_by_key(|point| (Reverse(point.synergy), point.price));
    front.points.retain(|point| {
        let is_better = point.price < least;
        least = least.min(point.price);
        is_better
    });
    front.points.reverse();
}

#[cfg(test)]
mod tests;
