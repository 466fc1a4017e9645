//! The bidirectional beam on all stacks of six pancakes, compared with breadth-first distances.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, VecDeque},
};
use unriddle_core::{
    BatchHeuristic, Blind, Budget, Estimate, GoalDistances, Guarantee, Inverses, Invertible,
    Numbers, Outcome, Progress, Puzzle, Quota, Reversible, Row, Scalar, Search, SearchError, run,
};
use unriddle_core::{Cost, GoalPuzzle};
use unriddle_search::{
    beam::{BeamConfig, Direction},
    bidirectional::BidirectionalBeam,
};

pub(crate) const SIZE: usize = 6;

pub(crate) type Stack = [u8; SIZE];

pub(crate) struct Pancakes(pub(crate) Stack);

impl Puzzle for Pancakes {
    type State = Stack;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> Stack {
        self.0
    }
    fn actions(&self, _: &Stack) -> Numbers {
        Numbers::new(2, SIZE as u8)
    }
    fn apply(&self, stack: &Stack, flip: u8) -> Stack {
        let mut after = *stack;
        after[..usize::from(flip)].reverse();
        after
    }
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        last == next
    }
}

impl GoalPuzzle for Pancakes {
    fn is_goal(&self, stack: &Stack) -> bool {
        stack.is_sorted()
    }
}

impl Reversible for Pancakes {
    fn inverse(&self, flip: u8) -> u8 {
        flip
    }
}

impl Invertible for Pancakes {
    fn inverted(&self, stack: &Stack) -> Stack {
        let mut inverse = [0; SIZE];
        for (place, &size) in stack.iter().enumerate() {
            inverse[usize::from(size)] = place as u8;
        }
        inverse
    }
    fn space(&self) -> String {
        "six pancakes".to_owned()
    }
}

pub(crate) const SORTED: Stack = [0, 1, 2, 3, 4, 5];

/// Distances of all stacks.
pub(crate) fn distances() -> BTreeMap<Stack, u32> {
    let puzzle = Pancakes(SORTED);
    let mut all = BTreeMap::from([(SORTED, 0)]);
    let mut open = VecDeque::from([SORTED]);
    while let Some(stack) = open.pop_front() {
        for flip in puzzle.actions(&stack) {
            let next = puzzle.apply(&stack, flip);
            if !all.contains_key(&next) {
                all.insert(next, all[&stack] + 1);
                open.push_back(next);
            }
        }
    }
    all
}

/// The goal table contains only small distances.
pub(crate) struct Near {
    pub(crate) all: BTreeMap<Stack, u32>,
    pub(crate) most: u32,
}

impl GoalDistances<Pancakes> for Near {
    fn distance(&self, _: &Pancakes, stack: &Stack) -> Option<u32> {
        Some(self.all[stack]).filter(|&distance| distance <= self.most)
    }
    fn bytes(&self) -> u64 {
        0
    }
}

pub(crate) fn gap(_: &Pancakes, stack: &Stack) -> Option<Cost> {
    let pairs = stack.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) > 1);
    Some(pairs.count() as Cost)
}

fn config(width: usize) -> BeamConfig {
    BeamConfig { width, direction: Direction::Bidirectional, ..BeamConfig::default() }
}

#[test]
fn a_beam_that_cuts_nothing_off_finds_shortest_paths() {
    let all = distances();
    assert_eq!(all.len(), 720);
    let blind = Scalar(Blind);
    for (most, ends) in [
        (0, Direction::Bidirectional),
        (3, Direction::Bidirectional),
        (0, Direction::Forward),
        (3, Direction::Forward),
    ] {
        let near = Near { all: all.clone(), most };
        let config = BeamConfig { direction: ends, ..config(1000) };
        for (&stack, &distance) in &all {
            let puzzle = Pancakes(stack);
            let near = (most > 0).then_some(&near as &dyn GoalDistances<Pancakes>);
            let search = BidirectionalBeam::new(&puzzle, &blind, Inverses::new(), config).unwrap();
            let mut search = search.with_goal_table(near);
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().expect("every stack can be sorted");
            let end = (best.actions.iter()).fold(stack, |at, &flip| puzzle.apply(&at, flip));
            assert_eq!(end, SORTED);
            assert_eq!(best.value, i64::from(distance), "{stack:?}");
        }
    }
}

/// A narrow beam finds paths, the same ones for any number of threads and however its work is cut.
#[test]
fn threads_and_steps_change_nothing() {
    let gap = Scalar(Estimate::new(Guarantee::Consistent, gap));
    let all = distances();
    for &stack in all.keys().step_by(23) {
        let puzzle = Pancakes(stack);
        for (width, rerank) in [(1, 1), (3, 1), (400, 1), (1, 64), (3, 2), (400, 3)] {
            let config = BeamConfig { rerank, ..config(width) };
            let search = |threads| {
                let search =
                    BidirectionalBeam::new(&puzzle, &gap, Inverses::new(), config).unwrap();
                search.with_threads(threads)
            };
            let mut whole = search(1);
            let outcome = run(&mut whole, &Budget::default(), &mut ()).unwrap();
            if let Some(best) = outcome.best() {
                let end = (best.actions.iter()).fold(stack, |at, &flip| puzzle.apply(&at, flip));
                assert_eq!(end, SORTED);
                assert!(best.value >= i64::from(all[&stack]));
            }
            let mut shared = search(3);
            assert_eq!(run(&mut shared, &Budget::default(), &mut ()).unwrap(), outcome);
            let mut cut = search(1);
            let stepped = loop {
                let quota = Quota { expanded: cut.stats().expanded + 1, ..Quota::UNLIMITED };
                match cut.advance(&quota, &mut ()) {
                    Progress::Running => {}
                    Progress::Finished(outcome) => break outcome,
                    other => panic!("{other:?}"),
                }
            };
            assert_eq!(stepped, outcome);
            for other in [shared.stats(), cut.stats()] {
                let counters = (other.expanded, other.generated, other.evaluated);
                let whole = whole.stats();
                assert_eq!(counters, (whole.expanded, whole.generated, whole.evaluated));
            }
        }
    }
}

/// Estimate of twice the distance for one of a state and its inverse, and of 0 for the other.
struct Half(BTreeMap<Stack, u32>);

impl BatchHeuristic<Pancakes> for Half {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Pancakes>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            let distance = self.0[row.state] as f32;
            *out = match row.state.cmp(&row.puzzle.inverted(row.state)) {
                Ordering::Less => 2.0 * distance,
                Ordering::Equal => distance,
                Ordering::Greater => 0.0,
            };
        }
    }
}

/// Such a heuristic misleads a beam that does not rerank.
#[test]
fn inverses_of_candidates_are_asked_as_well() {
    let all = distances();
    let half = Half(all.clone());
    let longer = |rerank| {
        let config = BeamConfig { rerank, max_depth: 30, ..config(1) };
        let excess = all.iter().map(|(&stack, &distance)| {
            let puzzle = Pancakes(stack);
            let mut search =
                BidirectionalBeam::new(&puzzle, &half, Inverses::new(), config).unwrap();
            let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
            let found = outcome.best().map_or(30, |best| best.value);
            found - i64::from(distance)
        });
        excess.sum::<i64>()
    };
    // A state has ten children at most: all of them are candidates.
    assert_eq!(longer(10), 0);
    assert!(longer(1) > 720, "{}", longer(1));
}

#[test]
fn a_beam_that_does_not_fit_is_rejected_with_the_widest_that_fits() {
    let puzzle = Pancakes([3, 5, 1, 0, 2, 4]);
    let blind = Scalar(Blind);
    let dear = BeamConfig { max_cost: 3, ..config(10) };
    let error = BidirectionalBeam::new(&puzzle, &blind, Inverses::new(), dear).err().unwrap();
    assert!(error.to_string().contains("max_depth"), "{error}");
    let mut search =
        BidirectionalBeam::new(&puzzle, &blind, Inverses::new(), config(1 << 20)).unwrap();
    let budget = Budget { memory: Some(1 << 24), ..Budget::default() };
    let error = run(&mut search, &budget, &mut ()).unwrap_err();
    assert!(matches!(error, SearchError::TooLarge(_)));
    let widest = error.to_string();
    let widest: usize = widest.rsplit(' ').next().unwrap().parse().expect(&widest);
    let mut search =
        BidirectionalBeam::new(&puzzle, &blind, Inverses::new(), config(widest)).unwrap();
    assert!(run(&mut search, &budget, &mut ()).unwrap().best().is_some());
    // And no cheaper solution than the cheapest one is found.
    let below = Some(distances()[&puzzle.0]);
    let search = BidirectionalBeam::new(&puzzle, &blind, Inverses::new(), config(1000)).unwrap();
    let outcome = run(&mut search.below(below), &Budget::default(), &mut ()).unwrap();
    assert_eq!(outcome, Outcome::Exhausted { best: None });
}
