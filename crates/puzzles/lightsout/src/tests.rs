//! Texts, symmetries and drawings.

use super::*;
use crate::notation::Picture;
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
        ("10\n1x", "line 2, column 2: expected 0 or . for off, 1 or # for on, found `x`"),
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
    assert_eq!((svg.matches("<rect").count(), svg.matches("<circle").count()), (7, 2));
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
