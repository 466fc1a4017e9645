//! A position as bit planes: three planes for the colour and one for occupied cells.
//!
//! A column is a lane of `L` bits, its bottom cell the lowest; lanes follow each other from the
//! left, 64 / L of them in a word. So the cell above is one bit higher, and the cell to the right L
//! bits.
//!
//! Every operation of a play-out works on all cells at once: neighbours of the same colour
//! ([`Links`]), about one cell of every group ([`Links::corners`]), the group of a cell by
//! spreading along links ([`Links::group`]), and the removal of a group by shifting the cells above
//! it.
//!
//! Invariants: planes are 0 at empty cells; a column has its cells at the bottom; columns without
//! cells are to the right of all others. So equal positions have equal planes.

use std::hash::{Hash, Hasher};

/// Cells as a set, one bit for each.
pub type Cells<const N: usize> = [u64; N];

/// Colours are 0 to 7.
pub const COLOURS: usize = 8;

/// A position of at most 64·N / L columns of at most L cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board<const N: usize, const L: u32> {
    /// Bits of the colours, the lowest first.
    planes: [Cells<N>; 3],
    /// Occupied cells.
    cells: Cells<N>,
}

impl<const N: usize, const L: u32> Hash for Board<N, L> {
    /// A hash of the planes in one word; four chains of multiplications run side by side.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        const K: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut chains = [0x243f_6a88_85a3_08d3u64, 0x1319_8a2e_0370_7344, 3, 5];
        let sets = self.planes.iter().chain([&self.cells]);
        for (chain, set) in chains.iter_mut().zip(sets) {
            for &word in set {
                *chain = (chain.rotate_left(23) ^ word).wrapping_mul(K);
            }
        }
        let [a, b, c, d] = chains;
        let mixed = (a ^ b.rotate_left(17)).wrapping_mul(K) ^ (c ^ d.rotate_left(41));
        state.write_u64((mixed ^ mixed >> 32).wrapping_mul(K));
    }
}

/// The lowest bit of every lane.
const fn bottoms<const L: u32>() -> u64 {
    let mut mask = 0;
    let mut at = 0;
    while at < 64 {
        mask |= 1 << at;
        at += L;
    }
    mask
}

/// A word of [`from_right`].
#[inline(always)]
fn right_of<const N: usize, const L: u32>(cells: &Cells<N>, i: usize) -> u64 {
    let next = if i + 1 < N { cells[i + 1] } else { 0 };
    cells[i] >> L | next << (64 - L)
}

/// Every cell's bit at the position of its left neighbour: `right[c] = cells[c + 1]`.
#[inline(always)]
fn from_right<const N: usize, const L: u32>(cells: &Cells<N>) -> Cells<N> {
    std::array::from_fn(|i| right_of::<N, L>(cells, i))
}

/// Every cell's bit at the position of its right neighbour.
#[inline(always)]
fn from_left<const N: usize, const L: u32>(cells: &Cells<N>) -> Cells<N> {
    std::array::from_fn(|i| {
        let before = if i > 0 { cells[i - 1] } else { 0 };
        cells[i] << L | before >> (64 - L)
    })
}

/// Positions whose cells may change when a set of cells is removed and no column closes up: all
/// positions from the lowest removed cell of each column upwards, with their neighbours.
#[inline(always)]
#[must_use]
pub fn disturbed<const N: usize, const L: u32>(taken: &Cells<N>) -> Cells<N> {
    let above: Cells<N> = std::array::from_fn(|i| {
        let mut above = taken[i];
        let mut step = 1;
        while step < L {
            // Bits that would be shifted into the next lane are masked.
            let stay = (bottoms::<L>() << (L - step)).wrapping_sub(bottoms::<L>());
            above |= (above & stay) << step;
            step *= 2;
        }
        above
    });
    let (left, right) = (from_right::<N, L>(&above), from_left::<N, L>(&above));
    std::array::from_fn(|i| above[i] | (above[i] & !bottoms::<L>()) >> 1 | left[i] | right[i])
}

/// Number of cells in a set.
#[inline(always)]
#[must_use]
pub fn count<const N: usize>(cells: &Cells<N>) -> u32 {
    cells.iter().map(|word| word.count_ones()).sum()
}

/// The `n`-th cell of a set (from 0) as a number; the set has more than that.
#[inline(always)]
#[must_use]
pub fn nth<const N: usize>(cells: &Cells<N>, mut n: u32) -> u16 {
    for (i, &word) in cells.iter().enumerate() {
        let here = word.count_ones();
        if n < here {
            let mut word = word;
            for _ in 0..n {
                word &= word - 1;
            }
            return (i as u32 * 64 + word.trailing_zeros()) as u16;
        }
        n -= here;
    }
    0
}

/// The set of one cell.
#[inline(always)]
#[must_use]
pub fn one<const N: usize>(cell: u16) -> Cells<N> {
    let mut cells = [0; N];
    cells[usize::from(cell / 64) % N] = 1 << (cell % 64);
    cells
}

/// Whether a set has no cell.
#[inline(always)]
#[must_use]
pub fn is_empty<const N: usize>(cells: &Cells<N>) -> bool {
    cells.iter().fold(0, |any, word| any | word) == 0
}

/// Links: pairs of neighbours of the same colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links<const N: usize, const L: u32> {
    /// Cells whose upper neighbour has their colour.
    pub up: Cells<N>,
    /// Cells whose right neighbour has their colour.
    pub right: Cells<N>,
}

impl<const N: usize, const L: u32> Links<N, L> {
    /// Whether no cell has a neighbour of its colour: no move is left.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        is_empty(&self.up) && is_empty(&self.right)
    }

    /// Cells that are the lower left one of four of one colour.
    #[inline(always)]
    #[must_use]
    pub fn squares(&self) -> Cells<N> {
        let beside = from_right::<N, L>(&self.up);
        std::array::from_fn(|i| self.up[i] & self.right[i] & beside[i])
    }

    /// Cells with a link: the cells of all groups.
    #[inline(always)]
    #[must_use]
    pub fn linked(&self) -> Cells<N> {
        let left = from_left::<N, L>(&self.right);
        std::array::from_fn(|i| self.up[i] | self.up[i] << 1 | self.right[i] | left[i])
    }

    /// Cells with a link upwards or to the right and none downwards or to the left: at least one of
    /// every group, among them its first.
    #[inline(always)]
    #[must_use]
    pub fn corners(&self) -> Cells<N> {
        let left = from_left::<N, L>(&self.right);
        // No cell is linked over the top of its lane.
        std::array::from_fn(|i| (self.up[i] | self.right[i]) & !(self.up[i] << 1) & !left[i])
    }

    /// All cells of a cell's group.
    ///
    /// The flood fill spreads within a word until nothing changes, and continues in adjacent words
    /// only across a link: most groups occupy one or two words.
    #[inline(always)]
    #[must_use]
    pub fn group(&self, cell: u16) -> Cells<N> {
        let mut group = one(cell);
        let mut open = 1u32 << (cell / 64);
        while open != 0 {
            let i = open.trailing_zeros() as usize % N;
            open &= open - 1;
            let (up, right) = (self.up[i], self.right[i]);
            let mut cells = group[i];
            loop {
                let tall = cells | (cells & up) << 1 | cells >> 1 & up;
                let grown = tall | (tall & right) << L | tall >> L & right;
                if grown == cells {
                    break;
                }
                cells = grown;
            }
            group[i] = cells;
            if i + 1 < N {
                let new = (cells & right) >> (64 - L) & !group[i + 1];
                if new != 0 {
                    group[i + 1] |= new;
                    open |= 2 << i;
                }
            }
            if i > 0 {
                let new = cells << (64 - L) & self.right[i - 1] & !group[i - 1];
                if new != 0 {
                    group[i - 1] |= new;
                    open |= 1 << (i - 1);
                }
            }
        }
        group
    }
}

impl<const N: usize, const L: u32> Board<N, L> {
    /// Most columns.
    pub const WIDTH: usize = N * 64 / L as usize;
    /// Most rows.
    pub const HEIGHT: usize = L as usize;

    /// The position of some columns from the left, each from the bottom; colours are below 8.
    #[must_use]
    pub fn new(columns: &[Vec<u8>]) -> Self {
        let mut board = Self { planes: [[0; N]; 3], cells: [0; N] };
        for (column, cells) in columns.iter().take(Self::WIDTH).enumerate() {
            for (row, &colour) in cells.iter().take(Self::HEIGHT).enumerate() {
                let at = column * Self::HEIGHT + row;
                let (word, bit) = (at / 64, 1 << (at % 64));
                board.cells[word] |= bit;
                for (plane, set) in board.planes.iter_mut().enumerate() {
                    if colour >> plane & 1 != 0 {
                        set[word] |= bit;
                    }
                }
            }
        }
        board
    }

    /// The columns from the left, each from the bottom, without empty ones.
    #[must_use]
    pub fn columns(&self) -> Vec<Vec<u8>> {
        let column = |column: usize| -> Vec<u8> {
            let cells = column * Self::HEIGHT..(column + 1) * Self::HEIGHT;
            cells.map_while(|at| self.colour(at as u16)).collect()
        };
        // Columns without cells are to the right of all others.
        (0..Self::WIDTH).map(column).take_while(|cells| !cells.is_empty()).collect()
    }

    /// The colour of a cell; `None` if it is empty.
    #[inline]
    #[must_use]
    pub fn colour(&self, cell: u16) -> Option<u8> {
        let (word, at) = (usize::from(cell / 64), cell % 64);
        let bit = |set: &Cells<N>| set.get(word).map_or(0, |word| (word >> at & 1) as u8);
        let [low, middle, high] = self.planes.each_ref().map(bit);
        (bit(&self.cells) != 0).then_some(low | middle << 1 | high << 2)
    }

    /// Occupied cells.
    #[inline(always)]
    #[must_use]
    pub fn cells(&self) -> &Cells<N> {
        &self.cells
    }

    /// Whether no cell is left.
    #[inline(always)]
    #[must_use]
    pub fn is_cleared(&self) -> bool {
        // Cells are at the bottom of the leftmost columns.
        self.cells[0] == 0
    }

    /// The cells of a colour.
    #[inline(always)]
    #[must_use]
    pub fn of_colour(&self, colour: u8) -> Cells<N> {
        let flip = |plane: usize| (u64::from(colour >> plane & 1)).wrapping_sub(1);
        let (low, middle, high) = (flip(0), flip(1), flip(2));
        std::array::from_fn(|i| {
            (self.planes[0][i] ^ low)
                & (self.planes[1][i] ^ middle)
                & (self.planes[2][i] ^ high)
                & self.cells[i]
        })
    }

    /// Colours from here on are not there.
    #[inline(always)]
    #[must_use]
    pub fn colours(&self) -> u8 {
        let [low, middle, high] = self.planes.each_ref().map(|plane| !is_empty(plane));
        match (high, middle, low) {
            (true, _, _) => 8,
            (_, true, _) => 4,
            (_, _, true) => 2,
            _ => 1,
        }
    }

    /// Number of columns with cells.
    #[inline(always)]
    #[must_use]
    pub fn width(&self) -> u32 {
        self.cells.iter().map(|word| (word & bottoms::<L>()).count_ones()).sum()
    }

    /// Number of cells of each colour.
    #[must_use]
    pub fn counts(&self) -> [u32; COLOURS] {
        std::array::from_fn(|colour| count(&self.of_colour(colour as u8)))
    }

    /// Links: pairs of neighbours of the same colour.
    #[inline(always)]
    #[must_use]
    pub fn links(&self) -> Links<N, L> {
        let mut links = Links { up: [0; N], right: [0; N] };
        for i in 0..N {
            self.link(&mut links, i);
        }
        links
    }

    /// Works out the links of a word's cells.
    #[inline(always)]
    fn link(&self, links: &mut Links<N, L>, i: usize) {
        let tops = bottoms::<L>() << (L - 1);
        let [mut above, mut beside] = [0; 2];
        for plane in &self.planes {
            above |= plane[i] ^ plane[i] >> 1;
            beside |= plane[i] ^ right_of::<N, L>(plane, i);
        }
        let cells = self.cells[i];
        links.up[i] = cells & cells >> 1 & !above & !tops;
        links.right[i] = cells & right_of::<N, L>(&self.cells, i) & !beside;
    }

    /// Updates the links of a position after the removal of a group; `self` is the position after
    /// it.
    #[inline(always)]
    pub fn relink(&self, links: &mut Links<N, L>, group: &Cells<N>, closed_up: bool) {
        // The columns of the group and the links of their left neighbours have changed; if a column
        // closed up, so have all columns to its right.
        for i in 0..N {
            let next = if i + 1 < N { group[i + 1] } else { 0 };
            let before = closed_up && i > 0 && group[..i].iter().any(|&word| word != 0);
            if group[i] | next != 0 || before {
                self.link(links, i);
            }
        }
    }

    /// The position without some cells: those above fall, and empty columns close up.
    #[inline(always)]
    #[must_use]
    pub fn without(&self, group: &Cells<N>) -> Self {
        let mut after = *self;
        after.take_out(group);
        after
    }

    /// Takes cells out; those above fall, and empty columns close up. Whether some did.
    #[inline(always)]
    pub fn take_out(&mut self, group: &Cells<N>) -> bool {
        let after = self;
        let mut emptied = [0; N];
        for i in 0..N {
            let mut rest = group[i];
            if rest == 0 {
                continue;
            }
            let before = after.cells[i];
            let mut words = [after.planes[0][i], after.planes[1][i], after.planes[2][i], before];
            while rest != 0 {
                // The highest run of cells is removed first, so that lower runs keep their
                // positions.
                let high = 63 - rest.leading_zeros();
                let ones = (!(rest << (63 - high))).leading_zeros().min(high + 1);
                // Not beyond the bottom of the lane.
                let ones = ones.min(high % L + 1);
                let low = high + 1 - ones;
                let top = (high / L + 1) * L;
                // The bits of the lane from the run upwards.
                let above = u64::MAX << low & u64::MAX >> (64 - top);
                for word in &mut words {
                    *word = *word & !above | (*word & above) >> ones & above;
                }
                rest &= !(u64::MAX << low);
            }
            for (plane, word) in words.iter().take(3).enumerate() {
                after.planes[plane][i] = *word;
            }
            after.cells[i] = words[3];
            emptied[i] = before & !words[3] & bottoms::<L>();
        }
        if is_empty(&emptied) {
            return false;
        }
        after.close_up(&emptied);
        true
    }

    /// Shifts columns to the left over empty ones, given by their lowest cells.
    #[cold]
    fn close_up(&mut self, emptied: &Cells<N>) {
        for column in (0..Self::WIDTH).rev() {
            let at = column as u32 * L;
            let (word, shift) = ((at / 64) as usize, at % 64);
            if emptied[word] >> shift & 1 != 0 {
                for set in self.planes.iter_mut().chain([&mut self.cells]) {
                    let moved = from_right::<N, L>(set);
                    // Columns to the left stay.
                    let kept = (1u64 << shift) - 1;
                    set[word] = set[word] & kept | moved[word] & !kept;
                    set[word + 1..].copy_from_slice(&moved[word + 1..]);
                }
            }
        }
    }
}
