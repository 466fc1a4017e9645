//! Claims: sentences that an experiment is to decide, each with the tests that decide it.
//!
//! A claim is a sentence and never a result. A test says what is measured, against what, and which
//! relation must hold; [`crate::report::claims`] finds the verdict from the runs. What a test
//! measures may be one statistic of one solver, or pairs: the solver beside another solver, or
//! beside a published column, on the same instances.

use crate::{
    attribute::Attribute,
    references::{Figure, Source},
};

/// A sentence and what decides it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The sentence (Markdown).
    pub text: String,
    /// Whose claim it is; without one, the experiment's own.
    pub origin: Option<Origin>,
    /// What decides it.
    pub decided_by: Decision,
}

/// Where a claim was published.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Key of the source in `data/references.toml`.
    pub key: String,
    /// The source.
    pub source: Source,
    /// Section, table or figure.
    pub place: String,
}

/// What decides a claim.
#[derive(Clone, Debug)]
pub enum Decision {
    /// All of these must hold.
    Tests(Vec<Test>),
    /// Nothing can: what is not measured, in words.
    Missing(String),
}

/// One test of a claim.
#[derive(Clone, Debug)]
pub struct Test {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the solver.
    pub solver: usize,
    /// What is measured, and the statistic.
    pub attribute: Attribute,
    /// Only the instances of this class.
    pub class: Option<usize>,
    /// The other side of the pairs; without it, the solver alone is measured.
    pub against: Option<Against>,
    /// What becomes of the pairs; of no meaning without them.
    pub pairing: Pairing,
    /// What must hold.
    pub relation: Relation,
    /// Between the estimate and this.
    pub bound: Bound,
    /// Confidence of the interval, in (0, 1).
    pub confidence: f64,
    /// What the claim is about.
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

/// What becomes of pairs (ours, theirs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The mean difference, ours minus theirs.
    Difference,
    /// The ratio of the means, ours to theirs.
    Ratio,
    /// The geometric mean of the ratios, ours to theirs.
    GeometricRatio,
    /// What the ratio of the means lacks of 1, as a share.
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

    /// What the relation is to unless the experiment says otherwise: no difference.
    pub(super) fn neutral(self) -> Option<f64> {
        match self {
            Self::Difference | Self::Reduction => Some(0.0),
            Self::Ratio | Self::GeometricRatio | Self::DeviationRatio => Some(1.0),
            Self::Equal | Self::Better | Self::NotWorse => None,
        }
    }
}

/// What must hold between an estimate and a bound.
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
    /// Their names in experiments.
    pub const NAMES: [&str; 5] = ["at least", "at most", "less than", "more than", "within"];
}

/// The number that an estimate is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// In the unit of what is measured; shares are in [0, 1].
    pub number: f64,
    /// The published figure that it is, if it is one.
    pub figure: Option<Figure>,
}

/// What a claim is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Population {
    /// All instances like those of the suite, which is a sample of them: the verdict is from an
    /// interval.
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
