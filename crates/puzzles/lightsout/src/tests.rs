//! Texts, symmetries and drawings.

use super::*;
use crate::{picture::Picture, variety::Variety};
use proptest::{prop_assert_eq, proptest};
use unriddle_catalog::{Presentation, Style};
use unriddle_core::{Notation as _, Symmetric};

fn board(text: &str) -> Lights<1> {
    Lights::parse(text, false).unwrap()
}

#[test]
fn boards_are_read_in_all_forms() {
    let text = "110/010/111";
    for form in [
        "110010111",
        "110\n010\n111\n",
        "##. / .#. / ###",
        "1,1,0\r\n0,1,0\r\n1,1,1",
        "\n 1 1 0\n\n 0 1 0 / 1 1 1 /\n",
    ] {
        assert_eq!(board(form), board(text), "{form:?}");
    }
    for text in ["101/", "1/0/1", "1/", text] {
        let board = board(text);
        assert_eq!(board.state_text(board.start()), text);
    }
}

#[test]
fn errors_have_a_position() {
    let error = |text: &str| Picture::parse(text).unwrap_err().to_string();
    let wrong = [
        ("", "line 1, column 1: expected rows of 0 and 1, found no sign"),
        ("10\n1y", "line 2, column 2: expected 1, # or x for on, 0, . or - for off, found `y`"),
        (
            "10\n1x",
            "line 2, column 2: expected one sign for on and one for off, such as 1 and 0, # and . or x and -, found `x` beside `1`",
        ),
        (
            "1-1",
            "line 1, column 2: expected one sign for on and one for off, such as 1 and 0, # and . or x and -, found `-` beside `1`",
        ),
        (
            "[[1, -1],[-1, 1]]",
            "line 1, column 6: expected one sign for on and one for off, such as 1 and 0, # and . or x and -, found `-` beside `1`",
        ),
        (
            "true 1",
            "line 1, column 6: expected one sign for on and one for off, such as 1 and 0, # and . or x and -, found `1` beside a word",
        ),
        ("[[1,0],[0,1]", "line 1, column 1: this `[` is never closed"),
        ("1,0],[0,1]", "line 1, column 4: there is no `[` before this `]`"),
        ("[[[1]]]", "line 1, column 3: expected a list of rows, found `[` within a row"),
        ("[1,[0]]", "line 1, column 4: expected a list of rows, found `[` within a row"),
        (
            "x|-",
            "line 1, column 2: bars between single lights are a column or a row: write rows with `/` between them",
        ),
        (
            "xx|--\n--|--",
            "line 2, column 3: a bar within a line ends a row, or divides a row: write rows with `/` between them",
        ),
        (
            "10/01 buttons",
            "line 1, column 14: expected 1 to 1024 rows after `buttons`, one of each button, found 0",
        ),
        (
            "10/01 buttons 111",
            "line 1, column 15: expected 4 signs, one of each light of the board, found 3",
        ),
        ("2x2c:db7e,6\n2x2c:db7e,6", "line 2, column 1: a game id is one line, found another one"),
        ("2x2c:db7,6", "line 1, column 6: expected 4 hexadecimal digits for 16 lights, found 3"),
        ("2x2c:db7e,66", "line 1, column 11: expected 1 hexadecimal digits for 4 lights, found 2"),
        ("2x2c:db7g,6", "line 1, column 9: expected a hexadecimal digit, found `g`"),
        ("10/ 100/11", "line 1, column 5: expected 2 signs as in the first row, found 3"),
        (
            " 10110",
            "line 1, column 2: expected a square number of signs, or rows that end with `/` or the line, found 5 signs",
        ),
    ];
    for (text, message) in wrong {
        assert_eq!(error(text), message);
    }
    let wide = "1".repeat(SIDE + 1);
    assert_eq!(
        error(&format!("{wide}\n{wide}")),
        "line 1, column 1: expected at most 200 columns, found 201"
    );
    assert_eq!(
        error(&"1\n".repeat(SIDE + 1)),
        "line 201, column 1: expected at most 200 rows, found 201"
    );
    assert_eq!(
        error(&"1".repeat((SIDE + 1) * (SIDE + 1))),
        "line 1, column 1: expected at most 200 rows and columns, found 201"
    );
    let refused = Lights::<1>::parse(&"1".repeat(81), false).unwrap_err();
    assert_eq!(refused.to_string(), "line 1, column 1: expected at most 64 cells, found 81");
    let solution = board("10/11").parse_solution("0,1 1,2").unwrap_err();
    assert_eq!(
        solution.to_string(),
        "line 1, column 5: expected row,column with rows 0 to 1 and columns 0 to 1, such as 0,0, found `1,2`"
    );
}

#[test]
fn a_press_toggles_each_neighbour_once() {
    let toggled = |rows, columns, torus, cell| {
        let shape = Shape::new(rows, columns, torus).unwrap();
        shape.toggled(cell).to_vec()
    };
    assert_eq!(toggled(3, 3, false, 4), [1, 3, 4, 5, 7]);
    assert_eq!(toggled(3, 3, true, 0), [0, 1, 2, 3, 6]);
    // On a narrow torus the light below is also the light above, and the light to the left is the
    // light itself.
    assert_eq!(toggled(2, 1, true, 0), [0, 1]);
    assert_eq!(toggled(1, 1, true, 0), [0]);
    assert_eq!(toggled(1, 4, true, 0), [0, 1, 3]);
}

fn image(board: &Lights<1>) -> String {
    Presentation::canonical(board)
}

#[test]
fn symmetric_boards_have_the_same_canonical_text() {
    let same = ["110/000", "000/110", "011/000", "10/10/00", "00/01/01"];
    for text in same {
        assert_eq!(image(&board(text)), image(&board(same[0])), "{text}");
    }
    assert_ne!(image(&board("101/000")), image(&board(same[0])));
    let torus = |text: &str| Lights::<1>::parse(text, true).unwrap();
    assert_eq!(image(&torus("1100/0000/0000")), image(&torus("0000/1001/0000")));
    assert_ne!(image(&board("1100/0000/0000")), image(&board("0000/1001/0000")));
    // Symmetries that change the shape are not applied to states.
    let (a, b) = (board("100/000"), board("001/000"));
    assert_eq!(Symmetric::canonical(&a, a.start()), Symmetric::canonical(&b, b.start()));
}

#[test]
fn presses_are_drawn() {
    let board = board("110/100");
    let presses = board.parse_solution("1,2 0,0").unwrap();
    let last = presses.iter().fold(*board.start(), |state, &press| board.apply(&state, press));
    assert_eq!(
        board.draw_after(&presses, &last, Style::Plain),
        "  0 [.] .  # \n  1  .  #  #'\n     0  1  2\n".replace("# \n", "#\n")
    );
    let svg = board.draw_after(&presses, &last, Style::Svg);
    // The paper, six lights and the frame of the last press; three lamps and two presses.
    assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (8, 5));
}

#[test]
fn walks_that_lead_away_press_no_cell_twice() {
    use unriddle_core::{Learnable as _, Steps, Walk};
    let board = board("0000/0000/0000");
    let mut walk = Walk::new(&board, [0], Steps::Canonical);
    walk.go(&board, 12, &mut Rng::new(1));
    // After all cells have been pressed, the cells with an even number of neighbours are on.
    assert_eq!(board.state_text(&walk.state), "1001/0110/1001");
    walk.go(&board, 1, &mut Rng::new(1));
    assert_eq!(board.state_text(&walk.state), "1001/0110/1001");
    assert_eq!(board.images().len(), 3);
    // The active features of the symmetric state are the permuted features of the state.
    let square = Lights::<1>::parse("110/001/000", false).unwrap();
    let images = square.images();
    assert_eq!(images.len(), 7);
    let mut active = Vec::new();
    unriddle_core::Features::active(&square, square.start(), &mut |index| active.push(index));
    for image in images {
        let mut state = [0];
        for index in active.iter().map(|&index| image[index as usize]) {
            state[0] |= u64::from(index % 2) << (index / 2);
        }
        assert_eq!(
            Symmetric::canonical(&square, &state),
            Symmetric::canonical(&square, square.start())
        );
    }
}

/// All forms of one board of three rows, two of which are equal to their mirror images.
#[test]
fn signs_bars_and_lists_are_read() {
    let text = "110/010/111";
    for form in [
        "xx-|-x-|xxx|",
        "|xx-|\n|-x-|\n|xxx|",
        "|x|x|-|\n|-|x|-|\n|x|x|x|\n",
        "| 1 | 1 | 0 |\n| 0 | 1 | 0 |\n| 1 | 1 | 1 |",
        "XX./.X./XxX",
        "[[1,1,0],[0,1,0],[1,1,1]]",
        "((1, 1, 0), (0, 1, 0), (1, 1, 1))",
        "{{1,1,0},{0,1,0},{1,1,1}}",
        "[[1 1 0]\n [0 1 0]\n [1 1 1]]",
        "[[1,1,\n0],[0,1,0],\n[1,1,1]]",
        "[1, 1, 0]\n[0, 1, 0]\n[1, 1, 1]",
        "[1,1,0,0,1,0,1,1,1]",
        "[1 1 0; 0 1 0; 1 1 1]",
        "110;010;111",
        "[[true,true,false],[false,true,false],[true,true,true]]",
        "on on off / off on off / on on on",
        "[[ True  True False]\n [False  True False]\n [ True  True  True]]",
        "3x3c:d074191345d1644c17058,cb8",
        "3x3c:D074191345D1644C17058, CB8".replace(", ", ",").leak(),
    ] {
        assert_eq!(board(form), board(text), "{form:?}");
    }
    assert_eq!(board("[[1,0,0,1]]").shape().rows, 1);
    assert_eq!(board("|1001|").shape().rows, 1);
    assert_eq!(board("[1,0,0,1]").shape().rows, 2);
}

/// The lights of a press in the middle, at a corner, and on a torus.
#[test]
fn presses_have_shapes() {
    let lights = |reach: Reach, torus: bool, press: &str| {
        let variety = Variety { torus, press: reach };
        let board = Lights::<1>::read("000/000/000", &variety).unwrap();
        let presses = board.parse_solution(press).unwrap();
        board.state_text(&board.apply(board.start(), presses[0]))
    };
    for (reach, middle, corner, torus) in [
        (Reach::Plus, "010/111/010", "110/100/000", "111/100/100"),
        (Reach::Sides, "010/101/010", "010/100/000", "011/100/100"),
        (Reach::X, "101/010/101", "100/010/000", "100/011/011"),
        (Reach::Corners, "101/000/101", "000/010/000", "000/011/011"),
        (Reach::King, "111/111/111", "110/110/000", "111/111/111"),
        (Reach::Ring, "111/101/111", "010/110/000", "011/111/111"),
        (Reach::Cross, "010/111/010", "111/100/100", "111/100/100"),
    ] {
        assert_eq!(lights(reach, false, "1,1"), middle, "{reach:?}");
        assert_eq!(lights(reach, false, "0,0"), corner, "{reach:?}");
        assert_eq!(lights(reach, true, "0,0"), torus, "{reach:?}");
    }
}

#[test]
fn buttons_have_lights_of_their_own() {
    let text = "101/ buttons 110/011/001/100";
    let puzzle = board(text);
    assert_eq!(puzzle.state_text(puzzle.start()), text);
    assert_eq!(board("101\nbuttons\n110\n011\n001\n100"), puzzle);
    let presses = puzzle.parse_solution("0,3 0,2").unwrap();
    let last = presses.iter().fold(*puzzle.start(), |state, &press| puzzle.apply(&state, press));
    assert!(puzzle.is_goal(&last));
    assert_eq!(puzzle.solution_text(&presses), "0,3 0,2");
    assert!(puzzle.parse_solution("0,4").is_err());
    // The usual presses need no list.
    let usual = board("10/01 buttons 1110/1101/1011/0111");
    assert_eq!(usual.state_text(usual.start()), "10/01");
    let ring = Variety { press: Reach::Ring, ..Variety::default() };
    let refused = Lights::<1>::read(text, &ring).unwrap_err();
    assert!(refused.message.contains("leave the parameters out"), "{refused}");
    assert!(Lights::<1>::read("10/01 buttons 0111/1011/1101/1110", &ring).is_ok());
    // A light that no button changes.
    let dark = board("1/ buttons 0");
    assert_eq!(
        crate::algebra::Algebra::of(dark.shape()).unsolvable(dark.start()).as_deref(),
        Some(
            "every press toggles an even number of the lights at 0,0, and an odd number of them, 1, is on"
        )
    );
}

proptest! {
    #[test]
    fn parsers_never_panic(text in "(\\PC|\n){0,200}") {
        let _ = Picture::parse(&text);
    }

    #[test]
    fn boards_are_no_panic(text in "([01#.x|/;,\\[\\](){}\n -]|buttons|on|off|true){0,60}") {
        if let Ok(board) = Lights::<1>::parse(&text, false) {
            let written = board.state_text(board.start());
            prop_assert_eq!(Lights::<1>::parse(&written, false), Ok(board));
        }
    }

    #[test]
    fn game_ids_are_no_panic(text in "[1-3]x[1-3][cr][:#][0-9a-f,]{0,30}") {
        let _ = Picture::parse(&text);
    }
}
