//! Single figures of an experiment's recorded runs, for pages that are no reports.

use super::{
    claims::{self, Estimate, Judged},
    data::Data,
    numbers::{self, Measure, count},
    scope::Scope,
    summary::Summary,
};
use crate::{experiment::Test, plan::Plan, row::Row};

/// Recorded runs in the order of their plan.
pub(crate) struct Recorded<'a> {
    data: Data<'a>,
}

/// A figure.
pub(crate) struct Found {
    /// As it is shown, with `{unit}` in the place of its unit.
    pub(crate) text: String,
    /// In seconds, bytes, shares in [0, 1], or the unit of what is measured.
    pub(crate) value: f64,
    /// Its interval at 95 %, where there is one; open where limits ended runs.
    pub(crate) interval: Option<(f64, f64)>,
    /// Whether it is but a bound.
    pub(crate) is_bound: bool,
    /// How it is written.
    pub(crate) measure: Measure,
}

impl<'a> Recorded<'a> {
    /// The runs that the plan asks for.
    pub(crate) fn new(plan: &'a Plan, rows: &'a [Row]) -> Self {
        Self { data: Data::new(plan, rows, 0) }
    }

    /// The claims with their verdicts.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        claims::of_data(&self.data)
    }

    /// Whether a suite is done as a whole.
    pub(crate) fn is_full(&self, suite: usize) -> bool {
        matches!(self.data.scopes.get(suite), Some(Scope::Full { .. }))
    }

    /// What a test measures, for all its instances or for one; and why that does not compare with a figure of
    /// the whole suite, where it does not.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn find(
        &self,
        test: &Test,
        instance: Option<&str>,
    ) -> Result<(Found, Option<String>), String> {
        let why = match instance {
            Some(_) => None,
            None => match claims::estimate(&self.data, test) {
                Ok(estimate) => return Ok((self.shown(&estimate), None)),
                Err(why) if test.against.is_some() => return Err(why),
                Err(why) => Some(why),
            },
        };
        let mut values = self.data.values(test.suite, test.solver, &test.attribute);
        values.retain(|v| {
            test.class.is_none() || self.data.class(test.suite, v.instance) == test.class
        });
        if let Some(id) = instance {
            let suite = self.data.plan.suites.get(test.suite);
            let at =
                suite.and_then(|suite| suite.instances.iter().position(|named| named.id == id));
            let at = at.ok_or_else(|| format!("the suite has no instance `{id}`"))?;
            values.retain(|v| v.instance == at);
        }
        let missing = || why.clone().unwrap_or_else(|| "no recorded run".to_owned());
        let summary = Summary::of(&values, &test.attribute).ok_or_else(missing)?;
        let measure = Measure::of(&test.attribute);
        let mark = if summary.is_bound { "≥ " } else { "" };
        let value = numbers::show(summary.value, measure);
        let n = match instance {
            Some(_) => String::new(),
            None => format!(", n = {}", count(values.len())),
        };
        let found = Found {
            text: format!("{mark}{value}{{unit}}{n}"),
            value: summary.value,
            interval: summary.is_bound.then_some((summary.value, f64::INFINITY)),
            is_bound: summary.is_bound,
            measure,
        };
        let is_part = crate::experiment::is_whole(test.attribute.statistic);
        Ok((found, why.filter(|_| is_part)))
    }

    fn shown(&self, estimate: &Estimate) -> Found {
        Found {
            text: format!("{}{{unit}}, n = {}", estimate.show(), count(estimate.n)),
            value: estimate.value,
            interval: estimate.interval,
            is_bound: estimate.is_bound,
            measure: estimate.measure,
        }
    }
}
