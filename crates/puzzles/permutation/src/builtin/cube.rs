//! Rubik's cubes of any side.
//!
//! The positions are the stickers of the faces U, R, F, D, L and B, row by row as the net shows
//! them. The cube is solved as it is held: a cube of an even side, whose centres turn, has to be
//! brought back to its orientation as well.

use super::{
    INVERSES, POWERS, closed, named,
    turns::{Point, Turn},
};
use crate::definition::{Definition, Invalid, Net};

/// Set of moves of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turns {
    /// Turns by any angle of all layers except the middle ones, which keep the centres fixed. The
    /// cube of side 2 has turns of U, R and F only, which keep a corner fixed.
    Half,
    /// Quarter turns of the same layers.
    Quarter,
    /// Quarter turns of all layers, with the middle layers M, E and S.
    Slices,
}

/// Face of a cube. The axes of space point to the faces R, U and F.
struct Face {
    name: &'static str,
    /// Outward direction.
    normal: Point,
    /// Directions of the next column and of the next row in the net.
    right: Point,
    down: Point,
    /// Row and column of the net, in faces.
    in_net: [usize; 2],
}

const FACES: [Face; 6] = [
    Face {
        name: "U",
        normal: [0.0, 1.0, 0.0],
        right: [1.0, 0.0, 0.0],
        down: [0.0, 0.0, 1.0],
        in_net: [0, 1],
    },
    Face {
        name: "R",
        normal: [1.0, 0.0, 0.0],
        right: [0.0, 0.0, -1.0],
        down: [0.0, -1.0, 0.0],
        in_net: [1, 2],
    },
    Face {
        name: "F",
        normal: [0.0, 0.0, 1.0],
        right: [1.0, 0.0, 0.0],
        down: [0.0, -1.0, 0.0],
        in_net: [1, 1],
    },
    Face {
        name: "D",
        normal: [0.0, -1.0, 0.0],
        right: [1.0, 0.0, 0.0],
        down: [0.0, 0.0, -1.0],
        in_net: [2, 1],
    },
    Face {
        name: "L",
        normal: [-1.0, 0.0, 0.0],
        right: [0.0, 0.0, 1.0],
        down: [0.0, -1.0, 0.0],
        in_net: [1, 0],
    },
    Face {
        name: "B",
        normal: [0.0, 0.0, -1.0],
        right: [-1.0, 0.0, 0.0],
        down: [0.0, -1.0, 0.0],
        in_net: [1, 3],
    },
];

/// Number of faces that turn on the cube of side 2.
const TURNED_OF_2: usize = 3;

/// Middle layers: their names, and the indices of the faces with whose direction they turn.
const MIDDLES: [(&str, usize); 3] = [("M", 4), ("E", 3), ("S", 2)];

/// A cube with `side` rows of stickers on each face.
pub(super) fn cube(side: usize, turns: Turns) -> Result<Definition, Invalid> {
    let (mut definition, points) = solved(side, |_, _| true);
    let (title, closure) = match turns {
        Turns::Half => ("", POWERS),
        Turns::Quarter => (", quarter turns", INVERSES),
        Turns::Slices => (", quarter turns of all layers", INVERSES),
    };
    definition.name = format!("Rubik's cube {side}x{side}x{side}{title}");
    let turned = if side == 2 && turns != Turns::Slices { TURNED_OF_2 } else { FACES.len() };
    for depth in 1..=side / 2 {
        for face in &FACES[..turned] {
            let name = if depth == 1 { String::new() } else { depth.to_string() } + face.name;
            let array = layer(face, side, depth).array(&points)?;
            definition.moves.push(named(name, array));
        }
    }
    if turns == Turns::Slices && side % 2 == 1 {
        for (name, face) in MIDDLES {
            let array = layer(&FACES[face], side, side.div_ceil(2)).array(&points)?;
            definition.moves.push(named(name, array));
        }
    }
    closed(definition, closure)
}

/// Clockwise quarter turn of the layer with a depth, counted from 1 at a face.
fn layer(face: &Face, side: usize, depth: usize) -> Turn {
    // Layers have a height of 2, with the middle of the cube at 0.
    let above = side as f64 - 2.0 * depth as f64;
    let below = if depth == 1 { f64::INFINITY } else { above + 2.0 };
    Turn { axis: face.normal, parts: 4, above, below }
}

/// The solved cube without moves, and the points of its stickers. A face has a sticker at the rows
/// and columns that `has_sticker` accepts.
pub(super) fn solved(
    side: usize,
    has_sticker: impl Fn(usize, usize) -> bool,
) -> (Definition, Vec<Point>) {
    let mut net: Net = vec![vec![None; 4 * side]; 3 * side];
    let (mut goal, mut points) = (Vec::new(), Vec::new());
    for (label, face) in FACES.iter().enumerate() {
        let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
        for (row, column) in cells.filter(|&(row, column)| has_sticker(row, column)) {
            let [first_row, first_column] = face.in_net.map(|faces| faces * side);
            net[first_row + row][first_column + column] = Some(goal.len() as u16);
            goal.push(label as u8);
            points.push(face.point(side, row, column));
        }
    }
    let labels = FACES.iter().map(|face| face.name.to_owned()).collect();
    (Definition { labels, goal, net: Some(net), ..Definition::default() }, points)
}

impl Face {
    /// The point of a sticker. Neighbouring stickers of a face have a distance of 2.
    fn point(&self, side: usize, row: usize, column: usize) -> Point {
        let from_middle = |index: usize| 2.0 * index as f64 + 1.0 - side as f64;
        let (down, right) = (from_middle(row), from_middle(column));
        std::array::from_fn(|axis| {
            side as f64 * self.normal[axis] + right * self.right[axis] + down * self.down[axis]
        })
    }
}
