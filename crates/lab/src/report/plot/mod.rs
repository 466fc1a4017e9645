//! Figures: one for each plot of the experiment and suite; plots that show all of their suites have
//! one figure.

mod curves;
mod kinds;
mod time;

use super::{
    markdown::escape,
    numbers::plain,
    select::{Selection, Series, SuiteRuns},
    suite::capital,
    values::Measure,
};
use crate::{
    attribute::{Attribute, Scale},
    error::LabError,
    experiment::{PlotKind, PlotSpec},
};
use unriddle_plot::{Axis, Format, Scene};

/// Figure with its heading and caption.
pub(super) struct Figure {
    /// Name of its file.
    pub(super) file: String,
    /// Heading as plain text.
    title: String,
    /// Drawing; `None` without data.
    pub(super) svg: Option<String>,
    /// Caption (Markdown).
    caption: String,
}

/// Requested plot with its runs.
struct Plot<'a> {
    spec: &'a PlotSpec,
    /// The suite; the first one of a plot of several suites.
    suite: &'a SuiteRuns<'a>,
    /// The series of the solvers on the suite.
    all: Vec<&'a Series<'a>>,
}

/// Drawing with its caption.
struct Drawn {
    scene: Scene,
    caption: String,
}

/// Notation of the numbers of a measure in a plot.
fn format(measure: Measure) -> Format {
    Format {
        scale: match measure {
            Measure::Plain => |x| Measure::Plain.scale(x),
            Measure::Seconds => |x| Measure::Seconds.scale(x),
            Measure::Bytes => |x| Measure::Bytes.scale(x),
            Measure::Percent => |x| Measure::Percent.scale(x),
        },
        text: plain,
    }
}

fn is_log(attribute: &Attribute) -> bool {
    attribute.scale == Scale::Log
}

/// Axis over values of an attribute.
fn axis(values: impl IntoIterator<Item = f64>, attribute: &Attribute) -> Axis {
    let format = format(Measure::of(attribute));
    Axis::over(values.into_iter(), is_log(attribute), format, false)
}

/// Label of an axis. Units that are written at the ticks are not repeated.
fn label(suite: &SuiteRuns<'_>, attribute: &Attribute) -> String {
    match attribute.shown_unit(suite.loaded.unit) {
        "" => attribute.heading.to_owned(),
        unit => format!("{} ({unit})", attribute.heading),
    }
}

/// Draws all figures of the experiment.
pub(super) fn figures(selection: &Selection<'_>) -> Result<Vec<Figure>, LabError> {
    let mut figures = Vec::<Figure>::new();
    for (number, spec) in selection.experiment.plots.iter().enumerate() {
        let shown = match spec.kind {
            PlotKind::Curves => spec.suites.len().max(1),
            _ => 1,
        };
        for suites in spec.suites.chunks(shown) {
            let suites: Vec<&SuiteRuns<'_>> =
                suites.iter().map(|&suite| &selection.suites[suite]).collect();
            let Some(&suite) = suites.first() else {
                continue;
            };
            let plot = Plot { spec, suite, all: suite.among(&spec.solvers) };
            let (kind, drawn) = match spec.kind {
                PlotKind::Histogram => ("histogram", kinds::histogram(&plot)),
                PlotKind::Scatter => ("scatter", kinds::scatter(&plot)),
                PlotKind::Coverage => ("coverage", time::coverage(&plot)),
                PlotKind::Anytime => ("anytime", time::anytime(&plot)),
                PlotKind::Box => ("box", kinds::boxes(&plot)),
                PlotKind::Frontier => ("frontier", kinds::frontier(&plot)),
                PlotKind::Curves => ("curves", curves::curves(selection, spec)),
            };
            let names: Vec<&str> = suites.iter().map(|suite| suite.name()).collect();
            let title = if suites.len() == spec.suites.len() {
                spec.title.clone()
            } else {
                format!("{} ({})", spec.title, names.join(", "))
            };
            let words = |s: &&SuiteRuns<'_>| format!("{}: {}.", escape(s.name()), s.scope.words());
            let mut caption = suites.iter().map(words).collect::<Vec<_>>().join(" ");
            caption += &match &drawn {
                None => " No run with data yet.".to_owned(),
                Some(drawn) => format!(" {}.", capital(&drawn.caption)),
            };
            let svg = drawn.map(|drawn| drawn.scene.draw(&title)).transpose();
            let svg = svg.map_err(|error| LabError::Internal(error.to_string()))?;
            if let Some(published) = &spec.published {
                caption += &format!(" Published: {}.", escape(published.trim_end_matches('.')));
            }
            // Suites whose names have the same letters and digits are distinguished by their index.
            let of = match suites.len() {
                1 => format!("-{}", slug(&names.join("-"))),
                _ => String::new(),
            };
            let mut file = format!("{}-{kind}{of}.svg", number + 1);
            if figures.iter().any(|figure| figure.file == file) {
                file = format!("{}-{kind}{of}-{}.svg", number + 1, suite.index);
            }
            figures.push(Figure { file, title, svg, caption });
        }
    }
    Ok(figures)
}

/// Writes the section on the figures of the report `name`.
pub(super) fn section(figures: &[Figure], name: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let mut text = "## Plots\n\n".to_owned();
    for figure in figures {
        text += &format!("### {}\n\n", escape(&figure.title));
        if figure.svg.is_some() {
            let (title, file) = (escape(&figure.title), &figure.file);
            text += &format!("![{title}](<{name}/{file}>)\n\n");
        }
        text += &format!("{}\n\n", figure.caption);
    }
    text
}

/// Converts a name to a part of a file's name.
fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    name.chars().map(plain).collect()
}
