//! Conformance of FreeCell of several sizes, its estimates and its solvers.

use unriddle_catalog::{Costs, Goal, Registry, Spec, bind::bind, listed::DeclaredPuzzle};
use unriddle_conformance::{
    self as conformance, Promises, Subject, Violation, forms,
    second::{Both, Checker, Rules as _},
};
use unriddle_core::{
    Guarantee, Heuristic, Options as _, Outcome, ParseError, Progress, Quota, Rng, Role,
    Search as _,
};
use unriddle_freecell::{
    FAMILY, FreeCell, INFO, Moves, Rules,
    cycles::Cycles,
    generate::uniform,
    heuristics::{Feature, Hsdh, Single},
    parse::parse,
    solvers::{
        fast::{Fast, FastConfig},
        optimal::{Measure, Optimal, OptimalConfig},
        short::{Short, ShortConfig},
    },
};
use unriddle_search::bfs::{Bfs, BfsConfig};

const SPECS: [&str; 8] = [
    "freecell",
    "freecell(cells=8, columns=10)",
    "freecell(moves=single)",
    "freecell(cells=2, columns=5, ranks=5)",
    "freecell(cells=0, columns=9, ranks=6)",
    SMALL,
    TINY,
    "freecell(cells=1, columns=4, ranks=3, moves=single)",
];

/// Few enough states that all are looked at.
const SMALL: &str = "freecell(cells=1, columns=4, ranks=3)";

/// A deck so small that all distances can be computed.
const TINY: &str = "freecell(cells=1, columns=4, ranks=2)";

/// Without a cell some of the small deals have no solution.
const STUCK: &str = "freecell(cells=0, columns=4, ranks=3)";

fn rules(spec: &str) -> Rules {
    Rules::read(&bind(&INFO, &Spec::parse(spec).unwrap()).unwrap())
}

fn read(text: &str, rules: Rules) -> Result<FreeCell, ParseError> {
    parse(text, &rules).map(|layout| FreeCell::new(rules, layout))
}

#[test]
fn the_rules_of_every_size() -> Result<(), Violation> {
    let mut solved = 0;
    let rng = &mut Rng::new(7);
    for spec in SPECS {
        let rules = rules(spec);
        let text = uniform(&rules, rng).text();
        let read = |text: &str| read(text, rules);
        let puzzle = read(&text).unwrap();
        let subject = Subject::written(&puzzle).named(spec);
        conformance::goal(&subject)?;
        conformance::notation(&subject)?;
        conformance::reading(&text, read)?;
        let both = Both { read, rules: &Checker(spec) };
        both.agree_on_goals(&text)?;
        solved += both.agree_on_solutions(&text)?;
    }
    assert!(solved > 0, "no deal with a solution");
    Ok(())
}

/// The first small deals, with their optima.
fn small(spec: &str, rng: &mut Rng) -> Vec<(FreeCell, Option<i64>)> {
    let rules = rules(spec);
    let deal = |_| {
        let puzzle = FreeCell::new(rules, uniform(&rules, rng));
        let mut search = Bfs::new(&puzzle, BfsConfig::default()).unwrap();
        let optimum = match search.advance(&Quota::UNLIMITED, &mut ()) {
            Progress::Finished(Outcome::Solved { best, .. }) => Some(best.value),
            Progress::Finished(Outcome::Unsolvable) => None,
            other => panic!("{other:?}"),
        };
        (puzzle, optimum)
    };
    (0..6).map(deal).collect()
}

#[test]
fn estimates_keep_their_word() -> Result<(), Violation> {
    let mut distances = 0;
    for (puzzle, _) in small(SMALL, &mut Rng::new(3)) {
        let subject = Subject::written(&puzzle).near(50_000);
        let mut keeps = |claimed: Guarantee, tested: conformance::Tested| {
            assert!(tested.informed > 0);
            distances += u64::from(claimed.is_admissible()) * tested.distances;
        };
        let cycles = Cycles::new(puzzle.rules());
        keeps(cycles.guarantee(), conformance::heuristic(&subject, &cycles)?);
        keeps(Hsdh.guarantee(), conformance::heuristic(&subject, &Hsdh)?);
        for feature in Feature::ALL {
            let single = Single(feature);
            keeps(single.guarantee(), conformance::heuristic(&subject, &single)?);
        }
    }
    assert!(distances > 1_000, "{distances}");
    Ok(())
}

#[test]
fn solvers_keep_their_promises() -> Result<(), Violation> {
    let (mut solved, mut unsolvable) = (0, 0);
    let rng = &mut Rng::new(4);
    let deals = [small(SMALL, rng), small(STUCK, rng)].concat();
    for (puzzle, optimum) in deals {
        solved += u32::from(optimum.is_some());
        unsolvable += u32::from(optimum.is_none());
        let subject = Subject::written(&puzzle);
        let complete = Promises { optimal: false, empty_bytes: 1 << 20, ..Promises::default() };
        conformance::search_on(&subject, complete, Guarantee::None, optimum, || {
            Box::new(Fast::new(&puzzle, FastConfig::default()).unwrap())
        })?;
        conformance::search_on(&subject, complete, Guarantee::None, optimum, || {
            Box::new(Short::new(&puzzle, ShortConfig::default()).unwrap())
        })?;
        // In moves of sequences an action counts one, as in breadth-first search.
        assert_eq!(puzzle.rules().moves, Moves::Sequence);
        let optimal = Promises { proves_alone: true, empty_bytes: 1 << 20, ..Promises::default() };
        let measure = Measure::M0;
        conformance::search_on(&subject, optimal, Guarantee::None, optimum, || {
            Box::new(Optimal::new(&puzzle, OptimalConfig { measure }).unwrap())
        })?;
    }
    assert!(solved > 0 && unsolvable > 0, "{solved} {unsolvable}");
    Ok(())
}

#[test]
fn texts_are_read_back() -> Result<(), Violation> {
    let registry = Registry::new([&FAMILY]).unwrap();
    for (spec, generator, count) in [
        ("freecell", "uniform", 500),
        ("freecell", "microsoft", 200),
        (TINY, "uniform", 100),
        ("freecell(columns=4, ranks=4)", "uniform", 100),
        ("freecell(columns=10, cells=8)", "uniform", 100),
    ] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        forms::read_back(family, &*puzzle, generator, count)?;
    }
    Ok(())
}

/// The same board in all signs of cards, and as rows.
#[test]
fn forms_of_one_board_are_one_instance() {
    let rules = Rules::default();
    for seed in 0..200 {
        let layout = uniform(&rules, &mut Rng::new(seed));
        let text = layout.text();
        let signs = [("C", "♣"), ("D", "♦"), ("S", "♠"), ("H", "♥")];
        let drawn =
            signs.iter().fold(text.clone(), |text, (letter, sign)| text.replace(letter, sign));
        let mut rows = String::new();
        for row in 0..7 {
            let cards = layout.columns.iter().filter_map(|column| column.get(row));
            rows += &(cards.map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n");
        }
        let marked = format!(
            "Foundations: H-0 C-0 D-0 S-0\nFreecells: - - - -\n: {}",
            text.replace('\n', "\n: ")
        );
        for form in [
            text.replace('T', "0"),
            text.replace('T', "10"),
            text.to_lowercase(),
            drawn,
            rows,
            marked,
        ] {
            assert_eq!(parse(&form, &rules).as_ref(), Ok(&layout), "{form}");
        }
    }
}

/// The label of a value: single cards if cards move one by one.
#[test]
fn values_are_named_by_their_measure() {
    let declared = <FreeCell as DeclaredPuzzle<Costs>>::declared();
    for (moves, solver, measure) in [
        (Moves::Sequence, "fc-short", "m0"),
        (Moves::Sequence, "fc-optimal(measure=m0)", "m0"),
        (Moves::Sequence, "fc-optimal", "m1"),
        (Moves::Single, "fc-short", "m1"),
        (Moves::Single, "fc-optimal(measure=m0)", "m1"),
        (Moves::Single, "fc-optimal", "m1"),
        (Moves::Single, "astar(cycles)", "m1"),
    ] {
        let rules = Rules { moves, ..Rules::default() };
        let puzzle = FreeCell::new(rules, uniform(&rules, &mut Rng::new(1)));
        let spec = Spec::parse(solver).unwrap();
        let bound = declared.bind(Role::Search, &spec).unwrap();
        assert_eq!(Goal::measures(&puzzle, &bound, &[]).of_value, Some(measure), "{solver}");
    }
}

/// Random texts of few signs: a text that both readers read is the same instance, and the checker
/// reads no text that the puzzle refuses.
#[test]
fn no_text_is_read_in_two_ways() {
    let spec = "freecell(columns=4, ranks=2, cells=2)";
    let (rules, checker) = (rules(spec), Checker(spec));
    let rng = &mut Rng::new(12);
    let (mut read_by_puzzle, mut both) = (0, 0);
    for _ in 0..40_000 {
        let mut cards = ["AC", "2C", "AD", "2D", "AS", "2S", "AH", "2H"].map(str::to_owned);
        rng.shuffle(&mut cards);
        let mut text = String::new();
        for card in cards {
            text += &match rng.below(60) {
                0 => String::new(),
                1 => card.replace('H', "♥"),
                2 => card.chars().rev().collect(),
                3 => format!("FC: {card}\n"),
                4 => format!("{card},"),
                5 => format!("\n: {card}"),
                _ => card,
            };
            text += ["\n", " ", " ", "\n", "\n:\n"][rng.below(5) as usize];
        }
        // Lines that are the rows of a deal are columns to the checker.
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        let theirs = checker.actions(&text);
        match parse(&text, &rules) {
            Ok(layout) => {
                read_by_puzzle += 1;
                let own = checker.actions(&layout.text());
                assert!(own.is_ok(), "{text:?}: {own:?}");
                both += usize::from(theirs.is_ok());
                let is_same = theirs.is_err() || theirs == own || lines != 4;
                assert!(is_same, "{text:?}: {theirs:?}, {own:?}");
            }
            Err(error) => {
                let is_known = error.message.contains("look like the rows");
                assert!(theirs.is_err() || is_known, "{text:?}: {error}");
            }
        }
    }
    assert!(both > 1_000 && read_by_puzzle > both, "{read_by_puzzle} {both}");
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// Tables of several sizes can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = unriddle_catalog::Registry::new([&FAMILY]).unwrap();
    for spec in [
        "freecell",
        "freecell(cells=0)",
        "freecell(cells=8, columns=4)",
        "freecell(columns=10, ranks=5)",
        "freecell(moves=single)",
    ] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        conformance::boards::generated(family, &*puzzle, "uniform", 10)?;
    }
    let (_, puzzle) = registry.puzzle("freecell").unwrap();
    conformance::boards::instance(
        &*puzzle,
        "Foundations: H-K C-J D-K S-Q\nFreecells: KC - - -\n: QC\n: KS\n",
    )
}
