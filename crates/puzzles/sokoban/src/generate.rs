//! Levels at random, made from the end: boxes on their goals are pulled away from them, so that
//! every level has a solution.

use crate::{
    board::{Board, Each, and, area, one, size, without},
    level::{Level, Way},
    picture::{Cell, Picture, Place},
    rules::{Measure, Sokoban, State},
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use unriddle_core::{Backward as _, Rng};

/// Requirements on a level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomSize {
    /// Rows and columns, walls included.
    pub size: (usize, usize),
    pub boxes: usize,
    /// Maximum number of positions that the reverse search visits.
    pub positions: usize,
}

/// A maze of rooms and passages: a random walk carves the cells around it until about half of the
/// inside is floor.
fn carved((rows, columns): (usize, usize), rng: &mut Rng) -> Vec<Vec<Cell>> {
    let wall = Cell { wall: true, ..Cell::default() };
    let mut cells = vec![vec![wall; columns]; rows];
    let inside = (rows - 2) * (columns - 2);
    // Between 35 and 60 per cent of the inside.
    let floor = inside * (35 + rng.below(26) as usize) / 100;
    let pick = |rng: &mut Rng, most: usize| 1 + rng.below(most as u64 - 2) as usize;
    let mut at: Place = (pick(rng, rows), pick(rng, columns));
    let mut way = Way(rng.below(4) as u8);
    let mut carved = 0;
    // The walk may revisit cells, so its length is limited.
    for _ in 0..100 * inside {
        if carved >= floor.max(6) {
            break;
        }
        // The cell itself and, at random, its neighbours.
        let wide = rng.below(3);
        for (down, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let place = (at.0 + down, at.1 + right);
            let is_inside = place.0 + 1 < rows && place.1 + 1 < columns;
            let is_chosen = down + right == 0 || wide == 0 || wide == 1 && down == 0;
            if is_inside && is_chosen && cells[place.0][place.1].wall {
                cells[place.0][place.1].wall = false;
                carved += 1;
            }
        }
        if rng.below(100) < 35 {
            way = Way(rng.below(4) as u8);
        }
        let (down, right) = way.step();
        let next = (at.0.wrapping_add_signed(down), at.1.wrapping_add_signed(right));
        if (1..rows - 1).contains(&next.0) && (1..columns - 1).contains(&next.1) {
            at = next;
        } else {
            way = Way(rng.below(4) as u8);
        }
    }
    cells
}

/// A random room with all boxes on goals; `None` if there is not enough floor.
fn solved(wanted: &RoomSize, rng: &mut Rng) -> Option<Picture> {
    let mut rows = carved(wanted.size, rng);
    let mut floor: Vec<Place> = Vec::new();
    for (row, cells) in rows.iter().enumerate() {
        let columns = (0..cells.len()).filter(|&column| !cells[column].wall);
        floor.extend(columns.map(|column| (row, column)));
    }
    if floor.len() < 2 * wanted.boxes + 2 {
        return None;
    }
    rng.shuffle(&mut floor);
    for &(row, column) in &floor[..wanted.boxes] {
        (rows[row][column].goal, rows[row][column].boxed) = (true, true);
    }
    Some(Picture { rows, player: floor[wanted.boxes] })
}

/// A level made by pulling: a room with goals, and the position with the highest rating among the
/// positions that a search backwards from the goals visits. `None` if every box has left its goal
/// in no visited position. With `in_layers`, the position is as far from the end as possible: all
/// positions are visited layer by layer, up to the number in `wanted`.
pub(crate) fn room(wanted: &RoomSize, rng: &mut Rng, in_layers: bool) -> Option<Picture> {
    let picture = solved(wanted, rng)?;
    let level = Arc::new(Level::new(picture).ok()?);
    match area(&level) {
        0..=64 => pulled::<1>(&level, wanted, rng, in_layers),
        _ => pulled::<4>(&level, wanted, rng, in_layers),
    }
}

/// A position of the reverse search.
#[derive(Clone, Copy)]
struct Visited<const W: usize> {
    state: State<W>,
    /// Number of pulls so far.
    pulls: u32,
    /// Number of times that another box was pulled than before.
    changes: u32,
    /// The cell of the box that was pulled last.
    last: Option<u16>,
}

fn pulled<const W: usize>(
    level: &Arc<Level>,
    wanted: &RoomSize,
    rng: &mut Rng,
    in_layers: bool,
) -> Option<Picture> {
    let puzzle = Sokoban::<W>::new(level.clone(), Measure::Pushes)?;
    let board: &Board<W> = puzzle.board();
    // A box that can never be pulled away from its goal behaves like a wall.
    let mut queue: Vec<Visited<W>> = Vec::new();
    let mut known = FxHashSet::default();
    for state in puzzle.goal_states() {
        known.insert(state);
        queue.push(Visited { state, pulls: 0, changes: 0, last: None });
    }
    rng.shuffle(&mut queue);
    let mut best: Option<(u64, State<W>)> = None;
    let mut next = 0;
    while next < queue.len() && known.len() < wanted.positions {
        // In layers, the first position in line. Otherwise a random one, later ones more likely, so
        // that the search goes far.
        let at = if in_layers {
            next
        } else {
            let left = (queue.len() - next) as u64;
            next + (rng.below(left).max(rng.below(left))) as usize
        };
        queue.swap(next, at);
        let Visited { state, pulls, changes, last } = queue[next];
        next += 1;
        let off = size(&and(&state.boxes, &board.goals)) == 0;
        let changed = if in_layers { 1 } else { changes + 1 };
        let rating = u64::from(pulls) * u64::from(changed);
        if off && best.as_ref().is_none_or(|(known, _)| rating > *known) {
            best = Some((rating, state));
        }
        let mut before = Vec::new();
        puzzle.predecessors(&state, &mut |other, action| before.push((other, action)));
        for (other, action) in before {
            if known.insert(other) {
                // The box was pulled from the cell beyond the player.
                let pulled = board.beside(board.bit(action.onto), action.way);
                let changes = changes + u32::from(last != Some(pulled));
                let last = Some(board.bit(action.onto));
                queue.push(Visited { state: other, pulls: pulls + 1, changes, last });
            }
        }
    }
    let (_, state) = best?;
    // Any cell that the player can reach.
    let reached = board.reach(&one(state.player), &without(&board.floor, &state.boxes));
    let cells: Vec<u16> = Each(reached).collect();
    let player = cells[rng.below(cells.len() as u64) as usize];
    let boxes = Each(state.boxes).map(|bit| board.id(bit));
    Some(level.pictured(boxes, board.id(player)))
}
