//! The report on a party puzzle in the form that a designer is shown.

use super::{PartyInstance, front::front};
use crate::solvers::{
    analysis::{self, AnalysisConfig, Answer, Solvable, analyse, spelled},
    exact::ExactConfig,
    front::FrontConfig,
    near::NearConfig,
};
use crate::{Party, draw, notation, requirement::Requirement};
use cpu_time::ThreadTime;
use std::time::Instant;
use unriddle_catalog::{
    instance::SolveError,
    validate::{Bar, Change, Conflict, Near, Request, SCHEMA, Used, Validation, Verdict},
};

/// Bars of the histogram of prices.
const BARS: i64 = 10;

/// Most items of the near teams that are named.
const NAMED: usize = 20;

pub(super) fn validate(
    instance: &PartyInstance,
    id: &str,
    request: &Request,
    tell: &mut dyn FnMut(&str),
) -> Result<Validation, SolveError> {
    let (cpu, wall) = (ThreadTime::now(), Instant::now());
    let party = &instance.party;
    let config = AnalysisConfig {
        regions: request.regions,
        near: request.near,
        count: NearConfig {
            seed: request.seed,
            ..NearConfig::default()
        },
        front: request.front.map(|searches| FrontConfig {
            searches,
            regions: request.regions,
            exact: ExactConfig {
                seed: request.seed,
                ..ExactConfig::default()
            },
            ..FrontConfig::default()
        }),
        seed: request.seed,
        ..AnalysisConfig::default()
    };
    let found = analyse(party, &config, &request.budget, tell)?;
    let mut validation = Validation {
        id: id.to_owned(),
        puzzle: crate::INFO.name.to_owned(),
        requirements: party.requirements.iter().map(|r| r.text.clone()).collect(),
        items: party.items.len(),
        verdict: Verdict::Unknown,
        conflict: None,
        solution: None,
        price: None,
        lower_bound: None,
        gap: None,
        optimal: false,
        checked: None,
        reason: None,
        near: None,
        prices: Vec::new(),
        changes: Vec::new(),
        front: found.front.map(|found| front(instance, found)),
        seed: request.seed,
        cpu_s: 0.0,
        wall_s: 0.0,
        schema: SCHEMA,
        drawing: None,
        table: None,
    };
    match found.answer {
        Answer::Solvable(found) => solvable(instance, &found, &mut validation),
        Answer::Unknown => {}
        Answer::Unsolvable(conflict) => {
            validation.verdict = Verdict::Unsolvable;
            validation.conflict = conflict.map(|conflict| Conflict {
                conditions: conflict
                    .conditions
                    .iter()
                    .map(|&condition| spelled(party, condition))
                    .collect(),
                minimal: conflict.minimal,
            });
        }
    }
    validation.cpu_s = cpu.elapsed().as_secs_f64();
    validation.wall_s = wall.elapsed().as_secs_f64();
    Ok(validation)
}

fn solvable(instance: &PartyInstance, found: &Solvable, validation: &mut Validation) {
    let party = &instance.party;
    let solution = notation::text(&found.team);
    let verdict = unriddle_check::verify(&validation.puzzle, &instance.text, &solution);
    let agrees = verdict
        .as_ref()
        .is_ok_and(|verdict| verdict.value == found.price);
    validation.verdict = Verdict::Solvable;
    validation.checked = Some(agrees);
    validation.reason = match verdict {
        Err(why) => Some(why.to_string()),
        Ok(found) => (!agrees).then(|| format!("the checker counts a price of {}", found.value)),
    };
    validation.price = Some(found.price);
    validation.lower_bound = Some(found.bound);
    let scale = found.bound.saturating_abs().max(1) as f64;
    validation.gap = Some(found.price.saturating_sub(found.bound) as f64 / scale);
    validation.optimal = agrees && found.price == found.bound;
    validation.drawing = Some(draw::svg(party, &found.team));
    validation.table = Some(draw::text(party, &found.team, false));
    validation.solution = Some(solution);
    let teams = found.near.len() as u64;
    validation.near = (teams > 0).then(|| Near {
        price: found.near_price,
        teams,
        exact: found.near_exact,
        diversity: found.diversity,
        used: found
            .frequent
            .iter()
            .take(NAMED)
            .map(|&(item, times)| Used {
                item,
                name: party.items.names.get(item as usize).cloned(),
                share: times as f64 / teams as f64,
            })
            .collect(),
    });
    validation.prices = histogram(&found.built);
    validation.changes = found
        .changes
        .iter()
        .map(|c| change(party, found, c))
        .collect();
}

/// Counts ascending prices in bars of equal width.
fn histogram(prices: &[i64]) -> Vec<Bar> {
    let (Some(&least), Some(&most)) = (prices.first(), prices.last()) else {
        return Vec::new();
    };
    let width = ((most - least) / BARS + 1).max(1);
    let bars = (0..BARS).map(|bar| {
        let from = least + bar * width;
        let within = |price: &&i64| (from..from + width).contains(*price);
        Bar {
            from,
            to: from + width - 1,
            teams: prices.iter().filter(within).count() as u64,
        }
    });
    bars.take_while(|bar| bar.from <= most).collect()
}

fn change(party: &Party, found: &Solvable, change: &analysis::Change) -> Change {
    let requirement: &Requirement = &party.requirements[change.requirement];
    let bound = if change.least { "at least" } else { "at most" };
    Change {
        requirement: requirement.text.clone(),
        change: format!("{bound} {}", requirement.shown(change.to)),
        tighter: change.tighter > 0,
        price: change.price,
        lower_bound: change.bound,
        difference: change.price.map(|price| price - found.price),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_hold_every_price() {
        for prices in [vec![5], vec![1, 1, 2], vec![100, 150, 999, 1000], vec![]] {
            let bars = histogram(&prices);
            let all: u64 = bars.iter().map(|bar| bar.teams).sum();
            assert_eq!(all, prices.len() as u64);
            assert!(bars.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
        }
    }
}
