//! Figures: one per plot of the experiment and suite, or per plot where a plot shows all of its suites.

mod curves;
mod kinds;
mod time;

use super::{
    data::Data,
    markdown::escape,
    numbers::{Measure, plain},
    suite::capital,
};
use crate::{error::LabError, experiment::PlotKind};
use unriddle_plot::{Format, Scene};

/// A figure with its heading and caption.
pub(super) struct Figure {
    /// Its file's name.
    pub(super) file: String,
    /// Its heading, as plain text.
    title: String,
    /// The drawing; none without data.
    pub(super) svg: Option<String>,
    /// What it shows (Markdown).
    caption: String,
}

/// A drawing with its caption.
struct Drawn {
    scene: Scene,
    caption: String,
}

/// How a plot writes the numbers of a measure.
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

/// All figures of the experiment.
pub(super) fn figures(data: &Data<'_>) -> Result<Vec<Figure>, LabError> {
    let mut figures = Vec::<Figure>::new();
    for (number, spec) in data.plan.experiment.plots.iter().enumerate() {
        let shown = match spec.kind {
            PlotKind::Curves => spec.suites.len().max(1),
            _ => 1,
        };
        for suites in spec.suites.chunks(shown) {
            let Some(&index) = suites.first() else {
                continue;
            };
            let solvers = data.among(&spec.solvers, index);
            let (kind, drawn) = match spec.kind {
                PlotKind::Histogram => ("histogram", kinds::histogram(data, index, spec, &solvers)),
                PlotKind::Scatter => ("scatter", kinds::scatter(data, index, spec, &solvers)),
                PlotKind::Coverage => ("coverage", time::coverage(data, index, spec, &solvers)),
                PlotKind::Anytime => ("anytime", time::anytime(data, index, spec, &solvers)),
                PlotKind::Box => ("box", kinds::boxes(data, index, spec, &solvers)),
                PlotKind::Frontier => ("frontier", kinds::frontier(data, index, spec, &solvers)),
                PlotKind::Curves => ("curves", curves::curves(data, spec)),
            };
            let names: Vec<&str> = suites
                .iter()
                .filter_map(|&suite| data.plan.suites.get(suite))
                .map(|suite| suite.name.as_str())
                .collect();
            let title = match suites.len() == spec.suites.len() {
                true => spec.title.clone(),
                false => format!("{} ({})", spec.title, names.join(", ")),
            };
            let scope = |(&suite, name): (&usize, &&str)| {
                let words = data.scopes.get(suite).map(|scope| scope.words());
                format!("{}: {}.", escape(name), words.unwrap_or_default())
            };
            let scopes: Vec<String> = suites.iter().zip(&names).map(scope).collect();
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
            // Suites whose names differ in odd letters only are told apart by their number.
            let of = match suites.len() {
                1 => format!("-{}", slug(&names.join("-"))),
                _ => String::new(),
            };
            let mut file = format!("{}-{kind}{of}.svg", number + 1);
            if figures.iter().any(|figure| figure.file == file) {
                file = format!("{}-{kind}{of}-{index}.svg", number + 1);
            }
            figures.push(Figure { file, title, svg, caption });
        }
    }
    Ok(figures)
}

/// The section on the figures of a report of this name.
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

/// A name as part of a file's name.
fn slug(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect()
}
