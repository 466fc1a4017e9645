//! Sokoban, for pushes (`measure=pushes`, the default) or for moves (`measure=moves`). The
//! parameter `signs` is for other readers and is ignored.
//!
//! An instance is rows of signs, the top one first: `#` wall; ` `, `-` or `_` floor; `$` or `b`
//! box; `.` goal; `*` or `B` box on a goal; `@` or `p` player; `+` or `P` player on a goal. Digits
//! are a count of the sign after them: `4#` is `####`. Rows are lines, or parts of a line with `|`
//! between them; a `|` at the end of a line adds no row. Blank lines at the beginning and at the
//! end are ignored. Blanks at the beginning of a row matter, but a text in one line with `|` is
//! trimmed. Rows may differ in length: missing cells at the end of a row are floor. There are at
//! most 255 rows, and at most 255 columns without floor at the end of a row.
//!
//! There is one player, at least one box, and as many boxes as goals (`extra=none`, the default).
//! There may be more boxes than goals, but not without any goal (`extra=boxes`), more goals than
//! boxes (`extra=goals`), or either (`extra=any`). Walls keep the player inside:
//! even without boxes the player could not reach the first or last row or column of the board,
//! which is as wide as its longest row.
//!
//! The player steps up, down, left or right onto a free cell. A box on that cell is pushed one cell
//! further, which must be neither a wall nor a box. At the goal all boxes are on goals, including
//! goals that the player can never reach; if there are more boxes than goals, all goals have a box.
//!
//! A solution consists of the letters `u`, `d`, `l`, `r`, capitals for pushes. When it is read, the
//! case, blanks and line breaks are ignored. A count before a letter repeats it (`3r2U`), a count
//! before parentheses repeats their content (`2(rU)`); parentheses may be nested. There are at most
//! 10 million letters.
//!
//! For moves an action is one letter and costs 1. For pushes it is a push with the steps that lead
//! to it, such as `rruR`, and costs 1. Steps after the last push belong to the last action; without
//! any push they are one action, which costs nothing.
//!
//! The text of a position is one line, with `|` between the rows, `-` for floor, and no floor at
//! the end of a row, except that a row of only floor is `-`. For moves the player is on its own
//! cell; for pushes it is on the first cell (row by row from the top, each from the left) that it
//! can reach without a push.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::count,
};
use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

/// Most rows, and most columns.
const SIDE: usize = 255;

/// Most letters of a solution.
const LETTERS: usize = 10_000_000;

/// The directions in alphabetical order: letter, rows down, columns to the right.
const DIRECTIONS: [(char, i64, i64); 4] = [('d', 1, 0), ('l', 0, -1), ('r', 0, 1), ('u', -1, 0)];

/// Row and column, counted from 0. Numbers are signed, so that a cell beyond the board can be
/// looked up.
type Place = (i64, i64);

/// A cell in words, counted from 1.
fn name((row, column): Place) -> String {
    format!("row {}, column {}", row + 1, column + 1)
}

/// A count before a sign, and the index of its first digit.
type Times = Option<(usize, usize)>;

/// Appends a digit to a count; `at` is the digit's index. Returns whether the sign is a digit.
fn append_digit(times: &mut Times, sign: char, at: usize) -> bool {
    let Some(digit) = sign.to_digit(10) else {
        return false;
    };
    let (number, first) = times.unwrap_or((0, at));
    *times = Some((number.saturating_mul(10).saturating_add(digit as usize), first));
    true
}

/// The movable pieces.
#[derive(Clone)]
struct Pieces {
    player: Place,
    boxes: Vec<Place>,
}

/// Pieces of which there may be more than of the others.
#[derive(Clone, Copy)]
struct More {
    boxes: bool,
    goals: bool,
}

struct Sokoban {
    /// Whether steps are counted, not pushes.
    moves: bool,
    rows: i64,
    columns: i64,
    /// For each cell, row by row, whether it is a wall; all rows have the same length.
    walls: Vec<Vec<bool>>,
    goals: Vec<Place>,
    start: Pieces,
    now: Pieces,
    cost: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    // The number of a word of `extra` has a bit for boxes and a bit for goals.
    let measure = ("measure", &["pushes", "moves"][..], "measure is pushes or moves, not");
    let extra = (
        "extra",
        &["none", "boxes", "goals", "any"][..],
        "extra must be `none`, `boxes`, `goals` or `any`, not",
    );
    // An instance has the usual signs.
    let options = options.iter().filter(|(key, _)| key != "signs").cloned().collect();
    let [measure, extra] = spec::choose(&options, "sokoban has", [measure, extra])?;
    let more = More { boxes: extra & 1 == 1, goals: extra & 2 == 2 };
    loaded(read(instance).and_then(|rows| board(measure == 1, more, &rows)))
}

/// The rows of an instance, with each sign repeated by its count, without floor at the end.
fn read(instance: &str) -> Result<Vec<Vec<char>>, String> {
    let is_blank = |line: &str| line.trim().is_empty();
    let lines: Vec<(usize, &str)> = (1..).zip(instance.lines()).collect();
    let is_filled = |(_, line): &(usize, &str)| !is_blank(line);
    let first = lines.iter().position(is_filled).unwrap_or(0);
    let end = lines.iter().rposition(is_filled).map_or(0, |last| last + 1);
    let lines = &lines[first..end];
    let trimmed = lines.len() == 1 && lines[0].1.contains('|');
    let mut rows = Vec::new();
    for &(line, mut text) in lines {
        let mut column = 0;
        if trimmed {
            // Columns are counted from the beginning of the line.
            column = text.chars().count() - text.trim_start().chars().count();
            text = text.trim();
        }
        let mut parts: Vec<&str> = text.split('|').collect();
        if parts.len() > 1 && parts.last().is_some_and(|part| is_blank(part)) {
            parts.pop();
        }
        for part in parts {
            let row = read_row(part, line, column)?;
            let (columns, number) = (row.len(), rows.len() + 1);
            if number > SIDE {
                return Err(format!("there are more than {SIDE} rows"));
            }
            if columns > SIDE {
                return Err(format!("row {number} has more than {SIDE} columns"));
            }
            rows.push(row);
            column += part.chars().count() + 1;
        }
    }
    Ok(rows)
}

/// Reads a row with `before` signs in front of it in its line. Reading stops where a row is too
/// long.
fn read_row(part: &str, line: usize, before: usize) -> Result<Vec<char>, String> {
    let wrong = |column: usize, why: &str| format!("line {line}, column {column}: {why}");
    let mut row = Vec::new();
    // Floor is stored only when another sign follows it.
    let mut floor: usize = 0;
    let mut times: Times = None;
    for (column, sign) in (before + 1..).zip(part.chars()) {
        if append_digit(&mut times, sign, column) {
            continue;
        }
        let sign = match sign {
            '#' | '.' => sign,
            ' ' | '-' | '_' => '-',
            '$' | 'b' => '$',
            '*' | 'B' => '*',
            '@' | 'p' => '@',
            '+' | 'P' => '+',
            other => {
                let other = other.escape_debug();
                return Err(wrong(column, &format!("`{other}` is no sign of a board")));
            }
        };
        let (number, first) = times.take().unwrap_or((1, column));
        if number == 0 {
            return Err(wrong(first, "the count is 0"));
        }
        if sign == '-' {
            floor = floor.saturating_add(number);
            continue;
        }
        let most = SIDE + 1;
        row.extend(std::iter::repeat_n('-', floor.min(most)));
        row.extend(std::iter::repeat_n(sign, number.min(most)));
        row.truncate(most);
        floor = 0;
    }
    match times {
        Some((_, first)) => Err(wrong(first, "no sign is behind the count")),
        None => Ok(row),
    }
}

/// The board of these rows, if they are valid.
fn board(moves: bool, more: More, signs: &[Vec<char>]) -> Result<Sokoban, String> {
    let columns = signs.iter().map(Vec::len).max().unwrap_or(0);
    let mut walls = vec![vec![false; columns]; signs.len()];
    let (mut players, mut boxes, mut goals) = (Vec::new(), Vec::new(), Vec::new());
    for (row, signs) in signs.iter().enumerate() {
        for (column, &sign) in signs.iter().enumerate() {
            let place = (row as i64, column as i64);
            walls[row][column] = sign == '#';
            if ['@', '+'].contains(&sign) {
                players.push(place);
            }
            if ['$', '*'].contains(&sign) {
                boxes.push(place);
            }
            if ['.', '*', '+'].contains(&sign) {
                goals.push(place);
            }
        }
    }
    let player = match players[..] {
        [] => return Err("there is no player".to_owned()),
        [player] => player,
        [first, second, ..] => {
            let (first, second) = (name(first), name(second));
            return Err(format!("a second player is in {second} (the first one in {first})"));
        }
    };
    if boxes.is_empty() {
        return Err("there are no boxes".to_owned());
    }
    let is_allowed = match boxes.len().cmp(&goals.len()) {
        Ordering::Equal => true,
        Ordering::Greater => more.boxes && !goals.is_empty(),
        Ordering::Less => more.goals,
    };
    if !is_allowed {
        let boxes = count(boxes.len(), "box", "boxes");
        let goals = count(goals.len(), "goal", "goals");
        return Err(format!("there are {boxes} and {goals}"));
    }
    let start = Pieces { player, boxes };
    let board = Sokoban {
        moves,
        rows: signs.len() as i64,
        columns: columns as i64,
        walls,
        goals,
        now: start.clone(),
        start,
        cost: 0,
    };
    match board.way_out() {
        Some(place) => Err(format!(
            "the player can leave the board: no walls keep him from its edge in {}",
            name(place)
        )),
        None => Ok(board),
    }
}

/// An error about a count that is not followed by a letter.
fn no_count(times: Times) -> Result<(), String> {
    times.map_or(Ok(()), |(_, first)| {
        Err(format!("no letter is behind the count that begins with character {first}"))
    })
}

/// The letters of a solution, repeated by their counts, in the case of the text.
fn letters(solution: &str) -> Result<Vec<char>, String> {
    let mut letters: Vec<char> = Vec::new();
    let mut times: Times = None;
    // For each open parenthesis, its index, its count, and the number of letters before it.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for (number, sign) in (1..).zip(solution.chars()) {
        if sign.is_whitespace() {
            continue;
        }
        if append_digit(&mut times, sign, number) {
            continue;
        }
        if let Some((0, first)) = times {
            return Err(format!("character {first} begins a count of 0"));
        }
        // The index of the first repeated letter, and the number of repetitions.
        let (from, repeat) = match sign {
            '(' => {
                let (count, _) = times.take().unwrap_or((1, number));
                open.push((number, count, letters.len()));
                continue;
            }
            ')' => {
                no_count(times)?;
                let open = open.pop();
                let open = open.ok_or_else(|| format!("character {number} is a `)` without a `(`"));
                let (_, count, from) = open?;
                (from, count)
            }
            letter if DIRECTIONS.iter().any(|&(known, ..)| is(letter, known)) => {
                letters.push(letter);
                let (count, _) = times.take().unwrap_or((1, number));
                (letters.len() - 1, count)
            }
            other => {
                let other = other.escape_debug();
                return Err(format!(
                    "character {number} is `{other}`; the letters are u, d, l and r"
                ));
            }
        };
        let long = letters.len() - from;
        // Counts are at least 1, so that all these letters belong to the solution: too many letters
        // here are too many in total.
        if from.saturating_add(long.saturating_mul(repeat)) > LETTERS {
            return Err(format!("with character {number} there are more than {LETTERS} letters"));
        }
        if long > 0 && repeat > 1 {
            letters.extend(letters[from..].repeat(repeat - 1));
        }
    }
    no_count(times)?;
    match open.last() {
        Some((number, ..)) => Err(format!("character {number} is a `(` without a `)`")),
        None => Ok(letters),
    }
}

/// Whether a letter is this one, in any case.
fn is(letter: char, small: char) -> bool {
    letter.to_ascii_lowercase() == small
}

/// The neighbour of a cell.
fn beside((row, column): Place, letter: char) -> Place {
    let direction = DIRECTIONS.into_iter().find(|&(known, ..)| is(letter, known));
    let (_, down, right) = direction.expect("only letters of directions are read");
    (row + down, column + right)
}

impl Sokoban {
    /// Whether a cell is a wall or outside of the board.
    fn is_wall(&self, (row, column): Place) -> bool {
        let is_inside = (0..self.rows).contains(&row) && (0..self.columns).contains(&column);
        !is_inside || self.walls[row as usize][column as usize]
    }

    /// Whether a cell has neither a wall nor a box.
    fn is_free(&self, place: Place) -> bool {
        !self.is_wall(place) && !self.now.boxes.contains(&place)
    }

    /// The first cell at the edge that the player can reach without boxes.
    fn way_out(&self) -> Option<Place> {
        let mut reached = HashSet::new();
        let mut stack = vec![self.start.player];
        while let Some(place) = stack.pop() {
            if !self.is_wall(place) && reached.insert(place) {
                stack.extend(DIRECTIONS.map(|(letter, ..)| beside(place, letter)));
            }
        }
        let (bottom, right) = (self.rows - 1, self.columns - 1);
        let is_edge =
            |&&(row, column): &&Place| row == 0 || row == bottom || column == 0 || column == right;
        reached.iter().filter(is_edge).min().copied()
    }

    /// Plays a letter on some pieces and returns whether it was a push. If it is illegal, nothing
    /// changes.
    fn step(&self, pieces: &mut Pieces, letter: char) -> Result<bool, String> {
        let to = beside(pieces.player, letter);
        if self.is_wall(to) {
            return Err(format!("a wall is in {}", name(to)));
        }
        let pushed = pieces.boxes.iter().position(|&other| other == to);
        if let Some(pushed) = pushed {
            let behind = beside(to, letter);
            let error =
                |what: &str| Err(format!("a box is in {}, and behind it is {what}", name(to)));
            if self.is_wall(behind) {
                return error("a wall");
            }
            if pieces.boxes.contains(&behind) {
                return error("another box");
            }
            pieces.boxes[pushed] = behind;
        }
        pieces.player = to;
        Ok(pushed.is_some())
    }

    /// For each cell, the first walk in alphabetical order among the shortest walks to it without a
    /// push, if there is a walk.
    fn walks(&self) -> HashMap<Place, String> {
        let mut walks = HashMap::new();
        // All walks of the same length: first the empty walk, then walks that are longer by a
        // letter.
        let mut longest = vec![(String::new(), self.now.player)];
        while !longest.is_empty() {
            // Walks that come first in alphabetical order are kept.
            longest.sort();
            let mut longer = Vec::new();
            for (walk, place) in longest {
                if walks.contains_key(&place) {
                    continue;
                }
                for (letter, ..) in DIRECTIONS {
                    let to = beside(place, letter);
                    if self.is_free(to) {
                        longer.push((format!("{walk}{letter}"), to));
                    }
                }
                walks.insert(place, walk);
            }
            longest = longer;
        }
        walks
    }

    /// The letters of an action, if it has any; for pushes it has at least one.
    fn action(&self, action: &str) -> Result<Vec<char>, String> {
        let letters = letters(action)?;
        match letters.len() {
            0 => Err("there is no letter".to_owned()),
            2.. if self.moves => Err("an action is one letter".to_owned()),
            _ => Ok(letters),
        }
    }
}

impl Position for Sokoban {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let letters = letters(solution)?;
        if self.moves {
            return Ok(letters.iter().map(char::to_string).collect());
        }
        let mut actions: Vec<String> = Vec::new();
        let mut steps = String::new();
        let mut pieces = self.now.clone();
        for letter in letters {
            steps.push(letter);
            match self.step(&mut pieces, letter) {
                Ok(false) => {}
                Ok(true) => actions.push(std::mem::take(&mut steps)),
                Err(_) => {
                    // `apply` reports why it is illegal. The letters after it have no meaning.
                    actions.push(steps);
                    return Ok(actions);
                }
            }
        }
        match actions.last_mut() {
            Some(last) => last.push_str(&steps),
            None if steps.is_empty() => {}
            None => actions.push(steps),
        }
        Ok(actions)
    }

    fn legal_actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        if self.moves {
            for (letter, ..) in DIRECTIONS {
                match self.step(&mut self.now.clone(), letter) {
                    Ok(false) => actions.push(letter.to_string()),
                    Ok(true) => actions.push(letter.to_ascii_uppercase().to_string()),
                    Err(_) => {}
                }
            }
            return actions;
        }
        let walks = self.walks();
        for &pushed in &self.now.boxes {
            for (letter, down, right) in DIRECTIONS {
                let walk = walks.get(&(pushed.0 - down, pushed.1 - right));
                if let Some(walk) = walk.filter(|_| self.is_free(beside(pushed, letter))) {
                    actions.push(format!("{walk}{}", letter.to_ascii_uppercase()));
                }
            }
        }
        actions
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let letters = self.action(action)?;
        let mut pieces = self.now.clone();
        let mut pushes = 0;
        for (number, &letter) in (1..).zip(&letters) {
            let result = match self.step(&mut pieces, letter) {
                Ok(true) if pushes == 1 => Err("an action has one push".to_owned()),
                other => other,
            };
            match result {
                Ok(pushed) => pushes += i64::from(pushed),
                Err(why) if letters.len() == 1 => return Err(why),
                Err(why) => return Err(format!("letter {number} (`{letter}`): {why}")),
            }
        }
        self.now = pieces;
        self.cost += if self.moves { 1 } else { pushes };
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        if self.now.boxes.len() > self.goals.len() {
            let goals = self.goals.iter().filter(|place| !self.now.boxes.contains(place)).count();
            let missing = count(goals, "goal has no box", "goals have no box");
            return (goals > 0).then_some(missing);
        }
        let boxes = self.now.boxes.iter().filter(|place| !self.goals.contains(place)).count();
        let missing = count(boxes, "box is not on a goal", "boxes are not on goals");
        (boxes > 0).then_some(missing)
    }

    fn value(&self) -> i64 {
        self.cost
    }

    fn text(&self) -> String {
        let mut player = self.now.player;
        if !self.moves {
            player = self.walks().into_keys().min().unwrap_or(player);
        }
        let sign = |place: Place| {
            let (is_box, is_goal) = (self.now.boxes.contains(&place), self.goals.contains(&place));
            match (place == player, is_box, is_goal) {
                (true, _, false) => '@',
                (true, _, true) => '+',
                (_, true, false) => '$',
                (_, true, true) => '*',
                (_, _, true) => '.',
                _ if self.is_wall(place) => '#',
                _ => '-',
            }
        };
        let row = |row| {
            let signs: String = (0..self.columns).map(|column| sign((row, column))).collect();
            match signs.trim_end_matches('-') {
                "" => "-".to_owned(),
                signs => signs.to_owned(),
            }
        };
        let rows: Vec<String> = (0..self.rows).map(row).collect();
        rows.join("|")
    }

    fn rewind(&mut self) -> bool {
        self.now = self.start.clone();
        self.cost = 0;
        true
    }
}
