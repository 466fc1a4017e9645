//! Rubik's cube, in quarter turns (`metric=qtm`, the default) or in turns of a face by any angle
//! (`metric=htm`), with three pieces along an edge (`size=3`, the default) or two.
//!
//! An instance is the colour of every sticker as the cube is held, written as the letter of the
//! face that has this colour when the cube is solved and held in the usual way. The faces come in
//! the order U, R, F, D, L, B, each row by row as in the unfolded net (U above F, D below it,
//! L F R B beside each other). Blanks are ignored. A 3×3×3 has 54 letters, a 2×2×2 has 24.
//!
//! A solution is a sequence of moves of the cube as it is held; module `moves` has their notation.
//! An action is a turn of a face, clockwise as seen from outside, counter-clockwise (`'`) or by a
//! half turn (`2`). Only U, R and F of a 2×2×2 turn. At the goal each face has one colour; on the
//! 3×3×3 it is the colour of the face's centre. In quarter turns a half turn is two actions and
//! costs 2; otherwise each turn costs 1.

mod moves;

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
};

/// The faces in order.
const FACES: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// For each face, the four rows or columns of three adjacent stickers, each of which moves to the
/// position of the next one when the face turns clockwise. Stickers are numbered from 0, nine for
/// each face.
const BESIDE: [[[usize; 3]; 4]; 6] = [
    // U: front, left, back, right.
    [[18, 19, 20], [36, 37, 38], [45, 46, 47], [9, 10, 11]],
    // R: front, up, back, down.
    [[20, 23, 26], [2, 5, 8], [51, 48, 45], [29, 32, 35]],
    // F: up, right, down, left.
    [[6, 7, 8], [9, 12, 15], [29, 28, 27], [44, 41, 38]],
    // D: front, right, back, left.
    [[24, 25, 26], [15, 16, 17], [51, 52, 53], [42, 43, 44]],
    // L: up, front, down, back.
    [[0, 3, 6], [18, 21, 24], [27, 30, 33], [53, 50, 47]],
    // B: up, left, down, right.
    [[0, 1, 2], [42, 39, 36], [35, 34, 33], [11, 14, 17]],
];

/// The stickers of a face itself: corners, then edges, each of which moves to the position of the
/// next one.
const WITHIN: [[usize; 4]; 2] = [[0, 2, 8, 6], [1, 5, 7, 3]];

struct Cube {
    /// Whether a half turn is one action.
    half: bool,
    /// Number of pieces along an edge: 3 or 2.
    size: usize,
    start: Vec<char>,
    /// 54 stickers. Stickers of a 2×2×2 that are not at a corner are blank.
    stickers: Vec<char>,
    cost: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let metric = ("metric", &["qtm", "htm"][..], "the metric cannot be");
    let size = ("size", &["3", "2"][..], "the size cannot be");
    let [metric, size] = spec::choose(options, "cube has", [metric, size])?;
    let (half, size) = (metric == 1, 3 - size);
    loaded(read(instance, size).map(|start| Cube {
        half,
        size,
        stickers: start.clone(),
        start,
        cost: 0,
    }))
}

fn read(instance: &str, size: usize) -> Result<Vec<char>, String> {
    let letters: Vec<char> = instance.chars().filter(|sign| !sign.is_whitespace()).collect();
    if let Some(other) = letters.iter().find(|letter| !FACES.contains(letter)) {
        return Err(format!("`{}` is no face", other.escape_debug()));
    }
    let each = size * size;
    if letters.len() != 6 * each {
        return Err(format!("there are {} stickers, not {}", letters.len(), 6 * each));
    }
    for face in FACES {
        let count = letters.iter().filter(|&&letter| letter == face).count();
        if count != each {
            return Err(format!("there are {count} stickers of colour {face}, not {each}"));
        }
    }
    let mut letters = letters.into_iter();
    let is_there = |sticker: usize| size == 3 || [0, 2, 6, 8].contains(&(sticker % 9));
    let sticker = |sticker| if is_there(sticker) { letters.next().unwrap_or(' ') } else { ' ' };
    Ok((0..54).map(sticker).collect())
}

/// The face of a turn, and its number of clockwise quarter turns.
fn turn(word: &str) -> Option<(usize, usize)> {
    let mut signs = word.chars();
    let face = signs.next()?;
    let face = FACES.iter().position(|&other| other == face)?;
    match signs.as_str() {
        "" => Some((face, 1)),
        "2" => Some((face, 2)),
        "'" => Some((face, 3)),
        _ => None,
    }
}

impl Cube {
    fn quarter(&mut self, face: usize) {
        let before = self.stickers.clone();
        for i in 0..4 {
            let (from, to) = (BESIDE[face][i], BESIDE[face][(i + 1) % 4]);
            for (from, to) in from.into_iter().zip(to) {
                self.stickers[to] = before[from];
            }
            for ring in WITHIN {
                self.stickers[9 * face + ring[(i + 1) % 4]] = before[9 * face + ring[i]];
            }
        }
    }

    /// Number of faces that turn: U, R and F of a 2×2×2.
    fn faces(&self) -> usize {
        if self.size == 2 { 3 } else { 6 }
    }
}

impl Position for Cube {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let turns = moves::turns(solution, self.size)?;
        let parts = turns.into_iter().flat_map(|(face, quarters)| match quarters {
            2 if !self.half => vec![FACES[face].to_string(); 2],
            _ => vec![format!("{}{}", FACES[face], ["", "2", "'"][quarters - 1])],
        });
        Ok(parts.collect())
    }

    fn legal_actions(&self) -> Vec<String> {
        let signs: &[&str] = if self.half { &["", "2", "'"] } else { &["", "'"] };
        let turns = |face: &'static char| signs.iter().map(move |sign| format!("{face}{sign}"));
        FACES[..self.faces()].iter().flat_map(turns).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        match turn(action) {
            None => Err("it is no turn of a face".to_owned()),
            Some((face, _)) if face >= self.faces() => {
                Err("only U, R and F of a 2×2×2 turn".to_owned())
            }
            Some((_, 2)) if !self.half => Err("a half turn is two quarter turns".to_owned()),
            Some((face, quarters)) => {
                (0..quarters).for_each(|_| self.quarter(face));
                self.cost += 1;
                Ok(())
            }
        }
    }

    fn missing(&self) -> Option<String> {
        let face = |face: &usize| {
            let stickers = &self.stickers[9 * face..9 * face + 9];
            let colour = stickers[if self.size == 3 { 4 } else { 0 }];
            stickers.iter().any(|&other| other != colour && other != ' ')
        };
        let mixed = (0..6).filter(face).count();
        (mixed > 0).then(|| format!("{mixed} faces are not of one colour"))
    }

    fn value(&self) -> i64 {
        self.cost
    }

    fn text(&self) -> String {
        self.stickers.iter().filter(|&&sticker| sticker != ' ').collect()
    }

    /// Turns keep the centres, and the corner at D, B and L of a 2×2×2, whose colours are opposite
    /// to the colours of the other faces.
    fn goal(&self) -> Option<String> {
        let opposite = |letter: char| {
            let face = FACES.iter().position(|&other| other == letter).unwrap_or(0);
            FACES[(face + 3) % 6]
        };
        // The stickers of this corner, by their faces.
        let corner = |face: usize| match face {
            3 => self.stickers[33],
            4 => self.stickers[42],
            _ => self.stickers[53],
        };
        let colour = |face: usize| match (self.size, face) {
            (3, _) => self.stickers[9 * face + 4],
            (_, 0..3) => opposite(corner(face + 3)),
            _ => corner(face),
        };
        let each = self.size * self.size;
        Some((0..6).flat_map(|face| vec![colour(face); each]).collect())
    }

    fn rewind(&mut self) -> bool {
        self.stickers.clone_from(&self.start);
        self.cost = 0;
        true
    }
}
