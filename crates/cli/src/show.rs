//! `unriddle show`: draw instances.

use crate::{
    args::{Drawing, Show},
    exit::{Failure, USAGE, refused},
    inputs,
};
use std::io::{IsTerminal as _, Write as _};
use unriddle_catalog::{Instance, Registry, Style, input::Named, units::printable};

/// Colours on a terminal, unless the user disables them (`NO_COLOR`).
pub(crate) fn text_style() -> Style {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !plain { Style::Colour } else { Style::Plain }
}

pub(crate) fn run(registry: &Registry, options: &Show) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let named = inputs::strict(family, &*puzzle, &options.instances)?;
    let style = match options.format {
        Drawing::Text => text_style(),
        Drawing::Svg => Style::Svg,
    };
    if named.len() > 1 && options.solution.is_some() {
        let message = format!("--solution is a solution of one instance, not of {}", named.len());
        return Err(Failure::new(USAGE, message));
    }
    if named.len() > 1 && style == Style::Svg {
        let message = format!("--format svg draws one instance, not {}", named.len());
        return Err(Failure::new(USAGE, message));
    }
    let solution = options.solution.as_deref().unwrap_or("");
    let mut out = std::io::stdout().lock();
    for (i, Named { id, instance, .. }) in named.iter().enumerate() {
        let drawing = drawing(&**instance, solution, options.at, style)?;
        let (gap, title) = match (named.len(), i) {
            (1, _) => ("", String::new()),
            (_, 0) => ("", format!("{}:\n", printable(id))),
            _ => ("\n", format!("{}:\n", printable(id))),
        };
        writeln!(out, "{gap}{title}{}", drawing.trim_end()).map_err(Failure::output)?;
    }
    Ok(())
}

/// The drawing of the state after `at` actions of a solution, or after all of them.
fn drawing(
    instance: &dyn Instance,
    solution: &str,
    at: Option<usize>,
    style: Style,
) -> Result<String, Failure> {
    let mut states = 0;
    instance.along(solution, &mut |_| states += 1).map_err(|error| refused("solution", &error))?;
    let at = at.unwrap_or(states - 1);
    if at >= states {
        let message = format!("--at {at}: the solution has only {} actions", states - 1);
        return Err(Failure::new(USAGE, message));
    }
    let (mut drawing, mut number) = (String::new(), 0);
    // Only the requested state is drawn.
    let drawn = instance.along(solution, &mut |scene| {
        if number == at {
            drawing = scene(style).drawing;
        }
        number += 1;
    });
    drawn.map_err(|error| refused("solution", &error))?;
    Ok(drawing)
}
