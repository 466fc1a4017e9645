//! A position of the search, with all that its moves change.

use super::partitions::CELLS;

/// Most look-ups of a position: patterns and their mirror images.
pub(super) const LOOKUPS: usize = 32;

/// Most views.
pub(super) const VIEWS: usize = 16;

/// Words of a path.
const PATH: usize = 8;

/// Most moves of a path.
pub(super) const MOST_MOVES: usize = PATH * 32;

#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The cells of the tiles of each pattern; of a mirror image on the mirrored board.
    pub(super) masks: [u32; LOOKUPS],
    /// The rank of the order of the tiles on these cells.
    pub(super) orders: [u16; LOOKUPS],
    /// Number of rises by 2 that f of a view has left; the greatest number beyond the last view.
    pub(super) gaps: [i8; VIEWS],
    /// The goal cell of the tile on each cell.
    pub(super) cells: [u8; CELLS],
    pub(super) blank: u8,
    /// Sum of the Manhattan distances.
    pub(super) distance: u16,
    pub(super) moves: u16,
    /// The bits of all look-ups.
    pub(super) bits: u32,
    /// State of the automaton.
    pub(super) pruning: u32,
    /// The moves, two bits each.
    pub(super) path: [u64; PATH],
}

impl Node {
    /// A position without look-ups.
    pub(super) fn new(cells: &[u8; CELLS], blank: u8, distance: u16) -> Self {
        Self {
            masks: [0; LOOKUPS],
            orders: [0; LOOKUPS],
            gaps: [i8::MAX; VIEWS],
            cells: *cells,
            blank,
            distance,
            moves: 0,
            bits: 0,
            pruning: 0,
            path: [0; PATH],
        }
    }

    /// Appends a move, a number below 4.
    #[inline(always)]
    pub(super) fn append(&mut self, number: u8) {
        let at = usize::from(self.moves);
        self.path[at / 32 % PATH] |= u64::from(number) << (2 * (at % 32));
        self.moves += 1;
    }

    /// The numbers of the moves.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u8> + '_ {
        (0..usize::from(self.moves)).map(|at| (self.path[at / 32] >> (2 * (at % 32)) & 3) as u8)
    }
}
