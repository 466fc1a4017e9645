//! Boards for pages: the slots of cards, the inputs of moves, and the sketch of an editor.

use super::{
    Layout, Move, Rules, To,
    card::{Card, FOUNDATION_ORDER, SUIT_NAMES, SUITS},
    draw::{SYMBOLS, Shown, visible},
    layout::{CELL_LETTERS, Place},
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout as Rows, Sketch, Spot, Swatch, Touch};

const RANK_NAMES: [&str; 13] = [
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king",
];

/// A card in words: `seven of hearts`.
fn named(card: Card) -> String {
    let (rank, suit) = (usize::from(card.rank()) - 1, usize::from(card.suit()));
    format!("{} of {}", RANK_NAMES[rank], SUIT_NAMES[suit])
}

/// All slots, in the order of their spots: cells, foundations, and the cards of each column or its
/// empty slot.
fn slots(layout: &Layout) -> impl Iterator<Item = Shown> + '_ {
    let cells = (0..layout.cells.len()).map(Shown::Cell);
    let columns = layout.columns.iter().enumerate().flat_map(|(column, cards)| {
        (0..cards.len().max(1)).map(move |row| Shown::Column(column, row))
    });
    cells.chain((0..SUITS).map(Shown::Foundation)).chain(columns)
}

/// The slots of the drawing. The spot of a covered card is its visible part.
pub(crate) fn spots(layout: &Layout) -> Vec<Spot> {
    let spot = |shown: Shown| {
        let (column, area) = visible(layout, shown);
        let [x, y, width, height] = area.map(|number| number as f32);
        let held = |card: Option<Card>| card.map_or_else(|| "empty".to_owned(), named);
        let (row, name) = match shown {
            Shown::Cell(cell) => {
                (0, format!("cell {}: {}", letter(cell), held(layout.cells[cell])))
            }
            Shown::Foundation(index) => {
                let suit = usize::from(FOUNDATION_ORDER[index]);
                let name = match layout.foundations[suit] {
                    0 => "empty",
                    rank => RANK_NAMES[usize::from(rank) - 1],
                };
                (0, format!("foundation of {}: {name}", SUIT_NAMES[suit]))
            }
            Shown::Column(column, row) => {
                let name = match layout.columns[column].get(row) {
                    Some(&card) => {
                        format!("column {}, card {}: {}", column + 1, row + 1, named(card))
                    }
                    None => format!("column {}: empty", column + 1),
                };
                (row + 1, name)
            }
        };
        Spot { row, column, area: Area { x, y, width, height }, name }
    };
    slots(layout).map(spot).collect()
}

/// The letter of a cell.
fn letter(cell: usize) -> char {
    char::from(CELL_LETTERS[cell.min(7)])
}

/// The inputs of a move: the deepest card that moves, and its target.
pub(crate) fn touch(layout: &Layout, Move { card, to }: Move) -> Touch {
    let found = layout.find(card);
    let from = match found {
        Place::Cell(cell) => Some(Shown::Cell(cell)),
        Place::Column(column, height) => Some(Shown::Column(column, height)),
        Place::Home => None,
    };
    let count = match found {
        Place::Column(column, height) => layout.columns[column].len() - height,
        _ => 1,
    };
    let (target, place) = match to {
        To::Home => {
            let index = FOUNDATION_ORDER.iter().position(|&suit| suit == card.suit());
            (index.map(Shown::Foundation), "its foundation".to_owned())
        }
        To::Cell => {
            let cell = layout.cells.iter().position(Option::is_none);
            (cell.map(Shown::Cell), "a free cell".to_owned())
        }
        To::First | To::Second | To::Empty => {
            let column = layout.column_for(to, card);
            let last = |column: usize| layout.columns[column].len().saturating_sub(1);
            let shown = column.map(|column| Shown::Column(column, last(column)));
            (shown, format!("column {}", column.map_or(0, |column| column + 1)))
        }
    };
    let index = |shown: Shown| slots(layout).position(|other| other == shown);
    let more = if count > 1 { format!(" with {} more", count - 1) } else { String::new() };
    Touch {
        from: from.and_then(index),
        to: target.and_then(index),
        name: Some(format!("{}{more} to {place}", named(card))),
        ..Touch::default()
    }
}

/// The sketch of a layout: a pile for each cell, each foundation and each column.
pub(crate) fn sketch(layout: &Layout, rules: &Rules) -> Sketch {
    let symbol = |card: &Card| Some(card.to_string());
    let cells = layout.cells.iter().map(|held| held.iter().map(symbol).collect());
    let home = FOUNDATION_ORDER.map(|suit| {
        let rank = layout.foundations[usize::from(suit)];
        (1..=rank).map(|rank| symbol(&Card::new(rank, suit))).collect()
    });
    let columns = layout.columns.iter().map(|cards| cards.iter().map(symbol).collect());
    let swatch = |index: usize| {
        let card = Card::from_index(index);
        let rank = Card::rank_letter(card.rank()).to_string().replace('T', "10");
        let shown = format!("{rank}{}", SYMBOLS[usize::from(card.suit())]);
        Swatch::new(card.to_string(), named(card)).shown(shown)
    };
    let cell_names = (0..layout.cells.len()).map(|cell| format!("cell {}", letter(cell)));
    let foundations =
        FOUNDATION_ORDER.map(|suit| format!("foundation of {}", SUIT_NAMES[usize::from(suit)]));
    let column_names = (1..=layout.columns.len()).map(|column| format!("column {column}"));
    Sketch {
        layout: Rows::Piles,
        gesture: Gesture::Move,
        heads: cell_names.chain(foundations).chain(column_names).collect(),
        cells: cells.chain(home).chain(columns).collect(),
        palette: (0..rules.deck()).map(swatch).collect(),
        is_resizable: false,
    }
}

/// The text of a sketch. A foundation that does not ascend from the ace is written as its cards,
/// which the reader refuses.
pub(crate) fn sketched(cells: &Cells, rules: &Rules) -> String {
    let cards = |pile: &Vec<Option<String>>| pile.iter().flatten().cloned().collect::<Vec<_>>();
    let piles: Vec<Vec<String>> = cells.iter().map(cards).collect();
    let (held, rest) = piles.split_at(usize::from(rules.cells).min(piles.len()));
    let (home, columns) = rest.split_at(SUITS.min(rest.len()));
    let mut lines = Vec::new();
    if held.iter().chain(home).any(|pile| !pile.is_empty()) {
        let mut line = "Foundations:".to_owned();
        for (pile, suit) in home.iter().zip(FOUNDATION_ORDER) {
            let ascends = (1..)
                .zip(pile)
                .all(|(rank, card)| rank <= 13 && Card::new(rank, suit).to_string() == *card);
            let top = match pile.len() {
                0 => "0".to_owned(),
                count if ascends => Card::rank_letter(count as u8).to_string(),
                _ => pile.concat(),
            };
            line += &format!(" {}-{top}", Card::suit_letter(suit));
        }
        lines.push(line);
        let shown = |pile: &Vec<String>| match pile.is_empty() {
            true => " -".to_owned(),
            false => pile.iter().map(|card| format!(" {card}")).collect(),
        };
        lines.push(format!("Freecells:{}", held.iter().map(shown).collect::<String>()));
    }
    let column = |pile: &Vec<String>| match pile.is_empty() {
        true => ":".to_owned(),
        false => pile.join(" "),
    };
    lines.extend(columns.iter().map(column));
    lines.join("\n")
}
