//! Conformance of sliding tiles of every side, in both conventions of the goal, and of their
//! heuristics.

use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker},
};
use unriddle_core::{Blind, Heuristic, ParseError, Rng};
use unriddle_tables::{Cache, cache::Policy};
use unriddle_tiles::{
    Board, Board2, Board3, Board4, Board5, Board6, Board7, Board8, FAMILY, Goal, LinearConflict,
    Manhattan, Partition, Pdb, Tiles, WalkingDistance, generate::uniform, parse::parse,
};

const SPECS: [(&str, Goal); 3] = [
    ("tiles", Goal::BlankLast),
    ("tiles(goal=blank-last)", Goal::BlankLast),
    ("tiles(goal=blank-first)", Goal::BlankFirst),
];

fn read<B: Board>(text: &str, goal: Goal) -> Result<Tiles<B>, ParseError> {
    let parsed = parse(text, goal)?;
    assert_eq!(parsed.solvable, Ok(()));
    Ok(Tiles::new(&parsed.cells, goal))
}

/// Specs with the text of a random instance.
fn samples<B: Board>() -> impl Iterator<Item = (&'static str, Goal, String)> {
    let mut rng = Rng::new(7);
    SPECS.into_iter().map(move |(spec, goal)| {
        let cells = uniform(B::N, goal, &mut rng);
        let words: Vec<String> = cells.iter().map(u8::to_string).collect();
        (spec, goal, words.join(" "))
    })
}

fn rules<B: Board>() -> Result<(), Violation> {
    let mut solved = 0;
    for (spec, goal, text) in samples::<B>() {
        let read = |text: &str| read::<B>(text, goal);
        let puzzle = read(&text).unwrap();
        let subject = Subject::written(&puzzle).named(format!("{spec}: {text}"));
        conformance::goal(&subject)?;
        conformance::notation(&subject)?;
        conformance::reversible(&subject)?;
        conformance::backward(&subject)?;
        conformance::features(&subject)?;
        conformance::reading(&text, read)?;
        let rules = &Checker(spec);
        let both = Both { read, rules };
        both.agree_on_goals(&text)?;
        solved += both.agree_on_solutions(&text)?;
    }
    assert!(solved > 0, "no instance with a solution");
    Ok(())
}

#[test]
fn the_rules_of_every_side() -> Result<(), Violation> {
    rules::<Board2>()?;
    rules::<Board3>()?;
    rules::<Board4>()?;
    rules::<Board5>()?;
    rules::<Board6>()?;
    rules::<Board7>()?;
    rules::<Board8>()
}

/// A heuristic on all instances of a side; whether it knows anything.
fn keeps<B: Board, H: Heuristic<Tiles<B>>>(heuristic: &H) -> Result<bool, Violation> {
    let mut informed = 0;
    for (spec, goal, text) in samples::<B>() {
        let puzzle = read::<B>(&text, goal).unwrap();
        let subject = Subject::written(&puzzle).named(format!("{spec}: {text}"));
        let tested = conformance::heuristic(&subject.backward(), heuristic)?;
        // A 2-by-2 board has twelve states.
        assert!(tested.distances >= 12, "{tested:?}");
        informed += tested.informed;
    }
    Ok(informed > 0)
}

fn informed<B: Board, H: Heuristic<Tiles<B>>>(heuristic: &H) -> Result<(), Violation> {
    assert!(keeps(heuristic)?, "a heuristic that knows nothing");
    Ok(())
}

/// The heuristics that every side has.
fn simple<B: Board>() -> Result<(), Violation> {
    assert!(!keeps::<B, _>(&Blind)?);
    informed(&Manhattan::<B>::default())?;
    informed(&LinearConflict::<B>::default())
}

fn cache() -> Cache {
    Cache::new(None, 2, Policy::default())
}

fn walking<B: Board>() -> Result<(), Violation> {
    informed(&WalkingDistance::<B>::new(&cache()).unwrap())
}

fn pdb<B: Board, const K: usize>(partition: &str, reflected: bool) -> Result<(), Violation> {
    let partition = Partition::parse(B::N, partition).unwrap();
    informed(&Pdb::<B, K>::new(&partition, reflected, &cache()).unwrap())
}

#[test]
fn heuristics_without_tables() -> Result<(), Violation> {
    simple::<Board2>()?;
    simple::<Board3>()?;
    simple::<Board4>()?;
    simple::<Board5>()?;
    simple::<Board6>()?;
    simple::<Board7>()?;
    simple::<Board8>()
}

#[test]
fn walking_distances() -> Result<(), Violation> {
    walking::<Board2>()?;
    walking::<Board3>()?;
    walking::<Board4>()
}

#[test]
fn pattern_databases() -> Result<(), Violation> {
    pdb::<Board2, 2>("1.2.3", true)?;
    pdb::<Board2, 4>("1/2/3", true)?;
    pdb::<Board3, 2>("4-4", true)?;
    pdb::<Board3, 2>("4-4", false)?;
    pdb::<Board3, 7>("1.5/2.4/3.6/7/8", true)?;
    pdb::<Board4, 4>("5-5-5", true)?;
    pdb::<Board5, 16>("1.2.6/3.4.8/5.10.15/7.11.12/9.14.13/16.17.21/18.22.23/19.20.24", true)?;
    pdb::<Board6, 16>(
        "1.2.7/3.4.9/5.6.12/8.13.14/10.11.16/15.20.21/17.18.24/19.25.26/22.23.28/27.32.33/29.30.35/31.34",
        true,
    )
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}
