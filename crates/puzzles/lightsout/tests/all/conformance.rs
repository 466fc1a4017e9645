//! Conformance of Lights Out on boards with edges and on tori, with states of one word and of
//! several.

use unriddle_catalog::Registry;
use unriddle_conformance::{
    self as conformance, Subject, Violation, forms,
    second::{Both, Checker, Rules as _},
};
use unriddle_core::{Estimate, Guarantee, Learnable as _, Notation as _, Puzzle as _, Rng};
use unriddle_lightsout::{FAMILY, Lights, Reach, family::Variety, fifth};

const SPECS: [(&str, bool); 2] = [("lightsout", false), ("lightsout(torus=on)", true)];

fn random(rows: usize, columns: usize, rng: &mut Rng) -> String {
    let mut row = || {
        let signs = (0..columns).map(|_| if rng.below(2) == 0 { '0' } else { '1' });
        signs.collect::<String>() + "/"
    };
    (0..rows).map(|_| row()).collect()
}

fn rules<const W: usize>(sizes: &[(usize, usize)]) -> Result<(), Violation> {
    let rng = &mut Rng::new(5);
    let mut solved = 0;
    for &(rows, columns) in sizes {
        for (spec, torus) in SPECS {
            let text = random(rows, columns, rng);
            let read = |text: &str| Lights::<W>::parse(text, torus);
            let puzzle = read(&text).unwrap();
            let subject = || Subject::written(&puzzle).named(format!("{spec}: {text}"));
            // A torus has thousands of symmetries: a few states are enough.
            conformance::symmetric(&subject().steps(2).walks(1))?;
            // Each pair of presses is compared with all pairs that commute with it.
            let few = if rows * columns > 50 { 1 } else { 15 };
            conformance::goal(&subject().steps(few).walks(few as u64))?;
            let subject = subject().steps(15).near(1_000);
            conformance::notation(&subject)?;
            conformance::reversible(&subject)?;
            conformance::backward(&subject)?;
            conformance::rows(&Subject::written(&puzzle).steps(5).near(20))?;
            for input in 0..Lights::<W>::INPUTS.len() {
                let seen = puzzle.seen_by(input);
                let subject =
                    Subject::written(&seen).named(format!("{spec}, input {input}: {text}"));
                conformance::features(&subject.steps(15).near(1_000))?;
            }
            conformance::reading(&text, read)?;
            let estimate = Estimate::new(Guarantee::Consistent, fifth);
            let tested = conformance::heuristic(&subject.backward(), &estimate)?;
            assert!(tested.informed > 0, "{tested:?}");
            let both = Both { read, rules: &Checker(spec) };
            both.agree_on_goals(&text)?;
            solved += both.agree_on_solutions(&text)?;
        }
    }
    assert!(solved > 0, "no instance with a solution");
    Ok(())
}

#[test]
fn the_rules_of_small_boards() -> Result<(), Violation> {
    rules::<1>(&[(1, 1), (1, 2), (2, 2), (3, 3), (1, 5), (4, 3), (7, 7), (8, 8)])
}

#[test]
fn the_rules_of_boards_of_several_words() -> Result<(), Violation> {
    rules::<2>(&[(9, 9)])?;
    rules::<4>(&[(13, 10)])
}

/// Conformance of the rules only: breadth-first search on the largest boards would take too long.
#[test]
fn the_rules_of_the_largest_board() -> Result<(), Violation> {
    for (spec, torus) in SPECS {
        let text = random(200, 200, &mut Rng::new(1));
        let read = |text: &str| Lights::<{ unriddle_lightsout::WORDS }>::parse(text, torus);
        let puzzle = read(&text).unwrap();
        let state = puzzle.start();
        for press in [0, 199, 20_100, 39_999].map(unriddle_lightsout::Press) {
            let after = puzzle.state_text(&puzzle.apply(state, press));
            let word = puzzle.solution_text(&[press]);
            let theirs = Checker(spec).apply(&text, &word).unwrap();
            assert_eq!(theirs, after);
            assert_eq!(read(&after).unwrap().start(), &puzzle.apply(state, press));
        }
    }
    Ok(())
}

/// Presses of all shapes, and buttons with lights of their own, of which some toggle none.
#[test]
fn the_rules_of_other_presses() -> Result<(), Violation> {
    let rng = &mut Rng::new(7);
    let mut cases = Vec::new();
    for press in Reach::ALL {
        for (torus, word) in [(false, "off"), (true, "on")] {
            for (rows, columns) in [(1, 3), (2, 2), (4, 3), (1, 1)] {
                let spec = format!("lightsout(torus={word}, press={})", press.name());
                cases.push((spec, Variety { torus, press }, random(rows, columns, rng)));
            }
        }
    }
    for (lights, buttons) in [((1, 1), 2), ((2, 3), 4), ((2, 2), 4), ((3, 3), 12)] {
        let matrix = random(buttons, lights.0 * lights.1, rng);
        let text = format!("{} buttons {matrix}", random(lights.0, lights.1, rng));
        cases.push(("lightsout".to_owned(), Variety::default(), text));
    }
    for (spec, variety, text) in &cases {
        let read = |text: &str| Lights::<1>::read(text, variety);
        let puzzle = read(text).unwrap();
        let subject = || Subject::written(&puzzle).named(format!("{spec}: {text}"));
        conformance::symmetric(&subject().steps(2).walks(1))?;
        conformance::goal(&subject().steps(15).walks(5))?;
        let subject = subject().steps(15).near(1_000);
        conformance::notation(&subject)?;
        conformance::reversible(&subject)?;
        conformance::backward(&subject)?;
        conformance::features(&subject)?;
        conformance::reading(text, read)?;
        let estimate = Estimate::new(Guarantee::Consistent, fifth);
        conformance::heuristic(&subject.backward(), &estimate)?;
        let both = Both { read, rules: &Checker(spec) };
        both.agree_on_goals(text)?;
        both.agree_on_solutions(text)?;
    }
    Ok(())
}

#[test]
fn texts_are_read_back_in_all_forms() -> Result<(), Violation> {
    let registry = Registry::new([&FAMILY]).unwrap();
    for (spec, generator) in [
        ("lightsout", "random"),
        ("lightsout", "random(1, 5)"),
        ("lightsout", "random(5, 1)"),
        ("lightsout", "random(1)"),
        ("lightsout(torus=on)", "random(3, 4)"),
        ("lightsout(press=ring)", "random(4)"),
        ("lightsout(press=cross, torus=on)", "random(2, 6)"),
    ] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        forms::read_back(family, &*puzzle, generator, 150)?;
    }
    Ok(())
}

/// Random texts of few signs: a text that both readers read is the same instance, and the checker
/// reads no text that the puzzle refuses.
#[test]
fn no_text_is_read_in_two_ways() {
    let checker = Checker("lightsout");
    let rng = &mut Rng::new(12);
    let (mut read, mut both) = (0, 0);
    for _ in 0..60_000 {
        let signs: &[&str] = match rng.below(3) {
            0 => &["0", "1", "\n", "/", "#", ".", " ", ",", "11", "00", "x", "-", "|"],
            1 => &["0", "1", "[", "]", "[[", "]]", ",", "1,0", "\n", "true", "off", ";"],
            _ => &["0", "1", "10/", "01/", " buttons ", "1x1c:", "8,8", "11", "/", "x"],
        };
        let text: String =
            (0..1 + rng.below(9)).map(|_| signs[rng.below(signs.len() as u64) as usize]).collect();
        // A single press leads to the same lights in both readings.
        let theirs = checker.apply(&text, "0,0");
        match Lights::<1>::parse(&text, false) {
            Ok(board) => {
                read += 1;
                let after = board.apply(board.start(), unriddle_lightsout::Press(0));
                let own = board.state_text(&after);
                let written = board.state_text(board.start());
                assert_eq!(checker.apply(&written, "0,0").as_ref(), Ok(&own), "{text:?}");
                both += usize::from(theirs.is_ok());
                if let Ok(theirs) = theirs {
                    // The checker repeats buttons that are the usual ones.
                    let theirs = Lights::<1>::parse(&theirs, false).unwrap();
                    assert_eq!(theirs.state_text(theirs.start()), own, "{text:?}");
                }
            }
            Err(error) => assert!(theirs.is_err(), "{text:?}: {error}"),
        }
    }
    assert!(both > 1_000 && read > both, "{read} {both}");
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// Boards with edges, tori and boards that list their buttons can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = unriddle_catalog::Registry::new([&FAMILY]).unwrap();
    for spec in ["lightsout", "lightsout(torus=on)", "lightsout(press=cross)"] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        for generator in ["random(5)", "random(1, columns=7)", "presses(6, rows=7, columns=4)"] {
            conformance::boards::generated(family, &*puzzle, generator, 10)?;
        }
    }
    let (_, puzzle) = registry.puzzle("lightsout").unwrap();
    for text in ["101/ buttons 110/011", "10/01 buttons 1100/0110/0011/1001/1111/0101/1110"] {
        conformance::boards::instance(&*puzzle, text)?;
    }
    Ok(())
}
