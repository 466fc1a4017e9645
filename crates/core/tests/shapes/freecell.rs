//! FreeCell: 168 bytes of state, moves of several cards at once, a cursor that is a fixed array.

use super::*;
use unriddle_core::Symmetric;

/// A card is rank·4 + suit with ranks from 1; 0 is none. Suits 0 and 1 are black.
type Card = u8;
const fn rank(card: Card) -> u8 {
    card / 4
}
fn stacks_on(card: Card, onto: Card) -> bool {
    rank(onto) == rank(card) + 1 && (card % 4 < 2) != (onto % 4 < 2)
}

/// Free cells are kept in falling order: which of them holds a card makes no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Table {
    cells: [Card; 4],
    foundations: [u8; 4],
    columns: [[Card; 19]; 8],
    heights: [u8; 8],
}

/// Places 0 to 7 are the columns, 8 to 11 the free cells, 12 the foundations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    from: u8,
    to: u8,
    count: u8,
}
const NO_MOVE: Move = Move {
    from: 0,
    to: 0,
    count: 0,
};

/// At most 8·7 from column to column, 52 into an empty one, 4·9 from the free cells, 8·2 others.
const MAX_MOVES: usize = 160;

#[derive(Clone, Copy)]
struct Moves {
    list: [Move; MAX_MOVES],
    next: u8,
    end: u8,
}
impl Iterator for Moves {
    type Item = Move;
    fn next(&mut self) -> Option<Move> {
        (self.next < self.end).then(|| {
            self.next += 1;
            self.list[usize::from(self.next) - 1]
        })
    }
}

impl Table {
    fn column(&self, i: u8) -> &[Card] {
        &self.columns[usize::from(i)][..usize::from(self.heights[usize::from(i)])]
    }
    fn top(&self, place: u8) -> Option<Card> {
        match place {
            0..8 => self.column(place).last().copied(),
            _ => Some(self.cells[usize::from(place) - 8]).filter(|&card| card > 0),
        }
    }
    /// How many cards at the end of a column form a sequence.
    fn run(&self, i: u8) -> usize {
        let column = self.column(i);
        let joined = column
            .windows(2)
            .rev()
            .take_while(|pair| stacks_on(pair[1], pair[0]))
            .count();
        if column.is_empty() { 0 } else { joined + 1 }
    }
    /// How many cards can move at once, through free cells and empty columns other than `to`.
    fn capacity(&self, to: u8) -> usize {
        let cells = self.cells.iter().filter(|&&card| card == 0).count();
        let empty = (0..8)
            .filter(|&i| i != to && self.column(i).is_empty())
            .count();
        (cells + 1) << empty
    }
    fn take(&mut self, from: u8) -> Card {
        let card = self.top(from).unwrap_or(0);
        match from {
            0..8 => {
                self.heights[usize::from(from)] -= 1;
                self.columns[usize::from(from)][usize::from(self.heights[usize::from(from)])] = 0;
            }
            _ => self.cells[usize::from(from) - 8] = 0,
        }
        card
    }
    fn put(&mut self, to: u8, card: Card) {
        match to {
            0..8 => {
                self.columns[usize::from(to)][usize::from(self.heights[usize::from(to)])] = card;
                self.heights[usize::from(to)] += 1;
            }
            12 => self.foundations[usize::from(card % 4)] = rank(card),
            _ => self.cells[3] = card,
        }
    }
}

struct FreeCell {
    start: Table,
}

impl Puzzle for FreeCell {
    type State = Table;
    type Action = Move;
    type Actions = Moves;

    fn initial_state(&self) -> Table {
        self.start
    }
    fn actions(&self, table: &Table) -> Moves {
        let mut moves = Moves {
            list: [NO_MOVE; MAX_MOVES],
            next: 0,
            end: 0,
        };
        let mut add = |from: u8, to: u8, count: usize| {
            moves.list[usize::from(moves.end)] = Move {
                from,
                to,
                count: count as u8,
            };
            moves.end += 1;
        };
        let first_empty = (0..8).find(|&i| table.column(i).is_empty());
        for from in 0..12u8 {
            let Some(card) = table.top(from) else {
                continue;
            };
            if table.foundations[usize::from(card % 4)] + 1 == rank(card) {
                add(from, 12, 1);
            }
            let run = if from < 8 { table.run(from) } else { 1 };
            for to in (0..8).filter(|&to| to != from) {
                let most = run.min(table.capacity(to));
                match table.top(to) {
                    Some(onto) => {
                        let fits = |&n: &usize| match from {
                            0..8 => {
                                stacks_on(table.column(from)[table.column(from).len() - n], onto)
                            }
                            _ => stacks_on(card, onto),
                        };
                        (1..=most).filter(fits).for_each(|n| add(from, to, n));
                    }
                    // One empty column is like another.
                    None if Some(to) == first_empty => (1..=most).for_each(|n| add(from, to, n)),
                    None => {}
                }
            }
            if from < 8 && table.cells.contains(&0) {
                add(from, 8, 1);
            }
        }
        moves
    }
    fn apply(&self, table: &Table, Move { from, to, count }: Move) -> Table {
        let mut after = *table;
        let mut hand = [0; 13];
        (0..usize::from(count)).for_each(|i| hand[i] = after.take(from));
        hand[..usize::from(count)]
            .iter()
            .rev()
            .for_each(|&card| after.put(to, card));
        after.cells.sort_unstable_by(|a, b| b.cmp(a));
        after
    }
}

impl GoalPuzzle for FreeCell {
    fn is_goal(&self, table: &Table) -> bool {
        table.foundations == [13; 4]
    }
}

impl Symmetric for FreeCell {
    fn canonical(&self, table: &Table) -> Table {
        let mut order: [usize; 8] = std::array::from_fn(|i| i);
        order.sort_unstable_by_key(|&i| std::cmp::Reverse(table.columns[i]));
        Table {
            columns: order.map(|i| table.columns[i]),
            heights: order.map(|i| table.heights[i]),
            ..*table
        }
    }
}

fn deal(seed: u64) -> FreeCell {
    let mut deck: Vec<Card> = (4..56).collect();
    Rng::new(seed).shuffle(&mut deck);
    let mut start = Table {
        cells: [0; 4],
        foundations: [0; 4],
        columns: [[0; 19]; 8],
        heights: [0; 8],
    };
    deck.into_iter()
        .enumerate()
        .for_each(|(i, card)| start.put(i as u8 % 8, card));
    FreeCell { start }
}

fn cards(table: &Table) -> usize {
    let in_cells = table.cells.iter().filter(|&&card| card > 0).count();
    in_cells
        + table
            .heights
            .iter()
            .chain(&table.foundations)
            .map(|&n| usize::from(n))
            .sum::<usize>()
}

#[test]
fn the_shape_fits() {
    assert_eq!(size_of::<Table>(), 168);
    // The cursor is larger than the state: a depth-first search pays for it in every frame.
    assert_eq!(size_of::<Moves>(), 482);
    for seed in 0..20 {
        let game = deal(seed);
        for table in walk(&game, 150) {
            assert_eq!(cards(&table), 52);
            let canonical = game.canonical(&table);
            assert_eq!(game.canonical(&canonical), canonical);
            assert!(!game.is_goal(&table));
        }
    }
}

#[test]
fn several_cards_move_at_once() {
    let card = |rank: u8, suit: u8| rank * 4 + suit;
    let mut table = deal(0).start;
    table.columns = [[0; 19]; 8];
    table.heights = [0; 8];
    [card(9, 0), card(8, 2), card(7, 1), card(6, 3)]
        .into_iter()
        .for_each(|c| table.put(0, c));
    table.put(1, card(10, 2));
    (2..8).for_each(|i| table.put(i, card(13, 0)));
    let game = FreeCell { start: table };
    let whole = Move {
        from: 0,
        to: 1,
        count: 4,
    };
    assert!(game.actions(&table).any(|m| m == whole));
    let after = game.apply(&table, whole);
    assert_eq!(
        after.column(1),
        [card(10, 2), card(9, 0), card(8, 2), card(7, 1), card(6, 3)]
    );
    // Column 0 is empty now: ten cards could move, with three cells taken four, into column 0 two.
    let mut full = after;
    full.cells = [card(1, 0), card(1, 1), card(1, 2), 0];
    assert_eq!(
        (after.capacity(1), full.capacity(1), full.capacity(0)),
        (10, 4, 2)
    );
    assert_eq!(
        game.actions(&full)
            .filter(|m| m.from == 1 && m.to == 0)
            .count(),
        2
    );
}
