//! Claims: sentences about an experiment's results, each with the tests that decide it.
//!
//! A claim is a sentence and never a result. A test names a measure, a bound, and the relation
//! between both. [`crate::report::claims`] finds the verdict from the runs. A measure is one
//! statistic of one solver, or a statistic of pairs: the solver beside another solver, or beside a
//! published column, on the same instances.

use crate::{
    attribute::Attribute,
    references::{Figure, Source},
};

/// A sentence and its decision.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The sentence (Markdown).
    pub text: String,
    /// Whose claim it is; without one, the experiment's own.
    pub origin: Option<Origin>,
    /// Tests that decide the claim.
    pub decided_by: Decision,
}

/// Publication of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Key of the source in `data/references.toml`.
    pub key: String,
    /// The source.
    pub source: Source,
    /// Section, table or figure.
    pub place: String,
}

/// Decision of a claim.
#[derive(Clone, Debug)]
pub enum Decision {
    /// All of these must hold.
    Tests(Vec<Test>),
    /// No test is possible; the text names the missing measurement.
    Missing(String),
}

/// A test of a claim.
#[derive(Clone, Debug)]
pub struct Test {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the solver.
    pub solver: usize,
    /// The measured attribute with its statistic.
    pub attribute: Attribute,
    /// Only the instances of this class.
    pub class: Option<usize>,
    /// The other side of the pairs (`None` = the solver without pairs).
    pub against: Option<Against>,
    /// Statistic of the pairs; meaningless without pairs.
    pub pairing: Pairing,
    /// Required relation.
    pub relation: Relation,
    /// Between the estimate and this.
    pub bound: Bound,
    /// Confidence of the interval, in (0, 1).
    pub confidence: f64,
    /// Population of the claim.
    pub population: Population,
}

/// The other side of pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// The solver of this index.
    Solver(usize),
    /// A column of the suite's reference file.
    Column(String),
}

/// Statistic of pairs (ours, theirs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The mean difference, ours minus theirs.
    Difference,
    /// The ratio of the means, ours to theirs.
    Ratio,
    /// The geometric mean of the ratios, ours to theirs.
    GeometricRatio,
    /// 1 minus the ratio of the means, as a share.
    Reduction,
    /// The ratio of the standard deviations, ours to theirs.
    DeviationRatio,
    /// The share of the instances on which both are equal.
    Equal,
    /// The share of the instances on which ours is better.
    Better,
    /// The share of the instances on which ours is as good or better.
    NotWorse,
}

impl Pairing {
    /// All of them with their names in experiments.
    pub const NAMES: [(&str, Self); 8] = [
        ("difference", Self::Difference),
        ("ratio", Self::Ratio),
        ("geometric ratio", Self::GeometricRatio),
        ("reduction", Self::Reduction),
        ("deviation ratio", Self::DeviationRatio),
        ("equal", Self::Equal),
        ("better", Self::Better),
        ("not worse", Self::NotWorse),
    ];

    /// Whether it is a share, whatever the attribute is.
    #[must_use]
    pub fn is_share(self) -> bool {
        matches!(self, Self::Reduction | Self::Equal | Self::Better | Self::NotWorse)
    }

    /// Default bound, which means no difference.
    pub(super) fn neutral(self) -> Option<f64> {
        match self {
            Self::Difference | Self::Reduction => Some(0.0),
            Self::Ratio | Self::GeometricRatio | Self::DeviationRatio => Some(1.0),
            Self::Equal | Self::Better | Self::NotWorse => None,
        }
    }
}

/// Required relation between an estimate and a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// ≥
    AtLeast,
    /// ≤
    AtMost,
    /// <
    LessThan,
    /// >
    MoreThan,
    /// No further apart than this share of the bound.
    Within(f64),
}

impl Relation {
    /// All of them with their names in experiments; the share of `within` is given separately.
    pub const NAMES: [(&str, Self); 5] = [
        ("at least", Self::AtLeast),
        ("at most", Self::AtMost),
        ("less than", Self::LessThan),
        ("more than", Self::MoreThan),
        ("within", Self::Within(0.0)),
    ];
}

/// The number that an estimate is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Value in the unit of the measure; shares are in [0, 1].
    pub number: f64,
    /// The published figure that it is, if it is one.
    pub figure: Option<Figure>,
}

/// Population of a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Population {
    /// All instances of the suite's kind, from which the suite is a sample: the verdict follows
    /// from an interval.
    #[default]
    Sample,
    /// The instances of the suite and no others: the verdict is from the figures as they are,
    /// once all runs are done.
    Set,
}

impl Population {
    /// All of them with their names in experiments.
    pub const NAMES: [(&str, Self); 2] = [("sample", Self::Sample), ("set", Self::Set)];
}
