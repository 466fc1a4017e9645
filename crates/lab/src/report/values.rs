//! Value types of reports, shared with the pages of papers.

use crate::{
    attribute::Attribute,
    experiment::{Claim, Pairing, Test},
};
use std::{cmp::Reverse, collections::BTreeMap, fmt};

/// Kind of a number, which decides how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// Plain number, without a unit.
    Plain,
    /// Time in seconds.
    Seconds,
    /// Size in bytes.
    Bytes,
    /// Share, written in per cent.
    Percent,
}

impl Measure {
    /// Measure of an attribute.
    pub(crate) fn of(attribute: &Attribute) -> Self {
        match attribute.unit {
            "s" => Self::Seconds,
            "bytes" => Self::Bytes,
            "%" => Self::Percent,
            _ => Self::Plain,
        }
    }

    /// Measure of a test.
    pub(crate) fn of_test(test: &Test) -> Self {
        match test.pairing {
            _ if test.against.is_none() => Self::of(&test.attribute),
            Pairing::Difference => Self::of(&test.attribute),
            pairing if pairing.is_share() => Self::Percent,
            _ => Self::Plain,
        }
    }
}

/// Counts items, most frequent first, then in alphabetical order.
pub(crate) fn counted<K: Ord>(items: impl Iterator<Item = K>) -> Vec<(K, usize)> {
    let mut counts = BTreeMap::<K, usize>::new();
    for item in items {
        *counts.entry(item).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, n)| Reverse(n));
    counts
}

/// Adds a value to the group of a name, which is added if it is missing.
pub(crate) fn group<K: PartialEq, V>(groups: &mut Vec<(K, Vec<V>)>, name: K, value: V) {
    match groups.iter_mut().find(|(known, _)| *known == name) {
        Some((_, values)) => values.push(value),
        None => groups.push((name, vec![value])),
    }
}

/// Single figure of an experiment's runs, or of a committed file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Text with `{unit}` at the position of its unit.
    pub(crate) text: String,
    /// Value in seconds, bytes, shares in [0, 1], or the unit of the attribute.
    pub(crate) value: f64,
    /// 95 % interval, where there is one; open if limits ended runs.
    pub(crate) interval: Option<(f64, f64)>,
    /// Whether the value is only a bound.
    pub(crate) is_bound: bool,
    /// Kind of the number.
    pub(crate) measure: Measure,
}

/// Method by which an interval was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Student's interval of a mean, or of a mean difference.
    Student,
    /// Student's interval of logarithms, for a geometric mean.
    StudentOfLogarithms,
    /// Wilson's interval of a share.
    Wilson,
    /// Interval of Bonett and Price of the difference of two shares of the same instances.
    PairedShares,
    /// Order statistics, for a median.
    OrderStatistics,
    /// Bootstrap, for a ratio of means or a deviation.
    Bootstrap,
    /// No interval: the claim is about these instances, and all of them are done.
    Exact,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Student => "Student",
            Self::StudentOfLogarithms => "Student, of logarithms",
            Self::Wilson => "Wilson",
            Self::PairedShares => "Bonett and Price",
            Self::OrderStatistics => "order statistics",
            Self::Bootstrap => "bootstrap",
            Self::Exact => "exact, the whole set",
        })
    }
}

/// Estimate of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Value. Shares are in [0, 1], times in seconds.
    pub value: f64,
    /// Interval; `None` if the estimate is exact.
    pub interval: Option<(f64, f64)>,
    /// Whether the estimate is only a bound, because limits ended some runs; the interval is open
    /// on the other side.
    pub is_bound: bool,
    /// Number of instances, or of restarts of a single one.
    pub n: usize,
    pub(crate) are_restarts: bool,
    /// Method of the interval.
    pub method: Method,
    /// Description of the instances, if some of the suite are left out or have no value.
    pub(crate) of: Option<String>,
    pub(crate) measure: Measure,
}

/// Verdict on a claim, or on one of its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Confirmed,
    /// It does not hold.
    Refuted,
    /// The runs do not decide it.
    Undecided,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        ["confirmed", "refuted", "undecided"][self as usize]
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Claim with its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Claim.
    pub claim: Claim,
    /// Verdict: refuted if one test is, confirmed if all are.
    pub verdict: Verdict,
    /// Tests of the claim.
    pub tests: Vec<Tested>,
    /// Reason why there is no test (plain text).
    pub missing: Option<String>,
}

/// Test with its verdict.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The measured quantity and the relation that must hold (Markdown).
    pub words: String,
    /// Verdict.
    pub verdict: Verdict,
    /// Estimate; `None` if data is missing.
    pub estimate: Option<Estimate>,
    /// Reason why the test is undecided, if it is (plain text).
    pub why: Option<String>,
}
