//! Conformance of levels of one word and of several, for both measures.

use std::sync::Arc;
use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker},
};
use unriddle_core::{ParseError, Rng};
use unriddle_sokoban::{FAMILY, Level, Measure, Sokoban};

const SPECS: [(&str, Measure); 2] =
    [("sokoban", Measure::Pushes), ("sokoban(measure=moves)", Measure::Moves)];

/// Rooms of the default generator, of a size.
fn rooms(spec: &str, count: u64) -> Vec<String> {
    let puzzle = FAMILY.default_puzzle().unwrap();
    let generator = FAMILY.generator(Some(spec)).unwrap();
    let room = |seed| puzzle.generate(&generator, &mut Rng::stream(7, seed)).unwrap();
    (0..count).map(room).collect()
}

fn rules<const W: usize>(text: &str, near: usize) -> Result<(), Violation> {
    for (spec, measure) in SPECS {
        let read = |text: &str| -> Result<_, ParseError> {
            let level = Arc::new(Level::parse(text)?);
            Ok(Sokoban::<W>::new(level, measure).unwrap())
        };
        let puzzle = read(text).unwrap();
        let subject = || Subject::written(&puzzle).named(format!("{spec}: {text}"));
        conformance::goal(&subject().steps(10).walks(2))?;
        let subject = subject().steps(15).near(near);
        conformance::notation(&subject)?;
        conformance::backward(&subject)?;
        conformance::features(&subject)?;
        conformance::rows(&subject)?;
        conformance::reading(text, read)?;
        let both = Both { read, rules: &Checker(spec) };
        both.agree_on_goals(text)?;
        both.agree_on_solutions(text)?;
    }
    Ok(())
}

#[test]
fn the_rules_of_levels_of_one_word() -> Result<(), Violation> {
    for text in [
        "#####|#@$.#|#####",
        // A box that is out of reach, a row without signs, signs beside the board.
        "--####-#*#|###--####|#@-$-.-#|#--$-.-#|########||-",
        "#######|#--.--#|#-$@$-#|#--.--#|#######",
    ] {
        rules::<1>(text, 1_000)?;
    }
    for text in rooms("room(3, rows=7, columns=8)", 4) {
        rules::<1>(&text, 1_000)?;
    }
    Ok(())
}

#[test]
fn the_rules_of_levels_of_several_words() -> Result<(), Violation> {
    for text in rooms("room(3, rows=12, columns=16)", 2) {
        rules::<4>(&text, 300)?;
        rules::<8>(&text, 300)?;
        rules::<64>(&text, 100)?;
    }
    Ok(())
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// Errors of invalid levels have positions.
#[test]
fn invalid_levels_are_rejected() {
    let puzzle = FAMILY.default_puzzle().unwrap();
    for (text, why) in [
        ("####|#$.#|####", "line 1, column 1: there is no player (`@`, or `+` on a goal)"),
        (
            "#####|#@@$.#|#####",
            "line 1, column 9: a second player; the first one is in row 2, column 2",
        ),
        (
            "####\n#@+\n####",
            "line 2, column 3: a second player; the first one is in row 2, column 2",
        ),
        ("####|#@.#|####", "line 1, column 1: there is no box (`$`, or `*` on a goal)"),
        (
            "#####|#@$$.#|#####",
            "line 1, column 1: there are 2 boxes and 1 goal, expected as many; sokoban(extra=boxes) reads other levels",
        ),
        (
            "######|#@$..#|######",
            "line 1, column 1: there are 1 box and 2 goals, expected as many; sokoban(extra=goals) reads other levels",
        ),
        ("######|#@ $ #|######", "line 1, column 1: there are 1 box and 0 goals, expected as many"),
        (
            "######|#@$.-#|##-###",
            "line 1, column 1: the player can leave the board in row 3, column 3",
        ),
        (
            "#####|#@$?#|#####",
            "line 1, column 10: expected a sign of a level, found `?`; sokoban(signs=\"?=$\") reads it as a box",
        ),
        (
            "#####|#PB-#|#####",
            "line 1, column 1: the signs can be read as `P=+ B=$` or as `P=@ B=*`; sokoban(signs=\"P=+ B=$\") decides",
        ),
        (
            "######|#&$oX$#|######",
            "line 1, column 1: whatever `&` and `o` and `X` may mean, this is no level with one player and as many boxes as goals; sokoban(signs=\"&=@ o=$ X=*\") defines signs",
        ),
        (
            "<a>",
            "line 1, column 1: found XML without a level: expected a `<Level>` with its rows in `<L>`",
        ),
        ("5#|#@$.#|5", "line 1, column 10: a count without a sign behind it"),
        ("0#|#@$.#|5#", "line 1, column 1: a count is from 1 to 10000"),
        ("256#|#@$.#|5#", "line 1, column 4: expected at most 255 rows and columns"),
        ("", "line 1, column 1: there is no level"),
    ] {
        let error = puzzle.load(text).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(why), "{text}");
    }
    for (text, why) in [
        ("#####-###|#@-.#-#$#|#####-###", "the box in row 2, column 8 can never be reached"),
        ("#####-###|#@-$#-#.#|#####-###", "the goal in row 2, column 8 can never be reached"),
    ] {
        let level = puzzle.load(text).unwrap();
        assert_eq!(level.unsolvable(), Some(why), "{text}");
    }
}

/// Letters are read in any case, with counts and parentheses; an error has a position.
#[test]
fn solutions_are_letters() {
    let puzzle = FAMILY.default_puzzle().unwrap();
    let level = puzzle.load("########|#@-$--.#|########").unwrap();
    for text in ["rRRR", "rrrr", "4R", "2(rR)", "r 3R\n", "r(r(2(R)))"] {
        assert_eq!(level.replay(text), Ok((3, 3)), "{text}");
    }
    for (text, why) in [
        ("rRRx", "line 1, column 4: expected u, d, l or r, found `x`"),
        (
            "r\nu",
            "line 2, column 1: `u` is illegal with the player in row 2, column 3: a wall is in the way",
        ),
        (
            "rrrrr",
            "line 1, column 5: `r` is illegal with the player in row 2, column 6: there is a wall behind the box",
        ),
        ("r2", "line 1, column 2: expected a letter behind the count"),
        ("0r", "line 1, column 1: a count is from 1 to 10000000"),
        ("(r", "line 1, column 1: there is no `)` for this `(`"),
        ("r)", "line 1, column 2: there is no `(` before this `)`"),
        ("9999999(9999999r)", "line 1, column 17: expected at most 10000000 letters"),
        ("rR", "after 1 actions the goal is not reached"),
    ] {
        assert_eq!(level.replay(text), Err(why.to_owned()), "{text}");
    }
}

/// Symmetric levels have the same canonical text; another level has a different one.
#[test]
fn symmetric_levels_have_the_same_canonical_text() {
    let puzzle = FAMILY.default_puzzle().unwrap();
    let canonical = |text: &str| puzzle.load(text).unwrap().canonical();
    let level = "#######|#@-$-.#|##----#|-#######";
    for image in [
        "########|-#----##|-#.-$-@#|-#######",
        // The player on another reachable cell, and one more wall outside.
        "########|#--$-.##|##-@--##|-#######",
        "###-|#@##|#--#|#$-#|#--#|#.-#|####",
    ] {
        assert_eq!(canonical(level), canonical(image), "{image}");
    }
    assert_ne!(canonical(level), canonical("#######|#@--$.#|##----#|-#######"));
}

/// Boards with both measures and with boxes that are left over can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = unriddle_catalog::Registry::new([&FAMILY]).unwrap();
    for (spec, _) in SPECS {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        conformance::boards::generated(family, &*puzzle, "room(2, rows=8, columns=7)", 10)?;
    }
    for (spec, text) in [
        ("sokoban(extra=boxes)", "######|#@$$.#|#----#|######"),
        ("sokoban(extra=goals)", "#####|#@$.#|#--.#|#####"),
        ("sokoban", "--####-#*#|###--####|#@-$-.-#|#--$-.-#|########||-"),
    ] {
        let (_, puzzle) = registry.puzzle(spec).unwrap();
        conformance::boards::instance(&*puzzle, text)?;
    }
    Ok(())
}
