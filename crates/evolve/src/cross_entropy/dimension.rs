//! A parameter: its bounds, and how a value is drawn within them.

use crate::{
    error::{EvolveError, MAX_FITNESS},
    normal::normal,
};
use serde::{Deserialize, Serialize};
use unriddle_core::{Rng, SpaceError};

/// Largest absolute value of a bound of whole numbers (2⁵³): beyond it some have no floating-point
/// number.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A parameter with its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// The least value.
    pub low: f64,
    /// The largest value, above the least.
    pub high: f64,
    /// Whether values are whole numbers. The bounds must then be whole numbers as well.
    pub integer: bool,
}

impl Dimension {
    /// Reals from `low` to `high`, both included.
    #[must_use]
    pub fn real(low: f64, high: f64) -> Self {
        Self { low, high, integer: false }
    }

    /// Whole numbers from `low` to `high`, both included.
    #[must_use]
    pub fn integer(low: i32, high: i32) -> Self {
        Self { low: low.into(), high: high.into(), integer: true }
    }

    /// The mean at the start.
    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// The deviation at the start, and the largest one.
    pub(super) fn half(&self) -> f64 {
        self.high / 2.0 - self.low / 2.0
    }

    /// Whether the value is within the bounds.
    pub(super) fn holds(&self, x: f64) -> bool {
        (self.low..=self.high).contains(&x)
    }

    /// The value that is asked for in place of this one.
    pub(super) fn rounded(&self, x: f64) -> f64 {
        // Not -0: it is another text than 0.
        if self.integer { x.round() + 0.0 } else { x }
    }

    /// A value within the bounds. The mean is within them, and the deviation at most half their
    /// distance, so that almost half of the numbers are.
    pub(super) fn draw(&self, mean: f64, deviation: f64, rng: &mut Rng) -> f64 {
        loop {
            let x = self.rounded(mean + deviation * normal(rng));
            if self.holds(x) {
                return x;
            }
        }
    }

    /// Checks the bounds.
    pub(super) fn validate(&self, number: usize) -> Result<(), EvolveError> {
        let Self { low, high, integer } = *self;
        let largest = if integer { MAX_WHOLE } else { MAX_FITNESS };
        let refuse = |what: &str| {
            Err(SpaceError(format!(
                "dimension {number} is bounded by {low} and {high}, but its bounds must {what}"
            ))
            .into())
        };
        if !(low.abs() <= largest && high.abs() <= largest) {
            return refuse(&format!("be within ±{largest:e}"));
        }
        // Half of the distance is a deviation, and must be more than nothing.
        if low >= high || self.half() <= 0.0 {
            return refuse("rise");
        }
        if integer && (low.fract() != 0.0 || high.fract() != 0.0) {
            return refuse("be whole numbers");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_own_the_unit_around_them() {
        let dimension = Dimension::integer(-1, 1);
        let mut rng = Rng::new(2);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            let x = dimension.draw(0.0, 1.0, &mut rng);
            assert_eq!(x.to_bits() == 0, x == 0.0);
            counts[(x + 1.0) as usize] += 1;
        }
        // Within half a deviation 0.3829, from there to one and a half 0.2417 on each side.
        for (found, expected) in counts.into_iter().zip([8_371u32, 13_258, 8_371]) {
            assert!(found.abs_diff(expected) < 400, "{counts:?}");
        }
    }

    #[test]
    fn half_of_the_draws_at_a_bound_are_accepted() {
        // The mean on the bound, at every deviation that can occur: it ends, and never leaves.
        let dimension = Dimension::real(-1e150, 1e150);
        let mut rng = Rng::new(3);
        for deviation in [0.0, 1.0, 1e140, 1e150] {
            for _ in 0..1_000 {
                assert!(dimension.holds(dimension.draw(1e150, deviation, &mut rng)));
            }
        }
    }
}
