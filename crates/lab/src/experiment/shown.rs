//! Contents of a report: attributes, classes, tables, plots and comparisons. A report has one
//! measure.

use super::{
    Classes, ClassesBy, Compare, PlotKind, PlotSpec, Published, REFERENCES, TableKind, TableSpec,
    catalogue, file, parameter,
    reader::{Reader, share},
};
use crate::{
    attribute::{ATTRIBUTES, Attribute, Statistic},
    error::LabError,
    reader::Name,
    references::{Figure, References, Source},
    units::of_figure,
};
use std::collections::BTreeSet;
use toml::Spanned;
use unriddle_catalog::Aim;

/// Default attributes of a report.
const USUAL: [&str; 4] = ["solved", "value", "expanded", "cpu_s"];

impl Reader<'_> {
    pub(super) fn attributes(
        &self,
        entries: &[file::Attribute],
    ) -> Result<Vec<Attribute>, LabError> {
        if entries.is_empty() {
            return Ok(USUAL.iter().filter_map(|name| self.known_attribute(name)).collect());
        }
        let mut attributes: Vec<Attribute> = Vec::new();
        for entry in entries {
            let mut attribute = self.attribute(&entry.name)?;
            attribute.better = entry.better.unwrap_or(attribute.better);
            attribute.scale = entry.scale.unwrap_or(attribute.scale);
            attribute.statistic = entry.statistic.unwrap_or(attribute.statistic);
            // An average and a deviation of the same are two columns.
            let same = |a: &&Attribute| a.statistic == attribute.statistic;
            let before = attributes.iter().filter(same).map(|a| a.name);
            self.unique("attribute", &entry.name, before)?;
            attributes.push(attribute);
        }
        Ok(attributes)
    }

    /// The attribute of a name, as it is for scores if the values of a suite are scores.
    fn known_attribute(&self, name: &str) -> Option<Attribute> {
        let scores = self.known.iter().any(|k| k.family.aim == Aim::Score);
        Attribute::find(name).map(|a| if scores { a.for_scores() } else { a })
    }

    fn attribute(&self, name: &Name) -> Result<Attribute, LabError> {
        self.known_attribute(name.get_ref()).ok_or_else(|| {
            let known: Vec<&str> = ATTRIBUTES.iter().map(|a| a.name).collect();
            self.unknown("attribute", name, &known)
        })
    }

    /// An attribute as the experiment declares it, with another statistic if one is given.
    pub(super) fn shown(
        &self,
        name: &Name,
        statistic: Option<Statistic>,
    ) -> Result<Attribute, LabError> {
        let mut attribute = match self.attributes.iter().find(|a| a.name == name.get_ref()) {
            Some(own) => *own,
            None => self.attribute(name)?,
        };
        attribute.statistic = statistic.unwrap_or(attribute.statistic);
        Ok(attribute)
    }

    pub(super) fn classes(&self, classes: &file::Classes) -> Result<Classes, LabError> {
        let names = &classes.names;
        let named = |count: usize| match names.get_ref().len() == count {
            true => Ok(()),
            false => self.refuse(names, format!("expected {count} names of classes")),
        };
        let by = match (&classes.quantiles, &classes.near, &classes.within) {
            (Some(given), None, None) => {
                let quantiles = given.get_ref();
                let inside = quantiles.iter().all(|q| *q > 0.0 && *q < 1.0);
                if !inside || !quantiles.is_sorted_by(|a, b| a < b) {
                    return self.refuse(given, "expected ascending quantiles between 0 and 1");
                }
                named(quantiles.len() + 1)?;
                ClassesBy::Quantiles(quantiles.clone())
            }
            (None, Some(given), Some(within)) => {
                let values = given.get_ref();
                let Some(share) = share(within.get_ref()).filter(|s| 0.0 < *s && *s < 1.0) else {
                    return self.refuse(within, "expected a share between 0 % and 100 %");
                };
                let apart = |a: &f64, b: &f64| a * (1.0 + share) < b * (1.0 - share);
                if values.iter().any(|v| *v <= 0.0) || !values.is_sorted_by(apart) {
                    let message = "expected ascending values above 0, so far from each other that no instance has two classes";
                    return self.refuse(given, message);
                }
                named(values.len())?;
                ClassesBy::Near(values.clone(), share)
            }
            _ => {
                let message = "classes are by `quantiles`, or by `near` and `within`";
                return self.refuse(names, message);
            }
        };
        Ok(Classes {
            solver: self.solver(&classes.solver)?,
            attribute: self.shown(&classes.attribute, None)?,
            by,
            names: names.get_ref().clone(),
        })
    }

    pub(super) fn table(&self, spanned: &Spanned<file::Table>) -> Result<TableSpec, LabError> {
        let table = spanned.get_ref();
        let attribute = self.shown(&table.attribute, table.statistic)?;
        let suites = self.several_suites(table.suites.as_deref())?;
        let solvers = || self.several_solvers(table.solvers.as_deref());
        let missing = |what: &str| self.error(&spanned.span(), what);
        let needed = |name, what| {
            Option::as_ref(name)
                .ok_or_else(|| missing(&format!("this kind of table needs `{what}`")))
        };
        let kind = match table.kind {
            file::TableKind::Classes if self.classes.is_none() => {
                return Err(missing("a table of classes needs [classes]"));
            }
            file::TableKind::Classes => TableKind::Classes { solvers: solvers()? },
            file::TableKind::Grid => {
                let grids: Vec<_> = self.solvers.iter().filter_map(|s| s.grid.as_ref()).collect();
                let axis = |name: &Name| {
                    let axes = grids.iter().flat_map(|(_, values)| values);
                    let axes: BTreeSet<&str> = axes.map(|(name, _)| name.as_str()).collect();
                    let axes: Vec<&str> = axes.into_iter().collect();
                    match axes.contains(&name.get_ref().as_str()) {
                        true => Ok(name.get_ref().clone()),
                        false => Err(self.unknown("parameter of a grid", name, &axes)),
                    }
                };
                if let Some(solver) = &table.solver {
                    self.index("grid", solver, grids.iter().map(|(name, _)| name.as_str()))?;
                }
                TableKind::Grid {
                    solver: table.solver.as_ref().map(|s| s.get_ref().clone()),
                    rows: axis(needed(&table.rows, "rows")?)?,
                    columns: axis(needed(&table.columns, "columns")?)?,
                }
            }
            file::TableKind::Paired => {
                let baseline = self.solver(needed(&table.baseline, "baseline")?)?;
                let mut solvers = solvers()?;
                solvers.retain(|&s| s != baseline);
                TableKind::Paired { baseline, solvers }
            }
        };
        Ok(TableSpec { kind, attribute, suites })
    }

    pub(super) fn plot(&self, spanned: &Spanned<file::Plot>) -> Result<PlotSpec, LabError> {
        let plot = spanned.get_ref();
        let usual = |name: &str| self.shown(&Spanned::new(spanned.span(), name.to_owned()), None);
        let attribute = match (&plot.attribute, plot.kind) {
            (Some(name), _) => self.shown(name, None)?,
            (None, PlotKind::Coverage) => usual("cpu_s")?,
            (None, PlotKind::Anytime) => usual("value")?,
            (None, _) => return self.refuse(spanned, "this kind of plot needs `attribute`"),
        };
        let solvers = self.several_solvers(plot.solvers.as_deref())?;
        if plot.kind == PlotKind::Scatter && solvers.len() != 2 {
            return self.refuse(spanned, "a scatter plot is of two `solvers`");
        }
        if plot.kind == PlotKind::Curves {
            let last = |s: &usize| self.solvers[*s].grid.as_ref().and_then(|(_, p)| p.last());
            let wrong = |s: &&usize| last(s).is_none_or(|(_, value)| parameter(value).is_none());
            if let Some(&wrong) = solvers.iter().find(wrong) {
                let message = format!(
                    "curves go over the last parameter of a `grid`, whose values are numbers: `{}` has none; name the grids in `solvers`",
                    self.solvers[wrong].name
                );
                return self.refuse(spanned, message);
            }
        }
        let x = plot.x.as_ref().map(|name| self.shown(name, None)).transpose()?;
        if x.is_none() && plot.kind == PlotKind::Frontier {
            return self.refuse(spanned, "a frontier needs `x`, an attribute");
        }
        if let Some(bin) = &plot.bin
            && !(*bin.get_ref() > 0.0 && bin.get_ref().is_finite())
        {
            return self.refuse(bin, "the width of a bin is above 0");
        }
        Ok(PlotSpec {
            kind: plot.kind,
            title: plot.title.clone().unwrap_or_else(|| attribute.heading.to_owned()),
            attribute,
            x,
            solvers,
            suites: self.several_suites(plot.suites.as_deref())?,
            published: plot.published.clone(),
            bin: plot.bin.as_ref().map(|bin| *bin.get_ref()),
            until: plot.until,
        })
    }

    pub(super) fn compare(&self, spanned: &Spanned<file::Compare>) -> Result<Compare, LabError> {
        let entry = spanned.get_ref();
        let suite = self.suite(&entry.suite)?;
        let solver = self.solver_on(&entry.solver, suite)?;
        let class = entry.class.as_ref().map(|class| self.class(class)).transpose()?;
        let attribute = self.shown(&entry.attribute, entry.statistic)?;
        let published = match (&entry.key, &entry.column) {
            (Some(key), None) => Published::Figure(self.figure(key, attribute.unit)?.0),
            (None, Some(column)) => Published::Column(self.column(column, suite)?),
            _ => {
                let message = "the published side is one of: `key` of data/references.toml, \
                               `column` of the suite's reference file";
                return self.refuse(spanned, message);
            }
        };
        Ok(Compare { suite, solver, attribute, class, published, note: entry.note.clone() })
    }

    /// A published figure, and the factor that converts it to a unit of ours.
    pub(super) fn figure(&self, key: &Name, unit: &str) -> Result<(Figure, f64), LabError> {
        let references = self.references(key)?;
        let figure = references.get(key.get_ref()).ok_or_else(|| {
            let keys: Vec<_> = references.keys().collect();
            self.unknown("key of a published figure", key, &keys)
        })?;
        match of_figure(&figure.unit, unit) {
            Some(factor) => Ok((figure.clone(), factor)),
            None => self.refuse(key, format!("this figure is in {}, not in {unit}", figure.unit)),
        }
    }

    /// A published work.
    pub(super) fn source(&self, key: &Name) -> Result<Source, LabError> {
        let references = self.references(key)?;
        references.source(key.get_ref()).cloned().ok_or_else(|| {
            let keys: Vec<_> = references.sources().collect();
            self.unknown("key of a source", key, &keys)
        })
    }

    /// The published figures, read when the first name in the text asks for them from
    /// `data/references.toml` in the nearest folder above the experiment.
    fn references(&self, key: &Name) -> Result<&References, LabError> {
        if let Some(references) = self.references.get() {
            return Ok(references);
        }
        let Some(folder) = catalogue(self.path) else {
            let message = "no folder above the experiment holds data/references.toml";
            return self.refuse(key, message);
        };
        let references = References::read(&folder.join(REFERENCES))?;
        Ok(self.references.get_or_init(|| references))
    }

    /// A report never mixes two definitions of value.
    pub(super) fn one_measure(
        &self,
        file: &file::File,
        tables: &[TableSpec],
        plots: &[PlotSpec],
        compare: &[Compare],
    ) -> Result<(), LabError> {
        if let Some(measure) = &file.measure
            && let Some(other) = self.known.iter().find(|k| k.unit != measure.get_ref())
        {
            let message = format!("the puzzle's value counts {}, not this", other.unit);
            return self.refuse(measure, message);
        }
        let mut shown = (self.attributes.iter())
            .chain(tables.iter().map(|t| &t.attribute))
            .chain(plots.iter().map(|p| &p.attribute))
            .chain(compare.iter().map(|c| &c.attribute));
        let first = self.known[0].unit;
        let other = self.known.iter().position(|k| k.unit != first);
        if let Some(other) = other.filter(|_| shown.any(Attribute::is_of_value)) {
            let message = format!(
                "this suite's values count {}, but the first suite's count {first}: move one suite to another experiment",
                self.known[other].unit
            );
            return self.refuse(&file.suite[other].puzzle, message);
        }
        Ok(())
    }
}
