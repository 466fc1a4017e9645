//! Symmetric levels: rotations and reflections.

use crate::{
    level::{Id, Level},
    picture::Place,
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

impl Level {
    /// The sign of each cell, without the player.
    fn signs(&self, boxes: &[bool]) -> Vec<char> {
        let mut signs: Vec<char> = boxes.iter().map(|&is| if is { '$' } else { '-' }).collect();
        for &goal in &self.goals {
            let sign = &mut signs[usize::from(goal)];
            *sign = if *sign == '$' { '*' } else { '.' };
        }
        signs
    }

    /// Keys that the level shares with near-duplicates, up to symmetry: levels that differ only in
    /// the player's cell, or in one cell of the rectangle wherever the player is.
    pub(crate) fn likenesses(&self, boxes: &[bool]) -> Vec<Likeness> {
        let ((top, left), size) = self.frame();
        let mut signs = vec![vec!['#'; size.1]; size.0];
        for (id, sign) in (0..).zip(self.signs(boxes)) {
            let (row, column) = self.place(id);
            signs[row - top][column - left] = sign;
        }
        let places = || (0..size.0).flat_map(|row| (0..size.1).map(move |column| (row, column)));
        let sums = [0, 1, 2, 3, 4, 5, 6, 7].map(|symmetry| {
            let at = |place| number(image(symmetry, size, place), signs[place.0][place.1]);
            places().map(at).fold(0, u64::wrapping_add)
        });
        let least = |change: &dyn Fn(u8) -> u64| {
            let all = (0..).zip(sums).map(|(symmetry, sum)| sum.wrapping_add(change(symmetry)));
            all.min().unwrap_or(0)
        };
        let mut likenesses = vec![Likeness { but: "the player's cell", key: least(&|_| 0) }];
        likenesses.extend(places().map(|place| Likeness {
            but: "one cell",
            key: least(&|symmetry| {
                let at = image(symmetry, size, place);
                number(at, '?').wrapping_sub(number(at, signs[place.0][place.1]))
            }),
        }));
        likenesses
    }

    /// The first in alphabetical order of the level's eight symmetric texts, without cells that
    /// cannot be reached. The player is on the first of the cells `player`.
    pub(crate) fn least_image(&self, boxes: &[bool], player: &[Id]) -> String {
        let ((top, left), size) = self.frame();
        let cells = self.signs(boxes);
        let images = (0..8u8).map(|symmetry| {
            let (rows, columns) = if symmetry & 4 == 0 { size } else { (size.1, size.0) };
            let mut signs = vec![vec!['#'; columns + 2]; rows + 2];
            let at = |id: Id| {
                let (row, column) = self.place(id);
                let (row, column) = image(symmetry, size, (row - top, column - left));
                (row + 1, column + 1)
            };
            for (id, &sign) in (0..).zip(&cells) {
                let (row, column) = at(id);
                signs[row][column] = sign;
            }
            if let Some((row, column)) = player.iter().map(|&id| at(id)).min() {
                let sign = &mut signs[row][column];
                *sign = if *sign == '.' { '+' } else { '@' };
            }
            let rows = signs.into_iter().map(String::from_iter);
            rows.collect::<Vec<String>>().join("|")
        });
        images.min().unwrap_or_default()
    }
}
