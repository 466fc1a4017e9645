//! Our figures from recorded runs, committed files and the program's declarations. The names of
//! suites, solvers and attributes in a paper's file are looked up here; an error points at the
//! name.

use super::{Maker, Paper, Reading, keys, shipped, tally::Runs, verdict::Side};
use crate::{
    attribute::{ATTRIBUTES, Attribute, Better},
    error::LabError,
    experiment::{Against, Bound, Experiment, Pairing, Population, Relation, Test, is_whole},
    plan::Plan,
    reader::{Name, Reader},
    references::{
        cells::{Cell, Line, Published},
        paper::Measure,
    },
    report::{self, Recorded, values::Found},
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
                paper.reader().index("experiment", name, known.iter().map(String::as_str))?;
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
            let mut origins = experiment.claims.iter().filter_map(|claim| claim.origin.as_ref());
            if !is_named && !origins.any(|origin| origin.key == paper.key) {
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

    /// Command of the program with these arguments.
    pub(super) fn command(&self, arguments: &str) -> String {
        format!("{} {arguments}", self.registry.program())
    }

    /// Command that does an experiment's runs, in the folder of the paper's catalogue.
    pub(super) fn run(&self, experiment: &str, subset: bool) -> String {
        let subset = if subset { " --subset" } else { "" };
        self.command(&format!("lab run experiments/{experiment}.toml{subset}"))
    }

    /// Recorded runs of the experiments that have some.
    pub(super) fn recorded(&self) -> Runs<'_> {
        let planned = self.experiments.iter().filter_map(|(name, loaded)| match loaded {
            Loaded::Planned(plan, rows) => Some((name.as_str(), Recorded::new(plan, rows))),
            Loaded::Empty(_) => None,
        });
        planned.collect()
    }

    /// Recorded runs of the experiments that have some, as rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&str, &[Row])> {
        self.experiments.iter().filter_map(|(name, loaded)| match loaded {
            Loaded::Planned(_, rows) => Some((name.as_str(), &rows[..])),
            Loaded::Empty(_) => None,
        })
    }

    /// Iterates over all experiments, in alphabetical order.
    pub(super) fn experiments(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.values().map(Loaded::experiment)
    }

    /// Takes our figure beside a cell.
    pub(super) fn take(&self, place: &Place<'_>, recorded: &Runs<'_>) -> Result<Ours, LabError> {
        match &place.reading.maker {
            Maker::Experiment(name) => {
                let Some(loaded) = self.experiments.get(name.get_ref()) else {
                    return Err(place.reader.unknown("experiment", name, &[]));
                };
                let asked = asked(place, loaded.experiment(), self.registry)?;
                let factor = factor(place, &asked)?;
                Ok(match recorded.get(name.get_ref().as_str()) {
                    None => Ours::NotRun("nothing is recorded".to_owned()),
                    Some(recorded) => of_runs(recorded, &asked, place, factor),
                })
            }
            Maker::File(file) => of_file(place, file),
            Maker::Program(puzzle) => self.of_program(place, puzzle),
        }
    }

    fn of_program(&self, place: &Place<'_>, puzzle: &Name) -> Result<Ours, LabError> {
        let (reader, measure) = (place.reader, place.measure);
        let refused = |error| reader.spec_error(puzzle, puzzle.get_ref(), &error);
        let (family, _) = self.registry.puzzle(puzzle.get_ref()).map_err(refused)?;
        let Some(name) = &measure.spec else {
            return Err(reader.error(&place.reading.at, "a figure of the program needs a `spec`"));
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
        place.number(option, shipped::in_toml(&value, option.get_ref()))
    }
}

/// Cell beside which our figure is shown.
pub(super) struct Place<'a> {
    pub(super) reader: Reader<'a>,
    /// Folder to which the paths in the paper's file are relative.
    pub(super) root: &'a Path,
    pub(super) reading: &'a Reading,
    pub(super) measure: &'a Measure,
    pub(super) cell: &'a Cell,
    pub(super) row: &'a Line,
}

impl Place<'_> {
    /// Turns a text of a file or of the program into a figure of ours. An error is at `name`.
    fn number(&self, name: &Name, text: Result<String, String>) -> Result<Ours, LabError> {
        let number = text.and_then(|text| number(&text, self.measure, self.cell));
        number.map_err(|why| self.reader.error(&name.span(), why))
    }
}

/// Measurement of an experiment's runs.
struct Asked {
    test: Test,
    /// Unit of the result.
    unit: &'static str,
    /// Unit after the number on the page, with a space before it.
    shown: String,
}

fn asked(
    place: &Place<'_>,
    experiment: &Experiment,
    registry: &Registry,
) -> Result<Asked, LabError> {
    let (reader, measure) = (place.reader, place.measure);
    let needed = |name: &Option<Name>, what: &str| {
        name.clone().ok_or_else(|| {
            let message = format!("a figure of an experiment needs `{what}`");
            reader.error(&place.reading.at, message)
        })
    };
    let name = needed(&measure.suite, "suite")?;
    let suites = experiment.suites.iter().map(|s| s.name.as_str());
    let suite = reader.index("suite", &name, suites)?;
    let solver = |name: &Name| {
        let solvers = experiment.solvers.iter().map(|s| s.name.as_str());
        let solver = reader.index("solver", name, solvers)?;
        if experiment.solvers[solver].suites.contains(&suite) {
            return Ok(solver);
        }
        let (name_of, suite) = (name.get_ref(), &experiment.suites[suite].name);
        reader.refuse(name, format!("`{name_of}` does not run on the suite `{suite}`"))
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
            return reader.refuse(name, format!("`{}` has no classes", experiment.name));
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
    let shown = match attribute.shown_unit(of_value) {
        unit if is_ratio || unit.is_empty() => String::new(),
        unit => format!(" {unit}"),
    };
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
        shown,
    })
}

/// Factor that converts the published figure into the unit of ours.
fn factor(place: &Place<'_>, asked: &Asked) -> Result<f64, LabError> {
    let cell = place.cell;
    if !matches!(cell.published, Published::Value(_)) {
        return Ok(1.0);
    }
    let factor = units::of_figure(&cell.unit, asked.unit);
    factor.ok_or_else(|| {
        let message = format!(
            "the figure is in \"{}\" and `{}` in \"{}\"",
            cell.unit, asked.test.attribute.name, asked.unit
        );
        place.reader.error(&cell.at, message)
    })
}

fn of_runs(recorded: &Recorded<'_>, asked: &Asked, place: &Place<'_>, factor: f64) -> Ours {
    let instance = place.measure.instance.as_ref().map(|name| name.get_ref().as_str());
    let instance = instance.map(|name| if name == "row" { &place.row.id } else { name });
    match recorded.find(&asked.test, instance) {
        Ok((found, incomparable)) => {
            let text = found.text.replacen("{unit}", &asked.shown, 1);
            let side = Side {
                found: Found { text, ..found },
                better: asked.test.attribute.better,
                incomparable: place.measure.incomparable.clone().or(incomparable),
            };
            Ours::Number(Box::new(side), factor)
        }
        Err(why) => Ours::NotRun(why),
    }
}

/// Turns a text of a file or of the program into a figure of ours.
fn number(text: &str, measure: &Measure, cell: &Cell) -> Result<Ours, String> {
    // A count may have a unit such as `800k`.
    let count = unriddle_catalog::units::count(text).ok().map(|count| count as f64);
    let Some(value) = count.or_else(|| shipped::number(text)) else {
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
    let value = value * factor;
    let half = shipped::half_width(text).map(|half| half * factor);
    let found = Found {
        text: format!("{text}{unit}"),
        value,
        interval: half.map(|half| (value - half, value + half)),
        is_bound: false,
        measure: report::values::Measure::Plain,
    };
    let better = measure.better.unwrap_or(Better::Neutral);
    let side = Side { found, better, incomparable: measure.incomparable.clone() };
    Ok(Ours::Number(Box::new(side), 1.0))
}

fn of_file(place: &Place<'_>, file: &Name) -> Result<Ours, LabError> {
    let (reader, measure) = (place.reader, place.measure);
    let path = place.root.join(file.get_ref());
    if let Some(at) = &measure.at {
        return place.number(at, shipped::of_toml(&path, at.get_ref()));
    }
    let Some(column) = &measure.column else {
        let message = "a figure of a file needs `at` (TOML), or `column` and `when` (CSV)";
        return Err(reader.error(&place.reading.at, message));
    };
    let table = shipped::table(&path).map_err(|why| reader.error(&file.span(), why))?;
    let index = |name: &str| table.head.iter().position(|n| n == name);
    let Some(at) = index(column.get_ref()) else {
        let names: Vec<&str> = table.head.iter().map(String::as_str).collect();
        return Err(reader.unknown(&format!("column of {}", file.get_ref()), column, &names));
    };
    let fits = |row: &&Vec<String>| {
        let holds = |(name, value): (&String, &String)| {
            index(name).and_then(|i| row.get(i)).is_some_and(|cell| cell == value)
        };
        measure.when.iter().all(holds)
    };
    let rows: Vec<_> = table.rows.iter().filter(fits).collect();
    if let [row] = &rows[..] {
        return place.number(column, Ok(row.get(at).cloned().unwrap_or_default()));
    }
    let when: Vec<_> = measure.when.iter().map(|(n, v)| format!("{n} = \"{v}\"")).collect();
    let (file, when, n) = (file.get_ref(), when.join(", "), rows.len());
    reader.refuse(column, format!("expected one row of {file} with {when}, found {n}"))
}
