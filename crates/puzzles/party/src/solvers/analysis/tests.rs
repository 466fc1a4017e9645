use super::*;
use crate::solvers::samples::{cheapest, paper, random};
use crate::{Amount, Team};

fn quick(seed: u64, regions: u64) -> AnalysisConfig {
    let exact = ExactConfig { moves: 1000, seed, ..ExactConfig::default() };
    AnalysisConfig {
        regions,
        near: 0.2,
        built: 10,
        moves: 1000,
        count: NearConfig { choices: 20_000, placements: 100, ..NearConfig::default() },
        front: Some(FrontConfig { searches: 3, regions, moves: 1000, exact }),
        seed,
    }
}

fn of(party: &Party, config: &AnalysisConfig) -> Analysis {
    analyse(party, config, &Budget::default(), &mut |_| {}).unwrap()
}

/// A puzzle of a report: its requirements, and the published findings.
struct PublishedReport {
    requirements: Vec<Requirement>,
    price: Option<i64>,
    /// `None` if there is no team.
    bound: Option<i64>,
}

/// All puzzles that a report speaks of.
fn said(party: &Party, found: &Solvable, front: &Front) -> Vec<PublishedReport> {
    let mut all = vec![PublishedReport {
        requirements: party.requirements.clone(),
        price: Some(found.price),
        bound: Some(found.bound),
    }];
    all.extend(found.changes.iter().map(|change| PublishedReport {
        requirements: change.applied(party),
        price: change.price,
        bound: change.bound,
    }));
    let with = |at_least: i64| {
        let mut requirements = party.requirements.clone();
        requirements.retain(|r| r.amount != Amount::Synergy);
        let synergy = party.requirements.iter();
        let at_most = synergy.filter(|r| r.amount == Amount::Synergy);
        requirements.push(Requirement {
            text: String::new(),
            amount: Amount::Synergy,
            unit: 1,
            at_least: Some(at_least),
            at_most: at_most.filter_map(|r| r.at_most).min(),
        });
        requirements
    };
    all.extend(front.points.iter().map(|point| PublishedReport {
        requirements: with(point.at_least),
        price: Some(point.price),
        bound: Some(point.bound),
    }));
    all.extend(front.none_from.map(|none| PublishedReport {
        requirements: with(none),
        price: None,
        bound: None,
    }));
    all.extend(front.open_from.map(|open| PublishedReport {
        requirements: with(open),
        price: None,
        bound: Some(i64::MIN),
    }));
    all
}

/// Whether `one` allows nothing that `other` does not allow.
fn is_tighter(one: &[Requirement], other: &[Requirement]) -> bool {
    other.iter().all(|looser| {
        let same = || one.iter().filter(|r| r.amount == looser.amount);
        let least = same().filter_map(|r| r.at_least).max();
        let most = same().filter_map(|r| r.at_most).min();
        looser.at_least <= least
            && looser.at_most.is_none_or(|bound| most.is_some_and(|most| most <= bound))
    })
}

/// Compares all figures of a report with each other. Returns the number of pairs of puzzles that
/// were compared.
fn compare(party: &Party, found: &Solvable, front: &Front, name: &str) -> usize {
    let price = |items: &[u32]| {
        let team = Team::new(party, items);
        assert!(team.is_feasible(), "{name}");
        team.cost()
    };
    assert_eq!(price(&found.team), found.price, "{name}");
    assert!(found.built.iter().all(|&built| built >= found.price));
    assert!(found.near.contains(&sorted(&found.team)), "{name}");
    for near in &found.near {
        let range = found.price..=found.near_price;
        assert!(range.contains(&party.cost_of(near)), "{name}");
    }
    if found.near_exact {
        assert_eq!(found.bound, found.price, "{name}");
    }
    for point in &front.points {
        let team = Team::new(party, &point.team);
        assert_eq!((team.cost(), team.synergy()), (point.price, point.synergy));
        assert!(point.synergy >= point.at_least);
    }
    let points = || front.points.iter();
    assert!(points().is_sorted_by(|a, b| a.synergy < b.synergy && a.price < b.price));
    let synergy = Team::new(party, &found.team).synergy();
    // The cheapest team is not better than the front.
    assert!(points().all(|point| point.synergy > synergy || point.price <= found.price));
    let all = said(party, found, front);
    let mut compared = 0;
    for one in &all {
        if let Some(price) = one.price {
            assert!(one.bound.is_some_and(|bound| bound <= price), "{name}");
        }
        for other in &all {
            if !is_tighter(&one.requirements, &other.requirements) {
                continue;
            }
            compared += 1;
            let (tight, loose) = (one.price, other.price);
            let dearest = i64::MAX;
            assert!(
                loose.unwrap_or(dearest) <= tight.unwrap_or(dearest),
                "{name}: {loose:?} though {tight:?}"
            );
            let (tight, loose) = (one.bound, other.bound);
            // Where a front is open, no bound is known.
            assert!(
                tight == Some(i64::MIN) || loose.unwrap_or(NO_TEAM) <= tight.unwrap_or(NO_TEAM),
                "{name}: bounds {loose:?} though {tight:?}"
            );
        }
    }
    compared
}

/// A short analysis of small puzzles is consistent and agrees with trying all teams.
#[test]
fn figures_of_a_report_agree() {
    let (mut compared, mut proved, mut changed) = (0, 0, 0);
    for seed in 0..40 {
        let party = random(seed);
        let best = cheapest(&party);
        for regions in [1, 3] {
            let name = format!("seed {seed}, {regions} regions");
            let analysis = of(&party, &quick(seed, regions));
            let front = analysis.front.unwrap();
            let Answer::Solvable(found) = analysis.answer else {
                assert!(best.is_none() || analysis.answer == Answer::Unknown);
                continue;
            };
            compared += compare(&party, &found, &front, &name);
            let best = best.unwrap();
            assert!((found.bound..=found.price).contains(&best), "{name}");
            proved += u32::from(found.bound == found.price);
            let mut asked = party.clone();
            for change in &found.changes {
                asked.requirements = change.applied(&party);
                let best = cheapest(&asked);
                assert!(change.bound.unwrap_or(NO_TEAM) <= best.unwrap_or(NO_TEAM));
                assert!(best.unwrap_or(NO_TEAM) <= change.price.unwrap_or(NO_TEAM));
                assert!(change.bound.is_some() || best.is_none(), "{name}");
                changed += 1;
            }
        }
    }
    assert!(compared > 500 && proved > 10 && changed > 80, "{compared} {proved} {changed}");
}

/// On a pool of thousands of items, where one region leaves the price far from its bound.
#[test]
fn figures_of_large_puzzles_agree() {
    let [party, ..] = paper(1);
    let analysis = of(&party, &quick(1, 1));
    let Answer::Solvable(found) = analysis.answer else {
        panic!("{:?}", analysis.answer);
    };
    let compared = compare(&party, &found, &analysis.front.unwrap(), "type 1");
    assert!(compared > found.changes.len());
}

/// Teams and bounds are passed on to the puzzles that they count for, and to no others.
#[test]
fn figures_are_passed_on() {
    let party = random(1);
    let synergy = |at_least: i64| {
        vec![Requirement {
            text: String::new(),
            amount: Amount::Synergy,
            unit: 1,
            at_least: Some(at_least),
            at_most: None,
        }]
    };
    let items = [0, 1, 2, 3];
    let team = Team::new(&party, &items);
    let mut figures = Figures::new(&party);
    let loose = figures.add(&synergy(team.synergy() - 1), false);
    let tight = figures.add(&synergy(team.synergy() + 1), false);
    figures.offer(&items);
    assert_eq!(figures.best(loose).unwrap().price, team.cost());
    assert_eq!(figures.best(tight), None);
    figures.prove(loose, 5);
    figures.prove(tight, 7);
    assert_eq!((figures.bound(loose), figures.bound(tight)), (5, 7));
    // A puzzle that is added later takes over all that is known.
    let between = figures.add(&synergy(team.synergy()), false);
    assert_eq!(figures.best(between).unwrap().items, items);
    assert_eq!(figures.bound(between), 5);
    assert!(!figures.is_settled(loose));
    figures.prove(loose, team.cost());
    assert!(figures.is_settled(loose) && !figures.is_settled(tight));
    figures.prove(tight, NO_TEAM);
    assert!(figures.is_settled(tight));
}
