//! Puzzles of tetrahedron, cube and dodecahedron.

use super::{
    INVERSES, POWERS, closed, cube, named,
    turns::{Point, Turn, dot, rotated, sum, unit},
};
use crate::definition::{Definition, Invalid, Move, Net};
use std::f64::consts::PI;

/// Vertices of a tetrahedron. Seen from U with B at the back, L is left and R is right.
const VERTICES: [(&str, Point); 4] = [
    ("U", [1.0, 1.0, 1.0]),
    ("L", [1.0, -1.0, -1.0]),
    ("R", [-1.0, 1.0, -1.0]),
    ("B", [-1.0, -1.0, 1.0]),
];

/// Face of a tetrahedron as a triangle of the net.
struct Triangle {
    label: &'static str,
    /// Indices of the vertices: the one above or below the two others, the left and the right one.
    corners: [usize; 3],
    /// Whether the first corner is below the others.
    is_inverted: bool,
    /// Row and column of the net where the triangle begins.
    in_net: [usize; 2],
}

/// The front is between U, L and R. The faces at its left, at its right and below are inverted.
const TRIANGLES: [Triangle; 4] = [
    Triangle { label: "F", corners: [0, 1, 2], is_inverted: false, in_net: [0, 3] },
    Triangle { label: "L", corners: [1, 3, 0], is_inverted: true, in_net: [0, 0] },
    Triangle { label: "R", corners: [2, 0, 3], is_inverted: true, in_net: [0, 6] },
    Triangle { label: "D", corners: [3, 1, 2], is_inverted: true, in_net: [3, 3] },
];

/// Rows of stickers of a triangle.
const ROWS: usize = 3;

/// Rows and columns of the net of the Pyraminx.
const NET_OF_TRIANGLES: [usize; 2] = [6, 11];

impl Triangle {
    /// The stickers row by row: their rows, columns and points. A point is the sum of the corners
    /// with weights that add up to 9, as in the middles of the small triangles.
    fn stickers(&self) -> impl Iterator<Item = (usize, usize, Point)> {
        (0..ROWS).flat_map(move |row| {
            // Rows from the first corner.
            let from_corner = if self.is_inverted { ROWS - 1 - row } else { row };
            (0..=2 * from_corner).map(move |index| {
                // Odd ones are turned the other way.
                let (is_odd, right) = (index % 2, index / 2);
                let counts = [ROWS - 1 - from_corner, from_corner - right - is_odd, right];
                let weight = |count: usize| (3 * count + 1 + is_odd) as f64;
                let weighted: [(f64, Point); 3] = std::array::from_fn(|corner| {
                    (weight(counts[corner]), unit(VERTICES[self.corners[corner]].1))
                });
                (row, ROWS - 1 - from_corner + index, sum(&weighted))
            })
        })
    }
}

/// The Pyraminx. Capital letters turn a vertex with the layer below it, small ones only its tip.
pub(super) fn pyraminx() -> Result<Definition, Invalid> {
    let [rows, columns] = NET_OF_TRIANGLES;
    let mut net: Net = vec![vec![None; columns]; rows];
    let (mut goal, mut points) = (Vec::new(), Vec::new());
    for (label, triangle) in TRIANGLES.iter().enumerate() {
        for (row, column, point) in triangle.stickers() {
            let [first_row, first_column] = triangle.in_net;
            net[first_row + row][first_column + column] = Some(goal.len() as u16);
            goal.push(label as u8);
            points.push(point);
        }
    }
    // A vertex has height 9, and the face across has height -3.
    let turn = |axis, above| Turn { axis, parts: 3, above, below: f64::INFINITY }.array(&points);
    let mut moves = Vec::new();
    for (name, axis) in VERTICES {
        moves.push(named(name, turn(axis, 1.0)?));
    }
    for (name, axis) in VERTICES {
        moves.push(named(name.to_lowercase(), turn(axis, 5.0)?));
    }
    let labels = TRIANGLES.iter().map(|triangle| triangle.label.to_owned()).collect();
    let name = "Pyraminx".to_owned();
    let net = Some(net);
    closed(Definition { name, labels, goal, moves, net, ..Definition::default() }, INVERSES)
}

/// Corners about which the Skewb turns. The corner between U, R and F is in none of their halves,
/// so that the orientation of the puzzle is fixed.
const TURNED_CORNERS: [(&str, Point); 4] = [
    ("R", [1.0, -1.0, -1.0]),
    ("U", [-1.0, 1.0, -1.0]),
    ("L", [-1.0, -1.0, 1.0]),
    ("B", [-1.0, -1.0, -1.0]),
];

/// The Skewb: the corners and centres of a cube of side 3.
pub(super) fn skewb() -> Result<Definition, Invalid> {
    let (mut definition, points) = cube::solved(3, |row, column| (row + column) % 2 == 0);
    definition.name = "Skewb".to_owned();
    for (name, axis) in TURNED_CORNERS {
        let turn = Turn { axis, parts: 3, above: 0.0, below: f64::INFINITY };
        definition.moves.push(named(name, turn.array(&points)?));
    }
    closed(definition, INVERSES)
}

/// Faces of a dodecahedron between U and D: names, directions in tenths of a rotation from F to the
/// right, and whether they are of the upper half.
const SIDES: [(&str, u8, bool); 10] = [
    ("F", 0, true),
    ("L", 8, true),
    ("BL", 6, true),
    ("BR", 4, true),
    ("R", 2, true),
    ("FL", 9, false),
    ("DL", 7, false),
    ("B", 5, false),
    ("DR", 3, false),
    ("FR", 1, false),
];

/// Neighbours of a face of a dodecahedron.
const NEIGHBOURS: u32 = 5;

/// Names and outward directions of the faces of a dodecahedron: U, the faces below it, those above
/// D, and D. F faces the viewer.
fn pentagons() -> Vec<(&'static str, Point)> {
    // The directions of neighbouring faces have this scalar product.
    let height = 0.2_f64.sqrt();
    let side = |(name, tenths, is_upper): (&'static str, u8, bool)| {
        let (sine, cosine) = (f64::from(tenths) * PI / 5.0).sin_cos();
        (
            name,
            [2.0 * height * sine, if is_upper { height } else { -height }, 2.0 * height * cosine],
        )
    };
    let mut faces = vec![("U", [0.0, 1.0, 0.0])];
    faces.extend(SIDES.map(side));
    faces.push(("D", [0.0, -1.0, 0.0]));
    faces
}

/// The Megaminx. A face has its centre, then its edges and corners in turn, clockwise from the edge
/// at the first of its neighbours. Labels are letters, A for the first face.
pub(super) fn megaminx() -> Result<Definition, Invalid> {
    let faces = pentagons();
    let (mut goal, mut points) = (Vec::new(), Vec::new());
    for (label, &(_, face)) in faces.iter().enumerate() {
        let is_neighbour = |&&(_, other): &&(&str, Point)| (0.1..0.9).contains(&dot(face, other));
        let first = faces.iter().find(is_neighbour).map_or(face, |&(_, other)| other);
        let next = |&neighbour: &Point| Some(rotated(neighbour, face, NEIGHBOURS));
        points.push(sum(&[(3.0, face)]));
        for edge in std::iter::successors(Some(first), next).take(NEIGHBOURS as usize) {
            let after = rotated(edge, face, NEIGHBOURS);
            points.push(sum(&[(3.0, face), (1.0, edge)]));
            points.push(sum(&[(3.0, face), (1.0, edge), (1.0, after)]));
        }
        goal.resize(points.len(), label as u8);
    }
    // Stickers of the pieces of a face are at least 2.3 high, all others at most 1.8.
    let moves = faces.iter().map(|&(name, axis)| {
        let turn = Turn { axis, parts: NEIGHBOURS, above: 2.0, below: f64::INFINITY };
        Ok(named(name, turn.array(&points)?))
    });
    let moves = moves.collect::<Result<Vec<Move>, Invalid>>()?;
    let labels = ('A'..).take(faces.len()).map(String::from).collect();
    let name = "Megaminx".to_owned();
    closed(Definition { name, labels, goal, moves, ..Definition::default() }, POWERS)
}
