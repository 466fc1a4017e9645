//! Boards for pages: the stones, the inputs of moves, and the sketch of an editor.

use super::{
    Board, Group, Layout, SameGame,
    draw::{PAINT, corner, side},
};
use unriddle_catalog::board::{
    Area, Cells, Gesture, Layout as Arrangement, Sketch, Spot, Swatch, Touch,
};
use unriddle_core::ScorePuzzle as _;

/// The board of a sketch without an instance.
pub(crate) const STRIPES: &str = "0 0 1 1 2 2 3 3\n0 0 1 1 2 2 3 3\n1 1 2 2 3 3 0 0\n1 1 2 2 3 3 0 0\n\
     2 2 3 3 0 0 1 1\n2 2 3 3 0 0 1 1\n3 3 0 0 1 1 2 2\n3 3 0 0 1 1 2 2";

/// The colours in words.
const NAMES: [&str; 8] = ["red", "blue", "yellow", "green", "purple", "cyan", "dark", "pale"];

/// Columns and rows of the stones of a group, from the left and from the bottom.
pub(crate) fn places<const N: usize, const L: u32>(
    board: &Board<N, L>,
    group: Group,
) -> Vec<(usize, usize)> {
    let cells = board.links().group(group.cell);
    let bits = (0..N * 64).filter(|bit| cells[bit / 64] >> (bit % 64) & 1 == 1);
    bits.map(|bit| (bit / L as usize, bit % L as usize)).collect()
}

/// The stones, from the left and from the bottom.
pub(crate) fn spots<const N: usize, const L: u32>(
    puzzle: &SameGame<N, L>,
    board: &Board<N, L>,
) -> Vec<Spot> {
    let layout = puzzle.layout(board);
    let links = board.links();
    let mut spots = Vec::new();
    for (column, stones) in layout.columns.iter().enumerate() {
        for (row, &colour) in stones.iter().enumerate() {
            // At most 1,024 cells.
            let group = links.group((column * L as usize + row) as u16);
            let content = match super::count(&group) {
                0 | 1 => "alone".to_owned(),
                size => format!("in a group of {size}"),
            };
            let (x, y) = corner(layout.height, column, row);
            let size = side() as f32;
            spots.push(Spot {
                row: layout.height - 1 - row,
                column,
                area: Area { x: x as f32, y: y as f32, width: size, height: size },
                name: format!(
                    "column {column}, row {row}: {}, {content}",
                    NAMES[usize::from(colour & 7)]
                ),
            });
        }
    }
    spots
}

/// The inputs of a move: any stone of the group.
pub(crate) fn touch<const N: usize, const L: u32>(
    puzzle: &SameGame<N, L>,
    board: &Board<N, L>,
    group: Group,
) -> Touch {
    let columns = board.columns();
    let index =
        |(column, row): (usize, usize)| columns[..column].iter().map(Vec::len).sum::<usize>() + row;
    let places = places(board, group);
    let mut spots = places.iter().copied().map(index);
    let (column, row) = places.first().copied().unwrap_or_default();
    let points = puzzle.reward(board, group);
    let unit = if points == 1 { "point" } else { "points" };
    let colour = NAMES[usize::from(group.colour & 7)];
    let name = format!(
        "take out {} {colour} stones at column {column}, row {row}: {points} {unit}",
        group.size
    );
    Touch { from: spots.next(), also: spots.collect(), name: Some(name), ..Touch::default() }
}

/// The sketch of a board.
pub(crate) fn sketch(layout: &Layout) -> Sketch {
    let cell = |column: usize, row: usize| {
        Some(layout.colour(column, row).map_or_else(|| ".".to_owned(), |colour| colour.to_string()))
    };
    let row = |row: usize| (0..layout.width).map(|column| cell(column, row)).collect();
    let swatch =
        |colour: usize| Swatch::new(colour.to_string(), NAMES[colour]).coloured(PAINT[colour].1);
    let empty = Swatch::new(".", "no stone").shown("");
    Sketch {
        layout: Arrangement::Grid,
        gesture: Gesture::Paint,
        heads: Vec::new(),
        cells: (0..layout.height).rev().map(row).collect(),
        palette: std::iter::once(empty).chain((0..NAMES.len()).map(swatch)).collect(),
        is_resizable: true,
    }
}

/// The text of a sketch. Missing cells have no stone.
pub(crate) fn sketched(cells: &Cells) -> String {
    let row = |row: &Vec<Option<String>>| {
        row.iter().map(|cell| cell.as_deref().unwrap_or(".")).collect::<Vec<_>>().join(" ")
    };
    cells.iter().map(row).collect::<Vec<_>>().join("\n")
}
