//! Morpion Solitaire, `rule=5d` (disjoint, the default) and `rule=5t` (touching), on a board of
//! 32×32 cells.
//!
//! An instance is one line for each row, the top one first: `o`, `O`, `x` or `X` for a point and
//! `.` for an empty cell, at most 32 by 32. A smaller picture is centred on the board; if it cannot
//! be centred, it is half a cell further to the left or to the top. Below the rows are the lines
//! that are drawn already, written as moves; any of their points may be given. Text after `#` in a
//! line is ignored.
//!
//! A solution is a sequence of words. A word is `x,y` with the column and the row of the new point,
//! counted from 0 at the top left of the board, a sign for the direction of the line (`-`, `|`,
//! `\`, `/`), and the number of steps from the new point to the middle of the line, to the right
//! or, for a vertical line, downwards: `+2`, `+1`, `0`, `-1`, `-2`.
//!
//! The new point is on an empty cell, and the other four points of the line exist. By rule 5D two
//! lines of the same direction have no point in common, by rule 5T at most one. Each move is worth
//! one point; the play ends where no move is left.
//!
//! Reference: E. D. Demaine, M. L. Demaine, A. Langerman, S. Langerman, "Morpion Solitaire" (Theory
//! of Computing Systems 39, 2006).

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, pair, words},
};

/// Columns, and rows.
const SIDE: i64 = 32;

/// The message for a word that is not a move.
const NOTATION: &str =
    "a move is column,row, one of - | \\ / and one of +2 +1 0 -1 -2, such as 14,10|-2";

/// The signs of directions.
const SIGNS: [char; 4] = ['-', '|', '\\', '/'];

/// Steps from the new point to the middle of its line, if the point is the first one, the second
/// one, and so on.
const MIDDLES: [&str; 5] = ["+2", "+1", "0", "-1", "-2"];

/// A column and a row.
type Place = (i64, i64);

/// A direction and the five cells of a line, from the left or, for a vertical line, from the top.
#[derive(Clone, PartialEq, Eq)]
struct Line {
    sign: char,
    places: Vec<Place>,
}

struct Morpion {
    /// Maximum number of points that lines of one direction may have in common.
    common: usize,
    points: Vec<Place>,
    lines: Vec<Line>,
    moves: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let rule = ("rule", &["5d", "5t"][..], "the rule of morpion is 5d or 5t, not");
    let [common] = spec::choose(options, "morpion has", [rule])?;
    let mut morpion = Morpion { common, points: Vec::new(), lines: Vec::new(), moves: 0 };
    loaded(morpion.read(instance).map(|()| morpion))
}

/// The step from a point of a line to the next one.
fn step(sign: char) -> Place {
    match sign {
        '-' => (1, 0),
        '|' => (0, 1),
        '\\' => (1, 1),
        _ => (1, -1),
    }
}

/// A line, and the index of the point by which a move gives it.
fn read_move(word: &str) -> Option<(Place, Line)> {
    let at = word.find(SIGNS)?;
    let sign = word[at..].chars().next()?;
    let (x, y) = pair::<i64>(&word[..at])?;
    let middle = 2 - MIDDLES.iter().position(|&middle| middle == &word[at + 1..])? as i64;
    let (dx, dy) = step(sign);
    let place = |i| (x.saturating_add(dx * i), y.saturating_add(dy * i));
    Some(((x, y), Line { sign, places: (middle - 2..=middle + 2).map(place).collect() }))
}

/// The notation of a move.
fn written((x, y): Place, line: &Line) -> String {
    let at = line.places.iter().position(|&place| place == (x, y));
    format!("{x},{y}{}{}", line.sign, MIDDLES[at.unwrap_or(0)])
}

impl Morpion {
    fn read(&mut self, instance: &str) -> Result<(), String> {
        let mut rows: Vec<Vec<char>> = Vec::new();
        let mut words = Vec::new();
        for (number, text) in (1..).zip(instance.lines()) {
            for word in text.split('#').next().unwrap_or("").split_whitespace() {
                if !rows.is_empty() && word.starts_with(|c: char| c.is_ascii_digit()) {
                    words.push((number, word));
                    continue;
                }
                let row: Vec<char> = word.chars().collect();
                if !row.iter().all(|c| ".oOxX".contains(*c)) {
                    return Err(format!("line {number} is no row of `o` and `.`"));
                }
                if !words.is_empty() {
                    return Err(format!("line {number}: a row follows lines that are drawn"));
                }
                if rows.iter().any(|other| other.len() != row.len()) {
                    return Err(format!("line {number} is not as long as the rows above"));
                }
                rows.push(row);
            }
        }
        let height = rows.len() as i64;
        let width = rows.first().map_or(0, Vec::len) as i64;
        if height == 0 {
            return Err("there are no rows".to_owned());
        }
        if width > SIDE || height > SIDE {
            return Err(format!("there are more than {SIDE} columns or rows"));
        }
        for (y, row) in ((SIDE - height) / 2..).zip(rows) {
            for (x, sign) in ((SIDE - width) / 2..).zip(row) {
                if sign != '.' {
                    self.points.push((x, y));
                }
            }
        }
        for (number, word) in words {
            let said = |why: String| format!("line {number}, `{word}`: {why}");
            let (_, line) = read_move(word).ok_or_else(|| said(NOTATION.to_owned()))?;
            self.fits(&line, None).map_err(said)?;
            self.lines.push(line);
        }
        Ok(())
    }

    /// Whether a line may be drawn once the new point is there.
    fn fits(&self, line: &Line, new: Option<Place>) -> Result<(), String> {
        let on_board = |place: &Place| (0..SIDE).contains(&place.0) && (0..SIDE).contains(&place.1);
        if !line.places.iter().all(on_board) {
            return Err(format!("the line leaves the board of {SIDE} by {SIDE} cells"));
        }
        for &(x, y) in &line.places {
            if new != Some((x, y)) && !self.points.contains(&(x, y)) {
                return Err(format!("there is no point at {x},{y}"));
            }
        }
        for other in self.lines.iter().filter(|other| other.sign == line.sign) {
            let common = line.places.iter().filter(|place| other.places.contains(place)).count();
            if common > self.common {
                return Err(format!(
                    "{common} of its points belong to another line of its direction, {} may",
                    self.common
                ));
            }
        }
        Ok(())
    }

    /// The line of a move, or the rule that it breaks.
    fn allowed(&self, action: &str) -> Result<(Place, Line), String> {
        let ((x, y), line) = read_move(action).ok_or(NOTATION)?;
        if self.points.contains(&(x, y)) {
            return Err(format!("there is a point at {x},{y} already"));
        }
        self.fits(&line, Some((x, y)))?;
        Ok(((x, y), line))
    }

    /// All possible words, of which the legal ones are returned.
    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for y in 0..SIDE {
            for x in 0..SIDE {
                if self.points.contains(&(x, y)) {
                    continue;
                }
                for sign in SIGNS {
                    for middle in MIDDLES {
                        let word = format!("{x},{y}{sign}{middle}");
                        if self.allowed(&word).is_ok() {
                            moves.push(word);
                        }
                    }
                }
            }
        }
        moves
    }
}

impl Position for Morpion {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        words(solution, |word| read_move(word).is_some(), NOTATION, clip)
    }

    fn legal_actions(&self) -> Vec<String> {
        self.moves()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let (point, line) = self.allowed(action)?;
        self.points.push(point);
        self.lines.push(line);
        self.moves += 1;
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let moves = self.moves();
        let first = moves.first()?;
        Some(match moves.len() {
            1 => format!("1 move is left, {first}"),
            more => format!("{more} moves are left, the first is {first}"),
        })
    }

    fn value(&self) -> i64 {
        self.moves
    }

    /// The smallest picture that is centred on the board.
    fn text(&self) -> String {
        let far = |at: i64| {
            if at < SIDE / 2 { SIDE / 2 - at } else { at - SIDE / 2 + 1 }
        };
        let width = self.points.iter().map(|&(x, _)| far(x)).max().unwrap_or(1);
        let height = self.points.iter().map(|&(_, y)| far(y)).max().unwrap_or(1);
        let mut rows = Vec::new();
        for y in SIDE / 2 - height..SIDE / 2 + height {
            let mut row = String::new();
            for x in SIDE / 2 - width..SIDE / 2 + width {
                row.push(if self.points.contains(&(x, y)) { 'o' } else { '.' });
            }
            rows.push(row);
        }
        let mut lines = Vec::new();
        for sign in SIGNS {
            let mut places = Vec::new();
            for line in self.lines.iter().filter(|line| line.sign == sign) {
                let (x, y) = line.places[0];
                places.push((y, x, written((x, y), line)));
            }
            places.sort();
            lines.extend(places.into_iter().map(|(_, _, word)| word));
        }
        if !lines.is_empty() {
            rows.push(lines.join(" "));
        }
        rows.join("\n")
    }
}
