//! A level as sets of cells in words of 64 bits, row by row, without the outermost walls.
//!
//! One step of all cells of a set in a direction is a shift. The cells that a player reaches are
//! therefore found in as many rounds as the longest walk has steps.
//!
//! A level whose rectangle takes more than `WIDE` words has a bit for each cell of its floor
//! instead, and a step looks up the neighbour of each cell.

use crate::level::{End, Id, Level, NONE, Way};
use std::sync::Arc;

/// Number of words of the largest boards.
pub(crate) const WIDE: usize = 64;

/// A set of cells.
pub type Bits<const W: usize> = [u64; W];

/// The number of a cell's bit.
pub type Bit = u16;

/// The set of some different cells.
#[inline]
pub(crate) fn set_of<const W: usize>(bits: impl IntoIterator<Item = Bit>) -> Bits<W> {
    let mut set = [0; W];
    bits.into_iter().for_each(|bit| flip(&mut set, bit));
    set
}

/// The set of one cell.
#[inline]
pub(crate) fn one<const W: usize>(bit: Bit) -> Bits<W> {
    let mut set = [0; W];
    set[usize::from(bit) / 64] = 1 << (bit % 64);
    set
}

/// Whether a set has a cell.
#[inline]
pub(crate) fn has<const W: usize>(set: &Bits<W>, bit: Bit) -> bool {
    set[usize::from(bit) / 64] >> (bit % 64) & 1 == 1
}

/// Toggles a cell of a set.
#[inline]
pub(crate) fn flip<const W: usize>(set: &mut Bits<W>, bit: Bit) {
    set[usize::from(bit) / 64] ^= 1 << (bit % 64);
}

/// A set with the cell `to` instead of the cell `from`: the boxes after a push or a pull.
#[inline]
pub(crate) fn moved<const W: usize>(set: &Bits<W>, from: Bit, to: Bit) -> Bits<W> {
    let mut after = *set;
    flip(&mut after, from);
    flip(&mut after, to);
    after
}

/// Whether a set is empty.
#[inline]
pub(crate) fn is_empty<const W: usize>(set: &Bits<W>) -> bool {
    set.iter().all(|&word| word == 0)
}

/// Whether two sets have a cell in common.
#[inline]
pub(crate) fn meet<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> bool {
    (0..W).any(|i| a[i] & b[i] != 0)
}

/// Number of cells of a set.
#[inline]
pub(crate) fn size<const W: usize>(set: &Bits<W>) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The cells that are in both sets.
#[inline]
pub(crate) fn and<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> Bits<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & b[i];
    }
    out
}

/// The cells that are in one of two sets.
#[inline]
pub(crate) fn or<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> Bits<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] | b[i];
    }
    out
}

/// The cells of a set that are not in another.
#[inline]
pub(crate) fn without<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> Bits<W> {
    let mut out = [0; W];
    for i in 0..W {
        out[i] = a[i] & !b[i];
    }
    out
}

/// The first cell of a set that is not empty.
#[inline]
pub(crate) fn first<const W: usize>(set: &Bits<W>) -> Bit {
    let word = set.iter().position(|&word| word != 0).unwrap_or(W - 1);
    // At most 4,096 bits.
    (64 * word) as Bit + set[word].trailing_zeros() as Bit
}

/// The cells of a set, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Each<const W: usize>(pub Bits<W>);

impl<const W: usize> Iterator for Each<W> {
    type Item = Bit;

    #[inline]
    fn next(&mut self) -> Option<Bit> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as Bit;
                *word &= *word - 1;
                return Some((64 * i) as Bit + bit);
            }
        }
        None
    }
}

/// A level as sets of cells.
#[derive(Debug)]
pub struct Board<const W: usize> {
    /// The level.
    pub(crate) level: Arc<Level>,
    /// Number of bits from a row to the next one; 0 if the bits are the numbers of the cells.
    stride: usize,
    /// All cells of the level.
    pub floor: Bits<W>,
    /// Its goals.
    pub goals: Bits<W>,
    /// The boxes at the start.
    pub boxes: Bits<W>,
    /// Whether boxes may be left over at the end, when every goal has a box.
    covers: bool,
    /// For a step to the left and to the right, the cells of the board without the column at that
    /// edge.
    inner: [Bits<W>; 2],
    bits: Vec<Bit>,
}

/// Number of bits that the board of a level needs.
pub(crate) fn area(level: &Level) -> usize {
    let (_, (rows, columns)) = level.frame();
    rows * columns
}

impl<const W: usize> Board<W> {
    /// The level in words; `None` if it takes more than `W` of them.
    #[must_use]
    pub fn new(level: Arc<Level>) -> Option<Self> {
        let ((top, left), (_, mut stride)) = level.frame();
        if area(&level) > 64 * W {
            if W < WIDE || level.cells() > 64 * W {
                return None;
            }
            stride = 0;
        }
        let bit = |id: usize| {
            let (row, column) = level.place(id as Id);
            match stride {
                0 => id as Bit,
                _ => ((row - top) * stride + column - left) as Bit,
            }
        };
        let bits: Vec<Bit> = (0..level.cells()).map(bit).collect();
        let of = |ids: &[Id]| set_of(ids.iter().map(|&id| bits[usize::from(id)]));
        let (goals, boxes) = (of(&level.goals), of(level.boxes()));
        let floor = set_of(bits.iter().copied());
        let inner = [0, stride.saturating_sub(1)].map(|column| {
            let others = |&bit: &Bit| usize::from(bit) % stride.max(1) != column;
            set_of(bits.iter().copied().filter(others))
        });
        let covers = level.end == End::Covered;
        Some(Self { stride, floor, goals, boxes, covers, inner, bits, level })
    }

    /// The bit of a cell.
    #[inline]
    pub(crate) fn bit(&self, id: Id) -> Bit {
        self.bits[usize::from(id)]
    }

    /// The number of the cell of a bit.
    #[inline]
    pub(crate) fn id(&self, bit: Bit) -> Id {
        rank(&self.floor, bit)
    }

    /// Whether boxes may be left over at the end.
    #[inline]
    pub(crate) fn covers(&self) -> bool {
        self.covers
    }

    /// Whether the boxes are at the end.
    #[inline]
    pub(crate) fn is_end(&self, boxes: &Bits<W>) -> bool {
        // Boxes that are all on goals cover all goals if there are as many.
        let left =
            if self.covers { without(&self.goals, boxes) } else { without(boxes, &self.goals) };
        is_empty(&left)
    }

    /// Whether the bits are the numbers of the cells.
    #[inline]
    fn is_listed(&self) -> bool {
        W == WIDE && self.stride == 0
    }

    /// The player's bit at the start.
    #[must_use]
    pub fn player(&self) -> Bit {
        self.bit(self.level.player)
    }

    /// The bit of the neighbour of a cell in a direction. The neighbour may be a wall; the result
    /// is meaningful only where the step is known to stay inside the board.
    #[inline]
    pub(crate) fn beside(&self, bit: Bit, way: Way) -> Bit {
        if self.is_listed() {
            return self.level.beside(bit, way);
        }
        let stride = self.stride as Bit;
        match way.0 {
            0 => bit.wrapping_add(stride),
            1 => bit.wrapping_sub(1),
            2 => bit.wrapping_add(1),
            _ => bit.wrapping_sub(stride),
        }
    }

    /// The cells one step away from the cells of a set in a direction; some may be walls.
    #[inline]
    pub(crate) fn step(&self, set: &Bits<W>, way: Way) -> Bits<W> {
        if self.is_listed() {
            return self.stepped(set, way);
        }
        match way.0 {
            0 => up(set, self.stride),
            1 => down(&and(set, &self.inner[0]), 1),
            2 => up(&and(set, &self.inner[1]), 1),
            _ => down(set, self.stride),
        }
    }

    /// A set with all neighbours of its cells.
    #[inline]
    pub(crate) fn around(&self, set: &Bits<W>) -> Bits<W> {
        let mut all = *set;
        for way in Way::ALL {
            all = or(&all, &self.step(set, way));
        }
        all
    }

    /// The cells that are reached from a set by steps on free cells.
    #[inline]
    pub(crate) fn reach(&self, from: &Bits<W>, free: &Bits<W>) -> Bits<W> {
        let mut reached = and(from, free);
        if self.is_listed() {
            return self.flooded(reached, free);
        }
        loop {
            let next = and(&self.around(&reached), free);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// As [`step`](Self::step), cell by cell.
    #[cold]
    fn stepped(&self, set: &Bits<W>, way: Way) -> Bits<W> {
        let beside = Each(*set).map(|bit| self.level.beside(bit, way));
        set_of(beside.filter(|&next| next != NONE))
    }

    /// As [`reach`](Self::reach), cell by cell.
    #[cold]
    fn flooded(&self, mut reached: Bits<W>, free: &Bits<W>) -> Bits<W> {
        let mut open: Vec<Bit> = Each(reached).collect();
        while let Some(bit) = open.pop() {
            for &next in self.level.neighbours(bit) {
                if next != NONE && has(free, next) && !has(&reached, next) {
                    flip(&mut reached, next);
                    open.push(next);
                }
            }
        }
        reached
    }

    /// The boxes that a player on the cells of a set can push in a direction: the cell behind the
    /// box belongs to the set, and the cell before it is free.
    #[inline]
    pub(crate) fn pushable(
        &self,
        player: &Bits<W>,
        boxes: &Bits<W>,
        to: &Bits<W>,
        way: Way,
    ) -> Bits<W> {
        let touched = and(&self.step(player, way), boxes);
        and(&touched, &self.step(to, way.back()))
    }
}

/// Number of cells of a set before a bit.
#[inline]
pub(crate) fn rank<const W: usize>(set: &Bits<W>, bit: Bit) -> Id {
    let word = usize::from(bit) / 64;
    let before: u32 = set[..word].iter().map(|word| word.count_ones()).sum();
    let below = set[word] & ((1 << (bit % 64)) - 1);
    (before + below.count_ones()) as Id
}

/// Shifts all bits to higher indices.
#[inline]
fn up<const W: usize>(set: &Bits<W>, by: usize) -> Bits<W> {
    if W == 1 {
        let mut out = [0; W];
        out[0] = set[0] << by;
        return out;
    }
    let (words, bits) = (by / 64, by % 64);
    let mut out = [0; W];
    for i in words..W {
        out[i] = set[i - words] << bits;
        if bits > 0 && i > words {
            out[i] |= set[i - words - 1] >> (64 - bits);
        }
    }
    out
}

/// Shifts all bits to lower indices.
#[inline]
fn down<const W: usize>(set: &Bits<W>, by: usize) -> Bits<W> {
    if W == 1 {
        let mut out = [0; W];
        out[0] = set[0] >> by;
        return out;
    }
    let (words, bits) = (by / 64, by % 64);
    let mut out = [0; W];
    for i in 0..W.saturating_sub(words) {
        out[i] = set[i + words] >> bits;
        if bits > 0 && i + words + 1 < W {
            out[i] |= set[i + words + 1] << (64 - bits);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::NONE;

    /// A board of several words whose rows extend over the borders of words.
    fn board<const W: usize>(text: &str) -> Board<W> {
        Board::new(Arc::new(Level::parse(text).unwrap())).unwrap()
    }

    #[test]
    fn steps_and_reach_agree_with_the_numbered_cells() {
        fn agree<const W: usize>(text: &str) {
            let board = board::<W>(text);
            let level = board.level.clone();
            for id in 0..level.cells() as Id {
                assert_eq!(board.id(board.bit(id)), id);
                for way in Way::ALL {
                    let step = and(&board.step(&one(board.bit(id)), way), &board.floor);
                    match level.beside(id, way) {
                        NONE => assert!(is_empty(&step), "{text}: {id} {way:?}"),
                        next => assert_eq!(step, one(board.bit(next)), "{text}: {id} {way:?}"),
                    }
                }
            }
            let reached = board.reach(&one(board.player()), &board.floor);
            assert_eq!(reached, board.floor);
        }
        let wide = format!(
            "{}|#@$.{}#|#{}#|{}",
            "#".repeat(30),
            "-".repeat(25),
            "-".repeat(28),
            "#".repeat(30)
        );
        agree::<1>("#####|#@$.#|#---#|#####");
        agree::<1>(&wide);
        agree::<4>(&wide);
        let tall = format!("###|{}#@#|#$#|#.#|###", "#-#|".repeat(58));
        agree::<1>(&tall);
        agree::<64>(&tall);
        // Passages around a large block: the rectangle is larger than the board.
        let side = format!("#-{}-#|", "#".repeat(66));
        let ends = [format!("#{}#|", "-".repeat(68)), format!("#@$.{}#|", "-".repeat(65))];
        let edge = "#".repeat(70);
        let ring = format!("{edge}|{}{}{}{edge}", ends[1], side.repeat(66), ends[0]);
        agree::<64>(&ring);
        assert!(Board::<8>::new(Arc::new(Level::parse(&ring).unwrap())).is_none());
    }
}
