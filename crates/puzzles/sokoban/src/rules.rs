//! The rules. An action is a step of the player or, where pushes are counted, a push of a box. In
//! the latter case walking is free, and only the set of cells that the player can reach matters.

use crate::{
    board::{Bit, Bits, Board, Each, and, first, has, is_empty, moved, one, or, rank, without},
    level::{End, Id, Level, Move, Way},
};
use std::sync::Arc;
use unriddle_core::{Backward, GoalPuzzle, Puzzle, words};

words! {
    /// Objective of a solution.
    pub enum Measure {
        /// Pushes of boxes; walking is free.
        Pushes = "pushes",
        /// Steps of the player, including pushes.
        Moves = "moves",
    }
}

/// A position: the boxes and the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State<const W: usize> {
    /// Cells of the boxes.
    pub boxes: Bits<W>,
    /// Cell of the player; if pushes are counted, the first cell that the player can reach.
    pub player: Bit,
}

/// A Sokoban puzzle: a level, an objective and a start. Boards have `W` words.
#[derive(Clone, Debug)]
pub struct Sokoban<const W: usize> {
    board: Arc<Board<W>>,
    /// Objective of the solutions.
    pub(crate) measure: Measure,
    start: State<W>,
    /// The player's cell at the start, as in the level.
    begin: Bit,
    /// Number of rows and of columns at each side that are not part of the input of networks: 0
    /// or, since nothing can move there, 1.
    pub(crate) edge: usize,
}

/// Iterator over the actions of a position: for each direction, the cells that the player can step
/// onto, or the boxes that the player can push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves<const W: usize> {
    ways: [Each<W>; 4],
    way: u8,
    floor: Bits<W>,
}

impl<const W: usize> Iterator for Moves<W> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        loop {
            let ways = self.ways.get_mut(usize::from(self.way))?;
            if let Some(bit) = ways.next() {
                return Some(Move { onto: rank(&self.floor, bit), way: Way(self.way) });
            }
            self.way += 1;
        }
    }
}

impl<const W: usize> Sokoban<W> {
    /// The puzzle of a level; `None` if its board needs more than `W` words.
    #[must_use]
    pub fn new(level: Arc<Level>, measure: Measure) -> Option<Self> {
        let board = Arc::new(Board::new(level)?);
        let begin = board.player();
        let start = State { boxes: board.boxes, player: begin };
        let mut puzzle = Self { board, measure, start, begin, edge: 0 };
        puzzle.start = puzzle.settled(start);
        Some(puzzle)
    }

    /// Board of the level.
    #[must_use]
    pub fn board(&self) -> &Arc<Board<W>> {
        &self.board
    }

    /// The same puzzle, begun at another position.
    pub(crate) fn at(&self, state: State<W>) -> Self {
        Self { start: self.settled(state), begin: state.player, ..self.clone() }
    }

    /// The level with this puzzle's start as its initial position.
    pub(crate) fn level_from_here(&self) -> Arc<Level> {
        let level = &self.board.level;
        let is_same = self.start.boxes == self.board.boxes && self.begin == self.board.player();
        match is_same {
            true => level.clone(),
            // The cells are the level's cells, so that the picture is valid.
            false => Level::new(self.written()).map_or_else(|_| level.clone(), Arc::new),
        }
    }

    /// The player's cell at the start, as in the level.
    pub(crate) fn begin(&self) -> Id {
        self.board.id(self.begin)
    }

    /// Cells without a box.
    #[inline]
    fn free(&self, boxes: &Bits<W>) -> Bits<W> {
        without(&self.board.floor, boxes)
    }

    /// Possible cells of the player: all reachable cells if walking is free.
    #[inline]
    pub(crate) fn player(&self, state: &State<W>) -> Bits<W> {
        match self.measure {
            Measure::Moves => one(state.player),
            Measure::Pushes => self.board.reach(&one(state.player), &self.free(&state.boxes)),
        }
    }

    /// The position in its canonical form: equal positions have the player on the same cell.
    #[inline]
    pub(crate) fn settled(&self, state: State<W>) -> State<W> {
        match self.measure {
            Measure::Moves => state,
            Measure::Pushes => State { player: first(&self.player(&state)), ..state },
        }
    }
}

/// Maximum number of sets of boxes in a list of final positions.
const ENDS: usize = 256;

impl<const W: usize> Sokoban<W> {
    /// The boxes of final positions: the goals, with further cells or without some of them if
    /// boxes or goals are left over.
    fn ends(&self) -> Vec<Bits<W>> {
        let board = &*self.board;
        let (boxes, goals) = (board.level.boxes().len(), board.level.goals.len());
        let (kept, from, count) = match board.level.end {
            End::Even => return vec![board.goals],
            End::Covered => {
                (board.goals, without(&board.floor, &board.goals), boxes.checked_sub(goals))
            }
            End::Placed => ([0; W], board.goals, (boxes <= goals).then_some(boxes)),
        };
        // A level that needs more boxes than it has is unsolvable.
        let mut ends = Vec::new();
        if let Some(count) = count {
            combine(&kept, from, count, &mut ends);
        }
        ends
    }
}

/// Lists the sets `kept` with `count` more cells of `from`, in order, at most `ENDS`.
fn combine<const W: usize>(
    kept: &Bits<W>,
    mut from: Bits<W>,
    count: usize,
    ends: &mut Vec<Bits<W>>,
) {
    if count == 0 {
        ends.push(*kept);
        return;
    }
    while ends.len() < ENDS && !is_empty(&from) {
        let cell = one(first(&from));
        from = without(&from, &cell);
        combine(&or(kept, &cell), from, count - 1, ends);
    }
}

impl<const W: usize> Puzzle for Sokoban<W> {
    type State = State<W>;
    type Action = Move;
    type Actions = Moves<W>;

    fn initial_state(&self) -> State<W> {
        self.start
    }

    fn actions(&self, state: &State<W>) -> Moves<W> {
        let board = &*self.board;
        let free = self.free(&state.boxes);
        let player = self.player(state);
        let ways = Way::ALL.map(|way| {
            let mut onto = board.pushable(&player, &state.boxes, &free, way);
            if self.measure == Measure::Moves {
                onto = or(&onto, &and(&board.step(&player, way), &free));
            }
            Each(onto)
        });
        Moves { ways, way: 0, floor: board.floor }
    }

    fn apply(&self, state: &State<W>, action: Move) -> State<W> {
        let onto = self.board.bit(action.onto);
        let mut after = State { boxes: state.boxes, player: onto };
        if has(&state.boxes, onto) {
            after.boxes = moved(&state.boxes, onto, self.board.beside(onto, action.way));
        }
        self.settled(after)
    }
}

impl<const W: usize> GoalPuzzle for Sokoban<W> {
    fn is_goal(&self, state: &State<W>) -> bool {
        self.board.is_end(&state.boxes) && self.board.level.unsolvable.is_none()
    }
}

impl<const W: usize> Backward for Sokoban<W> {
    fn predecessors(&self, state: &State<W>, visit: &mut dyn FnMut(State<W>, Move)) {
        let board = &*self.board;
        let free = self.free(&state.boxes);
        let player = self.player(state);
        for way in Way::ALL {
            // Cells from which the player can have come by a step in this direction.
            let came = and(&player, &board.step(&free, way));
            if self.measure == Measure::Moves && !is_empty(&came) {
                let before = State { player: board.beside(state.player, way.back()), ..*state };
                let onto = board.id(state.player);
                visit(before, Move { onto, way });
            }
            // Among these cells, the cells with a box before the player that the player can have
            // pushed.
            let pushed = and(&came, &board.step(&state.boxes, way.back()));
            for onto in Each(pushed) {
                let boxes = moved(&state.boxes, onto, board.beside(onto, way));
                let before = State { boxes, player: board.beside(onto, way.back()) };
                let onto = board.id(onto);
                visit(self.settled(before), Move { onto, way });
            }
        }
    }

    /// All boxes are on goals. There is one state for each part of the board that the player can be
    /// in or, if moves are counted, for each free cell. If boxes or goals are left over, these are
    /// the states of the first `ENDS` sets of boxes.
    fn goal_states(&self) -> Vec<State<W>> {
        let mut states = Vec::new();
        for boxes in self.ends() {
            let mut left = self.free(&boxes);
            while !is_empty(&left) {
                let state = State { boxes, player: first(&left) };
                left = without(&left, &self.player(&state));
                states.push(state);
            }
        }
        states
    }
}
