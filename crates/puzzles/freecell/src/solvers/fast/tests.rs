//! The incremental position and its estimates against naive ones along random walks.

use super::{
    columns::Columns,
    engine::finish,
    frame::{COLUMNS, Frame, Values},
    node::{AT_HOME, IN_CELL, Node, Step},
    scan::{Moves as List, Scan},
    weights::{
        ABOVE, BLOCKER, BREAK, HIGH_BASE, LEFT, LOW_BASE, NEXT, OWN_SUIT, ROOM, UNCOVERED, VIRGIN,
        WEIGHTS, Weights,
    },
};
use crate::{Card, FreeCell, Moves, Rules, parse};
use std::collections::HashMap;
use unriddle_core::{GoalPuzzle, Puzzle, Rng};

/// A position as lists of cards, deepest first, with the number of cards that never moved.
#[derive(Clone)]
struct Board {
    ranks: u8,
    columns: Vec<(usize, Vec<Card>)>,
    cells: Vec<Card>,
    free: usize,
    home: [u8; 4],
}

impl Board {
    fn new(puzzle: &FreeCell) -> Self {
        let layout = &puzzle.layout;
        Self {
            ranks: puzzle.rules().ranks,
            columns: layout.columns.iter().map(|column| (column.len(), column.clone())).collect(),
            cells: layout.cells.iter().flatten().copied().collect(),
            free: layout.cells.iter().filter(|cell| cell.is_none()).count(),
            home: layout.foundations,
        }
    }

    fn play(&mut self, step: Step) {
        let card = Card::from_index(usize::from(step.card));
        let moved = if step.from == IN_CELL {
            self.cells.retain(|&held| held != card);
            self.free += 1;
            vec![card]
        } else {
            let (kept, column) = &mut self.columns[usize::from(step.from)];
            let moved = column.split_off(column.len() - usize::from(step.count));
            *kept = column.len().min(*kept);
            moved
        };
        assert_eq!((moved[0], moved.len()), (card, usize::from(step.count)));
        match step.to {
            AT_HOME => {
                self.home[usize::from(card.suit())] += 1;
                assert_eq!(self.home[usize::from(card.suit())], card.rank());
            }
            IN_CELL => {
                self.cells.push(card);
                self.free -= 1;
            }
            to => {
                let (_, column) = &mut self.columns[usize::from(to)];
                assert!(column.last().is_none_or(|&onto| card.fits(onto)));
                column.extend(moved);
            }
        }
    }

    /// The estimate, from all cards anew.
    fn value(&self, weights: &Weights) -> i32 {
        let w = |index: usize| i32::from(weights.0[index]);
        let home: u8 = self.home.iter().sum();
        let empty = self.columns.iter().filter(|(_, column)| column.is_empty()).count();
        let mut sum = w(LEFT) * i32::from(4 * self.ranks - home);
        sum += w(ROOM + self.free.min(4) * 4 + empty.min(3));
        for (kept, column) in &self.columns {
            for (i, card) in column.iter().enumerate() {
                let beneath = &column[..i];
                if beneath.iter().any(|below| below.rank() < card.rank()) {
                    sum += w(BLOCKER);
                }
                let of_prefix = &beneath[..i.min(*kept)];
                sum += of_prefix.iter().map(|c| w(ABOVE + usize::from(c.rank()) - 1)).sum::<i32>();
                if i < *kept {
                    let own = |c: &Card| c.suit() == card.suit() && c.rank() < card.rank();
                    sum += w(OWN_SUIT) * i32::from(beneath.iter().any(own));
                    let breaks = beneath.last().is_some_and(|&below| !card.fits(below));
                    sum += w(BREAK) * i32::from(breaks);
                }
                if card.rank() == self.home[usize::from(card.suit())] + 1 {
                    let above = column.len() - i - 1;
                    sum += match above {
                        0 => 0,
                        1..=7 => w(NEXT + above - 1),
                        _ => w(NEXT + 6) + (above as i32 - 7) * w(NEXT + 7),
                    };
                }
            }
            if let Some(base) = column.first() {
                sum += if base.rank() == self.ranks { w(HIGH_BASE) } else { w(LOW_BASE) };
            }
            if *kept > 0 {
                sum += w(VIRGIN + kept.min(&7) - 1);
            }
        }
        sum
    }

    fn blockers(&self) -> usize {
        let blocks = |column: &[Card], i: usize| {
            column[..i].iter().any(|below| below.rank() < column[i].rank())
        };
        let count = |column: &Vec<Card>| (0..column.len()).filter(|&i| blocks(column, i)).count();
        self.columns.iter().map(|(_, column)| count(column)).sum()
    }

    /// The position without the order of columns and cells.
    fn key(&self) -> (Vec<Vec<Card>>, Vec<Card>) {
        let mut columns: Vec<_> = self.columns.iter().map(|(_, column)| column.clone()).collect();
        let mut cells = self.cells.clone();
        columns.sort();
        cells.sort();
        (columns, cells)
    }
}

/// A random deal of random rules that the engine has.
fn random(seed: u64, full: bool) -> FreeCell {
    let mut rng = Rng::new(seed);
    let rules = Rules {
        cells: rng.below(6) as u8,
        columns: 4 + rng.below(5) as u8,
        ranks: if full { 13 } else { 2 + rng.below(3) as u8 },
        ..Rules::default()
    };
    let mut deck: Vec<Card> = (0..rules.deck()).map(Card::from_index).collect();
    rng.shuffle(&mut deck);
    FreeCell::new(rules, parse::dealt(&deck, &rules))
}

fn random_weights(rng: &mut Rng) -> Weights {
    Weights(std::array::from_fn(|_| rng.below(121) as i16 - 60))
}

/// Walks of random steps; `visit` receives the position, its board and the actions up to there.
fn walk(
    puzzle: &FreeCell,
    weights: &Weights,
    seed: u64,
    mut visit: impl FnMut(&Node, &Board, &Frame, &Values),
) {
    let mut rng = Rng::new(seed);
    let frame = Frame::new(puzzle);
    let mut values = Values::new();
    values.set(&frame, weights);
    let mut node = Node::start(&frame, &values, 0);
    let mut board = Board::new(puzzle);
    let settle = |board: &mut Board, node: &Node| {
        // The forced moves of the node, in any order that is legal.
        while let Some(card) = (0..4u8).find_map(|suit| {
            let card = (node.next >> suit & 0x0011_1111_1111_1111).trailing_zeros() / 4;
            let rank = board.home[usize::from(suit)];
            (u32::from(rank) < card && board.ready(rank, suit)).then(|| Card::new(rank + 1, suit))
        }) {
            let from = board.columns.iter().position(|(_, column)| column.last() == Some(&card));
            let from = from.map_or(IN_CELL, |column| column as u8);
            board.play(Step { card: card.index() as u8, from, to: AT_HOME, count: 1 });
        }
    };
    settle(&mut board, &node);
    for _ in 0..80 {
        visit(&node, &board, &frame, &values);
        let mut steps = Vec::new();
        let mut list = List::new();
        let mut columns = Columns::default();
        Scan::new(&frame, &values, &node, &mut columns).moves(0, &mut list);
        steps.extend(list.list().iter().map(|&(step, _)| step));
        if steps.is_empty() {
            return;
        }
        let step = steps[rng.below(steps.len() as u64) as usize];
        node.shift(&frame, &values, step);
        board.play(step);
        node.settle(&frame, &values);
        settle(&mut board, &node);
    }
}

impl Board {
    /// Whether the card after a rank of a suit can go home.
    fn ready(&self, rank: u8, suit: u8) -> bool {
        let card = Card::new(rank + 1, suit);
        self.cells.contains(&card)
            || self.columns.iter().any(|(_, column)| column.last() == Some(&card))
    }
}

#[test]
fn a_node_has_256_bytes() {
    assert_eq!(size_of::<Node>(), 256);
}

#[test]
fn estimates_equal_those_from_scratch() {
    let (mut moves, mut sequences, mut homeward) = (0, 0, 0);
    for seed in 0..250 {
        let puzzle = random(seed, !seed.is_multiple_of(3));
        let mut weights = random_weights(&mut Rng::new(seed));
        // The term of the uncovered card is no part of a position's value.
        weights.0[UNCOVERED..WEIGHTS].fill(0);
        walk(&puzzle, &weights, seed, |node, board, frame, values| {
            let (mut columns, mut list) = (Columns::default(), List::new());
            let scan = Scan::new(frame, values, node, &mut columns);
            assert_eq!(scan.value(), board.value(&weights), "seed {seed}");
            let room = board.free + usize::from(node.empty(frame) as u8);
            assert_eq!(scan.is_won(), board.blockers() <= room);
            scan.moves(0, &mut list);
            let mut has_won = false;
            for &(step, estimate) in list.list() {
                let (mut after, mut next) = (*node, board.clone());
                after.shift(frame, values, step);
                next.play(step);
                assert_eq!(estimate, next.value(&weights), "seed {seed}: {step:?}");
                let mut columns = Columns::default();
                let scan = Scan::new(frame, values, &after, &mut columns);
                assert_eq!(estimate, scan.value(), "seed {seed}: {step:?}");
                has_won |= scan.is_won();
                if list.winner == Some(step) {
                    assert!(scan.is_won());
                }
                moves += 1;
                sequences += usize::from(step.count > 1);
                homeward += usize::from(step.to == AT_HOME);
            }
            assert_eq!(list.winner.is_some(), has_won);
        });
    }
    assert!(moves > 10_000 && sequences > 100 && homeward > 100, "{moves} {sequences} {homeward}");
}

/// Hashes are equal if and only if positions are, whatever the order of columns and cells.
#[test]
fn equal_hashes_mean_equal_positions() {
    let mut repeated = 0;
    for deal in 0..20 {
        let puzzle = random(deal, false);
        let (mut hashes, mut keys) = (HashMap::new(), HashMap::new());
        for seed in 0..30 {
            walk(&puzzle, &Weights([1; WEIGHTS]), seed, |node, board, _, _| {
                let key = board.key();
                assert_eq!(*hashes.entry(key.clone()).or_insert(node.hash), node.hash);
                if let Some(old) = keys.insert(node.hash, key.clone()) {
                    assert_eq!(old, key);
                    repeated += 1;
                }
            });
        }
    }
    assert!(repeated > 1000, "{repeated}");
}

#[test]
fn the_finishing_rule_finishes() {
    let mut finished = 0;
    for seed in 0..300 {
        let puzzle = random(seed, seed.is_multiple_of(2));
        walk(&puzzle, &Weights([0; WEIGHTS]), seed, |node, board, frame, values| {
            if !Scan::new(frame, values, node, &mut Columns::default()).is_won() {
                return;
            }
            let layout = board.layout(&puzzle);
            let mut table = puzzle.table(&layout);
            let mut path = Vec::new();
            finish(&puzzle, table, &mut path);
            for action in path {
                assert!(puzzle.actions(&table).any(|listed| listed == action), "{action:?}");
                table = puzzle.apply(&table, action);
            }
            assert!(puzzle.is_goal(&table));
            finished += 1;
        });
    }
    assert!(finished > 100, "{finished}");
}

impl Board {
    fn layout(&self, puzzle: &FreeCell) -> crate::Layout {
        let mut layout = crate::Layout::empty(puzzle.rules());
        layout.foundations = self.home;
        for (place, (_, column)) in layout.columns.iter_mut().zip(&self.columns) {
            place.clone_from(column);
        }
        for (place, &card) in layout.cells.iter_mut().zip(&self.cells) {
            *place = Some(card);
        }
        layout
    }
}

#[test]
fn only_sequences_and_eight_columns_fit() {
    assert_eq!(COLUMNS, 8);
    let fits =
        |rules: Rules| Frame::fits(&FreeCell::new(rules, parse::numbered(1, &rules).unwrap()));
    for columns in 4..=10 {
        assert_eq!(fits(Rules { columns, ..Rules::default() }), columns <= 8);
    }
    assert!(!fits(Rules { moves: Moves::Single, ..Rules::default() }));
}
