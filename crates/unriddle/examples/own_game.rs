//! A user-defined score puzzle: peg solitaire on the English board, a point for each jump.
//!
//! A peg jumps over a neighbour into a hole behind it, and the neighbour leaves the board. Run it
//! with `cargo run --release --example own_game -- solve pegs "xxoooxx xxoooxx ooooooo ooo.ooo
//! ooooooo xxoooxx xxoooxx"`. Legal actions are a bit set, and an upper bound proves that a game of
//! 31 jumps is the best.

use std::{process::ExitCode, sync::LazyLock};
use unriddle::prelude::*;

/// Rows and columns.
const SIDE: usize = 7;

/// Cells of a jump.
#[derive(Clone, Copy)]
struct Jump {
    from: usize,
    over: usize,
    to: usize,
}

/// Whether a cell is part of the cross.
fn is_cell(cell: usize) -> bool {
    let inner = 2..5;
    inner.contains(&(cell / SIDE)) || inner.contains(&(cell % SIDE))
}

/// The 76 jumps of the board.
static JUMPS: LazyLock<Vec<Jump>> = LazyLock::new(|| {
    let mut jumps = Vec::new();
    for from in (0..SIDE * SIDE).filter(|&cell| is_cell(cell)) {
        let (row, column) = (from / SIDE, from % SIDE);
        for (down, right) in [(-1, 0), (0, -1), (0, 1), (1, 0)] {
            let at = |steps: isize| {
                let row = row.checked_add_signed(steps * down).filter(|&row| row < SIDE)?;
                let column =
                    column.checked_add_signed(steps * right).filter(|&column| column < SIDE)?;
                Some(row * SIDE + column).filter(|&cell| is_cell(cell))
            };
            if let (Some(over), Some(to)) = (at(1), at(2)) {
                jumps.push(Jump { from, over, to });
            }
        }
    }
    jumps
});

/// Pegs at the start, a bit for each cell.
#[derive(Clone)]
struct Pegs(u64);

impl Puzzle for Pegs {
    type State = u64;
    /// Index of a jump.
    type Action = u8;
    type Actions = Bits<u128>;
    fn initial_state(&self) -> u64 {
        self.0
    }
    fn actions(&self, pegs: &u64) -> Bits<u128> {
        let is_peg = |cell: usize| pegs >> cell & 1 == 1;
        let legal = JUMPS
            .iter()
            .enumerate()
            .filter(|(_, jump)| is_peg(jump.from) && is_peg(jump.over) && !is_peg(jump.to));
        Bits(legal.fold(0, |all, (index, _)| all | 1 << index))
    }
    fn apply(&self, pegs: &u64, jump: u8) -> u64 {
        let Jump { from, over, to } = JUMPS[usize::from(jump)];
        pegs ^ (1 << from | 1 << over | 1 << to)
    }
}

impl ScorePuzzle for Pegs {
    fn reward(&self, _: &u64, _: u8) -> Score {
        1
    }
}

impl Layered for Pegs {
    /// Each jump takes a peg.
    fn layer(&self, pegs: &u64) -> usize {
        pegs.count_ones() as usize
    }
}

impl Coded for Pegs {
    type Shape = ();
    fn code(&self, _: &u64, jump: u8) -> u64 {
        u64::from(jump)
    }
}

/// A jump in words: row and column of both cells from the top left, counted from 0.
fn jump_text(jump: Jump) -> String {
    let cell = |cell| format!("{},{}", cell / SIDE, cell % SIDE);
    format!("{}-{}", cell(jump.from), cell(jump.to))
}

impl Notation for Pegs {
    fn state_text(&self, pegs: &u64) -> String {
        let sign = |cell| match (is_cell(cell), pegs >> cell & 1) {
            (false, _) => 'x',
            (true, 1) => 'o',
            (true, _) => '.',
        };
        let row = |row| (row * SIDE..(row + 1) * SIDE).map(sign).collect::<String>();
        (0..SIDE).map(row).collect::<Vec<_>>().join(" ")
    }
    fn solution_text(&self, jumps: &[u8]) -> String {
        let words: Vec<String> =
            jumps.iter().map(|&jump| jump_text(JUMPS[usize::from(jump)])).collect();
        words.join(" ")
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        text::read(text, |word| {
            let known = JUMPS.iter().position(|&jump| jump_text(jump) == word);
            known
                .map(|index| index as u8)
                .ok_or_else(|| "expected a jump such as 3,1-3,3".to_owned())
        })
    }
}

impl Presentation for Pegs {
    fn draw(&self, pegs: &u64, style: Style) -> String {
        plain_drawing(&self.state_text(pegs).replace(' ', "\n").replace('x', " "), style)
    }
}

const LEFT: Info = Info::new(Role::Heuristic, "left", "one jump less than there are pegs");

/// Upper bound: each jump takes a peg, and one peg is left.
struct Left;

impl UpperBound<Pegs> for Left {
    fn upper(&self, _: &Pegs, pegs: &u64) -> Score {
        Score::from(pegs.count_ones()) - 1
    }
}

impl Scored for Pegs {
    const BOUNDS: &'static [BoundOf<Self>] = &[BoundOf::new(&LEFT, |_| Box::new(Left))];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "a layered beam, which proves 31 jumps", |_| {
            Some("layers(width=2000)")
        })];
    type Filter = Unfiltered;
    type Value = Mobility;
}

const CENTRAL: Info = Info::new(Role::Generator, "central", "all pegs but the one in the centre");

impl Plain<Scores> for Pegs {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "pegs", "jump as often as possible");
    const GENERATORS: &'static [Generator<Bare<Self, Scores>>] =
        &[Generator::new(&CENTRAL, |_, _, _| {
            let centre = SIDE * SIDE / 2;
            let all = (0..SIDE * SIDE).filter(|&cell| is_cell(cell) && cell != centre);
            let pegs = all.fold(0, |pegs, cell| pegs | 1 << cell);
            Ok(Pegs(pegs).state_text(&pegs))
        })];
    const UNIT: &'static str = "jumps";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let (mut pegs, mut cell) = (0, 0);
        for (line, row) in (1..).zip(text.split('\n')) {
            for (column, sign) in (1..).zip(row.chars()).filter(|(_, sign)| !sign.is_whitespace()) {
                let expected = if is_cell(cell) { "o.O" } else { "x" };
                if cell == SIDE * SIDE || !expected.contains(sign) {
                    let message = format!("cell {} of 49: found {sign:?}", cell + 1);
                    return Err(ParseError::at(line, column, message));
                }
                pegs |= u64::from(sign.eq_ignore_ascii_case(&'o')) << cell;
                cell += 1;
            }
        }
        match (cell, pegs) {
            (49, 1..) => Ok(Self(pegs)),
            (49, _) => Err(ParseError::at(1, 1, "the board has no peg")),
            (cells, _) => {
                let message = format!("found {cells} cells; a board has 7 rows of 7 signs");
                Err(ParseError::at(1, 1, message))
            }
        }
    }
}

static FAMILY: Family = Family::plain_scores::<Pegs>();

fn main() -> ExitCode {
    let registry = Registry::new([&FAMILY]).expect("one puzzle has one name");
    unriddle::cli::Program::new("own_game", env!("CARGO_PKG_VERSION"), registry).main()
}

#[cfg(test)]
mod tests {
    use super::{FAMILY, Left, Pegs};
    use unriddle::prelude::*;
    use unriddle_conformance::{Subject, Violation, family, notation, score, upper_bound};

    #[test]
    fn pegs_conform() -> Result<(), Violation> {
        let puzzle = Pegs::parse("xx...xx xx...xx ...oo.. ..oo... ....... xx...xx xx...xx");
        let puzzle = puzzle.expect("a board");
        let subject = Subject::written(&puzzle);
        score(&subject)?;
        notation(&subject)?;
        upper_bound(&subject, &Left)?;
        family(&FAMILY)
    }

    #[test]
    fn invalid_boards_are_rejected_with_line_and_column() {
        let refused = |text: &str| match Pegs::parse(text) {
            Ok(_) => panic!("{text} is no board"),
            Err(error) => (error.line, error.column),
        };
        assert_eq!(refused("xxoooxx\nx.oooxx"), (2, 2));
        assert_eq!(refused("xxoooxx"), (1, 1));
        assert_eq!(refused("xx...xx xx...xx ....... ....... ....... xx...xx xx...xx"), (1, 1));
    }
}
