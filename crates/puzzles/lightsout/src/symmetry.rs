//! Symmetric boards: rotations, reflections and, on a small torus, translations.

use crate::{Lights, Shape, flip, is_on, notation::written};
use unriddle_core::Symmetric;

/// Most cells of a torus whose translations are tried: there are as many of them as cells.
const MOVED: usize = 256;

/// A symmetry: bits 0 and 1 of `mirror` mirror rows and columns, bit 2 exchanges rows and columns
/// afterwards.
#[derive(Clone, Copy)]
struct Symmetry {
    mirror: u8,
    /// Numbers of rows and columns by which the board is translated first.
    moved: (usize, usize),
}

impl Symmetry {
    /// All symmetries of a shape; symmetries that keep rows come first.
    fn all(shape: &Shape) -> impl Iterator<Item = Self> + use<> {
        let (rows, columns) = if shape.torus && shape.cells() <= MOVED {
            (shape.rows, shape.columns)
        } else {
            (1, 1)
        };
        let moves =
            move || (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
        // Buttons with lights of their own have no symmetry.
        let mirrors = if shape.reach.is_some() { 8 } else { 1 };
        (0..mirrors).flat_map(move |mirror| moves().map(move |moved| Self { mirror, moved }))
    }

    /// Whether the symmetry exchanges rows and columns.
    fn turns(self) -> bool {
        self.mirror & 4 != 0
    }

    /// The symmetric cell of a cell.
    fn of(self, shape: &Shape, cell: usize) -> usize {
        let (rows, columns) = (shape.rows, shape.columns);
        let mut row = (cell / columns + self.moved.0) % rows;
        let mut column = (cell % columns + self.moved.1) % columns;
        if self.mirror & 1 != 0 {
            row = rows - 1 - row;
        }
        if self.mirror & 2 != 0 {
            column = columns - 1 - column;
        }
        if self.turns() { column * rows + row } else { row * columns + column }
    }
}

impl<const W: usize> Lights<W> {
    /// The lights that are on.
    pub(crate) fn lit<'a>(&'a self, state: &'a [u64; W]) -> impl Iterator<Item = usize> + 'a {
        (0..self.shape.cells()).filter(|&cell| is_on(state, cell))
    }
}

/// The text of the first symmetric board in alphabetical order, given the lights that are on.
pub(crate) fn least_image(shape: &Shape, lit: &[usize]) -> String {
    let images = Symmetry::all(shape).map(|image| {
        let mut cells = vec![false; shape.cells()];
        for &cell in lit {
            cells[image.of(shape, cell)] = true;
        }
        let columns = if image.turns() { shape.rows } else { shape.columns };
        (columns, cells)
    });
    if shape.reach.is_none() {
        let is_lit: Vec<bool> = (0..shape.cells()).map(|cell| lit.contains(&cell)).collect();
        return shape.text(&is_lit);
    }
    images.min().map_or_else(String::new, |(columns, cells)| written(columns, &cells))
}

/// The symmetries that keep the shape, without translations of a torus and without the identity:
/// for each, the symmetric cell of every cell.
pub(crate) fn images(shape: &Shape) -> Vec<Vec<usize>> {
    let keeps =
        |mirror: &u8| shape.reach.is_some() && (mirror & 4 == 0 || shape.rows == shape.columns);
    let image = |mirror| {
        let image = Symmetry { mirror, moved: (0, 0) };
        (0..shape.cells()).map(|cell| image.of(shape, cell)).collect()
    };
    (1..8).filter(keeps).map(image).collect()
}

impl<const W: usize> Symmetric for Lights<W> {
    fn canonical(&self, state: &[u64; W]) -> [u64; W] {
        let shape = self.shape();
        let is_square = shape.rows == shape.columns;
        let lit: Vec<usize> = self.lit(state).collect();
        let images = Symmetry::all(shape).filter(|image| is_square || !image.turns());
        let images = images.map(|image| {
            let mut cells = [0; W];
            lit.iter().for_each(|&cell| flip(&mut cells, image.of(shape, cell)));
            cells
        });
        images.min().unwrap_or(*state)
    }
}
