//! From the text of the claims to the claims.

use super::{
    Against, Bound, Claim, Decision, Origin, Pairing, Population, Relation, Test, file,
    reader::{Choice, Reader, filled, share},
};
use crate::{
    attribute::{Attribute, Better, Statistic},
    error::LabError,
    reader::Name,
    units::factor,
};
use toml::Spanned;

/// Default confidence of the intervals, in per cent.
const CONFIDENCE: f64 = 95.0;

impl Reader<'_> {
    pub(super) fn claims(&self, entries: &[Spanned<file::Claim>]) -> Result<Vec<Claim>, LabError> {
        if entries.is_empty() {
            let message = "there is no [[claim]]: a `text` that the experiment is to decide and \
                           the `[[claim.test]]` that decides it";
            return Err(self.error(&(0..0), message));
        }
        entries.iter().map(|entry| self.claim(entry)).collect()
    }

    fn claim(&self, spanned: &Spanned<file::Claim>) -> Result<Claim, LabError> {
        let entry = spanned.get_ref();
        let text = entry.text.get_ref().trim();
        if text.is_empty() {
            let message = "the text of the claim is empty: a sentence is expected";
            return self.refuse(&entry.text, message);
        }
        let origin = match (&entry.source, &entry.place) {
            (None, None) => None,
            (Some(source), Some(place)) => Some(Origin {
                key: source.get_ref().clone(),
                source: self.source(source)?,
                place: self.fill(place.get_ref()),
            }),
            (Some(lone), None) => {
                let message =
                    "`source` without `place`: add the section, table or figure of the claim";
                return self.refuse(lone, message);
            }
            (None, Some(lone)) => {
                let message = "`place` without `source`: add the key of the publication";
                return self.refuse(lone, message);
            }
        };
        let decided_by = match (&entry.missing, &entry.test[..]) {
            (Some(missing), []) => Decision::Missing(self.fill(missing.get_ref())),
            (None, tests @ [_, ..]) => {
                let mut read = Vec::new();
                for test in tests {
                    for choice in self.each(test.get_ref())? {
                        read.push(self.test(test, &choice)?);
                    }
                }
                Decision::Tests(read)
            }
            _ => {
                let message = "a claim needs one of: [[claim.test]], or `missing`, the reason why \
                               it cannot be tested";
                return self.refuse(spanned, message);
            }
        };
        Ok(Claim { text: self.fill(&text.replace('\n', " ")), origin, decided_by })
    }

    /// All choices of one value for each name.
    fn each(&self, test: &file::Test) -> Result<Vec<Choice>, LabError> {
        let mut all = vec![Choice::new()];
        for (name, values) in &test.each {
            all = self.choices(&all, name, values)?;
            let mark = format!("{{{name}}}");
            let texts = [&test.suite, &test.baseline, &test.column, &test.class, &test.key];
            let mut texts = texts.into_iter().flatten().chain([&test.solver, &test.attribute]);
            if !texts.any(|text| text.get_ref().contains(&mark)) {
                return self.refuse(values, format!("nothing in the test uses {mark}"));
            }
        }
        Ok(all)
    }

    fn test(&self, spanned: &Spanned<file::Test>, choice: &Choice) -> Result<Test, LabError> {
        let entry = spanned.get_ref();
        let fill = |name: &Name| {
            let text = filled(name.get_ref(), choice.iter().map(|(name, value)| (name, value)));
            Spanned::new(name.span(), self.fill(&text))
        };
        let maybe = |name: &Option<Name>| name.as_ref().map(fill);
        let suite = match maybe(&entry.suite) {
            Some(name) => self.suite(&name)?,
            None if self.suites.len() == 1 => 0,
            None => return self.refuse(spanned, "which `suite`? The experiment has several"),
        };
        let solver = self.solver_on(&fill(&entry.solver), suite)?;
        let against = match (maybe(&entry.baseline), maybe(&entry.column)) {
            (None, None) => None,
            (Some(name), None) => match self.solver_on(&name, suite)? {
                same if same == solver => {
                    return self.refuse(&name, "a solver cannot be its own `baseline`");
                }
                other => Some(Against::Solver(other)),
            },
            (None, Some(column)) => Some(Against::Column(self.column(&column, suite)?)),
            (Some(_), Some(column)) => {
                let message = "pairs have one other side: `baseline` or `column`";
                return self.refuse(&column, message);
            }
        };
        let pairing = match (&entry.pairing, &against) {
            (None, _) => Pairing::Difference,
            (Some(name), Some(_)) => self.choice("way to compare pairs", name, &Pairing::NAMES)?,
            (Some(name), None) => {
                let message = "`as` is about pairs: it needs `baseline` or `column`";
                return self.refuse(name, message);
            }
        };
        let of_pairs = against.is_some().then_some(pairing);
        let attribute = self.measured(&fill(&entry.attribute), entry.statistic, of_pairs)?;
        let whole = is_whole(attribute.statistic) && against.is_none();
        let population = match &entry.of {
            None if whole => Population::Set,
            None => Population::Sample,
            Some(of) => match self.choice("population", of, &Population::NAMES)? {
                Population::Sample if whole => {
                    let message = "a sum or an extreme is one of a set: it has no interval";
                    return self.refuse(of, message);
                }
                population => population,
            },
        };
        let unit = match of_pairs {
            None | Some(Pairing::Difference) => attribute.unit,
            Some(pairing) if pairing.is_share() => "%",
            Some(_) => "ratio",
        };
        let confidence = match &entry.confidence {
            None => CONFIDENCE,
            Some(c) if *c.get_ref() > 0.0 && *c.get_ref() < 100.0 => *c.get_ref(),
            Some(c) => {
                let message = "expected a confidence in per cent, above 0 and below 100";
                return self.refuse(c, message);
            }
        };
        Ok(Test {
            suite,
            solver,
            attribute,
            class: maybe(&entry.class).map(|class| self.class(&class)).transpose()?,
            against,
            pairing,
            relation: self.relation(entry)?,
            bound: self.bound(spanned, maybe(&entry.key), unit, of_pairs)?,
            confidence: confidence / 100.0,
            population,
        })
    }

    /// The measure of a test. The statistic of pairs is their mean.
    fn measured(
        &self,
        name: &Name,
        statistic: Option<Statistic>,
        pairing: Option<Pairing>,
    ) -> Result<Attribute, LabError> {
        let mut attribute = self.shown(name, statistic)?;
        let Some(pairing) = pairing else {
            return Ok(attribute);
        };
        if statistic.is_some_and(|s| s != Statistic::Mean) {
            return self.refuse(name, "pairs are compared by their mean: delete `statistic`");
        }
        if attribute.statistic != Statistic::Share {
            attribute.statistic = Statistic::Mean;
        }
        if matches!(pairing, Pairing::Better | Pairing::NotWorse)
            && attribute.better == Better::Neutral
        {
            return self.refuse(name, "neither more nor less of this attribute is better");
        }
        Ok(attribute)
    }

    /// The value of a name.
    fn choice<T: Copy>(&self, what: &str, name: &Name, all: &[(&str, T)]) -> Result<T, LabError> {
        let index = self.index(what, name, all.iter().map(|(name, _)| *name))?;
        Ok(all[index].1)
    }

    fn relation(&self, entry: &file::Test) -> Result<Relation, LabError> {
        match (self.choice("relation", &entry.is, &Relation::NAMES)?, &entry.by) {
            (Relation::Within(_), Some(by)) => {
                let share = share(&by.get_ref().text());
                match share.filter(|share| *share > 0.0 && share.is_finite()) {
                    Some(share) => Ok(Relation::Within(share)),
                    None => self.refuse(by, "expected a share of the bound, such as \"5 %\""),
                }
            }
            (Relation::Within(_), None) => {
                let message = "`within` needs `by`, a share of the bound, such as \"5 %\"";
                self.refuse(&entry.is, message)
            }
            (_, Some(by)) => {
                let message = "`by` needs `is = \"within\"`: delete `by`, or change `is`";
                self.refuse(by, message)
            }
            (relation, None) => Ok(relation),
        }
    }

    /// The bound of the estimate, in the unit of the measure.
    fn bound(
        &self,
        test: &Spanned<file::Test>,
        key: Option<Name>,
        unit: &str,
        pairing: Option<Pairing>,
    ) -> Result<Bound, LabError> {
        let plain = |number| Bound { number, figure: None };
        match (&test.get_ref().value, key) {
            (Some(value), None) => number(&value.get_ref().text(), unit)
                .map(plain)
                .map_err(|why| self.error(&value.span(), why)),
            (None, Some(key)) => {
                let (figure, factor) = self.figure(&key, unit)?;
                Ok(Bound { number: figure.value * factor, figure: Some(figure) })
            }
            (None, None) => match pairing.and_then(Pairing::neutral) {
                Some(number) => Ok(plain(number)),
                None => {
                    let message = "the test needs one of: `value`, `key` of data/references.toml";
                    self.refuse(test, message)
                }
            },
            (Some(_), Some(key)) => self.refuse(&key, "the relation is to one of: `value`, `key`"),
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
    let number = number.parse().ok().filter(|n: &f64| n.is_finite());
    let number = number.ok_or_else(|| format!("expected a number, found `{text}`"))?;
    match (unit.trim(), factor(unit.trim(), ours)) {
        ("", _) => Ok(number * factor(ours, ours).unwrap_or(1.0)),
        (_, Some(factor)) => Ok(number * factor),
        (_, None) if ours.is_empty() || ours == "ratio" => {
            Err(format!("expected a number without a unit, found `{text}`"))
        }
        (_, None) => Err(format!("expected a number in {ours}, found `{text}`")),
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
