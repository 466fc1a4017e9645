//! `unriddle show`: draw an instance.

use crate::{
    args::{Drawing, Show},
    exit::{Failure, USAGE, refused},
    inputs,
};
use std::io::{IsTerminal as _, Write as _};
use unriddle_catalog::{Registry, Style};

/// Colours on a terminal, unless the user asked for none.
pub(crate) fn text_style() -> Style {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if std::io::stdout().is_terminal() && !plain {
        Style::Colour
    } else {
        Style::Plain
    }
}

pub(crate) fn run(registry: &Registry, options: &Show) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let instance = inputs::one(family, &*puzzle, &options.instance)?;
    let style = match options.format {
        Drawing::Text => text_style(),
        Drawing::Svg => Style::Svg,
    };
    let solution = options.solution.as_deref().unwrap_or("");
    let frames = instance
        .frames(solution, style)
        .map_err(|error| refused("solution", &error))?;
    let at = options.at.unwrap_or(frames.len() - 1);
    let Some(frame) = frames.get(at) else {
        let message = format!(
            "--at {at}: the solution has only {} actions",
            frames.len() - 1
        );
        return Err(Failure::new(USAGE, message));
    };
    writeln!(std::io::stdout(), "{}", frame.drawing.trim_end())
        .map_err(|error| Failure::output(&error))
}
