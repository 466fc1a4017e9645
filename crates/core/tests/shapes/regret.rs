//! `Regret` against exhaustive enumeration: a row of coins, taken from either end; the t-th coin
//! taken counts t times its value.

use super::*;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    hash::Hash,
};
use unriddle_core::{Regret, Score, SearchError, UpperBound};

/// A cheapest path to a goal and its cost, by Dijkstra's algorithm.
pub(super) fn cheapest<P: GoalPuzzle>(puzzle: &P) -> Option<(i64, Vec<P::Action>)>
where
    P::State: Hash,
{
    let start = puzzle.initial_state();
    let mut states = vec![(start, None)];
    let mut best = HashMap::from([(start, 0)]);
    let mut open = BinaryHeap::from([(Reverse(0), Reverse(0))]);
    while let Some((Reverse(cost), Reverse(id))) = open.pop() {
        let (state, _): (P::State, Option<(usize, P::Action)>) = states[id];
        if best[&state] < cost {
            continue;
        }
        if puzzle.is_goal(&state) {
            let mut path = Vec::new();
            let mut at = id;
            while let Some((parent, action)) = states[at].1 {
                path.push(action);
                at = parent;
            }
            path.reverse();
            return Some((cost, path));
        }
        for action in puzzle.actions(&state) {
            let child = puzzle.apply(&state, action);
            let total = cost + i64::from(puzzle.action_cost(&state, action));
            if best.get(&child).is_none_or(|&known| total < known) {
                best.insert(child, total);
                open.push((Reverse(total), Reverse(states.len())));
                states.push((child, Some((id, action))));
            }
        }
    }
    None
}

struct Coins {
    values: Vec<Score>,
    /// Earned if the last coin taken is this one.
    last: Option<(u8, Score)>,
}

/// Coins `from..to` are left; `turn` is how many are gone. An empty row has `from = to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Row {
    from: u8,
    to: u8,
    last: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Left,
    Right,
}

#[derive(Clone, Copy)]
struct Ends(u8);
impl Iterator for Ends {
    type Item = End;
    fn next(&mut self) -> Option<End> {
        self.0 = self.0.checked_sub(1)?;
        Some(if self.0 == 1 { End::Left } else { End::Right })
    }
}

impl Puzzle for Coins {
    type State = Row;
    type Action = End;
    type Actions = Ends;

    fn initial_state(&self) -> Row {
        Row { from: 0, to: self.values.len() as u8, last: u8::MAX }
    }
    fn actions(&self, row: &Row) -> Ends {
        Ends((row.to - row.from).min(2))
    }
    fn apply(&self, row: &Row, action: End) -> Row {
        match action {
            End::Left => Row { from: row.from + 1, last: row.from, ..*row },
            End::Right => Row { to: row.to - 1, last: row.to - 1, ..*row },
        }
    }
}

impl ScorePuzzle for Coins {
    fn reward(&self, row: &Row, action: End) -> Score {
        let turn = self.values.len() as Score - Score::from(row.to - row.from) + 1;
        turn * self.values[usize::from(self.apply(row, action).last)]
    }
    fn terminal_bonus(&self, row: &Row) -> Score {
        self.last.filter(|(coin, _)| *coin == row.last).map_or(0, |(_, bonus)| bonus)
    }
}

/// The coins in the best order, whether the ends allow it or not, and the bonus if it is positive.
struct AnyOrder;
impl UpperBound<Coins> for AnyOrder {
    fn upper(&self, coins: &Coins, row: &Row) -> Score {
        let mut left = coins.values[usize::from(row.from)..usize::from(row.to)].to_vec();
        left.sort_unstable();
        let gone = (coins.values.len() - left.len()) as Score;
        let sum: Score = left.iter().zip(gone + 1..).map(|(value, turn)| value * turn).sum();
        sum + coins.last.map_or(0, |(_, bonus)| bonus.max(0))
    }
}

/// Bound below the reward that can be earned.
struct TooLow;
impl UpperBound<Coins> for TooLow {
    fn upper(&self, _: &Coins, _: &Row) -> Score {
        0
    }
}

fn random(seed: u64, n: u64) -> Coins {
    let mut rng = Rng::new(seed);
    let values = (0..n).map(|_| rng.below(41) as Score - 20).collect();
    let last = (!seed.is_multiple_of(3))
        .then(|| (rng.below(n.max(1)) as u8, rng.below(400) as Score - 200));
    Coins { values, last }
}

#[test]
fn the_cheapest_path_has_the_highest_score() {
    for seed in 0..60 {
        let coins = random(seed, seed % 11);
        let best = best_score(&coins, &coins.initial_state());
        let regret = Regret::new(coins, AnyOrder);
        walk(&regret, 20);
        let (cost, path) = cheapest(&regret).expect("every row comes to an end");
        assert_eq!((regret.score(cost), regret.fault()), (best, None), "seed {seed}");
        // The path earns its value.
        let (coins, mut state, mut score) = (regret.inner(), regret.initial_state(), 0);
        for &action in &path {
            score += coins.reward(&state, action);
            state = coins.apply(&state, action);
        }
        assert!(coins.is_terminal(&state));
        assert_eq!(score + coins.terminal_bonus(&state), best);
    }
}

#[test]
fn an_inconsistent_bound_is_an_error_of_the_run() {
    let coins = Coins { values: vec![3, 5], last: None };
    let regret = Regret::new(coins, TooLow);
    let start = regret.initial_state();
    assert_eq!(regret.fault(), None);
    assert_eq!(regret.action_cost(&start, End::Left), 0);
    let first = SearchError::InconsistentBound { before: 0, reward: 3, after: 0 };
    assert_eq!(regret.fault(), Some(first.clone()));
    // The first fault is kept.
    regret.action_cost(&start, End::Right);
    assert_eq!(regret.fault(), Some(first));
}
