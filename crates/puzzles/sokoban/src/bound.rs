//! Lower bound of the remaining pushes: the least sum of distances over all assignments of boxes to
//! different goals.
//!
//! A distance counts the pushes of a single box on the board without the other boxes, from the side
//! on which the player is. The bound is consistent: a push changes one distance by at most one, and
//! the player's walks between pushes change none, because the player stays on the same side of
//! every other box.
//!
//! Where boxes are left over at the end, each of them is assigned to a further column of distances
//! 0. Where goals are left over, an assignment leaves columns without a box.

use crate::{
    board::{Bit, Bits, Board, Each, and, first, has, is_empty, one, or, without},
    level::{End, Id, NONE, Way},
    memory::refill,
};
use std::collections::VecDeque;

/// Distance to an unreachable goal. The sum of four such distances fits into a `u16`.
pub(crate) const FAR: u16 = u16::MAX / 4;

/// Maximum number of boxes and of goals for which an assignment is computed without a search.
const FEW: usize = 4;

/// The sides from which a player can push a box that is the only box on the board. Sides between
/// which the player can walk form one class, numbered by its first side.
#[derive(Clone, Debug)]
pub(crate) struct Sides<const W: usize> {
    /// For each cell and side, the class; [`Sides::NO_SIDE`] for walls.
    classes: Vec<[u8; 4]>,
    /// For each cell and class, the cells from which the player can walk to it; empty for cells
    /// with a single class.
    from: Vec<[Bits<W>; 4]>,
    /// For each cell, its only class, or the index of its first class in `from`.
    only: Vec<Result<u8, u16>>,
}

impl<const W: usize> Sides<W> {
    /// The class of a side that is a wall.
    pub(crate) const NO_SIDE: u8 = 4;

    /// Classes of the sides of all cells of a board.
    pub(crate) fn new(board: &Board<W>) -> Self {
        let level = &board.level;
        let cells = level.cells();
        let mut sides = Self {
            classes: Vec::with_capacity(cells),
            from: Vec::new(),
            only: Vec::with_capacity(cells),
        };
        for id in 0..cells as Id {
            let cell = one(board.bit(id));
            let floor = without(&board.floor, &cell);
            let beside = and(&board.around(&cell), &floor);
            // Most sides are connected by the cells around the box.
            let near = and(&board.around(&board.around(&cell)), &floor);
            let mut left = beside;
            let mut classes = [Self::NO_SIDE; 4];
            let mut from = [[0; W]; 4];
            let mut only = Ok(0);
            while !is_empty(&left) {
                let begin = one(first(&left));
                let mut reached = board.reach(&begin, &near);
                if !is_empty(&without(&beside, &reached)) {
                    reached = board.reach(&reached, &floor);
                }
                let is_all = is_empty(&without(&beside, &reached));
                let mut class = None;
                for way in Way::ALL {
                    let beside = level.beside(id, way);
                    if beside != NONE && has(&reached, board.bit(beside)) {
                        classes[way.index()] = *class.get_or_insert(way.0);
                    }
                }
                let class = class.unwrap_or(0);
                from[usize::from(class)] = reached;
                // The number of classes is at most the number of cells.
                only = if is_all { Ok(class) } else { Err(sides.from.len() as u16) };
                left = without(&left, &reached);
            }
            if only.is_err() {
                sides.from.push(from);
            }
            sides.only.push(only);
            sides.classes.push(classes);
        }
        sides
    }

    /// The class of a side of a cell.
    #[inline]
    pub(crate) fn class(&self, id: Id, way: Way) -> u8 {
        self.classes[usize::from(id)][way.index()]
    }

    /// The class of the sides from which the player on bit `player` can push a box on cell `id`
    /// without moving other boxes.
    #[inline]
    pub(crate) fn of(&self, id: Id, player: Bit) -> u8 {
        match self.only[usize::from(id)] {
            Ok(class) => class,
            Err(at) => {
                let from = &self.from[usize::from(at)];
                let class = from.iter().position(|cells| has(cells, player));
                // A player on the cell of the box itself is at none of its sides.
                class.unwrap_or(0) as u8
            }
        }
    }
}

/// Pushes of a single box to each goal, from each cell and for each class of the player's sides.
#[derive(Clone, Debug)]
pub(crate) struct Distances<const W: usize> {
    /// Classes of the sides of each cell.
    pub(crate) sides: Sides<W>,
    /// Length of a row: the number of columns, at least [`FEW`].
    width: usize,
    rows: Vec<u16>,
    /// Cells on which a box may be: from which it can reach some goal, or all cells if boxes may be
    /// left over.
    pub live: Bits<W>,
    /// Number of columns: one for each goal and for each box that is left over.
    columns: usize,
    /// Whether an assignment is computed without a search.
    is_few: bool,
    /// Whether an assignment can be kept: every column has a box.
    is_kept: bool,
}

impl<const W: usize> Distances<W> {
    /// Distances on the board of a level.
    pub(crate) fn new(board: &Board<W>) -> Self {
        let level = &board.level;
        let sides = Sides::new(board);
        let (goals, boxes) = (&level.goals, level.boxes().len());
        let columns = match level.end {
            End::Even | End::Placed => goals.len(),
            End::Covered => goals.len().max(boxes),
        };
        let is_few = level.end == End::Even && columns.max(boxes) <= FEW;
        let width = columns.max(FEW);
        let mut rows = vec![FAR; 4 * level.cells() * width];
        for row in rows.chunks_exact_mut(width) {
            row[goals.len()..columns].fill(0);
        }
        let mut live = [0; W];
        let mut queue = VecDeque::new();
        for (column, &goal) in goals.iter().enumerate() {
            for class in 0..4 {
                rows[(4 * usize::from(goal) + class) * width + column] = 0;
                queue.push_back((goal, class as u8));
            }
            while let Some((id, class)) = queue.pop_front() {
                let at = 4 * usize::from(id) + usize::from(class);
                live = or(&live, &one(board.bit(id)));
                let pushes = rows[at * width + column] + 1;
                for way in Way::ALL {
                    if sides.class(id, way) != class {
                        continue;
                    }
                    // The player on this side pulls the box.
                    let to = level.beside(id, way);
                    if level.beside(to, way) == NONE {
                        continue;
                    }
                    let class = sides.class(to, way);
                    let known =
                        &mut rows[(4 * usize::from(to) + usize::from(class)) * width + column];
                    if *known == FAR {
                        *known = pushes;
                        queue.push_back((to, class));
                    }
                }
            }
        }
        if level.end == End::Covered {
            live = board.floor;
        }
        let is_kept = !is_few && columns == boxes;
        Self { sides, width, rows, live, columns, is_few, is_kept }
    }

    /// Pushes from a cell to each goal, in the goals' order, with the player on a bit; [`FAR`] for
    /// unreachable goals.
    #[inline]
    pub(crate) fn row(&self, id: Id, player: Bit) -> &[u16] {
        &self.rows[self.begin(id, player)..][..self.width]
    }

    /// Index of the first distance of a cell and a class.
    #[inline]
    fn begin(&self, id: Id, player: Bit) -> usize {
        (4 * usize::from(id) + usize::from(self.sides.of(id, player))) * self.width
    }

    /// Pushes from a cell to a goal, from the best side; [`FAR`] if the goal is unreachable.
    pub(crate) fn nearest(&self, id: Id, goal: usize) -> u16 {
        let rows = (0..4).map(|class| self.rows[(4 * usize::from(id) + class) * self.width + goal]);
        rows.fold(FAR, u16::min)
    }

    /// Bytes of the tables.
    pub(crate) fn bytes(&self) -> u64 {
        let from = self.sides.from.len() * size_of::<[Bits<W>; 4]>();
        (self.rows.len() * size_of::<u16>() + from) as u64
    }
}

/// Cells to which some box could be pushed if it were the only one.
pub(crate) fn reachable<const W: usize>(
    board: &Board<W>,
    sides: &Sides<W>,
    boxes: &Bits<W>,
) -> Bits<W> {
    let level = &board.level;
    let mut seen = vec![false; 4 * level.cells()];
    let mut stack = Vec::new();
    let mut cells = [0; W];
    // Once other boxes have been moved, the player may reach any side of a box at the start.
    for bit in Each(*boxes) {
        let id = board.id(bit);
        let classes = Way::ALL.map(|way| sides.class(id, way));
        let open = classes.into_iter().filter(|&class| class < 4);
        stack.extend(open.map(|class| (id, class)));
        cells = or(&cells, &one(bit));
    }
    while let Some((id, class)) = stack.pop() {
        let at = 4 * usize::from(id) + usize::from(class);
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        cells = or(&cells, &one(board.bit(id)));
        for way in Way::ALL {
            let behind = sides.class(id, way.back());
            let to = level.beside(id, way);
            if behind == class && to != NONE {
                stack.push((to, sides.class(to, way.back())));
            }
        }
    }
    cells
}

/// An assignment of boxes to goals with dual potentials: the distance of a box to a goal is at
/// least the sum of both potentials, and equal for the assigned goal.
#[derive(Clone, Debug, Default)]
struct Assigned {
    /// The cells of the boxes, and the index of each box's row among the distances.
    cells: Vec<Id>,
    rows: Vec<usize>,
    boxes: Vec<i32>,
    /// Potentials of the goals, and of one more: the last potential belongs to the box that is
    /// being assigned.
    goals: Vec<i32>,
    /// The box of each column; the number of boxes marks a free one.
    owner: Vec<usize>,
}

/// Finds the least sum of distances. With more than four boxes, an assignment can be kept, so that
/// the assignment after a push follows from it by a single search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matching {
    kept: Assigned,
    now: Assigned,
    /// State of the shortest-path search for each goal: the least reduced length, the previous
    /// goal, and whether the length is final.
    least: Vec<i32>,
    back: Vec<usize>,
    done: Vec<bool>,
}

const INFINITE: i32 = i32::MAX / 4;

impl Matching {
    /// The least sum of pushes with the player on a bit; `None` if boxes cannot all be brought to
    /// different goals.
    #[inline]
    pub(crate) fn pushes<const W: usize>(
        &mut self,
        board: &Board<W>,
        distances: &Distances<W>,
        boxes: &Bits<W>,
        player: Bit,
    ) -> Option<u32> {
        if distances.is_few {
            let mut rows = [[FAR; FEW]; FEW];
            let mut count = 0;
            for bit in Each(*boxes) {
                rows[count].copy_from_slice(distances.row(board.id(bit), player));
                count += 1;
            }
            // Missing boxes belong to missing goals.
            for (i, row) in rows.iter_mut().enumerate().skip(count) {
                row[i] = 0;
            }
            return few(&rows);
        }
        self.now.cells.clear();
        self.now.cells.extend(Each(*boxes).map(|bit| board.id(bit)));
        self.many(distances, player)
    }

    /// Keeps the assignment of a position, for [`pushed`](Self::pushed).
    pub(crate) fn keep<const W: usize>(
        &mut self,
        board: &Board<W>,
        distances: &Distances<W>,
        boxes: &Bits<W>,
        player: Bit,
    ) {
        if distances.is_kept && self.pushes(board, distances, boxes, player).is_some() {
            std::mem::swap(&mut self.kept, &mut self.now);
        }
    }

    /// The least sum after a push of the kept position from a cell to another one, which leaves
    /// these boxes and the player on a bit.
    #[inline]
    pub(crate) fn pushed<const W: usize>(
        &mut self,
        board: &Board<W>,
        distances: &Distances<W>,
        boxes: &Bits<W>,
        (from, to): (Bit, Bit),
        player: Bit,
    ) -> Option<u32> {
        if !distances.is_kept {
            return self.pushes(board, distances, boxes, player);
        }
        let from = board.id(from);
        let Some(slot) = self.kept.cells.iter().position(|&cell| cell == from) else {
            return self.pushes(board, distances, boxes, player);
        };
        let (kept, now) = (&self.kept, &mut self.now);
        now.cells.clone_from(&kept.cells);
        now.rows.clone_from(&kept.rows);
        now.boxes.clone_from(&kept.boxes);
        now.goals.clone_from(&kept.goals);
        now.owner.clone_from(&kept.owner);
        // Walks of the player change no row: the player stays on the same side of every other box.
        now.cells[slot] = board.id(to);
        now.rows[slot] = distances.begin(now.cells[slot], player);
        now.boxes[slot] = 0;
        // There are as many columns as boxes.
        let n = now.cells.len();
        if let Some(goal) = now.owner[..n].iter().position(|&owner| owner == slot) {
            now.owner[goal] = n;
        }
        now.goals[n] = 0;
        self.assign(distances, slot).then(|| self.sum(distances))
    }

    /// The Hungarian method: shortest augmenting paths with potentials, a box at a time.
    fn many<const W: usize>(&mut self, distances: &Distances<W>, player: Bit) -> Option<u32> {
        let now = &mut self.now;
        let (n, columns) = (now.cells.len(), distances.columns);
        if n > columns {
            return None;
        }
        now.rows.clear();
        let rows = now.cells.iter().map(|&cell| distances.begin(cell, player));
        now.rows.extend(rows);
        refill(&mut now.boxes, n + 1, 0);
        refill(&mut now.goals, columns + 1, 0);
        refill(&mut now.owner, columns + 1, n);
        for new in 0..n {
            if !self.assign(distances, new) {
                return None;
            }
        }
        Some(self.sum(distances))
    }

    /// Assigns a box that has no goal. Returns whether it is possible.
    fn assign<const W: usize>(&mut self, distances: &Distances<W>, new: usize) -> bool {
        let now = &mut self.now;
        let (free, columns) = (now.cells.len(), distances.columns);
        now.owner[columns] = new;
        refill(&mut self.least, columns, INFINITE);
        refill(&mut self.back, columns, columns);
        refill(&mut self.done, columns + 1, false);
        let mut at = columns;
        loop {
            self.done[at] = true;
            let owner = now.owner[at];
            let row = &distances.rows[now.rows[owner]..][..columns];
            let (mut step, mut next) = (INFINITE, columns);
            for (goal, &pushes) in row.iter().enumerate() {
                if self.done[goal] {
                    continue;
                }
                if pushes < FAR {
                    let reduced = i32::from(pushes) - now.boxes[owner] - now.goals[goal];
                    if reduced < self.least[goal] {
                        self.least[goal] = reduced;
                        self.back[goal] = at;
                    }
                }
                if self.least[goal] < step {
                    step = self.least[goal];
                    next = goal;
                }
            }
            if step >= INFINITE {
                return false;
            }
            for goal in 0..=columns {
                if self.done[goal] {
                    now.boxes[now.owner[goal]] += step;
                    now.goals[goal] -= step;
                } else if self.least[goal] < INFINITE {
                    self.least[goal] -= step;
                }
            }
            at = next;
            if now.owner[at] == free {
                break;
            }
        }
        while at != columns {
            let before = self.back[at];
            now.owner[at] = now.owner[before];
            at = before;
        }
        true
    }

    /// Sum of distances of an assignment.
    fn sum<const W: usize>(&self, distances: &Distances<W>) -> u32 {
        let now = &self.now;
        // Goals that are left over have no box.
        let taken = (0..distances.columns).filter(|&goal| now.owner[goal] < now.cells.len());
        let each = taken.map(|goal| distances.rows[now.rows[now.owner[goal]] + goal]);
        each.map(u32::from).sum()
    }
}

/// The least sum of four boxes: the best split into two boxes with two goals each.
#[inline]
fn few(rows: &[[u16; FEW]; FEW]) -> Option<u32> {
    let [a, b, c, d] = rows;
    let pair = |x: &[u16; FEW], y: &[u16; FEW], i: usize, j: usize| (x[i] + y[j]).min(x[j] + y[i]);
    let splits =
        [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)];
    let sums = splits.map(|(i, j, k, l)| pair(a, b, i, j) + pair(c, d, k, l));
    let least = sums.into_iter().fold(FAR, u16::min);
    (least < FAR).then_some(least.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::Level;
    use std::sync::Arc;
    use unriddle_core::Rng;

    /// Both methods agree with each other, and with all orders of the boxes.
    #[test]
    fn the_least_sum_is_the_least() {
        let level =
            Level::parse("########|#@--#..#|#-$$-$-#|#--#-.-#|#-$-.--#|#------#|########").unwrap();
        let board = Board::<1>::new(Arc::new(level)).unwrap();
        let distances = Distances::new(&board);
        let rng = &mut Rng::new(3);
        let (mut finite, mut infinite) = (0, 0);
        for _ in 0..2_000 {
            let mut cells: Vec<Id> = (0..board.level.cells() as Id).collect();
            rng.shuffle(&mut cells);
            cells.truncate(4);
            cells.sort_unstable();
            let player = board.bit((0..).find(|id| !cells.contains(id)).unwrap());
            let boxes = cells.iter().fold([0; 1], |set, &id| or(&set, &one(board.bit(id))));
            let mut all = Matching::default();
            let least = all.pushes(&board, &distances, &boxes, player);
            all.now.cells = cells.clone();
            assert_eq!(all.many(&distances, player), least);
            let mut naive: Option<u32> = None;
            for order in 0..256 {
                let goals = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6];
                if (0..4).any(|i| (0..i).any(|j| goals[i] == goals[j])) {
                    continue;
                }
                let each = (0..4).map(|i| distances.row(cells[i], player)[goals[i]]);
                if each.clone().all(|pushes| pushes < FAR) {
                    let sum = each.map(u32::from).sum();
                    naive = Some(naive.map_or(sum, |least| least.min(sum)));
                }
            }
            assert_eq!(least, naive);
            finite += usize::from(least.is_some());
            infinite += usize::from(least.is_none());
        }
        assert!(finite > 50 && infinite > 50, "{finite}, {infinite}");
    }
}
