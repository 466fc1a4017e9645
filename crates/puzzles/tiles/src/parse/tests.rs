//! Tests of the reader of boards.

use super::*;
use proptest::prelude::*;

fn refused(text: &str) -> String {
    parse(text, Goal::BlankLast).unwrap_err().to_string()
}

/// The canonical text of a board.
fn text(text: &str) -> String {
    match read(text) {
        Ok((shape, cells)) => crate::notation::text(shape, &cells),
        Err(error) => panic!("{text:?}: {error}"),
    }
}

#[test]
fn separators_may_be_mixed() {
    let parsed = parse(" 1,2, 3\n4 5 6\r\n7,0\t8\n", Goal::BlankLast).unwrap();
    assert_eq!(parsed.shape, Shape::square(3));
    assert_eq!(parsed.cells, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
    assert_eq!(parsed.solvable, Ok(()));
}

#[test]
fn errors_have_line_and_column() {
    assert_eq!(refused("1 2\n3 y0"), "line 2, column 3: expected a number, found \"y0\"");
    assert_eq!(refused("1 -2 3 0"), "line 1, column 3: expected a number, found \"-2\"");
    assert_eq!(
        refused("1 2 3\n"),
        "line 2, column 1: found 3 numbers; a board has 4, 9, 16, 25, 36, 49 or 64 (0 for the blank)"
    );
    assert!(refused(" ").contains("found no numbers"));
    assert_eq!(
        refused("1 2 4 0"),
        "line 1, column 5: 4 is out of range: a board of side 2 has the numbers 0 to 3"
    );
    assert!(
        refused("1 2 99999999999999999999999999 0")
            .contains("99999999999999999999… is out of range")
    );
    assert_eq!(
        refused("1,2,3\n4 5 6\n7 3 3"),
        "line 3, column 3: 3 occurs twice, first at line 1, column 5; missing: 0 (the blank), 8"
    );
    assert_eq!(
        refused("1 2 3 / 4 6 0"),
        "line 1, column 11: 6 is out of range: a board of 2×3 has the numbers 0 to 5"
    );
    assert_eq!(
        refused("1 2 3 / 4 0"),
        "line 1, column 9: row 2 has 2 numbers, but row 1 has 3: all rows of a board have equally many"
    );
    assert_eq!(
        refused("1 2 3\n4 5 0 6"),
        "line 2, column 1: row 2 has 4 numbers, but row 1 has 3: all rows of a board have equally many"
    );
    assert_eq!(
        refused("1 2 3 4 5 6 7 8 9"),
        "line 1, column 17: 9 is out of range: a board of side 3 has the numbers 0 to 8; is 9 or 1 the blank? \
         Write 0 for the blank, and 1 to 8 for the tiles"
    );
    assert_eq!(
        refused("4\n1 2 3\n4 5 6\n7 8 0"),
        "line 4, column 6: the size 4 means 16 numbers, found 9 numbers"
    );
    assert_eq!(
        refused("4x4#123"),
        "line 1, column 1: `4x4#…` is the seed of a game and contains no board: use the game id with a colon, \
         `4x4:…`"
    );
    assert_eq!(
        refused("1/2/3/0"),
        "line 1, column 1: a board has at least two rows and columns and at most 64 cells, found 4×1"
    );
}

#[test]
fn texts_of_two_boards_are_refused_with_both() {
    let numbers: Vec<String> = (0..16).map(|n: u8| n.to_string()).collect();
    let lines: Vec<String> = numbers.chunks(8).map(|row| row.join(" ")).collect();
    assert_eq!(
        refused(&lines.join("\n")),
        "line 1, column 1: 2 lines of 8 numbers are a board of 2×8, or of 4×4 over several lines: put `/` \
         between the rows, or all numbers in one line"
    );
    assert_eq!(text(&lines.join("/")), lines.join(" / "));
    assert_eq!(text(&format!("2 8\n{}", lines.join("\n"))), lines.join(" / "));
    assert_eq!(text(&format!("4\n{}", lines.join("\n"))), numbers.join(" "));
    assert_eq!(text(&lines.join(" ")), numbers.join(" "));
    assert_eq!(
        refused("1 2 3 4 5 0"),
        "line 1, column 12: 6 numbers without rows are a board of 2×3 or 3×2: put `/` between its rows"
    );
    assert!(refused("0123456789").contains("are a board of 2×5 or 5×2"));
    assert!(refused("3x4\n1 2 3 4 5 6 7 8 9 10 11 0").contains("is 3 rows or 3 columns"));
}

#[test]
fn forms_are_read_as_the_same_board() {
    for other in [
        "1 2 3\n4 0 5\n7 8 6",
        "1 2 3 / 4 0 5 / 7 8 6",
        "1 2 3; 4 0 5; 7 8 6",
        "1 2 3 | 4 0 5 | 7 8 6",
        "| 1 | 2 | 3 |\n|---|---|---|\n| 4 |   | 5 |\n| 7 | 8 | 6 |",
        "# comment\n3\n1 2 3 # first\n# between\n4 0 5\n7 8 6\n\n",
        "3 3\n1 2 3\n4 0 5\n7 8 6",
        "3x3\n1 2 3\n4 0 5\n7 8 6",
        "3\n1 2 3 4 0 5 7 8 6",
        "123405786",
        "123 405 786",
        "123\n405\n786",
        "123/4_5/786",
        "3\n123405786",
        "[[1,2,3],[4,0,5],[7,8,6]]",
        "[[1 2 3]\n [4 0 5]\n [7 8 6]]",
        "((1, 2, 3), (4, 0, 5), (7, 8, 6))",
        "{{1,2,3},{4,0,5},{7,8,6}};",
        "(1, 2, 3, 4, 0, 5, 7, 8, 6)",
        "[1,2,3;4,0,5;7,8,6]",
        "[1, 2, 3]\n[4, 0, 5]\n[7, 8, 6]",
        "['1', '2', '3', '4', ' ', '5', '7', '8', '6']",
        "[[1, 2, 3], [4, None, 5], [7, 8, 6]]",
        "1,2,3\n4,,5\n7,8,6",
        "1,2,3,\n4,0,5,\n7,8,6,",
        "1 2 3\n4 x 5\n7 8 6",
        "1 2 3\n4   5\n7 8 6",
        "1 2 3 4 b 5 7 8 6",
        "1 2 3 4 __ 5 7 8 6",
        "3x3:1,2,3,4,0,5,7,8,6",
        "1\n2\n3\n4\n0\n5\n7\n8\n6",
        "1 2 3 4\n0 5 7 8 6",
    ] {
        assert_eq!(text(other), "1 2 3 4 0 5 7 8 6", "{other}");
    }
    let fifteen = "1 2 3 4 5 6 7 8 9 10 0 11 13 14 15 12";
    for other in [
        " 1  2  3  4\n 5  6  7  8\n 9 10  0 11\n13 14 15 12\n",
        " 1  2  3  4\n 5  6  7  8\n 9 10    11\n13 14 15 12\n",
        "1 2 3 4 5 6 7 8 9 A 0 B D E F C",
        "123456789a0bdefc",
        "1234/5678/9A_B/DEFC",
        "17 1 2 3 4 5 6 7 8 9 10 0 11 13 14 15 12",
        "1\t2\t3\t4\n5\t6\t7\t8\n9\t10\t\t11\n13\t14\t15\t12\n",
    ] {
        assert_eq!(text(other), fifteen, "{other}");
    }
    for other in ["2 3\n1 2 3\n4 5 0", "3x2\n1 2 3\n4 5 0", "123/450", "123 450", "3x2:1,2,3,4,5,0"]
    {
        assert_eq!(text(other), "1 2 3 / 4 5 0", "{other}");
    }
    // The rows say the shape, whatever the order of the size.
    assert_eq!(text("4x3: 1 2 3 4 / 5 6 0 8 / 9 10 7 11"), "1 2 3 4 / 5 6 0 8 / 9 10 7 11");
    assert_eq!(text("4x3:1,2,3,4,5,6,0,8,9,10,7,11"), "1 2 3 4 / 5 6 0 8 / 9 10 7 11");
    // A row that is no size.
    assert_eq!(text("3 4\n1 2\n5 0"), "3 4 / 1 2 / 5 0");
}

proptest! {
    #[test]
    fn arbitrary_text_is_no_panic(text in "\\PC*") {
        let _ = parse(&text, Goal::BlankLast);
        for piece in crate::split::split(&text) {
            let _ = parse(&piece.text, Goal::Snail);
        }
    }

    #[test]
    fn arbitrary_numbers_are_no_panic(
        text in "(([0-9]{1,2}|[0-9]x[0-9]|[_xb#:A-F]|\\[|\\]|[/;|│]|─)[ ,\n]{0,2}){0,70}",
    ) {
        for goal in Goal::ALL {
            if let Ok(parsed) = parse(&text, goal) {
                prop_assert_eq!(parsed.cells.len(), parsed.shape.cells());
            }
            for piece in crate::split::split(&text) {
                let _ = parse(&piece.text, goal);
            }
        }
    }

    #[test]
    fn every_permutation_is_read_back(cells in (2usize..=8).prop_flat_map(|side| {
        Just((0..(side * side) as u8).collect::<Vec<u8>>()).prop_shuffle()
    })) {
        let words: Vec<String> = cells.iter().map(u8::to_string).collect();
        let parsed = parse(&words.join(" "), Goal::BlankFirst).unwrap();
        prop_assert_eq!(&parsed.cells, &cells);
        let last = parse(&words.join(",\n"), Goal::BlankLast).unwrap();
        prop_assert_eq!(&last.cells, &cells);
    }
}
