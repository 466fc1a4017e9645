//! Sliding tiles on boards of 2 or more rows and columns and at most 64 cells.
//!
//! An instance is its numbers row by row, separated by white space or commas, 0 for the blank. Rows
//! are separated by `/` and then also by line ends; without `/`, the board is a square. The goal is
//! `1 2 … N−1 0`, or `0 1 … N−1` with `goal=blank-first`, or with `goal=snail` the spiral `1 2 3 /
//! 8 0 4 / 7 6 5`, which runs clockwise from the first cell inwards to the blank.
//!
//! A solution is a string of `U`, `D`, `L`, `R`, in either case: the direction in which a *tile*
//! moves into the blank, so that `U` moves the tile below the blank up. A move may also be a word
//! (`up`, `down`, `left`, `right`), an arrow, the number of the tile that moves, or its position
//! before the move (`r2c3`: row 2, column 3). Commas, brackets and quotation marks between moves
//! are ignored.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{count, is_number, number, start},
};

use std::cell::Cell;

const LETTERS: &str = "UDLR";
const WORDS: [&str; 4] = ["UP", "DOWN", "LEFT", "RIGHT"];
const ARROWS: &str = "↑↓←→";

#[derive(Clone)]
struct Tiles {
    rows: usize,
    columns: usize,
    /// Row by row from the top, each from the left; 0 is the blank.
    cells: Vec<u64>,
    start: Vec<u64>,
    goal: Vec<u64>,
    moves: i64,
    /// The moves so far that are letters, words or arrows; `None` once another one was played.
    directions: Option<String>,
    /// Whether the solution that was read last is legal if its letters are directions of the blank.
    is_of_blank: Cell<bool>,
}

const HINT: &str = "but U, D, L and R are moves of a tile: exchange U with D and L with R";

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let refusal = "the goal of tiles is blank-last, blank-first or snail, not";
    let goals = ("goal", &["blank-last", "blank-first", "snail"][..], refusal);
    let [goal] = spec::choose(options, "tiles have", [goals])?;
    loaded(read(instance, goal))
}

fn read(instance: &str, goal: usize) -> Result<Tiles, String> {
    let mut cells: Vec<u64> = Vec::new();
    let mut lengths = Vec::new();
    // Where a sign separates rows, so do line ends.
    let parts = instance.split('/');
    let has_rows = parts.clone().count() > 1;
    let rows = parts.flat_map(|part| {
        let lines: Vec<&str> = part.lines().filter(|line| !line.trim().is_empty()).collect();
        if has_rows && lines.len() > 1 { lines } else { vec![part] }
    });
    for row in rows {
        let before = cells.len();
        let words = row.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            let place = cells.len() + 1;
            cells.push(number(word).ok_or_else(|| {
                format!("entry {place} is `{}`, which is not a whole number", start(word, 20))
            })?);
        }
        lengths.push(cells.len() - before);
    }
    let total = cells.len();
    let (rows, columns) = match lengths[..] {
        [_] => {
            let side = (2..=8).find(|n| n * n == total);
            let side =
                side.ok_or_else(|| format!("{total} numbers are no square board of side 2 to 8"))?;
            (side, side)
        }
        _ => (lengths.len(), lengths[0]),
    };
    if let Some(odd) = lengths.iter().position(|&length| length != lengths[0]) {
        return Err(format!(
            "row {} has {}, but row 1 has {}",
            odd + 1,
            count(lengths[odd], "number", "numbers"),
            lengths[0]
        ));
    }
    if columns < 2 || total > 64 {
        return Err(format!(
            "{rows} rows of {columns} are no board of 2 or more rows and columns and at most 64 cells"
        ));
    }
    for wanted in 0..total as u64 {
        match cells.iter().filter(|&&number| number == wanted).count() {
            1 => {}
            0 => return Err(format!("{wanted} is missing")),
            times => return Err(format!("{wanted} occurs {times} times")),
        }
    }
    let goal = match goal {
        0 => (1..total as u64).chain([0]).collect(),
        1 => (0..total as u64).collect(),
        _ => spiral(rows, columns),
    };
    let start = cells.clone();
    let (directions, is_of_blank) = (Some(String::new()), Cell::new(false));
    Ok(Tiles { rows, columns, cells, start, goal, moves: 0, directions, is_of_blank })
}

/// The goal of the spiral: a walk that turns right wherever the next cell is off the board or has
/// its number.
fn spiral(rows: usize, columns: usize) -> Vec<u64> {
    let total = rows * columns;
    let mut numbers: Vec<Option<u64>> = vec![None; total];
    let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let (mut row, mut column, mut direction) = (0isize, 0isize, 0);
    for number in 1..=total as u64 {
        numbers[row as usize * columns + column as usize] = Some(number % total as u64);
        for _ in 0..2 {
            let (down, right) = steps[direction];
            let (next_row, next_column) = (row + down, column + right);
            let is_free = (0..rows as isize).contains(&next_row)
                && (0..columns as isize).contains(&next_column)
                && numbers[next_row as usize * columns + next_column as usize].is_none();
            if is_free {
                (row, column) = (next_row, next_column);
                break;
            }
            direction = (direction + 1) % 4;
        }
    }
    numbers.into_iter().map(|number| number.unwrap_or(0)).collect()
}

/// The letter of a move that is a letter, a word or an arrow.
fn letter(action: &str) -> Option<char> {
    let mut signs = action.chars();
    let first = signs.next()?;
    let at = if signs.next().is_none() {
        let sign = first.to_ascii_uppercase();
        LETTERS.chars().position(|l| l == sign).or_else(|| ARROWS.chars().position(|a| a == sign))
    } else {
        WORDS.iter().position(|word| action.eq_ignore_ascii_case(word))
    };
    LETTERS.chars().nth(at?)
}

/// The row and column of a move such as `r2c3`, counted from 1.
fn position(action: &str) -> Option<(usize, usize)> {
    let action = action.to_ascii_lowercase();
    let (row, column) = action.strip_prefix('r')?.split_once('c')?;
    Some((number(row)?, number(column)?))
}

impl Tiles {
    fn blank(&self) -> usize {
        let blank = self.cells.iter().position(|&number| number == 0);
        blank.expect("the loader has seen the blank, and moves keep it")
    }

    /// The cell of the tile that moves to the blank in a direction.
    fn beside(&self, letter: char) -> Option<usize> {
        let blank = self.blank();
        let (row, column) = (blank / self.columns, blank % self.columns);
        match letter {
            'U' => (row + 1 < self.rows).then(|| blank + self.columns),
            'D' => (row > 0).then(|| blank - self.columns),
            'L' => (column + 1 < self.columns).then(|| blank + 1),
            _ => (column > 0).then(|| blank - 1),
        }
    }

    /// The cell of the tile that an action moves.
    fn tile(&self, action: &str) -> Result<usize, String> {
        if let Some(tile) = letter(action).and_then(|letter| self.beside(letter)) {
            return Ok(tile);
        }
        let mut beside = LETTERS.chars().filter_map(|l| self.beside(l));
        let blank = self.blank();
        let (row, column) = (blank / self.columns + 1, blank % self.columns + 1);
        let (tile, missing) = if let Some(letter) = letter(action) {
            let sides = ["below it", "above it", "to its right", "to its left"];
            let side = sides[LETTERS.chars().position(|l| l == letter).unwrap_or(0)];
            (None, format!("no tile is {side}"))
        } else if is_number(action) {
            let is_tile = |&cell: &usize| number(action) == Some(self.cells[cell]);
            (beside.find(is_tile), format!("tile {} is not beside it", start(action, 20)))
        } else if let Some((to_row, to_column)) = position(action) {
            let is_there = |&cell: &usize| {
                (cell / self.columns + 1, cell % self.columns + 1) == (to_row, to_column)
            };
            (beside.find(is_there), format!("row {to_row}, column {to_column} is not beside it"))
        } else {
            return Err("the moves are U, D, L and R".to_owned());
        };
        let why = || {
            let hint = if self.is_of_blank.get() {
                format!("; read as moves of the blank, all moves are legal, {HINT}")
            } else {
                String::new()
            };
            format!("the blank is in row {row}, column {column}, and {missing}{hint}")
        };
        tile.ok_or_else(why)
    }

    /// Whether moves are legal if letters are directions of the blank, and whether they lead to the
    /// goal.
    fn as_blank(&self, letters: &str) -> Option<bool> {
        let mut board = Self { cells: self.start.clone(), ..self.clone() };
        for letter in letters.chars() {
            let opposite = match letter {
                'U' => 'D',
                'D' => 'U',
                'L' => 'R',
                _ => 'L',
            };
            let (tile, blank) = (board.beside(opposite)?, board.blank());
            board.cells.swap(tile, blank);
        }
        Some(board.cells == board.goal)
    }
}

impl Position for Tiles {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let between = |c: char| c.is_whitespace() || ",;[](){}'\"".contains(c);
        let mut actions = Vec::new();
        let mut place = 1;
        for word in solution.split(between) {
            let first = place;
            place += word.chars().count() + 1;
            if letter(word).is_some() || is_number(word) || position(word).is_some() {
                actions.push(word.to_owned());
                continue;
            }
            for (number, c) in (first..).zip(word.chars()) {
                if letter(&c.to_string()).is_none() {
                    let c = c.escape_debug();
                    return Err(format!(
                        "character {number} is `{c}`; the moves are U, D, L and R"
                    ));
                }
                actions.push(c.to_string());
            }
        }
        let letters: Option<String> = actions.iter().map(|action| letter(action)).collect();
        self.is_of_blank.set(letters.is_some_and(|letters| self.as_blank(&letters).is_some()));
        Ok(actions)
    }

    fn legal_actions(&self) -> Vec<String> {
        let letters = LETTERS.chars().map(String::from);
        letters.filter(|letter| self.tile(letter).is_ok()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let tile = self.tile(action)?;
        let blank = self.blank();
        self.cells.swap(tile, blank);
        self.moves += 1;
        match (letter(action), &mut self.directions) {
            (Some(letter), Some(directions)) => directions.push(letter),
            _ => self.directions = None,
        }
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let is_wrong = |&cell: &usize| self.cells[cell] != self.goal[cell];
        let mut wrong = (0..self.cells.len()).filter(is_wrong);
        let first = wrong.next()?;
        let (row, column) = (first / self.columns + 1, first % self.columns + 1);
        let (found, wanted, more) = (self.cells[first], self.goal[first], wrong.count());
        let hint = match &self.directions {
            Some(letters) if !letters.is_empty() && self.as_blank(letters) == Some(true) => {
                format!("; read as moves of the blank, the moves reach it, {HINT}")
            }
            _ => String::new(),
        };
        Some(format!(
            "row {row}, column {column} holds {found} where {wanted} belongs, and {more} more cells are wrong{hint}"
        ))
    }

    fn value(&self) -> i64 {
        self.moves
    }

    fn text(&self) -> String {
        text(&self.cells, self.rows, self.columns)
    }

    fn goal(&self) -> Option<String> {
        Some(text(&self.goal, self.rows, self.columns))
    }
}

/// The rows of a board that is no square are separated by `/`.
fn text(cells: &[u64], rows: usize, columns: usize) -> String {
    let line = |cells: &[u64]| cells.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    if rows == columns {
        return line(cells);
    }
    cells.chunks(columns).map(line).collect::<Vec<_>>().join(" / ")
}
