//! Toy puzzles, and the list of searches that the tests run on them.
//!
//! The puzzles are written as naively as possible. A new search needs one line in [`searches`].
#![allow(dead_code, unreachable_pub)]

mod blocks;
mod puzzles;
// Not every test binary plays them all.
#[allow(unused_imports)]
pub use {blocks::*, puzzles::*, unriddle_conformance::Events};

use unriddle_conformance::Promises;
use unriddle_core::{
    GoalPuzzle, Heuristic, Observer, Outcome, Progress, Puzzle, Quota, Row, Scalar, Search,
    Solution,
};
use unriddle_search::{
    astar::{AStar, AStarConfig},
    beam::{Beam, BeamConfig, Order},
    bfs::{Bfs, BfsConfig},
    bwas::{Bwas, BwasConfig, Stop},
    deepening::{Deepening, DeepeningConfig},
    greedy::{Greedy, GreedyConfig},
    idastar::IdaStar,
    idtt::{Idtt, IdttConfig},
    qbeam::ActionValues,
    staged::{Keep, Staged, StagedConfig},
    widening::Widening,
};

pub type Boxed<'a, P> = Box<dyn Search<Action = <P as Puzzle>::Action> + 'a>;
type Make<P, H> = for<'a> fn(&'a P, &'a Scalar<H>) -> Boxed<'a, P>;

/// A search under test.
pub struct Tested<P: GoalPuzzle, H: Heuristic<P>> {
    pub name: &'static str,
    /// Whether it is optimal with an admissible heuristic.
    pub optimal: bool,
    /// Whether it ends on unsolvable puzzles with cycles.
    pub proves_unsolvable: bool,
    /// Whether its count of expansions depends on the memory it may use.
    pub adapts_to_memory: bool,
    pub make: Make<P, H>,
}

impl<P: GoalPuzzle, H: Heuristic<P>> Tested<P, H> {
    /// For the suites.
    pub fn promises(&self) -> Promises {
        Promises {
            optimal: self.optimal,
            proves_alone: self.name == "bfs" || self.name.starts_with("deepening"),
            proves_unsolvable: self.proves_unsolvable,
            adapts_to_memory: self.adapts_to_memory,
            ..Promises::default()
        }
    }
}

fn tested<P: GoalPuzzle, H: Heuristic<P>>(
    name: &'static str,
    optimal: bool,
    make: Make<P, H>,
) -> Tested<P, H> {
    Tested { name, optimal, proves_unsolvable: true, adapts_to_memory: false, make }
}

fn bwas<'a, P: GoalPuzzle, H: Heuristic<P>>(
    p: &'a P,
    h: &'a Scalar<H>,
    lambda: f64,
    batch: usize,
    stop: Stop,
) -> Boxed<'a, P> {
    let config = BwasConfig { lambda, batch, stop, ..Default::default() };
    Box::new(Bwas::new(p, h, config).unwrap())
}

fn beam<'a, P: GoalPuzzle, H: Heuristic<P>>(
    p: &'a P,
    h: &'a Scalar<H>,
    width: usize,
    order: Order,
) -> Boxed<'a, P> {
    let config = BeamConfig { width, order, ..Default::default() };
    Box::new(Beam::new(p, h, config).unwrap())
}

/// Beams that widen from a width of `width`/256 on.
pub fn widening<'a, P: GoalPuzzle, H: Heuristic<P>>(
    p: &'a P,
    h: &'a Scalar<H>,
    width: usize,
) -> Boxed<'a, P> {
    let config = BeamConfig { width, ..Default::default() };
    Box::new(Widening::new(config, |config, below| {
        Ok(Box::new(Beam::new(p, h, config)?.below(below)))
    }))
}

fn staged<'a, P: GoalPuzzle, H: Heuristic<P>>(
    p: &'a P,
    h: &'a Scalar<H>,
    depth: u32,
    table: usize,
    open: Keep,
) -> Boxed<'a, P> {
    let config = StagedConfig { depth, table, open, quantum: 0.0 };
    Box::new(Staged::new(p, h, config).unwrap())
}

/// All searches, some with several configurations.
pub fn searches<P: GoalPuzzle, H: Heuristic<P>>() -> Vec<Tested<P, H>> {
    let idtt = |name, make| Tested { adapts_to_memory: true, ..tested(name, true, make) };
    vec![
        tested("bfs", true, |p, _| Box::new(Bfs::new(p, BfsConfig {}).unwrap())),
        tested("astar", true, |p, h| Box::new(AStar::new(p, h, AStarConfig::default()).unwrap())),
        idtt("idtt", |p, h| Box::new(Idtt::new(p, &h.0, IdttConfig::default()).unwrap())),
        idtt("deepening", |p, h| {
            Box::new(Deepening::new(p, &h.0, DeepeningConfig::default()).unwrap())
        }),
        tested("astar(w=1.5)", false, |p, h| {
            Box::new(AStar::new(p, h, AStarConfig { w: 1.5 }).unwrap())
        }),
        tested("astar(w=2.717)", false, |p, h| {
            Box::new(AStar::new(p, h, AStarConfig { w: 2.717 }).unwrap())
        }),
        tested("greedy", false, |p, h| {
            Box::new(Greedy::new(p, h, GreedyConfig::default()).unwrap())
        }),
        tested("bwas", false, |p, h| bwas(p, h, 0.6, 10_000, Stop::Selected)),
        tested("bwas(batch=1, lambda=1)", true, |p, h| bwas(p, h, 1.0, 1, Stop::Selected)),
        tested("bwas(batch=7, lambda=0.2)", false, |p, h| bwas(p, h, 0.2, 7, Stop::Selected)),
        tested("bwas(batch=5, lambda=0)", false, |p, h| bwas(p, h, 0.0, 5, Stop::Selected)),
        tested("bwas(batch=20, stop=generated)", false, |p, h| {
            bwas(p, h, 0.8, 20, Stop::Generated)
        }),
        tested("beam", false, |p, h| beam(p, h, 1_000_000, Order::H)),
        tested("beam(order=f)", false, |p, h| beam(p, h, 1_000_000, Order::F)),
        tested("staged(open=list)", false, |p, h| staged(p, h, 7, 200_000, Keep::All)),
        tested("staged(depth=1, open=list)", false, |p, h| staged(p, h, 1, 200_000, Keep::All)),
    ]
}

/// Searches that may end without an answer.
pub fn lossy_searches<P: GoalPuzzle, H: Heuristic<P>>() -> Vec<Tested<P, H>> {
    let lossy = |name, make| Tested { proves_unsolvable: false, ..tested(name, false, make) };
    vec![
        lossy("staged", |p, h| staged(p, h, 7, 200_000, Keep::OnePerScore)),
        lossy("staged(depth=3, table=50)", |p, h| staged(p, h, 3, 50, Keep::OnePerScore)),
        lossy("staged(depth=2, table=1)", |p, h| staged(p, h, 2, 1, Keep::OnePerScore)),
        lossy("staged(table=300, open=list)", |p, h| staged(p, h, 7, 300, Keep::All)),
    ]
}

/// Searches that answer every solvable toy but cannot show that there is no solution.
pub fn narrow_searches<P: GoalPuzzle, H: Heuristic<P>>() -> Vec<Tested<P, H>> {
    let narrow =
        |name, optimal, make| Tested { proves_unsolvable: false, ..tested(name, optimal, make) };
    vec![
        Tested {
            adapts_to_memory: true,
            ..narrow("idtt(table=1M)", true, |p, h| {
                Box::new(Idtt::new(p, &h.0, IdttConfig { table: 1 << 20 }).unwrap())
            })
        },
        Tested {
            adapts_to_memory: true,
            ..narrow("idtt(table=0)", true, |p, h| {
                Box::new(Idtt::new(p, &h.0, IdttConfig { table: 0 }).unwrap())
            })
        },
        Tested {
            adapts_to_memory: true,
            ..narrow("deepening(table=1M)", true, |p, h| {
                let config = DeepeningConfig { table: 1 << 20 };
                Box::new(Deepening::new(p, &h.0, config).unwrap())
            })
        },
        Tested {
            adapts_to_memory: true,
            ..narrow("idastar", true, |p, h| Box::new(IdaStar::new(p, &h.0).unwrap()))
        },
        narrow("beam(width=1200)", false, |p, h| beam(p, h, 1200, Order::H)),
        narrow("beam(width=300, order=f)", false, |p, h| beam(p, h, 300, Order::F)),
        narrow("beam, widening", false, |p, h| widening(p, h, 600)),
    ]
}

/// Both lists.
pub fn all_searches<P: GoalPuzzle, H: Heuristic<P>>() -> Vec<Tested<P, H>> {
    let mut list = searches();
    list.extend(narrow_searches());
    list
}

/// Runs to the end without limits.
pub fn finish<A: Clone>(
    search: &mut dyn Search<Action = A>,
    observer: &mut dyn Observer<A>,
) -> Outcome<A> {
    match search.advance(&Quota::UNLIMITED, observer) {
        Progress::Finished(outcome) => outcome,
        _ => panic!("stopped without a limit"),
    }
}

/// The cost of a path that is checked action by action.
pub fn check<P: GoalPuzzle>(puzzle: &P, solution: &Solution<P::Action>) -> i64 {
    let mut state = puzzle.initial_state();
    let mut cost = 0;
    for &action in &solution.actions {
        assert!(puzzle.actions(&state).any(|a| a == action), "illegal action");
        cost += i64::from(puzzle.action_cost(&state, action));
        state = puzzle.apply(&state, action);
    }
    assert!(puzzle.is_goal(&state), "the path does not end at a goal");
    assert_eq!(cost, solution.value, "wrong value");
    cost
}

/// The optimum by breadth-first search; `None` if there is no solution.
pub fn optimum<P: GoalPuzzle>(puzzle: &P) -> Option<i64> {
    let mut search = Bfs::new(puzzle, BfsConfig {}).unwrap();
    match finish(&mut search, &mut ()) {
        Outcome::Solved { best, proof, bound } => {
            assert!(proof && bound == Some(best.value));
            Some(check(puzzle, &best))
        }
        Outcome::Unsolvable => None,
        other => panic!("{other:?}"),
    }
}

/// Values of actions from a heuristic: its estimate of an action's result, plus the action's cost.
/// Actions are numbered by their order among the actions of a state.
pub struct Ahead<H>(pub H);

/// Most actions of a state of the toys.
pub const ACTIONS: usize = 8;

impl<P: GoalPuzzle<Action: PartialEq>, H: Heuristic<P>> ActionValues<P> for Ahead<H> {
    fn actions(&self) -> usize {
        ACTIONS
    }
    fn number(&self, puzzle: &P, state: &P::State, action: P::Action) -> usize {
        puzzle.actions(state).position(|a| a == action).unwrap()
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(ACTIONS)) {
            for (out, action) in out.iter_mut().zip(row.puzzle.actions(row.state)) {
                let child = row.puzzle.apply(row.state, action);
                let cost = row.puzzle.action_cost(row.state, action);
                let h = self.0.root(row.puzzle, &child);
                *out = h.map_or(f32::INFINITY, |(h, _)| (h + cost) as f32);
            }
        }
    }
}

/// A policy: the softmax of estimates, with the sharpness of the second number.
pub struct Policy(pub Ahead<Manhattan>, pub f32);

impl ActionValues<Sliding> for Policy {
    fn actions(&self) -> usize {
        ActionValues::<Sliding>::actions(&self.0)
    }
    fn number(&self, puzzle: &Sliding, state: &u64, action: u8) -> usize {
        self.0.number(puzzle, state, action)
    }
    fn is_policy(&self) -> bool {
        true
    }
    fn evaluate(&self, rows: &[Row<'_, Sliding>], out: &mut [f32]) {
        self.0.evaluate(rows, out);
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(ACTIONS)) {
            let count = row.puzzle.actions(row.state).count();
            let sum: f32 = out[..count].iter().map(|h| (-self.1 * h).exp()).sum();
            out.iter_mut().for_each(|h| *h = self.1 * *h + sum.ln());
        }
    }
}
