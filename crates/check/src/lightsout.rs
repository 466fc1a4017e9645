//! Lights Out, on a board with edges (`torus=off`, the default) or on a torus (`torus=on`).
//!
//! An instance is one line for each row, the top one first, or several rows in a line with `/`
//! after each: `1` or `#` for a light that is on, `0` or `.` for a light that is off. Blanks and
//! commas are ignored, and so are rows without a sign. Signs in a single line without `/` are a
//! square board, row by row. There are at most 200 rows and 200 columns.
//!
//! A solution is a sequence of words `row,column`, counted from 0 at the top left: the pressed
//! lights. A press toggles the light itself and its neighbours above, below, to the left and to the
//! right; on a torus the rows and columns at opposite edges are neighbours as well. A light is
//! toggled once by a press, even if it is a neighbour on two sides. At the goal all lights are off.
//! Each press costs 1.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, count, pair, words},
};

/// Most rows, and most columns.
const SIDE: usize = 200;

struct Lights {
    torus: bool,
    /// For each light, row by row, whether it is on.
    start: Vec<Vec<bool>>,
    rows: Vec<Vec<bool>>,
    presses: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let torus = ("torus", &["off", "on"][..], "torus is on or off, not");
    let [torus] = spec::choose(options, "lightsout has", [torus])?;
    loaded(read(instance).map(|rows| Lights {
        torus: torus == 1,
        start: rows.clone(),
        rows,
        presses: 0,
    }))
}

/// The rows of a board.
fn read(instance: &str) -> Result<Vec<Vec<bool>>, String> {
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(instance.lines()) {
        for part in line.split('/') {
            let mut row = Vec::new();
            for sign in part.chars() {
                match sign {
                    '1' | '#' => row.push(true),
                    '0' | '.' => row.push(false),
                    ',' => {}
                    blank if blank.is_whitespace() => {}
                    other => {
                        let other = other.escape_debug();
                        return Err(format!("line {number}: `{other}` is neither 0 nor 1"));
                    }
                }
            }
            if !row.is_empty() {
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        return Err("there are no rows".to_owned());
    }
    if rows.len() == 1 && !instance.contains('/') {
        let cells = rows[0].len();
        let Some(side) = (1..=SIDE).find(|side| side * side == cells) else {
            return Err(format!("one line of {cells} signs is no square of at most {SIDE} rows"));
        };
        return Ok(rows[0].chunks(side).map(<[bool]>::to_vec).collect());
    }
    let columns = rows[0].len();
    if rows.len() > SIDE || columns > SIDE {
        return Err(format!("there are more than {SIDE} rows or columns"));
    }
    match rows.iter().position(|row| row.len() != columns) {
        Some(row) => Err(format!("row {row} is not as long as the first one")),
        None => Ok(rows),
    }
}

impl Lights {
    /// The light itself and its neighbours, each once.
    fn toggled(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let (rows, columns) = (self.rows.len() as i64, self.rows[0].len() as i64);
        let mut toggled = Vec::new();
        for (down, right) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
            let (mut row, mut column) = (row as i64 + down, column as i64 + right);
            if self.torus {
                row = (row + rows) % rows;
                column = (column + columns) % columns;
            }
            let place = (row as usize, column as usize);
            let is_there = (0..rows).contains(&row) && (0..columns).contains(&column);
            if is_there && !toggled.contains(&place) {
                toggled.push(place);
            }
        }
        toggled
    }
}

impl Position for Lights {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let is_press = |word: &str| pair::<usize>(word).is_some();
        words(solution, is_press, "a press is row,column, such as 0,3", clip)
    }

    fn legal_actions(&self) -> Vec<String> {
        let columns = self.rows[0].len();
        let row = |row| (0..columns).map(move |column| format!("{row},{column}"));
        (0..self.rows.len()).flat_map(row).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (row, column) = pair::<usize>(action).ok_or("it is not row,column")?;
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        if row >= rows || column >= columns {
            return Err(format!("the board has {rows} rows and {columns} columns, counted from 0"));
        }
        for (row, column) in self.toggled(row, column) {
            self.rows[row][column] = !self.rows[row][column];
        }
        self.presses += 1;
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let on = self.rows.concat().iter().filter(|&&light| light).count();
        (on > 0).then(|| format!("{} on", count(on, "light is", "lights are")))
    }

    fn value(&self) -> i64 {
        self.presses
    }

    fn text(&self) -> String {
        text(&self.rows)
    }

    fn goal(&self) -> Option<String> {
        Some(text(&vec![vec![false; self.rows[0].len()]; self.rows.len()]))
    }

    fn rewind(&mut self) -> bool {
        self.rows.clone_from(&self.start);
        self.presses = 0;
        true
    }
}

fn text(rows: &[Vec<bool>]) -> String {
    let sign = |&light: &bool| if light { '1' } else { '0' };
    let rows: Vec<String> = rows.iter().map(|row| row.iter().map(sign).collect()).collect();
    match &rows[..] {
        [row] => format!("{row}/"),
        rows => rows.join("/"),
    }
}
