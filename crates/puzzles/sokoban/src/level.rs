//! Cells of a level that affect play: the cells that the player can ever reach, by number.

use crate::{
    extra::Extra,
    picture::{Cell, Picture, Place, named},
    signs::Signs,
};
use std::cmp::Ordering;
use unriddle_core::ParseError;

/// The number of a cell; cells count row by row from the top.
pub(crate) type Id = u16;

/// The number of cells that are walls or unreachable.
pub(crate) const NONE: Id = Id::MAX;

/// A direction: down, left, right, up, in the alphabetical order of their letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way(pub u8);

impl Way {
    /// All directions, in order.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The opposite direction.
    pub(crate) const fn back(self) -> Self {
        Self(3 - self.0)
    }

    /// The number of the direction.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The change of row and column of a step.
    #[must_use]
    pub const fn step(self) -> (isize, isize) {
        [(1, 0), (0, -1), (0, 1), (-1, 0)][self.0 as usize]
    }

    /// The letter of the direction, a capital for a push.
    pub(crate) const fn letter(self, pushes: bool) -> char {
        let letter = b"dlru"[self.0 as usize];
        (if pushes { letter.to_ascii_uppercase() } else { letter }) as char
    }

    /// The direction of a letter in any case.
    pub(crate) fn of(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_lowercase();
        let index = "dlru".chars().position(|known| known == letter)?;
        Some(Self(index as u8))
    }
}

/// Requirement on the boxes at the end, by the numbers of boxes and goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many boxes as goals: every box is on a goal, and every goal has a box.
    Even,
    /// More boxes than goals: every goal has a box.
    Covered,
    /// More goals than boxes: every box is on a goal.
    Placed,
}

/// A level whose cells are numbered. Only cells that the player could reach without boxes have a
/// number; cells outside of them never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    picture: Picture,
    places: Vec<Place>,
    /// The number of each cell, by row and column.
    ids: Vec<Vec<Id>>,
    neighbours: Vec<[Id; 4]>,
    /// The cells of the goals, in order.
    pub(crate) goals: Vec<Id>,
    boxes: Vec<Id>,
    /// The player's cell at the start.
    pub(crate) player: Id,
    /// Requirement on the boxes at the end.
    pub(crate) end: End,
    /// Reason why the level is unsolvable, if it is visible without a search: a box or a goal that
    /// the player never reaches.
    pub(crate) unsolvable: Option<String>,
}

impl Level {
    /// Reads a level.
    ///
    /// # Errors
    /// A picture that is not a level, with its position, and a board that the player can leave.
    ///
    /// ```
    /// use unriddle_sokoban::Level;
    ///
    /// let level = Level::parse("#####|#@$.#|#####")?;
    /// assert_eq!((level.cells(), level.boxes()), (3, &[1][..]));
    /// let refused = Level::parse("#####|#@$. |#####").unwrap_err();
    /// assert!(refused.to_string().ends_with("the player can leave the board in row 2, column 5"));
    /// # Ok::<(), unriddle_core::ParseError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::new(Picture::parse(text)?)
    }

    /// Reads a level that may have more boxes than goals, or more goals than boxes.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_uneven(text: &str, extra: Extra) -> Result<Self, ParseError> {
        Self::read(text, extra, &Signs::default())
    }

    /// Reads a level that may have other numbers of boxes and goals, or other signs.
    ///
    /// # Errors
    /// As [`parse`](Self::parse); letters that can be read as two levels.
    pub(crate) fn read(text: &str, extra: Extra, signs: &Signs) -> Result<Self, ParseError> {
        Self::new(Picture::read(text, extra, signs)?)
    }

    /// The level of a picture.
    ///
    /// # Errors
    /// A board that the player can leave.
    pub fn new(picture: Picture) -> Result<Self, ParseError> {
        let (rows, columns) = picture.size();
        let mut ids = vec![vec![NONE; columns]; rows];
        let mut reached = vec![picture.player];
        ids[picture.player.0][picture.player.1] = 0;
        let mut next = 0;
        while let Some(&place) = reached.get(next) {
            next += 1;
            let (row, column) = place;
            if row == 0 || column == 0 || row + 1 == rows || column + 1 == columns {
                let message = format!("the player can leave the board in {}", named(place));
                return Err(ParseError::at(1, 1, message));
            }
            for way in Way::ALL {
                let (row, column) = beside(place, way);
                if !picture.rows[row][column].wall && ids[row][column] == NONE {
                    ids[row][column] = 0;
                    reached.push((row, column));
                }
            }
        }
        let mut places = reached;
        places.sort_unstable();
        for (id, &(row, column)) in places.iter().enumerate() {
            // A level with walls has at most 253 × 253 cells.
            ids[row][column] = id as Id;
        }
        let id = |(row, column): Place| ids[row][column];
        let neighbours = places.iter().map(|&place| Way::ALL.map(|way| id(beside(place, way))));
        let neighbours: Vec<[Id; 4]> = neighbours.collect();
        let list = |of: fn(&Cell) -> bool| -> Vec<Id> {
            let ids = (0..).zip(&places);
            let chosen = ids.filter(|&(_, &(row, column))| of(&picture.rows[row][column]));
            chosen.map(|(id, _)| id).collect()
        };
        let (goals, boxes) = (list(|cell| cell.goal), list(|cell| cell.boxed));
        let outside = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let (all_boxes, all_goals) = picture.counts();
        let end = match all_boxes.cmp(&all_goals) {
            Ordering::Equal => End::Even,
            Ordering::Greater => End::Covered,
            Ordering::Less => End::Placed,
        };
        let unsolvable = outside.filter(|&place| id(place) == NONE).find_map(|place| {
            let cell = picture.rows[place.0][place.1];
            let is_alone = match end {
                End::Even => cell.boxed != cell.goal,
                End::Covered => cell.goal && !cell.boxed,
                End::Placed => cell.boxed && !cell.goal,
            };
            let what = if cell.boxed { "box" } else { "goal" };
            is_alone.then(|| format!("the {what} in {} can never be reached", named(place)))
        });
        let unsolvable = unsolvable.or_else(|| {
            // Boxes or goals beyond the walls that belong together are left out.
            let is_short = match end {
                End::Even => false,
                End::Covered => boxes.len() < goals.len(),
                End::Placed => boxes.len() > goals.len(),
            };
            is_short.then(|| {
                format!("the player can reach {} boxes and {} goals", boxes.len(), goals.len())
            })
        });
        let player = id(picture.player);
        Ok(Self { picture, places, ids, neighbours, goals, boxes, player, end, unsolvable })
    }

    /// Number of numbered cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// Row and column of a cell.
    #[must_use]
    pub fn place(&self, id: Id) -> Place {
        self.places[usize::from(id)]
    }

    /// The smallest rectangle with all cells: its first row and column, and its size.
    pub(crate) fn frame(&self) -> (Place, (usize, usize)) {
        let columns = || self.places.iter().map(|place| place.1);
        let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
        // Cells count row by row, and the player is on one of them.
        let (top, bottom) = (self.places[0].0, self.places[self.cells() - 1].0);
        ((top, left), (bottom + 1 - top, right + 1 - left))
    }

    /// The number of the cell at a row and column; [`NONE`] for walls and for cells that the player
    /// can never reach.
    pub(crate) fn id(&self, (row, column): Place) -> Id {
        self.ids[row][column]
    }

    /// The neighbours of a cell, by [`Way`]; [`NONE`] for walls.
    pub(crate) fn neighbours(&self, id: Id) -> &[Id; 4] {
        &self.neighbours[usize::from(id)]
    }

    /// The neighbour of a cell in a direction; [`NONE`] for walls.
    pub(crate) fn beside(&self, id: Id, way: Way) -> Id {
        self.neighbours[usize::from(id)][way.index()]
    }

    /// Whether a player on a cell can reach each of the cells by free ones.
    pub(crate) fn reach(&self, from: Id, is_free: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.cells()];
        reached[usize::from(from)] = true;
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            for &next in self.neighbours(id) {
                let at = usize::from(next);
                if next != NONE && is_free(at) && !reached[at] {
                    reached[at] = true;
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The cells of the boxes at the start, in order. There are as many as goals, unless the level
    /// is unsolvable or read with boxes or goals that may be left over.
    #[must_use]
    pub fn boxes(&self) -> &[Id] {
        &self.boxes
    }

    /// The picture from which the level was made.
    #[must_use]
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// The picture of a position, given the cells of the numbered boxes and of the player.
    pub(crate) fn pictured(&self, boxes: impl IntoIterator<Item = Id>, player: Id) -> Picture {
        let mut picture = self.picture.clone();
        let start = self.boxes.iter().map(|&id| (id, false));
        for (id, boxed) in start.chain(boxes.into_iter().map(|id| (id, true))) {
            let (row, column) = self.place(id);
            picture.rows[row][column].boxed = boxed;
        }
        picture.player = self.place(player);
        picture
    }
}

/// The neighbour of a cell that is not at the edge.
fn beside((row, column): Place, way: Way) -> Place {
    let (down, right) = way.step();
    (row.wrapping_add_signed(down), column.wrapping_add_signed(right))
}

/// A step of the player, or a push: the cell that the player steps onto, and the direction. A box
/// on that cell is pushed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell that the player steps onto; for a push, the cell of the box before the push.
    pub onto: Id,
    /// The direction.
    pub way: Way,
}
