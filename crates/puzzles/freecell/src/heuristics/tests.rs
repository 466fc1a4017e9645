//! Values by hand, and against a naive computation along random walks.

use super::*;
use crate::{
    Card, FreeCell, Layout, Rules, Table,
    parse::parse,
    tests::{numbered, varied},
};
use unriddle_core::{
    BatchHeuristic, GoalPuzzle, Guarantee, Heuristic, Info, Puzzle, Rng, Role, Row,
};

/// A board of a small deck.
fn board(text: &str, rules: Rules) -> FreeCell {
    FreeCell::new(rules, parse(text, &rules).unwrap())
}

fn values(puzzle: &FreeCell, table: &Table) -> [f32; FEATURES] {
    Feature::ALL.map(|feature| feature.value(puzzle, table))
}

/// The features from the layout of the cards, as naively as possible.
fn naive(rules: &Rules, layout: &Layout) -> [f32; FEATURES] {
    let home = layout.foundations;
    let mut buried = 0;
    for suit in 0..4u8 {
        if home[usize::from(suit)] == rules.ranks {
            continue;
        }
        let next = Card::new(home[usize::from(suit)] + 1, suit);
        for column in &layout.columns {
            if let Some(place) = column.iter().position(|&card| card == next) {
                buried += column.len() - place - 1;
            }
        }
    }
    let vacancies = layout.free_cells() + layout.empty_columns();
    let ordered = |column: &&Vec<Card>| column.windows(2).all(|pair| pair[1].fits(pair[0]));
    let well_placed: usize = layout.columns.iter().filter(ordered).map(Vec::len).sum();
    let not_home: usize = rules.deck() - home.iter().map(|&n| usize::from(n)).sum::<usize>();
    let tops: Vec<f32> = layout
        .columns
        .iter()
        .filter_map(|column| column.last())
        .map(|card| f32::from(card.rank()))
        .collect();
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len().max(1) as f32;
    let (low, high) = (home.iter().min().unwrap(), home.iter().max().unwrap());
    let most: u32 = (0..rules.columns).map(|i| u32::from(rules.ranks.saturating_sub(i / 4))).sum();
    let bottoms: u32 = layout
        .columns
        .iter()
        .filter_map(|column| column.first())
        .map(|card| u32::from(card.rank()))
        .sum();
    [
        (buried * if vacancies == 0 { 2 } else { 1 }) as f32,
        well_placed as f32,
        not_home as f32,
        vacancies as f32,
        mean(&tops) - mean(&home.map(f32::from)),
        f32::from(rules.ranks - low),
        f32::from(*high),
        f32::from(high - low),
        most as f32 - bottoms as f32,
    ]
}

#[test]
fn walks_agree_with_the_layout_and_stay_between_0_and_1() {
    for seed in 0..60 {
        let puzzle = varied(seed);
        let rules = *puzzle.rules();
        let mut rng = Rng::new(seed);
        let mut table = puzzle.initial_state();
        for _ in 0..200 {
            let layout = puzzle.layout_of(&table);
            let found = values(&puzzle, &table);
            for (a, b) in found.iter().zip(naive(&rules, &layout)) {
                assert!((a - b).abs() < 1e-4, "{found:?}\n{}", layout.text());
            }
            for feature in Feature::ALL {
                let x = feature.normalised(&puzzle, &table);
                assert!((0.0..=1.0).contains(&x), "{feature:?} {x}");
            }
            // Home moves first, half of the time, so that all stages are seen.
            let actions: Vec<_> = puzzle.actions(&table).collect();
            let Some(last) = actions.len().checked_sub(1) else {
                break;
            };
            let chosen = rng.below(2) * rng.below(last as u64 + 1);
            let action = actions[chosen as usize];
            let child = puzzle.apply(&table, action);
            let full = Hsdh.root(&puzzle, &child);
            assert_eq!(Hsdh.child(&puzzle, &table, &(), action, &child), full);
            table = child;
        }
    }
}

#[test]
fn values_by_hand() {
    let rules = Rules { cells: 1, columns: 4, ranks: 3, ..Rules::default() };
    // Aces: clubs under two cards, diamonds free, hearts in the cell, spades under one card.
    let puzzle = board(
        "Foundations: H-0 C-0 D-0 S-0\nFreecells: AH\nAC 3D 2C\n3S 2D AD\nAS 2H\n3C 2S 3H",
        rules,
    );
    let start = puzzle.initial_state();
    // No vacancy: (2 + 0 + 1)·2. Ordered from end to end: AS 2H is not, 3S 2D AD is not (AD on 2D).
    let tops = (2.0 + 1.0 + 2.0 + 3.0) / 4.0;
    assert_eq!(values(&puzzle, &start), [6.0, 0.0, 12.0, 0.0, tops, 3.0, 0.0, 0.0, 12.0 - 8.0]);
    assert_eq!(Hsdh.root(&puzzle, &start), Some((6 + 12, ())));
    let single = |feature: Feature| Single(feature).root(&puzzle, &start).unwrap().0;
    assert_eq!(single(Feature::CardsNotHome), 12);
    assert_eq!(single(Feature::NumberWellPlaced), 12);
    assert_eq!(single(Feature::FreeCells), 5);
    assert_eq!(single(Feature::HighestHomeCard), 3);
    // (2 + 3) / 6
    assert_eq!(single(Feature::DifferenceFromTop), 833_333);
    // The aces of diamonds and hearts go home: a cell is free, and the twos of both suits are next,
    // both under no card; 3S 2D is ordered now.
    let mut after = start;
    for _ in 0..2 {
        let home = puzzle.actions(&after).next().unwrap();
        after = puzzle.apply(&after, home);
    }
    let found = values(&puzzle, &after);
    assert_eq!(found[..4], [3.0, 2.0, 10.0, 1.0]);
    assert_eq!(found[5..8], [3.0, 1.0, 1.0]);
}

/// The paper's example of the bottom cards: 100 − 52 for eight columns that begin with these
/// values.
#[test]
fn the_papers_example() {
    let rules = Rules::default();
    let bottoms = ["2C", "3C", "9C", "JC", "6C", "2D", "8C", "JD"].map(|c| Card::parse(c).unwrap());
    let mut layout = Layout::empty(&rules);
    let rest = (0..52).map(Card::from_index).filter(|c| !bottoms.contains(c));
    for (i, card) in bottoms.into_iter().chain(rest).enumerate() {
        layout.columns[i % 8].push(card);
    }
    let puzzle = FreeCell::new(rules, layout);
    let start = puzzle.initial_state();
    assert_eq!(Feature::BottomCardsSum.value(&puzzle, &start), 48.0);
    assert_eq!(Feature::BottomCardsSum.greatest(&puzzle), 100.0);
    assert_eq!(Feature::Hsdh.greatest(&puzzle), 144.0);
    assert_eq!(Feature::FreeCells.greatest(&puzzle), 12.0);
    assert_eq!(Feature::DifferenceHome.greatest(&puzzle), 13.0);
}

#[test]
fn cards_not_home_is_consistent_and_nothing_else() {
    for feature in Feature::ALL {
        let expected = match feature {
            Feature::CardsNotHome => Guarantee::Consistent,
            _ => Guarantee::None,
        };
        assert_eq!(Single(feature).guarantee(), expected);
        let Info { name, role, .. } = feature.info();
        assert_eq!((name, role), (feature.name(), Role::Heuristic));
    }
    let puzzle = numbered(5, Rules::default());
    let mut rng = Rng::new(5);
    let mut table = puzzle.initial_state();
    let h = |table: &Table| Single(Feature::CardsNotHome).root(&puzzle, table).unwrap().0;
    for _ in 0..300 {
        let actions: Vec<_> = puzzle.actions(&table).collect();
        let child = puzzle.apply(&table, actions[rng.below(actions.len() as u64) as usize]);
        assert!(h(&table) <= h(&child) + 1);
        assert_eq!(h(&child) == 0, puzzle.is_goal(&child));
        table = child;
        if puzzle.actions(&table).next().is_none() {
            break;
        }
    }
}

#[test]
fn mixtures() {
    let puzzle = numbered(1, Rules::default());
    let start = puzzle.initial_state();
    let x = Feature::ALL.map(|feature| f64::from(feature.normalised(&puzzle, &start)));
    let weights = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
    let mut mixture = Mixture { weights, ..Mixture::default() };
    let close = |mixture: &Mixture, expected: f64| {
        let score = f64::from(mixture.scaled(&puzzle).score(&puzzle, &start));
        assert!((score - expected).abs() < 1e-5, "{score} {expected}");
        let mut out = [f32::NAN; 2];
        let row = Row { puzzle: &puzzle, state: &start };
        mixture.evaluate(&[row; 2], &mut out);
        assert_eq!(out, [score as f32; 2]);
        let (millionths, ()) = mixture.scaled(&puzzle).root(&puzzle, &start).unwrap();
        assert!((f64::from(millionths) - 1e6 * expected).abs() < 20.0);
    };
    let parts = |turned: bool| -> Vec<f64> {
        let part = |i: usize| match turned && Feature::ALL[i].larger_is_better() {
            true => weights[i] * (1.0 - x[i]),
            false => weights[i] * x[i],
        };
        (0..FEATURES).map(part).collect()
    };
    close(&mixture, parts(false).iter().sum());
    mixture.orientation = Orientation::Distance;
    close(&mixture, parts(true).iter().sum());
    mixture.combine = Combine::Max;
    close(&mixture, parts(true).into_iter().fold(0.0, f64::max));
    // An invalid weight counts as 0.
    mixture.weights = [f64::NAN, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(mixture.scaled(&puzzle).score(&puzzle, &start), 0.0);
    // The declaration lists the weights by the features' names.
    for (parameter, feature) in mixture::INFO.parameters.iter().zip(Feature::ALL) {
        assert_eq!(parameter.name, feature.name());
    }
}
