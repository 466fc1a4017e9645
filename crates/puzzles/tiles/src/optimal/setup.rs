//! Data of searches of any instance: tables, regions, orders, views, moves.

use super::{
    node::{LOOKUPS, Node, VIEWS},
    partitions::{self, BLANK, CELLS, SIDE},
};
use crate::{
    shape::Shape,
    sliding::{Parities, Pattern, Regions},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::Cost;
use unriddle_search::automaton::{Automaton, Effects};
use unriddle_tables::{
    Cache, Table, TableError,
    rank::{Orders, factorial},
};

/// Tiles of a pattern.
pub(super) const TILES: usize = 6;
const ORDERS: usize = factorial(TILES);
/// Bits of a block of a table.
const BLOCK_BITS: usize = ORDERS.next_multiple_of(64);
/// Most sequences from each cell of the blank that the automaton's enumeration keeps.
const SEQUENCES: usize = 1 << 22;
/// Off the board.
const NO_CELL: u8 = u8::MAX;

/// A pattern, looked up on the board or on its mirror image.
pub(super) struct Lookup {
    pub(super) table: Arc<Table>,
    pub(super) is_mirrored: bool,
    /// Goal cells of the tiles on the board that is looked up, in the order of the ranks.
    goals: [u8; TILES],
}

pub(super) struct Setup {
    pub(super) lookups: Vec<Lookup>,
    /// Lookups that contain the tile with this goal cell.
    pub(super) of_tile: [u32; CELLS],
    /// Lookups of each view; none beyond the last one.
    pub(super) views: [u32; VIEWS],
    /// Number of views.
    pub(super) view_count: usize,
    pub(super) regions: Regions,
    /// The rank of an order after its i-th tile has become the j-th: by `i · 6 + j`, then by rank.
    shifted: Vec<u16>,
    /// The cell that the blank goes to, by cell and number of the move.
    pub(super) moves: [[u8; 4]; CELLS],
    /// The mirrored cell.
    pub(super) mirrored: [u8; CELLS],
    /// Manhattan distances, by goal cell and cell.
    pub(super) distances: [[u8; CELLS]; CELLS],
    pub(super) automaton: Automaton,
}

/// The last setup of the process, with its numbers of partitions and of the automaton's actions.
static LAST: Mutex<Option<(usize, usize, Arc<Setup>)>> = Mutex::new(None);

/// The setup of a search. The process keeps the last one, for the instances of a batch.
///
/// # Errors
/// The tables cannot be had.
pub(super) fn shared(
    partitions: usize,
    depth: usize,
    cache: &Cache,
) -> Result<Arc<Setup>, TableError> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((known, deep, setup)) if (*known, *deep) == (partitions, depth) => {
            Ok(Arc::clone(setup))
        }
        _ => {
            let setup = Arc::new(Setup::new(partitions, depth, cache)?);
            *last = Some((partitions, depth, Arc::clone(&setup)));
            Ok(setup)
        }
    }
}

/// The moves of the blank between cells.
fn moves() -> [[u8; 4]; CELLS] {
    std::array::from_fn(|cell| {
        let (row, column) = (cell / SIDE, cell % SIDE);
        let to = |is_possible: bool, cell: usize| if is_possible { cell as u8 } else { NO_CELL };
        [
            to(column + 1 < SIDE, cell + 1),
            to(column > 0, cell.wrapping_sub(1)),
            to(row + 1 < SIDE, cell + SIDE),
            to(row > 0, cell.wrapping_sub(SIDE)),
        ]
    })
}

/// Boards with distinct tiles, by number.
struct Boards {
    moves: [[u8; 4]; CELLS],
    boards: Vec<(u8, [u8; CELLS])>,
    numbers: HashMap<(u8, [u8; CELLS]), u32>,
}

impl Boards {
    fn number(&mut self, board: (u8, [u8; CELLS])) -> u32 {
        let boards = &mut self.boards;
        *self.numbers.entry(board).or_insert_with(|| {
            boards.push(board);
            boards.len() as u32 - 1
        })
    }
}

impl Effects for Boards {
    fn actions(&self) -> usize {
        4
    }
    fn classes(&self) -> usize {
        CELLS
    }
    fn generic(&mut self, class: usize) -> u32 {
        self.boards.clear();
        self.numbers.clear();
        self.number((class as u8, std::array::from_fn(|cell| cell as u8)))
    }
    fn class(&self, state: u32) -> usize {
        self.boards[state as usize].0.into()
    }
    fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)> {
        let (blank, mut cells) = self.boards[state as usize];
        let to = self.moves[usize::from(blank)][action];
        if to == NO_CELL {
            return None;
        }
        cells.swap(blank.into(), to.into());
        Some((self.number((to, cells)), 1))
    }
}

/// The set of the mirrored cells.
fn image(set: u32) -> u32 {
    let shape = Shape::square(SIDE);
    cells_of(set).fold(0, |all, cell| all | 1 << shape.mirrored(cell))
}

/// The views of some partitions, as sets of goal cells: each partition, and its mirror image.
fn views(partitions: usize) -> impl Iterator<Item = [u32; 4]> {
    (0..partitions.min(partitions::COUNT)).flat_map(|partition| {
        let patterns = partitions::patterns(partition);
        [patterns, patterns.map(image)]
    })
}

fn builder(set: u32) -> Result<Parities, TableError> {
    let goals: Vec<usize> = cells_of(set).collect();
    Pattern::new(SIDE, &goals, BLANK).map(Parities)
}

/// The builders of the tables of some partitions.
pub(super) fn tables(partitions: usize) -> Result<Vec<Parities>, TableError> {
    let mut sets: Vec<u32> = Vec::new();
    for set in views(partitions).flatten() {
        if !sets.contains(&set) && !sets.contains(&image(set)) {
            sets.push(set);
        }
    }
    sets.into_iter().map(builder).collect()
}

impl Setup {
    pub(super) fn new(partitions: usize, depth: usize, cache: &Cache) -> Result<Self, TableError> {
        let shape = Shape::square(SIDE);
        let mirrored: [u8; CELLS] = std::array::from_fn(|cell| shape.mirrored(cell) as u8);
        let mut setup = Self {
            lookups: Vec::new(),
            of_tile: [0; CELLS],
            views: [0; VIEWS],
            view_count: 0,
            regions: Regions::new(SIDE, TILES),
            shifted: shifted(),
            moves: moves(),
            mirrored,
            distances: std::array::from_fn(|goal| {
                std::array::from_fn(|cell| shape.distance(goal, cell) as u8)
            }),
            automaton: automaton(depth)?,
        };
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        for patterns in views(partitions) {
            let mut view = 0;
            for set in patterns {
                let number = match numbers.get(&set) {
                    Some(number) => *number,
                    None => {
                        let twin = numbers.get(&image(set)).copied();
                        numbers.insert(set, setup.lookups.len());
                        setup.add(set, twin, cache)?
                    }
                };
                view |= 1 << number;
            }
            setup.views[setup.view_count] = view;
            setup.view_count += 1;
        }
        debug_assert!(setup.lookups.len() <= LOOKUPS);
        Ok(setup)
    }

    /// Adds a look-up of the tiles with these goal cells, with the table of its mirror image if
    /// that has one.
    fn add(&mut self, set: u32, twin: Option<usize>, cache: &Cache) -> Result<usize, TableError> {
        let number = self.lookups.len();
        for cell in cells_of(set) {
            self.of_tile[cell] |= 1 << number;
        }
        let lookup = match twin {
            Some(twin) => {
                let Lookup { table, is_mirrored, goals } = &self.lookups[twin];
                Lookup { table: Arc::clone(table), is_mirrored: !is_mirrored, goals: *goals }
            }
            None => {
                // All over the tables at random: huge pages save much.
                let table = Arc::new(cache.get(&builder(set)?)?.resident()?);
                let cells: Vec<usize> = cells_of(set).collect();
                let goals = std::array::from_fn(|at| cells[at] as u8);
                Lookup { table, is_mirrored: false, goals }
            }
        };
        self.lookups.push(lookup);
        Ok(number)
    }

    pub(super) fn bytes(&self) -> u64 {
        let mut tables: Vec<&Arc<Table>> = Vec::new();
        for Lookup { table, .. } in &self.lookups {
            if tables.iter().all(|other| !Arc::ptr_eq(other, table)) {
                tables.push(table);
            }
        }
        let tables: u64 = tables.iter().map(|table| table.bytes()).sum();
        tables + self.automaton.bytes() + size_of_val(self.regions.words()) as u64
    }

    /// The rank of an order after its i-th tile has become the j-th.
    #[inline(always)]
    pub(super) fn shifted(&self, from: u32, to: u32, order: u16) -> u16 {
        self.shifted[(from as usize * TILES + to as usize) * ORDERS + usize::from(order)]
    }

    /// The index of a bit in a table.
    #[inline(always)]
    pub(super) fn bit(block: usize, order: u16) -> usize {
        block * BLOCK_BITS + usize::from(order)
    }

    /// A position without gaps, and for each view half the difference of its estimate and the
    /// Manhattan distance.
    ///
    /// # Errors
    /// A table that no search has built.
    pub(super) fn start(&self, cells: &[u8; CELLS]) -> Result<(Node, Vec<u32>), TableError> {
        let blank = cells.iter().position(|&goal| usize::from(goal) == BLANK).unwrap_or_default();
        let tiles = cells.iter().enumerate().filter(|(_, goal)| usize::from(**goal) != BLANK);
        let distance =
            |(cell, &goal): (usize, &u8)| u16::from(self.distances[usize::from(goal)][cell]);
        let mut node = Node::new(cells, blank as u8, tiles.map(distance).sum());
        let mut excesses = [0; LOOKUPS];
        for (number, lookup) in self.lookups.iter().enumerate() {
            let (mask, order, blank) = self.placed(lookup, cells, blank);
            node.masks[number] = mask;
            node.orders[number] = order;
            let (bit, excess) = self.descend(lookup, mask, order, blank)?;
            node.bits |= bit << number;
            excesses[number] = excess;
        }
        let excess = |view: &u32| cells_of(*view).map(|number| excesses[number]).sum();
        Ok((node, self.views[..self.view_count].iter().map(excess).collect()))
    }

    /// The cells of a pattern's tiles, the rank of their order and the blank's cell, on the board
    /// that is looked up.
    fn placed(&self, lookup: &Lookup, cells: &[u8; CELLS], blank: usize) -> (u32, u16, usize) {
        let own = |cell: usize| {
            if lookup.is_mirrored { self.mirrored[cell].into() } else { cell }
        };
        let mut places = [0; TILES];
        let mut mask = 0_u32;
        for (cell, &goal) in cells.iter().enumerate() {
            let goal = own(goal.into()) as u8;
            if let Some(at) = lookup.goals.iter().position(|&one| one == goal) {
                places[at] = own(cell);
                mask |= 1 << own(cell);
            }
        }
        let rank = |cell: usize| (mask & ((1 << cell) - 1)).count_ones() as usize;
        let order = Orders::new(TILES).rank(&places.map(rank)) as u16;
        (mask, order, own(blank))
    }

    /// The bit of a placement in the region of the blank, and its e: the value from a descent to
    /// the goal.
    fn descend(
        &self,
        lookup: &Lookup,
        mask: u32,
        order: u16,
        blank: usize,
    ) -> Result<(u32, u32), TableError> {
        let read = |mask: u32, order: u16, blank: usize| {
            let rank = self.regions.rank(mask);
            let block = self.regions.block(rank, self.regions.words()[rank], blank);
            let at = Self::bit(block, order);
            (block, u32::from(lookup.table.packed()[at / 8] >> (at % 8) & 1))
        };
        let orders = Orders::new(TILES);
        let of = |order: u16| orders.unrank(order.into());
        let distance = |mask: u32, order: u16| -> u32 {
            let cells: Vec<usize> = cells_of(mask).collect();
            let places = of(order);
            let each = lookup.goals.iter().zip(places);
            each.map(|(&goal, place)| u32::from(self.distances[usize::from(goal)][cells[place]]))
                .sum()
        };
        let (mut mask_now, mut order_now, mut blank_now, mut value) = (mask, order, blank, 0);
        let first = read(mask, order, blank).1;
        let goal = lookup.goals.iter().fold(0_u32, |all, &cell| all | 1 << cell);
        let goal_block = read(goal, 0, BLANK).0;
        'down: loop {
            let (block, bit) = read(mask_now, order_now, blank_now);
            if (mask_now, order_now, block) == (goal, 0, goal_block) {
                break;
            }
            let before = distance(mask_now, order_now);
            for cell in cells_of(mask_now) {
                let from = (mask_now & ((1 << cell) - 1)).count_ones();
                for to in self.moves[cell].into_iter().filter(|&to| to != NO_CELL) {
                    let to = usize::from(to);
                    let is_free = mask_now >> to & 1 == 0;
                    if !is_free || read(mask_now, order_now, to).0 != block {
                        continue;
                    }
                    let mask = mask_now ^ 1 << cell | 1 << to;
                    let place = (mask & ((1 << to) - 1)).count_ones();
                    let order = self.shifted(from, place, order_now);
                    let (_, after) = read(mask, order, cell);
                    // Nearer by one: away with a changed bit, or towards with the same one.
                    let is_away = distance(mask, order) > before;
                    if (after != bit) == is_away {
                        (mask_now, order_now, blank_now) = (mask, order, cell);
                        value += 1;
                        continue 'down;
                    }
                }
            }
            let message = "a table of parities in which a placement has no nearer one: `unriddle tables` removes it";
            return Err(TableError::BadPattern(message.to_owned()));
        }
        Ok((first, (value - distance(mask, order)) / 2))
    }
}

/// The members of a set, lowest first.
pub(super) fn cells_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lowest < u32::BITS).then_some(lowest as usize)
    })
}

/// By `i · 6 + j` and rank, the rank after the i-th tile has become the j-th.
fn shifted() -> Vec<u16> {
    let orders = Orders::new(TILES);
    let mut shifted = Vec::with_capacity(TILES * TILES * ORDERS);
    for before in 0..TILES {
        for after in 0..TILES {
            shifted.extend((0..ORDERS).map(|rank| {
                let moved = |place: usize| {
                    // Taken out and put back in: those between close up.
                    let gap = place - usize::from(place > before);
                    if place == before { after } else { gap + usize::from(gap >= after) }
                };
                let places: Vec<usize> = orders.unrank(rank).into_iter().map(moved).collect();
                orders.rank(&places) as u16
            }));
        }
    }
    shifted
}

/// The automaton of the blank's moves.
fn automaton(depth: usize) -> Result<Automaton, TableError> {
    let mut boards = Boards { moves: moves(), boards: Vec::new(), numbers: HashMap::new() };
    Automaton::new(&mut boards, depth, SEQUENCES)
        .map_err(|error| TableError::BadPattern(error.to_string()))
}
