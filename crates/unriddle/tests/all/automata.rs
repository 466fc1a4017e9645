//! Automata of the puzzles' own actions keep a shortest path to every state.

use std::collections::{HashSet, VecDeque};
use unriddle_core::GoalPuzzle;
use unriddle_cube::{Cube, Metric, pieces::SOLVED};
use unriddle_search::automaton::Automaton;
use unriddle_tiles::{Board3, Goal, Tiles, goal_cells};

/// Follows the smallest shortest path to every state from the start, and returns the number of
/// states. Actions must be listed in the order of their codes.
fn states<P: GoalPuzzle>(puzzle: &P, depth: Option<usize>) -> usize {
    let automaton = Automaton::of_puzzle(puzzle, depth).expect("generic states");
    let start = puzzle.initial_state();
    let mut known = HashSet::from([start]);
    // States of a layer in the order of their smallest paths.
    let mut open = VecDeque::from([(start, Automaton::START)]);
    while let Some((state, at)) = open.pop_front() {
        let mut last = None;
        for action in puzzle.actions(&state) {
            let code = puzzle.action_code(action);
            assert!(last.replace(code) < Some(code), "{action:?} is listed after a greater code");
            let child = puzzle.apply(&state, action);
            if known.insert(child) {
                let next = automaton.next(at, code.into());
                open.push_back((child, next.unwrap_or_else(|| panic!("{child:?} is lost"))));
            }
        }
    }
    known.len()
}

#[test]
fn every_state_keeps_a_shortest_path() {
    assert_eq!(states(&Cube::<2>::new(SOLVED, Metric::Half), None), 3_674_160);
    let goal = Tiles::<Board3>::new(&goal_cells(3), Goal::BlankLast);
    for depth in [Some(14), None] {
        assert_eq!(states(&goal, depth), 181_440);
    }
}
