use super::*;
use crate::family::{GREEK_CROSS, Room};
use unriddle_core::{
    Notation, Playout as _, Rng, UpperBound as _,
    playout::{Menu, UniformByMenu},
};

const RULES: [Rule; 2] = [Rule::Disjoint, Rule::Touching];

fn cross(rule: Rule) -> Morpion {
    Morpion::parse(GREEK_CROSS, rule).unwrap()
}

fn legal(puzzle: &Morpion, state: &State) -> Vec<Line> {
    puzzle.actions(state).collect()
}

#[test]
fn the_cross_has_36_points_and_28_moves() {
    for rule in RULES {
        let puzzle = cross(rule);
        let start = puzzle.initial_state();
        assert_eq!(puzzle.layer(&start), SIDE * SIDE - 36);
        assert_eq!(legal(&puzzle, &start).len(), 28);
        assert_eq!(puzzle.state_text(&start), GREEK_CROSS);
    }
}

/// The menu equals the legal moves all along a game.
#[test]
fn menus_have_the_legal_moves() {
    for rule in RULES {
        let puzzle = cross(rule);
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut menu = Menu::new(puzzle.initial_state());
            puzzle.list(&mut menu);
            let mut codes = std::collections::HashMap::new();
            loop {
                let moves = menu.live.iter().map(|&id| menu.entries[id as usize]);
                for entry in moves.clone() {
                    assert_eq!(entry.code, puzzle.code(&menu.state, entry.action));
                    assert_eq!(*codes.entry(entry.code).or_insert(entry.action), entry.action);
                }
                let mut live: Vec<Line> = moves.map(|entry| entry.action).collect();
                live.sort_unstable();
                assert_eq!(live, legal(&puzzle, &menu.state));
                if live.is_empty() {
                    break;
                }
                puzzle.follow(&mut menu, rng.below(live.len() as u64) as usize);
            }
        }
    }
}

/// The bound falls by at least one in each move: it is consistent.
#[test]
fn the_bound_is_consistent() {
    for rule in RULES {
        let puzzle = cross(rule);
        let mut actions = Vec::new();
        let start = puzzle.initial_state();
        let score = UniformByMenu.play(&puzzle, &start, &mut Rng::new(5), &mut actions);
        assert_eq!(score, actions.len() as i64);
        let mut state = start;
        let mut bound = Room.upper(&puzzle, &start);
        for (played, &line) in (0..).zip(&actions) {
            assert!(bound >= score - played);
            state = puzzle.apply(&state, line);
            let next = Room.upper(&puzzle, &state);
            assert!(bound > next && next >= 0);
            bound = next;
        }
    }
}

#[test]
fn touching_lines_share_an_end_point() {
    // A line in the middle of eleven points in a row.
    let text = "ooooooooooo\n15,15-0";
    for (rule, moves) in [(Rule::Disjoint, ""), (Rule::Touching, "9,15-+2 21,15--2")] {
        let puzzle = Morpion::parse(text, rule).unwrap();
        let start = puzzle.initial_state();
        assert_eq!(puzzle.solution_text(&legal(&puzzle, &start)), moves);
    }
}

#[test]
fn lines_that_touch_read_back() {
    // Two lines end to end in each direction.
    for (text, lines) in [
        ("ooooooooo", "11,15-+2 15,15-+2"),
        ("o\no\no\no\no\no\no\no\no", "15,11|+2 15,15|+2"),
        (
            "o........\n.o.......\n..o......\n...o.....\n....o....\n.....o...\n......o..\n.......o.\n........o",
            "11,11\\+2 15,15\\+2",
        ),
        (
            "........o\n.......o.\n......o..\n.....o...\n....o....\n...o.....\n..o......\n.o.......\no........",
            "15,15/+2 11,19/+2",
        ),
    ] {
        let puzzle = Morpion::parse(&format!("{text}\n{lines}"), Rule::Touching).unwrap();
        let written = puzzle.state_text(&puzzle.initial_state());
        assert!(written.ends_with(lines), "{written}");
        assert_eq!(Morpion::parse(&written, Rule::Touching), Ok(puzzle));
        let refused = Morpion::parse(&format!("{text}\n{lines}"), Rule::Disjoint);
        assert!(refused.unwrap_err().message.contains("overlaps"));
    }
}

/// No move leaves the board, on any side.
#[test]
fn the_board_has_an_edge() {
    let row = "o".repeat(4) + &".".repeat(24) + &"o".repeat(4);
    let text = vec![row.clone(); 4].join("\n") + &format!("\n{}", ".".repeat(32)).repeat(24);
    let text = text + "\n" + &vec![row; 4].join("\n");
    let puzzle = Morpion::parse(&text, Rule::Touching).unwrap();
    let start = puzzle.initial_state();
    // Rows and columns of each corner extend inwards only; so does a diagonal.
    assert_eq!(legal(&puzzle, &start).len(), 4 * (4 + 4 + 1));
}

#[test]
fn errors_have_a_position() {
    let read = |text: &str| Morpion::parse(text, Rule::Disjoint).unwrap_err().to_string();
    for (text, why) in [
        ("", "line 1, column 1: expected a row of signs"),
        ("oo\no?", "line 2, column 2: expected a point `o` or `.` for none, found `?`"),
        ("oo\nooo", "line 2, column 1: expected 2 signs as in the first row, found 3"),
        ("ooooo\n13,15-+2 o", "line 2, column 10: expected a move such as 14,10|-2, found `o`"),
        ("oo.oo\n13,15-+2", "line 2, column 1: the line has no point at 15,15"),
        (
            "ooooo\n13,15-+2 15,15-0",
            "line 2, column 10: the line overlaps another one of its direction",
        ),
        ("ooooo\n13,15-2", "line 2, column 1: expected a move such as 14,10|-2, found `13,15-2`"),
    ] {
        assert_eq!(read(text), why);
    }
    assert!(read(&"o".repeat(33)).contains("32 rows and columns"));
    assert!(read(&"o\n".repeat(33)).contains("line 33"));
    let puzzle = Morpion::parse("oooo", Rule::Disjoint).unwrap();
    let solution = |text| puzzle.parse_solution(text).unwrap_err().to_string();
    for (text, why) in [
        (
            "18,15--2 13,15-+2",
            "line 1, column 10: move 2: `13,15-+2` is illegal: the line overlaps another one of its direction",
        ),
        ("17,15--2", "line 1, column 1: move 1: `17,15--2` is illegal: there is a point at 17,15"),
        (
            "18,15|0",
            "line 1, column 1: move 1: `18,15|0` is illegal: the line has no point at 18,13",
        ),
        (
            "31,15-+1",
            "line 1, column 1: move 1: `31,15-+1` leaves the board of 32 columns and 32 rows",
        ),
        (
            "99999999999999999999,15-0",
            "line 1, column 1: move 1: expected a move such as 14,10|-2, found `99999999999999999999,15-0`",
        ),
    ] {
        assert_eq!(solution(text), why);
    }
}
