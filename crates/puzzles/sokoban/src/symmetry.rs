//! Levels that are images of each other: turned and mirrored.

use crate::{
    board::{Each, has, one, without},
    picture::Place,
    rules::{Measure, Sokoban},
};

/// Bits 0 and 1 mirror rows and columns, bit 2 exchanges the two afterwards. The place of a cell of a rectangle.
pub(crate) fn image(number: u8, (rows, columns): (usize, usize), (row, column): Place) -> Place {
    let row = if number & 1 == 0 { row } else { rows - 1 - row };
    let column = if number & 2 == 0 {
        column
    } else {
        columns - 1 - column
    };
    match number & 4 {
        0 => (row, column),
        _ => (column, row),
    }
}

impl<const W: usize> Sokoban<W> {
    /// The text of the least of the level's eight images, without what cannot be reached. Where pushes are counted, levels are the same if
    /// the player can walk from where he stands in one to where he stands in the other.
    pub(crate) fn least_image(&self) -> String {
        let board = &**self.board();
        let level = board.level();
        let places: Vec<Place> = (0..level.cells())
            .map(|id| level.place(id as u16))
            .collect();
        let least = |of: fn(&Place) -> usize| places.iter().map(of).min().unwrap_or(0);
        let most = |of: fn(&Place) -> usize| places.iter().map(of).max().unwrap_or(0);
        let (top, left) = (least(|place| place.0), least(|place| place.1));
        let size = (
            most(|place| place.0) - top + 1,
            most(|place| place.1) - left + 1,
        );
        let boxes = unriddle_core::Puzzle::initial_state(self).boxes;
        let begin = one(board.bit(self.begin()));
        let player = match self.measure() {
            Measure::Moves => begin,
            Measure::Pushes => board.reach(&begin, &without(&board.floor, &boxes)),
        };
        let images = (0..8u8).map(|number| {
            let (rows, columns) = if number & 4 == 0 {
                size
            } else {
                (size.1, size.0)
            };
            let mut signs = vec![vec!['#'; columns + 2]; rows + 2];
            let at = |place: Place| {
                let (row, column) = image(number, size, (place.0 - top, place.1 - left));
                (row + 1, column + 1)
            };
            for (id, &place) in places.iter().enumerate() {
                let bit = board.bit(id as u16);
                let (row, column) = at(place);
                signs[row][column] = match (has(&boxes, bit), has(&board.goals, bit)) {
                    (true, true) => '*',
                    (true, false) => '$',
                    (false, true) => '.',
                    (false, false) => '-',
                };
            }
            // The first of the cells where the player can be.
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
