//! A solution with the fewest moves among all solutions with the fewest pushes. Positions are
//! scanned push by push, each with the player's exact cell and the fewest moves to it. Positions
//! whose bound exceeds the remaining pushes are pruned.

use super::table::Table;
use crate::{
    board::{Bit, Bits, Board, Each, and, is_empty, meet, moved, one, or, without},
    bound::{Distances, Matching},
    level::{Move, Way},
};
use std::mem::size_of;

/// A position after some pushes.
#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    boxes: Bits<W>,
    player: Bit,
    way: Way,
    moves: u32,
    /// The entry of the layer before.
    parent: u32,
    /// The next entry of the same layer with the same boxes.
    next: u32,
}

const NO_ENTRY: u32 = u32::MAX;

/// The search.
pub(super) struct Ties<const W: usize> {
    pushes: u32,
    /// Layers of positions by the number of pushes.
    layers: Vec<Vec<Entry<W>>>,
    /// The entries of the next layer by their boxes.
    table: Table,
    expanded: usize,
}

impl<const W: usize> Ties<W> {
    /// Scans the positions from a start to an end that is `pushes` pushes away.
    pub(super) fn new(boxes: Bits<W>, player: Bit, pushes: u32) -> Self {
        let start =
            Entry { boxes, player, way: Way(0), moves: 0, parent: NO_ENTRY, next: NO_ENTRY };
        Self { pushes, layers: vec![vec![start], Vec::new()], table: Table::default(), expanded: 0 }
    }

    /// Upper bound of the bytes during an expansion of at most `more` pushes.
    pub(super) fn next_bytes(&self, more: u64) -> u64 {
        let entries: usize = self.layers.iter().map(Vec::capacity).sum();
        (2 * entries as u64 + more) * size_of::<Entry<W>>() as u64 + self.table.next_bytes()
    }

    /// Expands a position. Returns the number of generated positions or, after the last expansion,
    /// the pushes of the solution.
    pub(super) fn expand(
        &mut self,
        board: &Board<W>,
        distances: &Distances<W>,
        matching: &mut Matching,
    ) -> Result<u64, Vec<Move>> {
        let depth = self.layers.len() - 2;
        if depth as u32 == self.pushes {
            return Err(self.solution(board));
        }
        let Some(&entry) = self.layers[depth].get(self.expanded) else {
            self.layers.push(Vec::new());
            self.table = Table::default();
            self.expanded = 0;
            return Ok(0);
        };
        let parent = self.expanded as u32;
        self.expanded += 1;
        let left = self.pushes - depth as u32 - 1;
        let free = without(&board.floor, &entry.boxes);
        let open = and(&free, &distances.live);
        matching.keep(board, distances, &entry.boxes, entry.player);
        let mut generated = 0;
        // Cells that the player reaches with the same number of steps.
        let mut front = one(entry.player);
        let mut reached = front;
        let mut steps = 0;
        while !is_empty(&front) {
            for way in Way::ALL {
                for onto in Each(board.pushable(&front, &entry.boxes, &open, way)) {
                    generated += 1;
                    let to = board.beside(onto, way);
                    let boxes = moved(&entry.boxes, onto, to);
                    let needed = matching.pushed(board, distances, &boxes, (onto, to), onto);
                    if needed.is_some_and(|needed| needed <= left) {
                        self.enter(Entry {
                            boxes,
                            player: onto,
                            way,
                            moves: entry.moves + steps + 1,
                            parent,
                            next: NO_ENTRY,
                        });
                    }
                }
            }
            front = without(&and(&board.around(&front), &free), &reached);
            reached = or(&reached, &front);
            steps += 1;
        }
        debug_assert!(!meet(&reached, &entry.boxes));
        Ok(generated)
    }

    /// Inserts a position into the next layer, if it is new there or has fewer moves.
    fn enter(&mut self, entry: Entry<W>) {
        let last = self.layers.len() - 1;
        let layer = &mut self.layers[last];
        let new = layer.len() as u32;
        let known = self.table.find(&entry.boxes, new, |at| &layer[at as usize].boxes);
        let Some(mut at) = known else {
            layer.push(entry);
            return;
        };
        loop {
            let other = &mut layer[at as usize];
            if other.player == entry.player {
                if entry.moves < other.moves {
                    let next = other.next;
                    *other = Entry { next, ..entry };
                }
                return;
            }
            if other.next == NO_ENTRY {
                other.next = new;
                layer.push(entry);
                return;
            }
            at = other.next;
        }
    }

    /// The pushes to the last position with the fewest moves.
    fn solution(&self, board: &Board<W>) -> Vec<Move> {
        let ends = self.layers[self.pushes as usize].iter();
        let ends = ends.filter(|entry| board.is_end(&entry.boxes));
        let mut at = ends.min_by_key(|entry| entry.moves);
        let mut actions = Vec::new();
        for depth in (0..self.pushes as usize).rev() {
            let Some(entry) = at else {
                break;
            };
            let onto = board.id(entry.player);
            actions.push(Move { onto, way: entry.way });
            at = self.layers[depth].get(entry.parent as usize);
        }
        actions.reverse();
        actions
    }
}
