//! Report for designers on a level and its solution.

use crate::{
    board::{Bits, Each, and, has, is_empty, one, size},
    bound::{Distances, Matching},
    dead::{frozen, holding},
    level::{Id, Move, Way},
    picture::{Picture, named},
    rules::{Measure, Sokoban, State},
};
use serde::Serialize;
use unriddle_catalog::{
    Request, SolveError,
    instance::Validates,
    units::count_of,
    validate::{Batch, Block, Findings, Section},
};
use unriddle_core::{Notation as _, Puzzle as _};

/// Statistics of a level.
#[derive(Debug, Serialize)]
struct Size {
    rows: usize,
    columns: usize,
    /// Number of cells that the player could reach without boxes.
    cells: usize,
    boxes: usize,
    /// Number of boxes that are on goals at the start.
    placed: u32,
    /// Number of cells from which a box can reach no goal.
    dead_cells: usize,
    /// The least sum of pushes that brings each box to a different goal as if it were the only box;
    /// `None` if there is no such assignment.
    least_pushes: Option<u32>,
    /// Rows and columns, counted from 1, of boxes that can never all be brought to goals, because
    /// they hold each other or can never leave their cells.
    blocked: Vec<(usize, usize)>,
}

/// Statistics of a solution. A push continues the previous one if it pushes the same box in the
/// same direction.
#[derive(Debug, Default, Serialize)]
struct Measures {
    moves: usize,
    pushes: usize,
    /// Number of times that another box is pushed than before, including the first push.
    box_changes: usize,
    /// Number of straight runs of pushes of a box.
    box_lines: usize,
    /// Number of runs of pushes without a step between them.
    sessions: usize,
    /// Number of straight runs of the player.
    player_lines: usize,
    /// Number of pushes after which the least sum of pushes has increased.
    detours: usize,
    /// Number of pushes that the player could have made instead of the solution's push and whose
    /// position is recognised at once to have no solution.
    dead_beside: usize,
    /// Number of other pushes that the player could have made along the solution.
    beside: usize,
}

impl<const W: usize> Sokoban<W> {
    /// The least sum of pushes, or `None` if the position is recognised at once as unsolvable.
    fn left(
        &self,
        distances: &Distances<W>,
        matching: &mut Matching,
        state: &State<W>,
        moved: &Bits<W>,
    ) -> Option<u32> {
        let board = &**self.board();
        let left = matching.pushes(board, distances, &state.boxes, state.player)?;
        let is_held = !is_empty(moved) && frozen(board, &distances.live, &state.boxes, moved);
        (!is_held).then_some(left)
    }

    /// Computes the statistics of a solution.
    fn measured(&self, solution: &[Move]) -> Measures {
        let pushing = Sokoban::<W>::new(self.board().level.clone(), Measure::Pushes);
        let Some(pushing) = pushing else {
            return Measures::default();
        };
        let board = &**self.board();
        let letters = self.letters(solution);
        let mut measures = Measures { moves: letters.len(), ..Measures::default() };
        let runs = letters.as_bytes().chunk_by(|a, b| a == b);
        measures.player_lines = runs.count();
        let runs =
            letters.as_bytes().chunk_by(|a, b| a.is_ascii_uppercase() == b.is_ascii_uppercase());
        measures.sessions = runs.filter(|run| run[0].is_ascii_uppercase()).count();

        let distances = Distances::new(board);
        let mut matching = Matching::default();
        let mut state = pushing.initial_state();
        let mut least = matching.pushes(board, &distances, &state.boxes, state.player);
        // Cell of the box that was pushed last, and direction of the push.
        let mut last: Option<(Id, Way)> = None;
        for &action in solution {
            let onto = board.bit(action.onto);
            if !has(&state.boxes, onto) {
                continue;
            }
            for other in pushing.actions(&state).filter(|&other| other != action) {
                let to = board.beside(board.bit(other.onto), other.way);
                let after = pushing.apply(&state, other);
                let left = self.left(&distances, &mut matching, &after, &one(to));
                measures.beside += 1;
                measures.dead_beside += usize::from(left.is_none());
            }
            measures.pushes += 1;
            let is_same = last.is_some_and(|(at, _)| at == action.onto);
            measures.box_changes += usize::from(!is_same);
            measures.box_lines += usize::from(last != Some((action.onto, action.way)));
            state = pushing.apply(&state, action);
            let left = matching.pushes(board, &distances, &state.boxes, state.player);
            measures.detours += usize::from(left > least);
            least = left;
            let to = board.beside(onto, action.way);
            last = Some((board.id(to), action.way));
        }
        measures
    }
}

impl<const W: usize> Validates for Sokoban<W> {
    fn findings(
        &self,
        _: &Batch<'_>,
        _: &str,
        _: &Request<'_>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Findings, SolveError> {
        tell("level");
        let board = &**self.board();
        let level = &board.level;
        let State { boxes, player } = self.initial_state();
        let distances = Distances::new(board);
        let (rows, columns) = level.picture().size();
        let held = holding(board, &distances.live, &boxes);
        let place = |bit| {
            let (row, column) = level.place(board.id(bit));
            (row + 1, column + 1)
        };
        let facts = Size {
            rows,
            columns,
            cells: level.cells(),
            boxes: level.boxes().len(),
            placed: size(&and(&boxes, &board.goals)),
            dead_cells: level.cells() - size(&distances.live) as usize,
            least_pushes: Matching::default().pushes(board, &distances, &boxes, player),
            blocked: Each(held).map(place).collect(),
        };
        // A drawing of only the walls, the goals and the boxes that are blocked.
        let drawing = self.pictured(&held, board.id(player));
        Ok(Findings { sections: vec![facts.section(&drawing)], ..Findings::default() })
    }

    fn solved(&self, solution: &str) -> Vec<Section> {
        let Ok(actions) = self.parse_solution(solution) else {
            return Vec::new();
        };
        vec![self.measured(&actions).section()]
    }
}

/// A count with its unit.
fn count(count: usize, unit: &str) -> String {
    count_of(count as u64, unit)
}

impl Size {
    fn section(&self, blocked: &Picture) -> Section {
        let first = format!(
            "{}×{}, {}, {}, {} on goals; a box on one of {} would be lost",
            self.rows,
            self.columns,
            count(self.cells, "cells"),
            count(self.boxes, "boxes"),
            self.placed,
            count(self.dead_cells, "cells"),
        );
        let second = match self.least_pushes {
            Some(pushes) => {
                let pushes = count_of(pushes.into(), "pushes");
                format!("at least {pushes}, each box as if it were the only one")
            }
            None => "not all boxes and goals can be matched, even if each box were the only one on the board"
                .to_owned(),
        };
        let section = Section::new("level", "Level", self).with(Block::List(vec![first, second]));
        if self.blocked.is_empty() {
            return section;
        }
        let names = self.blocked.iter().map(|(row, column)| named((row - 1, column - 1)));
        let names: Vec<String> = names.collect();
        let why = format!("Blocked for ever: the boxes in {}.", names.join("; "));
        section.with(Block::Line(why)).with(Block::List(blocked.lines().collect()))
    }
}

impl Measures {
    fn section(&self) -> Section {
        let share = match self.beside {
            0 => 0.0,
            beside => 100.0 * self.dead_beside as f64 / beside as f64,
        };
        let lines = vec![
            format!(
                "{} in {}; {}, {}",
                count(self.pushes, "pushes"),
                count(self.moves, "moves"),
                count(self.box_lines, "box lines"),
                count(self.player_lines, "player lines"),
            ),
            format!(
                "{}; {}",
                count(self.box_changes, "box changes"),
                count(self.sessions, "pushing sessions"),
            ),
            format!("{} away from the goals", count(self.detours, "pushes")),
            format!(
                "{share:.0} % of the {} beside the solution are seen at once to be mistakes",
                count(self.beside, "pushes"),
            ),
        ];
        Section::new("measures", "Solution", self).with(Block::List(lines))
    }
}
