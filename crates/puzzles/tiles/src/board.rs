//! Packed boards.
//!
//! The squares of the 8-, 15-, 24- and 35-puzzle with the blank first or last have a type each, and
//! so the fastest code. [`AnyBoard`] holds every other board: other shapes, other goals.
//!
//! Up to N = 5 a square board is the sequence of its tiles in reading order *without the blank*,
//! and the blank's cell: 15 × 4 + 4 = 64 bits for the 15-puzzle, 24 × 5 + 5 = 125 bits for the
//! 24-puzzle. In this form a horizontal move keeps the sequence, and a vertical move rotates N
//! neighbouring entries by one position. Both are computed without a branch. Larger boards are
//! plain bytes.
//!
//! Boards whose goal has the blank first are turned by 180° and renumbered, so that their goal has
//! the blank last. The reader and the notation convert them (see [`Goal`](super::Goal)).

use super::shape::{MAX_CELLS, Shape};
use std::hash::{Hash, Hasher};
use unriddle_core::State;

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

    /// The slide of the board mirrored at its main diagonal: rows become columns.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Up => Self::Left,
            Self::Left => Self::Up,
            Self::Down => Self::Right,
            Self::Right => Self::Down,
        }
    }

    /// Whether it undoes another slide. The numbers of opposite slides differ by 2, which is faster
    /// to compare than [its inverse](Self::inverse).
    #[inline(always)]
    pub(crate) const fn undoes(self, other: Self) -> bool {
        self as u8 ^ other as u8 == 2
    }

    /// Whether it is up or down.
    #[inline(always)]
    pub(crate) const fn is_vertical(self) -> bool {
        self as u8 & 1 == 0
    }

    /// Change of the blank's cell number on a board with a number of columns.
    #[inline(always)]
    pub(crate) const fn blank_step(self, columns: usize) -> isize {
        match self {
            Self::Up => columns as isize,
            Self::Down => -(columns as isize),
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

    /// Possible slides of all boards of a shape, as (slide, cell of the blank, cell of the moving
    /// tile).
    pub(crate) fn everywhere(shape: Shape) -> impl Iterator<Item = (Self, usize, usize)> {
        let at = move |blank| Self::ALL.into_iter().map(move |slide| (slide, blank));
        let all = (0..shape.cells()).flat_map(at);
        let possible =
            all.filter(move |&(slide, blank)| shape.possible(blank) >> slide as u8 & 1 == 1);
        possible.map(move |(slide, blank)| {
            (slide, blank, blank.wrapping_add_signed(slide.blank_step(shape.columns)))
        })
    }
}

/// A table of `L` equal entries.
pub(crate) fn boxed<T: Copy, const L: usize>(value: T) -> Box<[T; L]> {
    // The conversion cannot fail: the vector has that length.
    let table = vec![value; L].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("length of the table"))
}

/// A packed board of one type.
pub trait Board: State {
    /// Side of all boards of the type, which are squares; `None` for boards of any shape.
    const SIDE: Option<usize>;

    /// Packs tile numbers in reading order, 0 for the blank. The slice is a permutation of
    /// 0…cells−1.
    fn pack(cells: &[u8], columns: usize) -> Self;

    /// Number of columns.
    fn columns(&self) -> usize;

    /// The tile at a cell, 0 for the blank.
    fn tile(&self, cell: usize) -> usize;

    /// The blank's cell.
    fn blank(&self) -> usize;

    /// The tile that a possible slide moves.
    fn moved(&self, slide: Slide) -> usize;

    /// The board after a possible slide.
    fn slide(&self, slide: Slide) -> Self;

    /// The shape of the type's boards, which is `shape` if the type has boards of any shape.
    #[inline(always)]
    #[must_use]
    fn shape_or(shape: Shape) -> Shape {
        match Self::SIDE {
            Some(side) => Shape::square(side),
            None => shape,
        }
    }
}

/// Runs an expression with the board type of a side of 3 to 6.
#[macro_export]
macro_rules! with_board {
    ($side:expr, $board:ident => $body:expr) => {
        match $side {
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
            _ => {
                type $board = $crate::AnyBoard;
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
            const SIDE: Option<usize> = Some(SIDE);

            fn pack(cells: &[u8], _: usize) -> Self {
                let blank = cells.iter().position(|&t| t == 0).unwrap_or(0);
                let tiles = cells.iter().filter(|&&t| t != 0).rev();
                let sequence = tiles.fold(0, |word, &t| word << $bits | <$word>::from(t));
                Self(sequence | (blank as $word) << Self::BLANK_SHIFT)
            }

            #[inline(always)]
            fn columns(&self) -> usize {
                SIDE
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
    /// A board of side 3 or 4 in 64 bits.
    Small, u64, 4
}
packed_board! {
    /// A board of side 5 in 128 bits.
    Medium, u128, 5
}

/// A board of side 6 in bytes, the blank's cell last. `BYTES` is N² + 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Large<const SIDE: usize, const BYTES: usize>([u8; BYTES]);

impl<const SIDE: usize, const BYTES: usize> Board for Large<SIDE, BYTES> {
    const SIDE: Option<usize> = Some(SIDE);

    fn pack(cells: &[u8], _: usize) -> Self {
        let mut bytes = [0; BYTES];
        bytes[..SIDE * SIDE].copy_from_slice(cells);
        bytes[SIDE * SIDE] = cells.iter().position(|&t| t == 0).unwrap_or(0) as u8;
        Self(bytes)
    }

    #[inline(always)]
    fn columns(&self) -> usize {
        SIDE
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

/// A board of any shape in bytes, with the number of its columns. Unused cells are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct AnyBoard {
    cells: [u8; MAX_CELLS],
    blank: u8,
    columns: u8,
}

impl Hash for AnyBoard {
    /// The other fields follow from the cells of an instance's boards.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.cells.as_chunks::<8>().0 {
            state.write_u64(u64::from_le_bytes(*word));
        }
    }
}

impl Board for AnyBoard {
    const SIDE: Option<usize> = None;

    fn pack(tiles: &[u8], columns: usize) -> Self {
        let mut cells = [0; MAX_CELLS];
        cells[..tiles.len()].copy_from_slice(tiles);
        let blank = tiles.iter().position(|&t| t == 0).unwrap_or(0) as u8;
        Self { cells, blank, columns: columns as u8 }
    }

    #[inline(always)]
    fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    #[inline(always)]
    fn tile(&self, cell: usize) -> usize {
        usize::from(self.cells[cell & (MAX_CELLS - 1)])
    }

    #[inline(always)]
    fn blank(&self) -> usize {
        usize::from(self.blank)
    }

    #[inline(always)]
    fn moved(&self, slide: Slide) -> usize {
        self.tile(self.blank().wrapping_add_signed(slide.blank_step(self.columns())))
    }

    #[inline(always)]
    fn slide(&self, slide: Slide) -> Self {
        let blank = self.blank() & (MAX_CELLS - 1);
        let from = blank.wrapping_add_signed(slide.blank_step(self.columns())) & (MAX_CELLS - 1);
        let mut next = *self;
        next.cells[blank] = next.cells[from];
        next.cells[from] = 0;
        next.blank = from as u8;
        next
    }
}

/// The 8-puzzle.
pub type Board3 = Small<3>;
/// The 15-puzzle.
pub type Board4 = Small<4>;
/// The 24-puzzle.
pub type Board5 = Medium<5>;
/// The 35-puzzle.
pub type Board6 = Large<6, 37>;

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// Random walks on the packed form and on plain cells agree, and every slide can be undone.
    fn walk<B: Board>(shape: Shape) {
        let mut cells: Vec<u8> = (1..shape.cells() as u8).chain([0]).collect();
        let pack = |cells: &[u8]| B::pack(cells, shape.columns);
        let mut board = pack(&cells);
        let mut rng = Rng::new(shape.cells() as u64);
        for _ in 0..2000 {
            let blank = cells.iter().position(|&t| t == 0).unwrap();
            assert_eq!(board.blank(), blank);
            let slide = Slide::ALL[rng.below(4) as usize];
            if shape.possible(blank) >> slide as u8 & 1 == 0 {
                continue;
            }
            let from = blank.wrapping_add_signed(slide.blank_step(shape.columns));
            assert_eq!(board.moved(slide), usize::from(cells[from]));
            cells.swap(blank, from);
            let next = board.slide(slide);
            assert_eq!(next.slide(slide.inverse()), board);
            board = next;
            let tiles: Vec<u8> = (0..cells.len()).map(|c| board.tile(c) as u8).collect();
            assert_eq!(tiles, cells);
            assert_eq!(board, pack(&cells));
        }
    }

    #[test]
    fn packed_boards_agree_with_plain_ones() {
        for side in 3..=6 {
            with_board!(side, B => walk::<B>(Shape::square(side)));
        }
        for shape in (4..=MAX_CELLS).flat_map(Shape::of_cells) {
            walk::<AnyBoard>(shape);
        }
        assert_eq!((size_of::<Board4>(), size_of::<Board5>(), size_of::<Board6>()), (8, 16, 37));
        assert_eq!(size_of::<AnyBoard>(), 66);
    }
}
