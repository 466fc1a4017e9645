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
//! counts, one point lost for each. With `score=product`, `square`, `square-1` and `square-2` only
//! groups count, n(n−1), n², (n−1)² and (n−2)². With `score=clicks` each move costs one point and
//! each remaining cell 1000.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak, J. W. H. M. Uiterwijk,
//! "Single-player Monte-Carlo tree search for SameGame" (Knowledge-Based Systems 34, 2012), section
//! 2.1.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, count, is_number, lines, pair, start, words},
};

/// Most columns, and most rows.
const MAX_SIDE: usize = 32;

/// The message for a word that is not a move.
const NOTATION: &str = "a move is column,row, counted from 0 at the bottom left";

#[derive(Clone, Copy)]
enum Score {
    Paper,
    Contest,
    Clickomania,
    Product,
    /// The square of the cells of a group less a number.
    Square(i64),
    Clicks,
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

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let refusal = "the score of samegame is paper, contest, clickomania, product, square, square-1, square-2 or clicks, not";
    let names =
        ["paper", "contest", "clickomania", "product", "square", "square-1", "square-2", "clicks"];
    let [score] = spec::choose(options, "samegame has", [("score", &names[..], refusal)])?;
    let score = match names[score] {
        "contest" => Score::Contest,
        "clickomania" => Score::Clickomania,
        "product" => Score::Product,
        "square" => Score::Square(0),
        "square-1" => Score::Square(1),
        "square-2" => Score::Square(2),
        "clicks" => Score::Clicks,
        _ => Score::Paper,
    };
    loaded(read_rows(instance).and_then(|rows| {
        let (width, height) = (rows[0].len(), rows.len());
        Ok(SameGame { score, width, height, columns: stand(&rows)?, rewards: 0 })
    }))
}

/// The rows from the top, at least one, all of the same length; an empty cell is `None`.
fn read_rows(instance: &str) -> Result<Vec<Vec<Option<u8>>>, String> {
    let mut rows: Vec<Vec<Option<u8>>> = Vec::new();
    let mut title = false;
    for line in lines(instance) {
        let number = line.number;
        if rows.is_empty() && !title && line.text.starts_with(char::is_alphabetic) {
            title = true;
            continue;
        }
        if let Some(blank) = line.blank.filter(|_| !rows.is_empty()) {
            return Err(format!("line {blank} is blank, but rows follow in line {number}"));
        }
        let row = read_row(line.text).map_err(|why| format!("line {number}, {why}"))?;
        let cells = count(row.len(), "cell", "cells");
        if row.len() > MAX_SIDE {
            return Err(format!("line {number} has {cells}, but a row has at most {MAX_SIDE}"));
        }
        let width = rows.first().map_or(row.len(), Vec::len);
        if row.len() != width {
            return Err(format!("line {number} has {cells}, but the first row has {width}"));
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
    let words: Vec<String> = match line.contains(char::is_whitespace) {
        true => line.split_whitespace().map(str::to_owned).collect(),
        false => line.chars().map(String::from).collect(),
    };
    let cell = |(place, word): (usize, &String)| match word.as_str() {
        "." | "-" => Ok(None),
        "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" => Ok(Some(word.as_bytes()[0] - b'0')),
        number if is_number(number) && !number.starts_with('0') => {
            let shown = start(number, 20);
            Err(format!("cell {place} has colour {shown}, but colours end at 7"))
        }
        other => Err(format!(
            "cell {place} is `{}`; expected a colour from 0 to 7, or . for an empty cell",
            clip(other)
        )),
    };
    (1..).zip(&words).map(cell).collect()
}

/// The columns of a board in which every cell has settled.
fn stand(rows: &[Vec<Option<u8>>]) -> Result<Vec<Vec<u8>>, String> {
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for x in 0..rows[0].len() {
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
        let left = columns.len();
        if left < x {
            return Err(format!("column {left} is empty, but column {x} to its right is not"));
        }
        columns.push(column);
    }
    Ok(columns)
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
            // A column or row before the first one wraps around to a number beyond the last one.
            let neighbours =
                [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
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
            Score::Clicks => -1000 * left.len() as i64,
            Score::Product | Score::Square(_) => 0,
            Score::Paper | Score::Contest if left.is_empty() => 1000,
            Score::Contest => 0,
            Score::Paper => {
                let times = |colour| left.iter().filter(|&&other| other == colour).count();
                -(0..8).map(times).filter(|&times| times > 0).map(square).sum::<i64>()
            }
        }
    }
}

impl Position for SameGame {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        words(solution, |word| pair::<usize>(word).is_some(), NOTATION, clip)
    }

    fn legal_actions(&self) -> Vec<String> {
        let groups = self.groups().into_iter();
        groups.map(|(x, y)| format!("{x},{y}")).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (x, y) = pair(action).ok_or(NOTATION)?;
        if x >= self.width || y >= self.height {
            return Err(format!("the board has {} columns and {} rows", self.width, self.height));
        }
        let group = self.group((x, y));
        match group.len() {
            0 => return Err("the cell is empty".to_owned()),
            1 => return Err("no cell beside it has its colour".to_owned()),
            _ => {}
        }
        for (x, column) in self.columns.iter_mut().enumerate() {
            let mut rows = 0..;
            column.retain(|_| !rows.next().is_some_and(|y| group.contains(&(x, y))));
        }
        self.columns.retain(|column| !column.is_empty());
        self.rewards += match self.score {
            Score::Paper | Score::Contest => square(group.len()),
            Score::Clickomania => 0,
            Score::Product => (group.len() * (group.len() - 1)) as i64,
            Score::Square(less) => (group.len() as i64 - less).pow(2),
            Score::Clicks => -1,
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
        let sign = |cell| self.colour(cell).map_or(".".to_owned(), |colour| colour.to_string());
        let row = |y| (0..self.width).map(|x| sign((x, y))).collect::<Vec<_>>().join(" ");
        (0..self.height).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}
