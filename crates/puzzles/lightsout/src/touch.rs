//! Boards for pages: lights and buttons, the inputs of presses, and the sketch of an editor.

use crate::{
    Lights, Press, Shape,
    draw::{STEP, button_place, has_buttons_below, light_place},
    is_on,
    notation::written,
    picture::Picture,
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout, Sketch, Spot, Swatch, Touch};

/// Rows and columns of a sketch without an instance.
const SIDE: usize = 5;

/// The lights, and below them the buttons that are not at lights.
pub(crate) fn spots<const W: usize>(puzzle: &Lights<W>, state: &[u64; W]) -> Vec<Spot> {
    let shape = puzzle.shape();
    let area = |(x, y): (usize, usize)| {
        let side = STEP as f32;
        Area { x: x as f32, y: y as f32, width: side, height: side }
    };
    let light = |cell: usize| {
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        let content = if is_on(state, cell) { "on" } else { "off" };
        let name = format!("row {row}, column {column}: {content}");
        Spot { row, column, area: area(light_place(row, column)), name }
    };
    let mut spots: Vec<Spot> = (0..shape.cells()).map(light).collect();
    if has_buttons_below(shape) {
        spots.extend((0..shape.buttons()).map(|button| {
            let ((row, column), corner) = button_place(shape, button);
            Spot { row, column, area: area(corner), name: format!("button {button}") }
        }));
    }
    spots
}

/// The input of a press: its button.
pub(crate) fn touch(shape: &Shape, press: Press) -> Touch {
    let button = usize::from(press.0);
    let (spot, name) = match has_buttons_below(shape) {
        true => (shape.cells() + button, format!("press button {button}")),
        false => {
            let (row, column) = (button / shape.columns, button % shape.columns);
            (button, format!("press row {row}, column {column}"))
        }
    };
    Touch { from: Some(spot), name: Some(name), ..Touch::default() }
}

/// The sketch of a board; `None` if its text lists the lights of each button. Without a board, all
/// lights of the sketch are off.
pub(crate) fn sketch(picture: Option<&Picture>) -> Option<Sketch> {
    let cells = match picture {
        Some(Picture { buttons: Some(_), .. }) => return None,
        Some(Picture { columns, lit, .. }) => {
            let cell = |&lit: &bool| Some(if lit { "1" } else { "0" }.to_owned());
            lit.chunks(*columns).map(|row| row.iter().map(cell).collect()).collect()
        }
        None => vec![vec![Some("0".to_owned()); SIDE]; SIDE],
    };
    Some(Sketch {
        layout: Layout::Grid,
        gesture: Gesture::Paint,
        heads: Vec::new(),
        cells,
        palette: vec![
            Swatch::new("0", "off").coloured("#dcd8ce").shown(""),
            Swatch::new("1", "on").coloured("#f0b429").shown("●"),
        ],
        is_resizable: true,
    })
}

/// The text of a sketch. Lights without a symbol are off.
pub(crate) fn sketched(cells: &Cells) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let is_board = columns > 0 && cells.iter().all(|row| row.len() == columns);
    let lit: Vec<bool> = cells.iter().flatten().map(|cell| cell.as_deref() == Some("1")).collect();
    // The reader refuses rows of different lengths.
    let row = |row: &Vec<Option<String>>| row.iter().map(|_| '0').collect::<String>();
    match is_board {
        true => written(columns, &lit),
        false => cells.iter().map(row).collect::<Vec<_>>().join("/"),
    }
}
