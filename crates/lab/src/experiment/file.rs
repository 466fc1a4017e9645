//! The TOML form of an experiment. Names keep their positions, for errors.

use super::PlotKind;
use crate::{
    attribute::{Better, Scale, Statistic},
    reader::{Amount, Name},
};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;
use unriddle_catalog::{
    Device, fields,
    work::{At, Each, Nested, Optional, Words},
};

pub(super) type Value = Spanned<Amount>;
/// Values of the placeholders `{NAME}`.
pub(super) type Values = BTreeMap<String, Value>;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TableKind {
    Classes,
    Grid,
    Paired,
}

fields! {
    pub(super) struct File {
        pub(super) title: String;
        /// Scale of the claims, as a part of a paper's scale.
        pub(super) scale: Option<String> = None;
        pub(super) notes: Vec<String> = Vec::new();
        /// The one definition of value that the report is about, as the puzzles name it.
        pub(super) measure: Option<Name> = None;
        pub(super) seeds: Option<Spanned<Vec<u64>>> = None;
        pub(super) repetitions: Option<Spanned<u64>> = None, Optional(At(1..=u64::MAX));
        pub(super) threads: u64 = 1, 1..=u64::MAX;
        /// Device that computes networks: `cpu`, or `cuda` for the first NVIDIA GPU.
        pub(super) device: Device = Device::Cpu, Words(&[("cpu", Device::Cpu), ("cuda", Device::Cuda)]);
        pub(super) values: Values = Values::new();
        pub(super) limits: Limits = Limits::default(), Nested;
        pub(super) suite: Vec<Suite> = Vec::new(), Each(Nested);
        pub(super) solver: Vec<Solver> = Vec::new(), Each(Nested);
        pub(super) claim: Vec<Spanned<Claim>> = Vec::new(), Each(At(Nested));
        pub(super) attribute: Vec<Attribute> = Vec::new(), Each(Nested);
        pub(super) classes: Option<Classes> = None, Optional(Nested);
        pub(super) table: Vec<Spanned<Table>> = Vec::new(), Each(At(Nested));
        pub(super) plot: Vec<Spanned<Plot>> = Vec::new(), Each(At(Nested));
        pub(super) compare: Vec<Spanned<Compare>> = Vec::new(), Each(At(Nested));
        pub(super) quick: Quick = Quick::default(), Nested;
    }

    /// An experiment that is another one with other values.
    pub(super) struct Variant {
        /// The file of the other one.
        pub(super) base: Name;
        pub(super) title: Option<String> = None;
        pub(super) scale: Option<String> = None;
        /// Notes that precede the notes of the base.
        pub(super) notes: Vec<String> = Vec::new();
        pub(super) values: Values = Values::new();
    }


    #[derive(Default)]
    pub(super) struct Limits {
        pub(super) time: Option<Spanned<Amount>> = None;
        pub(super) cpu: Option<Spanned<Amount>> = None;
        pub(super) memory: Option<Spanned<Amount>> = None;
        pub(super) expansions: Option<Spanned<Amount>> = None;
        pub(super) generated: Option<Spanned<Amount>> = None;
        pub(super) resident: Option<Spanned<Amount>> = None;
        pub(super) hang: Option<Spanned<Amount>> = None;
    }

    pub(super) struct Suite {
        pub(super) name: Name;
        pub(super) puzzle: Name;
        pub(super) generator: Option<Name> = None;
        pub(super) seed: Option<u64> = None;
        pub(super) count: Option<usize> = None, Optional(1..=u64::MAX);
        pub(super) file: Option<Name> = None;
        pub(super) skip: Option<Spanned<u64>> = None;
        pub(super) ids: Option<Spanned<Vec<String>>> = None;
        pub(super) mirrored: Option<bool> = None;
        pub(super) deals: Option<Name> = None;
        pub(super) origin: Option<String> = None;
        pub(super) subset: Option<usize> = None, Optional(1..=u64::MAX);
        pub(super) quick: Option<usize> = None, Optional(1..=u64::MAX);
        pub(super) reference: Option<String> = None;
        pub(super) optimum: Option<Name> = None;
    }

    pub(super) struct Solver {
        pub(super) name: Name;
        pub(super) spec: Option<Name> = None;
        pub(super) preset: Option<Name> = None;
        pub(super) peer: Option<Name> = None;
        pub(super) suites: Option<Vec<Name>> = None;
        pub(super) limits: Limits = Limits::default(), Nested;
        pub(super) optimum: bool = false;
        pub(super) grid: Vec<Axis> = Vec::new(), Each(Nested);
    }

    /// A parameter of a grid: each of its values replaces `{NAME}` in the spec.
    pub(super) struct Axis {
        pub(super) name: Name;
        pub(super) values: Spanned<Vec<Amount>>;
    }

    pub(super) struct Claim {
        pub(super) text: Name;
        pub(super) source: Option<Name> = None;
        pub(super) place: Option<Name> = None;
        pub(super) missing: Option<Name> = None;
        pub(super) test: Vec<Spanned<Test>> = Vec::new(), Each(At(Nested));
    }

    /// A test; with `each`, one for every choice of values.
    pub(super) struct Test {
        pub(super) suite: Option<Name> = None;
        pub(super) solver: Name;
        pub(super) attribute: Name;
        pub(super) statistic: Option<Statistic> = None;
        pub(super) class: Option<Name> = None;
        pub(super) baseline: Option<Name> = None;
        pub(super) column: Option<Name> = None;
        pub(super) pairing("as"): Option<Name> = None;
        pub(super) is: Name;
        pub(super) value: Option<Spanned<Amount>> = None;
        pub(super) key: Option<Name> = None;
        pub(super) by: Option<Spanned<Amount>> = None;
        pub(super) confidence: Option<Spanned<f64>> = None;
        pub(super) of: Option<Name> = None;
        pub(super) each: BTreeMap<String, Spanned<Vec<Amount>>> = BTreeMap::new();
    }

    pub(super) struct Attribute {
        pub(super) name: Name;
        pub(super) better: Option<Better> = None;
        pub(super) scale: Option<Scale> = None;
        pub(super) statistic: Option<Statistic> = None;
    }

    pub(super) struct Classes {
        pub(super) solver: Name;
        pub(super) attribute: Name;
        pub(super) quantiles: Option<Spanned<Vec<f64>>> = None;
        pub(super) near: Option<Spanned<Vec<f64>>> = None;
        pub(super) within: Option<Spanned<String>> = None;
        pub(super) names: Spanned<Vec<String>>;
    }


    pub(super) struct Table {
        pub(super) kind: TableKind;
        pub(super) attribute: Name;
        pub(super) statistic: Option<Statistic> = None;
        pub(super) solvers: Option<Vec<Name>> = None;
        pub(super) solver: Option<Name> = None;
        pub(super) baseline: Option<Name> = None;
        pub(super) rows: Option<Name> = None;
        pub(super) columns: Option<Name> = None;
        pub(super) suites: Option<Vec<Name>> = None;
    }

    pub(super) struct Plot {
        pub(super) kind: PlotKind;
        pub(super) title: Option<String> = None;
        pub(super) attribute: Option<Name> = None;
        pub(super) x: Option<Name> = None;
        pub(super) solvers: Option<Vec<Name>> = None;
        pub(super) suites: Option<Vec<Name>> = None;
        pub(super) published: Option<String> = None;
        pub(super) bin: Option<Spanned<f64>> = None;
        pub(super) until: Option<f64> = None;
    }

    pub(super) struct Compare {
        pub(super) suite: Name;
        pub(super) solver: Name;
        pub(super) attribute: Name;
        pub(super) statistic: Option<Statistic> = None;
        pub(super) class: Option<Name> = None;
        pub(super) key: Option<Name> = None;
        pub(super) column: Option<Name> = None;
        pub(super) note: Option<String> = None;
    }

    #[derive(Default)]
    pub(super) struct Quick {
        pub(super) instances: Option<usize> = None, Optional(1..=u64::MAX);
        pub(super) seeds: Option<usize> = None, Optional(1..=u64::MAX);
        pub(super) limits: Limits = Limits::default(), Nested;
    }
}
