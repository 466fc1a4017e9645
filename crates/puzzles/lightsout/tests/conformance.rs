//! Conformance of Lights Out on boards with edges and on tori, with states of one word and of
//! several.

use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker, Rules as _},
};
use unriddle_core::{Estimate, Guarantee, Learnable as _, Notation as _, Puzzle as _, Rng};
use unriddle_lightsout::{FAMILY, Lights, fifth};

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

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}
