use super::*;
use crate::family::{GREEK_CROSS, Room};
use proptest::proptest;
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

/// A random game from the cross.
fn random_game(rule: Rule, seed: u64, most: usize) -> Vec<Line> {
    let puzzle = cross(rule);
    let (mut state, mut rng, mut game) = (puzzle.initial_state(), Rng::new(seed), Vec::new());
    while game.len() < most {
        let moves = legal(&puzzle, &state);
        if moves.is_empty() {
            break;
        }
        let line = moves[rng.below(moves.len() as u64) as usize];
        game.push(line);
        state = puzzle.apply(&state, line);
    }
    game
}

/// A compact record of a document.
fn compact(document: &str) -> String {
    use flate2::{Compression, write::DeflateEncoder};
    use std::io::Write as _;
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(document.as_bytes()).unwrap();
    let mut text = "MS1:".to_owned();
    for bytes in encoder.finish().unwrap().chunks(3) {
        let bits = (0..3).fold(0u32, |bits, i| bits << 8 | u32::from(*bytes.get(i).unwrap_or(&0)));
        let sign = |i: u32| char::from(SIGNS[(bits >> (18 - 6 * i) & 63) as usize]);
        text.extend((0..=bytes.len() as u32).map(sign));
    }
    text
}

/// Moves of a Pentasol text, one per line, whose cross begins at `from`, with the steps as `sign`
/// counts them.
fn pentasol(game: &[Line], from: i32, sign: i32) -> String {
    let row = |line: &Line| {
        let (x, y) = line.point();
        let steps = sign * (2 - i32::from(line.index));
        let direction = ['-', '|', '\\', '/'][usize::from(line.direction)];
        format!("({},{}) {direction} {steps:+}\n", x - 11 + from, y - 11 + from)
    };
    game.iter().map(row).collect()
}

#[test]
fn records_are_read_in_all_forms() {
    for rule in RULES {
        let puzzle = cross(rule);
        for seed in 0..60 {
            let game = random_game(rule, seed, if seed % 5 == 0 { seed as usize / 5 } else { 200 });
            let json = puzzle.msr(&game).unwrap();
            let site = format!("# a game\n(13,13)\n{}", pentasol(&game, 10, 1));
            for text in [
                json.clone(),
                json.replace(',', ",\n  ")
                    .replace("\"version\":\"0.1\"", "\"version\": 1, \"author\": \"x\""),
                compact(&json),
                site.clone(),
                site.replace(" +0", " 0").replace(") ", ")"),
            ] {
                assert_eq!(records::read(&text, rule), Some(Ok(game.clone())), "{text}");
                let pieces = records::split(&text, rule);
                assert_eq!(pieces.len(), 1, "{text}");
                assert_eq!(pieces[0].solution, Some(puzzle.solution_text(&game)));
            }
            // Without a reference point, either sign, unless both are games.
            if game.len() > 5 {
                for sign in [1, -1] {
                    let text = pentasol(&game, 1, sign);
                    let read = records::read(&text, rule).unwrap();
                    assert!(
                        read == Ok(game.clone())
                            || read.unwrap_err().message.contains("both games")
                    );
                }
            }
        }
    }
}

#[test]
fn moves_of_a_record_are_where_they_belong() {
    // A line along the top of the cross, from the left; the reference point anywhere.
    let text = "(28,28)\n(27,25) - +2\n(32,32) / 0\n(30,28) - +2\n(28,35) | -2";
    let game = records::read(text, Rule::Touching).unwrap().unwrap();
    let words = cross(Rule::Touching).solution_text(&game);
    assert_eq!(words, "13,11-+2 18,18/0 16,14-+2 14,21|-2");
    let record = r#"{"version":"0.1","variant":"5T","moves":[{"x":2,"y":0,"dir":"H","pos":0},{"x":7,"y":7,"dir":"DP","pos":2},{"x":5,"y":3,"dir":"H","pos":0},{"x":3,"y":10,"dir":"V","pos":4}]}"#;
    assert_eq!(records::read(record, Rule::Touching), Some(Ok(game)));
}

#[test]
fn wrong_records_are_refused() {
    for (text, part) in [
        (
            r#"{"variant":"5T","moves":[]}"#,
            "line 1, column 1: this is a record by rule 5t, and the puzzle has rule 5d: read it with morpion(rule=5t)",
        ),
        (r#"{"variant":"4T","moves":[]}"#, "lines of five points, found \"4T\""),
        (r#"{"version":"1.0","variant":"5D","moves":[]}"#, "version 0, found \"1.0\""),
        (r#"{"variant":"5D"}"#, "expected an MSR record: missing field `moves`"),
        (
            r#"{"variant":"5D","moves":[{"x":2,"y":0,"dir":"N","pos":0}]}"#,
            "move 1: expected dir H, V, DP or DN, found \"N\"",
        ),
        (r#"{"variant":"5D","moves":[{"x":2,"y":0,"dir":"H","pos":5}]}"#, "0 to 4, found 5"),
        (
            r#"{"variant":"5D","moves":[{"x":3,"y":0,"dir":"H","pos":0}]}"#,
            "move 1 at column 3, row 0 of the cross: there is a point at 14,11",
        ),
        (
            r#"{"variant":"5D","moves":[{"x":-99999999999,"y":0,"dir":"H","pos":0}]}"#,
            "leaves the board",
        ),
        ("MS1:?", "found `?`"),
        ("MS1:AAAA", "cannot be unpacked"),
        (
            "(28,28)\n(27,25) - +3",
            "line 2, column 1: expected a move such as (27,25) - +2: a direction",
        ),
        (
            "(28,28)\n(27,25) - +2\n(28,28)",
            "line 3, column 1: expected a move such as (27,25) - +2, found `(28,28)` without a direction",
        ),
        (
            "(28,28)\n(27,25) - 0",
            "line 2, column 1: move 1 at column 2, row 0 of the cross: the line has no point",
        ),
        ("(28;28)", "line 1, column 1: expected a move"),
        ("(99999999999,1) - 0", "expected a move"),
    ] {
        let error = records::read(text, Rule::Disjoint).unwrap().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    for text in ["", "# x", GREEK_CROSS, "o.\n14,10|-2"] {
        assert!(records::read(text, Rule::Disjoint).is_none(), "{text}");
    }
}

#[test]
fn files_have_several_records() {
    let one = pentasol(&random_game(Rule::Disjoint, 1, 4), 10, 1);
    let document = cross(Rule::Disjoint).msr(&[]).unwrap();
    let file = format!(
        "# first\n(13,13)\n{one}\n(13,13)\n\n{one}\nooo\n.o.\n\n{0}\n{0}\n",
        compact(&document)
    );
    let pieces = records::split(&file, Rule::Disjoint);
    let found: Vec<_> = pieces.iter().map(|p| (&*p.id, p.line, p.solution.is_some())).collect();
    assert_eq!(
        found,
        [("first", 2, true), ("2", 8, true), ("3", 15, false), ("4", 18, true), ("5", 19, true)]
    );
    assert_eq!(pieces[0].solution, pieces[1].solution);
    let documents = records::split(&format!("{document}\n{document}"), Rule::Disjoint);
    assert_eq!(documents.len(), 2);
}

proptest! {
    #[test]
    fn readers_never_panic(text in "(\\PC|\n){0,200}") {
        let _ = Morpion::parse(&text, Rule::Disjoint);
        let _ = records::split(&text, Rule::Disjoint);
    }

    #[test]
    fn games_are_no_panic(text in "(\\((-?[0-9]{1,3}),[0-9]{1,2}\\) ?[-|/\\\\]? ?[+-]?[0-3]?\n?){0,6}") {
        let _ = records::read(&text, Rule::Touching);
        let _ = records::split(&text, Rule::Touching);
    }

    #[test]
    fn compact_records_are_no_panic(text in "MS1:[A-Za-z0-9_=-]{0,60}") {
        let _ = records::read(&text, Rule::Touching);
    }
}
