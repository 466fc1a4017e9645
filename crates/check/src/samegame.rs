//! SameGame, up to 32×32 cells of up to 8 colours.
//!
//! An instance is one line for each row, the top one first: colours 0 to 7 and `.` or `-` for an
//! empty cell, all separated by blanks or without any blank. A title may precede the rows, a line
//! that begins with a letter. Lines that begin with `#` are ignored; blank lines may precede and
//! follow the rows. A position in play is an instance: nothing floats, and empty columns are on the
//! right.
//!
//! A solution is a sequence of words `column,row`, counted from 0 at the bottom left: any cell of
//! the removed group. The group has at least two cells, connected by their sides; the cells above
//! fall down, and columns to the right of an empty column move to the left.
//!
//! A group of n cells is worth (n−2)². The play ends where no group is left: an empty board is
//! worth 1000; otherwise each colour costs (n−2)² for its n remaining cells. With `score=contest`
//! remaining cells cost nothing; with `score=clickomania` only the number of remaining cells
//! counts, one point lost for each.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak, J. W. H. M. Uiterwijk,
//! "Single-player Monte-Carlo tree search for SameGame" (Knowledge-Based Systems 34, 2012), section
//! 2.1.

use crate::{CheckError, Position, spec::Options, words};

/// Most columns, and most rows.
const MAX_SIDE: usize = 32;

/// The message for a word that is not a move.
const NOTATION: &str = "a move is column,row, counted from 0 at the bottom left";

#[derive(Clone, Copy)]
enum Score {
    Paper,
    Contest,
    Clickomania,
}

struct SameGame {
    score: Score,
    width: usize,
    height: usize,
    /// Columns from the left, each from the bottom, without empty cells and empty columns.
    columns: Vec<Vec<u8>>,
    /// Total worth of the moves so far.
    rewards: i64,
}

/// A column and a row, counted from 0 at the bottom left.
type Cell = (usize, usize);

pub(crate) fn load(options: &Options, instance: &str) -> Result<Box<dyn Position>, CheckError> {
    let mut score = Score::Paper;
    for (key, value) in options {
        score = match (key.as_str(), value.as_str()) {
            ("score", "paper") => Score::Paper,
            ("score", "contest") => Score::Contest,
            ("score", "clickomania") => Score::Clickomania,
            ("score", other) => {
                return Err(CheckError::Puzzle(format!(
                    "the score of samegame is paper, contest or clickomania, not `{other}`"
                )));
            }
            (other, _) => {
                return Err(CheckError::Puzzle(format!("samegame has no parameter `{other}`")));
            }
        };
    }
    let rows = read_rows(instance).map_err(CheckError::Instance)?;
    Ok(Box::new(SameGame {
        score,
        width: rows.first().map_or(0, Vec::len),
        height: rows.len(),
        columns: stand(&rows).map_err(CheckError::Instance)?,
        rewards: 0,
    }))
}

/// The rows from the top, all of the same length; an empty cell is `None`.
fn read_rows(instance: &str) -> Result<Vec<Vec<Option<u8>>>, String> {
    let mut rows: Vec<Vec<Option<u8>>> = Vec::new();
    let mut title = false;
    let mut blank = None;
    for (number, line) in (1..).zip(instance.lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            if !rows.is_empty() && blank.is_none() {
                blank = Some(number);
            }
            continue;
        }
        if rows.is_empty() && !title && line.starts_with(char::is_alphabetic) {
            title = true;
            continue;
        }
        if let Some(blank) = blank {
            return Err(format!("line {blank} is blank, but rows follow in line {number}"));
        }
        let row = read_row(line).map_err(|why| format!("line {number}, {why}"))?;
        if row.len() > MAX_SIDE {
            return Err(format!(
                "line {number} has {} cells, but a row has at most {MAX_SIDE}",
                row.len()
            ));
        }
        if let Some(first) = rows.first()
            && first.len() != row.len()
        {
            return Err(format!(
                "line {number} has {}, but the first row has {}",
                cells(row.len()),
                first.len()
            ));
        }
        if rows.len() == MAX_SIDE {
            return Err(format!(
                "line {number} is one row too many: a board has at most {MAX_SIDE}"
            ));
        }
        rows.push(row);
    }
    if rows.is_empty() { Err("there are no rows".to_owned()) } else { Ok(rows) }
}

fn read_row(line: &str) -> Result<Vec<Option<u8>>, String> {
    let words: Vec<String> = if line.contains(char::is_whitespace) {
        line.split_whitespace().map(str::to_owned).collect()
    } else {
        line.chars().map(String::from).collect()
    };
    let mut row = Vec::new();
    for (place, word) in (1..).zip(words) {
        let shown: String = word.chars().take(20).collect();
        row.push(match word.as_str() {
            "." | "-" => None,
            "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" => Some(word.as_bytes()[0] - b'0'),
            number if number.chars().all(|c| c.is_ascii_digit()) && !number.starts_with('0') => {
                return Err(format!("cell {place} has colour {shown}, but colours end at 7"));
            }
            _ => {
                return Err(format!(
                    "cell {place} is `{}`; expected a colour from 0 to 7, or . for an empty cell",
                    shown.escape_debug()
                ));
            }
        });
    }
    Ok(row)
}

/// The columns of a board in which every cell has settled.
fn stand(rows: &[Vec<Option<u8>>]) -> Result<Vec<Vec<u8>>, String> {
    let width = rows.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for x in 0..width {
        let mut column = Vec::new();
        for (y, row) in rows.iter().rev().enumerate() {
            match row[x] {
                Some(_) if column.len() < y => {
                    return Err(format!("cell {x},{y} floats: the cell below it is empty"));
                }
                Some(colour) => column.push(colour),
                None => {}
            }
        }
        if column.is_empty() {
            continue;
        }
        if columns.len() < x {
            return Err(format!(
                "column {} is empty, but column {x} to its right is not",
                columns.len()
            ));
        }
        columns.push(column);
    }
    Ok(columns)
}

fn read_move(word: &str) -> Option<Cell> {
    let number = |digits: &str| {
        if digits.contains(|c: char| !c.is_ascii_digit()) { None } else { digits.parse().ok() }
    };
    let (column, row) = word.split_once(',')?;
    Some((number(column)?, number(row)?))
}

fn cells(number: usize) -> String {
    format!("{number} {}", if number == 1 { "cell" } else { "cells" })
}

/// Worth of a group of n cells, and cost of n remaining cells of a colour.
fn square(n: usize) -> i64 {
    let more = n as i64 - 2;
    more * more
}

impl SameGame {
    fn colour(&self, (x, y): Cell) -> Option<u8> {
        self.columns.get(x)?.get(y).copied()
    }

    /// The cells that are connected with this one; no cells if it is empty.
    fn group(&self, cell: Cell) -> Vec<Cell> {
        let Some(colour) = self.colour(cell) else {
            return Vec::new();
        };
        let mut group = vec![cell];
        let mut looked_at = 0;
        while looked_at < group.len() {
            let (x, y) = group[looked_at];
            looked_at += 1;
            let mut neighbours = vec![(x + 1, y), (x, y + 1)];
            if x > 0 {
                neighbours.push((x - 1, y));
            }
            if y > 0 {
                neighbours.push((x, y - 1));
            }
            for neighbour in neighbours {
                if self.colour(neighbour) == Some(colour) && !group.contains(&neighbour) {
                    group.push(neighbour);
                }
            }
        }
        group
    }

    /// For each removable group its lowest cell in its first column.
    fn groups(&self) -> Vec<Cell> {
        let mut seen = Vec::new();
        let mut groups = Vec::new();
        for (x, column) in self.columns.iter().enumerate() {
            for y in 0..column.len() {
                if seen.contains(&(x, y)) {
                    continue;
                }
                let group = self.group((x, y));
                if group.len() > 1 {
                    groups.push((x, y));
                }
                seen.extend(group);
            }
        }
        groups
    }

    /// Worth of the end when no group is left.
    fn bonus(&self) -> i64 {
        let left = self.columns.concat();
        match self.score {
            Score::Clickomania => -(left.len() as i64),
            Score::Paper | Score::Contest if left.is_empty() => 1000,
            Score::Contest => 0,
            Score::Paper => {
                let mut cost = 0;
                for colour in 0..8 {
                    let count = left.iter().filter(|&&other| other == colour).count();
                    if count > 0 {
                        cost += square(count);
                    }
                }
                -cost
            }
        }
    }
}

impl Position for SameGame {
    fn split(&self, solution: &str) -> Result<Vec<String>, CheckError> {
        words(solution, |word| read_move(word).is_some(), NOTATION)
    }

    fn legal_actions(&self) -> Vec<String> {
        let groups = self.groups().into_iter();
        groups.map(|(x, y)| format!("{x},{y}")).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let Some((x, y)) = read_move(action) else {
            return Err(NOTATION.to_owned());
        };
        if x >= self.width || y >= self.height {
            return Err(format!("the board has {} columns and {} rows", self.width, self.height));
        }
        let group = self.group((x, y));
        match group.len() {
            0 => return Err("the cell is empty".to_owned()),
            1 => return Err("no cell beside it has its colour".to_owned()),
            _ => {}
        }
        let mut columns = Vec::new();
        for (x, column) in self.columns.iter().enumerate() {
            let mut left = Vec::new();
            for (y, &colour) in column.iter().enumerate() {
                if !group.contains(&(x, y)) {
                    left.push(colour);
                }
            }
            if !left.is_empty() {
                columns.push(left);
            }
        }
        self.columns = columns;
        self.rewards += match self.score {
            Score::Paper | Score::Contest => square(group.len()),
            Score::Clickomania => 0,
        };
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let groups = self.groups();
        let (x, y) = groups.first()?;
        Some(match groups.len() {
            1 => format!("1 group is left, at {x},{y}"),
            more => format!("{more} groups are left, the first at {x},{y}"),
        })
    }

    fn value(&self) -> i64 {
        if self.groups().is_empty() { self.rewards + self.bonus() } else { self.rewards }
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for y in (0..self.height).rev() {
            let mut row = Vec::new();
            for x in 0..self.width {
                let colour = self.colour((x, y));
                row.push(colour.map_or(".".to_owned(), |colour| colour.to_string()));
            }
            rows.push(row.join(" "));
        }
        rows.join("\n")
    }

    fn goal(&self) -> Option<String> {
        None
    }
}
