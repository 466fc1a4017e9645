//! Rubik's cube in both metrics: cubies with orientations, opposite faces commute, symmetries.
//!
//! Corners are URF UFL ULB UBR DFR DLF DBL DRB and edges UR UF UL UB DR DF DL DB FR FL BL BR, as in
//! Kociemba's description of the cubie level.

use super::*;
use std::collections::BTreeSet;
use unriddle_conformance as conformance;
use unriddle_core::{Cost, Features, Reversible, Symmetric};

/// Cubie and orientation at each position: cubie·3 + twist and cubie·2 + flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    corners: [u8; 8],
    edges: [u8; 12],
}

const SOLVED: State = State {
    corners: [0, 3, 6, 9, 12, 15, 18, 21],
    edges: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22],
};

/// Permutation of the corners with their twists, and of the edges with their flips.
type Permutation = ([u8; 8], [u8; 8], [u8; 12], [u8; 12]);

/// Quarter turns U R F D L B, then the rotation of the whole cube about the vertical axis.
const TURNS: [Permutation; 7] = [
    ([3, 0, 1, 2, 4, 5, 6, 7], [0; 8], [3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11], [0; 12]),
    (
        [4, 1, 2, 0, 7, 5, 6, 3],
        [2, 0, 0, 1, 1, 0, 0, 2],
        [8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0],
        [0; 12],
    ),
    (
        [1, 5, 2, 3, 0, 4, 6, 7],
        [1, 2, 0, 0, 2, 1, 0, 0],
        [0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11],
        [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    ),
    ([0, 1, 2, 3, 5, 6, 7, 4], [0; 8], [0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11], [0; 12]),
    (
        [0, 2, 6, 3, 4, 1, 5, 7],
        [0, 1, 2, 0, 0, 2, 1, 0],
        [0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11],
        [0; 12],
    ),
    (
        [0, 1, 3, 7, 4, 5, 2, 6],
        [0, 0, 1, 2, 0, 0, 2, 1],
        [0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7],
        [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1],
    ),
    (
        [3, 0, 1, 2, 7, 4, 5, 6],
        [0; 8],
        [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
    ),
];

/// Applies `a`, then `b`.
fn product(a: &State, b: &State) -> State {
    let corner = |c: u8| {
        let from = a.corners[usize::from(c / 3)];
        from / 3 * 3 + (from % 3 + c % 3) % 3
    };
    let edge = |e: u8| a.edges[usize::from(e / 2)] ^ (e % 2);
    State { corners: b.corners.map(corner), edges: b.edges.map(edge) }
}

fn turn(index: usize, times: usize) -> State {
    let (cp, co, ep, eo) = &TURNS[index];
    let once = State {
        corners: std::array::from_fn(|i| cp[i] * 3 + co[i]),
        edges: std::array::from_fn(|i| ep[i] * 2 + eo[i]),
    };
    (0..times).fold(SOLVED, |state, _| product(&state, &once))
}

#[derive(Clone, Copy, PartialEq)]
enum Metric {
    Quarter,
    Half,
}

struct Cube {
    start: State,
    metric: Metric,
    /// Turns of each face: once, twice, three times.
    moves: [State; 18],
}

/// Face·3 + number of quarter turns − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn(u8);

/// Cursor over all turns, which are always legal.
#[derive(Clone, Copy)]
struct Turns {
    next: u8,
    skips_half: bool,
}
impl Iterator for Turns {
    type Item = Turn;
    fn next(&mut self) -> Option<Turn> {
        if self.skips_half && self.next % 3 == 1 {
            self.next += 1;
        }
        let turn = Turn(self.next);
        self.next += 1;
        (turn.0 < 18).then_some(turn)
    }
}

impl Cube {
    fn new(metric: Metric, start: State) -> Self {
        Self { start, metric, moves: std::array::from_fn(|i| turn(i / 3, i % 3 + 1)) }
    }
}

impl Puzzle for Cube {
    type State = State;
    type Action = Turn;
    type Actions = Turns;

    fn initial_state(&self) -> State {
        self.start
    }
    fn actions(&self, _: &State) -> Turns {
        Turns { next: 0, skips_half: self.metric == Metric::Quarter }
    }
    fn apply(&self, state: &State, action: Turn) -> State {
        product(state, &self.moves[usize::from(action.0)])
    }
    fn is_inverse(&self, last: Turn, next: Turn) -> bool {
        next == self.inverse(last)
    }
    fn commutes_after(&self, last: Turn, next: Turn) -> bool {
        let (before, after) = (last.0 / 3, next.0 / 3);
        if before == after {
            // Two turns of a face are one turn or no turn; two quarters back are two quarters
            // forth.
            return self.metric == Metric::Half || (last == next && last.0 % 3 == 2);
        }
        // Opposite faces are three apart; the lower face goes first.
        before == after + 3
    }
}

impl GoalPuzzle for Cube {
    fn is_goal(&self, state: &State) -> bool {
        *state == SOLVED
    }
    fn action_cost(&self, _: &State, action: Turn) -> Cost {
        let half = action.0 % 3 == 1;
        1 + Cost::from(half && self.metric == Metric::Quarter)
    }
}

impl Reversible for Cube {
    fn inverse(&self, action: Turn) -> Turn {
        Turn(action.0 / 3 * 3 + 2 - action.0 % 3)
    }
}

impl Symmetric for Cube {
    fn canonical(&self, state: &State) -> State {
        // Only the rotations about one axis; the whole group has 48 elements.
        let seen_from = |k| product(&product(&turn(6, k), state), &turn(6, (4 - k) % 4));
        (0..4).map(seen_from).min().unwrap_or(*state)
    }
}

impl Features for Cube {
    fn feature_len(&self) -> usize {
        20 * 24
    }
    fn active(&self, state: &State, sink: &mut dyn FnMut(u32)) {
        let all = state.corners.iter().chain(&state.edges);
        all.enumerate().for_each(|(place, &c)| sink(place as u32 * 24 + u32::from(c)));
    }
}

#[test]
fn the_shape_fits() {
    for (metric, branching) in [(Metric::Quarter, 12), (Metric::Half, 18)] {
        let cube = Cube::new(metric, SOLVED);
        assert_eq!(cube.actions(&SOLVED).count(), branching);
        let states = walk(&cube, 60);
        let subject = Subject::new(&cube);
        conformance::goal(&subject).unwrap();
        conformance::reversible(&subject).unwrap();
        conformance::features(&subject).unwrap();
        conformance::symmetric(&subject).unwrap();
        for state in &states {
            let rotated = product(&product(&turn(6, 1), state), &turn(6, 3));
            assert_eq!(cube.canonical(&rotated), cube.canonical(state));
        }
        assert!(distance(&Cube::new(metric, states[3]), 3).is_some());
    }
    // The order of two turns equals their order in the group: (R U)^105 is the identity.
    let cube = Cube::new(Metric::Half, SOLVED);
    let mut state = SOLVED;
    let order = (1..).find(|_| {
        state = cube.apply(&cube.apply(&state, Turn(3)), Turn(0));
        state == SOLVED
    });
    assert_eq!((order, size_of::<State>()), (Some(105), 20));
    // Number of positions at each depth of the half-turn metric: 1, 18, 243.
    let mut seen = BTreeSet::from([SOLVED]);
    let mut layer = vec![SOLVED];
    for expected in [18, 243] {
        let children = layer.iter().flat_map(|s| cube.actions(s).map(|a| cube.apply(s, a)));
        layer = children.filter(|s| seen.insert(*s)).collect();
        assert_eq!(layer.len(), expected);
    }
}
