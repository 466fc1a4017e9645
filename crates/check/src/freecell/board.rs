//! Reading a board, or the number of a Microsoft deal.

use super::cards::{Card, SUITS, Suit, rank_text, read_rank};
use crate::{
    CheckError,
    spec::{Options, unknown},
    text::{self, count, lines, start},
};

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
        let wrong = |rule: &str| CheckError::Puzzle(format!("{rule}, not `{value}`"));
        let within = |least: u8, most: u8| {
            let number = text::number(value).filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| wrong(&format!("the {key} of freecell are {least} to {most}")))
        };
        match (key.as_str(), value.as_str()) {
            ("cells", _) => rules.cells = within(0, 8)?.into(),
            ("columns", _) => rules.columns = within(4, 10)?.into(),
            ("ranks", _) => rules.ranks = within(1, 13)?,
            ("moves", "sequence" | "single") => rules.single = value == "single",
            ("moves", _) => return Err(wrong("the moves of freecell are sequence or single")),
            ("autoplay", "written" | "safe") => rules.autoplay = value == "safe",
            ("autoplay", _) => return Err(wrong("the autoplay of freecell is written or safe")),
            _ => return Err(unknown("freecell has", key)),
        }
    }
    Ok(rules)
}

pub(super) fn read(rules: &Rules, instance: &str) -> Result<Board, String> {
    let board = match read_deal_number(instance)? {
        Some(_) if rules.ranks != 13 => {
            let ranks = rules.ranks;
            return Err(format!("a Microsoft deal has 13 ranks, but {ranks} are set"));
        }
        Some(number) => deal(rules, number),
        None => read_lines(rules, instance)?,
    };
    count_cards(rules, &board)?;
    Ok(board)
}

/// The number of a deal, if the text is only that.
fn read_deal_number(instance: &str) -> Result<Option<u64>, String> {
    let text = instance.trim();
    let (named, number) = match text.split_once(char::is_whitespace) {
        Some((first, rest)) if first.eq_ignore_ascii_case("deal") => (true, rest.trim()),
        _ => (false, text.strip_prefix('#').unwrap_or(text).trim()),
    };
    let shown = || start(number, 20);
    if !text::is_number(number.strip_prefix('-').unwrap_or(number)) {
        let wrong = || format!("expected the number of the deal after `deal`, found `{}`", shown());
        return if named { Err(wrong()) } else { Ok(None) };
    }
    let number = number.parse().ok().filter(|number| (1..=LAST_DEAL).contains(number));
    let wrong = || format!("there is no deal {}: they are numbered 1 to {LAST_DEAL}", shown());
    number.ok_or_else(wrong).map(Some)
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

fn read_lines(rules: &Rules, instance: &str) -> Result<Board, String> {
    let (mut foundations, mut cells) = (None, None);
    let mut columns: Vec<Vec<Card>> = Vec::new();
    for line in lines(instance) {
        if let Some(blank) = line.blank {
            return Err(format!("line {blank} is blank; write `:` for an empty column"));
        }
        let error = |why: String| format!("line {}: {why}", line.number);
        match line.text.split_once(':') {
            Some((label, rest)) if is_one_of(label, ["Foundations", "Founds"]) => {
                if foundations.is_some() || cells.is_some() || !columns.is_empty() {
                    let why = "expected one line of foundations, before all other lines";
                    return Err(error(why.to_owned()));
                }
                foundations = Some(read_foundations(rules, rest).map_err(error)?);
            }
            Some((label, rest)) if is_one_of(label, ["Freecells", "FC"]) => {
                if cells.is_some() || !columns.is_empty() {
                    let why = "expected one line of cells, before the columns";
                    return Err(error(why.to_owned()));
                }
                cells = Some(read_cells(rules, rest).map_err(error)?);
            }
            _ => {
                let words = line.text.strip_prefix(':').unwrap_or(line.text).split_whitespace();
                let cards: Result<_, String> = words.map(|word| read_card(rules, word)).collect();
                columns.push(cards.map_err(error)?);
            }
        }
    }
    if columns.len() > rules.columns {
        return Err(format!("{} columns, but {} are set", columns.len(), rules.columns));
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
    let card = Card::read(word).ok_or_else(|| format!("`{}` is no card", start(word, 20)))?;
    if card.rank > rules.ranks {
        let last = rank_text(rules.ranks);
        return Err(format!("{card} is no card of this deck, which ends at {last}"));
    }
    Ok(card)
}

fn read_foundations(rules: &Rules, entries: &str) -> Result<[u8; 4], String> {
    let mut foundations = [None; 4];
    for entry in entries.split_whitespace() {
        let (suit, rank) = read_foundation(entry).ok_or_else(|| {
            let entry = start(entry, 20);
            format!("`{entry}` is no foundation; they look like H-0, C-2, D-A or S-T")
        })?;
        let (name, end) = (suit.name(), rank_text(rules.ranks));
        if rank > rules.ranks {
            let rank = rank_text(rank);
            return Err(format!("the {name} are at {rank}, but this deck ends at {end}"));
        }
        if foundations[suit as usize].replace(rank).is_some() {
            return Err(format!("the foundation of {name} occurs twice"));
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
    let cell = |entry| if entry == "-" { Ok(None) } else { read_card(rules, entry).map(Some) };
    let mut cells = entries.split_whitespace().map(cell).collect::<Result<Vec<_>, _>>()?;
    if cells.len() > rules.cells {
        return Err(format!("{} cells, but {} are set", cells.len(), rules.cells));
    }
    cells.resize(rules.cells, None);
    Ok(cells)
}

/// Checks that every card of the deck occurs once.
fn count_cards(rules: &Rules, board: &Board) -> Result<(), String> {
    let home = SUITS.into_iter().flat_map(|suit| {
        let ranks = 1..=board.foundations[suit as usize];
        ranks.map(move |rank| Card { rank, suit })
    });
    let in_cells = board.cells.iter().flatten().copied();
    let in_columns = board.columns.iter().flatten().copied();
    // How often each card occurs, by suit and rank.
    let mut times = [[0; 14]; 4];
    for card in home.chain(in_cells).chain(in_columns) {
        times[card.suit as usize][usize::from(card.rank)] += 1;
    }
    let mut missing = Vec::new();
    for suit in SUITS {
        for rank in 1..=rules.ranks {
            let card = Card { rank, suit };
            match times[suit as usize][usize::from(rank)] {
                0 => missing.push(card),
                1 => {}
                times => return Err(format!("{card} occurs {times} times")),
            }
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let cards = count(times.iter().flatten().sum(), "card", "cards");
    match missing[..] {
        [] => Ok(()),
        [card] => Err(format!("{cards}: {card} is missing")),
        [first, ..] => Err(format!("{cards}: {first} is missing, and {} more", missing.len() - 1)),
    }
}
