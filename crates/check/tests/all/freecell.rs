//! FreeCell: right solutions, the deals by number, and every way in which a board or a move can be
//! wrong.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::LazyLock,
};
use unriddle_check::{CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify};

/// A whole solution of deal 1, found by a program that has nothing in common with this one.
const DEAL_1: &str = "6a 6b 6h 63 7c 76 7d 7h bh 67 56 52 87 8b 3h 3h 83 8h 8h 5h 8h 4h 68v1 6h c6v1 \
    b6 16 13 1b 1h 1h 41 24 2c 25 2h 8h 71 bh 78v2 7h c7v1 67 6h 56v2 5h 57 2b 2c 2h ah dh 7h 32v3 4h \
    4h 2h 3h 3a 31 36 3h 4h 1d 1h 1h 4h 43v1 4h 4h 7h 2h 7h 2h 7h 8h 8h dh 6h ah 6h 6h 1h 1a 1h 3h ah \
    bh ch";

/// Three ranks in four columns, with one cell.
const SMALL: &str = "freecell(cells=1, columns=4, ranks=3)";
const SMALL_BOARD: &str = "AH 2C 3D\nAC 2H 3S\nAD 2S 3C\nAS 2D 3H";
static SMALL_PATH: LazyLock<String> =
    LazyLock::new(|| solve(SMALL, SMALL_BOARD).expect("solvable"));

/// The seven ranks of the boards for single moves.
const SEVEN: &str = "freecell(cells=2, columns=5, ranks=7)";

/// A shortest solution by a search that knows nothing of the crate's inside.
fn solve(puzzle: &str, instance: &str) -> Option<String> {
    let mut seen = HashSet::from([instance.to_owned()]);
    let mut queue = VecDeque::from([(instance.to_owned(), String::new())]);
    while let Some((state, path)) = queue.pop_front() {
        if is_goal(puzzle, &state).ok()? {
            return Some(path);
        }
        for action in legal_actions(puzzle, &state).ok()? {
            let next = apply(puzzle, &state, &action).ok()?;
            if seen.insert(next.clone()) {
                queue.push_back((next, format!("{path} {action}")));
            }
        }
    }
    None
}

fn why(puzzle: &str, instance: &str, solution: &str) -> String {
    verify(puzzle, instance, solution).expect_err("this is wrong").to_string()
}

/// Only the reason for which an action is illegal.
fn refusal(puzzle: &str, instance: &str, action: &str) -> String {
    match apply(puzzle, instance, action) {
        Err(CheckError::Illegal { why, .. }) => why,
        other => panic!("{action}: {other:?}"),
    }
}

fn after(puzzle: &str, instance: &str, action: &str) -> String {
    apply(puzzle, instance, action).unwrap_or_else(|error| panic!("{action}: {error}"))
}

/// Seven ranks with some of the cards in the cells: column 1 is 6H 5S 4H, column 2 is 7S, column 3
/// is 4D, column 4 is empty, and column 5 holds the rest, with no sequence at its end.
fn middle(cells: &str) -> String {
    let in_cells: Vec<&str> = cells.split(' ').collect();
    let rest = "6C 6S 5C 6D 7H 7C 7D 5H 5D".split(' ');
    let rest: Vec<&str> = rest.filter(|card| !in_cells.contains(card)).collect();
    format!(
        "Foundations: H-3 C-4 D-3 S-4\nFreecells: {cells}\n6H 5S 4H\n7S\n4D\n:\n{}",
        rest.join(" ")
    )
}

#[test]
fn a_whole_deal() {
    let verdict = Verdict { value: 89, length: 89 };
    assert_eq!(verify("freecell", "1", DEAL_1), Ok(verdict));
    assert_eq!(verify("freecell", "1", &DEAL_1.to_uppercase().replace(' ', "\n")), Ok(verdict));
    let spec = "freecell(cells=4, columns=8, ranks=13, moves=sequence)";
    assert_eq!(verify(spec, "# 1", DEAL_1), Ok(verdict));
    // The tenth word moves two cards at once.
    assert_eq!(
        why("freecell(moves=single)", "1", DEAL_1),
        "move 10 (`67`) is illegal: 2 cards would have to move, but cards move singly"
    );
    assert_eq!(
        why("freecell(cells=3)", "1", DEAL_1),
        "move 7 (`7d`) is illegal: there is no cell d, only 3 cells"
    );
}

#[test]
fn safe_cards_may_go_home_unwritten() {
    let board = "3C 2D AC\n3H 2S AD\n3S 2H AS\n3D 2C AH";
    let all = Ok(Verdict { value: 12, length: 12 });
    let safe = "freecell(columns=4, ranks=3, autoplay=safe)";
    assert_eq!(verify(safe, board, ""), all);
    assert!(verify("freecell(columns=4, ranks=3)", board, "").is_err());
    // The aces and the twos are home before the first word, and with them all the rest.
    assert_eq!(why(safe, board, "1a"), "move 1 (`1a`) is illegal: column 1 is empty");
    // A three is not safe, nor does it go home, while the aces of the other colour are out.
    let board = "3C 2D\n3H 2S AD\n3S 2H AS 2C\nAC 3D AH";
    assert_eq!(
        why(safe, board, ""),
        "after 3 moves the goal is not reached: hearts stand at AH, clubs at 0, diamonds at 2D, and spades at 0"
    );
    let all = Ok(Verdict { value: 13, length: 13 });
    assert_eq!(verify(safe, board, "4a"), all);
}

#[test]
fn leaving_out_any_word_is_seen() {
    let words: Vec<&str> = DEAL_1.split_whitespace().collect();
    for i in 0..words.len() {
        let mut shorter = words.clone();
        shorter.remove(i);
        assert!(verify("freecell", "1", &shorter.join(" ")).is_err(), "without word {i}");
    }
    assert_eq!(
        why("freecell", "1", "6a 6b 6h 63"),
        "after 4 moves the goal is not reached: hearts stand at 0, clubs at AC, diamonds at 0, and spades at 0"
    );
    assert_eq!(
        why("freecell", "1", &words[..88].join(" ")),
        "after 88 moves the goal is not reached: clubs stand at QC"
    );
    assert_eq!(
        why("freecell", "1", &words[..87].join(" ")),
        "after 87 moves the goal is not reached: clubs stand at QC, and spades at QS"
    );
}

#[test]
fn reduced_decks_are_solved_by_search() {
    let path = SMALL_PATH.as_str();
    let verdict = verify(SMALL, SMALL_BOARD, path).expect("a solution");
    assert_eq!(verdict.value, verdict.length as i64);
    assert_eq!(verdict.length, path.split_whitespace().count() as u64);
    // At least every card has to go home.
    assert!(verdict.length >= 12);
    // Single moves: never shorter, and right under the other rules as well.
    let board = "2H AC\n2C AD\n2S AS\n2D AH";
    let (both, single) = (
        "freecell(cells=0, columns=5, ranks=2)",
        "freecell(cells=0, columns=5, ranks=2, moves=single)",
    );
    let fast = solve(both, board).and_then(|path| verify(both, board, &path).ok());
    let slow = solve(single, board).expect("solvable");
    let slow_verdict = verify(single, board, &slow).expect("a solution");
    assert!(fast.is_some_and(|fast| fast.length <= slow_verdict.length));
    assert_eq!(verify(both, board, &slow), Ok(slow_verdict));
    // Without cells the aces under the deuces are out of reach.
    let bare = "freecell(cells=0, columns=4, ranks=2)";
    assert_eq!(solve(bare, "AH 2C\nAC 2H\nAD 2S\nAS 2D"), None);
    assert_eq!(
        verify(bare, "2H AH\n2C AC\n2D AD\n2S AS", "1h 2h 3h 4h 1h 2h 3h 4h").map(|v| v.value),
        Ok(8)
    );
}

#[test]
fn every_corruption_of_a_shortest_solution_is_seen() {
    let path = SMALL_PATH.as_str();
    let words: Vec<&str> = path.split_whitespace().collect();
    for i in 0..words.len() {
        let mut shorter = words.clone();
        shorter.remove(i);
        assert!(verify(SMALL, SMALL_BOARD, &shorter.join(" ")).is_err());
    }
    assert!(verify(SMALL, SMALL_BOARD, &format!("{path} 1h")).is_err());
}

#[test]
fn the_finished_position() {
    let end = "Foundations: H-K C-K D-K S-K\nFreecells: - - - -\n:\n:\n:\n:\n:\n:\n:\n:";
    assert_eq!(goal("freecell", "1"), Ok(Some(end.to_owned())));
    assert_eq!(is_goal("freecell", end), Ok(true));
    assert_eq!(is_goal("freecell", "founds: h-k c-k d-k s-k"), Ok(true));
    assert_eq!(is_goal("freecell", "1"), Ok(false));
    assert_eq!(verify("freecell", end, "").map(|v| v.length), Ok(0));
    assert_eq!(
        goal("freecell(cells=0, columns=4, ranks=1)", "AH AC AD AS"),
        Ok(Some("Foundations: H-A C-A D-A S-A\nFreecells:\n:\n:\n:\n:".to_owned()))
    );
}

#[test]
fn deals_by_number() {
    // The first columns, of numbers of 31, 32 and 33 bits.
    for (deal, first, last) in [
        ("1", "JD KD 2S 4C 3S 6D 6S", "5H 3H 3C 7S 7D TC"),
        ("617", "7D TD TH KD 4C 4S JD", "AH KH TC JS 2S QH"),
        ("2147483648", "QH 3H 7D 4D TS QD 6D", "8C 9H QS JS 9D KD"),
        ("4294967296", "TS 3S KC 4H 9H 3H 4D", "6D 4C QS JS 8H AC"),
        ("8589934591", "TC 8S 8C 6C 5H 5C 9C", "7C KS 8H 3C AC 7S"),
    ] {
        // The last card goes to a cell, so that the text is to be seen.
        for text in [
            deal.to_owned(),
            format!("#{deal}"),
            format!(" # {deal}\n"),
            format!("deal {deal}"),
            format!("Deal\t{deal} "),
        ] {
            let text = after("freecell", &text, "8a");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), 10);
            assert_eq!(lines[0], "Foundations: H-0 C-0 D-0 S-0");
            let (rest, card) = last.rsplit_once(' ').expect("six cards");
            assert_eq!(lines[1], format!("Freecells: {card} - - -"));
            assert_eq!((lines[2], lines[9]), (first, rest));
        }
    }
    // In other numbers of columns the same cards go round.
    for columns in 4..=10 {
        let puzzle = format!("freecell(columns={columns})");
        let text = after(&puzzle, "1", "1a");
        let ends: Vec<&str> = text.lines().skip(2).map(|line| &line[..2]).collect();
        let order = ["JD", "2D", "9H", "JC", "5D", "7H", "7C", "5H", "KD", "KC"];
        assert_eq!(ends, order[..columns], "{columns}");
    }
}

#[test]
fn numbers_that_are_no_deal() {
    for (text, message) in [
        ("0", "there is no deal 0: they are numbered 1 to 8589934591"),
        ("#-3", "there is no deal -3: they are numbered 1 to 8589934591"),
        ("deal 8589934592", "there is no deal 8589934592: they are numbered 1 to 8589934591"),
        (
            "123456789012345678901234567890",
            "there is no deal 12345678901234567890: they are numbered 1 to 8589934591",
        ),
        ("deal one", "expected the number of the deal after `deal`, found `one`"),
        ("+5", "line 1: `+5` is no card"),
        ("617 618", "line 1: `617` is no card"),
    ] {
        assert_eq!(why("freecell", text, ""), format!("instance: {message}"));
    }
    assert_eq!(
        why("freecell(ranks=12)", "617", ""),
        "instance: a Microsoft deal has 13 ranks, but 12 are set"
    );
}

#[test]
fn boards_in_every_spelling() {
    let plain = "2H AC\n2C AD\n2S AS\n2D AH";
    let puzzle = "freecell(cells=2, columns=4, ranks=2)";
    let expected = after(puzzle, plain, "1a");
    for text in [
        ": 2H AC\n: 2C AD\n:2S AS\n2D AH",
        "\n\n# a comment\n2h ac\n  2c ad\r\n#another\n2s\tas\n2d ah\n\n",
        "Foundations:\nFreecells:\n2H AC\n2C AD\n2S AS\n2D AH",
        "FOUNDS: h-0 S-0\nfc: - -\n2H AC\n2C AD\n2S AS\n2D AH",
        "FC: -\n2H AC\n2C AD\n2S AS\n2D AH",
    ] {
        assert_eq!(after(puzzle, text, "1a"), expected, "{text}");
    }
    assert_eq!(expected, "Foundations: H-0 C-0 D-0 S-0\nFreecells: AC -\n2H\n2C AD\n2S AS\n2D AH");
    // Only the columns are written as long as nothing is in the cells and on the foundations.
    let in_cell = "FC: AC\n2H\n2C AD\n2S AS\n2D AH";
    assert_eq!(after(puzzle, in_cell, "a1"), plain);
    // Tens, and columns that are not written.
    let tens = "freecell(ranks=10)";
    let board = "Founds: H-9 S-10 C-T D-9\nFC: 10h\n:\n: 10D";
    assert_eq!(
        after(tens, board, "ah"),
        "Foundations: H-T C-T D-9 S-T\nFreecells: - - - -\n:\nTD\n:\n:\n:\n:\n:\n:"
    );
    assert_eq!(verify(tens, board, "ah 2h").map(|v| v.value), Ok(2));
}

#[test]
fn texts_that_are_no_board() {
    let all = "AH AC AD AS 2H 2C 2D 2S";
    for (text, message) in [
        ("", "0 cards: AH is missing, and 7 more".to_owned()),
        ("AH", "1 card: 2H is missing, and 6 more".to_owned()),
        ("AH AC AD AS 2H 2C 2D", "7 cards: 2S is missing".to_owned()),
        ("AH AC AD AS 2H 2C 2D 2D", "2D occurs 2 times".to_owned()),
        ("FC: AS\nAS\nAH AC AD AS 2H 2C 2D 2D", "2D occurs 2 times".to_owned()),
        (&format!("FC: AS\nAS\n{all}"), "AS occurs 3 times".to_owned()),
        (&format!("Foundations: S-A\n{all}"), "AS occurs 2 times".to_owned()),
        ("Foundations: S-2\nAH AC AD 2H 2C 2D AS", "AS occurs 2 times".to_owned()),
        (&format!("{all} 3H"), "line 1: 3H is no card of this deck, which ends at 2".to_owned()),
        (
            &format!("FC: KS\n{all}"),
            "line 1: KS is no card of this deck, which ends at 2".to_owned(),
        ),
        (&format!("{all}\nAX"), "line 2: `AX` is no card".to_owned()),
        (&format!("{all}\n1H"), "line 2: `1H` is no card".to_owned()),
        (&format!("{all}\n-"), "line 2: `-` is no card".to_owned()),
        (&format!("{all}\n::"), "line 2: `:` is no card".to_owned()),
        (&format!("Cells: -\n{all}"), "line 1: `Cells:` is no card".to_owned()),
        (&format!("Ä♥ {all}"), "line 1: `Ä♥` is no card".to_owned()),
        (&format!("{all}\n:\n:\n:\n:"), "5 columns, but 4 are set".to_owned()),
        (&format!("{all}\n\n:\n"), "line 2 is blank; write `:` for an empty column".to_owned()),
        (&format!("FC:\n#\n\n{all}"), "line 3 is blank; write `:` for an empty column".to_owned()),
        (&format!("FC: - - -\n{all}"), "line 1: 3 cells, but 2 are set".to_owned()),
        (
            &format!("Foundations: H-3\n{all}"),
            "line 1: the hearts are at 3, but this deck ends at 2".to_owned(),
        ),
        (
            &format!("Foundations: H-0 h-0\n{all}"),
            "line 1: the foundation of hearts occurs twice".to_owned(),
        ),
        (
            &format!("Foundations: H0\n{all}"),
            "line 1: `H0` is no foundation; they look like H-0, C-2, D-A or S-T".to_owned(),
        ),
        (
            &format!("Foundations: H-1\n{all}"),
            "line 1: `H-1` is no foundation; they look like H-0, C-2, D-A or S-T".to_owned(),
        ),
        (
            &format!("FC:\nFoundations: H-0\n{all}"),
            "line 2: expected one line of foundations, before all other lines".to_owned(),
        ),
        (
            &format!("Founds:\nFounds:\n{all}"),
            "line 2: expected one line of foundations, before all other lines".to_owned(),
        ),
        (
            &format!("FC:\nFC:\n{all}"),
            "line 2: expected one line of cells, before the columns".to_owned(),
        ),
        (
            &format!("{all}\nFC:"),
            "line 2: expected one line of cells, before the columns".to_owned(),
        ),
    ] {
        assert_eq!(
            why("freecell(cells=2, columns=4, ranks=2)", text, ""),
            format!("instance: {message}"),
            "{text}"
        );
    }
}

#[test]
fn moves_onto_cards_and_home() {
    let start = middle("- -");
    // The number follows from the cards: 6H 5S 4H onto 7S, which takes two free cells.
    let moved = "Foundations: H-3 C-4 D-3 S-4\nFreecells: - -\n:\n7S 6H 5S 4H\n4D\n:\n";
    for action in ["12", "12v3", "12V3"] {
        assert!(after(SEVEN, &start, action).starts_with(moved), "{action}");
    }
    for (action, reason) in [
        ("12v2", "3 cards fit on 7S, 6H first, not 2"),
        ("12vd", "3 cards fit on 7S, 6H first, not 13"),
        ("13", "none of 6H 5S 4H fits on 4D, only 3C or 3S does"),
        ("21", "7S does not fit on 4H, only 3C or 3S does"),
        ("41", "column 4 is empty"),
        ("a1", "cell a is empty"),
        ("11", "source and destination are the same"),
        ("aa", "source and destination are the same"),
        ("hh", "source and destination are the same"),
        ("h1", "no card leaves the foundations"),
        ("61", "there is no column 6, only 5 columns"),
        ("10", "there is no column 10, only 5 columns"),
        ("c1", "there is no cell c, only 2 cells"),
        ("1i", "there is no cell i, only 2 cells"),
        ("2h", "the spades need 5S next, not 7S"),
        ("1hv1", "a move to home takes no count of cards"),
        ("1av1", "a move to cell a takes no count of cards"),
    ] {
        assert_eq!(refusal(SEVEN, &start, action), reason, "{action}");
    }
    let home = after(SEVEN, &start, "1h");
    assert!(home.starts_with("Foundations: H-4 C-4 D-3 S-4\nFreecells: - -\n6H 5S\n"));
    assert!(after(SEVEN, &home, "1H").starts_with("Foundations: H-4 C-4 D-3 S-5\n"));
    // With cells that are taken.
    let full = middle("6S 5H");
    for (action, reason) in [
        ("1a", "cell a is taken by 6S"),
        ("1b", "cell b is taken by 5H"),
        ("ab", "a card cannot go from cell to cell"),
        ("a2", "6S does not fit on 7S, only 6H or 6D does"),
        ("ah", "the spades need 5S next, not 6S"),
        ("12", "3 cards would have to move, but with 0 free cells and 1 empty column 2 can"),
    ] {
        assert_eq!(refusal(SEVEN, &full, action), reason, "{action}");
    }
    // The order of cells is kept, and the card that is put into a cell leaves it again.
    let one = after(SEVEN, &start, "3b");
    assert!(one.contains("\nFreecells: - 4D\n"));
    assert_eq!(after(SEVEN, &one, "b3"), start);
    assert!(after(SEVEN, &one, "bh").starts_with("Foundations: H-3 C-4 D-4 S-4\nFreecells: - -\n"));
    let limit = "3 cards would have to move, but with 1 free cell and 0 empty columns 2 can";
    let filled = after(SEVEN, &middle("- 5H"), "24");
    assert!(filled.contains("\n:\n4D\n7S\n"), "{filled}");
    assert_eq!(refusal(SEVEN, &after(SEVEN, &filled, "52"), "14"), limit);
    // A single card fits with its number or without.
    let cell = "Founds: H-3 C-4 D-3 S-4\nFC: 4H\n6H\n7S\n4D\n5S\n5C 6C 7H 7C 5H 6S 7D 5D 6D";
    assert_eq!(after(SEVEN, cell, "a4"), after(SEVEN, cell, "a4v1"));
    assert_eq!(refusal(SEVEN, cell, "a4v2"), "1 card fits on 5S, 4H first, not 2");
    let aces = "2H AC\n2C AD\n2S AS\n2D AH";
    assert_eq!(
        refusal("freecell(columns=4, ranks=2)", aces, "32"),
        "AS does not fit on AD, nothing does"
    );
    assert_eq!(
        refusal("freecell(columns=4, ranks=2, cells=0)", aces, "1a"),
        "there is no cell a, only 0 cells"
    );
}

#[test]
fn moves_into_an_empty_column() {
    let start = middle("- 6S");
    // With one free cell two cards may move, and the column that they go to does not count.
    let two = "Foundations: H-3 C-4 D-3 S-4\nFreecells: - 6S\n6H\n7S\n4D\n5S 4H\n";
    assert!(after(SEVEN, &start, "14v2").starts_with(two));
    // Without a number one card moves.
    for action in ["14", "14v1"] {
        assert!(after(SEVEN, &start, action).contains("\n6H 5S\n7S\n4D\n4H\n"), "{action}");
    }
    for action in ["b4", "b4v1"] {
        let text = after(SEVEN, &start, action);
        assert!(text.contains("Freecells: - -\n6H 5S 4H\n7S\n4D\n6S\n"));
    }
    for (action, reason) in [
        (
            "14v3",
            "3 cards would have to move, but with 1 free cell and 0 other empty columns 2 can",
        ),
        ("14v4", "4 cards would have to move, but column 1 has 3"),
        ("54v3", "3 cards are no sequence: 5D does not fit on 5H"),
        ("b4v2", "2 cards would have to move, but cell b holds 1"),
        ("a4", "cell a is empty"),
    ] {
        assert_eq!(refusal(SEVEN, &start, action), reason, "{action}");
    }
    // Another empty column doubles the number, and a whole column may move though nothing changes.
    let more = "freecell(cells=0, columns=6, ranks=7)";
    let board = "Founds: H-3 C-4 D-3 S-4\n6H 5S 4H\n7S 6D 5C 4D\n:\n6S 6C 7H 7C 5H 7D 5D";
    let end = "6S 6C 7H 7C 5H 7D 5D";
    for (action, columns) in [
        ("23v3", format!("7S\n6D 5C 4D\n{end}\n:\n:")),
        ("25v3", format!("7S\n:\n{end}\n6D 5C 4D\n:")),
        ("25v4", format!(":\n:\n{end}\n7S 6D 5C 4D\n:")),
    ] {
        assert!(after(more, board, action).ends_with(&columns), "{action}");
    }
    assert_eq!(refusal(more, board, "25v5"), "5 cards would have to move, but column 2 has 4");
    let bare = "freecell(cells=0, columns=5, ranks=7)";
    let board = "Founds: H-3 C-4 D-3 S-4\n6H 5S 4H\n7S 6D 5C 4D\n:\n:\n6S 6C 7H 7C 5H 7D 5D";
    assert!(after(bare, board, "13v2").contains("\n6H\n7S 6D 5C 4D\n5S 4H\n:\n"));
    assert_eq!(
        refusal(bare, board, "13v3"),
        "3 cards would have to move, but with 0 free cells and 1 other empty column 2 can"
    );
    let single = "freecell(cells=2, columns=5, ranks=7, moves=single)";
    assert!(after(single, &start, "14").contains("\n6H 5S\n7S\n4D\n4H\n"));
    for action in ["14v2", "12"] {
        let number = if action == "12" { 3 } else { 2 };
        assert_eq!(
            refusal(single, &start, action),
            format!("{number} cards would have to move, but cards move singly")
        );
    }
}

#[test]
fn ten_columns_and_eight_cells() {
    let puzzle = "freecell(columns=10, cells=8)";
    let mut text = "1".to_owned();
    for action in ["0a", "0b", "0c", "0d", "0i"] {
        text = after(puzzle, &text, action);
    }
    let cells = text.lines().nth(1).expect("a line of cells");
    let entries: Vec<&str> = cells.split(' ').skip(1).collect();
    assert_eq!(entries.len(), 8);
    assert!(entries[4..7].iter().all(|entry| *entry == "-") && entries[7] != "-");
    assert_eq!(text.lines().last(), Some(":"));
    assert_eq!(refusal(puzzle, &text, "0f"), "column 10 is empty");
    assert_eq!(refusal(puzzle, &text, "1i"), format!("cell i is taken by {}", entries[7]));
    let back = after(puzzle, &text, "i0v1");
    assert_eq!(back.lines().last(), Some(entries[7]));
    assert_eq!(after(puzzle, &text, "I0"), back);
    assert!(legal_actions(puzzle, &text).is_ok_and(|all| all.contains(&"i0v1".to_owned())));
    assert_eq!(refusal("freecell(cells=8)", "1", "10"), "there is no column 10, only 8 columns");
}

#[test]
fn words_that_are_no_moves() {
    for word in ["1", "123", "1j", "k1", "12v", "12v0", "12ve", "12x2", "12v11", "1-2", "äö", "v12"]
    {
        assert_eq!(
            why("freecell", "1", &format!("1a {word}")),
            format!(
                "solution: word 2 is `{word}`; a move is two of 1 to 9, 0, a to g, i and h, optionally \
                 followed by v1 to vd"
            )
        );
        assert!(refusal("freecell", "1", word).starts_with("a move is two of"));
    }
    assert_eq!(
        verify("freecell", "1", "1a 12"),
        Err(CheckError::Illegal {
            number: 2,
            action: "12".to_owned(),
            why: "6D does not fit on 9C, only 8H or 8D does".to_owned()
        })
    );
}

#[test]
fn the_legal_actions_are_listed_once() {
    let mut actions = legal_actions(SEVEN, &middle("- -")).expect("a board");
    actions.sort();
    // Not the whole columns 1, 2 and 3 into column 4, nor anything into cell b.
    assert_eq!(actions, ["12", "14v1", "14v2", "1a", "1h", "2a", "3a", "3h", "54v1", "5a"]);
    let mut actions = legal_actions(SEVEN, &middle("- 6S")).expect("a board");
    actions.sort();
    assert_eq!(actions, ["12", "14v1", "14v2", "1a", "1h", "2a", "3a", "3h", "54v1", "5a", "b4v1"]);
    let end = "Founds: H-7 C-7 D-7 S-7";
    assert_eq!(legal_actions(SEVEN, end), Ok(Vec::new()));
}

/// A small generator of random numbers below `n`.
fn random(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) as usize % n
}

/// Number of cards in a text.
fn cards(text: &str) -> usize {
    let rank = |word: &str| "0A23456789TJQK".find(word).expect("a rank");
    let words = text.split_whitespace();
    words
        .map(|word| match word.split_once('-') {
            Some((_, "")) => 0,
            Some((_, home)) => rank(home),
            None => usize::from(!word.contains(':')),
        })
        .sum()
}

#[test]
fn random_walks_keep_the_cards_and_the_notation() {
    let places = "1234567890abcdefgih";
    let mut state = 1;
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for (spec, deal, ranks) in [
        ("freecell", "617", 13),
        ("freecell(cells=0, columns=10)", "11982", 13),
        ("freecell(cells=8, columns=4)", "3", 13),
        ("freecell(moves=single)", "1", 13),
        ("freecell(cells=2, columns=5, ranks=7)", &middle("- -"), 7),
        ("freecell(cells=8, columns=10)", "1000000", 13),
    ] {
        for _ in 0..4 {
            let (mut text, mut path) = (deal.to_owned(), String::new());
            for length in 1..=60 {
                let legal = legal_actions(spec, &text).expect("a board");
                if legal.is_empty() {
                    break;
                }
                // Every word that is accepted leads where a listed one does, but for the choice
                // among empty cells and columns, and for whole columns that move into empty ones.
                let sorted = |text: &str| {
                    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                    for line in &mut lines {
                        if line.starts_with("Freecells:") {
                            let mut words: Vec<&str> = line.split(' ').collect();
                            words.sort_unstable();
                            *line = words.join(" ");
                        }
                    }
                    lines.sort_unstable();
                    lines
                };
                if length % 10 == 1 {
                    let next: HashSet<Vec<String>> =
                        legal.iter().map(|action| sorted(&after(spec, &text, action))).collect();
                    for from in places.chars() {
                        for to in places.chars() {
                            for suffix in ["", "v1", "v2", "v3", "v4", "v5", "vd"] {
                                let word = format!("{from}{to}{suffix}");
                                if let Ok(there) = apply(spec, &text, &word) {
                                    let there = sorted(&there);
                                    assert!(
                                        next.contains(&there) || there == sorted(&text),
                                        "{word} in\n{text}"
                                    );
                                }
                            }
                        }
                    }
                }
                let unique: HashSet<&String> = legal.iter().collect();
                assert_eq!(unique.len(), legal.len());
                let action = &legal[random(&mut state, legal.len())];
                text = after(spec, &text, action);
                path = format!("{path} {action}");
                assert_eq!(cards(&text), 4 * ranks, "{text}");
                *counts.entry(length).or_default() += 1;
                // The text of the position is the same whether or not the position is read again
                // after each move.
                match verify(spec, deal, &path) {
                    Ok(verdict) => assert_eq!(verdict.length, length),
                    Err(CheckError::NotGoal { length: played, .. }) => assert_eq!(played, length),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    assert!(counts[&40] > 5, "{counts:?}");
}

#[test]
fn parameters_that_are_wrong() {
    assert!(is_known("freecell") && is_known("freecell(cells=3)"));
    for (spec, message) in [
        ("cells=9", "the cells of freecell are 0 to 8, not `9`"),
        ("cells=-1", "the cells of freecell are 0 to 8, not `-1`"),
        ("columns=3", "the columns of freecell are 4 to 10, not `3`"),
        ("columns=11", "the columns of freecell are 4 to 10, not `11`"),
        ("ranks=0", "the ranks of freecell are 1 to 13, not `0`"),
        ("ranks=999", "the ranks of freecell are 1 to 13, not `999`"),
        ("ranks=K", "the ranks of freecell are 1 to 13, not `K`"),
        ("ranks=+7", "the ranks of freecell are 1 to 13, not `+7`"),
        ("moves=super", "the moves of freecell are sequence or single, not `super`"),
        ("suits=4", "freecell has no parameter `suits`"),
        ("autoplay=max", "the autoplay of freecell is written or safe, not `max`"),
    ] {
        assert_eq!(why(&format!("freecell({spec})"), "1", ""), format!("puzzle: {message}"));
    }
}
