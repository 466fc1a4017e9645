//! Boards for pages: the cells of the drawing, the inputs of slides, and the sketch of an editor.

use super::{
    Goal, Shape, Slide,
    draw::{CELL, PAD},
    notation::text,
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout, Sketch, Spot, Swatch, Touch};

/// The cells of the drawing.
pub(crate) fn spots(shape: Shape, cells: &[u8]) -> Vec<Spot> {
    let Shape { rows, columns } = shape;
    let [width, height] = [columns, rows].map(|count| (count as u32 * CELL) as f32);
    let area = Area { x: PAD as f32, y: PAD as f32, width, height };
    Spot::grid(rows, columns, area, |row, column| {
        let place = format!("row {}, column {}", row + 1, column + 1);
        match cells[row * columns + column] {
            0 => format!("{place}, empty"),
            tile => format!("{place}, tile {tile}"),
        }
    })
}

/// The inputs of a slide: the tile that slides, or the arrow of its direction.
pub(crate) fn touch(shape: Shape, cells: &[u8], slide: Slide) -> Touch {
    let blank = cells.iter().position(|&tile| tile == 0).unwrap_or_default();
    let (from, key, direction) = match slide {
        Slide::Up => (blank + shape.columns, "ArrowUp", "up"),
        Slide::Down => (blank.wrapping_sub(shape.columns), "ArrowDown", "down"),
        Slide::Left => (blank + 1, "ArrowLeft", "left"),
        Slide::Right => (blank.wrapping_sub(1), "ArrowRight", "right"),
    };
    let tile = cells.get(from).copied().unwrap_or_default();
    let name = Some(format!("tile {tile} {direction}"));
    Touch { from: Some(from), key: Some(key), name, ..Touch::default() }
}

/// The sketch of a board. Two cells exchange their tiles, so that each tile stays on the board.
pub(crate) fn sketch(shape: Shape, cells: &[u8]) -> Sketch {
    let swatch = |tile: usize| match tile {
        0 => Swatch::new("0", "empty cell").shown(""),
        tile => Swatch::new(tile.to_string(), format!("tile {tile}")),
    };
    let row = |row: &[u8]| row.iter().map(|tile| Some(tile.to_string())).collect();
    Sketch {
        layout: Layout::Grid,
        gesture: Gesture::Swap,
        heads: Vec::new(),
        cells: cells.chunks(shape.columns).map(row).collect(),
        palette: (0..cells.len()).map(swatch).collect(),
        is_resizable: false,
    }
}

/// The solved board of a sketch without an instance.
pub(crate) fn solved(goal: Goal) -> Sketch {
    let shape = Shape::square(4);
    sketch(shape, &goal.cells(shape))
}

/// The text of a sketch. Invalid symbols are written unchanged, so that the reader refuses them at
/// their position.
pub(crate) fn sketched(cells: &Cells) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let numbers: Option<Vec<u8>> =
        cells.iter().flatten().map(|cell| cell.as_deref()?.parse().ok()).collect();
    match (Shape::new(cells.len(), columns), numbers) {
        (Some(shape), Some(numbers)) if numbers.len() == shape.cells() => text(shape, &numbers),
        _ => {
            let row = |row: &Vec<Option<String>>| {
                row.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect::<Vec<_>>().join(" ")
            };
            cells.iter().map(row).collect::<Vec<_>>().join("\n")
        }
    }
}
