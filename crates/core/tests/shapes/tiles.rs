//! Sliding tiles: nibbles in a word, a bit set of directions, an incremental heuristic.

use super::*;
use unriddle_core::{Backward, Blind, Cost, Guarantee, Heuristic, Maximum, Notation, ParseError};

/// The direction in which a tile moves, as an index of `LETTERS`.
type Direction = u8;
const LETTERS: &[u8; 4] = b"UDLR";

struct Tiles {
    start: State,
}

/// Tile at cell `i` in nibble `i`; the blank's cell is kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    cells: u64,
    blank: u8,
}

#[derive(Clone, Copy)]
struct Directions(Bits<1>);
impl Iterator for Directions {
    type Item = Direction;
    fn next(&mut self) -> Option<Direction> {
        self.0.next().map(|d| d as Direction)
    }
}

impl State {
    fn tile(self, cell: u8) -> u64 {
        self.cells >> (4 * cell) & 15
    }
    /// The cell whose tile moves into the blank.
    fn source(self, direction: Direction) -> Option<u8> {
        let (row, column) = (self.blank / 4, self.blank % 4);
        match direction {
            0 if row < 3 => Some(self.blank + 4),
            1 if row > 0 => Some(self.blank - 4),
            2 if column < 3 => Some(self.blank + 1),
            3 if column > 0 => Some(self.blank - 1),
            _ => None,
        }
    }
}

const GOAL: State = State {
    cells: 0x0fed_cba9_8765_4321,
    blank: 15,
};

impl Puzzle for Tiles {
    type State = State;
    type Action = Direction;
    type Actions = Directions;

    fn initial_state(&self) -> State {
        self.start
    }
    fn actions(&self, state: &State) -> Directions {
        let mut set = Bits::EMPTY;
        (0..4)
            .filter(|&d| state.source(d).is_some())
            .for_each(|d| set.insert(usize::from(d)));
        Directions(set)
    }
    fn actions_after(&self, state: &State, last: Direction) -> Directions {
        let mut set = self.actions(state);
        set.0.0[0] &= !(1 << (last ^ 1));
        set
    }
    fn apply(&self, state: &State, action: Direction) -> State {
        let Some(source) = state.source(action) else {
            return *state;
        };
        let tile = state.tile(source);
        let cells = state.cells ^ (tile << (4 * source)) ^ (tile << (4 * state.blank));
        State {
            cells,
            blank: source,
        }
    }
    fn is_inverse(&self, last: Direction, next: Direction) -> bool {
        next == last ^ 1
    }
}

impl GoalPuzzle for Tiles {
    fn is_goal(&self, state: &State) -> bool {
        *state == GOAL
    }
}

impl Reversible for Tiles {
    fn inverse(&self, action: Direction) -> Direction {
        action ^ 1
    }
}

impl Backward for Tiles {
    fn predecessors(&self, state: &State, visit: &mut dyn FnMut(State, Direction)) {
        self.actions(state)
            .for_each(|action| visit(self.apply(state, action), self.inverse(action)));
    }
    fn goal_states(&self) -> Vec<State> {
        vec![GOAL]
    }
}

impl Features for Tiles {
    fn feature_len(&self) -> usize {
        256
    }
    fn active(&self, state: &State, sink: &mut dyn FnMut(u32)) {
        (0..16).for_each(|cell| sink(u32::from(cell) * 16 + state.tile(cell) as u32));
    }
    fn delta(&self, state: &State, action: Direction, sink: &mut dyn FnMut(u32, bool)) {
        let child = self.apply(state, action);
        for cell in [state.blank, child.blank] {
            sink(u32::from(cell) * 16 + state.tile(cell) as u32, false);
            sink(u32::from(cell) * 16 + child.tile(cell) as u32, true);
        }
    }
}

impl Notation for Tiles {
    fn state_text(&self, state: &State) -> String {
        (0..16)
            .map(|cell| state.tile(cell).to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }
    fn solution_text(&self, actions: &[Direction]) -> String {
        actions
            .iter()
            .map(|&d| char::from(LETTERS[usize::from(d)]))
            .collect()
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<Direction>, ParseError> {
        let mut state = self.start;
        let read = |(i, byte): (usize, u8)| {
            let known = LETTERS
                .iter()
                .position(|&letter| letter == byte)
                .map(|d| d as Direction);
            match known.filter(|&d| state.source(d).is_some()) {
                Some(direction) => {
                    state = self.apply(&state, direction);
                    Ok(direction)
                }
                None => Err(ParseError::at(1, i + 1, "not a legal move")),
            }
        };
        text.bytes().enumerate().map(read).collect()
    }
}

struct Manhattan;
fn away(tile: u64, cell: u8) -> Cost {
    let home = (tile as u8).wrapping_sub(1);
    if tile == 0 {
        0
    } else {
        Cost::from((home / 4).abs_diff(cell / 4) + (home % 4).abs_diff(cell % 4))
    }
}
impl Heuristic<Tiles> for Manhattan {
    type Memo = Cost;
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn root(&self, _: &Tiles, state: &State) -> Option<(Cost, Cost)> {
        let sum = (0..16).map(|cell| away(state.tile(cell), cell)).sum();
        Some((sum, sum))
    }
    fn child(
        &self,
        _: &Tiles,
        parent: &State,
        memo: &Cost,
        _: Direction,
        child: &State,
    ) -> Option<(Cost, Cost)> {
        let tile = parent.tile(child.blank);
        let sum = memo + away(tile, parent.blank) - away(tile, child.blank);
        Some((sum, sum))
    }
}

#[test]
fn the_shape_fits() {
    let puzzle = Tiles { start: GOAL };
    let states = walk(&puzzle, 200);
    inverses_lead_back(&puzzle, &states);
    features_agree(&puzzle, &states);
    let both = Maximum(Manhattan, Blind);
    for state in &states {
        let (h, memo) = both.root(&puzzle, state).expect("no dead ends");
        for action in puzzle.actions(state) {
            let child = puzzle.apply(state, action);
            let found = both.child(&puzzle, state, &memo, action, &child);
            assert_eq!(found, both.root(&puzzle, &child));
            assert!(found.is_some_and(|(next, _)| h <= next + 1));
        }
        puzzle.predecessors(state, &mut |before, action| {
            assert_eq!(puzzle.apply(&before, action), *state);
        });
    }
    assert_eq!(
        puzzle
            .parse_solution("DRUL")
            .map(|a| puzzle.solution_text(&a)),
        Ok("DRUL".to_owned())
    );
    assert_eq!(puzzle.parse_solution("DRX").map_err(|e| e.column), Err(3));
    assert!(
        puzzle
            .state_text(&puzzle.goal_states()[0])
            .starts_with("1 2 3")
    );
    assert_eq!((size_of::<State>(), size_of::<Directions>()), (16, 8));
    assert_eq!(
        distance(&Tiles { start: states[9] }, 9).map(|d| d % 2),
        Some(1)
    );
}
