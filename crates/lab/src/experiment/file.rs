//! The TOML form of an experiment, as it stands in the file. Names keep their places, so that
//! whatever is wrong with them can be shown where it is.

use super::PlotKind;
use crate::{
    attribute::{Better, Scale, Statistic},
    reader::{Amount, Name},
};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: String,
    /// At what part of a paper's scale its claims are tested.
    pub(super) scale: Option<String>,
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// The one definition of value that the report is about, as the puzzles name it.
    pub(super) measure: Option<Name>,
    pub(super) seeds: Option<Spanned<Vec<u64>>>,
    pub(super) repetitions: Option<Spanned<u64>>,
    pub(super) threads: Option<Spanned<u64>>,
    /// What computes networks: `cpu`, or `cuda` for the first NVIDIA GPU.
    pub(super) device: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) values: Values,
    #[serde(default)]
    pub(super) limits: Limits,
    pub(super) suite: Vec<Suite>,
    pub(super) solver: Vec<Solver>,
    #[serde(default)]
    pub(super) claim: Vec<Spanned<Claim>>,
    #[serde(default)]
    pub(super) attribute: Vec<Attribute>,
    pub(super) classes: Option<Classes>,
    #[serde(default)]
    pub(super) table: Vec<Spanned<Table>>,
    #[serde(default)]
    pub(super) plot: Vec<Spanned<Plot>>,
    #[serde(default)]
    pub(super) compare: Vec<Spanned<Compare>>,
    #[serde(default)]
    pub(super) quick: Quick,
}

/// An experiment that is another one with other values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    /// The file of the other one.
    pub(super) base: Name,
    pub(super) title: Option<String>,
    pub(super) scale: Option<String>,
    /// Before those of the base.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    #[serde(default)]
    pub(super) values: Values,
}

/// Whether a file is a variant, and whether it is of the time before claims.
#[derive(Deserialize)]
pub(super) struct Kind {
    pub(super) base: Option<toml::Value>,
    pub(super) hypothesis: Option<Spanned<toml::Value>>,
}

pub(super) type Value = Spanned<Amount>;
/// What `{NAME}` stands for.
pub(super) type Values = BTreeMap<String, Value>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) time: Option<Spanned<Amount>>,
    pub(super) cpu: Option<Spanned<Amount>>,
    pub(super) memory: Option<Spanned<Amount>>,
    pub(super) expansions: Option<Spanned<Amount>>,
    pub(super) generated: Option<Spanned<Amount>>,
    pub(super) resident: Option<Spanned<Amount>>,
    pub(super) hang: Option<Spanned<Amount>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Suite {
    pub(super) name: Name,
    pub(super) puzzle: Name,
    pub(super) generator: Option<Name>,
    pub(super) seed: Option<u64>,
    pub(super) count: Option<Spanned<u64>>,
    pub(super) file: Option<Name>,
    pub(super) skip: Option<Spanned<u64>>,
    pub(super) ids: Option<Spanned<Vec<String>>>,
    pub(super) mirrored: Option<bool>,
    pub(super) deals: Option<Name>,
    pub(super) origin: Option<String>,
    pub(super) subset: Option<Spanned<u64>>,
    pub(super) quick: Option<Spanned<u64>>,
    pub(super) reference: Option<Name>,
    pub(super) optimum: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Solver {
    pub(super) name: Name,
    pub(super) spec: Option<Name>,
    pub(super) preset: Option<Name>,
    pub(super) peer: Option<Name>,
    pub(super) suites: Option<Vec<Name>>,
    #[serde(default)]
    pub(super) limits: Limits,
    #[serde(default)]
    pub(super) optimum: bool,
    #[serde(default)]
    pub(super) grid: Vec<Axis>,
}

/// A parameter of a grid: `{NAME}` in the spec stands for each of its values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Axis {
    pub(super) name: Name,
    pub(super) values: Spanned<Vec<Amount>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub(super) text: Name,
    pub(super) source: Option<Name>,
    pub(super) place: Option<Name>,
    pub(super) missing: Option<Name>,
    #[serde(default)]
    pub(super) test: Vec<Spanned<Test>>,
}

/// A test; with `each`, one for every choice of values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Test {
    pub(super) suite: Option<Name>,
    pub(super) solver: Name,
    pub(super) attribute: Name,
    pub(super) statistic: Option<Statistic>,
    pub(super) class: Option<Name>,
    pub(super) baseline: Option<Name>,
    pub(super) column: Option<Name>,
    #[serde(rename = "as")]
    pub(super) pairing: Option<Name>,
    pub(super) is: Name,
    pub(super) value: Option<Spanned<Amount>>,
    pub(super) key: Option<Name>,
    pub(super) by: Option<Spanned<Amount>>,
    pub(super) confidence: Option<Spanned<f64>>,
    pub(super) of: Option<Name>,
    #[serde(default)]
    pub(super) each: BTreeMap<String, Spanned<Vec<Amount>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attribute {
    pub(super) name: Name,
    pub(super) better: Option<Better>,
    pub(super) scale: Option<Scale>,
    pub(super) statistic: Option<Statistic>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Classes {
    pub(super) solver: Name,
    pub(super) attribute: Name,
    pub(super) quantiles: Option<Spanned<Vec<f64>>>,
    pub(super) near: Option<Spanned<Vec<f64>>>,
    pub(super) within: Option<Spanned<String>>,
    pub(super) names: Spanned<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TableKind {
    Classes,
    Grid,
    Paired,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) kind: TableKind,
    pub(super) attribute: Name,
    pub(super) statistic: Option<Statistic>,
    pub(super) solvers: Option<Vec<Name>>,
    pub(super) solver: Option<Name>,
    pub(super) baseline: Option<Name>,
    pub(super) rows: Option<Name>,
    pub(super) columns: Option<Name>,
    pub(super) suites: Option<Vec<Name>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plot {
    pub(super) kind: PlotKind,
    pub(super) title: Option<String>,
    pub(super) attribute: Option<Name>,
    pub(super) x: Option<Name>,
    pub(super) solvers: Option<Vec<Name>>,
    pub(super) suites: Option<Vec<Name>>,
    pub(super) published: Option<String>,
    pub(super) bin: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compare {
    pub(super) suite: Name,
    pub(super) solver: Name,
    pub(super) attribute: Name,
    pub(super) statistic: Option<Statistic>,
    pub(super) class: Option<Name>,
    pub(super) key: Option<Name>,
    pub(super) column: Option<Name>,
    pub(super) note: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quick {
    pub(super) instances: Option<Spanned<u64>>,
    pub(super) seeds: Option<Spanned<u64>>,
    #[serde(default)]
    pub(super) limits: Limits,
}
