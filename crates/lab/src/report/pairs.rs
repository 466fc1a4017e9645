//! Pairs of runs of two solvers on the same instances.

use super::{
    select::{Value, are_restarts},
    statistics,
};
use std::collections::BTreeMap;

/// Pairs the values of both sides by instance and seed: (ours, theirs).
pub(super) fn matched(ours: &[Value], theirs: &[Value]) -> Vec<(Value, Value)> {
    let theirs: BTreeMap<(usize, u64), Value> = theirs.iter().map(|v| (v.pair(), *v)).collect();
    let with = |v: &Value| Some((*v, *theirs.get(&v.pair())?));
    ours.iter().filter_map(with).collect()
}

/// Pairs the means over the seeds of each instance, because only instances are independent; of a
/// single instance every [restart](are_restarts) for itself.
pub(super) fn by_instance(matched: &[(Value, Value)]) -> Vec<(f64, f64)> {
    let restarts = are_restarts(matched.iter().map(|pair| pair.0));
    let mut sums: BTreeMap<u64, (f64, f64, f64)> = BTreeMap::new();
    for (ours, theirs) in matched {
        let unit = if restarts { ours.seed } else { ours.instance as u64 };
        let (n, a, b) = sums.entry(unit).or_default();
        *n += 1.0;
        *a += ours.value;
        *b += theirs.value;
    }
    sums.into_values().map(|(n, a, b)| (a / n, b / n)).collect()
}

/// Ratio of the standard deviations, ours to theirs; `None` if theirs is 0.
pub(super) fn ratio_of_deviations(pairs: &[(f64, f64)]) -> Option<f64> {
    let (ours, theirs): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let theirs = statistics::deviation(&theirs).filter(|d| *d > 0.0)?;
    Some(statistics::deviation(&ours)? / theirs)
}

/// Ratio of the means, ours to theirs; `None` if theirs is 0.
pub(super) fn ratio_of_means(pairs: &[(f64, f64)]) -> Option<f64> {
    let (mut ours, mut theirs) = (0.0, 0.0);
    for (a, b) in pairs {
        ours += a;
        theirs += b;
    }
    (theirs != 0.0).then(|| ours / theirs)
}
