//! An archive of teams of many kinds, each the cheapest of its kind (MAP-Elites), over features
//! that a designer chooses.
//!
//! Reference: J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", arXiv
//! 1504.04909, 2015; the party-building paper names it as future work (section VI).

use super::{PartyInstance, report::ReportConfig};
use crate::solvers::{construct::Guidance, teams::Teams};
use crate::{Amount, Party, Synergy, Team, notation, requirement::measure};
use std::collections::HashSet;
use unriddle_catalog::{
    instance::{Request, SolveError},
    validate::Attachment,
};
use unriddle_check::verify_all;
use unriddle_core::SearchError;
use unriddle_evolve::map_elites::{Axis, MapElites, MapElitesConfig};

/// Default number of bins of a feature without whole values.
const BINS: u16 = 20;

/// Measure of a team along an axis.
enum Measure {
    Price,
    /// An amount with its unit: the number of parts that make one.
    Amount(Amount, f64),
}

struct Feature {
    name: String,
    measure: Measure,
    axis: Axis,
}

/// Reads features: `price`, `synergy`, `average NUMBER`, `distinct TRAIT`, `same TRAIT`. Each may
/// be followed by a colon and a number of bins.
fn features(party: &Party, text: &str) -> Result<Vec<Feature>, String> {
    let parts = text.split(',').map(|part| feature(party, part.trim()));
    let found: Vec<Feature> = parts.collect::<Result<_, _>>()?;
    let mut seen = HashSet::new();
    match found.iter().find(|feature| !seen.insert(&feature.name)) {
        Some(feature) => Err(format!("the feature `{}` occurs twice", feature.name)),
        None => Ok(found),
    }
}

fn feature(party: &Party, text: &str) -> Result<Feature, String> {
    let (name, bins) = match text.rsplit_once(':') {
        None => (text, None),
        Some((name, bins)) => {
            let bins = bins.trim().parse().ok().filter(|bins| (1..=1000).contains(bins));
            let bins = bins.ok_or_else(|| format!("`{text}`: expected 1 to 1000 bins"))?;
            (name.trim(), Some(bins))
        }
    };
    let nodes = party.formation.nodes();
    let axis = |least: f64, most: f64, default: u16| Axis {
        least,
        most: most.max(least + 1e-6),
        bins: bins.unwrap_or(default),
    };
    let (kind, of) = name.split_once(' ').unwrap_or((name, ""));
    let of = of.trim();
    let find_trait = || {
        let known = party.items.trait_names().join(", ");
        party.items.find_trait(of).ok_or_else(|| format!("there is no trait `{of}`, only {known}"))
    };
    // Whole values get a bin each.
    let counted = |amount: Amount| {
        (Measure::Amount(amount, 1.0), axis(1.0, nodes as f64 + 1.0, nodes as u16))
    };
    let (measure, axis) = match kind {
        "price" => {
            let mut prices = party.costs.clone();
            prices.sort_unstable();
            let high = prices[(prices.len() - 1) * 95 / 100] * nodes as i64;
            (Measure::Price, axis(0.0, high as f64, BINS))
        }
        "synergy" => {
            let whole = party.synergy.whole();
            let (least, most) = match party.synergy {
                Synergy::Links(_) => (0, whole),
                Synergy::Matrices(_) => party.synergy.range(),
            };
            let whole = whole as f64;
            let axis = axis(least as f64 / whole, most as f64 / whole, BINS);
            (Measure::Amount(Amount::Synergy, whole), axis)
        }
        "average" => {
            let known = party.items.number_names().join(", ");
            let unknown = || format!("there is no numeric attribute `{of}`, only {known}");
            let n = party.items.find_number(of).ok_or_else(unknown)?;
            let number = &party.items.numbers[n];
            let unit = 10f64.powi(number.places as i32);
            let least = number.values.iter().min().copied().unwrap_or(0) as f64 / unit;
            let most = number.values.iter().max().copied().unwrap_or(0) as f64 / unit;
            let measure = Measure::Amount(Amount::Sum(n), unit * nodes as f64);
            (measure, axis(least, most, BINS))
        }
        "distinct" => counted(Amount::Distinct(find_trait()?)),
        "same" => counted(Amount::Same(find_trait()?)),
        _ => {
            return Err(format!(
                "`{text}`: expected price, synergy, average NUMBER, distinct TRAIT or same TRAIT"
            ));
        }
    };
    Ok(Feature { name: name.to_owned(), measure, axis })
}

impl Feature {
    fn of(&self, team: &Team<'_>, party: &Party) -> f64 {
        match &self.measure {
            Measure::Price => team.cost() as f64,
            Measure::Amount(amount, unit) => {
                let measured = measure(amount, &party.items, team.items());
                measured.unwrap_or(team.synergy()) as f64 / unit
            }
        }
    }
}

/// Refuses features that the puzzle does not have.
pub(super) fn refuse(party: &Party, text: &str) -> Result<(), SolveError> {
    let refused = |why| SolveError::Unsupported(format!("`features`: {why}"));
    features(party, text).map(drop).map_err(refused)
}

/// The archive as a CSV file.
pub(super) fn archive(
    instance: &PartyInstance,
    config: &ReportConfig,
    request: &Request<'_>,
) -> Result<Attachment, SolveError> {
    let party = &instance.party;
    let features = features(party, &config.features).map_err(SolveError::Unsupported)?;
    let axes = features.iter().map(|feature| feature.axis).collect();
    let mut archive = MapElites::new(axes, MapElitesConfig::default(), request.seed)
        .map_err(|error| SearchError::BadOption(error.to_string()))?;
    let teams = Teams::new(party, Guidance::default());
    while archive.evaluations() < config.evaluations && !request.budget.cancel.is_cancelled() {
        archive.step(&teams, |items, out| {
            let team = Team::new(party, items);
            out.extend(features.iter().map(|feature| feature.of(&team, party)));
        });
    }
    let solutions = archive.cells().map(|(_, elite)| notation::text(&elite.genome));
    let solutions: Vec<String> = solutions.collect();
    let texts = solutions.iter().map(String::as_str);
    // A document that the checker cannot read has no verdicts, so that no team counts as checked.
    let verdicts = verify_all(crate::INFO.name, &instance.text, texts).unwrap_or_default();
    let mut refused = 0;
    let mut out = csv::Writer::from_writer(Vec::new());
    let head = features.iter().map(|feature| feature.name.as_str());
    let mut rows = vec![out.write_record(head.chain(["cheapest", "solution", "checked"]))];
    for (i, ((_, elite), solution)) in archive.cells().zip(&solutions).enumerate() {
        let verdict = verdicts.get(i).and_then(|verdict| verdict.as_ref().ok());
        let is_checked = verdict.is_some_and(|verdict| verdict.value == elite.cost);
        refused += u64::from(!is_checked);
        let values = elite.features.iter().map(ToString::to_string);
        let rest = [elite.cost.to_string(), solution.clone(), is_checked.to_string()];
        rows.push(out.write_record(values.chain(rest)));
    }
    // Writing to memory does not fail.
    let text = rows.into_iter().collect::<Result<Vec<_>, _>>().ok();
    let text = text.and_then(|_| out.into_inner().ok()).unwrap_or_default();
    let (found, all, built) = (solutions.len(), archive.capacity(), archive.evaluations());
    Ok(Attachment {
        path: config.archive.clone(),
        text: String::from_utf8_lossy(&text).into_owned(),
        note: format!("archive: {found} of {all} kinds, {built} teams built or mended"),
        refused: (refused > 0).then(|| format!("{refused} teams of the archive")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::document;

    #[test]
    fn features_are_read_or_refused() {
        let text = r#"{"nodes": ["a", "b"], "edges": [[0, 1]], "items": [{"race": "elf", "level": 3, "price": 1},
            {"race": "orc", "level": 4.5, "price": 2}, {"race": "orc", "level": 9, "price": 2}], "puzzle": {}}"#;
        let party = document(text, None).unwrap().party;
        let found = features(&party, "price:3, synergy, average level:7, distinct race, same race")
            .unwrap();
        let bins: Vec<u16> = found.iter().map(|feature| feature.axis.bins).collect();
        assert_eq!(bins, [3, 20, 7, 2, 2]);
        let team = Team::new(&party, &[1, 2]);
        let values: Vec<f64> = found.iter().map(|f| f.of(&team, &party)).collect();
        assert_eq!(values, [4.0, 0.18, 6.75, 1.0, 2.0]);
        for (wrong, part) in [
            ("", "expected price"),
            ("price, price", "twice"),
            ("average race", "no numeric attribute `race`, only level"),
            ("same level", "no trait `level`, only race"),
            ("price:0", "bins"),
        ] {
            let told = features(&party, wrong).err().unwrap();
            assert!(told.contains(part), "{wrong}: {told}");
        }
    }
}
