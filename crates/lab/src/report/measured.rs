//! Single figures of an experiment's recorded runs, for the pages of papers.

use super::{
    claims,
    numbers::{self, count},
    scope::Scope,
    select::Selection,
    summary::Summary,
    values::{Estimate, Found, Judged, Measure},
};
use crate::{
    experiment::{Test, is_whole},
    plan::Plan,
    row::Row,
};

/// Recorded runs of an experiment.
pub(crate) struct Recorded<'a> {
    selection: Selection<'a>,
}

impl<'a> Recorded<'a> {
    /// Selects the runs that the plan asks for.
    pub(crate) fn new(plan: &'a Plan, rows: &'a [Row]) -> Self {
        Self { selection: Selection::new(plan, rows, 0) }
    }

    /// Judges the claims.
    pub(crate) fn judged(&self) -> Vec<Judged> {
        claims::judge_all(&self.selection)
    }

    /// Whether all runs of the experiment are done.
    pub(crate) fn is_full(&self) -> bool {
        self.selection.suites.iter().all(|suite| matches!(suite.scope, Scope::Full { .. }))
    }

    /// Measures a test over all its instances or for one. Also returns the reason why the result is
    /// not comparable with a figure of the whole suite, if it is not.
    ///
    /// # Errors
    /// Data is missing: the reason.
    pub(crate) fn find(
        &self,
        test: &Test,
        instance: Option<&str>,
    ) -> Result<(Found, Option<String>), String> {
        let why = match instance {
            Some(_) => None,
            None => match claims::estimate(&self.selection, test) {
                Ok(estimate) => return Ok((shown(&estimate), None)),
                Err(why) if test.against.is_some() => return Err(why),
                Err(why) => Some(why),
            },
        };
        let suite = &self.selection.suites[test.suite];
        let mut values = suite.values(test.solver, &test.attribute, test.class);
        if let Some(id) = instance {
            let at = suite.loaded.instances.iter().position(|named| named.id == id);
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
        Ok((found, why.filter(|_| is_whole(test.attribute.statistic))))
    }
}

fn shown(estimate: &Estimate) -> Found {
    Found {
        text: format!("{}{{unit}}, n = {}", estimate.show(), count(estimate.n)),
        value: estimate.value,
        interval: estimate.interval,
        is_bound: estimate.is_bound,
        measure: estimate.measure,
    }
}
