//! Forms in which people write boards: their rules and examples, and the texts that the program
//! writes itself.

use super::{Goal, draw, notation, shape::Shape};
use unriddle_catalog::family::Form;

const LINE: &str = "line";
const ROWS: &str = "rows";
const SLASHES: &str = "slashes";
const SIZE: &str = "size";
const DIGITS: &str = "digits";
const LIST: &str = "list";
const GAME_ID: &str = "game-id";
const DRAWING: &str = "drawing";

/// The forms that are read.
pub(crate) const FORMS: &[Form] = &[
    Form::new(
        LINE,
        "All numbers of a square in one line, row by row, 0 for the blank, with blanks or commas between them. A line of a \
         file that is a board is an instance of its own.",
        "1 2 3 4 0 5 7 8 6",
    ),
    Form::new(
        ROWS,
        "Each row in a line of its own. Neighbouring lines that together are a board, every number once, are one instance; \
         blank lines end a board. Lines such as two of 8 numbers, which are also a square over several lines, are refused.",
        "1 2 3\n4 0 5\n7 8 6\n",
    ),
    Form::new(
        SLASHES,
        "All rows in one line with `/` or `;` between them; so the program writes boards that are no squares.",
        "1 2 3 4 / 5 6 0 8 / 9 10 7 11",
    ),
    Form::new(
        SIZE,
        "A line with the side of the square, or with the numbers of rows and columns (`3 4` or `3x4`, in either order), and \
         then the rows.",
        "# three by three\n3\n1 2 3 # first row\n4 0 5\n7 8 6\n",
    ),
    Form::new(
        DIGITS,
        "Digits without blanks between them, every digit once: nine are a board of side 3, and 16 with A to F for 10 to 15 \
         are a board of side 4. Rows are separated by `/`, blanks or line ends.",
        "123405786",
    ),
    Form::new(
        LIST,
        "Lists or tuples in brackets, in one line or over several: a list of rows, or a list of all numbers of a square.",
        "[[1, 2, 3], [4, 0, 5], [7, 8, 6]]",
    ),
    Form::new(
        GAME_ID,
        "The game id of Simon Tatham's Fifteen: columns, `x`, rows, a colon, and all numbers.",
        "4x3:1,2,3,4,5,6,0,8,9,10,7,11",
    ),
    Form::new(
        DRAWING,
        "The drawing that `show` makes, or any table with frames. Where no number is 0, an empty cell is the blank: between \
         bars or commas, or a gap below and above numbers that are aligned.",
        "┌───────┐\n│ 1 2 3 │\n│ 4   5 │\n│ 7 8 6 │\n└───────┘\n",
    ),
    Form::new(
        "sign",
        "One of `_`, `-`, `.`, `*`, `x`, `b` or a word such as `None` or `blank` instead of 0.",
        "1 2 3\n4 _ 5\n7 8 6\n",
    ),
    Form::new(
        "index",
        "The number of the board in a list, which is its name, and then all numbers of a square in one line.",
        "17 1 2 3 4 0 5 7 8 6",
    ),
    Form::new(
        "name",
        "A text before a colon is the name of a board, in its first line or in the line above. `#` begins a comment.",
        "easy: 1 2 3 4 0 5 7 8 6 # two moves",
    ),
    Form::new(
        "snail",
        "With `goal=snail`, a board whose goal is the spiral 1 2 3 / 8 0 4 / 7 6 5, in any of these forms.",
        "3\n1 2 3\n8 4 0\n7 6 5\n",
    )
    .of("tiles(goal=snail)"),
];

/// The texts of a board in the forms that are written.
pub(crate) fn written(shape: Shape, cells: &[u8], goal: Goal) -> Vec<(&'static str, String)> {
    let Shape { rows, columns } = shape;
    let joined = |between: &str, sign: fn(u8) -> String| {
        let row = |row: &[u8]| row.iter().map(|&c| sign(c)).collect::<Vec<_>>().join(between);
        cells.chunks(columns).map(row).collect::<Vec<_>>()
    };
    let number = |cell: u8| cell.to_string();
    let lines = joined(" ", number).join("\n");
    let mut forms = vec![(SLASHES, joined(" ", number).join(" / "))];
    if shape.is_square() {
        forms.push((LINE, notation::text(shape, cells)));
        forms.push((SIZE, format!("{rows}\n{lines}\n")));
    } else {
        forms.push((SIZE, format!("{rows} {columns}\n{lines}\n")));
    }
    // Other lines may be a square over several lines.
    if shape.is_square() || cells.len().isqrt().pow(2) != cells.len() {
        forms.push((ROWS, lines + "\n"));
    }
    if cells.len() <= 10 || cells.len() == 16 {
        let digits = joined("", |cell| format!("{cell:X}"));
        forms.push((DIGITS, digits.join(if shape.is_square() { "" } else { "/" })));
    }
    forms.push((LIST, format!("[[{}]]", joined(", ", number).join("], ["))));
    // The game's goal has the blank last.
    if goal == Goal::BlankLast {
        forms.push((GAME_ID, format!("{columns}x{rows}:{}", joined(",", number).join(","))));
    }
    if rows == columns || cells.len().isqrt().pow(2) != cells.len() {
        forms.push((DRAWING, draw::text(shape, cells, goal, false)));
    }
    forms
}
