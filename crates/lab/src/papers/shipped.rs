//! Figures in committed files: values of TOML files and cells of CSV files.

use std::path::Path;

/// Table of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Table {
    /// Names of the columns.
    pub(super) head: Vec<String>,
    /// Rows with one cell per column.
    pub(super) rows: Vec<Vec<String>>,
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the value of a TOML file at a path such as `args.0.epsilon`, as text.
pub(super) fn of_toml(path: &Path, at: &str) -> Result<String, String> {
    let value: toml::Value = toml::from_str(&text(path)?)
        .map_err(|error| format!("{}: {}", path.display(), error.message()))?;
    in_toml(&value, at).map_err(|why| format!("{}: {why}", path.display()))
}

/// Returns the value at a path, as text.
pub(super) fn in_toml(value: &toml::Value, at: &str) -> Result<String, String> {
    let mut here = value;
    for part in at.split('.') {
        let next = match here {
            toml::Value::Array(items) => part.parse().ok().and_then(|i: usize| items.get(i)),
            toml::Value::Table(table) => table.get(part),
            _ => None,
        };
        here = next.ok_or_else(|| {
            let known: Vec<&str> = match here {
                toml::Value::Table(table) => table.keys().map(String::as_str).collect(),
                _ => Vec::new(),
            };
            crate::reader::unknown("name", part, &known)
        })?;
    }
    Ok(match here {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

/// Reads the table of a CSV file. Lines that begin with `#` are comments.
pub(super) fn table(path: &Path) -> Result<Table, String> {
    if path.extension().is_none_or(|extension| extension != "csv") {
        return Err(format!("{}: expected a file .toml or .csv", path.display()));
    }
    let text = text(path)?;
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let failed = |error: csv::Error| format!("{}: {error}", path.display());
    let head = reader.headers().map_err(failed)?.iter();
    let mut table =
        Table { head: head.map(|name| name.trim().to_owned()).collect(), rows: Vec::new() };
    for row in reader.records() {
        let row = row.map_err(failed)?;
        table.rows.push(row.iter().map(str::to_owned).collect());
    }
    Ok(table)
}

/// Reads the number at the begin of a cell: `12,076 ± 188`, `**9,000**`, `3.4 s`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| "* `≥".contains(c));
    let text = text.replace('−', "-").replace('+', "");
    let end =
        text.find(|c: char| !(c.is_ascii_digit() || ".,-e".contains(c))).unwrap_or(text.len());
    text[..end].replace(',', "").parse().ok()
}

/// Reads the half-width after `±` in such a cell.
pub(super) fn half_width(text: &str) -> Option<f64> {
    number(text.split_once('±')?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tables_are_read() {
        for (text, value) in [
            ("12,076 ± 188", Some(12_076.0)),
            ("**9,000**", Some(9_000.0)),
            ("−40 ± 126", Some(-40.0)),
            ("+0.5", Some(0.5)),
            ("3.4 s", Some(3.4)),
            ("no", None),
            ("", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
        assert_eq!(half_width("12,076 ± 188"), Some(188.0));
        assert_eq!(half_width("12,076"), None);
    }

    #[test]
    fn values_of_toml_are_found_by_their_path() {
        let value: toml::Value = toml::from_str("a = [{ x = 0.5 }]\nb = \"30k\"").expect("TOML");
        assert_eq!(in_toml(&value, "a.0.x").as_deref(), Ok("0.5"));
        assert_eq!(in_toml(&value, "b").as_deref(), Ok("30k"));
        assert!(in_toml(&value, "c").is_err_and(|why| why.contains("known: a, b")));
        assert!(in_toml(&value, "a.1.x").is_err());
    }
}
