//! Geometry of the cube: positions of stickers in space, and their permutations by turns and
//! symmetries.
//!
//! All other facts about pieces follow from this module and from the names of the pieces. A sticker
//! has a number below 54: nine for each face in the order U, R, F, D, L, B, row by row as in the
//! unfolded net (Kociemba's order).
//!
//! A *position code* is the position of a piece and its orientation: `3 · position + i` if the
//! first sticker of a corner covers the `i`th sticker of the position, and `24 + 2 · position + i`
//! for edges. A turn of a face, or a symmetry, maps position codes to position codes.

/// A point or a direction: right, up, towards the viewer.
pub(crate) type Vector = [i8; 3];

/// The faces in order, as people name them.
pub(crate) const FACES: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// Stickers of the cube.
pub(crate) const STICKERS: usize = 54;

/// Number of position codes: 24 of corners, then 24 of edges.
pub(crate) const CODES: usize = 48;

/// Number of position codes of a kind of piece: 24 for corners and 24 for edges.
pub(crate) const EACH: usize = 24;
/// First position code of edges.
pub(crate) const EDGE_CODES: usize = 24;

/// Symmetries of the cube, mirror images included.
pub(crate) const SYMMETRIES: usize = 48;

/// Corners by their faces, the U or D face first, then clockwise as seen from outside.
pub(crate) const CORNERS: [[usize; 3]; 8] =
    [[0, 1, 2], [0, 2, 4], [0, 4, 5], [0, 5, 1], [3, 2, 1], [3, 4, 2], [3, 5, 4], [3, 1, 5]];

/// Edges by their faces: the U or D face first, else the F or B face.
pub(crate) const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [0, 2],
    [0, 4],
    [0, 5],
    [3, 1],
    [3, 2],
    [3, 4],
    [3, 5],
    [2, 1],
    [2, 4],
    [5, 4],
    [5, 1],
];

/// By face: where it looks to, and which way its rows and its columns run.
pub(crate) const FRAMES: [[Vector; 3]; 6] = [
    [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
    [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
    [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
    [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
    [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
    [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
];

pub(crate) const fn dot(a: Vector, b: Vector) -> i8 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

const fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

const fn times(a: Vector, by: i8) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

const fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Centre of the piece of a sticker, and the direction of the sticker.
pub(crate) const fn place(sticker: usize) -> [Vector; 2] {
    let [normal, right, down] = FRAMES[sticker / 9];
    let (row, column) = ((sticker % 9 / 3) as i8, (sticker % 3) as i8);
    let aside = add(times(right, column - 1), times(down, row - 1));
    [add(normal, aside), normal]
}

/// The sticker of a piece in the middle of `at` that looks to `normal`.
const fn sticker_at(at: Vector, normal: Vector) -> usize {
    let mut face = 0;
    while dot(FRAMES[face][0], normal) != 1 {
        face += 1;
    }
    let [_, right, down] = FRAMES[face];
    let (row, column) = (dot(at, down) + 1, dot(at, right) + 1);
    9 * face + 3 * row as usize + column as usize
}

/// A quarter turn about a face's axis, clockwise as seen from outside that face.
const fn turned(vector: Vector, face: usize) -> Vector {
    let axis = FRAMES[face][0];
    add(cross(vector, axis), times(axis, dot(axis, vector)))
}

/// Permutation of stickers: the new number of each sticker.
pub(crate) type Map = [u8; STICKERS];

/// Layers of a face that turn together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layers {
    /// Only the face.
    Face,
    /// Only the layer behind the face.
    Slice,
    /// Both.
    Wide,
    /// The whole cube.
    All,
}

/// Permutation of stickers by a quarter turn of layers, clockwise as seen from outside the face.
pub(crate) const fn turn(face: usize, layers: Layers) -> Map {
    let mut map = [0; STICKERS];
    let mut sticker = 0;
    while sticker < STICKERS {
        let [at, normal] = place(sticker);
        let depth = dot(at, FRAMES[face][0]);
        let turns = match layers {
            Layers::Face => depth == 1,
            Layers::Slice => depth == 0,
            Layers::Wide => depth >= 0,
            Layers::All => true,
        };
        map[sticker] = if turns {
            sticker_at(turned(at, face), turned(normal, face)) as u8
        } else {
            sticker as u8
        };
        sticker += 1;
    }
    map
}

/// First one map, then another.
pub(crate) const fn then(first: &Map, next: &Map) -> Map {
    let mut map = [0; STICKERS];
    let mut sticker = 0;
    while sticker < STICKERS {
        map[sticker] = next[first[sticker] as usize];
        sticker += 1;
    }
    map
}

/// The sticker that the first sticker of a piece covers, for a position code.
pub(crate) const fn sticker_of(code: usize) -> usize {
    let (faces, at): (&[usize], _) = if code < EDGE_CODES {
        (&CORNERS[code / 3], code % 3)
    } else {
        let code = code - EDGE_CODES;
        (&EDGES[code / 2], code % 2)
    };
    let mut middle = [0; 3];
    let mut i = 0;
    while i < faces.len() {
        middle = add(middle, FRAMES[faces[i]][0]);
        i += 1;
    }
    sticker_at(middle, FRAMES[faces[at]][0])
}

/// The sticker that the first sticker of a piece covers, by position code.
pub(crate) const STICKER_OF: [u8; CODES] = {
    let mut stickers = [0; CODES];
    let mut code = 0;
    while code < CODES {
        stickers[code] = sticker_of(code) as u8;
        code += 1;
    }
    stickers
};

/// Marks the sticker of a centre, which has no position code.
const CENTRE: u8 = u8::MAX;

/// Position code of each sticker.
const CODE_OF: [u8; STICKERS] = {
    let mut codes = [CENTRE; STICKERS];
    let mut code = 0;
    while code < CODES {
        codes[STICKER_OF[code] as usize] = code as u8;
        code += 1;
    }
    codes
};

/// Permutation of position codes by a permutation of stickers.
const fn codes(map: &Map) -> [u8; CODES] {
    let mut codes = [0; CODES];
    let mut code = 0;
    while code < CODES {
        codes[code] = CODE_OF[map[STICKER_OF[code] as usize] as usize];
        code += 1;
    }
    codes
}

/// Permutation of position codes by a clockwise quarter turn of each face.
pub(crate) const FACE_TURNS: [[u8; CODES]; 6] = {
    let mut turns = [[0; CODES]; 6];
    let mut face = 0;
    while face < 6 {
        turns[face] = codes(&turn(face, Layers::Face));
        face += 1;
    }
    turns
};

/// Symmetry of the whole cube.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    /// Permutation of position codes. In a mirror image, the three codes of a corner run in the
    /// opposite direction.
    pub(crate) codes: [u8; CODES],
    /// Permutation of faces.
    pub(crate) faces: [u8; 6],
    /// Whether it is a mirror image, in which turns go the other way round.
    pub(crate) mirrors: bool,
    /// Permutation of stickers.
    pub(crate) stickers: Map,
}

/// The symmetry that permutes the coordinates of vectors and negates some of them.
const fn symmetry(order: [usize; 3], signs: usize) -> Symmetry {
    let mut stickers = [0; STICKERS];
    let mut sticker = 0;
    while sticker < STICKERS {
        let [at, normal] = place(sticker);
        stickers[sticker] = sticker_at(image(at, order, signs), image(normal, order, signs)) as u8;
        sticker += 1;
    }
    let mut faces = [0; 6];
    let mut face = 0;
    while face < 6 {
        faces[face] = stickers[9 * face + 4] / 9;
        face += 1;
    }
    let odd = [[0, 2, 1], [1, 0, 2], [2, 1, 0]];
    let mut is_odd = false;
    let mut i = 0;
    while i < 3 {
        is_odd |= odd[i][0] == order[0] && odd[i][1] == order[1];
        i += 1;
    }
    Symmetry {
        codes: codes(&stickers),
        faces,
        mirrors: is_odd != (signs.count_ones() % 2 == 1),
        stickers,
    }
}

const fn image(vector: Vector, order: [usize; 3], signs: usize) -> Vector {
    let mut image = [0; 3];
    let mut i = 0;
    while i < 3 {
        let part = vector[order[i]];
        image[i] = if signs >> i & 1 == 1 { -part } else { part };
        i += 1;
    }
    image
}

/// All symmetries. The first sixteen keep the axis of U and D, the very first is the identity.
pub(crate) static SYMMETRY: [Symmetry; SYMMETRIES] = {
    // Orders that keep the upward coordinate come first.
    let orders = [[0, 1, 2], [2, 1, 0], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1]];
    let mut all = [symmetry(orders[0], 0); SYMMETRIES];
    let mut i = 0;
    while i < SYMMETRIES {
        all[i] = symmetry(orders[i / 8], i % 8);
        i += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sticker_except_centres_has_a_position_code() {
        for (sticker, &code) in CODE_OF.iter().enumerate() {
            assert_eq!(code == CENTRE, sticker % 9 == 4, "sticker {sticker}");
        }
        for sticker in 0..STICKERS {
            let [at, normal] = place(sticker);
            assert_eq!(sticker_at(at, normal), sticker);
        }
    }

    /// U takes the edge at UF to UL, R the corner at URF to UBR with a twist.
    #[test]
    fn turns_are_clockwise() {
        assert_eq!(usize::from(FACE_TURNS[0][EDGE_CODES + 2]), EDGE_CODES + 4);
        // The U sticker moves to B, the second sticker of UBR.
        assert_eq!(FACE_TURNS[1][0], 3 * 3 + 1);
        for face in 0..6 {
            let once = turn(face, Layers::Face);
            let twice = then(&once, &once);
            assert_ne!(twice, once);
            let four = then(&twice, &twice);
            assert!(four.iter().enumerate().all(|(at, &to)| at == usize::from(to)));
            let both = then(&turn(face, Layers::Face), &turn(face, Layers::Slice));
            assert_eq!(both, turn(face, Layers::Wide));
        }
    }

    #[test]
    fn symmetries_are_all_different_and_half_of_them_mirror() {
        for (i, one) in SYMMETRY.iter().enumerate() {
            assert!(SYMMETRY[..i].iter().all(|other| other.codes != one.codes));
            let keeps = one.faces[0] % 3 == 0;
            assert_eq!(keeps, i < 16, "symmetry {i}");
        }
        assert_eq!(SYMMETRY.iter().filter(|one| one.mirrors).count(), 24);
    }
}
