//! Statistics of small samples with two-sided intervals; `None` if there is too little data.

use statrs::{
    distribution::{ContinuousCDF, Normal, StudentsT},
    function::gamma::ln_gamma,
};
use unriddle_catalog::Rng;

/// Confidence of the intervals in tables.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 4000;
/// Least number of values of a bootstrap.
pub(super) const FEWEST: usize = 8;

/// Above this many values the normal approximation of the binomial distribution is exact enough.
const MANY: usize = 10_000;

/// Arithmetic mean.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    match values {
        [] => None,
        _ => Some(values.iter().sum::<f64>() / values.len() as f64),
    }
}

/// Standard deviation, estimated from a sample (over n − 1); `None` for one value.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < 2 {
        return None;
    }
    let centre = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Some((squares / (n - 1) as f64).sqrt())
}

/// Half the width of the interval of the mean, by Student's t distribution; `None` for one value.
pub(super) fn half_width(values: &[f64], confidence: f64) -> Option<f64> {
    let error = deviation(values)? / (values.len() as f64).sqrt();
    let t = StudentsT::new(0.0, 1.0, (values.len() - 1) as f64).ok()?;
    Some(t.inverse_cdf(upper(confidence)) * error)
}

/// Upper end of the central part of a distribution with the probability `confidence`.
fn upper(confidence: f64) -> f64 {
    0.5 + confidence / 2.0
}

/// Quantile of the normal distribution.
fn normal(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// Quantile of ascending values by linear interpolation (type 7 of Hyndman and Fan).
pub(super) fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let rest = place - below as f64;
    // Infinite values must not become a difference of infinities.
    if rest == 0.0 || sorted[below] == sorted[above] {
        return Some(sorted[below]);
    }
    Some(sorted[below] + rest * (sorted[above] - sorted[below]))
}

/// Interval of the median between two order statistics, without assumptions on the distribution;
/// `None` for fewer than six values.
pub(super) fn median_interval(sorted: &[f64], confidence: f64) -> Option<(f64, f64)> {
    let n = sorted.len();
    let rank = match n {
        0..=MANY => exact_rank(n, confidence),
        _ => {
            let half = normal(upper(confidence)) / 2.0 * (n as f64).sqrt();
            (n as f64 / 2.0 + 0.5 - half).floor() as usize
        }
    };
    let low = rank.checked_sub(1)?;
    Some((*sorted.get(low)?, *sorted.get(n - rank)?))
}

/// Probability of exactly k heads of n fair coins.
pub(super) fn heads(k: usize, n: usize) -> f64 {
    let choose =
        ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0);
    (choose - n as f64 * std::f64::consts::LN_2).exp()
}

/// Largest k such that fewer than k of n fair coins show heads with a probability of at most
/// (1 − `confidence`) / 2, which is 2.5 % at 95 %.
fn exact_rank(n: usize, confidence: f64) -> usize {
    let mut below = 0.0;
    for k in 0..=n / 2 {
        below += heads(k, n);
        if below > 1.0 - upper(confidence) {
            return k;
        }
    }
    0
}

/// Wilson's interval of a share.
pub(super) fn wilson(ones: usize, n: usize, confidence: f64) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let (count, share) = (n as f64, ones as f64 / n as f64);
    let z = normal(upper(confidence));
    let square = z * z / count;
    let centre = (share + square / 2.0) / (1.0 + square);
    let half = z / (1.0 + square) * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

/// Interval of the difference of two paired shares (Bonett and Price 2012). `more` pairs have the
/// property only on our side, `fewer` pairs only on theirs. Unlike Student's interval it has a
/// positive width if all pairs are equal.
pub(super) fn paired_shares(
    more: usize,
    fewer: usize,
    n: usize,
    confidence: f64,
) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let share = |ones: usize| (ones as f64 + 1.0) / (n as f64 + 2.0);
    let (more, fewer) = (share(more), share(fewer));
    let (sum, difference) = (more + fewer, more - fewer);
    let error = ((sum - difference * difference) / (n as f64 + 2.0)).sqrt();
    let half = normal(upper(confidence)) * error;
    Some(((difference - half).max(-1.0), (difference + half).min(1.0)))
}

/// Interval of a statistic by the bootstrap, bias-corrected and accelerated (Efron 1987). The same
/// sample gives the same interval. `None` for few values, or if the statistic of a resample has no
/// value.
pub(super) fn bootstrap<T: Copy>(
    sample: &[T],
    confidence: f64,
    statistic: impl Fn(&[T]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let n = sample.len();
    if n < FEWEST {
        return None;
    }
    let found = statistic(sample)?;
    let mut rng = Rng::new(n as u64);
    let mut drawn = Vec::with_capacity(n);
    let mut resample = || {
        drawn.clear();
        drawn.extend((0..n).map(|_| sample[rng.below(n as u64) as usize]));
        statistic(&drawn).filter(|value| value.is_finite())
    };
    let mut values: Vec<f64> = (0..RESAMPLES).map(|_| resample()).collect::<Option<_>>()?;
    values.sort_by(f64::total_cmp);
    if values.first() == values.last() {
        return Some((found, found));
    }
    // Distance of the statistic from the median of the resamples.
    let below = values.partition_point(|&v| v < found) + values.partition_point(|&v| v <= found);
    let margin = 0.5 / RESAMPLES as f64;
    let share = (below as f64 / (2 * RESAMPLES) as f64).clamp(margin, 1.0 - margin);
    let bias = normal(share);
    let acceleration = skew(sample, &statistic)?;
    let end = |side: f64| {
        let z = bias + side * normal(upper(confidence));
        let place = bias + z / (1.0 - acceleration * z);
        quantile(&values, Normal::standard().cdf(place))
    };
    Some((end(-1.0)?, end(1.0)?))
}

/// Acceleration of a statistic: its skewness over the samples that lack one value.
fn skew<T: Copy>(sample: &[T], statistic: impl Fn(&[T]) -> Option<f64>) -> Option<f64> {
    let mut rest = sample[1..].to_vec();
    let mut without = Vec::with_capacity(sample.len());
    for (index, &left_out) in sample.iter().enumerate() {
        without.push(statistic(&rest)?);
        if let Some(place) = rest.get_mut(index) {
            *place = left_out;
        }
    }
    let centre = mean(&without)?;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in without {
        let difference: f64 = centre - value;
        squares += difference.powi(2);
        cubes += difference.powi(3);
    }
    Some(if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 })
}

/// Geometric mean of ratios; `None` unless both sides of all of them are above zero.
pub(super) fn geometric_ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.is_empty() || pairs.iter().any(|&(a, b)| a <= 0.0 || b <= 0.0) {
        return None;
    }
    let logs: f64 = pairs.iter().map(|(a, b)| (a / b).ln()).sum();
    Some((logs / pairs.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) {
        let found = found.unwrap_or(f64::NAN);
        assert!((found - expected).abs() < 5e-5, "{found} {expected}");
    }

    #[test]
    fn means_have_intervals_of_student() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        near(mean(&values), 3.0);
        // t(0.975; 4) = 2.776445, standard error √0.5.
        near(half_width(&values, 0.95), 1.963_243);
        // t(0.95; 4) = 2.131847.
        near(half_width(&values, 0.9), 1.507_443);
        near(half_width(&[7.0, 7.0], 0.95), 0.0);
        // t(0.975; 1) = 12.7062.
        near(half_width(&[0.0, 2.0], 0.95), 12.706_205);
        assert_eq!((half_width(&[1.0], 0.95), mean(&[])), (None, None));
        near(deviation(&values), 2.5f64.sqrt());
        assert_eq!(deviation(&[1.0]), None);
    }

    #[test]
    fn quantiles_are_of_type_7() {
        let values = [1.0, 2.0, 3.0, 4.0];
        near(quantile(&values, 0.5), 2.5);
        near(quantile(&values, 0.25), 1.75);
        near(quantile(&values, 0.9), 3.7);
        near(quantile(&values, 1.0), 4.0);
        near(quantile(&[5.0], 0.3), 5.0);
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0, f64::INFINITY, f64::INFINITY], 0.75), Some(f64::INFINITY));
    }

    #[test]
    fn medians_have_ranks_of_the_sign_test() {
        // Ranks of the sign test at 5 %, two-sided.
        let ranks = [(5, 0), (6, 1), (9, 2), (10, 2), (20, 6), (50, 18), (100, 40)];
        for (n, rank) in ranks {
            assert_eq!(exact_rank(n, 0.95), rank, "{n}");
        }
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(median_interval(&values, 0.95), Some((2.0, 9.0)));
        assert_eq!(median_interval(&values[..5], 0.95), None);
        assert_eq!(median_interval(&[], 0.95), None);
        // Exact and approximate ranks agree at the limit between them.
        let many: Vec<f64> = (1..=20_000).map(f64::from).collect();
        assert_eq!(median_interval(&many[..1000], 0.95), Some((469.0, 532.0)));
        assert_eq!(median_interval(&many[..1001], 0.95), Some((470.0, 532.0)));
        let (low, high) = median_interval(&many, 0.95).unwrap_or_default();
        let exact = exact_rank(many.len(), 0.95) as f64;
        assert!((low - exact).abs() <= 1.0 && low + high == 20_001.0);
    }

    #[test]
    fn shares_have_wilson_intervals() {
        let (low, high) = wilson(8, 10, 0.95).unwrap_or_default();
        near(Some(low), 0.490_16);
        near(Some(high), 0.943_32);
        let (low, high) = wilson(0, 10, 0.95).unwrap_or_default();
        near(Some(low), 0.0);
        near(Some(high), 0.277_53);
        assert_eq!(wilson(0, 0, 0.95), None);
    }

    #[test]
    fn ratios_have_a_geometric_mean() {
        near(geometric_ratio(&[(2.0, 1.0), (1.0, 8.0)]), 0.5);
        assert_eq!(geometric_ratio(&[(0.0, 1.0)]), None);
        assert_eq!(geometric_ratio(&[]), None);
    }

    #[test]
    fn paired_shares_have_the_interval_of_bonett_and_price() {
        // 13 of 50 pairs have it only on one side, 3 only on the other:
        // (14 − 4) / 52 ± 1.959964 × 0.077108.
        let (low, high) = paired_shares(13, 3, 50, 0.95).unwrap_or_default();
        near(Some(low), 0.041_179);
        near(Some(high), 0.343_436);
        let (low, high) = paired_shares(0, 0, 50, 0.95).unwrap_or_default();
        assert!(low < 0.0 && low > -0.06 && (low + high).abs() < 1e-12);
        assert_eq!(paired_shares(0, 0, 0, 0.95), None);
    }

    #[test]
    fn the_bootstrap_agrees_with_known_intervals() {
        // The interval of the mean of many values is nearly Student's.
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * i % 97)).collect();
        let (low, high) = bootstrap(&values, 0.95, mean).unwrap_or_default();
        let (centre, half) = (mean(&values).unwrap_or(0.0), half_width(&values, 0.95));
        let half = half.unwrap_or(0.0);
        assert!((low - (centre - half)).abs() < 0.06 * half, "{low}");
        assert!((high - (centre + half)).abs() < 0.06 * half, "{high}");
        assert_eq!(bootstrap(&values, 0.95, mean), Some((low, high)));
        // The interval of a ratio of means is nearly Fieller's, which solves
        // (ā − r b̄)² = t² · var(ā − r b̄).
        let pairs: Vec<(f64, f64)> =
            (0..300).map(|i| (f64::from(20 + i % 13), f64::from(40 + i * 7 % 29))).collect();
        let ratio = |pairs: &[(f64, f64)]| {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            Some(mean(&a)? / mean(&b)?)
        };
        let (low, high) = bootstrap(&pairs, 0.95, ratio).unwrap_or_default();
        let inside = |r: f64| {
            let rest: Vec<f64> = pairs.iter().map(|(a, b)| a - r * b).collect();
            let half = half_width(&rest, 0.95).unwrap_or(0.0);
            mean(&rest).unwrap_or(0.0).abs() <= half
        };
        let width = high - low;
        assert!(inside(low + 0.04 * width) && inside(high - 0.04 * width));
        assert!(!inside(low - 0.04 * width) && !inside(high + 0.04 * width));
        assert_eq!(bootstrap(&[1.0; 7], 0.95, mean), None);
        assert_eq!(bootstrap(&[1.0; 9], 0.95, mean), Some((1.0, 1.0)));
        // The interval is longer on the longer side of a skewed sample.
        let skewed: Vec<f64> = (0..40).map(|i| (f64::from(i) / 8.0).exp()).collect();
        let (low, high) = bootstrap(&skewed, 0.95, mean).unwrap_or_default();
        let centre = mean(&skewed).unwrap_or(0.0);
        assert!(high - centre > centre - low, "{low} {centre} {high}");
    }
}
