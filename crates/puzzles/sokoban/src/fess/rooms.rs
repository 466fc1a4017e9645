//! Rooms, and the pairs of rooms between which the player can pass.
//!
//! A room is a union of at least two 2×2 squares of floor, each of which shares an edge with
//! another one. Two rooms are joined if the empty board has a path between them that crosses no
//! third room. The feature counts the joins that boxes close (Shoham and Schaeffer 2020, The FESS
//! algorithm).

use super::{
    bits,
    map::{FREE, Map},
};
use crate::level::Id;
use rustc_hash::FxHashMap;

/// Maximum number of distinguished rooms.
const MOST: usize = 64;

/// The number of cells in no room.
const NOWHERE: u8 = u8::MAX;

/// The rooms of a board.
pub(crate) struct Rooms {
    /// The room of each cell.
    room: Vec<u8>,
    pub(crate) count: usize,
    /// Cells in no room.
    corridors: Vec<Id>,
    /// Pairs of neighbours in different rooms.
    borders: Vec<(Id, Id)>,
    /// Whether a box on the cell can change the joins.
    matters: Vec<bool>,
    /// Joins of the empty board, in both directions.
    joins: u32,
    /// Cache of the number of closed joins by the hash of the relevant boxes.
    known: FxHashMap<u64, u8>,
    mark: Vec<bool>,
    stack: Vec<Id>,
}

impl Rooms {
    pub(crate) fn new(map: &Map) -> Self {
        let n = map.n;
        let wall = n as Id;
        // Squares of 2×2 cells by their upper left cell.
        let corner = |c: Id| {
            let (right, down) = (map.beside(c, 2), map.beside(c, 0));
            let across = map.around[usize::from(c)][7];
            (right != wall && down != wall && across != wall).then_some([c, right, down, across])
        };
        let squares: Vec<Option<[Id; 4]>> = (0..n as Id).map(corner).collect();
        let mut of_square = vec![NOWHERE; n + 1];
        let mut count = 0;
        for c in 0..n {
            if squares[c].is_none() || of_square[c] != NOWHERE {
                continue;
            }
            let mut open = vec![c as Id];
            let mut all = Vec::new();
            of_square[c] = MOST as u8;
            while let Some(square) = open.pop() {
                all.push(square);
                for &next in &map.near[usize::from(square)] {
                    let at = usize::from(next);
                    if next != wall && squares[at].is_some() && of_square[at] == NOWHERE {
                        of_square[at] = MOST as u8;
                        open.push(next);
                    }
                }
            }
            if all.len() > 1 && count < MOST {
                for square in all {
                    of_square[usize::from(square)] = count as u8;
                }
                count += 1;
            }
        }
        let mut room = vec![NOWHERE; n + 1];
        let mut shared = vec![false; n];
        for c in 0..n {
            let (Some(cells), r) = (squares[c], of_square[c]) else {
                continue;
            };
            if usize::from(r) >= MOST {
                continue;
            }
            for cell in cells {
                let at = usize::from(cell);
                shared[at] |= room[at] != NOWHERE && room[at] != r;
                room[at] = r;
            }
        }
        (0..n).filter(|&c| shared[c]).for_each(|c| room[c] = NOWHERE);
        let corridors: Vec<Id> =
            (0..n as Id).filter(|&c| room[usize::from(c)] == NOWHERE).collect();
        let mut matters = vec![false; n + 1];
        let mut borders = Vec::new();
        for c in 0..n {
            matters[c] |= room[c] == NOWHERE;
            for &next in &map.near[c] {
                let at = usize::from(next);
                if next != wall && room[at] != room[c] {
                    matters[c] = true;
                    if room[c] != NOWHERE && room[at] != NOWHERE && c < at {
                        borders.push((c as Id, next));
                    }
                }
            }
        }
        let mut rooms = Self {
            room,
            count,
            corridors,
            borders,
            matters,
            joins: 0,
            known: FxHashMap::default(),
            mark: vec![false; n + 1],
            stack: Vec::new(),
        };
        rooms.joins = rooms.open(map, &map.walls());
        rooms
    }

    /// Hash of the boxes on cells that affect joins.
    pub(crate) fn key(&self, map: &Map, boxes: impl IntoIterator<Item = Id>) -> u64 {
        let of = |cell: Id| self.part(map, cell);
        boxes.into_iter().fold(0, |key, cell| key ^ of(cell))
    }

    /// Contribution of a box to the key.
    #[inline]
    pub(crate) fn part(&self, map: &Map, cell: Id) -> u64 {
        if self.matters[usize::from(cell)] { map.box_hash[usize::from(cell)] } else { 0 }
    }

    /// Number of closed joins.
    pub(crate) fn closed(&mut self, map: &Map, key: u64, occupied: &[u8]) -> u8 {
        if self.count < 2 {
            return 0;
        }
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let closed = self.joins.saturating_sub(self.open(map, occupied)) / 2;
        let closed = closed.min(255) as u8;
        if self.known.len() > 1 << 18 {
            self.known.clear();
        }
        self.known.insert(key, closed);
        closed
    }

    fn open(&mut self, map: &Map, occupied: &[u8]) -> u32 {
        let mut rows = [0_u64; MOST];
        self.mark.fill(false);
        for i in 0..self.corridors.len() {
            let cell = self.corridors[i];
            if occupied[usize::from(cell)] != FREE || self.mark[usize::from(cell)] {
                continue;
            }
            let mut met = 0_u64;
            self.mark[usize::from(cell)] = true;
            self.stack.push(cell);
            while let Some(at) = self.stack.pop() {
                for &next in &map.near[usize::from(at)] {
                    let to = usize::from(next);
                    if occupied[to] != FREE {
                        continue;
                    }
                    if self.room[to] != NOWHERE {
                        met |= 1 << self.room[to];
                    } else if !self.mark[to] {
                        self.mark[to] = true;
                        self.stack.push(next);
                    }
                }
            }
            for room in bits::cells(&[met]) {
                rows[usize::from(room)] |= met;
            }
        }
        for &(a, b) in &self.borders {
            let (a, b) = (usize::from(a), usize::from(b));
            if occupied[a] == FREE && occupied[b] == FREE {
                rows[usize::from(self.room[a])] |= 1 << self.room[b];
                rows[usize::from(self.room[b])] |= 1 << self.room[a];
            }
        }
        let open = rows.iter().enumerate().map(|(r, row)| row & !(1 << r));
        open.map(u64::count_ones).sum()
    }

    /// Whether two cells are in different rooms, or either of them is in no room.
    pub(crate) fn apart(&self, a: Id, b: Id) -> bool {
        self.room[usize::from(a)] != self.room[usize::from(b)]
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.known.capacity() as u64 * 17
    }
}
