//! Normal numbers.
//!
//! A normal number is drawn as a ratio of uniform ones. Its value takes one division; a logarithm,
//! whose last bit is not the same on all machines, only decides whether it is accepted. So a seed
//! gives the same samples everywhere, unless that bit should ever decide.
//!
//! Reference: A. J. Kinderman, J. F. Monahan, "Computer generation of random variables using the
//! ratio of uniform deviates", ACM Transactions on Mathematical Software 3 (1977).

use unriddle_core::Rng;

/// Upper limit of a number's absolute value: the denominator is at least 2⁻⁵³, and the square of an
/// accepted number at most 4 · 53 · ln 2 = 146.95.
pub(crate) const LARGEST: f64 = 12.2;

/// Half of the numerator's range, √(2/e).
const WIDTH: f64 = 0.857_763_884_960_706_8;

/// A number of the standard normal distribution.
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    loop {
        // Above 0, at most 1.
        let u = 1.0 - rng.unit();
        let v = WIDTH * (2.0 * rng.unit() - 1.0);
        let x = v / u;
        if x * x <= -4.0 * u.ln() {
            return x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_moments_and_quantiles_of_the_distribution() {
        let mut rng = Rng::new(1);
        let n = 200_000;
        let numbers: Vec<f64> = (0..n).map(|_| normal(&mut rng)).collect();
        let moment = |k: i32| numbers.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
        for (k, expected, tolerance) in
            [(1, 0.0, 0.01), (2, 1.0, 0.015), (3, 0.0, 0.04), (4, 3.0, 0.12)]
        {
            let found = moment(k);
            assert!((found - expected).abs() < tolerance, "{k}: {found}");
        }
        for (x, expected) in
            [(-2.0, 0.0228), (-1.0, 0.1587), (0.0, 0.5), (0.5, 0.6915), (1.645, 0.95)]
        {
            let below = numbers.iter().filter(|&&y| y < x).count() as f64 / f64::from(n);
            assert!((below - expected).abs() < 0.005, "{x}: {below}");
        }
    }
}
