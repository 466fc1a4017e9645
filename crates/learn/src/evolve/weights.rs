//! The text of a weights file.

/// Lines of a TOML document: names and values.
pub type Lines<'a> = [(&'a str, toml::Value)];

/// A count as TOML writes it. Integers of TOML are signed: larger counts are quoted.
pub(super) fn count(value: u64) -> toml::Value {
    match i64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => value.to_string().into(),
    }
}

/// A weights file: the heuristic's options that do not evolve, its weights, and where they come
/// from.
pub(super) fn weights_text(
    options: &Lines<'_>,
    weights: &Lines<'_>,
    provenance: &Lines<'_>,
) -> String {
    let lines = |lines: &Lines<'_>| -> String {
        let line = |(name, value): &(&str, toml::Value)| format!("{name} = {value}\n");
        lines.iter().map(line).collect()
    };
    format!(
        "format = 1\n{}\n[weights]\n{}\n[provenance]\n{}",
        lines(options),
        lines(weights),
        lines(provenance)
    )
}
