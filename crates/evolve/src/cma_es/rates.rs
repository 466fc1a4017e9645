//! Constants of the adaptation: the weights of the parents and the learning rates.
//!
//! All formulas are the defaults of Ros and Hansen (2008), except for [`Rates::moves`] of mirrored
//! pairs and the limit of [`Rates::shape`]. They only depend on `n` dimensions and on the weights
//! `w_i` of `μ` parents among `λ` candidates. The computation consists of additions,
//! multiplications, divisions and square roots, which are the same on all machines.

use super::{CmaEsConfig, Recombination};

/// Terms of the series of a logarithm: the next one is below 3⁻³⁷.
const LOG_TERMS: u32 = 18;
/// Halvings of an exponent before the series of the exponential function.
const EXP_HALVINGS: u32 = 10;
/// Terms of the series of the exponential function.
const EXP_TERMS: u32 = 8;
/// Upper limit of `c_cov`, which the separable factor would raise above 1 with many parents. A
/// variance without memory fluctuates with each generation, and shrinks under noise.
const MAX_SHAPE_RATE: f64 = 0.5;

/// Constants of a run.
pub(super) struct Rates {
    /// Weights `w_i` of the parents, the best first. Their sum is 1.
    pub(super) weights: Vec<f64>,
    /// Effective number of parents, `μ_w = 1 / Σ w_i²`.
    pub(super) parents: f64,
    /// Inverse variance `μ_m` of a component of the weighted mean of the draws under a meaningless
    /// fitness: `μ_w`, but `(λ − 1)/(λ/μ_w − 1)` with mirrored pairs. Two different ranks `a` and
    /// `b`, drawn at random, have `λ/2 · E(w_a − w_b)² = (λ Σ w_i² − 1)/(λ − 1)`.
    pub(super) moves: f64,
    /// Rate of the path of the step, `c_σ = (μ_w + 2) / (n + μ_w + 3)`.
    pub(super) step_path: f64,
    /// Damping of the step, `d_σ = 1 + 2 max(0, √((μ_w − 1) / (n + 1)) − 1) + c_σ`.
    pub(super) damping: f64,
    /// Rate of the path of the shape, `c_c = 4 / (n + 4)`.
    pub(super) shape_path: f64,
    /// Rate of the variances, `c_cov = (n + 2)/3 · (1/μ_cov · 2/(n + √2)² + (1 − 1/μ_cov) ·
    /// min(1, (2 μ_cov − 1)/((n + 2)² + μ_cov)))` with `μ_cov = μ_w`.
    pub(super) shape: f64,
    /// Expected length of a standard normal vector, `χ_n = √n (1 − 1/(4n) + 1/(21n²))`.
    pub(super) length: f64,
}

impl Rates {
    pub(super) fn new(dimensions: usize, config: &CmaEsConfig) -> Self {
        let weights = weights(config);
        let (n, size) = (dimensions as f64, config.candidates as f64);
        let parents = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let step_path = (parents + 2.0) / (n + parents + 3.0);
        let excess = ((parents - 1.0).max(0.0) / (n + 1.0)).sqrt() - 1.0;
        let rank_one = 2.0 / ((n + 2.0f64.sqrt()) * (n + 2.0f64.sqrt()));
        let rank_mu = ((2.0 * parents - 1.0) / ((n + 2.0) * (n + 2.0) + parents)).min(1.0);
        let full = rank_one / parents + (1.0 - 1.0 / parents) * rank_mu;
        Self {
            weights,
            parents,
            moves: if config.mirrored { (size - 1.0) / (size / parents - 1.0) } else { parents },
            step_path,
            damping: 1.0 + 2.0 * excess.max(0.0) + step_path,
            shape_path: 4.0 / (n + 4.0),
            shape: (full * (n + 2.0) / 3.0).min(MAX_SHAPE_RATE),
            length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// The weights of the parents. Logarithmic: `w_i ∝ ln(μ + 1) − ln i`, `i` from 1 to `μ`.
fn weights(config: &CmaEsConfig) -> Vec<f64> {
    let mut weights = vec![1.0; config.parents];
    if config.weights == Recombination::Log {
        let mut sum = 0.0;
        for (i, weight) in weights.iter_mut().enumerate().rev() {
            sum += log_of_next(i as f64 + 1.0);
            *weight = sum;
        }
    }
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    weights
}

/// `ln((k + 1) / k)` for `k` ≥ 1: twice the inverse hyperbolic tangent of `1/(2k + 1)`.
fn log_of_next(k: f64) -> f64 {
    let x = 1.0 / (2.0 * k + 1.0);
    let series = (0..LOG_TERMS).rev().fold(0.0, |sum, term| {
        let odd = f64::from(2 * term + 1);
        sum * x * x + 1.0 / odd
    });
    2.0 * x * series
}

/// `eˣ` for `x` ≥ -1, with a relative error below 10⁻¹² up to `x` = 30. Infinity far beyond.
pub(super) fn exp(x: f64) -> f64 {
    let small = x / f64::from(1u32 << EXP_HALVINGS);
    let series = (1..=EXP_TERMS).rev().fold(1.0, |sum, term| 1.0 + sum * small / f64::from(term));
    (0..EXP_HALVINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Direction;

    fn config(parents: usize, weights: Recombination) -> CmaEsConfig {
        CmaEsConfig {
            candidates: 2 * parents,
            parents,
            weights,
            mirrored: false,
            average: 0.0,
            direction: Direction::Minimise,
        }
    }

    #[test]
    fn series_are_the_functions() {
        for k in [1.0, 2.0, 3.0, 10.0, 1e6] {
            let expected = (1.0f64 / k).ln_1p();
            assert!((log_of_next(k) / expected - 1.0).abs() < 1e-14, "{k}");
        }
        for x in [-1.0, -0.3, 0.0, 1e-9, 0.5, 3.0, 30.0] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "{x}: {}", exp(x));
        }
        assert_eq!((exp(0.0), exp(1e30)), (1.0, f64::INFINITY));
    }

    #[test]
    fn weights_fall_with_the_rank_or_are_equal() {
        let ln = f64::ln;
        let sum = 3.0 * ln(4.0) - ln(2.0) - ln(3.0);
        let expected = [ln(4.0) / sum, ln(2.0) / sum, ln(4.0 / 3.0) / sum];
        for (found, expected) in weights(&config(3, Recombination::Log)).iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15, "{found}, {expected}");
        }
        assert_eq!(weights(&config(4, Recombination::Equal)), [0.25; 4]);
        assert_eq!(weights(&config(1, Recombination::Log)), [1.0]);
        assert_eq!(Rates::new(10, &config(4, Recombination::Equal)).parents, 4.0);
    }

    #[test]
    fn rates_are_shares_for_any_numbers_of_dimensions_and_parents() {
        for n in [1, 2, 10, 1_000, 1 << 20] {
            for parents in [1, 2, 5, 100, 10_000] {
                let rates = Rates::new(n, &config(parents, Recombination::Log));
                for rate in [rates.step_path, rates.shape_path, rates.shape] {
                    assert!(rate > 0.0 && rate <= 1.0, "{n}, {parents}: {rate}");
                }
                assert!(rates.damping > 1.0 && rates.parents >= 1.0 - 1e-12);
                let pairs = CmaEsConfig { mirrored: true, ..config(parents, Recombination::Equal) };
                // Among 2 μ candidates the moves of half of the parents cancel.
                let moves = Rates::new(n, &pairs).moves;
                assert!((moves / (2.0 * parents as f64 - 1.0) - 1.0).abs() < 1e-9);
            }
        }
    }
}
