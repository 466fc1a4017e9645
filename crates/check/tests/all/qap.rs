//! Quadratic assignment: costs by hand, all plays of a small instance, and every way in which a
//! text can be wrong.

use unriddle_check::{CheckError, Verdict, apply, goal, is_goal, is_known, legal_actions, verify};

/// Not symmetric, with a diagonal, so that every confusion of rows, columns and directions shows.
const THREE: &str = "3\n\n 1 2 0\n 0 0 3\n-4 0 0\n\n10 1 2\n 3 20 4\n 5 6 30\n";

fn why(instance: &str, solution: &str) -> String {
    verify("qap", instance, solution).expect_err("this is wrong").to_string()
}

#[test]
fn costs_by_hand() {
    for (solution, cost) in [
        // a11 b11 + a12 b12 + a23 b23 - 4 b31: 10 + 2 + 12 - 20.
        ("1 2 3", 4),
        // b22 + 2 b23 + 3 b31 - 4 b12.
        ("2 3 1", 20 + 8 + 15 - 4),
        // b33 + 2 b31 + 3 b12 - 4 b23.
        ("3 1 2", 30 + 10 + 3 - 16),
        // b11 + 2 b13 + 3 b32 - 4 b21.
        ("1 3 2", 10 + 4 + 18 - 12),
        // b22 + 2 b21 + 3 b13 - 4 b32.
        ("2 1 3", 20 + 6 + 6 - 24),
        // b33 + 2 b32 + 3 b21 - 4 b13, and blanks of all kinds.
        (" 3\n2\t 1 ", 30 + 12 + 9 - 8),
    ] {
        let verdict = Verdict { value: cost, length: 3 };
        assert_eq!(verify("qap", THREE, solution), Ok(verdict), "{solution}");
    }
    // Solution files, of either direction.
    let verdict = Verdict { value: 39, length: 3 };
    for file in ["3 39\n2 3 1", "3 39\n 3, 1, 2", "2,3,1"] {
        assert_eq!(verify("qap", THREE, file), Ok(verdict), "{file}");
    }
    assert_eq!(
        why(THREE, "3 40\n2 3 1"),
        "solution: the file claims a cost of 40, but its permutation costs 39, and the inverse one 27"
    );
    assert_eq!(why(THREE, "3 40\n2 2 1"), "move 2 (`2`) is illegal: facility 1 is there already");
    assert_eq!(why(THREE, "3 x\n2 3 1"), "solution: word 2 is `x`, expected the cost");
    let verdict = Verdict { value: -6, length: 1 };
    assert_eq!(verify("qap", "1 -2 3", "1"), Ok(verdict));
}

#[test]
fn solutions_that_are_wrong() {
    for (solution, message) in [
        ("", "after 0 moves the goal is not reached: 0 of 3 facilities are placed"),
        ("2 1", "after 2 moves the goal is not reached: 2 of 3 facilities are placed"),
        ("2 1 2", "move 3 (`2`) is illegal: facility 1 is there already"),
        ("0 1 2", "move 1 (`0`) is illegal: locations are 1 to 3"),
        ("1 4 2", "move 2 (`4`) is illegal: locations are 1 to 3"),
        (
            "99999999999999999999999",
            "move 1 (`99999999999999999999999`) is illegal: locations are 1 to 3",
        ),
        ("1 2 3 1", "move 4 (`1`) is illegal: all 3 facilities are placed"),
        (
            "1 -2 3",
            "solution: word 2 is `-2`; a move is the next facility's location, counted from 1",
        ),
        (
            "1;2;3",
            "solution: word 1 is `1;2;3`; a move is the next facility's location, counted from 1",
        ),
    ] {
        assert_eq!(why(THREE, solution), message);
    }
}

#[test]
fn instances_that_are_wrong() {
    for (instance, message) in [
        ("", "expected the number of facilities, but there is nothing"),
        ("0", "the number of facilities is not 1 to 256"),
        ("257", "the number of facilities is not 1 to 256"),
        ("-1 1 1", "the number of facilities is not 1 to 256"),
        ("x", "the number of facilities is not 1 to 256"),
        ("1 2", "two matrices of 1 x 1 are 2 numbers, but there are 1"),
        ("1 2 3 4", "two matrices of 1 x 1 are 2 numbers, but there are 3"),
        ("1 2 0.5", "word 3 is `0.5`, expected a whole number from -16777216 to 16777216"),
        (
            "1 16777217 0",
            "word 2 is `16777217`, expected a whole number from -16777216 to 16777216",
        ),
        (
            "1 0 -16777217",
            "word 3 is `-16777217`, expected a whole number from -16777216 to 16777216",
        ),
    ] {
        assert_eq!(why(instance, ""), format!("instance: {message}"));
    }
    assert_eq!(
        verify("qap(n=3)", THREE, ""),
        Err(CheckError::Puzzle("qap has no parameter `n`".to_owned()))
    );
}

#[test]
fn positions() {
    let text = "3\n1 2 0\n0 0 3\n-4 0 0\n10 1 2\n3 20 4\n5 6 30";
    let actions = ["1", "2", "3"].map(str::to_owned).to_vec();
    assert!(is_known("qap"));
    assert_eq!(legal_actions("qap", THREE), Ok(actions));
    assert_eq!(apply("qap", THREE, "2").as_deref(), Ok(text));
    assert!(apply("qap", THREE, "x").is_err());
    assert_eq!(is_goal("qap", THREE), Ok(false));
    assert_eq!(goal("qap", THREE), Ok(None));
}

#[test]
fn costs_beyond_64_bits_are_reported() {
    let filled = |n: usize, number: i64| {
        let numbers = vec![number.to_string(); n * n];
        let order: Vec<String> = (1..=n).map(|p| p.to_string()).collect();
        let numbers = numbers.join(" ");
        (format!("{n} {numbers} {numbers}"), order.join(" "))
    };
    let (instance, order) = filled(181, 1 << 24);
    let value = (181 * 181) << 48;
    assert_eq!(verify("qap", &instance, &order), Ok(Verdict { value, length: 181 }));
    let (instance, order) = filled(256, -(1 << 24));
    assert_eq!(
        why(&instance, &order),
        "after 256 moves the goal is not reached: the cost 18446744073709551616 is beyond 64 bits"
    );
}
