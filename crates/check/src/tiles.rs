//! Sliding tiles, N×N for N from 2 to 8.
//!
//! An instance is a row of N² numbers, separated by white space or commas, 0 for the blank. A
//! solution is a string of `U`, `D`, `L`, `R`: the direction in which a *tile* moves into the
//! blank, so that `U` moves the tile below the blank up. The goal is `1 2 … N²−1 0`, or `0 1 …
//! N²−1` with `goal=blank-first`.

use crate::{CheckError, Position, spec::Options};

const LETTERS: [&str; 4] = ["U", "D", "L", "R"];

struct Tiles {
    /// Width and height.
    n: usize,
    /// Rows from the top, each from the left; 0 is the blank.
    rows: Vec<Vec<u64>>,
    goal: Vec<Vec<u64>>,
    moves: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Result<Box<dyn Position>, CheckError> {
    let mut blank_first = false;
    for (key, value) in options {
        match (key.as_str(), value.as_str()) {
            ("goal", "blank-last") => blank_first = false,
            ("goal", "blank-first") => blank_first = true,
            ("goal", other) => {
                return Err(CheckError::Puzzle(format!(
                    "the goal of tiles is blank-last or blank-first, not `{other}`"
                )));
            }
            (other, _) => {
                return Err(CheckError::Puzzle(format!("tiles have no parameter `{other}`")));
            }
        }
    }
    let numbers = read_numbers(instance)?;
    let count = numbers.len();
    let Some(n) = (2..=8).find(|n| n * n == count) else {
        return Err(CheckError::Instance(format!(
            "{count} numbers are no square board of side 2 to 8"
        )));
    };
    for wanted in 0..count as u64 {
        match numbers.iter().filter(|&&number| number == wanted).count() {
            1 => {}
            0 => return Err(CheckError::Instance(format!("{wanted} is missing"))),
            times => {
                return Err(CheckError::Instance(format!("{wanted} occurs {times} times")));
            }
        }
    }
    let mut goal: Vec<u64> = (0..count as u64).collect();
    if !blank_first {
        goal.remove(0);
        goal.push(0);
    }
    Ok(Box::new(Tiles {
        n,
        rows: numbers.chunks(n).map(<[u64]>::to_vec).collect(),
        goal: goal.chunks(n).map(<[u64]>::to_vec).collect(),
        moves: 0,
    }))
}

fn read_numbers(instance: &str) -> Result<Vec<u64>, CheckError> {
    let words =
        instance.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let mut numbers = Vec::new();
    for (i, word) in words.enumerate() {
        let digits = word.chars().all(|c| c.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits => numbers.push(number),
            _ => {
                let word: String = word.chars().take(20).collect();
                let place = i + 1;
                return Err(CheckError::Instance(format!(
                    "entry {place} is `{word}`, which is not a whole number"
                )));
            }
        }
    }
    Ok(numbers)
}

impl Tiles {
    /// Row and column of the blank.
    fn blank(&self) -> (usize, usize) {
        for row in 0..self.n {
            for column in 0..self.n {
                if self.rows[row][column] == 0 {
                    return (row, column);
                }
            }
        }
        unreachable!("the loader has seen the blank, and moves keep it")
    }

    /// Row and column of the tile that an action moves.
    fn tile(&self, action: &str) -> Result<(usize, usize), String> {
        let (row, column) = self.blank();
        let (inside, place) = match action {
            "U" => (row + 1 < self.n, "below it"),
            "D" => (row > 0, "above it"),
            "L" => (column + 1 < self.n, "to its right"),
            "R" => (column > 0, "to its left"),
            _ => return Err("the moves are U, D, L and R".to_owned()),
        };
        if !inside {
            return Err(format!(
                "the blank is in row {}, column {}, and no tile is {place}",
                row + 1,
                column + 1
            ));
        }
        Ok(match action {
            "U" => (row + 1, column),
            "D" => (row - 1, column),
            "L" => (row, column + 1),
            _ => (row, column - 1),
        })
    }
}

impl Position for Tiles {
    fn split(&self, solution: &str) -> Result<Vec<String>, CheckError> {
        let mut actions = Vec::new();
        for (i, c) in solution.chars().enumerate() {
            let letter = c.to_string();
            if LETTERS.contains(&letter.as_str()) {
                actions.push(letter);
            } else if !c.is_whitespace() {
                return Err(CheckError::Solution(format!(
                    "character {} is `{}`; the moves are U, D, L and R",
                    i + 1,
                    c.escape_debug()
                )));
            }
        }
        Ok(actions)
    }

    fn legal_actions(&self) -> Vec<String> {
        let legal = LETTERS.iter().filter(|letter| self.tile(letter).is_ok());
        legal.map(|letter| (*letter).to_owned()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (row, column) = self.tile(action)?;
        let (blank_row, blank_column) = self.blank();
        self.rows[blank_row][blank_column] = self.rows[row][column];
        self.rows[row][column] = 0;
        self.moves += 1;
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let mut wrong = Vec::new();
        for row in 0..self.n {
            for column in 0..self.n {
                let (found, wanted) = (self.rows[row][column], self.goal[row][column]);
                if found != wanted {
                    wrong.push((row + 1, column + 1, found, wanted));
                }
            }
        }
        let (row, column, found, wanted) = *wrong.first()?;
        let more = wrong.len() - 1;
        Some(format!(
            "row {row}, column {column} holds {found} where {wanted} belongs, and {more} more cells are wrong"
        ))
    }

    fn value(&self) -> i64 {
        self.moves
    }

    fn text(&self) -> String {
        row_of_numbers(&self.rows)
    }

    fn goal(&self) -> Option<String> {
        Some(row_of_numbers(&self.goal))
    }
}

fn row_of_numbers(rows: &[Vec<u64>]) -> String {
    let words: Vec<String> = rows.concat().iter().map(u64::to_string).collect();
    words.join(" ")
}
