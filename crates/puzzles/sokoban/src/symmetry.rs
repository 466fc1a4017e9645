//! Symmetric levels: rotations and reflections.

use crate::{
    board::{Bit, Bits, Each, has, one, without},
    picture::Place,
    rules::{Measure, Sokoban},
};
use unriddle_catalog::instance::Likeness;

/// The symmetric cell of a cell in a rectangle. Bits 0 and 1 of `number` mirror rows and columns;
/// bit 2 exchanges rows and columns afterwards.
pub(crate) fn image(number: u8, (rows, columns): (usize, usize), (row, column): Place) -> Place {
    let row = if number & 1 == 0 { row } else { rows - 1 - row };
    let column = if number & 2 == 0 { column } else { columns - 1 - column };
    match number & 4 {
        0 => (row, column),
        _ => (column, row),
    }
}

/// Hash of a sign at a cell. The hash of a picture is the sum over its cells.
fn number((row, column): Place, sign: char) -> u64 {
    Likeness::hash(&(row, column, sign))
}

impl<const W: usize> Sokoban<W> {
    /// The sign of a cell, without the player.
    fn sign(&self, boxes: &Bits<W>, bit: Bit) -> char {
        match (has(boxes, bit), has(&self.board().goals, bit)) {
            (true, true) => '*',
            (true, false) => '$',
            (false, true) => '.',
            (false, false) => '-',
        }
    }

    /// Keys that the level shares with near-duplicates, up to symmetry: levels that differ only in
    /// the player's cell, or in one cell of the rectangle wherever the player is.
    pub(crate) fn likenesses(&self) -> Vec<Likeness> {
        let board = &**self.board();
        let level = board.level();
        let boxes = unriddle_core::Puzzle::initial_state(self).boxes;
        let ((top, left), size) = level.frame();
        let mut signs = vec![vec!['#'; size.1]; size.0];
        for id in 0..level.cells() as u16 {
            let (row, column) = level.place(id);
            signs[row - top][column - left] = self.sign(&boxes, board.bit(id));
        }
        let places = || (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
        let sums: Vec<u64> = (0..8)
            .map(|image_number| {
                let all = places()
                    .map(|place| number(image(image_number, size, place), signs[place.0][place.1]));
                all.fold(0, u64::wrapping_add)
            })
            .collect();
        let least = |change: &dyn Fn(u8) -> u64| {
            let sums = (0..8).zip(&sums);
            let all = sums.map(|(image_number, sum)| sum.wrapping_add(change(image_number)));
            all.min().unwrap_or(0)
        };
        let mut likenesses = vec![Likeness { but: "the player's cell", key: least(&|_| 0) }];
        likenesses.extend(places().map(|place| Likeness {
            but: "one cell",
            key: least(&|image_number| {
                let at = image(image_number, size, place);
                number(at, '?').wrapping_sub(number(at, signs[place.0][place.1]))
            }),
        }));
        likenesses
    }

    /// The first in alphabetical order of the level's eight symmetric texts, without cells that
    /// cannot be reached. Where pushes are counted, levels are equal if the player can walk from
    /// the start of one to the start of the other.
    pub(crate) fn least_image(&self) -> String {
        let board = &**self.board();
        let level = board.level();
        let places: Vec<Place> = (0..level.cells()).map(|id| level.place(id as u16)).collect();
        let ((top, left), size) = level.frame();
        let boxes = unriddle_core::Puzzle::initial_state(self).boxes;
        let begin = one(board.bit(self.begin()));
        let player = match self.measure() {
            Measure::Moves => begin,
            Measure::Pushes => board.reach(&begin, &without(&board.floor, &boxes)),
        };
        let images = (0..8u8).map(|number| {
            let (rows, columns) = if number & 4 == 0 { size } else { (size.1, size.0) };
            let mut signs = vec![vec!['#'; columns + 2]; rows + 2];
            let at = |place: Place| {
                let (row, column) = image(number, size, (place.0 - top, place.1 - left));
                (row + 1, column + 1)
            };
            for (id, &place) in places.iter().enumerate() {
                let bit = board.bit(id as u16);
                let (row, column) = at(place);
                signs[row][column] = self.sign(&boxes, bit);
            }
            // The first cell that the player can reach.
            if let Some((row, column)) =
                Each(player).map(|bit| at(level.place(board.id(bit)))).min()
            {
                let sign = &mut signs[row][column];
                *sign = if *sign == '.' { '+' } else { '@' };
            }
            let rows = signs.into_iter().map(String::from_iter);
            rows.collect::<Vec<String>>().join("|")
        });
        images.min().unwrap_or_default()
    }
}
