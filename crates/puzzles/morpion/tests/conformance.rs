//! Conformance of Morpion Solitaire by both rules, from the cross and from points at random, up to
//! the edge of the board.

use unriddle_catalog::{Registry, Scored, Spec, bind::bind};
use unriddle_conformance::{
    self as conformance, Subject, Violation, forms,
    second::{Both, Checker},
};
use unriddle_core::{Rng, Uniform};
use unriddle_morpion::{FAMILY, Morpion, Rule, SIDE, family::GREEK_CROSS};

const SPECS: [(&str, Rule); 2] =
    [("morpion", Rule::Disjoint), ("morpion(rule=5t)", Rule::Touching)];

/// Points at random in a rectangle.
fn scattered(width: usize, height: usize, rng: &mut Rng) -> String {
    let mut row = || (0..width).map(|_| if rng.below(5) < 2 { 'o' } else { '.' }).collect();
    let rows: Vec<String> = (0..height).map(|_| row()).collect();
    rows.join("\n")
}

#[test]
fn the_rules() -> Result<(), Violation> {
    let rng = &mut Rng::new(3);
    for (spec, rule) in SPECS {
        let mut texts = vec![GREEK_CROSS.to_owned()];
        for (width, height) in [(7, 6), (SIDE, 3), (5, SIDE), (1, 9)] {
            texts.push(scattered(width, height, rng));
        }
        for text in texts {
            let read = |text: &str| Morpion::parse(text, rule);
            let puzzle = read(&text).unwrap();
            let subject = Subject::written(&puzzle).named(format!("{spec}:\n{text}"));
            conformance::score(&subject)?;
            conformance::notation(&subject)?;
            conformance::layered(&subject)?;
            conformance::coded(&subject)?;
            conformance::reading(&text, read)?;
            conformance::playout(&subject, &Uniform)?;
            conformance::selective(&subject, &<Morpion as Scored>::Filter::default())?;
            for entry in <Morpion as Scored>::BOUNDS {
                let spec = Spec::parse(entry.info.name).unwrap();
                let bound = (entry.make)(&bind(entry.info, &spec).unwrap());
                conformance::upper_bound(&subject, &*bound)
                    .map_err(|found| found.with("bound", entry.info.name))?;
            }
            let both = Both { read, rules: &Checker(spec) };
            both.agree_on_ends(&text)?;
            both.agree_on_scores(&text)?;
        }
    }
    Ok(())
}

#[test]
fn texts_are_read_back_in_all_forms() -> Result<(), Violation> {
    let registry = Registry::new([&FAMILY]).unwrap();
    for (spec, _) in SPECS {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        forms::read_back(family, &*puzzle, "cross", 1)?;
        for generator in ["uniform", "uniform(side=32, points=300)", "uniform(side=3, points=5)"] {
            forms::read_back(family, &*puzzle, generator, 170)?;
        }
    }
    Ok(())
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// Boards by both rules can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = unriddle_catalog::Registry::new([&FAMILY]).unwrap();
    for spec in ["morpion", "morpion(rule=5t)"] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        for (generator, count) in
            [("cross", 2), ("uniform", 10), ("uniform(side=32, points=500)", 1)]
        {
            conformance::boards::generated(family, &*puzzle, generator, count)?;
        }
    }
    Ok(())
}
