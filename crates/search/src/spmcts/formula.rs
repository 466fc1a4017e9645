//! Formula of the selection step (Schadd et al. 2012, equation 1).

use super::{
    config::{SpmctsConfig, Values},
    tree::{Amaf, Tally},
};

/// Options, prepared for the formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formula {
    config: SpmctsConfig,
    unit: f64,
}

impl Formula {
    pub(super) fn new(config: SpmctsConfig) -> Self {
        let unit = match config.values {
            Values::Raw => 1.0,
            Values::Scaled => 1.0 / config.scale,
        };
        Self { config, unit }
    }

    /// Logarithm of the parent's visits, an argument of [`value`](Self::value).
    #[inline]
    pub(super) fn logarithm(visits: u64) -> f64 {
        (visits.max(1) as f64).ln()
    }

    /// vᵢ + W·topᵢ + C·√(ln n / nᵢ) + √((Σr² − nᵢvᵢ² + D) / nᵢ), where RAVE mixes
    /// all-moves-as-first into vᵢ with the weight √(k / (3nᵢ + k)).
    #[inline]
    pub(super) fn value(&self, tally: &Tally, amaf: Option<&Amaf>, logarithm: f64) -> f64 {
        let n = tally.visits.max(1) as f64;
        let average = tally.sum / n;
        // Rounding may make the difference of two large numbers negative.
        let deviation = (tally.squares - n * average * average).max(0.0);
        let mut expected = average;
        if let Some(amaf) = amaf.filter(|amaf| amaf.visits > 0) {
            let weight = (self.config.rave / (3.0 * n + self.config.rave)).sqrt();
            expected += weight * (amaf.sum / amaf.visits as f64 - average);
        }
        self.unit * (expected + self.config.w * tally.top as f64)
            + self.config.c * (logarithm / n).sqrt()
            + ((deviation * self.unit * self.unit + self.config.d) / n).sqrt()
    }

    /// Number of children that a node with `visits` visits may have; at least one.
    #[inline]
    pub(super) fn children(&self, visits: u64) -> u64 {
        if self.config.widen_c == 0.0 {
            return u64::MAX;
        }
        // The conversion saturates at the largest integer.
        ((self.config.widen_c * (visits as f64).powf(self.config.widen_a)).ceil() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_follows_the_paper() {
        let config = SpmctsConfig { c: 0.5, d: 10_000.0, w: 0.02, ..SpmctsConfig::default() };
        let mut tally = Tally::EMPTY;
        for value in [1000, 2000, 3000, 2000] {
            tally.add(value);
        }
        let ln = Formula::logarithm(50);
        let value = Formula::new(config).value(&tally, None, ln);
        let expected =
            2000.0 + 0.02 * 3000.0 + 0.5 * (50f64.ln() / 4.0).sqrt() + (2_010_000f64 / 4.0).sqrt();
        assert!((value - expected).abs() < 1e-9);
        // Scaled: the same with every result divided.
        let config = SpmctsConfig { values: Values::Scaled, scale: 1000.0, d: 0.01, ..config };
        let value = Formula::new(config).value(&tally, None, ln);
        let expected = 2.0 + 0.02 * 3.0 + 0.5 * (50f64.ln() / 4.0).sqrt() + (2.01f64 / 4.0).sqrt();
        assert!((value - expected).abs() < 1e-9);
        // All moves as first: with k = 4 and n = 4, a weight of one half.
        let amaf = Amaf { code: 0, sum: 40_000.0, visits: 10 };
        let config = SpmctsConfig { rave: 4.0, ..config };
        let mixed = Formula::new(config).value(&tally, Some(&amaf), ln);
        assert!((mixed - value - 1.0).abs() < 1e-9);
    }

    #[test]
    fn widening_grows_with_the_visits() {
        let all = Formula::new(SpmctsConfig::default());
        assert_eq!(all.children(0), u64::MAX);
        let some = Formula::new(SpmctsConfig { widen_c: 1.5, ..SpmctsConfig::default() });
        assert_eq!([0, 1, 4, 16, 17].map(|n| some.children(n)), [1, 2, 3, 6, 7]);
    }
}
