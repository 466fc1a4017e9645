use super::*;
use crate::solvers::samples::{random, teams};
use std::collections::BTreeMap;

/// The lowest price for each synergy of a team, without the puzzle's own bound of it, by trying all
/// teams.
fn prices(party: &Party) -> BTreeMap<i64, i64> {
    let mut free = party.clone();
    ask(&mut free, 0);
    let mut prices = BTreeMap::new();
    teams(&free, |team| {
        if team.is_feasible() {
            let price = prices.entry(team.synergy()).or_insert(i64::MAX);
            *price = team.cost().min(*price);
        }
    });
    prices
}

/// The lowest price of a team with at least `synergy`.
fn price(prices: &BTreeMap<i64, i64>, synergy: i64) -> Option<i64> {
    prices.range(synergy..).map(|(_, &price)| price).min()
}

fn pairs(front: &Front) -> Vec<(i64, i64)> {
    let points = front.points.iter();
    points.map(|point| (point.synergy, point.price)).collect()
}

fn of(party: &Party, searches: u64, regions: u64) -> Front {
    let config = FrontConfig {
        searches,
        regions,
        moves: 2000,
        exact: ExactConfig { moves: 2000, ..ExactConfig::default() },
    };
    front(party, &config, &Budget::default(), &mut |_| {}, &mut |_| {}).unwrap()
}

/// With as many searches as there are synergies, the front agrees with trying all teams. With few
/// searches it is a part of that front, and contains the cheapest team for every requested synergy.
#[test]
fn fronts_agree_with_trying_all_teams() {
    let (mut points, mut none) = (0, 0);
    for seed in 0..30 {
        let party = random(seed);
        let prices = prices(&party);
        let dearer = |&(&synergy, &cost): &(&i64, &i64)| {
            price(&prices, synergy + 1).is_none_or(|above| above > cost)
        };
        let pareto: Vec<(i64, i64)> =
            prices.iter().filter(dearer).map(|(&synergy, &price)| (synergy, price)).collect();
        let whole = of(&party, 1000, 100_000);
        assert_eq!(pairs(&whole), pareto, "seed {seed}");
        for front in [whole, of(&party, 2, 100_000), of(&party, 4, 100_000)] {
            assert_eq!(front.open_from, None);
            for point in &front.points {
                assert_eq!(Some(point.price), price(&prices, point.at_least));
                assert_eq!(point.bound, point.price);
                assert!(point.efficient, "seed {seed}: {point:?}");
                assert!(pareto.contains(&(point.synergy, point.price)));
                assert_eq!(Team::new(&party, &point.team).synergy(), point.synergy);
            }
            if let Some(none) = front.none_from {
                assert_eq!(price(&prices, none), None);
            }
            none += u32::from(front.none_from.is_some());
            points += front.points.len();
            // A puzzle without any team is proved to have none.
            assert_eq!(front.points.is_empty(), pareto.is_empty());
            assert!(!pareto.is_empty() || front.none_from == Some(party.synergy.range().0));
        }
    }
    assert!(points > 100 && none > 20, "{points} {none}");
}

/// Bounds of an interrupted search are valid.
#[test]
fn points_without_a_proof_have_bounds() {
    for seed in 0..40 {
        let party = random(seed);
        let prices = prices(&party);
        let front = of(&party, 5, 2);
        let pairs = pairs(&front);
        assert!(pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        for point in &front.points {
            let least = price(&prices, point.at_least).unwrap();
            assert!((point.bound..=point.price).contains(&least), "seed {seed}");
            if point.efficient {
                assert_eq!(least, point.price);
                let above = price(&prices, point.synergy + 1);
                assert!(above.is_none_or(|above| above > point.price));
            }
            let mut asked = party.clone();
            ask(&mut asked, point.synergy);
            assert!(Team::new(&asked, &point.team).is_feasible());
        }
    }
}

#[test]
fn synergies_are_asked_for_in_steps() {
    let steps = Steps { step: 3, cap: 100, least: 0, most: 100 };
    assert_eq!([0, 1, 3, 98, 100].map(|s| steps.up(s)), [0, 3, 3, 99, 100]);
    assert_eq!([0, 1, 3, 99, 100].map(|s| steps.down(s)), [0, 0, 3, 99, 100]);
    assert_eq!(steps.next(40, 100, 6), 51);
    assert_eq!(steps.next(40, 100, 1000), 42);
    assert_eq!(steps.next(99, 100, 5), 100);
    assert_eq!(steps.next(40, 99, 1), 99);
}
