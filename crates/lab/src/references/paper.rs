//! TOML form of a paper's file (`data/papers/KEY.toml`). Names keep their spans, so that an error
//! points at the name that is wrong.

use crate::{
    attribute::{Better, Statistic},
    reader::Name,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperFile {
    pub(crate) about: String,
    #[serde(default)]
    pub(crate) definition: Vec<Definition>,
    #[serde(default)]
    pub(crate) claim: Vec<Claim>,
    pub(crate) exhibit: Vec<Spanned<Exhibit>>,
}

/// Word of the page, with its meaning there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Definition {
    pub(crate) term: String,
    /// Meaning (Markdown).
    pub(crate) text: String,
}

/// Kind of an exhibit: a table, a figure, or numbers in the running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Table,
    Figure,
    Text,
}

/// Table or figure of the paper with its cells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exhibit {
    pub(crate) kind: Kind,
    pub(crate) id: Name,
    pub(crate) place: String,
    pub(crate) title: String,
    /// Explanation of the exhibit (Markdown).
    pub(crate) shows: Option<String>,
    /// Comment on our figures beyond the cells (Markdown).
    pub(crate) remark: Option<String>,
    /// Unit of the cells that have no unit of their own.
    pub(crate) unit: Option<String>,
    #[serde(default)]
    pub(crate) columns: Vec<Column>,
    #[serde(default)]
    pub(crate) rows: Vec<Row>,
    /// CSV file with the cells, relative to the repository's root.
    pub(crate) file: Option<Name>,
    /// Column of that file that names the rows.
    pub(crate) key: Option<Name>,
    /// Cell that represents the exhibit in the table at the head, `ROW/COLUMN` [default: the first
    /// that can be compared].
    pub(crate) headline: Option<Name>,
    /// Our plots, relative to the repository's root.
    #[serde(default)]
    pub(crate) plots: Vec<Name>,
    #[serde(default)]
    pub(crate) ours: Vec<Spanned<Ours>>,
    #[serde(default)]
    pub(crate) missing: Vec<Spanned<Missing>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Column {
    pub(crate) id: Name,
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: Name,
    pub(crate) name: String,
    pub(crate) unit: Option<String>,
    pub(crate) place: Option<String>,
    pub(crate) cells: Spanned<Vec<Spanned<Cell>>>,
}

/// Published cell: a number; the words `lost` or `none`; `= KEY` of another cell; other words; or a
/// table with further fields.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, \"lost\", \"none\", \"= KEY\" of another cell, words, or a table \
                 with `value`, with `file` and `at`, or with `quotient` and `of`"
)]
pub(crate) enum Cell {
    Whole(i64),
    Real(f64),
    Words(String),
    More(More),
    Shipped(Shipped),
    Quotient(Quotient),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct More {
    pub(crate) value: f64,
    pub(crate) unit: Option<String>,
    pub(crate) place: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shipped {
    pub(crate) file: String,
    pub(crate) at: String,
}

/// Quotient of two other cells, which the paper does not print.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quotient {
    pub(crate) quotient: String,
    pub(crate) of: String,
}

/// Column of our figures: the source of its cells, how they were made and how the set-up differs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ours {
    /// Heading of the column.
    pub(crate) name: String,
    pub(crate) experiment: Option<Name>,
    pub(crate) file: Option<Name>,
    pub(crate) puzzle: Option<Name>,
    pub(crate) scale: String,
    pub(crate) deviation: String,
    /// Command that makes the file; the command of an experiment is known.
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) measure: Measure,
    pub(crate) rows: Option<BTreeMap<Spanned<String>, Measure>>,
    pub(crate) columns: Option<BTreeMap<Spanned<String>, Measure>>,
    /// Measures of single cells by `ROW/COLUMN`; they override `rows` and `columns`.
    #[serde(default)]
    pub(crate) cells: BTreeMap<Spanned<String>, Measure>,
}

/// Measure of a cell. The fields given for the cell override those for its column, its row and its
/// reading, in this order.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// Suite of an experiment; `solver` to `pairing` also belong to experiments.
    pub(crate) suite: Option<Name>,
    pub(crate) solver: Option<Name>,
    pub(crate) attribute: Option<Name>,
    pub(crate) statistic: Option<Statistic>,
    pub(crate) class: Option<Name>,
    /// The other solver of pairs, and the statistic of the pairs.
    pub(crate) against: Option<Name>,
    pub(crate) pairing: Option<Name>,
    /// Name of an instance; `row` means the name of the row.
    pub(crate) instance: Option<Name>,
    /// Path of a value in a TOML file, its parts joined by dots.
    pub(crate) at: Option<Name>,
    /// Column of a CSV file or of a table in a Markdown file; `when` selects the row by the
    /// contents of other columns.
    pub(crate) column: Option<Name>,
    #[serde(default)]
    pub(crate) when: BTreeMap<String, String>,
    /// Solver expression of the program. `option` selects one of its options; without it the
    /// expression itself is the figure.
    pub(crate) spec: Option<Name>,
    pub(crate) option: Option<Name>,
    /// Unit of a file's number where it differs from the published unit.
    pub(crate) unit: Option<String>,
    pub(crate) better: Option<Better>,
    /// Why the two numbers do not compare.
    pub(crate) incomparable: Option<String>,
}

/// Cells without a figure of ours: the reason, and the command that would produce one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Missing {
    /// Rows [default: all].
    pub(crate) rows: Option<Vec<Name>>,
    pub(crate) columns: Option<Vec<Name>>,
    pub(crate) because: String,
    pub(crate) command: Option<String>,
}

/// Claim of the paper that no experiment tests. Tested claims are declared in the experiments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub(crate) place: String,
    pub(crate) text: String,
    /// Why no experiment tests it.
    pub(crate) note: String,
    pub(crate) command: Option<String>,
}
