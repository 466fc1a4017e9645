//! Boards for pages: the pegs, the inputs of steps, and the sketch of an editor.

use super::{
    Hanoi, State, Step,
    draw::{WIDTH, height, piles},
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout, Sketch, Spot, Swatch, Touch};

/// The pegs with their disks.
pub(crate) fn spots(puzzle: &Hanoi, state: &State) -> Vec<Spot> {
    let spot = |(column, disks): (usize, Vec<usize>)| {
        let disks: Vec<String> = disks.iter().rev().map(usize::to_string).collect();
        let content = match &disks[..] {
            [] => "empty".to_owned(),
            [disk] => format!("disk {disk}"),
            _ => format!("disks {} from the top", disks.join(", ")),
        };
        let goal = if column + 1 == usize::from(puzzle.pegs) { ", the goal" } else { "" };
        Spot {
            row: 0,
            column,
            area: Area {
                x: (column * WIDTH) as f32,
                y: 0.0,
                width: WIDTH as f32,
                height: height(puzzle.disks) as f32,
            },
            name: format!("peg {}{goal}: {content}", column + 1),
        }
    };
    piles(puzzle, state).into_iter().enumerate().map(spot).collect()
}

/// The inputs of a step: the peg that a disk leaves, and the peg that it goes to.
pub(crate) fn touch(puzzle: &Hanoi, state: &State, Step { from, to }: Step) -> Touch {
    let disk = puzzle.top(state, from).map_or(0, |disk| disk + 1);
    Touch {
        from: Some(from.into()),
        to: Some(to.into()),
        name: Some(format!("disk {disk} from peg {} to peg {}", from + 1, to + 1)),
        ..Touch::default()
    }
}

/// The sketch of a position: a pile for each peg.
pub(crate) fn sketch(puzzle: &Hanoi) -> Sketch {
    let pile = |disks: Vec<usize>| disks.iter().map(|disk| Some(disk.to_string())).collect();
    let swatch = |disk: usize| Swatch::new(disk.to_string(), format!("disk {disk}"));
    Sketch {
        layout: Layout::Piles,
        gesture: Gesture::Move,
        heads: (1..=puzzle.pegs).map(|peg| format!("peg {peg}")).collect(),
        cells: piles(puzzle, &puzzle.start).into_iter().map(pile).collect(),
        palette: (1..=puzzle.disks).map(swatch).collect(),
        is_resizable: false,
    }
}

/// The text of a sketch: a list of disks for each peg.
pub(crate) fn sketched(cells: &Cells) -> String {
    let pile = |pile: &Vec<Option<String>>| {
        let disks: Vec<&str> = pile.iter().flatten().map(String::as_str).collect();
        format!("[{}]", disks.join(", "))
    };
    format!("[{}]", cells.iter().map(pile).collect::<Vec<_>>().join(", "))
}
