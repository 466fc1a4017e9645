//! Symmetries of a level: rotations and reflections that map its cells to cells and its goals to
//! goals. Symmetric positions are equally far from the end, so that a search needs only one of
//! them.

use crate::{
    board::{Bit, Bits, Board, Each, set_of},
    level::{Id, Move, NONE, Way},
    picture::Place,
    symmetry::image,
};

/// The symmetries of a level without the identity, numbered from 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries {
    /// For each symmetry, the bit to which each bit is mapped.
    maps: Vec<Vec<Bit>>,
}

impl Symmetries {
    /// Symmetries of a board.
    pub(super) fn new<const W: usize>(board: &Board<W>) -> Self {
        let level = &board.level;
        let ((top, left), size) = level.frame();
        // A rotated rectangle that is not a square may extend beyond the board.
        let cell = |(row, column): Place| {
            let is_inside = row < size.0 && column < size.1;
            is_inside.then(|| level.id((row + top, column + left))).filter(|&id| id != NONE)
        };
        // A map that moves a cell off the board, or changes the goals, is not a symmetry.
        let map = |number: u8| -> Option<Vec<Bit>> {
            let mut map = vec![0; 64 * W];
            for id in 0..level.cells() as Id {
                let (row, column) = level.place(id);
                let place = image(number, size, (row - top, column - left));
                map[usize::from(board.bit(id))] = board.bit(cell(place)?);
            }
            (mapped(&map, &board.goals) == board.goals).then_some(map)
        };
        Self { maps: (1..8).filter_map(map).collect() }
    }

    /// The symmetric position whose boxes come first in order, with the symmetric cell of `cell`
    /// and the number of the symmetry; 0 if the position is the first itself.
    pub(super) fn least<const W: usize>(&self, boxes: Bits<W>, cell: Bit) -> (Bits<W>, Bit, u8) {
        let mut least = (boxes, cell, 0);
        for (number, map) in (1..).zip(&self.maps) {
            let image = mapped(map, &boxes);
            if image < least.0 {
                least = (image, map[usize::from(cell)], number);
            }
        }
        least
    }

    /// The pushes of a path on the real board. Each push of `path` is given in the coordinates
    /// after all symmetries before it, with the symmetry of the position to which it leads.
    pub(super) fn undone<const W: usize>(
        &self,
        board: &Board<W>,
        path: &[(Bit, Way, u8)],
    ) -> Vec<Move> {
        // The real bit of each bit.
        let mut true_bits: Vec<Bit> = (0..64 * W as Bit).collect();
        let mut pushes = Vec::with_capacity(path.len());
        for &(onto, way, number) in path {
            let at = true_bits[usize::from(onto)];
            let to = true_bits[usize::from(board.beside(onto, way))];
            let way = Way::ALL.into_iter().find(|&way| board.beside(at, way) == to);
            pushes.push(Move { onto: board.id(at), way: way.unwrap_or(Way(0)) });
            if let Some(map) = usize::from(number).checked_sub(1).map(|at| &self.maps[at]) {
                let mut next = true_bits.clone();
                for bit in Each(board.floor) {
                    next[usize::from(map[usize::from(bit)])] = true_bits[usize::from(bit)];
                }
                true_bits = next;
            }
        }
        pushes
    }
}

/// The set to which a symmetry maps a set.
fn mapped<const W: usize>(map: &[Bit], set: &Bits<W>) -> Bits<W> {
    set_of(Each(*set).map(|bit| map[usize::from(bit)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use std::sync::Arc;

    fn board(text: &str) -> Board<1> {
        Board::new(Arc::new(Level::parse(text).unwrap())).unwrap()
    }

    #[test]
    fn levels_have_their_symmetries() {
        let count = |text| Symmetries::new(&board(text)).maps.len();
        // Goals in all corners of a square, on one of its sides, of one of its corners, and of a
        // room without a symmetry.
        assert_eq!(count("#####|#.$.#|#$@$#|#.$.#|#####"), 7);
        assert_eq!(count("#####|#.-.#|#$@$#|#---#|#####"), 1);
        assert_eq!(count("#####|#.--#|#-$-#|#--@#|#####"), 1);
        assert_eq!(count("#####|#-.-#|#$$@#|#.--#|#--##|#####"), 0);
        // A quarter turn is not a symmetry of this rectangle.
        assert_eq!(count("######|#.--.#|#$@-$#|#.$$.#|######"), 3);
    }

    #[test]
    fn symmetric_positions_have_the_same_representative() {
        let board = board("#######|#.---.#|#-$$--#|#--@$-#|#--$--#|#.---.#|#######");
        let images = Symmetries::new(&board);
        let player = board.player();
        let (least, ..) = images.least(board.boxes, player);
        let mut seen = 0;
        for map in &images.maps {
            let (image, at) = (mapped(map, &board.boxes), map[usize::from(player)]);
            let (other, _, number) = images.least(image, at);
            assert_eq!(other, least);
            seen |= 1 << number;
        }
        assert!(u32::count_ones(seen) > 2, "{seen:b}");
    }
}
