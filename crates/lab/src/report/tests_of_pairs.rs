//! Tests of paired samples that need no assumption on the distribution.

use super::statistics;
use statrs::distribution::{ContinuousCDF, Normal};

/// Up to this many differences the distribution of rank sums is counted exactly, if no two
/// differences have the same size.
const EXACT: usize = 50;

/// Probability of at least as uneven a split of `wins + losses` fair coins (two-sided sign test);
/// 1 without coins.
pub(super) fn sign_test(wins: usize, losses: usize) -> f64 {
    let (n, fewer) = (wins + losses, wins.min(losses));
    let tail: f64 = (0..=fewer).map(|k| statistics::heads(k, n)).sum();
    (2.0 * tail).min(1.0)
}

/// Wilcoxon's signed-rank test of the differences of pairs, two-sided (Wilcoxon 1945): exact for
/// few differences of different sizes, otherwise by the normal distribution with the corrections
/// for ties and for continuity. Differences of 0 are left out; `None` without any other.
pub(super) fn rank_test(differences: &[f64]) -> Option<f64> {
    let mut sizes: Vec<(f64, bool)> = differences
        .iter()
        .filter(|d| **d != 0.0 && d.is_finite())
        .map(|d| (d.abs(), *d > 0.0))
        .collect();
    if sizes.is_empty() {
        return None;
    }
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = sizes.len();
    let (mut above, mut ties, mut at) = (0.0, 0.0, 0);
    while at < n {
        let end = at + sizes[at..].partition_point(|(size, _)| *size == sizes[at].0);
        let rank = (at + 1 + end) as f64 / 2.0;
        above += rank * sizes[at..end].iter().filter(|(_, is_above)| *is_above).count() as f64;
        let equal = (end - at) as f64;
        ties += equal.powi(3) - equal;
        at = end;
    }
    let count = n as f64;
    let all = count * (count + 1.0) / 2.0;
    if n <= EXACT && ties == 0.0 {
        return Some(exact(n, above.min(all - above) as usize));
    }
    let variance = count * (count + 1.0) * (2.0 * count + 1.0) / 24.0 - ties / 48.0;
    let distance = ((above - all / 2.0).abs() - 0.5).max(0.0);
    Some(2.0 * Normal::standard().cdf(-distance / variance.sqrt()))
}

/// Probability of a rank sum of at most `sum`, or as far on the other side, among `n` ranks.
fn exact(n: usize, sum: usize) -> f64 {
    let most = n * (n + 1) / 2;
    let mut ways = vec![0.0f64; most + 1];
    ways[0] = 1.0;
    for rank in 1..=n {
        for total in (rank..=most).rev() {
            ways[total] += ways[total - rank];
        }
    }
    let tail: f64 = ways[..=sum.min(most)].iter().sum();
    (2.0 * tail / (n as f64).exp2()).min(1.0)
}

/// The median of ratios and its interval; `None` without ratios.
pub(super) fn median(mut ratios: Vec<f64>) -> Option<(f64, Option<(f64, f64)>)> {
    ratios.sort_by(f64::total_cmp);
    let centre = statistics::quantile(&ratios, 0.5)?;
    Some((centre, statistics::median_interval(&ratios, statistics::CONFIDENCE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    }

    #[test]
    fn uneven_splits_are_improbable() {
        near(sign_test(0, 0), 1.0);
        near(sign_test(5, 5), 1.0);
        // 2 · (1 + 10) / 1024.
        near(sign_test(9, 1), 0.0215);
        near(sign_test(1, 9), 0.0215);
        near(sign_test(0, 6), 0.03125);
    }

    #[test]
    fn rank_sums_have_the_published_probabilities() {
        // Two-sided 5 % points of tables: n = 6 and T = 0, n = 8 and T = 3, n = 10 and T = 8.
        near(exact(6, 0), 0.0313);
        near(exact(8, 3), 0.0391);
        near(exact(10, 8), 0.0488);
        let differences = [1.5, -0.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];
        // Only the smallest difference is below 0: T = 1.
        near(rank_test(&differences).unwrap_or(0.0), 0.0156);
        assert_eq!(rank_test(&[0.0, 0.0]), None);
        // With ties: z = (|0 - 27.5| - 0.5) / √(96.25 - 990 / 48) = 3.1 of ten equal differences.
        let equal = rank_test(&[1.0; 10]).unwrap_or(1.0);
        assert!(equal < 0.01, "{equal}");
    }
}
