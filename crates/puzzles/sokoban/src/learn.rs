//! Input of networks: for each cell of a level's rectangle, walls included, one of seven contents.

use crate::{
    board::{has, set_of},
    level::{End, Move, NONE},
    rules::{Measure, Sokoban, State},
    symmetry::image,
    variety::INFO,
};
use unriddle_core::{Features, Learnable, Purpose, Rows, rows};

/// Wall, floor, goal, box, box on a goal, player, player on a goal.
const EACH: usize = 7;

impl<const W: usize> Sokoban<W> {
    /// Rows and columns of the input cells, and the number of omitted rows and columns at each
    /// side.
    fn view(&self) -> ([usize; 2], usize) {
        let (rows, columns) = self.board().level.picture().size();
        ([rows, columns].map(|cells| cells.saturating_sub(2 * self.edge)), self.edge)
    }

    /// Content of a cell of the level's rectangle.
    fn seen(&self, state: &State<W>, row: usize, column: usize) -> u32 {
        let level = &self.board().level;
        let id = level.id((row, column));
        let cell = level.picture().rows[row][column];
        let (boxed, player) = match id {
            // A wall, or a cell that nothing can reach.
            NONE => (cell.boxed, false),
            id => {
                let bit = self.board().bit(id);
                (has(&state.boxes, bit), state.player == bit)
            }
        };
        let on_goal = u32::from(cell.goal);
        match (cell.wall, boxed, player) {
            (true, ..) => 0,
            (_, true, _) => 3 + on_goal,
            (_, _, true) => 5 + on_goal,
            _ => 1 + on_goal,
        }
    }
}

impl<const W: usize> Features for Sokoban<W> {
    fn feature_len(&self) -> usize {
        EACH * self.groups()
    }

    fn active(&self, state: &State<W>, sink: &mut dyn FnMut(u32)) {
        let ([rows, columns], edge) = self.view();
        for row in 0..rows {
            for column in 0..columns {
                let group = (row * columns + column) as u32;
                sink(EACH as u32 * group + self.seen(state, row + edge, column + edge));
            }
        }
    }
}

/// A byte for each cell of the level's rectangle, row by row: wall 0, floor 1, goal 2, box 3, box
/// on a goal 4, player 5, player on a goal 6.
impl<const W: usize> Rows for Sokoban<W> {
    fn state_of_row(&self, row: &[u8]) -> Result<State<W>, String> {
        rows::in_range(row, EACH)?;
        let board = self.board();
        let ([_, columns], _) = self.view();
        let nobody = State { boxes: [0; W], player: board.player() };
        let (mut boxes, mut players) = (Vec::new(), Vec::new());
        for (at, &byte) in row.iter().enumerate() {
            let place = (at / columns, at % columns);
            let cell = self.seen(&nobody, place.0, place.1) as u8;
            let id = board.level.id(place);
            // The cell without a box and without the player.
            let floor = |byte: u8| if byte == 0 { 0 } else { 2 - byte % 2 };
            let moves = id != NONE;
            if floor(cell) != floor(byte) || (!moves && cell != byte) {
                return Err(format!("byte {at} is {byte}: the level has {} there", floor(cell)));
            }
            match byte {
                3 | 4 if moves => boxes.push(board.bit(id)),
                5 | 6 => players.push(board.bit(id)),
                _ => {}
            }
        }
        let [player] = players[..] else {
            return Err(format!("{} players: expected one", players.len()));
        };
        if boxes.len() != board.level.boxes().len() {
            let expected = board.level.boxes().len();
            return Err(format!("{} boxes: expected {expected}", boxes.len()));
        }
        Ok(self.settled(State { boxes: set_of(boxes), player }))
    }
}

impl<const W: usize> Learnable for Sokoban<W> {
    /// Walls and goals belong to the instance.
    const ONE_SPACE: bool = false;

    const INPUTS: &'static [&'static str] = &["cells", "inside"];

    fn seen_by(&self, input: usize) -> Self {
        let mut seen = self.clone();
        seen.edge = input.min(1);
        seen
    }

    fn input(&self) -> usize {
        self.edge
    }

    /// A network applies to rectangles of one size.
    fn purpose(&self) -> Purpose {
        let (rows, columns) = self.board().level.picture().size();
        let boxes = self.board().level.boxes().len();
        let end = match self.board().level.end {
            End::Even => "on goals",
            End::Covered => "goals covered",
            End::Placed => "on some goals",
        };
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: format!("{rows}x{columns}, {boxes} boxes"),
            goal: format!("{end} in {}", self.measure.name()),
        }
    }

    fn groups(&self) -> usize {
        let ([rows, columns], _) = self.view();
        rows * columns
    }

    fn grid(&self) -> Option<[usize; 2]> {
        Some(self.view().0)
    }

    fn begun_at(&self, state: State<W>) -> Self {
        self.at(state)
    }

    /// Four actions per cell if pushes are counted; the four directions if moves are counted.
    fn action_count(&self) -> usize {
        let (rows, columns) = self.board().level.picture().size();
        match self.measure {
            Measure::Pushes => 4 * rows * columns,
            Measure::Moves => 4,
        }
    }

    fn action_number(&self, action: Move) -> usize {
        let level = &self.board().level;
        match self.measure {
            Measure::Pushes => {
                let (row, column) = level.place(action.onto);
                4 * (row * level.picture().size().1 + column) + action.way.index()
            }
            Measure::Moves => action.way.index(),
        }
    }

    /// Rotations and reflections that keep the number of rows.
    fn images(&self) -> Vec<Vec<u32>> {
        let ([rows, columns], _) = self.view();
        let fitting = if rows == columns { 1..8u8 } else { 1..4 };
        let indices = |number: u8| {
            let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let to = cells.flat_map(|place| {
                let (row, column) = image(number, (rows, columns), place);
                let first = (EACH * (row * columns + column)) as u32;
                first..first + EACH as u32
            });
            to.collect()
        };
        fitting.map(indices).collect()
    }

    fn depths(&self) -> &'static [u64] {
        &[5, 10, 20, 40, 80]
    }
}
