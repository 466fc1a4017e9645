//! Additional parts of the report on a party puzzle.

use super::{PartyInstance, archive, front, report::ReportConfig};
use crate::solvers::{
    analysis::{AnalysisConfig, Answer as Found, Change, Solvable, analyse, spelled},
    conflict::Conflict,
    exact::{self, ExactConfig},
    front::FrontConfig,
    near::NearConfig,
};
use crate::{Party, notation};
use serde::Serialize;
use serde_json::json;
use unriddle_catalog::{
    instance::{Request, SolveError, Validates},
    validate::{Answer, Bar, Batch, Block, Column, Findings, Section, Verdict},
};

/// Bars of the histogram of prices.
const BARS: i64 = 10;

/// Most items of the near teams that are named.
const NAMED: usize = 20;

/// Teams within a range of prices, both ends included.
#[derive(Serialize)]
struct Prices {
    from: i64,
    to: i64,
    teams: u64,
}

/// The price of a changed puzzle in words: proved, at most, none.
fn priced(change: &Change) -> String {
    match (change.price, change.bound) {
        (Some(price), Some(bound)) if price == bound => price.to_string(),
        (Some(price), bound) => format!("{} to {price}", bound.unwrap_or(0)),
        (None, Some(bound)) => format!("none found, {bound} or more"),
        (None, None) => "no solution".to_owned(),
    }
}

impl Validates for PartyInstance {
    fn check(&self, batch: &Batch<'_>, _: &Request<'_>) -> Result<(), SolveError> {
        let config = ReportConfig::of(batch);
        if config.archive.is_empty() {
            return Ok(());
        }
        archive::refuse(&self.party, &config.features)?;
        match batch.named.len() {
            1 => Ok(()),
            count => {
                let why = format!("`archive` is for one instance, not for {count}");
                Err(SolveError::Unsupported(why))
            }
        }
    }

    fn findings(
        &self,
        batch: &Batch<'_>,
        _: &str,
        request: &Request<'_>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Findings, SolveError> {
        let config = ReportConfig::of(batch);
        let mut findings = analysed(self, &config, request, tell)?;
        if !config.archive.is_empty() {
            tell("archive");
            findings.attachments.push(archive::archive(self, &config, request)?);
        }
        Ok(findings)
    }
}

fn analysed(
    instance: &PartyInstance,
    config: &ReportConfig,
    request: &Request<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Findings, SolveError> {
    let party = &instance.party;
    let seed = request.seed;
    let exact = ExactConfig { seed, ..ExactConfig::default() };
    let analysis = AnalysisConfig {
        regions: config.regions,
        near: config.near / 100.0,
        count: NearConfig { seed, ..NearConfig::default() },
        built: 100,
        moves: 100_000,
        front: (config.front > 0).then_some(FrontConfig {
            searches: config.front,
            regions: config.regions,
            moves: 100_000,
            exact,
        }),
        seed,
    };
    let found = analyse(party, &analysis, &request.budget, tell)?;
    let mut answer = Answer {
        verdict: Verdict::Unknown,
        reasons: Vec::new(),
        solver: exact::INFO.name.to_owned(),
        solution: None,
        value: None,
        bound: None,
    };
    let mut sections = vec![asked(party)];
    match found.answer {
        Found::Solvable(found) => {
            answer.verdict = Verdict::Solvable;
            answer.solution = Some(notation::text(&found.team));
            (answer.value, answer.bound) = (Some(found.price), Some(found.bound));
            sections.extend(near(party, &found));
            sections.extend(prices(&found.built));
            sections.extend(changes(party, &found));
        }
        Found::Unknown => {}
        Found::Unsolvable(found) => {
            answer.verdict = Verdict::Unsolvable;
            sections.extend(found.map(|found| conflict(party, &found)));
        }
    }
    let (section, refused) = found.front.map(|found| front::front(instance, found)).unzip();
    sections.extend(section);
    let refused = refused.unwrap_or_default();
    Ok(Findings { answer: Some(answer), sections, refused, ..Findings::default() })
}

/// The requirements, and the number of items.
fn asked(party: &Party) -> Section {
    let requirements: Vec<String> = party.requirements.iter().map(|r| r.text.clone()).collect();
    let items = party.items.len();
    let title = format!("Requirements on a team from {items} items");
    let data = json!({"items": items, "requirements": requirements});
    Section::new("puzzle", title, &data).with(Block::List(requirements))
}

/// The conditions that contradict each other, and whether each of them is needed for it.
fn conflict(party: &Party, Conflict { conditions, minimal }: &Conflict) -> Section {
    let needed = if *minimal { "each of them is" } else { "perhaps not all of them are" };
    let title = format!("These contradict each other ({needed} needed for it)");
    let conditions: Vec<String> = conditions.iter().map(|&c| spelled(party, c)).collect();
    let data = json!({"conditions": conditions, "minimal": minimal});
    Section::new("conflict", title, &data).with(Block::List(conditions))
}

/// The teams that cost little more than the cheapest: their highest price, their number (items in
/// another order make no other team), whether these are all near teams, the mean share of items
/// that two of them do not have in common, and the items that most of them have, each with the
/// share of the teams that have it.
fn near(party: &Party, found: &Solvable) -> Option<Section> {
    let (teams, price, diversity) = (found.near.len(), found.near_price, found.diversity);
    if teams == 0 {
        return None;
    }
    let (mut used, mut bars) = (Vec::new(), Vec::new());
    for &(item, times) in found.frequent.iter().take(NAMED) {
        let name = party.items.names.get(item as usize);
        let share = times as f64 / teams as f64;
        used.push(json!({"item": item, "name": name, "share": share}));
        let label = name.map_or_else(|| item.to_string(), |name| format!("{name} ({item})"));
        bars.push(Bar { label, length: share, text: format!("{:.0} %", 100.0 * share) });
    }
    let exact = found.near_exact;
    let data = json!({
        "price": price, "teams": teams, "exact": exact, "diversity": diversity, "used": used,
    });
    let many = if exact { "" } else { "at least " };
    let line = format!(
        "{many}{teams} teams cost {price} or less; two of them differ in {:.0} % of their items on average; the items most used:",
        100.0 * diversity
    );
    let section = Section::new("near", "Near the cheapest", &data);
    Some(section.with(Block::Line(line)).with(Block::Bars(bars)))
}

fn prices(built: &[i64]) -> Option<Section> {
    let prices = histogram(built);
    if prices.is_empty() {
        return None;
    }
    let bar = |&Prices { from, to, teams }: &Prices| Bar {
        label: format!("{from} to {to}"),
        length: teams as f64,
        text: teams.to_string(),
    };
    let bars = Block::Bars(prices.iter().map(bar).collect());
    let title = "Prices of teams that were built at random";
    Some(Section::new("prices", title, &prices).with(bars))
}

/// Counts ascending prices in bars of equal width.
fn histogram(prices: &[i64]) -> Vec<Prices> {
    let (Some(&least), Some(&most)) = (prices.first(), prices.last()) else {
        return Vec::new();
    };
    let width = ((most - least) / BARS + 1).max(1);
    let bars = (0..BARS).map(|bar| {
        let from = least + bar * width;
        let within = |price: &&i64| (from..from + width).contains(*price);
        Prices { from, to: from + width - 1, teams: prices.iter().filter(within).count() as u64 }
    });
    bars.take_while(|bar| bar.from <= most).collect()
}

/// The requirements one step looser or tighter, each with the price of the cheapest team found, or
/// null; the lower bound of that price, or null if it is proved that there is no team; and the
/// difference to the price of the cheapest team without the change.
fn changes(party: &Party, found: &Solvable) -> Option<Section> {
    if found.changes.is_empty() {
        return None;
    }
    let (mut changes, mut rows) = (Vec::new(), Vec::new());
    for change in &found.changes {
        let requirement = &party.requirements[change.requirement];
        let bound = if change.least { "at least" } else { "at most" };
        let to = format!("{bound} {}", requirement.shown(change.to));
        let difference = change.price.map(|price| price - found.price);
        changes.push(json!({
            "requirement": requirement.text, "change": to, "tighter": change.tighter > 0,
            "price": change.price, "lower_bound": change.bound, "difference": difference,
        }));
        let difference = difference.map_or_else(String::new, |d| format!("{d:+}"));
        rows.push(vec![requirement.text.clone(), to, priced(change), difference]);
    }
    let words = ["requirement", "changed to", "price"].map(Column::words);
    let columns = words.into_iter().chain([Column::number("difference")]).collect();
    let title = "With a requirement one step looser or tighter";
    Some(Section::new("changes", title, &changes).with(Block::Table { columns, rows }))
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
