//! Our figures from recorded runs, committed files and the program's declarations. The names of
//! suites, solvers and attributes in a paper's file are looked up here; an error points at the
//! name.

use super::{Maker, Paper, Reading, keys, shipped, tally::Runs, verdict::Side};
use crate::{
    attribute::{ATTRIBUTES, Attribute, Better},
    error::LabError,
    experiment::{Against, Bound, Experiment, Pairing, Population, Relation, Test, is_whole},
    plan::Plan,
    reader::{Name, Reader, unknown},
    references::{
        cells::{Cell, Line, Published},
        paper::Measure,
    },
    report::{self, Recorded},
    row::Row,
    units,
};
use std::{collections::BTreeMap, path::Path};
use unriddle_catalog::{Aim, Registry, Role, Spec, bind, registry};

/// Our figure beside a cell.
#[derive(Clone, Debug)]
pub(super) enum Ours {
    /// Number, and the factor that converts the published figure into its unit.
    Number(Box<Side>, f64),
    Words(String),
    /// Reason why nothing is recorded.
    NotRun(String),
}

/// Experiment with its recorded runs. The instances of an experiment without runs are not loaded.
enum Loaded {
    Planned(Box<Plan>, Vec<Row>),
    Empty(Box<Experiment>),
}

impl Loaded {
    fn experiment(&self) -> &Experiment {
        match self {
            Self::Planned(plan, _) => &plan.experiment,
            Self::Empty(experiment) => experiment,
        }
    }
}

/// Experiments and declarations from which a page is made.
pub(super) struct Sources<'a> {
    registry: &'a Registry,
    experiments: BTreeMap<String, Loaded>,
}

impl<'a> Sources<'a> {
    /// Reads the experiments that a paper names or that test one of its claims.
    pub(super) fn load(
        paper: &Paper,
        registry: &'a Registry,
        rows: &dyn Fn(&str) -> Result<Vec<Row>, LabError>,
        data: Option<&Path>,
    ) -> Result<Self, LabError> {
        let folder = paper.root.join("experiments");
        let known = keys(&folder)?;
        let mut named: Vec<&str> = Vec::new();
        for reading in paper.exhibits.iter().flat_map(|e| &e.readings) {
            if let Maker::Experiment(name) = &reading.maker {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                paper.reader().index("experiment", name, known.into_iter())?;
                named.push(name.get_ref());
            }
        }
        let mut experiments = BTreeMap::new();
        for name in &known {
            let path = folder.join(format!("{name}.toml"));
            let text = std::fs::read_to_string(&path).map_err(|e| LabError::file(&path, &e))?;
            let is_named = named.contains(&name.as_str());
            // Other experiments are read only if they, or their base, may have a claim of this
            // paper.
            let has_base = text.lines().any(|line| line.starts_with("base ="));
            if !is_named && !has_base && !text.contains(&paper.key) {
                continue;
            }
            let experiment = Experiment::parse(&path, &text, registry)?;
            let is_of = |claim: &crate::experiment::Claim| {
                claim.origin.as_ref().is_some_and(|origin| origin.key == paper.key)
            };
            if !is_named && !experiment.claims.iter().any(is_of) {
                continue;
            }
            let rows = rows(name)?;
            let loaded = if rows.is_empty() {
                Loaded::Empty(Box::new(experiment))
            } else {
                let plan = Plan::of_results(experiment, data, &rows)?;
                Loaded::Planned(Box::new(plan), rows)
            };
            experiments.insert(name.clone(), loaded);
        }
        Ok(Self { registry, experiments })
    }

    /// Recorded runs of the experiments that have some.
    pub(super) fn recorded(&self) -> Runs<'_> {
        let planned = self.experiments.iter().filter_map(|(name, loaded)| match loaded {
            Loaded::Planned(plan, rows) => Some((name.as_str(), Recorded::new(plan, rows))),
            Loaded::Empty(_) => None,
        });
        planned.collect()
    }

    /// Iterates over all experiments, in alphabetical order.
    pub(super) fn experiments(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.values().map(Loaded::experiment)
    }

    /// Takes our figure beside a cell.
    pub(super) fn take(
        &self,
        paper: &Paper,
        recorded: &Runs<'_>,
        reading: &Reading,
        measure: &Measure,
        cell: &Cell,
        row: &Line,
    ) -> Result<Ours, LabError> {
        let reader = paper.reader();
        match &reading.maker {
            Maker::Experiment(name) => {
                let Some(loaded) = self.experiments.get(name.get_ref()) else {
                    return Err(reader.unknown("experiment", name, &[]));
                };
                let asked = asked(reader, loaded.experiment(), reading, measure, self.registry)?;
                let factor = factor(reader, cell, &asked)?;
                let instance =
                    measure.instance.as_ref().map(|name| match name.get_ref().as_str() {
                        "row" => row.id.as_str(),
                        other => other,
                    });
                Ok(match recorded.get(name.get_ref().as_str()) {
                    None => Ours::NotRun("nothing is recorded".to_owned()),
                    Some(recorded) => of_runs(recorded, &asked, instance, measure, factor),
                })
            }
            Maker::File(file) => of_file(paper, file, reading, measure, cell),
            Maker::Program(puzzle) => self.of_program(reader, puzzle, reading, measure, cell),
        }
    }

    fn of_program(
        &self,
        reader: Reader<'_>,
        puzzle: &Name,
        reading: &Reading,
        measure: &Measure,
        cell: &Cell,
    ) -> Result<Ours, LabError> {
        let refused = |error| reader.spec_error(puzzle, puzzle.get_ref(), &error);
        let (family, _) = self.registry.puzzle(puzzle.get_ref()).map_err(refused)?;
        let Some(name) = &measure.spec else {
            return Err(reader.error(&reading.at, "a figure of the program needs a `spec`"));
        };
        let refused = |error| reader.spec_error(name, name.get_ref(), &error);
        let spec = Spec::parse(name.get_ref()).map_err(refused)?;
        let infos = registry::expressions(family);
        let spec = bind::expand(&infos, Role::Search, &spec).map_err(refused)?;
        let Some(option) = &measure.option else {
            return Ok(Ours::Words(format!("`{}`", name.get_ref())));
        };
        let value: toml::Value = toml::from_str(&spec.to_toml())
            .map_err(|error| reader.error(&name.span(), error.message()))?;
        let text = shipped::in_toml(&value, option.get_ref());
        let text = text.map_err(|why| reader.error(&option.span(), why))?;
        number(&text, measure, cell).map_err(|why| reader.error(&option.span(), why))
    }
}

/// Measurement of an experiment's runs.
struct Asked {
    test: Test,
    /// Unit of the result.
    unit: &'static str,
    /// Unit after the number on the page.
    shown: String,
}

fn asked(
    reader: Reader<'_>,
    experiment: &Experiment,
    reading: &Reading,
    measure: &Measure,
    registry: &Registry,
) -> Result<Asked, LabError> {
    let needed = |name: &Option<Name>, what: &str| {
        name.clone().ok_or_else(|| {
            let message = format!("a figure of an experiment needs `{what}`");
            reader.error(&reading.at, message)
        })
    };
    let name = needed(&measure.suite, "suite")?;
    let suites = experiment.suites.iter().map(|s| s.name.as_str());
    let suite = reader.index("suite", &name, suites)?;
    let solver = |name: &Name| {
        let solvers = experiment.solvers.iter().map(|s| s.name.as_str());
        let solver = reader.index("solver", name, solvers)?;
        if experiment.solvers[solver].suites.contains(&suite) {
            Ok(solver)
        } else {
            let suite = &experiment.suites[suite].name;
            let message = format!("`{}` does not run on the suite `{suite}`", name.get_ref());
            Err(reader.error(&name.span(), message))
        }
    };
    let name = needed(&measure.attribute, "attribute")?;
    let own = experiment.attributes.iter().find(|a| a.name == name.get_ref());
    let puzzle = registry.puzzle(&experiment.suites[suite].puzzle).ok();
    let mut attribute = match (own, Attribute::find(name.get_ref())) {
        (Some(own), _) => *own,
        (None, Some(found)) => match puzzle.as_ref().map(|(family, _)| family.aim) {
            Some(Aim::Score) => found.for_scores(),
            _ => found,
        },
        (None, None) => {
            let known: Vec<&str> = ATTRIBUTES.iter().map(|a| a.name).collect();
            return Err(reader.unknown("attribute", &name, &known));
        }
    };
    attribute.statistic = measure.statistic.unwrap_or(attribute.statistic);
    attribute.better = measure.better.unwrap_or(match attribute.statistic {
        crate::attribute::Statistic::Sd => Better::Neutral,
        _ => attribute.better,
    });
    let class = match (&measure.class, &experiment.classes) {
        (None, _) => None,
        (Some(name), Some(classes)) => {
            Some(reader.index("class", name, classes.names.iter().map(String::as_str))?)
        }
        (Some(name), None) => {
            let message = format!("`{}` has no classes", experiment.name);
            return Err(reader.error(&name.span(), message));
        }
    };
    let solver_of = needed(&measure.solver, "solver")?;
    let against = measure.against.as_ref().map(solver).transpose()?;
    let pairing = match &measure.pairing {
        None => Pairing::Difference,
        Some(name) => {
            let names = Pairing::NAMES.iter().map(|(name, _)| *name);
            Pairing::NAMES[reader.index("pairing", name, names)?].1
        }
    };
    let unit = match (against, pairing) {
        (Some(_), pairing) if pairing.is_share() => "%",
        (Some(_), Pairing::Ratio | Pairing::GeometricRatio) => "",
        _ => attribute.unit,
    };
    let is_ratio = against.is_some() && pairing != Pairing::Difference;
    let of_value = puzzle.as_ref().map_or("", |(_, puzzle)| puzzle.unit());
    let shown = if is_ratio { "" } else { attribute.shown_unit(of_value) };
    Ok(Asked {
        test: Test {
            suite,
            solver: solver(&solver_of)?,
            attribute,
            class,
            against: against.map(Against::Solver),
            pairing,
            relation: Relation::AtLeast,
            bound: Bound { number: 0.0, figure: None },
            confidence: 0.95,
            population: if is_whole(attribute.statistic) {
                Population::Set
            } else {
                Population::Sample
            },
        },
        unit,
        shown: shown.to_owned(),
    })
}

/// Factor that converts the published figure into the unit of ours.
fn factor(reader: Reader<'_>, cell: &Cell, asked: &Asked) -> Result<f64, LabError> {
    if !matches!(cell.published, Published::Value(_)) {
        return Ok(1.0);
    }
    let factor = units::of_figure(&cell.unit, asked.unit);
    factor.ok_or_else(|| {
        let message = format!(
            "the figure is in \"{}\" and `{}` in \"{}\"",
            cell.unit, asked.test.attribute.name, asked.unit
        );
        reader.error(&cell.at, message)
    })
}

fn of_runs(
    recorded: &Recorded<'_>,
    asked: &Asked,
    instance: Option<&str>,
    measure: &Measure,
    factor: f64,
) -> Ours {
    let unit = match asked.shown.as_str() {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let side = |found: report::values::Found, incomparable: Option<String>| Side {
        text: found.text.replacen("{unit}", &unit, 1),
        value: found.value,
        interval: found.interval,
        is_bound: found.is_bound,
        better: asked.test.attribute.better,
        measure: found.measure,
        incomparable: measure.incomparable.clone().or(incomparable),
    };
    match recorded.find(&asked.test, instance) {
        Ok((found, incomparable)) => Ours::Number(Box::new(side(found, incomparable)), factor),
        Err(why) => Ours::NotRun(why),
    }
}

/// Turns a text of a file or of the program into a figure of ours.
fn number(text: &str, measure: &Measure, cell: &Cell) -> Result<Ours, String> {
    let Some(value) = counted(text).or_else(|| shipped::number(text)) else {
        return Ok(Ours::Words(text.to_owned()));
    };
    let unit = measure.unit.as_deref();
    let factor = match unit {
        None => 1.0,
        Some(unit) => units::factor(unit, &cell.unit)
            .ok_or_else(|| format!("the figure is in \"{}\" and this in \"{unit}\"", cell.unit))?,
    };
    let unit = match unit.unwrap_or(&cell.unit) {
        // A text with letters or a percent sign includes its unit.
        _ if unit.is_none() && text.contains(|c: char| c.is_alphabetic() || c == '%') => {
            String::new()
        }
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let half = shipped::half_width(text);
    let (value, half) = (value * factor, half.map(|half| half * factor));
    Ok(Ours::Number(
        Box::new(Side {
            text: format!("{text}{unit}"),
            value,
            interval: half.map(|half| (value - half, value + half)),
            is_bound: false,
            better: measure.better.unwrap_or(Better::Neutral),
            measure: report::values::Measure::Plain,
            incomparable: measure.incomparable.clone(),
        }),
        1.0,
    ))
}

/// Reads a count with a unit such as `800k`.
fn counted(text: &str) -> Option<f64> {
    unriddle_catalog::units::count(text).ok().map(|count| count as f64)
}

fn of_file(
    paper: &Paper,
    file: &Name,
    reading: &Reading,
    measure: &Measure,
    cell: &Cell,
) -> Result<Ours, LabError> {
    let reader = paper.reader();
    let path = paper.root.join(file.get_ref());
    if let Some(at) = &measure.at {
        let text = shipped::of_toml(&path, at.get_ref());
        let text = text.map_err(|why| reader.error(&at.span(), why))?;
        return number(&text, measure, cell).map_err(|why| reader.error(&at.span(), why));
    }
    let Some(column) = &measure.column else {
        let message =
            "a figure of a file needs `at` (TOML), or `column` and `when` (CSV, Markdown)";
        return Err(reader.error(&reading.at, message));
    };
    let tables = shipped::tables(&path).map_err(|why| reader.error(&file.span(), why))?;
    let index = |table: &shipped::Table, name: &str| table.head.iter().position(|n| n == name);
    let mut names: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for table in &tables {
        let Some(at) = index(table, column.get_ref()) else {
            names.extend(table.head.iter().map(String::as_str));
            continue;
        };
        for row in &table.rows {
            let holds = |(name, value): (&String, &String)| {
                index(table, name).and_then(|i| row.get(i)).is_some_and(|cell| cell == value)
            };
            if measure.when.iter().all(holds) {
                found.extend(row.get(at));
            }
        }
    }
    match &found[..] {
        [text] => number(text, measure, cell).map_err(|why| reader.error(&column.span(), why)),
        [] if tables.iter().all(|table| index(table, column.get_ref()).is_none()) => {
            names.sort_unstable();
            names.dedup();
            let what = format!("column of {}", file.get_ref());
            Err(reader.error(&column.span(), unknown(&what, column.get_ref(), &names)))
        }
        found => {
            let when: Vec<_> = measure.when.iter().map(|(n, v)| format!("{n} = \"{v}\"")).collect();
            let message = format!(
                "expected one row of {} with {}, found {}",
                file.get_ref(),
                when.join(", "),
                found.len()
            );
            Err(reader.error(&column.span(), message))
        }
    }
}
