//! Shared parts of the tests of incremental heuristics.

use crate::{Board, Manhattan, Slide, Tiles};
use unriddle_core::{Cost, Heuristic, Puzzle, Rng};

/// Along a random walk from the goal, where the puzzle begins, a consistent heuristic that is kept
/// up incrementally equals the one made from scratch, and is no less than the Manhattan distance.
/// `same` compares memos; `seen` is given each step's number, board and estimate.
pub(crate) fn walk<B: Board, H: Heuristic<Tiles<B>>>(
    puzzle: &Tiles<B>,
    heuristic: &H,
    same: impl Fn(&H::Memo, &H::Memo) -> bool,
    seen: impl Fn(usize, &B, Cost),
) {
    let distance = Manhattan::new(puzzle);
    let mut state = puzzle.initial_state();
    let (mut h, mut memo) = heuristic.root(puzzle, &state).unwrap();
    assert_eq!(h, 0);
    let mut rng = Rng::new(11);
    for step in 0..4000 {
        seen(step, &state, h);
        for slide in puzzle.actions(&state) {
            let child = puzzle.apply(&state, slide);
            let next = heuristic.child(puzzle, &state, &memo, slide, &child);
            let (next, kept) = next.unwrap();
            let (full, made) = heuristic.root(puzzle, &child).unwrap();
            assert!(next == full && same(&kept, &made));
            assert_eq!(next.abs_diff(h), 1, "consistent, and of the right parity");
            assert!(next >= distance.root(puzzle, &child).unwrap().0);
        }
        let slides: Vec<Slide> = puzzle.actions(&state).collect();
        let slide = slides[rng.below(slides.len() as u64) as usize];
        let child = puzzle.apply(&state, slide);
        (h, memo) = heuristic.child(puzzle, &state, &memo, slide, &child).unwrap();
        state = child;
    }
}
