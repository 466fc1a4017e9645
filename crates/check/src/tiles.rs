//! Sliding tiles, N×N for N from 2 to 8.
//!
//! An instance is a row of N² numbers, separated by white space or commas, 0 for the blank. A
//! solution is a string of `U`, `D`, `L`, `R`: the direction in which a *tile* moves into the
//! blank, so that `U` moves the tile below the blank up. The goal is `1 2 … N²−1 0`, or `0 1 …
//! N²−1` with `goal=blank-first`.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{number, start},
};

const LETTERS: &str = "UDLR";

struct Tiles {
    /// Width and height.
    n: usize,
    /// Row by row from the top, each from the left; 0 is the blank.
    cells: Vec<u64>,
    goal: Vec<u64>,
    moves: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let refusal = "the goal of tiles is blank-last or blank-first, not";
    let goals = ("goal", &["blank-last", "blank-first"][..], refusal);
    let [goal] = spec::choose(options, "tiles have", [goals])?;
    loaded(read(instance, goal == 1))
}

fn read(instance: &str, blank_first: bool) -> Result<Tiles, String> {
    let words =
        instance.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let mut cells: Vec<u64> = Vec::new();
    for (place, word) in (1..).zip(words) {
        cells.push(number(word).ok_or_else(|| {
            format!("entry {place} is `{}`, which is not a whole number", start(word, 20))
        })?);
    }
    let count = cells.len();
    let Some(n) = (2..=8).find(|n| n * n == count) else {
        return Err(format!("{count} numbers are no square board of side 2 to 8"));
    };
    for wanted in 0..count as u64 {
        match cells.iter().filter(|&&number| number == wanted).count() {
            1 => {}
            0 => return Err(format!("{wanted} is missing")),
            times => return Err(format!("{wanted} occurs {times} times")),
        }
    }
    let mut goal: Vec<u64> = (0..count as u64).collect();
    if !blank_first {
        goal.rotate_left(1);
    }
    Ok(Tiles { n, cells, goal, moves: 0 })
}

impl Tiles {
    fn blank(&self) -> usize {
        let blank = self.cells.iter().position(|&number| number == 0);
        blank.expect("the loader has seen the blank, and moves keep it")
    }

    /// The cell of the tile that an action moves.
    fn tile(&self, action: &str) -> Result<usize, String> {
        let (n, blank) = (self.n, self.blank());
        let (row, column) = (blank / n, blank % n);
        let (tile, side) = match action {
            "U" => ((row + 1 < n).then(|| blank + n), "below it"),
            "D" => ((row > 0).then(|| blank - n), "above it"),
            "L" => ((column + 1 < n).then(|| blank + 1), "to its right"),
            "R" => ((column > 0).then(|| blank - 1), "to its left"),
            _ => return Err("the moves are U, D, L and R".to_owned()),
        };
        let (row, column) = (row + 1, column + 1);
        tile.ok_or_else(|| {
            format!("the blank is in row {row}, column {column}, and no tile is {side}")
        })
    }
}

impl Position for Tiles {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let mut actions = Vec::new();
        for (number, c) in (1..).zip(solution.chars()) {
            if LETTERS.contains(c) {
                actions.push(c.to_string());
            } else if !c.is_whitespace() {
                let c = c.escape_debug();
                return Err(format!("character {number} is `{c}`; the moves are U, D, L and R"));
            }
        }
        Ok(actions)
    }

    fn legal_actions(&self) -> Vec<String> {
        let letters = LETTERS.chars().map(String::from);
        letters.filter(|letter| self.tile(letter).is_ok()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (tile, blank) = (self.tile(action)?, self.blank());
        self.cells.swap(tile, blank);
        self.moves += 1;
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let is_wrong = |&cell: &usize| self.cells[cell] != self.goal[cell];
        let mut wrong = (0..self.cells.len()).filter(is_wrong);
        let first = wrong.next()?;
        let (row, column) = (first / self.n + 1, first % self.n + 1);
        let (found, wanted, more) = (self.cells[first], self.goal[first], wrong.count());
        Some(format!(
            "row {row}, column {column} holds {found} where {wanted} belongs, and {more} more cells are wrong"
        ))
    }

    fn value(&self) -> i64 {
        self.moves
    }

    fn text(&self) -> String {
        text(&self.cells)
    }

    fn goal(&self) -> Option<String> {
        Some(text(&self.goal))
    }
}

fn text(cells: &[u64]) -> String {
    let words: Vec<String> = cells.iter().map(u64::to_string).collect();
    words.join(" ")
}
