//! Conformance of sliding tiles of every type of boards, with every goal, and of their heuristics.

use unriddle_catalog::Registry;
use unriddle_conformance::{
    self as conformance, Subject, Violation, forms,
    second::{Both, Checker},
};
use unriddle_core::{Blind, Heuristic, ParseError, Rng};
use unriddle_tables::{Cache, cache::Policy};
use unriddle_tiles::{
    AnyBoard, Board, Board3, Board4, Board5, Board6, FAMILY, Goal, LinearConflict, Manhattan,
    Partition, Pdb, Shape, Tiles, WalkingDistance, generate::uniform, parse::parse,
};

const SPECS: [(&str, Goal); 4] = [
    ("tiles", Goal::BlankLast),
    ("tiles(goal=blank-last)", Goal::BlankLast),
    ("tiles(goal=blank-first)", Goal::BlankFirst),
    ("tiles(goal=snail)", Goal::Snail),
];

fn read<B: Board>(text: &str, goal: Goal) -> Result<Tiles<B>, ParseError> {
    let parsed = parse(text, goal)?;
    assert_eq!(parsed.solvable, Ok(()));
    Ok(Tiles::of(parsed.shape, &parsed.cells, goal))
}

/// Specs with the text of a random instance. Only boards of any shape have the spiral as a goal.
fn samples<B: Board>(shape: Shape) -> impl Iterator<Item = (&'static str, Goal, String)> {
    let mut rng = Rng::new(7);
    let specs = SPECS.into_iter().filter(|(_, goal)| B::SIDE.is_none() || *goal != Goal::Snail);
    specs.map(move |(spec, goal)| {
        let cells = uniform(shape, goal, &mut rng);
        let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let text = if shape.rows == shape.columns {
            row(&cells)
        } else {
            cells.chunks(shape.columns).map(row).collect::<Vec<_>>().join(" / ")
        };
        (spec, goal, text)
    })
}

/// Shapes whose boards have no type of their own.
fn shapes() -> impl Iterator<Item = Shape> {
    [(2, 2), (2, 3), (4, 3), (3, 3), (5, 7), (7, 7), (8, 8), (2, 32)]
        .into_iter()
        .map(|(rows, columns)| Shape { rows, columns })
}

fn rules<B: Board>(shape: Shape) -> Result<(), Violation> {
    let mut solved = 0;
    for (spec, goal, text) in samples::<B>(shape) {
        let read = |text: &str| read::<B>(text, goal);
        let puzzle = read(&text).unwrap();
        let subject = Subject::written(&puzzle).named(format!("{spec}: {text}"));
        conformance::goal(&subject)?;
        conformance::notation(&subject)?;
        conformance::reversible(&subject)?;
        conformance::backward(&subject)?;
        conformance::features(&subject)?;
        conformance::rows(&subject)?;
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
fn the_rules_of_every_type_of_boards() -> Result<(), Violation> {
    rules::<Board3>(3.into())?;
    rules::<Board4>(4.into())?;
    rules::<Board5>(5.into())?;
    rules::<Board6>(6.into())?;
    shapes().try_for_each(rules::<AnyBoard>)
}

/// A heuristic on all instances of a shape; whether it knows anything.
fn keeps<B: Board, H: Heuristic<Tiles<B>>>(
    shape: Shape,
    with_snail: bool,
    heuristic: impl Fn(&Tiles<B>) -> H,
) -> Result<bool, Violation> {
    let mut informed = 0;
    for (spec, goal, text) in samples::<B>(shape) {
        if goal == Goal::Snail && !with_snail {
            continue;
        }
        let puzzle = read::<B>(&text, goal).unwrap();
        let subject = Subject::written(&puzzle).named(format!("{spec}: {text}"));
        let tested = conformance::heuristic(&subject.backward(), &heuristic(&puzzle))?;
        // A 2-by-2 board has twelve states.
        assert!(tested.distances >= 12, "{tested:?}");
        informed += tested.informed;
    }
    Ok(informed > 0)
}

fn informed<B: Board, H: Heuristic<Tiles<B>>>(
    shape: Shape,
    with_snail: bool,
    heuristic: impl Fn(&Tiles<B>) -> H,
) -> Result<(), Violation> {
    assert!(keeps(shape, with_snail, heuristic)?, "a heuristic that knows nothing");
    Ok(())
}

/// The heuristics that every board has.
fn simple<B: Board>(shape: Shape) -> Result<(), Violation> {
    assert!(!keeps::<B, _>(shape, true, |_| Blind)?);
    informed(shape, true, Manhattan::<B>::new)?;
    informed(shape, true, LinearConflict::<B>::new)
}

fn cache() -> Cache {
    Cache::new(None, 2, Policy::default())
}

fn walking<B: Board>(side: usize) -> Result<(), Violation> {
    informed::<B, _>(side.into(), false, |puzzle| WalkingDistance::new(puzzle, &cache()).unwrap())
}

fn pdb<B: Board, const K: usize>(
    side: usize,
    partition: &str,
    reflected: bool,
) -> Result<(), Violation> {
    let partition = Partition::parse(side, partition).unwrap();
    informed::<B, _>(side.into(), false, |puzzle| {
        Pdb::<B, K>::new(puzzle, &partition, reflected, &cache()).unwrap()
    })
}

#[test]
fn heuristics_without_tables() -> Result<(), Violation> {
    simple::<Board3>(3.into())?;
    simple::<Board4>(4.into())?;
    simple::<Board5>(5.into())?;
    simple::<Board6>(6.into())?;
    shapes().try_for_each(simple::<AnyBoard>)
}

#[test]
fn walking_distances() -> Result<(), Violation> {
    walking::<AnyBoard>(2)?;
    walking::<Board3>(3)?;
    walking::<Board4>(4)
}

#[test]
fn pattern_databases() -> Result<(), Violation> {
    pdb::<AnyBoard, 2>(2, "1.2.3", true)?;
    pdb::<AnyBoard, 4>(2, "1/2/3", true)?;
    pdb::<Board3, 2>(3, "4-4", true)?;
    pdb::<Board3, 2>(3, "4-4", false)?;
    pdb::<Board3, 7>(3, "1.5/2.4/3.6/7/8", true)?;
    pdb::<Board4, 4>(4, "5-5-5", true)?;
    pdb::<Board5, 16>(5, "1.2.6/3.4.8/5.10.15/7.11.12/9.14.13/16.17.21/18.22.23/19.20.24", true)?;
    pdb::<Board6, 16>(
        6,
        "1.2.7/3.4.9/5.6.12/8.13.14/10.11.16/15.20.21/17.18.24/19.25.26/22.23.28/27.32.33/29.30.35/31.34",
        true,
    )
}

/// Random boards are read back from every form that the program writes.
#[test]
fn forms_are_read_back() -> Result<(), Violation> {
    forms::examples(&FAMILY)?;
    let registry = Registry::new([&FAMILY]).unwrap();
    for (spec, _) in &SPECS[1..] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        for generator in
            ["2", "3", "4", "5", "7", "2, 3", "3, 2", "3, 4", "2, 8", "5, 2", "4, 9", "2, 32"]
        {
            forms::read_back(family, &*puzzle, &format!("uniform({generator})"), 1_000)?;
        }
    }
    Ok(())
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}
