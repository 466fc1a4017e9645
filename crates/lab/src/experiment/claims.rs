//! From the text of the claims to the claims.

use super::{
    Against, Bound, Claim, Decision, Origin, Pairing, Population, Relation, Test, file,
    reader::{Everything, Reader},
};
use crate::{
    attribute::{Attribute, Better, Statistic},
    error::LabError,
    reader::Name,
    units::{factor, of_figure},
};
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

/// Default confidence of the intervals, in per cent.
const CONFIDENCE: f64 = 95.0;

impl Reader<'_> {
    pub(super) fn claims(
        &self,
        entries: &[Spanned<file::Claim>],
        all: &Everything<'_>,
    ) -> Result<Vec<Claim>, LabError> {
        if entries.is_empty() {
            let message = "there is no [[claim]]: a `text` that the experiment is to decide and \
                           the `[[claim.test]]` that decides it";
            return Err(self.error(&(0..0), message));
        }
        entries.iter().map(|entry| self.claim(entry, all)).collect()
    }

    fn claim(&self, entry: &Spanned<file::Claim>, all: &Everything<'_>) -> Result<Claim, LabError> {
        let (span, entry) = (entry.span(), entry.get_ref());
        if entry.text.get_ref().trim().is_empty() {
            let message = "the text of the claim is empty: a sentence is expected";
            return Err(self.error(&entry.text.span(), message));
        }
        let origin = match (&entry.source, &entry.place) {
            (None, None) => None,
            (Some(source), Some(place)) => Some(Origin {
                key: source.get_ref().clone(),
                source: self.source(source)?,
                place: self.values.fill(place.get_ref()),
            }),
            (Some(lone), None) => {
                let message =
                    "`source` without `place`: add the section, table or figure of the claim";
                return Err(self.error(&lone.span(), message));
            }
            (None, Some(lone)) => {
                let message = "`place` without `source`: add the key of the publication";
                return Err(self.error(&lone.span(), message));
            }
        };
        let decided_by = match (&entry.missing, &entry.test[..]) {
            (Some(missing), []) => Decision::Missing(self.values.fill(missing.get_ref())),
            (None, tests @ [_, ..]) => {
                let mut read = Vec::new();
                for test in tests {
                    for values in self.each(test.get_ref())? {
                        read.push(self.test(test, &values, all)?);
                    }
                }
                Decision::Tests(read)
            }
            _ => {
                let message = "a claim needs one of: [[claim.test]], or `missing`, the reason why \
                               it cannot be tested";
                return Err(self.error(&span, message));
            }
        };
        Ok(Claim {
            text: self.values.fill(&entry.text.get_ref().trim().replace('\n', " ")),
            origin,
            decided_by,
        })
    }

    /// All choices of one value for each name.
    fn each(&self, test: &file::Test) -> Result<Vec<BTreeMap<String, String>>, LabError> {
        let mut all = vec![BTreeMap::new()];
        for (name, values) in &test.each {
            if values.get_ref().is_empty() {
                return Err(self.error(&values.span(), "expected at least one value"));
            }
            let mark = format!("{{{name}}}");
            let texts = [&test.suite, &test.baseline, &test.column, &test.class, &test.key];
            let mut texts = texts.into_iter().flatten().chain([&test.solver, &test.attribute]);
            if !texts.any(|text| text.get_ref().contains(&mark)) {
                let message = format!("nothing in the test uses {mark}");
                return Err(self.error(&values.span(), message));
            }
            let with = |chosen: BTreeMap<String, String>| {
                values.get_ref().iter().map(move |value| {
                    let mut chosen = chosen.clone();
                    chosen.insert(name.clone(), value.text());
                    chosen
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        Ok(all)
    }

    fn test(
        &self,
        entry: &Spanned<file::Test>,
        each: &BTreeMap<String, String>,
        all: &Everything<'_>,
    ) -> Result<Test, LabError> {
        let (span, entry) = (entry.span(), entry.get_ref());
        let fill = |name: &Name| {
            let text = each.iter().fold(name.get_ref().clone(), |text, (n, value)| {
                text.replace(&format!("{{{n}}}"), value)
            });
            Spanned::new(name.span(), self.values.fill(&text))
        };
        let filled = |name: &Option<Name>| name.as_ref().map(fill);
        let suite = match (filled(&entry.suite), all.suites) {
            (Some(name), suites) => {
                self.index("suite", &name, suites.iter().map(|s| s.name.as_str()))?
            }
            (None, [_]) => 0,
            (None, _) => {
                let message = "which `suite`? The experiment has several";
                return Err(self.error(&span, message));
            }
        };
        let solver = self.on_suite(&fill(&entry.solver), suite, all)?;
        let against = match (filled(&entry.baseline), filled(&entry.column)) {
            (None, None) => None,
            (Some(name), None) => match self.on_suite(&name, suite, all)? {
                same if same == solver => {
                    let message = "a solver cannot be its own `baseline`";
                    return Err(self.error(&name.span(), message));
                }
                other => Some(Against::Solver(other)),
            },
            (None, Some(column)) => match all.suites[suite].reference {
                Some(_) => Some(Against::Column(column.into_inner())),
                None => {
                    let message = "the suite has no `reference` file with columns";
                    return Err(self.error(&column.span(), message));
                }
            },
            (Some(_), Some(column)) => {
                let message = "pairs have one other side: `baseline` or `column`";
                return Err(self.error(&column.span(), message));
            }
        };
        let pairing = match (&entry.pairing, &against) {
            (None, _) => Pairing::Difference,
            (Some(name), Some(_)) => self.choice("way to compare pairs", name, &Pairing::NAMES)?,
            (Some(name), None) => {
                let message = "`as` is about pairs: it needs `baseline` or `column`";
                return Err(self.error(&name.span(), message));
            }
        };
        let name = fill(&entry.attribute);
        let attribute =
            self.measured(&name, entry.statistic, against.is_some().then_some(pairing), all)?;
        let whole = is_whole(attribute.statistic) && against.is_none();
        let population = match &entry.of {
            None if whole => Population::Set,
            None => Population::Sample,
            Some(of) => match self.choice("population", of, &Population::NAMES)? {
                Population::Sample if whole => {
                    let message = "a sum or an extreme is one of a set: it has no interval";
                    return Err(self.error(&of.span(), message));
                }
                population => population,
            },
        };
        let unit = match against.is_some() && pairing != Pairing::Difference {
            false => attribute.unit,
            true if pairing.is_share() => "%",
            true => "ratio",
        };
        let neutral = against.as_ref().and_then(|_| pairing.neutral());
        let confidence = match &entry.confidence {
            None => CONFIDENCE,
            Some(c) if *c.get_ref() > 0.0 && *c.get_ref() < 100.0 => *c.get_ref(),
            Some(c) => {
                let message = "expected a confidence in per cent, above 0 and below 100";
                return Err(self.error(&c.span(), message));
            }
        };
        Ok(Test {
            suite,
            solver,
            attribute,
            class: entry
                .class
                .as_ref()
                .map(|class| self.class(&fill(class), all.classes))
                .transpose()?,
            against,
            pairing,
            relation: self.relation(entry)?,
            bound: self.bound(entry, filled(&entry.key), &span, (unit, neutral))?,
            confidence: confidence / 100.0,
            population,
        })
    }

    /// A solver that runs on a suite.
    pub(super) fn on_suite(
        &self,
        name: &Name,
        suite: usize,
        all: &Everything<'_>,
    ) -> Result<usize, LabError> {
        let solver = self.one(name, all.solvers)?;
        if !all.solvers[solver].suites.contains(&suite) {
            let message = format!(
                "the solver `{}` does not run on the suite `{}`",
                name.get_ref(),
                all.suites[suite].name
            );
            return Err(self.error(&name.span(), message));
        }
        Ok(solver)
    }

    /// The measure of a test. The statistic of pairs is their mean.
    fn measured(
        &self,
        name: &Name,
        statistic: Option<Statistic>,
        pairing: Option<Pairing>,
        all: &Everything<'_>,
    ) -> Result<Attribute, LabError> {
        let place = name.span();
        let mut attribute = self.shown(name, statistic, all.measured)?;
        let Some(pairing) = pairing else {
            return Ok(attribute);
        };
        if statistic.is_some_and(|s| s != Statistic::Mean) {
            let message = "pairs are compared by their mean: delete `statistic`";
            return Err(self.error(&place, message));
        }
        if attribute.statistic != Statistic::Share {
            attribute.statistic = Statistic::Mean;
        }
        if matches!(pairing, Pairing::Better | Pairing::NotWorse)
            && attribute.better == Better::Neutral
        {
            let message = "neither more nor less of this attribute is better";
            return Err(self.error(&place, message));
        }
        Ok(attribute)
    }

    /// The value of a name.
    fn choice<T: Copy>(&self, what: &str, name: &Name, all: &[(&str, T)]) -> Result<T, LabError> {
        let index = self.index(what, name, all.iter().map(|(name, _)| *name))?;
        Ok(all[index].1)
    }

    fn relation(&self, entry: &file::Test) -> Result<Relation, LabError> {
        let index = self.index("relation", &entry.is, Relation::NAMES.into_iter())?;
        let relation = match (index, &entry.by) {
            (4, Some(by)) => {
                let text = by.get_ref().text();
                let share = text.trim().strip_suffix('%').map(str::trim);
                let share = share.and_then(|share| share.parse::<f64>().ok());
                match share.filter(|share| *share > 0.0 && share.is_finite()) {
                    Some(share) => return Ok(Relation::Within(share / 100.0)),
                    None => {
                        let message = "expected a share of the bound, such as \"5 %\"";
                        return Err(self.error(&by.span(), message));
                    }
                }
            }
            (4, None) => {
                let message = "`within` needs `by`, a share of the bound, such as \"5 %\"";
                return Err(self.error(&entry.is.span(), message));
            }
            (_, Some(by)) => {
                let message = "`by` needs `is = \"within\"`: delete `by`, or change `is`";
                return Err(self.error(&by.span(), message));
            }
            (0, None) => Relation::AtLeast,
            (1, None) => Relation::AtMost,
            (2, None) => Relation::LessThan,
            (_, None) => Relation::MoreThan,
        };
        Ok(relation)
    }

    /// The bound of the estimate, in the unit of the measure.
    fn bound(
        &self,
        entry: &file::Test,
        key: Option<Name>,
        span: &Range<usize>,
        (unit, neutral): (&str, Option<f64>),
    ) -> Result<Bound, LabError> {
        let plain = |number| Bound { number, figure: None };
        match (&entry.value, key) {
            (Some(value), None) => number(&value.get_ref().text(), unit)
                .map(plain)
                .map_err(|why| self.error(&value.span(), why)),
            (None, Some(key)) => {
                let figure = self.figure(&key)?;
                let factor = of_figure(&figure.unit, unit).ok_or_else(|| {
                    let message = format!("this figure is in {}, not in {unit}", figure.unit);
                    self.error(&key.span(), message)
                })?;
                Ok(Bound { number: figure.value * factor, figure: Some(figure) })
            }
            (None, None) => neutral.map(plain).ok_or_else(|| {
                let message = "the test needs one of: `value`, `key` of data/references.toml";
                self.error(span, message)
            }),
            (Some(_), Some(key)) => {
                let message = "the relation is to one of: `value`, `key`";
                Err(self.error(&key.span(), message))
            }
        }
    }
}

/// Whether a statistic is of a set, and grows with it.
pub(crate) fn is_whole(statistic: Statistic) -> bool {
    matches!(statistic, Statistic::Sum | Statistic::Max)
}

/// Parses a number with its unit and converts it to our unit. Without a unit it has the unit of the
/// tables: shares are in per cent.
fn number(text: &str, ours: &str) -> Result<f64, String> {
    let text = text.trim();
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || ".+-_eE".contains(c))).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite())
        .ok_or_else(|| format!("expected a number, found `{text}`"))?;
    match unit.trim() {
        "" => Ok(number * factor(ours, ours).unwrap_or(1.0)),
        unit => match factor(unit, ours) {
            Some(factor) => Ok(number * factor),
            None if ours.is_empty() || ours == "ratio" => {
                Err(format!("expected a number without a unit, found `{text}`"))
            }
            None => Err(format!("expected a number in {ours}, found `{text}`")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_unit_of_the_measure() {
        assert_eq!(number("96", "%"), Ok(0.96));
        assert_eq!(number("96 %", "%"), Ok(0.96));
        assert_eq!(number("50 ms", "s"), Ok(0.05));
        assert_eq!(number("2.5", "s"), Ok(2.5));
        assert_eq!(number("-3", ""), Ok(-3.0));
        assert_eq!(number("0.13", "ratio"), Ok(0.13));
        for (text, unit) in [("", "%"), ("many", ""), ("5 %", "s"), ("5 moves", ""), ("nan", "s")] {
            assert!(number(text, unit).is_err(), "{text} {unit}");
        }
    }
}
