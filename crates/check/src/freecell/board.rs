//! Reading a board, or the number of a Microsoft deal.

use super::cards::{Card, SUITS, Suit, rank_text, read_rank};
use crate::{CheckError, spec::Options};

/// The options of the puzzle's spec.
pub(super) struct Rules {
    pub(super) cells: usize,
    pub(super) columns: usize,
    /// The last rank of each suit.
    pub(super) ranks: u8,
    /// Whether only one card may move at once.
    pub(super) single: bool,
    /// Whether safe cards move home automatically.
    pub(super) autoplay: bool,
}

/// Positions of all cards.
pub(super) struct Board {
    /// The last rank on each foundation, in the order of `SUITS`; 0 if it is empty.
    pub(super) foundations: [u8; 4],
    pub(super) cells: Vec<Option<Card>>,
    /// Columns from the left, each from the buried card to the one on top.
    pub(super) columns: Vec<Vec<Card>>,
}

const LAST_DEAL: u64 = 8_589_934_591;

pub(super) fn read_rules(options: &Options) -> Result<Rules, CheckError> {
    let mut rules = Rules { cells: 4, columns: 8, ranks: 13, single: false, autoplay: false };
    for (key, value) in options {
        match (key.as_str(), value.as_str()) {
            ("cells", value) => rules.cells = within(key, value, 0, 8)?.into(),
            ("columns", value) => rules.columns = within(key, value, 4, 10)?.into(),
            ("ranks", value) => rules.ranks = within(key, value, 1, 13)?,
            ("moves", "sequence") => rules.single = false,
            ("moves", "single") => rules.single = true,
            ("moves", other) => {
                return Err(CheckError::Puzzle(format!(
                    "the moves of freecell are sequence or single, not `{other}`"
                )));
            }
            ("autoplay", "written") => rules.autoplay = false,
            ("autoplay", "safe") => rules.autoplay = true,
            ("autoplay", other) => {
                return Err(CheckError::Puzzle(format!(
                    "the autoplay of freecell is written or safe, not `{other}`"
                )));
            }
            (other, _) => {
                return Err(CheckError::Puzzle(format!("freecell has no parameter `{other}`")));
            }
        }
    }
    Ok(rules)
}

fn within(key: &str, value: &str, least: u8, most: u8) -> Result<u8, CheckError> {
    let digits = value.chars().all(|c| c.is_ascii_digit());
    match value.parse() {
        Ok(number) if digits && (least..=most).contains(&number) => Ok(number),
        _ => Err(CheckError::Puzzle(format!(
            "the {key} of freecell are {least} to {most}, not `{value}`"
        ))),
    }
}

pub(super) fn read(rules: &Rules, instance: &str) -> Result<Board, CheckError> {
    let board = match read_deal_number(instance)? {
        Some(_) if rules.ranks != 13 => {
            return Err(CheckError::Instance(format!(
                "a Microsoft deal has 13 ranks, but {} are set",
                rules.ranks
            )));
        }
        Some(number) => deal(rules, number),
        None => read_lines(rules, instance)?,
    };
    count_cards(rules, &board)?;
    Ok(board)
}

/// The number of a deal, if the text is only that.
fn read_deal_number(instance: &str) -> Result<Option<u64>, CheckError> {
    let text = instance.trim();
    let word = |word: &str| word.eq_ignore_ascii_case("deal");
    let (named, number) = match text.split_once(char::is_whitespace) {
        Some((first, rest)) if word(first) => (true, rest.trim()),
        _ => (false, text.strip_prefix('#').unwrap_or(text).trim()),
    };
    let digits = number.strip_prefix('-').unwrap_or(number);
    if digits.is_empty() || digits.contains(|c: char| !c.is_ascii_digit()) {
        return if named {
            Err(CheckError::Instance(format!(
                "expected the number of the deal after `deal`, found `{}`",
                clip(number)
            )))
        } else {
            Ok(None)
        };
    }
    match number.parse() {
        Ok(number) if (1..=LAST_DEAL).contains(&number) => Ok(Some(number)),
        _ => Err(CheckError::Instance(format!(
            "there is no deal {}: they are numbered 1 to {LAST_DEAL}",
            clip(number)
        ))),
    }
}

/// Deals the whole deck as Microsoft's FreeCell does, for any number of columns.
fn deal(rules: &Rules, number: u64) -> Board {
    let mut deck = Vec::with_capacity(52);
    for rank in 1..=13 {
        for suit in [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades] {
            deck.push(Card { rank, suit });
        }
    }
    // Numbers beyond 32 bits start again at 0, with another way of drawing.
    let mut state = number % (1 << 32);
    let mut columns: Vec<Vec<Card>> = Vec::new();
    // The capacity suffices for the sequences that will grow on the cards.
    columns.resize_with(rules.columns, || Vec::with_capacity(24));
    for i in 0..52 {
        state = (state * 214_013 + 2_531_011) % (1 << 32);
        let random = if number < 1 << 31 {
            (state >> 16) % 0x8000
        } else if number < 1 << 32 {
            (state >> 16) % 0x8000 + 0x8000
        } else {
            (state >> 16) + 1
        };
        let drawn = random % deck.len() as u64;
        // The last card of the deck moves to the position of the dealt card.
        columns[i % rules.columns].push(deck.swap_remove(drawn as usize));
    }
    Board { foundations: [0; 4], cells: vec![None; rules.cells], columns }
}

fn read_lines(rules: &Rules, instance: &str) -> Result<Board, CheckError> {
    let mut foundations = None;
    let mut cells = None;
    let mut columns = Vec::new();
    let mut started = false;
    let mut blank = None;
    for (i, line) in instance.lines().enumerate() {
        let (number, line) = (i + 1, line.trim());
        let error = |why: String| CheckError::Instance(format!("line {number}: {why}"));
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            blank = blank.or(started.then_some(number));
            continue;
        }
        if let Some(blank) = blank {
            return Err(CheckError::Instance(format!(
                "line {blank} is blank; write `:` for an empty column"
            )));
        }
        started = true;
        match line.split_once(':') {
            Some((label, rest)) if is_one_of(label, ["Foundations", "Founds"]) => {
                if foundations.is_some() || cells.is_some() || !columns.is_empty() {
                    return Err(error(
                        "expected one line of foundations, before all other lines".into(),
                    ));
                }
                foundations = Some(read_foundations(rules, rest).map_err(error)?);
            }
            Some((label, rest)) if is_one_of(label, ["Freecells", "FC"]) => {
                if cells.is_some() || !columns.is_empty() {
                    return Err(error("expected one line of cells, before the columns".into()));
                }
                cells = Some(read_cells(rules, rest).map_err(error)?);
            }
            _ => {
                let words = line.strip_prefix(':').unwrap_or(line).split_whitespace();
                let cards: Result<Vec<Card>, String> =
                    words.map(|word| read_card(rules, word)).collect();
                columns.push(cards.map_err(error)?);
            }
        }
    }
    if columns.len() > rules.columns {
        return Err(CheckError::Instance(format!(
            "{} columns, but {} are set",
            columns.len(),
            rules.columns
        )));
    }
    columns.resize(rules.columns, Vec::new());
    Ok(Board {
        foundations: foundations.unwrap_or([0; 4]),
        cells: cells.unwrap_or_else(|| vec![None; rules.cells]),
        columns,
    })
}

fn is_one_of(label: &str, known: [&str; 2]) -> bool {
    known.iter().any(|known| label.eq_ignore_ascii_case(known))
}

fn read_card(rules: &Rules, word: &str) -> Result<Card, String> {
    match Card::read(word) {
        None => Err(format!("`{}` is no card", clip(word))),
        Some(card) if card.rank > rules.ranks => {
            Err(format!("{card} is no card of this deck, which ends at {}", rank_text(rules.ranks)))
        }
        Some(card) => Ok(card),
    }
}

fn read_foundations(rules: &Rules, entries: &str) -> Result<[u8; 4], String> {
    let mut foundations = [None; 4];
    for entry in entries.split_whitespace() {
        let Some((suit, rank)) = read_foundation(entry) else {
            return Err(format!(
                "`{}` is no foundation; they look like H-0, C-2, D-A or S-T",
                clip(entry)
            ));
        };
        if rank > rules.ranks {
            return Err(format!(
                "the {} are at {}, but this deck ends at {}",
                suit.name(),
                rank_text(rank),
                rank_text(rules.ranks)
            ));
        }
        if foundations[suit as usize].replace(rank).is_some() {
            return Err(format!("the foundation of {} occurs twice", suit.name()));
        }
    }
    Ok(foundations.map(|rank| rank.unwrap_or(0)))
}

fn read_foundation(entry: &str) -> Option<(Suit, u8)> {
    let mut chars = entry.chars();
    let suit = Suit::read(chars.next()?)?;
    match chars.as_str().strip_prefix('-')? {
        "0" => Some((suit, 0)),
        rank => Some((suit, read_rank(rank)?)),
    }
}

fn read_cells(rules: &Rules, entries: &str) -> Result<Vec<Option<Card>>, String> {
    let mut cells = Vec::new();
    for entry in entries.split_whitespace() {
        cells.push(match entry {
            "-" => None,
            card => Some(read_card(rules, card)?),
        });
    }
    if cells.len() > rules.cells {
        return Err(format!("{} cells, but {} are set", cells.len(), rules.cells));
    }
    cells.resize(rules.cells, None);
    Ok(cells)
}

/// Checks that every card of the deck occurs once.
fn count_cards(rules: &Rules, board: &Board) -> Result<(), CheckError> {
    let mut times = [[0_u64; 13]; 4];
    for suit in SUITS {
        for rank in 1..=board.foundations[suit as usize] {
            times[suit as usize][usize::from(rank) - 1] += 1;
        }
    }
    let in_cells = board.cells.iter().flatten();
    for card in in_cells.chain(board.columns.iter().flatten()) {
        times[card.suit as usize][usize::from(card.rank) - 1] += 1;
    }
    let mut missing = Vec::new();
    for suit in SUITS {
        for rank in 1..=rules.ranks {
            let card = Card { rank, suit };
            match times[suit as usize][usize::from(rank) - 1] {
                0 => missing.push(card),
                1 => {}
                times => {
                    return Err(CheckError::Instance(format!("{card} occurs {times} times")));
                }
            }
        }
    }
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let there = times.iter().flatten().sum::<u64>();
    let cards = if there == 1 { "card" } else { "cards" };
    let more = match missing.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(CheckError::Instance(format!("{there} {cards}: {first} is missing{more}")))
}

fn clip(text: &str) -> String {
    text.chars().take(20).collect()
}
