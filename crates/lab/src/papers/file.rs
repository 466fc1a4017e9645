//! The TOML form of a paper, as it stands in the file. Names keep their places, so that whatever is wrong
//! with them can be shown where it is.

use crate::{
    attribute::{Better, Statistic},
    reader::Name,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) about: String,
    #[serde(default)]
    pub(super) claim: Vec<Claim>,
    pub(super) exhibit: Vec<Spanned<Exhibit>>,
}

/// A table, a figure, or what the text says in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Table,
    Figure,
    Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exhibit {
    pub(super) kind: Kind,
    pub(super) id: Name,
    pub(super) place: String,
    pub(super) title: String,
    /// What it shows and how it is to be read (Markdown).
    pub(super) shows: Option<String>,
    /// What there is to say of ours beyond the cells (Markdown).
    pub(super) remark: Option<String>,
    /// The unit of the cells that name none.
    pub(super) unit: Option<String>,
    #[serde(default)]
    pub(super) columns: Vec<Column>,
    #[serde(default)]
    pub(super) rows: Vec<Row>,
    /// A CSV file that holds the cells, below the repository's root.
    pub(super) file: Option<Name>,
    /// Its column that names the rows.
    pub(super) key: Option<Name>,
    /// Plots of ours, below the repository's root.
    #[serde(default)]
    pub(super) plots: Vec<Name>,
    #[serde(default)]
    pub(super) ours: Vec<Spanned<Ours>>,
    #[serde(default)]
    pub(super) missing: Vec<Spanned<Missing>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub(super) id: Name,
    pub(super) name: String,
    pub(super) unit: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: Name,
    pub(super) name: String,
    pub(super) unit: Option<String>,
    pub(super) place: Option<String>,
    pub(super) cells: Spanned<Vec<Spanned<Cell>>>,
}

/// A number; `lost`, `none`, `= ID` of another cell or words; or one of these with more to say.
#[derive(Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, \"lost\", \"none\", \"= KEY\" of another cell, words, or a table \
                 with `value`, with `file` and `at`, or with `quotient` and `of`"
)]
pub(super) enum Cell {
    Whole(i64),
    Real(f64),
    Words(String),
    More(More),
    Shipped(Shipped),
    Quotient(Quotient),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct More {
    pub(super) value: f64,
    pub(super) unit: Option<String>,
    pub(super) place: Option<String>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shipped {
    pub(super) file: String,
    pub(super) at: String,
}

/// The quotient of two other cells, which the paper does not print.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quotient {
    pub(super) quotient: String,
    pub(super) of: String,
}

/// One reading of ours: where the cells come from, how they were made and what differs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ours {
    /// Stands above the column.
    pub(super) name: String,
    pub(super) experiment: Option<Name>,
    pub(super) file: Option<Name>,
    pub(super) puzzle: Option<Name>,
    pub(super) scale: String,
    pub(super) deviation: String,
    /// What makes the file; experiments have theirs.
    pub(super) command: Option<String>,
    #[serde(default)]
    pub(super) measure: Measure,
    pub(super) rows: Option<BTreeMap<Spanned<String>, Measure>>,
    pub(super) columns: Option<BTreeMap<Spanned<String>, Measure>>,
    /// By `ROW/COLUMN`: cells that the rows and columns above do not give, or give otherwise.
    #[serde(default)]
    pub(super) cells: BTreeMap<Spanned<String>, Measure>,
}

/// What is measured; a cell has that of its reading, its row, its column and its own, the later ones first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measure {
    /// Of an experiment.
    pub(super) suite: Option<Name>,
    pub(super) solver: Option<Name>,
    pub(super) attribute: Option<Name>,
    pub(super) statistic: Option<Statistic>,
    pub(super) class: Option<Name>,
    /// The other solver of pairs, and what becomes of them.
    pub(super) against: Option<Name>,
    pub(super) pairing: Option<Name>,
    /// An instance's name, or `row`: the name of the row.
    pub(super) instance: Option<Name>,
    /// Of a TOML file: the path of a value, its parts joined by points.
    pub(super) at: Option<Name>,
    /// Of a CSV file or of the tables of a Markdown file: the column, and what the others hold.
    pub(super) column: Option<Name>,
    #[serde(default)]
    pub(super) when: BTreeMap<String, String>,
    /// Of the program: a solver's expression, and one of its options; without one the expression itself.
    pub(super) spec: Option<Name>,
    pub(super) option: Option<Name>,
    /// The unit of a file's number, if it is another than the published one.
    pub(super) unit: Option<String>,
    pub(super) better: Option<Better>,
    /// Why the two numbers do not compare.
    pub(super) incomparable: Option<String>,
}

/// Cells without ours: why, and what would make ours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Missing {
    /// [default: all that nothing else speaks of]
    pub(super) rows: Option<Vec<Name>>,
    pub(super) columns: Option<Vec<Name>>,
    pub(super) because: String,
    pub(super) command: Option<String>,
}

/// What a paper claims in words and no experiment tests; the claims that experiments test stand there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub(super) place: String,
    pub(super) text: String,
    /// Why no experiment tests it.
    pub(super) note: String,
    pub(super) command: Option<String>,
}
