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
//!
//! Presses of other shapes: `press=king` toggles the light and the eight around it, `press=x` the
//! light and the four diagonal ones, `press=cross` its row and its column; `press=sides`,
//! `press=ring` and `press=corners` are the usual press, `king` and `x` without the light itself.
//!
//! Behind the board there may be the word `buttons` and a row for each button: the lights that it
//! toggles, with a sign for each light of the board. Then the parameters are at their defaults. As
//! many buttons as lights are named by row and column of the board; otherwise button number k is
//! `0,k`.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, count, pair, words},
};

/// Most rows, and most columns.
const SIDE: usize = 200;

/// Most lights with other presses than the usual ones.
const OTHER: usize = 4096;

/// Most buttons that are listed, and most lights of these.
const LISTED: usize = 1024;

struct Lights {
    torus: bool,
    press: Press,
    /// The lights of each button, if the instance lists them.
    buttons: Option<Vec<Vec<bool>>>,
    /// For each light, row by row, whether it is on.
    start: Vec<Vec<bool>>,
    rows: Vec<Vec<bool>>,
    presses: i64,
}

/// The lights that a press toggles.
#[derive(Clone, Copy, PartialEq)]
enum Press {
    Plus,
    Sides,
    X,
    Corners,
    King,
    Ring,
    Cross,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let torus = ("torus", &["off", "on"][..], "torus is on or off, not");
    let refusal = "press is plus, sides, x, corners, king, ring or cross, not";
    let words = ["plus", "sides", "x", "corners", "king", "ring", "cross"];
    let presses = [
        Press::Plus,
        Press::Sides,
        Press::X,
        Press::Corners,
        Press::King,
        Press::Ring,
        Press::Cross,
    ];
    let [torus, press] =
        spec::choose(options, "lightsout has", [torus, ("press", &words[..], refusal)])?;
    let (torus, press) = (torus == 1, presses[press]);
    let read = || -> Result<Lights, String> {
        let (board, buttons) = match instance.split_once("buttons") {
            None => (instance, None),
            Some((board, buttons)) => (board, Some(buttons)),
        };
        let start = read(board, buttons.is_some())?;
        let lights = start.len() * start[0].len();
        let buttons = match buttons {
            None => None,
            Some(_) if torus || press != Press::Plus => {
                return Err("buttons are listed beside `press` or `torus`".to_owned());
            }
            Some(text) => {
                let buttons = read_rows(text)?;
                let count = buttons.len();
                if ![count, lights].iter().all(|count| (1..=LISTED).contains(count)) {
                    return Err(format!("{count} buttons of {lights} lights; both go to {LISTED}"));
                }
                if let Some(row) = buttons.iter().position(|row| row.len() != lights) {
                    return Err(format!("button {row} has not {lights} signs"));
                }
                Some(buttons)
            }
        };
        if press != Press::Plus && lights > OTHER {
            return Err(format!("{lights} lights, more than {OTHER}"));
        }
        Ok(Lights { torus, press, buttons, start: start.clone(), rows: start, presses: 0 })
    };
    loaded(read())
}

/// Rows of signs; empty rows are left out.
fn read_rows(instance: &str) -> Result<Vec<Vec<bool>>, String> {
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
    Ok(rows)
}

/// The rows of a board; a single one without `/` is a square unless `is_row`.
fn read(instance: &str, is_row: bool) -> Result<Vec<Vec<bool>>, String> {
    let rows = read_rows(instance)?;
    if rows.is_empty() {
        return Err("there are no rows".to_owned());
    }
    if rows.len() == 1 && !is_row && !instance.contains('/') {
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
    /// The rows and columns by which the buttons are named.
    fn grid(&self) -> (usize, usize) {
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        match &self.buttons {
            Some(buttons) if buttons.len() != rows * columns => (1, buttons.len()),
            _ => (rows, columns),
        }
    }

    /// The lights that a press toggles, each once.
    fn toggled(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let (rows, columns) = (self.rows.len() as i64, self.rows[0].len() as i64);
        if let Some(buttons) = &self.buttons {
            let lights = &buttons[row * self.grid().1 + column];
            let columns = columns as usize;
            let lit = (0..lights.len()).filter(|&light| lights[light]);
            return lit.map(|light| (light / columns, light % columns)).collect();
        }
        if self.press == Press::Cross {
            let all = (0..rows as usize).flat_map(|r| (0..columns as usize).map(move |c| (r, c)));
            return all.filter(|&(r, c)| r == row || c == column).collect();
        }
        let mut toggled = Vec::new();
        for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let is_beside = down == 0 || right == 0;
            let belongs = match self.press {
                Press::Plus | Press::Sides => is_beside,
                Press::X | Press::Corners => !is_beside || (down, right) == (0, 0),
                Press::King | Press::Ring | Press::Cross => true,
            };
            let (mut r, mut c) = (row as i64 + down, column as i64 + right);
            if self.torus {
                r = (r + rows) % rows;
                c = (c + columns) % columns;
            }
            let light = (r as usize, c as usize);
            let is_there = (0..rows).contains(&r) && (0..columns).contains(&c);
            if belongs && is_there && !toggled.contains(&light) {
                toggled.push(light);
            }
        }
        if matches!(self.press, Press::Sides | Press::Corners | Press::Ring) {
            toggled.retain(|&light| light != (row, column));
        }
        toggled
    }

    /// The text of a position with these lights.
    fn written(&self, rows: &[Vec<bool>]) -> String {
        match &self.buttons {
            None => text(rows),
            Some(buttons) => {
                let rows_of = |row: &Vec<bool>| -> String { row.iter().map(sign).collect() };
                let listed: Vec<String> = buttons.iter().map(rows_of).collect();
                format!("{} buttons {}", text(rows), listed.join("/"))
            }
        }
    }
}

impl Position for Lights {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let is_press = |word: &str| pair::<usize>(word).is_some();
        words(solution, is_press, "a press is row,column, such as 0,3", clip)
    }

    fn legal_actions(&self) -> Vec<String> {
        let (rows, columns) = self.grid();
        let row = |row| (0..columns).map(move |column| format!("{row},{column}"));
        (0..rows).flat_map(row).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (row, column) = pair::<usize>(action).ok_or("it is not row,column")?;
        let (rows, columns) = self.grid();
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
        self.written(&self.rows)
    }

    fn goal(&self) -> Option<String> {
        Some(self.written(&vec![vec![false; self.rows[0].len()]; self.rows.len()]))
    }

    fn rewind(&mut self) -> bool {
        self.rows.clone_from(&self.start);
        self.presses = 0;
        true
    }
}

fn sign(&light: &bool) -> char {
    if light { '1' } else { '0' }
}

fn text(rows: &[Vec<bool>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.iter().map(sign).collect()).collect();
    match &rows[..] {
        [row] => format!("{row}/"),
        rows => rows.join("/"),
    }
}
