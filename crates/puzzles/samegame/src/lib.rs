//! SameGame on boards of up to 32×32 cells and eight colours.
//!
//! A move removes a group: at least two orthogonally connected cells of one colour. The cells above
//! fall, and empty columns close up to the left. A group of n cells earns (n − 2)² points. When no
//! group is left, an empty board earns 1,000 more; otherwise every colour with n cells left costs
//! (n − 2)², one point for a single cell.
//!
//! The parameter `score` has other rules ([`Scoring`]). With `score=contest` nothing is deducted;
//! with `score=clickomania` only the remaining cells count, minus one point each, so that 0 is a
//! cleared board; with `score=clicks` a cleared board of k moves is worth −k.
//!
//! Positions are bit planes ([`board`]), in two shapes: [`Board<4, 16>`](Board) for up to 16×16
//! cells, in 128 bytes, and `Board<16, 32>` for all others, in 512.
//!
//! References: Schadd, Winands, Tak and Uiterwijk 2012 (Knowledge-Based Systems 34), section 2.
//!
//! # Speed
//!
//! - A board ([`board`]) has three bit planes of the colour, with columns as lanes of a word.
//!   Which neighbours are equal is computed for all cells at once and updated along a play-out. A
//!   random group is drawn without a list of the groups.
//! - Policies that learn need the list of groups: a menu, in which entries survive the moves that
//!   do not change them (ADR 10).
//! - The strongest solver tempers plans of cells, whose names stay the same while the cells fall
//!   (ADRs 11 and 12).

#![forbid(unsafe_code)]

pub mod board;
pub mod bounds;
pub mod draw;
pub mod family;
pub mod generate;
pub mod layout;
mod menu;
mod notation;
mod pieces;
pub mod playout;
pub mod solvers;
pub mod tabu;
mod touch;
pub mod value;

pub use board::Board;
#[cfg(not(test))]
pub use family::FAMILY;
pub use layout::Layout;

use board::{Cells, Links, count, nth};

use unriddle_core::{Info, Options, Puzzle, Role, Score, ScorePuzzle, options, words};

/// The puzzle's declaration.
pub const INFO: Info = Info {
    reference: "Schadd, Winands, Tak and Uiterwijk 2012, Single-player Monte-Carlo tree search for SameGame, \
                Knowledge-Based Systems 34",
    parameters: SameGameConfig::PARAMETERS,
    ..Info::new(
        Role::Puzzle,
        "samegame",
        "SameGame: take out groups of one colour for the most points",
    )
};

options! {
    /// Options of the puzzle.
    #[derive(Copy, Eq)]
    pub struct SameGameConfig of INFO {
        score: Scoring = "paper",
            "points of groups, of an empty board, of remaining cells",
            "`paper` scores as Schadd et al. 2012: (n − 2)² for a group of n cells, 1,000 for an empty board, and a deduction for remaining cells. \
             `contest` makes no deduction. \
             `product` (n(n − 1) for a group), `square` (n²), `square-1` ((n − 1)²) and `square-2` ((n − 2)²) have groups only. \
             `clickomania` counts only the remaining cells, minus one point each. \
             `clicks` seeks the fewest moves: minus one point for each move and minus 1,000 for each remaining cell.";
    }
}

words! {
    /// Scoring of a game.
    pub enum Scoring {
        /// (n − 2)² for a group, 1,000 for an empty board, deductions for remaining cells.
        Paper = "paper",
        /// The same without deductions.
        Contest = "contest",
        /// Minus one point for every remaining cell.
        Clickomania = "clickomania",
        /// n(n − 1) for a group.
        Product = "product",
        /// n² for a group.
        Square = "square",
        /// (n − 1)² for a group.
        LessOne = "square-1",
        /// (n − 2)² for a group, and nothing else.
        LessTwo = "square-2",
        /// Minus one point for every move, minus 1,000 for every remaining cell.
        Clicks = "clicks",
    }
}

impl Scoring {
    /// All, in the order of their words.
    pub const ALL: [Self; 8] = [
        Self::Paper,
        Self::Contest,
        Self::Clickomania,
        Self::Product,
        Self::Square,
        Self::LessOne,
        Self::LessTwo,
        Self::Clicks,
    ];

    /// Points of a group of n cells.
    #[must_use]
    pub fn group(self, n: u32) -> Score {
        let size = Score::from(n);
        match self {
            Self::Paper | Self::Contest | Self::LessTwo => points(n),
            Self::Clickomania => 0,
            Self::Product => size * (size - 1),
            Self::Square => size * size,
            Self::LessOne => (size - 1) * (size - 1),
            Self::Clicks => -1,
        }
    }

    /// Points of a group of all n cells of a colour, which is an upper bound for the moves that
    /// take these cells out one group after the other: no rule gives two groups more than one.
    pub(crate) fn united(self, n: u32) -> Score {
        if n > 1 { self.group(n) } else { 0 }
    }

    /// Points of an empty board.
    pub(crate) const fn cleared(self) -> Score {
        match self {
            Self::Paper | Self::Contest => CLEARED,
            _ => 0,
        }
    }

    /// Cost of a single cell of a colour, which remains in every play.
    pub(crate) const fn single(self) -> Score {
        match self {
            Self::Clickomania => 1,
            Self::Clicks => LEFT,
            _ => 0,
        }
    }

    /// The number of the rule in a game id: a group is worth (n − s)².
    pub(crate) const fn subtrahend(self) -> Option<usize> {
        match self {
            Self::Paper | Self::Contest | Self::LessTwo => Some(2),
            Self::LessOne => Some(1),
            Self::Product | Self::Square | Self::Clickomania | Self::Clicks => None,
        }
    }
}

/// Bonus of an empty board.
pub const CLEARED: Score = 1000;

/// Cost of a remaining cell where the fewest moves are sought: more than all moves, which are at
/// most half as many as cells.
pub const LEFT: Score = 1000;

/// Points of a group of n cells.
#[must_use]
#[inline(always)]
pub const fn points(n: u32) -> Score {
    let n = n as Score - 2;
    n * n
}

/// An action: a group to take out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group {
    /// Its first cell: the lowest of its leftmost column.
    pub cell: u16,
    /// Number of its cells.
    pub size: u16,
    /// Their colour.
    pub colour: u8,
}

impl Group {
    /// The action that takes some cells out of a position, all of a group.
    #[inline(always)]
    #[must_use]
    pub fn of<const N: usize, const L: u32>(board: &Board<N, L>, cells: &Cells<N>) -> Self {
        let cell = nth(cells, 0);
        Self { cell, size: count(cells) as u16, colour: board.colour(cell).unwrap_or(0) }
    }
}

/// The groups that are still to be tried, from the left.
#[derive(Clone, Copy, Debug)]
pub struct Groups<const N: usize, const L: u32> {
    board: Board<N, L>,
    links: Links<N, L>,
    /// Corners of those groups.
    corners: Cells<N>,
}

impl<const N: usize, const L: u32> Groups<N, L> {
    /// The next group with all its cells.
    #[inline(always)]
    fn next_cells(&mut self) -> Option<(Group, Cells<N>)> {
        let word = self.corners.iter().position(|&word| word != 0)?;
        // The first cell of a group is the first of its corners.
        let cell = (word as u32 * 64 + self.corners[word].trailing_zeros()) as u16;
        let group = self.links.group(cell);
        for (corners, group) in self.corners.iter_mut().zip(&group) {
            *corners &= !group;
        }
        Some((Group::of(&self.board, &group), group))
    }
}

impl<const N: usize, const L: u32> Iterator for Groups<N, L> {
    type Item = Group;

    #[inline(always)]
    fn next(&mut self) -> Option<Group> {
        self.next_cells().map(|(group, _)| group)
    }
}

/// An instance: a board and its scoring.
#[derive(Clone, Debug)]
pub struct SameGame<const N: usize, const L: u32> {
    start: Board<N, L>,
    width: usize,
    height: usize,
    scoring: Scoring,
}

/// Boards of up to 16×16 cells.
pub type Small = SameGame<4, 16>;
/// Boards of up to 32×32 cells.
pub type Large = SameGame<16, 32>;

impl<const N: usize, const L: u32> SameGame<N, L> {
    /// An instance; `None` if the board is too large for this shape.
    #[must_use]
    pub fn new(layout: &Layout, scoring: Scoring) -> Option<Self> {
        let &Layout { width, height, ref columns } = layout;
        let fits = width <= Board::<N, L>::WIDTH && height <= Board::<N, L>::HEIGHT;
        fits.then(|| Self { start: Board::new(columns), width, height, scoring })
    }

    /// Scoring of a game.
    #[must_use]
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// A position with the size of the instance's board.
    #[must_use]
    pub fn layout(&self, board: &Board<N, L>) -> Layout {
        Layout { width: self.width, height: self.height, columns: board.columns() }
    }

    /// Points of a group of n cells.
    #[inline(always)]
    #[must_use]
    pub fn points(&self, n: u32) -> Score {
        match self.scoring {
            Scoring::Paper | Scoring::Contest => points(n),
            other => other.group(n),
        }
    }
}

impl<const N: usize, const L: u32> Puzzle for SameGame<N, L> {
    type State = Board<N, L>;
    type Action = Group;
    type Actions = Groups<N, L>;

    fn initial_state(&self) -> Board<N, L> {
        self.start
    }

    #[inline]
    fn actions(&self, board: &Board<N, L>) -> Groups<N, L> {
        let links = board.links();
        Groups { board: *board, links, corners: links.corners() }
    }

    #[inline]
    fn apply(&self, board: &Board<N, L>, action: Group) -> Board<N, L> {
        board.without(&board.links().group(action.cell))
    }
}

impl<const N: usize, const L: u32> ScorePuzzle for SameGame<N, L> {
    #[inline]
    fn reward(&self, _: &Board<N, L>, action: Group) -> Score {
        self.points(u32::from(action.size))
    }

    #[inline]
    fn terminal_bonus(&self, board: &Board<N, L>) -> Score {
        match self.scoring {
            Scoring::Clickomania => -Score::from(count(board.cells())),
            Scoring::Clicks => -LEFT * Score::from(count(board.cells())),
            scoring if board.is_cleared() => scoring.cleared(),
            Scoring::Contest
            | Scoring::Product
            | Scoring::Square
            | Scoring::LessOne
            | Scoring::LessTwo => 0,
            Scoring::Paper => {
                let left = |&n: &u32| if n == 0 { 0 } else { points(n) };
                -board.counts().iter().map(left).sum::<Score>()
            }
        }
    }

    #[inline]
    fn is_terminal(&self, board: &Board<N, L>) -> bool {
        board.links().is_empty()
    }
}

#[cfg(test)]
mod tests;
