//! A team as an optimisation problem over genomes, and its construction, seat by seat, as a score puzzle.
//!
//! Items with a price and a skill are placed on the nodes of a ring; neighbours must differ in kind, and
//! the skills must add up to a quota. The cheapest feasible team wins.

use super::*;
use unriddle_core::{
    Direction, Evaluation, Problem, Regret, Score, UpperBound,
    problem::{Behaviour, Repair},
};

const SEATS: usize = 5;

#[derive(Clone)]
struct Item {
    price: i64,
    skill: u32,
    kind: u8,
}

#[derive(Clone)]
struct Party {
    items: Vec<Item>,
    quota: u32,
}

/// One item for each node.
type Team = [u8; SEATS];

impl Party {
    fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut item = || Item {
            price: 1 + rng.below(50) as i64,
            skill: rng.below(10) as u32,
            kind: rng.below(3) as u8,
        };
        Self {
            items: (0..7).map(|_| item()).collect(),
            quota: 20,
        }
    }
    fn item(&self, i: u8) -> &Item {
        &self.items[usize::from(i)]
    }
    fn price(&self, team: &[u8]) -> i64 {
        team.iter().map(|&i| self.item(i).price).sum()
    }
    /// Missing skill and neighbours of one kind.
    fn violation(&self, team: &Team) -> u32 {
        let skill: u32 = team.iter().map(|&i| self.item(i).skill).sum();
        let alike =
            |&seat: &usize| self.item(team[seat]).kind == self.item(team[(seat + 1) % SEATS]).kind;
        self.quota.saturating_sub(skill) + (0..SEATS).filter(alike).count() as u32
    }
}

impl Problem for Party {
    type Genome = Team;
    fn direction(&self) -> Direction {
        Direction::Minimise
    }
    fn evaluate(&self, genomes: &[Team], out: &mut [Evaluation]) {
        for (team, out) in genomes.iter().zip(out) {
            *out = Evaluation {
                objective: self.price(team) as f64,
                violation: self.violation(team).into(),
            };
        }
    }
}

impl Repair for Party {
    fn repair(&self, team: &mut Team, rng: &mut Rng) -> bool {
        for _ in 0..100 {
            let before = self.violation(team);
            if before == 0 {
                return true;
            }
            let mut changed = *team;
            changed[rng.below(SEATS as u64) as usize] = rng.below(self.items.len() as u64) as u8;
            if self.violation(&changed) <= before {
                *team = changed;
            }
        }
        self.violation(team) == 0
    }
}

impl Behaviour for Party {
    fn axes(&self) -> usize {
        2
    }
    fn behaviour(&self, team: &Team, out: &mut [f64]) {
        let skill: u32 = team.iter().map(|&i| self.item(i).skill).sum();
        let distinct = team.iter().collect::<BTreeSet<_>>().len();
        out[0] = f64::from(skill) / (9 * SEATS) as f64;
        out[1] = (distinct - 1) as f64 / (SEATS - 1) as f64;
    }
}

/// The first seats are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Partial {
    team: Team,
    taken: u8,
}

struct Construction(Party);

/// `Range` is not `Copy`, so a cursor counts for itself.
#[derive(Clone, Copy)]
struct Candidates {
    next: u8,
    end: u8,
}
impl Iterator for Candidates {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        self.next += 1;
        (self.next <= self.end).then(|| self.next - 1)
    }
}

impl Puzzle for Construction {
    type State = Partial;
    type Action = u8;
    type Actions = Candidates;

    fn initial_state(&self) -> Partial {
        Partial {
            team: [0; SEATS],
            taken: 0,
        }
    }
    fn actions(&self, state: &Partial) -> Candidates {
        let complete = usize::from(state.taken) == SEATS;
        Candidates {
            next: 0,
            end: if complete {
                0
            } else {
                self.0.items.len() as u8
            },
        }
    }
    fn apply(&self, state: &Partial, action: u8) -> Partial {
        let mut after = *state;
        after.team[usize::from(after.taken)] = action;
        after.taken += 1;
        after
    }
}

impl ScorePuzzle for Construction {
    fn reward(&self, _: &Partial, action: u8) -> Score {
        -self.0.price(&[action])
    }
    fn terminal_bonus(&self, state: &Partial) -> Score {
        -1000 * Score::from(self.0.violation(&state.team))
    }
}

/// Every empty seat goes to the cheapest item.
struct CheapestSeats;
impl UpperBound<Construction> for CheapestSeats {
    fn upper(&self, puzzle: &Construction, state: &Partial) -> Score {
        let least = puzzle
            .0
            .items
            .iter()
            .map(|item| item.price)
            .min()
            .unwrap_or(0);
        -least * (SEATS as Score - Score::from(state.taken))
    }
}

#[test]
fn construction_and_problem_agree_on_the_cheapest_team() {
    let mut solvable = 0;
    for seed in 0..6 {
        let party = Party::random(seed);
        let n = party.items.len();
        let teams: Vec<Team> = (0..n.pow(SEATS as u32))
            .map(|code| std::array::from_fn(|seat| (code / n.pow(seat as u32) % n) as u8))
            .collect();
        let mut values = vec![
            Evaluation {
                objective: 0.0,
                violation: 0.0
            };
            teams.len()
        ];
        party.evaluate(&teams, &mut values);
        let feasible = values
            .iter()
            .filter(|v| v.violation == 0.0)
            .map(|v| v.objective);
        let best = feasible.reduce(|a, b| {
            if party.direction().is_better(a, b) {
                a
            } else {
                b
            }
        });

        let regret = Regret::new(Construction(party.clone()), CheapestSeats);
        walk(&regret, 10);
        let (cost, team) = regret::cheapest(&regret).expect("every team is an end");
        assert_eq!(regret.fault(), None);
        match best {
            Some(best) => {
                solvable += 1;
                assert_eq!(-regret.score(cost), best as i64);
            }
            None => assert!(regret.score(cost) <= -1000),
        }
        assert_eq!(team.len(), SEATS);
    }
    assert!((1..6).contains(&solvable), "both cases are met");
}

#[test]
fn genomes_are_mended_and_have_behaviour() {
    let mut rng = Rng::new(5);
    let mut team = [0; SEATS];
    let mended = (0..6).map(Party::random).filter(|party| {
        team = [0; SEATS];
        assert!(party.violation(&team) > 0);
        let mended = party.repair(&mut team, &mut rng);
        assert_eq!(party.violation(&team) == 0, mended);
        mended
    });
    let party = mended.last().expect("three of them have a feasible team");
    let mut place = vec![0.0; party.axes()];
    party.behaviour(&team, &mut place);
    assert!(place.iter().all(|x| (0.0..=1.0).contains(x)));
}
