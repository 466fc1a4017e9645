//! Contents of a report: attributes, classes, tables, plots and comparisons. A report has one
//! measure.

use super::{
    Classes, ClassesBy, Compare, PlotKind, PlotSpec, Published, Solver, TableSpec, file, parameter,
    reader::{Everything, Known, Measured, Reader},
};
use crate::{
    attribute::{ATTRIBUTES, Attribute, Statistic},
    error::LabError,
    reader::Name,
    references::{Figure, References, Source},
    units::of_figure,
};
use std::{collections::BTreeSet, path::PathBuf};
use toml::Spanned;

/// Default attributes of a report.
const USUAL: [&str; 4] = ["solved", "value", "expanded", "cpu_s"];

impl Reader<'_> {
    pub(super) fn attributes(
        &self,
        entries: &[file::Attribute],
        scores: bool,
    ) -> Result<Vec<Attribute>, LabError> {
        if entries.is_empty() {
            return Ok(USUAL
                .iter()
                .filter_map(|name| Attribute::find(name))
                .map(|attribute| of_aim(attribute, scores))
                .collect());
        }
        let mut attributes: Vec<Attribute> = Vec::new();
        for entry in entries {
            let mut attribute = self.attribute(&entry.name, scores)?;
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

    fn attribute(&self, name: &Name, scores: bool) -> Result<Attribute, LabError> {
        let known: Vec<&str> = ATTRIBUTES.iter().map(|a| a.name).collect();
        let found = Attribute::find(name.get_ref()).map(|a| of_aim(a, scores));
        found.ok_or_else(|| self.unknown("attribute", name, &known))
    }

    /// An attribute as the experiment declares it, with another statistic if one is given.
    pub(super) fn shown(
        &self,
        name: &Name,
        statistic: Option<Statistic>,
        measured: &Measured<'_>,
    ) -> Result<Attribute, LabError> {
        let own = measured.attributes.iter().find(|a| a.name == name.get_ref());
        let mut attribute = match own {
            Some(own) => *own,
            None => self.attribute(name, measured.scores)?,
        };
        attribute.statistic = statistic.unwrap_or(attribute.statistic);
        Ok(attribute)
    }

    pub(super) fn classes(
        &self,
        classes: &file::Classes,
        solvers: &[Solver],
        measured: &Measured<'_>,
    ) -> Result<Classes, LabError> {
        let names = classes.names.get_ref();
        let named = |count: usize| match names.len() == count {
            true => Ok(()),
            false => {
                Err(self.error(&classes.names.span(), format!("expected {count} names of classes")))
            }
        };
        let by = match (&classes.quantiles, &classes.near, &classes.within) {
            (Some(given), None, None) => {
                let quantiles = given.get_ref();
                let inside = quantiles.iter().all(|q| *q > 0.0 && *q < 1.0);
                if !inside || !quantiles.is_sorted_by(|a, b| a < b) {
                    let message = "expected ascending quantiles between 0 and 1";
                    return Err(self.error(&given.span(), message));
                }
                named(quantiles.len() + 1)?;
                ClassesBy::Quantiles(quantiles.clone())
            }
            (None, Some(given), Some(within)) => {
                let values = given.get_ref();
                let share = within.get_ref().trim().strip_suffix('%');
                let share = share.and_then(|share| share.trim().parse().ok());
                let Some(share) =
                    share.map(|share: f64| share / 100.0).filter(|s| 0.0 < *s && *s < 1.0)
                else {
                    let message = "expected a share between 0 % and 100 %";
                    return Err(self.error(&within.span(), message));
                };
                let apart = |a: &f64, b: &f64| a * (1.0 + share) < b * (1.0 - share);
                if values.iter().any(|v| *v <= 0.0) || !values.is_sorted_by(apart) {
                    let message = "expected ascending values above 0, so far from each other that no instance has two classes";
                    return Err(self.error(&given.span(), message));
                }
                named(values.len())?;
                ClassesBy::Near(values.clone(), share)
            }
            _ => {
                let message = "classes are by `quantiles`, or by `near` and `within`";
                return Err(self.error(&classes.names.span(), message));
            }
        };
        Ok(Classes {
            solver: self.one(&classes.solver, solvers)?,
            attribute: self.shown(&classes.attribute, None, measured)?,
            by,
            names: names.clone(),
        })
    }

    pub(super) fn table(
        &self,
        table: &Spanned<file::Table>,
        all: &Everything<'_>,
    ) -> Result<TableSpec, LabError> {
        let (place, table) = (table.span(), table.get_ref());
        let attribute = self.shown(&table.attribute, table.statistic, all.measured)?;
        let suites = self.suites(table.suites.as_deref(), all.suites)?;
        let needed = |name: &Option<Name>, what: &str| match name {
            Some(name) => Ok(name.clone()),
            None => Err(self.error(&place, format!("this kind of table needs `{what}`"))),
        };
        Ok(match table.kind {
            file::TableKind::Classes => {
                if all.classes.is_none() {
                    return Err(self.error(&place, "a table of classes needs [classes]"));
                }
                TableSpec::Classes {
                    attribute,
                    solvers: self.several(table.solvers.as_deref(), all.solvers)?,
                    suites,
                }
            }
            file::TableKind::Grid => {
                let grids: Vec<_> = all.solvers.iter().filter_map(|s| s.grid.as_ref()).collect();
                let axis = |name: &Name| {
                    let axes: BTreeSet<&str> = grids
                        .iter()
                        .flat_map(|(_, values)| values.iter().map(|(n, _)| n.as_str()))
                        .collect();
                    let axes: Vec<&str> = axes.into_iter().collect();
                    match axes.contains(&name.get_ref().as_str()) {
                        true => Ok(name.get_ref().clone()),
                        false => Err(self.unknown("parameter of a grid", name, &axes)),
                    }
                };
                if let Some(solver) = &table.solver {
                    self.index("grid", solver, grids.iter().map(|(name, _)| name.as_str()))?;
                }
                TableSpec::Grid {
                    solver: table.solver.as_ref().map(|s| s.get_ref().clone()),
                    rows: axis(&needed(&table.rows, "rows")?)?,
                    columns: axis(&needed(&table.columns, "columns")?)?,
                    attribute,
                    suites,
                }
            }
            file::TableKind::Paired => {
                let baseline = self.one(&needed(&table.baseline, "baseline")?, all.solvers)?;
                let mut solvers = self.several(table.solvers.as_deref(), all.solvers)?;
                solvers.retain(|&s| s != baseline);
                TableSpec::Paired { baseline, solvers, attribute, suites }
            }
        })
    }

    pub(super) fn plot(
        &self,
        plot: &Spanned<file::Plot>,
        all: &Everything<'_>,
    ) -> Result<PlotSpec, LabError> {
        let (place, plot) = (plot.span(), plot.get_ref());
        let usual = match plot.kind {
            PlotKind::Coverage => Some("cpu_s"),
            PlotKind::Anytime => Some("value"),
            _ => None,
        };
        let attribute = match (&plot.attribute, usual) {
            (Some(name), _) => self.shown(name, None, all.measured)?,
            (None, Some(usual)) => {
                self.shown(&Spanned::new(place.clone(), usual.to_owned()), None, all.measured)?
            }
            (None, None) => return Err(self.error(&place, "this kind of plot needs `attribute`")),
        };
        let solvers = self.several(plot.solvers.as_deref(), all.solvers)?;
        if plot.kind == PlotKind::Scatter && solvers.len() != 2 {
            return Err(self.error(&place, "a scatter plot is of two `solvers`"));
        }
        if plot.kind == PlotKind::Curves {
            let last = |s: &usize| all.solvers[*s].grid.as_ref().and_then(|(_, p)| p.last());
            let wrong = |s: &&usize| last(s).is_none_or(|(_, value)| parameter(value).is_none());
            if let Some(&wrong) = solvers.iter().find(wrong) {
                let message = format!(
                    "curves go over the last parameter of a `grid`, whose values are numbers: `{}` has none; name the grids in `solvers`",
                    all.solvers[wrong].name
                );
                return Err(self.error(&place, message));
            }
        }
        let x = match &plot.x {
            Some(name) => Some(self.shown(name, None, all.measured)?),
            None if plot.kind == PlotKind::Frontier => {
                return Err(self.error(&place, "a frontier needs `x`, an attribute"));
            }
            None => None,
        };
        let bin = match &plot.bin {
            Some(bin) if !(*bin.get_ref() > 0.0 && bin.get_ref().is_finite()) => {
                return Err(self.error(&bin.span(), "the width of a bin is above 0"));
            }
            bin => bin.as_ref().map(|b| *b.get_ref()),
        };
        let title = plot.title.clone().unwrap_or_else(|| attribute.heading.to_owned());
        Ok(PlotSpec {
            kind: plot.kind,
            title,
            attribute,
            x,
            solvers,
            suites: self.suites(plot.suites.as_deref(), all.suites)?,
            published: plot.published.clone(),
            bin,
        })
    }

    pub(super) fn compare(
        &self,
        entries: &[Spanned<file::Compare>],
        all: &Everything<'_>,
    ) -> Result<Vec<Compare>, LabError> {
        let mut compare = Vec::new();
        for entry in entries {
            let (place, entry) = (entry.span(), entry.get_ref());
            let suite =
                self.index("suite", &entry.suite, all.suites.iter().map(|s| s.name.as_str()))?;
            let solver = self.on_suite(&entry.solver, suite, all)?;
            let class =
                entry.class.as_ref().map(|class| self.class(class, all.classes)).transpose()?;
            let attribute = self.shown(&entry.attribute, entry.statistic, all.measured)?;
            let published = match (&entry.key, &entry.column) {
                (Some(key), None) => {
                    let figure = self.figure(key)?;
                    if of_figure(&figure.unit, attribute.unit).is_none() {
                        let message =
                            format!("this figure is in {}, not in {}", figure.unit, attribute.unit);
                        return Err(self.error(&key.span(), message));
                    }
                    Published::Figure(figure)
                }
                (None, Some(column)) if all.suites[suite].reference.is_some() => {
                    Published::Column(column.get_ref().clone())
                }
                (None, Some(column)) => {
                    let message = "the suite has no `reference` file with columns";
                    return Err(self.error(&column.span(), message));
                }
                _ => {
                    let message = "the published side is one of: `key` of data/references.toml, \
                                   `column` of the suite's reference file";
                    return Err(self.error(&place, message));
                }
            };
            compare.push(Compare {
                suite,
                solver,
                attribute,
                class,
                published,
                note: entry.note.clone(),
            });
        }
        Ok(compare)
    }

    /// A class of the experiment.
    pub(super) fn class(&self, name: &Name, classes: Option<&Classes>) -> Result<usize, LabError> {
        match classes {
            Some(classes) => self.index("class", name, classes.names.iter().map(String::as_str)),
            None => Err(self.error(&name.span(), "there are no [classes]")),
        }
    }

    /// A published figure.
    pub(super) fn figure(&self, key: &Name) -> Result<Figure, LabError> {
        let references = self.references(key)?;
        references.get(key.get_ref()).cloned().ok_or_else(|| {
            let keys: Vec<_> = references.keys().collect();
            self.unknown("key of a published figure", key, &keys)
        })
    }

    /// A published work.
    pub(super) fn source(&self, key: &Name) -> Result<Source, LabError> {
        let references = self.references(key)?;
        references.source(key.get_ref()).cloned().ok_or_else(|| {
            let keys: Vec<_> = references.sources().collect();
            self.unknown("key of a source", key, &keys)
        })
    }

    /// The published figures, read when the first name in the text asks for them.
    fn references(&self, key: &Name) -> Result<&References, LabError> {
        if let Some(references) = self.references.get() {
            return Ok(references);
        }
        let references = References::read(&self.references_file(key)?)?;
        Ok(self.references.get_or_init(|| references))
    }

    /// `data/references.toml` in the nearest folder above the experiment.
    fn references_file(&self, key: &Name) -> Result<PathBuf, LabError> {
        let whole = std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_owned());
        let found = whole
            .ancestors()
            .skip(1)
            .map(|folder| folder.join("data").join("references.toml"))
            .find(|path| path.is_file());
        found.ok_or_else(|| {
            let message = "no folder above the experiment holds data/references.toml";
            self.error(&key.span(), message)
        })
    }

    /// A report never mixes two definitions of value.
    pub(super) fn one_measure(
        &self,
        file: &file::File,
        known: &[Known],
        attributes: &[Attribute],
        tables: &[TableSpec],
        plots: &[PlotSpec],
        compare: &[Compare],
    ) -> Result<(), LabError> {
        if let Some(measure) = &file.measure
            && let Some(other) = known.iter().find(|k| k.unit != measure.get_ref())
        {
            let message = format!("the puzzle's value counts {}, not this", other.unit);
            return Err(self.error(&measure.span(), message));
        }
        let of_table = tables.iter().map(|table| match table {
            TableSpec::Classes { attribute, .. }
            | TableSpec::Grid { attribute, .. }
            | TableSpec::Paired { attribute, .. } => attribute,
        });
        let mut shown = attributes
            .iter()
            .chain(of_table)
            .chain(plots.iter().map(|p| &p.attribute))
            .chain(compare.iter().map(|c| &c.attribute));
        let first = known.first().map_or("", |k| k.unit);
        let other = known.iter().position(|k| k.unit != first);
        if let Some(other) = other.filter(|_| shown.any(Attribute::is_of_value)) {
            let message = format!(
                "this suite's values count {}, but the first suite's count {first}: move one suite to another experiment",
                known[other].unit
            );
            return Err(self.error(&file.suite[other].puzzle.span(), message));
        }
        Ok(())
    }
}

/// An attribute as it is for scores, or for costs.
fn of_aim(attribute: Attribute, scores: bool) -> Attribute {
    match scores {
        true => attribute.for_scores(),
        false => attribute,
    }
}
