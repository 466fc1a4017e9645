//! Additional parts of the report on a party puzzle.

use super::{PartyInstance, archive, front, report::ReportConfig};
use crate::solvers::{
    analysis::{self, AnalysisConfig, Answer as Found, Solvable, analyse, spelled},
    exact::{self, ExactConfig},
    front::FrontConfig,
    near::NearConfig,
};
use crate::{Party, notation, requirement::Requirement};
use serde::Serialize;
use unriddle_catalog::{
    instance::{Request, SolveError, Validates},
    validate::{Answer, Bar, Batch, Block, Column, Findings, Section, Verdict},
};

/// Bars of the histogram of prices.
const BARS: i64 = 10;

/// Most items of the near teams that are named.
const NAMED: usize = 20;

/// Conditions that contradict each other.
#[derive(Serialize)]
struct Conflict {
    /// The conditions in words.
    conditions: Vec<String>,
    /// Whether each of them is needed for the contradiction.
    minimal: bool,
}

/// Requirements, and the number of items.
#[derive(Serialize)]
struct RequirementList<'p> {
    items: usize,
    requirements: Vec<&'p str>,
}

/// Teams that cost little more than the cheapest.
#[derive(Serialize)]
struct Near {
    /// The highest price of one.
    price: i64,
    /// Number of teams; items in another order make no other team.
    teams: u64,
    /// Whether these are all near teams; otherwise they are only the teams that were found.
    exact: bool,
    /// Mean share of items that two of them do not have in common.
    diversity: f64,
    /// The items that most of them have.
    used: Vec<Used>,
}

/// An item of near teams.
#[derive(Serialize)]
struct Used {
    item: u32,
    name: Option<String>,
    /// The share of the teams that have it.
    share: f64,
}

/// Teams within a range of prices, both ends included.
#[derive(Serialize)]
struct Prices {
    from: i64,
    to: i64,
    teams: u64,
}

/// A requirement one step looser or tighter.
#[derive(Serialize)]
struct Change {
    requirement: String,
    change: String,
    tighter: bool,
    /// Price of the cheapest team found; `None` if none was.
    price: Option<i64>,
    /// No team is cheaper; `None` if it is proved that there is no team.
    lower_bound: Option<i64>,
    /// Difference to the price of the cheapest team without the change.
    difference: Option<i64>,
}

impl Change {
    /// The price in words: proved, at most, none.
    fn priced(&self) -> String {
        match (self.price, self.lower_bound) {
            (Some(price), Some(bound)) if price == bound => price.to_string(),
            (Some(price), bound) => format!("{} to {price}", bound.unwrap_or(0)),
            (None, Some(bound)) => format!("none found, {bound} or more"),
            (None, None) => "no solution".to_owned(),
        }
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
            count => Err(SolveError::Unsupported(format!(
                "`archive` is for one instance, not for {count}"
            ))),
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
        front: (config.front > 0).then(|| FrontConfig {
            searches: config.front,
            regions: config.regions,
            exact,
            ..FrontConfig::default()
        }),
        seed,
        ..AnalysisConfig::default()
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
    let mut refused = 0;
    if let Some(found) = found.front {
        let (section, wrong) = front::front(instance, found);
        sections.push(section);
        refused = wrong;
    }
    Ok(Findings { answer: Some(answer), sections, refused, ..Findings::default() })
}

fn asked(party: &Party) -> Section {
    let requirements = party.requirements.iter().map(|r| r.text.as_str());
    let asked = RequirementList { items: party.items.len(), requirements: requirements.collect() };
    let title = format!("Requirements on a team from {} items", asked.items);
    let lines = asked.requirements.iter().map(|&text| text.to_owned());
    let list = Block::List(lines.collect());
    Section::new("puzzle", title, &asked).with(list)
}

fn conflict(party: &Party, found: &crate::solvers::conflict::Conflict) -> Section {
    let conditions = found.conditions.iter();
    let conflict = Conflict {
        conditions: conditions.map(|&condition| spelled(party, condition)).collect(),
        minimal: found.minimal,
    };
    let minimal = if conflict.minimal {
        "each of them is needed for it"
    } else {
        "perhaps not all of them are needed for it"
    };
    let title = format!("These contradict each other ({minimal})");
    let list = Block::List(conflict.conditions.clone());
    Section::new("conflict", title, &conflict).with(list)
}

fn near(party: &Party, found: &Solvable) -> Option<Section> {
    let teams = found.near.len() as u64;
    if teams == 0 {
        return None;
    }
    let used = found.frequent.iter().take(NAMED).map(|&(item, times)| Used {
        item,
        name: party.items.names.get(item as usize).cloned(),
        share: times as f64 / teams as f64,
    });
    let near = Near {
        price: found.near_price,
        teams,
        exact: found.near_exact,
        diversity: found.diversity,
        used: used.collect(),
    };
    let many = if near.exact { "" } else { "at least " };
    let line = format!(
        "{many}{teams} teams cost {} or less; two of them differ in {:.0} % of their items on average; the items most used:",
        near.price,
        100.0 * near.diversity
    );
    let bars = near.used.iter().map(|used| Bar {
        label: match &used.name {
            Some(name) => format!("{name} ({})", used.item),
            None => used.item.to_string(),
        },
        length: used.share,
        text: format!("{:.0} %", 100.0 * used.share),
    });
    let bars = Block::Bars(bars.collect());
    let section = Section::new("near", "Near the cheapest", &near);
    Some(section.with(Block::Line(line)).with(bars))
}

fn prices(built: &[i64]) -> Option<Section> {
    let prices = histogram(built);
    if prices.is_empty() {
        return None;
    }
    let bars = prices.iter().map(|bar| Bar {
        label: format!("{} to {}", bar.from, bar.to),
        length: bar.teams as f64,
        text: bar.teams.to_string(),
    });
    let bars = Block::Bars(bars.collect());
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

fn changes(party: &Party, found: &Solvable) -> Option<Section> {
    let changes: Vec<Change> =
        (found.changes.iter()).map(|changed| change(party, found, changed)).collect();
    if changes.is_empty() {
        return None;
    }
    let rows = changes.iter().map(|change| {
        vec![
            change.requirement.clone(),
            change.change.clone(),
            change.priced(),
            change.difference.map_or_else(String::new, |d| format!("{d:+}")),
        ]
    });
    let table = Block::Table {
        columns: vec![
            Column::words("requirement"),
            Column::words("changed to"),
            Column::words("price"),
            Column::number("difference"),
        ],
        rows: rows.collect(),
    };
    let title = "With a requirement one step looser or tighter";
    Some(Section::new("changes", title, &changes).with(table))
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
