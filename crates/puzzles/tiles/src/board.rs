//! Packed boards of the (N² − 1)-puzzle, N = 2…8.
//!
//! Up to N = 5 a board is the sequence of its tiles in reading order *without the blank*, and the
//! blank's cell: 15 × 4 + 4 = 64 bits for the 15-puzzle, 24 × 5 + 5 = 125 bits for the 24-puzzle.
//! In this form a horizontal move keeps the sequence, and a vertical move rotates N neighbouring
//! entries by one position. Both are computed without a branch. Larger boards are plain bytes.
//!
//! All boards have the *canonical* orientation, goal `1 2 … N²−1 0` (blank last). The parser and
//! the notation convert the other convention (see [`Goal`](super::Goal)).

use unriddle_core::State;

/// Largest side.
pub(crate) const MAX_SIDE: usize = 8;
/// Largest number of cells.
pub(crate) const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// A move: the direction in which a *tile* slides into the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Slide {
    /// The tile below the blank moves up.
    Up = 0,
    /// The tile right of the blank moves left.
    Left = 1,
    /// The tile above the blank moves down.
    Down = 2,
    /// The tile left of the blank moves right.
    Right = 3,
}

impl Slide {
    /// All four, in the order in which searches try them: slides of the blank towards its goal
    /// corner come first.
    pub const ALL: [Self; 4] = [Self::Up, Self::Left, Self::Down, Self::Right];

    /// The slide that undoes this one.
    #[must_use]
    #[inline(always)]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Whether it is up or down.
    #[inline(always)]
    pub(crate) const fn is_vertical(self) -> bool {
        self as u8 & 1 == 0
    }

    /// Change of the blank's cell number on a board of side `n`.
    pub(crate) const fn blank_step(self, n: usize) -> isize {
        match self {
            Self::Up => n as isize,
            Self::Down => -(n as isize),
            Self::Left => 1,
            Self::Right => -1,
        }
    }

    /// Its letter: `U D L R`.
    pub(crate) const fn letter(self) -> char {
        ['U', 'L', 'D', 'R'][self as usize]
    }

    /// Row of the slide and the blank's cell in a table with [`MAX_CELLS`] rows for each slide.
    #[inline(always)]
    pub(crate) const fn row(self, blank: usize) -> usize {
        self as usize * MAX_CELLS + (blank & (MAX_CELLS - 1))
    }

    /// Possible slides of all boards of side `n`, as (slide, cell of the blank, cell of the moving
    /// tile).
    pub(crate) fn everywhere(n: usize) -> impl Iterator<Item = (Self, usize, usize)> {
        let at = move |blank| Self::ALL.into_iter().map(move |slide| (slide, blank));
        let all = (0..n * n).flat_map(at);
        let possible =
            all.filter(move |&(slide, blank)| possible(n, blank) >> slide as u8 & 1 == 1);
        possible.map(move |(slide, blank)| {
            (slide, blank, blank.wrapping_add_signed(slide.blank_step(n)))
        })
    }
}

/// A cell mirrored at the main diagonal.
pub(crate) const fn mirrored(n: usize, cell: usize) -> usize {
    cell % n * n + cell / n
}

/// The tile whose goal cell is the mirrored goal cell of a tile, with the blank last.
pub(crate) fn mirrored_tile(n: usize, tile: usize) -> usize {
    tile.checked_sub(1).map_or(0, |home| mirrored(n, home) + 1)
}

/// Manhattan distance of two cells.
pub(crate) fn distance(n: usize, a: usize, b: usize) -> u32 {
    ((a / n).abs_diff(b / n) + (a % n).abs_diff(b % n)) as u32
}

/// A table of `L` equal entries.
pub(crate) fn boxed<T: Copy, const L: usize>(value: T) -> Box<[T; L]> {
    // The conversion cannot fail: the vector has that length.
    let table = vec![value; L].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("length of the table"))
}

/// The slides that are possible with the blank at a cell, as bits `1 << slide`.
pub(crate) const fn possible(n: usize, blank: usize) -> u8 {
    let (row, column) = (blank / n, blank % n);
    (row + 1 < n) as u8
        | ((column + 1 < n) as u8) << 1
        | ((row > 0) as u8) << 2
        | ((column > 0) as u8) << 3
}

/// A packed board of one size.
pub trait Board: State {
    /// Side.
    const N: usize;

    /// Packs tile numbers in reading order, 0 for the blank. The slice is a permutation of 0…N²−1.
    fn pack(cells: &[u8]) -> Self;

    /// The tile at a cell, 0 for the blank.
    fn tile(&self, cell: usize) -> usize;

    /// The blank's cell.
    fn blank(&self) -> usize;

    /// The tile that a possible slide moves.
    fn moved(&self, slide: Slide) -> usize;

    /// The board after a possible slide.
    fn slide(&self, slide: Slide) -> Self;

    /// The tile numbers in reading order.
    fn cells(&self) -> Vec<u8> {
        (0..Self::N * Self::N).map(|c| self.tile(c) as u8).collect()
    }
}

/// Runs an expression with the board type of a side of 2 to 8.
#[macro_export]
macro_rules! with_board {
    ($side:expr, $board:ident => $body:expr) => {
        match $side {
            2 => {
                type $board = $crate::Board2;
                $body
            }
            3 => {
                type $board = $crate::Board3;
                $body
            }
            4 => {
                type $board = $crate::Board4;
                $body
            }
            5 => {
                type $board = $crate::Board5;
                $body
            }
            6 => {
                type $board = $crate::Board6;
                $body
            }
            7 => {
                type $board = $crate::Board7;
                $body
            }
            _ => {
                type $board = $crate::Board8;
                $body
            }
        }
    };
}

macro_rules! packed_board {
    ($(#[$doc:meta])* $name:ident, $word:ty, $bits:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name<const SIDE: usize>($word);

        impl<const SIDE: usize> $name<SIDE> {
            const BLANK_SHIFT: u32 = <$word>::BITS - $bits;
            const ENTRY: $word = (1 << $bits) - 1;
            const FIELD: $word = (1 << ($bits * SIDE as u32)) - 1;
            /// Index of the moved tile in the sequence, relative to the blank's cell, by slide.
            const MOVED: [i8; 4] = [SIDE as i8 - 1, 0, -(SIDE as i8), -1];
            /// First index of the rotated entries, relative to the blank's cell, by slide.
            const START: [i8; 4] = [0, 0, -(SIDE as i8), 0];
            /// By how many entries the field rotates towards its end, by slide.
            const ROTATE: [u8; 4] = [1, 0, SIDE as u8 - 1, 0];
            /// Change of the blank's cell, by slide.
            const STEP: [i8; 4] = [SIDE as i8, 1, -(SIDE as i8), -1];

            #[inline(always)]
            fn entry(self, index: u32) -> usize {
                (self.0 >> ($bits * index) & Self::ENTRY) as usize
            }
        }

        impl<const SIDE: usize> Board for $name<SIDE> {
            const N: usize = SIDE;

            fn pack(cells: &[u8]) -> Self {
                let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
                let tiles = cells.iter().filter(|&&t| t != 0).rev();
                let sequence = tiles.fold(0, |word, &t| word << $bits | <$word>::from(t));
                Self(sequence | (blank as $word) << Self::BLANK_SHIFT)
            }

            #[inline(always)]
            fn tile(&self, cell: usize) -> usize {
                let blank = self.blank();
                if cell == blank { 0 } else { self.entry(cell as u32 - u32::from(cell > blank)) }
            }

            #[inline(always)]
            fn blank(&self) -> usize {
                (self.0 >> Self::BLANK_SHIFT) as usize
            }

            #[inline(always)]
            fn moved(&self, slide: Slide) -> usize {
                let index = self.blank() as i32 + i32::from(Self::MOVED[slide as usize]);
                self.entry(index as u32)
            }

            #[inline(always)]
            fn slide(&self, slide: Slide) -> Self {
                let d = slide as usize;
                let start = (self.blank() as i32 + i32::from(Self::START[d])) as u32 * $bits;
                let left = u32::from(Self::ROTATE[d]) * $bits;
                let field = self.0 >> start & Self::FIELD;
                let turned = (field << left | field >> ($bits * SIDE as u32 - left)) & Self::FIELD;
                let word = self.0 ^ (field ^ turned) << start;
                Self(word.wrapping_add((Self::STEP[d] as $word) << Self::BLANK_SHIFT))
            }
        }
    };
}

packed_board! {
    /// A board of side 2, 3 or 4 in 64 bits.
    Small, u64, 4
}
packed_board! {
    /// A board of side 5 in 128 bits.
    Medium, u128, 5
}

/// A board of side 6, 7 or 8 in bytes, the blank's cell last. `BYTES` is N² + 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Large<const SIDE: usize, const BYTES: usize>([u8; BYTES]);

impl<const SIDE: usize, const BYTES: usize> Board for Large<SIDE, BYTES> {
    const N: usize = SIDE;

    fn pack(cells: &[u8]) -> Self {
        let mut bytes = [0; BYTES];
        bytes[..SIDE * SIDE].copy_from_slice(cells);
        bytes[SIDE * SIDE] = cells.iter().position(|&t| t == 0).unwrap_or(0) as u8;
        Self(bytes)
    }

    #[inline(always)]
    fn tile(&self, cell: usize) -> usize {
        usize::from(self.0[cell])
    }

    #[inline(always)]
    fn blank(&self) -> usize {
        usize::from(self.0[SIDE * SIDE])
    }

    #[inline(always)]
    fn moved(&self, slide: Slide) -> usize {
        self.tile(self.blank().wrapping_add_signed(slide.blank_step(SIDE)))
    }

    #[inline(always)]
    fn slide(&self, slide: Slide) -> Self {
        let blank = self.blank();
        let from = blank.wrapping_add_signed(slide.blank_step(SIDE));
        let mut bytes = self.0;
        bytes[blank] = bytes[from];
        bytes[from] = 0;
        bytes[SIDE * SIDE] = from as u8;
        Self(bytes)
    }
}

/// The 3-puzzle.
pub type Board2 = Small<2>;
/// The 8-puzzle.
pub type Board3 = Small<3>;
/// The 15-puzzle.
pub type Board4 = Small<4>;
/// The 24-puzzle.
pub type Board5 = Medium<5>;
/// The 35-puzzle.
pub type Board6 = Large<6, 37>;
/// The 48-puzzle.
pub type Board7 = Large<7, 50>;
/// The 63-puzzle.
pub type Board8 = Large<8, 65>;

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// Random walks on the packed form and on plain cells agree, and every slide can be undone.
    fn walk<B: Board>() {
        let n = B::N;
        let mut cells: Vec<u8> = (1..(n * n) as u8).chain([0]).collect();
        let mut board = B::pack(&cells);
        let mut rng = Rng::new(n as u64);
        for _ in 0..2000 {
            let blank = cells.iter().position(|&t| t == 0).unwrap();
            assert_eq!(board.blank(), blank);
            let slide = Slide::ALL[rng.below(4) as usize];
            if possible(n, blank) >> slide as u8 & 1 == 0 {
                continue;
            }
            let from = blank.wrapping_add_signed(slide.blank_step(n));
            assert_eq!(board.moved(slide), usize::from(cells[from]));
            cells.swap(blank, from);
            let next = board.slide(slide);
            assert_eq!(next.slide(slide.inverse()), board);
            board = next;
            assert_eq!(board.cells(), cells);
            assert_eq!(board, B::pack(&cells));
        }
    }

    #[test]
    fn packed_boards_agree_with_plain_ones() {
        walk::<Board2>();
        walk::<Board3>();
        walk::<Board4>();
        walk::<Board5>();
        walk::<Board6>();
        walk::<Board7>();
        walk::<Board8>();
        assert_eq!((size_of::<Board4>(), size_of::<Board5>(), size_of::<Board6>()), (8, 16, 37));
    }
}
