//! The inverse problem of a board, whose solutions are solutions of the board read backwards.
//!
//! A solution leads from the board to the goal. Backwards it leads from the goal to the board, and
//! after renaming the tiles and turning the square it leads from some board *almost* to the goal:
//! renamed by their cells on the board, the tiles of the board are the goal's wherever its blank
//! is in a corner, and a few moves of the blank take it there. So estimates of distances to the
//! goal lead a search of the inverse problem as well, along other boards than the board's own
//! solutions.
//!
//! Reference: A. Felner and others, "Dual Lookups in Pattern Databases", IJCAI 2005.

use crate::{
    board::{Board, Slide},
    shape::Shape,
};

/// Most moves of the blank to a corner of a board of eight rows and columns.
const MAX_MOVES: usize = 6;

/// The inverse problem of a board with the goal blank-last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InverseProblem {
    /// Its board: the goal of the board, renamed and turned.
    pub(crate) start: Vec<u8>,
    /// Its goal: the board, renamed and turned.
    pub(crate) goal: Vec<u8>,
    flip: Flip,
}

/// Reflection of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Flip {
    rows: bool,
    columns: bool,
}

impl Flip {
    /// The reflection that takes a corner to the last cell; `None` for a cell that is no corner.
    fn of_corner(shape: Shape, cell: usize) -> Option<Self> {
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        let is_corner =
            (row == 0 || row + 1 == shape.rows) && (column == 0 || column + 1 == shape.columns);
        is_corner.then_some(Self { rows: row == 0, columns: column == 0 })
    }

    fn cell(self, shape: Shape, cell: usize) -> usize {
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        let row = if self.rows { shape.rows - 1 - row } else { row };
        let column = if self.columns { shape.columns - 1 - column } else { column };
        row * shape.columns + column
    }

    fn slide(self, slide: Slide) -> Slide {
        let is_turned = if slide.is_vertical() { self.rows } else { self.columns };
        if is_turned { slide.inverse() } else { slide }
    }
}

impl InverseProblem {
    /// The inverse problem of a board; `None` if its blank is far from every corner, as in the
    /// middle of long lines.
    pub(crate) fn new<B: Board>(shape: Shape, board: &B) -> Option<Self> {
        let (near, flip) = corner(shape, board)?;
        let cells = 0..shape.cells();
        let mut names = vec![0; shape.cells()];
        for cell in cells.clone().filter(|&cell| cell != near.blank()) {
            names[near.tile(cell)] = flip.cell(shape, cell) as u8 + 1;
        }
        let last = shape.cells() - 1;
        let (mut start, mut goal) = (vec![0; shape.cells()], vec![0; shape.cells()]);
        for cell in cells {
            let turned = flip.cell(shape, cell);
            start[turned] = if cell == last { 0 } else { names[cell + 1] };
            goal[turned] = names[board.tile(cell)];
        }
        Some(Self { start, goal, flip })
    }

    /// The solution of the board from a solution of its inverse problem.
    pub(crate) fn back(&self, slides: &[Slide]) -> Vec<Slide> {
        slides.iter().rev().map(|&slide| self.flip.slide(slide).inverse()).collect()
    }
}

/// The board with its blank moved to a corner, and the reflection that takes this corner to the
/// last cell. Among the ways to a corner, it is the first with the least sum of
/// its moves and the Manhattan distance at its end.
fn corner<B: Board>(shape: Shape, board: &B) -> Option<(B, Flip)> {
    let far = |board: &B| -> u32 {
        let tile = |cell| match board.tile(cell) {
            0 => 0,
            tile => shape.distance(tile - 1, cell),
        };
        (0..shape.cells()).map(tile).sum()
    };
    let mut best: Option<((u32, usize), B, Flip)> = None;
    let mut layer = vec![(*board, None::<Slide>)];
    for moves in 0..=MAX_MOVES {
        for (at, _) in &layer {
            if let Some(flip) = Flip::of_corner(shape, at.blank()) {
                let key = (moves as u32 + far(at), moves);
                if best.as_ref().is_none_or(|(least, ..)| key < *least) {
                    best = Some((key, *at, flip));
                }
            }
        }
        let onward = |(at, last): &(B, Option<Slide>)| {
            let (at, last) = (*at, *last);
            let possible = shape.possible(at.blank());
            let slides = Slide::ALL.into_iter().filter(move |&slide| {
                possible >> slide as u8 & 1 == 1 && last.is_none_or(|last| !slide.undoes(last))
            });
            slides.map(move |slide| (at.slide(slide), Some(slide)))
        };
        layer = layer.iter().flat_map(onward).collect();
    }
    best.map(|(_, near, flip)| (near, flip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyBoard, Goal, Tiles, generate};
    use unriddle_core::{GoalPuzzle, Puzzle, Rng};

    /// Breadth-first search, for small boards.
    fn shortest(puzzle: &Tiles<AnyBoard>) -> Vec<Slide> {
        let mut seen = std::collections::HashMap::new();
        let start = puzzle.initial_state();
        let mut queue = std::collections::VecDeque::from([start]);
        seen.insert(start, None);
        while let Some(board) = queue.pop_front() {
            if puzzle.is_goal(&board) {
                let (mut path, mut at) = (Vec::new(), board);
                while let Some((before, slide)) = seen[&at] {
                    path.push(slide);
                    at = before;
                }
                path.reverse();
                return path;
            }
            for slide in puzzle.actions(&board) {
                seen.entry(puzzle.apply(&board, slide)).or_insert_with(|| {
                    queue.push_back(puzzle.apply(&board, slide));
                    Some((board, slide))
                });
            }
        }
        unreachable!("a solvable board has a solution")
    }

    /// Shortest solutions of a board and of its views have the same length, and solutions of the
    /// views, mapped back, solve the board.
    #[test]
    fn views_have_solutions_of_the_same_length() {
        let mut rng = Rng::new(4);
        for (rows, columns) in [(2, 2), (3, 3), (2, 4), (2, 3), (3, 2)] {
            let shape = Shape::new(rows, columns).unwrap();
            for goal in [Goal::BlankLast, Goal::BlankFirst] {
                let cells = generate::uniform(shape, goal, &mut rng);
                let puzzle = Tiles::<AnyBoard>::of(shape, &cells, goal);
                let best = shortest(&puzzle);
                let views = puzzle.equivalents();
                assert_eq!(views.len(), if rows == columns { 3 } else { 1 });
                for (view, back) in views {
                    let solution = back(&shortest(&view));
                    assert_eq!(solution.len(), best.len());
                    let played = |board, slide: &Slide| puzzle.apply(&board, *slide);
                    let end = solution.iter().fold(puzzle.initial_state(), played);
                    assert!(puzzle.is_goal(&end), "{shape} {goal:?} {cells:?}");
                }
            }
        }
    }

    /// The goal of the inverse problem is a few moves of the blank from the goal of the board.
    #[test]
    fn goals_of_inverse_problems_are_near_the_goal() {
        let mut rng = Rng::new(5);
        for side in 3..=8 {
            let shape = Shape::square(side);
            for _ in 0..20 {
                let cells = generate::uniform(shape, Goal::BlankLast, &mut rng);
                let board = AnyBoard::pack(&cells, side);
                let inverse = InverseProblem::new(shape, &board).unwrap();
                let goal = AnyBoard::pack(&inverse.goal, side);
                let out = inverse.goal.iter().zip(Goal::BlankLast.cells(shape));
                let out = out.filter(|&(&tile, home)| tile != home).count();
                let least = shape.distance(goal.blank(), side * side - 1) as usize;
                assert!(out <= MAX_MOVES + 1 && least <= MAX_MOVES, "{:?}", inverse.goal);
            }
        }
    }
}
