//! Conformance of cubes of both sizes in both metrics, with each input of networks.

use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker, Rules as _},
};
use unriddle_core::{Learnable as _, Notation as _, Puzzle as _, Rng};
use unriddle_cube::{Cube, FAMILY, Metric, Turn, pieces::SOLVED};

fn rules<const N: usize>(spec: &str, metric: Metric) -> Result<(), Violation> {
    let rng = &mut Rng::new(5);
    let read = |text: &str| Cube::<N>::parse(text, metric);
    let solved = Cube::<N>::new(SOLVED, metric);
    let turns: Vec<Turn> = solved.turns().collect();
    for _ in 0..3 {
        let random = |_| turns[rng.below(turns.len() as u64) as usize];
        let turns: Vec<Turn> = (0..4).map(random).collect();
        let state = turns.iter().fold(SOLVED, |state, &turn| solved.apply(&state, turn));
        let text = solved.state_text(&state);
        let puzzle = read(&text).unwrap();
        let subject = || Subject::written(&puzzle).named(format!("{spec}: {text}"));
        conformance::symmetric(&subject().steps(5).walks(2))?;
        conformance::goal(&subject().steps(10).walks(2))?;
        let subject = subject().steps(15).near(1_000);
        conformance::notation(&subject)?;
        conformance::reversible(&subject)?;
        conformance::backward(&subject)?;
        conformance::invertible(&subject)?;
        conformance::rows(&subject)?;
        for input in 0..Cube::<N>::INPUTS.len() {
            let seen = puzzle.seen_by(input);
            let subject = Subject::written(&seen).named(format!("{spec}, input {input}: {text}"));
            conformance::features(&subject.steps(15).near(1_000))?;
        }
        conformance::reading(&text, read)?;
        let both = Both { read, rules: &Checker(spec) };
        both.agree_on_goals(&text)?;
        assert!(both.agree_on_solutions(&text)? > 0);
    }
    Ok(())
}

/// The texts of a cube that is seen from another side.
fn held<const N: usize>(spec: &str, metric: Metric) -> Result<(), Violation> {
    let read = |text: &str| Cube::<N>::parse(text, metric);
    for scramble in ["y R U2", "x F' z U", "y2 z' R F"] {
        let puzzle = read(scramble).unwrap();
        let text = puzzle.state_text(puzzle.start());
        let subject = Subject::written(&puzzle).named(format!("{spec}: {scramble}"));
        conformance::notation(&subject.steps(15).walks(2))?;
        conformance::reading(&text, read)?;
        let both = Both { read, rules: &Checker(spec) };
        both.agree_on_goals(&text)?;
        assert!(both.agree_on_solutions(&text)? > 0);
    }
    Ok(())
}

#[test]
fn the_texts_of_held_cubes() -> Result<(), Violation> {
    held::<3>("cube", Metric::Quarter)?;
    held::<2>("cube(metric=htm, size=2)", Metric::Half)
}

#[test]
fn the_rules_in_quarter_turns() -> Result<(), Violation> {
    rules::<3>("cube", Metric::Quarter)?;
    rules::<2>("cube(size=2)", Metric::Quarter)
}

#[test]
fn the_rules_in_half_turns() -> Result<(), Violation> {
    rules::<3>("cube(metric=htm)", Metric::Half)?;
    rules::<2>("cube(metric=htm, size=2)", Metric::Half)
}

/// The pieces and the checker's stickers, turn by turn.
#[test]
fn a_million_turns_of_pieces_and_stickers_agree() {
    let rng = &mut Rng::new(9);
    let cube = Cube::<3>::new(SOLVED, Metric::Half);
    let solved = cube.state_text(&SOLVED);
    // The checker replays a thousand turns at a time, and the turns that take the pieces back end
    // at its goal.
    for _ in 0..1_000 {
        let turns: Vec<Turn> = (0..500).map(|_| Turn(rng.below(18) as u8)).collect();
        let there = turns.iter().fold(SOLVED, |state, &turn| cube.apply(&state, turn));
        let back: Vec<Turn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
        let verdict = |from: &str, turns: &[Turn]| {
            unriddle_check::verify("cube(metric=htm)", from, &cube.solution_text(turns))
        };
        assert!(verdict(&cube.state_text(&there), &back).is_ok());
        let round: Vec<Turn> = turns.iter().chain(&back).copied().collect();
        assert!(verdict(&solved, &round).is_ok());
        assert!(verdict(&solved, &turns).is_err() || there == SOLVED);
    }
    let after = Checker("cube(metric=htm)").apply(&solved, "R").unwrap();
    assert_eq!(after, cube.state_text(&SOLVED.turned(3)));
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// The parser rejects cubes that turns cannot solve, with a reason.
#[test]
fn impossible_cubes_are_named() {
    let puzzle = FAMILY.default_puzzle().unwrap();
    let solved = |corners: [usize; 3], edge: bool| {
        let mut colours: Vec<char> =
            "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB".chars().collect();
        // The stickers of the corner at URF and of the edge at UF.
        let at = [8, 9, 20];
        let seen: Vec<char> = corners.iter().map(|&i| colours[at[i]]).collect();
        at.iter().zip(seen).for_each(|(&at, colour)| colours[at] = colour);
        if edge {
            colours.swap(7, 19);
        }
        colours.into_iter().collect::<String>()
    };
    for (text, why) in [
        (solved([0, 1, 2], false), None),
        (solved([0, 1, 2], true), Some("one edge is flipped")),
        (solved([2, 0, 1], false), Some("one corner is twisted clockwise")),
        (solved([1, 2, 0], false), Some("one corner is twisted counterclockwise")),
        (
            solved([1, 2, 0], true),
            Some("one corner is twisted counterclockwise, and one edge is flipped"),
        ),
    ] {
        assert_eq!(puzzle.load(&text).unwrap().unsolvable(), why, "{text}");
    }
}

/// Nets of both sizes and metrics can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = unriddle_catalog::Registry::new([&FAMILY]).unwrap();
    for spec in ["cube", "cube(metric=htm)", "cube(size=2)", "cube(size=2, metric=htm)"] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        conformance::boards::generated(family, &*puzzle, "random", 10)?;
    }
    // A cube that is seen from another side.
    let (_, puzzle) = registry.puzzle("cube").unwrap();
    conformance::boards::instance(&*puzzle, "R U2 F' x")
}
