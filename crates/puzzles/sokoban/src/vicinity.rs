//! Positions near a given one, for shortening solutions: one box or two are elsewhere, not far
//! away. The player may be anywhere. The method is S. Gouëzel's vicinity search, as sokobano.de
//! describes it.

use crate::{
    board::{Bits, Each, and, has, is_empty, one, or, without},
    bound::{Distances, reachable},
    level::{Id, Move, NONE, Way},
    rules::{Measure, Sokoban, State},
    window::Between,
};
use std::sync::Arc;
use unriddle_core::{NearKeys, Rng, Search, Vicinity, Window};

/// Vicinities by size: for each moved box, the number of cells to which it is moved.
const SIZES: &[&[usize]] =
    &[&[8], &[24], &[ALL], &[6, 6], &[10, 10], &[10, 20], &[20, 40], &[5, 5, 5]];

/// Maximum length of a list of near cells.
const ALL: usize = 256;

/// Tables of a level's vicinities.
pub(crate) struct Near<const W: usize> {
    /// For each bit, the contribution of a box there to a key.
    keys: Arc<[u64]>,
    /// For each cell, nearby cells from which a box can reach a goal, in order of the steps to
    /// them.
    nearest: Vec<Vec<u16>>,
    /// For each bit, the number of its cell.
    ids: Vec<Id>,
}

impl<const W: usize> Near<W> {
    /// Tables for the vicinities in a level.
    pub(crate) fn new(puzzle: &Sokoban<W>) -> Self {
        let board = puzzle.board();
        let level = &board.level;
        let distances = Distances::new(board);
        let boxes = unriddle_core::Puzzle::initial_state(puzzle).boxes;
        let reachable = reachable(board, &distances.sides, &boxes);
        let alive = and(&distances.live, &reachable);
        let mut rng = Rng::new(0);
        let keys = (0..64 * W).map(|_| rng.next_u64()).collect();
        let mut ids = vec![NONE; 64 * W];
        let nearest = (0..level.cells() as Id).map(|id| {
            let bit = board.bit(id);
            ids[usize::from(bit)] = id;
            let (mut reached, mut near) = (one(bit), Vec::new());
            let mut last = reached;
            while !is_empty(&last) && near.len() < ALL {
                near.extend(Each(and(&last, &alive)).filter(|&near| near != bit));
                let mut next = [0; W];
                for way in Way::ALL {
                    next = or(&next, &board.step(&last, way));
                }
                last = without(&and(&next, &board.floor), &reached);
                reached = or(&reached, &last);
            }
            near
        });
        let nearest = nearest.collect();
        Self { keys, nearest, ids }
    }

    /// Adds the keys of positions with some boxes elsewhere; boxes that were `moved` stay where
    /// they are.
    fn add(
        &self,
        boxes: &Bits<W>,
        moved: &Bits<W>,
        key: u64,
        counts: &[usize],
        keys: &mut Vec<u64>,
    ) {
        let [count, rest @ ..] = counts else {
            keys.push(key);
            return;
        };
        for bit in Each(without(boxes, moved)) {
            let others = without(boxes, &one(bit));
            let lifted = key ^ self.keys[usize::from(bit)];
            let nearest = &self.nearest[usize::from(self.ids[usize::from(bit)])];
            let free = nearest.iter().filter(|&&to| !has(&others, to));
            for &to in free.take(*count) {
                let key = lifted ^ self.keys[usize::from(to)];
                match rest {
                    [] => keys.push(key),
                    _ => {
                        let to = one(to);
                        self.add(&or(&others, &to), &or(moved, &to), key, rest, keys);
                    }
                }
            }
        }
    }
}

impl<const W: usize> Vicinity<Sokoban<W>> for Near<W> {
    fn sizes(&self) -> u32 {
        SIZES.len() as u32
    }

    fn key(&self, state: &State<W>) -> u64 {
        Each(state.boxes).fold(0, |key, bit| key ^ self.keys[usize::from(bit)])
    }

    fn key_after(&self, puzzle: &Sokoban<W>, state: &State<W>, key: u64, action: Move) -> u64 {
        let board = puzzle.board();
        let onto = board.bit(action.onto);
        if has(&state.boxes, onto) {
            let to = board.beside(onto, action.way);
            key ^ self.keys[usize::from(onto)] ^ self.keys[usize::from(to)]
        } else {
            key
        }
    }

    fn near(&self, state: &State<W>, size: u32, keys: &mut Vec<u64>) {
        let key = self.key(state);
        keys.push(key);
        // Vicinities with several moved boxes include the positions with one moved box.
        let counts = SIZES[size as usize];
        self.add(&state.boxes, &[0; W], key, counts, keys);
        if counts.len() > 1 {
            self.add(&state.boxes, &[0; W], key, &counts[..1], keys);
        }
    }

    fn search<'p>(
        &self,
        puzzle: &'p Sokoban<W>,
        window: &Window<State<W>>,
        near: Arc<dyn NearKeys>,
    ) -> Option<Box<dyn Search<Action = Move> + 'p>> {
        // Where moves are counted, a state contains the exact cell of the player, and this search
        // has no advantage.
        (puzzle.measure == Measure::Pushes).then(|| {
            let key = self.key(&window.from);
            let (board, keys) = (puzzle.board().clone(), self.keys.clone());
            Box::new(Between::new(board, keys, near, *window, key))
                as Box<dyn Search<Action = Move>>
        })
    }
}
