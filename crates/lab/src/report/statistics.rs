//! Statistics of small samples: intervals are at 95 % and none is given where there is too little data.

use statrs::{
    distribution::{ContinuousCDF, StudentsT},
    function::gamma::ln_gamma,
};

/// Two-sided 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// Above this many values the normal approximation of the binomial distribution is exact enough.
const MANY: usize = 10_000;

/// Arithmetic mean.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    match values {
        [] => None,
        _ => Some(values.iter().sum::<f64>() / values.len() as f64),
    }
}

/// Standard deviation, estimated from a sample (over n − 1); none for one value.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < 2 {
        return None;
    }
    let centre = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Some((squares / (n - 1) as f64).sqrt())
}

/// Half the width of the interval of the mean, by Student's t distribution; none for one value.
pub(super) fn half_width(values: &[f64]) -> Option<f64> {
    let error = deviation(values)? / (values.len() as f64).sqrt();
    let t = StudentsT::new(0.0, 1.0, (values.len() - 1) as f64).ok()?;
    Some(t.inverse_cdf(0.975) * error)
}

/// The quantile of ascending values by linear interpolation (type 7 of Hyndman and Fan).
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

/// The interval of the median between two order statistics, free of assumptions on the distribution;
/// none for fewer than six values.
pub(super) fn median_interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let n = sorted.len();
    let rank = match n {
        0..=MANY => exact_rank(n),
        _ => (n as f64 / 2.0 + 0.5 - Z / 2.0 * (n as f64).sqrt()).floor() as usize,
    };
    let low = rank.checked_sub(1)?;
    Some((*sorted.get(low)?, *sorted.get(n - rank)?))
}

/// The largest k such that fewer than k of n fair coins show heads with a probability of at most 2.5 %.
fn exact_rank(n: usize) -> usize {
    let choose = |k: usize| {
        ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0)
    };
    let mut below = 0.0;
    for k in 0..=n / 2 {
        below += (choose(k) - n as f64 * std::f64::consts::LN_2).exp();
        if below > 0.025 {
            return k;
        }
    }
    0
}

/// Wilson's interval of a share.
pub(super) fn wilson(ones: usize, n: usize) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let (count, share) = (n as f64, ones as f64 / n as f64);
    let square = Z * Z / count;
    let centre = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

/// Geometric mean of ratios; none unless both sides of all of them are above zero.
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
    fn means_and_their_intervals() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        near(mean(&values), 3.0);
        // t(0.975; 4) = 2.776445, standard error √0.5.
        near(half_width(&values), 1.963_243);
        near(half_width(&[7.0, 7.0]), 0.0);
        // t(0.975; 1) = 12.7062.
        near(half_width(&[0.0, 2.0]), 12.706_205);
        assert_eq!((half_width(&[1.0]), mean(&[])), (None, None));
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
        assert_eq!(
            quantile(&[1.0, f64::INFINITY, f64::INFINITY], 0.75),
            Some(f64::INFINITY)
        );
    }

    #[test]
    fn medians_have_ranks_of_the_tables() {
        // Ranks of the sign test at 5 %, two-sided.
        let ranks = [
            (5, 0),
            (6, 1),
            (9, 2),
            (10, 2),
            (20, 6),
            (50, 18),
            (100, 40),
        ];
        for (n, rank) in ranks {
            assert_eq!(exact_rank(n), rank, "{n}");
        }
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        assert_eq!(median_interval(&values), Some((2.0, 9.0)));
        assert_eq!(median_interval(&values[..5]), None);
        assert_eq!(median_interval(&[]), None);
        // The approximation takes over without a jump.
        let many: Vec<f64> = (1..=20_000).map(f64::from).collect();
        assert_eq!(median_interval(&many[..1000]), Some((469.0, 532.0)));
        assert_eq!(median_interval(&many[..1001]), Some((470.0, 532.0)));
        let (low, high) = median_interval(&many).unwrap_or_default();
        let exact = exact_rank(many.len()) as f64;
        assert!((low - exact).abs() <= 1.0 && low + high == 20_001.0);
    }

    #[test]
    fn shares_have_wilson_intervals() {
        let (low, high) = wilson(8, 10).unwrap_or_default();
        near(Some(low), 0.490_16);
        near(Some(high), 0.943_32);
        let (low, high) = wilson(0, 10).unwrap_or_default();
        near(Some(low), 0.0);
        near(Some(high), 0.277_53);
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn ratios_have_a_geometric_mean() {
        near(geometric_ratio(&[(2.0, 1.0), (1.0, 8.0)]), 0.5);
        assert_eq!(geometric_ratio(&[(0.0, 1.0)]), None);
        assert_eq!(geometric_ratio(&[]), None);
    }
}
