//! Reading boards: the form of `fc-solve` and `PySol`, or the number of a Microsoft deal.
//!
//! One line per column, the deepest card first, `:` for an empty one; suits are letters or signs
//! (`7♦`), before the rank or behind it, and ten is `T`, `10` or `0`. The following lines may be
//! anywhere among them: `Foundations: H-0 C-2 D-A S-K` (or `Founds:`) and `Freecells: 7H - TC` (or
//! `FC:`). Lines that begin with `#` are comments. The deck is complete: every card is in a column,
//! in a cell or on its foundation.
//!
//! Lines of a whole deck are the rows of a deal where they cannot be columns: more or fewer lines
//! than columns, none of which begins with `:`, and a card for each column in every line but the
//! last.

use super::{
    Layout, Rules,
    card::{Card, DECK, SUIT_NAMES},
    deal,
};
use std::mem;
use unriddle_catalog::input::{self, Piece};
use unriddle_core::{ParseError, text};

/// A short piece of a text for a message.
fn short(text: &str) -> String {
    text.chars().take(20).flat_map(char::escape_debug).collect()
}

/// The deal number that a whole text is, if it looks like one: `617`, `#617`, `deal 617`.
fn digits(text: &str) -> Option<&str> {
    let text = text.trim();
    let rest = text
        .strip_prefix('#')
        .or_else(|| text.get(..4).filter(|s| s.eq_ignore_ascii_case("deal")).map(|_| &text[4..]))
        .unwrap_or(text)
        .trim();
    let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(rest)
}

/// The number of the deal that a whole text names; `None` of a board.
pub(crate) fn number(text: &str) -> Option<u64> {
    digits(text)?.parse().ok()
}

/// The layout of a numbered deal.
///
/// # Errors
/// No deal of that number, or a deck that is not Microsoft's: the reason.
pub fn numbered(number: u64, rules: &Rules) -> Result<Layout, String> {
    if rules.deck() != DECK {
        return Err(format!("numbered deals have 13 ranks, and this deck has {}", rules.ranks));
    }
    let deck = deal::deck(number).ok_or_else(|| no_deal(&number.to_string()))?;
    Ok(dealt(&deck, rules))
}

/// Message about a number that is not the number of a deal.
fn no_deal(number: &str) -> String {
    format!("no deal {number}: the numbers go from {} to {}", deal::FIRST, deal::LAST)
}

/// The layout of a deck dealt in rows.
#[must_use]
pub fn dealt(deck: &[Card], rules: &Rules) -> Layout {
    let mut layout = Layout::empty(rules);
    for (i, &card) in deck.iter().enumerate() {
        layout.columns[i % usize::from(rules.columns)].push(card);
    }
    layout
}

/// Position of each card, for the message about a duplicate.
struct Deck<'r> {
    rules: &'r Rules,
    seen: [bool; DECK],
    count: usize,
}

impl Deck<'_> {
    fn card(&mut self, line: usize, column: usize, word: &str) -> Result<Card, ParseError> {
        let at = |message: String| ParseError::at(line, column, message);
        let card = Card::parse(word).ok_or_else(|| {
            at(format!("expected a card such as 7H or TC, found `{}`", short(word)))
        })?;
        if card.rank() > self.rules.ranks {
            let last = Card::rank_letter(self.rules.ranks);
            return Err(at(format!("{card} is no card of a deck from A to {last}")));
        }
        self.take(card).map_err(at)?;
        Ok(card)
    }

    fn take(&mut self, card: Card) -> Result<(), String> {
        if mem::replace(&mut self.seen[card.index()], true) {
            return Err(format!("a second {card}"));
        }
        self.count += 1;
        Ok(())
    }

    /// The cards that are nowhere.
    fn missing(&self) -> Option<String> {
        let missing = (0..self.rules.deck()).filter(|&i| !self.seen[i]);
        let missing: Vec<String> = missing.map(|i| Card::from_index(i).to_string()).collect();
        let listed = missing[..missing.len().min(6)].join(", ");
        match missing.len() {
            0 => None,
            1..=6 => Some(listed),
            n => Some(format!("{listed} and {} more", n - 6)),
        }
    }
}

/// Reads a board or the number of a deal.
///
/// # Errors
/// [`ParseError`] with the position and the expected text: invalid, duplicate or missing cards,
/// excess columns or cells, impossible foundations, unknown deals.
pub fn parse(text: &str, rules: &Rules) -> Result<Layout, ParseError> {
    if let Some(digits) = digits(text) {
        let before = text.len() - text.trim_start().len();
        let line = text[..before].matches('\n').count() + 1;
        let refused = |why: String| ParseError::at(line, 1, why);
        let number = digits.parse().map_err(|_| refused(no_deal(&short(digits))))?;
        return numbered(number, rules).map_err(refused);
    }
    if let Some((first, last)) = text.trim().split_once("..")
        && [first, last]
            .iter()
            .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    {
        let range = short(text.trim());
        let message = format!("{range} are several deals: give them as --deals {range}");
        return Err(ParseError::at(1, 1, message));
    }
    let mut deck = Deck { rules, seen: [false; DECK], count: 0 };
    let mut layout = Layout::empty(rules);
    let mut lines: Vec<Cards> = Vec::new();
    let (mut foundations, mut cells) = (false, false);
    let mut blank = None;
    let mut last = 1;
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let at = |column: usize, message: String| ParseError::at(number, column, message);
        let bare = line.trim();
        if bare.starts_with('#') {
            continue;
        }
        if bare.is_empty() {
            blank = blank.or((!lines.is_empty()).then_some(number));
            continue;
        }
        if let Some(blank) = blank {
            let message = "a blank line inside a board; an empty column is written as `:`";
            return Err(ParseError::at(blank, 1, message));
        }
        last = number;
        let (label, rest) = bare.split_once(':').unwrap_or(("", bare));
        let label = label.trim().to_ascii_lowercase();
        // Columns of words are those in the whole line.
        let offset = line.len() - line.trim_start().len() + (bare.len() - rest.len());
        let shift = line[..offset].chars().count();
        let rest = rest.replace(',', " ");
        let words = text::words(&rest).map(|(word, column)| (column + shift, word));
        match label.as_str() {
            "foundations" | "foundation" | "founds" => {
                if mem::replace(&mut foundations, true) {
                    return Err(at(1, "foundations are given more than once".to_owned()));
                }
                read_foundations(words, number, &mut layout, &mut deck)?;
            }
            "freecells" | "freecell" | "free cells" | "fc" => {
                if mem::replace(&mut cells, true) {
                    return Err(at(1, "cells are given more than once".to_owned()));
                }
                for (cell, (column, word)) in words.enumerate() {
                    let Some(cell) = layout.cells.get_mut(cell) else {
                        let message = format!("a cell too many: there are {}", rules.cells);
                        return Err(at(column, message));
                    };
                    if word != "-" {
                        *cell = Some(deck.card(number, column, word)?);
                    }
                }
            }
            "" => {
                let cards = words.map(|(column, word)| deck.card(number, column, word));
                let cards = cards.collect::<Result<_, _>>()?;
                lines.push(Cards { line: number, is_column: bare.starts_with(':'), cards });
            }
            other => {
                let message = format!(
                    "expected `Foundations:`, `Freecells:` or a column of cards, found `{}:`",
                    short(other)
                );
                return Err(at(1, message));
            }
        }
    }
    if let Some(missing) = deck.missing() {
        let message = match deck.count {
            0 => "expected a board (lines of cards) or the number of a deal".to_owned(),
            n => format!("{n} cards where {} belong; missing: {missing}", rules.deck()),
        };
        return Err(ParseError::at(last, 1, message));
    }
    placed(lines, layout, rules)
}

/// A line of cards.
struct Cards {
    line: usize,
    /// Whether the line begins with `:`, which only columns do.
    is_column: bool,
    cards: Vec<Card>,
}

/// The board whose cells and foundations are set, with the lines of its cards as columns or as the
/// rows of a deal.
fn placed(lines: Vec<Cards>, mut layout: Layout, rules: &Rules) -> Result<Layout, ParseError> {
    let width = usize::from(rules.columns);
    let last = lines.len().saturating_sub(1);
    let is_row = |(i, line): (usize, &Cards)| {
        let length = line.cards.len();
        length == width || i == last && (1..width).contains(&length)
    };
    let is_full = layout.cells.iter().all(Option::is_none) && layout.foundations == [0; 4];
    let are_rows =
        is_full && lines.len() > 1 && lines.len() != width && lines.iter().enumerate().all(is_row);
    if are_rows && lines.iter().all(|line| !line.is_column) {
        let deck: Vec<Card> = lines.into_iter().flat_map(|line| line.cards).collect();
        return Ok(dealt(&deck, rules));
    }
    if let Some(line) = lines.get(width) {
        let message = format!("a column too many: {width} are set");
        return Err(ParseError::at(line.line, 1, message));
    }
    if are_rows {
        let message = format!(
            "{} lines of {width} cards look like the rows of a deal: remove the `:` before rows, or write `:` for the columns that are \
             empty",
            lines.len()
        );
        return Err(ParseError::at(1, 1, message));
    }
    for (column, line) in layout.columns.iter_mut().zip(lines) {
        *column = line.cards;
    }
    Ok(layout)
}

/// Cuts a file into boards. Lines of foundations or cells, apart from the columns by blank lines,
/// belong to the columns below.
pub(crate) fn split(file: &str) -> Vec<Piece> {
    let lines: Vec<&str> = file.lines().collect();
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, mut piece) in input::boards(file).into_iter().enumerate() {
        let is_named = piece.id != (i + 1).to_string() || number(&piece.text).is_some();
        let end = piece.line - 1 + piece.text.lines().count();
        match pieces.last_mut().filter(|last| !is_named && is_head(&last.text)) {
            Some(last) => last.text = lines[last.line - 1..end].join("\n"),
            None => {
                if !is_named {
                    piece.id = (pieces.len() + 1).to_string();
                }
                pieces.push(piece);
            }
        }
    }
    pieces
}

/// Whether a text has lines of foundations or cells, and no cards in columns.
fn is_head(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let mut labels = lines.map(|line| line.split_once(':').map_or("", |(label, _)| label));
    labels.all(|label| {
        let label = label.trim().to_ascii_lowercase();
        label.starts_with("found") || label.starts_with("free") || label == "fc"
    })
}

/// Reads entries such as `H-7`.
fn read_foundations<'t>(
    words: impl Iterator<Item = (usize, &'t str)>,
    line: usize,
    layout: &mut Layout,
    deck: &mut Deck<'_>,
) -> Result<(), ParseError> {
    let mut known = [false; 4];
    for (column, word) in words {
        let at = |message: String| ParseError::at(line, column, message);
        let read = word.split_once('-').and_then(|(suit, rank)| {
            let mut letters = suit.chars();
            let suit = Card::suit_of(letters.next()?)?;
            let rank = if rank == "0" { 0 } else { Card::rank_of(rank)? };
            letters.next().is_none().then_some((suit, rank))
        });
        let Some((suit, rank)) = read else {
            let word = short(word);
            return Err(at(format!("expected a foundation such as H-7 or S-0, found `{word}`")));
        };
        let name = SUIT_NAMES[usize::from(suit)];
        if mem::replace(&mut known[usize::from(suit)], true) {
            return Err(at(format!("the foundation of the {name} a second time")));
        }
        if rank > deck.rules.ranks {
            let last = Card::rank_letter(deck.rules.ranks);
            return Err(at(format!("the {name} of this deck end at {last}")));
        }
        layout.foundations[usize::from(suit)] = rank;
        for rank in 1..=rank {
            deck.take(Card::new(rank, suit)).map_err(at)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEAL_1: &str = "JD KD 2S 4C 3S 6D 6S\n2D KC KS 5C TD 8S 9C\n9H 9S 9D TS 4S 8D 2H\n\
        JC 5S QD QH TH QS 6H\n5D AD JS 4H 8H 6C\n7H QC AS AC 2C 3D\n7C KH AH 4D JH 8C\n5H 3H 3C 7S 7D TC";

    fn read(text: &str) -> Result<Layout, String> {
        parse(text, &Rules::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_and_boards_are_the_same() {
        for number in ["1", " #1\n", "deal 1", "Deal 1"] {
            assert_eq!(read(number).unwrap().text(), DEAL_1);
        }
        let columns = DEAL_1.lines().map(|line| format!(": {}", line.to_lowercase()));
        let marked = columns.collect::<Vec<_>>().join("\n").replace("tc", "10c");
        let board = format!("# a comment\nFounds: H-0 C-0 D-0 S-0\nFC: - -\n{marked}\n\n");
        assert_eq!(read(&board).unwrap().text(), DEAL_1);
    }

    #[test]
    fn wrong_boards_are_refused_with_the_position() {
        let without = |what: &str, with: &str| read(&DEAL_1.replace(what, with)).unwrap_err();
        assert_eq!(
            without("8D 2H", "8D"),
            "line 8, column 1: 51 cards where 52 belong; missing: 2H"
        );
        assert_eq!(without("8D 2H", "8D 2H AS"), "line 6, column 7: a second AS");
        assert_eq!(
            without("8D 2H", "8D 2X"),
            "line 3, column 19: expected a card such as 7H or TC, found `2X`"
        );
        let tell = |text: &str| read(text).unwrap_err();
        let place = "the numbers go from 1 to 8589934591";
        assert_eq!(tell("0"), format!("line 1, column 1: no deal 0: {place}"));
        assert_eq!(tell("-3"), format!("line 1, column 1: no deal -3: {place}"));
        assert_eq!(tell("8589934592"), format!("line 1, column 1: no deal 8589934592: {place}"));
        assert_eq!(
            tell("99999999999999999999"),
            format!("line 1, column 1: no deal 99999999999999999999: {place}")
        );
        let head = |line: &str| tell(&format!("{line}\n{DEAL_1}"));
        assert_eq!(
            head("Foundations: H-0 C-X"),
            "line 1, column 18: expected a foundation such as H-7 or S-0, found `C-X`"
        );
        assert_eq!(head("Foundations: H-A"), "line 8, column 7: a second AH");
        assert_eq!(head("Freecells: 2H"), "line 4, column 19: a second 2H");
        assert_eq!(head("Freecells: - - - - -"), "line 1, column 20: a cell too many: there are 4");
        assert_eq!(
            head("Free: 2H").split(", found").next(),
            Some("line 1, column 1: expected `Foundations:`, `Freecells:` or a column of cards")
        );
        assert_eq!(
            tell(&format!("{DEAL_1}\n:\n:")),
            "line 9, column 1: a column too many: 8 are set"
        );
        assert_eq!(
            tell(&DEAL_1.replacen('\n', "\n\n", 1)),
            "line 2, column 1: a blank line inside a board; an empty column is written as `:`"
        );
        let rules = Rules { ranks: 5, ..Rules::default() };
        assert_eq!(
            parse("AH 6C", &rules).unwrap_err().to_string(),
            "line 1, column 4: 6C is no card of a deck from A to 5"
        );
        assert_eq!(
            parse("7", &rules).unwrap_err().message,
            "numbered deals have 13 ranks, and this deck has 5"
        );
    }

    /// Boards come from other programs, from the drawings of `show`, and from memory.
    #[test]
    fn boards_are_taken_as_people_write_them() {
        let signs = [("C", "♣"), ("D", "♦"), ("S", "♠"), ("H", "♡")];
        let drawn =
            signs.iter().fold(DEAL_1.to_owned(), |text, (letter, sign)| text.replace(letter, sign));
        assert_eq!(read(&drawn).unwrap().text(), DEAL_1);
        let below = DEAL_1.replacen("7C KH", "Founds: H-0\n7C KH", 1) + "\nFreecells: - -";
        assert_eq!(read(&below).unwrap().text(), DEAL_1);
        assert_eq!(
            read(&format!("{below}\nFC: -")),
            Err("line 11, column 1: cells are given more than once".to_owned())
        );
        assert_eq!(
            read("1..3"),
            Err("line 1, column 1: 1..3 are several deals: give them as --deals 1..3".to_owned())
        );
    }

    /// Seven lines of eight cards are no eight columns.
    #[test]
    fn rows_of_a_deal_are_read() {
        let rows = "JD 2D 9H JC 5D 7H 7C 5H\nKD KC 9S 5S AD QC KH 3H\n2S KS 9D QD JS AS AH 3C\n\
            4C 5C TS QH 4H AC 4D 7S\n3S TD 4S TH 8H 2C JH 7D\n6D 8S 8D QS 6C 3D 8C TC\n6S 9C 2H 6H";
        assert_eq!(read(rows).unwrap().text(), DEAL_1);
        assert_eq!(read(&rows.replace(' ', ", ").replace('T', "0")).unwrap().text(), DEAL_1);
        let head = format!("Foundations: H-0\nFreecells: - -\n\n{rows}");
        assert_eq!(read(&head).unwrap().text(), DEAL_1);
        // Columns, one of them empty.
        let marked = format!("{rows}\n:");
        let layout = read(&marked).unwrap();
        assert_eq!((layout.columns[0].len(), layout.columns[7].len()), (8, 0));
        assert_eq!(read(&layout.text()).unwrap(), layout, "what is written reads back");
        let refused = read(&format!(": {}", rows.replace('\n', "\n: "))).unwrap_err();
        assert!(refused.contains("7 lines of 8 cards look like the rows of a deal"), "{refused}");
        // Other decks and tables: thirteen rows of four; six rows of ten.
        let deck: Vec<String> = (0..DECK).map(|i| Card::from_index(i).to_string()).collect();
        for columns in [4, 10] {
            let rules = Rules { columns, ..Rules::default() };
            let rows: Vec<String> = deck.chunks(columns.into()).map(|row| row.join(" ")).collect();
            let layout = parse(&rows.join("\n"), &rules).unwrap();
            assert_eq!(layout.columns[1][1].index(), 1 + usize::from(columns));
            assert_eq!(parse(&layout.text(), &rules).unwrap(), layout);
        }
    }

    #[test]
    fn files_have_several_boards() {
        let head = "Foundations: H-0 C-0 D-0 S-0\nFreecells: - - - -\n\n";
        let file = format!("{DEAL_1}\n\n# named\n{DEAL_1}\n\n617\n\n{head}{DEAL_1}\n\n{DEAL_1}\n");
        let pieces = split(&file);
        let ids: Vec<_> = pieces.iter().map(|piece| (&*piece.id, piece.line)).collect();
        assert_eq!(ids, [("1", 1), ("named", 11), ("617", 20), ("4", 22), ("5", 34)]);
        for piece in pieces {
            let text = read(&piece.text).unwrap().text();
            assert_eq!(text == DEAL_1, piece.id != "617", "{}", piece.id);
        }
    }

    proptest! {
        #[test]
        fn arbitrary_boards_are_no_panic(text in "(\\PC|\n){0,200}") {
            let _ = read(&text);
        }
        #[test]
        fn boards_in_play_are_no_panic(text in "[A2-9TJQKCDSH0:#\\- \nfound]{0,120}") {
            let _ = read(&text);
        }
        #[test]
        fn files_are_no_panic(text in "([AK0][CDSH] |:|#|\n|\n\n|FC|Founds: |617|,){0,40}") {
            for piece in split(&text) {
                let _ = read(&piece.text);
            }
        }
    }
}
