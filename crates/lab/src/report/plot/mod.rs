//! Figures: one for each plot of the experiment and suite; plots that show all of their suites have
//! one figure.

mod curves;
mod kinds;
mod time;

use super::{
    markdown::escape,
    numbers::plain,
    select::{Selection, SuiteRuns},
    suite::capital,
    values::Measure,
};
use crate::{error::LabError, experiment::PlotKind};
use unriddle_plot::{Format, Scene};

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
            let all = suite.among(&spec.solvers);
            let (kind, drawn) = match spec.kind {
                PlotKind::Histogram => ("histogram", kinds::histogram(suite, spec, &all)),
                PlotKind::Scatter => ("scatter", kinds::scatter(suite, spec, &all)),
                PlotKind::Coverage => ("coverage", time::coverage(spec, &all)),
                PlotKind::Anytime => ("anytime", time::anytime(suite, spec, &all)),
                PlotKind::Box => ("box", kinds::boxes(suite, spec, &all)),
                PlotKind::Frontier => ("frontier", kinds::frontier(suite, spec, &all)),
                PlotKind::Curves => ("curves", curves::curves(selection, spec)),
            };
            let names: Vec<&str> = suites.iter().map(|suite| suite.name()).collect();
            let title = if suites.len() == spec.suites.len() {
                spec.title.clone()
            } else {
                format!("{} ({})", spec.title, names.join(", "))
            };
            let scope = |suite: &&SuiteRuns<'_>| {
                format!("{}: {}.", escape(suite.name()), suite.scope.words())
            };
            let scopes: Vec<String> = suites.iter().map(scope).collect();
            let mut caption = scopes.join(" ");
            let svg = match drawn {
                None => {
                    caption += " No run with data yet.";
                    None
                }
                Some(Drawn { mut scene, caption: more }) => {
                    scene.title.clone_from(&title);
                    caption += &format!(" {}.", capital(&more));
                    Some(scene.draw().map_err(|error| LabError::Internal(error.to_string()))?)
                }
            };
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
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect()
}
