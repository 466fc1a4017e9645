//! `unriddle analyse`: patterns of actions in solutions, and solutions of mirror images.

use crate::{
    args::{Analyse, Counts},
    exit::{Failure, INPUT, refused},
    inputs,
    output::store,
    text::count,
};
use std::fmt::Write as _;
use unriddle_catalog::{
    Registry,
    analysis::{Group, Solved, analyse, figure, pair},
};

/// `part` of `of` in per cent, or a dash if `of` is zero.
fn percent(part: u64, of: u64) -> String {
    match of {
        0 => "–".to_owned(),
        _ => format!("{:.2} %", 100.0 * part as f64 / of as f64),
    }
}

/// A group as a paragraph.
fn paragraph(group: &Group) -> String {
    let names = [&*group.suite, &*group.solver];
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let mut out = format!("{}:\n", names.join(", "));
    let mean = group.actions as f64 / group.solutions.max(1) as f64;
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "  {} of {mean:.3} actions on average, {}",
        count(group.solutions as i64, "solutions"),
        count(group.triples as i64, "triples")
    );
    for (name, count) in &group.patterns {
        let share = percent(*count, group.triples);
        let _ = writeln!(out, "  {name:<6}{share:>9}");
    }
    if group.pairs > 0 {
        let _ = writeln!(
            out,
            "  mirror images: {}, {} with symmetric solutions, {} of the others with equally long ones",
            count(group.pairs as i64, "pairs"),
            percent(group.symmetric, group.pairs),
            percent(group.equally_long, group.pairs - group.symmetric)
        );
    }
    out
}

/// The groups as a table: suite, solver, pattern, share with the half-width of its interval.
fn table(groups: &[Group]) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["suite", "solver", "pattern", "share"])?;
    for group in groups {
        let mut line = |pattern: &str, share: &str| {
            writer.write_record([&*group.suite, &*group.solver, pattern, share])
        };
        for (name, count) in &group.patterns {
            let half = group.half_widths.iter().find(|(of, _)| of == name);
            let half = half.map_or_else(String::new, |(_, half)| format!(" ± {:.2}", 100.0 * half));
            let share = percent(*count, group.triples);
            line(name, &share.replace(" %", &format!("{half} %")))?;
        }
        if group.pairs > 0 {
            line("mirrored solutions", &percent(group.symmetric, group.pairs))?;
            let others = percent(group.equally_long, group.pairs - group.symmetric);
            line("others, equally long", &others)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The drawing of a pair.
fn drawn(registry: &Registry, rows: &[Solved], id: &str) -> Result<String, Failure> {
    let [one, other] = pair(registry, rows, id).ok_or_else(|| {
        let message = format!(
            "--figure {id}: no record of this name is of an instance whose mirror image was solved by the same solver"
        );
        Failure::new(INPUT, message)
    })?;
    let (_, puzzle) = inputs::puzzle(registry, &one.puzzle)?;
    let load = |row: &Solved| puzzle.load(&row.instance).map_err(|e| refused(id, &e));
    let (instance, image) = (load(one)?, load(other)?);
    let text = |row: &Solved| row.solution.clone().unwrap_or_default();
    let headings = [format!("{id}: {}", text(one)), format!("Its mirror image: {}", text(other))];
    let drawing =
        figure([(&headings[0], &*instance, &text(one)), (&headings[1], &*image, &text(other))]);
    drawing.map_err(|error| refused(id, &error))
}

pub(crate) fn run(registry: &Registry, options: &Analyse) -> Result<(), Failure> {
    let mut rows_of_all = Vec::new();
    for file in &options.files {
        rows_of_all.extend(inputs::solved(&inputs::name_of(file), &inputs::read(file)?)?);
    }
    let out = match &options.figure {
        Some(id) => drawn(registry, &rows_of_all, id)?,
        None => {
            let groups = analyse(registry, &rows_of_all).map_err(|why| Failure::new(INPUT, why))?;
            if groups.is_empty() {
                return Err(Failure::new(INPUT, "there is no solution in these files"));
            }
            match options.format {
                Counts::Text => groups.iter().map(paragraph).collect::<Vec<_>>().join("\n"),
                Counts::Csv => {
                    table(&groups).map_err(|error| Failure::new(INPUT, error.to_string()))?
                }
                Counts::Json => {
                    let text = serde_json::to_string_pretty(&groups);
                    text.map_err(|error| Failure::new(INPUT, error.to_string()))? + "\n"
                }
            }
        }
    };
    store(options.output.as_deref(), &out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_zero_is_a_dash() {
        assert_eq!(percent(1, 8), "12.50 %");
        assert_eq!(percent(0, 0), "–");
    }
}
